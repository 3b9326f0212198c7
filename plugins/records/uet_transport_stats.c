/* uet-transport-stats: packets, recovery and congestion windows of each UET NIC (spec/records.md 8). */
#include "records/transport_stats.h"

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
    WINDOW_COLUMNS,
    {"ivl_min_calc_avg_q_delay_usec", CSV_REAL},
    {"avg_calc_avg_q_delay_usec", CSV_REAL},
    {"ivl_avg_calc_avg_q_delay_usec", CSV_REAL},
    {"max_calc_avg_q_delay_usec", CSV_REAL},
    {"ivl_max_calc_avg_q_delay_usec", CSV_REAL},
    ROUND_TRIP_COLUMNS,
    IN_FLIGHT_COLUMNS,
};

typedef struct row {
  transport_row_t head; /* first */
  sgf_uet_counters_t now;
  sgf_uet_counters_t before; /* at the row before */
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

static void fill_samples(csv_t* csv, const row_t* row)
{
  const sgf_samples_t* run      = row->samples.of;
  const sgf_samples_t* interval = row->interval.of;
  csv_integer(csv, interval[SGF_UET_PENALTY].min);
  csv_real(csv, results_mean(&run[SGF_UET_PENALTY]));
  csv_real(csv, results_mean(&interval[SGF_UET_PENALTY]));
  csv_integer(csv, interval[SGF_UET_PENALTY].max);
  transport_stats_window(csv, &run[SGF_UET_WINDOW], &interval[SGF_UET_WINDOW]);
  csv_real(csv, results_us(interval[SGF_UET_DELAY].min));
  csv_real(csv, results_mean_us(&run[SGF_UET_DELAY]));
  csv_real(csv, results_mean_us(&interval[SGF_UET_DELAY]));
  csv_real(csv, results_us(run[SGF_UET_DELAY].max));
  csv_real(csv, results_us(interval[SGF_UET_DELAY].max));
  transport_stats_round_trips(csv, &run[SGF_UET_RTT], &interval[SGF_UET_RTT]);
  transport_stats_in_flight(csv, &run[SGF_UET_IN_FLIGHT], &interval[SGF_UET_IN_FLIGHT]);
}

static void fill(csv_t* csv, const void* of)
{
  const row_t* row = of;
  transport_stats_head(csv, &row->head);
  fill_counters(csv, row);
  fill_samples(csv, row);
}

static const csv_record_t record = {"uet-transport-stats", columns, sizeof columns / sizeof *columns, fill};

/* ---- The record -------------------------------------------------------------------------------------------------- */

static void take(void* of)
{
  row_t* row           = of;
  sgf_device_t* device = row->head.device;
  row->before          = row->now;
  row->now             = sgf_device_uet_counters(device);
  row->samples         = sgf_device_uet_samples(device);
  row->interval        = sgf_device_uet_interval(device);
  sgf_device_next_uet_interval(device);
}

static bool has_rows(const sgf_device_t* device)
{
  return sgf_device_uet_record_config(device).transport_stats;
}

static const transport_stats_form_t form = {
    .record = &record, .row_size = sizeof(row_t), .has_rows = has_rows, .sample = sgf_device_sample_uet, .take = take};

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  return run->config.uet_transport_stats ? transport_stats_open(run, &form, error) : NULL;
}

const results_part_t results_uet_transport_stats = {&record, open_record, NULL, transport_stats_close};
