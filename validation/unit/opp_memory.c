/* No allocation in steady state: all of the process are counted, and while packets go to and fro there is none. */
#include <stdlib.h>

#include "unit/opp_probe.h"

/* The C library's own names for its allocator. The sanitizers have another one, where nothing is counted. */
#if defined(__SANITIZE_ADDRESS__)
#define COUNTS 0
#else
#define COUNTS 1
#endif

static size_t allocations;

#if COUNTS
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* p, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size)
{
  allocations++;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
  allocations++;
  return __libc_calloc(count, size);
}

void* realloc(void* p, size_t size)
{
  allocations++;
  return __libc_realloc(p, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
  allocations++;
  return __libc_memalign(alignment, size);
}
#endif

/* ---- Ping-pong --------------------------------------------------------------------------------------------------- */

enum { PACKETS = 8, EVENTS = 100000 };

typedef struct player {
  opp_gate_t* out;
  opp_msg_t* timer;
} player_t;

static player_t* player_of(opp_module_t* module)
{
  return opp_module_state(module);
}

/* A packet that arrives is unpacked, and a new one goes back around what was in it as soon as the channel is free; now
 * and then a timer far ahead is moved. */
static void play(opp_module_t* self, opp_msg_t* msg)
{
  player_t* player = player_of(self);
  if (msg == player->timer)
    return;
  opp_msg_t* inner = opp_packet_decapsulate(msg);
  opp_msg_delete(msg);
  opp_msg_t* answer = opp_packet_new(self, "packet", 1, 100);
  opp_packet_encapsulate(answer, inner);
  opp_channel_t* channel   = opp_gate_transmission_channel(player->out);
  const opp_simtime_t free = opp_channel_finish_time(channel);
  const opp_simtime_t now  = opp_sim_time(self);
  opp_send_delayed(self, answer, free > now ? free - now : 0, player->out);
  opp_reschedule_after(self, OPP_S, player->timer);
}

static const opp_module_type_t player_type = {.name = "player", .state_size = sizeof(player_t), .handle_message = play};

static opp_module_t* player_new(opp_sim_t* sim, const char* name)
{
  opp_module_t* module = opp_module_new(sim, NULL, name, -1, &player_type);
  opp_gate_add(module, "port", OPP_GATE_INOUT, false, 1);
  player_of(module)->out   = opp_gate(module, "port$o", 0);
  player_of(module)->timer = opp_msg_new(module, "timer", 0);
  return module;
}

static void run_events(opp_sim_t* sim, uint64_t events)
{
  const uint64_t end = opp_sim_event_count(sim) + events;
  while (opp_sim_event_count(sim) < end && opp_sim_run(sim, opp_sim_clock(sim) + OPP_US) == OPP_RUN_LIMIT)
    continue;
}

SGF_TEST(packets_that_go_to_and_fro_allocate_nothing)
{
  opp_sim_t* sim  = opp_sim_new(1);
  opp_module_t* a = player_new(sim, "a");
  opp_module_t* b = player_new(sim, "b");
  opp_gate_connect(player_of(a)->out, opp_gate(b, "port$i", 0), opp_channel_datarate(sim, 400000000000, 500 * OPP_NS));
  opp_gate_connect(player_of(b)->out, opp_gate(a, "port$i", 0), opp_channel_datarate(sim, 400000000000, 500 * OPP_NS));
  for (int i = 0; i < PACKETS; i++) {
    opp_msg_t* packet = opp_packet_new(a, "packet", 1, 100);
    opp_packet_encapsulate(packet, opp_packet_new(a, "inner", 2, 1000));
    opp_send_delayed(a, packet, i * 100 * OPP_NS, player_of(a)->out);
  }
  run_events(sim, 1000);
  const size_t before = allocations;
  CU_ASSERT(before > 0 || !COUNTS);
  run_events(sim, EVENTS);
  CU_ASSERT_EQUAL(allocations, before);
  CU_ASSERT(opp_sim_event_count(sim) >= 1000 + EVENTS);
  CU_ASSERT_EQUAL(sim->packets.in_use, 2 * PACKETS);
  CU_ASSERT_STRING_EQUAL(opp_sim_error(sim)->text, "");
  opp_sim_free(sim);
}
