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

sgf_status_t runner_job_platform(runner_job_t* job, sgf_error_t* error)
{
  return read_file_name(job, "platform", &job->platform, error);
}

static sgf_status_t read_time_limit(runner_job_t* job, sgf_error_t* error)
{
  const opp_ini_entry_t* limit = opp_ini_run_option(job->run, "sim-time-limit");
  if (limit == NULL)
    return SGF_OK;
  if (!job->options->drain)
    runner_warn_of(&job->warnings, limit, "ends the run: --no-drain has no effect");
  sgf_status_t status = sgf_parse_timeval(limit->value, "sim-time-limit", &job->time_limit, error);
  sgf_error_place(error, limit->file, limit->line);
  return status;
}

/* Records of a run go where --results or result-dir says; without either there are none. */
static void read_results(runner_job_t* job)
{
  if (job->results == NULL && opp_ini_run_option(job->run, "result-dir") != NULL)
    job->results = report_format("%s", opp_ini_run_value(job->run, "resultdir"));
}

static void warn_of_recording(runner_job_t* job)
{
  static const char nothing[]        = "has no effect: this command writes no .sca and .vec files";
  static const char* const options[] = {"output-scalar-file", "output-vector-file", NULL};
  runner_warn_of_options(&job->warnings, job->run, options, nothing);
  for (size_t i = 0; i < opp_ini_run_entry_count(job->run); i++)
    if (sgf_ini_is_object_option(opp_ini_run_entry(job->run, i)->key))
      runner_warn_of(&job->warnings, opp_ini_run_entry(job->run, i), nothing);
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
  sgf_status_t status = runner_job_platform(job, error);
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
  runner_warnings_free(&job->warnings);
  free(job->platform);
  free(job->deployment);
  free(job->results);
  opp_ini_run_free(job->run);
}

/* ---- Simulating ------------------------------------------------------------------------------------------------ */

static void assign(const runner_job_t* job)
{
  runner_assignments_t assignments;
  runner_assign(&assignments, job->run, job->options);
  for (size_t i = 0; i < assignments.count; i++)
    sg_fabric_set_from(assignments.all[i].text, assignments.all[i].file, assignments.all[i].line);
  runner_assignments_free(&assignments);
}

static void set_results(const runner_job_t* job)
{
  if (job->results == NULL)
    return;
  char* name = runner_results_name(job->run, job->deployment);
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
  assign(job);
  set_results(job);
  if (sg_fabric_try_load_platform(job->platform, error) != SGF_OK)
    return error->status;
  return sg_fabric_load_deployment(job->deployment, error);
}

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
  report_progress_start(&progress, sg_fabric_get());
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

/* One line behind another, for whoever reads them (processes.c). */
static void print_row(const report_result_t* result, FILE* out)
{
  report_print_row(result, out);
  for (size_t i = 0; i < report_warning_count(result); i++)
    fprintf(out, "warning: %s\n", report_warning(result, i));
}

int runner_say(const runner_options_t* options, report_result_t* result, report_again_cb again, void* user)
{
  sgf_error_t error        = {0};
  sgf_report_t* report     = sgf_report_new(result->fabric);
  report_victims_t victims = {0};
  result->report           = report;
  if (options->victims) {
    report_victims_find(&victims, result->fabric, options->without, again, user, &error);
    result->victims = &victims;
  }
  if (options->json)
    report_print_json(result, stdout, &error);
  else if (options->table)
    print_row(result, stdout);
  else
    report_print_summary(result, stdout);
  if (fflush(stdout) != 0 || ferror(stdout))
    sgf_error_set(&error, SGF_IO, "the results could not be written");
  if ((options->json || options->table) && result->end != SGF_OK)
    report_print_verdict(result, stderr);
  report_victims_release(&victims);
  sgf_report_free(report);
  if (error.status != SGF_OK)
    return runner_fail(&error);
  return result->end == SGF_OK ? RUNNER_COMPLETE : RUNNER_FAILED;
}

static sgf_fabric_t* load_again(void* scenario, sgf_error_t* error)
{
  sgf_scenario_t** loaded = scenario;
  *loaded                 = sg_fabric_load_again(error);
  return *loaded != NULL ? sgf_scenario_fabric(*loaded) : NULL;
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
  if (job->run != NULL && !job->options->json && !job->options->table)
    runner_print_run(job->run, stdout);
  if (set_up(job, &error) != SGF_OK)
    return say_failure(job, &error);

  report_result_t* result = report_calloc(1, sizeof *result);
  result->traffic         = job->deployment;
  result->platform        = job->platform;
  result->seed            = job->seed;
  result->run             = job->run;
  result->warnings        = (const char* const*)job->warnings.texts;
  result->warning_count   = job->warnings.count;
  if (job->options->victims)
    sgf_victims_watch(sg_fabric_get());
  simulate(job, result);
  sgf_scenario_t* again = NULL;
  int status            = runner_say(job->options, result, load_again, &again);
  sgf_scenario_free(again);
  free(result);
  return status;
}
