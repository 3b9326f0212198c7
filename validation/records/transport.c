/* Records of NICs and their transport in a SimGrid simulation: spec/records.md 4, 8, 9, RC-14, RC-16, UN-179. */
#include "csv_support.h"
#include "harness.h"
#include "switch/simulation_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFTEN                                                                                                          \
  "StartTime", "0", "ClientStartOffset", "0", "NDStatsReportInterval", "0.00001",                                      \
      "NetworkBufferStatsReportingInterval", "0.00001"

enum { HOSTS = 5, OUT = 1, PACKETS = 100 };

/* Four hosts write 100 packets each to h1. */
static void record_incast(const char* simulation, const char* const* properties, const char* const* pairs)
{
  sim_star(&(star_t){.hosts = HOSTS, .properties = properties});
  sgf_results_t* results = csv_start(sim_fabric(), simulation, pairs);
  for (unsigned host = 0; host < HOSTS; host++)
    if (host != OUT)
      sim_write(host, OUT, PACKETS * 4096, 1e-6);
  sim_write(0, OUT, 0, 200e-6); /* so that there are rows after all that */
  sim_run();
  csv_finish(results, sgf_engine_clock(sim_fabric()));
}

static const char* last_of(const csv_table_t* table, const char* nic, const char* column)
{
  return csv_at(table, csv_find(table, table->row_count - HOSTS, WHERE("component_name", nic)), column);
}

SGF_SCENARIO(RC_16_an_incast_row_by_row)
{
  record_incast("RC_16_sim", SIM_PROPERTIES(NULL), WHERE(OFTEN));
  csv_table_t table = csv_read_table(CSV_FOLDER, "RC_16_sim", CSV_UET_TRANSPORT_STATS);
  CU_ASSERT_EQUAL(table.row_count, 20 * HOSTS);
  for (size_t row = 0; row < table.row_count; row++)
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "total_pkts_sent"), csv_integer_at(&table, row, "write_pkts_sent") +
                                                                        csv_integer_at(&table, row, "ack_pkts_sent") +
                                                                        csv_integer_at(&table, row, "nack_pkts_sent"));
  CU_ASSERT_STRING_EQUAL(last_of(&table, "h0", "write_pkts_sent"), "100");
  CU_ASSERT_STRING_EQUAL(last_of(&table, "h0", "ack_pkts_rcvd"), "101"); /* with that of the probe */
  CU_ASSERT_STRING_EQUAL(last_of(&table, "h0", "num_rtx"), "0");
  CU_ASSERT_STRING_EQUAL(last_of(&table, "h0", "ivl_write_pkts_sent"), "0");
  CU_ASSERT_STRING_EQUAL(last_of(&table, "h1", "write_pkts_rcvd"), "400");
  CU_ASSERT_STRING_EQUAL(last_of(&table, "h1", "total_pkts_sent"), "404");
  CU_ASSERT_STRING_EQUAL(last_of(&table, "h1", "wqes_created"), "0");
  csv_free_table(&table);
}

SGF_SCENARIO(RC_14_and_UN_179_the_pools_of_all_nics)
{
  record_incast("UN_179_sim", SIM_PROPERTIES("nic.EnableBufferStats", "true"),
                WHERE(OFTEN, "EnableNetworkBufferStatsReporting", "true"));
  csv_table_t table              = csv_read_table(CSV_FOLDER, "UN_179_sim", CSV_NET_BUFF_STATS);
  static const long long sizes[] = {3600000, 230400, 400000, 25600};
  const size_t last              = table.row_count - 4 * HOSTS;
  CU_ASSERT_EQUAL(table.row_count, 20 * 4 * HOSTS);
  for (size_t row = 0; row < table.row_count; row++)
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "buffer_max_size_B"), sizes[row % 4]);
  const size_t rx = csv_find(&table, last, WHERE("component_name", "h1", "buffer_id", "RX_TC0_BUFFER"));
  const size_t tx = csv_find(&table, last, WHERE("component_name", "h0", "buffer_id", "TX_TC0_BUFFER"));
  CU_ASSERT_EQUAL(csv_integer_at(&table, rx, "num_enq"), (HOSTS - 1) * PACKETS);
  CU_ASSERT_EQUAL(csv_integer_at(&table, rx, "num_deq"), (HOSTS - 1) * PACKETS);
  CU_ASSERT_EQUAL(csv_integer_at(&table, tx, "num_enq"), PACKETS);
  CU_ASSERT(csv_integer_at(&table, tx, "max_occupancy_B") <= 230400);
  csv_free_table(&table);
}

SGF_SCENARIO(RC_14_without_the_attribute_of_the_nics_nothing)
{
  record_incast("RC_14_sim", SIM_PROPERTIES(NULL), WHERE(OFTEN, "EnableNetworkBufferStatsReporting", "true"));
  CU_ASSERT_FALSE(csv_exists(CSV_FOLDER, "RC_14_sim", CSV_NET_BUFF_STATS));
}

SGF_SCENARIO(events_of_every_message)
{
  record_incast("events_sim", SIM_PROPERTIES("nic.EnableEventLogging", "true"), WHERE(OFTEN));
  csv_table_t table = csv_read_table(CSV_FOLDER, "events_sim", CSV_UET_EVENTS);
  CU_ASSERT_EQUAL(table.row_count, HOSTS * 8); /* four messages and the last one */
  for (size_t row = 1; row < table.row_count; row++)
    CU_ASSERT(csv_integer_at(&table, row - 1, "sim_time_ns") <= csv_integer_at(&table, row, "sim_time_ns"));
  csv_free_table(&table);
}
