/* Flow identity: spec/switch.md 8.2 and 8.3, the properties SW-63 to SW-67 and SW-70. What two tiers make of it is in
 * polarization.c. */
#include "balance_support.h"

#include "harness.h"

#include <stdlib.h>

enum { FLOWS = 16384 };

static bool is_salted(unsigned method)
{
  return method == SWITCH_HASH_CRC32_WITH_SALT || method == SWITCH_HASH_FOLD_WITH_SALT;
}

static bool knows_destinations_alone(unsigned method)
{
  return method == SWITCH_HASH_DPR || method == SWITCH_HASH_DPR_WITH_FALLBACK;
}

static uint16_t hash_of(unsigned method, const net_frame_t* flow, uint32_t node_id, unsigned members)
{
  return switch_flow_hash((switch_hash_method_t)method, flow, switch_hash_salt(node_id), members);
}

static lab_t* tier_with(unsigned method, uint32_t node_id, unsigned members)
{
  return tier_new(node_id, members, LAB_SETTINGS("EcmpHashMethod", hash_method_names[method]));
}

static net_frame_t flow_to(uint32_t address)
{
  net_frame_t flow = flow_number(0);
  flow.dst         = address;
  return flow;
}

/* ------------------------------------------------------------------------------------------ Destination index (8.2) */

SGF_TEST(SW_63_dpr_is_the_low_9_bits_of_the_address_less_one)
{
  static const struct {
    uint32_t address;
    unsigned index;
  } cases[] = {{0x0a000001, 0}, {0x0a000100, 255}, {0x0a000200, 511}, {0x0a000201, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const net_frame_t flow = flow_to(cases[i].address);
    CU_ASSERT_EQUAL(hash_of(SWITCH_HASH_DPR, &flow, 7, 4), cases[i].index);
  }
}

SGF_TEST(SW_63_all_flows_to_a_destination_share_a_member)
{
  lab_t* lab = tier_with(SWITCH_HASH_DPR, 7, 5);
  for (uint32_t host = 0; host < 12; host++)
    for (unsigned i = 0; i < 20; i++) {
      net_frame_t flow = flow_number(i);
      flow.dst         = LAB_FIRST_HOST + host; /* 10.0.0.1 is host 0 */
      flow.src_port    = (uint16_t)(50000 + i);
      CU_ASSERT_EQUAL(tier_member_of(lab, &flow), host % 5);
    }
  lab_free(lab);
}

SGF_TEST(SW_64_an_index_below_the_number_of_members_is_the_member)
{
  for (uint32_t index = 0; index < 4; index++) {
    const net_frame_t flow = flow_to(LAB_FIRST_HOST + index);
    CU_ASSERT_EQUAL(hash_of(SWITCH_HASH_DPR_WITH_FALLBACK, &flow, 7, 4), index);
  }
}

SGF_TEST(SW_64_any_other_index_falls_back_to_the_unsalted_crc)
{
  for (uint32_t index = 4; index < 512; index++) {
    const net_frame_t flow = flow_to(LAB_FIRST_HOST + index);
    CU_ASSERT_EQUAL(hash_of(SWITCH_HASH_DPR_WITH_FALLBACK, &flow, 7, 4), hash_of(SWITCH_HASH_CRC32, &flow, 7, 4));
  }
}

SGF_TEST(SW_64_in_a_switch_with_four_members)
{
  lab_t* lab = tier_with(SWITCH_HASH_DPR_WITH_FALLBACK, 7, 4);
  for (unsigned i = 0; i < 20; i++) {
    net_frame_t third  = flow_number(i);
    net_frame_t fourth = third;
    third.dst          = LAB_FIRST_HOST + 3;
    fourth.dst         = LAB_FIRST_HOST + 4;
    CU_ASSERT_EQUAL(tier_member_of(lab, &third), 3);
    CU_ASSERT_EQUAL(tier_member_of(lab, &fourth), hash_of(SWITCH_HASH_CRC32, &fourth, 7, 4) % 4);
  }
  lab_free(lab);
}

/* ---------------------------------------------------------------------------------------------------- Members (8.3) */

SGF_TEST(SW_65_all_packets_of_a_flow_use_member_hash_mod_n)
{
  for (unsigned method = 0; method < HASH_METHODS; method++)
    for (unsigned members = 2; members <= 5; members++) {
      lab_t* lab = tier_with(method, 7, members);
      for (unsigned i = 0; i < 100; i++) {
        const net_frame_t flow  = flow_number(37 * i);
        const unsigned expected = hash_of(method, &flow, 7, members) % members;
        CU_ASSERT_EQUAL(tier_member_of(lab, &flow), expected);
        CU_ASSERT_EQUAL(tier_member_of(lab, &flow), expected);
      }
      lab_free(lab);
    }
}

SGF_TEST(SW_65_queues_and_pauses_do_not_move_a_flow)
{
  lab_t* lab             = tier_new(7, 4, LAB_DEFAULTS);
  const net_frame_t flow = flow_number(0);
  const unsigned member  = tier_member_of(lab, &flow);
  const net_port_t* out  = &lab->state->ports[TIER_MEMBER + member].out;
  lab_hold(lab, TIER_MEMBER + member, FLOW_CLASS);
  for (unsigned i = 0; i < 10; i++)
    lab_packet(lab, 0, &flow, FLOW_SMALL);
  CU_ASSERT_EQUAL(net_port_queue_length(out, FLOW_CLASS), 10);
  lab_free(lab);
}

SGF_TEST(SW_66_other_protocols_than_tcp_and_udp_are_one_flow)
{
  for (unsigned method = 0; method < HASH_METHODS; method++) {
    lab_t* lab       = tier_with(method, 7, 4);
    unsigned uses[4] = {0};
    for (unsigned i = 0; i < 256; i++) {
      net_frame_t packet = flow_number(65 * i);
      packet.protocol    = (uint8_t)i;
      if (packet.protocol != NET_PROTOCOL_TCP && packet.protocol != NET_PROTOCOL_UDP)
        uses[tier_member_of(lab, &packet)]++;
    }
    CU_ASSERT_EQUAL(uses[0], 254); /* the identity 0 (O-18) */
    lab_free(lab);
  }
}

SGF_TEST(SW_66_tcp_and_udp_packets_are_hashed)
{
  static const uint8_t protocols[] = {NET_PROTOCOL_TCP, NET_PROTOCOL_UDP};
  for (unsigned method = 0; method < HASH_METHODS; method++)
    for (size_t p = 0; p < sizeof protocols; p++) {
      lab_t* lab       = tier_with(method, 7, 4);
      unsigned uses[4] = {0};
      for (unsigned i = 0; i < 100; i++) {
        net_frame_t packet = flow_number(65 * i);
        packet.protocol    = protocols[p];
        uses[tier_member_of(lab, &packet)]++;
      }
      for (unsigned m = 0; m < 4; m++)
        CU_ASSERT(uses[m] > 0);
      lab_free(lab);
    }
}

/* Every field of the flow's identity counts, and no other. The fold does not know the protocol. */
SGF_TEST(SW_66_each_field_of_the_tuple_tells_flows_apart)
{
  for (unsigned method = 0; method < HASH_METHODS; method++) {
    const net_frame_t flow  = flow_to(LAB_FIRST_HOST + 100);
    net_frame_t variants[5] = {flow, flow, flow, flow, flow};
    variants[0].dst++;
    variants[1].src++;
    variants[2].src_port++;
    variants[3].dst_port++;
    variants[4].protocol  = NET_PROTOCOL_TCP;
    const bool by_fold    = method == SWITCH_HASH_FOLD || method == SWITCH_HASH_FOLD_WITH_SALT;
    const size_t distinct = method == SWITCH_HASH_DPR ? 1 : by_fold ? 4 : 5;
    for (size_t i = 0; i < 5; i++)
      CU_ASSERT_EQUAL(hash_of(method, &variants[i], 7, 4) != hash_of(method, &flow, 7, 4), i < distinct);
    net_frame_t same = flow;
    same.dscp        = 56;
    same.ecn         = NET_ECN_CE;
    CU_ASSERT_EQUAL(hash_of(method, &same, 7, 4), hash_of(method, &flow, 7, 4));
  }
}

/* ---------------------------------------------------------------------------------------------------- Salts (SW-67) */

SGF_TEST(SW_67_hashes_repeat_from_run_to_run)
{
  for (unsigned method = 0; method < HASH_METHODS; method++) {
    lab_t* first = tier_with(method, 7, 4);
    lab_t* again = tier_with(method, 7, 4);
    for (unsigned i = 0; i < 200; i++) {
      const net_frame_t flow = flow_number(65 * i);
      CU_ASSERT_EQUAL(tier_member_of(again, &flow), tier_member_of(first, &flow));
    }
    lab_free(first);
    lab_free(again);
  }
}

SGF_TEST(SW_67_salted_hashes_differ_from_switch_to_switch_and_no_others)
{
  for (unsigned method = 0; method < HASH_METHODS; method++)
    for (uint32_t other = 8; other < 16; other++) {
      unsigned differ = 0;
      for (unsigned i = 0; i < FLOWS; i++) {
        const net_frame_t flow = flow_number(i);
        differ += hash_of(method, &flow, 7, 4) != hash_of(method, &flow, other, 4);
      }
      if (is_salted(method))
        CU_ASSERT(differ > FLOWS - 16) /* equal by accident once in 65,536 flows */
      else
        CU_ASSERT_EQUAL(differ, 0);
    }
}

SGF_TEST(SW_67_two_switches_send_flows_to_other_members_if_salted)
{
  enum { SENT = 200 };
  for (unsigned method = 0; method < HASH_METHODS; method++) {
    lab_t* first   = tier_with(method, 7, 4);
    lab_t* other   = tier_with(method, 8, 4);
    unsigned moved = 0;
    for (unsigned i = 0; i < SENT; i++) {
      const net_frame_t flow = flow_number(65 * i);
      moved += tier_member_of(first, &flow) != tier_member_of(other, &flow);
    }
    if (is_salted(method))
      CU_ASSERT(moved > SENT / 2) /* three of four are expected to */
    else
      CU_ASSERT_EQUAL(moved, 0);
    lab_free(first);
    lab_free(other);
  }
}

/* --------------------------------------------------------------------------------------------------- Values (SW-70) */

/* How many values of 65,536 a method gives in sixteen times as many flows. */
static unsigned distinct_values(unsigned method)
{
  enum { VALUES = 65536 };
  unsigned char* seen = calloc(VALUES, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
  unsigned distinct = 0;
  for (unsigned i = 0; i < 16 * VALUES; i++) {
    net_frame_t flow    = flow_number(i % 16);
    flow.dst            = LAB_FIRST_HOST + i % 512;
    flow.src_port       = (uint16_t)(i / 16);
    const unsigned hash = hash_of(method, &flow, 7, 4);
    distinct += !seen[hash];
    seen[hash] = 1;
  }
  free(seen);
  return distinct;
}

SGF_TEST(SW_70_all_values_of_16_bits_occur_and_no_others)
{
  CU_ASSERT_EQUAL(sizeof(hash_of(0, &(net_frame_t){0}, 7, 4)), 2);
  for (unsigned method = 0; method < HASH_METHODS; method++)
    if (method == SWITCH_HASH_DPR)
      CU_ASSERT_EQUAL(distinct_values(method), 512)
    else
      CU_ASSERT(distinct_values(method) > 65536 - 16); /* each value is missed with probability e^-16 */
}

SGF_TEST(SW_78_two_methods_know_destinations_alone)
{
  for (unsigned method = 0; method < HASH_METHODS; method++) {
    const net_frame_t flow = flow_to(LAB_FIRST_HOST + 1);
    net_frame_t other      = flow;
    other.src_port++;
    CU_ASSERT_EQUAL(hash_of(method, &flow, 7, 4) == hash_of(method, &other, 7, 4), knows_destinations_alone(method));
  }
}
