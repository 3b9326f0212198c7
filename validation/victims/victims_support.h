/* Topologies whose pauses have victims (spec/feedback-budget.md 13.2, R2), and what is asked of them.
 *
 *   A --- U --- V --- D          400 Gb/s and 100 ns but for the cable to D, whose rate is given
 *               |
 *               E */
#ifndef SGF_VALIDATION_VICTIMS_SUPPORT_H
#define SGF_VALIDATION_VICTIMS_SUPPORT_H

#include <sgfabric/script.h>
#include <sgfabric/stats.h>
#include <sgfabric/victims.h>
#include <sgfabric/workload.h>

/* Pairs of an attribute and its value. */
#define VICTIMS_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})

enum { VICTIMS_MSS = 4096, VICTIMS_HEADERS = 58, VICTIMS_CHARGE = VICTIMS_MSS + VICTIMS_HEADERS - 18 };
#define VICTIMS_BPS INT64_C(400000000000)

/* A fabric that is being built; devices in order of addition. */
sgf_device_t* victims_host(sgf_fabric_t* fabric, const char* name, const char* model);
/* Class 0 and 1 lossless and in pools of their own; Xoff 40 KB, Xon 20 KB. */
sgf_device_t* victims_switch(sgf_fabric_t* fabric, const char* name, const char* const* settings);
void victims_cable(sgf_fabric_t* fabric, sgf_device_t* a, sgf_device_t* b, int64_t bps, unsigned count);
void victims_seal(sgf_fabric_t* fabric, bool watched);

typedef struct r2 {
  sgf_fabric_t* fabric;
  sgf_device_t *a, *u, *v, *d, *e;
} r2_t;

/* R2 with NICs of a model; settings of U. Ports: of U 0 to A, 1 to V; of V 0 to U, 1 to D, 2 to E. */
r2_t r2_new(const char* model, int64_t bps_to_d, const char* const* settings);
void r2_free(r2_t* r2);

void victims_post(sgf_fabric_t* fabric, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes, opp_simtime_t date);
void victims_post_in(sgf_fabric_t* fabric, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes, opp_simtime_t date,
                     unsigned tc);

/* Run until nothing is in flight. */
void victims_run(sgf_fabric_t* fabric);

/* Run until a port has sent that many frames; the engine's clock, which is the end of the last one. */
opp_simtime_t victims_run_to_frame(sgf_fabric_t* fabric, const sgf_device_t* device, unsigned port, uint64_t frames);

/* How long a class of a port has been held so far. */
opp_simtime_t victims_paused(const sgf_device_t* device, unsigned port, unsigned tc);

/* Whether a place is that queue. */
bool victims_is_at(const sgf_queue_place_t* place, const sgf_device_t* device, unsigned port, unsigned tc);

#endif
