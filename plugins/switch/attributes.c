/* The attributes of a switch (spec/switch.md 2.2); those of its buffer are the shared buffer's own table. */
#include "switch/switch.h"

static const sgf_attr_t own_attributes[] = {
    {"EcmpHashMethod", SGF_ATTR_CHOICE, offsetof(switch_config_t, ecmp_hash_method), "crc32WithSalt", "crc32WithSalt",
     "How a flow is identified."},
    {"LoadBalancingMethod", SGF_ATTR_CHOICE, offsetof(switch_config_t, load_balancing_method), "none", "none",
     "none: a flow's member is its hash modulo the size of the equal-cost set."},
    {"NetworkInterface/UplinkNetworkInterface/DataRate", SGF_ATTR_DATARATE, offsetof(switch_config_t, uplink_bps),
     "0bps", "", "Upper bound of the rate of links towards the spine; 0bps: the link's own bandwidth."},
    {"NetworkInterface/DownlinkNetworkInterface/DataRate", SGF_ATTR_DATARATE, offsetof(switch_config_t, downlink_bps),
     "0bps", "", "Upper bound of the rate of links towards the hosts; 0bps: the link's own bandwidth."},
};

static const sgf_attr_table_t own_table = {"switch", own_attributes, sizeof own_attributes / sizeof *own_attributes};

static const sgf_attr_section_t sections[] = {
    {&own_table, offsetof(switch_block_t, own)},
    {&switch_ecn_attributes, offsetof(switch_block_t, ecn)},
    {&sgf_shared_buffer_attributes, offsetof(switch_block_t, buffer)},
};

const sgf_attr_set_t switch_attributes = {"switch", sections, sizeof sections / sizeof *sections,
                                          sizeof(switch_block_t)};
