/* feedback-events: how fast feedback worked, a row for each measurement as it ends (spec/feedback-budget.md 3, 4,
 * 11.2). What the other kind of measurement alone has is empty. Picoseconds: the times are to be checked by hand. */
#include <sgfabric/feedback.h>

#include <stdlib.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    {"time_utc", CSV_TEXT},
    {"sim_time_ns", CSV_INTEGER},
    {"component_name", CSV_TEXT},
    {"component_type", CSV_TEXT},
    {"node_id", CSV_INTEGER},
    {"ifid", CSV_INTEGER},
    {"priority", CSV_INTEGER},
    {"ev_type", CSV_TEXT},
    {"begin_ps", CSV_INTEGER},
    {"duration_ps", CSV_INTEGER},
    {"src", CSV_TEXT}, /* Tcc: the flow, and the parts of the duration in their order */
    {"dst", CSV_TEXT},
    {"queue_pair", CSV_INTEGER},
    {"mark_to_cnp_ps", CSV_INTEGER},
    {"cnp_way_ps", CSV_INTEGER},
    {"cnp_to_cut_ps", CSV_INTEGER},
    {"cut_to_start_ps", CSV_INTEGER},
    {"start_to_queue_ps", CSV_INTEGER},
    {"rate_before_bps", CSV_INTEGER},
    {"rate_after_bps", CSV_INTEGER},
    {"paused_ps", CSV_INTEGER}, /* Tp: from the decision to the resume */
    {"pkts_after", CSV_INTEGER},
    {"bytes_after", CSV_INTEGER},
    {"peak_above_xoff_bytes", CSV_INTEGER},
    {"headroom_bytes", CSV_INTEGER},
};

enum { OF_TCC = 10, OF_TP = 5 }; /* columns of one kind alone */

static const char* const kinds[SGF_FEEDBACK_KINDS] = {[SGF_FEEDBACK_TCC] = "TCC", [SGF_FEEDBACK_TP] = "TP"};

typedef struct feedback_events {
  results_run_t* run;
  csv_t* csv;
} feedback_events_t;

typedef struct row {
  const results_run_t* run;
  const sgf_feedback_event_t* event;
} row_t;

static void fill_empty(csv_t* csv, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    csv_empty(csv);
}

static void fill_tcc(csv_t* csv, const sgf_feedback_event_t* event)
{
  const sgf_feedback_tcc_t* tcc = &event->tcc;
  csv_text(csv, sgf_device_name(tcc->src));
  csv_text(csv, sgf_device_name(tcc->dst));
  csv_count(csv, tcc->queue_pair);
  csv_integer(csv, tcc->cnp_sent - event->begin);
  csv_integer(csv, tcc->cnp_received - tcc->cnp_sent);
  csv_integer(csv, tcc->cut - tcc->cnp_received);
  csv_integer(csv, tcc->started - tcc->cut);
  csv_integer(csv, event->begin + event->duration - tcc->started);
  csv_integer(csv, tcc->rate_before);
  csv_integer(csv, tcc->rate_after);
}

static void fill_tp(csv_t* csv, const sgf_feedback_event_t* event)
{
  const sgf_feedback_tp_t* tp = &event->tp;
  if (tp->resumed < 0)
    csv_empty(csv);
  else
    csv_integer(csv, tp->resumed - event->begin);
  csv_count(csv, tp->frames);
  csv_integer(csv, tp->bytes);
  csv_integer(csv, tp->above);
  csv_integer(csv, tp->headroom);
}

static void fill(csv_t* csv, const void* of)
{
  const row_t* row                  = of;
  const sgf_feedback_event_t* event = row->event;
  results_time_utc(csv, row->run);
  csv_integer(csv, row->run->date / OPP_NS);
  csv_text(csv, sgf_device_name(event->device));
  csv_text(csv, results_component_type(event->device));
  csv_count(csv, sgf_device_node_id(event->device));
  csv_count(csv, event->port);
  csv_count(csv, event->tc);
  csv_text(csv, kinds[event->kind]);
  csv_integer(csv, event->begin);
  if (event->duration < 0)
    csv_empty(csv);
  else
    csv_integer(csv, event->duration);
  if (event->kind == SGF_FEEDBACK_TCC) {
    fill_tcc(csv, event);
    fill_empty(csv, OF_TP);
  } else {
    fill_empty(csv, OF_TCC);
    fill_tp(csv, event);
  }
}

static const csv_record_t record = {"feedback-events", columns, sizeof columns / sizeof *columns, fill};

static void write_event(void* user, const sgf_feedback_event_t* event)
{
  const feedback_events_t* events = user;
  const row_t row                 = {events->run, event};
  if (event->kind == SGF_FEEDBACK_TCC)
    results_set_date(events->run, event->begin + event->duration);
  else if (event->tp.resumed >= 0) /* else it is the end of the run */
    results_set_date(events->run, event->tp.resumed);
  csv_write(events->csv, &row);
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  if (!run->config.feedback_stats)
    return NULL;
  sgf_feedback_measure(run->fabric); /* also for the summary alone */
  if (!run->config.feedback_events)
    return NULL;
  csv_t* csv = csv_open(&record, &run->place, error);
  if (csv == NULL)
    return NULL;
  feedback_events_t* events = sgf_calloc(1, sizeof *events);
  *events                   = (feedback_events_t){.run = run, .csv = csv};
  sgf_feedback_observe(run->fabric, write_event, events);
  return events;
}

static void end_record(void* part)
{
  const feedback_events_t* events = part;
  sgf_feedback_end(events->run->fabric);
}

static void close_record(void* part, sgf_error_t* error)
{
  feedback_events_t* events = part;
  sgf_feedback_observe(events->run->fabric, NULL, NULL);
  csv_close(events->csv, error);
  free(events);
}

const results_part_t results_feedback_events = {&record, open_record, end_record, close_record};
