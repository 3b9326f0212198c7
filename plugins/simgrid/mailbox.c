/* Mailboxes by name: a put and a get that meet become one message (sgfabric/simgrid.h). Built with -fexceptions, as
 * calls.c is. */
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "attr/hash.h"
#include "simgrid/seat.h"

/* A put or a get that has not met its other half. */
typedef struct half {
  sgf_op_t* op; /* with a reference of the mailbox's */
  sgf_device_t* host;
  int64_t order; /* of a put, as the next two */
  void* payload;
  uint64_t bytes;
  void** to; /* of a get */
  struct half* next;
} half_t;

struct sgf_mailbox {
  char* name;
  bool puts; /* what waits: puts, or gets; never both */
  half_t* first;
  half_t* last;
  sgf_mailbox_t* next; /* of the same slot */
};

enum { SLOTS = 1024 };

/* ---- By name ----------------------------------------------------------------------------------------------------- */

sgf_mailbox_t* sgf_mailbox_by_name(const char* name)
{
  if (seat.mailboxes == NULL)
    seat.mailboxes = sgf_calloc(SLOTS, sizeof(sgf_mailbox_t*));
  sgf_mailbox_t** slot = &seat.mailboxes[sgf_hash_text(name) % SLOTS];
  for (sgf_mailbox_t* box = *slot; box != NULL; box = box->next)
    if (strcmp(box->name, name) == 0)
      return box;
  sgf_mailbox_t* box = sgf_calloc(1, sizeof *box);
  box->name          = sgf_strdup(name);
  box->next          = *slot;
  *slot              = box;
  return box;
}

void seat_free_mailboxes(void)
{
  for (size_t slot = 0; seat.mailboxes != NULL && slot < SLOTS; slot++)
    for (sgf_mailbox_t *box = seat.mailboxes[slot], *next; box != NULL; box = next) {
      next = box->next;
      for (half_t *half = box->first, *after; half != NULL; half = after) {
        after = half->next;
        free(half);
      }
      free(box->name);
      free(box);
    }
  free(seat.mailboxes);
  seat.mailboxes = NULL;
}

const char* seat_mailbox_name(const sgf_mailbox_t* mailbox)
{
  return mailbox->name;
}

bool seat_mailbox_waits(const sgf_mailbox_t* mailbox)
{
  return mailbox->first != NULL;
}

bool sgf_mailbox_listen(const sgf_mailbox_t* mailbox)
{
  return mailbox->puts && mailbox->first != NULL;
}

/* ---- Meeting ----------------------------------------------------------------------------------------------------- */

static void wait_for_other(sgf_mailbox_t* box, bool put, half_t half)
{
  half_t* waiting = sgf_calloc(1, sizeof *waiting);
  *waiting        = half;
  waiting->next   = NULL;
  box->puts       = put;
  if (box->first != NULL)
    box->last->next = waiting;
  else
    box->first = waiting;
  box->last = waiting;
}

/* The first half that waits. The caller frees it. */
static half_t* take_first(sgf_mailbox_t* box)
{
  half_t* half = box->first;
  box->first   = half->next;
  return half;
}

/* Both halves are there: the message begins now, posted by the sender. One that cannot is done with its status, which
 * who does not wait for it would not see. */
static void begin(const sgf_mailbox_t* box, sgf_op_t* op, const half_t* put, const half_t* get)
{
  sgf_error_t error  = {0};
  sgf_error_t reason = {0};
  sgf_op_set_payload(op, put->payload, get->to);
  if (sgf_op_post(op, put->host, get->host, put->bytes, seat_now(), put->order, &error) == SGF_OK)
    return;
  sgf_error_set(&reason, error.status, "message of mailbox %s: %s", box->name, error.text);
  seat_note_refusal(&reason);
}

/* One half comes; the operation that it shares with the other. NULL: the caller's host has no NIC, or there is too much
 * to send. Who blocks on it next lets the fabric's actor know; no other actor runs before that, so that a killed one
 * leaves nothing half done. */
static sgf_op_t* meet(sgf_mailbox_t* box, bool put, half_t mine)
{
  mine.host = seat_nic(sg_host_self());
  if (put)
    mine.order = seat_post_order();
  if (mine.host == NULL || mine.bytes > SGF_LARGEST_WRITE)
    return NULL;
  seat_catch_up();
  if (box->first == NULL || box->puts == put) {
    mine.op = sgf_op_message(seat.fabric);
    wait_for_other(box, put, mine);
    return sgf_op_ref(mine.op);
  }
  half_t* other = take_first(box);
  sgf_op_t* op  = other->op; /* the mailbox's reference becomes the caller's */
  begin(box, op, put ? &mine : other, put ? other : &mine);
  free(other);
  return op;
}

static bool has_begun(const sgf_op_t* op)
{
  return sgf_op_src(op) != NULL;
}

/* Take back a half that waits still. */
static void take_back(sgf_mailbox_t* box, const sgf_op_t* op)
{
  half_t* previous = NULL;
  for (half_t* half = box->first; half != NULL; previous = half, half = half->next)
    if (half->op == op) {
      if (previous != NULL)
        previous->next = half->next;
      else
        box->first = half->next;
      if (box->last == half)
        box->last = previous;
      sgf_op_unref(half->op);
      free(half);
      return;
    }
}

bool seat_mailbox_withdraw(sgf_mailbox_t* mailbox, const sgf_op_t* op)
{
  if (has_begun(op))
    return false;
  take_back(mailbox, op);
  return true;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static sgf_op_t* put_half(sgf_mailbox_t* mailbox, void* payload, uint64_t bytes)
{
  return meet(mailbox, true, (half_t){.payload = payload, .bytes = bytes});
}

static sgf_op_t* get_half(sgf_mailbox_t* mailbox, void** to)
{
  return meet(mailbox, false, (half_t){.to = to});
}

/* Somebody may wait for it already. */
static sgf_op_t* noticed(sgf_op_t* op)
{
  if (op != NULL && sgf_op_done(op)) /* it could not be posted */
    seat_catch_up();
  else if (op != NULL && has_begun(op))
    seat_notice(op);
  return op;
}

sgf_op_t* sgf_mailbox_put_async(sgf_mailbox_t* mailbox, void* payload, uint64_t simulated_bytes)
{
  return noticed(put_half(mailbox, payload, simulated_bytes));
}

sgf_op_t* sgf_mailbox_get_async(sgf_mailbox_t* mailbox, void** payload)
{
  return noticed(get_half(mailbox, payload));
}

/* What a blocking call holds. */
typedef struct held {
  sgf_mailbox_t* box;
  sgf_op_t* op;
} held_t;

/* Also when the actor is killed: what it has not begun does not begin. */
static void let_go(held_t* held)
{
  if (held->op == NULL)
    return;
  seat_mailbox_withdraw(held->box, held->op);
  sgf_op_unref(held->op);
}

sgf_status_t sgf_mailbox_put(sgf_mailbox_t* mailbox, void* payload, uint64_t simulated_bytes)
{
  if (simulated_bytes > SGF_LARGEST_WRITE)
    return SGF_RANGE;
  __attribute__((cleanup(let_go))) held_t held = {mailbox, put_half(mailbox, payload, simulated_bytes)};
  return held.op == NULL ? SGF_NO_NIC : sgf_op_wait(held.op);
}

sgf_status_t seat_mailbox_get(sgf_mailbox_t* mailbox, void** payload)
{
  __attribute__((cleanup(let_go))) held_t held = {mailbox, get_half(mailbox, NULL)};
  const sgf_status_t status                    = held.op == NULL ? SGF_NO_NIC : sgf_op_wait(held.op);
  *payload                                     = status == SGF_OK ? sgf_op_payload(held.op) : NULL;
  return status;
}

void* sgf_mailbox_get(sgf_mailbox_t* mailbox)
{
  void* payload;
  seat_mailbox_get(mailbox, &payload);
  return payload;
}
