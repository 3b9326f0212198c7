/* Egress admission and charges of the shared buffer: spec/switch.md 10.2, 10.8, 10.10 and 10.15, call by call. */
#include "shared_buffer_support.h"

#include "harness.h"

/* ----------------------------------------------------------------------------------------- 10.2 Fixed egress limits */

SGF_TEST(SW_10_one_busy_lossy_queue_settles_at_half_the_pool)
{
  sgf_shared_buffer_t* sb = sb_d128();
  sb_fill(sb, 0, 1, 2);
  int64_t queue = sgf_sb_egress_queue(sb, 1, 0);
  CU_ASSERT(sb_within_a_packet(queue, 100454400));
  CU_ASSERT(queue > 40181760 && queue < 160727040);
  sgf_sb_free(sb);
}

SGF_TEST(SW_16_dynamic_limits_sum_to_more_than_the_pool)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS("LossyAlpha", "100", SB_TC1_LOSSY));
  for (unsigned pool = 0; pool < 2; pool++)
    CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, pool), 100 * sgf_sb_pool_size(sb, pool));
  sb_fill_in_turn(sb, 128, 1);
  CU_ASSERT(sgf_sb_egress_total(sb, 1) <= sgf_sb_pool_size(sb, 1));
  CU_ASSERT(sb_within_a_packet(sgf_sb_egress_total(sb, 1), sgf_sb_pool_size(sb, 1)));
  sgf_sb_free(sb);

  sb = sb_d128();
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), 200908800);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 1), 22323200);
  CU_ASSERT(sb_forward(sb, 0, 1, 2));
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), 200908800 - SB_PACKET);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 1), 22323200);
  CU_ASSERT(128 * sgf_sb_queue_limit(sb, 0) > sgf_sb_pool_size(sb, 0));
  sgf_sb_free(sb);
}

SGF_TEST(SW_17_pool_1_holds_14_full_caps)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_CAP, SB_TC1_LOSSY));
  for (unsigned out = 0; out < 14; out++)
    CU_ASSERT_EQUAL(sb_fill(sb, 100, out, 1), 375);
  CU_ASSERT_EQUAL(sgf_sb_egress_total(sb, 1), 21000000);
  CU_ASSERT_EQUAL(sb_fill(sb, 100, 14, 1), 330);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 14, 1), 1320000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 100, 1, SB_PACKET), SGF_SB_DROP_POOL);
  sgf_sb_free(sb);
}

SGF_TEST(SW_20_equal_share_admits_392_packets)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_SHARE));
  CU_ASSERT(sb_forward_all(sb, 0, 1, 2, 392));
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 1, 0), 1568000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 2, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, 2, SB_PACKET), SGF_SB_DROP_QUEUE_LIMIT);
  sgf_sb_free(sb);
}

SGF_TEST(SW_21_fixed_cap_admits_375_packets)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_CAP));
  CU_ASSERT(sb_forward_all(sb, 0, 1, 2, 375));
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 1, 0), 1500000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 2, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, 2, SB_PACKET), SGF_SB_DROP_QUEUE_LIMIT);
  sgf_sb_free(sb);
}

SGF_TEST(SW_22_equal_share_of_pool_1_admits_43_packets)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_SHARE, SB_TC1_LOSSY));
  CU_ASSERT(sb_forward_all(sb, 0, 1, 1, 43));
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 1, 1), 172000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, 1, SB_PACKET), SGF_SB_DROP_QUEUE_LIMIT);
  sgf_sb_free(sb);
}

/* ----------------------------------------------------------------------------------------------- 10.8 Dynamic limit */

SGF_TEST(SW_48_level_of_one_queue)
{
  const struct {
    const char* alpha;
    int64_t part, whole; /* A / (1 + A) */
    int64_t level;
  } cases[] = {
      {"1", 1, 2, 100454400},
      {"0.5", 1, 3, 66969600},
      {"2", 2, 3, 133939200},
      {"0.25", 1, 5, 40181760},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS("LossyAlpha", cases[i].alpha));
    CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0) * cases[i].part / cases[i].whole, cases[i].level);
    sb_fill(sb, 0, 1, 2);
    CU_ASSERT(sb_within_a_packet(sgf_sb_egress_queue(sb, 1, 0), cases[i].level));
    sgf_sb_free(sb);
  }
}

SGF_TEST(SW_49_level_of_n_equal_queues)
{
  const struct {
    unsigned n;
    int64_t level;
  } cases[] = {{1, 100454400}, {2, 66969600}, {4, 40181760}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sgf_shared_buffer_t* sb = sb_d128();
    unsigned n              = cases[i].n;
    CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0) / (1 + n), cases[i].level);
    sb_fill_in_turn(sb, n, 2);
    for (unsigned out = 0; out < n; out++)
      CU_ASSERT(sb_within_a_packet(sgf_sb_egress_queue(sb, out, 0), cases[i].level));
    if (n == 2) {
      CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 0, 0), 66972000);
      CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 1, 0), 66968000);
    }
    sgf_sb_free(sb);
  }
}

SGF_TEST(SW_50_free_space_is_read_before_the_charge)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT_EQUAL(sb_fill(sb, 0, 1, 2), 25114);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 1, 0), 100456000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 2, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, 2, SB_PACKET), SGF_SB_DROP_QUEUE_LIMIT);
  sgf_sb_free(sb);
}

SGF_TEST(SW_51_dynamic_limit_reads_no_fixed_cap)
{
  sgf_shared_buffer_t* sb =
      sb_start(128, SB_SETTINGS("QueueDropThresholdEnable", "true", "QueueDropThreshold", "1", "PlaneBDP", "10KB"));
  CU_ASSERT_EQUAL(sgf_sb_static_limit(sb, 0), 200908800);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), 200908800);
  CU_ASSERT_EQUAL(sb_fill(sb, 0, 1, 2), 25114);
  sgf_sb_free(sb);
}

/* ---------------------------------------------------------------------------------------------------- 10.10 Charges */

SGF_TEST(SW_57_charge_sizes)
{
  CU_ASSERT_EQUAL(sgf_sb_charge(20), 46);
  CU_ASSERT_EQUAL(sgf_sb_charge(45), 46);
  CU_ASSERT_EQUAL(sgf_sb_charge(46), 46);
  CU_ASSERT_EQUAL(sgf_sb_charge(47), 47);
  CU_ASSERT_EQUAL(sgf_sb_charge(4000), 4000);
  enum { ETHERNET = 18 }; /* header and frame check sequence */
  CU_ASSERT_EQUAL(sgf_sb_charge(4154 - ETHERNET), 4136);
  CU_ASSERT_EQUAL(30722 * sgf_sb_charge(4154 - ETHERNET), 127066192);
  CU_ASSERT_EQUAL(sgf_sb_charge(4202 - ETHERNET), 4184);
  CU_ASSERT_EQUAL(sgf_sb_charge(78 - ETHERNET), 60);
}

SGF_TEST(SW_61_refusal_at_egress_releases_the_ingress_charge)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_CAP));
  CU_ASSERT(sb_forward_all(sb, 0, 1, 2, 375));
  int64_t occupancy = sgf_sb_occupancy(sb, 7, 0);
  int64_t total     = sgf_sb_pool_total(sb, 0);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 7, 2, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 0), total + SB_PACKET);
  CU_ASSERT_EQUAL(sb_queue(sb, 7, 1, 2, SB_PACKET), SGF_SB_DROP_QUEUE_LIMIT);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 7, 0), occupancy);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 0), total);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 1, 0), 1500000);
  CU_ASSERT_EQUAL(sgf_sb_egress_total(sb, 0), 1500000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_62_pool_space_alone_refuses)
{
  /* one pool of 1,000,000 B; what port 0 has in headroom counts at egress only */
  sgf_shared_buffer_t* sb =
      sb_start(4, SB_SETTINGS(SB_FIXED_CAP, SB_TC1_LOSSY, "TotalSharedBufferSize", "2024KB", "PoolAllocationMap",
                              "[1, 0, 0, 0, 0, 0, 0, 0]", "TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 1000000);
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 240));
  CU_ASSERT(sb_forward_all(sb, 2, 3, 2, 10));
  CU_ASSERT_EQUAL(sgf_sb_egress_total(sb, 0), 1000000);
  CU_ASSERT(sgf_sb_egress_queue(sb, 3, 0) + SB_PACKET <= sgf_sb_queue_limit(sb, 0));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 2, 2, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sb_queue(sb, 2, 3, 2, SB_PACKET), SGF_SB_DROP_EGRESS_POOL);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 0), 744000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_62_queue_limit_alone_refuses)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_CAP));
  CU_ASSERT(sb_forward_all(sb, 0, 1, 2, 375));
  CU_ASSERT(sgf_sb_egress_total(sb, 0) + SB_PACKET <= sgf_sb_pool_size(sb, 0));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 2, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, 2, SB_PACKET), SGF_SB_DROP_QUEUE_LIMIT);
  sgf_sb_free(sb);
}

/* ---------------------------------------------------------------------------------------------- 10.15 Further cases */

SGF_TEST(SW_100_lossless_bytes_count_in_a_queue_but_meet_no_limit)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_CAP));
  for (unsigned in = 0; in < 4; in++)
    CU_ASSERT(sb_forward_all(sb, in, 10, 0, 125));
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 10, 0), 2000000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 4, 2, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sb_queue(sb, 4, 10, 2, SB_PACKET), SGF_SB_DROP_QUEUE_LIMIT);
  CU_ASSERT(sb_forward(sb, 4, 11, 2));
  sgf_sb_free(sb);
}

SGF_TEST(SW_101_classes_of_a_pool_share_the_limit_of_a_queue)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS(SB_FIXED_CAP));
  CU_ASSERT(sb_forward_all(sb, 0, 10, 2, 200));
  CU_ASSERT(sb_forward_all(sb, 0, 10, 3, 175));
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 10, 0), 1500000);
  for (unsigned tc = 2; tc < SGF_SB_CLASSES; tc++) {
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, tc, SB_PACKET), SGF_SB_TO_POOL);
    CU_ASSERT_EQUAL(sb_queue(sb, 0, 10, tc, SB_PACKET), SGF_SB_DROP_QUEUE_LIMIT);
  }
  sgf_sb_free(sb);
}

SGF_TEST(SW_102_lossless_bytes_lower_the_dynamic_limit_of_other_ports)
{
  sgf_shared_buffer_t* sb = sb_d128();
  for (unsigned i = 0; i < 20000; i++)
    CU_ASSERT(sb_forward(sb, i % 125, 126, 0)); /* 160 packets a port: none pauses */
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 126, 0), 80000000);
  CU_ASSERT_EQUAL((sgf_sb_pool_size(sb, 0) - 80000000) / 2, 60454400);
  CU_ASSERT_EQUAL(sb_fill(sb, 125, 127, 2), 15114);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 127, 0), 60456000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_105_charges_stand_until_the_departure)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 2)); /* the second waits behind the first */
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 0), 8000);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 1, 0), 8000);
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 1), 0);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 0), 4000);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 0), 4000);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sb, 1, 0), 4000);
  CU_ASSERT_EQUAL(sgf_sb_egress_total(sb, 0), 4000);
  sgf_sb_free(sb);
}
