/* sgfabric comm: SimGrid's C calls for mailboxes and communications, over the fabric.
 *
 * A program that is written with sg_mailbox_* and sg_comm_* (SimGrid 3.32's C API) takes the fabric by one define:
 *
 *   #define SGF_MAP_SIMGRID
 *   #include <sgfabric/comm.h>           ahead of the program's first use of these names
 *
 * or, with its source as it is, by the compiler's options -DSGF_MAP_SIMGRID -include sgfabric/comm.h. Its names stand
 * for those below then: types too, so that all files which share a sg_mailbox_t or sg_comm_t are compiled so.
 *
 * Each call does what SimGrid's does: a call that waits gives the communication back, a test does when it is complete,
 * and waiting for any gives back the one that is returned. What differs:
 *
 *   - Both hosts need a NIC: otherwise the call ends the process with a message that names the host, as SimGrid's
 *     assertions do. So does a size beyond what can be timed (SGF_LARGEST_WRITE). A size below 0 is 0.
 *   - NICs of different kinds do not understand each other: a put and a get that meet on two such hosts fail. To wait
 *     for one of them returns SG_ERROR_NETWORK. Calls that return no error, also those that test, or wait for any or
 *     all, end the process. Where nobody waits, sg_fabric_finish returns SGF_FOREIGN_NIC all the same.
 *   - Who times out takes back a put or get that has not met its other half. If it has, the message goes on, and the
 *     other half is complete when it has arrived; the place of a get is not written any more.
 *   - Who is killed leaves its asynchronous puts and gets in their mailboxes. Nothing fails, so that the clean-up
 *     function of a detached put is never called.
 *   - There are no permanent receivers: sg_mailbox_set_receiver does not compile. */
#ifndef SGFABRIC_COMM_H
#define SGFABRIC_COMM_H

#include <sgfabric/simgrid.h>
#include <simgrid/comm.h>
#include <simgrid/mailbox.h>
#include <sys/types.h>

SGF_BEGIN_DECL

/* A put or a get, begun or not. */
typedef struct sgf_comm* sgf_comm_t;
typedef sgf_mailbox_t* sgf_comm_mailbox_t;
typedef const sgf_mailbox_t* sgf_comm_const_mailbox_t;

/* simgrid_load_platform: sg_fabric_plugin_init, unless the program has called it, and sg_fabric_load_platform. */
SGF_PUBLIC void sgf_comm_load_platform(const char* file);

/* sg_mailbox_get_name, _listen (of senders and of receivers), _put, _put_init, _put_async, _get, _get_async. */
SGF_PUBLIC const char* sgf_comm_mailbox_name(const sgf_mailbox_t* mailbox);
SGF_PUBLIC int sgf_comm_listen(const char* name);
SGF_PUBLIC void sgf_comm_put(sgf_mailbox_t* mailbox, void* payload, long simulated_bytes);
SGF_PUBLIC sgf_comm_t sgf_comm_put_init(sgf_mailbox_t* mailbox, void* payload, long simulated_bytes);
SGF_PUBLIC sgf_comm_t sgf_comm_put_async(sgf_mailbox_t* mailbox, void* payload, long simulated_bytes);
SGF_PUBLIC void* sgf_comm_get(sgf_mailbox_t* mailbox);
SGF_PUBLIC sgf_comm_t sgf_comm_get_async(sgf_mailbox_t* mailbox, void** payload);

/* sg_comm_detach, _test, _wait, _wait_for, _wait_all, _wait_all_for, _wait_any, _wait_any_for, _unref. A put of
 * _put_init begins with the first of them. SG_ERROR_TIMEOUT; SG_ERROR_NETWORK: the run has ended before, or the NICs
 * of the two hosts are of different kinds. A negative time-out is none. */
SGF_PUBLIC void sgf_comm_detach(sgf_comm_t comm, void (*clean_function)(void*));
SGF_PUBLIC int sgf_comm_test(sgf_comm_t comm);
SGF_PUBLIC sg_error_t sgf_comm_wait(sgf_comm_t comm);
SGF_PUBLIC sg_error_t sgf_comm_wait_for(sgf_comm_t comm, double timeout_s);
SGF_PUBLIC void sgf_comm_wait_all(sgf_comm_t* comms, size_t count);
SGF_PUBLIC size_t sgf_comm_wait_all_for(sgf_comm_t* comms, size_t count, double timeout_s); /* how many in a row */
SGF_PUBLIC ssize_t sgf_comm_wait_any(sgf_comm_t* comms, size_t count);
SGF_PUBLIC ssize_t sgf_comm_wait_any_for(sgf_comm_t* comms, size_t count, double timeout_s); /* -1: none in time */
SGF_PUBLIC void sgf_comm_unref(sgf_comm_t comm);

SGF_END_DECL

#ifdef SGF_MAP_SIMGRID
#include <simgrid/engine.h> /* declares what is mapped, before it is */

#define simgrid_load_platform sgf_comm_load_platform

#define sg_mailbox_t sgf_comm_mailbox_t
#define const_sg_mailbox_t sgf_comm_const_mailbox_t
#define sg_mailbox_by_name sgf_mailbox_by_name
#define sg_mailbox_get_name sgf_comm_mailbox_name
#define sg_mailbox_listen sgf_comm_listen
#define sg_mailbox_put sgf_comm_put
#define sg_mailbox_put_init sgf_comm_put_init
#define sg_mailbox_put_async sgf_comm_put_async
#define sg_mailbox_get sgf_comm_get
#define sg_mailbox_get_async sgf_comm_get_async
#define sg_mailbox_set_receiver(name) sgf_has_no_permanent_receivers /* not declared */

#define sg_comm_t sgf_comm_t
#define sg_comm_detach sgf_comm_detach
#define sg_comm_test sgf_comm_test
#define sg_comm_wait sgf_comm_wait
#define sg_comm_wait_for sgf_comm_wait_for
#define sg_comm_wait_all sgf_comm_wait_all
#define sg_comm_wait_all_for sgf_comm_wait_all_for
#define sg_comm_wait_any sgf_comm_wait_any
#define sg_comm_wait_any_for sgf_comm_wait_any_for
#define sg_comm_unref sgf_comm_unref
#endif

#endif
