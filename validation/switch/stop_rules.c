/* Rules that stop a run, through a platform file: each is refused before anything moves, with file, line, attribute and
 * value. spec/switch.md 4.1 (S-01 to S-12), O-05, O-21, O-29, replays of 10.12 to 10.14. */
#include "harness.h"
#include "simulation_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario_support.h"

enum { D128 = 128 };

/* D128 with the properties; NULL: it is refused. */
static sgf_scenario_t* load(const char* const* properties, sgf_error_t* error)
{
  char* text               = sim_star_text(&(star_t){.hosts = D128, .properties = properties});
  sgf_scenario_t* scenario = scenario_load(text, NULL, error);
  free(text);
  return scenario;
}

/* True: refused with this status, in this line, by a message that says all of it. */
static bool is_refused(const char* const* properties, sgf_status_t status, int line, const char* const* says)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = load(properties, &error);
  bool refused             = scenario == NULL && error.status == status && error.file[0] != '\0' && error.line == line;
  for (; *says != NULL; says++)
    refused = refused && strstr(error.text, *says) != NULL;
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
  const bool accepted      = scenario != NULL;
  sgf_scenario_free(scenario);
  return accepted;
}

/* A value that is wrong by itself stops in the line of its property; the message shows it and names the attribute. */
static bool value_is_refused(sgf_status_t status, const char* id, const char* value)
{
  return is_refused(SIM_PROPERTIES(id, value), status, SIM_FIRST_PROPERTY,
                    (const char* const[]){strrchr(id, '.') + 1, value, NULL});
}

/* A broken rule stops in the line of the switch that it is about. */
#define RULE_STOPS(properties, count, ...)                                                                             \
  is_refused(properties, SGF_RULE, SIM_FIRST_PROPERTY + (count) + D128,                                                \
             (const char* const[]){"'s0'", __VA_ARGS__, NULL})

/* ---- Lists (S-01 to S-03, SW-86) --------------------------------------------------------------------------------- */

SGF_TEST(SW_86_and_S_01_EnablePFC_is_eight_whole_numbers)
{
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.EnablePFC", "[1, 1, 0, 0, 0, 0, 0]"));
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.EnablePFC", "[1, 1, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.EnablePFC", "[1, 1.5, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.EnablePFC", "[1, on, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("switch.EnablePFC", "[1, 1, 0, 0, 0, 0, 0, 0]")));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("switch.EnablePFC", "1, 1, 0, 0, 0, 0, 0, 0"))); /* B-01 */
}

SGF_TEST(SW_86_and_S_02_TrafficClassPoolMapping_is_eight_whole_numbers)
{
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.TrafficClassPoolMapping", "[0, 1, 0, 0, 0, 0, 0]"));
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.TrafficClassPoolMapping", "[0, 1, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.TrafficClassPoolMapping", "[0, 0.5, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.TrafficClassPoolMapping", "[0, one, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("switch.TrafficClassPoolMapping", "[0, 1, 1, 1, 1, 1, 1, 1]")));
}

SGF_TEST(SW_86_and_S_03_PoolAllocationMap_is_eight_numbers)
{
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.PoolAllocationMap", "[0.9, 0.1, 0, 0, 0, 0, 0]"));
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.PoolAllocationMap", "[0.9, 0.1, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.PoolAllocationMap", "[most, 0.1, 0, 0, 0, 0, 0, 0]"));
}

/* ---- Sums (S-04 to S-06) ----------------------------------------------------------------------------------------- */

SGF_TEST(SW_86_and_S_04_a_map_of_zeros_stops)
{
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("switch.PoolAllocationMap", "[0, 0, 0, 0, 0, 0, 0, 0]"), 1, "PoolAllocationMap",
                       "all entries are 0"));
}

SGF_TEST(SW_84_and_S_05_excess_above_the_last_entry_stops)
{
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("switch.PoolAllocationMap", "[0.9, 0.2, 0.05, 0, 0, 0, 0, 0]"), 1,
                       "PoolAllocationMap", "1.15", "0.05"));
  CU_ASSERT(is_accepted(
      SIM_PROPERTIES("switch.PoolAllocationMap", "[0.8, 0.2, 0.1, 0, 0, 0, 0, 0]"))); /* 0.1 is not above 0.1 */
}

SGF_TEST(SW_82_and_S_06_headroom_of_all_ports_against_the_buffer)
{
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("switch.HeadRoomPerPortLimit", "2000.001KB"), 1, "HeadRoomPerPortLimit",
                       "2000001 B", "128", "TotalSharedBufferSize", "256000000 B"));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("switch.HeadRoomPerPortLimit", "2000KB")));
}

/* ---- Load balancing (S-07 to S-09) ------------------------------------------------------------------------------- */

SGF_TEST(SW_78_and_S_07_flowlets_do_not_go_with_destination_indices)
{
  static const char* const methods[] = {"dpr", "dprWithFallback"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("switch.LoadBalancingMethod", "flowlet", "switch.EcmpHashMethod", methods[i]),
                         2, "LoadBalancingMethod", "flowlet", "EcmpHashMethod", methods[i]));
    CU_ASSERT(is_accepted(SIM_PROPERTIES("switch.EcmpHashMethod", methods[i])));
  }
  CU_ASSERT(is_accepted(SIM_PROPERTIES("switch.LoadBalancingMethod", "flowlet", "switch.EcmpHashMethod", "crc32")));
}

SGF_TEST(SW_79_and_S_08_the_gap_is_0_to_2_seconds)
{
  CU_ASSERT(value_is_refused(SGF_RANGE, "switch.LoadBalancingFlowlet.Gap", "2000000000001ps"));
  CU_ASSERT(value_is_refused(SGF_RANGE, "switch.LoadBalancingFlowlet.Gap", "-1ps"));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("switch.LoadBalancingFlowlet.Gap", "2s")));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("switch.LoadBalancingFlowlet.Gap", "0s")));
}

SGF_TEST(SW_80_and_S_09_the_record_has_an_interval_of_10_us_at_least)
{
  CU_ASSERT(value_is_refused(SGF_RANGE, "switch.LoadBalancingStatsReportInterval", "9.999us"));
  CU_ASSERT(is_accepted(SIM_PROPERTIES("switch.LoadBalancingStatsReportInterval", "10us")));
}

/* ---- UET policy and trimming (S-10 to S-12) ---------------------------------------------------------------------- */

/* Two hosts around a switch with the policy or without, one of them with a NIC of `model`. */
static sgf_status_t seal_with(const char* model, const char* policy, sgf_error_t* error)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* tor    = sgf_fabric_add_switch(fabric, "s0", "s0", error);
  CU_ASSERT_EQUAL(sgf_device_set(tor, "switch", "UETPolicyEnabled", policy, error), SGF_OK);
  for (unsigned i = 0; i < 2; i++) {
    const char* name   = i == 0 ? "h0" : "h1";
    sgf_device_t* host = sgf_fabric_add_nic(fabric, name, name, i == 0 ? "uet" : model, error);
    CU_ASSERT_EQUAL(sgf_fabric_connect(fabric, host, tor, name, SGF_RATE_OF_DEVICES, SGF_DELAY_OF_DEVICE, 1, error),
                    SGF_OK);
  }
  const sgf_status_t status = sgf_fabric_seal(fabric, error);
  sgf_fabric_free(fabric);
  return status;
}

/* UET and MRC NICs write codepoints, RoCE and udp NICs do not. */
SGF_TEST(SW_90_and_S_10_the_policy_needs_NICs_that_send_codepoints)
{
  static const char* const with[] = {"uet", "mrc"};
  static const struct {
    const char* model;
    const char* named;
  } without[]       = {{"roce", "'roce'"}, {"udp", "'udp'"}};
  sgf_error_t error = {0};
  for (size_t i = 0; i < sizeof with / sizeof *with; i++)
    CU_ASSERT_EQUAL(seal_with(with[i], "true", &error), SGF_OK);
  for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
    CU_ASSERT_EQUAL(seal_with(without[i].model, "false", &error), SGF_OK);
    CU_ASSERT_EQUAL(seal_with(without[i].model, "true", &error), SGF_RULE);
    const char* const says[] = {"'s0'", "UETPolicyEnabled", "true", without[i].named, "'h1'"};
    for (size_t s = 0; s < sizeof says / sizeof *says; s++)
      CU_ASSERT_PTR_NOT_NULL(strstr(error.text, says[s]));
    error = (sgf_error_t){0};
  }
}

SGF_TEST(SW_90_and_S_11_trimming_needs_the_policy)
{
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("switch.PacketTrimmer.TrimmingEnabled", "true", SIM_ALL_LOSSY), 2,
                       "TrimmingEnabled is true", "UETPolicyEnabled is false"));
}

SGF_TEST(SW_90_and_S_12_trimming_needs_every_class_lossy)
{
#define POLICY_AND_TRIMMING "switch.UETPolicyEnabled", "true", "switch.PacketTrimmer.TrimmingEnabled", "true"
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES(POLICY_AND_TRIMMING), 2, "TrimmingEnabled is true", "EnablePFC of TC0 is 1"));
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES(POLICY_AND_TRIMMING, "switch.EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 1]"), 3,
                       "EnablePFC of TC7 is 1"));
  CU_ASSERT(is_accepted(SIM_PROPERTIES(POLICY_AND_TRIMMING, SIM_ALL_LOSSY)));
}

/* ---- Open points ------------------------------------------------------------------------------------------------- */

SGF_TEST(O_05_a_class_on_a_pool_that_is_not_there_stops)
{
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("switch.TrafficClassPoolMapping", "[0, 2, 0, 0, 0, 0, 0, 0]"), 1,
                       "TrafficClassPoolMapping", "TC1", "pool 2"));
  CU_ASSERT(is_refused(SIM_PROPERTIES("switch.TrafficClassPoolMapping", "[0, 8, 0, 0, 0, 0, 0, 0]"), SGF_RANGE,
                       SIM_FIRST_PROPERTY, (const char* const[]){"TrafficClassPoolMapping", "8", NULL}));
}

SGF_TEST(O_21_two_roles_with_one_codepoint_stop)
{
  CU_ASSERT(RULE_STOPS(SIM_PROPERTIES("switch.Codepoints.Control", "9"), 1, "Codepoints/Control", "Codepoints/Trimmed",
                       "both 9"));
  CU_ASSERT(value_is_refused(SGF_RANGE, "switch.Codepoints.Control", "64"));
}

SGF_TEST(O_29_numbers_out_of_range_stop)
{
  static const struct {
    const char* id;
    const char* value;
  } cases[] = {
      {"switch.LossyAlpha", "-1"},
      {"switch.LossyAlpha", "-0.000001"},
      {"switch.EcnHandler.EwmaWeight", "1.01"},
      {"switch.EcnHandler.EwmaWeight", "-0.1"},
      {"switch.EcnHandler.MinThreshold", "1.01"},
      {"switch.EcnHandler.MinThreshold", "-0.1"},
      {"switch.EcnHandler.MaxThreshold", "1.01"},
      {"switch.EcnHandler.MaxThreshold", "-0.1"},
      {"switch.EcnHandler.MaxMarkProbability", "1.01"},
      {"switch.EcnHandler.MaxMarkProbability", "-0.1"},
      {"switch.EcmpHashMethod", "md5"},
      {"switch.LoadBalancingMethod", "random"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT(value_is_refused(SGF_RANGE, cases[i].id, cases[i].value));
  CU_ASSERT(value_is_refused(SGF_RANGE, "switch.PoolAllocationMap", "[1.1, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(value_is_refused(SGF_RANGE, "switch.PoolAllocationMap", "[1, -0.1, 0, 0, 0, 0, 0, 0]"));
}

SGF_TEST(O_29_numbers_that_are_none_stop)
{
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.LossyAlpha", "one"));
  CU_ASSERT(value_is_refused(SGF_SYNTAX, "switch.EcnHandler.EwmaWeight", "0.1x"));
}

SGF_TEST(O_29_a_lower_threshold_above_the_upper_one_stops)
{
  CU_ASSERT(
      RULE_STOPS(SIM_PROPERTIES("switch.EcnHandler.MinThreshold", "0.61", "switch.EcnHandler.MaxThreshold", "0.6"), 2,
                 "EcnHandler.MinThreshold", "0.61", "EcnHandler.MaxThreshold", "0.6"));
  CU_ASSERT(
      is_accepted(SIM_PROPERTIES("switch.EcnHandler.MinThreshold", "0.6", "switch.EcnHandler.MaxThreshold", "0.6")));
}
