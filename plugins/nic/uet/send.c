/* The transmit pass: groups take turns, a packet passes its gates, is fetched and committed (spec/uet-nic.md 5.3, 8.3,
 * 8.4, 8.11, 8.12). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/uet/uet.h"

/* What became of a turn. */
typedef enum turn_result {
  TURN_SENT,
  TURN_NOTHING,
  TURN_NO_WINDOW, /* for one more packet in flight */
  TURN_NO_FETCH,  /* more is fetched than the window, or the prefetch buffer is full */
  TURN_NO_ROOM,   /* in the egress pool */
} turn_result_t;

/* ---- Gates (8.3, 9.2) -------------------------------------------------------------------------------------------- */

static bool may_fly(const uet_group_t* group, int64_t nominal)
{
  return nscc_admits(&group->congestion, group->in_flight, nominal);
}

static bool may_fetch(const uet_group_t* group)
{
  return nscc_admits(&group->congestion, group->fetched, 0);
}

/* ---- Retransmissions --------------------------------------------------------------------------------------------- */

/* The oldest that waits: rebuilt from its record, no PCIe traffic (8.4). */
static turn_result_t send_again(nic_t* nic, uet_pdc_t* pdc)
{
  uet_state_t* state    = uet_state(nic);
  uet_packet_t* packet  = uet_packet_of(pdc->retransmit.first);
  const int64_t payload = nic_packet_payload(pdc->message->bytes, state->config.mss, packet->psn);
  if (!may_fly(pdc->group, payload + UET_NOMINAL_OVERHEAD))
    return TURN_NO_WINDOW;
  if (!nic_reserve(nic, state->data_class, payload + UET_DATA_OVERHEAD))
    return TURN_NO_ROOM;
  nic_timed_remove(&pdc->retransmit, &packet->timed);
  if (packet->retransmissions < UINT16_MAX)
    packet->retransmissions++;
  if (packet->retransmissions >= state->counters.transmissions_of_a_packet)
    state->counters.transmissions_of_a_packet = packet->retransmissions + 1U;
  pdc->retransmissions++;
  state->counters.retransmissions++;
  opp_msg_t* msg = uet_data_frame(nic, packet, payload);
  uet_commit(nic, packet, net_frame(msg));
  uet_hand_down(nic, msg);
  return TURN_SENT;
}

/* ---- Room in the prefetch buffer (8.12) -------------------------------------------------------------------------- */

static void starve(uet_state_t* state, uet_group_t* group)
{
  if (group->starved)
    return;
  group->starved      = true;
  group->next_starved = NULL;
  if (state->starved_last != NULL)
    state->starved_last->next_starved = group;
  else
    state->starved_first = group;
  state->starved_last = group;
}

/* The one that has waited longest waits no more. */
static uet_group_t* feed_first(uet_state_t* state)
{
  uet_group_t* group   = state->starved_first;
  group->starved       = false;
  state->starved_first = group->next_starved;
  if (state->starved_first == NULL)
    state->starved_last = NULL;
  return group;
}

/* Half of the buffer is free: those who wait try again, in the order in which they came to wait. */
static void feed_the_starved(uet_state_t* state)
{
  if (2 * state->prefetched > (int64_t)state->config.prefetch_bytes)
    return;
  while (state->starved_first != NULL) {
    uet_group_t* group = feed_first(state);
    if (group->turn != NULL && !group->ready)
      uet_ready_push(state, group, false);
  }
}

/* Nobody goes past one who waits: whoever commits a packet could otherwise take the place again and again, and half of
 * the buffer would never be free. */
static bool reserve_prefetch(uet_state_t* state, uet_group_t* group, int64_t wire)
{
  const bool passes = state->starved_first != NULL && state->starved_first != group;
  if (passes || state->prefetched + wire > (int64_t)state->config.prefetch_bytes) {
    starve(state, group);
    return false;
  }
  if (group->starved)
    feed_first(state);
  state->prefetched += wire;
  return true;
}

/* ---- New segments ------------------------------------------------------------------------------------------------ */

static void ring_grow(uet_pdc_t* pdc)
{
  const uint32_t size = 2 * pdc->ring_size;
  uet_packet_t** ring = sgf_calloc(size, sizeof *ring);
  for (uint32_t psn = pdc->base; psn != pdc->next_psn; psn++)
    ring[psn % size] = pdc->ring[psn % pdc->ring_size];
  free(pdc->ring);
  pdc->ring      = ring;
  pdc->ring_size = size;
}

/* The record of the next new packet: its sequence number is taken when its fetch is issued (8.2). */
static uet_packet_t* next_packet(nic_t* nic, uet_pdc_t* pdc)
{
  if (pdc->next_psn - pdc->base == pdc->ring_size)
    ring_grow(pdc);
  uet_packet_t* packet                    = uet_packet_new(uet_state(nic));
  packet->pdc                             = pdc;
  packet->psn                             = pdc->next_psn++;
  pdc->ring[packet->psn % pdc->ring_size] = packet;
  return packet;
}

/* SEND_COMPLETE (8.13). */
static void all_is_fetched(nic_t* nic, const uet_pdc_t* pdc)
{
  if (uet_state(nic)->recorder != NULL)
    uet_record_sender_event(nic, SGF_SEND_COMPLETE, pdc);
  nic->owner.sent(nic->owner.user, pdc->message);
}

/* Fetch the next segment. Without the prefetch buffer it is committed here, to the egress pool. */
static turn_result_t fetch_segment(nic_t* nic, uet_pdc_t* pdc)
{
  uet_state_t* state    = uet_state(nic);
  uet_group_t* group    = pdc->group;
  const int64_t payload = nic_packet_payload(pdc->message->bytes, state->config.mss, pdc->next_psn);
  const int64_t nominal = payload + UET_NOMINAL_OVERHEAD;
  const int64_t wire    = payload + UET_DATA_OVERHEAD;
  if (!may_fetch(group))
    return TURN_NO_FETCH;
  if (state->config.prefetch) {
    if (!reserve_prefetch(state, group, wire))
      return TURN_NO_FETCH;
  } else {
    if (!may_fly(group, nominal))
      return TURN_NO_WINDOW;
    if (!nic_reserve(nic, state->data_class, wire))
      return TURN_NO_ROOM;
  }
  uet_packet_t* packet = next_packet(nic, pdc);
  opp_msg_t* msg       = uet_data_frame(nic, packet, payload);
  group->fetched += nominal;
  if (!state->config.prefetch)
    uet_commit(nic, packet, net_frame(msg));
  nic_fetch(nic, msg, payload);
  if (pdc->next_psn == pdc->packet_count)
    all_is_fetched(nic, pdc);
  if (pdc->next_psn == pdc->pace.eligible)
    uet_pace(nic, pdc, payload);
  return TURN_SENT;
}

/* ---- Payloads that have arrived in it ---------------------------------------------------------------------------- */

static turn_result_t commit_prefetched(nic_t* nic, uet_pdc_t* pdc)
{
  uet_state_t* state   = uet_state(nic);
  net_frame_t* frame   = net_frame(pdc->prefetched.first);
  uet_packet_t* packet = uet_outstanding(pdc, uet_header(frame)->psn);
  const int64_t wire   = pdc->prefetched.first->bytes;
  if (!may_fly(pdc->group, wire - NET_ETHERNET_BYTES))
    return TURN_NO_WINDOW;
  if (!nic_reserve(nic, state->data_class, wire))
    return TURN_NO_ROOM;
  opp_msg_t* msg = net_queue_pop(&pdc->prefetched);
  state->prefetched -= wire;
  uet_commit(nic, packet, frame);
  uet_hand_down(nic, msg);
  feed_the_starved(state); /* here and nowhere else: who finds no room again waits for the next that is freed */
  return TURN_SENT;
}

void uet_fetched(nic_t* nic, opp_msg_t* msg)
{
  const uet_state_t* state   = uet_state(nic);
  const uet_header_t* header = uet_header(net_frame(msg));
  if (!state->config.prefetch) {
    uet_hand_down(nic, msg);
    return;
  }
  uet_pdc_t* pdc = state->pdcs[header->src_pdc - 1];
  net_queue_push(&pdc->prefetched, msg);
  uet_make_ready(nic, pdc, false);
  if (msg->kind == NIC_FETCHED) /* not from within a pass, as an empty payload is */
    uet_transmit(nic);
}

/* ---- Turns (8.11) ------------------------------------------------------------------------------------------------ */

/* The PDC whose turn it is. One that was acknowledged before its retransmission came round leaves the rotation here. */
static uet_pdc_t* next_turn(uet_group_t* group)
{
  while (group->turn != NULL && !uet_has_something_to_send(group->turn))
    uet_rotation_remove(group, group->turn);
  return group->turn;
}

/* What is oldest goes first, and while it waits nothing younger of the PDC passes. */
static turn_result_t send_one(nic_t* nic, uet_pdc_t* pdc)
{
  if (pdc->retransmit.first != NULL)
    return send_again(nic, pdc);
  if (pdc->prefetched.first != NULL)
    return commit_prefetched(nic, pdc);
  return fetch_segment(nic, pdc);
}

/* One packet of the PDC whose turn it is. Where it may not fetch, another of the group may have something to send that
 * needs no fetch. */
static turn_result_t take_turn(nic_t* nic, uet_group_t* group)
{
  uet_pdc_t* first = next_turn(group);
  if (first == NULL)
    return TURN_NOTHING;
  uet_pdc_t* pdc       = first;
  turn_result_t result = send_one(nic, pdc);
  while (result == TURN_NO_FETCH && pdc->next != first) {
    pdc = pdc->next;
    if (uet_has_something_to_send(pdc))
      result = send_one(nic, pdc);
  }
  if (result == TURN_SENT) {
    group->turn = pdc->next;
    if (!uet_has_something_to_send(pdc))
      uet_rotation_remove(group, pdc);
  }
  return result;
}

/* Takes no time. A group without room in the egress pool keeps the head, and nothing smaller is looked for. */
void uet_transmit(nic_t* nic)
{
  uet_state_t* state        = uet_state(nic);
  state->generation_stopped = false;
  for (;;) {
    uet_group_t* group = state->ready_first;
    if (group == NULL)
      return;
    switch (take_turn(nic, group)) {
      case TURN_NO_ROOM:
        state->generation_stopped = true;
        return;
      case TURN_NOTHING:
      case TURN_NO_WINDOW:
      case TURN_NO_FETCH:
        uet_ready_pop(state);
        break;
      case TURN_SENT:
        uet_ready_pop(state);
        if (group->turn != NULL)
          uet_ready_push(state, group, false);
        break;
    }
  }
}

void uet_room(nic_t* nic, unsigned tc)
{
  const uet_state_t* state      = uet_state(nic);
  const nic_egress_pool_t* pool = &nic->egress[tc];
  if (tc == state->data_class && state->generation_stopped && 2 * pool->reserved <= pool->size)
    uet_transmit(nic);
}
