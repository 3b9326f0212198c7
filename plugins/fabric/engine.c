/* The engine: advancing, its clocks, and draining. */
#include <stdlib.h>

#include <sgfabric/stats.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

/* ---- Clocks ------------------------------------------------------------------------------------------------------ */

struct fabric_clock {
  opp_simtime_t next;
  sgf_tick_cb tick;
  void* user;
};

/* There are a few at most: one for each interval that records are written at. */
static void find_next_tick(sgf_fabric_t* fabric)
{
  fabric->next_tick = OPP_TIME_MAX;
  for (size_t i = 0; i < fabric->clock_count; i++)
    if (fabric->clocks[i].next < fabric->next_tick)
      fabric->next_tick = fabric->clocks[i].next;
}

void sgf_fabric_add_clock(sgf_fabric_t* fabric, opp_simtime_t first, sgf_tick_cb tick, void* user)
{
  fabric->clocks                        = sgf_realloc(fabric->clocks, fabric->clock_count + 1, sizeof *fabric->clocks);
  fabric->clocks[fabric->clock_count++] = (fabric_clock_t){first, tick, user};
  find_next_tick(fabric);
}

void sgf_fabric_remove_clock(sgf_fabric_t* fabric, sgf_tick_cb tick, void* user)
{
  size_t kept = 0;
  for (size_t i = 0; i < fabric->clock_count; i++)
    if (fabric->clocks[i].tick != tick || fabric->clocks[i].user != user)
      fabric->clocks[kept++] = fabric->clocks[i];
  fabric->clock_count = kept;
  find_next_tick(fabric);
}

/* Every event up to the next tick has been executed: call those who wait for it, in the order in which they came. */
static void tick(sgf_fabric_t* fabric)
{
  const opp_simtime_t now = fabric->next_tick;
  for (size_t i = 0; i < fabric->clock_count; i++) {
    fabric_clock_t* clock = &fabric->clocks[i];
    if (clock->next == now)
      clock->next = clock->tick(clock->user, now);
  }
  find_next_tick(fabric);
}

/* ---- Advancing --------------------------------------------------------------------------------------------------- */

static opp_simtime_t earlier(opp_simtime_t a, opp_simtime_t b)
{
  return a < b ? a : b;
}

/* Execute what there is up to a date, or until a model stops the engine, with the ticks on the way. No tick comes after
 * the last event; the clock stays at that, or at a tick. */
static opp_run_status_t run_events(sgf_fabric_t* fabric, opp_simtime_t date)
{
  for (;;) {
    const opp_simtime_t stop      = earlier(fabric->next_tick, date);
    const opp_run_status_t status = opp_sim_run_events(fabric->sim, stop);
    if (status != OPP_RUN_LIMIT || stop != fabric->next_tick)
      return status;
    opp_sim_run(fabric->sim, stop); /* which sets the clock */
    tick(fabric);
  }
}

/* Run to a date, with all ticks up to it, whatever there is to execute; without a date (OPP_TIME_MAX) the last event
 * ends the run. */
static opp_run_status_t run_to(sgf_fabric_t* fabric, opp_simtime_t date)
{
  for (;;) {
    const opp_run_status_t status = run_events(fabric, date);
    if (status == OPP_RUN_ERROR || status == OPP_RUN_ENDED || date == OPP_TIME_MAX)
      return status;
    opp_sim_run(fabric->sim, earlier(fabric->next_tick, date));
    if (fabric->next_tick > date)
      return status;
    tick(fabric);
  }
}

sgf_engine_state_t sgf_engine_advance(sgf_fabric_t* fabric, opp_simtime_t horizon)
{
  for (;;) {
    if (fabric->completed_first != NULL)
      return SGF_ENGINE_COMPLETION;
    const opp_simtime_t post = fabric_next_post(fabric);
    switch (run_to(fabric, earlier(post, horizon))) {
      case OPP_RUN_ERROR:
        return SGF_ENGINE_ERROR;
      case OPP_RUN_ENDED:
        break;
      case OPP_RUN_LIMIT:
      case OPP_RUN_IDLE:
        if (post < horizon) /* the engine passes the instant of the posts */
          fabric_apply_posts(fabric, post);
        else
          return sgf_engine_next_event(fabric) == OPP_TIME_MAX ? SGF_ENGINE_IDLE : SGF_ENGINE_HORIZON;
    }
  }
}

opp_simtime_t sgf_engine_clock(const sgf_fabric_t* fabric)
{
  return opp_sim_clock(fabric->sim);
}

opp_simtime_t sgf_engine_next_event(sgf_fabric_t* fabric)
{
  const opp_simtime_t event = opp_sim_next_event_time(fabric->sim);
  const opp_simtime_t post  = fabric_next_post(fabric);
  return event < post ? event : post;
}

const sgf_error_t* sgf_fabric_error(const sgf_fabric_t* fabric)
{
  return opp_sim_error(fabric->sim);
}

/* ---- Draining ---------------------------------------------------------------------------------------------------- */

static void forget_completions(sgf_fabric_t* fabric)
{
  while (sgf_engine_completed(fabric) != NULL)
    continue;
}

sgf_engine_state_t sgf_engine_drain(sgf_fabric_t* fabric)
{
  return sgf_engine_drain_until(fabric, OPP_TIME_MAX);
}

static sgf_engine_state_t drain_posts(sgf_fabric_t* fabric, opp_simtime_t limit)
{
  while (fabric->post_count > 0 && fabric->posts[0]->date < limit) {
    if (sgf_engine_advance(fabric, fabric->posts[0]->date + 1) == SGF_ENGINE_ERROR)
      return SGF_ENGINE_ERROR;
    forget_completions(fabric);
  }
  return SGF_ENGINE_IDLE;
}

/* Until every write is complete or given up, which stops the engine. */
static sgf_engine_state_t drain_writes(sgf_fabric_t* fabric, opp_simtime_t limit)
{
  opp_run_status_t status = OPP_RUN_ENDED;
  fabric->draining        = true;
  while (status == OPP_RUN_ENDED && fabric->outstanding > fabric->given_up) {
    status = run_events(fabric, limit);
    forget_completions(fabric);
  }
  fabric->draining = false;
  if (status == OPP_RUN_ERROR)
    return SGF_ENGINE_ERROR;
  return status == OPP_RUN_LIMIT ? SGF_ENGINE_HORIZON : SGF_ENGINE_IDLE;
}

/* Until no frame is left. Timers may go on for ever, a refresh whose pause nothing can end among them, so that this is
 * done instant by instant, and not beyond `patience`. */
static sgf_engine_state_t drain_frames(sgf_fabric_t* fabric, opp_simtime_t limit, opp_simtime_t patience)
{
  while (fabric->sim->packets.in_use > 0 && opp_sim_clock(fabric->sim) < patience) {
    const opp_simtime_t next = opp_sim_next_event_time(fabric->sim);
    if (next == OPP_TIME_MAX)
      break;
    if (next > limit)
      return SGF_ENGINE_HORIZON;
    if (run_events(fabric, next) == OPP_RUN_ERROR)
      return SGF_ENGINE_ERROR;
    forget_completions(fabric);
  }
  return SGF_ENGINE_IDLE;
}

sgf_engine_state_t sgf_engine_drain_until(sgf_fabric_t* fabric, opp_simtime_t limit)
{
  sgf_engine_state_t state = drain_posts(fabric, limit);
  /* How long frames are waited for once all writes are over is how long a stall takes. */
  const opp_simtime_t patience = opp_sim_clock(fabric->sim) + fabric->stall_period;
  if (state == SGF_ENGINE_IDLE)
    state = drain_writes(fabric, limit);
  return state == SGF_ENGINE_IDLE ? drain_frames(fabric, limit, patience) : state;
}
