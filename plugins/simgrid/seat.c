/* The actor seat: one daemon actor advances the engine, which is never ahead of SimGrid's clock (design.md).
 *
 * The actor sleeps until a bound of the next awaited completion, catches up in one batch, wakes the waiters and sleeps
 * again. A second daemon, the guard, waits on another host for its end: an actor that ends with its host can do nothing
 * itself any more. */
#include "simgrid/seat.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <xbt/log.h>
#include <xbt/sysdep.h>

XBT_LOG_NEW_DEFAULT_CATEGORY(sgfabric, "sgfabric: a packet-level fabric");

static const double picoseconds = 1e-12; /* in seconds */
#define AWAKE INT64_MIN

opp_simtime_t seat_now(void)
{
  return llround(simgrid_get_clock() / picoseconds);
}

/* ---- Two daemons ------------------------------------------------------------------------------------------------- */

static void fabric_actor(int argc, char* argv[]);
static void guard_actor(int argc, char* argv[]);

/* The first host that is on, if possible not `other`; NULL: all are off. */
static sg_host_t home_beside(sg_host_t other)
{
  sg_host_t* hosts   = sg_host_list();
  const size_t count = sg_host_count();
  sg_host_t home     = NULL;
  for (size_t i = 0; i < count && (home == NULL || home == other); i++)
    if (sg_host_is_on(hosts[i]))
      home = hosts[i];
  xbt_free(hosts);
  return home;
}

/* Whoever misses one of the two starts it; of several that were started, those that find another running end at once.
 */
static sg_actor_t start_fabric(sg_host_t other)
{
  const sg_host_t home = home_beside(other);
  return home == NULL ? NULL : sg_actor_create("sgfabric", home, fabric_actor, 0, NULL);
}

static void start_guard(void)
{
  const sg_host_t here = sg_host_self();
  const sg_host_t home = home_beside(here);
  if (home != here)
    sg_actor_create("sgfabric-guard", home, guard_actor, 0, NULL);
}

/* Neither of the two runs: the first call, or both their hosts have failed. The main program, which may look at
 * operations between two runs, is no actor and needs none. */
static void start_seat(void)
{
  if (sg_actor_self_get_pid() <= 0 || seat.started == seat_now())
    return;
  if (seat.wake == NULL)
    seat.wake = sg_sem_init(0);
  seat.wake_at = AWAKE;
  seat.started = seat_now();
  start_fabric(NULL);
}

/* ---- Catching up ------------------------------------------------------------------------------------------------- */

static void wake_actor(void)
{
  seat.wake_at = AWAKE;
  sg_sem_release(seat.wake);
}

/* The engine has stopped for good. A deadlock is a result, not a fault of a model: every actor ends, and whoever ends
 * the run is told by sg_fabric_finish. */
static void end_run(void)
{
  const sgf_error_t* error = sgf_fabric_error(seat.fabric);
  if (error->status != SGF_DEADLOCK)
    xbt_die("sgfabric: %s", error->text);
  if (sg_actor_self_get_pid() <= 0)
    return;
  sg_actor_kill_all();
  sg_actor_exit();
}

void seat_catch_up(void)
{
  for (bool more = true; more;)
    switch (sgf_engine_advance(seat.fabric, seat_now())) {
      case SGF_ENGINE_COMPLETION:
        for (sgf_op_t* op; (op = sgf_engine_completed(seat.fabric)) != NULL;)
          seat_finish(op);
        break;
      case SGF_ENGINE_ERROR:
        end_run();
        return;
      case SGF_ENGINE_HORIZON:
      case SGF_ENGINE_IDLE:
        more = false;
        break;
    }
  if (seat.actor == NULL && seat.guard == NULL)
    start_seat();
  if (seat.finished_first != NULL && seat.wake_at > seat_now())
    wake_actor();
}

/* ---- The fabric's actor ------------------------------------------------------------------------------------------ */

/* When the actor has to wake next. */
static opp_simtime_t wake_date(void)
{
  if (seat.pace == SG_FABRIC_LAZY)
    return sgf_engine_bound(seat.fabric);
  const opp_simtime_t event = sgf_engine_next_event(seat.fabric);
  return event > seat_now() ? event : seat_now() + 1; /* posts at this instant are applied when it has passed */
}

static void sleep_until(opp_simtime_t date)
{
  seat.wake_at = date;
  if (date == OPP_TIME_MAX)
    sg_sem_acquire(seat.wake);
  else
    sg_sem_acquire_timeout(seat.wake, (double)date * picoseconds - simgrid_get_clock());
  seat.wake_at = AWAKE;
  seat.rounds++;
}

static void fabric_ended(int failed, void* actor)
{
  (void)failed;
  if (seat.actor != actor)
    return;
  seat.actor   = NULL;
  seat.started = -1;
  seat.wake_at = AWAKE;
}

static void guard_ended(int failed, void* actor)
{
  (void)failed;
  if (seat.guard == actor)
    seat.guard = NULL;
}

static void fabric_actor(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  const sg_actor_t self = sg_actor_self();
  sg_actor_daemonize(self);
  sg_actor_on_exit(fabric_ended, self);
  if (seat.actor != NULL)
    return;
  seat.actor = self;
  for (;;) {
    if (seat.guard == NULL)
      start_guard();
    seat_catch_up();
    seat_wake_finished();
    sleep_until(wake_date());
  }
}

static void forget_actor(const sg_actor_t* actor)
{
  sg_actor_unref(*actor);
}

static void wait_for_end(sg_actor_t actor)
{
  __attribute__((cleanup(forget_actor))) const sg_actor_t joined = actor;
  sg_actor_ref(joined);
  sg_actor_join(joined, -1.0);
}

static void guard_actor(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  const sg_actor_t self = sg_actor_self();
  sg_actor_daemonize(self);
  sg_actor_on_exit(guard_ended, self);
  if (seat.guard != NULL)
    return;
  seat.guard = self;
  for (;;)
    wait_for_end(seat.actor != NULL ? seat.actor : start_fabric(sg_host_self()));
}

/* ---- Posts ------------------------------------------------------------------------------------------------------- */

void seat_notice(const sgf_op_t* op)
{
  if (seat.wake_at == AWAKE)
    return;
  const opp_simtime_t date =
      seat.pace == SG_FABRIC_LAZY ? sgf_engine_bound_with(seat.fabric, op, seat.wake_at) : wake_date();
  if (date < seat.wake_at)
    wake_actor();
}

void seat_reconsider(void)
{
  if (seat.wake_at != AWAKE)
    wake_actor();
}
