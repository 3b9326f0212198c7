/* `sgfabric import`, there and back: files written in the formats of HPCC and htsim, imported, checked, built as a
 * fabric and compared with what the file says, device by device and cable by cable; flows run in SimGrid, beside the
 * same writes posted by hand. Errors in the files are those of unit/scenario_import.c. */
#include "harness.h"

#include <math.h>
#include <sgfabric/scenario.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

#define PREFIX(name) SGF_BINARY_DIR "/validation/runner/" name

/* All that the command prints. */
static void expect_all(const char* const* args, const char* text)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(args, &out), 0);
  CU_ASSERT_STRING_EQUAL(out, text);
  if (strcmp(out, text) != 0)
    printf("\nnot\n%s\nbut\n%s\n", text, out);
  free(out);
}

static bool contains(const char* file, const char* text)
{
  char* content    = text_read(file);
  const bool found = strstr(content, text) != NULL;
  free(content);
  return found;
}

/* ---- Fabrics against what they are to be ------------------------------------------------------------------------- */

static sgf_scenario_t* load(const char* platform)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = sgf_scenario_load(platform, NULL, 0, 1, &error);
  if (scenario == NULL)
    printf("\n%s:%d: %s\n", error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  return scenario;
}

static sgf_device_t* device(const sgf_fabric_t* fabric, const char* name)
{
  sgf_device_t* found = sgf_fabric_find(fabric, name);
  if (found == NULL)
    printf("\nno device %s\n", name);
  CU_ASSERT_PTR_NOT_NULL_FATAL(found);
  return found;
}

/* `count` ports of a lead to b and back, with this rate and delay. */
static void expect_cables(const sgf_fabric_t* fabric, const char* a, const char* b, int64_t bps, opp_simtime_t delay,
                          unsigned count)
{
  const sgf_device_t* from = device(fabric, a);
  const sgf_device_t* to   = device(fabric, b);
  unsigned found           = 0;
  for (unsigned port = 0; port < sgf_device_port_count(from); port++) {
    if (sgf_device_peer(from, port) != to)
      continue;
    found++;
    CU_ASSERT_EQUAL(sgf_device_port_bps(from, port), bps);
    CU_ASSERT_EQUAL(sgf_device_port_delay(from, port), delay);
    const unsigned back = sgf_device_peer_port(from, port);
    CU_ASSERT_PTR_EQUAL(sgf_device_peer(to, back), from);
    CU_ASSERT_EQUAL(sgf_device_port_bps(to, back), bps);
    CU_ASSERT_EQUAL(sgf_device_port_delay(to, back), delay);
  }
  CU_ASSERT_EQUAL(found, count);
}

/* No device and no cable more. */
static void expect_sizes(const sgf_fabric_t* fabric, size_t hosts, size_t switches, size_t cables)
{
  size_t ends = 0;
  for (size_t i = 0; i < sgf_fabric_device_count(fabric); i++)
    ends += sgf_device_port_count(sgf_fabric_device(fabric, i));
  CU_ASSERT_EQUAL(sgf_fabric_host_count(fabric), hosts);
  CU_ASSERT_EQUAL(sgf_fabric_device_count(fabric), hosts + switches);
  CU_ASSERT_EQUAL(ends, 2 * cables);
}

/* Host i of the fabric, which is node i of a connection matrix. */
static void expect_host(const sgf_fabric_t* fabric, size_t i, const char* name)
{
  CU_ASSERT_STRING_EQUAL(sgf_device_name(sgf_fabric_host(fabric, i)), name);
  CU_ASSERT_STRING_EQUAL(sgf_device_model(sgf_fabric_host(fabric, i)), "uet");
}

/* ---- HPCC -------------------------------------------------------------------------------------------------------- */

/* Switches 3 and 6 below, 7 and 8 above; every link with a rate or delay of its own, in all the forms there are. */
static const struct {
  const char* line;
  const char* a;
  const char* b;
  int64_t bps;
  opp_simtime_t ps;
} links[] = {
    {"0 3 100Gbps 1us 0.000000", "h0", "s3", 100000000000, 1000000},
    {"3 1 100Gb/s 0.001ms 0", "s3", "h1", 100000000000, 1000000},
    {"2 3 25Gbps 1500ps 0.0", "h2", "s3", 25000000000, 1500},
    {"4 6 1Tbps 1000ns 0", "h4", "s6", 1000000000000, 1000000},
    {"5 6 12500Mbps 0.25us 0", "h5", "s6", 12500000000, 250000},
    {"3 7 400000001Kbps 2us 0", "s3", "s7", 400000001000, 2000000},
    {"3 8 400Gbps 0.000003s 0", "s3", "s8", 400000000000, 3000000},
    {"7 6 200Gbps 0ns 0", "s7", "s6", 200000000000, 0},
    {"6 8 123456789123bps 7ps 0", "s6", "s8", 123456789123, 7},
};
enum { LINKS = sizeof links / sizeof *links };

static char* write_topology(const char* name)
{
  char text[1024] = "9 4 9\n3 6 7 8\n";
  for (size_t i = 0; i < LINKS; i++) {
    strcat(text, links[i].line);
    strcat(text, i == 4 ? " \r\n\n" : "\n"); /* ends of lines of another kind, and an empty line */
  }
  return text_write(text, name);
}

SGF_SCENARIO(a_topology_of_hpcc_becomes_the_fabric_that_it_says)
{
  char* topology = write_topology("import_hpcc.txt");
  expect_all(
      ARGS("import", "hpcc", topology, "-o", PREFIX("import_hpcc"), "--nic", "uet"),
      PREFIX("import_hpcc") ".xml: 5 hosts, 4 switches, 9 cables\n"
                            "to run a deployment on it: sgfabric run " PREFIX("import_hpcc") ".xml DEPLOYMENT\n");
  command_expect(ARGS("check", PREFIX("import_hpcc.xml")), 0, "\nvalid: 5 hosts with a NIC, 4 switches, 9 cables\n");

  sgf_scenario_t* scenario            = load(PREFIX("import_hpcc.xml"));
  const sgf_fabric_t* fabric          = sgf_scenario_fabric(scenario);
  static const char* const hosts[]    = {"h0", "h1", "h2", "h4", "h5"};
  static const char* const switches[] = {"s3", "s6", "s7", "s8"};
  expect_sizes(fabric, 5, 4, LINKS);
  for (size_t i = 0; i < 5; i++)
    expect_host(fabric, i, hosts[i]);
  for (size_t i = 0; i < 4; i++)
    CU_ASSERT(sgf_device_is_switch(device(fabric, switches[i])));
  for (size_t i = 0; i < LINKS; i++)
    expect_cables(fabric, links[i].a, links[i].b, links[i].bps, links[i].ps, 1);
  CU_ASSERT_STRING_EQUAL(sgf_device_port_cable(device(fabric, "h1"), 0), "s3-h1");
  sgf_scenario_free(scenario);
  free(topology);
}

SGF_SCENARIO(nics_are_of_the_model_that_is_named_or_of_the_formats_own)
{
  char* topology = write_topology("import_nic.txt");
  command_expect(ARGS("import", "hpcc", topology, "-o", PREFIX("import_nic")), 0, "5 hosts");
  CU_ASSERT(contains(PREFIX("import_nic.xml"), "<prop id=\"nic\" value=\"roce\"/>"));
  command_expect(ARGS("import", "hpcc", topology, "-o", PREFIX("import_nic"), "--nic", "uet"), 0, "5 hosts");
  CU_ASSERT(contains(PREFIX("import_nic.xml"), "<prop id=\"nic\" value=\"uet\"/>"));
  CU_ASSERT_FALSE(contains(PREFIX("import_nic.xml"), "roce"));
  free(topology);
}

/* Flows between four of the hosts: starts in the whole second, a picosecond apart, and at once. Two are of one pair,
 * the second while the first is under way. */
static const struct {
  const char* line;
  const char* src;
  const char* dst;
  uint64_t bytes;
  opp_simtime_t start;
  uint32_t queue_pair;
} flows[] = {
    {"0 4 3 4791 200000 0", "h0", "h4", 200000, 0, 0},
    {"1 4 3 4791 150000 0.000001", "h1", "h4", 150000, 1000000, 0},
    {"0 4 3 4792 1 0.000002", "h0", "h4", 1, 2000000, 1},
    {"5 0 3 4791 65536 2", "h5", "h0", 65536, 2000000000000, 0},
    {"4 5 3 4791 100001 2.000000000001", "h4", "h5", 100001, 2000000000001, 0},
    {"0 5 3 4791 4096 2.5", "h0", "h5", 4096, 2500000000000, 0},
};
enum { FLOWS = sizeof flows / sizeof *flows, PAIR_FIRST = 0, PAIR_SECOND = 2 };

/* The dates at which the same writes end when the engine alone has them. */
static void post_by_hand(const char* platform, bool with_queue_pairs, opp_simtime_t* ends)
{
  sgf_scenario_t* scenario = load(platform);
  sgf_fabric_t* fabric     = sgf_scenario_fabric(scenario);
  sgf_error_t error        = {0};
  sgf_op_t* ops[FLOWS];
  for (size_t i = 0; i < FLOWS; i++) {
    ops[i] = sgf_op_write(fabric, device(fabric, flows[i].src), device(fabric, flows[i].dst), flows[i].bytes, 0,
                          flows[i].start, 0, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ops[i]);
    if (with_queue_pairs)
      CU_ASSERT_EQUAL(sgf_op_set_queue_pair(ops[i], flows[i].queue_pair, &error), SGF_OK);
  }
  while (sgf_engine_advance(fabric, OPP_TIME_MAX) == SGF_ENGINE_COMPLETION)
    continue;
  for (size_t i = 0; i < FLOWS; i++) {
    CU_ASSERT(sgf_op_done(ops[i]));
    ends[i] = sgf_op_end(ops[i]);
    sgf_op_unref(ops[i]);
  }
  sgf_scenario_free(scenario);
}

/* Seconds of the JSON object: at 2.5 s a double is exact to less than half a picosecond. */
static opp_simtime_t date(const json_t* flow, const char* key)
{
  return llround(json_real_value(json_object_get(flow, key)) * 1e12);
}

/* Import the flows and run them: each is there and ends when it is to. They are posted in order of their starts. */
static void import_flows(const char* prefix, const char* nic)
{
  char text[1024];
  int used = snprintf(text, sizeof text, "%d\n", (int)FLOWS);
  for (size_t i = 0; i < FLOWS; i++)
    used += snprintf(text + used, sizeof text - (size_t)used, "%s\n", flows[i].line);
  char* list     = text_write(text, "import_flows.txt");
  char* topology = write_topology("import_flows_topology.txt");
  snprintf(text, sizeof text,
           "%s.xml: 5 hosts, 4 switches, 9 cables\n%s_d.xml: 6 flows\nto run it: sgfabric run %s.xml %s_d.xml\n",
           prefix, prefix, prefix, prefix);
  expect_all(ARGS("import", "hpcc", topology, list, "-o", prefix, "--nic", nic), text);
  free(list);
  free(topology);
}

static void expect_ends(const char* platform, const char* deployment, const opp_simtime_t* ends)
{
  int status;
  json_t* root = command_json(ARGS("run", platform, deployment), &status);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT(json_is_true(json_object_get(root, "complete")));
  const json_t* done = json_object_get(root, "flows");
  CU_ASSERT_EQUAL_FATAL(json_array_size(done), FLOWS);
  for (size_t i = 0; i < FLOWS; i++) {
    const json_t* flow = json_array_get(done, i);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(flow, "src")), flows[i].src);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(flow, "dst")), flows[i].dst);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(flow, "bytes")), (json_int_t)flows[i].bytes);
    CU_ASSERT_EQUAL(date(flow, "start_s"), flows[i].start);
    CU_ASSERT_EQUAL(date(flow, "end_s"), ends[i]);
  }
  json_decref(root);
}

SGF_SCENARIO(flows_of_hpcc_end_as_the_same_writes_posted_by_hand)
{
  opp_simtime_t ends[FLOWS];
  import_flows(PREFIX("import_flows"), "uet");
  post_by_hand(PREFIX("import_flows.xml"), false, ends);
  expect_ends(PREFIX("import_flows.xml"), PREFIX("import_flows_d.xml"), ends);
}

/* On one queue pair the second write of a pair of hosts waits for the first one; here it does not. */
SGF_SCENARIO(flows_of_hpcc_take_queue_pairs_of_their_own_through_roce_nics)
{
  opp_simtime_t ends[FLOWS], on_one[FLOWS];
  import_flows(PREFIX("import_roce"), "roce");
  post_by_hand(PREFIX("import_roce.xml"), true, ends);
  post_by_hand(PREFIX("import_roce.xml"), false, on_one);
  CU_ASSERT(ends[PAIR_SECOND] < ends[PAIR_FIRST]);
  CU_ASSERT(on_one[PAIR_SECOND] > on_one[PAIR_FIRST]);
  expect_ends(PREFIX("import_roce.xml"), PREFIX("import_roce_d.xml"), ends);
}

SGF_SCENARIO(flows_of_one_pair_of_hosts_are_numbered_and_classes_are_warned_of)
{
  char* topology = write_topology("import_pairs_topology.txt");
  char* list     = text_write("4\n0 1 3 9 10 0\n1 0 3 9 10 0\n0 1 2 9 20 0\n0 1 2 9 30 0.25\n", "import_pairs.txt");
  char line[512];
  snprintf(line, sizeof line,
           "warning: %s:4: pg 2, and 3 before it: without effect, all flows are in the class of their NIC\n" PREFIX(
               "import_pairs") ".xml: ",
           list);
  command_expect(ARGS("import", "hpcc", topology, list, "-o", PREFIX("import_pairs"), "--nic", "uet"), 0, line);
  CU_ASSERT(contains(PREFIX("import_pairs_d.xml"), "  <actor host=\"h0\" function=\"flow\">\n"
                                                   "    <argument value=\"h1\"/>\n"
                                                   "    <argument value=\"10B\"/>\n"
                                                   "  </actor>\n"
                                                   "  <actor host=\"h1\" function=\"flow\">\n"
                                                   "    <argument value=\"h0\"/>\n"
                                                   "    <argument value=\"10B\"/>\n"
                                                   "  </actor>\n"
                                                   "  <actor host=\"h0\" function=\"flow\">\n"
                                                   "    <argument value=\"h1\"/>\n"
                                                   "    <argument value=\"20B\"/>\n"
                                                   "    <argument value=\"1\"/>\n"
                                                   "  </actor>\n"
                                                   "  <actor host=\"h0\" function=\"flow\" start_time=\"0.25\">\n"
                                                   "    <argument value=\"h1\"/>\n"
                                                   "    <argument value=\"30B\"/>\n"
                                                   "    <argument value=\"2\"/>\n"
                                                   "  </actor>\n"));
  command_expect(ARGS("run", PREFIX("import_pairs.xml"), PREFIX("import_pairs_d.xml")), 0,
                 "\ncomplete: 4 flows, lossless\n");
  free(list);
  free(topology);
}

SGF_SCENARIO(arguments_of_a_flow_are_checked_before_the_run)
{
  static const struct {
    const char* arguments;
    const char* reason;
  } wrong[] = {
      {"<argument value=\"gpu1\"/>", "flow <dst> <size> [queue_pair] was given 1 argument\n"},
      {"<argument value=\"gpu1\"/><argument value=\"1\"/>", "size of flow = \"1\": "},
      {"<argument value=\"gpu1\"/><argument value=\"1B\"/><argument value=\"4294967296\"/>",
       "queue_pair of flow = \"4294967296\": at most 4294967295\n"},
      {"<argument value=\"gpu11\"/><argument value=\"1B\"/>", "there is no host \"gpu11\""},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char actor[256];
    snprintf(actor, sizeof actor, "<actor host=\"gpu0\" function=\"flow\">%s</actor>", wrong[i].arguments);
    char* deployment = deployment_write(actor, "import_wrong_d.xml");
    command_expect(ARGS("run", MAIN_PLATFORM, deployment), 1, wrong[i].reason);
    free(deployment);
  }
}

/* ---- htsim ------------------------------------------------------------------------------------------------------- */

/* Two pods of two tors and two aggs, four cores: each tier with a speed and latencies of its own, tors oversubscribed
 * two to one, two cables from agg to core. */
static const char three_tiers[] = "# two pods\n"
                                  "Nodes 8\n"
                                  "tiers 3\n"
                                  "Podsize 4\n"
                                  "\n"
                                  "Tier 2\n"
                                  "Downlink_speed_Gbps 25\n"
                                  "Radix_Down 4\n"
                                  "Downlink_Latency_ns 3000\n"
                                  "Switch_Latency_ns 1001\n"
                                  "Bundle 2\n"
                                  "Tier 0\n"
                                  "Oversubscribed 2\n"
                                  "Downlink_speed_Gbps 100\n"
                                  "Radix_Down 2\n"
                                  "Radix_Up 2\n"
                                  "Downlink_Latency_ns 1000\n"
                                  "Switch_Latency_ns 400\n"
                                  "Tier 1\n"
                                  "DOWNLINK_SPEED_GBPS 50\n"
                                  "Radix_Down 2\n"
                                  "Radix_Up 4\n"
                                  "Downlink_Latency_ns 2000\n"
                                  "Queue_Down 100000\n";

SGF_SCENARIO(a_tree_of_htsim_becomes_the_fabric_that_it_says)
{
  char* topology = text_write(three_tiers, "import_tree.topo");
  char text[1024];
  snprintf(text, sizeof text,
           "warning: %s:18: Switch_Latency_ns: switches forward at once; each cable of tier 0 takes half of the 400 ns "
           "more\n"
           "warning: %s:24: Queue_Down has no effect: the ports of a switch share its buffer\n"
           "warning: %s:10: Switch_Latency_ns: switches forward at once; each cable of tier 2 takes half of the 1001 "
           "ns more\n" PREFIX("import_tree") ".xml: 8 hosts, 12 switches, 32 cables\n"
                                             "to run a connection matrix on it: sgfabric cm FILE " PREFIX(
                                                 "import_tree") ".xml\n",
           topology, topology, topology);
  expect_all(ARGS("import", "htsim", topology, "-o", PREFIX("import_tree")), text);
  command_expect(ARGS("check", PREFIX("import_tree.xml")), 0, "\nvalid: 8 hosts with a NIC, 12 switches, 32 cables\n");

  sgf_scenario_t* scenario   = load(PREFIX("import_tree.xml"));
  const sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  expect_sizes(fabric, 8, 12, 32);
  for (size_t i = 0; i < 8; i++) {
    char host[16], tor[16];
    snprintf(host, sizeof host, "h%zu", i);
    snprintf(tor, sizeof tor, "tor%zu", i / 2);
    expect_host(fabric, i, host);
    expect_cables(fabric, host, tor, 100000000000, 1000000 + 200000, 1);
  }
  static const char* const pods[2][2][2] = {{{"tor0", "tor1"}, {"agg0", "agg1"}}, {{"tor2", "tor3"}, {"agg2", "agg3"}}};
  for (size_t pod = 0; pod < 2; pod++)
    for (size_t i = 0; i < 4; i++)
      expect_cables(fabric, pods[pod][0][i / 2], pods[pod][1][i % 2], 50000000000, 2000000 + 200000, 1);
  static const char* const cores[][3] = {
      {"agg0", "core0", "core2"}, {"agg1", "core1", "core3"}, {"agg2", "core0", "core2"}, {"agg3", "core1", "core3"}};
  for (size_t i = 0; i < 4; i++)
    for (size_t core = 1; core <= 2; core++)
      expect_cables(fabric, cores[i][0], cores[i][core], 25000000000, 3000000 + 500500, 2);

  unsigned ports[8];
  CU_ASSERT_EQUAL(sgf_device_next_hops(device(fabric, "tor0"), device(fabric, "h2"), ports, 8), 2);
  CU_ASSERT_EQUAL(sgf_device_next_hops(device(fabric, "agg0"), device(fabric, "h7"), ports, 8), 4);
  CU_ASSERT_EQUAL(sgf_device_next_hops(device(fabric, "core3"), device(fabric, "h0"), ports, 8), 2);
  sgf_scenario_free(scenario);
  free(topology);
}

SGF_SCENARIO(a_connection_matrix_finds_its_nodes_on_an_imported_leaf_spine)
{
  char* topology = text_write("Nodes 32\nTiers 2\nPodsize 32\n\n"
                              "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 2\nDownlink_Latency_ns 1000\n"
                              "Switch_Latency_ns 0\nOversubscribed 4\n\n"
                              "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\nDownlink_Latency_ns 1000\n",
                              "import_leaf_spine.topo");
  command_expect(ARGS("import", "htsim", topology, "-o", PREFIX("import_leaf_spine")), 0,
                 "32 hosts, 6 switches, 40 cables\n");
  sgf_scenario_t* scenario   = load(PREFIX("import_leaf_spine.xml"));
  const sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  expect_sizes(fabric, 32, 6, 40);
  static const char* const tors[] = {"tor0", "tor1", "tor2", "tor3"};
  for (size_t tor = 0; tor < 4; tor++) {
    expect_cables(fabric, tors[tor], "agg0", 100000000000, 1000000, 1);
    expect_cables(fabric, tors[tor], "agg1", 100000000000, 1000000, 1);
  }
  for (size_t i = 0; i < 32; i++) {
    char host[16];
    snprintf(host, sizeof host, "h%zu", i);
    expect_host(fabric, i, host);
    expect_cables(fabric, host, tors[i / 8], 100000000000, 1000000, 1);
  }
  sgf_scenario_free(scenario);

  char* matrix = text_write("Nodes 32\nConnections 2\n7->8 size 1000\n31->0 size 2000\n", "import_leaf_spine.cm");
  int status;
  json_t* root = command_json(ARGS("cm", matrix, PREFIX("import_leaf_spine.xml")), &status);
  CU_ASSERT_EQUAL(status, 0);
  const json_t* done = json_object_get(root, "flows");
  CU_ASSERT_EQUAL_FATAL(json_array_size(done), 2);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(json_array_get(done, 0), "src")), "h7");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(json_array_get(done, 0), "dst")), "h8");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(json_array_get(done, 1), "src")), "h31");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(json_array_get(done, 1), "dst")), "h0");
  json_decref(root);
  free(matrix);
  free(topology);
}

/* ---- Wrong files and wrong use ----------------------------------------------------------------------------------- */

SGF_SCENARIO(bad_files_are_one_line_and_nothing_is_written)
{
  char* topology = write_topology("import_bad.txt");
  char* list     = text_write("1\n0 1 3 100 1000 1\nFirst line: # of flows\n", "import_bad_flows.txt");
  char line[512];
  remove(PREFIX("import_bad.xml"));
  snprintf(line, sizeof line, "sgfabric: %s:3: text behind the last flow: \"First\"\n", list);
  command_expect(ARGS("import", "hpcc", topology, list, "-o", PREFIX("import_bad")), 1, line);
  CU_ASSERT_PTR_NULL(fopen(PREFIX("import_bad.xml"), "r"));
  command_expect(ARGS("import", "htsim", topology, "-o", PREFIX("import_bad")), 1, ":1: unknown word \"9\"\n");
  command_expect(ARGS("import", "hpcc", "no/such", "-o", PREFIX("import_bad")), 1,
                 "sgfabric: no/such: No such file or directory\n");
  command_expect(ARGS("import", "hpcc", topology, "-o", "no/such/folder"), 1,
                 "sgfabric: no/such/folder.xml: cannot write it: No such file or directory\n");
  free(list);
  free(topology);
}

SGF_SCENARIO(a_file_that_is_not_written_to_its_end_is_an_error)
{
  char* topology = write_topology("import_full.txt");
  remove(PREFIX("import_full.xml"));
  char* const link[] = {"ln", "-s", "/dev/full", PREFIX("import_full.xml"), NULL};
  char out[256];
  CU_ASSERT_EQUAL_FATAL(sgf_test_run(link, out, sizeof out), 0);
  command_expect(ARGS("import", "hpcc", topology, "-o", PREFIX("import_full")), 1,
                 "import_full.xml: cannot write it: No space left on device\n");
  remove(PREFIX("import_full.xml"));
  free(topology);
}

SGF_SCENARIO(wrong_use_exits_with_2)
{
  command_expect(ARGS("import", "--help"), 0, "Usage: sgfabric import hpcc TOPOLOGY [FLOWS] -o PREFIX");
  command_expect(ARGS("import"), 2, "import needs a FORMAT: hpcc or htsim\n'sgfabric import --help'");
  command_expect(ARGS("import", "htsm", "f"), 2, "import reads hpcc and htsim, and knows no htsm; did you mean htsim?");
  command_expect(ARGS("import", "hpcc"), 2, "import hpcc needs a TOPOLOGY");
  command_expect(ARGS("import", "hpcc", "f"), 2, "import needs -o PREFIX");
  command_expect(ARGS("import", "hpcc", "f", "-o"), 2, "-o needs a value");
  command_expect(ARGS("import", "hpcc", "f", "g", "h", "-o", "p"), 2, "import takes no further argument: h");
  command_expect(ARGS("import", "htsim", "f", "g", "-o", "p"), 2, "import htsim takes no flows: g");
  command_expect(ARGS("import", "hpcc", "f", "-o", "p", "--nic", "uett"), 2,
                 "there is no NIC model uett; did you mean uet?");
  command_expect(ARGS("import", "hpcc", "f", "-o", "p", "--json"), 2, "import has no option --json");
  command_expect(ARGS("run", "p.xml", "d.xml", "-o", "p"), 2, "run has no option -o");
}
