/* The plugin's life: init, platform, finish. */
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <xbt/asserts.h>
#include <xbt/config.h>

#include "attr/alloc.h"
#include "simgrid/compat.h"
#include "simgrid/seat.h"

seat_t seat = {.seed = 1, .started = -1};

/* The run has ended at the engine's date. */
static sgf_status_t close_results(sgf_error_t* error)
{
  sgf_results_t* results = seat.results;
  seat.results           = NULL;
  return results == NULL ? SGF_OK : sgf_results_close(results, sgf_engine_clock(seat.fabric), error);
}

static void release(void)
{
  seat_free_mailboxes();
  close_results(&(sgf_error_t){0}); /* of a run that was not finished */
  free(seat.results_folder);
  free(seat.results_name);
  free(seat.platform);
  sgf_scenario_free(seat.scenario);
  for (size_t i = 0; i < seat.assignment_count; i++) {
    free((char*)seat.assignments[i].text);
    free((char*)seat.assignments[i].file);
  }
  free(seat.assignments);
  seat.scenario         = NULL;
  seat.fabric           = NULL;
  seat.platform         = NULL;
  seat.assignments      = NULL;
  seat.assignment_count = 0;
}

void sg_fabric_plugin_init(void)
{
  xbt_assert(!seat.initialised, "sg_fabric_plugin_init was called twice");
  seat.initialised = true;
  /* SimGrid takes dates that are less than this apart as one: with 1 ps an actor that sleeps until 1 ps after some
   * other date wakes at that date already. */
  sg_cfg_set_double(COMPAT_PRECISION, 1e-15);
  atexit(release);
}

void sg_fabric_set_seed(uint64_t seed)
{
  seat.seed = seed;
}

void sg_fabric_set(const char* assignment)
{
  sg_fabric_set_from(assignment, NULL, 0);
}

void sg_fabric_set_from(const char* assignment, const char* file, int line)
{
  seat.assignments = sgf_realloc(seat.assignments, seat.assignment_count + 1, sizeof *seat.assignments);
  seat.assignments[seat.assignment_count++] =
      (sgf_assignment_t){.text = sgf_strdup(assignment), .file = file != NULL ? sgf_strdup(file) : NULL, .line = line};
}

void sg_fabric_set_pace(sg_fabric_pace_t pace)
{
  seat.pace = pace;
}

void sg_fabric_on_build(sgf_build_cb build, void* user)
{
  seat.build      = build;
  seat.build_user = user;
}

void sg_fabric_set_results(const char* folder, const char* name)
{
  free(seat.results_folder);
  free(seat.results_name);
  seat.results_folder = folder != NULL ? sgf_strdup(folder) : NULL;
  seat.results_name   = folder != NULL ? sgf_strdup(name) : NULL;
}

static sgf_scenario_t* load(const char* file, sgf_error_t* error)
{
  return sgf_scenario_load_with(file, seat.assignments, seat.assignment_count, seat.seed, seat.build, seat.build_user,
                                error);
}

/* The scenario, and the files that its records go to. */
static sgf_status_t load_scenario(const char* file, sgf_error_t* error)
{
  seat.scenario = load(file, error);
  if (seat.scenario == NULL)
    return error->status;
  seat.fabric = sgf_scenario_fabric(seat.scenario);
  if (seat.results_folder == NULL)
    return SGF_OK;
  seat.results = sgf_results_open(seat.fabric, sgf_scenario_record_config(seat.scenario), seat.results_folder,
                                  seat.results_name, error);
  if (seat.results != NULL)
    return SGF_OK;
  sgf_scenario_free(seat.scenario);
  seat.scenario = NULL;
  seat.fabric   = NULL;
  return error->status;
}

sgf_status_t sg_fabric_try_load_platform(const char* file, sgf_error_t* error)
{
  if (!seat.initialised || seat.scenario != NULL)
    return sgf_error_set(error, SGF_STATE, "the platform is loaded once, after sg_fabric_plugin_init");
  const sgf_status_t status = load_scenario(file, error);
  if (status == SGF_OK) {
    seat.platform = sgf_strdup(file);
    simgrid_load_platform(file);
  }
  return status;
}

sgf_scenario_t* sg_fabric_load_again(sgf_error_t* error)
{
  if (seat.platform != NULL)
    return load(seat.platform, error);
  sgf_error_set(error, SGF_STATE, "no platform has been loaded");
  return NULL;
}

void sg_fabric_load_platform(const char* file)
{
  sgf_error_t error = {0};
  if (sg_fabric_try_load_platform(file, &error) == SGF_OK)
    return;
  if (error.line > 0)
    fprintf(stderr, "%s:%d: %s\n", error.file, error.line, error.text);
  else
    fprintf(stderr, "%s: %s\n", error.file[0] != '\0' ? error.file : file, error.text);
  exit(EXIT_FAILURE);
}

sgf_fabric_t* sg_fabric_get(void)
{
  return seat.fabric;
}

uint64_t sg_fabric_kernel_rounds(void)
{
  return seat.rounds;
}

void seat_note_refusal(const sgf_error_t* reason)
{
  if (seat.refused.status == SGF_OK)
    seat.refused = *reason;
}

/* A run that is not complete has its records all the same. */
static sgf_status_t end_run(void (*waits)(void* user, const char* line), void* user, sgf_error_t* error)
{
  const sgf_status_t records = close_results(error);
  const sgf_status_t status  = sgf_fabric_check_end(seat.fabric, waits, user, records == SGF_OK ? error : NULL);
  if (records == SGF_OK && status == SGF_OK && seat.refused.status != SGF_OK)
    return sgf_error_set(error, seat.refused.status, "%s", seat.refused.text);
  return records != SGF_OK ? records : status;
}

sgf_status_t sg_fabric_finish_with(bool drain, void (*waits)(void* user, const char* line), void* user,
                                   sgf_error_t* error)
{
  if (seat.fabric == NULL)
    return sgf_error_set(error, SGF_STATE, "no platform has been loaded");
  while (sgf_engine_advance(seat.fabric, seat_now()) == SGF_ENGINE_COMPLETION)
    while (sgf_engine_completed(seat.fabric) != NULL)
      continue;
  if (drain)
    sgf_engine_drain(seat.fabric);
  return end_run(waits, user, error);
}

sgf_status_t sg_fabric_finish_until(opp_simtime_t limit, void (*waits)(void* user, const char* line), void* user,
                                    sgf_error_t* error)
{
  if (seat.fabric == NULL)
    return sgf_error_set(error, SGF_STATE, "no platform has been loaded");
  if (sgf_engine_drain_until(seat.fabric, limit) == SGF_ENGINE_HORIZON)
    sgf_engine_advance(seat.fabric, limit); /* which sets the clock */
  return end_run(waits, user, error);
}

static void print_wait(void* unused, const char* line)
{
  (void)unused;
  fprintf(stderr, "sgfabric:   %s\n", line);
}

sgf_status_t sg_fabric_finish(void)
{
  sgf_error_t error         = {0};
  const sgf_status_t status = sg_fabric_finish_with(true, print_wait, NULL, &error);
  if (status != SGF_OK)
    fprintf(stderr, "sgfabric: %s\n", error.text);
  return status;
}
