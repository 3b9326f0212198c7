/* Ring D3 of spec/feedback-budget.md 13.3: a loop of routes that locks.
 *
 *        h1 --0-- S1 --1------0-- S2          routes to X: S1 by 1, S2 by 1, S3 by 1, back to S1
 *                   \             /
 *                    2           1            ring links 500 ns, those of the hosts 100 ns; 400 Gbps
 *                     \         /
 *                      1-- S3 --0             S3 port 2 leads to X; repaired, S3 sends to X by 2
 *                           |
 *                           2-- X
 *
 * h1 has a NIC without a transport, which obeys pauses and sends at line rate from 0 on. */
#ifndef SGF_VALIDATION_RING_SUPPORT_H
#define SGF_VALIDATION_RING_SUPPORT_H

#include <sgfabric/fabric.h>
#include <sgfabric/stats.h>

#include "switch/switch.h"

enum { RING_SWITCHES = 3, RING_XOFF = 40000, RING_XON = 20000, RING_FRAME = 4154 };

typedef struct ring {
  sgf_fabric_t* fabric;
  sgf_device_t* h1;
  sgf_device_t* x;
  sgf_device_t* switches[RING_SWITCHES]; /* S1, S2, S3 */
  unsigned mss;
} ring_t;

/* Pairs of an attribute of the switches and its value. */
#define RING_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})
#define RING_WATCHED "PfcWatchdog.Enable", "true"

/* D3 for frames of `frame` bytes on the wire, 1,082, 4,154 or 4,174; sealed, its loop closed, with `settings` for all
 * three switches. It goes on when it locks. */
ring_t ring_new(unsigned frame, const char* const* settings);
void ring_free(ring_t* ring);

/* h1 sends that many frames from 0 on. Returns when the first bit of the first one leaves; the engine is there. */
opp_simtime_t ring_send(const ring_t* ring, uint64_t frames);
/* The same at another date, without running. */
void ring_send_at(const ring_t* ring, uint64_t frames, opp_simtime_t date);
/* Enough for as long as it takes. */
#define RING_WITHOUT_END UINT64_C(1000000)

/* Run to a date. */
void ring_run(const ring_t* ring, opp_simtime_t date);

/* S3 sends to X, or into the loop again. */
void ring_repair(const ring_t* ring, bool repaired);

/* Frames that h1 has sent. */
uint64_t ring_sent(const ring_t* ring);

/* Of the switch S`number`: its egress into the ring, its ingress from it. */
switch_state_t* ring_switch(const ring_t* ring, unsigned number);
unsigned ring_out(unsigned number);
unsigned ring_in(unsigned number);
const switch_port_t* ring_egress(const ring_t* ring, unsigned number);
/* Bytes of the ingress, with headroom; and when the hold of the egress that lasts has begun. */
int64_t ring_ingress_bytes(const ring_t* ring, unsigned number);
opp_simtime_t ring_held_since(const ring_t* ring, unsigned number);

/* Drops of a cause at all switches. */
uint64_t ring_drops(const ring_t* ring, switch_drop_t cause);
uint64_t ring_all_drops(const ring_t* ring);

/* The ring egress of all three switches is held and not empty. */
bool ring_is_locked(const ring_t* ring);

#endif
