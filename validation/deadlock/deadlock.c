/* A ring of switches that locks, and what only looks like it: spec/feedback-budget.md 9.1, 13.3, FB-80, FB-81, FB-98.
 * Dates are from h1's first bit on. */
#include "harness.h"
#include "ring_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS OPP_MS

static ring_t unwatched(unsigned frame)
{
  return ring_new(frame, RING_SETTINGS(NULL));
}

/* ---- The lock (FB-80, FB-81, FB-98) ------------------------------------------------------------------------------ */

static void check_locked(const ring_t* ring)
{
  CU_ASSERT(ring_is_locked(ring));
  for (unsigned number = 1; number <= RING_SWITCHES; number++)
    CU_ASSERT(ring_ingress_bytes(ring, number) > RING_XON);
  CU_ASSERT_EQUAL(ring_all_drops(ring), 0);
}

/* Figures of the model of 13.3, to the event order that it leaves open: 68 or 69 frames, so that the last pause and
 * what the ring holds may be off by one frame. */
SGF_TEST(FB_80_the_ring_locks_for_good)
{
  ring_t ring               = unwatched(RING_FRAME);
  const opp_simtime_t first = ring_send(&ring, RING_WITHOUT_END);
  ring_run(&ring, first + 20 * OPP_US);
  check_locked(&ring);
  CU_ASSERT_EQUAL(ring_held_since(&ring, 3) - first, 8332040);
  CU_ASSERT_EQUAL(ring_held_since(&ring, 2) - first, 10411840);
  CU_ASSERT_EQUAL(ring_held_since(&ring, 1) - first, 12491640);
  CU_ASSERT_EQUAL(ring_sent(&ring), 69);
  int64_t least = INT64_MAX;
  for (unsigned number = 1; number <= RING_SWITCHES; number++) {
    const sgf_shared_buffer_t* buffer = ring_switch(&ring, number)->buffer;
    CU_ASSERT_EQUAL(sgf_sb_headroom_peak(buffer, ring_in(number), 0), 13 * 4136); /* 53,768 B */
    least = ring_ingress_bytes(&ring, number) < least ? ring_ingress_bytes(&ring, number) : least;
  }
  CU_ASSERT_EQUAL(least, 10 * 4136);

  uint64_t sent[RING_SWITCHES];
  sgf_class_stats_t before[RING_SWITCHES];
  for (unsigned i = 0; i < RING_SWITCHES; i++) {
    sent[i]   = sgf_device_port_stats(ring.switches[i], ring_out(i + 1)).tx_bytes;
    before[i] = sgf_device_class_stats(ring.switches[i], ring_out(i + 1), 0);
  }
  ring_run(&ring, 10 * MS);
  check_locked(&ring);
  CU_ASSERT_EQUAL(ring_sent(&ring), 69);
  CU_ASSERT_EQUAL(ring_held_since(&ring, 3) - first, 8332040);
  for (unsigned i = 0; i < RING_SWITCHES; i++) {
    CU_ASSERT_EQUAL(sgf_device_port_stats(ring.switches[i], ring_out(i + 1)).tx_bytes, sent[i]);
    const sgf_class_stats_t stats = sgf_device_class_stats(ring.switches[i], ring_out(i + 1), 0);
    CU_ASSERT(stats.pauses_received - before[i].pauses_received >= 10 * MS / 42192400 - 1); /* the refreshes */
    CU_ASSERT_EQUAL(stats.resumes_received, before[i].resumes_received);
  }
  ring_free(&ring);
}

static void check_size(unsigned frame)
{
  ring_t ring               = unwatched(frame);
  const opp_simtime_t first = ring_send(&ring, RING_WITHOUT_END);
  ring_run(&ring, first + 20 * OPP_US);
  check_locked(&ring);
  CU_ASSERT(ring_sent(&ring) * frame >= 260000);
  CU_ASSERT(ring_sent(&ring) * frame <= 300000);
  CU_ASSERT_PTR_NOT_NULL(sgf_fabric_deadlock(ring.fabric));
  ring_free(&ring);
}

SGF_TEST(FB_98_the_lock_is_complete_before_20_us_with_frames_of_any_size)
{
  check_size(1082);
  check_size(4154);
  check_size(4174);
}

/* h1 has nothing left: as many frames as it has sent when the ring locks. */
SGF_TEST(FB_81_the_lock_remains_when_h1_stops)
{
  ring_t ring = unwatched(RING_FRAME);
  ring_send(&ring, 69);
  ring_run(&ring, 100 * MS);
  CU_ASSERT_EQUAL(ring_sent(&ring), 69);
  check_locked(&ring);
  ring_free(&ring);
}

/* Nor does the repair of the route, of what is queued already. */
SGF_TEST(FB_81_the_lock_remains_when_the_route_is_repaired)
{
  ring_t ring = unwatched(RING_FRAME);
  ring_send(&ring, RING_WITHOUT_END);
  ring_run(&ring, 1 * MS);
  ring_repair(&ring, true);
  ring_run(&ring, 50 * MS);
  check_locked(&ring);
  ring_free(&ring);
}

/* ---- Its report -------------------------------------------------------------------------------------------------- */

SGF_TEST(a_deadlock_ends_the_run_and_is_named)
{
  ring_t ring = unwatched(RING_FRAME);
  sgf_fabric_stop_on_deadlock(ring.fabric, true);
  const opp_simtime_t first = ring_send(&ring, RING_WITHOUT_END);
  CU_ASSERT_PTR_NULL(sgf_fabric_deadlock(ring.fabric));
  CU_ASSERT_EQUAL(sgf_engine_advance(ring.fabric, 10 * MS), SGF_ENGINE_ERROR);
  CU_ASSERT_EQUAL(sgf_engine_clock(ring.fabric), first + 12491640); /* the pause that closes the cycle */
  CU_ASSERT_EQUAL(sgf_fabric_error(ring.fabric)->status, SGF_DEADLOCK);
  CU_ASSERT_STRING_EQUAL(
      sgf_fabric_error(ring.fabric)->text,
      "deadlock at 0.000012577483 s, paused queues wait for one another: S1 port 1 class 0 -> S2 port "
      "1 class 0 -> S3 port 1 class 0 -> S1 port 1 class 0");
  CU_ASSERT_STRING_EQUAL(sgf_fabric_deadlock(ring.fabric), sgf_fabric_error(ring.fabric)->text);
  CU_ASSERT_EQUAL(sgf_engine_advance(ring.fabric, 20 * MS), SGF_ENGINE_ERROR);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_fabric_check_end(ring.fabric, NULL, NULL, &error), SGF_DEADLOCK);
  ring_free(&ring);
}

/* With a watchdog the run goes on, and the deadlock is known all the same. */
SGF_TEST(a_deadlock_that_is_watched_does_not_end_the_run)
{
  ring_t ring = ring_new(RING_FRAME, RING_SETTINGS(RING_WATCHED));
  sgf_fabric_stop_on_deadlock(ring.fabric, true);
  ring_send(&ring, RING_WITHOUT_END);
  ring_run(&ring, 10 * MS);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sgf_fabric_deadlock(ring.fabric));
  CU_ASSERT_PTR_NOT_NULL(strstr(sgf_fabric_deadlock(ring.fabric), "S1 port 1 class 0 -> S2 port 1 class 0"));
  ring_free(&ring);
}

/* A watchdog that does not watch the ports of the cycle is none. */
SGF_TEST(a_deadlock_beside_the_watched_ports_ends_the_run)
{
  ring_t ring = ring_new(RING_FRAME, RING_SETTINGS(RING_WATCHED, "PfcWatchdog.Ports", "0"));
  sgf_fabric_stop_on_deadlock(ring.fabric, true);
  ring_send(&ring, RING_WITHOUT_END);
  CU_ASSERT_EQUAL(sgf_engine_advance(ring.fabric, 10 * MS), SGF_ENGINE_ERROR);
  CU_ASSERT_EQUAL(sgf_fabric_error(ring.fabric)->status, SGF_DEADLOCK);
  ring_free(&ring);
}

/* D3 with two cables from S1 to S2: what goes to X takes S1's port 1 and what goes to Y its port 2, and S1 watches one
 * port. The rest of the loop is theirs together. */
static sgf_engine_state_t run_two_cables(const char* watched, char* found, size_t size)
{
  static const char* const names[]       = {"S1", "S2", "S3"};
  static const char* const settings[][2] = {{"EnablePFC", "[1, 0, 0, 0, 0, 0, 0, 0]"},
                                            {"StaticPoolXoffThreshold", "40KB"},
                                            {"StaticPoolXonThreshold", "20KB"},
                                            {"HeadRoomPerPortLimit", "109KB"}};
  enum { WRITES = 400, PAYLOAD = 4096 };
  const int64_t bps    = INT64_C(400000000000);
  sgf_error_t error    = {0};
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* h1     = sgf_fabric_add_nic(fabric, "h1", "h1", "udp", &error);
  sgf_device_t* to[2]  = {sgf_fabric_add_nic(fabric, "X", "X", "udp", &error),
                          sgf_fabric_add_nic(fabric, "Y", "Y", "udp", &error)};
  sgf_device_t* s[RING_SWITCHES];
  for (unsigned i = 0; i < RING_SWITCHES; i++) {
    s[i] = sgf_fabric_add_switch(fabric, names[i], names[i], &error);
    for (unsigned k = 0; k < sizeof settings / sizeof *settings; k++)
      sgf_device_set(s[i], "switch", settings[k][0], settings[k][1], &error);
  }
  sgf_device_set(s[0], "switch", "PfcWatchdog.Enable", "true", &error);
  sgf_device_set(s[0], "switch", "PfcWatchdog.Ports", watched, &error);
  sgf_fabric_connect(fabric, h1, s[0], "cable", bps, 100 * OPP_NS, 1, &error);
  sgf_fabric_connect(fabric, s[0], s[1], "cable", bps, 500 * OPP_NS, 2, &error);
  sgf_fabric_connect(fabric, s[1], s[2], "cable", bps, 500 * OPP_NS, 1, &error);
  sgf_fabric_connect(fabric, s[2], s[0], "cable", bps, 500 * OPP_NS, 1, &error);
  for (unsigned i = 0; i < 2; i++)
    sgf_fabric_connect(fabric, s[2], to[i], "cable", bps, 100 * OPP_NS, 1, &error);
  sgf_fabric_seal(fabric, &error);
  for (unsigned i = 0; i < 2; i++) {
    sgf_fabric_set_route(s[0], to[i], 1 + i, &error);
    sgf_fabric_set_route(s[1], to[i], 2, &error);
    sgf_fabric_set_route(s[2], to[i], 1, &error);
  }
  for (unsigned i = 0; i < WRITES; i++)
    sgf_op_unref(sgf_op_write(fabric, h1, to[i % 2], PAYLOAD, 0, 0, 0, &error));
  CU_ASSERT_EQUAL_FATAL(error.status, SGF_OK);
  const sgf_engine_state_t stop = sgf_engine_advance(fabric, 10 * MS);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sgf_fabric_deadlock(fabric));
  snprintf(found, size, "%s", sgf_fabric_deadlock(fabric));
  sgf_fabric_free(fabric);
  return stop;
}

/* A storm in a queue beside the cycle that is named may set it free. */
SGF_TEST(a_watched_queue_beside_the_cycle_lets_the_run_go_on)
{
  char found[512];
  CU_ASSERT_EQUAL(run_two_cables("0", found, sizeof found), SGF_ENGINE_ERROR);
  CU_ASSERT_PTR_NOT_NULL(strstr(found, "S1 port 1 class 0 -> S2 port 2 class 0 -> S3 port 1 class 0"));
  CU_ASSERT_PTR_NULL(strstr(found, "S1 port 2"));
  CU_ASSERT_NOT_EQUAL(run_two_cables("2", found, sizeof found), SGF_ENGINE_ERROR);
  CU_ASSERT_PTR_NULL(strstr(found, "S1 port 2"));
}

/* ---- What is none ------------------------------------------------------------------------------------------------ */

/* 13.3: with 40 frames nothing locks, they go round for ever, with as many pauses as it takes. */
SGF_TEST(FB_80_forty_frames_go_round)
{
  ring_t ring = unwatched(RING_FRAME);
  sgf_fabric_stop_on_deadlock(ring.fabric, true);
  ring_send(&ring, 40);
  uint64_t moved = 0;
  for (unsigned i = 1; i <= 50; i++) {
    ring_run(&ring, i * MS);
    const uint64_t now = sgf_device_port_stats(ring.switches[0], ring_out(1)).tx_packets;
    CU_ASSERT(now > moved + 1000);
    moved = now;
  }
  CU_ASSERT_PTR_NULL(sgf_fabric_deadlock(ring.fabric));
  CU_ASSERT_EQUAL(ring_all_drops(&ring), 0);
  ring_free(&ring);
}

/* Every number of frames: those that lock are found, and no others. After 1 ms a ring either stands still or moves. */
SGF_TEST(whatever_the_number_of_frames_a_deadlock_is_one_and_is_found)
{
  unsigned locks = 0;
  for (uint64_t frames = 30; frames < 75; frames++) {
    ring_t ring = unwatched(RING_FRAME);
    ring_send(&ring, frames);
    ring_run(&ring, 1 * MS);
    const uint64_t before = sgf_device_port_stats(ring.switches[0], ring_out(1)).tx_packets;
    ring_run(&ring, 3 * MS);
    const bool moves = sgf_device_port_stats(ring.switches[0], ring_out(1)).tx_packets > before;
    CU_ASSERT_EQUAL(moves, sgf_fabric_deadlock(ring.fabric) == NULL);
    CU_ASSERT_EQUAL(moves, !ring_is_locked(&ring));
    locks += !moves;
    ring_free(&ring);
  }
  CU_ASSERT(locks > 0);
  CU_ASSERT(locks < 45);
}

/* The same with routes that end at X: full rate, no loop, no deadlock. */
SGF_TEST(without_the_loop_there_is_no_deadlock)
{
  ring_t ring = unwatched(RING_FRAME);
  sgf_fabric_stop_on_deadlock(ring.fabric, true);
  ring_repair(&ring, true);
  ring_send(&ring, 1000);
  ring_run(&ring, 10 * MS);
  CU_ASSERT_EQUAL(sgf_device_port_stats(ring.x, 0).rx_packets, 1000);
  CU_ASSERT_PTR_NULL(sgf_fabric_deadlock(ring.fabric));
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_fabric_check_end(ring.fabric, NULL, NULL, &error), SGF_OK);
  ring_free(&ring);
}

/* ---- Routes ------------------------------------------------------------------------------------------------------ */

SGF_TEST(a_route_is_refused_where_there_can_be_none)
{
  ring_t ring       = unwatched(RING_FRAME);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_fabric_set_route(ring.h1, ring.x, 0, &error), SGF_TOPOLOGY);
  CU_ASSERT_STRING_EQUAL(error.text, "there is no route at 'h1' to 'X': a switch has routes to hosts");
  error = (sgf_error_t){0};
  CU_ASSERT_EQUAL(sgf_fabric_set_route(ring.switches[0], ring.switches[1], 0, &error), SGF_TOPOLOGY);
  error = (sgf_error_t){0};
  CU_ASSERT_EQUAL(sgf_fabric_set_route(ring.switches[0], ring.x, 3, &error), SGF_RANGE);
  CU_ASSERT_STRING_EQUAL(error.text, "switch 'S1' has no port 3: its ports are 0 to 2");
  unsigned port = 99;
  CU_ASSERT_EQUAL(sgf_device_next_hops(ring.switches[2], ring.x, &port, 1), 1);
  CU_ASSERT_EQUAL(port, 1);
  ring_repair(&ring, true);
  CU_ASSERT_EQUAL(sgf_device_next_hops(ring.switches[2], ring.x, &port, 1), 1);
  CU_ASSERT_EQUAL(port, 2);
  sgf_fabric_t* open   = sgf_fabric_new(1);
  sgf_device_t* device = sgf_fabric_add_switch(open, "tor", "tor", &error);
  error                = (sgf_error_t){0};
  CU_ASSERT_EQUAL(sgf_fabric_set_route(device, ring.x, 0, &error), SGF_STATE);
  sgf_fabric_free(open);
  ring_free(&ring);
}
