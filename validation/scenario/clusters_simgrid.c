/* Clusters in plain SimGrid: it finds ways of as many cables as ours. Each link is 1 us long there, so that the latency
 * of a way counts its cables. */
#include "harness.h"
#include "scenario_support.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>

enum { MAX_HOPS = 32 };

static const sgf_scenario_t* scenario;
static double cable_latency; /* s */
static size_t stride;        /* distance between the hosts that are asked for their ways */
static size_t pairs_checked;

static int cables_of_ours(const sgf_device_t* from, const sgf_device_t* to)
{
  int cables = 1;
  for (const sgf_device_t* at = sgf_device_peer(from, 0); at != to && cables < MAX_HOPS; cables++) {
    unsigned port = 0;
    CU_ASSERT_FATAL(sgf_device_next_hops(at, to, &port, 1) > 0);
    at = sgf_device_peer(at, port);
  }
  return cables;
}

static void ask_for_routes(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  const sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  size_t hosts               = sgf_fabric_host_count(fabric);
  for (size_t i = 0; i < hosts; i += stride)
    for (size_t j = 0; j < hosts; j++) {
      if (i == j)
        continue;
      const sgf_device_t* from = sgf_fabric_host(fabric, i);
      const sgf_device_t* to   = sgf_fabric_host(fabric, j);
      double latency =
          sg_host_get_route_latency(sg_host_by_name(sgf_device_name(from)), sg_host_by_name(sgf_device_name(to)));
      CU_ASSERT_EQUAL(lround(latency / cable_latency), cables_of_ours(from, to));
      pairs_checked++;
    }
}

/* The platform `file` in both, which are asked for the ways from each `every`-th host to all others. */
static void compare(const char* file, double latency, size_t every)
{
  char* arguments[]      = {"clusters_simgrid", "--log=root.thres:error", NULL};
  int argc               = 2;
  sgf_error_t error      = {0};
  sgf_scenario_t* loaded = sgf_scenario_load(file, NULL, 0, 1, &error);
  if (loaded == NULL)
    printf("\n  %s:%d: %s\n", error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(loaded);
  scenario      = loaded;
  cable_latency = latency;
  stride        = every;

  simgrid_init(&argc, arguments);
  simgrid_load_platform(file);
  size_t hosts = sgf_scenario_host_count(scenario);
  CU_ASSERT_EQUAL_FATAL(sg_host_count(), hosts);
  sg_actor_create("asker", sg_host_by_name(sgf_scenario_host_name(scenario, 0)), ask_for_routes, 0, NULL);
  simgrid_run();
  CU_ASSERT_EQUAL(pairs_checked, (hosts + stride - 1) / stride * (hosts - 1));
  sgf_scenario_free(loaded);
}

#define PLATFORM(content) SCENARIO_HEAD "<platform version=\"4.1\">\n" content "</platform>\n"
#define NIC "<prop id=\"nic\" value=\"uet\"/>"
#define CLUSTER(id, radical, attributes)                                                                               \
  "<cluster id=\"" id "\" prefix=\"" id "-\" suffix=\".x\" radical=\"" radical                                         \
  "\" speed=\"1Tf\" bw=\"400Gbps\" lat=\"1us\" " attributes ">" NIC "</cluster>\n"
#define FAT_TREE(radical, parameters)                                                                                  \
  PLATFORM(CLUSTER("ft", radical, "topology=\"FAT_TREE\" topo_parameters=\"" parameters "\""))

static void compare_text(const char* text)
{
  size_t length = 0;
  while (text[length] != '\0')
    length++;
  compare(scenario_file(text, length), 1e-6, 1);
}

SGF_SCENARIO(one_level)
{
  compare_text(FAT_TREE("0-4", "1;5;1;1"));
}

SGF_SCENARIO(two_levels_with_parallel_cables)
{
  compare_text(FAT_TREE("0-5", "2;3,2;1,2;1,3"));
}

SGF_SCENARIO(three_levels_of_unequal_widths)
{
  compare_text(FAT_TREE("5-6,20-31,40-49", "3;2,3,4;1,2,3;1,1,2"));
}

SGF_SCENARIO(four_levels)
{
  compare_text(FAT_TREE("0-23", "4;3,2,2,2;1,3,1,2;1,1,2,1"));
}

SGF_SCENARIO(a_flat_cluster)
{
  compare_text(PLATFORM(CLUSTER("fl", "0-3,7,9-11", "router_id=\"tor\" loopback_bw=\"1GBps\" loopback_lat=\"1us\"")));
}

SGF_SCENARIO(flat_clusters_around_a_router)
{
#define LINK(id) "<link id=\"" id "\" bandwidth=\"400Gbps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>\n"
#define TO_TOP(zone, router, link)                                                                                     \
  "<zoneRoute src=\"" zone "\" dst=\"top\" gw_src=\"" router "\" gw_dst=\"core\"><link_ctn id=\"" link                 \
  "\" direction=\"UP\"/></zoneRoute>\n"
  compare_text(PLATFORM("<zone id=\"dc\" routing=\"Dijkstra\">\n" CLUSTER("a", "0-2", "") CLUSTER(
      "b", "0-1", "router_id=\"rb\"") "<zone id=\"top\" routing=\"None\"><router id=\"core\"/></zone>\n" LINK("ka")
                            LINK("kb") TO_TOP("a", "a-a_router.x", "ka") TO_TOP("b", "rb", "kb") "</zone>\n"));
}

SGF_SCENARIO(fat_tree_128)
{
  compare(SGF_SOURCE_DIR "/platforms/fat_tree_128.xml", 500e-9, 1);
}

SGF_SCENARIO(fat_tree_1024)
{
  compare(SGF_SOURCE_DIR "/platforms/fat_tree_1024.xml", 500e-9, 31);
}
