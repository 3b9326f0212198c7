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
       "  --victims            show flows that waited for pauses which they did not cause, and what they would take "
       "without\n"
       "                       the flows that did\n"
       "  --without SRC->DST   with --victims: without these flows, such as 'gpu0->gpu*'\n"
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

static char* list_assignments(const opp_ini_run_t* run, const runner_options_t* options)
{
  char* lines = NULL;
  runner_assignments_t assignments;
  runner_assign(&assignments, run, options);
  for (size_t i = 0; i < assignments.count; i++) {
    const sgf_assignment_t* assignment = &assignments.all[i];
    if (assignment->file != NULL)
      append(&lines, "%d\t%s\t%s", assignment->line, assignment->file, assignment->text);
    else
      append(&lines, "%s", assignment->text);
  }
  runner_assignments_free(&assignments);
  return lines;
}

/* Options that mean something to `run` alone. */
static void warn_of_options(opp_ini_run_t* run)
{
  static const char* const others[] = {"platform", "deployment", "sim-time-limit", "result-dir", NULL};
  runner_warnings_t warnings        = {0};
  runner_warn_of_options(&warnings, run, others, "has no effect: the program decides");
  for (size_t i = 0; i < warnings.count; i++)
    fprintf(stderr, "sgfabric: %s\n", warnings.texts[i]);
  runner_warnings_free(&warnings);
}

/* What an ini file, if there is one, and --set say; the seed is changed only if the ini file decides it. */
static sgf_status_t read_assignments(const runner_options_t* options, char** lines, uint64_t* seed, char** results_name,
                                     sgf_error_t* error)
{
  opp_ini_t* ini     = NULL;
  opp_ini_run_t* run = NULL;
  if (options->ini != NULL && runner_read_run(options, &ini, &run, error) == SGF_OK) {
    warn_of_options(run);
    *results_name = runner_results_name(run, NULL);
    if (!options->seed_given)
      *seed = opp_ini_run_seed_set(run);
  }
  if (error->status == SGF_OK)
    *lines = list_assignments(run, options);
  opp_ini_run_free(run);
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
  if (read_assignments(options, &lines, &seed, &results_name, &error) != SGF_OK || preload(&error) != SGF_OK) {
    free(lines);
    free(results_name);
    return runner_fail(&error);
  }
  set_variable("SGFABRIC_SET", lines);
  set_variable("SGFABRIC_SEED", report_format("%" PRIu64, seed));
  set_variable("SGFABRIC_JSON", absolute(options->json_file));
  set_variable("SGFABRIC_NO_DRAIN", options->drain ? NULL : report_format("1"));
  set_variable("SGFABRIC_VICTIMS", options->victims ? report_format("1") : NULL);
  set_variable("SGFABRIC_WITHOUT", options->without != NULL ? report_format("%s", options->without) : NULL);
  set_variable("SGFABRIC_RESULTS", absolute(options->results));
  set_variable("SGFABRIC_RESULTS_NAME", results_name);
  return runner_watch(options->simgrid_argv + 1, options->json_file);
}
