/* Messages with a rate of their own, at the NIC: when each of their packets is generated, and that they leave the link
 * to others meanwhile. */
#include "harness.h"
#include "nic_support.h"

#include <stdlib.h>
#include <string.h>

#define GBPS INT64_C(1000000000)

/* From the instant a full packet is generated to its arrival at the peer, with nothing in its way. */
static opp_simtime_t crossing(void)
{
  return bench_fetch + bench_wire + bench_delay;
}

/* When the n-th full packet is generated (n from 0) if each is when it may be. */
static opp_simtime_t generated(int64_t n, int64_t bps)
{
  return bench_doorbell + opp_rate_duration(opp_rate(bps), n * 8 * BENCH_MSS);
}

static bench_t* answering(void)
{
  bench_t* bench = bench_new(NULL);
  bench->answers = true;
  return bench;
}

static void run_to_the_end(bench_t* bench)
{
  while (opp_sim_next_event_time(bench->sim) != OPP_TIME_MAX)
    bench_step(bench);
}

static bool is_of_message(const bench_t* bench, size_t n, uint64_t message)
{
  return bench_header(&bench->log[n])->message == message;
}

/* ---- One message ------------------------------------------------------------------------------------------------- */

SGF_TEST(each_packet_is_generated_when_the_one_before_has_taken_its_time)
{
  enum { PACKETS = 10 };
  bench_t* bench = answering();
  bench_post_at(bench, 1, PACKETS * BENCH_MSS, 100 * GBPS);
  run_to_the_end(bench);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS);
  for (size_t n = 0; n < PACKETS; n++)
    CU_ASSERT_EQUAL(bench->log[n].arrival, bench_doorbell + (opp_simtime_t)n * 327680 + crossing());
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], bench->log[PACKETS - 1].arrival);
  bench_free(bench);
}

/* At 7 Gb/s a packet takes 4,681,142 6/7 ps: every seventh interval is a whole number of them. */
SGF_TEST(what_a_picosecond_leaves_over_is_carried_on)
{
  enum { PACKETS = 3500 };
  bench_t* bench = answering();
  bench_post_at(bench, 1, PACKETS * BENCH_MSS, 7 * GBPS);
  run_to_the_end(bench);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS);
  size_t wrong = 0;
  for (size_t n = 0; n < PACKETS; n++)
    wrong += bench->log[n].arrival != generated((int64_t)n, 7 * GBPS) + crossing();
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(bench->log[7].arrival - bench->log[0].arrival, 32768000);
  bench_free(bench);
}

/* The rate counts payload: a packet of one byte is followed a byte's time later, whatever its headers are. */
SGF_TEST(the_rate_counts_payload_alone)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("RdmaDataMSS", "1"));
  bench->answers = true;
  bench_post_at(bench, 1, 3, 8000000); /* 1 us a byte */
  run_to_the_end(bench);
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  CU_ASSERT_EQUAL(bench->log[1].arrival - bench->log[0].arrival, OPP_US);
  CU_ASSERT_EQUAL(bench->log[2].arrival - bench->log[1].arrival, OPP_US);
  bench_free(bench);
}

SGF_TEST(one_bit_a_second)
{
  bench_t* bench = answering();
  bench_post_at(bench, 1, BENCH_MSS + 1, 1);
  bench_run(bench, 8 * BENCH_MSS * OPP_S);
  CU_ASSERT_EQUAL(bench->count, 1);
  CU_ASSERT_EQUAL(opp_sim_next_event_time(bench->sim), bench_doorbell + 8 * BENCH_MSS * OPP_S);
  run_to_the_end(bench);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench->log[1].bytes, 1 + UET_DATA_OVERHEAD);
  CU_ASSERT(bench->log[1].arrival > bench_doorbell + 8 * BENCH_MSS * OPP_S);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], bench->log[1].arrival);
  bench_free(bench);
}

/* A message of one packet, of 0 bytes too, is as fast as without a rate, and leaves no timer behind. */
SGF_TEST(one_packet_is_not_slowed)
{
  static const uint64_t sizes[] = {0, 1, BENCH_MSS};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    bench_t* paced = answering();
    bench_t* plain = answering();
    bench_post_at(paced, 1, sizes[s], 1);
    bench_post(plain, 1, sizes[s]);
    run_to_the_end(paced);
    run_to_the_end(plain);
    CU_ASSERT_EQUAL_FATAL(paced->count, 1);
    CU_ASSERT_EQUAL(paced->log[0].arrival, plain->log[0].arrival);
    CU_ASSERT_EQUAL(paced->acknowledged_at[0], plain->acknowledged_at[0]);
    CU_ASSERT_EQUAL(bench_now(paced), bench_now(plain));
    bench_free(paced);
    bench_free(plain);
  }
}

/* ---- A rate that is no limit ------------------------------------------------------------------------------------- */

static bench_t* finished_at(unsigned dst, int64_t bps)
{
  bench_t* bench = answering();
  bench_post_at(bench, dst, 300 * BENCH_MSS, bps);
  run_to_the_end(bench);
  return bench;
}

static bool same_arrivals(const bench_t* a, const bench_t* b)
{
  bool same = a->count == b->count && bench_now(a) == bench_now(b);
  for (size_t n = 0; same && n < a->count; n++)
    same = a->log[n].arrival == b->log[n].arrival;
  return same && a->nic->egress[0].peak == b->nic->egress[0].peak;
}

SGF_TEST(a_rate_that_the_link_does_not_exceed_is_no_limit)
{
  bench_t* plain                  = finished_at(1, 0);
  static const int64_t no_limit[] = {400 * GBPS, 400 * GBPS + 1, INT64_MAX};
  for (size_t i = 0; i < sizeof no_limit / sizeof *no_limit; i++) {
    bench_t* same = finished_at(1, no_limit[i]);
    CU_ASSERT(same_arrivals(plain, same));
    bench_free(same);
  }
  bench_t* paced = finished_at(1, 400 * GBPS - 1);
  CU_ASSERT_FALSE(same_arrivals(plain, paced));
  bench_free(paced);
  bench_free(plain);
}

/* Nothing that is sent to oneself sees the link: PCIe alone is faster, so that a rate above the link's is a limit. */
SGF_TEST(to_oneself_the_link_says_nothing_about_the_rate)
{
  bench_t* plain = finished_at(0, 0);
  bench_t* paced = finished_at(0, 450 * GBPS);
  CU_ASSERT_EQUAL(plain->deliveries, 1);
  CU_ASSERT_EQUAL(paced->deliveries, 1);
  CU_ASSERT(bench_delivery(plain)->date < generated(299, 450 * GBPS));
  CU_ASSERT(bench_delivery(paced)->date > generated(299, 450 * GBPS));
  bench_free(plain);
  bench_free(paced);
}

/* ---- Others use the link ----------------------------------------------------------------------------------------- */

/* A message of 10 Gb/s beside one without a rate, to `other`: its packets go when they may, behind what is in the
 * port's queue; the link is busy as long as the other has something to send, with packets and the probe of each. */
static void check_beside(unsigned other)
{
  enum { PACED = 20, PLAIN = 700 };
  bench_t* bench = answering();
  bench_post_at(bench, 1, PACED * BENCH_MSS, 10 * GBPS);
  bench_post(bench, other, PLAIN * BENCH_MSS);
  run_to_the_end(bench);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACED + PLAIN);
  size_t paced = 0, plain = 0, early = 0;
  opp_simtime_t without_data = 0;
  for (size_t n = 0; n < bench->count; n++) {
    if (is_of_message(bench, n, 1))
      early += bench->log[n].arrival < generated((int64_t)paced++, 10 * GBPS) + crossing();
    else
      plain++;
    if (n > 0 && plain < PLAIN)
      without_data += bench->log[n].arrival - bench->log[n - 1].arrival - bench_wire;
  }
  CU_ASSERT_EQUAL(early, 0);
  CU_ASSERT_EQUAL(without_data, 2 * bench_probe);
  CU_ASSERT(bench->acknowledged_at[1] < bench->acknowledged_at[0]);
  /* while the other lasts, one more than the rate gives in that time, and none less than the queue holds back */
  const int64_t whole            = bench->acknowledged_at[1] / opp_rate_duration(opp_rate(10 * GBPS), 8 * BENCH_MSS);
  const opp_simtime_t last_plain = bench->acknowledged_at[1];
  int64_t meanwhile              = 0;
  for (size_t n = 0; n < bench->count; n++)
    meanwhile += is_of_message(bench, n, 1) && bench->log[n].arrival <= last_plain;
  CU_ASSERT(meanwhile <= whole + 1);
  CU_ASSERT(meanwhile >= whole - 1);
  bench_free(bench);
}

SGF_TEST(another_message_to_another_host_takes_the_rest_of_the_link)
{
  check_beside(2);
}

SGF_TEST(another_message_to_the_same_host_takes_the_rest_of_the_link)
{
  check_beside(1);
}

SGF_TEST(two_rates_are_kept_side_by_side)
{
  enum { FAST = 40, SLOW = 10 };
  bench_t* bench = answering();
  bench_post_at(bench, 1, FAST * BENCH_MSS, 40 * GBPS);
  bench_post_at(bench, 1, SLOW * BENCH_MSS, 10 * GBPS + 1); /* so that they meet at the doorbell alone */
  run_to_the_end(bench);
  int64_t fast = 0, slow = 0, wrong = 0;
  for (size_t n = 0; n < bench->count; n++) {
    const bool is_fast       = is_of_message(bench, n, 1);
    const opp_simtime_t date = (is_fast ? generated(fast++, 40 * GBPS) : generated(slow++, 10 * GBPS + 1)) + crossing();
    const opp_simtime_t wait = bench->log[n].arrival - date; /* for a packet of the other, at most */
    wrong += wait < 0 || wait > bench_wire;
  }
  CU_ASSERT_EQUAL(fast, FAST);
  CU_ASSERT_EQUAL(slow, SLOW);
  CU_ASSERT_EQUAL(wrong, 0);
  bench_free(bench);
}

/* ---- Late packets, lost packets ---------------------------------------------------------------------------------- */

/* The window holds one packet. What waits for it is late, and the next counts from when it went. */
SGF_TEST(nothing_is_saved_up_while_the_window_is_closed)
{
  const opp_simtime_t interval = 327680;
  const opp_simtime_t late     = bench_doorbell + 5 * interval;
  bench_t* bench               = bench_new(BENCH_SETTINGS("InitialBaseRTT", "56ns"));
  bench_post_at(bench, 1, 4 * BENCH_MSS, 100 * GBPS);
  bench_run(bench, late);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  bench_ack(bench, &bench->log[0], 1, 0);
  bench->answers = true;
  run_to_the_end(bench);
  CU_ASSERT_EQUAL_FATAL(bench->count, 4);
  CU_ASSERT_EQUAL(bench->log[1].arrival, late + crossing());
  CU_ASSERT_EQUAL(bench->log[2].arrival, late + interval + crossing());
  CU_ASSERT_EQUAL(bench->log[3].arrival, late + 2 * interval + crossing());
  bench_free(bench);
}

/* The first packet is lost: it is repeated when its timer expires, between the dates of the others, which stay. */
SGF_TEST(retransmissions_are_not_paced_and_do_not_delay)
{
  const int64_t bps            = 32768 * 10000 / 4; /* 400 us a packet */
  const opp_simtime_t interval = 400 * OPP_US;
  bench_t* bench               = bench_new(NULL);
  bench_post_at(bench, 1, 3 * BENCH_MSS, bps);
  bench_run(bench, bench_doorbell + crossing() + 150 * OPP_US - bench_delay - 1);
  CU_ASSERT_EQUAL(bench->count, 1);
  bench->answers = true;
  run_to_the_end(bench);
  CU_ASSERT_EQUAL_FATAL(bench->count, 4);
  CU_ASSERT(bench_header(&bench->log[1])->flags & UET_FLAG_RETRANSMIT);
  CU_ASSERT_EQUAL(bench_header(&bench->log[1])->psn, 0);
  CU_ASSERT_EQUAL(bench->log[1].arrival, bench_doorbell + crossing() + 150 * OPP_US + bench_wire);
  CU_ASSERT_EQUAL(bench->log[2].arrival, bench_doorbell + interval + crossing());
  CU_ASSERT_EQUAL(bench->log[3].arrival, bench_doorbell + 2 * interval + crossing());
  bench_free(bench);
}

/* ---- What others are told ---------------------------------------------------------------------------------------- */

static nic_progress_t progress_of(const bench_t* bench, size_t post)
{
  nic_progress_t progress = {0};
  uet_progress_sent(bench->nic, bench->posted[post], &progress);
  return progress;
}

SGF_TEST(a_message_that_waits_for_its_rate_says_until_when)
{
  const opp_simtime_t interval = 655360;
  bench_t* bench               = bench_new(NULL);
  bench_post_at(bench, 1, 4 * BENCH_MSS, 50 * GBPS);
  bench_post(bench, 2, BENCH_MSS);
  CU_ASSERT_EQUAL(progress_of(bench, 0).resumes_at, 0);
  CU_ASSERT_EQUAL(progress_of(bench, 0).last_generated, 3 * interval);
  bench_run(bench, bench_doorbell + 2 * bench_wire + crossing());
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(progress_of(bench, 0).resumes_at, 0); /* a packet is under way */
  CU_ASSERT_EQUAL(progress_of(bench, 0).last_generated, bench_doorbell + 3 * interval);
  const uint64_t before = bench->progress;
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(bench->progress, before + 1);
  CU_ASSERT_EQUAL(progress_of(bench, 0).resumes_at, bench_doorbell + interval);
  char line[256];
  uet_waits(bench->nic, bench->posted[0], line, sizeof line);
  CU_ASSERT_PTR_NOT_NULL(strstr(line, "1 of 4 packets acknowledged, 0 under way"));
  CU_ASSERT_PTR_NOT_NULL(strstr(line, "its own rate"));
  CU_ASSERT_EQUAL(progress_of(bench, 1).resumes_at, 0);
  CU_ASSERT_EQUAL(progress_of(bench, 1).last_generated, 0);
  bench_run(bench, bench_doorbell + interval);
  CU_ASSERT_EQUAL(bench->progress, before + 2); /* it goes on: no stall */
  bench_run(bench, bench_doorbell + 2 * interval);
  CU_ASSERT_EQUAL(bench->progress, before + 2); /* what is under way has to be answered first */
  bench_run(bench, bench_doorbell + 3 * interval);
  CU_ASSERT_EQUAL(progress_of(bench, 0).last_generated, 0); /* it is */
  bench_free(bench);
}
