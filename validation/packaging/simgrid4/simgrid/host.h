/* A stub of SimGrid 4.x: ../README.md. */
#ifndef SIMGRID_HOST_H_
#define SIMGRID_HOST_H_

#include <simgrid/forward.h>
#include <stddef.h>

SG_BEGIN_DECL
XBT_PUBLIC sg_host_t* sg_host_list();
XBT_PUBLIC size_t sg_host_count();
XBT_PUBLIC sg_host_t sg_host_by_name(const char* name);
XBT_PUBLIC const char* sg_host_get_name(const_sg_host_t host);
XBT_PUBLIC sg_host_t sg_host_self();
XBT_PUBLIC const char* sg_host_self_get_name();
XBT_PUBLIC int sg_host_is_on(const_sg_host_t host);
SG_END_DECL

#endif
