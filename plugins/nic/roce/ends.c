/* Receiving ends: who they belong to (spec/roce-nic.md 7, 5; 10.1). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/roce/roce.h"

static uint32_t hash(uint32_t src, uint32_t queue_pair)
{
  const uint64_t product = ((uint64_t)src << 32 | queue_pair) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(product >> 32);
}

/* The slot of (src, queue_pair): where it is, or where it belongs. */
static roce_end_t** table_slot(roce_end_t** table, uint32_t size, uint32_t src, uint32_t queue_pair)
{
  uint32_t slot = hash(src, queue_pair) & (size - 1);
  while (table[slot] != NULL && (table[slot]->src != src || table[slot]->queue_pair != queue_pair))
    slot = (slot + 1) & (size - 1);
  return &table[slot];
}

static void table_grow(roce_state_t* state)
{
  const uint32_t size = state->end_table_size == 0 ? 16 : 2 * state->end_table_size;
  roce_end_t** table  = sgf_calloc(size, sizeof(roce_end_t*));
  for (uint32_t i = 0; i < state->end_count; i++)
    *table_slot(table, size, state->ends[i]->src, state->ends[i]->queue_pair) = state->ends[i];
  free(state->end_table);
  state->end_table      = table;
  state->end_table_size = size;
}

roce_end_t* roce_end_find(const roce_state_t* state, uint32_t src, uint32_t queue_pair)
{
  return state->end_table_size == 0 ? NULL : *table_slot(state->end_table, state->end_table_size, src, queue_pair);
}

static roce_end_t* end_new(roce_state_t* state, uint32_t src, uint32_t queue_pair)
{
  if (2 * (state->end_count + 1) > state->end_table_size)
    table_grow(state);
  roce_end_t* end  = sgf_calloc(1, sizeof *end);
  end->src         = src;
  end->queue_pair  = queue_pair;
  end->answered_at = -1;
  roce_acks_init(&end->acks, &state->acks_config);

  state->ends                     = sgf_realloc(state->ends, state->end_count + 1, sizeof(roce_end_t*));
  state->ends[state->end_count++] = end;
  *table_slot(state->end_table, state->end_table_size, src, queue_pair) = end;
  return end;
}

/* The sender begins its next message when all of the one before is acknowledged: nothing of that is of use any more. */
static void next_message(roce_end_t* end, uint64_t message)
{
  roce_acks_next_message(&end->acks);
  end->message          = message;
  end->packet_count     = 0;
  end->received_payload = 0;
  end->answered_at      = -1;
  end->closing          = (nic_closing_t){0};
}

roce_end_t* roce_end_for(nic_t* nic, const net_frame_t* frame)
{
  roce_state_t* state         = roce_state(nic);
  const roce_header_t* header = roce_header_const(frame);
  roce_end_t* end             = roce_end_find(state, frame->src, header->queue_pair);
  if (end == NULL)
    end = end_new(state, frame->src, header->queue_pair);
  end->src_port      = frame->src_port;
  end->control_class = header->control_class;
  if (header->message > end->message)
    next_message(end, header->message);
  return end;
}
