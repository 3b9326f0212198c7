/* sgfabric shared buffer: the attributes of SharedBufferManager (spec/switch.md 2.2). */
#include "shared_buffer_internal.h"

#define ROW(name, type, member, initial, range, help)                                                                  \
  {                                                                                                                    \
    "SharedBufferManager/" name, SGF_ATTR_##type, offsetof(sgf_shared_buffer_config_t, member), initial, range, help   \
  }

/* Bounds stand here where one value decides. What takes several values together, or the number of ports, is a start-up
 * rule (startup.c). EnablePFC has no bound: any value other than 1 is lossy (O-05). ResumeOnLossyRelease is this
 * project's own (O-11). */
static const sgf_attr_t attributes[] = {
    ROW("TotalSharedBufferSize", BYTES, total_bytes, "256MB", "",
        "Whole packet buffer of the switch; headroom comes off first, the pools divide the rest."),
    ROW("PoolAllocationMap", DECIMAL_LIST, pool_share, "[0.9, 0.1, 0, 0, 0, 0, 0, 0]", "0..1",
        "Share of each pool in what headroom leaves of the buffer; 0: no such pool; meant to sum to 1, the last pool "
        "takes the difference."),
    ROW("TrafficClassPoolMapping", INT_LIST, pool_of_class, "[0, 1, 0, 0, 0, 0, 0, 0]", "0..7",
        "Pool of each traffic class; keep a class n that has PFC in pool n."),
    ROW("EnablePFC", INT_LIST, enable_pfc, "[1, 1, 0, 0, 0, 0, 0, 0]", "",
        "1: the traffic class is lossless, it is paused upstream instead of dropped at egress; 0: lossy."),
    ROW("HeadRoomPerPortLimit", BYTES, headroom_per_port, "256KB", "",
        "Set aside once for each connected port, and the most that one paused port may hold in headroom in each pool "
        "with a lossless class."),
    ROW("StaticPoolXoffThreshold", BYTES, xoff, "700KB", "",
        "A port pauses its sender when a lossless packet would take its occupancy of the pool above this."),
    ROW("StaticPoolXonThreshold", BYTES, xon, "300KB", "",
        "A paused port resumes its sender when its headroom is empty and its occupancy of the pool at or below this; "
        "should be below StaticPoolXoffThreshold."),
    ROW("LossyAlpha", DECIMAL, lossy_alpha, "1.0", "0..",
        "Limit of a lossy egress queue as a multiple of the pool's free egress bytes; 0: a fixed limit, whose form "
        "QueueDropThresholdEnable chooses."),
    ROW("QueueDropThresholdEnable", BOOL, queue_drop_threshold_enable, "false", "",
        "Form of the fixed limit, read only if LossyAlpha is 0; true: QueueDropThreshold x PlaneBDP; false: pool size "
        "/ connected ports."),
    ROW("QueueDropThreshold", UINT, queue_drop_threshold, "5", "",
        "Fixed limit as a multiple of PlaneBDP, read only if LossyAlpha is 0 and QueueDropThresholdEnable is true."),
    ROW("PlaneBDP", BYTES, plane_bdp, "300KB", "",
        "Bandwidth-delay product of the fabric: round-trip time of its longest path x the slower NIC rate; under the "
        "UET policy the egress queue limit, without trimming QueueDropThreshold times that."),
    ROW("UETPolicyEnabled", BOOL, uet_policy, "false", "",
        "true: three pools 1.5 : 1 : 1 and classes by DSCP codepoint; PoolAllocationMap, TrafficClassPoolMapping and "
        "LossyAlpha are not used."),
    ROW("BufferStatsReportInterval", TIMEVAL, buffer_stats_interval, "1ms", "1ps..",
        "Simulated time between the rows of the buffer records."),
    ROW("ReportPerPortBufferStats", BOOL, per_port_buffer_stats, "false", "",
        "Write the record scala-switch-buff-stats, a row for each port and pool."),
    ROW("ResumeOnLossyRelease", BOOL, resume_on_lossy_release, "false", "",
        "true: the release of a lossy packet may resume a paused port too; false: only the departure of a lossless "
        "one does."),
};

const sgf_attr_table_t sgf_shared_buffer_attributes = {
    "shared buffer of a switch",
    attributes,
    sizeof attributes / sizeof attributes[0],
};
