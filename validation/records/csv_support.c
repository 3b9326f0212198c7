#include "csv_support.h"

#include <CUnit/CUnit.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The specification ------------------------------------------------------------------------------------------- */

const char* const csv_kind_names[CSV_KINDS] = {
    "nd-stats",
    "ecn-pfc-stats",
    "scala-switch-agg-buff-stats",
    "scala-switch-buff-stats",
    "scala-switch-load-balancing-stats",
    "topology-report",
    "uet-transport-stats",
    "net-buff-stats",
    "uet-events",
    "pcie-stats",
    "uet-monitor",
    "feedback-events",
    "pfc-watchdog",
    "victims",
};

/* As spec/records.md prints them; of load balancing, of the
 * transport and of its events it lists the columns, those of pcie-stats are ours, and those of
 * feedback-events, pfc-watchdog and victims. */
const char* const csv_headers[CSV_KINDS] = {
    "time_utc,sim_time_sec,component_name,nd_name,component_type,ifid,uldl,node_id,tier,subtier,total_packets_tx,"
    "total_packets_rx,total_bytes_tx_GB,total_bytes_rx_GB,interval_bytes_tx_MB,interval_bytes_rx_MB,tx_rate_Gbps,"
    "rx_rate_Gbps,tx_link_percent_util,rx_link_percent_util,tx_drops,rx_drops",
    "job_id,time_utc,sim_time_sec,node_id,component_name,component_type,ifid,uldl,tier,subtier,priority,pfcxoff_tx,"
    "pfcxoff_rx,pfcxon_tx,pfcxon_rx,pfc_time_paused_usec,interval_total_time_xoff_usec,interval_max_time_xoff_usec,"
    "interval_total_time_xoff_egr_occ_usec,interval_max_time_xoff_egr_occ_usec,total_xoff_time_egr_occ_usec,"
    "percent_xon,xoff_egr_occ_ratio,pkts_ecn_marked",
    "time_utc,sim_time_sec,component_name,tier,node_id,buff_id,uldl,pool_num,total_bytes,buffer_limit,ivl_count,"
    "ivl_min_bytes,ivl_max_bytes,ivl_mean_bytes,ivl_max_pct_util,ivl_mean_pct_util",
    "time_utc,sim_time_sec,component_name,tier,node_id,buff_id,ifid,uldl,pool_num,buff_limit,ivl_count,ivl_min_bytes,"
    "ivl_max_bytes,ivl_mean_bytes,ivl_max_pct_util,ivl_mean_pct_util",
    "time_utc,sim_time_sec,component_name,component_type,node_id,tier,subtier,ifid,ecmp_group_id,ecmp_group_ifids,"
    "group_size,group_formed_ns,flow_table_slots,bytes,ivl_bytes,packets,ivl_packets,assignments,ivl_assignments,"
    "movements_in,ivl_movements_in,movements_out,ivl_movements_out,ivl_share,paused_skips,ivl_paused_skips,"
    "paused_selections,ivl_paused_selections",
    "component_name,component_type,tier,subtier,node_id,net_device,dev_id,peer_component_name,peer_component_type,"
    "peer_tier,peer_subtier,peer_node_id,peer_net_device,peer_dev_id,linkspeed_Gbps,prop_delay_ns",
    "time_utc,sim_time_sec,component_name,fep_id,total_pkts_sent,ivl_total_pkts_sent,total_pkts_rcvd,"
    "ivl_total_pkts_rcvd,write_pkts_sent,ivl_write_pkts_sent,write_pkts_rcvd,ivl_write_pkts_rcvd,ack_pkts_sent,"
    "ivl_ack_pkts_sent,ack_pkts_rcvd,ivl_ack_pkts_rcvd,nack_pkts_sent,ivl_nack_pkts_sent,nack_pkts_rcvd,"
    "ivl_nack_pkts_rcvd,wqes_created,ivl_wqes_created,wqes_completed,ivl_wqes_completed,"
    "num_out_of_order_events_on_nic,ivl_num_out_of_order_events_on_nic,max_out_of_order_on_flow,"
    "ivl_max_out_of_order_on_flow,num_dup_events_on_nic,ivl_num_dup_events_on_nic,probe_sent,ivl_probe_sent,"
    "probe_ack_rcvd,ivl_probe_ack_rcvd,num_rto,ivl_num_rto,num_rtx,ivl_num_rtx,max_tx_count,ivl_max_tx_count,"
    "m_marked_pkts_sent,ivl_m_marked_pkts_sent,m_marked_pkts_rcvd,ivl_m_marked_pkts_rcvd,num_quick_adapt,"
    "ivl_num_quick_adapt,ivl_calc_min_rcvr_cwnd_pen,calc_mean_rcvr_cwnd_pen,ivl_calc_mean_rcvr_cwnd_pen,"
    "ivl_calc_max_rcvr_cwnd_pen,calc_min_cwnd_bytes,ivl_calc_min_cwnd_bytes,calc_mean_cwnd_bytes,"
    "ivl_calc_mean_cwnd_bytes,ivl_calc_max_cwnd_bytes,ivl_min_calc_avg_q_delay_usec,avg_calc_avg_q_delay_usec,"
    "ivl_avg_calc_avg_q_delay_usec,max_calc_avg_q_delay_usec,ivl_max_calc_avg_q_delay_usec,ivl_min_calc_rtt_usec,"
    "max_calc_rtt_usec,ivl_max_calc_rtt_usec,avg_calc_rtt_usec,ivl_avg_calc_rtt_usec,ivl_calc_min_bytes_in_flight,"
    "calc_mean_bytes_in_flight,ivl_calc_mean_bytes_in_flight,ivl_calc_max_bytes_in_flight",
    "job_id,time_utc,sim_time_sec,component_name,node_id,buffer_id,tc,occupancy_B,max_occupancy_B,"
    "buffer_max_size_B,num_enq,num_deq,interval_num_enq,interval_num_deq,interval_enq_B,interval_deq_B,"
    "interval_max_occupancy_B,enq_Gbps,deq_Gbps,overflow,percent_occupancy",
    "time_utc,sim_time_ns,component_name,FEP_ID,local_PDC_ID,remote_PDC_ID,wqe_ID,wqe_size_bytes,ev_type",
    "time_utc,sim_time_sec,component_name,node_id,pcie_end,link_bytes_tx,ivl_link_bytes_tx,num_tlp_tx,"
    "ivl_num_tlp_tx,num_reads,ivl_num_reads,num_writes,ivl_num_writes,busy_usec,ivl_busy_usec,ivl_percent_busy,"
    "credit_wait_usec,ivl_credit_wait_usec,write_wait_usec,ivl_write_wait_usec,max_tx_header_B,max_tx_data_B,"
    "max_rx_header_B,max_rx_data_B",
    "sim_time_ns,component_name,FEP_ID,job_ID,packet_UID,packet_size,local_PDC_ID,remote_PDC_ID,entropy_value,"
    "RTT_ns,direction,packet_type,nack_code,AR_bit,ECN_marked,M_Flag,NIC_prefetched_bytes,PDC_prefetched_bytes,"
    "bytes_fetched,bytes_in_flight,congestion_window,receiver_congestion_window_penalty,DSCP_type,PSN,CACK_PSN,"
    "SACK_base_PSN,ACK_bitmap_PSNs",
    "time_utc,sim_time_ns,component_name,component_type,node_id,ifid,priority,ev_type,begin_ps,duration_ps,src,dst,"
    "queue_pair,mark_to_cnp_ps,cnp_way_ps,cnp_to_cut_ps,cut_to_start_ps,start_to_queue_ps,rate_before_bps,"
    "rate_after_bps,paused_ps,pkts_after,bytes_after,peak_above_xoff_bytes,headroom_bytes",
    "job_id,time_utc,sim_time_sec,node_id,component_name,component_type,ifid,uldl,priority,queue,action,detected_ns,"
    "restored_ns,storm_tx_packets,storm_tx_drops,storm_rx_packets,storm_rx_drops,total_tx_packets,total_tx_drops,"
    "total_rx_packets,total_rx_drops",
    "job_id,time_utc,sim_time_sec,flow,src,dst,bytes,start_ps,end_ps,node_id,component_name,component_type,ifid,uldl,"
    "peer_name,priority,hold_begin_ps,hold_end_ps,wait_begin_ps,lost_ps,root_node_id,root_name,root_ifid,root_priority,"
    "root_steps,waiting_with,caused_by",
};

static bool is_text(const char* column)
{
  static const char* const texts[] = {"job_id",
                                      "time_utc",
                                      "component_name",
                                      "nd_name",
                                      "uldl",
                                      "component_type",
                                      "buff_id",
                                      "net_device",
                                      "ecmp_group_ifids",
                                      "peer_component_name",
                                      "peer_component_type",
                                      "peer_net_device",
                                      "buffer_id",
                                      "local_PDC_ID",
                                      "remote_PDC_ID",
                                      "ev_type",
                                      "action",
                                      "src",
                                      "dst",
                                      "pcie_end",
                                      "direction",
                                      "packet_type",
                                      "nack_code",
                                      "DSCP_type",
                                      "ACK_bitmap_PSNs",
                                      "remote_IP",
                                      "path_verdict",
                                      "peer_name",
                                      "root_name",
                                      "waiting_with",
                                      "caused_by"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(texts[i], column) == 0)
      return true;
  return false;
}

static bool is_real(const char* column)
{
  static const char* const parts[] = {"_sec",  "_GB",  "_MB", "_Gbps", "percent", "_usec",
                                      "ratio", "mean", "pct", "share", "delay_ns"};
  if (strstr(column, "_ps") != NULL) /* a duration is no ratio */
    return false;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(column, parts[i]) != NULL)
      return true;
  return false;
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static bool is_plain_integer(const char* text)
{
  const char* digits = text + (*text == '-');
  const size_t count = strspn(digits, "0123456789");
  return count > 0 && digits[count] == '\0' && (digits[0] != '0' || (count == 1 && digits == text));
}

/* What %.6g prints in the C locale: read and printed again it is the same. */
static bool is_six_digit_real(const char* text)
{
  char* end          = NULL;
  const double value = strtod(text, &end);
  char again[40];
  snprintf(again, sizeof again, "%.6g", value);
  return *text != '\0' && *end == '\0' && isfinite(value) && strcmp(again, text) == 0;
}

static bool is_date(const char* text)
{
  static const char form[] = "9999-99-99T99:99:99Z";
  for (size_t i = 0; i < sizeof form; i++)
    if (form[i] == '9' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
      return false;
  return true;
}

/* What a column may leave out where it does not apply. */
static bool may_be_empty(const char* column)
{
  static const char* const columns[] = {"wqe_ID",
                                        "wqe_size_bytes",
                                        "RTT_ns",
                                        "nack_code",
                                        "AR_bit",
                                        "ECN_marked",
                                        "M_Flag",
                                        "NIC_prefetched_bytes",
                                        "PDC_prefetched_bytes",
                                        "bytes_fetched",
                                        "bytes_in_flight",
                                        "congestion_window",
                                        "receiver_congestion_window_penalty",
                                        "CACK_PSN",
                                        "SACK_base_PSN",
                                        "probe_response",
                                        "path_verdict",
                                        "service_time_ps",
                                        "duration_ps",
                                        "src",
                                        "dst",
                                        "queue_pair",
                                        "mark_to_cnp_ps",
                                        "cnp_way_ps",
                                        "cnp_to_cut_ps",
                                        "cut_to_start_ps",
                                        "start_to_queue_ps",
                                        "rate_before_bps",
                                        "rate_after_bps",
                                        "paused_ps",
                                        "pkts_after",
                                        "bytes_after",
                                        "peak_above_xoff_bytes",
                                        "headroom_bytes",
                                        "restored_ns",
                                        "end_ps",
                                        "waiting_with",
                                        "caused_by"};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    if (strcmp(columns[i], column) == 0)
      return true;
  return false;
}

static bool fits(const char* column, const char* text)
{
  if (*text == '\0')
    return may_be_empty(column);
  if (strcmp(column, "time_utc") == 0)
    return is_date(text);
  if (strcmp(column, "uldl") == 0)
    return strcmp(text, "ul") == 0 || strcmp(text, "dl") == 0 || strcmp(text, "-") == 0;
  if (is_text(column))
    return *text != '\0';
  return is_real(column) ? is_six_digit_real(text) : is_plain_integer(text);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static void file_of(char* name, size_t size, const char* folder, const char* simulation, const char* record)
{
  snprintf(name, size, "%s/%s-%s-0.csv", folder, simulation, record);
}

static char* read_file(const char* name)
{
  FILE* file = fopen(name, "r");
  if (file == NULL)
    return NULL;
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char* text = calloc(size + 1, 1);
  CU_ASSERT_EQUAL_FATAL(fread(text, 1, size, file), size);
  CU_ASSERT_EQUAL_FATAL(strlen(text), size); /* no zero bytes */
  fclose(file);
  return text;
}

char* csv_bytes_of(const char* folder, const char* simulation, const char* record)
{
  char name[1024];
  file_of(name, sizeof name, folder, simulation, record);
  return read_file(name);
}

char* csv_bytes(const char* folder, const char* simulation, csv_kind_t kind)
{
  return csv_bytes_of(folder, simulation, csv_kind_names[kind]);
}

bool csv_exists(const char* folder, const char* simulation, csv_kind_t kind)
{
  char* bytes         = csv_bytes(folder, simulation, kind);
  const bool is_there = bytes != NULL;
  free(bytes);
  return is_there;
}

/* The value that begins at `*at`, in place; `*at` moves behind it and what ends it, which is returned. */
static char take_value(char** at, char** value)
{
  char* read  = *at;
  char* write = *at;
  *value      = write;
  if (*read == '"') {
    for (read++; read[0] != '"' || read[1] == '"'; read += read[0] == '"' ? 2 : 1) {
      if (*read == '\0')
        CU_FAIL_FATAL("a quote that is not closed");
      *write++ = *read;
    }
    read++;
  } else
    for (; strchr(",\n\r\"", *read) == NULL; read++)
      *write++ = *read;
  const char end = *read;
  if (end != ',' && end != '\n')
    CU_FAIL_FATAL("a value that neither a comma nor a newline ends");
  *write = '\0';
  *at    = read + 1;
  return end;
}

static size_t commas_of(const char* line)
{
  size_t count = 0;
  for (; *line != '\n' && *line != '\0'; line++)
    count += *line == ',';
  return count;
}

static char** take_line(char** at, size_t columns)
{
  char** values = calloc(columns, sizeof *values);
  bool is_whole = true;
  for (size_t i = 0; i < columns && is_whole; i++)
    is_whole = take_value(at, &values[i]) == (i + 1 < columns ? ',' : '\n');
  if (!is_whole)
    CU_FAIL_FATAL("a row of more or fewer values than there are columns");
  return values;
}

csv_table_t csv_read_table(const char* folder, const char* simulation, csv_kind_t kind)
{
  return csv_read_record(folder, simulation, csv_kind_names[kind], csv_headers[kind]);
}

csv_table_t csv_read_record(const char* folder, const char* simulation, const char* record, const char* header)
{
  csv_table_t table = {.text = csv_bytes_of(folder, simulation, record)};
  CU_ASSERT_PTR_NOT_NULL_FATAL(table.text);
  const size_t length = strlen(header);
  CU_ASSERT_FATAL(strncmp(table.text, header, length) == 0 && table.text[length] == '\n');
  char* at           = table.text;
  table.column_count = commas_of(at) + 1;
  table.columns      = take_line(&at, table.column_count);
  while (*at != '\0') {
    table.rows                    = realloc(table.rows, (table.row_count + 1) * sizeof *table.rows);
    table.rows[table.row_count++] = take_line(&at, table.column_count);
  }
  size_t unfit = 0;
  for (size_t row = 0; row < table.row_count; row++)
    for (size_t column = 0; column < table.column_count; column++)
      if (!fits(table.columns[column], table.rows[row][column]) && unfit++ < 5)
        printf("\n  row %zu: %s is \"%s\"", row, table.columns[column], table.rows[row][column]);
  CU_ASSERT_EQUAL(unfit, 0);
  return table;
}

void csv_free_table(csv_table_t* table)
{
  for (size_t row = 0; row < table->row_count; row++)
    free(table->rows[row]);
  free(table->rows);
  free(table->columns);
  free(table->text);
}

static size_t column_of(const csv_table_t* table, const char* name)
{
  size_t i = 0;
  while (i < table->column_count && strcmp(table->columns[i], name) != 0)
    i++;
  if (i == table->column_count) {
    printf("\n  there is no column %s", name);
    CU_FAIL_FATAL("there is no such column");
  }
  return i;
}

const char* csv_at(const csv_table_t* table, size_t row, const char* column)
{
  if (row >= table->row_count)
    CU_FAIL_FATAL("there is no such row");
  return table->rows[row][column_of(table, column)];
}

void csv_check_cells(const csv_table_t* table, size_t rows, const char* const* columns, size_t count,
                     const char* const* expected)
{
  CU_ASSERT_EQUAL_FATAL(table->row_count, rows);
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < count; i++, expected++) {
      if (strcmp(csv_at(table, row, columns[i]), *expected) != 0)
        printf("\n  row %zu: %s is \"%s\"", row, columns[i], csv_at(table, row, columns[i]));
      CU_ASSERT_STRING_EQUAL(csv_at(table, row, columns[i]), *expected);
    }
}

long long csv_integer_at(const csv_table_t* table, size_t row, const char* column)
{
  return strtoll(csv_at(table, row, column), NULL, 10);
}

double csv_real_at(const csv_table_t* table, size_t row, const char* column)
{
  return strtod(csv_at(table, row, column), NULL);
}

size_t csv_find(const csv_table_t* table, size_t from, const char* const* pairs)
{
  enum { MOST = 8 };
  size_t columns[MOST], count = 0;
  for (; pairs[2 * count] != NULL; count++) {
    CU_ASSERT_FATAL(count < MOST);
    columns[count] = column_of(table, pairs[2 * count]);
  }
  for (size_t row = from; row < table->row_count; row++) {
    bool is_meant = true;
    for (size_t i = 0; is_meant && i < count; i++)
      is_meant = strcmp(table->rows[row][columns[i]], pairs[2 * i + 1]) == 0;
    if (is_meant)
      return row;
  }
  return table->row_count;
}

/* Half a unit of the sixth digit of each, and as much again for a product or quotient of them. */
bool csv_close_to(double a, double b)
{
  return fabs(a - b) <= 1e-5 * fmax(fabs(a), fabs(b));
}

bool csv_same_runs(const char* folder_a, const char* simulation_a, const char* folder_b, const char* simulation_b)
{
  bool same = true;
  for (csv_kind_t kind = 0; kind < CSV_KINDS; kind++) {
    char* a = csv_bytes(folder_a, simulation_a, kind);
    char* b = csv_bytes(folder_b, simulation_b, kind);
    if ((a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0)) {
      size_t at = 0;
      while (a != NULL && b != NULL && a[at] == b[at])
        at++;
      printf("\n  %s: %s and %s differ at byte %zu", csv_kind_names[kind], simulation_a, simulation_b, at);
      same = false;
    }
    free(a);
    free(b);
  }
  return same;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

sgf_results_config_t csv_config(const char* const* pairs)
{
  sgf_results_config_t config;
  sgf_error_t error = {0};
  sgf_attr_defaults(&sgf_results_attributes, &config, &error);
  sgf_attr_set_value(&sgf_results_attributes, &config, "time_utc", NOW_STAMP, &error);
  for (size_t i = 0; pairs != NULL && pairs[i] != NULL; i += 2)
    sgf_attr_set_value(&sgf_results_attributes, &config, pairs[i], pairs[i + 1], &error);
  if (error.status != SGF_OK)
    printf("\n  %s", error.text);
  CU_ASSERT_EQUAL_FATAL(error.status, SGF_OK);
  return config;
}

sgf_results_t* csv_start(sgf_fabric_t* fabric, const char* simulation, const char* const* pairs)
{
  const sgf_results_config_t config = csv_config(pairs);
  sgf_error_t error                 = {0};
  sgf_results_t* results            = sgf_results_open(fabric, &config, CSV_FOLDER, simulation, &error);
  if (results == NULL)
    printf("\n  %s", error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(results);
  return results;
}

void csv_run_until(sgf_fabric_t* fabric, opp_simtime_t end)
{
  while (sgf_engine_advance(fabric, end) == SGF_ENGINE_COMPLETION)
    while (sgf_engine_completed(fabric) != NULL)
      continue;
}

void csv_finish(sgf_results_t* results, opp_simtime_t end)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_results_close(results, end, &error), SGF_OK);
  if (error.status != SGF_OK)
    printf("\n  %s", error.text);
}
