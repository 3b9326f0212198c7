/* The same run without its aggressors: sgf_replay_run, and what it says of victims.
 *
 *   a0 .. a3 --- U === V --- d        400 Gb/s; four writes to d make V pause U, which holds a write of a0's to e
 *                       \--- e */
#include "harness.h"
#include "victims_support.h"

#include <string.h>

enum { SENDERS = 4, BYTES = 200000, BYTES_OF_E = 64000, INNOCENT = SENDERS, FLOWS };

typedef struct incast {
  sgf_fabric_t* fabric;
  sgf_device_t* senders[SENDERS];
  sgf_device_t *u, *v, *d, *e;
} incast_t;

/* Its cable to d has a tenth of the others' rate. */
static incast_t incast_new(const char* model, bool watched)
{
  static const char* const names[] = {"a0", "a1", "a2", "a3"};
  incast_t incast                  = {.fabric = sgf_fabric_new(1)};
  for (unsigned i = 0; i < SENDERS; i++)
    incast.senders[i] = victims_host(incast.fabric, names[i], model);
  incast.d = victims_host(incast.fabric, "d", model);
  incast.e = victims_host(incast.fabric, "e", model);
  incast.u = victims_switch(incast.fabric, "U", NULL);
  incast.v = victims_switch(incast.fabric, "V", NULL);
  for (unsigned i = 0; i < SENDERS; i++)
    victims_cable(incast.fabric, incast.u, incast.senders[i], VICTIMS_BPS, 1);
  victims_cable(incast.fabric, incast.v, incast.u, VICTIMS_BPS, 1);
  victims_cable(incast.fabric, incast.v, incast.d, VICTIMS_BPS / 10, 1);
  victims_cable(incast.fabric, incast.v, incast.e, VICTIMS_BPS, 1);
  victims_seal(incast.fabric, watched);
  return incast;
}

static incast_t run_incast(const char* model)
{
  incast_t incast = incast_new(model, true);
  for (unsigned i = 0; i < SENDERS; i++)
    victims_post(incast.fabric, incast.senders[i], incast.d, BYTES, 0);
  victims_post(incast.fabric, incast.senders[0], incast.e, BYTES_OF_E, 20 * OPP_US);
  victims_run(incast.fabric);
  return incast;
}

/* The end of the innocent write where it is alone. */
static opp_simtime_t end_alone(const char* model)
{
  incast_t incast = incast_new(model, false);
  victims_post(incast.fabric, incast.senders[0], incast.e, BYTES_OF_E, 20 * OPP_US);
  victims_run(incast.fabric);
  sgf_report_t* report    = sgf_report_new(incast.fabric);
  const opp_simtime_t end = report->flows[0].end;
  sgf_report_free(report);
  sgf_fabric_free(incast.fabric);
  return end;
}

static void replay(const sgf_report_t* report, const bool* left_out, const char* model, opp_simtime_t* ends)
{
  incast_t again    = incast_new(model, false);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_replay_run(report->flows, report->flow_count, left_out, again.fabric, ends, &error),
                        SGF_OK);
  sgf_fabric_free(again.fabric);
}

/* ---- Victims ----------------------------------------------------------------------------------------------------- */

static void check_incast(const char* model)
{
  incast_t incast        = run_incast(model);
  sgf_report_t* report   = sgf_report_new(incast.fabric);
  sgf_victims_t* victims = sgf_victims_new(incast.fabric);
  CU_ASSERT_EQUAL_FATAL(report->flow_count, FLOWS);
  CU_ASSERT_EQUAL_FATAL(victims->count, 1);
  CU_ASSERT_EQUAL(victims->items[0].flow, INNOCENT);
  CU_ASSERT(victims->items[0].lost > 0);
  CU_ASSERT_EQUAL_FATAL(victims->aggressor_count, SENDERS);
  for (size_t i = 0; i < SENDERS; i++)
    CU_ASSERT_EQUAL(victims->aggressors[i], i);
  for (size_t i = 0; i < victims->hold_count; i++) {
    CU_ASSERT(victims_is_at(&victims->holds[i].root, incast.v, 1, 0));
    CU_ASSERT_EQUAL(victims->holds[i].victim_count, 1);
  }

  /* Without them it is as in a run of its own. */
  bool left_out[FLOWS] = {false};
  opp_simtime_t ends[FLOWS];
  for (size_t i = 0; i < victims->aggressor_count; i++)
    left_out[victims->aggressors[i]] = true;
  replay(report, left_out, model, ends);
  for (size_t i = 0; i < SENDERS; i++)
    CU_ASSERT_EQUAL(ends[i], -1);
  CU_ASSERT_EQUAL(ends[INNOCENT], end_alone(model));
  CU_ASSERT(report->flows[INNOCENT].end - ends[INNOCENT] > OPP_US);
  sgf_victims_free(victims);
  sgf_report_free(report);
  sgf_fabric_free(incast.fabric);
}

SGF_TEST(an_innocent_write_beside_an_incast_of_RoCE_NICs_is_its_only_victim)
{
  check_incast("roce");
}

SGF_TEST(an_innocent_write_beside_an_incast_of_UET_NICs_is_its_only_victim)
{
  check_incast("uet");
}

/* ---- Replays ----------------------------------------------------------------------------------------------------- */

static void check_same(const char* model)
{
  incast_t incast      = run_incast(model);
  sgf_report_t* report = sgf_report_new(incast.fabric);
  opp_simtime_t ends[FLOWS];
  replay(report, NULL, model, ends);
  for (size_t i = 0; i < FLOWS; i++) {
    CU_ASSERT(ends[i] > 0);
    CU_ASSERT_EQUAL(ends[i], report->flows[i].end);
  }
  sgf_report_free(report);
  sgf_fabric_free(incast.fabric);
}

SGF_TEST(a_replay_with_nothing_left_out_is_the_run_again)
{
  static const char* const models[] = {"uet", "roce", "mrc", "udp"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    check_same(models[i]);
}

/* What a write may be told is told again: rate, queue pair, classes. */
SGF_TEST(a_replay_keeps_what_was_set)
{
  incast_t incast   = incast_new("roce", false);
  sgf_error_t error = {0};
  for (unsigned i = 0; i < 4; i++) {
    sgf_op_t* write =
        sgf_op_write(incast.fabric, incast.senders[0], incast.e, BYTES, 0, (opp_simtime_t)(i / 2) * OPP_US, 0, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(write);
    if (i == 1)
      CU_ASSERT_EQUAL(sgf_op_set_rate(write, VICTIMS_BPS / 20, &error), SGF_OK);
    if (i == 2)
      CU_ASSERT_EQUAL(sgf_op_set_queue_pair(write, 7, &error), SGF_OK);
    if (i == 3)
      CU_ASSERT_EQUAL(sgf_op_set_classes(write, 1, 1, &error), SGF_OK);
    sgf_op_unref(write);
  }
  victims_run(incast.fabric);
  sgf_report_t* report = sgf_report_new(incast.fabric);
  CU_ASSERT_EQUAL_FATAL(report->flow_count, 4);
  CU_ASSERT_EQUAL(report->flows[0].rate_bps, 0);
  CU_ASSERT_FALSE(report->flows[0].has_classes);
  CU_ASSERT_EQUAL(report->flows[1].rate_bps, VICTIMS_BPS / 20);
  CU_ASSERT_EQUAL(report->flows[2].queue_pair, 7);
  CU_ASSERT(report->flows[3].has_classes);
  CU_ASSERT_EQUAL(report->flows[3].data_class, 1);
  opp_simtime_t ends[4];
  replay(report, NULL, "roce", ends);
  for (size_t i = 0; i < 4; i++)
    CU_ASSERT_EQUAL(ends[i], report->flows[i].end);
  sgf_report_free(report);
  sgf_fabric_free(incast.fabric);
}

SGF_TEST(a_replay_needs_the_hosts_of_the_run)
{
  incast_t incast       = incast_new("udp", false);
  sgf_error_t error     = {0};
  const sgf_flow_t flow = {.src = "a0", .dst = "nobody", .bytes = 1};
  CU_ASSERT_EQUAL(sgf_replay_run(&flow, 1, NULL, incast.fabric, NULL, &error), SGF_UNKNOWN);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "there is no 'nobody'"));
  sgf_fabric_free(incast.fabric);
}

/* Ends would be told of other flows than they are of. */
SGF_TEST(a_replay_needs_flows_in_the_order_of_a_report)
{
  const sgf_flow_t by_start[]  = {{.src = "a0", .dst = "e", .bytes = 1, .start = 2},
                                  {.src = "a0", .dst = "e", .bytes = 1, .start = 1}};
  const sgf_flow_t by_source[] = {{.src = "a1", .dst = "e", .bytes = 1}, {.src = "a0", .dst = "e", .bytes = 1}};
  const sgf_flow_t ordered[]   = {{.src = "a1", .dst = "e", .bytes = 1},
                                  {.src = "a1", .dst = "e", .bytes = 1},
                                  {.src = "a0", .dst = "e", .bytes = 1, .start = 1}};
  incast_t incast              = incast_new("udp", false);
  sgf_error_t error            = {0};
  CU_ASSERT_EQUAL(sgf_replay_run(by_start, 2, NULL, incast.fabric, NULL, &error), SGF_RULE);
  error = (sgf_error_t){0};
  CU_ASSERT_EQUAL(sgf_replay_run(by_source, 2, NULL, incast.fabric, NULL, &error), SGF_RULE);
  CU_ASSERT_STRING_EQUAL(error.text,
                         "flow 1, from 'a0', is not in the order of a report: flow 0, from 'a1', comes after it");
  error = (sgf_error_t){0};
  CU_ASSERT_EQUAL(sgf_replay_run(ordered, 3, NULL, incast.fabric, NULL, &error), SGF_OK);
  sgf_fabric_free(incast.fabric);
}

/* Same events, same ends. */
SGF_TEST(watching_changes_nothing)
{
  incast_t watched     = run_incast("roce");
  incast_t other       = incast_new("roce", false);
  sgf_error_t error    = {0};
  sgf_report_t* report = sgf_report_new(watched.fabric);
  CU_ASSERT_EQUAL(sgf_replay_run(report->flows, FLOWS, NULL, other.fabric, NULL, &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_fabric_event_count(watched.fabric), sgf_fabric_event_count(other.fabric));
  sgf_report_free(report);
  sgf_fabric_free(watched.fabric);
  sgf_fabric_free(other.fabric);
}
