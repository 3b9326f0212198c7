/* The ECN marker: see ecn.h. */
#include "switch/ecn.h"

#include <stdlib.h>

#include "attr/alloc.h"

static const sgf_attr_t rows[] = {
    {"EcnHandler/EnableEcn", SGF_ATTR_BOOL, offsetof(switch_ecn_config_t, enable), "true", "",
     "Consider ECT packets for marking; false marks nothing."},
    {"EcnHandler/EwmaWeight", SGF_ATTR_DECIMAL, offsetof(switch_ecn_config_t, weight), "0.10", "0..1",
     "Weight of the newest queue length in the moving average."},
    {"EcnHandler/MinThreshold", SGF_ATTR_DECIMAL, offsetof(switch_ecn_config_t, min_threshold), "0.2", "0..1",
     "Lower threshold as a fraction of the static egress limit."},
    {"EcnHandler/MaxThreshold", SGF_ATTR_DECIMAL, offsetof(switch_ecn_config_t, max_threshold), "0.8", "0..1",
     "Upper threshold as a fraction of the static egress limit; at or above it every ECT packet is marked."},
    {"EcnHandler/MaxMarkProbability", SGF_ATTR_DECIMAL, offsetof(switch_ecn_config_t, max_probability), "1.0", "0..1",
     "Ceiling of the marking probability between the thresholds."},
};

const sgf_attr_table_t switch_ecn_attributes = {"switch", rows, sizeof rows / sizeof *rows};

typedef struct band {
  double lower;
  double upper;
} band_t;

/* The first cache line serves the first two pools. */
struct switch_ecn {
  _Alignas(SGF_CACHE_LINE) double* average; /* by port x 8 + pool: a cache line for each port */
  double weight;
  double max_probability;
  bool enabled;
  band_t bands[SGF_SB_POOLS];
};

void switch_ecn_band(const switch_ecn_config_t* config, int64_t static_limit, double* lower, double* upper)
{
  *lower = sgf_decimal_value(config->min_threshold) * (double)static_limit;
  *upper = sgf_decimal_value(config->max_threshold) * (double)static_limit;
}

switch_ecn_t* switch_ecn_new(const switch_ecn_config_t* config, const sgf_shared_buffer_t* buffer, unsigned ports,
                             sgf_error_t* error)
{
  if (sgf_decimal_compare(config->min_threshold, config->max_threshold) > 0) {
    sgf_error_set(error, SGF_RULE, "EcnHandler.MinThreshold, %g, is above EcnHandler.MaxThreshold, %g",
                  sgf_decimal_value(config->min_threshold), sgf_decimal_value(config->max_threshold));
    return NULL;
  }
  switch_ecn_t* ecn    = sgf_calloc_lines(1, sizeof *ecn);
  ecn->enabled         = config->enable;
  ecn->weight          = sgf_decimal_value(config->weight);
  ecn->max_probability = sgf_decimal_value(config->max_probability);
  ecn->average         = sgf_calloc_lines((size_t)ports * SGF_SB_POOLS, sizeof *ecn->average);
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    switch_ecn_band(config, sgf_sb_static_limit(buffer, pool), &ecn->bands[pool].lower, &ecn->bands[pool].upper);
  return ecn;
}

void switch_ecn_free(switch_ecn_t* ecn)
{
  if (ecn == NULL)
    return;
  free(ecn->average);
  free(ecn);
}

bool switch_ecn_enabled(const switch_ecn_t* ecn)
{
  return ecn->enabled;
}

void switch_ecn_admitted(switch_ecn_t* ecn, unsigned port, unsigned pool, int64_t queue)
{
  double* average = &ecn->average[port * SGF_SB_POOLS + pool];
  *average        = (1 - ecn->weight) * *average + ecn->weight * (double)queue;
}

double switch_ecn_average(const switch_ecn_t* ecn, unsigned port, unsigned pool)
{
  return ecn->average[port * SGF_SB_POOLS + pool];
}

double switch_ecn_probability(const switch_ecn_t* ecn, unsigned port, unsigned pool)
{
  const double average = switch_ecn_average(ecn, port, pool);
  const band_t* band   = &ecn->bands[pool];
  if (average < band->lower)
    return 0;
  if (average >= band->upper)
    return 1;
  return ecn->max_probability * (average - band->lower) / (band->upper - band->lower);
}

bool switch_ecn_may_mark(const switch_ecn_t* ecn, unsigned port, unsigned pool)
{
  return switch_ecn_average(ecn, port, pool) >= ecn->bands[pool].lower;
}

bool switch_ecn_marks(const switch_ecn_t* ecn, unsigned port, unsigned pool, opp_rng_t* rng)
{
  const double average = switch_ecn_average(ecn, port, pool);
  const band_t* band   = &ecn->bands[pool];
  if (average < band->lower)
    return false;
  if (average >= band->upper)
    return true;
  return opp_rng_uniform(rng, 0.0, 1.0) < switch_ecn_probability(ecn, port, pool);
}
