/* Sending: messages become PDCs, groups take turns, packets are committed (spec/uet-nic.md 8.1 to 8.4, 8.11, 5.3). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/uet/uet.h"

uint64_t uet_packet_count(uint64_t bytes, uint64_t mss)
{
  return bytes == 0 ? 1 : (bytes - 1) / mss + 1;
}

int64_t uet_payload(uint64_t bytes, uint64_t mss, uint32_t psn)
{
  const uint64_t before = psn * mss;
  const uint64_t left   = bytes > before ? bytes - before : 0;
  return (int64_t)(left < mss ? left : mss);
}

/* ---- Ready groups (8.11) ----------------------------------------------------------------------------------------- */

static void ready_push(uet_state_t* state, uet_group_t* group, bool at_head)
{
  group->ready    = true;
  group->next     = at_head ? state->ready_first : NULL;
  group->previous = at_head ? NULL : state->ready_last;
  if (group->next != NULL)
    group->next->previous = group;
  else
    state->ready_last = group;
  if (group->previous != NULL)
    group->previous->next = group;
  else
    state->ready_first = group;
}

static void ready_pop(uet_state_t* state)
{
  uet_group_t* group = state->ready_first;
  group->ready       = false;
  state->ready_first = group->next;
  if (state->ready_first != NULL)
    state->ready_first->previous = NULL;
  else
    state->ready_last = NULL;
}

/* ---- Rotation of a group's PDCs with something to send ----------------------------------------------------------- */

static bool has_something_to_send(const uet_pdc_t* pdc)
{
  return pdc->retransmit.first != NULL || pdc->next_psn < pdc->eligible;
}

/* Behind all others: just before the one whose turn it is. */
static void rotation_add(uet_group_t* group, uet_pdc_t* pdc)
{
  if (pdc->in_rotation)
    return;
  pdc->in_rotation = true;
  if (group->turn == NULL) {
    pdc->next = pdc->previous = pdc;
    group->turn               = pdc;
    return;
  }
  pdc->next           = group->turn;
  pdc->previous       = group->turn->previous;
  pdc->previous->next = pdc;
  pdc->next->previous = pdc;
}

static void rotation_remove(uet_group_t* group, uet_pdc_t* pdc)
{
  if (!pdc->in_rotation)
    return;
  pdc->in_rotation = false;
  if (pdc->next == pdc) {
    group->turn = NULL;
    return;
  }
  pdc->previous->next = pdc->next;
  pdc->next->previous = pdc->previous;
  if (group->turn == pdc)
    group->turn = pdc->next;
}

void uet_make_ready(nic_t* nic, uet_pdc_t* pdc, bool at_head)
{
  uet_group_t* group = pdc->group;
  if (has_something_to_send(pdc))
    rotation_add(group, pdc);
  if (group->turn != NULL && !group->ready)
    ready_push(uet_state(nic), group, at_head);
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

static uet_pdc_t* free_pdc(uet_state_t* state)
{
  uet_pdc_t* pdc = state->free_pdcs;
  if (pdc != NULL) {
    state->free_pdcs = pdc->next;
    return pdc;
  }
  if (state->pdc_count == UET_MAX_SENDER_PDCS)
    return NULL;
  pdc                             = sgf_calloc(1, sizeof *pdc);
  pdc->ring_size                  = 128; /* a window of 450,000 B is 107 packets */
  pdc->ring                       = sgf_calloc(pdc->ring_size, sizeof(uet_packet_t*));
  state->pdcs                     = sgf_realloc(state->pdcs, state->pdc_count + 1, sizeof(uet_pdc_t*));
  state->pdcs[state->pdc_count++] = pdc;
  pdc->id                         = (uint16_t)state->pdc_count;
  return pdc;
}

static uet_group_t* group_of(nic_t* nic, uint32_t address, const uet_pdc_t* creator)
{
  uet_group_t** group = &uet_state(nic)->groups[address - nic->first_host];
  if (*group == NULL) {
    *group            = sgf_calloc(1, sizeof **group);
    (*group)->address = address;
    (*group)->entropy = (uint16_t)(UET_FIRST_LOCAL_PORT + (creator->id - 1) % UET_LOCAL_PORTS);
  }
  return *group;
}

static void open_pdc(nic_t* nic, uet_pdc_t* pdc, nic_message_t* message)
{
  const uint64_t mss     = uet_state(nic)->config.mss;
  const uint64_t packets = uet_packet_count(message->bytes, mss);
  if (packets > UINT32_MAX / 2) {
    opp_error(nic->module, "a message of %llu bytes has more packets than a PDC has sequence numbers",
              (unsigned long long)message->bytes);
    return;
  }
  uet_packet_t** ring = pdc->ring;
  *pdc                = (uet_pdc_t){.message = message, .id = pdc->id, .ring = ring, .ring_size = pdc->ring_size};
  pdc->packet_count   = (uint32_t)packets;
  pdc->unsent_bytes   = (int64_t)(message->bytes + packets * UET_DATA_OVERHEAD);
  pdc->group          = group_of(nic, message->dst, pdc);
  message->sending    = pdc;
  uet_pace_open(nic, pdc);
  uet_make_ready(nic, pdc, false);
  opp_schedule_on_line(nic->module, uet_state(nic)->doorbells, nic_now(nic) + UET_DOORBELL_DELAY,
                       opp_timer_new(nic->module, UET_DOORBELL, NET_PRIORITY_TIMER));
}

void uet_post(nic_t* nic, nic_message_t* message)
{
  uet_state_t* state = uet_state(nic);
  uet_pdc_t* pdc     = free_pdc(state);
  if (pdc != NULL) {
    open_pdc(nic, pdc, message);
    return;
  }
  message->next = NULL;
  if (state->waiting_first != NULL)
    state->waiting_last->next = message;
  else
    state->waiting_first = message;
  state->waiting_last = message;
}

void uet_close(nic_t* nic, uet_pdc_t* pdc)
{
  uet_state_t* state     = uet_state(nic);
  nic_message_t* message = pdc->message;
  rotation_remove(pdc->group, pdc);
  message->sending    = NULL;
  pdc->message        = NULL;
  nic_message_t* next = state->waiting_first;
  if (next != NULL) {
    state->waiting_first = next->next;
    open_pdc(nic, pdc, next);
  } else {
    pdc->next        = state->free_pdcs;
    state->free_pdcs = pdc;
  }
  nic->owner.acknowledged(nic->owner.user, message);
}

uet_pdc_t* uet_sending_pdc(const nic_t* nic, uint16_t id, uint64_t message)
{
  const uet_state_t* state = uet_state(nic);
  if (id == 0 || id > state->pdc_count)
    return NULL;
  uet_pdc_t* pdc = state->pdcs[id - 1];
  return pdc->message != NULL && pdc->message->number == message ? pdc : NULL;
}

/* ---- Packets ----------------------------------------------------------------------------------------------------- */

static net_role_t data_role(const uet_config_t* config, bool retransmission)
{
  if (retransmission && config->distinct_dscp_for_retransmits)
    return NET_ROLE_TRIMMABLE_RTX;
  return config->trimming_enabled ? NET_ROLE_TRIMMABLE : NET_ROLE_NO_TRIM;
}

static opp_msg_t* data_frame(nic_t* nic, const uet_pdc_t* pdc, uint32_t psn, int64_t payload, bool retransmission)
{
  const nic_message_t* message = pdc->message;
  opp_msg_t* msg               = opp_frame_new(nic->module, 0, (uint32_t)(payload + UET_DATA_OVERHEAD));
  net_frame_t* frame           = net_frame(msg);
  frame->src                   = nic->address;
  frame->dst                   = message->dst;
  frame->src_port              = pdc->group->entropy;
  frame->dst_port              = UET_UDP_PORT;
  frame->protocol              = NET_PROTOCOL_UDP;
  frame->dscp                  = uet_dscp(nic, data_role(&uet_state(nic)->config, retransmission));
  frame->ecn                   = NET_ECN_ECT1;
  frame->tc                    = UET_DATA_CLASS;
  frame->header_bytes          = UET_TRIMMED_IP_BYTES;
  uet_header_t* header         = uet_header(frame);
  header->type                 = UET_DATA;
  header->flags                = UET_FLAG_AR;
  header->message              = message->number;
  header->psn                  = psn;
  header->src_pdc              = pdc->id;
  header->dst_pdc              = pdc->peer;
  header->data.bytes           = message->bytes;
  header->data.tag             = message->tag;
  if (psn + 1 == pdc->packet_count)
    header->flags |= UET_FLAG_END;
  if (retransmission)
    header->flags |= UET_FLAG_RETRANSMIT;
  return msg;
}

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

/* Commit the next new segment: its sequence number is taken when its fetch is issued (8.2). */
static void commit_segment(nic_t* nic, uet_pdc_t* pdc, int64_t payload)
{
  if (pdc->next_psn - pdc->base == pdc->ring_size)
    ring_grow(pdc);
  uet_packet_t* packet                    = uet_packet_new(uet_state(nic));
  packet->pdc                             = pdc;
  packet->psn                             = pdc->next_psn++;
  packet->state                           = UET_COMMITTED;
  pdc->ring[packet->psn % pdc->ring_size] = packet;
  nic_fetch(nic, data_frame(nic, pdc, packet->psn, payload, false), payload);
  if (pdc->next_psn == pdc->eligible)
    uet_pace(nic, pdc, payload);
}

/* Send the oldest waiting retransmission: rebuilt from its record, no PCIe traffic (8.4). */
static void commit_retransmission(nic_t* nic, uet_pdc_t* pdc, int64_t payload)
{
  uet_packet_t* packet = pdc->retransmit.first;
  uet_list_remove(&pdc->retransmit, packet);
  packet->state = UET_COMMITTED;
  if (packet->retransmissions < UINT16_MAX)
    packet->retransmissions++;
  pdc->retransmissions++;
  uet_state(nic)->retransmissions++;
  nic_queue(nic, data_frame(nic, pdc, packet->psn, payload, true));
}

/* ---- Transmit pass (8.11, 5.3) ----------------------------------------------------------------------------------- */

typedef enum turn_result { TURN_SENT, TURN_NOTHING, TURN_NO_WINDOW, TURN_NO_ROOM } turn_result_t;

/* The PDC whose turn it is. One that was acknowledged before its retransmission came round leaves the rotation here. */
static uet_pdc_t* next_turn(uet_group_t* group)
{
  while (group->turn != NULL && !has_something_to_send(group->turn))
    rotation_remove(group, group->turn);
  return group->turn;
}

/* One packet of the PDC whose turn it is; the gates in the order of 8.3. With the prefetch buffer off a byte is fetched
 * when it is in flight, so one test serves both windows. */
static turn_result_t take_turn(nic_t* nic, uet_group_t* group)
{
  const uet_state_t* state = uet_state(nic);
  uet_pdc_t* pdc           = next_turn(group);
  if (pdc == NULL)
    return TURN_NOTHING;
  const uet_packet_t* again = pdc->retransmit.first;
  const uint32_t psn        = again != NULL ? again->psn : pdc->next_psn;
  const int64_t payload     = uet_payload(pdc->message->bytes, state->config.mss, psn);
  const int64_t nominal     = payload + UET_NOMINAL_OVERHEAD;
  if (group->in_flight + nominal > state->window)
    return TURN_NO_WINDOW;
  if (!nic_reserve(nic, UET_DATA_CLASS, payload + UET_DATA_OVERHEAD))
    return TURN_NO_ROOM;
  group->in_flight += nominal;
  group->turn = pdc->next;
  if (again != NULL)
    commit_retransmission(nic, pdc, payload);
  else
    commit_segment(nic, pdc, payload);
  if (!has_something_to_send(pdc))
    rotation_remove(group, pdc);
  return TURN_SENT;
}

void uet_transmit(nic_t* nic)
{
  uet_state_t* state        = uet_state(nic);
  state->generation_stopped = false;
  while (state->ready_first != NULL) {
    uet_group_t* group = state->ready_first;
    switch (take_turn(nic, group)) {
      case TURN_NO_ROOM: /* the group keeps the head; nothing smaller is looked for */
        state->generation_stopped = true;
        return;
      case TURN_NOTHING:
      case TURN_NO_WINDOW:
        ready_pop(state);
        break;
      case TURN_SENT:
        ready_pop(state);
        if (group->turn != NULL)
          ready_push(state, group, false);
        break;
    }
  }
}

void uet_room(nic_t* nic, unsigned tc)
{
  const nic_egress_pool_t* pool = &nic->egress[tc];
  if (tc == UET_DATA_CLASS && uet_state(nic)->generation_stopped && 2 * pool->reserved <= pool->size)
    uet_transmit(nic);
}
