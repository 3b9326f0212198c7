/* Queues of messages, linked through the messages themselves: nothing is allocated when one is put in. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

/* ---- Life -------------------------------------------------------------------------------------------------------- */

opp_queue_t* opp_queue_new(opp_module_t* self, const char* name, opp_queue_compare_cb compare)
{
  opp_sim_t* sim                  = self->sim;
  opp_queue_t* queue              = sgf_calloc(1, sizeof *queue);
  queue->module                   = self;
  queue->name                     = sgf_strdup(name);
  queue->compare                  = compare;
  sim->queues                     = sgf_realloc(sim->queues, sim->queue_count + 1, sizeof(opp_queue_t*));
  sim->queues[sim->queue_count++] = queue;
  queue->number                   = (uint32_t)sim->queue_count;
  return queue;
}

opp_queue_t* opp_packet_queue_new(opp_module_t* self, const char* name, opp_queue_compare_cb compare)
{
  opp_queue_t* queue  = opp_queue_new(self, name, compare);
  queue->packets_only = true;
  return queue;
}

void opp_queue_free(opp_queue_t* queue)
{
  free(queue->name);
  free(queue);
}

/* ---- Putting in -------------------------------------------------------------------------------------------------- */

bool opp_queue_contains(const opp_queue_t* queue, const opp_msg_t* msg)
{
  return msg != NULL && msg->place == OPP_IN_QUEUE && msg->line == queue->number &&
         msg->module->sim == queue->module->sim;
}

/* Whether the queue can take the message; records an error if it cannot. */
static bool may_insert(opp_queue_t* queue, const opp_msg_t* msg)
{
  const char* reason = msg == NULL ? "there is no message to put into a queue" : opp_msg_unusable(msg);
  if (reason == NULL && msg->module != queue->module)
    reason = "put into a queue of another module than its own";
  if (reason == NULL && queue->packets_only && !opp_msg_is_packet(msg))
    reason = "put into a queue of packets, and it is none";
  if (reason != NULL)
    opp_rule_broken(queue->module, msg, reason);
  return reason == NULL;
}

/* Put the message ahead of `behind`; NULL: at the back. */
static void put(opp_queue_t* queue, opp_msg_t* behind, opp_msg_t* msg)
{
  opp_msg_t* ahead = behind == NULL ? queue->last : behind->prev;
  msg->place       = OPP_IN_QUEUE;
  msg->line        = queue->number;
  msg->next        = behind;
  msg->prev        = ahead;
  if (ahead != NULL)
    ahead->next = msg;
  else
    queue->first = msg;
  if (behind != NULL)
    behind->prev = msg;
  else
    queue->last = msg;
  queue->length++;
  queue->bytes += opp_packet_byte_length(msg);
}

void opp_queue_insert(opp_queue_t* queue, opp_msg_t* msg)
{
  if (!may_insert(queue, msg))
    return;
  opp_msg_t* behind = NULL;
  if (queue->compare != NULL)
    for (opp_msg_t* at = queue->last; at != NULL && queue->compare(msg, at) < 0; at = at->prev)
      behind = at;
  put(queue, behind, msg);
}

static bool is_place(opp_queue_t* queue, const opp_msg_t* where)
{
  const bool is_there = opp_queue_contains(queue, where);
  if (!is_there)
    opp_rule_broken(queue->module, where, "a place in a queue, but it is not in that queue");
  return is_there;
}

void opp_queue_insert_before(opp_queue_t* queue, opp_msg_t* where, opp_msg_t* msg)
{
  if (is_place(queue, where) && may_insert(queue, msg))
    put(queue, where, msg);
}

void opp_queue_insert_after(opp_queue_t* queue, opp_msg_t* where, opp_msg_t* msg)
{
  if (is_place(queue, where) && may_insert(queue, msg))
    put(queue, where->next, msg);
}

/* ---- Taking out -------------------------------------------------------------------------------------------------- */

opp_msg_t* opp_queue_remove(opp_queue_t* queue, opp_msg_t* msg)
{
  if (!opp_queue_contains(queue, msg))
    return NULL;
  if (msg->prev != NULL)
    msg->prev->next = msg->next;
  else
    queue->first = msg->next;
  if (msg->next != NULL)
    msg->next->prev = msg->prev;
  else
    queue->last = msg->prev;
  queue->length--;
  queue->bytes -= opp_packet_byte_length(msg);
  msg->place = OPP_OWNED;
  msg->line  = 0;
  return msg;
}

opp_msg_t* opp_queue_pop(opp_queue_t* queue)
{
  if (queue->first == NULL)
    opp_error(queue->module, "queue '%s': there is nothing to take out", queue->name);
  return opp_queue_remove(queue, queue->first);
}

void opp_queue_clear(opp_queue_t* queue)
{
  while (queue->first != NULL)
    opp_msg_delete(opp_queue_remove(queue, queue->first));
}

/* ---- Looking ----------------------------------------------------------------------------------------------------- */

opp_msg_t* opp_queue_front(const opp_queue_t* queue)
{
  return queue->first;
}

opp_msg_t* opp_queue_back(const opp_queue_t* queue)
{
  return queue->last;
}

opp_msg_t* opp_queue_next(const opp_queue_t* queue, const opp_msg_t* msg)
{
  return opp_queue_contains(queue, msg) ? msg->next : NULL;
}

opp_msg_t* opp_queue_previous(const opp_queue_t* queue, const opp_msg_t* msg)
{
  return opp_queue_contains(queue, msg) ? msg->prev : NULL;
}

const char* opp_queue_name(const opp_queue_t* queue)
{
  return queue->name;
}

bool opp_queue_is_empty(const opp_queue_t* queue)
{
  return queue->first == NULL;
}

size_t opp_queue_length(const opp_queue_t* queue)
{
  return queue->length;
}

int64_t opp_queue_byte_length(const opp_queue_t* queue)
{
  return queue->bytes;
}

int64_t opp_queue_bit_length(const opp_queue_t* queue)
{
  return 8 * queue->bytes;
}
