/* sgfabric feedback: how fast feedback works, measured in the data plane (spec/feedback-budget.md 3, 4 and 11.2).
 *
 *   Tcc, of a flow of a RoCE NIC: a packet of it is marked at a switch's egress .. the first packet that its sender
 *        has started at a lowered rate, because of a CNP that this mark has drawn, arrives in the same egress queue.
 *   Tp, of a pause: the receiving end decides to ask for it .. the last frame of its classes arrives there before the
 *        resume. Refreshes belong to the pause.
 *
 * Nothing is measured unless somebody wants it. Times in picoseconds, sizes in bytes. */
#ifndef SGFABRIC_FEEDBACK_H
#define SGFABRIC_FEEDBACK_H

#include <sgfabric/fabric.h>

SGF_BEGIN_DECL

typedef enum sgf_feedback_kind { SGF_FEEDBACK_TCC, SGF_FEEDBACK_TP, SGF_FEEDBACK_KINDS } sgf_feedback_kind_t;

/* The way of one notification: dates, each at or after the one before. A flow has one measurement at a time; marks
 * meanwhile begin none. It has no result if the first packet after the reduction that follows the CNP is no slower (the
 * rate is at its floor, or has risen again), or if the flow runs out of messages before the end. A mark that draws no
 * CNP, because of the CNP's spacing or a loss, waits for the next one of the same queue that does. */
typedef struct sgf_feedback_tcc {
  const sgf_device_t* src; /* of the flow */
  const sgf_device_t* dst;
  uint32_t queue_pair;        /* its number at the sender, from 0 on */
  opp_simtime_t cnp_sent;     /* made by the receiver */
  opp_simtime_t cnp_received; /* by the sender */
  opp_simtime_t cut;          /* the sender lowers the rate */
  opp_simtime_t started;      /* first packet at a lowered rate, on the sender's wire */
  int64_t rate_before;        /* of the cut, bit/s */
  int64_t rate_after;         /* that this packet is sent at */
} sgf_feedback_tcc_t;

/* A pause. */
typedef struct sgf_feedback_tp {
  opp_simtime_t resumed; /* -1: not by the end of the run */
  uint64_t frames;       /* that came after the decision, dropped ones too; and the bytes that they are charged */
  int64_t bytes;
  int64_t above;    /* most bytes above Xoff: of a switch's port the headroom, of a NIC's pool what exceeds Xoff */
  int64_t headroom; /* that there is for them */
} sgf_feedback_tp_t;

/* A measurement that has ended. */
typedef struct sgf_feedback_event {
  sgf_feedback_kind_t kind;
  const sgf_device_t* device; /* that has marked, or asks for the pause */
  unsigned port;
  unsigned tc;            /* of the marked packet; the lowest class that is paused */
  opp_simtime_t begin;    /* of the mark, of the decision */
  opp_simtime_t duration; /* Tcc, Tp; -1: nothing came after the decision */
  union {
    sgf_feedback_tcc_t tcc;
    sgf_feedback_tp_t tp;
  };
} sgf_feedback_event_t;

/* Called while the engine executes the event that ends a measurement; it may look at nothing but what it is given. */
typedef void (*sgf_feedback_cb)(void* user, const sgf_feedback_event_t* event);

/* Measure from now on, or from the start of the run if the fabric is not sealed yet. What has begun is not measured.
 * Called again it changes nothing. */
SGF_PUBLIC void sgf_feedback_measure(sgf_fabric_t* fabric);
SGF_PUBLIC bool sgf_feedback_is_measured(const sgf_fabric_t* fabric);

/* Tell of measurements as they end, and measure; one listener, NULL: none any more. */
SGF_PUBLIC void sgf_feedback_observe(sgf_fabric_t* fabric, sgf_feedback_cb event, void* user);

/* The run has ended: pauses that last are measured as far as they have come. */
SGF_PUBLIC void sgf_feedback_end(sgf_fabric_t* fabric);

/* Of the measurements of a kind so far, without pauses after which nothing came. A percentile is the smallest value
 * that at least so many percent of all do not exceed. All zero: there are none. */
typedef struct sgf_distribution {
  uint64_t count;
  int64_t min;
  int64_t p50;
  int64_t p90;
  int64_t p99;
  int64_t max;
} sgf_distribution_t;
SGF_PUBLIC sgf_distribution_t sgf_feedback_distribution(const sgf_fabric_t* fabric, sgf_feedback_kind_t kind);

SGF_END_DECL
#endif
