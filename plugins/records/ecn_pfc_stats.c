/* ecn-pfc-stats: pauses and marks of each class of each device port (spec/records.md 3). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    RESULTS_PORT_COLUMNS,
    {"tier", CSV_INTEGER},
    {"subtier", CSV_INTEGER},
    {"priority", CSV_INTEGER},
    {"pfcxoff_tx", CSV_INTEGER},
    {"pfcxoff_rx", CSV_INTEGER},
    {"pfcxon_tx", CSV_INTEGER},
    {"pfcxon_rx", CSV_INTEGER},
    {"pfc_time_paused_usec", CSV_REAL},
    {"interval_total_time_xoff_usec", CSV_REAL},
    {"interval_max_time_xoff_usec", CSV_REAL},
    {"interval_total_time_xoff_egr_occ_usec", CSV_REAL},
    {"interval_max_time_xoff_egr_occ_usec", CSV_REAL},
    {"total_xoff_time_egr_occ_usec", CSV_REAL},
    {"percent_xon", CSV_REAL},
    {"xoff_egr_occ_ratio", CSV_REAL},
    {"pkts_ecn_marked", CSV_INTEGER},
};

/* Times of a class at its last row. */
typedef struct class_times {
  opp_simtime_t paused;
  opp_simtime_t backlogged;
} class_times_t;

typedef struct ecn_pfc_stats {
  results_run_t* run;
  csv_t* csv;
  class_times_t* before; /* of all ports, RESULTS_CLASSES each, device by device */
} ecn_pfc_stats_t;

typedef struct row {
  const results_run_t* run;
  const sgf_device_t* device;
  unsigned port;
  unsigned tc;
  sgf_class_stats_t stats;
  class_times_t times; /* in the interval */
} row_t;

static void fill(csv_t* csv, const void* of)
{
  const row_t* row               = of;
  const sgf_class_stats_t* stats = &row->stats;
  results_fill_port(csv, row->run, row->device, row->port);
  csv_count(csv, sgf_device_tier(row->device));
  csv_count(csv, RESULTS_NO_SUBTIER);
  csv_count(csv, row->tc);
  csv_count(csv, stats->pauses_sent);
  csv_count(csv, stats->pauses_received);
  csv_count(csv, stats->resumes_sent);
  csv_count(csv, stats->resumes_received);
  csv_real(csv, results_us(stats->paused));
  csv_real(csv, results_us(row->times.paused));
  csv_real(csv, results_us(stats->paused_longest));
  csv_real(csv, results_us(row->times.backlogged));
  csv_real(csv, results_us(stats->backlogged_longest));
  csv_real(csv, results_us(stats->backlogged));
  csv_real(csv, 100 - results_ratio(100 * (double)stats->paused, (double)row->run->date));
  csv_real(csv, results_ratio((double)stats->backlogged, (double)stats->paused));
  csv_count(csv, stats->marked);
}

static const csv_record_t record = {"ecn-pfc-stats", columns, sizeof columns / sizeof *columns, fill};

/* Nothing has happened to the class yet: a NIC then has no row, nor has a switch unless it is wanted. */
static bool is_skipped(const row_t* row)
{
  const sgf_class_stats_t* stats = &row->stats;
  const bool untouched = (stats->pauses_sent | stats->pauses_received | stats->resumes_sent | stats->resumes_received |
                          stats->marked) == 0;
  return untouched && !(row->run->config.zero_rows && sgf_device_is_switch(row->device));
}

static void write_class(const ecn_pfc_stats_t* record_state, sgf_device_t* device, unsigned port, unsigned tc,
                        class_times_t* before)
{
  row_t row = {.run = record_state->run, .device = device, .port = port, .tc = tc};
  row.stats = sgf_device_class_stats(device, port, tc);
  if (is_skipped(&row))
    return;
  row.times = (class_times_t){row.stats.paused - before->paused, row.stats.backlogged - before->backlogged};
  *before   = (class_times_t){row.stats.paused, row.stats.backlogged};
  csv_write(record_state->csv, &row);
  sgf_device_next_interval(device, port, tc);
}

static void write_rows(void* part, opp_simtime_t date)
{
  const ecn_pfc_stats_t* stats = part;
  const results_run_t* run     = stats->run;
  class_times_t* before        = stats->before;
  (void)date;
  for (size_t i = 0; i < run->device_count; i++)
    for (unsigned port = 0; port < sgf_device_port_count(run->devices[i]); port++)
      for (unsigned tc = 0; tc < RESULTS_CLASSES; tc++, before++)
        if (sgf_device_has_class(run->devices[i], tc))
          write_class(stats, run->devices[i], port, tc, before);
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  if (!run->config.ecn_pfc_stats || !run->config.pfc_ecn_stats)
    return NULL;
  csv_t* csv = csv_open(&record, &run->place, error);
  if (csv == NULL)
    return NULL;
  ecn_pfc_stats_t* stats = sgf_calloc(1, sizeof *stats);
  *stats                 = (ecn_pfc_stats_t){.run = run, .csv = csv};
  stats->before          = sgf_calloc(results_port_count(run) * RESULTS_CLASSES, sizeof *stats->before);
  results_add_rows(run, results_nd_interval(run), write_rows, stats);
  return stats;
}

static void close_record(void* part, sgf_error_t* error)
{
  ecn_pfc_stats_t* stats = part;
  csv_close(stats->csv, error);
  free(stats->before);
  free(stats);
}

const results_part_t results_ecn_pfc_stats = {&record, open_record, NULL, close_record};
