/* The entropy values of one group, for replaying spec/uet-nic.md 10 signal by signal. */
#ifndef SGF_VALIDATION_SPRAYING_SUPPORT_H
#define SGF_VALIDATION_SPRAYING_SUPPORT_H

#include "nic/uet/spray.h"

enum { SPRAYING_ONLY_PORT = 4791, SPRAYING_EXPLORATION = 71 /* packets of the window behind freezing (UN-145) */ };

typedef struct spraying {
  spray_config_t config;
  spray_t spray;
  opp_rng_t* rng;
} spraying_t;

extern const sgf_attr_set_t spraying_set;

#define SPRAYING_REPS "PacketSprayingType", "Recycled Entropy Packet Spraying"

/* Settings are pairs of attribute and value; NULL: the defaults. */
void spraying_configure(spray_config_t* config, const char* const* settings);

/* The group refers to the configuration beside it: it begins where it stays, and may begin again. */
spraying_t spraying_new(const char* const* settings);
void spraying_begin(spraying_t* spraying);
void spraying_end(spraying_t* spraying);

uint16_t spraying_next(spraying_t* spraying);

#endif
