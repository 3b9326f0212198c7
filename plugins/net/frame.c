/* Codepoints and flow hashes. */
#include "net/frame.h"

#include <zlib.h>

static const uint8_t dscp_of_role[] = {
    [NET_ROLE_NO_TRIM] = 0, [NET_ROLE_TRIMMABLE] = 1,         [NET_ROLE_TRIMMABLE_RTX] = 2,
    [NET_ROLE_TRIMMED] = 9, [NET_ROLE_TRIMMED_LAST_HOP] = 10, [NET_ROLE_CONTROL] = 8,
};

uint8_t net_role_dscp(net_role_t role)
{
  return dscp_of_role[role];
}

net_role_t net_role_of_dscp(uint8_t dscp)
{
  for (unsigned role = 0; role < sizeof dscp_of_role; role++)
    if (dscp_of_role[role] == dscp)
      return (net_role_t)role;
  return NET_ROLE_UNRECOGNIZED;
}

/* The finalizer of MurmurHash3 (Appleby): every input bit changes every output bit with probability near one half. */
static uint32_t mix32(uint32_t x)
{
  x ^= x >> 16;
  x *= UINT32_C(0x85ebca6b);
  x ^= x >> 13;
  x *= UINT32_C(0xc2b2ae35);
  return x ^ x >> 16;
}

uint32_t net_hash_salt(uint32_t node_id)
{
  return mix32(node_id + UINT32_C(0x9e3779b9));
}

static unsigned char* put16(unsigned char* at, uint16_t value)
{
  at[0] = (unsigned char)(value >> 8);
  at[1] = (unsigned char)value;
  return at + 2;
}

static unsigned char* put32(unsigned char* at, uint32_t value)
{
  return put16(put16(at, (uint16_t)(value >> 16)), (uint16_t)value);
}

uint16_t net_flow_hash(const net_frame_t* frame, uint32_t salt)
{
  if (frame->protocol != NET_PROTOCOL_UDP && frame->protocol != NET_PROTOCOL_TCP)
    return 0; /* everything but TCP and UDP is one flow (8.2, O-18) */
  unsigned char tuple[13] = {frame->protocol};
  unsigned char* at       = put16(tuple + 1, frame->src_port);
  at                      = put16(at, frame->dst_port);
  at                      = put32(at, frame->src);
  put32(at, frame->dst);
  const uint32_t crc = (uint32_t)crc32(salt, tuple, sizeof tuple);
  /* The finalizer ends by folding the upper half into the lower, so that these 16 bits are the XOR of both halves
   * (O-16). Folding once more would undo that. */
  return (uint16_t)mix32(crc ^ salt);
}
