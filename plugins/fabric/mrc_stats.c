/* Counters, samples and packets of MRC NICs, read out of the transport (include/sgfabric/stats.h, mrc_stats.h). */
#include <sgfabric/stats.h>

#include "fabric/fabric_internal.h"
#include "nic/mrc/mrc.h"

sgf_mrc_record_config_t sgf_device_mrc_record_config(const sgf_device_t* device)
{
  const mrc_block_t* block = device->block;
  if (device->transport != &mrc_transport)
    return (sgf_mrc_record_config_t){0};
  return (sgf_mrc_record_config_t){.transport_stats = block->own.transport_stats,
                                   .stats_interval  = block->own.stats_interval,
                                   .monitor         = block->own.monitor};
}

sgf_mrc_counters_t sgf_device_mrc_counters(const sgf_device_t* device)
{
  return mrc_counters(fabric_nic(device));
}

void sgf_device_sample_mrc(sgf_device_t* device)
{
  mrc_recorder(fabric_nic(device));
}

sgf_mrc_samples_t sgf_device_mrc_samples(const sgf_device_t* device)
{
  return mrc_recorder(fabric_nic(device))->run;
}

sgf_mrc_samples_t sgf_device_mrc_interval(const sgf_device_t* device)
{
  return mrc_recorder(fabric_nic(device))->interval;
}

void sgf_device_next_mrc_interval(sgf_device_t* device)
{
  mrc_recorder(fabric_nic(device))->interval = (sgf_mrc_samples_t){0};
}

void sgf_device_observe_mrc_packets(sgf_device_t* device, sgf_mrc_packet_cb packet, void* user)
{
  mrc_recorder_t* recorder = mrc_recorder(fabric_nic(device));
  recorder->packet         = packet;
  recorder->packet_user    = user;
}
