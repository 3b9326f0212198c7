/* Selection of members: see balance.h. */
#include "switch/balance.h"

#include <stdlib.h>

#include "attr/alloc.h"
#include "attr/hash.h"

static const sgf_attr_t rows[] = {
    {"EcmpHashMethod", SGF_ATTR_CHOICE, offsetof(switch_balance_config_t, hash_method), "crc32WithSalt",
     SWITCH_HASH_METHODS, "How a flow is identified."},
    {"LoadBalancingMethod", SGF_ATTR_CHOICE, offsetof(switch_balance_config_t, method), "none", "none|flowlet",
     "none: a flow's member is its hash modulo the size of the equal-cost set; flowlet: after a gap in its own traffic "
     "a flow may move to the member with the fewest egress bytes."},
    {"LoadBalancingFlowlet/Gap", SGF_ATTR_TIMEVAL, offsetof(switch_balance_config_t, gap), "100us", "0s..2s",
     "Shortest silence of a flow after which its member is chosen anew; 0s: for every packet."},
    {"LoadBalancingFlowlet/PFCAware", SGF_ATTR_BOOL, offsetof(switch_balance_config_t, pfc_aware), "true", "",
     "Prefer members whose egress port is not paused for the packet's class."},
};

const sgf_attr_table_t switch_balance_attributes = {"switch", rows, sizeof rows / sizeof *rows};

#define SLOT_EMPTY (-1) /* as a date: none is negative */

typedef struct slot {
  opp_simtime_t last; /* when a packet of it was admitted last */
  uint16_t member;
} slot_t;

/* One cache line: a packet's member. */
typedef struct member {
  _Alignas(SGF_CACHE_LINE) switch_member_stats_t stats;
  uint16_t port;
} member_t;

typedef struct group {
  member_t* members;
  slot_t* slots; /* NULL: hash modulo */
  opp_simtime_t formed;
  uint32_t size;
} group_t;

struct switch_balance {
  switch_balance_config_t config;
  uint32_t salt;
  uint32_t count;
  group_t* groups;       /* in the order in which they were met */
  switch_egress_t* seen; /* what a selection saw, by member; room for the largest set */
  uint32_t seen_size;
  opp_rng_t* ties;
};

/* ---- Life -------------------------------------------------------------------------------------------------------- */

switch_balance_t* switch_balance_new(const switch_balance_config_t* config, uint32_t node_id, uint64_t seed,
                                     uint64_t run, sgf_error_t* error)
{
  const bool by_destination =
      config->hash_method == SWITCH_HASH_DPR || config->hash_method == SWITCH_HASH_DPR_WITH_FALLBACK;
  if (config->method == SWITCH_BALANCE_FLOWLET && by_destination) {
    sgf_error_set(error, SGF_RULE,
                  "LoadBalancingMethod = \"flowlet\" cannot go with EcmpHashMethod = \"%s\", which knows destinations "
                  "and no flows",
                  config->hash_method == SWITCH_HASH_DPR ? "dpr" : "dprWithFallback");
    return NULL;
  }
  switch_balance_t* balance = sgf_calloc(1, sizeof *balance);
  balance->config           = *config;
  balance->salt             = switch_hash_salt(node_id);
  balance->ties             = opp_rng_new(seed, sgf_hash_text("switch/flowlet") ^ run, node_id);
  return balance;
}

void switch_balance_free(switch_balance_t* balance)
{
  if (balance == NULL)
    return;
  for (uint32_t i = 0; i < balance->count; i++) {
    free(balance->groups[i].members);
    free(balance->groups[i].slots);
  }
  free(balance->groups);
  free(balance->seen);
  free(balance->ties);
  free(balance);
}

static slot_t* empty_slots(void)
{
  slot_t* slots = sgf_calloc(SWITCH_FLOW_SLOTS, sizeof *slots);
  for (unsigned i = 0; i < SWITCH_FLOW_SLOTS; i++)
    slots[i].last = SLOT_EMPTY;
  return slots;
}

uint32_t switch_balance_meet(switch_balance_t* balance, const uint16_t* ports, uint32_t count, opp_simtime_t now)
{
  group_t group = {.formed = now, .size = count, .members = sgf_calloc_lines(count, sizeof *group.members)};
  for (uint32_t m = 0; m < count; m++)
    group.members[m].port = ports[m];
  if (balance->config.method == SWITCH_BALANCE_FLOWLET && balance->count < SWITCH_SETS_WITH_SLOTS)
    group.slots = empty_slots();
  if (count > balance->seen_size) {
    balance->seen      = sgf_realloc(balance->seen, count, sizeof *balance->seen);
    balance->seen_size = count;
  }
  balance->groups                   = sgf_realloc(balance->groups, balance->count + 1, sizeof *balance->groups);
  balance->groups[balance->count++] = group;
  return balance->count - 1;
}

/* ---- Selection (8.4) --------------------------------------------------------------------------------------------- */

/* Looks at all members. Returns how many are paused. */
static uint32_t look_at_members(switch_balance_t* balance, const group_t* group, unsigned tc, const switch_view_t* view)
{
  uint32_t paused = 0;
  for (uint32_t m = 0; m < group->size; m++) {
    balance->seen[m] = view->look(view->user, group->members[m].port, tc);
    paused += balance->seen[m].paused;
  }
  return paused;
}

/* The least load of the candidates; how many have it. */
typedef struct least {
  int64_t load;
  uint32_t count;
} least_t;

static least_t least_load(const switch_egress_t* seen, const group_t* group, bool leave_out)
{
  least_t least = {.load = INT64_MAX};
  for (uint32_t m = 0; m < group->size; m++) {
    if (leave_out && seen[m].paused) {
      group->members[m].stats.paused_skips++;
    } else if (seen[m].load < least.load) {
      least = (least_t){seen[m].load, 1};
    } else
      least.count += seen[m].load == least.load;
  }
  return least;
}

/* The n-th candidate, from 0, with the least load. */
static uint32_t nth_least(const switch_egress_t* seen, int64_t load, bool leave_out, uint32_t n)
{
  uint32_t m = 0;
  while ((leave_out && seen[m].paused) || seen[m].load != load || n-- > 0)
    m++;
  return m;
}

/* The member for a flow whose member so far is `current`, `group->size` for none. */
static uint32_t choose(switch_balance_t* balance, const group_t* group, uint32_t current, unsigned tc,
                       const switch_view_t* view)
{
  const switch_egress_t* seen = balance->seen;
  const uint32_t paused       = look_at_members(balance, group, tc, view);
  const bool leave_out        = balance->config.pfc_aware && paused > 0 && paused < group->size;
  const least_t least         = least_load(seen, group, leave_out);
  uint32_t chosen             = current;
  if (current == group->size || (leave_out && seen[current].paused) || seen[current].load != least.load) {
    const uint32_t n = least.count == 1 ? 0 : (uint32_t)opp_rng_intuniform(balance->ties, 0, least.count - 1);
    chosen           = nth_least(seen, least.load, leave_out, n);
  }
  group->members[chosen].stats.paused_selections += seen[chosen].paused;
  return chosen;
}

switch_choice_t switch_balance_select(switch_balance_t* balance, uint32_t group_number, const net_frame_t* frame,
                                      unsigned tc, opp_simtime_t now, const switch_view_t* view)
{
  const group_t* group = &balance->groups[group_number];
  const uint16_t hash  = switch_balance_flow_hash(balance, frame, group->size);
  uint16_t slot_number = 0;
  uint32_t member;
  if (group->slots == NULL) {
    member = hash % group->size;
  } else {
    slot_number        = hash % SWITCH_FLOW_SLOTS;
    const slot_t* slot = &group->slots[slot_number];
    if (slot->last == SLOT_EMPTY)
      member = choose(balance, group, group->size, tc, view);
    else if (now - slot->last >= balance->config.gap)
      member = choose(balance, group, slot->member, tc, view);
    else
      member = slot->member;
  }
  return (switch_choice_t){
      .group = group_number, .port = group->members[member].port, .member = (uint16_t)member, .slot = slot_number};
}

uint32_t switch_balance_expect(const switch_balance_t* balance, uint32_t group, const net_frame_t* frame,
                               uint32_t members, opp_simtime_t now)
{
  const uint16_t hash = switch_balance_flow_hash(balance, frame, members);
  const bool is_met   = group != SWITCH_NO_GROUP;
  const bool is_by_flowlet =
      is_met ? balance->groups[group].slots != NULL
             : balance->config.method == SWITCH_BALANCE_FLOWLET && balance->count < SWITCH_SETS_WITH_SLOTS;
  if (!is_by_flowlet)
    return hash % members;
  if (!is_met)
    return members;
  const slot_t* slot = &balance->groups[group].slots[hash % SWITCH_FLOW_SLOTS];
  return slot->last == SLOT_EMPTY || now - slot->last >= balance->config.gap ? members : slot->member;
}

void switch_balance_admitted(switch_balance_t* balance, switch_choice_t choice, uint32_t charge, opp_simtime_t now)
{
  if (choice.group == SWITCH_NO_GROUP)
    return;
  const group_t* group         = &balance->groups[choice.group];
  switch_member_stats_t* stats = &group->members[choice.member].stats;
  stats->bytes += charge;
  stats->packets++;
  if (group->slots == NULL)
    return;
  slot_t* slot = &group->slots[choice.slot];
  if (slot->last == SLOT_EMPTY) {
    stats->assignments++;
  } else if (slot->member != choice.member) {
    stats->movements_in++;
    group->members[slot->member].stats.movements_out++;
  }
  *slot = (slot_t){.last = now, .member = choice.member};
}

/* ---- Counters ---------------------------------------------------------------------------------------------------- */

uint32_t switch_balance_group_count(const switch_balance_t* balance)
{
  return balance->count;
}

switch_group_t switch_balance_group(const switch_balance_t* balance, uint32_t group)
{
  const group_t* found = &balance->groups[group];
  return (switch_group_t){found->formed, found->size, found->slots == NULL ? 0 : SWITCH_FLOW_SLOTS};
}

uint16_t switch_balance_member_port(const switch_balance_t* balance, uint32_t group, uint32_t member)
{
  return balance->groups[group].members[member].port;
}

const switch_member_stats_t* switch_balance_member_stats(const switch_balance_t* balance, uint32_t group,
                                                         uint32_t member)
{
  return &balance->groups[group].members[member].stats;
}

uint16_t switch_balance_flow_hash(const switch_balance_t* balance, const net_frame_t* frame, uint32_t members)
{
  return switch_flow_hash((switch_hash_method_t)balance->config.hash_method, frame, balance->salt, members);
}
