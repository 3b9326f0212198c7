/* Whose message it is, and which of its sender's: what orders those of one host at one instant, however SimGrid has
 * ordered its actors (design.md).
 *
 * SimGrid's network model is told neither. What its kernel calls on the way to it is seen in hooks.c: an actor's call
 * is answered; a communication is sent; a communication may begin, which it does when it has both its ends. */
#include "simgrid/model_seat/model_seat.h"

#include <stdlib.h>

#include "attr/alloc.h"

/* Sent before somebody received: the number of the call, by the address of the communication. It stays until another
 * takes the place of that in memory and in the table. */
typedef struct sent {
  const seat_comm_t* comm; /* NULL: free */
  uint64_t call;
} sent_t;

static struct {
  sent_t* items; /* open addressing, at most half full */
  size_t size;   /* a power of two, or 0 */
  size_t count;
} waiting;

static struct {
  const seat_actor_t* caller; /* whose call is answered; NULL: nobody's */
  const seat_comm_t* comm;    /* what may begin; NULL: nothing */
  uint64_t calls;             /* so far */
  bool sending;
  bool begun;
  bool seen;    /* a communication has begun before our eyes */
  bool checked; /* who sends is understood */
} now;

/* ---- Sent ---------------------------------------------------------------------------------------------------------
 */

static sent_t* place_of(const seat_comm_t* comm)
{
  const uint64_t hash = ((uint64_t)(uintptr_t)comm >> 4) * UINT64_C(0x9e3779b97f4a7c15);
  size_t at           = (size_t)(hash >> 20) & (waiting.size - 1);
  while (waiting.items[at].comm != NULL && waiting.items[at].comm != comm)
    at = (at + 1) & (waiting.size - 1);
  return &waiting.items[at];
}

static void make_room(void)
{
  if (2 * (waiting.count + 1) <= waiting.size)
    return;
  sent_t* old      = waiting.items;
  const size_t end = waiting.size;
  waiting.size     = end == 0 ? 64 : 2 * end;
  waiting.items    = sgf_calloc(waiting.size, sizeof *waiting.items);
  for (size_t i = 0; i < end; i++)
    if (old[i].comm != NULL)
      *place_of(old[i].comm) = old[i];
  free(old);
}

static void keep(const seat_comm_t* comm, uint64_t call)
{
  make_room();
  sent_t* place = place_of(comm);
  if (place->comm == NULL)
    waiting.count++;
  *place = (sent_t){comm, call};
}

/* 0: it was sent before the seat was taken. */
static uint64_t call_of(const seat_comm_t* comm)
{
  return waiting.count > 0 ? place_of(comm)->call : 0;
}

/* ---- SimGrid's public objects -------------------------------------------------------------------------------------
 */

/* A public object of SimGrid holds the address of the kernel's in one of its first words, and only its own functions
 * know in which: they are shown one that has it in all of them. */
enum { FACE_WORDS = 32 };
typedef struct face {
  const void* words[FACE_WORDS];
} face_t;

static face_t face_of(const void* of_kernel)
{
  face_t face;
  for (size_t i = 0; i < FACE_WORDS; i++)
    face.words[i] = of_kernel;
  return face;
}

static long number_of_caller(void)
{
  const face_t face = face_of(now.caller);
  return now.caller != NULL ? model_seat.simgrid.actor_number(&face) : 0;
}

/* 0: it is nobody's, but goes from host to host. */
static long number_of_sender(const seat_comm_t* comm)
{
  const face_t face  = face_of(comm);
  const void* sender = model_seat.simgrid.sender(&face);
  return sender != NULL ? model_seat.simgrid.actor_number(sender) : 0;
}

/* The first time: who calls and who sends must be actors that are found by their numbers. */
static void check_faces(const seat_comm_t* comm)
{
  const face_t face  = face_of(comm);
  const void* sender = now.sending ? model_seat.simgrid.sender(&face) : NULL;
  if (model_seat.simgrid.actor(number_of_caller()) == NULL ||
      (now.sending && (sender == NULL || model_seat.simgrid.actor(number_of_sender(comm)) != sender)))
    seat_refuse("this SimGrid does not say who sends as the versions that were tested do");
  now.checked = now.sending;
}

/* ---- What the kernel does -----------------------------------------------------------------------------------------
 */

void seat_order_answer(const seat_actor_t* caller)
{
  now.caller = caller;
}

void seat_order_send(bool sending)
{
  now.sending = sending;
}

void seat_order_try(const seat_comm_t* comm)
{
  now.comm  = comm;
  now.begun = false;
  now.seen  = true;
}

void seat_order_tried(void)
{
  if (now.sending && !now.begun)
    keep(now.comm, ++now.calls);
  now.comm = NULL;
}

/* ---- Keys ---------------------------------------------------------------------------------------------------------
 */

enum { CALL_BITS = 36 }; /* above them 27 for the actor: what a simulation has time for */
static const int64_t nobodys = (INT64_C(1) << 27) - 1;

static int64_t key_of(int64_t actor, uint64_t call)
{
  return actor << CALL_BITS | (int64_t)(call & ((UINT64_C(1) << CALL_BITS) - 1));
}

int64_t seat_order_key(void)
{
  if (!now.seen && !model_seat.came_late)
    seat_refuse("this SimGrid begins communications otherwise than the versions that were tested");
  if (now.comm == NULL)
    return key_of(nobodys, ++now.calls);
  now.begun = true;
  if (!now.checked && now.caller != NULL)
    check_faces(now.comm);
  const long sender = number_of_sender(now.comm);
  if (sender > 0)
    return key_of(sender, now.sending ? ++now.calls : call_of(now.comm));
  const long caller = number_of_caller();
  return key_of(caller > 0 ? caller : nobodys, ++now.calls);
}
