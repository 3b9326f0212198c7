/* The operations that somebody awaits: a heap by the earliest date at which each can complete, as far as that is known.
 * Such a date holds whatever happens, so that only those whose date is near have to be looked at again (bound.c). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

/* ---- Heap -------------------------------------------------------------------------------------------------------- */

static void place(fabric_awaited_t* awaited, size_t slot, sgf_op_t* op)
{
  awaited->heap[slot] = op;
  op->slot            = slot;
}

static void rise(fabric_awaited_t* awaited, sgf_op_t* op)
{
  size_t slot = op->slot;
  for (; slot > 0 && op->firm < awaited->heap[(slot - 1) / 2]->firm; slot = (slot - 1) / 2)
    place(awaited, slot, awaited->heap[(slot - 1) / 2]);
  place(awaited, slot, op);
}

static void sink(fabric_awaited_t* awaited, sgf_op_t* op)
{
  size_t slot = op->slot;
  for (size_t child; (child = 2 * slot + 1) < awaited->count; slot = child) {
    if (child + 1 < awaited->count && awaited->heap[child + 1]->firm < awaited->heap[child]->firm)
      child++;
    if (awaited->heap[child]->firm >= op->firm)
      break;
    place(awaited, slot, awaited->heap[child]);
  }
  place(awaited, slot, op);
}

void fabric_awaited_push(fabric_awaited_t* awaited, sgf_op_t* op)
{
  if (awaited->count == awaited->capacity) {
    awaited->capacity = awaited->capacity == 0 ? 64 : 2 * awaited->capacity;
    awaited->heap     = sgf_realloc(awaited->heap, awaited->capacity, sizeof(sgf_op_t*));
    awaited->taken    = sgf_realloc(awaited->taken, awaited->capacity, sizeof(sgf_op_t*));
  }
  op->slot = awaited->count++;
  rise(awaited, op);
}

void fabric_awaited_remove(fabric_awaited_t* awaited, const sgf_op_t* op)
{
  sgf_op_t* last = awaited->heap[--awaited->count];
  if (last == op)
    return;
  place(awaited, op->slot, last);
  rise(awaited, last);
  sink(awaited, last);
}

void fabric_awaited_look_again(sgf_op_t* op)
{
  if (!op->awaited)
    return;
  op->firm = 0;
  rise(&op->fabric->awaited, op);
}

void fabric_awaited_free(fabric_awaited_t* awaited)
{
  free(awaited->heap);
  free(awaited->taken);
}

/* ---- Deliveries -------------------------------------------------------------------------------------------------- */

/* Frames to the host of an awaited delivery are watched from now on; those already on its cable were not. */
static void watch_deliveries(sgf_device_t* host)
{
  net_port_t* port            = fabric_port_into(host);
  port->watch_all             = true;
  const opp_simtime_t longest = net_port_duration(port, host->fabric->largest_frame) + 1 + net_port_delay(port);
  host->closing_known_from    = opp_sim_clock(host->fabric->sim) + longest;
}

void fabric_await_delivery(sgf_device_t* host)
{
  if (host->awaited_deliveries++ == 0)
    watch_deliveries(host);
}

static void list_receive(sgf_op_t* op)
{
  op->previous_awaited = NULL;
  op->next_awaited     = op->dst->receives;
  if (op->next_awaited != NULL)
    op->next_awaited->previous_awaited = op;
  op->dst->receives = op;
}

static void unlist_receive(sgf_op_t* op)
{
  if (op->previous_awaited != NULL)
    op->previous_awaited->next_awaited = op->next_awaited;
  else
    op->dst->receives = op->next_awaited;
  if (op->next_awaited != NULL)
    op->next_awaited->previous_awaited = op->previous_awaited;
}

void fabric_awaited_post(const sgf_op_t* write)
{
  for (sgf_op_t* receive = write->dst->receives; receive != NULL; receive = receive->next_awaited)
    if (receive->tag == write->tag)
      fabric_awaited_look_again(receive);
}

/* ---- Operations -------------------------------------------------------------------------------------------------- */

/* The host at which an operation completes by a delivery; NULL: it completes otherwise, or has no ends yet. */
static sgf_device_t* host_of_delivery(const sgf_op_t* op)
{
  return op->kind == FABRIC_WRITE ? NULL : op->dst;
}

void sgf_op_set_awaited(sgf_op_t* op, bool awaited)
{
  if (op->done || op->awaited == awaited)
    return;
  sgf_device_t* host = host_of_delivery(op);
  op->awaited        = awaited;
  if (awaited) {
    op->firm = 0;
    fabric_awaited_push(&op->fabric->awaited, op);
    if (op->kind == FABRIC_RECEIVE)
      list_receive(op);
    if (host != NULL)
      fabric_await_delivery(host);
  } else {
    fabric_awaited_remove(&op->fabric->awaited, op);
    if (op->kind == FABRIC_RECEIVE)
      unlist_receive(op);
    if (host != NULL && --host->awaited_deliveries == 0)
      fabric_port_into(host)->watch_all = false;
  }
}
