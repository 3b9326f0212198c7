/* uet-events: what becomes of PDCs and work requests, as it happens (spec/records.md 9). */
#include <stdio.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    {"time_utc", CSV_TEXT},  {"sim_time_ns", CSV_INTEGER},    {"component_name", CSV_TEXT},
    {"FEP_ID", CSV_INTEGER}, {"local_PDC_ID", CSV_TEXT},      {"remote_PDC_ID", CSV_TEXT},
    {"wqe_ID", CSV_INTEGER}, {"wqe_size_bytes", CSV_INTEGER}, {"ev_type", CSV_TEXT},
};

static const char* const kinds[SGF_PDC_EVENT_KINDS] = {
    [SGF_PDC_CREATED] = "PDC_CREATED",   [SGF_WQE_CREATED] = "WQE_CREATED",     [SGF_SEND_COMPLETE] = "SEND_COMPLETE",
    [SGF_WQE_COMPLETE] = "WQE_COMPLETE", [SGF_RECV_COMPLETE] = "RECV_COMPLETE", [SGF_PDC_TERMINATED] = "PDC_TERMINATED",
};

typedef struct uet_events uet_events_t;

/* A NIC that tells of its events. */
typedef struct teller {
  uet_events_t* record;
  sgf_device_t* device;
} teller_t;

struct uet_events {
  results_run_t* run;
  csv_t* csv;
  teller_t* tellers;
  size_t count;
};

typedef struct row {
  const teller_t* teller;
  const sgf_pdc_event_t* event;
} row_t;

static void fill_pdc(csv_t* csv, sgf_pdc_id_t pdc)
{
  char text[RESULTS_PDC_SIZE];
  results_pdc(pdc, text);
  csv_text(csv, text);
}

static void fill(csv_t* csv, const void* of)
{
  const row_t* row             = of;
  const sgf_pdc_event_t* event = row->event;
  results_time_utc(csv, row->teller->record->run);
  csv_integer(csv, event->date / OPP_NS);
  csv_text(csv, sgf_device_name(row->teller->device));
  csv_count(csv, sgf_device_node_id(row->teller->device));
  fill_pdc(csv, event->local);
  fill_pdc(csv, event->remote);
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

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  size_t count = 0;
  for (size_t i = 0; i < run->device_count; i++)
    count += sgf_device_uet_record_config(run->devices[i]).events;
  if (!run->config.uet_events || count == 0)
    return NULL;
  csv_t* csv = csv_open(&record, &run->place, error);
  if (csv == NULL)
    return NULL;
  uet_events_t* events = sgf_calloc(1, sizeof *events);
  *events              = (uet_events_t){.run = run, .csv = csv};
  events->tellers      = sgf_calloc(count, sizeof *events->tellers);
  for (size_t i = 0; i < run->device_count; i++)
    if (sgf_device_uet_record_config(run->devices[i]).events) {
      teller_t* teller = &events->tellers[events->count++];
      *teller          = (teller_t){events, run->devices[i]};
      sgf_device_observe_pdcs(teller->device, write_event, teller);
    }
  return events;
}

static void close_record(void* part, sgf_error_t* error)
{
  uet_events_t* events = part;
  for (size_t i = 0; i < events->count; i++)
    sgf_device_observe_pdcs(events->tellers[i].device, NULL, NULL);
  csv_close(events->csv, error);
  free(events->tellers);
  free(events);
}

const results_part_t results_uet_events = {&record, open_record, NULL, close_record};
