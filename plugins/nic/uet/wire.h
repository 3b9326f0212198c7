/* nic/uet: what is on the wire (spec/uet-nic.md 4): sizes, and the header that travels in a frame's transport words. */
#ifndef UET_WIRE_H
#define UET_WIRE_H

#include "net/frame.h"

enum {
  UET_DATA_OVERHEAD    = 106, /* wire bytes of a data packet beyond its payload (4.1) */
  UET_NOMINAL_OVERHEAD = 88,  /* the same without Ethernet */
  UET_ACK_BYTES        = 78,
  UET_NACK_BYTES       = 62,
  UET_PROBE_BYTES      = 62,
  UET_TRIMMED_IP_BYTES = 44,   /* what a switch leaves of a data packet: IPv4, UDP, PDS request header */
  UET_UDP_PORT         = 4793, /* IANA: uet */
};

#define UET_SERVICE_STEP (128 * OPP_NS) /* unit of the service-time field (8.7) */

typedef enum uet_type { UET_DATA, UET_ACK, UET_NACK, UET_PROBE } uet_type_t;

enum {
  UET_FLAG_AR         = 1,
  UET_FLAG_RETRANSMIT = 2, /* an answer copies it from what drew it */
  UET_FLAG_END        = 4,
  UET_FLAG_ECN_ECHO   = 8,
  UET_FLAG_COMPLETES  = 16, /* set by the receiver: its write is the last of the message */
  UET_FLAG_LAST_HOP   = 32, /* NACK: trimmed on the last hop */
  UET_FLAG_RESTORE    = 64, /* ACK: the sender's window is to come back when the penalty is over */
  UET_FLAG_PROBE      = 128 /* ACK: of a base-RTT probe */
};

typedef struct uet_header {
  uint64_t message; /* number of the message; tells a PDC's messages apart, so that late duplicates are known */
  uint32_t psn;     /* data: own; ACK, NACK: of the packet that drew it */
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
      uint8_t penalty; /* of the receiver, 0..127 */
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

#endif
