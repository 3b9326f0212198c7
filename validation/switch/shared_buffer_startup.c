/* Start-up of the shared buffer: spec/switch.md 10.1, 10.2, 10.13 and 10.15, by arithmetic over its results. */
#include "shared_buffer_support.h"

#include "harness.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- 10.1 Start-up, D128 */

SGF_TEST(SW_01_headroom_comes_off_first)
{
  sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS(NULL));
  CU_ASSERT_EQUAL(config.total_bytes, 256000000);
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(sb), 32768000);
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(sb), 223232000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_02_pools_divide_the_rest_exactly)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 200908800);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 22323200);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0) + sgf_sb_pool_size(sb, 1), 223232000);
  for (unsigned pool = 2; pool < SGF_SB_POOLS; pool++)
    CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, pool), 0);
  sgf_sb_free(sb);
}

SGF_TEST(SW_03_pools_are_smaller_than_their_share_of_the_whole_buffer)
{
  sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS(NULL));
  sgf_shared_buffer_t* sb           = sb_d128();
  const int64_t shares[]            = {230400000, 25600000};
  for (unsigned pool = 0; pool < 2; pool++) {
    CU_ASSERT_EQUAL(sgf_decimal_of(config.pool_share[pool], config.total_bytes), shares[pool]);
    CU_ASSERT(sgf_sb_pool_size(sb, pool) < shares[pool]);
  }
  sgf_sb_free(sb);
}

SGF_TEST(SW_04_classes_and_priority_groups)
{
  sgf_shared_buffer_t* sb = sb_d128();
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++) {
    CU_ASSERT_EQUAL(sgf_sb_pool_of(sb, tc), tc == 1 ? 1 : 0);
    CU_ASSERT_EQUAL(sgf_sb_lossless(sb, tc), tc <= 1);
  }
  CU_ASSERT_EQUAL(sgf_sb_group(sb, 0), 1u << 0);
  CU_ASSERT_EQUAL(sgf_sb_group(sb, 1), 1u << 1);
  sgf_sb_free(sb);
}

SGF_TEST(SW_05_static_limit_is_the_pool)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT_EQUAL(sgf_sb_static_limit(sb, 0), 200908800);
  CU_ASSERT_EQUAL(sgf_sb_static_limit(sb, 1), 22323200);
  CU_ASSERT(sb_ecn_band_is(sb, 0, 40181760, 160727040));
  CU_ASSERT(sb_ecn_band_is(sb, 1, 4464640, 17858560));
  sgf_sb_free(sb);
}

SGF_TEST(SW_06_pfc_thresholds_and_headroom_of_each_lossless_pool)
{
  sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS(NULL));
  CU_ASSERT_EQUAL(config.xoff, 700000);
  CU_ASSERT_EQUAL(config.xon, 300000);
  CU_ASSERT_EQUAL(config.xoff - config.xon, 400000);
  sgf_shared_buffer_t* sb = sb_d128();
  for (unsigned tc = 0; tc < 2; tc++) {
    CU_ASSERT(sb_arrive_all(sb, 5, tc, 175, SGF_SB_TO_POOL));
    CU_ASSERT(sb_arrive_all(sb, 5, tc, 1, SGF_SB_TO_POOL_PAUSE));
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 5, tc, 256000), SGF_SB_TO_HEADROOM);
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 5, tc, 46), SGF_SB_DROP_HEADROOM);
    CU_ASSERT_EQUAL(sgf_sb_headroom(sb, 5, tc), 256000);
  }
  sgf_sb_free(sb);
}

SGF_TEST(SW_13_fewer_ports_leave_more_for_the_pools)
{
  sgf_shared_buffer_t* sb = sb_start(64, SB_SETTINGS(NULL));
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(sb), 16384000);
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(sb), 239616000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 215654400);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 23961600);
  sgf_sb_free(sb);
}

/* ----------------------------------------------------------------------------------------- 10.2 Fixed egress limits */

SGF_TEST(SW_14_equal_share_of_each_pool)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_SHARE));
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), 1569600);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 1), 174400);
  for (unsigned pool = 0; pool < 2; pool++)
    CU_ASSERT_EQUAL(128 * sgf_sb_queue_limit(sb, pool), sgf_sb_pool_size(sb, pool));
  sgf_sb_free(sb);
}

SGF_TEST(SW_15_fixed_cap)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_CAP));
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), 1500000);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 1), 1500000);
  double sum = 128.0 * (double)sgf_sb_queue_limit(sb, 0);
  CU_ASSERT_EQUAL(sum, 192000000);
  CU_ASSERT_DOUBLE_EQUAL(sum / (double)sgf_sb_pool_size(sb, 0), 0.96, 0.005);
  CU_ASSERT_DOUBLE_EQUAL(sum / (double)sgf_sb_pool_size(sb, 1), 8.60, 0.005);
  sgf_sb_free(sb);
}

SGF_TEST(SW_18_limits_for_any_number_of_ports)
{
  for (unsigned n = 2; n <= 256; n = n * 3 / 2) {
    sgf_shared_buffer_t* share   = sb_start(n, SB_SETTINGS(SB_FIXED_SHARE));
    sgf_shared_buffer_t* dynamic = sb_start(n, SB_SETTINGS("LossyAlpha", "1"));
    sgf_shared_buffer_t* cap     = sb_start(n, SB_SETTINGS(SB_FIXED_CAP));
    int64_t size                 = sgf_sb_pool_size(share, 0);
    CU_ASSERT_EQUAL(sgf_sb_queue_limit(share, 0), size / n);
    CU_ASSERT(n * sgf_sb_queue_limit(share, 0) <= size && (sgf_sb_queue_limit(share, 0) + 1) * n > size);
    CU_ASSERT(n * sgf_sb_queue_limit(dynamic, 0) > size);
    CU_ASSERT_EQUAL(sgf_sb_queue_limit(cap, 0), 1500000);
    sgf_sb_free(share);
    sgf_sb_free(dynamic);
    sgf_sb_free(cap);
  }
}

SGF_TEST(SW_19_lossy_alpha_changes_stage_4_only)
{
  sgf_shared_buffer_t* a1 = sb_d128();
  sgf_shared_buffer_t* a0 = sb_start(128, SB_SETTINGS(SB_FIXED_SHARE));
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(a0), sgf_sb_headroom_total(a1));
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(a0), sgf_sb_sizing_total(a1));
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
    CU_ASSERT_EQUAL(sgf_sb_pool_size(a0, pool), sgf_sb_pool_size(a1, pool));
    CU_ASSERT_EQUAL(sgf_sb_pool_raw_size(a0, pool), sgf_sb_pool_raw_size(a1, pool));
    CU_ASSERT_EQUAL(sgf_sb_group(a0, pool), sgf_sb_group(a1, pool));
    CU_ASSERT_EQUAL(sgf_sb_static_limit(a0, pool) != sgf_sb_static_limit(a1, pool), pool < 2);
  }
  CU_ASSERT(sb_arrive_all(a0, 0, 0, 175, SGF_SB_TO_POOL)); /* Xoff */
  CU_ASSERT(sb_arrive_all(a0, 0, 0, 1, SGF_SB_TO_POOL_PAUSE));
  unsigned departures = 0;
  for (bool resumed = false; !resumed && departures < 176; departures++) {
    CU_ASSERT_EQUAL(sb_queue(a0, 0, 1, 0, SB_PACKET), SGF_SB_QUEUED);
    resumed = sgf_sb_depart(a0, 0, 0, 1, 0, SB_PACKET);
  }
  CU_ASSERT_EQUAL(departures, 101); /* Xon */
  sgf_sb_free(a0);
  sgf_sb_free(a1);
}

SGF_TEST(SW_23_ecn_band_of_each_form)
{
  sgf_shared_buffer_t* dynamic = sb_d128();
  CU_ASSERT(sb_ecn_band_is(dynamic, 0, 40181760, 160727040));
  CU_ASSERT(sb_ecn_band_is(dynamic, 1, 4464640, 17858560));
  sgf_sb_free(dynamic);
  sgf_shared_buffer_t* share = sb_start(128, SB_SETTINGS(SB_FIXED_SHARE));
  CU_ASSERT(sb_ecn_band_is(share, 0, 313920, 1255680));
  CU_ASSERT(sb_ecn_band_is(share, 1, 34880, 139520));
  sgf_sb_free(share);
  sgf_shared_buffer_t* cap = sb_start(128, SB_SETTINGS(SB_FIXED_CAP));
  CU_ASSERT(sb_ecn_band_is(cap, 0, 300000, 1200000));
  CU_ASSERT(sb_ecn_band_is(cap, 1, 300000, 1200000));
  sgf_sb_free(cap);
}

/* ------------------------------------------------------------------------------- 10.13 Start-up errors and odd maps */

SGF_TEST(SW_82_headroom_of_all_ports_against_the_buffer)
{
  CU_ASSERT(sb_stops(128, SB_SETTINGS("HeadRoomPerPortLimit", "2000001B"), "HeadRoomPerPortLimit"));
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS("HeadRoomPerPortLimit", "2000000B"));
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(sb), 256000000);
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(sb), 0);
  sgf_sb_free(sb);
}

SGF_TEST(SW_83_excess_is_taken_from_the_last_pool)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS("PoolAllocationMap", "[0.9, 0.2, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 22323200);
  CU_ASSERT_EQUAL(sgf_sb_pool_raw_size(sb, 1), 44646400);
  CU_ASSERT(sb_ecn_band_is(sb, 1, 8929280, 35717120));
  sgf_sb_free(sb);
}

SGF_TEST(SW_84_excess_above_the_last_entry_stops)
{
  CU_ASSERT(sb_stops(128, SB_SETTINGS("PoolAllocationMap", "[0.9, 0.2, 0.05, 0, 0, 0, 0, 0]"), "PoolAllocationMap"));
}

SGF_TEST(SW_85_shortfall_goes_to_the_last_pool)
{
  const char* map         = "[0.5, 0.3, 0, 0, 0, 0, 0, 0]";
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS("PoolAllocationMap", map));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 111616000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 111616000);
  CU_ASSERT_EQUAL(sgf_sb_pool_raw_size(sb, 1), 66969600);
  CU_ASSERT(sb_ecn_band_is(sb, 1, 13393920, 53575680));
  sgf_sb_free(sb);
  sb = sb_start(128, SB_SETTINGS("PoolAllocationMap", map, SB_FIXED_SHARE));
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 1), 523200);
  sgf_sb_free(sb);
}

SGF_TEST(SW_86_malformed_lists_stop)
{
  const struct {
    const char* name;
    const char* value;
  } refused[] = {
      {"PoolAllocationMap", "[0.9, 0.1, 0, 0, 0, 0, 0]"},
      {"PoolAllocationMap", "[0.9, 0.1, 0, 0, 0, 0, 0, 0, 0]"},
      {"PoolAllocationMap", "[most, 0.1, 0, 0, 0, 0, 0, 0]"},
      {"TrafficClassPoolMapping", "[0, 1, 0, 0, 0, 0, 0]"},
      {"TrafficClassPoolMapping", "[0, 1, 0, 0, 0, 0, 0, 0, 0]"},
      {"TrafficClassPoolMapping", "[0, 1.5, 0, 0, 0, 0, 0, 0]"},
      {"TrafficClassPoolMapping", "[0, one, 0, 0, 0, 0, 0, 0]"},
      {"EnablePFC", "[1, 1, 0, 0, 0, 0, 0]"},
      {"EnablePFC", "[1, 1, 0, 0, 0, 0, 0, 0, 0]"},
      {"EnablePFC", "[1, 1.5, 0, 0, 0, 0, 0, 0]"},
      {"EnablePFC", "[1, on, 0, 0, 0, 0, 0, 0]"},
  };
  sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS(NULL));
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    sgf_error_t error = {0};
    CU_ASSERT_NOT_EQUAL(sgf_attr_set_value(&sb_attributes, &config, refused[i].name, refused[i].value, &error), SGF_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, refused[i].name));
  }
  CU_ASSERT(sb_stops(128, SB_SETTINGS("PoolAllocationMap", "[0, 0, 0, 0, 0, 0, 0, 0]"), "PoolAllocationMap"));
}

SGF_TEST(SW_110_excess_equal_to_the_last_entry_is_accepted)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS("PoolAllocationMap", "[1.0, 0.1, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 223232000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 0);
  CU_ASSERT_EQUAL(sgf_sb_pool_raw_size(sb, 1), 22323200);
  sgf_sb_free(sb);
}

SGF_TEST(SW_111_rounding_goes_to_the_last_pool)
{
  sgf_shared_buffer_t* sb = sb_start(7, SB_SETTINGS("PoolAllocationMap", "[0.33333, 0.33333, 0.33334, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(sb), 254208000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 84735152);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 84735152);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 2), 84737696);
  CU_ASSERT_EQUAL(sgf_sb_pool_raw_size(sb, 2), 84737694);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0) + sgf_sb_pool_size(sb, 1) + sgf_sb_pool_size(sb, 2), 254208000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_112_pools_0_and_3_only)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_TC1_LOSSY, "PoolAllocationMap", "[0.5, 0, 0, 0.4, 0, 0, 0, 0]",
                                                      "TrafficClassPoolMapping", "[0, 3, 0, 0, 0, 0, 0, 0]"));
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, pool), pool == 0 || pool == 3 ? 111616000 : 0);
  CU_ASSERT_EQUAL(sgf_sb_pool_raw_size(sb, 3), 89292800);
  CU_ASSERT_EQUAL(sgf_sb_group(sb, 3), 0);
  CU_ASSERT_EQUAL(sgf_sb_pool_of(sb, 1), 3);
  sgf_sb_free(sb);
}
