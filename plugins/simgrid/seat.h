/* simgrid, inside: the plugin's one instance and the actor seat. */
#ifndef SIMGRID_SEAT_H
#define SIMGRID_SEAT_H

#include <sgfabric/scenario.h>
#include <sgfabric/simgrid.h>
#include <simgrid/actor.h>
#include <simgrid/semaphore.h>

/* The actors that wait for one operation. Stays while anyone waits, and while it is among the finished. */
typedef struct seat_wait {
  sg_sem_t sem;
  unsigned waiters;
  unsigned owed; /* of a completed operation: waiters to wake still */
  bool finished; /* in the list of the finished */
  struct seat_wait* next;
} seat_wait_t;

/* The plugin's one instance. */
typedef struct seat {
  bool initialised;
  uint64_t seed;
  sgf_assignment_t* assignments; /* strings of their own */
  size_t assignment_count;
  sg_fabric_pace_t pace;
  sgf_scenario_t* scenario;
  sgf_fabric_t* fabric;
  sg_actor_t actor; /* the fabric's; NULL: none is running */
  sg_actor_t
      guard; /* on another host: starts the fabric's actor again if that one's host fails; NULL: none is running */
  opp_simtime_t started; /* when an actor's call started it last; -1: not since it ended */
  sg_sem_t wake;         /* what the fabric's actor waits on */
  opp_simtime_t wake_at; /* when it will wake by itself; INT64_MIN: it is awake, or has been woken */
  uint64_t rounds;
  seat_wait_t*
      finished_first; /* completed operations whose waiters the fabric's actor has to wake, in order of completion */
  seat_wait_t* finished_last;
} seat_t;

extern seat_t seat;

/* SimGrid's clock, exactly. */
opp_simtime_t seat_now(void);

/* Let the engine catch up with SimGrid's clock. Any actor may call it; the fabric's actor then wakes whoever waits for
 * what has completed, at the same instant. The first call starts that actor: a process that never gets so far leaves
 * SimGrid without actors, and exits without its complaints. */
void seat_catch_up(void);

/* An operation was posted or awaited: wake the fabric's actor if it would wake too late. */
void seat_notice(const sgf_op_t* op);

/* An operation that was awaited has completed: list those who wait for it as finished (calls.c). */
void seat_finish(sgf_op_t* op);

/* Wake those who wait for the finished operations; only the fabric's actor does so (calls.c). */
void seat_wake_finished(void);

#endif
