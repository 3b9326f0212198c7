/* switch: what makes packets a flow (spec/switch.md 8.2). No state but the salt, which the caller keeps. */
#ifndef SWITCH_FLOW_HASH_H
#define SWITCH_FLOW_HASH_H

#include "net/frame.h"

/* EcmpHashMethod, in the order of its choices. */
typedef enum switch_hash_method {
  SWITCH_HASH_DPR,               /* destination index: (address - 1) AND 0x1FF */
  SWITCH_HASH_FOLD,              /* `hash`: XOR fold of addresses and ports */
  SWITCH_HASH_FOLD_WITH_SALT,    /* the same; the salt is added to the source address first (O-18) */
  SWITCH_HASH_CRC32,             /* CRC-32 over protocol, ports and addresses (O-15), both halves XORed (O-16) */
  SWITCH_HASH_CRC32_WITH_SALT,   /* the CRC started with the salt, then a finalizer that takes it too (O-17) */
  SWITCH_HASH_DPR_WITH_FALLBACK, /* `dpr` where its index is a member's, crc32 otherwise */
} switch_hash_method_t;

#define SWITCH_HASH_METHODS "dpr|hash|hashWithSalt|crc32|crc32WithSalt|dprWithFallback"

/* The salt of a switch: a fixed mix of its node id. */
uint32_t switch_hash_salt(uint32_t node_id);

/* The identity of a frame's flow for a set of `members`, which dprWithFallback alone looks at. What is neither TCP nor
 * UDP is one flow, 0, with every method (O-18). */
uint16_t switch_flow_hash(switch_hash_method_t method, const net_frame_t* frame, uint32_t salt, uint32_t members);

#endif
