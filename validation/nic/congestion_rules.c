/* spec/uet-nic.md 2.6, 3.4, 9.6, 9.9, 9.10 and 11.7 on the state machine: attributes and what they refuse, gains, the
 * receiver's penalty on both sides, and what NSCCEnable and PassThrough turn off. */
#include "congestion_support.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static cc_t cc;
static nscc_t* const window = &cc.window;

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

static void check_default(const char* name, const char* expected)
{
  nscc_config_t config;
  cc_configure(&config, NULL);
  sgf_attr_ref_t ref;
  char text[64];
  CU_ASSERT_EQUAL_FATAL(sgf_attr_find(&cc_set, name, &ref, NULL), SGF_OK);
  CU_ASSERT_STRING_EQUAL(sgf_attr_format(ref, &config, text, sizeof text), expected);
}

SGF_TEST(the_defaults_are_those_of_the_specification)
{
  static const char* const defaults[][2] = {
      {"PassThrough", "false"},
      {"NSCCEnable", "true"},
      {"InitialBaseRTT", "6us"},
      {"ReferenceNetworkRTT", "6us"},
      {"ReferenceNetworkLinkSpeed", "400Gbps"},
      {"OverrideSpecTargetQueueDelay", "false"},
      {"TargetQueueDelay", "4500ns"},
      {"TargetQueueDelayMargin", "1us"},
      {"DisableQuickAdapt", "false"},
      {"QuickAdaptGate", "3"},
      {"QuickAdaptThreshold", "24us"},
      {"OverrideUetSpecMaxCWind", "false"},
      {"MaxCongestionWindow", "107"},
      {"ReceiverCongestionLowThreshold", "25"},
      {"ReceiverCongestionHighThreshold", "75"},
      {"RestoreCWindEnable", "false"},
      {"MaxMultiplicativeDecreaseJump", "0.5"},
      {"AlphaMultiplier", "4"},
      {"FairIncreaseMultiplier", "5"},
      {"FastIncreaseMultiplier", "1"},
      {"EtaMultiplier", "0.15"},
      {"Gamma", "0.8"},
      {"DelayAlpha", "0.25"},
  };
  CU_ASSERT_EQUAL(nscc_attributes.count, sizeof defaults / sizeof *defaults);
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    check_default(defaults[i][0], defaults[i][1]);
}

static sgf_status_t assign(const char* name, const char* text, sgf_error_t* error)
{
  nscc_config_t config;
  cc_configure(&config, NULL);
  return sgf_attr_set_value(&cc_set, &config, name, text, error);
}

static void check_range(const char* name, const char* low, const char* high, const char* below, const char* above)
{
  CU_ASSERT_EQUAL(assign(name, low, NULL), SGF_OK);
  CU_ASSERT_EQUAL(assign(name, high, NULL), SGF_OK);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(assign(name, below, &error), SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, name));
  error = (sgf_error_t){0};
  CU_ASSERT_EQUAL(assign(name, above, &error), SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, name));
}

SGF_TEST(each_range_is_that_of_the_specification)
{
  check_range("ReceiverCongestionLowThreshold", "0.0", "100.0", "-0.1", "100.1");
  check_range("ReceiverCongestionHighThreshold", "0.0", "100.0", "-0.1", "100.1");
  check_range("MaxMultiplicativeDecreaseJump", "0.001", "1.0", "0.0009", "1.001");
  check_range("AlphaMultiplier", "1.0", "100.0", "0.999", "100.1");
  check_range("FairIncreaseMultiplier", "1.0", "100.0", "0.999", "100.1");
  check_range("FastIncreaseMultiplier", "0.01", "100.0", "0.009", "100.1");
  check_range("EtaMultiplier", "0.0", "1.0", "-0.1", "1.001");
  check_range("Gamma", "0.001", "1.0", "0.0009", "1.001");
  check_range("DelayAlpha", "0.0", "1.0", "-0.1", "1.001");
}

SGF_TEST(the_gate_is_0_to_31_and_the_window_1_to_4096_packets)
{
  CU_ASSERT_EQUAL(assign("QuickAdaptGate", "0", NULL), SGF_OK);
  CU_ASSERT_EQUAL(assign("QuickAdaptGate", "31", NULL), SGF_OK);
  CU_ASSERT_EQUAL(assign("QuickAdaptGate", "32", NULL), SGF_RANGE);
  check_range("MaxCongestionWindow", "1", "4096", "0", "4097");
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

/* Whether a NIC with full packets of 4,184 B refuses these settings with a message that has that word. */
static bool is_refused(int64_t link_bps, const char* const* settings, const char* word)
{
  nscc_config_t config;
  nscc_params_t params;
  sgf_error_t error = {0};
  cc_configure(&config, settings);
  return nscc_prepare(&params, &config, link_bps, CC_M, false, &error) == SGF_RULE && strstr(error.text, word) != NULL;
}

static bool is_accepted(int64_t link_bps, const char* const* settings)
{
  nscc_config_t config;
  nscc_params_t params;
  cc_configure(&config, settings);
  return nscc_prepare(&params, &config, link_bps, CC_M, false, NULL) == SGF_OK;
}

SGF_TEST(C1_a_target_of_0_is_refused)
{
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("InitialBaseRTT", "0s"), "InitialBaseRTT: the target"));
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("OverrideSpecTargetQueueDelay", "true", "TargetQueueDelay", "0s"),
                       "TargetQueueDelay: the target"));
}

SGF_TEST(C1_a_target_that_is_not_used_may_be_0)
{
  CU_ASSERT(is_accepted(CC_BPS, CC_SETTINGS("TargetQueueDelay", "0s")));
  CU_ASSERT(is_accepted(CC_BPS, CC_SETTINGS("OverrideSpecTargetQueueDelay", "true", "InitialBaseRTT", "0s",
                                            "OverrideUetSpecMaxCWind", "true")));
}

SGF_TEST(UN_137_C2_a_window_below_a_packet_is_refused)
{
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("InitialBaseRTT", "50ns"), "InitialBaseRTT is 3750 B"));
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("InitialBaseRTT", "55786ps"), "InitialBaseRTT")); /* 4,183.95 B */
  CU_ASSERT(is_accepted(CC_BPS, CC_SETTINGS("InitialBaseRTT", "55787ps")));                  /* 4,184.025 B */
}

/* 1.5 x 1 Gbps x InitialBaseRTT is exactly a packet when 3 divides the packet. */
SGF_TEST(C2_a_window_of_exactly_a_packet_is_accepted)
{
  for (int64_t nominal = 90; nominal < 20000; nominal += 3) {
    nscc_config_t config;
    nscc_params_t params;
    cc_configure(&config, NULL);
    config.initial_base_rtt = nominal * 16000 / 3;
    CU_ASSERT_EQUAL(nscc_prepare(&params, &config, 1000000000, nominal, false, NULL), SGF_OK);
    CU_ASSERT_EQUAL(params.max_window, (double)nominal);
    config.initial_base_rtt--;
    CU_ASSERT_EQUAL(nscc_prepare(&params, &config, 1000000000, nominal, false, NULL), SGF_RULE);
  }
}

SGF_TEST(C2_does_not_hold_for_an_overridden_window)
{
  CU_ASSERT(is_accepted(CC_BPS, CC_SETTINGS("InitialBaseRTT", "50ns", "OverrideUetSpecMaxCWind", "true")));
}

SGF_TEST(UN_137_C3_a_window_beyond_32_bits_is_refused)
{
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("InitialBaseRTT", "60ms"), "InitialBaseRTT is 4500000000 B"));
  CU_ASSERT(is_accepted(CC_BPS, CC_SETTINGS("InitialBaseRTT", "57266230600ps")));                  /* 4,294,967,295 B */
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("InitialBaseRTT", "57266230601ps"), "InitialBaseRTT")); /* and 0.075 B */
  CU_ASSERT(is_accepted(1000000000, CC_SETTINGS("InitialBaseRTT", "22s"))); /* a slow link has a longer limit */
}

SGF_TEST(C3_holds_for_an_overridden_window_too)
{
  CU_ASSERT(
      is_refused(CC_BPS, CC_SETTINGS("InitialBaseRTT", "60ms", "OverrideUetSpecMaxCWind", "true"), "InitialBaseRTT"));
}

SGF_TEST(UN_158_C4_without_a_reference_network_it_is_refused)
{
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("ReferenceNetworkRTT", "0s"), "ReferenceNetworkRTT"));
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("ReferenceNetworkLinkSpeed", "999Mbps"), "ReferenceNetworkLinkSpeed"));
  CU_ASSERT(is_accepted(CC_BPS, CC_SETTINGS("ReferenceNetworkLinkSpeed", "1Gbps")));
}

SGF_TEST(C5_a_reference_beyond_32_bits_is_refused)
{
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("ReferenceNetworkRTT", "86ms"),
                       "ReferenceNetworkLinkSpeed x ReferenceNetworkRTT is 4300000000 B"));
  CU_ASSERT(is_accepted(CC_BPS, CC_SETTINGS("ReferenceNetworkRTT", "85899345900ps"))); /* 4,294,967,295 B */
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("ReferenceNetworkRTT", "85899345901ps"), "ReferenceNetworkRTT"));
}

SGF_TEST(UN_158_C6_a_link_below_1_Gbps_is_refused)
{
  CU_ASSERT(is_refused(500000000, NULL, "DataRate"));
  CU_ASSERT(is_refused(999999999, NULL, "999999999 bps"));
  CU_ASSERT(is_accepted(1000000000, NULL) == false); /* C2: 1,125 B a window */
  CU_ASSERT(is_accepted(1000000000, CC_SETTINGS("InitialBaseRTT", "100us")));
}

SGF_TEST(UN_158_a_target_of_0_with_the_override_is_refused)
{
  CU_ASSERT(is_refused(CC_BPS, CC_SETTINGS("TargetQueueDelay", "0s", "OverrideSpecTargetQueueDelay", "true"),
                       "TargetQueueDelay"));
}

/* ---- Gains ------------------------------------------------------------------------------------------------------- */

SGF_TEST(UN_138_the_default_gains)
{
  cc_begin(&cc, false, NULL);
  CU_ASSERT(cc_is_close(cc.params.proportional_gain, 4.0 * CC_M / 6000000)); /* 2,789.33 B a microsecond */
  CU_ASSERT_EQUAL(cc.params.fair_gain, 20920);
  CU_ASSERT(cc_is_close(cc.params.eta, 627.6));
  CU_ASSERT_EQUAL(cc.params.fast_factor, 1);
}

SGF_TEST(UN_138_a_faster_reference_halves_the_gains)
{
  cc_begin(&cc, false, CC_SETTINGS("ReferenceNetworkLinkSpeed", "800Gbps"));
  CU_ASSERT(cc_is_close(cc.params.proportional_gain, 2.0 * CC_M / 6000000));
  CU_ASSERT_EQUAL(cc.params.fair_gain, 10460);
  CU_ASSERT(cc_is_close(cc.params.eta, 313.8));
  CU_ASSERT_EQUAL(cc.params.fast_factor, 1);
  CU_ASSERT_EQUAL(cc.params.target, CC_US(6));
  CU_ASSERT_EQUAL(cc.params.max_window, 450000);
}

SGF_TEST(B5_the_target_cancels_out_of_the_proportional_gain)
{
  cc_begin(&cc, false, CC_SETTINGS("OverrideSpecTargetQueueDelay", "true", "TargetQueueDelay", "3us"));
  CU_ASSERT(cc_is_close(cc.params.proportional_gain, 4.0 * CC_M / 6000000));
}

SGF_TEST(UN_138_the_initial_base_RTT_is_in_the_gains_and_the_measured_one_is_not)
{
  cc_begin(&cc, false, CC_SETTINGS("InitialBaseRTT", "12us"));
  const double gain = cc.params.proportional_gain;
  CU_ASSERT(cc_is_close(gain, 8.0 * CC_M / 6000000));
  CU_ASSERT_EQUAL(cc.params.fair_gain, 41840);
  nscc_offer_rtt(window, CC_US(5));
  CU_ASSERT_EQUAL(cc.params.proportional_gain, gain);
}

SGF_TEST(B11_a_link_rate_counts_in_whole_Gbps)
{
  nscc_config_t config;
  nscc_params_t params;
  cc_configure(&config, NULL);
  CU_ASSERT_EQUAL(nscc_prepare(&params, &config, 100900000000, CC_M, false, NULL), SGF_OK);
  CU_ASSERT_EQUAL(params.max_window, 112500);
  CU_ASSERT_EQUAL(params.fair_gain, 5230);
}

/* ---- Penalty at the receiver ------------------------------------------------------------------------------------- */

enum { POOL = 3600000 };

SGF_TEST(UN_128_the_penalty_grows_from_0_to_127)
{
  cc_begin(&cc, false, NULL);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 0, POOL), 0);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 720000, POOL), 0);   /* 20 % */
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 1800000, POOL), 63); /* 63.5 (B7) */
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, POOL, POOL), 127);
}

SGF_TEST(UN_129_the_band_is_900000_to_2700000_bytes)
{
  cc_begin(&cc, false, NULL);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 899999, POOL), 0);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 900000, POOL), 0);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 914173, POOL), 0);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 914174, POOL), 1); /* 1,800,000 / 127 = 14,173.2 B a step */
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 2699999, POOL), 126);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 2700000, POOL), 127);
}

SGF_TEST(UN_129_equal_or_crossed_thresholds_leave_a_step)
{
  cc_begin(&cc, false, CC_SETTINGS("ReceiverCongestionLowThreshold", "50", "ReceiverCongestionHighThreshold", "50.0"));
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 1799999, POOL), 0);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 1800000, POOL), 127);
  cc_begin(&cc, false, CC_SETTINGS("ReceiverCongestionLowThreshold", "75", "ReceiverCongestionHighThreshold", "25"));
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 2699999, POOL), 0);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 2700000, POOL), 127);
}

SGF_TEST(UN_129_thresholds_are_taken_as_they_are_written)
{
  cc_begin(&cc, false,
           CC_SETTINGS("ReceiverCongestionLowThreshold", "0.000001", "ReceiverCongestionHighThreshold", "33.3"));
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 1332000 - 1, 4000000), 126);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 1332000, 4000000), 127);
}

/* ---- Penalty at the sender --------------------------------------------------------------------------------------- */

/* An acknowledgement without delay that leaves so much in flight. */
static void penalise(uint8_t penalty, int64_t acknowledged, int64_t in_flight)
{
  const nscc_ack_t ack = {
      .acknowledged = acknowledged, .in_flight = in_flight, .rtt = window->reference, .penalty = penalty};
  nscc_acknowledged(window, &ack, 0);
}

static void end_penalty(bool restore)
{
  nscc_acknowledged(window, &(nscc_ack_t){.in_flight = 100000, .rtt = -1, .restore = restore}, 0);
}

SGF_TEST(UN_130_a_penalty_takes_its_share_off_the_bytes_in_flight)
{
  cc_begin(&cc, false, NULL);
  penalise(64, CC_M, 100000);
  CU_ASSERT_EQUAL(window->window, 100000 - CC_M / 2);
}

SGF_TEST(B7_the_share_is_counted_in_parts_of_128)
{
  cc_begin(&cc, false, NULL);
  penalise(127, 128, 100000);
  CU_ASSERT_EQUAL(window->window, 100000 - 127);
}

SGF_TEST(UN_130_a_window_below_the_bytes_in_flight_is_reduced_too)
{
  cc_begin(&cc, false, NULL);
  penalise(1, 128, 500000);
  CU_ASSERT_EQUAL(window->window, 450000 - 1);
}

SGF_TEST(UN_130_a_penalty_leaves_a_packet)
{
  cc_begin(&cc, false, NULL);
  penalise(1, CC_M, 0);
  CU_ASSERT_EQUAL(window->window, CC_M);
}

SGF_TEST(UN_130_a_limited_acknowledgement_increases_nothing)
{
  cc_begin(&cc, false, NULL);
  window->pending      = 1e12; /* from before: neither that is due, nor the additive term */
  const nscc_ack_t ack = {.acknowledged = 128 * 1000, .in_flight = 300000, .rtt = CC_US(6), .penalty = 1};
  nscc_acknowledged(window, &ack, CC_US(60));
  CU_ASSERT_EQUAL(window->window, 299000);
  CU_ASSERT_EQUAL(window->pending, 1e12);
  CU_ASSERT_EQUAL(window->fast_bytes, 0);
}

SGF_TEST(UN_130_a_limited_acknowledgement_can_still_cut)
{
  cc_begin(&cc, false, CC_SETTINGS("DelayAlpha", "1.0"));
  const nscc_ack_t ack = {.acknowledged = 128, .in_flight = 100000, .rtt = CC_US(60), .ecn_echo = true, .penalty = 100};
  nscc_acknowledged(window, &ack, 0);
  CU_ASSERT_EQUAL(window->window, (100000 - 100) / 2);
}

SGF_TEST(UN_131_the_window_of_the_moment_the_penalty_began_is_back)
{
  cc_begin(&cc, false, NULL);
  nscc_timed_out(window, CC_M);
  penalise(100, CC_M, 300000);
  penalise(50, CC_M, 200000);
  penalise(100, CC_M, 100000);
  CU_ASSERT(window->window < 100000);
  end_penalty(true);
  CU_ASSERT_EQUAL(window->window, 450000 - CC_M);
}

SGF_TEST(UN_131_a_window_comes_back_once)
{
  cc_begin(&cc, false, NULL);
  penalise(100, CC_M, 100000);
  end_penalty(true);
  nscc_timed_out(window, CC_M);
  end_penalty(true);
  CU_ASSERT_EQUAL(window->window, 450000 - CC_M);
  penalise(128 / 2, 2, 100000);
  end_penalty(true);
  CU_ASSERT_EQUAL(window->window, 450000 - CC_M); /* that of the second penalty */
}

SGF_TEST(UN_131_a_window_comes_back_within_its_bound)
{
  cc_begin(&cc, false, NULL);
  penalise(100, CC_M, 100000);
  nscc_offer_rtt(window, CC_US(3));
  end_penalty(true);
  CU_ASSERT_EQUAL(window->window, 300000);
}

SGF_TEST(UN_131_without_the_flag_the_window_stays)
{
  cc_begin(&cc, false, NULL);
  penalise(64, 2, 100000);
  end_penalty(false);
  CU_ASSERT_EQUAL(window->window, 99999);
}

SGF_TEST(B8_without_the_flag_the_window_is_forgotten)
{
  cc_begin(&cc, false, NULL);
  penalise(64, 2, 100000);
  end_penalty(false);
  end_penalty(true);
  CU_ASSERT_EQUAL(window->window, 99999);
}

#define RECEIVER_SETTINGS                                                                                              \
  "ReceiverCongestionLowThreshold", "1.0", "ReceiverCongestionHighThreshold", "2.0", "RestoreCWindEnable", "true"

SGF_TEST(UN_132_the_receivers_settings_do_not_change_its_own_sending)
{
  static cc_t other;
  cc_begin(&cc, false, NULL);
  cc_begin(&other, false, CC_SETTINGS(RECEIVER_SETTINGS));
  for (int i = 0; i < 200; i++) {
    const nscc_ack_t ack = {.acknowledged = CC_M,
                            .in_flight    = 300000,
                            .rtt          = CC_US(6 + i % 9),
                            .ecn_echo     = i % 7 == 0,
                            .penalty      = (uint8_t)(i % 5 == 0 ? i % 127 : 0)};
    nscc_acknowledged(window, &ack, CC_US(i));
    nscc_acknowledged(&other.window, &ack, CC_US(i));
    CU_ASSERT_EQUAL(window->window, other.window.window);
  }
}

SGF_TEST(UN_132_the_receivers_settings_change_the_penalty_of_its_peers)
{
  cc_begin(&cc, false, CC_SETTINGS(RECEIVER_SETTINGS));
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 54000, POOL), 63);
  CU_ASSERT_EQUAL(nscc_penalty(&cc.config, 72000, POOL), 127);
}

SGF_TEST(UN_136_without_a_sample_the_penalty_still_counts)
{
  cc_begin(&cc, false, NULL);
  const nscc_ack_t ack = {.acknowledged = 128, .in_flight = 100000, .rtt = -1, .ecn_echo = true, .penalty = 10};
  nscc_acknowledged(window, &ack, 0);
  CU_ASSERT_EQUAL(window->window, 100000 - 10);
}

SGF_TEST(UN_136_without_a_sample_nothing_else_does)
{
  cc_begin(&cc, false, NULL);
  window->delay = (double)CC_US(40);
  for (int i = 0; i < 20; i++) {
    const nscc_ack_t ack = {.acknowledged = CC_M, .in_flight = 100000, .rtt = -1, .ecn_echo = i % 2 == 0};
    nscc_acknowledged(window, &ack, CC_US(10 * i));
  }
  CU_ASSERT_EQUAL(window->window, 450000);
  CU_ASSERT_EQUAL(window->delay, CC_US(40));
  CU_ASSERT_EQUAL(window->base_rtt, CC_US(6));
  CU_ASSERT_EQUAL(window->observation_end, -1);
}

/* ---- NSCCEnable and PassThrough (9.10) --------------------------------------------------------------------------- */

/* Signals that move an NSCC window: marks, trims, a timeout, a penalty, a delay that triggers Quick Adapt. */
static void disturb(void)
{
  for (int i = 0; i < 10; i++) {
    const nscc_ack_t ack = {.acknowledged = 100,
                            .in_flight    = 100000,
                            .rtt          = CC_US(106),
                            .ecn_echo     = i % 2 == 0,
                            .penalty      = i == 5 ? 90 : 0};
    nscc_acknowledged(window, &ack, CC_US(20 * i));
    nscc_trimmed(window, CC_M, 100000, CC_US(106), CC_US(20 * i));
    nscc_timed_out(window, CC_M);
  }
}

/* Whether the window has moved after that, and whether a packet fits with twice as much in flight. */
static void check_switches(const char* enable, const char* pass_through, bool moves, bool holds)
{
  cc_begin(&cc, false, CC_SETTINGS("NSCCEnable", enable, "PassThrough", pass_through));
  disturb();
  CU_ASSERT_EQUAL(window->window != 450000, moves);
  CU_ASSERT_EQUAL(!nscc_admits(window, 900000, CC_M), holds);
}

SGF_TEST(UN_133_by_default_the_window_moves_and_holds)
{
  check_switches("true", "false", true, true);
}

SGF_TEST(UN_133_passed_through_the_window_moves_and_does_not_hold)
{
  check_switches("true", "true", true, false);
}

SGF_TEST(UN_133_disabled_the_window_stays_and_holds)
{
  check_switches("false", "false", false, true);
}

SGF_TEST(UN_133_disabled_and_passed_through_the_window_stays_and_does_not_hold)
{
  check_switches("false", "true", false, false);
}

SGF_TEST(UN_134_disabled_nothing_is_averaged_and_Quick_Adapt_does_not_fire)
{
  cc_begin(&cc, false, CC_SETTINGS("NSCCEnable", "false"));
  disturb();
  CU_ASSERT_EQUAL(window->delay, 0);
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
}

SGF_TEST(UN_134_disabled_a_lower_base_RTT_still_lowers_the_window)
{
  cc_begin(&cc, false, CC_SETTINGS("NSCCEnable", "false"));
  nscc_acknowledged(window, &(nscc_ack_t){.acknowledged = CC_M, .rtt = 4500000}, 0);
  CU_ASSERT_EQUAL(window->window, 412500);
  nscc_trimmed(window, CC_M, CC_M, CC_US(4) - 500000, 0);
  CU_ASSERT_EQUAL(window->window, 337500);
  nscc_offer_rtt(window, CC_US(2));
  CU_ASSERT_EQUAL(window->window, 225000);
}

SGF_TEST(UN_135_passed_through_more_than_the_window_is_in_flight)
{
  cc_begin(&cc, false, CC_SETTINGS("PassThrough", "true"));
  CU_ASSERT_TRUE(nscc_admits(window, INT64_C(1) << 40, CC_M));
}
