/* A ring that grows. */
#include "attr/alloc.h"
#include "pcie/pcie_internal.h"

#include <string.h>

enum { FIRST_PLACES = 8 };

/* Twice the places. What stood at the front of the memory follows what stood at its end. */
static void grow(pcie_ring_t* ring)
{
  const int64_t places = ring->places;
  ring->places         = places == 0 ? FIRST_PLACES : 2 * places;
  ring->things         = sgf_realloc(ring->things, (size_t)ring->places, ring->size);
  memcpy(ring->things + (size_t)places * ring->size, ring->things, (size_t)ring->first * ring->size);
}

void* pcie_ring_push(pcie_ring_t* ring)
{
  if (ring->count == ring->places)
    grow(ring);
  return pcie_ring_at(ring, ring->count++);
}

void pcie_ring_pop(pcie_ring_t* ring)
{
  ring->first = (ring->first + 1) & (ring->places - 1);
  ring->count--;
}
