/* The watchdogs of a switch's lossless queues (spec/feedback-budget.md 9.2, `pfc/watchdog.h`): what a storm does to
 * packets, and what is known of each storm afterwards. */
#ifndef SWITCH_WATCHDOG_H
#define SWITCH_WATCHDOG_H

#include "pfc/pfc.h"
#include "pfc/watchdog.h"

/* Packets of a class at a port: those that left its egress queue, those that were discarded out of it or on their way
 * to it; those that arrived at the port in the class and were let in, and those that were discarded at once. */
typedef struct switch_storm_traffic {
  uint64_t sent;
  uint64_t tx_drops;
  uint64_t received;
  uint64_t rx_drops;
} switch_storm_traffic_t;

typedef struct switch_storm {
  unsigned port;
  unsigned tc;
  opp_simtime_t detected;
  opp_simtime_t restored;        /* -1: it lasts */
  switch_storm_traffic_t during; /* this storm */
  switch_storm_traffic_t total;  /* this storm and the earlier ones of the queue */
} switch_storm_t;

/* A queue. */
typedef struct switch_watch {
  pfc_watchdog_t dog; /* dog.config NULL: the queue is not watched */
  opp_msg_t* timer;
  opp_simtime_t last_sent;
  size_t storm; /* the latest one, from 1 on; 0: there was none */
} switch_watch_t;

typedef struct switch_watchdog {
  pfc_watchdog_config_t config;
  switch_watch_t* watches; /* by port and class */
  switch_storm_t* storms;  /* in order of detection */
  size_t storm_count;
} switch_watchdog_t;

#endif
