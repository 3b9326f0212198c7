/* switch: the ECN marker, one of RED type for each egress queue (port, pool) (spec/switch.md 7). Stands apart from the
 * packet path: no frames, no clock. */
#ifndef SWITCH_ECN_H
#define SWITCH_ECN_H

#include <sgfabric/shared_buffer.h>

#include "opp/kernel.h"

typedef struct switch_ecn_config {
  bool enable;
  sgf_decimal_t weight;        /* of the newest sample in the average */
  sgf_decimal_t min_threshold; /* fractions of the static egress limit */
  sgf_decimal_t max_threshold;
  sgf_decimal_t max_probability;
} switch_ecn_config_t;

extern const sgf_attr_table_t switch_ecn_attributes;

typedef struct switch_ecn switch_ecn_t;

/* Markers for every port and pool of a switch; thresholds from the buffer's static limits. Fails where the lower
 * threshold is above the upper one (O-29). */
switch_ecn_t* switch_ecn_new(const switch_ecn_config_t* config, const sgf_shared_buffer_t* buffer, unsigned ports,
                             sgf_error_t* error);
void switch_ecn_free(switch_ecn_t* ecn);

bool switch_ecn_enabled(const switch_ecn_t* ecn);

/* A packet was admitted to the egress queue, which holds `queue` bytes with it: the average moves (7.1). */
void switch_ecn_admitted(switch_ecn_t* ecn, unsigned port, unsigned pool, int64_t queue);

/* Whether the average has reached the band: below it nothing is marked, and no random stream is needed. */
bool switch_ecn_may_mark(const switch_ecn_t* ecn, unsigned port, unsigned pool);

/* Whether an ECT packet that starts transmission out of this queue is marked (7.3). Draws from `rng` only inside the
 * band. */
bool switch_ecn_marks(const switch_ecn_t* ecn, unsigned port, unsigned pool, opp_rng_t* rng);

/* The probability of it, 0 to 1. */
double switch_ecn_probability(const switch_ecn_t* ecn, unsigned port, unsigned pool);

double switch_ecn_average(const switch_ecn_t* ecn, unsigned port, unsigned pool); /* bytes */

/* The band of a pool in bytes, from its static limit (7.2). */
void switch_ecn_band(const switch_ecn_config_t* config, int64_t static_limit, double* lower, double* upper);

#endif
