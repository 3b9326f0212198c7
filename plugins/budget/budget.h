/* budget: closed forms that tie the size of a buffer to the time that a control signal needs, and a headroom pool that
 * ports share (spec/feedback-budget.md 2 to 9). No state but the pool's, no memory of its own.
 *
 * Sizes in bytes, rates in bits per second, times in picoseconds; none is negative. Products are taken in 128 bits. A
 * result that is not whole is rounded up unless it says otherwise: the first picosecond at which something holds, and
 * never a byte too few. As a bound that is not to be reached it stays the same for whole numbers: t < x is t < ceil(x).
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Also what no longer fits 63 bits. */
#define BUDGET_NEVER INT64_MAX

/* Up to here no intermediate result is too large. */
#define BUDGET_MAX_BPS INT64_C(1000000000000000) /* of one source, and of the egress */
#define BUDGET_MAX_BYTES (INT64_C(1) << 32)      /* of one flow, where there are shares */
#define BUDGET_MAX_SHARE INT64_C(1000000000)
enum { BUDGET_MAX_SOURCES = 1024 };

/* ---- Fluid model (2) --------------------------------------------------------------------------------------------- */

/* rate x time: what comes in or goes out at a rate. */
int64_t budget_bytes(int64_t bps, int64_t ps);

/* bytes / rate: how long that takes; also the least time for so many bytes, whatever the control (8). */
int64_t budget_time(int64_t bytes, int64_t bps);

/* max(A - C, 0) x time: growth of the queue; with the feedback time it is dQ_cc (3). */
int64_t budget_growth(int64_t input, int64_t egress, int64_t ps);

/* line / (A - C): when a queue that was empty at 0 reaches a line; never, if it does not grow. */
int64_t budget_crossing(int64_t line, int64_t input, int64_t egress);

/* max(queue - C x time, 0): what is left when nothing comes in. */
int64_t budget_left(int64_t queue, int64_t egress, int64_t ps);

/* ---- ECN feedback (3) -------------------------------------------------------------------------------------------- */

/* K_ecn + dQ_cc < Q_g: the first reaction comes before the queue is at the line. */
bool budget_reacts_in_time(int64_t k_ecn, int64_t growth, int64_t line);

/* (Q_g - K_ecn) / (A - C): the feedback time has to be below this; 0 if no time is. */
int64_t budget_feedback_limit(int64_t k_ecn, int64_t line, int64_t input, int64_t egress);

/* C + (Q_g - K_ecn) / Tcc: the input of all sources together has to be below this. */
int64_t budget_input_limit(int64_t k_ecn, int64_t line, int64_t feedback, int64_t egress);

/* span / spacing + 1: notices (CNPs) to one flow in a span that begins with one, its end included, if packets are
 * marked without end; `spacing` is not 0 (FB-32). */
int64_t budget_notices(int64_t span, int64_t spacing);

/* ---- PFC: stop time and headroom (4, 5) -------------------------------------------------------------------------- */

/* frame + delay + frame + delay and the pause frame: the wait behind a frame, the pause on its way, the frame that the
 * upstream is in, and the way of its end (FB-36). */
int64_t budget_stop_time(int64_t bps, int64_t delay, int64_t frame, int64_t pause_frame);

/* C x Tp + M: what an ingress needs. */
int64_t budget_headroom(int64_t bps, int64_t stop_time, int64_t margin);

/* quanta x 512 bit times + delay, the bit times rounded down as the models round them: how long one pause frame holds
 * the upstream, which is told again after half of it; `bps` is not 0. */
int64_t budget_pause_time(int64_t quanta, int64_t bps, int64_t delay);

/* span / (pause time / 2), rounded down: how often a pause of that span is repeated; `pause_time` is 2 at least. */
int64_t budget_refreshes(int64_t span, int64_t pause_time);

/* ingresses x max(H - dedicated, 0): what they take from a shared pool if all pause at once. */
int64_t budget_shared_need(int64_t ingresses, int64_t headroom, int64_t dedicated);

/* ---- Headroom of ports with a shared pool (5) -------------------------------------------------------------------- */

/* What a port holds. */
typedef struct budget_part {
  int64_t own;    /* of its dedicated bytes; these are used first */
  int64_t shared; /* of the pool; this is given back first */
} budget_part_t;

typedef struct budget_pool {
  budget_part_t* parts; /* by port */
  size_t ports;
  int64_t dedicated; /* of each port */
  int64_t size;      /* of the shared pool */
  int64_t used;      /* sum of the shared parts */
  int64_t peak;
  int64_t refused; /* bytes that found no room */
} budget_pool_t;

/* `parts` is the caller's, of `ports` entries, and has to live as long as the pool. */
void budget_pool_init(budget_pool_t* pool, budget_part_t* parts, size_t ports, int64_t dedicated, int64_t size);

/* A frame of a port that has paused: it is held whole, or refused whole and counted. */
bool budget_pool_take(budget_pool_t* pool, size_t port, int64_t bytes);

/* Bytes that leave, at most what the port holds. */
void budget_pool_give(budget_pool_t* pool, size_t port, int64_t bytes);

/* ---- Accounting matrix (6) --------------------------------------------------------------------------------------- */

/* x[i * egresses + j]: bytes that came in by i and wait for j. I_i, and Q_j. */
int64_t budget_ingress_bytes(const int64_t* x, size_t egresses, size_t i);
int64_t budget_egress_bytes(const int64_t* x, size_t ingresses, size_t egresses, size_t j);

/* ---- Work and shares (8) ----------------------------------------------------------------------------------------- */

/* Packets of at most `payload` bytes (not 0), and what they are with `header` bytes each. */
int64_t budget_packets(int64_t bytes, int64_t payload);
int64_t budget_wire_bytes(int64_t bytes, int64_t payload, int64_t header);

/* (sum x)^2 / (n x sum x^2), from 1/n to 1. Not all shares are 0. */
double budget_jain(const int64_t* shares, size_t count);

/* When flow `i` of `count` that begin at 0 with `bytes` each is done, if the egress is shared in the proportion of
 * `shares` and what a finished flow frees goes to the others in equal parts. Flows with smaller shares finish later,
 * the last ones at count x bytes / C. */
int64_t budget_finish(int64_t bytes, int64_t egress, const int64_t* shares, size_t count, size_t i);

#endif
