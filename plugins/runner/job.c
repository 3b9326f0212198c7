/* One job: what a run is, from the command line or from an ini file; check everything, simulate, say what happened. */
#include "runner_internal.h"

#include <stdlib.h>
#include <string.h>
#include <xbt/log.h>

/* ---- What to simulate ------------------------------------------------------------------------------------------ */

void runner_job_of_options(runner_job_t* job, const runner_options_t* options)
{
  *job = (runner_job_t){.options = options, .seed = options->seed, .time_limit = -1};
  if (options->arguments[0] != NULL)
    job->platform = report_format("%s", options->arguments[0]);
  if (options->arguments[1] != NULL)
    job->deployment = report_format("%s", options->arguments[1]);
  if (options->results != NULL)
    job->results = report_format("%s", options->results);
}

/* The file that an option of the ini file names, from the folder of the ini file; unless `file` is given already. */
static sgf_status_t read_file_name(runner_job_t* job, const char* option, char** file, sgf_error_t* error)
{
  const opp_ini_entry_t* entry = opp_ini_run_option(job->run, option);
  if (*file != NULL)
    return SGF_OK;
  if (entry == NULL) {
    sgf_error_set(error, SGF_STATE, "no %s: %s = \"FILE.xml\" is missing, and the command line names none", option,
                  option);
    sgf_error_place(error, job->options->ini, 0);
    return SGF_STATE;
  }
  if (entry->value[0] != '"') {
    sgf_error_set(error, SGF_SYNTAX, "%s = %s: not a file name in quotes", option, entry->value);
    sgf_error_place(error, entry->file, entry->line);
    return SGF_SYNTAX;
  }
  const char* slash = strrchr(entry->file, '/');
  int folder        = entry->text[0] == '/' || slash == NULL ? 0 : (int)(slash + 1 - entry->file);
  *file             = report_format("%.*s%s", folder, entry->file, entry->text);
  return SGF_OK;
}

static void warn(runner_job_t* job, const opp_ini_entry_t* entry, const char* text)
{
  char** warnings = report_calloc(job->warning_count + 1, sizeof *warnings);
  if (job->warning_count > 0)
    memcpy(warnings, job->warnings, job->warning_count * sizeof *warnings);
  free(job->warnings);
  job->warnings                       = warnings;
  job->warnings[job->warning_count++] = report_format("%s:%d: %s %s", entry->file, entry->line, entry->key, text);
}

static sgf_status_t read_time_limit(runner_job_t* job, sgf_error_t* error)
{
  const opp_ini_entry_t* limit = opp_ini_run_option(job->run, "sim-time-limit");
  if (limit == NULL)
    return SGF_OK;
  if (!job->options->drain)
    warn(job, limit, "ends the run: --no-drain has no effect");
  sgf_status_t status = sgf_parse_timeval(limit->value, "sim-time-limit", &job->time_limit, error);
  sgf_error_place(error, limit->file, limit->line);
  return status;
}

/* The name of a record, "net.record.nd-stats": the one with hyphens that is an attribute. */
static bool is_of_records(const char* key, const char* dot)
{
  static const char prefix[] = "record";
  const size_t length        = sizeof prefix - 1;
  const char* start          = (size_t)(dot - key) >= length ? dot - length : key;
  return strncmp(start, prefix, length) == 0 && (start == key || start[-1] == '.');
}

/* No parameter has a hyphen in its name. */
bool runner_is_object_option(const char* key)
{
  const char* dot = strrchr(key, '.');
  return dot != NULL && strchr(dot, '-') != NULL && strchr(dot, '}') == NULL && !is_of_records(key, dot);
}

/* Records of a run go where --results or result-dir says; without either there are none. */
static void read_results(runner_job_t* job)
{
  if (job->results == NULL && opp_ini_run_option(job->run, "result-dir") != NULL)
    job->results = report_format("%s", opp_ini_run_value(job->run, "resultdir"));
}

char* runner_results_name(opp_ini_run_t* run)
{
  return report_format("%s-%s#%zu", opp_ini_run_config(run), opp_ini_run_variables_text(run),
                       opp_ini_run_repetition(run));
}

static void warn_of_recording(runner_job_t* job)
{
  static const char nothing[]        = "has no effect: this command writes no .sca and .vec files";
  static const char* const options[] = {"output-scalar-file", "output-vector-file"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const opp_ini_entry_t* entry = opp_ini_run_option(job->run, options[i]);
    if (entry != NULL)
      warn(job, entry, nothing);
  }
  for (size_t i = 0; i < opp_ini_run_entry_count(job->run); i++)
    if (runner_is_object_option(opp_ini_run_entry(job->run, i)->key))
      warn(job, opp_ini_run_entry(job->run, i), nothing);
}

sgf_status_t runner_job_of_run(runner_job_t* job, const runner_options_t* options, const opp_ini_t* ini,
                               const char* config, size_t number, sgf_error_t* error)
{
  runner_job_of_options(job, options);
  job->run = opp_ini_run_new(ini, config, number, error);
  if (job->run == NULL)
    return error->status;
  if (!options->seed_given)
    job->seed = opp_ini_run_seed_set(job->run);
  sgf_status_t status = read_file_name(job, "platform", &job->platform, error);
  if (status == SGF_OK)
    status = read_file_name(job, "deployment", &job->deployment, error);
  if (status == SGF_OK)
    status = read_time_limit(job, error);
  read_results(job);
  warn_of_recording(job);
  return status;
}

void runner_job_free(runner_job_t* job)
{
  for (size_t i = 0; i < job->warning_count; i++)
    free(job->warnings[i]);
  free(job->warnings);
  free(job->platform);
  free(job->deployment);
  free(job->results);
  opp_ini_run_free(job->run);
}

void runner_print_run(const opp_ini_run_t* run, FILE* out)
{
  fprintf(out, "Run %zu of %s: ", opp_ini_run_number(run), opp_ini_run_config(run));
  for (size_t i = 0; i < opp_ini_run_variable_count(run); i++)
    fprintf(out, "$%s=%s, ", opp_ini_run_variable_name(run, i), opp_ini_run_variable_value(run, i));
  fprintf(out, "$repetition=%zu\n", opp_ini_run_repetition(run));
}

/* ---- Simulating ------------------------------------------------------------------------------------------------ */

/* The first line of the ini file that matches wins, the last assignment does: the lines go backwards. */
static void assign_lines(const runner_job_t* job)
{
  for (size_t i = opp_ini_run_entry_count(job->run); i > 0; i--) {
    const opp_ini_entry_t* entry = opp_ini_run_entry(job->run, i - 1);
    if (runner_is_object_option(entry->key))
      continue;
    char* assignment = report_format("%s=%s", entry->key, entry->value);
    sg_fabric_set_from(assignment, entry->file, entry->line);
    free(assignment);
  }
}

/* Records of a run without an ini file are named after its deployment: "incast8_d.xml" becomes "incast8_d". */
static void set_results(const runner_job_t* job)
{
  if (job->results == NULL)
    return;
  const char* slash = strrchr(job->deployment, '/');
  const char* base  = slash != NULL ? slash + 1 : job->deployment;
  const char* dot   = strrchr(base, '.');
  const int length  = (int)(dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base));
  char* name        = job->run != NULL ? runner_results_name(job->run) : report_format("%.*s", length, base);
  sg_fabric_set_results(job->results, name);
  free(name);
}

/* Platform, then deployment: whatever is wrong with either is found before any traffic. */
static sgf_status_t set_up(const runner_job_t* job, sgf_error_t* error)
{
  const runner_options_t* options = job->options;
  sg_fabric_plugin_init();
  sg_fabric_set_seed(job->seed);
  sg_fabric_set_pace(options->pace);
  if (job->run != NULL)
    assign_lines(job);
  for (size_t i = 0; i < options->assignment_count; i++)
    sg_fabric_set(options->assignments[i].text);
  set_results(job);
  if (sg_fabric_try_load_platform(job->platform, error) != SGF_OK)
    return error->status;
  return sg_fabric_load_deployment(job->deployment, error);
}

enum { EVENTS_PER_LOOK = 1 << 16 }; /* some 10 ms of wall time */

/* Everything until all is delivered, also what is in flight when the last actor ends; but nothing after the limit. */
static sgf_status_t run_until(opp_simtime_t limit, report_result_t* result)
{
  simgrid_run_until((double)limit / (double)OPP_S);
  xbt_log_control_set("ker_engine.thres:error"); /* SimGrid would warn of each actor that the limit has cut off */
  return sg_fabric_finish_until(limit, report_note_wait, result, &result->reason);
}

static void simulate(const runner_job_t* job, report_result_t* result)
{
  report_progress_t progress;
  report_progress_start(&progress);
  if (progress.on)
    sgf_fabric_set_progress(sg_fabric_get(), EVENTS_PER_LOOK, report_progress_show, &progress);
  if (job->time_limit >= 0) {
    result->end = run_until(job->time_limit, result);
  } else {
    simgrid_run();
    result->end = sg_fabric_finish_with(job->options->drain, report_note_wait, result, &result->reason);
  }
  result->wall_time_s = report_wall_clock() - progress.started_s;
  report_progress_end(&progress);
  result->fabric        = sg_fabric_get();
  result->kernel_rounds = sg_fabric_kernel_rounds();
}

/* A run that did not begin still has its place among the results of its study. */
static int say_failure(const runner_job_t* job, const sgf_error_t* reason)
{
  char text[sizeof reason->file + sizeof reason->text + 16];
  FILE* out = job->run != NULL && job->options->json ? fmemopen(text, sizeof text, "w") : NULL;
  if (out != NULL) {
    sgf_error_t error = {0};
    runner_print_error(reason, out);
    fclose(out);
    report_print_json_failure(job->run, text, stdout, &error);
  }
  return runner_fail(reason);
}

int runner_say(const runner_options_t* options, report_result_t* result)
{
  sgf_error_t error    = {0};
  sgf_report_t* report = sgf_report_new(result->fabric);
  result->report       = report;
  if (options->json)
    report_print_json(result, stdout, &error);
  else
    report_print_summary(result, stdout);
  if (fflush(stdout) != 0 || ferror(stdout))
    sgf_error_set(&error, SGF_IO, "the results could not be written");
  if (options->json && result->end != SGF_OK)
    report_print_verdict(result, stderr);
  sgf_report_free(report);
  if (error.status != SGF_OK)
    return runner_fail(&error);
  return result->end == SGF_OK ? RUNNER_COMPLETE : RUNNER_FAILED;
}

int runner_job_simulate(const runner_job_t* job)
{
  sgf_error_t error = {0};
  char** argv       = job->options->simgrid_argv;
  int left          = job->options->simgrid_argc;
  simgrid_init(&left, argv);
  if (left > 1) {
    fprintf(stderr, "sgfabric: SimGrid has no option %s\n", argv[1]);
    return RUNNER_USAGE;
  }
  if (job->run != NULL && !job->options->json)
    runner_print_run(job->run, stdout);
  if (set_up(job, &error) != SGF_OK)
    return say_failure(job, &error);

  report_result_t* result = report_calloc(1, sizeof *result);
  result->traffic         = job->deployment;
  result->platform        = job->platform;
  result->seed            = job->seed;
  result->run             = job->run;
  result->warnings        = (const char* const*)job->warnings;
  result->warning_count   = job->warning_count;
  simulate(job, result);
  int status = runner_say(job->options, result);
  free(result);
  return status;
}
