/* Records of MRC NICs: see mrc_records_support.h. Their columns are ours (plugins/records/README.md). */
#include "mrc_records_support.h"

#include <stdlib.h>

static const char* const stats_header =
    "time_utc,sim_time_sec,component_name,node_id,total_pkts_sent,ivl_total_pkts_sent,total_pkts_rcvd,"
    "ivl_total_pkts_rcvd,write_pkts_sent,ivl_write_pkts_sent,write_pkts_rcvd,ivl_write_pkts_rcvd,ack_pkts_sent,"
    "ivl_ack_pkts_sent,ack_pkts_rcvd,ivl_ack_pkts_rcvd,sack_pkts_sent,ivl_sack_pkts_sent,sack_pkts_rcvd,"
    "ivl_sack_pkts_rcvd,nack_pkts_sent,ivl_nack_pkts_sent,nack_pkts_rcvd,ivl_nack_pkts_rcvd,probe_sent,ivl_probe_sent,"
    "probe_rcvd,ivl_probe_rcvd,probe_ack_rcvd,ivl_probe_ack_rcvd,wqes_created,ivl_wqes_created,wqes_completed,"
    "ivl_wqes_completed,msgs_delivered,ivl_msgs_delivered,num_out_of_order_events_on_nic,"
    "ivl_num_out_of_order_events_on_nic,max_out_of_order_on_flow,ivl_max_out_of_order_on_flow,num_dup_events_on_nic,"
    "ivl_num_dup_events_on_nic,num_out_of_window,ivl_num_out_of_window,num_trimmed_rcvd,ivl_num_trimmed_rcvd,num_rto,"
    "ivl_num_rto,num_rtx,ivl_num_rtx,max_tx_count,ivl_max_tx_count,num_gap_losses,ivl_num_gap_losses,num_trim_nacks,"
    "ivl_num_trim_nacks,num_other_nacks,ivl_num_other_nacks,m_marked_pkts_sent,ivl_m_marked_pkts_sent,"
    "m_marked_pkts_rcvd,ivl_m_marked_pkts_rcvd,num_quick_adapt,ivl_num_quick_adapt,num_paths_skipped,"
    "ivl_num_paths_skipped,num_paths_bad,ivl_num_paths_bad,num_ctrl_left_out,ivl_num_ctrl_left_out,"
    "num_probes_left_out,ivl_num_probes_left_out,num_generation_restarts,ivl_num_generation_restarts,"
    "calc_min_cwnd_bytes,ivl_calc_min_cwnd_bytes,calc_mean_cwnd_bytes,ivl_calc_mean_cwnd_bytes,"
    "ivl_calc_max_cwnd_bytes,ivl_min_calc_rtt_usec,max_calc_rtt_usec,ivl_max_calc_rtt_usec,avg_calc_rtt_usec,"
    "ivl_avg_calc_rtt_usec,ivl_calc_min_bytes_in_flight,calc_mean_bytes_in_flight,ivl_calc_mean_bytes_in_flight,"
    "ivl_calc_max_bytes_in_flight";

static const char* const monitor_header =
    "sim_time_ns,component_name,node_id,job_ID,packet_size,remote_IP,queue_pair,entropy_value,RTT_ns,direction,"
    "packet_type,nack_code,AR_bit,ECN_marked,M_Flag,probe_response,path_verdict,service_time_ps,bytes_in_flight,"
    "congestion_window,receiver_congestion_window_penalty,DSCP_type,PSN,CACK_PSN,SACK_base_PSN,ACK_bitmap_PSNs";

csv_table_t mrc_read_stats(const char* folder, const char* simulation)
{
  return csv_read_record(folder, simulation, MRC_STATS, stats_header);
}

csv_table_t mrc_read_monitor(const char* folder, const char* simulation)
{
  return csv_read_record(folder, simulation, MRC_MONITOR, monitor_header);
}

bool mrc_has_record(const char* folder, const char* simulation, const char* record)
{
  char* bytes         = csv_bytes_of(folder, simulation, record);
  const bool is_there = bytes != NULL;
  free(bytes);
  return is_there;
}
