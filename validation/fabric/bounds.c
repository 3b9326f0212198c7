/* A bound is never late: random traffic, the engine advanced event by event, the bound read after each. The seat reads
 * it far less often; a bound that is late at any event would reach its waiter late some day. */
#include "harness.h"

#include "fabric_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPS = 60, RUNS = 12 };

typedef struct random {
  uint64_t state;
} random_t;

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t draw(random_t* random, uint64_t below)
{
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z          = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z          = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (z ^ z >> 31) % below;
}

typedef struct traffic {
  fabric_rig_t rig;
  random_t random;
  opp_simtime_t bound; /* the latest that was read, moved nearer by posts since: it holds whatever is read later */
  uint64_t completions;
  uint64_t late;      /* completions before the bound */
  uint64_t exact;     /* at it */
  sgf_op_t* unposted; /* a message that is awaited already; NULL: none */
  bool paced;         /* some operations have rates of their own */
} traffic_t;

static fabric_rig_t some_rig(random_t* random, uint64_t seed)
{
  static const char* const kinds[][10] = {
      {NULL},
      {"pcie", "gen3 x1", NULL},
      {"pcie", "gen7 x16", "nic.RdmaDataMSS", "700", NULL},
      {"pcie", "gen3 x4", "nic.IngressBufferManager.TotalBufferSize", "50KB", NULL},
      {"switch.StaticPoolXoffThreshold", "20KB", "switch.StaticPoolXonThreshold", "10KB", NULL},
      {"nic.NicPCIeInterface/PhysicalLayer/LaneBps", "8Gbps", "nic.IngressBufferManager.TotalBufferSize", "60KB",
       "nic.PFCEnableVector", "[1, 1, 0, 0, 0, 0, 0, 0]", "switch.StaticPoolXonThreshold", "30KB", NULL},
  };
  static const opp_simtime_t delays[] = {0, 100 * OPP_NS, 3 * OPP_US};
  const char* const* settings         = kinds[draw(random, sizeof kinds / sizeof *kinds)];
  if (draw(random, 3) == 0)
    return rig_leaf_spine(2, 3, 2, 1, seed, settings);
  return rig_star(3 + (unsigned)draw(random, 4), delays[draw(random, 3)], seed, settings);
}

/* A message is posted at once, or awaited first and posted the next time. */
static sgf_op_t* some_message(traffic_t* traffic, unsigned src, unsigned dst, uint64_t bytes)
{
  fabric_rig_t* rig = &traffic->rig;
  sgf_op_t* op      = traffic->unposted != NULL ? traffic->unposted : sgf_op_message(rig->fabric);
  if (traffic->unposted == NULL && draw(&traffic->random, 2) == 0) {
    traffic->unposted = op;
    return op;
  }
  traffic->unposted = NULL;
  CU_ASSERT_EQUAL(sgf_op_post(op, rig->hosts[src], rig->hosts[dst], bytes, sgf_engine_clock(rig->fabric), 0, NULL),
                  SGF_OK);
  return op;
}

/* A rate for what can have one still: from one that takes longer than patience lasts to one that hardly slows. */
static void limit(traffic_t* traffic, sgf_op_t* op)
{
  static const int64_t rates[] = {100000, 10000000, GBPS, 70 * GBPS + 1, 399 * GBPS};
  if (traffic->paced && draw(&traffic->random, 2) == 0)
    sgf_op_set_rate(op, rates[draw(&traffic->random, 5)], NULL);
}

/* Post or await something; the bound may come nearer. */
static void do_something(traffic_t* traffic)
{
  static const uint64_t sizes[] = {0, 1, 4096, 9000, 300000};
  random_t* random              = &traffic->random;
  fabric_rig_t* rig             = &traffic->rig;
  const opp_simtime_t now       = sgf_engine_clock(rig->fabric);
  const unsigned src            = (unsigned)draw(random, rig->host_count);
  const unsigned dst            = (unsigned)draw(random, rig->host_count);
  const uint64_t tag            = draw(random, 2);
  sgf_op_t* op;
  const uint64_t kind = draw(random, 4);
  if (kind == 0)
    op = sgf_op_recv(rig->fabric, rig->hosts[dst], tag, now, 0);
  else if (kind == 1)
    op = some_message(traffic, src, dst, sizes[draw(random, 5)]);
  else
    op = rig_write(rig, src, dst, sizes[draw(random, 5)], tag, now);
  limit(traffic, op);
  sgf_op_set_awaited(op, draw(random, 3) > 0);
  if (!sgf_op_done(op))
    traffic->bound = sgf_engine_bound_with(rig->fabric, op, traffic->bound);
}

static void read_bound(traffic_t* traffic)
{
  const opp_simtime_t bound = sgf_engine_bound(traffic->rig.fabric);
  if (bound <= sgf_engine_clock(traffic->rig.fabric))
    CU_FAIL("a bound is after the clock");
  if (bound > traffic->bound || traffic->bound == OPP_TIME_MAX)
    traffic->bound = bound;
}

static void take_completions(traffic_t* traffic)
{
  const opp_simtime_t now = sgf_engine_clock(traffic->rig.fabric);
  for (sgf_op_t* op; (op = sgf_engine_completed(traffic->rig.fabric)) != NULL;) {
    traffic->completions++;
    CU_ASSERT_EQUAL(sgf_op_end(op), now);
    if (now < traffic->bound)
      traffic->late++;
    if (now == traffic->bound)
      traffic->exact++;
  }
}

/* Everything up to the next event, and all that happens at its instant. */
static void step(traffic_t* traffic)
{
  sgf_fabric_t* fabric    = traffic->rig.fabric;
  const opp_simtime_t now = sgf_engine_clock(fabric);
  opp_simtime_t next      = sgf_engine_next_event(fabric);
  if (next <= now) /* posts that are held at this instant */
    next = now + 1;
  while (sgf_engine_advance(fabric, next) == SGF_ENGINE_COMPLETION)
    take_completions(traffic);
}

/* The bound is read after each event, or only when it is reached, as the seat does. */
static traffic_t run(uint64_t seed, bool after_each, bool paced)
{
  traffic_t traffic = {.random = {seed}, .bound = OPP_TIME_MAX, .paced = paced};
  traffic.rig       = some_rig(&traffic.random, seed);
  for (int posted = 0; posted < OPS || sgf_engine_next_event(traffic.rig.fabric) != OPP_TIME_MAX;) {
    if (posted < OPS && (draw(&traffic.random, 40) == 0 || sgf_engine_next_event(traffic.rig.fabric) == OPP_TIME_MAX)) {
      do_something(&traffic);
      posted++;
    }
    if (sgf_engine_next_event(traffic.rig.fabric) == OPP_TIME_MAX)
      continue;
    step(&traffic);
    if (after_each || sgf_engine_clock(traffic.rig.fabric) >= traffic.bound)
      read_bound(&traffic);
  }
  CU_ASSERT_EQUAL(sgf_fabric_check_end(traffic.rig.fabric, NULL, NULL, NULL), SGF_OK);
  rig_free(&traffic.rig);
  return traffic;
}

static void never_late(bool after_each, bool paced)
{
  uint64_t completions = 0, exact = 0;
  for (uint64_t seed = 1; seed <= RUNS; seed++) {
    const traffic_t traffic = run(seed, after_each, paced);
    if (traffic.late > 0)
      fprintf(stderr, "\n  seed %llu: %llu of %llu completions came before their bound\n", (unsigned long long)seed,
              (unsigned long long)traffic.late, (unsigned long long)traffic.completions);
    CU_ASSERT_EQUAL(traffic.late, 0);
    completions += traffic.completions;
    exact += traffic.exact;
  }
  CU_ASSERT(completions > RUNS * OPS / 4);
  CU_ASSERT(exact > completions / 2);
}

SGF_TEST(no_operation_completes_before_a_bound_that_is_read_after_each_event)
{
  never_late(true, false);
  never_late(true, true);
}

SGF_TEST(no_operation_completes_before_a_bound_that_is_read_when_it_is_reached)
{
  never_late(false, false);
  never_late(false, true);
}

/* ---- A receive that is awaited late ------------------------------------------------------------------------------ */

/* Post and await a receive after so many events, then read the bound after each further one. False: the message was
 * there before. */
static bool receive_after(unsigned events, uint64_t bytes, opp_simtime_t delay, const char* const* settings)
{
  traffic_t traffic = {.bound = OPP_TIME_MAX};
  traffic.rig       = rig_star(4, delay, 1, settings);
  rig_write(&traffic.rig, 0, 1, bytes, 1, 0);
  rig_write(&traffic.rig, 2, 3, 100000, 1, 0); /* keeps the engine busy */
  for (unsigned i = 0; i < events; i++)
    step(&traffic);
  sgf_op_t* receive = sgf_op_recv(traffic.rig.fabric, traffic.rig.hosts[1], 1, sgf_engine_clock(traffic.rig.fabric), 0);
  const bool is_waiting = !sgf_op_done(receive);
  sgf_op_set_awaited(receive, true);
  while (!sgf_op_done(receive)) {
    read_bound(&traffic);
    step(&traffic);
  }
  CU_ASSERT_EQUAL(traffic.late, 0);
  rig_free(&traffic.rig);
  return is_waiting;
}

SGF_TEST(a_receive_may_be_awaited_when_its_message_is_on_the_last_cable)
{
  for (unsigned events = 0; receive_after(events, 2 * 4096, 5 * OPP_US, SETTINGS("pcie", "gen7 x16")); events++)
    CU_ASSERT_FATAL(events < 10000);
}

SGF_TEST(frames_of_a_sender_may_be_longer_than_the_receivers_own)
{
  for (unsigned events = 0;
       receive_after(events, 2 * 9000, 300 * OPP_NS,
                     SETTINGS("pcie", "gen7 x16", "nic.RdmaDataMSS", "256", "h0:nic.RdmaDataMSS", "9000"));
       events++)
    CU_ASSERT_FATAL(events < 10000);
}

/* ---- What the bound is for --------------------------------------------------------------------------------------- */

SGF_TEST(a_long_write_needs_few_looks)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* op     = rig_write(&rig, 0, 1, 10000000, 0, 0);
  sgf_op_set_awaited(op, true);
  unsigned looks = 0;
  while (!sgf_op_done(op)) {
    const opp_simtime_t bound = sgf_engine_bound(rig.fabric);
    CU_ASSERT(bound > sgf_engine_clock(rig.fabric));
    sgf_engine_advance(rig.fabric, bound);
    CU_ASSERT_FALSE(sgf_op_done(op) && sgf_op_end(op) != bound);
    looks++;
  }
  CU_ASSERT(looks < 20);
  CU_ASSERT(sgf_fabric_event_count(rig.fabric) > 10000);
  rig_free(&rig);
}

SGF_TEST(what_nobody_awaits_or_nobody_sends_has_no_bound)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX);
  rig_write(&rig, 0, 1, 10000, 1, 0);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX);
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[1], 2, 0, 0);
  sgf_op_set_awaited(receive, true);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX); /* another tag */
  sgf_op_t* second          = rig_write(&rig, 0, 1, 10000, 2, 0);
  const opp_simtime_t bound = sgf_engine_bound_with(rig.fabric, second, OPP_TIME_MAX);
  CU_ASSERT(bound < OPP_TIME_MAX);
  CU_ASSERT_EQUAL(bound, sgf_engine_bound(rig.fabric));
  rig_free(&rig);
}

SGF_TEST(a_receive_is_bounded_while_pcie_delivers_what_is_acknowledged)
{
  fabric_rig_t rig  = rig_star(2, 100 * OPP_NS, 1, SETTINGS("nic.NicPCIeInterface/PhysicalLayer/LaneBps", "1Gbps"));
  sgf_op_t* write   = rig_write(&rig, 0, 1, 4 * 4096, 1, 0);
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[1], 1, 0, 0);
  sgf_op_set_awaited(receive, true);
  while (!sgf_op_done(write))
    step(&(traffic_t){.rig = rig});
  CU_ASSERT_FALSE(sgf_op_done(receive));
  CU_ASSERT(sgf_engine_bound(rig.fabric) < OPP_TIME_MAX);
  rig_free(&rig);
}
