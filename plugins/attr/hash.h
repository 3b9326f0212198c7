/* A hash of a text for tables in memory: FNV-1a, 64 bits (Fowler, Noll and Vo). The same on every machine. */
#ifndef SGFABRIC_ATTR_HASH_H
#define SGFABRIC_ATTR_HASH_H

#include <stdint.h>

static inline uint64_t sgf_hash_text(const char* text)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

#endif
