/* spec/mrc-nic.md 4, 9 and 14 in a simulation: sizes on the wire, dates, PCIe (MR-03 to MR-05, MR-12 to MR-16, MR-18 to
 * MR-23, MR-26). */
#include "harness.h"

#include "mrc_run_support.h"

static const int64_t gen5 = INT64_C(504320000000);

/* What bytes take at a rate, rounded down once. */
static opp_simtime_t takes(int64_t bytes, int64_t bps)
{
  return 8 * bytes * (OPP_S / 1000) / (bps / 1000);
}

/* ---- The wire ---------------------------------------------------------------------------------------------------- */

/* Messages of these sizes one after the other, and what each of their packets takes on the wire. */
static void check_sizes(const char* const* settings, int64_t headers)
{
  static const uint64_t sizes[] = {0, 1, 1024, 4096};
  int64_t sum                   = 0;
  mrun_cable_of(settings);
  for (unsigned i = 0; i < 4; i++)
    run_write(0, 1, sizes[i], (i + 1) * 1e-6);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_DATA, true), 4);
  for (unsigned i = 0; i < 4; i++) {
    const int64_t payload         = (int64_t)sizes[i];
    const opp_simtime_t requested = (i + 1) * OPP_US + mrun_start;
    const opp_simtime_t fetched   = requested + (payload > 0 ? 1554 + takes(sgf_pcie_link_bytes(payload), gen5) : 0);
    sum += payload + headers;
    CU_ASSERT_EQUAL(mrun_nth(MRC_DATA, true, i)->bytes, payload + headers);
    CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, i), fetched + takes(payload + headers, MRUN_LINE) + mrun_cable);
  }
  CU_ASSERT_EQUAL((int64_t)run_link_bytes("h0", "h1"), sum);
}

SGF_SCENARIO(MR_03_and_MR_05_packets_are_78_B_longer_than_their_payload)
{
  CU_ASSERT_EQUAL(takes(4174, MRUN_LINE), 83480);
  check_sizes(NULL, 78);
}

SGF_SCENARIO(MR_04_with_WireTimestamp_packets_are_82_B_longer)
{
  CU_ASSERT_EQUAL(takes(4178, MRUN_LINE), 83560);
  check_sizes(RUN_SETTINGS("**.nic.RTTTimestampMode=WireTimestamp"), 82);
}

/* The window falls with the first answers and never holds anything: they come within 4 packets. */
SGF_SCENARIO(MR_12_and_MR_15_and_MR_23_a_MiB_goes_back_to_back_after_a_fetch_of_70_843_ns)
{
  mrun_cable_of(NULL);
  const size_t write   = run_write(0, 1, MRUN_MIB, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_DATA, true), 256);
  CU_ASSERT_EQUAL(run_link_bytes("h0", "h1"), 1068544);
  for (int n = 1; n <= 256; n++)
    CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, (size_t)n - 1), mrun_arrival(n));
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, 54) - (mrun_start + mrun_fetch) - mrun_cable, 4591400);
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, 255) - (mrun_start + mrun_fetch) - mrun_cable, 21370880);
  CU_ASSERT_EQUAL(run_received(receive), mrun_arrival(256) + 69289); /* MR-13: a write of 8 transfers */
  CU_ASSERT_EQUAL(run_written(write), mrun_arrival(256) + mrun_ack + mrun_cable);
}

/* Every packet draws a SACK, the last one of the message a cumulative ACK. */
SGF_SCENARIO(MR_26_a_cumulative_ACK_takes_62_B_and_1_24_ns)
{
  mrun_cable_of(NULL);
  run_write(0, 1, MRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_ACK, false), 1);
  CU_ASSERT_EQUAL(mrun_count(MRC_SACK, false), 255);
  CU_ASSERT_EQUAL(mrun_nth(MRC_ACK, false, 0)->bytes, 62);
  CU_ASSERT_EQUAL(mrun_date(MRC_ACK, false, 0), mrun_arrival(256) + 1240 + mrun_cable);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), 255 * 94 + 62);
}

/* ---- PCIe -------------------------------------------------------------------------------------------------------- */

SGF_SCENARIO(MR_13_and_MR_14_each_packet_costs_a_read_request_of_98_B_and_4368_B_at_either_end)
{
  mrun_cable_of(NULL);
  run_write(0, 1, MRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_to_host_bytes(0), 256 * 98);
  CU_ASSERT_EQUAL(mrun_to_nic_bytes(0), 256 * 4368);
  CU_ASSERT_EQUAL(mrun_to_host_bytes(1), 256 * 4368);
  CU_ASSERT_EQUAL(mrun_to_nic_bytes(1), 0);
  CU_ASSERT_EQUAL(takes(98, gen5), 1554);
  CU_ASSERT_EQUAL(takes(4368, gen5), 69289);
}

/* 668 B before the answer, in two transfers. */
SGF_SCENARIO(MR_21_a_read_request_of_600_B_takes_10_596_ns)
{
  mrun_cable_of(RUN_SETTINGS("**.h0.nic.HostInterface.NICSide.ReadRequestSize=600B"));
  run_write(0, 1, MRUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_to_host_bytes(0), 668);
  CU_ASSERT_EQUAL(takes(668, gen5), 10596);
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, 0), mrun_start + 10596 + 69289 + mrun_wire + mrun_cable);
}

SGF_SCENARIO(MR_22_513_B_of_payload_are_581_B_of_PCIe)
{
  mrun_cable_of(NULL);
  run_write(0, 1, 513, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_to_nic_bytes(0), 581);
  CU_ASSERT_EQUAL(mrun_to_host_bytes(1), 581);
}

/* When the host has the only packet of a message, over so many lanes of the receiver. */
static void check_write(const char* lanes, opp_simtime_t takes_ps)
{
  mrun_cable_of(RUN_SETTINGS(lanes));
  const size_t write   = run_write(0, 1, MRUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_received(receive), mrun_arrival(1) + takes_ps);
}

#define LANES "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount="

SGF_SCENARIO(MR_19_with_14_lanes_a_write_takes_79_187_ns)
{
  check_write(LANES "14", 79187);
}

SGF_SCENARIO(MR_20_with_13_lanes_a_write_takes_85_279_ns)
{
  check_write(LANES "13", 85279);
}
