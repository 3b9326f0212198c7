/* Notifications and the rate at the port, on the bench (spec/roce-nic.md 11; RO-05, RO-25, RO-57, RO-59, RO-60, RO-64,
 * RO-65, RO-75). */
#include "harness.h"
#include "roce_support.h"

static const opp_simtime_t far = 5 * OPP_US;

static void marked(bench_t* bench, uint32_t psn)
{
  roce_data(bench, (roce_data_t){.psn = psn, .payload = ROCE_MSS, .is_marked = true});
}

/* Time between the ends of the serialisations of two packets that follow each other. */
static opp_simtime_t spacing(const bench_t* bench, size_t n)
{
  CU_ASSERT_FATAL(n + 1 < bench->count);
  return bench->log[n + 1].arrival - bench->log[n].arrival;
}

/* ---- Receiver ---------------------------------------------------------------------------------------------------- */

SGF_TEST(RO_57_duplicates_and_packets_behind_a_gap_draw_CNPs_and_drops_draw_none)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS(BENCH_STUCK));
  marked(bench, 0);
  marked(bench, 0); /* duplicate */
  marked(bench, 5); /* gap */
  marked(bench, 6); /* behind it */
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, ROCE_CNP, 0), 4);
  CU_ASSERT_EQUAL(bench_nth(bench, ROCE_CNP, 0)->bytes, 122);
  CU_ASSERT_EQUAL(bench_nth(bench, ROCE_CNP, 0)->frame.dscp, 8);
  CU_ASSERT_EQUAL(bench_nth(bench, ROCE_CNP, 0)->frame.ecn, NET_ECN_NOT_ECT);
  roce_packets(bench, 1, BENCH_STUCK_WRITES - 1 + 870);
  marked(bench, BENCH_STUCK_WRITES + 870); /* the pool is full */
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  CU_ASSERT_EQUAL(roce_counters(bench)->cnps_sent, 4);
  bench_free(bench);
}

SGF_TEST(RO_60_a_receiver_with_ECN_off_still_sends_CNPs)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("EnableECN", "false"));
  marked(bench, 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, ROCE_CNP, 0), 1);
  bench_free(bench);
}

/* Data waits behind a frame on the wire, ACKs are paused. */
SGF_TEST(RO_65_CNPs_leave_before_data_and_paused_ACKs)
{
  bench_t* bench = roce_bench(NULL);
  bench_pause(bench, 1, PFC_MAX_QUANTA);
  bench_post(bench, 1, 20 * ROCE_MSS);
  bench_run(bench, roce_start + roce_fetch + roce_wire + roce_wire / 2); /* the second packet is on the wire */
  for (uint32_t psn = 0; psn < 5; psn++)
    marked(bench, psn);
  bench_run(bench, far);
  CU_ASSERT_EQUAL(roce_type_at(bench, 1), ROCE_DATA);
  for (size_t i = 2; i < 7; i++)
    CU_ASSERT_EQUAL(roce_type_at(bench, i), ROCE_CNP);
  CU_ASSERT_EQUAL(bench->log[3].arrival - bench->log[2].arrival, 2440);
  CU_ASSERT_EQUAL(roce_type_at(bench, 7), ROCE_DATA);
  bench_free(bench);
}

SGF_TEST(CnpMinInterval_spaces_the_CNPs_of_a_queue_pair)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("CnpMinInterval", "50us"));
  marked(bench, 0);
  marked(bench, 1);
  roce_data(bench, (roce_data_t){.queue_pair = 9, .payload = 1, .is_marked = true}); /* of another pair */
  bench_run(bench, 50 * OPP_US - 1);
  marked(bench, 2);
  bench_run(bench, 50 * OPP_US);
  marked(bench, 3);
  bench_run(bench, 60 * OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, ROCE_CNP, 0), 3);
  bench_free(bench);
}

/* ---- Sender ------------------------------------------------------------------------------------------------------ */

SGF_TEST(RO_75_a_CNP_halves_the_rate_at_the_port_from_the_next_packet_on)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, 20 * ROCE_MSS);
  bench_run(bench, roce_start + roce_fetch + roce_wire + roce_wire / 2);
  roce_cnp(bench, 0); /* the second packet is on the wire */
  bench_run(bench, far);
  CU_ASSERT_EQUAL(spacing(bench, 0), roce_wire);
  CU_ASSERT_EQUAL(spacing(bench, 1), 2 * roce_wire);
  CU_ASSERT_EQUAL(spacing(bench, 2), 2 * roce_wire);
  bench_free(bench);
}

SGF_TEST(RO_25_a_packet_at_the_floor_takes_830_8_ns)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("FastRecoveryAttempt", "1000000", "NumOfControlLoopsPerIncrease", "1000"));
  bench_post(bench, 1, 0);
  for (unsigned half = 0; half < 12; half++) { /* a CNP in each half: the rate falls every 45 us */
    bench_run(bench, (half + 1) * 22500 * OPP_NS);
    roce_cnp(bench, 0);
  }
  roce_ack(bench, 0, 1, 0);
  const size_t before = bench->count;
  bench_post(bench, 1, 3 * ROCE_MSS);
  bench_run(bench, bench_now(bench) + far);
  CU_ASSERT_EQUAL_FATAL(bench->count, before + 3);
  CU_ASSERT_EQUAL(spacing(bench, before), 830800);
  CU_ASSERT_EQUAL(spacing(bench, before + 1), 830800);
  bench_free(bench);
}

/* 350 Gbps: a packet takes 94,948 4/7 ps, seven of them a whole number. */
SGF_TEST(what_a_picosecond_leaves_over_is_carried_to_the_next_packet)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, 1000 * ROCE_MSS);
  bench_run(bench, roce_start);
  roce_cnp(bench, 0); /* 200 Gbps, 300 after 22.5 us, 350 from 67.5 to 112.5 us */
  bench_run(bench, 112500 * OPP_NS);
  const opp_simtime_t change = roce_start + 67500 * OPP_NS;
  size_t first               = 0;
  while (bench->log[first].arrival - bench_delay < change + 2 * roce_wire)
    first++;
  CU_ASSERT_FATAL(first + 15 < bench->count);
  CU_ASSERT_EQUAL(bench->log[first + 7].arrival - bench->log[first].arrival, 664640);
  CU_ASSERT_EQUAL(bench->log[first + 14].arrival - bench->log[first].arrival, 2 * 664640);
  bench_free(bench);
}

SGF_TEST(RO_59_a_sender_with_ECN_off_stays_at_line_rate_and_sends_Not_ECT)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("EnableECN", "false"));
  bench_post(bench, 1, 20 * ROCE_MSS);
  bench_run(bench, roce_start);
  roce_cnp(bench, 0);
  bench_run(bench, far);
  for (size_t i = 0; i + 1 < bench->count; i++) {
    CU_ASSERT_EQUAL(spacing(bench, i), roce_wire);
    CU_ASSERT_EQUAL(bench->log[i].frame.ecn, NET_ECN_NOT_ECT);
  }
  CU_ASSERT_EQUAL(roce_counters(bench)->cnps_received, 1);
  bench_free(bench);
}

SGF_TEST(RO_64_a_CNP_slows_its_own_queue_pair_alone)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, 4 * ROCE_MSS);
  bench_post(bench, 2, 4 * ROCE_MSS);
  bench_run(bench, roce_start);
  roce_cnp(bench, 1);
  bench_run(bench, far);
  CU_ASSERT_EQUAL_FATAL(bench->count, 8); /* in turns, each as long as its pair's rate says */
  for (size_t i = 1; i < 8; i++)
    CU_ASSERT_EQUAL(spacing(bench, i - 1), i % 2 == 1 ? 2 * roce_wire : roce_wire);
  CU_ASSERT_FALSE(roce_of(bench)->pairs[0]->rate.congested);
  bench_free(bench);
}

SGF_TEST(RO_24_an_episode_ends_472_5_us_after_its_CNP)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, 0);
  bench_run(bench, OPP_US);
  roce_cnp(bench, 0);
  bench_run(bench, OPP_US + 472500 * OPP_NS - 1);
  CU_ASSERT_TRUE(roce_of(bench)->pairs[0]->rate.congested);
  bench_run(bench, OPP_US + 472500 * OPP_NS);
  CU_ASSERT_FALSE(roce_of(bench)->pairs[0]->rate.congested);
  bench_free(bench);
}
