/* Taps on the cables of a simulated fabric: what crosses them, frame by frame, and pauses that get lost. */
#ifndef SGF_VALIDATION_SIMULATION_TAPS_SUPPORT_H
#define SGF_VALIDATION_SIMULATION_TAPS_SUPPORT_H

#include "net/frame.h"

typedef struct sim_tap {
  const char* device;
  unsigned port;
  bool keep_pauses; /* pause frames from the device do not reach its peer */
} sim_tap_t;

/* Put a tap on a cable of the platform that is loaded next. Returns its number, from 0. */
unsigned sim_tap(const sim_tap_t* tap);

/* A frame that came to the end of its way over the cable. */
typedef struct sim_frame {
  opp_simtime_t date;
  uint32_t bytes; /* on the wire */
  net_frame_t header;
} sim_frame_t;

/* Frames from the device to its peer, in order, pause frames too. */
size_t sim_frame_count(unsigned tap);
const sim_frame_t* sim_frame(unsigned tap, size_t n);
/* The n-th data packet among them, from 0; how many there are. The rest are control packets and pauses. */
const sim_frame_t* sim_data_frame(unsigned tap, size_t n);
size_t sim_data_frame_count(unsigned tap);
/* How many packets of them have this codepoint. */
size_t sim_frames_with(unsigned tap, unsigned dscp);

#endif
