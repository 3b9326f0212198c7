/* Modules: names, paths, the tree. */
#include <stdio.h>
#include <string.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

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

opp_module_t* opp_module_new(opp_sim_t* sim, opp_module_t* parent, const char* name, int index, const opp_module_type_t* type)
{
  opp_module_t* module = sgf_calloc(1, sizeof *module);
  module->sim          = sim;
  module->type         = type;
  module->parent       = parent;
  module->index        = index;
  module->name         = sgf_strdup(name);
  module->full_name    = index < 0 ? sgf_strdup(name) : indexed(name, index);
  module->full_path    = parent == NULL ? sgf_strdup(module->full_name) : join(parent->full_path, module->full_name);
  if (type != NULL) {
    module->handle_message = type->handle_message;
    module->state          = sgf_calloc(1, type->state_size);
  }
  if (sim->last_module != NULL)
    sim->last_module->next = module;
  else
    sim->first_module = module;
  sim->last_module = module;
  return module;
}

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

opp_module_t* opp_module_submodule(const opp_module_t* module, const char* name, int index)
{
  for (opp_module_t* child = module->sim->first_module; child != NULL; child = child->next)
    if (child->parent == module && child->index == index && strcmp(child->name, name) == 0)
      return child;
  return NULL;
}

opp_module_t* opp_module_by_path(opp_sim_t* sim, const char* full_path)
{
  for (opp_module_t* module = sim->first_module; module != NULL; module = module->next)
    if (strcmp(module->full_path, full_path) == 0)
      return module;
  return NULL;
}
