/* How far a message is: for the bound of its completion, and for who waits for what. */
#include <inttypes.h>
#include <stdio.h>

#include "nic/closing.h"
#include "nic/udp/udp.h"

/* Any datagram may complete its message. */
void udp_closing(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival)
{
  udp_state_t* state       = udp_state(nic);
  const net_frame_t* frame = net_frame(msg);
  if (frame->type == NET_FRAME_PFC)
    return;
  udp_end_t* end = udp_end_find(&state->ends, udp_header_const(frame)->message);
  if (end != NULL)
    nic_closing_note(&end->closing, nic_now(nic), arrival);
  else
    nic_closing_unmatched(&state->unmatched_closing, arrival);
}

/* One that is not under way here has left. */
void udp_progress_sent(nic_t* nic, const nic_message_t* message, nic_progress_t* progress)
{
  const udp_sending_t* sending = message->sending;
  if (sending == NULL)
    return;
  progress->unsent_bytes = sending->unsent_bytes;
  nic_pace_progress(&sending->pace, nic_now(nic), sending->generated, sending->packet_count, udp_state(nic)->config.mss,
                    sending->serialised == sending->generated, progress);
}

void udp_progress_received(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress)
{
  (void)src; /* numbers are unique in the fabric */
  const udp_state_t* state   = udp_state(nic);
  const udp_end_t* end       = udp_end_find(&state->ends, message->number);
  progress->unreceived_bytes = (int64_t)message->bytes;
  if (end == NULL) {
    progress->closing.last = OPP_TIME_MAX; /* its first datagram may be under way, unknown */
    return;
  }
  progress->unreceived_bytes -= (int64_t)end->received; /* headers left out: the bound stays below */
  progress->closing = nic_closing_of(end->closing, nic_now(nic), state->unmatched_closing);
}

void udp_waits(nic_t* nic, const nic_message_t* message, char* line, size_t size)
{
  const udp_sending_t* sending = message->sending;
  const char* reason           = "its datagrams are on the way to the port";
  if (nic->port.held >> sending->tc & 1 && nic->port.queues[sending->tc].first != NULL)
    reason = "its class is paused by the peer";
  else if (nic_now(nic) < sending->rings_at)
    reason = "its doorbell is on the way";
  else if (sending->ready)
    reason = "no room for the next datagram in the transmit pool of its class";
  else if (sending->generated < sending->packet_count)
    reason = "its own rate lets the next datagram go later";
  snprintf(line, size, "%" PRIu32 " of %" PRIu32 " datagrams have left: %s", sending->serialised, sending->packet_count,
           reason);
}
