/* nic/mrc: what is on the wire (spec/mrc-nic.md 4): sizes, and the header that travels in a frame's transport words. */
#ifndef MRC_WIRE_H
#define MRC_WIRE_H

#include "net/frame.h"

enum {
  MRC_DATA_OVERHEAD    = 78, /* wire bytes of a data packet beyond its payload (4.2) */
  MRC_TIMESTAMP_BYTES  = 4,  /* more of them with WireTimestamp */
  MRC_ACK_BYTES        = 62,
  MRC_SACK_BYTES       = 94,
  MRC_NACK_BYTES       = 78,
  MRC_PROBE_BYTES      = 74,
  MRC_TRIMMED_IP_BYTES = 44,   /* what a switch leaves of a data packet: IPv4, UDP, BTH, METH */
  MRC_UDP_PORT         = 4791, /* IANA: RoCEv2 */
};

typedef enum mrc_type { MRC_DATA, MRC_PROBE, MRC_ACK, MRC_SACK, MRC_NACK } mrc_type_t;

enum {
  MRC_FLAG_ASK        = 1,  /* data: asks for an acknowledgement */
  MRC_FLAG_RETRANSMIT = 2,  /* an answer copies it from what drew it */
  MRC_FLAG_END        = 4,  /* data: the last packet of its message */
  MRC_FLAG_TIMESTAMP  = 8,  /* data: with TSETH */
  MRC_FLAG_ECN_ECHO   = 16, /* SACK */
  MRC_FLAG_PROBE      = 32, /* SACK: of a probe */
  MRC_FLAG_RESTORE    = 64, /* SACK: the sender's window is to come back when the penalty is over */
};

/* Verdict of a SACK about the path of the packet that drew it (4.4). */
typedef enum mrc_verdict { MRC_PATH_NONE, MRC_PATH_SKIP_ONCE, MRC_PATH_ALWAYS_SKIP } mrc_verdict_t;

/* Reasons of a NACK (4.4). */
typedef enum mrc_reason {
  MRC_TRIMMED          = 0x01,
  MRC_TRIMMED_LAST_HOP = 0x02,
  MRC_NO_BITMAP        = 0x06,
  MRC_NO_PKT_BUFFER    = 0x07,
  MRC_NO_RESOURCE      = 0x0a,
  MRC_PSN_OOR_WINDOW   = 0x0b,
  MRC_UNEXP_EVENT      = 0x19,
} mrc_reason_t;

/* The entropy value is the UDP source port; an answer travels with that of what drew it. */
typedef struct mrc_header {
  uint32_t psn;        /* data: own; answers: of the packet that drew it */
  uint32_t queue_pair; /* between the two hosts */
  uint8_t type;
  uint8_t flags;
  union {
    uint8_t verdict; /* SACK: mrc_verdict_t */
    uint8_t reason;  /* NACK: mrc_reason_t */
  };
  uint8_t penalty; /* SACK: of the receiver, 0..127 */
  union {
    uint32_t index;        /* data: of the packet in its message */
    uint32_t service_time; /* SACK: ps */
  };
  union {
    struct {
      uint64_t message; /* number, bytes and tag of the message: fields of the model */
      uint64_t bytes;
      uint64_t tag;
    } data;
    struct {
      uint64_t bitmap;   /* SACK; bit i: PSN base + i has arrived */
      uint32_t base;     /* SACK */
      uint32_t expected; /* ACK, SACK: cumulative PSN + 1 */
    } ack;
  };
} mrc_header_t;

_Static_assert(sizeof(mrc_header_t) <= NET_TRANSPORT_WORDS * sizeof(uint64_t), "the header fits its room in a frame");

static inline mrc_header_t* mrc_header(net_frame_t* frame)
{
  return (mrc_header_t*)(void*)frame->transport;
}

static inline const mrc_header_t* mrc_header_const(const net_frame_t* frame)
{
  return (const mrc_header_t*)(const void*)frame->transport;
}

/* Wire bytes of a data packet beyond its payload. */
static inline int64_t mrc_overhead(const mrc_header_t* data)
{
  return MRC_DATA_OVERHEAD + (data->flags & MRC_FLAG_TIMESTAMP ? MRC_TIMESTAMP_BYTES : 0);
}

#endif
