/* spec/uet-nic.md UN-183 in a simulation: hosts and NICs that take their time over what PCIe brings them. */
#include "harness.h"
#include "nic_run_support.h"

/* 4 us for the payload of a full transfer, and receive buffers that hold two. */
#define SLOW(host, end)                                                                                                \
  "**." host ".nic." end ".TransactionLayer.ConsumptionBps=1.024Gbps",                                                 \
      "**." host ".nic." end ".TransactionLayer.RXDataBufferSize=1KiB"

static const opp_simtime_t consumption_time = 4 * OPP_US;

/* When the n-th transfer has crossed, n above 2, of those that begin at `start`: it starts when that two before it has
 * been consumed. */
static opp_simtime_t crossed(opp_simtime_t start, int64_t n)
{
  const opp_simtime_t transfer = 8 * 546 * OPP_US / 504320;
  return start + transfer + (n - 2) * consumption_time + transfer;
}

SGF_SCENARIO(UN_183_writes_wait_for_room_at_the_host)
{
  enum { PACKETS = 20 };
  run_cable("100ns", RUN_SETTINGS(SLOW("h1", "HostPCIeInterface")));
  const size_t write   = run_write(0, 1, PACKETS * RUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t arrived = run_packet_start(2) + run_delay;
  CU_ASSERT_EQUAL(run_received(receive), crossed(arrived, 8 * PACKETS));
  /* The NIC's transmit buffer holds them all: the sender is acknowledged as ever, behind the message's probe. */
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(run_packet_start(1 + PACKETS) + run_probe));
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), RUN_IP);
  const opp_simtime_t end    = run_received(receive);
  const sgf_pcie_stats_t nic = sgf_pcie_stats(run_nic(1)->pcie, SGF_PCIE_NIC, end);
  CU_ASSERT_EQUAL(nic.writes, PACKETS);
  CU_ASSERT_EQUAL(nic.busy + nic.credit_wait, end - arrived);
  CU_ASSERT_EQUAL(sgf_pcie_stats(run_nic(1)->pcie, SGF_PCIE_HOST, end).rx_data_peak, 1024);
}

SGF_SCENARIO(UN_183_completions_wait_for_room_at_the_nic)
{
  run_cable("100ns", RUN_SETTINGS(SLOW("h0", "NicPCIeInterface")));
  const size_t write = run_write(0, 1, RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t fetched = crossed(run_doorbell + 8 * 98 * OPP_US / 504320, 8);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(fetched + run_wire));
}
