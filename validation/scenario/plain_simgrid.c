/* The shipped platforms in plain SimGrid: it loads them without sgfabric and finds the ways that the cables make. */
#include "harness.h"
#include "scenario_support.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>

static const double cable_bytes_per_s = 400e9 / 8;

/* What SimGrid must find: the latency from one host to another, by their numbers. */
typedef double (*latency_fn)(int from, int to);

static latency_fn expected_latency;
static int host_count;
static int pairs_checked;

static double rack_latency(int from, int to)
{
  (void)from;
  (void)to;
  return 2 * 100e-9;
}

static double leaf_spine_latency(int from, int to)
{
  enum { HOSTS_OF_A_RACK = 8 };
  return from / HOSTS_OF_A_RACK == to / HOSTS_OF_A_RACK ? 2 * 100e-9 : 2 * 100e-9 + 2 * 500e-9;
}

static sg_host_t host(int number)
{
  char name[16];
  snprintf(name, sizeof name, "gpu%d", number);
  return sg_host_by_name(name);
}

/* Routes can be asked for once the simulation runs. */
static void ask_for_routes(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  for (int from = 0; from < host_count; from++)
    for (int to = 0; to < host_count; to++) {
      if (from == to)
        continue;
      CU_ASSERT_DOUBLE_EQUAL(sg_host_get_route_latency(host(from), host(to)), expected_latency(from, to), 1e-15);
      CU_ASSERT_DOUBLE_EQUAL(sg_host_get_route_bandwidth(host(from), host(to)), cable_bytes_per_s, 1);
      pairs_checked++;
    }
}

static void check_platform(const char* file, int hosts, latency_fn latency)
{
  char* arguments[] = {"plain_simgrid", "--log=root.thres:error", NULL};
  int argc          = 2;
  host_count        = hosts;
  expected_latency  = latency;
  simgrid_init(&argc, arguments);
  simgrid_load_platform(file);
  CU_ASSERT_EQUAL_FATAL(sg_host_count(), (size_t)hosts);
  sg_actor_create("asker", host(0), ask_for_routes, 0, NULL);
  simgrid_run();
  CU_ASSERT_EQUAL(pairs_checked, hosts * (hosts - 1));
}

SGF_SCENARIO(rack9_loads)
{
  check_platform(SGF_SOURCE_DIR "/platforms/rack9.xml", 9, rack_latency);
}

SGF_SCENARIO(leaf_spine_32_loads)
{
  check_platform(SGF_SOURCE_DIR "/platforms/leaf_spine_32.xml", 32, leaf_spine_latency);
}

/* And in sgfabric. */
SGF_TEST(the_fabrics_of_the_shipped_platforms_are_what_they_say)
{
  sgf_error_t error    = {0};
  sgf_scenario_t* rack = sgf_scenario_load(SGF_SOURCE_DIR "/platforms/rack9.xml", NULL, 0, 1, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(rack);
  CU_ASSERT_EQUAL(sgf_fabric_host_count(sgf_scenario_fabric(rack)), 9);
  CU_ASSERT_STRING_EQUAL(scenario_value(rack, "tor0", "StaticPoolXoffThreshold"), "200KB");
  CU_ASSERT_STRING_EQUAL(scenario_value(rack, "tor0", "StaticPoolXonThreshold"), "100KB");
  sgf_scenario_free(rack);

  sgf_scenario_t* leaf_spine = sgf_scenario_load(SGF_SOURCE_DIR "/platforms/leaf_spine_32.xml", NULL, 0, 1, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(leaf_spine);
  const sgf_fabric_t* fabric = sgf_scenario_fabric(leaf_spine);
  unsigned ports[8]          = {0};
  CU_ASSERT_EQUAL(sgf_fabric_host_count(fabric), 32);
  CU_ASSERT_EQUAL(sgf_fabric_device_count(fabric), 32 + 4 + 4);
  CU_ASSERT_EQUAL(sgf_device_next_hops(sgf_fabric_find(fabric, "leaf0"), sgf_fabric_find(fabric, "gpu31"), ports, 8),
                  4);
  CU_ASSERT_EQUAL(sgf_device_next_hops(sgf_fabric_find(fabric, "leaf0"), sgf_fabric_find(fabric, "gpu7"), ports, 8), 1);
  CU_ASSERT_EQUAL(sgf_device_next_hops(sgf_fabric_find(fabric, "spine2"), sgf_fabric_find(fabric, "gpu8"), ports, 8),
                  1);
  sgf_scenario_free(leaf_spine);
}
