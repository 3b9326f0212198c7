/* pfc-watchdog: the storms that the watchdogs of switches have seen, one row each, written when the run ends
 * (spec/feedback-budget.md 9.2). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    RESULTS_PORT_COLUMNS,
    {"priority", CSV_INTEGER},
    {"queue", CSV_INTEGER},
    {"action", CSV_TEXT},
    {"detected_ns", CSV_INTEGER},
    {"restored_ns", CSV_INTEGER},
    {"storm_tx_packets", CSV_INTEGER},
    {"storm_tx_drops", CSV_INTEGER},
    {"storm_rx_packets", CSV_INTEGER},
    {"storm_rx_drops", CSV_INTEGER},
    {"total_tx_packets", CSV_INTEGER},
    {"total_tx_drops", CSV_INTEGER},
    {"total_rx_packets", CSV_INTEGER},
    {"total_rx_drops", CSV_INTEGER},
};

typedef struct pfc_watchdog_record {
  results_run_t* run;
  csv_t* csv;
} pfc_watchdog_record_t;

typedef struct row {
  const results_run_t* run;
  const sgf_device_t* device;
  sgf_storm_t storm;
} row_t;

static void fill_traffic(csv_t* csv, const sgf_storm_traffic_t* traffic)
{
  csv_count(csv, traffic->sent);
  csv_count(csv, traffic->tx_drops);
  csv_count(csv, traffic->received);
  csv_count(csv, traffic->rx_drops);
}

static void fill(csv_t* csv, const void* of)
{
  const row_t* row         = of;
  const sgf_storm_t* storm = &row->storm;
  results_fill_port(csv, row->run, row->device, storm->port);
  csv_count(csv, storm->tc);
  csv_count(csv, storm->tc); /* a class has a queue of its own */
  csv_text(csv, storm->action);
  csv_integer(csv, storm->detected / OPP_NS);
  if (storm->restored >= 0)
    csv_integer(csv, storm->restored / OPP_NS);
  else
    csv_empty(csv);
  fill_traffic(csv, &storm->during);
  fill_traffic(csv, &storm->total);
}

static const csv_record_t record = {"pfc-watchdog", columns, sizeof columns / sizeof *columns, fill};

static bool is_wanted(const results_run_t* run)
{
  for (size_t i = 0; i < run->device_count; i++)
    if (sgf_device_record_config(run->devices[i]).watchdog)
      return run->config.pfc_watchdog;
  return false;
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  if (!is_wanted(run))
    return NULL;
  csv_t* csv = csv_open(&record, &run->place, error);
  if (csv == NULL)
    return NULL;
  pfc_watchdog_record_t* state = sgf_calloc(1, sizeof *state);
  *state                       = (pfc_watchdog_record_t){run, csv};
  return state;
}

static void write_rows(void* part)
{
  const pfc_watchdog_record_t* state = part;
  const results_run_t* run           = state->run;
  for (size_t i = 0; i < run->device_count; i++)
    for (size_t s = 0; s < sgf_device_storm_count(run->devices[i]); s++) {
      const row_t row = {run, run->devices[i], sgf_device_storm(run->devices[i], s)};
      csv_write(state->csv, &row);
    }
}

static void close_record(void* part, sgf_error_t* error)
{
  pfc_watchdog_record_t* state = part;
  csv_close(state->csv, error);
  free(state);
}

const results_part_t results_pfc_watchdog = {&record, open_record, write_rows, close_record};
