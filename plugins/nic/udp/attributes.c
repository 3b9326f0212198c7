/* The attributes of a udp NIC: those of every NIC, and its own. */
#include "nic/udp/udp.h"

static const sgf_attr_t rows[] = {
    {"MSS", SGF_ATTR_UINT, offsetof(udp_config_t, mss), "4096", "1..65507", "Largest payload of a datagram in bytes."},
    {"HeaderBytes", SGF_ATTR_UINT, offsetof(udp_config_t, header_bytes), "46", "46..1024",
     "Bytes on the wire of a datagram beyond its payload: Ethernet with FCS 18, IPv4 20, UDP 8, and what is above."},
    {"TrafficClass", SGF_ATTR_UINT, offsetof(udp_config_t, traffic_class), "0", "0..7",
     "Class of its datagrams, unless a message has its own; their DSCP is 8 times the class."},
    {"EnableECN", SGF_ATTR_BOOL, offsetof(udp_config_t, ecn), "false", "",
     "true: datagrams say ECT(0), and switches may mark them; false: Not-ECT. Marks have no effect on the sender."},
    {"ObeyPauses", SGF_ATTR_BOOL, offsetof(udp_config_t, obeys_pauses), "true", "",
     "false: pauses that the NIC receives are counted and stop nothing."},
    {"SendRate", SGF_ATTR_DATARATE, offsetof(udp_config_t, send_bps), "0bps", "",
     "Rate at which frames leave, headers counted; 0bps, or no less than the link's rate: that of the link."},
};

static const sgf_attr_table_t table = {"UDP NIC", rows, sizeof rows / sizeof *rows};

static const sgf_attr_section_t sections[] = {
    {&nic_link_attributes, offsetof(udp_block_t, nic.common)},
    {&nic_size_attributes, offsetof(udp_block_t, nic.common)},
    {&nic_class_attributes, offsetof(udp_block_t, nic.common)},
    {&nic_best_effort_attributes, offsetof(udp_block_t, nic.common)},
    {&sgf_pcie_attributes, offsetof(udp_block_t, nic.pcie)},
    {&table, offsetof(udp_block_t, own)},
};

const sgf_attr_set_t udp_attributes = {"nic", sections, sizeof sections / sizeof *sections, sizeof(udp_block_t)};
