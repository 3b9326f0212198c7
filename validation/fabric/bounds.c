/* A bound is never late for UET NICs (support/bounds.h), and what bounds are for. */
#include "harness.h"

#include "fabric_support.h"
#include "support/bounds.h"

enum { OPS = 60, RUNS = 12 };

static sgf_fabric_t* build(bound_traffic_t* traffic, uint64_t seed)
{
  static const char* const kinds[][10] = {
      {NULL},
      {"pcie", "gen3 x1", NULL},
      {"pcie", "gen7 x16", "nic.RdmaDataMSS", "700", NULL},
      {"pcie", "gen3 x4", "nic.IngressBufferManager.TotalBufferSize", "50KB", NULL},
      {"switch.StaticPoolXoffThreshold", "20KB", "switch.StaticPoolXonThreshold", "10KB", NULL},
      {"nic.NicPCIeInterface/PhysicalLayer/LaneBps", "8Gbps", "nic.IngressBufferManager.TotalBufferSize", "60KB",
       "nic.PFCEnableVector", "[1, 1, 0, 0, 0, 0, 0, 0]", "switch.StaticPoolXonThreshold", "30KB", NULL},
  };
  static const opp_simtime_t delays[] = {0, 100 * OPP_NS, 3 * OPP_US};
  const char* const* settings         = kinds[bound_draw(traffic, sizeof kinds / sizeof *kinds)];
  if (bound_draw(traffic, 3) == 0)
    return rig_leaf_spine(2, 3, 2, 1, seed, settings).fabric;
  const opp_simtime_t delay = delays[bound_draw(traffic, 3)];
  return rig_star(3 + (unsigned)bound_draw(traffic, 4), delay, seed, settings).fabric;
}

/* A rate for what can have one still: from one that takes longer than patience lasts to one that hardly slows. */
static void limit(bound_traffic_t* traffic, sgf_op_t* op, bool sends)
{
  static const int64_t rates[] = {100000, 10000000, GBPS, 70 * GBPS + 1, 399 * GBPS};
  (void)sends;
  if (bound_draw(traffic, 2) == 0)
    sgf_op_set_rate(op, rates[bound_draw(traffic, 5)], NULL);
}

static void never_late(bool after_each, bool paced)
{
  const bound_kind_t kind  = {.runs                     = RUNS,
                              .operations               = OPS,
                              .events                   = 40,
                              .build                    = build,
                              .vary                     = paced ? limit : NULL,
                              .awaits_messages_unposted = true};
  const bound_totals_t all = bound_never_late(&kind, after_each);
  CU_ASSERT(all.completions > RUNS * OPS / 4);
  CU_ASSERT(all.exact > all.completions / 2);
}

SGF_TEST(no_operation_completes_before_a_bound_that_is_read_after_each_event)
{
  never_late(true, false);
  never_late(true, true);
}

SGF_TEST(no_operation_completes_before_a_bound_that_is_read_when_it_is_reached)
{
  never_late(false, false);
  never_late(false, true);
}

/* ---- A receive that is awaited late ------------------------------------------------------------------------------ */

/* Post and await a receive after so many events, then read the bound after each further one. False: the message was
 * there before. */
static bool receive_after(unsigned events, uint64_t bytes, opp_simtime_t delay, const char* const* settings)
{
  fabric_rig_t rig        = rig_star(4, delay, 1, settings);
  bound_traffic_t traffic = {.fabric = rig.fabric, .bound = OPP_TIME_MAX};
  rig_write(&rig, 0, 1, bytes, 1, 0);
  rig_write(&rig, 2, 3, 100000, 1, 0); /* keeps the engine busy */
  for (unsigned i = 0; i < events; i++)
    bound_step(&traffic);
  sgf_op_t* receive     = sgf_op_recv(rig.fabric, rig.hosts[1], 1, sgf_engine_clock(rig.fabric), 0);
  const bool is_waiting = !sgf_op_done(receive);
  sgf_op_set_awaited(receive, true);
  while (!sgf_op_done(receive)) {
    bound_read(&traffic);
    bound_step(&traffic);
  }
  CU_ASSERT_EQUAL(traffic.late, 0);
  rig_free(&rig);
  return is_waiting;
}

SGF_TEST(a_receive_may_be_awaited_when_its_message_is_on_the_last_cable)
{
  for (unsigned events = 0; receive_after(events, 2 * 4096, 5 * OPP_US, SETTINGS("pcie", "gen7 x16")); events++)
    CU_ASSERT_FATAL(events < 10000);
}

SGF_TEST(frames_of_a_sender_may_be_longer_than_the_receivers_own)
{
  for (unsigned events = 0;
       receive_after(events, 2 * 9000, 300 * OPP_NS,
                     SETTINGS("pcie", "gen7 x16", "nic.RdmaDataMSS", "256", "h0:nic.RdmaDataMSS", "9000"));
       events++)
    CU_ASSERT_FATAL(events < 10000);
}

/* ---- What the bound is for --------------------------------------------------------------------------------------- */

SGF_TEST(a_long_write_needs_few_looks)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* op     = rig_write(&rig, 0, 1, 10000000, 0, 0);
  sgf_op_set_awaited(op, true);
  unsigned looks = 0;
  while (!sgf_op_done(op)) {
    const opp_simtime_t bound = sgf_engine_bound(rig.fabric);
    CU_ASSERT(bound > sgf_engine_clock(rig.fabric));
    sgf_engine_advance(rig.fabric, bound);
    CU_ASSERT_FALSE(sgf_op_done(op) && sgf_op_end(op) != bound);
    looks++;
  }
  CU_ASSERT(looks < 20);
  CU_ASSERT(sgf_fabric_event_count(rig.fabric) > 10000);
  rig_free(&rig);
}

SGF_TEST(what_nobody_awaits_or_nobody_sends_has_no_bound)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX);
  rig_write(&rig, 0, 1, 10000, 1, 0);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX);
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[1], 2, 0, 0);
  sgf_op_set_awaited(receive, true);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX); /* another tag */
  sgf_op_t* second          = rig_write(&rig, 0, 1, 10000, 2, 0);
  const opp_simtime_t bound = sgf_engine_bound_with(rig.fabric, second, OPP_TIME_MAX);
  CU_ASSERT(bound < OPP_TIME_MAX);
  CU_ASSERT_EQUAL(bound, sgf_engine_bound(rig.fabric));
  rig_free(&rig);
}

SGF_TEST(a_receive_is_bounded_while_pcie_delivers_what_is_acknowledged)
{
  fabric_rig_t rig  = rig_star(2, 100 * OPP_NS, 1, SETTINGS("nic.NicPCIeInterface/PhysicalLayer/LaneBps", "1Gbps"));
  sgf_op_t* write   = rig_write(&rig, 0, 1, 4 * 4096, 1, 0);
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[1], 1, 0, 0);
  sgf_op_set_awaited(receive, true);
  while (!sgf_op_done(write))
    bound_step(&(bound_traffic_t){.fabric = rig.fabric});
  CU_ASSERT_FALSE(sgf_op_done(receive));
  CU_ASSERT(sgf_engine_bound(rig.fabric) < OPP_TIME_MAX);
  rig_free(&rig);
}
