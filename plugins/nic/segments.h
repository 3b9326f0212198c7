/* nic: how a message is cut into packets, the same for every transport (spec/uet-nic.md 8.2). */
#ifndef NIC_SEGMENTS_H
#define NIC_SEGMENTS_H

#include <stdint.h>

/* Packets of a message of `bytes`: at least one, also without payload. `mss` is the payload of a full one. */
static inline uint64_t nic_packet_count(uint64_t bytes, uint64_t mss)
{
  return bytes == 0 ? 1 : (bytes - 1) / mss + 1;
}

/* Payload of packet number `index` of the message, from 0 on. */
static inline int64_t nic_packet_payload(uint64_t bytes, uint64_t mss, uint64_t index)
{
  const uint64_t before = index * mss;
  const uint64_t left   = bytes > before ? bytes - before : 0;
  return (int64_t)(left < mss ? left : mss);
}

#endif
