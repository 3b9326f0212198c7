/* Storms: what begins and ends them, and what they do to packets (spec/feedback-budget.md 9.2, rules 1 to 5). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "switch/path.h"

static switch_watch_t* watch_of(const switch_state_t* state, unsigned port, unsigned tc)
{
  return &state->watchdog->watches[port * NET_CLASSES + tc];
}

static switch_storm_t* storm_of(const switch_state_t* state, unsigned port, unsigned tc)
{
  return &state->watchdog->storms[watch_of(state, port, tc)->storm - 1];
}

static bool is_stormed(const switch_state_t* state, unsigned port, unsigned tc)
{
  return state->ports[port].stormed >> tc & 1;
}

static bool drops(const switch_state_t* state)
{
  return state->watchdog->config.action == PFC_WATCHDOG_DROP;
}

bool switch_is_watched(const switch_state_t* state, unsigned port, unsigned tc)
{
  return state->watchdog != NULL && watch_of(state, port, tc)->dog.config != NULL;
}

/* ---- Set-up ------------------------------------------------------------------------------------------------------ */

/* A timer's number has room for what it is to tell apart: pools are as many as classes. */
_Static_assert((int)SGF_SB_POOLS == (int)NET_CLASSES, "timers of queues are numbered as those of pools are");

sgf_status_t switch_watchdog_init(switch_state_t* state, const pfc_watchdog_config_t* config, int kind,
                                  sgf_error_t* error)
{
  pfc_watchdog_config_t settled = *config;
  if (!config->enabled)
    return SGF_OK;
  if (pfc_watchdog_settle(&settled, state->port_count, error) != SGF_OK)
    return error->status;
  state->watchdog          = sgf_calloc(1, sizeof *state->watchdog);
  state->watchdog->config  = settled;
  state->watchdog->watches = sgf_calloc((size_t)state->port_count * NET_CLASSES, sizeof(switch_watch_t));
  for (unsigned port = 0; port < state->port_count; port++)
    for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
      if (!sgf_sb_lossless(state->buffer, tc) || !pfc_watchdog_has_port(&settled, port))
        continue;
      switch_watch_t* watch = watch_of(state, port, tc);
      pfc_watchdog_init(&watch->dog, &state->watchdog->config);
      watch->last_sent    = -1;
      watch->timer        = opp_timer_new(state->self, kind, NET_PRIORITY_TIMER);
      watch->timer->bytes = port * NET_CLASSES + tc;
    }
  return SGF_OK;
}

void switch_watchdog_free(switch_state_t* state)
{
  if (state->watchdog == NULL)
    return;
  free(state->watchdog->watches);
  free(state->watchdog->storms);
  free(state->watchdog);
}

opp_simtime_t switch_watchdog_patience(const switch_state_t* state)
{
  return state->watchdog != NULL ? pfc_watchdog_longest_detection(&state->watchdog->config) : 0;
}

/* ---- Storms ------------------------------------------------------------------------------------------------------ */

static void add_traffic(switch_storm_traffic_t* sum, const switch_storm_traffic_t* more)
{
  sum->sent += more->sent;
  sum->tx_drops += more->tx_drops;
  sum->received += more->received;
  sum->rx_drops += more->rx_drops;
}

switch_storm_t switch_storm(const switch_state_t* state, size_t i)
{
  switch_storm_t storm = state->watchdog->storms[i];
  add_traffic(&storm.total, &storm.during);
  return storm;
}

size_t switch_storm_count(const switch_state_t* state)
{
  return state->watchdog != NULL ? state->watchdog->storm_count : 0;
}

/* Storms are rare. */
static void note_storm(switch_state_t* state, unsigned port, unsigned tc)
{
  switch_watchdog_t* watchdog = state->watchdog;
  switch_watch_t* watch       = watch_of(state, port, tc);
  switch_storm_t storm        = {.port = port, .tc = tc, .detected = opp_now(state->self), .restored = -1};
  if (watch->storm != 0)
    storm.total = switch_storm(state, watch->storm - 1).total;
  watchdog->storms = sgf_realloc(watchdog->storms, watchdog->storm_count + 1, sizeof *watchdog->storms);
  watchdog->storms[watchdog->storm_count++] = storm;
  watch->storm                              = watchdog->storm_count;
}

/* What is queued has been charged as if it were to be sent, and gives that back as if it had been (rule 2). */
static void discard_queue(switch_state_t* state, unsigned out, unsigned tc)
{
  for (opp_msg_t* msg; (msg = net_port_take(&state->ports[out].out, tc)) != NULL;) {
    const net_frame_t* frame = net_frame(msg);
    const unsigned in_port   = frame->in_port;
    const unsigned in_pool   = sgf_sb_pool_of(state->buffer, frame->in_tc);
    const bool resumes       = sgf_sb_depart(state->buffer, in_port, frame->in_tc, out, frame->tc, frame->charge);
    storm_of(state, out, tc)->during.tx_drops++;
    switch_drop(state, msg, SWITCH_DROP_WATCHDOG, out);
    if (resumes)
      switch_resume_peer(state, in_port, in_pool);
  }
}

/* Rule 3: the class counts as running. A frame on the wire is completed. */
static void begin_storm(switch_state_t* state, unsigned number, unsigned tc)
{
  switch_port_t* port = &state->ports[number];
  note_storm(state, number, tc);
  port->stormed |= (uint8_t)(1U << tc);
  state->storms++;
  if (state->watchdog->config.action == PFC_WATCHDOG_ALERT)
    return;
  pfc_receiver_ignore(&port->peer, tc, true);
  if (drops(state))
    discard_queue(state, number, tc);
  net_port_start(&port->out);
}

static void end_storm(switch_state_t* state, unsigned number, unsigned tc)
{
  switch_port_t* port                   = &state->ports[number];
  storm_of(state, number, tc)->restored = opp_now(state->self);
  port->stormed &= (uint8_t) ~(1U << tc);
  state->storms--;
  pfc_receiver_ignore(&port->peer, tc, false);
}

/* ---- The clock and the ears of a watchdog ------------------------------------------------------------------------ */

static void follow(switch_state_t* state, unsigned port, unsigned tc, pfc_watchdog_verdict_t verdict)
{
  const switch_watch_t* watch = watch_of(state, port, tc);
  if (verdict == PFC_WATCHDOG_STORM)
    begin_storm(state, port, tc);
  else if (verdict == PFC_WATCHDOG_RESTORED)
    end_storm(state, port, tc);
  const bool is_set = opp_msg_is_scheduled(watch->timer);
  if (watch->dog.next == OPP_TIME_MAX) {
    if (is_set)
      opp_cancel_event(state->self, watch->timer);
  } else if (!is_set || opp_msg_arrival_time(watch->timer) != watch->dog.next)
    opp_reschedule_at(state->self, watch->dog.next, watch->timer);
}

void switch_watchdog_due(switch_state_t* state, unsigned port, unsigned tc)
{
  switch_watch_t* watch              = watch_of(state, port, tc);
  const pfc_watchdog_sample_t sample = {
      .occupied  = state->ports[port].out.backlog >> tc & 1,
      .last_sent = watch->last_sent,
      .paused    = pfc_receiver_paused(&state->ports[port].peer, tc),
  };
  follow(state, port, tc, pfc_watchdog_due(&watch->dog, opp_now(state->self), &sample));
}

void switch_watchdog_hear(switch_state_t* state, unsigned port, unsigned classes)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (classes >> tc & 1 && switch_is_watched(state, port, tc))
      pfc_watchdog_heard(&watch_of(state, port, tc)->dog, opp_now(state->self),
                         pfc_receiver_paused(&state->ports[port].peer, tc));
}

void switch_watchdog_look(switch_state_t* state, unsigned port)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (switch_is_watched(state, port, tc)) {
      const bool held = state->ports[port].out.held >> tc & 1;
      follow(state, port, tc, pfc_watchdog_hold(&watch_of(state, port, tc)->dog, opp_now(state->self), held));
    }
}

/* ---- Packets ----------------------------------------------------------------------------------------------------- */

void switch_watchdog_departs(switch_state_t* state, unsigned port)
{
  const net_departure_t* frame = &state->ports[port].out.departure;
  if (frame->type == NET_FRAME_PFC)
    return;
  watch_of(state, port, frame->tc)->last_sent = opp_now(state->self);
  if (is_stormed(state, port, frame->tc))
    storm_of(state, port, frame->tc)->during.sent++;
}

bool switch_storm_takes(switch_state_t* state, unsigned in, opp_msg_t* msg)
{
  const unsigned tc = net_frame(msg)->tc;
  if (!is_stormed(state, in, tc))
    return false;
  switch_storm_traffic_t* traffic = &storm_of(state, in, tc)->during;
  if (!drops(state)) {
    traffic->received++;
    return false;
  }
  traffic->rx_drops++;
  switch_drop(state, msg, SWITCH_DROP_WATCHDOG_ARRIVAL, in);
  return true;
}

bool switch_storm_discards(switch_state_t* state, unsigned in, unsigned out, opp_msg_t* msg)
{
  const unsigned tc = net_frame(msg)->tc;
  if (!is_stormed(state, out, tc) || !drops(state))
    return false;
  storm_of(state, out, tc)->during.tx_drops++;
  switch_release(state, in, net_frame(msg));
  switch_drop(state, msg, SWITCH_DROP_WATCHDOG, out);
  return true;
}
