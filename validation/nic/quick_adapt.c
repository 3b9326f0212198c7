/* spec/uet-nic.md 9.7 and 11.7 on the state machine of one window: Quick Adapt. */
#include "congestion_support.h"
#include "harness.h"

static cc_t cc;
static nscc_t* const window = &cc.window;

/* A trim at the given date after one at date 0, which opens the observation. */
static uint64_t fires_at(bool trimming, opp_simtime_t date)
{
  cc_begin(&cc, trimming, NULL);
  cc_trim(window, 0);
  cc_trim(window, date);
  return window->quick_adapts;
}

SGF_TEST(UN_104_the_observation_is_12_us)
{
  CU_ASSERT_EQUAL(fires_at(false, CC_US(12)), 0);
  CU_ASSERT_EQUAL(fires_at(false, CC_US(12) + 1), 1);
}

SGF_TEST(UN_104_the_observation_is_10500_ns_with_trimming)
{
  CU_ASSERT_EQUAL(fires_at(true, 10500000), 0);
  CU_ASSERT_EQUAL(fires_at(true, 10500001), 1);
}

/* That many bytes acknowledged in an observation that ends with a trim. */
static uint64_t fires_after(int64_t bytes, const char* const* settings)
{
  cc_begin(&cc, false, settings);
  cc_trim(window, 0);
  cc_acknowledge_without_sample(window, bytes, CC_US(6));
  cc_trim(window, CC_US(12) + 1);
  return window->quick_adapts;
}

SGF_TEST(UN_105_Quick_Adapt_fires_at_56249_bytes)
{
  CU_ASSERT_EQUAL(fires_after(56249, NULL), 1);
  CU_ASSERT_EQUAL(window->window, 56249);
}

SGF_TEST(UN_105_Quick_Adapt_does_not_fire_at_56250_bytes)
{
  CU_ASSERT_EQUAL(fires_after(56250, NULL), 0);
  CU_ASSERT_EQUAL(window->window, 450000 - 2 * CC_M);
}

SGF_TEST(UN_105_the_gate_divides_the_window_by_a_power_of_two)
{
  CU_ASSERT_EQUAL(fires_after(449999, CC_SETTINGS("QuickAdaptGate", "0")), 1);
  CU_ASSERT_EQUAL(fires_after(450000, CC_SETTINGS("QuickAdaptGate", "0")), 0);
  CU_ASSERT_EQUAL(fires_after(0, CC_SETTINGS("QuickAdaptGate", "31")), 1);
  CU_ASSERT_EQUAL(fires_after(1, CC_SETTINGS("QuickAdaptGate", "31")), 0);
}

SGF_TEST(UN_105_the_threshold_follows_the_largest_window)
{
  cc_begin(&cc, false, NULL);
  nscc_offer_rtt(window, CC_US(3)); /* base 4 us, 300,000 B */
  cc_trim(window, 0);
  cc_acknowledge_without_sample(window, 37500, CC_US(5));
  cc_trim(window, CC_US(10) + 1);
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
  cc_acknowledge_without_sample(window, 37499, CC_US(12));
  cc_trim(window, CC_US(20) + 1);
  CU_ASSERT_EQUAL(window->quick_adapts, 0); /* the observation is not over */
  cc_trim(window, CC_US(20) + 2);
  CU_ASSERT_EQUAL(window->quick_adapts, 1);
}

/* An acknowledgement that ends the observation with that average delay. */
static uint64_t fires_at_delay(bool trimming, opp_simtime_t delay)
{
  cc_begin(&cc, trimming, CC_SETTINGS(CC_SAMPLE_IS_AVERAGE));
  cc_acknowledge(window, CC_M, 0, false, 0);
  cc_acknowledge(window, CC_M, delay, false, CC_US(13));
  return window->quick_adapts;
}

SGF_TEST(UN_106_an_average_of_24_us_does_not_trigger)
{
  CU_ASSERT_EQUAL(fires_at_delay(false, CC_US(24)), 0);
  CU_ASSERT_EQUAL(fires_at_delay(false, CC_US(24) + 1), 1);
}

SGF_TEST(UN_106_the_average_counts_and_not_the_sample)
{
  cc_begin(&cc, false, NULL);
  cc_acknowledge(window, CC_M, 0, false, 0);
  cc_acknowledge(window, CC_M, CC_US(96), false, CC_US(13)); /* 24 us on average */
  CU_ASSERT_EQUAL(window->delay, CC_US(24));
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
}

/* Unlike a trim, a delay is not remembered: it has to be there when few bytes are. */
SGF_TEST(UN_106_a_delay_that_is_over_triggers_nothing)
{
  cc_begin(&cc, false, CC_SETTINGS(CC_SAMPLE_IS_AVERAGE));
  cc_acknowledge(window, CC_M, 0, false, 0);
  cc_acknowledge_without_sample(window, 100000, CC_US(5));
  cc_acknowledge(window, CC_M, CC_US(30), false, CC_US(13));
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
  cc_acknowledge(window, CC_M, 0, false, CC_US(26));
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
  cc_acknowledge(window, CC_M, CC_US(30), false, CC_US(39));
  CU_ASSERT_EQUAL(window->quick_adapts, 1);
}

SGF_TEST(UN_107_Quick_Adapt_cannot_fire_in_the_first_12_us)
{
  cc_begin(&cc, false, CC_SETTINGS(CC_SAMPLE_IS_AVERAGE));
  for (int i = 0; i <= 12; i++) {
    cc_acknowledge(window, 1, CC_US(100), true, CC_US(50 + i)); /* from the first signal on, however late it is */
    cc_trim(window, CC_US(50 + i));
  }
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
  cc_trim(window, CC_US(62) + 1);
  CU_ASSERT_EQUAL(window->quick_adapts, 1);
}

SGF_TEST(UN_107_an_acknowledgement_without_sample_opens_no_observation)
{
  cc_begin(&cc, false, NULL);
  cc_acknowledge_without_sample(window, CC_M, 0);
  cc_trim(window, CC_US(13));
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
  CU_ASSERT_EQUAL(window->observed, 0); /* what opens one does not count in it */
  cc_trim(window, CC_US(25));
  CU_ASSERT_EQUAL(window->quick_adapts, 0);
  cc_trim(window, CC_US(25) + 1);
  CU_ASSERT_EQUAL(window->quick_adapts, 1);
}

/* 40,000 B acknowledged in an observation that an acknowledgement ends with 30 us on average. */
static void fire_at_30_us(int64_t bytes)
{
  cc_begin(&cc, false, CC_SETTINGS(CC_SAMPLE_IS_AVERAGE, "EtaMultiplier", "0.0"));
  cc_acknowledge(window, CC_M, 0, false, 0);
  cc_acknowledge_without_sample(window, bytes - 1, CC_US(6));
  cc_acknowledge(window, 1, CC_US(30), false, CC_US(12) + 1);
}

SGF_TEST(UN_108_the_window_becomes_the_bytes_acknowledged)
{
  fire_at_30_us(40000);
  CU_ASSERT_EQUAL(window->window, 40000);
  CU_ASSERT_EQUAL(window->quick_adapts, 1);
}

SGF_TEST(UN_108_marks_and_trims_are_ignored_for_the_bytes_in_flight)
{
  fire_at_30_us(40000);
  cc_acknowledge(window, CC_IN_FLIGHT - CC_M - 1, CC_US(30), true, CC_US(20));
  CU_ASSERT_EQUAL(window->window, 40000);
  cc_trim(window, CC_US(20)); /* the last byte but one is trimmed */
  CU_ASSERT_EQUAL(window->window, 40000);
  cc_trim(window, CC_US(20));
  CU_ASSERT_EQUAL(window->window, 40000 - CC_M);
}

SGF_TEST(UN_108_marks_count_again_with_the_byte_that_ends_it)
{
  fire_at_30_us(40000);
  cc_acknowledge(window, CC_IN_FLIGHT - 1, CC_US(30), true, CC_US(20));
  CU_ASSERT_EQUAL(window->window, 40000);
  cc_acknowledge(window, 1, CC_US(30), true, CC_US(20));
  CU_ASSERT_EQUAL(window->window, 20000);
}

SGF_TEST(UN_108_what_is_ignored_still_enters_the_average)
{
  fire_at_30_us(40000);
  cc_acknowledge(window, CC_M, CC_US(10), true, CC_US(20));
  CU_ASSERT_EQUAL(window->delay, CC_US(10));
  cc_trim(window, CC_US(20));
  CU_ASSERT_EQUAL(window->delay, CC_US(6));
}

SGF_TEST(UN_108_what_is_ignored_does_not_end_an_observation)
{
  fire_at_30_us(40000);
  cc_trim(window, CC_US(50));
  CU_ASSERT_EQUAL(window->observation_end, CC_US(24) + 1);
  CU_ASSERT_EQUAL(window->quick_adapts, 1);
  cc_acknowledge(window, 1, 0, false, CC_US(50)); /* an unmarked one does, and the trim is remembered */
  CU_ASSERT_EQUAL(window->quick_adapts, 2);
}

SGF_TEST(UN_108_unmarked_acknowledgements_are_not_ignored)
{
  fire_at_30_us(40000);
  cc_acknowledge(window, 9 * CC_M, CC_US(6), false, CC_US(13));
  CU_ASSERT(window->window > 40000);
}

SGF_TEST(UN_108_a_firing_forgets_the_increase_not_yet_applied)
{
  cc_begin(&cc, false, CC_SETTINGS(CC_SAMPLE_IS_AVERAGE, "EtaMultiplier", "0.0"));
  cc_acknowledge(window, 1, 0, false, 0);
  cc_acknowledge(window, 8 * CC_M - 1, CC_US(6), false, CC_US(5));
  cc_acknowledge(window, 1, CC_US(30), false, CC_US(13)); /* fires */
  CU_ASSERT_EQUAL(window->window, 8 * CC_M);
  cc_acknowledge(window, 8 * CC_M, CC_US(6), true, CC_US(13)); /* 8 packets again: nothing is due */
  cc_acknowledge(window, 1, CC_US(1), true, CC_US(13));
  CU_ASSERT_EQUAL(window->window, 8 * CC_M);
}

SGF_TEST(UN_108_a_trim_is_remembered_until_Quick_Adapt_fires)
{
  cc_begin(&cc, false, NULL);
  cc_trim(window, 0);
  cc_acknowledge_without_sample(window, 100000, CC_US(6));
  cc_acknowledge(window, CC_M, 0, false, CC_US(13)); /* too many bytes */
  cc_acknowledge(window, CC_M, 0, false, CC_US(26));
  CU_ASSERT_EQUAL(window->quick_adapts, 1);
  cc_acknowledge(window, CC_M, 0, false, CC_US(39));
  CU_ASSERT_EQUAL(window->quick_adapts, 1);
}

SGF_TEST(B10_a_trimmed_packet_is_among_the_bytes_to_ignore)
{
  cc_begin(&cc, false, NULL);
  cc_trim(window, 0);
  nscc_trimmed(window, CC_M, 5 * CC_M, -1, CC_US(13));
  CU_ASSERT_EQUAL(window->to_ignore, 5 * CC_M);
  CU_ASSERT_EQUAL(window->seen_since_firing, 0);
}

SGF_TEST(UN_109_the_window_is_at_least_a_packet)
{
  fire_at_30_us(2000);
  CU_ASSERT_EQUAL(window->window, CC_M);
}

SGF_TEST(UN_110_with_trimming_a_delay_does_not_trigger)
{
  CU_ASSERT_EQUAL(fires_at_delay(true, CC_US(100)), 0);
  cc_trim(window, CC_US(30));
  CU_ASSERT_EQUAL(window->quick_adapts, 1);
}

SGF_TEST(disabled_Quick_Adapt_neither_fires_nor_ignores)
{
  CU_ASSERT_EQUAL(fires_after(0, CC_SETTINGS("DisableQuickAdapt", "true")), 0);
  CU_ASSERT_EQUAL(window->window, 450000 - 2 * CC_M);
}
