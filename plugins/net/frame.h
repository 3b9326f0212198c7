/* net: frames, what is on a wire, and the codepoints that say what a packet is for.
 *
 * A frame is an opp packet whose 64-byte body is a net_frame_t: the header fields that switches read, a tag for the
 * device that holds the frame, and room for a transport's own header. Sizes on the wire include the Ethernet header (14
 * B) and FCS (4 B); preamble and interframe gap are 0 (spec/uet-nic.md 4.1, spec/switch.md 5.9). */
#ifndef NET_FRAME_H
#define NET_FRAME_H

#include "opp/kernel.h"

enum {
  NET_ETHERNET_BYTES  = 18, /* header 14 + FCS 4 */
  NET_CLASSES         = 8,  /* traffic classes, 0..7 */
  NET_PROTOCOL_TCP    = 6,
  NET_PROTOCOL_UDP    = 17,
  NET_TRANSPORT_WORDS = 5, /* room for the transport's header */
};

/* Priorities of the kernel's events, so that equal times run as spec/switch.md O-35 says: end of serialisation, timers,
 * arrivals. */
enum { NET_PRIORITY_SERIALISED = -2, NET_PRIORITY_TIMER = -1, NET_PRIORITY_ARRIVAL = 0 };

typedef enum net_frame_type { NET_FRAME_IP, NET_FRAME_PFC } net_frame_type_t;

/* Explicit congestion notification field of the IPv4 header (RFC 3168). */
typedef enum net_ecn { NET_ECN_NOT_ECT = 0, NET_ECN_ECT1 = 1, NET_ECN_ECT0 = 2, NET_ECN_CE = 3 } net_ecn_t;

/* What a DSCP codepoint says about a packet (spec/uet-nic.md 4.2). */
typedef enum net_role {
  NET_ROLE_NO_TRIM,
  NET_ROLE_TRIMMABLE,
  NET_ROLE_TRIMMABLE_RTX,
  NET_ROLE_TRIMMED,
  NET_ROLE_TRIMMED_LAST_HOP,
  NET_ROLE_CONTROL,
  NET_ROLE_UNRECOGNIZED,
} net_role_t;

/* The codepoint of a role. Values are this project's choice (spec/switch.md O-21, spec/uet-nic.md B18): data in DSCP
 * 0..7 and control in 8..15, so that floor(DSCP / 8) puts them in classes 0 and 1, the NIC's own default classes. */
uint8_t net_role_dscp(net_role_t role);
net_role_t net_role_of_dscp(uint8_t dscp);

typedef struct net_frame {
  uint32_t src; /* IPv4 addresses */
  uint32_t dst;
  uint16_t src_port; /* UDP; the source port is the entropy value */
  uint16_t dst_port;
  uint8_t type; /* net_frame_type_t */
  uint8_t protocol;
  uint8_t dscp;
  uint8_t ecn;
  /* Tag of the device that holds the frame. */
  uint32_t charge;  /* bytes charged */
  uint16_t in_port; /* port it arrived on */
  uint8_t tc;       /* class it is queued and charged in */
  uint8_t closing;  /* set by the transport: its arrival may complete an operation */
  union {
    struct {
      uint16_t quanta; /* of 512 bit times; 0 resumes */
      uint8_t tc;
    } pfc;
    uint64_t transport[NET_TRANSPORT_WORDS];
  };
} net_frame_t;

_Static_assert(sizeof(net_frame_t) == OPP_PACKET_BODY, "a frame's fields are one cache line");

static inline net_frame_t* net_frame(opp_msg_t* msg)
{
  return opp_frame_body(msg);
}

/* Bytes without the Ethernet header and FCS: what buffers charge (spec/switch.md 5.1, spec/uet-nic.md 5.5). */
static inline int64_t net_ip_bytes(const opp_msg_t* msg)
{
  return (int64_t)msg->bytes - NET_ETHERNET_BYTES;
}

/* ---- Flow hash (spec/switch.md 8.2, O-15 to O-17) ---------------------------------------------------------------- */

/* The salt of a switch: a fixed mix of its node id. */
uint32_t net_hash_salt(uint32_t node_id);

/* crc32WithSalt: CRC-32 over protocol, ports and addresses started with the salt, then a finalizer that takes the salt
 * too, folded to 16 bits. */
uint16_t net_flow_hash(const net_frame_t* frame, uint32_t salt);

#endif
