/* nic/mrc: the entropy values of one queue pair and what is known of their paths (spec/mrc-nic.md 10.8). A plain state
 * machine: no packets, no clock.
 *
 * Values that may be used are in an order that is drawn anew, value by value, for each rotation. One that is to be
 * skipped is passed over once and good again; one that is assumed bad is out of the order until a probe succeeds. */
#ifndef MRC_PATHS_H
#define MRC_PATHS_H

#include "nic/mrc/wire.h"

typedef enum mrc_path_state { MRC_GOOD, MRC_SKIP, MRC_ASSUMED_BAD } mrc_path_state_t;

typedef struct mrc_path {
  uint8_t state;
  uint16_t place; /* in the order, unless it is assumed bad */
  uint16_t next;  /* of those that are not good, by when they left that state */
  uint16_t previous;
} mrc_path_t;

typedef struct mrc_paths {
  uint16_t first_value;
  uint16_t count;
  uint16_t good;
  uint16_t live;   /* in the order: good, or to be skipped */
  uint16_t turn;   /* place in the order of the next one */
  uint16_t oldest; /* left the good state first, of those that have */
  uint16_t newest;
  uint16_t* order;
  mrc_path_t* paths; /* by value - first_value */
} mrc_paths_t;

/* `count` values, 1 to 65,535, from `first_value` on. */
void mrc_paths_init(mrc_paths_t* paths, uint16_t first_value, uint16_t count);
void mrc_paths_free(mrc_paths_t* paths);

/* The value of the next packet: a good one. If there is none, the one that left that state longest ago. */
uint16_t mrc_paths_next(mrc_paths_t* paths, opp_rng_t* rng);

/* What a SACK says of a value's path, or a NACK (MRC_PATH_SKIP_ONCE), or a timeout (MRC_PATH_ALWAYS_SKIP). */
void mrc_paths_judge(mrc_paths_t* paths, uint16_t value, mrc_verdict_t verdict);

/* What the answer to a probe says: a path that was assumed bad is not, unless it is always to be skipped. */
void mrc_paths_probed(mrc_paths_t* paths, uint16_t value, mrc_verdict_t verdict);

static inline mrc_path_state_t mrc_paths_state(const mrc_paths_t* paths, uint16_t value)
{
  return (mrc_path_state_t)paths->paths[value - paths->first_value].state;
}

static inline uint16_t mrc_paths_bad(const mrc_paths_t* paths)
{
  return (uint16_t)(paths->count - paths->live);
}

#endif
