/* spec/uet-nic.md 9.9 and 11.7 on frames: the penalty that a full receive pool puts on its senders. */
#include "harness.h"
#include "nic_support.h"

enum { POOL = 3600000 };

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

/* ---- At the receiver --------------------------------------------------------------------------------------------- */

/* PCIe's transmit buffers are full: 58 full writes and 6 short ones take all the 470 headers at one instant. */
enum { FILLING = 64 };

/* The acknowledgement that is drawn when the data pool holds `bytes`, the packet that draws it among them. */
static uet_header_t drawn_at(const char* const* settings, int64_t bytes)
{
  bench_t* bench = bench_new(settings);
  uint32_t psn   = 0;
  for (; psn < FILLING; psn++)
    bench_data(bench, (bench_data_t){.psn = psn, .payload = psn < 58 ? BENCH_MSS : 1, .is_unflagged = true});
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 0);
  for (; bytes > 2 * BENCH_IP; bytes -= BENCH_IP)
    bench_data(bench, (bench_data_t){.psn = psn++, .payload = BENCH_MSS, .is_unflagged = true});
  bench_data(bench, (bench_data_t){.psn = psn++, .payload = bytes / 2 - 88, .is_unflagged = true});
  bench_data(bench, (bench_data_t){.psn = psn++, .payload = bytes - bytes / 2 - 88});
  bench_run(bench, OPP_MS);
  const bench_frame_t* ack = bench_nth(bench, UET_ACK, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(ack);
  const uet_header_t header = *bench_header(ack);
  bench_free(bench);
  return header;
}

SGF_TEST(UN_128_and_UN_129_the_penalty_grows_from_900000_to_2700000_bytes)
{
  CU_ASSERT(POOL / 4 == 900000 && POOL / 4 * 3 == 2700000);
  CU_ASSERT_EQUAL(drawn_at(NULL, BENCH_IP).ack.penalty, 0);
  CU_ASSERT_EQUAL(drawn_at(NULL, 899999).ack.penalty, 0);
  CU_ASSERT_EQUAL(drawn_at(NULL, 900000).ack.penalty, 0);
  /* 127 x bytes above 900,000 / 1,800,000, rounded down: a step is 14,173.2 B. */
  CU_ASSERT_EQUAL(drawn_at(NULL, 914173).ack.penalty, 0);
  CU_ASSERT_EQUAL(drawn_at(NULL, 914174).ack.penalty, 1);
  CU_ASSERT_EQUAL(drawn_at(NULL, 1800000).ack.penalty, 63); /* 63.5 */
  CU_ASSERT_EQUAL(drawn_at(NULL, 2699999).ack.penalty, 126);
  CU_ASSERT_EQUAL(drawn_at(NULL, 2700000).ack.penalty, 127);
  CU_ASSERT_EQUAL(drawn_at(NULL, 3500000).ack.penalty, 127);
}

SGF_TEST(UN_132_the_receivers_own_thresholds_are_those_that_count)
{
  const char* const* settings =
      BENCH_SETTINGS("ReceiverCongestionLowThreshold", "0", "ReceiverCongestionHighThreshold", "50");
  CU_ASSERT_EQUAL(drawn_at(settings, 900000).ack.penalty, 63);
  CU_ASSERT_EQUAL(drawn_at(settings, 1800000).ack.penalty, 127);
}

SGF_TEST(UN_131_the_restore_flag_is_the_receivers_attribute)
{
  CU_ASSERT_FALSE(drawn_at(NULL, BENCH_IP).flags & UET_FLAG_RESTORE);
  CU_ASSERT(drawn_at(BENCH_SETTINGS("RestoreCWindEnable", "true"), BENCH_IP).flags & UET_FLAG_RESTORE);
}

/* ---- At the sender ----------------------------------------------------------------------------------------------- */

/* 100 packets are in flight. The first is 8 us old: the base RTT stays, and 2 us of queue are below the target. */
static bench_t* a_hundred_in_flight(const char* const* settings)
{
  bench_t* bench = bench_new(settings);
  bench_post(bench, 1, 100 * BENCH_MSS);
  bench_run(bench, end_of(1) + 8 * OPP_US + 500 * OPP_NS); /* all are sent, and have arrived */
  CU_ASSERT_EQUAL_FATAL(bench->count, 100);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 100 * BENCH_IP);
  return bench;
}

static double window(const bench_t* bench)
{
  return bench_group(bench, 1)->congestion.window;
}

static void answer(bench_t* bench, uint32_t psn, uint8_t penalty, bool restores)
{
  bench_answer(bench, &bench->log[psn],
               (bench_answer_t){.expected = psn + 1, .penalty = penalty, .restores = restores});
}

SGF_TEST(UN_130_a_penalty_takes_the_window_down_to_what_is_in_flight_and_further)
{
  bench_t* bench = a_hundred_in_flight(NULL);
  answer(bench, 0, 64, false);
  /* 99 packets are in flight; less 64/128 of the packet acknowledged. And no increase, although a queue of 2 us is
   * below the target. */
  CU_ASSERT_EQUAL(window(bench), 99 * BENCH_IP - BENCH_IP / 2);
  answer(bench, 1, 127, false);
  CU_ASSERT_EQUAL(window(bench), 98 * BENCH_IP - BENCH_IP * 127.0 / 128);
  CU_ASSERT_EQUAL(bench_group(bench, 1)->congestion.pending, 0);
  bench_free(bench);
}

SGF_TEST(UN_130_a_penalty_leaves_a_window_of_one_packet)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, 8 * OPP_US);
  answer(bench, 0, 127, false);
  CU_ASSERT_EQUAL(window(bench), BENCH_IP);
  bench_free(bench);
}

SGF_TEST(UN_131_the_window_is_back_when_the_penalty_is_over)
{
  bench_t* bench = a_hundred_in_flight(NULL);
  answer(bench, 0, 64, true);
  answer(bench, 1, 127, true);
  CU_ASSERT(window(bench) < 98 * BENCH_IP);
  answer(bench, 2, 0, true);
  CU_ASSERT_EQUAL(window(bench), 450000); /* as when it began, and no increase takes it beyond */
  bench_free(bench);
}

/* It grows by the routines, and what it was is forgotten. */
SGF_TEST(UN_131_without_the_flag_the_window_grows_back)
{
  bench_t* bench = a_hundred_in_flight(NULL);
  answer(bench, 0, 64, false);
  const double before = window(bench);
  answer(bench, 1, 0, false);
  CU_ASSERT(window(bench) > before && window(bench) < before + BENCH_IP);
  answer(bench, 2, 0, true);
  CU_ASSERT(window(bench) < before + BENCH_IP);
  bench_free(bench);
}

SGF_TEST(UN_132_the_senders_own_thresholds_change_nothing_of_its_sending)
{
  double windows[2];
  for (int own = 0; own < 2; own++) {
    bench_t* bench = a_hundred_in_flight(own == 0 ? NULL
                                                  : BENCH_SETTINGS("ReceiverCongestionLowThreshold", "0",
                                                                   "ReceiverCongestionHighThreshold", "0.1",
                                                                   "RestoreCWindEnable", "true"));
    answer(bench, 0, 64, false);
    answer(bench, 1, 0, false);
    windows[own] = window(bench);
    bench_free(bench);
  }
  CU_ASSERT_EQUAL(windows[0], windows[1]);
}
