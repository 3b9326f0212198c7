/* Random streams: xoshiro256** (Blackman and Vigna), seeded through splitmix64 from run seed, module path and stream
 * number. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

struct opp_rng {
  uint64_t s[4];
};

static uint64_t splitmix64(uint64_t* state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z          = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z          = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static inline uint64_t rotate(uint64_t x, int bits)
{
  return x << bits | x >> (64 - bits);
}

opp_rng_t* opp_rng_new(uint64_t seed, uint64_t hash, uint64_t number)
{
  opp_rng_t* rng = sgf_calloc(1, sizeof *rng);
  uint64_t state = seed;
  state          = splitmix64(&state) ^ hash;
  state          = splitmix64(&state) + number;
  for (int i = 0; i < 4; i++)
    rng->s[i] = splitmix64(&state);
  return rng;
}

opp_rng_t* opp_rng(opp_module_t* self, int number)
{
  if (number < 0 || number >= (int)(sizeof self->rng / sizeof *self->rng)) {
    opp_error(self, "there is no random stream %d; streams are 0 to 3", number);
    number = 0;
  }
  if (self->rng[number] == NULL)
    self->rng[number] = opp_rng_new(self->sim->seed, self->path_hash, (uint64_t)number);
  return self->rng[number];
}

void opp_rng_free_all(opp_module_t* module)
{
  for (size_t i = 0; i < sizeof module->rng / sizeof *module->rng; i++)
    free(module->rng[i]);
}

uint64_t opp_rng_uint64(opp_rng_t* rng)
{
  uint64_t* s           = rng->s;
  const uint64_t result = rotate(s[1] * 5, 7) * 9;
  const uint64_t t      = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}
