/* Records of MRC NICs on the engine alone (spec/mrc-nic.md 13): mrc-transport-stats and mrc-monitor, row by row. */
#include "harness.h"

#include "fabric/fabric_support.h"
#include "mrc_records_support.h"

#include <string.h>

/* Two MRC NICs on a cable; h0 writes `bytes` to h1 at date 0. */
static void run(const char* simulation, uint64_t bytes, const char* const* settings, const char* const* records)
{
  sgf_fabric_t* fabric  = sgf_fabric_new(1);
  sgf_device_t* hosts[] = {sgf_fabric_add_nic(fabric, "h0", "h0", "mrc", NULL),
                           sgf_fabric_add_nic(fabric, "h1", "h1", "mrc", NULL)};
  for (; settings != NULL && settings[0] != NULL; settings += 2)
    for (unsigned host = 0; host < 2; host++) {
      const char* name = settings[0];
      if (strncmp(name, "h1:", 3) == 0 && host == 0)
        continue;
      name += strncmp(name, "h1:", 3) == 0 ? 3 : 0;
      CU_ASSERT_EQUAL_FATAL(sgf_device_set(hosts[host], "nic", name, settings[1], NULL), SGF_OK);
    }
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_connect(fabric, hosts[0], hosts[1], "cable", 400 * GBPS, 100 * OPP_NS, 1, NULL),
                        SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, NULL), SGF_OK);
  sgf_results_t* results = csv_start(fabric, simulation, records);
  sgf_op_unref(sgf_op_write(fabric, hosts[0], hosts[1], bytes, 0, 0, 0, NULL));
  csv_run_until(fabric, 4500 * OPP_US);
  csv_finish(results, 4500 * OPP_US);
  sgf_fabric_free(fabric);
}

/* ---- mrc-transport-stats ----------------------------------------------------------------------------------------- */

/* Rows at 3 and 4 ms. Of 256 packets 255 draw a SACK, the last one an ACK: a cable, the answer and a cable later. */
SGF_TEST(a_row_for_each_MRC_NIC_and_interval)
{
  run("rows_mrc", 1 << 20, NULL, WHERE(NULL));
  csv_table_t table = mrc_read_stats(CSV_FOLDER, "rows_mrc");
  CU_ASSERT_EQUAL(table.column_count, 88);
  CU_ASSERT_EQUAL_FATAL(table.row_count, 4);
  for (size_t row = 0; row < 4; row++) {
    const bool is_sender = row % 2 == 0;
    CU_ASSERT_EQUAL(csv_real_at(&table, row, "sim_time_sec"), row < 2 ? 0.003 : 0.004);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_name"), is_sender ? "h0" : "h1");
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "node_id"), is_sender ? 0 : 1);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "total_pkts_sent"), 256);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "total_pkts_rcvd"), 256);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "ivl_total_pkts_sent"), row < 2 ? 256 : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "write_pkts_sent"), is_sender ? 256 : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "write_pkts_rcvd"), is_sender ? 0 : 256);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "ack_pkts_sent"), is_sender ? 0 : 1);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "ack_pkts_rcvd"), is_sender ? 1 : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "sack_pkts_sent"), is_sender ? 0 : 255);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "sack_pkts_rcvd"), is_sender ? 255 : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "wqes_created"), is_sender ? 1 : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "wqes_completed"), is_sender ? 1 : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "msgs_delivered"), is_sender ? 0 : 1);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "max_tx_count"), is_sender ? 1 : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "num_rtx") + csv_integer_at(&table, row, "num_rto"), 0);
  }
  CU_ASSERT_EQUAL(csv_real_at(&table, 0, "ivl_min_calc_rtt_usec"), 0.20124);
  CU_ASSERT_EQUAL(csv_real_at(&table, 0, "ivl_max_calc_rtt_usec"), 0.20188);
  CU_ASSERT_EQUAL(csv_real_at(&table, 2, "ivl_max_calc_rtt_usec"), 0);
  CU_ASSERT_EQUAL(csv_real_at(&table, 2, "max_calc_rtt_usec"), 0.20188);
  CU_ASSERT(csv_close_to(csv_real_at(&table, 0, "avg_calc_rtt_usec"), (255 * 0.20188 + 0.20124) / 256));
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "ivl_calc_max_cwnd_bytes"), 450000);
  CU_ASSERT(csv_integer_at(&table, 0, "calc_min_cwnd_bytes") < 450000);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 2, "ivl_calc_max_cwnd_bytes"), 0);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "ivl_calc_min_bytes_in_flight") % 4156, 0);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "ivl_calc_max_bytes_in_flight") % 4156, 0);
  csv_free_table(&table);
}

/* What `ivl_` columns say adds up to the run; each NIC has its own interval. */
SGF_TEST(TransportStatsReportInterval_is_of_the_NIC)
{
  run("often_mrc", 1 << 20, WHERE("h1:TransportStatsReportInterval", "250us"),
      WHERE("StartTime", "0", "ClientStartOffset", "0", "NDStatsReportInterval", "0.002"));
  csv_table_t table = mrc_read_stats(CSV_FOLDER, "often_mrc");
  long long sum     = 0;
  size_t rows[2]    = {0, 0};
  for (size_t row = 0; row < table.row_count; row++) {
    const long long host  = csv_integer_at(&table, row, "node_id");
    const double interval = host == 0 ? 1e-3 : 25e-5;
    CU_ASSERT(csv_close_to(csv_real_at(&table, row, "sim_time_sec"), (double)++rows[host] * interval));
    sum += host == 1 ? csv_integer_at(&table, row, "ivl_write_pkts_rcvd") : 0;
  }
  CU_ASSERT_EQUAL(rows[0], 4);
  CU_ASSERT_EQUAL(rows[1], 18);
  CU_ASSERT_EQUAL(sum, 256);
  csv_free_table(&table);
}

/* Rows of a NIC with `EnableTransportStats` false are missing; of two such NICs, and without the record's own name, the
 * file is. */
SGF_TEST(EnableTransportStats_and_the_records_own_name_leave_it_out)
{
  run("left_out_mrc", 4096, WHERE("h1:EnableTransportStats", "false"), WHERE(NULL));
  csv_table_t table = mrc_read_stats(CSV_FOLDER, "left_out_mrc");
  CU_ASSERT_EQUAL(table.row_count, 2);
  CU_ASSERT_EQUAL(csv_find(&table, 0, WHERE("component_name", "h1")), table.row_count);
  csv_free_table(&table);
  run("left_out_mrc", 4096, WHERE("EnableTransportStats", "false"), WHERE(NULL));
  CU_ASSERT_FALSE(mrc_has_record(CSV_FOLDER, "left_out_mrc", MRC_STATS));
  run("left_out_mrc", 4096, NULL, WHERE(NULL));
  CU_ASSERT_TRUE(mrc_has_record(CSV_FOLDER, "left_out_mrc", MRC_STATS));
  run("left_out_mrc", 4096, NULL, WHERE("mrc-transport-stats", "false"));
  CU_ASSERT_FALSE(mrc_has_record(CSV_FOLDER, "left_out_mrc", MRC_STATS));
}

/* ---- mrc-monitor ------------------------------------------------------------------------------------------------- */

/* Two packets to h1: a SACK, then the ACK. What does not apply is empty. */
SGF_TEST(every_packet_of_a_message_at_both_ends)
{
  enum { VALUES = 15 };
  static const char* const columns[VALUES] = {
      "node_id",    "job_ID", "packet_size",  "remote_IP", "RTT_ns", "direction",       "packet_type", "AR_bit",
      "ECN_marked", "M_Flag", "path_verdict", "DSCP_type", "PSN",    "ACK_bitmap_PSNs", "CACK_PSN"};
#define H0 "10.0.0.1"
#define H1 "10.0.0.2"
  static const char* const expected[][VALUES] = {
      {"0", "1", "4174", H1, "", "Tx", "DATA", "0", "", "", "", "NO_TRIM", "0", "[]", ""},
      {"0", "1", "4174", H1, "", "Tx", "DATA", "1", "", "", "", "NO_TRIM", "1", "[]", ""},
      {"1", "1", "4174", H0, "", "Rx", "DATA", "0", "0", "", "", "NO_TRIM", "0", "[]", ""},
      {"1", "0", "94", H0, "", "Tx", "SACK", "", "", "0", "NONE", "CONTROL", "0", "[]", "0"},
      {"1", "1", "4174", H0, "", "Rx", "DATA", "1", "0", "", "", "NO_TRIM", "1", "[]", ""},
      {"1", "0", "62", H0, "", "Tx", "ACK", "", "", "", "", "CONTROL", "1", "[]", "1"},
      {"0", "0", "94", H1, "201", "Rx", "SACK", "", "0", "0", "NONE", "CONTROL", "0", "[]", "0"},
      {"0", "0", "62", H1, "201", "Rx", "ACK", "", "0", "", "", "CONTROL", "1", "[]", "1"},
  };
  run("every_packet_mrc", 8192, WHERE("EnableMrcMonitor", "true"), WHERE(NULL));
  csv_table_t table = mrc_read_monitor(CSV_FOLDER, "every_packet_mrc");
  CU_ASSERT_EQUAL(table.column_count, 26);
  csv_check_cells(&table, sizeof expected / sizeof *expected, columns, VALUES, &expected[0][0]);
  /* Sent and received it has the same entropy value; so has its answer. */
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "entropy_value"), csv_at(&table, 2, "entropy_value"));
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "entropy_value"), csv_at(&table, 3, "entropy_value"));
  CU_ASSERT_STRING_NOT_EQUAL(csv_at(&table, 0, "entropy_value"), csv_at(&table, 1, "entropy_value"));
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "bytes_in_flight"), "8312");
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 6, "bytes_in_flight"), "4156");
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 7, "bytes_in_flight"), "0");
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 2, "bytes_in_flight"), "");
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "congestion_window"), "450000");
  csv_free_table(&table);
}

/* Off by default, of each NIC; or by its own name. */
SGF_TEST(EnableMrcMonitor_is_of_the_NIC)
{
  run("monitors_mrc", 4096, NULL, WHERE(NULL));
  CU_ASSERT_FALSE(mrc_has_record(CSV_FOLDER, "monitors_mrc", MRC_MONITOR));
  run("monitors_mrc", 4096, WHERE("h1:EnableMrcMonitor", "true"), WHERE(NULL));
  csv_table_t table = mrc_read_monitor(CSV_FOLDER, "monitors_mrc");
  CU_ASSERT_EQUAL(table.row_count, 2);
  CU_ASSERT_EQUAL(csv_find(&table, 0, WHERE("component_name", "h0")), table.row_count);
  csv_free_table(&table);
  run("monitors_mrc", 4096, WHERE("EnableMrcMonitor", "true"), WHERE("mrc-monitor", "false"));
  CU_ASSERT_FALSE(mrc_has_record(CSV_FOLDER, "monitors_mrc", MRC_MONITOR));
}

/* With a pool of three packets on a slow PCIe link packets are dropped, found by gaps and sent again; `rx_drops` counts
 * them, the records of the transport do not know them. */
SGF_TEST(section_13_pool_drops_are_in_neither_record)
{
  run("drops_mrc", 400 * 4096,
      WHERE("h1:NicPCIeInterface.PhysicalLayer.LaneCount", "4", "h1:IngressBufferManager.TotalBufferSize", "14KB",
            "LossReorderThreshold", "4", "EnableMrcMonitor", "true"),
      WHERE(NULL));
  csv_table_t stats        = mrc_read_stats(CSV_FOLDER, "drops_mrc");
  csv_table_t monitor      = mrc_read_monitor(CSV_FOLDER, "drops_mrc");
  csv_table_t ports        = csv_read_table(CSV_FOLDER, "drops_mrc", CSV_ND_STATS);
  const long long sent     = csv_integer_at(&stats, 0, "write_pkts_sent");
  const long long received = csv_integer_at(&stats, 1, "write_pkts_rcvd");
  const size_t port        = csv_find(&ports, 0, WHERE("component_name", "h1"));
  const long long drops    = csv_integer_at(&ports, port, "rx_drops");
  CU_ASSERT(drops > 10);
  CU_ASSERT_EQUAL(sent, received + drops);
  CU_ASSERT_EQUAL(csv_integer_at(&stats, 0, "num_rtx"), sent - 400);
  CU_ASSERT(csv_integer_at(&stats, 0, "max_tx_count") >= 2);
  CU_ASSERT(csv_integer_at(&stats, 1, "max_out_of_order_on_flow") >= 4);
  long long rows[2] = {0, 0}; /* of data: sent by h0, received by h1 */
  for (size_t row = 0; row < monitor.row_count; row++)
    if (strcmp(csv_at(&monitor, row, "packet_type"), "DATA") == 0)
      rows[strcmp(csv_at(&monitor, row, "direction"), "Rx") == 0]++;
  CU_ASSERT_EQUAL(rows[0], sent);
  CU_ASSERT_EQUAL(rows[1], received);
  csv_free_table(&stats);
  csv_free_table(&monitor);
  csv_free_table(&ports);
}
