/* A simulation: its life, and the loop that executes events. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

opp_sim_t* opp_sim_new(uint64_t seed)
{
  opp_sim_t* sim     = sgf_calloc(1, sizeof *sim);
  sim->seed          = seed;
  sim->messages.size = sizeof(opp_msg_t);
  sim->packets.size  = sizeof(opp_msg_t) + OPP_PACKET_BODY;
  sim->cold.size     = sizeof(opp_cold_t);
  opp_line_new(sim); /* number 0 means none */
  opp_signals_init(sim);
  return sim;
}

void opp_sim_free(opp_sim_t* sim)
{
  if (sim == NULL)
    return;
  for (opp_module_t *module = sim->first_module, *next; module != NULL; module = next) {
    next = module->next;
    opp_module_free(module);
  }
  free(sim->paths);
  for (uint32_t block = 0; block * OPP_LINE_BLOCK < sim->line_count; block++)
    free(sim->lines[block]);
  free(sim->lines);
  for (size_t i = 0; i < sim->channel_count; i++) {
    free(sim->channels[i]->rng);
    free(sim->channels[i]);
  }
  free(sim->channels);
  for (size_t i = 0; i < sim->queue_count; i++)
    opp_queue_free(sim->queues[i]);
  free(sim->queues);
  opp_results_free(sim);
  opp_pool_free(&sim->messages);
  opp_pool_free(&sim->packets);
  opp_pool_free(&sim->cold);
  opp_event_queue_free(&sim->events);
  opp_signals_free(sim);
  free(sim);
}

sgf_status_t opp_sim_initialize(opp_sim_t* sim)
{
  for (opp_module_t* module = sim->first_module; module != NULL; module = module->next)
    opp_recorders_attach(module);
  bool more = true;
  for (int stage = 0; more && sim->error.status == SGF_OK; stage++) {
    more = false;
    for (opp_module_t* module = sim->first_module; module != NULL; module = module->next) {
      const opp_module_type_t* type = module->type;
      if (type == NULL)
        continue;
      const int stages = type->num_init_stages > 0 ? type->num_init_stages : 1;
      if (stage < stages && type->initialize != NULL)
        type->initialize(module, stage);
      more = more || stage + 1 < stages;
    }
  }
  return sim->error.status;
}

void opp_sim_finish(opp_sim_t* sim)
{
  for (opp_module_t* module = sim->first_module; module != NULL; module = module->next) {
    if (module->type != NULL && module->type->finish != NULL)
      module->type->finish(module);
    opp_recorders_record(module);
  }
}

/* The head of a line has left the events: the next one takes its place. */
static void line_advance(opp_sim_t* sim, opp_line_t* line)
{
  opp_msg_t* next = line->first;
  if (next == NULL) {
    line->head_pending = false;
    return;
  }
  line->first = next->next;
  if (line->first == NULL)
    line->last = NULL;
  opp_event_queue_insert(&sim->events, next);
}

opp_run_status_t opp_sim_run_events(opp_sim_t* sim, opp_simtime_t limit)
{
  sim->stop = false;
  while (sim->error.status == SGF_OK) {
    opp_msg_t* msg = opp_event_queue_pop(&sim->events, limit);
    if (msg == NULL)
      return opp_event_queue_is_empty(&sim->events) ? OPP_RUN_IDLE : OPP_RUN_LIMIT;
    if (msg->line != 0) {
      line_advance(sim, &sim->lines[msg->line / OPP_LINE_BLOCK][msg->line % OPP_LINE_BLOCK]);
      msg->line = 0;
    }
    sim->now = msg->time;
    if (++sim->event_count == sim->next_look) {
      sim->next_look += sim->look_period;
      sim->look(sim->look_user);
    }
    msg->place           = OPP_OWNED;
    opp_module_t* module = msg->module;
    module->handle_message(module, msg);
    if (sim->stop && sim->error.status == SGF_OK)
      return OPP_RUN_ENDED;
  }
  return OPP_RUN_ERROR;
}

opp_run_status_t opp_sim_run(opp_sim_t* sim, opp_simtime_t limit)
{
  const opp_run_status_t status = opp_sim_run_events(sim, limit);
  if ((status == OPP_RUN_IDLE || status == OPP_RUN_LIMIT) && limit != OPP_TIME_MAX && limit > sim->now)
    sim->now = limit;
  return status;
}

const sgf_error_t* opp_sim_error(const opp_sim_t* sim)
{
  return &sim->error;
}

opp_simtime_t opp_sim_clock(const opp_sim_t* sim)
{
  return sim->now;
}

opp_simtime_t opp_sim_next_event_time(opp_sim_t* sim)
{
  return opp_event_queue_next_time(&sim->events);
}

uint64_t opp_sim_event_count(const opp_sim_t* sim)
{
  return sim->event_count;
}

opp_simtime_t opp_sim_time(const opp_module_t* self)
{
  return opp_now(self);
}

void opp_end_simulation(opp_module_t* self)
{
  self->sim->stop = true;
}

void opp_error(opp_module_t* self, const char* format, ...)
{
  char reason[512];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  const opp_simtime_t now = self->sim->now;
  sgf_error_set(&self->sim->error, SGF_MODEL, "%s at %" PRId64 ".%012" PRId64 " s: %s", self->full_path, now / OPP_S,
                now % OPP_S, reason);
}

void opp_pass_error(opp_module_t* self, const sgf_error_t* error)
{
  sgf_error_t* first = &self->sim->error;
  if (first->status == SGF_OK)
    *first = *error;
}

void opp_rule_broken(opp_module_t* self, const opp_msg_t* msg, const char* rule)
{
  if (msg == NULL)
    opp_error(self, "%s", rule);
  else
    opp_error(self, "message '%s' (kind %d): %s", opp_msg_name(msg), msg->kind, rule);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

opp_line_t* opp_line_new(opp_sim_t* sim)
{
  const uint32_t block = sim->line_count / OPP_LINE_BLOCK;
  if (sim->line_count % OPP_LINE_BLOCK == 0) {
    sim->lines        = sgf_realloc(sim->lines, block + 1, sizeof *sim->lines);
    sim->lines[block] = sgf_calloc(OPP_LINE_BLOCK, sizeof **sim->lines);
  }
  opp_line_t* line = &sim->lines[block][sim->line_count % OPP_LINE_BLOCK];
  line->number     = sim->line_count++;
  return line;
}
