/* sgfabric shared buffer: accounting at run time (spec/switch.md 5, 6 and 9.3).
 *
 * What every packet passes is called in one place or `inline`, so that link-time optimisation puts it into the switch's
 * own code. */
#include "shared_buffer_internal.h"

enum { SMALLEST_CHARGE = 46 }; /* bytes: payload of the smallest Ethernet frame (5.1) */

static inline void raise_peak(int64_t* peak, int64_t value)
{
  if (value > *peak)
    *peak = value;
}

int64_t sgf_sb_charge(int64_t bytes)
{
  return bytes > SMALLEST_CHARGE ? bytes : SMALLEST_CHARGE;
}

/* Step 3 of 5.4: what is on its way to a paused port is charged to headroom and meets no pool test. */
static sgf_sb_arrival_t charge_headroom(sgf_shared_buffer_t* sb, unsigned port, unsigned number, int64_t charge)
{
  sgf_sb_ingress_t* in = sgf_sb_ingress_at(sb, port, number);
  if (in->headroom + charge > sb->headroom_limit)
    return SGF_SB_DROP_HEADROOM;
  in->headroom += charge;
  raise_peak(&sb->at_ports[port].headroom_peak[number], in->headroom);
  if (sb->sampling)
    sgf_sb_sample_headroom(sb, port, number);
  return SGF_SB_TO_HEADROOM;
}

/* Steps 5 and 6 of 5.4. The packet is tested before it is charged: charging first and undoing comes to the same. */
static inline bool charge_pool(sgf_shared_buffer_t* sb, unsigned port, unsigned number, int64_t charge)
{
  sgf_sb_ingress_t* in = sgf_sb_ingress_at(sb, port, number);
  sgf_sb_pool_t* pool  = &sb->pools[number];
  if (pool->total + charge > pool->size)
    return false;
  pool->total += charge;
  in->occupancy += charge;
  raise_peak(&pool->total_peak, pool->total);
  raise_peak(&in->occupancy_peak, in->occupancy);
  if (sb->sampling)
    sgf_sb_sample_occupancy(sb, port, number, charge);
  return true;
}

/* What the resume test looks at (6.3), and the state in which O-11 can leave a port. */
static inline bool may_resume(const sgf_shared_buffer_t* sb, const sgf_sb_ingress_t* in)
{
  return in->paused && in->headroom == 0 && in->occupancy <= sb->xon;
}

/* The pool has no room for a packet. The pause that it caused stands all the same (O-08). */
__attribute__((cold)) static sgf_sb_arrival_t refuse_arrival(sgf_shared_buffer_t* sb, const sgf_sb_ingress_t* in,
                                                             bool pauses)
{
  sb->unresumed += pauses && may_resume(sb, in);
  return pauses ? SGF_SB_DROP_POOL_PAUSE : SGF_SB_DROP_POOL;
}

sgf_sb_arrival_t sgf_sb_arrive(sgf_shared_buffer_t* sb, unsigned port, unsigned tc, int64_t charge)
{
  assert(tc < SGF_SB_CLASSES && charge > 0);
  const sgf_sb_class_t* class = &sb->classes[tc];
  sgf_sb_ingress_t* in        = sgf_sb_ingress_at(sb, port, class->pool);
  if (class->lossless && in->paused)
    return charge_headroom(sb, port, class->pool, charge);
  const bool pauses = class->lossless && in->occupancy + charge > sb->xoff;
  if (pauses) /* step 4: the packet that passes Xoff still goes to the pool */
    in->paused = true;
  if (!charge_pool(sb, port, class->pool, charge))
    return refuse_arrival(sb, in, pauses);
  return pauses ? SGF_SB_TO_POOL_PAUSE : SGF_SB_TO_POOL;
}

static inline void release_pool(sgf_shared_buffer_t* sb, unsigned port, unsigned number, int64_t charge)
{
  if (charge == 0) /* all of it came out of headroom */
    return;
  sgf_sb_ingress_t* in = sgf_sb_ingress_at(sb, port, number);
  sgf_sb_pool_t* pool  = &sb->pools[number];
  in->occupancy -= charge;
  pool->total -= charge;
  assert(in->occupancy >= 0 && pool->total >= in->occupancy);
  if (sb->sampling)
    sgf_sb_sample_occupancy(sb, port, number, -charge);
}

/* Headroom is given back first, whichever counter the packet was charged to on arrival. */
static inline void release_headroom_first(sgf_shared_buffer_t* sb, unsigned port, unsigned number, int64_t charge)
{
  sgf_sb_ingress_t* in  = sgf_sb_ingress_at(sb, port, number);
  int64_t from_headroom = charge < in->headroom ? charge : in->headroom;
  in->headroom -= from_headroom;
  if (sb->sampling && from_headroom > 0)
    sgf_sb_sample_headroom(sb, port, number);
  release_pool(sb, port, number, charge - from_headroom);
}

/* 5.10, ingress side. A lossy packet runs the resume test only if it is told to (O-11). True: the port is resumed. */
static inline bool release_ingress(sgf_shared_buffer_t* sb, unsigned port, unsigned tc, int64_t charge)
{
  assert(tc < SGF_SB_CLASSES && charge > 0);
  const sgf_sb_class_t* class = &sb->classes[tc];
  sgf_sb_ingress_t* in        = sgf_sb_ingress_at(sb, port, class->pool);
  if (!class->lossless)
    release_pool(sb, port, class->pool, charge);
  else
    release_headroom_first(sb, port, class->pool, charge);
  if (!may_resume(sb, in))
    return false;
  if (!class->lossless && !sb->resume_on_lossy_release) {
    sb->unresumed++;
    return false;
  }
  in->paused = false;
  return true;
}

bool sgf_sb_discard(sgf_shared_buffer_t* sb, unsigned in_port, unsigned tc, int64_t charge)
{
  return release_ingress(sb, in_port, tc, charge);
}

/* queued > LossyAlpha x free, without rounding */
static inline bool above_dynamic_limit(sgf_decimal_t alpha, int64_t free_bytes, int64_t queued)
{
  return (sgf_sb_wide_t)queued * alpha.scale > (sgf_sb_wide_t)alpha.digits * free_bytes;
}

/* Step 2 of 5.6, the queue's own limit. Free bytes are those before the packet is charged (O-10). They are negative
 * when packets out of headroom have filled the egress side beyond the pool: then nothing lossy fits. */
static bool above_queue_limit(const sgf_shared_buffer_t* sb, const sgf_sb_pool_t* pool, int64_t queued,
                              sgf_sb_limit_t limit)
{
  if (sb->alpha.digits > 0)
    return above_dynamic_limit(sb->alpha, pool->size - pool->egress_total, queued);
  return queued > pool->limits[limit];
}

/* Steps 1 and 2 of 5.6. */
static inline sgf_sb_queueing_t judge_egress(const sgf_shared_buffer_t* sb, const sgf_sb_class_t* class, int64_t queue,
                                             int64_t charge, sgf_sb_limit_t limit)
{
  const sgf_sb_pool_t* pool = &sb->pools[class->pool];
  if (class->lossless)
    return SGF_SB_QUEUED;
  if (above_queue_limit(sb, pool, queue + charge, limit))
    return SGF_SB_DROP_QUEUE_LIMIT;
  return pool->egress_total + charge > pool->size ? SGF_SB_DROP_EGRESS_POOL : SGF_SB_QUEUED;
}

static inline void change_egress(sgf_shared_buffer_t* sb, unsigned port, unsigned pool, int64_t change)
{
  int64_t* queue = sgf_sb_egress_at(sb, port, pool);
  *queue += change;
  sb->pools[pool].egress_total += change;
  raise_peak(&sb->pools[pool].queue_peak, *queue);
  assert(*queue >= 0 && sb->pools[pool].egress_total >= *queue);
  if (sb->sampling)
    sgf_sb_sample_egress(sb, port, pool, change);
}

static inline sgf_sb_queueing_t offer(sgf_shared_buffer_t* sb, unsigned out_port, unsigned tc, int64_t charge,
                                      sgf_sb_limit_t limit)
{
  assert(tc < SGF_SB_CLASSES && charge > 0);
  const sgf_sb_class_t* class = &sb->classes[tc];
  int64_t queue               = *sgf_sb_egress_at(sb, out_port, class->pool);
  sgf_sb_queueing_t verdict   = judge_egress(sb, class, queue, charge, limit);
  if (verdict == SGF_SB_QUEUED)
    change_egress(sb, out_port, class->pool, charge);
  return verdict;
}

sgf_sb_queueing_t sgf_sb_queue(sgf_shared_buffer_t* sb, unsigned out_port, unsigned tc, int64_t charge,
                               sgf_sb_limit_t limit)
{
  return offer(sb, out_port, tc, charge, limit);
}

sgf_sb_queueing_t sgf_sb_trim(sgf_shared_buffer_t* sb, unsigned in_port, unsigned in_tc, unsigned out_port, unsigned tc,
                              int64_t charge, int64_t new_charge)
{
  assert(sb->trimming && in_tc < SGF_SB_CLASSES && new_charge > 0 && new_charge <= charge);
  release_pool(sb, in_port, sb->classes[in_tc].pool, charge - new_charge);
  sgf_sb_queueing_t verdict = offer(sb, out_port, tc, new_charge, SGF_SB_LIMIT_NORMAL);
  if (verdict != SGF_SB_QUEUED)
    release_pool(sb, in_port, sb->classes[in_tc].pool, new_charge);
  return verdict;
}

bool sgf_sb_depart(sgf_shared_buffer_t* sb, unsigned in_port, unsigned in_tc, unsigned out_port, unsigned tc,
                   int64_t charge)
{
  assert(tc < SGF_SB_CLASSES);
  change_egress(sb, out_port, sb->classes[tc].pool, -charge);
  return release_ingress(sb, in_port, in_tc, charge);
}
