/* spec/uet-nic.md 11.1, 11.2, 11.4 and 11.5 in a simulation: what the pools of running NICs are and hold, by class. */
#include "harness.h"
#include "run_taps_support.h"

#include <string.h>

#define EGRESS(shares) "**.nic.EgressBufferManager.PoolAllocationVector=" shares
#define INGRESS(shares) "**.nic.IngressBufferManager.PoolAllocationVector=" shares
#define PFC "**.nic.PFCEnableVector=[1, 1, 0, 0, 0, 0, 0, 0]"
/* No window, and timers that do not expire whatever acknowledgements wait for. */
#define OPEN_LOOP "**.nic.PassThrough=true", "**.nic.InitialRetransmitTimeout=100ms"

static const sgf_pool_peak_t* pool_of(const char* owner, const char* pool)
{
  const sgf_report_t* report = run_report();
  for (size_t i = 0; i < report->pool_count; i++)
    if (strcmp(report->pools[i].owner, owner) == 0 && strcmp(report->pools[i].pool, pool) == 0)
      return &report->pools[i];
  return NULL;
}

/* Bytes of a pool in the report of the run; 0: there is none. */
static int64_t size_of(const char* owner, const char* pool)
{
  const sgf_pool_peak_t* found = pool_of(owner, pool);
  return found != NULL ? found->size : 0;
}

/* The n-th packet of h0 is at h1, n from 1. */
static opp_simtime_t arrival_of(int64_t n)
{
  return run_probed_start_on_a_cable(n) + run_wire + run_delay;
}

/* ---- Sizes (UN-163, 164, 166) ------------------------------------------------------------------------------------ */

enum { BURST = 100 };

/* One burst fills what there is of the data pool before any of it leaves. */
static void send_burst(const char* const* settings)
{
  run_cable("100ns", settings);
  run_write(0, 1, BURST * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const int64_t data = size_of("h0", "tx0");
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), data / RUN_FULL * RUN_FULL);
}

SGF_SCENARIO(UN_163_three_transmit_pools)
{
  send_burst(RUN_SETTINGS(EGRESS("[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]")));
  CU_ASSERT_EQUAL(size_of("h0", "tx0"), 128000);
  CU_ASSERT_EQUAL(size_of("h0", "tx1"), 76800);
  CU_ASSERT_EQUAL(size_of("h0", "tx2"), 51200);
  for (unsigned tc = 3; tc < NET_CLASSES; tc++)
    CU_ASSERT_EQUAL(run_nic(0)->egress[tc].size, 0);
}

SGF_SCENARIO(UN_164_shares_below_one_leave_the_rest_unused)
{
  send_burst(RUN_SETTINGS(EGRESS("[0.5, 0.1, 0, 0, 0, 0, 0, 0]")));
  CU_ASSERT_EQUAL(size_of("h0", "tx0"), 128000);
  CU_ASSERT_EQUAL(size_of("h0", "tx1"), 25600);
}

SGF_SCENARIO(UN_166_one_class_with_two_shares)
{
  send_burst(RUN_SETTINGS(INGRESS("[0.5, 0.5, 0, 0, 0, 0, 0, 0]")));
  CU_ASSERT_EQUAL(size_of("h0", "tx0"), 230400);
  CU_ASSERT_EQUAL(size_of("h0", "tx1"), 25600);
  CU_ASSERT_EQUAL(size_of("h0", "rx0"), 2000000);
  CU_ASSERT_EQUAL(size_of("h0", "rx1"), 2000000);
}

/* ---- Control that is held (UN-12, UN-164) ------------------------------------------------------------------------ */

enum { POOL1 = 25600, FITTING = POOL1 / UET_ACK_BYTES, MORE = 72 };

static void hold_control_of_h1(void)
{
  pfc_send(&run_nic(0)->pfc, 1, 65535);
}

static size_t waiting_outside(void)
{
  size_t frames = 0;
  for (const opp_msg_t* msg = run_nic(1)->waiting_control[1].first; msg != NULL; msg = msg->next)
    frames++;
  return frames;
}

static void control_pool_is_full(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->egress[1].reserved, FITTING * UET_ACK_BYTES);
  CU_ASSERT_EQUAL(net_port_queue_length(&run_nic(1)->port, 1), FITTING);
  CU_ASSERT_EQUAL(waiting_outside(), MORE);
}

/* The others wait outside and are not lost. */
SGF_SCENARIO(UN_12_the_control_pool_takes_328_acknowledgements)
{
  run_cable("100ns", RUN_SETTINGS(OPEN_LOOP));
  run_write(0, 1, (FITTING + MORE) * RUN_MSS, 0);
  run_look(0, hold_control_of_h1);
  run_look(60 * OPP_US, control_pool_is_full);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(FITTING, 328);
  CU_ASSERT_EQUAL(size_of("h1", "tx1"), POOL1);
  CU_ASSERT_EQUAL(run_peak("h1", "tx1"), FITTING * UET_ACK_BYTES);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 0);
}

enum { HALF = 230400, HELD_ACKS = (HALF - RUN_PROBE) / UET_ACK_BYTES };

static void hold_all_of_h0(void)
{
  pfc_send(&run_nic(1)->pfc, 0, 65535);
  pfc_send(&run_nic(1)->pfc, 1, 65535);
}

/* The control pool holds h0's own probe too. */
static void both_pools_are_full(void)
{
  CU_ASSERT_EQUAL(run_nic(0)->egress[0].reserved, HALF / RUN_FULL * RUN_FULL);
  CU_ASSERT_EQUAL(run_nic(0)->egress[1].reserved, HELD_ACKS * UET_ACK_BYTES + RUN_PROBE);
}

SGF_SCENARIO(UN_164_shares_above_one_are_full_at_once)
{
  run_cable("100ns", RUN_SETTINGS(EGRESS("[0.9, 0.9, 0, 0, 0, 0, 0, 0]"), OPEN_LOOP));
  run_write(0, 1, BURST * RUN_MSS, 0);
  run_write(1, 0, (HELD_ACKS + MORE) * RUN_MSS, 0);
  for (opp_simtime_t date = 0; date < 280 * OPP_US; date += 60 * OPP_US)
    run_look(date, hold_all_of_h0);
  run_look(280 * OPP_US, both_pools_are_full);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(size_of("h0", "tx0"), HALF);
  CU_ASSERT_EQUAL(size_of("h0", "tx1"), HALF);
}

/* ---- Prefetching (UN-17) ----------------------------------------------------------------------------------------- */

enum { FETCHED = 262144 / RUN_FULL, WINDOW = 107 };

static void nothing_is_reserved(void)
{
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->prefetched, FETCHED * RUN_FULL);
  CU_ASSERT_EQUAL(run_nic(0)->egress[0].reserved, 0);
}

static void the_first_is_committed(void)
{
  CU_ASSERT_EQUAL(run_nic(0)->egress[0].reserved, RUN_FULL);
}

static void one_waits_for_the_window(void)
{
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->prefetched, RUN_FULL);
  CU_ASSERT_EQUAL(run_nic(0)->egress[0].reserved, 0);
}

SGF_SCENARIO(UN_17_a_payload_that_waits_has_no_room_in_the_transmit_pool)
{
  run_cable("20us", RUN_SETTINGS("**.nic.PrefetchBufferEnable=true"));
  run_write(0, 1, 2 * WINDOW * RUN_MSS, 0);
  run_look(run_doorbell, nothing_is_reserved);
  run_look(run_doorbell + run_fetch - 1, nothing_is_reserved);
  run_look(run_doorbell + run_fetch, the_first_is_committed);
  run_look(39 * OPP_US, one_waits_for_the_window);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

/* ---- Classes (UN-161, UN-162, UN-165) ---------------------------------------------------------------------------- */

static unsigned cut; /* data packets that are still to be cut on their way */
static unsigned data_frames;

static opp_simtime_t cut_data(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  if (run_sent_data(msg, to_host) == NULL)
    return 0;
  data_frames++;
  CU_ASSERT(net_frame(msg)->dscp ==
            net_role_dscp(data_frames == 1 ? NET_ROLE_NO_TRIM : NET_ROLE_TRIMMABLE_RTX)); /* also in class 2 */
  if (cut > 0) {
    cut--;
    net_frame(msg)->dscp    = net_role_dscp(NET_ROLE_TRIMMED);
    net_frame(msg)->closing = false;
    msg->bytes              = UET_TRIMMED_IP_BYTES + NET_ETHERNET_BYTES;
  }
  return 0;
}

/* When the only packet of h0 is at h1. */
static opp_simtime_t at_h1(void)
{
  return run_packet_start(2) + run_delay;
}

static const opp_simtime_t nack_wire = (opp_simtime_t)UET_NACK_BYTES * 20;

/* The NACK is back and the retransmission, which has class 0 too, still under way. */
static void only_control_has_arrived(void)
{
  CU_ASSERT_EQUAL(run_nic(0)->egress[0].peak, RUN_FULL);
  CU_ASSERT_EQUAL(run_nic(0)->egress[1].peak, 0);
  CU_ASSERT_EQUAL(run_nic(1)->ingress[0].peak, 0);
  CU_ASSERT_EQUAL(run_nic(1)->ingress[1].peak, UET_TRIMMED_IP_BYTES);
  CU_ASSERT_EQUAL(run_nic(1)->egress[1].peak, UET_NACK_BYTES);
  CU_ASSERT_EQUAL(run_nic(0)->ingress[1].peak, UET_NACK_BYTES - NET_ETHERNET_BYTES);
  CU_ASSERT_EQUAL(run_nic(0)->egress[0].reserved, RUN_FULL);
}

SGF_SCENARIO(UN_161_data_is_class_0_and_what_is_trimmed_or_control_class_1)
{
  cut = 1;
  run_tap("h0", cut_data);
  run_cable("100ns", NULL);
  run_write(0, 1, RUN_MSS, 0);
  run_look(at_h1() + nack_wire + run_delay + 1, only_control_has_arrived);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(data_frames, 2);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), RUN_IP);
  CU_ASSERT_EQUAL(run_peak("h1", "tx0"), 0);
  CU_ASSERT_EQUAL(run_peak("h0", "rx0"), 0);
}

SGF_SCENARIO(UN_161_acknowledgements_and_probes_are_class_1_at_both_ends)
{
  run_cable("100ns", NULL);
  run_write(0, 1, 10 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_peak("h0", "tx1"), UET_PROBE_BYTES);
  CU_ASSERT_EQUAL(run_peak("h1", "rx1"), UET_PROBE_BYTES - NET_ETHERNET_BYTES);
  CU_ASSERT_EQUAL(run_peak("h1", "tx1"), UET_ACK_BYTES);
  CU_ASSERT_EQUAL(run_peak("h0", "rx1"), UET_ACK_BYTES - NET_ETHERNET_BYTES);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), RUN_IP);
  CU_ASSERT_EQUAL(run_peak("h1", "tx0"), 0);
  CU_ASSERT_EQUAL(run_peak("h0", "rx0"), 0);
}

static void hold_class_2(void)
{
  pfc_send(&run_nic(1)->pfc, 2, 1000);
}

static void waits_in_class_2(void)
{
  CU_ASSERT_EQUAL(net_port_queue_length(&run_nic(0)->port, 2), 1);
  CU_ASSERT_EQUAL(run_nic(0)->egress[2].reserved, RUN_FULL);
}

SGF_SCENARIO(UN_162_data_in_class_2_has_its_pool_and_queue_and_the_codepoint_of_class_0)
{
  run_tap("h0", cut_data);
  run_cable("100ns", RUN_SETTINGS(EGRESS("[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]"), INGRESS("[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]"),
                                  "**.nic.TrafficClasses.Data=2"));
  run_look(0, hold_class_2); /* for 1.28 us */
  run_write(0, 1, RUN_MSS, 200e-9);
  run_look(OPP_US, waits_in_class_2);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(data_frames, 1);
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), 0);
  CU_ASSERT_EQUAL(run_peak("h0", "tx2"), RUN_FULL);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), 0);
  CU_ASSERT_EQUAL(run_peak("h1", "rx2"), RUN_IP);
  CU_ASSERT_EQUAL(run_peak("h1", "tx1"), UET_ACK_BYTES);
}

static void h1_has_none(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->egress[1].reserved, 0);
}

static void h1_has_an_acknowledgement(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->egress[1].reserved, UET_ACK_BYTES);
}

static void h1_has_a_NACK(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->egress[1].reserved, UET_NACK_BYTES);
}

SGF_SCENARIO(UN_165_an_acknowledgement_holds_78_bytes_until_its_serialisation_ends)
{
  run_cable("100ns", NULL);
  run_write(0, 1, RUN_MSS, 0);
  const opp_simtime_t released = at_h1() + run_hold;
  run_look(released - 1, h1_has_none);
  run_look(released, h1_has_an_acknowledgement);
  run_look(released + run_ack - 1, h1_has_an_acknowledgement);
  run_look(released + run_ack, h1_has_none);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

SGF_SCENARIO(UN_165_a_NACK_holds_62_bytes_until_its_serialisation_ends)
{
  cut = 1;
  run_tap("h0", cut_data);
  run_cable("100ns", NULL);
  run_write(0, 1, RUN_MSS, 0);
  run_look(at_h1() - 1, h1_has_none);
  run_look(at_h1(), h1_has_a_NACK);
  run_look(at_h1() + nack_wire - 1, h1_has_a_NACK);
  run_look(at_h1() + nack_wire, h1_has_none);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

static void h0_has_none(void)
{
  CU_ASSERT_EQUAL(run_nic(0)->egress[1].reserved, 0);
}

static void h0_has_a_probe(void)
{
  CU_ASSERT_EQUAL(run_nic(0)->egress[1].reserved, RUN_PROBE);
}

/* It is due with the first acknowledgement and waits for the packet on the wire. */
SGF_SCENARIO(UN_165_a_probe_holds_62_bytes_until_its_serialisation_ends)
{
  run_cable("100ns", NULL);
  run_write(0, 1, 10 * RUN_MSS, 0);
  const opp_simtime_t due = run_back_on_a_cable(run_packet_start(2));
  int64_t next            = 1;
  while (run_packet_start(next) < due)
    next++;
  run_look(due - 1, h0_has_none);
  run_look(due, h0_has_a_probe);
  run_look(run_packet_start(next) + run_probe - 1, h0_has_a_probe);
  run_look(run_packet_start(next) + run_probe, h0_has_none);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

/* ---- Receive pools (UN-35, UN-36, UN-173) ------------------------------------------------------------------------ */

SGF_SCENARIO(UN_35_and_UN_36_thresholds_and_headroom_of_a_running_NIC)
{
  run_cable("100ns", RUN_SETTINGS(PFC));
  run_write(0, 1, RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const sgf_pool_peak_t* data    = pool_of("h1", "rx0");
  const sgf_pool_peak_t* control = pool_of("h1", "rx1");
  CU_ASSERT_FATAL(data != NULL && control != NULL);
  CU_ASSERT_EQUAL(control->xoff, 320000);
  CU_ASSERT_EQUAL(run_nic(1)->ingress[1].xon, 160000);
  CU_ASSERT_EQUAL(control->size - control->xoff, 80000);
  const int64_t headroom = data->size - data->xoff;
  CU_ASSERT_EQUAL(headroom, 720000);
  CU_ASSERT_EQUAL(10 * headroom / RUN_IP, 1720); /* 172.08 packets */
  CU_ASSERT(headroom * run_wire / RUN_IP >= 14450 * OPP_NS && headroom * run_wire / RUN_IP < 14550 * OPP_NS);
}

static int64_t held_at_first_pause;

static void watch_first_pause(opp_simtime_t now)
{
  (void)now;
  if (held_at_first_pause == 0 && run_nic(1)->pfc.pauses[0] > 0)
    held_at_first_pause = run_nic(1)->ingress[0].occupancy;
}

/* Over one lane the pool fills: the packet that takes it to Xoff pauses. */
SGF_SCENARIO(UN_173_thresholds_are_fractions_of_the_class_pool)
{
  enum { XOFF = 1600000 };
  run_cable("100ns", RUN_SETTINGS(PFC, INGRESS("[0.5, 0.5, 0, 0, 0, 0, 0, 0]"), OPEN_LOOP,
                                  "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=1"));
  run_watch(watch_first_pause);
  run_write(0, 1, 600 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  static const char* const pools[] = {"rx0", "rx1"};
  for (unsigned tc = 0; tc < 2; tc++) {
    const sgf_pool_peak_t* pool = pool_of("h1", pools[tc]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pool);
    CU_ASSERT_EQUAL(pool->size, 2000000);
    CU_ASSERT_EQUAL(pool->xoff, XOFF);
    CU_ASSERT_EQUAL(run_nic(1)->ingress[tc].xon, 800000);
  }
  CU_ASSERT_EQUAL(held_at_first_pause, (XOFF + RUN_IP - 1) / RUN_IP * RUN_IP);
}

/* ---- Rates of PCIe (UN-59, UN-182) ------------------------------------------------------------------------------- */

/* Payload of a full packet on the PCIe link. */
static opp_simtime_t pcie_time(int64_t n, int64_t mbps)
{
  return 8 * 4368 * n * OPP_US / mbps;
}

/* When the last of h0's packets is in h1's memory: some packet was the last to find the link idle. */
static opp_simtime_t all_written(int64_t packets, int64_t mbps)
{
  opp_simtime_t last = 0;
  for (int64_t n = 1; n <= packets; n++) {
    const opp_simtime_t end = arrival_of(n) + pcie_time(packets - n + 1, mbps);
    last                    = end > last ? end : last;
  }
  return last;
}

enum { MANY = 256 };

/* h1 receives over 16 lanes of this rate. */
static opp_simtime_t receive_over(const char* setting)
{
  run_cable("100ns", RUN_SETTINGS(OPEN_LOOP, setting));
  const size_t write   = run_write(0, 1, MANY * RUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  return run_received(receive);
}

#define LANES(rate) "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneBps=" rate

/* 415.8 Gb/s: 8 x 4,368 bits in the 84.04 ns of a packet on the wire. */
SGF_SCENARIO(UN_59_above_415_8_Gbps_each_write_finds_the_link_idle)
{
  const int64_t mbps = 16 * 25988;
  CU_ASSERT(mbps * run_wire >= 8 * 4368 * OPP_US);
  const opp_simtime_t received = receive_over(LANES("25.988Gbps"));
  CU_ASSERT_EQUAL(received, arrival_of(MANY) + pcie_time(1, mbps));
}

SGF_SCENARIO(UN_59_below_415_8_Gbps_writes_queue_up)
{
  const int64_t mbps = 16 * 25987;
  CU_ASSERT(mbps * run_wire < 8 * 4368 * OPP_US);
  const opp_simtime_t received = receive_over(LANES("25.987Gbps"));
  CU_ASSERT_EQUAL(received, all_written(MANY, mbps));
  CU_ASSERT(received > arrival_of(MANY) + pcie_time(1, mbps));
}

/* The container of the attribute is named PCIeGen3.0 whatever the lanes are. */
SGF_SCENARIO(UN_182_the_lane_rate_counts_and_not_the_name_of_the_container)
{
  run_cable("100ns", RUN_SETTINGS(OPEN_LOOP,
                                  "**.h0.nic.HostInterface.NICSide.PCIeGen3.0.NicDeviceLayer.NicPCIeInterface."
                                  "PhysicalLayer.LaneBps=15.76Gbps",
                                  "**.h0.nic.HostInterface.HostSide.PCIeGen3.0.ScalaHostPCIeDeviceLayer."
                                  "HostPCIeInterface.PhysicalLayer.LaneBps=15.76Gbps"));
  const int64_t mbps     = 252160;
  const size_t sent      = run_write(0, 1, MANY * RUN_MSS, 0);
  const size_t received  = run_write(1, 0, MANY * RUN_MSS, 1e-3);
  const size_t in_memory = run_receive(0, received);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t fetched = run_doorbell + 8 * 98 * OPP_US / mbps + pcie_time(MANY, mbps);
  CU_ASSERT_EQUAL(run_written(sent), run_back_on_a_cable(fetched + run_wire));
  CU_ASSERT_EQUAL(run_received(in_memory), OPP_MS + arrival_of(1) + pcie_time(MANY, mbps));
}

/* ---- One packet waiting (UN-78) ---------------------------------------------------------------------------------- */

/* The host takes 32 us for a packet: until then 59 of them have found room in the NIC's transmit buffer, of 470
 * headers, and the host's receive buffer, of two transfers. */
enum { ACCEPTED = 59, LAST = ACCEPTED + 2 };

static uint16_t steps[LAST]; /* service time that acknowledgements report, by PSN */

static opp_simtime_t note_steps(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  const net_frame_t* frame   = net_frame(msg);
  const uet_header_t* header = uet_header_const(frame);
  if (!to_host && frame->type != NET_FRAME_PFC && header->type == UET_ACK && !(header->flags & UET_FLAG_PROBE))
    steps[header->psn] = header->service_time;
  return 0;
}

static void one_waits(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->ingress[0].occupancy, RUN_IP);
}

static void two_wait(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->ingress[0].occupancy, 2 * RUN_IP);
}

SGF_SCENARIO(UN_78_a_packet_behind_another_is_answered_after_132_7_ns_and_reports_one_step)
{
  run_tap("h1", note_steps);
  run_cable("100ns", RUN_SETTINGS("**.h1.nic.HostPCIeInterface.TransactionLayer.ConsumptionBps=1.024Gbps",
                                  "**.h1.nic.HostPCIeInterface.TransactionLayer.RXDataBufferSize=1KiB"));
  const size_t write = run_write(0, 1, LAST * RUN_MSS, 0);
  run_look(arrival_of(LAST) - 1, one_waits);
  run_look(arrival_of(LAST), two_wait);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t hold = 8 * 2 * INT64_C(4184) * OPP_US / 504320;
  CU_ASSERT_EQUAL(hold, 132741);
  CU_ASSERT_EQUAL(run_written(write), arrival_of(LAST) + hold + run_ack + run_delay);
  for (unsigned psn = 0; psn < LAST; psn++)
    CU_ASSERT_EQUAL(steps[psn], psn == LAST - 1);
}

/* ---- Order of writes (UN-171) ------------------------------------------------------------------------------------ */

enum { SENDERS = 3, EACH = 40, ALL = SENDERS * EACH };

typedef struct packet {
  uint32_t src;
  uint32_t psn;
} packet_t;

static packet_t arrived[ALL];
static size_t arrivals;
static size_t heads; /* packets that were seen first in line */
static size_t head;  /* the last one of them */

static opp_simtime_t note_arrival(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  const net_frame_t* frame = net_frame(msg);
  if (!to_host || frame->type == NET_FRAME_PFC || uet_header_const(frame)->type != UET_DATA)
    return 0;
  CU_ASSERT_FATAL(arrivals < ALL);
  arrived[arrivals++] = (packet_t){frame->src, uet_header_const(frame)->psn};
  return 0;
}

static bool is_packet(size_t number, const net_frame_t* frame)
{
  return number < arrivals && arrived[number].src == frame->src && arrived[number].psn == uet_header_const(frame)->psn;
}

/* Whoever is first in line stays so or is followed by the next that arrived. */
static void watch_line(opp_simtime_t now)
{
  (void)now;
  opp_msg_t* first = run_nic(0)->writes.first;
  if (first == NULL || (heads > 0 && is_packet(head, net_frame(first))))
    return;
  if (heads++ == 0)
    while (head < arrivals && !is_packet(head, net_frame(first)))
      head++;
  else
    head++;
  CU_ASSERT(is_packet(head, net_frame(first)));
}

/* Over one lane most packets wait for PCIe. */
static void order_is_kept(const char* discipline)
{
  run_tap("h0", note_arrival);
  run_rack(1 + SENDERS, "100ns",
           RUN_SETTINGS(OPEN_LOOP, "**.h0.nic.NicPCIeInterface.PhysicalLayer.LaneCount=1", discipline,
                        "**.nic.IngressBufferManager.WRRQueueWeights=[2, 1, 0, 0, 0, 0, 0, 0]"));
  run_watch(watch_line);
  for (unsigned i = 1; i <= SENDERS; i++)
    run_write(i, 0, EACH * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(arrivals, ALL);
  CU_ASSERT_EQUAL(head, ALL - 1);
  CU_ASSERT(heads > ALL / 3);
}

#define DISCIPLINE(name) "**.nic.IngressBufferManager.QueueSchedulingType=" name

SGF_SCENARIO(UN_171_writes_keep_the_order_of_arrival_under_strict_priority)
{
  order_is_kept(DISCIPLINE("StrictPriority"));
}

SGF_SCENARIO(UN_171_writes_keep_the_order_of_arrival_under_round_robin)
{
  order_is_kept(DISCIPLINE("RoundRobin"));
}

SGF_SCENARIO(UN_171_writes_keep_the_order_of_arrival_under_weighted_round_robin)
{
  order_is_kept(DISCIPLINE("WeightedRoundRobin"));
}
