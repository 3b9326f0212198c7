/* spec/uet-nic.md 8.6 and 11.6 on the state machine: which data packets ask for an acknowledgement. */
#include "harness.h"
#include "nic_support.h"

enum { MIB_PACKETS = 256 };

static bool is_flagged(const bench_t* bench, size_t n)
{
  return bench_header(&bench->log[n])->flags & UET_FLAG_AR;
}

static bench_t* asking(const char* every, const char* first, const char* last)
{
  bench_t* bench = bench_new(
      BENCH_SETTINGS("AckRequestEveryNthPacket", every, "AckRequestFirstPacket", first, "AckRequestLastPacket", last));
  bench->answers = true;
  return bench;
}

/* Packets, from 1, of a 256-packet message that are flagged: every eighth from `phase` on, and the last if `last`. */
static void check_every_eighth(const char* first, const char* last, size_t phase, bool last_too, uint64_t count)
{
  bench_t* bench = asking("8", first, last);
  bench_post(bench, 1, MIB_PACKETS * BENCH_MSS);
  bench_run(bench, 100 * OPP_US); /* before any timer */
  CU_ASSERT_EQUAL_FATAL(bench->count, MIB_PACKETS);
  for (size_t i = 1; i <= MIB_PACKETS; i++)
    CU_ASSERT_EQUAL(is_flagged(bench, i - 1), i % 8 == phase % 8 || (last_too && i == MIB_PACKETS));
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.acks_received, count);
  bench_free(bench);
}

SGF_TEST(UN_69_every_eighth_from_the_first_on_and_the_last)
{
  check_every_eighth("true", "true", 1, true, 33);
}

SGF_TEST(UN_70_every_eighth_from_the_first_on)
{
  check_every_eighth("true", "false", 1, false, 32);
}

SGF_TEST(UN_71_every_eighth_the_last_being_one_of_them)
{
  check_every_eighth("false", "true", 8, true, 32);
}

SGF_TEST(UN_72_every_eighth)
{
  check_every_eighth("false", "false", 8, false, 32);
}

SGF_TEST(UN_73_with_N_of_1_first_and_last_make_no_difference)
{
  static const char* const values[] = {"false", "true"};
  for (int i = 0; i < 4; i++) {
    bench_t* bench = asking("1", values[i / 2], values[i % 2]);
    bench_post(bench, 1, 10 * BENCH_MSS);
    bench_run(bench, 100 * OPP_US);
    CU_ASSERT_EQUAL_FATAL(bench->count, 10);
    for (size_t n = 0; n < 10; n++)
      CU_ASSERT(is_flagged(bench, n));
    bench_free(bench);
  }
}

/* Nothing is lost, and yet the packets behind the last flagged one wait for a timer: transmission 257 is flagged. */
SGF_TEST(UN_75_the_first_retransmission_is_flagged_and_completes_the_message)
{
  bench_t* bench = asking("8", "true", "false");
  bench_post(bench, 1, MIB_PACKETS * BENCH_MSS);
  bench_run(bench, 100 * OPP_US);
  const uet_pdc_t* pdc = bench->posted[0]->sending;
  CU_ASSERT_PTR_NOT_NULL_FATAL(pdc);
  CU_ASSERT_EQUAL(pdc->acknowledged, 249);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 7 * BENCH_IP);
  bench_run(bench, OPP_MS);
  CU_ASSERT_FATAL(bench->count > MIB_PACKETS);
  const bench_frame_t* again = &bench->log[MIB_PACKETS];
  CU_ASSERT_EQUAL(bench_header(again)->psn, 249);
  CU_ASSERT_EQUAL(bench_header(again)->flags, UET_FLAG_AR | UET_FLAG_RETRANSMIT);
  CU_ASSERT_EQUAL(again->arrival, bench->log[249].arrival + 150 * OPP_US + bench_wire);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], again->arrival);
  for (size_t n = MIB_PACKETS + 1; n < bench->count; n++)
    CU_ASSERT_FALSE(is_flagged(bench, n));
  bench_free(bench);
}

/* B24: of a retransmission of the last packet too, whichever transmission of the PDC it is. */
SGF_TEST(B24_the_last_packet_asks_again_when_it_is_sent_again)
{
  bench_t* bench = asking("1024", "false", "true");
  bench->answers = false;
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, 200 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 4);
  for (size_t n = 0; n < 4; n++)
    CU_ASSERT_EQUAL(is_flagged(bench, n), n % 2 == 1);
  bench_free(bench);
}

/* The count is of a PDC, and begins anew with its next message. */
SGF_TEST(each_message_counts_from_its_first_packet)
{
  bench_t* bench = asking("8", "true", "true");
  bench_post(bench, 1, 3 * BENCH_MSS);
  bench_run(bench, 10 * OPP_US);
  bench_post(bench, 1, 3 * BENCH_MSS);
  bench_run(bench, 20 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 6);
  for (size_t n = 0; n < 6; n++)
    CU_ASSERT_EQUAL(is_flagged(bench, n), n % 3 != 1);
  bench_free(bench);
}
