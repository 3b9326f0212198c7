/* spec/feedback-budget.md 10 and 13.2, FB-67: what one loss in a MiB makes go-back-N and selective senders send again.
 *
 *   h0 == tor == tap h1 */
#include "harness.h"
#include "nic/roce/roce.h"
#include "roce_support.h"

enum { MIB = 1 << 20, PACKETS = 256, LOST = 99, FULL = 4154, NAK = 126, HOSTS = 2, POOL = 55 };

/* ---- The tap ----------------------------------------------------------------------------------------------------- */

static unsigned passed;     /* data packets towards h1, the lost one among them */
static unsigned first_pass; /* of them, those before a packet came for the second time */
static opp_simtime_t dates[2 * PACKETS];
static opp_simtime_t nak_date;

/* Of any transport: only data is as long, and all packets of the message are full. */
static bool is_data(const opp_msg_t* msg)
{
  return msg->bytes >= 4096;
}

static opp_simtime_t lose_one(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  if (!to_host || !is_data(msg))
    return 0;
  CU_ASSERT_FATAL(passed < 2 * PACKETS);
  dates[passed] = now;
  return passed++ == LOST ? RUN_LOST : 0;
}

static opp_simtime_t lose_and_note(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const roce_header_t* header = roce_header_const(net_frame(msg));
  if (!to_host && header->type == ROCE_NAK) {
    CU_ASSERT_EQUAL(nak_date, 0); /* one NAK */
    CU_ASSERT_EQUAL(header->psn, LOST);
    nak_date = now;
  }
  if (to_host && first_pass == 0 && header->type == ROCE_DATA && header->psn == LOST && passed > LOST)
    first_pass = passed;
  return lose_one(msg, now, to_host);
}

/* Packets sent again. */
static uint64_t resent(budget_seat_t seat_is, const char* model, run_tap_t tap, const char* const* settings)
{
  passed     = 0;
  first_pass = 0;
  nak_date   = 0;
  budget_rack_tap("h1", tap);
  budget_rack(seat_is, model, HOSTS, settings);
  budget_rack_write(0, 1, MIB);
  const sgf_report_t* report = budget_rack_run();
  const uint64_t again       = report->retransmissions;
  CU_ASSERT(report->flows[0].end > 0 && report->flows[0].end < OPP_MS); /* no timer of 64 ms */
  CU_ASSERT_EQUAL(passed, PACKETS + again);
  budget_rack_free();
  return again;
}

/* ---- FB-67 ------------------------------------------------------------------------------------------------------- */

/* The packets that had begun when the NAK came to h0: each takes two serialisations and two cables to the tap, and so
 * does the NAK from it. What had its PSN by then follows: it waits in the transmit pool, which holds 55. */
static void go_back(budget_seat_t seat_is)
{
  const uint64_t again      = resent(seat_is, "roce", lose_and_note, BUDGET_SETTINGS("nic.EnableECN=false"));
  const opp_simtime_t there = nak_date + 2 * budget_wire(NAK) + 2 * BUDGET_CABLE;
  unsigned begun            = 0;
  while (begun < first_pass && dates[begun] - 2 * budget_wire(FULL) - 2 * BUDGET_CABLE <= there)
    begun++;
  CU_ASSERT_EQUAL(again, first_pass - LOST);
  CU_ASSERT(begun > LOST + 2); /* a round trip is longer than a packet */
  CU_ASSERT(again >= begun - LOST);
  CU_ASSERT(again <= begun - LOST + POOL);
}

SGF_TEST(FB_67_go_back_N_sends_all_after_the_lost_packet_again)
{
  go_back(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_67_go_back_N_in_a_simulation)
{
  go_back(BUDGET_SIMGRID);
}

#define SELECTIVE "nic.EnableECN=false", "nic.LossRecovery=SelectiveRepeat"

SGF_TEST(FB_67_SelectiveRepeat_sends_one_packet_again)
{
  CU_ASSERT_EQUAL(resent(BUDGET_ENGINE, "roce", lose_one, BUDGET_SETTINGS(SELECTIVE)), 1);
}

SGF_SCENARIO(FB_67_SelectiveRepeat_in_a_simulation)
{
  CU_ASSERT_EQUAL(resent(BUDGET_SIMGRID, "roce", lose_one, BUDGET_SETTINGS(SELECTIVE)), 1);
}

SGF_TEST(FB_67_an_MRC_NIC_sends_one_packet_again)
{
  CU_ASSERT_EQUAL(resent(BUDGET_ENGINE, "mrc", lose_one, BUDGET_SETTINGS(NULL)), 1);
}

SGF_SCENARIO(FB_67_an_MRC_NIC_in_a_simulation)
{
  CU_ASSERT_EQUAL(resent(BUDGET_SIMGRID, "mrc", lose_one, BUDGET_SETTINGS(NULL)), 1);
}
