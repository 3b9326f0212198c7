/* A stub of SimGrid 4.x: ../README.md. */
#ifndef XBT_ASSERTS_H
#define XBT_ASSERTS_H

#include <xbt/log.h>

SG_BEGIN_DECL
XBT_PUBLIC void xbt_abort(void) __attribute__((noreturn));
SG_END_DECL

#define xbt_die(...)                                                                                                   \
  do {                                                                                                                 \
    xbt_stub_log(__VA_ARGS__);                                                                                         \
    xbt_abort();                                                                                                       \
  } while (0)

#define xbt_assert(condition, ...)                                                                                     \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      xbt_die(__VA_ARGS__);                                                                                            \
  } while (0)

#endif
