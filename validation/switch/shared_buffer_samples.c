/* What the shared buffer samples for the records of its fill: spec/records.md 5 and 6, R-09. */
#include "shared_buffer_support.h"

#include "harness.h"

enum { PORTS = 4 };

/* Ports 0 and 2 are uplinks. */
static sgf_shared_buffer_t* start_sampling(bool per_port)
{
  static const bool uplink[PORTS] = {true, false, true, false};
  sgf_shared_buffer_t* sb =
      sb_start(PORTS, SB_SETTINGS("StaticPoolXoffThreshold", "10KB", "StaticPoolXonThreshold", "4KB"));
  sgf_sb_sample(sb, uplink, per_port);
  return sb;
}

static bool samples_are(sgf_sb_samples_t samples, uint64_t count, int64_t min, int64_t max, int64_t sum)
{
  return samples.count == count && samples.min == min && samples.max == max && samples.sum == sum;
}

static bool has_none(sgf_sb_samples_t samples)
{
  return samples_are(samples, 0, 0, 0, 0);
}

/* A packet of class 2 arrives on 0 and another on 2; both go to port 1 and leave. */
SGF_TEST(R_09_a_sample_at_every_charge_and_release_sums_the_ports_of_a_direction)
{
  sgf_shared_buffer_t* sb = start_sampling(false);
  sgf_sb_arrive(sb, 0, 2, 1000);
  sgf_sb_arrive(sb, 2, 2, 500);
  sgf_sb_queue(sb, 1, 2, 1000, SGF_SB_LIMIT_NORMAL);
  sgf_sb_queue(sb, 1, 2, 500, SGF_SB_LIMIT_NORMAL);
  sgf_sb_depart(sb, 0, 2, 1, 2, 1000);
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0), 3, 500, 1500, 1000 + 1500 + 500));
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_EGRESS_QUEUE, false, 0), 3, 500, 1500, 1000 + 1500 + 500));
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_SHARED_BUFFER, false, 0), 3, 500, 1500, 1000 + 1500 + 500));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, false, 0)));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_EGRESS_QUEUE, true, 0)));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 1)));
  sgf_sb_free(sb);
}

SGF_TEST(R_09_an_interval_begins_where_the_last_one_was_taken)
{
  sgf_shared_buffer_t* sb = start_sampling(false);
  sgf_sb_arrive(sb, 0, 2, 1000);
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0), 1, 1000, 1000, 1000));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0)));
  sgf_sb_arrive(sb, 0, 2, 200); /* on top of what was there */
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0), 1, 1200, 1200, 1200));
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_SHARED_BUFFER, true, 0), 2, 1000, 1200, 2200));
  sgf_sb_free(sb);
}

/* The sums of a direction without headroom; headroom by port alone. Departures out of headroom do not touch the pool.
 */
SGF_TEST(R_09_headroom_is_sampled_by_port_and_in_no_sum)
{
  sgf_shared_buffer_t* sb = start_sampling(true);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, 10001), SGF_SB_TO_POOL_PAUSE);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, 300), SGF_SB_TO_HEADROOM);
  CU_ASSERT_FALSE(sgf_sb_discard(sb, 0, 0, 100)); /* all out of headroom */
  CU_ASSERT_FALSE(sgf_sb_discard(sb, 0, 0, 201)); /* 200 out of headroom, 1 out of the pool */
  CU_ASSERT(samples_are(sgf_sb_take_port_samples(sb, SGF_SB_HEADROOM, 0, 0), 3, 0, 300, 300 + 200 + 0));
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0), 2, 10000, 10001, 20001));
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_SHARED_BUFFER, true, 0), 2, 10000, 10001, 20001));
  CU_ASSERT(samples_are(sgf_sb_take_port_samples(sb, SGF_SB_INGRESS_USAGE, 0, 0), 2, 10000, 10001, 20001));
  CU_ASSERT(has_none(sgf_sb_take_port_samples(sb, SGF_SB_HEADROOM, 0, 0)));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_HEADROOM, true, 0)));
  CU_ASSERT(has_none(sgf_sb_take_port_samples(sb, SGF_SB_SHARED_BUFFER, 0, 0)));
  sgf_sb_free(sb);
}

SGF_TEST(R_09_ports_of_a_direction_are_told_apart)
{
  sgf_shared_buffer_t* sb = start_sampling(true);
  CU_ASSERT(sb_forward(sb, 0, 1, 2));
  CU_ASSERT(sb_forward(sb, 2, 3, 2));
  CU_ASSERT(sb_forward(sb, 2, 3, 2));
  CU_ASSERT(samples_are(sgf_sb_take_port_samples(sb, SGF_SB_EGRESS_QUEUE, 1, 0), 1, 4000, 4000, 4000));
  CU_ASSERT(samples_are(sgf_sb_take_port_samples(sb, SGF_SB_EGRESS_QUEUE, 3, 0), 2, 4000, 8000, 12000));
  CU_ASSERT(samples_are(sgf_sb_take_port_samples(sb, SGF_SB_INGRESS_USAGE, 2, 0), 2, 4000, 8000, 12000));
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_EGRESS_QUEUE, false, 0), 3, 4000, 12000, 24000));
  CU_ASSERT(has_none(sgf_sb_take_port_samples(sb, SGF_SB_EGRESS_QUEUE, 0, 0)));
  sgf_sb_free(sb);
}

/* It never was in the buffer. At egress a refused packet is charged to nothing; its ingress charge ends with a sample.
 */
SGF_TEST(R_09_a_packet_that_is_dropped_on_arrival_is_no_sample)
{
  sgf_shared_buffer_t* sb = start_sampling(false);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 2, sgf_sb_pool_size(sb, 0) + 1), SGF_SB_DROP_POOL);
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0)));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_SHARED_BUFFER, true, 0)));
  sgf_sb_free(sb);

  sb = sb_start(PORTS, SB_SETTINGS(SB_FIXED_CAP, "PlaneBDP", "1KB"));
  sgf_sb_sample(sb, (const bool[PORTS]){true, true, true, true}, false);
  CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 2, 5001), SGF_SB_TO_POOL);
  CU_ASSERT_EQUAL(sb_queue(sb, 0, 1, 2, 5001), SGF_SB_DROP_QUEUE_LIMIT);
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0), 2, 0, 5001, 5001));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_EGRESS_QUEUE, true, 0)));
  sgf_sb_free(sb);
}

SGF_TEST(R_09_sampling_that_begins_late_knows_what_is_there)
{
  sgf_shared_buffer_t* sb = sb_d128();
  bool uplink[128]        = {true};
  CU_ASSERT(sb_forward_all(sb, 0, 1, 2, 10));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0))); /* off */
  CU_ASSERT(has_none(sgf_sb_take_port_samples(sb, SGF_SB_INGRESS_USAGE, 0, 0)));
  sgf_sb_sample(sb, uplink, false);
  uplink[0] = false; /* the directions were copied */
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 2, 1), 0);
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0), 1, 36000, 36000, 36000));
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_EGRESS_QUEUE, false, 0), 1, 36000, 36000, 36000));
  CU_ASSERT(has_none(sgf_sb_take_port_samples(sb, SGF_SB_INGRESS_USAGE, 0, 0))); /* not by port */
  sgf_sb_sample(sb, uplink, true);
  CU_ASSERT_EQUAL(sb_depart(sb, 0, 1, 2, 1), 0);
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, false, 0), 1, 32000, 32000, 32000));
  CU_ASSERT(samples_are(sgf_sb_take_port_samples(sb, SGF_SB_INGRESS_USAGE, 0, 0), 1, 32000, 32000, 32000));
  sgf_sb_free(sb);
}

/* A trimmed packet: its charge shrinks in pool 0 of its ingress port, and it queues in pool 1. */
SGF_TEST(R_09_a_trimmed_packet_is_sampled_in_both_its_pools)
{
  sgf_shared_buffer_config_t config = sb_configure(SB_SETTINGS("EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  config.uet_policy                 = true;
  config.trimming                   = true;
  config.plane_bdp                  = 46;
  sgf_shared_buffer_t* sb           = sgf_sb_new(&config, PORTS, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sb);
  sgf_sb_sample(sb, (const bool[PORTS]){true, false, true, false}, false);
  for (unsigned i = 0; i < 2; i++) { /* the queue of trimmed packets takes one, the second is released altogether */
    CU_ASSERT_EQUAL(sgf_sb_arrive(sb, 0, 0, 1000), SGF_SB_TO_POOL);
    CU_ASSERT_EQUAL(sgf_sb_queue(sb, 1, 0, 1000, SGF_SB_LIMIT_NORMAL), SGF_SB_DROP_QUEUE_LIMIT);
    CU_ASSERT_EQUAL(sgf_sb_trim(sb, 0, 0, 1, 1, 1000, 46), i == 0 ? SGF_SB_QUEUED : SGF_SB_DROP_QUEUE_LIMIT);
  }
  CU_ASSERT(
      samples_are(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 0), 5, 46, 1046, 1000 + 46 + 1046 + 92 + 46));
  CU_ASSERT(samples_are(sgf_sb_take_samples(sb, SGF_SB_EGRESS_QUEUE, false, 1), 1, 46, 46, 46));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_EGRESS_QUEUE, false, 0)));
  CU_ASSERT(has_none(sgf_sb_take_samples(sb, SGF_SB_INGRESS_USAGE, true, 1)));
  sgf_sb_free(sb);
}
