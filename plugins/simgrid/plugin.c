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

static void release(void)
{
  seat_free_mailboxes();
  sgf_scenario_free(seat.scenario);
  for (size_t i = 0; i < seat.assignment_count; i++) {
    free((char*)seat.assignments[i].text);
    free((char*)seat.assignments[i].file);
  }
  free(seat.assignments);
  seat.scenario         = NULL;
  seat.fabric           = NULL;
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

sgf_status_t sg_fabric_try_load_platform(const char* file, sgf_error_t* error)
{
  if (!seat.initialised || seat.scenario != NULL)
    return sgf_error_set(error, SGF_STATE, "the platform is loaded once, after sg_fabric_plugin_init");
  seat.scenario = sgf_scenario_load_with(file, seat.assignments, seat.assignment_count, seat.seed, seat.build,
                                         seat.build_user, error);
  if (seat.scenario == NULL)
    return error->status;
  seat.fabric = sgf_scenario_fabric(seat.scenario);
  simgrid_load_platform(file);
  return SGF_OK;
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
  return sgf_fabric_check_end(seat.fabric, waits, user, error);
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
