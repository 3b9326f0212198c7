/* `sgfabric exec`: any SimGrid program, over the fabric. The work is done in that program, by libsgfabric-model.so
 * (plugins/simgrid/model_seat); what it needs to know is told to it in its environment. */
#define _GNU_SOURCE
#include "runner_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void runner_exec_help(void)
{
  puts("Usage: sgfabric exec [OPTION]... -- PROGRAM [ARGUMENT]...\n"
       "       sgfabric exec -f INI [-c CONFIG] [-r RUN] [OPTION]... -- PROGRAM [ARGUMENT]...\n"
       "Runs a program that uses SimGrid and knows nothing of sgfabric, also smpirun and python3. Messages between "
       "hosts\n"
       "with a NIC take the fabric of the platform file that the program loads; the others take SimGrid's network "
       "model.\n\n"
       "  --set PATTERN=VALUE  set an attribute over the files, such as '**.pcie=\"gen5 x8\"'; may be repeated\n"
       "  --seed N             seed of the fabric's random streams (default 1; with an ini file its seed-set)\n"
       "  --json FILE          write one JSON object to FILE when the program ends, and print no tables\n"
       "  --no-drain           end with the program, with messages in flight if there are any\n"
       "  --results DIR        write CSV records to DIR\n"
       "  -f INI               take attributes and seed from an ini file\n"
       "  -c CONFIG            its section [Config CONFIG] (default General)\n"
       "  -r RUN               the run of it (needed if there are several)\n"
       "  --help               this text\n\n"
       "Exit status: that of the program; 1 bad input, 2 wrong use, 125 the program ended with 0 and no simulation in "
       "it\n"
       "took the fabric, 127 there is no such program.");
}

/* ---- Assignments ------------------------------------------------------------------------------------------------- */

/* A line for each assignment, the last of which wins (SGFABRIC_SET). */
static void append(char** lines, const char* format, ...) SGF_PRINTF(2, 3);

static void append(char** lines, const char* format, ...)
{
  char line[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  char* longer = *lines != NULL ? report_format("%s\n%s", *lines, line) : report_format("%s", line);
  free(*lines);
  *lines = longer;
}

/* Lines that mean something to `run` alone. */
static void warn_of_options(opp_ini_run_t* run)
{
  static const char* const options[] = {"platform", "deployment", "sim-time-limit"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const opp_ini_entry_t* entry = opp_ini_run_option(run, options[i]);
    if (entry != NULL)
      fprintf(stderr, "sgfabric: %s:%d: %s has no effect: the program decides\n", entry->file, entry->line, entry->key);
  }
}

size_t runner_chosen_run(const runner_options_t* options, size_t count)
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

static sgf_status_t append_run(const runner_options_t* options, const opp_ini_t* ini, char** lines, uint64_t* seed,
                               char** results_name, sgf_error_t* error)
{
  const char* config = options->config != NULL ? options->config : "General";
  const size_t count = opp_ini_run_count(ini, config, error);
  if (error->status != SGF_OK)
    return error->status;
  const size_t number = runner_chosen_run(options, count);
  if (number == SIZE_MAX)
    return sgf_error_set(error, SGF_RANGE, "%s has %s, numbered from 0; -r names one of them", config,
                         report_counted(count, "run").at);
  opp_ini_run_t* run = opp_ini_run_new(ini, config, number, error);
  if (run == NULL)
    return error->status;
  warn_of_options(run);
  *results_name = runner_results_name(run);
  if (!options->seed_given)
    *seed = opp_ini_run_seed_set(run);
  for (size_t i = opp_ini_run_entry_count(run); i > 0; i--) {
    const opp_ini_entry_t* entry = opp_ini_run_entry(run, i - 1);
    if (!runner_is_object_option(entry->key))
      append(lines, "%d\t%s\t%s=%s", entry->line, entry->file, entry->key, entry->value);
  }
  opp_ini_run_free(run);
  return SGF_OK;
}

static sgf_status_t append_ini(const runner_options_t* options, char** lines, uint64_t* seed, char** results_name,
                               sgf_error_t* error)
{
  opp_ini_t* ini = opp_ini_read(options->ini, error);
  if (ini == NULL)
    return error->status;
  append_run(options, ini, lines, seed, results_name, error);
  opp_ini_free(ini);
  return error->status;
}

/* ---- The environment -----------------------------------------------------------------------------------------------
 */

static void set_variable(const char* name, char* value)
{
  if (value != NULL)
    setenv(name, value, 1);
  else
    unsetenv(name);
  free(value);
}

/* It is where the fabric's own library is. */
static sgf_status_t preload(sgf_error_t* error)
{
  Dl_info info;
  if (dladdr((const void*)(uintptr_t)sg_fabric_get, &info) == 0)
    return sgf_error_set(error, SGF_IO, "the place of libsgfabric.so is not known");
  char* place = realpath(info.dli_fname, NULL);
  if (place == NULL)
    return sgf_error_set(error, SGF_IO, "%s: %s", info.dli_fname, strerror(errno));
  *strrchr(place, '/') = '\0';
  char* library        = report_format("%s/libsgfabric-model.so", place);
  free(place);
  if (access(library, R_OK) != 0)
    sgf_error_set(error, SGF_IO, "%s: %s", library, strerror(errno));
  const char* others = getenv("LD_PRELOAD");
  set_variable("LD_PRELOAD", report_format("%s%s%s", library, others != NULL ? ":" : "", others != NULL ? others : ""));
  free(library);
  return error->status;
}

/* The program may go elsewhere before it ends. */
static char* absolute(const char* file)
{
  if (file == NULL || *file == '/')
    return file != NULL ? report_format("%s", file) : NULL;
  char* folder = realpath(".", NULL);
  char* path   = report_format("%s/%s", folder != NULL ? folder : "", file);
  free(folder);
  return path;
}

int runner_exec(const runner_options_t* options)
{
  if (options->simgrid_argc < 2) {
    fputs("sgfabric: exec needs a program: -- PROGRAM [ARGUMENT]...\n'sgfabric exec --help' says more.\n", stderr);
    return RUNNER_USAGE;
  }
  sgf_error_t error  = {0};
  char* lines        = NULL;
  char* results_name = NULL;
  uint64_t seed      = options->seed;
  if (options->ini != NULL)
    append_ini(options, &lines, &seed, &results_name, &error);
  for (size_t i = 0; i < options->assignment_count; i++)
    append(&lines, "%s", options->assignments[i].text);
  if (error.status != SGF_OK || preload(&error) != SGF_OK) {
    free(lines);
    free(results_name);
    return runner_fail(&error);
  }
  set_variable("SGFABRIC_SET", lines);
  set_variable("SGFABRIC_SEED", report_format("%" PRIu64, seed));
  set_variable("SGFABRIC_JSON", absolute(options->json_file));
  set_variable("SGFABRIC_NO_DRAIN", options->drain ? NULL : report_format("1"));
  set_variable("SGFABRIC_RESULTS", absolute(options->results));
  set_variable("SGFABRIC_RESULTS_NAME", results_name);
  return runner_watch(options->simgrid_argv + 1, options->json_file);
}
