/* spec/uet-nic.md 8.8, 8.10 and 11.6 in a simulation: packets are dropped by a receive pool and sent again by their
 * timers. */
#include "harness.h"
#include "nic_run_support.h"

static opp_simtime_t end_of(int64_t n)
{
  return run_packet_start(n + 1);
}

/* ---- A receiver that is too slow --------------------------------------------------------------------------------- */

enum { LARGE_PACKETS = 3000 };
#define SMALL_SLOW_RECEIVER                                                                                            \
  "**.h1.nic.IngressBufferManager.TotalBufferSize=400KB", "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=8"

/* The window of so short a round trip, 82,500 B, would never fill the pool. */
#define UNGATED "**.nic.PassThrough=true"

SGF_SCENARIO(UN_33_and_UN_40_without_PFC_the_pool_drops_and_timers_recover)
{
  run_cable("100ns", RUN_SETTINGS(SMALL_SLOW_RECEIVER, UNGATED));
  const size_t write   = run_write(0, 1, (uint64_t)LARGE_PACKETS * RUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT(run_drops("nic_ingress_pool") > 0);
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), run_nic(1)->rx_drops);
  /* Acknowledgements are back before any timer, so that only what was dropped is sent again. */
  CU_ASSERT_EQUAL(run_report()->retransmissions, run_drops("nic_ingress_pool"));
  CU_ASSERT_EQUAL(run_report()->pause_count, 0);
  /* The pool takes a packet as long as it fits. */
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), 360000 / RUN_IP * RUN_IP);
  CU_ASSERT(run_received(receive) > 0 && run_written(write) > 0);
  /* Each payload crosses PCIe once. */
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(run_nic(1)->pcie), LARGE_PACKETS * sgf_pcie_link_bytes(RUN_MSS));
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(run_nic(0)->pcie), LARGE_PACKETS * sgf_pcie_link_bytes(RUN_MSS)); /* UN-21 */
  CU_ASSERT_EQUAL(run_link_bytes("h0", "h1"), (LARGE_PACKETS + run_report()->retransmissions) * RUN_FULL + RUN_PROBE);
}

SGF_SCENARIO(with_PFC_the_same_receiver_drops_nothing)
{
  run_cable("100ns", RUN_SETTINGS(SMALL_SLOW_RECEIVER, UNGATED, "**.nic.PFCEnableVector=[1, 1, 0, 0, 0, 0, 0, 0]"));
  run_write(0, 1, (uint64_t)LARGE_PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), 0);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 0);
  CU_ASSERT(run_nic(1)->pfc.pauses[0] > 0);
}

/* ---- Packets lost on purpose: while its size is nought the pool of h1 drops all data
 * --------------------------------- */

static void close_pool(void)
{
  run_nic(1)->ingress[0].size = 0;
}

static void open_pool(void)
{
  run_nic(1)->ingress[0].size = 3600000;
}

SGF_SCENARIO(UN_80_and_UN_99_one_packet_of_ten_is_lost)
{
  run_cable("100ns", NULL);
  const size_t write   = run_write(0, 1, 10 * RUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  run_look(end_of(5) + run_delay - 1, close_pool);
  run_look(end_of(5) + run_delay + 1, open_pool);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), 1);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 1);
  CU_ASSERT_EQUAL(run_link_bytes("h0", "h1"), 11 * RUN_FULL + RUN_PROBE);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), (10 + 1) * RUN_ACK); /* no NACK */
  const opp_simtime_t again = end_of(5) + 150 * OPP_US + run_wire;
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(again));
  CU_ASSERT_EQUAL(run_received(receive), again + run_delay + 8 * 4368 * OPP_US / 504320); /* when the gap is filled */
}

/* One packet, whose first transmissions are lost; waits from each end of serialisation to the next start. */
static void lose_the_first(const char* const* settings, const opp_simtime_t* waits, size_t count)
{
  run_cable("100ns", settings);
  const size_t write = run_write(0, 1, RUN_MSS, 0);
  opp_simtime_t end  = end_of(1);
  for (size_t i = 0; i < count; i++)
    end += waits[i] + run_wire;
  run_look(1, close_pool);
  run_look(end + run_delay - 1, open_pool);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), count);
  CU_ASSERT_EQUAL(run_report()->retransmissions, count);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(end));
}

SGF_SCENARIO(UN_92_a_fixed_timer)
{
  static const opp_simtime_t waits[] = {150 * OPP_US, 150 * OPP_US, 150 * OPP_US};
  lose_the_first(RUN_SETTINGS("**.nic.FixedRexmitTimeEnable=true"), waits, 3);
}

SGF_SCENARIO(UN_93_the_timeout_doubles_up_to_its_cap)
{
  static const opp_simtime_t waits[] = {150 * OPP_US,  300 * OPP_US,  600 * OPP_US, 1200 * OPP_US,
                                        2400 * OPP_US, 4800 * OPP_US, 4800 * OPP_US};
  lose_the_first(NULL, waits, 7);
}

SGF_SCENARIO(UN_93_a_longer_first_timeout_makes_all_longer)
{
  static const opp_simtime_t waits[] = {300 * OPP_US, 600 * OPP_US, 600 * OPP_US};
  lose_the_first(RUN_SETTINGS("**.nic.InitialRetransmitTimeout=300us", "**.nic.MaxExponentialRTOBackoffCount=1"), waits,
                 3);
}

/* Acknowledgements can be lost too: the duplicate draws another. */
static void close_control_pool(void)
{
  run_nic(0)->ingress[1].size = 0;
}

static void open_control_pool(void)
{
  run_nic(0)->ingress[1].size = 400000;
}

/* The run is given up after 32 times the longest timeout without progress: here that would be more than time can count.
 */
SGF_SCENARIO(the_longest_timeouts_are_waited_for)
{
  static const opp_simtime_t waits[] = {100 * OPP_S};
  lose_the_first(RUN_SETTINGS("**.nic.InitialRetransmitTimeout=100s", "**.nic.MaxExponentialRTOBackoffCount=15"), waits,
                 1);
}

/* The first packet is lost, and so are the acknowledgements of the 2nd to the 200th. Those of the last ten carry the
 * blocks that retire them all, four blocks of 64, again and again. */
SGF_SCENARIO(UN_81_blocks_retire_what_a_single_acknowledgement_cannot)
{
  enum { PACKETS = 210, SILENT = 200 };
  run_cable("100ns", RUN_SETTINGS("**.nic.InitialBaseRTT=60us"));
  const size_t write = run_write(0, 1, PACKETS * RUN_MSS, 0);
  run_look(1, close_pool);
  run_look(2, close_control_pool);
  run_look(end_of(1) + run_delay + 1, open_pool);
  run_look(run_back_on_a_cable(end_of(SILENT)) + 1, open_control_pool);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 1);
  CU_ASSERT_EQUAL(run_nic(0)->rx_drops, SILENT - 1);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 1);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(end_of(1) + 150 * OPP_US + run_wire));
}

SGF_SCENARIO(a_lost_acknowledgement_costs_a_duplicate)
{
  run_cable("100ns", NULL);
  const size_t write   = run_write(0, 1, RUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  run_look(1, close_control_pool);
  run_look(100 * OPP_US, open_control_pool);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_received(receive), end_of(1) + run_delay + 8 * 4368 * OPP_US / 504320);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(end_of(1) + 150 * OPP_US + run_wire));
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(run_nic(1)->pcie), sgf_pcie_link_bytes(RUN_MSS)); /* written once */
  CU_ASSERT_EQUAL(run_nic(1)->ingress[0].peak, RUN_IP);
}
