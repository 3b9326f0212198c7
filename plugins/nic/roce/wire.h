/* nic/roce: what is on the wire (spec/roce-nic.md 4): sizes, and the header that travels in a frame's transport words.
 */
#ifndef ROCE_WIRE_H
#define ROCE_WIRE_H

#include "net/frame.h"

enum {
  ROCE_DATA_OVERHEAD = 58, /* wire bytes of a data packet beyond its payload */
  ROCE_ACK_BYTES     = 126,
  ROCE_CNP_BYTES     = 122,
  ROCE_PAUSE_BYTES   = 84,
  ROCE_UDP_PORT      = 4791, /* IANA: roce */
  ROCE_FIRST_PORT    = 49152,
  ROCE_PORTS         = 16384,
  ROCE_DSCP_OF_CLASS = 8, /* a sent packet's DSCP is its class times this */
};

typedef enum roce_type {
  ROCE_DATA,
  ROCE_ACK,
  ROCE_NAK,
  ROCE_CNP,
  ROCE_DISCARDED, /* never on the wire: payload that was fetched in vain */
} roce_type_t;

enum {
  ROCE_FLAG_LAST      = 1, /* data: solicited event, the last packet of its message */
  ROCE_FLAG_COMPLETES = 2, /* set by the receiver: its write is the last of the message */
  ROCE_FLAG_SELECTIVE = 4, /* NAK: names the packet that drew it, too */
};

/* PSNs are counted within a message, from 0: since a queue pair sends one message at a time, its number and the PSN say
 * the same as the one PSN that a queue pair has on a real wire. */
typedef struct roce_header {
  uint64_t message;    /* number of the message, ascending on a queue pair */
  uint32_t psn;        /* data: own; ACK: highest in order; NAK: expected */
  uint32_t queue_pair; /* the sending end's number at its NIC, in all types */
  union {
    struct {
      uint64_t bytes; /* of the message */
      uint64_t tag;
    } data;
    uint32_t drawn_by;  /* NAK with ROCE_FLAG_SELECTIVE: PSN that has arrived beyond the gap */
    opp_simtime_t made; /* CNP */
  };
  uint32_t epoch; /* data: rewinds of the message before it was fetched; the sender's own */
  uint8_t type;
  uint8_t flags;
  uint8_t control_class; /* data: the class of what answers it */
  uint8_t feedback; /* data: of those who measure feedback (roce_observer_t), on no real wire; CNP: of what drew it */
} roce_header_t;

_Static_assert(sizeof(roce_header_t) <= NET_TRANSPORT_WORDS * sizeof(uint64_t), "the header fits its room in a frame");

static inline roce_header_t* roce_header(net_frame_t* frame)
{
  return (roce_header_t*)(void*)frame->transport;
}

static inline const roce_header_t* roce_header_const(const net_frame_t* frame)
{
  return (const roce_header_t*)(const void*)frame->transport;
}

#endif
