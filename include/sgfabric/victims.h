/* sgfabric victims: flows that lost time to pauses which they did not cause (spec/feedback-budget.md 7).
 *
 *   sgf_victims_watch(fabric);                       before anything moves
 *   ... traffic ...
 *   sgf_victims_t* victims = sgf_victims_new(fabric);
 *
 *          A --- u --- v --- D      v has paused u for class c, because of what it has received from u and cannot pass
 *                       \--- E      on to D. What u holds for E meanwhile is a victim: the way to E is free.
 *
 * A hold is the time from a pause that stops a class of a port to its release. It is caused by what the device that
 * sent the pause had received at that port, in the pool that the pause is for, and still had in its egress queues at
 * that instant: frames that were being serialised had found their way free, and count only if no other was there. Where
 * such a queue was held itself, its hold is the reason, and so on to the root. A NIC that sends a pause is a root.
 *
 * A flow is a message (a write) with its data packets; what answers it is not looked at. It waits in a hold if a packet
 * of it is in the queue that is held, from the begin of the hold, or from when the first of them came, to the release.
 * It is a victim of that hold unless one of its packets would leave the device that sent the pause by an egress that
 * was a cause, or, where that one was held itself, had a part in the cause of that hold. A packet that may take one of
 * several egresses, which cannot be told beforehand, counts for all of them. The hold of a host's own port counts too.
 * What has not reached a queue yet, because the NIC had no room for it, does not wait in it. */
#ifndef SGFABRIC_VICTIMS_H
#define SGFABRIC_VICTIMS_H

#include <sgfabric/fabric.h>

SGF_BEGIN_DECL

/* Watch from now on; a sealed fabric that has not moved yet. Packets take no longer for it, pauses do. */
SGF_PUBLIC void sgf_victims_watch(sgf_fabric_t* fabric);
SGF_PUBLIC bool sgf_victims_are_watched(const sgf_fabric_t* fabric);

/* A flow, by its index among those of the report, with bytes of it. */
typedef struct sgf_flow_share {
  size_t flow;
  int64_t bytes;
} sgf_flow_share_t;

/* A queue: a class at a port of a device. */
typedef struct sgf_queue_place {
  const sgf_device_t* device;
  unsigned port;
  unsigned tc;
} sgf_queue_place_t;

/* A hold that has victims. */
typedef struct sgf_hold {
  sgf_queue_place_t at;
  opp_simtime_t begin;
  opp_simtime_t end;      /* if it lasts, the engine's clock */
  sgf_queue_place_t root; /* what could not move for a reason of its own: a queue, or a NIC */
  unsigned steps;         /* holds from this one to the root; 1: the peer is the root, or has it */
  size_t waiting_count;
  const sgf_flow_share_t* waiting; /* flows that waited in it, victims first, then those with most bytes at the end */
  size_t victim_count;             /* of those */
  size_t causer_count;
  const sgf_flow_share_t* causers; /* flows that had bytes in the causes, up to the root; most bytes first */
} sgf_hold_t;

/* What a victim lost at one hold. */
typedef struct sgf_loss {
  const sgf_hold_t* hold;
  opp_simtime_t since; /* it waited, up to the hold's end */
} sgf_loss_t;

/* What a victim lost at one queue for one root. */
typedef struct sgf_loss_sum {
  sgf_queue_place_t at;
  sgf_queue_place_t root;
  size_t holds;
  opp_simtime_t lost;
  size_t sharer_count; /* other flows that waited with it there; bytes at the ends of the holds */
  const sgf_flow_share_t* sharers;
  size_t causer_count;
  const sgf_flow_share_t* causers; /* bytes at the begins of the pauses */
} sgf_loss_sum_t;

typedef struct sgf_victim {
  size_t flow;
  opp_simtime_t lost; /* time in which it waited in some hold: what it spent in two at once counts once */
  size_t loss_count;
  const sgf_loss_t* losses; /* in order of the holds' begins */
  size_t sum_count;
  const sgf_loss_sum_t* sums; /* most time first */
} sgf_victim_t;

typedef struct sgf_victims {
  size_t count;
  const sgf_victim_t* items; /* most time first */
  size_t hold_count;
  const sgf_hold_t* holds; /* in order of their begins */
  size_t aggressor_count;
  const size_t* aggressors; /* flows that are causers of these holds, ascending */
} sgf_victims_t;

/* Who they are up to now; none if nobody has watched. Free with sgf_victims_free, before the fabric. */
SGF_PUBLIC sgf_victims_t* sgf_victims_new(const sgf_fabric_t* fabric);
SGF_PUBLIC void sgf_victims_free(sgf_victims_t* victims);

SGF_END_DECL
#endif
