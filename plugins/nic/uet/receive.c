/* Receiving: data goes to the host as it arrives, messages are delivered (spec/uet-nic.md 8.5, 8.13). */
#include "nic/uet/uet.h"

/* ---- Deliveries (8.13) ------------------------------------------------------------------------------------------- */

/* The message of this data frame is complete in host memory. Takes the frame. */
void uet_delivered(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame            = net_frame(msg);
  const uet_header_t* header    = uet_header(frame);
  const nic_delivery_t delivery = {
      .number = header->message, .bytes = header->data.bytes, .tag = header->data.tag, .src = frame->src};
  if (uet_state(nic)->recorder != NULL)
    uet_record_receiver_event(nic, SGF_PDC_TERMINATED, uet_end_find(uet_state(nic), frame->src, header->src_pdc));
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

static void count_order(nic_t* nic, const uet_end_t* end, uint32_t psn, uint32_t expected_before)
{
  uet_state_t* state = uet_state(nic);
  if (psn <= expected_before)
    return;
  state->counters.out_of_order++;
  if (end->arrivals.held > state->counters.held_out_of_order)
    state->counters.held_out_of_order = end->arrivals.held;
  if (state->recorder != NULL)
    uet_record_held(nic, end->arrivals.held);
}

/* Note a new packet in its end. True: it completes the message. */
static bool take_note(nic_t* nic, uet_end_t* end, const uet_header_t* header, int64_t payload)
{
  ++*nic->owner.progress;
  end->received_payload += (uint64_t)payload;
  if (header->flags & UET_FLAG_END)
    end->packet_count = header->psn + 1;
  if (!uet_end_is_complete(end))
    return false;
  if (uet_state(nic)->recorder != NULL)
    uet_record_receiver_event(nic, SGF_RECV_COMPLETE, end);
  if (end->group != NULL) {
    uet_group_leave(nic, end->group);
    end->group = NULL;
  }
  return true;
}

static void receive_data(nic_t* nic, opp_msg_t* msg)
{
  sgf_uet_counters_t* counters = &uet_state(nic)->counters;
  net_frame_t* frame           = net_frame(msg);
  uet_header_t* header         = uet_header(frame);
  const int64_t payload        = nic->transport->payload(msg);
  /* The pool is read before this packet is charged, and the packet counted once (B16): which is its occupancy now. */
  const opp_simtime_t hold = opp_rate_duration(uet_state(nic)->lanes, 8 * nic->ingress[frame->tc].occupancy);
  uet_end_t* end           = uet_end_for(nic, frame, header);
  counters->data_received++;
  if (uet_state(nic)->recorder != NULL)
    uet_monitor_received(nic, frame, msg->bytes, -1);
  if (end == NULL || header->message < end->message) { /* a late duplicate of a message that is closed */
    counters->duplicates++;
    nic_release(nic, frame);
    opp_msg_delete(msg);
    return;
  }
  const uint32_t expected = end->arrivals.expected;
  const bool is_new       = nic_arrivals_mark(&end->arrivals, header->psn);
  counters->duplicates += !is_new;
  if (is_new) {
    count_order(nic, end, header->psn, expected);
    if (take_note(nic, end, header, payload))
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
    uet_acknowledge(nic, end, &received, hold);
}

/* ---- Everything else --------------------------------------------------------------------------------------------- */

/* What is dealt with as soon as it is here; a copy, for the frame goes first and with it its room in the pool. */
static void receive_control(nic_t* nic, const net_frame_t* frame)
{
  const uet_header_t* header = uet_header_const(frame);
  if (net_role_is_trimmed(uet_role(nic, frame))) {
    uet_state(nic)->counters.data_received++;
    uet_refuse_trimmed(nic, frame);
  } else if (header->type == UET_PROBE)
    uet_answer_probe(nic, frame);
  else if (header->type == UET_NACK)
    uet_trimmed(nic, frame);
  else if (header->flags & UET_FLAG_PROBE)
    uet_probe_back(nic, frame);
  else
    uet_acknowledged(nic, frame);
}

void uet_received(nic_t* nic, opp_msg_t* msg)
{
  const net_frame_t frame = *net_frame(msg);
  if (uet_header_const(&frame)->type == UET_DATA && !net_role_is_trimmed(uet_role(nic, &frame))) {
    receive_data(nic, msg);
    return;
  }
  nic_release(nic, &frame);
  opp_msg_delete(msg);
  receive_control(nic, &frame);
}
