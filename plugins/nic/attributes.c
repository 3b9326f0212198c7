/* The attributes that NICs have in common (spec/uet-nic.md 2.3, 2.4; spec/roce-nic.md 2; spec/mrc-nic.md 2), in tables
 * from which each transport takes what it has. */
#include "nic/nic.h"

#define NIC_IBM "NetworkInterface/IngressBufferManager/"
#define NIC_EBM "NetworkInterface/EgressBufferManager/"
/* The last is known so that it can be refused as what it is (S3). */
#define NIC_SCHEDULING "StrictPriority|RoundRobin|WeightedRoundRobin|ProbabilisticWeightedRoundRobin"

static const sgf_attr_t link_rows[] = {
    {"NetworkInterface/UplinkNetworkInterface/DataRate", SGF_ATTR_DATARATE, offsetof(nic_config_t, uplink_bps), "0bps",
     "", "Upper bound of the rate of the NIC's link; 0bps: the link's own bandwidth."},
    {"NetworkInterface/TransmissionMedium/Delay", SGF_ATTR_TIMEVAL, offsetof(nic_config_t, delay), "100ns", "0s..1000s",
     "Propagation delay of the NIC's link where the cable has none of its own; in a platform file it always has."},
};

const sgf_attr_table_t nic_link_attributes = {"NIC", link_rows, sizeof link_rows / sizeof *link_rows};

static const sgf_attr_t size_rows[] = {
    {NIC_IBM "TotalBufferSize", SGF_ATTR_BYTES, offsetof(nic_config_t, ingress.total_bytes), "4MB", "",
     "Receive buffer size."},
    {NIC_EBM "TotalBufferSize", SGF_ATTR_BYTES, offsetof(nic_config_t, egress.total_bytes), "256KB", "",
     "Transmit buffer size."},
    {"EnableBufferStats", SGF_ATTR_BOOL, offsetof(nic_config_t, buffer_stats), "false", "",
     "Write rows of net-buff-stats for this NIC, if record.EnableNetworkBufferStatsReporting is true too."},
};

const sgf_attr_table_t nic_size_attributes = {"NIC buffers", size_rows, sizeof size_rows / sizeof *size_rows};

static const sgf_attr_t class_rows[] = {
    {NIC_IBM "QueueSchedulingType", SGF_ATTR_CHOICE, offsetof(nic_config_t, ingress.scheduling), "StrictPriority",
     NIC_SCHEDULING,
     "No effect: received data is written to the host in order of arrival. ProbabilisticWeightedRoundRobin stops the "
     "run."},
    {NIC_IBM "PoolAllocationVector", SGF_ATTR_DECIMAL_LIST, offsetof(nic_config_t, ingress.share),
     "[0.9, 0.1, 0, 0, 0, 0, 0, 0]", "0..1",
     "Fraction of the receive buffer for each class; non-zero entries come first and without a gap."},
    {NIC_IBM "WRRQueueWeights", SGF_ATTR_INT_LIST, offsetof(nic_config_t, ingress.wrr_weights),
     "[1, 3, 0, 0, 0, 0, 0, 0]", "", "No effect on the order of received packets."},
    {NIC_IBM "PfcStaticXoffThreshold", SGF_ATTR_DECIMAL_LIST, offsetof(nic_config_t, ingress.xoff),
     "[0.8, 0.8, 0, 0, 0, 0, 0, 0]", "", "Xoff as a fraction of the class's receive pool."},
    {NIC_IBM "PfcXonResumeThreshold", SGF_ATTR_DECIMAL_LIST, offsetof(nic_config_t, ingress.xon),
     "[0.4, 0.4, 0, 0, 0, 0, 0, 0]", "", "Xon as a fraction of the class's receive pool; should be below Xoff."},
    {NIC_IBM "QuantaValue", SGF_ATTR_INT_LIST, offsetof(nic_config_t, ingress.quanta),
     "[65535, 65535, 0, 0, 0, 0, 0, 0]", "", "Quanta that a pause frame of the class asks for."},
    {NIC_EBM "QueueSchedulingType", SGF_ATTR_CHOICE, offsetof(nic_config_t, egress.scheduling), "StrictPriority",
     NIC_SCHEDULING,
     "Discipline across classes at the port: the highest class that may send, one packet per turn, or WRRQueueWeights "
     "packets per turn. ProbabilisticWeightedRoundRobin stops the run."},
    {NIC_EBM "PoolAllocationVector", SGF_ATTR_DECIMAL_LIST, offsetof(nic_config_t, egress.share),
     "[0.9, 0.1, 0, 0, 0, 0, 0, 0]", "0..1",
     "Fraction of the transmit buffer for each class; non-zero entries come first and without a gap."},
};

const sgf_attr_table_t nic_class_attributes = {"NIC classes", class_rows, sizeof class_rows / sizeof *class_rows};

/* What NICs differ in by their defaults alone: pauses sent, and turns at the port. */
#define NIC_KIND(pauses, weights)                                                                                      \
  {                                                                                                                    \
    {NIC_IBM "PFCEnableVector",                                                                                        \
     SGF_ATTR_INT_LIST,                                                                                                \
     offsetof(nic_config_t, ingress.pfc_enable),                                                                       \
     pauses,                                                                                                           \
     "",                                                                                                               \
     "1: this NIC sends pauses for the class; any other value: it does not. Received pauses are always honoured."},    \
        {NIC_EBM "WRRQueueWeights",                                                                                    \
         SGF_ATTR_INT_LIST,                                                                                            \
         offsetof(nic_config_t, egress.wrr_weights),                                                                   \
         weights,                                                                                                      \
         "",                                                                                                           \
         "Most packets that a class sends per turn; read only under WeightedRoundRobin. A UET NIC needs 1 at least "   \
         "for "                                                                                                        \
         "classes 0 and 1."},                                                                                          \
  }

static const sgf_attr_t best_effort_rows[] = NIC_KIND("[0, 0, 0, 0, 0, 0, 0, 0]", "[1, 5, 0, 0, 0, 0, 0, 0]");
static const sgf_attr_t lossless_rows[]    = NIC_KIND("[1, 1, 0, 0, 0, 0, 0, 0]", "[1, 3, 0, 0, 0, 0, 0, 0]");

const sgf_attr_table_t nic_best_effort_attributes = {"NIC pauses and turns", best_effort_rows,
                                                     sizeof best_effort_rows / sizeof *best_effort_rows};
const sgf_attr_table_t nic_lossless_attributes    = {"NIC pauses and turns", lossless_rows,
                                                     sizeof lossless_rows / sizeof *lossless_rows};
