/* PDCs whose message has a rate of its own (nic/pace.h). */
#include "nic/uet/uet.h"

void uet_pace(nic_t* nic, uet_pdc_t* pdc, int64_t payload)
{
  if (pdc->next_psn == pdc->packet_count)
    return;
  opp_msg_t* timer = opp_timer_new(nic->module, UET_PACED, NET_PRIORITY_TIMER);
  timer->bytes     = pdc->id;
  uet_state(nic)->pacing++;
  opp_schedule_at(nic->module, nic_pace_next(&pdc->pace, nic_now(nic), payload), timer);
}

static bool nothing_is_under_way(const uet_pdc_t* pdc)
{
  return pdc->acknowledged == pdc->next_psn;
}

/* The message lives still: its last packet is not committed. */
void uet_paced(nic_t* nic, opp_msg_t* msg)
{
  uet_pdc_t* pdc = uet_state(nic)->pdcs[msg->bytes - 1];
  opp_msg_delete(msg);
  uet_state(nic)->pacing--;
  nic_pace_pass(&pdc->pace, nic, nothing_is_under_way(pdc));
  uet_make_ready(nic, pdc, false);
  uet_transmit(nic);
}

void uet_pace_progress(nic_t* nic, const nic_message_t* message, nic_progress_t* progress)
{
  const uet_state_t* state = uet_state(nic);
  const uet_pdc_t* pdc     = message->sending;
  if (pdc == NULL && state->pacing > 0) /* for a free PDC, and those are in no hurry */
    progress->resumes_at = nic_now(nic);
  if (pdc != NULL)
    nic_pace_progress(&pdc->pace, nic_now(nic), pdc->next_psn, pdc->packet_count, state->config.mss,
                      nothing_is_under_way(pdc), progress);
}
