/* The event queue against a list that is searched from end to end, and the order in which events run. */
#include <stdlib.h>

#include "unit/opp_probe.h"

/* ---- The naive queue --------------------------------------------------------------------------------------------- */

enum { MOST_PENDING = 4000 };

/* The queue under test beside an unsorted list of what it must hold. */
typedef struct pair {
  opp_sim_t* sim;
  opp_module_t* owner;
  opp_rng_t* rng;
  opp_event_queue_t* queue;
  opp_msg_t* pending[MOST_PENDING];
  size_t count;
  uint64_t insertion;
  opp_simtime_t now; /* of the last event popped, or the last limit */
} pair_t;

static pair_t* pair_new(uint64_t seed)
{
  pair_t* pair = calloc(1, sizeof *pair);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pair);
  pair->sim   = opp_sim_new(seed);
  pair->owner = probe_new(pair->sim, NULL, "owner");
  pair->rng   = opp_rng(pair->owner, 0);
  pair->queue = &pair->sim->events;
  return pair;
}

static void pair_free(pair_t* pair)
{
  opp_sim_free(pair->sim);
  free(pair);
}

static int64_t draw(pair_t* pair, int64_t low, int64_t high)
{
  return opp_rng_intuniform(pair->rng, low, high);
}

static void insert(pair_t* pair, opp_simtime_t time)
{
  if (pair->count == MOST_PENDING)
    return;
  opp_msg_t* msg = opp_timer_new(pair->owner, 0, (int)draw(pair, -2, 2));
  msg->time      = time;
  msg->order |= pair->insertion++;
  opp_event_queue_insert(pair->queue, msg);
  pair->pending[pair->count++] = msg;
}

static bool is_before(const opp_msg_t* a, const opp_msg_t* b)
{
  return a->time != b->time ? a->time < b->time : a->order < b->order;
}

/* Index of the earliest event; there is one. */
static size_t earliest(const pair_t* pair)
{
  size_t best = 0;
  for (size_t i = 1; i < pair->count; i++)
    if (is_before(pair->pending[i], pair->pending[best]))
      best = i;
  return best;
}

static void forget(pair_t* pair, size_t i)
{
  pair->pending[i]->place = OPP_OWNED;
  opp_msg_delete(pair->pending[i]);
  pair->pending[i] = pair->pending[--pair->count];
}

static void pop(pair_t* pair, opp_simtime_t limit)
{
  opp_msg_t* msg = opp_event_queue_pop(pair->queue, limit);
  if (pair->count == 0 || pair->pending[earliest(pair)]->time > limit) {
    CU_ASSERT_PTR_NULL_FATAL(msg);
    if (limit != OPP_TIME_MAX)
      pair->now = limit;
    return;
  }
  const size_t expected = earliest(pair);
  CU_ASSERT_PTR_EQUAL_FATAL(msg, pair->pending[expected]);
  pair->now = msg->time;
  forget(pair, expected);
}

static void cancel(pair_t* pair)
{
  if (pair->count == 0)
    return;
  const size_t i = (size_t)draw(pair, 0, (int64_t)pair->count - 1);
  opp_event_queue_remove(pair->queue, pair->pending[i]);
  forget(pair, i);
}

static void check_front(const pair_t* pair)
{
  CU_ASSERT_EQUAL_FATAL(opp_event_queue_is_empty(pair->queue), pair->count == 0);
  const opp_simtime_t expected = pair->count == 0 ? OPP_TIME_MAX : pair->pending[earliest(pair)]->time;
  CU_ASSERT_EQUAL_FATAL(opp_event_queue_next_time(pair->queue), expected);
}

static void pop_all(pair_t* pair)
{
  while (pair->count > 0)
    pop(pair, OPP_TIME_MAX);
  pop(pair, OPP_TIME_MAX);
  check_front(pair);
}

/* Half of the steps insert an event at most `ahead` of now, the others pop one, with a limit or without, or now and
 * then cancel one. */
static void mix(pair_t* pair, int steps, opp_simtime_t ahead)
{
  for (int i = 0; i < steps; i++) {
    const int64_t what = draw(pair, 0, 99);
    if (what < 48)
      insert(pair, pair->now + draw(pair, 0, ahead));
    else if (what < 70)
      pop(pair, OPP_TIME_MAX);
    else if (what < 90)
      pop(pair, pair->now + draw(pair, 0, ahead / 4));
    else
      cancel(pair);
    check_front(pair);
  }
}

/* ---- Mixes ------------------------------------------------------------------------------------------------------- */

static const opp_simtime_t bucket = INT64_C(1) << OPP_BUCKET_SHIFT;
static const opp_simtime_t wheel  = (INT64_C(1) << OPP_BUCKET_SHIFT) * OPP_BUCKET_COUNT;

static void run_mix(uint64_t seed, opp_simtime_t ahead)
{
  pair_t* pair = pair_new(seed);
  mix(pair, 20000, ahead);
  pop_all(pair);
  pair_free(pair);
}

SGF_TEST(within_a_bucket)
{
  run_mix(1, bucket - 1);
}

SGF_TEST(within_the_wheel)
{
  run_mix(2, wheel / 2);
}

SGF_TEST(on_both_sides_of_the_end_of_the_wheel)
{
  run_mix(3, 2 * wheel);
}

/* Events just beyond the wheel share a bucket with none that comes a turn earlier. */
SGF_TEST(at_the_very_end_of_the_wheel)
{
  pair_t* pair = pair_new(8);
  for (int beyond = -2; beyond <= 2; beyond++)
    insert(pair, wheel + beyond * bucket);
  insert(pair, 3 * bucket);
  pop_all(pair);
  pair_free(pair);
}

SGF_TEST(far_jumps)
{
  run_mix(4, INT64_C(1) << 46);
}

SGF_TEST(near_and_far_in_turn)
{
  pair_t* pair = pair_new(5);
  for (int round = 0; round < 40; round++)
    mix(pair, 500, round % 2 == 0 ? 8 * bucket : 20 * wheel);
  pop_all(pair);
  pair_free(pair);
}

SGF_TEST(equal_times_by_the_thousand)
{
  pair_t* pair = pair_new(6);
  for (int i = 0; i < 3000; i++)
    insert(pair, 5 * wheel + draw(pair, 0, 1)); /* beyond the wheel, and moved there together */
  for (int i = 0; i < 1000; i++)
    insert(pair, 7 * bucket);
  pop_all(pair);
  for (int i = 0; i < 2000; i++) { /* more of the time that is being emptied */
    insert(pair, pair->now);
    insert(pair, pair->now);
    pop(pair, pair->now);
  }
  pop_all(pair);
  pair_free(pair);
}

/* The kernel never inserts before its clock, but the cursor may be ahead of that: all times are right. */
SGF_TEST(times_before_the_cursor)
{
  pair_t* pair = pair_new(7);
  for (int i = 0; i < 4000; i++) {
    insert(pair, draw(pair, 0, 3 * wheel));
    if (i % 2 == 0)
      pop(pair, OPP_TIME_MAX);
    if (i % 5 == 0)
      pop(pair, draw(pair, 0, 3 * wheel));
    check_front(pair);
  }
  pop_all(pair);
  pair_free(pair);
}

SGF_TEST(a_stop_at_a_limit_lets_in_what_comes_next)
{
  pair_t* pair = pair_new(8);
  insert(pair, 10 * wheel);
  pop(pair, 9 * wheel + 100);    /* nothing is due */
  insert(pair, 9 * wheel + 100); /* at the limit itself */
  insert(pair, 9 * wheel + 101);
  pop(pair, 9 * wheel + 100);
  pop(pair, 9 * wheel + 100);
  CU_ASSERT_EQUAL(pair->count, 2);
  pop_all(pair);
  pair_free(pair);
}

SGF_TEST(the_last_moment_can_be_queued)
{
  pair_t* pair = pair_new(9);
  insert(pair, OPP_TIME_MAX - 1);
  insert(pair, 0);
  pop(pair, 0);
  pop(pair, OPP_TIME_MAX - 2);
  CU_ASSERT_EQUAL(pair->count, 1);
  pop(pair, OPP_TIME_MAX - 1);
  CU_ASSERT_EQUAL(pair->count, 0);
  pair_free(pair);
}

/* ---- The order of events of a simulation ------------------------------------------------------------------------- */

enum { EVENTS = 5000 };

typedef struct scheduled {
  opp_simtime_t time;
  int priority;
  int number; /* of insertion */
} scheduled_t;

static int by_time_priority_insertion(const void* a, const void* b)
{
  const scheduled_t* x = a;
  const scheduled_t* y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (x->priority != y->priority)
    return x->priority < y->priority ? -1 : 1;
  return x->number - y->number;
}

static int seen[EVENTS];
static size_t seen_count;

static void note_number(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  seen[seen_count++] = opp_msg_kind(msg);
  opp_msg_delete(msg);
}

SGF_TEST(events_run_by_time_then_priority_then_insertion)
{
  static scheduled_t plan[EVENTS];
  opp_sim_t* sim         = opp_sim_new(1);
  opp_module_t* probe    = probe_new(sim, NULL, "probe");
  opp_rng_t* rng         = opp_rng(probe, 0);
  probe_of(probe)->react = note_number;
  seen_count             = 0;
  for (int i = 0; i < EVENTS; i++) {
    plan[i]        = (scheduled_t){opp_rng_intuniform(rng, 0, 40), (int)opp_rng_intuniform(rng, -2, 2), i};
    opp_msg_t* msg = opp_msg_new(probe, "event", i);
    if (plan[i].priority == 2)
      plan[i].priority = INT16_MAX; /* the ends of the range */
    if (plan[i].priority == -2)
      plan[i].priority = INT16_MIN;
    opp_msg_set_priority(msg, plan[i].priority);
    CU_ASSERT_EQUAL(opp_msg_priority(msg), plan[i].priority);
    opp_schedule_at(probe, plan[i].time, msg);
  }
  qsort(plan, EVENTS, sizeof *plan, by_time_priority_insertion);
  CU_ASSERT_EQUAL(opp_sim_run(sim, OPP_TIME_MAX), OPP_RUN_IDLE);
  CU_ASSERT_EQUAL_FATAL(seen_count, EVENTS);
  CU_ASSERT_EQUAL(opp_sim_event_count(sim), EVENTS);
  for (size_t i = 0; i < EVENTS; i++)
    CU_ASSERT_EQUAL_FATAL(seen[i], plan[i].number);
  opp_sim_free(sim);
}

SGF_TEST(a_run_stops_at_its_limit_and_goes_on_from_there)
{
  opp_sim_t* sim      = opp_sim_new(1);
  opp_module_t* probe = probe_new(sim, NULL, "probe");
  opp_schedule_at(probe, 100, opp_msg_new(probe, "first", 1));
  opp_schedule_at(probe, 300, opp_msg_new(probe, "second", 2));
  CU_ASSERT_EQUAL(opp_sim_next_event_time(sim), 100);
  CU_ASSERT_EQUAL(opp_sim_run(sim, 99), OPP_RUN_LIMIT);
  CU_ASSERT_EQUAL(probe_of(probe)->count, 0);
  CU_ASSERT_EQUAL(opp_sim_clock(sim), 99);
  CU_ASSERT_EQUAL(opp_sim_run(sim, 100), OPP_RUN_LIMIT);
  CU_ASSERT_EQUAL(probe_of(probe)->count, 1);
  CU_ASSERT_EQUAL(opp_sim_run(sim, 200), OPP_RUN_LIMIT);
  opp_schedule_at(probe, 200, opp_msg_new(probe, "now", 3)); /* the clock is at the limit, not past it */
  CU_ASSERT_EQUAL(opp_sim_run(sim, 400), OPP_RUN_IDLE);
  CU_ASSERT_EQUAL(opp_sim_clock(sim), 400);
  ASSERT_ARRIVAL(probe, 0, 100, 1);
  ASSERT_ARRIVAL(probe, 1, 200, 3);
  ASSERT_ARRIVAL(probe, 2, 300, 2);
  CU_ASSERT_EQUAL(opp_sim_next_event_time(sim), OPP_TIME_MAX);
  CU_ASSERT_EQUAL(opp_sim_run(sim, OPP_TIME_MAX), OPP_RUN_IDLE);
  CU_ASSERT_EQUAL(opp_sim_clock(sim), 400);
  opp_sim_free(sim);
}
