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

static void complain(const char* dst, sgf_status_t status)
{
  fprintf(stderr, "sgfabric: write from %s to %s: %s\n", sg_host_self_get_name(), dst, sgf_status_text(status));
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

/* ---- Patterns -------------------------------------------------------------------------------------------------- */

/* The writes of a helper. */
typedef struct writes {
  size_t count;
  sgf_op_t* ops[];
} writes_t;

/* SimGrid calls this however the helper ends, killed or not. */
static void free_writes(int failed, void* data)
{
  (void)failed;
  writes_t* writes = data;
  for (size_t i = 0; i < writes->count; i++)
    sgf_op_unref(writes->ops[i]);
  free(writes);
}

/* A helper: one write of the same size to each host named, all posted at once. argv: name, size in bytes, hosts. */
static void write_to_all(int argc, char** argv)
{
  uint64_t bytes   = strtoull(argv[1], NULL, 10);
  writes_t* writes = sgf_calloc(1, sizeof *writes + (size_t)argc * sizeof *writes->ops);
  sg_actor_on_exit(free_writes, writes);
  for (int i = 2; i < argc; i++) {
    sgf_op_t* op = sgf_rdma_write_async(sg_host_by_name(argv[i]), bytes, 0);
    if (op)
      writes->ops[writes->count++] = op;
    else
      complain(argv[i], SGF_NO_NIC);
  }
  for (size_t i = 0; i < writes->count; i++) {
    sgf_status_t status = sgf_op_wait(writes->ops[i]);
    if (status != SGF_OK)
      complain(sgf_device_name(sgf_op_dst(writes->ops[i])), status);
  }
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
