/* Random traffic that no bound is late for: see bounds.h. */
#include "support/bounds.h"

#include "harness.h"

#include <stdio.h>

/* splitmix64 (Steele, Lea, Flood 2014) */
uint64_t bound_draw(bound_traffic_t* traffic, uint64_t below)
{
  uint64_t z = traffic->random += UINT64_C(0x9e3779b97f4a7c15);
  z          = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z          = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (z ^ z >> 31) % below;
}

void bound_set(sgf_device_t* device, const char* prefix, const char* name, const char* value)
{
  CU_ASSERT_EQUAL_FATAL(sgf_device_set(device, prefix, name, value, NULL), SGF_OK);
}

/* ---- Posts ------------------------------------------------------------------------------------------------------- */

static sgf_device_t* some_host(bound_traffic_t* traffic)
{
  return sgf_fabric_host(traffic->fabric, bound_draw(traffic, sgf_fabric_host_count(traffic->fabric)));
}

static uint64_t some_bytes(bound_traffic_t* traffic)
{
  static const uint64_t sizes[] = {0, 1, 4096, 9000, 300000};
  return sizes[bound_draw(traffic, sizeof sizes / sizeof *sizes)];
}

/* A message is posted at once, or, where the kind says so, awaited first and posted the next time. */
static sgf_op_t* some_message(bound_traffic_t* traffic, sgf_device_t* src, sgf_device_t* dst, opp_simtime_t now)
{
  const uint64_t bytes = some_bytes(traffic);
  sgf_op_t* op         = traffic->unposted != NULL ? traffic->unposted : sgf_op_message(traffic->fabric);
  if (traffic->kind->awaits_messages_unposted && traffic->unposted == NULL && bound_draw(traffic, 2) == 0) {
    traffic->unposted = op;
    return op;
  }
  traffic->unposted = NULL;
  CU_ASSERT_EQUAL(sgf_op_post(op, src, dst, bytes, now, 0, NULL), SGF_OK);
  return op;
}

/* Post or await something; the bound may come nearer. */
static void do_something(bound_traffic_t* traffic)
{
  const opp_simtime_t now = sgf_engine_clock(traffic->fabric);
  sgf_device_t* src       = some_host(traffic);
  sgf_device_t* dst       = some_host(traffic);
  const uint64_t tag      = bound_draw(traffic, 2);
  const uint64_t kind     = bound_draw(traffic, 4);
  sgf_op_t* op;
  if (kind == 0)
    op = sgf_op_recv(traffic->fabric, dst, tag, now, 0);
  else if (kind == 1)
    op = some_message(traffic, src, dst, now);
  else
    op = sgf_op_write(traffic->fabric, src, dst, some_bytes(traffic), tag, now, 0, NULL);
  if (traffic->kind->vary != NULL)
    traffic->kind->vary(traffic, op, kind > 0);
  sgf_op_set_awaited(op, bound_draw(traffic, 3) > 0);
  if (!sgf_op_done(op))
    traffic->bound = sgf_engine_bound_with(traffic->fabric, op, traffic->bound);
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

static void take_completions(bound_traffic_t* traffic)
{
  const opp_simtime_t now = sgf_engine_clock(traffic->fabric);
  for (sgf_op_t* op; (op = sgf_engine_completed(traffic->fabric)) != NULL;) {
    CU_ASSERT_EQUAL(sgf_op_end(op), now);
    traffic->completions++;
    traffic->late += now < traffic->bound;
    traffic->exact += now == traffic->bound;
  }
}

void bound_step(bound_traffic_t* traffic)
{
  const opp_simtime_t now = sgf_engine_clock(traffic->fabric);
  opp_simtime_t next      = sgf_engine_next_event(traffic->fabric);
  if (next <= now) /* posts that are held at this instant */
    next = now + 1;
  while (sgf_engine_advance(traffic->fabric, next) == SGF_ENGINE_COMPLETION)
    take_completions(traffic);
}

void bound_read(bound_traffic_t* traffic)
{
  const opp_simtime_t bound = sgf_engine_bound(traffic->fabric);
  if (bound <= sgf_engine_clock(traffic->fabric))
    CU_FAIL("a bound is after the clock");
  if (bound > traffic->bound || traffic->bound == OPP_TIME_MAX)
    traffic->bound = bound;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static bool is_idle(const bound_traffic_t* traffic)
{
  return sgf_engine_next_event(traffic->fabric) == OPP_TIME_MAX;
}

static void run(bound_traffic_t* traffic, bool after_each)
{
  const bound_kind_t* kind = traffic->kind;
  for (unsigned posted = 0; posted < kind->operations || !is_idle(traffic);) {
    if (posted < kind->operations && (bound_draw(traffic, kind->events) == 0 || is_idle(traffic))) {
      do_something(traffic);
      posted++;
    }
    if (is_idle(traffic))
      continue;
    bound_step(traffic);
    if (after_each || sgf_engine_clock(traffic->fabric) >= traffic->bound)
      bound_read(traffic);
  }
  CU_ASSERT_EQUAL(sgf_fabric_check_end(traffic->fabric, NULL, NULL, NULL), SGF_OK);
}

bound_totals_t bound_never_late(const bound_kind_t* kind, bool after_each)
{
  bound_totals_t totals = {0};
  for (uint64_t seed = 1; seed <= kind->runs; seed++) {
    bound_traffic_t traffic = {.kind = kind, .random = seed, .bound = OPP_TIME_MAX};
    traffic.fabric          = kind->build(&traffic, seed);
    run(&traffic, after_each);
    if (kind->end != NULL)
      kind->end(&traffic);
    if (traffic.late > 0)
      fprintf(stderr, "\n  seed %llu: %llu of %llu completions came before their bound\n", (unsigned long long)seed,
              (unsigned long long)traffic.late, (unsigned long long)traffic.completions);
    CU_ASSERT_EQUAL(traffic.late, 0);
    totals.completions += traffic.completions;
    totals.exact += traffic.exact;
    sgf_fabric_free(traffic.fabric);
  }
  return totals;
}
