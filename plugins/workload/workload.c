/* Traffic patterns as lists of messages. A list is in order of its sources, so that the messages of one host are
 * together. */
#include <sgfabric/workload.h>

#include <stdlib.h>

#include "attr/alloc.h"

/* Makes room for `more` messages behind those of the list. */
static void reserve(sgf_messages_t* messages, size_t more)
{
  messages->items = sgf_realloc(messages->items, messages->count + more, sizeof *messages->items);
}

static void append(sgf_messages_t* messages, size_t src, size_t dst, uint64_t bytes)
{
  messages->items[messages->count++] = (sgf_message_t){.src = src, .dst = dst, .bytes = bytes};
}

void sgf_messages_free(sgf_messages_t* messages)
{
  free(messages->items);
  *messages = (sgf_messages_t){0};
}

void sgf_workload_incast(sgf_messages_t* messages, size_t hosts, size_t dst, uint64_t bytes)
{
  reserve(messages, hosts);
  for (size_t src = 0; src < hosts; src++)
    if (src != dst)
      append(messages, src, dst, bytes);
}

/* Sattolo's algorithm: as a shuffle, but an item never stays where it is, which leaves one cycle through all of them.
 */
static void shuffle_into_one_cycle(size_t* items, size_t count, opp_rng_t* rng)
{
  for (size_t last = count - 1; last > 0; last--) {
    size_t other = (size_t)opp_rng_intuniform(rng, 0, (int64_t)last - 1);
    size_t item  = items[last];
    items[last]  = items[other];
    items[other] = item;
  }
}

void sgf_workload_permutation(sgf_messages_t* messages, size_t hosts, uint64_t bytes, uint64_t seed)
{
  if (hosts < 2)
    return;
  size_t* dst = sgf_calloc(hosts, sizeof *dst);
  for (size_t i = 0; i < hosts; i++)
    dst[i] = i;

  /* The kernel's streams belong to modules: a simulation of its own lends one that depends on the seed alone. */
  opp_sim_t* sim = opp_sim_new(seed);
  shuffle_into_one_cycle(dst, hosts, opp_rng(opp_module_new(sim, NULL, "permutation", -1, NULL), 0));
  opp_sim_free(sim);

  reserve(messages, hosts);
  for (size_t src = 0; src < hosts; src++)
    append(messages, src, dst[src], bytes);
  free(dst);
}

void sgf_workload_all_to_all(sgf_messages_t* messages, size_t hosts, uint64_t bytes)
{
  if (hosts < 2)
    return;
  reserve(messages, hosts * (hosts - 1));
  for (size_t src = 0; src < hosts; src++)
    for (size_t step = 1; step < hosts; step++)
      append(messages, src, (src + step) % hosts, bytes);
}

/* All indices are checked before the first post: either all messages are posted or none. */
static sgf_status_t check_hosts(const sgf_messages_t* messages, size_t hosts, sgf_error_t* error)
{
  for (size_t i = 0; i < messages->count; i++) {
    const sgf_message_t* message = &messages->items[i];
    if (message->src >= hosts || message->dst >= hosts)
      return sgf_error_set(error, SGF_RANGE,
                           "message %zu goes from host %zu to host %zu, and there are %zu hosts with a NIC", i,
                           message->src, message->dst, hosts);
  }
  return SGF_OK;
}

sgf_status_t sgf_workload_post(const sgf_messages_t* messages, sgf_fabric_t* fabric, opp_simtime_t date,
                               sgf_error_t* error)
{
  sgf_error_t reason = {0};
  if (check_hosts(messages, sgf_fabric_host_count(fabric), &reason) != SGF_OK)
    return sgf_error_set(error, reason.status, "%s", reason.text);
  for (size_t i = 0; i < messages->count; i++) {
    const sgf_message_t* message = &messages->items[i];
    sgf_device_t* src            = sgf_fabric_host(fabric, message->src);
    sgf_device_t* dst            = sgf_fabric_host(fabric, message->dst);
    sgf_op_t* op                 = sgf_op_write(fabric, src, dst, message->bytes, 0, date, 0, &reason);
    if (!op)
      return sgf_error_set(error, reason.status, "%s", reason.text);
    sgf_op_unref(op); /* the write goes on in the NIC */
  }
  return SGF_OK;
}
