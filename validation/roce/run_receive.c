/* spec/roce-nic.md 7, 8 and 9 in a simulation: h1's PCIe link does not keep up with what h0 sends; its receive pool
 * fills up, pauses and drops (RO-03, RO-08 to RO-12, RO-37 to RO-45, RO-47, RO-72, RO-76). */
#include "harness.h"

#include "roce_run_support.h"

#define SLOW(lanes, rate)                                                                                              \
  "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=" lanes, "**.h1.nic.NicPCIeInterface.PhysicalLayer."             \
                                                               "LaneBps=" rate
/* Twenty packets in the pool of class 0, ten of them exactly Xoff, five exactly Xon. */
#define SMALL_POOL                                                                                                     \
  "**.h1.nic.IngressBufferManager.TotalBufferSize=103400B",                                                            \
      "**.h1.nic.IngressBufferManager.PoolAllocationVector=[0.8, 0.2, 0, 0, 0, 0, 0, 0]",                              \
      "**.h1.nic.PfcStaticXoffThreshold=[0.5, 0.8, 0, 0, 0, 0, 0, 0]",                                                 \
      "**.h1.nic.PfcXonResumeThreshold=[0.25, 0.4, 0, 0, 0, 0, 0, 0]"

static const opp_simtime_t refresh = 41992400;
enum { XOFF = 2880000, XON = 1440000, SMALL_XOFF = 41360, SMALL_XON = 20680, LARGE = 4000 * RRUN_MSS };

/* ---- What the watch has seen ------------------------------------------------------------------------------------- */

/* A pause or resume that h1 queues, or its first drop: when, and what its pool held before and after that event. */
typedef struct sighting {
  opp_simtime_t date;
  int64_t before, after;
} sighting_t;

typedef struct sightings {
  sighting_t seen[64];
  uint64_t count;
} sightings_t;

static unsigned watched; /* class */
static sightings_t pauses, resumes;
static opp_simtime_t first_drop = -1;
static opp_simtime_t first_stay = -1; /* a packet stays in the pool */

static void note(sightings_t* sightings, uint64_t counter, sighting_t now)
{
  if (counter == sightings->count)
    return;
  CU_ASSERT_EQUAL_FATAL(counter, sightings->count + 1);
  CU_ASSERT_FATAL(counter <= sizeof sightings->seen / sizeof *sightings->seen);
  sightings->seen[sightings->count++] = now;
}

static void watch(opp_simtime_t now)
{
  static int64_t before;
  const nic_t* nic       = run_nic(1);
  const sighting_t state = {now, before, nic->ingress[watched].occupancy};
  note(&pauses, nic->pfc.pauses[watched], state);
  note(&resumes, nic->pfc.resumes[watched], state);
  if (nic->rx_drops > 0 && first_drop < 0)
    first_drop = now;
  if (state.after > 0 && first_stay < 0)
    first_stay = now;
  before = state.after;
}

/* The pauses of h1 do not reach h0. */
static opp_simtime_t keep_pauses(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  return !to_host && net_frame(msg)->type == NET_FRAME_PFC ? RUN_LOST : 0;
}

static void run_for(opp_simtime_t end, uint64_t bytes, const char* const* settings)
{
  rrun_cable_of(settings);
  run_write(0, 1, bytes, 0);
  run_watch(watch);
  run_until(end + rrun_wire - 1); /* the watch sees an event with the next one */
}

/* The n-th packet that stays in the pool, when nothing is drained; n from 1. */
static opp_simtime_t staying(int64_t n)
{
  return rrun_arrival(RUN_STUCK_WRITES + n);
}

/* ---- Nothing drains ---------------------------------------------------------------------------------------------- */

static void nothing_stays(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->ingress[0].occupancy, 0);
}

static void one_stays(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->ingress[0].occupancy, 4136);
}

SGF_SCENARIO(RO_76_58_writes_are_accepted_and_packet_59_is_the_first_in_the_pool)
{
  rrun_cable_of(RUN_SETTINGS(RUN_STUCK));
  run_write(0, 1, LARGE, 0);
  run_look(rrun_arrival(58), nothing_stays);
  run_look(rrun_arrival(59), one_stays);
  run_until(20 * OPP_US);
}

/* 696 packets are 2,878,656 B, 870 are 3,598,320 B. 174 packets of 4,154 B take 14.456 us; the 720,000 B of headroom
 * alone 14.4 us. */
SGF_SCENARIO(RO_10_and_RO_11_and_RO_12_packet_697_sends_the_pause_and_packet_871_is_dropped)
{
  rrun_fate = keep_pauses;
  run_for(staying(871), LARGE, RUN_SETTINGS(RUN_STUCK));
  CU_ASSERT_EQUAL_FATAL(pauses.count, 1); /* RO-39 */
  CU_ASSERT_EQUAL(pauses.seen[0].date, staying(697));
  CU_ASSERT_EQUAL(pauses.seen[0].before, 2878656);
  CU_ASSERT_EQUAL(pauses.seen[0].after, 2882792);
  CU_ASSERT_EQUAL(first_drop, staying(871));
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 1);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), 3598320);
  CU_ASSERT_EQUAL(first_drop - pauses.seen[0].date, 174 * rrun_wire);
  CU_ASSERT_EQUAL(INT64_C(720000) * 8 * OPP_S / RRUN_LINE, 14400 * OPP_NS);
}

/* h0 finishes the frame that it is sending. What comes after the pause is less than the guidance of 8.4. */
SGF_SCENARIO(RO_08_and_RO_09_and_RO_39_a_pause_is_repeated_every_41_9924_us_and_not_by_arrivals)
{
  enum { TIMES = 10 };
  const opp_simtime_t first   = staying(697);
  const opp_simtime_t reached = first + rrun_pfc + rrun_cable;
  run_for(first + TIMES * refresh + OPP_US, LARGE, RUN_SETTINGS(RUN_STUCK));
  const int64_t sent = (reached - rrun_start - rrun_fetch) / rrun_wire + 1;
  CU_ASSERT(sent > RUN_STUCK_WRITES + 697);
  CU_ASSERT_EQUAL((int64_t)rrun_count(ROCE_DATA, true), sent);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), (sent - RUN_STUCK_WRITES) * RRUN_IP);
  CU_ASSERT_EQUAL(2 * RRUN_LINE / OPP_US * rrun_cable / OPP_US / 8 + 2 * 4184, 18368);
  CU_ASSERT(run_peak("h1", "rx0") - XOFF < 18368);
  CU_ASSERT_EQUAL_FATAL(pauses.count, 1 + TIMES);
  for (int i = 0; i <= TIMES; i++) {
    CU_ASSERT_EQUAL(pauses.seen[i].date, first + i * refresh);
    CU_ASSERT_EQUAL(rrun_nth(RRUN_PFC, false, (size_t)i)->quanta, 65535);
    CU_ASSERT_EQUAL(rrun_nth(RRUN_PFC, false, (size_t)i)->pfc_classes, 1);
  }
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), 0);
}

static void in_class_1(sgf_op_t* write)
{
  CU_ASSERT_EQUAL(sgf_op_set_classes(write, 1, 0, NULL), SGF_OK);
}

/* Of class 1: 77 packets are 318,472 B, 78 are 322,608 B; 96 are 397,056 B. */
SGF_SCENARIO(RO_03_and_RO_09_class_1_pauses_at_320000_B)
{
  watched   = 1;
  rrun_fate = keep_pauses;
  rrun_cable_of(RUN_SETTINGS(RUN_STUCK));
  run_write_as(0, 1, LARGE, 0, in_class_1);
  run_watch(watch);
  run_until(staying(97) + rrun_wire - 1);
  CU_ASSERT_EQUAL_FATAL(pauses.count, 1);
  CU_ASSERT_EQUAL(pauses.seen[0].date, staying(78));
  CU_ASSERT_EQUAL(pauses.seen[0].before, 318472);
  CU_ASSERT_EQUAL(first_drop, staying(97));
  CU_ASSERT_EQUAL(run_peak("h1", "rx1"), 397056);
}

SGF_SCENARIO(RO_37_without_PFC_no_pause_is_sent_and_a_full_pool_drops)
{
  run_for(staying(880), LARGE, RUN_SETTINGS(RUN_STUCK, "**.h1.nic.PFCEnableVector=[0, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(rrun_count(RRUN_PFC, false), 0);
  CU_ASSERT_EQUAL(first_drop, staying(871));
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 10);
}

SGF_SCENARIO(RO_72_with_an_entry_of_2_no_pause_is_sent)
{
  run_for(staying(871), LARGE, RUN_SETTINGS(RUN_STUCK, "**.h1.nic.PFCEnableVector=[2, 2, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(pauses.count, 0);
  CU_ASSERT_EQUAL(first_drop, staying(871));
}

SGF_SCENARIO(RO_43_a_packet_that_does_not_fit_pauses_and_is_dropped)
{
  rrun_fate = keep_pauses;
  run_for(staying(871), LARGE,
          RUN_SETTINGS(RUN_STUCK, "**.h1.nic.PfcStaticXoffThreshold=[1.0, 0.8, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL_FATAL(pauses.count, 1);
  CU_ASSERT_EQUAL(pauses.seen[0].date, staying(871));
  CU_ASSERT_EQUAL(pauses.seen[0].after, 870 * 4136);
  CU_ASSERT_EQUAL(first_drop, staying(871));
}

/* The message ends with the packet that reaches Xoff, so that the pool stays there. */
SGF_SCENARIO(RO_38_and_RO_40_exactly_Xoff_pauses_and_repeats)
{
  run_for(staying(10) + 2 * refresh, (RUN_STUCK_WRITES + 10) * RRUN_MSS, RUN_SETTINGS(RUN_STUCK, SMALL_POOL));
  CU_ASSERT_EQUAL(run_nic(1)->ingress[0].xoff, SMALL_XOFF);
  CU_ASSERT_EQUAL_FATAL(pauses.count, 3);
  for (int i = 0; i < 3; i++)
    CU_ASSERT_EQUAL(pauses.seen[i].date, staying(10) + i * refresh);
  CU_ASSERT_EQUAL(pauses.seen[0].after, SMALL_XOFF);
  CU_ASSERT_EQUAL(pauses.seen[2].before, SMALL_XOFF);
  CU_ASSERT_EQUAL(resumes.count, 0);
}

/* h1 answers every packet that it has not dropped with a CNP, every 17th with an ACK. */
SGF_SCENARIO(RO_47_pauses_and_CNPs_never_change_a_transmit_pool)
{
  rrun_fate = rrun_mark_all;
  run_for(staying(697) + 2 * refresh, LARGE, RUN_SETTINGS(RUN_STUCK, "**.h0.nic.EnableECN=false"));
  CU_ASSERT_EQUAL(pauses.count, 3);
  CU_ASSERT_EQUAL(rrun_count(ROCE_CNP, false), rrun_count(ROCE_DATA, true));
  CU_ASSERT_EQUAL(run_peak("h1", "tx0"), 0);
  CU_ASSERT_EQUAL(run_peak("h1", "tx1"), 126); /* one ACK at a time */
  CU_ASSERT_EQUAL(run_peak("h0", "rx0"), 0);
  CU_ASSERT_EQUAL(run_peak("h0", "rx1"), 108); /* of a CNP 104 B, of an ACK 108 B */
}

/* ---- It drains slowly -------------------------------------------------------------------------------------------- */

/* A write in 3.5 us: at the first refresh the pool is below Xoff and far above Xon. */
SGF_SCENARIO(RO_40_just_below_Xoff_the_refresh_resumes)
{
  run_for(200 * OPP_US, LARGE, RUN_SETTINGS(SLOW("1", "10Gbps")));
  CU_ASSERT_FATAL(pauses.count >= 1 && resumes.count >= 1);
  CU_ASSERT_EQUAL(resumes.seen[0].date, pauses.seen[0].date + refresh);
  CU_ASSERT(resumes.seen[0].after < XOFF && resumes.seen[0].after > XOFF - 10 * RRUN_IP);
  CU_ASSERT_EQUAL(rrun_nth(RRUN_PFC, false, 1)->quanta, 0);
  CU_ASSERT_EQUAL(rrun_date(RRUN_PFC, false, 1), resumes.seen[0].date + rrun_pfc + rrun_cable);
}

/* A write in 1.1 us: the pool is down at five packets long before the refresh. */
SGF_SCENARIO(RO_41_a_release_to_exactly_Xon_resumes)
{
  run_for(200 * OPP_US, LARGE, RUN_SETTINGS(SLOW("1", "31.52Gbps"), SMALL_POOL));
  CU_ASSERT_FATAL(resumes.count >= 5);
  CU_ASSERT_EQUAL(run_nic(1)->ingress[0].xon, SMALL_XON);
  for (int i = 0; i < 5; i++) {
    CU_ASSERT_EQUAL(resumes.seen[i].before, SMALL_XON + RRUN_IP);
    CU_ASSERT_EQUAL(resumes.seen[i].after, SMALL_XON);
    CU_ASSERT(resumes.seen[i].date < pauses.seen[i].date + refresh);
  }
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 0);
}

/* Of class 1, to 160,000 B: 38 packets are 157,168 B. */
SGF_SCENARIO(RO_03_class_1_resumes_at_160000_B)
{
  watched = 1;
  rrun_cable_of(RUN_SETTINGS(SLOW("4", "31.52Gbps")));
  run_write_as(0, 1, LARGE, 0, in_class_1);
  run_watch(watch);
  run_until(100 * OPP_US);
  CU_ASSERT_FATAL(resumes.count >= 1);
  CU_ASSERT_EQUAL(resumes.seen[0].before, 39 * RRUN_IP);
  CU_ASSERT_EQUAL(resumes.seen[0].after, 157168);
  CU_ASSERT(resumes.seen[0].date < pauses.seen[0].date + refresh);
}

/* 348 packets are 1,439,328 B. Ten lanes drain the pool to there in less than a refresh. */
SGF_SCENARIO(RO_03_class_0_resumes_at_1440000_B)
{
  run_for(500 * OPP_US, LARGE, RUN_SETTINGS(SLOW("10", "31.52Gbps")));
  CU_ASSERT_FATAL(resumes.count >= 1);
  CU_ASSERT_EQUAL(resumes.seen[0].before, 349 * RRUN_IP);
  CU_ASSERT_EQUAL(resumes.seen[0].after, 1439328);
  CU_ASSERT(resumes.seen[0].date < pauses.seen[0].date + refresh);
}

/* The message ends with the packet that pauses: of those before it PCIe has taken 77. */
SGF_SCENARIO(RO_42_with_Xon_at_Xoff_the_first_release_resumes)
{
  enum { PAUSING = 697 + 77 };
  rrun_cable_of(RUN_SETTINGS(SLOW("1", "10Gbps"), "**.h1.nic.PfcXonResumeThreshold=[0.8, 0.8, 0, 0, 0, 0, 0, 0]"));
  run_write(0, 1, PAUSING * RRUN_MSS, 0);
  run_watch(watch);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(pauses.count, 1);
  CU_ASSERT_EQUAL(pauses.seen[0].date, rrun_arrival(PAUSING));
  CU_ASSERT_EQUAL(pauses.seen[0].after, 2882792);
  CU_ASSERT_EQUAL_FATAL(resumes.count, 1);
  CU_ASSERT_EQUAL(resumes.seen[0].before, 2882792);
  CU_ASSERT_EQUAL(resumes.seen[0].after, 2878656);
}

/* ---- PCIe 3.0 ---------------------------------------------------------------------------------------------------- */

#define GEN3 "**.h1.pcie=gen3 x16"

/* Packet 84 is the first that stays, 6.9 us after the first has come; packet 1078 pauses, 82.6 us later: both times to
 * a tenth of a microsecond, as they are given. */
SGF_SCENARIO(RO_44_a_slow_PCIe_link_pauses_its_sender_and_loses_nothing)
{
  rrun_cable_of(RUN_SETTINGS(GEN3));
  run_write(0, 1, LARGE, 0);
  run_watch(watch);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(first_stay, rrun_arrival(84));
  CU_ASSERT_EQUAL(pauses.seen[0].date, rrun_arrival(1078));
  CU_ASSERT_EQUAL((first_stay - rrun_arrival(1) + 50 * OPP_NS) / (100 * OPP_NS), 69);
  CU_ASSERT_EQUAL((pauses.seen[0].date - first_stay + 50 * OPP_NS) / (100 * OPP_NS), 826);
  CU_ASSERT(pauses.count >= 2);
  CU_ASSERT(resumes.count >= 2);
  CU_ASSERT(run_peak("h1", "rx0") - XOFF < 18368); /* RO-09 */
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 0);
  CU_ASSERT_EQUAL(rrun_counters(0)->data_sent, 4000);
}

SGF_SCENARIO(RO_45_with_too_little_headroom_packets_are_lost_while_pauses_are_sent)
{
  run_for(300 * OPP_US, LARGE, RUN_SETTINGS(GEN3, "**.h1.nic.PfcStaticXoffThreshold=[0.9999, 0.8, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(pauses.count >= 1);
  CU_ASSERT_EQUAL(first_drop, pauses.seen[0].date); /* 870 packets leave 1,680 B, Xoff is 360 B below the pool */
  CU_ASSERT(run_nic(1)->rx_drops >= 2);
}
