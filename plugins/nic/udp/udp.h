/* nic/udp: a sender of datagrams without acknowledgements, for background traffic and for the scripted sources of
 * spec/feedback-budget.md 13. Messages are cut into datagrams that take turns; what is lost is lost. */
#ifndef UDP_H
#define UDP_H

#include "nic/pace.h"
#include "nic/segments.h"

enum {
  UDP_LEAST_HEADERS = 46,    /* Ethernet with FCS 18, IPv4 20, UDP 8 */
  UDP_LARGEST_IP    = 65535, /* bytes of an IPv4 datagram */
  UDP_PORT          = 9,     /* IANA: discard */
};

/* From the doorbell to the first datagram, as other NICs have it (spec/uet-nic.md 8.1). */
#define UDP_DOORBELL_DELAY (15 * OPP_NS)

/* Kinds of self messages. */
enum { UDP_DOORBELL = NIC_TRANSPORT, UDP_DELIVERED, UDP_PACED };

typedef struct udp_config {
  uint64_t mss;
  uint64_t header_bytes;
  uint64_t traffic_class;
  int64_t send_bps;
  bool ecn;
  bool obeys_pauses;
} udp_config_t;

typedef struct udp_block {
  nic_block_t nic; /* first */
  udp_config_t own;
} udp_block_t;

extern const sgf_attr_set_t udp_attributes;

/* ---- On the wire ------------------------------------------------------------------------------------------------- */

typedef struct udp_header {
  uint64_t message; /* number of the message */
  uint64_t bytes;   /* of the message */
  uint64_t tag;
  uint32_t slot;    /* sender's, of the message */
  uint32_t payload; /* of this datagram */
  uint32_t index;   /* of this datagram in its message, from 0 on */
  bool completes;   /* set by the receiver: its write is the last of the message */
} udp_header_t;

_Static_assert(sizeof(udp_header_t) <= NET_TRANSPORT_WORDS * sizeof(uint64_t), "the header fits its room in a frame");

static inline udp_header_t* udp_header(net_frame_t* frame)
{
  return (udp_header_t*)(void*)frame->transport;
}

static inline const udp_header_t* udp_header_const(const net_frame_t* frame)
{
  return (const udp_header_t*)(const void*)frame->transport;
}

/* ---- Messages under way ------------------------------------------------------------------------------------------ */

/* At the sender, until the last datagram has left. */
typedef struct udp_sending {
  nic_message_t* message;
  nic_pace_t pace;
  uint32_t slot; /* its place among the sendings */
  uint32_t packet_count;
  uint32_t generated;
  uint32_t serialised;
  int64_t unsent_bytes;   /* on the wire, of datagrams that have not left */
  opp_simtime_t rings_at; /* date of its doorbell */
  uint8_t tc;
  bool ready; /* waits for its turn */
  struct udp_sending* next;
} udp_sending_t;

/* Those of a class that may generate a datagram: the first has the turn. */
typedef struct udp_turns {
  udp_sending_t* first;
  udp_sending_t* last;
} udp_turns_t;

/* At the receiver, from its first datagram until it is delivered; for ever, if one is lost. */
typedef struct udp_end {
  uint64_t message; /* 0: a free place of the table */
  uint64_t received;
  nic_closing_t closing;
} udp_end_t;

/* By number of the message: open addressing, at most half full. */
typedef struct udp_ends {
  udp_end_t* table;
  size_t size; /* a power of two, or 0 */
  size_t count;
} udp_ends_t;

/* Of a message; NULL: no datagram of it has arrived. Valid until the next call that adds or removes one. */
udp_end_t* udp_end_find(const udp_ends_t* ends, uint64_t message);
udp_end_t* udp_end_for(udp_ends_t* ends, uint64_t message); /* added if there is none */
void udp_end_remove(udp_ends_t* ends, uint64_t message);

/* ---- State ------------------------------------------------------------------------------------------------------- */

typedef struct udp_state {
  udp_config_t config;
  opp_line_t* doorbells;
  opp_line_t* deliveries;
  opp_transmitter_t send; /* what SendRate makes of the link */
  udp_turns_t posted;     /* those whose doorbell is on the way, by date */
  udp_turns_t turns[NET_CLASSES];
  udp_sending_t** sendings; /* by slot */
  uint32_t sending_count;
  udp_sending_t* free; /* slots that are */
  udp_ends_t ends;
  opp_simtime_t unmatched_closing; /* latest arrival at this NIC of a frame whose message has no end yet */
} udp_state_t;

extern const nic_transport_t udp_transport;

static inline udp_state_t* udp_state(const nic_t* nic)
{
  return nic->state;
}

/* The rate at which datagrams leave from the next frame on, bits per second on the wire; 0: the link's. */
void udp_set_send_rate(nic_t* nic, int64_t bps);

/* send.c */
void udp_post(nic_t* nic, nic_message_t* message);
void udp_fetched(nic_t* nic, opp_msg_t* msg);
opp_simtime_t udp_starting(nic_t* nic, opp_msg_t* msg);
void udp_serialised(nic_t* nic, opp_msg_t* msg);
void udp_room(nic_t* nic, unsigned tc);
void udp_doorbell(nic_t* nic);
void udp_paced(nic_t* nic, opp_msg_t* msg);
void udp_sendings_free(udp_state_t* state);

/* receive.c */
void udp_received(nic_t* nic, opp_msg_t* msg);
void udp_written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date);
void udp_delivered(nic_t* nic, opp_msg_t* msg);

/* progress.c */
void udp_closing(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival);
void udp_progress_sent(nic_t* nic, const nic_message_t* message, nic_progress_t* progress);
void udp_progress_received(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress);
void udp_waits(nic_t* nic, const nic_message_t* message, char* line, size_t size);

#endif
