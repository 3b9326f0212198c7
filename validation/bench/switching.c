/* Nanoseconds for a packet through a whole switch: arrival, ingress admission, look-up, member, egress admission, ECN,
 * class queue, transmission, departure. No NICs.
 *
 *   switching [ROUNDS]
 *
 *              +--------+-- ports 0 .. n/2 - 1: one host each
 *   frames --> | switch |
 *              +--------+-- ports n/2 .. n - 1: uplinks, in equal-cost sets of four; each set leads to some of n/2
 * hosts
 *
 * 1,024 frames are inside or on a cable at all times, however many ports there are. One that has left through a port
 * comes in again there, at once, to another host and of another flow; half of them meet a set of four members. A packet
 * is two events, those that the switch has for it; the peers do nothing but address it anew.
 *
 * defaults  lossless, ECN, crc32WithSalt
 * flowlet   the same with flowlets
 * samples   the same with samples of all counters, by port too
 * pauses    the same with an Xoff at what a port holds on average; peers do not obey, so that headroom is charged
 * all       flowlets, samples and pauses
 * trimming  the UET policy, packets cut above twice what a queue holds on average
 *
 * Each figure is the median of the rounds (5 unless given), in CPU time; kinds and numbers of ports take turns. What is
 * asserted is that the work was the same: events, marks, pauses, trimmed packets, no drops, the date of the end. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "switch/switch.h"

enum {
  FRAMES     = 1024,
  SET_SIZE   = 4,
  CHARGE     = 1000,  /* bytes */
  HEADERS    = 44,    /* bytes that trimming leaves */
  WARM_UP    = 50000, /* packets */
  PACKETS    = 500000,
  DRAWS      = 1 << 14,
  MAX_ROUNDS = 101,
  KINDS      = 6,
  SIZES      = 3,
};

static const uint32_t first_host   = 0x0a000001;
static const unsigned sizes[SIZES] = {8, 64, 512};

/* ---- Kinds of switches ------------------------------------------------------------------------------------------- */

/* What a run did, the same on every machine. */
typedef struct work {
  uint64_t events;
  uint64_t marked;
  uint64_t pauses;
  uint64_t trimmed;
  opp_simtime_t end; /* ps */
} work_t;

typedef struct kind {
  const char* name;
  bool flowlet;
  bool samples;
  bool pauses;
  bool trimming;
  work_t expected[SIZES];
} kind_t;

static const kind_t kinds[KINDS] = {
    /* by number of ports: events, marked, pauses, trimmed, end */
    {.name     = "defaults",
     .expected = {{1097953, 0, 0, 0, 1408568880}, {1097954, 0, 0, 0, 189582960}, {1097972, 0, 0, 0, 30020480}}},
    {.name     = "flowlet",
     .flowlet  = true,
     .expected = {{1097958, 0, 0, 0, 1400015680}, {1097956, 0, 0, 0, 188861000}, {1097974, 0, 0, 0, 29441200}}},
    {.name     = "samples",
     .samples  = true,
     .expected = {{1097953, 0, 0, 0, 1408568880}, {1097954, 0, 0, 0, 189582960}, {1097972, 0, 0, 0, 30020480}}},
    {.name     = "pauses",
     .pauses   = true,
     .expected = {{1098760, 0, 272, 0, 1407695200}, {1100912, 0, 782, 0, 189671640}, {1388993, 0, 72882, 0, 30458840}}},
    {.name     = "all",
     .flowlet  = true,
     .samples  = true,
     .pauses   = true,
     .expected = {{1098766, 0, 272, 0, 1400059200}, {1100448, 0, 670, 0, 188870600}, {1355231, 0, 64437, 0, 29806440}}},
    {.name     = "trimming",
     .trimming = true,
     .expected = {{1097953, 276725, 0, 1644, 1397801200},
                  {1097955, 287616, 0, 10975, 175044280},
                  {1097980, 377961, 0, 59523, 23221440}}},
};

/* ---- The switch and its peers ------------------------------------------------------------------------------------ */

/* What a frame is addressed with when it comes in again. */
typedef struct draw {
  uint32_t host;
  uint16_t entropy;
} draw_t;

typedef struct bench {
  opp_sim_t* sim;
  opp_module_t* module;
  switch_state_t* state;
  draw_t* draws;
  uint64_t packets; /* that have come in */
  uint64_t goal;    /* the run stops there */
} bench_t;

typedef struct peer {
  bench_t* bench;
  uint16_t gate; /* of the switch, as messages name it */
} peer_t;

static void come_in(bench_t* bench, uint16_t gate, opp_msg_t* msg)
{
  const draw_t* draw = &bench->draws[bench->packets++ % DRAWS];
  net_frame_t* frame = net_frame(msg);
  msg->bytes         = CHARGE + NET_ETHERNET_BYTES;
  msg->module        = bench->module;
  msg->gate          = gate;
  frame->dst         = first_host + draw->host;
  frame->src_port    = draw->entropy;
  frame->ecn         = NET_ECN_ECT0;
  frame->dscp        = net_role_dscp(NET_ROLE_TRIMMABLE);
  bench->module->handle_message(bench->module, msg);
}

static void turn_round(opp_module_t* self, opp_msg_t* msg)
{
  const peer_t* peer = opp_module_state(self);
  bench_t* bench     = peer->bench;
  if (net_frame(msg)->type == NET_FRAME_PFC) {
    opp_msg_delete(msg);
    return;
  }
  come_in(bench, peer->gate, msg);
  if (bench->packets == bench->goal)
    opp_end_simulation(self);
}

static const opp_module_type_t peer_type = {.name = "peer", .state_size = sizeof(peer_t), .handle_message = turn_round};

static void fail(const char* what)
{
  fprintf(stderr, "switching: %s\n", what);
  exit(EXIT_FAILURE);
}

static opp_module_t* connect(bench_t* bench, unsigned port)
{
  opp_module_t* peer               = opp_module_new(bench->sim, NULL, "peer", (int)port, &peer_type);
  *(peer_t*)opp_module_state(peer) = (peer_t){bench, (uint16_t)(port + 1)};
  opp_gate_add(peer, "port", OPP_GATE_INOUT, false, 1);
  opp_gate_connect(opp_gate(bench->module, "port$o", (int)port), opp_gate(peer, "port$i", 0),
                   opp_channel_datarate(bench->sim, INT64_C(400000000000), OPP_NS));
  return peer;
}

/* Host h is behind port h; those of the other half of the ports, behind the sets in turn. */
static void set_routes(switch_state_t* state, unsigned ports)
{
  const unsigned sets = ports / 2 / SET_SIZE;
  for (uint16_t host = 0; host < ports / 2; host++)
    switch_set_route(state, host, &host, 1);
  for (uint16_t host = (uint16_t)(ports / 2); host < ports; host++) {
    uint16_t members[SET_SIZE];
    for (unsigned m = 0; m < SET_SIZE; m++)
      members[m] = (uint16_t)(ports / 2 + host % sets * SET_SIZE + m);
    switch_set_route(state, host, members, SET_SIZE);
  }
}

static void set(switch_block_t* block, const char* attribute, const char* value)
{
  sgf_error_t error = {0};
  if (sgf_attr_set_value(&switch_attributes, block, attribute, value, &error) != SGF_OK)
    fail(error.text);
}

static switch_block_t configure(const kind_t* kind, unsigned ports)
{
  const int64_t average = FRAMES / ports * CHARGE;
  switch_block_t block;
  sgf_error_t error = {0};
  sgf_attr_defaults(&switch_attributes, &block, &error);
  if (kind->flowlet) {
    set(&block, "LoadBalancingMethod", "flowlet");
    set(&block, "LoadBalancingFlowlet/Gap", "1us");
  }
  if (kind->pauses) {
    block.buffer.xoff = average;
    block.buffer.xon  = average / 2;
  }
  if (kind->trimming) {
    set(&block, "SharedBufferManager/UETPolicyEnabled", "true");
    set(&block, "SharedBufferManager/EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]");
    set(&block, "PacketTrimmer/TrimmingEnabled", "true");
    block.buffer.plane_bdp = 2 * average;
  }
  return block;
}

static void set_up(bench_t* bench, const kind_t* kind, unsigned ports, draw_t* draws)
{
  const switch_block_t block = configure(kind, ports);
  sgf_error_t error          = {0};
  bench->sim                 = opp_sim_new(1);
  bench->draws               = draws;
  bench->module              = opp_module_new(bench->sim, NULL, "switch", -1, &switch_module_type);
  opp_gate_add(bench->module, "port", OPP_GATE_INOUT, true, (int)ports);
  opp_module_t** peers = malloc(ports * sizeof *peers);
  bool* uplink         = calloc(ports, sizeof *uplink);
  if (peers == NULL || uplink == NULL)
    fail("no memory");
  for (unsigned port = 0; port < ports; port++)
    peers[port] = connect(bench, port);
  if (switch_setup(bench->module, &block, 1, first_host, ports, &error) != SGF_OK)
    fail(error.text);
  bench->state = switch_state(bench->module);
  set_routes(bench->state, ports);
  for (unsigned port = ports / 2; port < ports; port++)
    uplink[port] = true;
  if (kind->samples)
    sgf_sb_sample(bench->state->buffer, uplink, true);
  opp_sim_initialize(bench->sim);
  free(peers);
  free(uplink);
}

static void fill(bench_t* bench, unsigned ports)
{
  for (unsigned i = 0; i < FRAMES; i++) {
    opp_msg_t* msg      = opp_frame_new(bench->module, 0, 0);
    net_frame_t* frame  = net_frame(msg);
    frame->src          = first_host + i % ports;
    frame->dst_port     = 4793;
    frame->protocol     = NET_PROTOCOL_UDP;
    frame->header_bytes = HEADERS;
    come_in(bench, (uint16_t)(i % ports + 1), msg);
  }
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static work_t work_of(const bench_t* bench)
{
  const switch_state_t* state = bench->state;
  work_t work                 = {.events = opp_sim_event_count(bench->sim), .end = opp_sim_clock(bench->sim)};
  for (unsigned port = 0; port < state->port_count; port++) {
    work.trimmed += state->ports[port].trimmed;
    for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
      work.marked += state->ports[port].marked[tc];
      work.pauses += state->ports[port].pfc.pauses[tc];
    }
  }
  return work;
}

static void check(const kind_t* kind, unsigned size, const bench_t* bench)
{
  const work_t found = work_of(bench);
  const work_t* want = &kind->expected[size];
  for (unsigned cause = 0; cause < SWITCH_DROP_CAUSES; cause++)
    if (bench->state->drops[cause] != 0)
      fail("a packet was dropped");
  if (found.events == want->events && found.marked == want->marked && found.pauses == want->pauses &&
      found.trimmed == want->trimmed && found.end == want->end)
    return;
  fprintf(stderr,
          "switching: %s, %u ports: {%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRId64
          "} is not the work that was expected\n",
          kind->name, sizes[size], found.events, found.marked, found.pauses, found.trimmed, found.end);
  exit(EXIT_FAILURE);
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double nanoseconds(const kind_t* kind, unsigned size, draw_t* draws)
{
  bench_t bench = {.goal = WARM_UP};
  set_up(&bench, kind, sizes[size], draws);
  fill(&bench, sizes[size]);
  opp_sim_run(bench.sim, OPP_TIME_MAX);
  bench.goal += PACKETS;
  const double start = seconds();
  opp_sim_run(bench.sim, OPP_TIME_MAX);
  const double result = (seconds() - start) * 1e9 / PACKETS;
  check(kind, size, &bench);
  opp_sim_free(bench.sim);
  return result;
}

static void draw_all(draw_t* draws, unsigned ports)
{
  opp_rng_t* rng = opp_rng_new(7, 0, ports);
  for (size_t i = 0; i < DRAWS; i++)
    draws[i] = (draw_t){(uint32_t)opp_rng_intuniform(rng, 0, ports - 1), (uint16_t)opp_rng_intuniform(rng, 0, 0xffff)};
  free(rng);
}

static int by_value(const void* a, const void* b)
{
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv)
{
  static double results[KINDS][SIZES][MAX_ROUNDS];
  static draw_t draws[SIZES][DRAWS];
  const int wanted = argc > 1 ? atoi(argv[1]) : 5;
  const int rounds = wanted < 1 ? 1 : wanted > MAX_ROUNDS ? MAX_ROUNDS : wanted;
  for (unsigned size = 0; size < SIZES; size++)
    draw_all(draws[size], sizes[size]);
  for (int round = 0; round < rounds; round++)
    for (unsigned k = 0; k < KINDS; k++)
      for (unsigned size = 0; size < SIZES; size++)
        results[k][size][round] = nanoseconds(&kinds[k], size, draws[size]);

  printf("%-12s", "ns a packet");
  for (unsigned size = 0; size < SIZES; size++)
    printf(" %4u ports", sizes[size]);
  for (unsigned k = 0; k < KINDS; k++) {
    printf("\n%-12s", kinds[k].name);
    for (unsigned size = 0; size < SIZES; size++) {
      qsort(results[k][size], (size_t)rounds, sizeof(double), by_value);
      printf(" %10.1f", results[k][size][rounds / 2]);
    }
  }
  printf("\n");
  return 0;
}
