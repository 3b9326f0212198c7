/* Counters, read out of the models (include/sgfabric/stats.h). */
#include <sgfabric/script.h>
#include <sgfabric/stats.h>

#include "fabric/fabric_internal.h"

/* ---- Places ------------------------------------------------------------------------------------------------------ */

uint32_t sgf_device_node_id(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) ? device->fabric->host_count + device->index : device->index;
}

unsigned sgf_device_tier(const sgf_device_t* device)
{
  enum { NIC = 3, RACK = 2 };
  if (!sgf_device_is_switch(device))
    return NIC;
  return device->tier < RACK ? RACK - device->tier : 0;
}

bool sgf_device_port_is_uplink(const sgf_device_t* device, unsigned port)
{
  return fabric_is_uplink(device, &device->ports[port]);
}

bool sgf_device_has_class(const sgf_device_t* device, unsigned tc)
{
  return sgf_device_is_switch(device) || fabric_nic(device)->ingress[tc].size > 0;
}

/* ---- Ports ------------------------------------------------------------------------------------------------------- */

static void count_sent(const net_port_t* port, sgf_port_stats_t* stats)
{
  stats->tx_packets = net_port_sent_frames(port);
  stats->tx_bytes   = net_port_sent_bytes(port);
}

sgf_port_stats_t sgf_device_port_stats(const sgf_device_t* device, unsigned port)
{
  sgf_port_stats_t stats = {0};
  if (!sgf_device_is_switch(device)) {
    const nic_t* nic = fabric_nic(device);
    count_sent(&nic->port, &stats);
    stats.rx_packets = nic->rx_frames;
    stats.rx_bytes   = nic->rx_bytes;
    stats.rx_drops   = nic->rx_drops;
    return stats;
  }
  const switch_state_t* state    = switch_state(device->module);
  const switch_port_t* of_switch = &state->ports[port];
  count_sent(&of_switch->out, &stats);
  stats.rx_packets = state->received[port].frames;
  stats.rx_bytes   = state->received[port].bytes;
  stats.tx_drops   = of_switch->tx_drops;
  stats.rx_drops   = of_switch->rx_drops;
  stats.trimmed    = of_switch->trimmed;
  return stats;
}

int64_t sgf_device_queue_bytes(const sgf_device_t* device, unsigned port, unsigned tc)
{
  return net_port_held_bytes(fabric_port_of(device, port), tc);
}

/* ---- Classes of a port ------------------------------------------------------------------------------------------- */

static pfc_receiver_t* receiver_of(const sgf_device_t* device, unsigned port)
{
  return sgf_device_is_switch(device) ? &switch_state(device->module)->ports[port].peer : &fabric_nic(device)->peer;
}

sgf_class_stats_t sgf_device_class_stats(const sgf_device_t* device, unsigned port, unsigned tc)
{
  const pfc_receiver_t* receiver = receiver_of(device, port);
  const pfc_sender_t* sender     = fabric_pfc_sender(device, port);
  const pfc_stretches_t holds    = pfc_receiver_holds(receiver, tc);
  const pfc_stretches_t backlog  = pfc_receiver_backlogged_holds(receiver, tc);
  sgf_class_stats_t stats        = {
             .pauses_sent        = sender->pauses[tc],
             .resumes_sent       = sender->resumes[tc],
             .pauses_received    = receiver->pauses[tc],
             .resumes_received   = receiver->resumes[tc],
             .paused             = holds.total,
             .paused_longest     = holds.longest,
             .backlogged         = backlog.total,
             .backlogged_longest = backlog.longest,
  };
  if (sgf_device_is_switch(device)) {
    const switch_port_t* of_switch = &switch_state(device->module)->ports[port];
    stats.marked                   = of_switch->marked[tc];
    stats.tx_drops                 = switch_tx_drops(of_switch, tc);
    stats.rx_drops                 = switch_rx_drops(of_switch, tc);
  } else
    stats.rx_drops = fabric_nic(device)->class_drops[tc];
  return stats;
}

void sgf_device_next_interval(sgf_device_t* device, unsigned port, unsigned tc)
{
  pfc_receiver_next_interval(receiver_of(device, port), tc);
}

/* ---- Storms ------------------------------------------------------------------------------------------------------ */

size_t sgf_device_storm_count(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) ? switch_storm_count(switch_state(device->module)) : 0;
}

static sgf_storm_traffic_t traffic_of(const switch_storm_traffic_t* traffic)
{
  return (sgf_storm_traffic_t){traffic->sent, traffic->tx_drops, traffic->received, traffic->rx_drops};
}

sgf_storm_t sgf_device_storm(const sgf_device_t* device, size_t i)
{
  static const char* const actions[] = {
      [PFC_WATCHDOG_DROP] = "drop", [PFC_WATCHDOG_FORWARD] = "forward", [PFC_WATCHDOG_ALERT] = "alert"};
  const switch_state_t* state = switch_state(device->module);
  const switch_storm_t storm  = switch_storm(state, i);
  return (sgf_storm_t){
      .port     = storm.port,
      .tc       = storm.tc,
      .action   = actions[state->watchdog->config.action],
      .detected = storm.detected,
      .restored = storm.restored,
      .during   = traffic_of(&storm.during),
      .total    = traffic_of(&storm.total),
  };
}

/* ---- Pools and PCIe link of a NIC -------------------------------------------------------------------------------- */

bool sgf_device_wants_pool_stats(const sgf_device_t* device)
{
  const nic_block_t* block = device->block;
  return !sgf_device_is_switch(device) && block->common.buffer_stats;
}

void sgf_device_watch_pools(sgf_device_t* device)
{
  nic_watch_pools(fabric_nic(device));
}

static nic_pool_flow_t* flow_of(const nic_t* nic, sgf_pool_side_t side, unsigned tc)
{
  if (nic->flows == NULL)
    return NULL;
  return side == SGF_POOL_RECEIVE ? &nic->flows->ingress[tc] : &nic->flows->egress[tc];
}

sgf_pool_stats_t sgf_device_pool_stats(const sgf_device_t* device, sgf_pool_side_t side, unsigned tc)
{
  const nic_t* nic             = fabric_nic(device);
  const nic_ingress_pool_t* in = &nic->ingress[tc];
  const nic_egress_pool_t* out = &nic->egress[tc];
  const nic_pool_flow_t* flow  = flow_of(nic, side, tc);
  sgf_pool_stats_t stats       = {.size = out->size, .occupancy = out->reserved, .peak = out->peak};
  if (side == SGF_POOL_RECEIVE)
    stats = (sgf_pool_stats_t){
        .size = in->size, .occupancy = in->occupancy, .peak = in->peak, .refused = nic->class_drops[tc]};
  if (flow == NULL)
    return stats;
  stats.interval_peak = flow->most;
  stats.packets_in    = flow->in;
  stats.packets_out   = flow->out;
  stats.bytes_in      = flow->bytes_in;
  stats.bytes_out     = flow->bytes_out;
  return stats;
}

void sgf_device_next_pool_interval(sgf_device_t* device, sgf_pool_side_t side, unsigned tc)
{
  const nic_t* nic      = fabric_nic(device);
  nic_pool_flow_t* flow = flow_of(nic, side, tc);
  flow->most            = side == SGF_POOL_RECEIVE ? nic->ingress[tc].occupancy : nic->egress[tc].reserved;
}

sgf_pcie_stats_t sgf_device_pcie_stats(const sgf_device_t* device, sgf_pcie_end_t end)
{
  const nic_t* nic = fabric_nic(device);
  return sgf_pcie_stats(nic->pcie, end, nic_now(nic));
}

/* ---- Buffers and equal-cost sets --------------------------------------------------------------------------------- */

sgf_shared_buffer_t* sgf_device_buffer(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) ? switch_state(device->module)->buffer : NULL;
}

sgf_record_config_t sgf_device_record_config(const sgf_device_t* device)
{
  const switch_block_t* block = device->block;
  if (!sgf_device_is_switch(device))
    return (sgf_record_config_t){0};
  return (sgf_record_config_t){
      .buffer_interval         = block->buffer.buffer_stats_interval,
      .per_port_buffers        = block->own.per_port_buffer_stats || block->buffer.per_port_buffer_stats,
      .load_balancing          = block->own.load_balancing_stats,
      .load_balancing_interval = block->own.load_balancing_interval,
      .watchdog                = block->watchdog.enabled,
  };
}

size_t sgf_device_set_count(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) ? switch_balance_group_count(switch_state(device->module)->balance) : 0;
}

sgf_set_stats_t sgf_device_set_stats(const sgf_device_t* device, size_t set)
{
  const switch_group_t group = switch_balance_group(switch_state(device->module)->balance, (uint32_t)set);
  return (sgf_set_stats_t){.formed = group.formed, .size = group.size, .slots = group.slots};
}

sgf_member_stats_t sgf_device_member_stats(const sgf_device_t* device, size_t set, unsigned member)
{
  const switch_balance_t* balance    = switch_state(device->module)->balance;
  const switch_member_stats_t* stats = switch_balance_member_stats(balance, (uint32_t)set, member);
  return (sgf_member_stats_t){
      .port              = switch_balance_member_port(balance, (uint32_t)set, member),
      .bytes             = stats->bytes,
      .packets           = stats->packets,
      .assignments       = stats->assignments,
      .movements_in      = stats->movements_in,
      .movements_out     = stats->movements_out,
      .paused_skips      = stats->paused_skips,
      .paused_selections = stats->paused_selections,
  };
}
