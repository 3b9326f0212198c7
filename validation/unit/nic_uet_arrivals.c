/* What has arrived at a receiving end of the UET transport, against a plain array (spec/uet-nic.md 8.5, 8.8). */
#include "harness.h"

#include "attr/alloc.h"
#include "nic/uet/uet.h"

#include <stdlib.h>

enum { SPAN = 6000 };

/* The same from a plain array. */
typedef struct naive_end {
  bool arrived[SPAN];
  uint32_t block;
} naive_end_t;

static uint32_t naive_expected(const naive_end_t* naive)
{
  uint32_t psn = 0;
  while (naive->arrived[psn])
    psn++;
  return psn;
}

static uint32_t naive_highest(const naive_end_t* naive)
{
  uint32_t highest = 0;
  for (uint32_t psn = 0; psn < SPAN; psn++)
    if (naive->arrived[psn])
      highest = psn + 1;
  return highest;
}

/* Base = cumulative + 1 + 64 k, k cycling over the blocks up to the highest PSN received (B17). */
static uint32_t naive_bitmap(naive_end_t* naive, uint64_t* bitmap)
{
  const uint32_t expected = naive_expected(naive);
  const uint32_t highest  = naive_highest(naive);
  *bitmap                 = 0;
  if (highest <= expected) {
    naive->block = 0;
    return expected;
  }
  const uint32_t blocks = (highest - expected + 63) / 64;
  const uint32_t base   = expected + naive->block % blocks * 64;
  naive->block          = naive->block % blocks + 1;
  for (uint32_t i = 0; i < 64; i++)
    if (base + i < SPAN && naive->arrived[base + i])
      *bitmap |= UINT64_C(1) << i;
  return base;
}

static uint64_t random_state = 12345;

static uint32_t random_below(uint32_t limit)
{
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((random_state >> 33) % limit);
}

/* Packets arrive at most `reach` ahead of the first that is missing. */
static void compare_with_naive(uint32_t reach, unsigned arrivals)
{
  uet_end_t end        = {0};
  naive_end_t* naive   = sgf_calloc(1, sizeof *naive);
  unsigned differences = 0;
  nic_arrivals_init(&end.arrivals);
  for (unsigned i = 0; i < arrivals && end.arrivals.expected + reach < SPAN; i++) {
    const uint32_t expected = end.arrivals.expected;
    const uint32_t psn      = expected + random_below(reach) - (expected > 0 && random_below(8) == 0 ? 1 : 0);
    differences += nic_arrivals_mark(&end.arrivals, psn) == naive->arrived[psn];
    naive->arrived[psn]  = true;
    const uint32_t probe = random_below(SPAN);
    differences += nic_arrivals_has(&end.arrivals, probe) != naive->arrived[probe];
    uint64_t bitmap, expected_bitmap;
    differences += uet_end_bitmap(&end, &bitmap) != naive_bitmap(naive, &expected_bitmap);
    differences += bitmap != expected_bitmap;
    if (i % 64 == 0)
      differences += end.arrivals.expected != naive_expected(naive) ||
                     (end.arrivals.held > 0 && end.arrivals.highest != naive_highest(naive));
  }
  CU_ASSERT_EQUAL(differences, 0);
  CU_ASSERT(end.arrivals.expected > 0);
  nic_arrivals_free(&end.arrivals);
  free(naive);
}

SGF_TEST(arrivals_agree_with_a_naive_record)
{
  compare_with_naive(1, 200); /* in order */
  compare_with_naive(3, 1000);
  compare_with_naive(64, 1500); /* around one word */
  compare_with_naive(65, 1500);
  compare_with_naive(129, 1500);
  compare_with_naive(1000, 3000); /* the ring grows and wraps */
}

/* Whether packets were beyond a gap or not. */
SGF_TEST(nothing_of_a_sequence_is_left_in_the_next)
{
  nic_arrivals_t arrivals;
  nic_arrivals_init(&arrivals);
  for (unsigned held = 0; held < 3; held++) {
    for (uint32_t psn = 0; psn < 200; psn++)
      nic_arrivals_mark(&arrivals, psn);
    for (uint32_t psn = 0; psn < held; psn++)
      nic_arrivals_mark(&arrivals, 230 + psn);
    CU_ASSERT_EQUAL(arrivals.held, held);
    nic_arrivals_restart(&arrivals);
    CU_ASSERT_EQUAL(arrivals.expected + arrivals.held + arrivals.highest, 0);
    for (uint32_t word = 0; word < arrivals.words; word++)
      CU_ASSERT_EQUAL(arrivals.arrived[word], 0);
  }
  nic_arrivals_free(&arrivals);
}

SGF_TEST(a_far_packet_grows_the_ring_and_keeps_what_is_in_it)
{
  nic_arrivals_t arrivals;
  nic_arrivals_init(&arrivals);
  for (uint32_t psn = 0; psn < 100; psn++)
    nic_arrivals_mark(&arrivals, psn);
  CU_ASSERT_EQUAL(arrivals.expected, 100);
  nic_arrivals_mark(&arrivals, 103);
  nic_arrivals_mark(&arrivals, 100000);
  CU_ASSERT(64 * arrivals.words >= 100000 - 100);
  CU_ASSERT_TRUE(nic_arrivals_has(&arrivals, 103) && nic_arrivals_has(&arrivals, 100000));
  CU_ASSERT_TRUE(nic_arrivals_has(&arrivals, 99));
  CU_ASSERT_FALSE(nic_arrivals_has(&arrivals, 102) || nic_arrivals_has(&arrivals, 99999));
  CU_ASSERT_FALSE(nic_arrivals_has(&arrivals, 100001));
  CU_ASSERT_FALSE(nic_arrivals_mark(&arrivals, 103));
  for (uint32_t psn = 100; psn < 100000; psn++)
    nic_arrivals_mark(&arrivals, psn);
  CU_ASSERT_EQUAL(arrivals.expected, 100001);
  nic_arrivals_free(&arrivals);
}
