/* Allocation that does not fail: running out of memory is not a user error, so it ends the process with one line. */
#ifndef SGFABRIC_ATTR_ALLOC_H
#define SGFABRIC_ATTR_ALLOC_H

#include <stddef.h>

/* `count` zeroed items of `size` bytes; never NULL, also for nothing. Release with free(). */
void* sgf_calloc(size_t count, size_t size);

/* `p` (or NULL) resized to `count` items of `size` bytes; never NULL, also for nothing. New bytes are not zeroed. */
void* sgf_realloc(void* p, size_t count, size_t size);

/* A copy of `text`; never NULL. Release with free(). */
char* sgf_strdup(const char* text);

#endif
