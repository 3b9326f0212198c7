/* sgfabric stats: counters of a sealed fabric's ports, classes and equal-cost sets, as records sample them
 * (spec/records.md). All count from the start of the run; sizes in bytes, times in picoseconds. */
#ifndef SGFABRIC_STATS_H
#define SGFABRIC_STATS_H

#include <sgfabric/fabric.h>
#include <sgfabric/mrc_stats.h>
#include <sgfabric/pcie.h>
#include <sgfabric/roce_stats.h>
#include <sgfabric/shared_buffer.h>
#include <sgfabric/uet_stats.h>

SGF_BEGIN_DECL

/* ---- Places ------------------------------------------------------------------------------------------------------ */

/* Number of a device, unique in the run: NICs first, in order of creation, from 0 (a NIC's FEP id), then switches. */
SGF_PUBLIC uint32_t sgf_device_node_id(const sgf_device_t* device);

/* 3: a NIC; 2: a switch with hosts; 1, 0: one further up, 0 also above that (spec/records.md 1.5). */
SGF_PUBLIC unsigned sgf_device_tier(const sgf_device_t* device);

/* Whether a port leads away from the hosts; so does that of a NIC. */
SGF_PUBLIC bool sgf_device_port_is_uplink(const sgf_device_t* device, unsigned port);

/* ---- Ports (spec/records.md 2) ----------------------------------------------------------------------------------- */

/* Frames count with 14 B of header and 4 B of FCS, pause frames among them: sent at the end of their serialisation,
 * received when the last bit is in, those dropped afterwards included. */
typedef struct sgf_port_stats {
  uint64_t tx_packets;
  uint64_t rx_packets;
  uint64_t tx_bytes;
  uint64_t rx_bytes;
  uint64_t tx_drops; /* refused by the port's egress admission */
  uint64_t rx_drops; /* refused on arrival at the port */
  uint64_t trimmed;  /* cut to their headers instead of dropped at this port's egress */
} sgf_port_stats_t;

SGF_PUBLIC sgf_port_stats_t sgf_device_port_stats(const sgf_device_t* device, unsigned port);

/* ---- Classes of a port (spec/records.md 3) ----------------------------------------------------------------------- */

/* The time for which the peer held a class, and of that the time in which the port had a frame of it to send. A hold
 * that lasts counts up to now. */
typedef struct sgf_class_stats {
  uint64_t pauses_sent; /* frames, refreshes included */
  uint64_t pauses_received;
  uint64_t resumes_sent;
  uint64_t resumes_received;
  opp_simtime_t paused;
  opp_simtime_t paused_longest; /* stretch since the last sgf_device_next_interval */
  opp_simtime_t backlogged;
  opp_simtime_t backlogged_longest; /* the same */
  uint64_t marked;                  /* frames that left with CE set here */
  uint64_t tx_drops;                /* of the port's, those of this class */
  uint64_t rx_drops;
} sgf_class_stats_t;

SGF_PUBLIC sgf_class_stats_t sgf_device_class_stats(const sgf_device_t* device, unsigned port, unsigned tc);

/* Begin the next interval of the longest stretches of a port's class: one that lasts starts anew. For one reader. */
SGF_PUBLIC void sgf_device_next_interval(sgf_device_t* device, unsigned port, unsigned tc);

/* Whether a class of a port has a receive pool: all of a switch's do. */
SGF_PUBLIC bool sgf_device_has_class(const sgf_device_t* device, unsigned tc);

/* ---- Storms (spec/feedback-budget.md 9.2) ------------------------------------------------------------------------ */

/* Packets of a class at a port while the watchdog saw a storm in its egress queue: those that left the queue; those
 * discarded out of it or on their way to it; those that arrived at the port in the class, and those discarded then. */
typedef struct sgf_storm_traffic {
  uint64_t sent;
  uint64_t tx_drops;
  uint64_t received;
  uint64_t rx_drops;
} sgf_storm_traffic_t;

typedef struct sgf_storm {
  unsigned port;
  unsigned tc;
  const char* action; /* "drop", "forward", "alert" */
  opp_simtime_t detected;
  opp_simtime_t restored;     /* -1: it lasts */
  sgf_storm_traffic_t during; /* this storm, up to now */
  sgf_storm_traffic_t total;  /* this storm and the earlier ones of the queue */
} sgf_storm_t;

/* Storms of all queues of a switch so far, in order of detection; none at a NIC. */
SGF_PUBLIC size_t sgf_device_storm_count(const sgf_device_t* device);
SGF_PUBLIC sgf_storm_t sgf_device_storm(const sgf_device_t* device, size_t i);

/* ---- Buffers (spec/records.md 5, 6) ------------------------------------------------------------------------------ */

/* The shared buffer of a switch, to read and to sample (sgf_sb_sample); NULL: a NIC. */
SGF_PUBLIC sgf_shared_buffer_t* sgf_device_buffer(const sgf_device_t* device);

/* What a switch's attributes say of its records; all zero for a NIC. */
typedef struct sgf_record_config {
  opp_simtime_t buffer_interval; /* BufferStatsReportInterval */
  bool per_port_buffers;         /* ReportPerPortBufferStats */
  bool load_balancing;           /* EnableLoadBalancingStats */
  opp_simtime_t load_balancing_interval;
  bool watchdog; /* PfcWatchdog.Enable */
} sgf_record_config_t;
SGF_PUBLIC sgf_record_config_t sgf_device_record_config(const sgf_device_t* device);

/* ---- Equal-cost sets (spec/records.md 7) ------------------------------------------------------------------------- */

typedef struct sgf_set_stats {
  opp_simtime_t formed; /* when the switch first met the set */
  unsigned size;        /* members */
  unsigned slots;       /* of its flowlet table; 0: none */
} sgf_set_stats_t;

typedef struct sgf_member_stats {
  unsigned port;
  uint64_t bytes; /* charge sizes of packets admitted to the member's egress */
  uint64_t packets;
  uint64_t assignments; /* flows that got it with an empty slot */
  uint64_t movements_in;
  uint64_t movements_out;
  uint64_t paused_skips;      /* selections in which it was left out because it was paused */
  uint64_t paused_selections; /* selections that used it although it was paused */
} sgf_member_stats_t;

/* Sets of two members and more that a switch has met so far, numbered in order of first sight (O-21). */
SGF_PUBLIC size_t sgf_device_set_count(const sgf_device_t* device);
SGF_PUBLIC sgf_set_stats_t sgf_device_set_stats(const sgf_device_t* device, size_t set);
SGF_PUBLIC sgf_member_stats_t sgf_device_member_stats(const sgf_device_t* device, size_t set, unsigned member);

/* ---- Pools of a NIC (spec/records.md 4) -------------------------------------------------------------------------- */

/* Whether a NIC's EnableBufferStats is true; false for a switch. */
SGF_PUBLIC bool sgf_device_wants_pool_stats(const sgf_device_t* device);

/* Count what goes through the pools of a NIC from now on; before, only size, occupancy, peak and refused are known. */
SGF_PUBLIC void sgf_device_watch_pools(sgf_device_t* device);

typedef enum sgf_pool_side { SGF_POOL_RECEIVE, SGF_POOL_TRANSMIT } sgf_pool_side_t;

/* Receive: packets at their IP size (of an MRC NIC: at that on the wire, 64 B at least), from admission until PCIe
 * takes over the write or they have been dealt with. Transmit: reservations at the size on the wire, until the last bit
 * is sent. */
typedef struct sgf_pool_stats {
  int64_t size; /* 0: the class has no such pool */
  int64_t occupancy;
  int64_t peak;
  int64_t interval_peak; /* since the last sgf_device_next_pool_interval */
  uint64_t packets_in;
  uint64_t packets_out;
  uint64_t bytes_in;
  uint64_t bytes_out;
  uint64_t refused; /* dropped on arrival; 0 of a transmit pool, for whose room packets wait */
} sgf_pool_stats_t;
SGF_PUBLIC sgf_pool_stats_t sgf_device_pool_stats(const sgf_device_t* device, sgf_pool_side_t side, unsigned tc);

/* Begin the next interval of a watched pool. For one reader. */
SGF_PUBLIC void sgf_device_next_pool_interval(sgf_device_t* device, sgf_pool_side_t side, unsigned tc);

/* ---- PCIe link of a NIC ------------------------------------------------------------------------------------------ */

/* Of one end of a NIC's link, up to now. */
SGF_PUBLIC sgf_pcie_stats_t sgf_device_pcie_stats(const sgf_device_t* device, sgf_pcie_end_t end);

/* ---- UET transport (spec/records.md 8 to 10) --------------------------------------------------------------------- */

/* What a UET NIC's attributes say of its records; all false for another device. */
typedef struct sgf_uet_record_config {
  bool transport_stats; /* EnableTransportStats */
  bool events;          /* EnableEventLogging */
} sgf_uet_record_config_t;
SGF_PUBLIC sgf_uet_record_config_t sgf_device_uet_record_config(const sgf_device_t* device);

/* Counters of a UET NIC. */
SGF_PUBLIC sgf_uet_counters_t sgf_device_uet_counters(const sgf_device_t* device);

/* Take samples of a UET NIC from now on. */
SGF_PUBLIC void sgf_device_sample_uet(sgf_device_t* device);

/* Samples of a UET NIC since they are taken, and since the last sgf_device_next_uet_interval, which is for one reader.
 */
SGF_PUBLIC sgf_uet_samples_t sgf_device_uet_samples(const sgf_device_t* device);
SGF_PUBLIC sgf_uet_samples_t sgf_device_uet_interval(const sgf_device_t* device);
SGF_PUBLIC void sgf_device_next_uet_interval(sgf_device_t* device);

/* The monitor's attributes of a UET NIC; NULL for another device. */
SGF_PUBLIC const sgf_uet_monitor_config_t* sgf_device_uet_monitor_config(const sgf_device_t* device);

/* Tell of the packets of a UET NIC; one listener, NULL: none any more. */
SGF_PUBLIC void sgf_device_observe_packets(sgf_device_t* device, sgf_uet_packet_cb packet, void* user);

/* Tell of the PDCs of a UET NIC as it happens; one listener, NULL: none any more. */
SGF_PUBLIC void sgf_device_observe_pdcs(sgf_device_t* device, sgf_pdc_event_cb event, void* user);

/* ---- RoCE transport (spec/records.md 11) ------------------------------------------------------------------------- */

/* Whether a device is a RoCE NIC. */
SGF_PUBLIC bool sgf_device_is_roce(const sgf_device_t* device);

/* Counters of a RoCE NIC. */
SGF_PUBLIC sgf_roce_counters_t sgf_device_roce_counters(const sgf_device_t* device);

/* Round trips that a RoCE NIC has measured, in the run and since the last sgf_device_next_roce_interval, which is for
 * one reader. */
SGF_PUBLIC sgf_roce_samples_t sgf_device_roce_round_trips(const sgf_device_t* device);
SGF_PUBLIC void sgf_device_next_roce_interval(sgf_device_t* device);

/* ---- MRC transport (spec/mrc-nic.md 13) -------------------------------------------------------------------------- */

/* What an MRC NIC's attributes say of its records; all zero for another device. */
typedef struct sgf_mrc_record_config {
  bool transport_stats;         /* EnableTransportStats */
  opp_simtime_t stats_interval; /* TransportStatsReportInterval */
  bool monitor;                 /* EnableMrcMonitor */
} sgf_mrc_record_config_t;
SGF_PUBLIC sgf_mrc_record_config_t sgf_device_mrc_record_config(const sgf_device_t* device);

/* Counters of an MRC NIC. */
SGF_PUBLIC sgf_mrc_counters_t sgf_device_mrc_counters(const sgf_device_t* device);

/* Take samples of an MRC NIC from now on. */
SGF_PUBLIC void sgf_device_sample_mrc(sgf_device_t* device);

/* Samples of an MRC NIC since they are taken, and since the last sgf_device_next_mrc_interval, which is for one reader.
 */
SGF_PUBLIC sgf_mrc_samples_t sgf_device_mrc_samples(const sgf_device_t* device);
SGF_PUBLIC sgf_mrc_samples_t sgf_device_mrc_interval(const sgf_device_t* device);
SGF_PUBLIC void sgf_device_next_mrc_interval(sgf_device_t* device);

/* Tell of the packets of an MRC NIC; one listener, NULL: none any more. */
SGF_PUBLIC void sgf_device_observe_mrc_packets(sgf_device_t* device, sgf_mrc_packet_cb packet, void* user);

/* ---- A clock ----------------------------------------------------------------------------------------------------- */

/* Call `tick` when the engine has executed every event up to and including `first`, before posts of that instant are
 * applied; it returns the date of its next call, or OPP_TIME_MAX for none. It may read the fabric. Clocks do not keep
 * the engine from being idle: none is called for a date that the run does not reach. */
typedef opp_simtime_t (*sgf_tick_cb)(void* user, opp_simtime_t now);
SGF_PUBLIC void sgf_fabric_add_clock(sgf_fabric_t* fabric, opp_simtime_t first, sgf_tick_cb tick, void* user);

/* No longer call `tick` for `user`, whose clocks all end. Not from within a tick. */
SGF_PUBLIC void sgf_fabric_remove_clock(sgf_fabric_t* fabric, sgf_tick_cb tick, void* user);

/* ---- The receive pool of a NIC (spec/uet-nic.md 7.6) ------------------------------------------------------------- */

/* The pool of its data class, and what it does to senders at this instant. All zero for a switch, and for a NIC whose
 * transport knows nothing of it. */
typedef struct sgf_nic_stats {
  int64_t pool_size;
  int64_t pool_bytes;     /* charged to it */
  opp_simtime_t ack_hold; /* how long the acknowledgement of a full packet that arrived now would wait (8.7) */
  unsigned penalty;       /* 0..127, which an acknowledgement made now would carry (9.9) */
} sgf_nic_stats_t;
SGF_PUBLIC sgf_nic_stats_t sgf_nic_stats(const sgf_device_t* device);

SGF_END_DECL
#endif
