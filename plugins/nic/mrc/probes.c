/* Probes: paths that are assumed bad are tried while their queue pair has something under way (spec/mrc-nic.md 10.8,
 * 10.9). They wait among data, take no PSN, and are left out where the pool has no room. */
#include "nic/mrc/mrc.h"

static void probe(nic_t* nic, const mrc_pair_t* pair, uint16_t value)
{
  sgf_mrc_counters_t* counters = &mrc_state(nic)->counters;
  if (!nic_reserve(nic, MRC_DATA_CLASS, MRC_PROBE_BYTES)) {
    counters->probes_left_out++;
    return;
  }
  opp_msg_t* msg           = mrc_frame_new(nic, &pair->key, NET_ROLE_NO_TRIM, MRC_PROBE, MRC_PROBE_BYTES);
  net_frame(msg)->src_port = value;
  counters->probes_sent++;
  nic_queue(nic, msg);
}

void mrc_probe_bad_paths(nic_t* nic, mrc_pair_t* pair)
{
  const opp_simtime_t interval = mrc_state(nic)->config.probe_interval;
  if (pair->probing || interval == 0 || pair->oldest == NULL || mrc_paths_bad(&pair->paths) == 0)
    return;
  pair->probing    = true;
  opp_msg_t* timer = opp_timer_new(nic->module, MRC_PROBE_DUE, NET_PRIORITY_TIMER);
  timer->bytes     = pair->id;
  opp_schedule_after(nic->module, interval, timer);
}

void mrc_probe_due(nic_t* nic, opp_msg_t* msg)
{
  mrc_pair_t* pair         = (mrc_pair_t*)mrc_state(nic)->pairs.all[msg->bytes];
  const mrc_paths_t* paths = &pair->paths;
  opp_msg_delete(msg);
  pair->probing = false;
  if (pair->oldest == NULL) /* the next message goes on with it */
    return;
  for (uint16_t i = 0; i < paths->count; i++)
    if (paths->paths[i].state == MRC_ASSUMED_BAD)
      probe(nic, pair, (uint16_t)(paths->first_value + i));
  mrc_probe_bad_paths(nic, pair);
}
