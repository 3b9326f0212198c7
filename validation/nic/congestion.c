/* spec/uet-nic.md 9 and 11.7 on the state machine of one window: base RTT, target, routines, losses. Quick Adapt is in
 * quick_adapt, configuration and the receiver's penalty are in congestion_rules. */
#include "congestion_support.h"
#include "harness.h"

#include <math.h>

static cc_t cc;
static nscc_t* const window = &cc.window;

/* ---- Window and base RTT ----------------------------------------------------------------------------------------- */

SGF_TEST(UN_100_the_window_starts_at_450000_bytes)
{
  cc_begin(&cc, false, NULL);
  CU_ASSERT_EQUAL(nscc_bandwidth_delay(400, CC_US(6)), 300000);
  CU_ASSERT_EQUAL(window->max_window, 450000);
  CU_ASSERT_EQUAL(window->window, 450000);
}

SGF_TEST(UN_101_an_overridden_window_is_447688_bytes)
{
  cc_begin(&cc, false, CC_SETTINGS("OverrideUetSpecMaxCWind", "true"));
  CU_ASSERT_EQUAL(window->window, 447688);
  cc_begin(&cc, false, CC_SETTINGS("OverrideUetSpecMaxCWind", "true", "MaxCongestionWindow", "1"));
  CU_ASSERT_EQUAL(window->window, CC_M);
}

SGF_TEST(UN_101_the_override_ends_with_a_lower_base_RTT)
{
  cc_begin(&cc, false, CC_SETTINGS("OverrideUetSpecMaxCWind", "true", "MaxCongestionWindow", "10"));
  nscc_offer_rtt(window, CC_US(5));
  CU_ASSERT_EQUAL(window->max_window, 10 * CC_M);
  nscc_offer_rtt(window, CC_US(4));
  CU_ASSERT_EQUAL(window->max_window, 375000);
  CU_ASSERT_EQUAL(window->window, 10 * CC_M);
}

SGF_TEST(UN_102_the_108th_packet_does_not_fit)
{
  cc_begin(&cc, false, NULL);
  CU_ASSERT_TRUE(nscc_admits(window, 106 * CC_M, CC_M));
  CU_ASSERT_FALSE(nscc_admits(window, 107 * CC_M, CC_M));
  CU_ASSERT_TRUE(nscc_admits(window, 107 * CC_M, 2312)); /* 450,000 to the byte */
  CU_ASSERT_FALSE(nscc_admits(window, 107 * CC_M, 2313));
}

SGF_TEST(UN_122_a_sample_less_than_1_us_lower_leaves_the_base_RTT)
{
  cc_begin(&cc, false, NULL);
  cc_acknowledge(window, CC_M, -800000, false, 0);
  CU_ASSERT_EQUAL(window->base_rtt, CC_US(6));
  CU_ASSERT_EQUAL(nscc_queueing_delay(window, 5200000), 0);
  CU_ASSERT_EQUAL(window->delay, 0);
}

SGF_TEST(B3_the_guard_is_exactly_1_us)
{
  cc_begin(&cc, false, NULL);
  nscc_offer_rtt(window, 5000000);
  CU_ASSERT_EQUAL(window->base_rtt, CC_US(6));
  CU_ASSERT_EQUAL(window->reference, CC_US(6));
  nscc_offer_rtt(window, 4999999);
  CU_ASSERT_EQUAL(window->base_rtt, 5999999);
  CU_ASSERT_EQUAL(window->reference, 4999999);
}

SGF_TEST(UN_123_a_lower_base_RTT_lowers_the_window)
{
  cc_begin(&cc, false, NULL);
  cc_acknowledge(window, CC_M, -1500000, false, 0);
  CU_ASSERT_EQUAL(window->base_rtt, 5500000);
  CU_ASSERT_EQUAL(window->max_window, 412500);
  CU_ASSERT_EQUAL(window->window, 412500);
  CU_ASSERT_EQUAL(window->observation_end, 5500000 + CC_US(6)); /* the target stays */
  CU_ASSERT_EQUAL(nscc_queueing_delay(window, CC_US(5)), 500000);
}

SGF_TEST(UN_123_a_window_never_falls_below_a_packet)
{
  cc_begin(&cc, false, NULL);
  cc.params.gbps = 1;
  nscc_offer_rtt(window, 0);
  CU_ASSERT_EQUAL(window->base_rtt, CC_US(1));
  CU_ASSERT_EQUAL(window->max_window, CC_M);
  CU_ASSERT_EQUAL(window->window, CC_M);
}

SGF_TEST(UN_124_a_base_RTT_that_is_too_low_stays)
{
  cc_begin(&cc, false, CC_SETTINGS("InitialBaseRTT", "4us"));
  for (int i = 1; i <= 100; i++) {
    nscc_acknowledged(window, &(nscc_ack_t){.acknowledged = CC_M, .rtt = CC_US(5)}, CC_US(i));
    CU_ASSERT_EQUAL(window->base_rtt, CC_US(4));
    CU_ASSERT_EQUAL(nscc_queueing_delay(window, CC_US(5)), CC_US(1));
  }
}

/* ---- Target ------------------------------------------------------------------------------------------------------ */

SGF_TEST(UN_103_the_target_is_6_us)
{
  cc_begin(&cc, false, NULL);
  CU_ASSERT_EQUAL(cc.params.target, CC_US(6));
}

SGF_TEST(UN_103_the_target_is_4500_ns_with_trimming)
{
  cc_begin(&cc, true, NULL);
  CU_ASSERT_EQUAL(cc.params.target, 4500000);
}

SGF_TEST(UN_103_the_target_can_be_overridden)
{
  for (int trimming = 0; trimming <= 1; trimming++) {
    cc_begin(&cc, trimming != 0, CC_SETTINGS("OverrideSpecTargetQueueDelay", "true", "TargetQueueDelay", "7us"));
    CU_ASSERT_EQUAL(cc.params.target, CC_US(7));
  }
}

/* ---- Average, multiplicative decrease ---------------------------------------------------------------------------- */

/* Sums of 8 us over powers of 4: exact in binary. */
SGF_TEST(UN_111_the_average_follows_samples_of_8_us)
{
  static const double averages[] = {2000000, 3500000, 4625000, 5468750, 6101562.5};
  cc_begin(&cc, false, NULL);
  for (size_t i = 0; i < sizeof averages / sizeof *averages; i++) {
    cc_acknowledge(window, CC_M, CC_US(8), false, 0);
    CU_ASSERT_EQUAL(window->delay, averages[i]);
  }
}

/* The window after one marked acknowledgement that leaves that average. */
static double window_after_mark(opp_simtime_t average, opp_simtime_t delay)
{
  cc_begin(&cc, false, NULL);
  window->delay = ((double)average - 0.25 * (double)delay) / 0.75;
  cc_acknowledge(window, CC_M, delay, true, 0);
  return window->window;
}

SGF_TEST(UN_112_an_average_of_12_us_keeps_six_tenths)
{
  CU_ASSERT(cc_is_close(window_after_mark(CC_US(12), CC_US(12)), 270000));
}

SGF_TEST(UN_113_a_cut_at_most_halves_the_window)
{
  CU_ASSERT_EQUAL(window_after_mark(CC_US(24), CC_US(24)), 225000);
  CU_ASSERT(cc_is_close(window_after_mark(CC_US(15), CC_US(15)), 0.52 * 450000));
  CU_ASSERT(cc_is_close(window_after_mark(CC_US(16), CC_US(16)), 225000));
  CU_ASSERT_EQUAL(window_after_mark(CC_US(17), CC_US(17)), 225000);
}

SGF_TEST(UN_114_without_an_average_above_the_target_there_is_no_cut)
{
  cc_begin(&cc, false, NULL);
  window->window = 200000;
  cc_acknowledge(window, 1, CC_US(6), true, 0); /* 1.5 us on average */
  CU_ASSERT_EQUAL(window->window, 200000);
}

SGF_TEST(UN_114_what_is_no_cut_holds_up_none)
{
  cc_begin(&cc, false, CC_SETTINGS(CC_SAMPLE_IS_AVERAGE));
  cc_acknowledge(window, 1, CC_US(6), true, 0);
  CU_ASSERT_EQUAL(window->window, 450000);
  cc_acknowledge(window, 1, CC_US(24), true, 0);
  CU_ASSERT_EQUAL(window->window, 225000);
}

static void engage_fast_increase(double bytes)
{
  cc_begin(&cc, false, NULL);
  window->window = bytes;
  cc_acknowledge(window, (int64_t)bytes, 0, false, 0);
  cc_acknowledge(window, 1, 0, false, 0);
}

SGF_TEST(UN_114_a_marked_acknowledgement_at_the_target_ends_fast_increase)
{
  engage_fast_increase(10000);
  cc_acknowledge(window, 1, CC_US(6), true, 0);
  CU_ASSERT_EQUAL(window->window, 10001); /* no cut */
  cc_acknowledge(window, 10001, 0, false, 0);
  CU_ASSERT_EQUAL(window->window, 10001); /* the count is at the window, not above it */
}

SGF_TEST(UN_115_there_is_one_cut_within_a_base_RTT)
{
  cc_begin(&cc, false, CC_SETTINGS(CC_SAMPLE_IS_AVERAGE, "EtaMultiplier", "0.0"));
  cc_acknowledge(window, 1, CC_US(24), true, CC_US(1));
  CU_ASSERT_EQUAL(window->window, 225000);
  cc_acknowledge(window, 1, CC_US(24), true, CC_US(7));
  CU_ASSERT_EQUAL(window->window, 225000);
  cc_acknowledge(window, 1, CC_US(24), true, CC_US(7) + 1);
  CU_ASSERT_EQUAL(window->window, 112500);
}

SGF_TEST(UN_115_the_spacing_of_cuts_follows_the_base_RTT)
{
  cc_begin(&cc, false, CC_SETTINGS(CC_SAMPLE_IS_AVERAGE, "EtaMultiplier", "0.0"));
  nscc_offer_rtt(window, CC_US(3)); /* base 4 us, 300,000 B */
  cc_acknowledge(window, 1, CC_US(24), true, CC_US(1));
  cc_acknowledge(window, 1, CC_US(24), true, CC_US(5));
  CU_ASSERT_EQUAL(window->window, 150000);
  cc_acknowledge(window, 1, CC_US(24), true, CC_US(5) + 1);
  CU_ASSERT_EQUAL(window->window, 75000);
}

SGF_TEST(UN_116_a_mark_below_the_target_changes_nothing)
{
  cc_begin(&cc, false, NULL);
  window->delay = (double)CC_US(20);
  cc_acknowledge(window, CC_M, CC_US(6) - 1, true, 0);
  CU_ASSERT_EQUAL(window->window, 450000);
  CU_ASSERT_EQUAL(window->pending, 0);
}

/* ---- Increase ---------------------------------------------------------------------------------------------------- */

/* Acknowledges a window of 200,000 B, packet by packet at date 0, and gives what that adds. "About" is 10 %: the window
 * grows meanwhile, and what comes after the last nine packets waits. */
static double gain_of_a_window(opp_simtime_t delay, const char* const* settings)
{
  cc_begin(&cc, false, settings);
  window->window = 200000;
  for (int i = 0; i < 200000 / CC_M; i++)
    cc_acknowledge(window, CC_M, delay, false, 0);
  return window->window - 200000;
}

static bool is_about(double value, double expected)
{
  return fabs(value - expected) <= 0.1 * expected;
}

SGF_TEST(UN_117_a_delay_alone_does_not_stop_growth)
{
  cc_begin(&cc, false, NULL);
  window->window = 400000;
  double last    = window->window;
  for (int i = 1; i <= 2000; i++) {
    cc_acknowledge(window, CC_M, CC_US(20), false, i * CC_US(1) / 10);
    CU_ASSERT(window->window >= last);
    last = window->window;
  }
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
  CU_ASSERT_EQUAL(window->window, 450000);
}

SGF_TEST(UN_118_an_idle_path_adds_four_packets_a_window)
{
  CU_ASSERT(is_about(gain_of_a_window(0, NULL), 4 * CC_M));
}

SGF_TEST(UN_118_627_bytes_are_added_each_6_us)
{
  cc_begin(&cc, false, NULL);
  window->window = 200000;
  cc_acknowledge(window, 1, CC_US(6), true, CC_US(6) - 1);
  cc_acknowledge(window, 1, CC_US(6), true, CC_US(6));
  CU_ASSERT_EQUAL(window->window, 200000); /* not before 8 packets or more than 6 us */
  cc_acknowledge(window, 1, CC_US(6), true, CC_US(6) + 1);
  CU_ASSERT(cc_is_close(window->window, 200627.6));
  cc_acknowledge(window, 9 * CC_M, CC_US(6), true, CC_US(12));
  CU_ASSERT(cc_is_close(window->window, 200627.6)); /* 6 us less 1 ps */
  cc_acknowledge(window, 9 * CC_M, CC_US(6), true, CC_US(12) + 1);
  CU_ASSERT(cc_is_close(window->window, 201255.2)); /* with packets exactly 6 us are enough */
}

SGF_TEST(UN_119_half_the_target_adds_two_packets_a_window)
{
  CU_ASSERT(is_about(gain_of_a_window(CC_US(3), NULL), 2 * CC_M));
}

SGF_TEST(UN_119_the_target_adds_five_packets_a_window)
{
  CU_ASSERT(is_about(gain_of_a_window(CC_US(6), NULL), 5 * CC_M));
  CU_ASSERT(is_about(gain_of_a_window(CC_US(20), NULL), 5 * CC_M));
}

SGF_TEST(B6_increase_is_applied_beyond_8_packets)
{
  cc_begin(&cc, false, NULL);
  window->window = 200000;
  cc_acknowledge(window, 8 * CC_M, CC_US(6), false, 0);
  CU_ASSERT_EQUAL(window->window, 200000);
  cc_acknowledge(window, 1, CC_US(6), false, 0);
  CU_ASSERT(cc_is_close(window->window, 200000 + 5.0 * CC_M * (8 * CC_M + 1) / 200000));
  CU_ASSERT_EQUAL(window->pending, 0);
  CU_ASSERT_EQUAL(window->acknowledged_since_update, 0);
}

SGF_TEST(B6_bytes_without_a_sample_bring_an_update_nearer)
{
  cc_begin(&cc, false, NULL);
  window->window = 200000;
  cc_acknowledge(window, 1, CC_US(6), false, 0);
  cc_acknowledge_without_sample(window, 8 * CC_M, 0);
  CU_ASSERT_EQUAL(window->window, 200000);
  cc_acknowledge(window, 1, CC_US(6), false, 0);
  CU_ASSERT(cc_is_close(window->window, 200000 + 5.0 * CC_M * 2 / 200000));
}

SGF_TEST(UN_120_fast_increase_engages_above_the_window)
{
  cc_begin(&cc, false, NULL);
  window->window = 10000;
  cc_acknowledge(window, 5000, CC_US(1) - 1, false, 0);
  cc_acknowledge(window, 5000, 0, false, 0);
  CU_ASSERT_EQUAL(window->window, 10000);
  cc_acknowledge(window, 1, CC_US(1) - 1, false, 0);
  CU_ASSERT_EQUAL(window->window, 10001);
  cc_acknowledge(window, 700, 0, false, 0);
  CU_ASSERT_EQUAL(window->window, 10701);
}

SGF_TEST(UN_120_fast_increase_takes_the_place_of_proportional_increase)
{
  engage_fast_increase(10000);
  const double pending = window->pending;
  cc_acknowledge(window, 700, 0, false, 0);
  CU_ASSERT_EQUAL(window->pending, pending);
}

SGF_TEST(UN_120_fast_increase_ends_at_the_largest_window)
{
  engage_fast_increase(449000);
  cc_acknowledge(window, 5000, 0, false, 0);
  CU_ASSERT_EQUAL(window->window, 450000);
}

SGF_TEST(B4_the_factor_of_fast_increase_is_its_multiplier)
{
  cc_begin(&cc, false, CC_SETTINGS("FastIncreaseMultiplier", "0.5", "ReferenceNetworkLinkSpeed", "800Gbps"));
  window->window = 10000;
  cc_acknowledge(window, 10000, 0, false, 0);
  cc_acknowledge(window, 200, 0, false, 0);
  CU_ASSERT_EQUAL(window->window, 10100);
}

SGF_TEST(UN_121_a_delay_above_the_margin_ends_fast_increase)
{
  engage_fast_increase(10000);
  cc_acknowledge(window, 1, CC_US(1), false, 0);
  CU_ASSERT_EQUAL(window->window, 10001);
  cc_acknowledge(window, 10001, 0, false, 0); /* the count begins again */
  CU_ASSERT_EQUAL(window->window, 10001);
  cc_acknowledge(window, 1, 0, false, 0);
  CU_ASSERT_EQUAL(window->window, 10002);
}

SGF_TEST(UN_121_the_other_signals_leave_fast_increase_engaged)
{
  engage_fast_increase(10000);
  cc_acknowledge(window, 1, CC_US(6), false, 0);
  cc_acknowledge(window, 1, CC_US(2), true, 0);
  CU_ASSERT_EQUAL(window->window, 10001);
  cc_acknowledge(window, 1, 0, false, 0);
  CU_ASSERT_EQUAL(window->window, 10002);
}

/* ---- Losses ------------------------------------------------------------------------------------------------------ */

SGF_TEST(UN_125_a_trim_takes_a_packet_off)
{
  cc_begin(&cc, false, NULL);
  cc_trim(window, 0);
  CU_ASSERT_EQUAL(window->window, 445816);
  CU_ASSERT_EQUAL(window->delay, 1500000);
}

SGF_TEST(UN_125_a_trim_counts_as_a_delay_of_the_initial_base_RTT)
{
  cc_begin(&cc, true, CC_SETTINGS(CC_SAMPLE_IS_AVERAGE));
  nscc_offer_rtt(window, CC_US(4));
  cc_trim(window, 0);
  CU_ASSERT_EQUAL(window->delay, CC_US(6)); /* neither the base RTT nor the target */
}

SGF_TEST(UN_125_a_sample_of_a_trim_lowers_the_base_RTT)
{
  cc_begin(&cc, false, NULL);
  nscc_trimmed(window, CC_M, CC_IN_FLIGHT, 4500000, 0);
  CU_ASSERT_EQUAL(window->base_rtt, 5500000);
  CU_ASSERT_EQUAL(window->window, 412500 - CC_M);
}

SGF_TEST(UN_125_a_trimmed_packet_counts_its_own_size)
{
  cc_begin(&cc, false, NULL);
  nscc_trimmed(window, 89, CC_IN_FLIGHT, -1, 0);
  CU_ASSERT_EQUAL(window->window, 450000 - 89);
}

SGF_TEST(UN_126_a_timeout_takes_a_packet_off)
{
  cc_begin(&cc, false, NULL);
  nscc_timed_out(window, CC_M);
  CU_ASSERT_EQUAL(window->window, 445816);
  CU_ASSERT_EQUAL(window->delay, 0);
}

SGF_TEST(UN_126_a_timeout_does_not_trigger_Quick_Adapt)
{
  cc_begin(&cc, false, NULL);
  nscc_timed_out(window, CC_M);
  CU_ASSERT_EQUAL(window->observation_end, -1);
  cc_acknowledge(window, CC_M, 0, false, 0);
  nscc_timed_out(window, CC_M);
  cc_acknowledge(window, CC_M, 0, false, CC_US(13));
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
}

SGF_TEST(UN_127_losses_leave_a_packet)
{
  cc_begin(&cc, false, NULL);
  window->window = 5000;
  nscc_timed_out(window, CC_M);
  CU_ASSERT_EQUAL(window->window, CC_M);
  window->window = 5000;
  cc_trim(window, 0);
  CU_ASSERT_EQUAL(window->window, CC_M);
}
