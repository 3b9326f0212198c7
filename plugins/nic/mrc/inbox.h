/* nic/mrc: the messages of one queue pair at its receiver (spec/mrc-nic.md 10.1, 12). A plain record: no packets, no
 * clock. Messages are ranges of PSNs; packets of several arrive in any order. A message is complete when all of its own
 * packets are here, and may be delivered when no PSN before its end is missing: in the order in which it was sent. */
#ifndef MRC_INBOX_H
#define MRC_INBOX_H

#include <sgfabric/opp.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct mrc_incoming {
  uint64_t number;
  uint64_t bytes;
  uint64_t tag;
  uint64_t payload; /* of it that has arrived, bytes */
  uint32_t first_psn;
  uint32_t packets; /* 0: its last one is not here */
  uint32_t arrived;
  opp_simtime_t complete_at; /* -1: it is not */
} mrc_incoming_t;

/* By first PSN. Delivered ones are kept until their room is needed. */
typedef struct mrc_inbox {
  mrc_incoming_t* ring;
  uint32_t room;  /* a power of two */
  uint32_t begin; /* the oldest that is kept; counted on, as the next two */
  uint32_t open;  /* the first that is not delivered */
  uint32_t end;
} mrc_inbox_t;

void mrc_inbox_init(mrc_inbox_t* inbox);
void mrc_inbox_free(mrc_inbox_t* inbox);

/* A packet of `payload` bytes that had not arrived before; the rest says which message it is of, with `packets` only if
 * it is the last one. True: the message is complete with it. */
bool mrc_inbox_arrived(mrc_inbox_t* inbox, const mrc_incoming_t* message, int64_t payload, opp_simtime_t now);

/* The next message to deliver when every PSN below `expected` has arrived; NULL: none. Good until the next arrival. */
const mrc_incoming_t* mrc_inbox_deliver(mrc_inbox_t* inbox, uint32_t expected);

/* The message that begins with a PSN; NULL: nothing of it has arrived, or it is no longer kept. */
const mrc_incoming_t* mrc_inbox_find(const mrc_inbox_t* inbox, uint32_t first_psn);

#endif
