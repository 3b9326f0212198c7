/* The shared buffer: its attributes, its refusals, and what must hold of its counters after every call. The worked
 * examples of spec/switch.md are in validation/switch. */
#include "harness.h"

#include <sgfabric/shared_buffer.h>

#include <string.h>

static const sgf_attr_section_t sections[] = {{&sgf_shared_buffer_attributes, 0}};
static const sgf_attr_set_t attributes     = {"switch", sections, 1, sizeof(sgf_shared_buffer_config_t)};

static sgf_shared_buffer_config_t defaults(void)
{
  sgf_shared_buffer_config_t config;
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&attributes, &config, NULL), SGF_OK);
  return config;
}

static sgf_shared_buffer_t* start(const sgf_shared_buffer_config_t* config, unsigned ports)
{
  sgf_shared_buffer_t* sb = sgf_sb_new(config, ports, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sb);
  return sb;
}

static sgf_sb_queueing_t queue_or_drop(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc, int64_t charge)
{
  sgf_sb_queueing_t verdict = sgf_sb_queue(sb, out, tc, charge, SGF_SB_LIMIT_NORMAL);
  if (verdict != SGF_SB_QUEUED)
    sgf_sb_discard(sb, in, tc, charge);
  return verdict;
}

/* One port, one pool of 1,000,000 B, TC0 lossless, all other classes lossy. */
static sgf_shared_buffer_config_t one_pool(void)
{
  sgf_shared_buffer_config_t config = defaults();
  config.total_bytes                = config.headroom_per_port + 1000000;
  config.pool_share[0]              = (sgf_decimal_t){1, 1};
  config.pool_share[1]              = (sgf_decimal_t){0, 1};
  config.pool_of_class[1]           = 0;
  config.enable_pfc[1]              = 0;
  return config;
}

/* -------------------------------------------------------------------------------------------------- attribute table */

SGF_TEST(defaults_of_the_attribute_table)
{
  sgf_shared_buffer_config_t config = defaults();
  CU_ASSERT_EQUAL(config.total_bytes, 256000000);
  CU_ASSERT_EQUAL(config.headroom_per_port, 256000);
  CU_ASSERT_EQUAL(config.xoff, 700000);
  CU_ASSERT_EQUAL(config.xon, 300000);
  CU_ASSERT_EQUAL(sgf_decimal_compare(config.lossy_alpha, (sgf_decimal_t){1, 1}), 0);
  CU_ASSERT_FALSE(config.queue_drop_threshold_enable);
  CU_ASSERT_EQUAL(config.queue_drop_threshold, 5);
  CU_ASSERT_EQUAL(config.plane_bdp, 300000);
  for (unsigned i = 0; i < 8; i++) {
    sgf_decimal_t share = {i == 0 ? 9 : i == 1 ? 1 : 0, 10};
    CU_ASSERT_EQUAL(sgf_decimal_compare(config.pool_share[i], share), 0);
    CU_ASSERT_EQUAL(config.pool_of_class[i], i == 1);
    CU_ASSERT_EQUAL(config.enable_pfc[i], i < 2);
  }
}

SGF_TEST(every_attribute_is_documented)
{
  static const char component[] = "SharedBufferManager/";
  for (size_t i = 0; i < sgf_shared_buffer_attributes.count; i++) {
    const sgf_attr_t* row = &sgf_shared_buffer_attributes.attrs[i];
    CU_ASSERT_EQUAL(strncmp(row->path, component, strlen(component)), 0);
    CU_ASSERT(strlen(row->help) > 0 && row->help[strlen(row->help) - 1] == '.');
    sgf_attr_ref_t found = {0};
    CU_ASSERT_EQUAL(sgf_attr_find(&attributes, row->path + strlen(component), &found, NULL), SGF_OK);
    CU_ASSERT_PTR_EQUAL(found.attr, row);
  }
}

SGF_TEST(values_out_of_bounds_are_refused)
{
  const struct {
    const char* name;
    const char* value;
    sgf_status_t status;
  } cases[] = {
      {"LossyAlpha", "-0.1", SGF_RANGE},
      {"LossyAlpha", "0", SGF_OK},
      {"PoolAllocationMap", "[1.1, 0, 0, 0, 0, 0, 0, 0]", SGF_RANGE},
      {"PoolAllocationMap", "[1.0, 0, 0, 0, 0, 0, 0, 0]", SGF_OK},
      {"TrafficClassPoolMapping", "[0, 8, 0, 0, 0, 0, 0, 0]", SGF_RANGE},
      {"TrafficClassPoolMapping", "[0, 7, 0, 0, 0, 0, 0, 0]", SGF_OK},
      {"EnablePFC", "[2, 1, 0, 0, 0, 0, 0, 0]", SGF_OK},
      {"PlaneBDP", "300", SGF_UNIT},
  };
  sgf_shared_buffer_config_t config = defaults();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    CU_ASSERT_EQUAL(sgf_attr_set_value(&attributes, &config, cases[i].name, cases[i].value, NULL), cases[i].status);
}

/* --------------------------------------------------------------------------------------------------------- start-up */

/* Start-up for 128 ports refuses the configuration with this status and names the attribute, also to a caller that
 * wants no error record. */
static bool refused(const sgf_shared_buffer_config_t* config, sgf_status_t status, const char* attribute)
{
  sgf_error_t error              = {0};
  sgf_shared_buffer_t* sb        = sgf_sb_new(config, 128, &error);
  sgf_shared_buffer_t* no_record = sgf_sb_new(config, 128, NULL);
  bool made                      = sb || no_record;
  sgf_sb_free(sb);
  sgf_sb_free(no_record);
  return !made && error.status == status && strstr(error.text, attribute);
}

SGF_TEST(fractions_outside_their_range_stop)
{
  const sgf_decimal_t wrong_shares[] = {{11, 10}, {-1, 10}, {1, 0}};
  for (size_t i = 0; i < sizeof wrong_shares / sizeof wrong_shares[0]; i++) {
    sgf_shared_buffer_config_t config = defaults();
    config.pool_share[1]              = wrong_shares[i];
    CU_ASSERT(refused(&config, SGF_RANGE, "PoolAllocationMap"));
  }
  sgf_shared_buffer_config_t config = defaults();
  config.lossy_alpha                = (sgf_decimal_t){-1, 10};
  CU_ASSERT(refused(&config, SGF_RANGE, "LossyAlpha"));
  CU_ASSERT(refused(&(sgf_shared_buffer_config_t){0}, SGF_RANGE, "PoolAllocationMap"));
}

SGF_TEST(sizes_outside_their_range_stop)
{
  sgf_shared_buffer_config_t config = defaults();
  config.total_bytes                = INT64_C(4294967296);
  CU_ASSERT(refused(&config, SGF_RANGE, "TotalSharedBufferSize"));
  config.total_bytes = INT64_C(4294967295);
  config.xon         = -1;
  CU_ASSERT(refused(&config, SGF_RANGE, "StaticPoolXonThreshold"));
}

SGF_TEST(class_in_no_pool_stops)
{
  sgf_shared_buffer_config_t config = defaults();
  config.pool_of_class[7]           = 2; /* its share is 0 */
  CU_ASSERT(refused(&config, SGF_RULE, "TrafficClassPoolMapping"));
  config.pool_of_class[7] = 8;
  CU_ASSERT(refused(&config, SGF_RANGE, "TrafficClassPoolMapping"));
  config.pool_of_class[7] = -1;
  CU_ASSERT(refused(&config, SGF_RANGE, "TrafficClassPoolMapping"));
}

SGF_TEST(headroom_of_very_many_ports_stops)
{
  sgf_shared_buffer_config_t config = defaults();
  sgf_error_t error                 = {0};
  CU_ASSERT_PTR_NULL(sgf_sb_new(&config, 1001, &error)); /* 1000 x 256 KB is the whole buffer */
  CU_ASSERT_EQUAL(error.status, SGF_RULE);
  sgf_sb_free(start(&config, 1000));
}

SGF_TEST(pfc_values_other_than_1_are_lossy)
{
  sgf_shared_buffer_config_t config = defaults();
  config.enable_pfc[0]              = 2;
  sgf_shared_buffer_t* sb           = start(&config, 4);
  CU_ASSERT_FALSE(sgf_sb_lossless(sb, 0));
  CU_ASSERT_EQUAL(sgf_sb_group(sb, 0), 0);
  sgf_sb_free(sb);
}

SGF_TEST(switch_without_ports_is_inert)
{
  sgf_shared_buffer_config_t config = defaults();
  config.lossy_alpha                = (sgf_decimal_t){0, 1}; /* asks for a share per port */
  sgf_shared_buffer_t* sb           = start(&config, 0);
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(sb), 0);
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(sb), config.total_bytes);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0) + sgf_sb_pool_size(sb, 1), config.total_bytes);
  CU_ASSERT_EQUAL(sgf_sb_static_limit(sb, 0), 0);
  CU_ASSERT(sgf_sb_empty(sb, NULL, 0));
  sgf_sb_free(sb);
  sgf_sb_free(NULL);
}

SGF_TEST(pool_of_size_0_drops_every_packet)
{
  sgf_shared_buffer_config_t config = defaults();
  config.total_bytes                = 4 * config.headroom_per_port;
  sgf_shared_buffer_t* sb           = start(&config, 4);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sb, 0), 0);
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++)
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, tc, 46), SGF_SB_DROP_POOL);
  sgf_sb_free(sb);
}

SGF_TEST(fixed_cap_beyond_63_bits_limits_nothing)
{
  sgf_shared_buffer_config_t config  = defaults();
  config.lossy_alpha                 = (sgf_decimal_t){0, 1};
  config.queue_drop_threshold_enable = true;
  config.queue_drop_threshold        = UINT64_MAX;
  sgf_shared_buffer_t* sb            = start(&config, 4);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), INT64_MAX);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 2, 4000), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(queue_or_drop(sb, 0, 1, 2, 4000), SGF_SB_QUEUED);
  sgf_sb_free(sb);

  config.plane_bdp = 0;
  sb               = start(&config, 4);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), 0);
  sgf_sb_free(sb);
}

/* --------------------------------------------------------------------------------------------------------- run time */

SGF_TEST(dynamic_limit_is_compared_exactly)
{
  const struct {
    sgf_decimal_t alpha;
    int64_t limit; /* rounded down */
    bool takes_46;
  } cases[] = {
      {{46000001, INT64_C(1000000000000)}, 46, true},
      {{46, 1000000}, 46, true},
      {{45999999, INT64_C(1000000000000)}, 45, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sgf_shared_buffer_config_t config = one_pool();
    config.lossy_alpha                = cases[i].alpha;
    sgf_shared_buffer_t* sb           = start(&config, 1);
    CU_ASSERT_EQUAL(sgf_sb_queue_limit(sb, 0), cases[i].limit);
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, 47), SGF_SB_TO_POOL);
    CU_ASSERT_EQUAL(queue_or_drop(sb, 0, 0, 1, 47), SGF_SB_DROP_QUEUE_LIMIT);
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, 46), SGF_SB_TO_POOL);
    CU_ASSERT_EQUAL(queue_or_drop(sb, 0, 0, 1, 46), cases[i].takes_46 ? SGF_SB_QUEUED : SGF_SB_DROP_QUEUE_LIMIT);
    sgf_sb_free(sb);
  }
}

/* Without a route a packet is released on the ingress side alone, headroom first, and the resume test runs. */
SGF_TEST(discard_releases_like_a_departure)
{
  sgf_shared_buffer_config_t config = one_pool();
  sgf_shared_buffer_t* sb           = start(&config, 1);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, config.xon), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, config.xoff), SGF_SB_TO_POOL_PAUSE);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, 1000), SGF_SB_TO_HEADROOM);
  CU_ASSERT_FALSE(sgf_sb_discard(sb, 0, 0, 1000));
  CU_ASSERT_EQUAL(sgf_sb_headroom(sb, 0, 0), 0);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(sb, 0, 0), config.xon + config.xoff);
  CU_ASSERT(sgf_sb_discard(sb, 0, 0, config.xoff));
  CU_ASSERT_FALSE(sgf_sb_paused(sb, 0, 0));
  CU_ASSERT_EQUAL(sgf_sb_egress_total(sb, 0), 0);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, 500), SGF_SB_TO_POOL);
  CU_ASSERT_FALSE(sgf_sb_discard(sb, 0, 1, 500));
  CU_ASSERT_FALSE(sgf_sb_discard(sb, 0, 0, config.xon));
  CU_ASSERT(sgf_sb_empty(sb, NULL, 0));
  sgf_sb_free(sb);
}

SGF_TEST(peaks_stay_after_the_release)
{
  sgf_shared_buffer_config_t config = one_pool();
  sgf_shared_buffer_t* sb           = start(&config, 2);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, 300), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 1, 1, 400), SGF_SB_TO_POOL);
  sgf_sb_discard(sb, 0, 1, 300);
  sgf_sb_discard(sb, 1, 1, 400);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, 200), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, sgf_sb_pool_size(sb, 0)), SGF_SB_DROP_POOL);
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sb, 0, 0), 300);
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sb, 1, 0), 400);
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(sb, 0), 700);
  sgf_sb_free(sb);
}

SGF_TEST(the_longest_queue_is_one_of_one_port)
{
  sgf_shared_buffer_config_t config = one_pool();
  sgf_shared_buffer_t* sb           = start(&config, 3);
  for (unsigned in = 0; in < 2; in++) {
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, in, 1, 300), SGF_SB_TO_POOL);
    CU_ASSERT_EQUAL(sgf_sb_queue(sb, 2, 1, 300, SGF_SB_LIMIT_NORMAL), SGF_SB_QUEUED);
  }
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, 500), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_queue(sb, 1, 1, 500, SGF_SB_LIMIT_NORMAL), SGF_SB_QUEUED);
  sgf_sb_depart(sb, 0, 1, 2, 1, 300);
  sgf_sb_depart(sb, 1, 1, 2, 1, 300);
  sgf_sb_depart(sb, 0, 1, 1, 1, 500);
  CU_ASSERT_EQUAL(sgf_sb_queue_peak(sb, 0), 600);
  CU_ASSERT_EQUAL(sgf_sb_queue_peak(sb, 1), 0);
  sgf_sb_free(sb);
}

SGF_TEST(empty_names_what_was_not_released)
{
  sgf_shared_buffer_config_t config = defaults();
  sgf_shared_buffer_t* sb           = start(&config, 4);
  char what[128]                    = "";
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 3, 1, 4000), SGF_SB_TO_POOL);
  CU_ASSERT_FALSE(sgf_sb_empty(sb, what, sizeof what));
  CU_ASSERT_STRING_EQUAL(what, "occupancy of port 3, pool 1: 4000 B not released");
  CU_ASSERT_EQUAL(queue_or_drop(sb, 3, 2, 1, 4000), SGF_SB_QUEUED);
  CU_ASSERT_FALSE(sgf_sb_empty(sb, what, sizeof what));
  CU_ASSERT_STRING_EQUAL(what, "egress queue of port 2, pool 1: 4000 B not released");
  CU_ASSERT_FALSE(sgf_sb_empty(sb, NULL, 0));
  sgf_sb_depart(sb, 3, 1, 2, 1, 4000);
  CU_ASSERT(sgf_sb_empty(sb, what, sizeof what));
  sgf_sb_free(sb);
}

SGF_TEST(paused_port_without_bytes_is_empty)
{
  sgf_shared_buffer_config_t config = one_pool();
  sgf_shared_buffer_t* sb           = start(&config, 1);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 1, config.xoff), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, sgf_sb_pool_size(sb, 0)), SGF_SB_DROP_POOL_PAUSE);
  CU_ASSERT_FALSE(sgf_sb_discard(sb, 0, 1, config.xoff));
  CU_ASSERT(sgf_sb_paused(sb, 0, 0)); /* O-11 */
  CU_ASSERT(sgf_sb_empty(sb, NULL, 0));
  sgf_sb_free(sb);
}

/* ----------------------------------------------------------------------------------------- invariants of a long run */

enum { PORTS = 4, LIVE = 4096, STEPS = 200000 };

typedef struct packet {
  unsigned in, out, tc;
  int64_t charge;
  bool queued;
} packet_t;

/* A run with the packets it has inside the switch. */
typedef struct run {
  sgf_shared_buffer_config_t config;
  sgf_shared_buffer_t* sb;
  uint64_t random;
  packet_t live[LIVE];
  unsigned count;
  int64_t live_bytes[SGF_SB_POOLS];
  int64_t queued_bytes[SGF_SB_POOLS];
  unsigned arrivals[SGF_SB_DROP_POOL_PAUSE + 1];
  unsigned queueings[SGF_SB_DROP_EGRESS_POOL + 1];
  unsigned resumes;
  bool sound;
} run_t;

/* xorshift64: a fixed sequence */
static unsigned draw(run_t* run, unsigned below)
{
  run->random ^= run->random << 13;
  run->random ^= run->random >> 7;
  run->random ^= run->random << 17;
  return (unsigned)(run->random >> 32) % below;
}

static void expect(run_t* run, bool condition)
{
  run->sound = run->sound && condition;
}

/* What must hold of one pool at any time. */
static void check_pool(run_t* run, unsigned pool)
{
  const sgf_shared_buffer_t* sb = run->sb;
  int64_t occupancy = 0, headroom = 0, egress = 0;
  for (unsigned port = 0; port < PORTS; port++) {
    int64_t here = sgf_sb_occupancy(sb, port, pool);
    int64_t over = sgf_sb_headroom(sb, port, pool);
    expect(run, here >= 0 && here <= sgf_sb_occupancy_peak(sb, port, pool));
    expect(run, over >= 0 && over <= sgf_sb_headroom_peak(sb, port, pool));
    expect(run, sgf_sb_headroom_peak(sb, port, pool) <= run->config.headroom_per_port);
    expect(run, over == 0 || sgf_sb_paused(sb, port, pool));
    expect(run, sgf_sb_egress_queue(sb, port, pool) >= 0);
    occupancy += here;
    headroom += over;
    egress += sgf_sb_egress_queue(sb, port, pool);
  }
  expect(run, sgf_sb_pool_total(sb, pool) == occupancy);
  expect(run, sgf_sb_pool_peak(sb, pool) >= occupancy && sgf_sb_pool_peak(sb, pool) <= sgf_sb_pool_size(sb, pool));
  expect(run, sgf_sb_egress_total(sb, pool) == egress);
  expect(run, run->live_bytes[pool] == occupancy + headroom);
  expect(run, run->queued_bytes[pool] == egress);
}

static void arrive(run_t* run)
{
  packet_t packet = {.in     = draw(run, 3) ? draw(run, PORTS) : 0, /* port 0 is busy */
                     .out    = draw(run, PORTS),
                     .tc     = draw(run, SGF_SB_CLASSES),
                     .charge = sgf_sb_charge(draw(run, 4200))};
  unsigned pool   = sgf_sb_pool_of(run->sb, packet.tc);
  bool was_paused = sgf_sb_paused(run->sb, packet.in, pool);

  sgf_sb_arrival_t arrival = sgf_sb_arrive(run->sb, packet.in, packet.tc, packet.charge);
  run->arrivals[arrival]++;
  bool asks_pause = arrival == SGF_SB_TO_POOL_PAUSE || arrival == SGF_SB_DROP_POOL_PAUSE;
  expect(run, sgf_sb_paused(run->sb, packet.in, pool) == (was_paused || asks_pause));
  expect(run, !asks_pause || (!was_paused && sgf_sb_lossless(run->sb, packet.tc)));
  if (arrival <= SGF_SB_TO_HEADROOM) {
    run->live[run->count++] = packet;
    run->live_bytes[pool] += packet.charge;
  }
}

static void forget(run_t* run, unsigned index)
{
  const packet_t* packet = &run->live[index];
  unsigned pool          = sgf_sb_pool_of(run->sb, packet->tc);
  run->live_bytes[pool] -= packet->charge;
  run->queued_bytes[pool] -= packet->queued ? packet->charge : 0;
  run->live[index] = run->live[--run->count];
}

static void queue(run_t* run, unsigned index)
{
  packet_t* packet          = &run->live[index];
  unsigned pool             = sgf_sb_pool_of(run->sb, packet->tc);
  int64_t limit             = sgf_sb_queue_limit(run->sb, pool);
  int64_t wanted            = sgf_sb_egress_queue(run->sb, packet->out, pool) + packet->charge;
  sgf_sb_queueing_t verdict = queue_or_drop(run->sb, packet->in, packet->out, packet->tc, packet->charge);
  run->queueings[verdict]++;
  expect(run, limit >= 0);
  packet->queued = verdict == SGF_SB_QUEUED;
  if (packet->queued) {
    run->queued_bytes[pool] += packet->charge;
    expect(run, sgf_sb_lossless(run->sb, packet->tc) ||
                    (wanted <= limit && sgf_sb_egress_total(run->sb, pool) <= sgf_sb_pool_size(run->sb, pool)));
  } else {
    expect(run, !sgf_sb_lossless(run->sb, packet->tc));
    expect(run, (wanted > limit) == (verdict == SGF_SB_DROP_QUEUE_LIMIT));
    forget(run, index);
  }
}

static void release(run_t* run, unsigned index)
{
  packet_t packet = run->live[index];
  unsigned pool   = sgf_sb_pool_of(run->sb, packet.tc);
  bool was_paused = sgf_sb_paused(run->sb, packet.in, pool);
  bool resumed    = packet.queued ? sgf_sb_depart(run->sb, packet.in, packet.tc, packet.out, packet.tc, packet.charge)
                                  : sgf_sb_discard(run->sb, packet.in, packet.tc, packet.charge);
  forget(run, index);
  run->resumes += resumed;
  bool may_resume = sgf_sb_lossless(run->sb, packet.tc) && was_paused &&
                    sgf_sb_headroom(run->sb, packet.in, pool) == 0 &&
                    sgf_sb_occupancy(run->sb, packet.in, pool) <= run->config.xon;
  expect(run, resumed == may_resume);
  expect(run, sgf_sb_paused(run->sb, packet.in, pool) == (was_paused && !resumed));
}

/* One event. While the switch fills, few of the queued packets depart. */
static void step(run_t* run, bool filling)
{
  if (run->count == 0 || (run->count < LIVE && draw(run, 10) < (filling ? 7 : 2))) {
    arrive(run);
    return;
  }
  unsigned index = draw(run, run->count);
  bool routed    = draw(run, 20);
  if (!run->live[index].queued && routed)
    queue(run, index);
  else if (!filling || draw(run, 16) == 0)
    release(run, index);
}

/* A small switch in which every limit is met: TC0 shares pool 0 with lossy classes, TC1 is alone in a pool too small
 * for all ports to pause, TC3 and TC4 are lossy in pool 5. */
static void prepare(run_t* run, sgf_decimal_t alpha)
{
  *run                          = (run_t){0};
  run->config                   = defaults();
  run->config.headroom_per_port = 30000;
  run->config.total_bytes       = PORTS * 30000 + 500000;
  run->config.xoff              = 40000;
  run->config.xon               = 20000;
  run->config.lossy_alpha       = alpha;
  run->config.pool_share[0]     = (sgf_decimal_t){5, 10};
  run->config.pool_share[1]     = (sgf_decimal_t){2, 10};
  run->config.pool_share[5]     = (sgf_decimal_t){3, 10};
  run->config.pool_of_class[3]  = 5;
  run->config.pool_of_class[4]  = 5;
  run->sb                       = start(&run->config, PORTS);
  run->random                   = UINT64_C(0x9E3779B97F4A7C15);
  run->sound                    = true;
}

/* STEPS random steps, in which the switch fills and drains by turns, then the release of all that is left. */
static void perform(run_t* run)
{
  for (unsigned i = 0; i < STEPS; i++) {
    step(run, i / 2000 % 2 == 0);
    for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
      check_pool(run, pool);
  }
  while (run->count > 0)
    release(run, draw(run, run->count));
}

SGF_TEST(counters_agree_through_a_long_run)
{
  static run_t run;
  const sgf_decimal_t alphas[] = {{5, 10}, {1000, 1}}; /* the queue limit binds, or the egress side of the pool */
  for (unsigned binding = SGF_SB_DROP_QUEUE_LIMIT; binding <= SGF_SB_DROP_EGRESS_POOL; binding++) {
    prepare(&run, alphas[binding - SGF_SB_DROP_QUEUE_LIMIT]);
    perform(&run);
    CU_ASSERT(run.sound);
    char what[128] = "";
    CU_ASSERT(sgf_sb_empty(run.sb, what, sizeof what));
    CU_ASSERT_STRING_EQUAL(what, "");
    for (unsigned arrival = 0; arrival <= SGF_SB_DROP_POOL_PAUSE; arrival++)
      CU_ASSERT(run.arrivals[arrival] > 0);
    CU_ASSERT(run.queueings[SGF_SB_QUEUED] > 0 && run.queueings[binding] > 0 && run.resumes > 0);
    sgf_sb_free(run.sb);
  }
}
