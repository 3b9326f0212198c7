/* spec/uet-nic.md 11.5 in a simulation: hosts whose PCIe link keeps up with the wire, and hosts whose link does not. */
#include "harness.h"
#include "nic_run_support.h"

#include <math.h>
#include <stdlib.h>

/* No window, and timers that let a sender go on at full rate whatever the receiver's acknowledgements wait for. */
#define OPEN_LOOP "**.nic.PassThrough=true", "**.nic.InitialRetransmitTimeout=100ms"

enum { POOL0 = 3600000 };

/* The n-th packet of h0 arrives at h1 over the cable between them, n from 1. */
static opp_simtime_t arrival_of(int64_t n)
{
  return run_probed_start_on_a_cable(n) + run_wire + run_delay;
}

static int64_t occupancy(void)
{
  return run_nic(1)->ingress[0].occupancy;
}

SGF_SCENARIO(UN_61_fourteen_lanes_keep_up_also_while_sending_at_full_rate)
{
  enum { PACKETS = 5000 };
  run_cable("100ns", RUN_SETTINGS("**.h1.pcie=gen5 x14"));
  const size_t to_h1 = run_write(0, 1, (uint64_t)PACKETS * RUN_MSS, 0);
  const size_t to_h0 = run_write(1, 0, (uint64_t)PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), RUN_IP);
  /* Each direction carries the data of one write and the acknowledgements of the other. */
  const opp_simtime_t busy = PACKETS * (run_wire + run_ack);
  CU_ASSERT(run_written(to_h1) >= busy && run_written(to_h1) < busy + OPP_US);
  CU_ASSERT(run_written(to_h0) >= busy && run_written(to_h0) < busy + OPP_US);
}

/* ---- Thirteen lanes, open loop ----------------------------------------------------------------------------------- */

/* Writes of 8 transfers of 546 B that h1's link of 409.76 Gb/s has accepted by `now`, from the first arrival on: the
 * transmit buffer has 470 headers, each free again when its transfer has left. */
static int64_t accepted_by(opp_simtime_t now)
{
  const int64_t mbps = 409760, transfer = 8 * 546;
  const int64_t carried = ((now - arrival_of(1) + 1) * mbps - 1) / (transfer * OPP_US);
  return (carried + 470) / 8;
}

/* What the pool holds while no sender reacts. */
static int64_t expected_occupancy(opp_simtime_t now)
{
  const int64_t arrived  = (now - arrival_of(1)) / run_wire + 1;
  const int64_t accepted = accepted_by(now) < arrived ? accepted_by(now) : arrived;
  return (arrived - accepted) * RUN_IP;
}

static void compare(void)
{
  CU_ASSERT_EQUAL(occupancy(), expected_occupancy(sgf_engine_clock(sg_fabric_get())));
}

/* Dates from the first arrival, in ps; 0: not yet. */
static opp_simtime_t backs_up, quarter, four_fifths, full;

static void note_levels(opp_simtime_t now)
{
  const opp_simtime_t since = now - arrival_of(1);
  if (backs_up == 0 && occupancy() > 0)
    backs_up = since;
  if (quarter == 0 && 4 * occupancy() >= POOL0)
    quarter = since;
  if (four_fifths == 0 && 5 * occupancy() >= 4 * POOL0)
    four_fifths = since;
  if (full == 0 && run_nic(1)->rx_drops > 0)
    full = since;
}

/* Agrees with a documented figure of three digits, of a unit of `unit` ps in the last one. */
static bool about(opp_simtime_t time, double last_digits, opp_simtime_t unit)
{
  return fabs((double)time / (double)unit - last_digits) <= 1;
}

SGF_SCENARIO(UN_62_and_UN_63_thirteen_lanes_fill_the_transmit_buffer_then_the_pool)
{
  run_cable("100ns", RUN_SETTINGS(OPEN_LOOP, "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=13"));
  run_write(0, 1, 70000 * (uint64_t)RUN_MSS, 0);
  run_watch(note_levels);
  static const int dates_us[] = {100, 330, 340, 400, 777, 1579, 2500, 3333, 4320, 5000, 5300};
  for (size_t i = 0; i < sizeof dates_us / sizeof *dates_us; i++)
    run_look(dates_us[i] * OPP_US + (opp_simtime_t)i * 12345, compare);
  run_until(5400 * OPP_US);
  CU_ASSERT(about(backs_up, 335, OPP_US) ||
            (backs_up > 330 * OPP_US && backs_up < 335 * OPP_US)); /* whole writes: see pcie.c */
  CU_ASSERT(about(quarter, 158, 10 * OPP_US));
  CU_ASSERT(about(four_fifths, 432, 10 * OPP_US));
  CU_ASSERT(about(full, 531, 10 * OPP_US));
  CU_ASSERT(run_drops("nic_ingress_pool") > 0); /* UN-64: the last of the effects, and no pause when PFC is off */
  CU_ASSERT_EQUAL(run_report()->pause_count, 0);
  CU_ASSERT(run_peak("h1", "rx0") > POOL0 - RUN_IP);
}

/* The pool grows by a packet every 68.8 arrivals. */
SGF_SCENARIO(UN_62_the_pool_grows_by_a_packet_every_68_8_arrivals)
{
  run_cable("100ns", RUN_SETTINGS(OPEN_LOOP, "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=13"));
  run_write(0, 1, 30000 * (uint64_t)RUN_MSS, 0);
  run_watch(note_levels);
  run_until(2000 * OPP_US);
  const double arrivals = (double)(quarter - backs_up) / (double)run_wire;
  const double packets  = 0.25 * POOL0 / RUN_IP;
  CU_ASSERT(fabs(arrivals / packets - 68.8) < 0.7); /* a packet more or less of 215 */
}

/* Around a backlog of 900,000 B: the 18,855th packet or so. */
static const int64_t asked = 18855;

static uint32_t acknowledged(void)
{
  return uet_state(run_nic(0))->pdcs[0]->acknowledged;
}

static void is_not_answered(void)
{
  CU_ASSERT_EQUAL(acknowledged(), asked - 1);
}

static void is_answered(void)
{
  CU_ASSERT_EQUAL(acknowledged(), asked);
}

SGF_SCENARIO(UN_77_the_hold_is_what_the_backlog_takes_on_the_lanes)
{
  run_cable("100ns", RUN_SETTINGS(OPEN_LOOP, "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=13"));
  run_write(0, 1, 30000 * (uint64_t)RUN_MSS, 0);
  const int64_t waiting    = expected_occupancy(arrival_of(asked)); /* this packet included */
  const opp_simtime_t hold = 8 * waiting * OPP_US / 409760;
  CU_ASSERT(llabs(waiting - RUN_IP - 900000) < 2 * RUN_IP);
  CU_ASSERT(llabs(hold - 17650 * OPP_NS) < 100 * OPP_NS);
  const opp_simtime_t answered = arrival_of(asked) + hold + run_ack + run_delay;
  run_look(answered - 1, is_not_answered);
  run_look(answered, is_answered);
  run_until(2000 * OPP_US);
}

SGF_SCENARIO(UN_65_by_default_the_pool_never_holds_more_than_a_packet)
{
  enum { SENDERS = 4, BYTES = 1 << 20 };
  run_rack(1 + SENDERS, "100ns", RUN_SETTINGS("**.nic.PFCEnableVector=[1, 1, 0, 0, 0, 0, 0, 0]"));
  for (unsigned i = 1; i <= SENDERS; i++)
    run_write(i, 0, BYTES, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_peak("h0", "rx0"), RUN_IP);
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), 0);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    CU_ASSERT_EQUAL(run_nic(0)->pfc.pauses[tc], 0);
}

/* Whole picoseconds for n payloads that follow one another on a PCIe direction. */
static opp_simtime_t pcie_time(int64_t n, int64_t mbps)
{
  return 8 * 4368 * n * OPP_US / mbps;
}

SGF_SCENARIO(UN_66_eight_host_lanes_limit_sending_and_not_receiving)
{
  enum { PACKETS = 1000 };
  run_cable("100ns", RUN_SETTINGS("**.h0.nic.HostPCIeInterface.PhysicalLayer.LaneCount=8"));
  const size_t sent     = run_write(0, 1, (uint64_t)PACKETS * RUN_MSS, 0);
  const size_t received = run_write(1, 0, (uint64_t)PACKETS * RUN_MSS, 1e-3);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t request = 8 * 98 * OPP_US / 504320;
  const opp_simtime_t last =
      run_doorbell + request + pcie_time(PACKETS, 252160); /* fetched; then a packet on the wire */
  CU_ASSERT_EQUAL(run_written(sent), run_back_on_a_cable(last + run_wire));
  const double gbps = 8.0 * PACKETS * RUN_MSS / ((double)(last - run_doorbell - request) / 1e3);
  CU_ASSERT(fabs(gbps - 236.5) < 0.05);
  CU_ASSERT_EQUAL(run_written(received), OPP_MS + run_back_on_a_cable(run_packet_start(1 + PACKETS) + run_probe));
}

SGF_SCENARIO(UN_181_each_direction_follows_its_sending_end)
{
  enum { PACKETS = 256 };
  run_cable("100ns", RUN_SETTINGS(OPEN_LOOP, "**.h0.nic.NicPCIeInterface.PhysicalLayer.LaneCount=8"));
  const size_t sent      = run_write(0, 1, PACKETS * RUN_MSS, 0);
  const size_t received  = run_write(1, 0, PACKETS * RUN_MSS, 1e-3);
  const size_t in_memory = run_receive(0, received);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  /* Sending: the request takes twice as long, the answer does not, and the wire is the bottleneck. */
  const opp_simtime_t fetch = 8 * 98 * OPP_US / 252160 + pcie_time(1, 504320);
  CU_ASSERT_EQUAL(run_written(sent), run_back_on_a_cable(run_doorbell + fetch + PACKETS * run_wire + run_probe));
  /* Receiving: writes follow one another on the slower direction from the first arrival on. */
  CU_ASSERT_EQUAL(run_received(in_memory), OPP_MS + arrival_of(1) + pcie_time(PACKETS, 252160));
}
