/* Replays of spec/feedback-budget.md 13.2 with udp NICs (plugins/nic/udp/README.md) and scripts (sgfabric/script.h):
 * the same on the engine alone and in a SimGrid simulation that reads a platform file and whose actors write.
 *
 * Cables run at 400 Gb/s; switches have no latency of their own. One simulation per process. */
#ifndef SGF_VALIDATION_BUDGET_SUPPORT_H
#define SGF_VALIDATION_BUDGET_SUPPORT_H

#include <sgfabric/script.h>
#include <sgfabric/stats.h>

typedef enum budget_seat { BUDGET_ENGINE, BUDGET_SIMGRID } budget_seat_t;

enum { BUDGET_MAX = 16 }; /* hosts and switches, cables */

/* An attribute of a device; of all hosts, or all switches, where `device` is NULL. */
typedef struct budget_setting {
  const char* device;
  const char* prefix; /* "nic" or "switch" */
  const char* name;
  const char* value;
} budget_setting_t;

typedef struct budget_cable {
  const char* a;
  const char* b;
  opp_simtime_t delay;
} budget_cable_t;

/* NULL ends each list. Ports are numbered in order of the cables. */
typedef struct budget_topology {
  const char* hosts[BUDGET_MAX];
  const char* switches[BUDGET_MAX];
  budget_cable_t cables[BUDGET_MAX];
} budget_topology_t;

/* R1: senders h0 to h3 on ports 0 to 3 of `tor`, receiver h4 on port 4. */
budget_topology_t budget_r1(opp_simtime_t delay);

/* The fabric, sealed. Settings end with an entry without a name; the later one wins. */
sgf_fabric_t* budget_build(budget_seat_t seat, const budget_topology_t* topology, const budget_setting_t* settings);

sgf_device_t* budget_device(const char* name);

/* A write of this many bytes at `date`, of traffic class `tc`; it goes on when the run ends. */
void budget_write(const char* src, const char* dst, uint64_t bytes, unsigned tc, opp_simtime_t date);

/* Everything up to `date`. Once in a simulation. */
void budget_run(opp_simtime_t date);

/* Drain, and check that nothing is left anywhere. */
void budget_finish(void);

/* Frees the fabric of the engine; the simulation's ends with its process. */
void budget_free(void);

/* ---- Frames (section 12) ----------------------------------------------------------------------------------------- */

/* Attributes that make full frames of P bytes on the wire; two entries. */
typedef struct budget_frame {
  int64_t bytes;
  const char* mss;
  const char* headers;
} budget_frame_t;

enum { BUDGET_FRAMES = 4 };
extern const budget_frame_t budget_frames[BUDGET_FRAMES]; /* 1,000, 4,000, 4,154, 4,174 B */

/* On the wire at 400 Gb/s. */
static inline opp_simtime_t budget_wire(int64_t bytes)
{
  return 20 * bytes;
}

/* ---- Looks ------------------------------------------------------------------------------------------------------- */

/* The length of a queue at a date, when all events of that instant are done. */
typedef struct budget_sample {
  sgf_device_t* device;
  unsigned port;
  unsigned tc;
  opp_simtime_t date;
  int64_t bytes; /* -1: not taken */
} budget_sample_t;

/* Take it; the sample stays where it is until then. */
void budget_sample(budget_sample_t* sample, sgf_device_t* device, unsigned port, unsigned tc, opp_simtime_t date);

/* Send a pause from a port, whatever comes of it later. */
void budget_pause(sgf_device_t* device, unsigned port, unsigned tc, unsigned quanta);

/* The date at which a queue is first as long, and the length then; -1: never. */
typedef struct budget_crossing {
  sgf_device_t* device;
  unsigned port;
  unsigned tc;
  opp_simtime_t date;
  int64_t bytes;
} budget_crossing_t;

void budget_cross(budget_crossing_t* crossing, sgf_device_t* device, unsigned port, unsigned tc, int64_t level);

#endif
