/* The runs of an ini file: which there are, and which of them are wanted. */
#include "runner_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Choosing -------------------------------------------------------------------------------------------------- */

static bool read_run(const char** at, size_t* number)
{
  if (!isdigit((unsigned char)**at))
    return false;
  char* end;
  *number = strtoul(*at, &end, 10);
  *at     = end;
  return true;
}

bool runner_select_runs(const char* list, size_t count, bool* selected)
{
  for (size_t i = 0; i < count; i++)
    selected[i] = list == NULL;
  for (const char* at = list; at != NULL; at = *at == ',' ? at + 1 : NULL) {
    size_t first = 0;
    if (!read_run(&at, &first))
      return false;
    size_t last = first;
    if (strncmp(at, "..", 2) == 0) {
      at += 2;
      if (!read_run(&at, &last))
        return false;
    }
    if ((*at != ',' && *at != '\0') || last < first || last >= count)
      return false;
    for (size_t i = first; i <= last; i++)
      selected[i] = true;
  }
  return true;
}

/* The numbers of the wanted runs of a configuration; SIZE_MAX and an exit status if there is something wrong. */
static size_t choose(const runner_options_t* options, const opp_ini_t* ini, const char* config, size_t** numbers,
                     int* status)
{
  sgf_error_t error = {0};
  size_t count      = opp_ini_run_count(ini, config, &error);
  *numbers          = NULL;
  if (error.status != SGF_OK) {
    *status = runner_fail(&error);
    return SIZE_MAX;
  }
  bool* selected = report_calloc(count, sizeof *selected);
  size_t chosen  = 0;
  if (runner_select_runs(options->runs, count, selected)) {
    *numbers = report_calloc(count, sizeof **numbers);
    for (size_t i = 0; i < count; i++)
      if (selected[i])
        (*numbers)[chosen++] = i;
  } else {
    fprintf(stderr, "sgfabric: -r %s: %s has %s, numbered from 0; write a list such as 0..5,8\n", options->runs, config,
            report_counted(count, "run").at);
    *status = RUNNER_USAGE;
    chosen  = SIZE_MAX;
  }
  free(selected);
  return chosen;
}

/* ---- Listing --------------------------------------------------------------------------------------------------- */

static void print_runs(const char* config, const char* description, opp_ini_run_t* const* runs, size_t count)
{
  printf("Config %s: %s%s%s\n", config, report_counted(count, "run").at, *description ? ", " : "", description);
  for (size_t i = 0; i < count; i++)
    runner_print_run(runs[i], stdout);
}

static const char* description_of(const opp_ini_t* ini, const char* config)
{
  for (size_t i = 0; i < opp_ini_config_count(ini); i++)
    if (strcmp(opp_ini_config_name(ini, i), config) == 0)
      return opp_ini_config_description(ini, i);
  return "";
}

static int list(const runner_options_t* options, const opp_ini_t* ini, const char* config, const size_t* numbers,
                size_t count)
{
  sgf_error_t error    = {0};
  opp_ini_run_t** runs = report_calloc(count, sizeof(opp_ini_run_t*));
  for (size_t i = 0; i < count && error.status == SGF_OK; i++)
    runs[i] = opp_ini_run_new(ini, config, numbers[i], &error);
  if (error.status == SGF_OK && options->json)
    report_print_json_runs((const opp_ini_run_t* const*)runs, count, stdout, &error);
  else if (error.status == SGF_OK)
    print_runs(config, description_of(ini, config), runs, count);
  for (size_t i = 0; i < count; i++)
    opp_ini_run_free(runs[i]);
  free(runs);
  return error.status == SGF_OK ? RUNNER_COMPLETE : runner_fail(&error);
}

/* ---- Simulating ------------------------------------------------------------------------------------------------ */

/* What is wrong with any of the runs is said before the first one. */
static sgf_status_t check(const runner_options_t* options, const opp_ini_t* ini, const char* config,
                          const size_t* numbers, size_t count, sgf_error_t* error)
{
  for (size_t i = 0; i < count && error->status == SGF_OK; i++) {
    runner_job_t job;
    runner_job_of_run(&job, options, ini, config, numbers[i], error);
    runner_job_free(&job);
  }
  return error->status;
}

int runner_study(const runner_options_t* options)
{
  sgf_error_t error = {0};
  opp_ini_t* ini    = opp_ini_read(options->ini, &error);
  if (ini == NULL)
    return runner_fail(&error);
  const char* config = options->config != NULL ? options->config : "General";
  size_t* numbers    = NULL;
  int status         = RUNNER_FAILED;
  size_t count       = choose(options, ini, config, &numbers, &status);
  if (count != SIZE_MAX) {
    if (options->query != NULL)
      status = list(options, ini, config, numbers, count);
    else if (check(options, ini, config, numbers, count, &error) != SGF_OK)
      status = runner_fail(&error);
    else
      status = runner_processes(options, ini, config, numbers, count);
  }
  free(numbers);
  opp_ini_free(ini);
  return status;
}
