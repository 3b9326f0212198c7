/* What records of transports have in common: a row for each NIC and interval, counters with their part in the interval.
 * Each NIC keeps its row, which remembers what the one before told. */
#ifndef RECORDS_TRANSPORT_STATS_H
#define RECORDS_TRANSPORT_STATS_H

#include "records/results_internal.h"

/* The two columns of results_twins: a counter, and its part in the interval. */
#define TWINS(name)                                                                                                    \
  {name, CSV_INTEGER},                                                                                                 \
  {                                                                                                                    \
    "ivl_" name, CSV_INTEGER                                                                                           \
  }

typedef struct transport_stats transport_stats_t;

/* What the row of a transport begins with. */
typedef struct transport_row {
  const transport_stats_t* record;
  sgf_device_t* device;
} transport_row_t;

typedef struct transport_stats_form {
  const csv_record_t* record;
  size_t row_size;
  bool (*has_rows)(const sgf_device_t* device); /* NICs of this transport that want them */
  /* How often; NULL: NDStatsReportInterval. */
  opp_simtime_t (*interval)(const sgf_device_t* device);
  void (*sample)(sgf_device_t* device); /* take samples from now on; NULL: they need not be asked for */
  void (*take)(void* row);              /* what is to be told now, and the next interval begins */
} transport_stats_form_t;

/* NULL: no NIC has rows, or `error`. */
void* transport_stats_open(results_run_t* run, const transport_stats_form_t* form, sgf_error_t* error);
void transport_stats_close(void* stats, sgf_error_t* error);

/* The first four columns: two dates, the name of the NIC and its number. */
void transport_stats_head(csv_t* csv, const transport_row_t* row);

/* Columns of samples that several transports have, and what stands in them: of the run so far and of the interval. */
#define WINDOW_COLUMNS                                                                                                 \
  {"calc_min_cwnd_bytes", CSV_INTEGER}, {"ivl_calc_min_cwnd_bytes", CSV_INTEGER}, {"calc_mean_cwnd_bytes", CSV_REAL},  \
      {"ivl_calc_mean_cwnd_bytes", CSV_REAL},                                                                          \
  {                                                                                                                    \
    "ivl_calc_max_cwnd_bytes", CSV_INTEGER                                                                             \
  }
#define ROUND_TRIP_COLUMNS                                                                                             \
  {"ivl_min_calc_rtt_usec", CSV_REAL}, {"max_calc_rtt_usec", CSV_REAL}, {"ivl_max_calc_rtt_usec", CSV_REAL},           \
      {"avg_calc_rtt_usec", CSV_REAL},                                                                                 \
  {                                                                                                                    \
    "ivl_avg_calc_rtt_usec", CSV_REAL                                                                                  \
  }
#define IN_FLIGHT_COLUMNS                                                                                              \
  {"ivl_calc_min_bytes_in_flight", CSV_INTEGER}, {"calc_mean_bytes_in_flight", CSV_REAL},                              \
      {"ivl_calc_mean_bytes_in_flight", CSV_REAL},                                                                     \
  {                                                                                                                    \
    "ivl_calc_max_bytes_in_flight", CSV_INTEGER                                                                        \
  }
void transport_stats_window(csv_t* csv, const sgf_samples_t* run, const sgf_samples_t* interval);
void transport_stats_round_trips(csv_t* csv, const sgf_samples_t* run, const sgf_samples_t* interval);
void transport_stats_in_flight(csv_t* csv, const sgf_samples_t* run, const sgf_samples_t* interval);

#endif
