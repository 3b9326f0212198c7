/* Flowlets on the state machine: spec/switch.md 8.4, SW-71 to SW-77, SW-109, the counters of spec/records.md R-11. No
 * frames move and no time passes: a test says when a packet comes, what its ports look like, and whether egress takes
 * it. What needs frames and a clock is in flowlet_switch.c. */
#include "balance_support.h"

#include "harness.h"

#include <string.h>

enum {
  MEMBERS    = 4,
  FIRST_PORT = 10, /* of member 0 */
  CHARGE     = 4000,
  NODE       = 7,
  SEED       = 1,
  RUN        = 0,
};
#define GAP (100 * OPP_US) /* the default */

/* ---- A balancer and the ports it sees ---------------------------------------------------------------------------- */

typedef struct rig {
  switch_balance_t* balance;
  uint32_t group;
  int64_t load[MEMBERS];
  bool paused[MEMBERS]; /* for FLOW_CLASS */
} rig_t;

static switch_egress_t look(const void* user, unsigned port, unsigned tc)
{
  const rig_t* rig  = user;
  const unsigned m  = port - FIRST_PORT;
  const bool paused = tc == FLOW_CLASS && rig->paused[m];
  return (switch_egress_t){rig->load[m], paused};
}

static switch_balance_t* balance_with(const char* const* settings, uint32_t node_id, uint64_t seed, uint64_t run)
{
  const switch_balance_config_t config = balance_configure(settings);
  sgf_error_t error                    = {0};
  switch_balance_t* balance            = switch_balance_new(&config, node_id, seed, run, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(balance);
  return balance;
}

static uint32_t meet(switch_balance_t* balance, opp_simtime_t now)
{
  uint16_t ports[MEMBERS];
  for (uint16_t m = 0; m < MEMBERS; m++)
    ports[m] = (uint16_t)(FIRST_PORT + m);
  return switch_balance_meet(balance, ports, MEMBERS, now);
}

static rig_t rig_drawing(const char* const* settings, uint32_t node_id, uint64_t seed, uint64_t run)
{
  rig_t rig = {.balance = balance_with(settings, node_id, seed, run)};
  rig.group = meet(rig.balance, 0);
  return rig;
}

static rig_t rig_with(const char* const* settings)
{
  return rig_drawing(settings, NODE, SEED, RUN);
}

static rig_t rig_of_flowlets(void)
{
  return rig_with(FLOWLETS(NULL));
}

static void strike(rig_t* rig)
{
  switch_balance_free(rig->balance);
}

/* Member `m` becomes the only one with the least load. */
static void empty_only(rig_t* rig, unsigned m)
{
  for (unsigned i = 0; i < MEMBERS; i++)
    rig->load[i] = i == m ? 0 : CHARGE;
}

static void load_equally(rig_t* rig)
{
  memset(rig->load, 0, sizeof rig->load);
}

/* A packet is looked up, and egress refuses it. Returns its choice. */
static switch_choice_t offer(rig_t* rig, const net_frame_t* flow, opp_simtime_t now)
{
  const switch_view_t view     = {look, rig};
  const switch_choice_t choice = switch_balance_select(rig->balance, rig->group, flow, FLOW_CLASS, now, &view);
  CU_ASSERT_EQUAL(choice.port, FIRST_PORT + choice.member);
  return choice;
}

/* A packet that egress admits. Returns its member. */
static unsigned send(rig_t* rig, const net_frame_t* flow, opp_simtime_t now)
{
  const switch_choice_t choice = offer(rig, flow, now);
  switch_balance_admitted(rig->balance, choice, CHARGE, now);
  return choice.member;
}

/* Place a flow on member `m` at `now`. */
static void place(rig_t* rig, const net_frame_t* flow, unsigned m, opp_simtime_t now)
{
  empty_only(rig, m);
  CU_ASSERT_EQUAL_FATAL(send(rig, flow, now), m);
}

static const switch_member_stats_t* stats(const rig_t* rig, unsigned m)
{
  return switch_balance_member_stats(rig->balance, rig->group, m);
}

/* -------------------------------------------------------------------------------------------------- The gap (SW-71) */

SGF_TEST(SW_71_a_flow_keeps_its_member_for_less_than_the_gap)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  place(&rig, &flow, 1, 0);
  empty_only(&rig, 2);
  CU_ASSERT_EQUAL(offer(&rig, &flow, 99999 * OPP_NS).member, 1);
  CU_ASSERT_EQUAL(offer(&rig, &flow, GAP - 1).member, 1);
  CU_ASSERT_EQUAL(offer(&rig, &flow, GAP).member, 2);
  strike(&rig);
}

SGF_TEST(SW_71_each_admitted_packet_restarts_the_gap)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  place(&rig, &flow, 1, 0);
  empty_only(&rig, 2);
  for (unsigned i = 1; i <= 10; i++)
    CU_ASSERT_EQUAL(send(&rig, &flow, i * (GAP - 1)), 1);
  CU_ASSERT_EQUAL(offer(&rig, &flow, 10 * (GAP - 1) + GAP - 1).member, 1);
  CU_ASSERT_EQUAL(offer(&rig, &flow, 10 * (GAP - 1) + GAP).member, 2);
  strike(&rig);
}

SGF_TEST(SW_72_without_a_gap_every_packet_selects)
{
  rig_t rig              = rig_with(FLOWLETS("Gap", "0s"));
  const net_frame_t flow = flow_number(0);
  for (unsigned i = 0; i < 20; i++)
    place(&rig, &flow, i % MEMBERS, 5 * OPP_US); /* also at one instant */
  strike(&rig);
}

SGF_TEST(SW_73_a_drop_at_egress_touches_neither_member_nor_time)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  place(&rig, &flow, 1, 0);
  empty_only(&rig, 2);
  CU_ASSERT_EQUAL(offer(&rig, &flow, 60 * OPP_US).member, 1);
  CU_ASSERT_EQUAL(offer(&rig, &flow, 100 * OPP_US).member, 2); /* a selection; refused too */
  empty_only(&rig, 3);
  CU_ASSERT_EQUAL(send(&rig, &flow, 101 * OPP_US), 3); /* and so another one */
  CU_ASSERT_EQUAL(stats(&rig, 1)->movements_out, 1);
  CU_ASSERT_EQUAL(stats(&rig, 2)->movements_in, 0);
  CU_ASSERT_EQUAL(stats(&rig, 3)->movements_in, 1);
  strike(&rig);
}

SGF_TEST(SW_73_a_drop_leaves_an_empty_slot_empty)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  empty_only(&rig, 1);
  CU_ASSERT_EQUAL(offer(&rig, &flow, 0).member, 1);
  CU_ASSERT_EQUAL(stats(&rig, 1)->assignments, 0);
  CU_ASSERT_EQUAL(stats(&rig, 1)->packets, 0);
  place(&rig, &flow, 2, 1); /* at once: there is no gap to wait for */
  CU_ASSERT_EQUAL(stats(&rig, 2)->assignments, 1);
  CU_ASSERT_EQUAL(stats(&rig, 1)->movements_out, 0);
  strike(&rig);
}

/* ----------------------------------------------------------------------------------------------- Candidates (SW-74) */

/* Members that 200 flows with empty slots get. */
static unsigned members_given(rig_t* rig, unsigned* given)
{
  unsigned used = 0;
  for (unsigned i = 0; i < 200; i++)
    given[send(rig, &(net_frame_t){.src = i * 977, .src_port = (uint16_t)i, .protocol = NET_PROTOCOL_UDP}, 0)]++;
  for (unsigned m = 0; m < MEMBERS; m++)
    used += given[m] > 0;
  return used;
}

static rig_t rig_with_paused_members(const char* const* settings, unsigned paused)
{
  rig_t rig = rig_with(settings);
  load_equally(&rig);
  for (unsigned m = 0; m < paused; m++)
    rig.paused[m] = true;
  return rig;
}

SGF_TEST(SW_74_paused_members_are_no_candidates)
{
  rig_t rig               = rig_with_paused_members(FLOWLETS(NULL), 2);
  unsigned given[MEMBERS] = {0};
  rig.load[2] = rig.load[3] = CHARGE; /* however empty the others are */
  CU_ASSERT_EQUAL(members_given(&rig, given), 2);
  CU_ASSERT(given[2] > 0 && given[3] > 0);
  strike(&rig);
}

SGF_TEST(SW_74_if_all_are_paused_all_are_candidates)
{
  rig_t rig               = rig_with_paused_members(FLOWLETS(NULL), 4);
  unsigned given[MEMBERS] = {0};
  CU_ASSERT_EQUAL(members_given(&rig, given), 4);
  strike(&rig);
}

SGF_TEST(SW_74_without_PFCAware_all_are_candidates)
{
  rig_t rig               = rig_with_paused_members(FLOWLETS("PFCAware", "false"), 2);
  unsigned given[MEMBERS] = {0};
  CU_ASSERT_EQUAL(members_given(&rig, given), 4);
  strike(&rig);
}

SGF_TEST(SW_74_the_class_of_the_packet_decides)
{
  rig_t rig                    = rig_with_paused_members(FLOWLETS(NULL), 3);
  const net_frame_t flow       = flow_number(0);
  const switch_view_t view     = {look, &rig};
  rig.load[3]                  = CHARGE;
  const switch_choice_t choice = switch_balance_select(rig.balance, rig.group, &flow, FLOW_CLASS + 1, 0, &view);
  CU_ASSERT(choice.member < 3);
  CU_ASSERT_EQUAL(offer(&rig, &flow, 0).member, 3);
  strike(&rig);
}

SGF_TEST(SW_74_a_flow_leaves_a_paused_member_after_the_gap)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  place(&rig, &flow, 1, 0);
  rig.paused[1] = true; /* still the one with the least load */
  rig.load[3]   = CHARGE / 2;
  CU_ASSERT_EQUAL(offer(&rig, &flow, GAP).member, 3);
  rig.load[1] = rig.load[3]; /* the least that a candidate has */
  CU_ASSERT_EQUAL(send(&rig, &flow, GAP), 3);
  strike(&rig);
}

/* --------------------------------------------------------------------------------------------------- Choice (SW-75) */

SGF_TEST(SW_75_a_member_at_the_minimum_keeps_its_flow)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  place(&rig, &flow, 2, 0);
  load_equally(&rig);
  for (unsigned i = 1; i <= 100; i++)
    CU_ASSERT_EQUAL(send(&rig, &flow, i * GAP), 2);
  CU_ASSERT_EQUAL(stats(&rig, 2)->movements_out, 0);
  strike(&rig);
}

SGF_TEST(SW_75_one_byte_above_the_minimum_is_enough_to_move)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  place(&rig, &flow, 2, 0);
  for (unsigned m = 0; m < MEMBERS; m++)
    rig.load[m] = 1000 + (m != 0);
  CU_ASSERT_EQUAL(send(&rig, &flow, GAP), 0);
  strike(&rig);
}

SGF_TEST(SW_75_ties_go_to_all_minimal_members_alike)
{
  enum { DRAWS = 3000 };
  rig_t rig               = rig_with(FLOWLETS("Gap", "0s"));
  const net_frame_t flow  = flow_number(0);
  unsigned given[MEMBERS] = {0};
  for (unsigned i = 0; i < DRAWS; i++) {
    place(&rig, &flow, 1, 0);
    for (unsigned m = 0; m < MEMBERS; m++)
      rig.load[m] = m == 1 ? CHARGE : 0;
    given[send(&rig, &flow, 0)]++;
  }
  CU_ASSERT_EQUAL(given[1], 0);
  double chi_square = 0;
  for (unsigned m = 0; m < MEMBERS; m++)
    if (m != 1)
      chi_square += (given[m] - DRAWS / 3.0) * (given[m] - DRAWS / 3.0) / (DRAWS / 3.0);
  CU_ASSERT(chi_square < 27.63); /* a one-in-a-million accident with 2 degrees of freedom */
  strike(&rig);
}

enum { TIES = 64 };

/* The members that a flow is offered, packet by packet, while all are alike. All are refused: its slot stays empty. */
static void draw_ties(rig_t* rig, unsigned* members)
{
  const net_frame_t flow = flow_number(1);
  load_equally(rig);
  for (unsigned i = 0; i < TIES; i++)
    members[i] = offer(rig, &flow, 0).member;
}

static bool draw_the_same(rig_t* a, rig_t* b)
{
  unsigned members[2][TIES];
  draw_ties(a, members[0]);
  draw_ties(b, members[1]);
  return memcmp(members[0], members[1], sizeof members[0]) == 0;
}

static bool seeds_are_alike(uint32_t node_id, uint64_t seed, uint64_t run)
{
  rig_t first     = rig_drawing(FLOWLETS(NULL), NODE, SEED, RUN);
  rig_t other     = rig_drawing(FLOWLETS(NULL), node_id, seed, run);
  const bool same = draw_the_same(&first, &other);
  strike(&first);
  strike(&other);
  return same;
}

SGF_TEST(SW_75_ties_repeat_with_the_seed_and_depend_on_run_and_switch)
{
  CU_ASSERT(seeds_are_alike(NODE, SEED, RUN));
  CU_ASSERT(!seeds_are_alike(NODE, SEED + 1, RUN));
  CU_ASSERT(!seeds_are_alike(NODE, SEED, RUN + 1));
  CU_ASSERT(!seeds_are_alike(NODE + 1, SEED, RUN));
}

SGF_TEST(SW_75_only_a_tie_takes_a_draw)
{
  rig_t first            = rig_of_flowlets();
  rig_t other            = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  for (unsigned i = 0; i < 10; i++) {
    place(&other, &flow, i % MEMBERS, i * GAP); /* a selection with one candidate at the minimum */
    load_equally(&other);
    send(&other, &flow, i * GAP); /* inside the gap: no selection */
  }
  CU_ASSERT_EQUAL(send(&other, &flow, 10 * GAP), 9 % MEMBERS); /* minimal like the others: it keeps the flow */
  CU_ASSERT(draw_the_same(&first, &other));
  strike(&other);
  strike(&first);
}

/* ------------------------------------------------------------------------------------------- Sets and slots (SW-76) */

SGF_TEST(SW_76_the_first_128_sets_have_512_slots_and_no_others)
{
  rig_t rig = rig_of_flowlets();
  for (unsigned i = 1; i < 130; i++)
    CU_ASSERT_EQUAL(meet(rig.balance, i), i);
  CU_ASSERT_EQUAL(switch_balance_group_count(rig.balance), 130);
  for (unsigned i = 0; i < 130; i++) {
    CU_ASSERT_EQUAL(switch_balance_group(rig.balance, i).slots, i < 128 ? 512 : 0);
    CU_ASSERT_EQUAL(switch_balance_group(rig.balance, i).size, MEMBERS);
    CU_ASSERT_EQUAL(switch_balance_group(rig.balance, i).formed, i);
  }
  strike(&rig);
}

SGF_TEST(SW_76_the_129th_set_uses_hash_modulo)
{
  rig_t rig = rig_of_flowlets();
  for (unsigned i = 1; i < 129; i++)
    rig.group = meet(rig.balance, 0);
  for (unsigned i = 0; i < 100; i++) {
    const net_frame_t flow = flow_number(65 * i);
    const unsigned hash    = switch_flow_hash(SWITCH_HASH_CRC32_WITH_SALT, &flow, switch_hash_salt(NODE), MEMBERS);
    for (unsigned m = 0; m < MEMBERS; m++) {
      empty_only(&rig, m);
      CU_ASSERT_EQUAL(send(&rig, &flow, i * GAP), hash % MEMBERS);
    }
  }
  strike(&rig);
}

SGF_TEST(SW_76_without_flowlets_no_set_has_slots)
{
  rig_t rig = rig_with(LAB_DEFAULTS);
  for (unsigned i = 0; i < 130; i++)
    CU_ASSERT_EQUAL(switch_balance_group(rig.balance, meet(rig.balance, 0)).slots, 0);
  strike(&rig);
}

/* O-19: the slot is the hash modulo 512. Flows of one slot move as one, those of others on their own. */
SGF_TEST(SW_76_flows_of_a_slot_share_a_member)
{
  rig_t rig               = rig_of_flowlets();
  const net_frame_t first = flow_number(0);
  const unsigned slot     = switch_balance_flow_hash(rig.balance, &first, MEMBERS) % 512;
  unsigned same           = 0;
  unsigned distinct       = 0;
  unsigned seen[512]      = {0};
  place(&rig, &first, 1, 0);
  empty_only(&rig, 3);
  for (unsigned i = 1; i < 8192; i++) {
    const net_frame_t flow       = flow_number(i);
    const switch_choice_t choice = offer(&rig, &flow, 0);
    CU_ASSERT_EQUAL(choice.slot, switch_balance_flow_hash(rig.balance, &flow, MEMBERS) % 512);
    CU_ASSERT_EQUAL(choice.member, choice.slot == slot ? 1 : 3);
    same += choice.slot == slot;
    distinct += seen[choice.slot]++ == 0;
  }
  CU_ASSERT(same > 0);
  CU_ASSERT_EQUAL(distinct, 512);
  strike(&rig);
}

SGF_TEST(SW_77_a_pause_inside_the_gap_moves_nothing)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  place(&rig, &flow, 1, 0);
  rig.paused[1] = true;
  CU_ASSERT_EQUAL(send(&rig, &flow, GAP - 1), 1);
  CU_ASSERT_EQUAL(stats(&rig, 1)->paused_selections, 0);
  rig.load[1] = CHARGE;
  CU_ASSERT_EQUAL(send(&rig, &flow, 2 * GAP - 2), 1);
  CU_ASSERT_NOT_EQUAL(send(&rig, &flow, 3 * GAP - 2), 1);
  strike(&rig);
}

SGF_TEST(SW_109_a_slot_keeps_the_time_of_all_its_flows)
{
  rig_t rig           = rig_of_flowlets();
  const net_frame_t a = flow_number(0);
  net_frame_t b       = a;
  do
    b.src_port++;
  while (offer(&rig, &b, 0).slot != offer(&rig, &a, 0).slot);
  place(&rig, &a, 1, 0);
  empty_only(&rig, 2);
  CU_ASSERT_EQUAL(send(&rig, &b, 60 * OPP_US), 1);
  CU_ASSERT_EQUAL(send(&rig, &a, 120 * OPP_US), 1);
  strike(&rig);
}

SGF_TEST(SW_108_slots_of_another_set_are_others)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  place(&rig, &flow, 1, 0);
  const uint32_t first = rig.group;
  rig.group            = meet(rig.balance, 0);
  place(&rig, &flow, 2, 0); /* its slot there was empty */
  rig.group = first;
  CU_ASSERT_EQUAL(offer(&rig, &flow, 0).member, 1);
  strike(&rig);
}

/* -------------------------------------------------------------------------------------------------- Counters */

SGF_TEST(R_11_bytes_packets_assignments_and_movements)
{
  rig_t rig              = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  place(&rig, &flow, 1, 0);
  send(&rig, &flow, 1);
  place(&rig, &flow, 2, GAP + 1);
  offer(&rig, &flow, GAP + 2);
  static const switch_member_stats_t expected[MEMBERS] = {
      [1] = {.bytes = 2 * CHARGE, .packets = 2, .assignments = 1, .movements_out = 1},
      [2] = {.bytes = CHARGE, .packets = 1, .movements_in = 1},
  };
  for (unsigned m = 0; m < MEMBERS; m++)
    CU_ASSERT(memcmp(stats(&rig, m), &expected[m], sizeof expected[m]) == 0);
  strike(&rig);
}

SGF_TEST(R_11_each_member_left_out_is_one_skip)
{
  rig_t rig              = rig_with_paused_members(FLOWLETS(NULL), 2);
  const net_frame_t flow = flow_number(0);
  send(&rig, &flow, 0);
  send(&rig, &flow, 1); /* inside the gap */
  send(&rig, &flow, 1 + GAP);
  offer(&rig, &flow, 2 * (1 + GAP)); /* refused: the selection counts */
  for (unsigned m = 0; m < MEMBERS; m++) {
    CU_ASSERT_EQUAL(stats(&rig, m)->paused_skips, m < 2 ? 3 : 0);
    CU_ASSERT_EQUAL(stats(&rig, m)->paused_selections, 0);
  }
  strike(&rig);
}

SGF_TEST(R_11_a_paused_member_taken_or_kept_is_one_selection)
{
  static const char* const aware[] = {"true", "false"};
  for (unsigned i = 0; i < 2; i++) {
    rig_t rig              = rig_with_paused_members(FLOWLETS("PFCAware", aware[i]), 4);
    const net_frame_t flow = flow_number(0);
    place(&rig, &flow, 1, 0);                             /* taken */
    CU_ASSERT_EQUAL(send(&rig, &flow, GAP), 1);           /* kept */
    CU_ASSERT_EQUAL(send(&rig, &flow, GAP + GAP / 2), 1); /* inside the gap */
    for (unsigned m = 0; m < MEMBERS; m++) {
      CU_ASSERT_EQUAL(stats(&rig, m)->paused_selections, m == 1 ? 2 : 0);
      CU_ASSERT_EQUAL(stats(&rig, m)->paused_skips, 0);
    }
    strike(&rig);
  }
}

SGF_TEST(R_11_without_flowlets_bytes_and_packets_alone_count)
{
  rig_t rig              = rig_with_paused_members(LAB_DEFAULTS, 3);
  const net_frame_t flow = flow_number(0);
  const unsigned member  = send(&rig, &flow, 0);
  send(&rig, &flow, GAP);
  const switch_member_stats_t expected = {.bytes = 2 * CHARGE, .packets = 2};
  CU_ASSERT(memcmp(stats(&rig, member), &expected, sizeof expected) == 0);
  strike(&rig);
}

/* ---------------------------------------------------------------------------- What a packet would get (switch_ways) */

static uint32_t expected(const rig_t* rig, const net_frame_t* flow, opp_simtime_t now)
{
  return switch_balance_expect(rig->balance, rig->group, flow, MEMBERS, now);
}

/* The member that a selection would take, also of a set that has not been met. */
SGF_TEST(by_hash_a_member_is_known_beforehand)
{
  rig_t rig = rig_with(LAB_DEFAULTS);
  for (unsigned i = 0; i < 100; i++) {
    const net_frame_t flow = flow_number(i);
    const uint32_t member  = expected(&rig, &flow, 0);
    CU_ASSERT_EQUAL(switch_balance_expect(rig.balance, SWITCH_NO_GROUP, &flow, MEMBERS, 0), member);
    CU_ASSERT_EQUAL(offer(&rig, &flow, 0).member, member);
  }
  strike(&rig);
}

/* That of the slot; nothing is said, drawn or counted where a selection would look at the ports. */
SGF_TEST(a_flowlet_is_known_beforehand_while_it_lasts)
{
  rig_t rig              = rig_of_flowlets();
  rig_t other            = rig_of_flowlets();
  const net_frame_t flow = flow_number(0);
  CU_ASSERT_EQUAL(expected(&rig, &flow, 0), MEMBERS);
  CU_ASSERT_EQUAL(switch_balance_expect(rig.balance, SWITCH_NO_GROUP, &flow, MEMBERS, 0), MEMBERS);
  place(&rig, &flow, 2, 0);
  place(&other, &flow, 2, 0);
  CU_ASSERT_EQUAL(expected(&rig, &flow, GAP - 1), 2);
  CU_ASSERT_EQUAL(expected(&rig, &flow, GAP), MEMBERS);
  load_equally(&rig);
  load_equally(&other);
  for (unsigned i = 1; i < 20; i++) {
    const net_frame_t next = flow_number(i);
    expected(&rig, &next, 0);
    CU_ASSERT_EQUAL(offer(&rig, &next, 0).member, offer(&other, &next, 0).member);
  }
  for (unsigned m = 0; m < MEMBERS; m++)
    CU_ASSERT(memcmp(stats(&rig, m), stats(&other, m), sizeof(switch_member_stats_t)) == 0);
  strike(&rig);
  strike(&other);
}
