/* A stub of SimGrid 4.x: ../README.md. */
#ifndef XBT_CONFIG_H
#define XBT_CONFIG_H

#include <xbt/base.h>

SG_BEGIN_DECL
XBT_PUBLIC void sg_cfg_set_double(const char* name, double val);
SG_END_DECL

#endif
