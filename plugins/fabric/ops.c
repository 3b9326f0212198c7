/* Operations: posted, held until their instant has passed, applied in a fixed order, completed. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

/* ---- Life -------------------------------------------------------------------------------------------------------- */

sgf_op_t* fabric_op_new(sgf_fabric_t* fabric, fabric_op_kind_t kind, opp_simtime_t date, int64_t actor)
{
  sgf_op_t* op   = sgf_calloc(1, sizeof *op);
  op->fabric     = fabric;
  op->kind       = kind;
  op->date       = date;
  op->actor      = actor;
  op->sent       = -1;
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
  if (--op->references > 0)
    return;
  sgf_op_t* of = op->of;
  op_free(op);
  if (of != NULL)
    op_unref(of);
}

void fabric_free_ops(sgf_fabric_t* fabric)
{
  while (fabric->ops != NULL)
    op_free(fabric->ops);
  free(fabric->table);
}

/* ---- Completion -------------------------------------------------------------------------------------------------- */

void fabric_complete(sgf_op_t* op, sgf_status_t status)
{
  sgf_fabric_t* fabric   = op->fabric;
  const bool was_awaited = op->awaited;
  sgf_op_set_awaited(op, false);
  op->done   = true;
  op->status = status;
  op->end    = opp_sim_clock(fabric->sim);
  if (op->payload_to != NULL && status == SGF_OK)
    *op->payload_to = op->payload;
  if (!was_awaited)
    return;
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

/* Writes in the NICs, by number: a table that grows where two numbers meet. Numbers ascend, so that they seldom do. */
static void table_put(sgf_fabric_t* fabric, sgf_op_t* op)
{
  while (fabric->table_size == 0 || fabric->table[op->message.number % fabric->table_size] != NULL) {
    sgf_op_t** old        = fabric->table;
    const size_t old_size = fabric->table_size;
    fabric->table_size    = old_size == 0 ? 64 : 2 * old_size;
    fabric->table         = sgf_calloc(fabric->table_size, sizeof(sgf_op_t*));
    for (size_t i = 0; i < old_size; i++)
      if (old[i] != NULL)
        fabric->table[old[i]->message.number % fabric->table_size] = old[i];
    free(old);
  }
  fabric->table[op->message.number % fabric->table_size] = op;
}

/* A slow PCIe link delivers a message after its last acknowledgement. */
static void leave_nics(sgf_op_t* op)
{
  if (!op->acknowledged || !op->delivered)
    return;
  unlist_incoming(op);
  op->fabric->table[op->message.number % op->fabric->table_size] = NULL;
  op_unref(op);
}

/* ---- SEND_COMPLETE ----------------------------------------------------------------------------------------------- */

static void complete_senders(sgf_op_t* write, sgf_status_t status)
{
  while (write->senders != NULL) {
    sgf_op_t* op   = write->senders;
    write->senders = op->next_sender;
    fabric_complete(op, status);
  }
}

void fabric_sent(void* user, nic_message_t* message)
{
  const sgf_fabric_t* fabric = user;
  sgf_op_t* write            = (sgf_op_t*)(void*)message;
  write->sent                = opp_sim_clock(fabric->sim);
  complete_senders(write, SGF_OK);
}

void fabric_never_sent(sgf_op_t* write)
{
  complete_senders(write, SGF_STALLED);
}

static void forget_sender(const sgf_op_t* op)
{
  sgf_op_t** link = &op->of->senders;
  while (*link != op)
    link = &(*link)->next_sender;
  *link = op->next_sender;
}

sgf_op_t* sgf_op_sent(sgf_op_t* write, sgf_error_t* error)
{
  if (write->kind == FABRIC_RECEIVE || write->kind == FABRIC_SENT || write->src == NULL) {
    sgf_error_set(error, SGF_STATE, "only a write, or a message that has been posted, is sent");
    return NULL;
  }
  sgf_op_t* op = fabric_op_new(write->fabric, FABRIC_SENT, write->date, write->actor);
  op->of       = write;
  op->bytes    = write->bytes;
  write->references++;
  if (write->sent >= 0 || write->done) {
    fabric_complete(op, write->sent >= 0 ? SGF_OK : SGF_STALLED);
    op->end = write->sent >= 0 ? write->sent : write->end;
  } else {
    op->next_sender = write->senders;
    write->senders  = op;
  }
  return op;
}

/* ---- Acknowledgement, delivery ----------------------------------------------------------------------------------- */

void fabric_stop_draining(sgf_fabric_t* fabric)
{
  if (fabric->draining && fabric->outstanding == fabric->given_up)
    opp_end_simulation(fabric->net); /* stop the engine after this event */
}

void fabric_acknowledged(void* user, nic_message_t* message)
{
  sgf_fabric_t* fabric = user;
  sgf_op_t* op         = (sgf_op_t*)(void*)message;
  fabric->outstanding--;
  fabric->flows[op->flow].end = opp_sim_clock(fabric->sim);
  op->acknowledged            = true;
  if (op->given_up)
    fabric->given_up--;
  else if (op->kind == FABRIC_WRITE)
    fabric_complete(op, SGF_OK);
  fabric_stop_draining(fabric);
  fabric_watch_progress(fabric);
  leave_nics(op);
}

void fabric_delivered(void* user, nic_t* nic, const nic_delivery_t* delivery)
{
  sgf_fabric_t* fabric = user;
  sgf_device_t* host   = fabric->hosts[nic->address - FABRIC_FIRST_HOST];
  sgf_device_t* src    = fabric->hosts[delivery->src - FABRIC_FIRST_HOST];
  sgf_op_t* op         = fabric->table[delivery->number % fabric->table_size];
  op->delivered        = true;
  if (op->kind == FABRIC_WRITE)
    fabric_mailbox_deliver(host, src, delivery->bytes, delivery->tag);
  else if (!op->done)
    fabric_complete(op, SGF_OK);
  leave_nics(op);
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
  fabric_awaited_post(op);
}

static void record_flow(sgf_op_t* op)
{
  sgf_fabric_t* fabric = op->fabric;
  if (fabric->flow_count == fabric->flow_capacity) {
    fabric->flow_capacity = fabric->flow_capacity == 0 ? 64 : 2 * fabric->flow_capacity;
    fabric->flows         = sgf_realloc(fabric->flows, fabric->flow_capacity, sizeof *fabric->flows);
  }
  op->flow                = fabric->flow_count;
  fabric->flows[op->flow] = (sgf_flow_t){.src           = op->src->name,
                                         .dst           = op->dst->name,
                                         .bytes         = op->bytes,
                                         .start         = op->date,
                                         .end           = -1,
                                         .rate_bps      = op->message.rate_bps,
                                         .queue_pair    = op->message.queue_pair,
                                         .has_classes   = op->message.has_classes,
                                         .data_class    = op->message.classes.data,
                                         .control_class = op->message.classes.control};
  fabric->flow_count++;
}

sgf_status_t sgf_write_can_be_timed(uint64_t bytes, int64_t rate_bps, opp_simtime_t date, sgf_error_t* error)
{
  if (bytes > SGF_LARGEST_WRITE)
    return sgf_error_set(error, SGF_RANGE, "a write of %llu bytes is more than the fabric can time",
                         (unsigned long long)bytes);
  if (rate_bps > 0 && opp_rate_duration(opp_rate(rate_bps), 8 * (int64_t)bytes) >= OPP_TIME_MAX - date)
    return sgf_error_set(error, SGF_RANGE, "a write of %llu bytes at %lld bps takes longer than the fabric can time",
                         (unsigned long long)bytes, (long long)rate_bps);
  return SGF_OK;
}

sgf_status_t sgf_device_can_write(const sgf_device_t* src, const sgf_device_t* dst, sgf_error_t* error)
{
  if (sgf_device_is_switch(src) || sgf_device_is_switch(dst))
    return sgf_error_set(error, SGF_NO_NIC, "'%s' is a switch; a write goes from host to host",
                         sgf_device_is_switch(src) ? src->name : dst->name);
  if (src->transport != dst->transport)
    return sgf_error_set(error, SGF_FOREIGN_NIC,
                         "'%s' has a %s NIC and '%s' a %s NIC: they do not understand each other", src->name,
                         src->transport->name, dst->name, dst->transport->name);
  return SGF_OK;
}

/* Whether bytes can be sent from one device to the other, at this date. */
static sgf_status_t check_post(const sgf_fabric_t* fabric, const sgf_device_t* src, const sgf_device_t* dst,
                               uint64_t bytes, int64_t rate_bps, opp_simtime_t date, sgf_error_t* error)
{
  if (!fabric->sealed || date < opp_sim_clock(fabric->sim))
    return sgf_error_set(error, SGF_STATE, "a write can be posted to a sealed fabric, and not into its past");
  const sgf_status_t ends = sgf_device_can_write(src, dst, error);
  if (ends != SGF_OK)
    return ends;
  return sgf_write_can_be_timed(bytes, rate_bps, date, error);
}

static void post(sgf_op_t* op, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes)
{
  op->src           = src;
  op->dst           = dst;
  op->bytes         = bytes;
  op->message.bytes = bytes;
  op->message.tag   = op->tag;
  op->message.dst   = FABRIC_FIRST_HOST + dst->index;
  op->references++; /* that of the NICs */
  hold(op);
}

sgf_op_t* sgf_op_write(sgf_fabric_t* fabric, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes, uint64_t tag,
                       opp_simtime_t date, int64_t actor, sgf_error_t* error)
{
  if (check_post(fabric, src, dst, bytes, 0, date, error) != SGF_OK)
    return NULL;
  sgf_op_t* op = fabric_op_new(fabric, FABRIC_WRITE, date, actor);
  op->tag      = tag;
  post(op, src, dst, bytes);
  return op;
}

sgf_op_t* sgf_op_message(sgf_fabric_t* fabric)
{
  return fabric_op_new(fabric, FABRIC_MESSAGE, opp_sim_clock(fabric->sim), 0);
}

sgf_status_t sgf_op_post(sgf_op_t* op, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes, opp_simtime_t date,
                         int64_t actor, sgf_error_t* error)
{
  if (op->kind != FABRIC_MESSAGE || op->src != NULL)
    return sgf_error_set(error, SGF_STATE, "only a message is posted later than it is made, and once");
  const sgf_status_t status = check_post(op->fabric, src, dst, bytes, op->message.rate_bps, date, error);
  if (status != SGF_OK) {
    fabric_complete(op, status); /* whoever waits for it learns that it cannot be */
    return status;
  }
  op->date  = date;
  op->actor = actor;
  post(op, src, dst, bytes);
  if (op->awaited) {
    fabric_await_delivery(dst);
    fabric_awaited_look_again(op);
  }
  return SGF_OK;
}

bool fabric_op_has_begun(const sgf_op_t* op)
{
  const bool is_sent = op->kind == FABRIC_WRITE || op->kind == FABRIC_MESSAGE;
  return !is_sent || op->done || (op->src != NULL && !op->held);
}

sgf_status_t sgf_op_set_rate(sgf_op_t* op, int64_t bps, sgf_error_t* error)
{
  if (fabric_op_has_begun(op))
    return sgf_error_set(error, SGF_STATE,
                         "the rate of a write or message can be set until the engine passes its post");
  if (bps < 1)
    return sgf_error_set(error, SGF_RANGE, "a write cannot be sent at %lld bps", (long long)bps);
  const sgf_status_t status = sgf_write_can_be_timed(op->bytes, bps, op->date, error);
  if (status == SGF_OK && (op->message.rate_bps == 0 || bps < op->message.rate_bps))
    op->message.rate_bps = bps;
  return status;
}

void* sgf_op_payload(const sgf_op_t* op)
{
  return op->payload;
}

void sgf_op_set_payload(sgf_op_t* op, void* payload, void** to)
{
  op->payload    = payload;
  op->payload_to = to;
}

sgf_op_t* sgf_op_recv(sgf_fabric_t* fabric, sgf_device_t* host, uint64_t tag, opp_simtime_t date, int64_t actor)
{
  sgf_op_t* op = fabric_op_new(fabric, FABRIC_RECEIVE, date, actor);
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
    sgf_op_t* op       = fabric->posts[count++];
    op->held           = false;
    op->message.number = ++fabric->last_number;
    record_flow(op);
    list_incoming(op);
    table_put(fabric, op);
    fabric->outstanding++;
    fabric_watch_post(fabric);
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
    if (op->kind == FABRIC_SENT && !op->done)
      forget_sender(op);
    if (op->kind == FABRIC_LEVEL && !op->done)
      fabric_forget_wait(op->wait);
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
  return op->of != NULL ? op->of->src : op->src;
}

sgf_device_t* sgf_op_dst(const sgf_op_t* op)
{
  return op->of != NULL ? op->of->dst : op->dst;
}

void* sgf_op_user(const sgf_op_t* op)
{
  return op->user;
}

void sgf_op_set_user(sgf_op_t* op, void* user)
{
  op->user = user;
}
