/* simgrid, inside: the actor functions that a deployment may name. */
#ifndef SIMGRID_ACTORS_H
#define SIMGRID_ACTORS_H

#include <sgfabric/scenario.h>
#include <sgfabric/simgrid.h>

typedef enum actor_arg_kind {
  ACTOR_ARG_NONE,
  ACTOR_ARG_DST,
  ACTOR_ARG_SIZE,
  ACTOR_ARG_COUNT,
  ACTOR_ARG_GAP,
  ACTOR_ARG_SEED,
  ACTOR_ARG_QUEUE_PAIR,
  ACTOR_ARG_WITHIN,
  ACTOR_ARG_RATE
} actor_arg_kind_t;

enum { ACTOR_MAX_ARGS = 4 };

/* An actor function that a deployment may name. */
typedef struct actor_function {
  const char* name;
  const char* help;
  actor_arg_kind_t args[ACTOR_MAX_ARGS];
  int required; /* how many of them must be given */
  bool sends;   /* the actor writes from its own host, which needs a NIC */
  size_t hosts; /* hosts with a NIC that the platform must have */
  void (*run)(int argc, char** argv);
} actor_function_t;

/* The arguments of an actor, in the units of the library. */
typedef struct actor_args {
  const char* dst;
  uint64_t bytes;
  uint64_t count;      /* default 1 */
  opp_simtime_t gap;   /* default 0 */
  uint64_t seed;       /* default 1 */
  uint64_t queue_pair; /* default 0 */
  opp_simtime_t within;
  int64_t rate_bps; /* default 0: no limit */
} actor_args_t;

extern const actor_function_t actor_functions[];
extern const size_t actor_function_count;

/* By name, or NULL. */
const actor_function_t* actor_function_find(const char* name);

/* "rdma_write <dst> <size> [count] [gap]" */
const char* actor_function_usage(const actor_function_t* function, char* buffer, size_t size);

/* Read the arguments argv[1..] of an actor; argv[0] is the function. */
sgf_status_t actor_args_read(const actor_function_t* function, int argc, const char* const* argv, actor_args_t* args,
                             sgf_error_t* error);

/* The functions (actors.c). */
void actor_rdma_write(int argc, char** argv);
void actor_flow(int argc, char** argv);
void actor_staggered_flow(int argc, char** argv);
void actor_sink(int argc, char** argv);
void actor_incast(int argc, char** argv);
void actor_permutation(int argc, char** argv);
void actor_all_to_all(int argc, char** argv);

#endif
