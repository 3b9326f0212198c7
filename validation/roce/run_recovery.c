/* Loss between two RoCE NICs in SimGrid simulations (spec/roce-nic.md 14; RO-48 to RO-50, RO-57, RO-69), and what
 * SelectiveRepeat makes of the same. */
#include "harness.h"

#include "roce_run_support.h"

enum { PACKETS = 256 };

/* When the ACK of the packet that is number `n` of those sent in a row has come back to h0. */
static opp_simtime_t answer(uint32_t n)
{
  return rrun_arrival(n) + rrun_ack + rrun_cable;
}

/* ---- Taps: what is lost, on the cable to h1 ---------------------------------------------------------------------- */

static const roce_header_t* header_of(opp_msg_t* msg)
{
  return net_frame(msg)->type == NET_FRAME_PFC ? NULL : roce_header(net_frame(msg));
}

static uint32_t lost_psn;
static unsigned losses;     /* of it; the first ones */
static unsigned nak_losses; /* of NAKs */
static unsigned behind_gap; /* packets beyond the lost one that came before it came again */
static bool filled;
static bool marks;

static opp_simtime_t lose(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  const roce_header_t* header = header_of(msg);
  if (header == NULL)
    return 0;
  if (!to_host && header->type == ROCE_NAK && nak_losses > 0) {
    nak_losses--;
    return RUN_LOST;
  }
  if (!to_host || header->type != ROCE_DATA)
    return 0;
  if (header->psn == lost_psn && losses > 0) {
    losses--;
    return RUN_LOST;
  }
  filled |= header->psn == lost_psn;
  behind_gap += !filled && header->psn > lost_psn;
  if (marks && header->psn > lost_psn)
    net_frame(msg)->ecn = NET_ECN_CE;
  return 0;
}

/* A MiB from h0 to h1, of which one packet is lost. */
static size_t run(uint32_t psn, const char* const* settings)
{
  lost_psn  = psn;
  losses    = 1;
  rrun_fate = lose;
  rrun_cable_of(settings);
  const size_t write = run_write(0, 1, RRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(rrun_counters(0)->messages_acknowledged, 1);
  return write;
}

/* ---- Go-back-N --------------------------------------------------------------------------------------------------- */

/* The ACK for 255 packets arrives, 64 ms pass, one packet is sent again. */
SGF_SCENARIO(RO_48_the_last_packet_of_256_is_lost)
{
  const size_t write            = run(255, NULL);
  const opp_simtime_t resent_at = answer(255) + 64 * OPP_MS;
  CU_ASSERT_EQUAL(run_written(write), resent_at + rrun_arrival(1) + rrun_ack + rrun_cable);
  CU_ASSERT_EQUAL(rrun_counters(0)->timeouts, 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->recoveries, 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->data_sent, PACKETS + 1);
}

SGF_SCENARIO(RO_49_69_packet_100_of_256_is_lost)
{
  const size_t write = run(99, NULL);
  CU_ASSERT_EQUAL(rrun_counters(0)->recoveries, 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->timeouts, 0);
  CU_ASSERT_EQUAL(rrun_counters(0)->naks_received, 1);
  CU_ASSERT_EQUAL(rrun_counters(1)->gaps, 1);
  CU_ASSERT_EQUAL(rrun_counters(1)->drops_behind_gap, behind_gap);
  CU_ASSERT(behind_gap > 1);
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 0);
  CU_ASSERT_EQUAL(rrun_counters(1)->duplicates, 0);
  /* What was sent between the lost packet and the NAK costs about a round trip: 4 packets a round trip, and 55 that had
   * their room in the transmit pool. */
  CU_ASSERT(run_written(write) < answer(PACKETS) + 70 * rrun_wire);
}

/* ACKs up to packet 85 have come: 86 to 256 are sent again, of which 86 to 99 are duplicates. */
SGF_SCENARIO(RO_50_packet_100_and_its_NAK_are_lost)
{
  nak_losses                    = 1;
  const size_t write            = run(99, NULL);
  const opp_simtime_t resent_at = answer(85) + 64 * OPP_MS;
  CU_ASSERT_EQUAL(rrun_counters(1)->duplicates, 14);
  CU_ASSERT_EQUAL(rrun_counters(1)->naks_sent, 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->timeouts, 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->recoveries, 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->data_sent, PACKETS + 171);
  CU_ASSERT_EQUAL(run_written(write), resent_at + rrun_arrival(171) + rrun_ack + rrun_cable);
}

/* All beyond the gap are marked, also when they come for the second time. */
SGF_SCENARIO(RO_57_packets_behind_a_gap_draw_CNPs)
{
  marks = true;
  run(99, RUN_SETTINGS("**.h0.nic.EnableECN=false"));
  CU_ASSERT_EQUAL(rrun_counters(1)->cnps_sent, behind_gap + PACKETS - 100);
  CU_ASSERT_EQUAL(rrun_counters(0)->cnps_received, rrun_counters(1)->cnps_sent);
}

/* ---- SelectiveRepeat --------------------------------------------------------------------------------------------- */

#define SELECTIVE "**.nic.LossRecovery=SelectiveRepeat"

SGF_SCENARIO(SelectiveRepeat_sends_one_lost_packet_again_and_nothing_else)
{
  const size_t write = run(99, RUN_SETTINGS(SELECTIVE));
  CU_ASSERT_EQUAL(rrun_counters(0)->data_sent, PACKETS + 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->recoveries, 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->timeouts, 0);
  CU_ASSERT_EQUAL(rrun_counters(1)->drops_behind_gap, 0);
  CU_ASSERT_EQUAL(rrun_counters(1)->duplicates, 0);
  CU_ASSERT_EQUAL(rrun_counters(1)->selective_sent, behind_gap);
  CU_ASSERT(run_written(write) <= answer(PACKETS + 1));
}

/* Nothing overtakes the last packet: the short timeout helps, since one packet is in flight. */
SGF_SCENARIO(SelectiveRepeat_sends_the_last_packet_again_after_100_us)
{
  const size_t write = run(255, RUN_SETTINGS(SELECTIVE));
  CU_ASSERT_EQUAL(rrun_counters(0)->data_sent, PACKETS + 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->timeouts, 1);
  CU_ASSERT_EQUAL(run_written(write), answer(255) + 100 * OPP_US + rrun_arrival(1) + rrun_ack + rrun_cable);
}
