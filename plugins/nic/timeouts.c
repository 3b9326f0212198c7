/* Retransmission timers: see timeouts.h. */
#include "nic/timeouts.h"

#include "net/frame.h"

void nic_timeouts_init(nic_timeouts_t* timeouts, opp_module_t* module, int kind, opp_simtime_t initial,
                       unsigned doublings)
{
  *timeouts = (nic_timeouts_t){.module = module, .initial = initial, .doublings = doublings};
  for (unsigned level = 0; level < NIC_RTO_LEVELS; level++) {
    timeouts->timer[level]        = opp_timer_new(module, kind, NET_PRIORITY_TIMER);
    timeouts->timer[level]->bytes = level;
  }
}

void nic_timeouts_start(nic_timeouts_t* timeouts, nic_timed_t* timed, unsigned retransmissions)
{
  unsigned level;
  timed->expiry = opp_now(timeouts->module) + nic_rto(timeouts->initial, timeouts->doublings, retransmissions, &level);
  timed->level  = (uint8_t)level;
  nic_timed_append(&timeouts->running[level], timed);
  if (!opp_msg_is_scheduled(timeouts->timer[level]))
    opp_schedule_at(timeouts->module, timed->expiry, timeouts->timer[level]);
}

nic_timed_t* nic_timeouts_due(const nic_timeouts_t* timeouts, unsigned level)
{
  nic_timed_t* first = timeouts->running[level].first;
  return first != NULL && first->expiry <= opp_now(timeouts->module) ? first : NULL;
}

void nic_timeouts_go_on(nic_timeouts_t* timeouts, unsigned level)
{
  const nic_timed_t* first = timeouts->running[level].first;
  if (first != NULL)
    opp_schedule_at(timeouts->module, first->expiry, timeouts->timer[level]);
}
