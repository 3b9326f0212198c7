/* Equal-cost sets and their members: spec/records.md section 7, RC-10 to RC-12, RC-18, R-11. */
#include "csv_support.h"
#include "fabric/fabric_support.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOWLETS "switch.LoadBalancingMethod", "flowlet", "switch.EcmpHashMethod", "crc32WithSalt"

/* ---- Slots ------------------------------------------------------------------------------------------------------- */

/* A switch that reaches each of 129 others over two cables, and so over a set of their own, and writes to all. */
static sgf_fabric_t* many_sets(const char* method, unsigned sets)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_error_t error    = {0};
  sgf_device_t* source = rig_host(fabric, "h");
  sgf_device_t* hub    = rig_switch(fabric, "hub");
  sgf_device_t** hosts = calloc(sets, sizeof(sgf_device_t*));
  rig_connect(fabric, source, hub);
  for (unsigned i = 0; i < sets; i++) {
    char name[16];
    snprintf(name, sizeof name, "h%u", i);
    hosts[i] = rig_host(fabric, name);
    snprintf(name, sizeof name, "tor%u", i);
    sgf_device_t* tor = rig_switch(fabric, name);
    rig_connect(fabric, hosts[i], tor);
    sgf_fabric_connect(fabric, tor, hub, "pair", 400 * GBPS, 100 * OPP_NS, 2, &error);
  }
  sgf_device_set(hub, "switch", "LoadBalancingMethod", method, &error);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, &error), SGF_OK);
  for (unsigned i = 0; i < sets; i++)
    sgf_op_unref(sgf_op_write(fabric, source, hosts[i], 1, 0, 0, 0, &error));
  free(hosts);
  return fabric;
}

static void check_slots(const char* simulation, const char* method, unsigned with_slots)
{
  enum { SETS = 129 };
  unsigned count         = 0;
  sgf_fabric_t* fabric   = many_sets(method, SETS);
  sgf_results_t* results = csv_start(fabric, simulation, NULL);
  csv_run_until(fabric, OPP_S / 1000);
  csv_finish(results, OPP_S / 1000);
  csv_table_t table         = csv_read_table(CSV_FOLDER, simulation, CSV_LOAD_BALANCING_STATS);
  const char* const* of_hub = WHERE("component_name", "hub");
  unsigned rows             = 0;
  for (size_t row = csv_find(&table, 0, of_hub); row < table.row_count; row = csv_find(&table, row + 1, of_hub)) {
    const long long slots = csv_integer_at(&table, row, "flow_table_slots");
    const bool has_slots  = csv_integer_at(&table, row, "ecmp_group_id") < with_slots;
    CU_ASSERT_EQUAL(slots, has_slots ? 512 : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "ecmp_group_id"), rows / 2);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "group_size"), 2);
    count += slots > 0;
    rows++;
  }
  CU_ASSERT_EQUAL(rows, 2 * SETS);
  CU_ASSERT_EQUAL(count, 2 * with_slots);
  csv_free_table(&table);
  sgf_fabric_free(fabric);
}

SGF_TEST(RC_10_of_129_sets_128_have_slots_under_flowlet)
{
  check_slots("RC_10_flowlet", "flowlet", 128);
}

SGF_TEST(RC_10_without_flowlet_none_has_slots)
{
  check_slots("RC_10_none", "none", 0);
}

/* ---- Members ----------------------------------------------------------------------------------------------------- */

/* Four hosts behind each of two leaves write across four spines again and again, further apart than a gap. */
enum { BURSTS = 40, LEAF_MESSAGES = BURSTS * 4 * 4 };
static fabric_rig_t bursts(const char* const* settings)
{
  fabric_rig_t rig = rig_leaf_spine(2, 4, 4, 1, 1, settings);
  for (unsigned burst = 0; burst < BURSTS; burst++)
    for (unsigned src = 0; src < 8; src++)
      for (unsigned dst = 0; dst < 4; dst++)
        sgf_op_unref(rig_write(&rig, src, (src < 4 ? 4 : 0) + dst, 3000 + 500 * dst, 0, burst * 20 * OPP_US));
  return rig;
}

static csv_table_t record_bursts(const char* simulation, const char* const* settings, fabric_rig_t* rig)
{
  *rig                   = bursts(settings);
  sgf_results_t* results = csv_start(rig->fabric, simulation, WHERE("StartTime", "0", "ClientStartOffset", "0"));
  csv_run_until(rig->fabric, OPP_S / 1000);
  csv_finish(results, OPP_S / 1000);
  return csv_read_table(CSV_FOLDER, simulation, CSV_LOAD_BALANCING_STATS);
}

/* What the ports of a switch that begin with `first` have sent: charge sizes are those on the wire without the 18 B
 * around them. */
static long long charged(const fabric_rig_t* rig, const char* name, unsigned first)
{
  long long bytes      = 0;
  sgf_report_t* report = sgf_report_new(rig->fabric);
  for (size_t i = 0; i < report->link_count; i++)
    if (strcmp(report->links[i].from, name) == 0 && report->links[i].port >= first)
      bytes += (long long)report->links[i].bytes - 18 * (long long)report->links[i].frames;
  sgf_report_free(report);
  return bytes;
}

SGF_TEST(RC_11_shares_of_a_set_add_up_to_one_and_bytes_to_what_was_admitted)
{
  fabric_rig_t rig;
  csv_table_t table =
      record_bursts("RC_11", SETTINGS(FLOWLETS, "switch.LoadBalancingStatsReportInterval", "50us"), &rig);
  size_t rows         = 0;
  unsigned idle       = 0;
  long long bytes     = 0;
  long long intervals = 0;
  for (size_t row = 0; row < table.row_count; row += 4) { /* members of a set follow each other */
    double share     = 0;
    long long of_set = 0;
    CU_ASSERT_EQUAL_FATAL(csv_integer_at(&table, row, "group_size"), 4);
    for (size_t member = row; member < row + 4; member++) {
      CU_ASSERT_STRING_EQUAL(csv_at(&table, member, "ecmp_group_ifids"), "4:5:6:7");
      CU_ASSERT_EQUAL(csv_integer_at(&table, member, "ifid"), (long long)(4 + member - row));
      share += csv_real_at(&table, member, "ivl_share");
      of_set += csv_integer_at(&table, member, "ivl_bytes");
      if (strcmp(csv_at(&table, member, "component_name"), "leaf0") == 0) {
        bytes =
            csv_real_at(&table, member, "sim_time_sec") < 0.001 ? 0 : bytes + csv_integer_at(&table, member, "bytes");
        intervals += csv_integer_at(&table, member, "ivl_bytes");
      }
    }
    CU_ASSERT(of_set > 0 ? share > 1 - 4e-6 && share < 1 + 4e-6 : share == 0); /* four numbers of six digits */
    for (size_t member = row; member < row + 4 && of_set > 0; member++)
      CU_ASSERT(csv_close_to(csv_real_at(&table, member, "ivl_share") * (double)of_set,
                             (double)csv_integer_at(&table, member, "ivl_bytes")));
    idle += of_set == 0;
    rows++;
  }
  CU_ASSERT(rows > 20 && idle > 0);
  /* The probe of each message, 44 B, costs 46 B (spec/switch.md 5.1). */
  CU_ASSERT_EQUAL(bytes, charged(&rig, "leaf0", 4) + LEAF_MESSAGES * (46 - 44));
  CU_ASSERT_EQUAL(intervals, bytes);
  csv_free_table(&table);
  rig_free(&rig);
}

SGF_TEST(RC_12_what_moves_in_has_moved_out)
{
  fabric_rig_t rig;
  csv_table_t table         = record_bursts("RC_12", SETTINGS(FLOWLETS, "switch.LoadBalancingFlowlet.Gap", "0s"), &rig);
  const char* const* at_end = WHERE("sim_time_sec", "0.001");
  long long all             = 0;
  for (size_t row = csv_find(&table, 0, at_end); row < table.row_count; row += 4) {
    long long in = 0, out = 0, assignments = 0;
    for (size_t member = row; member < row + 4; member++) {
      in += csv_integer_at(&table, member, "movements_in");
      out += csv_integer_at(&table, member, "movements_out");
      assignments += csv_integer_at(&table, member, "assignments");
    }
    CU_ASSERT_EQUAL(in, out);
    CU_ASSERT(assignments > 0);
    all += in;
  }
  CU_ASSERT(all > 0);
  csv_free_table(&table);
  rig_free(&rig);
}

SGF_TEST(R_11_without_flowlet_nothing_is_assigned_or_moved)
{
  static const char* const columns[] = {"flow_table_slots", "assignments",  "movements_in",
                                        "movements_out",    "paused_skips", "paused_selections"};
  fabric_rig_t rig;
  csv_table_t table = record_bursts("R_11", SETTINGS(NULL), &rig);
  long long packets = 0;
  for (size_t row = 0; row < table.row_count; row++) {
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
      CU_ASSERT_EQUAL(csv_integer_at(&table, row, columns[i]), 0);
    CU_ASSERT(csv_integer_at(&table, row, "group_formed_ns") > 0);
    CU_ASSERT(csv_integer_at(&table, row, "group_formed_ns") < 10000); /* the first packets of all */
    packets += csv_integer_at(&table, row, "packets");
  }
  CU_ASSERT(packets > 0);
  csv_free_table(&table);
  rig_free(&rig);
}

/* ---- Off --------------------------------------------------------------------------------------------------------- */

SGF_TEST(RC_18_without_load_balancing_stats_the_other_records_stay_the_same)
{
  fabric_rig_t rig;
  csv_table_t table = record_bursts("RC_18_on", SETTINGS(FLOWLETS), &rig);
  csv_free_table(&table);
  rig_free(&rig);

  rig = bursts(SETTINGS(FLOWLETS, "switch.EnableLoadBalancingStats", "false"));
  sgf_results_t* results =
      csv_start(rig.fabric, "RC_18_off", WHERE("StartTime", "0", "ClientStartOffset", "0", "job_id", "RC_18_on"));
  csv_run_until(rig.fabric, OPP_S / 1000);
  csv_finish(results, OPP_S / 1000);
  rig_free(&rig);
  for (csv_kind_t kind = 0; kind < CSV_KINDS; kind++) {
    char* on  = csv_bytes(CSV_FOLDER, "RC_18_on", kind);
    char* off = csv_bytes(CSV_FOLDER, "RC_18_off", kind);
    if (kind == CSV_LOAD_BALANCING_STATS) {
      CU_ASSERT(on != NULL && off == NULL);
    } else if (kind == CSV_BUFF_STATS || kind == CSV_NET_BUFF_STATS || kind == CSV_UET_EVENTS ||
               kind == CSV_PCIE_STATS || kind == CSV_UET_MONITOR || kind == CSV_FEEDBACK_EVENTS ||
               kind == CSV_PFC_WATCHDOG || kind == CSV_VICTIMS) {
      CU_ASSERT(on == NULL && off == NULL); /* off by default */
    } else {
      CU_ASSERT_STRING_EQUAL(on, off);
    }
    free(on);
    free(off);
  }
}

SGF_TEST(RC_18_a_single_switch_may_be_left_out)
{
  fabric_rig_t rig;
  csv_table_t table = record_bursts("RC_18_one", SETTINGS("leaf0:switch.EnableLoadBalancingStats", "false"), &rig);
  CU_ASSERT(table.row_count > 0);
  CU_ASSERT_EQUAL(csv_find(&table, 0, WHERE("component_name", "leaf0")), table.row_count);
  csv_free_table(&table);
  rig_free(&rig);
}
