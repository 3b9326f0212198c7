/* A RoCE NIC on a bench (support/nic_bench.h), and a peer that speaks RoCE. */
#ifndef SGF_VALIDATION_ROCE_SUPPORT_H
#define SGF_VALIDATION_ROCE_SUPPORT_H

#include "nic/roce/roce.h"
#include "support/nic_bench.h"

enum {
  ROCE_MSS  = 4096,
  ROCE_FULL = ROCE_MSS + 58, /* a full data packet on the wire */
  ROCE_IP   = ROCE_MSS + 40, /* the same without Ethernet: its charge */
};

/* Dates of the default NIC, in ps. Generation starts, then a read request and its answer over PCIe, then the wire. */
static const opp_simtime_t roce_start    = 80000;
static const opp_simtime_t roce_fetch    = 70843; /* of a full payload: floor(98 B) + floor(4,368 B) at 504.32 Gb/s */
static const opp_simtime_t roce_wire     = 83080; /* of a full packet at 400 Gb/s */
static const opp_simtime_t roce_ack_wire = 2520;

/* From the post of a message to the arrival of its first full packet at the peer. */
static inline opp_simtime_t roce_first_arrival(void)
{
  return roce_start + roce_fetch + roce_wire + bench_delay;
}

/* With `answers` the peer acknowledges every data packet at once. */
bench_t* roce_bench(const char* const* settings);
bench_t* roce_bench_on(int64_t bps, const char* const* settings);
sgf_status_t roce_refusal(const char* const* settings, sgf_error_t* error);

static inline roce_state_t* roce_of(const bench_t* bench)
{
  return roce_state(bench->nic);
}

static inline const sgf_roce_counters_t* roce_counters(const bench_t* bench)
{
  return &roce_of(bench)->counters;
}

/* A data packet for the NIC. Zeroes mean host 1, message 1, data class 0 and control class 1. */
typedef struct roce_data {
  unsigned from;
  uint32_t queue_pair;
  uint64_t message;
  uint32_t psn;
  int64_t payload;
  uint64_t bytes; /* of the message */
  bool is_last;
  bool is_marked; /* congestion experienced */
} roce_data_t;
void roce_data(bench_t* bench, roce_data_t data);
/* `count` full packets of message 1 from `psn` on, all at this instant; none is the last. */
void roce_packets(bench_t* bench, uint32_t psn, unsigned count);

/* Answers to a message of the NIC's, on its queue pair `number`. */
void roce_ack(bench_t* bench, uint32_t number, uint64_t message, uint32_t psn);
void roce_nak(bench_t* bench, uint32_t number, uint64_t message, uint32_t expected);
void roce_selective_nak(bench_t* bench, uint32_t number, uint64_t message, uint32_t expected, uint32_t drawn_by);
void roce_cnp(bench_t* bench, uint32_t number);

/* Pause classes 0 and 1 for good; let them go on in one instant. */
void roce_hold_both(bench_t* bench);
void roce_free_both(bench_t* bench);

const roce_header_t* roce_header_at(const bench_t* bench, size_t entry);
static inline roce_type_t roce_type_at(const bench_t* bench, size_t entry)
{
  return (roce_type_t)roce_header_at(bench, entry)->type;
}

/* Execute events until there is none. */
void roce_run_to_the_end(bench_t* bench);

#endif
