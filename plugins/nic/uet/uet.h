/* nic/uet: the Ultra Ethernet transport (spec/uet-nic.md 4, 8). Messages on packet delivery contexts (PDCs), one
 * acknowledgement for each packet, retransmission by timer, a fixed window for each destination.
 *
 *   post --> doorbell --> transmit pass --> reservation, fetch --> port --> timer --> acknowledgement retires
 *                                                     data --> write to the host, held acknowledgement */
#ifndef UET_H
#define UET_H

#include "nic/nic.h"

/* ---- Sizes and constants ----------------------------------------------------------------------------------------- */

enum {
  UET_DATA_OVERHEAD      = 106, /* wire bytes of a data packet beyond its payload (4.1) */
  UET_NOMINAL_OVERHEAD   = 88,  /* the same without Ethernet */
  UET_ACK_BYTES          = 78,
  UET_NACK_BYTES         = 62,
  UET_TRIMMED_IP_BYTES   = 44, /* what a switch leaves of a data packet: IPv4, UDP, PDS request header */
  UET_DATA_CLASS         = 0,
  UET_CONTROL_CLASS      = 1,
  UET_UDP_PORT           = 4793, /* IANA: uet */
  UET_FIRST_LOCAL_PORT   = 49152,
  UET_LOCAL_PORTS        = 16384,
  UET_MAX_SENDER_PDCS    = 32767, /* ids 1..32767 (8.1) */
  UET_FIRST_RECEIVER_PDC = 32769,
  UET_MAX_RECEIVER_PDCS  = 65535 - 32769 + 1,
  UET_RTO_LEVELS         = 16, /* MaxExponentialRTOBackoffCount is at most 15 */
};
#define UET_DOORBELL_DELAY (15 * OPP_NS) /* from the doorbell to the transmit process (8.1) */
#define UET_SERVICE_STEP (128 * OPP_NS)  /* unit of the service-time field (8.7) */

/* Kinds of self messages. */
enum { UET_DOORBELL = NIC_TRANSPORT, UET_HELD_ACK, UET_TIMEOUT, UET_DELIVERED, UET_PACED };

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

typedef struct uet_config {
  int64_t initial_base_rtt;
  int64_t initial_rto;
  uint64_t max_backoff;
  bool fixed_rto_enable;
  int64_t fixed_rto;
  bool trimming_enabled;
  bool distinct_dscp_for_retransmits;
  uint64_t mss;
} uet_config_t;

typedef struct uet_block {
  nic_block_t nic;
  net_codepoints_config_t codepoints;
  uet_config_t own;
} uet_block_t;

extern const sgf_attr_set_t uet_attributes;
extern const nic_transport_t uet_transport;

/* ---- Header ------------------------------------------------------------------------------------------------------ */

typedef enum uet_type { UET_DATA, UET_ACK, UET_NACK } uet_type_t;

enum {
  UET_FLAG_AR         = 1,
  UET_FLAG_RETRANSMIT = 2,
  UET_FLAG_END        = 4,
  UET_FLAG_ECN_ECHO   = 8,
  UET_FLAG_COMPLETES  = 16,
  UET_FLAG_LAST_HOP   = 32
};

typedef struct uet_header {
  uint64_t message; /* number of the message; tells a PDC's messages apart, so that late duplicates are known */
  uint32_t psn;     /* data: own; ACK: of the packet that drew it */
  uint16_t src_pdc; /* sender's and receiver's ids as seen by the sender of this packet; 0: not known yet */
  uint16_t dst_pdc;
  uint8_t type;
  uint8_t flags;
  uint16_t service_time; /* ACK: steps of 128 ns */
  uint32_t expected;     /* ACK: cumulative acknowledgement + 1 */
  union {
    struct {
      uint64_t bytes; /* of the message */
      uint64_t tag;
    } data;
    struct {
      uint64_t bitmap; /* bit i: PSN base + i has arrived */
      uint32_t base;
    } ack;
  };
} uet_header_t;

_Static_assert(sizeof(uet_header_t) <= NET_TRANSPORT_WORDS * sizeof(uint64_t), "the header fits its room in a frame");

static inline uet_header_t* uet_header(net_frame_t* frame)
{
  return (uet_header_t*)(void*)frame->transport;
}

static inline const uet_header_t* uet_header_const(const net_frame_t* frame)
{
  return (const uet_header_t*)(const void*)frame->transport;
}

/* ---- Sending ends ------------------------------------------------------------------------------------------------ */

typedef struct uet_pdc uet_pdc_t;
typedef struct uet_group uet_group_t;

typedef enum uet_packet_state {
  UET_COMMITTED,     /* reserved: being fetched or waiting at the port; in flight */
  UET_SENT,          /* serialised, timer running; in flight */
  UET_TO_RETRANSMIT, /* timed out, not in flight */
} uet_packet_state_t;

/* A packet that is not acknowledged. In the list of its timer while sent, in that of its PDC's retransmissions while it
 * waits. */
typedef struct uet_packet {
  struct uet_packet* next;
  struct uet_packet* previous;
  uet_pdc_t* pdc;
  opp_simtime_t expiry;
  uint32_t psn;
  uint8_t state;
  uint8_t level;            /* of its timer */
  uint16_t retransmissions; /* saturating */
} uet_packet_t;

typedef struct uet_packet_list {
  uet_packet_t* first;
  uet_packet_t* last;
} uet_packet_list_t;

/* The sending end of a PDC: one message. Kept and used again, with its id and its ring. */
struct uet_pdc {
  nic_message_t* message; /* NULL: free */
  uet_group_t* group;
  uet_pdc_t* next; /* in the group's rotation, or among the free */
  uet_pdc_t* previous;
  bool in_rotation;
  uint16_t id;
  uint16_t peer;         /* the receiving end's id; 0: not known yet */
  uint32_t packet_count; /* of the message */
  uint32_t next_psn;     /* first packet never committed */
  uint32_t eligible;     /* packets before it may be committed: all of them, unless the message is paced */
  uint32_t base;         /* first packet not acknowledged */
  uint32_t acknowledged;
  uint64_t retransmissions;
  uet_packet_t** ring; /* by PSN; NULL: acknowledged */
  uint32_t ring_size;  /* a power of two */
  uet_packet_list_t retransmit;
  int64_t unsent_bytes;        /* on the wire, of packets never serialised */
  opp_simtime_t first_closing; /* see nic_progress_t */
  opp_simtime_t last_closing;
  opp_transmitter_t pace; /* the message's own rate, kept by its payload; 0 bps: none */
};

/* All PDCs to one destination: one window, one turn (8.11). */
struct uet_group {
  uint32_t address;
  uint16_t entropy; /* UDP source port of its data packets */
  bool ready;       /* in the ready queue */
  uet_group_t* next;
  uet_group_t* previous;
  uet_pdc_t* turn;   /* the PDC whose turn it is, of the ring of those with something to send; NULL: none */
  int64_t in_flight; /* nominal bytes */
};

/* ---- Receiving ends ---------------------------------------------------------------------------------------------- */

/* The receiving end of a PDC, known by the sender's address and id. Used again for the sender's next message on that
 * PDC. */
typedef struct uet_end {
  uint32_t src;
  uint16_t peer; /* the sender's id */
  uint16_t id;
  uint64_t message;
  uint64_t received_payload;
  uint32_t packet_count;     /* 0: the end of the message has not arrived */
  uint32_t expected;         /* first PSN that has not arrived */
  uint32_t highest;          /* one more than the highest PSN that has */
  uint32_t next_block;       /* of the selective bitmap, see 8.8 */
  uint64_t* arrived;         /* bit PSN mod (64 x words): has arrived; only `expected` and beyond count */
  uint32_t words;            /* a power of two */
  opp_simtime_t answered_at; /* see nic_progress_t */
  opp_simtime_t first_closing;
  opp_simtime_t last_closing;
} uet_end_t;

/* ---- State of the transport -------------------------------------------------------------------------------------- */

typedef struct uet_state {
  uet_config_t config;
  net_codepoints_t codepoints;
  int64_t window;   /* nominal bytes in flight to one destination */
  opp_rate_t lanes; /* raw NIC-to-host rate, for the ACK hold (8.7) */
  opp_line_t* doorbells;
  opp_line_t* held_acks;
  opp_line_t* deliveries;
  opp_simtime_t last_ack_release;

  uet_group_t** groups; /* by host; NULL: no message yet */
  uet_group_t* ready_first;
  uet_group_t* ready_last;
  bool generation_stopped; /* a packet did not fit the egress pool (5.3) */

  uet_pdc_t** pdcs; /* by id - 1 */
  uint32_t pdc_count;
  uet_pdc_t* free_pdcs;
  uint32_t pacing;              /* PDCs that wait for their next packet to become eligible */
  nic_message_t* waiting_first; /* posts that found no free PDC */
  nic_message_t* waiting_last;

  uet_packet_t* free_packets;
  void** packet_slabs;
  size_t packet_slab_count;

  uet_packet_list_t timers[UET_RTO_LEVELS]; /* packets by expiry; all of a level run equally long */
  opp_msg_t* timer[UET_RTO_LEVELS];
  uint64_t retransmissions;

  uet_end_t** ends; /* by id - UET_FIRST_RECEIVER_PDC */
  uint32_t end_count;
  uet_end_t** end_table;   /* open addressing over (src, peer) */
  uint32_t end_table_size; /* a power of two, or 0 */
  opp_simtime_t
      unmatched_closing; /* latest arrival of a data packet that started on the cable before its end was there */
} uet_state_t;

static inline uet_state_t* uet_state(const nic_t* nic)
{
  return nic->state;
}

static inline net_role_t uet_role(const nic_t* nic, const net_frame_t* frame)
{
  return (net_role_t)uet_state(nic)->codepoints.role_of_dscp[frame->dscp];
}

static inline uint8_t uet_dscp(const nic_t* nic, net_role_t role)
{
  return uet_state(nic)->codepoints.dscp_of_role[role];
}

/* Packets of a message: at least one, also without payload (8.2). */
uint64_t uet_packet_count(uint64_t bytes, uint64_t mss);
/* Payload of one of them. */
int64_t uet_payload(uint64_t bytes, uint64_t mss, uint32_t psn);

/* ---- send.c: messages, groups, the transmit pass ----------------------------------------------------------------- */

void uet_post(nic_t* nic, nic_message_t* message);
void uet_transmit(nic_t* nic); /* the transmit pass (8.11) */
void uet_make_ready(nic_t* nic, uet_pdc_t* pdc, bool at_head);
void uet_room(nic_t* nic, unsigned tc);     /* the egress pool has shrunk: restart at half (5.3) */
void uet_close(nic_t* nic, uet_pdc_t* pdc); /* every packet is acknowledged */
uet_pdc_t* uet_sending_pdc(const nic_t* nic, uint16_t id, uint64_t message); /* NULL: closed since */

/* ---- pace.c: messages with a rate of their own ------------------------------------------------------------------- */

void uet_pace_open(nic_t* nic, uet_pdc_t* pdc);
/* All eligible packets of the PDC are committed, the last with this payload: when does the next become eligible? */
void uet_pace(nic_t* nic, uet_pdc_t* pdc, int64_t payload);
void uet_paced(nic_t* nic, opp_msg_t* msg); /* a packet has become eligible */
/* The two dates of nic_progress_t. */
void uet_pace_progress(nic_t* nic, const nic_message_t* message, nic_progress_t* progress);

/* ---- reliability.c: timers and acknowledgements ------------------------------------------------------------------ */

void uet_serialised(nic_t* nic, opp_msg_t* msg);
void uet_timeout(nic_t* nic, unsigned level);
void uet_acknowledged(nic_t* nic, const uet_header_t* header);
void uet_trimmed(nic_t* nic, const uet_header_t* header); /* a NACK has come */
opp_simtime_t uet_rto(const uet_config_t* config, unsigned retransmissions, unsigned* level);
uet_packet_t* uet_packet_new(uet_state_t* state);

void uet_list_append(uet_packet_list_t* list, uet_packet_t* packet);
void uet_list_remove(uet_packet_list_t* list, uet_packet_t* packet);

/* ---- receive.c: data, held acknowledgements, deliveries ---------------------------------------------------------- */

void uet_received(nic_t* nic, opp_msg_t* msg);
void uet_written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date);
void uet_delivered(nic_t* nic, opp_msg_t* msg);

/* ---- ends.c: receiving ends and what has arrived at them --------------------------------------------------------- */

/* The end that a data packet belongs to, made if there is none; NULL: there is no id left. */
uet_end_t* uet_end_for(nic_t* nic, const net_frame_t* frame, const uet_header_t* header);
uet_end_t* uet_end_find(const uet_state_t* state, uint32_t src, uint16_t peer);
/* Take note of a packet. False: it had arrived before. */
bool uet_end_mark(uet_end_t* end, uint32_t psn);
bool uet_end_has(const uet_end_t* end, uint32_t psn);
/* The next block of the selective bitmap: its first PSN; the bits go to `bitmap`. */
uint32_t uet_end_bitmap(uet_end_t* end, uint64_t* bitmap);

/* ---- progress.c: how far a message is ---------------------------------------------------------------------------- */

void uet_closing(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival);
void uet_progress_sent(nic_t* nic, const nic_message_t* message, nic_progress_t* progress);
void uet_progress_received(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress);
void uet_waits(nic_t* nic, const nic_message_t* message, char* line, size_t size);

#endif
