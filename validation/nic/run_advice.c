/* spec/uet-nic.md 3.2 in a simulation: what runs, with a warning. */
#include "harness.h"
#include "nic_run_support.h"

#include <sgfabric/fabric.h>
#include <string.h>

#define REPS "**.nic.PacketSprayingType=Recycled Entropy Packet Spraying"
#define FLOWLETS "**.switch.LoadBalancingMethod=flowlet"

static size_t warnings_after_a_write(const char* const* settings)
{
  run_rack(3, "100ns", settings);
  const size_t write = run_write(0, 1, 10 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT(run_written(write) > 0);
  return sgf_fabric_warning_count(sg_fabric_get());
}

SGF_SCENARIO(UN_160_recycled_entropy_with_a_flowlet_switch_is_warned_of_and_runs)
{
  CU_ASSERT_EQUAL_FATAL(warnings_after_a_write(RUN_SETTINGS(REPS, FLOWLETS)), 1);
  const char* warning = sgf_fabric_warning(sg_fabric_get(), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(warning, "h0 and 2 more: PacketSprayingType"));
  CU_ASSERT_PTR_NOT_NULL(strstr(warning, "switch 'tor'"));
}

SGF_SCENARIO(UN_160_of_one_NIC_it_is_warned_by_name)
{
  CU_ASSERT_EQUAL_FATAL(
      warnings_after_a_write(RUN_SETTINGS("**.h1.nic.PacketSprayingType=Recycled Entropy Packet Spraying", FLOWLETS)),
      1);
  CU_ASSERT_EQUAL(strncmp(sgf_fabric_warning(sg_fabric_get(), 0), "h1: ", 4), 0);
}

SGF_SCENARIO(UN_160_recycled_entropy_alone_draws_no_warning)
{
  CU_ASSERT_EQUAL(warnings_after_a_write(RUN_SETTINGS(REPS)), 0);
}

SGF_SCENARIO(UN_160_a_flowlet_switch_alone_draws_no_warning)
{
  CU_ASSERT_EQUAL(warnings_after_a_write(RUN_SETTINGS(FLOWLETS)), 0);
}
