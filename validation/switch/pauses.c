/* Pauses and resumes of a switch as its peers see them: spec/switch.md 10.3, 10.4, 10.7 and 10.15 (SW-107) with every
 * PFC frame counted and dated. D128, one port, a burst of TC0 that nothing drains; what the accounting says of the same
 * cases is in shared_buffer.c. */
#include "rig_support.h"

#include "harness.h"

enum { IN, OUT };

#define PAUSE_TIME INT64_C(84384800) /* ps: 65535 x 512 bits at 400 Gbps, and 500 ns (SW-46) */
#define REFRESH INT64_C(42192400)

/* After `count` packets of the burst, all at instant 0. */
static rig_t* burst_of(unsigned count, const char* const* settings)
{
  rig_t* rig = rig_d128(settings);
  rig_hold(rig, OUT, 0);
  rig_packets(rig, IN, OUT, 0, count);
  return rig;
}

/* ------------------------------------------------------------------------------------------------ 10.3 A port pauses
 */

SGF_TEST(SW_24_packets_1_to_174_send_no_pause)
{
  rig_t* rig = burst_of(0, RIG_DEFAULTS);
  for (unsigned k = 1; k <= 174; k++) {
    rig_packets(rig, IN, OUT, 0, 1);
    CU_ASSERT(rig_holds(rig, IN, 0, k * INT64_C(4000), 0));
  }
  rig_settle(rig);
  CU_ASSERT_EQUAL(net_port_queue_length(&rig->state->ports[OUT].out, 0), 174);
  CU_ASSERT_EQUAL(rig->record_count, 0);
  rig_free(rig);
}

SGF_TEST(SW_25_packet_175_sends_no_pause)
{
  rig_t* rig = burst_of(175, RIG_DEFAULTS);
  rig_settle(rig);
  CU_ASSERT(rig_holds(rig, IN, 0, 700000, 0));
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 0);
  rig_free(rig);
}

SGF_TEST(SW_26_packet_176_sends_one_frame_for_tc0)
{
  rig_t* rig = burst_of(176, RIG_DEFAULTS);
  rig_settle(rig);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 0));
  CU_ASSERT_EQUAL(net_port_queue_length(&rig->state->ports[OUT].out, 0), 176);
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 1);
  CU_ASSERT_EQUAL(rig_pfc_date(rig, IN, 0, 65535, 0), 1280 + 500000); /* 64 B at 400 Gbps, then the cable */
  rig_free(rig);
}

SGF_TEST(SW_27_packets_177_to_240_send_no_further_pause)
{
  rig_t* rig = burst_of(176, RIG_DEFAULTS);
  for (unsigned k = 177; k <= 240; k++) {
    rig_packets(rig, IN, OUT, 0, 1);
    CU_ASSERT(rig_holds(rig, IN, 0, 704000, (k - 176) * INT64_C(4000)));
  }
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 1);
  CU_ASSERT_EQUAL(rig_drops(rig), 0);
  CU_ASSERT_EQUAL(net_port_queue_length(&rig->state->ports[OUT].out, 0), 240);
  rig_free(rig);
}

SGF_TEST(SW_28_packet_241_is_a_receive_drop)
{
  rig_t* rig = burst_of(240, RIG_DEFAULTS);
  CU_ASSERT_EQUAL(rig->state->ports[IN].rx_drops, 0);
  rig_packets(rig, IN, OUT, 0, 1);
  CU_ASSERT_EQUAL(rig->state->ports[IN].rx_drops, 1);
  CU_ASSERT_EQUAL(rig->state->drops[SWITCH_DROP_HEADROOM], 1);
  CU_ASSERT_EQUAL(rig_drops(rig), 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 256000));
  CU_ASSERT_EQUAL(net_port_queue_length(&rig->state->ports[OUT].out, 0), 240);
  rig_free(rig);
}

SGF_TEST(SW_29_the_pause_is_sent_again_every_half_pause_time)
{
  enum { REFRESHES = 10 };
  rig_t* rig = burst_of(176, RIG_DEFAULTS);
  rig_run_held(rig, OUT, 0, REFRESHES * REFRESH + rig_pfc_way(rig));
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 1 + REFRESHES);
  for (unsigned n = 0; n <= REFRESHES; n++)
    CU_ASSERT_EQUAL(rig_pfc_date(rig, IN, 0, 65535, n), n * REFRESH + rig_pfc_way(rig));
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 1 + REFRESHES);
  rig_free(rig);
}

/* ------------------------------------------------------------------------------------------- 10.4 The port is released
 */

SGF_TEST(SW_30_departures_1_to_64_restore_the_headroom)
{
  rig_t* rig = burst_of(240, RIG_DEFAULTS);
  rig_release(rig, OUT, 0);
  for (unsigned k = 1; k <= 64; k++) {
    rig_depart(rig, OUT, 1);
    CU_ASSERT(rig_holds(rig, IN, 0, 704000, 256000 - k * INT64_C(4000)));
  }
  CU_ASSERT(sgf_sb_paused(rig->buffer, IN, 0));
  rig_free(rig);
}

SGF_TEST(SW_31_departures_65_to_164_send_no_resume)
{
  rig_t* rig = burst_of(240, RIG_DEFAULTS);
  rig_release(rig, OUT, 0);
  rig_depart(rig, OUT, 65);
  CU_ASSERT(rig_holds(rig, IN, 0, 700000, 0));
  rig_depart(rig, OUT, 99);
  CU_ASSERT(rig_holds(rig, IN, 0, 304000, 0));
  CU_ASSERT(sgf_sb_paused(rig->buffer, IN, 0));
  CU_ASSERT_EQUAL(rig_resumes(rig, IN, 0), 0);
  rig_free(rig);
}

SGF_TEST(SW_32_departure_165_sends_the_resume_and_stops_the_refresh)
{
  rig_t* rig = burst_of(240, RIG_DEFAULTS);
  rig_release(rig, OUT, 0);
  rig_depart(rig, OUT, 165);
  const opp_simtime_t departed = rig_now(rig);
  CU_ASSERT(rig_holds(rig, IN, 0, 300000, 0));
  CU_ASSERT_FALSE(sgf_sb_paused(rig->buffer, IN, 0));
  rig_run(rig, 100 * REFRESH);
  CU_ASSERT_EQUAL(rig_pfc_date(rig, IN, 0, 0, 0), departed + rig_pfc_way(rig));
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 1);
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 2);
  CU_ASSERT(sgf_sb_empty(rig->buffer, NULL, 0));
  rig_free(rig);
}

SGF_TEST(SW_33_64_departures_without_progress_and_101_with)
{
  rig_t* rig = burst_of(240, RIG_DEFAULTS);
  rig_release(rig, OUT, 0);
  unsigned idle = 0, useful = 0;
  while (sgf_sb_paused(rig->buffer, IN, 0) && idle + useful < 240) {
    const int64_t before = sgf_sb_occupancy(rig->buffer, IN, 0);
    rig_depart(rig, OUT, 1);
    if (sgf_sb_occupancy(rig->buffer, IN, 0) == before)
      idle++;
    else
      useful++;
  }
  CU_ASSERT_EQUAL(idle, 64);
  CU_ASSERT_EQUAL(useful, 101);
  CU_ASSERT_EQUAL(704000 - sgf_sb_occupancy(rig->buffer, IN, 0), 404000);
  rig_free(rig);
}

SGF_TEST(SW_34_the_101st_packet_after_the_resume_pauses_again)
{
  rig_t* rig = burst_of(240, RIG_DEFAULTS);
  rig_release(rig, OUT, 0);
  rig_depart(rig, OUT, 164);
  rig_hold(rig, OUT, 0); /* packet 165 is on the wire: it leaves, and none after it */
  rig_depart(rig, OUT, 1);
  rig_packets(rig, IN, OUT, 0, 100);
  rig_settle(rig);
  CU_ASSERT(rig_holds(rig, IN, 0, 700000, 0));
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 1);
  rig_packets(rig, IN, OUT, 0, 1);
  rig_settle(rig);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 0));
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 2);
  rig_free(rig);
}

/* One round: the departure that follows an arrival. */
static void arrive_and_depart(rig_t* rig)
{
  rig_packets(rig, IN, OUT, 0, 1);
  rig_depart(rig, OUT, 1);
}

SGF_TEST(SW_35_without_a_band_the_link_alternates)
{
  rig_t* rig = burst_of(240, RIG_SETTINGS("StaticPoolXonThreshold", "700KB"));
  rig_release(rig, OUT, 0);
  rig_depart(rig, OUT, 64);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 0));
  CU_ASSERT(sgf_sb_paused(rig->buffer, IN, 0));
  rig_depart(rig, OUT, 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 700000, 0));
  CU_ASSERT_FALSE(sgf_sb_paused(rig->buffer, IN, 0));
  for (unsigned round = 0; round < 10; round++)
    arrive_and_depart(rig);
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 1 + 10);
  CU_ASSERT_EQUAL(rig_resumes(rig, IN, 0), 1 + 10);
  rig_free(rig);
}

SGF_TEST(SW_36_a_band_wider_than_a_packet_prevents_the_cycle)
{
  rig_t* rig = burst_of(240, RIG_DEFAULTS);
  rig_release(rig, OUT, 0);
  rig_depart(rig, OUT, 165);
  for (unsigned round = 0; round < 10; round++)
    arrive_and_depart(rig);
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 1);
  CU_ASSERT_EQUAL(rig_resumes(rig, IN, 0), 1);
  rig_free(rig);
}

/* ------------------------------------------------------------------------------------------------------ 10.7 Times */

SGF_TEST(SW_46_pause_time_and_refresh_of_a_switch)
{
  CU_ASSERT_EQUAL(pfc_pause_time(65535, INT64_C(400000000000), 0), 83884800);
  CU_ASSERT_EQUAL(pfc_pause_time(65535, INT64_C(400000000000), 500 * OPP_NS), PAUSE_TIME);
  rig_t* rig = burst_of(176, RIG_DEFAULTS);
  CU_ASSERT_EQUAL(rig->state->ports[IN].refresh[0].period, REFRESH);
  rig_free(rig);
}

SGF_TEST(SW_47_pause_time_and_refresh_of_a_link_of_100_ns)
{
  rig_t* rig = rig_new(4, 400, 100 * OPP_NS, 1, RIG_DEFAULTS);
  rig_hold(rig, OUT, 0);
  rig_packets(rig, IN, OUT, 0, 176);
  rig_run(rig, 50 * OPP_US);
  CU_ASSERT_EQUAL(rig_pfc_date(rig, IN, 0, 65535, 1) - rig_pfc_date(rig, IN, 0, 65535, 0), 41992400);
  rig_run(rig, 85 * OPP_US);
  CU_ASSERT_EQUAL(rig_nth_packet(rig, OUT, 0).date, 83984800 + rig_packet_way(rig)); /* held for 83.9848 us */
  rig_free(rig);
}

/* Date at which a TC3 packet that waits from instant 0 starts on port OUT. */
static opp_simtime_t start_of_tc3(rig_t* rig)
{
  rig_run(rig, rig_now(rig) + 2 * PAUSE_TIME);
  CU_ASSERT_EQUAL_FATAL(rig_nth_packet(rig, OUT, 1).tc, 3);
  return rig_nth_packet(rig, OUT, 1).date - rig_packet_way(rig);
}

/* The peer of OUT pauses TC3 at instant 0; a TC3 packet waits behind a TC2 packet that goes on. */
static rig_t* pause_tc3(uint16_t quanta)
{
  rig_t* rig = rig_d128(RIG_DEFAULTS);
  rig_pfc(rig, OUT, 3, quanta);
  rig_packets(rig, IN, OUT, 3, 1);
  rig_packets(rig, IN, OUT, 2, 1);
  rig_run(rig, rig_packet_way(rig));
  CU_ASSERT_EQUAL(rig_packet_count(rig, OUT), 1);
  CU_ASSERT_EQUAL(rig_nth_packet(rig, OUT, 0).tc, 2);
  return rig;
}

SGF_TEST(SW_107_a_pause_holds_its_class_for_the_pause_time)
{
  rig_t* rig = pause_tc3(65535);
  CU_ASSERT_EQUAL(start_of_tc3(rig), PAUSE_TIME);
  rig_free(rig);

  rig = pause_tc3(1000);
  CU_ASSERT_EQUAL(start_of_tc3(rig), 1280000 + 500000);
  rig_free(rig);
}

SGF_TEST(SW_107_a_further_pause_sets_the_timer_back)
{
  rig_t* rig = pause_tc3(65535);
  rig_run(rig, REFRESH);
  rig_pfc(rig, OUT, 3, 65535);
  CU_ASSERT_EQUAL(start_of_tc3(rig), INT64_C(126577200));
  rig_free(rig);

  rig = pause_tc3(65535); /* also to an earlier date: the timer counts this frame's quanta */
  rig_run(rig, 10 * OPP_US);
  rig_pfc(rig, OUT, 3, 1000);
  CU_ASSERT_EQUAL(start_of_tc3(rig), 10 * OPP_US + 1780000);
  rig_free(rig);
}

SGF_TEST(SW_107_a_resume_releases_at_once)
{
  rig_t* rig = pause_tc3(65535);
  rig_run(rig, 50 * OPP_US);
  rig_pfc(rig, OUT, 3, 0);
  CU_ASSERT_EQUAL(start_of_tc3(rig), 50 * OPP_US);
  rig_free(rig);
}
