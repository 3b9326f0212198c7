/* Signals: numbers at initialisation, a count to test when emitting, listeners up the module tree. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

opp_signal_t opp_signal_register(opp_sim_t* sim, const char* name)
{
  for (int i = 0; i < sim->signal_count; i++)
    if (strcmp(sim->signal_names[i], name) == 0)
      return i;
  if (sim->signal_count == OPP_SIGNALS) {
    sgf_error_set(&sim->error, SGF_MODEL, "signal '%s': a simulation has at most %d signals", name, OPP_SIGNALS);
    return -1;
  }
  sim->signal_names[sim->signal_count] = sgf_strdup(name);
  return sim->signal_count++;
}

static bool is_signal(const opp_module_t* module, opp_signal_t signal)
{
  return signal >= 0 && signal < module->sim->signal_count;
}

void opp_signal_subscribe(opp_module_t* module, opp_signal_t signal, opp_listener_cb callback, void* user)
{
  if (!is_signal(module, signal)) {
    opp_error(module, "there is no signal %d to subscribe to", signal);
    return;
  }
  opp_listener_t* listener = sgf_calloc(1, sizeof *listener);
  *listener                = (opp_listener_t){.callback = callback, .user = user, .signal = signal};
  opp_listener_t** end     = &module->listeners;
  while (*end != NULL)
    end = &(*end)->next;
  *end = listener;
  module->sim->listeners[signal]++;
}

/* An emission under way may hold the listener or one before it: it stays in memory, and leads on, until none is. */
static void retire(opp_sim_t* sim, opp_listener_t* listener)
{
  listener->signal = -1;
  if (sim->emitting == 0) {
    free(listener);
    return;
  }
  listener->next_retired = sim->retired;
  sim->retired           = listener;
}

static void free_retired(opp_sim_t* sim)
{
  for (opp_listener_t *listener = sim->retired, *next; listener != NULL; listener = next) {
    next = listener->next_retired;
    free(listener);
  }
  sim->retired = NULL;
}

void opp_signal_unsubscribe(opp_module_t* module, opp_signal_t signal, opp_listener_cb callback, void* user)
{
  for (opp_listener_t** at = &module->listeners; *at != NULL; at = &(*at)->next) {
    opp_listener_t* listener = *at;
    if (listener->signal == signal && listener->callback == callback && listener->user == user) {
      *at = listener->next;
      module->sim->listeners[signal]--;
      retire(module->sim, listener);
      return;
    }
  }
}

bool opp_signal_has_listeners(const opp_module_t* self, opp_signal_t signal)
{
  if (!is_signal(self, signal) || self->sim->listeners[signal] == 0)
    return false;
  for (; self != NULL; self = self->parent)
    for (const opp_listener_t* listener = self->listeners; listener != NULL; listener = listener->next)
      if (listener->signal == signal)
        return true;
  return false;
}

void opp_emit_double(opp_module_t* self, opp_signal_t signal, double value)
{
  if (!is_signal(self, signal) || self->sim->listeners[signal] == 0)
    return;
  self->sim->emitting++;
  for (opp_module_t* module = self; module != NULL; module = module->parent)
    for (opp_listener_t* listener = module->listeners; listener != NULL; listener = listener->next)
      if (listener->signal == signal)
        listener->callback(listener->user, self, signal, value);
  if (--self->sim->emitting == 0)
    free_retired(self->sim);
}

void opp_emit_int(opp_module_t* self, opp_signal_t signal, int64_t value)
{
  opp_emit_double(self, signal, (double)value);
}

void opp_signals_free(opp_sim_t* sim)
{
  free_retired(sim);
  for (int i = 0; i < sim->signal_count; i++)
    free(sim->signal_names[i]);
}
