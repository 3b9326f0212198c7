/* The packet path of a switch (spec/switch.md 5) and its pauses (6). */
#include "switch/switch.h"

#include <stdlib.h>

#include "attr/alloc.h"

/* Timers of a switch; their `bytes` field says which port, and for a refresh which pool. */
enum { TIMER_SERIALISED, TIMER_HOLD_ENDS, TIMER_REFRESH };

/* Random streams of a switch (O-14). */
enum { SWITCH_RNG_ECN };

/* ---- Pauses (6) -------------------------------------------------------------------------------------------------- */

/* One frame for each lossless class of the pool (6.1, O-13). */
static void send_to_group(switch_state_t* state, switch_port_t* port, unsigned pool, uint16_t quanta)
{
  const uint8_t group = sgf_sb_group(state->buffer, pool);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (group >> tc & 1)
      pfc_send(&port->pfc, tc, quanta);
}

static void pause_peer(switch_state_t* state, switch_port_t* port, unsigned pool)
{
  send_to_group(state, port, pool, PFC_MAX_QUANTA);
  pfc_refresh_start(&port->refresh[pool], state->self);
}

static void resume_peer(switch_state_t* state, switch_port_t* port, unsigned pool)
{
  pfc_refresh_stop(&port->refresh[pool], state->self);
  send_to_group(state, port, pool, 0);
}

/* ---- Arrival (5.4 to 5.6) ---------------------------------------------------------------------------------------- */

static void drop(switch_state_t* state, opp_msg_t* msg, switch_drop_t cause, uint64_t* port_counter)
{
  state->drops[cause]++;
  ++*port_counter;
  opp_msg_delete(msg);
}

/* Ingress admission. False: the frame was dropped. */
static bool admit(switch_state_t* state, unsigned in, opp_msg_t* msg, net_frame_t* frame)
{
  switch_port_t* port = &state->ports[in];
  const unsigned pool = sgf_sb_pool_of(state->buffer, frame->tc);
  switch (sgf_sb_arrive(state->buffer, in, frame->tc, frame->charge)) {
    case SGF_SB_TO_POOL:
    case SGF_SB_TO_HEADROOM:
      return true;
    case SGF_SB_TO_POOL_PAUSE:
      pause_peer(state, port, pool);
      return true;
    case SGF_SB_DROP_POOL_PAUSE: /* the pause was sent before the pool was looked at (O-08) */
      pause_peer(state, port, pool);
      drop(state, msg, SWITCH_DROP_INGRESS_POOL, &port->rx_drops);
      return false;
    case SGF_SB_DROP_POOL:
      drop(state, msg, SWITCH_DROP_INGRESS_POOL, &port->rx_drops);
      return false;
    case SGF_SB_DROP_HEADROOM:
    default:
      drop(state, msg, SWITCH_DROP_HEADROOM, &port->rx_drops);
      return false;
  }
}

static void forward(switch_state_t* state, unsigned in, opp_msg_t* msg, net_frame_t* frame)
{
  const uint32_t host     = frame->dst - state->first_host;
  const switch_set_t* set = &state->sets[host < state->host_count ? state->set_of_host[host] : 0];
  if (set->count == 0) {
    if (sgf_sb_discard(state->buffer, in, frame->tc, frame->charge))
      resume_peer(state, &state->ports[in], sgf_sb_pool_of(state->buffer, frame->tc));
    drop(state, msg, SWITCH_DROP_NO_ROUTE, &state->ports[in].rx_drops);
    return;
  }
  const unsigned out  = switch_member(state, set, frame);
  const unsigned pool = sgf_sb_pool_of(state->buffer, frame->tc);
  switch (sgf_sb_queue(state->buffer, in, out, frame->tc, frame->charge)) {
    case SGF_SB_QUEUED:
      switch_ecn_admitted(state->ecn, out, pool, sgf_sb_egress_queue(state->buffer, out, pool));
      net_port_queue(&state->ports[out].out, msg, frame->tc);
      break;
    case SGF_SB_DROP_QUEUE_LIMIT:
      drop(state, msg, SWITCH_DROP_EGRESS_QUEUE, &state->ports[out].tx_drops);
      break;
    case SGF_SB_DROP_EGRESS_POOL:
      drop(state, msg, SWITCH_DROP_EGRESS_POOL, &state->ports[out].tx_drops);
      break;
  }
}

static void arrive(switch_state_t* state, unsigned in, opp_msg_t* msg)
{
  net_frame_t* frame = net_frame(msg);
  if (frame->type == NET_FRAME_PFC) {
    pfc_receive(&state->ports[in].peer, msg);
    return;
  }
  frame->tc      = (uint8_t)switch_class(frame);
  frame->charge  = (uint32_t)sgf_sb_charge(net_ip_bytes(msg));
  frame->in_port = (uint16_t)in;
  if (admit(state, in, msg, frame))
    forward(state, in, msg, frame);
}

/* ---- Start of transmission (7.3) --------------------------------------------------------------------------------- */

static void decide_mark(opp_module_t* self, uint32_t number, opp_msg_t* msg)
{
  switch_state_t* state = switch_state(self);
  const unsigned port   = number / SGF_SB_POOLS;
  net_frame_t* frame    = net_frame(msg);
  if (frame->ecn != NET_ECN_ECT0 && frame->ecn != NET_ECN_ECT1)
    return;
  if (switch_ecn_marks(state->ecn, port, sgf_sb_pool_of(state->buffer, frame->tc), opp_rng(self, SWITCH_RNG_ECN))) {
    frame->ecn = NET_ECN_CE;
    state->ports[port].marked[frame->tc]++;
  }
}

/* ---- End of serialisation (5.10) --------------------------------------------------------------------------------- */

static void depart(switch_state_t* state, unsigned out)
{
  switch_port_t* port         = &state->ports[out];
  const net_departure_t frame = port->out.departure;
  net_port_end(&port->out);
  if (frame.type != NET_FRAME_PFC && sgf_sb_depart(state->buffer, frame.in_port, out, frame.tc, frame.charge))
    resume_peer(state, &state->ports[frame.in_port], sgf_sb_pool_of(state->buffer, frame.tc));
  net_port_start(&port->out);
}

/* ---- Module ------------------------------------------------------------------------------------------------------ */

static void handle_message(opp_module_t* self, opp_msg_t* msg)
{
  switch_state_t* state = switch_state(self);
  if (msg->gate != 0) {
    arrive(state, msg->gate - 1U, msg); /* the input gates come first, in order of port */
    return;
  }
  const unsigned port = msg->bytes / SGF_SB_POOLS;
  const unsigned pool = msg->bytes % SGF_SB_POOLS;
  switch (msg->kind) {
    case TIMER_SERIALISED:
      depart(state, port);
      break;
    case TIMER_HOLD_ENDS:
      pfc_receiver_expire(&state->ports[port].peer);
      break;
    case TIMER_REFRESH:
      pause_peer(state, &state->ports[port], pool);
      break;
    default:
      opp_error(self, "a switch has no timer of kind %d", msg->kind);
  }
}

static void setup_port(switch_state_t* state, unsigned i)
{
  switch_port_t* port = &state->ports[i];
  opp_module_t* self  = state->self;
  net_port_init(&port->out, self, opp_gate(self, "port$o", (int)i), TIMER_SERIALISED, i * SGF_SB_POOLS);
  if (switch_ecn_enabled(state->ecn))
    port->out.starting = decide_mark;
  pfc_receiver_init(&port->peer, &port->out, TIMER_HOLD_ENDS, i * SGF_SB_POOLS);
  port->pfc.port                 = &port->out;
  const opp_simtime_t pause_time = pfc_pause_time(PFC_MAX_QUANTA, net_port_bps(&port->out), net_port_delay(&port->out));
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    if (sgf_sb_group(state->buffer, pool) != 0)
      pfc_refresh_init(&port->refresh[pool], self, TIMER_REFRESH, i * SGF_SB_POOLS + pool, pause_time);
}

sgf_status_t switch_setup(opp_module_t* module, const switch_block_t* config, uint32_t node_id, uint32_t first_host,
                          uint32_t host_count, sgf_error_t* error)
{
  switch_state_t* state = switch_state(module);
  state->self           = module;
  state->port_count     = (unsigned)opp_gate_size(module, "port$o");
  state->buffer         = sgf_sb_new(&config->buffer, state->port_count, error);
  if (state->buffer == NULL)
    return error->status;
  state->ecn = switch_ecn_new(&config->ecn, state->buffer, state->port_count, error);
  if (state->ecn == NULL)
    return error->status;
  state->salt        = net_hash_salt(node_id);
  state->first_host  = first_host;
  state->host_count  = host_count;
  state->set_of_host = sgf_calloc(host_count, sizeof *state->set_of_host);
  state->sets        = sgf_calloc(1, sizeof *state->sets);
  state->set_count   = 1;
  state->ports       = sgf_calloc(state->port_count, sizeof *state->ports);
  for (unsigned i = 0; i < state->port_count; i++)
    setup_port(state, i);
  return SGF_OK;
}

static void destroy(opp_module_t* self)
{
  switch_state_t* state = switch_state(self);
  sgf_sb_free(state->buffer);
  switch_ecn_free(state->ecn);
  free(state->ports);
  free(state->set_of_host);
  free(state->sets);
  free(state->members);
}

const opp_module_type_t switch_module_type = {
    .name           = "switch",
    .state_size     = sizeof(switch_state_t),
    .handle_message = handle_message,
    .destroy        = destroy,
};
