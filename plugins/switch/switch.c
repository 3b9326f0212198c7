/* A switch as a module: set-up, events, transmission (spec/switch.md 5.8 to 5.10), end. */
#include <stdlib.h>

#include "attr/alloc.h"
#include "switch/path.h"

/* Timers of a switch; their `bytes` field says which port, for a refresh which pool, for a watchdog which class. */
enum { TIMER_SERIALISED, TIMER_HOLD_ENDS, TIMER_REFRESH, TIMER_WATCHED_SERIALISED, TIMER_WATCHDOG };

/* Random streams of a switch (O-14). */
enum { SWITCH_RNG_ECN };

/* ---- Start of transmission (7.3) --------------------------------------------------------------------------------- */

static opp_simtime_t decide_mark(opp_module_t* self, uint32_t number, opp_msg_t* msg)
{
  switch_state_t* state = switch_state(self);
  const unsigned port   = number / SGF_SB_POOLS;
  net_frame_t* frame    = net_frame(msg);
  if (frame->ecn != NET_ECN_ECT0 && frame->ecn != NET_ECN_ECT1)
    return 0;
  const unsigned pool = sgf_sb_pool_of(state->buffer, frame->tc);
  if (switch_ecn_may_mark(state->ecn, port, pool) &&
      switch_ecn_marks(state->ecn, port, pool, opp_rng(self, SWITCH_RNG_ECN))) {
    frame->ecn = NET_ECN_CE;
    state->ports[port].marked[frame->tc]++;
    if (state->observer != NULL)
      state->observer->marked(state->observer->user, port, frame);
  }
  return 0;
}

/* ---- End of serialisation (5.10) --------------------------------------------------------------------------------- */

static void depart(switch_state_t* state, unsigned out)
{
  switch_port_t* port         = &state->ports[out];
  const net_departure_t frame = port->out.departure;
  net_port_end(&port->out);
  if (frame.type != NET_FRAME_PFC &&
      sgf_sb_depart(state->buffer, frame.in_port, frame.in_tc, out, frame.tc, frame.charge))
    switch_resume_peer(state, frame.in_port, sgf_sb_pool_of(state->buffer, frame.in_tc));
  net_port_start(&port->out);
}

/* ---- Module ------------------------------------------------------------------------------------------------------ */

static void handle_message(opp_module_t* self, opp_msg_t* msg)
{
  switch_state_t* state = switch_state(self);
  if (msg->gate != 0) {
    switch_arrive(state, msg->gate - 1U, msg); /* the input gates come first, in order of port */
    return;
  }
  const unsigned port = msg->bytes / SGF_SB_POOLS;
  const unsigned pool = msg->bytes % SGF_SB_POOLS;
  switch (msg->kind) {
    case TIMER_SERIALISED:
      depart(state, port);
      break;
    case TIMER_HOLD_ENDS:
      switch_hold_ends(state, port);
      break;
    case TIMER_REFRESH:
      switch_pause_peer(state, port, pool);
      break;
    case TIMER_WATCHED_SERIALISED:
      switch_watchdog_departs(state, port);
      depart(state, port);
      break;
    case TIMER_WATCHDOG:
      switch_watchdog_due(state, port, pool);
      break;
    default:
      opp_error(self, "a switch has no timer of kind %d", msg->kind);
  }
}

static void setup_port(switch_state_t* state, unsigned i, pfc_layout_t layout)
{
  switch_port_t* port  = &state->ports[i];
  opp_module_t* self   = state->self;
  const int serialised = state->watchdog != NULL ? TIMER_WATCHED_SERIALISED : TIMER_SERIALISED;
  net_port_init(&port->out, self, opp_gate(self, "port$o", (int)i), serialised, i * SGF_SB_POOLS);
  if (switch_ecn_enabled(state->ecn))
    port->out.starting = decide_mark;
  pfc_receiver_init(&port->peer, &port->out, TIMER_HOLD_ENDS, i * SGF_SB_POOLS);
  pfc_sender_init(&port->pfc, &port->out, layout);
  port->drops                    = &state->port_drops[i * SWITCH_DROP_CAUSES];
  const opp_simtime_t pause_time = pfc_pause_time(PFC_MAX_QUANTA, net_port_bps(&port->out), net_port_delay(&port->out));
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    if (sgf_sb_group(state->buffer, pool) != 0)
      pfc_refresh_init(&port->refresh[pool], self, TIMER_REFRESH, i * SGF_SB_POOLS + pool, pause_time);
}

static sgf_shared_buffer_t* buffer_of(const switch_block_t* config, unsigned ports, sgf_error_t* error)
{
  sgf_shared_buffer_config_t buffer = config->buffer;
  buffer.trimming                   = config->own.trimming;
  return sgf_sb_new(&buffer, ports, error);
}

sgf_status_t switch_setup(opp_module_t* module, const switch_block_t* config, uint32_t node_id, uint32_t first_host,
                          uint32_t host_count, sgf_error_t* error)
{
  switch_state_t* state = switch_state(module);
  state->self           = module;
  state->port_count     = (unsigned)opp_gate_size(module, "port$o");
  state->trimming       = config->own.trimming;
  if (switch_classes_init(&state->classes, &config->codepoints, config->buffer.uet_policy, error) != SGF_OK)
    return error->status;
  state->buffer = buffer_of(config, state->port_count, error);
  if (state->buffer == NULL)
    return error->status;
  state->ecn = switch_ecn_new(&config->ecn, state->buffer, state->port_count, error);
  if (state->ecn == NULL)
    return error->status;
  /* The run's seed holds its number (seed-set). */
  state->balance = switch_balance_new(&config->balance, node_id, module->sim->seed, 0, error);
  if (state->balance == NULL)
    return error->status;
  state->first_host  = first_host;
  state->host_count  = host_count;
  state->set_of_host = sgf_calloc(host_count, sizeof *state->set_of_host);
  state->sets        = sgf_calloc(1, sizeof *state->sets);
  state->set_count   = 1;
  state->ports       = sgf_calloc_lines(state->port_count, sizeof *state->ports);
  state->received    = sgf_calloc(state->port_count, sizeof *state->received);
  state->port_drops  = sgf_calloc((size_t)state->port_count * SWITCH_DROP_CAUSES, sizeof *state->port_drops);
  if (switch_watchdog_init(state, &config->watchdog, TIMER_WATCHDOG, error) != SGF_OK)
    return error->status;
  const pfc_layout_t layout = {(uint32_t)config->own.pfc_frame_bytes, config->own.pfc_frame_vector};
  for (unsigned i = 0; i < state->port_count; i++)
    setup_port(state, i, layout);
  return SGF_OK;
}

static void destroy(opp_module_t* self)
{
  switch_state_t* state = switch_state(self);
  for (unsigned i = 0; state->ports != NULL && i < state->port_count; i++)
    pfc_receiver_free(&state->ports[i].peer);
  sgf_sb_free(state->buffer);
  switch_ecn_free(state->ecn);
  switch_watchdog_free(state);
  switch_balance_free(state->balance);
  free(state->ports);
  free(state->received);
  free(state->port_drops);
  free(state->set_of_host);
  free(state->sets);
  free(state->members);
}

/* ---- What others ask --------------------------------------------------------------------------------------------- */

void switch_faces_nic(switch_state_t* state, unsigned port)
{
  state->ports[port].faces_nic = true;
}

static uint64_t drops_of(const switch_port_t* port, unsigned tc, bool on_arrival)
{
  uint64_t drops = 0;
  for (switch_drop_t cause = 0; cause < SWITCH_DROP_CAUSES; cause++)
    if (switch_drop_is_on_arrival(cause) == on_arrival)
      drops += port->drops[cause][tc];
  return drops;
}

uint64_t switch_rx_drops(const switch_port_t* port, unsigned tc)
{
  return drops_of(port, tc, true);
}

uint64_t switch_tx_drops(const switch_port_t* port, unsigned tc)
{
  return drops_of(port, tc, false);
}

int64_t switch_total_bps(const switch_state_t* state)
{
  int64_t bps = 0;
  for (unsigned i = 0; i < state->port_count; i++)
    bps += net_port_bps(&state->ports[i].out);
  return bps;
}

const opp_module_type_t switch_module_type = {
    .name           = "switch",
    .state_size     = sizeof(switch_state_t),
    .handle_message = handle_message,
    .destroy        = destroy,
};
