/* plugins/nic/udp/README.md on the engine alone: a write of a udp NIC is complete when it has left, a message when it
 * has arrived, and neither before a bound that the engine gave (support/bounds.h). Some of the traffic is lost. */
#include "harness.h"

#include <sgfabric/stats.h>

#include <stdio.h>

#include "support/bounds.h"

enum { HOSTS = 4, OPS = 60, RUNS = 20 };

/* Hosts around a switch that drops what four full queues bring. */
static sgf_fabric_t* star(bound_traffic_t* traffic, uint64_t seed)
{
  static const opp_simtime_t delays[] = {0, 100 * OPP_NS, 3 * OPP_US};
  static const char* const rates[]    = {"0bps", "90Gbps", "399Gbps"};
  sgf_fabric_t* fabric                = sgf_fabric_new(seed);
  const opp_simtime_t delay           = delays[bound_draw(traffic, 3)];
  const bool has_slow_pcie            = bound_draw(traffic, 2) == 0;
  sgf_device_t* tor                   = sgf_fabric_add_switch(fabric, "tor", "tor", NULL);
  if (bound_draw(traffic, 2) == 0) {
    bound_set(tor, "switch", "TotalSharedBufferSize", "200KB");
    bound_set(tor, "switch", "HeadRoomPerPortLimit", "10KB");
  }
  for (unsigned i = 0; i < HOSTS; i++) {
    char name[16];
    snprintf(name, sizeof name, "h%u", i);
    sgf_device_t* host = sgf_fabric_add_nic(fabric, name, name, "udp", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(host);
    bound_set(host, "nic", "SendRate", rates[bound_draw(traffic, 3)]);
    bound_set(host, "nic", "MSS", bound_draw(traffic, 2) == 0 ? "700" : "9000");
    if (has_slow_pcie)
      bound_set(host, "pcie", "", "gen3 x2");
    CU_ASSERT_EQUAL_FATAL(sgf_fabric_connect(fabric, host, tor, name, INT64_C(400000000000), delay, 1, NULL), SGF_OK);
  }
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, NULL), SGF_OK);
  return fabric;
}

/* Perhaps a rate of its own. */
static void vary(bound_traffic_t* traffic, sgf_op_t* op, bool sends)
{
  (void)sends;
  if (bound_draw(traffic, 4) == 0)
    sgf_op_set_rate(op, INT64_C(10000000000), NULL);
}

static uint64_t drops(const sgf_fabric_t* fabric)
{
  uint64_t count       = 0;
  sgf_report_t* report = sgf_report_new(fabric);
  for (size_t i = 0; i < report->drop_count; i++)
    count += report->drops[i].count;
  sgf_report_free(report);
  return count;
}

static void count(bound_traffic_t* traffic)
{
  *(uint64_t*)traffic->kind->counts += drops(traffic->fabric);
}

static void never_late(bool after_each)
{
  uint64_t lost           = 0;
  const bound_kind_t kind = {
      .runs = RUNS, .operations = OPS, .events = 20, .build = star, .vary = vary, .end = count, .counts = &lost};
  const bound_totals_t all = bound_never_late(&kind, after_each);
  CU_ASSERT(all.completions > RUNS * OPS / 3);
  CU_ASSERT(all.exact > all.completions / 2);
  CU_ASSERT(lost > 0);
}

SGF_TEST(no_operation_completes_before_a_bound_that_is_read_after_each_event)
{
  never_late(true);
}

SGF_TEST(no_operation_completes_before_a_bound_that_is_read_when_it_is_reached)
{
  never_late(false);
}
