/* What a sender learns: frames that have left, ACKs, SACKs, NACKs, timers (spec/mrc-nic.md 5.3, 10.4 to 10.6, 11). */
#include <inttypes.h>

#include "nic/mrc/mrc.h"

/* ---- Frames that have left --------------------------------------------------------------------------------------- */

/* The pool has just got back `bytes`. It is the crossing that counts: a pool that stays at or below half does not
 * trigger again (5.3). */
static void note_release(nic_t* nic, int64_t bytes)
{
  const nic_egress_pool_t* pool = &nic->egress[MRC_DATA_CLASS];
  const bool crosses            = 2 * pool->reserved <= pool->size && 2 * (pool->reserved + bytes) > pool->size;
  if (crosses && mrc_state(nic)->generation_stopped)
    opp_schedule_on_line(nic->module, mrc_state(nic)->retries, nic_now(nic) + MRC_RETRY_DELAY,
                         opp_timer_new(nic->module, MRC_RETRY, NET_PRIORITY_TIMER));
}

static void data_has_left(nic_t* nic, const net_frame_t* frame, int64_t bytes)
{
  const mrc_header_t* header = mrc_header_const(frame);
  mrc_packet_t* packet       = mrc_outstanding(mrc_pair_find(nic, frame->dst, header->queue_pair), header->psn);
  if (packet == NULL) /* an earlier transmission of it was acknowledged meanwhile */
    return;
  if (header->flags & MRC_FLAG_RETRANSMIT)
    mrc_loss_left(&packet->outgoing->pair->loss, packet->psn);
  else
    packet->outgoing->unsent_bytes -= bytes;
  packet->state   = MRC_SENT;
  packet->sent_at = nic_now(nic);
  nic_timeouts_start(&mrc_state(nic)->timeouts, &packet->timed, packet->retransmissions);
}

void mrc_serialised(nic_t* nic, opp_msg_t* msg)
{
  const net_frame_t* frame = net_frame(msg);
  if (mrc_state(nic)->recorder != NULL)
    mrc_record_left(nic, frame, msg->bytes);
  if (frame->tc == MRC_CONTROL_CLASS) {
    if (frame->dst == nic->address)
      mrc_state(nic)->turning_round -= msg->bytes;
    return;
  }
  note_release(nic, msg->bytes);
  if (mrc_header_const(frame)->type == MRC_DATA)
    data_has_left(nic, frame, msg->bytes);
}

/* ---- Losses (10.5, 10.6) ----------------------------------------------------------------------------------------- */

/* A packet that was sent is no longer in flight: send it again, ahead of new data. */
static void queue_retransmission(nic_t* nic, mrc_packet_t* packet)
{
  mrc_pair_t* pair = packet->outgoing->pair;
  nic_timeouts_stop(&mrc_state(nic)->timeouts, &packet->timed);
  pair->destination->in_flight -= mrc_nominal(nic, packet);
  packet->state = MRC_TO_RETRANSMIT;
  nic_timed_append(&pair->retransmit, &packet->timed);
  mrc_make_ready(nic, pair);
}

/* By PSN where one answer declares several. */
static void declare_lost(nic_t* nic, mrc_pair_t* pair)
{
  uint32_t psn;
  while (mrc_loss_take(&pair->loss, &psn)) {
    mrc_state(nic)->counters.gap_losses++;
    queue_retransmission(nic, mrc_outstanding(pair, psn));
  }
}

static void judge_path(nic_t* nic, mrc_pair_t* pair, uint16_t value, mrc_verdict_t verdict)
{
  mrc_state_t* state            = mrc_state(nic);
  const mrc_path_state_t before = mrc_paths_state(&pair->paths, value);
  mrc_paths_judge(&pair->paths, value, verdict);
  const mrc_path_state_t after = mrc_paths_state(&pair->paths, value);
  state->counters.skipped_paths += after == MRC_SKIP && before == MRC_GOOD;
  state->counters.bad_paths += after == MRC_ASSUMED_BAD && before != MRC_ASSUMED_BAD;
  if (after == MRC_ASSUMED_BAD)
    mrc_probe_bad_paths(nic, pair);
}

static void expire(nic_t* nic, mrc_packet_t* packet)
{
  mrc_pair_t* pair = packet->outgoing->pair;
  mrc_state(nic)->counters.timeouts++;
  nscc_timed_out(&pair->destination->congestion, mrc_nominal(nic, packet));
  mrc_loss_withdrawn(&pair->loss, packet->psn);
  judge_path(nic, pair, packet->entropy, MRC_PATH_ALWAYS_SKIP);
  queue_retransmission(nic, packet);
  mrc_wake(nic, pair->destination);
}

/* Generation is tried when all that has expired has been dealt with. */
void mrc_timeout(nic_t* nic, unsigned level)
{
  nic_timeouts_t* timeouts = &mrc_state(nic)->timeouts;
  bool expired             = false;
  for (nic_timed_t* due; (due = nic_timeouts_due(timeouts, level)) != NULL; expired = true)
    expire(nic, mrc_packet_of(due));
  nic_timeouts_go_on(timeouts, level);
  if (expired)
    mrc_generate(nic);
}

/* ---- Samples (10.9) ---------------------------------------------------------------------------------------------- */

/* TSETH counts in steps. */
static opp_simtime_t in_steps(opp_simtime_t date)
{
  return date / MRC_TIMESTAMP_STEP * MRC_TIMESTAMP_STEP;
}

/* From the end of the serialisation of the transmission that drew an answer to the answer, less what the SACK waited
 * behind other control frames. Only of a packet sent once, or of its first retransmission; -1: none. */
static opp_simtime_t rtt_sample(const nic_t* nic, const mrc_packet_t* packet, const mrc_header_t* answer)
{
  const unsigned again = answer->flags & MRC_FLAG_RETRANSMIT ? 1 : 0;
  if (packet == NULL || packet->state == MRC_COMMITTED || packet->retransmissions != again)
    return -1;
  const bool on_wire          = mrc_state(nic)->config.timestamp_mode == MRC_WIRE_TIMESTAMP;
  const opp_simtime_t since   = on_wire ? in_steps(packet->sent_at) : packet->sent_at;
  const opp_simtime_t until   = on_wire ? in_steps(nic_now(nic)) : nic_now(nic);
  const opp_simtime_t service = answer->type == MRC_SACK ? answer->service_time : 0;
  const opp_simtime_t rtt     = until - since - service;
  return rtt > 0 ? rtt : 0;
}

/* ---- Acknowledgements (10.4) ------------------------------------------------------------------------------------- */

/* Returns the nominal bytes that this newly acknowledges. */
static int64_t retire(nic_t* nic, mrc_pair_t* pair, uint32_t psn)
{
  mrc_packet_t* packet = mrc_outstanding(pair, psn);
  if (packet == NULL)
    return 0;
  mrc_state_t* state       = mrc_state(nic);
  mrc_outgoing_t* outgoing = packet->outgoing;
  const int64_t nominal    = mrc_nominal(nic, packet);
  if (packet->state == MRC_SENT)
    nic_timeouts_stop(&state->timeouts, &packet->timed);
  if (packet->state == MRC_TO_RETRANSMIT)
    nic_timed_remove(&pair->retransmit, &packet->timed);
  else
    pair->destination->in_flight -= nominal;
  mrc_loss_acknowledged(&pair->loss, psn);
  outgoing->foreseen -= packet->foreseen;
  pair->ring[psn % pair->ring_size] = NULL;
  nic_slabs_give(&state->packets, packet);
  ++*nic->owner.progress;
  while (pair->base != pair->next_psn && pair->ring[pair->base % pair->ring_size] == NULL)
    pair->base++;
  if (++outgoing->acknowledged == outgoing->packets)
    mrc_is_acknowledged(state, outgoing);
  return nominal;
}

static int64_t retire_all(nic_t* nic, mrc_pair_t* pair, const mrc_header_t* answer)
{
  int64_t bytes = 0;
  while (pair->base < answer->ack.expected && pair->base < pair->next_psn)
    bytes += retire(nic, pair, pair->base);
  if (answer->type != MRC_SACK)
    return bytes;
  if (!(answer->flags & MRC_FLAG_PROBE))
    bytes += retire(nic, pair, answer->psn);
  for (uint64_t bits = answer->ack.bitmap; bits != 0; bits &= bits - 1)
    bytes += retire(nic, pair, answer->ack.base + (uint32_t)__builtin_ctzll(bits));
  return bytes;
}

/* Returns the sample that the answer gave; -1: none. */
static opp_simtime_t tell_window(nic_t* nic, mrc_pair_t* pair, const mrc_header_t* answer)
{
  mrc_state_t* state             = mrc_state(nic);
  mrc_destination_t* destination = pair->destination;
  const bool is_of_probe         = answer->flags & MRC_FLAG_PROBE;
  nscc_ack_t ack                 = {
                      .rtt      = is_of_probe ? -1 : rtt_sample(nic, mrc_outstanding(pair, answer->psn), answer),
                      .ecn_echo = answer->flags & MRC_FLAG_ECN_ECHO,
                      .restore  = answer->flags & MRC_FLAG_RESTORE,
                      .penalty  = answer->penalty,
  };
  ack.acknowledged = retire_all(nic, pair, answer);
  ack.in_flight    = destination->in_flight;
  state->counters.marked_received += ack.ecn_echo && ack.rtt >= 0;
  nscc_acknowledged(&destination->congestion, &ack, nic_now(nic));
  return ack.rtt;
}

static void count_answer(sgf_mrc_counters_t* counters, const mrc_header_t* answer)
{
  counters->acks_received += answer->type == MRC_ACK;
  counters->sacks_received += answer->type == MRC_SACK;
  counters->probe_answers += answer->flags & MRC_FLAG_PROBE ? 1 : 0;
}

/* Generation is tried when all that the answer says has been dealt with. */
void mrc_acknowledged(nic_t* nic, const net_frame_t* frame)
{
  const mrc_header_t* header = mrc_header_const(frame);
  mrc_pair_t* pair           = mrc_pair_find(nic, frame->src, header->queue_pair);
  count_answer(&mrc_state(nic)->counters, header);
  if (pair == NULL)
    return;
  const opp_simtime_t rtt = tell_window(nic, pair, header);
  if (mrc_state(nic)->recorder != NULL)
    mrc_record_received(nic, frame, header->type == MRC_SACK ? MRC_SACK_BYTES : MRC_ACK_BYTES, rtt);
  if (header->flags & MRC_FLAG_PROBE)
    mrc_paths_probed(&pair->paths, frame->src_port, (mrc_verdict_t)header->verdict);
  else if (header->type == MRC_SACK)
    judge_path(nic, pair, frame->src_port, (mrc_verdict_t)header->verdict);
  declare_lost(nic, pair);
  mrc_tell_of_acknowledged(nic);
  mrc_make_ready(nic, pair);
  mrc_wake(nic, pair->destination);
  mrc_generate(nic);
}

/* ---- NACKs (10.5) ------------------------------------------------------------------------------------------------ */

/* A trim takes a packet off the window; only one before the last hop is blamed on the path. */
static void refuse(nic_t* nic, mrc_pair_t* pair, mrc_packet_t* packet, const net_frame_t* frame)
{
  mrc_state_t* state             = mrc_state(nic);
  mrc_destination_t* destination = pair->destination;
  const mrc_header_t* header     = mrc_header_const(frame);
  const bool is_trim             = header->reason == MRC_TRIMMED || header->reason == MRC_TRIMMED_LAST_HOP;
  state->counters.trims += is_trim;
  state->counters.refusals += !is_trim;
  if (is_trim)
    nscc_trimmed(&destination->congestion, mrc_nominal(nic, packet), destination->in_flight,
                 rtt_sample(nic, packet, header), nic_now(nic));
  if (header->reason == MRC_TRIMMED)
    judge_path(nic, pair, frame->src_port, MRC_PATH_SKIP_ONCE);
  mrc_loss_withdrawn(&pair->loss, packet->psn);
  queue_retransmission(nic, packet);
  mrc_wake(nic, destination);
}

/* The first transmission of a packet that has been sent again since: what became of that is not known yet. */
static bool is_of_earlier(const mrc_packet_t* packet, const mrc_header_t* answer)
{
  return packet->retransmissions > 0 && !(answer->flags & MRC_FLAG_RETRANSMIT);
}

/* For a packet that is acknowledged, or queued again already, a NACK changes nothing. */
void mrc_refused(nic_t* nic, const net_frame_t* frame)
{
  const mrc_header_t* header = mrc_header_const(frame);
  mrc_pair_t* pair           = mrc_pair_find(nic, frame->src, header->queue_pair);
  mrc_packet_t* packet       = pair != NULL ? mrc_outstanding(pair, header->psn) : NULL;
  if (packet != NULL && is_of_earlier(packet, header))
    packet = NULL;
  mrc_state(nic)->counters.nacks_received++;
  if (header->reason == MRC_UNEXP_EVENT) {
    opp_error(nic->module, "queue pair %" PRIu32 ": the receiver has refused PSN %" PRIu32 " for good",
              header->queue_pair, header->psn);
    return;
  }
  if (packet != NULL && packet->state == MRC_SENT)
    refuse(nic, pair, packet, frame);
  mrc_generate(nic);
}
