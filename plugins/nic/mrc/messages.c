/* Messages: each is a range of its queue pair's PSNs, generated in the order of posts (spec/mrc-nic.md 10.1, 12). */
#include "nic/mrc/mrc.h"

static void append(mrc_pair_t* pair, mrc_outgoing_t* outgoing)
{
  outgoing->previous = pair->newest;
  if (pair->newest != NULL)
    pair->newest->next = outgoing;
  else
    pair->oldest = outgoing;
  pair->newest = outgoing;
  if (pair->current == NULL)
    pair->current = outgoing;
}

static void ring_doorbell(nic_t* nic, mrc_pair_t* pair)
{
  mrc_state_t* state = mrc_state(nic);
  const bool idle    = state->ready.first == NULL && !state->generating && !opp_msg_is_scheduled(state->doorbell);
  mrc_make_ready(nic, pair);
  if (idle && state->ready.first != NULL)
    opp_schedule_after(nic->module, MRC_DOORBELL_DELAY, state->doorbell);
}

void mrc_post(nic_t* nic, nic_message_t* message)
{
  mrc_state_t* state     = mrc_state(nic);
  mrc_pair_t* pair       = mrc_pair_for(nic, message->dst, message->queue_pair);
  const uint64_t packets = nic_packet_count(message->bytes, (uint64_t)state->config.mss);
  state->counters.messages_posted++;
  if (packets > UINT32_MAX / 2 || packets > UINT32_MAX - pair->end_psn) {
    opp_error(nic->module, "a message of %llu bytes has more packets than queue pair %u has sequence numbers left",
              (unsigned long long)message->bytes, (unsigned)message->queue_pair);
    return;
  }
  mrc_outgoing_t* outgoing = nic_slabs_take(&state->outgoing, sizeof *outgoing);
  *outgoing =
      (mrc_outgoing_t){.message = message, .pair = pair, .first_psn = pair->end_psn, .packets = (uint32_t)packets};
  outgoing->unsent_bytes = (int64_t)message->bytes + (int64_t)packets * state->overhead;
  nic_pace_begin(&outgoing->pace, nic, message, outgoing->packets);
  message->sending = outgoing;
  pair->end_psn += outgoing->packets;
  append(pair, outgoing);
  mrc_probe_bad_paths(nic, pair);
  ring_doorbell(nic, pair);
}

void mrc_is_acknowledged(mrc_state_t* state, mrc_outgoing_t* outgoing)
{
  mrc_pair_t* pair = outgoing->pair;
  if (outgoing->previous != NULL)
    outgoing->previous->next = outgoing->next;
  else
    pair->oldest = outgoing->next;
  if (outgoing->next != NULL)
    outgoing->next->previous = outgoing->previous;
  else
    pair->newest = outgoing->previous;
  outgoing->next  = state->complete;
  state->complete = outgoing;
}

/* In the order in which they became complete. */
static mrc_outgoing_t* reversed(mrc_outgoing_t* list)
{
  mrc_outgoing_t* first = NULL;
  while (list != NULL) {
    mrc_outgoing_t* next = list->next;
    list->next           = first;
    first                = list;
    list                 = next;
  }
  return first;
}

void mrc_tell_of_acknowledged(nic_t* nic)
{
  mrc_state_t* state       = mrc_state(nic);
  mrc_outgoing_t* outgoing = reversed(state->complete);
  state->complete          = NULL;
  while (outgoing != NULL) {
    mrc_outgoing_t* next   = outgoing->next;
    nic_message_t* message = outgoing->message;
    nic_slabs_give(&state->outgoing, outgoing);
    message->sending = NULL;
    state->counters.messages_acknowledged++;
    nic->owner.acknowledged(nic->owner.user, message);
    outgoing = next;
  }
}
