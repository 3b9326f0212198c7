/* Packets: records of those that are not acknowledged, and the frames that they travel in (spec/uet-nic.md 4, 8.6). */
#include "nic/uet/uet.h"

/* ---- Records ----------------------------------------------------------------------------------------------------- */

uet_packet_t* uet_packet_new(uet_state_t* state)
{
  uet_packet_t* packet = nic_slabs_take(&state->packets, sizeof *packet);
  *packet              = (uet_packet_t){0};
  return packet;
}

void uet_packet_free(uet_state_t* state, uet_packet_t* packet)
{
  nic_slabs_give(&state->packets, packet);
}

uet_packet_t* uet_outstanding(const uet_pdc_t* pdc, uint32_t psn)
{
  return psn >= pdc->base && psn < pdc->next_psn ? pdc->ring[psn % pdc->ring_size] : NULL;
}

static int64_t payload_of(const nic_t* nic, const uet_packet_t* packet)
{
  return nic_packet_payload(packet->pdc->message->bytes, uet_state(nic)->config.mss, packet->psn);
}

int64_t uet_nominal(const nic_t* nic, const uet_packet_t* packet)
{
  return payload_of(nic, packet) + UET_NOMINAL_OVERHEAD;
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static opp_msg_t* frame_new(nic_t* nic, uint32_t dst, net_role_t role, unsigned tc, uet_type_t type, uint32_t bytes)
{
  opp_msg_t* msg          = opp_frame_new(nic->module, 0, bytes);
  net_frame_t* frame      = net_frame(msg);
  frame->src              = nic->address;
  frame->dst              = dst;
  frame->dst_port         = UET_UDP_PORT;
  frame->protocol         = NET_PROTOCOL_UDP;
  frame->dscp             = uet_dscp(nic, role);
  frame->ecn              = NET_ECN_ECT1;
  frame->tc               = (uint8_t)tc;
  uet_header(frame)->type = (uint8_t)type;
  return msg;
}

opp_msg_t* uet_control_frame(nic_t* nic, uint32_t dst, uet_type_t type, uint32_t bytes)
{
  return frame_new(nic, dst, NET_ROLE_CONTROL, uet_state(nic)->control_class, type, bytes);
}

static net_role_t data_role(const uet_config_t* config, bool retransmission)
{
  if (retransmission && config->distinct_dscp_for_retransmits)
    return NET_ROLE_TRIMMABLE_RTX;
  return config->trimming_enabled ? NET_ROLE_TRIMMABLE : NET_ROLE_NO_TRIM;
}

opp_msg_t* uet_data_frame(nic_t* nic, const uet_packet_t* packet, int64_t payload)
{
  const uet_state_t* state     = uet_state(nic);
  const uet_pdc_t* pdc         = packet->pdc;
  const nic_message_t* message = pdc->message;
  const bool again             = packet->retransmissions > 0;
  opp_msg_t* msg       = frame_new(nic, message->dst, data_role(&state->config, again), state->data_class, UET_DATA,
                                   (uint32_t)(payload + UET_DATA_OVERHEAD));
  net_frame_t* frame   = net_frame(msg);
  frame->header_bytes  = UET_TRIMMED_IP_BYTES;
  uet_header_t* header = uet_header(frame);
  header->message      = message->number;
  header->psn          = packet->psn;
  header->src_pdc      = pdc->id;
  header->dst_pdc      = pdc->peer;
  header->data.bytes   = message->bytes;
  header->data.tag     = message->tag;
  if (packet->psn + 1 == pdc->packet_count)
    header->flags |= UET_FLAG_END;
  if (again)
    header->flags |= UET_FLAG_RETRANSMIT;
  return msg;
}

/* Whether the i-th data transmission of a PDC asks for an acknowledgement, i from 1 (8.6, B24). */
static bool asks_for_ack(const uet_config_t* config, uint64_t i, bool last)
{
  const uint64_t phase = config->ack_first ? i - 1 : i;
  return phase % config->ack_every == 0 || (last && config->ack_last);
}

void uet_commit(nic_t* nic, uet_packet_t* packet, net_frame_t* frame)
{
  const uet_state_t* state = uet_state(nic);
  uet_pdc_t* pdc           = packet->pdc;
  uet_group_t* group       = pdc->group;
  uet_header_t* header     = uet_header(frame);
  packet->state            = UET_COMMITTED;
  packet->entropy          = spray_next(&group->spray, opp_rng(nic->module, UET_RNG_ENTROPY));
  frame->src_port          = packet->entropy;
  if (asks_for_ack(&state->config, ++pdc->transmissions, header->flags & UET_FLAG_END))
    header->flags |= UET_FLAG_AR;
  group->in_flight += uet_nominal(nic, packet);
}

void uet_hand_down(nic_t* nic, opp_msg_t* frame)
{
  uet_state(nic)->counters.data_sent++;
  if (uet_state(nic)->recorder != NULL)
    uet_record_sent(nic, net_frame(frame));
  nic_queue(nic, frame);
}
