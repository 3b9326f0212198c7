/* The closed forms of spec/feedback-budget.md 13.1, by the numbers of that list, and the headroom pool (FB-60). FB-34
 * and FB-37 to FB-40 are the watchdog's. */
#include "harness.h"

#include <stdint.h>

#include "budget/budget.h"

enum { NS = 1000, US = 1000 * NS, KB = 1000, MB = 1000 * KB };

#define MS (INT64_C(1000) * US)
#define GBPS INT64_C(1000000000)

/* The reference case (2): four sources of 400 Gb/s into one egress of 400 Gb/s. */
static const int64_t rate   = 400 * GBPS;
static const int64_t input  = 4 * 400 * GBPS;
static const int64_t egress = 400 * GBPS;
static const int64_t k_ecn  = 256 * KB;
static const int64_t line   = 768 * KB;

/* The first picosecond at which so many bytes have come: 256 kB at 150 B/ns take 256,000 / 150 ns. */
static int64_t first_ps(int64_t bytes, int64_t bytes_per_ns)
{
  return (bytes * NS + bytes_per_ns - 1) / bytes_per_ns;
}

/* ---- Fluid model and feedback ------------------------------------------------------------------------------------ */

SGF_TEST(FB_01_a_rate_in_bytes)
{
  CU_ASSERT_EQUAL(budget_bytes(rate, US), 50000);
  CU_ASSERT_EQUAL(budget_bytes(rate, 1000 * MS), 50 * INT64_C(1000000000));
  CU_ASSERT_EQUAL(budget_time(50000, rate), US);
}

SGF_TEST(FB_02_net_growth)
{
  CU_ASSERT_EQUAL(budget_bytes(input, US), 200000);
  CU_ASSERT_EQUAL(budget_bytes(egress, US), 50000);
  CU_ASSERT_EQUAL(budget_growth(input, egress, US), 150000);
  CU_ASSERT_EQUAL(budget_growth(egress, input, US), 0); /* a surplus of service is idle capacity */
}

SGF_TEST(FB_03_time_to_mark)
{
  CU_ASSERT_EQUAL(budget_crossing(k_ecn, input, egress), 1706667); /* 1.706666... us, rounded up */
  CU_ASSERT_EQUAL(budget_crossing(k_ecn, input, egress), first_ps(k_ecn, 150));
  CU_ASSERT(budget_growth(input, egress, 1706667) >= k_ecn);
  CU_ASSERT_EQUAL(budget_crossing(0, input, egress), 0);
  CU_ASSERT_EQUAL(budget_crossing(k_ecn, egress, egress), BUDGET_NEVER);
}

SGF_TEST(FB_04_overshoot_during_the_feedback_time)
{
  CU_ASSERT_EQUAL(budget_growth(input, egress, 8 * US), 1200000);
}

SGF_TEST(FB_05_first_lowered_traffic)
{
  CU_ASSERT_EQUAL(budget_crossing(k_ecn, input, egress) + 8 * US, 9706667);
  CU_ASSERT_EQUAL(k_ecn + budget_growth(input, egress, 8 * US), 1456000);
}

SGF_TEST(FB_06_the_pause_line_comes_before_the_first_reaction)
{
  CU_ASSERT_EQUAL(budget_crossing(line, input, egress), 5120000);
  CU_ASSERT(budget_crossing(line, input, egress) < budget_crossing(k_ecn, input, egress) + 8 * US);
  CU_ASSERT_FALSE(budget_reacts_in_time(k_ecn, budget_growth(input, egress, 8 * US), line));
}

SGF_TEST(FB_07_peak_after_the_pause)
{
  CU_ASSERT_EQUAL(budget_crossing(line, input, egress) + 2 * US, 7120000);
  CU_ASSERT_EQUAL(line + budget_growth(input, egress, 2 * US), 1068000);
}

SGF_TEST(FB_08_drain)
{
  CU_ASSERT_EQUAL(budget_time(1068000, egress), 21360000);
  CU_ASSERT_EQUAL(7120000 + budget_time(1068000, egress), 28480000);
  CU_ASSERT_EQUAL(budget_left(1068000, egress, US), 1018000);
  CU_ASSERT_EQUAL(budget_left(1068000, egress, 21360000), 0);
  CU_ASSERT_EQUAL(budget_left(1068000, egress, 22 * US), 0);
  CU_ASSERT_EQUAL(budget_left(1068000, egress, 9706667 - 7120000), 938667); /* FB-53: 938.7 kB */
}

SGF_TEST(FB_09_no_threshold_avoids_the_pause)
{
  CU_ASSERT_EQUAL(budget_growth(input, egress, 8 * US), 1200000);
  CU_ASSERT_FALSE(budget_reacts_in_time(0, budget_growth(input, egress, 8 * US), line));
}

SGF_TEST(FB_10_the_feedback_time_that_would_do)
{
  const int64_t limit = budget_feedback_limit(k_ecn, line, input, egress);
  CU_ASSERT_EQUAL(limit, 3413334); /* 3.413333... us: below it for whole picoseconds */
  CU_ASSERT(budget_reacts_in_time(k_ecn, budget_growth(input, egress, limit - 10), line));
  CU_ASSERT_FALSE(budget_reacts_in_time(k_ecn, budget_growth(input, egress, limit), line));
  CU_ASSERT_EQUAL(budget_feedback_limit(0, line, input, egress), 5120000);
  CU_ASSERT_EQUAL(budget_feedback_limit(line, line, input, egress), 0);
  CU_ASSERT_EQUAL(budget_feedback_limit(k_ecn, line, egress, egress), BUDGET_NEVER);
}

SGF_TEST(FB_11_the_input_that_would_do)
{
  const int64_t limit = budget_input_limit(k_ecn, line, 8 * US, egress);
  CU_ASSERT_EQUAL(limit, 114 * 8 * GBPS);
  CU_ASSERT_EQUAL(limit / 4, 228 * GBPS);
  CU_ASSERT_FALSE(budget_reacts_in_time(k_ecn, budget_growth(limit, egress, 8 * US), line));
  CU_ASSERT(budget_reacts_in_time(k_ecn, budget_growth(limit - 8 * GBPS, egress, 8 * US), line));
  CU_ASSERT_EQUAL(budget_input_limit(line, line, 8 * US, egress), egress);
  CU_ASSERT_EQUAL(budget_input_limit(k_ecn, line, 0, egress), BUDGET_NEVER);
}

/* ---- Shares and work --------------------------------------------------------------------------------------------- */

static const int64_t equal[]   = {1, 1, 1, 1};
static const int64_t unequal[] = {35, 5, 5, 5};

SGF_TEST(FB_12_equal_shares)
{
  CU_ASSERT_EQUAL(egress / 4, 100 * GBPS);
  CU_ASSERT_EQUAL(budget_growth(4 * (egress / 4), egress, US), 0);
  CU_ASSERT_EQUAL(budget_jain(equal, 4), 1.0);
}

SGF_TEST(FB_13_unequal_shares)
{
  CU_ASSERT_EQUAL(budget_growth((35 + 5 + 5 + 5) * 8 * GBPS, egress, US), 0);
  CU_ASSERT_EQUAL(budget_jain(unequal, 4), 2500.0 / (4 * 1300)); /* 0.481 */
  const int64_t one_alone[] = {9, 0, 0, 0};
  CU_ASSERT_EQUAL(budget_jain(one_alone, 4), 0.25); /* 1/n */
}

SGF_TEST(FB_14_capacity_bound)
{
  CU_ASSERT_EQUAL(budget_time(4 * 16 * MB, egress), 1280 * US);
}

SGF_TEST(FB_15_ends_of_flows_with_unequal_shares)
{
  CU_ASSERT_EQUAL(budget_finish(16 * MB, egress, unequal, 4, 0), 457142858); /* 16 MB / 35 GB/s = 457.142857... us */
  for (size_t i = 1; i < 4; i++)
    CU_ASSERT_EQUAL(budget_finish(16 * MB, egress, unequal, 4, i), 1280 * US);
  for (size_t i = 0; i < 4; i++)
    CU_ASSERT_EQUAL(budget_finish(16 * MB, egress, equal, 4, i), 1280 * US);
}

/* Three different shares, 3, 2 and 1 of 6 at 6 B/ns, of 12 B each: the first is done at 4 ns; the others have 4 and 8 B
 * left and 3.5 and 2.5 B/ns, so the second at 4 + 4/3.5 = 36/7 ns; the last at 36/6 = 6 ns. Their order is free. */
SGF_TEST(FB_15_freed_capacity_is_shared_equally)
{
  const int64_t shares[] = {1, 3, 2};
  CU_ASSERT_EQUAL(budget_finish(12, 48 * GBPS, shares, 3, 1), 4 * NS);
  CU_ASSERT_EQUAL(budget_finish(12, 48 * GBPS, shares, 3, 2), 5143); /* 36/7 ns = 5,142.86 ps */
  CU_ASSERT_EQUAL(budget_finish(12, 48 * GBPS, shares, 3, 0), 6 * NS);
}

SGF_TEST(FB_16_volume_in_packets_of_the_RoCE_NIC)
{
  CU_ASSERT_EQUAL(budget_packets(16 * MB, 4096), 3907);
  CU_ASSERT_EQUAL(budget_wire_bytes(16 * MB, 4096, 58), 16226606);
  CU_ASSERT_EQUAL(4 * budget_wire_bytes(16 * MB, 4096, 58), 64906424);
  CU_ASSERT_EQUAL(budget_time(64906424, egress), 1298128480); /* 1.29813 ms */
}

SGF_TEST(FB_17_volume_in_packets_of_the_MRC_NIC)
{
  CU_ASSERT_EQUAL(budget_wire_bytes(16 * MB, 4096, 78), 16304746);
  CU_ASSERT_EQUAL(4 * budget_wire_bytes(16 * MB, 4096, 78), 65218984);
  CU_ASSERT_EQUAL(budget_time(65218984, egress), 1304379680); /* 1.30438 ms */
}

/* ---- Accounting matrix ------------------------------------------------------------------------------------------- */

SGF_TEST(FB_18_FB_19_one_ingress_reaches_XOFF_and_no_egress_marks)
{
  const int64_t x[] = {48 * KB, 48 * KB, 48 * KB, 48 * KB};
  CU_ASSERT_EQUAL(budget_ingress_bytes(x, 4, 0), 192 * KB);
  CU_ASSERT(budget_ingress_bytes(x, 4, 0) > 128 * KB);
  for (size_t j = 0; j < 4; j++) {
    CU_ASSERT_EQUAL(budget_egress_bytes(x, 1, 4, j), 48 * KB);
    CU_ASSERT(budget_egress_bytes(x, 1, 4, j) < 80 * KB);
  }
}

SGF_TEST(FB_20_one_egress_marks_and_no_ingress_reaches_XOFF)
{
  const int64_t x[] = {25 * KB, 25 * KB, 25 * KB, 25 * KB};
  CU_ASSERT_EQUAL(budget_egress_bytes(x, 4, 1, 0), 100 * KB);
  CU_ASSERT(budget_egress_bytes(x, 4, 1, 0) > 80 * KB);
  for (size_t i = 0; i < 4; i++) {
    CU_ASSERT_EQUAL(budget_ingress_bytes(x, 1, i), 25 * KB);
    CU_ASSERT(budget_ingress_bytes(x, 1, i) < 128 * KB);
  }
}

SGF_TEST(FB_21_rows_and_columns_count_the_same_bytes)
{
  const int64_t x[] = {1, 20, 300, 4000, 50000, 600000};
  int64_t rows      = 0;
  int64_t columns   = 0;
  for (size_t i = 0; i < 2; i++)
    rows += budget_ingress_bytes(x, 3, i);
  for (size_t j = 0; j < 3; j++)
    columns += budget_egress_bytes(x, 2, 3, j);
  CU_ASSERT_EQUAL(budget_ingress_bytes(x, 3, 1), 654000);
  CU_ASSERT_EQUAL(budget_egress_bytes(x, 2, 3, 2), 600300);
  CU_ASSERT_EQUAL(rows, 654321);
  CU_ASSERT_EQUAL(columns, 654321);
}

/* ---- Headroom ---------------------------------------------------------------------------------------------------- */

SGF_TEST(FB_22_headroom_of_an_ingress)
{
  CU_ASSERT_EQUAL(budget_headroom(rate, 2 * US, 9 * KB), 109 * KB);
}

SGF_TEST(FB_23_headroom_of_four)
{
  CU_ASSERT_EQUAL(4 * budget_headroom(rate, 2 * US, 9 * KB), 436 * KB);
  CU_ASSERT_EQUAL(budget_bytes(input, 2 * US), 400 * KB);
}

SGF_TEST(FB_24_the_queue_grows_by_less_than_the_headroom)
{
  CU_ASSERT_EQUAL(budget_growth(input, egress, 2 * US), 300 * KB);
  CU_ASSERT_EQUAL(budget_bytes(input, 2 * US) - budget_bytes(egress, 2 * US), 300 * KB);
}

SGF_TEST(FB_25_what_the_shared_pool_has_to_hold)
{
  CU_ASSERT_EQUAL(budget_shared_need(1, 109 * KB, 32 * KB), 77 * KB);
  CU_ASSERT_EQUAL(budget_shared_need(4, 109 * KB, 32 * KB), 308 * KB);
  CU_ASSERT_EQUAL(budget_shared_need(4, 32 * KB, 32 * KB), 0);
  CU_ASSERT_EQUAL(budget_shared_need(4, 31 * KB, 32 * KB), 0);
}

SGF_TEST(FB_26_what_a_smaller_pool_is_short_of)
{
  CU_ASSERT_EQUAL(budget_shared_need(4, 109 * KB, 32 * KB) - 200 * KB, 108 * KB);
}

SGF_TEST(FB_27_twice_the_rate)
{
  CU_ASSERT_EQUAL(budget_headroom(2 * rate, 2 * US, 9 * KB), 209 * KB);
}

SGF_TEST(FB_28_twice_the_rate_and_half_the_stop_time)
{
  CU_ASSERT_EQUAL(budget_headroom(2 * rate, US, 9 * KB), 109 * KB);
}

/* ---- Waits, notices, pauses -------------------------------------------------------------------------------------- */

SGF_TEST(FB_29_a_short_message)
{
  CU_ASSERT_EQUAL(budget_time(64 * KB, egress), 1280000);
}

SGF_TEST(FB_30_a_short_message_that_is_held_first)
{
  CU_ASSERT_EQUAL(20 * US + budget_time(64 * KB, egress), 21280000);
}

SGF_TEST(FB_31_the_same_in_packets_of_the_RoCE_NIC)
{
  CU_ASSERT_EQUAL(budget_packets(64 * KB, 4096), 16);
  CU_ASSERT_EQUAL(budget_wire_bytes(64 * KB, 4096, 58), 64928);
  CU_ASSERT_EQUAL(budget_time(64928, egress), 1298560);
  CU_ASSERT_EQUAL(20 * US + budget_time(64928, egress), 21298560);
}

SGF_TEST(FB_32_notices_with_a_spacing)
{
  CU_ASSERT_EQUAL(budget_notices(200 * US, 50 * US), 5); /* at 0, 50, 100, 150 and 200 us */
  CU_ASSERT_EQUAL(budget_notices(200 * US - 1, 50 * US), 4);
  CU_ASSERT_EQUAL(budget_notices(0, 50 * US), 1); /* the first marked packet is answered at once */
}

SGF_TEST(FB_33_a_mark_just_after_a_notice)
{
  CU_ASSERT_EQUAL(budget_growth(input, egress, 50 * US), 7500000);
}

SGF_TEST(FB_35_a_long_pause_takes_refreshes)
{
  const int64_t pause_time = budget_pause_time(65535, rate, 100 * NS);
  CU_ASSERT_EQUAL(pause_time, 83984800); /* one frame alone: 83.98 us, far from 200 ms */
  CU_ASSERT_EQUAL(pause_time / 2, 41992400);
  CU_ASSERT_EQUAL(budget_refreshes(200 * MS, pause_time), 4762);
  CU_ASSERT_EQUAL(budget_refreshes(pause_time / 2 - 1, pause_time), 0);
}

SGF_TEST(FB_36_stop_time_of_a_link)
{
  CU_ASSERT_EQUAL(budget_stop_time(rate, 100 * NS, 4184, 0), 367360);
  CU_ASSERT_EQUAL(budget_headroom(rate, 367360, 0), 18368);
  CU_ASSERT_EQUAL(budget_stop_time(rate, 100 * NS, 4184, 84), 369040);
  CU_ASSERT_EQUAL(budget_headroom(rate, 369040, 0), 18452);
}

SGF_TEST(FB_41_twice_the_rate_is_twice_in_flight)
{
  CU_ASSERT_EQUAL(budget_bytes(rate, 2 * US), 100 * KB);
  CU_ASSERT_EQUAL(budget_bytes(2 * rate, 2 * US), 200 * KB);
}

/* ---- Rounding and limits ----------------------------------------------------------------------------------------- */

SGF_TEST(what_is_not_whole_is_rounded_up)
{
  CU_ASSERT_EQUAL(budget_bytes(8, 1), 1);              /* 10^-12 B */
  CU_ASSERT_EQUAL(budget_time(1, 3 * GBPS), 2667);     /* 2,666.67 ps */
  CU_ASSERT_EQUAL(budget_left(10, 8 * GBPS, 500), 10); /* half a byte has left */
  CU_ASSERT_EQUAL(budget_stop_time(3 * GBPS, 1, 1, 1), 8002);
  CU_ASSERT_EQUAL(budget_pause_time(1, 3 * GBPS, 5), 170671); /* 170,666.67 + 5, the bits down */
}

SGF_TEST(what_does_not_fit_is_never)
{
  CU_ASSERT_EQUAL(budget_bytes(BUDGET_MAX_BPS * BUDGET_MAX_SOURCES, INT64_MAX), BUDGET_NEVER);
  CU_ASSERT_EQUAL(budget_time(INT64_MAX, 1), BUDGET_NEVER);
  CU_ASSERT_EQUAL(budget_time(1, 0), BUDGET_NEVER);
  CU_ASSERT_EQUAL(budget_time(0, 0), 0);
  CU_ASSERT_EQUAL(budget_headroom(BUDGET_MAX_BPS, INT64_MAX, INT64_MAX), BUDGET_NEVER);
  CU_ASSERT_EQUAL(budget_stop_time(1, INT64_MAX, INT64_MAX, INT64_MAX), BUDGET_NEVER);
  CU_ASSERT_EQUAL(budget_shared_need(BUDGET_MAX_SOURCES, INT64_MAX, 0), BUDGET_NEVER);
  CU_ASSERT_EQUAL(budget_wire_bytes(INT64_MAX, 1, INT64_MAX), BUDGET_NEVER);
}

SGF_TEST(the_largest_shares_are_exact)
{
  int64_t shares[BUDGET_MAX_SOURCES];
  for (size_t i = 0; i < BUDGET_MAX_SOURCES; i++)
    shares[i] = BUDGET_MAX_SHARE;
  CU_ASSERT_EQUAL(budget_jain(shares, BUDGET_MAX_SOURCES), 1.0);
  /* 1024 x 2^32 B at 10^15 b/s: 2^45 / 10^15 s = 35,184,372,088.832 ps */
  CU_ASSERT_EQUAL(budget_finish(BUDGET_MAX_BYTES, BUDGET_MAX_BPS, shares, BUDGET_MAX_SOURCES, 7), 35184372089);
}

/* ---- Headroom of ports with a shared pool ------------------------------------------------------------------------ */

enum { PORTS = 4 };

/* All ports have paused; each gets `bytes` in frames, in turn. Returns what was refused. */
static int64_t refused_of(budget_pool_t* pool, int64_t bytes, int64_t frame)
{
  for (int64_t sent = 0; sent < bytes; sent += frame)
    for (size_t port = 0; port < pool->ports; port++)
      budget_pool_take(pool, port, bytes - sent < frame ? bytes - sent : frame);
  return pool->refused;
}

SGF_TEST(FB_60_a_pool_that_is_too_small_refuses_what_it_is_short_of)
{
  budget_part_t parts[PORTS];
  budget_pool_t pool;
  budget_pool_init(&pool, parts, PORTS, 32 * KB, 200 * KB);
  CU_ASSERT_EQUAL(refused_of(&pool, 109 * KB, 1000), 108 * KB);
  CU_ASSERT_EQUAL(pool.used, 200 * KB);
  for (size_t port = 0; port < PORTS; port++) {
    CU_ASSERT_EQUAL(parts[port].own, 32 * KB);
    CU_ASSERT_EQUAL(parts[port].shared, 50 * KB);
  }
}

/* In whole frames the pool is not quite filled: after 20 rounds of 4 x 4,154 B the ports are 20 x 4,154 - 32,000 =
 * 51,080 B each into it, one round too far; after 19 rounds 46,926 B, which leaves 12,296 B of the pool, two frames. Of
 * 436,000 B 4 x 19 + 2 frames are held, 324,012 B, and what is left of the pool, 3,988 B, takes the short last frames
 * of four ports, 996 B each. */
SGF_TEST(FB_60_the_same_with_frames_of_the_RoCE_NIC)
{
  budget_part_t parts[PORTS];
  budget_pool_t pool;
  budget_pool_init(&pool, parts, PORTS, 32 * KB, 200 * KB);
  const int64_t refused = refused_of(&pool, 109 * KB, 4154);
  CU_ASSERT_EQUAL(refused, 436000 - 324012 - 4 * 996);
  CU_ASSERT(refused > 108 * KB - 4 * 4154 && refused < 108 * KB + 4 * 4154);
}

SGF_TEST(FB_60_a_pool_that_is_large_enough_refuses_nothing)
{
  budget_part_t parts[PORTS];
  budget_pool_t pool;
  budget_pool_init(&pool, parts, PORTS, 32 * KB, 308 * KB);
  CU_ASSERT_EQUAL(refused_of(&pool, 109 * KB, 4154), 0);
  CU_ASSERT_EQUAL(pool.used, 308 * KB);
  CU_ASSERT_EQUAL(pool.peak, 308 * KB);
}

SGF_TEST(FB_60_pauses_that_do_not_overlap_need_less)
{
  budget_part_t parts[PORTS];
  budget_pool_t pool;
  budget_pool_init(&pool, parts, PORTS, 32 * KB, 77 * KB);
  for (size_t port = 0; port < PORTS; port++) {
    for (int i = 0; i < 109; i++)
      CU_ASSERT(budget_pool_take(&pool, port, KB));
    CU_ASSERT_FALSE(budget_pool_take(&pool, port, 1));
    for (int i = 0; i < 109; i++)
      budget_pool_give(&pool, port, KB);
  }
  CU_ASSERT_EQUAL(pool.used, 0);
  CU_ASSERT_EQUAL(pool.peak, 77 * KB);
  CU_ASSERT_EQUAL(pool.refused, PORTS);
}

SGF_TEST(dedicated_bytes_are_used_first_and_given_back_last)
{
  budget_part_t parts[2];
  budget_pool_t pool;
  budget_pool_init(&pool, parts, 2, 10, 5);
  CU_ASSERT(budget_pool_take(&pool, 0, 12));
  CU_ASSERT_EQUAL(parts[0].own, 10);
  CU_ASSERT_EQUAL(parts[0].shared, 2);
  CU_ASSERT_FALSE(budget_pool_take(&pool, 1, 14)); /* needs 4 of 3: refused whole */
  CU_ASSERT_EQUAL(parts[1].own, 0);
  CU_ASSERT_EQUAL(pool.refused, 14);
  CU_ASSERT(budget_pool_take(&pool, 1, 13));
  CU_ASSERT_EQUAL(pool.used, 5);
  budget_pool_give(&pool, 0, 3);
  CU_ASSERT_EQUAL(parts[0].own, 9);
  CU_ASSERT_EQUAL(parts[0].shared, 0);
  CU_ASSERT_EQUAL(pool.used, 3);
}
