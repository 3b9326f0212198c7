/* Loss recovery of the sender on the bench (spec/roce-nic.md 10.5 to 10.7; RO-48 to RO-50, RO-55, RO-74). */
#include "harness.h"
#include "roce_support.h"

enum { MIB = 1 << 20, PACKETS = 256 };

/* When the ACK arrives: all of the MiB is sent by then. */
static const opp_simtime_t answered = 100 * OPP_US;
static const opp_simtime_t timeout  = 64 * OPP_MS;

static bench_t* sent_a_MiB(void)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, MIB);
  bench_run(bench, answered);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS);
  return bench;
}

SGF_TEST(RO_48_a_lost_last_packet_is_sent_again_64_ms_after_the_ACK_before_it)
{
  bench_t* bench = sent_a_MiB();
  roce_ack(bench, 0, 1, 254);
  bench_run(bench, answered + timeout - 1);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 0);
  bench_run(bench, answered + timeout);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 1);
  bench_run(bench, answered + timeout + roce_first_arrival());
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS + 1);
  CU_ASSERT_EQUAL(roce_header_at(bench, PACKETS)->psn, 255);
  CU_ASSERT_EQUAL(bench->log[PACKETS].arrival, answered + timeout + roce_first_arrival());
  roce_ack(bench, 0, 1, 255);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], bench_now(bench));
  CU_ASSERT_EQUAL(roce_counters(bench)->recoveries, 1);
  roce_run_to_the_end(bench);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 1);
  bench_free(bench);
}

/* 100 packets are retired before the NAK, which names the 100th. */
SGF_TEST(RO_49_a_NAK_sends_everything_from_its_PSN_again)
{
  bench_t* bench = sent_a_MiB();
  roce_nak(bench, 0, 1, 99);
  CU_ASSERT_EQUAL(roce_counters(bench)->recoveries, 1);
  bench_run(bench, 2 * answered);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS + 157);
  for (uint32_t i = 0; i < 157; i++)
    CU_ASSERT_EQUAL(roce_header_at(bench, PACKETS + i)->psn, 99 + i);
  CU_ASSERT_EQUAL(bench->log[PACKETS].arrival, answered + roce_first_arrival());
  roce_ack(bench, 0, 1, 255);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], 2 * answered);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 0);
  CU_ASSERT_EQUAL(roce_of(bench)->resent, 157);
  bench_free(bench);
}

/* Packets 86 to 256 are sent again: PSNs 85 to 255. */
SGF_TEST(RO_50_without_a_NAK_the_timer_sends_everything_outstanding_again)
{
  bench_t* bench = sent_a_MiB();
  roce_ack(bench, 0, 1, 84);
  bench_run(bench, answered + timeout + answered);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS + 171);
  CU_ASSERT_EQUAL(roce_header_at(bench, PACKETS)->psn, 85);
  CU_ASSERT_EQUAL(roce_header_at(bench, PACKETS + 170)->psn, 255);
  CU_ASSERT_EQUAL(bench->log[PACKETS].arrival, answered + timeout + roce_first_arrival());
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 1);
  CU_ASSERT_EQUAL(roce_counters(bench)->recoveries, 1);
  bench_free(bench);
}

SGF_TEST(RO_55_an_ACK_for_a_PSN_that_was_never_sent_is_a_ghost)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, ROCE_MSS);
  roce_ack(bench, 0, 1, 0); /* nothing is fetched yet */
  CU_ASSERT_EQUAL(roce_counters(bench)->drops_ghost, 1);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], -1);
  roce_ack(bench, 0, 2, 0); /* of a message that has not begun */
  CU_ASSERT_EQUAL(roce_counters(bench)->drops_ghost, 2);
  bench_free(bench);
}

SGF_TEST(an_answer_without_a_queue_pair_is_dropped_and_counted)
{
  bench_t* bench = roce_bench(NULL);
  roce_ack(bench, 5, 1, 0);
  roce_nak(bench, 5, 1, 0);
  roce_cnp(bench, 5);
  CU_ASSERT_EQUAL(roce_counters(bench)->drops_no_pair_control, 3);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].occupancy, 0);
  bench_free(bench);
}

SGF_TEST(RO_74_an_ACK_that_comes_after_its_timeout_retires_all)
{
  bench_t* bench          = sent_a_MiB();
  const opp_simtime_t due = roce_start + roce_fetch + timeout; /* when the first payload was here */
  bench_run(bench, due);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 1);
  roce_ack(bench, 0, 1, 255);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], due);
  CU_ASSERT_EQUAL(roce_counters(bench)->drops_ghost, 0);
  roce_run_to_the_end(bench);
  CU_ASSERT_EQUAL(bench->count, PACKETS);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 1);
  bench_free(bench);
}

/* The NAK comes while the whole pool is on its way from the host: 55 packets, of which one has its PSN. */
SGF_TEST(payload_that_a_rewind_catches_on_its_way_is_discarded_and_gives_its_room_back)
{
  bench_t* bench = roce_bench(NULL);
  bench_pause(bench, 0, PFC_MAX_QUANTA);
  bench_post(bench, 1, MIB);
  bench_run(bench, roce_start + roce_fetch);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 55 * 4154);
  roce_nak(bench, 0, 1, 0);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL(roce_counters(bench)->payload_discards, 54);
  /* One that had its PSN, and what was fetched since. */
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, (1 + roce_of(bench)->pairs[0]->window.fetch) * 4154);
  bench_pause(bench, 0, 0);
  bench->answers = true;
  roce_run_to_the_end(bench);
  CU_ASSERT_NOT_EQUAL(bench->acknowledged_at[0], -1);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 0);
  bench_free(bench);
}

/* The timer runs from the payload on, not from the wire. */
SGF_TEST(the_timer_starts_when_the_payload_is_here)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("RetransmitTimeout", "10us"));
  bench_pause(bench, 0, PFC_MAX_QUANTA);
  bench_post(bench, 1, ROCE_MSS);
  bench_run(bench, roce_start + roce_fetch + 10 * OPP_US - 1);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 0);
  bench_run(bench, roce_start + roce_fetch + 10 * OPP_US);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 1);
  bench_free(bench);
}

SGF_TEST(round_trips_run_from_the_end_of_serialisation_and_not_from_packets_sent_again)
{
  bench_t* bench                = sent_a_MiB();
  const opp_simtime_t last_sent = bench->log[255].arrival - bench_delay;
  roce_nak(bench, 0, 1, 200);
  bench_run(bench, 2 * answered);
  roce_ack(bench, 0, 1, 255);
  CU_ASSERT_EQUAL(roce_of(bench)->rtt_run.count, 0);
  bench_free(bench);
  bench = sent_a_MiB();
  roce_ack(bench, 0, 1, 255);
  CU_ASSERT_EQUAL(roce_of(bench)->rtt_run.count, 1);
  CU_ASSERT_EQUAL(roce_of(bench)->rtt_run.max, answered - last_sent);
  bench_free(bench);
}

/* ---- SelectiveRepeat --------------------------------------------------------------------------------------------- */

#define SELECTIVE "LossRecovery", "SelectiveRepeat"

SGF_TEST(SelectiveRepeat_sends_the_lost_packet_alone_again)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS(SELECTIVE));
  bench_post(bench, 1, 20 * ROCE_MSS);
  bench_run(bench, 5 * OPP_US);
  roce_selective_nak(bench, 0, 1, 7, 8);
  roce_selective_nak(bench, 0, 1, 7, 9);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 21);
  CU_ASSERT_EQUAL(roce_header_at(bench, 20)->psn, 7);
  roce_ack(bench, 0, 1, 19);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], 10 * OPP_US);
  CU_ASSERT_EQUAL(roce_counters(bench)->recoveries, 1);
  CU_ASSERT_EQUAL(roce_counters(bench)->selective_received, 2);
  bench_free(bench);
}

/* 20 packets are many: 320 us from the last one that was retired. Then three are few. */
SGF_TEST(SelectiveRepeat_has_a_short_timeout_for_few_packets)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS(SELECTIVE));
  bench_post(bench, 1, 20 * ROCE_MSS);
  bench_run(bench, 5 * OPP_US);
  roce_ack(bench, 0, 1, 15);
  bench_run(bench, 325 * OPP_US - 1);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 0);
  bench_run(bench, 325 * OPP_US);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 1);
  roce_ack(bench, 0, 1, 16);
  bench_run(bench, 425 * OPP_US - 1);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 1);
  bench_run(bench, 425 * OPP_US);
  CU_ASSERT_EQUAL(roce_counters(bench)->timeouts, 2);
  bench_free(bench);
}

/* 6 us at 400 Gb/s are 300,000 B: 72 packets of 4,154 B. */
SGF_TEST(BdpFlowControl_keeps_a_round_trip_in_flight)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("BdpFlowControl", "true"));
  bench_post(bench, 1, MIB);
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 72);
  roce_ack(bench, 0, 1, 9);
  bench_run(bench, 200 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 82);
  bench_free(bench);
  bench = roce_bench(BENCH_SETTINGS("BdpFlowControl", "true", "BdpCap", "10000B"));
  bench_post(bench, 1, MIB);
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 2);
  bench_free(bench);
}
