/* pfc: priority flow control frames, the timers of a paused class, and the clock that repeats a pause (spec/switch.md
 * 6, spec/uet-nic.md 6). The decision to pause or resume stays with the owner of the buffer.
 *
 * A frame names one class and takes 64 B on the wire (O-13). */
#ifndef PFC_H
#define PFC_H

#include "net/port.h"

enum {
  PFC_FRAME_BYTES  = 64,
  PFC_QUANTUM_BITS = 512,
  PFC_MAX_QUANTA   = 65535,
};

/* How long a pause of `quanta` stops the receiver: quanta x 512 bit times at the link's rate, plus the link's delay, in
 * ps. */
opp_simtime_t pfc_pause_time(uint32_t quanta, int64_t bps, opp_simtime_t delay);

/* ---- Receiving --------------------------------------------------------------------------------------------------- */

/* What the peer asks of a port, class by class. A class is held until a time, a resume, or a pause that sets it anew.
 */
typedef struct pfc_receiver {
  net_port_t* port; /* whose classes are held */
  opp_msg_t* timer; /* pending for the earliest end of a hold */
  opp_simtime_t until[NET_CLASSES];
  opp_simtime_t since[NET_CLASSES];  /* begin of the hold under way */
  opp_simtime_t paused[NET_CLASSES]; /* total of the holds that have ended, ps */
  uint64_t pauses[NET_CLASSES];      /* frames received */
  uint64_t resumes[NET_CLASSES];
} pfc_receiver_t;

/* `kind` and `number` mark the timer that the owner passes to pfc_receiver_expire. */
void pfc_receiver_init(pfc_receiver_t* receiver, net_port_t* port, int kind, uint32_t number);

/* Act on a PFC frame that has arrived now and delete it. */
void pfc_receive(pfc_receiver_t* receiver, opp_msg_t* frame);

/* The timer: release what is no longer held. */
void pfc_receiver_expire(pfc_receiver_t* receiver);

/* Time for which a class has been held up to now, ps. */
opp_simtime_t pfc_receiver_paused(const pfc_receiver_t* receiver, unsigned tc);

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

/* Frames sent by a port. */
typedef struct pfc_sender {
  net_port_t* port;
  uint64_t pauses[NET_CLASSES];
  uint64_t resumes[NET_CLASSES];
} pfc_sender_t;

/* Queue a frame for `tc` ahead of the port's classes: a pause, or with quanta 0 a resume. */
void pfc_send(pfc_sender_t* sender, unsigned tc, uint16_t quanta);

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
