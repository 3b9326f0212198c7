/* roce-transport-stats of a run on the engine alone (spec/records.md 11; RC-01, RC-17; RO-15 seen from outside). */
#include "harness.h"

#include "fabric/fabric_support.h"
#include "records/csv_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 74, ROWS = 8, LINE = 4096 };

/* As spec/records.md prints it. */
static const char* const header =
    "time_utc,sim_time_sec,component_name,node_id,num_pkts_sent,ivl_num_pkts_sent,num_verb_pkts_sent,"
    "ivl_num_verb_pkts_sent,num_non_verb_pkts_sent,ivl_num_non_verb_pkts_sent,num_conn_pkts_sent,"
    "ivl_num_conn_pkts_sent,num_conn_pkts_recvd,ivl_num_conn_pkts_recvd,rdma_write_cnt,ivl_rdma_write_cnt,"
    "rdma_send_cnt,ivl_rdma_send_cnt,rdma_atomic_cnt,ivl_rdma_atomic_cnt,num_acks_sent,ivl_num_acks_sent,"
    "num_acks_recvd,ivl_num_acks_recvd,num_sacks_sent,ivl_num_sacks_sent,num_sacks_recvd,ivl_num_sacks_recvd,"
    "num_nacks_sent,ivl_num_nacks_sent,num_nacks_recvd,ivl_num_nacks_recvd,num_writes_recvd,ivl_num_writes_recvd,"
    "num_sends_recvd,ivl_num_sends_recvd,num_cnp_sent,ivl_num_cnp_sent,num_cnp_recvd,ivl_num_cnp_recvd,"
    "num_seq_out_of_order,ivl_num_seq_out_of_order,num_duplicate,ivl_num_duplicate,ivl_min_size_reorder_buf_psn,"
    "max_size_reorder_buf_psn,ivl_max_size_reorder_buf_psn,avg_size_reorder_buf_psn,ivl_avg_size_reorder_buf_psn,"
    "num_wqe_created,ivl_num_wqe_created,num_wqe_completed,ivl_num_wqe_completed,num_rtx,ivl_num_rtx,num_rto,"
    "ivl_num_rto,ivl_min_calc_rtt_usec,max_calc_rtt_usec,ivl_max_calc_rtt_usec,avg_calc_rtt_usec,"
    "ivl_avg_calc_rtt_usec,num_rx_drops,ivl_num_rx_drops,num_rx_drops_no_qp_data,ivl_num_rx_drops_no_qp_data,"
    "num_rx_drops_no_qp_ctrl,ivl_num_rx_drops_no_qp_ctrl,num_rx_drops_after_nak,ivl_num_rx_drops_after_nak,"
    "num_rx_drops_ghost_ack,ivl_num_rx_drops_ghost_ack,num_tx_payload_discards,ivl_num_tx_payload_discards";

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct table {
  char names[LINE];
  char lines[ROWS][LINE];
  char* columns[COLUMNS];
  char* values[ROWS][COLUMNS];
  size_t rows;
} table_t;

static size_t split(char* line, char** values)
{
  size_t count = 0;
  for (char* at = line; at != NULL && count < COLUMNS; count++) {
    values[count] = at;
    at            = strchr(at, ',');
    if (at != NULL)
      *at++ = '\0';
  }
  return count;
}

static bool read_line(FILE* file, char* line)
{
  if (fgets(line, LINE, file) == NULL)
    return false;
  char* end = strchr(line, '\n');
  CU_ASSERT_PTR_NOT_NULL_FATAL(end);
  *end = '\0';
  return true;
}

static FILE* open_record(const char* simulation)
{
  char name[512];
  snprintf(name, sizeof name, "%s/%s-roce-transport-stats-0.csv", CSV_FOLDER, simulation);
  return fopen(name, "r");
}

static table_t* read_record(const char* simulation)
{
  table_t* table = calloc(1, sizeof *table);
  FILE* file     = open_record(simulation);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_TRUE_FATAL(read_line(file, table->names));
  CU_ASSERT_STRING_EQUAL(table->names, header);
  CU_ASSERT_EQUAL(split(table->names, table->columns), COLUMNS);
  while (table->rows < ROWS && read_line(file, table->lines[table->rows])) {
    CU_ASSERT_EQUAL_FATAL(split(table->lines[table->rows], table->values[table->rows]), COLUMNS);
    table->rows++;
  }
  fclose(file);
  return table;
}

static double at(const table_t* table, size_t row, const char* column)
{
  for (size_t i = 0; i < COLUMNS; i++)
    if (strcmp(table->columns[i], column) == 0)
      return strtod(table->values[row][i], NULL);
  CU_FAIL_FATAL("there is no such column");
  return 0;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* Two RoCE NICs on a cable; h0 writes a MiB to h1 at date 0. Rows at 3 and 4 ms. */
static void run(const char* simulation, const char* const* records)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* h0     = sgf_fabric_add_nic(fabric, "h0", "h0", "roce", NULL);
  sgf_device_t* h1     = sgf_fabric_add_nic(fabric, "h1", "h1", "roce", NULL);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_connect(fabric, h0, h1, "cable", 400 * GBPS, 100 * OPP_NS, 1, NULL), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, NULL), SGF_OK);
  sgf_results_t* results = csv_start(fabric, simulation, records);
  sgf_op_write(fabric, h0, h1, 1 << 20, 0, 0, 0, NULL);
  csv_run_until(fabric, 4500 * OPP_US);
  csv_finish(results, 4500 * OPP_US);
  sgf_fabric_free(fabric);
}

SGF_TEST(RC_01_17_a_row_for_each_RoCE_NIC_and_interval)
{
  run("RC_01_roce", WHERE(NULL));
  table_t* table = read_record("RC_01_roce");
  CU_ASSERT_EQUAL_FATAL(table->rows, 4);
  for (size_t row = 0; row < table->rows; row++) {
    const bool is_sender = row % 2 == 0;
    CU_ASSERT_EQUAL(at(table, row, "sim_time_sec"), row < 2 ? 0.003 : 0.004);
    CU_ASSERT_EQUAL(at(table, row, "node_id"), is_sender ? 0 : 1);
    CU_ASSERT_EQUAL(at(table, row, "num_pkts_sent"), is_sender ? 256 : 16);
    CU_ASSERT_EQUAL(at(table, row, "num_verb_pkts_sent"), is_sender ? 256 : 0);
    CU_ASSERT_EQUAL(at(table, row, "num_non_verb_pkts_sent"), is_sender ? 0 : 16);
    CU_ASSERT_EQUAL(at(table, row, "rdma_write_cnt"), is_sender ? 256 : 0);
    CU_ASSERT_EQUAL(at(table, row, "num_writes_recvd"), is_sender ? 0 : 256);
    CU_ASSERT_EQUAL(at(table, row, "num_acks_recvd"), is_sender ? 16 : 0);
    CU_ASSERT_EQUAL(at(table, row, "num_wqe_completed"), is_sender ? 1 : 0);
    CU_ASSERT_EQUAL(at(table, row, "ivl_num_pkts_sent"), row >= 2 ? 0 : is_sender ? 256 : 16);
    CU_ASSERT_EQUAL(at(table, row, "num_rx_drops"), 0);
  }
  /* Every ACK comes a cable, 2.52 ns and a cable after the packet that drew it. */
  CU_ASSERT_DOUBLE_EQUAL(at(table, 0, "ivl_min_calc_rtt_usec"), 0.20252, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(at(table, 0, "avg_calc_rtt_usec"), 0.20252, 1e-6);
  CU_ASSERT_EQUAL(at(table, 2, "ivl_avg_calc_rtt_usec"), 0);
  CU_ASSERT_DOUBLE_EQUAL(at(table, 2, "max_calc_rtt_usec"), 0.20252, 1e-6);
  free(table);
}

SGF_TEST(EnableRoceTransportStats_and_the_records_own_name_leave_it_out)
{
  static const char* const switches[] = {"EnableRoceTransportStats", "roce-transport-stats"};
  for (size_t i = 0; i < 2; i++) {
    run("left_out_roce", WHERE(NULL));
    run("left_out_roce", WHERE(switches[i], "false"));
    FILE* file = open_record("left_out_roce"); /* that of before is gone */
    CU_ASSERT_PTR_NULL(file);
    if (file != NULL)
      fclose(file);
  }
}
