/* switch: the packet path, in the order in which its files serve it (spec/switch.md 5).
 *
 *   admission.c  arrival: classification, ingress admission, route, egress admission, drops
 *   trim.c       what egress admission does to a packet that it refused and may cut
 *   switch.c     start of transmission, departure
 *   pauses.c     what admission and departures ask of a port's peer
 *
 * What few packets meet is `cold`: the compiler keeps it out of the code that all of them run. */
#ifndef SWITCH_PATH_H
#define SWITCH_PATH_H

#include "switch/switch.h"

/* A frame has arrived at port `in`; takes it. */
void switch_arrive(switch_state_t* state, unsigned in, opp_msg_t* msg);

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

#endif
