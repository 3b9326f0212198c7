/* opp, inside: results and the recorders of statistics. */
#ifndef OPP_RESULT_INTERNAL_H
#define OPP_RESULT_INTERNAL_H

#include <sgfabric/opp_result.h>

/* A recorded scalar or statistic. The result's texts that are composed are owned. */
typedef struct opp_record {
  opp_result_t result;
  char* name;
  char* title; /* NULL: the declared one, if any */
} opp_record_t;

typedef struct opp_interval {
  opp_simtime_t from;
  opp_simtime_t to; /* inclusive */
} opp_interval_t;

struct opp_outvector {
  opp_module_t* module;
  char* name;
  opp_result_t result;
  bool is_recorded;
  opp_interval_t* intervals; /* to record in; none: always */
  size_t interval_count;
  opp_simtime_t last_time;
};

/* What a simulation has to record, and has recorded. */
typedef struct opp_results {
  opp_record_t* records;
  size_t record_count;
  size_t record_capacity;
  opp_outvector_t** vectors;
  size_t vector_count;
  opp_histogram_t** histograms;
  size_t histogram_count;
  opp_vector_cb sink; /* NULL: nobody wants vectors */
  void* sink_user;
} opp_results_t;

/* How a statistic is recorded: a bit for each mode. */
typedef enum opp_mode {
  OPP_MODE_VECTOR,
  OPP_MODE_COUNT,
  OPP_MODE_LAST,
  OPP_MODE_SUM,
  OPP_MODE_MEAN,
  OPP_MODE_MIN,
  OPP_MODE_MAX,
  OPP_MODE_TIMEAVG,
  OPP_MODE_STATS,
  OPP_MODE_HISTOGRAM,
  OPP_MODES,
} opp_mode_t;

/* Listens for one statistic of one module. */
typedef struct opp_recorder {
  opp_module_t* module;
  const opp_statistic_t* statistic;
  unsigned modes;
  opp_histogram_t* values;
  opp_outvector_t* vector; /* NULL: none */
  double last;
  opp_simtime_t first_time; /* of the first value */
  opp_simtime_t last_time;
  double integral; /* of the values over time in ps, each holding until the next, up to the last */
} opp_recorder_t;

/* recorder.c: attach those of a module's statistics; record them. */
void opp_recorders_attach(opp_module_t* module);
void opp_recorders_record(opp_module_t* module);
extern const char* const opp_mode_names[OPP_MODES];
/* The modes that the text of result-recording-modes (NULL: "default") chooses of those that are `declared`. */
sgf_status_t opp_modes_choose(const char* text, const char* declared, unsigned* modes, sgf_error_t* error);

/* result.c */
void opp_result_add(opp_module_t* self, const char* name, const opp_result_info_t* info, const char* mode, double value,
                    opp_histogram_t* statistic);
void opp_results_free(opp_sim_t* sim);
sgf_status_t opp_intervals_read(const char* text, opp_interval_t** intervals, size_t* count, sgf_error_t* error);

/* histogram.c: `self` for errors. */
opp_histogram_t* opp_histogram_make(opp_module_t* self, const char* name, const opp_result_info_t* info, bool has_bins);
bool opp_histogram_has_bins(const opp_histogram_t* histogram);
void opp_histogram_free(opp_histogram_t* histogram);

/* configure.c: the line that sets an option of an object of `module`; NULL: none does. */
const opp_ini_entry_t* opp_option(const opp_module_t* module, const char* object, const char* option);
/* Whether an option that is true unless a line says otherwise is so. */
bool opp_option_is_on(opp_module_t* module, const char* object, const char* option);

#endif
