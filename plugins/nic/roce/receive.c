/* Receiving: the PSN check, data to the host, deliveries (spec/roce-nic.md 7, 10.4, 12). */
#include "nic/roce/roce.h"

/* ---- Deliveries (12) --------------------------------------------------------------------------------------------- */

/* The message of this data frame is complete in host memory. Takes the frame. */
void roce_delivered(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame            = net_frame(msg);
  const roce_header_t* header   = roce_header(frame);
  const nic_delivery_t delivery = {
      .number = header->message, .bytes = header->data.bytes, .tag = header->data.tag, .src = frame->src};
  opp_msg_delete(msg);
  nic->owner.delivered(nic->owner.user, nic, &delivery);
}

/* PCIe is one FIFO: when the write of the packet that completes the message has crossed, so have those before it. */
void roce_written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date)
{
  if (!(roce_header(net_frame(msg))->flags & ROCE_FLAG_COMPLETES)) {
    opp_msg_delete(msg);
    return;
  }
  msg->kind = ROCE_DELIVERED;
  opp_schedule_on_line(nic->module, roce_state(nic)->deliveries, date, msg);
}

/* ---- Data (10.4) ------------------------------------------------------------------------------------------------- */

static bool is_kept(const nic_t* nic, roce_arrival_t arrival)
{
  if (arrival == ROCE_IN_ORDER)
    return true;
  return roce_state(nic)->acks_config.selective && (arrival == ROCE_GAP || arrival == ROCE_BEHIND_GAP);
}

static void count(nic_t* nic, roce_arrival_t arrival)
{
  sgf_roce_counters_t* counters = &roce_state(nic)->counters;
  counters->duplicates += arrival == ROCE_DUPLICATE || arrival == ROCE_KEPT_ALREADY;
  counters->gaps += arrival == ROCE_GAP;
  counters->drops_behind_gap += (arrival == ROCE_GAP || arrival == ROCE_BEHIND_GAP) && !is_kept(nic, arrival);
}

/* A packet that is kept. True: it completes the message. */
static bool take_note(nic_t* nic, roce_end_t* end, const roce_header_t* header, int64_t payload)
{
  ++*nic->owner.progress;
  end->received_payload += (uint64_t)payload;
  if (header->flags & ROCE_FLAG_LAST)
    end->packet_count = header->psn + 1;
  if (end->acks.arrivals.expected > 0) {
    end->acked_message = end->message;
    end->acked_psn     = end->acks.arrivals.expected - 1;
  }
  return roce_end_is_complete(end);
}

/* Give the frame to the host, or away. */
static void dispose(nic_t* nic, opp_msg_t* msg, bool keep)
{
  if (keep) {
    nic_write(nic, msg);
    return;
  }
  nic_release(nic, net_frame(msg));
  opp_msg_delete(msg);
}

static roce_arrival_t check(roce_end_t* end, const roce_header_t* header)
{
  if (header->message < end->message)
    return ROCE_DUPLICATE; /* of a message that is complete */
  return roce_acks_arrival(&end->acks, header->psn);
}

static void receive_data(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame    = net_frame(msg);
  roce_header_t* header = roce_header(frame);
  const uint32_t psn    = header->psn;
  const int64_t payload = nic->transport->payload(msg);
  roce_end_t* end       = roce_end_for(nic, frame);
  roce_state(nic)->counters.data_received++;
  if (frame->ecn == NET_ECN_CE) /* before the PSN check: duplicates, too */
    roce_notify(nic, end, header);
  const uint32_t before        = end->acks.arrivals.expected;
  const roce_arrival_t arrival = check(end, header);
  const bool keep              = is_kept(nic, arrival);
  count(nic, arrival);
  bool urgent = (header->flags & ROCE_FLAG_LAST) != 0;
  if (keep && take_note(nic, end, header, payload)) {
    header->flags |= ROCE_FLAG_COMPLETES;
    urgent = true;
  }
  if (end->acks.arrivals.expected > before + 1) /* a gap is filled: the sender is to know */
    urgent = true;
  dispose(nic, msg, keep);
  if (arrival == ROCE_IN_ORDER || arrival == ROCE_DUPLICATE)
    roce_answer(nic, end, roce_acks_count(&end->acks, urgent), psn);
  else
    roce_answer(nic, end, roce_acks_refuse(&end->acks, arrival), psn);
}

/* ---- Everything ------------------------------------------------------------------------------------------------- */

/* What is dealt with as soon as it is here; a copy, for the frame goes first and with it its room in the pool. */
void roce_received(nic_t* nic, opp_msg_t* msg)
{
  const net_frame_t frame     = *net_frame(msg);
  const roce_header_t* header = roce_header_const(&frame);
  if (header->type == ROCE_DATA) {
    receive_data(nic, msg);
    return;
  }
  nic_release(nic, &frame);
  opp_msg_delete(msg);
  if (header->type == ROCE_ACK)
    roce_receive_ack(nic, header);
  else if (header->type == ROCE_NAK)
    roce_receive_nak(nic, header);
  else
    roce_receive_cnp(nic, header);
}
