/* spec/feedback-budget.md 3 and 13.2, FB-64: CNPs of a receiver with a spacing, to flows whose every packet is marked.
 *
 *   h0 h1 == tor == h2          `tor` marks whatever is ECN-capable: both thresholds are 0 */
#include "harness.h"
#include "roce_support.h"

enum { RECEIVER = 2, HOSTS = 3, MSS = 4096, FULL = 4154, CNPS = 5 };

static const opp_simtime_t wire   = 83080;
static const opp_simtime_t begins = 80000 + 70843; /* of generation; fetch */
static const opp_simtime_t cnp    = 2440;
static const opp_simtime_t ack    = 2520;
static const opp_simtime_t marked = 220 * OPP_US;

/* A sender at its floor from the beginning: CNPs leave it at line rate. */
#define ALL_MARKED                                                                                                     \
  "nic.CnpMinInterval=50us", "nic.MinimumRatePercentage=1.0", "switch.EwmaWeight=1",                                   \
      "switch.EcnHandler.MinThreshold=0", "switch.EcnHandler.MaxThreshold=0", "switch.StaticPoolXoffThreshold=40MB",   \
      "switch.StaticPoolXonThreshold=20MB"

/* When the n-th packet on the receiver's cable, from 0, has come. */
static opp_simtime_t arrival(int64_t n)
{
  return begins + (n + 2) * wire + 2 * BUDGET_CABLE;
}

/* Packets that come within 220 us of the first one. */
static int64_t packets(void)
{
  return marked / wire + 1;
}

/* ---- Looks ------------------------------------------------------------------------------------------------------- */

typedef struct look {
  uint64_t sent; /* CNPs of the receiver */
} look_t;

static void count(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)now;
  ((look_t*)user)->sent = sgf_device_roce_counters(sgf_fabric_host(fabric, RECEIVER)).cnps_sent;
}

/* Before and after each CNP: the n-th answers packet n x `apart`, at once but for an ACK that is being sent. */
typedef struct watch {
  look_t before[CNPS];
  look_t after[CNPS];
} watch_t;

static void watch(sgf_fabric_t* fabric, watch_t* looks, int64_t apart)
{
  for (int n = 0; n < CNPS; n++) {
    const opp_simtime_t date = arrival(n * apart) + cnp;
    CU_ASSERT_EQUAL(sgf_script_at(fabric, date - 1, count, &looks->before[n], NULL), SGF_OK);
    CU_ASSERT_EQUAL(sgf_script_at(fabric, date + ack, count, &looks->after[n], NULL), SGF_OK);
  }
}

static void check(const watch_t* looks)
{
  for (unsigned n = 0; n < CNPS; n++) {
    CU_ASSERT_EQUAL(looks->before[n].sent, n);
    CU_ASSERT_EQUAL(looks->after[n].sent, n + 1);
  }
}

static uint64_t received(sgf_fabric_t* fabric, unsigned host)
{
  return sgf_device_roce_counters(sgf_fabric_host(fabric, host)).cnps_received;
}

/* ---- FB-64 ------------------------------------------------------------------------------------------------------- */

/* 50 us are 601.8 packets: the CNPs are 602 packets apart, 50.014 us, and the fifth comes 200.06 us after the first. */
static void one_flow(budget_seat_t seat_is)
{
  sgf_fabric_t* fabric = budget_rack(seat_is, "roce", HOSTS, BUDGET_SETTINGS(ALL_MARKED));
  watch_t looks;
  const int64_t apart = 50 * OPP_US / wire + 1;
  CU_ASSERT_EQUAL(apart, 602);
  watch(fabric, &looks, apart);
  budget_rack_write(0, RECEIVER, (uint64_t)packets() * MSS);
  const sgf_report_t* report = budget_rack_run();
  CU_ASSERT_EQUAL((int64_t)report->marked, packets());
  CU_ASSERT_EQUAL(received(fabric, 0), CNPS);
  check(&looks);
  CU_ASSERT(4 * apart * wire > 200 * OPP_US && 4 * apart * wire < 200 * OPP_US + 4 * wire);
  budget_rack_free();
}

SGF_TEST(FB_64_five_CNPs_in_220_us)
{
  one_flow(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_64_the_same_in_a_simulation)
{
  one_flow(BUDGET_SIMGRID);
}

/* Their packets take turns on the receiver's cable for 220 us. */
static void two_flows(budget_seat_t seat_is)
{
  sgf_fabric_t* fabric = budget_rack(seat_is, "roce", HOSTS, BUDGET_SETTINGS(ALL_MARKED));
  const int64_t each   = packets() / 2;
  for (unsigned h = 0; h < RECEIVER; h++)
    budget_rack_write(h, RECEIVER, (uint64_t)each * MSS);
  const sgf_report_t* report = budget_rack_run();
  CU_ASSERT_EQUAL((int64_t)report->marked, 2 * each);
  for (unsigned h = 0; h < RECEIVER; h++)
    CU_ASSERT_EQUAL(received(fabric, h), CNPS);
  budget_rack_free();
}

SGF_TEST(FB_64_five_for_each_of_two_flows)
{
  two_flows(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_64_two_flows_in_a_simulation)
{
  two_flows(BUDGET_SIMGRID);
}
