/* sgfabric shared buffer: what start-up lays down and the run time reads. Sizes in bytes. */
#ifndef SGF_SHARED_BUFFER_INTERNAL_H
#define SGF_SHARED_BUFFER_INTERNAL_H

#include <sgfabric/shared_buffer.h>

#include <assert.h>

/* LossyAlpha x bytes, before the division by its scale. */
__extension__ typedef __int128 sgf_sb_wide_t;

/* A traffic class: fixed at start-up (3.3). */
typedef struct sgf_sb_class {
  unsigned pool;
  bool lossless;
} sgf_sb_class_t;

/* A pool, over all ports. A pool without an allocation has size 0 and no class. */
typedef struct sgf_sb_pool {
  int64_t size;         /* after the adjustment of the last pool: what arrivals and egress totals are held against */
  int64_t raw_size;     /* before it: base of the static limit (O-04) */
  int64_t static_limit; /* of one egress queue (3.4.3); with LossyAlpha = 0 also its run-time limit */
  int64_t total;        /* sum of the ingress occupancies of all ports */
  int64_t total_peak;
  int64_t egress_total; /* sum of the egress queues of all ports */
  uint8_t group;        /* lossless classes of the pool, bit tc */
} sgf_sb_pool_t;

/* What one port has received into one pool. */
typedef struct sgf_sb_ingress {
  int64_t occupancy; /* charged to the pool */
  int64_t headroom;  /* charged to the port's headroom instead */
  int64_t occupancy_peak;
  int64_t headroom_peak;
  bool paused; /* a pause has been asked for, the resume not yet */
} sgf_sb_ingress_t;

struct sgf_shared_buffer {
  int64_t xoff;
  int64_t xon;
  int64_t headroom_limit; /* of each port, in each pool that has a lossless class */
  sgf_decimal_t alpha;    /* LossyAlpha; 0: fixed limits */
  sgf_sb_class_t classes[SGF_SB_CLASSES];
  sgf_sb_pool_t pools[SGF_SB_POOLS];
  sgf_sb_ingress_t* ingress; /* [sgf_sb_cell(port, pool)] */
  int64_t* egress;           /* bytes of the queue [sgf_sb_cell(port, pool)] */
  unsigned ports;
  int64_t headroom_total;
  int64_t sizing_total;
};

/* Index of (port, pool) in the arrays above. */
static inline size_t sgf_sb_cell(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool)
{
  assert(port < sb->ports && pool < SGF_SB_POOLS);
  (void)sb; /* read in debug builds only */
  return (size_t)port * SGF_SB_POOLS + pool;
}

#endif
