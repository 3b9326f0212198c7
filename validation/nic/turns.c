/* spec/uet-nic.md 8.3, 8.11, 9.2 and 11.6 on the state machine: the transmit scheduler and the window. */
#include "harness.h"
#include "nic_support.h"

#include <math.h>
#include <string.h>

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

static unsigned host_of(const bench_t* bench, size_t n)
{
  return bench->log[n].frame.dst - bench->nic->address;
}

static uint64_t message_of(const bench_t* bench, size_t n)
{
  return bench_header(&bench->log[n])->message;
}

SGF_TEST(UN_86_two_groups_alternate)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_UNGATED)); /* a backlog, whatever the window */
  bench_post(bench, 1, 50 * BENCH_MSS);
  bench_post(bench, 2, 50 * BENCH_MSS);
  bench->answers = true;
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 100);
  for (size_t i = 0; i < 100; i++)
    CU_ASSERT_EQUAL(host_of(bench, i), 1 + i % 2);
  bench_free(bench);
}

SGF_TEST(UN_87_a_group_of_three_PDCs_has_one_turn_in_two)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_UNGATED));
  for (int i = 0; i < 3; i++)
    bench_post(bench, 1, 20 * BENCH_MSS);
  bench_post(bench, 2, 60 * BENCH_MSS);
  bench->answers = true;
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 120);
  for (size_t i = 0; i < 120; i++) {
    CU_ASSERT_EQUAL(host_of(bench, i), 1 + i % 2);
    CU_ASSERT_EQUAL(message_of(bench, i), i % 2 == 1 ? 4 : 1 + i / 2 % 3);
  }
  bench_free(bench);
}

/* The pool holds one packet and the window one packet, so that the ready queue decides what goes next. */
#define ONE_AT_A_TIME                                                                                                  \
  "InitialBaseRTT", "56ns", "EgressBufferManager.PoolAllocationVector", "[0.5, 0.5, 0, 0, 0, 0, 0, 0]",                \
      "EgressBufferManager.TotalBufferSize", "8404B"

/* Host 1 has full packets and a window for one of them; hosts 2 and 3 have many small ones. The cable has no delay. */
SGF_TEST(UN_89_a_window_blocked_group_re_enters_at_the_head)
{
  enum { SMALL = 107, FITTING = BENCH_FULL / SMALL, EACH = 30 };
  bench_t* bench = bench_on(400000000000, 0, BENCH_SETTINGS(ONE_AT_A_TIME));
  bench_post(bench, 1, 10 * BENCH_MSS);
  for (int i = 0; i < EACH; i++) {
    bench_post(bench, 2, 1);
    bench_post(bench, 3, 1);
  }
  bench_run(bench, end_of(1));
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT_FALSE(bench_uet(bench)->groups[1]->ready); /* its second packet did not fit the window */
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, FITTING * SMALL);
  CU_ASSERT_PTR_NOT_NULL(bench_uet(bench)->ready_first); /* hosts 2 and 3 have more to send */

  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_PTR_EQUAL(bench_uet(bench)->ready_first, bench_uet(bench)->groups[1]);
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_FATAL(bench->count > 1 + FITTING + 1);
  for (size_t i = 1; i <= FITTING; i++)
    CU_ASSERT_EQUAL(bench->log[i].bytes, SMALL);
  CU_ASSERT_EQUAL(host_of(bench, 1 + FITTING), 1);
  CU_ASSERT_EQUAL(host_of(bench, 2 + FITTING), 2 + FITTING % 2); /* and the others go on in turn */
  bench_free(bench);
}

SGF_TEST(UN_90_a_new_message_of_an_idle_group_enters_at_the_tail)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(ONE_AT_A_TIME));
  for (unsigned host = 1; host <= 3; host++)
    bench_post(bench, host, BENCH_MSS);
  bench_run(bench, bench_doorbell + 1);
  bench_post(bench, 4, BENCH_MSS);
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 4);
  for (size_t i = 0; i < 4; i++)
    CU_ASSERT_EQUAL(host_of(bench, i), i + 1);
  bench_free(bench);
}

SGF_TEST(UN_90_the_transmit_process_starts_15_ns_after_the_doorbell)
{
  bench_t* bench = bench_new(NULL);
  bench_run(bench, OPP_US);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, OPP_US + 15 * OPP_NS - 1);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 0);
  bench_run(bench, OPP_US + 15 * OPP_NS);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 98);
  bench_free(bench);
}

SGF_TEST(UN_100_the_window_is_450000_bytes)
{
  bench_t* bench = bench_new(NULL);
  CU_ASSERT_EQUAL(400 * 6000 / 8, 300000); /* Gb/s x ns: BDP in bytes */
  CU_ASSERT_EQUAL((int64_t)bench_uet(bench)->congestion.max_window, 450000);
  CU_ASSERT_EQUAL(lround(100 * 450000.0 / BENCH_IP), 10755);
  bench_free(bench);
}

SGF_TEST(UN_102_at_most_107_full_packets_are_in_flight)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("EgressBufferManager.TotalBufferSize", "4MB"));
  bench_post(bench, 1, 300 * BENCH_MSS);
  bench_run(bench, end_of(107) + bench_delay);
  const uet_group_t* group = bench_uet(bench)->groups[1];
  CU_ASSERT_EQUAL(bench->count, 107);
  CU_ASSERT_EQUAL(group->in_flight, 447688);
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 107);
  bench_ack(bench, &bench->log[0], 1, 0); /* one out, one in */
  CU_ASSERT_EQUAL(group->in_flight, 447688);
  bench_ack(bench, &bench->log[10], 1, UINT64_C(1) << 9);
  bench_ack(bench, &bench->log[11], 1, UINT64_C(3) << 9);
  CU_ASSERT_EQUAL(group->in_flight, 447688);
  bench_run(bench, 110 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 110);
  bench_free(bench);
}

/* The window is of bytes: a shorter packet goes where a full one does not fit. */
SGF_TEST(UN_102_a_short_packet_uses_what_the_window_has_left)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("EgressBufferManager.TotalBufferSize", "4MB"));
  enum { LEFT = 450000 - 447688 };
  bench_post(bench, 1, 107 * BENCH_MSS + (LEFT - 88));
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 108);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 450000);
  bench_free(bench);

  bench = bench_new(BENCH_SETTINGS("EgressBufferManager.TotalBufferSize", "4MB"));
  bench_post(bench, 1, 107 * BENCH_MSS + (LEFT - 88) + 1);
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 107);
  bench_free(bench);
}

SGF_TEST(UN_102_each_destination_has_a_window_of_its_own)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("EgressBufferManager.TotalBufferSize", "4MB"));
  bench_post(bench, 1, 150 * BENCH_MSS);
  bench_post(bench, 2, 150 * BENCH_MSS);
  bench_post(bench, 1, 150 * BENCH_MSS); /* shares the first one's */
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 2 * 107);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 447688);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 2), 447688);
  bench_free(bench);
}

static bool is_refused(int64_t bps, const char* rtt, const char* named)
{
  sgf_error_t error = {0};
  return bench_refusal(bps, BENCH_SETTINGS("InitialBaseRTT", rtt), &error) == SGF_RULE &&
         strstr(error.text, named) != NULL;
}

/* All stop at start, before any connection. */
SGF_TEST(UN_137_a_window_below_a_packet_or_beyond_32_bits_stops)
{
  CU_ASSERT(is_refused(400000000000, "50ns", "3750 B"));
  CU_ASSERT(is_refused(400000000000, "60ms", "4500000000 B"));
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(bench_refusal(400000000000, BENCH_SETTINGS("InitialBaseRTT", "56ns"), &error), SGF_OK);
  CU_ASSERT_EQUAL(bench_refusal(400000000000, BENCH_SETTINGS("InitialBaseRTT", "57ms"), &error), SGF_OK);
}

SGF_TEST(UN_158_a_link_of_half_a_Gbps_stops)
{
  CU_ASSERT(is_refused(500000000, "6us", "500000000 bps"));
  CU_ASSERT(is_refused(400000000000, "1ps", "InitialBaseRTT"));
}

static bool names(const char* const* settings, const char* attribute)
{
  sgf_error_t error = {0};
  return bench_refusal(400000000000, settings, &error) == SGF_RULE && strstr(error.text, attribute) != NULL;
}

SGF_TEST(UN_158_no_reference_network_and_no_target_stop)
{
  CU_ASSERT(names(BENCH_SETTINGS("ReferenceNetworkRTT", "0s"), "ReferenceNetworkRTT"));
  CU_ASSERT(names(BENCH_SETTINGS("ReferenceNetworkLinkSpeed", "999Mbps"), "ReferenceNetworkLinkSpeed"));
  CU_ASSERT(names(BENCH_SETTINGS("ReferenceNetworkRTT", "86ms"), "ReferenceNetworkRTT")); /* C5: beyond 85.9 ms */
  CU_ASSERT(
      names(BENCH_SETTINGS("OverrideSpecTargetQueueDelay", "true", "TargetQueueDelay", "0s"), "TargetQueueDelay"));
  CU_ASSERT(names(BENCH_SETTINGS("InitialBaseRTT", "0s"), "InitialBaseRTT"));
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(bench_refusal(400000000000, BENCH_SETTINGS("TargetQueueDelay", "0s"), &error), SGF_OK);
  CU_ASSERT_EQUAL(bench_refusal(400000000000, BENCH_SETTINGS("ReferenceNetworkRTT", "85ms"), &error), SGF_OK);
}

SGF_TEST(B11_the_link_rate_counts_in_whole_Gbps)
{
  bench_t* bench = bench_on(100900000000, bench_delay, NULL);
  CU_ASSERT_EQUAL((int64_t)bench_uet(bench)->congestion.max_window, 3 * 100 * 6000 / 16);
  bench_free(bench);
}
