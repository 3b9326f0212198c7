/* Records from slabs: see slabs.h. */
#include "nic/slabs.h"

#include <stdlib.h>

#include "attr/alloc.h"

enum { SLAB_RECORDS = 128 };

void nic_slabs_grow(nic_slabs_t* slabs, size_t size)
{
  char* slab                        = sgf_calloc(SLAB_RECORDS, size);
  slabs->slabs                      = sgf_realloc(slabs->slabs, slabs->slab_count + 1, sizeof(void*));
  slabs->slabs[slabs->slab_count++] = slab;
  for (size_t i = 0; i < SLAB_RECORDS; i++)
    nic_slabs_give(slabs, slab + i * size);
}

void nic_slabs_free(nic_slabs_t* slabs)
{
  for (size_t i = 0; i < slabs->slab_count; i++)
    free(slabs->slabs[i]);
  free(slabs->slabs);
}
