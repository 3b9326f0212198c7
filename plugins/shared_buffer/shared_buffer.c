/* sgfabric shared buffer: accounting at run time (spec/switch.md 5 and 6). */
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
static sgf_sb_arrival_t charge_headroom(const sgf_shared_buffer_t* sb, sgf_sb_ingress_t* in, int64_t charge)
{
  if (in->headroom + charge > sb->headroom_limit)
    return SGF_SB_DROP_HEADROOM;
  in->headroom += charge;
  raise_peak(&in->headroom_peak, in->headroom);
  return SGF_SB_TO_HEADROOM;
}

/* Steps 5 and 6 of 5.4. The packet is tested before it is charged: charging first and undoing comes to the same. */
static bool charge_pool(sgf_sb_pool_t* pool, sgf_sb_ingress_t* in, int64_t charge)
{
  if (pool->total + charge > pool->size)
    return false;
  pool->total += charge;
  in->occupancy += charge;
  raise_peak(&pool->total_peak, pool->total);
  raise_peak(&in->occupancy_peak, in->occupancy);
  return true;
}

sgf_sb_arrival_t sgf_sb_arrive(sgf_shared_buffer_t* sb, unsigned port, unsigned tc, int64_t charge)
{
  assert(tc < SGF_SB_CLASSES && charge > 0);
  const sgf_sb_class_t* class = &sb->classes[tc];
  sgf_sb_ingress_t* in        = &sb->ingress[sgf_sb_cell(sb, port, class->pool)];
  sgf_sb_pool_t* pool         = &sb->pools[class->pool];
  if (!class->lossless)
    return charge_pool(pool, in, charge) ? SGF_SB_TO_POOL : SGF_SB_DROP_POOL;
  if (in->paused)
    return charge_headroom(sb, in, charge);
  /* step 4: the packet that passes Xoff still goes to the pool, and the pause stands even if it drops there (O-08) */
  in->paused = in->occupancy + charge > sb->xoff;
  if (charge_pool(pool, in, charge))
    return in->paused ? SGF_SB_TO_POOL_PAUSE : SGF_SB_TO_POOL;
  return in->paused ? SGF_SB_DROP_POOL_PAUSE : SGF_SB_DROP_POOL;
}

static void release_pool(sgf_sb_pool_t* pool, sgf_sb_ingress_t* in, int64_t charge)
{
  in->occupancy -= charge;
  pool->total -= charge;
  assert(in->occupancy >= 0 && pool->total >= in->occupancy);
}

/* 5.10, ingress side. Headroom is given back first, whichever counter the packet was charged to on arrival. A lossy
 * packet never runs the resume test (O-11). True: the port is resumed. */
static bool release_ingress(sgf_shared_buffer_t* sb, unsigned port, unsigned tc, int64_t charge)
{
  assert(tc < SGF_SB_CLASSES && charge > 0);
  const sgf_sb_class_t* class = &sb->classes[tc];
  sgf_sb_ingress_t* in        = &sb->ingress[sgf_sb_cell(sb, port, class->pool)];
  sgf_sb_pool_t* pool         = &sb->pools[class->pool];
  if (!class->lossless) {
    release_pool(pool, in, charge);
    return false;
  }
  int64_t from_headroom = charge < in->headroom ? charge : in->headroom;
  in->headroom -= from_headroom;
  release_pool(pool, in, charge - from_headroom);
  bool resumed = in->paused && in->headroom == 0 && in->occupancy <= sb->xon;
  in->paused   = in->paused && !resumed;
  return resumed;
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
static bool above_queue_limit(const sgf_shared_buffer_t* sb, const sgf_sb_pool_t* pool, int64_t queued)
{
  if (sb->alpha.digits > 0)
    return above_dynamic_limit(sb->alpha, pool->size - pool->egress_total, queued);
  return queued > pool->static_limit;
}

/* Steps 1 and 2 of 5.6. */
static sgf_sb_queueing_t judge_egress(const sgf_shared_buffer_t* sb, const sgf_sb_class_t* class, int64_t queue,
                                      int64_t charge)
{
  const sgf_sb_pool_t* pool = &sb->pools[class->pool];
  if (class->lossless)
    return SGF_SB_QUEUED;
  if (above_queue_limit(sb, pool, queue + charge))
    return SGF_SB_DROP_QUEUE_LIMIT;
  return pool->egress_total + charge > pool->size ? SGF_SB_DROP_EGRESS_POOL : SGF_SB_QUEUED;
}

sgf_sb_queueing_t sgf_sb_queue(sgf_shared_buffer_t* sb, unsigned in_port, unsigned out_port, unsigned tc,
                               int64_t charge)
{
  assert(tc < SGF_SB_CLASSES && charge > 0);
  const sgf_sb_class_t* class = &sb->classes[tc];
  int64_t* queue              = &sb->egress[sgf_sb_cell(sb, out_port, class->pool)];
  sgf_sb_queueing_t verdict   = judge_egress(sb, class, *queue, charge);
  if (verdict == SGF_SB_QUEUED) {
    *queue += charge;
    sb->pools[class->pool].egress_total += charge;
  } else {
    release_ingress(sb, in_port, tc, charge); /* step 4: the packet is lossy: no resume can follow */
  }
  return verdict;
}

bool sgf_sb_depart(sgf_shared_buffer_t* sb, unsigned in_port, unsigned out_port, unsigned tc, int64_t charge)
{
  assert(tc < SGF_SB_CLASSES);
  unsigned pool  = sb->classes[tc].pool;
  int64_t* queue = &sb->egress[sgf_sb_cell(sb, out_port, pool)];
  *queue -= charge;
  sb->pools[pool].egress_total -= charge;
  assert(*queue >= 0 && sb->pools[pool].egress_total >= *queue);
  return release_ingress(sb, in_port, tc, charge);
}
