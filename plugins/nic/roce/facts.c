/* What the attributes of a RoCE NIC come to, for `explain` (the numbers of spec/roce-nic.md 14). */
#include "nic/roce/roce.h"

static void tell_of_pools(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const roce_state_t* state = roce_state(nic);
  const int64_t wire        = state->config.mss + ROCE_DATA_OVERHEAD;
  const int64_t egress      = nic->egress[state->classes.data].size;
  tell(user, "packets in the transmit pool", NIC_COUNT, egress / wire);
  tell(user, "generation restarts at", NIC_BYTES, egress / 2);
  tell(user, "acknowledgements in the transmit pool", NIC_COUNT,
       nic->egress[state->classes.control].size / ROCE_ACK_BYTES);
  tell(user, "packets in the receive pool", NIC_COUNT,
       nic->ingress[state->classes.data].size / (wire - NET_ETHERNET_BYTES));
}

static void tell_of_rates(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const roce_state_t* state = roce_state(nic);
  const int64_t bits        = 8 * (state->config.mss + ROCE_DATA_OVERHEAD);
  if (!state->enable_ecn)
    return;
  tell(user, "rate control runs every", NIC_TIME, state->rate.half_interval);
  tell(user, "a full packet at the lowest rate takes", NIC_TIME,
       opp_rate_duration(opp_rate((int64_t)state->rate.floor), bits));
}

void roce_facts(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const roce_state_t* state = roce_state(nic);
  tell_of_pools(nic, tell, user);
  tell_of_rates(nic, tell, user);
  tell(user, "packets for one acknowledgement", NIC_COUNT,
       state->config.coalesces ? (int64_t)state->config.ack_threshold + 1 : 1);
  if (state->config.bdp_flow_control)
    tell(user, "packets in flight of a queue pair", NIC_COUNT, state->cap);
  tell(user, "timeout", NIC_TIME, state->timeouts.initial);
  if (state->config.loss_recovery == ROCE_SELECTIVE_REPEAT)
    tell(user, "timeout of few packets", NIC_TIME, state->low_timeouts.initial);
}
