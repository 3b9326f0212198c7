/* Receiving on the bench: pools, what arrivals draw, what is written and delivered (spec/mrc-nic.md 6, 7, 10.3, 10.4,
 * 12; MR-10, MR-11, MR-43 to MR-51, MR-56, MR-61, MR-63, MR-66). */
#include "harness.h"
#include "mrc_support.h"

/* A NIC whose writes never cross, and 58 full packets in its PCIe transmit buffer (9.4). */
static bench_t* stuck(void)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS(BENCH_STUCK));
  mrc_packets(bench, 0, BENCH_STUCK_WRITES);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 0);
  return bench;
}

static const mrc_header_t* sack(const bench_t* bench, size_t n)
{
  const bench_frame_t* frame = bench_nth(bench, MRC_SACK, n);
  CU_ASSERT_PTR_NOT_NULL_FATAL(frame);
  return mrc_header_at(frame);
}

/* ---- Pools (7) --------------------------------------------------------------------------------------------------- */

SGF_TEST(MR_66_58_writes_enter_PCIe_and_the_59th_packet_stays_in_the_pool)
{
  bench_t* bench = stuck();
  mrc_packets(bench, BENCH_STUCK_WRITES, 1);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, MRC_FULL);
  bench_free(bench);
}

SGF_TEST(MR_11_and_49_862_full_packets_fit_and_no_pause_is_sent)
{
  bench_t* bench = stuck();
  mrc_packets(bench, BENCH_STUCK_WRITES, 862);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 3597988);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 0);
  mrc_packets(bench, BENCH_STUCK_WRITES + 862, 1);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 3597988);
  bench_run(bench, 10 * OPP_MS);
  CU_ASSERT_EQUAL(bench_count(bench, BENCH_PFC_FRAMES, 0), 0);
  bench_free(bench);
}

/* The test holds what has been charged: each frame is charged again as if those before it were still there. */
static int64_t charge_of(bench_t* bench, void (*arrive)(bench_t* bench), unsigned tc)
{
  bench->nic->ingress[tc].peak = bench->nic->ingress[tc].occupancy;
  const int64_t before         = bench->nic->ingress[tc].occupancy;
  arrive(bench);
  CU_ASSERT_EQUAL(bench->nic->ingress[tc].occupancy, before); /* dealt with at once */
  return bench->nic->ingress[tc].peak - before;
}

static void ack_arrives(bench_t* bench)
{
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.type = MRC_ACK, .expected = 1});
}

static void sack_arrives(bench_t* bench)
{
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.expected = 1});
}

static void nack_arrives(bench_t* bench)
{
  mrc_nack(bench, mrc_data_at(bench, 0), MRC_TRIMMED);
}

static void trimmed_arrives(bench_t* bench)
{
  mrc_trimmed(bench, (mrc_data_t){.psn = 7}, NET_ROLE_TRIMMED);
}

static void probe_arrives(bench_t* bench)
{
  mrc_probe_from(bench, 1);
}

static bench_t* with_a_packet_sent(void)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, OPP_US);
  return bench;
}

SGF_TEST(section_4_charges_count_Ethernet_and_64_bytes_at_least)
{
  bench_t* bench = with_a_packet_sent();
  CU_ASSERT_EQUAL(charge_of(bench, nack_arrives, 1), 78);
  CU_ASSERT_EQUAL(charge_of(bench, sack_arrives, 1), 94);
  CU_ASSERT_EQUAL(charge_of(bench, ack_arrives, 1), 64);
  CU_ASSERT_EQUAL(charge_of(bench, trimmed_arrives, 1), 64);
  CU_ASSERT_EQUAL(charge_of(bench, probe_arrives, 0), 74);
  bench_free(bench);
}

SGF_TEST(MR_10_6250_frames_of_64_bytes_fill_the_control_pool)
{
  bench_t* bench                   = with_a_packet_sent();
  bench->nic->ingress[1].occupancy = 6249 * 64;
  ack_arrives(bench);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 0);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].peak, 400000);
  bench->nic->ingress[1].occupancy = 6250 * 64;
  ack_arrives(bench);
  trimmed_arrives(bench);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 2);
  bench->nic->ingress[1].occupancy = 0;
  bench_free(bench);
}

SGF_TEST(MR_44_a_frame_of_62_bytes_does_not_fit_63)
{
  bench_t* bench                   = with_a_packet_sent();
  bench->nic->ingress[1].occupancy = 400000 - 63;
  ack_arrives(bench);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->acks_received, 0);
  bench->nic->ingress[1].occupancy = 400000 - 64;
  ack_arrives(bench);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->acks_received, 1);
  bench->nic->ingress[1].occupancy = 0;
  bench_free(bench);
}

SGF_TEST(MR_45_what_the_pool_drops_draws_and_counts_nothing)
{
  bench_t* bench                   = mrc_bench(NULL);
  bench->nic->ingress[0].occupancy = 3600000 - MRC_FULL + 1;
  mrc_packets(bench, 0, 1);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  const sgf_mrc_counters_t* counted = mrc_counted(bench);
  CU_ASSERT_EQUAL(counted->data_received + counted->sacks_sent + counted->acks_sent + counted->nacks_sent, 0);
  bench->nic->ingress[0].occupancy = 0;
  bench_free(bench);
}

SGF_TEST(MR_46_and_47_a_trimmed_packet_is_of_the_control_class)
{
  bench_t* bench                   = mrc_bench(NULL);
  bench->nic->ingress[0].occupancy = 3600000;
  trimmed_arrives(bench);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 0);
  CU_ASSERT_EQUAL(mrc_counted(bench)->trimmed, 1);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].occupancy, 0);
  bench->nic->ingress[0].occupancy = 0;
  bench->nic->ingress[1].occupancy = 400000;
  trimmed_arrives(bench);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  bench->nic->ingress[1].occupancy = 0;
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_NACK, 0), 1);
  const mrc_header_t* nack = mrc_header_at(bench_nth(bench, MRC_NACK, 0));
  CU_ASSERT(nack->psn == 7 && nack->reason == MRC_TRIMMED);
  CU_ASSERT_EQUAL(bench_nth(bench, MRC_NACK, 0)->bytes, 78);
  bench_free(bench);
}

/* ---- What arrivals draw (10.3, 10.4) ----------------------------------------------------------------------------- */

SGF_TEST(MR_43_the_acknowledgement_is_built_on_arrival)
{
  bench_t* bench = stuck();
  bench_run(bench, 10 * OPP_US);
  const size_t before = bench->count;
  mrc_packets(bench, BENCH_STUCK_WRITES, 1); /* which stays in the pool for good */
  bench_run(bench, 20 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, before + 1);
  CU_ASSERT_EQUAL(bench->log[before].arrival, 10 * OPP_US + 1880 + bench_delay);
  bench_free(bench);
}

SGF_TEST(MR_50_a_packet_beyond_the_PSN_window_is_discarded_and_refused)
{
  bench_t* bench = mrc_bench(NULL);
  mrc_packets(bench, 1023, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->out_of_window, 0);
  mrc_packets(bench, 1024, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->out_of_window, 1);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].peak, MRC_FULL);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 0);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 4368); /* of the first alone */
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_NACK, 0), 1);
  const mrc_header_t* nack = mrc_header_at(bench_nth(bench, MRC_NACK, 0));
  CU_ASSERT(nack->psn == 1024 && nack->reason == MRC_PSN_OOR_WINDOW);
  mrc_packets(bench, 0, 1); /* moves the window */
  mrc_packets(bench, 1024, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->out_of_window, 1);
  bench_free(bench);
}

SGF_TEST(MR_51_packets_out_of_order_are_all_written)
{
  static const uint32_t psns[] = {3, 0, 5, 1, 4, 2};
  bench_t* bench               = mrc_bench(NULL);
  for (unsigned i = 0; i < 6; i++)
    mrc_packets(bench, psns[i], 1);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 6 * 4368);
  CU_ASSERT_EQUAL(mrc_counted(bench)->duplicates, 0);
  CU_ASSERT_EQUAL(mrc_counted(bench)->out_of_order, 3);      /* 3, 5, 4 */
  CU_ASSERT_EQUAL(mrc_counted(bench)->held_out_of_order, 3); /* 3, 4 and 5 */
  bench_free(bench);
}

/* The example of 10.4: PSNs 0 to 11 sent, 5 and 8 missing. */
SGF_TEST(section_10_4_what_a_SACK_says)
{
  bench_t* bench = mrc_bench(NULL);
  for (uint32_t psn = 0; psn < 12; psn++)
    if (psn != 5 && psn != 8)
      mrc_packets(bench, psn, 1);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_SACK, 0), 10); /* every full packet draws one */
  const mrc_header_t* last = sack(bench, 9);
  CU_ASSERT(last->psn == 11 && last->ack.expected == 5 && last->ack.base == 5);
  CU_ASSERT_EQUAL(last->ack.bitmap, 0x76); /* 0 1 1 0 1 1 1 from PSN 5 upward */
  CU_ASSERT_EQUAL(last->verdict, MRC_PATH_NONE);
  bench_free(bench);
}

SGF_TEST(section_10_4_the_last_packet_without_a_gap_draws_a_cumulative_ACK)
{
  bench_t* bench          = mrc_bench(NULL);
  const mrc_data_t first  = {.psn = 0, .index = 0, .payload = MRC_MSS, .bytes = 2 * MRC_MSS};
  const mrc_data_t second = {.psn = 1, .index = 1, .payload = MRC_MSS, .bytes = 2 * MRC_MSS, .is_last = true};
  mrc_data(bench, first);
  mrc_data(bench, second);
  mrc_data_t next = second; /* another message, of one packet, beyond a gap */
  next.message    = 2;
  next.psn        = 4;
  next.index      = 0;
  mrc_data(bench, next);
  next.message = 3; /* and one before the gap: nothing is missing before it, but behind it */
  next.psn     = 2;
  mrc_data(bench, next);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_ACK, 0), 1);
  CU_ASSERT_EQUAL(mrc_header_at(bench_nth(bench, MRC_ACK, 0))->ack.expected, 2);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_SACK, 0), 3);
  bench_free(bench);
}

/* Packets of 1,024 B and less count 1,024 B each; the threshold is one MSS. */
SGF_TEST(section_10_4_what_draws_a_SACK)
{
  bench_t* bench = mrc_bench(NULL);
  for (uint32_t psn = 0; psn < 4; psn++) {
    CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 0);
    mrc_data(bench, (mrc_data_t){.psn = psn, .index = psn, .payload = 10, .bytes = 1 << 20});
  }
  CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 1); /* (a), with the fourth */
  mrc_data(bench, (mrc_data_t){.psn = 4, .index = 4, .payload = 10, .bytes = 1 << 20});
  CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 1);
  mrc_data(bench, (mrc_data_t){.psn = 5, .index = 5, .payload = 10, .bytes = 1 << 20, .asks = true});
  CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 2); /* (b) */
  mrc_data(bench, (mrc_data_t){.psn = 6, .index = 6, .payload = 10, .bytes = 1 << 20, .is_marked = true});
  CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 3); /* (c) */
  CU_ASSERT_EQUAL(mrc_counted(bench)->marked_sent, 1);
  mrc_data(bench, (mrc_data_t){.psn = 7, .index = 7, .payload = 10, .bytes = 1 << 20, .is_again = true});
  CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 4); /* (d) */
  mrc_probe_from(bench, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 5); /* (e) */
  mrc_data(bench, (mrc_data_t){.psn = 7, .index = 7, .payload = 10, .bytes = 1 << 20});
  CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 6); /* a duplicate */
  CU_ASSERT_EQUAL(mrc_counted(bench)->duplicates, 1);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(sack(bench, 2)->verdict, MRC_PATH_SKIP_ONCE);
  CU_ASSERT_TRUE(sack(bench, 2)->flags & MRC_FLAG_ECN_ECHO);
  CU_ASSERT_TRUE(sack(bench, 3)->flags & MRC_FLAG_RETRANSMIT);
  CU_ASSERT_TRUE(sack(bench, 4)->flags & MRC_FLAG_PROBE);
  bench_free(bench);
}

SGF_TEST(MR_61_a_probe_is_released_draws_a_SACK_and_crosses_no_PCIe)
{
  bench_t* bench = mrc_bench(NULL);
  mrc_probe_from(bench, 1);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].peak, 74);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 0);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].peak, 0);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_SACK, 0), 1);
  CU_ASSERT_EQUAL(bench_nth(bench, MRC_SACK, 0)->frame.src_port, 300);
  bench_free(bench);
}

/* ---- Service time (6) -------------------------------------------------------------------------------------------- */

SGF_TEST(MR_63_the_service_time_is_that_of_the_control_frames_that_wait)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 2, 10 * MRC_MSS);
  bench_run(bench, mrc_end_of(0) + 5000); /* a data frame is on the link */
  for (unsigned i = 0; i < 2; i++)
    mrc_data(bench, (mrc_data_t){.queue_pair = i, .payload = 100, .bytes = 100, .is_last = true});
  CU_ASSERT_EQUAL(mrc_counted(bench)->acks_sent, 2);
  mrc_data(bench, (mrc_data_t){.queue_pair = 2, .payload = MRC_MSS, .bytes = 1 << 20});
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(sack(bench, 0)->service_time, 2480);
  bench_free(bench);
}

/* A control frame on the link is not waiting. */
SGF_TEST(section_6_what_is_on_the_link_is_not_in_the_service_time)
{
  bench_t* bench = mrc_bench(NULL);
  mrc_packets(bench, 0, 3);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(sack(bench, 0)->service_time, 0);
  CU_ASSERT_EQUAL(sack(bench, 1)->service_time, 0);
  CU_ASSERT_EQUAL(sack(bench, 2)->service_time, 1880);
  bench_free(bench);
}

SGF_TEST(MR_56_what_waits_for_PCIe_is_not_in_the_service_time)
{
  bench_t* bench = stuck();
  bench_run(bench, 10 * OPP_US);
  const size_t before = bench_count(bench, MRC_SACK, 0);
  mrc_packets(bench, BENCH_STUCK_WRITES, 1);
  bench_run(bench, 11 * OPP_US);
  mrc_packets(bench, BENCH_STUCK_WRITES + 1, 1);
  bench_run(bench, 12 * OPP_US);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 2 * MRC_FULL);
  CU_ASSERT_EQUAL(sack(bench, before)->service_time, 0);
  CU_ASSERT_EQUAL(sack(bench, before + 1)->service_time, 0);
  bench_free(bench);
}

/* ---- Deliveries (12) --------------------------------------------------------------------------------------------- */

SGF_TEST(section_12_a_message_is_delivered_when_its_last_byte_has_crossed_PCIe)
{
  bench_t* bench = mrc_bench(NULL);
  mrc_data(bench, (mrc_data_t){.psn = 1, .index = 1, .payload = MRC_MSS, .bytes = 2 * MRC_MSS, .is_last = true});
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  mrc_data(bench, (mrc_data_t){.psn = 0, .index = 0, .payload = MRC_MSS, .bytes = 2 * MRC_MSS});
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->deliveries, 1);
  CU_ASSERT_EQUAL(bench->delivered[0].date, OPP_US + 69289);
  CU_ASSERT_EQUAL(bench->delivered[0].message.bytes, 2 * MRC_MSS);
  bench_free(bench);
}

/* Three messages: the first, of 0 B, comes last and frees the others, whose writes are on their way. */
SGF_TEST(section_10_1_messages_are_delivered_in_the_order_in_which_they_were_sent)
{
  bench_t* bench = mrc_bench(NULL);
  mrc_data(bench, (mrc_data_t){.message = 3, .psn = 2, .payload = MRC_MSS, .bytes = MRC_MSS, .is_last = true});
  mrc_data(bench, (mrc_data_t){.message = 2, .psn = 1, .payload = MRC_MSS, .bytes = MRC_MSS, .is_last = true});
  mrc_data(bench, (mrc_data_t){.message = 1, .psn = 0, .payload = 0, .bytes = 0, .is_last = true});
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->deliveries, 3);
  for (size_t i = 0; i < 3; i++) {
    CU_ASSERT_EQUAL(bench->delivered[i].message.number, i + 1);
    CU_ASSERT(bench->delivered[i].date >= 2 * 69289 && bench->delivered[i].date <= 2 * 69290); /* both writes */
  }
  bench_free(bench);
}

SGF_TEST(section_7_a_packet_without_payload_is_released_and_delivered_at_once)
{
  bench_t* bench = mrc_bench(NULL);
  mrc_data(bench, (mrc_data_t){.is_last = true});
  CU_ASSERT_EQUAL(bench->nic->ingress[0].peak, 78);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 0);
  CU_ASSERT_EQUAL_FATAL(bench->deliveries, 1);
  CU_ASSERT_EQUAL(bench->delivered[0].date, 0);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 0);
  bench_free(bench);
}

/* ---- Receiver penalty (11) --------------------------------------------------------------------------------------- */

/* The penalty of a SACK that is built while the data pool holds this much besides the packet. */
static uint8_t penalty(const char* enable, int64_t occupancy)
{
  bench_t* bench                   = mrc_bench(BENCH_SETTINGS("ReceiverPenaltyEnable", enable));
  bench->nic->ingress[0].occupancy = occupancy;
  mrc_packets(bench, 0, 1);
  bench->nic->ingress[0].occupancy = 0;
  bench_run(bench, OPP_US);
  const uint8_t is = sack(bench, 0)->penalty;
  bench_free(bench);
  return is;
}

SGF_TEST(section_11_the_receiver_penalty_is_off_unless_it_is_enabled)
{
  CU_ASSERT_EQUAL(penalty("false", 2700000), 0);
  CU_ASSERT_EQUAL(penalty("true", 900000 - MRC_FULL - 1), 0); /* below 25% */
  CU_ASSERT_EQUAL(penalty("true", 1800000 - MRC_FULL), 63);   /* half way: 63.5, rounded down */
  CU_ASSERT_EQUAL(penalty("true", 2700000 - MRC_FULL), 127);  /* from 75% on */
}
