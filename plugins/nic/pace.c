/* Messages with a rate of their own: see pace.h. */
#include "nic/pace.h"

void nic_pace_begin(nic_pace_t* pace, const nic_t* nic, const nic_message_t* message, uint32_t packets)
{
  const int64_t bps = nic_pacing_bps(nic, message);
  *pace             = (nic_pace_t){.eligible = bps > 0 ? 1 : packets};
  if (bps > 0)
    pace->line.rate = opp_rate(bps);
}

opp_simtime_t nic_pace_next(nic_pace_t* pace, opp_simtime_t now, int64_t payload)
{
  return opp_transmit(&pace->line, now, 8 * payload);
}

void nic_pace_pass(nic_pace_t* pace, nic_t* nic, bool idle)
{
  if (idle)
    ++*nic->owner.progress;
  pace->eligible++;
}

/* When a packet is eligible that has so many full ones before it, as many as are not generated. */
static opp_simtime_t eligible_behind(opp_transmitter_t line, opp_simtime_t now, int64_t packets, uint64_t mss)
{
  return opp_transmit(&line, now, 8 * packets * (int64_t)mss);
}

void nic_pace_progress(const nic_pace_t* pace, opp_simtime_t now, uint32_t generated, uint32_t packets, uint64_t mss,
                       bool idle, nic_progress_t* progress)
{
  if (pace->line.rate.bps == 0 || generated == packets)
    return;
  progress->last_generated = eligible_behind(pace->line, now, (int64_t)(packets - 1 - generated), mss);
  if (generated == pace->eligible && idle)
    progress->resumes_at = pace->line.free_at;
}
