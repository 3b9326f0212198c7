/* Gates and the paths they form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sgfabric/attr.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

/* ---- Declaring --------------------------------------------------------------------------------------------------- */

static int size_of(const opp_gate_t* gate)
{
  return gate->vector_size < 0 ? 1 : gate->vector_size;
}

static opp_gate_t* first_of(const opp_module_t* module, const char* name)
{
  for (size_t i = 0; i < module->gate_count; i += (size_t)size_of(module->gates[i]))
    if (strcmp(module->gates[i]->name, name) == 0)
      return module->gates[i];
  return NULL;
}

static void add_vector(opp_module_t* module, const char* name, const char* suffix, bool output, bool vector, int size)
{
  const size_t length = strlen(name) + strlen(suffix) + 1;
  char* full          = sgf_calloc(length, 1);
  snprintf(full, length, "%s%s", name, suffix);
  if (first_of(module, full) != NULL) {
    opp_error(module, "there is a gate '%s' already", full);
    free(full);
    return;
  }
  module->gates = sgf_realloc(module->gates, module->gate_count + (size_t)size, sizeof *module->gates);
  for (int i = 0; i < size; i++) {
    opp_gate_t* gate  = sgf_calloc(1, sizeof *gate);
    gate->module      = module;
    gate->name        = full;
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

static void say_unknown_gate(opp_module_t* module, const char* name)
{
  const char** names = sgf_calloc(module->gate_count, sizeof *names);
  size_t count       = 0;
  for (size_t i = 0; i < module->gate_count; i += (size_t)size_of(module->gates[i]))
    names[count++] = module->gates[i]->name;
  const char* nearest = sgf_nearest_name(name, names, count);
  if (nearest != NULL)
    opp_error(module, "there is no gate '%s'; the nearest is '%s'", name, nearest);
  else
    opp_error(module, "there is no gate '%s'", name);
  free(names);
}

opp_gate_t* opp_gate(opp_module_t* module, const char* name, int index)
{
  const opp_gate_t* first = first_of(module, name);
  if (first == NULL) {
    say_unknown_gate(module, name);
    return NULL;
  }
  if (index < 0 || index >= size_of(first)) {
    opp_error(module, "gate '%s' has no index %d; its size is %d", name, index, size_of(first));
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
  return first == NULL ? 0 : size_of(first);
}

/* ---- Connecting -------------------------------------------------------------------------------------------------- */

void opp_gate_unresolve(opp_gate_t* gate)
{
  for (; gate != NULL; gate = gate->previous)
    gate->end = NULL;
}

static bool has_datarate(const opp_channel_t* channel)
{
  return channel != NULL && channel->transmitter.rate.bps != 0;
}

/* Datarate channels of the path that `gate` is on. */
static int datarate_channels(const opp_gate_t* gate)
{
  int count = 0;
  for (const opp_gate_t* before = gate->previous; before != NULL; before = before->previous)
    count += has_datarate(before->channel);
  for (; gate != NULL; gate = gate->next)
    count += has_datarate(gate->channel);
  return count;
}

/* Why the two cannot be joined; NULL: they can. */
static const char* connection_fault(const opp_gate_t* from, opp_gate_t* to, const opp_channel_t* channel)
{
  if (from->next != NULL || to->previous != NULL)
    return "one of them is connected already";
  if (!from->output && from->module->type != NULL)
    return "a connection does not begin at an input gate of a simple module";
  if (to->output && to->module->type != NULL)
    return "a connection does not end at an output gate of a simple module";
  if (opp_gate_path_end(to) == from)
    return "they would form a circle";
  if (channel != NULL && channel->from != NULL)
    return "the channel is in use for another connection";
  if (has_datarate(channel) + datarate_channels(from) + datarate_channels(to) > 1)
    return "their path would have several channels with a data rate";
  return NULL;
}

void opp_gate_connect(opp_gate_t* from, opp_gate_t* to, opp_channel_t* channel)
{
  if (from == NULL || to == NULL)
    return; /* opp_gate has said why */
  const char* fault = connection_fault(from, to, channel);
  if (fault != NULL) {
    opp_error(from->module, "gate '%s' (%d) cannot be connected to gate '%s' (%d) of %s: %s", from->name, from->index,
              to->name, to->index, to->module->full_path, fault);
    return;
  }
  from->next    = to;
  to->previous  = from;
  from->channel = channel;
  if (channel != NULL)
    channel->from = from;
  opp_gate_unresolve(from);
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
  start->delay_before = 0;
  start->delay        = 0;
  start->disabled     = false;
  for (; gate->next != NULL; gate = gate->next) {
    if (gate->channel == NULL)
      continue;
    if (has_datarate(gate->channel)) {
      start->transmission = gate->channel;
      start->delay_before = start->delay;
    }
    if (__builtin_add_overflow(start->delay, gate->channel->delay, &start->delay))
      start->delay = OPP_TIME_MAX;
    start->disabled = start->disabled || gate->channel->disabled;
  }
  if (gate == start || gate->module->type == NULL)
    return false;
  start->end           = gate->module;
  start->end_number    = gate->number;
  start->end_immediate = gate->deliver_immediately;
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
  opp_gate_unresolve(gate);
}
