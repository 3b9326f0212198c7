/* nic/roce: the receiving end of a queue pair (spec/roce-nic.md 10.4, 10.5). Which packets are accepted, when an
 * acknowledgement goes, and when a NAK. A plain state machine: no packets, no clock; the owner keeps the timer. */
#ifndef ROCE_ACKS_H
#define ROCE_ACKS_H

#include "nic/arrivals.h"

typedef struct roce_acks_config {
  bool coalesces;     /* AckCoalescingEnabled */
  uint64_t threshold; /* AckThreshold */
  bool selective;     /* LossRecovery is SelectiveRepeat: later packets are kept */
} roce_acks_config_t;

/* What a data packet is. */
typedef enum roce_arrival {
  ROCE_IN_ORDER,
  ROCE_DUPLICATE,
  ROCE_GAP,         /* the first beyond a gap */
  ROCE_BEHIND_GAP,  /* a later one */
  ROCE_KEPT_ALREADY /* beyond a gap, and here already: with SelectiveRepeat alone */
} roce_arrival_t;

/* What is to be done about a packet. */
typedef enum roce_answer { ROCE_HOLD, ROCE_SEND_ACK, ROCE_SEND_NAK, ROCE_NO_ANSWER } roce_answer_t;

typedef struct roce_acks {
  const roce_acks_config_t* config;
  nic_arrivals_t arrivals; /* of the message */
  uint64_t held;           /* packets that wait for their acknowledgement */
  bool nak_sent;           /* the gap that is open has had its NAK */
} roce_acks_t;

void roce_acks_init(roce_acks_t* acks, const roce_acks_config_t* config);
void roce_acks_free(roce_acks_t* acks);

/* Another message: its first PSN is expected. What is held stays held. */
void roce_acks_next_message(roce_acks_t* acks);

/* A packet of the message is here. One that fills a gap may bring more into order than itself. */
roce_arrival_t roce_acks_arrival(roce_acks_t* acks, uint32_t psn);

/* What an in-order packet or a duplicate draws (10.5, 1 and 2). `urgent`: it carries the SE flag, or ends a wait. */
roce_answer_t roce_acks_count(roce_acks_t* acks, bool urgent);

/* What a packet behind a gap draws; a NAK takes with it what is held (10.4, 10.5, 4). */
roce_answer_t roce_acks_refuse(roce_acks_t* acks, roce_arrival_t arrival);

/* The timer has come to its end (10.5, 3). */
roce_answer_t roce_acks_expire(roce_acks_t* acks);

#endif
