/* pfc: what still came in after a pause was decided (spec/feedback-budget.md 4 and 5), for those who want to know: of
 * each pause the stop time, and the room above Xoff that it took. Who owns the buffer says what happens. */
#ifndef PFC_EPISODES_H
#define PFC_EPISODES_H

#include "net/frame.h"

/* A pause of one pool at one port, from the decision to its resume. Refreshes belong to it. */
typedef struct pfc_episode {
  opp_simtime_t decided; /* -1: none is under way */
  opp_simtime_t last;    /* arrival of the last frame since; -1: none has come */
  uint64_t frames;       /* since; and their charges, bytes */
  int64_t bytes;
  int64_t above; /* most bytes above Xoff */
} pfc_episode_t;

/* The episode of a pool at a port has ended, or is looked at. */
typedef void (*pfc_episode_cb)(void* user, unsigned port, unsigned pool, const pfc_episode_t* episode);

typedef struct pfc_episodes {
  pfc_episode_t (*of)[NET_CLASSES]; /* by port and pool */
  unsigned ports;
  pfc_episode_cb ended;
  void* user;
} pfc_episodes_t;

void pfc_episodes_init(pfc_episodes_t* episodes, unsigned ports, pfc_episode_cb ended, void* user);
void pfc_episodes_free(pfc_episodes_t* episodes);

/* The pause is decided, with so many bytes above Xoff. */
void pfc_episode_begin(pfc_episodes_t* episodes, unsigned port, unsigned pool, opp_simtime_t now, int64_t above);

/* While it is asked for a frame has arrived, admitted or not. */
void pfc_episode_arrival(pfc_episodes_t* episodes, unsigned port, unsigned pool, opp_simtime_t now, int64_t bytes,
                         int64_t above);

/* The resume is sent. */
void pfc_episode_end(pfc_episodes_t* episodes, unsigned port, unsigned pool);

/* End all that are under way as if they were resumed now. */
void pfc_episodes_end(pfc_episodes_t* episodes);

#endif
