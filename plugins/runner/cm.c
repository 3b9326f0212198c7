/* `sgfabric cm`: a connection matrix on the engine alone, without SimGrid; and matrices to begin with. */
#include "runner_internal.h"

#include <stdlib.h>
#include <string.h>

void runner_cm_help(void)
{
  puts(
      "Usage: sgfabric cm FILE PLATFORM [OPTION]...\n"
      "       sgfabric cm FILE PLATFORM -f INI [-c CONFIG] [-r RUN] [OPTION]...\n"
      "       sgfabric cm --make PATTERN NODES SIZE [--seed N]\n"
      "Simulates a connection matrix in the text format of htsim on the fabric of a SimGrid platform file. Node n is "
      "the\n"
      "n-th host with a NIC, from 0, and a connection is one message of its size. Nothing of SimGrid runs.\n\n"
      "  --set PATTERN=VALUE  set an attribute over the files, such as '**.pcie=\"gen5 x8\"'; may be repeated\n"
      "  --seed N             seed of the fabric's random streams (default 1; with an ini file its seed-set)\n"
      "  --json               print one JSON object, and no tables\n"
      "  --results DIR        write CSV records to DIR\n"
      "  --no-drain           end with the last acknowledgement, with messages in flight if there are any\n"
      "  --victims            show flows that waited for pauses which they did not cause, and what they would take "
      "without\n"
      "                       the flows that did\n"
      "  --without SRC->DST   with --victims: without these flows, such as 'gpu0->gpu*'\n"
      "  -f INI               take attributes and seed from an ini file\n"
      "  -c CONFIG            its section [Config CONFIG] (default General)\n"
      "  -r RUN               the run of it (needed if there are several)\n"
      "  --make PATTERN       print a matrix of NODES nodes with messages of SIZE, such as 2MB, and simulate none:\n"
      "                       permutation (drawn from --seed), incast (to node 0), all_to_all, or all_to_all:N with N\n"
      "                       messages of a node at a time\n"
      "  --help               this text\n\n"
      "Exit status: 0 everything was delivered, 1 bad input or not everything, 2 wrong use.");
}

/* ---- Making a matrix --------------------------------------------------------------------------------------------- */

static const runner_command_t cm = {.name = "cm"}; /* whose help a slip leads to */

enum { MAX_NODES = 1 << 16 };

typedef enum pattern { PERMUTATION, INCAST, ALL_TO_ALL, PATTERNS } pattern_t;

/* "all_to_all:4". False: it is none, which has been said. */
static bool read_pattern(const char* text, pattern_t* pattern, size_t* at_a_time)
{
  static const char* const names[] = {"permutation", "incast", "all_to_all", NULL};
  const size_t length              = strcspn(text, ":");
  char* name                       = report_format("%.*s", (int)length, text);
  for (*pattern = PERMUTATION; *pattern < PATTERNS && strcmp(name, names[*pattern]) != 0; ++*pattern)
    continue;
  uint64_t number   = 0;
  sgf_error_t error = {0};
  if (*pattern == PATTERNS)
    runner_misuse(&cm, name, names, "--make knows no %s", name);
  else if (text[length] == ':' && *pattern != ALL_TO_ALL)
    runner_misuse(&cm, NULL, NULL, "--make %s: a node sends one message, and takes no number", text);
  else if (text[length] == ':' && (sgf_parse_uint(text + length + 1, "N", &number, &error) != SGF_OK || number == 0))
    runner_misuse(&cm, NULL, NULL, "--make %s: how many messages of a node at a time?", text);
  else {
    *at_a_time = (size_t)number;
    free(name);
    return true;
  }
  free(name);
  return false;
}

static int make(const runner_options_t* options)
{
  pattern_t pattern   = PERMUTATION;
  size_t at_a_time    = 0;
  uint64_t nodes      = 0;
  int64_t bytes       = 0;
  sgf_error_t error   = {0};
  sgf_messages_t list = {0};
  if (options->assignment_count > 0 || options->json || !options->drain || options->results != NULL ||
      options->ini != NULL)
    return runner_misuse(&cm, NULL, NULL, "cm --make simulates nothing: of the options it takes --seed alone");
  if (options->arguments[1] == NULL)
    return runner_misuse(&cm, NULL, NULL, "cm --make needs NODES and SIZE");
  if (!read_pattern(options->make, &pattern, &at_a_time))
    return RUNNER_USAGE;
  if (sgf_parse_uint(options->arguments[0], "NODES", &nodes, &error) != SGF_OK ||
      sgf_parse_bytes(options->arguments[1], "SIZE", &bytes, &error) != SGF_OK)
    return runner_misuse(&cm, NULL, NULL, "%s", error.text);
  if (nodes < 2 || nodes > MAX_NODES || bytes < 1)
    return runner_misuse(&cm, NULL, NULL, "cm --make takes 2..%d nodes and messages of a byte at least", MAX_NODES);

  if (pattern == PERMUTATION)
    sgf_workload_permutation(&list, (size_t)nodes, (uint64_t)bytes, options->seed);
  else if (pattern == INCAST)
    sgf_workload_incast(&list, (size_t)nodes, 0, (uint64_t)bytes);
  else
    sgf_workload_all_to_all(&list, (size_t)nodes, (uint64_t)bytes);
  sgf_matrix_print(&list, (size_t)nodes, at_a_time, stdout);
  sgf_messages_free(&list);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    sgf_error_set(&error, SGF_IO, "the matrix could not be written");
    return runner_fail(&error);
  }
  return RUNNER_COMPLETE;
}

/* ---- What to simulate -------------------------------------------------------------------------------------------- */

typedef struct job {
  const runner_options_t* options;
  const char* file;
  const char* platform;
  uint64_t seed;
  sgf_matrix_t* matrix;
  sgf_scenario_t* scenario;
  sgf_scenario_t* again;  /* for a replay; NULL: not built */
  sgf_results_t* results; /* NULL: none are written */
  opp_ini_t* ini;         /* NULL: none, and no run of it */
  opp_ini_run_t* run;
  runner_assignments_t assignments;
  runner_warnings_t warnings;
} job_t;

static sgf_status_t read_run(job_t* job, sgf_error_t* error)
{
  static const char* const others[] = {"platform", "deployment", "sim-time-limit", "result-dir", NULL}; /* of `run` */
  if (runner_read_run(job->options, &job->ini, &job->run, error) != SGF_OK)
    return error->status;
  if (!job->options->seed_given)
    job->seed = opp_ini_run_seed_set(job->run);
  runner_warn_of_options(&job->warnings, job->run, others, "has no effect: the command line decides");
  return SGF_OK;
}

static sgf_status_t open_results(job_t* job, sgf_error_t* error)
{
  if (job->options->results == NULL)
    return SGF_OK;
  char* name   = runner_results_name(job->run, job->file);
  job->results = sgf_results_open(sgf_scenario_fabric(job->scenario), sgf_scenario_record_config(job->scenario),
                                  job->options->results, name, error);
  free(name);
  return job->results != NULL ? SGF_OK : error->status;
}

static sgf_scenario_t* load(const job_t* job, sgf_error_t* error)
{
  return sgf_scenario_load(job->platform, job->assignments.all, job->assignments.count, job->seed, error);
}

/* Whatever is wrong with a file is found before any traffic. */
static sgf_status_t set_up(job_t* job, sgf_error_t* error)
{
  if (job->options->ini != NULL && read_run(job, error) != SGF_OK)
    return error->status;
  job->matrix = sgf_matrix_read(job->file, error);
  if (job->matrix == NULL)
    return error->status;
  for (size_t i = 0; i < sgf_matrix_warning_count(job->matrix); i++)
    runner_warn(&job->warnings, report_format("%s", sgf_matrix_warning(job->matrix, i)));
  runner_assign(&job->assignments, job->run, job->options);
  job->scenario = load(job, error);
  if (job->scenario == NULL || sgf_matrix_check(job->matrix, sgf_scenario_fabric(job->scenario), error) != SGF_OK)
    return error->status;
  return open_results(job, error);
}

static void release(job_t* job)
{
  runner_assignments_free(&job->assignments);
  runner_warnings_free(&job->warnings);
  sgf_scenario_free(job->scenario);
  sgf_scenario_free(job->again);
  sgf_matrix_free(job->matrix);
  opp_ini_run_free(job->run);
  opp_ini_free(job->ini);
}

/* ---- Simulating -------------------------------------------------------------------------------------------------- */

static void simulate(job_t* job, report_result_t* result)
{
  sgf_fabric_t* fabric = sgf_scenario_fabric(job->scenario);
  report_progress_t progress;
  report_progress_start(&progress, fabric);
  result->end = sgf_matrix_run(job->matrix, fabric, job->options->drain, report_note_wait, result, &result->reason);
  result->wall_time_s = report_wall_clock() - progress.started_s;
  report_progress_end(&progress);

  sgf_error_t unwritten = {0};
  if (job->results != NULL && sgf_results_close(job->results, sgf_engine_clock(fabric), &unwritten) != SGF_OK) {
    result->end    = unwritten.status;
    result->reason = unwritten;
  }
}

static sgf_fabric_t* load_again(void* user, sgf_error_t* error)
{
  job_t* job = user;
  job->again = load(job, error);
  return job->again != NULL ? sgf_scenario_fabric(job->again) : NULL;
}

static int run(job_t* job)
{
  report_result_t* result = report_calloc(1, sizeof *result);
  result->traffic         = job->file;
  result->platform        = job->platform;
  result->seed            = job->seed;
  result->run             = job->run;
  result->warnings        = (const char* const*)job->warnings.texts;
  result->warning_count   = job->warnings.count;
  result->fabric          = sgf_scenario_fabric(job->scenario);
  if (job->run != NULL && !job->options->json)
    runner_print_run(job->run, stdout);
  if (job->options->victims)
    sgf_victims_watch(sgf_scenario_fabric(job->scenario));
  simulate(job, result);
  const int status = runner_say(job->options, result, load_again, job);
  free(result);
  return status;
}

int runner_cm(const runner_options_t* options)
{
  if (options->make != NULL)
    return make(options);
  static const char* const needed[] = {"FILE", "PLATFORM"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (options->arguments[i] == NULL)
      return runner_misuse(&cm, NULL, NULL, "cm needs a %s", needed[i]);
  sgf_error_t error = {0};
  job_t job         = {
              .options = options, .file = options->arguments[0], .platform = options->arguments[1], .seed = options->seed};
  const int status = set_up(&job, &error) == SGF_OK ? run(&job) : runner_fail(&error);
  release(&job);
  return status;
}
