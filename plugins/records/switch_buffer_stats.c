/* scala-switch-agg-buff-stats and scala-switch-buff-stats: samples of a switch's buffers, summed over its ports and
 * port by port (spec/records.md 5 and 6). */
#include <stdlib.h>

#include <sgfabric/explain.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t agg_columns[] = {
    {"time_utc", CSV_TEXT},
    {"sim_time_sec", CSV_REAL},
    {"component_name", CSV_TEXT},
    {"tier", CSV_INTEGER},
    {"node_id", CSV_INTEGER},
    {"buff_id", CSV_TEXT},
    {"uldl", CSV_TEXT},
    {"pool_num", CSV_INTEGER},
    {"total_bytes", CSV_INTEGER},
    {"buffer_limit", CSV_INTEGER},
    {"ivl_count", CSV_INTEGER},
    {"ivl_min_bytes", CSV_INTEGER},
    {"ivl_max_bytes", CSV_INTEGER},
    {"ivl_mean_bytes", CSV_REAL},
    {"ivl_max_pct_util", CSV_REAL},
    {"ivl_mean_pct_util", CSV_REAL},
};

static const csv_column_t port_columns[] = {
    {"time_utc", CSV_TEXT},          {"sim_time_sec", CSV_REAL},   {"component_name", CSV_TEXT},
    {"tier", CSV_INTEGER},           {"node_id", CSV_INTEGER},     {"buff_id", CSV_TEXT},
    {"ifid", CSV_INTEGER},           {"uldl", CSV_TEXT},           {"pool_num", CSV_INTEGER},
    {"buff_limit", CSV_INTEGER},     {"ivl_count", CSV_INTEGER},   {"ivl_min_bytes", CSV_INTEGER},
    {"ivl_max_bytes", CSV_INTEGER},  {"ivl_mean_bytes", CSV_REAL}, {"ivl_max_pct_util", CSV_REAL},
    {"ivl_mean_pct_util", CSV_REAL},
};

static const char* const names[] = {
    [SGF_SB_EGRESS_QUEUE]  = "egressQueue",
    [SGF_SB_INGRESS_USAGE] = "ingressUsage",
    [SGF_SB_SHARED_BUFFER] = "sharedBuffer",
    [SGF_SB_HEADROOM]      = "hdrm",
};

typedef struct buffer_record buffer_record_t;

/* A switch in one of the two records. */
typedef struct buffer_switch {
  const buffer_record_t* record;
  sgf_device_t* device;
  sgf_shared_buffer_t* buffer;
  int64_t xoff;
  int64_t headroom_per_port;
} buffer_switch_t;

struct buffer_record {
  results_run_t* run;
  csv_t* csv;
  buffer_switch_t* switches;
  size_t count;
};

typedef struct row {
  const buffer_switch_t* of;
  sgf_sb_sampled_t what;
  unsigned port;
  const char* direction;
  unsigned pool;
  int64_t limit;
  sgf_sb_samples_t samples;
} row_t;

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static void fill_place(csv_t* csv, const row_t* row)
{
  results_time_utc(csv, row->of->record->run);
  results_sim_time(csv, row->of->record->run);
  csv_text(csv, sgf_device_name(row->of->device));
  csv_count(csv, sgf_device_tier(row->of->device));
  csv_count(csv, sgf_device_node_id(row->of->device));
  csv_text(csv, names[row->what]);
}

static double mean_of(const sgf_sb_samples_t* samples)
{
  return results_ratio((double)samples->sum, (double)samples->count);
}

static void fill_samples(csv_t* csv, const sgf_sb_samples_t* samples)
{
  csv_count(csv, samples->count);
  csv_integer(csv, samples->min);
  csv_integer(csv, samples->max);
  csv_real(csv, mean_of(samples));
}

/* The sum of the samples is what the documented example has as total_bytes (C-03); percent is not clamped (C-04). */
static void fill_agg(csv_t* csv, const void* of)
{
  const row_t* row = of;
  fill_place(csv, row);
  csv_text(csv, row->direction);
  csv_count(csv, row->pool);
  csv_integer(csv, row->samples.sum);
  csv_integer(csv, row->limit);
  fill_samples(csv, &row->samples);
  csv_real(csv, results_ratio(100 * (double)row->samples.max, (double)row->limit));
  csv_real(csv, results_ratio(100 * mean_of(&row->samples), (double)row->limit));
}

static double clamped(double percent)
{
  return percent < 100 ? percent : 100;
}

static void fill_port(csv_t* csv, const void* of)
{
  const row_t* row = of;
  fill_place(csv, row);
  csv_count(csv, row->port);
  csv_text(csv, row->direction);
  csv_count(csv, row->pool);
  csv_integer(csv, row->limit);
  fill_samples(csv, &row->samples);
  csv_real(csv, clamped(results_ratio(100 * (double)row->samples.max, (double)row->limit)));
  csv_real(csv, clamped(results_ratio(100 * mean_of(&row->samples), (double)row->limit)));
}

static const csv_record_t agg_record  = {"scala-switch-agg-buff-stats", agg_columns,
                                         sizeof agg_columns / sizeof *agg_columns, fill_agg};
static const csv_record_t port_record = {"scala-switch-buff-stats", port_columns,
                                         sizeof port_columns / sizeof *port_columns, fill_port};

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static void write_direction(const buffer_switch_t* of, sgf_sb_sampled_t what, unsigned pool, bool uplink,
                            const char* direction)
{
  const row_t row = {.of        = of,
                     .what      = what,
                     .direction = direction,
                     .pool      = pool,
                     .limit     = sgf_sb_pool_size(of->buffer, pool),
                     .samples   = sgf_sb_take_samples(of->buffer, what, uplink, pool)};
  csv_write(of->record->csv, &row);
}

static void write_agg_rows(void* of, opp_simtime_t date)
{
  const buffer_switch_t* one = of;
  (void)date;
  for (unsigned pool = 0; pool < RESULTS_POOLS; pool++) {
    if (sgf_sb_pool_size(one->buffer, pool) == 0)
      continue;
    write_direction(one, SGF_SB_EGRESS_QUEUE, pool, true, "ul");
    write_direction(one, SGF_SB_EGRESS_QUEUE, pool, false, "dl");
    write_direction(one, SGF_SB_INGRESS_USAGE, pool, true, "ul");
    write_direction(one, SGF_SB_INGRESS_USAGE, pool, false, "dl");
    write_direction(one, SGF_SB_SHARED_BUFFER, pool, false, "-");
  }
}

static void write_port(const buffer_switch_t* of, sgf_sb_sampled_t what, unsigned port, unsigned pool, int64_t limit)
{
  const row_t row = {.of        = of,
                     .what      = what,
                     .port      = port,
                     .direction = results_direction(of->device, port),
                     .pool      = pool,
                     .limit     = limit,
                     .samples   = sgf_sb_take_port_samples(of->buffer, what, port, pool)};
  csv_write(of->record->csv, &row);
}

/* The limits are those of R-18. */
static void write_port_rows(void* of, opp_simtime_t date)
{
  const buffer_switch_t* one = of;
  (void)date;
  for (unsigned port = 0; port < sgf_device_port_count(one->device); port++)
    for (unsigned pool = 0; pool < RESULTS_POOLS; pool++) {
      if (sgf_sb_pool_size(one->buffer, pool) == 0)
        continue;
      write_port(one, SGF_SB_EGRESS_QUEUE, port, pool, sgf_sb_static_limit(one->buffer, pool));
      write_port(one, SGF_SB_INGRESS_USAGE, port, pool, one->xoff);
      write_port(one, SGF_SB_HEADROOM, port, pool, one->headroom_per_port);
    }
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static bool wants_ports(const results_run_t* run, const sgf_device_t* device)
{
  return run->config.switch_buffer_stats && sgf_device_record_config(device).per_port_buffers;
}

static void sample_switch(const results_run_t* run, const sgf_device_t* device)
{
  const unsigned ports = sgf_device_port_count(device);
  bool* uplinks        = sgf_calloc(ports, sizeof *uplinks);
  for (unsigned port = 0; port < ports; port++)
    uplinks[port] = sgf_device_port_is_uplink(device, port);
  sgf_sb_sample(sgf_device_buffer(device), uplinks, wants_ports(run, device));
  free(uplinks);
}

void results_sample_buffers(const results_run_t* run)
{
  for (size_t i = 0; i < run->device_count; i++)
    if (sgf_device_is_switch(run->devices[i]) &&
        (run->config.switch_agg_buffer_stats || wants_ports(run, run->devices[i])))
      sample_switch(run, run->devices[i]);
}

/* The switches that `wanted` accepts, by node id. */
static void* open_buffers(results_run_t* run, const csv_record_t* which, schedule_cb due,
                          bool (*wanted)(const results_run_t*, const sgf_device_t*), sgf_error_t* error)
{
  size_t count = 0;
  for (size_t i = 0; i < run->device_count; i++)
    count += sgf_device_is_switch(run->devices[i]) && wanted(run, run->devices[i]);
  csv_t* csv = count > 0 ? csv_open(which, &run->place, error) : NULL;
  if (csv == NULL)
    return NULL;
  buffer_record_t* record = sgf_calloc(1, sizeof *record);
  *record                 = (buffer_record_t){.run = run, .csv = csv};
  record->switches        = sgf_calloc(count, sizeof *record->switches);
  for (size_t i = 0; i < run->device_count; i++) {
    sgf_device_t* device = run->devices[i];
    if (!sgf_device_is_switch(device) || !wanted(run, device))
      continue;
    const sgf_switch_facts_t facts = sgf_explain_switch(device);
    buffer_switch_t* added         = &record->switches[record->count++];

    *added = (buffer_switch_t){.record            = record,
                               .device            = device,
                               .buffer            = sgf_device_buffer(device),
                               .xoff              = facts.xoff,
                               .headroom_per_port = facts.headroom_per_port};
    results_add_rows(run, sgf_device_record_config(device).buffer_interval, due, added);
  }
  return record;
}

static bool wants_agg(const results_run_t* run, const sgf_device_t* device)
{
  (void)device;
  return run->config.switch_agg_buffer_stats;
}

static void* open_agg(results_run_t* run, sgf_error_t* error)
{
  return open_buffers(run, &agg_record, write_agg_rows, wants_agg, error);
}

static void* open_ports(results_run_t* run, sgf_error_t* error)
{
  return open_buffers(run, &port_record, write_port_rows, wants_ports, error);
}

static void close_buffers(void* part, sgf_error_t* error)
{
  buffer_record_t* record = part;
  csv_close(record->csv, error);
  free(record->switches);
  free(record);
}

const results_part_t results_switch_agg_buffer_stats = {&agg_record, open_agg, NULL, close_buffers};
const results_part_t results_switch_buffer_stats     = {&port_record, open_ports, NULL, close_buffers};
