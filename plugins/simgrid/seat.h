/* simgrid, inside: the plugin's one instance and the actor seat. */
#ifndef SIMGRID_SEAT_H
#define SIMGRID_SEAT_H

#include <sgfabric/scenario.h>
#include <sgfabric/simgrid.h>
#include <simgrid/semaphore.h>

/* The plugin's one instance. */
typedef struct seat {
  bool initialised;
  uint64_t seed;
  char** assignments;
  size_t assignment_count;
  sg_fabric_pace_t pace;
  sgf_scenario_t* scenario;
  sgf_fabric_t* fabric;
  sg_sem_t wake;         /* what the fabric's actor waits on */
  opp_simtime_t wake_at; /* when it will wake by itself; INT64_MIN: it is awake, or has been woken */
  uint64_t rounds;
  bool started;          /* the fabric's actor exists: from the first call of an actor on */
  bool ended;            /* the simulation is over: no actor to wake */
} seat_t;

extern seat_t seat;

/* SimGrid's clock, exactly. */
opp_simtime_t seat_now(void);

/* Start the fabric's actor on a host that is on. The first call of an actor does: a process that never gets so far leaves SimGrid
 * without actors, and exits without its complaints. */
void seat_start(void);

/* Let the engine catch up with SimGrid's clock and release whoever waits for what has completed. Any actor may call it. */
void seat_catch_up(void);

/* An operation was posted or awaited: wake the fabric's actor if it would wake too late. */
void seat_notice(const sgf_op_t* op);

/* An operation that was awaited has completed (calls.c). */
void seat_release_waiters(sgf_op_t* op);

#endif
