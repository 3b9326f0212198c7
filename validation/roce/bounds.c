/* RoCE NICs on the engine alone: whatever is lost is sent again, nothing is left over, and no operation completes
 * before a bound that the engine gave (support/bounds.h). */
#include "harness.h"

#include <sgfabric/stats.h>

#include <stdio.h>

#include "support/bounds.h"

enum { HOSTS = 4, OPS = 60, RUNS = 24 };

/* A test's kind of recovery, and what all NICs of all its runs have counted. */
typedef struct seen {
  const char* recovery;
  sgf_roce_counters_t counters;
} seen_t;

/* What the hosts of a run have in common. */
typedef struct kind {
  const char* recovery;
  bool has_slow_pcie;
  bool coalesces;
  bool controls_flow;
  bool marks;
} kind_t;

static void add_host(bound_traffic_t* traffic, sgf_fabric_t* fabric, sgf_device_t* tor, unsigned i, kind_t kind,
                     opp_simtime_t delay)
{
  char name[16];
  snprintf(name, sizeof name, "h%u", i);
  sgf_device_t* host = sgf_fabric_add_nic(fabric, name, name, "roce", NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(host);
  bound_set(host, "nic", "LossRecovery", kind.recovery);
  bound_set(host, "nic", "RetransmitTimeout", "200us");
  bound_set(host, "nic", "AckDelay", "10us");
  bound_set(host, "nic", "AckCoalescingEnabled", kind.coalesces ? "true" : "false");
  bound_set(host, "nic", "BdpFlowControl", kind.controls_flow ? "true" : "false");
  bound_set(host, "nic", "MSS", bound_draw(traffic, 2) == 0 ? "700B" : "4096B");
  if (kind.has_slow_pcie)
    bound_set(host, "pcie", "", "gen3 x2");
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_connect(fabric, host, tor, name, INT64_C(400000000000), delay, 1, NULL), SGF_OK);
}

/* Hosts around a switch, which may drop what four full queues bring, or mark it. */
static sgf_fabric_t* star(bound_traffic_t* traffic, uint64_t seed)
{
  const seen_t* seen                  = traffic->kind->counts;
  static const opp_simtime_t delays[] = {0, 100 * OPP_NS, 3 * OPP_US};
  sgf_fabric_t* fabric                = sgf_fabric_new(seed);
  const opp_simtime_t delay           = delays[bound_draw(traffic, 3)];
  const kind_t kind                   = {.recovery      = seen->recovery,
                                         .has_slow_pcie = bound_draw(traffic, 2) == 0,
                                         .coalesces     = bound_draw(traffic, 3) > 0,
                                         .controls_flow = bound_draw(traffic, 2) == 0,
                                         .marks         = bound_draw(traffic, 2) == 0};
  sgf_device_t* tor                   = sgf_fabric_add_switch(fabric, "tor", "tor", NULL);
  if (bound_draw(traffic, 3) > 0) {
    bound_set(tor, "switch", "TotalSharedBufferSize", "200KB");
    bound_set(tor, "switch", "HeadRoomPerPortLimit", "10KB");
  }
  bound_set(tor, "switch", "EnableEcn", kind.marks ? "true" : "false");
  for (unsigned i = 0; i < HOSTS; i++)
    add_host(traffic, fabric, tor, i, kind, delay);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, NULL), SGF_OK);
  return fabric;
}

/* Perhaps a rate, a queue pair or classes of its own. */
static void vary(bound_traffic_t* traffic, sgf_op_t* op, bool sends)
{
  if (sends && bound_draw(traffic, 2) == 0)
    CU_ASSERT_EQUAL(sgf_op_set_queue_pair(op, (uint32_t)bound_draw(traffic, 3), NULL), SGF_OK);
  if (sends && bound_draw(traffic, 4) == 0)
    CU_ASSERT_EQUAL(sgf_op_set_classes(op, 1, 0, NULL), SGF_OK);
  if (bound_draw(traffic, 4) == 0)
    sgf_op_set_rate(op, INT64_C(10000000000), NULL);
}

static void count(bound_traffic_t* traffic)
{
  sgf_roce_counters_t* all = &((seen_t*)traffic->kind->counts)->counters;
  for (unsigned i = 0; i < HOSTS; i++) {
    const sgf_roce_counters_t counters = sgf_device_roce_counters(sgf_fabric_host(traffic->fabric, i));
    CU_ASSERT_EQUAL(counters.messages_posted, counters.messages_acknowledged);
    CU_ASSERT_EQUAL(counters.drops_ghost + counters.drops_no_pair_control, 0);
    all->recoveries += counters.recoveries;
    all->timeouts += counters.timeouts;
    all->cnps_received += counters.cnps_received;
    all->selective_received += counters.selective_received;
  }
}

/* All of it has to be there to be right about: losses, timeouts, marks. */
static sgf_roce_counters_t never_late(const char* recovery, bool after_each)
{
  seen_t seen             = {.recovery = recovery};
  const bound_kind_t kind = {
      .runs = RUNS, .operations = OPS, .events = 20, .build = star, .vary = vary, .end = count, .counts = &seen};
  const bound_totals_t all = bound_never_late(&kind, after_each);
  CU_ASSERT(all.completions > 10 * RUNS);
  CU_ASSERT(all.exact > all.completions / 10 * 9);
  CU_ASSERT(seen.counters.recoveries > 10);
  CU_ASSERT(seen.counters.timeouts > 0);
  CU_ASSERT(seen.counters.cnps_received > 10);
  return seen.counters;
}

SGF_TEST(a_bound_that_is_read_after_each_event_is_never_late)
{
  never_late("GoBackN", true);
}

SGF_TEST(a_bound_that_is_read_when_it_has_passed_is_never_late)
{
  never_late("GoBackN", false);
}

SGF_TEST(a_bound_is_never_late_with_SelectiveRepeat)
{
  const sgf_roce_counters_t counters = never_late("SelectiveRepeat", true);
  CU_ASSERT(counters.selective_received > 100);
}
