/* `sgfabric run`: check everything, simulate, say what happened. */
#include "runner_internal.h"

#include <stdlib.h>
#include <time.h>

void runner_run_help(void)
{
  puts("Usage: sgfabric run PLATFORM DEPLOYMENT [OPTION]... [-- SIMGRID OPTION...]\n"
       "Simulates the actors of a SimGrid deployment file on the fabric of a SimGrid platform file.\n\n"
       "  --set PATTERN=VALUE    set an attribute over the platform file, such as '**.pcie=\"gen5 x8\"'; may be "
       "repeated\n"
       "  --seed N               seed of the fabric's random streams (default 1)\n"
       "  --json                 print one JSON object and no tables\n"
       "  --no-drain             end with the last actor, with messages in flight if there are any\n"
       "  --pace lazy|reference  reference: a kernel round for each event, slow, for comparing (default lazy)\n"
       "  --help                 this text\n"
       "  -- OPTION...           to SimGrid, such as --log=root.thres:error or --cfg=...\n\n"
       "Functions of a deployment's actors (hosts: those with a NIC; sizes as 2MB, times as 10us):");
  char usage[96];
  const char* help;
  for (size_t i = 0; sg_fabric_actor_usage(i, usage, sizeof usage, &help) != NULL; i++)
    printf("  %-38s %s\n", usage, help);
  puts("\nExit status: 0 everything was delivered, 1 bad input or not everything, 2 wrong use.");
}

/* Platform, then deployment: whatever is wrong with either is found before any traffic. */
static sgf_status_t set_up(const runner_options_t* options, sgf_error_t* error)
{
  sg_fabric_plugin_init();
  sg_fabric_set_seed(options->seed);
  sg_fabric_set_pace(options->pace);
  for (size_t i = 0; i < options->assignment_count; i++)
    sg_fabric_set(options->assignments[i]);
  if (sg_fabric_try_load_platform(options->platform, error) != SGF_OK)
    return error->status;
  return sg_fabric_load_deployment(options->deployment, error);
}

double runner_wall_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* One thing that waits when the run is over. */
static void note_wait(void* user, const char* line)
{
  runner_result_t* result = user;
  if (result->wait_count < RUNNER_MAX_WAITS)
    snprintf(result->waits[result->wait_count], sizeof *result->waits, "%s", line);
  result->wait_count++;
}

enum { EVENTS_PER_LOOK = 1 << 16 }; /* some 10 ms of wall time */

static void simulate(runner_result_t* result)
{
  runner_progress_t progress;
  runner_progress_start(&progress);
  if (progress.on)
    sgf_fabric_set_progress(sg_fabric_get(), EVENTS_PER_LOOK, runner_progress_show, &progress);
  simgrid_run();
  result->end         = sg_fabric_finish_with(result->options->drain, note_wait, result, &result->reason);
  result->wall_time_s = runner_wall_clock() - progress.started_s;
  runner_progress_end(&progress);
  result->fabric        = sg_fabric_get();
  result->kernel_rounds = sg_fabric_kernel_rounds();
}

static int say(runner_result_t* result)
{
  sgf_error_t error    = {0};
  sgf_report_t* report = sgf_report_new(result->fabric);
  result->report       = report;
  if (result->options->json)
    runner_print_json(result, stdout, &error);
  else
    runner_print_summary(result, stdout);
  if (fflush(stdout) != 0 || ferror(stdout))
    sgf_error_set(&error, SGF_IO, "the results could not be written");
  if (result->options->json && result->end != SGF_OK)
    runner_print_verdict(result, stderr);
  sgf_report_free(report);
  if (error.status != SGF_OK)
    return runner_fail(&error);
  return result->end == SGF_OK ? RUNNER_COMPLETE : RUNNER_FAILED;
}

int runner_run(const runner_options_t* options)
{
  sgf_error_t error = {0};
  int left           = options->simgrid_argc;
  simgrid_init(&left, options->simgrid_argv);
  if (left > 1) {
    fprintf(stderr, "sgfabric: SimGrid has no option %s\n", options->simgrid_argv[1]);
    return RUNNER_USAGE;
  }
  if (set_up(options, &error) != SGF_OK)
    return runner_fail(&error);

  runner_result_t* result = runner_calloc(1, sizeof *result);
  result->options         = options;
  simulate(result);
  int status = say(result);
  free(result);
  return status;
}
