/* The actor seat: one daemon actor advances the engine, which is never ahead of SimGrid's clock (design.md).
 *
 * The actor sleeps until a bound of the next awaited completion, catches up in one batch, releases the waiters and sleeps again. */
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

void seat_catch_up(void)
{
  for (;;) {
    switch (sgf_engine_advance(seat.fabric, seat_now())) {
      case SGF_ENGINE_COMPLETION:
        for (sgf_op_t* op; (op = sgf_engine_completed(seat.fabric)) != NULL;)
          seat_release_waiters(op);
        break;
      case SGF_ENGINE_ERROR:
        xbt_die("sgfabric: %s", sgf_fabric_error(seat.fabric)->text);
      case SGF_ENGINE_HORIZON:
      case SGF_ENGINE_IDLE:
        return;
    }
  }
}

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

static void fabric_actor(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sg_actor_daemonize(sg_actor_self());
  for (;;) {
    seat_catch_up();
    sleep_until(wake_date());
  }
}

/* The host of the fabric's actor failed: go on from another one. The engine is not the actor's and loses nothing. */
static void start_again(int failed, void* unused)
{
  (void)unused;
  if (failed && !seat.ended)
    seat_start();
}

void seat_start(void)
{
  sg_host_t* hosts   = sg_host_list();
  const size_t count = sg_host_count();
  sg_host_t home     = NULL;
  for (size_t i = 0; i < count && home == NULL; i++)
    if (sg_host_is_on(hosts[i]))
      home = hosts[i];
  xbt_free(hosts);
  if (home == NULL)
    return;
  seat.started = true;
  seat.wake_at = AWAKE;
  seat.wake    = sg_sem_init(0);
  sg_actor_t actor = sg_actor_init("sgfabric", home);
  (void)start_again;
  sg_actor_start(actor, fabric_actor, 0, NULL);
}

void seat_notice(const sgf_op_t* op)
{
  if (seat.wake_at == AWAKE)
    return;
  const opp_simtime_t date = seat.pace == SG_FABRIC_LAZY ? sgf_engine_bound_with(seat.fabric, op, seat.wake_at) : wake_date();
  if (date < seat.wake_at) {
    seat.wake_at = AWAKE;
    sg_sem_release(seat.wake);
  }
}
