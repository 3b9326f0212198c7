/* spec/uet-nic.md 6 and 11.4 in a simulation: h1's PCIe link does not keep up with what h0 sends, and h1 pauses h0. */
#include "harness.h"
#include "nic_run_support.h"

/* h0 goes on at full rate whatever h1's acknowledgements wait for; only h1 sends pauses. */
#define SLOW_RECEIVER(lanes, rate)                                                                                     \
  "**.nic.PassThrough=true", "**.nic.InitialRetransmitTimeout=100ms",                                                  \
      "**.h1.nic.PFCEnableVector=[1, 1, 0, 0, 0, 0, 0, 0]",                                                            \
      "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=" lanes,                                                     \
      "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneBps=" rate

static const opp_simtime_t refresh  = 41992400;
static const opp_simtime_t pfc_wire = 1280;
enum { XOFF = 2880000, XON = 1440000, STUCK_WRITES = 58, LARGE = 3000 * RUN_MSS };

static const nic_ingress_pool_t* pool(void)
{
  return &run_nic(1)->ingress[0];
}

static opp_simtime_t arrival_of(int64_t n)
{
  return run_packet_start(n + 1) + run_delay;
}

/* ---- What the watch has seen ------------------------------------------------------------------------------------- */

/* A pause or resume that h1 sends or h0 receives: when, what h1's pool holds after that event and what it held before,
 * and the packets that h0 has started. */
typedef struct sighting {
  opp_simtime_t date;
  int64_t occupancy, before;
  uint64_t frames;
} sighting_t;

typedef struct sightings {
  sighting_t seen[64];
  uint64_t count;
} sightings_t;

static sightings_t pauses, resumes, paused, resumed;

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
  const sighting_t state = {now, pool()->occupancy, before, run_nic(0)->port.frames};
  note(&pauses, run_nic(1)->pfc.pauses[0], state);
  note(&resumes, run_nic(1)->pfc.resumes[0], state);
  note(&paused, run_nic(0)->peer.pauses[0], state);
  note(&resumed, run_nic(0)->peer.resumes[0], state);
  before = pool()->occupancy;
}

/* ---- Nothing drains ---------------------------------------------------------------------------------------------- */

/* The 689th full packet in the pool is the 747th to arrive: PCIe's buffer takes 58. */
static const int64_t pausing = STUCK_WRITES + 689;

SGF_SCENARIO(UN_39_UN_42_UN_177_a_pool_that_does_not_drain_pauses_again_and_again)
{
  enum { TIMES = 10 };
  run_cable("100ns", RUN_SETTINGS(SLOW_RECEIVER("1", "1Mbps")));
  run_write(0, 1, LARGE, 0);
  run_watch(watch);
  const opp_simtime_t first = arrival_of(pausing);
  run_until(first + TIMES * refresh + OPP_US);

  CU_ASSERT_EQUAL_FATAL(pauses.count, 1 + TIMES); /* UN-41: none between the refreshes */
  CU_ASSERT_EQUAL(pauses.seen[0].date, first);
  CU_ASSERT_EQUAL(pauses.seen[0].before, 688 * RUN_IP);
  for (int i = 1; i <= TIMES; i++)
    CU_ASSERT_EQUAL(pauses.seen[i].date, first + i * refresh);
  CU_ASSERT_EQUAL(resumes.count, 0);

  /* h0 finishes the packet it is sending, and each pause reaches it before the one before has run out (UN-47). */
  const opp_simtime_t reached = first + pfc_wire + run_delay;
  const int64_t sent          = (reached - run_packet_start(1)) / run_wire + 1;
  CU_ASSERT_EQUAL(paused.seen[0].date, reached);
  CU_ASSERT_EQUAL(run_nic(0)->port.frames, (uint64_t)sent);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), (sent - STUCK_WRITES) * RUN_IP);
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), 0);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&run_nic(0)->peer, 0), first + TIMES * refresh + OPP_US - reached);
  CU_ASSERT_EQUAL(run_nic(0)->egress[0].reserved, (54 - sent % 27) * RUN_FULL); /* UN-49: as in UN-14, and no further */
}

/* A NIC repeats its pauses in time; one that is not repeated is sent by hand. */
static void pause_once(void)
{
  pfc_send(&run_nic(1)->pfc, 0, 65535);
}

SGF_SCENARIO(UN_47_and_UN_176_a_hold_that_runs_out)
{
  enum { PACKETS = 256 };
  run_cable("100ns", NULL);
  const size_t write = run_write(0, 1, PACKETS * RUN_MSS, 0);
  run_watch(watch);
  run_look(10 * OPP_US, pause_once);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(paused.count, 1);
  const opp_simtime_t reached = paused.seen[0].date;
  CU_ASSERT(reached >= 10 * OPP_US + pfc_wire + run_delay && reached <= 10 * OPP_US + run_ack + pfc_wire + run_delay);
  const int64_t sent       = (reached - run_packet_start(1)) / run_wire + 1;
  const opp_simtime_t idle = reached + 83984800 - run_packet_start(1 + sent);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&run_nic(0)->peer, 0), 83984800);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(run_packet_start(1 + PACKETS)) + idle);
}

/* ---- A held class keeps reserving -------------------------------------------------------------------------------- */

static uint32_t committed(void)
{
  return uet_state(run_nic(0))->pdcs[0]->next_psn;
}

static uint32_t committed_when_held;
static opp_simtime_t restarted = -1;

static void watch_generation(opp_simtime_t now)
{
  watch(now);
  if (paused.count > 0 && restarted < 0 && now > paused.seen[0].date + 83884800 && committed() > committed_when_held)
    restarted = now;
}

/* All that was sent before the hold is answered: the pool is full, and nothing is fetched any more. */
static void is_full(void)
{
  CU_ASSERT_EQUAL(run_nic(0)->egress[0].reserved, 54 * RUN_FULL);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(run_nic(0)->pcie), committed() * sgf_pcie_link_bytes(RUN_MSS));
  CU_ASSERT_EQUAL(committed(), run_nic(0)->port.frames - 1 + 54); /* and a probe */
  committed_when_held = committed();
}

static void is_still_full(void)
{
  CU_ASSERT_EQUAL(run_nic(0)->egress[0].reserved, 54 * RUN_FULL);
  CU_ASSERT_EQUAL(committed(), committed_when_held);
}

/* The way back takes longer than half a pool: no acknowledgement restarts generation earlier. */
SGF_SCENARIO(UN_49_a_held_class_reserves_until_its_pool_is_full)
{
  enum { PACKETS = 2000 };
  const opp_simtime_t delay = 20 * OPP_US, hold = 83884800 + delay;
  run_cable("20us", RUN_SETTINGS("**.nic.PassThrough=true"));
  const size_t write = run_write(0, 1, PACKETS * RUN_MSS, 0);
  run_watch(watch_generation);
  const opp_simtime_t reached = 50 * OPP_US + pfc_wire + delay;
  run_look(50 * OPP_US, pause_once);
  run_look(reached + 45 * OPP_US, is_full);
  run_look(reached + hold - 1, is_still_full);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(paused.count, 1);
  CU_ASSERT(paused.seen[0].date >= reached && paused.seen[0].date <= reached + run_ack); /* behind an acknowledgement */
  const opp_simtime_t released = paused.seen[0].date + hold;
  CU_ASSERT_EQUAL(restarted, released + 27 * run_wire); /* 27 packets are 113,454 B, at most half of the pool */
  CU_ASSERT(run_written(write) > restarted);
}

SGF_SCENARIO(UN_50_a_held_host_still_acknowledges)
{
  run_cable("100ns", RUN_SETTINGS(SLOW_RECEIVER("1", "1Mbps")));
  run_write(0, 1, LARGE, 0);
  const size_t empty = run_write(1, 0, 0, 100e-6); /* nothing to fetch over the stuck link */
  run_watch(watch);
  run_until(150 * OPP_US);
  CU_ASSERT(paused.seen[0].date < 100 * OPP_US);
  CU_ASSERT_EQUAL(run_nic(0)->port.held, 1);
  const opp_simtime_t arrived = 100 * OPP_US + run_doorbell + 8 * 106 * OPP_US / 400000 + run_delay;
  CU_ASSERT_EQUAL(run_written(empty), arrived + 8 * 88 * OPP_US / 504320 + run_ack + run_delay);
}

SGF_SCENARIO(UN_174_a_thousand_quanta_are_repeated_every_690_ns)
{
  enum { TIMES = 20 };
  run_cable("100ns", RUN_SETTINGS(SLOW_RECEIVER("1", "1Mbps"), "**.h1.nic.QuantaValue=[1000, 1000, 0, 0, 0, 0, 0, 0]"));
  run_write(0, 1, LARGE, 0);
  run_watch(watch);
  run_until(arrival_of(pausing) + TIMES * 690 * OPP_NS + 200 * OPP_NS);
  CU_ASSERT_EQUAL_FATAL(pauses.count, 1 + TIMES);
  for (int i = 0; i <= TIMES; i++)
    CU_ASSERT_EQUAL(pauses.seen[i].date, arrival_of(pausing) + i * 690 * OPP_NS);
}

SGF_SCENARIO(UN_172_another_value_than_1_does_not_pause)
{
  run_cable("100ns", RUN_SETTINGS(SLOW_RECEIVER("1", "1Mbps"), "**.h1.nic.PFCEnableVector=[2, 1, 0, 0, 0, 0, 0, 0]"));
  run_write(0, 1, LARGE, 0);
  run_until(200 * OPP_US);
  CU_ASSERT(run_peak("h1", "rx0") > XOFF);
  CU_ASSERT_EQUAL(run_report()->pause_count, 0);
}

SGF_SCENARIO(UN_45_a_packet_that_is_dropped_still_causes_its_pause)
{
  run_cable("100ns",
            RUN_SETTINGS(SLOW_RECEIVER("1", "1Mbps"), "**.h1.nic.PfcStaticXoffThreshold=[1, 1, 0, 0, 0, 0, 0, 0]"));
  run_write(0, 1, LARGE, 0);
  run_watch(watch);
  run_until(200 * OPP_US);
  CU_ASSERT_EQUAL(pauses.seen[0].date, arrival_of(STUCK_WRITES + 861));
  CU_ASSERT_EQUAL(pauses.seen[0].occupancy, 860 * RUN_IP);
  CU_ASSERT(run_nic(1)->rx_drops >= 1); /* and what came before the pause had its effect */
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, run_nic(0)->port.frames - STUCK_WRITES - 860);
}

SGF_SCENARIO(UN_54_with_Xon_above_Xoff_each_packet_pauses_and_resumes)
{
  enum { PACKETS = 100 };
  run_cable("100ns", RUN_SETTINGS("**.h1.nic.PFCEnableVector=[1, 0, 0, 0, 0, 0, 0, 0]",
                                  "**.h1.nic.PfcStaticXoffThreshold=[0.001, 0.8, 0, 0, 0, 0, 0, 0]",
                                  "**.h1.nic.PfcXonResumeThreshold=[0.9, 0.4, 0, 0, 0, 0, 0, 0]"));
  run_write(0, 1, PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_nic(1)->pfc.pauses[0], PACKETS);
  CU_ASSERT_EQUAL(run_nic(1)->pfc.resumes[0], PACKETS);
  CU_ASSERT_EQUAL(run_nic(0)->peer.resumes[0], PACKETS);
}

/* ---- It drains slowly -------------------------------------------------------------------------------------------- */

/* A write in 3.5 us: at the refresh the pool is below Xoff and far above Xon. */
SGF_SCENARIO(UN_43_and_UN_177_below_Xoff_the_first_refresh_resumes)
{
  run_cable("100ns", RUN_SETTINGS(SLOW_RECEIVER("1", "10Gbps")));
  run_write(0, 1, LARGE, 0);
  run_watch(watch);
  run_until(200 * OPP_US);
  CU_ASSERT_FATAL(pauses.count >= 1 && resumes.count >= 1 && resumed.count >= 1);
  CU_ASSERT(pauses.seen[0].before < XOFF && pauses.seen[0].before + RUN_IP >= XOFF); /* UN-38 */
  CU_ASSERT_EQUAL(resumes.seen[0].date, pauses.seen[0].date + refresh);
  CU_ASSERT(resumes.seen[0].occupancy > XON && resumes.seen[0].occupancy < XOFF);
  CU_ASSERT_EQUAL(resumed.seen[0].date, resumes.seen[0].date + pfc_wire + run_delay);
  /* UN-48: nothing between, and at once after the resume. */
  CU_ASSERT_EQUAL(paused.seen[0].frames + 1, resumed.seen[0].frames);
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), 0);
}

/* ---- It drains to Xon before the refresh ------------------------------------------------------------------------- */

enum { SMALL_POOL = 360000, SMALL_XOFF = 288000, SMALL_XON = 144000, SMALL_HEADROOM = SMALL_POOL - SMALL_XOFF };
#define SMALL_BUFFER "**.h1.nic.IngressBufferManager.TotalBufferSize=400KB"

static void check_small_thresholds(void)
{
  CU_ASSERT_EQUAL(pool()->size, SMALL_POOL);
  CU_ASSERT_EQUAL(pool()->xoff, SMALL_XOFF);
  CU_ASSERT_EQUAL(pool()->xon, SMALL_XON);
}

SGF_SCENARIO(UN_44_and_UN_46_a_narrow_receiver_pauses_and_resumes_and_loses_nothing)
{
  run_cable("100ns", RUN_SETTINGS(SLOW_RECEIVER("8", "31.52Gbps"), SMALL_BUFFER));
  const size_t write   = run_write(0, 1, LARGE, 0);
  const size_t receive = run_receive(1, write);
  run_watch(watch);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  check_small_thresholds();
  CU_ASSERT_FALSE(run_nic(0)->ingress[0].pfc_enabled); /* UN-46 */
  CU_ASSERT(pauses.count >= 2);
  CU_ASSERT_EQUAL(resumes.count, pauses.count);
  for (uint64_t i = 0; i < pauses.count; i++) {
    CU_ASSERT(pauses.seen[i].before + RUN_IP >= SMALL_XOFF);
    CU_ASSERT(resumes.seen[i].before > SMALL_XON && resumes.seen[i].occupancy <= SMALL_XON);
    CU_ASSERT(resumes.seen[i].date > pauses.seen[i].date && resumes.seen[i].date < pauses.seen[i].date + refresh);
    /* UN-48: h0 sends at once, unless it has nothing left. */
    CU_ASSERT(resumed.seen[i].frames == paused.seen[i].frames + 1 || paused.seen[i].frames == 3000);
  }
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), 0);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 0);
  CU_ASSERT(run_peak("h1", "rx0") >= SMALL_XOFF && run_peak("h1", "rx0") < SMALL_XOFF + SMALL_HEADROOM);
  /* PCIe is never idle between the first arrival and the last write: 3,000 payloads at 252.16 Gb/s. */
  CU_ASSERT_EQUAL(run_received(receive), arrival_of(1) + 8 * 4368 * INT64_C(3000) * OPP_US / 252160);
}

/* The same through a switch, whose own class 0 the pause holds (6.1); the switch then pauses h0. */
SGF_SCENARIO(a_narrow_receiver_pauses_its_switch)
{
  run_rack(2, "100ns",
           RUN_SETTINGS(SLOW_RECEIVER("8", "31.52Gbps"), SMALL_BUFFER,
                        "**.switch.SharedBufferManager.StaticPoolXoffThreshold=200KB",
                        "**.switch.SharedBufferManager.StaticPoolXonThreshold=100KB"));
  const size_t write   = run_write(0, 1, LARGE, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT(run_nic(1)->pfc.pauses[0] > 0);
  CU_ASSERT_EQUAL(run_nic(1)->pfc.pauses[0], run_nic(1)->pfc.resumes[0]);
  CU_ASSERT(run_nic(0)->peer.pauses[0] > 0);
  for (size_t i = 0; i < run_report()->drop_count; i++)
    CU_ASSERT_EQUAL(run_report()->drops[i].count, 0);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 0);
  CU_ASSERT_EQUAL(run_received(receive),
                  arrival_of(1) + run_wire + run_delay + 8 * 4368 * INT64_C(3000) * OPP_US / 252160);
}
