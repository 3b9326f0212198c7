/* sgfabric uet_stats: what a UET NIC counts, samples and tells of its transport (spec/records.md 8 to 10). Types alone:
 * sgfabric/stats.h reads them out of a fabric. Sizes in bytes, times in picoseconds. */
#ifndef SGFABRIC_UET_STATS_H
#define SGFABRIC_UET_STATS_H

#include <sgfabric/attr.h>
#include <sgfabric/opp.h>

SGF_BEGIN_DECL

/* ---- Counters, from the start of the run (8) --------------------------------------------------------------------- */

/* Sent: when the transport passes a packet down. Received: when the receive buffer has let it in. */
typedef struct sgf_uet_counters {
  uint64_t data_sent;
  uint64_t data_received; /* trimmed ones too */
  uint64_t acks_sent;     /* probe ACKs too */
  uint64_t acks_received;
  uint64_t nacks_sent;
  uint64_t nacks_received;
  uint64_t messages_posted;
  uint64_t messages_acknowledged;
  uint64_t out_of_order;
  uint64_t duplicates;
  uint64_t probes_sent;
  uint64_t probe_acks_received;
  uint64_t timeouts;
  uint64_t retransmissions;
  uint64_t marked_sent;     /* ACKs with the ECN echo */
  uint64_t marked_received; /* of them, data ACKs that gave an RTT sample */
  uint64_t quick_adapts;
  uint64_t held_out_of_order;         /* most packets beyond a gap at one receiving end */
  uint64_t transmissions_of_a_packet; /* most of a packet that was retransmitted; 0: none was */
} sgf_uet_counters_t;

/* ---- Samples (8) ------------------------------------------------------------------------------------------------- */

typedef enum sgf_uet_sample {
  SGF_UET_PENALTY,   /* of the receiver, 0..127; this, delay and RTT: with each data ACK that gives an RTT sample */
  SGF_UET_WINDOW,    /* bytes; this and the next: with each data packet that is passed down for the first time */
  SGF_UET_IN_FLIGHT, /* bytes to its destination, itself among them */
  SGF_UET_DELAY,     /* average queueing delay, ps; 0 without congestion control */
  SGF_UET_RTT,       /* ps */
  SGF_UET_SAMPLES
} sgf_uet_sample_t;

/* Zero without a sample. */
typedef struct sgf_samples {
  uint64_t count;
  int64_t min;
  int64_t max;
  int64_t sum;
} sgf_samples_t;

/* Samples over some time, of all windows of a NIC. */
typedef struct sgf_uet_samples {
  sgf_samples_t of[SGF_UET_SAMPLES];
  uint64_t held_out_of_order; /* most packets beyond a gap at one receiving end */
  uint64_t transmissions;     /* most of one packet */
} sgf_uet_samples_t;

/* ---- Events (9) -------------------------------------------------------------------------------------------------- */

typedef enum sgf_pdc_event_kind {
  SGF_PDC_CREATED,    /* sender: a message opens it; receiver: its first data packet is here */
  SGF_WQE_CREATED,    /* the message is queued on it */
  SGF_SEND_COMPLETE,  /* the fetch of the last segment is under way */
  SGF_WQE_COMPLETE,   /* every byte is acknowledged */
  SGF_RECV_COMPLETE,  /* receiver: the message is here without a gap */
  SGF_PDC_TERMINATED, /* sender: after SGF_WQE_COMPLETE; receiver: the message is complete in host memory */
  SGF_PDC_EVENT_KINDS
} sgf_pdc_event_kind_t;

/* An end of a PDC: an IPv4 address and an id; id 0: not known yet. */
typedef struct sgf_pdc_id {
  uint32_t address;
  uint16_t id;
} sgf_pdc_id_t;

typedef struct sgf_pdc_event {
  sgf_pdc_event_kind_t kind;
  opp_simtime_t date;
  sgf_pdc_id_t local;
  sgf_pdc_id_t remote;
  bool is_of_work_request; /* else the next two are 0 */
  uint64_t work_request;   /* number of the message, unique in the fabric */
  uint64_t bytes;          /* of it */
} sgf_pdc_event_t;

/* Called while the engine executes the event; it may look at nothing but what it is given. */
typedef void (*sgf_pdc_event_cb)(void* user, const sgf_pdc_event_t* event);

/* ---- Packets (10) ------------------------------------------------------------------------------------------------ */

typedef enum sgf_uet_direction { SGF_UET_TX, SGF_UET_RETX, SGF_UET_RX } sgf_uet_direction_t;
typedef enum sgf_uet_type { SGF_UET_DATA, SGF_UET_ACK, SGF_UET_NACK, SGF_UET_PROBE } sgf_uet_type_t;

/* What the sending end of a PDC knows. */
typedef struct sgf_uet_sender {
  int64_t nic_prefetched; /* wire bytes reserved in the prefetch buffer of the NIC */
  int64_t pdc_prefetched; /* of that, this PDC's */
  int64_t fetched;        /* nominal bytes of the group, fetched and not acknowledged */
  int64_t in_flight;      /* nominal bytes of the group */
  int64_t window;         /* bytes, of the group */
} sgf_uet_sender_t;

/* A UET packet that a NIC has sent (data, ACK, probe: completely; NACK: made) or deals with. */
typedef struct sgf_uet_packet {
  opp_simtime_t date;
  sgf_uet_direction_t direction;
  sgf_uet_type_t type;
  uint64_t id;   /* of the packet in the run: transmissions of it share it */
  int64_t bytes; /* on the wire */
  sgf_pdc_id_t local;
  sgf_pdc_id_t remote;
  bool is_local_sender;  /* the end here sends the messages */
  bool is_sender_known;  /* that end is open: `sender` and `message` are filled */
  bool asks_for_ack;     /* data */
  bool is_marked;        /* received with CE */
  bool echoes;           /* ACK, NACK: the ECN echo */
  bool is_of_last_hop;   /* NACK */
  uint8_t penalty;       /* ACK: its own; data that is sent: the last one that its PDC was told */
  uint16_t entropy;      /* UDP source port */
  uint64_t message;      /* number */
  opp_simtime_t rtt;     /* ACK: the sample that it gave; -1: none */
  uint32_t psn;          /* ACK, NACK: of the packet that drew it; probe: 0 */
  uint32_t expected;     /* ACK: cumulative PSN + 1 */
  uint32_t bitmap_base;  /* ACK */
  uint64_t bitmap;       /* ACK; bit i: bitmap_base + i has arrived */
  const char* dscp_type; /* what the packet's codepoint says: "NO_TRIM", .. */
  sgf_uet_sender_t sender;
} sgf_uet_packet_t;

/* As sgf_pdc_event_cb. */
typedef void (*sgf_uet_packet_cb)(void* user, const sgf_uet_packet_t* packet);

/* ---- Which of them a record wants (10) --------------------------------------------------------------------------- */

/* The attributes of ScalaUETMonitor. */
typedef struct sgf_uet_monitor_config {
  bool enable;                /* EnableUETMonitor */
  char fep_id[SGF_TEXT_SIZE]; /* FilterOnFepId: "All", or what is to be equal */
  char local_ip[SGF_TEXT_SIZE];
  char remote_ip[SGF_TEXT_SIZE];
  char pdc[SGF_TEXT_SIZE];
  bool rtt_trigger;
  int64_t rtt_threshold; /* ps */
  bool penalty_trigger;
  uint64_t penalty_threshold;
  uint64_t trigger_limit; /* connections */
} sgf_uet_monitor_config_t;

SGF_END_DECL
#endif
