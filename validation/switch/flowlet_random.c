/* Flowlets against a second model that reads spec/switch.md 8.4 and spec/records.md R-11 line by line: a dictionary of
 * slots, searched from its beginning, and a list of candidates that is written down for every selection. Packet by
 * packet, on 10,000 random sequences. Where members tie, the model asks for one of them and follows the draw. */
#include "balance_support.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum {
  SEQUENCES    = 10000,
  PACKETS      = 60, /* of a sequence */
  MOST_MEMBERS = 16,
  MOST_SETS    = 140,
  CLASSES      = 3,
  NODE         = 5,
};

/* ---- Random ------------------------------------------------------------------------------------------------------ */

static opp_rng_t* dice;

static unsigned below(unsigned limit)
{
  return (unsigned)opp_rng_intuniform(dice, 0, limit - 1);
}

static bool one_in(unsigned n)
{
  return below(n) == 0;
}

/* ---- The world that both models see ------------------------------------------------------------------------------ */

typedef struct world {
  switch_balance_config_t config;
  unsigned sets;
  unsigned members[MOST_SETS];
  int64_t load[MOST_SETS][MOST_MEMBERS]; /* each set has ports of its own, MOST_MEMBERS x set + member */
  bool paused[MOST_SETS][MOST_MEMBERS][CLASSES];
  opp_simtime_t now;
} world_t;

static switch_egress_t look(const void* user, unsigned port, unsigned tc)
{
  const world_t* world = user;
  const unsigned set   = port / MOST_MEMBERS;
  const unsigned m     = port % MOST_MEMBERS;
  return (switch_egress_t){world->load[set][m], world->paused[set][m][tc]};
}

static void random_world(world_t* world)
{
  static const int methods[]        = {SWITCH_HASH_FOLD, SWITCH_HASH_FOLD_WITH_SALT, SWITCH_HASH_CRC32,
                                       SWITCH_HASH_CRC32_WITH_SALT};
  static const opp_simtime_t gaps[] = {0, 1, 1000, 100 * OPP_US, 2 * OPP_S};
  memset(world, 0, sizeof *world);
  world->config = (switch_balance_config_t){.hash_method = methods[below(4)],
                                            .method      = one_in(10) ? SWITCH_BALANCE_NONE : SWITCH_BALANCE_FLOWLET,
                                            .gap         = gaps[below(5)],
                                            .pfc_aware   = !one_in(3)};
  world->sets   = one_in(20) ? MOST_SETS : 1 + below(3);
  for (unsigned set = 0; set < world->sets; set++)
    world->members[set] = 2 + below(MOST_MEMBERS - 1);
}

/* Loads are few and small, so that members tie; half of the time something is paused. */
static void stir(world_t* world, unsigned set)
{
  const unsigned often = 1 + below(4);
  for (unsigned m = 0; m < world->members[set]; m++) {
    world->load[set][m] = below(4);
    for (unsigned tc = 0; tc < CLASSES; tc++)
      world->paused[set][m][tc] = below(4) >= often;
  }
}

/* Just inside the gap, just at it, at once, or anywhere. */
static void let_time_pass(world_t* world)
{
  const opp_simtime_t gap     = world->config.gap;
  const opp_simtime_t steps[] = {0, gap > 0 ? gap - 1 : 0, gap, gap / 2, (opp_simtime_t)below(1000)};
  world->now += steps[below(5)];
}

/* ---- The naive model --------------------------------------------------------------------------------------------- */

typedef struct entry {
  unsigned set;
  unsigned slot;
  unsigned member;
  opp_simtime_t last_admitted;
} entry_t;

typedef struct naive {
  const world_t* world;
  entry_t dictionary[PACKETS];
  unsigned entries;
  switch_member_stats_t stats[MOST_SETS][MOST_MEMBERS];
} naive_t;

static entry_t* find(naive_t* naive, unsigned set, unsigned slot)
{
  for (unsigned i = 0; i < naive->entries; i++)
    if (naive->dictionary[i].set == set && naive->dictionary[i].slot == slot)
      return &naive->dictionary[i];
  return NULL;
}

static unsigned candidates_of(const world_t* world, unsigned set, unsigned tc, unsigned* candidates)
{
  unsigned paused = 0;
  unsigned count  = 0;
  for (unsigned m = 0; m < world->members[set]; m++)
    paused += world->paused[set][m][tc];
  const bool some_but_not_all = paused > 0 && paused < world->members[set];
  for (unsigned m = 0; m < world->members[set]; m++)
    if (!(world->config.pfc_aware && some_but_not_all && world->paused[set][m][tc]))
      candidates[count++] = m;
  return count;
}

static bool contains(const unsigned* list, unsigned count, unsigned member)
{
  for (unsigned i = 0; i < count; i++)
    if (list[i] == member)
      return true;
  return false;
}

/* The members that a selection may give. */
static unsigned choices_of(const world_t* world, unsigned set, unsigned tc, const entry_t* current, unsigned* choices)
{
  unsigned candidates[MOST_MEMBERS];
  const unsigned count  = candidates_of(world, set, tc, candidates);
  int64_t least         = INT64_MAX;
  unsigned choice_count = 0;
  for (unsigned i = 0; i < count; i++)
    if (world->load[set][candidates[i]] < least)
      least = world->load[set][candidates[i]];
  for (unsigned i = 0; i < count; i++)
    if (world->load[set][candidates[i]] == least)
      choices[choice_count++] = candidates[i];
  if (current != NULL && contains(choices, choice_count, current->member)) {
    choices[0]   = current->member;
    choice_count = 1;
  }
  return choice_count;
}

static void count_selection(naive_t* naive, unsigned set, unsigned tc, unsigned chosen)
{
  unsigned candidates[MOST_MEMBERS];
  const unsigned count = candidates_of(naive->world, set, tc, candidates);
  for (unsigned m = 0; m < naive->world->members[set]; m++)
    naive->stats[set][m].paused_skips += !contains(candidates, count, m);
  naive->stats[set][chosen].paused_selections += naive->world->paused[set][chosen][tc];
}

/* Whether `chosen` is what a packet with this hash may get. */
static bool agrees(naive_t* naive, unsigned set, unsigned hash, unsigned tc, unsigned chosen)
{
  const world_t* world = naive->world;
  if (world->config.method == SWITCH_BALANCE_NONE || set >= 128)
    return chosen == hash % world->members[set];
  const entry_t* slot = find(naive, set, hash % 512);
  if (slot != NULL && !(world->now - slot->last_admitted >= world->config.gap))
    return chosen == slot->member;
  unsigned choices[MOST_MEMBERS];
  count_selection(naive, set, tc, chosen);
  return contains(choices, choices_of(world, set, tc, slot, choices), chosen);
}

static void admit(naive_t* naive, unsigned set, unsigned hash, unsigned chosen, uint32_t charge)
{
  switch_member_stats_t* stats = naive->stats[set];
  stats[chosen].bytes += charge;
  stats[chosen].packets++;
  if (naive->world->config.method == SWITCH_BALANCE_NONE || set >= 128)
    return;
  entry_t* slot = find(naive, set, hash % 512);
  if (slot == NULL) {
    stats[chosen].assignments++;
    slot = &naive->dictionary[naive->entries++];
  } else if (slot->member != chosen) {
    stats[slot->member].movements_out++;
    stats[chosen].movements_in++;
  }
  *slot = (entry_t){.set = set, .slot = hash % 512, .member = chosen, .last_admitted = naive->world->now};
}

/* ---- Both, side by side ------------------------------------------------------------------------------------------ */

static void meet_all(switch_balance_t* balance, const world_t* world)
{
  for (unsigned set = 0; set < world->sets; set++) {
    uint16_t ports[MOST_MEMBERS];
    for (unsigned m = 0; m < world->members[set]; m++)
      ports[m] = (uint16_t)(MOST_MEMBERS * set + m);
    CU_ASSERT_EQUAL_FATAL(switch_balance_meet(balance, ports, world->members[set], 0), set);
  }
}

static void offer_packet(switch_balance_t* balance, naive_t* naive, world_t* world, unsigned flows)
{
  const unsigned set       = below(world->sets);
  const unsigned tc        = below(CLASSES);
  const uint32_t charge    = 46 + below(9000);
  const net_frame_t flow   = flow_number(97 * below(flows));
  const switch_view_t view = {look, world};
  let_time_pass(world);
  if (!one_in(4))
    stir(world, set);
  const unsigned hash          = switch_balance_flow_hash(balance, &flow, world->members[set]);
  const switch_choice_t choice = switch_balance_select(balance, set, &flow, tc, world->now, &view);
  CU_ASSERT_FATAL(agrees(naive, set, hash, tc, choice.member));
  CU_ASSERT_EQUAL(choice.port, MOST_MEMBERS * set + choice.member);
  if (one_in(5))
    return; /* refused at egress */
  switch_balance_admitted(balance, choice, charge, world->now);
  admit(naive, set, hash, choice.member, charge);
}

static void compare_counters(const switch_balance_t* balance, const naive_t* naive)
{
  const world_t* world = naive->world;
  for (unsigned set = 0; set < world->sets; set++) {
    uint64_t in  = 0;
    uint64_t out = 0;
    for (unsigned m = 0; m < world->members[set]; m++) {
      const switch_member_stats_t* stats = switch_balance_member_stats(balance, set, m);
      CU_ASSERT(memcmp(stats, &naive->stats[set][m], sizeof *stats) == 0);
      in += stats->movements_in;
      out += stats->movements_out;
    }
    CU_ASSERT_EQUAL(in, out);
  }
}

SGF_TEST(flowlets_agree_with_a_naive_model_on_10000_random_sequences)
{
  world_t* world    = malloc(sizeof *world);
  naive_t* naive    = malloc(sizeof *naive);
  uint64_t moved    = 0;
  uint64_t skipped  = 0;
  uint64_t in_spite = 0;
  dice              = opp_rng_new(20260101, 0, 0);
  CU_ASSERT_FATAL(world != NULL && naive != NULL);
  for (unsigned i = 0; i < SEQUENCES; i++) {
    sgf_error_t error = {0};
    random_world(world);
    memset(naive, 0, sizeof *naive);
    naive->world              = world;
    switch_balance_t* balance = switch_balance_new(&world->config, NODE, i, 0, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(balance);
    meet_all(balance, world);
    const unsigned flows = 1 + below(12);
    for (unsigned n = 0; n < PACKETS; n++)
      offer_packet(balance, naive, world, flows);
    compare_counters(balance, naive);
    for (unsigned m = 0; m < world->members[0]; m++) {
      moved += naive->stats[0][m].movements_in;
      skipped += naive->stats[0][m].paused_skips;
      in_spite += naive->stats[0][m].paused_selections;
    }
    switch_balance_free(balance);
  }
  CU_ASSERT(moved > SEQUENCES && skipped > SEQUENCES && in_spite > SEQUENCES); /* the sequences look at all of it */
  free(dice);
  free(naive);
  free(world);
}
