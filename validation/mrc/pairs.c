/* Queue pairs, their messages, turns and windows on the bench (spec/mrc-nic.md 10.1, 10.2, 10.7, 11, 12). */
#include "harness.h"
#include "mrc_support.h"

static size_t post_on(bench_t* bench, unsigned dst, uint32_t queue_pair, uint64_t bytes)
{
  return bench_post_as(bench, dst, (nic_message_t){.bytes = bytes, .queue_pair = queue_pair});
}

static const mrc_header_t* data(const bench_t* bench, size_t n)
{
  return mrc_header_at(mrc_data_at(bench, n));
}

/* ---- The doorbell (10.1) ----------------------------------------------------------------------------------------- */

SGF_TEST(section_10_1_a_doorbell_that_finds_generation_idle_takes_15_ns)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, 10000);
  post_on(bench, 1, 1, MRC_MSS); /* finds one that is about to start */
  bench_run(bench, 14999);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 0);
  bench_run(bench, 15000);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 2 * MRC_FULL);
  bench_run(bench, 20000);
  post_on(bench, 1, 2, MRC_MSS); /* finds it idle again */
  bench_run(bench, 34999);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 2 * MRC_FULL);
  bench_run(bench, 35000);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 3 * MRC_FULL);
  bench_free(bench);
}

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

SGF_TEST(section_10_1_queue_pairs_take_turns_packet_by_packet)
{
  bench_t* bench = mrc_bench(NULL);
  for (uint32_t pair = 0; pair < 3; pair++)
    post_on(bench, 1 + pair % 2, pair, 4 * MRC_MSS);
  bench_run(bench, 5 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_DATA, 0), 12);
  for (size_t n = 0; n < 12; n++) {
    CU_ASSERT_EQUAL(data(bench, n)->queue_pair, n % 3);
    CU_ASSERT_EQUAL(data(bench, n)->psn, n / 3);
  }
  bench_free(bench);
}

/* Two pairs to one host share its window of 10 packets; one to another host has its own. */
SGF_TEST(section_11_queue_pairs_to_one_host_share_its_window)
{
  bench_t* bench =
      mrc_bench(BENCH_SETTINGS("OverrideUetSpecMaxCWind", "true", "MaxCongestionWindow", "10", "NSCCEnable", "false"));
  post_on(bench, 1, 0, 20 * MRC_MSS);
  post_on(bench, 1, 1, 20 * MRC_MSS);
  post_on(bench, 2, 0, 20 * MRC_MSS);
  bench_run(bench, 5 * OPP_US);
  CU_ASSERT_EQUAL(mrc_pair_at(bench, 1, 0)->next_psn, 5);
  CU_ASSERT_EQUAL(mrc_pair_at(bench, 1, 1)->next_psn, 5);
  CU_ASSERT_EQUAL(mrc_pair_at(bench, 2, 0)->next_psn, 10);
  CU_ASSERT_EQUAL(mrc_in_flight(bench, 1), 10 * MRC_IP);
  bench->answers = true; /* each packet that is acknowledged lets one go, in turn */
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.expected = 1});
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.expected = 2});
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.expected = 3});
  CU_ASSERT_EQUAL(mrc_pair_at(bench, 1, 0)->next_psn + mrc_pair_at(bench, 1, 1)->next_psn, 13);
  CU_ASSERT(mrc_pair_at(bench, 1, 0)->next_psn >= 6 && mrc_pair_at(bench, 1, 1)->next_psn >= 6);
  mrc_run_to_the_end(bench);
  for (size_t i = 0; i < 3; i++)
    CU_ASSERT(bench->acknowledged_at[i] > 0);
  bench_free(bench);
}

/* ---- The PSN window (10.7) --------------------------------------------------------------------------------------- */

SGF_TEST(section_10_7_no_PSN_goes_beyond_the_receivers_window)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS(MRC_UNGATED, "EgressBufferManager/TotalBufferSize", "40MB"));
  bench_post(bench, 1, 2000 * MRC_MSS);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL(mrc_pair_at(bench, 1, 0)->next_psn, 1024);
  mrc_answer(bench, mrc_data_at(bench, 1), (mrc_answer_t){.expected = 0}); /* PSN 1: PSN 0 still holds the window */
  CU_ASSERT_EQUAL(mrc_pair_at(bench, 1, 0)->next_psn, 1024);
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.expected = 2});
  CU_ASSERT_EQUAL(mrc_pair_at(bench, 1, 0)->next_psn, 1026);
  bench_free(bench);
}

/* ---- Messages of one pair ---------------------------------------------------------------------------------------- */

SGF_TEST(section_10_1_messages_of_a_pair_share_its_sequence_and_are_pipelined)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, 2 * MRC_MSS + 1);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_DATA, 0), 4);
  for (size_t n = 0; n < 4; n++) {
    CU_ASSERT_EQUAL(data(bench, n)->psn, n);
    CU_ASSERT_EQUAL(data(bench, n)->index, n < 3 ? n : 0);
    CU_ASSERT_EQUAL(data(bench, n)->data.message, n < 3 ? 1 : 2);
    CU_ASSERT_EQUAL((data(bench, n)->flags & MRC_FLAG_END) != 0, n >= 2);
  }
  CU_ASSERT_EQUAL(mrc_data_at(bench, 2)->bytes, 79);
  bench_free(bench);
}

/* The second message is complete at its sender although a packet of the first is missing. */
SGF_TEST(section_12_a_write_is_complete_when_its_own_packets_are_acknowledged)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, 2 * MRC_MSS);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, OPP_US);
  mrc_answer(bench, mrc_data_at(bench, 2), (mrc_answer_t){.expected = 1});
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], -1);
  CU_ASSERT_EQUAL(bench->acknowledged_at[1], OPP_US);
  mrc_answer(bench, mrc_data_at(bench, 1), (mrc_answer_t){.type = MRC_ACK, .expected = 3});
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], OPP_US);
  CU_ASSERT_EQUAL(mrc_in_flight(bench, 1), 0);
  CU_ASSERT_PTR_NULL(mrc_pair_at(bench, 1, 0)->oldest);
  bench_free(bench);
}

/* What is not fetched does not overtake what is. */
SGF_TEST(section_10_2_a_message_without_payload_keeps_its_place)
{
  bench_t* bench = mrc_bench(NULL);
  bench->answers = true;
  bench_post(bench, 1, MRC_MSS);
  bench_post(bench, 1, 0);
  bench_post(bench, 1, 0);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_DATA, 0), 4);
  for (size_t n = 0; n < 4; n++)
    CU_ASSERT_EQUAL(data(bench, n)->psn, n);
  CU_ASSERT_EQUAL(mrc_data_at(bench, 1)->bytes, 78);
  CU_ASSERT_EQUAL(mrc_data_at(bench, 2)->arrival, mrc_end_of(1) + 2 * 1560 + bench_delay);
  for (size_t i = 0; i < 4; i++)
    CU_ASSERT(bench->acknowledged_at[i] > 0);
  bench_free(bench);
}

SGF_TEST(a_message_to_oneself_is_delivered_and_complete)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 0, 100 * MRC_MSS);
  bench_post(bench, 0, 0);
  mrc_run_to_the_end(bench);
  CU_ASSERT_EQUAL(bench->deliveries, 2);
  CU_ASSERT(bench->acknowledged_at[0] > 0 && bench->acknowledged_at[1] > 0);
  CU_ASSERT_EQUAL(bench->count, 0);
  CU_ASSERT_EQUAL(mrc_of(bench)->turning_round, 0);
  CU_ASSERT_EQUAL(mrc_counted(bench)->retransmissions, 0);
  char what[128];
  CU_ASSERT_TRUE(nic_is_empty(bench->nic, what, sizeof what));
  bench_free(bench);
}

/* ---- Messages with a rate of their own --------------------------------------------------------------------------- */

/* At 40 Gbps the payload of a packet takes 819.2 ns; what is behind it on its pair waits, another pair does not. */
SGF_TEST(a_rate_holds_its_own_queue_pair)
{
  bench_t* bench = mrc_bench(NULL);
  bench->answers = true;
  bench_post_at(bench, 1, 3 * MRC_MSS, 40000000000);
  bench_post(bench, 1, MRC_MSS);
  post_on(bench, 1, 1, MRC_MSS);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_DATA, 0), 5);
  CU_ASSERT_EQUAL(data(bench, 1)->queue_pair, 1);
  CU_ASSERT_EQUAL(mrc_data_at(bench, 2)->arrival - mrc_data_at(bench, 0)->arrival, 819200);
  CU_ASSERT_EQUAL(mrc_data_at(bench, 3)->arrival - mrc_data_at(bench, 2)->arrival, 819200);
  CU_ASSERT_EQUAL(data(bench, 4)->data.message, 2);
  CU_ASSERT(bench->acknowledged_at[1] > bench->acknowledged_at[2]);
  bench_free(bench);
}
