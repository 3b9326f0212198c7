/* Equal-cost members by crc32WithSalt: spec/switch.md 8.1 to 8.3, the properties of 10.11 and SW-108. Flows are what a
 * fabric makes: neighbouring addresses, source ports in sequence. */
#include "lab_support.h"

#include "harness.h"

#include <stdlib.h>
#include <zlib.h>

enum { PORTS = 32, HOST = PORTS, FLOWS = 16384, SMALL = 100 }; /* bytes of a packet where its size does not matter */

typedef uint32_t (*hash_t)(const net_frame_t* flow, uint32_t salt);

static uint32_t salted(const net_frame_t* flow, uint32_t salt)
{
  return net_flow_hash(flow, salt);
}

/* crc32WithSalt with the finalizer taken out: the salt is nothing but the CRC's start value. */
static uint32_t seeded_only(const net_frame_t* flow, uint32_t salt)
{
  const unsigned char tuple[13] = {
      flow->protocol,
      (unsigned char)(flow->src_port >> 8),
      (unsigned char)flow->src_port,
      (unsigned char)(flow->dst_port >> 8),
      (unsigned char)flow->dst_port,
      (unsigned char)(flow->src >> 24),
      (unsigned char)(flow->src >> 16),
      (unsigned char)(flow->src >> 8),
      (unsigned char)flow->src,
      (unsigned char)(flow->dst >> 24),
      (unsigned char)(flow->dst >> 16),
      (unsigned char)(flow->dst >> 8),
      (unsigned char)flow->dst,
  };
  const uint32_t crc = (uint32_t)crc32(salt, tuple, sizeof tuple);
  return (crc ^ crc >> 16) & 0xffff;
}

/* Flow i: from one of 64 hosts, each with its own sequence of source ports. */
static net_frame_t flow_number(unsigned i)
{
  net_frame_t flow = lab_fields(HOST, 2);
  flow.src         = LAB_FIRST_HOST + i % 64;
  flow.src_port    = (uint16_t)(49152 + i / 64);
  return flow;
}

/* A switch with HOST behind `members` of its ports, 4, 5, ... */
static lab_t* tier(uint32_t node_id, unsigned members)
{
  lab_t* lab = lab_new(PORTS, 400, LAB_DELAY, node_id, LAB_DEFAULTS);
  uint16_t ports[PORTS];
  for (unsigned m = 0; m < members; m++)
    ports[m] = (uint16_t)(4 + m);
  switch_set_route(lab->state, HOST, ports, members);
  return lab;
}

/* The member by which a packet leaves. */
static unsigned member_of(lab_t* lab, const net_frame_t* flow)
{
  lab_packet(lab, 0, flow, SMALL);
  for (unsigned port = 0; port < PORTS; port++)
    if (lab->state->ports[port].out.on_wire != NULL) {
      lab_settle(lab);
      return port - 4;
    }
  CU_FAIL_FATAL("the packet leaves nowhere");
  return PORTS;
}

/* ---------------------------------------------------------------------------------------------------- Members (8.3) */

SGF_TEST(SW_65_all_packets_of_a_flow_use_member_hash_mod_n)
{
  for (unsigned members = 2; members <= 5; members++) {
    lab_t* lab = tier(7, members);
    for (unsigned i = 0; i < 100; i++) {
      const net_frame_t flow  = flow_number(i);
      const unsigned expected = net_flow_hash(&flow, net_hash_salt(7)) % members;
      CU_ASSERT_EQUAL(member_of(lab, &flow), expected);
      CU_ASSERT_EQUAL(member_of(lab, &flow), expected);
    }
    lab_free(lab);
  }
}

SGF_TEST(SW_65_queues_and_pauses_do_not_move_a_flow)
{
  lab_t* lab             = tier(7, 4);
  const net_frame_t flow = flow_number(0);
  const unsigned member  = member_of(lab, &flow);
  const net_port_t* out  = &lab->state->ports[4 + member].out;
  lab_hold(lab, 4 + member, 2);
  for (unsigned i = 0; i < 10; i++)
    lab_packet(lab, 0, &flow, SMALL);
  CU_ASSERT_EQUAL(net_port_queue_length(out, 2), 10);
  lab_free(lab);
}

SGF_TEST(SW_66_other_protocols_than_tcp_and_udp_are_one_flow)
{
  lab_t* lab       = tier(7, 4);
  unsigned uses[4] = {0};
  for (unsigned i = 0; i < 256; i++) {
    net_frame_t packet = flow_number(64 * i + i % 64);
    packet.protocol    = (uint8_t)i;
    if (packet.protocol != NET_PROTOCOL_TCP && packet.protocol != NET_PROTOCOL_UDP)
      uses[member_of(lab, &packet)]++;
  }
  CU_ASSERT_EQUAL(uses[0], 254); /* the identity 0 (O-18) */
  lab_free(lab);
}

SGF_TEST(SW_66_tcp_and_udp_packets_are_hashed)
{
  static const uint8_t protocols[] = {NET_PROTOCOL_TCP, NET_PROTOCOL_UDP};
  for (size_t p = 0; p < sizeof protocols; p++) {
    lab_t* lab       = tier(7, 4);
    unsigned uses[4] = {0};
    for (unsigned i = 0; i < 100; i++) {
      net_frame_t packet = flow_number(i);
      packet.protocol    = protocols[p];
      uses[member_of(lab, &packet)]++;
    }
    for (unsigned m = 0; m < 4; m++)
      CU_ASSERT(uses[m] > 0);
    lab_free(lab);
  }
}

/* Every field of the flow's identity counts. */
SGF_TEST(SW_66_each_field_of_the_tuple_tells_flows_apart)
{
  const uint32_t salt     = net_hash_salt(7);
  const net_frame_t flow  = flow_number(0);
  net_frame_t variants[5] = {flow, flow, flow, flow, flow};
  variants[0].protocol    = NET_PROTOCOL_TCP;
  variants[1].src_port++;
  variants[2].dst_port++;
  variants[3].src++;
  variants[4].dst++;
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    CU_ASSERT_NOT_EQUAL(net_flow_hash(&variants[i], salt), net_flow_hash(&flow, salt));
  net_frame_t same = flow;
  same.dscp        = 56;
  same.ecn         = NET_ECN_CE;
  CU_ASSERT_EQUAL(net_flow_hash(&same, salt), net_flow_hash(&flow, salt));
}

SGF_TEST(SW_67_hashes_repeat_from_run_to_run_and_differ_from_switch_to_switch)
{
  lab_t* first = tier(7, 4);
  lab_t* again = tier(7, 4);
  lab_t* other = tier(8, 4);
  CU_ASSERT_NOT_EQUAL(first->state->salt, other->state->salt);
  unsigned moved = 0;
  for (unsigned i = 0; i < 200; i++) {
    const net_frame_t flow = flow_number(i);
    const unsigned member  = member_of(first, &flow);
    CU_ASSERT_EQUAL(member_of(again, &flow), member);
    moved += member_of(other, &flow) != member;
  }
  CU_ASSERT(moved > 100); /* three of four are expected to */
  lab_free(first);
  lab_free(again);
  lab_free(other);
}

/* ----------------------------------------------------------------------------------------------- Polarization (8.2) */

/* How the flows that switch `a` sends to its member 0 of k1 spread over the k2 members of switch `b`. */
typedef struct spread {
  unsigned flows;
  unsigned used; /* members that got any */
  double chi_square;
} spread_t;

static spread_t spread_over_second_tier(hash_t hash, uint32_t a, unsigned k1, uint32_t b, unsigned k2)
{
  unsigned count[PORTS] = {0};
  spread_t spread       = {0};
  for (unsigned i = 0; i < FLOWS; i++) {
    const net_frame_t flow = flow_number(i);
    if (hash(&flow, net_hash_salt(a)) % k1 != 0)
      continue;
    spread.flows++;
    count[hash(&flow, net_hash_salt(b)) % k2]++;
  }
  const double expected = (double)spread.flows / k2;
  for (unsigned m = 0; m < k2; m++) {
    spread.used += count[m] > 0;
    spread.chi_square += (count[m] - expected) * (count[m] - expected) / expected;
  }
  return spread;
}

/* Chi-square beyond which an even spread over k members would be a one-in-a-million accident. */
static const struct {
  unsigned k;
  double critical;
} sizes[] = {{2, 23.93}, {4, 30.66}, {8, 40.52}, {16, 56.49}};

SGF_TEST(SW_68_the_second_tier_uses_all_members_evenly)
{
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (uint32_t a = 1; a <= 8; a++)
      for (uint32_t b = a + 1; b <= 9; b++) {
        const spread_t spread = spread_over_second_tier(salted, a, sizes[s].k, b, sizes[s].k);
        CU_ASSERT(spread.flows > FLOWS / sizes[s].k / 2);
        CU_ASSERT_EQUAL(spread.used, sizes[s].k);
        CU_ASSERT(spread.chi_square < sizes[s].critical);
      }
}

SGF_TEST(SW_68_control_without_the_finalizer_the_second_tier_uses_one_member)
{
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (uint32_t b = 2; b <= 9; b++) {
      const spread_t spread = spread_over_second_tier(seeded_only, 1, sizes[s].k, b, sizes[s].k);
      CU_ASSERT(spread.flows > FLOWS / sizes[s].k / 2);
      CU_ASSERT_EQUAL(spread.used, 1);
    }
}

SGF_TEST(SW_68_two_tiers_of_switches)
{
  enum { MEMBERS = 4, SENT = 4000 };
  lab_t* first            = tier(1, MEMBERS);
  lab_t* second           = tier(2, MEMBERS);
  unsigned count[MEMBERS] = {0};
  unsigned flows          = 0;
  for (unsigned i = 0; i < SENT; i++) {
    const net_frame_t flow = flow_number(i);
    if (member_of(first, &flow) != 0)
      continue;
    flows++;
    count[member_of(second, &flow)]++;
  }
  CU_ASSERT(flows > SENT / MEMBERS / 2);
  double chi_square = 0;
  for (unsigned m = 0; m < MEMBERS; m++)
    chi_square +=
        (count[m] - (double)flows / MEMBERS) * (count[m] - (double)flows / MEMBERS) / ((double)flows / MEMBERS);
  CU_ASSERT(chi_square < sizes[1].critical);
  lab_free(first);
  lab_free(second);
}

SGF_TEST(SW_69_the_bound_of_unsalted_methods_does_not_hold_for_crc32WithSalt)
{
  static const unsigned pairs[][2] = {{4, 6}, {6, 4}, {8, 12}, {16, 4}, {3, 9}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    CU_ASSERT_EQUAL(spread_over_second_tier(salted, 1, pairs[i][0], 2, pairs[i][1]).used, pairs[i][1]);
}

SGF_TEST(SW_70_all_values_of_16_bits_occur_and_no_others)
{
  enum { VALUES = 65536, DRAWS = 16 * VALUES };
  unsigned char* seen = calloc(VALUES, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
  const uint32_t salt = net_hash_salt(7);
  CU_ASSERT_EQUAL(sizeof(net_flow_hash(&(net_frame_t){0}, salt)), 2);
  unsigned distinct = 0;
  for (unsigned i = 0; i < DRAWS; i++) {
    net_frame_t flow = flow_number(i % FLOWS);
    flow.dst += i / FLOWS;
    const unsigned hash = net_flow_hash(&flow, salt);
    distinct += !seen[hash];
    seen[hash] = 1;
  }
  CU_ASSERT(distinct > VALUES - 16); /* each value is missed with probability e^-16 */
  free(seen);
}

/* ---------------------------------------------------------------------------------------------------- Sets (SW-108) */

SGF_TEST(SW_108_destinations_over_the_same_ports_share_a_set)
{
  lab_t* lab                      = lab_new(PORTS, 400, LAB_DELAY, 1, LAB_DEFAULTS);
  static const uint16_t shared[]  = {4, 5, 6};
  static const uint16_t another[] = {4, 5, 7};
  static const uint16_t shorter[] = {4, 5};
  const uint32_t before           = lab->state->set_count;
  switch_set_route(lab->state, HOST, shared, 3);
  switch_set_route(lab->state, HOST + 1, shared, 3);
  switch_set_route(lab->state, HOST + 2, another, 3);
  switch_set_route(lab->state, HOST + 3, shorter, 2);
  const uint32_t* set = lab->state->set_of_host + HOST;
  CU_ASSERT_EQUAL(set[0], set[1]);
  CU_ASSERT_NOT_EQUAL(set[0], set[2]);
  CU_ASSERT_NOT_EQUAL(set[0], set[3]);
  CU_ASSERT_NOT_EQUAL(set[2], set[3]);
  CU_ASSERT_EQUAL(lab->state->set_count, before + 3);
  lab_free(lab);
}
