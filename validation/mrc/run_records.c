/* spec/mrc-nic.md 13 and 14 in a simulation: the records of a run (MR-60, MR-69). */
#include "harness.h"
#include "mrc_records_support.h"
#include "mrc_run_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOSTS = 5 };

/* ---- Default settings -------------------------------------------------------------------------------------------- */

/* A MiB is there after 22 us; the first rows come at 3 ms. */
SGF_SCENARIO(MR_69_nd_stats_and_mrc_transport_stats_exist_by_default)
{
  sg_fabric_set_results(CSV_FOLDER, "MR_69");
  run_cable_of("mrc", "100ns", NULL);
  run_write(0, 1, MRUN_MIB, 0);
  run_write(0, 1, MRUN_MIB, 3.5e-3);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  csv_table_t stats = mrc_read_stats(CSV_FOLDER, "MR_69");
  csv_table_t ports = csv_read_table(CSV_FOLDER, "MR_69", CSV_ND_STATS);
  CU_ASSERT_EQUAL_FATAL(stats.row_count, 2);
  CU_ASSERT_EQUAL_FATAL(ports.row_count, 2);
  CU_ASSERT_EQUAL(csv_real_at(&stats, 0, "sim_time_sec"), 0.003);
  CU_ASSERT_EQUAL(csv_integer_at(&stats, 0, "write_pkts_sent"), 256);
  CU_ASSERT_EQUAL(csv_integer_at(&stats, 1, "write_pkts_rcvd"), 256);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, 0, "total_packets_tx"), 256);
  CU_ASSERT_EQUAL(csv_integer_at(&ports, 1, "total_packets_rx"), 256);
  CU_ASSERT_FALSE(mrc_has_record(CSV_FOLDER, "MR_69", MRC_MONITOR));
  CU_ASSERT_FALSE(csv_exists(CSV_FOLDER, "MR_69", CSV_NET_BUFF_STATS));
  csv_free_table(&stats);
  csv_free_table(&ports);
}

/* With buffer statistics on: the same pools, and what a MiB puts through them. */
SGF_SCENARIO(section_13_net_buff_stats_of_the_four_pools)
{
  static const long long sizes[] = {3600000, 230400, 400000, 25600};
  sg_fabric_set_results(CSV_FOLDER, "pools_mrc");
  run_cable_of("mrc", "100ns",
               RUN_SETTINGS("**.nic.EnableBufferStats=true", "record.EnableNetworkBufferStatsReporting=true"));
  run_write(0, 1, MRUN_MIB, 0);
  run_write(0, 1, MRUN_MIB, 3.5e-3);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  csv_table_t table = csv_read_table(CSV_FOLDER, "pools_mrc", CSV_NET_BUFF_STATS);
  CU_ASSERT_EQUAL_FATAL(table.row_count, 8);
  for (size_t row = 0; row < 8; row++)
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "buffer_max_size_B"), sizes[row % 4]);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 1, "num_enq"), 256); /* h0: reservations, and SACKs that come */
  CU_ASSERT_EQUAL(csv_integer_at(&table, 1, "max_occupancy_B"), 229570);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 2, "interval_enq_B"), 255 * 94 + 64);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 4, "interval_enq_B"), 256 * MRUN_FULL); /* h1 */
  CU_ASSERT_EQUAL(csv_integer_at(&table, 4, "occupancy_B"), 0);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 7, "interval_deq_B"), 255 * 94 + 62);
  csv_free_table(&table);
}

/* ---- Two processes ----------------------------------------------------------------------------------------------- */

#define OFTEN                                                                                                          \
  "record.time_utc=\"" NOW_STAMP "\"", "record.StartTime=0", "record.ClientStartOffset=0", "record.job_id=\"job\"",    \
      "record.NDStatsReportInterval=0.00002", "**.nic.TransportStatsReportInterval=20us"
#define TRIMMING                                                                                                       \
  "**.nic.TrimmingEnabled=true", "**.switch.UETPolicyEnabled=true", "**.switch.PacketTrimmer.TrimmingEnabled=true",    \
      "**.switch.EnablePFC=[0, 0, 0, 0, 0, 0, 0, 0]", "**.switch.PlaneBDP=200KB"

/* An incast that a switch marks and trims, every packet of it in mrc-monitor with its entropy value. */
static void run_incast(const char* simulation, uint64_t seed)
{
  sg_fabric_set_results(CSV_FOLDER, simulation);
  sg_fabric_set_seed(seed);
  run_rack_of("mrc", HOSTS, "100ns", RUN_SETTINGS(OFTEN, TRIMMING, "**.nic.EnableMrcMonitor=true"));
  for (unsigned src = 1; src < HOSTS; src++)
    run_write(src, 0, MRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

/* In a process of its own. */
static void run_apart(const char* simulation, uint64_t seed)
{
  fflush(NULL);
  const pid_t child = fork();
  CU_ASSERT_FATAL(child >= 0);
  if (child == 0) {
    run_incast(simulation, seed);
    exit(CU_get_number_of_failures() == 0 ? 0 : 1);
  }
  int status = -1;
  CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
}

static bool are_equal(const char* a, const char* b, const char* record)
{
  char* bytes[]    = {csv_bytes_of(CSV_FOLDER, a, record), csv_bytes_of(CSV_FOLDER, b, record)};
  const bool equal = bytes[0] != NULL && bytes[1] != NULL && strcmp(bytes[0], bytes[1]) == 0;
  free(bytes[0]);
  free(bytes[1]);
  return equal;
}

SGF_SCENARIO(MR_60_two_processes_with_one_seed_leave_the_same_records)
{
  run_apart("MR_60_a", 5);
  run_apart("MR_60_b", 5);
  run_apart("MR_60_c", 6);
  CU_ASSERT(are_equal("MR_60_a", "MR_60_b", MRC_STATS));
  CU_ASSERT(are_equal("MR_60_a", "MR_60_b", MRC_MONITOR));
  CU_ASSERT(csv_same_runs(CSV_FOLDER, "MR_60_a", CSV_FOLDER, "MR_60_b"));
  CU_ASSERT_FALSE(are_equal("MR_60_a", "MR_60_c", MRC_MONITOR)); /* other entropy values at least */
  csv_table_t stats = mrc_read_stats(CSV_FOLDER, "MR_60_a");
  const size_t last = csv_find(&stats, stats.row_count - HOSTS, WHERE("component_name", "h0"));
  CU_ASSERT(csv_integer_at(&stats, last, "num_trimmed_rcvd") > 10);
  CU_ASSERT(csv_integer_at(&stats, last, "m_marked_pkts_sent") > 10);
  CU_ASSERT_EQUAL(csv_integer_at(&stats, last, "nack_pkts_sent"), csv_integer_at(&stats, last, "num_trimmed_rcvd"));
  csv_free_table(&stats);
}

/* ---- mrc-monitor ------------------------------------------------------------------------------------------------- */

/* Every trim is one packet of 62 B that comes in, one NACK that goes out, one that comes in, one retransmission. */
SGF_SCENARIO(trims_in_the_monitor)
{
  run_incast("trims_mrc", 1);
  csv_table_t table = mrc_read_monitor(CSV_FOLDER, "trims_mrc");
  size_t trims = 0, nacks_sent = 0, nacks_received = 0, again = 0;
  for (size_t row = 0; row < table.row_count; row++) {
    const bool is_received = strcmp(csv_at(&table, row, "direction"), "Rx") == 0;
    const bool is_nack     = strcmp(csv_at(&table, row, "packet_type"), "NACK") == 0;
    const bool is_trim     = strcmp(csv_at(&table, row, "DSCP_type"), "TRIMMED_LAST_HOP") == 0;
    trims += is_trim;
    nacks_sent += is_nack && !is_received;
    nacks_received += is_nack && is_received;
    again += strcmp(csv_at(&table, row, "direction"), "ReTx") == 0;
    if (is_trim)
      CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "packet_size"), "62");
    if (is_nack)
      CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "nack_code"), "TRIMMED_LASTHOP");
    if (row > 0)
      CU_ASSERT(csv_integer_at(&table, row - 1, "sim_time_ns") <= csv_integer_at(&table, row, "sim_time_ns"));
  }
  CU_ASSERT(trims > 10);
  CU_ASSERT_EQUAL(nacks_sent, trims);
  CU_ASSERT_EQUAL(nacks_received, trims);
  CU_ASSERT_EQUAL(again, trims);
  CU_ASSERT_EQUAL(csv_find(&table, 0, WHERE("direction", "ReTx", "DSCP_type", "NO_TRIM")), table.row_count);
  csv_free_table(&table);
}
