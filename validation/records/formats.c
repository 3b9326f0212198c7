/* What the files look like, and how the columns of a row hang together: spec/records.md RC-01, RC-03 to RC-07, RC-13.
 */
#include "csv_support.h"
#include "fabric/fabric_support.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sgfabric/stats.h>

#include "records/results_internal.h"

/* Two racks that write across two spines, and each other's incast, which pauses. */
static void cross_traffic(const fabric_rig_t* rig)
{
  for (unsigned src = 0; src < rig->host_count; src++)
    sgf_op_unref(rig_write(rig, src, (src + rig->host_count / 2) % rig->host_count, 1000000, 0, 0));
  for (unsigned src = 1; src < rig->host_count; src++)
    sgf_op_unref(rig_write(rig, src, 0, 400000, 1, 0));
}

#define SMALL_BUFFERS                                                                                                  \
  "switch.SharedBufferManager.StaticPoolXoffThreshold", "100KB", "switch.SharedBufferManager.StaticPoolXonThreshold",  \
      "50KB"
#define OFTEN                                                                                                          \
  "StartTime", "0", "ClientStartOffset", "0", "NDStatsReportInterval", "0.00001",                                      \
      "NetworkBufferStatsReportingInterval", "0.00001"

/* Records of that traffic, every 10 us until `end`. */
static void record_cross_traffic(const char* simulation, opp_simtime_t end, const char* const* pairs)
{
  fabric_rig_t rig       = rig_leaf_spine(2, 4, 2, 1, 1,
                                          SETTINGS(SMALL_BUFFERS, CSV_ALL_SETTINGS, "switch.ReportPerPortBufferStats", "true",
                                                   "switch.BufferStatsReportInterval", "10us",
                                                   "switch.LoadBalancingStatsReportInterval", "10us"));
  sgf_results_t* results = csv_start(rig.fabric, simulation, pairs);
  cross_traffic(&rig);
  csv_run_until(rig.fabric, end);
  csv_finish(results, end);
  rig_free(&rig);
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

SGF_TEST(RC_01_every_record_has_its_columns)
{
  static const size_t counts[CSV_KINDS] = {22, 24, 16, 16, 28, 16, 69, 21, 9, 24, 27, 25, 21, 27};
  record_cross_traffic("RC_01", 50 * OPP_US, WHERE(OFTEN, CSV_ALL_RECORDS));
  for (csv_kind_t kind = 0; kind < CSV_KINDS; kind++) {
    csv_table_t table = csv_read_table(CSV_FOLDER, "RC_01", kind);
    CU_ASSERT_EQUAL(table.column_count, counts[kind]);
    CU_ASSERT(table.row_count > 0 || kind == CSV_PFC_WATCHDOG); /* no storm comes in 50 us */
    csv_free_table(&table);
  }
}

SGF_TEST(the_recurring_columns_say_who_and_where)
{
  record_cross_traffic("recurring", 50 * OPP_US, WHERE(OFTEN, "job_id", "night, 3rd"));
  csv_table_t nd  = csv_read_table(CSV_FOLDER, "recurring", CSV_ND_STATS);
  csv_table_t pfc = csv_read_table(CSV_FOLDER, "recurring", CSV_ECN_PFC_STATS);
  for (size_t row = 0; row < nd.row_count; row++) {
    const bool is_switch = strcmp(csv_at(&nd, row, "component_type"), "Switch") == 0;
    const long long node = csv_integer_at(&nd, row, "node_id");
    CU_ASSERT_STRING_EQUAL(csv_at(&nd, row, "time_utc"), NOW_STAMP);
    CU_ASSERT_EQUAL(is_switch, node >= 8);
    CU_ASSERT_EQUAL(csv_integer_at(&nd, row, "tier"), node < 8 ? 3 : node < 10 ? 2 : 1);
    CU_ASSERT_EQUAL(csv_integer_at(&nd, row, "subtier"), UINT32_MAX);
    CU_ASSERT_STRING_EQUAL(csv_at(&nd, row, "nd_name"), is_switch ? "SwitchEthNetDevice" : "NicEthNetDevice");
    const bool is_up = !is_switch || (node < 10 && csv_integer_at(&nd, row, "ifid") >= 4);
    CU_ASSERT_STRING_EQUAL(csv_at(&nd, row, "uldl"), is_up ? "ul" : "dl");
  }
  CU_ASSERT_STRING_EQUAL(csv_at(&pfc, 0, "job_id"), "night, 3rd");
  csv_free_table(&nd);
  csv_free_table(&pfc);
  record_cross_traffic("recurring2", 50 * OPP_US, WHERE(OFTEN));
  pfc = csv_read_table(CSV_FOLDER, "recurring2", CSV_ECN_PFC_STATS);
  CU_ASSERT_STRING_EQUAL(csv_at(&pfc, 0, "job_id"), "recurring2"); /* of the simulation */
  csv_free_table(&pfc);
}

/* ---- nd-stats ---------------------------------------------------------------------------------------------------- */

static void check_six_digits(double value, const char* expected)
{
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  CU_ASSERT_STRING_EQUAL(text, expected);
}

/* The example, and then every row of a run. */
SGF_TEST(RC_03_rates_and_utilisation_follow_from_the_bytes_of_the_interval)
{
  check_six_digits(results_gbps(73062, OPP_S / 1000), "0.584496");
  check_six_digits(100 * results_gbps(73062, OPP_S / 1000) / 800, "0.073062");
  check_six_digits(results_gbps(74146, OPP_S / 1000), "0.593168");

  record_cross_traffic("RC_03", 100 * OPP_US, WHERE(OFTEN));
  csv_table_t nd = csv_read_table(CSV_FOLDER, "RC_03", CSV_ND_STATS);
  CU_ASSERT_EQUAL(nd.row_count, 10 * 24); /* 8 NICs, 2 x 6 and 2 x 2 ports of switches */
  static const char* const directions[] = {"tx", "rx"};
  double largest                        = 0;
  for (size_t row = 0; row < nd.row_count; row++)
    for (unsigned i = 0; i < 2; i++) {
      char total[32], interval[32], rate[32], use[32];
      snprintf(total, sizeof total, "total_bytes_%s_GB", directions[i]);
      snprintf(interval, sizeof interval, "interval_bytes_%s_MB", directions[i]);
      snprintf(rate, sizeof rate, "%s_rate_Gbps", directions[i]);
      snprintf(use, sizeof use, "%s_link_percent_util", directions[i]);
      const double gbps = csv_real_at(&nd, row, interval) * 8 / 1000 / 10e-6;
      CU_ASSERT(csv_close_to(csv_real_at(&nd, row, rate), gbps));
      CU_ASSERT(csv_close_to(csv_real_at(&nd, row, use), gbps / 400 * 100));
      if (row < 24)
        CU_ASSERT(csv_close_to(csv_real_at(&nd, row, total) * 1000, csv_real_at(&nd, row, interval)));
      largest = csv_real_at(&nd, row, use) > largest ? csv_real_at(&nd, row, use) : largest;
    }
  CU_ASSERT(largest > 95 && largest <= 100.0001 + 100 * 4202 * 8 / 4e6); /* a frame that began in the interval before */
  csv_free_table(&nd);
}

SGF_TEST(nd_stats_counts_what_the_ports_did)
{
  fabric_rig_t rig       = rig_star(3, 100 * OPP_NS, 1, SETTINGS("nic.RdmaDataMSS", "3912"));
  sgf_results_t* results = csv_start(rig.fabric, "nd_counts", WHERE(OFTEN));
  sgf_op_unref(rig_write(&rig, 0, 1, 3912 * 10, 0, 0));
  csv_run_until(rig.fabric, 50 * OPP_US);
  csv_finish(results, 50 * OPP_US);
  sgf_report_t* report = sgf_report_new(rig.fabric);
  csv_table_t nd       = csv_read_table(CSV_FOLDER, "nd_counts", CSV_ND_STATS);
  const size_t last    = nd.row_count - 6;
  CU_ASSERT_EQUAL(nd.row_count, 5 * 6);
  const struct {
    const char* device;
    const char* port;
    const char* tx_of; /* links of the report that end and begin there */
    const char* rx_of;
  } ports[] = {{"h0", "0", "h0", "tor0"}, {"h1", "0", "h1", "tor0"}};
  for (size_t i = 0; i < 2; i++) {
    const size_t row = csv_find(&nd, last, WHERE("component_name", ports[i].device));
    for (size_t l = 0; l < report->link_count; l++) {
      const sgf_link_use_t* link = &report->links[l];
      if (strcmp(link->from, ports[i].device) == 0) {
        CU_ASSERT_EQUAL(csv_integer_at(&nd, row, "total_packets_tx"), (long long)link->frames);
        CU_ASSERT(csv_close_to(csv_real_at(&nd, row, "total_bytes_tx_GB") * 1e9, (double)link->bytes));
      }
      if (strcmp(link->to, ports[i].device) == 0) {
        CU_ASSERT_EQUAL(csv_integer_at(&nd, row, "total_packets_rx"), (long long)link->frames);
        CU_ASSERT(csv_close_to(csv_real_at(&nd, row, "total_bytes_rx_GB") * 1e9, (double)link->bytes));
      }
    }
  }
  CU_ASSERT(csv_integer_at(&nd, csv_find(&nd, last, WHERE("component_name", "h0")), "total_packets_tx") >= 10);
  csv_free_table(&nd);
  sgf_report_free(report);
  rig_free(&rig);
}

/* ---- Buffers ----------------------------------------------------------------------------------------------------- */

/* The switch of a star whose pool 0 has `pool` bytes. Its buffer is played call by call, without frames. */
static fabric_rig_t star_with_pool(int64_t pool, const char* const* more)
{
  enum { HEADROOM = 256000, PORTS = 2 };
  char total[32];
  const char* settings[32] = {"switch.TotalSharedBufferSize",    total,
                              "switch.HeadRoomPerPortLimit",     "256000B",
                              "switch.PoolAllocationMap",        "[1, 0, 0, 0, 0, 0, 0, 0]",
                              "switch.TrafficClassPoolMapping",  "[0, 0, 0, 0, 0, 0, 0, 0]",
                              "switch.ReportPerPortBufferStats", "true"};
  size_t count             = 10;
  while (*more != NULL)
    settings[count++] = *more++;
  snprintf(total, sizeof total, "%lldB", (long long)(pool + HEADROOM * PORTS));
  return rig_star(PORTS, 100 * OPP_NS, 1, settings);
}

static void queue_packet(sgf_shared_buffer_t* buffer, int64_t charge)
{
  CU_ASSERT_FATAL(sgf_sb_arrive(buffer, 0, 0, charge) <= SGF_SB_TO_HEADROOM);
  CU_ASSERT_EQUAL_FATAL(sgf_sb_queue(buffer, 1, 0, charge, SGF_SB_LIMIT_NORMAL), SGF_SB_QUEUED);
}

static void send_packet(sgf_shared_buffer_t* buffer, int64_t charge)
{
  sgf_sb_depart(buffer, 0, 0, 1, 0, charge);
}

static csv_table_t finish_buffers(fabric_rig_t* rig, sgf_results_t* results, const char* simulation, csv_kind_t kind)
{
  csv_run_until(rig->fabric, 3 * OPP_S / 1000);
  csv_finish(results, 3 * OPP_S / 1000);
  rig_free(rig);
  return csv_read_table(CSV_FOLDER, simulation, kind);
}

/* 9,057 packets one by one: samples of their sizes and of nothing. */
SGF_TEST(RC_04_and_RC_05_the_example_of_the_aggregate_record)
{
  enum { SAMPLES = 18114, SUM = 8856181, MAX = 5530, PACKETS = SAMPLES / 2 };
  fabric_rig_t rig            = star_with_pool(213308112, SETTINGS(NULL));
  sgf_shared_buffer_t* buffer = sgf_device_buffer(rig.switches[0]);
  sgf_results_t* results      = csv_start(rig.fabric, "RC_04", NULL);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(buffer, 0), 213308112);
  int64_t left = SUM - MAX;
  for (int i = 0; i < PACKETS; i++) {
    const int64_t charge = i == 0 ? MAX : left / (PACKETS - i);
    left -= i == 0 ? 0 : charge;
    queue_packet(buffer, charge);
    send_packet(buffer, charge);
  }
  csv_table_t agg  = finish_buffers(&rig, results, "RC_04", CSV_AGG_BUFF_STATS);
  const size_t row = csv_find(&agg, 0, WHERE("buff_id", "egressQueue", "uldl", "dl"));
  CU_ASSERT_EQUAL(csv_integer_at(&agg, row, "total_bytes"), SUM);
  CU_ASSERT_EQUAL(csv_integer_at(&agg, row, "buffer_limit"), 213308112);
  CU_ASSERT_EQUAL(csv_integer_at(&agg, row, "ivl_count"), SAMPLES);
  CU_ASSERT_EQUAL(csv_integer_at(&agg, row, "ivl_min_bytes"), 0);
  CU_ASSERT_EQUAL(csv_integer_at(&agg, row, "ivl_max_bytes"), MAX);
  CU_ASSERT_STRING_EQUAL(csv_at(&agg, row, "ivl_mean_bytes"), "488.914");
  CU_ASSERT_STRING_EQUAL(csv_at(&agg, row, "ivl_max_pct_util"), "0.00259249");
  CU_ASSERT_STRING_EQUAL(csv_at(&agg, row, "ivl_mean_pct_util"), "0.000229205");
  CU_ASSERT_STRING_EQUAL(csv_at(&agg, row, "sim_time_sec"), "0.003");
  csv_free_table(&agg);
}

/* A queue grows to 30,722 packets, three times its static limit, and drains a part of the way. */
SGF_TEST(RC_06_percent_of_a_port_is_clamped_and_the_bytes_are_not)
{
  enum { CHARGE = 4136, MOST = 30722, SAMPLES = 43764, LIMIT = 40960000 };
  fabric_rig_t rig = star_with_pool(213308112, SETTINGS("switch.StaticPoolXoffThreshold", "200MB", "switch.LossyAlpha",
                                                        "0", "switch.QueueDropThresholdEnable", "true",
                                                        "switch.QueueDropThreshold", "8", "switch.PlaneBDP", "5120KB"));
  sgf_shared_buffer_t* buffer = sgf_device_buffer(rig.switches[0]);
  sgf_results_t* results      = csv_start(rig.fabric, "RC_06", NULL);
  double sum                  = 0;
  for (int queued = 0, sample = 0; sample < SAMPLES; sample++) {
    if (sample < MOST) {
      queue_packet(buffer, CHARGE);
      queued++;
    } else {
      send_packet(buffer, CHARGE);
      queued--;
    }
    sum += (double)queued * CHARGE;
  }
  csv_table_t ports = finish_buffers(&rig, results, "RC_06", CSV_BUFF_STATS);
  const size_t row  = csv_find(&ports, 0, WHERE("buff_id", "egressQueue", "ifid", "1"));
  CU_ASSERT_EQUAL(csv_integer_at(&ports, row, "buff_limit"), LIMIT);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, row, "ivl_count"), SAMPLES);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, row, "ivl_min_bytes"), CHARGE);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, row, "ivl_max_bytes"), 127066192);
  CU_ASSERT(csv_close_to(csv_real_at(&ports, row, "ivl_mean_bytes"), sum / SAMPLES));
  CU_ASSERT(sum / SAMPLES / LIMIT > 1.8);
  CU_ASSERT_STRING_EQUAL(csv_at(&ports, row, "ivl_max_pct_util"), "100");
  CU_ASSERT_STRING_EQUAL(csv_at(&ports, row, "ivl_mean_pct_util"), "100");
  csv_free_table(&ports);
}

/* 180 packets of which 176 pause the port and four go to its headroom. */
SGF_TEST(R_18_each_buffer_of_a_port_has_its_own_limit)
{
  fabric_rig_t rig            = star_with_pool(20000000, SETTINGS(NULL));
  sgf_shared_buffer_t* buffer = sgf_device_buffer(rig.switches[0]);
  const int64_t limit         = sgf_sb_static_limit(buffer, 0);
  sgf_results_t* results      = csv_start(rig.fabric, "R_18", NULL);
  for (int i = 0; i < 180; i++)
    queue_packet(buffer, 4000);
  csv_table_t ports = finish_buffers(&rig, results, "R_18", CSV_BUFF_STATS);
  CU_ASSERT_EQUAL(ports.row_count, 2 * 3); /* ports, kinds; one pool */
  const size_t egress  = csv_find(&ports, 0, WHERE("buff_id", "egressQueue", "ifid", "1"));
  const size_t ingress = csv_find(&ports, 0, WHERE("buff_id", "ingressUsage", "ifid", "0"));
  const size_t hdrm    = csv_find(&ports, 0, WHERE("buff_id", "hdrm", "ifid", "0"));
  CU_ASSERT_EQUAL(csv_integer_at(&ports, egress, "buff_limit"), limit);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, egress, "ivl_max_bytes"), 180 * 4000);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, ingress, "buff_limit"), 700000);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, ingress, "ivl_max_bytes"), 704000);
  CU_ASSERT_STRING_EQUAL(csv_at(&ports, ingress, "ivl_max_pct_util"), "100"); /* clamped: it is 100.571 */
  CU_ASSERT(csv_close_to(csv_real_at(&ports, ingress, "ivl_mean_pct_util"), 4000 * 177 / 2 / 7000.0));
  CU_ASSERT_EQUAL(csv_integer_at(&ports, hdrm, "buff_limit"), 256000);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, hdrm, "ivl_count"), 4);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, hdrm, "ivl_max_bytes"), 16000);
  CU_ASSERT_STRING_EQUAL(csv_at(&ports, hdrm, "ivl_mean_bytes"), "10000");
  CU_ASSERT_STRING_EQUAL(csv_at(&ports, hdrm, "ivl_max_pct_util"), "6.25");
  csv_free_table(&ports);
}

SGF_TEST(R_08_rows_without_samples_are_zero)
{
  fabric_rig_t rig                    = star_with_pool(20000000, SETTINGS(NULL));
  sgf_results_t* results              = csv_start(rig.fabric, "R_08", NULL);
  csv_table_t agg                     = finish_buffers(&rig, results, "R_08", CSV_AGG_BUFF_STATS);
  static const char* const kinds[][2] = {{"egressQueue", "ul"},
                                         {"egressQueue", "dl"},
                                         {"ingressUsage", "ul"},
                                         {"ingressUsage", "dl"},
                                         {"sharedBuffer", "-"}};
  CU_ASSERT_EQUAL_FATAL(agg.row_count, 5);
  for (size_t row = 0; row < 5; row++) {
    CU_ASSERT_STRING_EQUAL(csv_at(&agg, row, "buff_id"), kinds[row][0]);
    CU_ASSERT_STRING_EQUAL(csv_at(&agg, row, "uldl"), kinds[row][1]);
    CU_ASSERT_STRING_EQUAL(csv_at(&agg, row, "ivl_count"), "0");
    CU_ASSERT_STRING_EQUAL(csv_at(&agg, row, "ivl_mean_bytes"), "0");
    CU_ASSERT_STRING_EQUAL(csv_at(&agg, row, "ivl_max_pct_util"), "0");
  }
  csv_free_table(&agg);
}

SGF_TEST(RC_07_pools_of_a_default_switch_with_128_ports)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_error_t error    = {0};
  sgf_device_t* tor    = rig_switch(fabric, "tor0");
  for (unsigned i = 0; i < 128; i++) {
    char name[16];
    snprintf(name, sizeof name, "h%u", i);
    rig_connect(fabric, rig_host(fabric, name), tor);
  }
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, &error), SGF_OK);
  sgf_results_t* results = csv_start(fabric, "RC_07", NULL);
  csv_run_until(fabric, 3 * OPP_S / 1000);
  csv_finish(results, 3 * OPP_S / 1000);
  csv_table_t agg = csv_read_table(CSV_FOLDER, "RC_07", CSV_AGG_BUFF_STATS);
  CU_ASSERT_EQUAL_FATAL(agg.row_count, 10);
  for (size_t row = 0; row < 10; row++) {
    CU_ASSERT_EQUAL(csv_integer_at(&agg, row, "pool_num"), row < 5 ? 0 : 1);
    CU_ASSERT_EQUAL(csv_integer_at(&agg, row, "buffer_limit"), row < 5 ? 200908800 : 22323200);
  }
  csv_free_table(&agg);
  sgf_fabric_free(fabric);
}

/* ---- Twins ------------------------------------------------------------------------------------------------------- */

/* The row of the same port, set or buffer before this one; row_count: there is none. */
static size_t row_before(const csv_table_t* table, size_t row, const char* const* keys)
{
  for (size_t other = row; other-- > 0;) {
    bool same = true;
    for (size_t i = 0; same && keys[i] != NULL; i++)
      same = strcmp(csv_at(table, other, keys[i]), csv_at(table, row, keys[i])) == 0;
    if (same)
      return other;
  }
  return table->row_count;
}

/* `factor` x (a column in this row - in the row before) = its twin in this row. The totals have six digits: their
 * difference has an error of a unit of the last of them. */
static unsigned check_twins(const csv_table_t* table, const char* const* keys, const char* total, const char* twin,
                            double factor)
{
  unsigned moved = 0;
  for (size_t row = 0; row < table->row_count; row++) {
    const size_t before  = row_before(table, row, keys);
    const double start   = before < table->row_count ? csv_real_at(table, before, total) : 0;
    const double end     = csv_real_at(table, row, total);
    const double allowed = strstr(total, "GB") != NULL || strstr(total, "usec") != NULL ? 1e-5 * end * factor : 0;
    const double error   = (end - start) * factor - csv_real_at(table, row, twin);
    if (error > allowed || error < -allowed)
      printf("\n  %s and %s differ in row %zu: %g - %g, %g", total, twin, row, end, start,
             csv_real_at(table, row, twin));
    CU_ASSERT(error <= allowed && error >= -allowed);
    moved += before < table->row_count && end > start;
  }
  return moved;
}

SGF_TEST(RC_13_a_counter_grows_by_its_interval_twin)
{
  record_cross_traffic("RC_13", 200 * OPP_US, WHERE(OFTEN));
  csv_table_t nd                = csv_read_table(CSV_FOLDER, "RC_13", CSV_ND_STATS);
  const char* const* const port = WHERE("node_id", "ifid");
  CU_ASSERT(check_twins(&nd, port, "total_bytes_tx_GB", "interval_bytes_tx_MB", 1000) > 0);
  CU_ASSERT(check_twins(&nd, port, "total_bytes_rx_GB", "interval_bytes_rx_MB", 1000) > 0);
  csv_free_table(&nd);

  csv_table_t pfc                = csv_read_table(CSV_FOLDER, "RC_13", CSV_ECN_PFC_STATS);
  const char* const* const class = WHERE("node_id", "ifid", "priority");
  CU_ASSERT(check_twins(&pfc, class, "pfc_time_paused_usec", "interval_total_time_xoff_usec", 1) > 0);
  CU_ASSERT(check_twins(&pfc, class, "total_xoff_time_egr_occ_usec", "interval_total_time_xoff_egr_occ_usec", 1) > 0);
  csv_free_table(&pfc);

  static const char* const counters[] = {"bytes",         "packets",      "assignments",      "movements_in",
                                         "movements_out", "paused_skips", "paused_selections"};
  csv_table_t balance                 = csv_read_table(CSV_FOLDER, "RC_13", CSV_LOAD_BALANCING_STATS);
  const char* const* const member     = WHERE("node_id", "ecmp_group_id", "ifid");
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
    char twin[40];
    snprintf(twin, sizeof twin, "ivl_%s", counters[i]);
    const unsigned moved = check_twins(&balance, member, counters[i], twin, 1);
    CU_ASSERT(i > 1 || moved > 0);
  }
  csv_free_table(&balance);
}

/* ---- topology-report --------------------------------------------------------------------------------------------- */

SGF_TEST(R_15_each_cable_once_from_its_upper_end)
{
  record_cross_traffic("R_15", OPP_US, NULL);
  csv_table_t topology = csv_read_table(CSV_FOLDER, "R_15", CSV_TOPOLOGY_REPORT);
  CU_ASSERT_EQUAL_FATAL(topology.row_count, 8 + 4);
  for (size_t row = 0; row < topology.row_count; row++) {
    CU_ASSERT(csv_integer_at(&topology, row, "tier") < csv_integer_at(&topology, row, "peer_tier"));
    CU_ASSERT_STRING_EQUAL(csv_at(&topology, row, "linkspeed_Gbps"), "400");
    CU_ASSERT_STRING_EQUAL(csv_at(&topology, row, "prop_delay_ns"), "100");
  }
  const size_t nic   = csv_find(&topology, 0, WHERE("peer_component_name", "h5"));
  const size_t spine = csv_find(&topology, 0, WHERE("component_name", "spine1", "peer_component_name", "leaf0"));
  CU_ASSERT_STRING_EQUAL(csv_at(&topology, nic, "component_name"), "leaf1");
  CU_ASSERT_STRING_EQUAL(csv_at(&topology, nic, "dev_id"), "1");
  CU_ASSERT_STRING_EQUAL(csv_at(&topology, nic, "peer_dev_id"), "0");
  CU_ASSERT_STRING_EQUAL(csv_at(&topology, nic, "peer_component_type"), "NIC");
  CU_ASSERT_STRING_EQUAL(csv_at(&topology, spine, "dev_id"), "0");
  CU_ASSERT_STRING_EQUAL(csv_at(&topology, spine, "peer_dev_id"), "5");
  CU_ASSERT_STRING_EQUAL(csv_at(&topology, spine, "node_id"), "11");
  csv_free_table(&topology);
}
