/* The main job: eight hosts of a rack write 2 MB each to the ninth. */
#include "harness.h"

#include <sgfabric/opp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

enum {
  FLOWS         = 8,
  MESSAGE_BYTES = 2000000,
  MSS           = 4096,                  /* default of RdmaDataMSS */
  OVERHEAD      = 44 + 16 + 8 + 20 + 18, /* a data packet's headers and FCS: spec/uet-nic.md 4.1 */
  PROBE         = 62,                    /* one for each message, on the wire: 8.7 */
  KERNEL_ROUNDS = 1000,
};
static const int64_t link_bps = 400000000000;

static json_t* main_job(const char* option, const char* value)
{
  return command_object(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, option, value));
}

/* The time that all data packets take on the receiver's link, one behind the other. */
static double capacity_bound_s(void)
{
  int64_t packets = (MESSAGE_BYTES + MSS - 1) / MSS;
  int64_t bytes   = FLOWS * (MESSAGE_BYTES + packets * OVERHEAD);
  return 8.0 * (double)bytes / (double)link_bps;
}

SGF_SCENARIO(the_incast_is_lossless_and_fills_the_receivers_link)
{
  json_t* root = main_job(NULL, NULL);
  CU_ASSERT(json_is_true(json_object_get(root, "complete")));
  CU_ASSERT_EQUAL(member_integer(json_object_get(root, "drops"), "total"), 0);
  CU_ASSERT_EQUAL(member_integer(root, "retransmissions"), 0);
  CU_ASSERT(member_integer(root, "kernel_rounds") < KERNEL_ROUNDS);
  CU_ASSERT(member_integer(root, "events") > member_integer(root, "packet_hops"));
  CU_ASSERT(member_real(root, "wall_time_s") > 0);

  json_t* flows = json_object_get(root, "flows");
  CU_ASSERT_EQUAL_FATAL(json_array_size(flows), FLOWS);
  double last = 0;
  size_t i;
  json_t* flow;
  json_array_foreach(flows, i, flow)
  {
    CU_ASSERT_EQUAL(member_integer(flow, "bytes"), MESSAGE_BYTES);
    CU_ASSERT_STRING_EQUAL(member_text(flow, "dst"), "gpu8");
    CU_ASSERT_EQUAL(member_real(flow, "start_s"), 0);
    CU_ASSERT(member_real(flow, "end_s") > 0);
    if (member_real(flow, "end_s") > last)
      last = member_real(flow, "end_s");
  }
  CU_ASSERT(last >= capacity_bound_s());
  CU_ASSERT(last <= 1.01 * capacity_bound_s());
  CU_ASSERT(member_real(root, "simulated_time_s") >= last);
  json_decref(root);
}

SGF_SCENARIO(the_switch_pauses_the_senders_and_not_the_receiver)
{
  json_t* root               = main_job(NULL, NULL);
  json_int_t sent_to_senders = 0, received_by_senders = 0;
  size_t i;
  json_t* pause;
  json_array_foreach(json_object_get(root, "pauses"), i, pause)
  {
    if (strcmp(member_text(pause, "device"), "tor0") == 0) {
      CU_ASSERT_STRING_NOT_EQUAL(member_text(pause, "peer"), "gpu8");
      sent_to_senders += member_integer(pause, "sent");
    } else if (member_integer(pause, "received") > 0) {
      CU_ASSERT_STRING_EQUAL(member_text(pause, "peer"), "tor0");
      CU_ASSERT_STRING_NOT_EQUAL(member_text(pause, "device"), "gpu8");
      CU_ASSERT(member_real(pause, "paused_s") > 0);
      received_by_senders += member_integer(pause, "received");
    }
  }
  CU_ASSERT(sent_to_senders > 0);
  CU_ASSERT_EQUAL(received_by_senders, sent_to_senders);
  json_decref(root);
}

SGF_SCENARIO(the_receivers_link_is_the_busiest_and_carries_every_packet)
{
  json_t* root    = main_job(NULL, NULL);
  json_t* busiest = NULL;
  size_t i;
  json_t* link;
  json_array_foreach(json_object_get(root, "links"), i, link)
  {
    if (!busiest || member_real(link, "busy_s") > member_real(busiest, "busy_s"))
      busiest = link;
  }
  CU_ASSERT_PTR_NOT_NULL_FATAL(busiest);
  CU_ASSERT_STRING_EQUAL(member_text(busiest, "from"), "tor0");
  CU_ASSERT_STRING_EQUAL(member_text(busiest, "to"), "gpu8");
  const double probes_s = 8.0 * FLOWS * PROBE / (double)link_bps;
  CU_ASSERT_DOUBLE_EQUAL(member_real(busiest, "busy_s"), capacity_bound_s() + probes_s, 1e-10); /* a byte is 2e-11 s */
  json_decref(root);
}

SGF_SCENARIO(two_runs_differ_in_nothing_but_wall_time)
{
  json_t* first  = main_job(NULL, NULL);
  json_t* second = main_job(NULL, NULL);
  CU_ASSERT_EQUAL(json_object_del(first, "wall_time_s"), 0);
  CU_ASSERT_EQUAL(json_object_del(second, "wall_time_s"), 0);
  CU_ASSERT(json_equal(first, second));
  json_decref(first);
  json_decref(second);
}

SGF_SCENARIO(the_reference_pace_differs_in_nothing_but_kernel_rounds)
{
  json_t* lazy      = main_job("--pace", "lazy");
  json_t* reference = main_job("--pace", "reference");
  CU_ASSERT(member_integer(reference, "kernel_rounds") > member_integer(lazy, "kernel_rounds"));
  json_t* both[] = {lazy, reference};
  for (size_t i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(json_object_del(both[i], "wall_time_s"), 0);
    CU_ASSERT_EQUAL(json_object_del(both[i], "kernel_rounds"), 0);
  }
  CU_ASSERT(json_equal(lazy, reference));
  json_decref(lazy);
  json_decref(reference);
}

SGF_SCENARIO(the_summary_ends_with_the_verdict)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT), &out), 0);
  const char* verdict = "\ncomplete: 8 flows, lossless\n";
  CU_ASSERT(strlen(out) > strlen(verdict));
  CU_ASSERT_STRING_EQUAL(out + strlen(out) - strlen(verdict), verdict);
  const char* const sections[] = {"Flows: 8, 8 complete", "nothing was dropped", "Pauses, longest first",
                                  "Fullest pools",        "Busiest links",       "seed 1"};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    CU_ASSERT_PTR_NOT_NULL(strstr(out, sections[i]));
  free(out);
}

/* ---- A receiver whose PCIe link is slower than its cable ------------------------------------------------------- */

#define NARROW_PCIE "--set", "**.pcie=\"gen5 x8\"", "--set", "**.nic.IngressBufferManager.TotalBufferSize=\"400KB\""
#define NIC_PFC "--set", "**.nic.IngressBufferManager.PFCEnableVector=\"[1, 0, 0, 0, 0, 0, 0, 0]\""

static json_int_t pauses_sent_by(const json_t* root, const char* device)
{
  json_int_t sent = 0;
  size_t i;
  json_t* pause;
  json_array_foreach(json_object_get(root, "pauses"), i, pause)
  {
    if (strcmp(member_text(pause, "device"), device) == 0)
      sent += member_integer(pause, "sent");
  }
  return sent;
}

SGF_SCENARIO(behind_a_narrow_pcie_the_receiver_drops_and_recovers)
{
  int status;
  json_t* root = command_json(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, NARROW_PCIE), &status);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT(json_is_true(json_object_get(root, "complete")));
  json_t* drops = json_object_get(root, "drops");
  CU_ASSERT(member_integer(drops, "nic_ingress_pool") > 0);
  CU_ASSERT_EQUAL(member_integer(drops, "nic_ingress_pool"), member_integer(drops, "total"));
  CU_ASSERT(member_integer(root, "retransmissions") >= member_integer(drops, "total"));
  CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "flows")), FLOWS);
  CU_ASSERT_EQUAL(pauses_sent_by(root, "gpu8"), 0);
  json_decref(root);
}

SGF_SCENARIO(behind_a_narrow_pcie_a_receiver_with_pfc_pauses_and_drops_nothing)
{
  int status;
  json_t* root = command_json(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, NARROW_PCIE, NIC_PFC), &status);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT(json_is_true(json_object_get(root, "complete")));
  CU_ASSERT_EQUAL(member_integer(json_object_get(root, "drops"), "total"), 0);
  CU_ASSERT_EQUAL(member_integer(root, "retransmissions"), 0);
  CU_ASSERT(pauses_sent_by(root, "gpu8") > 0);
  json_decref(root);
}
