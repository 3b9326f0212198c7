/* mrc-monitor: single packets of the MRC NICs that ask for it (spec/mrc-nic.md 13), after the form of uet-monitor. */
#include "records/tellers.h"

static const csv_column_t columns[] = {
    {"sim_time_ns", CSV_INTEGER},
    {"component_name", CSV_TEXT},
    {"node_id", CSV_INTEGER},
    {"job_ID", CSV_INTEGER},
    {"packet_size", CSV_INTEGER},
    {"remote_IP", CSV_TEXT},
    {"queue_pair", CSV_INTEGER},
    {"entropy_value", CSV_INTEGER},
    {"RTT_ns", CSV_INTEGER},
    {"direction", CSV_TEXT},
    {"packet_type", CSV_TEXT},
    {"nack_code", CSV_TEXT},
    {"AR_bit", CSV_INTEGER},
    {"ECN_marked", CSV_INTEGER},
    {"M_Flag", CSV_INTEGER},
    {"probe_response", CSV_INTEGER},
    {"path_verdict", CSV_TEXT},
    {"service_time_ps", CSV_INTEGER},
    {"bytes_in_flight", CSV_INTEGER},
    {"congestion_window", CSV_INTEGER},
    {"receiver_congestion_window_penalty", CSV_INTEGER},
    {"DSCP_type", CSV_TEXT},
    {"PSN", CSV_INTEGER},
    {"CACK_PSN", CSV_INTEGER},
    {"SACK_base_PSN", CSV_INTEGER},
    {"ACK_bitmap_PSNs", CSV_TEXT},
};

typedef struct row {
  const teller_t* teller;
  const sgf_mrc_packet_t* packet;
} row_t;

/* ---- A row ------------------------------------------------------------------------------------------------------- */

static const char* reason_name(uint8_t code)
{
  static const struct {
    uint8_t code;
    const char* name;
  } reasons[] = {{0x01, "TRIMMED"},     {0x02, "TRIMMED_LASTHOP"}, {0x06, "NO_BITMAP"},  {0x07, "NO_PKT_BUFFER"},
                 {0x0a, "NO_RESOURCE"}, {0x0b, "PSN_OOR_WINDOW"},  {0x19, "UNEXP_EVENT"}};
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (reasons[i].code == code)
      return reasons[i].name;
  return "UNRECOGNIZED";
}

static void text_if(csv_t* csv, bool applies, const char* text)
{
  if (applies)
    csv_text(csv, text);
  else
    csv_empty(csv);
}

static void fill_answer(csv_t* csv, const sgf_mrc_packet_t* packet)
{
  static const char* const verdicts[] = {"NONE", "SKIP_ONCE", "ALWAYS_SKIP"};
  const bool is_sack                  = packet->type == SGF_MRC_SACK;
  results_count_if(csv, is_sack, packet->echoes);
  results_count_if(csv, is_sack, packet->is_of_probe);
  text_if(csv, is_sack, verdicts[is_sack ? packet->verdict : 0]);
  results_count_if(csv, is_sack, (uint64_t)packet->service_time);
  results_count_if(csv, packet->is_sender_known, (uint64_t)packet->in_flight);
  results_count_if(csv, packet->is_sender_known, (uint64_t)packet->window);
  results_count_if(csv, is_sack, packet->penalty);
}

/* What is cumulative before PSN 0 is -1. */
static void fill_psns(csv_t* csv, const sgf_mrc_packet_t* packet)
{
  const bool is_sack = packet->type == SGF_MRC_SACK;
  csv_count(csv, packet->psn);
  if (is_sack || packet->type == SGF_MRC_ACK)
    csv_integer(csv, (int64_t)packet->expected - 1);
  else
    csv_empty(csv);
  results_count_if(csv, is_sack, packet->bitmap_base);
  results_bitmap(csv, packet->bitmap_base, packet->bitmap);
}

static void fill(csv_t* csv, const void* of)
{
  static const char* const directions[] = {[SGF_MRC_TX] = "Tx", [SGF_MRC_RETX] = "ReTx", [SGF_MRC_RX] = "Rx"};
  static const char* const types[]      = {[SGF_MRC_DATA]  = "DATA",
                                           [SGF_MRC_PROBE] = "PROBE",
                                           [SGF_MRC_ACK]   = "ACK",
                                           [SGF_MRC_SACK]  = "SACK",
                                           [SGF_MRC_NACK]  = "NACK"};
  const row_t* row                      = of;
  const sgf_mrc_packet_t* packet        = row->packet;
  const bool is_data                    = packet->type == SGF_MRC_DATA;
  char peer[RESULTS_IP_SIZE];
  results_ip(packet->peer, peer);
  csv_integer(csv, packet->date / OPP_NS);
  csv_text(csv, sgf_device_name(row->teller->device));
  csv_count(csv, sgf_device_node_id(row->teller->device));
  csv_count(csv, is_data ? packet->message : 0);
  csv_integer(csv, packet->bytes);
  csv_text(csv, peer);
  csv_count(csv, packet->queue_pair);
  csv_count(csv, packet->entropy);
  results_count_if(csv, packet->rtt >= 0, (uint64_t)(packet->rtt / OPP_NS));
  csv_text(csv, directions[packet->direction]);
  csv_text(csv, types[packet->type]);
  text_if(csv, packet->type == SGF_MRC_NACK, reason_name(packet->reason));
  results_count_if(csv, is_data, packet->asks_for_ack);
  results_count_if(csv, packet->direction == SGF_MRC_RX, packet->is_marked);
  fill_answer(csv, packet);
  csv_text(csv, packet->dscp_type);
  fill_psns(csv, packet);
}

static const csv_record_t record = {"mrc-monitor", columns, sizeof columns / sizeof *columns, fill};

static void write_packet(void* user, const sgf_mrc_packet_t* packet)
{
  const teller_t* teller = user;
  const row_t row        = {teller, packet};
  csv_write(teller->record->csv, &row);
}

/* ---- The record -------------------------------------------------------------------------------------------------- */

static bool tells(const sgf_device_t* device)
{
  return sgf_device_mrc_record_config(device).monitor;
}

static void observe(sgf_device_t* device, teller_t* teller)
{
  sgf_device_observe_mrc_packets(device, teller != NULL ? write_packet : NULL, teller);
}

static const tellers_form_t form = {&record, tells, observe};

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  return run->config.mrc_monitor ? tellers_open(run, &form, NULL, error) : NULL;
}

const results_part_t results_mrc_monitor = {&record, open_record, NULL, tellers_close};
