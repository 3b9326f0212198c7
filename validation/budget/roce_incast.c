/* spec/feedback-budget.md 8, 10 and 13.2, FB-54 and FB-68: an incast of RoCE NICs under PFC takes what the egress
 * takes; switching PFC off alone does not give a transport that bears losses.
 *
 *   h0 h1 h2 h3 == tor == h4 */
#include "harness.h"
#include "report/report.h"
#include "roce_support.h"

enum { SENDERS = 4, RECEIVER = 4, HOSTS = 5 };

static void incast(uint64_t bytes)
{
  for (unsigned h = 0; h < SENDERS; h++)
    budget_rack_write(h, RECEIVER, bytes);
}

/* ---- FB-54 ------------------------------------------------------------------------------------------------------- */

/* FB-16: 64,906,424 B at 400 Gb/s; and what is around them if the egress never idles: doorbell, fetch, a packet and its
 * cable before the first of them; a cable, and an ACK over two cables, behind the last one. */
static const opp_simtime_t on_wire = 20 * INT64_C(64906424);
static const opp_simtime_t around  = 2 * OPP_US;

enum { XOFFS = 3 };
static const char* const xoffs[XOFFS][3] = {
    {"nic.EnableECN=false", "switch.StaticPoolXoffThreshold=150KB", "switch.StaticPoolXonThreshold=75KB"},
    {"nic.EnableECN=false", "switch.StaticPoolXoffThreshold=700KB", "switch.StaticPoolXonThreshold=300KB"},
    {"nic.EnableECN=false", "switch.StaticPoolXoffThreshold=40MB", "switch.StaticPoolXonThreshold=20MB"},
};

typedef struct outcome {
  opp_simtime_t ends[SENDERS];
  opp_simtime_t makespan;
  uint64_t pauses;
} outcome_t;

static outcome_t sixteen_megabytes(budget_seat_t seat_is, unsigned xoff)
{
  budget_rack(seat_is, "roce", HOSTS, BUDGET_SETTINGS(xoffs[xoff][0], xoffs[xoff][1], xoffs[xoff][2]));
  incast(16000000);
  const sgf_report_t* report = budget_rack_run();
  outcome_t outcome          = {.makespan = budget_makespan(report), .pauses = report_total_pauses(report)};
  for (unsigned i = 0; i < SENDERS; i++)
    outcome.ends[i] = report->flows[i].end;
  CU_ASSERT_EQUAL(report_total_drops(report), 0);
  CU_ASSERT_EQUAL(report->retransmissions, 0);
  CU_ASSERT(outcome.makespan >= on_wire);
  CU_ASSERT(outcome.makespan <= on_wire + on_wire / 50); /* 2 % */
  CU_ASSERT(outcome.makespan <= on_wire + around);       /* the egress never idles */
  budget_rack_free();
  return outcome;
}

SGF_TEST(FB_54_pauses_change_completion_times_and_not_the_bound)
{
  outcome_t outcomes[XOFFS];
  for (unsigned i = 0; i < XOFFS; i++)
    outcomes[i] = sixteen_megabytes(BUDGET_ENGINE, i);
  CU_ASSERT(outcomes[0].pauses > outcomes[1].pauses);
  CU_ASSERT(outcomes[1].pauses > 0);
  CU_ASSERT_EQUAL(outcomes[2].pauses, 0);
  unsigned changed = 0;
  for (unsigned i = 0; i < SENDERS; i++)
    changed += outcomes[0].ends[i] != outcomes[2].ends[i];
  CU_ASSERT(changed > 0);
}

static void same_in_a_simulation(unsigned xoff)
{
  const outcome_t engine    = sixteen_megabytes(BUDGET_ENGINE, xoff);
  const outcome_t simulated = sixteen_megabytes(BUDGET_SIMGRID, xoff);
  for (unsigned i = 0; i < SENDERS; i++)
    CU_ASSERT_EQUAL(simulated.ends[i], engine.ends[i]);
  CU_ASSERT_EQUAL(simulated.pauses, engine.pauses);
}

SGF_SCENARIO(FB_54_the_same_in_a_simulation)
{
  same_in_a_simulation(0);
}

SGF_SCENARIO(FB_54_without_pauses_in_a_simulation)
{
  same_in_a_simulation(2);
}

/* ---- FB-68 ------------------------------------------------------------------------------------------------------- */

/* Pool 0 holds 0.8 of what five headrooms leave: 1 MB. */
#define SMALL(pfc)                                                                                                     \
  "switch.HeadRoomPerPortLimit=109KB", "switch.TotalSharedBufferSize=1795KB",                                          \
      "switch.PoolAllocationMap=[0.8, 0.2, 0, 0, 0, 0, 0, 0]", "switch.StaticPoolXoffThreshold=150KB",                 \
      "switch.StaticPoolXonThreshold=75KB", "switch.EnablePFC=[" pfc ", " pfc ", 0, 0, 0, 0, 0, 0]",                   \
      "nic.EnableECN=false"

static const char* const with_pfc[]    = {SMALL("1"), NULL};
static const char* const without_pfc[] = {SMALL("0"), NULL};
static const char* const irn[]         = {SMALL("0"), "nic.LossRecovery=SelectiveRepeat", "nic.BdpFlowControl=true",
                                          "nic.AckCoalescingEnabled=false", NULL};

enum { EACH = 4000000 };

static opp_simtime_t arm(budget_seat_t seat_is, const char* const* settings, bool loses)
{
  const sgf_fabric_t* fabric = budget_rack(seat_is, "roce", HOSTS, settings);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sgf_device_buffer(sgf_fabric_find(fabric, "tor")), 0), 1000000);
  incast(EACH);
  const sgf_report_t* report   = budget_rack_run();
  const opp_simtime_t makespan = budget_makespan(report);
  CU_ASSERT_EQUAL(report_total_drops(report) > 0, loses);
  CU_ASSERT_EQUAL(report->retransmissions > 0, loses);
  CU_ASSERT_EQUAL(report_total_pauses(report) > 0, !loses);
  budget_rack_free();
  return makespan;
}

/* 4 MB are 977 packets, 4,056,666 B on the wire. */
SGF_TEST(FB_68_without_PFC_goodput_is_below_that_with_it)
{
  const opp_simtime_t bound = budget_wire(SENDERS * INT64_C(4056666));
  const opp_simtime_t on    = arm(BUDGET_ENGINE, with_pfc, false);
  const opp_simtime_t off   = arm(BUDGET_ENGINE, without_pfc, true);
  CU_ASSERT(on >= bound && on <= bound + around);
  CU_ASSERT(off > 2 * on);
}

/* The rest of what IRN is: then it bears the losses. */
SGF_TEST(FB_68_selective_repeat_with_a_cap_needs_no_PFC)
{
  const opp_simtime_t off       = arm(BUDGET_ENGINE, without_pfc, true);
  const opp_simtime_t selective = arm(BUDGET_ENGINE, irn, true);
  CU_ASSERT(selective < off);
}

SGF_SCENARIO(FB_68_with_PFC_in_a_simulation)
{
  CU_ASSERT_EQUAL(arm(BUDGET_SIMGRID, with_pfc, false), arm(BUDGET_ENGINE, with_pfc, false));
}

SGF_SCENARIO(FB_68_without_PFC_in_a_simulation)
{
  CU_ASSERT_EQUAL(arm(BUDGET_SIMGRID, without_pfc, true), arm(BUDGET_ENGINE, without_pfc, true));
}
