/* The shared buffer under the UET policy, and trimming: spec/switch.md 9, replays of 10.14 and 10.15, call by call. */
#include "shared_buffer_support.h"

#include "harness.h"

#include <string.h>

enum {
  DATA    = 4184, /* charge of a UET data packet with a full payload, bytes */
  TRIMMED = 46,   /* of what trimming leaves of it: 44 B, fewer than the smallest charge */
  TC_DATA = 0,
  TC_CUT  = 1,
  TC_ACK  = 2,
  IN      = 3,
  OUT     = 5,
  UET_TCS = 3,
};

#define UET "UETPolicyEnabled", "true"
#define ALL_LOSSY "EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]"

static sgf_shared_buffer_t* start_trimming(const char* const* settings)
{
  sgf_shared_buffer_config_t config = sb_configure(settings);
  config.trimming                   = true;
  sgf_error_t error                 = {0};
  sgf_shared_buffer_t* sb           = sgf_sb_new(&config, 128, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sb);
  return sb;
}

/* D128 with trimming on, or under the UET policy without it and with all classes lossy. */
static sgf_shared_buffer_t* uet_128(bool trimming)
{
  return trimming ? start_trimming(SB_SETTINGS(UET, ALL_LOSSY)) : sb_start(128, SB_SETTINGS(UET, ALL_LOSSY));
}

/* Data packets that go from IN to the queue of OUT before one is refused; that one is still in the buffer. */
static unsigned fill_with_data(sgf_shared_buffer_t* sb, sgf_sb_limit_t limit)
{
  for (unsigned queued = 0;; queued++) {
    CU_ASSERT_EQUAL_FATAL(sgf_sb_arrive(sb, IN, TC_DATA, DATA), SGF_SB_TO_POOL);
    sgf_sb_queueing_t verdict = sgf_sb_queue(sb, OUT, TC_DATA, DATA, limit);
    if (verdict == SGF_SB_QUEUED)
      continue;
    CU_ASSERT_EQUAL(verdict, SGF_SB_DROP_QUEUE_LIMIT);
    return queued;
  }
}

static bool holds(const sgf_shared_buffer_t* sb, int64_t ingress_pool_0, int64_t egress_pool_0, int64_t egress_pool_1)
{
  return sgf_sb_occupancy(sb, IN, 0) == ingress_pool_0 && sgf_sb_pool_total(sb, 0) == ingress_pool_0 &&
         sgf_sb_occupancy(sb, IN, 1) == 0 && sgf_sb_pool_total(sb, 1) == 0 &&
         sgf_sb_egress_queue(sb, OUT, 0) == egress_pool_0 && sgf_sb_egress_total(sb, 0) == egress_pool_0 &&
         sgf_sb_egress_queue(sb, OUT, 1) == egress_pool_1 && sgf_sb_egress_total(sb, 1) == egress_pool_1 &&
         sgf_sb_port_queued(sb, OUT) == egress_pool_0 + egress_pool_1;
}

/* ------------------------------------------------------------------------------------------- 10.14 Start-up (9.1, 9.2)
 */

SGF_TEST(SW_87_three_pools_as_1_5_to_1_to_1)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(UET));
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(sb), 32768000); /* stage 1 as ever */
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(sb), 223232000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 95670857);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 63780571);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 2), 63780572);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0) + sgf_sb_pool_size(sb, 1) + sgf_sb_pool_size(sb, 2), 223232000);
  for (unsigned pool = 3; pool < SGF_SB_POOLS; pool++)
    CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, pool), 0);
  sgf_sb_free(sb);
}

SGF_TEST(SW_87_pools_are_whole_bytes_of_any_sizing_total)
{
  for (int64_t total = 0; total < 15; total++) {
    sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS(UET));
    config.headroom_per_port          = 0;
    config.total_bytes                = total;
    sgf_shared_buffer_t* sb           = sgf_sb_new(&config, 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sb);
    int64_t sizes[UET_TCS];
    for (unsigned pool = 0; pool < UET_TCS; pool++)
      sizes[pool] = sgf_sb_pool_size(sb, pool);
    CU_ASSERT(7 * sizes[0] <= 3 * total && 3 * total < 7 * (sizes[0] + 1));
    CU_ASSERT(7 * sizes[1] <= 2 * total && 2 * total < 7 * (sizes[1] + 1));
    CU_ASSERT_EQUAL(sizes[0] + sizes[1] + sizes[2], total);
    sgf_sb_free(sb);
  }
}

/* A map of zeros or a mapping to a pool that is not there would stop another switch (S-04, O-05). */
SGF_TEST(SW_87_the_maps_are_not_used)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(UET, "PoolAllocationMap", "[0, 0, 0, 0, 0, 0, 0, 0]",
                                                      "TrafficClassPoolMapping", "[7, 7, 7, 7, 7, 7, 7, 7]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 95670857);
  CU_ASSERT_EQUAL(sgf_sb_pool_of(sb, TC_DATA), 0);
  sgf_sb_free(sb);
}

SGF_TEST(SW_88_class_k_uses_pool_k)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(UET, "EnablePFC", "[1, 1, 1, 1, 1, 1, 1, 1]"));
  for (unsigned tc = 0; tc < UET_TCS; tc++) {
    CU_ASSERT_EQUAL(sgf_sb_pool_of(sb, tc), tc);
    CU_ASSERT(sgf_sb_lossless(sb, tc));
    CU_ASSERT_EQUAL(sgf_sb_group(sb, tc), 1u << tc);
  }
  for (unsigned tc = UET_TCS; tc < SGF_SB_CLASSES; tc++) /* do not occur, so no pause may name them */
    CU_ASSERT_FALSE(sgf_sb_lossless(sb, tc));
  sgf_sb_free(sb);
}

/* --------------------------------------------------------------------------------------------------- Limits (9.3, 9.4)
 */

static void check_limits(const sgf_shared_buffer_t* sb, int64_t normal, int64_t retransmission)
{
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
    CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, pool), pool < UET_TCS ? normal : 0);
    CU_ASSERT_EQUAL(sgf_sb_retransmission_limit(sb, pool), pool < UET_TCS ? retransmission : 0);
    CU_ASSERT_EQUAL(sgf_sb_static_limit(sb, pool), pool < UET_TCS ? normal : 0); /* O-31 */
  }
}

SGF_TEST(SW_89_fixed_limits)
{
  sgf_shared_buffer_t* sb = uet_128(true);
  check_limits(sb, 300000, 450000);
  sgf_sb_free(sb);
  sb = uet_128(false);
  check_limits(sb, 1500000, 2250000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_89_neither_LossyAlpha_nor_QueueDropThresholdEnable_is_read)
{
  static const char* const alphas[] = {"0", "0.25", "1", "100"};
  for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
    sgf_shared_buffer_t* sb =
        sb_start(128, SB_SETTINGS(UET, "LossyAlpha", alphas[i], "QueueDropThresholdEnable", i % 2 ? "true" : "false"));
    check_limits(sb, 1500000, 2250000);
    sgf_sb_free(sb);
  }
}

SGF_TEST(SW_89_QueueDropThreshold_is_not_read_with_trimming)
{
  sgf_shared_buffer_t* sb = start_trimming(SB_SETTINGS(UET, ALL_LOSSY, "QueueDropThreshold", "2", "PlaneBDP", "100KB"));
  check_limits(sb, 100000, 150000);
  sgf_sb_free(sb);
}

/* 3/2 of 101 B is 151.5 B: 151 B fit, 152 B do not. */
SGF_TEST(SW_89_three_halves_are_judged_exactly)
{
  sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS(UET, ALL_LOSSY));
  config.queue_drop_threshold       = 1;
  config.plane_bdp                  = 101;
  sgf_shared_buffer_t* sb           = sgf_sb_new(&config, 2, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sb);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, 152), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_queue(sb, 1, 0, 102, SGF_SB_LIMIT_NORMAL), SGF_SB_DROP_QUEUE_LIMIT);
  CU_ASSERT_EQUAL(sgf_sb_queue(sb, 1, 0, 152, SGF_SB_LIMIT_RETRANSMISSION), SGF_SB_DROP_QUEUE_LIMIT);
  CU_ASSERT_EQUAL(sgf_sb_queue(sb, 1, 0, 151, SGF_SB_LIMIT_RETRANSMISSION), SGF_SB_QUEUED);
  sgf_sb_free(sb);

  config.queue_drop_threshold = UINT64_MAX; /* times PlaneBDP is beyond 63 bits: limits nothing */
  sb                          = sgf_sb_new(&config, 2, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sb);
  CU_ASSERT_EQUAL(sgf_sb_retransmission_limit(sb, 0), INT64_MAX);
  sgf_sb_free(sb);
}

SGF_TEST(SW_89_without_the_policy_a_retransmission_has_the_limit_of_all)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_CAP));
  CU_ASSERT_EQUAL(sgf_sb_retransmission_limit(sb, 0), 1500000);
  CU_ASSERT(sb_forward_all(sb, IN, OUT, 2, 375));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, IN, 2, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_queue(sb, OUT, 2, SB_PACKET, SGF_SB_LIMIT_RETRANSMISSION), SGF_SB_DROP_QUEUE_LIMIT);
  sgf_sb_free(sb);

  sb = sb_start(128, SB_SETTINGS("LossyAlpha", "0.5"));
  CU_ASSERT_EQUAL(sgf_sb_retransmission_limit(sb, 0), sgf_sb_queue_limit(sb, 0));
  sgf_sb_free(sb);
}

SGF_TEST(O_30_lossless_classes_meet_no_limit_under_the_policy)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(UET)); /* TC0 and TC1 are lossless, TC2 is not */
  for (unsigned in = 0; in < 4; in++)
    CU_ASSERT(sb_forward_all(sb, in, OUT, TC_DATA, 175));
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, OUT, 0), 2800000);
  CU_ASSERT(sb_forward_all(sb, IN, OUT, TC_ACK, 375));
  CU_ASSERT_FALSE(sb_forward(sb, IN, OUT, TC_ACK)); /* 1,500,000 B is the limit, in a pool of its own */
  sgf_sb_free(sb);
}

/* ------------------------------------------------------------------------------------------------ Stop rules (S-11,
 * S-12) */

static bool trimming_stops(const char* const* settings, const char* attribute)
{
  sgf_shared_buffer_config_t config = sb_configure(settings);
  config.trimming                   = true;
  sgf_error_t error                 = {0};
  sgf_shared_buffer_t* sb           = sgf_sb_new(&config, 128, &error);
  bool stopped                      = !sb;
  sgf_sb_free(sb);
  return stopped && error.status == SGF_RULE && strstr(error.text, "PacketTrimmer.TrimmingEnabled") &&
         strstr(error.text, attribute);
}

SGF_TEST(SW_90_and_S_11_trimming_needs_the_policy)
{
  CU_ASSERT(trimming_stops(SB_SETTINGS(ALL_LOSSY), "SharedBufferManager.UETPolicyEnabled"));
}

SGF_TEST(SW_90_and_S_12_trimming_needs_every_class_lossy)
{
  CU_ASSERT(trimming_stops(SB_SETTINGS(UET), "SharedBufferManager.EnablePFC of TC0"));
  CU_ASSERT(trimming_stops(SB_SETTINGS(UET, "EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 1]"), "EnablePFC of TC7"));
  sgf_sb_free(start_trimming(SB_SETTINGS(UET, "EnablePFC", "[0, 2, 0, 0, 0, 0, 0, 0]"))); /* not 1: lossy (O-05) */
}

/* -------------------------------------------------------------------------------------------------------------- SW-114
 */

SGF_TEST(SW_114_data_up_to_the_limit)
{
  const struct {
    bool trimming;
    sgf_sb_limit_t limit;
    unsigned packets;
    int64_t bytes;
  } cases[] = {
      {true, SGF_SB_LIMIT_NORMAL, 71, 297064},
      {true, SGF_SB_LIMIT_RETRANSMISSION, 107, 447688},
      {false, SGF_SB_LIMIT_NORMAL, 358, 1497872},
      {false, SGF_SB_LIMIT_RETRANSMISSION, 537, 2246808},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_shared_buffer_t* sb = uet_128(cases[i].trimming);
    CU_ASSERT_EQUAL(fill_with_data(sb, cases[i].limit), cases[i].packets);
    CU_ASSERT(holds(sb, cases[i].bytes + DATA, cases[i].bytes, 0));
    CU_ASSERT_FALSE(sgf_sb_discard(sb, IN, TC_DATA, DATA)); /* SW-92: what may not be trimmed is dropped */
    CU_ASSERT(holds(sb, cases[i].bytes, cases[i].bytes, 0));
    sgf_sb_free(sb);
  }
}

SGF_TEST(SW_114_the_queue_of_trimmed_packets_takes_6521)
{
  sgf_shared_buffer_t* sb = uet_128(true);
  fill_with_data(sb, SGF_SB_LIMIT_NORMAL);
  unsigned trimmed = 0;
  while (sgf_sb_trim(sb, IN, TC_DATA, OUT, TC_CUT, DATA, TRIMMED) == SGF_SB_QUEUED) {
    trimmed++;
    CU_ASSERT_EQUAL_FATAL(sgf_sb_arrive(sb, IN, TC_DATA, DATA), SGF_SB_TO_POOL);
    CU_ASSERT_EQUAL_FATAL(sgf_sb_queue(sb, OUT, TC_DATA, DATA, SGF_SB_LIMIT_NORMAL), SGF_SB_DROP_QUEUE_LIMIT);
  }
  CU_ASSERT_EQUAL(trimmed, 6521);
  CU_ASSERT(holds(sb, 297064 + 299966, 297064, 299966)); /* what was refused twice is charged nowhere */
  sgf_sb_free(sb);
}

/* --------------------------------------------------------------------------------------- Charges of a trimmed packet
 * (O-22) */

SGF_TEST(O_22_the_ingress_charge_shrinks_at_once_and_stays_in_pool_0)
{
  sgf_shared_buffer_t* sb = uet_128(true);
  CU_ASSERT_EQUAL(fill_with_data(sb, SGF_SB_LIMIT_NORMAL), 71);
  CU_ASSERT(holds(sb, 72 * DATA, 71 * DATA, 0)); /* a refusal alone releases nothing */
  CU_ASSERT_EQUAL(sgf_sb_trim(sb, IN, TC_DATA, OUT, TC_CUT, DATA, TRIMMED), SGF_SB_QUEUED);
  CU_ASSERT(holds(sb, 71 * DATA + TRIMMED, 71 * DATA, TRIMMED));
  CU_ASSERT_FALSE(sgf_sb_depart(sb, IN, TC_DATA, OUT, TC_CUT, TRIMMED));
  CU_ASSERT(holds(sb, 71 * DATA, 71 * DATA, 0));
  for (unsigned i = 0; i < 71; i++)
    CU_ASSERT_FALSE(sgf_sb_depart(sb, IN, TC_DATA, OUT, TC_DATA, DATA));
  CU_ASSERT(sgf_sb_empty(sb, NULL, 0));
  sgf_sb_free(sb);
}

/* A packet of the least charge is not cut in the accounting, only moved to the other queue. */
SGF_TEST(O_22_a_packet_of_46_bytes_keeps_its_charge)
{
  sgf_shared_buffer_t* sb = uet_128(true);
  fill_with_data(sb, SGF_SB_LIMIT_NORMAL);
  sgf_sb_discard(sb, IN, TC_DATA, DATA);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, IN, TC_DATA, TRIMMED), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_trim(sb, IN, TC_DATA, OUT, TC_CUT, TRIMMED, TRIMMED), SGF_SB_QUEUED);
  CU_ASSERT(holds(sb, 71 * DATA + TRIMMED, 71 * DATA, TRIMMED));
  sgf_sb_free(sb);
}

/* Trimmed packets of other ports can fill pool 1 before the queue's own limit does. */
SGF_TEST(O_22_pool_space_refuses_a_trimmed_packet_and_releases_it)
{
  sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS(UET, ALL_LOSSY));
  config.trimming                   = true;
  config.headroom_per_port          = 0;
  config.total_bytes                = 7 * TRIMMED; /* pools of three, two and two smallest packets */
  config.plane_bdp                  = 2 * TRIMMED;
  sgf_shared_buffer_t* sb           = sgf_sb_new(&config, 8, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sb);
  for (unsigned i = 0; i < 2; i++) { /* came in trimmed */
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, IN, TC_CUT, TRIMMED), SGF_SB_TO_POOL);
    CU_ASSERT_EQUAL(sgf_sb_queue(sb, OUT + 1, TC_CUT, TRIMMED, SGF_SB_LIMIT_NORMAL), SGF_SB_QUEUED);
  }
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, IN, TC_DATA, 3 * TRIMMED), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_queue(sb, OUT, TC_DATA, 3 * TRIMMED, SGF_SB_LIMIT_NORMAL), SGF_SB_DROP_QUEUE_LIMIT);
  CU_ASSERT_EQUAL(sgf_sb_trim(sb, IN, TC_DATA, OUT, TC_CUT, 3 * TRIMMED, TRIMMED), SGF_SB_DROP_EGRESS_POOL);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, IN, 0), 0);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 0), 0);
  CU_ASSERT_EQUAL(sgf_sb_egress_total(sb, 1), 2 * TRIMMED);
  sgf_sb_free(sb);
}

/* ------------------------------------------------------------------------------------------------ The option of O-11
 */

/* SW-99 with the option: lossy packets hold the port above Xon, and the departure of the one that brings it to Xon
 * resumes. */
SGF_TEST(O_11_with_the_option_a_lossy_departure_resumes)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS("ResumeOnLossyRelease", "true"));
  CU_ASSERT(sb_forward_all(sb, 0, 1, 2, 100));
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 76));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 76), 0);
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 2, 24), 0);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 0), 304000);
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 2, 1), 1);
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 2, 75), 0);
  CU_ASSERT_EQUAL(sgf_sb_unresumed(sb), 0);
  sgf_sb_free(sb);
}

SGF_TEST(O_11_with_the_option_a_refusal_at_egress_resumes)
{
  sgf_shared_buffer_t* sb =
      sb_start(128, SB_SETTINGS("ResumeOnLossyRelease", "true", SB_FIXED_CAP, "PlaneBDP", "1KB",
                                "StaticPoolXonThreshold", "500KB", "StaticPoolXoffThreshold", "502KB"));
  CU_ASSERT(sb_arrive_all(sb, 0, 0, 125, SGF_SB_TO_POOL)); /* at Xon exactly */
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 2, 6000), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_POOL_PAUSE);
  CU_ASSERT_EQUAL(sgf_sb_queue(sb, 1, 0, SB_PACKET, SGF_SB_LIMIT_NORMAL), SGF_SB_QUEUED);
  CU_ASSERT_FALSE(sgf_sb_depart(sb, 0, 0, 1, 0, SB_PACKET)); /* 506,000 B are left */
  CU_ASSERT_EQUAL(sgf_sb_queue(sb, 1, 2, 6000, SGF_SB_LIMIT_NORMAL), SGF_SB_DROP_QUEUE_LIMIT);
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT(sgf_sb_discard(sb, 0, 2, 6000));
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 0, 0));
  sgf_sb_free(sb);
}

SGF_TEST(O_11_without_the_option_the_departures_that_would_resume_are_counted)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_forward_all(sb, 0, 1, 2, 100));
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 76));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 76), 0);
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 2, 24), 0);
  CU_ASSERT_EQUAL(sgf_sb_unresumed(sb), 0); /* 304,000 B: no test would resume it */
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 2, 76), 0);
  CU_ASSERT_EQUAL(sgf_sb_unresumed(sb), 76);
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT(sgf_sb_empty(sb, NULL, 0));
  sgf_sb_free(sb);
}

/* O-08 with nothing on the port: the pause was sent, and nothing that could depart is there. */
SGF_TEST(O_11_a_pause_by_a_packet_that_the_pool_drops_is_counted)
{
  sgf_shared_buffer_t* sb = sb_start(4, SB_SETTINGS("TotalSharedBufferSize", "1024KB")); /* pools of 0 B */
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, 700000), SGF_SB_DROP_POOL);
  CU_ASSERT_EQUAL(sgf_sb_unresumed(sb), 0);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, 700001), SGF_SB_DROP_POOL_PAUSE);
  CU_ASSERT_EQUAL(sgf_sb_unresumed(sb), 1);
  sgf_sb_free(sb);
}

/* ------------------------------------------------------------------------------------------------------- Load of a
 * port */

SGF_TEST(SW_81_the_load_of_a_port_sums_all_its_pools)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 3)); /* pool 0 */
  CU_ASSERT(sb_forward_all(sb, 2, 1, 1, 4)); /* pool 1 */
  CU_ASSERT(sb_forward_all(sb, 0, 2, 2, 5));
  CU_ASSERT_EQUAL(sgf_sb_port_queued(sb, 1), 7 * SB_PACKET);
  CU_ASSERT_EQUAL(sgf_sb_port_queued(sb, 2), 5 * SB_PACKET);
  CU_ASSERT_EQUAL(sgf_sb_port_queued(sb, 0), 0);
  sb_depart(sb, 2, 1, 1, 2);
  CU_ASSERT_EQUAL(sgf_sb_port_queued(sb, 1), 5 * SB_PACKET);
  sgf_sb_free(sb);
}
