/* pfc: the watchdog of one queue that a peer may pause for too long (spec/feedback-budget.md 9.2).
 *
 *                      paused for T0                      no PFC frame for T1
 *       operational ---------------------> storm ------------------------------> operational
 *
 * It has no clock and knows no frames: its owner tells it what happens to the queue, calls it at the date that it asks
 * for, and does what the action says when a storm begins and ends. By exact timers, or by the polls of the public
 * design, literally: one at every multiple of the interval, of which those that could change nothing are left out. */
#ifndef PFC_WATCHDOG_H
#define PFC_WATCHDOG_H

#include <sgfabric/attr.h>

#include "opp/kernel.h"

/* What becomes of a queue while a storm is on. */
typedef enum pfc_watchdog_action {
  PFC_WATCHDOG_DROP,    /* discarded, and what arrives in the same class and port too */
  PFC_WATCHDOG_FORWARD, /* sent, whatever the peer asks for */
  PFC_WATCHDOG_ALERT,   /* reported: the pause stays in force */
} pfc_watchdog_action_t;

typedef enum pfc_watchdog_mode { PFC_WATCHDOG_TIMER, PFC_WATCHDOG_POLLING } pfc_watchdog_mode_t;

/* The attributes of component PfcWatchdog. */
typedef struct pfc_watchdog_config {
  bool enabled;              /* Enable */
  bool default_start;        /* DefaultStart */
  bool two_samples;          /* TwoSamples */
  int action;                /* Action, a pfc_watchdog_action_t */
  int mode;                  /* Mode, a pfc_watchdog_mode_t */
  opp_simtime_t detection;   /* DetectionTime, T0 */
  opp_simtime_t restoration; /* RestorationTime, T1; 0: never */
  opp_simtime_t interval;    /* PollInterval, P */
  char ports[SGF_TEXT_SIZE]; /* Ports: "0,4-7"; empty: all */
} pfc_watchdog_config_t;

extern const sgf_attr_table_t pfc_watchdog_attributes;

/* Put the times in force that hold on a switch with `ports` ports, and check them. SGF_RULE: a poll interval that is
 * larger than one of the other times; SGF_RANGE: a restoration time that is neither 0 nor at least 100 ms; SGF_SYNTAX
 * or SGF_RANGE: `ports` is no list of ports. */
sgf_status_t pfc_watchdog_settle(pfc_watchdog_config_t* config, unsigned ports, sgf_error_t* error);

/* Whether the list of a settled configuration has a port. */
bool pfc_watchdog_has_port(const pfc_watchdog_config_t* config, unsigned port);

/* The longest time from the begin of a pause to its storm. */
opp_simtime_t pfc_watchdog_longest_detection(const pfc_watchdog_config_t* config);

/* ---- One queue --------------------------------------------------------------------------------------------------- */

/* What a call has led to. */
typedef enum pfc_watchdog_verdict {
  PFC_WATCHDOG_NOTHING,
  PFC_WATCHDOG_STORM,
  PFC_WATCHDOG_RESTORED,
} pfc_watchdog_verdict_t;

/* What a poll looks at. */
typedef struct pfc_watchdog_sample {
  bool occupied;           /* a packet waits in the queue */
  opp_simtime_t last_sent; /* when the last packet had left it; -1: none has */
  opp_simtime_t paused;    /* how long it has been paused, in all */
} pfc_watchdog_sample_t;

typedef struct pfc_watchdog {
  const pfc_watchdog_config_t* config;
  opp_simtime_t next; /* when it is to be called (pfc_watchdog_due); OPP_TIME_MAX: not until something happens */
  bool stormed;
  bool held;
  unsigned signs;              /* polls in a row that have shown the sign */
  opp_simtime_t last_heard;    /* PFC frame; -1: none. With timers also the detection of a storm */
  opp_simtime_t left;          /* polls: until the storm, or until the restoration */
  opp_simtime_t paused_before; /* paused time at the last poll */
} pfc_watchdog_t;

/* `config` has been settled and outlives the watchdog. */
void pfc_watchdog_init(pfc_watchdog_t* dog, const pfc_watchdog_config_t* config);

/* A PFC frame for the class, a pause or a resume, has arrived (rule 4); the queue had been paused for `paused` by then.
 * To be told ahead of what the frame does to the queue. */
void pfc_watchdog_heard(pfc_watchdog_t* dog, opp_simtime_t now, opp_simtime_t paused);

/* Whether the class is held from now on; nothing needs to have changed. Not while a storm is on, but for `alert`. */
pfc_watchdog_verdict_t pfc_watchdog_hold(pfc_watchdog_t* dog, opp_simtime_t now, bool held);

/* It is `next`. On a storm, but for `alert`, the class counts as running (rule 3): not held. */
pfc_watchdog_verdict_t pfc_watchdog_due(pfc_watchdog_t* dog, opp_simtime_t now, const pfc_watchdog_sample_t* sample);

#endif
