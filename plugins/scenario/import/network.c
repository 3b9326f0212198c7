/* What has been imported: devices, cables and flows, before they are written. */
#include "scenario/import/import_internal.h"

#include <stdarg.h>
#include <stdlib.h>

#include "attr/alloc.h"

sgf_import_t* import_new(const char* format, const char* nic)
{
  sgf_import_t* import = sgf_calloc(1, sizeof *import);
  import->format       = format;
  import->nic          = nic;
  return import;
}

void sgf_import_free(sgf_import_t* import)
{
  if (import == NULL)
    return;
  for (size_t i = 0; i < import->warning_count; i++)
    free(import->warnings[i]);
  free(import->nodes);
  free(import->cables);
  free(import->flows);
  free(import);
}

static void* grown(void* items, size_t count, size_t* room, size_t size)
{
  if (count < *room)
    return items;
  *room = *room == 0 ? 64 : 2 * *room;
  return sgf_realloc(items, *room, size);
}

size_t import_add_node(sgf_import_t* import, const char* prefix, size_t number, bool is_switch)
{
  import->nodes = grown(import->nodes, import->node_count, &import->node_room, sizeof *import->nodes);
  import->nodes[import->node_count] = (import_node_t){prefix, number, is_switch, 0};
  return import->node_count++;
}

void import_add_cable(sgf_import_t* import, const import_cable_t* cable)
{
  import->cables = grown(import->cables, import->cable_count, &import->cable_room, sizeof *import->cables);
  import->cables[import->cable_count++] = *cable;
  import->nodes[cable->below].ports += cable->count;
  import->nodes[cable->above].ports += cable->count;
}

void import_add_flow(sgf_import_t* import, const import_flow_t* flow)
{
  import->flows = grown(import->flows, import->flow_count, &import->flow_room, sizeof *import->flows);
  import->flows[import->flow_count++] = *flow;
}

void import_warn(sgf_import_t* import, const import_reader_t* reader, int line, const char* format, ...)
{
  if (import->warning_count == IMPORT_MAX_WARNINGS)
    return;
  char text[1024];
  int used = snprintf(text, sizeof text, "%.512s:%d: ", reader->file, line);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, sizeof text - (size_t)used, format, args);
  va_end(args);
  import->warnings[import->warning_count++] = sgf_strdup(text);
}

/* ---- Connected sets ---------------------------------------------------------------------------------------------- */

/* The representative of a node's set, with the way to it halved. */
static size_t set_of(size_t* parents, size_t node)
{
  while (parents[node] != node)
    node = parents[node] = parents[parents[node]];
  return node;
}

sgf_status_t import_check_connected(const sgf_import_t* import, const import_reader_t* reader, int line)
{
  size_t* parents = sgf_calloc(import->node_count, sizeof *parents);
  for (size_t i = 0; i < import->node_count; i++)
    parents[i] = i;
  for (size_t i = 0; i < import->cable_count; i++)
    parents[set_of(parents, import->cables[i].above)] = set_of(parents, import->cables[i].below);
  size_t apart = 0;
  while (apart < import->node_count && set_of(parents, apart) == set_of(parents, 0))
    apart++;
  free(parents);
  if (apart == import->node_count)
    return SGF_OK;
  const import_node_t* node = &import->nodes[apart];
  if (node->ports == 0)
    return import_fail_at(reader, line, SGF_TOPOLOGY, "%s %zu has no link", node->is_switch ? "switch" : "host",
                          node->number);
  return import_fail_at(reader, line, SGF_TOPOLOGY, "no way leads from %s %zu to %s %zu",
                        import->nodes[0].is_switch ? "switch" : "host", import->nodes[0].number,
                        node->is_switch ? "switch" : "host", node->number);
}

/* ---- Looking around ---------------------------------------------------------------------------------------------- */

size_t sgf_import_switch_count(const sgf_import_t* import)
{
  size_t count = 0;
  for (size_t i = 0; i < import->node_count; i++)
    count += import->nodes[i].is_switch;
  return count;
}

size_t sgf_import_host_count(const sgf_import_t* import)
{
  return import->node_count - sgf_import_switch_count(import);
}

size_t sgf_import_cable_count(const sgf_import_t* import)
{
  size_t count = 0;
  for (size_t i = 0; i < import->cable_count; i++)
    count += import->cables[i].count;
  return count;
}

size_t sgf_import_flow_count(const sgf_import_t* import)
{
  return import->flow_count;
}

size_t sgf_import_warning_count(const sgf_import_t* import)
{
  return import->warning_count;
}

const char* sgf_import_warning(const sgf_import_t* import, size_t i)
{
  return i < import->warning_count ? import->warnings[i] : NULL;
}
