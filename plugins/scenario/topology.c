/* Names to nodes and links, and what SimGrid cannot take: it would crash, abort or loop (see README). */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <stdlib.h>
#include <string.h>

/* ---- Unique names ------------------------------------------------------------------------------------------------ */

static sgf_status_t check_node_ids(const sgf_platform_t* platform, sgf_error_t* error)
{
  for (size_t i = 1; i < platform->node_count; i++) {
    const sgf_node_t* first  = platform->nodes_by_id[i - 1];
    const sgf_node_t* second = platform->nodes_by_id[i];
    if (strcmp(first->id, second->id) == 0)
      return sgf_platform_refuse(
          platform, second->line, error, SGF_TOPOLOGY,
          "id \"%s\" was given in line %d already: zones, hosts and routers share one space of names", second->id,
          first->line);
  }
  return SGF_OK;
}

static sgf_status_t refuse_link(const sgf_platform_t* platform, const sgf_link_t* link, const sgf_link_t* first,
                                sgf_error_t* error)
{
  return sgf_platform_refuse(platform, link->line, error, SGF_TOPOLOGY,
                             "link \"%s\" was given in line %d already (a SPLITDUPLEX link c is also c_UP and c_DOWN)",
                             link->id, first->line);
}

static sgf_status_t check_link_ids(sgf_platform_t* platform, sgf_error_t* error)
{
  for (size_t i = 1; i < platform->link_count; i++)
    if (strcmp(platform->links_by_id[i - 1]->id, platform->links_by_id[i]->id) == 0)
      return refuse_link(platform, platform->links_by_id[i], platform->links_by_id[i - 1], error);
  for (size_t i = 0; i < platform->link_count; i++) {
    const sgf_link_t* link = platform->links[i];
    if (link->policy != SGF_POLICY_SPLITDUPLEX)
      continue;
    const sgf_link_t* up   = sgf_platform_link(platform, sgf_platform_text(platform, "%s_UP", link->id));
    const sgf_link_t* down = sgf_platform_link(platform, sgf_platform_text(platform, "%s_DOWN", link->id));
    if (up != NULL || down != NULL)
      return refuse_link(platform, up != NULL ? up : down, link, error);
  }
  return SGF_OK;
}

/* ---- Ends of routes ---------------------------------------------------------------------------------------------- */

static bool is_zone_in(const sgf_node_t* node, const void* zone)
{
  return node->kind == SGF_NODE_ZONE && node->parent == zone;
}

static bool is_host_or_router_in(const sgf_node_t* node, const void* zone)
{
  return node->kind != SGF_NODE_ZONE && node->parent == zone;
}

static bool is_gateway_of(const sgf_node_t* node, const void* zone)
{
  return node->kind != SGF_NODE_ZONE && !node->is_ours && sgf_node_is_below(node, zone);
}

static const char* tag_of(const sgf_route_t* route)
{
  return route->between_zones ? "zoneRoute" : "route";
}

/* The node `id` that `attribute` of a route names: one of those that `eligible` accepts for `zone`. */
static sgf_status_t resolve_end(const sgf_platform_t* platform, const sgf_route_t* route, const char* attribute,
                                const char* id, const sgf_node_t* zone,
                                bool (*eligible)(const sgf_node_t*, const void*), sgf_node_t** end, sgf_error_t* error)
{
  sgf_node_t* node = sgf_platform_node(platform, id);
  *end             = node;
  if (node != NULL && eligible(node, zone))
    return SGF_OK;
  if (node != NULL && node->is_ours)
    return sgf_platform_refuse(
        platform, route->line, error, SGF_TOPOLOGY,
        "<%s> %s = \"%s\": SimGrid does not know the switches of a FAT_TREE cluster, so no cable "
        "can be plugged into them",
        tag_of(route), attribute, id);
  sgf_hint_t hint = sgf_hint_node(platform, id, eligible, zone);
  if (node == NULL)
    return sgf_platform_refuse(platform, route->line, error, SGF_UNKNOWN, "<%s> %s = \"%s\": there is no such %s%s",
                               tag_of(route), attribute, id, eligible == is_zone_in ? "zone" : "host or router",
                               hint.at);
  const char* wanted = eligible == is_zone_in             ? "a zone directly inside"
                       : eligible == is_host_or_router_in ? "a host or router directly inside"
                                                          : "a host or router of";
  return sgf_platform_refuse(platform, route->line, error, SGF_TOPOLOGY, "<%s> %s = \"%s\" is not %s zone \"%s\"%s",
                             tag_of(route), attribute, id, wanted, zone->id, hint.at);
}

static sgf_status_t resolve_ends(const sgf_platform_t* platform, sgf_route_t* route, sgf_error_t* error)
{
  bool (*eligible)(const sgf_node_t*, const void*) = route->between_zones ? is_zone_in : is_host_or_router_in;
  sgf_status_t status = resolve_end(platform, route, "src", route->src_id, route->zone, eligible, &route->src, error);
  if (status == SGF_OK)
    status = resolve_end(platform, route, "dst", route->dst_id, route->zone, eligible, &route->dst, error);
  if (status != SGF_OK)
    return status;
  if (route->src == route->dst) {
    route->is_loop =
        route->src->kind == SGF_NODE_HOST && (route->zone->routing == SGF_ROUTING_FULL || !route->symmetrical);
    if (!route->is_loop)
      return sgf_platform_refuse(platform, route->line, error, SGF_TOPOLOGY,
                                 "<%s> from \"%s\" to itself: SimGrid takes a loopback of a host alone, and outside of "
                                 "routing Full with symmetrical=\"NO\"",
                                 tag_of(route), route->src_id);
  }
  route->from = route->src;
  route->to   = route->dst;
  if (!route->between_zones)
    return SGF_OK;
  status = resolve_end(platform, route, "gw_src", route->gw_src_id, route->src, is_gateway_of, &route->from, error);
  if (status == SGF_OK)
    status = resolve_end(platform, route, "gw_dst", route->gw_dst_id, route->dst, is_gateway_of, &route->to, error);
  return status;
}

/* ---- Links of routes --------------------------------------------------------------------------------------------- */

static sgf_status_t refuse_unknown_link(const sgf_platform_t* platform, const sgf_hop_t* hop, sgf_error_t* error)
{
  const char** names = sgf_calloc(platform->link_count, sizeof *names);
  size_t count       = 0;
  for (size_t i = 0; i < platform->link_count; i++)
    if (!platform->links[i]->is_ours)
      names[count++] = platform->links[i]->id;
  sgf_hint_t hint = sgf_hint_of(hop->id, names, count);
  free(names);
  return sgf_platform_refuse(platform, hop->line, error, SGF_UNKNOWN, "there is no link \"%s\"%s", hop->id, hint.at);
}

static sgf_status_t resolve_hop(const sgf_platform_t* platform, const sgf_route_t* route, sgf_hop_t* hop,
                                sgf_error_t* error)
{
  hop->link = sgf_platform_link(platform, hop->id);
  if (hop->link == NULL || (hop->link->is_ours && route->zone->cluster == NULL))
    return refuse_unknown_link(platform, hop, error);
  if (hop->link->order > route->order)
    return sgf_platform_refuse(platform, hop->line, error, SGF_TOPOLOGY,
                               "link \"%s\" is declared in line %d, behind its use: SimGrid does not know it yet",
                               hop->id, hop->link->line);
  bool has_direction = hop->direction != SGF_DIRECTION_NONE;
  bool is_split      = hop->link->policy == SGF_POLICY_SPLITDUPLEX;
  if (is_split && !has_direction)
    return sgf_platform_refuse(platform, hop->line, error, SGF_TOPOLOGY,
                               "link \"%s\" is SPLITDUPLEX: SimGrid wants direction=\"UP\" or \"DOWN\"", hop->id);
  if (!is_split && has_direction)
    return sgf_platform_refuse(platform, hop->line, error, SGF_TOPOLOGY,
                               "link \"%s\" has no directions: a cable is sharing_policy=\"SPLITDUPLEX\"", hop->id);
  return SGF_OK;
}

static sgf_status_t resolve_route(const sgf_platform_t* platform, sgf_route_t* route, sgf_error_t* error)
{
  if (route->zone->routing == SGF_ROUTING_NONE)
    return sgf_platform_refuse(platform, route->line, error, SGF_TOPOLOGY,
                               "zone \"%s\" with routing None takes no routes: use Dijkstra", route->zone->id);
  sgf_status_t status = resolve_ends(platform, route, error);
  if (status == SGF_OK && route->hop_count == 0)
    return sgf_platform_refuse(platform, route->line, error, SGF_TOPOLOGY, "<%s> from \"%s\" to \"%s\" without a link",
                               tag_of(route), route->src_id, route->dst_id);
  for (size_t i = 0; status == SGF_OK && i < route->hop_count; i++)
    status = resolve_hop(platform, route, &route->hops[i], error);
  if (status == SGF_OK && !route->is_loop) {
    route->src->routes++;
    route->dst->routes++;
  }
  return status;
}

/* ---- One route for each direction of a pair ---------------------------------------------------------------------- */

typedef struct direction {
  const sgf_node_t* from;
  const sgf_node_t* to;
  sgf_route_t* route;
} direction_t;

static int compare_pairs(const direction_t* a, const direction_t* b)
{
  if (a->from != b->from)
    return a->from->order < b->from->order ? -1 : 1;
  return (a->to->order > b->to->order) - (a->to->order < b->to->order);
}

static int compare_directions(const void* a, const void* b)
{
  int order               = compare_pairs(a, b);
  const sgf_route_t* left = ((const direction_t*)a)->route;
  return order != 0 ? order : left->order < ((const direction_t*)b)->route->order ? -1 : 1;
}

static int compare_keys(const void* a, const void* b)
{
  return compare_pairs(a, b);
}

static sgf_status_t check_directions(const sgf_platform_t* platform, direction_t* directions, size_t count,
                                     sgf_error_t* error)
{
  for (size_t i = 1; i < count; i++) {
    const sgf_route_t* route = directions[i].route;
    if (compare_pairs(&directions[i - 1], &directions[i]) == 0)
      return sgf_platform_refuse(platform, route->line, error, SGF_TOPOLOGY,
                                 "a second route from \"%s\" to \"%s\", after line %d: for parallel cables write <prop "
                                 "id=\"fabric.cables\" value=\"2\"/> into the link",
                                 directions[i].from->id, directions[i].to->id, directions[i - 1].route->line);
  }
  for (size_t i = 0; i < count; i++) {
    direction_t key       = {directions[i].to, directions[i].from, NULL};
    direction_t* opposite = bsearch(&key, directions, count, sizeof *directions, compare_keys);
    if (opposite == NULL)
      return sgf_platform_refuse(platform, directions[i].route->line, error, SGF_TOPOLOGY,
                                 "a one-way route from \"%s\" to \"%s\" and none back", directions[i].from->id,
                                 directions[i].to->id);
    directions[i].route->opposite = opposite->route;
  }
  return SGF_OK;
}

static sgf_status_t check_pairs(const sgf_platform_t* platform, sgf_error_t* error)
{
  direction_t* directions = sgf_calloc(2 * platform->route_count, sizeof *directions);
  size_t count            = 0;
  for (size_t i = 0; i < platform->route_count; i++) {
    sgf_route_t* route  = platform->routes[i];
    directions[count++] = (direction_t){route->src, route->dst, route};
    if (route->symmetrical && !route->is_loop)
      directions[count++] = (direction_t){route->dst, route->src, route};
  }
  qsort(directions, count, sizeof *directions, compare_directions);
  sgf_status_t status = check_directions(platform, directions, count, error);
  free(directions);
  return status;
}

/* ---- Every member of a zone is reachable from every other inside it ---------------------------------------------- */

static const char* kind_of(const sgf_node_t* node)
{
  static const char* const kinds[] = {[SGF_NODE_ZONE] = "zone", [SGF_NODE_HOST] = "host", [SGF_NODE_ROUTER] = "router"};
  return kinds[node->kind];
}

/* Full routing knows no ways of several routes: SimGrid sends between a pair without one over no link at all. */
static sgf_status_t check_full(const sgf_platform_t* platform, const sgf_node_t* zone, sgf_error_t* error)
{
  size_t directions = 0;
  for (size_t i = 0; i < platform->route_count; i++)
    if (platform->routes[i]->zone == zone && !platform->routes[i]->is_loop)
      directions += platform->routes[i]->symmetrical ? 2 : 1;
  if (directions == zone->children * (zone->children - 1))
    return SGF_OK;
  return sgf_platform_refuse(
      platform, zone->line, error, SGF_TOPOLOGY,
      "zone \"%s\" with routing Full has no route for some pair: use Dijkstra, which finds ways of "
      "several routes",
      zone->id);
}

static sgf_status_t refuse_unreachable(const sgf_platform_t* platform, const sgf_node_t* first,
                                       const sgf_node_t* second, sgf_error_t* error)
{
  const sgf_node_t* lone  = first->routes == 0 ? first : second;
  const sgf_node_t* other = lone == first ? second : first;
  if (lone->routes == 0)
    return sgf_platform_refuse(platform, lone->line, error, SGF_TOPOLOGY,
                               "%s \"%s\" is connected to nothing: a <%s> of zone \"%s\" is missing", kind_of(lone),
                               lone->id, lone->kind == SGF_NODE_ZONE ? "zoneRoute" : "route", lone->parent->id);
  return sgf_platform_refuse(platform, lone->line, error, SGF_TOPOLOGY,
                             "no way leads from %s \"%s\" to \"%s\" inside zone \"%s\": a <%s> is missing",
                             kind_of(lone), lone->id, other->id, lone->parent->id,
                             lone->kind == SGF_NODE_ZONE ? "zoneRoute" : "route");
}

static sgf_status_t check_reachable(const sgf_platform_t* platform, sgf_error_t* error)
{
  for (size_t i = 0; i < platform->node_count; i++)
    platform->nodes[i]->set = platform->nodes[i];
  for (size_t i = 0; i < platform->route_count; i++)
    sgf_node_join(platform->routes[i]->src, platform->routes[i]->dst);
  for (size_t i = 1; i < platform->node_count; i++) {
    sgf_node_t* node = platform->nodes[i];
    sgf_node_t* zone = node->parent;
    if (zone->first_child == NULL)
      zone->first_child = node;
    if (sgf_node_set(zone->first_child) != sgf_node_set(node))
      return refuse_unreachable(platform, zone->first_child, node, error);
  }
  return SGF_OK;
}

sgf_status_t sgf_topology_resolve(sgf_platform_t* platform, sgf_error_t* error)
{
  sgf_status_t status = check_node_ids(platform, error);
  if (status == SGF_OK)
    status = check_link_ids(platform, error);
  for (size_t i = 0; status == SGF_OK && i < platform->route_count; i++)
    status = resolve_route(platform, platform->routes[i], error);
  if (status == SGF_OK)
    status = check_pairs(platform, error);
  if (status == SGF_OK)
    status = check_reachable(platform, error);
  for (size_t i = 0; status == SGF_OK && i < platform->node_count; i++)
    if (platform->nodes[i]->routing == SGF_ROUTING_FULL && platform->nodes[i]->kind == SGF_NODE_ZONE)
      status = check_full(platform, platform->nodes[i], error);
  return status;
}
