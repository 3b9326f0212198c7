/* A UET NIC on the bench of support/nic_bench.h, for replaying spec/uet-nic.md 11. */
#ifndef SGF_VALIDATION_NIC_SUPPORT_H
#define SGF_VALIDATION_NIC_SUPPORT_H

#include "nic/uet/uet.h"
#include "support/nic_bench.h"

enum {
  BENCH_MSS  = 4096,
  BENCH_FULL = BENCH_MSS + 106, /* a full data packet on the wire */
  BENCH_IP   = BENCH_MSS + 88,  /* the same without Ethernet: its charge, and its nominal size */
};

/* Dates of the default NIC, in ps. A doorbell, then a read request and its answer over PCIe, then the wire. */
static const opp_simtime_t bench_doorbell = 15000;
static const opp_simtime_t bench_fetch    = 70843; /* of a full payload: floor(98 B) + floor(4,368 B) at 504.32 Gb/s */
static const opp_simtime_t bench_wire     = 84040; /* of a full packet at 400 Gb/s */
static const opp_simtime_t bench_probe    = 1240;  /* of a base-RTT probe, 62 B */

/* A sender that no window holds: the bench answers in 100 ns, which makes the window 82,500 B with the first answer. */
#define BENCH_UNGATED "PassThrough", "true"

bench_t* bench_new(const char* const* settings);
bench_t* bench_on(int64_t bps, opp_simtime_t delay, const char* const* settings);

/* The reason for which such a NIC does not start; SGF_OK: it does. */
sgf_status_t bench_refusal(int64_t bps, const char* const* settings, sgf_error_t* error);

uet_state_t* bench_uet(const bench_t* bench);
/* The group of a host; NULL: it has no member. */
const uet_group_t* bench_group(const bench_t* bench, unsigned host);
/* Nominal bytes in flight to a host. */
int64_t bench_in_flight(const bench_t* bench, unsigned host);

/* Probes that have reached the peer; they are not in its log. */
typedef struct bench_probes {
  size_t count;
  bench_frame_t last;
} bench_probes_t;
const bench_probes_t* bench_probes(const bench_t* bench);

/* A data packet for the NIC. Zeroes mean host 1, PDC 1, message 1. */
typedef struct bench_data {
  unsigned from;
  uint16_t pdc;
  uint64_t message;
  uint32_t psn;
  int64_t payload;
  uint64_t bytes; /* of the message */
  bool is_last;   /* carries the end of the message */
  bool is_again;  /* a retransmission */
  bool is_unflagged;
  bool is_marked; /* congestion experienced */
} bench_data_t;
void bench_data(bench_t* bench, bench_data_t data);
void bench_packet(bench_t* bench, uint32_t psn, int64_t payload);
/* `count` full packets from `psn` on, all at this instant. */
void bench_packets(bench_t* bench, uint32_t psn, unsigned count);

/* Acknowledge a data frame: everything before `expected` and, beyond it, `bitmap` from `expected` on. */
void bench_ack(bench_t* bench, const bench_frame_t* data, uint32_t expected, uint64_t bitmap);
/* The same for what else an answer can say; zeroes mean an acknowledgement that says nothing. */
typedef struct bench_answer {
  bool is_nack;
  bool is_of_last_hop; /* the trim that a NACK answers */
  bool is_marked;      /* ECN echo */
  bool restores;
  uint8_t penalty;
  uint16_t service_time;
  uint32_t expected;
  uint64_t bitmap;
} bench_answer_t;
void bench_answer(bench_t* bench, const bench_frame_t* data, bench_answer_t what);
/* What a switch has left of a data packet. */
void bench_trimmed(bench_t* bench, bench_data_t data, net_role_t role);
/* A probe for the NIC, and the answer to its own last one. */
void bench_probe_from(bench_t* bench, unsigned host);
void bench_answer_probe(bench_t* bench);

/* The kind of a recorded frame (bench_count, bench_nth) is a uet_type_t or BENCH_PFC_FRAMES. */
const uet_header_t* bench_header(const bench_frame_t* frame);

#endif
