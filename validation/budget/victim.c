/* spec/feedback-budget.md 7 and 13.2, FB-61 to FB-63: traffic that is held although its own path is idle.
 *
 *   A ==c0== U ==c1== V ==c2== D      D's port is blocked by D's own pause
 *                     V ==c3== E      E's is idle
 *
 * A has sent D what V now keeps. 64 kB for E begin at U in the instant in which V pauses U, for 20 us measured at U:
 * 15,500 quanta of 1.28 ns and the 160 ns of the cable. As RoCE's, they are 15 packets of 4,154 B and one of 2,618 B. t
 * = 0 is when the first of them is in at U. */
#include "budget_support.h"
#include "harness.h"

#include <string.h>

enum { A_PORT, V_PORT }; /* of U */
enum { U_PORT };         /* of V */
enum { FOR_E = 64000, ON_WIRE = 64928, FRAME = 4154, HOLD = 15500 };

static const opp_simtime_t inner  = 160 * OPP_NS;
static const opp_simtime_t hold   = 20 * OPP_US;
static const opp_simtime_t pause  = 1280; /* 64 B */
static const opp_simtime_t starts = 10 * OPP_US;
static const opp_simtime_t first  = 15000 + 70843; /* doorbell and fetch (udp/udp_support.h) */

static sgf_fabric_t* fabric;
static sgf_device_t *u, *v;

/* The date at which the first frame for E is in at U. */
static opp_simtime_t begin(void)
{
  return starts + first + budget_wire(FRAME) + 100 * OPP_NS;
}

static void pause_u(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)user;
  (void)of;
  (void)now;
  budget_pause(v, U_PORT, 0, HOLD);
}

static void release_d(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)user;
  (void)of;
  (void)now;
  CU_ASSERT_EQUAL(sgf_device_queue_bytes(v, 1, 0), 10 * FRAME); /* blocked all the time */
  budget_pause(budget_device("D"), 0, 0, 0);
}

/* `tc` of what goes to E. The pause takes effect 1 ps before its first frame is in. */
static void build(budget_seat_t seat_is, unsigned tc, const char* xoff, const char* xon)
{
  const budget_topology_t r2 = {
      .hosts    = {"A", "D", "E"},
      .switches = {"U", "V"},
      .cables   = {{"A", "U", 100 * OPP_NS}, {"U", "V", inner}, {"V", "D", 100 * OPP_NS}, {"V", "E", 100 * OPP_NS}}};
  const budget_setting_t settings[] = {{NULL, "nic", "HeaderBytes", "58"},
                                       {"U", "switch", "StaticPoolXoffThreshold", xoff},
                                       {"U", "switch", "StaticPoolXonThreshold", xon},
                                       {0}};
  fabric                            = budget_build(seat_is, &r2, settings);
  u                                 = budget_device("U");
  v                                 = budget_device("V");
  budget_pause(budget_device("D"), 0, 0, 65535);
  budget_write("A", "D", 10 * 4096, 0, OPP_US);
  budget_write("A", "E", FOR_E, tc, starts);
  CU_ASSERT_EQUAL(sgf_script_at(fabric, begin() - 1 - inner - pause, pause_u, NULL, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_script_at(fabric, 50 * OPP_US, release_d, NULL, NULL), SGF_OK);
}

/* A queue at a port that empties at a date, to the picosecond. */
typedef struct end {
  budget_sample_t before, at;
} end_t;

static void watch_end(end_t* end, unsigned tc, opp_simtime_t date)
{
  budget_sample(&end->before, u, V_PORT, tc, date - 1);
  budget_sample(&end->at, u, V_PORT, tc, date);
}

static bool ends_there(const end_t* end)
{
  return end->before.bytes > 0 && end->at.bytes == 0;
}

/* All of A's bytes reached their hosts, and V's pause went no further than U. */
static void check_hosts(void)
{
  CU_ASSERT_EQUAL(sgf_device_port_stats(budget_device("D"), 0).rx_packets, 10);
  CU_ASSERT_EQUAL(sgf_device_port_stats(budget_device("E"), 0).rx_bytes, ON_WIRE);
  CU_ASSERT_EQUAL(sgf_device_class_stats(u, V_PORT, 0).pauses_received, 1);
  CU_ASSERT_EQUAL(sgf_device_class_stats(u, V_PORT, 0).paused, hold);
}

/* ---- FB-61 ------------------------------------------------------------------------------------------------------- */

static void same_priority(budget_seat_t seat_is)
{
  build(seat_is, 0, "500KB", "250KB");
  end_t end;
  budget_sample_t held, all;
  const opp_simtime_t last_byte = begin() - 1 + hold + budget_wire(ON_WIRE); /* 21.29856 us */
  budget_sample(&held, u, V_PORT, 0, begin() + 15 * budget_wire(FRAME));
  budget_sample(&all, u, V_PORT, 0, begin() - 1 + hold - 1);
  watch_end(&end, 0, last_byte);
  budget_run(60 * OPP_US);
  CU_ASSERT_EQUAL(held.bytes, ON_WIRE); /* nothing has left, though E is idle */
  CU_ASSERT_EQUAL(all.bytes, ON_WIRE);
  CU_ASSERT_TRUE(ends_there(&end));
  CU_ASSERT(last_byte - begin() >= 21300 * OPP_NS - budget_wire(FRAME));
  CU_ASSERT(last_byte - begin() <= 21300 * OPP_NS + budget_wire(FRAME));
  budget_finish();
  check_hosts();
  budget_free();
}

SGF_TEST(FB_61_what_goes_to_an_idle_port_waits_with_its_priority)
{
  same_priority(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_61_the_same_in_a_simulation)
{
  same_priority(BUDGET_SIMGRID);
}

/* ---- FB-62 ------------------------------------------------------------------------------------------------------- */

/* One frame leaves as the next comes in: as if all had been there at t = 0. */
static void another_priority(budget_seat_t seat_is)
{
  build(seat_is, 1, "500KB", "250KB");
  end_t end;
  const opp_simtime_t last_byte = begin() + budget_wire(ON_WIRE); /* 1.29856 us */
  watch_end(&end, 1, last_byte);
  budget_run(60 * OPP_US);
  CU_ASSERT_TRUE(ends_there(&end));
  budget_finish();
  check_hosts();
  budget_free();
}

SGF_TEST(FB_62_another_priority_does_not_wait)
{
  another_priority(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_62_the_same_in_a_simulation)
{
  another_priority(BUDGET_SIMGRID);
}

/* ---- FB-63 ------------------------------------------------------------------------------------------------------- */

/* U keeps 4 frames of 4,136 B below 20 kB; the fifth is above, and A hears of it one pause frame and one cable later.
 */
enum { XOFF_FRAME = 5 };
static opp_simtime_t own_pause;

static void before_own_pause(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)user;
  (void)of;
  (void)now;
  CU_ASSERT_EQUAL(sgf_device_class_stats(u, V_PORT, 0).pauses_received, 1);
  CU_ASSERT_EQUAL(sgf_device_class_stats(u, A_PORT, 0).pauses_sent, 0);
  CU_ASSERT_EQUAL(sgf_device_class_stats(budget_device("A"), 0, 0).pauses_received, 0);
}

static void at_own_pause(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)user;
  (void)of;
  own_pause = now;
  CU_ASSERT_EQUAL(sgf_device_class_stats(u, A_PORT, 0).pauses_sent, 1);
}

static void hop_by_hop(budget_seat_t seat_is)
{
  build(seat_is, 0, "20KB", "10KB");
  const opp_simtime_t decision = begin() + (XOFF_FRAME - 1) * budget_wire(FRAME);
  CU_ASSERT_EQUAL(sgf_script_at(fabric, decision - 1, before_own_pause, NULL, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_script_at(fabric, decision, at_own_pause, NULL, NULL), SGF_OK);
  end_t end;
  budget_sample_t kept;
  /* Of the stop time: the pause is there 101.28 ns later, when frame 8 has begun. */
  budget_sample(&kept, u, V_PORT, 0, begin() - 1 + hold - 1);
  watch_end(&end, 0, begin() - 1 + hold + 8 * budget_wire(FRAME));
  budget_run(60 * OPP_US);
  CU_ASSERT_EQUAL(own_pause, decision);
  CU_ASSERT_EQUAL(kept.bytes, 8 * FRAME);
  CU_ASSERT_TRUE(ends_there(&end)); /* U resumes A when two are left, too late for more to be in by then */
  budget_finish();
  check_hosts();
  const sgf_class_stats_t on_u = sgf_device_class_stats(u, A_PORT, 0);
  const sgf_class_stats_t on_a = sgf_device_class_stats(budget_device("A"), 0, 0);
  CU_ASSERT_EQUAL(on_a.pauses_received, on_u.pauses_sent); /* U's own frames, and no other */
  CU_ASSERT_EQUAL(on_a.resumes_received, on_u.resumes_sent);
  CU_ASSERT_EQUAL(on_u.resumes_sent, 1);
  CU_ASSERT_EQUAL(sgf_device_class_stats(v, U_PORT, 0).pauses_sent, 1);
  budget_free();
}

SGF_TEST(FB_63_a_small_buffer_pauses_its_own_neighbour)
{
  hop_by_hop(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_63_the_same_in_a_simulation)
{
  hop_by_hop(BUDGET_SIMGRID);
}
