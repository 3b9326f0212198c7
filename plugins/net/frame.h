/* net: frames and what is on a wire.
 *
 * A frame is an opp packet whose 64-byte body is a net_frame_t: the header fields that switches read, a tag for the
 * device that holds the frame, and room for a transport's own header. Sizes on the wire include the Ethernet header (14
 * B) and FCS (4 B); preamble and interframe gap are 0 (spec/uet-nic.md 4.1, spec/switch.md 5.9). */
#ifndef NET_FRAME_H
#define NET_FRAME_H

#include <assert.h>

#include "net/codepoints.h"
#include "opp/kernel.h"

enum {
  NET_ETHERNET_BYTES  = 18, /* header 14 + FCS 4 */
  NET_CLASSES         = 8,  /* traffic classes, 0..7 */
  NET_PROTOCOL_TCP    = 6,
  NET_PROTOCOL_UDP    = 17,
  NET_TRANSPORT_WORDS = 5, /* room for the transport's header */
  NET_MAX_CHARGE      = (1 << 21) - 1,
};

/* Priorities of the kernel's events, so that equal times run as spec/switch.md O-35 says: end of serialisation, timers,
 * arrivals. */
enum { NET_PRIORITY_SERIALISED = -2, NET_PRIORITY_TIMER = -1, NET_PRIORITY_ARRIVAL = 0 };

typedef enum net_frame_type { NET_FRAME_IP, NET_FRAME_PFC } net_frame_type_t;

/* Explicit congestion notification field of the IPv4 header (RFC 3168). */
typedef enum net_ecn { NET_ECN_NOT_ECT = 0, NET_ECN_ECT1 = 1, NET_ECN_ECT0 = 2, NET_ECN_CE = 3 } net_ecn_t;

typedef struct net_frame {
  uint32_t src; /* IPv4 addresses */
  uint32_t dst;
  uint16_t src_port; /* UDP; the source port is the entropy value */
  uint16_t dst_port;
  uint8_t type; /* net_frame_type_t */
  uint8_t protocol;
  uint8_t dscp;
  uint8_t ecn;
  uint32_t
      header_bytes : 8; /* of an IP packet, those that trimming leaves, from the IP header on; 0: it cannot be cut */
  /* Tag of the device that holds the frame. */
  uint32_t charge : 21; /* bytes charged */
  uint32_t in_tc : 3;   /* class it is charged in on the ingress side: `tc`, unless it was trimmed here */
  uint16_t in_port;     /* port it arrived on */
  uint8_t tc;           /* class it is queued in, and charged in on the egress side */
  uint8_t closing;      /* set by the transport: its arrival may complete an operation */
  union {
    struct {
      uint16_t quanta; /* of 512 bit times, for each class that is named; 0 resumes */
      uint8_t classes; /* bit tc: named */
    } pfc;
    uint64_t transport[NET_TRANSPORT_WORDS];
  };
} net_frame_t;

_Static_assert(sizeof(net_frame_t) == OPP_PACKET_BODY, "a frame's fields are one cache line");

static inline net_frame_t* net_frame(opp_msg_t* msg)
{
  return opp_frame_body(msg);
}

/* Tag an IP packet for the device that holds it: its class, and what it is charged. */
static inline void net_frame_tag(net_frame_t* frame, unsigned tc, int64_t charge)
{
  assert(charge <= NET_MAX_CHARGE);
  frame->charge = (uint32_t)charge & NET_MAX_CHARGE;
  frame->in_tc  = tc & (NET_CLASSES - 1);
  frame->tc     = (uint8_t)tc;
}

/* The same for one that was cut there: on the ingress side it stays in the class in which it came. */
static inline void net_frame_retag(net_frame_t* frame, unsigned tc, int64_t charge)
{
  assert(charge <= frame->charge);
  frame->charge = (uint32_t)charge & NET_MAX_CHARGE;
  frame->tc     = (uint8_t)tc;
}

/* Bytes without the Ethernet header and FCS: what buffers charge (spec/switch.md 5.1, spec/uet-nic.md 5.5). */
static inline int64_t net_ip_bytes(const opp_msg_t* msg)
{
  return (int64_t)msg->bytes - NET_ETHERNET_BYTES;
}

#endif
