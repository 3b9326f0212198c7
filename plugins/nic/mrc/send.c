/* Generation: queue pairs take turns, a packet passes its gates, is reserved and fetched (spec/mrc-nic.md 5.2, 5.3,
 * 10.1, 10.2). */
#include "nic/mrc/mrc.h"

/* What became of a turn. */
typedef enum turn_result {
  TURN_SENT,
  TURN_NOTHING,
  TURN_NO_WINDOW, /* for one more packet in flight */
  TURN_NO_ROOM,   /* in the egress pool */
} turn_result_t;

/* ---- One packet -------------------------------------------------------------------------------------------------- */

static turn_result_t pass_gates(nic_t* nic, const mrc_pair_t* pair, int64_t payload)
{
  const mrc_state_t* state             = mrc_state(nic);
  const mrc_destination_t* destination = pair->destination;
  const int64_t wire                   = payload + state->overhead;
  if (!nscc_admits(&destination->congestion, destination->in_flight, wire - NET_ETHERNET_BYTES))
    return TURN_NO_WINDOW;
  return nic_reserve(nic, MRC_DATA_CLASS, wire) ? TURN_SENT : TURN_NO_ROOM;
}

/* It joins the data queue: its place in the order of transmissions and its path are settled. */
static void hand_down(nic_t* nic, mrc_pair_t* pair, mrc_packet_t* packet, opp_msg_t* msg)
{
  if (packet->retransmissions == 0)
    mrc_loss_sent(&pair->loss, packet->psn);
  else
    mrc_loss_sent_again(&pair->loss, packet->psn);
  packet->entropy          = mrc_paths_next(&pair->paths, opp_rng(nic->module, MRC_RNG_ENTROPY));
  net_frame(msg)->src_port = packet->entropy;
  mrc_state(nic)->counters.data_sent++;
  if (mrc_state(nic)->recorder != NULL)
    mrc_record_sent(nic, packet);
  nic_queue(nic, msg);
}

static void count_retransmission(mrc_state_t* state, mrc_packet_t* packet)
{
  if (packet->retransmissions < UINT16_MAX)
    packet->retransmissions++;
  if (packet->retransmissions >= state->counters.transmissions_of_a_packet)
    state->counters.transmissions_of_a_packet = packet->retransmissions + 1U;
  packet->outgoing->retransmissions++;
  state->counters.retransmissions++;
}

/* The one that was declared lost first: rebuilt from its record, no PCIe traffic. */
static turn_result_t send_again(nic_t* nic, mrc_pair_t* pair)
{
  mrc_packet_t* packet       = mrc_packet_of(pair->retransmit.first);
  const turn_result_t result = pass_gates(nic, pair, mrc_payload(nic, packet));
  if (result != TURN_SENT)
    return result;
  nic_timed_remove(&pair->retransmit, &packet->timed);
  count_retransmission(mrc_state(nic), packet);
  packet->state = MRC_COMMITTED;
  pair->destination->in_flight += mrc_nominal(nic, packet);
  hand_down(nic, pair, packet, mrc_data_frame(nic, packet));
  return TURN_SENT;
}

static void pace(nic_t* nic, mrc_pair_t* pair, int64_t payload)
{
  opp_msg_t* timer = opp_timer_new(nic->module, MRC_PACED, NET_PRIORITY_TIMER);
  timer->bytes     = pair->id;
  mrc_state(nic)->pacing++;
  opp_schedule_at(nic->module, nic_pace_next(&pair->current->pace, nic_now(nic), payload), timer);
}

/* The PSN is taken when the fetch is issued. */
static turn_result_t fetch_segment(nic_t* nic, mrc_pair_t* pair)
{
  mrc_state_t* state         = mrc_state(nic);
  mrc_outgoing_t* outgoing   = pair->current;
  const uint32_t index       = pair->next_psn - outgoing->first_psn;
  const int64_t payload      = nic_packet_payload(outgoing->message->bytes, (uint64_t)state->config.mss, index);
  const turn_result_t result = pass_gates(nic, pair, payload);
  if (result != TURN_SENT)
    return result;
  mrc_packet_t* packet = mrc_packet_new(state, pair);
  pair->destination->in_flight += mrc_nominal(nic, packet);
  opp_msg_t* msg = mrc_data_frame(nic, packet);
  if (index + 1 == outgoing->packets)
    pair->current = outgoing->next;
  else if (index + 1 == outgoing->pace.eligible)
    pace(nic, pair, payload);
  nic_fetch(nic, msg, payload);
  if (index + 1 == outgoing->packets)
    nic->owner.sent(nic->owner.user, outgoing->message);
  return TURN_SENT;
}

/* PSNs keep their order on the wire: what needs no fetch waits for what was fetched before. */
void mrc_fetched(nic_t* nic, opp_msg_t* msg)
{
  const net_frame_t* frame = net_frame(msg);
  mrc_pair_t* pair         = mrc_pair_find(nic, frame->dst, mrc_header_const(frame)->queue_pair);
  if (mrc_header_const(frame)->psn != pair->loss.next) {
    net_queue_push(&pair->early, msg);
    return;
  }
  hand_down(nic, pair, mrc_outstanding(pair, pair->loss.next), msg);
  while (pair->early.first != NULL && mrc_header(net_frame(pair->early.first))->psn == pair->loss.next)
    hand_down(nic, pair, mrc_outstanding(pair, pair->loss.next), net_queue_pop(&pair->early));
}

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

static turn_result_t take_turn(nic_t* nic, mrc_pair_t* pair)
{
  if (pair->retransmit.first != NULL)
    return send_again(nic, pair);
  return mrc_has_something_to_send(nic, pair) ? fetch_segment(nic, pair) : TURN_NOTHING;
}

/* A pair that waits for the window goes before one that has just used it. */
static void next_turn(nic_t* nic, mrc_pair_t* pair)
{
  mrc_state_t* state = mrc_state(nic);
  mrc_wake(nic, pair->destination);
  if (mrc_has_something_to_send(nic, pair))
    mrc_requeue(state, pair);
  else
    mrc_make_idle(state, pair);
}

/* Takes no time. A pair without room in the egress pool keeps the head, and nothing smaller is looked for. */
void mrc_generate(nic_t* nic)
{
  mrc_state_t* state        = mrc_state(nic);
  state->generation_stopped = false;
  state->generating         = true;
  while (state->ready.first != NULL && !state->generation_stopped) {
    mrc_pair_t* pair = state->ready.first;
    switch (take_turn(nic, pair)) {
      case TURN_SENT:
        next_turn(nic, pair);
        break;
      case TURN_NOTHING:
        next_turn(nic, pair);
        break;
      case TURN_NO_WINDOW:
        mrc_wait_for_window(state, pair);
        break;
      case TURN_NO_ROOM:
        state->generation_stopped = true;
        break;
    }
  }
  state->generating = false;
}

/* ---- When it is tried again -------------------------------------------------------------------------------------- */

void mrc_retry_due(nic_t* nic, opp_msg_t* msg)
{
  opp_msg_delete(msg);
  mrc_state(nic)->counters.restarts++;
  mrc_generate(nic);
}

/* The message lives still: its last packet is not generated. */
void mrc_paced(nic_t* nic, opp_msg_t* msg)
{
  mrc_state_t* state       = mrc_state(nic);
  mrc_pair_t* pair         = (mrc_pair_t*)state->pairs.all[msg->bytes];
  mrc_outgoing_t* outgoing = pair->current;
  opp_msg_delete(msg);
  state->pacing--;
  nic_pace_pass(&outgoing->pace, nic, outgoing->acknowledged == pair->next_psn - outgoing->first_psn);
  mrc_make_ready(nic, pair);
  mrc_generate(nic);
}
