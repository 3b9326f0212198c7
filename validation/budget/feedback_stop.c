/* Tp of pauses and the headroom that they take, on R1 (spec/feedback-budget.md 4, 5, 11.2): four senders that obey, one
 * receiver whose port is held, so that nothing drains.
 *
 *   h0 h1 h2 h3 == tor == h4
 *
 * A pause decided at 0 has arrived after 64 B on the wire and the cable; the sender then finishes the frame that it is
 * sending, and the last frame's last bit comes another cable later. Frames come one after the other, T apart, the one
 * that decides among them: the last is number k = floor((pause + 2 x delay) / T) + 1 after it, whatever the phase. */
#include "budget_support.h"
#include "harness.h"
#include "records/csv_support.h"

#include <sgfabric/explain.h>
#include <sgfabric/feedback.h>
#include <stdlib.h>
#include <string.h>

enum { SENDERS = 4, XOFF = 128000, HEADROOM = 109000, MAX_EVENTS = 256 };
static const opp_simtime_t pause = 1280; /* 64 B */

static sgf_feedback_event_t events[MAX_EVENTS];
static size_t count;

static void note(void* user, const sgf_feedback_event_t* event)
{
  CU_ASSERT_PTR_EQUAL(user, events);
  CU_ASSERT_FATAL(count < MAX_EVENTS);
  events[count++] = *event;
}

static sgf_fabric_t* burst(budget_seat_t seat, size_t frame, opp_simtime_t delay, const char* headroom)
{
  static const char* const senders[] = {"h0", "h1", "h2", "h3"};
  const budget_topology_t r1         = budget_r1(delay);
  const budget_setting_t settings[]  = {
       {NULL, "switch", "StaticPoolXoffThreshold", "128KB"},       {NULL, "switch", "StaticPoolXonThreshold", "64KB"},
       {NULL, "switch", "HeadRoomPerPortLimit", headroom},         {NULL, "nic", "MSS", budget_frames[frame].mss},
       {NULL, "nic", "HeaderBytes", budget_frames[frame].headers}, {0}};
  sgf_fabric_t* fabric = budget_build(seat, &r1, settings);
  count                = 0;
  for (unsigned h = 0; h < SENDERS; h++)
    budget_write(senders[h], "h4", 400000, 0, 0);
  budget_pause(budget_device("h4"), 0, 0, 65535); /* for 84 us: longer than all the rest takes to stand still */
  return fabric;
}

/* Frames that still come after a decision. */
static int64_t frames_after(int64_t bytes, opp_simtime_t delay)
{
  return (pause + 2 * delay) / budget_wire(bytes) + 1;
}

/* ---- Exact numbers ----------------------------------------------------------------------------------------------- */

static void check_first(int64_t bytes, opp_simtime_t delay)
{
  const int64_t charge   = bytes - 18;
  const int64_t k        = frames_after(bytes, delay);
  const int64_t to_xoff  = XOFF / charge + 1;
  bool is_there[SENDERS] = {false};
  opp_simtime_t decided  = -1;
  for (size_t i = 0; i < SENDERS; i++) {
    const sgf_feedback_event_t* event = &events[i];
    CU_ASSERT_EQUAL(event->kind, SGF_FEEDBACK_TP);
    CU_ASSERT_STRING_EQUAL(sgf_device_name(event->device), "tor");
    CU_ASSERT_EQUAL(event->tc, 0);
    CU_ASSERT_FATAL(event->port < SENDERS);
    CU_ASSERT_FALSE(is_there[event->port]);
    is_there[event->port] = true;
    if (decided < 0)
      decided = event->begin;
    CU_ASSERT_EQUAL(event->begin, decided); /* all four in phase */
    CU_ASSERT_EQUAL(event->duration, k * budget_wire(bytes));
    CU_ASSERT_EQUAL(event->tp.frames, (uint64_t)k);
    CU_ASSERT_EQUAL(event->tp.bytes, k * charge);
    CU_ASSERT_EQUAL(event->tp.above, k * charge);
    CU_ASSERT_EQUAL(event->tp.headroom, HEADROOM);
    CU_ASSERT(event->tp.resumed > event->begin + 40 * OPP_US);
  }
  CU_ASSERT((to_xoff - 1) * charge <= XOFF && to_xoff * charge > XOFF);
  CU_ASSERT(decided > to_xoff * budget_wire(bytes) + delay); /* PCIe before that */
}

/* While a sender has data, its last frame ends after the pause has come, and began before. */
static void check_all(const sgf_fabric_t* fabric, int64_t bytes, opp_simtime_t delay)
{
  for (size_t i = 0; i < count; i++) {
    CU_ASSERT(events[i].duration <= pause + 2 * delay + budget_wire(bytes));
    CU_ASSERT(events[i].duration < 0 || events[i].tp.frames > 0);
  }
  const sgf_distribution_t tp = sgf_feedback_distribution(fabric, SGF_FEEDBACK_TP);
  CU_ASSERT(tp.count >= SENDERS && tp.count <= count);
  CU_ASSERT_EQUAL(tp.max, frames_after(bytes, delay) * budget_wire(bytes));
  CU_ASSERT(tp.min <= tp.p50 && tp.p50 <= tp.p90 && tp.p90 <= tp.p99 && tp.p99 <= tp.max);
  CU_ASSERT_EQUAL(sgf_feedback_distribution(fabric, SGF_FEEDBACK_TCC).count, 0);
}

/* The summary's row of the switch: what was needed is what the events say, and not more than the advice. */
static void check_report(const sgf_fabric_t* fabric, int64_t bytes, opp_simtime_t delay)
{
  sgf_report_t* report = sgf_report_new(fabric);
  CU_ASSERT_EQUAL_FATAL(report->headroom_count, 1);
  const sgf_headroom_use_t* use = &report->headrooms[0];
  CU_ASSERT_STRING_EQUAL(use->device, "tor");
  CU_ASSERT(use->tc == 0 && use->ports == SENDERS && use->port == 0);
  CU_ASSERT_EQUAL(use->needed, frames_after(bytes, delay) * (bytes - 18));
  CU_ASSERT_EQUAL(use->headroom, HEADROOM);
  const sgf_condition_t headroom = sgf_explain_switch(budget_device("tor")).conditions[0][0];
  CU_ASSERT_EQUAL(headroom.given, HEADROOM);
  CU_ASSERT(use->needed <= headroom.needed);
  sgf_report_free(report);
}

static void stop(budget_seat_t seat, size_t frame, opp_simtime_t delay)
{
  const int64_t bytes  = budget_frames[frame].bytes;
  sgf_fabric_t* fabric = burst(seat, frame, delay, "109KB");
  sgf_feedback_observe(fabric, note, events);
  budget_run(400 * OPP_US);
  CU_ASSERT_FATAL(count >= SENDERS);
  check_first(bytes, delay);
  check_all(fabric, bytes, delay);
  check_report(fabric, bytes, delay);
  budget_finish();
  budget_free();
}

SGF_TEST(FB_36_Tp_is_the_pause_two_cables_and_the_frame_that_is_being_sent)
{
  static const opp_simtime_t delays[] = {100 * OPP_NS, 500 * OPP_NS, 959 * OPP_NS};
  for (size_t i = 0; i < sizeof delays / sizeof *delays; i++)
    for (size_t frame = 0; frame < BUDGET_FRAMES; frame++)
      stop(BUDGET_ENGINE, frame, delays[i]);
}

SGF_SCENARIO(FB_36_Tp_in_a_simulation)
{
  CU_ASSERT_EQUAL(frames_after(4154, 500 * OPP_NS), 13);
  stop(BUDGET_SIMGRID, 2, 500 * OPP_NS); /* 1080.04 ns, 13 x 4,136 B */
}

/* ---- Other ends -------------------------------------------------------------------------------------------------- */

/* Half of what the pauses let in has no room: it has arrived all the same, and headroom is used to the last packet. */
SGF_TEST(a_headroom_that_is_too_small_is_used_up_while_Tp_stays)
{
  sgf_fabric_t* fabric = burst(BUDGET_ENGINE, 2, 500 * OPP_NS, "30KB");
  sgf_feedback_observe(fabric, note, events);
  budget_run(400 * OPP_US);
  CU_ASSERT_FATAL(count >= SENDERS);
  CU_ASSERT_EQUAL(events[0].duration, 13 * budget_wire(4154));
  CU_ASSERT_EQUAL(events[0].tp.bytes, 13 * 4136);
  CU_ASSERT_EQUAL(events[0].tp.above, 7 * 4136); /* of 30,000 B */
  sgf_report_t* report = sgf_report_new(fabric);
  CU_ASSERT_EQUAL(report->headrooms[0].needed, 7 * 4136);
  CU_ASSERT_EQUAL(report->headrooms[0].headroom, 30000);
  sgf_report_free(report);
  budget_free();
}

/* At the end of the run all four pauses last: they are measured as far as they have come, once. */
SGF_TEST(a_pause_that_lasts_at_the_end_is_told)
{
  sgf_fabric_t* fabric = burst(BUDGET_ENGINE, 2, 500 * OPP_NS, "109KB");
  sgf_feedback_observe(fabric, note, events);
  budget_run(50 * OPP_US);
  CU_ASSERT_EQUAL(count, 0);
  sgf_feedback_end(fabric);
  CU_ASSERT_EQUAL_FATAL(count, SENDERS);
  for (size_t i = 0; i < count; i++) {
    CU_ASSERT_EQUAL(events[i].duration, 13 * budget_wire(4154));
    CU_ASSERT_EQUAL(events[i].tp.resumed, -1);
  }
  sgf_feedback_end(fabric);
  CU_ASSERT_EQUAL(count, SENDERS);
  CU_ASSERT_EQUAL(sgf_feedback_distribution(fabric, SGF_FEEDBACK_TP).count, SENDERS);
  budget_free();
}

/* Who begins to measure in the middle of a pause does not know when it began. */
SGF_TEST(a_pause_that_was_decided_before_is_not_measured)
{
  sgf_fabric_t* fabric = burst(BUDGET_ENGINE, 2, 500 * OPP_NS, "109KB");
  budget_run(50 * OPP_US);
  CU_ASSERT_FALSE(sgf_feedback_is_measured(fabric));
  sgf_feedback_observe(fabric, note, events);
  CU_ASSERT(sgf_feedback_is_measured(fabric));
  sgf_feedback_end(fabric);
  CU_ASSERT_EQUAL(count, 0);
  budget_run(400 * OPP_US);
  for (size_t i = 0; i < count; i++)
    CU_ASSERT(events[i].begin > 50 * OPP_US);
  budget_free();
}

/* ---- The record -------------------------------------------------------------------------------------------------- */

static void record(budget_seat_t seat, const char* simulation)
{
  sgf_fabric_t* fabric   = burst(seat, 2, 500 * OPP_NS, "109KB");
  sgf_results_t* results = csv_start(fabric, simulation, WHERE("EnableFeedbackStats", "true", "job_id", "stop"));
  budget_run(400 * OPP_US);
  csv_finish(results, 400 * OPP_US);
}

/* What the listener was told is in the rows, in the same order. */
SGF_SCENARIO(the_rows_are_the_events)
{
  record(BUDGET_SIMGRID, "feedback_stop_simulation");
  csv_table_t table = csv_read_table(CSV_FOLDER, "feedback_stop_simulation", CSV_FEEDBACK_EVENTS);
  CU_ASSERT_FATAL(table.row_count >= SENDERS);
  long long before = 0;
  for (size_t row = 0; row < table.row_count; row++) {
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "ev_type"), "TP");
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_name"), "tor");
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_type"), "Switch");
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "node_id"), 5);
    CU_ASSERT(csv_integer_at(&table, row, "ifid") < SENDERS);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "priority"), 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "headroom_bytes"), HEADROOM);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "src"), "");
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "mark_to_cnp_ps"), "");
    CU_ASSERT(csv_integer_at(&table, row, "sim_time_ns") >= before);
    before = csv_integer_at(&table, row, "sim_time_ns");
    if (row >= SENDERS)
      continue;
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "duration_ps"), 1080040);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "pkts_after"), 13);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "bytes_after"), 13 * 4136);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "peak_above_xoff_bytes"), 13 * 4136);
    CU_ASSERT_EQUAL((csv_integer_at(&table, row, "begin_ps") + csv_integer_at(&table, row, "paused_ps")) / 1000,
                    before);
  }
  csv_free_table(&table);
  record(BUDGET_ENGINE, "feedback_stop_engine");
  char* simulated = csv_bytes(CSV_FOLDER, "feedback_stop_simulation", CSV_FEEDBACK_EVENTS);
  char* executed  = csv_bytes(CSV_FOLDER, "feedback_stop_engine", CSV_FEEDBACK_EVENTS);
  CU_ASSERT_STRING_EQUAL(simulated, executed);
  free(simulated);
  free(executed);
  budget_free();
}

SGF_TEST(nothing_is_measured_unless_somebody_wants_it)
{
  sgf_fabric_t* fabric   = burst(BUDGET_ENGINE, 2, 500 * OPP_NS, "109KB");
  sgf_results_t* results = csv_start(fabric, "feedback_off", NULL);
  CU_ASSERT_FALSE(sgf_feedback_is_measured(fabric));
  budget_run(100 * OPP_US);
  csv_finish(results, 100 * OPP_US);
  CU_ASSERT_FALSE(csv_exists(CSV_FOLDER, "feedback_off", CSV_FEEDBACK_EVENTS));
  CU_ASSERT_EQUAL(sgf_feedback_distribution(fabric, SGF_FEEDBACK_TP).count, 0);
  budget_free();
}
