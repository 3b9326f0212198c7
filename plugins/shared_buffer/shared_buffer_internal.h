/* sgfabric shared buffer: what start-up lays down and the run time reads. Sizes in bytes. */
#ifndef SGF_SHARED_BUFFER_INTERNAL_H
#define SGF_SHARED_BUFFER_INTERNAL_H

#include <sgfabric/shared_buffer.h>

#include <assert.h>

#include "attr/alloc.h"

/* LossyAlpha x bytes, before the division by its scale. */
__extension__ typedef __int128 sgf_sb_wide_t;

/* A traffic class: fixed at start-up (3.3). */
typedef struct sgf_sb_class {
  uint8_t pool;
  bool lossless;
} sgf_sb_class_t;

/* A pool, over all ports; packets need its first cache line. A pool without an allocation has size 0 and no class. */
typedef struct sgf_sb_pool {
  _Alignas(SGF_CACHE_LINE) int64_t size; /* after the adjustment of the last pool: what arrivals and egress totals are
                                          * held against */
  int64_t total;                         /* sum of the ingress occupancies of all ports */
  int64_t total_peak;
  int64_t egress_total; /* sum of the egress queues of all ports */
  int64_t queue_peak;   /* of any of these queues */
  int64_t limits[2];    /* of one egress queue with LossyAlpha = 0 or the UET policy, by sgf_sb_limit_t */
  uint8_t group;        /* lossless classes of the pool, bit tc */
  int64_t raw_size;     /* before the adjustment of the last pool: base of the static limit (O-04) */
  int64_t static_limit; /* of one egress queue (3.4.3) */
} sgf_sb_pool_t;

/* What one port has received into one pool. */
typedef struct sgf_sb_ingress {
  int64_t occupancy; /* charged to the pool */
  int64_t occupancy_peak;
  int64_t headroom; /* charged to the port's headroom instead */
  bool paused;      /* a pause has been asked for, the resume not yet */
} sgf_sb_ingress_t;

/* A port, by pool. A packet needs one cache line of that by which it came and one of that by which it leaves. */
typedef struct sgf_sb_port {
  _Alignas(SGF_CACHE_LINE) int64_t egress[SGF_SB_POOLS]; /* bytes of its queues */
  sgf_sb_ingress_t ingress[SGF_SB_POOLS];
  int64_t headroom_peak[SGF_SB_POOLS];
} sgf_sb_port_t;

/* Samples of the counters; see sampling.c. */
typedef struct sgf_sb_sampling sgf_sb_sampling_t;

/* The first cache line serves all packets, the next one lossy ones too; then the pools. */
struct sgf_shared_buffer {
  _Alignas(SGF_CACHE_LINE) sgf_sb_sampling_t* sampling; /* NULL: off */
  sgf_sb_port_t* at_ports;
  sgf_sb_class_t classes[SGF_SB_CLASSES];
  int64_t xoff;
  int64_t xon;
  int64_t headroom_limit; /* of each port, in each pool that has a lossless class */
  unsigned ports;
  bool resume_on_lossy_release;
  bool trimming;
  sgf_decimal_t alpha; /* LossyAlpha; 0: fixed limits */
  uint64_t unresumed;  /* O-11 */
  sgf_sb_pool_t pools[SGF_SB_POOLS];
  int64_t headroom_total;
  int64_t sizing_total;
};

static inline sgf_sb_ingress_t* sgf_sb_ingress_at(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  assert(port < sb->ports && pool < SGF_SB_POOLS);
  return &sb->at_ports[port].ingress[pool];
}

static inline int64_t* sgf_sb_egress_at(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  assert(port < sb->ports && pool < SGF_SB_POOLS);
  return &sb->at_ports[port].egress[pool];
}

/* A counter of (port, pool) has changed, by `change` bytes. Only while sampling is on. */
void sgf_sb_sample_occupancy(sgf_shared_buffer_t* sb, unsigned port, unsigned pool, int64_t change);
void sgf_sb_sample_headroom(sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
void sgf_sb_sample_egress(sgf_shared_buffer_t* sb, unsigned port, unsigned pool, int64_t change);
void sgf_sb_sampling_free(sgf_sb_sampling_t* sampling);

#endif
