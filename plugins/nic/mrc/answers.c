/* Answers of the receiver: cumulative ACKs, SACKs, NACKs, built as a packet arrives (spec/mrc-nic.md 6, 10.3, 10.4). */
#include "nic/mrc/mrc.h"

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

/* An answer to a packet, along the entropy value that it came with. */
static opp_msg_t* answer(nic_t* nic, const net_frame_t* to, mrc_type_t type, int64_t bytes)
{
  const mrc_header_t* received = mrc_header_const(to);
  const mrc_key_t sender       = {.address = to->src, .queue_pair = received->queue_pair};
  opp_msg_t* msg               = mrc_frame_new(nic, &sender, NET_ROLE_CONTROL, type, bytes);
  net_frame(msg)->src_port     = to->src_port;
  mrc_header_t* header         = mrc_header(net_frame(msg));
  header->psn                  = received->psn;
  header->flags                = received->flags & MRC_FLAG_RETRANSMIT;
  return msg;
}

/* Without room it is not built, and what it would have said is left to the next one (5.2). */
static bool queue_answer(nic_t* nic, opp_msg_t* msg)
{
  mrc_state_t* state   = mrc_state(nic);
  const bool turns     = net_frame(msg)->dst == nic->address;
  const uint32_t bytes = msg->bytes;
  if (!nic_try_control(nic, msg)) {
    state->counters.control_left_out++;
    opp_msg_delete(msg);
    return false;
  }
  state->turning_round += turns ? bytes : 0;
  return true;
}

/* ---- Service time (6) -------------------------------------------------------------------------------------------- */

/* Bytes of the control frames that wait for the link: all that hold a reservation but the one on it. */
static int64_t waiting_control(const nic_t* nic)
{
  const net_port_t* port = &nic->port;
  const bool on_wire =
      port->on_wire != NULL && port->departure.type != NET_FRAME_PFC && port->departure.tc == MRC_CONTROL_CLASS;
  return nic->egress[MRC_CONTROL_CLASS].reserved - mrc_state(nic)->turning_round - (on_wire ? port->on_wire->bytes : 0);
}

static uint32_t service_time(const nic_t* nic)
{
  const opp_simtime_t wait = net_port_duration(&nic->port, waiting_control(nic));
  return wait < UINT32_MAX ? (uint32_t)wait : UINT32_MAX;
}

/* ---- ACKs and SACKs (10.4) --------------------------------------------------------------------------------------- */

static void has_been_told(mrc_end_t* end)
{
  end->since_sack = 0;
}

static void send_ack(nic_t* nic, mrc_end_t* end, const net_frame_t* data)
{
  opp_msg_t* msg          = answer(nic, data, MRC_ACK, MRC_ACK_BYTES);
  net_frame(msg)->closing = true;
  mrc_header_t* header    = mrc_header(net_frame(msg));
  header->ack.expected    = end->arrivals.expected;
  if (!queue_answer(nic, msg))
    return;
  mrc_state(nic)->counters.acks_sent++;
  has_been_told(end);
}

/* A mark means that load is not balanced: the path is to be skipped once (10.8). */
static void send_sack(nic_t* nic, mrc_end_t* end, const net_frame_t* to, uint8_t flags)
{
  mrc_state_t* state      = mrc_state(nic);
  const bool is_marked    = to->ecn == NET_ECN_CE;
  opp_msg_t* msg          = answer(nic, to, MRC_SACK, MRC_SACK_BYTES);
  net_frame(msg)->closing = true;
  mrc_header_t* header    = mrc_header(net_frame(msg));
  header->flags |= flags;
  header->ack.expected = end->arrivals.expected;
  header->ack.base     = nic_arrivals_next_block(&end->arrivals, &end->next_block, &header->ack.bitmap);
  header->service_time = service_time(nic);
  header->verdict      = is_marked ? MRC_PATH_SKIP_ONCE : MRC_PATH_NONE;
  if (is_marked)
    header->flags |= MRC_FLAG_ECN_ECHO;
  if (state->config.receiver_penalty) {
    const nic_ingress_pool_t* pool = &nic->ingress[MRC_DATA_CLASS];
    header->penalty                = nscc_penalty(&state->congestion_config, pool->occupancy, pool->size);
    header->flags |= state->congestion_config.restore_window ? MRC_FLAG_RESTORE : 0;
  }
  if (!queue_answer(nic, msg))
    return;
  state->counters.sacks_sent++;
  state->counters.marked_sent += is_marked;
  has_been_told(end);
}

/* Whether a packet that is marked or not draws a SACK, which its own bytes count for. */
static bool draws_sack(const mrc_state_t* state, const mrc_end_t* end, const net_frame_t* data)
{
  const int64_t threshold = state->config.sack_threshold > 0 ? state->config.sack_threshold : state->config.mss;
  const uint8_t reasons   = MRC_FLAG_ASK | MRC_FLAG_RETRANSMIT;
  return end->since_sack >= threshold || mrc_header_const(data)->flags & reasons || data->ecn == NET_ECN_CE;
}

/* The last packet of a message, and nothing is missing: neither before it nor between it and others. */
static bool ends_without_gap(const mrc_end_t* end, const mrc_header_t* data)
{
  return data->flags & MRC_FLAG_END && end->arrivals.held == 0 && data->psn + 1 == end->arrivals.expected;
}

void mrc_acknowledge(nic_t* nic, mrc_end_t* end, const net_frame_t* data, int64_t payload, bool is_new)
{
  end->since_sack += payload > MRC_LEAST_COUNT ? payload : MRC_LEAST_COUNT;
  if (is_new && data->ecn != NET_ECN_CE && ends_without_gap(end, mrc_header_const(data)))
    send_ack(nic, end, data);
  else if (!is_new || draws_sack(mrc_state(nic), end, data))
    send_sack(nic, end, data, 0);
}

void mrc_answer_probe(nic_t* nic, mrc_end_t* end, const net_frame_t* probe)
{
  send_sack(nic, end, probe, MRC_FLAG_PROBE);
}

/* ---- NACKs ------------------------------------------------------------------------------------------------------- */

void mrc_refuse(nic_t* nic, const net_frame_t* data, mrc_reason_t reason)
{
  opp_msg_t* msg                     = answer(nic, data, MRC_NACK, MRC_NACK_BYTES);
  mrc_header(net_frame(msg))->reason = (uint8_t)reason;
  if (queue_answer(nic, msg))
    mrc_state(nic)->counters.nacks_sent++;
}
