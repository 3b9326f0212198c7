/* SimGrid's kinds of platform, each in a file of its own in kinds/ that says nothing of a fabric: what becomes one with
 * the lines of kinds/kinds.ini, which has a configuration for each, and what is refused, at which line and why. */
#include "harness.h"

#include <sgfabric/scenario.h>
#include <stdio.h>
#include <string.h>

#include "scenario/scenario_support.h"

#define KINDS SGF_SOURCE_DIR "/validation/scenario/kinds/"
#define INI KINDS "kinds.ini"

/* ---- What becomes a fabric --------------------------------------------------------------------------------------- */

static const struct {
  const char* config;
  size_t hosts;
  size_t switches;
  unsigned cables;
} kinds[] = {
    {"flat", 4, 1, 4},           {"flat_backbone", 4, 1, 4}, {"flat_shared", 4, 1, 4}, {"fat_tree", 4, 4, 12},
    {"clusters", 4, 2, 5},       {"dijkstra", 4, 2, 6},      {"floyd", 4, 2, 5},       {"full", 4, 2, 5},
    {"pair", 2, 0, 1},           {"shared_links", 4, 1, 4},  {"zones", 4, 4, 8},       {"hosts", 4, 1, 4},
    {"one_way_routes", 4, 1, 4},
};
enum { KINDS_COUNT = sizeof kinds / sizeof *kinds };

/* The fabric of a configuration of kinds.ini. */
static sgf_scenario_t* load(const opp_ini_t* ini, const char* config)
{
  sgf_error_t error  = {0};
  opp_ini_run_t* run = opp_ini_run_new(ini, config, 0, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  size_t count           = 0;
  sgf_assignment_t* list = sgf_ini_assignments(run, &count);
  char platform[1024];
  snprintf(platform, sizeof platform, KINDS "%s", opp_ini_run_option(run, "platform")->text);
  sgf_scenario_t* scenario = sgf_scenario_load(platform, list, count, 1, &error);
  if (scenario == NULL)
    printf("\n  %s: %s:%d: %s\n", config, error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  sgf_ini_assignments_free(list, count);
  opp_ini_run_free(run);
  return scenario;
}

static unsigned count_ports(const sgf_fabric_t* fabric)
{
  unsigned ports = 0;
  for (size_t i = 0; i < sgf_fabric_device_count(fabric); i++)
    ports += sgf_device_port_count(sgf_fabric_device(fabric, i));
  return ports;
}

static const sgf_device_t* device(const sgf_scenario_t* scenario, const char* name)
{
  const sgf_device_t* found = sgf_fabric_find(sgf_scenario_fabric(scenario), name);
  CU_ASSERT_PTR_NOT_NULL_FATAL(found);
  return found;
}

SGF_TEST(each_kind_becomes_a_fabric_with_what_an_ini_file_says)
{
  opp_ini_t* ini = opp_ini_read(INI, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(ini);
  CU_ASSERT_EQUAL(opp_ini_config_count(ini), KINDS_COUNT + 1); /* and General */
  for (size_t i = 0; i < KINDS_COUNT; i++) {
    sgf_scenario_t* scenario   = load(ini, kinds[i].config);
    const sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
    CU_ASSERT_EQUAL(sgf_fabric_host_count(fabric), kinds[i].hosts);
    CU_ASSERT_EQUAL(sgf_fabric_device_count(fabric), kinds[i].hosts + kinds[i].switches);
    CU_ASSERT_EQUAL(count_ports(fabric), 2 * kinds[i].cables);
    CU_ASSERT_EQUAL(sgf_fabric_warning_count(fabric), 0); /* a line that nothing took would be one */
    CU_ASSERT_STRING_EQUAL(sgf_device_model(device(scenario, "node-0")), "uet");
    sgf_scenario_free(scenario);
  }
  opp_ini_free(ini);
}

SGF_TEST(an_ini_file_reaches_nics_pcie_switches_links_and_clusters)
{
  opp_ini_t* ini           = opp_ini_read(INI, NULL);
  sgf_scenario_t* scenario = load(ini, "zones");
  CU_ASSERT_STRING_EQUAL(scenario_value(scenario, "node-0", "NicPCIeInterface/PhysicalLayer/LaneCount"), "2");
  CU_ASSERT_STRING_EQUAL(scenario_value(scenario, "node-1", "NicPCIeInterface/PhysicalLayer/LaneCount"), "16");
  CU_ASSERT_STRING_EQUAL(scenario_value(scenario, "spine1", "StaticPoolXoffThreshold"), "200KB");
  CU_ASSERT_STRING_EQUAL(scenario_value(scenario, "tor0", "StaticPoolXoffThreshold"), "700KB");
  sgf_scenario_free(scenario);

  scenario = load(ini, "fat_tree"); /* hosts' links have a latency of their own, those between switches the cluster's */
  CU_ASSERT_EQUAL(sgf_device_port_delay(device(scenario, "node-3"), 0), 500000);
  CU_ASSERT_EQUAL(sgf_device_port_delay(device(scenario, "c.l2.0"), 0), 1000000);
  sgf_scenario_free(scenario);

  scenario = load(ini, "dijkstra"); /* two hosts, and two parallel cables between the switches */
  CU_ASSERT_EQUAL(sgf_device_port_count(device(scenario, "r0")), 4);
  CU_ASSERT_STRING_EQUAL(sgf_device_port_cable(device(scenario, "r0"), 3), "t");
  sgf_scenario_free(scenario);
  opp_ini_free(ini);
}

/* Every host writes to every other, in SimGrid, which loads the same file. */
SGF_SCENARIO(each_kind_runs)
{
  for (size_t i = 0; i < KINDS_COUNT; i++) {
    static char out[1 << 16];
    char verdict[64];
    char* argv[] = {(char*)SGF_BINARY_DIR "/sgfabric", "run", "-f", (char*)INI, "-c", (char*)kinds[i].config, NULL};
    CU_ASSERT_EQUAL(sgf_test_run(argv, out, sizeof out), 0);
    snprintf(verdict, sizeof verdict, "\ncomplete: %zu flows, lossless\n", kinds[i].hosts * (kinds[i].hosts - 1));
    CU_ASSERT_PTR_NOT_NULL(strstr(out, verdict));
    CU_ASSERT_PTR_NOT_NULL(strstr(out, "1 run: 1 complete, 0 failed"));
  }
}

/* ---- What does not ----------------------------------------------------------------------------------------------- */

static const struct {
  const char* file; /* without its end */
  int line;
  const char* says[2]; /* why, and what to do */
} refused[] = {
    {"torus", 4, {"topology TORUS: hosts would forward", "use FAT_TREE or FLAT"}},
    {"dragonfly", 5, {"topology DRAGONFLY", "use FAT_TREE or FLAT"}},
    {"flat_limiter", 4, {"limiter_link: no cable limits", "leave it out"}},
    {"full_partly", 4, {"no route for some pair", "use Dijkstra"}},
    {"full_no_device", 13, {"this has a second link \"l1\", and no router where they meet", "write a <router> there"}},
    {"full_mesh", 5, {"host \"node-0\" has 3 cables", "plug them into a router"}},
    {"backbone_of_zones", 25, {"this has a second link \"b1\"", "write a <router> there"}},
    {"one_link_for_all", 12, {"another cable is made of its link", "each needs a <link> of its own: \"l\""}},
    {"two_links_for_two_ways", 19, {"both ways of a cable take one link", "SPLITDUPLEX, direction UP and DOWN"}},
    {"no_direction", 8, {"link \"l0\" is SPLITDUPLEX", "direction=\"UP\" or \"DOWN\""}},
    {"vivaldi", 4, {"routing \"Vivaldi\" has no cables to follow", "use Dijkstra"}},
    {"coordinates", 5, {"coordinates have no effect", "leave them out"}},
    {"wifi", 4, {"routing \"Wifi\" has no cables to follow", "use Dijkstra"}},
    {"wifi_link", 7, {"a WIFI link is no cable", "write a SPLITDUPLEX link to a router"}},
    {"cluster_zone", 10, {"<host_link>: one link for each direction is no cable", "write a SPLITDUPLEX <link>"}},
    {"backbone", 6, {"<backbone>: a backbone is no cable", "write a <link> between two routers"}},
    {"cabinet", 5, {"<cabinet>: cabinets have no switches", "write a <cluster>"}},
    {"peer", 5, {"<peer>: a peer has no cable", "write a <host> and a <link>"}},
    {"bypass", 13, {"<bypassRoute>: packets follow the cables", "leave it out"}},
    {"link_profile", 7, {"bandwidth_file: cables do not change in time", "leave it out"}},
    {"trace", 8, {"<trace>: what happens to hosts and links in time is not supported", "write speed_file"}},
    {"storage", 4, {"<storage_type>: SimGrid has it no more", "write a <disk> into a <host>"}},
    {"version_3", 3, {"SimGrid reads version 4.1", "simgrid_update_xml"}},
};

/* With all that can be said from outside. */
SGF_TEST(what_cannot_be_a_packet_fabric_is_refused_with_line_and_reason)
{
  static const sgf_assignment_t said[] = {{"**.nic = uet", INI, 1}, {"**.fabric.full_duplex = true", INI, 2}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    char file[1024];
    sgf_error_t error = {0};
    snprintf(file, sizeof file, KINDS "%s.xml", refused[i].file);
    CU_ASSERT_PTR_NULL(sgf_scenario_load(file, said, sizeof said / sizeof *said, 1, &error));
    const bool is_said =
        strstr(error.text, refused[i].says[0]) != NULL && strstr(error.text, refused[i].says[1]) != NULL;
    if (!is_said || error.line != refused[i].line)
      printf("\n  %s:%d: %s\n", error.file, error.line, error.text);
    CU_ASSERT(is_said);
    CU_ASSERT_EQUAL(error.line, refused[i].line);
    CU_ASSERT_STRING_EQUAL(error.file, file);
  }
}

/* The same files without what the ini file says of their links. */
SGF_TEST(what_needs_a_word_from_outside_says_which)
{
  static const struct {
    const char* file;
    const char* says;
  } needing[]                       = {{"flat_backbone", "or set fabric.ignore_backbone of it"},
                                       {"flat_shared", "or set fabric.full_duplex of it"},
                                       {"clusters", "or set fabric.ignore_backbone of it"},
                                       {"full", "or set fabric.full_duplex of, link \"l0\""},
                                       {"shared_links", "or set fabric.full_duplex of, link \"l0\""}};
  static const sgf_assignment_t uet = {"**.nic = uet", NULL, 0};
  for (size_t i = 0; i < sizeof needing / sizeof *needing; i++) {
    char file[1024];
    sgf_error_t error = {0};
    snprintf(file, sizeof file, KINDS "%s.xml", needing[i].file);
    CU_ASSERT_PTR_NULL(sgf_scenario_load(file, &uet, 1, 1, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, needing[i].says));
    sgf_error_clear(&error);
    CU_ASSERT_PTR_NULL(sgf_scenario_load(file, NULL, 0, 1, &error)); /* and without a NIC there is nothing */
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no host has a NIC"));
  }
}

/* ---- Assignments about links and clusters ------------------------------------------------------------------------ */

static void expect(const char* file, const char* assignment, const char* says)
{
  char path[1024];
  snprintf(path, sizeof path, KINDS "%s.xml", file);
  const sgf_assignment_t list[] = {{"**.nic = uet", NULL, 0}, {assignment, NULL, 0}};
  sgf_error_t error             = {0};
  sgf_scenario_t* scenario      = sgf_scenario_load(path, list, 2, 1, &error);
  CU_ASSERT_PTR_NULL(scenario);
  if (strstr(error.text, says) == NULL || strcmp(error.file, "--set") != 0)
    printf("\n  %s: %s:%d: %s\n", assignment, error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, says));
  CU_ASSERT_STRING_EQUAL(error.file, "--set");
  sgf_scenario_free(scenario);
}

SGF_TEST(an_assignment_about_a_link_or_cluster_that_has_no_effect_is_refused)
{
  expect("flat", "**.fabric.ignore_backbone = true", "cluster \"c\" has no backbone");
  expect("flat", "**.fabric.cabels = 2", "fabric has no attribute \"cabels\"; did you mean cables?");
  expect("flat", "net.c.c_link_9.fabric.cables = 2", "matches no link; the first is net.c.c_link_0");
  expect("dijkstra", "net.z.t.fabric.cables = 0", "must be within 1..1024");
  expect("dijkstra", "net.z.t.fabric.cables = two", "fabric.cables");
  expect("dijkstra", "**.fabric.host_link_latency = 1us", "matches no cluster");
  expect("dijkstra", "net.z.t.fabric.full_duplex = maybe", "full_duplex");
  expect("hosts", "**.loopback.fabric.cables = 2", "link \"loopback\" is no cable between two devices");
  expect("fat_tree", "**.c.fabric.host_link_latency = 1fs", "fs");
  expect("fat_tree", "**.c.fabric.host_link_latency = 0.1ps", "0.1ps");
  expect("fat_tree", "**.fabric = 1", "names no attribute behind .fabric");
}

SGF_TEST(the_last_assignment_about_a_link_wins_and_a_default_can_be_asked_for)
{
  static const sgf_assignment_t list[] = {
      {"**.nic = uet", NULL, 0}, {"**.t.fabric.cables = 4", NULL, 0}, {"net.z.t.fabric.c* = 3", NULL, 0}};
  sgf_scenario_t* scenario = sgf_scenario_load(KINDS "dijkstra.xml", list, 3, 1, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  CU_ASSERT_EQUAL(sgf_device_port_count(device(scenario, "r0")), 2 + 3);
  sgf_scenario_free(scenario);

  static const sgf_assignment_t defaults[] = {{"**.nic = uet", NULL, 0},
                                              {"**.fabric.host_link_latency = 2us", NULL, 0},
                                              {"**.fabric.host_link_latency = default", NULL, 0}};
  scenario                                 = sgf_scenario_load(KINDS "fat_tree.xml", defaults, 3, 1, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  CU_ASSERT_EQUAL(sgf_device_port_delay(device(scenario, "node-0"), 0), 1000000);
  sgf_scenario_free(scenario);
}
