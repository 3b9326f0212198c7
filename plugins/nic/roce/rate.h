/* nic/roce: the rate of one queue pair (spec/roce-nic.md 11). A plain state machine: no packets, no clock; whoever owns
 * it calls roce_rate_run every half control interval of an episode. Rates are bits per second. */
#ifndef ROCE_RATE_H
#define ROCE_RATE_H

#include <sgfabric/attr.h>
#include <sgfabric/opp.h>

/* ---- Attributes of ECNHandler (2) -------------------------------------------------------------------------------- */

/* Values of CongestionEstimate: options B and A of 11.5. */
enum { ROCE_PACKET_SHARE, ROCE_DCQCN };

typedef struct roce_rate_config {
  bool enable_ecn;
  sgf_decimal_t minimum_rate;
  uint64_t fast_recovery_attempts;
  sgf_decimal_t initial_target_rate;
  uint64_t increase_steps;
  uint64_t control_interval_ns;
  sgf_decimal_t weight;
  uint64_t loops_per_increase;
  int estimate;
  opp_simtime_t cnp_min_interval;
} roce_rate_config_t;

extern const sgf_attr_table_t roce_rate_attributes;

/* ---- What all queue pairs of a NIC share ------------------------------------------------------------------------- */

typedef struct roce_rate_params {
  double line;
  double floor;
  double step_numerator; /* of the target, in one additive increase: this part of the next */
  double step_divisor;
  double weight;
  int64_t fast_recovery_attempts;
  uint64_t loops_per_increase;
  opp_simtime_t half_interval;
  bool counts_packets; /* option B */
} roce_rate_params_t;

void roce_rate_prepare(roce_rate_params_t* params, const roce_rate_config_t* config, int64_t line_bps);

/* ---- One queue pair ---------------------------------------------------------------------------------------------- */

typedef struct roce_rate {
  const roce_rate_params_t* params;
  double current;
  double target;
  double step;
  double estimate;
  int64_t recovery; /* the recovery count n */
  uint64_t cnps;    /* of the control interval: what has come and what was sent since the last reduction half */
  uint64_t packets;
  uint64_t marked_halves; /* increase halves that saw CNPs, since one of them was allowed to increase */
  bool congested;
  bool increases; /* the next run is an increase half */
} roce_rate_t;

void roce_rate_init(roce_rate_t* rate, const roce_rate_params_t* params);

/* A CNP has come. True: an episode begins with it and its first reduction has been made; runs are due from half an
 * interval from now on. */
bool roce_rate_notified(roce_rate_t* rate);

/* A data packet of the queue pair starts on the wire. */
static inline void roce_rate_sent(roce_rate_t* rate)
{
  rate->packets += rate->congested;
}

/* Half an interval has passed since the last run. False: the episode has ended, there is no next run. */
bool roce_rate_run(roce_rate_t* rate);

/* The rate at which its packets leave, in whole bits per second. */
int64_t roce_rate_bps(const roce_rate_t* rate);

#endif
