/* Packets: records of those that are not acknowledged, and the frames that they travel in (spec/mrc-nic.md 4). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/mrc/mrc.h"

/* ---- Records ----------------------------------------------------------------------------------------------------- */

mrc_packet_t* mrc_outstanding(const mrc_pair_t* pair, uint32_t psn)
{
  return psn >= pair->base && psn < pair->next_psn ? pair->ring[psn % pair->ring_size] : NULL;
}

static void ring_grow(mrc_pair_t* pair)
{
  const uint32_t size = 2 * pair->ring_size;
  mrc_packet_t** ring = sgf_calloc(size, sizeof *ring);
  for (uint32_t psn = pair->base; psn != pair->next_psn; psn++)
    ring[psn % size] = pair->ring[psn % pair->ring_size];
  free(pair->ring);
  pair->ring      = ring;
  pair->ring_size = size;
}

mrc_packet_t* mrc_packet_new(mrc_state_t* state, mrc_pair_t* pair)
{
  if (pair->next_psn - pair->base == pair->ring_size)
    ring_grow(pair);
  mrc_packet_t* packet                      = nic_slabs_take(&state->packets, sizeof *packet);
  *packet                                   = (mrc_packet_t){.outgoing = pair->current, .psn = pair->next_psn++};
  pair->ring[packet->psn % pair->ring_size] = packet;
  return packet;
}

int64_t mrc_payload(const nic_t* nic, const mrc_packet_t* packet)
{
  const mrc_outgoing_t* outgoing = packet->outgoing;
  return nic_packet_payload(outgoing->message->bytes, (uint64_t)mrc_state(nic)->config.mss,
                            packet->psn - outgoing->first_psn);
}

int64_t mrc_nominal(const nic_t* nic, const mrc_packet_t* packet)
{
  return mrc_payload(nic, packet) + mrc_state(nic)->overhead - NET_ETHERNET_BYTES;
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

opp_msg_t* mrc_frame_new(nic_t* nic, const mrc_key_t* to, net_role_t role, mrc_type_t type, int64_t bytes)
{
  opp_msg_t* msg                = opp_frame_new(nic->module, 0, (uint32_t)bytes);
  net_frame_t* frame            = net_frame(msg);
  frame->src                    = nic->address;
  frame->dst                    = to->address;
  frame->dst_port               = MRC_UDP_PORT;
  frame->protocol               = NET_PROTOCOL_UDP;
  frame->dscp                   = mrc_state(nic)->codepoints.dscp_of_role[role];
  frame->ecn                    = NET_ECN_ECT1;
  frame->tc                     = role == NET_ROLE_CONTROL ? MRC_CONTROL_CLASS : MRC_DATA_CLASS;
  mrc_header(frame)->type       = (uint8_t)type;
  mrc_header(frame)->queue_pair = to->queue_pair;
  return msg;
}

static net_role_t data_role(const mrc_config_t* config, bool retransmission)
{
  if (retransmission && config->distinct_dscp_for_retransmit)
    return NET_ROLE_TRIMMABLE_RTX;
  return config->trimming_enabled ? NET_ROLE_TRIMMABLE : NET_ROLE_NO_TRIM;
}

opp_msg_t* mrc_data_frame(nic_t* nic, const mrc_packet_t* packet)
{
  const mrc_state_t* state       = mrc_state(nic);
  const mrc_outgoing_t* outgoing = packet->outgoing;
  const nic_message_t* message   = outgoing->message;
  const bool again               = packet->retransmissions > 0;
  opp_msg_t* msg                 = mrc_frame_new(nic, &outgoing->pair->key, data_role(&state->config, again), MRC_DATA,
                                                 mrc_payload(nic, packet) + state->overhead);
  net_frame_t* frame             = net_frame(msg);
  frame->header_bytes            = MRC_TRIMMED_IP_BYTES;
  mrc_header_t* header           = mrc_header(frame);
  header->psn                    = packet->psn;
  header->index                  = packet->psn - outgoing->first_psn;
  header->data.message           = message->number;
  header->data.bytes             = message->bytes;
  header->data.tag               = message->tag;
  if (header->index + 1 == outgoing->packets)
    header->flags |= MRC_FLAG_END | MRC_FLAG_ASK;
  if (again)
    header->flags |= MRC_FLAG_RETRANSMIT;
  if (state->config.timestamp_mode == MRC_WIRE_TIMESTAMP)
    header->flags |= MRC_FLAG_TIMESTAMP;
  return msg;
}
