/* Allocation that does not fail: running out of memory is not a user error, so it ends the process with one line. */
#ifndef SGFABRIC_ATTR_ALLOC_H
#define SGFABRIC_ATTR_ALLOC_H

#include <stddef.h>

enum { SGF_CACHE_LINE = 64 }; /* bytes */

/* `count` zeroed items of `size` bytes; never NULL, also for nothing. Release with free(). */
void* sgf_calloc(size_t count, size_t size);

/* The same from the beginning of a cache line on: for arrays whose items are lines, or share one by design.
 */
void* sgf_calloc_lines(size_t count, size_t size);

/* `p` (or NULL) resized to `count` items of `size` bytes; never NULL, also for nothing. New bytes are not zeroed. */
void* sgf_realloc(void* p, size_t count, size_t size);

/* A copy of `text`; never NULL. Release with free(). */
char* sgf_strdup(const char* text);

#endif
