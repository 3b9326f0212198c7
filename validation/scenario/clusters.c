/* Clusters that are accepted: the devices, cables and attribute values that they give. */
#include "harness.h"
#include "scenario_support.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PORTS = 64, MAX_HOPS = 16 };

#define PLATFORM(content) SCENARIO_HEAD "<platform version=\"4.1\">\n" content "</platform>\n"
#define ZONE(content) PLATFORM("<zone id=\"dc\" routing=\"Dijkstra\">\n" content "</zone>\n")
#define PROP(id, value) "<prop id=\"" id "\" value=\"" value "\"/>\n"
#define NIC PROP("nic", "uet")
#define CLUSTER(id, prefix, radical, attributes, props)                                                                \
  "<cluster id=\"" id "\" prefix=\"" prefix "\" suffix=\".x\" radical=\"" radical                                      \
  "\" speed=\"1Tf\" bw=\"400Gbps\" lat=\"500ns\" " attributes ">\n" props "</cluster>\n"
#define FLAT(radical, attributes) CLUSTER("fl", "h", radical, attributes, "")
#define FAT_TREE(radical, parameters, props)                                                                           \
  CLUSTER("ft", "h", radical, "topology=\"FAT_TREE\" topo_parameters=\"" parameters "\"", props)

static sgf_scenario_t* loaded(sgf_scenario_t* scenario, const sgf_error_t* error)
{
  if (scenario == NULL)
    printf("\n  %s:%d: %s\n", error->file, error->line, error->text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  return scenario;
}

static sgf_scenario_t* load(const char* platform, const char* const* set)
{
  sgf_error_t error = {0};
  return loaded(scenario_load(platform, set, &error), &error);
}

static sgf_device_t* find(const sgf_scenario_t* scenario, const char* name)
{
  sgf_device_t* device = sgf_fabric_find(sgf_scenario_fabric(scenario), name);
  if (device == NULL)
    printf("\n  no device %s\n", name);
  CU_ASSERT_PTR_NOT_NULL_FATAL(device);
  return device;
}

static void check_value(const sgf_scenario_t* scenario, const char* device, const char* suffix, const char* value)
{
  CU_ASSERT_STRING_EQUAL(scenario_value(scenario, device, suffix), value);
}

/* Every other device that `device` is plugged into, in order of its ports, separated by blanks. */
static const char* peers(const sgf_scenario_t* scenario, const char* device)
{
  static char names[256];
  const sgf_device_t* from = find(scenario, device);
  names[0]                 = '\0';
  for (unsigned port = 0; port < sgf_device_port_count(from); port++) {
    size_t length = strlen(names);
    snprintf(names + length, sizeof names - length, "%s%s", port > 0 ? " " : "",
             sgf_device_name(sgf_device_peer(from, port)));
  }
  return names;
}

static size_t next_hops(const sgf_device_t* from, const sgf_device_t* host)
{
  unsigned ports[MAX_PORTS];
  return sgf_device_next_hops(from, host, ports, MAX_PORTS);
}

/* Cables on the way from one host to another. */
static int distance(const sgf_device_t* from, const sgf_device_t* to)
{
  int cables = 1;
  for (const sgf_device_t* at = sgf_device_peer(from, 0); at != to && cables < MAX_HOPS; cables++) {
    unsigned port = 0;
    CU_ASSERT_FATAL(sgf_device_next_hops(at, to, &port, 1) > 0);
    at = sgf_device_peer(at, port);
  }
  return cables;
}

/* ---- Radicals ---------------------------------------------------------------------------------------------------- */

static void check_hosts(const char* platform, const char* const* names, size_t count)
{
  sgf_scenario_t* scenario = load(platform, NULL);
  CU_ASSERT_EQUAL_FATAL(sgf_scenario_host_count(scenario), count);
  for (size_t i = 0; i < count; i++)
    CU_ASSERT_STRING_EQUAL(sgf_scenario_host_name(scenario, i), names[i]);
  sgf_scenario_free(scenario);
}

SGF_TEST(a_radical_is_numbers_and_ranges_in_the_order_written)
{
  static const char* const listed[] = {"h0.x", "h1.x", "h2.x", "h3.x", "h7.x", "h9.x", "h10.x", "h11.x"};
  static const char* const turned[] = {"h7.x", "h1.x", "h2.x"};
  check_hosts(ZONE(NIC FLAT("0-3,7,9-11", "")), listed, sizeof listed / sizeof *listed);
  check_hosts(ZONE(NIC FLAT(" 0 - 3, 7 ,9-11 ", "")), listed, sizeof listed / sizeof *listed);
  check_hosts(ZONE(NIC FLAT("0-0,01-3,007,9-9,10-11", "")), listed, sizeof listed / sizeof *listed);
  check_hosts(ZONE(NIC FLAT("7,1-2", "")), turned, sizeof turned / sizeof *turned);
}

/* ---- Flat clusters ----------------------------------------------------------------------------------------------- */

SGF_TEST(a_flat_cluster_is_hosts_around_simgrids_router)
{
  sgf_scenario_t* scenario   = load(ZONE(NIC FLAT("2-4", "")), NULL);
  const sgf_device_t* router = find(scenario, "hfl_router.x");
  CU_ASSERT_EQUAL(sgf_fabric_device_count(sgf_scenario_fabric(scenario)), 4);
  CU_ASSERT_TRUE(sgf_device_is_switch(router));
  CU_ASSERT_STRING_EQUAL(sgf_device_path(router), "dc.fl.hfl_router.x");
  CU_ASSERT_STRING_EQUAL(sgf_device_path(find(scenario, "h3.x")), "dc.fl.h3.x");
  CU_ASSERT_STRING_EQUAL(peers(scenario, "hfl_router.x"), "h2.x h3.x h4.x");
  CU_ASSERT_STRING_EQUAL(sgf_device_port_cable(router, 1), "fl_link_3");
  CU_ASSERT_EQUAL(sgf_device_port_bps(router, 1), INT64_C(400000000000));
  CU_ASSERT_EQUAL(sgf_device_port_delay(router, 1), 500000);
  sgf_scenario_free(scenario);
}

SGF_TEST(a_cluster_can_be_the_outermost_zone_and_name_its_router)
{
  sgf_scenario_t* scenario = load(
      PLATFORM(CLUSTER("fl", "h", "0-1", "router_id=\"tor\" core=\"4\" sharing_policy=\"FULLDUPLEX\"", NIC)), NULL);
  CU_ASSERT_STRING_EQUAL(sgf_device_path(find(scenario, "tor")), "fl.tor");
  CU_ASSERT_STRING_EQUAL(sgf_device_path(find(scenario, "h0.x")), "fl.h0.x");
  sgf_scenario_free(scenario);
}

SGF_TEST(a_loopback_is_simgrids_own)
{
  sgf_scenario_t* scenario =
      load(ZONE(NIC FLAT("0-1", "loopback_bw=\"1GBps\" loopback_lat=\"1us\" limiter_link=\"\" bb_bw=\"\"")), NULL);
  CU_ASSERT_EQUAL(sgf_device_port_count(find(scenario, "hfl_router.x")), 2);
  sgf_scenario_free(scenario);
}

#define TWO_FLAT                                                                                                       \
  CLUSTER("a", "a", "0-1", "router_id=\"ra\"", "")                                                                     \
  CLUSTER("b", "b", "0-2", "router_id=\"rb\"", "")                                                                     \
  "<link id=\"k\" bandwidth=\"800Gbps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>\n"                            \
  "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"ra\" gw_dst=\"rb\"><link_ctn id=\"k\" direction=\"UP\"/></zoneRoute>\n"

SGF_TEST(routers_of_flat_clusters_are_gateways)
{
  sgf_scenario_t* scenario = load(ZONE(NIC TWO_FLAT), NULL);
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ra"), "a0.x a1.x rb");
  CU_ASSERT_STRING_EQUAL(peers(scenario, "rb"), "b0.x b1.x b2.x ra");
  CU_ASSERT_EQUAL(distance(find(scenario, "a0.x"), find(scenario, "b2.x")), 3);
  sgf_scenario_free(scenario);
}

/* ---- Fat trees --------------------------------------------------------------------------------------------------- */

/* Level 1: one digit of w1 = 1, then m2 = 2 and m3 = 2; level 2: 1, w2 = 2, m3 = 2; level 3: 1, w2 = 2, w3 = 2. Levels
 * 2 and 3 differ in the last digit alone: l2.0 and l2.2 share their parents. */
SGF_TEST(switches_of_a_fat_tree_are_joined_by_their_digits)
{
  sgf_scenario_t* scenario = load(ZONE(NIC FAT_TREE("0-7", "3;2,2,2;1,2,2;1,1,1", "")), NULL);
  CU_ASSERT_EQUAL(sgf_fabric_device_count(sgf_scenario_fabric(scenario)), 8 + 4 + 4 + 4);
  CU_ASSERT_STRING_EQUAL(peers(scenario, "h5.x"), "ft.l1.2");
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l1.0"), "h0.x h1.x ft.l2.0 ft.l2.1");
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l1.3"), "h6.x h7.x ft.l2.2 ft.l2.3");
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l2.0"), "ft.l1.0 ft.l1.1 ft.l3.0 ft.l3.2");
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l2.1"), "ft.l1.0 ft.l1.1 ft.l3.1 ft.l3.3");
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l2.2"), "ft.l1.2 ft.l1.3 ft.l3.0 ft.l3.2");
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l3.1"), "ft.l2.1 ft.l2.3");
  CU_ASSERT_STRING_EQUAL(sgf_device_path(find(scenario, "ft.l3.1")), "dc.ft.l3.1");
  CU_ASSERT_STRING_EQUAL(sgf_device_port_cable(find(scenario, "ft.l3.1"), 1), "ft.l2.3-ft.l3.1");
  sgf_scenario_free(scenario);
}

SGF_TEST(one_level_is_one_switch)
{
  sgf_scenario_t* scenario = load(ZONE(NIC FAT_TREE("0-3", " 1 ; 4 ; 1 ; 1 ", "")), NULL);
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l1.0"), "h0.x h1.x h2.x h3.x");
  sgf_scenario_free(scenario);
}

/* Three hosts a leaf, two leaves, two spines, two cables from each leaf to each spine. */
SGF_TEST(parallel_cables_of_a_fat_tree_are_kept_distinct)
{
  sgf_scenario_t* scenario = load(ZONE(NIC FAT_TREE("0-5", "2;3,2;1,2;1,2", "")), NULL);
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l1.1"), "h3.x h4.x h5.x ft.l2.0 ft.l2.0 ft.l2.1 ft.l2.1");
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l2.1"), "ft.l1.0 ft.l1.0 ft.l1.1 ft.l1.1");
  CU_ASSERT_EQUAL(next_hops(find(scenario, "ft.l1.0"), find(scenario, "h3.x")), 2 * 2);
  CU_ASSERT_EQUAL(next_hops(find(scenario, "ft.l2.0"), find(scenario, "h3.x")), 2);
  sgf_scenario_free(scenario);
}

SGF_TEST(host_links_have_a_latency_of_their_own)
{
  sgf_scenario_t* plain = load(ZONE(NIC FAT_TREE("0-5", "2;3,2;1,2;1,2", "")), NULL);
  CU_ASSERT_EQUAL(sgf_device_port_delay(find(plain, "h0.x"), 0), 500000);
  CU_ASSERT_EQUAL(sgf_device_port_delay(find(plain, "ft.l1.0"), 3), 500000);
  sgf_scenario_free(plain);

  sgf_scenario_t* own =
      load(ZONE(NIC FAT_TREE("0-5", "2;3,2;1,2;1,2", PROP("fabric.host_link_latency", "84.5ns"))), NULL);
  CU_ASSERT_EQUAL(sgf_device_port_delay(find(own, "h0.x"), 0), 84500);
  CU_ASSERT_EQUAL(sgf_device_port_delay(find(own, "ft.l1.0"), 2), 84500);
  CU_ASSERT_EQUAL(sgf_device_port_delay(find(own, "ft.l1.0"), 3), 500000);
  CU_ASSERT_EQUAL(sgf_device_port_delay(find(own, "ft.l2.0"), 0), 500000);
  sgf_scenario_free(own);
}

/* ---- The shipped ones -------------------------------------------------------------------------------------------- */

/* A tree of three levels whose switches all have 2 x `radix` ports; a group is what a switch of level 2 reaches
 * downwards. */
typedef struct shipped {
  const char* file;
  int radix;
} shipped_t;

static void check_ports(const sgf_scenario_t* scenario, const shipped_t* tree, int level, int switches)
{
  for (int i = 0; i < switches; i++) {
    char name[32];
    snprintf(name, sizeof name, "ft.l%d.%d", level, i);
    const sgf_device_t* device = find(scenario, name);
    CU_ASSERT_EQUAL(sgf_device_port_count(device), (unsigned)(2 * tree->radix));
    for (unsigned port = 0; port < sgf_device_port_count(device); port++) {
      bool is_host_link = !sgf_device_is_switch(sgf_device_peer(device, port));
      CU_ASSERT_EQUAL(is_host_link, level == 1 && port < (unsigned)tree->radix);
      CU_ASSERT_EQUAL(sgf_device_port_delay(device, port), is_host_link ? 100000 : 500000);
      CU_ASSERT_EQUAL(sgf_device_port_bps(device, port), INT64_C(400000000000));
    }
  }
  char beyond[32];
  snprintf(beyond, sizeof beyond, "ft.l%d.%d", level, switches);
  CU_ASSERT_PTR_NULL(sgf_fabric_find(sgf_scenario_fabric(scenario), beyond));
}

static void check_ways(const sgf_scenario_t* scenario, const shipped_t* tree, int hosts)
{
  const sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  const sgf_device_t* first  = sgf_fabric_host(fabric, 0);
  const sgf_device_t* leaf   = sgf_device_peer(first, 0);
  const sgf_device_t* middle = sgf_device_peer(leaf, (unsigned)tree->radix);
  const sgf_device_t* top    = sgf_device_peer(middle, (unsigned)tree->radix);
  size_t width               = (size_t)tree->radix;
  for (int i = 1; i < hosts; i++) {
    const sgf_device_t* host = sgf_fabric_host(fabric, (size_t)i);
    bool same_leaf           = i < tree->radix;
    bool same_group          = i < tree->radix * tree->radix;
    CU_ASSERT_EQUAL(distance(first, host), same_leaf ? 2 : same_group ? 4 : 6);
    CU_ASSERT_EQUAL(next_hops(leaf, host), same_leaf ? 1 : width);
    CU_ASSERT_EQUAL(next_hops(middle, host), same_group ? 1 : width);
    CU_ASSERT_EQUAL(next_hops(top, host), 1);
  }
}

SGF_TEST(the_shipped_fat_trees_have_full_bisection)
{
  static const shipped_t trees[] = {{SGF_SOURCE_DIR "/platforms/fat_tree_128.xml", 4},
                                    {SGF_SOURCE_DIR "/platforms/fat_tree_1024.xml", 8}};
  for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
    const shipped_t* tree    = &trees[i];
    int groups               = 2 * tree->radix; /* a top switch has no other ports */
    int of_level             = groups * tree->radix;
    int hosts                = of_level * tree->radix;
    sgf_error_t error        = {0};
    sgf_scenario_t* scenario = loaded(sgf_scenario_load(tree->file, NULL, 0, 1, &error), &error);
    CU_ASSERT_EQUAL_FATAL(sgf_fabric_host_count(sgf_scenario_fabric(scenario)), (size_t)hosts);
    check_ports(scenario, tree, 1, of_level);
    check_ports(scenario, tree, 2, of_level);
    check_ports(scenario, tree, 3, of_level / 2);
    check_ways(scenario, tree, hosts);
    sgf_scenario_free(scenario);
  }
}

/* ---- Properties -------------------------------------------------------------------------------------------------- */

SGF_TEST(properties_come_from_zones_then_the_cluster_then_set)
{
  static const char* const set[] = {"net.dc.ft.h2.x.nic.IngressBufferManager.TotalBufferSize=3MB",
                                    "net.dc.ft.l2.1.switch.EcnHandler.MinThreshold=0.4", NULL};
  sgf_scenario_t* scenario =
      load(ZONE(NIC PROP("nic.IngressBufferManager.TotalBufferSize", "1MB") PROP("nic.RdmaDataMSS", "2048")
                    PROP("switch.EcnHandler.MinThreshold", "0.1")
                        FAT_TREE("0-3", "2;2,2;1,2;1,1",
                                 PROP("nic.IngressBufferManager.TotalBufferSize", "2MB")
                                     PROP("switch[l2.*].EcnHandler.MinThreshold", "0.3") PROP("pcie", "gen5 x8"))),
           set);
  for (int i = 0; i < 4; i++) {
    char host[16];
    snprintf(host, sizeof host, "h%d.x", i);
    check_value(scenario, host, "IngressBufferManager.TotalBufferSize", i == 2 ? "3MB" : "2MB");
    check_value(scenario, host, "RdmaDataMSS", "2048");
  }
  check_value(scenario, "ft.l1.1", "EcnHandler.MinThreshold", "0.1");
  check_value(scenario, "ft.l2.0", "EcnHandler.MinThreshold", "0.3");
  check_value(scenario, "ft.l2.1", "EcnHandler.MinThreshold", "0.4");
  sgf_scenario_free(scenario);
}

SGF_TEST(switches_of_a_fat_tree_are_chosen_by_name_in_its_zones)
{
  sgf_scenario_t* scenario =
      load(ZONE(NIC PROP("switch[ft.l2.*].EcnHandler.MinThreshold", "0.2")
                    PROP("switch[ft.l1.{1..2}].EcnHandler.MinThreshold", "0.3") FAT_TREE("0-5", "2;2,3;1,2;1,1", "")),
           NULL);
  check_value(scenario, "ft.l2.0", "EcnHandler.MinThreshold", "0.2");
  check_value(scenario, "ft.l2.1", "EcnHandler.MinThreshold", "0.2");
  check_value(scenario, "ft.l1.1", "EcnHandler.MinThreshold", "0.3");
  check_value(scenario, "ft.l1.2", "EcnHandler.MinThreshold", "0.3");
  CU_ASSERT_STRING_NOT_EQUAL(scenario_value(scenario, "ft.l1.0", "EcnHandler.MinThreshold"), "0.3");
  sgf_scenario_free(scenario);
}

/* ---- Hosts without a NIC ----------------------------------------------------------------------------------------- */

#define NO_NIC PROP("nic", "none")

SGF_TEST(a_cluster_without_nics_is_simgrids_alone)
{
  sgf_scenario_t* scenario = load(
      ZONE(NIC CLUSTER("fl", "h", "0-1", "router_id=\"tor\"", "") CLUSTER(
          "login", "l", "0-3", "topology=\"FAT_TREE\" topo_parameters=\"2;2,2;2,2;1,2\" sharing_policy=\"SHARED\"",
          NO_NIC)
               CLUSTER("disks", "d", "0-3", "bb_bw=\"1GBps\" bb_lat=\"1us\" router_id=\"dr\"",
                       NO_NIC) "<link id=\"k\" bandwidth=\"1Gbps\" latency=\"1us\"/>\n"
                               "<link id=\"m\" bandwidth=\"1Gbps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                               "<zoneRoute src=\"fl\" dst=\"login\" gw_src=\"tor\" gw_dst=\"l0.x\"><link_ctn "
                               "id=\"k\"/></zoneRoute>\n"
                               "<zoneRoute src=\"fl\" dst=\"disks\" gw_src=\"tor\" gw_dst=\"dr\"><link_ctn id=\"m\" "
                               "direction=\"UP\"/></zoneRoute>\n"),
      NULL);
  CU_ASSERT_EQUAL(sgf_scenario_host_count(scenario), 2 + 4 + 4);
  CU_ASSERT_EQUAL(sgf_fabric_device_count(sgf_scenario_fabric(scenario)), 2 + 1 + 1);
  CU_ASSERT_STRING_EQUAL(peers(scenario, "tor"), "h0.x h1.x dr");
  sgf_scenario_free(scenario);
}

SGF_TEST(one_host_of_a_cluster_can_be_without_a_nic)
{
  static const char* const set[] = {"**.h3.x.nic=none", NULL};
  sgf_scenario_t* scenario       = load(ZONE(NIC FAT_TREE("0-3", "2;2,2;1,2;1,1", "")), set);
  CU_ASSERT_PTR_NULL(sgf_scenario_nic(scenario, "h3.x"));
  CU_ASSERT_STRING_EQUAL(peers(scenario, "ft.l1.1"), "h2.x ft.l2.0 ft.l2.1");
  sgf_scenario_free(scenario);
}
