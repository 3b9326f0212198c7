/* Messages and packets, from free lists. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

/* ---- Recycled memory --------------------------------------------------------------------------------------------- */

enum { SLAB_ITEMS = 256 };

static void pool_grow(opp_pool_t* pool)
{
  char* slab = aligned_alloc(64, SLAB_ITEMS * pool->size);
  if (slab == NULL)
    slab = sgf_calloc(SLAB_ITEMS, pool->size); /* says so if there is no memory */
  pool->slabs                     = sgf_realloc(pool->slabs, pool->slab_count + 1, sizeof *pool->slabs);
  pool->slabs[pool->slab_count++] = slab;
  for (size_t i = SLAB_ITEMS; i-- > 0;) {
    void** item = (void**)(void*)(slab + i * pool->size);
    *item       = pool->free;
    pool->free  = item;
  }
}

/* The item is not cleared. */
static inline void* pool_take(opp_pool_t* pool)
{
  if (pool->free == NULL)
    pool_grow(pool);
  void** item = pool->free;
  pool->free  = *item;
  pool->in_use++;
  return item;
}

static inline void pool_give(opp_pool_t* pool, void* item)
{
  *(void**)item = pool->free;
  pool->free    = item;
  pool->in_use--;
}

void opp_pool_free(opp_pool_t* pool)
{
  for (size_t i = 0; i < pool->slab_count; i++)
    free(pool->slabs[i]);
  free(pool->slabs);
}

/* ---- Creating and deleting --------------------------------------------------------------------------------------- */

static inline uint64_t order_of_priority(int priority)
{
  return (uint64_t)(priority + 32768) << 48;
}

static void clear(opp_msg_t* msg, opp_module_t* owner, int kind, int priority)
{
  *msg = (opp_msg_t){.order = order_of_priority(priority), .module = owner, .kind = (int16_t)kind};
}

opp_msg_t* opp_timer_new(opp_module_t* self, int kind, int priority)
{
  opp_msg_t* msg = pool_take(&self->sim->messages);
  clear(msg, self, kind, priority);
  return msg;
}

opp_msg_t* opp_frame_new(opp_module_t* self, int kind, uint32_t bytes)
{
  opp_msg_t* msg = pool_take(&self->sim->packets);
  clear(msg, self, kind, 0);
  msg->bytes = bytes;
  msg->flags = OPP_IS_PACKET;
  memset(opp_frame_body(msg), 0, OPP_PACKET_BODY);
  return msg;
}

static opp_cold_t* cold_of(opp_msg_t* msg)
{
  if (msg->cold == NULL) {
    opp_sim_t* sim = msg->module->sim;
    msg->cold      = pool_take(&sim->cold);
    *msg->cold     = (opp_cold_t){.creation_time = sim->now, .sender = msg->module};
  }
  return msg->cold;
}

opp_msg_t* opp_msg_new(opp_module_t* self, const char* name, int kind)
{
  opp_msg_t* msg     = opp_timer_new(self, 0, 0);
  cold_of(msg)->name = name;
  opp_msg_set_kind(msg, kind);
  return msg;
}

opp_msg_t* opp_packet_new(opp_module_t* self, const char* name, int kind, int64_t byte_length)
{
  opp_msg_t* packet     = opp_frame_new(self, 0, 0);
  cold_of(packet)->name = name;
  opp_msg_set_kind(packet, kind);
  opp_packet_set_byte_length(packet, byte_length);
  return packet;
}

const char* opp_msg_unusable(const opp_msg_t* msg)
{
  switch ((opp_place_t)msg->place) {
    case OPP_OWNED:
      return NULL;
    case OPP_IN_PACKET:
      return "it is encapsulated in a packet";
    case OPP_IN_QUEUE:
      return "it is in a queue";
    case OPP_DELETED:
      return "it has been deleted";
    default:
      return "it is scheduled or under way";
  }
}

/* Whether the message can be changed; records an error if it cannot. */
static bool is_usable(const opp_msg_t* msg)
{
  const char* reason = opp_msg_unusable(msg);
  if (reason != NULL)
    opp_rule_broken(msg->module, msg, reason);
  return reason == NULL;
}

void opp_msg_delete(opp_msg_t* msg)
{
  if (msg == NULL || !is_usable(msg))
    return;
  opp_sim_t* sim = msg->module->sim;
  if (msg->cold != NULL) {
    opp_msg_delete(opp_packet_decapsulate(msg));
    pool_give(&sim->cold, msg->cold);
    msg->cold = NULL;
  }
  msg->place = OPP_DELETED;
  pool_give(msg->flags & OPP_IS_PACKET ? &sim->packets : &sim->messages, msg);
}

/* ---- Properties -------------------------------------------------------------------------------------------------- */

const char* opp_msg_name(const opp_msg_t* msg)
{
  return msg->cold != NULL && msg->cold->name != NULL ? msg->cold->name : "";
}

int opp_msg_kind(const opp_msg_t* msg)
{
  return msg->kind;
}

void opp_msg_set_kind(opp_msg_t* msg, int kind)
{
  if (kind < INT16_MIN || kind > INT16_MAX)
    opp_rule_broken(msg->module, msg, "a kind is between -32768 and 32767");
  else
    msg->kind = (int16_t)kind;
}

int opp_msg_priority(const opp_msg_t* msg)
{
  return (int)(msg->order >> 48) - 32768;
}

void opp_msg_set_priority(opp_msg_t* msg, int priority)
{
  if (priority < INT16_MIN || priority > INT16_MAX)
    opp_rule_broken(msg->module, msg, "a priority is between -32768 and 32767");
  else if (is_usable(msg))
    msg->order = order_of_priority(priority);
}

bool opp_msg_is_packet(const opp_msg_t* msg)
{
  return msg->flags & OPP_IS_PACKET;
}

bool opp_msg_is_self(const opp_msg_t* msg)
{
  return msg->gate == 0;
}

bool opp_msg_is_scheduled(const opp_msg_t* msg)
{
  return msg->place >= OPP_IN_BUCKET && msg->place <= OPP_IN_LINE;
}

opp_simtime_t opp_msg_arrival_time(const opp_msg_t* msg)
{
  return msg->time;
}

opp_simtime_t opp_msg_sending_time(const opp_msg_t* msg)
{
  return msg->cold != NULL ? msg->cold->sending_time : 0;
}

opp_simtime_t opp_msg_creation_time(const opp_msg_t* msg)
{
  return msg->cold != NULL ? msg->cold->creation_time : 0;
}

opp_gate_t* opp_msg_arrival_gate(const opp_msg_t* msg)
{
  return msg->gate == 0 ? NULL : msg->module->gates[msg->gate - 1];
}

opp_module_t* opp_msg_sender_module(const opp_msg_t* msg)
{
  return msg->cold != NULL ? msg->cold->sender : NULL;
}

void* opp_msg_context(const opp_msg_t* msg)
{
  return msg->cold != NULL ? msg->cold->context : NULL;
}

void opp_msg_set_context(opp_msg_t* msg, void* context)
{
  cold_of(msg)->context = context;
}

/* ---- Packets ----------------------------------------------------------------------------------------------------- */

void* opp_packet_body(opp_msg_t* packet)
{
  return opp_msg_is_packet(packet) ? opp_frame_body(packet) : NULL;
}

int64_t opp_packet_byte_length(const opp_msg_t* packet)
{
  return opp_msg_is_packet(packet) ? packet->bytes : 0;
}

int64_t opp_packet_bit_length(const opp_msg_t* packet)
{
  return 8 * opp_packet_byte_length(packet);
}

void opp_packet_set_byte_length(opp_msg_t* packet, int64_t bytes)
{
  if (!opp_msg_is_packet(packet) || bytes < 0 || bytes > UINT32_MAX)
    opp_rule_broken(packet->module, packet, "only a packet has a length, from 0 to 4,294,967,295 bytes");
  else if (is_usable(packet))
    packet->bytes = (uint32_t)bytes;
}

/* The models' own frames have no cold block: how long one took is what its length takes on the channel it came by. */
opp_simtime_t opp_packet_duration(const opp_msg_t* packet)
{
  if (packet->cold != NULL)
    return packet->cold->duration;
  const opp_gate_t* gate = opp_msg_arrival_gate(packet);
  while (gate != NULL && gate->previous != NULL)
    gate = gate->previous;
  return gate != NULL && gate->transmission != NULL ? opp_channel_duration(gate->transmission, packet) : 0;
}

bool opp_packet_has_bit_error(const opp_msg_t* packet)
{
  return packet->flags & OPP_HAS_BIT_ERROR;
}

void opp_packet_set_bit_error(opp_msg_t* packet, bool damaged)
{
  if (!opp_msg_is_packet(packet))
    opp_rule_broken(packet->module, packet, "only a packet has a bit error");
  else if (is_usable(packet))
    packet->flags = (uint8_t)(OPP_IS_PACKET | (damaged ? OPP_HAS_BIT_ERROR : 0));
}

void opp_packet_encapsulate(opp_msg_t* packet, opp_msg_t* inner)
{
  opp_module_t* self = packet->module;
  if (!is_usable(packet))
    return;
  if (inner == NULL || inner == packet || inner->place != OPP_OWNED || inner->module != self ||
      !opp_msg_is_packet(inner) || !opp_msg_is_packet(packet))
    opp_rule_broken(self, inner, "only a packet of one's own can be encapsulated in another one");
  else if (cold_of(packet)->encapsulated != NULL)
    opp_rule_broken(self, packet, "it has an encapsulated packet already");
  else if (inner->bytes > UINT32_MAX - packet->bytes)
    opp_rule_broken(self, packet, "with what it encapsulates it would be longer than 4,294,967,295 bytes");
  else {
    packet->bytes += inner->bytes;
    packet->cold->encapsulated = inner;
    inner->place               = OPP_IN_PACKET;
    inner->gate                = 0; /* a gate of this module, which may not be the one that takes it out */
  }
}

opp_msg_t* opp_packet_decapsulate(opp_msg_t* packet)
{
  if (packet->cold == NULL || packet->cold->encapsulated == NULL || !is_usable(packet))
    return NULL;
  opp_msg_t* inner           = packet->cold->encapsulated;
  packet->cold->encapsulated = NULL;
  inner->place               = OPP_OWNED;
  inner->module              = packet->module;
  packet->bytes              = packet->bytes > inner->bytes ? packet->bytes - inner->bytes : 0;
  return inner;
}
