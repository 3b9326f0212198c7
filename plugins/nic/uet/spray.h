/* nic/uet: the entropy value of each data packet of a destination (spec/uet-nic.md 10). A plain state machine: time and
 * random stream are the caller's. */
#ifndef UET_SPRAY_H
#define UET_SPRAY_H

#include <sgfabric/attr.h>
#include <sgfabric/opp.h>

typedef enum spray_type { SPRAY_NONE, SPRAY_DEFAULT, SPRAY_REPS } spray_type_t;

typedef struct spray_config {
  int type; /* spray_type_t */
  uint64_t failure_multiplier;
  uint64_t mask_bits;
  uint64_t first_port;
  uint64_t cache_bits;
  uint64_t value_set;
  opp_simtime_t freezing_timeout;
} spray_config_t;

extern const sgf_attr_table_t spray_attributes;

typedef struct spray {
  const spray_config_t* config;
  uint32_t step;   /* of the rotation */
  uint16_t only;   /* the value of SPRAY_NONE */
  uint16_t* cache; /* of REPS: a ring; NULL: nothing was ever cached */
  uint32_t next;   /* where the next entry goes */
  uint32_t stored; /* entries ever written, at most the ring */
  uint32_t valid;  /* the latest of them, those not used yet */
  uint32_t reuse;  /* entry that is used again next, when none is valid while freezing */
  bool freezing;
  opp_simtime_t frozen_at;
  uint32_t exploration;      /* packets left of the window that follows freezing */
  uint32_t exploration_size; /* of that window */
} spray_t;

/* Begin afresh: all zero, or one that was in use before, whose memory is kept. `only` is the value of every packet with
 * PacketSprayingType None; `window_packets` the length of REPS's exploration window (10.5). Owns memory once something
 * is cached: spray_free. */
void spray_begin(spray_t* spray, const spray_config_t* config, uint16_t only, uint32_t window_packets);
void spray_free(spray_t* spray);

/* The value of the next data packet or retransmission. */
uint16_t spray_next(spray_t* spray, opp_rng_t* rng);

/* Feedback on a value (10.4); only REPS listens. */
void spray_recycle(spray_t* spray, uint16_t value, opp_simtime_t now);
void spray_path_failed(spray_t* spray, opp_simtime_t now);

/* How long after its transmission an unacknowledged packet is a failed path (10.6); -1: never. */
opp_simtime_t spray_failure_deadline(const spray_t* spray, opp_simtime_t base_rtt);

#endif
