/* The attributes of a switch (spec/switch.md 2.2); those of its buffer are the shared buffer's own table. */
#include "switch/switch.h"

static const sgf_attr_t own_attributes[] = {
    {"NumUpLinks", SGF_ATTR_UINT, offsetof(switch_config_t, uplinks), "64", "",
     "Ports set aside for uplinks: advice, a topology that needs more is accepted."},
    {"NumDownLinks", SGF_ATTR_UINT, offsetof(switch_config_t, downlinks), "64", "",
     "Ports set aside for downlinks: advice, a topology that needs more is accepted."},
    {"NumUpLinksPerSwitch", SGF_ATTR_UINT, offsetof(switch_config_t, uplinks_per_switch), "8", "",
     "Parallel uplinks towards each uplink peer: advice, the topology decides."},
    {"SwitchingCapacity", SGF_ATTR_DATARATE, offsetof(switch_config_t, switching_capacity), "51200Gbps", "",
     "Compared with the sum of the port speeds to show oversubscription; never limits forwarding."},
    {"EnableLoadBalancingStats", SGF_ATTR_BOOL, offsetof(switch_config_t, load_balancing_stats), "true", "",
     "Write the record scala-switch-load-balancing-stats of this switch."},
    {"LoadBalancingStatsReportInterval", SGF_ATTR_TIMEVAL, offsetof(switch_config_t, load_balancing_interval), "1ms",
     "10us..", "Simulated time between rows of that record."},
    {"ReportPerPortBufferStats", SGF_ATTR_BOOL, offsetof(switch_config_t, per_port_buffer_stats), "false", "",
     "Write the record scala-switch-buff-stats of this switch; the same as the buffer's attribute of this name."},
    {"PacketTrimmer/TrimmingEnabled", SGF_ATTR_BOOL, offsetof(switch_config_t, trimming), "false", "",
     "Cut eligible packets to their headers instead of dropping them; needs UETPolicyEnabled and no lossless class."},
    {"PacketTrimmer/TrimmingStatsEnabled", SGF_ATTR_BOOL, offsetof(switch_config_t, trimming_stats), "false", "",
     "Report trimming statistics; without TrimmingEnabled it has no effect."},
    {"PfcFrame/Bytes", SGF_ATTR_BYTES, offsetof(switch_config_t, pfc_frame_bytes), "64B", "64B..",
     "Size of a pause frame on the wire."},
    {"PfcFrame/Vector", SGF_ATTR_BOOL, offsetof(switch_config_t, pfc_frame_vector), "false", "",
     "true: one pause frame names every lossless class of the pool; false: one frame for each class."},
    {"NetworkInterface/UplinkNetworkInterface/DataRate", SGF_ATTR_DATARATE, offsetof(switch_config_t, uplink_bps),
     "0bps", "", "Upper bound of the rate of links towards the spine; 0bps: the link's own bandwidth."},
    {"NetworkInterface/DownlinkNetworkInterface/DataRate", SGF_ATTR_DATARATE, offsetof(switch_config_t, downlink_bps),
     "0bps", "", "Upper bound of the rate of links towards the hosts; 0bps: the link's own bandwidth."},
    {"NetworkInterface/TransmissionMedium/Delay", SGF_ATTR_TIMEVAL, offsetof(switch_config_t, delay), "500ns",
     "0s..1000s",
     "Propagation delay of links towards the spine where the cable has none of its own; in a platform file it always "
     "has."},
};

static const sgf_attr_table_t own_table = {"switch", own_attributes, sizeof own_attributes / sizeof *own_attributes};

static const sgf_attr_section_t sections[] = {
    {&own_table, offsetof(switch_block_t, own)},
    {&switch_balance_attributes, offsetof(switch_block_t, balance)},
    {&net_codepoints_attributes, offsetof(switch_block_t, codepoints)},
    {&switch_ecn_attributes, offsetof(switch_block_t, ecn)},
    {&pfc_watchdog_attributes, offsetof(switch_block_t, watchdog)},
    {&sgf_shared_buffer_attributes, offsetof(switch_block_t, buffer)},
};

const sgf_attr_set_t switch_attributes = {"switch", sections, sizeof sections / sizeof *sections,
                                          sizeof(switch_block_t)};
