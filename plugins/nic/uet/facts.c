/* What the attributes of a UET NIC come to, for `explain` (the numbers of spec/uet-nic.md 5, 8 and 9). */
#include "nic/uet/uet.h"

/* Packets of `bytes` that a pool holds. */
static int64_t fitting(int64_t pool, int64_t bytes)
{
  return pool / bytes;
}

/* The least occupancy at which a percentage of the pool is reached. */
static int64_t percent_of(sgf_decimal_t percent, int64_t pool)
{
  __extension__ typedef __int128 wide_t;
  const wide_t scale = (wide_t)percent.scale * 100;
  return (int64_t)(((wide_t)percent.digits * pool + scale - 1) / scale);
}

static void tell_of_pools(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const uet_state_t* state = uet_state(nic);
  const int64_t wire       = (int64_t)state->config.mss + UET_DATA_OVERHEAD;
  const int64_t nominal    = (int64_t)state->config.mss + UET_NOMINAL_OVERHEAD;
  const int64_t egress     = nic->egress[state->data_class].size;
  const int64_t ingress    = nic->ingress[state->data_class].size;
  tell(user, "packets in the transmit pool", NIC_COUNT, fitting(egress, wire));
  tell(user, "generation restarts at", NIC_BYTES, egress / 2);
  tell(user, "packets in the receive pool", NIC_COUNT, fitting(ingress, nominal));
  if (state->config.prefetch)
    tell(user, "packets in the prefetch buffer", NIC_COUNT, fitting((int64_t)state->config.prefetch_bytes, wire));
  tell(user, "penalty from", NIC_BYTES, percent_of(state->congestion_config.penalty_low, ingress));
  tell(user, "full penalty from", NIC_BYTES, percent_of(state->congestion_config.penalty_high, ingress));
}

static void tell_of_congestion(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const uet_state_t* state    = uet_state(nic);
  const nscc_params_t* params = &state->congestion;
  const opp_simtime_t rtt     = params->initial_base_rtt;
  tell(user, "bandwidth-delay product", NIC_BYTES, (int64_t)nscc_bandwidth_delay(params->gbps, rtt));
  tell(user, "largest window", NIC_BYTES, (int64_t)params->max_window);
  tell(user, "packets in it", NIC_COUNT, (int64_t)(params->max_window / params->nominal));
  if (!params->enabled)
    return;
  tell(user, "target queueing delay", NIC_TIME, params->target);
  if (!params->quick_adapt)
    return;
  tell(user, "Quick Adapt observes for", NIC_TIME, rtt + params->target);
  tell(user, "Quick Adapt fires below", NIC_BYTES, (int64_t)(params->max_window / params->quick_adapt_divisor));
}

void uet_facts(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const uet_state_t* state = uet_state(nic);
  const int64_t nominal    = (int64_t)state->config.mss + UET_NOMINAL_OVERHEAD;
  unsigned level;
  tell_of_pools(nic, tell, user);
  tell_of_congestion(nic, tell, user);
  tell(user, "acknowledgement held for", NIC_TIME, opp_rate_duration(state->lanes, 8 * nominal));
  tell(user, "first timeout", NIC_TIME, uet_rto(&state->config, 0, &level));
  tell(user, "longest timeout", NIC_TIME, uet_rto(&state->config, NIC_RTO_LEVELS, &level));
}
