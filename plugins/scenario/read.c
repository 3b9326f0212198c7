/* The first pass: from XML to zones, hosts, routers, links and routes as they were written. Each value is checked that
 * SimGrid would stop at. */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const char* sgf_reader_get(sgf_reader_t* reader, const sgf_xml_element_t* element, const char* attribute,
                           const char* otherwise)
{
  return sgf_xml_get(reader->platform->xml, element, attribute, otherwise);
}

/* Ids are written in messages, in paths and in patterns. */
sgf_status_t sgf_reader_check_id(const sgf_reader_t* reader, const char* id)
{
  if (*id == '\0')
    return sgf_error_set(reader->error, SGF_SYNTAX, "an empty id");
  for (const char* at = id; *at != '\0'; at++)
    if (*at < ' ' || *at > '~')
      return sgf_error_set(reader->error, SGF_SYNTAX, "id \"%s\": only printable ASCII characters can be in an id", id);
  return SGF_OK;
}

static sgf_status_t read_id(sgf_reader_t* reader, const sgf_xml_element_t* element, const char** id)
{
  *id = sgf_reader_get(reader, element, "id", "");
  return sgf_reader_check_id(reader, *id);
}

/* ---- Properties -------------------------------------------------------------------------------------------------- */

/* Which prefixes an element takes, which attributes of "fabric", and what it is called in messages. */
typedef struct takes {
  const char* element;
  bool prefixes[SGF_PREFIX_FABRIC]; /* those before it */
  bool fabric[SGF_FABRIC_KEY_COUNT];
} takes_t;

#define OF_A_CLUSTER                                                                                                   \
  {                                                                                                                    \
    [SGF_FABRIC_FULL_DUPLEX] = true, [SGF_FABRIC_HOST_LINK_LATENCY] = true, [SGF_FABRIC_IGNORE_BACKBONE] = true        \
  }

static const takes_t outermost_zone_takes    = {"zone", {true, true, true, true}, {false}};
static const takes_t zone_takes              = {"zone inside another", {true, true, true, false}, {false}};
static const takes_t outermost_cluster_takes = {"cluster", {true, true, true, true}, OF_A_CLUSTER};
static const takes_t cluster_takes           = {"cluster inside a zone", {true, true, true, false}, OF_A_CLUSTER};
static const takes_t host_takes              = {"host", {true, true, false, false}, {false}};
static const takes_t link_takes              = {
                 "link", {false, false, false, false}, {[SGF_FABRIC_CABLES] = true, [SGF_FABRIC_FULL_DUPLEX] = true}};
static const takes_t disk_takes   = {"disk", {false, false, false, false}, {false}};
static const takes_t config_takes = {"config", {false, false, false, false}, {false}};

static sgf_status_t check_fabric_property(const takes_t* takes, const sgf_property_t* property, sgf_error_t* error)
{
  static const char* const places[SGF_FABRIC_KEY_COUNT] = {"a link", "a link or a cluster", "a cluster", "a cluster"};
  sgf_fabric_key_t key;
  if (!sgf_links_key(property->suffix, &key))
    return sgf_error_set(error, SGF_UNKNOWN, "fabric has no attribute \"%s\"%s", property->suffix,
                         sgf_hint_of(property->suffix, sgf_fabric_names, SGF_FABRIC_KEY_COUNT).at);
  return takes->fabric[key]
             ? SGF_OK
             : sgf_error_set(error, SGF_RULE, "property \"%s\" has no effect in a %s: it belongs into %s",
                             property->name, takes->element, places[key]);
}

static sgf_status_t check_property(const takes_t* takes, const sgf_properties_t* properties,
                                   const sgf_property_t* property, sgf_error_t* error)
{
  static const char* const places[] = {"a host or a zone", "a host or a zone", "a zone", "the outermost zone"};
  if (property->prefix == SGF_PREFIX_FABRIC) {
    sgf_status_t status = check_fabric_property(takes, property, error);
    if (status != SGF_OK)
      return status;
  } else if (!takes->prefixes[property->prefix])
    return sgf_error_set(error, SGF_RULE, "property \"%s\" has no effect in a %s: it belongs into %s", property->name,
                         takes->element, places[property->prefix]);
  for (size_t i = 0; i < properties->count; i++)
    if (strcmp(properties->items[i].name, property->name) == 0)
      return sgf_error_set(error, SGF_AMBIGUOUS, "property \"%s\" was given in line %d already", property->name,
                           properties->items[i].line);
  return SGF_OK;
}

static sgf_status_t read_property(sgf_reader_t* reader, const sgf_xml_element_t* element, const takes_t* takes,
                                  sgf_properties_t* properties)
{
  sgf_property_t property = {.name  = sgf_reader_get(reader, element, "id", ""),
                             .value = sgf_reader_get(reader, element, "value", ""),
                             .line  = sgf_xml_line(element)};
  bool ours               = false;
  sgf_status_t status     = sgf_property_parse(reader->platform, &property, &ours, reader->error);
  if (status == SGF_OK && ours)
    status = check_property(takes, properties, &property, reader->error);
  if (status != SGF_OK || !ours) {
    sgf_error_place(reader->error, reader->platform->file, property.line);
    opp_pattern_free(property.pattern);
    return status;
  }
  properties->items                      = sgf_grow(properties->items, properties->count, sizeof *properties->items);
  properties->items[properties->count++] = property;
  return SGF_OK;
}

static sgf_status_t read_properties(sgf_reader_t* reader, const sgf_xml_element_t* parent, const takes_t* takes,
                                    sgf_properties_t* properties)
{
  sgf_status_t status = SGF_OK;
  for (const sgf_xml_element_t* child = sgf_xml_first(parent); status == SGF_OK && child != NULL;
       child                          = sgf_xml_next(child))
    if (sgf_xml_is(child, "prop"))
      status = read_property(reader, child, takes, properties);
  return status;
}

sgf_status_t sgf_reader_cluster_properties(sgf_reader_t* reader, const sgf_xml_element_t* element, bool outermost,
                                           sgf_properties_t* properties)
{
  return read_properties(reader, element, outermost ? &outermost_cluster_takes : &cluster_takes, properties);
}

/* Of an element that takes none of ours. */
static sgf_status_t read_no_properties(sgf_reader_t* reader, const sgf_xml_element_t* parent, const takes_t* takes)
{
  sgf_properties_t none = {0};
  return read_properties(reader, parent, takes, &none);
}

/* ---- Hosts and routers ------------------------------------------------------------------------------------------- */

sgf_node_t* sgf_reader_add_node(sgf_reader_t* reader, sgf_node_kind_t kind, const char* id, const char* name, int line,
                                sgf_node_t* parent)
{
  sgf_platform_t* platform = reader->platform;
  sgf_node_t* node         = sgf_calloc(1, sizeof *node);
  node->kind               = kind;
  node->id                 = id;
  node->line               = line;
  node->parent             = parent;
  node->order              = reader->order++;
  node->full_path          = sgf_platform_text(platform, "%s.%s", parent != NULL ? parent->full_path : "net", name);
  node->path               = node->full_path + strlen("net.");
  if (parent != NULL)
    parent->children++;
  platform->nodes                         = sgf_grow(platform->nodes, platform->node_count, sizeof *platform->nodes);
  platform->nodes[platform->node_count++] = node;
  return node;
}

static sgf_status_t check_coordinates(sgf_reader_t* reader, const sgf_xml_element_t* element)
{
  if (*sgf_reader_get(reader, element, "coordinates", "") != '\0')
    return sgf_error_set(reader->error, SGF_RULE,
                         "coordinates have no effect: a link's latency is the distance: leave them out");
  return SGF_OK;
}

/* SimGrid looks for a file where the process runs and where the platform file is, and stops if it finds none. */
static bool is_found(sgf_reader_t* reader, const char* name)
{
  const char* file  = reader->platform->file;
  const char* slash = strrchr(file, '/');
  int folder        = slash != NULL ? (int)(slash - file) + 1 : 0;
  bool is_absolute  = *name == '/';
  return access(name, R_OK) == 0 ||
         (!is_absolute && access(sgf_platform_text(reader->platform, "%.*s%s", folder, file, name), R_OK) == 0);
}

static sgf_status_t check_host_files(sgf_reader_t* reader, const sgf_xml_element_t* element)
{
  static const char* const files[] = {"speed_file", "availability_file", "state_file"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const char* name = sgf_reader_get(reader, element, files[i], "");
    if (*name != '\0' && !is_found(reader, name))
      return sgf_error_set(reader->error, SGF_IO, "%s = \"%s\" cannot be read", files[i], name);
  }
  return SGF_OK;
}

sgf_status_t sgf_reader_check_compute(sgf_reader_t* reader, const sgf_xml_element_t* element)
{
  size_t speeds        = 0;
  uint64_t cores       = 0;
  sgf_decimal_t pstate = {0};
  sgf_status_t status  = sgf_read_speeds(sgf_reader_get(reader, element, "speed", ""), &speeds, reader->error);
  if (status == SGF_OK)
    status = sgf_parse_uint(sgf_reader_get(reader, element, "core", "1"), "core", &cores, reader->error);
  if (status == SGF_OK && (cores == 0 || cores > INT32_MAX))
    return sgf_error_set(reader->error, SGF_RANGE, "a host has at least one core, and fewer than 2^31");
  if (status == SGF_OK)
    status = sgf_parse_decimal(sgf_reader_get(reader, element, "pstate", "0"), "pstate", &pstate, reader->error);
  if (status == SGF_OK && (pstate.digits < 0 || (uint64_t)(pstate.digits / pstate.scale) >= speeds))
    return sgf_error_set(reader->error, SGF_RANGE, "pstate = \"%s\": there are %zu speeds, counted from 0",
                         sgf_reader_get(reader, element, "pstate", "0"), speeds);
  if (status == SGF_OK)
    status = check_host_files(reader, element);
  return status == SGF_OK ? check_coordinates(reader, element) : status;
}

static sgf_status_t check_disk(sgf_reader_t* reader, const sgf_xml_element_t* element)
{
  sgf_quantity_t ignored;
  sgf_status_t status = sgf_read_bandwidth(sgf_reader_get(reader, element, "read_bw", ""), &ignored, reader->error);
  if (status == SGF_OK)
    status = sgf_read_bandwidth(sgf_reader_get(reader, element, "write_bw", ""), &ignored, reader->error);
  if (status == SGF_OK)
    status = read_no_properties(reader, element, &disk_takes);
  sgf_error_place(reader->error, reader->platform->file, sgf_xml_line(element));
  return status;
}

static sgf_status_t read_device(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* zone)
{
  bool is_host        = sgf_xml_is(element, "host");
  const char* id      = NULL;
  sgf_status_t status = read_id(reader, element, &id);
  if (status != SGF_OK)
    return status;
  sgf_node_t* node =
      sgf_reader_add_node(reader, is_host ? SGF_NODE_HOST : SGF_NODE_ROUTER, id, id, sgf_xml_line(element), zone);
  if (!is_host)
    return check_coordinates(reader, element);
  status = sgf_reader_check_compute(reader, element);
  for (const sgf_xml_element_t* child = sgf_xml_first(element); status == SGF_OK && child != NULL;
       child                          = sgf_xml_next(child))
    if (sgf_xml_is(child, "disk"))
      status = check_disk(reader, child);
  return status == SGF_OK ? read_properties(reader, element, &host_takes, &node->properties) : status;
}

/* ---- Links and routes -------------------------------------------------------------------------------------------- */

sgf_status_t sgf_reader_choice(sgf_reader_t* reader, const sgf_xml_element_t* element, const char* attribute,
                               const char* const* choices, size_t* choice)
{
  const char* text = sgf_reader_get(reader, element, attribute, choices[0]);
  size_t count     = 0;
  for (; choices[count] != NULL; count++)
    if (strcmp(choices[count], text) == 0) {
      *choice = count;
      return SGF_OK;
    }
  return sgf_error_set(reader->error, SGF_UNKNOWN, "%s = \"%s\" is not a choice of SimGrid's%s", attribute, text,
                       sgf_hint_of(text, choices, count).at);
}

static sgf_status_t check_link_files(sgf_reader_t* reader, const sgf_xml_element_t* element)
{
  static const char* const files[] = {"bandwidth_file", "latency_file", "state_file"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (*sgf_reader_get(reader, element, files[i], "") != '\0')
      return sgf_error_set(reader->error, SGF_RULE, "%s: cables do not change in time: leave it out", files[i]);
  return SGF_OK;
}

sgf_link_t* sgf_reader_add_link(sgf_reader_t* reader, sgf_node_t* zone, const char* id, const char* bandwidth,
                                const char* latency, int line)
{
  sgf_platform_t* platform                = reader->platform;
  sgf_link_t* link                        = sgf_calloc(1, sizeof *link);
  platform->links                         = sgf_grow(platform->links, platform->link_count, sizeof *platform->links);
  platform->links[platform->link_count++] = link;
  link->id                                = id;
  link->zone                              = zone;
  link->line                              = line;
  link->order                             = reader->order++;
  link->bandwidth                         = bandwidth;
  link->latency                           = latency;
  link->parallel                          = 1;
  return link;
}

static sgf_status_t read_link(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* zone)
{
  static const char* const policies[] = {"SHARED", "FATPIPE", "SPLITDUPLEX", "FULLDUPLEX", "WIFI", NULL};
  enum { FULLDUPLEX = 3, WIFI = 4 };
  size_t policy = 0;
  sgf_quantity_t ignored;
  sgf_link_t* link    = sgf_reader_add_link(reader, zone, "", sgf_reader_get(reader, element, "bandwidth", ""),
                                            sgf_reader_get(reader, element, "latency", ""), sgf_xml_line(element));
  sgf_status_t status = read_id(reader, element, &link->id);
  if (status == SGF_OK)
    status = sgf_reader_choice(reader, element, "sharing_policy", policies, &policy);
  if (status == SGF_OK && policy == WIFI)
    return sgf_error_set(reader->error, SGF_RULE,
                         "link \"%s\": a WIFI link is no cable: write a SPLITDUPLEX link to a router", link->id);
  link->policy = policy == FULLDUPLEX ? SGF_POLICY_SPLITDUPLEX : (sgf_policy_t)policy; /* its former name */
  if (status == SGF_OK)
    status = sgf_read_bandwidth(link->bandwidth, &ignored, reader->error);
  if (status == SGF_OK)
    status = sgf_read_time(link->latency, &ignored, reader->error);
  if (status == SGF_OK)
    status = check_link_files(reader, element);
  return status == SGF_OK ? read_properties(reader, element, &link_takes, &link->properties) : status;
}

void sgf_route_add_hop(sgf_route_t* route, const char* id, sgf_direction_t direction, int line)
{
  route->hops                     = sgf_grow(route->hops, route->hop_count, sizeof *route->hops);
  route->hops[route->hop_count++] = (sgf_hop_t){.id = id, .line = line, .direction = direction};
}

static sgf_status_t read_hop(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_route_t* route)
{
  static const char* const directions[] = {"NONE", "UP", "DOWN", NULL};
  size_t direction                      = 0;
  int line                              = sgf_xml_line(element);
  sgf_status_t status                   = sgf_reader_choice(reader, element, "direction", directions, &direction);
  sgf_error_place(reader->error, reader->platform->file, line);
  sgf_route_add_hop(route, sgf_reader_get(reader, element, "id", ""), (sgf_direction_t)direction, line);
  return status;
}

sgf_route_t* sgf_reader_add_route(sgf_reader_t* reader, sgf_node_t* zone, int line)
{
  sgf_platform_t* platform = reader->platform;
  sgf_route_t* route       = sgf_calloc(1, sizeof *route);
  platform->routes         = sgf_grow(platform->routes, platform->route_count, sizeof *platform->routes);
  platform->routes[platform->route_count++] = route;
  route->zone                               = zone;
  route->line                               = line;
  route->order                              = reader->order++;
  return route;
}

static sgf_status_t read_route(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* zone)
{
  static const char* const choices[] = {"YES", "NO", "yes", "no", NULL};
  enum { FORMS = 2 };
  sgf_route_t* route   = sgf_reader_add_route(reader, zone, sgf_xml_line(element));
  size_t symmetrical   = 0;
  route->between_zones = !sgf_xml_is(element, "route");
  route->src_id        = sgf_reader_get(reader, element, "src", "");
  route->dst_id        = sgf_reader_get(reader, element, "dst", "");
  route->gw_src_id     = sgf_reader_get(reader, element, "gw_src", NULL);
  route->gw_dst_id     = sgf_reader_get(reader, element, "gw_dst", NULL);
  sgf_status_t status  = sgf_reader_choice(reader, element, "symmetrical", choices, &symmetrical);
  route->symmetrical   = symmetrical % FORMS == 0;
  for (const sgf_xml_element_t* child = sgf_xml_first(element); status == SGF_OK && child != NULL;
       child                          = sgf_xml_next(child))
    status = read_hop(reader, child, route);
  return status;
}

/* ---- Zones ------------------------------------------------------------------------------------------------------- */

static sgf_status_t read_routing(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_routing_t* routing)
{
  static const struct {
    const char* name;
    sgf_routing_t routing;
  } known[]                         = {{"Dijkstra", SGF_ROUTING_GRAPH},
                                       {"DijkstraCache", SGF_ROUTING_GRAPH},
                                       {"Floyd", SGF_ROUTING_GRAPH},
                                       {"Full", SGF_ROUTING_FULL},
                                       {"None", SGF_ROUTING_NONE}};
  static const char* const others[] = {"Cluster",           "Cluster_torus", "Cluster_fat_tree",
                                       "Cluster_dragonfly", "Vivaldi",       "Wifi"};
  enum { KNOWN = sizeof known / sizeof *known, OTHERS = sizeof others / sizeof *others };
  const char* text = sgf_reader_get(reader, element, "routing", "");
  const char* names[KNOWN];
  for (size_t i = 0; i < KNOWN; i++) {
    names[i] = known[i].name;
    if (strcasecmp(text, names[i]) == 0) {
      *routing = known[i].routing;
      return SGF_OK;
    }
  }
  for (size_t i = 0; i < OTHERS; i++)
    if (strcasecmp(text, others[i]) == 0)
      return sgf_error_set(reader->error, SGF_RULE,
                           "routing \"%s\" has no cables to follow: use Dijkstra with routers and routes, or a "
                           "<cluster>",
                           text);
  return sgf_error_set(reader->error, SGF_UNKNOWN, "SimGrid has no routing \"%s\"%s", text,
                       sgf_hint_of(text, names, KNOWN).at);
}

static bool is_zone(const sgf_xml_element_t* element)
{
  return sgf_xml_is(element, "zone") || sgf_xml_is(element, "AS"); /* its former name */
}

static sgf_status_t read_zone(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* parent)
{
  const char* id      = NULL;
  sgf_status_t status = read_id(reader, element, &id);
  if (status != SGF_OK)
    return status;
  sgf_node_t* zone = sgf_reader_add_node(reader, SGF_NODE_ZONE, id, id, sgf_xml_line(element), parent);
  status           = read_routing(reader, element, &zone->routing);
  if (status == SGF_OK)
    status = read_properties(reader, element, parent == NULL ? &outermost_zone_takes : &zone_takes, &zone->properties);
  for (const sgf_xml_element_t* child = sgf_xml_first(element); status == SGF_OK && child != NULL;
       child                          = sgf_xml_next(child)) {
    if (is_zone(child))
      status = read_zone(reader, child, zone);
    else if (sgf_xml_is(child, "cluster"))
      status = sgf_cluster_read(reader, child, zone);
    else if (sgf_xml_is(child, "link"))
      status = read_link(reader, child, zone);
    else if (sgf_xml_is(child, "host") || sgf_xml_is(child, "router"))
      status = read_device(reader, child, zone);
    else if (!sgf_xml_is(child, "prop"))
      status = read_route(reader, child, zone);
    sgf_error_place(reader->error, reader->platform->file, sgf_xml_line(child));
  }
  return status;
}

static sgf_status_t read_platform(sgf_reader_t* reader, const sgf_xml_element_t* root)
{
  sgf_status_t status = SGF_OK;
  for (const sgf_xml_element_t* child = sgf_xml_first(root); status == SGF_OK && child != NULL;
       child                          = sgf_xml_next(child)) {
    bool is_cluster = sgf_xml_is(child, "cluster");
    if (!is_cluster && !is_zone(child))
      status = read_no_properties(reader, child, &config_takes);
    else if (reader->platform->node_count > 0)
      status = sgf_error_set(reader->error, SGF_TOPOLOGY, "a second outermost zone: SimGrid takes one");
    else
      status = is_cluster ? sgf_cluster_read(reader, child, NULL) : read_zone(reader, child, NULL);
    sgf_error_place(reader->error, reader->platform->file, sgf_xml_line(child));
  }
  if (status == SGF_OK && reader->platform->node_count == 0)
    return sgf_error_set(reader->error, SGF_TOPOLOGY, "a platform without a zone");
  return status;
}

sgf_platform_t* sgf_platform_read(const char* file, sgf_error_t* error)
{
  sgf_platform_t* platform = sgf_calloc(1, sizeof *platform);
  platform->file           = file;
  platform->xml            = sgf_xml_read(file, SGF_XML_PLATFORM, error);
  sgf_reader_t reader      = {platform, 0, error};
  if (platform->xml != NULL && read_platform(&reader, sgf_xml_root(platform->xml)) == SGF_OK) {
    sgf_platform_index(platform);
    return platform;
  }
  if (platform->xml != NULL)
    sgf_error_place(error, file, sgf_xml_line(sgf_xml_root(platform->xml)));
  sgf_platform_free(platform);
  return NULL;
}
