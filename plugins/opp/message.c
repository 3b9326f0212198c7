/* Messages and packets, from free lists. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

enum { SLAB_MESSAGES = 256 };

static void pool_grow(opp_pool_t* pool)
{
  char* slab = aligned_alloc(64, SLAB_MESSAGES * pool->size);
  if (slab == NULL)
    slab = sgf_calloc(SLAB_MESSAGES, pool->size); /* ends the process when there is none */
  memset(slab, 0, SLAB_MESSAGES * pool->size);
  pool->slabs                     = sgf_realloc(pool->slabs, pool->slab_count + 1, sizeof *pool->slabs);
  pool->slabs[pool->slab_count++] = slab;
  for (size_t i = SLAB_MESSAGES; i-- > 0;) {
    opp_msg_t* msg = (opp_msg_t*)(void*)(slab + i * pool->size);
    msg->next      = pool->free;
    pool->free     = msg;
  }
}

static opp_msg_t* pool_take(opp_pool_t* pool)
{
  if (pool->free == NULL)
    pool_grow(pool);
  opp_msg_t* msg = pool->free;
  pool->free     = msg->next;
  pool->in_use++;
  memset(msg, 0, pool->size);
  return msg;
}

static void set_order(opp_msg_t* msg, int priority)
{
  msg->order = (uint64_t)(priority + 32768) << 48;
}

opp_msg_t* opp_timer_new(opp_module_t* self, int kind, int priority)
{
  opp_msg_t* msg = pool_take(&self->sim->messages);
  msg->module    = self;
  msg->kind      = (int16_t)kind;
  set_order(msg, priority);
  return msg;
}

opp_msg_t* opp_frame_new(opp_module_t* self, int kind, uint32_t bytes)
{
  opp_msg_t* msg = pool_take(&self->sim->packets);
  msg->module    = self;
  msg->kind      = (int16_t)kind;
  msg->bytes     = bytes;
  msg->flags     = OPP_IS_PACKET;
  set_order(msg, 0);
  return msg;
}

static opp_msg_t* with_cold(opp_msg_t* msg, const char* name)
{
  msg->cold                = sgf_calloc(1, sizeof *msg->cold);
  msg->cold->name          = name;
  msg->cold->creation_time = msg->module->sim->now;
  msg->cold->sender        = msg->module;
  return msg;
}

opp_msg_t* opp_msg_new(opp_module_t* self, const char* name, int kind)
{
  return with_cold(opp_timer_new(self, kind, 0), name);
}

opp_msg_t* opp_packet_new(opp_module_t* self, const char* name, int kind, int64_t byte_length)
{
  opp_msg_t* packet = with_cold(opp_frame_new(self, kind, 0), name);
  opp_packet_set_byte_length(packet, byte_length);
  return packet;
}

void opp_msg_delete(opp_msg_t* msg)
{
  if (msg == NULL)
    return;
  opp_sim_t* sim = msg->module->sim;
  if (msg->place != OPP_OWNED) {
    opp_rule_broken(msg->module, msg, "deleted while it is scheduled or under way");
    return;
  }
  if (msg->cold != NULL) {
    opp_msg_delete(msg->cold->encapsulated);
    free(msg->cold);
    msg->cold = NULL;
  }
  opp_pool_t* pool = msg->flags & OPP_IS_PACKET ? &sim->packets : &sim->messages;
  msg->next        = pool->free;
  pool->free       = msg;
  pool->in_use--;
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
  else if (msg->place != OPP_OWNED)
    opp_rule_broken(msg->module, msg, "its priority cannot change while it is scheduled");
  else
    set_order(msg, priority);
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
  return msg->place != OPP_OWNED;
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

static opp_cold_t* cold_of(opp_msg_t* msg)
{
  return msg->cold != NULL ? msg->cold : with_cold(msg, NULL)->cold;
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
  else
    packet->bytes = (uint32_t)bytes;
}

void opp_packet_encapsulate(opp_msg_t* packet, opp_msg_t* inner)
{
  opp_module_t* self = packet->module;
  if (!opp_msg_is_packet(packet) || !opp_msg_is_packet(inner) || inner->place != OPP_OWNED || inner->module != self)
    opp_rule_broken(self, inner, "only a packet of one's own can be encapsulated in a packet of one's own");
  else if (cold_of(packet)->encapsulated != NULL)
    opp_rule_broken(self, packet, "it has an encapsulated packet already");
  else {
    packet->cold->encapsulated = inner;
    opp_packet_set_byte_length(packet, (int64_t)packet->bytes + inner->bytes);
  }
}

opp_msg_t* opp_packet_decapsulate(opp_msg_t* packet)
{
  if (packet->cold == NULL || packet->cold->encapsulated == NULL)
    return NULL;
  opp_msg_t* inner           = packet->cold->encapsulated;
  packet->cold->encapsulated = NULL;
  inner->module              = packet->module;
  packet->bytes              = packet->bytes > inner->bytes ? packet->bytes - inner->bytes : 0;
  return inner;
}
