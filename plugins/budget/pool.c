/* Headroom of ports that share a pool behind their dedicated bytes: see budget.h. A pool smaller than the sum of the
 * worst cases is enough until pauses overlap (spec/feedback-budget.md 5). */
#include <assert.h>

#include "budget/budget.h"

static int64_t smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

void budget_pool_init(budget_pool_t* pool, budget_part_t* parts, size_t ports, int64_t dedicated, int64_t size)
{
  *pool = (budget_pool_t){.parts = parts, .ports = ports, .dedicated = dedicated, .size = size};
  for (size_t port = 0; port < ports; port++)
    parts[port] = (budget_part_t){0};
}

bool budget_pool_take(budget_pool_t* pool, size_t port, int64_t bytes)
{
  assert(port < pool->ports);
  budget_part_t* part  = &pool->parts[port];
  const int64_t own    = smaller(bytes, pool->dedicated - part->own);
  const int64_t shared = bytes - own;
  if (shared > pool->size - pool->used) {
    pool->refused += bytes;
    return false;
  }
  part->own += own;
  part->shared += shared;
  pool->used += shared;
  if (pool->used > pool->peak)
    pool->peak = pool->used;
  return true;
}

void budget_pool_give(budget_pool_t* pool, size_t port, int64_t bytes)
{
  assert(port < pool->ports);
  budget_part_t* part  = &pool->parts[port];
  const int64_t shared = smaller(bytes, part->shared);
  assert(bytes - shared <= part->own);
  part->shared -= shared;
  part->own -= bytes - shared;
  pool->used -= shared;
}
