/* net-buff-stats: the receive and transmit pools of the NICs that take part (spec/records.md 4). */
#include <stdio.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    {"job_id", CSV_TEXT},
    {"time_utc", CSV_TEXT},
    {"sim_time_sec", CSV_REAL},
    {"component_name", CSV_TEXT},
    {"node_id", CSV_INTEGER},
    {"buffer_id", CSV_TEXT},
    {"tc", CSV_INTEGER},
    {"occupancy_B", CSV_INTEGER},
    {"max_occupancy_B", CSV_INTEGER},
    {"buffer_max_size_B", CSV_INTEGER},
    {"num_enq", CSV_INTEGER},
    {"num_deq", CSV_INTEGER},
    {"interval_num_enq", CSV_INTEGER},
    {"interval_num_deq", CSV_INTEGER},
    {"interval_enq_B", CSV_INTEGER},
    {"interval_deq_B", CSV_INTEGER},
    {"interval_max_occupancy_B", CSV_INTEGER},
    {"enq_Gbps", CSV_REAL},
    {"deq_Gbps", CSV_REAL},
    {"overflow", CSV_INTEGER},
    {"percent_occupancy", CSV_REAL},
};

/* A pool that there is. */
typedef struct pool {
  sgf_device_t* device;
  sgf_pool_side_t side;
  unsigned tc;
  sgf_pool_stats_t before; /* at its last row */
} pool_t;

typedef struct net_buff_stats {
  results_run_t* run;
  csv_t* csv;
  opp_simtime_t interval;
  pool_t* pools; /* by node id and class, receive before transmit */
  size_t count;
} net_buff_stats_t;

typedef struct row {
  const net_buff_stats_t* record;
  const pool_t* pool;
  sgf_pool_stats_t now;
} row_t;

static void fill(csv_t* csv, const void* of)
{
  const row_t* row               = of;
  const pool_t* pool             = row->pool;
  const sgf_pool_stats_t* now    = &row->now;
  const sgf_pool_stats_t* before = &pool->before;
  const opp_simtime_t interval   = row->record->interval;
  char id[32];
  snprintf(id, sizeof id, "%s_TC%u_BUFFER", pool->side == SGF_POOL_RECEIVE ? "RX" : "TX", pool->tc);
  csv_text(csv, row->record->run->job_id);
  results_time_utc(csv, row->record->run);
  results_sim_time(csv, row->record->run);
  csv_text(csv, sgf_device_name(pool->device));
  csv_count(csv, sgf_device_node_id(pool->device));
  csv_text(csv, id);
  csv_count(csv, pool->tc);
  csv_integer(csv, now->occupancy);
  csv_integer(csv, now->peak);
  csv_integer(csv, now->size);
  csv_count(csv, now->packets_in);
  csv_count(csv, now->packets_out);
  csv_count(csv, now->packets_in - before->packets_in);
  csv_count(csv, now->packets_out - before->packets_out);
  csv_count(csv, now->bytes_in - before->bytes_in);
  csv_count(csv, now->bytes_out - before->bytes_out);
  csv_integer(csv, now->interval_peak);
  csv_real(csv, results_gbps(now->bytes_in - before->bytes_in, interval));
  csv_real(csv, results_gbps(now->bytes_out - before->bytes_out, interval));
  csv_count(csv, now->refused);
  csv_real(csv, results_ratio(100 * (double)now->occupancy, (double)now->size));
}

static const csv_record_t record = {"net-buff-stats", columns, sizeof columns / sizeof *columns, fill};

static void write_rows(void* part, opp_simtime_t date)
{
  net_buff_stats_t* stats = part;
  (void)date;
  for (size_t i = 0; i < stats->count; i++) {
    pool_t* pool = &stats->pools[i];
    row_t row    = {.record = stats, .pool = pool, .now = sgf_device_pool_stats(pool->device, pool->side, pool->tc)};
    csv_write(stats->csv, &row);
    pool->before = row.now;
    sgf_device_next_pool_interval(pool->device, pool->side, pool->tc);
  }
}

static size_t list_pools(const results_run_t* run, pool_t* pools)
{
  size_t count = 0;
  for (size_t i = 0; i < run->device_count; i++) {
    sgf_device_t* device = run->devices[i];
    if (!sgf_device_wants_pool_stats(device))
      continue;
    sgf_device_watch_pools(device);
    for (unsigned tc = 0; tc < RESULTS_CLASSES; tc++)
      for (sgf_pool_side_t side = SGF_POOL_RECEIVE; side <= SGF_POOL_TRANSMIT; side++)
        if (sgf_device_pool_stats(device, side, tc).size > 0)
          pools[count++] = (pool_t){.device = device, .side = side, .tc = tc};
  }
  return count;
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  if (!run->config.net_buff_stats || !run->config.network_buffer_stats)
    return NULL;
  pool_t* pools      = sgf_calloc(run->device_count * RESULTS_CLASSES * 2, sizeof *pools);
  const size_t count = list_pools(run, pools);
  csv_t* csv         = count > 0 ? csv_open(&record, &run->place, error) : NULL;
  if (csv == NULL) {
    free(pools);
    return NULL;
  }
  net_buff_stats_t* stats = sgf_calloc(1, sizeof *stats);
  *stats                  = (net_buff_stats_t){.run = run, .csv = csv, .pools = pools, .count = count};
  stats->interval         = results_seconds(run->config.network_buffer_interval);
  results_add_rows(run, stats->interval, write_rows, stats);
  return stats;
}

static void close_record(void* part, sgf_error_t* error)
{
  net_buff_stats_t* stats = part;
  csv_close(stats->csv, error);
  free(stats->pools);
  free(stats);
}

const results_part_t results_net_buff_stats = {&record, open_record, NULL, close_record};
