/* A hash of a text for tables in memory: FNV-1a, 64 bits (Fowler, Noll and Vo). The same on every machine. */
#ifndef SGFABRIC_ATTR_HASH_H
#define SGFABRIC_ATTR_HASH_H

#include <stdint.h>

#define SGF_HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* The hash of a text that begins with one whose hash is known and goes on with `text`. */
static inline uint64_t sgf_hash_on(uint64_t hash, const char* text)
{
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

static inline uint64_t sgf_hash_text(const char* text)
{
  return sgf_hash_on(SGF_HASH_OF_NOTHING, text);
}

#endif
