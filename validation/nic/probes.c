/* spec/uet-nic.md 8.7 and 9.3 on the state machine: the base-RTT probe of each message, and its acknowledgement. */
#include "harness.h"
#include "nic_support.h"

static const opp_simtime_t ack_wire = 1560;

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

/* ---- At the sender ----------------------------------------------------------------------------------------------- */

SGF_TEST(UN_74_one_probe_for_each_message_after_its_first_acknowledgement)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 3 * BENCH_MSS);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL(bench_probes(bench)->count, 0);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 62);
  bench_run(bench, 20 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_probes(bench)->count, 1);
  CU_ASSERT_EQUAL(bench_probes(bench)->last.arrival, 10 * OPP_US + bench_probe + bench_delay);
  bench_ack(bench, &bench->log[1], 2, 0);
  bench_run(bench, 30 * OPP_US);
  CU_ASSERT_EQUAL(bench_probes(bench)->count, 1);
  bench_ack(bench, &bench->log[2], 3, 0);
  bench_post(bench, 1, BENCH_MSS); /* on the same PDC: a message of its own */
  bench_run(bench, 40 * OPP_US);
  bench_ack(bench, &bench->log[3], 1, 0);
  bench_run(bench, 50 * OPP_US);
  CU_ASSERT_EQUAL(bench_probes(bench)->count, 2);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.probes_sent, 2);
  bench_free(bench);
}

SGF_TEST(UN_03_UN_09_and_UN_165_a_probe_is_a_control_packet_of_62_bytes)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 3, 2 * BENCH_MSS);
  bench_run(bench, OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  bench_run(bench, OPP_US + bench_probe - 1);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 62); /* until its serialisation ends */
  bench_run(bench, OPP_US + bench_probe);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 0);
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_probes(bench)->count, 1);
  CU_ASSERT_EQUAL(16 + 8 + 20 + 18, 62);
  CU_ASSERT_EQUAL(bench_probes(bench)->last.bytes, 62);
  CU_ASSERT_EQUAL(bench_probes(bench)->last.frame.dst, bench->nic->address + 3);
  CU_ASSERT_EQUAL(bench_probes(bench)->last.frame.ecn, NET_ECN_ECT1);
  CU_ASSERT_EQUAL(bench_probes(bench)->last.frame.dscp, net_role_dscp(NET_ROLE_CONTROL));
  const uet_header_t* header = bench_header(&bench_probes(bench)->last);
  CU_ASSERT_EQUAL(header->dst_pdc, UET_FIRST_RECEIVER_PDC); /* as the acknowledgement has said */
  bench_free(bench);
}

/* The first acknowledgement is 7 us old when it comes: no sample for the base RTT. The probe's round trip is one. */
SGF_TEST(a_probes_round_trip_is_offered_to_the_base_RTT)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 10 * BENCH_MSS);
  bench_run(bench, end_of(1) + 7 * OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  const nscc_t* congestion = &bench_group(bench, 1)->congestion;
  CU_ASSERT_EQUAL(congestion->base_rtt, 6 * OPP_US);
  const opp_simtime_t sent = bench_now(bench) + bench_probe; /* measured from the end of its serialisation (B25) */
  bench_run(bench, sent + 3 * OPP_US);
  bench_answer_probe(bench);
  CU_ASSERT_EQUAL(congestion->base_rtt, 4 * OPP_US); /* and the guard of 1 us */
  CU_ASSERT_EQUAL((int64_t)congestion->max_window, 300000);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.probe_acks_received, 1);
  bench_free(bench);
}

/* It says nothing else: no byte is acknowledged, and no queue is looked at. */
SGF_TEST(the_answer_to_a_probe_is_no_acknowledgement_of_data)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 10 * BENCH_MSS);
  bench_run(bench, end_of(1) + 6 * OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  bench_run(bench, 40 * OPP_US);
  const double delay = bench_group(bench, 1)->congestion.delay;
  bench_answer_probe(bench); /* 34 us: a queue, were it data */
  CU_ASSERT_EQUAL(bench_group(bench, 1)->congestion.delay, delay);
  CU_ASSERT_EQUAL(bench_group(bench, 1)->congestion.base_rtt, 6 * OPP_US);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 9 * BENCH_IP);
  bench_free(bench);
}

SGF_TEST(the_probe_of_a_message_that_is_done_changes_nothing)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, 7 * OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], 7 * OPP_US);
  bench_post(bench, 1, BENCH_MSS); /* on the same PDC, by the time the probe is back */
  bench_run(bench, 8 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_probes(bench)->count, 1);
  bench_answer_probe(bench);
  CU_ASSERT_EQUAL(bench_group(bench, 1)->congestion.base_rtt, 6 * OPP_US);
  bench_free(bench);
}

/* ---- At the receiver --------------------------------------------------------------------------------------------- */

SGF_TEST(UN_79_the_answer_to_a_probe_goes_ahead_of_held_acknowledgements)
{
  bench_t* bench = bench_new(NULL);
  bench_packets(bench, 0, 2);
  bench_probe_from(bench, 1);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  CU_ASSERT_EQUAL(bench->log[0].arrival, ack_wire + bench_delay); /* at once */
  CU_ASSERT_EQUAL(bench->log[0].bytes, 78);
  CU_ASSERT_EQUAL(bench_header(&bench->log[0])->type, UET_ACK);
  CU_ASSERT(bench_header(&bench->log[0])->flags & UET_FLAG_PROBE);
  CU_ASSERT_EQUAL(bench_header(&bench->log[0])->service_time, 0);
  for (size_t n = 1; n < 3; n++)
    CU_ASSERT_FALSE(bench_header(&bench->log[n])->flags & UET_FLAG_PROBE);
  bench_free(bench);
}

SGF_TEST(UN_52_a_probe_is_charged_44_bytes_to_class_1)
{
  bench_t* bench = bench_new(NULL);
  bench_probe_from(bench, 1);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].peak, 44);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].occupancy, 0);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].peak, 0);
  bench_free(bench);
}
