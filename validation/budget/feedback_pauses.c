/* Tp of pauses, call by call: a switch with frames, a NIC on the bench (spec/feedback-budget.md 4 and 5). */
#include "harness.h"
#include "nic/nic_support.h"
#include "switch/lab_support.h"

/* ---- What was told ----------------------------------------------------------------------------------------------- */

enum { MOST = 8 };

static pfc_episode_t told[MOST];
static unsigned tellings;

static void note(void* user, unsigned port, unsigned pool, const pfc_episode_t* episode)
{
  (void)user;
  CU_ASSERT(port == 0 && pool == 0);
  CU_ASSERT_FATAL(tellings < MOST);
  told[tellings++] = *episode;
}

/* ---- A switch ---------------------------------------------------------------------------------------------------- */

enum { IN = 0, SINK = 127, TO_XOFF = 176 }; /* packets of 4,000 B: the last of so many passes Xoff, 700 KB */

static pfc_episodes_t episodes;
static switch_observer_t observer;

static void ignore(void* user, unsigned port, net_frame_t* frame)
{
  (void)user;
  (void)port;
  (void)frame;
}

/* D128 whose pauses are measured, and whose port to the sink is held. */
static lab_t* measured_lab(const char* const* settings)
{
  lab_t* lab = lab_d128(settings);
  tellings   = 0;
  pfc_episodes_init(&episodes, 128, note, NULL);
  observer             = (switch_observer_t){ignore, ignore, NULL, &episodes};
  lab->state->observer = &observer;
  lab_hold(lab, SINK, 0);
  return lab;
}

static void free_lab(lab_t* lab)
{
  lab_free(lab);
  pfc_episodes_free(&episodes);
}

SGF_TEST(a_switch_measures_from_the_packet_that_passes_Xoff_to_the_last_one)
{
  lab_t* lab = measured_lab(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 0, TO_XOFF - 1);
  lab_run(lab, lab_now(lab) + OPP_US);
  lab_packets(lab, IN, SINK, 0, 1);
  const opp_simtime_t decided = lab_now(lab);
  lab_run(lab, decided + 300 * OPP_NS);
  lab_packets(lab, IN, SINK, 0, 3);
  lab_run(lab, decided + 1234567);
  lab_packets(lab, IN, SINK, 0, 2);
  const opp_simtime_t last = lab_now(lab);
  CU_ASSERT_EQUAL(last, decided + 1234567);
  lab_run_held(lab, SINK, 0, decided + 100 * OPP_US); /* beyond two refreshes */
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 3);
  CU_ASSERT_EQUAL(tellings, 0);
  lab_release(lab, SINK, 0);
  lab_settle(lab);
  lab_depart(lab, SINK, 104); /* by then as much is left as Xon */
  CU_ASSERT_EQUAL_FATAL(tellings, 1);
  CU_ASSERT(told[0].decided == decided && told[0].last == last);
  CU_ASSERT(told[0].frames == 5 && told[0].bytes == 5 * LAB_PACKET);
  CU_ASSERT_EQUAL(told[0].above, 5 * LAB_PACKET);
  CU_ASSERT_EQUAL(told[0].above, sgf_sb_headroom_peak(lab->buffer, IN, 0));
  free_lab(lab);
}

SGF_TEST(a_lossy_packet_of_the_pool_is_no_arrival)
{
  lab_t* lab = measured_lab(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 0, TO_XOFF);
  const opp_simtime_t decided = lab_now(lab);
  lab_run(lab, decided + OPP_US);
  lab_packets(lab, IN, SINK, 2, 4);
  CU_ASSERT_EQUAL(sgf_sb_pool_of(lab->buffer, 2), 0);
  CU_ASSERT_EQUAL(episodes.of[IN][0].decided, decided);
  CU_ASSERT_EQUAL(episodes.of[IN][0].last, -1);
  free_lab(lab);
}

SGF_TEST(what_headroom_has_no_room_for_has_arrived_all_the_same)
{
  lab_t* lab = measured_lab(LAB_SETTINGS("HeadRoomPerPortLimit", "8000B"));
  lab_packets(lab, IN, SINK, 0, TO_XOFF);
  lab_run(lab, lab_now(lab) + OPP_US);
  lab_packets(lab, IN, SINK, 0, 5);
  CU_ASSERT_EQUAL(lab_drops(lab), 3);
  CU_ASSERT_EQUAL(episodes.of[IN][0].frames, 5);
  CU_ASSERT_EQUAL(episodes.of[IN][0].bytes, 5 * LAB_PACKET);
  CU_ASSERT_EQUAL(episodes.of[IN][0].above, 8000);
  free_lab(lab);
}

/* ---- A NIC ------------------------------------------------------------------------------------------------------- */

enum { XOFF = 2880000, TO_NIC_XOFF = 689 }; /* full packets in the pool, beyond what PCIe has taken */

/* A NIC whose pool keeps what comes, one packet below its Xoff. */
static bench_t* measured_bench(void)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(BENCH_PFC, BENCH_STUCK));
  tellings       = 0;
  pfc_episodes_init(&episodes, 1, note, NULL);
  bench->nic->episodes = &episodes;
  bench_packets(bench, 0, BENCH_STUCK_WRITES + TO_NIC_XOFF - 1);
  CU_ASSERT_EQUAL_FATAL(bench->nic->ingress[0].occupancy, (TO_NIC_XOFF - 1) * BENCH_IP);
  CU_ASSERT_EQUAL(episodes.of[0][0].decided, -1);
  return bench;
}

SGF_TEST(a_NIC_measures_what_its_pool_holds_above_Xoff)
{
  bench_t* bench = measured_bench();
  uint32_t psn   = BENCH_STUCK_WRITES + TO_NIC_XOFF - 1;
  bench_run(bench, OPP_US);
  bench_packets(bench, psn++, 1);
  const pfc_episode_t* episode = &episodes.of[0][0];
  CU_ASSERT_EQUAL(episode->decided, OPP_US);
  CU_ASSERT_EQUAL(episode->last, -1);
  CU_ASSERT_EQUAL(episode->above, TO_NIC_XOFF * BENCH_IP - XOFF); /* the packet that decides counts in the pool */
  bench_run(bench, OPP_US + 252120);
  bench_packets(bench, psn, 3);
  psn += 3;
  bench_run(bench, 60 * OPP_US); /* a refresh */
  CU_ASSERT_EQUAL(bench->nic->pfc.pauses[0], 2);
  CU_ASSERT_EQUAL(episode->decided, OPP_US);
  CU_ASSERT_EQUAL(episode->last, OPP_US + 252120);
  CU_ASSERT(episode->frames == 3 && episode->bytes == 3 * BENCH_IP);
  CU_ASSERT_EQUAL(episode->above, (TO_NIC_XOFF + 3) * BENCH_IP - XOFF);
  CU_ASSERT_EQUAL(episode->above, bench->nic->ingress[0].peak - XOFF);
  bench_free(bench);
  pfc_episodes_free(&episodes);
}

/* The pool has room for 171 packets beyond its Xoff; the next are dropped and have arrived. */
SGF_TEST(what_the_pool_of_a_NIC_drops_has_arrived)
{
  bench_t* bench = measured_bench();
  bench_packets(bench, BENCH_STUCK_WRITES + TO_NIC_XOFF - 1, 1 + 175);
  const int64_t size = bench->nic->ingress[0].size;
  CU_ASSERT_EQUAL((int64_t)bench->nic->rx_drops, 175 - (size / BENCH_IP - TO_NIC_XOFF));
  CU_ASSERT(bench->nic->rx_drops > 0);
  CU_ASSERT_EQUAL(episodes.of[0][0].frames, 175);
  CU_ASSERT_EQUAL(episodes.of[0][0].above, size / BENCH_IP * BENCH_IP - XOFF);
  bench_free(bench);
  pfc_episodes_free(&episodes);
}
