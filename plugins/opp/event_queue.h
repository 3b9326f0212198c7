/* The future events: a wheel of buckets for what is near, a heap for what lies beyond it.
 *
 * A bucket is an unsorted list, so inserting is a push. The bucket whose turn it is is emptied into a small heap that
 * yields its events in order; thousands of equal times cost a logarithm each and never a walk. Buckets in use are found
 * by a bitmap of two levels. */
#ifndef OPP_EVENT_QUEUE_H
#define OPP_EVENT_QUEUE_H

#include <sgfabric/opp.h>

enum {
  OPP_BUCKET_SHIFT = 8,       /* a bucket spans 2^8 = 256 ps: one or two events at 400 Gb/s and a hundred hosts */
  OPP_BUCKET_COUNT = 1 << 14, /* 4.2 us ahead: serialisation and propagation, not timers */
  OPP_BUCKET_WORDS = OPP_BUCKET_COUNT / 64,
};

typedef struct opp_heap_entry {
  opp_simtime_t time;
  uint64_t order;
  opp_msg_t* msg;
} opp_heap_entry_t;

typedef struct opp_heap {
  opp_heap_entry_t* entries;
  size_t count;
  size_t capacity;
} opp_heap_t;

typedef struct opp_event_queue {
  int64_t cursor; /* number of the bucket that `current` holds; everything earlier is there too */
  size_t in_wheel;
  opp_heap_t current;
  opp_heap_t far;
  uint64_t used[OPP_BUCKET_WORDS];            /* bit b: bucket b is not empty */
  uint64_t used_words[OPP_BUCKET_WORDS / 64]; /* bit w: used[w] is not 0 */
  opp_msg_t* buckets[OPP_BUCKET_COUNT];
} opp_event_queue_t;

void opp_event_queue_free(opp_event_queue_t* queue);

/* Insert by msg->time and msg->order. */
void opp_event_queue_insert(opp_event_queue_t* queue, opp_msg_t* msg);

/* Time of the earliest event; OPP_TIME_MAX when there is none. */
opp_simtime_t opp_event_queue_next_time(const opp_event_queue_t* queue);

/* Remove and return the earliest event if its time is at most `limit`, else NULL. */
opp_msg_t* opp_event_queue_pop(opp_event_queue_t* queue, opp_simtime_t limit);

static inline bool opp_event_queue_is_empty(const opp_event_queue_t* queue)
{
  return queue->current.count == 0 && queue->in_wheel == 0 && queue->far.count == 0;
}

void opp_event_queue_remove(opp_event_queue_t* queue, opp_msg_t* msg);

#endif
