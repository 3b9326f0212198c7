/* Pools of NICs and their PCIe links in the records: spec/records.md 4 and 13, RC-14, UN-179. */
#include "csv_support.h"
#include "fabric/fabric_support.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFTEN                                                                                                          \
  "StartTime", "0", "ClientStartOffset", "0", "NDStatsReportInterval", "0.00001",                                      \
      "NetworkBufferStatsReportingInterval", "0.00001"
#define REPORTED "EnableNetworkBufferStatsReporting", "true"

/* Two packets from h0 to h1, and rows for 20 us. */
static void record_pair(const char* simulation, const char* const* settings, const char* const* pairs)
{
  fabric_rig_t rig       = rig_star(2, 100 * OPP_NS, 1, settings);
  sgf_results_t* results = csv_start(rig.fabric, simulation, pairs);
  sgf_op_unref(rig_write(&rig, 0, 1, 8192, 0, 0));
  csv_run_until(rig.fabric, 20 * OPP_US);
  csv_finish(results, 20 * OPP_US);
  rig_free(&rig);
}

/* ---- net-buff-stats ---------------------------------------------------------------------------------------------- */

SGF_TEST(RC_14_and_UN_179_one_of_two_switches_writes_nothing)
{
  record_pair("RC_14", SETTINGS("nic.EnableBufferStats", "true"), WHERE(OFTEN, REPORTED));
  CU_ASSERT_TRUE(csv_exists(CSV_FOLDER, "RC_14", CSV_NET_BUFF_STATS));
  record_pair("RC_14", SETTINGS("nic.EnableBufferStats", "true"), WHERE(OFTEN));
  CU_ASSERT_FALSE(csv_exists(CSV_FOLDER, "RC_14", CSV_NET_BUFF_STATS));
  record_pair("RC_14", SETTINGS(NULL), WHERE(OFTEN, REPORTED));
  CU_ASSERT_FALSE(csv_exists(CSV_FOLDER, "RC_14", CSV_NET_BUFF_STATS));
}

SGF_TEST(UN_179_pools_at_the_defaults)
{
  static const char* const pools[][2] = {{"RX_TC0_BUFFER", "3600000"},
                                         {"TX_TC0_BUFFER", "230400"},
                                         {"RX_TC1_BUFFER", "400000"},
                                         {"TX_TC1_BUFFER", "25600"}};
  record_pair("UN_179", SETTINGS("h1:nic.EnableBufferStats", "true"), WHERE(OFTEN, REPORTED));
  csv_table_t table = csv_read_table(CSV_FOLDER, "UN_179", CSV_NET_BUFF_STATS);
  CU_ASSERT_EQUAL_FATAL(table.row_count, 2 * 4); /* of h1 alone */
  for (size_t row = 0; row < table.row_count; row++) {
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_name"), "h1");
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "node_id"), 1);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "buffer_id"), pools[row % 4][0]);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "buffer_max_size_B"), pools[row % 4][1]);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "tc"), (long long)(row % 4 / 2));
  }
  csv_free_table(&table);
}

typedef struct flow {
  const char* nic;
  const char* id;
  long long packets;
  long long bytes;
  long long most;
} flow_t;

/* Data reserves its 4,202 B with the fetch, both at a time; the receiver holds 4,184 B until PCIe takes them over. Two
 * acknowledgements of 78 B and that of the probe of 62 B, which are charged without Ethernet, 60 and 44 B. */
SGF_TEST(what_goes_through_the_pools_of_two_nics)
{
  static const flow_t flows[] = {
      {"h0", "RX_TC0_BUFFER", 0, 0, 0},   {"h0", "TX_TC0_BUFFER", 2, 8404, 8404}, {"h0", "RX_TC1_BUFFER", 3, 180, 60},
      {"h0", "TX_TC1_BUFFER", 1, 62, 62}, {"h1", "RX_TC0_BUFFER", 2, 8368, 4184}, {"h1", "TX_TC0_BUFFER", 0, 0, 0},
      {"h1", "RX_TC1_BUFFER", 1, 44, 44}, {"h1", "TX_TC1_BUFFER", 3, 234, 78},
  };
  enum { COUNT = sizeof flows / sizeof *flows };
  record_pair("flows", SETTINGS("nic.EnableBufferStats", "true"), WHERE(OFTEN, REPORTED));
  csv_table_t table = csv_read_table(CSV_FOLDER, "flows", CSV_NET_BUFF_STATS);
  CU_ASSERT_EQUAL_FATAL(table.row_count, 2 * COUNT);
  for (size_t row = 0; row < table.row_count; row++) {
    const flow_t* flow  = &flows[row % COUNT];
    const bool is_first = row < COUNT;
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_name"), flow->nic);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "buffer_id"), flow->id);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "occupancy_B"), 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "max_occupancy_B"), flow->most);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "interval_max_occupancy_B"), is_first ? flow->most : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "num_enq"), flow->packets);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "num_deq"), flow->packets);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "interval_num_enq"), is_first ? flow->packets : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "interval_num_deq"), is_first ? flow->packets : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "interval_enq_B"), is_first ? flow->bytes : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "interval_deq_B"), is_first ? flow->bytes : 0);
    CU_ASSERT(csv_close_to(csv_real_at(&table, row, "enq_Gbps"), is_first ? (double)flow->bytes * 8 / 10e3 : 0));
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "overflow"), 0);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "percent_occupancy"), "0");
  }
  csv_free_table(&table);
}

/* A receive pool of 36,000 B behind a host that takes 1 Gb/s a lane: eight packets of 4,184 B fit. */
SGF_TEST(a_full_receive_pool_refuses)
{
  fabric_rig_t rig       = rig_star(2, 100 * OPP_NS, 1,
                                    SETTINGS("nic.EnableBufferStats", "true", "nic.PassThrough", "true",
                                             "h1:nic.IngressBufferManager.TotalBufferSize", "40KB",
                                             "h1:nic.NicPCIeInterface/PhysicalLayer/LaneBps", "1Gbps"));
  sgf_results_t* results = csv_start(rig.fabric, "refused", WHERE(OFTEN, REPORTED));
  sgf_op_unref(rig_write(&rig, 0, 1, 4096 * 100, 0, 0));
  csv_run_until(rig.fabric, 20 * OPP_US);
  csv_finish(results, 20 * OPP_US);
  csv_table_t pools         = csv_read_table(CSV_FOLDER, "refused", CSV_NET_BUFF_STATS);
  csv_table_t nd            = csv_read_table(CSV_FOLDER, "refused", CSV_ND_STATS);
  const size_t pool         = csv_find(&pools, 8, WHERE("component_name", "h1", "buffer_id", "RX_TC0_BUFFER"));
  const size_t port         = csv_find(&nd, nd.row_count / 2, WHERE("component_name", "h1"));
  const long long occupancy = csv_integer_at(&pools, pool, "occupancy_B");
  CU_ASSERT_EQUAL(csv_integer_at(&pools, pool, "buffer_max_size_B"), 36000);
  CU_ASSERT_EQUAL(csv_integer_at(&pools, pool, "max_occupancy_B"), 8 * 4184);
  CU_ASSERT(csv_integer_at(&pools, pool, "overflow") > 0);
  CU_ASSERT_EQUAL(csv_integer_at(&pools, pool, "overflow"), csv_integer_at(&nd, port, "rx_drops"));
  CU_ASSERT(occupancy > 0);
  CU_ASSERT_EQUAL(occupancy,
                  4184 * (csv_integer_at(&pools, pool, "num_enq") - csv_integer_at(&pools, pool, "num_deq")));
  CU_ASSERT(csv_close_to(csv_real_at(&pools, pool, "percent_occupancy"), (double)occupancy / 360));
  csv_free_table(&pools);
  csv_free_table(&nd);
  rig_free(&rig);
}

/* ---- pcie-stats -------------------------------------------------------------------------------------------------- */

/* Each packet is read by a request of 98 B, and crosses in eight transfers, 4,096 + 8 x 34 = 4,368 B, at 504.32 Gb/s.
 */
SGF_TEST(R_16_both_ends_of_each_link)
{
  static const struct {
    const char* nic;
    const char* end;
    long long bytes, transfers, reads, writes;
  } ends[] = {{"h0", "NIC", 2 * 98, 2, 2, 0},
              {"h0", "Host", 2 * 4368, 16, 0, 0},
              {"h1", "NIC", 2 * 4368, 16, 0, 2},
              {"h1", "Host", 0, 0, 0, 0}};
  record_pair("R_16", SETTINGS(NULL), WHERE(OFTEN, "EnablePCIeStatsLogging", "true"));
  csv_table_t table = csv_read_table(CSV_FOLDER, "R_16", CSV_PCIE_STATS);
  CU_ASSERT_EQUAL_FATAL(table.row_count, 8);
  for (size_t row = 0; row < 8; row++) {
    const bool is_first = row < 4;
    const double busy   = (double)ends[row % 4].bytes * 8 / 504.32 / 1000;
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_name"), ends[row % 4].nic);
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "pcie_end"), ends[row % 4].end);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "link_bytes_tx"), ends[row % 4].bytes);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "ivl_link_bytes_tx"), is_first ? ends[row % 4].bytes : 0);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "num_tlp_tx"), ends[row % 4].transfers);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "num_reads"), ends[row % 4].reads);
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "num_writes"), ends[row % 4].writes);
    CU_ASSERT(csv_close_to(csv_real_at(&table, row, "busy_usec"), busy) || busy < 0.004);
    CU_ASSERT(csv_close_to(csv_real_at(&table, row, "ivl_percent_busy"),
                           is_first ? csv_real_at(&table, row, "busy_usec") * 10 : 0));
  }
  csv_free_table(&table);
}
