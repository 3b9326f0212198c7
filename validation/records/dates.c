/* When rows are written, in what order, and which records there are: spec/records.md 1.2, 1.4, RC-02, RC-19, R-01,
 * */
#include "csv_support.h"
#include "fabric/fabric_support.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MS (OPP_S / 1000)

/* Two leaves of two hosts with two spines, and writes across at each of the dates. */
static fabric_rig_t crossing(const char* const* settings, const opp_simtime_t* dates, size_t count)
{
  fabric_rig_t rig = rig_leaf_spine(2, 2, 2, 1, 1, settings);
  for (size_t i = 0; i < count; i++)
    for (unsigned src = 0; src < 4; src++)
      sgf_op_unref(rig_write(&rig, src, (src + 2) % 4, 20000, 0, dates[i]));
  return rig;
}

static void record_crossing(const char* simulation, const char* const* settings, const char* const* pairs,
                            opp_simtime_t end)
{
  static const opp_simtime_t dates[] = {0, 3 * MS + MS / 10};
  fabric_rig_t rig                   = crossing(settings, dates, 2);
  sgf_results_t* results             = csv_start(rig.fabric, simulation, pairs);
  csv_run_until(rig.fabric, end);
  csv_finish(results, end);
  rig_free(&rig);
}

/* "0.003 0.004 ": the dates that a record has rows of, each once, in the order of the rows. */
static char* dates_of(const char* simulation, csv_kind_t kind, const char* const* where)
{
  static char dates[4096];
  csv_table_t table = csv_read_table(CSV_FOLDER, simulation, kind);
  const char* last  = "";
  size_t used       = 0;
  dates[0]          = '\0';
  for (size_t row = csv_find(&table, 0, where); row < table.row_count; row = csv_find(&table, row + 1, where)) {
    const char* date = csv_at(&table, row, "sim_time_sec");
    if (strcmp(date, last) != 0)
      used += (size_t)snprintf(dates + used, sizeof dates - used, "%s ", date);
    last = date;
  }
  char* copy = strdup(dates);
  csv_free_table(&table);
  return copy;
}

static void check_dates(const char* simulation, csv_kind_t kind, const char* const* where, const char* expected)
{
  char* dates = dates_of(simulation, kind, where);
  if (strcmp(dates, expected) != 0)
    printf("\n  %s of %s: %s", csv_kind_names[kind], simulation, dates);
  CU_ASSERT_STRING_EQUAL(dates, expected);
  free(dates);
}

/* ---- Dates ------------------------------------------------------------------------------------------------------- */

#define PAUSING                                                                                                        \
  "switch.SharedBufferManager.StaticPoolXoffThreshold", "8KB", "switch.SharedBufferManager.StaticPoolXonThreshold",    \
      "4KB", "switch.ReportPerPortBufferStats", "true"

SGF_TEST(RC_02_first_rows_are_due_at_3_ms_and_the_next_at_4)
{
  record_crossing("RC_02", SETTINGS(PAUSING, CSV_ALL_SETTINGS), WHERE(CSV_ALL_RECORDS, "zero_rows", "true"),
                  4 * MS + MS / 2);
  check_dates("RC_02", CSV_ND_STATS, WHERE(NULL), "0.003 0.004 ");
  check_dates("RC_02", CSV_ECN_PFC_STATS, WHERE(NULL), "0.003 0.004 ");
  check_dates("RC_02", CSV_AGG_BUFF_STATS, WHERE(NULL), "0.003 0.004 ");
  check_dates("RC_02", CSV_BUFF_STATS, WHERE(NULL), "0.003 0.004 ");
  check_dates("RC_02", CSV_UET_TRANSPORT_STATS, WHERE(NULL), "0.003 0.004 ");
  check_dates("RC_02", CSV_NET_BUFF_STATS, WHERE(NULL), "0.003 0.004 ");
  check_dates("RC_02", CSV_PCIE_STATS, WHERE(NULL), "0.003 0.004 ");
  check_dates("RC_02", CSV_LOAD_BALANCING_STATS, WHERE(NULL), "0.003 0.004 0.0045 ");
}

SGF_TEST(RC_19_the_last_interval_of_load_balancing_is_partial)
{
  record_crossing("RC_19", SETTINGS(NULL), NULL, 3 * MS + 4 * MS / 10);
  check_dates("RC_19", CSV_LOAD_BALANCING_STATS, WHERE(NULL), "0.003 0.0034 ");
  check_dates("RC_19", CSV_ND_STATS, WHERE(NULL), "0.003 ");
  check_dates("RC_19", CSV_AGG_BUFF_STATS, WHERE(NULL), "0.003 ");
  /* What was written at 3.1 ms is in the 0.4 ms alone. */
  csv_table_t table = csv_read_table(CSV_FOLDER, "RC_19", CSV_LOAD_BALANCING_STATS);
  long long bytes = 0, first = 0, last = 0;
  for (size_t row = 0; row < table.row_count; row++)
    if (strcmp(csv_at(&table, row, "sim_time_sec"), "0.003") == 0) {
      first += csv_integer_at(&table, row, "ivl_bytes");
      CU_ASSERT_EQUAL(csv_integer_at(&table, row, "ivl_bytes"), csv_integer_at(&table, row, "bytes"));
    } else {
      last += csv_integer_at(&table, row, "ivl_bytes");
      bytes += csv_integer_at(&table, row, "bytes");
    }
  CU_ASSERT(first > 4 * 20000);
  CU_ASSERT_EQUAL(first, last); /* the same writes */
  CU_ASSERT_EQUAL(bytes, first + last);
  csv_free_table(&table);
}

SGF_TEST(R_01_a_run_that_ends_with_rows_has_them_once)
{
  record_crossing("R_01", SETTINGS(NULL), NULL, 4 * MS);
  check_dates("R_01", CSV_LOAD_BALANCING_STATS, WHERE(NULL), "0.003 0.004 ");
  csv_table_t table = csv_read_table(CSV_FOLDER, "R_01", CSV_LOAD_BALANCING_STATS);
  const size_t row  = csv_find(&table, 0, WHERE("sim_time_sec", "0.004"));
  CU_ASSERT_EQUAL(table.row_count, 2 * row);
  csv_free_table(&table);
}

SGF_TEST(a_run_that_ends_before_the_first_rows_has_those_of_its_end)
{
  record_crossing("early", SETTINGS(NULL), NULL, MS);
  check_dates("early", CSV_ND_STATS, WHERE(NULL), "");
  check_dates("early", CSV_AGG_BUFF_STATS, WHERE(NULL), "");
  check_dates("early", CSV_LOAD_BALANCING_STATS, WHERE(NULL), "0.001 ");
}

SGF_TEST(start_and_intervals_are_those_of_the_attributes)
{
  record_crossing("starts", SETTINGS("switch.BufferStatsReportInterval", "700us"),
                  WHERE("StartTime", "0.0002", "ClientStartOffset", "0.0003", "NDStatsReportInterval", "0.0015"),
                  4 * MS);
  check_dates("starts", CSV_ND_STATS, WHERE(NULL), "0.002 0.0035 ");
  check_dates("starts", CSV_AGG_BUFF_STATS, WHERE(NULL), "0.0012 0.0019 0.0026 0.0033 0.004 ");
  check_dates("starts", CSV_LOAD_BALANCING_STATS, WHERE(NULL), "0.0015 0.0025 0.0035 0.004 ");
}

SGF_TEST(each_switch_has_its_own_interval)
{
  record_crossing("own",
                  SETTINGS("switch.LoadBalancingStatsReportInterval", "500us", "leaf1:switch.BufferStatsReportInterval",
                           "400us", "leaf1:switch.LoadBalancingStatsReportInterval", "300us"),
                  NULL, 3 * MS);
  check_dates("own", CSV_AGG_BUFF_STATS, WHERE("component_name", "leaf0"), "0.003 ");
  check_dates("own", CSV_AGG_BUFF_STATS, WHERE("component_name", "leaf1"), "0.0024 0.0028 ");
  check_dates("own", CSV_LOAD_BALANCING_STATS, WHERE("component_name", "leaf0"), "0.0025 0.003 ");
  check_dates("own", CSV_LOAD_BALANCING_STATS, WHERE("component_name", "leaf1"), "0.0023 0.0026 0.0029 0.003 ");
}

SGF_TEST(no_row_is_written_for_a_date_that_the_run_does_not_reach)
{
  static const opp_simtime_t date = 0;
  fabric_rig_t rig                = crossing(SETTINGS(NULL), &date, 1);
  sgf_results_t* results          = csv_start(rig.fabric, "unreached", WHERE("StartTime", "0"));
  sgf_engine_drain(rig.fabric);
  CU_ASSERT(sgf_engine_clock(rig.fabric) < MS);
  csv_finish(results, sgf_engine_clock(rig.fabric));
  rig_free(&rig);
  check_dates("unreached", CSV_ND_STATS, WHERE(NULL), "");
}

/* ---- Order ------------------------------------------------------------------------------------------------------- */

static int place_of(const char* text, const char* const* texts)
{
  int place = 0;
  while (texts[place] != NULL && strcmp(texts[place], text) != 0)
    place++;
  return place;
}

/* Where a row belongs: date, node id, port or group, class or pool, buffer type, direction. */
static double order_of(const csv_table_t* table, size_t row, const char* const* keys)
{
  double order = csv_real_at(table, row, "sim_time_sec") * 1e6; /* in us */
  for (size_t i = 0; keys[i] != NULL; i++) {
    const char* text = csv_at(table, row, keys[i]);
    if (strcmp(keys[i], "buffer_id") == 0)
      order = order * 16 + (text[0] == 'T'); /* receive before transmit */
    else if (strcmp(keys[i], "pcie_end") == 0)
      order = order * 16 + place_of(text, WHERE("NIC", "Host"));
    else if (strcmp(keys[i], "buff_id") == 0)
      order = order * 16 + place_of(text, WHERE("egressQueue", "ingressUsage", "hdrm", "sharedBuffer"));
    else if (strcmp(keys[i], "uldl") == 0)
      order = order * 16 + place_of(text, WHERE("ul", "dl", "-"));
    else
      order = order * 16 + (double)csv_integer_at(table, row, keys[i]);
  }
  return order;
}

static void check_order(csv_kind_t kind, const char* const* keys)
{
  csv_table_t table = csv_read_table(CSV_FOLDER, "R_19", kind);
  unsigned nodes    = 0;
  for (size_t row = 1; row < table.row_count; row++) {
    CU_ASSERT(order_of(&table, row - 1, keys) < order_of(&table, row, keys));
    nodes += strcmp(csv_at(&table, row - 1, keys[0]), csv_at(&table, row, keys[0])) != 0;
  }
  CU_ASSERT(nodes > 0);
  csv_free_table(&table);
}

/* leaf0, of the least node id, has the longer interval: its rows still come first where both are due. */
SGF_TEST(R_19_rows_of_one_instant_come_by_node_port_class_and_kind)
{
  record_crossing("R_19",
                  SETTINGS(PAUSING, CSV_ALL_SETTINGS, "switch.BufferStatsReportInterval", "100us",
                           "switch.LoadBalancingStatsReportInterval", "100us", "leaf0:switch.BufferStatsReportInterval",
                           "200us", "leaf0:switch.LoadBalancingStatsReportInterval", "200us"),
                  WHERE(CSV_ALL_RECORDS, "zero_rows", "true", "NDStatsReportInterval", "0.0001",
                        "NetworkBufferStatsReportingInterval", "0.0001"),
                  4 * MS);
  check_order(CSV_ND_STATS, WHERE("node_id", "ifid"));
  check_order(CSV_ECN_PFC_STATS, WHERE("node_id", "ifid", "priority"));
  check_order(CSV_AGG_BUFF_STATS, WHERE("node_id", "pool_num", "buff_id", "uldl"));
  check_order(CSV_BUFF_STATS, WHERE("node_id", "ifid", "pool_num", "buff_id"));
  check_order(CSV_LOAD_BALANCING_STATS, WHERE("node_id", "ecmp_group_id", "ifid"));
  check_order(CSV_UET_TRANSPORT_STATS, WHERE("fep_id"));
  check_order(CSV_NET_BUFF_STATS, WHERE("node_id", "tc", "buffer_id"));
  check_order(CSV_PCIE_STATS, WHERE("node_id", "pcie_end"));
  csv_table_t table = csv_read_table(CSV_FOLDER, "R_19", CSV_AGG_BUFF_STATS);
  CU_ASSERT(csv_find(&table, 0, WHERE("sim_time_sec", "0.0022", "component_name", "leaf0")) <
            csv_find(&table, 0, WHERE("sim_time_sec", "0.0022", "component_name", "leaf1")));
  CU_ASSERT(csv_find(&table, 0, WHERE("sim_time_sec", "0.0022", "component_name", "leaf1")) < table.row_count);
  csv_free_table(&table);
}

/* ---- Which records there are ------------------------------------------------------------------------------------- */

/* Bit `kind`: the record is there. */
static unsigned records_of(const char* simulation)
{
  unsigned there = 0;
  for (csv_kind_t kind = 0; kind < CSV_KINDS; kind++)
    there |= (unsigned)csv_exists(CSV_FOLDER, simulation, kind) << kind;
  return there;
}

enum { ALL = (1 << CSV_KINDS) - 1 };

/* The later runs also remove what the first one left. */
SGF_TEST(each_record_can_be_left_out_by_its_name)
{
  static const char* const aliases[][2] = {{"EnableNetDeviceStatLogging", "nd-stats"},
                                           {"EnablePFCECNStatsLogging", "ecn-pfc-stats"}};
  record_crossing("chosen", SETTINGS(PAUSING, CSV_ALL_SETTINGS), WHERE(CSV_ALL_RECORDS), MS);
  CU_ASSERT_EQUAL(records_of("chosen"), ALL);
  for (csv_kind_t kind = 0; kind < CSV_KINDS; kind++) {
    record_crossing("chosen", SETTINGS(PAUSING, CSV_ALL_SETTINGS),
                    WHERE(CSV_ALL_RECORDS, csv_kind_names[kind], "false"), MS);
    CU_ASSERT_EQUAL(records_of("chosen"), ALL & ~(1U << kind));
  }
  for (csv_kind_t kind = 0; kind < 2; kind++) {
    CU_ASSERT_STRING_EQUAL(csv_kind_names[kind], aliases[kind][1]);
    record_crossing("chosen", SETTINGS(PAUSING, CSV_ALL_SETTINGS), WHERE(CSV_ALL_RECORDS, aliases[kind][0], "false"),
                    MS);
    CU_ASSERT_EQUAL(records_of("chosen"), ALL & ~(1U << kind));
  }
  record_crossing("chosen", SETTINGS(NULL), NULL, MS);
  CU_ASSERT_EQUAL(records_of("chosen"),
                  ALL & ~(1U << CSV_BUFF_STATS | 1U << CSV_NET_BUFF_STATS | 1U << CSV_UET_EVENTS |
                          1U << CSV_PCIE_STATS | 1U << CSV_UET_MONITOR | 1U << CSV_FEEDBACK_EVENTS |
                          1U << CSV_PFC_WATCHDOG | 1U << CSV_VICTIMS)); /* off by default */
}

SGF_TEST(ports_of_the_switches_that_ask_for_it_are_recorded)
{
  record_crossing("asked", SETTINGS("leaf1:switch.ReportPerPortBufferStats", "true"), NULL, 3 * MS);
  csv_table_t table = csv_read_table(CSV_FOLDER, "asked", CSV_BUFF_STATS);
  CU_ASSERT_EQUAL(table.row_count, 4 * 2 * 3); /* ports, pools, kinds */
  for (size_t row = 0; row < table.row_count; row++)
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_name"), "leaf1");
  csv_free_table(&table);
}

/* ---- Dates of writing, errors ------------------------------------------------------------------------------------ */

SGF_TEST(without_a_fixed_text_rows_have_the_wall_clock)
{
  char earliest[32], latest[32];
  fabric_rig_t rig       = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_error_t error      = {0};
  const time_t before    = time(NULL);
  sgf_results_t* results = sgf_results_open(rig.fabric, NULL, CSV_FOLDER, "wall", &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(results);
  csv_run_until(rig.fabric, 3 * MS);
  csv_finish(results, 3 * MS);
  const time_t after = time(NULL);
  strftime(earliest, sizeof earliest, "%Y-%m-%dT%H:%M:%SZ", gmtime(&before));
  strftime(latest, sizeof latest, "%Y-%m-%dT%H:%M:%SZ", gmtime(&after));
  csv_table_t table = csv_read_table(CSV_FOLDER, "wall", CSV_ND_STATS);
  CU_ASSERT(table.row_count > 0);
  CU_ASSERT(strcmp(csv_at(&table, 0, "time_utc"), earliest) >= 0);
  CU_ASSERT(strcmp(csv_at(&table, 0, "time_utc"), latest) <= 0);
  csv_free_table(&table);
  rig_free(&rig);
}

SGF_TEST(a_folder_that_cannot_be_made_is_an_error_at_once)
{
  fabric_rig_t rig  = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(sgf_results_open(rig.fabric, NULL, "/proc/no", "sim", &error));
  CU_ASSERT_EQUAL(error.status, SGF_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "/proc/no"));
  csv_run_until(rig.fabric, 4 * MS); /* no clock was left behind */
  rig_free(&rig);
}
