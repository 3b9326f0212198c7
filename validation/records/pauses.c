/* Pauses in the records, in a SimGrid simulation: spec/records.md section 3, RC-08, RC-09, RC-15, R-05, R-06. The star
 * and its burst are those of spec/switch.md 10.3 and 10.4. */
#include "csv_support.h"
#include "harness.h"
#include "switch/simulation_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN = 0, OUT = 1, HOSTS = 3, SWITCH_NODE = HOSTS };

#define FROM_START "StartTime", "0", "ClientStartOffset", "0"

static void finish(sgf_results_t* results)
{
  sim_run();
  csv_finish(results, sgf_engine_clock(sim_fabric()));
}

/* The last state of the switch that was watched before or at a date. */
static const sim_row_t* state_at(opp_simtime_t date)
{
  const sim_row_t* row = sim_rows();
  while (row + 1 < sim_rows() + sim_row_count() && row[1].date <= date)
    row++;
  return row;
}

static opp_simtime_t date_of(const csv_table_t* table, size_t row)
{
  return (opp_simtime_t)(csv_real_at(table, row, "sim_time_sec") * 1e9 + 0.5) * OPP_NS;
}

/* The burst of 300 packets whose sender does not hear of the pause, its release, and the retransmissions. Rows come
 * every 40 ns, two for each packet of 80.36 ns. */
static void record_burst(const char* simulation)
{
  sim_star(&(star_t){.hosts         = HOSTS,
                     .first_latency = "20us",
                     .properties    = SIM_PROPERTIES("nic.RdmaDataMSS", "3912", "nic.InitialBaseRTT", "60us",
                                                     "nic.InitialRetransmitTimeout", "300us")});
  sim_watch(IN, OUT, 0);
  sgf_results_t* results =
      csv_start(sim_fabric(), simulation, WHERE(FROM_START, "NDStatsReportInterval", "0.00000004"));
  sim_hold(OUT, 0, 0, 130e-6);
  sim_write_packets(IN, OUT, 300, 1e-6);
  finish(results);
}

/* Each row says what the switch's own counters said at its date; without a row nothing has been sent. */
SGF_SCENARIO(RC_08_a_pause_with_packet_176_its_refreshes_and_the_drop_of_packet_241)
{
  record_burst("RC_08");
  csv_table_t pfc             = csv_read_table(CSV_FOLDER, "RC_08", CSV_ECN_PFC_STATS);
  csv_table_t nd              = csv_read_table(CSV_FOLDER, "RC_08", CSV_ND_STATS);
  const char* const* of_class = WHERE("component_name", "s0", "ifid", "0", "priority", "0");
  const char* const* of_port  = WHERE("component_name", "s0", "ifid", "0");
  CU_ASSERT_EQUAL(sim_row_of_pause(1)->occupancy, 176 * SIM_PACKET);
  CU_ASSERT_EQUAL(sim_row_of_rx_drop(1)->headroom, (240 - 176) * SIM_PACKET);
  CU_ASSERT(sim_row_of_pause(3)->date > sim_row_of_pause(2)->date); /* refreshes */
  unsigned rows = 0, changes = 0, drops = 0, wrong = 0;
  long long last_pauses = 0, last_drops = 0;
  size_t class_row = csv_find(&pfc, 0, of_class);
  for (size_t row = csv_find(&nd, 0, of_port); row < nd.row_count; row = csv_find(&nd, row + 1, of_port)) {
    const sim_row_t* state = state_at(date_of(&nd, row));
    long long pauses       = 0;
    if (class_row < pfc.row_count && date_of(&pfc, class_row) == date_of(&nd, row)) {
      pauses    = csv_integer_at(&pfc, class_row, "pfcxoff_tx");
      class_row = csv_find(&pfc, class_row + 1, of_class);
    }
    const long long rx_drops = csv_integer_at(&nd, row, "rx_drops");
    wrong += pauses != (long long)state->pauses || rx_drops != (long long)state->rx_drops;
    changes += pauses != last_pauses;
    drops += rx_drops != last_drops;
    last_pauses = pauses;
    last_drops  = rx_drops;
    rows++;
  }
  CU_ASSERT(rows > 5000);
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(changes, sim_rows()[sim_row_count() - 1].pauses); /* one by one */
  CU_ASSERT_EQUAL(drops, 60);
  csv_free_table(&pfc);
  csv_free_table(&nd);
}

SGF_SCENARIO(RC_09_a_resume_with_departure_165)
{
  record_burst("RC_09");
  csv_table_t pfc            = csv_read_table(CSV_FOLDER, "RC_09", CSV_ECN_PFC_STATS);
  const char* const* resumed = WHERE("component_name", "s0", "ifid", "0", "priority", "0", "pfcxon_tx", "1");
  const char* const* not_yet = WHERE("component_name", "s0", "ifid", "0", "priority", "0", "pfcxon_tx", "0");
  const sim_row_t* resume    = sim_row_of_resume(1);
  const size_t first         = csv_find(&pfc, 0, resumed);
  CU_ASSERT_EQUAL(resume->egress, (240 - 165) * SIM_PACKET);
  CU_ASSERT_FATAL(first < pfc.row_count);
  CU_ASSERT(date_of(&pfc, first) >= resume->date);
  CU_ASSERT(date_of(&pfc, first) - 40 * OPP_NS < resume->date);
  CU_ASSERT(csv_find(&pfc, 0, not_yet) < first);
  CU_ASSERT_EQUAL(csv_find(&pfc, first, not_yet), pfc.row_count);
  csv_free_table(&pfc);
}

/* ---- Times ------------------------------------------------------------------------------------------------------- */

/* The NIC of h1 holds its port for 84.3848 us, from when its frame of 1.28 ns has arrived after 500 ns; two packets for
 * it wait there meanwhile, each row counts up to its date. */
SGF_SCENARIO(R_05_a_hold_counts_up_to_each_row_and_goes_on)
{
  sim_star(&(star_t){.hosts = HOSTS, .properties = SIM_PROPERTIES(SIM_PACKETS("60us"))});
  sim_watch(IN, OUT, 0);
  sgf_results_t* results = csv_start(sim_fabric(), "R_05", WHERE(FROM_START, "NDStatsReportInterval", "0.00002"));
  sim_pfc(OUT, 0, 65535, 0);
  sim_write_packets(IN, OUT, 2, 45e-6);
  sim_hold(2, 0, 200e-6, 201e-6); /* so that the run goes on */
  finish(results);
  const sim_row_t* queued = sim_rows();
  while (queued->egress == 0)
    queued++;
  const double waits      = (double)queued->date / 1e6;
  const double begin      = 0.50128;
  const double end        = begin + 84.3848;
  const double paused[]   = {20 - begin, 20, 20, 20, end - 80, 0};
  const double blocked[]  = {0, 0, 60 - waits, 20, end - 80, 0};
  csv_table_t pfc         = csv_read_table(CSV_FOLDER, "R_05", CSV_ECN_PFC_STATS);
  const char* const* held = WHERE("component_name", "s0", "ifid", "1", "priority", "0");
  double total = 0, total_blocked = 0;
  size_t row = csv_find(&pfc, 0, held);
  for (size_t i = 0; i < sizeof paused / sizeof *paused; i++, row = csv_find(&pfc, row + 1, held)) {
    CU_ASSERT_FATAL(row < pfc.row_count);
    total += paused[i];
    total_blocked += blocked[i];
    CU_ASSERT_EQUAL(csv_integer_at(&pfc, row, "pfcxoff_rx"), 1);
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, row, "interval_total_time_xoff_usec"), paused[i]));
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, row, "interval_max_time_xoff_usec"), paused[i]));
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, row, "pfc_time_paused_usec"), total));
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, row, "interval_total_time_xoff_egr_occ_usec"), blocked[i]));
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, row, "interval_max_time_xoff_egr_occ_usec"), blocked[i]));
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, row, "total_xoff_time_egr_occ_usec"), total_blocked));
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, row, "percent_xon"), 100 - 100 * total / (20.0 * (double)(i + 1))));
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, row, "xoff_egr_occ_ratio"), total_blocked / total));
  }
  csv_free_table(&pfc);
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* h0 and h2 write to h1; the switch pauses them if its thresholds are low. */
static csv_table_t record_incast(const char* simulation, const char* xoff, const char* zero_rows)
{
  sim_star(&(star_t){
      .hosts      = HOSTS,
      .properties = SIM_PROPERTIES("switch.StaticPoolXoffThreshold", xoff, "switch.StaticPoolXonThreshold", "10KB")});
  sgf_results_t* results = csv_start(sim_fabric(), simulation,
                                     WHERE(FROM_START, "NDStatsReportInterval", "0.00001", "zero_rows", zero_rows));
  sim_write(0, OUT, 2000000, 0);
  sim_write(2, OUT, 2000000, 0);
  sim_write(2, OUT, 1, 400e-6); /* so that the last rows come after all that */
  finish(results);
  return csv_read_table(CSV_FOLDER, simulation, CSV_ECN_PFC_STATS);
}

static size_t rows_of_nics(const csv_table_t* table)
{
  size_t count = 0;
  for (size_t row = 0; row < table->row_count; row++)
    count += csv_integer_at(table, row, "node_id") < SWITCH_NODE;
  return count;
}

SGF_SCENARIO(RC_15_a_nic_that_is_never_paused_has_no_rows)
{
  csv_table_t table = record_incast("RC_15", "3MB", "true");
  CU_ASSERT(table.row_count > 0); /* of the switch */
  CU_ASSERT_EQUAL(rows_of_nics(&table), 0);
  csv_free_table(&table);
}

SGF_SCENARIO(R_06_a_switch_has_rows_of_all_classes_if_they_are_wanted)
{
  csv_table_t table     = record_incast("R_06", "3MB", "true");
  const size_t per_date = (size_t)HOSTS * 8;
  CU_ASSERT_EQUAL(table.row_count % per_date, 0);
  CU_ASSERT(table.row_count > per_date);
  for (size_t row = 0; row < per_date; row++) {
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "priority"), (long long)(row % 8));
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "percent_xon"), "100");
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "xoff_egr_occ_ratio"), "0");
  }
  csv_free_table(&table);
}

/* From its first pause on a class has a row at every date. */
SGF_SCENARIO(R_06_rows_begin_with_the_first_frame_and_go_on)
{
  csv_table_t table         = record_incast("R_06_paused", "100KB", "false");
  const char* const* paused = WHERE("component_name", "h0", "priority", "0");
  const size_t first        = csv_find(&table, 0, paused);
  CU_ASSERT_FATAL(first < table.row_count);
  CU_ASSERT(csv_integer_at(&table, first, "pfcxoff_rx") > 0);
  CU_ASSERT_STRING_EQUAL(csv_at(&table, first, "uldl"), "ul");
  CU_ASSERT_EQUAL(csv_find(&table, 0, WHERE("component_name", "h1")), table.row_count); /* it sends acknowledgements */
  double date = csv_real_at(&table, first, "sim_time_sec");
  size_t rows = 1;
  for (size_t row = csv_find(&table, first + 1, paused); row < table.row_count;
       row        = csv_find(&table, row + 1, paused)) {
    CU_ASSERT(csv_close_to(csv_real_at(&table, row, "sim_time_sec"), date + 10e-6));
    date = csv_real_at(&table, row, "sim_time_sec");
    rows++;
  }
  CU_ASSERT(rows > 3);
  csv_free_table(&table);
}

/* What the fabric reports at the end of the run is what the last rows say. */
SGF_SCENARIO(marks_and_pauses_are_those_of_the_fabric)
{
  csv_table_t table             = record_incast("marks", "100KB", "false");
  sgf_report_t* report          = sgf_report_new(sim_fabric());
  const opp_simtime_t last_date = date_of(&table, table.row_count - 1);
  CU_ASSERT(report->clock - last_date < 10 * OPP_US);
  long long checked = 0;
  for (size_t i = 0; i < report->pause_count; i++) {
    const sgf_pause_count_t* pause = &report->pauses[i];
    char port[16], tc[16];
    snprintf(port, sizeof port, "%u", pause->port);
    snprintf(tc, sizeof tc, "%u", pause->tc);
    const char* const* of = WHERE("component_name", pause->device, "ifid", port, "priority", tc);
    size_t last           = table.row_count;
    for (size_t row = csv_find(&table, 0, of); row < table.row_count; row = csv_find(&table, row + 1, of))
      last = row;
    CU_ASSERT_FATAL(last < table.row_count);
    CU_ASSERT_EQUAL(csv_integer_at(&table, last, "pfcxoff_tx"), (long long)pause->sent);
    CU_ASSERT_EQUAL(csv_integer_at(&table, last, "pfcxoff_rx"), (long long)pause->received);
    CU_ASSERT_EQUAL(csv_integer_at(&table, last, "pfcxon_tx"), (long long)pause->resumes_sent);
    CU_ASSERT_EQUAL(csv_integer_at(&table, last, "pfcxon_rx"), (long long)pause->resumes_received);
    CU_ASSERT(csv_close_to(csv_real_at(&table, last, "pfc_time_paused_usec"), (double)pause->paused / 1e6));
    checked += (long long)(pause->sent + pause->received);
  }
  CU_ASSERT(checked > 0);
  sgf_report_free(report);
  csv_free_table(&table);
}

/* ---- A NIC that is paused once ----------------------------------------------------------------------------------- */

/* h1 holds its port of the switch for 30 us, less than a refresh of the pause that the switch sends h0 meanwhile. Then
 * the queue drains, and h0 is resumed. */
static void record_one_pause(const char* simulation)
{
  sim_star(&(star_t){.hosts      = HOSTS,
                     .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), "switch.StaticPoolXoffThreshold", "100KB",
                                                  "switch.StaticPoolXonThreshold", "10KB")});
  sgf_results_t* results = csv_start(sim_fabric(), simulation, WHERE(FROM_START, "NDStatsReportInterval", "0.00001"));
  sim_hold(OUT, 0, 0, 30e-6);
  sim_write_packets(IN, OUT, 100, 15e-6);
  sim_write(2, OUT, 1, 100e-6); /* so that the run goes on */
  finish(results);
}

SGF_SCENARIO(UN_178_a_nic_has_rows_of_the_paused_class_from_its_pause_on)
{
  record_one_pause("UN_178");
  csv_table_t pfc          = csv_read_table(CSV_FOLDER, "UN_178", CSV_ECN_PFC_STATS);
  const char* const* of_h0 = WHERE("component_name", "h0");
  double expected          = 20e-6; /* its first packet leaves after 15 us */
  size_t rows              = 0;
  for (size_t row = csv_find(&pfc, 0, of_h0); row < pfc.row_count; row = csv_find(&pfc, row + 1, of_h0)) {
    CU_ASSERT_EQUAL(csv_integer_at(&pfc, row, "priority"), 0);
    CU_ASSERT_EQUAL(csv_integer_at(&pfc, row, "pfcxoff_rx"), 1);
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, row, "sim_time_sec"), expected));
    expected += 10e-6;
    rows++;
  }
  CU_ASSERT_EQUAL(rows, 9); /* 20, 30, .., 100 us */
  CU_ASSERT_EQUAL(csv_find(&pfc, 0, WHERE("component_name", "h2")), pfc.row_count);
  csv_free_table(&pfc);
}

/* Frames that h0 gets in that time: an acknowledgement for each of its 100 packets, one for its probe, and a pause and
 * a resume of 64 B. What the switch sends at that port arrives there. */
SGF_SCENARIO(UN_180_pause_frames_count_in_nd_stats)
{
  enum { ACKS = 101, ACK_BYTES = 78, PFC_BYTES = 64 };
  record_one_pause("UN_180");
  csv_table_t nd       = csv_read_table(CSV_FOLDER, "UN_180", CSV_ND_STATS);
  const size_t h0      = csv_find(&nd, 0, WHERE("component_name", "h0", "sim_time_sec", "0.0001"));
  const size_t port    = csv_find(&nd, 0, WHERE("component_name", "s0", "ifid", "0", "sim_time_sec", "0.0001"));
  const size_t h1      = csv_find(&nd, 0, WHERE("component_name", "h1", "sim_time_sec", "1e-05"));
  const size_t to_h1   = csv_find(&nd, 0, WHERE("component_name", "s0", "ifid", "1", "sim_time_sec", "1e-05"));
  const double b_of_h0 = ACKS * ACK_BYTES + 2 * PFC_BYTES;
  CU_ASSERT_EQUAL(csv_integer_at(&nd, h0, "total_packets_rx"), ACKS + 2);
  CU_ASSERT(csv_close_to(csv_real_at(&nd, h0, "total_bytes_rx_GB") * 1e9, b_of_h0));
  CU_ASSERT_EQUAL(csv_integer_at(&nd, port, "total_packets_tx"), ACKS + 2);
  CU_ASSERT(csv_close_to(csv_real_at(&nd, port, "total_bytes_tx_GB") * 1e9, b_of_h0));
  CU_ASSERT_EQUAL(csv_integer_at(&nd, h1, "total_packets_tx"), 1); /* its own pause, before any other frame */
  CU_ASSERT(csv_close_to(csv_real_at(&nd, h1, "interval_bytes_tx_MB") * 1e6, PFC_BYTES));
  CU_ASSERT_EQUAL(csv_integer_at(&nd, to_h1, "total_packets_rx"), 1);
  CU_ASSERT(csv_close_to(csv_real_at(&nd, to_h1, "interval_bytes_rx_MB") * 1e6, PFC_BYTES));
  csv_free_table(&nd);
}
