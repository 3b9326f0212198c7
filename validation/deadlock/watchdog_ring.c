/* The watchdog in the ring that locks: spec/feedback-budget.md 13.3, FB-82 to FB-86 and FB-99. */
#include "harness.h"
#include "ring_support.h"

#include <string.h>

#define MS OPP_MS

enum { LOCKED_AFTER = 69 }; /* frames that h1 has sent when the ring stands still (deadlock.c) */

/* S3's egress is paused first, 8.33204 us after h1's first bit. */
#define S3_HELD INT64_C(8332040)
#define T0 (200 * MS)
#define T1 (200 * MS)

static size_t storms_of(const ring_t* ring, unsigned number)
{
  return sgf_device_storm_count(ring->switches[number - 1]);
}

static sgf_storm_t storm_of(const ring_t* ring, unsigned number, size_t i)
{
  CU_ASSERT_FATAL(i < storms_of(ring, number));
  return sgf_device_storm(ring->switches[number - 1], i);
}

static uint64_t resumes_of_s3(const ring_t* ring)
{
  return sgf_device_class_stats(ring->switches[2], ring_in(3), 0).resumes_sent;
}

static uint64_t pauses_at(const ring_t* ring, unsigned number)
{
  const sgf_class_stats_t stats = sgf_device_class_stats(ring->switches[number - 1], ring_out(number), 0);
  return stats.pauses_received + stats.resumes_received;
}

/* ---- drop -------------------------------------------------------------------------------------------------------- */

SGF_TEST(FB_82_one_storm_at_S3_frees_the_ring)
{
  ring_t ring               = ring_new(RING_FRAME, RING_SETTINGS(RING_WATCHED));
  const opp_simtime_t first = ring_send(&ring, 5000); /* more than it gets rid of before the storm */
  const opp_simtime_t storm = first + S3_HELD + T0;
  ring_run(&ring, storm - 1);
  for (unsigned number = 1; number <= RING_SWITCHES; number++)
    CU_ASSERT_EQUAL(storms_of(&ring, number), 0);
  CU_ASSERT(ring_is_locked(&ring));
  const size_t queued    = net_port_queue_length(&ring_egress(&ring, 3)->out, 0);
  const uint64_t resumes = resumes_of_s3(&ring);
  CU_ASSERT_EQUAL(queued, 23);

  ring_run(&ring, storm);
  CU_ASSERT_EQUAL(storms_of(&ring, 3), 1);
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).detected, storm);
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).port, ring_out(3));
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).tc, 0);
  CU_ASSERT_STRING_EQUAL(storm_of(&ring, 3, 0).action, "drop");
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).during.tx_drops, queued);
  CU_ASSERT_EQUAL(ring_drops(&ring, SWITCH_DROP_WATCHDOG), queued);
  CU_ASSERT_EQUAL(ring_ingress_bytes(&ring, 3), 0);
  CU_ASSERT_EQUAL(resumes_of_s3(&ring), resumes + 1);
  ring_run(&ring, storm + 1 * OPP_US); /* XON reaches S2: 1.28 ns and 500 ns */
  CU_ASSERT_EQUAL(ring_egress(&ring, 2)->out.held, 0);

  ring_run(&ring, storm + 190 * MS);
  CU_ASSERT_EQUAL(storms_of(&ring, 1) + storms_of(&ring, 2), 0); /* one storm, not three */
  CU_ASSERT_EQUAL(storms_of(&ring, 3), 1);
  CU_ASSERT_EQUAL(ring_all_drops(&ring), ring_drops(&ring, SWITCH_DROP_WATCHDOG));
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).during.tx_drops, ring_all_drops(&ring));
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).during.sent, 0);
  ring_free(&ring);
}

/* h1 has stopped and the route is right again before T0: what is queued at S3 for S1 is lost, the rest arrives. */
SGF_TEST(FB_83_repaired_before_T0_there_is_no_second_storm)
{
  ring_t ring               = ring_new(RING_FRAME, RING_SETTINGS(RING_WATCHED));
  const opp_simtime_t first = ring_send(&ring, LOCKED_AFTER);
  ring_run(&ring, 1 * MS);
  ring_repair(&ring, true);
  ring_run(&ring, 1000 * MS);
  CU_ASSERT_EQUAL(storms_of(&ring, 1) + storms_of(&ring, 2), 0);
  CU_ASSERT_EQUAL(storms_of(&ring, 3), 1);
  CU_ASSERT(storm_of(&ring, 3, 0).restored >= first + S3_HELD + T0 + T1);
  CU_ASSERT(storm_of(&ring, 3, 0).restored < first + S3_HELD + T0 + T1 + 10 * OPP_US);
  CU_ASSERT_EQUAL(ring_egress(&ring, 3)->stormed, 0);
  CU_ASSERT_EQUAL(ring_egress(&ring, 3)->peer.ignored, 0); /* PFC is on again */
  CU_ASSERT_EQUAL(sgf_device_port_stats(ring.x, 0).rx_packets + ring_all_drops(&ring), LOCKED_AFTER);
  CU_ASSERT_EQUAL(ring_drops(&ring, SWITCH_DROP_WATCHDOG), 23);
  char what[128];
  for (unsigned number = 1; number <= RING_SWITCHES; number++)
    CU_ASSERT(sgf_sb_empty(ring_switch(&ring, number)->buffer, what, sizeof what));
  ring_free(&ring);
}

/* h1 goes on through the storm, and sends more after the restoration: the ring locks anew as fast as it did at first.
 */
SGF_TEST(FB_84_with_the_loop_still_there_it_is_reported_again)
{
  enum { DURING_THE_STORM = 500 };
  ring_t ring = ring_new(RING_FRAME, RING_SETTINGS(RING_WATCHED));
  ring_send(&ring, LOCKED_AFTER + DURING_THE_STORM);
  ring_run(&ring, 450 * MS);
  CU_ASSERT_EQUAL(ring_drops(&ring, SWITCH_DROP_WATCHDOG), LOCKED_AFTER + DURING_THE_STORM);
  CU_ASSERT(storm_of(&ring, 3, 0).restored > 0);
  ring_send_at(&ring, RING_WITHOUT_END, 450 * MS);
  ring_run(&ring, 649 * MS);
  CU_ASSERT(ring_is_locked(&ring));
  const opp_simtime_t held = ring_held_since(&ring, 3);
  CU_ASSERT(held > 450 * MS && held < 450 * MS + 20 * OPP_US);
  ring_run(&ring, held + T0);
  CU_ASSERT_EQUAL(storms_of(&ring, 3), 2);
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 1).detected, held + T0);
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 1).total.tx_drops, ring_drops(&ring, SWITCH_DROP_WATCHDOG));
  CU_ASSERT_EQUAL(storms_of(&ring, 1) + storms_of(&ring, 2), 0);
  ring_free(&ring);
}

SGF_TEST(FB_99_all_that_h1_sent_ends_as_drops_at_S3)
{
  ring_t ring               = ring_new(RING_FRAME, RING_SETTINGS(RING_WATCHED));
  const opp_simtime_t first = ring_send(&ring, LOCKED_AFTER);
  ring_run(&ring, first + S3_HELD + T0);
  opp_simtime_t last_heard = 0;
  for (uint64_t heard = 0; sgf_engine_clock(ring.fabric) < first + S3_HELD + T0 + MS;) {
    ring_run(&ring, sgf_engine_next_event(ring.fabric));
    if (pauses_at(&ring, 3) != heard)
      last_heard = sgf_engine_clock(ring.fabric);
    heard = pauses_at(&ring, 3);
  }
  ring_run(&ring, 1000 * MS);
  CU_ASSERT_EQUAL(ring_sent(&ring), LOCKED_AFTER);
  CU_ASSERT_EQUAL(ring_drops(&ring, SWITCH_DROP_WATCHDOG), LOCKED_AFTER);
  CU_ASSERT_EQUAL(ring_all_drops(&ring), LOCKED_AFTER);
  CU_ASSERT_EQUAL(ring_switch(&ring, 3)->drops[SWITCH_DROP_WATCHDOG], LOCKED_AFTER);
  CU_ASSERT_EQUAL(storms_of(&ring, 1) + storms_of(&ring, 2), 0);
  CU_ASSERT_EQUAL(storms_of(&ring, 3), 1);
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).restored, last_heard + T1);
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).during.tx_drops, LOCKED_AFTER);
  char what[128];
  for (unsigned number = 1; number <= RING_SWITCHES; number++)
    CU_ASSERT(sgf_sb_empty(ring_switch(&ring, number)->buffer, what, sizeof what));
  sgf_report_t* report = sgf_report_new(ring.fabric);
  for (size_t i = 0; i < report->drop_count; i++)
    CU_ASSERT_EQUAL(report->drops[i].count, (strcmp(report->drops[i].cause, "switch_watchdog") == 0) * LOCKED_AFTER);
  sgf_report_free(report);
  ring_free(&ring);
}

/* ---- forward ----------------------------------------------------------------------------------------------------- */

/* Pauses are ignored while there is no room: what does not fit is dropped, and what is left goes round for ever. S3's
 * storm is not restored while S1 pauses it. */
SGF_TEST(FB_85_forward_moves_the_ring_and_loses_what_has_no_room)
{
  ring_t ring               = ring_new(RING_FRAME, RING_SETTINGS(RING_WATCHED, "PfcWatchdog.Action", "forward",
                                                                 "PfcWatchdog.DetectionTime", "100ms", "PfcWatchdog.RestorationTime",
                                                                 "100ms", "PfcWatchdog.PollInterval", "100ms"));
  const opp_simtime_t first = ring_send(&ring, LOCKED_AFTER);
  const opp_simtime_t storm = first + S3_HELD + 100 * MS;
  ring_run(&ring, storm + 20 * OPP_US);
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).detected, storm);
  CU_ASSERT(storm_of(&ring, 3, 0).during.sent >= 23); /* all that had been queued, despite the pause */
  ring_run(&ring, storm + 105 * MS);
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).restored, -1);
  for (unsigned number = 1; number <= RING_SWITCHES; number++)
    CU_ASSERT_EQUAL(storms_of(&ring, number), 1);
  CU_ASSERT_EQUAL(ring_drops(&ring, SWITCH_DROP_WATCHDOG), 0);
  CU_ASSERT_EQUAL(ring_all_drops(&ring), ring_drops(&ring, SWITCH_DROP_HEADROOM));
  CU_ASSERT(ring_all_drops(&ring) < LOCKED_AFTER);
  const uint64_t moved = sgf_device_port_stats(ring.switches[2], ring_out(3)).tx_packets;
  ring_run(&ring, storm + 106 * MS);
  CU_ASSERT(sgf_device_port_stats(ring.switches[2], ring_out(3)).tx_packets > moved + 1000);
  ring_free(&ring);
}

/* ---- alert ------------------------------------------------------------------------------------------------------- */

SGF_TEST(FB_86_an_alert_is_a_report_and_nothing_moves)
{
  ring_t ring               = ring_new(RING_FRAME, RING_SETTINGS(RING_WATCHED, "PfcWatchdog.Action", "alert"));
  const opp_simtime_t first = ring_send(&ring, LOCKED_AFTER);
  ring_run(&ring, 1000 * MS);
  CU_ASSERT(ring_is_locked(&ring));
  CU_ASSERT_EQUAL(ring_all_drops(&ring), 0);
  for (unsigned number = 1; number <= RING_SWITCHES; number++) {
    CU_ASSERT_EQUAL(storms_of(&ring, number), 1);
    CU_ASSERT_EQUAL(storm_of(&ring, number, 0).detected, ring_held_since(&ring, number) + T0);
    CU_ASSERT_EQUAL(storm_of(&ring, number, 0).restored, -1);
    CU_ASSERT_EQUAL(storm_of(&ring, number, 0).during.sent, 0);
  }
  CU_ASSERT_EQUAL(storm_of(&ring, 3, 0).detected, first + S3_HELD + T0);
  ring_free(&ring);
}
