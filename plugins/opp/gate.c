/* Gates, channels and the paths they form. */
#include <stdio.h>
#include <string.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

/* ---- Declaring --------------------------------------------------------------------------------------------------- */

static void add_vector(opp_module_t* module, const char* name, const char* suffix, bool output, bool vector, int size)
{
  const size_t length = strlen(name) + strlen(suffix) + 1;
  char* full          = sgf_calloc(length, 1);
  snprintf(full, length, "%s%s", name, suffix);
  module->gates = sgf_realloc(module->gates, module->gate_count + (size_t)size, sizeof *module->gates);
  for (int i = 0; i < size; i++) {
    opp_gate_t* gate  = sgf_calloc(1, sizeof *gate);
    gate->module      = module;
    gate->name        = full; /* shared by the vector; its first gate frees it */
    gate->index       = i;
    gate->vector_size = vector ? size : -1;
    gate->number      = (uint16_t)module->gate_count;
    gate->output      = output;

    module->gates[module->gate_count++] = gate;
  }
}

void opp_gate_add(opp_module_t* module, const char* name, opp_gate_kind_t kind, bool vector, int size)
{
  if (size < 1 || (!vector && size != 1) || module->gate_count + 2 * (size_t)size >= UINT16_MAX) {
    opp_error(module, "gate '%s' cannot have size %d", name, size);
    return;
  }
  if (kind == OPP_GATE_INOUT) {
    add_vector(module, name, "$i", false, vector, size);
    add_vector(module, name, "$o", true, vector, size);
  } else
    add_vector(module, name, "", kind == OPP_GATE_OUTPUT, vector, size);
}

static opp_gate_t* first_of(const opp_module_t* module, const char* name)
{
  for (size_t i = 0; i < module->gate_count; i++)
    if (strcmp(module->gates[i]->name, name) == 0)
      return module->gates[i];
  return NULL;
}

opp_gate_t* opp_gate(opp_module_t* module, const char* name, int index)
{
  opp_gate_t* first = first_of(module, name);
  if (first == NULL) {
    opp_error(module, "there is no gate '%s'", name);
    return NULL;
  }
  const int size = first->vector_size < 0 ? 1 : first->vector_size;
  if (index < 0 || index >= size) {
    opp_error(module, "gate '%s' has no index %d; its size is %d", name, index, size);
    return NULL;
  }
  return module->gates[first->number + index];
}

bool opp_has_gate(const opp_module_t* module, const char* name)
{
  return first_of(module, name) != NULL;
}

int opp_gate_size(const opp_module_t* module, const char* name)
{
  const opp_gate_t* first = first_of(module, name);
  return first == NULL ? 0 : first->vector_size < 0 ? 1 : first->vector_size;
}

/* ---- Connecting -------------------------------------------------------------------------------------------------- */

/* Forget what was resolved of the paths that lead to `gate` and its channels. */
static void unresolve(opp_gate_t* gate)
{
  for (; gate != NULL; gate = gate->previous)
    gate->end = NULL;
}

void opp_gate_connect(opp_gate_t* from, opp_gate_t* to, opp_channel_t* channel)
{
  if (from == NULL || to == NULL)
    return;
  if (from->next != NULL || to->previous != NULL) {
    opp_error(from->module, "gate '%s[%d]' cannot be connected to '%s.%s[%d]': one of them is connected already", from->name,
              from->index, to->module->full_path, to->name, to->index);
    return;
  }
  from->next    = to;
  to->previous  = from;
  from->channel = channel;
  unresolve(from);
}

opp_gate_t* opp_gate_path_end(opp_gate_t* gate)
{
  while (gate->next != NULL)
    gate = gate->next;
  return gate;
}

bool opp_gate_resolve(opp_gate_t* start)
{
  opp_gate_t* gate    = start;
  start->transmission = NULL;
  start->delay        = 0;
  start->disabled     = false;
  for (; gate->next != NULL; gate = gate->next) {
    if (gate->channel == NULL)
      continue;
    start->delay += gate->channel->delay;
    start->disabled = start->disabled || gate->channel->disabled;
    if (gate->channel->transmitter.rate.bps != 0)
      start->transmission = gate->channel;
  }
  if (gate == start || gate->module->type == NULL)
    return false;
  start->end = gate;
  if (start->line == NULL)
    start->line = opp_line_new(start->module->sim);
  return true;
}

opp_gate_t* opp_gate_next(const opp_gate_t* gate)
{
  return gate->next;
}

opp_gate_t* opp_gate_previous(const opp_gate_t* gate)
{
  return gate->previous;
}

bool opp_gate_connected(const opp_gate_t* gate)
{
  return gate->output ? gate->next != NULL : gate->previous != NULL;
}

opp_module_t* opp_gate_owner(const opp_gate_t* gate)
{
  return gate->module;
}

int opp_gate_index(const opp_gate_t* gate)
{
  return gate->index;
}

opp_channel_t* opp_gate_channel(const opp_gate_t* gate)
{
  return gate->channel;
}

opp_channel_t* opp_gate_transmission_channel(opp_gate_t* gate)
{
  return gate->end != NULL || opp_gate_resolve(gate) ? gate->transmission : NULL;
}

void opp_gate_set_deliver_immediately(opp_gate_t* gate, bool immediately)
{
  gate->deliver_immediately = immediately;
}

/* ---- Channels ---------------------------------------------------------------------------------------------------- */

opp_channel_t* opp_channel_datarate(opp_sim_t* sim, int64_t bps, opp_simtime_t delay)
{
  opp_channel_t* channel = sgf_calloc(1, sizeof *channel);
  channel->sim           = sim;
  channel->delay         = delay;
  if (bps > 0)
    channel->transmitter.rate = opp_rate(bps);
  sim->channels                       = sgf_realloc(sim->channels, sim->channel_count + 1, sizeof *sim->channels);
  sim->channels[sim->channel_count++] = channel;
  return channel;
}

opp_channel_t* opp_channel_delay(opp_sim_t* sim, opp_simtime_t delay)
{
  return opp_channel_datarate(sim, 0, delay);
}

void opp_channel_set_disabled(opp_channel_t* channel, bool disabled)
{
  channel->disabled = disabled;
  for (opp_module_t* module = channel->sim->first_module; module != NULL; module = module->next)
    for (size_t i = 0; i < module->gate_count; i++)
      module->gates[i]->end = NULL;
}

bool opp_channel_busy(const opp_channel_t* channel)
{
  return channel->transmitter.free_at > channel->sim->now;
}

opp_simtime_t opp_channel_finish_time(const opp_channel_t* channel)
{
  return channel->transmitter.free_at;
}

opp_simtime_t opp_channel_duration(const opp_channel_t* channel, const opp_msg_t* packet)
{
  if (channel->transmitter.rate.bps == 0)
    return 0;
  return opp_rate_duration(channel->transmitter.rate, opp_packet_bit_length(packet));
}

opp_simtime_t opp_channel_get_delay(const opp_channel_t* channel)
{
  return channel->delay;
}

int64_t opp_channel_get_datarate(const opp_channel_t* channel)
{
  return channel->transmitter.rate.bps;
}
