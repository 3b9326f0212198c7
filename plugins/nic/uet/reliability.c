/* Timers at the sender, and what acknowledgements, NACKs and probes say (spec/uet-nic.md 8.7 to 8.10, 9.3, 10.4). */
#include "nic/uet/uet.h"

/* ---- Retransmission timer (8.10) --------------------------------------------------------------------------------- */

opp_simtime_t uet_rto(const uet_config_t* config, unsigned retransmissions, unsigned* level)
{
  return config->fixed_rto_enable ? nic_rto(config->fixed_rto, 0, retransmissions, level)
                                  : nic_rto(config->initial_rto, (unsigned)config->max_backoff, retransmissions, level);
}

static void start_timer(nic_t* nic, uet_packet_t* packet)
{
  uet_state_t* state = uet_state(nic);
  packet->state      = UET_SENT;
  packet->sent_at    = nic_now(nic);
  nic_timeouts_start(&state->timeouts, &packet->timed, packet->retransmissions);
  if (state->watch != NULL)
    uet_watch_packet(nic, packet);
}

void uet_serialised(nic_t* nic, opp_msg_t* msg)
{
  const uet_header_t* header = uet_header(net_frame(msg));
  if (uet_state(nic)->recorder != NULL && header->type != UET_NACK)
    uet_monitor_sent(nic, net_frame(msg), msg->bytes);
  if (header->type != UET_DATA && header->type != UET_PROBE)
    return;
  uet_pdc_t* pdc = uet_sending_pdc(nic, header->src_pdc, header->message);
  if (pdc == NULL)
    return;
  if (header->type == UET_PROBE) {
    pdc->probe_sent_at = nic_now(nic);
    return;
  }
  if (!(header->flags & UET_FLAG_RETRANSMIT))
    pdc->unsent_bytes -= msg->bytes;
  uet_packet_t* packet = uet_outstanding(pdc, header->psn);
  if (packet != NULL &&
      packet->state == UET_COMMITTED) /* else an earlier transmission of it was acknowledged meanwhile */
    start_timer(nic, packet);
}

/* A packet that was sent is no longer in flight: send it again, ahead of new data. */
static void queue_retransmission(nic_t* nic, uet_packet_t* packet)
{
  nic_timeouts_stop(&uet_state(nic)->timeouts, &packet->timed);
  packet->pdc->group->in_flight -= uet_nominal(nic, packet);
  packet->state = UET_TO_RETRANSMIT;
  nic_timed_append(&packet->pdc->retransmit, &packet->timed);
  uet_make_ready(nic, packet->pdc, true);
}

static void expire(nic_t* nic, uet_packet_t* packet)
{
  uet_group_t* group = packet->pdc->group;
  uet_state(nic)->counters.timeouts++;
  nscc_timed_out(&group->congestion, uet_nominal(nic, packet));
  spray_path_failed(&group->spray, nic_now(nic));
  queue_retransmission(nic, packet);
}

void uet_timeout(nic_t* nic, unsigned level)
{
  nic_timeouts_t* timeouts = &uet_state(nic)->timeouts;
  bool expired             = false;
  for (nic_timed_t* due; (due = nic_timeouts_due(timeouts, level)) != NULL; expired = true)
    expire(nic, uet_packet_of(due));
  nic_timeouts_go_on(timeouts, level);
  if (expired)
    uet_transmit(nic);
}

/* ---- Samples (9.3) ----------------------------------------------------------------------------------------------- */

/* From the end of the serialisation of the transmission that drew an answer to the answer, less what the receiver says
 * it held it. Only of a packet sent once, or of its first retransmission, also if its timer was faster and it waits to
 * be sent again; -1: none. */
static opp_simtime_t rtt_sample(const nic_t* nic, const uet_packet_t* packet, const uet_header_t* answer)
{
  const unsigned again = answer->flags & UET_FLAG_RETRANSMIT ? 1 : 0;
  if (packet == NULL || packet->state == UET_COMMITTED || packet->retransmissions != again)
    return -1;
  const opp_simtime_t rtt = nic_now(nic) - packet->sent_at - answer->service_time * UET_SERVICE_STEP;
  return rtt > 0 ? rtt : 0;
}

/* ---- Acknowledgements -------------------------------------------------------------------------------------------- */

/* Returns the nominal bytes that this newly acknowledges. */
static int64_t retire(nic_t* nic, uet_pdc_t* pdc, uint32_t psn)
{
  uet_packet_t* packet = uet_outstanding(pdc, psn);
  if (packet == NULL)
    return 0;
  uet_state_t* state    = uet_state(nic);
  const int64_t nominal = uet_nominal(nic, packet);
  if (packet->state == UET_SENT)
    nic_timeouts_stop(&state->timeouts, &packet->timed);
  if (packet->state == UET_TO_RETRANSMIT)
    nic_timed_remove(&pdc->retransmit, &packet->timed);
  else
    pdc->group->in_flight -= nominal;
  pdc->group->fetched -= nominal;
  pdc->ring[psn % pdc->ring_size] = NULL;
  uet_packet_free(state, packet);
  pdc->acknowledged++;
  ++*nic->owner.progress;
  while (pdc->base < pdc->next_psn && pdc->ring[pdc->base % pdc->ring_size] == NULL)
    pdc->base++;
  return nominal;
}

static int64_t retire_all(nic_t* nic, uet_pdc_t* pdc, const uet_header_t* ack)
{
  int64_t bytes = 0;
  while (pdc->base < ack->expected && pdc->base < pdc->next_psn)
    bytes += retire(nic, pdc, pdc->base);
  bytes += retire(nic, pdc, ack->psn);
  for (uint64_t bits = ack->ack.bitmap; bits != 0; bits &= bits - 1)
    bytes += retire(nic, pdc, ack->ack.base + (uint32_t)__builtin_ctzll(bits));
  return bytes;
}

/* One probe for each message of a PDC, after the first acknowledgement of its data (8.7). */
static void probe(nic_t* nic, uet_pdc_t* pdc)
{
  if (pdc->probed)
    return;
  pdc->probed          = true;
  opp_msg_t* msg       = uet_control_frame(nic, pdc->message->dst, UET_PROBE, UET_PROBE_BYTES);
  net_frame_t* frame   = net_frame(msg);
  frame->src_port      = pdc->group->spray.only; /* the path of all data, where packets are not sprayed */
  uet_header_t* header = uet_header(frame);
  header->message      = pdc->message->number;
  header->src_pdc      = pdc->id;
  header->dst_pdc      = pdc->peer;
  uet_state(nic)->counters.probes_sent++;
  nic_send_control(nic, msg);
}

static void go_on(nic_t* nic, uet_group_t* group)
{
  if (group->turn != NULL && !group->ready)
    uet_ready_push(uet_state(nic), group, true);
}

void uet_acknowledged(nic_t* nic, const net_frame_t* frame)
{
  const uet_header_t* header = uet_header_const(frame);
  uet_state_t* state         = uet_state(nic);
  uet_pdc_t* pdc             = uet_sending_pdc(nic, header->dst_pdc, header->message);
  state->counters.acks_received++;
  if (pdc == NULL) {
    if (state->recorder != NULL)
      uet_monitor_received(nic, frame, UET_ACK_BYTES, -1);
    return;
  }
  uet_group_t* group = pdc->group;
  nscc_ack_t ack     = {
          .rtt      = rtt_sample(nic, uet_outstanding(pdc, header->psn), header),
          .ecn_echo = header->flags & UET_FLAG_ECN_ECHO,
          .restore  = header->flags & UET_FLAG_RESTORE,
          .penalty  = header->ack.penalty,
  };
  pdc->peer        = header->src_pdc;
  ack.acknowledged = retire_all(nic, pdc, header);
  ack.in_flight    = group->in_flight;
  state->counters.marked_received += ack.ecn_echo && ack.rtt >= 0;
  nscc_acknowledged(&group->congestion, &ack, nic_now(nic));
  pdc->penalty = ack.penalty;
  if (state->recorder != NULL)
    uet_record_ack(nic, frame, &group->congestion, &ack);
  if (!ack.ecn_echo)
    spray_recycle(&group->spray, frame->src_port, nic_now(nic));
  probe(nic, pdc);
  if (pdc->acknowledged < pdc->packet_count)
    go_on(nic, group);
  else {
    if (group->members > 1)
      go_on(nic, group);
    uet_close(nic, pdc);
  }
  uet_transmit(nic);
}

void uet_probe_back(nic_t* nic, const net_frame_t* frame)
{
  const uet_header_t* header = uet_header_const(frame);
  uet_pdc_t* pdc             = uet_sending_pdc(nic, header->dst_pdc, header->message);
  uet_state(nic)->counters.acks_received++;
  uet_state(nic)->counters.probe_acks_received++;
  if (uet_state(nic)->recorder != NULL)
    uet_monitor_received(nic, frame, UET_ACK_BYTES, -1);
  if (pdc != NULL)
    nscc_offer_rtt(&pdc->group->congestion, nic_now(nic) - pdc->probe_sent_at);
}

/* ---- NACKs (8.9) ------------------------------------------------------------------------------------------------- */

/* A packet that is retired, or queued again already, is no longer outstanding: then nothing changes. */
void uet_trimmed(nic_t* nic, const net_frame_t* frame)
{
  const uet_header_t* header = uet_header_const(frame);
  uet_pdc_t* pdc             = uet_sending_pdc(nic, header->dst_pdc, header->message);
  uet_packet_t* packet       = pdc != NULL ? uet_outstanding(pdc, header->psn) : NULL;
  uet_state(nic)->counters.nacks_received++;
  if (uet_state(nic)->recorder != NULL)
    uet_monitor_received(nic, frame, UET_NACK_BYTES, -1);
  if (packet == NULL || packet->state != UET_SENT)
    return;
  uet_group_t* group = pdc->group;
  nscc_trimmed(&group->congestion, uet_nominal(nic, packet), group->in_flight, rtt_sample(nic, packet, header),
               nic_now(nic));
  if (header->flags & UET_FLAG_LAST_HOP)
    spray_recycle(&group->spray, frame->src_port, nic_now(nic));
  queue_retransmission(nic, packet);
  uet_transmit(nic);
}
