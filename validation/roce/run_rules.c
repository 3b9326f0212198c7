/* spec/roce-nic.md 3 and 14 through platform files: what stops a run, and what the numbers of one that starts are
 * (RO-01 to RO-03, RO-06 to RO-10, RO-12, RO-13, RO-14, RO-17, RO-21, RO-25, RO-26, RO-73). */
#include "harness.h"
#include "roce_run_support.h"
#include "scenario/scenario_support.h"

#include <sgfabric/explain.h>
#include <stdio.h>
#include <string.h>

/* ---- Rules (3) --------------------------------------------------------------------------------------------------- */

static const char platform[] =
    SCENARIO_HEAD "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Dijkstra\">\n"
                  "<prop id=\"nic\" value=\"roce\"/>\n"
                  "<host id=\"h0\" speed=\"1Tf\"/>\n<host id=\"h1\" speed=\"1Tf\"/>\n<router id=\"tor\"/>\n"
                  "<link id=\"c0\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                  "<link id=\"c1\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                  "<route src=\"h0\" dst=\"tor\"><link_ctn id=\"c0\" direction=\"UP\"/></route>\n"
                  "<route src=\"h1\" dst=\"tor\"><link_ctn id=\"c1\" direction=\"UP\"/></route>\n"
                  "</zone>\n</platform>\n";

/* What a platform with one assignment more comes to; `says`, or NULL: a text of the message. */
static bool comes_to(sgf_status_t status, const char* assignment, const char* says)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = scenario_load(platform, RUN_SETTINGS(assignment), &error);
  const bool agrees        = error.status == status && (scenario != NULL) == (status == SGF_OK) &&
                      (says == NULL || strstr(error.text, says) != NULL);
  if (!agrees)
    printf("\n  %s: %d: %s\n", assignment, (int)error.status, error.text);
  sgf_scenario_free(scenario);
  return agrees;
}

SGF_TEST(RO_06_the_largest_MSS_is_4125_B_with_an_Mtu_of_4184)
{
  CU_ASSERT(comes_to(SGF_OK, "**.nic.MSS=4125B", NULL));
  CU_ASSERT(comes_to(SGF_RULE, "**.nic.MSS=4126B", "4125 B for MSS"));
}

SGF_SCENARIO(RO_06_packets_of_4125_B_have_4183_B_on_the_wire)
{
  rrun_cable_of(RUN_SETTINGS("**.nic.MSS=4125B"));
  run_write(0, 1, 3 * 4125, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(rrun_count(ROCE_DATA, true), 3);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_DATA, true, 2)->bytes, 4183);
}

SGF_TEST(RO_73_what_stops_a_run)
{
#define SHARES(manager, value) "**.nic." manager ".PoolAllocationVector=" value
  static const char* const managers[] = {SHARES("IngressBufferManager", "[-0.1, 0.1, 0, 0, 0, 0, 0, 0]"),
                                         SHARES("EgressBufferManager", "[-0.1, 0.1, 0, 0, 0, 0, 0, 0]")};
  for (size_t i = 0; i < sizeof managers / sizeof *managers; i++)
    CU_ASSERT(comes_to(SGF_RANGE, managers[i], "PoolAllocationVector"));
  CU_ASSERT(comes_to(SGF_SYNTAX, SHARES("IngressBufferManager", "[x, 0.1, 0, 0, 0, 0, 0, 0]"), "PoolAllocationVector"));
  CU_ASSERT(comes_to(SGF_SYNTAX, SHARES("EgressBufferManager", "[x, 0.1, 0, 0, 0, 0, 0, 0]"), "PoolAllocationVector"));
  CU_ASSERT(comes_to(SGF_RULE, SHARES("IngressBufferManager", "[0, 0, 0, 0, 0, 0, 0, 0]"), "PoolAllocationVector"));
  CU_ASSERT(comes_to(SGF_RULE, SHARES("EgressBufferManager", "[0, 0, 0, 0, 0, 0, 0, 0]"), "PoolAllocationVector"));
  CU_ASSERT(comes_to(SGF_SYNTAX, "**.nic.QuantaValue=[1.5, 1, 0, 0, 0, 0, 0, 0]", "QuantaValue"));
  CU_ASSERT(
      comes_to(SGF_SYNTAX, "**.nic.EgressBufferManager.WRRQueueWeights=[1.5, 1, 0, 0, 0, 0, 0, 0]", "WRRQueueWeights"));
  CU_ASSERT(comes_to(SGF_RANGE, "**.nic.MSS=0B", "MSS"));
  CU_ASSERT(comes_to(SGF_RANGE, "**.nic.MSS=9217B", "MSS"));
  CU_ASSERT(comes_to(SGF_RANGE, "**.nic.NicPCIeInterface.PhysicalLayer.LaneCount=0", "LaneCount"));
  CU_ASSERT(comes_to(SGF_RANGE, "**.nic.NicPCIeInterface.PhysicalLayer.LaneCount=17", "LaneCount"));
  CU_ASSERT(comes_to(SGF_RANGE, "**.nic.HostPCIeInterface.PhysicalLayer.LaneCount=0", "LaneCount"));
  CU_ASSERT(comes_to(SGF_RANGE, "**.nic.HostPCIeInterface.PhysicalLayer.LaneCount=17", "LaneCount"));
}

SGF_TEST(RO_73_a_switch_with_its_UET_policy_on_stops_the_run)
{
  CU_ASSERT(comes_to(SGF_RULE, "**.switch.UETPolicyEnabled=true", "UETPolicyEnabled"));
}

/* ---- Numbers of a platform that starts --------------------------------------------------------------------------- */

SGF_SCENARIO(RO_01_to_RO_26_numbers_that_are_told_before_a_run)
{
  static const run_fact_t facts[] = {
      {"packets in the transmit pool", 55},               /* RO-07 */
      {"generation restarts at", 115200},                 /* RO-01 */
      {"acknowledgements in the transmit pool", 203},     /* RO-26 */
      {"packets in the receive pool", 870},               /* RO-12 */
      {"rate control runs every", 22500 * OPP_NS},        /* RO-21 */
      {"a full packet at the lowest rate takes", 830800}, /* RO-25 */
      {"packets for one acknowledgement", 17},            /* RO-17 */
  };
  run_cable_of("roce", "100ns", NULL);
  run_check_facts(facts, sizeof facts / sizeof *facts);
}

SGF_SCENARIO(RO_01_to_RO_14_pools_thresholds_pauses_and_lanes_that_are_told_before_a_run)
{
  static const sgf_nic_class_t expected[] = {{230400, 3600000, 2880000, 1440000, 720000, true, 83984800, 41992400},
                                             {25600, 400000, 320000, 160000, 80000, true, 83984800, 41992400}};
  run_cable_of("roce", "100ns", RUN_SETTINGS("**.h1.pcie=gen3 x16"));
  const sgf_nic_facts_t facts = sgf_explain_nic(sgf_fabric_host(sg_fabric_get(), 0));
  for (unsigned tc = 0; tc < 2; tc++) {
    CU_ASSERT_EQUAL(facts.classes[tc].egress, expected[tc].egress);
    CU_ASSERT_EQUAL(facts.classes[tc].ingress, expected[tc].ingress);
    CU_ASSERT_EQUAL(facts.classes[tc].xoff, expected[tc].xoff);
    CU_ASSERT_EQUAL(facts.classes[tc].xon, expected[tc].xon);
    CU_ASSERT_EQUAL(facts.classes[tc].headroom, expected[tc].headroom);
    CU_ASSERT_EQUAL(facts.classes[tc].pauses, expected[tc].pauses);
    CU_ASSERT_EQUAL(facts.classes[tc].pause_time, expected[tc].pause_time);
    CU_ASSERT_EQUAL(facts.classes[tc].refresh, expected[tc].refresh);
    CU_ASSERT(facts.classes[tc].headroom > 18368); /* RO-09 */
  }
  CU_ASSERT_EQUAL(facts.largest_frame, 4154);
  CU_ASSERT_EQUAL(facts.largest_packet, 4136);
  CU_ASSERT_EQUAL(facts.to_host_bps, INT64_C(504320000000));
  CU_ASSERT_EQUAL(facts.to_nic_bps, INT64_C(504320000000));
  CU_ASSERT_EQUAL(sgf_explain_nic(sgf_fabric_host(sg_fabric_get(), 1)).to_host_bps, INT64_C(126080000000));
}
