/* Counters of RoCE NICs, read out of the models (include/sgfabric/stats.h). */
#include <sgfabric/stats.h>

#include "fabric/fabric_internal.h"
#include "nic/roce/roce.h"

bool sgf_device_is_roce(const sgf_device_t* device)
{
  return device->transport == &roce_transport;
}

sgf_roce_counters_t sgf_device_roce_counters(const sgf_device_t* device)
{
  return roce_state(fabric_nic(device))->counters;
}

sgf_roce_samples_t sgf_device_roce_round_trips(const sgf_device_t* device)
{
  const roce_state_t* state = roce_state(fabric_nic(device));
  return (sgf_roce_samples_t){.run = state->rtt_run, .interval = state->rtt_interval};
}

void sgf_device_next_roce_interval(sgf_device_t* device)
{
  roce_state(fabric_nic(device))->rtt_interval = (sgf_samples_t){0};
}
