/* scala-switch-load-balancing-stats: what each member of each equal-cost set was given (spec/records.md 7, R-11). */
#include <stdio.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    {"time_utc", CSV_TEXT},
    {"sim_time_sec", CSV_REAL},
    {"component_name", CSV_TEXT},
    {"component_type", CSV_TEXT},
    {"node_id", CSV_INTEGER},
    {"tier", CSV_INTEGER},
    {"subtier", CSV_INTEGER},
    {"ifid", CSV_INTEGER},
    {"ecmp_group_id", CSV_INTEGER},
    {"ecmp_group_ifids", CSV_TEXT},
    {"group_size", CSV_INTEGER},
    {"group_formed_ns", CSV_INTEGER},
    {"flow_table_slots", CSV_INTEGER},
    {"bytes", CSV_INTEGER},
    {"ivl_bytes", CSV_INTEGER},
    {"packets", CSV_INTEGER},
    {"ivl_packets", CSV_INTEGER},
    {"assignments", CSV_INTEGER},
    {"ivl_assignments", CSV_INTEGER},
    {"movements_in", CSV_INTEGER},
    {"ivl_movements_in", CSV_INTEGER},
    {"movements_out", CSV_INTEGER},
    {"ivl_movements_out", CSV_INTEGER},
    {"ivl_share", CSV_REAL},
    {"paused_skips", CSV_INTEGER},
    {"ivl_paused_skips", CSV_INTEGER},
    {"paused_selections", CSV_INTEGER},
    {"ivl_paused_selections", CSV_INTEGER},
};

/* An equal-cost set of a switch. */
typedef struct balanced_set {
  char* ports;                /* of its members, "4:5:6" */
  sgf_member_stats_t* before; /* of its members at their last rows */
} balanced_set_t;

typedef struct balanced_switch {
  struct balancing* record;
  sgf_device_t* device;
  balanced_set_t* sets; /* those met so far */
  size_t set_count;
  opp_simtime_t written; /* date of the last rows; -1: none yet */
} balanced_switch_t;

typedef struct balancing {
  results_run_t* run;
  csv_t* csv;
  balanced_switch_t* switches;
  size_t count;
} balancing_t;

typedef struct row {
  const balanced_switch_t* of;
  size_t set;
  sgf_set_stats_t stats;
  sgf_member_stats_t member;
  const sgf_member_stats_t* before;
  uint64_t set_bytes; /* of all members in the interval */
} row_t;

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static void fill(csv_t* csv, const void* of)
{
  const row_t* row                 = of;
  const sgf_device_t* device       = row->of->device;
  const sgf_member_stats_t* now    = &row->member;
  const sgf_member_stats_t* before = row->before;
  results_time_utc(csv, row->of->record->run);
  results_sim_time(csv, row->of->record->run);
  csv_text(csv, sgf_device_name(device));
  csv_text(csv, results_component_type(device));
  csv_count(csv, sgf_device_node_id(device));
  csv_count(csv, sgf_device_tier(device));
  csv_count(csv, RESULTS_NO_SUBTIER);
  csv_count(csv, now->port);
  csv_count(csv, row->set);
  csv_text(csv, row->of->sets[row->set].ports);
  csv_count(csv, row->stats.size);
  csv_integer(csv, row->stats.formed / OPP_NS);
  csv_count(csv, row->stats.slots);
  results_twins(csv, now->bytes, before->bytes);
  results_twins(csv, now->packets, before->packets);
  results_twins(csv, now->assignments, before->assignments);
  results_twins(csv, now->movements_in, before->movements_in);
  results_twins(csv, now->movements_out, before->movements_out);
  csv_real(csv, results_ratio((double)(now->bytes - before->bytes), (double)row->set_bytes));
  results_twins(csv, now->paused_skips, before->paused_skips);
  results_twins(csv, now->paused_selections, before->paused_selections);
}

static const csv_record_t record = {"scala-switch-load-balancing-stats", columns, sizeof columns / sizeof *columns,
                                    fill};

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static char* ports_of(const sgf_device_t* device, size_t set, unsigned members)
{
  enum { LONGEST = sizeof ":4294967295" };
  char* text  = sgf_calloc((size_t)members * LONGEST + 1, 1);
  size_t used = 0;
  for (unsigned i = 0; i < members; i++)
    used +=
        (size_t)snprintf(text + used, LONGEST, "%s%u", i > 0 ? ":" : "", sgf_device_member_stats(device, set, i).port);
  return text;
}

/* The switch has met sets since the last rows. */
static void list_sets(balanced_switch_t* one)
{
  const size_t count = sgf_device_set_count(one->device);
  if (count == one->set_count)
    return;
  one->sets = sgf_realloc(one->sets, count, sizeof *one->sets);
  for (size_t set = one->set_count; set < count; set++) {
    const unsigned members = sgf_device_set_stats(one->device, set).size;

    one->sets[set] = (balanced_set_t){.ports  = ports_of(one->device, set, members),
                                      .before = sgf_calloc(members, sizeof(sgf_member_stats_t))};
  }
  one->set_count = count;
}

static void write_set(const balanced_switch_t* one, size_t set)
{
  row_t row                  = {.of = one, .set = set, .stats = sgf_device_set_stats(one->device, set)};
  sgf_member_stats_t* before = one->sets[set].before;
  for (unsigned i = 0; i < row.stats.size; i++)
    row.set_bytes += sgf_device_member_stats(one->device, set, i).bytes - before[i].bytes;
  for (unsigned i = 0; i < row.stats.size; i++) {
    row.member = sgf_device_member_stats(one->device, set, i);
    row.before = &before[i];
    csv_write(one->record->csv, &row);
    before[i] = row.member;
  }
}

static void write_rows(void* of, opp_simtime_t date)
{
  balanced_switch_t* one = of;
  list_sets(one);
  for (size_t set = 0; set < one->set_count; set++)
    write_set(one, set);
  one->written = date;
}

/* Once more, unless the run ends with rows. */
static void end_record(void* part)
{
  balancing_t* balancing   = part;
  const opp_simtime_t date = balancing->run->date;
  for (size_t i = 0; i < balancing->count; i++)
    if (balancing->switches[i].written < date)
      write_rows(&balancing->switches[i], date);
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static bool is_balanced(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) && sgf_device_record_config(device).load_balancing;
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  size_t count = 0;
  for (size_t i = 0; i < run->device_count; i++)
    count += is_balanced(run->devices[i]);
  csv_t* csv = run->config.load_balancing_stats && count > 0 ? csv_open(&record, &run->place, error) : NULL;
  if (csv == NULL)
    return NULL;
  balancing_t* balancing = sgf_calloc(1, sizeof *balancing);
  *balancing             = (balancing_t){.run = run, .csv = csv};
  balancing->switches    = sgf_calloc(count, sizeof *balancing->switches);
  for (size_t i = 0; i < run->device_count; i++) {
    sgf_device_t* device = run->devices[i];
    if (!is_balanced(device))
      continue;
    balanced_switch_t* added = &balancing->switches[balancing->count++];

    *added = (balanced_switch_t){.record = balancing, .device = device, .written = -1};
    results_add_rows(run, sgf_device_record_config(device).load_balancing_interval, write_rows, added);
  }
  return balancing;
}

static void close_record(void* part, sgf_error_t* error)
{
  balancing_t* balancing = part;
  csv_close(balancing->csv, error);
  for (size_t i = 0; i < balancing->count; i++) {
    balanced_switch_t* one = &balancing->switches[i];
    for (size_t set = 0; set < one->set_count; set++) {
      free(one->sets[set].ports);
      free(one->sets[set].before);
    }
    free(one->sets);
  }
  free(balancing->switches);
  free(balancing);
}

const results_part_t results_load_balancing_stats = {&record, open_record, end_record, close_record};
