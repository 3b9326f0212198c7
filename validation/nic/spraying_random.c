/* spec/uet-nic.md 10.3 to 10.5 on the state machine of one group's entropy values: random feedback and packets, beside
 * a naive model of REPS that is written from the text of the specification. */
#include "congestion_support.h"
#include "harness.h"
#include "opp/kernel.h"
#include "spraying_support.h"

#include <stdlib.h>

enum { NAIVE_MAX = 16384 };

/* All values that were ever recycled, in order, each with whether it may still be taken. The cache is the last of them,
 * in slots by number. */
typedef struct naive {
  const spray_config_t* config;
  uint16_t values[NAIVE_MAX];
  bool taken[NAIVE_MAX];
  int count;
  int turn; /* slot that is used again next */
  bool freezing;
  opp_simtime_t frozen_at;
  int exploration_packet; /* 0: not exploring */
  unsigned explored, reused;
} naive_t;

static int naive_capacity(const naive_t* n)
{
  return 1 << n->config->cache_bits;
}

static int naive_oldest(const naive_t* n)
{
  return n->count > naive_capacity(n) ? n->count - naive_capacity(n) : 0;
}

static uint16_t naive_explore(naive_t* n, opp_rng_t* rng)
{
  n->explored++;
  return (uint16_t)opp_rng_intuniform(rng, 0, (int64_t)n->config->value_set - 1);
}

/* The latest value in a slot. */
static uint16_t naive_slot(const naive_t* n, int slot)
{
  int index = slot;
  while (index + naive_capacity(n) < n->count)
    index += naive_capacity(n);
  return n->values[index];
}

static uint16_t naive_next(naive_t* n, opp_rng_t* rng)
{
  if (n->exploration_packet > 0) {
    const int j           = n->exploration_packet;
    n->exploration_packet = j < SPRAYING_EXPLORATION ? j + 1 : 0;
    if ((SPRAYING_EXPLORATION - j) % naive_capacity(n) == 0)
      return naive_explore(n, rng);
  }
  for (int i = naive_oldest(n); i < n->count; i++)
    if (!n->taken[i]) {
      n->taken[i] = true;
      return n->values[i];
    }
  if (!n->freezing || n->count == 0)
    return naive_explore(n, rng);
  const int slots = n->count < naive_capacity(n) ? n->count : naive_capacity(n);
  const int slot  = n->turn;
  n->turn         = (slot + 1) % slots;
  n->reused++;
  return naive_slot(n, slot);
}

static void naive_recycle(naive_t* n, uint16_t value, opp_simtime_t now)
{
  n->values[n->count++] = value;
  if (n->freezing && now - n->frozen_at >= n->config->freezing_timeout) {
    n->freezing           = false;
    n->exploration_packet = 1;
  }
}

static void naive_path_failed(naive_t* n, opp_simtime_t now)
{
  if (n->freezing || n->exploration_packet > 0)
    return;
  n->freezing  = true;
  n->frozen_at = now;
  n->turn      = naive_oldest(n) % naive_capacity(n);
}

/* Times with and without feedback alternate, so that the cache is empty as well as full. */
static void compare_with_naive(const char* const* settings)
{
  spraying_t rig = spraying_new(settings);
  spraying_begin(&rig);
  naive_t* naive       = calloc(1, sizeof *naive);
  naive->config        = &rig.config;
  opp_rng_t* naive_rng = opp_rng_new(1, 0, 0);
  opp_rng_t* dice      = opp_rng_new(2, 0, 0);
  unsigned differences = 0;
  for (opp_simtime_t now = 0; now < CC_US(10000); now += CC_US(1)) {
    const int64_t kind = opp_rng_intuniform(dice, 0, 99);
    if (kind < 1) {
      spray_path_failed(&rig.spray, now);
      naive_path_failed(naive, now);
    } else if (kind < (now / CC_US(50) % 2 == 0 ? 60 : 4)) {
      const uint16_t value = (uint16_t)opp_rng_intuniform(dice, 0, UINT16_MAX);
      spray_recycle(&rig.spray, value, now);
      naive_recycle(naive, value, now);
    } else
      differences += spraying_next(&rig) != naive_next(naive, naive_rng);
    differences += rig.spray.freezing != naive->freezing;
  }
  CU_ASSERT_EQUAL(differences, 0);
  CU_ASSERT(naive->explored > 100 && naive->reused > 100);
  free(naive);
  free(naive_rng);
  free(dice);
  spraying_end(&rig);
}

SGF_TEST(values_follow_the_text_through_10000_signals)
{
  compare_with_naive(CC_SETTINGS(SPRAYING_REPS));
}

SGF_TEST(values_follow_the_text_with_other_caches)
{
  compare_with_naive(CC_SETTINGS(SPRAYING_REPS, "REPSBufferSizeMaskBits", "0", "EntropyValueSetSize", "3"));
  compare_with_naive(CC_SETTINGS(SPRAYING_REPS, "REPSBufferSizeMaskBits", "1", "FreezingTimeout", "30us"));
  compare_with_naive(CC_SETTINGS(SPRAYING_REPS, "REPSBufferSizeMaskBits", "6", "FreezingTimeout", "300us"));
}
