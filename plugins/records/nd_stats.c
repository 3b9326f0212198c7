/* nd-stats: packets, bytes, rates and drops of each device port (spec/records.md 2). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    {"time_utc", CSV_TEXT},
    {"sim_time_sec", CSV_REAL},
    {"component_name", CSV_TEXT},
    {"nd_name", CSV_TEXT},
    {"component_type", CSV_TEXT},
    {"ifid", CSV_INTEGER},
    {"uldl", CSV_TEXT},
    {"node_id", CSV_INTEGER},
    {"tier", CSV_INTEGER},
    {"subtier", CSV_INTEGER},
    {"total_packets_tx", CSV_INTEGER},
    {"total_packets_rx", CSV_INTEGER},
    {"total_bytes_tx_GB", CSV_REAL},
    {"total_bytes_rx_GB", CSV_REAL},
    {"interval_bytes_tx_MB", CSV_REAL},
    {"interval_bytes_rx_MB", CSV_REAL},
    {"tx_rate_Gbps", CSV_REAL},
    {"rx_rate_Gbps", CSV_REAL},
    {"tx_link_percent_util", CSV_REAL},
    {"rx_link_percent_util", CSV_REAL},
    {"tx_drops", CSV_INTEGER},
    {"rx_drops", CSV_INTEGER},
};

/* Bytes of a port at its last row. */
typedef struct port_bytes {
  uint64_t tx;
  uint64_t rx;
} port_bytes_t;

typedef struct nd_stats {
  results_run_t* run;
  csv_t* csv;
  opp_simtime_t interval;
  port_bytes_t* before; /* of all ports, device by device */
} nd_stats_t;

typedef struct row {
  const nd_stats_t* record;
  const sgf_device_t* device;
  unsigned port;
  sgf_port_stats_t stats;
  port_bytes_t bytes; /* in the interval */
} row_t;

static void fill(csv_t* csv, const void* of)
{
  const row_t* row       = of;
  const double tx_rate   = results_gbps(row->bytes.tx, row->record->interval);
  const double rx_rate   = results_gbps(row->bytes.rx, row->record->interval);
  const double link_rate = (double)sgf_device_port_bps(row->device, row->port) / 1e9;
  results_time_utc(csv, row->record->run);
  results_sim_time(csv, row->record->run);
  csv_text(csv, sgf_device_name(row->device));
  csv_text(csv, results_port_class(row->device));
  csv_text(csv, results_component_type(row->device));
  csv_count(csv, row->port);
  csv_text(csv, results_direction(row->device, row->port));
  csv_count(csv, sgf_device_node_id(row->device));
  csv_count(csv, sgf_device_tier(row->device));
  csv_count(csv, RESULTS_NO_SUBTIER);
  csv_count(csv, row->stats.tx_packets);
  csv_count(csv, row->stats.rx_packets);
  csv_real(csv, (double)row->stats.tx_bytes / 1e9);
  csv_real(csv, (double)row->stats.rx_bytes / 1e9);
  csv_real(csv, (double)row->bytes.tx / 1e6);
  csv_real(csv, (double)row->bytes.rx / 1e6);
  csv_real(csv, tx_rate);
  csv_real(csv, rx_rate);
  csv_real(csv, results_ratio(100 * tx_rate, link_rate));
  csv_real(csv, results_ratio(100 * rx_rate, link_rate));
  csv_count(csv, row->stats.tx_drops);
  csv_count(csv, row->stats.rx_drops);
}

static const csv_record_t record = {"nd-stats", columns, sizeof columns / sizeof *columns, fill};

static void write_rows(void* part, opp_simtime_t date)
{
  nd_stats_t* stats        = part;
  const results_run_t* run = stats->run;
  port_bytes_t* before     = stats->before;
  (void)date;
  for (size_t i = 0; i < run->device_count; i++)
    for (unsigned port = 0; port < sgf_device_port_count(run->devices[i]); port++, before++) {
      row_t row    = {.record = stats, .device = run->devices[i], .port = port};
      row.stats    = sgf_device_port_stats(row.device, port);
      row.bytes.tx = row.stats.tx_bytes - before->tx;
      row.bytes.rx = row.stats.rx_bytes - before->rx;
      csv_write(stats->csv, &row);
      *before = (port_bytes_t){row.stats.tx_bytes, row.stats.rx_bytes};
    }
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  if (!run->config.nd_stats || !run->config.net_device_stats)
    return NULL;
  csv_t* csv = csv_open(&record, &run->place, error);
  if (csv == NULL)
    return NULL;
  nd_stats_t* stats = sgf_calloc(1, sizeof *stats);
  *stats            = (nd_stats_t){.run = run, .csv = csv, .interval = results_nd_interval(run)};
  stats->before     = sgf_calloc(results_port_count(run), sizeof *stats->before);
  results_add_rows(run, stats->interval, write_rows, stats);
  return stats;
}

static void close_record(void* part, sgf_error_t* error)
{
  nd_stats_t* stats = part;
  csv_close(stats->csv, error);
  free(stats->before);
  free(stats);
}

const results_part_t results_nd_stats = {&record, open_record, NULL, close_record};
