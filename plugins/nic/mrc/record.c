/* Samples and packets for records (spec/mrc-nic.md 13). */
#include "nic/mrc/record.h"

#include "attr/alloc.h"
#include "nic/mrc/mrc.h"
#include "nic/samples.h"

mrc_recorder_t* mrc_recorder(nic_t* nic)
{
  mrc_state_t* state = mrc_state(nic);
  if (state->recorder == NULL)
    state->recorder = sgf_calloc(1, sizeof *state->recorder);
  return state->recorder;
}

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

static void sample(mrc_recorder_t* recorder, sgf_mrc_sample_t what, int64_t value)
{
  nic_sample(&recorder->run.of[what], value);
  nic_sample(&recorder->interval.of[what], value);
}

static void keep_most(uint64_t* most, uint64_t value)
{
  if (value > *most)
    *most = value;
}

void mrc_record_sent(nic_t* nic, const mrc_packet_t* packet)
{
  mrc_recorder_t* recorder             = mrc_state(nic)->recorder;
  const mrc_destination_t* destination = packet->outgoing->pair->destination;
  keep_most(&recorder->run.transmissions, packet->retransmissions + 1U);
  keep_most(&recorder->interval.transmissions, packet->retransmissions + 1U);
  if (packet->retransmissions > 0)
    return;
  sample(recorder, SGF_MRC_WINDOW, (int64_t)destination->congestion.window);
  sample(recorder, SGF_MRC_IN_FLIGHT, destination->in_flight);
}

void mrc_record_held(nic_t* nic, uint32_t held)
{
  mrc_recorder_t* recorder = mrc_state(nic)->recorder;
  keep_most(&recorder->run.held_out_of_order, held);
  keep_most(&recorder->interval.held_out_of_order, held);
}

/* ---- Packets ----------------------------------------------------------------------------------------------------- */

static void add_answer(sgf_mrc_packet_t* packet, const mrc_header_t* header)
{
  const bool is_sack = header->type == MRC_SACK;
  if (header->type == MRC_NACK) {
    packet->reason = header->reason;
    return;
  }
  packet->expected     = header->ack.expected;
  packet->echoes       = header->flags & MRC_FLAG_ECN_ECHO;
  packet->is_of_probe  = header->flags & MRC_FLAG_PROBE;
  packet->verdict      = is_sack ? header->verdict : 0;
  packet->penalty      = is_sack ? header->penalty : 0;
  packet->service_time = is_sack ? header->service_time : 0;
  packet->bitmap_base  = is_sack ? header->ack.base : 0;
  packet->bitmap       = is_sack ? header->ack.bitmap : 0;
}

static void add_sender(const nic_t* nic, sgf_mrc_packet_t* packet)
{
  const mrc_pair_t* pair = mrc_pair_find(nic, packet->peer, packet->queue_pair);
  if (pair == NULL)
    return;
  packet->is_sender_known = true;
  packet->in_flight       = pair->destination->in_flight;
  packet->window          = (int64_t)pair->destination->congestion.window;
}

static sgf_mrc_packet_t packet_of(const nic_t* nic, const net_frame_t* frame, int64_t bytes, uint32_t peer)
{
  const mrc_header_t* header = mrc_header_const(frame);
  sgf_mrc_packet_t packet    = {
         .date       = nic_now(nic),
         .type       = (sgf_mrc_type_t)header->type,
         .bytes      = bytes,
         .peer       = peer,
         .queue_pair = header->queue_pair,
         .entropy    = frame->src_port,
         .psn        = header->psn,
         .rtt        = -1,
         .dscp_type  = net_role_name(mrc_role(nic, frame)),
  };
  if (header->type == MRC_DATA) {
    packet.asks_for_ack = header->flags & MRC_FLAG_ASK;
    packet.message      = header->data.message;
  } else if (header->type != MRC_PROBE)
    add_answer(&packet, header);
  return packet;
}

static bool is_for_sender(const mrc_header_t* header)
{
  return header->type != MRC_DATA && header->type != MRC_PROBE;
}

void mrc_record_left(nic_t* nic, const net_frame_t* frame, int64_t bytes)
{
  const mrc_recorder_t* recorder = mrc_state(nic)->recorder;
  const mrc_header_t* header     = mrc_header_const(frame);
  if (recorder->packet == NULL)
    return;
  sgf_mrc_packet_t packet = packet_of(nic, frame, bytes, frame->dst);
  packet.direction        = header->type == MRC_DATA && header->flags & MRC_FLAG_RETRANSMIT ? SGF_MRC_RETX : SGF_MRC_TX;
  if (!is_for_sender(header))
    add_sender(nic, &packet);
  recorder->packet(recorder->packet_user, &packet);
}

void mrc_record_received(nic_t* nic, const net_frame_t* frame, int64_t bytes, opp_simtime_t rtt)
{
  mrc_recorder_t* recorder = mrc_state(nic)->recorder;
  if (rtt >= 0)
    sample(recorder, SGF_MRC_RTT, rtt);
  if (recorder->packet == NULL)
    return;
  sgf_mrc_packet_t packet = packet_of(nic, frame, bytes, frame->src);
  packet.direction        = SGF_MRC_RX;
  packet.is_marked        = frame->ecn == NET_ECN_CE;
  packet.rtt              = rtt;
  if (is_for_sender(mrc_header_const(frame)))
    add_sender(nic, &packet);
  recorder->packet(recorder->packet_user, &packet);
}
