/* Flowlets in a switch, with frames and a clock: what spec/switch.md 8.4 says of egress drops, pauses and loads. The
 * rules of selection are in flowlet.c. */
#include "balance_support.h"

#include "harness.h"

enum { MEMBERS = 4, FILLER = 48 /* the first of the hosts that have one member each for themselves */ };

/* A switch with four members, and a host behind each of them alone, so that a test can fill one member's queue. */
static lab_t* tier_of_flowlets(const char* const* settings)
{
  lab_t* lab = tier_new(7, MEMBERS, settings);
  for (uint16_t m = 0; m < MEMBERS; m++)
    switch_set_route(lab->state, FILLER + m, &(uint16_t){(uint16_t)(TIER_MEMBER + m)}, 1);
  return lab;
}

static switch_set_t* set_towards(const lab_t* lab, uint32_t host)
{
  return &lab->state->sets[lab->state->set_of_host[host]];
}

static net_frame_t flow_in_class(unsigned i, unsigned tc)
{
  net_frame_t flow = flow_number(i);
  flow.dscp        = (uint8_t)(8 * tc);
  flow.tc          = (uint8_t)tc;
  return flow;
}

/* The member that a packet would get now. None is sent. */
static unsigned choice_for(lab_t* lab, const net_frame_t* flow)
{
  return switch_choose(lab->state, set_towards(lab, flow->dst - LAB_FIRST_HOST), flow).member;
}

/* Members that 40 flows would get now, as bits. */
static unsigned choices_in_class(lab_t* lab, unsigned tc)
{
  unsigned members = 0;
  for (unsigned i = 0; i < 40; i++) {
    const net_frame_t flow = flow_in_class(65 * i, tc);
    members |= 1U << choice_for(lab, &flow);
  }
  return members;
}

/* `count` packets of class `tc` of 4,000 B stand before member `m`; the first of them is on the wire. */
static void fill(lab_t* lab, unsigned m, unsigned tc, unsigned count)
{
  lab_packets(lab, 0, FILLER + m, tc, count);
}

/* ----------------------------------------------------------------------------------------------------- Load (SW-81) */

SGF_TEST(SW_81_the_load_is_that_of_all_pools)
{
  lab_t* lab = tier_of_flowlets(FLOWLETS(NULL));
  fill(lab, 0, 1, 3); /* pool 1 */
  fill(lab, 1, 0, 2); /* pool 0 */
  fill(lab, 2, 0, 2);
  fill(lab, 2, 1, 1);
  fill(lab, 3, 0, 4);
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS), 1U << 1);
  lab_free(lab);
}

SGF_TEST(SW_81_the_packet_on_the_wire_counts_until_its_end)
{
  lab_t* lab = tier_of_flowlets(FLOWLETS(NULL));
  for (unsigned m = 0; m < MEMBERS; m++) {
    const net_frame_t filler = lab_fields(FILLER + m, FLOW_CLASS);
    lab_packet(lab, 0, &filler, m == 1 ? 3999 : 4000);
  }
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS), 1U << 1);
  lab_run(lab, lab_wire_time(lab, 4000 + NET_ETHERNET_BYTES) - 1);
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS), 1U << 1); /* it is through, the others almost */
  CU_ASSERT_EQUAL(sgf_sb_port_queued(lab->buffer, TIER_MEMBER + 1), 0);
  CU_ASSERT_EQUAL(sgf_sb_port_queued(lab->buffer, TIER_MEMBER), 4000);
  lab_settle(lab);
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS), (1U << MEMBERS) - 1);
  lab_free(lab);
}

/* 6.1: PFC frames do not count. */
SGF_TEST(SW_81_pause_frames_do_not_count)
{
  lab_t* lab = tier_of_flowlets(FLOWLETS("StaticPoolXoffThreshold", "4KB", "StaticPoolXonThreshold", "2KB"));
  lab_hold(lab, TIER_MEMBER + 2, 0);
  lab_packets(lab, TIER_MEMBER, FILLER + 2, 0, 2); /* member 0's own port sends a pause */
  CU_ASSERT_EQUAL(lab_now(lab), 0);
  CU_ASSERT_PTR_NOT_NULL(lab->state->ports[TIER_MEMBER].out.on_wire);
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS), 1U << 0 | 1U << 1 | 1U << 3);
  lab_free(lab);
}

/* ----------------------------------------------------------------------------------------------------- Egress drops */

SGF_TEST(SW_73_a_packet_that_egress_drops_does_not_restart_the_gap)
{
  lab_t* lab = tier_of_flowlets(
      FLOWLETS("LossyAlpha", "0", "QueueDropThresholdEnable", "true", "QueueDropThreshold", "1", "PlaneBDP", "4KB"));
  const net_frame_t flow = flow_in_class(0, FLOW_CLASS);
  const unsigned member  = tier_member_of(lab, &flow); /* at 0 */
  lab_run(lab, 60 * OPP_US);
  lab_packet(lab, 0, &flow, 4001);
  CU_ASSERT_EQUAL(lab->state->ports[TIER_MEMBER + member].tx_drops, 1);
  lab_run(lab, 100 * OPP_US - 1);
  fill(lab, member, 1, 2);
  CU_ASSERT_EQUAL(choice_for(lab, &flow), member);
  lab_run(lab, 100 * OPP_US);
  CU_ASSERT_NOT_EQUAL(choice_for(lab, &flow), member);
  lab_free(lab);
}

SGF_TEST(SW_71_an_admitted_packet_restarts_it)
{
  lab_t* lab             = tier_of_flowlets(FLOWLETS(NULL));
  const net_frame_t flow = flow_in_class(0, FLOW_CLASS);
  const unsigned member  = tier_member_of(lab, &flow);
  lab_run(lab, 60 * OPP_US);
  lab_packet(lab, 0, &flow, 4000);
  lab_run(lab, 160 * OPP_US - 1);
  fill(lab, member, 1, 2);
  CU_ASSERT_EQUAL(choice_for(lab, &flow), member);
  lab_run(lab, 160 * OPP_US);
  CU_ASSERT_NOT_EQUAL(choice_for(lab, &flow), member);
  lab_free(lab);
}

/* ----------------------------------------------------------------------------------------------------------- Pauses */

/* Members 0 and 1 are empty and paused for a class; the others are filled. */
static lab_t* tier_with_paused_members(const char* const* settings)
{
  lab_t* lab = tier_of_flowlets(settings);
  lab_hold(lab, TIER_MEMBER, FLOW_CLASS);
  lab_hold(lab, TIER_MEMBER + 1, FLOW_CLASS);
  fill(lab, 2, 0, 3);
  fill(lab, 3, 0, 3);
  return lab;
}

SGF_TEST(SW_74_a_member_whose_peer_pauses_the_class_is_left_out)
{
  lab_t* lab = tier_with_paused_members(FLOWLETS(NULL));
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS), 1U << 2 | 1U << 3);
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS + 1), 1U << 0 | 1U << 1);
  lab_release(lab, TIER_MEMBER + 1, FLOW_CLASS);
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS), 1U << 1);
  lab_free(lab);
}

SGF_TEST(SW_74_if_all_peers_pause_the_load_decides)
{
  lab_t* lab = tier_with_paused_members(FLOWLETS(NULL));
  lab_hold(lab, TIER_MEMBER + 2, FLOW_CLASS);
  lab_hold(lab, TIER_MEMBER + 3, FLOW_CLASS);
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS), 1U << 0 | 1U << 1);
  lab_free(lab);
}

SGF_TEST(SW_74_without_PFCAware_the_load_decides)
{
  lab_t* lab = tier_with_paused_members(FLOWLETS("PFCAware", "false"));
  CU_ASSERT_EQUAL(choices_in_class(lab, FLOW_CLASS), 1U << 0 | 1U << 1);
  lab_free(lab);
}

SGF_TEST(SW_77_a_flow_stays_on_a_member_that_is_paused_within_its_gap)
{
  lab_t* lab             = tier_of_flowlets(FLOWLETS(NULL));
  const net_frame_t flow = flow_in_class(0, FLOW_CLASS);
  const unsigned member  = tier_member_of(lab, &flow);
  const net_port_t* out  = &lab->state->ports[TIER_MEMBER + member].out;
  lab_run(lab, 10 * OPP_US);
  lab_hold(lab, TIER_MEMBER + member, FLOW_CLASS);
  lab_run(lab, 50 * OPP_US);
  lab_packet(lab, 0, &flow, 4000);
  CU_ASSERT_EQUAL(net_port_queue_length(out, FLOW_CLASS), 1);
  lab_run_held(lab, TIER_MEMBER + member, FLOW_CLASS, 150 * OPP_US);
  lab_packet(lab, 0, &flow, 4000);
  CU_ASSERT_EQUAL(net_port_queue_length(out, FLOW_CLASS), 1); /* the next one has gone elsewhere */
  lab_free(lab);
}

/* ------------------------------------------------------------------------------------------------------------- Sets */

SGF_TEST(SW_108_destinations_over_the_same_ports_share_a_set)
{
  lab_t* lab                      = lab_new(TIER_PORTS, 400, LAB_DELAY, 1, LAB_DEFAULTS);
  static const uint16_t shared[]  = {4, 5, 6};
  static const uint16_t another[] = {4, 5, 7};
  static const uint16_t shorter[] = {4, 5};
  const uint32_t before           = lab->state->set_count;
  switch_set_route(lab->state, TIER_PORTS, shared, 3);
  switch_set_route(lab->state, TIER_PORTS + 1, shared, 3);
  switch_set_route(lab->state, TIER_PORTS + 2, another, 3);
  switch_set_route(lab->state, TIER_PORTS + 3, shorter, 2);
  const uint32_t* set = lab->state->set_of_host + TIER_PORTS;
  CU_ASSERT_EQUAL(set[0], set[1]);
  CU_ASSERT_NOT_EQUAL(set[0], set[2]);
  CU_ASSERT_NOT_EQUAL(set[0], set[3]);
  CU_ASSERT_NOT_EQUAL(set[2], set[3]);
  CU_ASSERT_EQUAL(lab->state->set_count, before + 3);
  lab_free(lab);
}

/* A flow to `host` in the same slot as `flow`. */
static net_frame_t same_slot(const lab_t* lab, const net_frame_t* flow, uint32_t host)
{
  const switch_balance_t* balance = lab->state->balance;
  net_frame_t other               = *flow;
  other.dst                       = LAB_FIRST_HOST + host;
  while (switch_balance_flow_hash(balance, &other, MEMBERS) % SWITCH_FLOW_SLOTS !=
         switch_balance_flow_hash(balance, flow, MEMBERS) % SWITCH_FLOW_SLOTS)
    other.src_port++;
  return other;
}

SGF_TEST(SW_108_they_share_its_slots)
{
  static const uint16_t another[] = {TIER_MEMBER, TIER_MEMBER + 1, TIER_MEMBER + 2, 20};
  lab_t* lab                      = tier_of_flowlets(FLOWLETS(NULL));
  switch_set_route(lab->state, 2, another, MEMBERS);
  const net_frame_t flow    = flow_in_class(0, FLOW_CLASS); /* to host 0 */
  const net_frame_t sharing = same_slot(lab, &flow, 1);
  const net_frame_t apart   = same_slot(lab, &flow, 2);
  const unsigned member     = tier_member_of(lab, &flow);
  for (unsigned m = 0; m < MEMBERS - 1; m++)
    fill(lab, m, 1, m == (member + 1) % 3 ? 1 : 2);
  fill(lab, MEMBERS - 1, 1, 2);
  fill(lab, member, 1, 3);
  CU_ASSERT_EQUAL(choice_for(lab, &sharing), member);
  CU_ASSERT_EQUAL(choice_for(lab, &apart), MEMBERS - 1); /* port 20 is empty */
  CU_ASSERT_EQUAL(set_towards(lab, 0)->group, set_towards(lab, 1)->group);
  CU_ASSERT_NOT_EQUAL(set_towards(lab, 0)->group, set_towards(lab, 2)->group);
  lab_free(lab);
}

/* A set is met by the first packet that is looked up to it, and one with a single member never (O-21). */
SGF_TEST(O_21_a_set_is_met_by_its_first_packet)
{
  lab_t* lab                      = tier_of_flowlets(FLOWLETS(NULL));
  const switch_balance_t* balance = lab->state->balance;
  switch_set_route(lab->state, 2, (const uint16_t[]){20, 21}, 2);
  fill(lab, 0, FLOW_CLASS, 1);
  CU_ASSERT_EQUAL(switch_balance_group_count(balance), 0);
  lab_run(lab, 3 * OPP_US);
  lab_packets(lab, 0, 2, FLOW_CLASS, 1);
  CU_ASSERT_EQUAL(switch_balance_group_count(balance), 1);
  lab_run(lab, 5 * OPP_US);
  lab_packets(lab, 0, 0, FLOW_CLASS, 1);
  lab_packets(lab, 0, 2, FLOW_CLASS, 1);
  CU_ASSERT_EQUAL_FATAL(switch_balance_group_count(balance), 2);
  CU_ASSERT_EQUAL(switch_balance_group(balance, 0).formed, 3 * OPP_US);
  CU_ASSERT_EQUAL(switch_balance_group(balance, 0).size, 2);
  CU_ASSERT_EQUAL(switch_balance_member_port(balance, 0, 1), 21);
  CU_ASSERT_EQUAL(switch_balance_group(balance, 1).formed, 5 * OPP_US);
  CU_ASSERT_EQUAL(switch_balance_group(balance, 1).size, MEMBERS);
  lab_free(lab);
}

/* Packets count with their charge size where egress has admitted them. */
SGF_TEST(R_11_a_member_counts_what_its_egress_admits)
{
  lab_t* lab = tier_of_flowlets(
      FLOWLETS("LossyAlpha", "0", "QueueDropThresholdEnable", "true", "QueueDropThreshold", "1", "PlaneBDP", "4KB"));
  const net_frame_t flow = flow_in_class(0, FLOW_CLASS);
  const unsigned member  = tier_member_of(lab, &flow);
  lab_packet(lab, 0, &flow, 20);   /* costs 46 B */
  lab_packet(lab, 0, &flow, 4000); /* dropped */
  const switch_member_stats_t* stats = switch_balance_member_stats(lab->state->balance, 0, member);
  CU_ASSERT_EQUAL(stats->packets, 2);
  CU_ASSERT_EQUAL(stats->bytes, FLOW_SMALL + 46);
  CU_ASSERT_EQUAL(stats->assignments, 1);
  CU_ASSERT_EQUAL(lab->state->ports[TIER_MEMBER + member].tx_drops, 1);
  lab_free(lab);
}
