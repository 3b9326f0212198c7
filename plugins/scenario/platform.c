/* The platform as it was written: memory, names, messages. */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void* sgf_grow(void* items, size_t count, size_t size)
{
  bool is_full = (count & (count - 1)) == 0; /* capacities are powers of two */
  return is_full ? sgf_realloc(items, count == 0 ? 1 : 2 * count, size) : items;
}

static void free_properties(sgf_properties_t* properties)
{
  for (size_t i = 0; i < properties->count; i++)
    opp_pattern_free(properties->items[i].pattern);
  free(properties->items);
}

void sgf_platform_free(sgf_platform_t* platform)
{
  if (platform == NULL)
    return;
  for (size_t i = 0; i < platform->node_count; i++) {
    free_properties(&platform->nodes[i]->properties);
    free(platform->nodes[i]->cluster);
    free(platform->nodes[i]);
  }
  for (size_t i = 0; i < platform->link_count; i++) {
    free_properties(&platform->links[i]->properties);
    free(platform->links[i]);
  }
  for (size_t i = 0; i < platform->route_count; i++) {
    free(platform->routes[i]->hops);
    free(platform->routes[i]);
  }
  for (size_t i = 0; i < platform->text_count; i++)
    free(platform->texts[i]);
  free(platform->nodes);
  free(platform->links);
  free(platform->routes);
  free(platform->texts);
  free(platform->nodes_by_id);
  free(platform->links_by_id);
  free(platform->cables);
  sgf_xml_free(platform->xml);
  free(platform);
}

sgf_status_t sgf_platform_refuse(const sgf_platform_t* platform, int line, sgf_error_t* error, sgf_status_t status,
                                 const char* format, ...)
{
  char reason[sizeof error->text];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  sgf_error_set(error, status, "%s", reason);
  sgf_error_place(error, platform->file, line);
  return status;
}

const char* sgf_platform_text(sgf_platform_t* platform, const char* format, ...)
{
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  size_t size = length > 0 ? (size_t)length + 1 : 1;
  char* text  = sgf_calloc(size, 1);
  va_start(args, format);
  vsnprintf(text, size, format, args);
  va_end(args);
  platform->texts                         = sgf_grow(platform->texts, platform->text_count, sizeof *platform->texts);
  platform->texts[platform->text_count++] = text;
  return text;
}

static int compare_nodes(const void* a, const void* b)
{
  const sgf_node_t* left  = *(sgf_node_t* const*)a;
  const sgf_node_t* right = *(sgf_node_t* const*)b;
  int order               = strcmp(left->id, right->id);
  return order != 0 ? order : (left->order > right->order) - (left->order < right->order);
}

static int compare_links(const void* a, const void* b)
{
  const sgf_link_t* left  = *(sgf_link_t* const*)a;
  const sgf_link_t* right = *(sgf_link_t* const*)b;
  int order               = strcmp(left->id, right->id);
  return order != 0 ? order : (left->order > right->order) - (left->order < right->order);
}

void sgf_platform_index(sgf_platform_t* platform)
{
  platform->nodes_by_id = sgf_calloc(platform->node_count, sizeof *platform->nodes_by_id);
  platform->links_by_id = sgf_calloc(platform->link_count, sizeof *platform->links_by_id);
  for (size_t i = 0; i < platform->node_count; i++)
    platform->nodes_by_id[i] = platform->nodes[i];
  for (size_t i = 0; i < platform->link_count; i++)
    platform->links_by_id[i] = platform->links[i];
  qsort(platform->nodes_by_id, platform->node_count, sizeof *platform->nodes_by_id, compare_nodes);
  qsort(platform->links_by_id, platform->link_count, sizeof *platform->links_by_id, compare_links);
}

static int compare_id_to_node(const void* id, const void* node)
{
  return strcmp(id, (*(sgf_node_t* const*)node)->id);
}

static int compare_id_to_link(const void* id, const void* link)
{
  return strcmp(id, (*(sgf_link_t* const*)link)->id);
}

sgf_node_t* sgf_platform_node(const sgf_platform_t* platform, const char* id)
{
  sgf_node_t** found =
      bsearch(id, platform->nodes_by_id, platform->node_count, sizeof(sgf_node_t*), compare_id_to_node);
  return found != NULL ? *found : NULL;
}

sgf_link_t* sgf_platform_link(const sgf_platform_t* platform, const char* id)
{
  sgf_link_t** found =
      bsearch(id, platform->links_by_id, platform->link_count, sizeof(sgf_link_t*), compare_id_to_link);
  return found != NULL ? *found : NULL;
}

bool sgf_node_is_device(const sgf_node_t* node)
{
  if (node->kind == SGF_NODE_ROUTER)
    return !node->is_ours || node->parent->cluster->has_nics;
  return node->kind == SGF_NODE_HOST && node->model != NULL;
}

bool sgf_node_is_below(const sgf_node_t* node, const sgf_node_t* zone)
{
  while (node != NULL && node != zone)
    node = node->parent;
  return node == zone;
}

sgf_node_t* sgf_node_set(sgf_node_t* node)
{
  while (node->set != node) {
    node->set = node->set->set;
    node      = node->set;
  }
  return node;
}

void sgf_node_join(sgf_node_t* a, sgf_node_t* b)
{
  sgf_node_set(a)->set = sgf_node_set(b);
}

sgf_hint_t sgf_hint_of(const char* name, const char* const* names, size_t count)
{
  sgf_hint_t hint     = {""};
  const char* nearest = sgf_nearest_name(name, names, count);
  if (nearest != NULL)
    snprintf(hint.at, sizeof hint.at, "; did you mean %s?", nearest);
  return hint;
}

sgf_hint_t sgf_hint_node(const sgf_platform_t* platform, const char* name,
                         bool (*eligible)(const sgf_node_t*, const void*), const void* context)
{
  const char** names = sgf_calloc(platform->node_count, sizeof *names);
  size_t count       = 0;
  for (size_t i = 0; i < platform->node_count; i++)
    if (eligible(platform->nodes[i], context))
      names[count++] = platform->nodes[i]->id;
  sgf_hint_t hint = sgf_hint_of(name, names, count);
  free(names);
  return hint;
}
