/* spec/uet-nic.md 11.1 on the state machine: what packets a message becomes, how long they are, when they arrive, how
 * they are marked. */
#include "harness.h"
#include "nic_support.h"

#include <math.h>

static bool about(double value, double documented)
{
  return fabs(value - documented) <= documented * 1e-3;
}

static double ns(opp_simtime_t time)
{
  return (double)time / 1e3;
}

/* The data packets of one message that is acknowledged as it arrives; the bench has nothing else in its log. */
static bench_t* message_of(uint64_t bytes)
{
  bench_t* bench = bench_new(NULL);
  bench->answers = true;
  bench_post(bench, 1, bytes);
  bench_run(bench, OPP_MS);
  CU_ASSERT(bench->acknowledged_at[0] > 0);
  return bench;
}

static int64_t wire_bytes(const bench_t* bench)
{
  int64_t bytes = 0;
  for (size_t i = 0; i < bench->count; i++)
    bytes += bench->log[i].bytes;
  return bytes;
}

SGF_TEST(UN_01_a_full_data_packet_takes_4202_bytes_and_84_04_ns)
{
  bench_t* bench = message_of(4096);
  CU_ASSERT_EQUAL(4096 + 44 + 16 + 8 + 20 + 18, 4202);
  CU_ASSERT_EQUAL(bench->log[0].bytes, 4202);
  CU_ASSERT_EQUAL(8 * INT64_C(4202) * OPP_S / 400000000000, 84040);
  CU_ASSERT_EQUAL(bench->log[0].arrival, bench_doorbell + bench_fetch + 84040 + bench_delay);
  bench_free(bench);
}

SGF_TEST(UN_02_a_nominal_packet_is_4184_bytes)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 4096);
  bench_run(bench, bench_doorbell);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 4184);
  CU_ASSERT_EQUAL(4096 + 44 + 16 + 8 + 20, 4184);
  bench_free(bench);
}

/* NACKs and trimmed packets: nacks.c; probes: probes.c. */
SGF_TEST(UN_03_an_acknowledgement_takes_78_bytes_and_a_pause_frame_64)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_PFC, "PfcStaticXoffThreshold", "[0.001, 0.001, 0, 0, 0, 0, 0, 0]"));
  bench_packet(bench, 0, BENCH_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, UET_ACK, 0), 1);
  CU_ASSERT_EQUAL(bench_nth(bench, UET_ACK, 0)->bytes, 78);
  CU_ASSERT_FATAL(bench_count(bench, BENCH_PFC_FRAMES, 0) > 0);
  CU_ASSERT_EQUAL(bench_nth(bench, BENCH_PFC_FRAMES, 0)->bytes, 64);
  bench_free(bench);
}

SGF_TEST(UN_04_peak_goodput_is_389_9_Gbps)
{
  enum { PACKETS = 1000 };
  bench_t* bench = message_of((uint64_t)PACKETS * 4096);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS);
  const opp_simtime_t time = bench->log[PACKETS - 1].arrival - bench->log[0].arrival;
  CU_ASSERT(about(8.0 * (PACKETS - 1) * 4096 / ns(time), 389.9));
  bench_free(bench);
}

SGF_TEST(UN_05_one_MiB_is_256_packets_and_1075712_bytes_on_the_wire)
{
  bench_t* bench = message_of(1 << 20);
  CU_ASSERT_EQUAL(bench->count, 256);
  CU_ASSERT_EQUAL(wire_bytes(bench), 1075712);
  const opp_simtime_t wire =
      bench->log[255].arrival - bench->log[0].arrival + bench_wire - bench_probe; /* goes between */
  CU_ASSERT_EQUAL(wire, 8 * INT64_C(1075712) * OPP_S / 400000000000);
  CU_ASSERT(about(ns(wire), 21.51e3));
  bench_free(bench);
}

SGF_TEST(UN_06_messages_of_0_1_4096_and_4097_bytes)
{
  static const struct {
    uint64_t bytes;
    size_t packets;
    int64_t on_wire;
  } cases[] = {{0, 1, 106}, {1, 1, 107}, {4096, 1, 4202}, {4097, 2, 4202 + 107}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bench_t* bench = message_of(cases[i].bytes);
    CU_ASSERT_EQUAL(bench->count, cases[i].packets);
    CU_ASSERT_EQUAL(wire_bytes(bench), cases[i].on_wire);
    CU_ASSERT(bench_header(&bench->log[bench->count - 1])->flags & UET_FLAG_END);
    bench_free(bench);
  }
}

SGF_TEST(UN_06_a_message_without_payload_is_not_fetched)
{
  bench_t* bench = message_of(0);
  CU_ASSERT_EQUAL(bench->log[0].arrival, bench_doorbell + 8 * 106 * OPP_S / 400000000000 + bench_delay);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 0);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(bench->nic->pcie), 0);
  bench_free(bench);
}

SGF_TEST(UN_07_a_frame_arrives_100_ns_after_its_end_and_the_next_follows_without_a_gap)
{
  bench_t* bench                  = message_of(3 * 4096);
  const opp_simtime_t first_start = bench_doorbell + bench_fetch;
  for (int i = 0; i < 3; i++)
    CU_ASSERT_EQUAL(bench->log[i].arrival, first_start + (i + 1) * bench_wire + 100000);
  bench_free(bench);
}

static bool roles_are(const char* trimming, const char* distinct, net_role_t first, net_role_t again)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("TrimmingEnabled", trimming, "UseDistinctDSCPForRetransmits", distinct));
  bench_post(bench, 1, 4096);
  bench_run(bench, 200 * OPP_US); /* the timer expires once */
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_FALSE(bench_header(&bench->log[0])->flags & UET_FLAG_RETRANSMIT);
  CU_ASSERT_TRUE(bench_header(&bench->log[1])->flags & UET_FLAG_RETRANSMIT);
  const bool right =
      bench->log[0].frame.dscp == net_role_dscp(first) && bench->log[1].frame.dscp == net_role_dscp(again);
  bench_free(bench);
  return right;
}

SGF_TEST(UN_08_codepoint_roles_of_first_transmissions_and_retransmissions)
{
  CU_ASSERT(roles_are("false", "true", NET_ROLE_NO_TRIM, NET_ROLE_TRIMMABLE_RTX));
  CU_ASSERT(roles_are("true", "true", NET_ROLE_TRIMMABLE, NET_ROLE_TRIMMABLE_RTX));
  CU_ASSERT(roles_are("false", "false", NET_ROLE_NO_TRIM, NET_ROLE_NO_TRIM));
  CU_ASSERT(roles_are("true", "false", NET_ROLE_TRIMMABLE, NET_ROLE_TRIMMABLE));
}

SGF_TEST(UN_08_each_role_has_a_codepoint_of_its_own)
{
  for (int role = NET_ROLE_NO_TRIM; role < NET_ROLE_UNRECOGNIZED; role++)
    CU_ASSERT_EQUAL((int)net_role_of_dscp(net_role_dscp((net_role_t)role)), role);
  CU_ASSERT_EQUAL(net_role_of_dscp(63), NET_ROLE_UNRECOGNIZED);
}

/* A frame has no TTL field: nothing in the fabric counts hops. */
SGF_TEST(UN_09_every_packet_is_ECT1_and_acknowledgements_carry_the_control_role)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 4096);
  bench_packet(bench, 0, BENCH_MSS);
  bench_run(bench, 200 * OPP_US); /* a first transmission, a retransmission and an acknowledgement */
  CU_ASSERT_EQUAL(bench_count(bench, UET_DATA, 0), 2);
  CU_ASSERT_EQUAL(bench_count(bench, UET_ACK, 0), 1);
  for (size_t i = 0; i < bench->count; i++) {
    CU_ASSERT_EQUAL(bench->log[i].frame.ecn, NET_ECN_ECT1);
    CU_ASSERT_EQUAL(bench->log[i].frame.dscp == net_role_dscp(NET_ROLE_CONTROL),
                    bench_header(&bench->log[i])->type == UET_ACK);
  }
  bench_free(bench);
}

SGF_TEST(UN_161_data_is_class_0_and_control_class_1_at_both_ends)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 4096);
  bench_run(bench, 200 * OPP_US); /* sent, and sent again */
  CU_ASSERT_EQUAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench->nic->egress[0].peak, BENCH_FULL);
  CU_ASSERT_EQUAL(bench->nic->egress[1].peak, 0);
  bench_ack(bench, &bench->log[1], 1, 0);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].peak, 0);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].peak, 60);
  bench_data(bench, (bench_data_t){.payload = BENCH_MSS, .is_again = true});
  CU_ASSERT_EQUAL(bench->nic->ingress[0].peak, BENCH_IP);
  bench_run(bench, 201 * OPP_US);
  CU_ASSERT_EQUAL(bench->nic->egress[1].peak, 78);
  for (unsigned tc = 2; tc < NET_CLASSES; tc++)
    CU_ASSERT(bench->nic->egress[tc].peak == 0 && bench->nic->ingress[tc].peak == 0);
  bench_free(bench);
}
