/* sgfabric inside a SimGrid simulation: the calls that actors use.
 *
 *   simgrid_init(&argc, argv);
 *   sg_fabric_plugin_init();
 *   sg_fabric_load_platform(argv[1]);      in place of simgrid_load_platform
 *   ... register functions, load the deployment, simgrid_run() ...
 *   sg_fabric_finish();                    drain what is still in flight, check the end
 *
 * A completion reaches its waiter at its exact picosecond; the clock an actor reads is a double in seconds. */
#ifndef SGFABRIC_SIMGRID_H
#define SGFABRIC_SIMGRID_H

#include <sgfabric/fabric.h>
#include <sgfabric/scenario.h>
#include <simgrid/engine.h>
#include <simgrid/forward.h>

SGF_BEGIN_DECL

/* ---- Setting up -------------------------------------------------------------------------------------------------- */

/* Once, after simgrid_init and before the platform is loaded: sets SimGrid's timing precision well below 1 ps. A second
 * call is an error, as for SimGrid's plugins: it is logged and the process aborts. */
SGF_PUBLIC void sg_fabric_plugin_init(void);

/* Before the platform is loaded: the seed of all random streams (default 1); an assignment "path-pattern=value" that
 * overrides the platform file, as --set does. The text is copied. */
SGF_PUBLIC void sg_fabric_set_seed(uint64_t seed);
SGF_PUBLIC void sg_fabric_set(const char* assignment);

/* The same from a line of a file. What no device takes is then a warning (sgf_fabric_warning) and not an error. */
SGF_PUBLIC void sg_fabric_set_from(const char* assignment, const char* file, int line);

/* The same for all lines of a run of an ini file, and its seed-set as the seed: run `run` (from 0) of section [Config
 * `config`] (NULL: General). What it says of platform, deployment and time limit has no effect. On an error nothing is
 * set; those of values come when the platform is loaded. */
SGF_PUBLIC sgf_status_t sg_fabric_set_ini(const char* file, const char* config, size_t run, sgf_error_t* error);

/* The seat's pace. Lazy: the fabric wakes at a bound of the next awaited completion (default). Reference: it takes a
 * kernel round for every engine event; slow, for comparing. */
typedef enum sg_fabric_pace { SG_FABRIC_LAZY, SG_FABRIC_REFERENCE } sg_fabric_pace_t;
SGF_PUBLIC void sg_fabric_set_pace(sg_fabric_pace_t pace);

/* Before the platform is loaded: what to call when all its devices and cables are there and the fabric is not sealed
 * yet, to insert modules of one's own (sgf_fabric_insert). NULL: nothing (default). */
SGF_PUBLIC void sg_fabric_on_build(sgf_build_cb build, void* user);

/* Before the platform is loaded: write the CSV records of the run (spec/records.md) to
 * {folder}/{name}-{record}-0.csv; the platform's properties under `record`, and assignments, say which and how often.
 * They are complete after sg_fabric_finish. The strings are copied. `folder` NULL: write none (default). */
SGF_PUBLIC void sg_fabric_set_results(const char* folder, const char* name);

/* Validate `file`, build the fabric from it, load it into SimGrid. On an error the message is printed with file and
 * line, and the process exits with status 1, as SimGrid does on a bad platform. The fabric's actor starts with the
 * first call of an actor. */
SGF_PUBLIC void sg_fabric_load_platform(const char* file);

/* The same, with errors returned; nothing was passed to SimGrid then. */
SGF_PUBLIC sgf_status_t sg_fabric_try_load_platform(const char* file, sgf_error_t* error);

/* After the platform: check a deployment file whose actors run the functions of the `sgfabric` command
 * (sg_fabric_actor_usage), register these and load the file. A study with functions of its own registers them and calls
 * simgrid_load_deployment instead. Errors carry file and line; nothing was passed to SimGrid then. */
SGF_PUBLIC sgf_status_t sg_fabric_load_deployment(const char* file, sgf_error_t* error);

/* The i-th actor function, as "rdma_write <dst> <size> [count] [gap]", written to `buffer`; `help` gets a line about
 * it. NULL: there are no more. */
SGF_PUBLIC const char* sg_fabric_actor_usage(size_t i, char* buffer, size_t size, const char** help);

SGF_PUBLIC sgf_fabric_t* sg_fabric_get(void); /* NULL before the platform is loaded */

/* The platform and its fabric once more, as they were when they were loaded: same seed, same assignments, same modules
 * of one's own. Nothing has moved in it, and SimGrid knows nothing of it; such as for sgf_replay_run. Free with
 * sgf_scenario_free. NULL and an error: nothing has been loaded yet, or the file cannot be read any more. */
SGF_PUBLIC sgf_scenario_t* sg_fabric_load_again(sgf_error_t* error);

/* After simgrid_run: run the engine until nothing moves (unless `drain` is false in the second form), then check the
 * end. The records of the run end here. SGF_STALLED and SGF_CONSERVATION are described at sgf_fabric_check_end; SGF_IO:
 * a record could not be written; SGF_DEADLOCK: paused queues wait for one another (sgf_fabric_stop_on_deadlock), for
 * which all actors have been ended. */
SGF_PUBLIC sgf_status_t sg_fabric_finish(void);
SGF_PUBLIC sgf_status_t sg_fabric_finish_with(bool drain, void (*waits)(void* user, const char* line), void* user,
                                              sgf_error_t* error);

/* After simgrid_run_until(limit): the same, but the engine executes no event after `limit`, picoseconds. */
SGF_PUBLIC sgf_status_t sg_fabric_finish_until(opp_simtime_t limit, void (*waits)(void* user, const char* line),
                                               void* user, sgf_error_t* error);

/* Kernel rounds that the fabric caused so far: wake-ups of the fabric's actor. */
SGF_PUBLIC uint64_t sg_fabric_kernel_rounds(void);

/* ---- Calls for actors -------------------------------------------------------------------------------------------- */

/* Write `bytes` from the calling actor's host to `dst`, carrying `tag`; returns when every byte is acknowledged.
 * SGF_NO_NIC if one of the hosts has none; SGF_FOREIGN_NIC if theirs are of different kinds; SGF_RANGE for more bytes
 * than can be timed. Killing the actor does not stop the NIC: the write goes on. */
SGF_PUBLIC sgf_status_t sgf_rdma_write(sg_host_t dst, uint64_t bytes, uint64_t tag);

/* The same without waiting. NULL where sgf_rdma_write would fail at once. Free with sgf_op_unref (a wait does not). Its
 * rate can be limited at this instant (sgf_op_set_rate), and sgf_op_sent makes an operation of its SEND_COMPLETE, to
 * wait for like any other. */
SGF_PUBLIC sgf_op_t* sgf_rdma_write_async(sg_host_t dst, uint64_t bytes, uint64_t tag);

/* Wait for the next message with `tag` at the calling actor's host, from anyone, until it is complete in host memory.
 * `bytes` and `src` (may be NULL) get its size and source. SGF_NO_NIC. */
SGF_PUBLIC sgf_status_t sgf_recv(uint64_t tag, uint64_t* bytes, sg_host_t* src);
SGF_PUBLIC sgf_op_t* sgf_recv_async(uint64_t tag);

/* Block until the operation is complete. Any actor may wait for any operation; several may wait for one. */
SGF_PUBLIC sgf_status_t sgf_op_wait(sgf_op_t* op);

/* Block until it is complete or `timeout_s` seconds have passed; a completion at the instant of the time-out wins.
 * SGF_TIMEOUT; the operation goes on and can be waited for again. Negative: no time-out. */
SGF_PUBLIC sgf_status_t sgf_op_wait_for(sgf_op_t* op, double timeout_s);

/* Block until one of `count` operations is complete: its index. Of several, the one that completed first; of equals,
 * the first in the list; sgf_op_status tells whether it failed. The other form gives up after `timeout_s` seconds: -1.
 * Also -1, at once: there are none. */
SGF_PUBLIC ptrdiff_t sgf_op_wait_any(sgf_op_t* const* ops, size_t count);
SGF_PUBLIC ptrdiff_t sgf_op_wait_any_for(sgf_op_t* const* ops, size_t count, double timeout_s);

/* Block until all are complete. SGF_OK, or the status of the first in the list that failed. */
SGF_PUBLIC sgf_status_t sgf_op_wait_all(sgf_op_t* const* ops, size_t count);

/* Whether it is complete now; does not block and does not let time pass. */
SGF_PUBLIC bool sgf_op_test(sgf_op_t* op);

/* ---- Interventions ----------------------------------------------------------------------------------------------- */

/* What sgfabric/script.h does, at the calling actor's instant: when all events of that instant are done, and before
 * what actors post at it. Devices are named as in the platform; SGF_UNKNOWN: there is none of that name. */

/* Send a PFC frame from a port: a pause of class `tc` for so many quanta, with 0 a resume. */
SGF_PUBLIC sgf_status_t sg_fabric_pause(const char* device, unsigned port, unsigned tc, unsigned quanta);

/* The rate at which the udp NIC of a host sends from its next frame on, bits per second; 0: its link's. */
SGF_PUBLIC sgf_status_t sg_fabric_set_send_rate(const char* host, int64_t bps);

/* Block until the frames of class `tc` at a device's port are `level` bytes or more (sgf_device_queue_bytes): up to
 * that very picosecond. While somebody waits and the queue could be as long, the fabric takes a kernel round for each
 * event. */
SGF_PUBLIC sgf_status_t sg_fabric_wait_queue(const char* device, unsigned port, unsigned tc, int64_t level);

/* An operation that is complete then, to wait for like any other. NULL where sg_fabric_wait_queue would fail at once.
 * Free with sgf_op_unref. */
SGF_PUBLIC sgf_op_t* sg_fabric_queue_async(const char* device, unsigned port, unsigned tc, int64_t level);

/* ---- Mailboxes --------------------------------------------------------------------------------------------------- */

/* Rendezvous by name, with the semantics of SimGrid's mailboxes: a put and a get that meet become one message from the
 * host of the one to the host of the other, begun when both are there; both complete when its last byte is in the
 * receiver's memory. What arrives is the payload pointer; the simulated size is what travels. Of several that wait, the
 * first is matched first. */
typedef struct sgf_mailbox sgf_mailbox_t;

/* The mailbox of this name, the same for the same name; never freed before the end of the simulation. */
SGF_PUBLIC sgf_mailbox_t* sgf_mailbox_by_name(const char* name);

/* Blocks until the receiver has the message. SGF_NO_NIC: the caller's host has none. SGF_FOREIGN_NIC: the receiver's is
 * of another kind, which sg_fabric_finish returns too. SGF_RANGE: more bytes than can be timed. An actor that is killed
 * before it has met a receiver takes its put back, as one that gets does; afterwards the message goes on. */
SGF_PUBLIC sgf_status_t sgf_mailbox_put(sgf_mailbox_t* mailbox, void* payload, uint64_t simulated_bytes);

/* Blocks until a message has arrived; its payload. NULL also where the caller's host has no NIC. */
SGF_PUBLIC void* sgf_mailbox_get(sgf_mailbox_t* mailbox);

/* Without waiting. NULL without a NIC or for too many bytes. The get stores the payload in `*payload` (may be NULL)
 * when it completes, so that place has to last. Free with sgf_op_unref; a put or get that has been let go goes on by
 * itself. Either side may limit the message's rate (sgf_op_set_rate) until the instant at which both have met is
 * over. */
SGF_PUBLIC sgf_op_t* sgf_mailbox_put_async(sgf_mailbox_t* mailbox, void* payload, uint64_t simulated_bytes);
SGF_PUBLIC sgf_op_t* sgf_mailbox_get_async(sgf_mailbox_t* mailbox, void** payload);

/* Whether a sender waits there that has not met a receiver. (sg_mailbox_listen says so of a receiver that waits, too.)
 */
SGF_PUBLIC bool sgf_mailbox_listen(const sgf_mailbox_t* mailbox);

SGF_END_DECL
#endif
