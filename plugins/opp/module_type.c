/* Module types by name. The registry is a list in static storage: constructors fill it, nothing changes it afterwards.
 */
#include <stdlib.h>
#include <string.h>

#include <sgfabric/attr.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

static opp_registration_t* registrations;

void opp_module_type_register(opp_registration_t* registration)
{
  registration->next = registrations;
  registrations      = registration;
}

static size_t count_of(const char* name)
{
  size_t count = 0;
  for (const opp_registration_t* at = registrations; at != NULL; at = at->next)
    count += strcmp(at->type->name, name) == 0;
  return count;
}

const opp_module_type_t* opp_module_type_find(const char* name)
{
  for (const opp_registration_t* at = registrations; at != NULL; at = at->next)
    if (strcmp(at->type->name, name) == 0)
      return at->type;
  return NULL;
}

static void say_unknown_type(opp_module_t* module, const char* name)
{
  size_t count = 0;
  for (const opp_registration_t* at = registrations; at != NULL; at = at->next)
    count++;
  const char** names = sgf_calloc(count, sizeof *names);
  count              = 0;
  for (const opp_registration_t* at = registrations; at != NULL; at = at->next)
    names[count++] = at->type->name;
  const char* nearest = sgf_nearest_name(name, names, count);
  if (nearest != NULL)
    opp_error(module, "there is no module type '%s'; the nearest is '%s'", name, nearest);
  else
    opp_error(module, "there is no module type '%s'", name);
  free(names);
}

opp_module_t* opp_module_create(opp_sim_t* sim, opp_module_t* parent, const char* name, int index,
                                const char* type_name)
{
  const size_t count   = count_of(type_name);
  opp_module_t* module = opp_module_new(sim, parent, name, index, count == 1 ? opp_module_type_find(type_name) : NULL);
  if (count == 0)
    say_unknown_type(module, type_name);
  else if (count > 1)
    opp_error(module, "there are %zu module types '%s'", count, type_name);
  return module;
}
