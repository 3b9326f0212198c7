/* Answers of the receiver: held acknowledgements, NACKs, acknowledgements of probes (spec/uet-nic.md 8.7, 8.9, 9.9). */
#include "nic/uet/uet.h"

/* An answer to a packet, along the entropy value that it came with. */
static opp_msg_t* answer(nic_t* nic, const net_frame_t* to, uet_type_t type, uint32_t bytes)
{
  const uet_header_t* received = uet_header_const(to);
  opp_msg_t* msg               = uet_control_frame(nic, to->src, type, bytes);
  net_frame_t* frame           = net_frame(msg);
  frame->src_port              = to->src_port;
  uet_header_t* header         = uet_header(frame);
  header->flags                = received->flags & UET_FLAG_RETRANSMIT;
  header->message              = received->message;
  header->psn                  = received->psn;
  header->dst_pdc              = received->src_pdc;
  if (to->ecn == NET_ECN_CE)
    header->flags |= UET_FLAG_ECN_ECHO;
  return msg;
}

/* ---- Acknowledgements (8.7) -------------------------------------------------------------------------------------- */

static uint16_t service_steps(opp_simtime_t hold)
{
  const opp_simtime_t steps = hold / UET_SERVICE_STEP;
  return (uint16_t)(steps < UINT16_MAX ? steps : UINT16_MAX);
}

/* In the order in which they are generated, one order for the NIC (B16). */
static void hold_back(nic_t* nic, uet_end_t* end, opp_msg_t* ack, opp_simtime_t hold)
{
  uet_state_t* state          = uet_state(nic);
  const opp_simtime_t release = nic_now(nic) + hold;
  if (release > state->last_ack_release)
    state->last_ack_release = release;
  if (net_frame(ack)->closing && end->answered_at < 0)
    end->answered_at = state->last_ack_release;
  ack->kind = UET_HELD_ACK;
  opp_schedule_on_line(nic->module, state->held_acks, state->last_ack_release, ack);
}

void uet_acknowledge(nic_t* nic, uet_end_t* end, const net_frame_t* data, opp_simtime_t hold)
{
  const uet_state_t* state       = uet_state(nic);
  const nic_ingress_pool_t* pool = &nic->ingress[state->data_class];
  opp_msg_t* msg                 = answer(nic, data, UET_ACK, UET_ACK_BYTES);
  net_frame_t* frame             = net_frame(msg);
  frame->closing                 = uet_end_is_complete(end);
  uet_header_t* header           = uet_header(frame);
  header->src_pdc                = end->id;
  header->service_time           = service_steps(hold);
  header->expected               = end->arrivals.expected;
  header->ack.base               = uet_end_bitmap(end, &header->ack.bitmap);
  header->ack.penalty            = nscc_penalty(&state->congestion_config, pool->occupancy, pool->size);
  if (state->congestion_config.restore_window)
    header->flags |= UET_FLAG_RESTORE;
  hold_back(nic, end, msg, hold);
}

void uet_release_ack(nic_t* nic, opp_msg_t* ack)
{
  sgf_uet_counters_t* counters = &uet_state(nic)->counters;
  counters->acks_sent++;
  if (uet_header(net_frame(ack))->flags & UET_FLAG_ECN_ECHO)
    counters->marked_sent++;
  nic_send_control(nic, ack);
}

/* Not held (8.7). */
void uet_answer_probe(nic_t* nic, const net_frame_t* probe)
{
  opp_msg_t* msg = answer(nic, probe, UET_ACK, UET_ACK_BYTES);
  if (uet_state(nic)->recorder != NULL)
    uet_monitor_received(nic, probe, UET_PROBE_BYTES, -1);
  uet_header(net_frame(msg))->flags |= UET_FLAG_PROBE;
  uet_header(net_frame(msg))->src_pdc = uet_header_const(probe)->dst_pdc;
  uet_release_ack(nic, msg);
}

/* ---- NACKs (8.9) ------------------------------------------------------------------------------------------------- */

/* At once, ahead of what is held. */
void uet_refuse_trimmed(nic_t* nic, const net_frame_t* trimmed)
{
  opp_msg_t* msg        = answer(nic, trimmed, UET_NACK, UET_NACK_BYTES);
  const bool is_watched = uet_state(nic)->recorder != NULL;
  if (is_watched)
    uet_monitor_received(nic, trimmed, UET_TRIMMED_IP_BYTES + NET_ETHERNET_BYTES, -1);
  if (uet_role(nic, trimmed) == NET_ROLE_TRIMMED_LAST_HOP)
    uet_header(net_frame(msg))->flags |= UET_FLAG_LAST_HOP;
  uet_state(nic)->counters.nacks_sent++;
  if (is_watched)
    uet_monitor_sent(nic, net_frame(msg), UET_NACK_BYTES);
  nic_send_control(nic, msg);
}
