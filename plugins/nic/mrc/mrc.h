/* nic/mrc: the MRC transport (spec/mrc-nic.md 4 to 7, 10 to 12). Messages on queue pairs, whose packets share one
 * sequence and are spread over many paths; acknowledgement on arrival, loss by gaps, trims and timers; one congestion
 * window for each destination.
 *
 *   post --> doorbell --> generation --> gates, fetch --> port --> timer --> SACK retires, or says what is lost
 *                                              data --> SACK, then write to the host */
#ifndef MRC_H
#define MRC_H

#include <sgfabric/mrc_stats.h>

#include "nic/arrivals.h"
#include "nic/mrc/inbox.h"
#include "nic/mrc/loss.h"
#include "nic/mrc/paths.h"
#include "nic/mrc/record.h"
#include "nic/mrc/table.h"
#include "nic/mrc/wire.h"
#include "nic/pace.h"
#include "nic/segments.h"
#include "nic/slabs.h"
#include "nic/timeouts.h"
#include "nscc/nscc.h"

/* ---- Constants --------------------------------------------------------------------------------------------------- */

enum {
  MRC_DATA_CLASS    = 0, /* no attribute moves a packet to another class (4.1) */
  MRC_CONTROL_CLASS = 1,
  MRC_PSN_UNIT      = 128,  /* packets, of the PSN window (10.7) */
  MRC_LEAST_COUNT   = 1024, /* bytes that a packet counts at least towards a SACK (10.4) */
};
#define MRC_DOORBELL_DELAY (15 * OPP_NS) /* from a doorbell that finds generation idle (10.1) */
#define MRC_RETRY_DELAY (15 * OPP_NS)    /* from the fall of the pool to half (5.3) */
#define MRC_TIMESTAMP_STEP (128 * OPP_NS)

/* Kinds of self messages. */
enum { MRC_DOORBELL = NIC_TRANSPORT, MRC_RETRY, MRC_TIMEOUT, MRC_DELIVERED, MRC_PACED, MRC_PROBE_DUE };

/* Random streams. */
enum { MRC_RNG_ENTROPY };

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

/* Values of RTTTimestampMode. */
enum { MRC_SENDER_RECORD, MRC_WIRE_TIMESTAMP };

typedef struct mrc_config {
  int64_t mtu;
  int64_t mss;
  int timestamp_mode;
  bool trimming_enabled;
  bool distinct_dscp_for_retransmit;
  int64_t sack_threshold; /* bytes; 0: one MSS */
  uint64_t loss_reorder_threshold;
  int64_t initial_rto;
  uint64_t max_backoff;
  uint64_t psn_window; /* in units of 128 packets */
  uint64_t entropy_values;
  uint64_t first_entropy_value;
  int64_t probe_interval; /* 0: paths are not probed */
  bool receiver_penalty;
  int64_t stats_interval;
  bool transport_stats;
  bool monitor;
} mrc_config_t;

typedef struct mrc_block {
  nic_block_t nic;
  net_codepoints_config_t codepoints;
  mrc_config_t own;
  nscc_config_t congestion;
} mrc_block_t;

extern const sgf_attr_set_t mrc_attributes;
extern const nic_transport_t mrc_transport;

/* ---- Sending ends ------------------------------------------------------------------------------------------------ */

typedef struct mrc_pair mrc_pair_t;
typedef struct mrc_destination mrc_destination_t;

/* A message that is not acknowledged: a range of its pair's PSNs. */
typedef struct mrc_outgoing {
  nic_message_t* message;
  mrc_pair_t* pair;
  struct mrc_outgoing* next; /* of the pair, as posted; among those that are complete */
  struct mrc_outgoing* previous;
  uint32_t first_psn;
  uint32_t packets;
  uint32_t acknowledged;
  uint32_t foreseen;    /* not acknowledged, but on the last cable is a frame that does so */
  int64_t unsent_bytes; /* on the wire, of packets never serialised */
  uint64_t retransmissions;
  nic_closing_t closing;
  nic_pace_t pace; /* the message's own rate */
} mrc_outgoing_t;

typedef enum mrc_packet_state {
  MRC_COMMITTED,     /* reserved: being fetched or waiting at the port; in flight */
  MRC_SENT,          /* serialised, timer running; in flight */
  MRC_TO_RETRANSMIT, /* lost; not in flight */
} mrc_packet_state_t;

/* A packet that is not acknowledged. In the list of its timer while sent, in that of its pair's retransmissions while
 * it waits. */
typedef struct mrc_packet {
  nic_timed_t timed; /* first */
  mrc_outgoing_t* outgoing;
  opp_simtime_t sent_at; /* end of the serialisation of its latest transmission */
  uint32_t psn;
  uint16_t retransmissions; /* saturating */
  uint16_t entropy;         /* of its latest transmission */
  uint8_t state;
  bool foreseen;
} mrc_packet_t;

static inline mrc_packet_t* mrc_packet_of(nic_timed_t* timed)
{
  return (mrc_packet_t*)timed;
}

typedef enum mrc_place { MRC_IDLE, MRC_READY, MRC_WAITS_FOR_WINDOW } mrc_place_t;

/* The sending end of a queue pair. Lives as long as the NIC. */
struct mrc_pair {
  mrc_key_t key; /* first: the other host */
  uint32_t id;   /* in the order in which they were made */
  mrc_destination_t* destination;
  mrc_pair_t* next; /* in the queue that `place` names */
  mrc_pair_t* previous;
  uint8_t place;
  bool probing;           /* its probe timer runs */
  mrc_outgoing_t* oldest; /* messages that are not acknowledged; NULL: none */
  mrc_outgoing_t* newest;
  mrc_outgoing_t* current; /* of those, the first that is not all generated; NULL: none */
  uint32_t base;           /* first PSN that is not acknowledged */
  uint32_t next_psn;       /* first PSN never committed */
  uint32_t end_psn;        /* first PSN of no message yet */
  mrc_packet_t** ring;     /* by PSN; NULL: acknowledged */
  uint32_t ring_size;      /* a power of two */
  nic_timed_list_t retransmit;
  net_queue_t early; /* frames without payload, which are not fetched, behind others that are */
  mrc_loss_t loss;
  mrc_paths_t paths;
};

typedef struct mrc_pair_queue {
  mrc_pair_t* first;
  mrc_pair_t* last;
} mrc_pair_queue_t;

/* What all queue pairs to a host share. */
struct mrc_destination {
  nscc_t congestion;
  int64_t in_flight;        /* nominal bytes */
  mrc_pair_queue_t waiting; /* pairs whose next packet does not fit the window */
};

/* ---- Receiving ends ---------------------------------------------------------------------------------------------- */

/* The receiving end of a queue pair. Lives as long as the NIC. */
typedef struct mrc_end {
  mrc_key_t key; /* first: the other host */
  nic_arrivals_t arrivals;
  mrc_inbox_t inbox;
  int64_t since_sack;  /* bytes received since the last ACK or SACK, as they count */
  uint32_t next_block; /* of the bitmap of SACKs */
  nic_closing_t closing;
} mrc_end_t;

/* A message that may be delivered once all that was to be written before has crossed PCIe. */
typedef struct mrc_delivery {
  nic_delivery_t delivery;
  uint64_t writes; /* of this NIC, up to that point */
} mrc_delivery_t;

/* ---- State of the transport -------------------------------------------------------------------------------------- */

typedef struct mrc_state {
  mrc_config_t config;
  nscc_config_t congestion_config;
  net_codepoints_t codepoints;
  nscc_params_t congestion;
  int64_t overhead; /* wire bytes of a data packet beyond its payload */
  opp_line_t* retries;
  opp_line_t* deliveries;
  opp_msg_t* doorbell;

  mrc_destination_t** destinations; /* by host; NULL: no pair yet */
  mrc_table_t pairs;
  mrc_pair_queue_t ready;
  bool generating;         /* a pass is under way */
  bool generation_stopped; /* a packet did not fit the egress pool (5.3) */
  uint32_t pacing;         /* pairs that wait for their next packet to become eligible */
  nic_slabs_t outgoing;
  nic_slabs_t packets;
  nic_timeouts_t timeouts;
  mrc_outgoing_t* complete; /* acknowledged, their posters not told yet; by `next` */
  int64_t turning_round;    /* bytes of control frames to oneself */

  mrc_table_t ends;
  opp_simtime_t unmatched_closing; /* latest arrival of data that started on the cable before its end was there */
  mrc_delivery_t* due;             /* ring */
  uint32_t due_room;               /* a power of two, or 0 */
  uint32_t due_begin;              /* counted on, as the next two */
  uint32_t due_scheduled;          /* the first whose event is not scheduled */
  uint32_t due_end;
  uint64_t writes; /* begun */
  uint64_t writes_accepted;
  opp_simtime_t last_write; /* when the last that was accepted has crossed */

  sgf_mrc_counters_t counters;
  mrc_recorder_t* recorder; /* NULL: no record wants to know more than the counters */
} mrc_state_t;

static inline mrc_state_t* mrc_state(const nic_t* nic)
{
  return nic->state;
}

static inline net_role_t mrc_role(const nic_t* nic, const net_frame_t* frame)
{
  return (net_role_t)mrc_state(nic)->codepoints.role_of_dscp[frame->dscp];
}

/* The counters, with what the windows count themselves. */
sgf_mrc_counters_t mrc_counters(const nic_t* nic);

/* ---- pairs.c: queue pairs, destinations, the ready queue --------------------------------------------------------- */

mrc_pair_t* mrc_pair_for(nic_t* nic, uint32_t address, uint32_t queue_pair); /* made if there is none */
mrc_pair_t* mrc_pair_find(const nic_t* nic, uint32_t address, uint32_t queue_pair);
void mrc_pairs_free(mrc_state_t* state);
bool mrc_has_something_to_send(const nic_t* nic, const mrc_pair_t* pair);
/* A pair that was idle may have something to send: behind all that are ready. */
void mrc_make_ready(nic_t* nic, mrc_pair_t* pair);
/* A ready pair leaves its place: for the end of the queue, for its destination's window, or for none. */
void mrc_requeue(mrc_state_t* state, mrc_pair_t* pair);
void mrc_wait_for_window(mrc_state_t* state, mrc_pair_t* pair);
void mrc_make_idle(mrc_state_t* state, mrc_pair_t* pair);
/* If the window has room for the first pair that waits for it, that is ready again. */
void mrc_wake(nic_t* nic, mrc_destination_t* destination);

/* ---- messages.c: messages become ranges of PSNs ------------------------------------------------------------------ */

void mrc_post(nic_t* nic, nic_message_t* message);
void mrc_is_acknowledged(mrc_state_t* state, mrc_outgoing_t* outgoing); /* every packet: it leaves its pair */
void mrc_tell_of_acknowledged(nic_t* nic); /* posters, when all that an answer says has been dealt with */

/* ---- send.c: generation ------------------------------------------------------------------------------------------ */

void mrc_generate(nic_t* nic);
void mrc_fetched(nic_t* nic, opp_msg_t* msg);
void mrc_retry_due(nic_t* nic, opp_msg_t* msg);
void mrc_paced(nic_t* nic, opp_msg_t* msg); /* a packet has become eligible */

/* ---- packets.c: records of what is not acknowledged, frames ------------------------------------------------------ */

/* Record of a packet that is not acknowledged, or NULL if it is, or was not sent yet. */
mrc_packet_t* mrc_outstanding(const mrc_pair_t* pair, uint32_t psn);
/* The next PSN of a pair, for a packet of its current message. */
mrc_packet_t* mrc_packet_new(mrc_state_t* state, mrc_pair_t* pair);
int64_t mrc_payload(const nic_t* nic, const mrc_packet_t* packet);
int64_t mrc_nominal(const nic_t* nic, const mrc_packet_t* packet); /* what the window counts of it */
opp_msg_t* mrc_frame_new(nic_t* nic, const mrc_key_t* to, net_role_t role, mrc_type_t type, int64_t bytes);
opp_msg_t* mrc_data_frame(nic_t* nic, const mrc_packet_t* packet);

/* ---- feedback.c: what answers and timers say --------------------------------------------------------------------- */

void mrc_serialised(nic_t* nic, opp_msg_t* msg);
void mrc_timeout(nic_t* nic, unsigned level);
void mrc_acknowledged(nic_t* nic, const net_frame_t* frame); /* an ACK or a SACK has come */
void mrc_refused(nic_t* nic, const net_frame_t* frame);      /* a NACK has come */

/* ---- probes.c: paths that are assumed bad ------------------------------------------------------------------------ */

/* A path has been judged, or there is something to send again: see to it that bad ones are probed. */
void mrc_probe_bad_paths(nic_t* nic, mrc_pair_t* pair);
void mrc_probe_due(nic_t* nic, opp_msg_t* msg);

/* ---- receive.c: what arrives; data to the host, deliveries ------------------------------------------------------- */

void mrc_received(nic_t* nic, opp_msg_t* msg);
void mrc_written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date);
void mrc_delivered(nic_t* nic, opp_msg_t* msg);
mrc_end_t* mrc_end_for(mrc_state_t* state, uint32_t address, uint32_t queue_pair); /* made if there is none */
void mrc_ends_free(mrc_state_t* state);

/* ---- answers.c: ACKs, SACKs, NACKs ------------------------------------------------------------------------------- */

/* What the arrival of a packet draws, if anything. */
void mrc_acknowledge(nic_t* nic, mrc_end_t* end, const net_frame_t* data, int64_t payload, bool is_new);
void mrc_answer_probe(nic_t* nic, mrc_end_t* end, const net_frame_t* probe);
void mrc_refuse(nic_t* nic, const net_frame_t* data, mrc_reason_t reason);

/* ---- facts.c, progress.c: what the attributes come to; how far a message is -------------------------------------- */

void mrc_facts(const nic_t* nic, nic_fact_cb tell, void* user);
void mrc_closing(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival);
void mrc_progress_sent(nic_t* nic, const nic_message_t* message, nic_progress_t* progress);
void mrc_progress_received(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress);
void mrc_waits(nic_t* nic, const nic_message_t* message, char* line, size_t size);

#endif
