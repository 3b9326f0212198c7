/* Tp of a pause that a NIC asks for, in a simulation: its PCIe link crosses nothing, and h0 sends at line rate
 * (spec/feedback-budget.md 4, 5; the dates are those of nic/run_pfc.c). */
#include "harness.h"
#include "nic/nic_run_support.h"

#include <sgfabric/feedback.h>

enum { XOFF = 2880000, HEADROOM = 720000, TO_XOFF = 689, STUCK_WRITES = 58, AFTER = 3 };
static const opp_simtime_t pause = 1280; /* 64 B */

static sgf_feedback_event_t events[2];
static size_t count;

static void note(void* user, const sgf_feedback_event_t* event)
{
  (void)user;
  CU_ASSERT_FATAL(count < sizeof events / sizeof *events);
  events[count++] = *event;
}

/* On the wire of h0, seen from the end of the packet that reaches Xoff here less one cable: the third packet after it
 * begins at 168.08 ns, the pause is there at 201.28 ns, a fourth would begin at 252.12 ns. Ten refreshes belong to it.
 */
SGF_SCENARIO(FB_36_Tp_of_a_NIC_in_a_simulation)
{
  run_cable("100ns", RUN_SETTINGS("**.nic.PassThrough=true", "**.nic.InitialRetransmitTimeout=100ms",
                                  "**.h1.nic.PFCEnableVector=[1, 1, 0, 0, 0, 0, 0, 0]",
                                  "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=1",
                                  "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneBps=1Mbps"));
  sgf_feedback_observe(sg_fabric_get(), note, NULL);
  run_write(0, 1, 3000 * RUN_MSS, 0);
  run_until(500 * OPP_US);
  CU_ASSERT_EQUAL(count, 0); /* nothing resumes it */
  sgf_feedback_end(sg_fabric_get());
  CU_ASSERT_EQUAL_FATAL(count, 1);
  CU_ASSERT((AFTER - 1) * run_wire < pause + 2 * run_delay && pause + 2 * run_delay < AFTER * run_wire);
  const sgf_feedback_event_t* event = &events[0];
  CU_ASSERT_EQUAL(event->kind, SGF_FEEDBACK_TP);
  CU_ASSERT_STRING_EQUAL(sgf_device_name(event->device), "h1");
  CU_ASSERT(event->port == 0 && event->tc == 0);
  CU_ASSERT_EQUAL(event->begin, run_packet_start(STUCK_WRITES + TO_XOFF + 1) + run_delay);
  CU_ASSERT_EQUAL(event->duration, AFTER * run_wire); /* 252.12 ns */
  CU_ASSERT(event->tp.frames == AFTER && event->tp.bytes == AFTER * RUN_IP);
  CU_ASSERT_EQUAL(event->tp.above, (TO_XOFF + AFTER) * RUN_IP - XOFF);
  CU_ASSERT_EQUAL(event->tp.headroom, HEADROOM);
  CU_ASSERT_EQUAL(event->tp.resumed, -1);
  const sgf_report_t* report = run_report();
  CU_ASSERT_EQUAL_FATAL(report->headroom_count, 1);
  CU_ASSERT_STRING_EQUAL(report->headrooms[0].device, "h1");
  CU_ASSERT_EQUAL(report->headrooms[0].needed, event->tp.above);
  CU_ASSERT_EQUAL(report->headrooms[0].headroom, HEADROOM);
}
