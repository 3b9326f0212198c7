/* Rules of load balancing that stop a run: spec/switch.md 4.1, S-07 to S-09, SW-78 to SW-80. */
#include "balance_support.h"

#include "harness.h"

#include <string.h>

SGF_TEST(SW_78_and_S_07_flowlets_do_not_go_with_destination_indices)
{
  for (unsigned method = 0; method < HASH_METHODS; method++) {
    const bool refused                   = method == SWITCH_HASH_DPR || method == SWITCH_HASH_DPR_WITH_FALLBACK;
    const switch_balance_config_t config = balance_configure(FLOWLETS("EcmpHashMethod", hash_method_names[method]));
    sgf_error_t error                    = {0};
    switch_balance_t* balance            = switch_balance_new(&config, 1, 1, 0, &error);
    CU_ASSERT_EQUAL(balance == NULL, refused);
    if (refused) {
      CU_ASSERT_EQUAL(error.status, SGF_RULE);
      CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "LoadBalancingMethod = \"flowlet\""));
      CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "EcmpHashMethod = \""));
      CU_ASSERT_PTR_NOT_NULL(strstr(error.text, hash_method_names[method]));
    }
    switch_balance_free(balance);
  }
}

SGF_TEST(SW_78_without_flowlets_every_method_goes)
{
  for (unsigned method = 0; method < HASH_METHODS; method++) {
    const switch_balance_config_t config = balance_configure(LAB_SETTINGS("EcmpHashMethod", hash_method_names[method]));
    sgf_error_t error                    = {0};
    switch_balance_t* balance            = switch_balance_new(&config, 1, 1, 0, &error);
    CU_ASSERT_PTR_NOT_NULL(balance);
    switch_balance_free(balance);
  }
}

SGF_TEST(SW_78_the_switch_does_not_start)
{
  switch_block_t block;
  sgf_error_t error    = {0};
  opp_sim_t* sim       = opp_sim_new(1);
  opp_module_t* module = opp_module_new(sim, NULL, "switch", -1, &switch_module_type);
  opp_gate_add(module, "port", OPP_GATE_INOUT, true, 0);
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&switch_attributes, &block, &error), SGF_OK);
  block.balance.method      = SWITCH_BALANCE_FLOWLET;
  block.balance.hash_method = SWITCH_HASH_DPR;
  CU_ASSERT_EQUAL(switch_setup(module, &block, 1, LAB_FIRST_HOST, 1, &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "LoadBalancingMethod"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "EcmpHashMethod"));
  opp_sim_free(sim);
}

SGF_TEST(SW_79_and_S_08_the_gap_is_0_to_2_seconds_with_either_method)
{
  static const char* const methods[] = {"none", "flowlet"};
  for (unsigned i = 0; i < 2; i++) {
    switch_block_t block;
    sgf_error_t error = {0};
    CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&switch_attributes, &block, &error), SGF_OK);
    CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "LoadBalancingMethod", methods[i], &error), SGF_OK);
    CU_ASSERT_EQUAL(block.balance.gap, 100 * OPP_US);
    CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "Gap", "2000000000001ps", &error), SGF_RANGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "LoadBalancingFlowlet"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "2s"));
    CU_ASSERT_EQUAL(block.balance.gap, 100 * OPP_US);
    CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "Gap", "2s", &error), SGF_OK);
    CU_ASSERT_EQUAL(block.balance.gap, 2 * OPP_S);
    CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "Gap", "0s", &error), SGF_OK);
    CU_ASSERT_EQUAL(block.balance.gap, 0);
  }
}

SGF_TEST(SW_80_and_S_09_the_record_has_an_interval_of_10_us_at_least)
{
  switch_block_t block;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&switch_attributes, &block, &error), SGF_OK);
  static const char* const name = "LoadBalancingStatsReportInterval";
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, name, "9.999us", &error), SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, name));
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, name, "10us", &error), SGF_OK);
  CU_ASSERT_EQUAL(block.own.load_balancing_interval, 10 * OPP_US);
}
