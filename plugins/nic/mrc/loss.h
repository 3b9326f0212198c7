/* nic/mrc: which packets of a queue pair are lost, from gaps in what is reported received (spec/mrc-nic.md 10.5). A
 * plain state machine: no packets, no clock.
 *
 * A packet is lost when at least `threshold` PSNs that are higher and were sent after its latest transmission are
 * reported received. Packets that were sent once are in order of their PSNs: only the oldest of them can be the next
 * that is lost, and the PSNs reported beyond it are counted as it moves on. Retransmissions under way are few: each
 * counts for itself. So a report costs what it newly reports, and no search. */
#ifndef MRC_LOSS_H
#define MRC_LOSS_H

#include <stdbool.h>
#include <stdint.h>

/* A retransmission under way. */
typedef struct mrc_again {
  uint32_t psn;
  uint32_t from; /* PSNs from here on were sent for the first time after it */
  uint32_t seen; /* reported received: higher and sent after it */
  bool left;     /* the port; before that, what is reported was not sent after it */
} mrc_again_t;

typedef struct mrc_loss {
  uint32_t threshold;
  uint32_t base;      /* below it all is acknowledged */
  uint32_t next;      /* one more than the highest PSN sent */
  uint32_t oldest;    /* lowest PSN that is under way for the first time; `next`: none is */
  uint32_t above;     /* PSNs acknowledged beyond `oldest` */
  uint32_t ripe;      /* of the retransmissions, those that have seen enough */
  uint8_t* states;    /* by PSN, a ring */
  uint32_t size;      /* of it, a power of two */
  mrc_again_t* again; /* in the order in which they were sent */
  uint32_t again_count;
  uint32_t again_room;
} mrc_loss_t;

void mrc_loss_init(mrc_loss_t* loss, uint32_t threshold);
void mrc_loss_free(mrc_loss_t* loss);

/* The next PSN is sent for the first time. */
void mrc_loss_sent(mrc_loss_t* loss, uint32_t psn);
/* One that was lost is sent again; it has left the port. */
void mrc_loss_sent_again(mrc_loss_t* loss, uint32_t psn);
void mrc_loss_left(mrc_loss_t* loss, uint32_t psn);
/* One under way is known to be lost by other means. */
void mrc_loss_withdrawn(mrc_loss_t* loss, uint32_t psn);
/* One is reported received, for the first time. */
void mrc_loss_acknowledged(mrc_loss_t* loss, uint32_t psn);

/* The lowest PSN under way that is lost; from now on it is not under way. False: none is. */
bool mrc_loss_take(mrc_loss_t* loss, uint32_t* psn);

#endif
