/* sgfabric shared buffer: samples of the counters for the buffer records (spec/records.md 5 and 6, R-09). */
#include "attr/alloc.h"
#include "shared_buffer_internal.h"

#include <stdlib.h>

enum { DOWN, UP, DIRECTIONS };

/* A sum over the ports of a direction, and what has been seen of it. */
typedef struct gauge {
  int64_t bytes;
  sgf_sb_samples_t samples;
} gauge_t;

/* What has been seen of one port in one pool. */
typedef struct port_samples {
  sgf_sb_samples_t egress;
  sgf_sb_samples_t occupancy;
  sgf_sb_samples_t headroom;
} port_samples_t;

struct sgf_sb_sampling {
  gauge_t egress[DIRECTIONS][SGF_SB_POOLS];
  gauge_t occupancy[DIRECTIONS][SGF_SB_POOLS];
  sgf_sb_samples_t total[SGF_SB_POOLS];
  port_samples_t* ports;  /* [cell(port, pool)]; NULL: not by port */
  uint8_t direction_of[]; /* [ports] */
};

static inline size_t cell(unsigned port, unsigned pool)
{
  return (size_t)port * SGF_SB_POOLS + pool;
}

static inline void see(sgf_sb_samples_t* samples, int64_t bytes)
{
  if (samples->count++ == 0)
    samples->min = samples->max = bytes;
  else if (bytes < samples->min)
    samples->min = bytes;
  else if (bytes > samples->max)
    samples->max = bytes;
  samples->sum += bytes;
}

static inline void change_gauge(gauge_t* gauge, int64_t change)
{
  gauge->bytes += change;
  see(&gauge->samples, gauge->bytes);
}

void sgf_sb_sample_occupancy(sgf_shared_buffer_t* sb, unsigned port, unsigned pool, int64_t change)
{
  sgf_sb_sampling_t* sampling = sb->sampling;
  change_gauge(&sampling->occupancy[sampling->direction_of[port]][pool], change);
  see(&sampling->total[pool], sb->pools[pool].total);
  if (sampling->ports)
    see(&sampling->ports[cell(port, pool)].occupancy, sgf_sb_ingress_at(sb, port, pool)->occupancy);
}

void sgf_sb_sample_headroom(sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  sgf_sb_sampling_t* sampling = sb->sampling;
  if (sampling->ports)
    see(&sampling->ports[cell(port, pool)].headroom, sgf_sb_ingress_at(sb, port, pool)->headroom);
}

void sgf_sb_sample_egress(sgf_shared_buffer_t* sb, unsigned port, unsigned pool, int64_t change)
{
  sgf_sb_sampling_t* sampling = sb->sampling;
  change_gauge(&sampling->egress[sampling->direction_of[port]][pool], change);
  if (sampling->ports)
    see(&sampling->ports[cell(port, pool)].egress, *sgf_sb_egress_at(sb, port, pool));
}

/* The sums as they are when sampling begins. */
static void add_up(sgf_sb_sampling_t* sampling, const sgf_shared_buffer_t* sb)
{
  for (unsigned port = 0; port < sb->ports; port++)
    for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
      sampling->egress[sampling->direction_of[port]][pool].bytes += *sgf_sb_egress_at(sb, port, pool);
      sampling->occupancy[sampling->direction_of[port]][pool].bytes += sgf_sb_ingress_at(sb, port, pool)->occupancy;
    }
}

void sgf_sb_sample(sgf_shared_buffer_t* sb, const bool* uplink, bool per_port)
{
  sgf_sb_sampling_free(sb->sampling);
  sgf_sb_sampling_t* sampling = sgf_calloc(1, sizeof *sampling + sb->ports);
  for (unsigned port = 0; port < sb->ports; port++)
    sampling->direction_of[port] = uplink[port] ? UP : DOWN;
  if (per_port)
    sampling->ports = sgf_calloc((size_t)sb->ports * SGF_SB_POOLS, sizeof *sampling->ports);
  add_up(sampling, sb);
  sb->sampling = sampling;
}

void sgf_sb_sampling_free(sgf_sb_sampling_t* sampling)
{
  if (!sampling)
    return;
  free(sampling->ports);
  free(sampling);
}

static sgf_sb_samples_t take(sgf_sb_samples_t* samples)
{
  sgf_sb_samples_t taken = {0};
  if (samples) {
    taken    = *samples;
    *samples = (sgf_sb_samples_t){0};
  }
  return taken;
}

sgf_sb_samples_t sgf_sb_take_samples(sgf_shared_buffer_t* sb, sgf_sb_sampled_t what, bool uplink, unsigned pool)
{
  assert(pool < SGF_SB_POOLS);
  sgf_sb_sampling_t* sampling = sb->sampling;
  if (!sampling)
    return take(NULL);
  switch (what) {
    case SGF_SB_EGRESS_QUEUE:
      return take(&sampling->egress[uplink ? UP : DOWN][pool].samples);
    case SGF_SB_INGRESS_USAGE:
      return take(&sampling->occupancy[uplink ? UP : DOWN][pool].samples);
    case SGF_SB_SHARED_BUFFER:
      return take(&sampling->total[pool]);
    case SGF_SB_HEADROOM:
    default:
      return take(NULL);
  }
}

sgf_sb_samples_t sgf_sb_take_port_samples(sgf_shared_buffer_t* sb, sgf_sb_sampled_t what, unsigned port, unsigned pool)
{
  assert(port < sb->ports && pool < SGF_SB_POOLS);
  if (!sb->sampling || !sb->sampling->ports)
    return take(NULL);
  switch (what) {
    case SGF_SB_EGRESS_QUEUE:
      return take(&sb->sampling->ports[cell(port, pool)].egress);
    case SGF_SB_INGRESS_USAGE:
      return take(&sb->sampling->ports[cell(port, pool)].occupancy);
    case SGF_SB_HEADROOM:
      return take(&sb->sampling->ports[cell(port, pool)].headroom);
    case SGF_SB_SHARED_BUFFER:
    default:
      return take(NULL);
  }
}
