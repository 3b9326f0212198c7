/* The burst of spec/switch.md 10.3 and its release, 10.4, in a SimGrid simulation of D128: h0 sends, h1 receives, and
 * the NIC of h1 keeps the switch's port to it paused until the release. */
#include "harness.h"
#include "simulation_support.h"

enum { IN = 0, OUT = 1, D128 = 128 };

/* The sender does not hear of the pause. */
static void burst_of(unsigned packets, const char* const* properties)
{
  sim_star(&(star_t){.hosts = D128, .deaf = true, .properties = properties});
  sim_watch(IN, OUT, 0);
  sim_hold(OUT, 0, 0, 100e-6);
  sim_write_packets(IN, OUT, packets, 1e-6);
  sim_run();
}

/* Rows from `first` on: occupancy and headroom after each of `count` steps, which change them by these amounts. */
static const sim_row_t* steps(const sim_row_t* first, unsigned count, int64_t occupancy, int64_t headroom)
{
  for (unsigned k = 1; k <= count; k++) {
    CU_ASSERT_EQUAL(first[k].occupancy, first[0].occupancy + k * occupancy);
    CU_ASSERT_EQUAL(first[k].headroom, first[0].headroom + k * headroom);
  }
  return first + count;
}

SGF_SCENARIO(SW_24_to_SW_28_and_SW_30_to_SW_33_a_burst_and_its_release)
{
  enum { SENT = 300 };
  burst_of(SENT, SIM_PROPERTIES(SIM_PACKETS("60us")));
  CU_ASSERT_FATAL(sim_row_count() > 600);

  const sim_row_t* row = steps(sim_rows(), 175, 4000, 0); /* SW-24, SW-25 */
  CU_ASSERT_EQUAL(row->pauses, 0);
  row = steps(row, 1, 4000, 0); /* SW-26 */
  CU_ASSERT_EQUAL(row->occupancy, 704000);
  CU_ASSERT_EQUAL(row->pauses, 1);
  row = steps(row, 64, 0, 4000); /* SW-27 */
  CU_ASSERT_EQUAL(row->headroom, 256000);
  CU_ASSERT_EQUAL(row->rx_drops, 0);
  for (unsigned drop = 1; drop <= SENT - 240; drop++) { /* SW-28 */
    row = steps(row, 1, 0, 0);
    CU_ASSERT_EQUAL(row->rx_drops, drop);
  }

  while (row[1].headroom == row->headroom) /* refreshes */
    row = steps(row, 1, 0, 0);
  row = steps(row, 64, 0, -4000); /* SW-30 */
  CU_ASSERT_EQUAL(row->headroom, 0);
  row = steps(row, 100, -4000, 0); /* SW-31 */
  CU_ASSERT_EQUAL(row->occupancy, 304000);
  CU_ASSERT_EQUAL(row->resumes, 0);
  const uint64_t pauses = row->pauses;
  row                   = steps(row, 1, -4000, 0); /* SW-32, SW-33 */
  CU_ASSERT_EQUAL(row->occupancy, 300000);
  CU_ASSERT_EQUAL(row->resumes, 1);
  CU_ASSERT_EQUAL(sim_rows()[sim_row_count() - 1].pauses, pauses); /* the refresh has stopped */
  CU_ASSERT_EQUAL(sim_switch()->drops[SWITCH_DROP_HEADROOM], SENT - 240);
  CU_ASSERT_EQUAL(sim_drops(), SENT - 240);
}

/* Once the first packet is acknowledged the sender's probe, of a class that goes first, leaves between two of them. */
SGF_SCENARIO(SW_105_departures_follow_each_other_at_the_rate_of_the_link)
{
  const opp_simtime_t packet = 80360, probe = 1240; /* ps; 4,018 B and 62 B */
  burst_of(240, SIM_PROPERTIES(SIM_PACKETS("60us")));
  CU_ASSERT_EQUAL(sim_drops(), 0);
  const sim_row_t* end = sim_rows() + sim_row_count();
  const sim_row_t* row = sim_rows();
  while (row < end && row->egress < 240 * SIM_PACKET)
    row++;
  opp_simtime_t last  = -1;
  unsigned departures = 0;
  unsigned probes     = 0;
  for (; row + 1 < end; row++) {
    if (row[1].egress == row->egress)
      continue;
    CU_ASSERT_EQUAL(row[1].egress, row->egress - SIM_PACKET);
    const opp_simtime_t gap = last >= 0 ? row[1].date - last : packet;
    CU_ASSERT(gap == packet || gap == packet + probe);
    probes += gap == packet + probe;
    last = row[1].date;
    departures++;
  }
  CU_ASSERT_EQUAL(departures, 240);
  CU_ASSERT_EQUAL(probes, 1);
}

SGF_SCENARIO(SW_35_without_a_band_the_resume_comes_with_departure_65)
{
  burst_of(240, SIM_PROPERTIES(SIM_PACKETS("60us"), "switch.StaticPoolXonThreshold", "700KB"));
  const sim_row_t* row = sim_row_of_resume(1);
  CU_ASSERT_EQUAL(row->occupancy, 700000);
  CU_ASSERT_EQUAL(row->headroom, 0);
  CU_ASSERT_EQUAL(row->egress, (240 - 65) * SIM_PACKET);
}

SGF_SCENARIO(SW_96_headroom_is_not_used_when_the_sender_falls_silent)
{
  burst_of(176, SIM_PROPERTIES(SIM_PACKETS("60us")));
  CU_ASSERT_EQUAL(sgf_sb_headroom_peak(sim_buffer(), IN, 0), 0);
  const sim_row_t* row = sim_row_of_resume(1);
  CU_ASSERT_EQUAL(row[-1].occupancy, 304000);
  CU_ASSERT_EQUAL(row->occupancy, 300000);
  CU_ASSERT_EQUAL(row->egress, (176 - 101) * SIM_PACKET);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

SGF_SCENARIO(SW_98_a_departure_splits_over_headroom_and_occupancy)
{
  enum { HEADERS = SIM_PACKET - SIM_PAYLOAD };
  sim_star(&(star_t){.hosts = D128, .deaf = true, .properties = SIM_PROPERTIES(SIM_PACKETS("60us"))});
  sim_watch(IN, OUT, 0);
  sim_hold(OUT, 0, 0, 100e-6);
  sim_write(IN, OUT, 176 * SIM_PAYLOAD + 1000 - HEADERS, 1e-6);
  sim_run();
  const sim_row_t* row = sim_rows();
  while (row->headroom == 0)
    row++;
  CU_ASSERT_EQUAL(row->headroom, 1000);
  while (row->headroom != 0)
    row++;
  CU_ASSERT_EQUAL(row->occupancy, 701000);
  CU_ASSERT_EQUAL(row->pool_total, 701000);
}

SGF_SCENARIO(SW_56_and_SW_57_classes_and_charges_of_data_and_acknowledgements)
{
  sim_star(&(star_t){.hosts = D128, .properties = SIM_PROPERTIES("nic.RdmaDataMSS", "4096")});
  sim_write(IN, OUT, 4096, 1e-6);
  sim_run();
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), IN, 0), 4184); /* 4,202 B on the wire, codepoint 0: TC0 */
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(sim_buffer(), 0), 4184);
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), OUT, 1), 60);       /* 78 B, codepoint 8: TC1 */
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), IN, 1), SIM_PROBE); /* 62 B, codepoint 8 too */
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(sim_buffer(), 1), 60);
}

SGF_SCENARIO(SW_34_after_the_resume_700000_B_pause_again)
{
  enum { SENT = 176 + 400 };
  sim_star(&(star_t){.hosts = D128, .properties = SIM_PROPERTIES(SIM_PACKETS("60us"))});
  sim_watch(IN, OUT, 0);
  sim_hold(OUT, 0, 0, 40e-6);
  sim_hold(OUT, 0, 62e-6, 200e-6); /* after the resume; what drains until then is arriving again */
  sim_write_packets(IN, OUT, SENT, 1e-6);
  sim_run();
  const sim_row_t* end   = sim_rows() + sim_row_count();
  const sim_row_t* pause = sim_row_of_resume(1);
  CU_ASSERT_EQUAL(pause->occupancy, 300000);
  const uint64_t before = pause->pauses;
  while (pause < end && pause->pauses == before) {
    CU_ASSERT(pause->occupancy <= 700000);
    pause++;
  }
  CU_ASSERT_FATAL(pause < end);
  CU_ASSERT_EQUAL(pause->occupancy, 704000);
  CU_ASSERT_EQUAL(pause->headroom, 0);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}
