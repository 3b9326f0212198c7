/* The attributes of a UET NIC (spec/uet-nic.md 2.3, 2.5); those of buffers, PCIe, congestion control and spraying stand
 * with these. */
#include "nic/uet/uet.h"

#define UET_PDS "TransportProcessingLayers/ScalaUETPdsManager/"
#define UET_SEM "TransportProcessingLayers/SemanticLayer/"

static const sgf_attr_t rows[] = {
    {"NumDownLinks", SGF_ATTR_UINT, offsetof(uet_config_t, down_links), "1", "1..1",
     "Hosts behind the NIC: one, which cannot be changed."},
    {"EnableTransportStats", SGF_ATTR_BOOL, offsetof(uet_config_t, transport_stats), "true", "",
     "Write rows of uet-transport-stats for this NIC."},
    {"EnableEventLogging", SGF_ATTR_BOOL, offsetof(uet_config_t, event_logging), "false", "",
     "Write a row of uet-events for each PDC and message of this NIC that is created, completed or closed."},
    {"TrafficClasses/Data", SGF_ATTR_UINT, offsetof(uet_config_t, data_class), "0", "0..7",
     "Class of data in both buffers of this NIC."},
    {"TrafficClasses/Control", SGF_ATTR_UINT, offsetof(uet_config_t, control_class), "1", "0..7",
     "Class of acknowledgements, NACKs, probes and trimmed packets in both buffers of this NIC."},
    {UET_PDS "TrimmingEnabled", SGF_ATTR_BOOL, offsetof(uet_config_t, trimming_enabled), "false", "",
     "true: first transmissions are marked trimmable, and congestion control listens to trims; false: no-trim."},
    {UET_PDS "UseDistinctDSCPForRetransmits", SGF_ATTR_BOOL, offsetof(uet_config_t, distinct_dscp_for_retransmits),
     "true", "", "true: retransmissions are marked trimmable-retransmission; false: as first transmissions."},
    {UET_PDS "PDCGroupsEnabled", SGF_ATTR_BOOL, offsetof(uet_config_t, groups), "true", "",
     "true: all PDCs to one address share window, load balancer and turn; false: each has its own."},
    {UET_PDS "PrefetchBufferEnable", SGF_ATTR_BOOL, offsetof(uet_config_t, prefetch), "false", "",
     "true: payload is fetched into a prefetch buffer ahead of the window and of room in the egress pool."},
    {UET_PDS "PrefetchBufferSize", SGF_ATTR_UINT, offsetof(uet_config_t, prefetch_bytes), "262144", "4202..4294967295",
     "Prefetch buffer of the NIC in bytes."},
    {UET_PDS "DefaultDeliveryMethod", SGF_ATTR_CHOICE, offsetof(uet_config_t, delivery_method),
     "Reliable Unordered Delivery (RUD)", "Reliable Unordered Delivery (RUD)", "Delivery mode."},
    {UET_PDS "InitialRetransmitTimeout", SGF_ATTR_TIMEVAL, offsetof(uet_config_t, initial_rto), "150us", "1ns..100s",
     "Retransmission timeout of a first transmission; each retransmission of a packet doubles it."},
    {UET_PDS "MaxExponentialRTOBackoffCount", SGF_ATTR_UINT, offsetof(uet_config_t, max_backoff), "5", "0..15",
     "How often the timeout doubles before it stays."},
    {UET_PDS "FixedRexmitTimeEnable", SGF_ATTR_BOOL, offsetof(uet_config_t, fixed_rto_enable), "false", "",
     "true: every transmission uses FixedRexmitTimeout."},
    {UET_PDS "FixedRexmitTimeout", SGF_ATTR_TIMEVAL, offsetof(uet_config_t, fixed_rto), "150us", "1ns..100s",
     "Retransmission timeout when FixedRexmitTimeEnable is true."},
    {UET_PDS "AckRequestFirstPacket", SGF_ATTR_BOOL, offsetof(uet_config_t, ack_first), "true", "",
     "Phase of AckRequestEveryNthPacket: true asks with packets 1, 1 + N, ..., false with N, 2 N, ..."},
    {UET_PDS "AckRequestLastPacket", SGF_ATTR_BOOL, offsetof(uet_config_t, ack_last), "true", "",
     "Ask for an acknowledgement of the last packet of each message too."},
    {UET_PDS "AckRequestEveryNthPacket", SGF_ATTR_UINT, offsetof(uet_config_t, ack_every), "1", "1..1024",
     "Ask for an acknowledgement of every N-th data packet of a PDC, retransmissions counted."},
    {UET_SEM "RdmaDataMSS", SGF_ATTR_UINT, offsetof(uet_config_t, mss), "4096", "1..65447",
     "Largest payload of a data packet in bytes; the upper bound is that of an IPv4 datagram."},
};

static const sgf_attr_table_t table = {"UET NIC", rows, sizeof rows / sizeof *rows};

static const sgf_attr_section_t sections[] = {
    {&nic_link_attributes, offsetof(uet_block_t, nic.common)},
    {&nic_size_attributes, offsetof(uet_block_t, nic.common)},
    {&nic_class_attributes, offsetof(uet_block_t, nic.common)},
    {&nic_best_effort_attributes, offsetof(uet_block_t, nic.common)},
    {&sgf_pcie_attributes, offsetof(uet_block_t, nic.pcie)},
    {&net_codepoints_attributes, offsetof(uet_block_t, codepoints)},
    {&table, offsetof(uet_block_t, own)},
    {&nscc_attributes, offsetof(uet_block_t, congestion)},
    {&spray_attributes, offsetof(uet_block_t, spray)},
    {&uet_monitor_attributes, offsetof(uet_block_t, monitor)},
};

const sgf_attr_set_t uet_attributes = {"nic", sections, sizeof sections / sizeof *sections, sizeof(uet_block_t)};
