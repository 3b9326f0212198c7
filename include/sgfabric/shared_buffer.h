/* sgfabric shared buffer: the buffer manager of a switch whose ports own no memory (spec/switch.md 3, 5, 6).
 *
 * Pure accounting: no clock, no events, no frames. Every call is O(1). The caller owns time and frames, sends the
 * pauses that sgf_sb_arrive asks for and the resumes that sgf_sb_depart asks for. Sizes are charge sizes in bytes
 * (5.1).
 *
 *   arrival --> sgf_sb_arrive --> [route] --> sgf_sb_queue --> transmission --> sgf_sb_depart
 *                 drop                          drop (ingress released) */
#ifndef SGFABRIC_SHARED_BUFFER_H
#define SGFABRIC_SHARED_BUFFER_H

#include <sgfabric/attr.h>

SGF_BEGIN_DECL

enum { SGF_SB_POOLS = 8, SGF_SB_CLASSES = 8 };

/* The attributes of component SharedBufferManager (2.2), each described in sgf_shared_buffer_attributes. */
typedef struct sgf_shared_buffer_config {
  int64_t total_bytes;                    /* TotalSharedBufferSize */
  int64_t headroom_per_port;              /* HeadRoomPerPortLimit */
  sgf_decimal_t pool_share[SGF_SB_POOLS]; /* PoolAllocationMap */
  int64_t pool_of_class[SGF_SB_CLASSES];  /* TrafficClassPoolMapping */
  int64_t enable_pfc[SGF_SB_CLASSES];     /* EnablePFC: 1 lossless, anything else lossy */
  int64_t xoff;                           /* StaticPoolXoffThreshold, bytes */
  int64_t xon;                            /* StaticPoolXonThreshold, bytes */
  sgf_decimal_t lossy_alpha;              /* LossyAlpha */
  bool queue_drop_threshold_enable;       /* QueueDropThresholdEnable */
  uint64_t queue_drop_threshold;          /* QueueDropThreshold */
  int64_t plane_bdp;                      /* PlaneBDP, bytes */
} sgf_shared_buffer_config_t;

/* The table behind the struct above; paths start with "SharedBufferManager/". */
SGF_PUBLIC extern const sgf_attr_table_t sgf_shared_buffer_attributes;

typedef struct sgf_shared_buffer sgf_shared_buffer_t;

/* What sgf_sb_arrive did with a packet (5.4). */
typedef enum sgf_sb_arrival {
  SGF_SB_TO_POOL,         /* charged to its pool and to its port's ingress occupancy */
  SGF_SB_TO_POOL_PAUSE,   /* the same; the port now counts as paused: send a pause for the pool's group (6.1) */
  SGF_SB_TO_HEADROOM,     /* port paused: charged to the port's headroom alone */
  SGF_SB_DROP_HEADROOM,   /* port paused and its headroom would be exceeded: nothing charged */
  SGF_SB_DROP_POOL,       /* the pool would be above its size: nothing charged */
  SGF_SB_DROP_POOL_PAUSE, /* the same, but the packet first passed Xoff: a pause is to be sent all the same (O-08) */
} sgf_sb_arrival_t;

/* What sgf_sb_queue did with a packet (5.6). */
typedef enum sgf_sb_queueing {
  SGF_SB_QUEUED,
  SGF_SB_DROP_QUEUE_LIMIT, /* lossy, egress queue limit; its ingress charge is released */
  SGF_SB_DROP_EGRESS_POOL, /* lossy, egress side of the pool full; its ingress charge is released */
} sgf_sb_queueing_t;

/* Stages 1 to 5 of start-up for a switch with `ports` connected ports (3). Fails on rules S-04 to S-06 (the attribute
 * table covers S-01 to S-03), on a class mapped to a pool that does not exist (O-05) and on values out of range (O-29);
 * the message names the attribute. The config is copied. Free with sgf_sb_free. */
SGF_PUBLIC sgf_shared_buffer_t* sgf_sb_new(const sgf_shared_buffer_config_t* config, unsigned ports,
                                           sgf_error_t* error);
SGF_PUBLIC void sgf_sb_free(sgf_shared_buffer_t* sb);

/* Charge size of a packet of `bytes` without its Ethernet header: max(46, bytes) (5.1). */
SGF_PUBLIC int64_t sgf_sb_charge(int64_t bytes);

/* A packet of class `tc` costing `charge` bytes has arrived at `port`. */
SGF_PUBLIC sgf_sb_arrival_t sgf_sb_arrive(sgf_shared_buffer_t* sb, unsigned port, unsigned tc, int64_t charge);

/* Offer a packet that sgf_sb_arrive kept, arrived at `in_port`, to the egress queue of `out_port`. */
SGF_PUBLIC sgf_sb_queueing_t sgf_sb_queue(sgf_shared_buffer_t* sb, unsigned in_port, unsigned out_port, unsigned tc,
                                          int64_t charge);

/* The serialisation of a queued packet has ended (5.10). True: the ingress port of the packet is now resumed: send a
 * resume for the group of the class's pool (6.3). */
SGF_PUBLIC bool sgf_sb_depart(sgf_shared_buffer_t* sb, unsigned in_port, unsigned out_port, unsigned tc,
                              int64_t charge);

/* Release the ingress charge of a packet that was admitted and never queued: no route (O-36). True as for
 * sgf_sb_depart. */
SGF_PUBLIC bool sgf_sb_discard(sgf_shared_buffer_t* sb, unsigned in_port, unsigned tc, int64_t charge);

/* Results of start-up. Sizes in bytes; a pool that does not exist has size 0. The raw size is that before the
 * adjustment of the last pool (3.2), the static limit the base of the ECN thresholds (3.4.3), the queue limit that of a
 * lossy egress queue now (3.4.1), the group a set of classes: bit tc (3.3). */
SGF_PUBLIC int64_t sgf_sb_headroom_total(const sgf_shared_buffer_t* sb); /* HeadRoomPerPortLimit x ports (3.1) */
SGF_PUBLIC int64_t sgf_sb_sizing_total(const sgf_shared_buffer_t* sb);   /* what the pools divide (3.1) */
SGF_PUBLIC int64_t sgf_sb_pool_size(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_pool_raw_size(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC unsigned sgf_sb_pool_of(const sgf_shared_buffer_t* sb, unsigned tc);
SGF_PUBLIC bool sgf_sb_lossless(const sgf_shared_buffer_t* sb, unsigned tc);
SGF_PUBLIC uint8_t sgf_sb_group(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_static_limit(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_queue_limit(const sgf_shared_buffer_t* sb, unsigned pool);

/* Counters. Bytes now. */
SGF_PUBLIC int64_t sgf_sb_occupancy(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_headroom(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC bool sgf_sb_paused(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_pool_total(const sgf_shared_buffer_t* sb, unsigned pool); /* ingress, all ports */
SGF_PUBLIC int64_t sgf_sb_egress_queue(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_egress_total(const sgf_shared_buffer_t* sb, unsigned pool);

/* Highest values since start-up, bytes. */
SGF_PUBLIC int64_t sgf_sb_pool_peak(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_occupancy_peak(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_headroom_peak(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);

/* True when every counter of bytes is zero: all that was charged has been released. Otherwise `what` (may be NULL) gets
 * one line that names the first counter that is not. A port may still count as paused (O-11): sgf_sb_paused tells. */
SGF_PUBLIC bool sgf_sb_empty(const sgf_shared_buffer_t* sb, char* what, size_t size);

SGF_END_DECL
#endif
