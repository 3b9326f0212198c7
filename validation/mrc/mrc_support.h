/* An MRC NIC on a bench (support/nic_bench.h), and a peer that speaks MRC, for replaying spec/mrc-nic.md 14. */
#ifndef SGF_VALIDATION_MRC_SUPPORT_H
#define SGF_VALIDATION_MRC_SUPPORT_H

#include "nic/mrc/mrc.h"
#include "support/nic_bench.h"

enum {
  MRC_MSS  = 4096,
  MRC_FULL = MRC_MSS + 78, /* a full data packet on the wire, and its charge */
  MRC_IP   = MRC_MSS + 60, /* what the window counts of it */
};

/* Dates of the default NIC, in ps. A doorbell, then a read request and its answer over PCIe, then the wire. */
static const opp_simtime_t mrc_doorbell = 15000;
static const opp_simtime_t mrc_fetch    = 70843; /* of a full payload: floor(98 B) + floor(4,368 B) at 504.32 Gb/s */
static const opp_simtime_t mrc_wire     = 83480; /* of a full packet at 400 Gb/s */

/* The end of the serialisation of full packet n of a post at time 0, from 1 on. */
static inline opp_simtime_t mrc_end_of(int n)
{
  return mrc_doorbell + mrc_fetch + n * mrc_wire;
}

/* A sender that no window holds: the bench answers in 100 ns, which makes the window small with the first answer. */
#define MRC_UNGATED "PassThrough", "true"

/* With `answers` the peer acknowledges every data packet at once, by a SACK. */
bench_t* mrc_bench(const char* const* settings);
sgf_status_t mrc_refusal(const char* const* settings, sgf_error_t* error);

static inline mrc_state_t* mrc_of(const bench_t* bench)
{
  return mrc_state(bench->nic);
}

static inline const sgf_mrc_counters_t* mrc_counted(const bench_t* bench)
{
  return &mrc_of(bench)->counters;
}

/* The sending end of queue pair `number` to a host, which has to be there. */
mrc_pair_t* mrc_pair_at(const bench_t* bench, unsigned host, uint32_t number);
int64_t mrc_in_flight(const bench_t* bench, unsigned host);
int64_t mrc_reserved(const bench_t* bench); /* in the transmit pool of data */

/* A data packet for the NIC. Zeroes mean host 1, queue pair 0, message 1, and a message that begins with PSN 0. */
typedef struct mrc_data {
  unsigned from;
  uint32_t queue_pair;
  uint64_t message;
  uint32_t psn;
  uint32_t index; /* in its message */
  int64_t payload;
  uint64_t bytes; /* of the message */
  bool is_last;
  bool is_again;  /* a retransmission */
  bool is_marked; /* congestion experienced */
  bool asks;
} mrc_data_t;
void mrc_data(bench_t* bench, mrc_data_t data);
/* `count` full packets of message 1 from `psn` on, all at this instant; none is the last. */
void mrc_packets(bench_t* bench, uint32_t psn, unsigned count);
/* What a switch has left of a data packet. */
void mrc_trimmed(bench_t* bench, mrc_data_t data, net_role_t role);
void mrc_probe_from(bench_t* bench, unsigned host);

/* Answers to a data frame or a probe of the NIC's; zeroes mean a SACK that says nothing but what it answers. */
typedef struct mrc_answer {
  mrc_type_t type;
  uint32_t expected;
  uint32_t base; /* of the bitmap; 0: expected */
  uint64_t bitmap;
  mrc_verdict_t verdict;
  mrc_reason_t reason;
  uint32_t service_time;
  bool is_marked; /* ECN echo */
} mrc_answer_t;
void mrc_answer(bench_t* bench, const bench_frame_t* data, mrc_answer_t what);
void mrc_nack(bench_t* bench, const bench_frame_t* data, mrc_reason_t reason);

/* The n-th data frame that the peer has seen, which has to be there. */
const bench_frame_t* mrc_data_at(const bench_t* bench, size_t n);
static inline const mrc_header_t* mrc_header_at(const bench_frame_t* frame)
{
  return mrc_header_const(&frame->frame);
}

/* Execute events until there is none. */
void mrc_run_to_the_end(bench_t* bench);

#endif
