/* Pauses in a SimGrid simulation of D128 whose senders honour them: spec/switch.md 10.3 to 10.7 and 10.15. */
#include "harness.h"
#include "simulation_support.h"

#include <stdlib.h>

enum { IN = 0, OUT = 1, D128 = 128 };
#define PFC_WAY 1280 /* ps: 64 B at 400 Gbps */
#define DELAY INT64_C(500000)
#define DEPARTURE 80360 /* ps: 4,018 B at 400 Gbps */

static void d128(const char* const* properties)
{
  sim_star(&(star_t){.hosts = D128, .properties = properties});
  sim_watch(IN, OUT, 0);
}

/* h0 sends more than Xoff to h1, where nothing drains for 300 us. */
static void held_burst(const char* const* properties)
{
  d128(properties);
  sim_hold(OUT, 0, 0, 300e-6);
  sim_write_packets(IN, OUT, 400, 1e-6);
  sim_run();
}

/* ------------------------------------------------------------------------------------------ Headroom (SW-26, SW-40) */

SGF_SCENARIO(SW_40_headroom_takes_what_is_in_flight)
{
  enum { FRAME = SIM_PACKET + NET_ETHERNET_BYTES };
  held_burst(SIM_PROPERTIES(SIM_PACKETS("60us")));
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), IN, 0), 704000);
  const sim_row_t* pause = sim_row_of_pause(1);
  CU_ASSERT_EQUAL(pause->occupancy, 704000);
  CU_ASSERT_EQUAL(pause->egress, 176 * SIM_PACKET);
  const int64_t on_the_wire = INT64_C(2) * 400 * 500 / 8; /* Gbps x ns */
  CU_ASSERT_EQUAL(on_the_wire, 50000);
  const int64_t used = sgf_sb_headroom_peak(sim_buffer(), IN, 0);
  CU_ASSERT(used <= on_the_wire + 2 * FRAME);
  CU_ASSERT(used > on_the_wire - FRAME); /* the sender was at full rate */
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

SGF_SCENARIO(SW_40_too_little_headroom_drops_at_the_pause_however_much_pool_is_free)
{
  held_burst(SIM_PROPERTIES(SIM_PACKETS("60us"), "switch.HeadRoomPerPortLimit", "32KB"));
  CU_ASSERT(sim_drops() > 0);
  CU_ASSERT_EQUAL(sim_drops(), sim_switch()->drops[SWITCH_DROP_HEADROOM]);
  CU_ASSERT_EQUAL(sgf_sb_headroom_peak(sim_buffer(), IN, 0), 32000);
  CU_ASSERT(sgf_sb_pool_peak(sim_buffer(), 0) * 100 < sgf_sb_pool_size(sim_buffer(), 0));
  const sim_row_t* pause = sim_row_of_pause(1);
  const sim_row_t* drop  = sim_row_of_rx_drop(1);
  CU_ASSERT(drop->date - pause->date < 2 * DELAY); /* while the pause is on its way */
}

/* --------------------------------------------------------------------------------- Refresh and hold (SW-29, SW-46,
 * 107) */

/* What is dated: the refreshes while h0 holds back and h1 drains nothing. */
static void check_refreshes(const char* latency, opp_simtime_t period)
{
  sim_star(&(star_t){.hosts = D128, .latency = latency, .properties = SIM_PROPERTIES(SIM_PACKETS("60us"))});
  sim_watch(IN, OUT, 0);
  sim_hold(OUT, 0, 0, 300e-6);
  sim_write_packets(IN, OUT, 400, 1e-6);
  sim_run();
  for (unsigned n = 2; n <= 6; n++) {
    const sim_row_t* row = sim_row_of_pause(n);
    CU_ASSERT_EQUAL(row->date - sim_row_of_pause(n - 1)->date, period);
    CU_ASSERT_EQUAL(row->occupancy, row[-1].occupancy); /* SW-106: a frame that is sent moves no counter */
    CU_ASSERT_EQUAL(row->headroom, row[-1].headroom);
    CU_ASSERT_EQUAL(row->pool_total, row[-1].pool_total);
  }
}

SGF_SCENARIO(SW_29_and_SW_46_a_pause_is_repeated_every_42_1924_us)
{
  check_refreshes("500ns", 42192400);
}

SGF_SCENARIO(SW_47_on_a_cable_of_100_ns_every_41_9924_us)
{
  check_refreshes("100ns", 41992400);
}

/* Two packets for h1 wait at the switch; the date at which the first of them starts. */
static opp_simtime_t first_start(void)
{
  sim_write_packets(IN, OUT, 2, 5e-6);
  sim_run();
  const sim_row_t* end = sim_rows() + sim_row_count();
  const sim_row_t* row = sim_rows();
  while (row < end && row->egress < 2 * SIM_PACKET)
    row++;
  while (row < end && row->egress == 2 * SIM_PACKET)
    row++;
  CU_ASSERT_FATAL(row < end);
  return row->date - DEPARTURE;
}

SGF_SCENARIO(SW_107_a_pause_of_65535_quanta_holds_for_84_3848_us)
{
  d128(SIM_PROPERTIES(SIM_PACKETS("60us")));
  sim_pfc(OUT, 0, 65535, 0);
  CU_ASSERT_EQUAL(first_start(), PFC_WAY + DELAY + INT64_C(84384800));
}

SGF_SCENARIO(SW_107_a_further_pause_sets_the_timer_back)
{
  d128(SIM_PROPERTIES(SIM_PACKETS("60us")));
  sim_pfc(OUT, 0, 65535, 0);
  sim_pfc(OUT, 0, 65535, 42.1924e-6);
  CU_ASSERT_EQUAL(first_start(), PFC_WAY + DELAY + INT64_C(126577200));
}

SGF_SCENARIO(SW_107_a_resume_releases_at_once)
{
  d128(SIM_PROPERTIES(SIM_PACKETS("60us")));
  sim_pfc(OUT, 0, 65535, 0);
  sim_pfc(OUT, 0, 0, 50e-6);
  CU_ASSERT_EQUAL(first_start(), PFC_WAY + DELAY + INT64_C(50000000));
}

SGF_SCENARIO(SW_107_a_pause_of_1000_quanta_holds_for_1_78_us)
{
  d128(SIM_PROPERTIES(SIM_PACKETS("60us")));
  sim_pfc(OUT, 0, 65535, 0);
  sim_pfc(OUT, 0, 1000, 20e-6);
  CU_ASSERT_EQUAL(first_start(), PFC_WAY + DELAY + INT64_C(20000000) + 1780000);
}

/* Acknowledgements are of TC1. */
SGF_SCENARIO(SW_107_and_SW_58_other_classes_of_the_port_go_on)
{
  d128(SIM_PROPERTIES(SIM_PACKETS("60us")));
  sim_hold(OUT, 0, 0, 100e-6);
  sim_write_packets(IN, OUT, 100, 1e-6);
  sim_write_packets(OUT, 2, 100, 20e-6);
  sim_run();
  sgf_report_t* report = sgf_report_new(sim_fabric());
  CU_ASSERT_EQUAL_FATAL(report->flow_count, 2);
  CU_ASSERT(report->flows[0].end > 100 * OPP_US);
  CU_ASSERT(report->flows[1].end < 100 * OPP_US); /* its acknowledgements passed 100 packets of TC0 that wait */
  CU_ASSERT(sim_row_count() > 100);
  sgf_report_free(report);
}

/* -------------------------------------------------------------------------------------------- Cycles (SW-35, SW-36) */

/* Three senders share the receiver's link. Every pause comes at 704,000 B; every resume at `xon` and with no headroom
 * in use. */
static uint64_t pauses_of_incast(const char* xon_text, int64_t xon)
{
  d128(SIM_PROPERTIES(SIM_PACKETS("60us"), "switch.StaticPoolXonThreshold", xon_text));
  sim_write_packets(0, OUT, 1500, 1e-6);
  sim_write_packets(2, OUT, 1500, 1e-6);
  sim_write_packets(3, OUT, 1500, 1e-6);
  sim_run();
  const sim_row_t* rows = sim_rows();
  uint64_t pauses       = 0;
  bool paused           = false;
  for (size_t i = 1; i < sim_row_count(); i++) {
    if (rows[i].pauses > rows[i - 1].pauses && !paused) {
      CU_ASSERT_EQUAL(rows[i].occupancy, 704000);
      pauses++;
      paused = true;
    }
    if (rows[i].resumes > rows[i - 1].resumes) {
      CU_ASSERT_EQUAL(rows[i].occupancy, xon);
      CU_ASSERT_EQUAL(rows[i].headroom, 0);
      paused = false;
    }
  }
  CU_ASSERT_FALSE(paused);
  CU_ASSERT_EQUAL(sim_drops(), 0);
  return pauses;
}

SGF_SCENARIO(SW_32_and_SW_36_with_the_default_band_an_incast_pauses_rarely)
{
  const uint64_t pauses = pauses_of_incast("300KB", 300000);
  CU_ASSERT(pauses > 1);
  CU_ASSERT(pauses < 10); /* 6 MB pass the port, at least 404,000 B between two pauses */
}

SGF_SCENARIO(SW_35_without_a_band_an_incast_alternates)
{
  CU_ASSERT(pauses_of_incast("700KB", 700000) > 30);
}

/* -------------------------------------------------------------------------------------- A group of classes (SW-113) */

SGF_SCENARIO(SW_113_a_group_of_two_classes_takes_two_frames_each_time)
{
  held_burst(SIM_PROPERTIES(SIM_PACKETS("60us"), "switch.TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  const sim_row_t* rows = sim_rows();
  unsigned changes      = 0;
  for (size_t i = 1; i < sim_row_count(); i++) {
    const uint64_t pauses  = rows[i].pauses - rows[i - 1].pauses;
    const uint64_t resumes = rows[i].resumes - rows[i - 1].resumes;
    CU_ASSERT(pauses + resumes == 0 || pauses + resumes == 2);
    changes += pauses + resumes > 0;
  }
  CU_ASSERT(changes > 6);
  const pfc_sender_t* sent = &sim_switch()->ports[IN].pfc;
  CU_ASSERT_EQUAL(sent->pauses[0], sent->pauses[1]);
  CU_ASSERT_EQUAL(sent->resumes[0], sent->resumes[1]);
  CU_ASSERT_EQUAL(sim_row_of_pause(1)->occupancy, 704000);
}
