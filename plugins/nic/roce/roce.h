/* nic/roce: RDMA over Converged Ethernet, version 2 (spec/roce-nic.md). Messages on queue pairs, one at a time on each;
 * acknowledgements by count, go-back-N, a rate per queue pair that congestion notifications cut.
 *
 *   post --> queue pair --> ready queue --> reserve, fetch --> PSN, timer --> port at the pair's rate
 *                                                      data --> PSN check --> write to the host, ACK, NAK, CNP */
#ifndef ROCE_H
#define ROCE_H

#include <sgfabric/roce_stats.h>

#include "nic/nic.h"
#include "nic/pace.h"
#include "nic/roce/acks.h"
#include "nic/roce/rate.h"
#include "nic/roce/window.h"
#include "nic/roce/wire.h"
#include "nic/timeouts.h"

#define ROCE_GENERATION_START (80 * OPP_NS) /* at every start and restart of generation (10.1, 5.2) */

/* Kinds of self messages. */
enum { ROCE_GENERATE = NIC_TRANSPORT, ROCE_RTO, ROCE_RTO_LOW, ROCE_ACK_DUE, ROCE_RATE_RUN, ROCE_PACED, ROCE_DELIVERED };

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

/* Values of LossRecovery. */
enum { ROCE_GO_BACK_N, ROCE_SELECTIVE_REPEAT };

typedef struct roce_config {
  uint64_t down_links;
  uint64_t data_class;
  uint64_t control_class;
  uint64_t mtu;
  int64_t mss;
  opp_simtime_t retransmit_timeout;
  bool coalesces;
  opp_simtime_t ack_delay;
  uint64_t ack_threshold;
  int loss_recovery;
  bool bdp_flow_control;
  int64_t bdp_cap;
  opp_simtime_t rto_high;
  opp_simtime_t rto_low;
  uint64_t rto_low_packets;
} roce_config_t;

typedef struct roce_block {
  nic_block_t nic;
  roce_config_t own;
  roce_rate_config_t rate;
} roce_block_t;

extern const sgf_attr_set_t roce_attributes;
extern const nic_transport_t roce_transport;

/* ---- Sending ends ------------------------------------------------------------------------------------------------ */

/* A packet that is outstanding, or was until a rewind. */
typedef struct roce_sent {
  opp_simtime_t at; /* end of its latest serialisation; -1: none yet */
  bool again;       /* it was given its PSN more than once */
} roce_sent_t;

/* The sending end of a queue pair: all messages to one destination with the same number and classes. */
typedef struct roce_pair {
  nic_timed_t timed; /* its transport timer; first, so that the timer's pointer is the pair's */
  bool timer_runs;
  bool timer_is_low;
  uint32_t number; /* at this NIC, from 0 on */
  uint32_t dst;
  uint32_t queue_pair;
  nic_classes_t classes;
  bool ready; /* in the ready queue */
  struct roce_pair* next;
  struct roce_pair* previous;

  nic_message_t* message;       /* NULL: none */
  nic_message_t* waiting_first; /* behind it */
  nic_message_t* waiting_last;
  uint64_t last_message; /* number of the latest that has begun */
  roce_window_t window;
  roce_sent_t* sent;  /* by PSN */
  uint32_t sent_size; /* a power of two */
  uint32_t generated; /* packets of the message fetched at least once */
  nic_pace_t pace;
  uint64_t resent;
  int64_t unsent_bytes; /* on the wire, of packets never serialised */
  nic_closing_t closing;

  roce_rate_t rate;
  opp_transmitter_t wire; /* at that rate; keeps what a picosecond leaves over from one packet to the next */
} roce_pair_t;

/* ---- Receiving ends ---------------------------------------------------------------------------------------------- */

/* An ACK or NAK that waits for room in the transmit pool of its class. */
typedef struct roce_reply {
  uint64_t message;
  uint32_t psn;
  uint32_t drawn_by;
  uint8_t type; /* roce_type_t */
  uint8_t flags;
  bool completes; /* it acknowledges the last packet of its message */
} roce_reply_t;

/* The receiving end of a queue pair, known by the sender's address and number. */
typedef struct roce_end {
  nic_timed_t timed; /* of AckDelay; first, as above */
  bool timer_runs;
  uint32_t src;
  uint32_t queue_pair; /* number at the sender */
  uint16_t src_port;   /* of what it receives, and answers along */
  uint8_t control_class;
  uint64_t message;
  uint32_t packet_count; /* 0: the end of the message has not arrived */
  uint64_t received_payload;
  uint64_t acked_message; /* of the highest PSN in order, as an ACK names it */
  uint32_t acked_psn;
  roce_acks_t acks;
  opp_simtime_t next_cnp; /* none before */
  bool replies;           /* `reply` waits */
  roce_reply_t reply;
  struct roce_end* next_reply;
  opp_simtime_t answered_at; /* see nic_progress_t */
  nic_closing_t closing;
} roce_end_t;

typedef struct roce_replies {
  roce_end_t* first;
  roce_end_t* last;
} roce_replies_t;

/* ---- Those who measure feedback (spec/feedback-budget.md 3) ------------------------------------------------------ */

/* Hears of what congestion notifications do to the sending end of a queue pair. A data packet has a byte of its header
 * for those who hear: it goes where the packet goes, and a CNP brings back that of the packet which drew it. */
typedef struct roce_observer {
  void (*notified)(void* user, const roce_pair_t* pair, const roce_header_t* cnp); /* a CNP that is obeyed has come */
  void (*reduced)(void* user, const roce_pair_t* pair, int64_t before); /* a reduction half, from that many bit/s */
  void (*starting)(void* user, const roce_pair_t* pair, roce_header_t* data); /* a data packet, on the wire */
  void (*idle)(void* user, const roce_pair_t* pair);                          /* its last message is acknowledged */
  void* user;
} roce_observer_t;

/* ---- State of the transport -------------------------------------------------------------------------------------- */

typedef struct roce_state {
  roce_config_t config;
  roce_acks_config_t acks_config;
  roce_rate_params_t rate;
  opp_simtime_t cnp_min_interval;
  bool enable_ecn;
  const roce_observer_t* observer; /* NULL: nobody measures */
  uint32_t cap;                    /* packets in flight of a queue pair, with BdpFlowControl */
  nic_classes_t classes;

  roce_pair_t** pairs; /* by number */
  uint32_t pair_count;
  roce_pair_t** pair_table; /* open addressing over destination, number and classes */
  uint32_t pair_table_size; /* a power of two, or 0 */
  roce_pair_t* ready_first;
  roce_pair_t* ready_last;
  opp_msg_t* generate;     /* timer: generation starts */
  bool stopped;            /* a segment did not fit the transmit pool of `stopped_by` */
  unsigned stopped_by;     /* class */
  nic_timeouts_t timeouts; /* transport timers, and the shorter ones of SelectiveRepeat */
  nic_timeouts_t low_timeouts;
  opp_line_t* rate_runs;
  uint32_t pacing; /* pairs that wait for their next packet to become eligible */

  roce_end_t** ends;
  uint32_t end_count;
  roce_end_t** end_table; /* open addressing over (src, queue_pair) */
  uint32_t end_table_size;
  nic_timeouts_t ack_delays;
  roce_replies_t replies[NET_CLASSES];
  opp_line_t* deliveries;
  opp_simtime_t unmatched_closing; /* latest arrival of a data packet that started on the cable before its end was there
                                    */
  sgf_roce_counters_t counters;
  uint64_t resent; /* packets */
  sgf_samples_t rtt_run;
  sgf_samples_t rtt_interval;
} roce_state_t;

static inline roce_state_t* roce_state(const nic_t* nic)
{
  return nic->state;
}

/* What the clock of a message's own rate shows. */
static inline opp_simtime_t roce_pace_now(const nic_t* nic)
{
  return nic_now(nic) - ROCE_GENERATION_START;
}

static inline uint8_t roce_dscp(unsigned tc)
{
  return (uint8_t)(tc * ROCE_DSCP_OF_CLASS);
}

/* ---- pairs.c: queue pairs and their messages (10.1, 12) ---------------------------------------------------------- */

void roce_post(nic_t* nic, nic_message_t* message);
/* Every packet of its message is acknowledged. */
void roce_complete(nic_t* nic, roce_pair_t* pair);
/* NULL: there is none of that number. */
roce_pair_t* roce_pair_numbered(const nic_t* nic, uint32_t number);
/* The same, if it is sending that message. */
roce_pair_t* roce_pair_sending(const nic_t* nic, uint32_t number, uint64_t message);
void roce_pair_free(roce_pair_t* pair);
static inline roce_sent_t* roce_sent_of(const roce_pair_t* pair, uint32_t psn)
{
  return &pair->sent[psn & (pair->sent_size - 1)];
}

/* ---- send.c: the ready queue, generation, packets (5.2, 10.1 to 10.3) -------------------------------------------- */

/* The pair may have something to send: put it into the ready queue. */
void roce_make_ready(nic_t* nic, roce_pair_t* pair);
void roce_unready(nic_t* nic, roce_pair_t* pair);
void roce_generate(nic_t* nic);
void roce_fetched(nic_t* nic, opp_msg_t* msg);
void roce_room(nic_t* nic, unsigned tc);
void roce_paced(nic_t* nic, opp_msg_t* msg);
void roce_serialised(nic_t* nic, opp_msg_t* msg);
/* A frame without its own fields. */
opp_msg_t* roce_frame(nic_t* nic, uint32_t dst, unsigned tc, roce_type_t type, uint32_t bytes);

/* ---- congestion.c: rates of pairs, CNPs (11) --------------------------------------------------------------------- */

void roce_open_rate(nic_t* nic, roce_pair_t* pair);
opp_simtime_t roce_starting(nic_t* nic, opp_msg_t* msg);
void roce_rate_due(nic_t* nic, opp_msg_t* msg);
void roce_receive_cnp(nic_t* nic, const roce_header_t* header);
/* A marked packet has come to this end. */
void roce_notify(nic_t* nic, roce_end_t* end, const roce_header_t* marked);

/* ---- recovery.c: what answers and timers say (10.6, 10.7) -------------------------------------------------------- */

void roce_start_timer(nic_t* nic, roce_pair_t* pair);
void roce_stop_timer(nic_t* nic, roce_pair_t* pair);
/* One more packet is outstanding. */
void roce_note_outstanding(nic_t* nic, roce_pair_t* pair);
void roce_timeout(nic_t* nic, nic_timeouts_t* timeouts, unsigned level);
void roce_receive_ack(nic_t* nic, const roce_header_t* header);
void roce_receive_nak(nic_t* nic, const roce_header_t* header);

/* ---- receive.c: data to the host, deliveries (7, 10.4) ----------------------------------------------------------- */

void roce_received(nic_t* nic, opp_msg_t* msg);
void roce_written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date);
void roce_delivered(nic_t* nic, opp_msg_t* msg);

/* ---- ends.c: receiving ends -------------------------------------------------------------------------------------- */

roce_end_t* roce_end_find(const roce_state_t* state, uint32_t src, uint32_t queue_pair);
/* The end that a data packet belongs to, made if there is none, and at its message, if that is a new one. */
roce_end_t* roce_end_for(nic_t* nic, const net_frame_t* frame);
static inline bool roce_end_is_complete(const roce_end_t* end)
{
  return end->packet_count != 0 && end->acks.arrivals.expected == end->packet_count;
}

/* ---- answers.c: ACKs and NAKs (10.5) ----------------------------------------------------------------------------- */

/* Do what a data packet draws. */
void roce_answer(nic_t* nic, roce_end_t* end, roce_answer_t answer, uint32_t drawn_by);
/* Room in the transmit pool of a class: replies that wait go. */
void roce_release_replies(nic_t* nic, unsigned tc);
void roce_ack_due(nic_t* nic, unsigned level);

/* ---- facts.c, progress.c ----------------------------------------------------------------------------------------- */

void roce_facts(const nic_t* nic, nic_fact_cb tell, void* user);
void roce_closing(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival);
void roce_progress_sent(nic_t* nic, const nic_message_t* message, nic_progress_t* progress);
void roce_progress_received(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress);
void roce_waits(nic_t* nic, const nic_message_t* message, char* line, size_t size);

#endif
