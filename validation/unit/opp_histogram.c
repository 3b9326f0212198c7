/* Statistics of values, and the bins of histograms. */
#include <math.h>
#include <stdio.h>

#include "unit/opp_probe.h"

static opp_sim_t* sim;

static opp_histogram_t* histogram_new(bool has_bins)
{
  sim                  = opp_sim_new(1);
  opp_module_t* module = probe_new(sim, NULL, "source");
  return has_bins ? opp_histogram_new(module, "values", NULL) : opp_stddev_new(module, "values", NULL);
}

/* What bins promise: of one width, increasing, no more than there may be, and each value in the one that holds it. */
static void check_bins(opp_histogram_t* histogram, const double* values, size_t count)
{
  const size_t bins = opp_histogram_bins(histogram);
  uint64_t in_bins  = 0;
  CU_ASSERT(bins > 0 && bins <= OPP_HISTOGRAM_BINS);
  const double width = opp_histogram_edge(histogram, 1) - opp_histogram_edge(histogram, 0);
  for (size_t i = 0; i < bins; i++) {
    const double low  = opp_histogram_edge(histogram, i);
    const double high = opp_histogram_edge(histogram, i + 1);
    uint64_t expected = 0;
    for (size_t n = 0; n < count; n++)
      expected += values[n] >= low && values[n] < high;
    CU_ASSERT_EQUAL(opp_histogram_bin(histogram, i), expected);
    CU_ASSERT(fabs(high - low - width) <= 1e-9 * width);
    in_bins += opp_histogram_bin(histogram, i);
  }
  CU_ASSERT_EQUAL(in_bins, count);
  CU_ASSERT(opp_histogram_edge(histogram, 0) <= opp_histogram_min(histogram));
  CU_ASSERT(opp_histogram_edge(histogram, bins) > opp_histogram_max(histogram));
}

static opp_histogram_t* collected(const double* values, size_t count)
{
  opp_histogram_t* histogram = histogram_new(true);
  for (size_t i = 0; i < count; i++)
    opp_histogram_collect(histogram, values[i]);
  return histogram;
}

SGF_TEST(statistics_of_a_few_values)
{
  static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9}; /* sum 40, squares 232, squared differences 32 */
  opp_histogram_t* histogram   = histogram_new(false);
  for (size_t i = 0; i < 8; i++)
    opp_histogram_collect(histogram, values[i]);
  CU_ASSERT_EQUAL(opp_histogram_count(histogram), 8);
  CU_ASSERT_EQUAL(opp_histogram_mean(histogram), 5.0);
  CU_ASSERT_DOUBLE_EQUAL(opp_histogram_stddev(histogram), sqrt(32.0 / 7.0), 1e-12);
  CU_ASSERT_EQUAL(opp_histogram_min(histogram), 2.0);
  CU_ASSERT_EQUAL(opp_histogram_max(histogram), 9.0);
  CU_ASSERT_EQUAL(opp_histogram_sum(histogram), 40.0);
  CU_ASSERT_EQUAL(opp_histogram_sqrsum(histogram), 232.0);
  CU_ASSERT_EQUAL(opp_histogram_bins(histogram), 0);
  opp_sim_free(sim);
}

SGF_TEST(statistics_of_nothing_and_of_one_value)
{
  opp_histogram_t* histogram = histogram_new(true);
  CU_ASSERT_EQUAL(opp_histogram_count(histogram), 0);
  CU_ASSERT(isnan(opp_histogram_mean(histogram)));
  CU_ASSERT(isnan(opp_histogram_stddev(histogram)));
  CU_ASSERT(isnan(opp_histogram_min(histogram)));
  CU_ASSERT(isnan(opp_histogram_max(histogram)));
  CU_ASSERT_EQUAL(opp_histogram_sum(histogram), 0.0);
  CU_ASSERT_EQUAL(opp_histogram_bins(histogram), 0);
  const double value = -3.5;
  opp_histogram_collect(histogram, value);
  CU_ASSERT_EQUAL(opp_histogram_mean(histogram), -3.5);
  CU_ASSERT(isnan(opp_histogram_stddev(histogram)));
  check_bins(histogram, &value, 1);
  opp_sim_free(sim);
}

/* The naive sum of squares would say 0 or worse. */
SGF_TEST(the_deviation_of_large_values_is_kept)
{
  opp_histogram_t* histogram = histogram_new(false);
  for (int i = 0; i < 1000; i++)
    opp_histogram_collect(histogram, 1e12 + (i % 2));
  CU_ASSERT_DOUBLE_EQUAL(opp_histogram_stddev(histogram), sqrt(250.0 / 999.0), 1e-6);
  opp_sim_free(sim);
}

SGF_TEST(bins_fit_whatever_comes)
{
  enum { MANY = 3000 };
  static double values[MANY];
  for (int kind = 0; kind < 8; kind++) {
    opp_sim_t* source = opp_sim_new((uint64_t)kind + 1);
    opp_rng_t* rng    = opp_rng(probe_new(source, NULL, "source"), 0);
    for (int i = 0; i < MANY; i++)
      values[i] = kind == 0   ? (double)opp_rng_intuniform(rng, 0, 9)
                  : kind == 1 ? opp_rng_normal(rng, 0.0, 1.0)
                  : kind == 2 ? opp_rng_exponential(rng, 1e-9)
                  : kind == 3 ? opp_rng_lognormal(rng, 0.0, 5.0)
                  : kind == 4 ? 7.0
                  : kind == 5 ? -1.0 * i * i
                  : kind == 6 ? (i < 100 ? 1.0 : 1e30)
                              : (i < 100 ? -1e-3 * i : 1e-3 * i);
    opp_histogram_t* histogram = collected(values, MANY);
    check_bins(histogram, values, MANY);
    if (kind == 0) {
      CU_ASSERT_EQUAL(opp_histogram_bins(histogram), 10); /* a bin for each whole number */
    }
    CU_ASSERT_STRING_EQUAL(opp_sim_error(sim)->text, "");
    opp_sim_free(sim);
    opp_sim_free(source);
  }
}

SGF_TEST(infinities_are_counted_beside_the_bins_and_nan_is_an_error)
{
  opp_histogram_t* histogram = histogram_new(true);
  opp_histogram_collect(histogram, -INFINITY);
  opp_histogram_collect(histogram, INFINITY);
  opp_histogram_collect(histogram, INFINITY);
  opp_histogram_collect(histogram, 1.0);
  CU_ASSERT_EQUAL(opp_histogram_underflow(histogram), 1);
  CU_ASSERT_EQUAL(opp_histogram_overflow(histogram), 2);
  CU_ASSERT_EQUAL(opp_histogram_bins(histogram), 1);
  CU_ASSERT_EQUAL(opp_histogram_count(histogram), 4);
  CU_ASSERT_EQUAL(opp_histogram_min(histogram), -INFINITY);
  CU_ASSERT_EQUAL(opp_histogram_max(histogram), INFINITY);
  CU_ASSERT_EQUAL(opp_sim_error(sim)->status, SGF_OK);
  opp_histogram_collect(histogram, NAN);
  CU_ASSERT_EQUAL(opp_histogram_count(histogram), 4);
  CU_ASSERT(mentions(opp_sim_error(sim)->text, "statistic 'values'"));
  opp_sim_free(sim);
}
