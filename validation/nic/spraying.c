/* spec/uet-nic.md 10 and 11.8 on the state machine of one group's entropy values: each type, the cache of recycled
 * values, freezing and the exploration behind it. */
#include "congestion_support.h"
#include "harness.h"
#include "opp/kernel.h"
#include "spraying_support.h"

#include <stdlib.h>
#include <string.h>

static void recycle(spraying_t* rig, uint16_t value)
{
  spray_recycle(&rig->spray, value, 0);
}

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

static void check_default(const char* name, const char* expected)
{
  spray_config_t config;
  sgf_attr_ref_t ref;
  char text[64];
  spraying_configure(&config, NULL);
  CU_ASSERT_EQUAL_FATAL(sgf_attr_find(&spraying_set, name, &ref, NULL), SGF_OK);
  CU_ASSERT_STRING_EQUAL(sgf_attr_format(ref, &config, text, sizeof text), expected);
}

SGF_TEST(the_defaults_are_those_of_the_specification)
{
  CU_ASSERT_EQUAL(spray_attributes.count, 7);
  check_default("PacketSprayingType", "Default Packet Spraying");
  check_default("FailureDetectionRTTMultiplier", "3");
  check_default("EntropyMaskBits", "7");
  check_default("StartingPortOffset", "256");
  check_default("REPSBufferSizeMaskBits", "3");
  check_default("EntropyValueSetSize", "65536");
  check_default("FreezingTimeout", "100us");
}

static sgf_status_t assign(const char* name, const char* text)
{
  spray_config_t config;
  sgf_error_t error = {0};
  spraying_configure(&config, NULL);
  const sgf_status_t status = sgf_attr_set_value(&spraying_set, &config, name, text, &error);
  CU_ASSERT(status == SGF_OK || strstr(error.text, name) != NULL);
  return status;
}

SGF_TEST(each_range_is_that_of_the_specification)
{
  static const char* const ranges[][4] = {
      {"EntropyMaskBits", "0", "8", "9"},
      {"StartingPortOffset", "0", "65535", "65536"},
      {"REPSBufferSizeMaskBits", "0", "16", "17"},
      {"EntropyValueSetSize", "1", "65536", "65537"},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    CU_ASSERT_EQUAL(assign(ranges[i][0], ranges[i][1]), SGF_OK);
    CU_ASSERT_EQUAL(assign(ranges[i][0], ranges[i][2]), SGF_OK);
    CU_ASSERT_EQUAL(assign(ranges[i][0], ranges[i][3]), SGF_RANGE);
  }
  CU_ASSERT_EQUAL(assign("EntropyValueSetSize", "0"), SGF_RANGE);
  CU_ASSERT_EQUAL(assign("PacketSprayingType", "Flowlet"), SGF_RANGE);
}

/* ---- None, Default Packet Spraying ------------------------------------------------------------------------------- */

/* Whether the next packets have the ports from `first` on, modulo 65,536. */
static bool is_in_turn(spraying_t* rig, unsigned first, unsigned count)
{
  bool in_turn = true;
  for (unsigned i = 0; i < count; i++)
    in_turn &= spraying_next(rig) == (first + i) % 65536;
  return in_turn;
}

SGF_TEST(UN_139_ports_256_to_383_in_turn)
{
  spraying_t rig = spraying_new(NULL);
  spraying_begin(&rig);
  CU_ASSERT(is_in_turn(&rig, 256, 128)); /* of a message of 256 packets each is used twice */
  CU_ASSERT(is_in_turn(&rig, 256, 128));
  spraying_end(&rig);
}

SGF_TEST(UN_140_without_mask_bits_there_is_one_port)
{
  spraying_t rig = spraying_new(CC_SETTINGS("EntropyMaskBits", "0"));
  spraying_begin(&rig);
  for (int i = 0; i < 100; i++)
    CU_ASSERT_EQUAL(spraying_next(&rig), 256);
  spraying_end(&rig);
}

SGF_TEST(UN_140_eight_mask_bits_are_256_ports)
{
  spraying_t rig = spraying_new(CC_SETTINGS("EntropyMaskBits", "8"));
  spraying_begin(&rig);
  CU_ASSERT(is_in_turn(&rig, 256, 256));
  CU_ASSERT(is_in_turn(&rig, 256, 1));
  spraying_end(&rig);
}

SGF_TEST(UN_141_ports_wrap_past_65535)
{
  spraying_t rig = spraying_new(CC_SETTINGS("StartingPortOffset", "65535", "EntropyMaskBits", "8"));
  spraying_begin(&rig);
  CU_ASSERT(is_in_turn(&rig, 65535, 256));
  CU_ASSERT_EQUAL(spraying_next(&rig), 65535);
  spraying_end(&rig);
}

SGF_TEST(UN_139_the_rotation_listens_to_no_feedback)
{
  spraying_t rig = spraying_new(NULL);
  spraying_begin(&rig);
  recycle(&rig, 9);
  spray_path_failed(&rig.spray, 0);
  CU_ASSERT(is_in_turn(&rig, 256, 128));
  CU_ASSERT_PTR_NULL(rig.spray.cache);
  spraying_end(&rig);
}

SGF_TEST(a_new_group_starts_afresh)
{
  spraying_t rig = spraying_new(NULL);
  spraying_begin(&rig);
  CU_ASSERT(is_in_turn(&rig, 256, 50));
  spraying_begin(&rig);
  CU_ASSERT(is_in_turn(&rig, 256, 50));
  spraying_end(&rig);
}

SGF_TEST(UN_143_without_spraying_there_is_one_port)
{
  spraying_t rig = spraying_new(CC_SETTINGS("PacketSprayingType", "None"));
  spraying_begin(&rig);
  recycle(&rig, 9);
  spray_path_failed(&rig.spray, 0);
  for (int i = 0; i < 300; i++)
    CU_ASSERT_EQUAL(spraying_next(&rig), SPRAYING_ONLY_PORT);
  spraying_end(&rig);
}

/* ---- REPS: cache ------------------------------------------------------------------------------------------------- */

SGF_TEST(UN_144_draws_fill_0_to_65535)
{
  spraying_t rig = spraying_new(CC_SETTINGS(SPRAYING_REPS));
  spraying_begin(&rig);
  uint16_t low = UINT16_MAX, high = 0;
  for (int i = 0; i < 1000000; i++) {
    const uint16_t value = spraying_next(&rig);
    low                  = value < low ? value : low;
    high                 = value > high ? value : high;
  }
  CU_ASSERT_EQUAL(low, 0);
  CU_ASSERT_EQUAL(high, UINT16_MAX);
  spraying_end(&rig);
}

SGF_TEST(UN_144_draws_stay_below_the_size_of_the_set)
{
  spraying_t rig = spraying_new(CC_SETTINGS(SPRAYING_REPS, "EntropyValueSetSize", "5"));
  spraying_begin(&rig);
  unsigned seen = 0;
  for (int i = 0; i < 1000; i++)
    seen |= 1U << spraying_next(&rig);
  CU_ASSERT_EQUAL(seen, 0x1f);
  spraying_end(&rig);
}

/* Explorers are told from recycled values by drawing from {0} alone. */
#define REPS_SETTINGS(...) CC_SETTINGS(SPRAYING_REPS, "EntropyValueSetSize", "1", __VA_ARGS__)
#define REPS_DEFAULTS CC_SETTINGS(SPRAYING_REPS, "EntropyValueSetSize", "1")

SGF_TEST(UN_147_the_first_of_nine_recycled_values_is_lost)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  spraying_begin(&rig);
  for (uint16_t value = 101; value <= 109; value++)
    recycle(&rig, value);
  CU_ASSERT(is_in_turn(&rig, 102, 8));
  CU_ASSERT_EQUAL(spraying_next(&rig), 0);
  spraying_end(&rig);
}

SGF_TEST(UN_147_a_recycled_value_is_used_once)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  spraying_begin(&rig);
  recycle(&rig, 7);
  recycle(&rig, 8);
  CU_ASSERT_EQUAL(spraying_next(&rig), 7);
  recycle(&rig, 9);
  CU_ASSERT_EQUAL(spraying_next(&rig), 8);
  CU_ASSERT_EQUAL(spraying_next(&rig), 9);
  CU_ASSERT_EQUAL(spraying_next(&rig), 0);
  spraying_end(&rig);
}

SGF_TEST(UN_147_a_value_that_is_cached_costs_no_draw)
{
  spraying_t rig = spraying_new(CC_SETTINGS(SPRAYING_REPS));
  spraying_begin(&rig);
  recycle(&rig, 7);
  CU_ASSERT_EQUAL(spraying_next(&rig), 7);
  opp_rng_t* fresh = opp_rng_new(1, 0, 0);
  CU_ASSERT_EQUAL(opp_rng_uint64(rig.rng), opp_rng_uint64(fresh));
  free(fresh);
  spraying_end(&rig);
}

SGF_TEST(UN_147_a_new_group_begins_with_an_empty_cache)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  spraying_begin(&rig);
  recycle(&rig, 7);
  spray_path_failed(&rig.spray, 0);
  spraying_begin(&rig);
  CU_ASSERT_EQUAL(spraying_next(&rig), 0);
  CU_ASSERT_FALSE(rig.spray.freezing);
  spraying_end(&rig);
}

SGF_TEST(UN_154_the_same_stream_gives_the_same_values)
{
  spraying_t one = spraying_new(CC_SETTINGS(SPRAYING_REPS));
  spraying_t two = spraying_new(CC_SETTINGS(SPRAYING_REPS));
  spraying_begin(&one);
  spraying_begin(&two);
  for (int i = 0; i < 1000; i++)
    CU_ASSERT_EQUAL(spraying_next(&one), spraying_next(&two));
  spraying_end(&one);
  spraying_end(&two);
}

/* ---- REPS: freezing ---------------------------------------------------------------------------------------------- */

SGF_TEST(UN_149_while_freezing_entries_are_used_and_then_used_again_in_turn)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  spraying_begin(&rig);
  for (uint16_t value = 101; value <= 110; value++) /* 103 to 110 are left; the ring has gone round */
    recycle(&rig, value);
  CU_ASSERT(is_in_turn(&rig, 103, 5));
  spray_path_failed(&rig.spray, 0);
  CU_ASSERT(is_in_turn(&rig, 108, 3));
  CU_ASSERT(is_in_turn(&rig, 103, 8));
  CU_ASSERT(is_in_turn(&rig, 103, 8));
  spraying_end(&rig);
}

SGF_TEST(UN_149_a_cache_that_was_never_full_is_used_again_in_turn)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  spraying_begin(&rig);
  for (uint16_t value = 101; value <= 103; value++)
    recycle(&rig, value);
  spray_path_failed(&rig.spray, 0);
  for (int i = 0; i < 5; i++)
    CU_ASSERT(is_in_turn(&rig, 101, 3));
  spraying_end(&rig);
}

SGF_TEST(UN_149_a_value_recycled_while_freezing_goes_first)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  spraying_begin(&rig);
  recycle(&rig, 101);
  recycle(&rig, 102);
  CU_ASSERT(is_in_turn(&rig, 101, 2));
  spray_path_failed(&rig.spray, 0);
  CU_ASSERT_EQUAL(spraying_next(&rig), 101);
  recycle(&rig, 55);
  CU_ASSERT_EQUAL(spraying_next(&rig), 55);
  CU_ASSERT_EQUAL(spraying_next(&rig), 102);
  CU_ASSERT_EQUAL(spraying_next(&rig), 55); /* an entry like the others by now */
  CU_ASSERT_EQUAL(spraying_next(&rig), 101);
  spraying_end(&rig);
}

SGF_TEST(UN_149_while_freezing_nothing_is_drawn)
{
  spraying_t rig = spraying_new(CC_SETTINGS(SPRAYING_REPS));
  spraying_begin(&rig);
  recycle(&rig, 7);
  spray_path_failed(&rig.spray, 0);
  for (int i = 0; i < 10; i++)
    CU_ASSERT_EQUAL(spraying_next(&rig), 7);
  opp_rng_t* fresh = opp_rng_new(1, 0, 0);
  CU_ASSERT_EQUAL(opp_rng_uint64(rig.rng), opp_rng_uint64(fresh));
  free(fresh);
  spraying_end(&rig);
}

SGF_TEST(UN_149_with_nothing_ever_cached_freezing_explores)
{
  spraying_t rig  = spraying_new(CC_SETTINGS(SPRAYING_REPS));
  spraying_t calm = spraying_new(CC_SETTINGS(SPRAYING_REPS));
  spraying_begin(&rig);
  spraying_begin(&calm);
  spray_path_failed(&rig.spray, 0);
  for (int i = 0; i < 100; i++)
    CU_ASSERT_EQUAL(spraying_next(&rig), spraying_next(&calm));
  spraying_end(&rig);
  spraying_end(&calm);
}

/* A path that failed at 10 us, and a value recycled so much later. */
static bool is_frozen_after(opp_simtime_t time)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  spraying_begin(&rig);
  spray_path_failed(&rig.spray, CC_US(10));
  spray_recycle(&rig.spray, 7, CC_US(10) + time);
  const bool is_frozen = rig.spray.freezing;
  CU_ASSERT_EQUAL(rig.spray.exploration, is_frozen ? 0 : SPRAYING_EXPLORATION);
  spraying_end(&rig);
  return is_frozen;
}

SGF_TEST(UN_150_freezing_ends_with_feedback_after_100_us)
{
  CU_ASSERT_TRUE(is_frozen_after(CC_US(99)));
  CU_ASSERT_TRUE(is_frozen_after(CC_US(100) - 1));
  CU_ASSERT_FALSE(is_frozen_after(CC_US(100))); /* B23 */
  CU_ASSERT_FALSE(is_frozen_after(CC_US(101)));
}

SGF_TEST(UN_150_freezing_does_not_end_by_itself)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  spraying_begin(&rig);
  recycle(&rig, 7);
  spray_path_failed(&rig.spray, 0);
  for (int i = 0; i < 1000; i++)
    CU_ASSERT_EQUAL(spraying_next(&rig), 7);
  CU_ASSERT_TRUE(rig.spray.freezing);
  spraying_end(&rig);
}

SGF_TEST(UN_151_a_failure_while_freezing_does_not_prolong_it)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  spraying_begin(&rig);
  spray_path_failed(&rig.spray, 0);
  spray_path_failed(&rig.spray, CC_US(90));
  spray_recycle(&rig.spray, 7, CC_US(100));
  CU_ASSERT_FALSE(rig.spray.freezing);
  spraying_end(&rig);
}

/* A group whose freezing has just ended. */
static void thaw(spraying_t* rig)
{
  spraying_begin(rig);
  spray_path_failed(&rig->spray, 0);
  spray_recycle(&rig->spray, 7, rig->config.freezing_timeout);
}

SGF_TEST(UN_151_a_failure_while_exploring_freezes_nothing)
{
  spraying_t rig = spraying_new(REPS_DEFAULTS);
  thaw(&rig);
  for (int i = 0; i < SPRAYING_EXPLORATION; i++) {
    spray_path_failed(&rig.spray, CC_US(200));
    CU_ASSERT_FALSE(rig.spray.freezing);
    spraying_next(&rig);
  }
  spray_path_failed(&rig.spray, CC_US(200));
  CU_ASSERT_TRUE(rig.spray.freezing);
  spraying_end(&rig);
}

/* ---- REPS: exploration ------------------------------------------------------------------------------------------- */

SGF_TEST(UN_145_a_window_is_71_packets)
{
  CU_ASSERT_EQUAL((int)(nscc_bandwidth_delay(400, CC_US(6)) / CC_M), SPRAYING_EXPLORATION);
}

/* The packets behind the end of freezing that explore although a value is cached. */
static unsigned explorers(spraying_t* rig, unsigned* packets)
{
  unsigned count = 0;
  thaw(rig);
  for (unsigned j = 1; j <= SPRAYING_EXPLORATION + 20; j++) {
    recycle(rig, 7);
    if (spraying_next(rig) == 0)
      packets[count++] = j;
  }
  spraying_end(rig);
  return count;
}

SGF_TEST(UN_145_each_eighth_packet_of_the_window_explores)
{
  static const unsigned expected[] = {7, 15, 23, 31, 39, 47, 55, 63, 71};
  spraying_t rig                   = spraying_new(REPS_DEFAULTS);
  unsigned packets[SPRAYING_EXPLORATION + 20];
  CU_ASSERT_EQUAL_FATAL(explorers(&rig, packets), sizeof expected / sizeof *expected);
  CU_ASSERT_EQUAL(memcmp(packets, expected, sizeof expected), 0);
}

SGF_TEST(UN_146_with_one_entry_all_71_explore)
{
  spraying_t rig = spraying_new(REPS_SETTINGS("REPSBufferSizeMaskBits", "0"));
  unsigned packets[SPRAYING_EXPLORATION + 20];
  CU_ASSERT_EQUAL(explorers(&rig, packets), SPRAYING_EXPLORATION);
  CU_ASSERT_EQUAL(packets[SPRAYING_EXPLORATION - 1], SPRAYING_EXPLORATION);
}

SGF_TEST(UN_146_with_128_entries_the_71st_explores)
{
  spraying_t rig = spraying_new(REPS_SETTINGS("REPSBufferSizeMaskBits", "7"));
  unsigned packets[SPRAYING_EXPLORATION + 20];
  CU_ASSERT_EQUAL(explorers(&rig, packets), 1);
  CU_ASSERT_EQUAL(packets[0], SPRAYING_EXPLORATION);
}

SGF_TEST(UN_145_an_explorer_leaves_the_cache_as_it_is)
{
  spraying_t rig = spraying_new(REPS_SETTINGS("REPSBufferSizeMaskBits", "0"));
  thaw(&rig);
  for (int j = 1; j <= SPRAYING_EXPLORATION; j++)
    CU_ASSERT_EQUAL(spraying_next(&rig), 0);
  CU_ASSERT_EQUAL(spraying_next(&rig), 7);
  spraying_end(&rig);
}

/* ---- Early failure detection ------------------------------------------------------------------------------------- */

static opp_simtime_t deadline(const char* const* settings, opp_simtime_t base_rtt)
{
  spraying_t rig = spraying_new(settings);
  spraying_begin(&rig);
  const opp_simtime_t after = spray_failure_deadline(&rig.spray, base_rtt);
  spraying_end(&rig);
  return after;
}

SGF_TEST(UN_152_a_path_has_failed_after_three_base_RTTs)
{
  CU_ASSERT_EQUAL(deadline(CC_SETTINGS(SPRAYING_REPS), CC_US(6)), CC_US(18));
  CU_ASSERT_EQUAL(deadline(CC_SETTINGS(SPRAYING_REPS), 5500000), 16500000);
}

SGF_TEST(UN_152_with_a_multiplier_of_0_never)
{
  CU_ASSERT_EQUAL(deadline(CC_SETTINGS(SPRAYING_REPS, "FailureDetectionRTTMultiplier", "0"), CC_US(6)), -1);
}

SGF_TEST(UN_152_beyond_all_dates_never)
{
  CU_ASSERT_EQUAL(deadline(CC_SETTINGS(SPRAYING_REPS, "FailureDetectionRTTMultiplier", "4294967295"), 22 * OPP_S), -1);
}

SGF_TEST(UN_152_other_types_detect_nothing)
{
  CU_ASSERT_EQUAL(deadline(NULL, CC_US(6)), -1);
  CU_ASSERT_EQUAL(deadline(CC_SETTINGS("PacketSprayingType", "None"), CC_US(6)), -1);
}
