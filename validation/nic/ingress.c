/* spec/uet-nic.md 11.4 on the state machine, first part: the receive pools, charging, drops, release. */
#include "harness.h"
#include "nic_support.h"

#include <math.h>
#include <string.h>

enum { POOL0 = 3600000, FITTING = 860 };

static const nic_ingress_pool_t* pool(const bench_t* bench, unsigned tc)
{
  return &bench->nic->ingress[tc];
}

/* A NIC whose PCIe link is stuck and whose data pool holds `count` full packets. */
static bench_t* holding(const char* const* settings, unsigned count)
{
  bench_t* bench = bench_new(settings);
  bench_packets(bench, 0, BENCH_STUCK_WRITES + count);
  CU_ASSERT_EQUAL(pool(bench, 0)->occupancy, (int64_t)count * BENCH_IP);
  return bench;
}

SGF_TEST(UN_31_receive_pools_are_3600000_and_400000_bytes)
{
  bench_t* bench = bench_new(NULL);
  CU_ASSERT_EQUAL(pool(bench, 0)->size, POOL0);
  CU_ASSERT_EQUAL(pool(bench, 1)->size, 400000);
  CU_ASSERT_EQUAL(pool(bench, 2)->size, 0);
  CU_ASSERT_EQUAL(pool(bench, 0)->size / BENCH_IP, FITTING);
  bench_free(bench);
}

SGF_TEST(UN_32_a_full_data_packet_is_charged_4184_bytes)
{
  bench_t* bench = holding(BENCH_SETTINGS(BENCH_STUCK), 0);
  bench_packet(bench, BENCH_STUCK_WRITES, BENCH_MSS);
  CU_ASSERT_EQUAL(pool(bench, 0)->occupancy, 4184);
  bench_free(bench);
}

SGF_TEST(UN_33_a_full_packet_that_does_not_fit_is_dropped)
{
  bench_t* bench = holding(BENCH_SETTINGS(BENCH_STUCK), FITTING);
  CU_ASSERT_EQUAL(pool(bench, 0)->occupancy, 3598240);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 0);
  const uint64_t received = bench->progress;
  bench_packet(bench, 1000, BENCH_MSS);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  CU_ASSERT_EQUAL(bench->progress, received);
  CU_ASSERT_EQUAL(pool(bench, 0)->occupancy, 3598240);
  /* 1,760 B are left: to the byte. */
  bench_packet(bench, 1000, 1760 - 88 + 1);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 2);
  bench_packet(bench, 1000, 1760 - 88);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 2);
  CU_ASSERT_EQUAL(pool(bench, 0)->occupancy, POOL0);
  bench_free(bench);
}

/* The penalty of the same line comes with congestion control. */
SGF_TEST(UN_34_thresholds_of_the_data_class)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_PFC));
  CU_ASSERT_EQUAL(pool(bench, 0)->xoff, 2880000);
  CU_ASSERT_EQUAL(pool(bench, 0)->xoff / BENCH_IP, 688);
  CU_ASSERT_EQUAL(pool(bench, 0)->xon, 1440000);
  CU_ASSERT_EQUAL(pool(bench, 0)->xon / BENCH_IP, 344);
  CU_ASSERT_EQUAL(pool(bench, 0)->size - pool(bench, 0)->xoff, 720000);
  bench_free(bench);
}

SGF_TEST(UN_35_thresholds_of_the_control_class)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_PFC));
  CU_ASSERT_EQUAL(pool(bench, 1)->xoff, 320000);
  CU_ASSERT_EQUAL(pool(bench, 1)->xon, 160000);
  CU_ASSERT_EQUAL(pool(bench, 1)->size - pool(bench, 1)->xoff, 80000);
  bench_free(bench);
}

SGF_TEST(UN_36_headroom_is_172_packets_or_14_5_us)
{
  bench_t* bench       = bench_new(BENCH_SETTINGS(BENCH_PFC));
  const double packets = (double)(pool(bench, 0)->size - pool(bench, 0)->xoff) / BENCH_IP;
  CU_ASSERT_EQUAL(lround(10 * packets), 1721);
  CU_ASSERT_EQUAL(lround(10 * packets * (double)bench_wire / 1e6), 145);
  CU_ASSERT_EQUAL(2 * net_port_delay(&bench->nic->port), 200 * OPP_NS);
  bench_free(bench);
}

SGF_TEST(UN_52_control_packets_are_charged_to_class_1_and_released_when_processed)
{
  bench_t* bench = holding(BENCH_SETTINGS(BENCH_STUCK), 10);
  bench_post(bench, 1, 0); /* nothing to fetch over the stuck link */
  while (bench_count(bench, UET_DATA, 0) == 0)
    bench_step(bench);
  CU_ASSERT_EQUAL(pool(bench, 1)->peak, 0);
  bench_ack(bench, bench_nth(bench, UET_DATA, 0), 1, 0);
  CU_ASSERT_EQUAL(pool(bench, 1)->peak, 60);
  CU_ASSERT_EQUAL(pool(bench, 1)->occupancy, 0);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], bench_now(bench)); /* while PCIe has not moved */
  CU_ASSERT_EQUAL(pool(bench, 0)->occupancy, 10 * BENCH_IP);
  bench_free(bench);
}

SGF_TEST(UN_68_the_charge_ends_when_PCIe_accepts_the_write)
{
  bench_t* bench = bench_new(NULL);
  bench_data(bench, (bench_data_t){.payload = BENCH_MSS, .bytes = BENCH_MSS, .is_last = true});
  CU_ASSERT_EQUAL(pool(bench, 0)->peak, BENCH_IP);
  CU_ASSERT_EQUAL(pool(bench, 0)->occupancy, 0);
  CU_ASSERT_EQUAL(bench->deliveries, 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->deliveries, 1);
  CU_ASSERT_EQUAL(bench_delivery(bench)->date, 69289); /* 4,368 B at 504.32 Gb/s */
  bench_free(bench);
}

SGF_TEST(UN_171_writes_keep_the_order_of_arrival_under_every_discipline)
{
  static const char* const disciplines[] = {"StrictPriority", "RoundRobin", "WeightedRoundRobin"};
  enum { SENDERS = 5, EACH = 40 };
  for (size_t d = 0; d < sizeof disciplines / sizeof *disciplines; d++) {
    bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_STUCK, "IngressBufferManager.QueueSchedulingType", disciplines[d],
                                              "IngressBufferManager.WRRQueueWeights", "[2, 1, 0, 0, 0, 0, 0, 0]"));
    for (uint32_t i = 0; i < EACH; i++)
      for (unsigned from = 1; from <= SENDERS; from++)
        bench_data(bench, (bench_data_t){.from = from, .psn = i, .payload = BENCH_MSS});
    size_t place = BENCH_STUCK_WRITES;
    for (opp_msg_t* msg = bench->nic->writes.first; msg != NULL; msg = msg->next, place++) {
      CU_ASSERT_EQUAL(net_frame(msg)->src - bench->nic->address, place % SENDERS + 1);
      CU_ASSERT_EQUAL(uet_header(net_frame(msg))->psn, place / SENDERS);
    }
    CU_ASSERT_EQUAL(place, SENDERS * EACH);
    bench_free(bench);
  }
}

SGF_TEST(UN_173_thresholds_are_fractions_of_the_class_pool)
{
  bench_t* bench =
      bench_new(BENCH_SETTINGS(BENCH_PFC, "IngressBufferManager.PoolAllocationVector", "[0.5, 0.5, 0, 0, 0, 0, 0, 0]"));
  for (unsigned tc = 0; tc < 2; tc++) {
    CU_ASSERT_EQUAL(pool(bench, tc)->size, 2000000);
    CU_ASSERT_EQUAL(pool(bench, tc)->xoff, 1600000);
    CU_ASSERT_EQUAL(pool(bench, tc)->xon, 800000);
  }
  bench_free(bench);
}

/* B19: what needs no write is released at once. */
SGF_TEST(a_duplicate_leaves_the_pool_at_once_and_draws_an_acknowledgement)
{
  bench_t* bench = holding(BENCH_SETTINGS(BENCH_STUCK), 3);
  bench_packet(bench, 0, BENCH_MSS);
  bench_packet(bench, BENCH_STUCK_WRITES + 1, BENCH_MSS);
  CU_ASSERT_EQUAL(pool(bench, 0)->occupancy, 3 * BENCH_IP);
  CU_ASSERT_EQUAL(pool(bench, 0)->peak, 4 * BENCH_IP);
  bench_run(bench, 100 * OPP_S);
  CU_ASSERT_EQUAL(bench_count(bench, UET_ACK, 0), BENCH_STUCK_WRITES + 3 + 2);
  bench_free(bench);
}

/* The rules of 3.3 and 3.5 at start: the reason names what is wrong. */
static bool is_refused(const char* attribute, const char* value, const char* named)
{
  sgf_error_t error   = {0};
  sgf_status_t status = bench_refusal(400000000000, BENCH_SETTINGS(BENCH_PFC, attribute, value), &error);
  return status == SGF_RULE && strstr(error.text, named) != NULL;
}

SGF_TEST(UN_155_fewer_than_two_pools_stop_before_start)
{
  CU_ASSERT(
      is_refused("IngressBufferManager.PoolAllocationVector", "[0.9, 0, 0, 0, 0, 0, 0, 0]", "IngressBufferManager"));
  CU_ASSERT(
      is_refused("EgressBufferManager.PoolAllocationVector", "[0.9, 0, 0, 0, 0, 0, 0, 0]", "EgressBufferManager"));
  CU_ASSERT(is_refused("EgressBufferManager.PoolAllocationVector", "[0, 0, 0, 0, 0, 0, 0, 0]", "PoolAllocationVector"));
}

SGF_TEST(B20_pools_lead_without_a_gap_and_control_holds_an_acknowledgement)
{
  CU_ASSERT(is_refused("IngressBufferManager.PoolAllocationVector", "[0, 0.5, 0.5, 0, 0, 0, 0, 0]", "entry 2"));
  CU_ASSERT(is_refused("EgressBufferManager.PoolAllocationVector", "[0.5, 0, 0.5, 0, 0, 0, 0, 0]", "entry 2"));
  CU_ASSERT(is_refused("EgressBufferManager.TotalBufferSize", "779B", "77 B"));
}

SGF_TEST(B33_a_pause_without_quanta_or_threshold_stops_before_start)
{
  CU_ASSERT(is_refused("QuantaValue", "[0, 65535, 0, 0, 0, 0, 0, 0]", "QuantaValue"));
  CU_ASSERT(is_refused("QuantaValue", "[65535, 65536, 0, 0, 0, 0, 0, 0]", "class 1"));
  CU_ASSERT(is_refused("PfcStaticXoffThreshold", "[0.8, 0, 0, 0, 0, 0, 0, 0]", "PfcStaticXoffThreshold"));
  CU_ASSERT(is_refused("PfcStaticXoffThreshold", "[1.1, 0.8, 0, 0, 0, 0, 0, 0]", "class 0"));
  CU_ASSERT(is_refused("PfcXonResumeThreshold", "[0.4, 1.01, 0, 0, 0, 0, 0, 0]", "PfcXonResumeThreshold"));
}

SGF_TEST(B28_pauses_for_a_class_without_a_pool_are_ignored_with_a_warning)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("PFCEnableVector", "[0, 0, 1, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(bench->warnings, 1);
  CU_ASSERT_FALSE(bench->nic->ingress[2].pfc_enabled);
  bench_pause(bench, 5, 65535); /* and one that is received has no effect */
  bench->answers = true;
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT(bench->acknowledged_at[0] > 0);
  bench_free(bench);
}
