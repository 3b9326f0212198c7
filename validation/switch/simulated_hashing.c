/* Flow hashes in a SimGrid simulation: the member of every frame by each EcmpHashMethod, and what a second tier of
 * switches makes of it. spec/switch.md 8.2, 8.3, replays of 10.11. Every write is a flow of its own and two packets,
 * its data and the probe that follows it: NICs do not spray here, so that both have the port of their group. */
#include "harness.h"
#include "simulation_support.h"

#include <stdio.h>

#include "fabric/fabric_internal.h"
#include "switch/balance_support.h"
#include "switch/simulation_taps_support.h"

enum { FRAMES_OF_FLOW = 2 }; /* data, probe */

#define PLATFORM(name) SGF_SOURCE_DIR "/validation/switch/" name

static void load(const char* platform, const char* name, const char* method)
{
  char assignment[64];
  snprintf(assignment, sizeof assignment, "**.switch.EcmpHashMethod=%s", method);
  sim_set((const char* const[]){assignment, "**.nic.PacketSprayingType=None", NULL});
  sim_platform(platform, name);
}

static void tap_members(const char* device, unsigned first_port, unsigned members)
{
  for (unsigned m = 0; m < members; m++)
    sim_tap(&(sim_tap_t){.device = device, .port = first_port + m});
}

/* ---- Destination indices (SW-63, SW-64) -------------------------------------------------------------------------- */

/* Every frame to the host that left by one of these taps, which begin with `first`, did so by the one of `member`;
 * those of `flows`. */
static void check_destination(unsigned host, unsigned first, unsigned members, unsigned member, unsigned flows)
{
  unsigned found = 0;
  for (unsigned m = 0; m < members; m++)
    for (size_t n = 0; n < sim_frame_count(first + m); n++) {
      if (sim_frame(first + m, n)->header.dst != FABRIC_FIRST_HOST + host)
        continue;
      CU_ASSERT_EQUAL(m, member);
      found++;
    }
  CU_ASSERT_EQUAL(found, FRAMES_OF_FLOW * flows);
}

/* Host i has address 10.0.0.1 + i: 10.0.0.1, 10.0.1.0, 10.0.2.0 and 10.0.2.1 are h0, h255, h511 and h512. */
SGF_SCENARIO(SW_63_dpr_is_the_low_9_bits_of_the_address_less_one)
{
  enum { MEMBERS = 7, HOSTS_OF_LEAF = 260, SENDERS = 8 };
  tap_members("ft.l1.0", HOSTS_OF_LEAF, MEMBERS);
  tap_members("ft.l1.1", HOSTS_OF_LEAF, MEMBERS);
  load(PLATFORM("seven_spines.xml"), "ft.l1.0", "dpr");
  static const unsigned above[] = {511, 512};
  static const unsigned below[] = {0, 255};
  for (unsigned i = 0; i < SENDERS; i++)
    for (unsigned d = 0; d < 2; d++) {
      sim_write(1 + i, above[d], 1, 1e-6);
      sim_write(HOSTS_OF_LEAF + i, below[d], 1, 1e-6);
    }
  sim_run();
  /* Those to h511 and h512 leave the first leaf, those to h0 and h255 the second; acknowledgements go to the senders.
   */
  check_destination(0, MEMBERS, MEMBERS, 0, SENDERS);
  check_destination(255, MEMBERS, MEMBERS, 255 % MEMBERS, SENDERS);
  check_destination(511, 0, MEMBERS, 511 % MEMBERS, SENDERS);
  check_destination(512, 0, MEMBERS, 0, SENDERS);
}

SGF_SCENARIO(SW_64_an_index_from_the_number_of_members_on_falls_back_to_the_crc)
{
  enum { MEMBERS = 4, HOSTS = 8 };
  tap_members("ft.l1.1", HOSTS, MEMBERS);
  load(PLATFORM("four_spines.xml"), "ft.l1.1", "dprWithFallback");
  for (unsigned from = HOSTS; from < 2 * HOSTS; from++)
    for (unsigned to = 0; to < HOSTS; to++)
      sim_write(from, to, 1, 1e-6 * (1 + to));
  sim_run();
  unsigned frames[MEMBERS] = {0};
  for (unsigned m = 0; m < MEMBERS; m++)
    for (size_t n = 0; n < sim_frame_count(m); n++) {
      const net_frame_t* header = &sim_frame(m, n)->header;
      const unsigned index      = header->dst - FABRIC_FIRST_HOST;
      CU_ASSERT_EQUAL(m, index < MEMBERS ? index : switch_flow_hash(SWITCH_HASH_CRC32, header, 0, MEMBERS) % MEMBERS);
      frames[m] += index >= MEMBERS;
    }
  for (unsigned m = 0; m < MEMBERS; m++)
    CU_ASSERT(frames[m] > 0); /* 32 flows fell back, to all members */
  for (unsigned to = 0; to < MEMBERS; to++)
    check_destination(to, 0, MEMBERS, to, HOSTS);
}

/* ---- Two tiers (SW-65, SW-67 to SW-69) --------------------------------------------------------------------------- */

enum { SENDERS = 16, FIRST_RECEIVER = 32, RECEIVERS = 32, FLOWS = SENDERS * RECEIVERS, MOST_UPLINKS = 6 };

typedef struct clos {
  const char* platform;
  unsigned k1; /* uplinks of a leaf, and spines of its pod */
  unsigned k2; /* uplinks of a spine */
} clos_t;

static const clos_t clos_4_4 = {PLATFORM("clos.xml"), 4, 4};
static const clos_t clos_4_6 = {PLATFORM("clos_4_6.xml"), 4, 6};
static const clos_t clos_6_4 = {PLATFORM("clos_6_4.xml"), 6, 4};

/* What the uplinks of the spines have carried, by spine. */
typedef struct uplinks {
  uint64_t flows[MOST_UPLINKS][MOST_UPLINKS];
  unsigned used[MOST_UPLINKS];
  unsigned used_in_all;
} uplinks_t;

static uplinks_t uplinks_of_spines(const clos_t* clos)
{
  uplinks_t uplinks = {0};
  for (unsigned spine = 0; spine < clos->k1; spine++) {
    char name[24];
    snprintf(name, sizeof name, "ft.l2.%u", spine);
    const sgf_device_t* device = sgf_fabric_find(sim_fabric(), name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(device);
    const unsigned first = sgf_device_port_count(device) - clos->k2;
    for (unsigned m = 0; m < clos->k2; m++) {
      const uint64_t frames = switch_state(device->module)->ports[first + m].out.frames;
      CU_ASSERT_EQUAL(frames % FRAMES_OF_FLOW, 0);
      uplinks.flows[spine][m] = frames / FRAMES_OF_FLOW;
      uplinks.used[spine] += frames > 0;
    }
    uplinks.used_in_all += uplinks.used[spine];
  }
  return uplinks;
}

/* Every frame that the leaf has sent up took the member that its hash says (SW-65). */
static void check_leaf(const clos_t* clos, switch_hash_method_t method)
{
  const sgf_device_t* leaf = sgf_fabric_find(sim_fabric(), "ft.l1.0");
  size_t frames            = 0;
  for (unsigned m = 0; m < clos->k1; m++)
    for (size_t n = 0; n < sim_frame_count(m); n++, frames++)
      CU_ASSERT_EQUAL(switch_flow_hash(method, &sim_frame(m, n)->header, switch_hash_salt(leaf->index + 1), clos->k1) %
                          clos->k1,
                      m);
  CU_ASSERT_EQUAL(frames, FRAMES_OF_FLOW * FLOWS);
}

static uint16_t hash_at(const char* name, const net_frame_t* header, unsigned members)
{
  const sgf_device_t* device = sgf_fabric_find(sim_fabric(), name);
  CU_ASSERT_PTR_NOT_NULL_FATAL(device);
  return switch_balance_flow_hash(switch_state(device->module)->balance, header, members);
}

/* Another switch gives the same value to every frame if the method has no salt, and others if it has (SW-67). */
static void check_other_switch(const clos_t* clos, switch_hash_method_t method)
{
  const bool salted = method == SWITCH_HASH_FOLD_WITH_SALT || method == SWITCH_HASH_CRC32_WITH_SALT;
  unsigned equal    = 0;
  for (unsigned m = 0; m < clos->k1; m++)
    for (size_t n = 0; n < sim_frame_count(m); n++) {
      const net_frame_t* header = &sim_frame(m, n)->header;
      equal += hash_at("ft.l1.0", header, clos->k1) == hash_at("ft.l2.0", header, clos->k1);
    }
  /* Salted ones may meet by chance. */
  CU_ASSERT(salted ? equal < FRAMES_OF_FLOW * FLOWS / 10 : equal == FRAMES_OF_FLOW * FLOWS);
}

/* Every host of the first leaf writes to every host of the other pod. */
static uplinks_t send_through(const clos_t* clos, switch_hash_method_t method)
{
  tap_members("ft.l1.0", SENDERS, clos->k1);
  load(clos->platform, "ft.l1.0", hash_method_names[method]);
  for (unsigned from = 0; from < SENDERS; from++)
    for (unsigned to = 0; to < RECEIVERS; to++)
      sim_write(from, FIRST_RECEIVER + to, 1, 1e-6 * (1 + to));
  sim_run();
  check_leaf(clos, method);
  check_other_switch(clos, method);
  return uplinks_of_spines(clos);
}

/* Of the 4 x 4 uplinks of the spines the flows of one leaf use 4: one of each spine that gets any. */
static void check_polarized(switch_hash_method_t method)
{
  const uplinks_t uplinks = send_through(&clos_4_4, method);
  for (unsigned spine = 0; spine < clos_4_4.k1; spine++)
    CU_ASSERT_EQUAL(uplinks.used[spine], 1);
  CU_ASSERT_EQUAL(uplinks.used_in_all, clos_4_4.k1);
}

SGF_SCENARIO(SW_65_SW_67_and_SW_68_dpr_uses_4_of_16_uplinks)
{
  check_polarized(SWITCH_HASH_DPR);
}

SGF_SCENARIO(SW_65_SW_67_and_SW_68_hash_uses_4_of_16_uplinks)
{
  check_polarized(SWITCH_HASH_FOLD);
}

SGF_SCENARIO(SW_65_SW_67_and_SW_68_crc32_uses_4_of_16_uplinks)
{
  check_polarized(SWITCH_HASH_CRC32);
}

SGF_SCENARIO(SW_65_SW_67_and_SW_68_dprWithFallback_uses_4_of_16_uplinks)
{
  check_polarized(SWITCH_HASH_DPR_WITH_FALLBACK);
}

SGF_SCENARIO(SW_65_SW_67_and_SW_68_hashWithSalt_is_something_in_between)
{
  const uplinks_t uplinks = send_through(&clos_4_4, SWITCH_HASH_FOLD_WITH_SALT);
  CU_ASSERT(uplinks.used_in_all > 4);
  CU_ASSERT(uplinks.used_in_all < 16);
}

SGF_SCENARIO(SW_65_SW_67_and_SW_68_crc32WithSalt_uses_16_of_16_uplinks_evenly)
{
  const double critical   = 30.66; /* of chi square with three degrees of freedom, one in a million */
  const uplinks_t uplinks = send_through(&clos_4_4, SWITCH_HASH_CRC32_WITH_SALT);
  CU_ASSERT_EQUAL(uplinks.used_in_all, 16);
  for (unsigned spine = 0; spine < 4; spine++) {
    uint64_t sum      = 0;
    double chi_square = 0;
    for (unsigned m = 0; m < 4; m++)
      sum += uplinks.flows[spine][m];
    for (unsigned m = 0; m < 4; m++) {
      const double difference = (double)uplinks.flows[spine][m] - (double)sum / 4;
      chi_square += difference * difference / ((double)sum / 4);
    }
    CU_ASSERT(sum > FLOWS / 8);
    CU_ASSERT(chi_square < critical);
  }
}

/* The flows of one member of the leaf reach at most k2 / gcd(k1, k2) members of its spine. */
static void check_bound(const clos_t* clos, switch_hash_method_t method, unsigned bound)
{
  const uplinks_t uplinks = send_through(clos, method);
  for (unsigned spine = 0; spine < clos->k1; spine++)
    CU_ASSERT(method == SWITCH_HASH_CRC32 ? uplinks.used[spine] == bound : uplinks.used[spine] <= bound);
}

SGF_SCENARIO(SW_69_crc32_of_4_then_6_members_reaches_3)
{
  check_bound(&clos_4_6, SWITCH_HASH_CRC32, 3);
}

SGF_SCENARIO(SW_69_crc32_of_6_then_4_members_reaches_2)
{
  check_bound(&clos_6_4, SWITCH_HASH_CRC32, 2);
}

SGF_SCENARIO(SW_69_hash_of_4_then_6_members_reaches_at_most_3)
{
  check_bound(&clos_4_6, SWITCH_HASH_FOLD, 3);
}

SGF_SCENARIO(SW_69_hash_of_6_then_4_members_reaches_at_most_2)
{
  check_bound(&clos_6_4, SWITCH_HASH_FOLD, 2);
}

SGF_SCENARIO(SW_69_dpr_of_4_then_6_members_reaches_at_most_3)
{
  check_bound(&clos_4_6, SWITCH_HASH_DPR, 3);
}

SGF_SCENARIO(SW_69_the_bound_does_not_hold_for_crc32WithSalt)
{
  const uplinks_t uplinks = send_through(&clos_4_6, SWITCH_HASH_CRC32_WITH_SALT);
  for (unsigned spine = 0; spine < clos_4_6.k1; spine++)
    CU_ASSERT_EQUAL(uplinks.used[spine], clos_4_6.k2);
}
