/* Several classes at one switch in a SimGrid simulation: data of other classes comes from hosts whose NICs write other
 * codepoints, and several hosts behind a switch upstream bring them to one port. spec/switch.md 5.3 to 5.10 and 6,
 * replays of 10.6, 10.10 and 10.15. */
#include "harness.h"
#include "simulation_support.h"

#include <stdlib.h>

#include "scenario/scenario_support.h"
#include "switch/simulation_taps_support.h"

enum { D128 = 128, IN = 0, TC0 = SIM_OF_CLASS(0), TC1 = SIM_OF_CLASS(1), TC2 = SIM_OF_CLASS(2), TC3 = SIM_OF_CLASS(3) };
#define FIXED_CAP "switch.LossyAlpha", "0", "switch.QueueDropThresholdEnable", "true"

static const switch_port_t* port(unsigned number)
{
  return &sim_switch()->ports[number];
}

static uint64_t drops_at(unsigned number, switch_drop_t cause, unsigned tc)
{
  return port(number)->drops[cause][tc];
}

static const sim_row_t* last_row(void)
{
  return &sim_rows()[sim_row_count() - 1];
}

/* The class of the control packets of a host whose data has this class. */
static unsigned control_of(unsigned data_class)
{
  return data_class == 1 ? 3 : 1;
}

/* ---- Classification and service (SW-56, SW-58) ------------------------------------------------------------------- */

/* Pool k is that of class k, so that the pools tell the classes apart. Each sender's probe is control: of class 1, or
 * of class 3 where its data is of class 1. */
SGF_SCENARIO(SW_56_data_of_every_edge_of_a_class)
{
  static const int dscp[]       = {0, 7, 8, 15, 55, 56, 63, -1};
  static const unsigned class[] = {0, 0, 1, 1, 6, 7, 7};
  enum { SENDERS = sizeof class / sizeof *class };
  sim_star(&(star_t){.hosts      = SENDERS + 1,
                     .dscp       = dscp,
                     .properties = SIM_PROPERTIES(SIM_PACKETS("6us"), "switch.TrafficClassPoolMapping",
                                                  "[0, 1, 2, 3, 4, 5, 6, 7]", "switch.PoolAllocationMap",
                                                  "[0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125]")});
  for (unsigned host = 0; host < SENDERS; host++)
    sim_write_packets(host, SENDERS, 1, 1e-6);
  sim_run();
  for (unsigned host = 0; host < SENDERS; host++)
    for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
      CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), host, pool), pool == class[host]               ? SIM_PACKET
                                                                       : pool == control_of(class[host]) ? SIM_PROBE
                                                                                                         : 0);
}

/* Which data packet left where in the order of them. */
static size_t place_of(unsigned tap, unsigned tc, unsigned nth)
{
  for (size_t n = 0; n < sim_data_frame_count(tap); n++)
    if (sim_data_frame(tap, n)->header.dscp / 8U == tc && nth-- == 0)
      return n;
  CU_FAIL_FATAL("this frame never left");
  return 0;
}

/* The resume of class 0 comes 10 ns earlier and lets one frame go; the others wait for class 7, and class 3 stays
 * paused. */
SGF_SCENARIO(SW_58_TC7_before_TC0_and_TC3_after_its_release)
{
  enum { RECEIVES = 3, EACH = 3 };
  const unsigned tap = sim_tap(&(sim_tap_t){.device = "s0", .port = RECEIVES});
  sim_star(&(star_t){.hosts      = RECEIVES + 1,
                     .dscp       = SIM_DSCP(TC0, TC3, SIM_OF_CLASS(7)),
                     .properties = SIM_PROPERTIES(SIM_PACKETS("60us"))});
  sim_hold(RECEIVES, 0, 0, 50e-6);
  sim_hold(RECEIVES, 7, 0, 50.01e-6);
  sim_hold(RECEIVES, 3, 0, 80e-6);
  for (unsigned host = 0; host < RECEIVES; host++)
    sim_write_packets(host, RECEIVES, EACH, 1e-6);
  sim_run();
  CU_ASSERT_EQUAL_FATAL(sim_data_frame_count(tap), 3 * EACH);
  CU_ASSERT_EQUAL(sim_frame_count(tap), 3 * EACH + RECEIVES); /* and one probe of each */
  CU_ASSERT_EQUAL(place_of(tap, 0, 0), 0);
  for (unsigned n = 0; n < EACH; n++)
    CU_ASSERT_EQUAL(place_of(tap, 7, n), 1 + n);
  for (unsigned n = 1; n < EACH; n++)
    CU_ASSERT_EQUAL(place_of(tap, 0, n), EACH + n);
  for (unsigned n = 0; n < EACH; n++)
    CU_ASSERT_EQUAL(place_of(tap, 3, n), 2 * EACH + n);
  CU_ASSERT(sim_data_frame(tap, 2 * EACH - 1)->date < 60 * OPP_US);
  CU_ASSERT(sim_data_frame(tap, 2 * EACH)->date > 80 * OPP_US);
}

/* h0 and h1 fill the queue of h3, which sends to h2 meanwhile until the switch pauses it. */
SGF_SCENARIO(SW_58_a_pause_waits_for_the_frame_on_the_wire_alone)
{
  enum { SLOW = 2, BUSY = 3 };
  const opp_simtime_t frame = 80360, pause_frame = 1280, delay = 500 * OPP_NS; /* ps; 4,018 B and 64 B */
  const unsigned tap = sim_tap(&(sim_tap_t){.device = "s0", .port = BUSY});
  sim_star(&(star_t){.hosts = BUSY + 1, .properties = SIM_PROPERTIES(SIM_PACKETS("60us"))});
  sim_watch(BUSY, SLOW, 0);
  sim_hold(SLOW, 0, 0, 100e-6);
  sim_write_packets(0, BUSY, 300, 1e-6);
  sim_write_packets(1, BUSY, 300, 1e-6);
  sim_write_packets(BUSY, SLOW, 200, 1e-6);
  sim_run();
  size_t n = 0;
  while (sim_frame(tap, n)->header.type != NET_FRAME_PFC)
    n++;
  const opp_simtime_t waited = sim_frame(tap, n)->date - delay - pause_frame - sim_row_of_pause(1)->date;
  CU_ASSERT(waited >= 0 && waited <= frame);
  CU_ASSERT_EQUAL(sim_frame(tap, n - 1)->date + pause_frame, sim_frame(tap, n)->date); /* a frame was on the wire */
  CU_ASSERT_EQUAL(sim_frame(tap, n + 1)->date - sim_frame(tap, n)->date, frame);       /* and others waited */
  CU_ASSERT(sim_frame_count(tap) - n > 100);
}

/* ---- Lossy beside lossless bytes on one port (SW-59, SW-97, SW-99) ----------------------------------------------- */

/* h0 sends TC2 and h1 TC0, both into port 0; h2 behind port 1 receives. */
enum { LOSSY = 0, LOSSLESS = 1, RECEIVER = 2, OUT = 1 };

static void two_classes(bool deaf, const char* const* properties)
{
  sim_star(
      &(star_t){.hosts = D128 + 1, .behind = 2, .deaf = deaf, .dscp = SIM_DSCP(TC2, TC0), .properties = properties});
  CU_ASSERT_EQUAL(sim_switch()->port_count, D128);
  sim_watch(IN, OUT, 0);
}

SGF_SCENARIO(SW_59_lossy_bytes_bring_the_pause_nearer)
{
  two_classes(false, SIM_PROPERTIES(SIM_PACKETS("60us")));
  sim_hold_all(RECEIVER, 0, 100e-6);
  sim_write_packets(LOSSY, RECEIVER, 100, 1e-6);
  sim_write_packets(LOSSLESS, RECEIVER, 80, 20e-6);
  sim_run();
  const sim_row_t* pause = sim_row_of_pause(1);
  CU_ASSERT_EQUAL(pause[-1].occupancy, 700000);
  CU_ASSERT_EQUAL(pause[-1].egress, (100 + 75) * SIM_PACKET);
  CU_ASSERT_EQUAL(pause->occupancy, 704000);
  CU_ASSERT_EQUAL(pause->egress, (100 + 76) * SIM_PACKET);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* The first row at which the port holds these bytes, from `row` on. */
static const sim_row_t* find(const sim_row_t* row, int64_t occupancy, int64_t headroom)
{
  const sim_row_t* end = sim_rows() + sim_row_count();
  while (row < end && (row->occupancy != occupancy || row->headroom != headroom))
    row++;
  CU_ASSERT_FATAL(row < end);
  return row;
}

SGF_SCENARIO(SW_97_a_lossy_packet_passes_a_paused_port_without_a_resume_test)
{
  two_classes(true, SIM_PROPERTIES(SIM_PACKETS("60us")));
  sim_hold(RECEIVER, 0, 0, 100e-6);
  sim_hold(RECEIVER, 2, 0, 70e-6);
  sim_write_packets(LOSSLESS, RECEIVER, 240, 1e-6);
  sim_write_packets(LOSSY, RECEIVER, 1, 40e-6);
  sim_run();
  const sim_row_t* full = find(sim_rows(), 704000, 256000);
  const sim_row_t* with = find(full, 708000, 256000);
  CU_ASSERT(with->date > 40 * OPP_US);
  CU_ASSERT_EQUAL(with->pauses, with[-1].pauses);
  const sim_row_t* left = find(with, 704000, 256000);
  CU_ASSERT(left->date > 70 * OPP_US && left->date < 71 * OPP_US);
  CU_ASSERT_EQUAL(left->pauses, left[-1].pauses);
  CU_ASSERT_EQUAL(left->resumes, 0);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* 100 packets of TC2, then 76 of TC0, which leave first; then one more of TC0. Pauses do not reach the sender: it would
 * be held for ever. */
static void lossy_bytes_leave_last(const char* const* properties)
{
  two_classes(true, properties);
  sim_hold(RECEIVER, 0, 0, 60e-6);
  sim_hold(RECEIVER, 2, 0, 90e-6);
  sim_write_packets(LOSSY, RECEIVER, 100, 1e-6);
  sim_write_packets(LOSSLESS, RECEIVER, 76, 20e-6);
  sim_write_packets(LOSSLESS, RECEIVER, 1, 200e-6);
  sim_run();
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

SGF_SCENARIO(SW_99_without_a_lossless_departure_the_refresh_goes_on)
{
  lossy_bytes_leave_last(SIM_PROPERTIES(SIM_PACKETS("60us")));
  const sim_row_t* pause = find(sim_rows(), 704000, 0);
  CU_ASSERT_EQUAL(pause->pauses, 1);
  const sim_row_t* lossy = find(pause, 400000, 0); /* all TC0 has left */
  const sim_row_t* empty = find(lossy, 0, 0);
  CU_ASSERT_EQUAL(empty->resumes, 0);
  const sim_row_t* more = find(empty, 0, SIM_PACKET); /* goes to headroom */
  CU_ASSERT(more->date > 200 * OPP_US);
  CU_ASSERT(more->pauses > empty->pauses); /* refreshes of nothing */
  CU_ASSERT_EQUAL(more->resumes, 0);
  const sim_row_t* resume = sim_row_of_resume(1);
  CU_ASSERT_EQUAL(resume->occupancy, 0);
  CU_ASSERT_EQUAL(resume->headroom, 0);
  CU_ASSERT_EQUAL(resume[-1].headroom, SIM_PACKET);
  CU_ASSERT_EQUAL(last_row()->pauses, more->pauses);
  CU_ASSERT_EQUAL(sgf_sb_unresumed(sim_buffer()), 100 - 24); /* departures of TC2 to Xon and below */
}

SGF_SCENARIO(O_11_with_ResumeOnLossyRelease_the_resume_comes_at_Xon)
{
  lossy_bytes_leave_last(SIM_PROPERTIES(SIM_PACKETS("60us"), "switch.ResumeOnLossyRelease", "true"));
  const sim_row_t* resume = sim_row_of_resume(1);
  CU_ASSERT_EQUAL(resume->occupancy, 300000);
  CU_ASSERT_EQUAL(resume->egress, 300000);
  CU_ASSERT(resume->date > 90 * OPP_US && resume->date < 200 * OPP_US);
  CU_ASSERT_EQUAL(last_row()->pauses, resume->pauses);
}

/* ---- Pools of a port (SW-95) ------------------------------------------------------------------------------------- */

/* h0 sends TC1 and h1 TC0 into port 0, and neither hears of pauses. TC1 leaves first, so that h0's probe, of class 3
 * and lossy, comes while all of TC0 is still there: it passes the paused pool. */
SGF_SCENARIO(SW_95_two_classes_of_a_port_are_paused_and_dropped_apart)
{
  sim_star(&(star_t){.hosts      = D128 + 1,
                     .behind     = 2,
                     .deaf       = true,
                     .dscp       = SIM_DSCP(TC1, TC0),
                     .properties = SIM_PROPERTIES(SIM_PACKETS("60us"))});
  sim_hold_all(RECEIVER, 0, 100e-6);
  sim_write_packets(0, RECEIVER, 300, 1e-6);
  sim_write_packets(1, RECEIVER, 300, 1e-6);
  sim_run();
  int64_t held = 0;
  for (unsigned pool = 0; pool < 2; pool++) {
    CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), IN, pool), 704000 + (pool == 0 ? SIM_PROBE : 0));
    CU_ASSERT_EQUAL(sgf_sb_headroom_peak(sim_buffer(), IN, pool), 256000);
    held += sgf_sb_occupancy_peak(sim_buffer(), IN, pool) + sgf_sb_headroom_peak(sim_buffer(), IN, pool);
    CU_ASSERT_EQUAL(drops_at(IN, SWITCH_DROP_HEADROOM, pool), 60);
    CU_ASSERT(port(IN)->pfc.pauses[pool] > 0);
  }
  CU_ASSERT_EQUAL(held, 1920000 + SIM_PROBE);
  CU_ASSERT_EQUAL(port(IN)->rx_drops, 120);
  CU_ASSERT_EQUAL(sim_drops(), 120);
}

SGF_SCENARIO(SW_95_a_paused_pool_leaves_other_pools_and_ports_alone)
{
  enum { ELSEWHERE = 3, ITS_PORT = 2 };
  sim_star(&(star_t){.hosts      = D128 + 1,
                     .behind     = 2,
                     .deaf       = true,
                     .dscp       = SIM_DSCP(TC1, TC0),
                     .properties = SIM_PROPERTIES(SIM_PACKETS("60us"))});
  sim_hold_all(RECEIVER, 0, 100e-6);
  sim_write_packets(1, RECEIVER, 240, 1e-6);
  sim_write_packets(0, RECEIVER, 1, 40e-6);
  sim_write_packets(ELSEWHERE, RECEIVER, 1, 40e-6);
  sim_run();
  CU_ASSERT_EQUAL(sgf_sb_headroom_peak(sim_buffer(), IN, 0), 256000);
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), IN, 1), SIM_PACKET);
  CU_ASSERT_EQUAL(sgf_sb_headroom_peak(sim_buffer(), IN, 1), 0);
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), ITS_PORT, 0), SIM_PACKET);
  CU_ASSERT_EQUAL(sgf_sb_headroom_peak(sim_buffer(), ITS_PORT, 0), 0);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* ---- Pools of the switch (SW-44, SW-62) -------------------------------------------------------------------------- */

/* Three ports leave a sizing total of 4,000,000 B, pool 0 has 3,600,000 of them: 900 packets. h0 sends TC2, h1 TC0. */
SGF_SCENARIO(SW_44_other_classes_can_fill_the_pool_of_tc0)
{
  sim_star(&(star_t){.hosts      = 3,
                     .dscp       = SIM_DSCP(TC2, TC0),
                     .properties = SIM_PROPERTIES(SIM_PACKETS("200us"), FIXED_CAP, "switch.QueueDropThreshold", "20",
                                                  "switch.TotalSharedBufferSize", "4768KB")});
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), 3600000);
  sim_watch(1, 2, 0);
  sim_hold_all(2, 0, 150e-6);
  sim_write_packets(0, 2, 910, 1e-6);
  sim_write_packets(1, 2, 1, 100e-6);
  sim_run();
  CU_ASSERT_EQUAL(drops_at(0, SWITCH_DROP_INGRESS_POOL, 2), 10);
  const sim_row_t* drop = sim_row_of_rx_drop(1);
  CU_ASSERT_EQUAL(drops_at(1, SWITCH_DROP_INGRESS_POOL, 0), 1); /* lossless, and gone */
  CU_ASSERT_EQUAL(drop->pool_total, 3600000);
  CU_ASSERT_EQUAL(drop->occupancy, 0);
  for (unsigned number = 0; number < 3; number++)
    CU_ASSERT_EQUAL(port(number)->pfc.pauses[0], 0); /* nobody was paused before the pool was full */
  CU_ASSERT_EQUAL(sim_drops(), 11);
}

/* h0 sends TC0 and hears of no pause: what lies in headroom counts in the pool at egress and not at ingress. h2 sends
 * TC2. */
SGF_SCENARIO(SW_62_pool_space_alone_refuses)
{
  sim_star(&(star_t){.hosts      = 3,
                     .deaf       = true,
                     .dscp       = SIM_DSCP(TC0, TC0, TC2),
                     .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), FIXED_CAP, "switch.QueueDropThreshold", "20",
                                                  "switch.TotalSharedBufferSize", "2696KB", "switch.PoolAllocationMap",
                                                  "[0.5, 0.5, 0, 0, 0, 0, 0, 0]")});
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), 964000);
  sim_watch(2, 1, 0);
  sim_hold_all(1, 0, 100e-6);
  sim_write_packets(0, 1, 240, 1e-6);
  sim_write_packets(2, 1, 2, 40e-6);
  sim_run();
  const sim_row_t* drop = sim_row_of_tx_drop(1);
  CU_ASSERT_EQUAL(drop->egress, 964000); /* one packet fitted exactly; the queue's limit is 6,000,000 */
  CU_ASSERT_EQUAL(drop->pool_total, 704000 + SIM_PACKET);
  CU_ASSERT_EQUAL(drops_at(1, SWITCH_DROP_EGRESS_POOL, 2), 1);
  CU_ASSERT_EQUAL(sim_drops(), 1);
}

SGF_SCENARIO(SW_62_queue_limit_alone_refuses)
{
  sim_star(&(star_t){.hosts      = D128,
                     .dscp       = SIM_DSCP(TC2),
                     .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), FIXED_CAP, "switch.QueueDropThreshold", "1",
                                                  "switch.PlaneBDP", "11.999KB")});
  sim_watch(0, 1, 0);
  sim_hold_all(1, 0, 100e-6);
  sim_write_packets(0, 1, 3, 1e-6);
  sim_run();
  CU_ASSERT_EQUAL(sim_row_of_tx_drop(1)->egress, 2 * SIM_PACKET);
  CU_ASSERT_EQUAL(drops_at(1, SWITCH_DROP_EGRESS_QUEUE, 2), 1);
  CU_ASSERT_EQUAL(sim_drops(), 1);
}

/* ---- Egress queues (SW-16, SW-100 to SW-103) --------------------------------------------------------------------- */

/* Until queues fill, the limits of the ports together are more than the pool; three busy queues of four ports settle
 * where they are just the pool. */
SGF_SCENARIO(SW_16_dynamic_limits_sum_to_more_than_the_pool)
{
  enum { PORTS = 4, POOL = 3600000 };
  sim_star(&(star_t){
      .hosts      = PORTS,
      .properties = SIM_PROPERTIES(SIM_PACKETS("200us"), SIM_ALL_LOSSY, "switch.TotalSharedBufferSize", "5024KB")});
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), POOL);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sim_buffer(), 0), POOL);
  sim_watch(0, 1, 0);
  for (unsigned host = 1; host < PORTS; host++) {
    sim_hold_all(host, 0, 150e-6);
    sim_write_packets(0, host, 300, 1e-6);
  }
  sim_run();
  const sim_row_t* drop = sim_row_of_tx_drop(1);
  for (const sim_row_t* row = sim_rows(); row < drop; row++)
    CU_ASSERT(PORTS * (POOL - row->pool_total) > POOL - PORTS * SIM_PACKET); /* a packet on its way in is counted */
  CU_ASSERT_EQUAL(drop->egress, POOL / PORTS);
  CU_ASSERT_EQUAL(sim_drops(), sim_switch()->drops[SWITCH_DROP_EGRESS_QUEUE]);
}

/* h0 to h3 send TC0 to h5, and h4 sends TC2. */
SGF_SCENARIO(SW_100_lossless_bytes_count_in_a_queue_but_meet_no_limit)
{
  enum { SENDERS = 4, OTHERS = 4, TO = 5, ELSEWHERE = 6 };
  sim_star(&(star_t){.hosts      = D128,
                     .dscp       = SIM_DSCP(TC0, TC0, TC0, TC0, TC2),
                     .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), FIXED_CAP)});
  sim_watch(OTHERS, TO, 0);
  sim_hold_all(TO, 0, 100e-6);
  for (unsigned host = 0; host < SENDERS; host++)
    sim_write_packets(host, TO, 125, 1e-6);
  sim_write_packets(OTHERS, TO, 1, 30e-6);
  sim_write_packets(OTHERS, ELSEWHERE, 1, 40e-6);
  sim_run();
  const sim_row_t* drop = sim_row_of_tx_drop(1);
  CU_ASSERT_EQUAL(drop->egress, 2000000);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sim_buffer(), 0), 1500000);
  CU_ASSERT_EQUAL(drops_at(TO, SWITCH_DROP_EGRESS_QUEUE, 2), 1);
  CU_ASSERT(sim_end_of_write(SENDERS + 1) < 50 * OPP_US);
  CU_ASSERT_EQUAL(sim_drops(), 1);
}

/* h0 sends TC2 and h1 TC3 until the queue is full; then h2 to h7 send one packet each of TC2 to TC7. */
SGF_SCENARIO(SW_101_classes_of_a_pool_share_the_limit_of_a_queue)
{
  enum { TO = 8 };
  sim_star(&(star_t){
      .hosts      = D128,
      .dscp       = SIM_DSCP(TC2, TC3, TC2, TC3, SIM_OF_CLASS(4), SIM_OF_CLASS(5), SIM_OF_CLASS(6), SIM_OF_CLASS(7)),
      .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), FIXED_CAP)});
  sim_watch(0, TO, 0);
  sim_hold_all(TO, 0, 100e-6);
  sim_write_packets(0, TO, 200, 1e-6);
  sim_write_packets(1, TO, 175, 1e-6);
  for (unsigned host = 2; host < TO; host++)
    sim_write_packets(host, TO, 1, 30e-6);
  sim_run();
  CU_ASSERT_EQUAL(sim_row_of_tx_drop(1)->egress, 1500000);
  for (unsigned tc = 2; tc < NET_CLASSES; tc++)
    CU_ASSERT_EQUAL(drops_at(TO, SWITCH_DROP_EGRESS_QUEUE, tc), 1);
  CU_ASSERT_EQUAL(sim_drops(), 6);
}

/* 125 hosts put 160 packets of TC0 each on one queue, less than their ports' Xoff; h125 sends TC2 to another. */
SGF_SCENARIO(SW_102_lossless_bytes_lower_the_dynamic_limit_of_other_ports)
{
  enum { SENDERS = 125, OTHER = SENDERS, TO, ELSEWHERE, SENT = 15200, FIT = 15114 };
  int dscp[SENDERS + 2];
  for (unsigned host = 0; host < SENDERS; host++)
    dscp[host] = TC0;
  dscp[OTHER]     = TC2;
  dscp[OTHER + 1] = -1;
  sim_star(&(star_t){.hosts = D128, .dscp = dscp, .properties = SIM_PROPERTIES(SIM_PACKETS("2ms"))});
  sim_watch(OTHER, ELSEWHERE, 0);
  sim_hold(TO, 0, 0, 2e-3);
  sim_hold(ELSEWHERE, 2, 0, 2e-3);
  for (unsigned host = 0; host < SENDERS; host++)
    sim_write_packets(host, TO, 160, 1e-6);
  sim_write_packets(OTHER, ELSEWHERE, SENT, 50e-6);
  sim_run();
  const sim_row_t* drop = sim_row_of_tx_drop(1);
  CU_ASSERT_EQUAL(drop->pool_total - drop->egress, 20000 * SIM_PACKET);
  CU_ASSERT_EQUAL(drop->egress, FIT * SIM_PACKET);
  CU_ASSERT_EQUAL(drops_at(ELSEWHERE, SWITCH_DROP_EGRESS_QUEUE, 2), SENT - FIT);
  CU_ASSERT_EQUAL(sim_drops(), SENT - FIT);
}

/* With a weight of 0.1 the average trails the queue: a refused packet leaves it alone, a lossless one moves it. h0
 * sends TC2, h1 TC0. */
SGF_SCENARIO(SW_103_the_average_moves_with_admitted_packets_alone)
{
  enum { FIT = 375, REFUSED = 5 };
  sim_star(&(star_t){
      .hosts = D128, .dscp = SIM_DSCP(TC2, TC0), .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), FIXED_CAP)});
  sim_watch(0, 2, 0);
  sim_hold_all(2, 0, 100e-6);
  sim_write_packets(0, 2, FIT + REFUSED, 1e-6);
  sim_write_packets(1, 2, 1, 50e-6);
  sim_run();
  const sim_row_t* first = sim_row_of_tx_drop(1);
  const sim_row_t* last  = sim_row_of_tx_drop(REFUSED);
  CU_ASSERT_EQUAL(first->egress, FIT * SIM_PACKET);
  CU_ASSERT_EQUAL(first->average, first[-1].average);
  CU_ASSERT_EQUAL(last->average, first->average);
  CU_ASSERT(first->average < (double)first->egress);
  const sim_row_t* lossless = last + 1;
  CU_ASSERT_EQUAL(lossless->egress, (FIT + 1) * SIM_PACKET);
  CU_ASSERT_DOUBLE_EQUAL(lossless->average, 0.9 * last->average + 0.1 * (FIT + 1) * SIM_PACKET,
                         1e-9 * lossless->average);
}

/* ---- SwitchingCapacity (SW-12) ----------------------------------------------------------------------------------- */

enum { INCAST = 3, TO_LAST = D128 - 1, EACH_SENDS = 400 };
#define INCAST_BEGINS INT64_C(1000000) /* ps */

/* When each write of an incast is acknowledged in D128 as it is, by the engine alone. */
static void reference(opp_simtime_t ends[INCAST])
{
  sgf_error_t error        = {0};
  char* text               = sim_star_text(&(star_t){.hosts = D128, .properties = SIM_PROPERTIES(SIM_PACKETS("60us"))});
  sgf_scenario_t* scenario = scenario_load(text, NULL, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  for (unsigned host = 0; host < INCAST; host++)
    sgf_op_unref(sgf_op_write(fabric, sgf_fabric_host(fabric, host), sgf_fabric_host(fabric, TO_LAST),
                              (uint64_t)EACH_SENDS * SIM_PAYLOAD, 0, INCAST_BEGINS, 0, &error));
  CU_ASSERT_EQUAL(sgf_engine_drain(fabric), SGF_ENGINE_IDLE);
  sgf_report_t* report = sgf_report_new(fabric);
  for (unsigned host = 0; host < INCAST; host++)
    ends[host] = report->flows[host].end;
  sgf_report_free(report);
  sgf_scenario_free(scenario);
  free(text);
}

static void check_capacity(const char* capacity)
{
  opp_simtime_t ends[INCAST];
  reference(ends);
  sim_star(&(star_t){.hosts      = D128,
                     .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), "switch.SwitchingCapacity", capacity)});
  CU_ASSERT_EQUAL(switch_total_bps(sim_switch()), INT64_C(51200000000000));
  for (unsigned host = 0; host < INCAST; host++)
    sim_write_packets(host, TO_LAST, EACH_SENDS, 1e-6);
  sim_run();
  for (unsigned host = 0; host < INCAST; host++) {
    CU_ASSERT(ends[host] > INCAST_BEGINS);
    CU_ASSERT_EQUAL(sim_end_of_write(host), ends[host]);
  }
}

SGF_SCENARIO(SW_12_a_lower_SwitchingCapacity_changes_no_forwarding)
{
  check_capacity("1Gbps");
}

SGF_SCENARIO(SW_12_a_higher_SwitchingCapacity_changes_no_forwarding)
{
  check_capacity("1000000Gbps");
}
