/* spec/uet-nic.md 9.2, 9.3, 9.10 and 11.7 on frames: what holds a sender, and what the window's samples are. */
#include "harness.h"
#include "nic_support.h"

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

static const nscc_t* congestion(const bench_t* bench)
{
  return &bench_group(bench, 1)->congestion;
}

/* ---- UN-133: the matrix ------------------------------------------------------------------------------------------ */

SGF_TEST(UN_133_what_limits_sending_and_whether_the_window_moves)
{
  static const struct {
    const char* enable;
    const char* pass;
    size_t sent; /* of 300 packets, without an answer */
    int64_t after_trim;
  } cases[] = {
      {"true", "false", 107, 450000 - BENCH_IP},
      {"true", "true", 300, 450000 - BENCH_IP},
      {"false", "false", 107, 450000},
      {"false", "true", 300, 450000},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bench_t* bench = bench_new(BENCH_SETTINGS("NSCCEnable", cases[i].enable, "PassThrough", cases[i].pass,
                                              "EgressBufferManager.TotalBufferSize", "4MB"));
    bench_post(bench, 1, 300 * BENCH_MSS);
    bench_run(bench, 60 * OPP_US);
    CU_ASSERT_EQUAL(bench->count, cases[i].sent);
    bench_answer(bench, &bench->log[0], (bench_answer_t){.is_nack = true});
    CU_ASSERT_EQUAL((int64_t)congestion(bench)->window, cases[i].after_trim);
    bench_free(bench);
  }
}

SGF_TEST(UN_134_without_NSCC_marks_trims_and_timeouts_leave_the_window)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("NSCCEnable", "false"));
  bench_post(bench, 1, 100 * BENCH_MSS);
  bench_run(bench, 60 * OPP_US);
  for (uint32_t psn = 0; psn < 20; psn++) {
    bench_answer(bench, &bench->log[psn], (bench_answer_t){.is_marked = true, .expected = psn + 1, .penalty = 127});
    CU_ASSERT_EQUAL((int64_t)congestion(bench)->window, 450000);
  }
  for (uint32_t psn = 20; psn < 40; psn++)
    bench_answer(bench, &bench->log[psn], (bench_answer_t){.is_nack = true});
  CU_ASSERT_EQUAL((int64_t)congestion(bench)->window, 450000);
  bench_run(bench, 250 * OPP_US);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.timeouts, 60);
  CU_ASSERT_EQUAL((int64_t)congestion(bench)->window, 450000);
  CU_ASSERT_EQUAL(congestion(bench)->quick_adapts, 0);
  CU_ASSERT_EQUAL(congestion(bench)->delay, 0);
  bench_free(bench);
}

SGF_TEST(UN_134_without_NSCC_a_lower_base_RTT_lowers_the_window)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("NSCCEnable", "false"));
  bench_post(bench, 1, 100 * BENCH_MSS);
  bench_run(bench, end_of(1) + 3 * OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(congestion(bench)->base_rtt, 4 * OPP_US);
  CU_ASSERT_EQUAL((int64_t)congestion(bench)->window, 300000);
  bench_free(bench);
}

/* A window of one packet that holds nothing: the transmit pool does. */
SGF_TEST(UN_135_with_PassThrough_the_transmit_pool_limits_sending)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("InitialBaseRTT", "56ns", "PassThrough", "true"));
  bench_post(bench, 1, 300 * BENCH_MSS);
  bench_run(bench, bench_doorbell);
  CU_ASSERT_EQUAL((int64_t)congestion(bench)->window, 4200);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 54 * BENCH_IP);
  CU_ASSERT_EQUAL(bench_group(bench, 1)->fetched, 54 * BENCH_IP);
  bench_run(bench, 140 * OPP_US); /* before a timer expires */
  CU_ASSERT_EQUAL(bench->count, 300);
  CU_ASSERT_EQUAL(bench->log[299].arrival, end_of(300) + bench_delay); /* without a gap */
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 300 * BENCH_IP);
  bench_free(bench);
}

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

/* UN-76: a hold below a step of 128 ns is part of the sample; whole steps are taken off. */
static opp_simtime_t base_after(uint16_t service_time)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, end_of(1) + 3 * OPP_US);
  bench_answer(bench, &bench->log[0], (bench_answer_t){.expected = 1, .service_time = service_time});
  const opp_simtime_t base = congestion(bench)->base_rtt;
  bench_free(bench);
  return base;
}

SGF_TEST(UN_76_a_sample_is_without_the_service_time_that_is_reported)
{
  CU_ASSERT_EQUAL(base_after(0), 4 * OPP_US);
  CU_ASSERT_EQUAL(base_after(1), 4 * OPP_US - 128 * OPP_NS);
  CU_ASSERT_EQUAL(base_after(10), 4 * OPP_US - 1280 * OPP_NS);
  CU_ASSERT_EQUAL(base_after(100), OPP_US); /* never below 0 */
}

/* Ten packets of which the first is acknowledged 8 us after its last transmission, with a penalty: after `retries`
 * timeouts. */
static bench_t* answered_after(unsigned retries)
{
  bench_t* bench        = bench_new(NULL);
  opp_simtime_t last    = end_of(1);
  opp_simtime_t timeout = 150 * OPP_US;
  bench_post(bench, 1, 10 * BENCH_MSS);
  for (unsigned i = 0; i < retries; i++, timeout *= 2)
    last += timeout + bench_wire;
  bench_run(bench, last + 8 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 10 * (retries + 1));
  bench_answer(bench, &bench->log[10 * retries], (bench_answer_t){.expected = 1, .penalty = 64});
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 9 * BENCH_IP);
  return bench;
}

SGF_TEST(UN_136_a_packet_sent_three_times_gives_no_sample_but_a_penalty)
{
  for (unsigned retries = 0; retries <= 2; retries++) {
    bench_t* bench = answered_after(retries);
    CU_ASSERT_EQUAL((int64_t)congestion(bench)->delay, retries < 2 ? 500000 : 0); /* a quarter of 8 us - 6 us */
    CU_ASSERT_EQUAL((int64_t)congestion(bench)->window, 9 * BENCH_IP - BENCH_IP / 2);
    bench_free(bench);
  }
}

/* The acknowledgement of the first transmission that comes after the retransmission says nothing about a round trip. */
SGF_TEST(an_acknowledgement_of_another_transmission_gives_no_sample)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 10 * BENCH_MSS);
  bench_run(bench, end_of(1) + 150 * OPP_US + bench_wire + 8 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 20);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(congestion(bench)->delay, 0);
  bench_ack(bench, &bench->log[11], 2, 0);
  CU_ASSERT(congestion(bench)->delay > 0);
  bench_free(bench);
}

/* A window of one packet: the first message's packet times out, and waits, for it is the second's turn. It was sent
 * once. */
SGF_TEST(an_acknowledgement_that_comes_before_the_retransmission_goes_gives_a_sample)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("InitialBaseRTT", "56ns"));
  bench_post(bench, 1, BENCH_MSS);
  bench_post(bench, 1, BENCH_MSS);
  const opp_simtime_t late = end_of(1) + 160 * OPP_US;
  bench_run(bench, late);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.timeouts, 1);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL((int64_t)congestion(bench)->delay, (160 * OPP_US - 56 * OPP_NS) / 4);
  bench_free(bench);
}

/* ---- Marks (UN-112) ---------------------------------------------------------------------------------------------- */

SGF_TEST(marked_acknowledgements_with_a_sample_are_counted)
{
  bench_t* bench = answered_after(2);
  bench_answer(bench, &bench->log[21], (bench_answer_t){.expected = 2, .is_marked = true}); /* no sample */
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.marked_received, 0);
  bench_free(bench);
  bench = answered_after(1);
  bench_answer(bench, &bench->log[11], (bench_answer_t){.expected = 2, .is_marked = true});
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.marked_received, 1);
  bench_free(bench);
}

SGF_TEST(an_acknowledgement_echoes_the_mark_of_its_packet)
{
  for (int marked = 0; marked < 2; marked++) {
    bench_t* bench = bench_new(NULL);
    bench_data(bench, (bench_data_t){.payload = BENCH_MSS, .is_marked = marked});
    bench_run(bench, OPP_US);
    CU_ASSERT_EQUAL(!(bench_header(bench_nth(bench, UET_ACK, 0))->flags & UET_FLAG_ECN_ECHO), !marked);
    CU_ASSERT_EQUAL(bench_uet(bench)->counters.marked_sent, (uint64_t)marked);
    bench_free(bench);
  }
}
