/* Clocks of a fabric (stats.h): when they are called, and that they change nothing. */
#include "harness.h"

#include <sgfabric/stats.h>

#include "fabric_support.h"

enum { MAX_TICKS = 2048, PACKET = 4096 };

typedef struct ticks {
  sgf_fabric_t* fabric;
  opp_simtime_t interval;
  opp_simtime_t dates[MAX_TICKS];
  opp_simtime_t clocks[MAX_TICKS]; /* the engine's at the call */
  uint64_t received[MAX_TICKS];    /* frames at host 1 */
  size_t count;
} ticks_t;

static opp_simtime_t note(void* user, opp_simtime_t now)
{
  ticks_t* ticks = user;
  CU_ASSERT_FATAL(ticks->count < MAX_TICKS);
  ticks->dates[ticks->count]    = now;
  ticks->clocks[ticks->count]   = sgf_engine_clock(ticks->fabric);
  ticks->received[ticks->count] = sgf_device_port_stats(sgf_fabric_host(ticks->fabric, 1), 0).rx_packets;
  ticks->count++;
  return now + ticks->interval;
}

SGF_TEST(a_clock_is_called_at_its_dates_up_to_the_horizon)
{
  fabric_rig_t rig = rig_star(2, 0, 1, SETTINGS(NULL));
  ticks_t ticks    = {.fabric = rig.fabric, .interval = 3 * OPP_US};
  sgf_fabric_add_clock(rig.fabric, 2 * OPP_US, note, &ticks);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, 8 * OPP_US), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL_FATAL(ticks.count, 3); /* 2, 5 and 8 us: the horizon's own instant is among them */
  for (size_t i = 0; i < ticks.count; i++) {
    CU_ASSERT_EQUAL(ticks.dates[i], (opp_simtime_t)(2 + 3 * i) * OPP_US);
    CU_ASSERT_EQUAL(ticks.clocks[i], ticks.dates[i]);
  }
  rig_free(&rig);
}

SGF_TEST(clocks_do_not_keep_the_engine_from_being_idle)
{
  fabric_rig_t rig = rig_star(2, 0, 1, SETTINGS(NULL));
  ticks_t ticks    = {.fabric = rig.fabric, .interval = OPP_US};
  sgf_fabric_add_clock(rig.fabric, OPP_US, note, &ticks);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(ticks.count, 0);
  CU_ASSERT_EQUAL(sgf_engine_clock(rig.fabric), 0);
  rig_free(&rig);
}

/* The date of a frame's arrival, from a run without clocks. */
static opp_simtime_t arrival_of_a_packet(void)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  rig_write(&rig, 0, 1, PACKET, 0, 0);
  sgf_engine_advance(rig.fabric, 1); /* past the post */
  while (sgf_device_port_stats(sgf_fabric_host(rig.fabric, 1), 0).rx_packets == 0)
    sgf_engine_advance(rig.fabric, sgf_engine_next_event(rig.fabric));
  const opp_simtime_t date = sgf_engine_clock(rig.fabric);
  rig_free(&rig);
  return date;
}

SGF_TEST(a_tick_comes_after_the_events_of_its_instant)
{
  const opp_simtime_t arrival = arrival_of_a_packet();
  for (int late = -1; late <= 0; late++) {
    fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
    ticks_t ticks    = {.fabric = rig.fabric, .interval = OPP_S};
    rig_write(&rig, 0, 1, PACKET, 0, 0);
    sgf_fabric_add_clock(rig.fabric, arrival + late, note, &ticks);
    sgf_engine_advance(rig.fabric, arrival + 1);
    CU_ASSERT_EQUAL_FATAL(ticks.count, 1);
    CU_ASSERT_EQUAL(ticks.received[0], late == 0 ? 1 : 0);
    rig_free(&rig);
  }
}

SGF_TEST(a_tick_comes_before_the_posts_of_its_instant)
{
  fabric_rig_t rig = rig_star(2, 0, 1, SETTINGS(NULL));
  ticks_t ticks    = {.fabric = rig.fabric, .interval = OPP_US};
  sgf_op_t* op     = rig_write(&rig, 0, 1, PACKET, 0, OPP_US);
  sgf_fabric_add_clock(rig.fabric, OPP_US, note, &ticks);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_US), SGF_ENGINE_HORIZON);
  CU_ASSERT_EQUAL(ticks.count, 1);
  CU_ASSERT_EQUAL(sgf_engine_next_event(rig.fabric), OPP_US); /* the post is held still */
  sgf_engine_advance(rig.fabric, OPP_MS);
  CU_ASSERT(sgf_op_done(op));
  rig_free(&rig);
}

SGF_TEST(clocks_change_no_date_and_no_event)
{
  uint64_t events[2];
  opp_simtime_t ends[2];
  for (int with = 0; with < 2; with++) {
    fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
    ticks_t ticks    = {.fabric = rig.fabric, .interval = OPP_US};
    if (with)
      sgf_fabric_add_clock(rig.fabric, OPP_US, note, &ticks);
    sgf_op_t* op = rig_write(&rig, 0, 1, 100 * PACKET, 0, 0);
    CU_ASSERT_EQUAL(sgf_engine_drain(rig.fabric), SGF_ENGINE_IDLE);
    ends[with]   = sgf_op_end(op);
    events[with] = sgf_fabric_event_count(rig.fabric);
    CU_ASSERT_EQUAL(ticks.count > 0, with == 1); /* draining calls them too */
    rig_free(&rig);
  }
  CU_ASSERT_EQUAL(ends[0], ends[1]);
  CU_ASSERT_EQUAL(events[0], events[1]);
}

SGF_TEST(a_clock_that_was_removed_is_not_called)
{
  fabric_rig_t rig = rig_star(2, 0, 1, SETTINGS(NULL));
  ticks_t removed  = {.fabric = rig.fabric, .interval = OPP_US};
  ticks_t kept     = {.fabric = rig.fabric, .interval = OPP_US};
  sgf_fabric_add_clock(rig.fabric, OPP_US, note, &removed);
  sgf_fabric_add_clock(rig.fabric, OPP_US, note, &kept);
  sgf_engine_advance(rig.fabric, 2 * OPP_US);
  sgf_fabric_remove_clock(rig.fabric, note, &removed);
  sgf_engine_advance(rig.fabric, 5 * OPP_US);
  CU_ASSERT_EQUAL(removed.count, 2);
  CU_ASSERT_EQUAL(kept.count, 5);
  rig_free(&rig);
}
