/* What happened, when the program ends: the tables of the `sgfabric` command, or its JSON object in a file. */
#define _GNU_SOURCE
#include "simgrid/model_seat/model_seat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attr/alloc.h"
#include "report/report.h"

static void write_json(const report_result_t* result, const char* file, sgf_error_t* error)
{
  FILE* out = fopen(file, "w");
  if (out == NULL) {
    sgf_error_set(error, SGF_IO, "%s: %s", file, strerror(errno));
    return;
  }
  report_print_json(result, out, error);
  if (fclose(out) != 0)
    sgf_error_set(error, SGF_IO, "%s: %s", file, strerror(errno));
}

static void say(const report_result_t* result)
{
  sgf_error_t error = {0};
  const char* file  = getenv("SGFABRIC_JSON");
  if (file != NULL)
    write_json(result, file, &error);
  else
    report_print_summary(result, stdout);
  if (file != NULL && result->end != SGF_OK)
    report_print_verdict(result, stderr);
  if (error.status != SGF_OK)
    fprintf(stderr, "sgfabric: %s\n", error.text);
}

__attribute__((constructor)) static void say_that_it_is_here(void)
{
  report_note(REPORT_LOADED);
}

static void close_results(void)
{
  sgf_error_t error = {0};
  if (model_seat.results != NULL &&
      sgf_results_close(model_seat.results, sgf_engine_clock(model_seat.fabric), &error) != SGF_OK)
    fprintf(stderr, "sgfabric: %s\n", error.text);
  model_seat.results = NULL;
}

/* What is under way ends, or else, if the environment says so, stays where it is when SimGrid's clock stands still. */
static void end_traffic(sgf_fabric_t* fabric)
{
  if (getenv("SGFABRIC_NO_DRAIN") == NULL) {
    sgf_engine_drain(fabric);
    return;
  }
  while (sgf_engine_advance(fabric, seat_clock()) == SGF_ENGINE_COMPLETION)
    while (sgf_engine_completed(fabric) != NULL)
      continue;
}

/* The fabric once more, for a replay. */
static sgf_fabric_t* load_again(void* scenario, sgf_error_t* error)
{
  sgf_scenario_t** loaded = scenario;
  *loaded                 = seat_scenario(model_seat.platform, error);
  return *loaded != NULL ? sgf_scenario_fabric(*loaded) : NULL;
}

static void find_victims(report_result_t* result, report_victims_t* victims)
{
  sgf_error_t error     = {0};
  sgf_scenario_t* again = NULL;
  if (!sgf_victims_are_watched(result->fabric) || getenv("SGFABRIC_VICTIMS") == NULL)
    return;
  if (report_victims_find(victims, result->fabric, getenv("SGFABRIC_WITHOUT"), load_again, &again, &error) != SGF_OK)
    fprintf(stderr, "sgfabric: %s\n", error.text);
  sgf_scenario_free(again);
  result->victims = victims;
}

/* Actions may live longer than this: without a fabric they find nothing to forget. */
void seat_finish(void)
{
  if (model_seat.fabric == NULL || getpid() != model_seat.process)
    return;
  sgf_fabric_t* fabric    = model_seat.fabric;
  report_result_t* result = sgf_calloc(1, sizeof *result);
  result->traffic         = program_invocation_short_name;
  result->platform        = model_seat.platform;
  result->seed            = model_seat.seed;
  result->fabric          = fabric;
  result->kernel_rounds   = model_seat.rounds;
  seat_messages_end();
  end_traffic(fabric);
  result->end = sgf_fabric_check_end(fabric, report_note_wait, result, &result->reason);
  close_results();
  result->wall_time_s      = report_wall_clock() - model_seat.started_s;
  sgf_report_t* report     = sgf_report_new(fabric);
  result->report           = report;
  report_victims_t victims = {0};
  find_victims(result, &victims);
  say(result);
  report_victims_release(&victims);
  sgf_report_free(report);
  free(result);
  model_seat.fabric = NULL;
  sgf_scenario_free(model_seat.scenario);
  free(model_seat.platform);
}
