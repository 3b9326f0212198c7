/* A sender at line rate that obeys pauses, and hosts that take less (spec/roce-nic.md 5.1, 8.4, 9; RO-09, RO-10, RO-13,
 * RO-14, RO-28, RO-33, RO-35, RO-44 to RO-46). */
#include "harness.h"
#include "roce_support.h"

#define LANES(rate) "NicPCIeInterface/PhysicalLayer/LaneBps", rate, "HostPCIeInterface/PhysicalLayer/LaneBps", rate

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

SGF_TEST(RO_09_10_headroom_of_both_classes_exceeds_the_guidance)
{
  bench_t* bench       = roce_bench(NULL);
  const int64_t needed = 2 * net_port_bps(&bench->nic->port) / OPP_US * bench_delay / OPP_US / 8 + 2 * 4184;
  CU_ASSERT_EQUAL(needed, 18368);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].size - bench->nic->ingress[0].xoff, 720000);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].size - bench->nic->ingress[1].xoff, 80000);
  CU_ASSERT(80000 > needed);
  CU_ASSERT_EQUAL(net_port_duration(&bench->nic->port, 720000), 14400 * OPP_NS);
  bench_free(bench);
}

/* Transfers begin on whole picoseconds: a fetch of 70.84 ns is two of them. */
SGF_TEST(RO_13_the_default_PCIe_link)
{
  bench_t* bench = roce_bench(NULL);
  CU_ASSERT_EQUAL(sgf_pcie_to_host_bps(bench->nic->pcie), INT64_C(504320000000));
  CU_ASSERT_EQUAL(sgf_pcie_to_nic_bps(bench->nic->pcie), INT64_C(504320000000));
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(4096), 4368);
  CU_ASSERT_EQUAL(sgf_pcie_read(bench->nic->pcie, 0, 4096), roce_fetch);
  CU_ASSERT_EQUAL(INT64_C(504320) * 4096 / 4368, 472915); /* Mbps of payload */
  CU_ASSERT_EQUAL(INT64_C(400000) * 4096 / ROCE_FULL, 394415);
  CU_ASSERT_EQUAL(INT64_C(504320) * 4096 / (4368 + 98), 462538);
  bench_free(bench);
}

SGF_TEST(RO_14_lanes_of_7_88_Gbps)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS(LANES("7.88Gbps")));
  CU_ASSERT_EQUAL(sgf_pcie_to_host_bps(bench->nic->pcie), INT64_C(126080000000));
  CU_ASSERT_EQUAL(sgf_pcie_write(bench->nic->pcie, 0, 4096) / 10, 27715); /* 277.157 ns, printed as 277.16 */
  CU_ASSERT_EQUAL(INT64_C(126080) * 4096 / 4368, 118228);                 /* Mbps of payload */
  bench_free(bench);
}

/* ---- Received pauses --------------------------------------------------------------------------------------------- */

SGF_TEST(RO_33_35_a_pause_lets_the_frame_on_the_wire_finish_and_a_resume_goes_on_at_once)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, 20 * ROCE_MSS);
  const opp_simtime_t middle = roce_start + roce_fetch + 3 * roce_wire / 2;
  bench_run(bench, middle);
  bench_pause(bench, 0, PFC_MAX_QUANTA);
  bench_run(bench, 50 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  bench_pause(bench, 0, 0);
  bench_run(bench, 60 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 20);
  CU_ASSERT_EQUAL(bench->log[2].arrival, 50 * OPP_US + roce_wire + bench_delay);
  bench_free(bench);
}

/* ---- Overload ---------------------------------------------------------------------------------------------------- */

/* The peer sends one full packet after the other; a pause that it has heard of stops it from its next packet on, for as
 * long as the NIC's settings say. */
typedef struct sender {
  bench_t* bench;
  size_t heard; /* entries of the log */
  opp_simtime_t paused_until;
  opp_simtime_t stays_at;  /* when a packet stays in the pool for the first time; -1: not yet */
  opp_simtime_t pauses_at; /* when the first pause was sent; -1: not yet */
} sender_t;

static void hear(sender_t* sender)
{
  const bench_t* bench           = sender->bench;
  const opp_simtime_t pause_time = 83984800;
  for (; sender->heard < bench->count; sender->heard++) {
    const bench_frame_t* frame = &bench->log[sender->heard];
    if (frame->frame.type == NET_FRAME_PFC)
      sender->paused_until = frame->arrival + (frame->frame.pfc.quanta > 0 ? pause_time : 0);
  }
}

static void send_until(sender_t* sender, opp_simtime_t end)
{
  bench_t* bench = sender->bench;
  for (uint32_t psn = 0; bench_now(bench) < end;) {
    bench_run(bench, bench_now(bench) + roce_wire);
    hear(sender);
    if (bench_now(bench) < sender->paused_until)
      continue;
    roce_packets(bench, psn++, 1);
    if (sender->stays_at < 0 && bench->nic->ingress[0].occupancy > 0)
      sender->stays_at = bench_now(bench);
    if (sender->pauses_at < 0 && bench->nic->pfc.pauses[0] > 0)
      sender->pauses_at = bench_now(bench);
  }
}

static sender_t overload(const char* const* settings, opp_simtime_t end)
{
  sender_t sender = {.bench = roce_bench(settings), .stays_at = -1, .pauses_at = -1};
  send_until(&sender, end);
  return sender;
}

static bool is_near(opp_simtime_t date, opp_simtime_t expected, opp_simtime_t tolerance)
{
  return date > expected - tolerance && date < expected + tolerance;
}

/* The specification rounds to a tenth of a microsecond, and the test's clock ticks packet by packet. */
SGF_TEST(RO_44_a_slow_PCIe_link_pauses_its_sender_and_loses_nothing)
{
  const opp_simtime_t tolerance = 50 * OPP_NS + roce_wire;
  sender_t sender               = overload(BENCH_SETTINGS(LANES("7.88Gbps")), OPP_MS);
  CU_ASSERT(is_near(sender.stays_at, 6900 * OPP_NS, tolerance));
  CU_ASSERT(is_near(sender.pauses_at - sender.stays_at, 82600 * OPP_NS, tolerance));
  CU_ASSERT(sender.bench->nic->pfc.pauses[0] > 1);
  CU_ASSERT(sender.bench->nic->pfc.resumes[0] > 0);
  CU_ASSERT_EQUAL(sender.bench->nic->rx_drops, 0);
  bench_free(sender.bench);
}

SGF_TEST(RO_45_with_too_little_headroom_packets_are_lost_while_pauses_are_sent)
{
  sender_t sender = overload(
      BENCH_SETTINGS(LANES("7.88Gbps"), "PfcStaticXoffThreshold", "[0.9999, 0.8, 0, 0, 0, 0, 0, 0]"), 200 * OPP_US);
  CU_ASSERT(sender.bench->nic->pfc.pauses[0] > 0);
  CU_ASSERT(sender.bench->nic->rx_drops > 0);
  bench_free(sender.bench);
}

SGF_TEST(RO_46_the_default_PCIe_link_keeps_up)
{
  sender_t sender = overload(NULL, OPP_MS);
  CU_ASSERT_EQUAL(sender.bench->nic->pfc.pauses[0], 0);
  CU_ASSERT_EQUAL(sender.bench->nic->rx_drops, 0);
  CU_ASSERT_EQUAL(sender.bench->nic->ingress[0].peak, ROCE_IP);
  bench_free(sender.bench);
}
