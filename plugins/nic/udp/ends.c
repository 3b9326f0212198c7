/* Messages that arrive, by number. */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/udp/udp.h"

enum { FIRST_SIZE = 64 };

static size_t home(const udp_ends_t* ends, uint64_t message)
{
  return (size_t)(message * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (ends->size - 1);
}

/* Where a message is, or belongs. */
static udp_end_t* place(const udp_ends_t* ends, uint64_t message)
{
  size_t at = home(ends, message);
  while (ends->table[at].message != 0 && ends->table[at].message != message)
    at = (at + 1) & (ends->size - 1);
  return &ends->table[at];
}

udp_end_t* udp_end_find(const udp_ends_t* ends, uint64_t message)
{
  udp_end_t* end = ends->size == 0 ? NULL : place(ends, message);
  return end != NULL && end->message == message ? end : NULL;
}

static void grow(udp_ends_t* ends)
{
  const udp_ends_t old = *ends;
  ends->size           = old.size == 0 ? FIRST_SIZE : 2 * old.size;
  ends->table          = sgf_calloc(ends->size, sizeof *ends->table);
  for (size_t i = 0; i < old.size; i++)
    if (old.table[i].message != 0)
      *place(ends, old.table[i].message) = old.table[i];
  free(old.table);
}

udp_end_t* udp_end_for(udp_ends_t* ends, uint64_t message)
{
  udp_end_t* end = udp_end_find(ends, message);
  if (end != NULL)
    return end;
  if (2 * (ends->count + 1) > ends->size)
    grow(ends);
  ends->count++;
  end  = place(ends, message);
  *end = (udp_end_t){.message = message};
  return end;
}

/* Those behind it move up, so that no gap ends a search too early. */
void udp_end_remove(udp_ends_t* ends, uint64_t message)
{
  const size_t mask = ends->size - 1;
  udp_end_t* table  = ends->table;
  size_t gap        = (size_t)(place(ends, message) - table);
  for (size_t at = (gap + 1) & mask; table[at].message != 0; at = (at + 1) & mask) {
    const size_t from_home = (at - home(ends, table[at].message)) & mask;
    if (from_home < ((at - gap) & mask))
      continue;
    table[gap] = table[at];
    gap        = at;
  }
  table[gap].message = 0;
  ends->count--;
}
