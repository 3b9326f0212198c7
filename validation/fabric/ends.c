/* The end of a run: conservation, who waits for what, writes that are given up, what is reported. */
#include "harness.h"

#include "fabric_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKET = 4096 };

#define STUCK                                                                                                          \
  "nic.EgressBufferManager.TotalBufferSize", "4KB" /* the data pool, 90 % of it, never takes a full frame              \
                                                    */

static void collect(void* user, const char* line)
{
  text_add(user, "%s\n", line);
}

/* The check of the end, and what waits. The text is to be freed. */
static sgf_status_t check_end(const fabric_rig_t* rig, text_t* waits, sgf_error_t* error)
{
  *waits = (text_t){0};
  text_add(waits, "%s", "");
  return sgf_fabric_check_end(rig->fabric, collect, waits, error);
}

/* ---- Giving up --------------------------------------------------------------------------------------------------- */

/* 32 times the longest retransmission timeout, 150 us x 2^5. */
static const opp_simtime_t patience = 32 * (150 << 5) * OPP_US;

SGF_TEST(a_write_that_can_never_proceed_is_given_up)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(STUCK));
  sgf_op_t* op     = rig_write(&rig, 0, 1, PACKET, 7, 0);
  sgf_op_t* recv   = sgf_op_recv(rig.fabric, rig.hosts[1], 7, 0, 0);
  sgf_op_set_awaited(op, true);
  sgf_op_set_awaited(recv, true);
  CU_ASSERT(sgf_engine_bound(rig.fabric) <= patience);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_COMPLETION);
  CU_ASSERT_EQUAL(sgf_engine_clock(rig.fabric), patience);
  CU_ASSERT_PTR_EQUAL(sgf_engine_completed(rig.fabric), op);
  CU_ASSERT_PTR_EQUAL(sgf_engine_completed(rig.fabric), recv);
  CU_ASSERT_EQUAL(sgf_op_status(op), SGF_STALLED);
  CU_ASSERT_EQUAL(sgf_op_status(recv), SGF_STALLED);
  CU_ASSERT_EQUAL(sgf_op_end(op), patience);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);

  sgf_error_t error = {0};
  text_t waits;
  CU_ASSERT_EQUAL(check_end(&rig, &waits, &error), SGF_STALLED);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "1 write is not complete"));
  CU_ASSERT_PTR_NOT_NULL(strstr(waits.chars, "h0 -> h1, 4096 B"));
  CU_ASSERT_PTR_NOT_NULL(strstr(waits.chars, "transmit pool"));
  free(waits.chars);
  sgf_report_t* report = sgf_report_new(rig.fabric);
  CU_ASSERT_EQUAL(report->flows[0].end, -1);
  sgf_report_free(report);
  rig_free(&rig);
}

SGF_TEST(the_model_warns_of_a_pool_that_blocks_all_data)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(STUCK));
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_warning_count(rig.fabric), 1); /* the same for both hosts */
  CU_ASSERT_PTR_NOT_NULL(strstr(sgf_fabric_warning(rig.fabric, 0), "h0 and 1 more: "));
  CU_ASSERT_PTR_NOT_NULL(strstr(sgf_fabric_warning(rig.fabric, 0), "blocks all data for good"));
  rig_free(&rig);
}

/* Progress anywhere postpones it: the fabric as a whole has to stand still. */
SGF_TEST(patience_begins_with_the_last_progress)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(STUCK));
  sgf_op_t* stuck  = rig_write(&rig, 0, 1, PACKET, 0, 0);
  sgf_op_t* small  = rig_write(&rig, 1, 0, 100, 0, patience / 2); /* fits the pool */
  sgf_engine_advance(rig.fabric, patience + 1);
  CU_ASSERT(sgf_op_done(small));
  CU_ASSERT_FALSE(sgf_op_done(stuck));
  sgf_engine_advance(rig.fabric, 2 * patience);
  CU_ASSERT(sgf_op_done(stuck));
  CU_ASSERT_EQUAL(sgf_op_end(stuck), 2 * patience);
  rig_free(&rig);
}

SGF_TEST(a_post_that_was_never_applied_is_told)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  rig_write(&rig, 0, 1, 42, 0, OPP_MS);
  text_t waits;
  CU_ASSERT_EQUAL(check_end(&rig, &waits, NULL), SGF_STALLED);
  CU_ASSERT_STRING_EQUAL(waits.chars, "h0 -> h1, 42 B: posted, not begun\n");
  free(waits.chars);
  rig_free(&rig);
}

SGF_TEST(in_mid_run_the_check_tells_what_is_under_way)
{
  fabric_rig_t rig = rig_star(3, 100 * OPP_NS, 1, SETTINGS(NULL));
  rig_write(&rig, 0, 1, 1000 * PACKET, 0, 0);
  rig_write(&rig, 2, 1, 1000 * PACKET, 0, 0);
  sgf_engine_advance(rig.fabric, 20 * OPP_US);
  sgf_error_t error = {0};
  text_t waits;
  CU_ASSERT_EQUAL(check_end(&rig, &waits, &error), SGF_STALLED);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "2 writes are not complete at 0.000020"));
  CU_ASSERT_PTR_NOT_NULL(strstr(waits.chars, "of 1000 packets acknowledged"));
  free(waits.chars);
  CU_ASSERT_EQUAL(sgf_engine_drain(rig.fabric), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(rig.fabric, NULL, NULL, NULL), SGF_OK);
  rig_free(&rig);
}

/* ---- A pause that nothing ends (spec/switch.md O-11) ------------------------------------------------------------- */

/* Data and acknowledgements share a pool, and only data is lossless. When the last data frame of a port leaves while an
 * acknowledgement is still there, nobody resumes the peer, and the pause is refreshed for ever. A refresh is not work:
 * draining ends. */
static fabric_rig_t paused_for_ever(opp_simtime_t* offset)
{
  for (*offset = 0;; *offset += OPP_NS) {
    fabric_rig_t rig =
        rig_star(3, 100 * OPP_NS, 1,
                 SETTINGS("switch.EnablePFC", "[1, 0, 0, 0, 0, 0, 0, 0]", "switch.TrafficClassPoolMapping",
                          "[0, 0, 0, 0, 0, 0, 0, 0]", "switch.PoolAllocationMap", "[1, 0, 0, 0, 0, 0, 0, 0]",
                          "switch.StaticPoolXoffThreshold", "4KB", "switch.StaticPoolXonThreshold", "0B"));
    sgf_op_unref(rig_write(&rig, 2, 0, PACKET, 0, 0));
    sgf_op_unref(rig_write(&rig, 0, 1, PACKET, 0, *offset)); /* passes the switch while host 0 acknowledges the other */
    sgf_engine_advance(rig.fabric, 300 * OPP_US);
    if (*offset > 2 * OPP_US || sgf_engine_next_event(rig.fabric) != OPP_TIME_MAX)
      return rig;
    rig_free(&rig);
  }
}

SGF_TEST(draining_ends_although_a_pause_is_refreshed_for_ever)
{
  opp_simtime_t offset;
  fabric_rig_t rig              = paused_for_ever(&offset);
  const opp_simtime_t refreshed = sgf_engine_next_event(rig.fabric);
  CU_ASSERT(refreshed < OPP_TIME_MAX);
  sgf_engine_advance(rig.fabric, refreshed + OPP_MS);
  CU_ASSERT(sgf_engine_next_event(rig.fabric) < OPP_TIME_MAX); /* and so on */
  CU_ASSERT_EQUAL(sgf_engine_drain(rig.fabric), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(rig.fabric, NULL, NULL, NULL), SGF_OK);
  rig_free(&rig);
}

SGF_TEST(draining_ends_although_frames_wait_behind_such_a_pause)
{
  opp_simtime_t offset;
  fabric_rig_t rig         = paused_for_ever(&offset);
  const opp_simtime_t date = sgf_engine_clock(rig.fabric);
  sgf_op_t* op             = rig_write(&rig, 0, 1, PACKET, 0, date);
  CU_ASSERT_EQUAL(sgf_engine_drain(rig.fabric), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_op_status(op), SGF_STALLED);
  CU_ASSERT_EQUAL(sgf_op_end(op), date + patience);
  text_t waits;
  CU_ASSERT_EQUAL(check_end(&rig, &waits, NULL), SGF_STALLED);
  CU_ASSERT_PTR_NOT_NULL(strstr(waits.chars, "its class is paused by the peer"));
  CU_ASSERT_PTR_NOT_NULL(strstr(waits.chars, "h0: 1 frames of class 0 wait for tor0 to resume them"));
  free(waits.chars);
  rig_free(&rig);
}

/* ---- Reports ----------------------------------------------------------------------------------------------------- */

/* An incast that pauses, drops and retransmits: a receiver whose PCIe link is slow towards its host, and whose buffer
 * is small. */
static fabric_rig_t busy(uint64_t seed)
{
  fabric_rig_t rig = rig_leaf_spine(
      2, 3, 2, 1, seed,
      SETTINGS("nic.NicPCIeInterface/PhysicalLayer/LaneBps", "8Gbps", "nic.IngressBufferManager.TotalBufferSize",
               "60KB", "switch.StaticPoolXoffThreshold", "40KB", "switch.StaticPoolXonThreshold", "20KB"));
  for (unsigned src = 1; src < rig.host_count; src++)
    sgf_op_unref(rig_write(&rig, src, 0, 40 * PACKET, 0, src * OPP_NS));
  sgf_engine_advance(rig.fabric, OPP_TIME_MAX);
  return rig;
}

SGF_TEST(after_a_run_with_pauses_and_drops_nothing_is_left)
{
  fabric_rig_t rig  = busy(1);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_fabric_check_end(rig.fabric, NULL, NULL, &error), SGF_OK);
  CU_ASSERT_STRING_EQUAL(error.text, "");
  rig_free(&rig);
}

static uint64_t dropped(const sgf_report_t* report, const char* cause)
{
  for (size_t i = 0; i < report->drop_count; i++)
    if (strcmp(report->drops[i].cause, cause) == 0)
      return report->drops[i].count;
  CU_FAIL("there is no such cause");
  return 0;
}

SGF_TEST(the_parts_of_a_report_add_up)
{
  fabric_rig_t rig     = busy(1);
  sgf_report_t* report = sgf_report_new(rig.fabric);
  CU_ASSERT_EQUAL(report->flow_count, rig.host_count - 1);
  for (size_t i = 0; i < report->flow_count; i++) {
    CU_ASSERT_EQUAL(report->flows[i].bytes, 40 * PACKET);
    CU_ASSERT_STRING_EQUAL(report->flows[i].dst, "h0");
    CU_ASSERT(report->flows[i].end > report->flows[i].start);
    CU_ASSERT(report->flows[i].end <= report->clock);
  }

  uint64_t frames = 0;
  CU_ASSERT_EQUAL(report->link_count, 2 * (rig.host_count + 2 * 2)); /* each direction of each cable */
  for (size_t i = 0; i < report->link_count; i++) {
    frames += report->links[i].frames;
    CU_ASSERT(report->links[i].busy <= report->clock);
    CU_ASSERT((report->links[i].frames > 0) == (report->links[i].bytes > 0));
    CU_ASSERT_EQUAL(report->links[i].busy, (opp_simtime_t)(report->links[i].bytes * 20)); /* 400 Gb/s: 20 ps a byte */
  }
  CU_ASSERT_EQUAL(report->packet_hops, frames);
  CU_ASSERT_EQUAL(report->packet_hops, sgf_fabric_packet_hops(rig.fabric));
  CU_ASSERT(report->events >= 2 * report->packet_hops); /* end of serialisation, arrival */

  CU_ASSERT(dropped(report, "nic_ingress_pool") > 0);
  CU_ASSERT_EQUAL(dropped(report, "switch_no_route"), 0);
  CU_ASSERT(report->retransmissions >= dropped(report, "nic_ingress_pool"));

  uint64_t sent = 0, received = 0, resumed = 0;
  for (size_t i = 0; i < report->pause_count; i++) {
    sent += report->pauses[i].sent + report->pauses[i].resumes_sent;
    received += report->pauses[i].received + report->pauses[i].resumes_received;
    resumed += report->pauses[i].resumes_received;
    CU_ASSERT((report->pauses[i].received > 0) == (report->pauses[i].paused > 0));
  }
  CU_ASSERT(resumed > 0);
  CU_ASSERT_EQUAL(sent, received); /* no pause frame is lost */

  for (size_t i = 0; i < report->pool_count; i++)
    CU_ASSERT(report->pools[i].peak <= report->pools[i].size || strstr(report->pools[i].pool, "ingress") != NULL);
  sgf_report_free(report);
  rig_free(&rig);
}

SGF_TEST(a_seed_names_one_report)
{
  fabric_rig_t first = busy(3), again = busy(3);
  char* text  = report_text(first.fabric);
  char* other = report_text(again.fabric);
  CU_ASSERT_STRING_EQUAL(text, other);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "flow h5 h0 163840 5000 "));
  free(text);
  free(other);
  rig_free(&first);
  rig_free(&again);
}
