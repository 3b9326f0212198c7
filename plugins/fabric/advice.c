/* What the specifications accept but advise against (spec/switch.md 4.2, 4.3, 10.6; spec/uet-nic.md 3.2, 3.5), said
 * once for all devices that it holds for. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sgfabric/explain.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"
#include "nic/uet/uet.h"

/* ---- Warnings ---------------------------------------------------------------------------------------------------- */

void fabric_warn(sgf_fabric_t* fabric, const char* device, const char* text)
{
  for (size_t i = 0; i < fabric->warning_count; i++)
    if (strcmp(fabric->warnings[i].text, text) == 0) {
      fabric->warnings[i].devices += strcmp(fabric->warnings[i].last, device) != 0; /* not again for another class */
      fabric->warnings[i].last = device;
      return;
    }
  fabric->warnings = sgf_realloc(fabric->warnings, fabric->warning_count + 1, sizeof *fabric->warnings);
  fabric->warnings[fabric->warning_count++] =
      (fabric_warning_t){.text = sgf_strdup(text), .first = device, .last = device, .devices = 1};
}

void fabric_write_warnings(sgf_fabric_t* fabric)
{
  for (size_t i = 0; i < fabric->warning_count; i++) {
    fabric_warning_t* warning = &fabric->warnings[i];
    const size_t size         = strlen(warning->first) + strlen(warning->text) + 64;
    warning->line             = sgf_calloc(size, 1);
    if (warning->devices == 1)
      snprintf(warning->line, size, "%s: %s", warning->first, warning->text);
    else
      snprintf(warning->line, size, "%s and %zu more: %s", warning->first, warning->devices - 1, warning->text);
  }
}

void fabric_free_warnings(sgf_fabric_t* fabric)
{
  for (size_t i = 0; i < fabric->warning_count; i++) {
    free(fabric->warnings[i].text);
    free(fabric->warnings[i].line);
  }
  free(fabric->warnings);
}

size_t sgf_fabric_warning_count(const sgf_fabric_t* fabric)
{
  return fabric->warning_count;
}

const char* sgf_fabric_warning(const sgf_fabric_t* fabric, size_t i)
{
  return fabric->warnings[i].line;
}

/* ---- Switches ---------------------------------------------------------------------------------------------------- */

static SGF_PRINTF(2, 3) void advise(const sgf_device_t* device, const char* format, ...)
{
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fabric_warn(device->fabric, device->name, text);
}

/* Shares that do not sum to 1: the last pool takes the difference, but its ECN band and fixed limit do not (U-01). */
static void advise_shares(const sgf_device_t* device, const sgf_shared_buffer_config_t* config)
{
  const sgf_decimal_t one = {1, 1};
  sgf_decimal_t sum       = {0, 1};
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    sum = sgf_decimal_add(sum, config->pool_share[pool]);
  if (sgf_decimal_compare(sum, one) != 0)
    advise(device,
           "SharedBufferManager.PoolAllocationMap sums to %g, not to 1: the last pool takes the difference, its ECN "
           "band does not",
           sgf_decimal_value(sum));
}

static void advise_classes(const sgf_device_t* device, const sgf_shared_buffer_config_t* config)
{
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++) {
    const int64_t pool = config->pool_of_class[tc];
    if (config->enable_pfc[tc] == 1 && pool != tc)
      advise(device,
             "SharedBufferManager.TrafficClassPoolMapping puts class %u, which has PFC, in pool %" PRId64
             "; PFC presupposes class n in pool n",
             tc, pool);
    if (config->enable_pfc[tc] != 0 && config->enable_pfc[tc] != 1)
      advise(device, "SharedBufferManager.EnablePFC of class %u is %" PRId64 ", which counts as 0", tc,
             config->enable_pfc[tc]);
  }
}

/* The first two of the three lossless conditions; the third, other classes in the pool, is how the defaults are. */
static void advise_lossless(const sgf_device_t* device)
{
  const sgf_switch_facts_t facts = sgf_explain_switch(device);
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++) {
    const sgf_condition_t* conditions = facts.conditions[tc];
    if (!sgf_sb_lossless(switch_state(device->module)->buffer, tc))
      continue;
    if (!conditions[0].holds)
      advise(device,
             "SharedBufferManager.HeadRoomPerPortLimit is %" PRId64
             " B; a pause on the longest cable lets in up to %" PRId64 " B",
             conditions[0].given, conditions[0].needed);
    if (!conditions[1].holds)
      advise(device,
             "the pool of class %u holds %" PRId64 " B; all %u ports at their pause point need %" PRId64
             " B: it can drop before all have paused",
             tc, conditions[1].given, facts.connected_ports, conditions[1].needed);
  }
}

/* Fixed limits that together are more than the pool: it binds before they do (U-04). */
static void advise_fixed_limits(const sgf_device_t* device, const sgf_shared_buffer_config_t* config)
{
  if (config->lossy_alpha.digits != 0 || !config->queue_drop_threshold_enable)
    return;
  const sgf_shared_buffer_t* state = switch_state(device->module)->buffer;
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
    const int64_t size  = sgf_sb_pool_size(state, pool);
    const int64_t limit = sgf_sb_static_limit(state, pool);
    if (size > 0 && limit > size / device->port_count)
      advise(device,
             "QueueDropThreshold x PlaneBDP is %" PRId64 " B, for %u ports more than pool %u, %" PRId64
             " B: with many busy ports the pool binds first",
             limit, device->port_count, pool, size);
  }
}

/* Ports beyond those set aside (U-05), parallel uplinks other than announced (O-38), port speeds beyond the switch's
 * capacity (U-06): all of them change nothing. */
static void advise_ports(const sgf_device_t* device, const switch_config_t* config)
{
  enum { ANNOUNCED_BY_DEFAULT = 8 };
  uint64_t uplinks  = 0;
  uint64_t parallel = 0;
  for (unsigned i = 0; i < device->port_count; i++) {
    uplinks += fabric_is_uplink(device, &device->ports[i]);
    uint64_t same_peer = 0;
    for (unsigned j = 0; j <= i; j++)
      same_peer += fabric_is_uplink(device, &device->ports[i]) && device->ports[j].peer == device->ports[i].peer;
    if (same_peer > parallel)
      parallel = same_peer;
  }
  const uint64_t downlinks = device->port_count - uplinks;
  const int64_t total_bps  = switch_total_bps(switch_state(device->module));
  if (uplinks > config->uplinks)
    advise(device, "%" PRIu64 " uplinks are more than NumUpLinks, %" PRIu64, uplinks, config->uplinks);
  if (downlinks > config->downlinks)
    advise(device, "%" PRIu64 " downlinks are more than NumDownLinks, %" PRIu64, downlinks, config->downlinks);
  if (uplinks > 0 && config->uplinks_per_switch != ANNOUNCED_BY_DEFAULT && config->uplinks_per_switch != parallel)
    advise(device, "NumUpLinksPerSwitch is %" PRIu64 "; the platform has %" PRIu64 ", and that is what counts",
           config->uplinks_per_switch, parallel);
  if (total_bps > config->switching_capacity)
    advise(device, "oversubscribed: its ports have %" PRId64 " Gbps together, SwitchingCapacity is %" PRId64 " Gbps",
           total_bps / 1000000000, config->switching_capacity / 1000000000);
}

/* A role that a NIC writes otherwise than the switch reads it. */
static void advise_codepoints(const sgf_device_t* device, const switch_block_t* block)
{
  const sgf_fabric_t* fabric = device->fabric;
  for (uint32_t h = 0; h < fabric->host_count; h++) {
    const sgf_device_t* host              = fabric->hosts[h];
    const net_codepoints_config_t* of_nic = host->transport->codepoints(host->block);
    if (memcmp(of_nic, &block->codepoints, sizeof *of_nic) == 0)
      continue;
    advise(device,
           "its Codepoints are not those of host '%s': what one of them writes the other takes for something else",
           host->name);
    return;
  }
}

/* Without the UET policy pools and classes are the configuration's. */
static void advise_own_policy(const sgf_device_t* device, const switch_block_t* block)
{
  advise_shares(device, &block->buffer);
  advise_classes(device, &block->buffer);
  advise_fixed_limits(device, &block->buffer);
}

static void advise_switch(const sgf_device_t* device)
{
  const switch_block_t* block = device->block;
  if (block->buffer.uet_policy)
    advise_codepoints(device, block);
  else
    advise_own_policy(device, block);
  advise_ports(device, &block->own);
  if (block->own.trimming_stats && !block->own.trimming)
    advise(device, "PacketTrimmer.TrimmingStatsEnabled has no effect: TrimmingEnabled is false");
  if (block->buffer.xon >= block->buffer.xoff)
    advise(device, "SharedBufferManager.StaticPoolXonThreshold is not below StaticPoolXoffThreshold: pauses and "
                   "resumes may alternate");
  advise_lossless(device);
}

/* ---- NICs -------------------------------------------------------------------------------------------------------- */

/* A NIC that learns which entropy values are good paths, and a switch that gives a value another path after each gap.
 */
static void advise_recycling(sgf_fabric_t* fabric)
{
  const sgf_device_t* flowlets = NULL;
  for (size_t d = 0; d < fabric->device_count && flowlets == NULL; d++)
    if (sgf_device_is_switch(fabric->devices[d]) &&
        ((const switch_block_t*)fabric->devices[d]->block)->balance.method == SWITCH_BALANCE_FLOWLET)
      flowlets = fabric->devices[d];
  for (uint32_t h = 0; flowlets != NULL && h < fabric->host_count; h++)
    if (fabric->hosts[h]->transport == &uet_transport &&
        ((const uet_block_t*)fabric->hosts[h]->block)->spray.type == SPRAY_REPS)
      advise(
          fabric->hosts[h],
          "PacketSprayingType recycles the entropy values of good paths, but on switch '%s', with LoadBalancingMethod "
          "flowlet, a value has no path of its own",
          flowlets->name);
}

void fabric_advise(sgf_fabric_t* fabric)
{
  for (size_t d = 0; d < fabric->device_count; d++)
    if (sgf_device_is_switch(fabric->devices[d]))
      advise_switch(fabric->devices[d]);
  advise_recycling(fabric);
}
