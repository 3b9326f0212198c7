/* Attributes that some kinds of NIC have and others do not: said of several hosts at once, they hold for those that
 * have them. */
#include "scenario_internal.h"

#include "fabric/fabric_internal.h"

#include <stdio.h>
#include <string.h>

static bool has(const char* model, sgf_prefix_t prefix, const char* suffix)
{
  const sgf_attr_set_t* set = sgf_attributes_of(sgf_prefix_names[prefix], model);
  sgf_attr_ref_t ref;
  sgf_error_t ignored = {0};
  return set != NULL && sgf_attr_find(set, suffix, &ref, &ignored) != SGF_UNKNOWN;
}

bool sgf_kinds_have(sgf_prefix_t prefix, const char* suffix)
{
  size_t count             = 0;
  const char* const* names = sgf_nic_model_names(&count);
  bool found               = false;
  for (size_t i = 0; i < count && !found; i++)
    found = has(names[i], prefix, suffix);
  return found;
}

/* "uet and mrc": the kinds of NIC that have an attribute. */
static sgf_hint_t owners_of(const char* suffix)
{
  size_t count             = 0;
  const char* const* names = sgf_nic_model_names(&count);
  sgf_hint_t owners        = {""};
  for (size_t i = 0; i < count; i++)
    if (has(names[i], SGF_PREFIX_NIC, suffix)) {
      const size_t used = strlen(owners.at);
      snprintf(owners.at + used, sizeof owners.at - used, "%s%s", used > 0 ? " and " : "", names[i]);
    }
  return owners;
}

bool sgf_kinds_explain(const sgf_node_t* node, sgf_prefix_t prefix, const char* suffix, sgf_error_t* reason)
{
  if (prefix != SGF_PREFIX_NIC || node->kind != SGF_NODE_HOST || !sgf_kinds_have(prefix, suffix))
    return false;
  sgf_error_clear(reason);
  sgf_error_set(reason, SGF_UNKNOWN, "NICs of the kind %s have no attribute \"%s\"; those of %s have", node->model,
                suffix, owners_of(suffix).at);
  return true;
}

void sgf_kinds_warn(const sgf_node_t* node, const char* name, const sgf_error_t* reason)
{
  char text[2 * sizeof reason->text];
  snprintf(text, sizeof text, "%s has no effect: %s", name, reason->text);
  fabric_warn(node->device->fabric, node->device->name, text);
}
