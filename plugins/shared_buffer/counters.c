/* sgfabric shared buffer: results of start-up, counters, peaks, and the question whether all bytes were released. */
#include "shared_buffer_internal.h"

#include <inttypes.h>
#include <stdio.h>

static const sgf_sb_pool_t* pool_at(const sgf_shared_buffer_t* sb, unsigned pool)
{
  assert(pool < SGF_SB_POOLS);
  return &sb->pools[pool];
}

int64_t sgf_sb_headroom_total(const sgf_shared_buffer_t* sb)
{
  return sb->headroom_total;
}

int64_t sgf_sb_sizing_total(const sgf_shared_buffer_t* sb)
{
  return sb->sizing_total;
}

int64_t sgf_sb_pool_size(const sgf_shared_buffer_t* sb, unsigned pool)
{
  return pool_at(sb, pool)->size;
}

int64_t sgf_sb_pool_raw_size(const sgf_shared_buffer_t* sb, unsigned pool)
{
  return pool_at(sb, pool)->raw_size;
}

unsigned sgf_sb_pool_of(const sgf_shared_buffer_t* sb, unsigned tc)
{
  assert(tc < SGF_SB_CLASSES);
  return sb->classes[tc].pool;
}

bool sgf_sb_lossless(const sgf_shared_buffer_t* sb, unsigned tc)
{
  assert(tc < SGF_SB_CLASSES);
  return sb->classes[tc].lossless;
}

uint8_t sgf_sb_group(const sgf_shared_buffer_t* sb, unsigned pool)
{
  return pool_at(sb, pool)->group;
}

int64_t sgf_sb_static_limit(const sgf_shared_buffer_t* sb, unsigned pool)
{
  return pool_at(sb, pool)->static_limit;
}

int64_t sgf_sb_queue_limit(const sgf_shared_buffer_t* sb, unsigned pool)
{
  const sgf_sb_pool_t* p = pool_at(sb, pool);
  if (sb->alpha.digits == 0)
    return p->limits[SGF_SB_LIMIT_NORMAL];
  int64_t free_bytes = p->size - p->egress_total;
  if (free_bytes <= 0)
    return 0;
  sgf_sb_wide_t limit = (sgf_sb_wide_t)sb->alpha.digits * free_bytes / sb->alpha.scale;
  return limit < INT64_MAX ? (int64_t)limit : INT64_MAX;
}

int64_t sgf_sb_retransmission_limit(const sgf_shared_buffer_t* sb, unsigned pool)
{
  return sb->alpha.digits == 0 ? pool_at(sb, pool)->limits[SGF_SB_LIMIT_RETRANSMISSION] : sgf_sb_queue_limit(sb, pool);
}

int64_t sgf_sb_occupancy(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  return sgf_sb_ingress_at(sb, port, pool)->occupancy;
}

int64_t sgf_sb_headroom(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  return sgf_sb_ingress_at(sb, port, pool)->headroom;
}

bool sgf_sb_paused(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  return sgf_sb_ingress_at(sb, port, pool)->paused;
}

int64_t sgf_sb_pool_total(const sgf_shared_buffer_t* sb, unsigned pool)
{
  return pool_at(sb, pool)->total;
}

int64_t sgf_sb_egress_queue(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  return *sgf_sb_egress_at(sb, port, pool);
}

int64_t sgf_sb_egress_total(const sgf_shared_buffer_t* sb, unsigned pool)
{
  return pool_at(sb, pool)->egress_total;
}

int64_t sgf_sb_port_queued(const sgf_shared_buffer_t* sb, unsigned port)
{
  assert(port < sb->ports);
  int64_t bytes = 0;
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    bytes += sb->at_ports[port].egress[pool];
  return bytes;
}

uint64_t sgf_sb_unresumed(const sgf_shared_buffer_t* sb)
{
  return sb->unresumed;
}

int64_t sgf_sb_pool_peak(const sgf_shared_buffer_t* sb, unsigned pool)
{
  return pool_at(sb, pool)->total_peak;
}

int64_t sgf_sb_queue_peak(const sgf_shared_buffer_t* sb, unsigned pool)
{
  return pool_at(sb, pool)->queue_peak;
}

int64_t sgf_sb_occupancy_peak(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  return sgf_sb_ingress_at(sb, port, pool)->occupancy_peak;
}

int64_t sgf_sb_headroom_peak(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  assert(port < sb->ports && pool < SGF_SB_POOLS);
  return sb->at_ports[port].headroom_peak[pool];
}

/* One counter that must be zero and its name. */
typedef struct residue {
  const char* counter;
  int64_t bytes;
} residue_t;

static const residue_t* first_residue(const residue_t* residues, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (residues[i].bytes != 0)
      return &residues[i];
  return NULL;
}

static bool port_is_empty(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool, char* what, size_t size)
{
  const residue_t residues[] = {
      {"occupancy", sgf_sb_occupancy(sb, port, pool)},
      {"headroom", sgf_sb_headroom(sb, port, pool)},
      {"egress queue", sgf_sb_egress_queue(sb, port, pool)},
  };
  const residue_t* found = first_residue(residues, sizeof residues / sizeof residues[0]);
  if (found && what)
    snprintf(what, size, "%s of port %u, pool %u: %" PRId64 " B not released", found->counter, port, pool,
             found->bytes);
  return !found;
}

static bool pool_is_empty(const sgf_shared_buffer_t* sb, unsigned pool, char* what, size_t size)
{
  const residue_t residues[] = {
      {"ingress total", sgf_sb_pool_total(sb, pool)},
      {"egress total", sgf_sb_egress_total(sb, pool)},
  };
  const residue_t* found = first_residue(residues, sizeof residues / sizeof residues[0]);
  if (found && what)
    snprintf(what, size, "%s of pool %u: %" PRId64 " B not released", found->counter, pool, found->bytes);
  return !found;
}

bool sgf_sb_empty(const sgf_shared_buffer_t* sb, char* what, size_t size)
{
  for (unsigned port = 0; port < sb->ports; port++)
    for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
      if (!port_is_empty(sb, port, pool, what, size))
        return false;
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    if (!pool_is_empty(sb, pool, what, size))
      return false;
  return true;
}
