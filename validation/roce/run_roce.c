/* RoCE NICs in SimGrid simulations: dates of a write, an incast (spec/roce-nic.md 14; RO-15, RO-16, RO-20, RO-28,
 * RO-46). */
#include "harness.h"

#include "roce_run_support.h"

enum { SENDERS = 6 };

/* Over a cable of 100 ns: 80 ns, the fetch of the first packet, 256 packets on the wire, a cable, the ACK, a cable. */
static const opp_simtime_t a_MiB_takes = 80000 + 70843 + 21268480 + 100000 + 2520 + 100000;

SGF_SCENARIO(RO_15_20_a_write_of_a_MiB_over_a_cable)
{
  rrun_cable_of(NULL);
  const size_t write = run_write(0, 1, RRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(write), a_MiB_takes);
  CU_ASSERT_EQUAL(run_link_bytes("h0", "h1"), 1063424);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), 2016);
  CU_ASSERT_EQUAL(rrun_counters(1)->acks_sent, 16);
}

SGF_SCENARIO(RO_16_a_MiB_without_coalescing_draws_32256_B_of_ACKs)
{
  rrun_cable_of(RUN_SETTINGS("**.nic.AckCoalescingEnabled=false"));
  run_write(0, 1, RRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), 32256);
}

/* The switch is the bottleneck: the NIC behind it is not. */
SGF_SCENARIO(RO_28_46_an_incast_does_not_fill_the_NIC_and_loses_nothing_there)
{
  rrun_rack_of(SENDERS + 1, RUN_SETTINGS("**.tor.switch.EcnHandler.MinThreshold=0.01"));
  for (unsigned src = 1; src <= SENDERS; src++)
    run_write(src, 0, RRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_nic(0)->rx_drops, 0);
  CU_ASSERT_EQUAL(run_nic(0)->pfc.pauses[0], 0);
  CU_ASSERT(rrun_counters(0)->cnps_sent > 0);
  CU_ASSERT_EQUAL(run_peak("h0", "rx0"), RRUN_IP);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 0);
  for (unsigned src = 1; src <= SENDERS; src++) {
    CU_ASSERT_EQUAL(rrun_counters(src)->messages_acknowledged, 1);
    CU_ASSERT_EQUAL(rrun_counters(src)->data_sent, 256);
  }
}
