/* Ingress admission, pause and resume of the shared buffer: spec/switch.md 10.1, 10.3 to 10.6, 10.10 and 10.15, call by
 * call. */
#include "shared_buffer_support.h"

#include "harness.h"

/* ------------------------------------------------------------------------------------------------ 10.1 Pause points */

SGF_TEST(SW_07_largest_occupancy_at_the_pause)
{
  sgf_shared_buffer_t* sb = sb_d128();
  while (sgf_sb_arrive(sb, 0, 0, SB_PACKET) == SGF_SB_TO_POOL)
    ;
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sb, 0, 0), 704000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_08_pool_0_holds_the_pause_points_of_all_ports)
{
  sgf_shared_buffer_t* sb = sb_d128();
  for (unsigned port = 0; port < 128; port++)
    CU_ASSERT(sb_forward_all(sb, port, 0, 0, 176) && sgf_sb_paused(sb, port, 0));
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 0), 90112000);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 0) * 1000 / sgf_sb_pool_size(sb, 0), 448); /* about 45 % */
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0) - sgf_sb_pool_total(sb, 0), 110796800);
  sgf_sb_free(sb);
}

SGF_TEST(SW_09_pool_1_holds_the_pause_points_of_31_ports)
{
  sgf_shared_buffer_t* sb = sb_d128();
  for (unsigned port = 0; port < 31; port++) {
    CU_ASSERT(sb_arrive_all(sb, port, 1, 175, SGF_SB_TO_POOL));
    CU_ASSERT(sb_arrive_all(sb, port, 1, 1, SGF_SB_TO_POOL_PAUSE));
  }
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 1), 21824000);
  CU_ASSERT(32 * INT64_C(704000) > sgf_sb_pool_size(sb, 1));
  sgf_sb_arrival_t arrival = SGF_SB_TO_POOL;
  while (arrival == SGF_SB_TO_POOL)
    arrival = sgf_sb_arrive(sb, 31, 1, SB_PACKET);
  CU_ASSERT_EQUAL(arrival, SGF_SB_DROP_POOL);
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 31, 1));
  sgf_sb_free(sb);
}

/* -------------------------------------------------------------------------- 10.3 A port pauses, 10.4 it is released */

SGF_TEST(SW_24_packets_1_to_174_go_to_the_pool)
{
  sgf_shared_buffer_t* sb = sb_d128();
  for (unsigned k = 1; k <= 174; k++) {
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_POOL);
    CU_ASSERT(sb_port0_holds(sb, k * INT64_C(4000), 0));
  }
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 0), 696000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_25_no_pause_at_exactly_xoff)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_arrive_all(sb, 0, 0, 174, SGF_SB_TO_POOL));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT(sb_port0_holds(sb, 700000, 0));
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 0, 0));
  sgf_sb_free(sb);
}

SGF_TEST(SW_26_pause_on_packet_176)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_arrive_all(sb, 0, 0, 175, SGF_SB_TO_POOL));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_POOL_PAUSE);
  CU_ASSERT(sb_port0_holds(sb, 704000, 0));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT_EQUAL(sgf_sb_group(sb, 0), 1u << 0); /* one frame, for TC0 */
  sgf_sb_free(sb);
}

SGF_TEST(SW_27_packets_177_to_240_go_to_headroom)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 176));
  for (unsigned k = 177; k <= 240; k++) {
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_HEADROOM);
    CU_ASSERT(sb_port0_holds(sb, 704000, (k - 176) * INT64_C(4000)));
  }
  CU_ASSERT_EQUAL(sgf_sb_headroom(sb, 0, 0), 256000);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 0), 704000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_28_packet_241_is_dropped)
{
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS(NULL));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_DROP_HEADROOM);
  CU_ASSERT(sb_port0_holds(sb, 704000, 256000));
  sgf_sb_free(sb);
}

SGF_TEST(SW_30_departures_1_to_64_restore_the_headroom)
{
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS(NULL));
  for (unsigned k = 1; k <= 64; k++) {
    CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 1), 0);
    CU_ASSERT(sb_port0_holds(sb, 704000, 256000 - k * INT64_C(4000)));
  }
  CU_ASSERT(sb_port0_holds(sb, 704000, 0));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  sgf_sb_free(sb);
}

SGF_TEST(SW_31_departures_65_to_164_stay_above_xon)
{
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS(NULL));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 65), 0);
  CU_ASSERT(sb_port0_holds(sb, 700000, 0));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 99), 0);
  CU_ASSERT(sb_port0_holds(sb, 304000, 0));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  sgf_sb_free(sb);
}

SGF_TEST(SW_32_departure_165_resumes)
{
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS(NULL));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 164), 0);
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 1), 1);
  CU_ASSERT(sb_port0_holds(sb, 300000, 0));
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 0, 0));
  sgf_sb_free(sb);
}

SGF_TEST(SW_33_departures_without_and_with_progress)
{
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS(NULL));
  int64_t at_pause        = sgf_sb_occupancy(sb, 0, 0);
  unsigned idle = 0, useful = 0;
  for (bool resumed = false; !resumed && idle + useful < 240;) {
    int64_t before = sgf_sb_occupancy(sb, 0, 0);
    resumed        = sgf_sb_depart(sb, 0, 0, 1, 0, SB_PACKET);
    if (sgf_sb_occupancy(sb, 0, 0) == before)
      idle++;
    else
      useful++;
  }
  CU_ASSERT_EQUAL(idle, 64);
  CU_ASSERT_EQUAL(useful, 101);
  CU_ASSERT_EQUAL(at_pause - sgf_sb_occupancy(sb, 0, 0), 404000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_34_the_101st_packet_pauses_again)
{
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS(NULL));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 165), 1);
  CU_ASSERT(sb_arrive_all(sb, 0, 0, 100, SGF_SB_TO_POOL));
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 0), 700000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_POOL_PAUSE);
  sgf_sb_free(sb);
}

SGF_TEST(SW_35_without_a_band_pause_and_resume_alternate)
{
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS("StaticPoolXonThreshold", "700KB"));
  CU_ASSERT(sb_port0_holds(sb, 704000, 256000));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 64), 0);
  CU_ASSERT(sb_port0_holds(sb, 704000, 0));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 1), 1);
  CU_ASSERT(sb_port0_holds(sb, 700000, 0));
  for (unsigned cycle = 0; cycle < 3; cycle++) {
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_POOL_PAUSE);
    CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, 0, SB_PACKET), SGF_SB_QUEUED);
    CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 1), 1);
  }
  sgf_sb_free(sb);
}

SGF_TEST(SW_36_a_band_wider_than_a_packet_prevents_the_cycle)
{
  sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS(NULL));
  CU_ASSERT_EQUAL(config.xoff - config.xon, 400000);
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS("StaticPoolXonThreshold", "695KB"));
  unsigned departures     = 0;
  for (; sgf_sb_paused(sb, 0, 0) && departures < 240; departures++)
    sb_depart(sb, 0, 1, 0, 1);
  CU_ASSERT_EQUAL(departures, 64 + 3); /* the headroom, then three packets */
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 0), 692000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_POOL);
  sgf_sb_free(sb);
}

SGF_TEST(U_02_with_xon_above_the_pause_point_the_resume_still_waits_for_the_headroom)
{
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS("StaticPoolXonThreshold", "800KB"));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 63), 0);
  CU_ASSERT(sb_port0_holds(sb, 704000, 4000));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 1), 1);
  CU_ASSERT(sb_port0_holds(sb, 704000, 0));
  sgf_sb_free(sb);
}

/* ------------------------------------------------------------------------------------ 10.5 Pool limit against pause */

SGF_TEST(SW_37_three_ingress_tests)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_arrive_all(sb, 0, 1, 175, SGF_SB_TO_POOL));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, SB_PACKET), SGF_SB_TO_POOL_PAUSE); /* occupancy: pause, packet kept */
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 1), 704000);
  CU_ASSERT(sb_arrive_all(sb, 0, 1, 64, SGF_SB_TO_HEADROOM));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, SB_PACKET), SGF_SB_DROP_HEADROOM); /* headroom: dropped */
  for (unsigned port = 1; port < 128; port++)
    while (sgf_sb_arrive(sb, port, 1, SB_PACKET) == SGF_SB_TO_POOL)
      ;
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 127, 1), 0);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 127, 1, SB_PACKET),
                  SGF_SB_DROP_POOL); /* pool: dropped on a port that holds nothing */
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 127, 1));
  while (sgf_sb_arrive(sb, 0, 2, SB_PACKET) == SGF_SB_TO_POOL)
    ;
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 9, 3, SB_PACKET), SGF_SB_DROP_POOL); /* lossy alike */
  sgf_sb_free(sb);
}

SGF_TEST(SW_38_pauses_come_from_the_ports_own_occupancy)
{
  sgf_shared_buffer_t* sb = sb_d128();
  for (unsigned port = 0; port < 128; port++)
    CU_ASSERT(sb_arrive_all(sb, port, 0, 175, SGF_SB_TO_POOL)); /* no pause, whatever the other ports hold */
  for (unsigned port = 0; port < 128; port++)
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, port, 0, SB_PACKET), SGF_SB_TO_POOL_PAUSE);
  CU_ASSERT(2 * sgf_sb_pool_total(sb, 0) < sgf_sb_pool_size(sb, 0));
  sgf_sb_free(sb);
}

SGF_TEST(SW_39_a_pool_can_be_filled_exactly)
{
  for (unsigned lossless = 0; lossless <= 1; lossless++) {
    sgf_shared_buffer_t* sb = lossless ? sb_d128() : sb_start(128, SB_SETTINGS(SB_TC1_LOSSY));
    for (unsigned i = 0; i < 5580; i++)
      CU_ASSERT_EQUAL(sgf_sb_arrive(sb, i % 64, 1, SB_PACKET), SGF_SB_TO_POOL);
    int64_t left = sgf_sb_pool_size(sb, 1) - sgf_sb_pool_total(sb, 1);
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 70, 1, left + 1), SGF_SB_DROP_POOL);
    CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 1), 5580 * SB_PACKET);
    CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 70, 1), 0);
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 70, 1, left), SGF_SB_TO_POOL);
    CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 1), 22323200);
    sgf_sb_free(sb);
  }
}

/* ------------------------------------------------------------------------------------- 10.6 Sizing a lossless class */

/* Condition 2 for a pool: all 128 ports can reach their pause point. */
static bool holds_all_pause_points(const sgf_shared_buffer_t* sb, unsigned pool, int64_t xoff)
{
  return sgf_sb_pool_size(sb, pool) >= 128 * (xoff + SB_PACKET);
}

/* Every port receives TC1 in turn, after one packet of `first` bytes, until all have paused or one packet is lost. */
static bool all_ports_pause_without_loss(sgf_shared_buffer_t* sb, int64_t first)
{
  unsigned paused = 0;
  for (unsigned port = 0; port < 128; port++)
    if (sgf_sb_arrive(sb, port, 1, first) != SGF_SB_TO_POOL)
      return false;
  while (paused < 128)
    for (unsigned port = 0; port < 128; port++) {
      sgf_sb_arrival_t arrival = sgf_sb_arrive(sb, port, 1, SB_PACKET);
      if (arrival == SGF_SB_DROP_POOL || arrival == SGF_SB_DROP_POOL_PAUSE)
        return false;
      paused += arrival == SGF_SB_TO_POOL_PAUSE;
    }
  return true;
}

SGF_TEST(SW_41_pool_size_against_all_pause_points)
{
  sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS(NULL));
  sgf_shared_buffer_t* sb           = sb_d128();
  CU_ASSERT_EQUAL(128 * (config.xoff + SB_PACKET), 90112000);
  CU_ASSERT(holds_all_pause_points(sb, 0, config.xoff));
  CU_ASSERT_FALSE(holds_all_pause_points(sb, 1, config.xoff));
  CU_ASSERT_FALSE(all_ports_pause_without_loss(sb, SB_PACKET));
  sgf_sb_free(sb);
}

SGF_TEST(SW_42_pool_1_enlarged_by_its_fraction)
{
  sgf_shared_buffer_t* enough = sb_start(128, SB_SETTINGS("PoolAllocationMap", "[0.596, 0.404, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(enough, 1), 90185728);
  CU_ASSERT(holds_all_pause_points(enough, 1, 700000));
  CU_ASSERT_DOUBLE_EQUAL(90112000.0 / (double)sgf_sb_sizing_total(enough), 0.40367, 0.000005);
  sgf_sb_free(enough);
  sgf_shared_buffer_t* less = sb_start(128, SB_SETTINGS("PoolAllocationMap", "[0.597, 0.403, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(less, 1), 89962496);
  CU_ASSERT_FALSE(holds_all_pause_points(less, 1, 700000));
  sgf_sb_free(less);
  sgf_shared_buffer_t* more = sb_start(128, SB_SETTINGS("PoolAllocationMap", "[0.59, 0.41, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(more, 1), 91525120);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(more, 0), 131706880);
  CU_ASSERT(all_ports_pause_without_loss(more, SB_PACKET));
  sgf_sb_free(more);
}

SGF_TEST(SW_43_pool_1_kept_and_xoff_lowered)
{
  sgf_shared_buffer_t* enough =
      sb_start(128, SB_SETTINGS("StaticPoolXoffThreshold", "170400B", "StaticPoolXonThreshold", "100KB"));
  CU_ASSERT_EQUAL(128 * (170400 + SB_PACKET), sgf_sb_pool_size(enough, 1));
  CU_ASSERT(holds_all_pause_points(enough, 1, 170400));
  CU_ASSERT(all_ports_pause_without_loss(enough, 170400 % SB_PACKET)); /* each port passes Xoff from exactly Xoff */
  CU_ASSERT_EQUAL(sgf_sb_pool_total(enough, 1), 22323200);
  sgf_sb_free(enough);
  sgf_shared_buffer_t* less =
      sb_start(128, SB_SETTINGS("StaticPoolXoffThreshold", "170401B", "StaticPoolXonThreshold", "100KB"));
  CU_ASSERT_FALSE(holds_all_pause_points(less, 1, 170401));
  CU_ASSERT_FALSE(all_ports_pause_without_loss(less, 170401 % SB_PACKET));
  sgf_sb_free(less);
}

SGF_TEST(SW_44_other_classes_can_fill_the_pool_of_tc0)
{
  sgf_shared_buffer_t* sb = sb_d128();
  for (unsigned tc = 2; tc < SGF_SB_CLASSES; tc++) {
    CU_ASSERT_EQUAL(sgf_sb_pool_of(sb, tc), sgf_sb_pool_of(sb, 0));
    CU_ASSERT_NOT_EQUAL(sgf_sb_pool_of(sb, tc), sgf_sb_pool_of(sb, 1));
  }
  while (sgf_sb_arrive(sb, 3, 2, SB_PACKET) == SGF_SB_TO_POOL)
    ;
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_DROP_POOL); /* before port 0 could pause */
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 0, 0));
  for (unsigned tc = 2; tc < SGF_SB_CLASSES; tc++)
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, tc, SB_PACKET), SGF_SB_DROP_POOL);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, SB_PACKET), SGF_SB_TO_POOL);
  sgf_sb_free(sb);
}

/* ---------------------------------------------------------------------------------- 10.10 Lossy bytes and the pause */

SGF_TEST(SW_59_lossy_bytes_bring_the_pause_nearer)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_arrive_all(sb, 0, 2, 100, SGF_SB_TO_POOL));
  CU_ASSERT(sb_arrive_all(sb, 0, 0, 75, SGF_SB_TO_POOL));
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 0), 700000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_POOL_PAUSE);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 0), 704000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_60_lossy_packets_never_pause)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_arrive_all(sb, 0, 2, 300, SGF_SB_TO_POOL));
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 0, 0));
  sgf_sb_free(sb);
}

/* ---------------------------------------------------------------------------------------------- 10.15 Further cases */

SGF_TEST(SW_93_the_32nd_port_meets_a_full_pool)
{
  sgf_shared_buffer_t* sb = sb_d128();
  for (unsigned port = 0; port < 31; port++) {
    CU_ASSERT(sb_arrive_all(sb, port, 1, 175, SGF_SB_TO_POOL));
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, port, 1, SB_PACKET), SGF_SB_TO_POOL_PAUSE);
  }
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 1), 21824000);
  CU_ASSERT(sb_arrive_all(sb, 31, 1, 124, SGF_SB_TO_POOL));
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 1), 22320000);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 31, 1, SB_PACKET), SGF_SB_DROP_POOL);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 31, 1), 496000);
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 31, 1));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, SB_PACKET), SGF_SB_TO_HEADROOM);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 1), 22320000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_94_32_ports_in_turn_lose_packets_before_they_pause)
{
  sgf_shared_buffer_t* sb = sb_d128();
  unsigned first_drop     = 0;
  for (unsigned packet = 1; packet <= 5600; packet++) {
    sgf_sb_arrival_t arrival = sgf_sb_arrive(sb, (packet - 1) % 32, 1, SB_PACKET);
    CU_ASSERT_EQUAL(arrival, packet < 5581 ? SGF_SB_TO_POOL : SGF_SB_DROP_POOL);
    if (first_drop == 0 && arrival == SGF_SB_DROP_POOL)
      first_drop = packet;
  }
  CU_ASSERT_EQUAL(first_drop, 5581);
  for (unsigned port = 0; port < 32; port++) {
    CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, port, 1), port < 12 ? 700000 : 696000);
    CU_ASSERT_FALSE(sgf_sb_paused(sb, port, 1));
  }
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, SB_PACKET), SGF_SB_DROP_POOL_PAUSE); /* packet 5,601 */
  CU_ASSERT(sgf_sb_paused(sb, 0, 1));
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 1), 700000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_94_31_ports_in_turn_pause_without_loss)
{
  sgf_shared_buffer_t* sb = sb_d128();
  unsigned pauses         = 0;
  for (unsigned packet = 1; packet <= 5456; packet++) {
    sgf_sb_arrival_t arrival = sgf_sb_arrive(sb, (packet - 1) % 31, 1, SB_PACKET);
    CU_ASSERT(arrival == SGF_SB_TO_POOL || arrival == SGF_SB_TO_POOL_PAUSE);
    pauses += arrival == SGF_SB_TO_POOL_PAUSE;
  }
  CU_ASSERT_EQUAL(pauses, 31);
  sgf_sb_free(sb);
}

SGF_TEST(SW_95_pools_of_a_port_are_independent)
{
  sgf_shared_buffer_t* sb = sb_d128();
  unsigned drops[2]       = {0, 0};
  int64_t held            = 0;
  for (unsigned i = 0; i < 600; i++)
    drops[i % 2] += sgf_sb_arrive(sb, 0, i % 2, SB_PACKET) == SGF_SB_DROP_HEADROOM;
  for (unsigned pool = 0; pool < 2; pool++) {
    CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, pool), 704000);
    CU_ASSERT_EQUAL(sgf_sb_headroom(sb, 0, pool), 256000);
    CU_ASSERT_EQUAL(drops[pool], 60);
    held += sgf_sb_occupancy(sb, 0, pool) + sgf_sb_headroom(sb, 0, pool);
  }
  CU_ASSERT_EQUAL(held, 1920000);
  CU_ASSERT_EQUAL(drops[0] + drops[1], 120);
  sgf_sb_free(sb);

  sb = sb_d128();
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 177));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0) && !sgf_sb_paused(sb, 0, 1));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 2, 0, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 1), SB_PACKET);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 2, 0), SB_PACKET);
  sgf_sb_free(sb);
}

SGF_TEST(SW_96_resume_when_headroom_was_never_used)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 176));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 100), 0);
  CU_ASSERT(sb_port0_holds(sb, 304000, 0));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 1), 1);
  CU_ASSERT(sb_port0_holds(sb, 300000, 0));
  CU_ASSERT_EQUAL(sgf_sb_headroom_peak(sb, 0, 0), 0);
  sgf_sb_free(sb);
}

SGF_TEST(SW_97_lossy_packet_on_a_paused_port)
{
  sgf_shared_buffer_t* sb = sb_after_burst_of_240(SB_SETTINGS(NULL));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_DROP_HEADROOM);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 2, SB_PACKET), SGF_SB_TO_POOL);
  CU_ASSERT(sb_port0_holds(sb, 708000, 256000));
  CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, 2, SB_PACKET), SGF_SB_QUEUED);
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 2, 1), 0);
  CU_ASSERT(sb_port0_holds(sb, 704000, 256000));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  sgf_sb_free(sb);
}

SGF_TEST(SW_98_a_departure_splits_over_headroom_and_occupancy)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 176));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, 1000), SGF_SB_TO_HEADROOM);
  CU_ASSERT(sb_port0_holds(sb, 704000, 1000));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 1), 0);
  CU_ASSERT(sb_port0_holds(sb, 701000, 0));
  CU_ASSERT_EQUAL(sgf_sb_pool_total(sb, 0), 701000);
  sgf_sb_free(sb);
}

SGF_TEST(SW_99_lossy_departures_do_not_resume)
{
  sgf_shared_buffer_t* sb = sb_d128();
  CU_ASSERT(sb_forward_all(sb, 0, 1, 2, 100));
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 76));
  CU_ASSERT(sb_port0_holds(sb, 704000, 0));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 76), 0);
  CU_ASSERT(sb_port0_holds(sb, 400000, 0));
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 2, 100), 0);
  CU_ASSERT(sb_port0_holds(sb, 0, 0));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, SB_PACKET), SGF_SB_TO_HEADROOM);
  CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, 0, SB_PACKET), SGF_SB_QUEUED);
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 0, 1), 1);
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 0, 0));
  sgf_sb_free(sb);
}

SGF_TEST(SW_113_a_group_of_two_classes)
{
  sgf_shared_buffer_t* sb = sb_start(128, SB_SETTINGS("TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_group(sb, 0), (1u << 0) | (1u << 1)); /* pause, refresh and resume take two frames */
  for (unsigned packet = 1; packet <= 178; packet++) {
    sgf_sb_arrival_t expected = packet < 176    ? SGF_SB_TO_POOL
                                : packet == 176 ? SGF_SB_TO_POOL_PAUSE
                                                : SGF_SB_TO_HEADROOM; /* both classes */
    unsigned tc               = (packet - 1) % 2;
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, tc, SB_PACKET), expected);
    CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, tc, SB_PACKET), SGF_SB_QUEUED);
  }
  CU_ASSERT(sb_port0_holds(sb, 704000, 8000));
  unsigned resumes = 0;
  for (unsigned i = 0; i < 103; i++) /* two out of headroom, 101 down to Xon */
    resumes += sb_depart(sb, 0, 1, i % 2, 1);
  CU_ASSERT_EQUAL(resumes, 1);
  CU_ASSERT(sb_port0_holds(sb, 300000, 0));
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 0, 0));
  sgf_sb_free(sb);
}
