/* sgf_engine_advance: horizons, posts, completions one by one; receives; draining. */
#include "harness.h"

#include "fabric_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { PACKET = 4096 };

/* When one full packet posted at 0 across a star of 100 ns cables is acknowledged. */
static opp_simtime_t one_packet(void)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* op     = rig_write(&rig, 0, 1, PACKET, 0, 0);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_op_status(op), SGF_OK);
  const opp_simtime_t end = sgf_op_end(op);
  rig_free(&rig);
  return end;
}

/* ---- Horizons ---------------------------------------------------------------------------------------------------- */

SGF_TEST(an_empty_engine_is_idle_at_its_horizon)
{
  fabric_rig_t rig = rig_star(2, 0, 1, SETTINGS(NULL));
  CU_ASSERT_EQUAL(sgf_engine_next_event(rig.fabric), OPP_TIME_MAX);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_US), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_engine_clock(rig.fabric), OPP_US);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_engine_clock(rig.fabric), OPP_US); /* the last event, or where it was */
  rig_free(&rig);
}

SGF_TEST(events_at_the_horizon_are_executed)
{
  const opp_simtime_t end = one_packet();
  fabric_rig_t rig        = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* op            = rig_write(&rig, 0, 1, PACKET, 0, 0);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, end - 1), SGF_ENGINE_HORIZON);
  CU_ASSERT_FALSE(sgf_op_done(op));
  CU_ASSERT_EQUAL(sgf_engine_clock(rig.fabric), end - 1);
  CU_ASSERT_EQUAL(sgf_engine_next_event(rig.fabric), end);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, end),
                  SGF_ENGINE_HORIZON); /* nobody awaits it: no stop; a timer still runs */
  CU_ASSERT(sgf_op_done(op));
  CU_ASSERT_EQUAL(sgf_op_end(op), end);
  rig_free(&rig);
}

SGF_TEST(posts_at_the_horizon_are_held)
{
  fabric_rig_t rig         = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  const opp_simtime_t date = OPP_US;
  sgf_op_t* op             = rig_write(&rig, 0, 1, PACKET, 0, date);
  CU_ASSERT_EQUAL(sgf_engine_next_event(rig.fabric), date);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, date), SGF_ENGINE_HORIZON);
  sgf_report_t* report = sgf_report_new(rig.fabric);
  CU_ASSERT_EQUAL(report->flow_count, 0); /* not begun */
  sgf_report_free(report);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, date + 1), SGF_ENGINE_HORIZON);
  report = sgf_report_new(rig.fabric);
  CU_ASSERT_EQUAL_FATAL(report->flow_count, 1);
  CU_ASSERT_EQUAL(report->flows[0].start, date);
  CU_ASSERT_EQUAL(report->flows[0].end, -1);
  sgf_report_free(report);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_op_end(op), date + one_packet());
  CU_ASSERT(sgf_engine_clock(rig.fabric) >= sgf_op_end(op)); /* the last event: a timer that finds nothing to do */
  CU_ASSERT(sgf_engine_clock(rig.fabric) <= sgf_op_end(op) + 150 * OPP_US);
  rig_free(&rig);
}

SGF_TEST(posts_of_one_instant_are_applied_by_host_then_actor_then_call)
{
  fabric_rig_t rig         = rig_star(3, 0, 1, SETTINGS(NULL));
  const opp_simtime_t date = 5;
  const struct {
    unsigned src;
    uint64_t bytes;
    opp_simtime_t date;
    int64_t actor;
  } posts[] = {{1, 12, date, 1}, {0, 3, date, 9}, {0, 4, date, 9},    {0, 1, date, 2},
               {1, 11, date, 0}, {0, 2, date, 2}, {1, 0, date - 1, 7}};
  for (size_t i = 0; i < sizeof posts / sizeof *posts; i++)
    sgf_op_unref(sgf_op_write(rig.fabric, rig.hosts[posts[i].src], rig.hosts[2], posts[i].bytes, 0, posts[i].date,
                              posts[i].actor, NULL));
  sgf_engine_advance(rig.fabric, OPP_TIME_MAX);
  const uint64_t order[] = {0, 1, 2, 3, 4, 11, 12};
  sgf_report_t* report   = sgf_report_new(rig.fabric);
  CU_ASSERT_EQUAL_FATAL(report->flow_count, sizeof order / sizeof *order);
  for (size_t i = 0; i < report->flow_count; i++)
    CU_ASSERT_EQUAL(report->flows[i].bytes, order[i]);
  sgf_report_free(report);
  rig_free(&rig);
}

/* ---- Completions ------------------------------------------------------------------------------------------------- */

SGF_TEST(the_engine_stops_at_each_awaited_completion)
{
  const opp_simtime_t end = one_packet();
  fabric_rig_t rig        = rig_star(4, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* first   = rig_write(&rig, 0, 1, PACKET, 0, 0); /* these two share nothing and complete at one instant */
  sgf_op_t* second  = rig_write(&rig, 2, 3, PACKET, 0, 0);
  sgf_op_t* later   = rig_write(&rig, 2, 3, PACKET, 0, 10 * end);
  sgf_op_t* nobodys = rig_write(&rig, 1, 0, PACKET, 0, end);
  sgf_op_set_awaited(first, true);
  sgf_op_set_awaited(second, true);
  sgf_op_set_awaited(later, true);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, 100 * end), SGF_ENGINE_COMPLETION);
  CU_ASSERT_EQUAL(sgf_engine_clock(rig.fabric), end);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), end);                                /* one is not taken yet */
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, 100 * end), SGF_ENGINE_COMPLETION); /* still not taken */
  CU_ASSERT_EQUAL(sgf_engine_clock(rig.fabric), end);
  sgf_op_t* taken = sgf_engine_completed(rig.fabric);
  CU_ASSERT(taken == first || taken == second);
  CU_ASSERT_PTR_NULL(sgf_engine_completed(rig.fabric));
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, 100 * end), SGF_ENGINE_COMPLETION);
  CU_ASSERT_EQUAL(sgf_engine_clock(rig.fabric), end); /* the other one */
  CU_ASSERT_PTR_EQUAL(sgf_engine_completed(rig.fabric), taken == first ? second : first);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, 100 * end), SGF_ENGINE_COMPLETION);
  CU_ASSERT_PTR_EQUAL(sgf_engine_completed(rig.fabric), later);
  CU_ASSERT_EQUAL(sgf_engine_clock(rig.fabric), 11 * end);
  CU_ASSERT_EQUAL(sgf_op_end(nobodys), 2 * end);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX);
  rig_free(&rig);
}

SGF_TEST(an_operation_that_is_no_longer_awaited_does_not_stop_the_engine)
{
  fabric_rig_t rig = rig_star(2, 0, 1, SETTINGS(NULL));
  sgf_op_t* op     = rig_write(&rig, 0, 1, PACKET, 0, 0);
  sgf_op_set_awaited(op, true);
  sgf_engine_advance(rig.fabric, OPP_NS);
  CU_ASSERT(sgf_engine_bound(rig.fabric) < OPP_TIME_MAX);
  sgf_op_set_awaited(op, false);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT(sgf_op_done(op));
  rig_free(&rig);
}

SGF_TEST(references_keep_an_operation)
{
  fabric_rig_t rig = rig_star(2, 0, 1, SETTINGS(NULL));
  sgf_op_t* op     = rig_write(&rig, 0, 1, PACKET, 0, 0);
  CU_ASSERT_PTR_EQUAL(sgf_op_ref(op), op);
  sgf_op_set_awaited(op, true);
  sgf_op_unref(op); /* one holder is left: still awaited */
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_COMPLETION);
  CU_ASSERT_PTR_EQUAL(sgf_engine_completed(rig.fabric), op);
  CU_ASSERT_EQUAL(sgf_op_bytes(op), PACKET);
  CU_ASSERT_PTR_EQUAL(sgf_op_src(op), rig.hosts[0]);
  CU_ASSERT_PTR_EQUAL(sgf_op_dst(op), rig.hosts[1]);
  sgf_op_unref(op);
  sgf_op_unref(NULL);
  rig_free(&rig);
}

SGF_TEST(a_completion_whose_holder_has_gone_is_not_returned)
{
  fabric_rig_t rig = rig_star(2, 0, 1, SETTINGS(NULL));
  sgf_op_t* op     = rig_write(&rig, 0, 1, PACKET, 0, 0);
  sgf_op_set_awaited(op, true);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_COMPLETION);
  sgf_op_unref(op);
  CU_ASSERT_PTR_NULL(sgf_engine_completed(rig.fabric));
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  rig_free(&rig);
}

/* ---- Receives ---------------------------------------------------------------------------------------------------- */

SGF_TEST(receives_take_messages_of_their_tag_in_order)
{
  fabric_rig_t rig  = rig_star(3, 0, 1, SETTINGS(NULL));
  sgf_op_t* second  = sgf_op_recv(rig.fabric, rig.hosts[2], 7, 0, 2);
  sgf_op_t* first   = sgf_op_recv(rig.fabric, rig.hosts[2], 7, 0, 1); /* of an instant, by actor */
  sgf_op_t* other   = sgf_op_recv(rig.fabric, rig.hosts[2], 8, 0, 0);
  sgf_op_t* nowhere = sgf_op_recv(rig.fabric, rig.hosts[1], 7, 0, 0);
  sgf_op_unref(rig_write(&rig, 0, 2, 100, 7, 0));
  sgf_op_unref(rig_write(&rig, 1, 2, 200, 7, OPP_US));
  sgf_op_unref(rig_write(&rig, 1, 2, 300, 7, 2 * OPP_US));
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_op_bytes(first), 100);
  CU_ASSERT_PTR_EQUAL(sgf_op_src(first), rig.hosts[0]);
  CU_ASSERT_EQUAL(sgf_op_bytes(second), 200);
  CU_ASSERT_FALSE(sgf_op_done(other));
  CU_ASSERT_FALSE(sgf_op_done(nowhere));
  const opp_simtime_t now = sgf_engine_clock(rig.fabric);
  sgf_op_t* kept          = sgf_op_recv(rig.fabric, rig.hosts[2], 7, now, 0); /* at once */
  CU_ASSERT(sgf_op_done(kept));
  CU_ASSERT_EQUAL(sgf_op_bytes(kept), 300);
  CU_ASSERT_EQUAL(sgf_op_end(kept), now);
  rig_free(&rig);
}

/* ---- Draining ---------------------------------------------------------------------------------------------------- */

SGF_TEST(draining_ends_with_the_last_frame)
{
  fabric_rig_t rig = rig_star(3, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* op     = rig_write(&rig, 0, 1, 10 * PACKET, 0, OPP_MS);
  sgf_op_set_awaited(op, true);
  CU_ASSERT_EQUAL(sgf_engine_drain(rig.fabric), SGF_ENGINE_IDLE);
  CU_ASSERT(sgf_op_done(op));
  CU_ASSERT(sgf_engine_clock(rig.fabric) < 2 * OPP_MS);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(rig.fabric, NULL, NULL, NULL), SGF_OK);
  rig_free(&rig);
}

/* ---- Progress ---------------------------------------------------------------------------------------------------- */

typedef struct looks {
  unsigned count;
  opp_simtime_t last_clock;
  uint64_t last_hops;
} looks_t;

static void look(void* user, opp_simtime_t clock, uint64_t hops)
{
  looks_t* looks = user;
  CU_ASSERT(clock >= looks->last_clock);
  CU_ASSERT(hops >= looks->last_hops);
  *looks = (looks_t){looks->count + 1, clock, hops};
}

SGF_TEST(progress_is_told_after_every_so_many_events)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  looks_t looks    = {0};
  sgf_fabric_set_progress(rig.fabric, 10, look, &looks);
  rig_write(&rig, 0, 1, 100 * PACKET, 0, 0);
  sgf_engine_advance(rig.fabric, OPP_TIME_MAX);
  CU_ASSERT(sgf_fabric_event_count(rig.fabric) > 100);
  CU_ASSERT_EQUAL(looks.count, sgf_fabric_event_count(rig.fabric) / 10);
  CU_ASSERT(looks.last_hops <= sgf_fabric_packet_hops(rig.fabric));
  rig_free(&rig);
}
