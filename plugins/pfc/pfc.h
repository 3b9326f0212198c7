/* pfc: priority flow control frames, the timers of a paused class, and the clock that repeats a pause (spec/switch.md
 * 6, spec/uet-nic.md 6). The decision to pause or resume stays with the owner of the buffer.
 *
 * A frame names one class, or with the option `vector` all that are to be paused or resumed at once (O-13). */
#ifndef PFC_H
#define PFC_H

#include "net/port.h"

enum {
  PFC_FRAME_BYTES  = 64, /* on the wire, unless the sender is told another size */
  PFC_QUANTUM_BITS = 512,
  PFC_MAX_QUANTA   = 65535,
};

/* How long a pause of `quanta` stops the receiver: quanta x 512 bit times at the link's rate, plus the link's delay, in
 * ps. */
opp_simtime_t pfc_pause_time(uint32_t quanta, int64_t bps, opp_simtime_t delay);

/* Hears what those want to know who look for the causes of holds (spec/feedback-budget.md 7). All before anything else
 * comes of it. */
typedef struct pfc_observer {
  void (*asks)(void* user, unsigned tc);   /* a pause frame for the class is queued; counted already */
  void (*begins)(void* user, unsigned tc); /* a frame that was received, and counted, holds the class from now on */
  void (*ends)(void* user, unsigned tc);   /* it is about to be released */
  void* user;
} pfc_observer_t;

/* ---- Receiving --------------------------------------------------------------------------------------------------- */

/* Stretches of time of one kind. */
typedef struct pfc_stretches {
  opp_simtime_t total;   /* ps */
  opp_simtime_t longest; /* of those since the interval began, and of one that had begun before, the part in it */
} pfc_stretches_t;

/* The hold of one class. */
typedef struct pfc_hold {
  opp_simtime_t until;
  opp_simtime_t since;        /* begin of the one under way */
  opp_simtime_t interval;     /* begin of the interval of the longest stretches */
  pfc_stretches_t paused;     /* holds that have ended */
  pfc_stretches_t backlogged; /* the parts of them in which the port had a frame of the class to send */
} pfc_hold_t;

/* What the peer asks of a port, class by class. A class is held until a time, a resume, or a pause that sets it anew.
 */
typedef struct pfc_receiver {
  net_port_t* port;             /* whose classes are held */
  opp_msg_t* timer;             /* pending for the earliest end of a hold */
  pfc_hold_t* holds;            /* by class; apart, because packets do not need it */
  uint64_t pauses[NET_CLASSES]; /* frames received that name the class */
  uint64_t resumes[NET_CLASSES];
  uint8_t ignored;                /* bit tc: what the peer asks for the class is counted, and nothing more */
  const pfc_observer_t* observer; /* NULL: nobody looks */
} pfc_receiver_t;

/* `kind` and `number` mark the timer that the owner passes to pfc_receiver_expire. */
void pfc_receiver_init(pfc_receiver_t* receiver, net_port_t* port, int kind, uint32_t number);

void pfc_receiver_free(pfc_receiver_t* receiver);

/* Act on a PFC frame that has arrived now and delete it. */
void pfc_receive(pfc_receiver_t* receiver, opp_msg_t* frame);

/* Count a PFC frame that stops nothing here and delete it. */
void pfc_ignore(pfc_receiver_t* receiver, opp_msg_t* frame);

/* Whether what the peer asks for a class is ignored from now on; then a hold that lasts ends here, and it is the
 * caller's to start the port. */
void pfc_receiver_ignore(pfc_receiver_t* receiver, unsigned tc, bool ignored);

/* The timer: release what is no longer held. */
void pfc_receiver_expire(pfc_receiver_t* receiver);

/* Time for which a class has been held up to now, ps. */
opp_simtime_t pfc_receiver_paused(const pfc_receiver_t* receiver, unsigned tc);

/* Holds of a class up to now, and the parts of them in which the port had a frame of it to send (spec/records.md R-05).
 */
pfc_stretches_t pfc_receiver_holds(const pfc_receiver_t* receiver, unsigned tc);
pfc_stretches_t pfc_receiver_backlogged_holds(const pfc_receiver_t* receiver, unsigned tc);

/* Begin the next interval of a class's longest stretches. */
void pfc_receiver_next_interval(pfc_receiver_t* receiver, unsigned tc);

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

/* What frames look like (O-13). */
typedef struct pfc_layout {
  uint32_t bytes; /* on the wire */
  bool vector;    /* one frame for a group of classes; otherwise one for each, in ascending order */
} pfc_layout_t;

#define PFC_DEFAULT_LAYOUT ((pfc_layout_t){.bytes = PFC_FRAME_BYTES})

typedef struct pfc_sender {
  net_port_t* port;
  pfc_layout_t layout;
  uint64_t pauses[NET_CLASSES]; /* frames sent that name the class */
  uint64_t resumes[NET_CLASSES];
  const pfc_observer_t* observer; /* NULL: nobody looks */
} pfc_sender_t;

void pfc_sender_init(pfc_sender_t* sender, net_port_t* port, pfc_layout_t layout);

/* Queue a frame for `tc` ahead of the port's classes: a pause, or with quanta 0 a resume. */
void pfc_send(pfc_sender_t* sender, unsigned tc, uint16_t quanta);

/* The same for a group of classes, bit tc, in as many frames as the layout takes. */
void pfc_send_group(pfc_sender_t* sender, unsigned group, uint16_t quanta);

/* The clock that repeats a pause at every half pause time from the moment it was handed to the PFC queue (O-26). */
typedef struct pfc_refresh {
  opp_msg_t* timer;
  opp_simtime_t period;
} pfc_refresh_t;

/* `kind` and `number` mark the timer that the owner gets when the pause is due again. */
void pfc_refresh_init(pfc_refresh_t* refresh, opp_module_t* owner, int kind, uint32_t number, opp_simtime_t pause_time);
void pfc_refresh_start(pfc_refresh_t* refresh, opp_module_t* owner);
void pfc_refresh_stop(pfc_refresh_t* refresh, opp_module_t* owner);

#endif
