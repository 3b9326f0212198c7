/* uet-monitor: single UET packets of the connections that filters and triggers select (spec/records.md 10). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "records/tellers.h"

static const csv_column_t columns[] = {
    {"sim_time_ns", CSV_INTEGER},
    {"component_name", CSV_TEXT},
    {"FEP_ID", CSV_INTEGER},
    {"job_ID", CSV_INTEGER},
    {"packet_UID", CSV_INTEGER},
    {"packet_size", CSV_INTEGER},
    {"local_PDC_ID", CSV_TEXT},
    {"remote_PDC_ID", CSV_TEXT},
    {"entropy_value", CSV_INTEGER},
    {"RTT_ns", CSV_INTEGER},
    {"direction", CSV_TEXT},
    {"packet_type", CSV_TEXT},
    {"nack_code", CSV_TEXT},
    {"AR_bit", CSV_INTEGER},
    {"ECN_marked", CSV_INTEGER},
    {"M_Flag", CSV_INTEGER},
    {"NIC_prefetched_bytes", CSV_INTEGER},
    {"PDC_prefetched_bytes", CSV_INTEGER},
    {"bytes_fetched", CSV_INTEGER},
    {"bytes_in_flight", CSV_INTEGER},
    {"congestion_window", CSV_INTEGER},
    {"receiver_congestion_window_penalty", CSV_INTEGER},
    {"DSCP_type", CSV_TEXT},
    {"PSN", CSV_INTEGER},
    {"CACK_PSN", CSV_INTEGER},
    {"SACK_base_PSN", CSV_INTEGER},
    {"ACK_bitmap_PSNs", CSV_TEXT},
};

/* A connection is known by its sending end and the address of the other: what both ends always know. */
typedef struct connection {
  uint32_t sender; /* address; 0: an empty place */
  uint32_t receiver;
  uint16_t id;
} connection_t;

/* Which connections are selected. */
typedef struct selection {
  const sgf_uet_monitor_config_t* config; /* of the first UET NIC */
  connection_t* selected;                 /* open addressing */
  size_t selected_count;
  size_t selected_size; /* a power of two */
  uint64_t triggered;
} selection_t;

typedef struct row {
  const teller_t* teller;
  const sgf_uet_packet_t* packet;
} row_t;

/* ---- A row ------------------------------------------------------------------------------------------------------- */

/* Of a probe and a NACK it is the id of the sending end, or of what the other one has. */
static uint64_t entropy(const sgf_uet_packet_t* packet)
{
  if (packet->type == SGF_UET_DATA || packet->type == SGF_UET_ACK)
    return packet->entropy;
  return packet->direction == SGF_UET_RX ? packet->remote.id : packet->local.id;
}

static void fill_sender(csv_t* csv, const sgf_uet_packet_t* packet, bool applies)
{
  results_count_if(csv, applies, (uint64_t)packet->sender.nic_prefetched);
  results_count_if(csv, applies, (uint64_t)packet->sender.pdc_prefetched);
  results_count_if(csv, applies, (uint64_t)packet->sender.fetched);
  results_count_if(csv, applies, (uint64_t)packet->sender.in_flight);
  results_count_if(csv, applies, (uint64_t)packet->sender.window);
}

static void fill(csv_t* csv, const void* of)
{
  static const char* const directions[] = {[SGF_UET_TX] = "Tx", [SGF_UET_RETX] = "ReTx", [SGF_UET_RX] = "Rx"};
  static const char* const types[]      = {
           [SGF_UET_DATA] = "RUD_REQUEST", [SGF_UET_ACK] = "ACK_CC", [SGF_UET_NACK] = "NACK", [SGF_UET_PROBE] = "CTRL"};
  const row_t* row               = of;
  const sgf_uet_packet_t* packet = row->packet;
  const bool is_received         = packet->direction == SGF_UET_RX;
  const bool is_ack              = packet->type == SGF_UET_ACK;
  const bool is_nack             = packet->type == SGF_UET_NACK;
  const bool is_of_sender        = packet->is_sender_known && !is_nack;
  csv_integer(csv, packet->date / OPP_NS);
  csv_text(csv, sgf_device_name(row->teller->device));
  csv_count(csv, sgf_device_node_id(row->teller->device));
  csv_count(csv, is_of_sender ? packet->message : 0);
  csv_count(csv, packet->id);
  csv_integer(csv, packet->bytes);
  results_fill_pdc(csv, packet->local);
  results_fill_pdc(csv, packet->remote);
  csv_count(csv, entropy(packet));
  results_count_if(csv, packet->rtt >= 0, (uint64_t)(packet->rtt / OPP_NS));
  csv_text(csv, directions[packet->direction]);
  csv_text(csv, types[packet->type]);
  if (is_nack)
    csv_text(csv, packet->is_of_last_hop ? "UET_TRIMMED_LASTHOP" : "UET_TRIMMED");
  else
    csv_empty(csv);
  results_count_if(csv, packet->type == SGF_UET_DATA, packet->asks_for_ack);
  results_count_if(csv, is_received && !is_nack, packet->is_marked);
  results_count_if(csv, is_ack || is_nack, packet->echoes);
  fill_sender(csv, packet, is_of_sender);
  results_count_if(csv, is_ack, packet->penalty);
  csv_text(csv, packet->dscp_type);
  csv_count(csv, packet->psn);
  if (is_ack)
    csv_integer(csv, (int64_t)packet->expected - 1);
  else
    csv_empty(csv);
  results_count_if(csv, is_ack, packet->bitmap_base);
  results_bitmap(csv, packet->bitmap_base, packet->bitmap);
}

static const csv_record_t record = {"uet-monitor", columns, sizeof columns / sizeof *columns, fill};

/* ---- Which connections ------------------------------------------------------------------------------------------- */

static connection_t connection_of(const sgf_uet_packet_t* packet)
{
  const sgf_pdc_id_t sender   = packet->is_local_sender ? packet->local : packet->remote;
  const sgf_pdc_id_t receiver = packet->is_local_sender ? packet->remote : packet->local;
  return (connection_t){sender.address, receiver.address, sender.id};
}

/* Its place in the table: where it is, or where it belongs. */
static connection_t* place_of(connection_t* table, size_t size, const connection_t* connection)
{
  const uint64_t key = ((uint64_t)connection->sender << 32 | connection->receiver) ^ (uint64_t)connection->id << 24;
  size_t place       = (key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (size - 1);
  while (table[place].sender != 0 &&
         (table[place].sender != connection->sender || table[place].receiver != connection->receiver ||
          table[place].id != connection->id))
    place = (place + 1) & (size - 1);
  return &table[place];
}

static void grow(selection_t* selection)
{
  const size_t size   = 2 * selection->selected_size;
  connection_t* table = sgf_calloc(size, sizeof *table);
  for (size_t i = 0; i < selection->selected_size; i++)
    if (selection->selected[i].sender != 0)
      *place_of(table, size, &selection->selected[i]) = selection->selected[i];
  free(selection->selected);
  selection->selected      = table;
  selection->selected_size = size;
}

static bool matches(const char* filter, const char* text)
{
  return strcmp(filter, "All") == 0 || strcmp(filter, text) == 0;
}

static const char* without_id(char* pdc)
{
  *strrchr(pdc, ':') = '\0';
  return pdc;
}

static bool passes_filters(const sgf_uet_monitor_config_t* config, const sgf_device_t* device,
                           const sgf_uet_packet_t* packet)
{
  char fep_id[16], local[RESULTS_PDC_SIZE], remote[RESULTS_PDC_SIZE];
  snprintf(fep_id, sizeof fep_id, "%" PRIu32, sgf_device_node_id(device));
  results_pdc(packet->local, local);
  results_pdc(packet->remote, remote);
  return matches(config->fep_id, fep_id) && (matches(config->pdc, local) || matches(config->pdc, remote)) &&
         matches(config->local_ip, without_id(local)) && matches(config->remote_ip, without_id(remote));
}

/* A penalty is in an acknowledgement, and what was in the last one is known when data is sent. */
static bool triggers(const sgf_uet_monitor_config_t* config, const sgf_uet_packet_t* packet)
{
  const bool is_data_sent = packet->type == SGF_UET_DATA && packet->direction != SGF_UET_RX;
  const bool is_ack       = packet->type == SGF_UET_ACK;
  return (config->rtt_trigger && packet->rtt >= 0 && packet->rtt >= config->rtt_threshold) ||
         (config->penalty_trigger && (is_ack || is_data_sent) && packet->penalty >= config->penalty_threshold);
}

/* Whether the packet's connection is selected, by it or before it. */
static bool is_selected(const teller_t* teller, const sgf_uet_packet_t* packet)
{
  selection_t* selection        = teller->record->user;
  const connection_t connection = connection_of(packet);
  connection_t* place           = place_of(selection->selected, selection->selected_size, &connection);
  if (place->sender != 0)
    return true;
  const sgf_uet_monitor_config_t* config = selection->config;
  if (!(config->enable && passes_filters(config, teller->device, packet))) {
    if (selection->triggered >= config->trigger_limit || !triggers(config, packet))
      return false;
    selection->triggered++;
  }
  *place = connection;
  if (2 * ++selection->selected_count > selection->selected_size)
    grow(selection);
  return true;
}

static void write_packet(void* user, const sgf_uet_packet_t* packet)
{
  const teller_t* teller = user;
  const row_t row        = {teller, packet};
  if (is_selected(teller, packet))
    csv_write(teller->record->csv, &row);
}

/* ---- The record -------------------------------------------------------------------------------------------------- */

static const sgf_uet_monitor_config_t* first_config(const results_run_t* run)
{
  for (size_t i = 0; i < run->device_count; i++)
    if (sgf_device_uet_monitor_config(run->devices[i]) != NULL)
      return sgf_device_uet_monitor_config(run->devices[i]);
  return NULL;
}

static bool tells(const sgf_device_t* device)
{
  return sgf_device_uet_monitor_config(device) != NULL;
}

static void observe(sgf_device_t* device, teller_t* teller)
{
  sgf_device_observe_packets(device, teller != NULL ? write_packet : NULL, teller);
}

static const tellers_form_t form = {&record, tells, observe};

static void free_selection(selection_t* selection)
{
  free(selection->selected);
  free(selection);
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  const sgf_uet_monitor_config_t* config = first_config(run);
  if (!run->config.uet_monitor || config == NULL || !(config->enable || config->rtt_trigger || config->penalty_trigger))
    return NULL;
  selection_t* selection = sgf_calloc(1, sizeof *selection);
  *selection             = (selection_t){.config = config, .selected_size = 64};
  selection->selected    = sgf_calloc(selection->selected_size, sizeof *selection->selected);
  tellers_t* tellers     = tellers_open(run, &form, selection, error);
  if (tellers == NULL)
    free_selection(selection);
  return tellers;
}

static void close_record(void* part, sgf_error_t* error)
{
  const tellers_t* tellers = part;
  selection_t* selection   = tellers->user;
  tellers_close(part, error);
  free_selection(selection);
}

const results_part_t results_uet_monitor = {&record, open_record, NULL, close_record};
