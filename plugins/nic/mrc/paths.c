/* Entropy values: see paths.h. */
#include "nic/mrc/paths.h"

#include <stdlib.h>

#include "attr/alloc.h"

enum { NO_PATH = UINT16_MAX };

void mrc_paths_init(mrc_paths_t* paths, uint16_t first_value, uint16_t count)
{
  *paths = (mrc_paths_t){
      .first_value = first_value,
      .count       = count,
      .good        = count,
      .live        = count,
      .oldest      = NO_PATH,
      .newest      = NO_PATH,
      .order       = sgf_calloc(count, sizeof(uint16_t)),
      .paths       = sgf_calloc(count, sizeof(mrc_path_t)),
  };
  for (uint16_t i = 0; i < count; i++) {
    paths->order[i]       = i;
    paths->paths[i].place = i;
  }
}

void mrc_paths_free(mrc_paths_t* paths)
{
  free(paths->order);
  free(paths->paths);
}

/* ---- In and out of the good state -------------------------------------------------------------------------------- */

static void leave_good(mrc_paths_t* paths, uint16_t path)
{
  paths->paths[path].next     = NO_PATH;
  paths->paths[path].previous = paths->newest;
  if (paths->newest != NO_PATH)
    paths->paths[paths->newest].next = path;
  else
    paths->oldest = path;
  paths->newest = path;
  paths->good--;
}

static void become_good(mrc_paths_t* paths, uint16_t path)
{
  mrc_path_t* at = &paths->paths[path];
  if (at->previous != NO_PATH)
    paths->paths[at->previous].next = at->next;
  else
    paths->oldest = at->next;
  if (at->next != NO_PATH)
    paths->paths[at->next].previous = at->previous;
  else
    paths->newest = at->previous;
  at->state = MRC_GOOD;
  paths->good++;
}

/* ---- The order --------------------------------------------------------------------------------------------------- */

static void put(mrc_paths_t* paths, uint16_t place, uint16_t path)
{
  paths->order[place]      = path;
  paths->paths[path].place = place;
}

static void exchange(mrc_paths_t* paths, uint16_t a, uint16_t b)
{
  const uint16_t path = paths->order[a];
  put(paths, a, paths->order[b]);
  put(paths, b, path);
}

/* Those that have had their turn in this rotation stay before those that have not. */
static void leave_order(mrc_paths_t* paths, uint16_t path)
{
  uint16_t place = paths->paths[path].place;
  if (place < paths->turn) {
    exchange(paths, place, --paths->turn);
    place = paths->turn;
  }
  exchange(paths, place, --paths->live);
}

/* Its turn is still to come in this rotation. */
static void enter_order(mrc_paths_t* paths, uint16_t path)
{
  put(paths, paths->live++, path);
}

/* The next of the order, drawn from those that have not had their turn in this rotation. */
static uint16_t next_turn(mrc_paths_t* paths, opp_rng_t* rng)
{
  if (paths->turn == paths->live)
    paths->turn = 0;
  const int64_t drawn = opp_rng_intuniform(rng, paths->turn, paths->live - 1);
  exchange(paths, paths->turn, (uint16_t)drawn);
  return paths->order[paths->turn++];
}

/* True: it may be used. One that is to be skipped is good from its next turn on. */
static bool may_go(mrc_paths_t* paths, uint16_t path)
{
  if (paths->paths[path].state == MRC_GOOD)
    return true;
  become_good(paths, path);
  return false;
}

uint16_t mrc_paths_next(mrc_paths_t* paths, opp_rng_t* rng)
{
  uint16_t path = paths->oldest;
  if (paths->good > 0)
    do
      path = next_turn(paths, rng);
    while (!may_go(paths, path));
  else if (paths->live > 0) /* the order goes on, else nothing would ever have been passed over */
    may_go(paths, next_turn(paths, rng));
  return (uint16_t)(paths->first_value + path);
}

/* ---- What is said of them ---------------------------------------------------------------------------------------- */

void mrc_paths_judge(mrc_paths_t* paths, uint16_t value, mrc_verdict_t verdict)
{
  const uint16_t path = (uint16_t)(value - paths->first_value);
  mrc_path_t* at      = &paths->paths[path];
  if (verdict == MRC_PATH_NONE || at->state == MRC_ASSUMED_BAD)
    return;
  if (at->state == MRC_GOOD)
    leave_good(paths, path);
  if (verdict == MRC_PATH_ALWAYS_SKIP)
    leave_order(paths, path);
  at->state = verdict == MRC_PATH_ALWAYS_SKIP ? MRC_ASSUMED_BAD : MRC_SKIP;
}

void mrc_paths_probed(mrc_paths_t* paths, uint16_t value, mrc_verdict_t verdict)
{
  const uint16_t path = (uint16_t)(value - paths->first_value);
  mrc_path_t* at      = &paths->paths[path];
  if (verdict == MRC_PATH_ALWAYS_SKIP || at->state != MRC_ASSUMED_BAD) {
    mrc_paths_judge(paths, value, verdict);
    return;
  }
  enter_order(paths, path);
  if (verdict == MRC_PATH_NONE)
    become_good(paths, path);
  else
    at->state = MRC_SKIP;
}
