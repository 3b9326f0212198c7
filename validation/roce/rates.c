/* The rate of a queue pair, replayed call by call (spec/roce-nic.md 11; RO-21 to RO-24, RO-58, RO-61 to RO-63, RO-66,
 * RO-67, RO-75, RO-77). Rates in the tests are Gbps; all of them are whole numbers halved, which doubles hold exactly.
 */
#include "harness.h"

#include "nic/roce/rate.h"

#define GBPS 1e9

typedef struct bench {
  roce_rate_params_t params;
  roce_rate_t rate;
} bench_t;

/* A pair at 400 Gbps; settings are pairs of attribute and value. */
static void open_rate(bench_t* bench, const char* const* settings)
{
  const sgf_attr_section_t section = {&roce_rate_attributes, 0};
  const sgf_attr_set_t set         = {"nic", &section, 1, sizeof(roce_rate_config_t)};
  roce_rate_config_t config;
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&set, &config, NULL), SGF_OK);
  for (; settings != NULL && settings[0] != NULL; settings += 2)
    CU_ASSERT_EQUAL_FATAL(sgf_attr_set_value(&set, &config, settings[0], settings[1], NULL), SGF_OK);
  roce_rate_prepare(&bench->params, &config, INT64_C(400000000000));
  roce_rate_init(&bench->rate, &bench->params);
}

static double current(const bench_t* bench)
{
  return bench->rate.current / GBPS;
}

static double target(const bench_t* bench)
{
  return bench->rate.target / GBPS;
}

/* The state of RO-58, and such: in an episode, with nothing counted yet. */
static void put(bench_t* bench, double rc, double rt, int64_t recovery, bool increases)
{
  bench->rate.congested = true;
  bench->rate.current   = rc * GBPS;
  bench->rate.target    = rt * GBPS;
  bench->rate.step      = 4 * GBPS;
  bench->rate.recovery  = recovery;
  bench->rate.increases = increases;
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

SGF_TEST(RO_21_an_episode_from_line_rate_has_steps_of_4_Gbps_a_floor_of_40_and_runs_every_22_5_us)
{
  bench_t bench;
  open_rate(&bench, NULL);
  CU_ASSERT_TRUE(roce_rate_notified(&bench.rate));
  CU_ASSERT_EQUAL(bench.rate.step, 4 * GBPS);
  CU_ASSERT_EQUAL(bench.params.floor, 40 * GBPS);
  CU_ASSERT_EQUAL(bench.params.half_interval, 22500 * OPP_NS);
}

/* Half a nanosecond is not lost. */
SGF_TEST(an_odd_control_interval_has_halves_of_half_a_nanosecond)
{
  bench_t bench;
  open_rate(&bench, (const char* const[]){"ControlIntervalDurationNs", "3", NULL});
  CU_ASSERT_EQUAL(bench.params.half_interval, 1500);
}

SGF_TEST(RO_22_while_CNPs_come_increases_are_270_us_apart)
{
  bench_t bench;
  open_rate(&bench, NULL);
  roce_rate_notified(&bench.rate);
  double before    = bench.rate.current;
  unsigned last    = 0;
  unsigned seen    = 0;
  unsigned closest = 1000;
  for (unsigned half = 1; half <= 120; half++) {
    roce_rate_notified(&bench.rate);
    roce_rate_sent(&bench.rate);
    CU_ASSERT_TRUE_FATAL(roce_rate_run(&bench.rate));
    if (bench.rate.current > before) {
      if (seen++ > 0 && half - last < closest)
        closest = half - last;
      last = half;
    }
    before = bench.rate.current;
  }
  CU_ASSERT_EQUAL(closest * bench.params.half_interval, 270 * OPP_US);
  CU_ASSERT_EQUAL(seen, 10); /* halves 11, 23, ..., 119 */
}

/* Increases at 22.5, 67.5, 112.5 us, that is in halves 1, 3 and 5. */
SGF_TEST(RO_23_three_increases_bring_back_seven_eighths_of_a_cut)
{
  static const double after[] = {300, 300, 350, 350, 375};
  bench_t bench;
  open_rate(&bench, NULL);
  roce_rate_notified(&bench.rate);
  CU_ASSERT_EQUAL(current(&bench), 200);
  for (unsigned half = 0; half < 5; half++) {
    roce_rate_run(&bench.rate);
    CU_ASSERT_EQUAL(current(&bench), after[half]);
  }
  CU_ASSERT_EQUAL((current(&bench) - 200) / 200, 7.0 / 8);
}

/* The 11th increase is in half 21: 472.5 us. Gaps are 200 Gbps / 2^n, exact. */
SGF_TEST(RO_24_the_eleventh_increase_ends_the_episode_and_the_tenth_does_not)
{
  bench_t bench;
  open_rate(&bench, NULL);
  roce_rate_notified(&bench.rate);
  for (unsigned half = 1; half <= 20; half++)
    CU_ASSERT_TRUE(roce_rate_run(&bench.rate));
  CU_ASSERT_EQUAL(400 * GBPS - bench.rate.current, 200 * GBPS / 1024); /* 0.1953 Gbps */
  CU_ASSERT_EQUAL(target(&bench), 400);
  CU_ASSERT_FALSE(roce_rate_run(&bench.rate)); /* 0.09766 Gbps */
  CU_ASSERT_EQUAL(21 * bench.params.half_interval, 472500 * OPP_NS);
  CU_ASSERT_EQUAL(bench.rate.current, 400 * GBPS);
  CU_ASSERT_FALSE(bench.rate.congested);
}

/* ---- Halves ------------------------------------------------------------------------------------------------------ */

SGF_TEST(RO_58_a_reduction_in_additive_increase_can_raise_the_rate)
{
  bench_t bench;
  open_rate(&bench, NULL);
  put(&bench, 375, 400, 3, false);
  roce_rate_notified(&bench.rate);
  roce_rate_run(&bench.rate);
  CU_ASSERT_EQUAL(target(&bench), 396);
  CU_ASSERT_EQUAL(current(&bench), 385.5);
  CU_ASSERT_EQUAL(bench.rate.recovery, 2);
  roce_rate_run(&bench.rate); /* increase, in fast recovery: the target stays */
  CU_ASSERT_EQUAL(target(&bench), 396);
  CU_ASSERT_EQUAL(current(&bench), 390.75);
  CU_ASSERT_EQUAL(bench.rate.recovery, 3);
  roce_rate_run(&bench.rate); /* reduction half without a CNP */
  roce_rate_run(&bench.rate); /* increase, additive again */
  CU_ASSERT_EQUAL(target(&bench), 400);
  CU_ASSERT_EQUAL(current(&bench), 395.375);
  CU_ASSERT_EQUAL(bench.rate.recovery, 4);
}

SGF_TEST(RO_61_a_reduction_half_without_a_CNP_changes_neither_rate_nor_target)
{
  bench_t bench;
  open_rate(&bench, NULL);
  put(&bench, 300, 396, 1, false);
  roce_rate_run(&bench.rate);
  CU_ASSERT_EQUAL(current(&bench), 300);
  CU_ASSERT_EQUAL(target(&bench), 396);
  CU_ASSERT_EQUAL(bench.rate.recovery, 1);
}

/* Half 11 is at 247.5 us, half 23 270 us later. The recovery count tells an increase: each sets it to 1, and the
 * reduction that follows, to 0. */
SGF_TEST(RO_62_with_CNPs_in_every_half_the_rate_increases_in_the_6th_and_12th_increase_half)
{
  bench_t bench;
  open_rate(&bench, NULL);
  roce_rate_notified(&bench.rate);
  for (unsigned half = 1; half <= 24; half++) {
    roce_rate_notified(&bench.rate);
    roce_rate_run(&bench.rate);
    CU_ASSERT_EQUAL(bench.rate.recovery, half == 11 || half == 23);
  }
  CU_ASSERT_EQUAL(11 * bench.params.half_interval, 247500 * OPP_NS);
}

/* An increase in a half without CNPs is not one that the count allows: it goes on counting. */
SGF_TEST(a_half_without_CNPs_leaves_the_count_of_those_with_some)
{
  bench_t bench;
  open_rate(&bench, (const char* const[]){"NumOfControlLoopsPerIncrease", "1", NULL});
  put(&bench, 100, 400, 0, true);
  roce_rate_notified(&bench.rate);
  roce_rate_run(&bench.rate); /* increase half, the first with a CNP: none */
  CU_ASSERT_EQUAL(bench.rate.marked_halves, 1);
  roce_rate_run(&bench.rate);
  roce_rate_run(&bench.rate); /* none came: increase */
  CU_ASSERT_EQUAL(bench.rate.marked_halves, 1);
  roce_rate_run(&bench.rate);
  const double before = bench.rate.current;
  roce_rate_notified(&bench.rate);
  roce_rate_run(&bench.rate); /* the second with a CNP: increase */
  CU_ASSERT_TRUE(bench.rate.current > before);
  CU_ASSERT_EQUAL(bench.rate.marked_halves, 0);
}

SGF_TEST(RO_63_the_rate_stops_at_its_floor)
{
  bench_t bench;
  open_rate(&bench, NULL);
  for (unsigned half = 0; half < 20; half++) {
    roce_rate_notified(&bench.rate);
    roce_rate_run(&bench.rate);
  }
  CU_ASSERT_EQUAL(roce_rate_bps(&bench.rate), INT64_C(40000000000));
}

/* Steps back and increases of fast recovery in turn would lower the target without end. */
SGF_TEST(the_floor_holds_the_target_too)
{
  bench_t bench;
  open_rate(&bench, NULL);
  put(&bench, 42, 43, 3, false);
  for (unsigned interval = 0; interval < 5; interval++) {
    roce_rate_notified(&bench.rate);
    roce_rate_run(&bench.rate);
    roce_rate_run(&bench.rate);
  }
  CU_ASSERT_EQUAL(target(&bench), 40);
  CU_ASSERT_EQUAL(current(&bench), 40);
}

SGF_TEST(without_fast_recovery_the_first_CNP_still_cuts_and_later_ones_step_back_once)
{
  bench_t bench;
  open_rate(&bench, (const char* const[]){"FastRecoveryAttempt", "0", NULL});
  roce_rate_notified(&bench.rate);
  CU_ASSERT_EQUAL(current(&bench), 200);
  roce_rate_run(&bench.rate); /* increase: the target is at line rate already */
  CU_ASSERT_EQUAL(current(&bench), 300);
  roce_rate_notified(&bench.rate);
  roce_rate_run(&bench.rate);
  CU_ASSERT_EQUAL(target(&bench), 396);
  CU_ASSERT_EQUAL(current(&bench), 348);
}

/* ---- The estimate ------------------------------------------------------------------------------------------------ */

SGF_TEST(RO_66_without_CNPs_the_estimate_of_DCQCN_halves_with_each_run)
{
  bench_t bench;
  open_rate(&bench, (const char* const[]){"CongestionEstimate", "Dcqcn", NULL});
  roce_rate_notified(&bench.rate);
  CU_ASSERT_EQUAL(bench.rate.estimate, 1);
  double expected = 1;
  for (unsigned run = 0; run < 10; run++) {
    roce_rate_run(&bench.rate);
    expected /= 2;
    CU_ASSERT_EQUAL(bench.rate.estimate, expected);
  }
}

/* One CNP and four packets: a quarter, in both options' words. */
SGF_TEST(the_share_of_marked_packets_is_what_the_default_estimate_averages)
{
  bench_t bench;
  open_rate(&bench, NULL);
  roce_rate_notified(&bench.rate);
  for (unsigned i = 0; i < 4; i++)
    roce_rate_sent(&bench.rate);
  roce_rate_notified(&bench.rate);
  roce_rate_run(&bench.rate);
  CU_ASSERT_EQUAL(bench.rate.estimate, 0.5 * 1 + 0.5 * 0.25);
  roce_rate_run(&bench.rate); /* the reduction half sees the same interval once more, and clears it */
  CU_ASSERT_EQUAL(bench.rate.estimate, 0.5 * 0.625 + 0.5 * 0.25);
  CU_ASSERT_EQUAL(bench.rate.cnps, 0);
  CU_ASSERT_EQUAL(bench.rate.packets, 0);
}

SGF_TEST(packets_do_not_count_outside_of_an_episode)
{
  bench_t bench;
  open_rate(&bench, NULL);
  roce_rate_sent(&bench.rate);
  CU_ASSERT_EQUAL(bench.rate.packets, 0);
}

SGF_TEST(RO_75_the_first_CNP_of_a_run_halves_the_rate_with_both_estimates)
{
  bench_t bench;
  open_rate(&bench, NULL);
  roce_rate_notified(&bench.rate);
  CU_ASSERT_EQUAL(current(&bench), 200);
  open_rate(&bench, (const char* const[]){"CongestionEstimate", "Dcqcn", NULL});
  roce_rate_notified(&bench.rate);
  CU_ASSERT_EQUAL(current(&bench), 200);
}

static void end_episode(bench_t* bench)
{
  while (roce_rate_run(&bench->rate))
    continue;
}

/* The 21 runs of RO-24 bring the estimate to 2^-21. The cut uses the updated one. */
SGF_TEST(RO_77_a_new_episode_cuts_by_the_updated_estimate)
{
  bench_t bench;
  open_rate(&bench, NULL);
  roce_rate_notified(&bench.rate);
  end_episode(&bench);
  const double kept = bench.rate.estimate;
  CU_ASSERT_EQUAL(kept, 1.0 / (1 << 21));
  roce_rate_notified(&bench.rate);
  CU_ASSERT_EQUAL(bench.rate.estimate, 0.5 * kept + 0.5);
  CU_ASSERT_EQUAL(bench.rate.current, 400 * GBPS * (1 - (0.5 * kept + 0.5) / 2));
}

SGF_TEST(RO_67_the_step_of_a_second_episode_is_a_hundredth_of_the_rate_at_its_own_start)
{
  bench_t bench;
  open_rate(&bench, NULL);
  roce_rate_notified(&bench.rate);
  end_episode(&bench);
  bench.rate.current = 250 * GBPS; /* an episode ends at line rate: another rate can only be put there */
  CU_ASSERT_TRUE(roce_rate_notified(&bench.rate));
  CU_ASSERT_EQUAL(bench.rate.step, 2.5 * GBPS);
  CU_ASSERT_EQUAL(target(&bench), 250);
}
