/* How far a message is: for the bound of its completion, and for who waits for what. */
#include <inttypes.h>
#include <stdio.h>

#include "nic/closing.h"
#include "nic/roce/roce.h"
#include "nic/segments.h"

/* A frame has started on the cable to this NIC. An ACK of a last packet may complete its write; any data packet may
 * complete its message. */
void roce_closing(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival)
{
  roce_state_t* state         = roce_state(nic);
  const net_frame_t* frame    = net_frame(msg);
  const roce_header_t* header = roce_header(net_frame(msg));
  if (frame->type == NET_FRAME_PFC || header->type == ROCE_NAK || header->type == ROCE_CNP)
    return;
  if (header->type == ROCE_ACK) {
    roce_pair_t* pair = frame->closing ? roce_pair_sending(nic, header->queue_pair, header->message) : NULL;
    if (pair != NULL)
      nic_closing_note(&pair->closing, nic_now(nic), arrival);
    return;
  }
  roce_end_t* end = roce_end_find(state, frame->src, header->queue_pair);
  if (end != NULL && end->message == header->message)
    nic_closing_note(&end->closing, nic_now(nic), arrival);
  else
    nic_closing_unmatched(&state->unmatched_closing, arrival);
}

void roce_progress_sent(nic_t* nic, const nic_message_t* message, nic_progress_t* progress)
{
  const roce_state_t* state = roce_state(nic);
  const roce_pair_t* pair   = message->sending;
  const uint64_t mss        = (uint64_t)state->config.mss;
  if (pair == NULL) { /* behind another on its queue pair, which may be in no hurry */
    progress->unsent_bytes = (int64_t)(message->bytes + nic_packet_count(message->bytes, mss) * ROCE_DATA_OVERHEAD);
    if (state->pacing > 0)
      progress->resumes_at = nic_now(nic);
    return;
  }
  nic_pace_progress(&pair->pace, roce_pace_now(nic), pair->generated, pair->window.packets, mss,
                    pair->window.base == pair->generated, progress);
  progress->unsent_bytes = pair->unsent_bytes;
  progress->closing      = pair->closing;
}

void roce_progress_received(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress)
{
  const roce_state_t* state  = roce_state(nic);
  const roce_pair_t* pair    = message->sending;
  const roce_end_t* end      = pair == NULL ? NULL : roce_end_find(state, src, pair->number);
  progress->unreceived_bytes = (int64_t)message->bytes;
  if (end == NULL || end->message != message->number) {
    progress->closing.last = OPP_TIME_MAX; /* its first packet may be under way, unknown */
    return;
  }
  progress->unreceived_bytes -= (int64_t)end->received_payload; /* headers left out: the bound stays below */
  progress->answered_at = end->answered_at;
  progress->closing     = nic_closing_of(end->closing, nic_now(nic), state->unmatched_closing);
}

void roce_waits(nic_t* nic, const nic_message_t* message, char* line, size_t size)
{
  const roce_state_t* state = roce_state(nic);
  const roce_pair_t* pair   = message->sending;
  if (pair == NULL) {
    snprintf(line, size, "waits for the message before it on its queue pair");
    return;
  }
  const roce_window_t* window = &pair->window;
  const unsigned tc           = pair->classes.data;
  const char* reason;
  if (nic->port.held >> tc & 1 && nic->port.queues[tc].first != NULL)
    reason = "its class is paused by the peer";
  else if (state->stopped && pair->ready)
    reason = state->stopped_by == tc ? "no room for the next packet in the transmit pool of its class"
                                     : "a packet of another class waits for room in the transmit pool";
  else if (window->base < window->next)
    reason = "acknowledgements are awaited";
  else if (window->next < window->fetch)
    reason = "payload is on its way from the host";
  else if (window->fetch == pair->pace.eligible)
    reason = "its own rate lets the next packet go later";
  else
    reason = "its turn has not come";
  snprintf(line, size,
           "%" PRIu32 " of %" PRIu32 " packets acknowledged, %" PRIu32 " under way, %" PRIu64 " retransmissions: %s",
           window->base, window->packets, window->next - window->base, pair->resent, reason);
}
