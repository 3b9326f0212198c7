/* Exact rates: what a frame takes on the wire, and what is left over for the next one. */
#include "harness.h"

#include <sgfabric/opp.h>

__extension__ typedef __int128 wide_t;

static const int64_t pcie_rate  = INT64_C(504320000000); /* 31.52 Gb/s on 16 lanes */
static const int64_t prime_rate = INT64_C(400000000019); /* shares no factor with 10^12 */

/* The n-th of n frames sent without a break ends at floor(n x bits / rate), the whole part of the exact time. */
static opp_simtime_t end_of_frame(int64_t n, int64_t bits, int64_t bps)
{
  return (opp_simtime_t)((wide_t)n * bits * OPP_S / bps);
}

SGF_TEST(a_rate_is_kept_in_lowest_terms)
{
  const opp_rate_t rate = opp_rate(INT64_C(400000000000));
  CU_ASSERT_EQUAL(rate.bps, INT64_C(400000000000));
  CU_ASSERT_EQUAL(rate.ps_num, 5); /* 2.5 ps a bit */
  CU_ASSERT_EQUAL(rate.ps_den, 2);
  CU_ASSERT_EQUAL(opp_rate(1).ps_num, OPP_S);
  CU_ASSERT_EQUAL(opp_rate(1).ps_den, 1);
  CU_ASSERT_EQUAL(opp_rate(prime_rate).ps_den, prime_rate);
}

SGF_TEST(a_duration_is_rounded_down)
{
  CU_ASSERT_EQUAL(opp_rate_duration(opp_rate(INT64_C(400000000000)), 1), 2);
  CU_ASSERT_EQUAL(opp_rate_duration(opp_rate(INT64_C(400000000000)), 2), 5);
  CU_ASSERT_EQUAL(opp_rate_duration(opp_rate(INT64_C(400000000000)), 0), 0);
  CU_ASSERT_EQUAL(opp_rate_duration(opp_rate(pcie_rate), 8 * 4368), 69289);
  CU_ASSERT_EQUAL(opp_rate_duration(opp_rate(1), 3), 3 * OPP_S);
}

/* 4,368 B on 504.32 Gb/s take 69,289.34 ps. */
SGF_TEST(the_long_run_rate_is_exact)
{
  opp_transmitter_t wire = {.rate = opp_rate(pcie_rate)};
  const int64_t bits     = 8 * 4368;
  const int64_t frames   = 100000;
  for (int64_t n = 1; n <= frames; n++)
    CU_ASSERT_EQUAL_FATAL(opp_transmit(&wire, 0, bits), end_of_frame(n, bits, pcie_rate));
  CU_ASSERT_DOUBLE_EQUAL((double)wire.free_at / (double)frames, 69289.34, 0.005);
  CU_ASSERT(wire.free_at > frames * 69289); /* what rounding each one down would give */
}

SGF_TEST(frames_of_different_sizes_share_the_remainder)
{
  opp_transmitter_t wire = {.rate = opp_rate(prime_rate)};
  int64_t bits           = 0;
  for (int64_t n = 1; n <= 1000; n++) {
    bits += 8 * (n % 7) + 1;
    CU_ASSERT_EQUAL_FATAL(opp_transmit(&wire, 0, 8 * (n % 7) + 1), end_of_frame(1, bits, prime_rate));
  }
}

SGF_TEST(the_remainder_is_dropped_when_the_transmitter_falls_idle)
{
  opp_transmitter_t wire    = {.rate = opp_rate(pcie_rate)};
  const int64_t bits        = 8 * 4368;
  const opp_simtime_t first = opp_transmit(&wire, 0, bits);
  CU_ASSERT(wire.carry > 0);
  /* At its end the transmitter has not been idle: 2 x 69,289.34 = 138,578.68. */
  CU_ASSERT_EQUAL(opp_transmit(&wire, first, bits), 138578);
  opp_transmit(&wire, first, bits);
  CU_ASSERT_EQUAL(wire.free_at, 207868); /* 3 x: the third one ends a picosecond later than three whole ones */
  /* A picosecond later it has: nothing is carried over, however often. */
  for (int i = 0; i < 10; i++) {
    const opp_simtime_t start = wire.free_at + 1;
    CU_ASSERT_EQUAL(opp_transmit(&wire, start, bits), start + 69289);
  }
}

SGF_TEST(a_busy_transmitter_queues_what_comes_earlier)
{
  opp_transmitter_t wire = {.rate = opp_rate(INT64_C(8000000000))}; /* a nanosecond a byte */
  CU_ASSERT_EQUAL(opp_transmit(&wire, 100, 8), 1100);
  CU_ASSERT_EQUAL(opp_transmit(&wire, 200, 8), 2100);
  CU_ASSERT_EQUAL(opp_transmit(&wire, 2100, 0), 2100);
  CU_ASSERT_EQUAL(opp_transmit(&wire, 5000, 0), 5000);
}

/* bits x 10^12 no longer fits 64 bits. */
SGF_TEST(long_transmissions_are_exact_too)
{
  opp_transmitter_t wire = {.rate = opp_rate(prime_rate)};
  const int64_t bits     = INT64_C(123456789012345);
  for (int64_t n = 1; n <= 1000; n++)
    CU_ASSERT_EQUAL_FATAL(opp_transmit(&wire, 0, bits), end_of_frame(n, bits, prime_rate));
  CU_ASSERT_EQUAL(opp_rate_duration(opp_rate(prime_rate), bits), end_of_frame(1, bits, prime_rate));
}

SGF_TEST(what_lasts_longer_than_time_lasts_until_its_end)
{
  const int64_t bits     = INT64_C(1) << 35;
  opp_transmitter_t wire = {.rate = opp_rate(1)};
  CU_ASSERT_EQUAL(opp_rate_duration(opp_rate(1), bits), OPP_TIME_MAX);
  CU_ASSERT_EQUAL(opp_transmit(&wire, 0, bits), OPP_TIME_MAX);
  wire = (opp_transmitter_t){.rate = opp_rate(OPP_S)};
  CU_ASSERT_EQUAL(opp_transmit(&wire, OPP_TIME_MAX - 5, 3), OPP_TIME_MAX - 2);
  CU_ASSERT_EQUAL(opp_transmit(&wire, OPP_TIME_MAX - 5, 3), OPP_TIME_MAX);
}
