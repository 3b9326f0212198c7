/* A UET NIC on a bench, for replaying spec/uet-nic.md 11 call by call and without SimGrid.
 *
 *   NIC of host 0 == cable (400 Gb/s, 100 ns) == peer
 *
 * The peer plays the rest of the fabric, hosts 1 and up. It records every frame that reaches it and sends what the test
 * tells it to: such a frame arrives at the NIC at once, whatever its size, and has been dealt with when the call
 * returns. Everything else happens in bench_run. */
#ifndef SGF_VALIDATION_NIC_SUPPORT_H
#define SGF_VALIDATION_NIC_SUPPORT_H

#include "nic/uet/uet.h"

enum {
  BENCH_HOSTS    = 8,
  BENCH_MSS      = 4096,
  BENCH_FULL     = BENCH_MSS + 106, /* a full data packet on the wire */
  BENCH_IP       = BENCH_MSS + 88,  /* the same without Ethernet: its charge, and its nominal size */
  BENCH_MAX_LOG  = 4096,
  BENCH_MAX_POST = 64,
};

/* Dates of the default NIC, in ps. A doorbell, then a read request and its answer over PCIe, then the wire. */
static const opp_simtime_t bench_doorbell = 15000;
static const opp_simtime_t bench_fetch    = 70843; /* of a full payload: floor(98 B) + floor(4,368 B) at 504.32 Gb/s */
static const opp_simtime_t bench_wire     = 84040; /* of a full packet at 400 Gb/s */
static const opp_simtime_t bench_probe    = 1240;  /* of a base-RTT probe, 62 B */
static const opp_simtime_t bench_delay    = 100000;

/* A PCIe link so slow that nothing crosses it within a test. Its transmit buffer takes the first BENCH_STUCK_WRITES
 * full payloads (UN-63); what comes behind them stays in the receive pool. */
#define BENCH_STUCK "NicPCIeInterface/PhysicalLayer/LaneBps", "1Mbps", "NicPCIeInterface/PhysicalLayer/LaneCount", "1"
enum { BENCH_STUCK_WRITES = 58 };

/* A sender that no window holds: the bench answers in 100 ns, which makes the window 82,500 B with the first answer. */
#define BENCH_UNGATED "PassThrough", "true"

#define BENCH_PFC "PFCEnableVector", "[1, 1, 0, 0, 0, 0, 0, 0]"

typedef struct bench_frame {
  opp_simtime_t arrival; /* of its last bit at the peer */
  uint32_t bytes;
  net_frame_t frame;
} bench_frame_t;

typedef struct bench {
  opp_sim_t* sim;
  opp_module_t* peer;
  nic_t* nic;
  uet_state_t* uet;
  bool answers; /* the peer acknowledges each data packet that asks for it the moment it arrives; none is lost */
  uint32_t seen[BENCH_MAX_POST]; /* packets of each message that it has acknowledged, or could have */
  bench_frame_t* log;            /* all but probes */
  size_t count;
  size_t probes;
  bench_frame_t probe; /* the last */
  nic_message_t* posted[BENCH_MAX_POST];
  opp_simtime_t acknowledged_at[BENCH_MAX_POST]; /* -1: not yet */
  opp_simtime_t sent_at[BENCH_MAX_POST];         /* SEND_COMPLETE; -1: not yet */
  size_t post_count;
  size_t deliveries;
  nic_delivery_t delivery; /* the last */
  opp_simtime_t delivered_at;
  uint64_t progress;
  size_t warnings;
} bench_t;

/* Settings are pairs of attribute and value. */
#define BENCH_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})

bench_t* bench_new(const char* const* settings); /* NULL: every attribute at its default */
bench_t* bench_on(int64_t bps, opp_simtime_t delay, const char* const* settings);
void bench_free(bench_t* bench);

/* The reason for which such a NIC does not start; SGF_OK: it does. */
sgf_status_t bench_refusal(int64_t bps, const char* const* settings, sgf_error_t* error);

/* The group of a host; NULL: it has no member. */
const uet_group_t* bench_group(const bench_t* bench, unsigned host);
/* Nominal bytes in flight to a host. */
int64_t bench_in_flight(const bench_t* bench, unsigned host);

/* Execute events up to and including `date`. */
void bench_run(bench_t* bench, opp_simtime_t date);
void bench_step(bench_t* bench); /* up to the instant of the next event */
opp_simtime_t bench_now(const bench_t* bench);

/* Post a message to host `dst`; its number is its place among the posts. */
size_t bench_post(bench_t* bench, unsigned dst, uint64_t bytes);
/* The same with a rate of its own. */
size_t bench_post_at(bench_t* bench, unsigned dst, uint64_t bytes, int64_t bps);

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
void bench_pause(bench_t* bench, unsigned tc, uint16_t quanta);

/* Recorded frames, from log entry `first` on; a kind is a uet_type_t or BENCH_PFC_FRAMES. */
enum { BENCH_PFC_FRAMES = 100 };
size_t bench_count(const bench_t* bench, int kind, size_t first);
const bench_frame_t* bench_nth(const bench_t* bench, int kind, size_t n); /* n from 0; NULL: there is none */
const uet_header_t* bench_header(const bench_frame_t* frame);

#endif
