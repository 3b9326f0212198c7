/* spec/roce-nic.md 11 and 14 in a simulation: the rate of a queue pair at the port, packet by packet, after marks that
 * a tap puts on (RO-21 to RO-25, RO-58, RO-61 to RO-63, RO-66, RO-67, RO-75, RO-77). One message goes from h0 to h1 and
 * keeps the port busy all the time. Rates are in Gb/s. */
#include "harness.h"

#include "roce_run_support.h"

#define GBPS 1e9
#define DCQCN "**.nic.CongestionEstimate=Dcqcn"

enum { LARGE = 10000 * RRUN_MSS };
static const opp_simtime_t half = 22500 * OPP_NS;
static const opp_simtime_t mark = 10 * OPP_US; /* of the first packet that is marked; earlier than all it draws */

/* When the n-th CNP has come to h0, n from 0. */
static opp_simtime_t notified(size_t n)
{
  return rrun_date(ROCE_CNP, false, n);
}

/* A message whose packets are marked as rrun_mark_at says. */
static void run_marked(opp_simtime_t end, const char* const* settings)
{
  rrun_fate = rrun_mark_some;
  rrun_cable_of(settings);
  run_write(0, 1, LARGE, 0);
  run_until(end);
}

/* The rate from run `first` of the episode that begins at `start` until run `end`, run 0 being its first cut. */
static void check_runs(opp_simtime_t start, int64_t first, int64_t end, double gbps)
{
  rrun_check_rate(start + first * half, start + end * half, gbps * GBPS);
}

/* ---- One CNP ----------------------------------------------------------------------------------------------------- */

/* Increases in the runs 1, 3 and 5, 22.5, 67.5 and 112.5 us later; reduction halves between, without a CNP. */
SGF_SCENARIO(RO_23_and_RO_61_seven_eighths_of_a_cut_are_back_after_112_5_us)
{
  rrun_mark_at(mark);
  run_marked(200 * OPP_US, NULL);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_CNP, false), 1);
  const opp_simtime_t start = notified(0);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_CNP, false, 0)->bytes, 122);
  rrun_check_rate(rrun_start + rrun_fetch, start, 400 * GBPS);
  check_runs(start, 0, 1, 200);
  check_runs(start, 1, 3, 300);
  check_runs(start, 3, 5, 350);
  check_runs(start, 5, 7, 375);
}

/* The gap to 400 halves with each increase; the 10th leaves 0.1953 Gb/s, the 11th is in run 21, 472.5 us later, and the
 * episode ends at line rate. */
SGF_SCENARIO(RO_24_the_eleventh_increase_ends_the_episode)
{
  rrun_mark_at(mark);
  run_marked(600 * OPP_US, NULL);
  const opp_simtime_t start = notified(0);
  for (int increases = 0; increases <= 10; increases++) {
    const double rate = 400 - 200.0 / (1 << increases);
    check_runs(start, increases == 0 ? 0 : 2 * increases - 1, 2 * increases + 1, rate);
  }
  check_runs(start, 21, 25, 400);
  CU_ASSERT_FALSE(rrun_pair(0, 0)->rate.congested);
}

static void check_half_at_once(const char* const* settings)
{
  rrun_mark_at(mark);
  run_marked(mark + half, settings);
  const opp_simtime_t start = notified(0);
  rrun_check_rate(rrun_start + rrun_fetch, start, 400 * GBPS);
  rrun_check_rate(start, mark + half, 200 * GBPS);
}

SGF_SCENARIO(RO_75_the_first_CNP_halves_the_rate_at_once)
{
  check_half_at_once(NULL);
}

SGF_SCENARIO(RO_75_the_first_CNP_halves_the_rate_at_once_with_Dcqcn)
{
  check_half_at_once(RUN_SETTINGS(DCQCN));
}

/* ---- Two CNPs ---------------------------------------------------------------------------------------------------- */

/* The second CNP comes between runs 5 and 6, after three increases: the target steps back by 4 Gb/s (RO-21), and the
 * rate goes half of the way to it. */
SGF_SCENARIO(RO_58_and_RO_21_a_reduction_in_additive_increase_raises_the_rate)
{
  rrun_mark_at(mark);
  rrun_mark_at(mark + 5 * half + 10 * OPP_US);
  run_marked(300 * OPP_US, NULL);
  const opp_simtime_t start = notified(0);
  CU_ASSERT_FATAL(notified(1) > start + 5 * half && notified(1) < start + 6 * half);
  check_runs(start, 5, 6, 375);
  check_runs(start, 6, 7, 385.5);
  check_runs(start, 7, 9, 390.75);
  check_runs(start, 9, 11, 395.375);
}

/* With Dcqcn the estimate is 1 after the first CNP and halves in each run without one; the run that follows the second
 * CNP halves it again and adds a half, then cuts by half of that. */
static void check_cut(int64_t run, double before, double estimate)
{
  rrun_mark_at(mark);
  rrun_mark_at(mark + (run - 1) * half + 10 * OPP_US);
  run_marked(mark + (run + 1) * half, RUN_SETTINGS(DCQCN));
  const opp_simtime_t start = notified(0);
  check_runs(start, run - 1, run, before);
  check_runs(start, run, run + 1, before * (1 - (estimate / 2 + 0.5) / 2));
}

SGF_SCENARIO(RO_66_after_one_run_the_estimate_is_a_half)
{
  check_cut(2, 300, 0.5);
}

SGF_SCENARIO(RO_66_after_three_runs_the_estimate_is_an_eighth)
{
  check_cut(4, 350, 0.125);
}

/* The first episode has had 21 runs. */
static const int64_t first_episode = 21;

SGF_SCENARIO(RO_77_a_second_episode_cuts_by_the_updated_estimate)
{
  rrun_mark_at(mark);
  rrun_mark_at(mark + first_episode * half + 20 * OPP_US);
  run_marked(600 * OPP_US, NULL);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_CNP, false), 2);
  const double kept = 1.0 / (1 << first_episode);
  rrun_check_rate(notified(0) + first_episode * half, notified(1), 400 * GBPS);
  check_runs(notified(1), 0, 1, 400 * (1 - (kept / 2 + 0.5) / 2));
}

/* An episode ends at line rate, so that the next one begins there: its step is 4 Gb/s too. After a cut to 300 Gb/s and
 * three increases the rate is 387.5. */
SGF_SCENARIO(RO_67_the_step_of_a_second_episode_is_a_hundredth_of_line_rate)
{
  const opp_simtime_t second = mark + first_episode * half + 20 * OPP_US;
  rrun_mark_at(mark);
  rrun_mark_at(second);
  rrun_mark_at(second + 5 * half + 10 * OPP_US);
  run_marked(second + 10 * half, NULL);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_CNP, false), 3);
  const double kept   = 1.0 / (1 << first_episode);
  const double before = 400 - 400 * (kept / 2 + 0.5) / 2 / 8;
  check_runs(notified(1), 5, 6, before);
  check_runs(notified(1), 6, 7, (before + 396) / 2);
  CU_ASSERT_EQUAL(rrun_pair(0, 0)->rate.step, 4 * GBPS);
}

/* ---- CNPs all the time ------------------------------------------------------------------------------------------- */

static opp_simtime_t mark_all(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  return now >= mark ? rrun_mark_all(msg, now, to_host) : 0;
}

static opp_simtime_t run_all_marked(opp_simtime_t end, const char* const* settings)
{
  rrun_fate = mark_all;
  rrun_cable_of(settings);
  run_write(0, 1, LARGE, 0);
  run_until(end);
  return notified(0);
}

/* With Dcqcn the estimate stays 1: each reduction half halves the rate, down to the floor; runs 11 and 23 increase. */
SGF_SCENARIO(RO_22_and_RO_62_and_RO_63_with_CNPs_in_every_half_increases_are_270_us_apart)
{
  const opp_simtime_t start = run_all_marked(600 * OPP_US, RUN_SETTINGS(DCQCN));
  CU_ASSERT_EQUAL(11 * half, 247500 * OPP_NS);
  check_runs(start, 0, 2, 200);
  check_runs(start, 2, 4, 100);
  check_runs(start, 4, 6, 50);
  check_runs(start, 6, 11, 40);
  for (int64_t increase = 11; increase <= 23; increase += 12) {
    check_runs(start, increase, increase + 1, 220);
    check_runs(start, increase + 1, increase + 3, 110);
    if (increase == 11) {
      check_runs(start, 14, 16, 55);
      check_runs(start, 16, 23, 40);
    }
  }
}

SGF_SCENARIO(RO_25_and_RO_21_a_packet_at_the_floor_takes_830_8_ns)
{
  const opp_simtime_t start = run_all_marked(240 * OPP_US, RUN_SETTINGS(DCQCN));
  opp_simtime_t before      = 0;
  size_t seen               = 0;
  for (size_t i = 0; i < rrun_logged; i++) {
    const rrun_frame_t* frame = &rrun_log[i];
    if (!frame->to_host)
      continue;
    if (before > start + 6 * half + rrun_cable) {
      CU_ASSERT_EQUAL(frame->date - before, 830800);
      seen++;
    }
    before = frame->date;
  }
  CU_ASSERT(seen > 100);
}
