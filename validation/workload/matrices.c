/* Connection matrices on the engine: against the same writes posted by hand, to the picosecond. */
#include "harness.h"

#include <sgfabric/scenario.h>
#include <sgfabric/workload.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric_support.h"

enum { HOSTS = 4, PACKET = 4096 };

/* A PCIe link that hands messages over later than it acknowledges them. */
#define SLOW_PCIE "pcie.", "gen3 x1"

/* Each test has a file of its own, named after the line that wants it. */
static sgf_matrix_t* matrix_of(const char* text, int line)
{
  char name[512];
  snprintf(name, sizeof name, SGF_BINARY_DIR "/validation/workload/matrices_%d.cm", line);
  FILE* file = fopen(name, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fputs(text, file);
  fclose(file);
  sgf_error_t error    = {0};
  sgf_matrix_t* matrix = sgf_matrix_read(name, &error);
  if (matrix == NULL)
    printf("\n%s:%d: %s", error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(matrix);
  return matrix;
}

/* Run a matrix on a fabric to its end. */
static void run(const char* text, int line, sgf_fabric_t* fabric)
{
  sgf_error_t error    = {0};
  sgf_matrix_t* matrix = matrix_of(text, line);
  CU_ASSERT_EQUAL(sgf_matrix_run(matrix, fabric, true, NULL, NULL, &error), SGF_OK);
  CU_ASSERT_STRING_EQUAL(error.text, "");
  sgf_matrix_free(matrix);
}

/* Advance until an operation of the test's own is complete; its date. */
static opp_simtime_t date_of(const fabric_rig_t* rig, sgf_op_t* op)
{
  sgf_op_set_awaited(op, true);
  while (!sgf_op_done(op) && sgf_engine_advance(rig->fabric, OPP_TIME_MAX) == SGF_ENGINE_COMPLETION)
    while (sgf_engine_completed(rig->fabric) != NULL)
      continue;
  CU_ASSERT_FATAL(sgf_op_done(op));
  return sgf_op_end(op);
}

static void finish(const fabric_rig_t* rig)
{
  sgf_error_t error = {0};
  sgf_engine_drain(rig->fabric);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(rig->fabric, NULL, NULL, &error), SGF_OK);
}

/* Both fabrics report the same: each flow with its dates, every counter. Frees them. */
static void check_same(fabric_rig_t* by_matrix, fabric_rig_t* by_hand)
{
  finish(by_hand);
  char* left  = report_text(by_matrix->fabric);
  char* right = report_text(by_hand->fabric);
  CU_ASSERT_STRING_EQUAL(left, right);
  if (strcmp(left, right) != 0)
    printf("\nby matrix:\n%s\nby hand:\n%s\n", left, right);
  free(left);
  free(right);
  rig_free(by_matrix);
  rig_free(by_hand);
}

static fabric_rig_t star(void)
{
  return rig_star(HOSTS, 100 * OPP_NS, 1, SETTINGS(NULL));
}

static fabric_rig_t slow_star(void)
{
  return rig_star(HOSTS, 100 * OPP_NS, 1, SETTINGS(SLOW_PCIE));
}

/* ---- Dates ------------------------------------------------------------------------------------------------------- */

SGF_TEST(connections_start_at_their_dates_in_order_of_node_and_line)
{
  fabric_rig_t by_matrix = star(), by_hand = star();
  run("Nodes 4\nConnections 5\n2->1 start 5000000 size 1000000\n3->1 size 8192\n0->1 size 4096 start 0\n"
      "3->0 start 0 size 1\n1->0 start 4999999 size 300000\n",
      __LINE__, by_matrix.fabric);
  sgf_op_unref(rig_write(&by_hand, 0, 1, 4096, 0, 0));
  sgf_op_unref(rig_write(&by_hand, 3, 1, 8192, 0, 0));
  sgf_op_unref(rig_write(&by_hand, 3, 0, 1, 0, 0));
  sgf_op_unref(rig_write(&by_hand, 1, 0, 300000, 0, 4999999));
  sgf_op_unref(rig_write(&by_hand, 2, 1, 1000000, 0, 5000000));
  check_same(&by_matrix, &by_hand);
}

SGF_TEST(a_pattern_is_that_of_sgf_workload_post)
{
  fabric_rig_t by_matrix = star(), by_hand = star();
  sgf_messages_t list = {0};
  sgf_error_t error   = {0};
  sgf_workload_all_to_all(&list, HOSTS, 100000);
  char* text  = NULL;
  size_t size = 0;
  FILE* out   = open_memstream(&text, &size);
  sgf_matrix_print(&list, HOSTS, 0, out);
  fclose(out);
  run(text, __LINE__, by_matrix.fabric);
  CU_ASSERT_EQUAL(sgf_workload_post(&list, by_hand.fabric, 0, &error), SGF_OK);
  check_same(&by_matrix, &by_hand);
  sgf_messages_free(&list);
  free(text);
}

/* ---- Triggers ---------------------------------------------------------------------------------------------------- */

SGF_TEST(a_oneshot_starts_all_of_its_connections_at_the_acknowledgement)
{
  fabric_rig_t by_matrix = star(), by_hand = star();
  run("Nodes 4\nConnections 4\nTriggers 1\n0->1 start 0 size 100000 send_done_trigger 1\n"
      "3->1 start 0 size 400000 send_done_trigger 1\n2->0 trigger 1 size 5000\n1->2 trigger 1 size 6000\n"
      "trigger id 1 oneshot\n",
      __LINE__, by_matrix.fabric);
  sgf_op_t* first = rig_write(&by_hand, 0, 1, 100000, 0, 0);
  sgf_op_unref(rig_write(&by_hand, 3, 1, 400000, 0, 0)); /* activates it a second time, to no effect */
  const opp_simtime_t date = date_of(&by_hand, first);
  sgf_op_unref(rig_write(&by_hand, 1, 2, 6000, 0, date));
  sgf_op_unref(rig_write(&by_hand, 2, 0, 5000, 0, date));
  sgf_op_unref(first);
  check_same(&by_matrix, &by_hand);
}

/* The date of a delivery is that of a message of the fabric's. */
SGF_TEST(a_connection_starts_when_another_one_is_in_the_receivers_memory)
{
  fabric_rig_t by_matrix = slow_star(), by_hand = slow_star();
  run("Nodes 4\nConnections 2\nTriggers 1\n0->1 start 1000 size 100000 recv_done_trigger 1\n1->2 trigger 1 size 5000\n"
      "trigger id 1 multishot\n",
      __LINE__, by_matrix.fabric);
  sgf_op_t* first = sgf_op_message(by_hand.fabric);
  CU_ASSERT_EQUAL(sgf_op_post(first, by_hand.hosts[0], by_hand.hosts[1], 100000, 1000, 0, NULL), SGF_OK);
  const opp_simtime_t date = date_of(&by_hand, first);
  sgf_op_unref(rig_write(&by_hand, 1, 2, 5000, 0, date));
  sgf_op_unref(first);
  sgf_report_t* report = sgf_report_new(by_matrix.fabric);
  CU_ASSERT_EQUAL_FATAL(report->flow_count, 2);
  CU_ASSERT(report->flows[0].end < date); /* acknowledged before, so that the two triggers differ */
  CU_ASSERT_EQUAL(report->flows[1].start, date);
  sgf_report_free(report);
  check_same(&by_matrix, &by_hand);
}

/* The flow of a matrix that goes from a node to another one. */
static sgf_flow_t flow_of(const sgf_report_t* report, const char* src, const char* dst)
{
  for (size_t i = 0; i < report->flow_count; i++)
    if (strcmp(report->flows[i].src, src) == 0 && strcmp(report->flows[i].dst, dst) == 0)
      return report->flows[i];
  CU_FAIL("there is no such flow");
  return (sgf_flow_t){.start = -1, .end = -1};
}

SGF_TEST(a_multishot_starts_the_next_one_at_each_activation)
{
  fabric_rig_t rig = star();
  run("Nodes 4\nConnections 6\nTriggers 1\n0->1 size 300000 send_done_trigger 1\n1->0 size 100000 send_done_trigger 1\n"
      "2->3 size 200000 send_done_trigger 1\n3->0 size 1 trigger 1\n0->2 size 1 trigger 1\n1->3 size 1 trigger 1\n"
      "trigger id 1 multishot\n",
      __LINE__, rig.fabric);
  sgf_report_t* report         = sgf_report_new(rig.fabric);
  const opp_simtime_t shortest = flow_of(report, "h1", "h0").end;
  const opp_simtime_t middle   = flow_of(report, "h2", "h3").end;
  const opp_simtime_t longest  = flow_of(report, "h0", "h1").end;
  CU_ASSERT(shortest < middle && middle < longest);
  CU_ASSERT_EQUAL(report->flow_count, 6);
  CU_ASSERT_EQUAL(flow_of(report, "h3", "h0").start, shortest);
  CU_ASSERT_EQUAL(flow_of(report, "h0", "h2").start, middle);
  CU_ASSERT_EQUAL(flow_of(report, "h1", "h3").start, longest);
  sgf_report_free(report);
  rig_free(&rig);
}

SGF_TEST(a_barrier_waits_for_its_last_activation)
{
  fabric_rig_t rig = slow_star();
  run("Nodes 4\nConnections 4\nTriggers 1\n0->1 size 50000 send_done_trigger 1 recv_done_trigger 1\n"
      "1->0 size 100000 send_done_trigger 1\n2->3 size 1 trigger 1\n3->2 size 1 trigger 1\n"
      "trigger id 1 barrier count 3\n",
      __LINE__, rig.fabric);
  fabric_rig_t by_hand = slow_star();
  sgf_op_t* received   = sgf_op_message(by_hand.fabric);
  sgf_op_post(received, by_hand.hosts[0], by_hand.hosts[1], 50000, 0, 0, NULL);
  sgf_op_t* other            = rig_write(&by_hand, 1, 0, 100000, 0, 0);
  const opp_simtime_t first  = date_of(&by_hand, received);
  const opp_simtime_t second = date_of(&by_hand, other);
  const opp_simtime_t latest = first > second ? first : second;
  sgf_report_t* report       = sgf_report_new(rig.fabric);
  CU_ASSERT_EQUAL(flow_of(report, "h2", "h3").start, latest);
  CU_ASSERT_EQUAL(flow_of(report, "h3", "h2").start, latest);
  sgf_report_free(report);
  sgf_op_unref(received);
  sgf_op_unref(other);
  finish(&by_hand);
  rig_free(&by_hand);
  rig_free(&rig);
}

/* Starts of an instant and what a trigger starts at it come in order of the nodes, and of the lines for one node. */
SGF_TEST(what_starts_at_one_instant_starts_in_order_of_node_and_line)
{
  fabric_rig_t alone = star();
  run("Nodes 4\nConnections 1\n0->1 size 4096\n", __LINE__, alone.fabric);
  sgf_report_t* report     = sgf_report_new(alone.fabric);
  const opp_simtime_t date = report->flows[0].end;
  sgf_report_free(report);
  rig_free(&alone);

  fabric_rig_t rig = star();
  char text[512];
  snprintf(text, sizeof text,
           "Nodes 4\nConnections 5\nTriggers 1\n3->2 trigger 1 size 1\n3->2 start %lld size 2\n3->2 trigger 1 size 3\n"
           "2->3 trigger 1 size 4\n0->1 size 4096 send_done_trigger 1\ntrigger id 1 oneshot\n",
           (long long)date);
  run(text, __LINE__, rig.fabric);
  report = sgf_report_new(rig.fabric);
  CU_ASSERT_EQUAL_FATAL(report->flow_count, 5);
  const uint64_t expected[] = {4096, 4, 1, 2, 3};
  for (size_t i = 0; i < report->flow_count; i++) {
    CU_ASSERT_EQUAL(report->flows[i].bytes, expected[i]);
    CU_ASSERT_EQUAL(report->flows[i].start, i == 0 ? 0 : date);
  }
  sgf_report_free(report);
  rig_free(&rig);
}

/* A serial all-to-all: of each source so many messages at a time, never more, and less only at the end. */
SGF_TEST(a_window_is_kept_full)
{
  enum { AT_A_TIME = 2, TURN = HOSTS - 1 };
  fabric_rig_t rig    = star();
  sgf_messages_t list = {0};
  sgf_workload_all_to_all(&list, HOSTS, 50000);
  char* text  = NULL;
  size_t size = 0;
  FILE* out   = open_memstream(&text, &size);
  sgf_matrix_print(&list, HOSTS, AT_A_TIME, out);
  fclose(out);
  run(text, __LINE__, rig.fabric);
  sgf_report_t* report = sgf_report_new(rig.fabric);
  CU_ASSERT_EQUAL_FATAL(report->flow_count, list.count);
  for (unsigned src = 0; src < HOSTS; src++) {
    char names[TURN][8], source[8];
    snprintf(source, sizeof source, "h%u", src);
    for (unsigned step = 0; step < TURN; step++)
      snprintf(names[step], sizeof *names, "h%u", (src + step + 1) % HOSTS);
    const opp_simtime_t first  = flow_of(report, source, names[0]).end;
    const opp_simtime_t second = flow_of(report, source, names[1]).end;
    CU_ASSERT_EQUAL(flow_of(report, source, names[0]).start, 0);
    CU_ASSERT_EQUAL(flow_of(report, source, names[1]).start, 0);
    CU_ASSERT_EQUAL(flow_of(report, source, names[2]).start, first < second ? first : second);
  }
  sgf_report_free(report);
  sgf_messages_free(&list);
  free(text);
  rig_free(&rig);
}

/* ---- Ends -------------------------------------------------------------------------------------------------------- */

/* The last bytes are acknowledged, and not yet handed over by PCIe. */
SGF_TEST(without_draining_a_run_ends_with_the_last_acknowledgement)
{
  static const char text[] = "Nodes 2\nConnections 1\n0->1 size 100000\n";
  fabric_rig_t cut = slow_star(), drained = slow_star();
  sgf_matrix_t* matrix = matrix_of(text, __LINE__);
  CU_ASSERT_EQUAL(sgf_matrix_run(matrix, cut.fabric, false, NULL, NULL, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_matrix_run(matrix, drained.fabric, true, NULL, NULL, NULL), SGF_OK);
  sgf_report_t* report = sgf_report_new(cut.fabric);
  CU_ASSERT_EQUAL(sgf_engine_clock(cut.fabric), report->flows[0].end);
  CU_ASSERT(sgf_engine_clock(drained.fabric) > report->flows[0].end);
  sgf_report_free(report);
  sgf_matrix_free(matrix);
  rig_free(&cut);
  rig_free(&drained);
}

static void collect(void* user, const char* line)
{
  text_add(user, "%s\n", line);
}

SGF_TEST(what_waits_for_a_write_that_is_given_up_is_named)
{
  /* The data pool, 90 % of it, never takes a full frame. */
  fabric_rig_t rig  = rig_star(HOSTS, 100 * OPP_NS, 1, SETTINGS("h0:nic.EgressBufferManager.TotalBufferSize", "4KB"));
  sgf_error_t error = {0};
  text_t waits      = {0};
  sgf_matrix_t* matrix = matrix_of("Nodes 4\nConnections 4\nTriggers 2\n"
                                   "0->1 size 4096 send_done_trigger 7 recv_done_trigger 8\n1->2 trigger 7 size 1\n"
                                   "2->3 trigger 8 size 1\n3->1 size 4096 recv_done_trigger 8\n"
                                   "trigger id 7 oneshot\ntrigger id 8 barrier count 2\n",
                                   __LINE__);
  CU_ASSERT_EQUAL(sgf_matrix_run(matrix, rig.fabric, true, collect, &waits, &error), SGF_STALLED);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "1 write is not complete"));
  CU_ASSERT_PTR_NOT_NULL(strstr(waits.chars, ".cm:5: 1->2 waits for trigger 7, activated 0 times\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(waits.chars, ".cm:6: 2->3 waits for trigger 8, activated 1 times\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(waits.chars, "h0 -> h1, 4096 B"));
  free(waits.chars);
  sgf_matrix_free(matrix);
  rig_free(&rig);
}

SGF_TEST(a_matrix_that_does_not_fit_is_refused_before_anything_is_posted)
{
  fabric_rig_t rig     = star();
  sgf_error_t error    = {0};
  sgf_matrix_t* matrix = matrix_of("# more nodes than hosts\nNodes 5\nConnections 1\n0->1 size 1\n", __LINE__);
  CU_ASSERT_EQUAL(sgf_matrix_run(matrix, rig.fabric, true, NULL, NULL, &error), SGF_RANGE);
  CU_ASSERT_EQUAL(error.line, 2);
  CU_ASSERT_STRING_EQUAL(error.text, "Nodes 5, and the platform has 4 hosts with a NIC");
  sgf_report_t* report = sgf_report_new(rig.fabric);
  CU_ASSERT_EQUAL(report->flow_count, 0);
  sgf_report_free(report);
  sgf_matrix_free(matrix);
  rig_free(&rig);
}

/* ---- A platform -------------------------------------------------------------------------------------------------- */

static sgf_scenario_t* leaf_spine_32(void)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = sgf_scenario_load(SGF_SOURCE_DIR "/platforms/leaf_spine_32.xml", NULL, 0, 1, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  return scenario;
}

SGF_TEST(permutation32_is_the_permutation_posted_by_hand)
{
  enum { NODES = 32, BYTES = 2000000 };
  sgf_error_t error         = {0};
  sgf_scenario_t* by_matrix = leaf_spine_32();
  sgf_scenario_t* by_hand   = leaf_spine_32();
  sgf_matrix_t* matrix      = sgf_matrix_read(SGF_SOURCE_DIR "/deployments/permutation32.cm", &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(matrix);
  CU_ASSERT_EQUAL(sgf_matrix_run(matrix, sgf_scenario_fabric(by_matrix), true, NULL, NULL, &error), SGF_OK);

  sgf_messages_t list = {0};
  sgf_workload_permutation(&list, NODES, BYTES, 1);
  CU_ASSERT_EQUAL(sgf_workload_post(&list, sgf_scenario_fabric(by_hand), 0, &error), SGF_OK);
  sgf_engine_drain(sgf_scenario_fabric(by_hand));
  char* left  = report_text(sgf_scenario_fabric(by_matrix));
  char* right = report_text(sgf_scenario_fabric(by_hand));
  CU_ASSERT_STRING_EQUAL(left, right);
  CU_ASSERT_PTR_NOT_NULL(strstr(left, "gpu31"));
  free(left);
  free(right);
  sgf_messages_free(&list);
  sgf_matrix_free(matrix);
  sgf_scenario_free(by_matrix);
  sgf_scenario_free(by_hand);
}
