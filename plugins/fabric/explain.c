/* The numbers that a sealed fabric has derived: read from the models, not computed a second time. */
#include <sgfabric/explain.h>

#include "fabric/fabric_internal.h"

/* a x b / c, rounded up, without overflow for sizes and rates. */
static int64_t proportion_up(int64_t a, int64_t b, int64_t c)
{
  __extension__ typedef __int128 wide_t;
  return (int64_t)(((wide_t)a * b + c - 1) / c);
}

/* ---- Switches ---------------------------------------------------------------------------------------------------- */

/* What a pause on a port lets in: twice what fits the cable, and an unfinished frame at each end (spec/switch.md
 * SW-40). Rounded up. */
static int64_t headroom_needed(const fabric_port_t* port, int64_t frame)
{
  return proportion_up(2 * port->delay, port->bps, 8 * OPP_S) + 2 * frame;
}

static void explain_pool(sgf_switch_pool_t* facts, const sgf_device_t* device, unsigned pool)
{
  const switch_block_t* config     = device->block;
  const sgf_shared_buffer_t* state = switch_state(device->module)->buffer;
  facts->size                      = sgf_sb_pool_size(state, pool);
  facts->raw_size                  = sgf_sb_pool_raw_size(state, pool);
  facts->queue_limit               = sgf_sb_queue_limit(state, pool);
  facts->retransmission_limit      = sgf_sb_retransmission_limit(state, pool);
  facts->dynamic_limit             = config->buffer.lossy_alpha.digits != 0 && !config->buffer.uet_policy;
  facts->static_limit              = sgf_sb_static_limit(state, pool);
  facts->lossless                  = sgf_sb_group(state, pool);
  switch_ecn_band(&config->ecn, facts->static_limit, &facts->ecn_lower, &facts->ecn_upper);
  for (unsigned tc = 0; tc < SGF_EXPLAIN_CLASSES; tc++)
    if (sgf_sb_pool_of(state, tc) == pool)
      facts->classes |= (uint8_t)(1U << tc);
}

static void explain_conditions(sgf_switch_facts_t* facts, unsigned tc, unsigned pool, int64_t headroom)
{
  const sgf_switch_pool_t* of_class = &facts->pools[pool];
  const int64_t all_paused          = facts->connected_ports * (facts->xoff + facts->largest_packet);
  const int64_t others              = __builtin_popcount(of_class->classes & ~(1U << tc));
  facts->conditions[tc][0] =
      (sgf_condition_t){facts->headroom_per_port >= headroom, facts->headroom_per_port, headroom};
  facts->conditions[tc][1] = (sgf_condition_t){of_class->size >= all_paused, of_class->size, all_paused};
  facts->conditions[tc][2] = (sgf_condition_t){others == 0, others, 0};
}

sgf_switch_facts_t sgf_explain_switch(const sgf_device_t* device)
{
  const switch_config_t* own               = &((const switch_block_t*)device->block)->own;
  const sgf_shared_buffer_config_t* config = &((const switch_block_t*)device->block)->buffer;
  const sgf_shared_buffer_t* state         = switch_state(device->module)->buffer;
  sgf_switch_facts_t facts                 = {
                      .device             = device,
                      .connected_ports    = device->port_count,
                      .total_bps          = switch_total_bps(switch_state(device->module)),
                      .switching_capacity = own->switching_capacity,
                      .uet_policy         = config->uet_policy,
                      .trimming           = own->trimming,
                      .buffer             = config->total_bytes,
                      .headroom_per_port  = config->headroom_per_port,
                      .headroom_total     = sgf_sb_headroom_total(state),
                      .sizing_total       = sgf_sb_sizing_total(state),
                      .xoff               = config->xoff,
                      .xon                = config->xon,
                      .largest_frame      = device->fabric->largest_frame,
                      .pfc_frame_bytes    = own->pfc_frame_bytes,
  };
  facts.largest_packet = sgf_sb_charge(facts.largest_frame - NET_ETHERNET_BYTES);
  int64_t headroom     = 0;
  for (unsigned p = 0; p < device->port_count; p++) {
    const fabric_port_t* port      = &device->ports[p];
    const opp_simtime_t pause_time = pfc_pause_time(PFC_MAX_QUANTA, port->bps, port->delay);
    const int64_t needed           = headroom_needed(port, facts.largest_frame);
    if (pause_time > facts.pause_time)
      facts.pause_time = pause_time;
    if (needed > headroom) {
      headroom            = needed;
      facts.headroom_port = p;
    }
  }
  facts.refresh = facts.pause_time / 2;
  for (unsigned pool = 0; pool < SGF_EXPLAIN_CLASSES; pool++)
    explain_pool(&facts.pools[pool], device, pool);
  for (unsigned tc = 0; tc < SGF_EXPLAIN_CLASSES; tc++)
    if (sgf_sb_lossless(state, tc))
      explain_conditions(&facts, tc, sgf_sb_pool_of(state, tc), headroom);
  return facts;
}

/* ---- NICs -------------------------------------------------------------------------------------------------------- */

static sgf_nic_class_t explain_class(const sgf_device_t* device, unsigned tc)
{
  const nic_t* nic               = fabric_nic(device);
  const nic_config_t* config     = &((const nic_block_t*)device->block)->common;
  const nic_ingress_pool_t* pool = &nic->ingress[tc];
  sgf_nic_class_t facts          = {
               .egress   = nic->egress[tc].size,
               .ingress  = pool->size,
               .xoff     = pool->xoff,
               .xon      = pool->xon,
               .headroom = pool->xoff > 0 ? pool->size - pool->xoff : 0,
               .pauses   = pool->pfc_enabled,
  };
  if (config->ingress.quanta[tc] > 0 && config->ingress.quanta[tc] <= PFC_MAX_QUANTA)
    facts.pause_time =
        pfc_pause_time((uint32_t)config->ingress.quanta[tc], device->ports[0].bps, device->ports[0].delay);
  facts.refresh = facts.pause_time / 2;
  return facts;
}

sgf_nic_facts_t sgf_explain_nic(const sgf_device_t* device)
{
  const sgf_pcie_end_config_t* lanes = &((const nic_block_t*)device->block)->pcie.nic;
  const nic_t* nic                   = fabric_nic(device);
  sgf_nic_facts_t facts              = {
                   .device         = device,
                   .link_bps       = device->ports[0].bps,
                   .largest_frame  = device->largest_frame,
                   .largest_packet = nic_charge(&device->transport->traits, device->largest_frame),
                   .window         = device->transport->window(nic),
                   .to_host_bps    = sgf_pcie_to_host_bps(nic->pcie),
                   .to_nic_bps     = sgf_pcie_to_nic_bps(nic->pcie),
                   .lane_bps       = lanes->lane_bps,
                   .lanes          = lanes->lane_count,
  };
  const int64_t write = sgf_pcie_link_bytes(device->transport->largest_payload(device->block));
  facts.needed_bps    = proportion_up(write, facts.link_bps, facts.largest_frame);
  facts.keeps_up      = facts.to_host_bps >= facts.needed_bps;
  facts.lanes_needed  = (uint64_t)proportion_up(facts.needed_bps, 1, facts.lane_bps);
  for (unsigned tc = 0; tc < SGF_EXPLAIN_CLASSES; tc++)
    facts.classes[tc] = explain_class(device, tc);
  return facts;
}

typedef struct listener {
  sgf_fact_cb tell;
  void* user;
} listener_t;

static void pass_on(void* user, const char* name, nic_unit_t unit, int64_t value)
{
  static const sgf_unit_t units[] = {
      [NIC_COUNT] = SGF_UNIT_COUNT, [NIC_BYTES] = SGF_UNIT_BYTES, [NIC_TIME] = SGF_UNIT_TIME};
  const listener_t* listener = user;
  listener->tell(listener->user, name, units[unit], value);
}

void sgf_explain_transport(const sgf_device_t* device, sgf_fact_cb tell, void* user)
{
  listener_t listener = {tell, user};
  device->transport->facts(fabric_nic(device), pass_on, &listener);
}
