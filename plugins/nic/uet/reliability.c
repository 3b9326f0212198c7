/* Timers and acknowledgements at the sender (spec/uet-nic.md 8.7, 8.8, 8.10). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/uet/uet.h"

/* ---- Packets that are not acknowledged --------------------------------------------------------------------------- */

enum { SLAB_PACKETS = 128 };

uet_packet_t* uet_packet_new(uet_state_t* state)
{
  if (state->free_packets == NULL) {
    uet_packet_t* slab  = sgf_calloc(SLAB_PACKETS, sizeof *slab);
    state->packet_slabs = sgf_realloc(state->packet_slabs, state->packet_slab_count + 1, sizeof(void*));
    state->packet_slabs[state->packet_slab_count++] = slab;
    for (size_t i = 0; i < SLAB_PACKETS; i++) {
      slab[i].next        = state->free_packets;
      state->free_packets = &slab[i];
    }
  }
  uet_packet_t* packet = state->free_packets;
  state->free_packets  = packet->next;
  *packet              = (uet_packet_t){0};
  return packet;
}

void uet_list_append(uet_packet_list_t* list, uet_packet_t* packet)
{
  packet->next     = NULL;
  packet->previous = list->last;
  if (list->last != NULL)
    list->last->next = packet;
  else
    list->first = packet;
  list->last = packet;
}

void uet_list_remove(uet_packet_list_t* list, uet_packet_t* packet)
{
  if (packet->previous != NULL)
    packet->previous->next = packet->next;
  else
    list->first = packet->next;
  if (packet->next != NULL)
    packet->next->previous = packet->previous;
  else
    list->last = packet->previous;
}

static int64_t nominal_bytes(const nic_t* nic, const uet_packet_t* packet)
{
  return uet_payload(packet->pdc->message->bytes, uet_state(nic)->config.mss, packet->psn) + UET_NOMINAL_OVERHEAD;
}

/* The packet of this PDC with this number, or NULL if it is acknowledged or not sent yet. */
static uet_packet_t* outstanding(const uet_pdc_t* pdc, uint32_t psn)
{
  return psn >= pdc->base && psn < pdc->next_psn ? pdc->ring[psn % pdc->ring_size] : NULL;
}

/* ---- Retransmission timer (8.10) --------------------------------------------------------------------------------- */

opp_simtime_t uet_rto(const uet_config_t* config, unsigned retransmissions, unsigned* level)
{
  *level = 0;
  if (config->fixed_rto_enable)
    return config->fixed_rto;
  *level = retransmissions < config->max_backoff ? retransmissions : (unsigned)config->max_backoff;
  return config->initial_rto << *level;
}

static void start_timer(nic_t* nic, uet_packet_t* packet)
{
  uet_state_t* state = uet_state(nic);
  unsigned level;
  packet->expiry          = nic_now(nic) + uet_rto(&state->config, packet->retransmissions, &level);
  packet->level           = (uint8_t)level;
  packet->state           = UET_SENT;
  uet_packet_list_t* list = &state->timers[level];
  uet_list_append(list, packet);
  if (!opp_msg_is_scheduled(state->timer[level]))
    opp_schedule_at(nic->module, packet->expiry, state->timer[level]);
}

void uet_serialised(nic_t* nic, opp_msg_t* msg)
{
  const uet_header_t* header = uet_header(net_frame(msg));
  if (header->type != UET_DATA)
    return;
  uet_pdc_t* pdc = uet_sending_pdc(nic, header->src_pdc, header->message);
  if (pdc == NULL)
    return;
  if (!(header->flags & UET_FLAG_RETRANSMIT))
    pdc->unsent_bytes -= msg->bytes;
  uet_packet_t* packet = outstanding(pdc, header->psn);
  if (packet != NULL &&
      packet->state == UET_COMMITTED) /* else an earlier transmission of it was acknowledged meanwhile */
    start_timer(nic, packet);
}

/* A packet is no longer in flight: send it again, ahead of new data. */
static void queue_retransmission(nic_t* nic, uet_packet_t* packet)
{
  packet->pdc->group->in_flight -= nominal_bytes(nic, packet);
  packet->state = UET_TO_RETRANSMIT;
  uet_list_append(&packet->pdc->retransmit, packet);
  uet_make_ready(nic, packet->pdc, true);
}

static void expire(nic_t* nic, uet_packet_t* packet)
{
  uet_list_remove(&uet_state(nic)->timers[packet->level], packet);
  queue_retransmission(nic, packet);
}

void uet_timeout(nic_t* nic, unsigned level)
{
  uet_state_t* state      = uet_state(nic);
  uet_packet_list_t* list = &state->timers[level];
  bool expired            = false;
  while (list->first != NULL && list->first->expiry <= nic_now(nic)) {
    expire(nic, list->first);
    expired = true;
  }
  if (list->first != NULL)
    opp_schedule_at(nic->module, list->first->expiry, state->timer[level]);
  if (expired)
    uet_transmit(nic);
}

/* ---- Acknowledgements -------------------------------------------------------------------------------------------- */

static void retire(nic_t* nic, uet_pdc_t* pdc, uint32_t psn)
{
  uet_packet_t* packet = outstanding(pdc, psn);
  if (packet == NULL)
    return;
  uet_state_t* state = uet_state(nic);
  if (packet->state == UET_SENT)
    uet_list_remove(&state->timers[packet->level], packet);
  if (packet->state == UET_TO_RETRANSMIT)
    uet_list_remove(&pdc->retransmit, packet);
  else
    pdc->group->in_flight -= nominal_bytes(nic, packet);
  pdc->ring[psn % pdc->ring_size] = NULL;
  packet->next                    = state->free_packets;
  state->free_packets             = packet;
  pdc->acknowledged++;
  ++*nic->owner.progress;
  while (pdc->base < pdc->next_psn && pdc->ring[pdc->base % pdc->ring_size] == NULL)
    pdc->base++;
}

void uet_acknowledged(nic_t* nic, const uet_header_t* header)
{
  uet_pdc_t* pdc = uet_sending_pdc(nic, header->dst_pdc, header->message);
  if (pdc == NULL)
    return;
  pdc->peer = header->src_pdc;
  while (pdc->base < header->expected && pdc->base < pdc->next_psn)
    retire(nic, pdc, pdc->base);
  retire(nic, pdc, header->psn);
  for (uint64_t bits = header->ack.bitmap; bits != 0; bits &= bits - 1)
    retire(nic, pdc, header->ack.base + (uint32_t)__builtin_ctzll(bits));

  uet_group_t* group = pdc->group;
  if (pdc->acknowledged == pdc->packet_count)
    uet_close(nic, pdc);
  if (group->turn != NULL)
    uet_make_ready(nic, group->turn, true);
  uet_transmit(nic);
}

/* A packet that a switch has cut to its headers. One that is retired, or queued again already, is no longer in flight
 * (8.9). */
void uet_trimmed(nic_t* nic, const uet_header_t* header)
{
  uet_pdc_t* pdc       = uet_sending_pdc(nic, header->dst_pdc, header->message);
  uet_packet_t* packet = pdc != NULL ? outstanding(pdc, header->psn) : NULL;
  if (packet != NULL && packet->state == UET_SENT) {
    uet_list_remove(&uet_state(nic)->timers[packet->level], packet);
    queue_retransmission(nic, packet);
  }
  uet_transmit(nic);
}
