/* Actors that wait for operations. Built with -fexceptions: a killed actor unwinds through these frames, and their
 * cleanups run. */
#include <stdlib.h>

#include "attr/alloc.h"
#include "simgrid/seat.h"

/* A waiter's place in the list of those who wait for one operation; the list begins at the operation's user pointer. */
typedef struct place {
  seat_waiter_t* waiter;
  sgf_op_t* op; /* with a reference of its own */
  struct place* next;
  struct place* previous;
} place_t;

struct seat_waiter {
  sg_sem_t sem;
  unsigned holders; /* its actor, and whoever is about to wake it */
  bool finished;    /* one of its operations is done: it is listed to be woken */
  seat_waiter_t* next;
  seat_waiter_t* previous;
  size_t count;
  place_t places[];
};

/* ---- The finished ------------------------------------------------------------------------------------------------ */

static void finished_add(seat_waiter_t* waiter)
{
  waiter->finished = true;
  waiter->next     = NULL;
  waiter->previous = seat.finished_last;
  if (seat.finished_last != NULL)
    seat.finished_last->next = waiter;
  else
    seat.finished_first = waiter;
  seat.finished_last = waiter;
}

static void finished_remove(seat_waiter_t* waiter)
{
  waiter->finished = false;
  if (waiter->previous != NULL)
    waiter->previous->next = waiter->next;
  else
    seat.finished_first = waiter->next;
  if (waiter->next != NULL)
    waiter->next->previous = waiter->previous;
  else
    seat.finished_last = waiter->previous;
}

void seat_finish(sgf_op_t* op)
{
  for (place_t* place = sgf_op_user(op); place != NULL; place = place->next)
    if (!place->waiter->finished)
      finished_add(place->waiter);
}

static void let_go(seat_waiter_t** waiter)
{
  if (--(*waiter)->holders > 0)
    return;
  sg_sem_destroy((*waiter)->sem);
  free(*waiter);
}

/* A release lets other actors run first: waiters leave, at the instant of their time-out before they are released,
 * further operations finish, and the fabric's actor may end with its host. So the semaphore is held meanwhile. Who has
 * not been released then is still listed; who has been released twice does not mind. */
static void wake(seat_waiter_t* finished)
{
  __attribute__((cleanup(let_go))) seat_waiter_t* waiter = finished;
  waiter->holders++;
  sg_sem_release(waiter->sem);
  if (waiter->finished)
    finished_remove(waiter);
}

void seat_wake_finished(void)
{
  while (seat.finished_first != NULL)
    wake(seat.finished_first);
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------- */

static seat_waiter_t* enter(sgf_op_t* const* ops, size_t count)
{
  seat_waiter_t* waiter = sgf_calloc(1, sizeof *waiter + count * sizeof *waiter->places);
  waiter->sem           = sg_sem_init(0);
  waiter->holders       = 1;
  waiter->count         = count;
  for (size_t i = 0; i < count; i++) {
    place_t* first = sgf_op_user(ops[i]);
    place_t* place = &waiter->places[i];
    *place         = (place_t){.waiter = waiter, .op = sgf_op_ref(ops[i]), .next = first};
    if (first != NULL)
      first->previous = place;
    sgf_op_set_user(place->op, place);
    sgf_op_set_awaited(place->op, true);
  }
  return waiter;
}

static void leave_operation(place_t* place)
{
  if (place->previous != NULL)
    place->previous->next = place->next;
  else
    sgf_op_set_user(place->op, place->next);
  if (place->next != NULL)
    place->next->previous = place->previous;
  if (sgf_op_user(place->op) == NULL)
    sgf_op_set_awaited(place->op, false);
  sgf_op_unref(place->op);
}

/* Also when the actor is killed while it waits. */
static void leave(seat_waiter_t** waiter)
{
  for (size_t i = 0; i < (*waiter)->count; i++)
    leave_operation(&(*waiter)->places[i]);
  if ((*waiter)->finished)
    finished_remove(*waiter);
  let_go(waiter);
}

/* The operation that was done first, and its status. Asked while there are references: who gives the operation up
 * otherwise may be another actor, in the meantime. */
static ptrdiff_t first_done(sgf_op_t* const* ops, size_t count, sgf_status_t* status)
{
  ptrdiff_t first = -1;
  for (size_t i = 0; i < count; i++)
    if (sgf_op_done(ops[i]) && (first < 0 || sgf_op_end(ops[i]) < sgf_op_end(ops[first])))
      first = (ptrdiff_t)i;
  *status = first < 0 ? SGF_TIMEOUT : sgf_op_status(ops[first]);
  return first;
}

ptrdiff_t seat_wait(sgf_op_t* const* ops, size_t count, double timeout_s, sgf_status_t* status)
{
  seat_catch_up();
  const ptrdiff_t done = first_done(ops, count, status);
  if (done >= 0 || count == 0 || timeout_s == 0.0) /* SimGrid 3.32 takes a time-out of 0 for none */
    return done;
  __attribute__((cleanup(leave))) seat_waiter_t* waiter = enter(ops, count);
  for (size_t i = 0; i < count; i++)
    seat_notice(ops[i]);
  if (timeout_s < 0)
    sg_sem_acquire(waiter->sem);
  else if (sg_sem_acquire_timeout(waiter->sem, timeout_s))
    seat_catch_up(); /* a completion at the instant of the time-out wins */
  return first_done(ops, count, status);
}
