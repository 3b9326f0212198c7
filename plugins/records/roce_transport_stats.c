/* roce-transport-stats: packets, recovery and round trips of each RoCE NIC (spec/records.md 11). */
#include "records/transport_stats.h"

static const csv_column_t columns[] = {
    {"time_utc", CSV_TEXT},
    {"sim_time_sec", CSV_REAL},
    {"component_name", CSV_TEXT},
    {"node_id", CSV_INTEGER},
    TWINS("num_pkts_sent"),
    TWINS("num_verb_pkts_sent"),
    TWINS("num_non_verb_pkts_sent"),
    TWINS("num_conn_pkts_sent"),
    TWINS("num_conn_pkts_recvd"),
    TWINS("rdma_write_cnt"),
    TWINS("rdma_send_cnt"),
    TWINS("rdma_atomic_cnt"),
    TWINS("num_acks_sent"),
    TWINS("num_acks_recvd"),
    TWINS("num_sacks_sent"),
    TWINS("num_sacks_recvd"),
    TWINS("num_nacks_sent"),
    TWINS("num_nacks_recvd"),
    TWINS("num_writes_recvd"),
    TWINS("num_sends_recvd"),
    TWINS("num_cnp_sent"),
    TWINS("num_cnp_recvd"),
    TWINS("num_seq_out_of_order"),
    TWINS("num_duplicate"),
    {"ivl_min_size_reorder_buf_psn", CSV_INTEGER},
    {"max_size_reorder_buf_psn", CSV_INTEGER},
    {"ivl_max_size_reorder_buf_psn", CSV_INTEGER},
    {"avg_size_reorder_buf_psn", CSV_REAL},
    {"ivl_avg_size_reorder_buf_psn", CSV_REAL},
    TWINS("num_wqe_created"),
    TWINS("num_wqe_completed"),
    TWINS("num_rtx"),
    TWINS("num_rto"),
    ROUND_TRIP_COLUMNS,
    TWINS("num_rx_drops"),
    TWINS("num_rx_drops_no_qp_data"),
    TWINS("num_rx_drops_no_qp_ctrl"),
    TWINS("num_rx_drops_after_nak"),
    TWINS("num_rx_drops_ghost_ack"),
    TWINS("num_tx_payload_discards"),
};

typedef struct row {
  transport_row_t head; /* first */
  sgf_roce_counters_t now;
  sgf_roce_counters_t before; /* at the row before */
  sgf_roce_samples_t round_trips;
} row_t;

/* ---- A row ------------------------------------------------------------------------------------------------------- */

static uint64_t control_sent(const sgf_roce_counters_t* counters)
{
  return counters->acks_sent + counters->naks_sent + counters->cnps_sent;
}

static uint64_t drops(const sgf_roce_counters_t* counters)
{
  return counters->drops_no_pair_data + counters->drops_no_pair_control + counters->drops_behind_gap +
         counters->drops_ghost;
}

/* What the model does not have. */
static void none(csv_t* csv)
{
  results_twins(csv, 0, 0);
}

static void fill_packets(csv_t* csv, const sgf_roce_counters_t* now, const sgf_roce_counters_t* before)
{
  results_twins(csv, now->data_sent + control_sent(now), before->data_sent + control_sent(before));
  results_twins(csv, now->data_sent, before->data_sent);
  results_twins(csv, control_sent(now), control_sent(before));
  none(csv); /* connection packets */
  none(csv);
  results_twins(csv, now->data_sent, before->data_sent);
  none(csv); /* SEND */
  none(csv); /* ATOMIC */
  results_twins(csv, now->acks_sent, before->acks_sent);
  results_twins(csv, now->acks_received, before->acks_received);
  results_twins(csv, now->selective_sent, before->selective_sent);
  results_twins(csv, now->selective_received, before->selective_received);
  results_twins(csv, now->naks_sent, before->naks_sent);
  results_twins(csv, now->naks_received, before->naks_received);
  results_twins(csv, now->data_received, before->data_received);
  none(csv); /* SEND */
  results_twins(csv, now->cnps_sent, before->cnps_sent);
  results_twins(csv, now->cnps_received, before->cnps_received);
  results_twins(csv, now->gaps, before->gaps);
  results_twins(csv, now->duplicates, before->duplicates);
}

/* There is none. */
static void fill_reorder_buffer(csv_t* csv)
{
  for (unsigned i = 0; i < 3; i++)
    csv_count(csv, 0);
  for (unsigned i = 0; i < 2; i++)
    csv_real(csv, 0);
}

static void fill_drops(csv_t* csv, const sgf_roce_counters_t* now, const sgf_roce_counters_t* before)
{
  results_twins(csv, drops(now), drops(before));
  results_twins(csv, now->drops_no_pair_data, before->drops_no_pair_data);
  results_twins(csv, now->drops_no_pair_control, before->drops_no_pair_control);
  results_twins(csv, now->drops_behind_gap, before->drops_behind_gap);
  results_twins(csv, now->drops_ghost, before->drops_ghost);
  results_twins(csv, now->payload_discards, before->payload_discards);
}

static void fill(csv_t* csv, const void* of)
{
  const row_t* row = of;
  transport_stats_head(csv, &row->head);
  fill_packets(csv, &row->now, &row->before);
  fill_reorder_buffer(csv);
  results_twins(csv, row->now.messages_posted, row->before.messages_posted);
  results_twins(csv, row->now.messages_acknowledged, row->before.messages_acknowledged);
  results_twins(csv, row->now.recoveries, row->before.recoveries);
  results_twins(csv, row->now.timeouts, row->before.timeouts);
  transport_stats_round_trips(csv, &row->round_trips.run, &row->round_trips.interval);
  fill_drops(csv, &row->now, &row->before);
}

static const csv_record_t record = {"roce-transport-stats", columns, sizeof columns / sizeof *columns, fill};

/* ---- The record -------------------------------------------------------------------------------------------------- */

static void take(void* of)
{
  row_t* row           = of;
  sgf_device_t* device = row->head.device;
  row->before          = row->now;
  row->now             = sgf_device_roce_counters(device);
  row->round_trips     = sgf_device_roce_round_trips(device);
  sgf_device_next_roce_interval(device);
}

static const transport_stats_form_t form = {
    .record = &record, .row_size = sizeof(row_t), .has_rows = sgf_device_is_roce, .take = take};

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  return run->config.roce_transport_stats && run->config.roce_transport_stats_logging
             ? transport_stats_open(run, &form, error)
             : NULL;
}

const results_part_t results_roce_transport_stats = {&record, open_record, NULL, transport_stats_close};
