/* sgfabric roce_stats: what a RoCE NIC counts of its transport (spec/records.md 11). Types alone: sgfabric/stats.h
 * reads them out of a fabric. Times in picoseconds. */
#ifndef SGFABRIC_ROCE_STATS_H
#define SGFABRIC_ROCE_STATS_H

#include <sgfabric/uet_stats.h>

SGF_BEGIN_DECL

/* From the start of the run. Sent: when a packet has left the port. Received: when the receive buffer has let it in. */
typedef struct sgf_roce_counters {
  uint64_t data_sent;     /* retransmissions too */
  uint64_t data_received; /* duplicates and refused ones too */
  uint64_t acks_sent;
  uint64_t acks_received;
  uint64_t naks_sent;
  uint64_t naks_received;
  uint64_t selective_sent; /* of the NAKs, those that say what has arrived beyond the gap (LossRecovery) */
  uint64_t selective_received;
  uint64_t cnps_sent;
  uint64_t cnps_received; /* ignored ones too */
  uint64_t gaps;          /* seen as a receiver */
  uint64_t duplicates;
  uint64_t messages_posted;
  uint64_t messages_acknowledged;
  uint64_t recoveries; /* NAKs that were heeded, and timeouts */
  uint64_t timeouts;
  uint64_t drops_no_pair_data;
  uint64_t drops_no_pair_control;
  uint64_t drops_behind_gap;
  uint64_t drops_ghost;      /* ACKs and NAKs of a PSN that was never used */
  uint64_t payload_discards; /* packets fetched, and discarded before they got their PSN */
} sgf_roce_counters_t;

/* Round trips, each from the end of the serialisation of the newest packet that an ACK retires; none from a packet that
 * was sent more than once. */
typedef struct sgf_roce_samples {
  sgf_samples_t run;
  sgf_samples_t interval;
} sgf_roce_samples_t;

SGF_END_DECL
#endif
