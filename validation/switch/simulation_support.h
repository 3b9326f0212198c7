/* A star in a SimGrid simulation: what the replays of spec/switch.md 10 with NICs and actors have in common. One to a
 * process.
 *
 *   h0 --+
 *   h1 --+-- s0     host i is behind port i of the switch; 400 Gbps a cable
 *   ...  |
 *   hn --+
 *
 * Several of them may share port 0, behind a switch that passes everything on:
 *
 *   h0 --+
 *   ...  +-- u0 -- s0 -- h2, h3, ...     with two behind u0, host i is behind port i - 1
 *   h1 --+
 *
 * Sending NICs honour the pauses of the switch, unless a tap keeps them away from port 0. So that nothing drains, an
 * actor on the receiving host lets its NIC pause the port of the switch that leads to it. The state of the switch is
 * read after every event of the engine. */
#ifndef SGF_VALIDATION_SIMULATION_SUPPORT_H
#define SGF_VALIDATION_SIMULATION_SUPPORT_H

#include <sgfabric/scenario.h>

#include "switch/switch.h"

enum {
  SIM_PACKET  = 4000, /* charge size of a data packet, bytes */
  SIM_PAYLOAD = 3912,
  SIM_PROBE   = 46, /* charge size of the base-RTT probe that a message sends when its first packet is acknowledged */
};

/* Properties are pairs of id and value. */
#define SIM_PROPERTIES(...) ((const char* const[]){__VA_ARGS__, NULL})
/* Data packets of 4,000 B, an initial window of 1.5 x 400 Gbps x `rtt` that holds nothing, so that senders go on at
 * full rate whatever queues and marks say, and no retransmission before all is over that a test looks at. */
#define SIM_PACKETS(rtt)                                                                                               \
  "nic.RdmaDataMSS", "3912", "nic.InitialBaseRTT", rtt, "nic.PassThrough", "true", "nic.InitialRetransmitTimeout",     \
      "10ms"
/* The same as assignments. */
#define SIM_ASSIGNED_PACKETS(rtt)                                                                                      \
  "**.nic.RdmaDataMSS=3912", "**.nic.InitialBaseRTT=" rtt, "**.nic.PassThrough=true",                                  \
      "**.nic.InitialRetransmitTimeout=10ms"
#define SIM_ALL_LOSSY "switch.EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]"

/* The codepoint of host i's data, for as many hosts as there are entries; the first one of class `tc`. Without the UET
 * policy the class is floor(DSCP / 8). */
#define SIM_DSCP(...) ((const int[]){__VA_ARGS__, -1})
#define SIM_OF_CLASS(tc) (8 * (tc) + 4)

typedef struct star {
  unsigned hosts;
  unsigned behind;           /* hosts from h0 on that share port 0; 0: none */
  bool deaf;                 /* pauses of port 0 do not reach its peer */
  const int* dscp;           /* SIM_DSCP; NULL: all have the NIC's defaults, class 0 */
  const char* latency;       /* of the cables; NULL: 500ns */
  const char* first_latency; /* of the cable of h0; NULL: as the others */
  const char* const* properties;
} star_t;

/* The platform file: properties from line SIM_FIRST_PROPERTY on, one a line, then hosts, then the switch. Free the
 * text. */
enum { SIM_FIRST_PROPERTY = 6 };
char* sim_star_text(const star_t* star);

/* Load the star into SimGrid through its platform file. */
void sim_star(const star_t* star);
/* The same with any platform, whose one switch of interest is `name`. */
void sim_platform(const char* file, const char* name);
/* Assignments for it, as of --set; before it is loaded. */
void sim_set(const char* const* assignments);
switch_state_t* sim_switch(void);
sgf_shared_buffer_t* sim_buffer(void);
sgf_fabric_t* sim_fabric(void);

/* An actor on host `from` that writes `bytes` to host `to` at `date` (s). */
void sim_write(unsigned from, unsigned to, uint64_t bytes, double date);
/* The same for `count` full packets. */
void sim_write_packets(unsigned from, unsigned to, unsigned count, double date);
/* An actor on `host` that keeps class `tc` of the switch's port to it paused from `begin` to `end` (s), and then
 * resumes it. */
void sim_hold(unsigned host, unsigned tc, double begin, double end);
/* The same for all classes. */
void sim_hold_all(unsigned host, double begin, double end);
/* The same for the port by which the switch reaches its neighbour at `port`: that one's switch sends the pauses. */
void sim_hold_port(unsigned port, unsigned tc, double begin, double end);
/* One PFC frame from the NIC of `host` at `date` (s). */
void sim_pfc(unsigned host, unsigned tc, uint16_t quanta, double date);

/* ---- What happened ----------------------------------------------------------------------------------------------- */

/* The state after an event that changed any of it. */
typedef struct sim_row {
  opp_simtime_t date;
  int64_t occupancy; /* of the ingress port in the pool */
  int64_t headroom;
  int64_t pool_total;
  int64_t egress;  /* queue of the egress port */
  uint64_t pauses; /* sent by the ingress port, all classes */
  uint64_t resumes;
  uint64_t rx_drops; /* of the ingress port */
  uint64_t tx_drops; /* of the egress port */
  uint64_t trimmed;  /* there */
  double average;    /* the ECN marker's, of the queue */
} sim_row_t;

/* Watch a pair of ports and a pool from now on. */
void sim_watch(unsigned in, unsigned out, unsigned pool);
size_t sim_row_count(void);
const sim_row_t* sim_rows(void);
/* The first row for which one of the counters is at least `count`; fails the test if there is none. */
const sim_row_t* sim_row_of_pause(uint64_t count);
const sim_row_t* sim_row_of_resume(uint64_t count);
const sim_row_t* sim_row_of_rx_drop(uint64_t count);
const sim_row_t* sim_row_of_tx_drop(uint64_t count);
const sim_row_t* sim_row_of_trim(uint64_t count);

/* Simulate to the end: every write must complete and every buffer be empty. */
void sim_run(void);
/* When the n-th write that was posted was acknowledged, in ps. */
opp_simtime_t sim_end_of_write(size_t n);
/* Drops of all causes at the switch. */
uint64_t sim_drops(void);

#endif
