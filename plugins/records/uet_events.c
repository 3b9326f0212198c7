/* uet-events: what becomes of PDCs and work requests, as it happens (spec/records.md 9). */
#include "records/tellers.h"

static const csv_column_t columns[] = {
    {"time_utc", CSV_TEXT},  {"sim_time_ns", CSV_INTEGER},    {"component_name", CSV_TEXT},
    {"FEP_ID", CSV_INTEGER}, {"local_PDC_ID", CSV_TEXT},      {"remote_PDC_ID", CSV_TEXT},
    {"wqe_ID", CSV_INTEGER}, {"wqe_size_bytes", CSV_INTEGER}, {"ev_type", CSV_TEXT},
};

static const char* const kinds[SGF_PDC_EVENT_KINDS] = {
    [SGF_PDC_CREATED] = "PDC_CREATED",   [SGF_WQE_CREATED] = "WQE_CREATED",     [SGF_SEND_COMPLETE] = "SEND_COMPLETE",
    [SGF_WQE_COMPLETE] = "WQE_COMPLETE", [SGF_RECV_COMPLETE] = "RECV_COMPLETE", [SGF_PDC_TERMINATED] = "PDC_TERMINATED",
};

typedef struct row {
  const teller_t* teller;
  const sgf_pdc_event_t* event;
} row_t;

static void fill(csv_t* csv, const void* of)
{
  const row_t* row             = of;
  const sgf_pdc_event_t* event = row->event;
  results_time_utc(csv, row->teller->record->run);
  csv_integer(csv, event->date / OPP_NS);
  csv_text(csv, sgf_device_name(row->teller->device));
  csv_count(csv, sgf_device_node_id(row->teller->device));
  results_fill_pdc(csv, event->local);
  results_fill_pdc(csv, event->remote);
  if (event->is_of_work_request) {
    csv_count(csv, event->work_request);
    csv_count(csv, event->bytes);
  } else {
    csv_empty(csv);
    csv_empty(csv);
  }
  csv_text(csv, kinds[event->kind]);
}

static const csv_record_t record = {"uet-events", columns, sizeof columns / sizeof *columns, fill};

static void write_event(void* user, const sgf_pdc_event_t* event)
{
  const teller_t* teller = user;
  const row_t row        = {teller, event};
  results_set_date(teller->record->run, event->date);
  csv_write(teller->record->csv, &row);
}

static bool tells(const sgf_device_t* device)
{
  return sgf_device_uet_record_config(device).events;
}

static void observe(sgf_device_t* device, teller_t* teller)
{
  sgf_device_observe_pdcs(device, teller != NULL ? write_event : NULL, teller);
}

static const tellers_form_t form = {&record, tells, observe};

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  return run->config.uet_events ? tellers_open(run, &form, NULL, error) : NULL;
}

const results_part_t results_uet_events = {&record, open_record, NULL, tellers_close};
