/* Receiving: data goes to the host as it arrives, acknowledgements are held, messages are delivered
 * (spec/uet-nic.md 8.5, 8.7, 8.13). */
#include "nic/uet/uet.h"

/* ---- Acknowledgements (8.7) -------------------------------------------------------------------------------------- */

static uint16_t service_steps(opp_simtime_t hold)
{
  const opp_simtime_t steps = hold / UET_SERVICE_STEP;
  return (uint16_t)(steps < UINT16_MAX ? steps : UINT16_MAX);
}

static bool is_complete(const uet_end_t* end)
{
  return end->packet_count != 0 && end->expected == end->packet_count;
}

/* A packet back to the sender of `data`, whose entropy value it returns. */
static opp_msg_t* answer(nic_t* nic, const net_frame_t* data, uet_type_t type, uint32_t bytes)
{
  const uet_header_t* received = uet_header_const(data);
  opp_msg_t* msg               = opp_frame_new(nic->module, 0, bytes);
  net_frame_t* frame           = net_frame(msg);
  frame->src                   = nic->address;
  frame->dst                   = data->src;
  frame->src_port              = data->src_port;
  frame->dst_port              = UET_UDP_PORT;
  frame->protocol              = NET_PROTOCOL_UDP;
  frame->dscp                  = uet_dscp(nic, NET_ROLE_CONTROL);
  frame->ecn                   = NET_ECN_ECT1;
  frame->tc                    = UET_CONTROL_CLASS;
  uet_header_t* header         = uet_header(frame);
  header->type                 = (uint8_t)type;
  header->flags                = received->flags & UET_FLAG_RETRANSMIT;
  header->message              = received->message;
  header->psn                  = received->psn;
  header->dst_pdc              = received->src_pdc;
  if (data->ecn == NET_ECN_CE)
    header->flags |= UET_FLAG_ECN_ECHO;
  return msg;
}

/* Send the acknowledgement of a data packet, held for as long as PCIe needs to drain what waits; in the order in which
 * they are generated, one order for the NIC (B16). */
static void acknowledge(nic_t* nic, uet_end_t* end, const net_frame_t* data, opp_simtime_t hold)
{
  uet_state_t* state   = uet_state(nic);
  opp_msg_t* msg       = answer(nic, data, UET_ACK, UET_ACK_BYTES);
  net_frame_t* frame   = net_frame(msg);
  frame->closing       = is_complete(end);
  uet_header_t* header = uet_header(frame);
  header->src_pdc      = end->id;
  header->service_time = service_steps(hold);
  header->expected     = end->expected;
  header->ack.base     = uet_end_bitmap(end, &header->ack.bitmap);

  const opp_simtime_t release = nic_now(nic) + hold;
  if (release > state->last_ack_release)
    state->last_ack_release = release;
  if (frame->closing && end->answered_at < 0)
    end->answered_at = state->last_ack_release;
  msg->kind = UET_HELD_ACK;
  opp_schedule_on_line(nic->module, state->held_acks, state->last_ack_release, msg);
}

/* ---- Trimmed packets (8.9) --------------------------------------------------------------------------------------- */

/* Nothing is delivered or noted; the NACK goes at once, ahead of what is held. Takes the frame. */
static void receive_trimmed(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame = net_frame(msg);
  opp_msg_t* nack    = answer(nic, frame, UET_NACK, UET_NACK_BYTES);
  if (uet_role(nic, frame) == NET_ROLE_TRIMMED_LAST_HOP)
    uet_header(net_frame(nack))->flags |= UET_FLAG_LAST_HOP;
  nic_release(nic, frame);
  opp_msg_delete(msg);
  nic_send_control(nic, nack);
}

/* ---- Deliveries (8.13) ------------------------------------------------------------------------------------------- */

/* The message of this data frame is complete in host memory. Takes the frame. */
void uet_delivered(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame            = net_frame(msg);
  const uet_header_t* header    = uet_header(frame);
  const nic_delivery_t delivery = {
      .number = header->message, .bytes = header->data.bytes, .tag = header->data.tag, .src = frame->src};
  opp_msg_delete(msg);
  nic->owner.delivered(nic->owner.user, nic, &delivery);
}

/* PCIe is one FIFO: when the write of the packet that completes the message has crossed, so have those before it. */
void uet_written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date)
{
  if (!(uet_header(net_frame(msg))->flags & UET_FLAG_COMPLETES)) {
    opp_msg_delete(msg);
    return;
  }
  msg->kind = UET_DELIVERED;
  opp_schedule_on_line(nic->module, uet_state(nic)->deliveries, date, msg);
}

/* ---- Data (8.5) -------------------------------------------------------------------------------------------------- */

/* Note a new packet in its end. True: it completes the message. */
static bool take_note(uet_end_t* end, const uet_header_t* header, int64_t payload)
{
  end->received_payload += (uint64_t)payload;
  if (header->flags & UET_FLAG_END)
    end->packet_count = header->psn + 1;
  return is_complete(end);
}

static void receive_data(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame    = net_frame(msg);
  uet_header_t* header  = uet_header(frame);
  const int64_t payload = nic->transport->payload(msg);
  /* The pool is read before this packet is charged, and the packet counted once (B16): which is its occupancy now. */
  const opp_simtime_t hold = opp_rate_duration(uet_state(nic)->lanes, 8 * nic->ingress[frame->tc].occupancy);
  uet_end_t* end           = uet_end_for(nic, frame, header);
  if (end == NULL || header->message < end->message) { /* a late duplicate of a message that is closed */
    nic_release(nic, frame);
    opp_msg_delete(msg);
    return;
  }
  const bool is_new = uet_end_mark(end, header->psn);
  if (is_new) {
    ++*nic->owner.progress;
    if (take_note(end, header, payload))
      header->flags |= UET_FLAG_COMPLETES;
  }
  net_frame_t received = *frame; /* the write takes the frame away */
  if (is_new && payload > 0)
    nic_write(nic, msg);
  else {
    nic_release(nic, frame);
    uet_written(nic, msg, nic_now(nic)); /* nothing to write: as if it had been */
  }
  if (uet_header(&received)->flags & UET_FLAG_AR)
    acknowledge(nic, end, &received, hold);
}

void uet_received(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame = net_frame(msg);
  if (net_role_is_trimmed(uet_role(nic, frame))) {
    receive_trimmed(nic, msg);
    return;
  }
  if (uet_header(frame)->type == UET_DATA) {
    receive_data(nic, msg);
    return;
  }
  const uet_header_t header = *uet_header(frame);
  nic_release(nic, frame);
  opp_msg_delete(msg);
  if (header.type == UET_NACK)
    uet_trimmed(nic, &header);
  else
    uet_acknowledged(nic, &header);
}
