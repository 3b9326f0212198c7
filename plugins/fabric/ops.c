/* Operations: posted, held until their instant has passed, applied in a fixed order, completed. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static sgf_op_t* op_new(sgf_fabric_t* fabric, fabric_op_kind_t kind, opp_simtime_t date, int64_t actor)
{
  sgf_op_t* op   = sgf_calloc(1, sizeof *op);
  op->fabric     = fabric;
  op->kind       = kind;
  op->date       = date;
  op->actor      = actor;
  op->holders    = 1;
  op->references = 1;
  op->next       = fabric->ops;
  if (op->next != NULL)
    op->next->previous = op;
  fabric->ops = op;
  return op;
}

static void op_free(sgf_op_t* op)
{
  if (op->previous != NULL)
    op->previous->next = op->next;
  else
    op->fabric->ops = op->next;
  if (op->next != NULL)
    op->next->previous = op->previous;
  free(op);
}

/* The last reference is a holder's, the completion queue's, or, of a write that is under way, the NICs'. */
static void op_unref(sgf_op_t* op)
{
  if (--op->references == 0)
    op_free(op);
}

void fabric_free_ops(sgf_fabric_t* fabric)
{
  while (fabric->ops != NULL)
    op_free(fabric->ops);
}

/* ---- Awaited ----------------------------------------------------------------------------------------------------- */

/* Frames to the host of an awaited receive are watched from now on; those already on its cable were not. */
static void watch_receives(sgf_device_t* host)
{
  net_port_t* port = fabric_port_into(host);
  port->watch_all  = true;
  const opp_simtime_t longest =
      opp_rate_duration(opp_rate(net_port_bps(port)), 8 * host->fabric->largest_frame) + 1 + net_port_delay(port);
  host->closing_known_from = opp_sim_clock(host->fabric->sim) + longest;
}

static void list_as_awaited(sgf_op_t* op)
{
  sgf_fabric_t* fabric = op->fabric;
  op->awaited          = true;
  op->previous_awaited = NULL;
  op->next_awaited     = fabric->awaited;
  if (op->next_awaited != NULL)
    op->next_awaited->previous_awaited = op;
  fabric->awaited = op;
  if (op->kind == FABRIC_RECEIVE && op->dst->awaited_receives++ == 0)
    watch_receives(op->dst);
}

static void unlist_as_awaited(sgf_op_t* op)
{
  op->awaited = false;
  if (op->previous_awaited != NULL)
    op->previous_awaited->next_awaited = op->next_awaited;
  else
    op->fabric->awaited = op->next_awaited;
  if (op->next_awaited != NULL)
    op->next_awaited->previous_awaited = op->previous_awaited;
  if (op->kind == FABRIC_RECEIVE && --op->dst->awaited_receives == 0)
    fabric_port_into(op->dst)->watch_all = false;
}

void sgf_op_set_awaited(sgf_op_t* op, bool awaited)
{
  if (op->done || op->awaited == awaited)
    return;
  if (awaited)
    list_as_awaited(op);
  else
    unlist_as_awaited(op);
}

/* ---- Completion -------------------------------------------------------------------------------------------------- */

void fabric_complete(sgf_op_t* op, sgf_status_t status)
{
  sgf_fabric_t* fabric = op->fabric;
  op->done             = true;
  op->status           = status;
  op->end              = opp_sim_clock(fabric->sim);
  if (!op->awaited)
    return;
  unlist_as_awaited(op);
  op->references++;
  if (fabric->completed_last != NULL)
    fabric->completed_last->next_completed = op;
  else
    fabric->completed_first = op;
  fabric->completed_last = op;
  opp_end_simulation(fabric->net); /* stop the engine after this event */
}

sgf_op_t* sgf_engine_completed(sgf_fabric_t* fabric)
{
  sgf_op_t* op;
  while ((op = fabric->completed_first) != NULL) {
    fabric->completed_first = op->next_completed;
    if (fabric->completed_first == NULL)
      fabric->completed_last = NULL;
    op->next_completed  = NULL;
    const bool is_taken = op->holders > 0; /* else its waiter has gone meanwhile */
    op_unref(op);
    if (is_taken)
      return op;
  }
  return NULL;
}

static void unlist_incoming(sgf_op_t* op)
{
  if (op->previous_incoming != NULL)
    op->previous_incoming->next_incoming = op->next_incoming;
  else
    op->dst->incoming = op->next_incoming;
  if (op->next_incoming != NULL)
    op->next_incoming->previous_incoming = op->previous_incoming;
}

static void list_incoming(sgf_op_t* op)
{
  op->next_incoming = op->dst->incoming;
  if (op->next_incoming != NULL)
    op->next_incoming->previous_incoming = op;
  op->dst->incoming = op;
}

/* A slow PCIe link delivers a message after its last acknowledgement. */
static void leave_nics(sgf_op_t* op)
{
  if (!op->acknowledged || !op->delivered)
    return;
  unlist_incoming(op);
  op_unref(op);
}

void fabric_acknowledged(void* user, nic_message_t* message)
{
  sgf_fabric_t* fabric = user;
  sgf_op_t* op         = (sgf_op_t*)(void*)message;
  fabric->outstanding--;
  fabric->flows[op->flow].end = opp_sim_clock(fabric->sim);
  op->acknowledged            = true;
  if (op->done)
    fabric->given_up--;
  else
    fabric_complete(op, SGF_OK);
  fabric_watch_progress(fabric);
  leave_nics(op);
}

void fabric_delivered(void* user, nic_t* nic, const nic_delivery_t* delivery)
{
  sgf_fabric_t* fabric = user;
  sgf_device_t* host   = fabric->hosts[nic->address - FABRIC_FIRST_HOST];
  sgf_device_t* src    = fabric->hosts[delivery->src - FABRIC_FIRST_HOST];
  for (sgf_op_t* op = host->incoming; op != NULL; op = op->next_incoming)
    if (op->message.number == delivery->number) {
      op->delivered = true;
      leave_nics(op);
      break;
    }
  fabric_mailbox_deliver(host, src, delivery->bytes, delivery->tag);
}

/* ---- Posting ----------------------------------------------------------------------------------------------------- */

static bool posted_before(const sgf_op_t* a, const sgf_op_t* b)
{
  if (a->date != b->date)
    return a->date < b->date;
  if (a->src->index != b->src->index)
    return a->src->index < b->src->index;
  return a->actor <= b->actor; /* of one actor: in order of the calls */
}

static void hold(sgf_op_t* op)
{
  sgf_fabric_t* fabric = op->fabric;
  if (fabric->post_count == fabric->post_capacity) {
    fabric->post_capacity = fabric->post_capacity == 0 ? 64 : 2 * fabric->post_capacity;
    fabric->posts         = sgf_realloc(fabric->posts, fabric->post_capacity, sizeof(sgf_op_t*));
  }
  size_t at = fabric->post_count++;
  for (; at > 0 && !posted_before(fabric->posts[at - 1], op); at--)
    fabric->posts[at] = fabric->posts[at - 1];
  fabric->posts[at] = op;
  op->held          = true;
}

static void record_flow(sgf_op_t* op)
{
  sgf_fabric_t* fabric = op->fabric;
  if (fabric->flow_count == fabric->flow_capacity) {
    fabric->flow_capacity = fabric->flow_capacity == 0 ? 64 : 2 * fabric->flow_capacity;
    fabric->flows         = sgf_realloc(fabric->flows, fabric->flow_capacity, sizeof *fabric->flows);
  }
  op->flow                = fabric->flow_count;
  fabric->flows[op->flow] = (sgf_flow_t){.src = op->src->name, .dst = op->dst->name, .bytes = op->bytes, .start = op->date, .end = -1};
  fabric->flow_count++;
}

sgf_op_t* sgf_op_write(sgf_fabric_t* fabric, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes, uint64_t tag, opp_simtime_t date,
                       int64_t actor, sgf_error_t* error)
{
  if (!fabric->sealed || date < opp_sim_clock(fabric->sim)) {
    sgf_error_set(error, SGF_STATE, "a write can be posted to a sealed fabric, and not into its past");
    return NULL;
  }
  if (sgf_device_is_switch(src) || sgf_device_is_switch(dst)) {
    sgf_error_set(error, SGF_NO_NIC, "'%s' is a switch; a write goes from host to host", sgf_device_is_switch(src) ? src->name : dst->name);
    return NULL;
  }
  if (src->transport != dst->transport) {
    sgf_error_set(error, SGF_RULE, "'%s' has a %s NIC and '%s' a %s NIC: they do not understand each other", src->name,
                  src->transport->name, dst->name, dst->transport->name);
    return NULL;
  }
  if (bytes > INT64_MAX / 64) {
    sgf_error_set(error, SGF_RANGE, "a write of %llu bytes is more than the fabric can time", (unsigned long long)bytes);
    return NULL;
  }
  sgf_op_t* op   = op_new(fabric, FABRIC_WRITE, date, actor);
  op->src        = src;
  op->dst        = dst;
  op->bytes      = bytes;
  op->tag        = tag;
  op->references = 2; /* the caller's, and that of the NICs */
  hold(op);
  return op;
}

sgf_op_t* sgf_op_recv(sgf_fabric_t* fabric, sgf_device_t* host, uint64_t tag, opp_simtime_t date, int64_t actor)
{
  sgf_op_t* op = op_new(fabric, FABRIC_RECEIVE, date, actor);
  op->dst      = host;
  op->tag      = tag;
  fabric_mailbox_receive(op);
  return op;
}

/* Posts become messages of the NICs, flows and outstanding work, in their order. */
void fabric_apply_posts(sgf_fabric_t* fabric, opp_simtime_t date)
{
  size_t count = 0;
  while (count < fabric->post_count && fabric->posts[count]->date == date) {
    sgf_op_t* op = fabric->posts[count++];
    op->held     = false;
    op->message  = (nic_message_t){
         .number = ++fabric->last_number, .bytes = op->bytes, .tag = op->tag, .dst = FABRIC_FIRST_HOST + op->dst->index};
    record_flow(op);
    list_incoming(op);
    fabric->outstanding++;
    fabric_watch_progress(fabric);
    op->src->transport->post(fabric_nic(op->src), &op->message);
  }
  fabric->post_count -= count;
  memmove(fabric->posts, fabric->posts + count, fabric->post_count * sizeof(sgf_op_t*));
}

sgf_op_t* sgf_op_ref(sgf_op_t* op)
{
  op->holders++;
  op->references++;
  return op;
}

void sgf_op_unref(sgf_op_t* op)
{
  if (op == NULL)
    return;
  if (--op->holders == 0) {
    sgf_op_set_awaited(op, false);
    if (op->kind == FABRIC_RECEIVE && !op->done)
      fabric_mailbox_withdraw(op);
  }
  op_unref(op);
}

/* ---- Properties -------------------------------------------------------------------------------------------------- */

bool sgf_op_done(const sgf_op_t* op)
{
  return op->done;
}

sgf_status_t sgf_op_status(const sgf_op_t* op)
{
  return op->status;
}

opp_simtime_t sgf_op_start(const sgf_op_t* op)
{
  return op->date;
}

opp_simtime_t sgf_op_end(const sgf_op_t* op)
{
  return op->end;
}

uint64_t sgf_op_bytes(const sgf_op_t* op)
{
  return op->bytes;
}

sgf_device_t* sgf_op_src(const sgf_op_t* op)
{
  return op->src;
}

sgf_device_t* sgf_op_dst(const sgf_op_t* op)
{
  return op->dst;
}

void* sgf_op_user(const sgf_op_t* op)
{
  return op->user;
}

void sgf_op_set_user(sgf_op_t* op, void* user)
{
  op->user = user;
}
