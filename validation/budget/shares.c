/* spec/feedback-budget.md 8, 12 and 13.2, FB-55 and FB-65: a stable queue is not a fair one; starts that are spread out
 * lower the peak and not the mean load.
 *
 *   h0 h1 h2 h3 == tor == h4 */
#include "budget_support.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>

enum { SENDERS = 4, EGRESS = 4, FRAME = 4154, MSS = 4096 };

#define FRAMES                                                                                                         \
  {                                                                                                                    \
    NULL, "nic", "HeaderBytes", "58"                                                                                   \
  }
#define LARGE                                                                                                          \
  {NULL, "switch", "StaticPoolXoffThreshold", "100MB"},                                                                \
  {                                                                                                                    \
    NULL, "switch", "StaticPoolXonThreshold", "50MB"                                                                   \
  }

static const char* const senders[SENDERS] = {"h0", "h1", "h2", "h3"};

/* The longest that a queue is, when all events of an instant are done: each time it is longer, wait for one byte more.
 */
typedef struct peak {
  sgf_device_t* device;
  int64_t bytes;
} peak_t;

static void longer(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)fabric;
  (void)now;
  peak_t* peak = user;
  peak->bytes  = sgf_device_queue_bytes(peak->device, EGRESS, 0);
  CU_ASSERT_EQUAL(sgf_script_when_queue(peak->device, EGRESS, 0, peak->bytes + 1, longer, peak, NULL), SGF_OK);
}

static void watch_peak(peak_t* peak)
{
  peak->device = budget_device("tor");
  peak->bytes  = 0;
  CU_ASSERT_EQUAL(sgf_script_when_queue(peak->device, EGRESS, 0, 1, longer, peak, NULL), SGF_OK);
}

/* ---- FB-55 ------------------------------------------------------------------------------------------------------- */

/* Counters at two dates. */
typedef struct state {
  uint64_t received[SENDERS]; /* bytes, at the switch */
  uint64_t sent;              /* at its egress */
} state_t;

static void read_state(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)fabric;
  (void)now;
  state_t* state          = user;
  const sgf_device_t* tor = budget_device("tor");
  for (unsigned port = 0; port < SENDERS; port++)
    state->received[port] = sgf_device_port_stats(tor, port).rx_bytes;
  state->sent = sgf_device_port_stats(tor, EGRESS).tx_bytes;
}

static void unfair_shares(budget_seat_t seat_is)
{
  const budget_topology_t r1        = budget_r1(100 * OPP_NS);
  const budget_setting_t settings[] = {FRAMES,
                                       LARGE,
                                       {"h0", "nic", "SendRate", "280Gbps"},
                                       {"h1", "nic", "SendRate", "40Gbps"},
                                       {"h2", "nic", "SendRate", "40Gbps"},
                                       {"h3", "nic", "SendRate", "40Gbps"},
                                       {0}};
  sgf_fabric_t* fabric              = budget_build(seat_is, &r1, settings);
  for (unsigned h = 0; h < SENDERS; h++)
    budget_write(senders[h], "h4", 16000000, 0, 0);
  peak_t peak;
  state_t before, after;
  watch_peak(&peak);
  const opp_simtime_t wire = budget_wire(FRAME);
  const opp_simtime_t from = 100 * wire; /* all have begun, and the first frame of the slow ones is long in */
  const opp_simtime_t time = 3000 * wire;
  CU_ASSERT_EQUAL(sgf_script_at(fabric, from, read_state, &before, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_script_at(fabric, from + time, read_state, &after, NULL), SGF_OK);
  budget_run(from + time + 1);

  CU_ASSERT(peak.bytes <= SENDERS * FRAME);
  CU_ASSERT_EQUAL(after.sent - before.sent, 3000 * FRAME); /* 100 % */
  double sum = 0, squares = 0;
  for (unsigned h = 0; h < SENDERS; h++) {
    const double share = (double)(after.received[h] - before.received[h]);
    sum += share;
    squares += share * share;
  }
  CU_ASSERT_DOUBLE_EQUAL(sum * sum / (SENDERS * squares), 0.481, 0.005);
  budget_free();
}

SGF_TEST(FB_55_a_stable_queue_and_a_busy_link_with_unfair_shares)
{
  unfair_shares(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_55_the_same_in_a_simulation)
{
  unfair_shares(BUDGET_SIMGRID);
}

/* ---- FB-65 ------------------------------------------------------------------------------------------------------- */

enum { EACH = 25 };                                  /* frames, 2.08 us */
static const opp_simtime_t window = 4 * 10 * OPP_US; /* all is through, whenever it began */

typedef struct outcome {
  int64_t peak;
  uint64_t sent;
} outcome_t;

static outcome_t run(budget_seat_t seat_is, const opp_simtime_t* starts)
{
  const budget_topology_t r1        = budget_r1(100 * OPP_NS);
  const budget_setting_t settings[] = {FRAMES, LARGE, {0}};
  budget_build(seat_is, &r1, settings);
  for (unsigned h = 0; h < SENDERS; h++)
    budget_write(senders[h], "h4", EACH * MSS, 0, starts[h]);
  peak_t peak;
  watch_peak(&peak);
  budget_run(window);
  const outcome_t outcome = {peak.bytes, sgf_device_port_stats(budget_device("tor"), EGRESS).tx_bytes};
  budget_finish();
  budget_free();
  return outcome;
}

static uint64_t draw(uint64_t* state, uint64_t below)
{
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (*state >> 33) % below;
}

SGF_TEST(FB_65_staggered_starts_lower_the_peak_and_not_the_mean_load)
{
  const outcome_t synchronised = run(BUDGET_ENGINE, (opp_simtime_t[SENDERS]){0});
  CU_ASSERT_EQUAL(synchronised.peak, (3 * EACH + 1) * FRAME);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    uint64_t random = seed;
    opp_simtime_t starts[SENDERS];
    for (unsigned h = 0; h < SENDERS; h++)
      starts[h] = (opp_simtime_t)draw(&random, 10 * (uint64_t)OPP_US);
    const outcome_t staggered = run(BUDGET_ENGINE, starts);
    CU_ASSERT_EQUAL(staggered.sent, synchronised.sent); /* in the same window */
    CU_ASSERT_EQUAL(staggered.sent, SENDERS * EACH * FRAME);
    CU_ASSERT(staggered.peak < synchronised.peak);
  }
}

SGF_SCENARIO(FB_65_staggered_in_a_simulation)
{
  const opp_simtime_t starts[SENDERS] = {1234567, 9 * OPP_US, 4 * OPP_US + 1, 3 * OPP_US};
  const outcome_t staggered           = run(BUDGET_SIMGRID, starts);
  CU_ASSERT_EQUAL(staggered.sent, SENDERS * EACH * FRAME);
  CU_ASSERT(staggered.peak < (3 * EACH + 1) * FRAME);
  CU_ASSERT(staggered.peak > FRAME);
}
