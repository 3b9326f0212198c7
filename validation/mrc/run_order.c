/* spec/mrc-nic.md 6, 8 and 10.9 in a simulation: the order at the port, pauses, the service time of SACKs (MR-37 to
 * MR-39, MR-48, MR-55, MR-56, MR-63).
 *
 * What h1 answers waits behind its own data: h0's packets are held up on the cable, and reach it all at one instant
 * while a data frame of its own is on the link. */
#include "harness.h"

#include "mrc_run_support.h"

#include <sgfabric/stats.h>

enum { LARGE = 400 * MRUN_MSS };

/* ---- Answers beside data ----------------------------------------------------------------------------------------- */

/* h1 writes from 20 us on; h0's data reaches it while its fifth packet is on the link. */
static const opp_simtime_t h1_begins = 20 * OPP_US;

/* The end of the n-th packet of h1, when it has had nothing else to send. */
static opp_simtime_t end_of_h1(int64_t n)
{
  return h1_begins + mrun_end(n);
}

static void data_is_on_the_link_and_waits(void)
{
  CU_ASSERT(net_port_queue_length(&run_nic(1)->port, MRC_DATA_CLASS) >= 1);
  CU_ASSERT_PTR_NOT_NULL(run_nic(1)->port.on_wire);
}

static run_tap_t then; /* what else happens to a frame */

static opp_simtime_t hold(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const opp_simtime_t delay = mrun_hold_data(msg, now, to_host);
  if (then != NULL)
    then(msg, now, to_host);
  return delay;
}

static void on_queue_pair_7(sgf_op_t* write)
{
  CU_ASSERT_EQUAL(sgf_op_set_queue_pair(write, 7, NULL), SGF_OK);
}

static void on_queue_pair_8(sgf_op_t* write)
{
  CU_ASSERT_EQUAL(sgf_op_set_queue_pair(write, 8, NULL), SGF_OK);
}

/* `acks` messages without payload on pairs of their own, then one of `packets`. */
static void run_behind_data(unsigned acks, unsigned packets)
{
  mrun_release = end_of_h1(4) + 30000;
  mrun_fate    = hold;
  mrun_cable_of(NULL);
  if (acks >= 1)
    run_write_as(0, 1, 0, 0, on_queue_pair_7);
  if (acks >= 2)
    run_write_as(0, 1, 0, 0, on_queue_pair_8);
  run_write(0, 1, (uint64_t)packets * MRUN_MSS, 0);
  run_write(1, 0, LARGE, 20e-6);
  run_look(mrun_release - 1, data_is_on_the_link_and_waits);
}

/* The n-th answer of a kind has left h1 so long after its fifth packet. */
static void check_answer(int kind, size_t n, opp_simtime_t after)
{
  CU_ASSERT_EQUAL(mrun_date(kind, false, n), end_of_h1(5) + after + mrun_cable);
}

SGF_SCENARIO(MR_37_a_SACK_starts_when_the_frame_on_the_link_ends_before_data_that_waits)
{
  run_behind_data(0, 2);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, false, 4), end_of_h1(5) + mrun_cable);
  check_answer(MRC_SACK, 0, mrun_sack);
  check_answer(MRC_ACK, 0, mrun_sack + mrun_ack);
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, false, 5), end_of_h1(6) + mrun_sack + mrun_ack + mrun_cable);
}

static opp_simtime_t trim_the_third(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const mrc_header_t* data = to_host ? mrun_data(msg) : NULL;
  (void)now;
  if (data != NULL && data->psn == 2 && !(data->flags & MRC_FLAG_RETRANSMIT))
    mrun_trim(msg, NET_ROLE_TRIMMED);
  return 0;
}

SGF_SCENARIO(MR_38_SACKs_and_a_NACK_leave_in_the_order_in_which_they_were_built)
{
  then = trim_the_third;
  run_behind_data(0, 4);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  check_answer(MRC_SACK, 0, mrun_sack);
  check_answer(MRC_SACK, 1, 2 * mrun_sack);
  check_answer(MRC_NACK, 0, 2 * mrun_sack + mrun_nack);
  check_answer(MRC_SACK, 2, 3 * mrun_sack + mrun_nack);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 0)->psn, 0);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 1)->psn, 1);
  CU_ASSERT_EQUAL(mrun_header(MRC_NACK, false, 0)->psn, 2);
}

/* ---- Service time (6, 10.9) -------------------------------------------------------------------------------------- */

SGF_SCENARIO(MR_63_two_ACKs_that_wait_are_a_service_time_of_2_48_ns)
{
  run_behind_data(2, 2);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  check_answer(MRC_ACK, 1, 2 * mrun_ack);
  check_answer(MRC_SACK, 0, 2 * mrun_ack + mrun_sack);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 0)->service_time, 2480);
}

/* Of the SACKs that come to h0, by PSN. */
static opp_simtime_t samples[8], arrived[8];

static void note_sample(void* unused, const sgf_mrc_packet_t* packet)
{
  (void)unused;
  if (packet->type == SGF_MRC_SACK && packet->direction == SGF_MRC_RX && packet->psn < 8) {
    samples[packet->psn] = packet->rtt;
    arrived[packet->psn] = packet->date;
  }
}

/* The fifth packet's SACK waits behind two ACKs and four SACKs: 2 x 1.24 + 4 x 1.88 = 10 ns. */
SGF_SCENARIO(MR_55_10_ns_behind_control_frames_are_not_in_the_sample)
{
  run_behind_data(2, 8);
  sgf_device_observe_mrc_packets(sgf_fabric_host(sg_fabric_get(), 0), note_sample, NULL);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 4)->psn, 4);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 4)->service_time, 10000);
  /* Those without payload have left during the first fetch. */
  CU_ASSERT_EQUAL(arrived[4] - mrun_end(5) - samples[4], 10000);
}

/* Nothing is on the link when three packets arrive: the first SACK goes at once and is not waited for. */
SGF_SCENARIO(section_6_what_is_on_the_link_is_not_in_the_service_time)
{
  mrun_release = 10 * OPP_US;
  mrun_fate    = hold;
  mrun_cable_of(NULL);
  run_write(0, 1, 4 * MRUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_count(MRC_SACK, false), 3);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 0)->service_time, 0);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 1)->service_time, 0);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 2)->service_time, 1880);
  CU_ASSERT_EQUAL(mrun_date(MRC_ACK, false, 0), mrun_release + 3 * mrun_sack + mrun_ack + mrun_cable);
}

static void a_microsecond_waits_for_PCIe(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->ingress[MRC_DATA_CLASS].occupancy, 12 * MRUN_FULL);
}

SGF_SCENARIO(MR_56_what_waits_for_PCIe_is_not_in_the_service_time)
{
  enum { PACKETS = RUN_STUCK_WRITES + 20 };
  mrun_cable_of(RUN_SETTINGS(RUN_STUCK));
  run_write(0, 1, PACKETS * MRUN_MSS, 0);
  run_look(mrun_arrival(RUN_STUCK_WRITES + 12), a_microsecond_waits_for_PCIe);
  run_until(20 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_SACK, false), PACKETS - 1);
  for (int n = 1; n < PACKETS; n++) {
    CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, (size_t)n - 1)->service_time, 0);
    CU_ASSERT_EQUAL(mrun_date(MRC_SACK, false, (size_t)n - 1), mrun_answer(n)); /* MR-43 */
  }
}

/* ---- Probes ------------------------------------------------------------------------------------------------------ */

static size_t waiting;

static void look_at_queue(void)
{
  waiting = net_port_queue_length(&run_nic(0)->port, MRC_DATA_CLASS);
}

static opp_simtime_t lose_pair_7(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const mrc_header_t* data = to_host ? mrun_data(msg) : NULL;
  (void)now;
  return data != NULL && data->queue_pair == 7 ? RUN_LOST : 0;
}

/* A packet without payload is lost; 10 us after its timer its path is probed, when h0 has been sending for 8 us. Its
 * fetches are faster than its wire, so that packets wait at the port. */
SGF_SCENARIO(MR_39_a_probe_waits_behind_all_data_that_is_queued)
{
  const opp_simtime_t probed = mrun_start + mrun_empty + 160 * OPP_US;
  mrun_fate                  = lose_pair_7;
  mrun_cable_of(RUN_SETTINGS(MRUN_STUBBORN, "**.nic.ProbeInterval=10us"));
  run_write_as(0, 1, 0, 0, on_queue_pair_7);
  run_write(0, 1, LARGE, (double)(probed - 8 * OPP_US) * 1e-12);
  run_look(probed - 1, look_at_queue);
  run_until(probed + 9 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_PROBE, true), 1);
  size_t n = 0;
  while (mrun_log[n].date - mrun_cable <= probed || !mrun_log[n].to_host || mrun_log[n].kind != MRC_DATA)
    n++; /* the frame that was on the link */
  CU_ASSERT(waiting >= 10);
  CU_ASSERT_EQUAL(mrun_date(MRC_PROBE, true, 0), mrun_log[n].date + (int64_t)waiting * mrun_wire + mrun_probe);
}

/* ---- Pauses (8) -------------------------------------------------------------------------------------------------- */

static void pause_all(void)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    pfc_send(&run_nic(1)->pfc, tc, PFC_MAX_QUANTA);
}

SGF_SCENARIO(MR_48_a_pause_of_every_class_stops_nothing_and_is_charged_to_no_pool)
{
  mrun_cable_of(NULL);
  run_write(0, 1, MRUN_MIB, 0);
  run_write(1, 0, MRUN_MSS, 10e-6);
  run_look(5 * OPP_US, pause_all);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_count(MRUN_PFC, false), 8);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    CU_ASSERT_EQUAL(run_nic(0)->peer.pauses[tc], 1); /* counted */
  /* h0's ACK of the packet that comes goes between two of its own. */
  const opp_simtime_t answered = mrun_date(MRC_DATA, false, 0);
  for (int n = 1; n <= 256; n++) {
    const opp_simtime_t waits = mrun_end(n - 1) < answered ? 0 : mrun_ack;
    CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, (size_t)n - 1), mrun_arrival(n) + waits);
  }
  CU_ASSERT_EQUAL(run_nic(0)->ingress[MRC_DATA_CLASS].peak, MRUN_FULL);
  CU_ASSERT_EQUAL(run_nic(0)->ingress[MRC_CONTROL_CLASS].peak, MRC_SACK_BYTES);
  CU_ASSERT_EQUAL(run_nic(0)->rx_drops, 0);
}
