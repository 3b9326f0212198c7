/* sgfabric shared buffer: the buffer manager of a switch whose ports own no memory (spec/switch.md 3, 5, 6, 9).
 *
 * Pure accounting: no clock, no events, no frames. Every call is O(1). The caller owns time and frames, sends the
 * pauses that sgf_sb_arrive asks for and the resumes that sgf_sb_depart asks for. Sizes are charge sizes in bytes
 * (5.1).
 *
 *   arrival --> sgf_sb_arrive --> [route] --> sgf_sb_queue --> transmission --> sgf_sb_depart
 *                 drop                          refused: sgf_sb_trim or sgf_sb_discard */
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
  bool uet_policy;                        /* UETPolicyEnabled (9) */
  bool resume_on_lossy_release;           /* ResumeOnLossyRelease (O-11) */
  int64_t buffer_stats_interval;          /* BufferStatsReportInterval, picoseconds; not read here */
  bool per_port_buffer_stats;             /* ReportPerPortBufferStats; not read here */
  bool trimming; /* PacketTrimmer.TrimmingEnabled, from the switch's own table: no row of the one below */
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

/* What sgf_sb_queue or sgf_sb_trim did with a packet (5.6, 9.3). */
typedef enum sgf_sb_queueing {
  SGF_SB_QUEUED,
  SGF_SB_DROP_QUEUE_LIMIT, /* refused: lossy, egress queue limit */
  SGF_SB_DROP_EGRESS_POOL, /* refused: lossy, egress side of the pool full */
} sgf_sb_queueing_t;

/* Which limit of an egress queue a packet is held against. They differ under the UET policy alone (9.3). */
typedef enum sgf_sb_limit {
  SGF_SB_LIMIT_NORMAL,
  SGF_SB_LIMIT_RETRANSMISSION, /* of a packet with the trimmable-retransmission codepoint: 3/2 of the normal one */
} sgf_sb_limit_t;

/* Stages 1 to 5 of start-up for a switch with `ports` connected ports (3), or those of the UET policy (9). Fails on
 * rules S-04 to S-06, S-11 and S-12 (the attribute table covers S-01 to S-03), on a class mapped to a pool that does
 * not exist (O-05) and on values out of range (O-29); the message names the attribute. The config is copied. Free with
 * sgf_sb_free. */
SGF_PUBLIC sgf_shared_buffer_t* sgf_sb_new(const sgf_shared_buffer_config_t* config, unsigned ports,
                                           sgf_error_t* error);
SGF_PUBLIC void sgf_sb_free(sgf_shared_buffer_t* sb);

/* Charge size of a packet of `bytes` without its Ethernet header: max(46, bytes) (5.1). */
SGF_PUBLIC int64_t sgf_sb_charge(int64_t bytes);

/* A packet of class `tc` costing `charge` bytes has arrived at `port`. */
SGF_PUBLIC sgf_sb_arrival_t sgf_sb_arrive(sgf_shared_buffer_t* sb, unsigned port, unsigned tc, int64_t charge);

/* Offer a packet that sgf_sb_arrive kept to the egress queue of `out_port`. A refused packet has changed nothing and
 * keeps its ingress charge: give it to sgf_sb_trim, or drop it with sgf_sb_discard. */
SGF_PUBLIC sgf_sb_queueing_t sgf_sb_queue(sgf_shared_buffer_t* sb, unsigned out_port, unsigned tc, int64_t charge,
                                          sgf_sb_limit_t limit);

/* A packet that sgf_sb_queue refused, arrived at `in_port` in class `in_tc`, has been cut to `new_charge` bytes, at
 * most its old `charge`, and is in class `tc` now (9.3). Its ingress charge shrinks at once and stays with `in_tc`;
 * then it is offered to the egress queue of `out_port`. Refused again, all of it is released (O-22). Only with
 * `trimming`, where no class is lossless: no pause and no resume can follow. */
SGF_PUBLIC sgf_sb_queueing_t sgf_sb_trim(sgf_shared_buffer_t* sb, unsigned in_port, unsigned in_tc, unsigned out_port,
                                         unsigned tc, int64_t charge, int64_t new_charge);

/* The serialisation of a queued packet has ended (5.10). `in_tc` is its class on arrival, `tc` that in which it was
 * queued: another one only if it was trimmed here, and then `charge` is its new one. True: the ingress port of the
 * packet is now resumed: send a resume for the group of the pool of `in_tc` (6.3). */
SGF_PUBLIC bool sgf_sb_depart(sgf_shared_buffer_t* sb, unsigned in_port, unsigned in_tc, unsigned out_port, unsigned tc,
                              int64_t charge);

/* Release the ingress charge of a packet that sgf_sb_arrive kept and that is dropped before it was queued: refused at
 * egress (5.6 step 4) or without a route (O-36). True as for sgf_sb_depart. */
SGF_PUBLIC bool sgf_sb_discard(sgf_shared_buffer_t* sb, unsigned in_port, unsigned tc, int64_t charge);

/* Results of start-up. Sizes in bytes; a pool that does not exist has size 0. The raw size is that before the
 * adjustment of the last pool (3.2), the static limit the base of the ECN thresholds (3.4.3), the queue limit that of a
 * lossy egress queue now (3.4.1), the retransmission limit the same for SGF_SB_LIMIT_RETRANSMISSION, the group a set of
 * classes: bit tc (3.3). Under the UET policy classes 3 to 7 do not occur; they count as lossy classes of pool 0. */
SGF_PUBLIC int64_t sgf_sb_headroom_total(const sgf_shared_buffer_t* sb); /* HeadRoomPerPortLimit x ports (3.1) */
SGF_PUBLIC int64_t sgf_sb_sizing_total(const sgf_shared_buffer_t* sb);   /* what the pools divide (3.1) */
SGF_PUBLIC int64_t sgf_sb_pool_size(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_pool_raw_size(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC unsigned sgf_sb_pool_of(const sgf_shared_buffer_t* sb, unsigned tc);
SGF_PUBLIC bool sgf_sb_lossless(const sgf_shared_buffer_t* sb, unsigned tc);
SGF_PUBLIC uint8_t sgf_sb_group(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_static_limit(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_queue_limit(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_retransmission_limit(const sgf_shared_buffer_t* sb, unsigned pool);

/* Counters. Bytes now. */
SGF_PUBLIC int64_t sgf_sb_occupancy(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_headroom(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC bool sgf_sb_paused(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_pool_total(const sgf_shared_buffer_t* sb, unsigned pool); /* ingress, all ports */
SGF_PUBLIC int64_t sgf_sb_egress_queue(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_egress_total(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_port_queued(const sgf_shared_buffer_t* sb, unsigned port); /* egress, all pools (8.4) */

/* How often a paused port with empty headroom and at most Xon was left paused because only the departure of a lossless
 * packet asks for a resume (O-11): at releases of lossy packets, and at pauses whose packet the pool then dropped. A
 * port that still counts as paused after all its packets have left was counted at least once. */
SGF_PUBLIC uint64_t sgf_sb_unresumed(const sgf_shared_buffer_t* sb);

/* Highest values since start-up, bytes; that of queues is the longest that any egress queue of the pool was. */
SGF_PUBLIC int64_t sgf_sb_pool_peak(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_queue_peak(const sgf_shared_buffer_t* sb, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_occupancy_peak(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);
SGF_PUBLIC int64_t sgf_sb_headroom_peak(const sgf_shared_buffer_t* sb, unsigned port, unsigned pool);

/* True when every counter of bytes is zero: all that was charged has been released. Otherwise `what` (may be NULL) gets
 * one line that names the first counter that is not. A port may still count as paused (O-11): sgf_sb_paused tells. */
SGF_PUBLIC bool sgf_sb_empty(const sgf_shared_buffer_t* sb, char* what, size_t size);

/* ---- Samples (spec/records.md 5 and 6, R-09) ----------------------------------------------------------------------
 */

/* What is sampled: a sample is taken of a counter at each charge to it and each release from it, and holds the bytes
 * after it. A packet that is dropped on arrival is charged to nothing. */
typedef enum sgf_sb_sampled {
  SGF_SB_EGRESS_QUEUE,  /* egress queues of a pool */
  SGF_SB_INGRESS_USAGE, /* ingress occupancies of a pool, without headroom */
  SGF_SB_SHARED_BUFFER, /* ingress total of a pool over all ports; not by port */
  SGF_SB_HEADROOM,      /* headroom in use in a pool; by port alone */
} sgf_sb_sampled_t;

/* The samples of an interval, bytes. Without samples all is 0. */
typedef struct sgf_sb_samples {
  uint64_t count;
  int64_t min;
  int64_t max;
  int64_t sum;
} sgf_sb_samples_t;

/* Take samples from now on: summed over the ports of each direction, uplinks and downlinks apart, and with `per_port`
 * also port by port. `uplink` tells the direction of each port; it is copied. Called again, all begins anew. */
SGF_PUBLIC void sgf_sb_sample(sgf_shared_buffer_t* sb, const bool* uplink, bool per_port);

/* The samples since the last call with the same arguments; the next interval begins. SGF_SB_SHARED_BUFFER has no
 * direction: `uplink` is not read. No samples are taken before sgf_sb_sample, nor by port without `per_port`. */
SGF_PUBLIC sgf_sb_samples_t sgf_sb_take_samples(sgf_shared_buffer_t* sb, sgf_sb_sampled_t what, bool uplink,
                                                unsigned pool);
SGF_PUBLIC sgf_sb_samples_t sgf_sb_take_port_samples(sgf_shared_buffer_t* sb, sgf_sb_sampled_t what, unsigned port,
                                                     unsigned pool);

SGF_END_DECL
#endif
