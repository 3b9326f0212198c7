/* Periods in a heap by their next dates. */
#include "records/schedule.h"

#include <stdlib.h>

#include "attr/alloc.h"

typedef struct period {
  opp_simtime_t next;
  size_t rank; /* in order of addition */
  opp_simtime_t interval;
  schedule_cb due;
  void* user;
} period_t;

struct schedule {
  period_t* heap;
  size_t count;
};

schedule_t* schedule_new(void)
{
  return sgf_calloc(1, sizeof(schedule_t));
}

void schedule_free(schedule_t* schedule)
{
  free(schedule->heap);
  free(schedule);
}

static bool comes_before(const period_t* a, const period_t* b)
{
  return a->next < b->next || (a->next == b->next && a->rank < b->rank);
}

static void swap(period_t* a, period_t* b)
{
  const period_t kept = *a;

  *a = *b;
  *b = kept;
}

void schedule_add(schedule_t* schedule, opp_simtime_t first, opp_simtime_t interval, schedule_cb due, void* user)
{
  size_t at      = schedule->count++;
  schedule->heap = sgf_realloc(schedule->heap, schedule->count, sizeof *schedule->heap);
  period_t* heap = schedule->heap;
  heap[at]       = (period_t){.next = first, .rank = at, .interval = interval, .due = due, .user = user};
  for (; at > 0 && comes_before(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2)
    swap(&heap[at], &heap[(at - 1) / 2]);
}

opp_simtime_t schedule_next(const schedule_t* schedule)
{
  return schedule->count > 0 ? schedule->heap[0].next : OPP_TIME_MAX;
}

/* The first period has a later date now. */
static void sink_first(schedule_t* schedule)
{
  period_t* heap = schedule->heap;
  for (size_t at = 0, child; (child = 2 * at + 1) < schedule->count; at = child) {
    if (child + 1 < schedule->count && comes_before(&heap[child + 1], &heap[child]))
      child++;
    if (comes_before(&heap[at], &heap[child]))
      return;
    swap(&heap[at], &heap[child]);
  }
}

opp_simtime_t schedule_tick(schedule_t* schedule, opp_simtime_t now)
{
  while (schedule_next(schedule) <= now && schedule_next(schedule) != OPP_TIME_MAX) {
    period_t* first          = &schedule->heap[0];
    const opp_simtime_t date = first->next;
    first->due(first->user, date);
    first->next = first->interval < OPP_TIME_MAX - date ? date + first->interval : OPP_TIME_MAX;
    sink_first(schedule);
  }
  return schedule_next(schedule);
}
