/* Rules of spec/uet-nic.md 3.3 to 3.5 that stop a run, through a platform file: each is refused before anything moves,
 * with file, line, host, attribute and value. */
#include "harness.h"
#include "scenario/scenario_support.h"
#include "switch/simulation_support.h"

#include <sgfabric/simgrid.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 2 };

/* Two hosts around a switch, with the properties; NULL: it is refused. */
static sgf_scenario_t* load(const char* const* properties, sgf_error_t* error)
{
  char* text               = sim_star_text(&(star_t){.hosts = HOSTS, .properties = properties});
  sgf_scenario_t* scenario = scenario_load(text, NULL, error);
  free(text);
  return scenario;
}

static bool says_all(const sgf_error_t* error, sgf_status_t status, int line, const char* const* says)
{
  bool all = error->status == status && error->file[0] != '\0' && error->line == line;
  for (; *says != NULL; says++)
    all = all && strstr(error->text, *says) != NULL;
  return all;
}

/* True: refused with this status, in this line, by a message that says all of it. */
static bool is_refused(const char* const* properties, sgf_status_t status, int line, const char* const* says)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = load(properties, &error);
  const bool refused       = scenario == NULL && says_all(&error, status, line, says);
  if (!refused)
    printf("\n  %s: %d, %s:%d: %s\n", properties[1], (int)error.status, error.file, error.line,
           scenario != NULL ? "accepted" : error.text);
  sgf_scenario_free(scenario);
  return refused;
}

static bool is_accepted(const char* const* properties)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = load(properties, &error);
  if (scenario == NULL)
    printf("\n  %s:%d: %s\n", error.file, error.line, error.text);
  sgf_scenario_free(scenario);
  return scenario != NULL;
}

/* A value that is wrong by itself stops in the line of its property; the message shows it and names the attribute. */
static bool value_is_refused(sgf_status_t status, const char* id, const char* value)
{
  return is_refused(SIM_PROPERTIES(id, value), status, SIM_FIRST_PROPERTY,
                    (const char* const[]){strrchr(id, '.') + 1, value, NULL});
}

/* A broken rule stops in the line of the first host that it is about. */
#define RULE_STOPS(properties, count, ...)                                                                             \
  is_refused(properties, SGF_RULE, SIM_FIRST_PROPERTY + (count), (const char* const[]){"'h0'", __VA_ARGS__, NULL})

/* ---- The prefetch buffer (UN-96) --------------------------------------------------------------------------------- */

SGF_TEST(UN_96_a_buffer_below_4202_bytes_is_refused_even_when_disabled)
{
  CU_ASSERT(value_is_refused(SGF_RANGE, "nic.PrefetchBufferSize", "4201"));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("nic.PrefetchBufferSize", "4202")));
}

SGF_TEST(UN_96_an_enabled_buffer_holds_one_full_packet)
{
#define BUFFER(enabled, size)                                                                                          \
  SIM_PROPERTIES("nic.RdmaDataMSS", "8192", "nic.PrefetchBufferEnable", enabled, "nic.PrefetchBufferSize", size)
  CU_ASSERT(RULE_STOPS(BUFFER("true", "8297"), 3, "PrefetchBufferSize", "8297 B", "RdmaDataMSS 8192", "8298 B"));
  CU_ASSERT(is_accepted(BUFFER("true", "8298")));
  CU_ASSERT(is_accepted(BUFFER("false", "8297")));
}

/* ---- Pools and turns (UN-155, UN-156) ---------------------------------------------------------------------------- */

SGF_TEST(UN_155_fewer_than_two_pools_stop)
{
#define SHARES(manager) "nic." manager ".PoolAllocationVector"
  static const char one[] = "[0.9, 0, 0, 0, 0, 0, 0, 0]";
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES(SHARES("IngressBufferManager"), one), 1,
                       "IngressBufferManager.PoolAllocationVector", "1 non-zero entry"));
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES(SHARES("EgressBufferManager"), one), 1,
                       "EgressBufferManager.PoolAllocationVector", "1 non-zero entry"));
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES(SHARES("EgressBufferManager"), "[0, 0, 0, 0, 0, 0, 0, 0]"), 1,
                       "EgressBufferManager.PoolAllocationVector", "0 non-zero entries"));
  CU_ASSERT(is_accepted(SIM_PROPERTIES(SHARES("EgressBufferManager"), "[0.9, 0.1, 0, 0, 0, 0, 0, 0]")));
}

SGF_TEST(UN_156_probabilistic_turns_stop)
{
#define TURNS(manager) "nic." manager ".QueueSchedulingType"
  static const char probabilistic[] = "ProbabilisticWeightedRoundRobin";
  static const char* const others[] = {"StrictPriority", "RoundRobin", "WeightedRoundRobin"};
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES(TURNS("IngressBufferManager"), probabilistic), 1,
                       "IngressBufferManager.QueueSchedulingType", probabilistic));
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES(TURNS("EgressBufferManager"), probabilistic), 1,
                       "EgressBufferManager.QueueSchedulingType", probabilistic));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    CU_ASSERT(is_accepted(SIM_PROPERTIES(TURNS("IngressBufferManager"), others[i])));
    CU_ASSERT(is_accepted(SIM_PROPERTIES(TURNS("EgressBufferManager"), others[i])));
  }
}

/* ---- Lanes (UN-157) ---------------------------------------------------------------------------------------------- */

SGF_TEST(UN_157_zero_or_seventeen_lanes_are_refused)
{
  static const char* const ends[] = {"nic.NicPCIeInterface.PhysicalLayer.LaneCount",
                                     "nic.HostPCIeInterface.PhysicalLayer.LaneCount"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    CU_ASSERT(value_is_refused(SGF_RANGE, ends[i], "0"));
    CU_ASSERT(value_is_refused(SGF_RANGE, ends[i], "17"));
    CU_ASSERT(is_accepted(SIM_PROPERTIES(ends[i], "1")));
    CU_ASSERT(is_accepted(SIM_PROPERTIES(ends[i], "16")));
  }
}

/* ---- Congestion control (UN-137, UN-158) ------------------------------------------------------------------------- */

SGF_TEST(UN_137_a_window_below_a_packet_or_beyond_32_bits_stops)
{
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("nic.InitialBaseRTT", "50ns"), 1, "InitialBaseRTT", "3750 B", "4184 B"));
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("nic.InitialBaseRTT", "60ms"), 1, "InitialBaseRTT", "4500000000 B"));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("nic.InitialBaseRTT", "56ns")));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("nic.InitialBaseRTT", "57ms")));
}

SGF_TEST(UN_158_no_reference_no_target_and_half_a_Gbps_stop)
{
#define TARGET(override) SIM_PROPERTIES("nic.OverrideSpecTargetQueueDelay", override, "nic.TargetQueueDelay", "0s")
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("nic.ReferenceNetworkRTT", "0s"), 1, "ReferenceNetworkRTT is 0"));
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("nic.UplinkNetworkInterface.DataRate", "0.5Gbps"), 1, "500000000 bps", "DataRate",
                       "1 Gbps"));
  CU_ASSERT(RULE_STOPS(TARGET("true"), 2, "TargetQueueDelay", "is 0"));
  CU_ASSERT(is_accepted(TARGET("false")));
}

/* SimGrid itself loads nothing then: there is no host on which an actor could begin. */
SGF_SCENARIO(UN_137_SimGrid_gets_no_host_of_a_platform_that_is_refused)
{
  char program[] = "rules";
  char* argv[]   = {program, NULL};
  int argc       = 1;
  simgrid_init(&argc, argv);
  sg_fabric_plugin_init();
  char* text = sim_star_text(&(star_t){.hosts = HOSTS, .properties = SIM_PROPERTIES("nic.InitialBaseRTT", "50ns")});
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sg_fabric_try_load_platform(scenario_file(text, strlen(text)), &error), SGF_RULE);
  CU_ASSERT(says_all(&error, SGF_RULE, SIM_FIRST_PROPERTY + 1, (const char* const[]){"'h0'", "InitialBaseRTT", NULL}));
  CU_ASSERT_PTR_NULL(sg_fabric_get());
  CU_ASSERT_EQUAL(sg_host_count(), 0);
  free(text);
}
