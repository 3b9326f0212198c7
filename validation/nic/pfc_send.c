/* spec/uet-nic.md 6.1 and 11.4 on the state machine, second part: the pauses that a NIC sends. */
#include "harness.h"
#include "nic_support.h"

static const opp_simtime_t refresh = 41992400; /* half of 65,535 quanta at 400 Gb/s and 100 ns */
enum { XOFF = 2880000, XON = 1440000 };

static nic_ingress_pool_t* pool(const bench_t* bench)
{
  return &bench->nic->ingress[0];
}

static uint64_t pauses(const bench_t* bench)
{
  return bench->nic->pfc.pauses[0];
}

static uint64_t resumes(const bench_t* bench)
{
  return bench->nic->pfc.resumes[0];
}

/* PCIe's transmit buffer takes 58 full writes and 6 of one transfer, all its 470 headers: from there on a packet stays
 * in the pool until as many headers have come free as its write needs. */
static void fill_pcie(bench_t* bench)
{
  for (unsigned i = 0; i < 64; i++)
    bench_packet(bench, i, i < 58 ? BENCH_MSS : 1);
  CU_ASSERT_EQUAL_FATAL(pool(bench)->occupancy, 0);
}

/* Charge the pool with `bytes` more: full packets, and one that is shorter. */
static void charge(bench_t* bench, int64_t bytes)
{
  const int64_t goal = pool(bench)->occupancy + bytes;
  for (uint32_t psn = 1000 + (uint32_t)pool(bench)->occupancy; pool(bench)->occupancy < goal; psn++) {
    const int64_t left = goal - pool(bench)->occupancy;
    /* What is left is at least the least charge of a packet, 88 B: take a little less before that. */
    const int64_t next = left <= BENCH_IP ? left : left < BENCH_IP + 89 ? left - 89 : BENCH_IP;
    bench_packet(bench, psn, next - 88);
  }
  CU_ASSERT_EQUAL_FATAL(pool(bench)->occupancy, goal);
}

/* A transfer of 546 B takes 21.84 us: one header comes free before the first refresh, not two. */
#define CRAWLING                                                                                                       \
  BENCH_PFC, "NicPCIeInterface/PhysicalLayer/LaneBps", "200Mbps", "NicPCIeInterface/PhysicalLayer/LaneCount", "1"
#define STUCK BENCH_PFC, BENCH_STUCK

static opp_simtime_t period_of(int64_t bps, opp_simtime_t delay, const char* quanta)
{
  bench_t* bench             = bench_on(bps, delay, BENCH_SETTINGS(BENCH_PFC, "QuantaValue", quanta));
  const opp_simtime_t period = pool(bench)->refresh.period;
  bench_free(bench);
  return period;
}

SGF_TEST(UN_37_pause_time_and_refresh_interval)
{
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 400000000000, 100000), 83984800);
  CU_ASSERT_EQUAL(period_of(400000000000, 100000, "[65535, 65535, 0, 0, 0, 0, 0, 0]"), refresh);
}

SGF_TEST(UN_51_at_100_Gbps_a_pause_is_four_times_as_long)
{
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 100000000000, 100000), 335639200);
  CU_ASSERT_EQUAL(period_of(100000000000, 100000, "[65535, 65535, 0, 0, 0, 0, 0, 0]"), 167819600);
}

SGF_TEST(UN_174_a_thousand_quanta)
{
  CU_ASSERT_EQUAL(pfc_pause_time(1000, 400000000000, 100000), 1380000);
  CU_ASSERT_EQUAL(period_of(400000000000, 100000, "[1000, 1000, 0, 0, 0, 0, 0, 0]"), 690000);
}

SGF_TEST(UN_175_a_delay_of_500_ns_counts_in_the_pause_and_on_the_wire)
{
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 400000000000, 500000), 84384800);
  CU_ASSERT_EQUAL(period_of(400000000000, 500000, "[65535, 65535, 0, 0, 0, 0, 0, 0]"), 42192400);
  bench_t* bench = bench_on(400000000000, 500000, NULL);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->log[0].arrival, bench_doorbell + bench_fetch + bench_wire + 500000);
  bench_free(bench);
}

SGF_TEST(UN_38_the_pause_goes_out_with_the_packet_that_reaches_Xoff)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(STUCK));
  fill_pcie(bench);
  charge(bench, 2875815);
  bench_packet(bench, 1, BENCH_MSS); /* a duplicate is charged like any packet */
  CU_ASSERT_EQUAL(pool(bench)->peak, XOFF - 1);
  CU_ASSERT_EQUAL(pauses(bench), 0);
  bench_free(bench);

  bench = bench_new(BENCH_SETTINGS(STUCK));
  fill_pcie(bench);
  charge(bench, 2875816);
  CU_ASSERT_EQUAL(pauses(bench), 0);
  bench_packet(bench, 100, BENCH_MSS);
  CU_ASSERT_EQUAL(pool(bench)->occupancy, XOFF);
  CU_ASSERT_EQUAL(pauses(bench), 1);
  bench_free(bench);
}

SGF_TEST(UN_39_the_689th_full_packet_pauses_and_171_more_fit)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(STUCK));
  fill_pcie(bench);
  bench_packets(bench, 100, 688);
  CU_ASSERT_EQUAL(pool(bench)->occupancy, 2878592);
  CU_ASSERT_EQUAL(pauses(bench), 0);
  bench_packet(bench, 788, BENCH_MSS);
  CU_ASSERT_EQUAL(pauses(bench), 1);
  bench_packets(bench, 789, 171);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 0);
  bench_packet(bench, 960, BENCH_MSS);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, BENCH_PFC_FRAMES, 0), 1);
  const bench_frame_t* frame = bench_nth(bench, BENCH_PFC_FRAMES, 0);
  CU_ASSERT(frame->frame.pfc.classes == 1 && frame->frame.pfc.quanta == 65535);
  bench_free(bench);
}

SGF_TEST(UN_40_without_PFC_packets_are_dropped_and_none_is_paused)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_STUCK));
  fill_pcie(bench);
  bench_packets(bench, 100, 860 + 40);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 40);
  CU_ASSERT_EQUAL(bench_count(bench, BENCH_PFC_FRAMES, 0), 0);
  bench_free(bench);
}

SGF_TEST(UN_41_no_second_pause_before_the_refresh)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(STUCK));
  fill_pcie(bench);
  bench_packets(bench, 100, 689);
  bench_run(bench, refresh / 2);
  bench_packets(bench, 789, 100);
  bench_run(bench, refresh - 1);
  CU_ASSERT_EQUAL(pauses(bench), 1);
  bench_free(bench);
}

/* A pool that is at `bytes` when the refresh of its pause is due. The first write to wait, of 89 B, is accepted before
 * that. */
static bench_t* at_refresh_with(int64_t bytes)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(CRAWLING));
  fill_pcie(bench);
  charge(bench, 89);
  charge(bench, bytes);
  CU_ASSERT_EQUAL(pauses(bench), 1);
  CU_ASSERT_EQUAL(bench_now(bench), 0);
  bench_run(bench, refresh - 1);
  CU_ASSERT_EQUAL(pool(bench)->occupancy, bytes);
  CU_ASSERT_EQUAL(pauses(bench), 1);
  CU_ASSERT_EQUAL(resumes(bench), 0);
  bench_run(bench, refresh);
  return bench;
}

SGF_TEST(UN_42_a_refresh_at_Xoff_pauses_again)
{
  bench_t* bench = at_refresh_with(XOFF);
  CU_ASSERT_EQUAL(pauses(bench), 2);
  CU_ASSERT_EQUAL(resumes(bench), 0);
  bench_free(bench);
}

SGF_TEST(UN_43_a_refresh_a_byte_below_Xoff_resumes_although_above_Xon)
{
  bench_t* bench = at_refresh_with(XOFF - 1);
  CU_ASSERT_EQUAL(pauses(bench), 1);
  CU_ASSERT_EQUAL(resumes(bench), 1);
  CU_ASSERT_FALSE(pool(bench)->pause_outstanding);
  bench_run(bench, 3 * refresh); /* and the clock has stopped */
  CU_ASSERT_EQUAL(pauses(bench), 1);
  CU_ASSERT_EQUAL(resumes(bench), 1);
  bench_free(bench);
}

/* A full-speed link drains from Xoff to Xon in 24 us, before the refresh. What arrives last leaves last: `rest` bytes.
 */
static bench_t* draining_to(int64_t rest)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_PFC));
  fill_pcie(bench);
  charge(bench, XOFF - rest);
  charge(bench, rest);
  CU_ASSERT_EQUAL(pauses(bench), 1);
  while (pool(bench)->occupancy > rest) {
    CU_ASSERT_EQUAL(resumes(bench), 0);
    bench_step(bench);
  }
  CU_ASSERT_EQUAL(pool(bench)->occupancy, rest);
  return bench;
}

SGF_TEST(UN_44_a_release_to_Xon_resumes_at_once)
{
  bench_t* bench = draining_to(XON);
  CU_ASSERT_EQUAL(resumes(bench), 1);
  CU_ASSERT(bench_now(bench) < refresh);
  bench_run(bench, OPP_MS); /* the refresh is cancelled */
  CU_ASSERT_EQUAL(pauses(bench), 1);
  CU_ASSERT_EQUAL(resumes(bench), 1);
  bench_free(bench);
}

SGF_TEST(UN_44_a_release_to_a_byte_above_Xon_does_not_resume)
{
  bench_t* bench = draining_to(XON + 1);
  CU_ASSERT_EQUAL(resumes(bench), 0);
  while (pool(bench)->occupancy == XON + 1)
    bench_step(bench);
  CU_ASSERT_EQUAL(resumes(bench), 1);
  bench_free(bench);
}

SGF_TEST(UN_45_a_packet_that_is_dropped_still_causes_its_pause)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(STUCK, "PfcStaticXoffThreshold", "[1, 1, 0, 0, 0, 0, 0, 0]"));
  fill_pcie(bench);
  bench_packets(bench, 100, 860);
  CU_ASSERT_EQUAL(pauses(bench), 0);
  bench_packet(bench, 960, BENCH_MSS);
  CU_ASSERT_EQUAL(pauses(bench), 1);
  CU_ASSERT_EQUAL(bench->nic->rx_drops, 1);
  CU_ASSERT_EQUAL(pool(bench)->occupancy, 3598240);
  bench_free(bench);
}

SGF_TEST(UN_54_with_Xon_above_Xoff_each_packet_pauses_and_resumes)
{
  enum { PACKETS = 20 };
  bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_PFC, "PfcStaticXoffThreshold", "[0.001, 0.8, 0, 0, 0, 0, 0, 0]",
                                            "PfcXonResumeThreshold", "[0.9, 0.4, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(bench->warnings, 1);
  for (uint32_t i = 0; i < PACKETS; i++) {
    bench_run(bench, i * bench_wire);
    bench_packet(bench, i, BENCH_MSS);
    CU_ASSERT_EQUAL(pauses(bench), i + 1);
    CU_ASSERT_EQUAL(resumes(bench), i + 1);
  }
  bench_free(bench);
}

SGF_TEST(UN_172_only_the_value_1_turns_pauses_on_and_only_for_its_class)
{
#define LOW_XOFF                                                                                                       \
  "PfcStaticXoffThreshold", "[0.001, 0.0001, 0, 0, 0, 0, 0, 0]", "QuantaValue", "[1, 1, 0, 0, 0, 0, 0, 0]"
  bench_t* bench = bench_new(BENCH_SETTINGS(LOW_XOFF, "PFCEnableVector", "[2, 0, 0, 0, 0, 0, 0, 0]"));
  bench_packet(bench, 0, BENCH_MSS);
  CU_ASSERT_EQUAL(pauses(bench), 0);
  bench_free(bench);

  bench = bench_new(BENCH_SETTINGS(LOW_XOFF, "PFCEnableVector", "[1, 0, 0, 0, 0, 0, 0, 0]"));
  bench_post(bench, 1, 0);
  bench_run(bench, OPP_US);
  bench_ack(bench, bench_nth(bench, UET_DATA, 0), 1, 0); /* 60 B in class 1, whose Xoff would be 40 B */
  CU_ASSERT_EQUAL(bench->nic->ingress[1].peak, 60);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[1], 0);
  bench_packet(bench, 0, BENCH_MSS);
  CU_ASSERT_EQUAL(pauses(bench), 1);
  bench_free(bench);

  bench = bench_new(BENCH_SETTINGS(LOW_XOFF, "PFCEnableVector", "[0, 1, 0, 0, 0, 0, 0, 0]"));
  bench_post(bench, 1, 0);
  bench_run(bench, OPP_US);
  bench_ack(bench, bench_nth(bench, UET_DATA, 0), 1, 0);
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[1], 1);
  bench_free(bench);
}

SGF_TEST(UN_177_a_full_pool_repeats_the_pause_at_every_refresh)
{
  enum { TIMES = 10 };
  bench_t* bench = bench_new(BENCH_SETTINGS(STUCK));
  fill_pcie(bench);
  bench_packets(bench, 100, 689);
  bench_run(bench, TIMES * refresh + OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, BENCH_PFC_FRAMES, 0), 1 + TIMES);
  for (size_t i = 1; i <= TIMES; i++)
    CU_ASSERT_EQUAL(bench_nth(bench, BENCH_PFC_FRAMES, i)->arrival, (opp_simtime_t)i * refresh + 1280 + bench_delay);
  CU_ASSERT(refresh < pfc_pause_time(65535, 400000000000, 100000)); /* before the one before has run out */
  bench_free(bench);
}
