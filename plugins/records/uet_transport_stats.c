/* uet-transport-stats: packets, recovery and congestion windows of each UET NIC (spec/records.md 8). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

/* A counter and what it is of the interval. */
#define TWINS(name)                                                                                                    \
  {name, CSV_INTEGER},                                                                                                 \
  {                                                                                                                    \
    "ivl_" name, CSV_INTEGER                                                                                           \
  }

static const csv_column_t columns[] = {
    {"time_utc", CSV_TEXT},
    {"sim_time_sec", CSV_REAL},
    {"component_name", CSV_TEXT},
    {"fep_id", CSV_INTEGER},
    TWINS("total_pkts_sent"),
    TWINS("total_pkts_rcvd"),
    TWINS("write_pkts_sent"),
    TWINS("write_pkts_rcvd"),
    TWINS("ack_pkts_sent"),
    TWINS("ack_pkts_rcvd"),
    TWINS("nack_pkts_sent"),
    TWINS("nack_pkts_rcvd"),
    TWINS("wqes_created"),
    TWINS("wqes_completed"),
    TWINS("num_out_of_order_events_on_nic"),
    TWINS("max_out_of_order_on_flow"),
    TWINS("num_dup_events_on_nic"),
    TWINS("probe_sent"),
    TWINS("probe_ack_rcvd"),
    TWINS("num_rto"),
    TWINS("num_rtx"),
    TWINS("max_tx_count"),
    TWINS("m_marked_pkts_sent"),
    TWINS("m_marked_pkts_rcvd"),
    TWINS("num_quick_adapt"),
    {"ivl_calc_min_rcvr_cwnd_pen", CSV_INTEGER},
    {"calc_mean_rcvr_cwnd_pen", CSV_REAL},
    {"ivl_calc_mean_rcvr_cwnd_pen", CSV_REAL},
    {"ivl_calc_max_rcvr_cwnd_pen", CSV_INTEGER},
    {"calc_min_cwnd_bytes", CSV_INTEGER},
    {"ivl_calc_min_cwnd_bytes", CSV_INTEGER},
    {"calc_mean_cwnd_bytes", CSV_REAL},
    {"ivl_calc_mean_cwnd_bytes", CSV_REAL},
    {"ivl_calc_max_cwnd_bytes", CSV_INTEGER},
    {"ivl_min_calc_avg_q_delay_usec", CSV_REAL},
    {"avg_calc_avg_q_delay_usec", CSV_REAL},
    {"ivl_avg_calc_avg_q_delay_usec", CSV_REAL},
    {"max_calc_avg_q_delay_usec", CSV_REAL},
    {"ivl_max_calc_avg_q_delay_usec", CSV_REAL},
    {"ivl_min_calc_rtt_usec", CSV_REAL},
    {"max_calc_rtt_usec", CSV_REAL},
    {"ivl_max_calc_rtt_usec", CSV_REAL},
    {"avg_calc_rtt_usec", CSV_REAL},
    {"ivl_avg_calc_rtt_usec", CSV_REAL},
    {"ivl_calc_min_bytes_in_flight", CSV_INTEGER},
    {"calc_mean_bytes_in_flight", CSV_REAL},
    {"ivl_calc_mean_bytes_in_flight", CSV_REAL},
    {"ivl_calc_max_bytes_in_flight", CSV_INTEGER},
};

typedef struct uet_nic {
  sgf_device_t* device;
  sgf_uet_counters_t before; /* at its last row */
} uet_nic_t;

typedef struct uet_transport_stats {
  results_run_t* run;
  csv_t* csv;
  uet_nic_t* nics; /* by node id */
  size_t count;
} uet_transport_stats_t;

typedef struct row {
  const results_run_t* run;
  const sgf_device_t* device;
  sgf_uet_counters_t now;
  sgf_uet_counters_t before;
  sgf_uet_samples_t samples; /* of the run so far */
  sgf_uet_samples_t interval;
} row_t;

/* ---- A row ------------------------------------------------------------------------------------------------------- */

static uint64_t sent(const sgf_uet_counters_t* counters)
{
  return counters->data_sent + counters->acks_sent + counters->nacks_sent;
}

static uint64_t received(const sgf_uet_counters_t* counters)
{
  return counters->data_received + counters->acks_received + counters->nacks_received;
}

static void fill_counters(csv_t* csv, const row_t* row)
{
  const sgf_uet_counters_t* now    = &row->now;
  const sgf_uet_counters_t* before = &row->before;
  results_twins(csv, sent(now), sent(before));
  results_twins(csv, received(now), received(before));
  results_twins(csv, now->data_sent, before->data_sent);
  results_twins(csv, now->data_received, before->data_received);
  results_twins(csv, now->acks_sent, before->acks_sent);
  results_twins(csv, now->acks_received, before->acks_received);
  results_twins(csv, now->nacks_sent, before->nacks_sent);
  results_twins(csv, now->nacks_received, before->nacks_received);
  results_twins(csv, now->messages_posted, before->messages_posted);
  results_twins(csv, now->messages_acknowledged, before->messages_acknowledged);
  results_twins(csv, now->out_of_order, before->out_of_order);
  csv_count(csv, row->samples.held_out_of_order);
  csv_count(csv, row->interval.held_out_of_order);
  results_twins(csv, now->duplicates, before->duplicates);
  results_twins(csv, now->probes_sent, before->probes_sent);
  results_twins(csv, now->probe_acks_received, before->probe_acks_received);
  results_twins(csv, now->timeouts, before->timeouts);
  results_twins(csv, now->retransmissions, before->retransmissions);
  csv_count(csv, row->samples.transmissions);
  csv_count(csv, row->interval.transmissions);
  results_twins(csv, now->marked_sent, before->marked_sent);
  results_twins(csv, now->marked_received, before->marked_received);
  results_twins(csv, now->quick_adapts, before->quick_adapts);
}

static double mean(const sgf_samples_t* samples)
{
  return results_ratio((double)samples->sum, (double)samples->count);
}

static double mean_us(const sgf_samples_t* samples)
{
  return mean(samples) / (double)OPP_US;
}

static void fill_samples(csv_t* csv, const row_t* row)
{
  const sgf_samples_t* run      = row->samples.of;
  const sgf_samples_t* interval = row->interval.of;
  csv_integer(csv, interval[SGF_UET_PENALTY].min);
  csv_real(csv, mean(&run[SGF_UET_PENALTY]));
  csv_real(csv, mean(&interval[SGF_UET_PENALTY]));
  csv_integer(csv, interval[SGF_UET_PENALTY].max);
  csv_integer(csv, run[SGF_UET_WINDOW].min);
  csv_integer(csv, interval[SGF_UET_WINDOW].min);
  csv_real(csv, mean(&run[SGF_UET_WINDOW]));
  csv_real(csv, mean(&interval[SGF_UET_WINDOW]));
  csv_integer(csv, interval[SGF_UET_WINDOW].max);
  csv_real(csv, results_us(interval[SGF_UET_DELAY].min));
  csv_real(csv, mean_us(&run[SGF_UET_DELAY]));
  csv_real(csv, mean_us(&interval[SGF_UET_DELAY]));
  csv_real(csv, results_us(run[SGF_UET_DELAY].max));
  csv_real(csv, results_us(interval[SGF_UET_DELAY].max));
  csv_real(csv, results_us(interval[SGF_UET_RTT].min));
  csv_real(csv, results_us(run[SGF_UET_RTT].max));
  csv_real(csv, results_us(interval[SGF_UET_RTT].max));
  csv_real(csv, mean_us(&run[SGF_UET_RTT]));
  csv_real(csv, mean_us(&interval[SGF_UET_RTT]));
  csv_integer(csv, interval[SGF_UET_IN_FLIGHT].min);
  csv_real(csv, mean(&run[SGF_UET_IN_FLIGHT]));
  csv_real(csv, mean(&interval[SGF_UET_IN_FLIGHT]));
  csv_integer(csv, interval[SGF_UET_IN_FLIGHT].max);
}

static void fill(csv_t* csv, const void* of)
{
  const row_t* row = of;
  results_time_utc(csv, row->run);
  results_sim_time(csv, row->run);
  csv_text(csv, sgf_device_name(row->device));
  csv_count(csv, sgf_device_node_id(row->device));
  fill_counters(csv, row);
  fill_samples(csv, row);
}

static const csv_record_t record = {"uet-transport-stats", columns, sizeof columns / sizeof *columns, fill};

/* ---- The record -------------------------------------------------------------------------------------------------- */

static void write_rows(void* part, opp_simtime_t date)
{
  uet_transport_stats_t* stats = part;
  (void)date;
  for (size_t i = 0; i < stats->count; i++) {
    uet_nic_t* nic = &stats->nics[i];
    row_t row      = {.run = stats->run, .device = nic->device, .before = nic->before};
    row.now        = sgf_device_uet_counters(nic->device);
    row.samples    = sgf_device_uet_samples(nic->device);
    row.interval   = sgf_device_uet_interval(nic->device);
    csv_write(stats->csv, &row);
    nic->before = row.now;
    sgf_device_next_uet_interval(nic->device);
  }
}

static size_t list_nics(const results_run_t* run, uet_nic_t* nics)
{
  size_t count = 0;
  for (size_t i = 0; i < run->device_count; i++)
    if (sgf_device_uet_record_config(run->devices[i]).transport_stats) {
      nics[count++].device = run->devices[i];
      sgf_device_sample_uet(run->devices[i]);
    }
  return count;
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  if (!run->config.uet_transport_stats)
    return NULL;
  uet_nic_t* nics    = sgf_calloc(run->device_count, sizeof *nics);
  const size_t count = list_nics(run, nics);
  csv_t* csv         = count > 0 ? csv_open(&record, &run->place, error) : NULL;
  if (csv == NULL) {
    free(nics);
    return NULL;
  }
  uet_transport_stats_t* stats = sgf_calloc(1, sizeof *stats);
  *stats                       = (uet_transport_stats_t){.run = run, .csv = csv, .nics = nics, .count = count};
  results_add_rows(run, results_nd_interval(run), write_rows, stats);
  return stats;
}

static void close_record(void* part, sgf_error_t* error)
{
  uet_transport_stats_t* stats = part;
  csv_close(stats->csv, error);
  free(stats->nics);
  free(stats);
}

const results_part_t results_uet_transport_stats = {&record, open_record, NULL, close_record};
