/* Queue pairs at their senders, what those to one host share, and the turns they take (spec/mrc-nic.md 10.1, 11). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/mrc/mrc.h"

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static mrc_destination_t* destination_for(nic_t* nic, uint32_t address)
{
  mrc_state_t* state       = mrc_state(nic);
  mrc_destination_t** slot = &state->destinations[address - nic->first_host];
  if (*slot == NULL) {
    *slot = sgf_calloc(1, sizeof **slot);
    nscc_init(&(*slot)->congestion, &state->congestion, nic_now(nic));
  }
  return *slot;
}

mrc_pair_t* mrc_pair_find(const nic_t* nic, uint32_t address, uint32_t queue_pair)
{
  return mrc_table_find(&mrc_state(nic)->pairs, address, queue_pair);
}

mrc_pair_t* mrc_pair_for(nic_t* nic, uint32_t address, uint32_t queue_pair)
{
  mrc_state_t* state = mrc_state(nic);
  mrc_pair_t* pair   = mrc_pair_find(nic, address, queue_pair);
  if (pair != NULL)
    return pair;
  pair              = sgf_calloc(1, sizeof *pair);
  pair->key         = (mrc_key_t){.address = address, .queue_pair = queue_pair};
  pair->id          = state->pairs.count;
  pair->destination = destination_for(nic, address);
  pair->ring_size   = 128; /* a window of 450,000 B is 108 packets */
  pair->ring        = sgf_calloc(pair->ring_size, sizeof(mrc_packet_t*));
  mrc_loss_init(&pair->loss, (uint32_t)state->config.loss_reorder_threshold);
  mrc_paths_init(&pair->paths, (uint16_t)state->config.first_entropy_value, (uint16_t)state->config.entropy_values);
  mrc_table_add(&state->pairs, &pair->key);
  return pair;
}

void mrc_pairs_free(mrc_state_t* state)
{
  for (uint32_t i = 0; i < state->pairs.count; i++) {
    mrc_pair_t* pair = (mrc_pair_t*)state->pairs.all[i];
    mrc_loss_free(&pair->loss);
    mrc_paths_free(&pair->paths);
    free(pair->ring);
    free(pair);
  }
  mrc_table_free(&state->pairs);
}

/* ---- Queues ------------------------------------------------------------------------------------------------------ */

static void queue_push(mrc_pair_queue_t* queue, mrc_pair_t* pair, mrc_place_t place)
{
  pair->place    = (uint8_t)place;
  pair->next     = NULL;
  pair->previous = queue->last;
  if (queue->last != NULL)
    queue->last->next = pair;
  else
    queue->first = pair;
  queue->last = pair;
}

static void queue_remove(mrc_pair_queue_t* queue, mrc_pair_t* pair)
{
  if (pair->previous != NULL)
    pair->previous->next = pair->next;
  else
    queue->first = pair->next;
  if (pair->next != NULL)
    pair->next->previous = pair->previous;
  else
    queue->last = pair->previous;
  pair->place = MRC_IDLE;
}

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

static bool has_new_data(const nic_t* nic, const mrc_pair_t* pair)
{
  const mrc_outgoing_t* current = pair->current;
  return current != NULL && pair->next_psn - current->first_psn < current->pace.eligible &&
         pair->next_psn - pair->base < mrc_state(nic)->config.psn_window * MRC_PSN_UNIT;
}

bool mrc_has_something_to_send(const nic_t* nic, const mrc_pair_t* pair)
{
  return pair->retransmit.first != NULL || has_new_data(nic, pair);
}

void mrc_make_ready(nic_t* nic, mrc_pair_t* pair)
{
  if (pair->place == MRC_IDLE && mrc_has_something_to_send(nic, pair))
    queue_push(&mrc_state(nic)->ready, pair, MRC_READY);
}

void mrc_requeue(mrc_state_t* state, mrc_pair_t* pair)
{
  queue_remove(&state->ready, pair);
  queue_push(&state->ready, pair, MRC_READY);
}

void mrc_wait_for_window(mrc_state_t* state, mrc_pair_t* pair)
{
  queue_remove(&state->ready, pair);
  queue_push(&pair->destination->waiting, pair, MRC_WAITS_FOR_WINDOW);
}

void mrc_make_idle(mrc_state_t* state, mrc_pair_t* pair)
{
  queue_remove(&state->ready, pair);
}

/* Nominal bytes of the packet that a pair with something to send sends next. */
static int64_t next_nominal(const nic_t* nic, const mrc_pair_t* pair)
{
  const mrc_state_t* state = mrc_state(nic);
  if (pair->retransmit.first != NULL)
    return mrc_nominal(nic, mrc_packet_of(pair->retransmit.first));
  const mrc_outgoing_t* current = pair->current;
  return nic_packet_payload(current->message->bytes, (uint64_t)state->config.mss, pair->next_psn - current->first_psn) +
         state->overhead - NET_ETHERNET_BYTES;
}

/* What a pair waited to send may have been acknowledged since: it then learns so when its turn comes. */
void mrc_wake(nic_t* nic, mrc_destination_t* destination)
{
  mrc_pair_t* pair = destination->waiting.first;
  if (pair == NULL)
    return;
  if (mrc_has_something_to_send(nic, pair) &&
      !nscc_admits(&destination->congestion, destination->in_flight, next_nominal(nic, pair)))
    return;
  queue_remove(&destination->waiting, pair);
  queue_push(&mrc_state(nic)->ready, pair, MRC_READY);
}
