/* A switch on its own, without SimGrid: what the replays of spec/switch.md 10 with frames and a clock have in common.
 *
 *   peer 0 --> port 0 --+--------+-- port 1 --> peer 1     host h is behind port h
 *   peer 2 --> port 2 --| switch |-- port 3 --> peer 3
 *              ...      +--------+
 *
 * A test hands frames to the switch at the instant it chooses: they have arrived, whatever a cable would have allowed.
 * What the switch sends crosses a cable of 400 Gbps and 500 ns, and the peer at its end notes it. */
#ifndef SGF_VALIDATION_LAB_SUPPORT_H
#define SGF_VALIDATION_LAB_SUPPORT_H

#include "switch/switch.h"

enum {
  LAB_PACKET       = 4000, /* charge size in bytes of "a packet" */
  LAB_BPS_PER_GBPS = 1000000000,
};
#define LAB_DELAY (500 * OPP_NS)
#define LAB_FIRST_HOST UINT32_C(0x0a000001)

/* Settings are pairs of attribute and value. */
#define LAB_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})
#define LAB_DEFAULTS LAB_SETTINGS(NULL)

/* A frame that has reached a peer. */
typedef struct lab_record {
  opp_simtime_t date; /* of its last bit */
  unsigned port;      /* of the switch */
  bool is_pfc;
  uint32_t bytes; /* on the wire */
  unsigned tc;    /* of a packet: the eighth that its DSCP is in */
  uint8_t dscp;
  uint8_t ecn;
  uint8_t classes; /* of a PFC frame: those it names, bit tc */
  uint16_t quanta;
  uint32_t number; /* of a packet, in order of arrival at the switch, from 1 */
} lab_record_t;

typedef struct lab {
  opp_sim_t* sim;
  opp_module_t* module;
  switch_state_t* state;
  sgf_shared_buffer_t* buffer;
  opp_module_t** peers;
  uint32_t last_number;
  lab_record_t* records; /* in order of date */
  size_t record_count;
} lab_t;

/* D128 with `settings`: 128 ports at 400 Gbps and 500 ns. It must start. Free with lab_free. */
lab_t* lab_d128(const char* const* settings);
/* The same with other ports; `node_id` gives the salt of its hashes. There is a host behind each port, and as many more
 * that no route leads to. */
lab_t* lab_new(unsigned ports, int64_t gbps, opp_simtime_t delay, uint32_t node_id, const char* const* settings);
void lab_free(lab_t* lab);

/* Why D128 with `settings` does not start. It must not; SGF_OK: it did. */
sgf_status_t lab_refusal(const char* const* settings, sgf_error_t* error);

/* ---- Time -------------------------------------------------------------------------------------------------------- */

opp_simtime_t lab_now(const lab_t* lab);
/* Let time pass until `date`, events at `date` included. */
void lab_run(lab_t* lab, opp_simtime_t date);
/* The same while the peer of `port` keeps class `tc` held, which it is already. */
void lab_run_held(lab_t* lab, unsigned port, unsigned tc, opp_simtime_t date);
/* Until the PFC frames that are on their way have arrived: 4 us. */
void lab_settle(lab_t* lab);
/* Until `count` more frames, pauses or packets, have left `port` entirely: the end of the serialisation of the last of
 * them. */
void lab_depart(lab_t* lab, unsigned port, unsigned count);
/* Time on the wire of a frame of `bytes`, without the cable's delay. */
opp_simtime_t lab_wire_time(const lab_t* lab, int64_t bytes);
/* From the start of its serialisation to its arrival at the peer: a PFC frame, a packet of 4,000 B. */
opp_simtime_t lab_pfc_way(const lab_t* lab);
opp_simtime_t lab_packet_way(const lab_t* lab);

/* ---- Arrivals, now ----------------------------------------------------------------------------------------------- */

/* Packets of 4,000 B and class `tc` to `host`, one after the other. */
void lab_packets(lab_t* lab, unsigned port, uint32_t host, unsigned tc, unsigned count);
/* One packet of `charge` bytes with the header fields of `fields`, which `lab_fields` prepares for a class. */
void lab_packet(lab_t* lab, unsigned port, const net_frame_t* fields, uint32_t charge);
net_frame_t lab_fields(uint32_t host, unsigned tc);
/* One packet of 4,000 B over the cable, timed so that its last bit arrives at `date`. Time passes until it starts on
 * its way. */
void lab_packet_for(lab_t* lab, unsigned port, uint32_t host, unsigned tc, opp_simtime_t date);
/* A PFC frame of the peer of `port`, for one class or several. */
void lab_pfc(lab_t* lab, unsigned port, unsigned tc, uint16_t quanta);
void lab_pfc_group(lab_t* lab, unsigned port, uint8_t classes, uint16_t quanta);
/* Keep what is queued on `port` in class `tc` for a whole pause time, so that nothing drains; and let it go. */
void lab_hold(lab_t* lab, unsigned port, unsigned tc);
void lab_release(lab_t* lab, unsigned port, unsigned tc);

/* ---- What peers have got ----------------------------------------------------------------------------------------- */

/* Pauses (quanta 65535) and resumes for `tc` that have reached the peer of `port`. */
unsigned lab_pauses(const lab_t* lab, unsigned port, unsigned tc);
unsigned lab_resumes(const lab_t* lab, unsigned port, unsigned tc);
/* PFC frames for anything at any peer. */
unsigned lab_pfc_frames(const lab_t* lab);
/* Date at which the n-th (from 0) PFC frame for `tc` with these quanta reached the peer of `port`; -1: there is none.
 */
opp_simtime_t lab_pfc_date(const lab_t* lab, unsigned port, unsigned tc, uint16_t quanta, unsigned n);
/* The n-th packet (from 0) at the peer of `port`; number 0: there is none. */
lab_record_t lab_nth_packet(const lab_t* lab, unsigned port, unsigned n);
unsigned lab_packet_count(const lab_t* lab, unsigned port);

/* ---- The buffer
 * ------------------------------------------------------------------------------------------------------ */

/* Drops of all causes. */
uint64_t lab_drops(const lab_t* lab);
/* Occupancy and headroom of `port` in `pool`. */
bool lab_holds(const lab_t* lab, unsigned port, unsigned pool, int64_t occupancy, int64_t headroom);

#endif
