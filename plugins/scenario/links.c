/* What is said of links and clusters under `fabric`: by properties of the platform and, over them, by assignments. An
 * assignment about one becomes a property of it, the last one, so that the later passes know properties alone. */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <string.h>

bool sgf_links_key(const char* suffix, sgf_fabric_key_t* key)
{
  for (size_t i = 0; i < SGF_FABRIC_KEY_COUNT; i++)
    if (strcmp(suffix, sgf_fabric_names[i]) == 0) {
      *key = (sgf_fabric_key_t)i;
      return true;
    }
  return false;
}

sgf_property_t* sgf_links_property(const sgf_properties_t* properties, sgf_fabric_key_t key)
{
  for (size_t i = properties->count; i > 0; i--) {
    sgf_property_t* property = &properties->items[i - 1];
    if (property->prefix == SGF_PREFIX_FABRIC && strcmp(property->suffix, sgf_fabric_names[key]) == 0)
      return property;
  }
  return NULL;
}

const char* sgf_link_path(sgf_platform_t* platform, const sgf_link_t* link)
{
  return sgf_platform_text(platform, "%s.%s", link->zone->full_path, link->id);
}

/* ---- Assignments ------------------------------------------------------------------------------------------------- */

static void add_assigned(sgf_assignments_t* assignments, const char* path, const sgf_fabric_key_t* keys, size_t count,
                         sgf_properties_t* properties)
{
  for (size_t i = 0; i < count; i++) {
    sgf_property_t property;
    for (size_t next = 0; sgf_assignments_fabric(assignments, &next, path, keys[i], &property);) {
      properties->items = sgf_grow(properties->items, properties->count, sizeof *properties->items);
      properties->items[properties->count++] = property;
    }
  }
}

static void assign(sgf_platform_t* platform, sgf_assignments_t* assignments)
{
  static const sgf_fabric_key_t of_links[]    = {SGF_FABRIC_CABLES, SGF_FABRIC_FULL_DUPLEX};
  static const sgf_fabric_key_t of_clusters[] = {SGF_FABRIC_FULL_DUPLEX, SGF_FABRIC_HOST_LINK_LATENCY,
                                                 SGF_FABRIC_IGNORE_BACKBONE};
  for (size_t i = 0; i < platform->link_count; i++)
    add_assigned(assignments, sgf_link_path(platform, platform->links[i]), of_links, sizeof of_links / sizeof *of_links,
                 &platform->links[i]->properties);
  for (size_t i = 0; i < platform->node_count; i++)
    if (platform->nodes[i]->cluster != NULL)
      add_assigned(assignments, platform->nodes[i]->full_path, of_clusters, sizeof of_clusters / sizeof *of_clusters,
                   &platform->nodes[i]->properties);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static sgf_status_t read_bool(const sgf_platform_t* platform, const sgf_properties_t* properties, sgf_fabric_key_t key,
                              bool* value, sgf_error_t* error)
{
  sgf_status_t status = SGF_OK;
  for (size_t i = 0; status == SGF_OK && i < properties->count; i++) {
    const sgf_property_t* property = &properties->items[i];
    if (property->prefix != SGF_PREFIX_FABRIC || strcmp(property->suffix, sgf_fabric_names[key]) != 0)
      continue;
    status = sgf_attr_set_value(&sgf_scenario_attributes, value, property->suffix, property->value, error);
    sgf_property_place(platform, property, error);
  }
  return status;
}

static sgf_status_t apply_to_cluster(const sgf_platform_t* platform, const sgf_node_t* node, sgf_error_t* error)
{
  const sgf_properties_t* properties = &node->properties;
  const sgf_property_t* latency      = sgf_links_property(properties, SGF_FABRIC_HOST_LINK_LATENCY);
  sgf_quantity_t ignored;
  sgf_status_t status = read_bool(platform, properties, SGF_FABRIC_FULL_DUPLEX, &node->cluster->full_duplex, error);
  if (status == SGF_OK)
    status = read_bool(platform, properties, SGF_FABRIC_IGNORE_BACKBONE, &node->cluster->ignores_backbone, error);
  if (status == SGF_OK && latency != NULL && *latency->value != '\0') {
    status = sgf_read_time(latency->value, &ignored, error);
    sgf_property_place(platform, latency, error);
  }
  return status;
}

static sgf_status_t apply_to_link(const sgf_platform_t* platform, sgf_link_t* link, sgf_error_t* error)
{
  const sgf_node_t* zone = link->zone;
  if (zone->cluster != NULL) {
    const sgf_property_t* latency = sgf_links_property(&zone->properties, SGF_FABRIC_HOST_LINK_LATENCY);
    link->full_duplex             = zone->cluster->full_duplex;
    if (link->to_host && latency != NULL && *latency->value != '\0') { /* empty: the default, which is the cluster's */
      link->latency     = latency->value;
      link->own_latency = latency;
    }
  }
  return read_bool(platform, &link->properties, SGF_FABRIC_FULL_DUPLEX, &link->full_duplex, error);
}

sgf_status_t sgf_links_apply(sgf_platform_t* platform, sgf_assignments_t* assignments, sgf_error_t* error)
{
  sgf_status_t status = SGF_OK;
  if (sgf_assignments_have_fabric(assignments))
    assign(platform, assignments);
  for (size_t i = 0; status == SGF_OK && i < platform->node_count; i++)
    if (platform->nodes[i]->cluster != NULL)
      status = apply_to_cluster(platform, platform->nodes[i], error);
  for (size_t i = 0; status == SGF_OK && i < platform->link_count; i++)
    status = apply_to_link(platform, platform->links[i], error);
  return status;
}
