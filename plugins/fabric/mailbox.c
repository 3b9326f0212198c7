/* Messages and receives of one tag at one host, matched in order. */
#include <stdlib.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

/* A message that is in host memory and that nobody has received. */
typedef struct delivery {
  sgf_device_t* src;
  uint64_t bytes;
} delivery_t;

struct fabric_mailbox {
  sgf_device_t* host;
  uint64_t tag;
  delivery_t* deliveries; /* a FIFO: those from `first` on are there */
  size_t first;
  size_t count;
  size_t capacity;
  sgf_op_t*
      receives; /* waiting, in order of (date, actor); linked by next_incoming, which receives do not use otherwise */
};

static fabric_mailbox_t** slot(fabric_mailbox_t** table, size_t size, const sgf_device_t* host, uint64_t tag)
{
  const uint64_t mixed = (tag ^ (uint64_t)host->index << 40) * UINT64_C(0x9e3779b97f4a7c15);
  size_t at            = (size_t)(mixed >> 20) % size;
  while (table[at] != NULL && (table[at]->host != host || table[at]->tag != tag))
    at = (at + 1) % size;
  return &table[at];
}

static void grow(fabric_mailboxes_t* boxes)
{
  const size_t size        = boxes->size == 0 ? 64 : 2 * boxes->size;
  fabric_mailbox_t** table = sgf_calloc(size, sizeof(fabric_mailbox_t*));
  for (size_t i = 0; i < boxes->size; i++)
    if (boxes->table[i] != NULL)
      *slot(table, size, boxes->table[i]->host, boxes->table[i]->tag) = boxes->table[i];
  free(boxes->table);
  boxes->table = table;
  boxes->size  = size;
}

static fabric_mailbox_t* mailbox_of(sgf_device_t* host, uint64_t tag)
{
  fabric_mailboxes_t* boxes = &host->fabric->mailboxes;
  if (2 * (boxes->count + 1) > boxes->size)
    grow(boxes);
  fabric_mailbox_t** box = slot(boxes->table, boxes->size, host, tag);
  if (*box == NULL) {
    *box         = sgf_calloc(1, sizeof **box);
    (*box)->host = host;
    (*box)->tag  = tag;
    boxes->count++;
  }
  return *box;
}

void fabric_mailboxes_free(fabric_mailboxes_t* boxes)
{
  for (size_t i = 0; i < boxes->size; i++)
    if (boxes->table[i] != NULL) {
      free(boxes->table[i]->deliveries);
      free(boxes->table[i]);
    }
  free(boxes->table);
}

static void keep(fabric_mailbox_t* box, delivery_t delivery)
{
  if (box->count == box->capacity && box->first > 0) { /* reuse what was received */
    for (size_t i = box->first; i < box->count; i++)
      box->deliveries[i - box->first] = box->deliveries[i];
    box->count -= box->first;
    box->first = 0;
  }
  if (box->count == box->capacity) {
    box->capacity   = box->capacity == 0 ? 4 : 2 * box->capacity;
    box->deliveries = sgf_realloc(box->deliveries, box->capacity, sizeof(delivery_t));
  }
  box->deliveries[box->count++] = delivery;
}

static void match(sgf_op_t* receive, delivery_t delivery)
{
  receive->src   = delivery.src;
  receive->bytes = delivery.bytes;
  fabric_complete(receive, SGF_OK);
}

void fabric_mailbox_deliver(sgf_device_t* host, sgf_device_t* src, uint64_t bytes, uint64_t tag)
{
  fabric_mailbox_t* box    = mailbox_of(host, tag);
  const delivery_t message = {src, bytes};
  sgf_op_t* receive        = box->receives;
  if (receive == NULL) {
    keep(box, message);
    return;
  }
  box->receives          = receive->next_incoming;
  receive->next_incoming = NULL;
  match(receive, message);
}

static bool waits_before(const sgf_op_t* a, const sgf_op_t* b)
{
  return a->date != b->date ? a->date < b->date : a->actor <= b->actor;
}

void fabric_mailbox_receive(sgf_op_t* receive)
{
  fabric_mailbox_t* box = mailbox_of(receive->dst, receive->tag);
  if (box->first < box->count) {
    match(receive, box->deliveries[box->first++]);
    return;
  }
  sgf_op_t** at = &box->receives;
  while (*at != NULL && waits_before(*at, receive))
    at = &(*at)->next_incoming;
  receive->next_incoming = *at;
  *at                    = receive;
}

void fabric_mailbox_withdraw(sgf_op_t* receive)
{
  sgf_op_t** at = &mailbox_of(receive->dst, receive->tag)->receives;
  while (*at != receive)
    at = &(*at)->next_incoming;
  *at = receive->next_incoming;
}
