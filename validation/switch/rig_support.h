/* A switch on its own, without SimGrid: what the replays of spec/switch.md 10 with frames and a clock have in common.
 *
 *   peer 0 --> port 0 --+--------+-- port 1 --> peer 1     host h is behind port h
 *   peer 2 --> port 2 --| switch |-- port 3 --> peer 3
 *              ...      +--------+
 *
 * A test hands frames to the switch at the instant it chooses: they have arrived, whatever a cable would have allowed.
 * What the switch sends crosses a cable of 400 Gbps and 500 ns, and the peer at its end notes it. */
#ifndef SGF_VALIDATION_RIG_SUPPORT_H
#define SGF_VALIDATION_RIG_SUPPORT_H

#include "switch/switch.h"

enum {
  RIG_PACKET       = 4000, /* charge size in bytes of "a packet" */
  RIG_BPS_PER_GBPS = 1000000000,
};
#define RIG_DELAY (500 * OPP_NS)
#define RIG_FIRST_HOST UINT32_C(0x0a000001)

/* Settings are pairs of attribute and value. */
#define RIG_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})
#define RIG_DEFAULTS RIG_SETTINGS(NULL)

/* A frame that has reached a peer. */
typedef struct rig_record {
  opp_simtime_t date; /* of its last bit */
  unsigned port;      /* of the switch */
  bool is_pfc;
  unsigned tc;     /* the class it names, or is in */
  uint16_t quanta; /* of a PFC frame */
  uint32_t number; /* of a packet, in order of arrival at the switch, from 1 */
} rig_record_t;

typedef struct rig {
  opp_sim_t* sim;
  opp_module_t* module;
  switch_state_t* state;
  sgf_shared_buffer_t* buffer;
  opp_module_t** peers;
  uint32_t last_number;
  rig_record_t* records; /* in order of date */
  size_t record_count;
} rig_t;

/* D128 with `settings`: 128 ports at 400 Gbps and 500 ns. It must start. Free with rig_free. */
rig_t* rig_d128(const char* const* settings);
/* The same with other ports; `node_id` gives the salt of its hashes. There is a host behind each port, and as many more
 * that no route leads to. */
rig_t* rig_new(unsigned ports, int64_t gbps, opp_simtime_t delay, uint32_t node_id, const char* const* settings);
void rig_free(rig_t* rig);

/* ---- Time ----------------------------------------------------------------------------------------------------------
 */

opp_simtime_t rig_now(const rig_t* rig);
/* Let time pass until `date`, events at `date` included. */
void rig_run(rig_t* rig, opp_simtime_t date);
/* The same while the peer of `port` keeps class `tc` held, which it is already. */
void rig_run_held(rig_t* rig, unsigned port, unsigned tc, opp_simtime_t date);
/* Until the PFC frames that are on their way have arrived: 4 us. */
void rig_settle(rig_t* rig);
/* Until `count` more frames, pauses or packets, have left `port` entirely: the end of the serialisation of the last of
 * them. */
void rig_depart(rig_t* rig, unsigned port, unsigned count);
/* Time on the wire of a frame of `bytes`, without the cable's delay. */
opp_simtime_t rig_wire_time(const rig_t* rig, int64_t bytes);
/* From the start of its serialisation to its arrival at the peer: a PFC frame, a packet of 4,000 B. */
opp_simtime_t rig_pfc_way(const rig_t* rig);
opp_simtime_t rig_packet_way(const rig_t* rig);

/* ---- Arrivals, now -------------------------------------------------------------------------------------------------
 */

/* Packets of 4,000 B and class `tc` to `host`, one after the other. */
void rig_packets(rig_t* rig, unsigned port, uint32_t host, unsigned tc, unsigned count);
/* One packet of `charge` bytes with the header fields of `fields`, which `rig_fields` prepares for a class. */
void rig_packet(rig_t* rig, unsigned port, const net_frame_t* fields, uint32_t charge);
net_frame_t rig_fields(uint32_t host, unsigned tc);
/* One packet of 4,000 B over the cable, timed so that its last bit arrives at `date`. Time passes until it starts on
 * its way. */
void rig_packet_for(rig_t* rig, unsigned port, uint32_t host, unsigned tc, opp_simtime_t date);
/* A PFC frame of the peer of `port`. */
void rig_pfc(rig_t* rig, unsigned port, unsigned tc, uint16_t quanta);
/* Keep what is queued on `port` in class `tc` for a whole pause time, so that nothing drains; and let it go. */
void rig_hold(rig_t* rig, unsigned port, unsigned tc);
void rig_release(rig_t* rig, unsigned port, unsigned tc);

/* ---- What peers have got -------------------------------------------------------------------------------------------
 */

/* Pauses (quanta 65535) and resumes for `tc` that have reached the peer of `port`. */
unsigned rig_pauses(const rig_t* rig, unsigned port, unsigned tc);
unsigned rig_resumes(const rig_t* rig, unsigned port, unsigned tc);
/* PFC frames for anything at any peer. */
unsigned rig_pfc_frames(const rig_t* rig);
/* Date at which the n-th (from 0) PFC frame for `tc` with these quanta reached the peer of `port`; -1: there is none.
 */
opp_simtime_t rig_pfc_date(const rig_t* rig, unsigned port, unsigned tc, uint16_t quanta, unsigned n);
/* The n-th packet (from 0) at the peer of `port`; number 0: there is none. */
rig_record_t rig_nth_packet(const rig_t* rig, unsigned port, unsigned n);
unsigned rig_packet_count(const rig_t* rig, unsigned port);

/* ---- The buffer
 * ------------------------------------------------------------------------------------------------------ */

/* Drops of all causes. */
uint64_t rig_drops(const rig_t* rig);
/* Occupancy and headroom of `port` in `pool`. */
bool rig_holds(const rig_t* rig, unsigned port, unsigned pool, int64_t occupancy, int64_t headroom);

#endif
