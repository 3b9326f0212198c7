/* The attributes under `record`: the documentation's global parameters (spec/records.md 1.3), each record by its own
 * name, and what the rows of all of them have. */
#include <sgfabric/records.h>

#define AT(field) offsetof(sgf_results_config_t, field)

static const sgf_attr_t rows[] = {
    {"StartTime", SGF_ATTR_DECIMAL, AT(start_time), "0.001", "0..1000000",
     "Seconds; the first rows are due at StartTime + ClientStartOffset + their interval."},
    {"ClientStartOffset", SGF_ATTR_DECIMAL, AT(client_start_offset), "0.001", "0..1000000", "Seconds; see StartTime."},
    {"NDStatsReportInterval", SGF_ATTR_DECIMAL, AT(nd_stats_interval), "0.001", "0.000000001..1000000",
     "Seconds between two rows in nd-stats, ecn-pfc-stats, uet-transport-stats, roce-transport-stats and pcie-stats."},
    {"EnableNetDeviceStatLogging", SGF_ATTR_BOOL, AT(net_device_stats), "true", "", "Whether nd-stats is written."},
    {"EnablePFCECNStatsLogging", SGF_ATTR_BOOL, AT(pfc_ecn_stats), "true", "", "Whether ecn-pfc-stats is written."},
    {"NetworkBufferStatsReportingInterval", SGF_ATTR_DECIMAL, AT(network_buffer_interval), "0.001",
     "0.000000001..1000000", "Seconds between two rows of a pool in net-buff-stats."},
    {"EnableNetworkBufferStatsReporting", SGF_ATTR_BOOL, AT(network_buffer_stats), "false", "",
     "Whether net-buff-stats is written, for the NICs whose EnableBufferStats is true."},
    {"EnablePCIeStatsLogging", SGF_ATTR_BOOL, AT(pcie_stats_logging), "false", "", "Whether pcie-stats is written."},
    {"EnableFeedbackStats", SGF_ATTR_BOOL, AT(feedback_stats), "false", "",
     "Whether the times that ECN and PFC take to work are measured, for the summary and for feedback-events."},
    {"EnableVictimStats", SGF_ATTR_BOOL, AT(victim_stats), "false", "",
     "Whether flows that wait for pauses which they did not cause are looked for, for the record victims."},
    {"EnableRoceTransportStats", SGF_ATTR_BOOL, AT(roce_transport_stats_logging), "true", "",
     "Whether roce-transport-stats is written."},
    {"nd-stats", SGF_ATTR_BOOL, AT(nd_stats), "true", "",
     "Packets, bytes, rates and drops of each port; both this and EnableNetDeviceStatLogging have to be true."},
    {"ecn-pfc-stats", SGF_ATTR_BOOL, AT(ecn_pfc_stats), "true", "",
     "Pauses and marks of each port's class; both this and EnablePFCECNStatsLogging have to be true."},
    {"scala-switch-agg-buff-stats", SGF_ATTR_BOOL, AT(switch_agg_buffer_stats), "true", "",
     "Buffers of each switch, all its ports together."},
    {"scala-switch-buff-stats", SGF_ATTR_BOOL, AT(switch_buffer_stats), "true", "",
     "Buffers of each port of the switches whose ReportPerPortBufferStats is true."},
    {"scala-switch-load-balancing-stats", SGF_ATTR_BOOL, AT(load_balancing_stats), "true", "",
     "Members of the equal-cost sets of the switches whose EnableLoadBalancingStats is true."},
    {"uet-transport-stats", SGF_ATTR_BOOL, AT(uet_transport_stats), "true", "",
     "Packets, recovery and congestion windows of the UET NICs whose EnableTransportStats is true."},
    {"roce-transport-stats", SGF_ATTR_BOOL, AT(roce_transport_stats), "true", "",
     "Packets, recovery and round trips of the RoCE NICs; both this and EnableRoceTransportStats have to be true."},
    {"mrc-transport-stats", SGF_ATTR_BOOL, AT(mrc_transport_stats), "true", "",
     "Packets, recovery, windows and paths of the MRC NICs whose EnableTransportStats is true."},
    {"mrc-monitor", SGF_ATTR_BOOL, AT(mrc_monitor), "true", "",
     "Single packets of the MRC NICs whose EnableMrcMonitor is true."},
    {"net-buff-stats", SGF_ATTR_BOOL, AT(net_buff_stats), "true", "",
     "Pools of NICs; needs EnableNetworkBufferStatsReporting and the NIC's EnableBufferStats too."},
    {"uet-events", SGF_ATTR_BOOL, AT(uet_events), "true", "",
     "PDCs and messages of the UET NICs whose EnableEventLogging is true."},
    {"uet-monitor", SGF_ATTR_BOOL, AT(uet_monitor), "true", "",
     "Single packets of the connections that ScalaUETMonitor of the first UET NIC selects."},
    {"feedback-events", SGF_ATTR_BOOL, AT(feedback_events), "true", "",
     "Each time from a mark to slower data and from a pause to its last frame; needs EnableFeedbackStats too."},
    {"pcie-stats", SGF_ATTR_BOOL, AT(pcie_stats), "true", "",
     "Both ends of each NIC's PCIe link; both this and EnablePCIeStatsLogging have to be true."},
    {"pfc-watchdog", SGF_ATTR_BOOL, AT(pfc_watchdog), "true", "",
     "Storms that the watchdogs of the switches whose PfcWatchdog.Enable is true have seen, written when the run "
     "ends."},
    {"victims", SGF_ATTR_BOOL, AT(victims), "true", "",
     "What each of these flows lost at each hold, written when the run ends; needs EnableVictimStats too."},
    {"topology-report", SGF_ATTR_BOOL, AT(topology_report), "true", "", "The cables, once."},
    {"zero_rows", SGF_ATTR_BOOL, AT(zero_rows), "false", "",
     "Whether a switch has rows in ecn-pfc-stats for a class without any pause or mark so far."},
    {"time_utc", SGF_ATTR_TEXT, AT(time_utc), "", "9999-99-99T99:99:99Z",
     "What every row has as its date of writing; empty: the wall clock."},
    {"job_id", SGF_ATTR_TEXT, AT(job_id), "", "", "Name of the job; empty: that of the simulation."},
};

static const sgf_attr_table_t table       = {"CSV records", rows, sizeof rows / sizeof *rows};
static const sgf_attr_section_t section[] = {{&table, 0}};

const sgf_attr_set_t sgf_results_attributes = {"record", section, sizeof section / sizeof *section,
                                               sizeof(sgf_results_config_t)};
