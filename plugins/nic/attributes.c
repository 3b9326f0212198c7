/* The attributes that every NIC has (spec/uet-nic.md 2.3, 2.4). */
#include "nic/nic.h"

#define NIC_IBM "NetworkInterface/IngressBufferManager/"
#define NIC_EBM "NetworkInterface/EgressBufferManager/"

static const sgf_attr_t rows[] = {
    {"NetworkInterface/UplinkNetworkInterface/DataRate", SGF_ATTR_DATARATE, offsetof(nic_config_t, uplink_bps), "0bps",
     "", "Upper bound of the rate of the NIC's link; 0bps: the link's own bandwidth."},
    {"NetworkInterface/TransmissionMedium/Delay", SGF_ATTR_TIMEVAL, offsetof(nic_config_t, delay), "100ns", "0s..1000s",
     "Propagation delay of the NIC's link where the cable has none of its own; in a platform file it always has."},
    {NIC_IBM "TotalBufferSize", SGF_ATTR_BYTES, offsetof(nic_config_t, ingress.total_bytes), "4MB", "",
     "Receive buffer size."},
    {NIC_IBM "QueueSchedulingType", SGF_ATTR_CHOICE, offsetof(nic_config_t, ingress.scheduling), "StrictPriority",
     "StrictPriority|RoundRobin|WeightedRoundRobin",
     "No effect: received data is written to the host in order of arrival under all three."},
    {NIC_IBM "PoolAllocationVector", SGF_ATTR_DECIMAL_LIST, offsetof(nic_config_t, ingress.share),
     "[0.9, 0.1, 0, 0, 0, 0, 0, 0]", "0..1",
     "Fraction of the receive buffer for each class; non-zero entries come first and without a gap."},
    {NIC_IBM "WRRQueueWeights", SGF_ATTR_INT_LIST, offsetof(nic_config_t, ingress.wrr_weights),
     "[1, 3, 0, 0, 0, 0, 0, 0]", "", "No effect on the order of received packets."},
    {NIC_IBM "PFCEnableVector", SGF_ATTR_INT_LIST, offsetof(nic_config_t, ingress.pfc_enable),
     "[0, 0, 0, 0, 0, 0, 0, 0]", "",
     "1: this NIC sends pauses for the class; any other value: it does not. Received pauses are always honoured."},
    {NIC_IBM "PfcStaticXoffThreshold", SGF_ATTR_DECIMAL_LIST, offsetof(nic_config_t, ingress.xoff),
     "[0.8, 0.8, 0, 0, 0, 0, 0, 0]", "", "Xoff as a fraction of the class's receive pool."},
    {NIC_IBM "PfcXonResumeThreshold", SGF_ATTR_DECIMAL_LIST, offsetof(nic_config_t, ingress.xon),
     "[0.4, 0.4, 0, 0, 0, 0, 0, 0]", "", "Xon as a fraction of the class's receive pool; should be below Xoff."},
    {NIC_IBM "QuantaValue", SGF_ATTR_INT_LIST, offsetof(nic_config_t, ingress.quanta),
     "[65535, 65535, 0, 0, 0, 0, 0, 0]", "", "Quanta that a pause frame of the class asks for."},
    {NIC_EBM "TotalBufferSize", SGF_ATTR_BYTES, offsetof(nic_config_t, egress.total_bytes), "256KB", "",
     "Transmit buffer size."},
    {NIC_EBM "QueueSchedulingType", SGF_ATTR_CHOICE, offsetof(nic_config_t, egress.scheduling), "StrictPriority",
     "StrictPriority", "Discipline across classes at the port: the highest class that may send."},
    {NIC_EBM "PoolAllocationVector", SGF_ATTR_DECIMAL_LIST, offsetof(nic_config_t, egress.share),
     "[0.9, 0.1, 0, 0, 0, 0, 0, 0]", "0..1",
     "Fraction of the transmit buffer for each class; non-zero entries come first and without a gap."},
};

const sgf_attr_table_t nic_attributes = {"NIC", rows, sizeof rows / sizeof *rows};
