/* nic: retransmission timers (spec/uet-nic.md 8.10). All timers of one backoff level run equally long, so each level is
 * a FIFO with one event for its head: starting and stopping one costs no search. */
#ifndef NIC_TIMEOUTS_H
#define NIC_TIMEOUTS_H

#include "opp/kernel.h"

enum { NIC_RTO_LEVELS = 16 }; /* a timeout doubles 15 times at most */

/* What a transport's record of a packet begins with. In the list of its timer while that runs; else the link is free
 * for another list. */
typedef struct nic_timed {
  struct nic_timed* next;
  struct nic_timed* previous;
  opp_simtime_t expiry;
  uint8_t level; /* of its timer */
} nic_timed_t;

typedef struct nic_timed_list {
  nic_timed_t* first;
  nic_timed_t* last;
} nic_timed_list_t;

static inline void nic_timed_append(nic_timed_list_t* list, nic_timed_t* timed)
{
  timed->next     = NULL;
  timed->previous = list->last;
  if (list->last != NULL)
    list->last->next = timed;
  else
    list->first = timed;
  list->last = timed;
}

static inline void nic_timed_remove(nic_timed_list_t* list, nic_timed_t* timed)
{
  if (timed->previous != NULL)
    timed->previous->next = timed->next;
  else
    list->first = timed->next;
  if (timed->next != NULL)
    timed->next->previous = timed->previous;
  else
    list->last = timed->previous;
}

typedef struct nic_timeouts {
  opp_module_t* module;
  opp_simtime_t initial;
  unsigned doublings;                       /* at most */
  nic_timed_list_t running[NIC_RTO_LEVELS]; /* by expiry */
  opp_msg_t* timer[NIC_RTO_LEVELS];
} nic_timeouts_t;

/* Timers of `module`: self messages of this kind, whose `bytes` are the level. */
void nic_timeouts_init(nic_timeouts_t* timeouts, opp_module_t* module, int kind, opp_simtime_t initial,
                       unsigned doublings);

/* The timeout of a packet that was retransmitted so many times, and its level. */
static inline opp_simtime_t nic_rto(opp_simtime_t initial, unsigned doublings, unsigned retransmissions,
                                    unsigned* level)
{
  *level = retransmissions < doublings ? retransmissions : doublings;
  return initial << *level;
}

/* Start the timer of a packet that was retransmitted so many times. */
void nic_timeouts_start(nic_timeouts_t* timeouts, nic_timed_t* timed, unsigned retransmissions);

static inline void nic_timeouts_stop(nic_timeouts_t* timeouts, nic_timed_t* timed)
{
  nic_timed_remove(&timeouts->running[timed->level], timed);
}

/* A level's event is here: the first of its packets whose time has come, NULL: none (more). It runs until it is
 * stopped. */
nic_timed_t* nic_timeouts_due(const nic_timeouts_t* timeouts, unsigned level);

/* All that were due are stopped: wait for the next. */
void nic_timeouts_go_on(nic_timeouts_t* timeouts, unsigned level);

#endif
