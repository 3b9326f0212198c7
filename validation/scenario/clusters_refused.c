/* Clusters that are refused: each with its line and a message that names what is wrong and what was meant. */
#include "harness.h"
#include "scenario_support.h"

#include <stdio.h>
#include <string.h>

/* Lines 1 to 5 of every platform; what follows starts in line 6. */
#define ZONE(content)                                                                                                  \
  SCENARIO_HEAD "<platform version=\"4.1\">\n<zone id=\"dc\" routing=\"Dijkstra\">\n<prop id=\"nic\" "                 \
                "value=\"uet\"/>\n" content "</zone>\n</platform>\n"
#define PROP(id, value) "<prop id=\"" id "\" value=\"" value "\"/>\n"
#define NO_NIC PROP("nic", "none")

/* Of two lines; properties start in the third. */
#define CLUSTER(id, prefix, radical, attributes, props)                                                                \
  "<cluster id=\"" id "\" prefix=\"" prefix "\" suffix=\"\" radical=\"" radical "\" speed=\"1Tf\"\n" attributes        \
  ">\n" props "</cluster>\n"
#define RATES "bw=\"400Gbps\" lat=\"500ns\" "
#define FLAT(radical, attributes, props) ZONE(CLUSTER("fl", "h", radical, RATES attributes, props))
#define TREE_OF(id, prefix, radical, parameters, attributes, props)                                                    \
  CLUSTER(id, prefix, radical, RATES "topology=\"FAT_TREE\" topo_parameters=\"" parameters "\" " attributes, props)
#define TREE(radical, parameters, attributes, props) ZONE(TREE_OF("ft", "h", radical, parameters, attributes, props))
#define LINK "<link id=\"k\" bandwidth=\"400Gbps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>\n"
#define ZONE_ROUTE(src, dst, gw_src, gw_dst)                                                                           \
  "<zoneRoute src=\"" src "\" dst=\"" dst "\" gw_src=\"" gw_src "\" gw_dst=\"" gw_dst                                  \
  "\"><link_ctn id=\"k\" direction=\"UP\"/></zoneRoute>\n"
#define SMALL "2;2,2;1,2;1,1" /* a tree of four hosts */

enum { CLUSTER_LINE = 7, PROP_LINE = 8 }; /* the end of the start tag; the first property */

typedef struct refusal {
  const char* platform;
  sgf_status_t status;
  int line;
  const char* says[3]; /* pieces of the message */
  const char* set;
} refusal_t;

static bool says_all(const refusal_t* refusal, const char* text)
{
  for (size_t i = 0; i < sizeof refusal->says / sizeof *refusal->says && refusal->says[i] != NULL; i++)
    if (strstr(text, refusal->says[i]) == NULL)
      return false;
  return true;
}

static void check(const refusal_t* refusals, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const refusal_t* refusal = &refusals[i];
    const char* const set[]  = {refusal->set, NULL};
    sgf_error_t error        = {0};
    sgf_scenario_t* scenario = scenario_load(refusal->platform, set, &error);
    bool is_right            = scenario == NULL && error.status == refusal->status && error.line == refusal->line &&
                    says_all(refusal, error.text) && error.file[0] != '\0';
    CU_ASSERT_TRUE(is_right);
    if (!is_right)
      printf("\n  case %zu, \"%s\": status %d, %s:%d: %s\n", i, refusal->says[0], (int)error.status, error.file,
             error.line, scenario != NULL ? "accepted" : error.text);
    sgf_scenario_free(scenario);
  }
}

#define CHECK(refusals) check(refusals, sizeof(refusals) / sizeof *(refusals))

SGF_TEST(radicals)
{
#define RADICAL(radical, status, ...)                                                                                  \
  {                                                                                                                    \
    FLAT(radical, "", ""), status, CLUSTER_LINE, {"radical", __VA_ARGS__}, NULL                                        \
  }
  static const refusal_t refusals[] = {
      RADICAL("", SGF_SYNTAX, "\"\" is neither a number"),
      RADICAL("0-3,", SGF_SYNTAX, "\"\" is neither a number"),
      RADICAL("0,,3", SGF_SYNTAX, "\"\" is neither a number"),
      RADICAL("a", SGF_SYNTAX, "\"a\"", "0-7"),
      RADICAL("0-3x", SGF_SYNTAX, "\"0-3x\""),
      RADICAL("0-", SGF_SYNTAX, "\"0-\""),
      RADICAL("-3", SGF_SYNTAX, "\"-3\""),
      RADICAL("1-2-3", SGF_SYNTAX, "\"1-2-3\""),
      RADICAL("0;3", SGF_SYNTAX, "\"0;3\""),
      RADICAL("1 2", SGF_SYNTAX, "\"1 2\""),
      RADICAL("2147483648", SGF_SYNTAX, "2147483648", "2^31"),
      RADICAL("0-99999999999999999999", SGF_SYNTAX, "99999999999999999999"),
      RADICAL("0-1,7-3", SGF_RANGE, "\"7-3\" is empty"),
      RADICAL("0-65536", SGF_RANGE, "more than 65536"),
      RADICAL("0-40000,50000-80000", SGF_RANGE, "more than 65536"),
      {FLAT("0-3,2", "", ""), SGF_TOPOLOGY, CLUSTER_LINE, {"\"h2\"", "already"}, NULL},
  };
  CHECK(refusals);
}

SGF_TEST(topo_parameters)
{
#define PARAMETERS(radical, parameters, status, ...)                                                                   \
  {                                                                                                                    \
    TREE(radical, parameters, "", ""), status, CLUSTER_LINE, {"topo_parameters", __VA_ARGS__}, NULL                    \
  }
  static const refusal_t refusals[] = {
      PARAMETERS("0-3", "", SGF_SYNTAX, "levels;children"),
      PARAMETERS("0-3", "two;2,2;1,2;1,1", SGF_SYNTAX, "levels;children"),
      PARAMETERS("0-3", "2;2,2;1,2", SGF_SYNTAX, "levels;children"),
      PARAMETERS("0-3", "2;2,2;1,2;1,1;1,1", SGF_SYNTAX, "levels;children"),
      PARAMETERS("0-3", "2;2,2;1,2;1,1;", SGF_SYNTAX, "levels;children"),
      PARAMETERS("0-3", "2,2,2;1,2;1,1", SGF_SYNTAX, "levels;children"),
      PARAMETERS("0-3", "2;2,2;1,2;1,1,", SGF_SYNTAX, "levels;children"),
      PARAMETERS("0-3", "2;2,2;1,2;1,1.5", SGF_SYNTAX, "levels;children"),
      PARAMETERS("0-3", "2;2,-2;1,2;1,1", SGF_SYNTAX, "levels;children"),
      PARAMETERS("0-3", "2;2;1,2;1,1", SGF_SYNTAX, "2 levels", "children has 1 numbers"),
      PARAMETERS("0-3", "2;2,2;1,2,3;1,1", SGF_SYNTAX, "2 levels", "parents has 3 numbers"),
      PARAMETERS("0-3", "2;2,2;1,2;1", SGF_SYNTAX, "2 levels", "cables has 1 numbers"),
      PARAMETERS("0-3", "0;2,2;1,2;1,1", SGF_RANGE, "levels", "1..16"),
      PARAMETERS("0-3", "17;2;1;1", SGF_RANGE, "levels", "1..16"),
      PARAMETERS("0-3", "2;2,0;1,2;1,1", SGF_RANGE, "children", "1..65536"),
      PARAMETERS("0-3", "2;2,2;0,2;1,1", SGF_RANGE, "parents"),
      PARAMETERS("0-3", "2;2,2;1,99999999999999999999999;1,1", SGF_RANGE, "parents"),
      PARAMETERS("0-3", "2;2,2;1,2;1,1025", SGF_RANGE, "cables", "1..1024"),
      PARAMETERS("0-4", SMALL, SGF_TOPOLOGY, "tree of 4 hosts", "radical names 5"),
      PARAMETERS("0-2", SMALL, SGF_TOPOLOGY, "tree of 4 hosts", "radical names 3"),
      PARAMETERS("0-3", "3;65536,65536,65536;1,1,1;1,1,1", SGF_RANGE, "more than 1048576 links"),
      PARAMETERS("0-31", "2;2,16;1,65536;1,1", SGF_RANGE, "more than 1048576 links"),
  };
  CHECK(refusals);
}

SGF_TEST(cables_of_hosts_and_switches)
{
  static const refusal_t refusals[] = {
      {TREE("0-3", "2;2,2;2,2;1,1", "", ""),
       SGF_TOPOLOGY,
       CLUSTER_LINE,
       {"\"ft\"", "2 cables", "a NIC takes one"},
       NULL},
      {TREE("0-3", "2;2,2;1,2;3,1", "", ""),
       SGF_TOPOLOGY,
       CLUSTER_LINE,
       {"\"ft\"", "3 cables", "a NIC takes one"},
       NULL},
      {TREE("0-3", "2;2,2;1,16383;1,1", "", ""), SGF_RANGE, CLUSTER_LINE, {"\"ft.l1.0\"", "16385 cables"}, NULL},
  };
  CHECK(refusals);
}

SGF_TEST(topologies)
{
#define TOPOLOGY(topology) FLAT("0-3", "topology=\"" topology "\" topo_parameters=\"2,2\"", "")
  static const refusal_t refusals[] = {
      {TOPOLOGY("TORUS"), SGF_RULE, CLUSTER_LINE, {"TORUS", "hosts would forward", "FAT_TREE"}, NULL},
      {TOPOLOGY("DRAGONFLY"), SGF_RULE, CLUSTER_LINE, {"DRAGONFLY", "FAT_TREE"}, NULL},
      {TOPOLOGY("VIVALDI"), SGF_UNKNOWN, CLUSTER_LINE, {"VIVALDI", "not a choice"}, NULL},
      {TOPOLOGY("FATTREE"), SGF_UNKNOWN, CLUSTER_LINE, {"FATTREE", "did you mean FAT_TREE?"}, NULL},
  };
  CHECK(refusals);
}

SGF_TEST(values)
{
#define WITH(attributes) ZONE(CLUSTER("fl", "h", "0-3", attributes, ""))
  static const refusal_t refusals[] = {
      {WITH("lat=\"1us\""), SGF_SYNTAX, CLUSTER_LINE, {"<cluster> without bw"}, NULL},
      {WITH(RATES "colour=\"red\""), SGF_UNKNOWN, CLUSTER_LINE, {"\"colour\""}, NULL},
      {WITH(RATES "routerid=\"r\""), SGF_UNKNOWN, CLUSTER_LINE, {"\"routerid\"", "did you mean router_id?"}, NULL},
      {WITH("bw=\"400gbps\" lat=\"1us\""), SGF_UNIT, CLUSTER_LINE, {"bw: ", "gbps"}, NULL},
      {WITH("bw=\"0\" lat=\"1us\""), SGF_RANGE, CLUSTER_LINE, {"bw: "}, NULL},
      {WITH("bw=\"0.1bps\" lat=\"1us\""), SGF_RANGE, CLUSTER_LINE, {"fl_link_0", "whole number of bits"}, NULL},
      {WITH("bw=\"\" lat=\"1us\""), SGF_SYNTAX, CLUSTER_LINE, {"bw: "}, NULL},
      {WITH("bw=\"1Gbps\" lat=\"\""), SGF_SYNTAX, CLUSTER_LINE, {"lat: "}, NULL},
      {WITH(RATES "bb_sharing_policy=\"FATPIP\""), SGF_UNKNOWN, CLUSTER_LINE, {"did you mean FATPIPE?"}, NULL},
      {WITH("bw=\"1Gbps\" lat=\"1fs\""), SGF_UNIT, CLUSTER_LINE, {"lat: ", "fs"}, NULL},
      {WITH("bw=\"1Gbps\" lat=\"0.1ps\""), SGF_RANGE, CLUSTER_LINE, {"fl_link_0", "0.1ps"}, NULL},
      {WITH(RATES "core=\"0\""), SGF_RANGE, CLUSTER_LINE, {"core"}, NULL},
      {WITH(RATES "sharing_policy=\"WIFI\""), SGF_UNKNOWN, CLUSTER_LINE, {"sharing_policy", "WIFI"}, NULL},
      {WITH(RATES "sharing_policy=\"SHARED\""), SGF_TOPOLOGY, CLUSTER_LINE, {"\"fl\"", "\"SPLITDUPLEX\""}, NULL},
      {WITH(RATES "limiter_link=\"1GBps\""), SGF_RULE, CLUSTER_LINE, {"limiter_link"}, NULL},
      {WITH(RATES "loopback_bw=\"fast\""), SGF_SYNTAX, CLUSTER_LINE, {"loopback_bw: ", "fast"}, NULL},
      {WITH(RATES "loopback_lat=\"1fs\""), SGF_UNIT, CLUSTER_LINE, {"loopback_lat: ", "fs"}, NULL},
      {WITH(RATES "bb_bw=\"1GBps\""), SGF_RULE, CLUSTER_LINE, {"\"fl\"", "backbone", "bb_bw"}, NULL},
      {WITH(RATES "bb_lat=\"1us\""), SGF_RULE, CLUSTER_LINE, {"\"fl\"", "backbone", "bb_lat"}, NULL},
      {WITH(RATES "bb_bw=\"much\""), SGF_SYNTAX, CLUSTER_LINE, {"bb_bw: ", "much"}, NULL},
      {WITH(RATES "topo_parameters=\"1;4;1;1\""), SGF_RULE, CLUSTER_LINE, {"topo_parameters", "FAT_TREE"}, NULL},
      {WITH(RATES "router_id=\"r\xc3\xa9\""), SGF_SYNTAX, CLUSTER_LINE, {"ASCII"}, NULL},
      {TREE("0-3", SMALL, "router_id=\"r\"", ""), SGF_RULE, CLUSTER_LINE, {"router_id has no effect"}, NULL},
      {TREE("0-3", SMALL, "bb_bw=\"1GBps\"", ""), SGF_RULE, CLUSTER_LINE, {"bb_bw has no effect"}, NULL},
      {ZONE(CLUSTER("", "h", "0-3", RATES, "")), SGF_SYNTAX, CLUSTER_LINE, {"empty id"}, NULL},
      {ZONE(CLUSTER("fl", "\xc3\xa9", "0-3", RATES, "")), SGF_SYNTAX, CLUSTER_LINE, {"ASCII"}, NULL},
  };
  CHECK(refusals);
}

SGF_TEST(properties)
{
#define LATENCY(value) PROP("fabric.host_link_latency", value)
  static const refusal_t refusals[] = {
      {TREE("0-3", SMALL, "", LATENCY("1fs")), SGF_UNIT, PROP_LINE, {"fabric.host_link_latency", "fs"}, NULL},
      {TREE("0-3", SMALL, "", LATENCY("soon")), SGF_SYNTAX, PROP_LINE, {"fabric.host_link_latency", "soon"}, NULL},
      {TREE("0-3", SMALL, "", LATENCY("0.5ps")), SGF_RANGE, PROP_LINE, {"h0-ft.l1.0", "0.5ps"}, NULL},
      {TREE("0-3", SMALL, "", LATENCY("2000s")), SGF_RANGE, PROP_LINE, {"h0-ft.l1.0", "2000s"}, NULL},
      {TREE("0-3", SMALL, "", LATENCY("1ns") LATENCY("2ns")), SGF_AMBIGUOUS, PROP_LINE + 1, {"line 8"}, NULL},
      {FLAT("0-3", "", LATENCY("1ns")), SGF_RULE, PROP_LINE, {"host_link_latency", "write it into lat"}, NULL},
      {ZONE(LATENCY("1ns") TREE_OF("ft", "h", "0-3", SMALL, "", "")), SGF_RULE, 6, {"zone", "a cluster"}, NULL},
      {TREE("0-3", SMALL, "", PROP("fabric.cables", "2")), SGF_RULE, PROP_LINE, {"cluster", "a link"}, NULL},
      {TREE("0-3", SMALL, "", PROP("fabric.host_link_delay", "1ns")),
       SGF_UNKNOWN,
       PROP_LINE,
       {"did you mean host_link_latency?"},
       NULL},
      {TREE("0-3", SMALL, "", PROP("nic.Color", "1")), SGF_UNKNOWN, PROP_LINE, {"Color"}, NULL},
      {TREE("0-3", SMALL, "", PROP("switch[ft.l3.*].EcnHandler.MinThreshold", "0.1")),
       SGF_UNKNOWN,
       PROP_LINE,
       {"\"ft.l3.*\""},
       NULL},
      {ZONE(CLUSTER("fl", "a", "0-1", RATES, "")
                CLUSTER("ft", "h", "0-3", RATES "topology=\"FAT_TREE\" topo_parameters=\"" SMALL "\"",
                        NO_NIC LATENCY("1ns")) LINK ZONE_ROUTE("fl", "ft", "afl_router", "h0")),
       SGF_NO_NIC,
       12,
       {"host_link_latency", "no host in zone \"ft\" has a NIC"},
       NULL},
      {TREE("0-3", SMALL, "", ""),
       SGF_UNKNOWN,
       0,
       {"net.dc.ft.l3.0.switch", "router"},
       "net.dc.ft.l3.0.switch.EcnHandler.MinThreshold=0.1"},
      {TREE("0-3", SMALL, "", ""), SGF_UNKNOWN, 0, {"did you mean net.dc.ft.h2?"}, "net.ft.h2.nic.RdmaDataMSS=2048"},
  };
  CHECK(refusals);
}

#define TWO(id, prefix) CLUSTER(id, prefix, "0-1", RATES, "")

SGF_TEST(ways_into_clusters)
{
  static const refusal_t refusals[] = {
      {ZONE(TWO("fl", "a") TREE_OF("ft", "h", "0-3", SMALL, "", "")
                LINK ZONE_ROUTE("fl", "ft", "afl_router", "ft.l2.0")),
       SGF_TOPOLOGY,
       13,
       {"\"ft.l2.0\"", "SimGrid does not know"},
       NULL},
      {ZONE(TWO("fl", "a") TREE_OF("ft", "h", "0-3", SMALL, "", "") LINK ZONE_ROUTE("fl", "ft", "afl_router", "h0")),
       SGF_TOPOLOGY,
       13,
       {"out of cluster \"ft\"", "\"h0\"", "never forwards"},
       NULL},
      {ZONE(TWO("fl", "a") TREE_OF("ft", "h", "0-3", SMALL, "", "")),
       SGF_TOPOLOGY,
       7,
       {"\"fl\"", "connected to nothing", "zoneRoute"},
       NULL},
      {ZONE(TWO("fl", "a") TWO("f2", "b") LINK ZONE_ROUTE("fl", "f2", "a0", "bf2_router")),
       SGF_TOPOLOGY,
       7,
       {"\"a0\"", "2 cables", "hosts never forward"},
       NULL},
      {ZONE(TWO("fl", "a") TWO("f2", "b") LINK ZONE_ROUTE("fl", "f2", "afl_ruter", "bf2_router")),
       SGF_UNKNOWN,
       13,
       {"\"afl_ruter\"", "did you mean afl_router?"},
       NULL},
  };
  CHECK(refusals);
}

SGF_TEST(names)
{
  static const refusal_t refusals[] = {
      {ZONE(TWO("fl", "a") TWO("fl", "b")), SGF_TOPOLOGY, 10, {"\"fl\"", "already"}, NULL},
      {ZONE(TWO("fl", "a") TWO("f2", "a")), SGF_TOPOLOGY, 10, {"\"a0\"", "line 7 already"}, NULL},
      {ZONE(TWO("fl", "a") "<link id=\"fl_link_1\" bandwidth=\"1Gbps\" latency=\"1us\"/>\n"),
       SGF_TOPOLOGY,
       9,
       {"\"fl_link_1\"", "line 7 already"},
       NULL},
      {ZONE(TWO("fl", "a") "<link id=\"fl_link_1_UP\" bandwidth=\"1Gbps\" latency=\"1us\"/>\n"),
       SGF_TOPOLOGY,
       9,
       {"\"fl_link_1_UP\"", "line 7 already"},
       NULL},
      {ZONE(CLUSTER("fl", "a", "0-1", RATES "loopback_bw=\"1GBps\"",
                    "") "<link id=\"fl_link_1_loopback\" bandwidth=\"1Gbps\" latency=\"1us\"/>\n"),
       SGF_TOPOLOGY,
       9,
       {"\"fl_link_1_loopback\"", "line 7 already"},
       NULL},
      {ZONE("<zone id=\"z\" routing=\"None\">\n<router id=\"r\"/>\n</zone>\n" TREE_OF(
           "ft", "h", "0-3", SMALL, "",
           "") "<zoneRoute src=\"z\" dst=\"ft\" gw_src=\"r\" gw_dst=\"h0\">\n<link_ctn id=\"h0-ft.l1.0\" "
               "direction=\"UP\"/></zoneRoute>\n"),
       SGF_UNKNOWN,
       13,
       {"no link \"h0-ft.l1.0\""},
       NULL},
  };
  CHECK(refusals);
}

SGF_TEST(places)
{
#define LONE "<host id=\"a\" speed=\"1f\"/>\n"
  static const refusal_t refusals[] = {
      {ZONE(LONE TWO("fl", "b")), SGF_TOPOLOGY, 8, {"<cluster>", "never both"}, NULL},
      {ZONE(TWO("fl", "b") LONE), SGF_TOPOLOGY, 9, {"<host>", "never both"}, NULL},
      {ZONE(LINK TWO("fl", "b")), SGF_SYNTAX, 8, {"<cluster> comes too late", "before the first link"}, NULL},
      {ZONE(LINK "<zone id=\"y\" routing=\"Full\">\n" LONE "</zone>\n"),
       SGF_SYNTAX,
       7,
       {"<zone> comes too late"},
       NULL},
      {SCENARIO_HEAD "<platform version=\"4.1\">\n" TWO("fl", "a") TWO("f2", "b") "</platform>\n",
       SGF_TOPOLOGY,
       8,
       {"a second outermost zone"},
       NULL},
      {ZONE(CLUSTER("fl", "a", "0-1", RATES, LONE)), SGF_SYNTAX, 8, {"<host> cannot stand in <cluster>"}, NULL},
  };
  CHECK(refusals);
}
