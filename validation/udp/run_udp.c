/* plugins/nic/udp/README.md in a simulation: udp NICs around a switch. */
#include "harness.h"
#include "support/nic_run.h"

#include <string.h>

enum { MSS = 4096, FULL = MSS + 46, COUNT = 100 };

static const opp_simtime_t first         = 85843; /* doorbell and the fetch of a full payload (udp_support.h) */
static const opp_simtime_t wire          = 82840;
static const opp_simtime_t delay         = 100 * OPP_NS;
static const opp_simtime_t write_to_host = 69289; /* of a full payload over PCIe: 4,368 B at 504.32 Gb/s */

/* The write is complete when it has left; its receive when it has crossed two cables and PCIe. */
SGF_SCENARIO(a_write_has_left_before_its_message_is_there)
{
  run_rack_of("udp", 2, "100ns", NULL);
  const size_t write   = run_write(0, 1, COUNT * MSS, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(write), first + COUNT * wire);
  CU_ASSERT_EQUAL(run_received(receive), first + COUNT * wire + delay + wire + delay + write_to_host);
  CU_ASSERT_EQUAL(run_link_bytes("h0", "tor"), COUNT * FULL);
  CU_ASSERT_EQUAL(run_link_bytes("tor", "h0"), 0); /* nothing comes back */
}

/* Two senders for one receiver, no PFC, little room: half of what comes is lost, and nothing is sent again. */
SGF_SCENARIO(what_is_lost_is_not_sent_again)
{
  run_rack_of("udp", 3, "100ns",
              RUN_SETTINGS("**.tor.switch.EnablePFC=[0, 0, 0, 0, 0, 0, 0, 0]",
                           "**.tor.switch.TotalSharedBufferSize=100KB", "**.tor.switch.HeadRoomPerPortLimit=0B"));
  const size_t one = run_write(0, 2, COUNT * MSS, 0);
  const size_t two = run_write(1, 2, COUNT * MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(one), first + COUNT * wire);
  CU_ASSERT_EQUAL(run_written(two), first + COUNT * wire);
  uint64_t lost = 0;
  for (size_t i = 0; i < run_report()->drop_count; i++)
    lost += run_report()->drops[i].count;
  CU_ASSERT(lost > 0);
  CU_ASSERT_EQUAL(run_link_bytes("tor", "h2"), (2 * COUNT - lost) * FULL);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 0);
}

/* With PFC in the switch a sender that obeys loses nothing. */
SGF_SCENARIO(senders_that_obey_pauses_lose_nothing)
{
  run_rack_of("udp", 3, "100ns",
              RUN_SETTINGS("**.tor.switch.EnablePFC=[1, 0, 0, 0, 0, 0, 0, 0]",
                           "**.tor.switch.StaticPoolXoffThreshold=40KB", "**.tor.switch.StaticPoolXonThreshold=20KB"));
  run_write(0, 2, COUNT * MSS, 0);
  run_write(1, 2, COUNT * MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_link_bytes("tor", "h2"), 2 * COUNT * FULL);
  CU_ASSERT(run_report()->pause_count > 0);
}

/* The receiver pauses with the first packet that its PCIe link, at 35 ms for each, does not take at once, and resumes
 * when all 58 before it have crossed; 100 ms without progress are a stall. */
SGF_SCENARIO(a_write_that_stays_paused_is_given_up)
{
  run_cable_of("udp", "100ns",
               RUN_SETTINGS("**.h1.nic.PFCEnableVector=[1, 0, 0, 0, 0, 0, 0, 0]",
                            "**.h1.nic.PfcStaticXoffThreshold=[0.001, 0.8, 0, 0, 0, 0, 0, 0]",
                            "**.h1.nic.PfcXonResumeThreshold=[0, 0.4, 0, 0, 0, 0, 0, 0]",
                            "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=1",
                            "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneBps=1Mbps"));
  const size_t write = run_write(0, 1, 4000 * (uint64_t)MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_STALLED);
  CU_ASSERT_EQUAL(run_written(write), -1);
  CU_ASSERT_FATAL(run_wait_count > 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(run_waits[0], "its class is paused by the peer"));
}
