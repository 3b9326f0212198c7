/* Modules: names, paths, the tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "attr/hash.h"
#include "opp/kernel.h"

/* ---- The table of paths ------------------------------------------------------------------------------------------ */

/* The hash of a path is that of its parent's, continued. */
static uint64_t hash_below(const opp_module_t* parent, const char* name, int index)
{
  uint64_t hash = parent == NULL ? SGF_HASH_OF_NOTHING : sgf_hash_on(parent->path_hash, ".");
  hash          = sgf_hash_on(hash, name);
  if (index < 0)
    return hash;
  char suffix[16];
  snprintf(suffix, sizeof suffix, "[%d]", index);
  return sgf_hash_on(hash, suffix);
}

static void put_in_table(opp_sim_t* sim, opp_module_t* module)
{
  opp_module_t** slot  = &sim->paths[module->path_hash & (sim->path_slots - 1)];
  module->next_in_slot = *slot;
  *slot                = module;
}

/* As many slots as modules, or more. */
static void grow_table(opp_sim_t* sim)
{
  free(sim->paths);
  sim->path_slots = sim->path_slots == 0 ? 64 : 2 * sim->path_slots;
  sim->paths      = sgf_calloc(sim->path_slots, sizeof(opp_module_t*));
  for (opp_module_t* module = sim->first_module; module != NULL; module = module->next)
    put_in_table(sim, module);
}

/* The modules whose hash may be `hash`, linked by next_in_slot. */
static opp_module_t* in_table(const opp_sim_t* sim, uint64_t hash)
{
  return sim->path_slots == 0 ? NULL : sim->paths[hash & (sim->path_slots - 1)];
}

static opp_module_t* find_below(const opp_sim_t* sim, const opp_module_t* parent, const char* name, int index)
{
  const int place = index < 0 ? -1 : index;
  for (opp_module_t* module = in_table(sim, hash_below(parent, name, index)); module != NULL;
       module               = module->next_in_slot)
    if (module->parent == parent && module->index == place && strcmp(module->name, name) == 0)
      return module;
  return NULL;
}

opp_module_t* opp_module_submodule(const opp_module_t* module, const char* name, int index)
{
  return find_below(module->sim, module, name, index);
}

opp_module_t* opp_sim_top_module(const opp_sim_t* sim)
{
  return sim->first_module;
}

opp_module_t* opp_module_by_path(opp_sim_t* sim, const char* full_path)
{
  for (opp_module_t* module = in_table(sim, sgf_hash_text(full_path)); module != NULL; module = module->next_in_slot)
    if (strcmp(module->full_path, full_path) == 0)
      return module;
  return NULL;
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static char* join(const char* parent, const char* name)
{
  const size_t size = strlen(parent) + 1 + strlen(name) + 1;
  char* path        = sgf_calloc(size, 1);
  snprintf(path, size, "%s.%s", parent, name);
  return path;
}

static char* indexed(const char* name, int index)
{
  const size_t size = strlen(name) + 16;
  char* full        = sgf_calloc(size, 1);
  snprintf(full, size, "%s[%d]", name, index);
  return full;
}

opp_module_t* opp_module_new(opp_sim_t* sim, opp_module_t* parent, const char* name, int index,
                             const opp_module_type_t* type)
{
  opp_module_t* module = sgf_calloc(1, sizeof *module);
  module->sim          = sim;
  module->type         = type;
  module->parent       = parent;
  module->index        = index < 0 ? -1 : index;
  module->name         = sgf_strdup(name);
  module->full_name    = index < 0 ? sgf_strdup(name) : indexed(name, index);
  module->full_path    = parent == NULL ? sgf_strdup(module->full_name) : join(parent->full_path, module->full_name);
  module->path_hash    = hash_below(parent, name, index);
  if (type != NULL) {
    module->handle_message = type->handle_message;
    module->state          = sgf_calloc(1, type->state_size);
  }
  if (find_below(sim, parent, name, index) != NULL)
    opp_error(module, "there is a module of this name already");

  if (sim->last_module != NULL)
    sim->last_module->next = module;
  else
    sim->first_module = module;
  sim->last_module = module;
  if (sim->module_count++ == sim->path_slots)
    grow_table(sim); /* puts this module there, too */
  else
    put_in_table(sim, module);
  opp_parameters_init(module);
  return module;
}

void opp_module_free(opp_module_t* module)
{
  if (module->type != NULL && module->type->destroy != NULL)
    module->type->destroy(module);
  for (size_t i = 0; i < module->gate_count; i++)
    if (module->gates[i]->index == 0)
      free(module->gates[i]->name);
  for (size_t i = 0; i < module->gate_count; i++)
    free(module->gates[i]);
  free(module->gates);
  for (opp_listener_t *listener = module->listeners, *next; listener != NULL; listener = next) {
    next = listener->next;
    free(listener);
  }
  opp_rng_free_all(module);
  opp_parameters_free(module);
  free(module->recorders);
  free(module->state);
  free(module->name);
  free(module->full_name);
  free(module->full_path);
  free(module);
}

/* ---- Properties -------------------------------------------------------------------------------------------------- */

void* opp_module_state(opp_module_t* self)
{
  return self->state;
}

opp_sim_t* opp_module_sim(const opp_module_t* module)
{
  return module->sim;
}

const char* opp_module_name(const opp_module_t* module)
{
  return module->name;
}

const char* opp_module_full_name(const opp_module_t* module)
{
  return module->full_name;
}

const char* opp_module_full_path(const opp_module_t* module)
{
  return module->full_path;
}

int opp_module_index(const opp_module_t* module)
{
  return module->index;
}

opp_module_t* opp_module_parent(const opp_module_t* module)
{
  return module->parent;
}
