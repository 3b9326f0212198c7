/* Start-up through a platform file: what a switch makes of its attributes in a SimGrid simulation. spec/switch.md 3,
 * replays of 10.1 and 10.13. */
#include "harness.h"
#include "simulation_support.h"

#include "scenario/scenario_support.h"

#include <string.h>

enum { D128 = 128 };

/* A star that is about to carry traffic; the results of start-up are to be read. */
static sgf_shared_buffer_t* started(unsigned hosts, const char* const* properties)
{
  sim_star(&(star_t){.hosts = hosts, .properties = properties});
  sim_write_packets(0, 1, 1, 1e-6);
  return sim_buffer();
}

/* ---------------------------------------------------------------------------------------------- 10.1 Start-up, D128 */

/* What the report says of a port's share of a pool. */
static void check_pool_of_port(const char* port, const char* pool, int64_t xoff, int64_t headroom)
{
  sgf_report_t* report = sgf_report_new(sim_fabric());
  unsigned found       = 0;
  for (size_t i = 0; i < report->pool_count; i++) {
    const sgf_pool_peak_t* row = &report->pools[i];
    if (strcmp(row->owner, port) != 0 || strncmp(row->pool, pool, strlen(pool)) != 0)
      continue;
    found++;
    if (strstr(row->pool, "ingress"))
      CU_ASSERT_EQUAL(row->xoff, xoff);
    if (strstr(row->pool, "headroom"))
      CU_ASSERT_EQUAL(row->size, headroom);
  }
  CU_ASSERT_EQUAL(found, 2);
  sgf_report_free(report);
}

SGF_SCENARIO(SW_01_to_SW_06_start_up_of_D128)
{
  const sgf_shared_buffer_t* sb = started(D128, SIM_PROPERTIES(SIM_PACKETS("6us")));
  CU_ASSERT_EQUAL(sim_switch()->port_count, D128);
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(sb), 32768000);
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(sb), 223232000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 200908800);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 22323200);
  for (unsigned pool = 2; pool < SGF_SB_POOLS; pool++)
    CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, pool), 0);
  CU_ASSERT_EQUAL(sgf_sb_group(sb, 0), 1 << 0);
  CU_ASSERT_EQUAL(sgf_sb_group(sb, 1), 1 << 1);
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++) {
    CU_ASSERT_EQUAL(sgf_sb_lossless(sb, tc), tc < 2);
    CU_ASSERT_EQUAL(sgf_sb_pool_of(sb, tc), tc == 1);
  }
  CU_ASSERT(sgf_sb_pool_size(sb, 0) < 230400000 && sgf_sb_pool_size(sb, 1) < 25600000); /* SW-03 */
  CU_ASSERT_EQUAL(sgf_sb_static_limit(sb, 0), 200908800); /* SW-05: 0.2 and 0.8 of it are the ECN band */
  CU_ASSERT_EQUAL(sgf_sb_static_limit(sb, 1), 22323200);
  sim_run();
  check_pool_of_port("s0 port 0", "pool0", 700000, 256000); /* SW-06: data came in on port 0, its ACK on port 1 */
  check_pool_of_port("s0 port 1", "pool1", 700000, 256000);
}

SGF_SCENARIO(SW_13_p_counts_the_links_of_the_platform)
{
  const sgf_shared_buffer_t* sb = started(64, SIM_PROPERTIES(SIM_PACKETS("6us")));
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(sb), 16384000);
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(sb), 239616000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 215654400);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 23961600);
  sim_run();
}

SGF_SCENARIO(SW_14_and_SW_19_with_an_alpha_of_0_only_the_egress_limits_change)
{
  const sgf_shared_buffer_t* sb = started(D128, SIM_PROPERTIES(SIM_PACKETS("6us"), "switch.LossyAlpha", "0"));
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), 1569600);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 1), 174400);
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(sb), 32768000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 200908800);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 22323200);
  sim_run();
}

SGF_SCENARIO(SW_15_a_fixed_cap_for_every_pool)
{
  const sgf_shared_buffer_t* sb = started(
      D128, SIM_PROPERTIES(SIM_PACKETS("6us"), "switch.LossyAlpha", "0", "switch.QueueDropThresholdEnable", "true"));
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), 1500000);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 1), 1500000);
  sim_run();
}

SGF_SCENARIO(SW_83_excess_is_taken_from_the_last_pool)
{
  const sgf_shared_buffer_t* sb =
      started(D128, SIM_PROPERTIES(SIM_PACKETS("6us"), "switch.PoolAllocationMap", "[0.9, 0.2, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 22323200);
  CU_ASSERT_EQUAL(sgf_sb_pool_raw_size(sb, 1), 44646400);
  sim_run();
}

SGF_SCENARIO(SW_85_shortfall_goes_to_the_last_pool)
{
  const sgf_shared_buffer_t* sb =
      started(D128, SIM_PROPERTIES(SIM_PACKETS("6us"), "switch.PoolAllocationMap", "[0.5, 0.3, 0, 0, 0, 0, 0, 0]",
                                   "switch.LossyAlpha", "0"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 111616000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 111616000);
  CU_ASSERT_EQUAL(sgf_sb_static_limit(sb, 1), 523200);
  sim_run();
}

SGF_SCENARIO(SW_110_excess_equal_to_the_last_entry_is_accepted)
{
  const sgf_shared_buffer_t* sb =
      started(D128, SIM_PROPERTIES(SIM_PACKETS("6us"), "switch.PoolAllocationMap", "[1.0, 0.1, 0, 0, 0, 0, 0, 0]",
                                   "switch.TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 223232000);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 0);
  sim_run();
}

SGF_SCENARIO(SW_111_rounding_goes_to_the_last_pool)
{
  const sgf_shared_buffer_t* sb = started(
      7, SIM_PROPERTIES(SIM_PACKETS("6us"), "switch.PoolAllocationMap", "[0.33333, 0.33333, 0.33334, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 84735152);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 1), 84735152);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 2), 84737696);
  sim_run();
}

SGF_SCENARIO(SW_112_pools_0_and_3_only)
{
  const sgf_shared_buffer_t* sb =
      started(D128, SIM_PROPERTIES(SIM_PACKETS("6us"), "switch.PoolAllocationMap", "[0.5, 0, 0, 0.4, 0, 0, 0, 0]",
                                   "switch.TrafficClassPoolMapping", "[0, 3, 0, 0, 0, 0, 0, 0]", "switch.EnablePFC",
                                   "[1, 0, 0, 0, 0, 0, 0, 0]"));
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, pool), pool == 0 || pool == 3 ? 111616000 : 0);
  sim_run();
}

/* ------------------------------------------------------------------------------------------------------- Link rates */

#define ROUTER_ZONE(id, router) "<zone id=\"" id "\" routing=\"None\">\n<router id=\"" router "\"/>\n</zone>\n"
#define RACK_ZONE(id, host, router, link)                                                                              \
  "<zone id=\"" id "\" routing=\"Dijkstra\">\n<host id=\"" host "\" speed=\"1Tf\"/>\n<router id=\"" router             \
  "\"/>\n<link id=\"" link                                                                                             \
  "\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n<route src=\"" host "\" dst=\"" router \
  "\"><link_ctn id=\"" link "\" direction=\"UP\"/></route>\n</zone>\n"
#define UPLINK(id) "<link id=\"" id "\" bandwidth=\"800Gbps\" latency=\"750ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
#define ZONE_ROUTE(rack, leaf, link)                                                                                   \
  "<zoneRoute src=\"" rack "\" dst=\"top\" gw_src=\"" leaf "\" gw_dst=\"spine\"><link_ctn id=\"" link                  \
  "\" direction=\"UP\"/></zoneRoute>\n"

/* Two leaves under a spine, cables of 800 Gbps and 750 ns between them. */
static const char* const leaves_and_spine = SCENARIO_HEAD
    "<platform version=\"4.1\">\n<zone id=\"dc\" routing=\"Dijkstra\">\n<prop id=\"nic\" value=\"uet\"/>\n" RACK_ZONE(
        "ra", "a", "leaf0", "ca") RACK_ZONE("rb", "b", "leaf1", "cb") ROUTER_ZONE("top", "spine") UPLINK("u0")
        UPLINK("u1") ZONE_ROUTE("ra", "leaf0", "u0") ZONE_ROUTE("rb", "leaf1", "u1") "</zone>\n</platform>\n";

SGF_TEST(SW_11_a_link_runs_at_the_lesser_rate_of_its_two_ends)
{
  const struct {
    const char* up;
    const char* down;
    int64_t gbps;
  } cases[] = {
      {"**.leaf0.switch.UplinkNetworkInterface.DataRate=800Gbps",
       "**.spine.switch.DownlinkNetworkInterface.DataRate=800Gbps", 800},
      {"**.leaf0.switch.UplinkNetworkInterface.DataRate=800Gbps",
       "**.spine.switch.DownlinkNetworkInterface.DataRate=400Gbps", 400},
      {"**.leaf0.switch.UplinkNetworkInterface.DataRate=400Gbps",
       "**.spine.switch.DownlinkNetworkInterface.DataRate=800Gbps", 400},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_error_t error = {0};
    sgf_scenario_t* scenario =
        scenario_load(leaves_and_spine, (const char* const[]){cases[i].up, cases[i].down, NULL}, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
    const sgf_device_t* leaf = sgf_fabric_find(sgf_scenario_fabric(scenario), "leaf0");
    for (unsigned port = 0; port < sgf_device_port_count(leaf); port++) {
      const bool is_uplink = sgf_device_is_switch(sgf_device_peer(leaf, port));
      CU_ASSERT_EQUAL(sgf_device_port_bps(leaf, port), (is_uplink ? cases[i].gbps : 400) * INT64_C(1000000000));
      CU_ASSERT_EQUAL(sgf_device_port_delay(leaf, port), (is_uplink ? 750 : 100) * OPP_NS);
    }
    sgf_scenario_free(scenario);
  }
}
