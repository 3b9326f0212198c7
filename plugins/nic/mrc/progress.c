/* How far a message is: for the bound of its completion, and for who waits for what. */
#include <inttypes.h>
#include <stdio.h>

#include "nic/closing.h"
#include "nic/mrc/mrc.h"

/* ---- Frames on the last cable ------------------------------------------------------------------------------------ */

/* An answer that arrives then acknowledges this PSN. If all packets of the message are acknowledged, or by what is on
 * the cable, it may be the one that completes it; frames before it may still be dropped. */
static void foresee(nic_t* nic, const mrc_pair_t* pair, uint32_t psn, opp_simtime_t arrival)
{
  mrc_packet_t* packet = mrc_outstanding(pair, psn);
  if (packet == NULL)
    return;
  mrc_outgoing_t* outgoing = packet->outgoing;
  outgoing->foreseen += !packet->foreseen;
  packet->foreseen = true;
  if (outgoing->acknowledged + outgoing->foreseen == outgoing->packets)
    nic_closing_note(&outgoing->closing, nic_now(nic), arrival);
}

static void foresee_all(nic_t* nic, const net_frame_t* frame, opp_simtime_t arrival)
{
  const mrc_header_t* answer = mrc_header_const(frame);
  const mrc_pair_t* pair     = mrc_pair_find(nic, frame->src, answer->queue_pair);
  if (pair == NULL)
    return;
  for (uint32_t psn = pair->base; psn < answer->ack.expected; psn++)
    foresee(nic, pair, psn, arrival);
  if (answer->type != MRC_SACK)
    return;
  if (!(answer->flags & MRC_FLAG_PROBE))
    foresee(nic, pair, answer->psn, arrival);
  for (uint64_t bits = answer->ack.bitmap; bits != 0; bits &= bits - 1)
    foresee(nic, pair, answer->ack.base + (uint32_t)__builtin_ctzll(bits), arrival);
}

/* A frame has started on the cable to this NIC. Any data packet may let messages of its queue pair be delivered. */
void mrc_closing(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival)
{
  const net_frame_t* frame   = net_frame(msg);
  const mrc_header_t* header = mrc_header_const(frame);
  if (frame->type == NET_FRAME_PFC)
    return;
  if (header->type == MRC_ACK || header->type == MRC_SACK)
    foresee_all(nic, frame, arrival);
  if (header->type != MRC_DATA)
    return;
  mrc_state_t* state = mrc_state(nic);
  mrc_end_t* end     = mrc_table_find(&state->ends, frame->src, header->queue_pair);
  if (end != NULL)
    nic_closing_note(&end->closing, nic_now(nic), arrival);
  else
    nic_closing_unmatched(&state->unmatched_closing, arrival);
}

/* ---- Progress ---------------------------------------------------------------------------------------------------- */

/* Packets of a message that are generated. */
static uint32_t generated(const mrc_outgoing_t* outgoing)
{
  const uint32_t next = outgoing->pair->next_psn;
  if (next <= outgoing->first_psn)
    return 0;
  return next - outgoing->first_psn < outgoing->packets ? next - outgoing->first_psn : outgoing->packets;
}

static void pace_progress(const nic_t* nic, const mrc_outgoing_t* outgoing, nic_progress_t* progress)
{
  const uint32_t done = generated(outgoing);
  nic_pace_progress(&outgoing->pace, nic_now(nic), done, outgoing->packets, (uint64_t)mrc_state(nic)->config.mss,
                    outgoing->acknowledged == done, progress);
}

void mrc_progress_sent(nic_t* nic, const nic_message_t* message, nic_progress_t* progress)
{
  const mrc_outgoing_t* outgoing = message->sending;
  if (outgoing == NULL)
    return;
  const mrc_outgoing_t* current = outgoing->pair->current;
  pace_progress(nic, outgoing, progress);
  if (current != NULL && current != outgoing && generated(outgoing) == 0) { /* it waits for that one's rate too */
    nic_progress_t ahead = {0};
    pace_progress(nic, current, &ahead);
    progress->resumes_at = ahead.resumes_at;
  }
  progress->unsent_bytes = outgoing->unsent_bytes;
  progress->closing      = outgoing->closing;
}

/* A message that is complete and no longer kept was answered at some time: the bound stays below. */
static void progress_of(const mrc_end_t* end, const mrc_outgoing_t* outgoing, nic_progress_t* progress)
{
  const mrc_incoming_t* incoming = mrc_inbox_find(&end->inbox, outgoing->first_psn);
  if (incoming != NULL) {
    progress->unreceived_bytes -= (int64_t)incoming->payload; /* headers left out: the bound stays below */
    progress->answered_at = incoming->complete_at;
  } else if (end->arrivals.expected >= outgoing->first_psn + outgoing->packets) {
    progress->unreceived_bytes = 0;
    progress->answered_at      = 0;
  }
}

void mrc_progress_received(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress)
{
  const mrc_state_t* state       = mrc_state(nic);
  const mrc_outgoing_t* outgoing = message->sending;
  const mrc_end_t* end = outgoing == NULL ? NULL : mrc_table_find(&state->ends, src, outgoing->pair->key.queue_pair);
  progress->unreceived_bytes = (int64_t)message->bytes;
  if (end == NULL) {
    progress->closing.last = OPP_TIME_MAX; /* its first packet may be under way, unknown */
    return;
  }
  progress_of(end, outgoing, progress);
  progress->closing = nic_closing_of(end->closing, nic_now(nic), state->unmatched_closing);
}

void mrc_waits(nic_t* nic, const nic_message_t* message, char* line, size_t size)
{
  const mrc_state_t* state       = mrc_state(nic);
  const mrc_outgoing_t* outgoing = message->sending;
  if (outgoing == NULL) {
    snprintf(line, size, "its queue pair has no sequence numbers left");
    return;
  }
  const char* reason;
  const mrc_pair_t* pair   = outgoing->pair;
  const uint32_t under_way = generated(outgoing) - outgoing->acknowledged;
  if (pair->current != NULL && pair->current != outgoing && generated(outgoing) == 0)
    reason = "messages before it on its queue pair are not sent yet";
  else if (state->generation_stopped && pair->place == MRC_READY)
    reason = "no room for the next packet in the transmit pool of its class";
  else if (under_way > 0)
    reason = "acknowledgements are awaited";
  else if (generated(outgoing) == outgoing->pace.eligible)
    reason = "its own rate lets the next packet go later";
  else if (pair->place == MRC_WAITS_FOR_WINDOW)
    reason = "the congestion window has no room for the next packet";
  else
    reason = "its turn has not come";
  snprintf(line, size,
           "%" PRIu32 " of %" PRIu32 " packets acknowledged, %" PRIu32 " under way, %" PRIu64 " retransmissions: %s",
           outgoing->acknowledged, outgoing->packets, under_way, outgoing->retransmissions, reason);
}
