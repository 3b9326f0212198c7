/* include/sgfabric/script.h on the engine alone: when scripts run, what they may do, what is refused.
 *
 *   h0 h1 h2 h3 == tor == h4 */
#include "budget_support.h"
#include "harness.h"

#include <string.h>

enum { EGRESS = 4, FRAME = 4154 };

static const opp_simtime_t first = 15000 + 70843 + 100000; /* the first bit is at the switch (udp/udp_support.h) */

static sgf_fabric_t* fabric;
static sgf_device_t* tor;

static void build(void)
{
  const budget_topology_t r1        = budget_r1(100 * OPP_NS);
  const budget_setting_t settings[] = {{NULL, "nic", "HeaderBytes", "58"}, {0}};
  fabric                            = budget_build(BUDGET_ENGINE, &r1, settings);
  tor                               = budget_device("tor");
}

/* What has been called, in order. */
static char calls[64];
static opp_simtime_t dates[64];

static void called(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  CU_ASSERT_PTR_EQUAL(of, fabric);
  CU_ASSERT_EQUAL(now, sgf_engine_clock(of));
  const size_t count = strlen(calls);
  CU_ASSERT_FATAL(count + 1 < sizeof calls);
  dates[count] = now;
  calls[count] = *(const char*)user;
}

static void forget(void)
{
  memset(calls, 0, sizeof calls);
}

static void at(opp_simtime_t date, const char* name)
{
  CU_ASSERT_EQUAL(sgf_script_at(fabric, date, called, (void*)(uintptr_t)name, NULL), SGF_OK);
}

static void when(int64_t level, const char* name)
{
  CU_ASSERT_EQUAL(sgf_script_when_queue(tor, EGRESS, 0, level, called, (void*)(uintptr_t)name, NULL), SGF_OK);
}

/* ---- Dates ------------------------------------------------------------------------------------------------------- */

SGF_TEST(scripts_of_one_date_run_in_order_and_keep_the_engine_from_being_idle)
{
  build();
  forget();
  at(OPP_MS, "c");
  at(OPP_US, "a");
  at(OPP_US, "b");
  at(OPP_MS, "d");
  CU_ASSERT_EQUAL(sgf_engine_next_event(fabric), OPP_US);
  CU_ASSERT_EQUAL(sgf_engine_advance(fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_STRING_EQUAL(calls, "abcd");
  CU_ASSERT_EQUAL(dates[1], OPP_US);
  CU_ASSERT_EQUAL(dates[2], OPP_MS);
  budget_free();
}

static void again(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  called(user, of, now);
  if (strlen(calls) < 10)
    CU_ASSERT_EQUAL(sgf_script_at(of, now + (strlen(calls) % 2 == 0 ? OPP_NS : 0), again, user, NULL), SGF_OK);
}

SGF_TEST(a_script_may_ask_for_another_at_its_own_instant)
{
  build();
  forget();
  CU_ASSERT_EQUAL(sgf_script_at(fabric, 0, again, (void*)(uintptr_t) "x", NULL), SGF_OK);
  sgf_engine_advance(fabric, OPP_TIME_MAX);
  CU_ASSERT_STRING_EQUAL(calls, "xxxxxxxxxx");
  CU_ASSERT_EQUAL(dates[1], 0);
  CU_ASSERT_EQUAL(dates[9], 4 * OPP_NS);
  budget_free();
}

/* The end of the first frame's serialisation and the arrival of the second fall together. */
SGF_TEST(a_script_runs_when_all_events_of_its_instant_are_done)
{
  build();
  budget_write("h0", "h4", 2 * 4096, 0, 0);
  budget_write("h1", "h4", 2 * 4096, 0, 0);
  const opp_simtime_t wire = budget_wire(FRAME);
  budget_sample_t samples[5];
  for (int i = 0; i < 5; i++)
    budget_sample(&samples[i], tor, EGRESS, 0, first + (i + 1) * wire);
  budget_run(OPP_US);
  for (int i = 0; i < 5; i++)
    CU_ASSERT_EQUAL(samples[i].bytes, ((const int64_t[]){2, 3, 2, 1, 0})[i] * FRAME);
  budget_free();
}

static void post(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  sgf_op_t** op = user;
  *op           = sgf_op_write(of, budget_device("h0"), budget_device("h4"), 4096, 0, now, 0, NULL);
}

SGF_TEST(a_script_may_post_at_its_instant)
{
  build();
  sgf_op_t* op    = NULL;
  sgf_op_t* later = sgf_op_write(fabric, budget_device("h1"), budget_device("h4"), 4096, 0, OPP_MS, 0, NULL);
  CU_ASSERT_EQUAL(sgf_script_at(fabric, OPP_US, post, &op, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_engine_advance(fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_PTR_NOT_NULL_FATAL(op);
  CU_ASSERT_TRUE(sgf_op_done(op));
  CU_ASSERT_EQUAL(sgf_op_start(op), OPP_US);
  CU_ASSERT_EQUAL(sgf_op_end(op), OPP_US + first - 100000 + budget_wire(FRAME));
  CU_ASSERT_EQUAL(sgf_op_end(later) - sgf_op_start(later), sgf_op_end(op) - sgf_op_start(op));
  sgf_op_unref(op);
  sgf_op_unref(later);
  budget_finish();
  budget_free();
}

/* ---- Queues ------------------------------------------------------------------------------------------------------ */

/* Two senders: the queue grows by a frame in the time of one, from two. */
static opp_simtime_t date_of(int64_t frames)
{
  return first + (frames - 1) * budget_wire(FRAME);
}

static void two_senders(void)
{
  build();
  forget();
  budget_write("h0", "h4", 100 * 4096, 0, 0);
  budget_write("h1", "h4", 100 * 4096, 0, 0);
}

SGF_TEST(a_level_is_met_once_at_the_first_instant_that_ends_with_as_much)
{
  two_senders();
  when(10 * FRAME, "c");     /* met exactly */
  when(10 * FRAME + 1, "d"); /* met by the next */
  when(1, "a");
  when(2 * FRAME, "b");
  budget_run(OPP_MS);
  CU_ASSERT_STRING_EQUAL(calls, "abcd");
  CU_ASSERT_EQUAL(dates[0], date_of(2));
  CU_ASSERT_EQUAL(dates[1], date_of(2));
  CU_ASSERT_EQUAL(dates[2], date_of(10));
  CU_ASSERT_EQUAL(dates[3], date_of(11));
  budget_finish();
  budget_free();
}

/* A batch is in before the frame that leaves has left: with three frames that instant ends with two. */
SGF_TEST(what_a_queue_is_within_an_instant_does_not_count)
{
  build();
  forget();
  for (unsigned i = 0; i < 100; i++)
    budget_write("h0", "h4", 4096, 0, 0); /* one sender: each comes as the one before leaves */
  when(FRAME, "a");
  when(FRAME + 1, "b");
  budget_run(OPP_MS);
  CU_ASSERT_STRING_EQUAL(calls, "a");
  budget_free();
}

SGF_TEST(a_level_that_is_met_already_is_met_at_this_instant)
{
  two_senders();
  budget_run(date_of(20));
  const int64_t events = (int64_t)sgf_fabric_event_count(fabric);
  when(5 * FRAME, "a");
  sgf_op_t* op = sgf_op_queue(tor, EGRESS, 0, 20 * FRAME, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(op);
  CU_ASSERT_TRUE(sgf_op_done(op));
  CU_ASSERT_EQUAL(sgf_op_end(op), date_of(20));
  sgf_op_unref(op);
  budget_run(date_of(20));
  CU_ASSERT_STRING_EQUAL(calls, "a");
  CU_ASSERT_EQUAL(dates[0], date_of(20));
  CU_ASSERT_EQUAL((int64_t)sgf_fabric_event_count(fabric), events + 1);
  budget_free();
}

/* One that asks for itself again, at a level that the queue still has, by itself or by a script in between. */
static unsigned asked;
static opp_simtime_t last_asked;

static void asks_again(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  CU_ASSERT(now > last_asked);
  last_asked = now;
  CU_ASSERT_FATAL(++asked < 1000);
  CU_ASSERT_EQUAL(sgf_script_when_queue(tor, EGRESS, 0, 1, asks_again, user, NULL), SGF_OK);
}

static void asks_by_a_script(void* user, sgf_fabric_t* of, opp_simtime_t now);

static void asks_now(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  (void)now;
  CU_ASSERT_EQUAL(sgf_script_when_queue(tor, EGRESS, 0, 1, asks_by_a_script, user, NULL), SGF_OK);
}

static void asks_by_a_script(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  CU_ASSERT_FATAL(++asked < 1000);
  CU_ASSERT_EQUAL(sgf_script_at(of, now, asks_now, user, NULL), SGF_OK);
}

/* 100 frames of each sender: two are queued at each of 100 instants. */
SGF_TEST(a_call_that_asks_for_itself_again_is_made_once_at_each_instant_with_a_frame)
{
  static const sgf_script_cb ways[] = {asks_again, asks_by_a_script};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    two_senders();
    asked      = 0;
    last_asked = -1;
    CU_ASSERT_EQUAL(sgf_script_when_queue(tor, EGRESS, 0, 1, ways[i], NULL, NULL), SGF_OK);
    budget_run(OPP_MS);
    CU_ASSERT_EQUAL(asked, 100);
    budget_finish();
    budget_free();
  }
}

/* A look that counts by itself and one that follows the gauge. */
SGF_TEST(the_length_is_the_same_whether_somebody_waits_or_not)
{
  static int64_t lengths[2][60];
  for (int waits = 0; waits < 2; waits++) {
    two_senders();
    if (waits == 1)
      when(INT64_MAX, "never");
    for (int i = 0; i < 60; i++) {
      budget_run(i * 250 * OPP_NS);
      if (i == 30) /* from the middle of the queue on */
        when(INT64_MAX, "never");
      lengths[waits][i] = sgf_device_queue_bytes(tor, EGRESS, 0);
    }
    budget_finish();
    CU_ASSERT_EQUAL(sgf_device_queue_bytes(tor, EGRESS, 0), 0);
    budget_free();
  }
  CU_ASSERT_EQUAL(memcmp(lengths[0], lengths[1], sizeof lengths[0]), 0);
  CU_ASSERT_EQUAL(lengths[0][0], 0);
  CU_ASSERT(lengths[0][30] > 50 * FRAME);
}

static sgf_op_t* doomed;

static void let_go(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  called(user, of, now);
  sgf_op_unref(doomed);
}

SGF_TEST(an_operation_that_is_let_go_waits_no_more)
{
  two_senders();
  sgf_op_unref(sgf_op_queue(tor, EGRESS, 0, 10 * FRAME, NULL));
  CU_ASSERT_EQUAL(sgf_script_when_queue(tor, EGRESS, 0, 12 * FRAME, let_go, (void*)(uintptr_t) "a", NULL), SGF_OK);
  doomed = sgf_op_queue(tor, EGRESS, 0, 12 * FRAME, NULL); /* whose turn comes in the same instant, behind */
  when(12 * FRAME, "b");
  budget_run(OPP_MS);
  CU_ASSERT_STRING_EQUAL(calls, "ab");
  budget_finish();
  budget_free();
}

/* ---- Awaited ----------------------------------------------------------------------------------------------------- */

SGF_TEST(the_bound_of_a_level_is_never_late_and_takes_few_looks)
{
  for (int64_t frames = 1; frames <= 100; frames += 9) {
    two_senders();
    sgf_op_t* op = sgf_op_queue(tor, EGRESS, 0, frames * FRAME, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(op);
    sgf_op_set_awaited(op, true);
    unsigned looks = 0;
    for (; !sgf_op_done(op) && looks < 1000; looks++) {
      const opp_simtime_t bound = sgf_engine_bound(fabric);
      CU_ASSERT(bound > sgf_engine_clock(fabric));
      sgf_engine_advance(fabric, bound);
      CU_ASSERT(!sgf_op_done(op) || sgf_op_end(op) == bound);
    }
    CU_ASSERT_TRUE(sgf_op_done(op));
    CU_ASSERT_EQUAL(sgf_op_end(op), date_of(frames < 2 ? 2 : frames));
    CU_ASSERT_EQUAL(sgf_op_status(op), SGF_OK);
    CU_ASSERT(looks < 150); /* of 800 events at the last: five ports could bring what two do */
    sgf_op_unref(op);
    budget_free();
  }
}

SGF_TEST(a_level_that_is_never_met_has_no_bound_once_all_is_still)
{
  build();
  sgf_op_t* op = sgf_op_queue(tor, EGRESS, 0, FRAME, NULL);
  sgf_op_set_awaited(op, true);
  CU_ASSERT_EQUAL(sgf_engine_bound(fabric), OPP_TIME_MAX);
  CU_ASSERT_EQUAL(sgf_engine_advance(fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_FALSE(sgf_op_done(op));
  CU_ASSERT_PTR_NULL(sgf_op_dst(op));
  CU_ASSERT_EQUAL(sgf_op_set_rate(op, 1000, NULL), SGF_STATE); /* it is not sent */
  CU_ASSERT_PTR_NULL(sgf_op_sent(op, NULL));
  sgf_op_unref(op);
  budget_free();
}

/* ---- Acting ------------------------------------------------------------------------------------------------------ */

/* 1,000 quanta of 1.28 ns and the delay of the cable; the pause frame takes 1.28 ns. */
SGF_TEST(a_pause_holds_the_peer_for_its_quanta_and_a_resume_ends_it)
{
  build();
  const sgf_device_t* h0 = budget_device("h0");
  budget_pause(tor, 0, 3, 1000);
  budget_run(OPP_MS);
  sgf_class_stats_t stats = sgf_device_class_stats(h0, 0, 3);
  CU_ASSERT_EQUAL(stats.pauses_received, 1);
  CU_ASSERT_EQUAL(stats.paused, 1000 * 1280 + 100000);
  CU_ASSERT_EQUAL(sgf_device_class_stats(tor, 0, 3).pauses_sent, 1);

  budget_pause(tor, 0, 3, 1000);
  budget_run(OPP_MS + 500 * OPP_NS);
  budget_pause(tor, 0, 3, 0);
  budget_run(2 * OPP_MS);
  stats = sgf_device_class_stats(h0, 0, 3);
  CU_ASSERT_EQUAL(stats.resumes_received, 1);
  CU_ASSERT_EQUAL(stats.paused, 1000 * 1280 + 100000 + 500 * OPP_NS);
  budget_free();
}

/* ---- Refused ----------------------------------------------------------------------------------------------------- */

static void refused(sgf_status_t status, sgf_status_t expected, sgf_error_t* error, const char* text)
{
  CU_ASSERT_EQUAL(status, expected);
  CU_ASSERT_EQUAL(error->status, expected);
  CU_ASSERT_STRING_EQUAL(error->text, text);
  *error = (sgf_error_t){0}; /* the first one is kept */
}

SGF_TEST(what_cannot_be_is_refused)
{
  sgf_error_t e = {0};
  build();
  refused(sgf_script_pause(tor, 5, 0, 1, &e), SGF_RANGE, &e, "'tor' has no port 5; it has 0 to 4");
  refused(sgf_script_pause(tor, 0, 8, 1, &e), SGF_RANGE, &e, "there is no traffic class 8; they are 0 to 7");
  refused(sgf_script_pause(tor, 0, 0, 65536, &e), SGF_RANGE, &e,
          "a pause of 65536 quanta cannot be sent; 0 to 65535 can");
  refused(sgf_script_set_rate(tor, 1, &e), SGF_RULE, &e, "'tor' is no host with a udp NIC, whose rate can be set");
  refused(sgf_script_set_rate(budget_device("h0"), -1, &e), SGF_RANGE, &e, "a NIC cannot send at -1 bps");
  refused(sgf_script_when_queue(tor, 0, 0, 0, called, NULL, &e), SGF_RANGE, &e,
          "a queue of 0 B cannot be waited for; 1 B and more can");
  CU_ASSERT_PTR_NULL(sgf_op_queue(tor, 9, 0, 1, &e));
  CU_ASSERT_EQUAL(e.status, SGF_RANGE);
  e = (sgf_error_t){0};
  budget_run(OPP_US);
  refused(sgf_script_at(fabric, 5, called, NULL, &e), SGF_STATE, &e,
          "a script cannot run at 5 ps; the clock is at 1000000");
  budget_free();
}

SGF_TEST(a_script_needs_a_sealed_fabric)
{
  sgf_error_t error    = {0};
  sgf_fabric_t* open   = sgf_fabric_new(1);
  sgf_device_t* device = sgf_fabric_add_nic(open, "h0", "h0", "udp", NULL);
  refused(sgf_script_at(open, 5, called, NULL, &error), SGF_STATE, &error, "a script needs a sealed fabric");
  CU_ASSERT_EQUAL(sgf_script_pause(device, 0, 0, 1, NULL), SGF_STATE);
  CU_ASSERT_EQUAL(sgf_script_set_rate(device, 1, NULL), SGF_STATE);
  CU_ASSERT_PTR_NULL(sgf_op_queue(device, 0, 0, 1, NULL));
  sgf_fabric_free(open);
}

SGF_TEST(only_udp_NICs_take_a_rate_and_all_send_a_pause)
{
  sgf_error_t error  = {0};
  sgf_fabric_t* pair = sgf_fabric_new(1);
  sgf_device_t* a    = sgf_fabric_add_nic(pair, "a", "a", "mrc", NULL);
  sgf_device_t* b    = sgf_fabric_add_nic(pair, "b", "b", "mrc", NULL);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_connect(pair, a, b, "c", INT64_C(400000000000), OPP_NS, 1, NULL), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(pair, NULL), SGF_OK);
  refused(sgf_script_set_rate(a, 1, &error), SGF_RULE, &error, "'a' is no host with a udp NIC, whose rate can be set");
  CU_ASSERT_EQUAL(sgf_script_pause(a, 0, 0, 1, &error), SGF_OK);
  sgf_engine_advance(pair, OPP_US);
  CU_ASSERT_EQUAL(sgf_device_class_stats(b, 0, 0).pauses_received, 1);
  sgf_fabric_free(pair);
}
