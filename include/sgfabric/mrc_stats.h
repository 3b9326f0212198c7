/* sgfabric mrc_stats: what an MRC NIC counts, samples and tells of its transport (spec/mrc-nic.md 13). Types alone:
 * sgfabric/stats.h reads them out of a fabric. Sizes in bytes, times in picoseconds. */
#ifndef SGFABRIC_MRC_STATS_H
#define SGFABRIC_MRC_STATS_H

#include <sgfabric/uet_stats.h>

SGF_BEGIN_DECL

/* ---- Counters ---------------------------------------------------------------------------------------------------- */

/* From the start of the run. Sent: when the transport passes a packet down. Received: when the receive buffer has let
 * it in; what that drops is in none of these. */
typedef struct sgf_mrc_counters {
  uint64_t data_sent;     /* retransmissions too */
  uint64_t data_received; /* trimmed, refused and duplicate ones too */
  uint64_t acks_sent;     /* cumulative ACKs */
  uint64_t acks_received;
  uint64_t sacks_sent; /* those of probes too */
  uint64_t sacks_received;
  uint64_t nacks_sent;
  uint64_t nacks_received;
  uint64_t probes_sent;
  uint64_t probes_received;
  uint64_t probe_answers; /* SACKs of probes received */
  uint64_t messages_posted;
  uint64_t messages_acknowledged;
  uint64_t messages_delivered;
  uint64_t retransmissions;
  uint64_t gap_losses; /* packets found lost by SACK gaps */
  uint64_t trims;      /* NACKs that named a packet under way, by a trim */
  uint64_t refusals;   /* the same, by another reason */
  uint64_t timeouts;
  uint64_t out_of_order; /* packets beyond a gap */
  uint64_t duplicates;
  uint64_t out_of_window;   /* packets beyond the PSN window, discarded */
  uint64_t trimmed;         /* packets that a switch had cut */
  uint64_t marked_sent;     /* SACKs with the ECN echo */
  uint64_t marked_received; /* of them, those that gave an RTT sample */
  uint64_t quick_adapts;
  uint64_t skipped_paths;             /* verdicts and trims that made a good path one to skip */
  uint64_t bad_paths;                 /* verdicts and timeouts that made a path one that is assumed bad */
  uint64_t control_left_out;          /* ACKs, SACKs, NACKs not built for want of room in the transmit pool */
  uint64_t probes_left_out;           /* the same of probes */
  uint64_t restarts;                  /* retries of generation after the transmit pool had fallen to half */
  uint64_t held_out_of_order;         /* most packets beyond a gap at one receiving end */
  uint64_t transmissions_of_a_packet; /* most of a packet that was retransmitted; 0: none was */
} sgf_mrc_counters_t;

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

typedef enum sgf_mrc_sample {
  SGF_MRC_WINDOW,    /* bytes; this and the next: with each data packet that is passed down for the first time */
  SGF_MRC_IN_FLIGHT, /* bytes to its destination, itself among them */
  SGF_MRC_RTT,       /* ps, with each ACK and SACK that gives one */
  SGF_MRC_SAMPLES
} sgf_mrc_sample_t;

/* Samples over some time, of all queue pairs of a NIC. */
typedef struct sgf_mrc_samples {
  sgf_samples_t of[SGF_MRC_SAMPLES];
  uint64_t held_out_of_order; /* most packets beyond a gap at one receiving end */
  uint64_t transmissions;     /* most of one packet */
} sgf_mrc_samples_t;

/* ---- Packets ----------------------------------------------------------------------------------------------------- */

typedef enum sgf_mrc_direction { SGF_MRC_TX, SGF_MRC_RETX, SGF_MRC_RX } sgf_mrc_direction_t;
typedef enum sgf_mrc_type { SGF_MRC_DATA, SGF_MRC_PROBE, SGF_MRC_ACK, SGF_MRC_SACK, SGF_MRC_NACK } sgf_mrc_type_t;

/* An MRC packet that a NIC has sent completely, or deals with. What its receive buffer drops is none. */
typedef struct sgf_mrc_packet {
  opp_simtime_t date;
  sgf_mrc_direction_t direction;
  sgf_mrc_type_t type;
  int64_t bytes;              /* on the wire */
  uint32_t peer;              /* address of the other host */
  uint32_t queue_pair;        /* between the two */
  uint16_t entropy;           /* UDP source port */
  bool asks_for_ack;          /* data */
  bool is_marked;             /* received with CE */
  bool echoes;                /* SACK: the ECN echo */
  bool is_of_probe;           /* SACK */
  uint8_t verdict;            /* SACK, of the path: 0 none, 1 skip once, 2 always skip */
  uint8_t reason;             /* NACK: its code (spec/mrc-nic.md 4.4) */
  uint8_t penalty;            /* SACK: of the receiver, 0..127 */
  uint64_t message;           /* data: its number */
  uint32_t psn;               /* answers: of the packet that drew them; probe: 0 */
  opp_simtime_t service_time; /* SACK */
  opp_simtime_t rtt;          /* ACK, SACK: the sample that it gave; -1: none */
  uint32_t expected;          /* ACK, SACK: cumulative PSN + 1 */
  uint32_t bitmap_base;       /* SACK */
  uint64_t bitmap;            /* SACK; bit i: bitmap_base + i has arrived */
  const char* dscp_type;      /* what the packet's codepoint says: "NO_TRIM", .. */
  bool is_sender_known;       /* the messages are sent from here: the next two are filled */
  int64_t in_flight;          /* bytes to that host */
  int64_t window;
} sgf_mrc_packet_t;

/* Called while the engine executes the event; it may look at nothing but what it is given. */
typedef void (*sgf_mrc_packet_cb)(void* user, const sgf_mrc_packet_t* packet);

SGF_END_DECL
#endif
