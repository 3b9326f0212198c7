/* Messages with a rate of their own: a packet becomes eligible when the payload of the one before has taken its time at
 * that rate. Nothing is saved up: a packet that is committed late delays the next. Retransmissions are not paced. */
#include "nic/uet/uet.h"

void uet_pace_open(nic_t* nic, uet_pdc_t* pdc)
{
  const int64_t bps = nic_pacing_bps(nic, pdc->message);
  pdc->eligible     = bps > 0 ? 1 : pdc->packet_count;
  if (bps > 0)
    pdc->pace.rate = opp_rate(bps);
}

void uet_pace(nic_t* nic, uet_pdc_t* pdc, int64_t payload)
{
  if (pdc->next_psn == pdc->packet_count)
    return;
  opp_msg_t* timer = opp_timer_new(nic->module, UET_PACED, NET_PRIORITY_TIMER);
  timer->bytes     = pdc->id;
  uet_state(nic)->pacing++;
  opp_schedule_at(nic->module, opp_transmit(&pdc->pace, nic_now(nic), 8 * payload), timer);
}

static bool nothing_is_under_way(const uet_pdc_t* pdc)
{
  return pdc->acknowledged == pdc->next_psn;
}

/* The message lives still: its last packet is not committed. That it goes on after a wait counts as progress, so that
 * the wait is not taken for a stall. */
void uet_paced(nic_t* nic, opp_msg_t* msg)
{
  uet_pdc_t* pdc = uet_state(nic)->pdcs[msg->bytes - 1];
  opp_msg_delete(msg);
  uet_state(nic)->pacing--;
  if (nothing_is_under_way(pdc))
    ++*nic->owner.progress;
  pdc->eligible++;
  uet_make_ready(nic, pdc, false);
  uet_transmit(nic);
}

/* ---- Progress ---------------------------------------------------------------------------------------------------- */

/* When a packet is eligible that has so many full ones before it, as many as are not committed. */
static opp_simtime_t eligible_behind(const nic_t* nic, opp_transmitter_t pace, int64_t packets)
{
  return opp_transmit(&pace, nic_now(nic), 8 * packets * (int64_t)uet_state(nic)->config.mss);
}

void uet_pace_progress(nic_t* nic, const nic_message_t* message, nic_progress_t* progress)
{
  const uet_pdc_t* pdc = message->sending;
  if (pdc == NULL && uet_state(nic)->pacing > 0) /* for a free PDC, and those are in no hurry */
    progress->resumes_at = nic_now(nic);
  if (pdc != NULL && pdc->pace.rate.bps > 0 && pdc->next_psn < pdc->packet_count) {
    progress->last_generated = eligible_behind(nic, pdc->pace, pdc->packet_count - 1 - pdc->next_psn);
    if (pdc->next_psn == pdc->eligible && nothing_is_under_way(pdc))
      progress->resumes_at = pdc->pace.free_at;
  }
}
