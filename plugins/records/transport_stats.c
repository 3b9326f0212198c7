/* Rows of the NICs of a transport: see transport_stats.h. */
#include "records/transport_stats.h"

#include <stdlib.h>

#include "attr/alloc.h"

struct transport_stats {
  results_run_t* run;
  const transport_stats_form_t* form;
  csv_t* csv;
  char* rows; /* of `row_size` bytes, by node id */
  size_t count;
};

static transport_row_t* row_at(const transport_stats_t* stats, size_t i)
{
  return (transport_row_t*)(void*)(stats->rows + i * stats->form->row_size);
}

void transport_stats_head(csv_t* csv, const transport_row_t* row)
{
  results_time_utc(csv, row->record->run);
  results_sim_time(csv, row->record->run);
  csv_text(csv, sgf_device_name(row->device));
  csv_count(csv, sgf_device_node_id(row->device));
}

void transport_stats_window(csv_t* csv, const sgf_samples_t* run, const sgf_samples_t* interval)
{
  csv_integer(csv, run->min);
  csv_integer(csv, interval->min);
  csv_real(csv, results_mean(run));
  csv_real(csv, results_mean(interval));
  csv_integer(csv, interval->max);
}

void transport_stats_round_trips(csv_t* csv, const sgf_samples_t* run, const sgf_samples_t* interval)
{
  csv_real(csv, results_us(interval->min));
  csv_real(csv, results_us(run->max));
  csv_real(csv, results_us(interval->max));
  csv_real(csv, results_mean_us(run));
  csv_real(csv, results_mean_us(interval));
}

void transport_stats_in_flight(csv_t* csv, const sgf_samples_t* run, const sgf_samples_t* interval)
{
  csv_integer(csv, interval->min);
  csv_real(csv, results_mean(run));
  csv_real(csv, results_mean(interval));
  csv_integer(csv, interval->max);
}

static void write_row(void* of, opp_simtime_t date)
{
  const transport_row_t* row     = of;
  const transport_stats_t* stats = row->record;
  (void)date;
  stats->form->take(of);
  csv_write(stats->csv, row);
}

static void list_rows(transport_stats_t* stats)
{
  const results_run_t* run = stats->run;
  stats->rows              = sgf_calloc(run->device_count, stats->form->row_size);
  for (size_t i = 0; i < run->device_count; i++)
    if (stats->form->has_rows(run->devices[i]))
      *row_at(stats, stats->count++) = (transport_row_t){.record = stats, .device = run->devices[i]};
}

static void add_rows(transport_stats_t* stats)
{
  const transport_stats_form_t* form = stats->form;
  for (size_t i = 0; i < stats->count; i++) {
    transport_row_t* row = row_at(stats, i);
    if (form->sample != NULL)
      form->sample(row->device);
    results_add_rows(stats->run, form->interval != NULL ? form->interval(row->device) : results_nd_interval(stats->run),
                     write_row, row);
  }
}

static void free_record(transport_stats_t* stats)
{
  free(stats->rows);
  free(stats);
}

void* transport_stats_open(results_run_t* run, const transport_stats_form_t* form, sgf_error_t* error)
{
  transport_stats_t* stats = sgf_calloc(1, sizeof *stats);
  *stats                   = (transport_stats_t){.run = run, .form = form};
  list_rows(stats);
  stats->csv = stats->count > 0 ? csv_open(form->record, &run->place, error) : NULL;
  if (stats->csv == NULL) {
    free_record(stats);
    return NULL;
  }
  add_rows(stats);
  return stats;
}

void transport_stats_close(void* of, sgf_error_t* error)
{
  transport_stats_t* stats = of;
  csv_close(stats->csv, error);
  free_record(stats);
}
