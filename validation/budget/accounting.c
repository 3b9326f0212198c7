/* spec/feedback-budget.md 5, 6 and 13.2, FB-56 to FB-59: ingress and egress count the same bytes by row and by column,
 * and what headroom has to hold.
 *
 *   h0 h1 h2 h3 == tor == h4
 *
 * Switches compare with "above", so that the packet after the one that meets XOFF decides. Charges are IP sizes, 18 B
 * less than frames on the wire. A receiver freezes an egress by pausing the switch. */
#include "budget_support.h"
#include "harness.h"

#include <stdlib.h>

enum { XOFF = 128000, ECN = 80000, HOSTS = 5, FREEZE = 65535 };

/* Step marking at 80 kB, 0.08 of the static limit 5 x 200 kB. */
#define THRESHOLDS                                                                                                     \
  {NULL, "switch", "StaticPoolXoffThreshold", "128KB"}, {NULL, "switch", "StaticPoolXonThreshold", "64KB"},            \
      {NULL, "switch", "HeadRoomPerPortLimit", "109KB"}, {NULL, "switch", "LossyAlpha", "0"},                          \
      {NULL, "switch", "QueueDropThresholdEnable", "true"}, {NULL, "switch", "QueueDropThreshold", "5"},               \
      {NULL, "switch", "PlaneBDP", "200KB"}, {NULL, "switch", "EcnHandler.EwmaWeight", "1"},                           \
      {NULL, "switch", "EcnHandler.MinThreshold", "0.08"}, {NULL, "switch", "EcnHandler.MaxThreshold", "0.08"},        \
  {                                                                                                                    \
    NULL, "nic", "EnableECN", "true"                                                                                   \
  }

static sgf_device_t* tor;

static const sgf_shared_buffer_t* buffer(void)
{
  return sgf_device_buffer(tor);
}

static int64_t ingress(unsigned port)
{
  return sgf_sb_occupancy(buffer(), port, 0) + sgf_sb_headroom(buffer(), port, 0);
}

static int64_t egress(unsigned port)
{
  return sgf_sb_egress_queue(buffer(), port, 0);
}

static uint64_t marks(void)
{
  uint64_t count = 0;
  for (unsigned port = 0; port < HOSTS; port++)
    count += sgf_device_class_stats(tor, port, 0).marked;
  return count;
}

static uint64_t drops(void)
{
  uint64_t count = 0;
  for (unsigned port = 0; port < HOSTS; port++)
    count += sgf_device_port_stats(tor, port).rx_drops + sgf_device_port_stats(tor, port).tx_drops;
  return count;
}

static uint64_t pauses_sent(unsigned port)
{
  return sgf_device_class_stats(tor, port, 0).pauses_sent;
}

/* FB-21: rows and columns of one matrix. */
static void check_matrix(void)
{
  int64_t rows = 0, columns = 0;
  for (unsigned port = 0; port < HOSTS; port++) {
    rows += ingress(port);
    columns += egress(port);
  }
  CU_ASSERT_EQUAL(rows, columns);
}

/* Calls at dates after the first frame is in, by number of a frame. */
static opp_simtime_t first_in;
static void (*look_at)(int64_t frame);

static void look(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)fabric;
  check_matrix();
  look_at((now - first_in) / *(const opp_simtime_t*)user + 1);
}

static opp_simtime_t frame_wire;
static int64_t frames_to_see;

/* After each frame that one sender brings. */
static void first_frame(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)user;
  first_in = now;
  for (int64_t i = 0; i < frames_to_see; i++)
    CU_ASSERT_EQUAL(sgf_script_at(fabric, now + i * frame_wire, look, &frame_wire, NULL), SGF_OK);
}

/* `look` hears of the state after each of so many frames, of one size, that the first cable with data brings. */
static void watch_frames(unsigned out, opp_simtime_t wire, int64_t frames, void (*hears)(int64_t frame))
{
  frame_wire    = wire;
  frames_to_see = frames;
  look_at       = hears;
  CU_ASSERT_EQUAL(sgf_script_when_queue(tor, out, 0, 1, first_frame, NULL, NULL), SGF_OK);
}

/* ---- FB-56 ------------------------------------------------------------------------------------------------------- */

enum { BIG = 4000, TO_EACH = 12, ALL = 4 * TO_EACH };
static const opp_simtime_t big_wire = (BIG + 18) * 20;
#define BIG_FRAMES                                                                                                     \
  {                                                                                                                    \
    NULL, "nic", "MSS", "3972"                                                                                         \
  } /* 46 B of headers: 4,018 B on the wire, 4,000 B charged */

static void release_all(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)user;
  (void)fabric;
  (void)now;
  for (unsigned host = 1; host < HOSTS; host++)
    budget_pause(sgf_device_peer(tor, host), 0, 0, 0);
}

static void after_big_frame(int64_t n)
{
  CU_ASSERT_EQUAL(pauses_sent(0), n > 32); /* 32 x 4,000 is XOFF itself; the 33rd is above */
  CU_ASSERT_EQUAL(sgf_sb_occupancy(buffer(), 0, 0), (n < 33 ? n : 33) * BIG);
  CU_ASSERT_EQUAL(sgf_sb_headroom(buffer(), 0, 0), n > 33 ? (n - 33) * BIG : 0);
  for (unsigned port = 1; port < HOSTS; port++)
    CU_ASSERT_EQUAL(egress(port), (n + 4 - port) / 4 * BIG); /* in turn */
  CU_ASSERT_EQUAL(marks(), 0);
}

static void build_fan_out(budget_seat_t seat_is, const char* obeys)
{
  const budget_topology_t r1           = budget_r1(100 * OPP_NS);
  const budget_setting_t settings[]    = {THRESHOLDS, BIG_FRAMES, {"h0", "nic", "ObeyPauses", obeys}, {0}};
  sgf_fabric_t* fabric                 = budget_build(seat_is, &r1, settings);
  tor                                  = budget_device("tor");
  static const char* const receivers[] = {"h1", "h2", "h3", "h4"};
  for (unsigned i = 0; i < 4; i++) {
    budget_pause(budget_device(receivers[i]), 0, 0, FREEZE);
    budget_write("h0", receivers[i], TO_EACH * 3972, 0, OPP_US);
  }
  CU_ASSERT_EQUAL(sgf_script_at(fabric, 20 * OPP_US, release_all, NULL, NULL), SGF_OK);
}

static void pfc_without_ecn(budget_seat_t seat_is)
{
  build_fan_out(seat_is, "false");
  watch_frames(1, big_wire, ALL, after_big_frame);
  budget_run(19 * OPP_US);
  CU_ASSERT_EQUAL(ingress(0), 192000);
  for (unsigned port = 1; port < HOSTS; port++)
    CU_ASSERT_EQUAL(egress(port), 48000);
  budget_finish();
  CU_ASSERT_EQUAL(marks(), 0);
  CU_ASSERT_EQUAL(drops(), 0);
  for (unsigned port = 1; port < HOSTS; port++)
    CU_ASSERT_EQUAL(sgf_device_port_stats(sgf_device_peer(tor, port), 0).rx_packets, TO_EACH);
  budget_free();
}

SGF_TEST(FB_56_one_ingress_reaches_XOFF_while_no_egress_marks)
{
  pfc_without_ecn(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_56_the_same_in_a_simulation)
{
  pfc_without_ecn(BUDGET_SIMGRID);
}

/* The pause is at the sender 101.28 ns after the 33rd frame is in; what begins before that arrives: frames 34 and 35
 * are on the cable or the wire then, and 36 begins 40.56 ns before. */
SGF_TEST(FB_56_a_sender_that_obeys_stops_a_few_packets_after_the_pause)
{
  build_fan_out(BUDGET_ENGINE, "true");
  budget_run(19 * OPP_US);
  CU_ASSERT_EQUAL(pauses_sent(0), 1);
  CU_ASSERT_EQUAL(ingress(0), 36 * BIG);
  budget_finish();
  CU_ASSERT_EQUAL(marks(), 0);
  budget_free();
}

/* ---- FB-57 ------------------------------------------------------------------------------------------------------- */

enum { SMALL = 2500, OF_EACH = 10 };
#define SMALL_FRAMES                                                                                                   \
  {                                                                                                                    \
    NULL, "nic", "MSS", "2472"                                                                                         \
  } /* 2,518 B on the wire, 2,500 B charged */

static void release_h4(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)user;
  (void)fabric;
  (void)now;
  CU_ASSERT_EQUAL(egress(4), 100000);
  for (unsigned port = 0; port < 4; port++)
    CU_ASSERT_EQUAL(ingress(port), 25000);
  CU_ASSERT_EQUAL(marks(), 0);
  check_matrix();
  budget_pause(budget_device("h4"), 0, 0, 0);
}

static void build_fan_in(budget_seat_t seat_is, bool freezes)
{
  const budget_topology_t r1         = budget_r1(100 * OPP_NS);
  const budget_setting_t settings[]  = {THRESHOLDS, SMALL_FRAMES, {0}};
  sgf_fabric_t* fabric               = budget_build(seat_is, &r1, settings);
  tor                                = budget_device("tor");
  static const char* const senders[] = {"h0", "h1", "h2", "h3"};
  for (unsigned i = 0; i < 4; i++)
    budget_write(senders[i], "h4", OF_EACH * 2472, 0, OPP_US);
  if (!freezes)
    return;
  budget_pause(budget_device("h4"), 0, 0, FREEZE);
  CU_ASSERT_EQUAL(sgf_script_at(fabric, 20 * OPP_US, release_h4, NULL, NULL), SGF_OK);
}

/* Nothing is admitted after the release, so that the average stays at 100 kB and every packet is marked. */
static void ecn_without_pfc(budget_seat_t seat_is)
{
  build_fan_in(seat_is, true);
  budget_run(40 * OPP_US);
  budget_finish();
  CU_ASSERT_EQUAL(marks(), 4 * OF_EACH);
  for (unsigned port = 0; port < 4; port++)
    CU_ASSERT_EQUAL(pauses_sent(port), 0);
  CU_ASSERT_EQUAL(drops(), 0);
  budget_free();
}

SGF_TEST(FB_57_one_egress_marks_while_every_ingress_is_far_from_XOFF)
{
  ecn_without_pfc(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_57_the_same_in_a_simulation)
{
  ecn_without_pfc(BUDGET_SIMGRID);
}

/* Of 100 kB that come in the time of 25 kB, 75 kB and a frame wait. */
SGF_TEST(FB_57_without_the_freeze_frames_below_5_kB_are_not_marked)
{
  build_fan_in(BUDGET_ENGINE, false);
  budget_crossing_t below, above;
  budget_cross(&below, tor, 4, 0, (3 * OF_EACH + 1) * (SMALL + 18));
  budget_cross(&above, tor, 4, 0, (3 * OF_EACH + 1) * (SMALL + 18) + 1);
  budget_run(40 * OPP_US);
  CU_ASSERT_EQUAL(below.bytes, (3 * OF_EACH + 1) * (SMALL + 18));
  CU_ASSERT_EQUAL(above.date, -1);
  budget_finish();
  CU_ASSERT_EQUAL(marks(), 0);
  budget_free();
}

/* ---- FB-58, FB-59 ------------------------------------------------------------------------------------------------ */

enum { FRAME = 4154, CHARGE = FRAME - 18, FITTING = XOFF / CHARGE, IN_FLIGHT = 24 };

static opp_simtime_t decision;
static uint64_t drops_at_decision, drops_after_stop;

/* The frame that is above XOFF, which goes to the pool, and those of the stop time behind it: 24 x 83.08 ns are 1.994
 * us, the 25th would take 2.077 us. */
static void after_frame(int64_t n)
{
  if (n == FITTING + 1) {
    decision          = first_in + (n - 1) * frame_wire;
    drops_at_decision = drops();
  }
  for (unsigned port = 0; port < 4; port++)
    CU_ASSERT_EQUAL(pauses_sent(port), n > FITTING);
  if (n == FITTING + 1 + IN_FLIGHT)
    drops_after_stop = drops();
}

static void stop_time(budget_seat_t seat_is, const char* headroom)
{
  const opp_simtime_t delay         = (2 * OPP_US - budget_wire(FRAME) - 1280) / 2; /* Tp = 2 us, as in queue.c */
  const budget_topology_t r1        = budget_r1(delay);
  const budget_setting_t settings[] = {
      THRESHOLDS, {NULL, "switch", "HeadRoomPerPortLimit", headroom}, {NULL, "nic", "HeaderBytes", "58"}, {0}};
  budget_build(seat_is, &r1, settings);
  tor = budget_device("tor");
  budget_pause(budget_device("h4"), 0, 0, FREEZE);
  static const char* const senders[] = {"h0", "h1", "h2", "h3"};
  for (unsigned i = 0; i < 4; i++)
    budget_write(senders[i], "h4", 1000000, 0, 5 * OPP_US);
  decision = -1;
  watch_frames(4, budget_wire(FRAME), FITTING + 1 + IN_FLIGHT + 2, after_frame);
  budget_run(20 * OPP_US);
  CU_ASSERT_FATAL(decision >= 0);
}

static void enough_headroom(budget_seat_t seat_is)
{
  stop_time(seat_is, "109KB");
  for (unsigned port = 0; port < 4; port++) {
    CU_ASSERT_EQUAL(sgf_sb_headroom_peak(buffer(), port, 0), IN_FLIGHT * CHARGE);
    CU_ASSERT(sgf_sb_headroom_peak(buffer(), port, 0) <= 100000 + FRAME);
  }
  CU_ASSERT_EQUAL(drops(), 0);
  budget_finish();
  CU_ASSERT_EQUAL(drops(), 0);
  CU_ASSERT_EQUAL(sgf_device_port_stats(budget_device("h4"), 0).rx_packets, 4 * 245); /* all of it */
  budget_free();
}

SGF_TEST(FB_58_headroom_of_109_kB_takes_what_comes_in_2_us)
{
  enough_headroom(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_58_the_same_in_a_simulation)
{
  enough_headroom(BUDGET_SIMGRID);
}

/* 21 frames fit in 90 kB: three of each sender are lost, all in the stop time. */
static void too_little_headroom(budget_seat_t seat_is)
{
  enum { FIT = 90000 / CHARGE };
  stop_time(seat_is, "90KB");
  CU_ASSERT_EQUAL(drops_at_decision, 0);
  CU_ASSERT_EQUAL(drops_after_stop, 4 * (IN_FLIGHT - FIT));
  CU_ASSERT_EQUAL(drops(), 12);
  budget_finish();
  CU_ASSERT_EQUAL(sgf_device_port_stats(budget_device("h4"), 0).rx_packets + drops(), 4 * 245);
  budget_free();
}

SGF_TEST(FB_59_headroom_of_90_kB_drops_when_the_pause_is_sent)
{
  too_little_headroom(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_59_the_same_in_a_simulation)
{
  too_little_headroom(BUDGET_SIMGRID);
}
