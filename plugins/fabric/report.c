/* What happened: flows, drops, pauses, pools, links. */
#include <stdio.h>
#include <stdlib.h>

#include <sgfabric/stats.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

/* Causes of drops: those of switches, but both of a watchdog's are one; then the NICs'. */
enum { NIC_DROPS = SWITCH_DROP_WATCHDOG_ARRIVAL, CAUSES };

/* A report under construction: the arrays grow. */
typedef struct draft {
  sgf_report_t report; /* first, so that the report's address is the draft's */
  sgf_drop_count_t drops[CAUSES];
  sgf_pause_count_t* pauses;
  sgf_pool_peak_t* pools;
  sgf_headroom_use_t* headrooms;
  sgf_link_use_t* links;
  char** names;
  size_t name_count;
} draft_t;

/* ---- Counters over all devices ----------------------------------------------------------------------------------- */

static const switch_state_t* state_of(const sgf_device_t* device)
{
  return switch_state(device->module);
}

uint64_t sgf_fabric_packet_hops(const sgf_fabric_t* fabric)
{
  uint64_t hops = 0;
  for (size_t d = 0; d < fabric->device_count; d++)
    for (unsigned p = 0; p < fabric->devices[d]->port_count; p++)
      hops += fabric_port_of(fabric->devices[d], p)->frames;
  return hops;
}

uint64_t sgf_fabric_event_count(const sgf_fabric_t* fabric)
{
  return opp_sim_event_count(fabric->sim);
}

static void look(void* user)
{
  const sgf_fabric_t* fabric = user;
  fabric->progress_callback(fabric->progress_user, opp_sim_clock(fabric->sim), sgf_fabric_packet_hops(fabric));
}

void sgf_fabric_set_progress(sgf_fabric_t* fabric, uint64_t events, sgf_progress_cb progress, void* user)
{
  fabric->progress_callback = progress;
  fabric->progress_user     = user;
  opp_sim_t* sim            = fabric->sim;
  sim->look                 = look;
  sim->look_user            = fabric;
  sim->look_period          = events;
  sim->next_look            = progress != NULL && events > 0 ? sim->event_count + events : 0;
}

/* ---- Parts ------------------------------------------------------------------------------------------------------- */

static void count_drops(draft_t* draft, const sgf_fabric_t* fabric)
{
  static const char* const causes[CAUSES] = {
      [SWITCH_DROP_HEADROOM]     = "switch_headroom",
      [SWITCH_DROP_INGRESS_POOL] = "switch_ingress_pool",
      [SWITCH_DROP_EGRESS_QUEUE] = "switch_egress_queue",
      [SWITCH_DROP_EGRESS_POOL]  = "switch_egress_pool",
      [SWITCH_DROP_NO_ROUTE]     = "switch_no_route",
      [SWITCH_DROP_WATCHDOG]     = "switch_watchdog",
      [NIC_DROPS]                = "nic_ingress_pool",
  };
  for (unsigned cause = 0; cause < CAUSES; cause++)
    draft->drops[cause].cause = causes[cause];
  for (size_t d = 0; d < fabric->device_count; d++) {
    const sgf_device_t* device = fabric->devices[d];
    if (!sgf_device_is_switch(device)) {
      draft->drops[NIC_DROPS].count += fabric_nic(device)->rx_drops;
      draft->report.retransmissions += device->transport->retransmissions(fabric_nic(device));
      continue;
    }
    for (unsigned cause = 0; cause < SWITCH_DROP_CAUSES; cause++)
      draft->drops[cause == SWITCH_DROP_WATCHDOG_ARRIVAL ? SWITCH_DROP_WATCHDOG : cause].count +=
          state_of(device)->drops[cause];
    for (unsigned port = 0; port < device->port_count; port++) {
      draft->report.trimmed += state_of(device)->ports[port].trimmed;
      for (unsigned tc = 0; tc < NET_CLASSES; tc++)
        draft->report.marked += state_of(device)->ports[port].marked[tc];
    }
  }
  draft->report.drop_count = CAUSES;
  draft->report.drops      = draft->drops;
}

static void count_lost(draft_t* draft, const sgf_device_t* host)
{
  for (const sgf_op_t* write = host->incoming; write != NULL; write = write->next_incoming)
    draft->report.lost += write->acknowledged && !write->delivered && write->src->transport->traits.unacknowledged;
}

static void add_pauses(draft_t* draft, const sgf_device_t* device, unsigned port)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
    const sgf_class_stats_t stats = sgf_device_class_stats(device, port, tc);
    const sgf_pause_count_t count = {
        .device           = device->name,
        .port             = port,
        .peer             = device->ports[port].peer->name,
        .tc               = tc,
        .sent             = stats.pauses_sent,
        .resumes_sent     = stats.resumes_sent,
        .received         = stats.pauses_received,
        .resumes_received = stats.resumes_received,
        .paused           = stats.paused,
    };
    if (count.sent + count.resumes_sent + count.received + count.resumes_received == 0)
      continue;
    draft->pauses = sgf_realloc(draft->pauses, draft->report.pause_count + 1, sizeof *draft->pauses);
    draft->pauses[draft->report.pause_count++] = count;
  }
}

static void add_pool(draft_t* draft, const char* owner, const char* kind, unsigned number, int64_t size, int64_t peak,
                     int64_t xoff)
{
  if (size == 0)
    return;
  draft->pools          = sgf_realloc(draft->pools, draft->report.pool_count + 1, sizeof *draft->pools);
  sgf_pool_peak_t* pool = &draft->pools[draft->report.pool_count++];
  *pool                 = (sgf_pool_peak_t){.owner = owner, .size = size, .peak = peak, .xoff = xoff};
  snprintf(pool->pool, sizeof pool->pool, kind, number);
}

static const char* port_name(draft_t* draft, const sgf_device_t* device, unsigned port)
{
  char name[512];
  snprintf(name, sizeof name, "%s port %u", device->name, port);
  draft->names                      = sgf_realloc(draft->names, draft->name_count + 1, sizeof(char*));
  draft->names[draft->name_count++] = sgf_strdup(name);
  return draft->names[draft->name_count - 1];
}

/* Pools of the switch, and what its ports that saw traffic held of them. */
static void add_switch_pools(draft_t* draft, const sgf_device_t* device)
{
  const sgf_shared_buffer_config_t* config = &((const switch_block_t*)device->block)->buffer;
  const sgf_shared_buffer_t* buffer        = state_of(device)->buffer;
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
    add_pool(draft, device->name, "pool%u", pool, sgf_sb_pool_size(buffer, pool), sgf_sb_pool_peak(buffer, pool), 0);
    if (sgf_sb_queue_peak(buffer, pool) > draft->report.longest_queue)
      draft->report.longest_queue = sgf_sb_queue_peak(buffer, pool);
  }
  for (unsigned port = 0; port < device->port_count; port++)
    for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
      const int64_t peak = sgf_sb_occupancy_peak(buffer, port, pool);
      if (peak == 0 || sgf_sb_group(buffer, pool) == 0)
        continue;
      const char* owner = port_name(draft, device, port);
      add_pool(draft, owner, "pool%u ingress", pool, config->xoff, peak, config->xoff);
      add_pool(draft, owner, "pool%u headroom", pool, config->headroom_per_port,
               sgf_sb_headroom_peak(buffer, port, pool), 0);
    }
}

static void add_nic_pools(draft_t* draft, const sgf_device_t* device)
{
  const nic_t* nic = fabric_nic(device);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
    const nic_ingress_pool_t* pool = &nic->ingress[tc];
    add_pool(draft, device->name, "rx%u", tc, pool->size, pool->peak, pool->pfc_enabled ? pool->xoff : 0);
    add_pool(draft, device->name, "tx%u", tc, nic->egress[tc].size, nic->egress[tc].peak, 0);
  }
}

static int64_t headroom_of(const sgf_device_t* device, unsigned tc)
{
  if (sgf_device_is_switch(device))
    return ((const switch_block_t*)device->block)->buffer.headroom_per_port;
  return fabric_nic(device)->ingress[tc].size - fabric_nic(device)->ingress[tc].xoff;
}

/* Whether it has headroom because it sends pauses of its own accord. */
static bool sends_pauses(const sgf_device_t* device, unsigned tc)
{
  return sgf_device_is_switch(device) ? sgf_sb_lossless(state_of(device)->buffer, tc)
                                      : fabric_nic(device)->ingress[tc].pfc_enabled;
}

static int64_t headroom_peak(const sgf_device_t* device, unsigned port, unsigned tc)
{
  if (sgf_device_is_switch(device))
    return sgf_sb_headroom_peak(state_of(device)->buffer, port, sgf_sb_pool_of(state_of(device)->buffer, tc));
  const nic_ingress_pool_t* pool = &fabric_nic(device)->ingress[tc];
  return pool->peak > pool->xoff ? pool->peak - pool->xoff : 0;
}

static void add_headrooms(draft_t* draft, const sgf_device_t* device)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
    sgf_headroom_use_t use = {.device = device->name, .tc = tc, .headroom = headroom_of(device, tc)};
    for (unsigned port = 0; port < device->port_count && sends_pauses(device, tc); port++) {
      if (sgf_device_class_stats(device, port, tc).pauses_sent == 0)
        continue;
      const int64_t needed = headroom_peak(device, port, tc);
      if (use.ports++ == 0 || needed > use.needed) {
        use.port   = port;
        use.needed = needed;
      }
    }
    if (use.ports == 0)
      continue;
    draft->headrooms = sgf_realloc(draft->headrooms, draft->report.headroom_count + 1, sizeof *draft->headrooms);
    draft->headrooms[draft->report.headroom_count++] = use;
  }
}

static void add_link(draft_t* draft, const sgf_device_t* device, unsigned port)
{
  const net_port_t* out = fabric_port_of(device, port);
  draft->links          = sgf_realloc(draft->links, draft->report.link_count + 1, sizeof *draft->links);
  draft->links[draft->report.link_count++] = (sgf_link_use_t){.from   = device->name,
                                                              .port   = port,
                                                              .to     = device->ports[port].peer->name,
                                                              .frames = out->frames,
                                                              .bytes  = out->bytes,
                                                              .busy   = out->busy};
}

/* ---- Report ------------------------------------------------------------------------------------------------------ */

sgf_report_t* sgf_report_new(const sgf_fabric_t* fabric)
{
  draft_t* draft            = sgf_calloc(1, sizeof *draft);
  draft->report.clock       = opp_sim_clock(fabric->sim);
  draft->report.events      = sgf_fabric_event_count(fabric);
  draft->report.packet_hops = sgf_fabric_packet_hops(fabric);
  draft->report.flow_count  = fabric->flow_count;
  draft->report.flows       = fabric->flows;
  count_drops(draft, fabric);
  for (size_t d = 0; d < fabric->device_count; d++) {
    const sgf_device_t* device = fabric->devices[d];
    if (sgf_device_is_switch(device))
      add_switch_pools(draft, device);
    else {
      add_nic_pools(draft, device);
      count_lost(draft, device);
    }
    add_headrooms(draft, device);
    for (unsigned port = 0; port < device->port_count; port++) {
      add_pauses(draft, device, port);
      add_link(draft, device, port);
    }
  }
  draft->report.pauses    = draft->pauses;
  draft->report.pools     = draft->pools;
  draft->report.headrooms = draft->headrooms;
  draft->report.links     = draft->links;
  return &draft->report;
}

void sgf_report_free(sgf_report_t* report)
{
  if (report == NULL)
    return;
  draft_t* draft = (draft_t*)(void*)report;
  for (size_t i = 0; i < draft->name_count; i++)
    free(draft->names[i]);
  free(draft->names);
  free(draft->pauses);
  free(draft->pools);
  free(draft->headrooms);
  free(draft->links);
  free(draft);
}
