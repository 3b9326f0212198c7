/* The receiver on the bench: acknowledgements and their timer, gaps, the receive buffer and its pauses
 * (spec/roce-nic.md 7, 8, 10.4, 10.5; RO-05, RO-11, RO-12, RO-15, RO-16, RO-37 to RO-43, RO-47, RO-54, RO-56, RO-68,
 * RO-69, RO-72, RO-76). */
#include "harness.h"
#include "roce_support.h"

static void in_order(bench_t* bench, uint32_t psn, bool is_last)
{
  roce_data(bench, (roce_data_t){.psn = psn, .payload = ROCE_MSS, .is_last = is_last, .bytes = 5});
}

static const bench_frame_t* ack_at(const bench_t* bench, size_t n)
{
  const bench_frame_t* frame = bench_nth(bench, ROCE_ACK, n);
  CU_ASSERT_PTR_NOT_NULL_FATAL(frame);
  return frame;
}

static uint32_t psn_of(const bench_frame_t* frame)
{
  return roce_header_const(&frame->frame)->psn;
}

/* ---- Acknowledgements (10.5) ------------------------------------------------------------------------------------- */

/* Packets arrive back to back at line rate, from date 0 on. */
static void arrive_at_line_rate(bench_t* bench, uint32_t packets)
{
  for (uint32_t psn = 0; psn < packets; psn++) {
    bench_run(bench, (psn + 1) * roce_wire);
    in_order(bench, psn, psn + 1 == packets);
  }
  bench_run(bench, bench_now(bench) + OPP_US);
}

SGF_TEST(RO_15_a_MiB_draws_sixteen_acknowledgements)
{
  bench_t* bench = roce_bench(NULL);
  int64_t bytes  = 0;
  arrive_at_line_rate(bench, 256);
  CU_ASSERT_EQUAL_FATAL(bench->count, 16);
  for (size_t n = 0; n < 16; n++)
    bytes += bench->log[n].bytes;
  CU_ASSERT_EQUAL(bytes, 2016);
  for (uint32_t n = 0; n < 15; n++)
    CU_ASSERT_EQUAL(psn_of(ack_at(bench, n)), 17 * (n + 1) - 1);
  CU_ASSERT_EQUAL(psn_of(ack_at(bench, 15)), 255);
  CU_ASSERT_EQUAL(bench->log[1].arrival - bench->log[0].arrival, 1412360);
  CU_ASSERT_EQUAL(bench->log[0].arrival, 17 * roce_wire + roce_ack_wire + bench_delay);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  CU_ASSERT_EQUAL(bench_delivery(bench)->message.number, 1);
  bench_free(bench);
}

SGF_TEST(RO_16_without_coalescing_a_MiB_draws_256_acknowledgements)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("AckCoalescingEnabled", "false"));
  arrive_at_line_rate(bench, 256);
  CU_ASSERT_EQUAL(bench_count(bench, ROCE_ACK, 0), 256);
  bench_free(bench);
}

SGF_TEST(RO_56_five_packets_and_silence_are_acknowledged_1_ms_after_the_first_was_held)
{
  bench_t* bench = roce_bench(NULL);
  for (uint32_t psn = 0; psn < 5; psn++) {
    bench_run(bench, (psn + 1) * 100 * OPP_US);
    in_order(bench, psn, false);
  }
  bench_run(bench, 10 * OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT_EQUAL(psn_of(ack_at(bench, 0)), 4);
  CU_ASSERT_EQUAL(bench->log[0].arrival, 100 * OPP_US + OPP_MS + roce_ack_wire + bench_delay);
  bench_free(bench);
}

SGF_TEST(RO_68_an_ACK_by_count_restarts_the_timer)
{
  bench_t* bench         = roce_bench(NULL);
  const opp_simtime_t at = 300 * OPP_US;
  roce_packets(bench, 0, 16); /* the timer runs from date 0 on */
  bench_run(bench, at);
  in_order(bench, 16, false);
  bench_run(bench, at + 900 * OPP_US);
  in_order(bench, 17, false);
  bench_run(bench, 10 * OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(psn_of(ack_at(bench, 0)), 16);
  CU_ASSERT_EQUAL(psn_of(ack_at(bench, 1)), 17);
  CU_ASSERT_EQUAL(bench->log[1].arrival, at + OPP_MS + roce_ack_wire + bench_delay);
  bench_free(bench);
}

/* Full of other ACKs: what waits is merged into the next, and one goes when there is room. */
SGF_TEST(an_ACK_without_room_is_merged_into_the_next_of_its_queue_pair)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("AckCoalescingEnabled", "false"));
  bench_pause(bench, 1, PFC_MAX_QUANTA);
  for (unsigned qp = 1; qp <= 203; qp++)
    roce_data(bench, (roce_data_t){.queue_pair = qp, .payload = 1, .message = qp});
  for (uint32_t psn = 0; psn < 3; psn++)
    roce_data(bench, (roce_data_t){.queue_pair = 300, .psn = psn, .payload = 1, .message = 300});
  bench_pause(bench, 1, 0);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 204);
  CU_ASSERT_EQUAL(roce_header_at(bench, 203)->message, 300);
  CU_ASSERT_EQUAL(roce_header_at(bench, 203)->psn, 2);
  bench_free(bench);
}

/* The control pool is full of ACKs of other queue pairs: what queue pair 300 has to say waits until `waited` is called,
 * which returns it. */
static bench_t* without_room(const char* recovery)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("AckCoalescingEnabled", "false", "LossRecovery", recovery));
  bench_pause(bench, 1, PFC_MAX_QUANTA);
  for (unsigned qp = 1; qp <= 203; qp++)
    roce_data(bench, (roce_data_t){.queue_pair = qp, .payload = 1, .message = qp});
  return bench;
}

static void of_300(bench_t* bench, uint32_t psn)
{
  roce_data(bench, (roce_data_t){.queue_pair = 300, .psn = psn, .payload = 1, .message = 300});
}

static roce_header_t waited(bench_t* bench)
{
  bench_pause(bench, 1, 0);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 204);
  const roce_header_t header = *roce_header_at(bench, 203);
  CU_ASSERT_EQUAL(header.message, 300);
  bench_free(bench);
  return header;
}

/* Its gap draws no second one: without it the sender would wait for its timer. */
SGF_TEST(a_NAK_without_room_outlives_an_ACK_that_says_less)
{
  bench_t* bench = without_room("GoBackN");
  of_300(bench, 0);
  of_300(bench, 2);
  of_300(bench, 0); /* a duplicate draws an ACK of PSN 0 */
  const roce_header_t nak = waited(bench);
  CU_ASSERT_EQUAL(nak.type, ROCE_NAK);
  CU_ASSERT_EQUAL(nak.psn, 1);

  bench = without_room("GoBackN");
  of_300(bench, 0);
  of_300(bench, 2);
  of_300(bench, 1); /* the gap is filled */
  const roce_header_t ack = waited(bench);
  CU_ASSERT_EQUAL(ack.type, ROCE_ACK);
  CU_ASSERT_EQUAL(ack.psn, 1);
}

SGF_TEST(SelectiveRepeat_a_NAK_without_room_keeps_the_highest_packet_until_it_is_in_order)
{
  bench_t* bench = without_room("SelectiveRepeat");
  of_300(bench, 0);
  of_300(bench, 2);
  of_300(bench, 4);
  of_300(bench, 1); /* in order up to 2; 3 is missing */
  roce_header_t nak = waited(bench);
  CU_ASSERT_EQUAL(nak.type, ROCE_NAK);
  CU_ASSERT_EQUAL(nak.flags, ROCE_FLAG_SELECTIVE);
  CU_ASSERT_EQUAL(nak.psn, 3);
  CU_ASSERT_EQUAL(nak.drawn_by, 4);

  bench = without_room("SelectiveRepeat");
  of_300(bench, 0);
  of_300(bench, 4);
  of_300(bench, 2);
  nak = waited(bench);
  CU_ASSERT_EQUAL(nak.type, ROCE_NAK);
  CU_ASSERT_EQUAL(nak.psn, 1);
  CU_ASSERT_EQUAL(nak.drawn_by, 4);

  bench = without_room("SelectiveRepeat");
  of_300(bench, 0);
  of_300(bench, 2);
  of_300(bench, 1);
  const roce_header_t ack = waited(bench);
  CU_ASSERT_EQUAL(ack.type, ROCE_ACK);
  CU_ASSERT_EQUAL(ack.psn, 2);
}

/* 256,000 B x 0.0004 = 102 B: no ACK has room, and nothing else is in the pool. */
SGF_TEST(a_NIC_whose_acknowledgements_have_no_room_is_not_empty)
{
  bench_t* bench =
      roce_bench(BENCH_SETTINGS("EgressBufferManager/PoolAllocationVector", "[0.9, 0.0004, 0, 0, 0, 0, 0, 0]"));
  char what[256];
  CU_ASSERT_TRUE(nic_is_empty(bench->nic, what, sizeof what));
  roce_data(bench, (roce_data_t){.payload = 1, .is_last = true});
  bench_run(bench, OPP_MS);
  CU_ASSERT_FALSE(nic_is_empty(bench->nic, what, sizeof what));
  CU_ASSERT_STRING_EQUAL(what, "an ACK or NAK waits for room in its transmit pool");
  bench_free(bench);
}

/* ---- Gaps and duplicates (10.4) ---------------------------------------------------------------------------------- */

SGF_TEST(RO_49_69_a_gap_draws_one_NAK_and_what_comes_behind_it_is_dropped)
{
  bench_t* bench = roce_bench(NULL);
  roce_packets(bench, 0, 5);
  roce_packets(bench, 6, 10);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT_EQUAL(roce_type_at(bench, 0), ROCE_NAK);
  CU_ASSERT_EQUAL(roce_header_at(bench, 0)->psn, 5);
  CU_ASSERT_EQUAL(bench->log[0].bytes, 126);
  CU_ASSERT_EQUAL(roce_counters(bench)->gaps, 1);
  CU_ASSERT_EQUAL(roce_counters(bench)->drops_behind_gap, 10);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 0);
  roce_packets(bench, 5, 11);
  CU_ASSERT_EQUAL(roce_of(bench)->ends[0]->acks.arrivals.expected, 16);
  CU_ASSERT_EQUAL(roce_counters(bench)->drops_behind_gap, 10);
  bench_free(bench);
}

SGF_TEST(RO_54_a_duplicate_is_counted_and_not_written)
{
  bench_t* bench = roce_bench(NULL);
  roce_packets(bench, 0, 2);
  const int64_t written = sgf_pcie_bytes_to_host(bench->nic->pcie);
  for (unsigned i = 0; i < 15; i++)
    in_order(bench, 0, false);
  CU_ASSERT_EQUAL(roce_counters(bench)->duplicates, 15);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), written);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1); /* 17 packets */
  CU_ASSERT_EQUAL(psn_of(ack_at(bench, 0)), 1);
  bench_free(bench);
}

SGF_TEST(a_late_duplicate_of_an_earlier_message_changes_nothing)
{
  bench_t* bench = roce_bench(NULL);
  in_order(bench, 0, true);
  roce_data(bench, (roce_data_t){.message = 2, .psn = 0, .payload = ROCE_MSS});
  in_order(bench, 0, true);
  CU_ASSERT_EQUAL(roce_counters(bench)->duplicates, 1);
  CU_ASSERT_EQUAL(roce_of(bench)->ends[0]->message, 2);
  CU_ASSERT_EQUAL(roce_of(bench)->ends[0]->acks.arrivals.expected, 1);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  bench_free(bench);
}

SGF_TEST(SelectiveRepeat_writes_later_packets_as_they_come_and_delivers_when_the_gap_is_filled)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("LossRecovery", "SelectiveRepeat"));
  in_order(bench, 0, false);
  in_order(bench, 2, false);
  in_order(bench, 3, true);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 3 * 4368);
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(roce_type_at(bench, 1), ROCE_NAK);
  CU_ASSERT_EQUAL(roce_header_at(bench, 1)->psn, 1);
  CU_ASSERT_EQUAL(roce_header_at(bench, 1)->drawn_by, 3);
  in_order(bench, 1, false);
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  CU_ASSERT_EQUAL(psn_of(ack_at(bench, 0)), 3);
  CU_ASSERT_EQUAL(roce_counters(bench)->drops_behind_gap, 0);
  CU_ASSERT_EQUAL(roce_counters(bench)->gaps, 1);
  bench_free(bench);
}

/* ---- The receive buffer (7, 8) ----------------------------------------------------------------------------------- */

/* Nothing of what comes after BENCH_STUCK_WRITES packets is drained. */
static bench_t* stuck(const char* attribute, const char* value)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS(BENCH_STUCK, attribute, value));
  roce_packets(bench, 0, BENCH_STUCK_WRITES);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 0);
  return bench;
}

SGF_TEST(RO_76_58_writes_are_accepted_and_the_59th_packet_stays)
{
  bench_t* bench = stuck("EnableECN", "true");
  roce_packets(bench, BENCH_STUCK_WRITES, 1);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 4136);
  bench_free(bench);
}

SGF_TEST(RO_11_12_packet_697_sends_the_pause_and_packet_871_is_dropped)
{
  bench_t* bench = stuck("EnableECN", "true");
  roce_packets(bench, BENCH_STUCK_WRITES, 696);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 2878656);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 0);
  roce_packets(bench, BENCH_STUCK_WRITES + 696, 1);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 2882792);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 1);
  roce_packets(bench, BENCH_STUCK_WRITES + 697, 870 - 697);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 0);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 1); /* RO-39: arrivals send no second one */
  roce_packets(bench, BENCH_STUCK_WRITES + 870, 1);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, BENCH_PFC_FRAMES, 0), 1);
  CU_ASSERT_EQUAL(bench_nth(bench, BENCH_PFC_FRAMES, 0)->bytes, 84);
  bench_free(bench);
}

SGF_TEST(RO_37_without_PFC_no_pause_is_sent_and_a_full_pool_drops)
{
  bench_t* bench = stuck("PFCEnableVector", "[0, 0, 0, 0, 0, 0, 0, 0]");
  roce_packets(bench, BENCH_STUCK_WRITES, 871);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 0);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  bench_free(bench);
}

SGF_TEST(RO_72_an_entry_of_2_is_off)
{
  bench_t* bench = stuck("PFCEnableVector", "[2, 2, 0, 0, 0, 0, 0, 0]");
  roce_packets(bench, BENCH_STUCK_WRITES, 700);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 0);
  bench_free(bench);
}

/* 41,360 B are ten packets; an Xoff of 0.5 of 82,720 B is that exactly. */
SGF_TEST(RO_38_an_occupancy_of_exactly_Xoff_pauses)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS(
      BENCH_STUCK, "IngressBufferManager/TotalBufferSize", "103400B", "IngressBufferManager/PoolAllocationVector",
      "[0.8, 0.2, 0, 0, 0, 0, 0, 0]", "PfcStaticXoffThreshold", "[0.5, 0.5, 0, 0, 0, 0, 0, 0]"));
  roce_packets(bench, 0, BENCH_STUCK_WRITES + 9);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].xoff, 41360);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 0);
  roce_packets(bench, BENCH_STUCK_WRITES + 9, 1);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 1);
  bench_free(bench);
}

/* The refresh interval of 65,535 quanta at 400 Gb/s and 100 ns: half of 83.9848 us. */
SGF_TEST(RO_08_40_the_refresh_repeats_a_pause_at_Xoff_and_resumes_below_it)
{
  bench_t* bench = stuck("EnableECN", "true");
  roce_packets(bench, BENCH_STUCK_WRITES, 697);
  bench_run(bench, 41992400 - 1);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 1);
  bench_run(bench, 41992400);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 2);
  /* Where it repeats at 2,880,000 B, so it does here; one byte less and it resumes. Nothing drains: put it there. */
  bench->nic->ingress[0].occupancy = 2880000;
  bench_run(bench, 2 * 41992400);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 3);
  bench->nic->ingress[0].occupancy = 2879999;
  bench_run(bench, 3 * 41992400);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 3);
  CU_ASSERT_EQUAL(bench->nic->pfc.resumes[0], 1);
  bench_free(bench);
}

/* A duplicate is released when it is discarded, which is soon enough to be the first release. */
SGF_TEST(RO_41_42_a_release_that_comes_to_Xon_resumes)
{
  bench_t* bench = stuck("PfcXonResumeThreshold", "[0.8, 0.8, 0, 0, 0, 0, 0, 0]");
  roce_packets(bench, BENCH_STUCK_WRITES, 696);
  in_order(bench, 0, false); /* to 2,882,792 B and back to 2,878,656 B */
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 1);
  CU_ASSERT_EQUAL(bench->nic->pfc.resumes[0], 1);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 2878656);
  bench_free(bench);
}

SGF_TEST(RO_43_a_packet_that_does_not_fit_still_pauses)
{
  bench_t* bench = stuck("PfcStaticXoffThreshold", "[1.0, 0.8, 0, 0, 0, 0, 0, 0]");
  roce_packets(bench, BENCH_STUCK_WRITES, 870);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 0);
  roce_packets(bench, BENCH_STUCK_WRITES + 870, 1);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 1);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  bench_free(bench);
}

SGF_TEST(RO_47_pauses_and_CNPs_never_change_a_transmit_pool)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS(BENCH_STUCK));
  for (uint32_t psn = 0; psn < BENCH_STUCK_WRITES + 697; psn++)
    roce_data(bench, (roce_data_t){.psn = psn, .payload = ROCE_MSS, .is_marked = true});
  const int64_t acks = 126 * (int64_t)((BENCH_STUCK_WRITES + 697) / 17);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 1);
  CU_ASSERT_EQUAL(bench->nic->egress[0].peak, 0);
  CU_ASSERT_EQUAL(bench->nic->egress[1].peak, acks);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].peak, 0);
  bench_free(bench);
}

/* The message before it is acknowledged on arrival, while its writes wait. */
SGF_TEST(section_12_a_message_of_0_B_is_delivered_after_the_one_before_it)
{
  enum { PACKETS = 70 };
  bench_t* bench = roce_bench(NULL);
  roce_packets(bench, 0, PACKETS - 1);
  roce_data(bench, (roce_data_t){.psn = PACKETS - 1, .payload = ROCE_MSS, .is_last = true});
  CU_ASSERT_PTR_NOT_NULL(bench->nic->writes.first);
  const int64_t held = bench->nic->ingress[0].occupancy;
  roce_data(bench, (roce_data_t){.message = 2, .is_last = true});
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, held); /* nothing of it stays in the pool */
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->deliveries, 2);
  CU_ASSERT_EQUAL(bench->delivered[0].message.number, 1);
  CU_ASSERT_EQUAL(bench->delivered[1].message.number, 2);
  CU_ASSERT_EQUAL(bench->delivered[1].date, bench->delivered[0].date);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 0);
  bench_free(bench);
}

/* PCIe has accepted the write, which has not crossed yet. */
SGF_TEST(section_12_a_message_of_0_B_waits_for_a_write_that_is_crossing)
{
  bench_t* bench = roce_bench(NULL);
  roce_data(bench, (roce_data_t){.payload = ROCE_MSS, .is_last = true});
  CU_ASSERT_PTR_NULL(bench->nic->writes.first);
  roce_data(bench, (roce_data_t){.message = 2, .is_last = true});
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->deliveries, 2);
  CU_ASSERT_EQUAL(bench->delivered[0].message.number, 1);
  CU_ASSERT_EQUAL(bench->delivered[1].date, bench->delivered[0].date);
  roce_data(bench, (roce_data_t){.message = 3, .is_last = true});
  CU_ASSERT_EQUAL(bench->deliveries, 3); /* nothing is before it: at once */
  bench_free(bench);
}

SGF_TEST(a_class_without_a_receive_pool_drops)
{
  bench_t* bench       = roce_bench(NULL);
  opp_msg_t* msg       = bench_frame_from(bench, 1, 58);
  net_frame(msg)->dscp = 40;
  bench_feed(bench, msg);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  CU_ASSERT_EQUAL(bench->nic->class_drops[5], 1);
  bench_free(bench);
}

SGF_TEST(a_message_to_oneself_is_sent_acknowledged_and_delivered)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 0, 20 * ROCE_MSS);
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 0);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  CU_ASSERT_NOT_EQUAL(bench->acknowledged_at[0], -1);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 0);
  bench_free(bench);
}
