/* Signals: numbers at initialisation, a count to test when emitting, listeners up the module tree. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

static const char* const channel_signal_names[OPP_CHANNEL_SIGNALS] = {
    [OPP_CHANNEL_BUSY]      = "channelBusy",
    [OPP_MESSAGE_SENT]      = "messageSent",
    [OPP_MESSAGE_DISCARDED] = "messageDiscarded",
};

opp_signal_t opp_signal_register(opp_sim_t* sim, const char* name)
{
  for (int i = 0; i < sim->signal_count; i++)
    if (strcmp(sim->signal_names[i], name) == 0)
      return i;
  if (sim->signal_count == OPP_SIGNALS) {
    sgf_error_set(&sim->error, SGF_MODEL, "signal '%s': a simulation has at most %d signals", name, OPP_SIGNALS);
    return -1;
  }
  for (int i = 0; i < OPP_CHANNEL_SIGNALS; i++)
    if (strcmp(name, channel_signal_names[i]) == 0)
      sim->channel_signals[i] = sim->signal_count;
  sim->signal_names[sim->signal_count] = sgf_strdup(name);
  return sim->signal_count++;
}

void opp_signals_init(opp_sim_t* sim)
{
  for (int i = 0; i < OPP_CHANNEL_SIGNALS; i++)
    sim->channel_signals[i] = -1;
}

/* One listener more, or fewer. */
static void count_listener(opp_sim_t* sim, opp_signal_t signal, int change)
{
  sim->listeners[signal] += (size_t)change;
  for (int i = 0; i < OPP_CHANNEL_SIGNALS; i++)
    if (sim->channel_signals[i] == signal)
      sim->channel_listeners += (size_t)change;
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
  count_listener(module->sim, signal, 1);
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
      count_listener(module->sim, signal, -1);
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

void opp_emit_at(opp_module_t* self, opp_signal_t signal, opp_simtime_t time, double value)
{
  opp_sim_t* sim = self->sim;
  if (!is_signal(self, signal) || sim->listeners[signal] == 0)
    return;
  const opp_simtime_t outer = sim->emission_time;
  sim->emission_time        = time;
  sim->emitting++;
  for (opp_module_t* module = self; module != NULL; module = module->parent)
    for (opp_listener_t* listener = module->listeners; listener != NULL; listener = listener->next)
      if (listener->signal == signal)
        listener->callback(listener->user, self, signal, value);
  sim->emission_time = outer;
  if (--sim->emitting == 0)
    free_retired(sim);
}

void opp_emit_double(opp_module_t* self, opp_signal_t signal, double value)
{
  opp_emit_at(self, signal, self->sim->now, value);
}

opp_simtime_t opp_signal_time(const opp_sim_t* sim)
{
  return sim->emission_time;
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
