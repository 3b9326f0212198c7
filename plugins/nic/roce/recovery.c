/* What answers and timers say to the sending end of a queue pair (spec/roce-nic.md 10.5 to 10.7). */
#include "nic/roce/roce.h"
#include "nic/samples.h"

/* ---- The transport timer (10.7) ---------------------------------------------------------------------------------- */

static uint32_t outstanding(const roce_pair_t* pair)
{
  return pair->window.next - pair->window.base;
}

/* With SelectiveRepeat the timeout is short while few packets are in flight. */
static bool is_low(const nic_t* nic, const roce_pair_t* pair)
{
  return pair->window.selective && outstanding(pair) <= roce_state(nic)->config.rto_low_packets;
}

static nic_timeouts_t* timeouts_of(nic_t* nic, bool low)
{
  return low ? &roce_state(nic)->low_timeouts : &roce_state(nic)->timeouts;
}

void roce_stop_timer(nic_t* nic, roce_pair_t* pair)
{
  if (pair->timer_runs)
    nic_timeouts_stop(timeouts_of(nic, pair->timer_is_low), &pair->timed);
  pair->timer_runs = false;
}

/* Also a running one, anew. */
void roce_start_timer(nic_t* nic, roce_pair_t* pair)
{
  roce_stop_timer(nic, pair);
  pair->timer_is_low = is_low(nic, pair);
  pair->timer_runs   = true;
  nic_timeouts_start(timeouts_of(nic, pair->timer_is_low), &pair->timed, 0);
}

void roce_note_outstanding(nic_t* nic, roce_pair_t* pair)
{
  if (!pair->timer_runs || (pair->timer_is_low && !is_low(nic, pair)))
    roce_start_timer(nic, pair);
}

static void expire(nic_t* nic, roce_pair_t* pair)
{
  roce_state_t* state = roce_state(nic);
  state->counters.timeouts++;
  state->counters.recoveries++;
  roce_stop_timer(nic, pair);
  roce_window_expire(&pair->window);
  if (!roce_window_is_empty(&pair->window)) /* a rewind empties it */
    roce_start_timer(nic, pair);
  roce_make_ready(nic, pair);
}

void roce_timeout(nic_t* nic, nic_timeouts_t* timeouts, unsigned level)
{
  nic_timed_t* timed;
  while ((timed = nic_timeouts_due(timeouts, level)) != NULL)
    expire(nic, (roce_pair_t*)(void*)timed);
  opp_cancel_event(nic->module, timeouts->timer[level]); /* set for one that was started anew, but others come before */
  nic_timeouts_go_on(timeouts, level);
}

/* ---- Round trips (13) -------------------------------------------------------------------------------------------- */

/* An ACK retires everything up to `psn`. */
static void sample(nic_t* nic, const roce_pair_t* pair, uint32_t psn)
{
  const roce_sent_t* sent = roce_sent_of(pair, psn);
  if (sent->again || sent->at < 0)
    return;
  nic_sample(&roce_state(nic)->rtt_run, nic_now(nic) - sent->at);
  nic_sample(&roce_state(nic)->rtt_interval, nic_now(nic) - sent->at);
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

/* The pair that an answer is for, with the message that it names. NULL: there is nothing to do about it. */
static roce_pair_t* addressee(nic_t* nic, const roce_header_t* header)
{
  sgf_roce_counters_t* counters = &roce_state(nic)->counters;
  roce_pair_t* pair             = roce_pair_numbered(nic, header->queue_pair);
  if (pair == NULL)
    counters->drops_no_pair_control++;
  else if (header->message > pair->last_message)
    counters->drops_ghost++;
  else if (pair->message != NULL && header->message == pair->message->number)
    return pair;
  return NULL;
}

/* `before`: the oldest outstanding packet until then. */
static void follow_up(nic_t* nic, roce_pair_t* pair, roce_verdict_t verdict, uint32_t before)
{
  roce_state_t* state    = roce_state(nic);
  const uint32_t retired = pair->window.base - before;
  *nic->owner.progress += retired;
  if (verdict == ROCE_GHOST)
    state->counters.drops_ghost++;
  if (verdict == ROCE_RESTARTS)
    state->counters.recoveries++;
  if (roce_window_is_empty(&pair->window))
    roce_stop_timer(nic, pair);
  else if (retired > 0)
    roce_start_timer(nic, pair);
  if (pair->window.base == pair->window.packets)
    roce_complete(nic, pair);
  else
    roce_make_ready(nic, pair);
}

void roce_receive_ack(nic_t* nic, const roce_header_t* header)
{
  roce_state(nic)->counters.acks_received++;
  roce_pair_t* pair = addressee(nic, header);
  if (pair == NULL)
    return;
  const uint32_t before        = pair->window.base;
  const roce_verdict_t verdict = roce_window_acknowledge(&pair->window, header->psn);
  if (verdict == ROCE_RETIRES)
    sample(nic, pair, header->psn);
  follow_up(nic, pair, verdict, before);
}

void roce_receive_nak(nic_t* nic, const roce_header_t* header)
{
  sgf_roce_counters_t* counters = &roce_state(nic)->counters;
  const bool selective          = (header->flags & ROCE_FLAG_SELECTIVE) != 0;
  counters->naks_received++;
  counters->selective_received += selective;
  roce_pair_t* pair = addressee(nic, header);
  if (pair == NULL)
    return;
  const uint32_t before = pair->window.base;
  if (selective && pair->window.selective)
    follow_up(nic, pair, roce_window_refuse_selectively(&pair->window, header->psn, header->drawn_by), before);
  else
    follow_up(nic, pair, roce_window_refuse(&pair->window, header->psn), before);
}
