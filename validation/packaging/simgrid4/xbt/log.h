/* A stub of SimGrid 4.x: ../README.md. */
#ifndef XBT_LOG_H
#define XBT_LOG_H

#include <xbt/base.h>

#define XBT_LOG_NEW_DEFAULT_CATEGORY(name, description)                                                                \
  static const char xbt_log_category_##name[] __attribute__((unused)) = description

SG_BEGIN_DECL
XBT_PUBLIC void xbt_log_control_set(const char* cs);
XBT_PUBLIC void xbt_stub_log(const char* format, ...) __attribute__((format(printf, 1, 2)));
SG_END_DECL

#endif
