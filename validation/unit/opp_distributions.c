/* Distributions: their means and variances, their bounds, and what they say to parameters that are none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/opp_probe.h"

enum { DRAWS = 40000 };

static double draw_exponential(opp_rng_t* rng)
{
  return opp_rng_exponential(rng, 3.0);
}
static double draw_normal(opp_rng_t* rng)
{
  return opp_rng_normal(rng, 5.0, 2.0);
}
static double draw_truncnormal(opp_rng_t* rng)
{
  return opp_rng_truncnormal(rng, 0.0, 2.0);
}
static double draw_lognormal(opp_rng_t* rng)
{
  return opp_rng_lognormal(rng, 1.0, 0.5);
}
static double draw_gamma(opp_rng_t* rng)
{
  return opp_rng_gamma(rng, 2.5, 2.0);
}
static double draw_small_gamma(opp_rng_t* rng)
{
  return opp_rng_gamma(rng, 0.5, 2.0);
}
static double draw_erlang(opp_rng_t* rng)
{
  return opp_rng_erlang(rng, 4, 6.0);
}
static double draw_beta(opp_rng_t* rng)
{
  return opp_rng_beta(rng, 2.0, 3.0);
}
static double draw_chi_square(opp_rng_t* rng)
{
  return opp_rng_chi_square(rng, 5);
}
static double draw_student_t(opp_rng_t* rng)
{
  return opp_rng_student_t(rng, 10);
}
static double draw_triang(opp_rng_t* rng)
{
  return opp_rng_triang(rng, 1.0, 2.0, 6.0);
}
static double draw_weibull(opp_rng_t* rng)
{
  return opp_rng_weibull(rng, 2.0, 1.5);
}
static double draw_pareto(opp_rng_t* rng)
{
  return opp_rng_pareto_shifted(rng, 5.0, 2.0, 1.0);
}
static double draw_bernoulli(opp_rng_t* rng)
{
  return opp_rng_bernoulli(rng, 0.3);
}
static double draw_binomial(opp_rng_t* rng)
{
  return (double)opp_rng_binomial(rng, 10, 0.3);
}
static double draw_geometric(opp_rng_t* rng)
{
  return (double)opp_rng_geometric(rng, 0.2);
}
static double draw_negbinomial(opp_rng_t* rng)
{
  return (double)opp_rng_negbinomial(rng, 3, 0.2);
}
static double draw_poisson(opp_rng_t* rng)
{
  return (double)opp_rng_poisson(rng, 4.0);
}
static double draw_large_poisson(opp_rng_t* rng)
{
  return (double)opp_rng_poisson(rng, 1200.0);
}
static double draw_intuniform(opp_rng_t* rng)
{
  return (double)opp_rng_intuniform(rng, -2, 3);
}

/* A distribution with the mean and variance that textbooks give, and the least and greatest value that it has. */
typedef struct distribution {
  const char* name;
  double (*draw)(opp_rng_t* rng);
  double mean;
  double variance;
  double least;
  double greatest;
} distribution_t;

static const distribution_t distributions[] = {
    {"exponential", draw_exponential, 3.0, 9.0, 0.0, INFINITY},
    {"normal", draw_normal, 5.0, 4.0, -INFINITY, INFINITY},
    {"truncnormal", draw_truncnormal, 2.0 * 0.7978845608, 4.0 * (1.0 - 0.6366197724), 0.0, INFINITY}, /* half normal */
    {"lognormal", draw_lognormal, 3.0802168489, 2.6947, 0.0, INFINITY}, /* exp(m + s^2/2), mean^2 (exp(s^2) - 1) */
    {"gamma", draw_gamma, 5.0, 10.0, 0.0, INFINITY},
    {"gamma below 1", draw_small_gamma, 1.0, 2.0, 0.0, INFINITY},
    {"erlang", draw_erlang, 6.0, 9.0, 0.0, INFINITY},
    {"beta", draw_beta, 0.4, 0.04, 0.0, 1.0},
    {"chi square", draw_chi_square, 5.0, 10.0, 0.0, INFINITY},
    {"student t", draw_student_t, 0.0, 1.25, -INFINITY, INFINITY},
    {"triang", draw_triang, 3.0, 21.0 / 18.0, 1.0, 6.0},
    {"weibull", draw_weibull, 2.0 * 0.9027452929, 4.0 * (1.1906393487 - 0.8149490639), 0.0, INFINITY},
    {"pareto shifted", draw_pareto, 1.5, 5.0 * 4.0 / (16.0 * 3.0), 1.0, INFINITY},
    {"bernoulli", draw_bernoulli, 0.3, 0.21, 0.0, 1.0},
    {"binomial", draw_binomial, 3.0, 2.1, 0.0, 10.0},
    {"geometric", draw_geometric, 4.0, 20.0, 0.0, INFINITY},
    {"negbinomial", draw_negbinomial, 12.0, 60.0, 0.0, INFINITY},
    {"poisson", draw_poisson, 4.0, 4.0, 0.0, INFINITY},
    {"poisson of many", draw_large_poisson, 1200.0, 1200.0, 0.0, INFINITY},
    {"intuniform", draw_intuniform, 0.5, 35.0 / 12.0, -2.0, 3.0},
};

SGF_TEST(means_variances_and_bounds_are_the_textbooks)
{
  opp_sim_t* sim       = opp_sim_new(7);
  opp_module_t* module = probe_new(sim, NULL, "source");
  for (size_t i = 0; i < sizeof distributions / sizeof *distributions; i++) {
    const distribution_t* it = &distributions[i];
    double sum               = 0.0;
    double squares           = 0.0;
    for (int n = 0; n < DRAWS; n++) {
      const double value = it->draw(opp_rng(module, 0));
      CU_ASSERT(value >= it->least && value <= it->greatest);
      sum += value - it->mean;
      squares += (value - it->mean) * (value - it->mean);
    }
    const double error    = sum / DRAWS / sqrt(it->variance / DRAWS); /* in standard deviations */
    const double variance = squares / DRAWS;
    if (fabs(error) >= 5.0 || fabs(variance / it->variance - 1.0) >= 0.1)
      printf("\n  %s: mean off by %.2f standard errors, variance %g of %g\n", it->name, error, variance, it->variance);
    CU_ASSERT(fabs(error) < 5.0);
    CU_ASSERT(fabs(variance / it->variance - 1.0) < 0.1);
  }
  opp_sim_free(sim);
}

/* A Cauchy distribution has no mean: a quarter lies below its location minus its scale, a half below its location. */
SGF_TEST(quarters_of_cauchy)
{
  opp_sim_t* sim = opp_sim_new(7);
  opp_rng_t* rng = opp_rng(probe_new(sim, NULL, "source"), 0);
  int below      = 0;
  int far_below  = 0;
  for (int n = 0; n < DRAWS; n++) {
    const double value = opp_rng_cauchy(rng, 3.0, 2.0);
    below += value < 3.0;
    far_below += value < 1.0;
  }
  CU_ASSERT(abs(below - DRAWS / 2) < 5 * sqrt(DRAWS / 4.0));
  CU_ASSERT(abs(far_below - DRAWS / 4) < 5 * sqrt(DRAWS * 3.0 / 16.0));
  opp_sim_free(sim);
}

SGF_TEST(parameters_that_a_distribution_does_not_have)
{
  opp_sim_t* sim = opp_sim_new(7);
  opp_rng_t* rng = opp_rng(probe_new(sim, NULL, "source"), 0);
  CU_ASSERT(isnan(opp_rng_gamma(rng, 0.0, 1.0)));
  CU_ASSERT(isnan(opp_rng_gamma(rng, 1.0, -1.0)));
  CU_ASSERT(isnan(opp_rng_gamma(rng, NAN, 1.0)));
  CU_ASSERT(isnan(opp_rng_erlang(rng, 0, 1.0)));
  CU_ASSERT(isnan(opp_rng_beta(rng, 1.0, 0.0)));
  CU_ASSERT(isnan(opp_rng_chi_square(rng, 0)));
  CU_ASSERT(isnan(opp_rng_cauchy(rng, 0.0, 0.0)));
  CU_ASSERT(isnan(opp_rng_triang(rng, 1.0, 0.0, 2.0)));
  CU_ASSERT(isnan(opp_rng_weibull(rng, 1.0, 0.0)));
  CU_ASSERT(isnan(opp_rng_pareto_shifted(rng, 0.0, 1.0, 0.0)));
  CU_ASSERT(isnan(opp_rng_truncnormal(rng, -100.0, 1.0))); /* and does not draw for ever */
  CU_ASSERT_EQUAL(opp_rng_geometric(rng, 0.0), 0);
  CU_ASSERT_EQUAL(opp_rng_geometric(rng, 2.0), 0);
  CU_ASSERT_EQUAL(opp_rng_geometric(rng, 1.0), 0);
  CU_ASSERT_EQUAL(opp_rng_poisson(rng, -1.0), 0);
  CU_ASSERT_EQUAL(opp_rng_binomial(rng, -1, 0.5), 0);
  CU_ASSERT_EQUAL(opp_rng_binomial(rng, 10, 1.0), 10);
  CU_ASSERT_EQUAL(opp_rng_binomial(rng, 10, 0.0), 0);
  opp_sim_free(sim);
}
