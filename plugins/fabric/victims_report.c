/* What has become of the victims: sgf_victims_new. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "fabric/victims.h"

/* Bytes by flow, which grow while a list is made of them. */
typedef struct tally {
  int64_t* bytes; /* by flow */
  size_t* flows;  /* those with bytes */
  size_t count;
} tally_t;

/* A report under construction. */
typedef struct draft {
  sgf_victims_t report; /* first, so that the report's address is the draft's */
  fabric_victims_t* of;
  size_t flow_count;
  sgf_hold_t* holds;
  victims_waits_t waits; /* of these, in their order, the victims of each first */
  sgf_victim_t* items;
  tally_t tally;
  size_t* visited; /* by number of a hold: that of the one, and 1, for which its causers were added last */
} draft_t;

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

static void add_bytes(tally_t* tally, size_t flow, int64_t bytes)
{
  if (tally->bytes[flow] == 0 && bytes > 0)
    tally->flows[tally->count++] = flow;
  tally->bytes[flow] += bytes;
}

static int compare_shares(const void* a, const void* b)
{
  const sgf_flow_share_t* left  = a;
  const sgf_flow_share_t* right = b;
  if (left->bytes != right->bytes)
    return left->bytes > right->bytes ? -1 : 1;
  return (left->flow > right->flow) - (left->flow < right->flow);
}

/* What has come together, which is forgotten; NULL for nothing. */
static sgf_flow_share_t* list_of(tally_t* tally, size_t* count)
{
  *count = tally->count;
  if (tally->count == 0)
    return NULL;
  sgf_flow_share_t* list = sgf_calloc(tally->count, sizeof *list);
  for (size_t i = 0; i < tally->count; i++) {
    list[i]                       = (sgf_flow_share_t){tally->flows[i], tally->bytes[tally->flows[i]]};
    tally->bytes[tally->flows[i]] = 0;
  }
  qsort(list, tally->count, sizeof *list, compare_shares);
  tally->count = 0;
  return list;
}

/* ---- Holds ------------------------------------------------------------------------------------------------------- */

/* Flows that had bytes in the cause of a hold, and in those of the holds that it was a result of. */
static void add_causers(draft_t* draft, size_t number, size_t result)
{
  const victims_hold_t* hold = &draft->of->holds[number];
  draft->visited[number]     = result + 1;
  for (size_t s = 0; s < hold->share_count; s++) {
    const victims_share_t* share = &hold->shares[s];
    if (share->is_cause && share->flow != VICTIMS_NONE)
      add_bytes(&draft->tally, share->flow, share->bytes);
    if (share->hold != VICTIMS_NONE && draft->visited[share->hold] != result + 1)
      add_causers(draft, share->hold, result);
  }
}

static int compare_waits(const void* a, const void* b)
{
  const victims_wait_t* left  = a;
  const victims_wait_t* right = b;
  if (left->is_victim != right->is_victim)
    return left->is_victim ? -1 : 1;
  if (left->bytes != right->bytes)
    return left->bytes > right->bytes ? -1 : 1;
  return (left->flow > right->flow) - (left->flow < right->flow);
}

static void add_waits(draft_t* draft, const victims_hold_t* hold)
{
  victims_waits_t* waits = &draft->waits;
  if (hold->end < 0) {
    fabric_victims_wait(draft->of, hold, waits);
    return;
  }
  if (waits->count + hold->wait_count > waits->capacity) {
    waits->capacity = 2 * (waits->count + hold->wait_count);
    waits->items    = sgf_realloc(waits->items, waits->capacity, sizeof *waits->items);
  }
  for (size_t i = 0; i < hold->wait_count; i++)
    waits->items[waits->count++] = draft->of->waits.items[hold->first_wait + i];
}

static void add_hold(draft_t* draft, size_t number)
{
  const victims_hold_t* of = &draft->of->holds[number];
  const size_t first       = draft->waits.count;
  add_waits(draft, of);
  const size_t count = draft->waits.count - first;
  if (count == 0)
    return;
  victims_wait_t* waits     = &draft->waits.items[first];
  sgf_flow_share_t* waiting = sgf_calloc(count, sizeof *waiting);
  sgf_hold_t* hold          = &draft->holds[draft->report.hold_count++];
  qsort(waits, count, sizeof *waits, compare_waits);
  *hold = (sgf_hold_t){.at            = {of->at->device, of->at->port, of->tc},
                       .begin         = of->begin,
                       .end           = of->end >= 0 ? of->end : opp_sim_clock(draft->of->fabric->sim),
                       .root          = of->root,
                       .steps         = of->steps,
                       .waiting_count = count,
                       .waiting       = waiting};
  for (size_t i = 0; i < count; i++) {
    waiting[i] = (sgf_flow_share_t){waits[i].flow, waits[i].bytes};
    hold->victim_count += waits[i].is_victim;
  }
  add_causers(draft, number, number);
  hold->causers = list_of(&draft->tally, &hold->causer_count);
}

/* ---- Victims ----------------------------------------------------------------------------------------------------- */

static int compare_losses(const void* a, const void* b)
{
  const sgf_loss_t* left  = a;
  const sgf_loss_t* right = b;
  return (left->since > right->since) - (left->since < right->since);
}

/* The time that is in one of the losses at least. */
static opp_simtime_t time_in(const sgf_loss_t* losses, size_t count)
{
  sgf_loss_t* sorted  = sgf_calloc(count, sizeof *sorted);
  opp_simtime_t total = 0;
  opp_simtime_t until = 0;
  memcpy(sorted, losses, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare_losses);
  for (size_t i = 0; i < count; i++) {
    const opp_simtime_t since = sorted[i].since > until ? sorted[i].since : until;
    if (sorted[i].hold->end <= since)
      continue;
    total += sorted[i].hold->end - since;
    until = sorted[i].hold->end;
  }
  free(sorted);
  return total;
}

static bool is_same(sgf_queue_place_t a, sgf_queue_place_t b)
{
  return a.device == b.device && a.port == b.port && a.tc == b.tc;
}

static bool is_part_of(const sgf_loss_t* loss, const sgf_loss_sum_t* sum)
{
  return is_same(loss->hold->at, sum->at) && is_same(loss->hold->root, sum->root);
}

static int compare_places(const sgf_queue_place_t* a, const sgf_queue_place_t* b)
{
  const uint32_t a_id = sgf_device_node_id(a->device);
  const uint32_t b_id = sgf_device_node_id(b->device);
  if (a_id != b_id)
    return a_id > b_id ? 1 : -1;
  if (a->port != b->port)
    return a->port > b->port ? 1 : -1;
  return (a->tc > b->tc) - (a->tc < b->tc);
}

/* No two of them are of one queue and one root. */
static int compare_sums(const void* a, const void* b)
{
  const sgf_loss_sum_t* left  = a;
  const sgf_loss_sum_t* right = b;
  if (left->lost != right->lost)
    return left->lost > right->lost ? -1 : 1;
  const int places = compare_places(&left->at, &right->at);
  return places != 0 ? places : compare_places(&left->root, &right->root);
}

/* Losses at one queue for one root. */
static void sum_up(draft_t* draft, const sgf_victim_t* victim, sgf_loss_sum_t* sum)
{
  for (size_t i = 0; i < victim->loss_count; i++) {
    const sgf_loss_t* loss = &victim->losses[i];
    if (!is_part_of(loss, sum))
      continue;
    sum->holds++;
    sum->lost += loss->hold->end - loss->since;
    for (size_t w = 0; w < loss->hold->waiting_count; w++)
      if (loss->hold->waiting[w].flow != victim->flow)
        add_bytes(&draft->tally, loss->hold->waiting[w].flow, loss->hold->waiting[w].bytes);
  }
  sum->sharers = list_of(&draft->tally, &sum->sharer_count);
  for (size_t i = 0; i < victim->loss_count; i++)
    for (size_t c = 0; is_part_of(&victim->losses[i], sum) && c < victim->losses[i].hold->causer_count; c++)
      add_bytes(&draft->tally, victim->losses[i].hold->causers[c].flow, victim->losses[i].hold->causers[c].bytes);
  sum->causers = list_of(&draft->tally, &sum->causer_count);
}

static void add_sums(draft_t* draft, sgf_victim_t* victim)
{
  sgf_loss_sum_t* sums = sgf_calloc(victim->loss_count, sizeof *sums);
  for (size_t i = 0; i < victim->loss_count; i++) {
    size_t s = 0;
    while (s < victim->sum_count && !is_part_of(&victim->losses[i], &sums[s]))
      s++;
    if (s < victim->sum_count)
      continue;
    sums[s] = (sgf_loss_sum_t){.at = victim->losses[i].hold->at, .root = victim->losses[i].hold->root};
    victim->sum_count++;
    sum_up(draft, victim, &sums[s]);
  }
  qsort(sums, victim->sum_count, sizeof *sums, compare_sums);
  victim->sums = sums;
}

static int compare_victims(const void* a, const void* b)
{
  const sgf_victim_t* left  = a;
  const sgf_victim_t* right = b;
  if (left->lost != right->lost)
    return left->lost > right->lost ? -1 : 1;
  return (left->flow > right->flow) - (left->flow < right->flow);
}

/* One victim for each flow that has losses, in order of flows, with room for them. Returns where it is, by flow. */
static size_t* make_victims(draft_t* draft)
{
  size_t* losses = sgf_calloc(draft->flow_count, sizeof *losses);
  for (size_t w = 0; w < draft->waits.count; w++)
    losses[draft->waits.items[w].flow] += draft->waits.items[w].is_victim;
  for (size_t f = 0; f < draft->flow_count; f++)
    draft->report.count += losses[f] > 0;
  draft->items = sgf_calloc(draft->report.count, sizeof *draft->items);
  for (size_t f = 0, v = 0; f < draft->flow_count; f++) {
    if (losses[f] == 0)
      continue;
    draft->items[v] = (sgf_victim_t){.flow = f, .losses = sgf_calloc(losses[f], sizeof(sgf_loss_t))};
    losses[f]       = v++;
  }
  return losses;
}

static void add_victims(draft_t* draft)
{
  size_t* place              = make_victims(draft);
  const victims_wait_t* wait = draft->waits.items;
  for (size_t h = 0; h < draft->report.hold_count; h++) {
    const sgf_hold_t* hold = &draft->holds[h];
    for (size_t i = 0; i < hold->victim_count; i++) {
      sgf_victim_t* victim                                = &draft->items[place[wait[i].flow]];
      ((sgf_loss_t*)victim->losses)[victim->loss_count++] = (sgf_loss_t){hold, wait[i].since};
    }
    wait += hold->waiting_count;
  }
  free(place);
  for (size_t v = 0; v < draft->report.count; v++) {
    draft->items[v].lost = time_in(draft->items[v].losses, draft->items[v].loss_count);
    add_sums(draft, &draft->items[v]);
  }
  qsort(draft->items, draft->report.count, sizeof *draft->items, compare_victims);
}

/* ---- Report ------------------------------------------------------------------------------------------------------ */

static int compare_flows(const void* a, const void* b)
{
  const size_t left  = *(const size_t*)a;
  const size_t right = *(const size_t*)b;
  return (left > right) - (left < right);
}

static void add_aggressors(draft_t* draft)
{
  for (size_t h = 0; h < draft->report.hold_count; h++)
    for (size_t c = 0; c < draft->holds[h].causer_count; c++)
      add_bytes(&draft->tally, draft->holds[h].causers[c].flow, draft->holds[h].causers[c].bytes);
  size_t* aggressors = sgf_calloc(draft->tally.count, sizeof *aggressors);
  memcpy(aggressors, draft->tally.flows, draft->tally.count * sizeof *aggressors);
  qsort(aggressors, draft->tally.count, sizeof *aggressors, compare_flows);
  draft->report.aggressor_count = draft->tally.count;
  draft->report.aggressors      = aggressors;
}

sgf_victims_t* sgf_victims_new(const sgf_fabric_t* fabric)
{
  draft_t* draft = sgf_calloc(1, sizeof *draft);
  if (fabric->victims == NULL)
    return &draft->report;
  draft->of         = fabric->victims;
  draft->flow_count = fabric->flow_count;
  draft->holds      = sgf_calloc(draft->of->hold_count, sizeof *draft->holds);
  draft->visited    = sgf_calloc(draft->of->hold_count, sizeof *draft->visited);
  draft->tally =
      (tally_t){sgf_calloc(draft->flow_count, sizeof(int64_t)), sgf_calloc(draft->flow_count, sizeof(size_t)), 0};
  for (size_t number = 0; number < draft->of->hold_count; number++)
    add_hold(draft, number);
  add_victims(draft);
  add_aggressors(draft);
  draft->report.items = draft->items;
  draft->report.holds = draft->holds;
  free(draft->tally.bytes);
  free(draft->tally.flows);
  free(draft->visited);
  free(draft->waits.items);
  return &draft->report;
}

static void victim_free(const sgf_victim_t* victim)
{
  for (size_t s = 0; s < victim->sum_count; s++) {
    free((void*)victim->sums[s].sharers);
    free((void*)victim->sums[s].causers);
  }
  free((void*)victim->sums);
  free((void*)victim->losses);
}

void sgf_victims_free(sgf_victims_t* victims)
{
  if (victims == NULL)
    return;
  for (size_t v = 0; v < victims->count; v++)
    victim_free(&victims->items[v]);
  for (size_t h = 0; h < victims->hold_count; h++) {
    free((void*)victims->holds[h].waiting);
    free((void*)victims->holds[h].causers);
  }
  free((void*)victims->items);
  free((void*)victims->holds);
  free((void*)victims->aggressors);
  free((draft_t*)(void*)victims);
}
