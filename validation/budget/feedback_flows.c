/* Tcc of RoCE flows, measured from the mark to the first slower packet in the same queue (spec/feedback-budget.md 3,
 * 11.2; FB-66): synchronised senders and one receiver around a switch that marks from 20 kB on.
 *
 * What it cannot be shorter than: the marked packet to the receiver, the notification back over two cables, the first
 * packet that starts afterwards, at the lowered rate, to the switch. */
#include "harness.h"

#include <sgfabric/feedback.h>
#include <sgfabric/stats.h>
#include <stdlib.h>
#include <string.h>

#include "records/csv_support.h"
#include "support/nic_run.h"

enum { SENDERS = 4, RECEIVER = 4, MAX_EVENTS = 4096, FULL = 4154, EGRESS = 4 };
#define GBPS INT64_C(1000000000)
static const opp_simtime_t delay    = 100 * OPP_NS;
static const opp_simtime_t wire     = 83080; /* of a full packet at 400 Gb/s */
static const opp_simtime_t cnp_wire = 2440;
static const opp_simtime_t interval = 45 * OPP_US; /* ControlIntervalDurationNs */

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static sgf_feedback_event_t events[MAX_EVENTS];
static size_t count;

static void note(void* user, const sgf_feedback_event_t* event)
{
  (void)user;
  CU_ASSERT_FATAL(count < MAX_EVENTS);
  if (event->kind == SGF_FEEDBACK_TCC)
    events[count++] = *event;
}

/* A step at 20 kB, a fifth of the static limit. */
#define MARKS                                                                                                          \
  "switch.EwmaWeight", "1", "switch.LossyAlpha", "0", "switch.QueueDropThresholdEnable", "true",                       \
      "switch.QueueDropThreshold", "1", "switch.PlaneBDP", "100KB", "switch.EcnHandler.MinThreshold", "0.2",           \
      "switch.EcnHandler.MaxThreshold", "0.2"

static void must(sgf_status_t status, const sgf_error_t* error)
{
  if (status != SGF_OK)
    printf("\n  %s", error->text);
  CU_ASSERT_EQUAL_FATAL(status, SGF_OK);
}

/* R1 with RoCE NICs; `measures`: before it is sealed, else after. Settings are pairs of "prefix.name" and value. */
static sgf_fabric_t* r1(bool measures, const char* const* settings)
{
  sgf_error_t error    = {0};
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* tor    = sgf_fabric_add_switch(fabric, "tor", "tor", &error);
  for (unsigned h = 0; h <= RECEIVER; h++) {
    const char name[]  = {'h', (char)('0' + h), '\0'};
    sgf_device_t* host = sgf_fabric_add_nic(fabric, name, name, "roce", &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(host);
    must(sgf_fabric_connect(fabric, host, tor, "cable", 400 * GBPS, delay, 1, &error), &error);
  }
  for (; *settings != NULL; settings += 2) {
    const char* name = strchr(settings[0], '.') + 1;
    if (strncmp(settings[0], "switch", 6) == 0)
      must(sgf_device_set(tor, "switch", name, settings[1], &error), &error);
    for (unsigned h = 0; strncmp(settings[0], "nic", 3) == 0 && h <= RECEIVER; h++)
      must(sgf_device_set(sgf_fabric_host(fabric, h), "nic", name, settings[1], &error), &error);
  }
  if (measures)
    sgf_feedback_observe(fabric, note, NULL);
  must(sgf_fabric_seal(fabric, &error), &error);
  sgf_feedback_observe(fabric, note, NULL);
  count = 0;
  return fabric;
}

static void incast(sgf_fabric_t* fabric, uint64_t bytes)
{
  for (unsigned h = 0; h < SENDERS; h++)
    sgf_op_unref(
        sgf_op_write(fabric, sgf_fabric_host(fabric, h), sgf_fabric_host(fabric, RECEIVER), bytes, 0, 0, 0, NULL));
  CU_ASSERT_EQUAL(sgf_engine_drain(fabric), SGF_ENGINE_IDLE);
}

/* ---- Each event -------------------------------------------------------------------------------------------------- */

/* The slower packet on the wire, within the picosecond that the remainder of the one before may add. */
static opp_simtime_t slow_wire(const sgf_feedback_event_t* event)
{
  return (opp_simtime_t)((double)FULL * 8 * 1e12 / (double)event->tcc.rate_after);
}

static opp_simtime_t floor_of(const sgf_feedback_event_t* event)
{
  const opp_simtime_t forward = wire + delay;
  const opp_simtime_t back    = 2 * (cnp_wire + delay);
  const opp_simtime_t slower  = slow_wire(event) - 1 + delay;
  return forward + back + slower;
}

static void check_event(const sgf_feedback_event_t* event)
{
  const sgf_feedback_tcc_t* tcc = &event->tcc;
  CU_ASSERT_STRING_EQUAL(sgf_device_name(event->device), "tor");
  CU_ASSERT_EQUAL(event->port, EGRESS);
  CU_ASSERT_EQUAL(event->tc, 0);
  CU_ASSERT_STRING_EQUAL(sgf_device_name(tcc->dst), "h4");
  CU_ASSERT_EQUAL(tcc->queue_pair, 0);
  CU_ASSERT(tcc->rate_after < tcc->rate_before);
  CU_ASSERT(tcc->cnp_sent >= event->begin + wire + delay);
  CU_ASSERT(tcc->cnp_received >= tcc->cnp_sent + 2 * (cnp_wire + delay));
  CU_ASSERT(tcc->cut >= tcc->cnp_received && tcc->cut <= tcc->cnp_received + interval);
  CU_ASSERT(tcc->started >= tcc->cut);
  const opp_simtime_t way = event->begin + event->duration - tcc->started;
  CU_ASSERT(way >= slow_wire(event) - 1 + delay);
  CU_ASSERT(event->duration >= floor_of(event));
}

/* Measurements of one flow do not overlap. */
static void check_order(void)
{
  opp_simtime_t ends[SENDERS] = {0};
  for (size_t i = 0; i < count; i++) {
    const unsigned flow = (unsigned)(sgf_device_name(events[i].tcc.src)[1] - '0');
    CU_ASSERT_FATAL(flow < SENDERS);
    CU_ASSERT(events[i].begin >= ends[flow]);
    ends[flow] = events[i].begin + events[i].duration;
  }
  for (unsigned flow = 0; flow < SENDERS; flow++)
    CU_ASSERT(ends[flow] > 0);
}

/* The first measurement of each flow meets a sender that is at line rate: it cuts at once, to a half, and finishes the
 * packet that it is sending. */
static void check_first(void)
{
  bool is_there[SENDERS] = {false};
  for (size_t i = 0; i < SENDERS; i++) {
    const sgf_feedback_tcc_t* tcc                = &events[i].tcc;
    is_there[sgf_device_name(tcc->src)[1] - '0'] = true;
    CU_ASSERT_EQUAL(tcc->cnp_received, tcc->cnp_sent + 2 * (cnp_wire + delay));
    CU_ASSERT_EQUAL(tcc->cut, tcc->cnp_received);
    CU_ASSERT(tcc->started - tcc->cut <= wire);
    CU_ASSERT_EQUAL(tcc->rate_before, 400 * GBPS);
    CU_ASSERT_EQUAL(tcc->rate_after, 200 * GBPS);
    CU_ASSERT_EQUAL(events[i].begin + events[i].duration - tcc->started, 2 * wire + delay);
  }
  for (unsigned flow = 0; flow < SENDERS; flow++)
    CU_ASSERT(is_there[flow]);
}

/* Without spacing the receiver answers each marked packet at once. */
static void check_unspaced(void)
{
  for (size_t i = 0; i < count; i++)
    CU_ASSERT_EQUAL(events[i].tcc.cnp_sent, events[i].begin + wire + delay);
  check_first();
}

/* With it some marks wait until the receiver may speak again; the first of a flow never does. */
static void check_spaced(void)
{
  unsigned waited = 0;
  for (size_t i = 0; i < count; i++)
    waited += events[i].tcc.cnp_sent > events[i].begin + wire + delay;
  CU_ASSERT(waited > 0);
  check_first();
}

static sgf_distribution_t measure(bool before_sealing, uint64_t bytes, const char* spacing, void (*check)(void))
{
  sgf_fabric_t* fabric = r1(before_sealing, (const char* const[]){MARKS, "nic.CnpMinInterval", spacing, NULL});
  incast(fabric, bytes);
  CU_ASSERT_FATAL(count > 2 * SENDERS);
  for (size_t i = 0; i < count; i++)
    check_event(&events[i]);
  check_order();
  check();
  const sgf_distribution_t tcc = sgf_feedback_distribution(fabric, SGF_FEEDBACK_TCC);
  CU_ASSERT_EQUAL(tcc.count, count);
  sgf_fabric_free(fabric);
  return tcc;
}

/* ---- FB-66 ------------------------------------------------------------------------------------------------------- */

SGF_TEST(FB_66_Tcc_is_never_below_path_notification_and_reaction)
{
  measure(true, 4000000, "0s", check_unspaced);
}

SGF_TEST(FB_66_the_tail_grows_when_notifications_wait)
{
  const sgf_distribution_t at_once = measure(false, 4000000, "0s", check_unspaced);
  const sgf_distribution_t spaced  = measure(false, 4000000, "50us", check_spaced);
  CU_ASSERT(spaced.max > at_once.max);
  CU_ASSERT(spaced.p90 > at_once.p90);
  CU_ASSERT(at_once.max < 2 * interval);
}

/* ---- Losses ------------------------------------------------------------------------------------------------------ */

/* Lossy queues of 100 kB: packets are lost, sent again and overtaken, and so are some of those that a measurement waits
 * for. What comes later takes their place, nothing that was sent before. */
static void lose(const char* recovery)
{
  sgf_fabric_t* fabric =
      r1(true, (const char* const[]){MARKS, "switch.EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]", "nic.RetransmitTimeout",
                                     "200us", "nic.LossRecovery", recovery, NULL});
  incast(fabric, 4000000);
  CU_ASSERT(sgf_device_class_stats(sgf_fabric_find(fabric, "tor"), EGRESS, 0).tx_drops > 100);
  CU_ASSERT_FATAL(count > 2 * SENDERS);
  for (size_t i = 0; i < count; i++)
    check_event(&events[i]);
  check_order();
  sgf_fabric_free(fabric);
}

SGF_TEST(FB_66_the_same_where_packets_are_lost)
{
  lose("GoBackN");
  lose("SelectiveRepeat");
}

/* ---- Measurements without a result ------------------------------------------------------------------------------- */

/* Senders that are at their floor from the beginning cannot be slowed down. */
SGF_TEST(a_rate_that_does_not_fall_has_no_Tcc)
{
  sgf_fabric_t* fabric = r1(true, (const char* const[]){MARKS, "nic.MinimumRatePercentage", "1.0", NULL});
  incast(fabric, 1000000);
  CU_ASSERT(sgf_device_class_stats(sgf_fabric_find(fabric, "tor"), EGRESS, 0).marked > 0);
  CU_ASSERT_EQUAL(count, 0);
  sgf_fabric_free(fabric);
}

/* All is sent when the notifications come, and the rate stays low until the next message, 10 ms later: its packets are
 * slower, but the feedback did not take so long. */
SGF_TEST(a_flow_that_has_ended_has_no_Tcc_across_the_gap)
{
  sgf_fabric_t* fabric = r1(true, (const char* const[]){MARKS, "nic.ControlIntervalDurationNs", "100000000", NULL});
  for (unsigned burst = 0; burst < 5; burst++)
    for (unsigned h = 0; h < SENDERS; h++)
      sgf_op_unref(sgf_op_write(fabric, sgf_fabric_host(fabric, h), sgf_fabric_host(fabric, RECEIVER), 40000, 0,
                                burst * 10 * OPP_MS, 0, NULL));
  CU_ASSERT_EQUAL(sgf_engine_drain(fabric), SGF_ENGINE_IDLE);
  CU_ASSERT(sgf_device_class_stats(sgf_fabric_find(fabric, "tor"), EGRESS, 0).marked > 0);
  for (size_t i = 0; i < count; i++)
    CU_ASSERT(events[i].duration < OPP_MS);
  sgf_fabric_free(fabric);
}

/* ---- In a simulation --------------------------------------------------------------------------------------------- */

static void check_rows(const char* simulation)
{
  csv_table_t table = csv_read_table(CSV_FOLDER, simulation, CSV_FEEDBACK_EVENTS);
  size_t event      = 0;
  for (size_t row = 0; row < table.row_count; row++) {
    if (strcmp(csv_at(&table, row, "ev_type"), "TCC") != 0)
      continue;
    const long long parts = csv_integer_at(&table, row, "mark_to_cnp_ps") + csv_integer_at(&table, row, "cnp_way_ps") +
                            csv_integer_at(&table, row, "cnp_to_cut_ps") +
                            csv_integer_at(&table, row, "cut_to_start_ps") +
                            csv_integer_at(&table, row, "start_to_queue_ps");
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "duration_ps"), parts);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_name"), "tor");
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "dst"), "h4");
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "paused_ps"), "");
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "mark_to_cnp_ps"), wire + delay);
    CU_ASSERT(csv_integer_at(&table, row, "cnp_way_ps") >= 2 * (cnp_wire + delay));
    CU_ASSERT(csv_integer_at(&table, row, "rate_after_bps") < csv_integer_at(&table, row, "rate_before_bps"));
    event++;
  }
  CU_ASSERT(event > 2 * SENDERS);
  csv_free_table(&table);
}

SGF_SCENARIO(FB_66_in_a_simulation)
{
  run_rack_of("roce", SENDERS + 1, "100ns",
              RUN_SETTINGS("**.switch.EwmaWeight=1", "**.switch.LossyAlpha=0",
                           "**.switch.QueueDropThresholdEnable=true", "**.switch.QueueDropThreshold=1",
                           "**.switch.PlaneBDP=100KB", "**.switch.EcnHandler.MinThreshold=0.2",
                           "**.switch.EcnHandler.MaxThreshold=0.2"));
  sgf_results_t* results = csv_start(sg_fabric_get(), "FB_66", WHERE("EnableFeedbackStats", "true"));
  for (unsigned h = 0; h < SENDERS; h++)
    run_write(h, RECEIVER, 4000000, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  csv_finish(results, sgf_engine_clock(sg_fabric_get()));
  check_rows("FB_66");
  sgf_fabric_t* fabric = r1(true, (const char* const[]){MARKS, NULL});
  results              = csv_start(fabric, "FB_66_engine", WHERE("EnableFeedbackStats", "true"));
  incast(fabric, 4000000);
  csv_finish(results, sgf_engine_clock(fabric));
  char* simulated = csv_bytes(CSV_FOLDER, "FB_66", CSV_FEEDBACK_EVENTS);
  char* executed  = csv_bytes(CSV_FOLDER, "FB_66_engine", CSV_FEEDBACK_EVENTS);
  CU_ASSERT_STRING_EQUAL(simulated, executed);
  free(simulated);
  free(executed);
  sgf_fabric_free(fabric);
  const sgf_distribution_t tcc = sgf_feedback_distribution(sg_fabric_get(), SGF_FEEDBACK_TCC);
  CU_ASSERT(tcc.min >= wire + delay + 2 * (cnp_wire + delay) + wire + delay);
}
