/* Pauses and resumes of a switch as its peers see them: spec/switch.md 10.3, 10.4, 10.7 and 10.15 (SW-107) with every
 * PFC frame counted and dated. D128, one port, a burst of TC0 that nothing drains; what the accounting says of the same
 * cases is in shared_buffer.c. */
#include "lab_support.h"

#include "harness.h"

enum { IN, OUT };

#define PAUSE_TIME INT64_C(84384800) /* ps: 65535 x 512 bits at 400 Gbps, and 500 ns (SW-46) */
#define REFRESH INT64_C(42192400)

/* After `count` packets of the burst, all at instant 0. */
static lab_t* burst_of(unsigned count, const char* const* settings)
{
  lab_t* lab = lab_d128(settings);
  lab_hold(lab, OUT, 0);
  lab_packets(lab, IN, OUT, 0, count);
  return lab;
}

/* ----------------------------------------------------------------------------------------------- 10.3 A port pauses */

SGF_TEST(SW_24_packets_1_to_174_send_no_pause)
{
  lab_t* lab = burst_of(0, LAB_DEFAULTS);
  for (unsigned k = 1; k <= 174; k++) {
    lab_packets(lab, IN, OUT, 0, 1);
    CU_ASSERT(lab_holds(lab, IN, 0, k * INT64_C(4000), 0));
  }
  lab_settle(lab);
  CU_ASSERT_EQUAL(net_port_queue_length(&lab->state->ports[OUT].out, 0), 174);
  CU_ASSERT_EQUAL(lab->record_count, 0);
  lab_free(lab);
}

SGF_TEST(SW_25_packet_175_sends_no_pause)
{
  lab_t* lab = burst_of(175, LAB_DEFAULTS);
  lab_settle(lab);
  CU_ASSERT(lab_holds(lab, IN, 0, 700000, 0));
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 0);
  lab_free(lab);
}

SGF_TEST(SW_26_packet_176_sends_one_frame_for_tc0)
{
  lab_t* lab = burst_of(176, LAB_DEFAULTS);
  lab_settle(lab);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 0));
  CU_ASSERT_EQUAL(net_port_queue_length(&lab->state->ports[OUT].out, 0), 176);
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 1);
  CU_ASSERT_EQUAL(lab_pfc_date(lab, IN, 0, 65535, 0), 1280 + 500000); /* 64 B at 400 Gbps, then the cable */
  lab_free(lab);
}

SGF_TEST(SW_27_packets_177_to_240_send_no_further_pause)
{
  lab_t* lab = burst_of(176, LAB_DEFAULTS);
  for (unsigned k = 177; k <= 240; k++) {
    lab_packets(lab, IN, OUT, 0, 1);
    CU_ASSERT(lab_holds(lab, IN, 0, 704000, (k - 176) * INT64_C(4000)));
  }
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 1);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  CU_ASSERT_EQUAL(net_port_queue_length(&lab->state->ports[OUT].out, 0), 240);
  lab_free(lab);
}

SGF_TEST(SW_28_packet_241_is_a_receive_drop)
{
  lab_t* lab = burst_of(240, LAB_DEFAULTS);
  CU_ASSERT_EQUAL(lab->state->ports[IN].rx_drops, 0);
  lab_packets(lab, IN, OUT, 0, 1);
  CU_ASSERT_EQUAL(lab->state->ports[IN].rx_drops, 1);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_HEADROOM], 1);
  CU_ASSERT_EQUAL(lab_drops(lab), 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 256000));
  CU_ASSERT_EQUAL(net_port_queue_length(&lab->state->ports[OUT].out, 0), 240);
  lab_free(lab);
}

SGF_TEST(SW_29_the_pause_is_sent_again_every_half_pause_time)
{
  enum { REFRESHES = 10 };
  lab_t* lab = burst_of(176, LAB_DEFAULTS);
  lab_run_held(lab, OUT, 0, REFRESHES * REFRESH + lab_pfc_way(lab));
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 1 + REFRESHES);
  for (unsigned n = 0; n <= REFRESHES; n++)
    CU_ASSERT_EQUAL(lab_pfc_date(lab, IN, 0, 65535, n), n * REFRESH + lab_pfc_way(lab));
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 1 + REFRESHES);
  lab_free(lab);
}

/* ---------------------------------------------------------------------------------------- 10.4 The port is released */

SGF_TEST(SW_30_departures_1_to_64_restore_the_headroom)
{
  lab_t* lab = burst_of(240, LAB_DEFAULTS);
  lab_release(lab, OUT, 0);
  for (unsigned k = 1; k <= 64; k++) {
    lab_depart(lab, OUT, 1);
    CU_ASSERT(lab_holds(lab, IN, 0, 704000, 256000 - k * INT64_C(4000)));
  }
  CU_ASSERT(sgf_sb_paused(lab->buffer, IN, 0));
  lab_free(lab);
}

SGF_TEST(SW_31_departures_65_to_164_send_no_resume)
{
  lab_t* lab = burst_of(240, LAB_DEFAULTS);
  lab_release(lab, OUT, 0);
  lab_depart(lab, OUT, 65);
  CU_ASSERT(lab_holds(lab, IN, 0, 700000, 0));
  lab_depart(lab, OUT, 99);
  CU_ASSERT(lab_holds(lab, IN, 0, 304000, 0));
  CU_ASSERT(sgf_sb_paused(lab->buffer, IN, 0));
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 0);
  lab_free(lab);
}

SGF_TEST(SW_32_departure_165_sends_the_resume_and_stops_the_refresh)
{
  lab_t* lab = burst_of(240, LAB_DEFAULTS);
  lab_release(lab, OUT, 0);
  lab_depart(lab, OUT, 165);
  const opp_simtime_t departed = lab_now(lab);
  CU_ASSERT(lab_holds(lab, IN, 0, 300000, 0));
  CU_ASSERT_FALSE(sgf_sb_paused(lab->buffer, IN, 0));
  lab_run(lab, 100 * REFRESH);
  CU_ASSERT_EQUAL(lab_pfc_date(lab, IN, 0, 0, 0), departed + lab_pfc_way(lab));
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 1);
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 2);
  CU_ASSERT(sgf_sb_empty(lab->buffer, NULL, 0));
  lab_free(lab);
}

SGF_TEST(SW_33_64_departures_without_progress_and_101_with)
{
  lab_t* lab = burst_of(240, LAB_DEFAULTS);
  lab_release(lab, OUT, 0);
  unsigned idle = 0, useful = 0;
  while (sgf_sb_paused(lab->buffer, IN, 0) && idle + useful < 240) {
    const int64_t before = sgf_sb_occupancy(lab->buffer, IN, 0);
    lab_depart(lab, OUT, 1);
    if (sgf_sb_occupancy(lab->buffer, IN, 0) == before)
      idle++;
    else
      useful++;
  }
  CU_ASSERT_EQUAL(idle, 64);
  CU_ASSERT_EQUAL(useful, 101);
  CU_ASSERT_EQUAL(704000 - sgf_sb_occupancy(lab->buffer, IN, 0), 404000);
  lab_free(lab);
}

SGF_TEST(SW_34_the_101st_packet_after_the_resume_pauses_again)
{
  lab_t* lab = burst_of(240, LAB_DEFAULTS);
  lab_release(lab, OUT, 0);
  lab_depart(lab, OUT, 164);
  lab_hold(lab, OUT, 0); /* packet 165 is on the wire: it leaves, and none after it */
  lab_depart(lab, OUT, 1);
  lab_packets(lab, IN, OUT, 0, 100);
  lab_settle(lab);
  CU_ASSERT(lab_holds(lab, IN, 0, 700000, 0));
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 1);
  lab_packets(lab, IN, OUT, 0, 1);
  lab_settle(lab);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 0));
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 2);
  lab_free(lab);
}

/* One round: the departure that follows an arrival. */
static void arrive_and_depart(lab_t* lab)
{
  lab_packets(lab, IN, OUT, 0, 1);
  lab_depart(lab, OUT, 1);
}

SGF_TEST(SW_35_without_a_band_the_link_alternates)
{
  lab_t* lab = burst_of(240, LAB_SETTINGS("StaticPoolXonThreshold", "700KB"));
  lab_release(lab, OUT, 0);
  lab_depart(lab, OUT, 64);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 0));
  CU_ASSERT(sgf_sb_paused(lab->buffer, IN, 0));
  lab_depart(lab, OUT, 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 700000, 0));
  CU_ASSERT_FALSE(sgf_sb_paused(lab->buffer, IN, 0));
  for (unsigned round = 0; round < 10; round++)
    arrive_and_depart(lab);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 1 + 10);
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 1 + 10);
  lab_free(lab);
}

SGF_TEST(SW_36_a_band_wider_than_a_packet_prevents_the_cycle)
{
  lab_t* lab = burst_of(240, LAB_DEFAULTS);
  lab_release(lab, OUT, 0);
  lab_depart(lab, OUT, 165);
  for (unsigned round = 0; round < 10; round++)
    arrive_and_depart(lab);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 1);
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 1);
  lab_free(lab);
}

/* ------------------------------------------------------------------------------------------------------- 10.7 Times */

SGF_TEST(SW_46_pause_time_and_refresh_of_a_switch)
{
  CU_ASSERT_EQUAL(pfc_pause_time(65535, INT64_C(400000000000), 0), 83884800);
  CU_ASSERT_EQUAL(pfc_pause_time(65535, INT64_C(400000000000), 500 * OPP_NS), PAUSE_TIME);
  lab_t* lab = burst_of(176, LAB_DEFAULTS);
  CU_ASSERT_EQUAL(lab->state->ports[IN].refresh[0].period, REFRESH);
  lab_free(lab);
}

SGF_TEST(SW_47_pause_time_and_refresh_of_a_link_of_100_ns)
{
  lab_t* lab = lab_new(4, 400, 100 * OPP_NS, 1, LAB_DEFAULTS);
  lab_hold(lab, OUT, 0);
  lab_packets(lab, IN, OUT, 0, 176);
  lab_run(lab, 50 * OPP_US);
  CU_ASSERT_EQUAL(lab_pfc_date(lab, IN, 0, 65535, 1) - lab_pfc_date(lab, IN, 0, 65535, 0), 41992400);
  lab_run(lab, 85 * OPP_US);
  CU_ASSERT_EQUAL(lab_nth_packet(lab, OUT, 0).date, 83984800 + lab_packet_way(lab)); /* held for 83.9848 us */
  lab_free(lab);
}

/* Date at which a TC3 packet that waits from instant 0 starts on port OUT. */
static opp_simtime_t start_of_tc3(lab_t* lab)
{
  lab_run(lab, lab_now(lab) + 2 * PAUSE_TIME);
  CU_ASSERT_EQUAL_FATAL(lab_nth_packet(lab, OUT, 1).tc, 3);
  return lab_nth_packet(lab, OUT, 1).date - lab_packet_way(lab);
}

/* The peer of OUT pauses TC3 at instant 0; a TC3 packet waits behind a TC2 packet that goes on. */
static lab_t* pause_tc3(uint16_t quanta)
{
  lab_t* lab = lab_d128(LAB_DEFAULTS);
  lab_pfc(lab, OUT, 3, quanta);
  lab_packets(lab, IN, OUT, 3, 1);
  lab_packets(lab, IN, OUT, 2, 1);
  lab_run(lab, lab_packet_way(lab));
  CU_ASSERT_EQUAL(lab_packet_count(lab, OUT), 1);
  CU_ASSERT_EQUAL(lab_nth_packet(lab, OUT, 0).tc, 2);
  return lab;
}

SGF_TEST(SW_107_a_pause_holds_its_class_for_the_pause_time)
{
  lab_t* lab = pause_tc3(65535);
  CU_ASSERT_EQUAL(start_of_tc3(lab), PAUSE_TIME);
  lab_free(lab);

  lab = pause_tc3(1000);
  CU_ASSERT_EQUAL(start_of_tc3(lab), 1280000 + 500000);
  lab_free(lab);
}

SGF_TEST(SW_107_a_further_pause_sets_the_timer_back)
{
  lab_t* lab = pause_tc3(65535);
  lab_run(lab, REFRESH);
  lab_pfc(lab, OUT, 3, 65535);
  CU_ASSERT_EQUAL(start_of_tc3(lab), INT64_C(126577200));
  lab_free(lab);

  lab = pause_tc3(65535); /* also to an earlier date: the timer counts this frame's quanta */
  lab_run(lab, 10 * OPP_US);
  lab_pfc(lab, OUT, 3, 1000);
  CU_ASSERT_EQUAL(start_of_tc3(lab), 10 * OPP_US + 1780000);
  lab_free(lab);
}

SGF_TEST(SW_107_a_resume_releases_at_once)
{
  lab_t* lab = pause_tc3(65535);
  lab_run(lab, 50 * OPP_US);
  lab_pfc(lab, OUT, 3, 0);
  CU_ASSERT_EQUAL(start_of_tc3(lab), 50 * OPP_US);
  lab_free(lab);
}
