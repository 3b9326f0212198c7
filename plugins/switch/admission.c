/* What becomes of a frame that arrives (spec/switch.md 5.3 to 5.6). */
#include "switch/path.h"

void switch_drop(switch_state_t* state, opp_msg_t* msg, switch_drop_t cause, unsigned at)
{
  switch_port_t* port = &state->ports[at];
  state->drops[cause]++;
  port->drops[cause][net_frame(msg)->tc]++;
  ++*(switch_drop_is_on_arrival(cause) ? &port->rx_drops : &port->tx_drops);
  opp_msg_delete(msg);
}

/* A frame has passed Xoff. */
__attribute__((cold)) static void decide_pause(switch_state_t* state, unsigned in, unsigned pool)
{
  if (state->observer != NULL)
    pfc_episode_begin(state->observer->episodes, in, pool, opp_now(state->self), 0);
  switch_pause_peer(state, in, pool);
}

/* A frame has come to a paused port. */
static inline void note_arrival(const switch_state_t* state, unsigned in, unsigned pool, const net_frame_t* frame)
{
  if (state->observer != NULL)
    pfc_episode_arrival(state->observer->episodes, in, pool, opp_now(state->self), frame->charge,
                        sgf_sb_headroom(state->buffer, in, pool));
}

/* Ingress admission. False: the frame was dropped. */
static bool admit(switch_state_t* state, unsigned in, opp_msg_t* msg, net_frame_t* frame)
{
  const unsigned pool = sgf_sb_pool_of(state->buffer, frame->tc);
  switch (sgf_sb_arrive(state->buffer, in, frame->tc, frame->charge)) {
    case SGF_SB_TO_POOL:
      return true;
    case SGF_SB_TO_HEADROOM:
      note_arrival(state, in, pool, frame);
      return true;
    case SGF_SB_TO_POOL_PAUSE:
      decide_pause(state, in, pool);
      return true;
    case SGF_SB_DROP_POOL_PAUSE: /* the pause was sent before the pool was looked at (O-08) */
      decide_pause(state, in, pool);
      switch_drop(state, msg, SWITCH_DROP_INGRESS_POOL, in);
      return false;
    case SGF_SB_DROP_POOL:
      switch_drop(state, msg, SWITCH_DROP_INGRESS_POOL, in);
      return false;
    case SGF_SB_DROP_HEADROOM:
    default:
      note_arrival(state, in, pool, frame);
      switch_drop(state, msg, SWITCH_DROP_HEADROOM, in);
      return false;
  }
}

void switch_release(switch_state_t* state, unsigned in, const net_frame_t* frame)
{
  if (sgf_sb_discard(state->buffer, in, frame->tc, frame->charge))
    switch_resume_peer(state, in, sgf_sb_pool_of(state->buffer, frame->tc));
}

/* Egress admission has refused a frame. Trimmed, it may be admitted yet; otherwise nothing of it stays charged. */
__attribute__((cold)) static sgf_sb_queueing_t refused(switch_state_t* state, unsigned in, unsigned out, opp_msg_t* msg,
                                                       sgf_sb_queueing_t verdict)
{
  if (!switch_may_trim(state, net_frame(msg))) {
    switch_release(state, in, net_frame(msg));
    return verdict;
  }
  verdict = switch_trim(state, out, msg);
  state->ports[out].trimmed += verdict == SGF_SB_QUEUED;
  return verdict;
}

/* Step 5 of 5.6; the bytes are charged already. */
static void enqueue(switch_state_t* state, switch_choice_t choice, opp_msg_t* msg, net_frame_t* frame)
{
  const unsigned out  = choice.port;
  const unsigned pool = sgf_sb_pool_of(state->buffer, frame->tc);
  switch_ecn_admitted(state->ecn, out, pool, sgf_sb_egress_queue(state->buffer, out, pool));
  if (choice.group != SWITCH_NO_GROUP)
    switch_balance_admitted(state->balance, choice, frame->charge, opp_now(state->self));
  if (state->observer != NULL)
    state->observer->queued(state->observer->user, out, frame);
  net_port_queue(&state->ports[out].out, msg, frame->tc);
}

static void forward(switch_state_t* state, unsigned in, opp_msg_t* msg, net_frame_t* frame)
{
  const uint32_t host = frame->dst - state->first_host;
  switch_set_t* set   = &state->sets[host < state->host_count ? state->set_of_host[host] : 0];
  if (set->count == 0) {
    switch_release(state, in, frame);
    switch_drop(state, msg, SWITCH_DROP_NO_ROUTE, in);
    return;
  }
  const switch_choice_t choice = switch_choose(state, set, frame);
  if (state->storms != 0 && switch_storm_discards(state, in, choice.port, msg))
    return;
  sgf_sb_queueing_t verdict =
      sgf_sb_queue(state->buffer, choice.port, frame->tc, frame->charge, switch_limit(&state->classes, frame));
  if (verdict != SGF_SB_QUEUED)
    verdict = refused(state, in, choice.port, msg, verdict);
  if (verdict == SGF_SB_QUEUED)
    enqueue(state, choice, msg, frame);
  else
    switch_drop(state, msg, verdict == SGF_SB_DROP_QUEUE_LIMIT ? SWITCH_DROP_EGRESS_QUEUE : SWITCH_DROP_EGRESS_POOL,
                choice.port);
}

void switch_arrive(switch_state_t* state, unsigned in, opp_msg_t* msg)
{
  net_frame_t* frame = net_frame(msg);
  state->received[in].frames++;
  state->received[in].bytes += msg->bytes;
  if (frame->type == NET_FRAME_PFC) {
    switch_receive_pfc(state, in, msg);
    return;
  }
  net_frame_tag(frame, switch_class(&state->classes, frame), sgf_sb_charge(net_ip_bytes(msg)));
  frame->in_port = (uint16_t)in;
  if (state->storms != 0 && switch_storm_takes(state, in, msg))
    return;
  if (admit(state, in, msg, frame))
    forward(state, in, msg, frame);
}
