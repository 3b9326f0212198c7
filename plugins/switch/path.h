/* switch: the packet path, in the order in which its files serve it (spec/switch.md 5).
 *
 *   admission.c  arrival: classification, ingress admission, route, egress admission, drops
 *   trim.c       what egress admission does to a packet that it refused and may cut
 *   switch.c     start of transmission, departure
 *   pauses.c     what admission and departures ask of a port's peer, and what that asks
 *   watchdog.c   what becomes of packets while a peer has paused a queue for too long
 *
 * What few packets meet is `cold`: the compiler keeps it out of the code that all of them run. */
#ifndef SWITCH_PATH_H
#define SWITCH_PATH_H

#include "switch/switch.h"

/* A frame has arrived at port `in`; takes it. */
void switch_arrive(switch_state_t* state, unsigned in, opp_msg_t* msg);

/* Drop a frame at the port to which its loss counts. */
__attribute__((cold)) void switch_drop(switch_state_t* state, opp_msg_t* msg, switch_drop_t cause, unsigned at);

/* Give the ingress charge of a frame back that will not be queued. */
__attribute__((cold)) void switch_release(switch_state_t* state, unsigned in, const net_frame_t* frame);

/* Whether a packet that its egress queue refused may be cut to its headers: trimming is on, its codepoint allows it,
 * and its headers are known. */
bool switch_may_trim(const switch_state_t* state, const net_frame_t* frame);

/* Cut it and offer it again to the same port, in the class of what is left of it. Refused again, its ingress charge has
 * been released. */
__attribute__((cold)) sgf_sb_queueing_t switch_trim(switch_state_t* state, unsigned out, opp_msg_t* msg);

/* Pause the peer of a port for the group of a pool, now and until it is resumed (6.1, 6.2). */
__attribute__((cold)) void switch_pause_peer(switch_state_t* state, unsigned port, unsigned pool);

/* Resume it (6.3). */
__attribute__((cold)) void switch_resume_peer(switch_state_t* state, unsigned port, unsigned pool);

/* A PFC frame has arrived at a port; takes it (6.4). */
__attribute__((cold)) void switch_receive_pfc(switch_state_t* state, unsigned port, opp_msg_t* msg);

/* The timer of a port's holds. */
__attribute__((cold)) void switch_hold_ends(switch_state_t* state, unsigned port);

/* ---- Watchdog ---------------------------------------------------------------------------------------------------- */

/* The buffer and the ports are set up; `kind` marks the timers of queues. */
sgf_status_t switch_watchdog_init(switch_state_t* state, const pfc_watchdog_config_t* config, int kind,
                                  sgf_error_t* error);
void switch_watchdog_free(switch_state_t* state);

/* While the watchdog is on: its timer; a PFC frame for `classes` that is to be acted on now; holds that may have begun
 * or ended; the end of a serialisation. */
void switch_watchdog_due(switch_state_t* state, unsigned port, unsigned tc);
void switch_watchdog_hear(switch_state_t* state, unsigned port, unsigned classes);
void switch_watchdog_look(switch_state_t* state, unsigned port);
void switch_watchdog_departs(switch_state_t* state, unsigned port);

/* While a storm is on anywhere: whether it takes a packet that has arrived and is tagged; and whether it takes one that
 * is to be queued. */
__attribute__((cold)) bool switch_storm_takes(switch_state_t* state, unsigned in, opp_msg_t* msg);
__attribute__((cold)) bool switch_storm_discards(switch_state_t* state, unsigned in, unsigned out, opp_msg_t* msg);

#endif
