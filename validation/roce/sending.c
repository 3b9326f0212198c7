/* Generation, queue pairs, the transmit buffer and its disciplines, on the bench (spec/roce-nic.md 5, 6, 10.1 to 10.3;
 * RO-01, RO-02, RO-04 to RO-07, RO-19, RO-20, RO-26 to RO-32, RO-51 to RO-53, RO-70, RO-71, RO-73). */
#include "harness.h"
#include "roce_support.h"

#include <string.h>

static const opp_simtime_t far = 5 * OPP_US;

static const bench_frame_t* data_at(const bench_t* bench, size_t n)
{
  const bench_frame_t* frame = bench_nth(bench, ROCE_DATA, n);
  CU_ASSERT_PTR_NOT_NULL_FATAL(frame);
  return frame;
}

static uint32_t psn_of(const bench_frame_t* frame)
{
  return roce_header_const(&frame->frame)->psn;
}

static void post_with_classes(bench_t* bench, uint64_t bytes, uint8_t data, uint8_t control)
{
  bench_post_as(bench, 1, (nic_message_t){.bytes = bytes, .has_classes = true, .classes = {data, control}});
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

SGF_TEST(RO_01_02_03_pools_and_thresholds_of_the_default_NIC)
{
  bench_t* bench = roce_bench(NULL);
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 230400);
  CU_ASSERT_EQUAL(bench->nic->egress[1].size, 25600);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].size, 3600000);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].size, 400000);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].xoff, 2880000);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].xon, 1440000);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].xoff, 320000);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].xon, 160000);
  CU_ASSERT_TRUE(bench->nic->ingress[0].pfc_enabled && bench->nic->ingress[1].pfc_enabled);
  CU_ASSERT_EQUAL(bench->warnings, 0);
  bench_free(bench);
}

SGF_TEST(RO_04_53_a_full_packet_is_4154_B_and_the_first_is_reserved_80_ns_after_its_doorbell)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, ROCE_MSS);
  bench_run(bench, roce_start - 1);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 0);
  bench_run(bench, roce_start);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 4154);
  bench_run(bench, far);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT_EQUAL(bench->log[0].bytes, 4154);
  CU_ASSERT_EQUAL(bench->log[0].arrival, roce_first_arrival());
  CU_ASSERT_EQUAL(bench->log[0].frame.ecn, NET_ECN_ECT0);
  CU_ASSERT_EQUAL(bench->log[0].frame.dscp, 0);
  CU_ASSERT_TRUE(roce_header_at(bench, 0)->flags & ROCE_FLAG_LAST);
  bench_free(bench);
}

SGF_TEST(RO_06_the_largest_MSS_is_4125_B_with_an_Mtu_of_4184)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(roce_refusal(BENCH_SETTINGS("MSS", "4125B"), &error), SGF_OK);
  CU_ASSERT_EQUAL(roce_refusal(BENCH_SETTINGS("MSS", "4126B"), &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "MSS"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "4125 B for MSS"));
}

SGF_TEST(RO_07_55_full_packets_reserve_and_the_56th_does_not)
{
  bench_t* bench = roce_bench(NULL);
  bench_pause(bench, 0, PFC_MAX_QUANTA);
  bench_post(bench, 1, 1 << 20);
  bench_run(bench, far);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 55 * 4154);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 228470);
  CU_ASSERT_TRUE(roce_of(bench)->stopped);
  bench_free(bench);
}

SGF_TEST(RO_19_a_message_of_0_B_is_one_packet_of_58_B)
{
  bench_t* bench = roce_bench(NULL);
  bench->answers = true;
  bench_post(bench, 1, 0);
  bench_run(bench, far);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT_EQUAL(bench->log[0].bytes, 58);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], roce_start + 1160 + bench_delay); /* 58 B at 400 Gb/s */
  bench_free(bench);
}

/* From the first bit to the last, since generation is faster than the line. */
SGF_TEST(RO_20_a_MiB_is_1063424_B_and_21268_48_ns_on_the_wire)
{
  bench_t* bench = roce_bench(NULL);
  int64_t bytes  = 0;
  bench_post(bench, 1, 1 << 20);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 256);
  for (size_t i = 0; i < bench->count; i++)
    bytes += bench->log[i].bytes;
  CU_ASSERT_EQUAL(bytes, 1063424);
  CU_ASSERT_EQUAL(bench->log[255].arrival - bench->log[0].arrival + roce_wire, 21268480);
  bench_free(bench);
}

SGF_TEST(RO_26_the_control_pool_holds_203_ACKs_and_what_comes_then_waits)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("AckCoalescingEnabled", "false"));
  bench_pause(bench, 1, PFC_MAX_QUANTA);
  for (unsigned qp = 0; qp < 204; qp++)
    roce_data(bench, (roce_data_t){.queue_pair = qp, .payload = 1});
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 203 * 126);
  CU_ASSERT_PTR_NOT_NULL(roce_of(bench)->replies[1].first);
  bench_pause(bench, 1, 0);
  bench_run(bench, bench_now(bench) + OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, ROCE_ACK, 0), 204);
  bench_free(bench);
}

/* ---- Restart (5.2) ----------------------------------------------------------------------------------------------- */

SGF_TEST(RO_27_generation_restarts_80_ns_after_the_28th_release)
{
  bench_t* bench = roce_bench(NULL);
  bench_pause(bench, 0, PFC_MAX_QUANTA);
  bench_post(bench, 1, 1 << 20);
  bench_run(bench, far);
  bench_pause(bench, 0, 0); /* the first serialisation starts */
  bench_run(bench, far + 28 * roce_wire + roce_start - 1);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 27 * 4154);
  bench_run(bench, far + 2406240);
  CU_ASSERT_EQUAL(28 * roce_wire + roce_start, 2406240);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 55 * 4154);
  bench_free(bench);
}

/* Class 2 has room all the time. */
SGF_TEST(RO_70_a_class_without_room_stops_the_others)
{
  bench_t* bench =
      roce_bench(BENCH_SETTINGS("EgressBufferManager/PoolAllocationVector", "[0.5, 0.1, 0.4, 0, 0, 0, 0, 0]"));
  bench_pause(bench, 0, PFC_MAX_QUANTA);
  bench_post(bench, 1, 1 << 20);
  post_with_classes(bench, 1 << 20, 2, 1);
  bench_run(bench, 20 * OPP_US);
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 128000);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 30 * 4154);
  CU_ASSERT_EQUAL(bench->nic->egress[2].reserved, 0);
  const size_t before = bench->count;
  CU_ASSERT_TRUE(before < 256);
  CU_ASSERT_EQUAL(bench->log[0].frame.dscp, 16);
  bench_pause(bench, 0, 0); /* it drains to 64,000 B or less with the 15th packet */
  bench_run(bench, 20 * OPP_US + 15 * roce_wire + roce_start - 1);
  CU_ASSERT_EQUAL(bench->nic->egress[2].reserved, 0);
  bench_run(bench, 20 * OPP_US + 15 * roce_wire + roce_start);
  CU_ASSERT_TRUE(bench->nic->egress[2].reserved > 0);
  bench_free(bench);
}

SGF_TEST(RO_71_pools_may_exceed_their_buffer_or_leave_some_of_it)
{
  bench_t* bench =
      roce_bench(BENCH_SETTINGS("EgressBufferManager/PoolAllocationVector", "[0.9, 0.9, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 230400);
  CU_ASSERT_EQUAL(bench->nic->egress[1].size, 230400);
  bench_free(bench);
  bench = roce_bench(BENCH_SETTINGS("EgressBufferManager/PoolAllocationVector", "[0.5, 0.1, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 128000);
  CU_ASSERT_EQUAL(bench->nic->egress[1].size, 25600);
  bench_free(bench);
}

/* ---- Queue pairs (10.1) ------------------------------------------------------------------------------------------ */

SGF_TEST(RO_51_a_queue_pair_sends_one_message_at_a_time)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, 2 * ROCE_MSS);
  bench_post(bench, 1, ROCE_MSS);
  bench_run(bench, far);
  CU_ASSERT_EQUAL(bench->count, 2);
  roce_ack(bench, 0, 1, 0);
  bench_run(bench, 2 * far);
  CU_ASSERT_EQUAL(bench->count, 2);
  roce_ack(bench, 0, 1, 1);
  bench_run(bench, 3 * far);
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  CU_ASSERT_EQUAL(roce_header_at(bench, 2)->message, 2);
  CU_ASSERT_EQUAL(bench->log[2].arrival, 2 * far + roce_first_arrival());
  bench_free(bench);
}

SGF_TEST(RO_52_ready_queue_pairs_take_turns_packet_by_packet)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, 10 * ROCE_MSS);
  bench_post_as(bench, 1, (nic_message_t){.bytes = 10 * ROCE_MSS, .queue_pair = 7});
  bench_run(bench, far);
  CU_ASSERT_EQUAL_FATAL(bench->count, 20);
  for (size_t i = 0; i < 20; i++) {
    CU_ASSERT_EQUAL(roce_header_at(bench, i)->queue_pair, i % 2);
    CU_ASSERT_EQUAL(psn_of(data_at(bench, i)), i / 2);
  }
  bench_free(bench);
}

/* A post while generation is about to start joins the queue and waits no longer for that. */
SGF_TEST(a_second_doorbell_does_not_put_off_the_start)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, ROCE_MSS);
  bench_run(bench, roce_start / 2);
  bench_post(bench, 2, ROCE_MSS);
  bench_run(bench, roce_start);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 2 * 4154);
  bench_free(bench);
}

SGF_TEST(messages_of_other_classes_are_on_another_queue_pair)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, ROCE_MSS);
  post_with_classes(bench, ROCE_MSS, 1, 0);
  post_with_classes(bench, ROCE_MSS, 0, 1);
  CU_ASSERT_EQUAL(roce_of(bench)->pair_count, 2); /* the third is of the NIC's own classes */
  bench_run(bench, far);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench->log[1].frame.dscp, 8);
  bench_free(bench);
}

SGF_TEST(a_message_with_a_rate_of_its_own_is_paced_by_its_payload)
{
  enum { PACKETS = 10 };
  bench_t* bench = roce_bench(NULL);
  bench->answers = true;
  bench_post_at(bench, 1, PACKETS * ROCE_MSS, INT64_C(100000000000));
  bench_run(bench, 10 * far);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS);
  /* Each finds the ready queue empty and is generated 80 ns later, which do not count. */
  for (size_t n = 0; n < PACKETS; n++)
    CU_ASSERT_EQUAL(bench->log[n].arrival, roce_first_arrival() + (opp_simtime_t)n * 327680);
  bench_free(bench);
}

/* Two packets of 1,024 B take 81.92 ns at 200 Gb/s, a start of generation 80 ns. */
SGF_TEST(a_rate_of_its_own_may_be_more_than_a_packet_for_each_start_of_generation)
{
  enum { PACKETS = 100, MSS = 1024 };
  bench_t* bench = roce_bench(BENCH_SETTINGS("MSS", "1024B"));
  bench->answers = true;
  bench_post_at(bench, 1, PACKETS * MSS, INT64_C(200000000000));
  bench_run(bench, 10 * far);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS);
  for (size_t n = 2; n < PACKETS; n++)
    CU_ASSERT_EQUAL(bench->log[n].arrival - bench->log[n - 2].arrival, 81920);
  bench_free(bench);
}

/* ---- The port (6) ------------------------------------------------------------------------------------------------ */

/* Data and ACKs that wait at the port; then both classes may go. */
static bench_t* backlogged(const char* discipline, unsigned acks)
{
  bench_t* bench =
      roce_bench(BENCH_SETTINGS("EgressBufferManager/QueueSchedulingType", discipline, "AckCoalescingEnabled", "false",
                                "EgressBufferManager/WRRQueueWeights", "[1, 3, 0, 0, 0, 0, 0, 0]"));
  roce_hold_both(bench);
  bench_post(bench, 1, 1 << 20);
  for (unsigned i = 0; i < acks; i++)
    roce_data(bench, (roce_data_t){.psn = i, .payload = 1});
  bench_run(bench, far);
  roce_free_both(bench);
  bench_run(bench, far + 20 * roce_wire);
  return bench;
}

SGF_TEST(RO_29_an_ACK_goes_ahead_of_data_that_waits)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, 20 * ROCE_MSS);
  bench_run(bench, roce_start + roce_fetch + roce_wire + roce_wire / 2); /* the second packet is on the wire */
  roce_data(bench, (roce_data_t){.payload = 1, .is_last = true});
  bench_run(bench, far);
  CU_ASSERT_EQUAL(roce_type_at(bench, 1), ROCE_DATA);
  CU_ASSERT_EQUAL(roce_type_at(bench, 2), ROCE_ACK);
  CU_ASSERT_EQUAL(bench->log[2].arrival - bench->log[1].arrival, roce_ack_wire);
  CU_ASSERT_EQUAL(bench->log[2].bytes, 126);
  CU_ASSERT_EQUAL(bench->log[2].frame.dscp, 8);
  CU_ASSERT_EQUAL(bench->log[2].frame.ecn, NET_ECN_NOT_ECT);
  bench_free(bench);
}

SGF_TEST(RO_30_weighted_turns_are_three_ACKs_and_a_data_packet)
{
  bench_t* bench = backlogged("WeightedRoundRobin", 40);
  for (size_t i = 0; i < 40; i++)
    CU_ASSERT_EQUAL(roce_type_at(bench, i), i % 4 == 3 ? ROCE_DATA : ROCE_ACK);
  bench_free(bench);
}

SGF_TEST(RO_31_round_robin_alternates)
{
  bench_t* bench = backlogged("RoundRobin", 40);
  for (size_t i = 0; i < 30; i++)
    CU_ASSERT_EQUAL(roce_type_at(bench, i), i % 2 == 0 ? ROCE_DATA : ROCE_ACK);
  bench_free(bench);
}

SGF_TEST(RO_32_a_CNP_leaves_while_its_class_is_paused_and_ACKs_wait)
{
  bench_t* bench = roce_bench(NULL);
  bench_pause(bench, 1, PFC_MAX_QUANTA);
  roce_data(bench, (roce_data_t){.payload = 1, .is_last = true, .is_marked = true});
  bench_run(bench, far);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT_EQUAL(roce_type_at(bench, 0), ROCE_CNP);
  CU_ASSERT_EQUAL(bench->log[0].arrival, 2440 + bench_delay);
  bench_pause(bench, 1, 0);
  bench_run(bench, 2 * far);
  CU_ASSERT_EQUAL(bench_count(bench, ROCE_ACK, 0), 1);
  bench_free(bench);
}

SGF_TEST(RO_34_36_a_second_pause_restarts_the_whole_time_and_is_honoured_without_PFC_of_ones_own)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("PFCEnableVector", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  bench_pause(bench, 0, PFC_MAX_QUANTA);
  bench_post(bench, 1, ROCE_MSS);
  bench_run(bench, 10 * OPP_US);
  bench_pause(bench, 0, PFC_MAX_QUANTA);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT_EQUAL(bench->log[0].arrival, 10 * OPP_US + 83984800 + roce_wire + bench_delay);
  bench_free(bench);
}

/* ---- Rules (3) --------------------------------------------------------------------------------------------------- */

static size_t warnings_of(const char* buffer, const char* share)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("PFCEnableVector", "[0, 0, 0, 0, 0, 0, 0, 0]", buffer, share));
  const size_t n = bench->warnings;
  bench_free(bench);
  return n;
}

SGF_TEST(pools_that_acknowledge_or_receive_nothing_are_warned_about)
{
  static const char egress[]  = "EgressBufferManager/PoolAllocationVector";
  static const char ingress[] = "IngressBufferManager/PoolAllocationVector";
  CU_ASSERT_EQUAL(warnings_of(egress, "[0.9, 0, 0, 0, 0, 0, 0, 0]"), 1);
  CU_ASSERT_EQUAL(warnings_of(egress, "[0.9, 0.00049, 0, 0, 0, 0, 0, 0]"), 1);  /* 125 B */
  CU_ASSERT_EQUAL(warnings_of(egress, "[0.9, 0.000493, 0, 0, 0, 0, 0, 0]"), 0); /* 126 B */
  CU_ASSERT_EQUAL(warnings_of(ingress, "[0.9, 0, 0, 0, 0, 0, 0, 0]"), 1);
  CU_ASSERT_EQUAL(warnings_of(ingress, "[0.0000001, 0.1, 0, 0, 0, 0, 0, 0]"), 1); /* data: less than a byte */
}

static opp_simtime_t longest_timeout(const char* const* settings)
{
  bench_t* bench              = roce_bench(settings);
  const opp_simtime_t longest = roce_transport.longest_timeout(bench->nic);
  bench_free(bench);
  return longest;
}

SGF_TEST(the_longest_timeout_counts_all_timers_and_a_packet_at_the_floor)
{
  CU_ASSERT_EQUAL(longest_timeout(NULL), 64 * OPP_MS);
  CU_ASSERT_EQUAL(longest_timeout(BENCH_SETTINGS("LossRecovery", "SelectiveRepeat")), 320 * OPP_US);
  CU_ASSERT_EQUAL(longest_timeout(BENCH_SETTINGS("LossRecovery", "SelectiveRepeat", "RtoLow", "1s")), OPP_S);
  CU_ASSERT_EQUAL(longest_timeout(BENCH_SETTINGS("RtoLow", "1s")), 64 * OPP_MS); /* is not used */
  CU_ASSERT_EQUAL(longest_timeout(BENCH_SETTINGS("RetransmitTimeout", "1ns")), 830800);
  CU_ASSERT_EQUAL(longest_timeout(BENCH_SETTINGS("MinimumRatePercentage", "0")), 8 * 4154 * OPP_S); /* at 1 bit/s */
}

static void check_refused(const char* attribute, const char* value)
{
  roce_block_t block;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&roce_attributes, &block, NULL), SGF_OK);
  const sgf_status_t status = sgf_attr_set_value(&roce_attributes, &block, attribute, value, &error);
  if (status == SGF_OK)
    CU_ASSERT_NOT_EQUAL(roce_refusal((const char* const[]){attribute, value, NULL}, &error), SGF_OK);
  const char* last = strrchr(attribute, '/');
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, last != NULL ? last + 1 : attribute));
}

SGF_TEST(RO_73_what_stops_a_run)
{
  check_refused("EgressBufferManager/PoolAllocationVector", "[-0.1, 0.1, 0, 0, 0, 0, 0, 0]");
  check_refused("IngressBufferManager/PoolAllocationVector", "[x, 0.1, 0, 0, 0, 0, 0, 0]");
  check_refused("EgressBufferManager/PoolAllocationVector", "[0, 0, 0, 0, 0, 0, 0, 0]");
  check_refused("QuantaValue", "[1.5, 1, 0, 0, 0, 0, 0, 0]");
  check_refused("EgressBufferManager/WRRQueueWeights", "[1.5, 1, 0, 0, 0, 0, 0, 0]");
  check_refused("MSS", "0B");
  check_refused("MSS", "9217B");
  check_refused("NicPCIeInterface/PhysicalLayer/LaneCount", "0");
  check_refused("HostPCIeInterface/PhysicalLayer/LaneCount", "17");
  CU_ASSERT_PTR_NULL(roce_transport.codepoints); /* a switch with its UET policy on refuses such a NIC */
}

SGF_TEST(names_of_the_documentation_find_their_attributes)
{
  static const char* const names[] = {"NetworkInterface/UplinkNetworkInterface/DataRate",
                                      "EnableBufferStats",
                                      "NICPCIeHandler/ReadRequestSize",
                                      "RoceTransportLayer/RetransmitTimeout",
                                      "RoceTransportLayer/AckCoalescingEnabled",
                                      "RoceTransportLayer/AckDelay",
                                      "RoceTransportLayer/AckThreshold",
                                      "ScalaRoceQpManager/MSS",
                                      "ECNHandler/EnableECN",
                                      "ECNHandler/MinimumRatePercentage",
                                      "ECNHandler/FastRecoveryAttempt",
                                      "ECNHandler/InitialTargetRatePercentage",
                                      "ECNHandler/NumberActiveIncreaseSteps",
                                      "ECNHandler/ControlIntervalDurationNs",
                                      "ECNHandler/CongestionProbabilityWeight",
                                      "ECNHandler/NumOfControlLoopsPerIncrease",
                                      "Mtu",
                                      "RdmaDataPacketTC",
                                      "RdmaControlPacketTC",
                                      "TransmissionMedium/Delay",
                                      "NumDownLinks"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    sgf_attr_ref_t ref;
    sgf_error_t error = {0};
    CU_ASSERT_EQUAL(sgf_attr_find(&roce_attributes, names[i], &ref, &error), SGF_OK);
  }
}
