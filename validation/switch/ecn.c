/* The ECN marker of spec/switch.md 7, call by call (10.9, SW-103, SW-104). */
#include "switch/ecn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "switch/switch.h"

/* D128: 128 connected ports, every attribute at its default. */
typedef struct rig {
  switch_block_t config;
  sgf_shared_buffer_t* buffer;
  switch_ecn_t* ecn;
  opp_sim_t* sim;
  opp_module_t* module;
} rig_t;

static void rebuild(rig_t* rig)
{
  sgf_error_t error = {0};
  sgf_sb_free(rig->buffer);
  switch_ecn_free(rig->ecn);
  rig->buffer = sgf_sb_new(&rig->config.buffer, 128, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(rig->buffer);
  rig->ecn = switch_ecn_new(&rig->config.ecn, rig->buffer, 128, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(rig->ecn);
}

static rig_t rig_new(void)
{
  sgf_error_t error = {0};
  rig_t rig         = {.sim = opp_sim_new(1)};
  rig.module        = opp_module_new(rig.sim, NULL, "switch", -1, NULL);
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&switch_attributes, &rig.config, &error), SGF_OK);
  rebuild(&rig);
  return rig;
}

static void rig_free(rig_t* rig)
{
  sgf_sb_free(rig->buffer);
  switch_ecn_free(rig->ecn);
  opp_sim_free(rig->sim);
}

/* Bring the average of (0, 0) to a value, to the rounding of a double: the same queue for long. */
static void settle(rig_t* rig, int64_t average)
{
  for (int i = 0; i < 1000; i++)
    switch_ecn_admitted(rig->ecn, 0, 0, average);
}

static bool marks(rig_t* rig)
{
  return switch_ecn_marks(rig->ecn, 0, 0, opp_rng(rig->module, 0));
}

static bool near(double a, double b)
{
  return fabs(a - b) <= 1e-9 * fabs(b); /* the average approaches its value as 0.9^n does; 1,000 steps leave rounding */
}

SGF_TEST(SW_52_averages_400_1160_2244)
{
  rig_t rig = rig_new();
  switch_ecn_admitted(rig.ecn, 0, 0, 4000);
  CU_ASSERT_DOUBLE_EQUAL(switch_ecn_average(rig.ecn, 0, 0), 400.0, 1e-9);
  switch_ecn_admitted(rig.ecn, 0, 0, 8000);
  CU_ASSERT_DOUBLE_EQUAL(switch_ecn_average(rig.ecn, 0, 0), 1160.0, 1e-9);
  switch_ecn_admitted(rig.ecn, 0, 0, 12000);
  CU_ASSERT_DOUBLE_EQUAL(switch_ecn_average(rig.ecn, 0, 0), 2244.0, 1e-9);
  CU_ASSERT_EQUAL(switch_ecn_average(rig.ecn, 0, 1), 0.0); /* other queues have averages of their own */
  CU_ASSERT_EQUAL(switch_ecn_average(rig.ecn, 1, 0), 0.0);
  rig_free(&rig);
}

SGF_TEST(SW_53_probabilities_in_the_band)
{
  rig_t rig = rig_new();
  settle(&rig, 100454400);
  CU_ASSERT(near(switch_ecn_probability(rig.ecn, 0, 0), 0.5));
  rig.config.ecn.max_probability = (sgf_decimal_t){1, 10};
  rebuild(&rig);
  settle(&rig, 100454400);
  CU_ASSERT(near(switch_ecn_probability(rig.ecn, 0, 0), 0.05));
  settle(&rig, 160727041); /* one byte above, since an average only approaches its value */
  CU_ASSERT_EQUAL(switch_ecn_probability(rig.ecn, 0, 0), 1.0);
  settle(&rig, 40181759);
  CU_ASSERT_EQUAL(switch_ecn_probability(rig.ecn, 0, 0), 0.0);
  rig_free(&rig);
}

/* With weight 1 the average is the queue itself, so that the edges of the band are met to the byte. */
SGF_TEST(SW_53_edges_of_the_band)
{
  rig_t rig             = rig_new();
  rig.config.ecn.weight = (sgf_decimal_t){1, 1};
  rebuild(&rig);
  switch_ecn_admitted(rig.ecn, 0, 0, 160727040);
  CU_ASSERT_EQUAL(switch_ecn_probability(rig.ecn, 0, 0), 1.0);
  CU_ASSERT(marks(&rig));
  switch_ecn_admitted(rig.ecn, 0, 0, 40181760);
  CU_ASSERT_EQUAL(switch_ecn_probability(rig.ecn, 0, 0), 0.0);
  switch_ecn_admitted(rig.ecn, 0, 0, 40181759);
  CU_ASSERT_FALSE(marks(&rig));
  rig_free(&rig);
}

SGF_TEST(half_of_the_packets_are_marked_in_the_middle_of_the_band)
{
  rig_t rig = rig_new();
  settle(&rig, 100454400);
  const int draws = 100000;
  int marked      = 0;
  for (int i = 0; i < draws; i++)
    marked += marks(&rig);
  CU_ASSERT(abs(marked - draws / 2) < 5 * 158); /* five standard deviations of a fair coin: sqrt(100,000) / 2 = 158 */
  rig_free(&rig);
}

SGF_TEST(O_14_no_draw_outside_the_band)
{
  rig_t rig = rig_new();
  CU_ASSERT_FALSE(marks(&rig)); /* below */
  settle(&rig, 200000000);
  CU_ASSERT(marks(&rig)); /* above */
  rig_t fresh = rig_new();
  CU_ASSERT_EQUAL(opp_rng_uint64(opp_rng(rig.module, 0)), opp_rng_uint64(opp_rng(fresh.module, 0)));
  rig_free(&rig);
  rig_free(&fresh);
}

SGF_TEST(O_29_lower_above_upper_is_refused)
{
  rig_t rig                    = rig_new();
  sgf_error_t error            = {0};
  rig.config.ecn.min_threshold = (sgf_decimal_t){9, 10};
  CU_ASSERT_PTR_NULL(switch_ecn_new(&rig.config.ecn, rig.buffer, 128, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "EcnHandler.MinThreshold"));
  rig.config.ecn.min_threshold = rig.config.ecn.max_threshold; /* equal: the first two rows of 7.3 decide */
  rebuild(&rig);
  rig_free(&rig);
}

SGF_TEST(SW_104_a_lossless_class_is_marked_by_the_fixed_cap)
{
  rig_t rig                                     = rig_new();
  rig.config.buffer.lossy_alpha                 = (sgf_decimal_t){0, 1};
  rig.config.buffer.queue_drop_threshold_enable = true;
  rig.config.ecn.weight                         = (sgf_decimal_t){1, 1};
  rebuild(&rig);
  switch_ecn_admitted(rig.ecn, 0, 0, 1200000);
  CU_ASSERT(marks(&rig));
  switch_ecn_admitted(rig.ecn, 0, 0, 299999);
  CU_ASSERT_FALSE(marks(&rig));
  rig_free(&rig);
}
