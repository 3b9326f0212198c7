/* sgfabric workload: traffic patterns as lists of messages, connection matrices of text files, and replays of a run's
 * traffic, with or without SimGrid. */
#ifndef SGFABRIC_WORKLOAD_H
#define SGFABRIC_WORKLOAD_H

#include <sgfabric/fabric.h>
#include <stdio.h>

SGF_BEGIN_DECL

/* ---- Patterns ---------------------------------------------------------------------------------------------------- */

/* One message: from the i-th to the j-th host that has a NIC. */
typedef struct sgf_message {
  size_t src;
  size_t dst;
  uint64_t bytes;
} sgf_message_t;

/* A list of messages. Zero-initialise; free with sgf_messages_free. */
typedef struct sgf_messages {
  sgf_message_t* items;
  size_t count;
} sgf_messages_t;

SGF_PUBLIC void sgf_messages_free(sgf_messages_t* messages);

/* Every host but `dst` sends one message to `dst`. `hosts` at least 2. */
SGF_PUBLIC void sgf_workload_incast(sgf_messages_t* messages, size_t hosts, size_t dst, uint64_t bytes);

/* A random permutation without fixed points, each host sending one message (Sattolo's algorithm on a stream seeded with
 * `seed`: one cycle through all hosts). `hosts` at least 2. */
SGF_PUBLIC void sgf_workload_permutation(sgf_messages_t* messages, size_t hosts, uint64_t bytes, uint64_t seed);

/* Every host sends one message to every other host, host i beginning with i + 1. */
SGF_PUBLIC void sgf_workload_all_to_all(sgf_messages_t* messages, size_t hosts, uint64_t bytes);

/* Post every message at `date`. */
SGF_PUBLIC sgf_status_t sgf_workload_post(const sgf_messages_t* messages, sgf_fabric_t* fabric, opp_simtime_t date,
                                          sgf_error_t* error);

/* ---- Connection matrices ----------------------------------------------------------------------------------------- */

/* A connection matrix in the text format of htsim (plugins/workload/README.md):
 *
 *   Nodes 3
 *   Connections 2
 *   Triggers 1
 *   0->1 id 1 start 0 size 1000000 send_done_trigger 1
 *   1->2 id 2 trigger 1 size 1000000
 *   trigger id 1 oneshot */
typedef struct sgf_matrix sgf_matrix_t;

/* One connection: a message, and when it starts. Numbers of triggers are those of the file; 0: none. */
typedef struct sgf_connection {
  size_t src; /* node: the host of that number among those with a NIC, in order of the platform, from 0 */
  size_t dst;
  uint64_t bytes;
  opp_simtime_t start;        /* ps; -1: when `trigger` fires */
  uint64_t id;                /* 0: none was given */
  uint64_t trigger;           /* that starts it */
  uint64_t send_done_trigger; /* that it activates when every byte is acknowledged */
  uint64_t recv_done_trigger; /* that it activates when its last byte is in the memory of `dst` */
  uint64_t priority;          /* recorded, without effect; 0 unless one is given */
  int line;                   /* where it is written */
} sgf_connection_t;

/* Read a matrix; free with sgf_matrix_free. NULL and an error with file and line: what cannot be read, words that the
 * format does not have (with the nearest one), `addon`, `failure` and connections without end, which are not supported,
 * counts that do not match, nodes out of range, a connection that would never start. */
SGF_PUBLIC sgf_matrix_t* sgf_matrix_read(const char* file, sgf_error_t* error);
SGF_PUBLIC void sgf_matrix_free(sgf_matrix_t* matrix);

SGF_PUBLIC size_t sgf_matrix_node_count(const sgf_matrix_t* matrix);
SGF_PUBLIC size_t sgf_matrix_connection_count(const sgf_matrix_t* matrix);
SGF_PUBLIC const sgf_connection_t* sgf_matrix_connection(const sgf_matrix_t* matrix, size_t i); /* in file order */

/* What is accepted and has no effect, as "file:line: text". */
SGF_PUBLIC size_t sgf_matrix_warning_count(const sgf_matrix_t* matrix);
SGF_PUBLIC const char* sgf_matrix_warning(const sgf_matrix_t* matrix, size_t i);

/* Whether a sealed fabric has a host for every node, and NICs that understand each other: SGF_RANGE or SGF_RULE with
 * file and line. */
SGF_PUBLIC sgf_status_t sgf_matrix_check(const sgf_matrix_t* matrix, const sgf_fabric_t* fabric, sgf_error_t* error);

/* Post every connection at its start, in order of (date, node, file), and advance the engine until each is acknowledged
 * and has fired its triggers; then, with `drain`, until nothing is in flight. What a trigger starts is posted at the
 * date of the activation. The end is that of sgf_fabric_check_end, where a connection that has not started waits too;
 * or that of sgf_matrix_check, before anything is posted. Operations that are awaited are to be the matrix's alone. */
SGF_PUBLIC sgf_status_t sgf_matrix_run(const sgf_matrix_t* matrix, sgf_fabric_t* fabric, bool drain,
                                       void (*waits)(void* user, const char* line), void* user, sgf_error_t* error);

/* Write a list of messages, those of one source together, as a matrix: a source sends `at_a_time` of them at once, and
 * the next one whenever one is acknowledged; 0: all at once. `nodes` above every index. Whether `out` took it is for
 * the caller to see (ferror). */
SGF_PUBLIC void sgf_matrix_print(const sgf_messages_t* messages, size_t nodes, size_t at_a_time, FILE* out);

/* ---- Replays ----------------------------------------------------------------------------------------------------- */

/* The traffic of a run again, without some of it: post the flows of its report that are not `left_out`, each at its
 * date, on another fabric with the hosts that they name, which has not moved yet, and run until nothing is in flight.
 * The loop is open: nothing is posted sooner because something else ends sooner. With nothing left out, on a fabric
 * that was built like that of the run and with the same seed, everything happens again to the picosecond; what was done
 * to that fabric otherwise, such as pauses and rates of scripts, is not repeated. `ends` (may be NULL) gets the end of
 * each of the `count` flows; -1: never, or left out. `left_out` NULL: none is. The flows are in the order of a report:
 * by start, and of one start by source, in the order of the fabric's devices. SGF_RULE: they are not. SGF_UNKNOWN:
 * there is no such host. Others: as of sgf_op_write and its like, or of the engine. */
SGF_PUBLIC sgf_status_t sgf_replay_run(const sgf_flow_t* flows, size_t count, const bool* left_out,
                                       sgf_fabric_t* fabric, opp_simtime_t* ends, sgf_error_t* error);

SGF_END_DECL
#endif
