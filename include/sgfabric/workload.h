/* sgfabric workload: traffic patterns as lists of messages, with or without SimGrid. */
#ifndef SGFABRIC_WORKLOAD_H
#define SGFABRIC_WORKLOAD_H

#include <sgfabric/fabric.h>

SGF_BEGIN_DECL

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

SGF_END_DECL
#endif
