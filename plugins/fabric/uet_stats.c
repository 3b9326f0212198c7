/* Counters, samples and packets of UET NICs, read out of the transport (include/sgfabric/stats.h, uet_stats.h). */
#include <sgfabric/stats.h>

#include "fabric/fabric_internal.h"
#include "nic/uet/uet.h"

sgf_uet_record_config_t sgf_device_uet_record_config(const sgf_device_t* device)
{
  const uet_block_t* block = device->block;
  if (device->transport != &uet_transport)
    return (sgf_uet_record_config_t){false, false};
  return (sgf_uet_record_config_t){.transport_stats = block->own.transport_stats, .events = block->own.event_logging};
}

sgf_uet_counters_t sgf_device_uet_counters(const sgf_device_t* device)
{
  return uet_counters(fabric_nic(device));
}

void sgf_device_sample_uet(sgf_device_t* device)
{
  uet_recorder(fabric_nic(device));
}

sgf_uet_samples_t sgf_device_uet_samples(const sgf_device_t* device)
{
  return uet_recorder(fabric_nic(device))->run;
}

sgf_uet_samples_t sgf_device_uet_interval(const sgf_device_t* device)
{
  return uet_recorder(fabric_nic(device))->interval;
}

void sgf_device_next_uet_interval(sgf_device_t* device)
{
  uet_recorder(fabric_nic(device))->interval = (sgf_uet_samples_t){0};
}

const sgf_uet_monitor_config_t* sgf_device_uet_monitor_config(const sgf_device_t* device)
{
  const uet_block_t* block = device->block;
  return device->transport == &uet_transport ? &block->monitor : NULL;
}

void sgf_device_observe_packets(sgf_device_t* device, sgf_uet_packet_cb packet, void* user)
{
  uet_recorder_t* recorder = uet_recorder(fabric_nic(device));
  recorder->packet         = packet;
  recorder->packet_user    = user;
}

void sgf_device_observe_pdcs(sgf_device_t* device, sgf_pdc_event_cb event, void* user)
{
  uet_recorder_t* recorder = uet_recorder(fabric_nic(device));
  recorder->event          = event;
  recorder->event_user     = user;
}

/* ---- The receive pool of a NIC ----------------------------------------------------------------------------------- */

sgf_nic_stats_t sgf_nic_stats(const sgf_device_t* device)
{
  if (sgf_device_is_switch(device) || fabric_nic(device)->transport != &uet_transport)
    return (sgf_nic_stats_t){0};
  const nic_t* nic               = fabric_nic(device);
  const uet_state_t* uet         = uet_state(nic);
  const nic_ingress_pool_t* pool = &nic->ingress[uet->data_class];
  const int64_t full             = (int64_t)uet->config.mss + UET_NOMINAL_OVERHEAD;
  return (sgf_nic_stats_t){
      .pool_size  = pool->size,
      .pool_bytes = pool->occupancy,
      .ack_hold   = opp_rate_duration(uet->lanes, 8 * (pool->occupancy + full)),
      .penalty    = nscc_penalty(&uet->congestion_config, pool->occupancy, pool->size),
  };
}
