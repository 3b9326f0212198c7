/* --set: "pattern=value" over all that the platform file says. The pattern ends in what would follow the device's path
 * in an ini file: "net.rack0.gpu?.nic.IngressBufferManager.TotalBufferSize", "**.switch.EcnHandler.MinThreshold",
 * "**.pcie" for the shorthand, "**.nic" for the model. "net.rack0.c0.fabric.cables" is about a link or a cluster.
 * "record.nd-stats" or "net.record.nd-stats" is about the records, which belong to no device. */
#include "scenario_internal.h"

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct assignment {
  char* pattern; /* as written, for messages */
  char* file;    /* NULL: the command line */
  int line;
  char* place;  /* file and line, for a warning */
  char* device; /* its part before the prefix */
  char* suffix; /* its part behind the prefix */
  char* value;
  bool is_default; /* the word, without quotes: what the attribute's table declares */
  sgf_prefix_t prefix;
  opp_pattern_t* devices;
  opp_pattern_t* attributes; /* NULL: the suffix is a name */
  bool taken;
  const sgf_node_t*
      foreign; /* a host that it matches, with a NIC of a kind without the attribute: this has been said */
} assignment_t;

/* Path of what the records belong to. */
static const char record_owner[] = "net";

struct sgf_assignments {
  assignment_t* items;
  size_t count;
};

static sgf_status_t refuse(const assignment_t* assignment, const sgf_error_t* reason, sgf_error_t* error)
{
  sgf_error_set(error, reason->status, "%s: %s", assignment->pattern, reason->text);
  sgf_error_place(error, assignment->file != NULL ? assignment->file : "--set", assignment->line);
  return reason->status;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* A copy of text without the white space around it. */
static char* trimmed(const char* from, const char* end)
{
  while (from < end && isspace((unsigned char)*from))
    from++;
  while (end > from && isspace((unsigned char)end[-1]))
    end--;
  char* copy = sgf_calloc((size_t)(end - from) + 1, 1);
  return memcpy(copy, from, (size_t)(end - from));
}

/* Take the quotes off a value. */
static sgf_status_t unquote(char* value, sgf_error_t* reason)
{
  size_t length = strlen(value);
  if (*value != '"')
    return SGF_OK;
  if (length < 2 || value[length - 1] != '"')
    return sgf_error_set(reason, SGF_SYNTAX, "value %s has a quote at one end", value);
  memmove(value, value + 1, length - 2);
  value[length - 2] = '\0';
  return SGF_OK;
}

/* The prefix that the component at `dot` is, if it is one that a pattern can have. */
static bool is_prefix(const char* dot, sgf_prefix_t* prefix)
{
  size_t length = strcspn(dot + 1, ".");
  for (size_t i = 0; i < SGF_PREFIX_COUNT; i++)
    if (strlen(sgf_prefix_names[i]) == length && strncmp(dot + 1, sgf_prefix_names[i], length) == 0) {
      *prefix = (sgf_prefix_t)i;
      return true;
    }
  return false;
}

/* None of its components is a prefix; perhaps one is nearly. */
static sgf_status_t refuse_prefix(const assignment_t* assignment, sgf_error_t* reason)
{
  const char* nearest = NULL;
  for (const char* dot = strchr(assignment->pattern, '.'); dot != NULL && nearest == NULL; dot = strchr(dot + 1, '.')) {
    char* component = trimmed(dot + 1, dot + 1 + strcspn(dot + 1, "."));
    nearest         = sgf_nearest_name(component, sgf_prefix_names, SGF_PREFIX_COUNT);
    free(component);
  }
  return sgf_error_set(reason, SGF_SYNTAX,
                       "no attribute of a device%s%s%s write a pattern such as **.nic.<attribute>, "
                       "**.switch.<attribute>, **.pcie or **.fabric.<attribute>",
                       nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "? Else" : ":");
}

/* Split the pattern at its last component that is a prefix. */
static sgf_status_t split(assignment_t* assignment, sgf_error_t* reason)
{
  const char* at = NULL;
  for (const char* dot = strchr(assignment->pattern, '.'); dot != NULL; dot = strchr(dot + 1, '.'))
    if (is_prefix(dot, &assignment->prefix))
      at = dot;
  const char* record = sgf_prefix_names[SGF_PREFIX_RECORD];
  if (at == NULL && strncmp(assignment->pattern, record, strlen(record)) == 0 &&
      assignment->pattern[strlen(record)] == '.') {
    assignment->prefix = SGF_PREFIX_RECORD;
    assignment->device = sgf_strdup(record_owner);
    assignment->suffix = sgf_strdup(assignment->pattern + strlen(record) + 1);
    return SGF_OK;
  }
  if (at == NULL)
    return refuse_prefix(assignment, reason);
  const char* behind = at + 1 + strlen(sgf_prefix_names[assignment->prefix]);
  assignment->device = trimmed(assignment->pattern, at);
  assignment->suffix = sgf_strdup(*behind == '.' ? behind + 1 : behind);
  if (*assignment->suffix == '\0' && (*behind == '.' || assignment->prefix >= SGF_PREFIX_SWITCH))
    return sgf_error_set(reason, SGF_SYNTAX, "names no attribute behind .%s", sgf_prefix_names[assignment->prefix]);
  return SGF_OK;
}

static bool is_model(const assignment_t* assignment)
{
  return assignment->prefix == SGF_PREFIX_NIC && *assignment->suffix == '\0';
}

static bool names_key(const assignment_t* assignment, sgf_fabric_key_t key)
{
  return assignment->attributes != NULL ? opp_pattern_matches(assignment->attributes, sgf_fabric_names[key])
                                        : strcmp(assignment->suffix, sgf_fabric_names[key]) == 0;
}

static sgf_status_t check_fabric(const assignment_t* assignment, sgf_error_t* reason)
{
  for (size_t key = 0; key < SGF_FABRIC_KEY_COUNT; key++)
    if (names_key(assignment, (sgf_fabric_key_t)key))
      return SGF_OK;
  return sgf_error_set(reason, SGF_UNKNOWN, "fabric has no attribute \"%s\"%s", assignment->suffix,
                       sgf_hint_of(assignment->suffix, sgf_fabric_names, SGF_FABRIC_KEY_COUNT).at);
}

static sgf_status_t read_assignment(assignment_t* assignment, const char* text, sgf_error_t* reason)
{
  const char* equals  = strchr(text, '=');
  const char* end     = equals != NULL ? equals : text + strlen(text);
  assignment->pattern = trimmed(text, end);
  if (equals == NULL)
    return sgf_error_set(reason, SGF_SYNTAX, "an assignment is <pattern>=<value>");
  assignment->value      = trimmed(equals + 1, equals + strlen(equals));
  assignment->is_default = strcmp(assignment->value, "default") == 0;
  sgf_status_t status    = unquote(assignment->value, reason);
  if (status == SGF_OK)
    status = split(assignment, reason);
  if (status != SGF_OK)
    return status;
  assignment->devices       = opp_pattern_new(assignment->device, reason);
  opp_pattern_t* attributes = assignment->devices != NULL ? opp_pattern_new(assignment->suffix, reason) : NULL;
  if (attributes == NULL)
    return reason->status;
  if (opp_pattern_is_name(attributes))
    opp_pattern_free(attributes);
  else
    assignment->attributes = attributes;
  if (assignment->prefix == SGF_PREFIX_FABRIC)
    return check_fabric(assignment, reason);
  return is_model(assignment) ? sgf_properties_check_model(assignment->value, reason) : SGF_OK;
}

sgf_assignments_t* sgf_assignments_new(const sgf_assignment_t* list, size_t count, sgf_error_t* error)
{
  sgf_assignments_t* assignments = sgf_calloc(1, sizeof *assignments);
  assignments->items             = sgf_calloc(count, sizeof *assignments->items);
  assignments->count             = count;
  for (size_t i = 0; i < count; i++) {
    assignment_t* assignment = &assignments->items[i];
    sgf_error_t reason       = {0};
    assignment->file         = list[i].file != NULL ? sgf_strdup(list[i].file) : NULL;
    assignment->line         = list[i].line;
    if (read_assignment(assignment, list[i].text, &reason) != SGF_OK) {
      refuse(assignment, &reason, error);
      sgf_assignments_free(assignments);
      return NULL;
    }
  }
  return assignments;
}

void sgf_assignments_free(sgf_assignments_t* assignments)
{
  if (assignments == NULL)
    return;
  for (size_t i = 0; i < assignments->count; i++) {
    assignment_t* assignment = &assignments->items[i];
    opp_pattern_free(assignment->devices);
    opp_pattern_free(assignment->attributes);
    free(assignment->pattern);
    free(assignment->file);
    free(assignment->place);
    free(assignment->device);
    free(assignment->suffix);
    free(assignment->value);
  }
  free(assignments->items);
  free(assignments);
}

/* ---- Applying ---------------------------------------------------------------------------------------------------- */

const char* sgf_assignments_model(sgf_assignments_t* assignments, const sgf_node_t* host, const char* otherwise)
{
  const char* model = otherwise;
  for (size_t i = 0; i < assignments->count; i++) {
    assignment_t* assignment = &assignments->items[i];
    if (!is_model(assignment) || !opp_pattern_matches(assignment->devices, host->full_path))
      continue;
    model             = assignment->value;
    assignment->taken = true;
  }
  return model;
}

bool sgf_assignments_have_fabric(const sgf_assignments_t* assignments)
{
  for (size_t i = 0; i < assignments->count; i++)
    if (assignments->items[i].prefix == SGF_PREFIX_FABRIC)
      return true;
  return false;
}

bool sgf_assignments_fabric(sgf_assignments_t* assignments, size_t* next, const char* path, sgf_fabric_key_t key,
                            sgf_property_t* property)
{
  while (*next < assignments->count) {
    assignment_t* assignment = &assignments->items[(*next)++];
    if (assignment->prefix != SGF_PREFIX_FABRIC || !names_key(assignment, key) ||
        !opp_pattern_matches(assignment->devices, path))
      continue;
    const char* declared = sgf_scenario_attributes.sections[0].table->attrs[key].initial;
    *property            = (sgf_property_t){.name   = assignment->pattern,
                                            .value  = assignment->is_default ? declared : assignment->value,
                                            .file   = assignment->file != NULL ? assignment->file : "--set",
                                            .line   = assignment->line,
                                            .origin = &assignment->taken,
                                            .prefix = SGF_PREFIX_FABRIC,
                                            .suffix = sgf_fabric_names[key]};
    return true;
  }
  return false;
}

/* What an assignment is about: a device, or the records of the run. */
typedef struct target {
  const sgf_attr_set_t* attributes;
  sgf_device_t* device;         /* NULL: the records */
  sgf_results_config_t* config; /* of the records */
} target_t;

/* An attribute that does not exist is refused where it is set. */
static const char* value_for(const assignment_t* assignment, const target_t* target, const char* suffix)
{
  sgf_attr_ref_t ref;
  if (assignment->is_default && sgf_attr_find(target->attributes, suffix, &ref, NULL) == SGF_OK)
    return ref.attr->initial;
  return assignment->value;
}

static sgf_status_t set_one(const assignment_t* assignment, const target_t* target, const char* suffix,
                            sgf_error_t* reason)
{
  const char* value = value_for(assignment, target, suffix);
  if (target->device == NULL)
    return sgf_attr_set_value(target->attributes, target->config, suffix, value, reason);
  sgf_status_t status = sgf_properties_check_delay(suffix, reason);
  return status == SGF_OK ? sgf_device_set(target->device, sgf_prefix_names[assignment->prefix], suffix, value, reason)
                          : status;
}

/* Set every attribute whose whole path matches the suffix. */
static sgf_status_t set_matching(const assignment_t* assignment, const target_t* target, sgf_error_t* reason)
{
  const sgf_attr_set_t* set = target->attributes;
  bool found                = false;
  for (size_t i = 0; i < set->count; i++)
    for (size_t j = 0; j < set->sections[i].table->count; j++) {
      char* path = sgf_strdup(set->sections[i].table->attrs[j].path);
      for (char* slash = strchr(path, '/'); slash != NULL; slash = strchr(slash, '/'))
        *slash = '.';
      bool matches        = opp_pattern_matches(assignment->attributes, path);
      sgf_status_t status = matches ? set_one(assignment, target, path, reason) : SGF_OK;
      free(path);
      if (status != SGF_OK)
        return status;
      found = found || matches;
    }
  return found
             ? SGF_OK
             : sgf_error_set(reason, SGF_UNKNOWN, "%s has no attribute whose whole path matches \"%s\"; begin with **.",
                             sgf_prefix_names[assignment->prefix], assignment->suffix);
}

/* `node` is the device; NULL: the records. */
static sgf_status_t apply(assignment_t* assignment, const target_t* target, const sgf_node_t* node, sgf_error_t* error)
{
  sgf_error_t reason  = {0};
  sgf_status_t status = assignment->attributes != NULL ? set_matching(assignment, target, &reason)
                                                       : set_one(assignment, target, assignment->suffix, &reason);
  if (status == SGF_UNKNOWN && node != NULL && assignment->attributes == NULL &&
      sgf_kinds_explain(node, assignment->prefix, assignment->suffix, &reason)) {
    sgf_kinds_warn(node, assignment->pattern, &reason);
    assignment->foreign = node;
    return SGF_OK;
  }
  assignment->taken = true;
  return status == SGF_OK ? SGF_OK : refuse(assignment, &reason, error);
}

sgf_status_t sgf_assignments_apply(sgf_assignments_t* assignments, const sgf_node_t* node, sgf_error_t* error)
{
  for (size_t i = 0; i < assignments->count; i++) {
    assignment_t* assignment = &assignments->items[i];
    bool of_switches         = assignment->prefix == SGF_PREFIX_SWITCH;
    if (is_model(assignment) || assignment->prefix >= SGF_PREFIX_RECORD ||
        of_switches != (node->kind == SGF_NODE_ROUTER) || !opp_pattern_matches(assignment->devices, node->full_path))
      continue;
    const target_t target     = {.attributes = sgf_attributes_of(sgf_prefix_names[assignment->prefix], node->model),
                                 .device     = node->device};
    const sgf_status_t status = apply(assignment, &target, node, error);
    if (status != SGF_OK)
      return status;
  }
  return SGF_OK;
}

sgf_status_t sgf_assignments_record(sgf_assignments_t* assignments, sgf_results_config_t* config, sgf_error_t* error)
{
  const target_t target = {.attributes = &sgf_results_attributes, .config = config};
  sgf_status_t status   = SGF_OK;
  for (size_t i = 0; status == SGF_OK && i < assignments->count; i++)
    if (assignments->items[i].prefix == SGF_PREFIX_RECORD &&
        opp_pattern_matches(assignments->items[i].devices, record_owner))
      status = apply(&assignments->items[i], &target, NULL, error);
  return status;
}

/* ---- What nothing took ------------------------------------------------------------------------------------------- */

static bool is_eligible(const sgf_node_t* node, const void* kind)
{
  return node->kind == *(const sgf_node_kind_t*)kind;
}

/* What the pattern may have meant: by the last name of it, or by its whole path when that name is right. */
static sgf_hint_t hint(const assignment_t* assignment, const sgf_platform_t* platform, sgf_node_kind_t kind)
{
  const char* dot   = strrchr(assignment->device, '.');
  const char* last  = dot != NULL ? dot + 1 : assignment->device;
  sgf_node_t* named = sgf_platform_node(platform, last);
  sgf_hint_t found  = {""};
  if (named != NULL && named->kind == kind)
    snprintf(found.at, sizeof found.at, "; did you mean %s?", named->full_path);
  else
    found = sgf_hint_node(platform, last, is_eligible, &kind);
  for (size_t i = 0; *found.at == '\0' && i < platform->node_count; i++)
    if (platform->nodes[i]->kind == kind)
      snprintf(found.at, sizeof found.at, "; the first is %s", platform->nodes[i]->full_path);
  return found;
}

/* About a cluster whose pattern fits but which has no use for it; SGF_OK: it is not about this node. */
static sgf_status_t refuse_for_cluster(const assignment_t* assignment, const sgf_node_t* node, sgf_error_t* reason)
{
  if (node->cluster == NULL || !opp_pattern_matches(assignment->devices, node->full_path))
    return SGF_OK;
  if (!node->cluster->has_nics)
    return sgf_error_set(reason, SGF_NO_NIC, "no host of cluster \"%s\" has a NIC", node->id);
  return names_key(assignment, SGF_FABRIC_IGNORE_BACKBONE)
             ? sgf_error_set(reason, SGF_RULE, "cluster \"%s\" has no backbone", node->id)
             : SGF_OK;
}

static sgf_status_t refuse_untaken_of_links(const assignment_t* assignment, sgf_platform_t* platform,
                                            sgf_error_t* reason)
{
  const bool of_links = names_key(assignment, SGF_FABRIC_CABLES) || names_key(assignment, SGF_FABRIC_FULL_DUPLEX);
  for (size_t i = 0; i < platform->node_count; i++)
    if (refuse_for_cluster(assignment, platform->nodes[i], reason) != SGF_OK)
      return reason->status;
  for (size_t i = 0; of_links && i < platform->link_count; i++)
    if (opp_pattern_matches(assignment->devices, sgf_link_path(platform, platform->links[i])))
      return sgf_error_set(reason, SGF_TOPOLOGY, "link \"%s\" is no cable between two devices", platform->links[i]->id);
  if (!of_links || platform->link_count == 0)
    return sgf_error_set(reason, SGF_UNKNOWN, "matches no %s", of_links ? "link" : "cluster");
  return sgf_error_set(reason, SGF_UNKNOWN, "matches no link; the first is %s",
                       sgf_link_path(platform, platform->links[0]));
}

static sgf_status_t refuse_untaken(const assignment_t* assignment, sgf_platform_t* platform, sgf_error_t* reason)
{
  if (assignment->prefix == SGF_PREFIX_FABRIC)
    return refuse_untaken_of_links(assignment, platform, reason);
  if (assignment->prefix == SGF_PREFIX_RECORD)
    return sgf_error_set(reason, SGF_UNKNOWN, "records belong to the whole run: write record.%s", assignment->suffix);
  bool of_switches     = assignment->prefix == SGF_PREFIX_SWITCH;
  sgf_node_kind_t kind = of_switches ? SGF_NODE_ROUTER : SGF_NODE_HOST;
  for (size_t i = 0; i < platform->node_count; i++) {
    const sgf_node_t* node = platform->nodes[i];
    if (node->kind == SGF_NODE_ZONE || !opp_pattern_matches(assignment->devices, node->full_path))
      continue;
    if (node->kind == kind)
      return sgf_error_set(reason, SGF_NO_NIC, "host \"%s\" has no NIC", node->id);
    return sgf_error_set(reason, SGF_UNKNOWN, "\"%s\" is a %s, which has no %s attributes", node->id,
                         of_switches ? "host" : "router", sgf_prefix_names[assignment->prefix]);
  }
  return sgf_error_set(reason, SGF_UNKNOWN, "matches no %s%s", of_switches ? "router" : "host",
                       hint(assignment, platform, kind).at);
}

static void warn_of_untaken(assignment_t* assignment, const sgf_error_t* reason, sgf_fabric_t* fabric)
{
  char text[2 * sizeof reason->text];
  snprintf(text, sizeof text, "no device took %s: %s", assignment->pattern, reason->text);
  const size_t size = strlen(assignment->file) + sizeof ":-2147483648";
  assignment->place = sgf_calloc(size, 1);
  snprintf(assignment->place, size, "%s:%d", assignment->file, assignment->line);
  fabric_warn(fabric, assignment->place, text);
}

sgf_status_t sgf_assignments_check(const sgf_assignments_t* assignments, sgf_platform_t* platform, sgf_fabric_t* fabric,
                                   bool of_links, sgf_error_t* error)
{
  for (size_t i = 0; i < assignments->count; i++) {
    assignment_t* assignment = &assignments->items[i];
    sgf_error_t reason       = {0};
    if (assignment->taken || of_links != (assignment->prefix == SGF_PREFIX_FABRIC))
      continue;
    if (assignment->foreign != NULL)
      sgf_kinds_explain(assignment->foreign, assignment->prefix, assignment->suffix, &reason);
    else
      refuse_untaken(assignment, platform, &reason);
    if (assignment->file == NULL)
      return refuse(assignment, &reason, error);
    if (assignment->foreign == NULL)
      warn_of_untaken(assignment, &reason, fabric);
  }
  return SGF_OK;
}
