/* The engine: advancing and draining. */
#include "fabric/fabric_internal.h"

/* ---- Advancing --------------------------------------------------------------------------------------------------- */

static opp_simtime_t next_post(const sgf_fabric_t* fabric)
{
  return fabric->post_count > 0 ? fabric->posts[0]->date : OPP_TIME_MAX;
}

sgf_engine_state_t sgf_engine_advance(sgf_fabric_t* fabric, opp_simtime_t horizon)
{
  for (;;) {
    if (fabric->completed_first != NULL)
      return SGF_ENGINE_COMPLETION;
    const opp_simtime_t post = next_post(fabric);
    switch (opp_sim_run(fabric->sim, post < horizon ? post : horizon)) {
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
  const opp_simtime_t post  = next_post(fabric);
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

sgf_engine_state_t sgf_engine_drain_until(sgf_fabric_t* fabric, opp_simtime_t limit)
{
  while (fabric->post_count > 0 && fabric->posts[0]->date < limit) {
    if (sgf_engine_advance(fabric, fabric->posts[0]->date + 1) == SGF_ENGINE_ERROR)
      return SGF_ENGINE_ERROR;
    forget_completions(fabric);
  }
  /* Timers may go on for ever, a refresh whose pause nothing can end among them: what counts is frames. */
  const opp_simtime_t patience = opp_sim_clock(fabric->sim) + fabric->stall_period;
  while (fabric->outstanding > fabric->given_up ||
         (fabric->sim->packets.in_use > 0 && opp_sim_clock(fabric->sim) < patience)) {
    const opp_simtime_t next = opp_sim_next_event_time(fabric->sim);
    if (next == OPP_TIME_MAX)
      break;
    if (next > limit)
      return SGF_ENGINE_HORIZON;
    if (opp_sim_run(fabric->sim, next) == OPP_RUN_ERROR)
      return SGF_ENGINE_ERROR;
    forget_completions(fabric);
  }
  return SGF_ENGINE_IDLE;
}
