/* nic: records of one size that come and go, from slabs that are kept: nothing is allocated once a run is under way. */
#ifndef NIC_SLABS_H
#define NIC_SLABS_H

#include <stddef.h>

typedef struct nic_slabs {
  void* free; /* each names the next in its first word */
  void** slabs;
  size_t slab_count;
} nic_slabs_t;

/* Add records of `size` bytes to those that are free. */
void nic_slabs_grow(nic_slabs_t* slabs, size_t size);

/* A record of `size` bytes, the same for all of the slabs. What it holds is to be overwritten. */
static inline void* nic_slabs_take(nic_slabs_t* slabs, size_t size)
{
  if (slabs->free == NULL)
    nic_slabs_grow(slabs, size);
  void** record = slabs->free;
  slabs->free   = *record;
  return record;
}

static inline void nic_slabs_give(nic_slabs_t* slabs, void* record)
{
  *(void**)record = slabs->free;
  slabs->free     = record;
}

void nic_slabs_free(nic_slabs_t* slabs);

#endif
