/* Ends by key: see table.h. */
#include "nic/mrc/table.h"

#include <stdlib.h>

#include "attr/alloc.h"

enum { FIRST_SIZE = 16 };

static uint32_t hash(uint32_t address, uint32_t queue_pair)
{
  const uint64_t product = ((uint64_t)address << 32 | queue_pair) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(product >> 32);
}

/* Where it is, or where it belongs. */
static mrc_key_t** slot_of(const mrc_table_t* table, uint32_t address, uint32_t queue_pair)
{
  uint32_t slot = hash(address, queue_pair) % table->size;
  while (table->slots[slot] != NULL &&
         (table->slots[slot]->address != address || table->slots[slot]->queue_pair != queue_pair))
    slot = (slot + 1) % table->size;
  return &table->slots[slot];
}

static void grow(mrc_table_t* table)
{
  free(table->slots);
  table->size  = table->size == 0 ? FIRST_SIZE : 2 * table->size;
  table->slots = sgf_calloc(table->size, sizeof *table->slots);
  for (uint32_t i = 0; i < table->count; i++)
    *slot_of(table, table->all[i]->address, table->all[i]->queue_pair) = table->all[i];
}

void* mrc_table_find(const mrc_table_t* table, uint32_t address, uint32_t queue_pair)
{
  return table->size == 0 ? NULL : *slot_of(table, address, queue_pair);
}

void mrc_table_add(mrc_table_t* table, mrc_key_t* end)
{
  if (2 * (table->count + 1) > table->size)
    grow(table);
  table->all                                     = sgf_realloc(table->all, table->count + 1, sizeof *table->all);
  table->all[table->count++]                     = end;
  *slot_of(table, end->address, end->queue_pair) = end;
}

void mrc_table_free(mrc_table_t* table)
{
  free(table->slots);
  free(table->all);
}
