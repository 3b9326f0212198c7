/* Taps on the cables of NICs in a SimGrid simulation: they look at frames, mark, delay and lose them. */
#ifndef SGF_VALIDATION_NIC_RUN_TAPS_H
#define SGF_VALIDATION_NIC_RUN_TAPS_H

#include "support/nic_run.h"

enum { RUN_LOST = -1 };

/* What happens to a frame on its way from a host or to it: it may be changed; returns for how long it is held up, or
 * RUN_LOST. */
typedef opp_simtime_t (*run_tap_t)(opp_msg_t* msg, opp_simtime_t now, bool to_host);

/* Put one on the cable of a host of the platform that is loaded next, which has to be called first. */
void run_tap(const char* host, run_tap_t tap);

#endif
