/* A NIC of any transport on a bench, call by call and without SimGrid.
 *
 *   NIC of host 0 == cable (400 Gb/s, 100 ns) == peer
 *
 * The peer plays the rest of the fabric, hosts 1 and up. It records every frame that reaches it and sends what the test
 * tells it to: such a frame arrives at the NIC at once, whatever its size, and has been dealt with when the call
 * returns. Everything else happens in bench_run. What frames look like, and how the peer answers by itself, is the
 * business of each transport's own support (nic/nic_support.h for UET). */
#ifndef SGF_VALIDATION_NIC_BENCH_H
#define SGF_VALIDATION_NIC_BENCH_H

#include "nic/nic.h"

enum {
  BENCH_HOSTS    = 8,
  BENCH_MAX_LOG  = 4096,
  BENCH_MAX_POST = 64,
};

static const opp_simtime_t bench_delay = 100000;

/* A PCIe link so slow that nothing crosses it within a test. Its transmit buffer takes the first BENCH_STUCK_WRITES
 * payloads of 4,096 B (spec/uet-nic.md, UN-63); what comes behind them stays in the receive pool. */
#define BENCH_STUCK "NicPCIeInterface/PhysicalLayer/LaneBps", "1Mbps", "NicPCIeInterface/PhysicalLayer/LaneCount", "1"
enum { BENCH_STUCK_WRITES = 58 };

#define BENCH_PFC "PFCEnableVector", "[1, 1, 0, 0, 0, 0, 0, 0]"

/* ---- State ------------------------------------------------------------------------------------------------------- */

typedef struct bench_frame {
  opp_simtime_t arrival; /* of its last bit at the peer */
  uint32_t bytes;
  net_frame_t frame;
} bench_frame_t;

typedef struct bench_delivery {
  nic_delivery_t message;
  opp_simtime_t date;
} bench_delivery_t;

typedef struct bench bench_t;

/* A transport, and the peer's side of it. */
typedef struct bench_transport {
  const nic_transport_t* nic;
  size_t peer_size; /* bytes that the peer remembers in, zeroed; 0: none */
  /* Hears of each frame but PFC frames the moment it arrives, and may answer it (bench_send). False: it is not
   * recorded. NULL: every frame is, and none is answered. */
  bool (*hears)(bench_t* bench, const bench_frame_t* frame);
  int (*kind)(const net_frame_t* frame); /* what bench_count and bench_nth tell apart; never asked of a PFC frame */
} bench_transport_t;

struct bench {
  const bench_transport_t* transport;
  opp_sim_t* sim;
  opp_module_t* peer;
  void* memory; /* the peer's */
  nic_t* nic;
  bool answers; /* the peer acknowledges at once what asks for it; none is lost */
  bench_frame_t* log;
  size_t count;
  nic_message_t* posted[BENCH_MAX_POST];
  opp_simtime_t acknowledged_at[BENCH_MAX_POST]; /* -1: not yet */
  opp_simtime_t sent_at[BENCH_MAX_POST];         /* SEND_COMPLETE; -1: not yet */
  size_t post_count;
  bench_delivery_t* delivered; /* in order */
  size_t deliveries;
  uint64_t progress;
  size_t warnings;
};

/* ---- Set-up ------------------------------------------------------------------------------------------------------ */

/* Settings are pairs of attribute and value; NULL: every attribute at its default. */
#define BENCH_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})

bench_t* bench_of(const bench_transport_t* transport, int64_t bps, opp_simtime_t delay, const char* const* settings);
void bench_free(bench_t* bench);

/* The reason for which such a NIC does not start; SGF_OK: it does. */
sgf_status_t bench_refusal_of(const bench_transport_t* transport, int64_t bps, const char* const* settings,
                              sgf_error_t* error);

/* ---- Time -------------------------------------------------------------------------------------------------------- */

/* Execute events up to and including `date`. */
void bench_run(bench_t* bench, opp_simtime_t date);
void bench_step(bench_t* bench); /* up to the instant of the next event */
opp_simtime_t bench_now(const bench_t* bench);

/* ---- What happens to the NIC ------------------------------------------------------------------------------------- */

/* Post a message to host `dst`; its number is its place among the posts. */
size_t bench_post(bench_t* bench, unsigned dst, uint64_t bytes);
/* The same with a rate of its own. */
size_t bench_post_at(bench_t* bench, unsigned dst, uint64_t bytes, int64_t bps);
/* The same with all that a message can say: tag, queue pair, classes. Number and address are filled in. */
size_t bench_post_as(bench_t* bench, unsigned dst, nic_message_t message);

uint32_t bench_address(unsigned host);
unsigned bench_host(uint32_t address);

/* A frame of a host's for the NIC, for which its transport has to fill in the rest. */
opp_msg_t* bench_frame_from(bench_t* bench, unsigned host, uint32_t bytes);
/* It arrives at this instant, in the next bench_run; or has been dealt with when the call returns. Takes it. */
void bench_send(bench_t* bench, opp_msg_t* msg);
void bench_feed(bench_t* bench, opp_msg_t* msg);

/* Pause one class for so many quanta; 0: resume it. */
void bench_pause(bench_t* bench, unsigned tc, uint16_t quanta);

/* ---- What it does ------------------------------------------------------------------------------------------------ */

/* Recorded frames, from log entry `first` on; a kind is one of the transport's, or BENCH_PFC_FRAMES. */
enum { BENCH_PFC_FRAMES = 100 };
size_t bench_count(const bench_t* bench, int kind, size_t first);
const bench_frame_t* bench_nth(const bench_t* bench, int kind, size_t n); /* n from 0; NULL: there is none */

/* The last delivery, of which there has to be one. */
const bench_delivery_t* bench_delivery(const bench_t* bench);

#endif
