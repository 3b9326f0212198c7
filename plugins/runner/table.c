/* A table of runs. */
#include "runner_internal.h"

#include <stdlib.h>
#include <string.h>

static size_t figures(void)
{
  size_t count = 0;
  while (report_row_titles[count] != NULL)
    count++;
  return count;
}

/* The first run says which variables there are, and whether it is repeated. */
static void name_columns(runner_table_t* table, opp_ini_run_t* run)
{
  table->variables = opp_ini_run_variable_count(run);
  table->repeats   = opp_ini_run_option(run, "repeat") != NULL;
  table->titles    = report_calloc(table->variables + 1 + figures(), sizeof *table->titles);
  for (size_t i = 0; i < table->variables; i++)
    table->titles[table->columns++] = report_format("<%s", opp_ini_run_variable_name(run, i));
  if (table->repeats)
    table->titles[table->columns++] = report_format(">repetition");
  for (size_t i = 0; report_row_titles[i] != NULL; i++)
    table->titles[table->columns++] = report_format("%s", report_row_titles[i]);
  table->rows = (report_table_t){.titles = (const char* const*)table->titles, .columns = table->columns};
}

/* A variable's value as it is read: without the quotes of a string. */
static void add_value(runner_table_t* table, const char* value)
{
  const size_t length = strlen(value);
  const bool quoted   = length >= 2 && value[0] == '"' && value[length - 1] == '"';
  report_table_cell(&table->rows, "%.*s", (int)(quoted ? length - 2 : length), quoted ? value + 1 : value);
}

/* The next figure of a line, up to a tab or the end of the line. */
static const char* add_figure(runner_table_t* table, const char* at)
{
  const size_t length = strcspn(at, "\t\n");
  report_table_cell(&table->rows, "%.*s", (int)length, length > 0 ? at : "");
  return at[length] == '\t' ? at + length + 1 : "";
}

void runner_table_add(runner_table_t* table, opp_ini_run_t* run, const char* line)
{
  if (table->titles == NULL)
    name_columns(table, run);
  for (size_t i = 0; i < table->variables; i++)
    add_value(table, opp_ini_run_variable_value(run, i));
  if (table->repeats)
    report_table_cell(&table->rows, "%zu", opp_ini_run_repetition(run));
  const size_t count = figures();
  const char* at     = line;
  for (size_t i = 0; i < count; i++)
    at = *line != '\0' ? add_figure(table, at) : add_figure(table, i + 1 < count ? "-" : "failed");
}

void runner_table_print(runner_table_t* table, FILE* out)
{
  if (table->titles == NULL)
    return;
  report_table_print(&table->rows, out);
  for (size_t i = 0; i < table->columns; i++)
    free(table->titles[i]);
  free(table->titles);
  *table = (runner_table_t){0};
}
