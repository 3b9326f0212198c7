/* The future events: see event_queue.h. */
#include "opp/event_queue.h"

#include <stdlib.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

/* ---- Heap, four children a node ---------------------------------------------------------------------------------- */

static inline bool earlier(const opp_heap_entry_t* a, const opp_heap_entry_t* b)
{
  return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static inline void heap_put(opp_heap_t* heap, size_t slot, opp_heap_entry_t entry)
{
  heap->entries[slot] = entry;
  entry.msg->slot     = slot;
}

static void heap_rise(opp_heap_t* heap, size_t slot, opp_heap_entry_t entry)
{
  while (slot > 0) {
    const size_t parent = (slot - 1) / 4;
    if (!earlier(&entry, &heap->entries[parent]))
      break;
    heap_put(heap, slot, heap->entries[parent]);
    slot = parent;
  }
  heap_put(heap, slot, entry);
}

static void heap_sink(opp_heap_t* heap, size_t slot, opp_heap_entry_t entry)
{
  for (;;) {
    size_t child = 4 * slot + 1;
    if (child >= heap->count)
      break;
    const size_t end = child + 4 < heap->count ? child + 4 : heap->count;
    size_t least     = child;
    while (++child < end)
      if (earlier(&heap->entries[child], &heap->entries[least]))
        least = child;
    if (!earlier(&heap->entries[least], &entry))
      break;
    heap_put(heap, slot, heap->entries[least]);
    slot = least;
  }
  heap_put(heap, slot, entry);
}

static void heap_push(opp_heap_t* heap, opp_msg_t* msg, opp_place_t place)
{
  if (heap->count == heap->capacity) {
    heap->capacity = heap->capacity == 0 ? 64 : 2 * heap->capacity;
    heap->entries  = sgf_realloc(heap->entries, heap->capacity, sizeof *heap->entries);
  }
  msg->place = (uint8_t)place;
  heap_rise(heap, heap->count++, (opp_heap_entry_t){msg->time, msg->order, msg});
}

static void heap_remove(opp_heap_t* heap, size_t slot)
{
  const opp_heap_entry_t last = heap->entries[--heap->count];
  if (slot == heap->count)
    return;
  if (slot > 0 && earlier(&last, &heap->entries[(slot - 1) / 4]))
    heap_rise(heap, slot, last);
  else
    heap_sink(heap, slot, last);
}

/* ---- Wheel ------------------------------------------------------------------------------------------------------- */

static inline int64_t bucket_number(const opp_msg_t* msg)
{
  return msg->time >> OPP_BUCKET_SHIFT;
}

static void wheel_push(opp_event_queue_t* queue, opp_msg_t* msg)
{
  const size_t b   = (size_t)bucket_number(msg) % OPP_BUCKET_COUNT;
  opp_msg_t* first = queue->buckets[b];
  msg->place       = OPP_IN_BUCKET;
  msg->prev        = NULL;
  msg->next        = first;
  if (first != NULL)
    first->prev = msg;
  else {
    queue->used[b / 64] |= UINT64_C(1) << b % 64;
    queue->used_words[b / 4096] |= UINT64_C(1) << b / 64 % 64;
  }
  queue->buckets[b] = msg;
  queue->in_wheel++;
}

static void wheel_mark_empty(opp_event_queue_t* queue, size_t b)
{
  queue->used[b / 64] &= ~(UINT64_C(1) << b % 64);
  if (queue->used[b / 64] == 0)
    queue->used_words[b / 4096] &= ~(UINT64_C(1) << b / 64 % 64);
}

/* The first bucket in use at or behind `from`, going round once. At least one is in use. */
static size_t wheel_find(const opp_event_queue_t* queue, size_t from)
{
  const uint64_t here = queue->used[from / 64] & ~UINT64_C(0) << from % 64;
  if (here != 0)
    return from / 64 * 64 + (size_t)__builtin_ctzll(here);
  size_t word    = (from / 64 + 1) % OPP_BUCKET_WORDS;
  uint64_t words = queue->used_words[word / 64] & ~UINT64_C(0) << word % 64;
  size_t group   = word / 64;
  while (words == 0) {
    group = (group + 1) % (OPP_BUCKET_WORDS / 64);
    words = queue->used_words[group];
  }
  word = group * 64 + (size_t)__builtin_ctzll(words);
  return word * 64 + (size_t)__builtin_ctzll(queue->used[word]);
}

/* The next bucket in use, as its distance from the cursor. At least one is in use. */
static int64_t wheel_distance(const opp_event_queue_t* queue)
{
  const size_t from = (size_t)(queue->cursor + 1) % OPP_BUCKET_COUNT;
  return 1 + (int64_t)((wheel_find(queue, from) - from) % OPP_BUCKET_COUNT);
}

static void empty_bucket(opp_event_queue_t* queue, size_t b)
{
  opp_msg_t* msg    = queue->buckets[b];
  queue->buckets[b] = NULL;
  wheel_mark_empty(queue, b);
  while (msg != NULL) {
    opp_msg_t* next = msg->next;
    heap_push(&queue->current, msg, OPP_IN_CURRENT);
    queue->in_wheel--;
    msg = next;
  }
}

/* Ask for the message that comes after those of the current bucket, and its body: with a thousand hosts they have left
 * the caches since they were inserted, and waiting for them is what takes longest. */
static void fetch_ahead(const opp_event_queue_t* queue)
{
  if (queue->in_wheel == 0)
    return;
  const opp_msg_t* msg = queue->buckets[(size_t)(queue->cursor + wheel_distance(queue)) % OPP_BUCKET_COUNT];
  __builtin_prefetch(msg);
  __builtin_prefetch(msg + 1);
}

/* Turn the wheel to the next event; `current` is empty. Not past `limit`: what is inserted later and earlier than the
 * cursor costs a heap's logarithm. False when no event is due. */
static bool turn(opp_event_queue_t* queue, opp_simtime_t limit)
{
  if (queue->in_wheel > 0) {
    const int64_t next = queue->cursor + wheel_distance(queue);
    if (next > limit >> OPP_BUCKET_SHIFT)
      return false;
    queue->cursor = next;
    empty_bucket(queue, (size_t)next % OPP_BUCKET_COUNT);
    fetch_ahead(queue);
  } else {
    if (queue->far.count == 0 || queue->far.entries[0].time > limit)
      return false;
    queue->cursor = bucket_number(queue->far.entries[0].msg);
  }
  while (queue->far.count > 0 && bucket_number(queue->far.entries[0].msg) < queue->cursor + OPP_BUCKET_COUNT) {
    opp_msg_t* msg = queue->far.entries[0].msg;
    heap_remove(&queue->far, 0);
    opp_event_queue_insert(queue, msg);
  }
  return true;
}

/* ---- Queue ------------------------------------------------------------------------------------------------------- */

void opp_event_queue_free(opp_event_queue_t* queue)
{
  free(queue->current.entries);
  free(queue->far.entries);
}

void opp_event_queue_insert(opp_event_queue_t* queue, opp_msg_t* msg)
{
  const int64_t ahead = bucket_number(msg) - queue->cursor;
  if (ahead <= 0)
    heap_push(&queue->current, msg, OPP_IN_CURRENT);
  else if (ahead < OPP_BUCKET_COUNT)
    wheel_push(queue, msg);
  else
    heap_push(&queue->far, msg, OPP_IN_FAR);
}

opp_simtime_t opp_event_queue_next_time(const opp_event_queue_t* queue)
{
  if (queue->current.count > 0)
    return queue->current.entries[0].time;
  if (queue->in_wheel == 0)
    return queue->far.count > 0 ? queue->far.entries[0].time : OPP_TIME_MAX;
  const opp_msg_t* msg = queue->buckets[(size_t)(queue->cursor + wheel_distance(queue)) % OPP_BUCKET_COUNT];
  opp_simtime_t least  = msg->time;
  while ((msg = msg->next) != NULL)
    if (msg->time < least)
      least = msg->time;
  return least;
}

opp_msg_t* opp_event_queue_pop(opp_event_queue_t* queue, opp_simtime_t limit)
{
  if (queue->current.count == 0 && !turn(queue, limit))
    return NULL;
  opp_msg_t* msg = queue->current.entries[0].msg;
  if (msg->time > limit)
    return NULL;
  heap_remove(&queue->current, 0);
  return msg;
}

void opp_event_queue_remove(opp_event_queue_t* queue, opp_msg_t* msg)
{
  if (msg->place == OPP_IN_CURRENT)
    heap_remove(&queue->current, msg->slot);
  else if (msg->place == OPP_IN_FAR)
    heap_remove(&queue->far, msg->slot);
  else {
    if (msg->next != NULL)
      msg->next->prev = msg->prev;
    if (msg->prev != NULL)
      msg->prev->next = msg->next;
    else {
      const size_t b    = (size_t)bucket_number(msg) % OPP_BUCKET_COUNT;
      queue->buckets[b] = msg->next;
      if (msg->next == NULL)
        wheel_mark_empty(queue, b);
    }
    queue->in_wheel--;
  }
}
