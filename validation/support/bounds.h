/* Random traffic on the engine alone, event by event: no operation completes before a bound that the engine gave
 * (plugins/fabric/README.md), and nothing is left over. The seat reads a bound far less often; one that is late at any
 * event would reach its waiter late some day. What the fabric is like, what else an operation has and what happened on
 * the way are the test's. */
#ifndef SGF_VALIDATION_BOUNDS_H
#define SGF_VALIDATION_BOUNDS_H

#include <sgfabric/fabric.h>

#include <stdbool.h>

typedef struct bound_traffic bound_traffic_t;

/* A transport's traffic. */
typedef struct bound_kind {
  unsigned runs;                                                   /* with seeds from 1 on */
  unsigned operations;                                             /* of a run */
  unsigned events;                                                 /* from one post to the next, on average */
  sgf_fabric_t* (*build)(bound_traffic_t* traffic, uint64_t seed); /* sealed */
  /* Rates, queue pairs, classes of an operation; NULL: none. `sends`: it is no receive. */
  void (*vary)(bound_traffic_t* traffic, sgf_op_t* op, bool sends);
  void (*end)(bound_traffic_t* traffic); /* checks and counts what a run came to; NULL: nothing */
  void* counts;                          /* the test's own */
  bool awaits_messages_unposted;         /* some messages are posted after they are awaited */
} bound_kind_t;

struct bound_traffic {
  const bound_kind_t* kind;
  sgf_fabric_t* fabric;
  uint64_t random;
  opp_simtime_t bound; /* the latest that was read, moved nearer by posts since: it holds whatever is read later */
  sgf_op_t* unposted;  /* a message that is awaited already; NULL: none */
  uint64_t completions;
  uint64_t late;  /* completions before the bound */
  uint64_t exact; /* at it */
};

/* A number from 0 to below - 1. Neighbouring seeds draw differently from the first number on. */
uint64_t bound_draw(bound_traffic_t* traffic, uint64_t below);

/* Set an attribute of a device that is built; the test ends where that is refused. */
void bound_set(sgf_device_t* device, const char* prefix, const char* name, const char* value);

/* Everything up to the next event, and all that happens at its instant. */
void bound_step(bound_traffic_t* traffic);
void bound_read(bound_traffic_t* traffic);

typedef struct bound_totals {
  uint64_t completions;
  uint64_t exact;
} bound_totals_t;

/* Check all runs. The bound is read after each event, or only when it is reached, as the seat does. */
bound_totals_t bound_never_late(const bound_kind_t* kind, bool after_each);

#endif
