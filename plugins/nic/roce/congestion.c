/* Rates of queue pairs, and the notifications that drive them (spec/roce-nic.md 11.2 to 11.4). */
#include "nic/roce/roce.h"

/* ---- Sender ------------------------------------------------------------------------------------------------------ */

/* What its last packet left over of a picosecond counted at another rate. */
static void settle_rate(roce_pair_t* pair)
{
  pair->wire = (opp_transmitter_t){.rate = opp_rate(roce_rate_bps(&pair->rate))};
}

void roce_open_rate(nic_t* nic, roce_pair_t* pair)
{
  roce_rate_init(&pair->rate, &roce_state(nic)->rate);
  settle_rate(pair);
}

/* The literal reading of 11.4: the port is busy with a packet for as long as it takes at the rate of its pair. */
opp_simtime_t roce_starting(nic_t* nic, opp_msg_t* msg)
{
  roce_header_t* header = roce_header(net_frame(msg));
  if (header->type != ROCE_DATA)
    return 0;
  roce_pair_t* pair               = roce_pair_numbered(nic, header->queue_pair);
  const roce_observer_t* observer = roce_state(nic)->observer;
  if (observer != NULL)
    observer->starting(observer->user, pair, header);
  if (!pair->rate.congested)
    return 0;
  roce_rate_sent(&pair->rate);
  pair->wire.free_at = nic_now(nic); /* no gap: the remainder of the packet before counts */
  return opp_transmit(&pair->wire, nic_now(nic), 8 * (int64_t)msg->bytes) - nic_now(nic);
}

/* The next half of an episode. All halves are equally long, so that their dates ascend. */
static void schedule_run(nic_t* nic, opp_msg_t* timer)
{
  const roce_state_t* state = roce_state(nic);
  opp_schedule_on_line(nic->module, state->rate_runs, nic_now(nic) + state->rate.half_interval, timer);
}

/* The rate has been through a half, which was a reduction if an increase is next. */
static void tell_reduction(const nic_t* nic, const roce_pair_t* pair, int64_t before)
{
  const roce_observer_t* observer = roce_state(nic)->observer;
  if (observer != NULL && pair->rate.increases)
    observer->reduced(observer->user, pair, before);
}

void roce_rate_due(nic_t* nic, opp_msg_t* msg)
{
  roce_pair_t* pair    = roce_pair_numbered(nic, msg->bytes);
  const int64_t before = roce_rate_bps(&pair->rate);
  const bool goes_on   = roce_rate_run(&pair->rate);
  if (roce_rate_bps(&pair->rate) != before)
    settle_rate(pair);
  tell_reduction(nic, pair, before);
  if (goes_on)
    schedule_run(nic, msg);
  else
    opp_msg_delete(msg);
}

void roce_receive_cnp(nic_t* nic, const roce_header_t* header)
{
  roce_state_t* state = roce_state(nic);
  roce_pair_t* pair   = roce_pair_numbered(nic, header->queue_pair);
  state->counters.cnps_received++;
  if (pair == NULL) {
    state->counters.drops_no_pair_control++;
    return;
  }
  if (!state->enable_ecn)
    return;
  if (state->observer != NULL)
    state->observer->notified(state->observer->user, pair, header);
  const int64_t before = roce_rate_bps(&pair->rate);
  if (!roce_rate_notified(&pair->rate))
    return;
  opp_msg_t* timer = opp_timer_new(nic->module, ROCE_RATE_RUN, NET_PRIORITY_TIMER);
  timer->bytes     = pair->number;
  settle_rate(pair);
  tell_reduction(nic, pair, before);
  schedule_run(nic, timer);
}

/* ---- Receiver (11.2) --------------------------------------------------------------------------------------------- */

/* Whatever its own EnableECN; through the dedicated queue. */
void roce_notify(nic_t* nic, roce_end_t* end, const roce_header_t* marked)
{
  if (nic_now(nic) < end->next_cnp)
    return;
  end->next_cnp         = nic_now(nic) + roce_state(nic)->cnp_min_interval;
  opp_msg_t* msg        = roce_frame(nic, end->src, end->control_class, ROCE_CNP, ROCE_CNP_BYTES);
  net_frame_t* frame    = net_frame(msg);
  frame->src_port       = end->src_port;
  roce_header_t* header = roce_header(frame);
  header->queue_pair    = end->queue_pair;
  header->made          = nic_now(nic);
  header->feedback      = marked->feedback;
  nic_queue_ahead(nic, msg);
}
