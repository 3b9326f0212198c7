#include "alloc.h"

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
