/* Flow hashes: see flow_hash.h. */
#include "switch/flow_hash.h"

#include <zlib.h>

/* The finalizer of MurmurHash3 (Appleby): every input bit changes every output bit with probability near one half. */
static uint32_t mix32(uint32_t x)
{
  x ^= x >> 16;
  x *= UINT32_C(0x85ebca6b);
  x ^= x >> 13;
  x *= UINT32_C(0xc2b2ae35);
  return x ^ x >> 16;
}

uint32_t switch_hash_salt(uint32_t node_id)
{
  return mix32(node_id + UINT32_C(0x9e3779b9));
}

static uint16_t fold(uint32_t x)
{
  return (uint16_t)(x ^ x >> 16);
}

static uint16_t destination_index(const net_frame_t* frame)
{
  return (uint16_t)((frame->dst - 1) & 0x1ff);
}

static uint16_t xor_fold(const net_frame_t* frame, uint32_t salt)
{
  return (uint16_t)(fold((frame->src + salt) ^ frame->dst) ^ frame->src_port ^ frame->dst_port);
}

/* Take `count` bytes into a CRC, the lowest of `bytes` first. */
static inline uint32_t crc_take(uint32_t crc, uint32_t bytes, unsigned count)
{
  const z_crc_t* table = get_crc_table();
  crc ^= bytes;
  for (unsigned i = 0; i < count; i++)
    crc = (uint32_t)table[crc & 0xff] ^ crc >> 8;
  return crc;
}

/* crc32() over the 13 bytes of protocol, ports and addresses in network order, by its own table: half of its
 * instructions, as their number is known and they need not be laid out in memory. */
static uint32_t crc_of_flow(const net_frame_t* frame, uint32_t start)
{
  uint32_t crc = crc_take(~start, frame->protocol, 1);
  crc          = crc_take(crc, __builtin_bswap32((uint32_t)frame->src_port << 16 | frame->dst_port), 4);
  crc          = crc_take(crc, __builtin_bswap32(frame->src), 4);
  crc          = crc_take(crc, __builtin_bswap32(frame->dst), 4);
  return ~crc;
}

uint16_t switch_flow_hash(switch_hash_method_t method, const net_frame_t* frame, uint32_t salt, uint32_t members)
{
  if (frame->protocol != NET_PROTOCOL_UDP && frame->protocol != NET_PROTOCOL_TCP)
    return 0;
  switch (method) {
    case SWITCH_HASH_DPR:
      return destination_index(frame);
    case SWITCH_HASH_FOLD:
      return xor_fold(frame, 0);
    case SWITCH_HASH_FOLD_WITH_SALT:
      return xor_fold(frame, salt);
    case SWITCH_HASH_DPR_WITH_FALLBACK:
      if (destination_index(frame) < members)
        return destination_index(frame);
      return fold(crc_of_flow(frame, 0));
    case SWITCH_HASH_CRC32:
      return fold(crc_of_flow(frame, 0));
    case SWITCH_HASH_CRC32_WITH_SALT:
    default:
      /* The finalizer ends by folding the upper half into the lower, so that these 16 bits are the XOR of both halves
       * (O-16). Folding once more would undo that. */
      return (uint16_t)mix32(crc_of_flow(frame, salt) ^ salt);
  }
}
