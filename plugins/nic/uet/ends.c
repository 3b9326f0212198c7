/* Receiving ends: who they belong to, and which packets have arrived (spec/uet-nic.md 8.1, 8.5, 8.8). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/uet/uet.h"

/* ---- Finding an end ---------------------------------------------------------------------------------------------- */

static uint32_t hash(uint32_t src, uint16_t peer)
{
  const uint64_t product = ((uint64_t)src << 16 | peer) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(product >> 32);
}

/* The slot of (src, peer): where it is, or where it belongs. */
static uet_end_t** table_slot(uet_end_t** table, uint32_t size, uint32_t src, uint16_t peer)
{
  uint32_t slot = hash(src, peer) % size;
  while (table[slot] != NULL && (table[slot]->src != src || table[slot]->peer != peer))
    slot = (slot + 1) % size;
  return &table[slot];
}

static void table_grow(uet_state_t* state)
{
  const uint32_t size = state->end_table_size == 0 ? 16 : 2 * state->end_table_size;
  uet_end_t** table   = sgf_calloc(size, sizeof *table);
  for (uint32_t i = 0; i < state->end_count; i++)
    *table_slot(table, size, state->ends[i]->src, state->ends[i]->peer) = state->ends[i];
  free(state->end_table);
  state->end_table      = table;
  state->end_table_size = size;
}

uet_end_t* uet_end_find(const uet_state_t* state, uint32_t src, uint16_t peer)
{
  return state->end_table_size == 0 ? NULL : *table_slot(state->end_table, state->end_table_size, src, peer);
}

static uet_end_t* end_new(nic_t* nic, uint32_t src, uint16_t peer)
{
  uet_state_t* state = uet_state(nic);
  if (state->end_count == UET_MAX_RECEIVER_PDCS) {
    opp_error(nic->module, "no PDC id is left for another sender; a NIC has %d receiving ends", UET_MAX_RECEIVER_PDCS);
    return NULL;
  }
  if (2 * (state->end_count + 1) > state->end_table_size)
    table_grow(state);
  uet_end_t* end = sgf_calloc(1, sizeof *end);
  end->src       = src;
  end->peer      = peer;
  end->id        = (uint16_t)(UET_FIRST_RECEIVER_PDC + state->end_count);
  nic_arrivals_init(&end->arrivals);

  state->ends                     = sgf_realloc(state->ends, state->end_count + 1, sizeof(uet_end_t*));
  state->ends[state->end_count++] = end;
  *table_slot(state->end_table, state->end_table_size, src, peer) = end;
  return end;
}

/* The port that an end would send from, had it anything to send. */
static uint16_t local_port(const uet_end_t* end)
{
  return (uint16_t)(UET_FIRST_LOCAL_PORT + (end->id - UET_FIRST_RECEIVER_PDC) % UET_LOCAL_PORTS);
}

/* The sender has begun another message on this PDC. What is left of one that it gave up is forgotten. */
static void end_restart(nic_t* nic, uet_end_t* end, uint64_t message)
{
  if (end->group != NULL)
    uet_group_leave(nic, end->group);
  *end = (uet_end_t){.src         = end->src,
                     .peer        = end->peer,
                     .id          = end->id,
                     .message     = message,
                     .arrivals    = end->arrivals,
                     .answered_at = -1};
  nic_arrivals_restart(&end->arrivals);
}

uet_end_t* uet_end_for(nic_t* nic, const net_frame_t* frame, const uet_header_t* header)
{
  uet_state_t* state = uet_state(nic);
  uet_end_t* end     = NULL;
  if (header->dst_pdc >= UET_FIRST_RECEIVER_PDC && header->dst_pdc - UET_FIRST_RECEIVER_PDC < (int)state->end_count)
    end = state->ends[header->dst_pdc - UET_FIRST_RECEIVER_PDC];
  else
    end = uet_end_find(state, frame->src, header->src_pdc);
  if (end == NULL)
    end = end_new(nic, frame->src, header->src_pdc);
  if (end != NULL && header->message > end->message) {
    end_restart(nic, end, header->message);
    end->group = state->config.groups ? uet_group_join(nic, end->src, local_port(end)) : NULL;
    if (state->recorder != NULL)
      uet_record_receiver_event(nic, SGF_PDC_CREATED, end);
  }
  return end;
}

/* ---- What has arrived -------------------------------------------------------------------------------------------- */

bool uet_end_is_complete(const uet_end_t* end)
{
  return end->packet_count != 0 && end->arrivals.expected == end->packet_count;
}

uint32_t uet_end_bitmap(uet_end_t* end, uint64_t* bitmap)
{
  return nic_arrivals_next_block(&end->arrivals, &end->next_block, bitmap);
}
