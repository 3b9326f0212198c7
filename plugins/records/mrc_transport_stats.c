/* mrc-transport-stats: packets, recovery, windows and paths of each MRC NIC (spec/mrc-nic.md 13). Names are those of
 * uet-transport-stats where both have the same. */
#include "records/transport_stats.h"

static const csv_column_t columns[] = {
    {"time_utc", CSV_TEXT},
    {"sim_time_sec", CSV_REAL},
    {"component_name", CSV_TEXT},
    {"node_id", CSV_INTEGER},
    TWINS("total_pkts_sent"),
    TWINS("total_pkts_rcvd"),
    TWINS("write_pkts_sent"),
    TWINS("write_pkts_rcvd"),
    TWINS("ack_pkts_sent"),
    TWINS("ack_pkts_rcvd"),
    TWINS("sack_pkts_sent"),
    TWINS("sack_pkts_rcvd"),
    TWINS("nack_pkts_sent"),
    TWINS("nack_pkts_rcvd"),
    TWINS("probe_sent"),
    TWINS("probe_rcvd"),
    TWINS("probe_ack_rcvd"),
    TWINS("wqes_created"),
    TWINS("wqes_completed"),
    TWINS("msgs_delivered"),
    TWINS("num_out_of_order_events_on_nic"),
    TWINS("max_out_of_order_on_flow"),
    TWINS("num_dup_events_on_nic"),
    TWINS("num_out_of_window"),
    TWINS("num_trimmed_rcvd"),
    TWINS("num_rto"),
    TWINS("num_rtx"),
    TWINS("max_tx_count"),
    TWINS("num_gap_losses"),
    TWINS("num_trim_nacks"),
    TWINS("num_other_nacks"),
    TWINS("m_marked_pkts_sent"),
    TWINS("m_marked_pkts_rcvd"),
    TWINS("num_quick_adapt"),
    TWINS("num_paths_skipped"),
    TWINS("num_paths_bad"),
    TWINS("num_ctrl_left_out"),
    TWINS("num_probes_left_out"),
    TWINS("num_generation_restarts"),
    WINDOW_COLUMNS,
    ROUND_TRIP_COLUMNS,
    IN_FLIGHT_COLUMNS,
};

typedef struct row {
  transport_row_t head; /* first */
  sgf_mrc_counters_t now;
  sgf_mrc_counters_t before; /* at the row before */
  sgf_mrc_samples_t samples; /* of the run so far */
  sgf_mrc_samples_t interval;
} row_t;

/* ---- A row ------------------------------------------------------------------------------------------------------- */

/* Without probes, as in uet-transport-stats. */
static uint64_t sent(const sgf_mrc_counters_t* counters)
{
  return counters->data_sent + counters->acks_sent + counters->sacks_sent + counters->nacks_sent;
}

static uint64_t received(const sgf_mrc_counters_t* counters)
{
  return counters->data_received + counters->acks_received + counters->sacks_received + counters->nacks_received;
}

static void fill_packets(csv_t* csv, const sgf_mrc_counters_t* now, const sgf_mrc_counters_t* before)
{
  results_twins(csv, sent(now), sent(before));
  results_twins(csv, received(now), received(before));
  results_twins(csv, now->data_sent, before->data_sent);
  results_twins(csv, now->data_received, before->data_received);
  results_twins(csv, now->acks_sent, before->acks_sent);
  results_twins(csv, now->acks_received, before->acks_received);
  results_twins(csv, now->sacks_sent, before->sacks_sent);
  results_twins(csv, now->sacks_received, before->sacks_received);
  results_twins(csv, now->nacks_sent, before->nacks_sent);
  results_twins(csv, now->nacks_received, before->nacks_received);
  results_twins(csv, now->probes_sent, before->probes_sent);
  results_twins(csv, now->probes_received, before->probes_received);
  results_twins(csv, now->probe_answers, before->probe_answers);
  results_twins(csv, now->messages_posted, before->messages_posted);
  results_twins(csv, now->messages_acknowledged, before->messages_acknowledged);
  results_twins(csv, now->messages_delivered, before->messages_delivered);
}

static void fill_recovery(csv_t* csv, const row_t* row)
{
  const sgf_mrc_counters_t* now    = &row->now;
  const sgf_mrc_counters_t* before = &row->before;
  results_twins(csv, now->out_of_order, before->out_of_order);
  csv_count(csv, row->samples.held_out_of_order);
  csv_count(csv, row->interval.held_out_of_order);
  results_twins(csv, now->duplicates, before->duplicates);
  results_twins(csv, now->out_of_window, before->out_of_window);
  results_twins(csv, now->trimmed, before->trimmed);
  results_twins(csv, now->timeouts, before->timeouts);
  results_twins(csv, now->retransmissions, before->retransmissions);
  csv_count(csv, row->samples.transmissions);
  csv_count(csv, row->interval.transmissions);
  results_twins(csv, now->gap_losses, before->gap_losses);
  results_twins(csv, now->trims, before->trims);
  results_twins(csv, now->refusals, before->refusals);
  results_twins(csv, now->marked_sent, before->marked_sent);
  results_twins(csv, now->marked_received, before->marked_received);
  results_twins(csv, now->quick_adapts, before->quick_adapts);
  results_twins(csv, now->skipped_paths, before->skipped_paths);
  results_twins(csv, now->bad_paths, before->bad_paths);
  results_twins(csv, now->control_left_out, before->control_left_out);
  results_twins(csv, now->probes_left_out, before->probes_left_out);
  results_twins(csv, now->restarts, before->restarts);
}

static void fill_samples(csv_t* csv, const row_t* row)
{
  const sgf_samples_t* run      = row->samples.of;
  const sgf_samples_t* interval = row->interval.of;
  transport_stats_window(csv, &run[SGF_MRC_WINDOW], &interval[SGF_MRC_WINDOW]);
  transport_stats_round_trips(csv, &run[SGF_MRC_RTT], &interval[SGF_MRC_RTT]);
  transport_stats_in_flight(csv, &run[SGF_MRC_IN_FLIGHT], &interval[SGF_MRC_IN_FLIGHT]);
}

static void fill(csv_t* csv, const void* of)
{
  const row_t* row = of;
  transport_stats_head(csv, &row->head);
  fill_packets(csv, &row->now, &row->before);
  fill_recovery(csv, row);
  fill_samples(csv, row);
}

static const csv_record_t record = {"mrc-transport-stats", columns, sizeof columns / sizeof *columns, fill};

/* ---- The record -------------------------------------------------------------------------------------------------- */

static void take(void* of)
{
  row_t* row           = of;
  sgf_device_t* device = row->head.device;
  row->before          = row->now;
  row->now             = sgf_device_mrc_counters(device);
  row->samples         = sgf_device_mrc_samples(device);
  row->interval        = sgf_device_mrc_interval(device);
  sgf_device_next_mrc_interval(device);
}

static bool has_rows(const sgf_device_t* device)
{
  return sgf_device_mrc_record_config(device).transport_stats;
}

static opp_simtime_t interval_of(const sgf_device_t* device)
{
  return sgf_device_mrc_record_config(device).stats_interval;
}

static const transport_stats_form_t form = {.record   = &record,
                                            .row_size = sizeof(row_t),
                                            .has_rows = has_rows,
                                            .interval = interval_of,
                                            .sample   = sgf_device_sample_mrc,
                                            .take     = take};

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  return run->config.mrc_transport_stats ? transport_stats_open(run, &form, error) : NULL;
}

const results_part_t results_mrc_transport_stats = {&record, open_record, NULL, transport_stats_close};
