#include "alloc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* checked(void* p, size_t count, size_t size)
{
  if (p == NULL) {
    fprintf(stderr, "sgfabric: out of memory: %zu items of %zu bytes\n", count, size);
    abort();
  }
  return p;
}

void* sgf_calloc(size_t count, size_t size)
{
  /* calloc of nothing may return NULL */
  void* p = count == 0 || size == 0 ? calloc(1, 1) : calloc(count, size);
  return checked(p, count, size);
}

void* sgf_calloc_lines(size_t count, size_t size)
{
  const bool fits    = size == 0 || count <= (SIZE_MAX - SGF_CACHE_LINE) / size;
  const size_t bytes = fits ? (count * size / SGF_CACHE_LINE + 1) * SGF_CACHE_LINE : 0;
  void* p            = checked(fits ? aligned_alloc(SGF_CACHE_LINE, bytes) : NULL, count, size);
  return memset(p, 0, bytes);
}

void* sgf_realloc(void* p, size_t count, size_t size)
{
  if (count == 0 || size == 0)
    return checked(realloc(p, 1), count, size);
  if (count > SIZE_MAX / size)
    return checked(NULL, count, size);
  return checked(realloc(p, count * size), count, size);
}

char* sgf_strdup(const char* text)
{
  size_t size = strlen(text) + 1;
  return memcpy(sgf_calloc(size, 1), text, size);
}
