/* Samples and events for records (spec/records.md 8, 9). */
#include "nic/uet/record.h"

#include "attr/alloc.h"
#include "nic/samples.h"
#include "nic/uet/uet.h"

uet_recorder_t* uet_recorder(nic_t* nic)
{
  uet_state_t* state = uet_state(nic);
  if (state->recorder == NULL)
    state->recorder = sgf_calloc(1, sizeof *state->recorder);
  return state->recorder;
}

/* A window counts its own cuts until its group ends. */
sgf_uet_counters_t uet_counters(const nic_t* nic)
{
  const uet_state_t* state    = uet_state(nic);
  sgf_uet_counters_t counters = state->counters;
  for (size_t i = 0; i < state->group_count; i++)
    if (state->all_groups[i]->members > 0)
      counters.quick_adapts += state->all_groups[i]->congestion.quick_adapts;
  return counters;
}

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

static void sample(uet_recorder_t* recorder, sgf_uet_sample_t what, int64_t value)
{
  nic_sample(&recorder->run.of[what], value);
  nic_sample(&recorder->interval.of[what], value);
}

static void keep_most(uint64_t* most, uint64_t value)
{
  if (value > *most)
    *most = value;
}

void uet_record_sent(nic_t* nic, const net_frame_t* frame)
{
  uet_state_t* state         = uet_state(nic);
  const uet_header_t* header = uet_header_const(frame);
  const uet_pdc_t* pdc       = state->pdcs[header->src_pdc - 1];
  const uet_packet_t* packet = uet_outstanding(pdc, header->psn);
  if (packet == NULL)
    return;
  keep_most(&state->recorder->run.transmissions, packet->retransmissions + 1U);
  keep_most(&state->recorder->interval.transmissions, packet->retransmissions + 1U);
  if (packet->retransmissions > 0)
    return;
  sample(state->recorder, SGF_UET_WINDOW, (int64_t)pdc->group->congestion.window);
  sample(state->recorder, SGF_UET_IN_FLIGHT, pdc->group->in_flight);
}

void uet_record_ack(nic_t* nic, const net_frame_t* frame, const nscc_t* congestion, const nscc_ack_t* ack)
{
  uet_recorder_t* recorder = uet_state(nic)->recorder;
  if (ack->rtt >= 0) {
    sample(recorder, SGF_UET_PENALTY, ack->penalty);
    sample(recorder, SGF_UET_DELAY, (int64_t)congestion->delay);
    sample(recorder, SGF_UET_RTT, ack->rtt);
  }
  uet_monitor_received(nic, frame, UET_ACK_BYTES, ack->rtt);
}

void uet_record_held(nic_t* nic, uint32_t held)
{
  uet_recorder_t* recorder = uet_state(nic)->recorder;
  keep_most(&recorder->run.held_out_of_order, held);
  keep_most(&recorder->interval.held_out_of_order, held);
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

void uet_record_sender_event(nic_t* nic, sgf_pdc_event_kind_t kind, const uet_pdc_t* pdc)
{
  const uet_recorder_t* recorder = uet_state(nic)->recorder;
  sgf_pdc_event_t event          = {
               .kind = kind, .date = nic_now(nic), .local = {nic->address, pdc->id}, .remote = {pdc->message->dst, pdc->peer}};
  if (recorder->event == NULL)
    return;
  if (kind != SGF_PDC_CREATED && kind != SGF_PDC_TERMINATED) {
    event.is_of_work_request = true;
    event.work_request       = pdc->message->number;
    event.bytes              = pdc->message->bytes;
  }
  recorder->event(recorder->event_user, &event);
}

void uet_record_receiver_event(nic_t* nic, sgf_pdc_event_kind_t kind, const uet_end_t* end)
{
  const uet_recorder_t* recorder = uet_state(nic)->recorder;
  const sgf_pdc_event_t event    = {
         .kind = kind, .date = nic_now(nic), .local = {nic->address, end->id}, .remote = {end->src, end->peer}};
  if (recorder->event != NULL)
    recorder->event(recorder->event_user, &event);
}
