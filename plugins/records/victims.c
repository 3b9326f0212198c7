/* victims: what flows lost to pauses that they did not cause, a row for each flow and hold, written when the run ends
 * (spec/feedback-budget.md 7, sgfabric/victims.h). Rows come by flow, then by begin of the hold. Picoseconds: the times
 * are to be checked by hand. Flows are numbered as they were posted, from 0. */
#include <sgfabric/victims.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    {"job_id", CSV_TEXT},
    {"time_utc", CSV_TEXT},
    {"sim_time_sec", CSV_REAL},
    {"flow", CSV_INTEGER},
    {"src", CSV_TEXT},
    {"dst", CSV_TEXT},
    {"bytes", CSV_INTEGER},
    {"start_ps", CSV_INTEGER},
    {"end_ps", CSV_INTEGER},
    {"node_id", CSV_INTEGER}, /* where it was held */
    {"component_name", CSV_TEXT},
    {"component_type", CSV_TEXT},
    {"ifid", CSV_INTEGER},
    {"uldl", CSV_TEXT},
    {"peer_name", CSV_TEXT},
    {"priority", CSV_INTEGER},
    {"hold_begin_ps", CSV_INTEGER},
    {"hold_end_ps", CSV_INTEGER},
    {"wait_begin_ps", CSV_INTEGER},
    {"lost_ps", CSV_INTEGER},
    {"root_node_id", CSV_INTEGER},
    {"root_name", CSV_TEXT},
    {"root_ifid", CSV_INTEGER},
    {"root_priority", CSV_INTEGER},
    {"root_steps", CSV_INTEGER},
    {"waiting_with", CSV_TEXT}, /* flows, "0;3" */
    {"caused_by", CSV_TEXT},
};

typedef struct victims_record {
  results_run_t* run;
  csv_t* csv;
} victims_record_t;

typedef struct row {
  const results_run_t* run;
  const sgf_flow_t* flow;
  const sgf_victim_t* victim;
  const sgf_loss_t* loss;
} row_t;

/* Numbers of flows but one, in order of the list. */
static void fill_flows(csv_t* csv, const sgf_flow_share_t* flows, size_t count, size_t but)
{
  enum { DIGITS = 20 };
  char* text  = sgf_calloc(count + 1, DIGITS + 1);
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (flows[i].flow != but)
      used += (size_t)sprintf(text + used, "%s%zu", used > 0 ? ";" : "", flows[i].flow);
  csv_text(csv, text);
  free(text);
}

static void fill_flow(csv_t* csv, const row_t* row)
{
  csv_count(csv, row->victim->flow);
  csv_text(csv, row->flow->src);
  csv_text(csv, row->flow->dst);
  csv_count(csv, row->flow->bytes);
  csv_integer(csv, row->flow->start);
  if (row->flow->end >= 0)
    csv_integer(csv, row->flow->end);
  else
    csv_empty(csv);
}

static void fill_hold(csv_t* csv, const row_t* row)
{
  const sgf_hold_t* hold = row->loss->hold;
  csv_count(csv, sgf_device_node_id(hold->at.device));
  csv_text(csv, sgf_device_name(hold->at.device));
  csv_text(csv, results_component_type(hold->at.device));
  csv_count(csv, hold->at.port);
  csv_text(csv, results_direction(hold->at.device, hold->at.port));
  csv_text(csv, sgf_device_name(sgf_device_peer(hold->at.device, hold->at.port)));
  csv_count(csv, hold->at.tc);
  csv_integer(csv, hold->begin);
  csv_integer(csv, hold->end);
  csv_integer(csv, row->loss->since);
  csv_integer(csv, hold->end - row->loss->since);
  csv_count(csv, sgf_device_node_id(hold->root.device));
  csv_text(csv, sgf_device_name(hold->root.device));
  csv_count(csv, hold->root.port);
  csv_count(csv, hold->root.tc);
  csv_count(csv, hold->steps);
  fill_flows(csv, hold->waiting, hold->waiting_count, row->victim->flow);
  fill_flows(csv, hold->causers, hold->causer_count, SIZE_MAX);
}

static void fill(csv_t* csv, const void* of)
{
  const row_t* row = of;
  csv_text(csv, row->run->job_id);
  results_time_utc(csv, row->run);
  results_sim_time(csv, row->run);
  fill_flow(csv, row);
  fill_hold(csv, row);
}

static const csv_record_t record = {"victims", columns, sizeof columns / sizeof *columns, fill};

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  if (!run->config.victim_stats || !run->config.victims)
    return NULL;
  csv_t* csv = csv_open(&record, &run->place, error);
  if (csv == NULL)
    return NULL;
  sgf_victims_watch(run->fabric);
  victims_record_t* state = sgf_calloc(1, sizeof *state);
  *state                  = (victims_record_t){run, csv};
  return state;
}

static int by_flow(const void* a, const void* b)
{
  const size_t left  = (*(const sgf_victim_t* const*)a)->flow;
  const size_t right = (*(const sgf_victim_t* const*)b)->flow;
  return (left > right) - (left < right);
}

static void write_rows(void* part)
{
  const victims_record_t* state = part;
  sgf_report_t* report          = sgf_report_new(state->run->fabric);
  sgf_victims_t* victims        = sgf_victims_new(state->run->fabric);
  const sgf_victim_t** sorted   = sgf_calloc(victims->count, sizeof(sgf_victim_t*));
  for (size_t v = 0; v < victims->count; v++)
    sorted[v] = &victims->items[v];
  qsort(sorted, victims->count, sizeof *sorted, by_flow);
  for (size_t v = 0; v < victims->count; v++)
    for (size_t i = 0; i < sorted[v]->loss_count; i++) {
      const row_t row = {state->run, &report->flows[sorted[v]->flow], sorted[v], &sorted[v]->losses[i]};
      csv_write(state->csv, &row);
    }
  free(sorted);
  sgf_victims_free(victims);
  sgf_report_free(report);
}

static void close_record(void* part, sgf_error_t* error)
{
  victims_record_t* state = part;
  csv_close(state->csv, error);
  free(state);
}

const results_part_t results_victims = {&record, open_record, write_rows, close_record};
