/* MRC NICs on the engine alone: whatever is lost is sent again, nothing is left over, and no operation completes before
 * a bound that the engine gave (support/bounds.h). On several queue pairs and paths. */
#include "harness.h"

#include "fabric/fabric_internal.h"
#include "nic/mrc/mrc.h"
#include "support/bounds.h"

#include <stdio.h>

enum { HOSTS = 4, SPINES = 4, OPS = 80, RUNS = 24 };
#define LINE INT64_C(400000000000)

/* What a run's devices have in common. */
typedef struct kind {
  bool trims; /* switches cut what does not fit; else they drop it */
  bool has_slow_pcie;
  bool has_small_buffers;
  bool spares_sacks;
  opp_simtime_t delay;
} kind_t;

static sgf_device_t* add_switch(sgf_fabric_t* fabric, const char* name, kind_t kind)
{
  sgf_device_t* device = sgf_fabric_add_switch(fabric, name, name, NULL);
  if (kind.trims) {
    bound_set(device, "switch", "UETPolicyEnabled", "true");
    bound_set(device, "switch", "TrimmingEnabled", "true");
    bound_set(device, "switch", "EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]");
    bound_set(device, "switch", "PlaneBDP", "30KB"); /* the limit of a queue */
  }
  if (kind.has_small_buffers && !kind.trims) {
    bound_set(device, "switch", "TotalSharedBufferSize", "200KB");
    bound_set(device, "switch", "HeadRoomPerPortLimit", "10KB");
  }
  return device;
}

static void add_host(bound_traffic_t* traffic, sgf_fabric_t* fabric, sgf_device_t* leaf, unsigned i, kind_t kind)
{
  char name[16];
  snprintf(name, sizeof name, "h%u", i);
  sgf_device_t* host = sgf_fabric_add_nic(fabric, name, name, "mrc", NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(host);
  bound_set(host, "nic", "LossReorderThreshold", "16");
  bound_set(host, "nic", "MSS", bound_draw(traffic, 2) == 0 ? "700B" : "4096B");
  bound_set(host, "nic", "TrimmingEnabled", kind.trims ? "true" : "false");
  if (kind.spares_sacks)
    bound_set(host, "nic", "SackThreshold", "16KB");
  if (kind.has_slow_pcie) {
    bound_set(host, "pcie", "", "gen3 x2");
    bound_set(host, "nic", "IngressBufferManager.TotalBufferSize", "60KB");
  }
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_connect(fabric, host, leaf, name, LINE, kind.delay, 1, NULL), SGF_OK);
}

/* Two leaves, each with half of the hosts, and spines between them: on many paths packets overtake each other. */
static sgf_fabric_t* build(bound_traffic_t* traffic, uint64_t seed)
{
  static const opp_simtime_t delays[] = {0, 100 * OPP_NS, 3 * OPP_US};
  const kind_t kind                   = {.trims             = bound_draw(traffic, 3) == 0,
                                         .has_slow_pcie     = bound_draw(traffic, 2) == 0,
                                         .has_small_buffers = bound_draw(traffic, 3) > 0,
                                         .spares_sacks      = bound_draw(traffic, 3) == 0,
                                         .delay             = delays[bound_draw(traffic, 3)]};
  sgf_fabric_t* fabric                = sgf_fabric_new(seed);
  sgf_device_t* leaves[]              = {add_switch(fabric, "leaf0", kind), add_switch(fabric, "leaf1", kind)};
  for (unsigned i = 0; i < HOSTS; i++)
    add_host(traffic, fabric, leaves[i % 2], i, kind);
  for (unsigned s = 0; s < SPINES; s++) {
    char name[16];
    snprintf(name, sizeof name, "spine%u", s);
    sgf_device_t* spine = add_switch(fabric, name, kind);
    for (unsigned l = 0; l < 2; l++) {
      char cable[16];
      snprintf(cable, sizeof cable, "c%u-%u", l, s);
      /* Unequal lengths, so that what goes over one spine overtakes what goes over another. */
      CU_ASSERT_EQUAL_FATAL(
          sgf_fabric_connect(fabric, leaves[l], spine, cable, LINE, kind.delay + s * 300 * OPP_NS, 1, NULL), SGF_OK);
    }
  }
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, NULL), SGF_OK);
  return fabric;
}

/* Perhaps a rate or a queue pair of its own. */
static void vary(bound_traffic_t* traffic, sgf_op_t* op, bool sends)
{
  if (sends && bound_draw(traffic, 2) == 0)
    CU_ASSERT_EQUAL(sgf_op_set_queue_pair(op, (uint32_t)bound_draw(traffic, 3), NULL), SGF_OK);
  if (bound_draw(traffic, 6) == 0)
    sgf_op_set_rate(op, INT64_C(10000000000), NULL);
}

static void count(bound_traffic_t* traffic)
{
  sgf_mrc_counters_t* all = traffic->kind->counts; /* of all NICs of all runs */
  for (unsigned i = 0; i < HOSTS; i++) {
    const sgf_mrc_counters_t counters = mrc_counters(fabric_nic(sgf_fabric_host(traffic->fabric, i)));
    CU_ASSERT_EQUAL(counters.messages_posted, counters.messages_acknowledged);
    all->messages_posted += counters.messages_posted;
    all->messages_delivered += counters.messages_delivered;
    all->gap_losses += counters.gap_losses;
    all->timeouts += counters.timeouts;
    all->trims += counters.trims;
    all->out_of_order += counters.out_of_order;
    all->duplicates += counters.duplicates;
    all->probes_sent += counters.probes_sent;
  }
  CU_ASSERT_EQUAL(all->messages_posted, all->messages_delivered);
}

/* All of it has to be there to be right about: gaps, losses of every kind, duplicates, probes. */
static void never_late(bool after_each)
{
  sgf_mrc_counters_t counters = {0};
  const bound_kind_t kind     = {
          .runs = RUNS, .operations = OPS, .events = 20, .build = build, .vary = vary, .end = count, .counts = &counters};
  const bound_totals_t all = bound_never_late(&kind, after_each);
  CU_ASSERT(all.completions > 10 * RUNS);
  CU_ASSERT(all.exact > all.completions / 10 * 9);
  CU_ASSERT(counters.out_of_order > 100);
  CU_ASSERT(counters.gap_losses > 10);
  CU_ASSERT(counters.timeouts > 10);
  CU_ASSERT(counters.trims > 10);
  CU_ASSERT(counters.duplicates > 0);
  CU_ASSERT(counters.probes_sent > 10);
}

SGF_TEST(a_bound_that_is_read_after_each_event_is_never_late)
{
  never_late(true);
}

SGF_TEST(a_bound_that_is_read_when_it_has_passed_is_never_late)
{
  never_late(false);
}
