/* Which properties hold for a device: those of its zones, outermost first, then its own. */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <stdlib.h>
#include <string.h>

static const char no_model[] = "none";

sgf_status_t sgf_properties_check_model(const char* model, sgf_error_t* error)
{
  size_t count             = 0;
  const char* const* names = sgf_nic_model_names(&count);
  const char** choices     = sgf_calloc(count + 1, sizeof *choices);
  bool is_known            = false;
  for (size_t i = 0; i <= count; i++) {
    choices[i] = i < count ? names[i] : no_model;
    is_known   = is_known || strcmp(choices[i], model) == 0;
  }
  if (!is_known)
    sgf_error_set(error, SGF_UNKNOWN, "nic = \"%s\": there is no such NIC model%s", model,
                  sgf_hint_of(model, choices, count + 1).at);
  free(choices);
  return is_known ? SGF_OK : SGF_UNKNOWN;
}

static bool is_model(const sgf_property_t* property)
{
  return property->prefix == SGF_PREFIX_NIC && *property->suffix == '\0';
}

static sgf_status_t check_models(const sgf_platform_t* platform, sgf_error_t* error)
{
  for (size_t i = 0; i < platform->node_count; i++) {
    const sgf_properties_t* properties = &platform->nodes[i]->properties;
    for (size_t j = 0; j < properties->count; j++)
      if (is_model(&properties->items[j]) && sgf_properties_check_model(properties->items[j].value, error) != SGF_OK) {
        sgf_error_place(error, platform->file, properties->items[j].line);
        return SGF_UNKNOWN;
      }
  }
  return SGF_OK;
}

/* The model that the innermost property names. */
static const char* model_of(const sgf_node_t* host)
{
  const char* model = no_model;
  for (const sgf_node_t* owner = host; owner != NULL; owner = owner->parent)
    for (size_t i = 0; i < owner->properties.count; i++) {
      sgf_property_t* property = &owner->properties.items[i];
      if (!is_model(property))
        continue;
      if (model == no_model)
        model = property->value;
      property->taken = true;
    }
  return model;
}

sgf_status_t sgf_properties_models(sgf_platform_t* platform, sgf_assignments_t* assignments, sgf_error_t* error)
{
  sgf_status_t status = check_models(platform, error);
  for (size_t i = 0; status == SGF_OK && i < platform->node_count; i++) {
    sgf_node_t* host = platform->nodes[i];
    if (host->kind != SGF_NODE_HOST)
      continue;
    const char* model = sgf_assignments_model(assignments, host, model_of(host));
    host->model       = strcmp(model, no_model) != 0 ? model : NULL;
  }
  return status;
}

sgf_status_t sgf_properties_check_delay(const char* suffix, sgf_error_t* error)
{
  static const char path[] = "NetworkInterface.TransmissionMedium.Delay";
  size_t length            = strlen(suffix);
  size_t whole             = strlen(path);
  if (length > whole || (length < whole && path[whole - length - 1] != '.'))
    return SGF_OK;
  for (size_t i = 0; i < length; i++)
    if (path[whole - length + i] != (suffix[i] == '/' ? '.' : suffix[i]))
      return SGF_OK;
  return sgf_error_set(error, SGF_RULE, "\"%s\" is the latency of the <link>: write it there", suffix);
}

/* ---- Properties of one device ------------------------------------------------------------------------------------ */

/* In one element a shorthand comes before what it stands for, and all switches before some. */
typedef enum rank { RANK_SHORTHAND, RANK_PLAIN, RANK_SELECTED, RANK_COUNT } rank_t;

static rank_t rank_of(const sgf_property_t* property)
{
  if (property->selector != NULL)
    return RANK_SELECTED;
  return *property->suffix == '\0' ? RANK_SHORTHAND : RANK_PLAIN;
}

/* A selector is the router's id, or its path below the zone that holds the property. */
static bool selects(const sgf_property_t* property, const sgf_node_t* zone, const sgf_node_t* router)
{
  if (property->selector == NULL)
    return true;
  const char* below = router->path + strlen(zone->path) + 1;
  return opp_pattern_matches(property->pattern, router->id) || opp_pattern_matches(property->pattern, below);
}

static bool holds_for(const sgf_property_t* property, const sgf_node_t* owner, const sgf_node_t* node)
{
  if (is_model(property) || property->prefix == SGF_PREFIX_FABRIC || property->prefix == SGF_PREFIX_RECORD)
    return false;
  bool of_switches = property->prefix == SGF_PREFIX_SWITCH;
  return of_switches == (node->kind == SGF_NODE_ROUTER) && (!of_switches || selects(property, owner, node));
}

static bool same_selector(const sgf_property_t* a, const sgf_property_t* b)
{
  if (a->selector == NULL || b->selector == NULL)
    return a->selector == b->selector;
  return strcmp(a->selector, b->selector) == 0;
}

/* Two names for one attribute in one element: neither can be meant to have no effect. */
static sgf_status_t check_twice(const sgf_properties_t* properties, const sgf_property_t* property, sgf_error_t* error)
{
  for (size_t i = 0; i < properties->count; i++) {
    const sgf_property_t* other = &properties->items[i];
    if (other != property && other->attr == property->attr && same_selector(other, property))
      return sgf_error_set(error, SGF_AMBIGUOUS, "\"%s\" and \"%s\" in line %d are the same attribute", property->name,
                           other->name, other->line);
  }
  return SGF_OK;
}

/* Whether a property names an attribute, when a device meets it first. */
static sgf_status_t look_up(const sgf_properties_t* properties, sgf_property_t* property, const sgf_node_t* node,
                            sgf_error_t* reason)
{
  const sgf_attr_set_t* attributes = sgf_attributes_of(sgf_prefix_names[property->prefix], node->model);
  sgf_attr_ref_t ref               = {0};
  if (sgf_properties_check_delay(property->suffix, reason) != SGF_OK ||
      sgf_attr_find(attributes, property->suffix, &ref, reason) != SGF_OK)
    return reason->status;
  property->attr = ref.attr;
  return check_twice(properties, property, reason);
}

/* `owner` has the property. */
static sgf_status_t set(const sgf_node_t* owner, sgf_property_t* property, const sgf_node_t* node, sgf_error_t* error)
{
  sgf_error_t reason = {0};
  if (!property->taken && rank_of(property) != RANK_SHORTHAND)
    look_up(&owner->properties, property, node, &reason);
  if (reason.status == SGF_OK) {
    property->taken = true;
    sgf_device_set(node->device, sgf_prefix_names[property->prefix], property->suffix, property->value, &reason);
  }
  if (reason.status == SGF_UNKNOWN && sgf_kinds_explain(node, property->prefix, property->suffix, &reason) &&
      owner != node) {
    sgf_kinds_warn(node, property->name, &reason);
    return SGF_OK;
  }
  return reason.status == SGF_OK ? SGF_OK : sgf_error_set(error, reason.status, "%s", reason.text);
}

static sgf_status_t apply_from(const sgf_platform_t* platform, const sgf_node_t* owner, const sgf_node_t* node,
                               sgf_error_t* error)
{
  sgf_status_t status = owner->parent != NULL ? apply_from(platform, owner->parent, node, error) : SGF_OK;
  for (rank_t rank = RANK_SHORTHAND; rank < RANK_COUNT; rank++)
    for (size_t i = 0; status == SGF_OK && i < owner->properties.count; i++) {
      sgf_property_t* property = &owner->properties.items[i];
      if (rank_of(property) != rank || !holds_for(property, owner, node))
        continue;
      status = set(owner, property, node, error);
      sgf_error_place(error, platform->file, property->line);
    }
  return status;
}

sgf_status_t sgf_properties_apply(sgf_platform_t* platform, sgf_node_t* node, sgf_error_t* error)
{
  return apply_from(platform, node, node, error);
}

/* ---- Properties of the records ----------------------------------------------------------------------------------- */

static sgf_status_t set_of_record(const sgf_properties_t* properties, sgf_property_t* property,
                                  sgf_results_config_t* config, sgf_error_t* error)
{
  sgf_attr_ref_t ref  = {0};
  sgf_status_t status = sgf_attr_find(&sgf_results_attributes, property->suffix, &ref, error);
  property->attr      = ref.attr;
  property->taken     = true;
  if (status == SGF_OK)
    status = check_twice(properties, property, error);
  return status == SGF_OK ? sgf_attr_assign(ref, config, property->value, error) : status;
}

sgf_status_t sgf_properties_record(sgf_platform_t* platform, sgf_results_config_t* config, sgf_error_t* error)
{
  const sgf_properties_t* properties = &platform->nodes[0]->properties;
  sgf_status_t status                = SGF_OK;
  for (size_t i = 0; status == SGF_OK && i < properties->count; i++) {
    sgf_property_t* property = &properties->items[i];
    if (property->prefix != SGF_PREFIX_RECORD)
      continue;
    status = set_of_record(properties, property, config, error);
    sgf_error_place(error, platform->file, property->line);
  }
  return status;
}

/* ---- What nothing took ------------------------------------------------------------------------------------------- */

static bool is_router_below(const sgf_node_t* node, const void* zone)
{
  return node->kind == SGF_NODE_ROUTER && sgf_node_is_below(node, zone);
}

static sgf_status_t refuse_untaken(const sgf_platform_t* platform, const sgf_node_t* owner,
                                   const sgf_property_t* property, sgf_error_t* error)
{
  if (property->selector != NULL)
    return sgf_platform_refuse(platform, property->line, error, SGF_UNKNOWN,
                               "property \"%s\": no router in zone \"%s\" is called \"%s\"%s", property->name,
                               owner->id, property->selector,
                               sgf_hint_node(platform, property->selector, is_router_below, owner).at);
  if (property->prefix == SGF_PREFIX_SWITCH)
    return sgf_platform_refuse(platform, property->line, error, SGF_UNKNOWN,
                               "property \"%s\" has no effect: there is no router in zone \"%s\"", property->name,
                               owner->id);
  if (owner->kind == SGF_NODE_HOST)
    return sgf_platform_refuse(platform, property->line, error, SGF_NO_NIC,
                               "property \"%s\" has no effect: host \"%s\" has no NIC", property->name, owner->id);
  return sgf_platform_refuse(platform, property->line, error, SGF_NO_NIC,
                             "property \"%s\" has no effect: no host in zone \"%s\"%s", property->name, owner->id,
                             is_model(property) ? "" : " has a NIC");
}

sgf_status_t sgf_properties_check(const sgf_platform_t* platform, sgf_error_t* error)
{
  for (size_t i = 0; i < platform->node_count; i++) {
    const sgf_node_t* owner = platform->nodes[i];
    for (size_t j = 0; j < owner->properties.count; j++)
      if (!owner->properties.items[j].taken && owner->properties.items[j].origin == NULL)
        return refuse_untaken(platform, owner, &owner->properties.items[j], error);
  }
  return SGF_OK;
}
