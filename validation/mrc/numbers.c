/* Sizes, pools and times of an MRC NIC (spec/mrc-nic.md 14; MR-01 to MR-09, MR-12 to MR-26, MR-64). */
#include "harness.h"
#include "mrc_support.h"

#include <string.h>

static const opp_simtime_t far = 100 * OPP_US; /* less than the timeout */

#define WIRE "RTTTimestampMode", "WireTimestamp"
#define TRANSMIT "EgressBufferManager/TotalBufferSize",
#define RECEIVE "IngressBufferManager/TotalBufferSize",

/* ---- Pools ------------------------------------------------------------------------------------------------------- */

SGF_TEST(MR_01_and_02_the_pools_of_both_buffers)
{
  bench_t* bench = mrc_bench(NULL);
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 230400);
  CU_ASSERT_EQUAL(bench->nic->egress[1].size, 25600);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].size, 3600000);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].size, 400000);
  CU_ASSERT_EQUAL(bench->nic->egress[2].size + bench->nic->ingress[2].size, 0);
  CU_ASSERT_EQUAL(bench->warnings, 0);
  bench_free(bench);
}

/* Packets of this size that the transmit pool of a class takes, and the bytes that they are. */
static int fitting(const char* const* settings, unsigned tc, int64_t bytes, int64_t* sum)
{
  bench_t* bench = mrc_bench(settings);
  int count      = 0;
  while (nic_reserve(bench->nic, tc, bytes))
    count++;
  *sum = bench->nic->egress[tc].reserved;
  bench_free(bench);
  return count;
}

SGF_TEST(MR_06_to_08_full_packets_in_the_data_pool)
{
  int64_t sum;
  CU_ASSERT_EQUAL(fitting(NULL, 0, 4174, &sum), 55);
  CU_ASSERT_EQUAL(sum, 229570);
  CU_ASSERT_EQUAL(fitting(BENCH_SETTINGS(WIRE), 0, 4178, &sum), 55);
  CU_ASSERT_EQUAL(sum, 229790);
  CU_ASSERT_EQUAL(fitting(BENCH_SETTINGS("MSS", "1024B"), 0, 1102, &sum), 209);
  CU_ASSERT_EQUAL(sum, 230318);
}

SGF_TEST(MR_09_cumulative_ACKs_in_the_control_pool)
{
  int64_t sum;
  CU_ASSERT_EQUAL(fitting(NULL, 1, MRC_ACK_BYTES, &sum), 412);
  CU_ASSERT_EQUAL(sum, 25544);
  CU_ASSERT_EQUAL(fitting(NULL, 1, MRC_SACK_BYTES, &sum), 272);
  CU_ASSERT_EQUAL(fitting(NULL, 1, MRC_NACK_BYTES, &sum), 328);
}

/* Whether such a NIC is refused, by a message that says this. */
static bool refused(const char* const* settings, const char* what)
{
  sgf_error_t error = {0};
  return mrc_refusal(settings, &error) == SGF_RULE && strstr(error.text, what) != NULL;
}

static bool starts(const char* const* settings)
{
  sgf_error_t error = {0};
  return mrc_refusal(settings, &error) == SGF_OK;
}

SGF_TEST(MR_64_the_smallest_transmit_buffer_holds_one_full_packet)
{
  static const char what[] = "EgressBufferManager.TotalBufferSize";
  CU_ASSERT_TRUE(refused(BENCH_SETTINGS(TRANSMIT "4637B"), what));
  CU_ASSERT_TRUE(starts(BENCH_SETTINGS(TRANSMIT "4638B")));
  CU_ASSERT_TRUE(refused(BENCH_SETTINGS(WIRE, TRANSMIT "4642B"), what));
  CU_ASSERT_TRUE(starts(BENCH_SETTINGS(WIRE, TRANSMIT "4643B")));
}

SGF_TEST(section_3_the_receive_buffer_and_the_control_pools)
{
  CU_ASSERT_TRUE(refused(BENCH_SETTINGS(RECEIVE "4637B"), "IngressBufferManager.TotalBufferSize"));
  CU_ASSERT_TRUE(starts(BENCH_SETTINGS(RECEIVE "4638B")));
  /* With an MSS of 1 B the control pool is what is too small: a SACK takes 94 B of it. */
  CU_ASSERT_TRUE(refused(BENCH_SETTINGS("MSS", "1B", TRANSMIT "930B"), "control"));
  CU_ASSERT_TRUE(starts(BENCH_SETTINGS("MSS", "1B", TRANSMIT "940B")));
}

SGF_TEST(section_3_the_largest_MSS_stays_below_the_Mtu)
{
  CU_ASSERT_TRUE(starts(BENCH_SETTINGS("MSS", "4105B")));
  CU_ASSERT_TRUE(refused(BENCH_SETTINGS("MSS", "4106B"), "MSS"));
  CU_ASSERT_TRUE(starts(BENCH_SETTINGS(WIRE, "MSS", "4101B")));
  CU_ASSERT_TRUE(refused(BENCH_SETTINGS(WIRE, "MSS", "4102B"), "MSS"));
}

SGF_TEST(entropy_values_are_ports)
{
  CU_ASSERT_TRUE(starts(BENCH_SETTINGS("FirstEntropyValue", "65408")));
  CU_ASSERT_TRUE(refused(BENCH_SETTINGS("FirstEntropyValue", "65409"), "FirstEntropyValue"));
}

/* ---- Wire sizes -------------------------------------------------------------------------------------------------- */

/* What a message of `bytes` takes on the wire, and how long its first packet. */
static int64_t wire_bytes(const char* const* settings, uint64_t bytes, size_t packets)
{
  bench_t* bench = mrc_bench(settings);
  int64_t sum    = 0;
  bench->answers = true;
  bench_post(bench, 1, bytes);
  bench_run(bench, far);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_DATA, 0), packets);
  for (size_t i = 0; i < bench->count; i++)
    sum += bench->log[i].bytes;
  bench_free(bench);
  return sum;
}

SGF_TEST(MR_03_to_05_wire_sizes_of_data)
{
  CU_ASSERT_EQUAL(wire_bytes(NULL, 4096, 1), 4174);
  CU_ASSERT_EQUAL(wire_bytes(BENCH_SETTINGS(WIRE), 4096, 1), 4178);
  CU_ASSERT_EQUAL(wire_bytes(NULL, 0, 1), 78);
  CU_ASSERT_EQUAL(wire_bytes(NULL, 1, 1), 79);
  CU_ASSERT_EQUAL(wire_bytes(NULL, 1024, 1), 1102);
  bench_t* bench = mrc_bench(NULL);
  CU_ASSERT_EQUAL(net_port_duration(&bench->nic->port, 4174), 83480);
  CU_ASSERT_EQUAL(net_port_duration(&bench->nic->port, 4178), 83560);
  bench_free(bench);
}

SGF_TEST(MR_12_55_full_packets_take_4591_4_ns)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, 55 * MRC_MSS);
  bench_run(bench, far);
  CU_ASSERT_EQUAL(mrc_data_at(bench, 54)->arrival - bench_delay - (mrc_doorbell + mrc_fetch), 4591400);
  bench_free(bench);
}

SGF_TEST(MR_23_a_MiB_is_256_packets_and_1068544_bytes)
{
  CU_ASSERT_EQUAL(wire_bytes(NULL, 1 << 20, 256), 1068544);
  bench_t* bench = mrc_bench(NULL);
  CU_ASSERT_EQUAL(256 * mrc_wire, 21370880);
  bench->answers = true;
  bench_post(bench, 1, 1 << 20);
  bench_run(bench, far);
  /* Back to back: the window of 450,000 B is never full while the peer answers in 200 ns. */
  CU_ASSERT_EQUAL(mrc_data_at(bench, 255)->arrival, mrc_end_of(256) + bench_delay);
  bench_free(bench);
}

SGF_TEST(MR_24_and_25_the_initial_window_and_half_of_the_pool)
{
  bench_t* bench = mrc_bench(NULL);
  CU_ASSERT_EQUAL((int64_t)mrc_of(bench)->congestion.max_window, 450000);
  CU_ASSERT_EQUAL(bench->nic->transport->window(bench->nic), 450000);
  CU_ASSERT_EQUAL(450000 * 1000 / bench->nic->egress[0].size, 1953);
  CU_ASSERT_EQUAL(bench->nic->egress[0].size / 2, 115200);
  CU_ASSERT(27 * MRC_FULL <= 115200 && 28 * MRC_FULL > 115200);
  bench_free(bench);
}

SGF_TEST(MR_26_a_cumulative_ACK_takes_1_24_ns)
{
  bench_t* bench = mrc_bench(NULL);
  mrc_data(bench, (mrc_data_t){.payload = 100, .bytes = 100, .is_last = true});
  bench_run(bench, far);
  const bench_frame_t* ack = bench_nth(bench, MRC_ACK, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(ack);
  CU_ASSERT_EQUAL(ack->bytes, 62);
  CU_ASSERT_EQUAL(ack->arrival, 1240 + bench_delay);
  bench_free(bench);
}

/* ---- PCIe -------------------------------------------------------------------------------------------------------- */

/* Whole picoseconds, rounded down, of `bytes` at a rate. */
static opp_simtime_t time_of(int64_t bytes, int64_t bps)
{
  return opp_rate_duration(opp_rate(bps), 8 * bytes);
}

SGF_TEST(MR_13_to_15_a_write_a_read_request_and_a_fetch)
{
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(4096), 4368);
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(513), 581); /* MR-22: two transfers */
  CU_ASSERT_EQUAL(time_of(4368, 504320000000), 69289);
  CU_ASSERT_EQUAL(time_of(98, 504320000000), 1554);
  bench_t* bench = mrc_bench(NULL);
  CU_ASSERT_EQUAL(sgf_pcie_read(bench->nic->pcie, 0, 4096), 70843);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 98);
  bench_free(bench);
}

SGF_TEST(MR_16_to_20_rates_of_lanes)
{
  bench_t* bench = mrc_bench(NULL);
  CU_ASSERT_EQUAL(sgf_pcie_to_host_bps(bench->nic->pcie), 504320000000);
  CU_ASSERT_EQUAL(sgf_pcie_to_nic_bps(bench->nic->pcie), 504320000000);
  bench_free(bench);
  CU_ASSERT_EQUAL(504320 * 4096 / 4368, 472915);                /* MR-16: Mbps of payload */
  CU_ASSERT_EQUAL(504320 * 4096 / (4368 + 98), 462538);         /* MR-17: while sending at full rate too */
  CU_ASSERT_EQUAL(INT64_C(4368) * 8 * 1000000 / 83480, 418591); /* MR-18: needed to keep up */
  CU_ASSERT_EQUAL(INT64_C(4466) * 8 * 1000000 / 83480, 427982);
  CU_ASSERT_EQUAL(time_of(4368, 441280000000), 79187); /* MR-19: 14 lanes, 79.1878 ns */
  CU_ASSERT_EQUAL(time_of(4466, 441280000000), 80964);
  CU_ASSERT_EQUAL(time_of(4368, 409760000000), 85279); /* MR-20: 13 */
  CU_ASSERT(80964 < mrc_wire && 85279 > mrc_wire);
}

SGF_TEST(MR_21_a_read_request_of_600_bytes_takes_two_transfers)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("NICSide/ReadRequestSize", "600B"));
  sgf_pcie_read(bench->nic->pcie, 0, 4096);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 668);
  CU_ASSERT_EQUAL(time_of(668, 504320000000), 10596);
  bench_free(bench);
}
