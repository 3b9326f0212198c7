/* plugins/nic/udp/README.md: how a udp NIC sends, on a bench. */
#include "harness.h"
#include "udp_support.h"

#include <string.h>

/* End of the serialisation of the n-th frame, from 1 on, of a sender that nothing stops. */
static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

/* ---- Messages and datagrams -------------------------------------------------------------------------------------- */

SGF_TEST(a_message_is_cut_into_datagrams_and_complete_when_the_last_has_left)
{
  bench_t* bench = udp_bench(NULL);
  bench_post(bench, 1, 2 * UDP_MSS + 100);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  for (uint32_t i = 0; i < 3; i++) {
    CU_ASSERT_EQUAL(bench->log[i].bytes, i < 2 ? UDP_FULL : 146);
    CU_ASSERT_EQUAL(udp_nth(bench, i)->index, i);
    CU_ASSERT_EQUAL(udp_nth(bench, i)->bytes, 2 * UDP_MSS + 100);
  }
  CU_ASSERT_EQUAL(bench->log[0].arrival, end_of(1) + bench_delay);
  CU_ASSERT_EQUAL(bench->log[1].arrival, end_of(2) + bench_delay);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], end_of(2) + 2920); /* 146 B */
  CU_ASSERT_EQUAL(bench->sent_at[0], bench_doorbell);           /* there is room for all of it */
  CU_ASSERT_TRUE(nic_is_empty(bench->nic, (char[256]){0}, 256));
  bench_free(bench);
}

SGF_TEST(a_message_without_bytes_is_one_datagram_of_headers)
{
  bench_t* bench = udp_bench(NULL);
  bench_post(bench, 1, 0);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT_EQUAL(bench->log[0].bytes, UDP_LEAST_HEADERS);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], bench_doorbell + 920);
  bench_free(bench);
}

/* The frames of spec/feedback-budget.md 12. */
SGF_TEST(frames_have_the_size_that_is_asked_for)
{
  static const struct {
    const char* mss;
    const char* headers;
    uint32_t bytes;
  } frames[] = {
      {"954", "46", 1000}, {"3954", "46", 4000}, {"4096", "58", 4154}, {"4096", "78", 4174}, {"1", "1024", 1025}};
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
    bench_t* bench = udp_bench(BENCH_SETTINGS("MSS", frames[i].mss, "HeaderBytes", frames[i].headers));
    bench_post(bench, 1, (uint64_t)udp_state(bench->nic)->config.mss);
    bench_run(bench, OPP_MS);
    CU_ASSERT_EQUAL_FATAL(bench->count, 1);
    CU_ASSERT_EQUAL(bench->log[0].bytes, frames[i].bytes);
    bench_free(bench);
  }
}

SGF_TEST(messages_take_turns_one_datagram_each)
{
  bench_t* bench = udp_bench(NULL);
  bench_post(bench, 1, 4 * UDP_MSS);
  bench_post(bench, 2, 2 * UDP_MSS);
  bench_post(bench, 3, 4 * UDP_MSS);
  bench_run(bench, OPP_MS);
  static const uint64_t turns[] = {1, 2, 3, 1, 2, 3, 1, 3, 1, 3};
  CU_ASSERT_EQUAL_FATAL(bench->count, sizeof turns / sizeof *turns);
  for (size_t i = 0; i < bench->count; i++)
    CU_ASSERT_EQUAL(udp_nth(bench, i)->message, turns[i]);
  CU_ASSERT_EQUAL(bench->acknowledged_at[1], end_of(5));
  bench_free(bench);
}

/* It does not go with the doorbell of another one. */
SGF_TEST(the_first_datagram_goes_15_ns_after_the_doorbell_of_its_own_message)
{
  bench_t* bench = udp_bench(NULL);
  bench_post(bench, 1, UDP_MSS);
  bench_run(bench, 10 * OPP_NS);
  bench_post(bench, 2, UDP_MSS);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->sent_at[0], bench_doorbell);
  CU_ASSERT_EQUAL(bench->sent_at[1], 10 * OPP_NS + bench_doorbell);
  bench_free(bench);
}

/* Two frames fit: the third is generated when the first has left. */
SGF_TEST(generation_goes_on_as_soon_as_the_next_frame_fits)
{
  bench_t* bench = udp_bench(BENCH_SETTINGS("EgressBufferManager.TotalBufferSize", "8284B",
                                            "EgressBufferManager.PoolAllocationVector", "[1, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 2 * UDP_FULL);
  bench_post(bench, 1, 4 * UDP_MSS);
  bench_run(bench, bench_doorbell);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 2 * UDP_FULL);
  bench_run(bench, end_of(1) - 1);
  CU_ASSERT_EQUAL(bench->sent_at[0], -1);
  bench_run(bench, end_of(2));
  CU_ASSERT_EQUAL(bench->sent_at[0], end_of(2)); /* its fourth */
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->count, 4);
  /* A fetch takes less than a frame on the wire, so that the port never waits for it. */
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], end_of(4));
  bench_free(bench);
}

SGF_TEST(a_rate_of_its_own_spaces_the_datagrams_of_a_message)
{
  bench_t* bench = udp_bench(NULL);
  bench_post_at(bench, 1, 3 * UDP_MSS, 100000000000);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  const opp_simtime_t spacing = 327680; /* 4,096 B at 100 Gb/s */
  for (int i = 0; i < 3; i++)
    CU_ASSERT_EQUAL(bench->log[i].arrival, end_of(1) + i * spacing + bench_delay);
  bench_free(bench);
}

SGF_TEST(a_message_to_oneself_never_sees_the_cable)
{
  bench_t* bench = udp_bench(NULL);
  bench_post(bench, 0, 2 * UDP_MSS);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->count, 0);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  CU_ASSERT_EQUAL(bench_delivery(bench)->message.bytes, 2 * UDP_MSS);
  CU_ASSERT(bench->acknowledged_at[0] > bench_doorbell);
  CU_ASSERT_TRUE(nic_is_empty(bench->nic, (char[256]){0}, 256));
  bench_free(bench);
}

/* ---- Classes and codepoints -------------------------------------------------------------------------------------- */

#define FOUR "[0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0]"
#define FOUR_POOLS "IngressBufferManager.PoolAllocationVector", FOUR, "EgressBufferManager.PoolAllocationVector", FOUR

SGF_TEST(the_codepoint_is_eight_times_the_class)
{
  bench_t* bench = udp_bench(BENCH_SETTINGS(FOUR_POOLS, "TrafficClass", "3"));
  bench_post(bench, 1, 1);
  bench_post_as(bench, 1, (nic_message_t){.bytes = 1, .has_classes = true, .classes = {.data = 2, .control = 0}});
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench->log[0].frame.dscp, 24);
  CU_ASSERT_EQUAL(bench->log[1].frame.dscp, 16);
  CU_ASSERT_EQUAL(bench->nic->egress[3].peak, UDP_LEAST_HEADERS + 1);
  CU_ASSERT_EQUAL(bench->nic->egress[2].peak, UDP_LEAST_HEADERS + 1);
  bench_free(bench);
}

SGF_TEST(datagrams_may_be_marked_if_EnableECN_says_so)
{
  for (int on = 0; on <= 1; on++) {
    bench_t* bench = udp_bench(BENCH_SETTINGS("EnableECN", on ? "true" : "false"));
    bench_post(bench, 1, 1);
    bench_run(bench, OPP_MS);
    CU_ASSERT_EQUAL_FATAL(bench->count, 1);
    CU_ASSERT_EQUAL(bench->log[0].frame.ecn, on ? NET_ECN_ECT0 : NET_ECN_NOT_ECT);
    bench_free(bench);
  }
}

/* ---- Pauses ------------------------------------------------------------------------------------------------------ */

SGF_TEST(a_pause_stops_a_sender_that_obeys)
{
  bench_t* bench = udp_bench(NULL);
  bench_post(bench, 1, 20 * UDP_MSS);
  bench_run(bench, end_of(3) + bench_delay + 1);
  CU_ASSERT_EQUAL(bench->count, 3);
  bench_pause(bench, 0, 65535);
  bench_run(bench, 20 * OPP_US);
  /* The frame on the wire when the pause came, the fourth on the cable meanwhile. */
  CU_ASSERT_EQUAL(bench->count, 5);
  bench_pause(bench, 0, 0);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->count, 20);
  bench_free(bench);
}

SGF_TEST(a_pause_is_counted_by_a_sender_that_ignores_it)
{
  bench_t* bench = udp_bench(BENCH_SETTINGS("ObeyPauses", "false"));
  bench_post(bench, 1, 20 * UDP_MSS);
  bench_run(bench, end_of(3));
  bench_pause(bench, 0, 65535);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->nic->peer.pauses[0], 1);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], end_of(20));
  bench_free(bench);
}

/* ---- SendRate ---------------------------------------------------------------------------------------------------- */

SGF_TEST(SendRate_holds_in_the_long_run_to_the_picosecond)
{
  bench_t* bench = udp_bench(BENCH_SETTINGS("SendRate", "7Gbps"));
  bench_post(bench, 1, 1000 * UDP_MSS);
  bench_run(bench, 10 * OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1000);
  const opp_simtime_t start = bench_doorbell + bench_fetch;
  for (int64_t n = 1; n <= 1000; n++) /* 4,142 B at 7 Gb/s are 4,733,714 and 2/7 ps */
    CU_ASSERT_EQUAL(bench->log[n - 1].arrival, start + n * UDP_FULL * 8 * 1000 / 7 + bench_delay);
  bench_free(bench);
}

SGF_TEST(SendRate_above_the_link_is_no_limit)
{
  bench_t* bench = udp_bench(BENCH_SETTINGS("SendRate", "800Gbps"));
  bench_post(bench, 1, 3 * UDP_MSS);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], end_of(3));
  bench_free(bench);
}

SGF_TEST(a_new_rate_holds_from_the_next_frame_on)
{
  bench_t* bench = udp_bench(NULL);
  bench_post(bench, 1, 6 * UDP_MSS);
  bench_run(bench, end_of(1) + 1); /* the second is on the wire */
  udp_set_send_rate(bench->nic, 100000000000);
  bench_run(bench, end_of(2) + 4 * bench_wire + 1);
  udp_set_send_rate(bench->nic, 0);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 6);
  static const int64_t wires[] = {1, 2, 6, 10, 11, 12}; /* the third and the fourth take four times as long */
  for (size_t i = 0; i < 6; i++)
    CU_ASSERT_EQUAL(bench->log[i].arrival, end_of(wires[i]) + bench_delay);
  bench_free(bench);
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

SGF_TEST(what_cannot_be_sent_is_refused_at_the_start)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(udp_refusal(BENCH_SETTINGS("TrafficClass", "2"), &error), SGF_RULE);
  CU_ASSERT_STRING_EQUAL(error.text, "TrafficClass is 2, which has no pool in the transmit buffer");
  error = (sgf_error_t){0};
  CU_ASSERT_EQUAL(udp_refusal(BENCH_SETTINGS("MSS", "65507", "HeaderBytes", "47"), &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "an IPv4 datagram has 65535 at most"));
  error = (sgf_error_t){0};
  CU_ASSERT_EQUAL(udp_refusal(BENCH_SETTINGS("MSS", "65507"), &error), SGF_OK);
}
