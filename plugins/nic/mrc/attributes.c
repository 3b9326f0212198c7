/* The attributes of an MRC NIC (spec/mrc-nic.md 2, and those of its open points that are to be configurable); those of
 * buffers, PCIe and congestion control stand with these. */
#include "nic/mrc/mrc.h"

#define MRC_TRANSPORT "TransportProcessingLayers/MrcTransport/"

static const sgf_attr_t rows[] = {
    {"Mtu", SGF_ATTR_BYTES, offsetof(mrc_config_t, mtu), "4184B", "1B..65535B",
     "Bytes that the link takes; MSS and the headers have to stay below it."},
    {"EnableTransportStats", SGF_ATTR_BOOL, offsetof(mrc_config_t, transport_stats), "true", "",
     "Write rows of mrc-transport-stats for this NIC."},
    {"TransportStatsReportInterval", SGF_ATTR_TIMEVAL, offsetof(mrc_config_t, stats_interval), "1ms", "1ps..1000s",
     "Spacing of the rows of mrc-transport-stats."},
    {"EnableMrcMonitor", SGF_ATTR_BOOL, offsetof(mrc_config_t, monitor), "false", "",
     "Write a row of mrc-monitor for each MRC packet that this NIC sends or deals with."},
    {MRC_TRANSPORT "MSS", SGF_ATTR_BYTES, offsetof(mrc_config_t, mss), "4096B", "1B..9216B",
     "Largest payload of a data packet."},
    {MRC_TRANSPORT "RTTTimestampMode", SGF_ATTR_CHOICE, offsetof(mrc_config_t, timestamp_mode), "SenderRecord",
     "SenderRecord|WireTimestamp",
     "WireTimestamp: every data packet is 4 B longer, and samples of the round trip have steps of 128 ns."},
    {MRC_TRANSPORT "TrimmingEnabled", SGF_ATTR_BOOL, offsetof(mrc_config_t, trimming_enabled), "false", "",
     "true: first transmissions are marked trimmable, and congestion control listens to trims; false: no-trim."},
    {MRC_TRANSPORT "UseDistinctDSCPForRetransmit", SGF_ATTR_BOOL, offsetof(mrc_config_t, distinct_dscp_for_retransmit),
     "true", "", "true: retransmissions are marked trimmable-retransmission; false: as first transmissions."},
    {MRC_TRANSPORT "SackThreshold", SGF_ATTR_BYTES, offsetof(mrc_config_t, sack_threshold), "0B", "0B..262144B",
     "Bytes received since the last acknowledgement at which one is drawn; a packet counts 1024 B at least. 0B: MSS."},
    {MRC_TRANSPORT "LossReorderThreshold", SGF_ATTR_UINT, offsetof(mrc_config_t, loss_reorder_threshold), "64",
     "1..65535", "PSNs, higher and sent after a packet, that are reported received when the packet is taken as lost."},
    {MRC_TRANSPORT "InitialRetransmitTimeout", SGF_ATTR_TIMEVAL, offsetof(mrc_config_t, initial_rto), "150us",
     "1ns..100s", "Retransmission timeout of a first transmission; each retransmission of a packet doubles it."},
    {MRC_TRANSPORT "MaxExponentialRTOBackoffCount", SGF_ATTR_UINT, offsetof(mrc_config_t, max_backoff), "5", "0..15",
     "How often the timeout doubles before it stays."},
    {MRC_TRANSPORT "PsnWindowUnits", SGF_ATTR_UINT, offsetof(mrc_config_t, psn_window), "8", "8..255",
     "PSN window of receivers, in units of 128 packets; all MRC NICs have to be told the same."},
    {MRC_TRANSPORT "EntropyValues", SGF_ATTR_UINT, offsetof(mrc_config_t, entropy_values), "128", "1..32768",
     "Entropy values of a queue pair, each a UDP source port."},
    {MRC_TRANSPORT "FirstEntropyValue", SGF_ATTR_UINT, offsetof(mrc_config_t, first_entropy_value), "256", "0..65535",
     "The first of them; the others follow."},
    {MRC_TRANSPORT "ProbeInterval", SGF_ATTR_TIMEVAL, offsetof(mrc_config_t, probe_interval), "150us", "0s..100s",
     "Spacing of the probes of a path that is assumed bad; 0s: it is not probed, and stays so."},
    {MRC_TRANSPORT "ReceiverPenaltyEnable", SGF_ATTR_BOOL, offsetof(mrc_config_t, receiver_penalty), "false", "",
     "true: SACKs carry a penalty from the receive pool, by ReceiverCongestionLowThreshold and ...HighThreshold."},
};

static const sgf_attr_table_t table = {"MRC NIC", rows, sizeof rows / sizeof *rows};

static const sgf_attr_section_t sections[] = {
    {&nic_link_attributes, offsetof(mrc_block_t, nic.common)},
    {&nic_size_attributes, offsetof(mrc_block_t, nic.common)},
    {&sgf_pcie_attributes, offsetof(mrc_block_t, nic.pcie)},
    {&sgf_pcie_read_attributes, offsetof(mrc_block_t, nic.pcie)},
    {&net_codepoints_attributes, offsetof(mrc_block_t, codepoints)},
    {&table, offsetof(mrc_block_t, own)},
    {&nscc_attributes, offsetof(mrc_block_t, congestion)},
};

const sgf_attr_set_t mrc_attributes = {"nic", sections, sizeof sections / sizeof *sections, sizeof(mrc_block_t)};
