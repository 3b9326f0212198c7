/* Flowlets in a SimGrid simulation of two leaves under four spines (four_spines.xml): spec/switch.md 8.4, replays of
 * 10.12 and 10.15 (SW-109). The first leaf's uplinks are the members; h0 to h7 send from there to h8 to h15.
 *
 * A flow is put on a member by pauses of all others, and a member gets a load that stays by data of another class that
 * its spine holds. The data of a host is one flow, of one source port; the probe that follows it has another port, so
 * that it is a flow of its own and restarts no gap of the data. Packets are data packets here. */
#include "harness.h"
#include "simulation_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric_internal.h"
#include "nic/uet/uet.h"
#include "runner/command_support.h"
#include "switch/simulation_taps_support.h"

enum { MEMBERS = 4, FIRST_MEMBER = 8, HOSTS = 8 };
enum { FLOW = 0, LOADER = 1 }; /* hosts; host i sends to host i + HOSTS */
enum { LOADED = 2 };           /* the member on which flows begin */
enum { AT_LEAF = MEMBERS };    /* tap on the cable of the flow's host; those of the members come first */

#define PLATFORM SGF_SOURCE_DIR "/validation/switch/four_spines.xml"
#define US 1e-6
#define GAP_US 100
#define LOADER_TC2 "**.h1.nic.Codepoints.NoTrim=20"
#define LOADER_TC1 "**.h1.nic.Codepoints.NoTrim=12"
#define FIRST_US 5 /* when the flow's first packet is written */

/* The one source port of all data: sprayed over a single one, while probes have the port of their group. */
enum { DATA_PORT = 256 };
#define ONE_DATA_PORT "**.nic.EntropyMaskBits=0", "**.nic.StartingPortOffset=256"

static void load_platform(const char* gap, const char* const* more)
{
  char assignment[64];
  snprintf(assignment, sizeof assignment, "**.switch.LoadBalancingFlowlet.Gap=%s", gap);
  sim_set((const char* const[]){SIM_ASSIGNED_PACKETS("60us"), ONE_DATA_PORT, "**.switch.LoadBalancingMethod=flowlet",
                                assignment, NULL});
  sim_set(more);
  for (unsigned m = 0; m < MEMBERS; m++)
    sim_tap(&(sim_tap_t){.device = "ft.l1.0", .port = FIRST_MEMBER + m});
  sim_tap(&(sim_tap_t){.device = "h0", .port = 0});
  sim_platform(PLATFORM, "ft.l1.0");
}

static void write_to_peer(unsigned host, unsigned packets, double date)
{
  sim_write_packets(host, host + HOSTS, packets, date);
}

/* The switch has paused member m for a class, and all the others not. */
static void hold_member(unsigned member, unsigned tc, double begin, double end)
{
  sim_hold_port(FIRST_MEMBER + member, tc, begin, end);
}

/* The n-th packet of a host that went up, and by which member. */
static const sim_frame_t* packet_of(unsigned host, size_t nth, unsigned* member)
{
  for (opp_simtime_t after = -1;; nth--) {
    const sim_frame_t* next = NULL;
    for (unsigned m = 0; m < MEMBERS; m++)
      for (size_t n = 0; n < sim_data_frame_count(m); n++) {
        const sim_frame_t* frame = sim_data_frame(m, n);
        if (frame->header.src == FABRIC_FIRST_HOST + host && frame->date > after &&
            (next == NULL || frame->date < next->date)) {
          next    = frame;
          *member = m;
        }
      }
    CU_ASSERT_PTR_NOT_NULL_FATAL(next);
    if (nth == 0)
      return next;
    after = next->date;
  }
}

static unsigned member_of(unsigned host, size_t nth)
{
  unsigned member = MEMBERS;
  packet_of(host, nth, &member);
  return member;
}

static unsigned packets_on(unsigned member, unsigned host)
{
  unsigned packets = 0;
  for (size_t n = 0; n < sim_data_frame_count(member); n++)
    packets += sim_data_frame(member, n)->header.src == FABRIC_FIRST_HOST + host;
  return packets;
}

/* ps between the arrivals of the flow's packets 0 and n at the leaf. */
static opp_simtime_t arrives_after(size_t n)
{
  return sim_data_frame(AT_LEAF, n)->date - sim_data_frame(AT_LEAF, 0)->date;
}

/* ---- A flow on a member with a load ------------------------------------------------------------------------------ */

/* The first packets of all flows go to LOADED, at 5 us and later; from 20 us on the spine there holds the loader's
 * class, and so many of its packets stay. */
static void load_member(unsigned loader_tc, unsigned packets)
{
  for (unsigned m = 0; m < MEMBERS; m++)
    if (m != LOADED) {
      hold_member(m, 0, 0, 20 * US);
      hold_member(m, loader_tc, 0, 20 * US);
    }
  hold_member(LOADED, loader_tc, 20 * US, 400 * US);
  write_to_peer(LOADER, 1, FIRST_US * US);
  write_to_peer(LOADER, packets, 30 * US);
}

/* Also what SW-77 says: the loader stays, for 24 us are less than the gap. */
static void check_load(void)
{
  CU_ASSERT_EQUAL(member_of(FLOW, 0), LOADED);
  CU_ASSERT_EQUAL(packets_on(LOADED, LOADER), 1 + 10);
  unsigned member;
  CU_ASSERT(packet_of(LOADER, 1, &member)->date > 400 * OPP_US);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* The flow's further packets come so long after the first. */
static void flow_with_load(const char* loader, unsigned loader_tc, const double* after_us, unsigned count)
{
  load_platform("100us", (const char* const[]){loader, NULL});
  load_member(loader_tc, 10);
  write_to_peer(FLOW, 1, FIRST_US * US);
  for (unsigned i = 0; i < count; i++)
    write_to_peer(FLOW, 1, (FIRST_US + after_us[i]) * US);
  sim_run();
  check_load();
}

SGF_SCENARIO(SW_71_and_SW_77_after_99_999_us_a_flow_keeps_its_member)
{
  flow_with_load(LOADER_TC2, 2, (const double[]){99.999}, 1);
  CU_ASSERT_EQUAL(arrives_after(1), GAP_US * OPP_US - OPP_NS);
  CU_ASSERT_EQUAL(member_of(FLOW, 1), LOADED);
}

SGF_SCENARIO(SW_71_after_100_us_a_selection_is_made)
{
  flow_with_load(LOADER_TC2, 2, (const double[]){100}, 1);
  CU_ASSERT_EQUAL(arrives_after(1), GAP_US * OPP_US);
  CU_ASSERT_NOT_EQUAL(member_of(FLOW, 1), LOADED);
}

SGF_SCENARIO(SW_71_each_admitted_packet_restarts_the_gap)
{
  flow_with_load(LOADER_TC2, 2, (const double[]){60, 120, 219.999, 320}, 4);
  CU_ASSERT_EQUAL(arrives_after(3), 220 * OPP_US - OPP_NS);
  CU_ASSERT_EQUAL(arrives_after(4), 320 * OPP_US);
  for (unsigned n = 1; n <= 3; n++)
    CU_ASSERT_EQUAL(member_of(FLOW, n), LOADED);
  CU_ASSERT_NOT_EQUAL(member_of(FLOW, 4), LOADED);
}

/* Not sprayed, a message's probe has the source port of its data: the packet after it finds the flow busy. */
SGF_SCENARIO(SW_71_a_probe_of_the_same_flow_restarts_the_gap)
{
  load_platform("100us", (const char* const[]){LOADER_TC2, "**.nic.PacketSprayingType=None", NULL});
  load_member(2, 10);
  write_to_peer(FLOW, 1, FIRST_US * US);
  write_to_peer(FLOW, 1, (FIRST_US + GAP_US) * US);
  sim_run();
  check_load();
  const net_frame_t* between = &sim_frame(AT_LEAF, 1)->header;
  CU_ASSERT_EQUAL(uet_header_const(between)->type, UET_PROBE);
  CU_ASSERT_EQUAL(between->src_port, sim_data_frame(AT_LEAF, 0)->header.src_port);
  CU_ASSERT_EQUAL(arrives_after(1), GAP_US * OPP_US);
  CU_ASSERT_EQUAL(member_of(FLOW, 1), LOADED);
}

/* Pool 0, which has the flow's own class, is empty on all members. */
SGF_SCENARIO(SW_81_bytes_of_another_pool_are_a_load)
{
  flow_with_load(LOADER_TC1, 1, (const double[]){100}, 1);
  CU_ASSERT_NOT_EQUAL(member_of(FLOW, 1), LOADED);
}

/* All loads are 0, but the flow's own member is paused for its class, and a selection is due. */
SGF_SCENARIO(SW_74_a_flow_leaves_a_paused_member_after_the_gap)
{
  load_platform("100us", (const char* const[]){NULL});
  for (unsigned m = 0; m < MEMBERS; m++)
    if (m != LOADED)
      hold_member(m, 0, 0, 20 * US);
  hold_member(LOADED, 0, 50 * US, 200 * US);
  write_to_peer(FLOW, 1, FIRST_US * US);
  write_to_peer(FLOW, 1, (FIRST_US + GAP_US) * US);
  sim_run();
  CU_ASSERT_EQUAL(member_of(FLOW, 0), LOADED);
  CU_ASSERT_NOT_EQUAL(member_of(FLOW, 1), LOADED);
}

/* ---- Drops (SW-73) ----------------------------------------------------------------------------------------------- */

/* Queues take 11,999 B: two packets of the loader, and none of the flow. */
static void flow_with_drop(double last_us, uint64_t drops)
{
  load_platform("100us", (const char* const[]){LOADER_TC2, "**.switch.EnablePFC=[0, 0, 0, 0, 0, 0, 0, 0]",
                                               "**.switch.LossyAlpha=0", "**.switch.QueueDropThresholdEnable=true",
                                               "**.switch.QueueDropThreshold=1", "**.switch.PlaneBDP=11.999KB", NULL});
  load_member(2, 2);
  write_to_peer(FLOW, 1, FIRST_US * US);
  write_to_peer(FLOW, 1, (FIRST_US + 60) * US);
  write_to_peer(FLOW, 1, last_us * US);
  sim_run();
  CU_ASSERT_EQUAL(member_of(FLOW, 0), LOADED);
  CU_ASSERT_EQUAL(sim_switch()->ports[FIRST_MEMBER + LOADED].tx_drops, drops);
  CU_ASSERT_EQUAL(sim_drops(), drops);
}

/* The second packet is dropped at 60 us and comes again after 10 ms; the third is the next to be admitted. */
SGF_SCENARIO(SW_73_a_drop_at_egress_does_not_restart_the_gap)
{
  flow_with_drop(FIRST_US + 100, 1);
  CU_ASSERT_EQUAL(arrives_after(2), GAP_US * OPP_US);
  CU_ASSERT_NOT_EQUAL(member_of(FLOW, 1), LOADED);
  unsigned member;
  CU_ASSERT(packet_of(FLOW, 1, &member)->date < 200 * OPP_US);
}

SGF_SCENARIO(SW_73_a_drop_at_egress_does_not_change_the_member)
{
  flow_with_drop(FIRST_US + 99.999, 2);
  unsigned member;
  CU_ASSERT(packet_of(FLOW, 1, &member)->date > 10 * OPP_MS); /* both were dropped on the member that it still had */
}

/* ---- Flows of one slot (SW-109) ---------------------------------------------------------------------------------- */

static unsigned slot_of(unsigned from, unsigned to)
{
  const net_frame_t flow = {.src      = FABRIC_FIRST_HOST + from,
                            .dst      = FABRIC_FIRST_HOST + to,
                            .src_port = DATA_PORT,
                            .dst_port = UET_UDP_PORT,
                            .protocol = NET_PROTOCOL_UDP};
  return switch_balance_flow_hash(sim_switch()->balance, &flow, MEMBERS) % SWITCH_FLOW_SLOTS;
}

/* Two flows from different hosts, neither of them the loader, whose slots are so far apart. */
static bool find_pair(unsigned from[2], unsigned to[2], unsigned apart)
{
  const unsigned loader = slot_of(LOADER, LOADER + HOSTS);
  for (unsigned flow = 0; flow < HOSTS * HOSTS; flow++)
    for (unsigned other = 0; other < HOSTS * HOSTS; other++) {
      from[0]              = flow / HOSTS;
      from[1]              = other / HOSTS;
      to[0]                = HOSTS + flow % HOSTS;
      to[1]                = HOSTS + other % HOSTS;
      const unsigned slot  = slot_of(from[0], to[0]);
      const bool different = from[0] != from[1] && from[0] != LOADER && from[1] != LOADER;
      if (different && slot_of(from[1], to[1]) == slot + apart && slot != loader)
        return true;
    }
  return false;
}

/* Of two flows whose slots are so far apart, the first sends at 0 and 120 us, the other at 60 us: the members that the
 * latter two find. */
static void two_flows(unsigned apart, unsigned* member_at_60_us, unsigned* member_at_120_us)
{
  unsigned from[2];
  unsigned to[2];
  load_platform("100us", (const char* const[]){LOADER_TC2, NULL});
  CU_ASSERT_FATAL(find_pair(from, to, apart));
  load_member(2, 10);
  sim_write_packets(from[0], to[0], 1, FIRST_US * US);
  sim_write_packets(from[1], to[1], 1, (FIRST_US + 60) * US);
  sim_write_packets(from[0], to[0], 1, (FIRST_US + 120) * US);
  sim_run();
  unsigned member;
  for (unsigned i = 0; i < 2; i++)
    CU_ASSERT_EQUAL(packet_of(from[i], 0, &member)->header.src_port, DATA_PORT); /* as slot_of supposes */
  CU_ASSERT_EQUAL(member_of(from[0], 0), LOADED);
  *member_at_60_us  = member_of(from[1], 0);
  *member_at_120_us = member_of(from[0], 1);
}

SGF_SCENARIO(SW_109_a_slot_keeps_the_time_of_all_its_flows)
{
  unsigned at_60_us;
  unsigned at_120_us;
  two_flows(0, &at_60_us, &at_120_us);
  CU_ASSERT_EQUAL(at_60_us, LOADED); /* the slot's member */
  CU_ASSERT_EQUAL(at_120_us, LOADED);
}

SGF_SCENARIO(SW_76_and_SW_109_flows_half_a_table_apart_share_no_slot)
{
  unsigned at_60_us;
  unsigned at_120_us;
  two_flows(SWITCH_FLOW_SLOTS / 2, &at_60_us, &at_120_us);
  CU_ASSERT_NOT_EQUAL(at_60_us, LOADED);
  CU_ASSERT_NOT_EQUAL(at_120_us, LOADED);
}

/* ---- A selection for every packet (SW-72, SW-74, SW-75, SW-81) --------------------------------------------------- */

/* All members are held, so that every packet stays; the flow's PSNs by member. */
static void burst_onto_held_members(const char* gap, unsigned packets, unsigned* member_of_psn)
{
  load_platform(gap, (const char* const[]){NULL});
  for (unsigned m = 0; m < MEMBERS; m++)
    hold_member(m, 0, 0, 100 * US);
  write_to_peer(FLOW, packets, FIRST_US * US);
  sim_run();
  unsigned found = 0;
  for (unsigned m = 0; m < MEMBERS; m++)
    for (size_t n = 0; n < sim_data_frame_count(m); n++, found++)
      member_of_psn[uet_header_const(&sim_data_frame(m, n)->header)->psn] = m;
  CU_ASSERT_EQUAL_FATAL(found, packets);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* A round of four fills all members alike; the next packet finds its member at the minimum and stays. */
SGF_SCENARIO(SW_72_and_SW_75_without_a_gap_every_packet_takes_a_least_loaded_member)
{
  enum { PACKETS = 40 };
  unsigned member[PACKETS];
  burst_onto_held_members("0s", PACKETS, member);
  for (unsigned psn = 0; psn < PACKETS; psn += MEMBERS) {
    unsigned seen = 0;
    for (unsigned i = 0; i < MEMBERS; i++)
      seen |= 1U << member[psn + i];
    CU_ASSERT_EQUAL(seen, 0xf);
    if (psn > 0)
      CU_ASSERT_EQUAL(member[psn], member[psn - 1]);
  }
}

SGF_SCENARIO(SW_72_control_with_a_gap_the_burst_stays_together)
{
  enum { PACKETS = 40 };
  unsigned member[PACKETS];
  burst_onto_held_members("100us", PACKETS, member);
  for (unsigned psn = 1; psn < PACKETS; psn++)
    CU_ASSERT_EQUAL(member[psn], member[0]);
}

/* What each cable has carried in a run of the command, as JSON; its bytes depend on which hosts have used it, for each
 * writes another amount to its peer. To be freed. */
static char* links_of_run(const char* deployment, const char* seed)
{
  int status;
  json_t* root = command_json(ARGS("run", PLATFORM, deployment, "--seed", seed, "--set",
                                   "**.switch.LoadBalancingMethod=flowlet", "--set", "**.switch.Gap=0s"),
                              &status);
  CU_ASSERT_EQUAL(status, 0);
  char* links = json_dumps(json_object_get(root, "links"), JSON_SORT_KEYS);
  CU_ASSERT_PTR_NOT_NULL_FATAL(links);
  json_decref(root);
  return links;
}

SGF_SCENARIO(SW_75_the_same_seed_makes_the_same_choices)
{
  char actors[HOSTS * 128] = "";
  for (unsigned host = 0; host < HOSTS; host++)
    snprintf(
        actors + strlen(actors), sizeof actors - strlen(actors),
        "<actor host=\"h%u\" function=\"rdma_write\"><argument value=\"h%u\"/><argument value=\"%u00B\"/></actor>\n",
        host, host + HOSTS, host + 1);
  char* deployment = deployment_write(actors, "flowlet_seed_d.xml");
  char* first      = links_of_run(deployment, "7");
  char* again      = links_of_run(deployment, "7");
  char* other      = links_of_run(deployment, "8");
  CU_ASSERT_STRING_EQUAL(first, again);
  CU_ASSERT_STRING_NOT_EQUAL(first, other);
  free(first);
  free(again);
  free(other);
  free(deployment);
}

/* Packets of four hosts arrive at once: those that are on a wire already are a load. */
SGF_SCENARIO(SW_81_the_packet_on_the_wire_is_a_load)
{
  load_platform("100us", (const char* const[]){NULL});
  for (unsigned host = 0; host < MEMBERS; host++)
    write_to_peer(host, 1, FIRST_US * US);
  sim_run();
  for (unsigned m = 0; m < MEMBERS; m++)
    CU_ASSERT_EQUAL(sim_data_frame_count(m), 1);
}

/* Eight hosts send ten packets each, a selection for each packet, while the spines hold class 0 of some members; h1
 * sends another class. The packets of class 0 by member, and those of h1. */
static void eight_bursts(unsigned held, const char* pfc_aware, unsigned packets[MEMBERS], unsigned others[MEMBERS])
{
  load_platform("0s", (const char* const[]){LOADER_TC2, pfc_aware, NULL});
  for (unsigned m = 0; m < MEMBERS; m++)
    if (held >> m & 1)
      hold_member(m, 0, 0, 100 * US);
  for (unsigned host = 0; host < HOSTS; host++)
    write_to_peer(host, 10, FIRST_US * US);
  sim_run();
  for (unsigned m = 0; m < MEMBERS; m++) {
    others[m]  = packets_on(m, LOADER);
    packets[m] = (unsigned)sim_data_frame_count(m) - others[m];
  }
  CU_ASSERT_EQUAL(packets[0] + packets[1] + packets[2] + packets[3], (HOSTS - 1) * 10);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

#define PFC_AWARE "**.switch.LoadBalancingFlowlet.PFCAware=true"
#define NOT_PFC_AWARE "**.switch.LoadBalancingFlowlet.PFCAware=false"

SGF_SCENARIO(SW_74_paused_members_are_no_candidates_for_their_class)
{
  unsigned packets[MEMBERS];
  unsigned others[MEMBERS];
  eight_bursts(0x3, PFC_AWARE, packets, others);
  CU_ASSERT_EQUAL(packets[0] + packets[1], 0);
  CU_ASSERT(packets[2] > 0 && packets[3] > 0);
  CU_ASSERT(others[0] + others[1] > 0); /* class 2 is not paused there */
}

SGF_SCENARIO(SW_74_a_single_paused_member_is_no_candidate_either)
{
  unsigned packets[MEMBERS];
  unsigned others[MEMBERS];
  eight_bursts(0x4, PFC_AWARE, packets, others);
  CU_ASSERT_EQUAL(packets[2], 0);
  CU_ASSERT(packets[0] > 0 && packets[1] > 0 && packets[3] > 0);
}

SGF_SCENARIO(SW_74_if_all_are_paused_all_are_candidates)
{
  unsigned packets[MEMBERS];
  unsigned others[MEMBERS];
  eight_bursts(0xf, PFC_AWARE, packets, others);
  for (unsigned m = 0; m < MEMBERS; m++)
    CU_ASSERT(packets[m] >= 17 && packets[m] <= 18); /* 70 packets that all stay, on four members */
}

SGF_SCENARIO(SW_74_without_PFCAware_all_are_candidates)
{
  unsigned packets[MEMBERS];
  unsigned others[MEMBERS];
  eight_bursts(0x3, NOT_PFC_AWARE, packets, others);
  for (unsigned m = 0; m < MEMBERS; m++)
    CU_ASSERT(packets[m] > 0);
}
