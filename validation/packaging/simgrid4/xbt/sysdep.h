/* A stub of SimGrid 4.x: ../README.md. */
#ifndef XBT_SYSDEP_H
#define XBT_SYSDEP_H

#include <stdlib.h>
#include <xbt/asserts.h>

#define xbt_free(p) free(p)

#endif
