/* nic: messages with a rate of their own (nic_message_t.rate_bps). A packet becomes eligible when the payload of the
 * one before has taken its time at that rate, remainders carried. Nothing is saved up: a packet that is generated late
 * delays the next. Retransmissions are not paced. */
#ifndef NIC_PACE_H
#define NIC_PACE_H

#include "nic/nic.h"

/* How far the rate lets a message go. */
typedef struct nic_pace {
  opp_transmitter_t line; /* kept busy by the message's payload; 0 bps: the message has no rate of its own */
  uint32_t eligible;      /* packets that may be generated, counted from the message's first */
} nic_pace_t;

/* For a message of so many packets: the first is eligible, without a rate of its own all are. */
void nic_pace_begin(nic_pace_t* pace, const nic_t* nic, const nic_message_t* message, uint32_t packets);

/* Its last eligible packet, of this payload, is generated now and another follows: when is that eligible? The caller
 * sees to nic_pace_pass at that date. */
opp_simtime_t nic_pace_next(nic_pace_t* pace, opp_simtime_t now, int64_t payload);

/* That date has come. `idle`: nothing of the message was under way. That it goes on after a wait counts as progress, so
 * that the wait is not taken for a stall. */
void nic_pace_pass(nic_pace_t* pace, nic_t* nic, bool idle);

/* The two dates of nic_progress_t, of a message of `packets` of which `generated` are, when the next has `mss` bytes.
 * `idle` as above. Without a rate of its own nothing is filled in. */
void nic_pace_progress(const nic_pace_t* pace, opp_simtime_t now, uint32_t generated, uint32_t packets, uint64_t mss,
                       bool idle, nic_progress_t* progress);

#endif
