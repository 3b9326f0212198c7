/* Lines: with one pending event each, the order of events is as if every message had its own. */
#include <stdlib.h>

#include "unit/opp_probe.h"

enum { SENDINGS = 3000, LINES = 4 };

/* What to schedule, when, for when, and on which line. */
typedef struct sending {
  opp_simtime_t at;
  opp_simtime_t due;
  int priority;
  int line; /* LINES: none */
} sending_t;

static sending_t plan[SENDINGS];
static opp_line_t* lines[LINES];
static bool use_lines;
static int order[2 * SENDINGS];
static size_t order_count;

/* A planned sending comes as kind 2 i, and what it schedules as 2 i + 1. */
static void carry_out(opp_module_t* self, opp_msg_t* msg)
{
  const int kind       = opp_msg_kind(msg);
  const sending_t* now = &plan[kind / 2];
  order[order_count++] = kind;
  opp_msg_delete(msg);
  if (kind % 2 == 1)
    return;
  opp_msg_t* next = opp_msg_new(self, "sent", kind + 1);
  opp_msg_set_priority(next, now->priority);
  if (use_lines && now->line < LINES)
    opp_schedule_on_line(self, lines[now->line], now->due, next);
  else
    opp_schedule_at(self, now->due, next);
}

static void run_plan(bool with_lines, int* result)
{
  opp_sim_t* sim        = opp_sim_new(1);
  opp_module_t* self    = probe_new(sim, NULL, "self");
  probe_of(self)->react = carry_out;
  use_lines             = with_lines;
  order_count           = 0;
  for (int i = 0; i < LINES; i++)
    lines[i] = opp_line_new(sim);
  for (int i = 0; i < SENDINGS; i++)
    opp_schedule_at(self, plan[i].at, opp_msg_new(self, "sending", 2 * i));
  CU_ASSERT_EQUAL(opp_sim_run(sim, OPP_TIME_MAX), OPP_RUN_IDLE);
  CU_ASSERT_EQUAL_FATAL(order_count, 2 * SENDINGS);
  CU_ASSERT_EQUAL(sim->messages.in_use, 0);
  memcpy(result, order, sizeof order);
  opp_sim_free(sim);
}

/* Sendings within `span` of time, due up to `ahead` later. Where `sorted` is set, the times of each line do not
 * decrease. */
static void compare(uint64_t seed, opp_simtime_t span, opp_simtime_t ahead, bool sorted, int priorities)
{
  static int with[2 * SENDINGS];
  static int without[2 * SENDINGS];
  opp_sim_t* sim                = opp_sim_new(seed);
  opp_rng_t* rng                = opp_rng(probe_new(sim, NULL, "draws"), 0);
  opp_simtime_t last[LINES + 1] = {0};
  opp_simtime_t at              = 0;
  for (int i = 0; i < SENDINGS; i++) {
    at += opp_rng_intuniform(rng, 0, 2 * span / SENDINGS);
    sending_t* next = &plan[i];
    *next           = (sending_t){.at = at, .line = (int)opp_rng_intuniform(rng, 0, LINES)};
    next->due       = at + opp_rng_intuniform(rng, 0, ahead);
    next->priority  = (int)opp_rng_intuniform(rng, -priorities, priorities);
    if (sorted && next->due < last[next->line])
      next->due = last[next->line];
    last[next->line] = next->due;
  }
  opp_sim_free(sim);
  run_plan(true, with);
  run_plan(false, without);
  CU_ASSERT_EQUAL(memcmp(with, without, sizeof with), 0);
}

SGF_TEST(times_that_do_not_decrease)
{
  compare(1, OPP_US, 100 * OPP_NS, true, 0);
}

SGF_TEST(many_equal_times)
{
  compare(2, 6000, 20, true, 0);
}

SGF_TEST(times_that_decrease_too)
{
  compare(3, OPP_US, 100 * OPP_NS, false, 0);
  compare(4, 6000, 20, false, 0);
}

SGF_TEST(priorities_at_equal_times)
{
  compare(5, 6000, 5, true, 2);
  compare(6, 6000, 5, false, 2);
}

SGF_TEST(far_and_near)
{
  compare(7, 100 * OPP_MS, 10 * OPP_MS, true, 1);
  compare(8, OPP_US, OPP_MS, false, 1);
}

/* On a line for a date of its own: the head alone is among the events, and goes on being so. */
SGF_TEST(only_the_head_of_a_line_is_pending)
{
  opp_sim_t* sim     = opp_sim_new(1);
  opp_module_t* self = probe_new(sim, NULL, "self");
  opp_line_t* line   = opp_line_new(sim);
  for (int i = 0; i < 100; i++)
    opp_schedule_on_line(self, line, 1000 + i, opp_msg_new(self, "message", i));
  CU_ASSERT_EQUAL(sim->events.in_wheel + sim->events.current.count, 1);
  opp_schedule_on_line(self, line, 1000, opp_msg_new(self, "early", 100)); /* overtakes all but the first */
  CU_ASSERT_EQUAL(sim->events.in_wheel + sim->events.current.count, 2);
  opp_sim_run(sim, 1050);
  CU_ASSERT_EQUAL(probe_of(self)->count, 52);
  ASSERT_ARRIVAL(self, 0, 1000, 0);
  ASSERT_ARRIVAL(self, 1, 1000, 100);
  ASSERT_ARRIVAL(self, 2, 1001, 1);
  opp_schedule_on_line(self, line, 2000, opp_msg_new(self, "late", 101));
  opp_sim_run(sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(probe_of(self)->count, 102);
  CU_ASSERT_EQUAL(opp_sim_clock(sim), 2000);
  opp_sim_free(sim);
}

/* A packet takes 100 ns and the delay, a message the delay alone: sent later, it arrives earlier. */
SGF_TEST(what_overtakes_on_a_channel_leaves_the_line_in_order)
{
  opp_sim_t* sim      = opp_sim_new(1);
  opp_module_t* left  = probe_new(sim, NULL, "left");
  opp_module_t* right = probe_new(sim, NULL, "right");
  opp_gate_add(left, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(right, "in", OPP_GATE_INPUT, false, 1);
  opp_gate_t* out = opp_gate(left, "out", 0);
  opp_gate_connect(out, opp_gate(right, "in", 0), opp_channel_datarate(sim, INT64_C(8000000000), 500 * OPP_NS));
  for (int i = 0; i < 10; i++) {
    opp_send(left, opp_packet_new(left, "packet", 2 * i, 100), out);
    opp_send(left, opp_msg_new(left, "message", 2 * i + 1), out);
    opp_sim_run(sim, opp_sim_clock(sim) + 100 * OPP_NS);
  }
  opp_sim_run(sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL_FATAL(probe_of(right)->count, 20);
  ASSERT_ARRIVAL(right, 0, 500 * OPP_NS, 1);
  for (int i = 1; i < 10;
       i++) { /* the packet sent before and the message sent now arrive together, in order of sending */
    ASSERT_ARRIVAL(right, 2 * i - 1, (500 + 100 * i) * OPP_NS, 2 * i - 2);
    ASSERT_ARRIVAL(right, 2 * i, (500 + 100 * i) * OPP_NS, 2 * i + 1);
  }
  ASSERT_ARRIVAL(right, 19, 1500 * OPP_NS, 18);
  opp_sim_free(sim);
}

/* ---- Shortening a delay under way -------------------------------------------------------------------------------- */

static int shortened[200];
static size_t shortened_count;

static void note(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  shortened[shortened_count++] = opp_msg_kind(msg);
  opp_msg_delete(msg);
}

SGF_TEST(a_delay_shortened_under_way_lets_later_messages_overtake)
{
  opp_sim_t* sim         = opp_sim_new(1);
  opp_module_t* left     = probe_new(sim, NULL, "left");
  opp_module_t* right    = probe_new(sim, NULL, "right");
  opp_channel_t* channel = opp_channel_delay(sim, 1000);
  probe_of(right)->react = note;
  shortened_count        = 0;
  opp_gate_add(left, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(right, "in", OPP_GATE_INPUT, false, 1);
  opp_gate_t* out = opp_gate(left, "out", 0);
  opp_gate_connect(out, opp_gate(right, "in", 0), channel);
  for (int i = 0; i < 100; i++) {
    if (i == 50) {
      channel->delay = 10;
      opp_channel_set_disabled(channel, false); /* has the path resolved anew */
    }
    opp_send(left, opp_msg_new(left, "message", i), out);
    opp_sim_run(sim, opp_sim_clock(sim) + 1);
  }
  opp_sim_run(sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL_FATAL(shortened_count, 100);
  for (int i = 0; i < 50; i++) { /* those sent at 50..99 arrive at 60..109, those sent at 0..49 at 1000..1049 */
    CU_ASSERT_EQUAL(shortened[i], 50 + i);
    CU_ASSERT_EQUAL(shortened[50 + i], i);
  }
  opp_sim_free(sim);
}
