/* A run of an ini file, as all commands take it: which one, what it assigns, the name of its records, what it says in
 * vain. */
#include "runner_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- The run ----------------------------------------------------------------------------------------------------- */

/* The one of `count` runs that -r names, or that there is; SIZE_MAX: there is none, or one has to be named. */
static size_t chosen_run(const runner_options_t* options, size_t count)
{
  bool* selected   = report_calloc(count, sizeof *selected);
  size_t run       = SIZE_MAX;
  size_t meant     = 0;
  const bool valid = runner_select_runs(options->runs, count, selected);
  for (size_t i = 0; i < count; i++)
    if (selected[i]) {
      run = i;
      meant++;
    }
  free(selected);
  return valid && meant == 1 ? run : SIZE_MAX;
}

sgf_status_t runner_read_run(const runner_options_t* options, opp_ini_t** ini, opp_ini_run_t** run, sgf_error_t* error)
{
  const char* config = options->config != NULL ? options->config : "General";
  *ini               = opp_ini_read(options->ini, error);
  const size_t count = *ini != NULL ? opp_ini_run_count(*ini, config, error) : 0;
  if (error->status != SGF_OK)
    return error->status;
  const size_t number = chosen_run(options, count);
  if (number == SIZE_MAX)
    return sgf_error_set(error, SGF_RANGE, "%s has %s, numbered from 0; -r names one of them", config,
                         report_counted(count, "run").at);
  *run = opp_ini_run_new(*ini, config, number, error);
  return error->status;
}

void runner_print_run(const opp_ini_run_t* run, FILE* out)
{
  fprintf(out, "Run %zu of %s: ", opp_ini_run_number(run), opp_ini_run_config(run));
  for (size_t i = 0; i < opp_ini_run_variable_count(run); i++)
    fprintf(out, "$%s=%s, ", opp_ini_run_variable_name(run, i), opp_ini_run_variable_value(run, i));
  fprintf(out, "$repetition=%zu\n", opp_ini_run_repetition(run));
}

char* runner_results_name(opp_ini_run_t* run, const char* file)
{
  if (run != NULL)
    return report_format("%s-%s#%zu", opp_ini_run_config(run), opp_ini_run_variables_text(run),
                         opp_ini_run_repetition(run));
  const char* slash = strrchr(file, '/');
  const char* base  = slash != NULL ? slash + 1 : file;
  const char* dot   = strrchr(base, '.');
  return report_format("%.*s", (int)(dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base)), base);
}

/* ---- Assignments ------------------------------------------------------------------------------------------------- */

void runner_assign(runner_assignments_t* assignments, const opp_ini_run_t* run, const runner_options_t* options)
{
  *assignments = (runner_assignments_t){0};
  if (run != NULL)
    assignments->lines = sgf_ini_assignments(run, &assignments->line_count);
  const size_t lines = assignments->line_count;
  assignments->count = lines + options->assignment_count;
  assignments->all   = report_calloc(assignments->count, sizeof *assignments->all);
  for (size_t i = 0; i < assignments->count; i++)
    assignments->all[i] = i < lines ? assignments->lines[i] : options->assignments[i - lines];
}

void runner_assignments_free(runner_assignments_t* assignments)
{
  sgf_ini_assignments_free(assignments->lines, assignments->line_count);
  free(assignments->all);
}

/* ---- Warnings ---------------------------------------------------------------------------------------------------- */

void runner_warn(runner_warnings_t* warnings, char* text)
{
  char** texts = report_calloc(warnings->count + 1, sizeof *texts);
  if (warnings->count > 0)
    memcpy(texts, warnings->texts, warnings->count * sizeof *texts);
  free(warnings->texts);
  warnings->texts                    = texts;
  warnings->texts[warnings->count++] = text;
}

void runner_warn_of(runner_warnings_t* warnings, const opp_ini_entry_t* entry, const char* text)
{
  runner_warn(warnings, report_format("%s:%d: %s %s", entry->file, entry->line, entry->key, text));
}

void runner_warn_of_options(runner_warnings_t* warnings, opp_ini_run_t* run, const char* const* options,
                            const char* text)
{
  for (; *options != NULL; options++) {
    const opp_ini_entry_t* entry = opp_ini_run_option(run, *options);
    if (entry != NULL)
      runner_warn_of(warnings, entry, text);
  }
}

void runner_warnings_free(runner_warnings_t* warnings)
{
  for (size_t i = 0; i < warnings->count; i++)
    free(warnings->texts[i]);
  free(warnings->texts);
}
