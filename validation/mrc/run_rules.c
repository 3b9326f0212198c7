/* spec/mrc-nic.md 3 and 14 through platform files: what stops a run, and what the numbers of one that starts are
 * (MR-01, MR-02, MR-06 to MR-09, MR-11, MR-16, MR-20, MR-24, MR-25, MR-64, MR-67, MR-68). */
#include "harness.h"
#include "mrc_run_support.h"
#include "scenario/scenario_support.h"

#include <sgfabric/explain.h>
#include <stdio.h>
#include <string.h>

/* ---- Rules (3) --------------------------------------------------------------------------------------------------- */

#define PLATFORM(second)                                                                                               \
  SCENARIO_HEAD "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Dijkstra\">\n"                                   \
                "<prop id=\"nic\" value=\"mrc\"/>\n"                                                                   \
                "<host id=\"h0\" speed=\"1Tf\"/>\n<host id=\"h1\" speed=\"1Tf\">" second "</host>\n"                   \
                "<router id=\"tor\"/>\n"                                                                               \
                "<link id=\"c0\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"           \
                "<link id=\"c1\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"           \
                "<route src=\"h0\" dst=\"tor\"><link_ctn id=\"c0\" direction=\"UP\"/></route>\n"                       \
                "<route src=\"h1\" dst=\"tor\"><link_ctn id=\"c1\" direction=\"UP\"/></route>\n"                       \
                "</zone>\n</platform>\n"

/* What a platform with some assignments comes to; `says`, or NULL: a text of the message. */
static bool loads_to(sgf_status_t status, const char* platform, const char* const* assignments, const char* says)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = scenario_load(platform, assignments, &error);
  const bool agrees        = error.status == status && (scenario != NULL) == (status == SGF_OK) &&
                      (says == NULL || strstr(error.text, says) != NULL);
  if (!agrees)
    printf("\n  %s: %d: %s\n", assignments[0], (int)error.status, error.text);
  sgf_scenario_free(scenario);
  return agrees;
}

#define COMES_TO(status, says, ...) CU_ASSERT(loads_to(status, PLATFORM(""), RUN_SETTINGS(__VA_ARGS__), says))

#define EGRESS "**.nic.EgressBufferManager.TotalBufferSize="
#define INGRESS "**.nic.IngressBufferManager.TotalBufferSize="
#define WIRE "**.nic.RTTTimestampMode=WireTimestamp"

SGF_TEST(MR_64_the_smallest_transmit_buffer_holds_one_full_packet)
{
  static const char what[] = "EgressBufferManager.TotalBufferSize";
  COMES_TO(SGF_RULE, what, EGRESS "4637B");
  COMES_TO(SGF_OK, NULL, EGRESS "4638B");
  COMES_TO(SGF_RULE, what, EGRESS "4642B", WIRE);
  COMES_TO(SGF_OK, NULL, EGRESS "4643B", WIRE);
}

SGF_SCENARIO(MR_64_with_the_smallest_buffer_packets_leave_one_at_a_time)
{
  mrun_cable_of(RUN_SETTINGS(EGRESS "4638B"));
  run_write(0, 1, 3 * MRUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), MRUN_FULL);
  for (int64_t n = 0; n < 3; n++) /* each release is a crossing: 15 ns, a fetch, a packet */
    CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, (size_t)n), mrun_arrival(1) + n * (15000 + mrun_fetch + mrun_wire));
}

SGF_TEST(section_3_what_stops_a_run)
{
  COMES_TO(SGF_RULE, "IngressBufferManager.TotalBufferSize", INGRESS "4637B");
  COMES_TO(SGF_RULE, "control", "**.nic.MSS=1B", EGRESS "930B");
  COMES_TO(SGF_RULE, "MSS", "**.nic.MSS=4106B");
  COMES_TO(SGF_RULE, "MSS", "**.nic.MSS=4102B", WIRE);
  COMES_TO(SGF_OK, NULL, "**.nic.MSS=4105B");
  COMES_TO(SGF_OK, NULL, "**.nic.MSS=4101B", WIRE);
  COMES_TO(SGF_RANGE, "MSS", "**.nic.MSS=0B");
  COMES_TO(SGF_RANGE, "LaneCount", "**.nic.NicPCIeInterface.PhysicalLayer.LaneCount=0");
  COMES_TO(SGF_RANGE, "LaneCount", "**.nic.HostPCIeInterface.PhysicalLayer.LaneCount=17");
  COMES_TO(SGF_SYNTAX, "PsnWindowUnits", "**.nic.PsnWindowUnits=8.5");
  COMES_TO(SGF_SYNTAX, "TrimmingEnabled", "**.nic.TrimmingEnabled=yes");
  COMES_TO(SGF_RULE, "BufferSize", "**.nic.NicPCIeInterface.TransactionLayer.TXDataBufferSize=4095B");
}

#define POLICY "**.switch.UETPolicyEnabled=true"
#define TRIMMING "**.switch.PacketTrimmer.TrimmingEnabled=true"
#define NO_PFC "**.switch.EnablePFC=[0, 0, 0, 0, 0, 0, 0, 0]"
#define ONE_PFC "**.switch.EnablePFC=[1, 0, 0, 0, 0, 0, 0, 0]"

SGF_TEST(MR_68_the_UET_policy_takes_MRC_NICs_trimming_takes_no_PFC_and_no_RoCE_NIC)
{
  COMES_TO(SGF_OK, NULL, POLICY);
  COMES_TO(SGF_OK, NULL, POLICY, TRIMMING, NO_PFC);
  COMES_TO(SGF_RULE, "TrimmingEnabled", POLICY, TRIMMING, ONE_PFC);
  COMES_TO(SGF_RULE, "TrimmingEnabled", TRIMMING, NO_PFC);
  CU_ASSERT(loads_to(SGF_RULE, PLATFORM("<prop id=\"nic\" value=\"roce\"/>"), RUN_SETTINGS(POLICY, NO_PFC), "'h1'"));
  CU_ASSERT(loads_to(SGF_OK, PLATFORM("<prop id=\"nic\" value=\"uet\"/>"), RUN_SETTINGS(POLICY, NO_PFC), NULL));
}

/* ---- Numbers of a platform that starts --------------------------------------------------------------------------- */

static void check_facts(const run_fact_t* facts, size_t count, const char* const* settings)
{
  run_cable_of("mrc", "100ns", settings);
  run_check_facts(facts, count);
}

SGF_SCENARIO(MR_06_to_MR_67_numbers_that_are_told_before_a_run)
{
  static const run_fact_t facts[] = {
      {"packets in the transmit pool", 55},          /* MR-06 */
      {"generation restarts at", 115200},            /* MR-25 */
      {"cumulative ACKs in the transmit pool", 412}, /* MR-09 */
      {"packets in the receive pool", 862},          /* MR-11 */
      {"largest window", 450000},                    /* MR-24 */
      {"packets in it", 108},                        /* MR-67 */
      {"packets in the PSN window", 1024},
      {"first timeout", 150 * OPP_US},
  };
  check_facts(facts, sizeof facts / sizeof *facts, NULL);
}

SGF_SCENARIO(MR_07_with_WireTimestamp_55_packets_are_told)
{
  static const run_fact_t facts[] = {{"packets in the transmit pool", 55}, {"packets in the receive pool", 861}};
  check_facts(facts, 2, RUN_SETTINGS(WIRE));
}

SGF_SCENARIO(MR_08_with_an_MSS_of_1024_B_209_packets_are_told)
{
  static const run_fact_t facts[] = {{"packets in the transmit pool", 209}};
  check_facts(facts, 1, RUN_SETTINGS("**.nic.MSS=1024B"));
}

SGF_SCENARIO(MR_01_and_MR_02_and_MR_16_and_MR_20_pools_and_lanes_that_are_told_before_a_run)
{
  run_cable_of("mrc", "100ns", RUN_SETTINGS("**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=13"));
  const sgf_nic_facts_t facts = sgf_explain_nic(sgf_fabric_host(sg_fabric_get(), 0));
  CU_ASSERT_EQUAL(facts.classes[0].egress, 230400);
  CU_ASSERT_EQUAL(facts.classes[1].egress, 25600);
  CU_ASSERT_EQUAL(facts.classes[0].ingress, 3600000);
  CU_ASSERT_EQUAL(facts.classes[1].ingress, 400000);
  CU_ASSERT_FALSE(facts.classes[0].pauses || facts.classes[1].pauses);
  CU_ASSERT_EQUAL(facts.largest_frame, 4174);
  CU_ASSERT_EQUAL(facts.to_host_bps, INT64_C(504320000000));
  CU_ASSERT_EQUAL(facts.to_nic_bps, INT64_C(504320000000));
  const sgf_nic_facts_t of_13 = sgf_explain_nic(sgf_fabric_host(sg_fabric_get(), 1));
  CU_ASSERT_EQUAL(of_13.to_host_bps, INT64_C(409760000000));
}
