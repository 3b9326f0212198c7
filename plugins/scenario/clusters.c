/* <cluster>: hosts that are all alike, with the switches, links and routes between them that SimGrid makes of it. They
 * are added to the platform as if they had been written one by one, so that the later passes know nothing of clusters.
 */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HOSTS = 1 << 16 };

/* What its hosts are called: prefix, number, suffix. */
typedef struct numbers {
  unsigned* items;
  size_t count;
} numbers_t;

/* ---- Radicals: "0-3,7,9-11" -------------------------------------------------------------------------------------- */

static const char* skip_blanks(const char* at, const char* end)
{
  while (at < end && isspace((unsigned char)*at))
    at++;
  return at;
}

/* A number at `at` and the blanks around it, which SimGrid passes over; NULL if there is none before `end`. */
static const char* take_number(const char* at, const char* end, unsigned* number)
{
  uint64_t value = 0;
  at             = skip_blanks(at, end);
  if (at == end || !isdigit((unsigned char)*at))
    return NULL;
  for (; at < end && isdigit((unsigned char)*at); at++) {
    value = 10 * value + (uint64_t)(*at - '0');
    if (value > INT_MAX)
      return NULL;
  }
  *number = (unsigned)value;
  return skip_blanks(at, end);
}

/* One number or one range, up to `end`. */
static sgf_status_t take_group(sgf_reader_t* reader, const char* from, const char* end, numbers_t* numbers)
{
  unsigned first = 0;
  unsigned last  = 0;
  const char* at = take_number(from, end, &first);
  last           = first;
  if (at != NULL && at < end && *at == '-')
    at = take_number(at + 1, end, &last);
  if (at != end)
    return sgf_error_set(reader->error, SGF_SYNTAX,
                         "radical: \"%.*s\" is neither a number below 2^31 nor a range such as 0-7", (int)(end - from),
                         from);
  if (first > last)
    return sgf_error_set(reader->error, SGF_RANGE, "radical: the range \"%.*s\" is empty", (int)(end - from), from);
  if (last - first >= MAX_HOSTS || numbers->count + (last - first) >= MAX_HOSTS)
    return sgf_error_set(reader->error, SGF_RANGE, "radical: more than %d hosts", MAX_HOSTS);
  for (unsigned number = first; number <= last; number++) {
    numbers->items                   = sgf_grow(numbers->items, numbers->count, sizeof *numbers->items);
    numbers->items[numbers->count++] = number;
  }
  return SGF_OK;
}

static sgf_status_t read_radical(sgf_reader_t* reader, const char* text, numbers_t* numbers)
{
  for (;;) {
    const char* end     = text + strcspn(text, ",");
    sgf_status_t status = take_group(reader, text, end, numbers);
    if (status != SGF_OK || *end == '\0')
      return status;
    text = end + 1;
  }
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

typedef sgf_status_t (*read_quantity_fn)(const char* text, sgf_quantity_t* quantity, sgf_error_t* error);

static sgf_status_t read_value(sgf_reader_t* reader, const sgf_xml_element_t* element, const char* attribute,
                               read_quantity_fn read, sgf_quantity_t* value)
{
  sgf_error_t reason  = {0};
  sgf_status_t status = read(sgf_reader_get(reader, element, attribute, ""), value, &reason);
  return status == SGF_OK ? SGF_OK : sgf_error_set(reader->error, status, "%s: %s", attribute, reason.text);
}

static bool is_zero(const sgf_quantity_t* value)
{
  return value->fits && value->whole == 0;
}

/* Whether a pair of rate and latency is there: one of them is given, and is not 0. */
static sgf_status_t read_pair(sgf_reader_t* reader, const sgf_xml_element_t* element, const char* rate,
                              const char* latency, bool* is_there)
{
  sgf_quantity_t values[2] = {{.whole = 0, .fits = true}, {.whole = 0, .fits = true}};
  sgf_status_t status      = SGF_OK;
  if (*sgf_reader_get(reader, element, rate, "") != '\0')
    status = read_value(reader, element, rate, sgf_read_bandwidth, &values[0]);
  if (status == SGF_OK && *sgf_reader_get(reader, element, latency, "") != '\0')
    status = read_value(reader, element, latency, sgf_read_time, &values[1]);
  *is_there = !is_zero(&values[0]) || !is_zero(&values[1]);
  return status;
}

/* What SimGrid adds to the links that become cables. */
typedef struct extras {
  bool has_loopback;
  bool has_backbone;
} extras_t;

static sgf_status_t read_extras(sgf_reader_t* reader, const sgf_xml_element_t* element, extras_t* extras)
{
  static const char* const policies[] = {"SHARED", "FATPIPE", NULL};
  size_t policy                       = 0;
  sgf_status_t status = read_pair(reader, element, "loopback_bw", "loopback_lat", &extras->has_loopback);
  if (status == SGF_OK)
    status = read_pair(reader, element, "bb_bw", "bb_lat", &extras->has_backbone);
  if (status == SGF_OK)
    status = sgf_reader_choice(reader, element, "bb_sharing_policy", policies, &policy);
  if (status == SGF_OK && *sgf_reader_get(reader, element, "limiter_link", "") != '\0')
    return sgf_error_set(reader->error, SGF_RULE,
                         "limiter_link: no cable limits what a host sends and receives together: leave it out");
  return status;
}

static sgf_status_t read_cabling(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_cabling_t* cabling)
{
  static const char* const policies[] = {"SPLITDUPLEX", "FULLDUPLEX", "SHARED", "FATPIPE", NULL};
  static const sgf_policy_t meant[]   = {SGF_POLICY_SPLITDUPLEX, SGF_POLICY_SPLITDUPLEX, SGF_POLICY_SHARED,
                                         SGF_POLICY_FATPIPE};
  size_t policy                       = 0;
  sgf_quantity_t bandwidth;
  sgf_quantity_t latency;
  sgf_status_t status = read_value(reader, element, "bw", sgf_read_bandwidth, &bandwidth);
  if (status == SGF_OK)
    status = read_value(reader, element, "lat", sgf_read_time, &latency);
  if (status == SGF_OK && is_zero(&bandwidth))
    status = sgf_error_set(reader->error, SGF_RANGE, "bw: a cable has a rate above 0");
  if (status == SGF_OK)
    status = sgf_reader_choice(reader, element, "sharing_policy", policies, &policy);
  *cabling = (sgf_cabling_t){.bandwidth = sgf_reader_get(reader, element, "bw", ""),
                             .latency   = sgf_reader_get(reader, element, "lat", ""),
                             .policy    = meant[policy]};
  return status;
}

/* ---- Hosts, links and the switch of a flat cluster --------------------------------------------------------------- */

sgf_link_t* sgf_cluster_connect(sgf_reader_t* reader, sgf_node_t* cluster, sgf_node_t* below, sgf_node_t* above,
                                const char* id, const sgf_cabling_t* cabling)
{
  const char* name   = id != NULL ? id : sgf_platform_text(reader->platform, "%s-%s", below->id, above->id);
  sgf_link_t* link   = sgf_reader_add_link(reader, cluster, name, cabling->bandwidth, cabling->latency, cluster->line);
  sgf_route_t* route = sgf_reader_add_route(reader, cluster, cluster->line);
  bool is_split      = cabling->policy == SGF_POLICY_SPLITDUPLEX;
  link->policy       = cabling->policy;
  link->is_ours      = id == NULL;
  link->to_host      = below->kind == SGF_NODE_HOST;
  route->symmetrical = true;
  route->src_id      = below->id;
  route->dst_id      = above->id;
  sgf_route_add_hop(route, link->id, is_split ? SGF_DIRECTION_UP : SGF_DIRECTION_NONE, cluster->line);
  return link;
}

static sgf_status_t add_hosts(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* cluster,
                              const numbers_t* numbers, sgf_node_t** hosts)
{
  const char* prefix = sgf_reader_get(reader, element, "prefix", "");
  const char* suffix = sgf_reader_get(reader, element, "suffix", "");
  for (size_t i = 0; i < numbers->count; i++) {
    const char* id      = sgf_platform_text(reader->platform, "%s%u%s", prefix, numbers->items[i], suffix);
    sgf_status_t status = sgf_reader_check_id(reader, id);
    if (status != SGF_OK)
      return status;
    hosts[i] = sgf_reader_add_node(reader, SGF_NODE_HOST, id, id, cluster->line, cluster);
  }
  return SGF_OK;
}

/* Names of links that SimGrid makes and no cable is made of: nobody else may have them. */
static void add_extra_links(sgf_reader_t* reader, sgf_node_t* cluster, const numbers_t* numbers, const extras_t* extras)
{
  sgf_platform_t* platform = reader->platform;
  if (extras->has_backbone)
    sgf_reader_add_link(reader, cluster, sgf_platform_text(platform, "%s_backbone", cluster->id), "0", "0",
                        cluster->line);
  for (size_t i = 0; extras->has_loopback && i < numbers->count; i++)
    sgf_reader_add_link(reader, cluster,
                        sgf_platform_text(platform, "%s_link_%u_loopback", cluster->id, numbers->items[i]), "0", "0",
                        cluster->line);
}

/* The switch is the router that SimGrid puts into the middle for zoneRoutes. */
static sgf_status_t build_flat(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* cluster,
                               const numbers_t* numbers, sgf_node_t** hosts, const sgf_cabling_t* cabling)
{
  sgf_platform_t* platform = reader->platform;
  const char* prefix       = sgf_reader_get(reader, element, "prefix", "");
  const char* suffix       = sgf_reader_get(reader, element, "suffix", "");
  const char* id           = sgf_reader_get(reader, element, "router_id", "");
  if (*id == '\0')
    id = sgf_platform_text(platform, "%s%s_router%s", prefix, cluster->id, suffix);
  if (*sgf_reader_get(reader, element, "topo_parameters", "") != '\0')
    return sgf_error_set(reader->error, SGF_RULE,
                         "topo_parameters have no effect in a FLAT cluster: write topology=\"FAT_TREE\"");
  const sgf_property_t* latency = sgf_links_property(&cluster->properties, SGF_FABRIC_HOST_LINK_LATENCY);
  if (latency != NULL)
    return sgf_platform_refuse(platform, latency->line, reader->error, SGF_RULE,
                               "\"%s\": every link of a FLAT cluster is a host link: write it into lat", latency->name);
  sgf_status_t status = sgf_reader_check_id(reader, id);
  if (status != SGF_OK)
    return status;
  sgf_node_t* router = sgf_reader_add_node(reader, SGF_NODE_ROUTER, id, id, cluster->line, cluster);
  for (size_t i = 0; i < numbers->count; i++) {
    const char* link = sgf_platform_text(platform, "%s_link_%u", cluster->id, numbers->items[i]);
    sgf_cluster_connect(reader, cluster, hosts[i], router, link, cabling);
  }
  return SGF_OK;
}

/* Attributes that SimGrid passes over in silence. */
static sgf_status_t check_ignored(sgf_reader_t* reader, const sgf_xml_element_t* element)
{
  static const char* const ignored[] = {"router_id", "bb_bw", "bb_lat", "bb_sharing_policy"};
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    if (*sgf_reader_get(reader, element, ignored[i], "") != '\0')
      return sgf_error_set(reader->error, SGF_RULE,
                           "%s has no effect: SimGrid makes neither a router nor a backbone of a FAT_TREE cluster",
                           ignored[i]);
  return SGF_OK;
}

static sgf_status_t check_host_latency(sgf_reader_t* reader, const sgf_property_t* latency)
{
  sgf_quantity_t value;
  sgf_error_t reason  = {0};
  sgf_status_t status = sgf_read_time(latency->value, &value, &reason);
  return status == SGF_OK ? SGF_OK
                          : sgf_platform_refuse(reader->platform, latency->line, reader->error, status, "%s: %s",
                                                latency->name, reason.text);
}

static sgf_status_t build_fat_tree(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* cluster,
                                   const numbers_t* numbers, sgf_node_t** hosts, const sgf_cabling_t* cabling)
{
  const sgf_property_t* latency = sgf_links_property(&cluster->properties, SGF_FABRIC_HOST_LINK_LATENCY);
  sgf_status_t status           = check_ignored(reader, element);
  if (status == SGF_OK && latency != NULL)
    status = check_host_latency(reader, latency);
  if (status != SGF_OK)
    return status;
  return sgf_fat_tree_build(reader, cluster, hosts, numbers->count,
                            sgf_reader_get(reader, element, "topo_parameters", ""), cabling);
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static sgf_status_t read_kind(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_cluster_kind_t* kind)
{
  static const char* const topologies[] = {"FLAT", "FAT_TREE", "TORUS", "DRAGONFLY", NULL};
  enum { TORUS = 2, DRAGONFLY = 3 };
  size_t topology     = 0;
  sgf_status_t status = sgf_reader_choice(reader, element, "topology", topologies, &topology);
  if (status == SGF_OK && topology == TORUS)
    return sgf_error_set(reader->error, SGF_RULE,
                         "topology TORUS: hosts would forward, which they never do: use FAT_TREE or FLAT");
  if (status == SGF_OK && topology == DRAGONFLY)
    return sgf_error_set(reader->error, SGF_RULE,
                         "topology DRAGONFLY: only fat trees and flat clusters become fabrics: use FAT_TREE or "
                         "FLAT");
  *kind = topology == 0 ? SGF_CLUSTER_FLAT : SGF_CLUSTER_FAT_TREE;
  return status;
}

static sgf_status_t build(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* cluster,
                          const numbers_t* numbers)
{
  extras_t extras       = {0};
  sgf_cabling_t cabling = {0};
  sgf_status_t status   = read_cabling(reader, element, &cabling);
  if (status == SGF_OK)
    status = read_extras(reader, element, &extras);
  if (status != SGF_OK)
    return status;
  cluster->cluster->policy       = cabling.policy;
  cluster->cluster->has_backbone = extras.has_backbone;

  sgf_node_t** hosts = sgf_calloc(numbers->count, sizeof *hosts);
  status             = add_hosts(reader, element, cluster, numbers, hosts);
  if (status == SGF_OK)
    status = (cluster->cluster->kind == SGF_CLUSTER_FLAT ? build_flat : build_fat_tree)(reader, element, cluster,
                                                                                        numbers, hosts, &cabling);
  add_extra_links(reader, cluster, numbers, &extras);
  free(hosts);
  return status;
}

sgf_status_t sgf_cluster_read(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* parent)
{
  const char* id      = sgf_reader_get(reader, element, "id", "");
  sgf_status_t status = sgf_reader_check_id(reader, id);
  if (status != SGF_OK)
    return status;
  sgf_node_t* cluster = sgf_reader_add_node(reader, SGF_NODE_ZONE, id, id, sgf_xml_line(element), parent);
  cluster->cluster    = sgf_calloc(1, sizeof *cluster->cluster);
  numbers_t numbers   = {0};
  status              = read_kind(reader, element, &cluster->cluster->kind);
  if (status == SGF_OK)
    status = sgf_reader_cluster_properties(reader, element, parent == NULL, &cluster->properties);
  if (status == SGF_OK)
    status = sgf_reader_check_compute(reader, element);
  if (status == SGF_OK)
    status = read_radical(reader, sgf_reader_get(reader, element, "radical", ""), &numbers);
  if (status == SGF_OK)
    status = build(reader, element, cluster, &numbers);
  free(numbers.items);
  return status;
}

/* ---- What only matters where hosts have NICs --------------------------------------------------------------------- */

static sgf_status_t check_cluster(const sgf_platform_t* platform, const sgf_node_t* node, sgf_error_t* error)
{
  const sgf_cluster_t* cluster = node->cluster;
  if (cluster->has_backbone && !cluster->ignores_backbone)
    return sgf_platform_refuse(platform, node->line, error, SGF_RULE,
                               "cluster \"%s\": a backbone would limit its switch, which forwards at the rate of its "
                               "cables: leave out bb_bw and bb_lat, or set fabric.ignore_backbone of it",
                               node->id);
  if (cluster->policy != SGF_POLICY_SPLITDUPLEX && !cluster->full_duplex)
    return sgf_platform_refuse(platform, node->line, error, SGF_TOPOLOGY,
                               "cluster \"%s\": a cable carries both ways at full rate: write "
                               "sharing_policy=\"SPLITDUPLEX\", leave it out, or set fabric.full_duplex of it",
                               node->id);
  if (cluster->cables_of_host > 1)
    return sgf_platform_refuse(platform, node->line, error, SGF_TOPOLOGY,
                               "cluster \"%s\": topo_parameters give each host %u cables: a NIC takes one", node->id,
                               cluster->cables_of_host);
  return SGF_OK;
}

/* Hosts are the only gateways that SimGrid knows in a fat tree. */
static sgf_status_t check_gateway(const sgf_platform_t* platform, const sgf_route_t* route, const sgf_node_t* gateway,
                                  sgf_error_t* error)
{
  const sgf_node_t* zone = gateway->parent;
  if (gateway->model == NULL || zone->cluster == NULL || zone->cluster->kind != SGF_CLUSTER_FAT_TREE)
    return SGF_OK;
  return sgf_platform_refuse(
      platform, route->line, error, SGF_TOPOLOGY,
      "no cable leads out of cluster \"%s\": SimGrid knows no gateway of a FAT_TREE but its hosts, "
      "and host \"%s\" has a NIC and never forwards",
      zone->id, gateway->id);
}

/* Its properties under `fabric` have an effect, but for a backbone that is not there. */
static sgf_status_t take_properties(const sgf_platform_t* platform, const sgf_node_t* node, sgf_error_t* error)
{
  for (size_t key = 0; key < SGF_FABRIC_KEY_COUNT; key++) {
    sgf_property_t* property = sgf_links_property(&node->properties, (sgf_fabric_key_t)key);
    const bool has_effect    = key != SGF_FABRIC_IGNORE_BACKBONE || node->cluster->has_backbone;
    if (property != NULL && !has_effect && property->origin == NULL)
      return sgf_platform_refuse(platform, property->line, error, SGF_RULE,
                                 "\"%s\" has no effect: cluster \"%s\" has no backbone", property->name, node->id);
    for (size_t i = 0; property != NULL && has_effect && i < node->properties.count; i++)
      if (node->properties.items[i].prefix == SGF_PREFIX_FABRIC &&
          strcmp(node->properties.items[i].suffix, property->suffix) == 0)
        sgf_property_take(&node->properties.items[i]);
  }
  return SGF_OK;
}

sgf_status_t sgf_clusters_check(sgf_platform_t* platform, sgf_error_t* error)
{
  sgf_status_t status = SGF_OK;
  for (size_t i = 0; i < platform->node_count; i++) {
    const sgf_node_t* node = platform->nodes[i];
    if (node->model != NULL && node->parent->cluster != NULL)
      node->parent->cluster->has_nics = true;
  }
  for (size_t i = 0; status == SGF_OK && i < platform->node_count; i++)
    if (platform->nodes[i]->cluster != NULL && platform->nodes[i]->cluster->has_nics) {
      status = check_cluster(platform, platform->nodes[i], error);
      if (status == SGF_OK)
        status = take_properties(platform, platform->nodes[i], error);
    }
  for (size_t i = 0; status == SGF_OK && i < platform->route_count; i++) {
    const sgf_route_t* route = platform->routes[i];
    if (route->between_zones)
      status = check_gateway(platform, route, route->from, error);
    if (status == SGF_OK && route->between_zones)
      status = check_gateway(platform, route, route->to, error);
  }
  return status;
}
