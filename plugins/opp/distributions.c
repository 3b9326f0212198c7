/* Distributions on random streams: inversion where the inverse is known, else a textbook's method. */
#include <math.h>

#include <sgfabric/opp.h>

static const double two_pi = 6.283185307179586;

/* Above 0 and below 1. */
static double open_unit(opp_rng_t* rng)
{
  double value = 0.0;
  while (value == 0.0)
    value = opp_rng_uniform(rng, 0.0, 1.0);
  return value;
}

static bool is_probability(double p)
{
  return p >= 0.0 && p <= 1.0;
}

/* ---- Whole numbers ----------------------------------------------------------------------------------------------- */

int64_t opp_rng_intuniform(opp_rng_t* rng, int64_t low, int64_t high)
{
  const uint64_t span = (uint64_t)high - (uint64_t)low; /* result = low + 0..span */
  uint64_t draw       = opp_rng_uint64(rng);
  if (span != UINT64_MAX) {
    const uint64_t values = span + 1;
    const uint64_t excess = (UINT64_MAX % values + 1) % values; /* draws above the last whole multiple are biased */
    while (draw > UINT64_MAX - excess)
      draw = opp_rng_uint64(rng);
    draw %= values;
  }
  return (int64_t)((uint64_t)low + draw);
}

bool opp_rng_bernoulli(opp_rng_t* rng, double p)
{
  return opp_rng_uniform(rng, 0.0, 1.0) < p;
}

int64_t opp_rng_binomial(opp_rng_t* rng, int64_t trials, double p)
{
  int64_t successes = 0;
  for (int64_t i = 0; i < trials; i++)
    successes += opp_rng_bernoulli(rng, p);
  return successes;
}

/* A double as a whole number that 64 bits hold. */
static int64_t whole(double value)
{
  return value < 0x1p62 ? (int64_t)value : INT64_C(1) << 62;
}

int64_t opp_rng_geometric(opp_rng_t* rng, double p)
{
  if (!is_probability(p) || p == 0.0)
    return 0;
  const double draw = open_unit(rng);
  return p == 1.0 ? 0 : whole(floor(log(draw) / log1p(-p)));
}

int64_t opp_rng_negbinomial(opp_rng_t* rng, int64_t successes, double p)
{
  int64_t failures = 0;
  for (int64_t i = 0; i < successes; i++)
    failures += opp_rng_geometric(rng, p);
  return failures;
}

/* Arrivals at rate 1 within `mean`: in pieces, since exp(-mean) of a large one is 0. */
int64_t opp_rng_poisson(opp_rng_t* rng, double mean)
{
  int64_t arrivals = 0;
  for (double rest = mean; rest > 0.0; rest -= 500.0) {
    const double limit = exp(-fmin(rest, 500.0));
    for (double product = open_unit(rng); product > limit; product *= open_unit(rng))
      arrivals++;
  }
  return arrivals;
}

/* ---- Real numbers ------------------------------------------------------------------------------------------------ */

double opp_rng_uniform(opp_rng_t* rng, double low, double high)
{
  const double value = low + (high - low) * ((double)(opp_rng_uint64(rng) >> 11) * 0x1p-53);
  return value < high ? value : nextafter(high, low); /* the sum may be rounded up */
}

double opp_rng_exponential(opp_rng_t* rng, double mean)
{
  return -mean * log1p(-opp_rng_uniform(rng, 0.0, 1.0));
}

/* Box and Muller; the second value of the pair is not kept, so that a stream has no other state than its generator's.
 */
double opp_rng_normal(opp_rng_t* rng, double mean, double stddev)
{
  const double radius = sqrt(-2.0 * log(open_unit(rng)));
  return mean + stddev * radius * cos(two_pi * opp_rng_uniform(rng, 0.0, 1.0));
}

double opp_rng_truncnormal(opp_rng_t* rng, double mean, double stddev)
{
  if (!(mean > -8.0 * stddev)) /* there would be next to nothing to draw */
    return NAN;
  double value = opp_rng_normal(rng, mean, stddev);
  while (value < 0.0)
    value = opp_rng_normal(rng, mean, stddev);
  return value;
}

double opp_rng_lognormal(opp_rng_t* rng, double mean, double stddev)
{
  return exp(opp_rng_normal(rng, mean, stddev));
}

/* Marsaglia and Tsang (2000); a shape below 1 by way of that shape plus 1. */
double opp_rng_gamma(opp_rng_t* rng, double shape, double scale)
{
  if (!(shape > 0.0 && scale > 0.0))
    return NAN;
  const double above = shape < 1.0 ? shape + 1.0 : shape;
  const double d     = above - 1.0 / 3.0;
  const double c     = 1.0 / sqrt(9.0 * d);
  double v           = 0.0;
  for (bool accepted = false; !accepted;) {
    const double x = opp_rng_normal(rng, 0.0, 1.0);
    v              = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
    accepted       = v > 0.0 && log(open_unit(rng)) < 0.5 * x * x + d - d * v + d * log(v);
  }
  const double boost = shape < 1.0 ? pow(open_unit(rng), 1.0 / shape) : 1.0;
  return d * v * boost * scale;
}

double opp_rng_erlang(opp_rng_t* rng, unsigned k, double mean)
{
  return opp_rng_gamma(rng, k, mean / k);
}

double opp_rng_beta(opp_rng_t* rng, double alpha1, double alpha2)
{
  const double first = opp_rng_gamma(rng, alpha1, 1.0);
  return first / (first + opp_rng_gamma(rng, alpha2, 1.0));
}

double opp_rng_chi_square(opp_rng_t* rng, unsigned degrees)
{
  return opp_rng_gamma(rng, degrees / 2.0, 2.0);
}

double opp_rng_student_t(opp_rng_t* rng, unsigned degrees)
{
  const double normal = opp_rng_normal(rng, 0.0, 1.0);
  return normal / sqrt(opp_rng_chi_square(rng, degrees) / degrees);
}

double opp_rng_cauchy(opp_rng_t* rng, double location, double scale)
{
  return scale > 0.0 ? location + scale * tan(two_pi * (open_unit(rng) - 0.5) / 2.0) : NAN;
}

double opp_rng_triang(opp_rng_t* rng, double low, double mode, double high)
{
  if (!(low <= mode && mode <= high && low < high))
    return NAN;
  const double draw = opp_rng_uniform(rng, 0.0, 1.0);
  if (draw * (high - low) < mode - low)
    return low + sqrt(draw * (mode - low) * (high - low));
  return high - sqrt((1.0 - draw) * (high - mode) * (high - low));
}

double opp_rng_weibull(opp_rng_t* rng, double scale, double shape)
{
  return scale > 0.0 && shape > 0.0 ? scale * pow(-log(open_unit(rng)), 1.0 / shape) : NAN;
}

double opp_rng_pareto_shifted(opp_rng_t* rng, double shape, double scale, double shift)
{
  return shape > 0.0 && scale > 0.0 ? scale / pow(open_unit(rng), 1.0 / shape) - shift : NAN;
}
