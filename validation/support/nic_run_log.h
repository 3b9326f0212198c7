/* A tap (support/nic_run_taps.h) on one cable that has every frame written down: of a cable that of h1, in a rack that
 * of h0. Here frames are found by kind and direction; what else is kept of them is the transport's, in the same order.
 */
#ifndef SGF_VALIDATION_NIC_RUN_LOG_H
#define SGF_VALIDATION_NIC_RUN_LOG_H

#include "support/nic_run_taps.h"

/* A transport's log. */
typedef struct run_log {
  const char* model; /* of its NICs */
  /* Keep what there is to keep of a frame as it comes to the tap. Returns its kind. */
  uint8_t (*write_down)(opp_msg_t* msg, opp_simtime_t now, bool to_host);
  const run_tap_t* fate; /* what happens to it then; a NULL there: nothing */
} run_log_t;

void run_log_cable(const run_log_t* log, const char* const* settings);
void run_log_rack(const run_log_t* log, unsigned hosts, const char* const* settings);

/* Frames of a kind in one direction, `to_host` that of the tap; the number among all frames of the n-th of them, n from
 * 0. SIZE_MAX: there is none. */
size_t run_log_count(int kind, bool to_host);
size_t run_log_nth(int kind, bool to_host, size_t n);

#endif
