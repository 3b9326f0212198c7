/* Entropy values: see spray.h. */
#include "nic/uet/spray.h"

#include <stdlib.h>

#include "attr/alloc.h"

/* ---- Attributes (2.5) -------------------------------------------------------------------------------------------- */

#define PDS "TransportProcessingLayers/ScalaUETPdsManager/"
#define DPS "TransportProcessingLayers/PacketSpraying/DefaultPacketSpraying/"
#define REPS "TransportProcessingLayers/PacketSpraying/RecycledEntropyPacketSpraying/"

static const sgf_attr_t rows[] = {
    {PDS "PacketSprayingType", SGF_ATTR_CHOICE, offsetof(spray_config_t, type), "Default Packet Spraying",
     "None|Default Packet Spraying|Recycled Entropy Packet Spraying",
     "How the UDP source port of data packets, and with it the path, is chosen."},
    {PDS "FailureDetectionRTTMultiplier", SGF_ATTR_UINT, offsetof(spray_config_t, failure_multiplier), "3",
     "0..4294967295",
     "Recycled entropy: base RTTs after which a packet without acknowledgement counts as a failed path; 0: never."},
    {DPS "EntropyMaskBits", SGF_ATTR_UINT, offsetof(spray_config_t, mask_bits), "7", "0..8",
     "2^bits ports in rotation."},
    {DPS "StartingPortOffset", SGF_ATTR_UINT, offsetof(spray_config_t, first_port), "256", "0..65535",
     "First port of the rotation."},
    {REPS "REPSBufferSizeMaskBits", SGF_ATTR_UINT, offsetof(spray_config_t, cache_bits), "3", "0..16",
     "The cache holds 2^bits entropy values; also the spacing of exploration."},
    {REPS "EntropyValueSetSize", SGF_ATTR_UINT, offsetof(spray_config_t, value_set), "65536", "1..65536",
     "Random values are drawn from 0 to this less one."},
    {REPS "FreezingTimeout", SGF_ATTR_TIMEVAL, offsetof(spray_config_t, freezing_timeout), "100us", "0s..1000s",
     "Least time without exploration after a failed path."},
};

const sgf_attr_table_t spray_attributes = {"UET packet spraying", rows, sizeof rows / sizeof *rows};

/* ---- Life -------------------------------------------------------------------------------------------------------- */

void spray_begin(spray_t* spray, const spray_config_t* config, uint16_t only, uint32_t window_packets)
{
  *spray = (spray_t){.config = config, .only = only, .cache = spray->cache, .exploration_size = window_packets};
}

void spray_free(spray_t* spray)
{
  free(spray->cache);
}

/* ---- Choice (10.2, 10.3) ----------------------------------------------------------------------------------------- */

static uint16_t rotate(spray_t* spray)
{
  const spray_config_t* config = spray->config;
  const uint32_t ports         = UINT32_C(1) << config->mask_bits;
  return (uint16_t)(config->first_port + spray->step++ % ports);
}

static uint16_t explore(const spray_t* spray, opp_rng_t* rng)
{
  return (uint16_t)opp_rng_intuniform(rng, 0, (int64_t)spray->config->value_set - 1);
}

static uint32_t capacity(const spray_t* spray)
{
  return UINT32_C(1) << spray->config->cache_bits;
}

/* Each recycled value is used once, the oldest first. */
static uint16_t take_oldest(spray_t* spray)
{
  const uint32_t ring = capacity(spray);
  return spray->cache[(spray->next + ring - spray->valid--) % ring];
}

/* While freezing, what was used is used again, in turn. */
static uint16_t reuse(spray_t* spray)
{
  const uint16_t value = spray->cache[spray->reuse];
  spray->reuse         = (spray->reuse + 1) % spray->stored;
  return value;
}

/* Whether this packet of the window that follows freezing explores whatever is cached (10.5). */
static bool explores_after_freezing(spray_t* spray)
{
  if (spray->exploration == 0)
    return false;
  spray->exploration--; /* packet j of P leaves P - j */
  return spray->exploration % capacity(spray) == 0;
}

static uint16_t recycled(spray_t* spray, opp_rng_t* rng)
{
  if (explores_after_freezing(spray) || spray->stored == 0)
    return explore(spray, rng);
  if (spray->valid > 0)
    return take_oldest(spray);
  return spray->freezing ? reuse(spray) : explore(spray, rng);
}

uint16_t spray_next(spray_t* spray, opp_rng_t* rng)
{
  switch ((spray_type_t)spray->config->type) {
    case SPRAY_REPS:
      return recycled(spray, rng);
    case SPRAY_DEFAULT:
      return rotate(spray);
    case SPRAY_NONE:
    default:
      return spray->only;
  }
}

/* ---- Feedback (10.4, 10.5) --------------------------------------------------------------------------------------- */

void spray_recycle(spray_t* spray, uint16_t value, opp_simtime_t now)
{
  if (spray->config->type != SPRAY_REPS)
    return;
  const uint32_t ring = capacity(spray);
  if (spray->cache == NULL)
    spray->cache = sgf_calloc(ring, sizeof *spray->cache);
  spray->cache[spray->next] = value; /* in a full ring it takes the place of the oldest */
  spray->next               = (spray->next + 1) % ring;
  if (spray->stored < ring)
    spray->stored++;
  if (spray->valid < ring)
    spray->valid++;
  if (spray->freezing && now - spray->frozen_at >= spray->config->freezing_timeout) {
    spray->freezing    = false;
    spray->exploration = spray->exploration_size;
  }
}

void spray_path_failed(spray_t* spray, opp_simtime_t now)
{
  if (spray->config->type != SPRAY_REPS || spray->freezing || spray->exploration > 0)
    return;
  spray->freezing  = true;
  spray->frozen_at = now;
  spray->reuse     = spray->stored < capacity(spray) ? 0 : spray->next; /* the entry written first */
}

opp_simtime_t spray_failure_deadline(const spray_t* spray, opp_simtime_t base_rtt)
{
  const opp_simtime_t multiplier = (opp_simtime_t)spray->config->failure_multiplier;
  if (spray->config->type != SPRAY_REPS || multiplier == 0)
    return -1;
  const bool is_beyond_any_run = base_rtt > OPP_TIME_MAX / 2 / multiplier;
  return is_beyond_any_run ? -1 : multiplier * base_rtt;
}
