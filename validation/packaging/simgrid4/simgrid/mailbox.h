/* A stub of SimGrid 4.x: ../README.md. */
#ifndef INCLUDE_SIMGRID_MAILBOX_H_
#define INCLUDE_SIMGRID_MAILBOX_H_

#include <simgrid/forward.h>

XBT_PUBLIC sg_mailbox_t sg_mailbox_by_name(const char* alias);
XBT_PUBLIC void sg_mailbox_put(sg_mailbox_t mailbox, void* payload, long simulated_size_in_bytes);
XBT_PUBLIC sg_comm_t sg_mailbox_put_async(sg_mailbox_t mailbox, void* payload, long simulated_size_in_bytes);
XBT_PUBLIC sg_comm_t sg_mailbox_get_async(sg_mailbox_t mailbox, void** data);
XBT_PUBLIC void* sg_mailbox_get(sg_mailbox_t mailbox);

#endif
