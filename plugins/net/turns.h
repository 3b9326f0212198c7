/* net: whose turn it is at a port that is not strict (spec/uet-nic.md 5.4). RoundRobin and WeightedRoundRobin over the
 * class queues; pure state, no clock.
 *
 * RoundRobin is one packet per turn, the first search starts at class 0. Under WeightedRoundRobin a turn is as many
 * packets as the class's weight, and the first is the highest class's. Turns go up and wrap. A class that may not send
 * gives up its turn and what is left of it; when none may, turn and rest stay as they are. */
#ifndef NET_TURNS_H
#define NET_TURNS_H

#include "net/frame.h"

typedef struct net_turns {
  int64_t weight[NET_CLASSES]; /* packets in a turn; 0: no turns */
  int64_t left;                /* of the turn */
  unsigned classes;            /* bit tc: has turns */
  unsigned turn;               /* the class whose turn it is */
} net_turns_t;

/* `classes` are those with a queue, from 0 on. */
void net_turns_round_robin(net_turns_t* turns, unsigned classes);
void net_turns_weighted(net_turns_t* turns, unsigned classes, const int64_t* weight);

/* The class that sends now, of those that may (bit tc); NET_CLASSES: none of them has turns. */
unsigned net_turns_next(net_turns_t* turns, unsigned eligible);

#endif
