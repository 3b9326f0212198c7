/* Receiving: what arrives is answered, then written to the host; messages are delivered in the order in which they were
 * sent (spec/mrc-nic.md 7, 10.3, 12). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/mrc/mrc.h"

/* ---- Ends -------------------------------------------------------------------------------------------------------- */

mrc_end_t* mrc_end_for(mrc_state_t* state, uint32_t address, uint32_t queue_pair)
{
  mrc_end_t* end = mrc_table_find(&state->ends, address, queue_pair);
  if (end != NULL)
    return end;
  end      = sgf_calloc(1, sizeof *end);
  end->key = (mrc_key_t){.address = address, .queue_pair = queue_pair};
  nic_arrivals_init(&end->arrivals);
  mrc_inbox_init(&end->inbox);
  mrc_table_add(&state->ends, &end->key);
  return end;
}

void mrc_ends_free(mrc_state_t* state)
{
  for (uint32_t i = 0; i < state->ends.count; i++) {
    mrc_end_t* end = (mrc_end_t*)state->ends.all[i];
    nic_arrivals_free(&end->arrivals);
    mrc_inbox_free(&end->inbox);
    free(end);
  }
  mrc_table_free(&state->ends);
}

/* ---- Deliveries (12) --------------------------------------------------------------------------------------------- */

static void due_grow(mrc_state_t* state)
{
  const uint32_t room  = state->due_room == 0 ? 16 : 2 * state->due_room;
  mrc_delivery_t* ring = sgf_calloc(room, sizeof *ring);
  for (uint32_t i = state->due_begin; i != state->due_end; i++)
    ring[i % room] = state->due[i % state->due_room];
  free(state->due);
  state->due      = ring;
  state->due_room = room;
}

/* PCIe is one FIFO: what was to be written before has crossed when the last write of it has. */
static void schedule_deliveries(nic_t* nic)
{
  mrc_state_t* state       = mrc_state(nic);
  const opp_simtime_t date = state->last_write > nic_now(nic) ? state->last_write : nic_now(nic);
  while (state->due_scheduled != state->due_end &&
         state->due[state->due_scheduled % state->due_room].writes <= state->writes_accepted) {
    state->due_scheduled++;
    opp_schedule_on_line(nic->module, state->deliveries, date,
                         opp_timer_new(nic->module, MRC_DELIVERED, NET_PRIORITY_ARRIVAL));
  }
}

/* All messages of an end before which no PSN is missing. */
static void deliver(nic_t* nic, mrc_end_t* end)
{
  mrc_state_t* state = mrc_state(nic);
  const mrc_incoming_t* message;
  while ((message = mrc_inbox_deliver(&end->inbox, end->arrivals.expected)) != NULL) {
    if (state->due_end - state->due_begin == state->due_room)
      due_grow(state);
    const nic_delivery_t delivery = {
        .number = message->number, .bytes = message->bytes, .tag = message->tag, .src = end->key.address};
    state->due[state->due_end++ % state->due_room] = (mrc_delivery_t){delivery, state->writes};
  }
  schedule_deliveries(nic);
}

void mrc_written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date)
{
  mrc_state_t* state = mrc_state(nic);
  opp_msg_delete(msg);
  state->writes_accepted++;
  state->last_write = date;
  schedule_deliveries(nic);
}

void mrc_delivered(nic_t* nic, opp_msg_t* msg)
{
  mrc_state_t* state            = mrc_state(nic);
  const nic_delivery_t delivery = state->due[state->due_begin++ % state->due_room].delivery;
  opp_msg_delete(msg);
  state->counters.messages_delivered++;
  nic->owner.delivered(nic->owner.user, nic, &delivery);
}

/* ---- Data (10.3) ------------------------------------------------------------------------------------------------- */

static void discard(nic_t* nic, opp_msg_t* msg)
{
  nic_release(nic, net_frame(msg));
  opp_msg_delete(msg);
}

static void count_order(nic_t* nic, const mrc_end_t* end, uint32_t psn)
{
  mrc_state_t* state = mrc_state(nic);
  if (psn < end->arrivals.expected)
    return;
  if (state->recorder != NULL)
    mrc_record_held(nic, end->arrivals.held);
  state->counters.out_of_order++;
  if (end->arrivals.held > state->counters.held_out_of_order)
    state->counters.held_out_of_order = end->arrivals.held;
}

/* Note a new packet in its end and in its message. */
static void take_note(nic_t* nic, mrc_end_t* end, const mrc_header_t* header, int64_t payload)
{
  const mrc_incoming_t message = {
      .number    = header->data.message,
      .bytes     = header->data.bytes,
      .tag       = header->data.tag,
      .first_psn = header->psn - header->index,
      .packets   = header->flags & MRC_FLAG_END ? header->index + 1 : 0,
  };
  ++*nic->owner.progress;
  mrc_inbox_arrived(&end->inbox, &message, payload, nic_now(nic));
  count_order(nic, end, header->psn);
}

/* Acknowledged on arrival; only then is the payload written. */
static void receive_new(nic_t* nic, mrc_end_t* end, opp_msg_t* msg, int64_t payload)
{
  const net_frame_t* frame = net_frame(msg);
  take_note(nic, end, mrc_header_const(frame), payload);
  mrc_acknowledge(nic, end, frame, payload, true);
  if (payload > 0) {
    mrc_state(nic)->writes++;
    nic_write(nic, msg);
  } else
    discard(nic, msg); /* there is nothing to write */
  deliver(nic, end);
}

static void receive_data(nic_t* nic, opp_msg_t* msg)
{
  mrc_state_t* state         = mrc_state(nic);
  const net_frame_t* frame   = net_frame(msg);
  const mrc_header_t* header = mrc_header_const(frame);
  const int64_t payload      = nic->transport->payload(msg);
  mrc_end_t* end             = mrc_end_for(state, frame->src, header->queue_pair);
  state->counters.data_received++;
  if (state->recorder != NULL)
    mrc_record_received(nic, frame, msg->bytes, -1);
  if (header->psn >= end->arrivals.expected + state->config.psn_window * MRC_PSN_UNIT) {
    state->counters.out_of_window++;
    mrc_refuse(nic, frame, MRC_PSN_OOR_WINDOW);
    discard(nic, msg);
    return;
  }
  if (nic_arrivals_mark(&end->arrivals, header->psn)) {
    receive_new(nic, end, msg, payload);
    return;
  }
  state->counters.duplicates++;
  mrc_acknowledge(nic, end, frame, payload, false);
  discard(nic, msg);
}

/* ---- Everything else --------------------------------------------------------------------------------------------- */

static void receive_trimmed(nic_t* nic, const net_frame_t* frame)
{
  sgf_mrc_counters_t* counters = &mrc_state(nic)->counters;
  counters->data_received++;
  counters->trimmed++;
  mrc_refuse(nic, frame, mrc_role(nic, frame) == NET_ROLE_TRIMMED_LAST_HOP ? MRC_TRIMMED_LAST_HOP : MRC_TRIMMED);
}

static void receive_probe(nic_t* nic, const net_frame_t* frame)
{
  mrc_state_t* state = mrc_state(nic);
  state->counters.probes_received++;
  mrc_answer_probe(nic, mrc_end_for(state, frame->src, mrc_header_const(frame)->queue_pair), frame);
}

/* What is dealt with as soon as it is here; a copy, for the frame goes first and with it its room in the pool. */
static void receive_small(nic_t* nic, const net_frame_t* frame, int64_t bytes)
{
  const mrc_header_t* header = mrc_header_const(frame);
  const bool is_ack          = header->type == MRC_ACK || header->type == MRC_SACK;
  if (mrc_state(nic)->recorder != NULL && !is_ack) /* those say what sample they gave */
    mrc_record_received(nic, frame, bytes, -1);
  if (net_role_is_trimmed(mrc_role(nic, frame)))
    receive_trimmed(nic, frame);
  else if (header->type == MRC_PROBE)
    receive_probe(nic, frame);
  else if (header->type == MRC_NACK)
    mrc_refused(nic, frame);
  else
    mrc_acknowledged(nic, frame);
}

void mrc_received(nic_t* nic, opp_msg_t* msg)
{
  const net_frame_t frame = *net_frame(msg);
  const int64_t bytes     = msg->bytes;
  if (mrc_header_const(&frame)->type == MRC_DATA && !net_role_is_trimmed(mrc_role(nic, &frame))) {
    receive_data(nic, msg);
    return;
  }
  discard(nic, msg);
  receive_small(nic, &frame, bytes);
}
