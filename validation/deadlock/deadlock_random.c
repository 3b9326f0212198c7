/* Rings of five switches with a host each, hosts writing to those two switches further, at random dates and sizes. A
 * run either comes to its end or stands still: a deadlock is reported if and only if it stands still, and then no frame
 * of it has moved since (plugins/fabric/deadlock.c; spec/feedback-budget.md 9.1). */
#include "harness.h"

#include <sgfabric/fabric.h>
#include <sgfabric/stats.h>
#include <stdio.h>

enum { HOSTS = 5, RUNS = 200, PAYLOAD = 4096 };

typedef struct circle {
  sgf_fabric_t* fabric;
  sgf_device_t* hosts[HOSTS];
  sgf_device_t* switches[HOSTS];
  uint64_t frames; /* to be delivered */
} circle_t;

static uint64_t draw(uint64_t* state, uint64_t range)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*state >> 33) % range;
}

static void must(sgf_status_t status)
{
  CU_ASSERT_EQUAL_FATAL(status, SGF_OK);
}

/* Over long cables resumes and pauses are under way while others arrive. */
static circle_t build(opp_simtime_t delay)
{
  circle_t circle   = {.fabric = sgf_fabric_new(1)};
  sgf_error_t error = {0};
  for (unsigned i = 0; i < HOSTS; i++) {
    char host[8], device[8];
    snprintf(host, sizeof host, "h%u", i);
    snprintf(device, sizeof device, "s%u", i);
    circle.hosts[i]    = sgf_fabric_add_nic(circle.fabric, host, host, "udp", &error);
    circle.switches[i] = sgf_fabric_add_switch(circle.fabric, device, device, &error);
    must(error.status);
    must(sgf_device_set(circle.switches[i], "switch", "EnablePFC", "[1, 0, 0, 0, 0, 0, 0, 0]", &error));
    must(sgf_device_set(circle.switches[i], "switch", "StaticPoolXoffThreshold", "40KB", &error));
    must(sgf_device_set(circle.switches[i], "switch", "StaticPoolXonThreshold", "20KB", &error));
    must(sgf_device_set(circle.switches[i], "switch", "HeadRoomPerPortLimit", "2MB", &error));
  }
  const int64_t bps = INT64_C(400000000000);
  for (unsigned i = 0; i < HOSTS; i++) {
    must(sgf_fabric_connect(circle.fabric, circle.hosts[i], circle.switches[i], "cable", bps, 100 * OPP_NS, 1, &error));
    must(sgf_fabric_connect(circle.fabric, circle.switches[i], circle.switches[(i + 1) % HOSTS], "cable", bps, delay, 1,
                            &error));
  }
  must(sgf_fabric_seal(circle.fabric, &error));
  sgf_fabric_stop_on_deadlock(circle.fabric, false);
  return circle;
}

static void post(circle_t* circle, uint64_t seed)
{
  uint64_t state    = seed;
  sgf_error_t error = {0};
  for (unsigned i = 0; i < HOSTS; i++) {
    const uint64_t frames = 40 + draw(&state, 160);
    sgf_op_unref(sgf_op_write(circle->fabric, circle->hosts[i], circle->hosts[(i + 2) % HOSTS], frames * PAYLOAD, 0,
                              (opp_simtime_t)draw(&state, 6000) * OPP_NS, 0, &error));
    must(error.status);
    circle->frames += frames;
  }
}

/* Frames of data that have reached the hosts. */
static uint64_t arrived(const circle_t* circle)
{
  uint64_t frames = 0;
  for (unsigned i = 0; i < HOSTS; i++) {
    const sgf_class_stats_t pauses = sgf_device_class_stats(circle->hosts[i], 0, 0);
    frames += sgf_device_port_stats(circle->hosts[i], 0).rx_packets - pauses.pauses_received - pauses.resumes_received;
  }
  return frames;
}

/* Those, and frames that have left the hosts. */
static uint64_t moved(const circle_t* circle)
{
  uint64_t frames = arrived(circle);
  for (unsigned i = 0; i < HOSTS; i++)
    frames += sgf_device_port_stats(circle->hosts[i], 0).tx_packets;
  return frames;
}

SGF_TEST(a_deadlock_is_reported_if_and_only_if_a_run_stands_still)
{
  unsigned locks = 0;
  for (uint64_t seed = 1; seed <= RUNS; seed++) {
    circle_t circle = build(seed % 2 == 0 ? 500 * OPP_NS : 5 * OPP_US);
    post(&circle, seed);
    sgf_engine_advance(circle.fabric, 1 * OPP_MS);
    const uint64_t before = moved(&circle);
    sgf_engine_advance(circle.fabric, 2 * OPP_MS);
    const bool is_found = sgf_fabric_deadlock(circle.fabric) != NULL;
    CU_ASSERT_EQUAL(is_found, arrived(&circle) < circle.frames);
    CU_ASSERT_EQUAL(moved(&circle), before); /* all has come to its end, or to a standstill */
    locks += is_found;
    sgf_fabric_free(circle.fabric);
  }
  CU_ASSERT(locks > RUNS / 10); /* both kinds of runs are there */
  CU_ASSERT(locks < RUNS * 9 / 10);
}
