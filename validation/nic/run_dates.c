/* spec/uet-nic.md 11.1 in a simulation: wire bytes, and completion dates from first principles, to the picosecond.
 *
 * A write: 15 ns from the doorbell; a read request of 98 B and its answer over PCIe (only the first one shows, since a
 * fetch is shorter than a packet on the wire); the packets one behind the other; the cables and, store and forward, the
 * switch; the last acknowledgement held and on its way back. Once the first packet is
 * acknowledged the message's base-RTT probe goes ahead of those that follow. */
#include "harness.h"
#include "nic_run_support.h"

enum { MIB = 1 << 20, MIB_PACKETS = 256 };

static opp_simtime_t wire_time(int64_t bytes)
{
  return 8 * bytes * OPP_S / 400000000000;
}

/* One packet of `payload` bytes on a PCIe link at rest, in ps rounded down for each direction. */
static opp_simtime_t fetch_time(int64_t payload)
{
  return 8 * 98 * OPP_US / 504320 + 8 * sgf_pcie_link_bytes(payload) * OPP_US / 504320;
}

static opp_simtime_t hold_time(int64_t payload)
{
  return 8 * (payload + 88) * OPP_US / 504320;
}

SGF_SCENARIO(UN_05_one_MiB_through_a_switch)
{
  run_rack(2, "100ns", NULL);
  const size_t write = run_write(0, 1, MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t sent     = run_packet_start(1) + MIB_PACKETS * run_wire + run_probe;
  const opp_simtime_t received = sent + run_delay + run_wire + run_delay;
  const opp_simtime_t answered = received + run_hold + run_ack + run_delay + run_ack + run_delay;
  CU_ASSERT_EQUAL(run_written(write), answered);
  CU_ASSERT_EQUAL(run_report()->flows[0].end, answered);
  CU_ASSERT_EQUAL(run_link_bytes("h0", "tor"), 1075712 + RUN_PROBE); /* UN-74 */
  CU_ASSERT_EQUAL(run_link_bytes("tor", "h1"), 1075712 + RUN_PROBE);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "tor"), 19968 + RUN_ACK); /* UN-73 */
  CU_ASSERT_EQUAL(run_report()->packet_hops, 2 * 2 * (MIB_PACKETS + 1));
}

SGF_SCENARIO(UN_05_one_MiB_from_host_to_host)
{
  run_cable("100ns", NULL);
  const size_t write   = run_write(0, 1, MIB, 1e-3);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t sent = OPP_MS + run_packet_start(1) + MIB_PACKETS * run_wire + run_probe;
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(sent));
  CU_ASSERT_EQUAL(run_received(receive),
                  sent + run_delay + 8 * 4368 * OPP_US / 504320); /* the last write has crossed PCIe */
  CU_ASSERT_EQUAL(run_link_bytes("h0", "h1"), 1075712 + RUN_PROBE);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), 19968 + RUN_ACK);
}

SGF_SCENARIO(UN_06_messages_of_0_1_4096_and_4097_bytes)
{
  run_cable("100ns", NULL);
  static const int64_t sizes[] = {0, 1, 4096, 4097};
  size_t writes[4];
  for (int i = 0; i < 4; i++)
    writes[i] = run_write(0, 1, (uint64_t)sizes[i], 1e-6 * (1 + i));
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_link_bytes("h0", "h1"), 106 + 107 + 4202 + (4202 + 107) + 4 * RUN_PROBE);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), (1 + 1 + 1 + 2 + 4) * RUN_ACK);
  for (int i = 0; i < 3; i++) {
    const opp_simtime_t fetched = i == 0 ? 0 : fetch_time(sizes[i]); /* nothing to fetch in the first */
    const opp_simtime_t arrived = (1 + i) * OPP_US + run_doorbell + fetched + wire_time(sizes[i] + 106) + run_delay;
    CU_ASSERT_EQUAL(run_written(writes[i]), arrived + hold_time(sizes[i]) + run_ack + run_delay);
  }
  /* The acknowledgement of the last byte would be held for 1.4 ns only, but leaves behind that of the full packet. */
  const opp_simtime_t first_arrived = 4 * OPP_US + run_packet_start(2) + run_delay;
  CU_ASSERT(wire_time(107) + hold_time(1) < run_hold);
  CU_ASSERT_EQUAL(run_written(writes[3]), first_arrived + run_hold + 2 * run_ack + run_delay);
}

SGF_SCENARIO(UN_175_cables_of_500_ns)
{
  run_cable("500ns", NULL);
  const size_t write = run_write(0, 1, MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(run_packet_start(1 + MIB_PACKETS) + run_probe) + 2 * 400000);
}

SGF_SCENARIO(UN_51_the_slower_end_sets_the_rate)
{
  run_cable("100ns", RUN_SETTINGS("**.h1.nic.UplinkNetworkInterface.DataRate=100Gbps"));
  const size_t write = run_write(0, 1, MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t sent = run_doorbell + run_fetch + MIB_PACKETS * 4 * run_wire + 4 * run_probe;
  CU_ASSERT_EQUAL(run_written(write), sent + run_delay + run_hold + 4 * run_ack + run_delay);
  CU_ASSERT_EQUAL((int64_t)uet_state(run_nic(0))->congestion.max_window, 450000 / 4);
  CU_ASSERT_EQUAL((int64_t)uet_state(run_nic(1))->congestion.max_window, 450000 / 4);
}

SGF_SCENARIO(UN_04_goodput_of_a_long_message)
{
  enum { PACKETS = 10000 };
  run_rack(2, "100ns", NULL);
  const size_t write = run_write(0, 1, (uint64_t)PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const double gbps = 8.0 * PACKETS * RUN_MSS / ((double)run_written(write) / 1e3);
  CU_ASSERT(gbps < 389.9 && gbps > 389.9 * 0.999);
}

/* Nothing of a write to oneself sees the cable. */
SGF_SCENARIO(a_write_to_oneself)
{
  run_rack(2, "100ns", NULL);
  const size_t empty = run_write(0, 0, 0, 0);
  const size_t full  = run_write(0, 0, RUN_MSS, 1e-6);
  const size_t large = run_write(0, 0, MIB, 2e-6);
  const size_t last  = run_receive(0, large);
  CU_ASSERT_EQUAL(run_all(), SGF_OK); /* pools and queues are empty at the end */
  CU_ASSERT_EQUAL(run_written(empty), run_doorbell + hold_time(0));
  CU_ASSERT_EQUAL(run_written(full), OPP_US + run_doorbell + run_fetch + run_hold);
  CU_ASSERT_EQUAL(run_report()->packet_hops, 0);
  CU_ASSERT_EQUAL(run_peak("h0", "rx0"), RUN_IP);
  CU_ASSERT_EQUAL(run_peak("h0", "rx1"), 60);
  /* Writes and read requests share a direction of PCIe, which is the bottleneck: 4,368 B and 98 B for each packet. */
  const opp_simtime_t shared = 8 * (4368 + 98) * OPP_US / 504320;
  CU_ASSERT(run_received(last) - 2 * OPP_US >= MIB_PACKETS * shared);
  CU_ASSERT(run_received(last) - 2 * OPP_US <= (MIB_PACKETS + 3) * shared);
  CU_ASSERT(run_written(large) > 0);
}

SGF_SCENARIO(writes_of_no_bytes)
{
  run_rack(2, "100ns", NULL);
  const size_t write   = run_write(0, 1, 0, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t arrived = run_doorbell + 2 * (wire_time(106) + run_delay);
  CU_ASSERT_EQUAL(run_received(receive), arrived);
  CU_ASSERT_EQUAL(run_written(write), arrived + hold_time(0) + 2 * (run_ack + run_delay));
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(run_nic(0)->pcie) + sgf_pcie_bytes_to_host(run_nic(1)->pcie), 0);
}
