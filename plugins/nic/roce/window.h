/* nic/roce: the sending end of a queue pair: which packets of its message are to be fetched, which have a PSN, which
 * are retired (spec/roce-nic.md 10.3, 10.6). A plain state machine: no packets, no clock.
 *
 *   0 .. base          retired
 *   base .. next       outstanding: given their PSN, not retired
 *   next .. fetch      on their way from the host
 *   next .. used       had their PSN before a rewind took it back
 *
 * Go-back-N rewinds `next` and `fetch`. SelectiveRepeat (ours, after IRN, SIGCOMM 2018) never does: it sends those
 * again that are lost, which is whatever a later packet has overtaken. */
#ifndef ROCE_WINDOW_H
#define ROCE_WINDOW_H

#include "nic/arrivals.h"

typedef struct roce_window {
  uint32_t packets; /* of the message */
  uint32_t base;
  uint32_t next;
  uint32_t fetch;
  uint32_t used;
  uint32_t epoch; /* rewinds so far: what was fetched before one is of no use after it */
  bool selective;
  /* With SelectiveRepeat. */
  bool recovers;          /* loss recovery is under way */
  uint32_t recovery;      /* it ends when everything before this is retired: what was sent before it began */
  uint32_t again;         /* next packet to look at for being sent again */
  uint32_t overtaken;     /* what is not in `arrived` before this is lost */
  nic_arrivals_t arrived; /* selectively acknowledged */
} roce_window_t;

void roce_window_init(roce_window_t* window, bool selective);
void roce_window_free(roce_window_t* window);

/* Another message. */
void roce_window_open(roce_window_t* window, uint32_t packets);

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

/* Whether a packet may be fetched, when those before `limit` may be fetched for the first time. */
bool roce_window_has_more(roce_window_t* window, uint32_t limit);

/* The one that roce_window_has_more has just said there is. */
uint32_t roce_window_psn(const roce_window_t* window);

/* It is being fetched. */
void roce_window_take(roce_window_t* window);

/* The payload that was fetched for `psn` in `epoch` is here: it gets its PSN. False: that was taken back or retired. */
bool roce_window_give(roce_window_t* window, uint32_t psn, uint32_t epoch);

static inline bool roce_window_is_empty(const roce_window_t* window)
{
  return window->base == window->next;
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

typedef enum roce_verdict {
  ROCE_GHOST,   /* names a PSN that was never used */
  ROCE_OLD,     /* says nothing new */
  ROCE_RETIRES, /* retires at least one packet */
  ROCE_RESTARTS /* a NAK: recovery starts */
} roce_verdict_t;

/* An ACK: everything up to `psn` has arrived. */
roce_verdict_t roce_window_acknowledge(roce_window_t* window, uint32_t psn);

/* A NAK: everything before `expected` has arrived, `expected` has not. */
roce_verdict_t roce_window_refuse(roce_window_t* window, uint32_t expected);

/* The same from a receiver that has kept the later packet `arrived`. */
roce_verdict_t roce_window_refuse_selectively(roce_window_t* window, uint32_t expected, uint32_t arrived);

/* The timer has expired: the window is sent again from its oldest packet on, with SelectiveRepeat that packet. */
void roce_window_expire(roce_window_t* window);

#endif
