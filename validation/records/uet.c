/* What UET NICs say of their transport: spec/records.md 8 and 9, RC-13, RC-16. */
#include "csv_support.h"
#include "fabric/fabric_support.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFTEN "StartTime", "0", "ClientStartOffset", "0", "NDStatsReportInterval", "0.00001"

enum { SENDERS = 8 };

#define TRIMMING                                                                                                       \
  "switch.PacketTrimmer.TrimmingEnabled", "true", "nic.TrimmingEnabled", "true", "switch.UETPolicyEnabled", "true",    \
      "switch.EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]", "switch.TotalSharedBufferSize", "5MB"

/* Eight hosts write 400,000 B each to another one, with rows every 10 us for 300 us. */
static csv_table_t record_incast(const char* simulation, const char* const* settings, sgf_report_t** report)
{
  const opp_simtime_t end = 300 * OPP_US;
  fabric_rig_t rig        = rig_star(SENDERS + 1, 100 * OPP_NS, 1, settings);
  sgf_results_t* results  = csv_start(rig.fabric, simulation, WHERE(OFTEN));
  for (unsigned src = 0; src < SENDERS; src++)
    sgf_op_unref(rig_write(&rig, src, SENDERS, 400000, 0, 0));
  csv_run_until(rig.fabric, end);
  csv_finish(results, end);
  if (report != NULL)
    *report = sgf_report_new(rig.fabric);
  rig_free(&rig);
  return csv_read_table(CSV_FOLDER, simulation, CSV_UET_TRANSPORT_STATS);
}

static long long sum_of_last_rows(const csv_table_t* table, const char* column)
{
  long long sum = 0;
  for (size_t row = table->row_count - (SENDERS + 1); row < table->row_count; row++)
    sum += csv_integer_at(table, row, column);
  return sum;
}

static const char* twin_of(const char* column)
{
  static char twin[64];
  snprintf(twin, sizeof twin, "ivl_%s", column);
  return twin;
}

/* ---- Counters ---------------------------------------------------------------------------------------------------- */

typedef struct value {
  const char* column;
  const char* expected;
} value_t;

static void check_row(const csv_table_t* table, size_t row, const value_t* values, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const char* value = csv_at(table, row, values[i].column);
    if (strcmp(value, values[i].expected) != 0)
      printf("\n  row %zu: %s is %s", row, values[i].column, value);
    CU_ASSERT_STRING_EQUAL(value, values[i].expected);
  }
}
#define CHECK_ROW(table, row, values) check_row(table, row, values, sizeof(values) / sizeof *(values))

/* Two packets of 4,184 B without congestion. Each takes 553.53 ns from the end of its serialisation to its
 * acknowledgement: four times 100 ns of cable, 84.04 ns of 4,202 B at the switch, a hold of 66.37 ns (4,184 B at 504.32
 * Gb/s), and twice 1.56 ns of 78 B. */
SGF_TEST(a_message_of_two_packets)
{
  static const value_t sender[] = {
      {"sim_time_sec", "1e-05"},
      {"component_name", "h0"},
      {"fep_id", "0"},
      {"total_pkts_sent", "2"},
      {"total_pkts_rcvd", "3"},
      {"write_pkts_sent", "2"},
      {"ivl_write_pkts_sent", "2"},
      {"write_pkts_rcvd", "0"},
      {"ack_pkts_sent", "0"},
      {"ack_pkts_rcvd", "3"},
      {"nack_pkts_rcvd", "0"},
      {"wqes_created", "1"},
      {"wqes_completed", "1"},
      {"ivl_wqes_completed", "1"},
      {"probe_sent", "1"},
      {"probe_ack_rcvd", "1"},
      {"num_rto", "0"},
      {"num_rtx", "0"},
      {"max_tx_count", "1"},
      {"ivl_max_tx_count", "1"},
      {"ivl_calc_max_rcvr_cwnd_pen", "0"},
      {"calc_min_cwnd_bytes", "450000"},
      {"ivl_calc_max_cwnd_bytes", "450000"},
      {"calc_mean_cwnd_bytes", "450000"},
      {"ivl_min_calc_rtt_usec", "0.55353"},
      {"max_calc_rtt_usec", "0.55353"},
      {"ivl_avg_calc_rtt_usec", "0.55353"},
      {"ivl_calc_max_bytes_in_flight", "8368"},
  };
  static const value_t receiver[] = {{"component_name", "h1"}, {"total_pkts_sent", "3"},  {"total_pkts_rcvd", "2"},
                                     {"ack_pkts_sent", "3"},   {"write_pkts_rcvd", "2"},  {"probe_sent", "0"},
                                     {"wqes_created", "0"},    {"max_calc_rtt_usec", "0"}};
  static const value_t later[]    = {
         {"sim_time_sec", "2e-05"},         {"total_pkts_sent", "2"},           {"ivl_total_pkts_sent", "0"},
         {"wqes_completed", "1"},           {"ivl_wqes_completed", "0"},        {"max_tx_count", "1"},
         {"ivl_max_tx_count", "0"},         {"calc_min_cwnd_bytes", "450000"},  {"ivl_calc_min_cwnd_bytes", "0"},
         {"ivl_calc_mean_cwnd_bytes", "0"}, {"calc_mean_cwnd_bytes", "450000"}, {"max_calc_rtt_usec", "0.55353"},
         {"ivl_max_calc_rtt_usec", "0"},    {"avg_calc_rtt_usec", "0.55353"}};
  fabric_rig_t rig       = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_results_t* results = csv_start(rig.fabric, "two_packets", WHERE(OFTEN));
  sgf_op_unref(rig_write(&rig, 0, 1, 8192, 0, 0));
  csv_run_until(rig.fabric, 20 * OPP_US);
  csv_finish(results, 20 * OPP_US);
  rig_free(&rig);
  csv_table_t table = csv_read_table(CSV_FOLDER, "two_packets", CSV_UET_TRANSPORT_STATS);
  CU_ASSERT_EQUAL_FATAL(table.row_count, 4);
  CHECK_ROW(&table, 0, sender);
  CHECK_ROW(&table, 1, receiver);
  CHECK_ROW(&table, 2, later);
  csv_free_table(&table);
}

/* Trimmed packets draw NACKs and are sent again; what one NIC has sent another has received. */
SGF_TEST(RC_16_packets_sent_are_data_acknowledgements_and_nacks)
{
  sgf_report_t* report = NULL;
  csv_table_t table    = record_incast("RC_16", SETTINGS(TRIMMING), &report);
  CU_ASSERT_EQUAL(table.row_count, 30 * (SENDERS + 1));
  for (size_t row = 0; row < table.row_count; row++) {
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "total_pkts_sent"), csv_integer_at(&table, row, "write_pkts_sent") +
                                                                        csv_integer_at(&table, row, "ack_pkts_sent") +
                                                                        csv_integer_at(&table, row, "nack_pkts_sent"));
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "total_pkts_rcvd"), csv_integer_at(&table, row, "write_pkts_rcvd") +
                                                                        csv_integer_at(&table, row, "ack_pkts_rcvd") +
                                                                        csv_integer_at(&table, row, "nack_pkts_rcvd"));
  }
  CU_ASSERT(sum_of_last_rows(&table, "nack_pkts_sent") > 0);
  CU_ASSERT_EQUAL(sum_of_last_rows(&table, "nack_pkts_sent"), sum_of_last_rows(&table, "nack_pkts_rcvd"));
  CU_ASSERT_EQUAL(sum_of_last_rows(&table, "ack_pkts_sent"), sum_of_last_rows(&table, "ack_pkts_rcvd"));
  CU_ASSERT_EQUAL(sum_of_last_rows(&table, "write_pkts_sent"), sum_of_last_rows(&table, "write_pkts_rcvd"));
  CU_ASSERT_EQUAL(sum_of_last_rows(&table, "num_rtx"), (long long)report->retransmissions);
  CU_ASSERT_EQUAL(sum_of_last_rows(&table, "wqes_created"), SENDERS);
  CU_ASSERT_EQUAL(sum_of_last_rows(&table, "wqes_completed"), SENDERS);
  CU_ASSERT_EQUAL(sum_of_last_rows(&table, "probe_sent"), SENDERS);
  CU_ASSERT_EQUAL(sum_of_last_rows(&table, "probe_ack_rcvd"), SENDERS);
  CU_ASSERT(csv_integer_at(&table, table.row_count - 1, "num_out_of_order_events_on_nic") > 0);
  CU_ASSERT(csv_integer_at(&table, table.row_count - 1, "max_out_of_order_on_flow") > 0);
  CU_ASSERT(csv_integer_at(&table, table.row_count - 2, "max_tx_count") >= 2); /* a sender */
  sgf_report_free(report);
  csv_free_table(&table);
}

SGF_TEST(RC_13_counters_of_the_transport_grow_by_their_twins)
{
  static const char* const counters[] = {"total_pkts_sent",
                                         "total_pkts_rcvd",
                                         "write_pkts_sent",
                                         "write_pkts_rcvd",
                                         "ack_pkts_sent",
                                         "ack_pkts_rcvd",
                                         "nack_pkts_sent",
                                         "nack_pkts_rcvd",
                                         "wqes_created",
                                         "wqes_completed",
                                         "num_out_of_order_events_on_nic",
                                         "num_dup_events_on_nic",
                                         "probe_sent",
                                         "probe_ack_rcvd",
                                         "num_rto",
                                         "num_rtx",
                                         "m_marked_pkts_sent",
                                         "m_marked_pkts_rcvd",
                                         "num_quick_adapt"};
  csv_table_t table                   = record_incast("RC_13_uet", SETTINGS(TRIMMING), NULL);
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
    for (size_t row = 0; row < table.row_count; row++) {
      const long long before = row > SENDERS ? csv_integer_at(&table, row - (SENDERS + 1), counters[i]) : 0;
      CU_ASSERT_EQUAL(csv_integer_at(&table, row, counters[i]) - before,
                      csv_integer_at(&table, row, twin_of(counters[i])));
    }
  CU_ASSERT(sum_of_last_rows(&table, "m_marked_pkts_sent") >= sum_of_last_rows(&table, "m_marked_pkts_rcvd"));
  CU_ASSERT(sum_of_last_rows(&table, "m_marked_pkts_rcvd") > 0);
  CU_ASSERT(sum_of_last_rows(&table, "num_quick_adapt") > 0);
  csv_free_table(&table);
}

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

static const struct {
  const char* min; /* of the interval */
  const char* mean;
  const char* max;
  const char* run; /* the greatest of the run; NULL: not in the record */
} samples[] = {
    {"ivl_calc_min_rcvr_cwnd_pen", "ivl_calc_mean_rcvr_cwnd_pen", "ivl_calc_max_rcvr_cwnd_pen", NULL},
    {"ivl_calc_min_cwnd_bytes", "ivl_calc_mean_cwnd_bytes", "ivl_calc_max_cwnd_bytes", NULL},
    {"ivl_min_calc_avg_q_delay_usec", "ivl_avg_calc_avg_q_delay_usec", "ivl_max_calc_avg_q_delay_usec",
     "max_calc_avg_q_delay_usec"},
    {"ivl_min_calc_rtt_usec", "ivl_avg_calc_rtt_usec", "ivl_max_calc_rtt_usec", "max_calc_rtt_usec"},
    {"ivl_calc_min_bytes_in_flight", "ivl_calc_mean_bytes_in_flight", "ivl_calc_max_bytes_in_flight", NULL},
};

SGF_TEST(samples_of_an_interval_lie_between_the_least_and_the_greatest)
{
  csv_table_t table = record_incast("samples", SETTINGS(TRIMMING), NULL);
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    double greatest = 0;
    for (size_t row = 0; row < table.row_count; row += SENDERS + 1) { /* of h0 */
      const double min  = csv_real_at(&table, row, samples[i].min);
      const double mean = csv_real_at(&table, row, samples[i].mean);
      const double max  = csv_real_at(&table, row, samples[i].max);
      CU_ASSERT((min <= mean || csv_close_to(min, mean)) && (mean <= max || csv_close_to(mean, max)));
      greatest = max > greatest ? max : greatest;
      if (samples[i].run != NULL)
        CU_ASSERT_EQUAL(csv_real_at(&table, row, samples[i].run), greatest);
    }
    CU_ASSERT(i == 0 ? greatest == 0 : greatest > 0); /* no penalty with the default PCIe link */
  }
  CU_ASSERT(csv_integer_at(&table, table.row_count - 2, "calc_min_cwnd_bytes") < 450000);
  csv_free_table(&table);
}

SGF_TEST(without_congestion_control_there_are_round_trips_alone)
{
  csv_table_t table = record_incast("no_nscc", SETTINGS(TRIMMING, "nic.NSCCEnable", "false"), NULL);
  const size_t last = table.row_count - 2;
  CU_ASSERT_STRING_EQUAL(csv_at(&table, last, "max_calc_avg_q_delay_usec"), "0");
  CU_ASSERT_STRING_EQUAL(csv_at(&table, last, "avg_calc_avg_q_delay_usec"), "0");
  CU_ASSERT_EQUAL(sum_of_last_rows(&table, "num_quick_adapt"), 0);
  CU_ASSERT(csv_real_at(&table, last, "max_calc_rtt_usec") > 0.55353);
  long long window = 450000;
  for (size_t row = 0; row < table.row_count; row += SENDERS + 1)
    if (csv_integer_at(&table, row, "ivl_calc_max_cwnd_bytes") > 0) {
      CU_ASSERT(csv_integer_at(&table, row, "ivl_calc_max_cwnd_bytes") <= window); /* follows the base RTT alone */
      window = csv_integer_at(&table, row, "ivl_calc_min_cwnd_bytes");
    }
  CU_ASSERT_EQUAL(csv_integer_at(&table, last - (SENDERS - 1), "calc_min_cwnd_bytes"), window);
  csv_free_table(&table);
}

SGF_TEST(windows_that_are_ignored_are_sampled)
{
  csv_table_t table = record_incast("pass", SETTINGS("nic.PassThrough", "true"), NULL);
  CU_ASSERT(csv_integer_at(&table, table.row_count - 2, "calc_min_cwnd_bytes") < 450000);
  csv_free_table(&table);
}

/* A host that takes 10 Gb/s a lane lets the receive pool of its NIC fill, which puts a penalty on the senders. */
SGF_TEST(a_slow_host_shows_in_the_penalty)
{
  csv_table_t table = record_incast("penalty",
                                    SETTINGS("h8:nic.NicPCIeInterface/PhysicalLayer/LaneBps", "10Gbps",
                                             "h8:nic.IngressBufferManager.TotalBufferSize", "1MB"),
                                    NULL);
  double greatest   = 0;
  for (size_t row = 0; row < table.row_count; row += SENDERS + 1) {
    const double max = csv_real_at(&table, row, "ivl_calc_max_rcvr_cwnd_pen");
    greatest         = max > greatest ? max : greatest;
    CU_ASSERT(max <= 127);
  }
  CU_ASSERT(greatest > 0);
  CU_ASSERT(csv_real_at(&table, table.row_count - 2, "calc_mean_rcvr_cwnd_pen") > 0);
  csv_free_table(&table);
}

/* ---- Which NICs -------------------------------------------------------------------------------------------------- */

SGF_TEST(a_nic_may_be_left_out)
{
  csv_table_t table = record_incast("left_out", SETTINGS("h3:nic.EnableTransportStats", "false"), NULL);
  CU_ASSERT_EQUAL(table.row_count, 30 * SENDERS);
  CU_ASSERT_EQUAL(csv_find(&table, 0, WHERE("component_name", "h3")), table.row_count);
  csv_free_table(&table);
  fabric_rig_t rig       = rig_star(2, 100 * OPP_NS, 1, SETTINGS("nic.EnableTransportStats", "false"));
  sgf_results_t* results = csv_start(rig.fabric, "left_out", WHERE(OFTEN));
  csv_run_until(rig.fabric, 20 * OPP_US);
  csv_finish(results, 20 * OPP_US);
  rig_free(&rig);
  CU_ASSERT_FALSE(csv_exists(CSV_FOLDER, "left_out", CSV_UET_TRANSPORT_STATS)); /* that of before is gone */
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

/* Dates in ns: doorbell 15; first packet on the wire after its PCIe read; the second 84.04 behind it. */
SGF_TEST(the_events_of_a_message)
{
  static const struct {
    const char* nic;
    const char* local;
    const char* remote;
    const char* wqe;
    const char* size;
    const char* type;
  } expected[] = {
      {"h0", "10.0.0.1:1", "10.0.0.2:0", "", "", "PDC_CREATED"},
      {"h0", "10.0.0.1:1", "10.0.0.2:0", "1", "8192", "WQE_CREATED"},
      {"h0", "10.0.0.1:1", "10.0.0.2:0", "1", "8192", "SEND_COMPLETE"},
      {"h1", "10.0.0.2:32769", "10.0.0.1:1", "", "", "PDC_CREATED"},
      {"h1", "10.0.0.2:32769", "10.0.0.1:1", "", "", "RECV_COMPLETE"},
      {"h1", "10.0.0.2:32769", "10.0.0.1:1", "", "", "PDC_TERMINATED"},
      {"h0", "10.0.0.1:1", "10.0.0.2:32769", "1", "8192", "WQE_COMPLETE"},
      {"h0", "10.0.0.1:1", "10.0.0.2:32769", "", "", "PDC_TERMINATED"},
  };
  enum { COUNT = sizeof expected / sizeof *expected };
  fabric_rig_t rig       = rig_star(2, 100 * OPP_NS, 1, SETTINGS("nic.EnableEventLogging", "true"));
  sgf_results_t* results = csv_start(rig.fabric, "events", NULL);
  sgf_op_unref(rig_write(&rig, 0, 1, 8192, 0, 0));
  csv_run_until(rig.fabric, 20 * OPP_US);
  csv_finish(results, 20 * OPP_US);
  rig_free(&rig);
  csv_table_t table = csv_read_table(CSV_FOLDER, "events", CSV_UET_EVENTS);
  CU_ASSERT_EQUAL_FATAL(table.row_count, COUNT);
  for (size_t row = 0; row < COUNT; row++) {
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_name"), expected[row].nic);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "FEP_ID"), expected[row].nic[1] - '0');
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "local_PDC_ID"), expected[row].local);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "remote_PDC_ID"), expected[row].remote);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "wqe_ID"), expected[row].wqe);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "wqe_size_bytes"), expected[row].size);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "ev_type"), expected[row].type);
    if (row > 0)
      CU_ASSERT(csv_integer_at(&table, row - 1, "sim_time_ns") <= csv_integer_at(&table, row, "sim_time_ns"));
  }
  CU_ASSERT_EQUAL(csv_integer_at(&table, 2, "sim_time_ns"), 15); /* the doorbell */
  csv_free_table(&table);
}

static size_t count_rows(const csv_table_t* table, const char* const* pairs)
{
  size_t count = 0;
  for (size_t row = csv_find(table, 0, pairs); row < table->row_count; row = csv_find(table, row + 1, pairs))
    count++;
  return count;
}

/* Ids are taken up again; a message without bytes and one to oneself are messages too. */
SGF_TEST(every_message_opens_and_closes_a_PDC_at_both_ends)
{
  fabric_rig_t rig =
      rig_star(3, 100 * OPP_NS, 1, SETTINGS("nic.EnableEventLogging", "true", "h2:nic.EnableEventLogging", "false"));
  sgf_results_t* results = csv_start(rig.fabric, "pdcs", NULL);
  for (unsigned i = 0; i < 5; i++)
    sgf_op_unref(rig_write(&rig, 0, 1, i * 3000, 0, i * 10 * OPP_US));
  sgf_op_unref(rig_write(&rig, 0, 0, 5000, 0, 0));
  sgf_op_unref(rig_write(&rig, 2, 1, 5000, 0, 0));
  csv_run_until(rig.fabric, 100 * OPP_US);
  csv_finish(results, 100 * OPP_US);
  rig_free(&rig);
  csv_table_t table                  = csv_read_table(CSV_FOLDER, "pdcs", CSV_UET_EVENTS);
  static const char* const both[]    = {"PDC_CREATED", "PDC_TERMINATED"};
  static const char* const sending[] = {"WQE_CREATED", "SEND_COMPLETE", "WQE_COMPLETE"};
  for (size_t i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(count_rows(&table, WHERE("component_name", "h0", "ev_type", both[i])),
                    7); /* its own has two ends */
    CU_ASSERT_EQUAL(count_rows(&table, WHERE("component_name", "h1", "ev_type", both[i])), 6);
  }
  for (size_t i = 0; i < 3; i++)
    CU_ASSERT_EQUAL(count_rows(&table, WHERE("component_name", "h0", "ev_type", sending[i])), 6);
  CU_ASSERT_EQUAL(count_rows(&table, WHERE("component_name", "h1", "ev_type", "RECV_COMPLETE")), 6);
  CU_ASSERT_EQUAL(count_rows(&table, WHERE("component_name", "h2")), 0);
  CU_ASSERT_EQUAL(count_rows(&table, WHERE("local_PDC_ID", "10.0.0.1:1", "ev_type", "PDC_CREATED")), 5);
  csv_free_table(&table);
}
