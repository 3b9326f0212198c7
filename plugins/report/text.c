/* Numbers and tables for people. */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char* const time_units[] = {"ps", "ns", "us", "ms", "s", NULL};
static const char* const rate_units[] = {"b/s", "Kb/s", "Mb/s", "Gb/s", "Tb/s", NULL};
static const char* const byte_units[] = {"B", "KB", "MB", "GB", "TB", NULL};

void* report_calloc(size_t count, size_t size)
{
  void* memory = calloc(count ? count : 1, size);
  if (!memory) {
    fputs("sgfabric: out of memory\n", stderr);
    exit(EXIT_FAILURE);
  }
  return memory;
}

char* report_format(const char* format, ...)
{
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char* text = report_calloc((size_t)length + 1, 1);
  va_start(args, format);
  vsnprintf(text, (size_t)length + 1, format, args);
  va_end(args);
  return text;
}

/* Whole numbers stay whole; others keep their zeros, so that a column lines up, unless they are to be exact. */
static report_text_t scaled(double value, const char* const* unit, bool exact)
{
  const double rounds_to_1000 = 999.95;
  for (; value >= rounds_to_1000 && unit[1]; unit++)
    value /= 1000;
  report_text_t text = {"0"};
  if (value == 0)
    return text;
  if (exact || value == floor(value))
    snprintf(text.at, sizeof text.at, "%.9g %s", value, *unit);
  else
    snprintf(text.at, sizeof text.at, "%#.4g %s", value, *unit);
  return text;
}

report_text_t report_time(double ps)
{
  return scaled(ps, time_units, false);
}

report_text_t report_rate(double bps)
{
  return scaled(bps, rate_units, false);
}

report_text_t report_bytes(double bytes)
{
  return scaled(bytes, byte_units, false);
}

report_text_t report_exact_time(opp_simtime_t ps)
{
  return scaled((double)ps, time_units, true);
}

report_text_t report_exact_rate(int64_t bps)
{
  return scaled((double)bps, rate_units, true);
}

report_text_t report_count(uint64_t count)
{
  char digits[24];
  size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, count);
  report_text_t text;
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      text.at[used++] = ',';
    text.at[used++] = digits[i];
  }
  text.at[used] = '\0';
  return text;
}

report_text_t report_exact_bytes(int64_t bytes)
{
  report_text_t text;
  uint64_t size = bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
  snprintf(text.at, sizeof text.at, "%s%.40s B", bytes < 0 ? "-" : "", report_count(size).at);
  return text;
}

report_text_t report_counted(uint64_t count, const char* noun)
{
  report_text_t text;
  snprintf(text.at, sizeof text.at, "%.30s %.30s%s", report_count(count).at, noun, count == 1 ? "" : "s");
  return text;
}

report_text_t report_percent(double part, double whole)
{
  report_text_t text;
  snprintf(text.at, sizeof text.at, "%.1f %%", whole > 0 ? 100 * part / whole : 0.0);
  return text;
}

void report_table_cell(report_table_t* table, const char* format, ...)
{
  if (table->count == table->room) {
    size_t room  = table->room ? 2 * table->room : 64;
    char** cells = report_calloc(room, sizeof *cells);
    if (table->count)
      memcpy(cells, table->cells, table->count * sizeof *cells);
    free(table->cells);
    table->cells = cells;
    table->room  = room;
  }
  char text[256]; /* a longer one is cut */
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  char* cell = report_calloc(strlen(text) + 1, 1);
  strcpy(cell, text);
  table->cells[table->count++] = cell;
}

static int width_of(const report_table_t* table, size_t column)
{
  size_t width = strlen(table->titles[column]) - 1;
  for (size_t i = column; i < table->count; i += table->columns)
    if (strlen(table->cells[i]) > width)
      width = strlen(table->cells[i]);
  return (int)width;
}

static void print_cell(const report_table_t* table, size_t column, int width, const char* text, FILE* out)
{
  bool left = table->titles[column][0] == '<';
  bool last = column + 1 == table->columns;
  if (!last || *text != '\0')
    fprintf(out, "  %*s", left ? (last ? 0 : -width) : width, text);
  if (last)
    putc('\n', out);
}

void report_table_print(report_table_t* table, FILE* out)
{
  int* widths = report_calloc(table->columns, sizeof *widths);
  for (size_t column = 0; column < table->columns; column++)
    widths[column] = width_of(table, column);
  for (size_t column = 0; column < table->columns; column++)
    print_cell(table, column, widths[column], table->titles[column] + 1, out);
  for (size_t i = 0; i < table->count; i++) {
    print_cell(table, i % table->columns, widths[i % table->columns], table->cells[i], out);
    free(table->cells[i]);
  }
  free(widths);
  free(table->cells);
  table->cells = NULL;
  table->count = table->room = 0;
}
