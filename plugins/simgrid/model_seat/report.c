/* What happened, when the program ends: the tables of the `sgfabric` command, or its JSON object in a file. */
#define _GNU_SOURCE
#include "simgrid/model_seat/model_seat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attr/alloc.h"
#include "runner/runner_internal.h"

static void note_wait(void* user, const char* line)
{
  runner_result_t* result = user;
  if (result->wait_count < RUNNER_MAX_WAITS)
    snprintf(result->waits[result->wait_count], sizeof *result->waits, "%s", line);
  result->wait_count++;
}

static void write_json(const runner_result_t* result, const char* file, sgf_error_t* error)
{
  FILE* out = fopen(file, "w");
  if (out == NULL) {
    sgf_error_set(error, SGF_IO, "%s: %s", file, strerror(errno));
    return;
  }
  runner_print_json(result, out, error);
  if (fclose(out) != 0)
    sgf_error_set(error, SGF_IO, "%s: %s", file, strerror(errno));
}

static void say(const runner_result_t* result)
{
  sgf_error_t error = {0};
  const char* file  = getenv("SGFABRIC_JSON");
  if (file != NULL)
    write_json(result, file, &error);
  else
    runner_print_summary(result, stdout);
  if (file != NULL && result->end != SGF_OK)
    runner_print_verdict(result, stderr);
  if (error.status != SGF_OK)
    fprintf(stderr, "sgfabric: %s\n", error.text);
}

/* Actions may live longer than this: without a fabric they find nothing to forget. */
void seat_finish(void)
{
  if (model_seat.fabric == NULL || getpid() != model_seat.process)
    return;
  sgf_fabric_t* fabric = model_seat.fabric;
  runner_job_t job     = {
          .seed = model_seat.seed, .deployment = program_invocation_short_name, .platform = model_seat.platform};
  runner_result_t* result = sgf_calloc(1, sizeof *result);
  result->job             = &job;
  result->fabric          = fabric;
  result->kernel_rounds   = model_seat.rounds;
  seat_messages_end();
  sgf_engine_drain(fabric);
  result->end          = sgf_fabric_check_end(fabric, note_wait, result, &result->reason);
  result->wall_time_s  = runner_wall_clock() - model_seat.started_s;
  sgf_report_t* report = sgf_report_new(fabric);
  result->report       = report;
  say(result);
  sgf_report_free(report);
  free(result);
  model_seat.fabric = NULL;
  sgf_scenario_free(model_seat.scenario);
  free(model_seat.platform);
}
