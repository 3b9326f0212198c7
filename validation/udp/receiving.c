/* plugins/nic/udp/README.md: what a udp NIC makes of datagrams that arrive, on a bench. */
#include "harness.h"
#include "udp_support.h"

SGF_TEST(a_message_is_delivered_when_all_of_it_is_in_the_host)
{
  bench_t* bench = udp_bench(NULL);
  udp_datagram(bench, 5, UDP_MSS + 10, UDP_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  udp_datagram(bench, 5, UDP_MSS + 10, 10);
  CU_ASSERT_EQUAL(bench->deliveries, 0); /* PCIe takes its time */
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->deliveries, 1);
  const nic_delivery_t* message = &bench_delivery(bench)->message;
  CU_ASSERT_EQUAL(message->number, 5);
  CU_ASSERT_EQUAL(message->bytes, UDP_MSS + 10);
  CU_ASSERT_EQUAL(message->tag, 7);
  CU_ASSERT_EQUAL(message->src, bench_address(1));
  CU_ASSERT_TRUE(nic_is_empty(bench->nic, (char[256]){0}, 256));
  bench_free(bench);
}

SGF_TEST(the_order_of_arrival_does_not_matter)
{
  bench_t* bench = udp_bench(NULL);
  udp_datagram(bench, 1, 2 * UDP_MSS + 10, 10);
  udp_datagram(bench, 2, 1, 1);
  udp_datagram(bench, 1, 2 * UDP_MSS + 10, UDP_MSS);
  udp_datagram(bench, 1, 2 * UDP_MSS + 10, UDP_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->deliveries, 2);
  CU_ASSERT_EQUAL(bench->delivered[0].message.number, 2);
  CU_ASSERT_EQUAL(bench->delivered[1].message.number, 1);
  bench_free(bench);
}

SGF_TEST(a_message_with_lost_bytes_is_never_delivered)
{
  bench_t* bench = udp_bench(NULL);
  udp_datagram(bench, 1, 3 * UDP_MSS, UDP_MSS);
  udp_datagram(bench, 1, 3 * UDP_MSS, UDP_MSS);
  bench_run(bench, 10 * OPP_S);
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  CU_ASSERT_EQUAL(bench->count, 0); /* and nobody asks for them */
  bench_free(bench);
}

SGF_TEST(a_datagram_without_bytes_is_delivered_at_once)
{
  bench_t* bench = udp_bench(NULL);
  udp_datagram(bench, 1, 0, 0);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  bench_free(bench);
}

SGF_TEST(a_datagram_without_bytes_is_written_after_what_arrived_before)
{
  bench_t* bench = udp_bench(NULL);
  udp_datagram(bench, 1, UDP_MSS, UDP_MSS);
  udp_datagram(bench, 2, 0, 0);
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->deliveries, 2);
  CU_ASSERT_EQUAL(bench->delivered[0].message.number, 1);
  CU_ASSERT_EQUAL(bench->delivered[1].date, bench->delivered[0].date);
  bench_free(bench);
}

/* Into a pool that PCIe does not empty. */
SGF_TEST(what_finds_no_room_is_lost)
{
  bench_t* bench = udp_bench(BENCH_SETTINGS(BENCH_STUCK, "IngressBufferManager.TotalBufferSize", "10KB"));
  for (uint64_t i = 1; i <= BENCH_STUCK_WRITES + 3; i++)
    udp_datagram(bench, i, UDP_MSS, UDP_MSS);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1); /* 9,000 B hold two of 4,124 B */
  CU_ASSERT_EQUAL(bench->nic->ingress[0].occupancy, 2 * (UDP_FULL - NET_ETHERNET_BYTES));
  bench_free(bench);
}

SGF_TEST(the_class_is_the_senders_where_there_is_a_pool_for_it)
{
  bench_t* bench = udp_bench(NULL); /* pools of 0 and 1 */
  for (uint8_t tc = 0; tc < 3; tc++) {
    opp_msg_t* msg              = bench_frame_from(bench, 1, UDP_LEAST_HEADERS + 1U + tc);
    net_frame(msg)->dscp        = (uint8_t)(8 * tc);
    *udp_header(net_frame(msg)) = (udp_header_t){.message = 1U + tc, .bytes = 1U + tc, .payload = 1U + tc};
    bench_feed(bench, msg);
  }
  CU_ASSERT_EQUAL(bench->nic->ingress[0].peak, UDP_LEAST_HEADERS - NET_ETHERNET_BYTES + 3);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].peak, UDP_LEAST_HEADERS - NET_ETHERNET_BYTES + 2);
  bench_free(bench);
}
