/* Properties of the shared buffer over RUNS random switches with a random sequence of packets each: what is charged is
 * released, the counters agree with each other and stay within their bounds, three conditions keep a lossless class
 * from any loss (spec/switch.md 10.6), a pause ends or is reported, and a second, naive buffer says the same after
 * every call. All in one pass, of which each test looks at its part. */
#include "shared_buffer_model_support.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

enum { RUNS = 10000, UET_CLASSES = 3, SMALLEST = 46 };

/* What has happened in all runs. A property that nothing has put to the test holds for no reason. */
typedef struct coverage {
  unsigned arrivals[SGF_SB_DROP_POOL_PAUSE + 1];
  unsigned queueings[SGF_SB_DROP_EGRESS_POOL + 1];
  unsigned trims[SGF_SB_DROP_EGRESS_POOL + 1];
  unsigned retransmissions_above_normal; /* queued above the normal limit */
  unsigned resumes;
  unsigned resumes_by_lossy;
  unsigned stuck; /* ports that O-11 has left paused at the end of a run */
  unsigned safe_pauses;
  unsigned safe_headroom_full; /* a safe class that has used its headroom to the last packet */
  unsigned samples;
  unsigned uet_runs;
  unsigned trimming_runs;
  unsigned dynamic_runs;
  unsigned share_runs;
  unsigned cap_runs;
} coverage_t;

/* What a failure is about. */
typedef enum property { AGREEMENT, CONSERVATION, BOUNDS, NO_LOSS, RESUMED, PROPERTIES } property_t;

typedef struct run {
  unsigned number;
  uint64_t random;
  sgf_shared_buffer_config_t config;
  unsigned ports;
  bool uplink[MODEL_PORTS];
  int64_t largest; /* packet, bytes */
  sgf_shared_buffer_t* sb;
  model_t model;
  bool per_port_samples;
  bool obedient;                                /* who is paused sends what fits into the headroom, and no more */
  int64_t in_flight[MODEL_PORTS][SGF_SB_POOLS]; /* sent since the pause */
  bool safe[SGF_SB_CLASSES];                    /* meets the conditions of 10.6 */
  coverage_t* seen;
} run_t;

static unsigned failures[PROPERTIES];

/* The first failure of a property is printed. */
static void expect(const run_t* run, property_t property, bool holds, const char* what)
{
  if (!holds && failures[property]++ == 0)
    printf("\n  run %u: %s\n", run->number, what);
}

/* ---- Chance ------------------------------------------------------------------------------------------------------ */

/* xorshift64* */
static unsigned draw(run_t* run, unsigned below)
{
  run->random ^= run->random >> 12;
  run->random ^= run->random << 25;
  run->random ^= run->random >> 27;
  return (unsigned)(run->random * UINT64_C(0x2545F4914F6CDD1D) >> 32) % below;
}

static bool chance(run_t* run, unsigned one_in)
{
  return draw(run, one_in) == 0;
}

static int64_t draw_bytes(run_t* run, int64_t below)
{
  return below > 0 ? draw(run, (unsigned)below) : 0;
}

static int64_t draw_packet(run_t* run)
{
  return chance(run, 4) ? run->largest : sgf_sb_charge(draw_bytes(run, run->largest + 1));
}

/* ---- A random switch --------------------------------------------------------------------------------------------- */

static const sgf_decimal_t alphas[] = {{0, 1}, {0, 1}, {25, 100}, {5, 10}, {333, 1000}, {1, 1}, {2, 1}, {100, 1}};

/* One to four pools, to which classes belong at random, or each class but the last ones to a pool of its own. In one
 * run of four their shares do not sum to 1: the last one is smaller or, as far as S-05 lets it, larger than the rest.
 */
static void draw_pools(run_t* run, bool own_pools)
{
  unsigned pools[4];
  unsigned count = 1 + draw(run, 4);
  for (unsigned i = 0; i < count; i++)
    pools[i] = own_pools ? i : 2 * i + draw(run, 2);
  for (unsigned i = 0; i < SGF_SB_POOLS; i++)
    run->config.pool_share[i] = (sgf_decimal_t){0, 1};
  int64_t rest = 100;
  for (unsigned i = 0; i + 1 < count; i++) {
    int64_t share                    = 1 + draw_bytes(run, rest - (count - i));
    run->config.pool_share[pools[i]] = (sgf_decimal_t){share, 100};
    rest -= share;
  }
  if (chance(run, 4))
    rest = 1 + draw_bytes(run, 2 * rest < 100 ? 2 * rest : 100); /* excess of at most `rest` */
  run->config.pool_share[pools[count - 1]] = (sgf_decimal_t){rest, 100};
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++)
    run->config.pool_of_class[tc] = pools[own_pools ? (tc < count ? tc : count - 1) : draw(run, count)];
}

static void draw_classes(run_t* run)
{
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++)
    run->config.enable_pfc[tc] = chance(run, 8) ? 2 : draw(run, 2);
  run->config.uet_policy = chance(run, 3);
  run->config.trimming   = run->config.uet_policy && chance(run, 2);
  if (run->config.trimming)
    for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++)
      run->config.enable_pfc[tc] = 0;
}

/* A class alone in its pool, whose pool holds the pause points of all ports (10.6, conditions 2 and 3); its senders
 * keep condition 1. The conditions take Xon <= Xoff for granted: with a higher one (U-02) a port may be resumed, and
 * pause again, when it holds more than Xoff already, and its pause point is then above Xoff + a packet. */
static bool is_safe(const run_t* run, unsigned tc)
{
  const model_t* model = &run->model;
  unsigned sharing     = 0;
  for (unsigned other = 0; other < (run->config.uet_policy ? UET_CLASSES : SGF_SB_CLASSES); other++)
    sharing += model->pool_of[other] == model->pool_of[tc];
  return run->obedient && model->lossless[tc] && sharing == 1 && run->config.xon <= run->config.xoff &&
         model->size[model->pool_of[tc]] >= (int64_t)run->ports * (run->config.xoff + run->largest);
}

/* Thresholds at random, or such that the pool of a class holds the pause points of all ports, often exactly. */
static void draw_thresholds(run_t* run, bool roomy)
{
  run->config.xoff = draw_bytes(run, 12 * run->largest);
  if (roomy) {
    model_start(&run->model, &run->config, run->ports, run->uplink);
    int64_t most = run->model.size[run->model.pool_of[draw(run, 2)]] / run->ports - run->largest;
    if (most >= 0)
      run->config.xoff = chance(run, 2) ? most : draw_bytes(run, most + 1);
  }
  run->config.xon = draw_bytes(run, run->config.xoff + (chance(run, 4) ? run->largest : 1));
}

static void draw_sampling(run_t* run)
{
  if (chance(run, 2))
    return;
  run->per_port_samples = chance(run, 2);
  sgf_sb_sample(run->sb, run->uplink, run->per_port_samples);
  model_sample(&run->model);
}

static void draw_config(run_t* run)
{
  sgf_shared_buffer_config_t* config = &run->config;
  bool roomy                         = chance(run, 2);
  draw_pools(run, roomy);
  draw_classes(run);
  config->headroom_per_port = draw_bytes(run, 8 * run->largest);
  config->total_bytes =
      config->headroom_per_port * run->ports + draw_bytes(run, (chance(run, 2) ? 10 : 60) * run->largest);
  config->lossy_alpha                 = alphas[draw(run, sizeof alphas / sizeof *alphas)];
  config->queue_drop_threshold_enable = chance(run, 2);
  config->queue_drop_threshold        = draw(run, 6);
  config->plane_bdp                   = draw_bytes(run, (chance(run, 2) ? 2 : 6) * run->largest);
  config->resume_on_lossy_release     = chance(run, 4);
  draw_thresholds(run, roomy);
}

static void count_run(coverage_t* seen, const sgf_shared_buffer_config_t* config)
{
  bool fixed = config->lossy_alpha.digits == 0;
  seen->uet_runs += config->uet_policy;
  seen->trimming_runs += config->trimming;
  seen->dynamic_runs += !config->uet_policy && !fixed;
  seen->share_runs += !config->uet_policy && fixed && !config->queue_drop_threshold_enable;
  seen->cap_runs += !config->uet_policy && fixed && config->queue_drop_threshold_enable;
}

static void start(run_t* run, unsigned number, coverage_t* seen)
{
  memset(run, 0, sizeof *run);
  run->number   = number;
  run->random   = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
  run->seen     = seen;
  run->ports    = 1 + draw(run, MODEL_PORTS);
  run->largest  = SMALLEST + draw(run, 455);
  run->obedient = chance(run, 2);
  for (unsigned port = 0; port < run->ports; port++)
    run->uplink[port] = chance(run, 2);
  draw_config(run);
  sgf_error_t error = {0};
  run->sb           = sgf_sb_new(&run->config, run->ports, &error);
  expect(run, AGREEMENT, run->sb != NULL, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run->sb);
  model_start(&run->model, &run->config, run->ports, run->uplink);
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++)
    run->safe[tc] = is_safe(run, tc);
  draw_sampling(run);
  count_run(seen, &run->config);
}

/* ---- What must hold ---------------------------------------------------------------------------------------------- */

static void check_start_up(const run_t* run)
{
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
    expect(run, AGREEMENT, sgf_sb_pool_size(run->sb, pool) == run->model.size[pool], "pool size");
    expect(run, AGREEMENT, sgf_sb_static_limit(run->sb, pool) == run->model.static_limit[pool], "static limit");
  }
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++) {
    expect(run, AGREEMENT, sgf_sb_pool_of(run->sb, tc) == run->model.pool_of[tc], "pool of a class");
    expect(run, AGREEMENT, sgf_sb_lossless(run->sb, tc) == run->model.lossless[tc], "lossless class");
  }
}

/* Counters of a port and a pool. */
static void check_cell(const run_t* run, unsigned port, unsigned pool)
{
  int64_t occupancy = sgf_sb_occupancy(run->sb, port, pool);
  int64_t headroom  = sgf_sb_headroom(run->sb, port, pool);
  int64_t queue     = sgf_sb_egress_queue(run->sb, port, pool);
  expect(run, AGREEMENT, occupancy == model_occupancy(&run->model, port, pool), "occupancy");
  expect(run, AGREEMENT, headroom == run->model.headroom[port][pool], "headroom");
  expect(run, AGREEMENT, queue == model_egress_queue(&run->model, port, pool), "egress queue");
  expect(run, AGREEMENT, sgf_sb_paused(run->sb, port, pool) == run->model.paused[port][pool], "paused");
  expect(run, BOUNDS, occupancy >= 0 && occupancy <= sgf_sb_pool_size(run->sb, pool), "occupancy in its bounds");
  expect(run, BOUNDS, headroom >= 0 && headroom <= run->config.headroom_per_port, "headroom in its bounds");
  expect(run, BOUNDS, queue >= 0, "queue not negative");
}

/* Counters of a pool over all ports. */
static void check_pool(const run_t* run, unsigned pool)
{
  int64_t total = sgf_sb_pool_total(run->sb, pool);
  expect(run, AGREEMENT, total == model_pool_total(&run->model, pool), "ingress total");
  expect(run, AGREEMENT, sgf_sb_egress_total(run->sb, pool) == model_egress_total(&run->model, pool), "egress total");
  expect(run, BOUNDS, total >= 0 && total <= sgf_sb_pool_size(run->sb, pool), "ingress total in its bounds");
}

static void check_packet(const run_t* run, const model_packet_t* packet)
{
  const unsigned pools[] = {run->model.pool_of[packet->in_tc], run->model.pool_of[packet->tc]};
  check_cell(run, packet->in, pools[0]);
  check_cell(run, packet->out, pools[1]);
  check_pool(run, pools[0]);
  if (pools[1] != pools[0])
    check_pool(run, pools[1]);
  expect(run, AGREEMENT, sgf_sb_port_queued(run->sb, packet->out) == model_port_queued(&run->model, packet->out),
         "queued at a port");
  expect(run, AGREEMENT, sgf_sb_unresumed(run->sb) == run->model.unresumed, "pauses that O-11 keeps");
}

/* The sums of a pool are those of its ports, and hold the packets that are in the switch: each once on either side,
 * once all are queued. */
static void check_sums(const run_t* run)
{
  const sgf_shared_buffer_t* sb = run->sb;
  bool all_queued               = true;
  int64_t ingress_all = 0, egress_all = 0;
  for (unsigned i = 0; i < run->model.count; i++)
    all_queued = all_queued && run->model.packets[i].queued;
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
    int64_t occupancy = 0, headroom = 0, queues = 0, inside = 0;
    for (unsigned port = 0; port < run->ports; port++) {
      check_cell(run, port, pool);
      occupancy += sgf_sb_occupancy(sb, port, pool);
      headroom += sgf_sb_headroom(sb, port, pool);
      queues += sgf_sb_egress_queue(sb, port, pool);
    }
    for (unsigned i = 0; i < run->model.count; i++)
      inside += run->model.pool_of[run->model.packets[i].in_tc] == pool ? run->model.packets[i].charge : 0;
    check_pool(run, pool);
    expect(run, CONSERVATION, occupancy == sgf_sb_pool_total(sb, pool), "ingress total = occupancies");
    expect(run, CONSERVATION, queues == sgf_sb_egress_total(sb, pool), "egress total = queues");
    expect(run, CONSERVATION, inside == occupancy + headroom, "packets inside = occupancies + headroom");
    expect(run, CONSERVATION, !all_queued || run->config.trimming || queues == occupancy + headroom,
           "egress total = ingress total + headroom");
    ingress_all += occupancy + headroom;
    egress_all += queues;
  }
  expect(run, CONSERVATION, !all_queued || ingress_all == egress_all, "egress of all pools = ingress of all pools");
}

static bool are_equal(sgf_sb_samples_t a, sgf_sb_samples_t b)
{
  return a.count == b.count && a.min == b.min && a.max == b.max && a.sum == b.sum;
}

/* Take the samples of the interval and begin the next. */
static void check_samples(run_t* run)
{
  static const sgf_sb_sampled_t sums[]     = {SGF_SB_EGRESS_QUEUE, SGF_SB_INGRESS_USAGE, SGF_SB_SHARED_BUFFER};
  static const sgf_sb_sampled_t of_ports[] = {SGF_SB_EGRESS_QUEUE, SGF_SB_INGRESS_USAGE, SGF_SB_HEADROOM};
  if (!run->model.sampled)
    return;
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    for (unsigned i = 0; i < 3; i++) {
      for (int uplink = sums[i] == SGF_SB_SHARED_BUFFER; uplink < 2; uplink++) {
        sgf_sb_samples_t samples = sgf_sb_take_samples(run->sb, sums[i], uplink, pool);
        expect(run, AGREEMENT, are_equal(samples, model_samples(&run->model, sums[i], uplink, pool)), "samples");
        run->seen->samples += samples.count > 0;
      }
      for (unsigned port = 0; run->per_port_samples && port < run->ports; port++)
        expect(run, AGREEMENT,
               are_equal(sgf_sb_take_port_samples(run->sb, of_ports[i], port, pool),
                         model_port_samples(&run->model, of_ports[i], port, pool)),
               "samples of a port");
    }
  model_sample(&run->model);
}

/* ---- What happens ------------------------------------------------------------------------------------------------ */

/* Whether a sender that obeys pauses sends this packet. */
static bool is_sent(run_t* run, unsigned port, unsigned tc, int64_t charge)
{
  unsigned pool = run->model.pool_of[tc];
  if (!run->obedient || !run->model.lossless[tc] || !run->model.paused[port][pool])
    return true;
  if (run->in_flight[port][pool] + charge > run->config.headroom_per_port) {
    run->seen->safe_headroom_full += run->safe[tc];
    return false;
  }
  run->in_flight[port][pool] += charge;
  return true;
}

static void arrive(run_t* run)
{
  unsigned port  = chance(run, 3) ? 0 : draw(run, run->ports); /* port 0 is busy */
  unsigned tc    = chance(run, 3) ? 0 : draw(run, run->config.uet_policy ? UET_CLASSES : SGF_SB_CLASSES);
  int64_t charge = draw_packet(run);
  if (!is_sent(run, port, tc, charge))
    return;
  sgf_sb_arrival_t arrival = sgf_sb_arrive(run->sb, port, tc, charge);
  expect(run, AGREEMENT, arrival == model_arrive(&run->model, port, tc, charge), "fate on arrival");
  run->seen->arrivals[arrival]++;
  bool pauses = arrival == SGF_SB_TO_POOL_PAUSE || arrival == SGF_SB_DROP_POOL_PAUSE;
  if (pauses)
    run->in_flight[port][run->model.pool_of[tc]] = 0;
  if (run->safe[tc]) {
    run->seen->safe_pauses += pauses;
    expect(run, NO_LOSS, arrival <= SGF_SB_TO_HEADROOM, "a class that meets the three conditions lost a packet");
  }
  check_packet(run, &(model_packet_t){.in = port, .in_tc = tc, .out = port, .tc = tc});
}

/* A packet leaves, by the end of its serialisation or without a place in a queue. */
static void leave(run_t* run, unsigned index)
{
  model_packet_t packet = run->model.packets[index];
  bool resumed = packet.queued ? sgf_sb_depart(run->sb, packet.in, packet.in_tc, packet.out, packet.tc, packet.charge)
                               : sgf_sb_discard(run->sb, packet.in, packet.in_tc, packet.charge);
  expect(run, AGREEMENT, resumed == model_depart(&run->model, index), "resume");
  run->seen->resumes += resumed;
  run->seen->resumes_by_lossy += resumed && !run->model.lossless[packet.in_tc];
  check_packet(run, &packet);
}

static void trim(run_t* run, unsigned index, unsigned out)
{
  model_packet_t packet     = run->model.packets[index];
  int64_t new_charge        = chance(run, 2) ? SMALLEST : SMALLEST + draw_bytes(run, packet.charge - SMALLEST + 1);
  sgf_sb_queueing_t verdict = sgf_sb_trim(run->sb, packet.in, packet.in_tc, out, 1, packet.charge, new_charge);
  expect(run, AGREEMENT, verdict == model_trim(&run->model, index, out, 1, new_charge), "fate of a trimmed packet");
  run->seen->trims[verdict]++;
  packet.out = out;
  packet.tc  = 1;
  check_packet(run, &packet);
}

static void queue(run_t* run, unsigned index)
{
  model_packet_t packet     = run->model.packets[index];
  unsigned out              = chance(run, 3) ? run->ports - 1 : draw(run, run->ports);
  sgf_sb_limit_t limit      = chance(run, 4) ? SGF_SB_LIMIT_RETRANSMISSION : SGF_SB_LIMIT_NORMAL;
  int64_t normal            = sgf_sb_queue_limit(run->sb, run->model.pool_of[packet.tc]);
  sgf_sb_queueing_t verdict = sgf_sb_queue(run->sb, out, packet.tc, packet.charge, limit);
  expect(run, AGREEMENT, verdict == model_queue(&run->model, index, out, limit), "fate at egress");
  run->seen->queueings[verdict]++;
  packet.out = out;
  check_packet(run, &packet);
  if (verdict == SGF_SB_QUEUED)
    run->seen->retransmissions_above_normal +=
        !run->model.lossless[packet.tc] && run->config.uet_policy &&
        sgf_sb_egress_queue(run->sb, out, run->model.pool_of[packet.tc]) > normal;
  else if (run->config.trimming && packet.tc == 0 && !chance(run, 4))
    trim(run, index, out);
  else
    leave(run, index);
}

/* One event. While the switch fills, few packets leave. */
static void step(run_t* run, bool filling)
{
  if (run->model.count == 0 || draw(run, 10) < (filling ? 6 : 2)) {
    arrive(run);
    return;
  }
  unsigned index = draw(run, run->model.count);
  if (!run->model.packets[index].queued && !chance(run, 30))
    queue(run, index);
  else if (!filling || chance(run, 4))
    leave(run, index);
}

/* All packets have left. A port that is still paused is one that O-11 has been reported for, and one more lossless
 * packet is enough to resume it. */
static void check_end(run_t* run)
{
  char what[128] = "";
  expect(run, CONSERVATION, sgf_sb_empty(run->sb, what, sizeof what), what);
  for (unsigned port = 0; port < run->ports; port++)
    for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
      if (!sgf_sb_paused(run->sb, port, pool))
        continue;
      run->seen->stuck++;
      expect(run, RESUMED, run->model.left_paused[port][pool] && sgf_sb_unresumed(run->sb) > 0,
             "a port is left paused, and O-11 is not the reason");
      unsigned tc = 0;
      while (!(sgf_sb_group(run->sb, pool) >> tc & 1))
        tc++;
      if (sgf_sb_arrive(run->sb, port, tc, SMALLEST) == SGF_SB_TO_HEADROOM)
        expect(run, RESUMED, sgf_sb_discard(run->sb, port, tc, SMALLEST), "one more packet does not resume");
    }
}

static void perform(run_t* run)
{
  check_start_up(run);
  unsigned steps = 60 + draw(run, 180);
  for (unsigned i = 0; i < steps; i++) {
    step(run, i % 80 < 50);
    if (i % 32 == 0)
      check_sums(run);
    if (chance(run, 64))
      check_samples(run);
  }
  for (unsigned i = run->model.count; i-- > 0;) /* what waits for a route finds one, or none */
    if (!run->model.packets[i].queued)
      queue(run, i);
  check_sums(run);
  while (run->model.count > 0)
    leave(run, draw(run, run->model.count));
  check_sums(run);
  check_samples(run);
  check_end(run);
}

/* All runs, once for all tests. */
static const coverage_t* all_runs(void)
{
  static coverage_t seen;
  static run_t run;
  if (seen.uet_runs > 0)
    return &seen;
  for (unsigned number = 0; number < RUNS; number++) {
    start(&run, number, &seen);
    perform(&run);
    sgf_sb_free(run.sb);
  }
  return &seen;
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

SGF_TEST(a_naive_reading_of_the_specification_agrees_after_every_call)
{
  const coverage_t* seen = all_runs();
  CU_ASSERT_EQUAL(failures[AGREEMENT], 0);
  CU_ASSERT(seen->dynamic_runs > 0 && seen->share_runs > 0 && seen->cap_runs > 0);
  CU_ASSERT(seen->uet_runs > seen->trimming_runs && seen->trimming_runs > 0);
  for (unsigned i = 0; i < sizeof seen->arrivals / sizeof *seen->arrivals; i++)
    CU_ASSERT(seen->arrivals[i] > 1000);
  for (unsigned i = SGF_SB_QUEUED; i <= SGF_SB_DROP_QUEUE_LIMIT; i++)
    CU_ASSERT(seen->queueings[i] > 1000 && seen->trims[i] > 1000);
  /* rare: the egress side of a pool fills beyond its ingress side out of headroom, and with trimmed packets alone */
  CU_ASSERT(seen->queueings[SGF_SB_DROP_EGRESS_POOL] > 100 && seen->trims[SGF_SB_DROP_EGRESS_POOL] > 10);
  CU_ASSERT(seen->retransmissions_above_normal > 1000);
  CU_ASSERT(seen->resumes > 1000 && seen->resumes_by_lossy > 100);
  CU_ASSERT(seen->samples > 1000);
}

SGF_TEST(all_that_is_charged_is_released_and_the_sums_agree)
{
  all_runs();
  CU_ASSERT_EQUAL(failures[CONSERVATION], 0);
}

SGF_TEST(no_counter_is_negative_or_above_its_bound)
{
  all_runs();
  CU_ASSERT_EQUAL(failures[BOUNDS], 0);
}

SGF_TEST(SW_40_to_SW_44_a_class_that_meets_the_three_conditions_never_drops)
{
  const coverage_t* seen = all_runs();
  CU_ASSERT_EQUAL(failures[NO_LOSS], 0);
  CU_ASSERT(seen->safe_pauses > 1000 && seen->safe_headroom_full > 1000);
}

SGF_TEST(O_11_a_paused_port_is_resumed_or_reported)
{
  const coverage_t* seen = all_runs();
  CU_ASSERT_EQUAL(failures[RESUMED], 0);
  CU_ASSERT(seen->stuck > 100);
}
