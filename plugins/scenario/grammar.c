/* SimGrid's DTD 4.1 as tables: which tag stands where with which attributes. SimGrid's parser stops the process at
 * anything else. What SimGrid takes and a packet fabric does not is refused here too, with the reason. */
#include "scenario_internal.h"

#include <libxml/tree.h>
#include <string.h>

enum { MAX_NAMES = 12 };

/* Content of one tag comes in phases: the properties of a zone before its members before its routes. */
typedef struct place {
  const char* tag;
  int phase;
} place_t;

typedef struct tag {
  const char* name;
  const char* required[MAX_NAMES]; /* attributes */
  const char* optional[MAX_NAMES];
  const place_t* content; /* ended by NULL */
} tag_t;

static const place_t nothing[]          = {{NULL, 0}};
static const place_t properties[]       = {{"prop", 0}, {NULL, 0}};
static const place_t hops[]             = {{"link_ctn", 0}, {NULL, 0}};
static const place_t platform_content[] = {{"config", 0}, {"zone", 1}, {"AS", 1}, {"cluster", 1}, {NULL, 0}};
static const place_t zone_content[]     = {{"prop", 0},      {"zone", 1},    {"AS", 1},   {"cluster", 1},
                                           {"host", 1},      {"router", 1},  {"link", 1}, {"route", 2},
                                           {"zoneRoute", 2}, {"ASroute", 2}, {NULL, 0}};
static const place_t host_content[]     = {{"prop", 0}, {"disk", 0}, {NULL, 0}};
static const place_t actors[]           = {{"actor", 0}, {"process", 0}, {NULL, 0}};
static const place_t actor_content[]    = {{"argument", 0}, {"prop", 0}, {NULL, 0}};

static const tag_t platform_tags[] = {
    {"platform", {"version"}, {NULL}, platform_content},
    {"config", {NULL}, {"id"}, properties},
    {"zone", {"id", "routing"}, {NULL}, zone_content},
    {"AS", {"id", "routing"}, {NULL}, zone_content},
    {"cluster",
     {"id", "prefix", "suffix", "radical", "speed", "bw", "lat"},
     {"core", "sharing_policy", "topology", "topo_parameters", "bb_bw", "bb_lat", "bb_sharing_policy", "router_id",
      "limiter_link", "loopback_bw", "loopback_lat"},
     properties},
    {"host",
     {"id", "speed"},
     {"core", "speed_file", "availability_file", "state_file", "coordinates", "pstate"},
     host_content},
    {"disk", {"id", "read_bw", "write_bw"}, {NULL}, properties},
    {"router", {"id"}, {"coordinates"}, nothing},
    {"link",
     {"id", "bandwidth", "latency"},
     {"bandwidth_file", "latency_file", "state_file", "sharing_policy"},
     properties},
    {"route", {"src", "dst"}, {"symmetrical"}, hops},
    {"zoneRoute", {"src", "dst", "gw_src", "gw_dst"}, {"symmetrical"}, hops},
    {"ASroute", {"src", "dst", "gw_src", "gw_dst"}, {"symmetrical"}, hops},
    {"link_ctn", {"id"}, {"direction"}, nothing},
    {"prop", {"id", "value"}, {NULL}, nothing},
    {NULL, {NULL}, {NULL}, nothing},
};

static const tag_t deployment_tags[] = {
    {"platform", {"version"}, {NULL}, actors},
    {"actor", {"host", "function"}, {"start_time", "kill_time", "on_failure"}, actor_content},
    {"process", {"host", "function"}, {"start_time", "kill_time", "on_failure"}, actor_content},
    {"argument", {"value"}, {NULL}, nothing},
    {"prop", {"id", "value"}, {NULL}, nothing},
    {NULL, {NULL}, {NULL}, nothing},
};

/* Tags that SimGrid knows and a fabric has no place for. */
static const struct {
  const char* tag;
  const char* reason;
} refused_tags[] = {
    {"cabinet", "cabinets have no switches: write a <cluster>, or hosts, routers and links"},
    {"peer", "a peer has no cable: write a <host> and a <link>"},
    {"backbone", "a backbone is no cable: write a <link> between two routers"},
    {"host_link", "one link for each direction is no cable: write a SPLITDUPLEX <link> and a <route>"},
    {"bypassRoute", "packets follow the cables: there is no way past them: leave it out"},
    {"bypassZoneRoute", "packets follow the cables: there is no way past them: leave it out"},
    {"bypassASroute", "packets follow the cables: there is no way past them: leave it out"},
    {"trace", "what happens to hosts and links in time is not supported: for hosts write speed_file or state_file"},
    {"trace_connect",
     "what happens to hosts and links in time is not supported: for hosts write speed_file or state_file"},
    {"include", "SimGrid includes no files any more"},
    {"random", "SimGrid ignores it"},
    {"storage_type", "SimGrid has it no more: write a <disk> into a <host>"},
    {"storage", "SimGrid has it no more: write a <disk> into a <host>"},
    {"mount", "SimGrid has it no more: write a <disk> into a <host>"},
    {"actor", "actors belong into the deployment file"},
    {"process", "actors belong into the deployment file"},
};

static const tag_t* find_tag(const tag_t* tags, const char* name)
{
  for (; tags->name != NULL; tags++)
    if (strcmp(tags->name, name) == 0)
      return tags;
  return NULL;
}

static bool has_name(const char* const* names, const char* name)
{
  for (size_t i = 0; i < MAX_NAMES && names[i] != NULL; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

static const place_t* find_place(const tag_t* tag, const char* child)
{
  for (const place_t* place = tag->content; place->tag != NULL; place++)
    if (strcmp(place->tag, child) == 0)
      return place;
  return NULL;
}

static sgf_status_t check_attributes(const tag_t* tag, const xmlNode* element, sgf_error_t* error)
{
  for (const xmlAttr* attribute = element->properties; attribute != NULL; attribute = attribute->next) {
    const char* name = (const char*)attribute->name;
    if (attribute->ns == NULL && (has_name(tag->required, name) || has_name(tag->optional, name)))
      continue;
    const char* names[2 * MAX_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < MAX_NAMES && tag->required[i] != NULL; i++)
      names[count++] = tag->required[i];
    for (size_t i = 0; i < MAX_NAMES && tag->optional[i] != NULL; i++)
      names[count++] = tag->optional[i];
    return sgf_error_set(error, SGF_UNKNOWN, "<%s> has no attribute \"%s\"%s", tag->name, name,
                         sgf_hint_of(name, names, count).at);
  }
  for (size_t i = 0; i < MAX_NAMES && tag->required[i] != NULL; i++)
    if (xmlHasProp(element, (const xmlChar*)tag->required[i]) == NULL)
      return sgf_error_set(error, SGF_SYNTAX, "<%s> without %s", tag->name, tag->required[i]);
  return SGF_OK;
}

static sgf_status_t refuse_tag(const tag_t* tags, const tag_t* parent, const char* name, sgf_error_t* error)
{
  if (find_tag(tags, name) != NULL)
    return sgf_error_set(error, SGF_SYNTAX, "<%s> cannot stand in <%s>%s", name, parent->name,
                         strcmp(name, "prop") == 0 ? ": SimGrid takes properties in zones, clusters, hosts and links"
                                                   : "");
  for (size_t i = 0; i < sizeof refused_tags / sizeof *refused_tags; i++)
    if (strcmp(refused_tags[i].tag, name) == 0)
      return tags == platform_tags
                 ? sgf_error_set(error, SGF_RULE, "<%s>: %s", name, refused_tags[i].reason)
                 : sgf_error_set(error, SGF_SYNTAX, "<%s> cannot stand in a deployment, which holds actors", name);
  if (tags == deployment_tags && find_tag(platform_tags, name) != NULL)
    return sgf_error_set(error, SGF_SYNTAX, "<%s> cannot stand in a deployment, which holds actors", name);

  const char* names[sizeof platform_tags / sizeof *platform_tags];
  size_t count = 0;
  for (const tag_t* tag = tags; tag->name != NULL; tag++)
    names[count++] = tag->name;
  return sgf_error_set(error, SGF_UNKNOWN, "SimGrid has no tag <%s>%s", name, sgf_hint_of(name, names, count).at);
}

static bool is_any(const char* name, const char* first, const char* second)
{
  return strcmp(name, first) == 0 || strcmp(name, second) == 0;
}

/* A zone holds zones or devices; each kind has routes of its own. SimGrid takes a link that comes first for the first
 * of the devices. */
static sgf_status_t check_mixture(const char* name, bool* has_zones, bool* has_devices, bool* link_first,
                                  sgf_error_t* error)
{
  bool is_inner = is_any(name, "zone", "AS") || strcmp(name, "cluster") == 0;
  *link_first   = *link_first || (strcmp(name, "link") == 0 && !*has_zones && !*has_devices);
  *has_zones    = *has_zones || is_inner || is_any(name, "zoneRoute", "ASroute");
  *has_devices  = *has_devices || is_any(name, "host", "router") || strcmp(name, "route") == 0;
  if (*has_zones && *link_first)
    return sgf_error_set(error, SGF_SYNTAX,
                         "<%s> comes too late: SimGrid wants zones and clusters before the first link", name);
  if (*has_zones && *has_devices)
    return sgf_error_set(error, SGF_TOPOLOGY,
                         "<%s>: a zone holds zones with zoneRoutes or devices with routes, never both", name);
  return SGF_OK;
}

static sgf_status_t check_element(const tag_t* tags, const tag_t* tag, const xmlNode* element, int* line,
                                  sgf_error_t* error)
{
  *line               = sgf_xml_line(element);
  sgf_status_t status = check_attributes(tag, element, error);
  bool has_zones      = false;
  bool has_devices    = false;
  bool link_first     = false;
  int phase           = 0;
  for (const xmlNode* child = sgf_xml_first(element); status == SGF_OK && child != NULL; child = sgf_xml_next(child)) {
    const char* name     = (const char*)child->name;
    const place_t* place = find_place(tag, name);
    *line                = sgf_xml_line(child);
    if (place == NULL)
      return refuse_tag(tags, tag, name, error);
    if (place->phase < phase)
      return sgf_error_set(error, SGF_SYNTAX, "<%s> comes too late: %s", name,
                           strcmp(tag->name, "platform") == 0
                               ? "SimGrid wants <config> before the zone"
                               : "SimGrid wants properties, then zones, devices and links, then routes");
    phase  = place->phase;
    status = check_mixture(name, &has_zones, &has_devices, &link_first, error);
    if (status == SGF_OK)
      status = check_element(tags, find_tag(tags, name), child, line, error);
  }
  return status;
}

static sgf_status_t check_version(const xmlNode* root, sgf_error_t* error)
{
  static const char* const known[] = {"4.1", "4.0", "4"};
  xmlChar* version                 = xmlGetNoNsProp(root, (const xmlChar*)"version");
  const char* text                 = version != NULL ? (const char*)version : "none";
  bool is_known                    = false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    is_known = is_known || strcmp(text, known[i]) == 0;
  if (!is_known)
    sgf_error_set(error, SGF_SYNTAX,
                  "<platform version=\"%s\">: SimGrid reads version 4.1, and its simgrid_update_xml makes that of "
                  "older ones",
                  text);
  xmlFree(version);
  return is_known ? SGF_OK : SGF_SYNTAX;
}

sgf_status_t sgf_grammar_check(const sgf_xml_element_t* root, sgf_xml_kind_t kind, int* line, sgf_error_t* error)
{
  const tag_t* tags = kind == SGF_XML_PLATFORM ? platform_tags : deployment_tags;
  *line             = sgf_xml_line(root);
  if (!sgf_xml_is(root, "platform"))
    return sgf_error_set(error, SGF_SYNTAX, "the outermost tag is <%s>, not <platform>", (const char*)root->name);
  sgf_status_t status = check_version(root, error);
  return status == SGF_OK ? check_element(tags, tags, root, line, error) : status;
}
