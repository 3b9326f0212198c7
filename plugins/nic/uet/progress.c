/* How far a message is: for the bound of its completion, and for who waits for what. */
#include <inttypes.h>
#include <stdio.h>

#include "nic/closing.h"
#include "nic/uet/uet.h"

/* A frame has started on the cable to this NIC. An acknowledgement that was drawn once all had arrived may complete its
 * write; any data packet may complete its message. */
void uet_closing(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival)
{
  const net_frame_t* frame   = net_frame(msg);
  const uet_header_t* header = uet_header(net_frame(msg));
  if (frame->type == NET_FRAME_PFC || header->type == UET_NACK || header->type == UET_PROBE)
    return;
  if (header->type == UET_ACK) {
    uet_pdc_t* pdc = frame->closing ? uet_sending_pdc(nic, header->dst_pdc, header->message) : NULL;
    if (pdc != NULL)
      nic_closing_note(&pdc->closing, nic_now(nic), arrival);
    return;
  }
  uet_end_t* end = uet_end_find(uet_state(nic), frame->src, header->src_pdc);
  if (end != NULL && end->message == header->message)
    nic_closing_note(&end->closing, nic_now(nic), arrival);
  else
    nic_closing_unmatched(&uet_state(nic)->unmatched_closing, arrival);
}

void uet_progress_sent(nic_t* nic, const nic_message_t* message, nic_progress_t* progress)
{
  const uet_state_t* state = uet_state(nic);
  const uet_pdc_t* pdc     = message->sending;
  uet_pace_progress(nic, message, progress);
  if (pdc == NULL) {
    progress->unsent_bytes =
        (int64_t)(message->bytes + nic_packet_count(message->bytes, state->config.mss) * UET_DATA_OVERHEAD);
    return;
  }
  progress->unsent_bytes = pdc->unsent_bytes;
  progress->closing      = pdc->closing;
}

void uet_progress_received(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress)
{
  const uet_pdc_t* pdc       = message->sending;
  const uet_end_t* end       = pdc == NULL ? NULL : uet_end_find(uet_state(nic), src, pdc->id);
  progress->unreceived_bytes = (int64_t)message->bytes;
  if (end == NULL || end->message != message->number) {
    progress->closing.last = OPP_TIME_MAX; /* its first packet may be under way, unknown */
    return;
  }
  progress->unreceived_bytes -= (int64_t)end->received_payload; /* headers left out: the bound stays below */
  progress->answered_at = end->answered_at;
  progress->closing     = nic_closing_of(end->closing, nic_now(nic), uet_state(nic)->unmatched_closing);
}

void uet_waits(nic_t* nic, const nic_message_t* message, char* line, size_t size)
{
  const uet_state_t* state = uet_state(nic);
  const uet_pdc_t* pdc     = message->sending;
  if (pdc == NULL) {
    snprintf(line, size, "waits for a free PDC; all %d are in use", UET_MAX_SENDER_PDCS);
    return;
  }
  const char* reason;
  const uint32_t committed = pdc->next_psn - pdc->acknowledged;
  if (nic->port.held >> state->data_class & 1 && nic->port.queues[state->data_class].first != NULL)
    reason = "its class is paused by the peer";
  else if (state->generation_stopped && pdc->in_rotation)
    reason = "no room for the next packet in the transmit pool of its class";
  else if (committed > 0)
    reason = "acknowledgements are awaited";
  else if (pdc->next_psn == pdc->pace.eligible)
    reason = "its own rate lets the next packet go later";
  else
    reason = "its turn has not come";
  snprintf(line, size,
           "%" PRIu32 " of %" PRIu32 " packets acknowledged, %" PRIu32 " under way, %" PRIu64 " retransmissions: %s",
           pdc->acknowledged, pdc->packet_count, committed, pdc->retransmissions, reason);
}
