/* The fabric that a command only looks at: of the platform and the assignments of its command line, or of an ini
 * file. */
#include "runner_internal.h"

/* What an ini file says of it. */
typedef struct source {
  opp_ini_t* ini;
  runner_job_t job; /* the run, and the platform that it names */
} source_t;

static sgf_status_t read_ini(source_t* source, const runner_options_t* options, sgf_error_t* error)
{
  if (runner_read_run(options, &source->ini, &source->job.run, error) == SGF_OK)
    runner_job_platform(&source->job, error);
  return error->status;
}

/* The lines of the ini file, and --set over them. */
static sgf_scenario_t* load(const source_t* source, const runner_options_t* options, sgf_error_t* error)
{
  runner_assignments_t assignments;
  runner_assign(&assignments, source->job.run, options);
  sgf_scenario_t* scenario =
      sgf_scenario_load(source->job.platform, assignments.all, assignments.count, options->seed, error);
  runner_assignments_free(&assignments);
  return scenario;
}

sgf_scenario_t* runner_load(const runner_options_t* options)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = NULL;
  source_t source          = {0};
  runner_job_of_options(&source.job, options);
  if (options->ini == NULL || read_ini(&source, options, &error) == SGF_OK)
    scenario = load(&source, options, &error);
  if (scenario == NULL)
    runner_fail(&error);
  runner_job_free(&source.job);
  opp_ini_free(source.ini);
  return scenario;
}
