/* The attributes of a RoCE NIC (spec/roce-nic.md 2); those of buffers, PCIe and congestion control stand with these. */
#include "nic/roce/roce.h"

#define ROCE_TRANSPORT "TransportProcessingLayers/RoceTransportLayer/"

static const sgf_attr_t rows[] = {
    {"NumDownLinks", SGF_ATTR_UINT, offsetof(roce_config_t, down_links), "1", "1..1",
     "Hosts behind the NIC: one, which cannot be changed."},
    {"Application/RdmaDataPacketTC", SGF_ATTR_UINT, offsetof(roce_config_t, data_class), "0", "0..7",
     "Class of data, unless a message has classes of its own."},
    {"Application/RdmaControlPacketTC", SGF_ATTR_UINT, offsetof(roce_config_t, control_class), "1", "0..7",
     "Class of ACKs and NAKs, and DSCP of CNPs, unless a message has classes of its own."},
    {"Mtu", SGF_ATTR_UINT, offsetof(roce_config_t, mtu), "4184", "1..65535",
     "Bytes that the link takes; MSS + 58 has to stay below it."},
    {"TransportProcessingLayers/ScalaRoceQpManager/MSS", SGF_ATTR_BYTES, offsetof(roce_config_t, mss), "4096B",
     "1B..9216B", "Largest payload of a data packet."},
    {ROCE_TRANSPORT "RetransmitTimeout", SGF_ATTR_TIMEVAL, offsetof(roce_config_t, retransmit_timeout), "64ms",
     "0s..1000s", "Transport timer of each queue pair, without backoff."},
    {ROCE_TRANSPORT "AckCoalescingEnabled", SGF_ATTR_BOOL, offsetof(roce_config_t, coalesces), "true", "",
     "true: acknowledge by count, by the last packet of a message and by timer; false: every packet."},
    {ROCE_TRANSPORT "AckDelay", SGF_ATTR_TIMEVAL, offsetof(roce_config_t, ack_delay), "1ms", "0s..1000s",
     "Longest hold of an acknowledgement."},
    {ROCE_TRANSPORT "AckThreshold", SGF_ATTR_UINT, offsetof(roce_config_t, ack_threshold), "16", "0..1000000000",
     "Packets held before the next one sends an acknowledgement."},
    {ROCE_TRANSPORT "LossRecovery", SGF_ATTR_CHOICE, offsetof(roce_config_t, loss_recovery), "GoBackN",
     "GoBackN|SelectiveRepeat",
     "SelectiveRepeat: later packets are kept, NAKs name what has arrived, only what is lost is sent again; has to be "
     "the same at both ends (an attribute of sgfabric)."},
    {ROCE_TRANSPORT "BdpFlowControl", SGF_ATTR_BOOL, offsetof(roce_config_t, bdp_flow_control), "false", "",
     "true: a queue pair has at most BdpCap in flight (an attribute of sgfabric)."},
    {ROCE_TRANSPORT "BdpCap", SGF_ATTR_BYTES, offsetof(roce_config_t, bdp_cap), "0B", "",
     "With BdpFlowControl: bytes on the wire in flight of a queue pair, in whole full packets, at least one; 0B: what "
     "6us take at line rate (an attribute of sgfabric)."},
    {ROCE_TRANSPORT "RtoHigh", SGF_ATTR_TIMEVAL, offsetof(roce_config_t, rto_high), "320us", "1ns..1000s",
     "With SelectiveRepeat: timeout in place of RetransmitTimeout (an attribute of sgfabric)."},
    {ROCE_TRANSPORT "RtoLow", SGF_ATTR_TIMEVAL, offsetof(roce_config_t, rto_low), "100us", "1ns..1000s",
     "With SelectiveRepeat: timeout while few packets are in flight (an attribute of sgfabric)."},
    {ROCE_TRANSPORT "RtoLowPackets", SGF_ATTR_UINT, offsetof(roce_config_t, rto_low_packets), "3", "0..1000000",
     "With SelectiveRepeat: how many packets are few (an attribute of sgfabric)."},
};

static const sgf_attr_table_t table = {"RoCE NIC", rows, sizeof rows / sizeof *rows};

static const sgf_attr_section_t sections[] = {
    {&nic_link_attributes, offsetof(roce_block_t, nic.common)},
    {&nic_size_attributes, offsetof(roce_block_t, nic.common)},
    {&nic_class_attributes, offsetof(roce_block_t, nic.common)},
    {&nic_lossless_attributes, offsetof(roce_block_t, nic.common)},
    {&sgf_pcie_attributes, offsetof(roce_block_t, nic.pcie)},
    {&sgf_pcie_handler_attributes, offsetof(roce_block_t, nic.pcie)},
    {&table, offsetof(roce_block_t, own)},
    {&roce_rate_attributes, offsetof(roce_block_t, rate)},
};

const sgf_attr_set_t roce_attributes = {"nic", sections, sizeof sections / sizeof *sections, sizeof(roce_block_t)};
