/* The CSV records of a run: which there are, their clock and their life. */
#include "records/results_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attr/alloc.h"
#include "records/files.h"

const results_part_t* const results_parts[] = {
    &results_topology_report,
    &results_nd_stats,
    &results_ecn_pfc_stats,
    &results_switch_agg_buffer_stats,
    &results_switch_buffer_stats,
    &results_load_balancing_stats,
    &results_uet_transport_stats,
    &results_net_buff_stats,
    &results_uet_events,
    &results_pcie_stats,
    &results_uet_monitor,
    &results_roce_transport_stats,
    &results_pfc_watchdog,
    &results_feedback_events,
    &results_victims,
    &results_mrc_transport_stats,
    &results_mrc_monitor,
};
enum { PARTS = sizeof results_parts / sizeof *results_parts };
const size_t results_part_count = PARTS;

struct sgf_results {
  results_run_t run;
  void* parts[PARTS]; /* NULL: not recorded */
};

/* ---- Dates ------------------------------------------------------------------------------------------------------- */

opp_simtime_t results_seconds(sgf_decimal_t seconds)
{
  return seconds.digits * (OPP_S / seconds.scale);
}

opp_simtime_t results_nd_interval(const results_run_t* run)
{
  return results_seconds(run->config.nd_stats_interval);
}

void results_add_rows(results_run_t* run, opp_simtime_t interval, schedule_cb due, void* user)
{
  const opp_simtime_t start =
      results_seconds(run->config.start_time) + results_seconds(run->config.client_start_offset);
  if (interval < OPP_TIME_MAX - start)
    schedule_add(run->schedule, start + interval, interval, due, user);
}

void results_set_date(results_run_t* run, opp_simtime_t date)
{
  const time_t now = time(NULL);
  struct tm utc;
  run->date = date;
  if (run->config.time_utc[0] != '\0')
    memcpy(run->time_utc, run->config.time_utc, sizeof run->time_utc - 1); /* of the form that its attribute has */
  else if (now != run->stamped && gmtime_r(&now, &utc) != NULL)
    strftime(run->time_utc, sizeof run->time_utc, "%Y-%m-%dT%H:%M:%SZ", &utc);
  run->stamped = now;
}

static opp_simtime_t tick(void* user, opp_simtime_t now)
{
  sgf_results_t* results = user;
  results_set_date(&results->run, now);
  return schedule_tick(results->run.schedule, now);
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static int by_node_id(const void* a, const void* b)
{
  const uint32_t left  = sgf_device_node_id(*(sgf_device_t* const*)a);
  const uint32_t right = sgf_device_node_id(*(sgf_device_t* const*)b);
  return (left > right) - (left < right);
}

static void list_devices(results_run_t* run)
{
  run->device_count = sgf_fabric_device_count(run->fabric);
  run->devices      = sgf_calloc(run->device_count, sizeof(sgf_device_t*));
  for (size_t i = 0; i < run->device_count; i++)
    run->devices[i] = sgf_fabric_device(run->fabric, i);
  qsort(run->devices, run->device_count, sizeof *run->devices, by_node_id);
}

/* What is not recorded now must not be taken for a result of this run. */
static void remove_files(const csv_place_t* place)
{
  for (size_t i = 0; i < PARTS; i++) {
    char* name = csv_file_name(results_parts[i]->record, place);
    records_remove_file(name);
    free(name);
  }
}

static void results_free(sgf_results_t* results, sgf_error_t* error)
{
  for (size_t i = 0; i < PARTS; i++)
    if (results->parts[i] != NULL)
      results_parts[i]->close(results->parts[i], error);
  schedule_free(results->run.schedule);
  free(results->run.devices);
  free(results->run.folder);
  free(results->run.simulation);
  free(results);
}

static sgf_status_t open_parts(sgf_results_t* results, sgf_error_t* error)
{
  sgf_error_t reason = {0};
  for (size_t i = 0; i < PARTS && reason.status == SGF_OK; i++)
    results->parts[i] = results_parts[i]->open(&results->run, &reason);
  if (reason.status != SGF_OK)
    sgf_error_set(error, reason.status, "%s", reason.text);
  return reason.status;
}

sgf_results_t* sgf_results_open(sgf_fabric_t* fabric, const sgf_results_config_t* config, const char* folder,
                                const char* simulation_name, sgf_error_t* error)
{
  sgf_results_t* results = sgf_calloc(1, sizeof *results);
  results_run_t* run     = &results->run;
  run->fabric            = fabric;
  if (config != NULL)
    run->config = *config;
  else
    sgf_attr_defaults(&sgf_results_attributes, &run->config, error);
  run->folder     = sgf_strdup(folder);
  run->simulation = sgf_strdup(simulation_name);
  run->place      = (csv_place_t){.folder = run->folder, .simulation = run->simulation, .shard = 0};
  run->job_id     = run->config.job_id[0] != '\0' ? run->config.job_id : run->simulation;
  run->schedule   = schedule_new();
  list_devices(run);
  remove_files(&run->place);
  results_sample_buffers(run);
  if (open_parts(results, error) != SGF_OK) {
    sgf_error_t ignored = {0};
    results_free(results, &ignored);
    return NULL;
  }
  const opp_simtime_t first = schedule_next(run->schedule);
  if (first != OPP_TIME_MAX)
    sgf_fabric_add_clock(fabric, first, tick, results);
  return results;
}

sgf_status_t sgf_results_close(sgf_results_t* results, opp_simtime_t end, sgf_error_t* error)
{
  sgf_error_t reason = {0};
  sgf_fabric_remove_clock(results->run.fabric, tick, results);
  results_set_date(&results->run, end);
  for (size_t i = 0; i < PARTS; i++)
    if (results->parts[i] != NULL && results_parts[i]->end != NULL)
      results_parts[i]->end(results->parts[i]);
  results_free(results, &reason);
  if (reason.status != SGF_OK)
    sgf_error_set(error, reason.status, "%s", reason.text);
  return reason.status;
}
