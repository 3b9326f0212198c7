/* What the attributes of an MRC NIC come to, for `explain` (the numbers of spec/mrc-nic.md 5, 10 and 11). */
#include "nic/mrc/mrc.h"

static void tell_of_pools(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const mrc_state_t* state = mrc_state(nic);
  const int64_t wire       = state->config.mss + state->overhead;
  const int64_t egress     = nic->egress[MRC_DATA_CLASS].size;
  tell(user, "packets in the transmit pool", NIC_COUNT, egress / wire);
  tell(user, "generation restarts at", NIC_BYTES, egress / 2);
  tell(user, "cumulative ACKs in the transmit pool", NIC_COUNT, nic->egress[MRC_CONTROL_CLASS].size / MRC_ACK_BYTES);
  tell(user, "packets in the receive pool", NIC_COUNT, nic->ingress[MRC_DATA_CLASS].size / wire);
}

static void tell_of_congestion(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const nscc_params_t* params = &mrc_state(nic)->congestion;
  tell(user, "largest window", NIC_BYTES, (int64_t)params->max_window);
  tell(user, "packets in it", NIC_COUNT, (int64_t)(params->max_window / params->nominal));
  if (params->enabled)
    tell(user, "target queueing delay", NIC_TIME, params->target);
}

void mrc_facts(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const mrc_config_t* config = &mrc_state(nic)->config;
  unsigned level;
  tell_of_pools(nic, tell, user);
  tell_of_congestion(nic, tell, user);
  tell(user, "packets in the PSN window", NIC_COUNT, (int64_t)config->psn_window * MRC_PSN_UNIT);
  tell(user, "entropy values", NIC_COUNT, (int64_t)config->entropy_values);
  tell(user, "SACK after", NIC_BYTES, config->sack_threshold > 0 ? config->sack_threshold : config->mss);
  tell(user, "first timeout", NIC_TIME, nic_rto(config->initial_rto, (unsigned)config->max_backoff, 0, &level));
  tell(user, "longest timeout", NIC_TIME,
       nic_rto(config->initial_rto, (unsigned)config->max_backoff, NIC_RTO_LEVELS, &level));
}
