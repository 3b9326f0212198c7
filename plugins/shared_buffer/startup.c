/* sgfabric shared buffer: the five stages of start-up (spec/switch.md 3, under the UET policy 9.1 to 9.3) and the rules
 * that stop a run (4.1). */
#include "attr/alloc.h"
#include "shared_buffer_internal.h"

#include <inttypes.h>
#include <stdlib.h>

enum { UET_POOLS = 3 }; /* pools, and classes, of the UET policy (9.1) */

static const sgf_decimal_t zero = {0, 1};
static const sgf_decimal_t one  = {1, 1};

/* The bounds that the attribute table sets too: a configuration need not come from there, and the arithmetic below
 * relies on them. */
static bool sizes_are_sound(const sgf_shared_buffer_config_t* config, sgf_error_t* error)
{
  const struct {
    const char* name;
    int64_t bytes;
  } sizes[] = {
      {"TotalSharedBufferSize", config->total_bytes},
      {"HeadRoomPerPortLimit", config->headroom_per_port},
      {"StaticPoolXoffThreshold", config->xoff},
      {"StaticPoolXonThreshold", config->xon},
      {"PlaneBDP", config->plane_bdp},
  };
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (sizes[i].bytes < 0 || sizes[i].bytes > UINT32_MAX) {
      sgf_error_set(error, SGF_RANGE, "SharedBufferManager.%s: %" PRId64 " B is outside 0 B..%" PRIu32 " B",
                    sizes[i].name, sizes[i].bytes, UINT32_MAX);
      return false;
    }
  return true;
}

/* O-29 */
static bool fractions_are_sound(const sgf_shared_buffer_config_t* config, sgf_error_t* error)
{
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
    sgf_decimal_t share = config->pool_share[pool];
    if (share.scale <= 0 || share.digits < 0 || share.digits > share.scale) {
      sgf_error_set(error, SGF_RANGE, "SharedBufferManager.PoolAllocationMap: entry %u is outside 0..1", pool);
      return false;
    }
  }
  if (config->lossy_alpha.scale <= 0 || config->lossy_alpha.digits < 0) {
    sgf_error_set(error, SGF_RANGE, "SharedBufferManager.LossyAlpha: must be 0 or more");
    return false;
  }
  return true;
}

/* S-11, S-12 */
static bool trimming_is_possible(const sgf_shared_buffer_config_t* config, sgf_error_t* error)
{
  if (!config->trimming)
    return true;
  if (!config->uet_policy) {
    sgf_error_set(error, SGF_RULE,
                  "PacketTrimmer.TrimmingEnabled is true, but SharedBufferManager.UETPolicyEnabled is false");
    return false;
  }
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++)
    if (config->enable_pfc[tc] == 1) {
      sgf_error_set(error, SGF_RULE,
                    "PacketTrimmer.TrimmingEnabled is true, but SharedBufferManager.EnablePFC of TC%u is 1: all eight "
                    "entries must be 0",
                    tc);
      return false;
    }
  return true;
}

/* Stage 1: headroom (3.1, S-06). */
static bool set_headroom_aside(sgf_shared_buffer_t* sb, const sgf_shared_buffer_config_t* config, sgf_error_t* error)
{
  /* the division keeps the product below from overflowing, whatever the number of ports */
  if (sb->ports > 0 && config->headroom_per_port > config->total_bytes / sb->ports) {
    sgf_error_set(error, SGF_RULE,
                  "SharedBufferManager.HeadRoomPerPortLimit: %" PRId64 " B for each of %u connected ports is more than "
                  "TotalSharedBufferSize, %" PRId64 " B",
                  config->headroom_per_port, sb->ports, config->total_bytes);
    return false;
  }
  sb->headroom_limit = config->headroom_per_port;
  sb->headroom_total = config->headroom_per_port * sb->ports;
  sb->sizing_total   = config->total_bytes - sb->headroom_total;
  return true;
}

/* The number of the last pool of the map, or -1 if the map makes no pool. */
static int last_pool_of(const sgf_shared_buffer_config_t* config)
{
  int last = SGF_SB_POOLS - 1;
  while (last >= 0 && config->pool_share[last].digits == 0)
    last--;
  return last;
}

/* Stage 2: pools (3.2, S-04, S-05). */
static bool divide_into_pools(sgf_shared_buffer_t* sb, const sgf_shared_buffer_config_t* config, sgf_error_t* error)
{
  int last = last_pool_of(config);
  if (last < 0) {
    sgf_error_set(error, SGF_RULE, "SharedBufferManager.PoolAllocationMap: all entries are 0, there is no pool");
    return false;
  }
  sgf_decimal_t share_sum = zero;
  int64_t raw_sum         = 0;
  for (unsigned i = 0; i < SGF_SB_POOLS; i++) {
    sgf_sb_pool_t* pool = &sb->pools[i];
    pool->raw_size      = sgf_decimal_of(config->pool_share[i], sb->sizing_total);
    pool->size          = pool->raw_size;
    raw_sum += pool->raw_size;
    share_sum = sgf_decimal_add(share_sum, config->pool_share[i]);
  }
  sgf_decimal_t excess = sgf_decimal_sub(share_sum, one);
  if (sgf_decimal_compare(excess, config->pool_share[last]) > 0) {
    sgf_error_set(error, SGF_RULE,
                  "SharedBufferManager.PoolAllocationMap: the entries sum to %g, which is more above 1 than the last "
                  "non-zero entry, %g for pool %d, can give up",
                  sgf_decimal_value(share_sum), sgf_decimal_value(config->pool_share[last]), last);
    return false;
  }
  sb->pools[last].size += sb->sizing_total - raw_sum;
  return true;
}

/* Stage 2 under the UET policy: 1.5 : 1 : 1, rounded down, the rest to pool 2 (9.1). The product stays below 2^34. */
static void divide_for_uet(sgf_shared_buffer_t* sb)
{
  sb->pools[0].size = sb->sizing_total * 3 / 7;
  sb->pools[1].size = sb->sizing_total * 2 / 7;
  sb->pools[2].size = sb->sizing_total - sb->pools[0].size - sb->pools[1].size;
  for (unsigned i = 0; i < UET_POOLS; i++)
    sb->pools[i].raw_size = sb->pools[i].size;
}

static void map_class(sgf_shared_buffer_t* sb, unsigned tc, unsigned pool, bool lossless)
{
  sb->classes[tc] = (sgf_sb_class_t){.pool = (uint8_t)pool, .lossless = lossless};
  if (lossless)
    sb->pools[pool].group = (uint8_t)(sb->pools[pool].group | 1u << tc);
}

/* Stage 3: classes and priority groups (3.3, O-05). */
static bool map_classes(sgf_shared_buffer_t* sb, const sgf_shared_buffer_config_t* config, sgf_error_t* error)
{
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++) {
    int64_t pool = config->pool_of_class[tc];
    if (pool < 0 || pool >= SGF_SB_POOLS) {
      sgf_error_set(error, SGF_RANGE,
                    "SharedBufferManager.TrafficClassPoolMapping: TC%u is mapped to pool %" PRId64 ", outside 0..%d",
                    tc, pool, SGF_SB_POOLS - 1);
      return false;
    }
    if (config->pool_share[pool].digits == 0) {
      sgf_error_set(error, SGF_RULE,
                    "SharedBufferManager.TrafficClassPoolMapping: TC%u is mapped to pool %" PRId64
                    ", whose entry in PoolAllocationMap is 0",
                    tc, pool);
      return false;
    }
    map_class(sb, tc, (unsigned)pool, config->enable_pfc[tc] == 1);
  }
  return true;
}

/* Stage 3 under the UET policy: class k in pool k, and no other classes (9.2). Those count as lossy in pool 0, so that
 * none of them joins a group. */
static void map_classes_for_uet(sgf_shared_buffer_t* sb, const sgf_shared_buffer_config_t* config)
{
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++)
    map_class(sb, tc, tc < UET_POOLS ? tc : 0, tc < UET_POOLS && config->enable_pfc[tc] == 1);
}

/* QueueDropThreshold x PlaneBDP. A product beyond 63 bits limits nothing, and neither does the largest that fits. */
static int64_t fixed_cap(const sgf_shared_buffer_config_t* config)
{
  if (config->plane_bdp == 0)
    return 0;
  if (config->queue_drop_threshold > (uint64_t)(INT64_MAX / config->plane_bdp))
    return INT64_MAX;
  return (int64_t)config->queue_drop_threshold * config->plane_bdp;
}

/* Stage 4: egress limits (3.4, O-04). A switch without ports has nothing to share out (O-27). */
static void limit_egress_queues(sgf_shared_buffer_t* sb, const sgf_shared_buffer_config_t* config)
{
  sb->alpha = config->lossy_alpha;
  for (unsigned i = 0; i < SGF_SB_POOLS; i++) {
    sgf_sb_pool_t* pool = &sb->pools[i];
    if (config->pool_share[i].digits == 0)
      pool->static_limit = 0;
    else if (sb->alpha.digits > 0)
      pool->static_limit = pool->raw_size;
    else if (config->queue_drop_threshold_enable)
      pool->static_limit = fixed_cap(config);
    else
      pool->static_limit = sb->ports > 0 ? pool->raw_size / sb->ports : 0;
    pool->limits[SGF_SB_LIMIT_NORMAL]         = pool->static_limit;
    pool->limits[SGF_SB_LIMIT_RETRANSMISSION] = pool->static_limit;
  }
}

/* 3/2 x limit, rounded down: a number of bytes is above the one if it is above the other. */
static int64_t retransmission_limit(int64_t limit)
{
  return limit > INT64_MAX - limit / 2 ? INT64_MAX : limit + limit / 2;
}

/* Stage 4 under the UET policy (9.3, O-31): LossyAlpha and QueueDropThresholdEnable are not read. */
static void limit_for_uet(sgf_shared_buffer_t* sb, const sgf_shared_buffer_config_t* config)
{
  sb->alpha = zero;
  for (unsigned i = 0; i < UET_POOLS; i++) {
    sgf_sb_pool_t* pool                       = &sb->pools[i];
    pool->static_limit                        = config->trimming ? config->plane_bdp : fixed_cap(config);
    pool->limits[SGF_SB_LIMIT_NORMAL]         = pool->static_limit;
    pool->limits[SGF_SB_LIMIT_RETRANSMISSION] = retransmission_limit(pool->static_limit);
  }
}

/* Stages 2 to 4, which the UET policy replaces. */
static bool lay_out(sgf_shared_buffer_t* sb, const sgf_shared_buffer_config_t* config, sgf_error_t* error)
{
  if (config->uet_policy) {
    divide_for_uet(sb);
    map_classes_for_uet(sb, config);
    limit_for_uet(sb, config);
    return true;
  }
  if (!divide_into_pools(sb, config, error) || !map_classes(sb, config, error))
    return false;
  limit_egress_queues(sb, config);
  return true;
}

static bool start(sgf_shared_buffer_t* sb, const sgf_shared_buffer_config_t* config, sgf_error_t* error)
{
  if (!sizes_are_sound(config, error) || !fractions_are_sound(config, error) || !trimming_is_possible(config, error) ||
      !set_headroom_aside(sb, config, error) || !lay_out(sb, config, error))
    return false;
  /* Stage 5: the same two thresholds for every port and pool (3.5); Xon >= Xoff is accepted (U-02) */
  sb->xoff                    = config->xoff;
  sb->xon                     = config->xon;
  sb->resume_on_lossy_release = config->resume_on_lossy_release;
  sb->trimming                = config->trimming;
  return true;
}

sgf_shared_buffer_t* sgf_sb_new(const sgf_shared_buffer_config_t* config, unsigned ports, sgf_error_t* error)
{
  sgf_shared_buffer_t* sb = sgf_calloc_lines(1, sizeof *sb);
  sb->ports               = ports;
  sb->at_ports            = sgf_calloc_lines(ports, sizeof *sb->at_ports);
  if (start(sb, config, error))
    return sb;
  sgf_sb_free(sb);
  return NULL;
}

void sgf_sb_free(sgf_shared_buffer_t* sb)
{
  if (!sb)
    return;
  free(sb->at_ports);
  sgf_sb_sampling_free(sb->sampling);
  free(sb);
}
