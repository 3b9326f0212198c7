/* fabric, inside: holds, what caused them and who waited in them (sgfabric/victims.h). */
#ifndef FABRIC_VICTIMS_H
#define FABRIC_VICTIMS_H

#include <sgfabric/stats.h>
#include <sgfabric/victims.h>

#include "fabric/fabric_internal.h"

enum { VICTIMS_MOST_ASKED = 64 }; /* causes of pauses of one class at one port that are kept */

#define VICTIMS_NONE SIZE_MAX /* no hold; no flow: a packet that is no data */

/* Bytes that a device had received at the port that it paused, and still had in one of its queues. */
typedef struct victims_share {
  size_t flow;
  int64_t bytes; /* as they are charged */
  size_t hold;   /* that the queue was in; VICTIMS_NONE: it ran */
  uint16_t port;
  uint8_t tc;
  bool is_cause; /* the queue ran, or these bytes had a part in the cause of its hold too */
} victims_share_t;

/* What a device had of a port's class when it sent a pause for it. */
typedef struct victims_cause {
  uint64_t number; /* of the pause, among those for the class at the port, from 1 */
  victims_share_t* shares;
  size_t count;
  struct victims_cause* next;
} victims_cause_t;

/* A port, which pauses and is paused. */
typedef struct victims_port {
  fabric_victims_t* victims;
  const sgf_device_t* device;
  unsigned port;
  size_t holds[NET_CLASSES];           /* that last; VICTIMS_NONE: there is none */
  victims_cause_t* asked[NET_CLASSES]; /* of pauses that the peer may not have acted on yet, in order: the latest */
} victims_port_t;

typedef struct victims_wait {
  size_t flow;
  int64_t bytes; /* in the queue at the end of the hold, on the wire */
  opp_simtime_t since;
  bool is_victim;
} victims_wait_t;

typedef struct victims_hold {
  const victims_port_t* at;
  unsigned tc;
  opp_simtime_t begin;
  opp_simtime_t end; /* -1: it lasts */
  victims_share_t* shares;
  size_t share_count;
  size_t first_wait; /* of those who waited, if one of them is a victim */
  size_t wait_count;
  sgf_queue_place_t root;
  unsigned steps;
  uint64_t searched; /* the last search (has_part) that has come by */
} victims_hold_t;

typedef struct victims_waits {
  victims_wait_t* items;
  size_t count;
  size_t capacity;
} victims_waits_t;

struct fabric_victims {
  const sgf_fabric_t* fabric;
  victims_port_t** ports;    /* by node id of the device, and port */
  pfc_observer_t* observers; /* of all ports */
  victims_hold_t* holds;     /* in order of their begins */
  size_t hold_count;
  size_t hold_capacity;
  victims_waits_t waits;
  size_t* place; /* by flow: where it was put last in the list that is being made */
  size_t place_count;
  size_t place_of_none;
  uint64_t searches; /* so far */
};

/* Who waits in a hold now, to be added to a list; nobody, unless one of them is a victim. Returns their number. */
size_t fabric_victims_wait(fabric_victims_t* victims, const victims_hold_t* hold, victims_waits_t* waits);

#endif
