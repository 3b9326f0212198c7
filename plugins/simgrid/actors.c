/* The actor functions. SimGrid calls them with the arguments that the deployment gives; these have been checked before
 * the run.
 *
 * The fabric's calls write from the host of the calling actor. An actor that stands for many hosts therefore starts a
 * helper on each of them, in order of the platform. */

#include "simgrid/actors.h"

#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sgfabric/workload.h>

#include "attr/alloc.h"
#include "simgrid/seat.h"

static void complain(const char* dst, sgf_status_t status)
{
  sgf_error_t reason = {0};
  sgf_error_set(&reason, status, "write from %s to %s: %s", sg_host_self_get_name(), dst, sgf_status_text(status));
  fprintf(stderr, "sgfabric: %s\n", reason.text);
  seat_note_refusal(&reason);
}

static actor_args_t arguments(int argc, char** argv)
{
  actor_args_t args;
  actor_args_read(actor_function_find(argv[0]), argc, (const char* const*)argv, &args, NULL);
  return args;
}

void actor_sink(int argc, char** argv)
{
  (void)argc;
  (void)argv;
}

void actor_rdma_write(int argc, char** argv)
{
  actor_args_t args = arguments(argc, argv);
  sg_host_t dst     = sg_host_by_name(args.dst);
  for (uint64_t i = 0; i < args.count; i++) {
    if (i > 0 && args.gap > 0)
      sg_actor_sleep_for((double)args.gap / (double)OPP_S);
    sgf_status_t status = sgf_rdma_write(dst, args.bytes, 0);
    if (status != SGF_OK) {
      complain(args.dst, status);
      return;
    }
  }
}

/* ---- Posted writes ----------------------------------------------------------------------------------------------- */

/* The writes that an actor has posted. */
typedef struct writes {
  size_t count;
  sgf_op_t* ops[];
} writes_t;

/* SimGrid calls this however the actor ends, killed or not. */
static void free_writes(int failed, void* data)
{
  (void)failed;
  writes_t* writes = data;
  for (size_t i = 0; i < writes->count; i++)
    sgf_op_unref(writes->ops[i]);
  free(writes);
}

/* Room for the writes of the calling actor, once in its life. */
static writes_t* writes_new(size_t room)
{
  writes_t* writes = sgf_calloc(1, sizeof *writes + room * sizeof *writes->ops);
  sg_actor_on_exit(free_writes, writes);
  return writes;
}

/* NULL: the host has no NIC, which has been said. */
static sgf_op_t* post(writes_t* writes, const char* dst, uint64_t bytes)
{
  sgf_op_t* op = sgf_rdma_write_async(sg_host_by_name(dst), bytes, 0);
  if (op)
    writes->ops[writes->count++] = op;
  else
    complain(dst, SGF_NO_NIC);
  return op;
}

static void wait_for_all(const writes_t* writes)
{
  for (size_t i = 0; i < writes->count; i++) {
    sgf_status_t status = sgf_op_wait(writes->ops[i]);
    if (status != SGF_OK)
      complain(sgf_device_name(sgf_op_dst(writes->ops[i])), status);
  }
}

void actor_flow(int argc, char** argv)
{
  actor_args_t args = arguments(argc, argv);
  writes_t* writes  = writes_new(1);
  sgf_op_t* op      = post(writes, args.dst, args.bytes);
  if (op) /* a NIC that has no queue pairs refuses the number and needs none */
    sgf_op_set_queue_pair(op, (uint32_t)args.queue_pair, NULL);
  wait_for_all(writes);
}

/* A stream for each actor: what it draws depends on the order of the deployment, and not on the order in which SimGrid
 * runs actors of one instant. */
static opp_simtime_t draw_start(opp_simtime_t within)
{
  if (within == 0)
    return 0;
  opp_sim_t* sim            = opp_sim_new(seat.seed);
  opp_module_t* stream      = opp_module_new(sim, NULL, "staggered_flow", (int)sg_actor_self_get_pid(), NULL);
  const opp_simtime_t start = opp_rng_intuniform(opp_rng(stream, 0), 0, within - 1);
  opp_sim_free(sim);
  return start;
}

void actor_staggered_flow(int argc, char** argv)
{
  actor_args_t args         = arguments(argc, argv);
  const opp_simtime_t start = draw_start(args.within);
  if (start > 0)
    sg_actor_sleep_for((double)start / (double)OPP_S);
  writes_t* writes          = writes_new(1);
  sgf_op_t* op              = post(writes, args.dst, args.bytes);
  const sgf_status_t status = op && args.rate_bps > 0 ? sgf_op_set_rate(op, args.rate_bps, NULL) : SGF_OK;
  if (status != SGF_OK) /* the deployment was checked by somebody else */
    complain(args.dst, status);
  wait_for_all(writes);
}

/* ---- Patterns -------------------------------------------------------------------------------------------------- */

/* A helper: one write of the same size to each host named, all posted at once. argv: name, size in bytes, hosts. */
static void write_to_all(int argc, char** argv)
{
  uint64_t bytes   = strtoull(argv[1], NULL, 10);
  writes_t* writes = writes_new((size_t)argc);
  for (int i = 2; i < argc; i++)
    post(writes, argv[i], bytes);
  wait_for_all(writes);
}

/* Starts a helper on each source of the list, whose messages are in order of sources and of one size. */
static void start_helpers(const char* pattern, const sgf_messages_t* messages)
{
  const sgf_fabric_t* fabric = sg_fabric_get();
  char size[24];
  const char** argv = sgf_calloc(2 + sgf_fabric_host_count(fabric), sizeof *argv);
  argv[0]           = pattern;
  argv[1]           = size;
  for (size_t i = 0; i < messages->count;) {
    size_t src = messages->items[i].src;
    snprintf(size, sizeof size, "%llu", (unsigned long long)messages->items[i].bytes);
    int argc = 2;
    for (; i < messages->count && messages->items[i].src == src; i++)
      argv[argc++] = sgf_device_name(sgf_fabric_host(fabric, messages->items[i].dst));
    sg_actor_create_(pattern, sg_host_by_name(sgf_device_name(sgf_fabric_host(fabric, src))), write_to_all, argc, argv);
  }
  free(argv);
}

static size_t hosts_with_a_nic(void)
{
  return sgf_fabric_host_count(sg_fabric_get());
}

static size_t index_of_host(const char* name)
{
  size_t i = 0;
  while (i < hosts_with_a_nic() && strcmp(sgf_device_name(sgf_fabric_host(sg_fabric_get(), i)), name) != 0)
    i++;
  return i;
}

void actor_incast(int argc, char** argv)
{
  actor_args_t args       = arguments(argc, argv);
  sgf_messages_t messages = {0};
  sgf_workload_incast(&messages, hosts_with_a_nic(), index_of_host(args.dst), args.bytes);
  start_helpers(argv[0], &messages);
  sgf_messages_free(&messages);
}

void actor_permutation(int argc, char** argv)
{
  actor_args_t args       = arguments(argc, argv);
  sgf_messages_t messages = {0};
  sgf_workload_permutation(&messages, hosts_with_a_nic(), args.bytes, args.seed);
  start_helpers(argv[0], &messages);
  sgf_messages_free(&messages);
}

void actor_all_to_all(int argc, char** argv)
{
  actor_args_t args       = arguments(argc, argv);
  sgf_messages_t messages = {0};
  sgf_workload_all_to_all(&messages, hosts_with_a_nic(), args.bytes);
  start_helpers(argv[0], &messages);
  sgf_messages_free(&messages);
}
