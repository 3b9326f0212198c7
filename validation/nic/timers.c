/* spec/uet-nic.md 8.10 and 11.6 on the state machine: retransmission timers. */
#include "harness.h"
#include "nic_support.h"

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

/* A one-packet message whose transmissions are all lost but the last. Waits of each: from the end of one serialisation
 * to the start of the next. */
static void check_waits(const char* const* settings, const opp_simtime_t* waits, size_t count)
{
  bench_t* bench = bench_new(settings);
  bench_post(bench, 1, BENCH_MSS);
  opp_simtime_t end = end_of(1);
  for (size_t i = 0; i < count; i++) {
    end += waits[i] + bench_wire;
    bench_run(bench, end - 1 + bench_delay);
    CU_ASSERT_EQUAL(bench->count, i + 1);
    bench_run(bench, end + bench_delay);
    CU_ASSERT_EQUAL_FATAL(bench->count, i + 2);
    CU_ASSERT_EQUAL(bench->log[i + 1].arrival, end + bench_delay);
    CU_ASSERT_TRUE(bench_header(&bench->log[i + 1])->flags & UET_FLAG_RETRANSMIT);
    CU_ASSERT_EQUAL(bench->log[i + 1].bytes, BENCH_FULL);
  }
  bench_ack(bench, &bench->log[count], 1, 0);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], bench_now(bench));
  const size_t sent = bench->count;
  bench_run(bench, bench_now(bench) + 100 * OPP_MS);
  CU_ASSERT_EQUAL(bench->count, sent); /* an expiry after the acknowledgement does nothing */
  bench_free(bench);
}

#define CHECK_WAITS(settings, ...)                                                                                     \
  check_waits(settings, (const opp_simtime_t[]){__VA_ARGS__},                                                          \
              sizeof((const opp_simtime_t[]){__VA_ARGS__}) / sizeof(opp_simtime_t))

#define US(us) ((us)*OPP_US)

SGF_TEST(UN_92_a_fixed_timer_expires_every_150_us)
{
  CHECK_WAITS(BENCH_SETTINGS("FixedRexmitTimeEnable", "true"), US(150), US(150), US(150));
  CHECK_WAITS(BENCH_SETTINGS("FixedRexmitTimeEnable", "true", "FixedRexmitTimeout", "40us"), US(40), US(40), US(40),
              US(40));
}

SGF_TEST(UN_93_the_timeout_doubles_up_to_its_cap)
{
  CHECK_WAITS(NULL, US(150), US(300), US(600), US(1200), US(2400), US(4800), US(4800), US(4800));
  CHECK_WAITS(BENCH_SETTINGS("InitialRetransmitTimeout", "300us"), US(300), US(600), US(1200), US(2400), US(4800),
              US(9600), US(9600));
  CHECK_WAITS(BENCH_SETTINGS("MaxExponentialRTOBackoffCount", "2"), US(150), US(300), US(600), US(600));
  CHECK_WAITS(BENCH_SETTINGS("MaxExponentialRTOBackoffCount", "0"), US(150), US(150), US(150));
}

SGF_TEST(UN_94_a_packet_held_in_the_queue_does_not_time_out)
{
  bench_t* bench = bench_new(NULL);
  bench_pause(bench, 0, 65535);
  bench_post(bench, 1, BENCH_MSS);
  for (int i = 1; i <= 10; i++) { /* held for 0.5 ms */
    bench_run(bench, US(50) * i);
    bench_pause(bench, 0, 65535);
  }
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 0);
  bench_pause(bench, 0, 0);
  const opp_simtime_t end = bench_now(bench) + bench_wire;
  bench_run(bench, end + US(150) - 1);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 0);
  CU_ASSERT_EQUAL(bench->count, 1);
  bench_run(bench, end + US(150));
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 1);
  bench_free(bench);
}

/* Three packets are lost while the class is held and the pool is as full as it gets. */
SGF_TEST(UN_85_retransmissions_go_before_new_segments_of_their_PDC)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 200 * BENCH_MSS);
  bench_run(bench, end_of(2) + 1);
  bench_pause(bench, 0, 65535); /* three have started, 51 are queued or being fetched */
  for (int us = 70; us <= 140; us += 70) {
    bench_run(bench, US(us));
    bench_pause(bench, 0, 65535);
  }
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 51 * BENCH_FULL);

  /* The first expiry restarts generation: its own packet, then new segments until the pool is full. The other two wait.
   */
  bench_run(bench, US(151));
  const uet_pdc_t* pdc = bench->posted[0]->sending;
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 1);
  CU_ASSERT_EQUAL(pdc->next_psn, 54 + 2);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 54 * BENCH_FULL);

  bench_pause(bench, 0, 0);
  bench_run(bench, US(151) + 70 * bench_wire);
  static const uint32_t order[] = {53, 0, 54, 55, 1, 2, 56, 57};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    CU_ASSERT_EQUAL(bench_header(&bench->log[53 + i])->psn, order[i]);
  bench_free(bench);
}

/* The first transmission's acknowledgement comes while its retransmission waits at the port. */
SGF_TEST(a_packet_acknowledged_while_its_retransmission_waits_is_done)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, US(100));
  bench_pause(bench, 0, 65535);
  bench_run(bench, US(160));
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 2);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 2 * BENCH_IP);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), BENCH_IP);
  bench_ack(bench, &bench->log[1], 2, 0);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 0);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], US(160));
  bench_run(bench, OPP_MS); /* both copies go out, and no timer runs for them */
  CU_ASSERT_EQUAL(bench->count, 4);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 2);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 0);
  bench_free(bench);
}

/* An acknowledgement that comes between the expiry and the retransmission's turn. */
SGF_TEST(a_packet_acknowledged_before_its_retransmission_leaves_its_queue)
{
  /* A window of one packet: the retransmission of message 1 waits behind message 2 (UN-21). */
  bench_t* bench = bench_new(BENCH_SETTINGS("InitialBaseRTT", "56ns"));
  bench_post(bench, 1, BENCH_MSS);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, US(160));
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  bench_ack(bench, &bench->log[0], 1, 0); /* late, and yet in time */
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], US(160));
  bench_ack(bench, &bench->log[1], 1, 0);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 0);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 0);
  bench_free(bench);
}

SGF_TEST(an_acknowledgement_of_a_message_that_is_done_is_ignored)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  bench_post(bench, 1, 2 * BENCH_MSS); /* on the same PDC */
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL(bench_header(&bench->log[1])->src_pdc, bench_header(&bench->log[0])->src_pdc);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 2 * BENCH_IP);
  CU_ASSERT_EQUAL(bench->acknowledged_at[1], -1);
  bench_free(bench);
}
