/* Equal-cost members in a SimGrid simulation of two racks and two spines (two_spines.xml): spec/switch.md 8.1
 * to 8.3, 10.11. Every host of rack 0 writes to every host of rack 1, ACKs come back, and each frame is where the hash
 * of its flow sends it. */
#include "harness.h"
#include "simulation_support.h"

#include "fabric/fabric_internal.h"
#include "nic/uet/uet.h"

enum { RACK = 4, PACKETS = 3, PROBES = 1, MOST_PORTS = 16 };

static sgf_device_t* device(const char* name)
{
  sgf_device_t* found = sgf_fabric_find(sim_fabric(), name);
  CU_ASSERT_PTR_NOT_NULL_FATAL(found);
  return found;
}

static uint64_t frames_out(const sgf_device_t* at, unsigned port)
{
  return switch_state(at->module)->ports[port].out.frames;
}

/* The port by which a switch forwards the flow: hash mod number of members. */
static unsigned expected_port(const sgf_device_t* at, const net_frame_t* flow)
{
  unsigned ports[MOST_PORTS];
  const size_t members =
      sgf_device_next_hops(at, sgf_fabric_host(sim_fabric(), flow->dst - FABRIC_FIRST_HOST), ports, MOST_PORTS);
  CU_ASSERT_FATAL(members > 0 && members <= MOST_PORTS);
  return ports[members == 1 ? 0
                            : switch_flow_hash(SWITCH_HASH_CRC32_WITH_SALT, flow, switch_hash_salt(at->index + 1),
                                               (uint32_t)members) %
                                  members];
}

/* What a host's first writes to each destination are on the wire: their source port is that of the PDC that was opened
 * for it. */
static net_frame_t flow_of(unsigned from, unsigned to, unsigned nth_destination)
{
  return (net_frame_t){
      .src      = FABRIC_FIRST_HOST + from,
      .dst      = FABRIC_FIRST_HOST + to,
      .src_port = (uint16_t)(UET_FIRST_LOCAL_PORT + nth_destination),
      .dst_port = UET_UDP_PORT,
      .protocol = NET_PROTOCOL_UDP,
  };
}

/* Frames that each port of each switch should have sent. */
typedef struct tally {
  uint64_t frames[16][MOST_PORTS]; /* by index of the switch */
} tally_t;

/* Follow `packets` packets of a flow from the switch `at` to its host. Returns the number of switches passed. */
static unsigned follow(tally_t* tally, const sgf_device_t* at, const net_frame_t* flow, unsigned packets)
{
  unsigned hops = 0;
  for (; sgf_device_is_switch(at); hops++) {
    const unsigned port = expected_port(at, flow);
    tally->frames[at->index][port] += packets;
    at = sgf_device_peer(at, port);
  }
  CU_ASSERT_PTR_EQUAL(at, sgf_fabric_host(sim_fabric(), flow->dst - FABRIC_FIRST_HOST));
  return hops;
}

static void add_both_ways(tally_t* tally, const net_frame_t* flow)
{
  net_frame_t back = *flow; /* an ACK brings the source port back */
  back.src         = flow->dst;
  back.dst         = flow->src;
  CU_ASSERT_EQUAL(follow(tally, device("leaf0"), flow, PACKETS + PROBES), 3);
  CU_ASSERT_EQUAL(follow(tally, device("leaf1"), &back, PACKETS + PROBES), 3);
}

static void write_from_rack_to_rack(void)
{
  for (unsigned from = 0; from < RACK; from++)
    for (unsigned to = RACK; to < 2 * RACK; to++)
      sim_write(from, to, PACKETS * INT64_C(4096), 1e-6 * (to - RACK + 1));
}

static tally_t expectation(void)
{
  tally_t tally = {0};
  for (unsigned from = 0; from < RACK; from++)
    for (unsigned to = RACK; to < 2 * RACK; to++) {
      const net_frame_t flow = flow_of(from, to, to - RACK);
      add_both_ways(&tally, &flow);
    }
  return tally;
}

SGF_SCENARIO(SW_65_every_frame_takes_the_member_that_its_hash_says)
{
  static const char* const switches[] = {"leaf0", "leaf1", "spine0", "spine1"};
  sim_set((const char* const[]){"**.nic.PacketSprayingType=None", NULL});
  sim_platform(SGF_SOURCE_DIR "/validation/switch/two_spines.xml", "leaf0");
  write_from_rack_to_rack();
  sim_run();
  const tally_t tally = expectation();
  unsigned used       = 0;
  for (size_t s = 0; s < sizeof switches / sizeof *switches; s++) {
    const sgf_device_t* at = device(switches[s]);
    for (unsigned port = 0; port < sgf_device_port_count(at); port++) {
      CU_ASSERT_EQUAL(frames_out(at, port), tally.frames[at->index][port]);
      used += sgf_device_is_switch(sgf_device_peer(at, port)) && frames_out(at, port) > 0;
    }
  }
  CU_ASSERT(used > 8); /* of 16 between leaves and spines: a spread, and not one way for all, was compared */
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

SGF_SCENARIO(SW_108_hosts_of_a_rack_share_the_equal_cost_set_towards_it)
{
  sim_platform(SGF_SOURCE_DIR "/validation/switch/two_spines.xml", "leaf0");
  sim_write(0, RACK, 1, 1e-6);
  const switch_state_t* leaf = sim_switch();
  for (unsigned host = RACK; host < 2 * RACK; host++) {
    unsigned ports[MOST_PORTS];
    CU_ASSERT_EQUAL(sgf_device_next_hops(device("leaf0"), sgf_fabric_host(sim_fabric(), host), ports, MOST_PORTS), 4);
    CU_ASSERT_EQUAL(leaf->set_of_host[host], leaf->set_of_host[RACK]);
  }
  for (unsigned host = 0; host < RACK; host++)
    for (unsigned other = 0; other < host; other++)
      CU_ASSERT_NOT_EQUAL(leaf->set_of_host[host], leaf->set_of_host[other]);
  sim_run();
}

static unsigned hash_at(const char* name)
{
  const net_frame_t flow = flow_of(0, RACK, 0);
  return switch_balance_flow_hash(switch_state(device(name)->module)->balance, &flow, 2);
}

SGF_SCENARIO(SW_67_switches_of_one_fabric_have_salts_of_their_own)
{
  sim_platform(SGF_SOURCE_DIR "/validation/switch/two_spines.xml", "leaf0");
  sim_write(0, RACK, 1, 1e-6);
  static const char* const switches[] = {"leaf0", "leaf1", "spine0", "spine1"};
  for (size_t a = 0; a < 4; a++)
    for (size_t b = 0; b < a; b++)
      CU_ASSERT_NOT_EQUAL(hash_at(switches[a]), hash_at(switches[b]));
  sim_run();
}
