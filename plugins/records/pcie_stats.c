/* pcie-stats: both ends of the PCIe link of each NIC (spec/records.md 13). The specification names no columns: these
 * are ours (R-16, README.md). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    {"time_utc", CSV_TEXT},
    {"sim_time_sec", CSV_REAL},
    {"component_name", CSV_TEXT},
    {"node_id", CSV_INTEGER},
    {"pcie_end", CSV_TEXT},
    {"link_bytes_tx", CSV_INTEGER},
    {"ivl_link_bytes_tx", CSV_INTEGER},
    {"num_tlp_tx", CSV_INTEGER},
    {"ivl_num_tlp_tx", CSV_INTEGER},
    {"num_reads", CSV_INTEGER},
    {"ivl_num_reads", CSV_INTEGER},
    {"num_writes", CSV_INTEGER},
    {"ivl_num_writes", CSV_INTEGER},
    {"busy_usec", CSV_REAL},
    {"ivl_busy_usec", CSV_REAL},
    {"ivl_percent_busy", CSV_REAL},
    {"credit_wait_usec", CSV_REAL},
    {"ivl_credit_wait_usec", CSV_REAL},
    {"write_wait_usec", CSV_REAL},
    {"ivl_write_wait_usec", CSV_REAL},
    {"max_tx_header_B", CSV_INTEGER},
    {"max_tx_data_B", CSV_INTEGER},
    {"max_rx_header_B", CSV_INTEGER},
    {"max_rx_data_B", CSV_INTEGER},
};

enum { ENDS = SGF_PCIE_HOST + 1 };

typedef struct pcie_stats {
  results_run_t* run;
  csv_t* csv;
  opp_simtime_t interval;
  sgf_pcie_stats_t* before; /* ENDS for each device, at its last row */
} pcie_stats_t;

typedef struct row {
  const pcie_stats_t* record;
  const sgf_device_t* device;
  sgf_pcie_end_t end;
  sgf_pcie_stats_t now;
  sgf_pcie_stats_t before;
} row_t;

static void twin_times(csv_t* csv, opp_simtime_t now, opp_simtime_t before)
{
  csv_real(csv, results_us(now));
  csv_real(csv, results_us(now - before));
}

static void fill(csv_t* csv, const void* of)
{
  const row_t* row               = of;
  const sgf_pcie_stats_t* now    = &row->now;
  const sgf_pcie_stats_t* before = &row->before;
  results_time_utc(csv, row->record->run);
  results_sim_time(csv, row->record->run);
  csv_text(csv, sgf_device_name(row->device));
  csv_count(csv, sgf_device_node_id(row->device));
  csv_text(csv, row->end == SGF_PCIE_NIC ? "NIC" : "Host");
  results_twins(csv, (uint64_t)now->link_bytes, (uint64_t)before->link_bytes);
  results_twins(csv, (uint64_t)now->transfers, (uint64_t)before->transfers);
  results_twins(csv, (uint64_t)now->reads, (uint64_t)before->reads);
  results_twins(csv, (uint64_t)now->writes, (uint64_t)before->writes);
  twin_times(csv, now->busy, before->busy);
  csv_real(csv, results_ratio(100 * (double)(now->busy - before->busy), (double)row->record->interval));
  twin_times(csv, now->credit_wait, before->credit_wait);
  twin_times(csv, now->write_wait, before->write_wait);
  csv_integer(csv, now->tx_header_peak);
  csv_integer(csv, now->tx_data_peak);
  csv_integer(csv, now->rx_header_peak);
  csv_integer(csv, now->rx_data_peak);
}

static const csv_record_t record = {"pcie-stats", columns, sizeof columns / sizeof *columns, fill};

static void write_rows(void* part, opp_simtime_t date)
{
  pcie_stats_t* stats      = part;
  const results_run_t* run = stats->run;
  (void)date;
  for (size_t i = 0; i < run->device_count; i++)
    for (sgf_pcie_end_t end = SGF_PCIE_NIC; end <= SGF_PCIE_HOST && !sgf_device_is_switch(run->devices[i]); end++) {
      sgf_pcie_stats_t* before = &stats->before[i * ENDS + end];
      row_t row                = {.record = stats, .device = run->devices[i], .end = end, .before = *before};
      row.now                  = sgf_device_pcie_stats(row.device, end);
      csv_write(stats->csv, &row);
      *before = row.now;
    }
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  if (!run->config.pcie_stats || !run->config.pcie_stats_logging)
    return NULL;
  csv_t* csv = csv_open(&record, &run->place, error);
  if (csv == NULL)
    return NULL;
  pcie_stats_t* stats = sgf_calloc(1, sizeof *stats);
  *stats              = (pcie_stats_t){.run = run, .csv = csv, .interval = results_nd_interval(run)};
  stats->before       = sgf_calloc(run->device_count * ENDS, sizeof *stats->before);
  results_add_rows(run, stats->interval, write_rows, stats);
  return stats;
}

static void close_record(void* part, sgf_error_t* error)
{
  pcie_stats_t* stats = part;
  csv_close(stats->csv, error);
  free(stats->before);
  free(stats);
}

const results_part_t results_pcie_stats = {&record, open_record, NULL, close_record};
