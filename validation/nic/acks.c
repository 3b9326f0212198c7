/* spec/uet-nic.md 8.5, 8.7, 8.8, 8.13 and 11.6 on the state machine: acknowledgements, selective acknowledgements,
 * completion. */
#include "harness.h"
#include "nic_support.h"

#include <math.h>

static const opp_simtime_t ack_wire = 1560;

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

/* Time that `bytes` take at the raw lane rate. */
static opp_simtime_t hold_of(int64_t bytes, int64_t mbps)
{
  return 8 * bytes * OPP_US / mbps;
}

static const uet_header_t* ack(const bench_t* bench, size_t n)
{
  const bench_frame_t* frame = bench_nth(bench, UET_ACK, n);
  CU_ASSERT_PTR_NOT_NULL_FATAL(frame);
  return bench_header(frame);
}

/* PCIe's transmit buffers are full: 58 full writes and 6 short ones take all the 470 headers at one instant. Nobody
 * asked for acknowledgements of these. */
enum { FILLING = 64 };
static void fill_pcie(bench_t* bench)
{
  for (uint32_t i = 0; i < FILLING; i++)
    bench_data(bench, (bench_data_t){.psn = i, .payload = i < 58 ? BENCH_MSS : 1, .is_unflagged = true});
}

SGF_TEST(UN_73_256_packets_draw_256_acknowledgements)
{
  bench_t* bench = bench_new(NULL);
  for (uint32_t i = 0; i < 256; i++) {
    bench_run(bench, i * bench_wire);
    bench_data(bench, (bench_data_t){.psn = i, .payload = BENCH_MSS, .bytes = 1 << 20, .is_last = i == 255});
  }
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench_count(bench, UET_ACK, 0), 256);
  CU_ASSERT_EQUAL(bench->nic->port.bytes, 19968);
  bench_free(bench);
}

SGF_TEST(UN_73_every_packet_of_a_message_is_flagged)
{
  bench_t* bench = bench_new(NULL);
  bench->answers = true;
  bench_post(bench, 1, 1 << 20);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 256);
  for (size_t i = 0; i < 256; i++) {
    CU_ASSERT_TRUE(bench_header(&bench->log[i])->flags & UET_FLAG_AR);
    CU_ASSERT_EQUAL(!(bench_header(&bench->log[i])->flags & UET_FLAG_END), i != 255);
  }
  bench_free(bench);
}

SGF_TEST(an_unflagged_packet_draws_no_acknowledgement)
{
  bench_t* bench = bench_new(NULL);
  bench_data(bench, (bench_data_t){.payload = BENCH_MSS, .is_unflagged = true});
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->count, 0);
  bench_free(bench);
}

SGF_TEST(UN_76_an_acknowledgement_is_held_for_66_4_ns)
{
  bench_t* bench = bench_new(NULL);
  bench_run(bench, OPP_US);
  bench_packet(bench, 0, BENCH_MSS);
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL(hold_of(BENCH_IP, 504320), 66370);
  CU_ASSERT_EQUAL(bench_nth(bench, UET_ACK, 0)->arrival, OPP_US + 66370 + ack_wire + bench_delay);
  CU_ASSERT_EQUAL(ack(bench, 0)->service_time, 0);
  bench_free(bench);
}

SGF_TEST(UN_77_a_backlog_of_900000_bytes_at_13_lanes_holds_17_65_us)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("NicPCIeInterface/PhysicalLayer/LaneCount", "13"));
  fill_pcie(bench);
  bench_packets(bench, FILLING, 215);
  bench_packet(bench, FILLING + 215, 900000 - 215 * BENCH_IP - 88);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 900000);
  bench_packet(bench, FILLING + 216, BENCH_MSS);
  bench_run(bench, OPP_MS);
  const size_t last = 216;
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, UET_ACK, 0), last + 1);
  const opp_simtime_t hold = hold_of(904184, 409760);
  CU_ASSERT_EQUAL(lround((double)hold / 1e4), 1765);
  CU_ASSERT_EQUAL(bench_nth(bench, UET_ACK, last)->arrival, hold + ack_wire + bench_delay);
  CU_ASSERT_EQUAL(ack(bench, last)->service_time, 137);
  CU_ASSERT_EQUAL(137 * 128, 17536);
  bench_free(bench);
}

/* One packet waits, another of `ip_bytes` arrives: the steps that its acknowledgement reports. */
static unsigned steps_behind_a_full_packet(int64_t ip_bytes, opp_simtime_t* arrival)
{
  bench_t* bench = bench_new(NULL);
  fill_pcie(bench);
  bench_packet(bench, FILLING, BENCH_MSS);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, BENCH_IP);
  bench_packet(bench, FILLING + 1, ip_bytes - 88);
  bench_run(bench, OPP_MS);
  *arrival             = bench_nth(bench, UET_ACK, 1)->arrival;
  const unsigned steps = ack(bench, 1)->service_time;
  bench_free(bench);
  return steps;
}

SGF_TEST(UN_78_a_packet_behind_another_is_counted_once_and_reports_one_step)
{
  opp_simtime_t arrival;
  CU_ASSERT_EQUAL(steps_behind_a_full_packet(8069 - BENCH_IP, &arrival), 0);
  CU_ASSERT_EQUAL(steps_behind_a_full_packet(8070 - BENCH_IP, &arrival), 1);
  CU_ASSERT_EQUAL(steps_behind_a_full_packet(BENCH_IP, &arrival), 1);
  CU_ASSERT_EQUAL(hold_of(8368, 504320), 132741); /* 132.7 ns */
  CU_ASSERT_EQUAL(arrival, 132741 + ack_wire + bench_delay);
}

/* The short packet's own hold would let it go first (B16: one order for the NIC). */
SGF_TEST(acknowledgements_leave_in_the_order_in_which_they_were_drawn)
{
  bench_t* bench = bench_new(NULL);
  bench_data(bench, (bench_data_t){.from = 1, .payload = BENCH_MSS});
  bench_data(bench, (bench_data_t){.from = 2, .payload = 1});
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench->log[0].frame.dst, bench->nic->address + 1);
  CU_ASSERT_EQUAL(bench->log[0].arrival, 66370 + ack_wire + bench_delay);
  CU_ASSERT_EQUAL(bench->log[1].arrival, 66370 + 2 * ack_wire + bench_delay);
  bench_free(bench);
}

SGF_TEST(an_acknowledgement_says_what_drew_it)
{
  bench_t* bench = bench_new(NULL);
  bench_data(bench, (bench_data_t){.from = 3, .pdc = 77, .message = 9, .psn = 2, .payload = 1, .is_again = true});
  bench_run(bench, OPP_US);
  const bench_frame_t* frame = bench_nth(bench, UET_ACK, 0);
  CU_ASSERT_EQUAL(frame->frame.dst, bench->nic->address + 3);
  CU_ASSERT_EQUAL(frame->frame.src_port, 4000); /* the entropy value comes back */
  CU_ASSERT_EQUAL(ack(bench, 0)->psn, 2);
  CU_ASSERT_EQUAL(ack(bench, 0)->expected, 0);
  CU_ASSERT_EQUAL(ack(bench, 0)->dst_pdc, 77);
  CU_ASSERT(ack(bench, 0)->src_pdc >= 32769);
  CU_ASSERT_EQUAL(ack(bench, 0)->message, 9);
  CU_ASSERT_EQUAL(ack(bench, 0)->flags, UET_FLAG_RETRANSMIT);
  bench_free(bench);
}

/* Packets 1 to 10 of the document are PSN 0 to 9 here. */
SGF_TEST(UN_80_the_receiver_reports_what_came_behind_a_gap)
{
  bench_t* bench = bench_new(NULL);
  for (uint32_t psn = 0; psn < 10; psn++)
    if (psn != 4)
      bench_packet(bench, psn, BENCH_MSS);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 9); /* an acknowledgement each, and no NACK */
  for (size_t i = 0; i < 9; i++) {
    const uet_header_t* header = ack(bench, i);
    CU_ASSERT_EQUAL(header->psn, i < 4 ? i : i + 1);
    CU_ASSERT_EQUAL(header->expected, i < 4 ? i + 1 : 4);
    CU_ASSERT_EQUAL(header->ack.base, header->expected);
    CU_ASSERT_EQUAL(header->ack.bitmap, i < 4 ? 0 : (UINT64_C(1) << (i - 2)) - 2); /* PSN 5 and up to this one */
  }
  bench_free(bench);
}

SGF_TEST(UN_80_the_sender_repeats_the_lost_packet_alone_after_its_timer)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 10 * BENCH_MSS);
  bench_run(bench, end_of(10) + bench_delay);
  CU_ASSERT_EQUAL_FATAL(bench->count, 10);
  const uet_pdc_t* pdc = bench->posted[0]->sending;
  for (uint32_t psn = 0; psn < 4; psn++)
    bench_ack(bench, &bench->log[psn], psn + 1, 0);
  for (uint32_t psn = 5; psn < 10; psn++) {
    bench_ack(bench, &bench->log[psn], 4, (UINT64_C(1) << (psn - 3)) - 2);
    CU_ASSERT_EQUAL(pdc->acknowledged, psn);
    CU_ASSERT_EQUAL(pdc->base, 4);
  }
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), BENCH_IP);
  const opp_simtime_t expiry = end_of(5) + 150 * OPP_US;
  bench_run(bench, expiry + bench_wire + bench_delay - 1);
  CU_ASSERT_EQUAL(bench->count, 10);
  bench_run(bench, OPP_S / 4000);
  CU_ASSERT_EQUAL_FATAL(bench->count, 11);
  CU_ASSERT_EQUAL(bench->log[10].arrival, expiry + bench_wire + bench_delay);
  CU_ASSERT_EQUAL(bench_header(&bench->log[10])->psn, 4);
  bench_ack(bench, &bench->log[10], 10, 0);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], bench_now(bench));
  bench_free(bench);
}

SGF_TEST(UN_81_successive_acknowledgements_carry_successive_blocks)
{
  bench_t* bench = bench_new(NULL);
  bench_packet(bench, 0, 1);
  for (uint32_t psn = 2; psn < 194; psn++) /* PSN 1 is missing: 193 PSNs, 4 blocks in the end */
    bench_packet(bench, psn, 1);
  for (int again = 0; again < 8; again++)
    bench_packet(bench, 193, 1); /* duplicates draw acknowledgements too */
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, UET_ACK, 0), 193 + 8);
  for (size_t i = 193; i < 193 + 8; i++) {
    const uint32_t block = (ack(bench, i)->ack.base - 1) / 64;
    CU_ASSERT_EQUAL(ack(bench, i)->expected, 1);
    CU_ASSERT_EQUAL(ack(bench, i)->ack.base, 1 + 64 * block);
    CU_ASSERT_EQUAL(block, ((ack(bench, i - 1)->ack.base - 1) / 64 + 1) % 4);
    const uint64_t expected = block == 0 ? ~UINT64_C(1) : block == 3 ? 1 : ~UINT64_C(0);
    CU_ASSERT_EQUAL(ack(bench, i)->ack.bitmap, expected);
  }
  bench_free(bench);
}

SGF_TEST(UN_98_a_write_is_complete_with_its_last_acknowledgement)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 3 * BENCH_MSS);
  bench_run(bench, bench_doorbell);
  const uet_pdc_t* pdc = bench->posted[0]->sending;
  CU_ASSERT_EQUAL(pdc->next_psn, 3); /* the last fetch is issued before anything is on the wire */
  CU_ASSERT_TRUE(net_port_is_empty(&bench->nic->port));
  bench_run(bench, OPP_US);
  bench_ack(bench, &bench->log[2], 0, 4);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], -1);
  bench_run(bench, 2 * OPP_US);
  bench_ack(bench, &bench->log[1], 3, 0);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], 2 * OPP_US);
  CU_ASSERT_PTR_NULL(bench->posted[0]->sending);
  bench_free(bench);
}

SGF_TEST(UN_98_a_message_is_received_with_its_last_packet)
{
  bench_t* bench = bench_new(NULL);
  bench_data(bench, (bench_data_t){.psn = 0, .payload = BENCH_MSS, .bytes = BENCH_MSS + 1});
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  bench_data(bench, (bench_data_t){.psn = 1, .payload = 1, .bytes = BENCH_MSS + 1, .is_last = true});
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  CU_ASSERT_EQUAL(bench_delivery(bench)->date, OPP_US + hold_of(35, 504320)); /* its 35 B have crossed PCIe */
  CU_ASSERT_EQUAL(bench_delivery(bench)->message.bytes, BENCH_MSS + 1);
  CU_ASSERT_EQUAL(bench_delivery(bench)->message.src, bench->nic->address + 1);
  bench_free(bench);
}

SGF_TEST(UN_99_an_end_before_a_gap_is_received_when_the_gap_is_filled)
{
  bench_t* bench = bench_new(NULL);
  bench_data(bench, (bench_data_t){.psn = 2, .payload = 1, .bytes = 2 * BENCH_MSS + 1, .is_last = true});
  bench_data(bench, (bench_data_t){.psn = 0, .payload = BENCH_MSS, .bytes = 2 * BENCH_MSS + 1});
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  bench_data(bench, (bench_data_t){.psn = 1, .payload = BENCH_MSS, .bytes = 2 * BENCH_MSS + 1});
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  CU_ASSERT_EQUAL(bench_delivery(bench)->date, OPP_US + hold_of(4368, 504320));
  bench_data(bench, (bench_data_t){.psn = 1, .payload = BENCH_MSS, .bytes = 2 * BENCH_MSS + 1}); /* once only */
  bench_run(bench, 3 * OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  bench_free(bench);
}

SGF_TEST(a_message_without_payload_is_received_at_once)
{
  bench_t* bench = bench_new(NULL);
  bench_run(bench, OPP_US);
  bench_data(bench, (bench_data_t){.is_last = true});
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  CU_ASSERT_EQUAL(bench_delivery(bench)->date, OPP_US);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].peak, 88);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 0);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 0);
  bench_free(bench);
}
