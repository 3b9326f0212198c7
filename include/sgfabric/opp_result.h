/* sgfabric opp_result: what models record, and how it is read (spec/opp.md sections 1 and 3).
 *
 * A model records scalars, statistics and vectors itself, or declares statistics beside its module type, whose
 * recorders listen to signals from opp_sim_initialize on and record at opp_sim_finish. The .ini options
 * scalar-recording, statistic-recording, vector-recording, vector-recording-intervals and result-recording-modes choose
 * among both, if the simulation was configured. Nothing is written here: whoever wants the results reads them. */
#ifndef SGFABRIC_OPP_RESULT_H
#define SGFABRIC_OPP_RESULT_H

#include <sgfabric/opp.h>

SGF_BEGIN_DECL

typedef struct opp_outvector opp_outvector_t; /* cOutVector */
typedef struct opp_histogram opp_histogram_t; /* cHistogram, and cStdDev without bins */

/* ---- Recording --------------------------------------------------------------------------------------------------- */

/* recordScalar(). `unit` may be NULL and is not copied, the name is. */
SGF_PUBLIC void opp_record_scalar(opp_module_t* self, const char* name, double value, const char* unit);

/* An output vector of `self`; the simulation owns it. `info` may be NULL. */
SGF_PUBLIC opp_outvector_t* opp_outvector_new(opp_module_t* self, const char* name, const opp_result_info_t* info);

/* Record a value now, or at another time (ps) that is not before the last one's. */
SGF_PUBLIC void opp_outvector_record(opp_outvector_t* vector, double value);
SGF_PUBLIC void opp_outvector_record_at(opp_outvector_t* vector, opp_simtime_t time, double value);

/* Statistics of values, with bins or without; the simulation owns them. Bins cover all values, equal in width, which is
 * 1, 2 or 5 times a power of ten, or that times a power of two: it doubles whenever there would be more than
 * OPP_HISTOGRAM_BINS. A NaN is an error, infinities count as under- and overflow. */
enum { OPP_HISTOGRAM_BINS = 128 };
SGF_PUBLIC opp_histogram_t* opp_histogram_new(opp_module_t* self, const char* name, const opp_result_info_t* info);
SGF_PUBLIC opp_histogram_t* opp_stddev_new(opp_module_t* self, const char* name, const opp_result_info_t* info);
SGF_PUBLIC void opp_histogram_collect(opp_histogram_t* histogram, double value);
SGF_PUBLIC void opp_histogram_record(opp_histogram_t* histogram); /* as it is now: recordStatistic(); call it once */

/* ---- Reading a statistic ----------------------------------------------------------------------------------------- */

/* NaN where no value says: all but count and sums of nothing, the standard deviation (that of a sample) of one. */
SGF_PUBLIC uint64_t opp_histogram_count(const opp_histogram_t* histogram);
SGF_PUBLIC double opp_histogram_mean(const opp_histogram_t* histogram);
SGF_PUBLIC double opp_histogram_stddev(const opp_histogram_t* histogram);
SGF_PUBLIC double opp_histogram_min(const opp_histogram_t* histogram);
SGF_PUBLIC double opp_histogram_max(const opp_histogram_t* histogram);
SGF_PUBLIC double opp_histogram_sum(const opp_histogram_t* histogram);
SGF_PUBLIC double opp_histogram_sqrsum(const opp_histogram_t* histogram); /* of squares */

/* Bin i holds the values from edge i up to, and without, edge i + 1. Without bins, or values, there are 0. */
SGF_PUBLIC size_t opp_histogram_bins(opp_histogram_t* histogram);
SGF_PUBLIC double opp_histogram_edge(opp_histogram_t* histogram, size_t i);
SGF_PUBLIC uint64_t opp_histogram_bin(opp_histogram_t* histogram, size_t i);
SGF_PUBLIC uint64_t opp_histogram_underflow(const opp_histogram_t* histogram); /* -inf */
SGF_PUBLIC uint64_t opp_histogram_overflow(const opp_histogram_t* histogram);  /* inf */

/* ---- Reading results --------------------------------------------------------------------------------------------- */

typedef enum opp_result_kind {
  OPP_RESULT_SCALAR,
  OPP_RESULT_STATISTIC,
  OPP_RESULT_VECTOR,
} opp_result_kind_t;

/* A result; valid as long as the simulation. */
typedef struct opp_result {
  opp_result_kind_t kind;
  const char* module; /* full path */
  const char* name;   /* "queueLength:timeavg" */
  opp_result_info_t info;
  double value;               /* of a scalar */
  opp_histogram_t* statistic; /* of a statistic, and NULL else */
  bool has_bins;              /* of a statistic */
  uint32_t number;            /* of a vector: from 0, each its own */
} opp_result_t;

/* Call `result` with every scalar and statistic that has been recorded, in order. */
typedef void (*opp_result_cb)(void* user, const opp_result_t* result);
SGF_PUBLIC void opp_sim_visit_results(opp_sim_t* sim, opp_result_cb result, void* user);

/* Call `value` with every value of a vector, when it is recorded: times of one vector do not decrease, `event` is the
 * number of the event under way. To be set before opp_sim_initialize; without it vectors cost nothing. */
typedef void (*opp_vector_cb)(void* user, const opp_result_t* vector, opp_simtime_t time, uint64_t event, double value);
SGF_PUBLIC void opp_sim_set_vector_sink(opp_sim_t* sim, opp_vector_cb value, void* user);

SGF_END_DECL
#endif
