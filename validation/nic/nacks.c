/* spec/uet-nic.md 8.9, 9.8 and 11.6 on the state machine: packets that a switch has trimmed, and the NACKs for them. */
#include "harness.h"
#include "nic_support.h"

#include <string.h>

static const opp_simtime_t nack_wire = 1240;

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

static const bench_frame_t* nack(const bench_t* bench)
{
  const bench_frame_t* frame = bench_nth(bench, UET_NACK, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(frame);
  return frame;
}

/* ---- At the receiver --------------------------------------------------------------------------------------------- */

SGF_TEST(UN_82_a_trimmed_packet_draws_a_NACK_and_nothing_else)
{
  bench_t* bench = bench_new(NULL);
  bench_packet(bench, 0, BENCH_MSS);
  bench_run(bench, OPP_US);
  const int64_t written = sgf_pcie_bytes_to_host(bench->nic->pcie);
  bench_trimmed(bench, (bench_data_t){.psn = 1}, NET_ROLE_TRIMMED);
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench_count(bench, UET_ACK, 0), 1); /* of the packet before it */
  CU_ASSERT_EQUAL(bench_header(nack(bench))->psn, 1);
  CU_ASSERT_FALSE(bench_header(nack(bench))->flags & UET_FLAG_LAST_HOP);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), written);

  bench_packet(bench, 2, BENCH_MSS); /* the trimmed one is in no bitmap: PSN 2 is bit 1 beyond PSN 1 */
  bench_run(bench, 3 * OPP_US);
  const uet_header_t* ack = bench_header(bench_nth(bench, UET_ACK, 1));
  CU_ASSERT_EQUAL(ack->expected, 1);
  CU_ASSERT_EQUAL(ack->ack.bitmap, 2);
  bench_packet(bench, 1, BENCH_MSS); /* and new when it comes whole */
  bench_run(bench, 4 * OPP_US);
  CU_ASSERT_EQUAL(bench_header(bench_nth(bench, UET_ACK, 2))->expected, 3);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.duplicates, 0);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.nacks_sent, 1);
  bench_free(bench);
}

SGF_TEST(UN_83_a_trim_on_the_last_hop_has_a_code_of_its_own)
{
  bench_t* bench = bench_new(NULL);
  bench_trimmed(bench, (bench_data_t){.psn = 5}, NET_ROLE_TRIMMED_LAST_HOP);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT_EQUAL(bench_header(nack(bench))->psn, 5);
  CU_ASSERT(bench_header(nack(bench))->flags & UET_FLAG_LAST_HOP);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 0);
  bench_free(bench);
}

SGF_TEST(UN_03_UN_09_and_UN_165_a_NACK_is_a_control_packet_of_62_bytes)
{
  bench_t* bench = bench_new(NULL);
  bench_trimmed(bench, (bench_data_t){.from = 3, .pdc = 77, .message = 9, .psn = 4, .is_again = true},
                NET_ROLE_TRIMMED);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 62);
  bench_run(bench, nack_wire - 1);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 62);
  bench_run(bench, nack_wire);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(16 + 8 + 20 + 18, 62);
  CU_ASSERT_EQUAL(nack(bench)->bytes, 62);
  CU_ASSERT_EQUAL(nack(bench)->arrival, nack_wire + bench_delay);
  CU_ASSERT_EQUAL(nack(bench)->frame.dst, bench->nic->address + 3);
  CU_ASSERT_EQUAL(nack(bench)->frame.src_port, 4000); /* the entropy value comes back */
  CU_ASSERT_EQUAL(nack(bench)->frame.ecn, NET_ECN_ECT1);
  CU_ASSERT_EQUAL(nack(bench)->frame.dscp, net_role_dscp(NET_ROLE_CONTROL));
  CU_ASSERT_EQUAL(bench_header(nack(bench))->dst_pdc, 77);
  CU_ASSERT_EQUAL(bench_header(nack(bench))->message, 9);
  CU_ASSERT_EQUAL(bench_header(nack(bench))->flags, UET_FLAG_RETRANSMIT);
  bench_free(bench);
}

SGF_TEST(UN_79_a_NACK_goes_ahead_of_held_acknowledgements)
{
  bench_t* bench = bench_new(NULL);
  bench_packets(bench, 0, 2);
  bench_trimmed(bench, (bench_data_t){.psn = 2}, NET_ROLE_TRIMMED);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  CU_ASSERT_EQUAL(bench_header(&bench->log[0])->type, UET_NACK);
  CU_ASSERT_EQUAL(bench->log[0].arrival, nack_wire + bench_delay);
  CU_ASSERT_EQUAL(bench_header(&bench->log[1])->type, UET_ACK);
  bench_free(bench);
}

SGF_TEST(UN_03_UN_52_and_UN_53_what_is_trimmed_and_NACKs_are_charged_44_bytes_to_class_1)
{
  bench_t* bench = bench_new(NULL);
  bench_trimmed(bench, (bench_data_t){0}, NET_ROLE_TRIMMED); /* 62 B on the wire */
  CU_ASSERT_EQUAL(bench->nic->ingress[1].peak, 44);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].occupancy, 0);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].peak, 0);
  bench_free(bench);

  bench = bench_new(NULL);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, OPP_US);
  bench_answer(bench, &bench->log[0], (bench_answer_t){.is_nack = true});
  CU_ASSERT_EQUAL(bench->nic->ingress[1].peak, 44);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].occupancy, 0);
  bench_free(bench);
}

/* ---- At the sender ----------------------------------------------------------------------------------------------- */

/* 20 packets of which the third is trimmed. The NACK comes after 6 us, so that the base RTT stays what it was. */
SGF_TEST(a_NACK_takes_the_packet_out_of_flight_and_sends_it_again)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 20 * BENCH_MSS);
  const opp_simtime_t date = end_of(3) + 6 * OPP_US;
  bench_run(bench, date);
  CU_ASSERT_EQUAL_FATAL(bench->count, 20);
  bench_pause(bench, 0, 65535);
  bench_answer(bench, &bench->log[2], (bench_answer_t){.is_nack = true});
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.nacks_received, 1);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 1);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 20 * BENCH_IP); /* out, and in again */
  bench_pause(bench, 0, 0);
  bench_run(bench, date + bench_wire + bench_delay);
  CU_ASSERT_EQUAL_FATAL(bench->count, 21);
  const bench_frame_t* again = &bench->log[20];
  CU_ASSERT_EQUAL(again->arrival, date + bench_wire + bench_delay);
  CU_ASSERT_EQUAL(bench_header(again)->psn, 2);
  CU_ASSERT(bench_header(again)->flags & UET_FLAG_RETRANSMIT);
  CU_ASSERT_EQUAL(again->frame.dscp, net_role_dscp(NET_ROLE_TRIMMABLE_RTX));

  /* The timer of the first transmission has no effect any more: that of the second expires 150 us after its end. */
  bench_ack(bench, &bench->log[19], 2, (UINT64_C(1) << 18) - 2); /* all but it */
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), BENCH_IP);
  bench_run(bench, date + bench_wire + 300 * OPP_US - 1);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.timeouts, 0); /* and is twice as long: it is a retransmission's */
  bench_run(bench, date + bench_wire + 300 * OPP_US);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.timeouts, 1);
  bench_free(bench);
}

SGF_TEST(UN_125_a_NACK_takes_a_packet_off_the_window_and_is_a_sample_of_6_us)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("TrimmingEnabled", "true"));
  bench_post(bench, 1, 20 * BENCH_MSS);
  bench_run(bench, end_of(1) + 6 * OPP_US);
  bench_answer(bench, &bench->log[0], (bench_answer_t){.is_nack = true});
  CU_ASSERT_EQUAL((int64_t)bench_group(bench, 1)->congestion.window, 445816);
  CU_ASSERT_EQUAL((int64_t)bench_group(bench, 1)->congestion.delay, 1500000); /* 1.5 us */
  bench_free(bench);
}

/* It is a sample for the base RTT like an acknowledgement: of a packet sent once, and of its first retransmission. */
SGF_TEST(a_NACK_is_a_sample_for_the_base_RTT)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 20 * BENCH_MSS);
  bench_run(bench, end_of(1) + 3 * OPP_US);
  bench_answer(bench, &bench->log[0], (bench_answer_t){.is_nack = true});
  CU_ASSERT_EQUAL(bench_group(bench, 1)->congestion.base_rtt, 4 * OPP_US);
  bench_free(bench);
}

static void check_nothing_changes(bench_t* bench, const bench_frame_t* trimmed)
{
  const uet_group_t* group = bench_group(bench, 1);
  const int64_t in_flight  = bench_in_flight(bench, 1);
  const uint64_t again     = bench_uet(bench)->counters.retransmissions;
  nscc_t before;
  memcpy(&before, &group->congestion, sizeof before);
  bench_answer(bench, trimmed, (bench_answer_t){.is_nack = true});
  CU_ASSERT_EQUAL(memcmp(&before, &group->congestion, sizeof before), 0);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), in_flight);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, again);
}

SGF_TEST(UN_84_a_NACK_for_a_packet_that_is_acknowledged_changes_nothing)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 3 * BENCH_MSS);
  bench_run(bench, 10 * OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  check_nothing_changes(bench, &bench->log[0]);
  bench_free(bench);
}

/* A window of one packet: when the first message's packet times out it is the second message's turn, and the
 * retransmission waits. */
SGF_TEST(UN_84_a_NACK_for_a_packet_that_is_queued_again_changes_nothing)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("InitialBaseRTT", "56ns"));
  bench_post(bench, 1, BENCH_MSS);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, 160 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.timeouts, 1);
  check_nothing_changes(bench, &bench->log[0]);
  bench_free(bench);
}

/* Its retransmission waits at the port. */
SGF_TEST(UN_84_a_NACK_for_a_packet_whose_retransmission_waits_at_the_port_changes_nothing)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, 140 * OPP_US);
  bench_pause(bench, 0, 65535);
  bench_run(bench, 160 * OPP_US);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 1);
  check_nothing_changes(bench, &bench->log[0]);
  bench_free(bench);
}

SGF_TEST(a_NACK_for_a_message_that_is_done_changes_nothing)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, 10 * OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  bench_answer(bench, &bench->log[0], (bench_answer_t){.is_nack = true});
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->count, 1);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.nacks_received, 1);
  bench_free(bench);
}

/* Ahead of new data of its PDC: the window lets one packet go for the one that is trimmed. */
SGF_TEST(a_trimmed_packet_goes_before_new_segments)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("NSCCEnable", "false", "EgressBufferManager.TotalBufferSize", "4MB"));
  bench_post(bench, 1, 200 * BENCH_MSS);
  bench_run(bench, end_of(107) + bench_delay);
  CU_ASSERT_EQUAL_FATAL(bench->count, 107);
  bench_answer(bench, &bench->log[40], (bench_answer_t){.is_nack = true}); /* 5.7 us old: the window stays */
  bench_run(bench, end_of(120) + bench_delay);
  CU_ASSERT_EQUAL_FATAL(bench->count, 108);
  CU_ASSERT_EQUAL(bench_header(&bench->log[107])->psn, 40);
  bench_free(bench);
}
