/* Inside the scenario module: a platform file as it was written, and the passes that turn it into a fabric.
 *
 *   xml, grammar   a document whose every tag and attribute is one that SimGrid takes
 *   read           zones, hosts, routers, links and routes with their lines
 *   clusters       <cluster>: the hosts, switches, links and routes that it stands for; fat_tree: those of a fat tree
 *   topology       names -> nodes and links; what SimGrid cannot take
 *   properties     the model of each host's NIC; which property goes to which device; assign: what --set says over it
 *   cables         routes -> cables; what a fabric cannot take
 *   scenario       devices, attributes, cables, seal
 *
 * A pass stops at its first error, which names file and line. */
#ifndef SGFABRIC_SCENARIO_INTERNAL_H
#define SGFABRIC_SCENARIO_INTERNAL_H

#include <sgfabric/records.h>
#include <sgfabric/scenario.h>

#include "opp/pattern.h"

/* ---- quantity.c: SimGrid's numbers with units -------------------------------------------------------------------- */

/* A number in the smallest unit: `whole`, unless the value is not a whole number, not positive or zero, or too large.
 */
typedef struct sgf_quantity {
  int64_t whole;
  bool fits;
} sgf_quantity_t;

/* SGF_SYNTAX or SGF_UNIT if SimGrid cannot read the text. Bandwidth is given in bits per second, a time in picoseconds.
 */
sgf_status_t sgf_read_bandwidth(const char* text, sgf_quantity_t* bps, sgf_error_t* error);
sgf_status_t sgf_read_time(const char* text, sgf_quantity_t* ps, sgf_error_t* error);

/* A host's speed: a comma-separated list of which `count` gets the length. */
sgf_status_t sgf_read_speeds(const char* text, size_t* count, sgf_error_t* error);

/* ---- xml.c: documents that both libxml2 and SimGrid read --------------------------------------------------------- */

typedef struct sgf_xml sgf_xml_t;          /* a document */
typedef struct _xmlNode sgf_xml_element_t; /* an element of it */

/* Parse `file` and check each tag and attribute against SimGrid's DTD for a platform or for a deployment. */
typedef enum sgf_xml_kind { SGF_XML_PLATFORM, SGF_XML_DEPLOYMENT } sgf_xml_kind_t;
sgf_xml_t* sgf_xml_read(const char* file, sgf_xml_kind_t kind, sgf_error_t* error);
void sgf_xml_free(sgf_xml_t* xml);

/* Element children in document order; NULL at the end. */
const sgf_xml_element_t* sgf_xml_root(const sgf_xml_t* xml);
const sgf_xml_element_t* sgf_xml_first(const sgf_xml_element_t* element);
const sgf_xml_element_t* sgf_xml_next(const sgf_xml_element_t* element);
int sgf_xml_line(const sgf_xml_element_t* element);
bool sgf_xml_is(const sgf_xml_element_t* element, const char* tag);

/* The value of an attribute, or `otherwise` if it is not given. Lives as long as the document. */
const char* sgf_xml_get(sgf_xml_t* xml, const sgf_xml_element_t* element, const char* attribute, const char* otherwise);

/* ---- grammar.c: what SimGrid's DTD allows, and why the rest is refused ------------------------------------------- */

/* `line` gets the line of what was refused. */
sgf_status_t sgf_grammar_check(const sgf_xml_element_t* root, sgf_xml_kind_t kind, int* line, sgf_error_t* error);

/* ---- The platform as it was written ------------------------------------------------------------------------------ */

typedef enum sgf_prefix {
  SGF_PREFIX_NIC,
  SGF_PREFIX_PCIE,
  SGF_PREFIX_SWITCH,
  SGF_PREFIX_RECORD, /* of the run, in the outermost zone */
  SGF_PREFIX_FABRIC
} sgf_prefix_t;
enum { SGF_PREFIX_COUNT = 5 };
extern const char* const sgf_prefix_names[SGF_PREFIX_COUNT];

/* The attributes of SGF_PREFIX_FABRIC, in order of their table (attributes.c). */
typedef enum sgf_fabric_key {
  SGF_FABRIC_CABLES,
  SGF_FABRIC_FULL_DUPLEX,
  SGF_FABRIC_HOST_LINK_LATENCY,
  SGF_FABRIC_IGNORE_BACKBONE
} sgf_fabric_key_t;
enum { SGF_FABRIC_KEY_COUNT = 4 };
extern const char* const sgf_fabric_names[SGF_FABRIC_KEY_COUNT];

/* A property under one of our prefixes: "switch[tor0].EcnHandler.MinThreshold" = "0.1". */
typedef struct sgf_property {
  const char* name; /* as written */
  const char* value;
  const char* file; /* NULL: the platform's */
  int line;
  bool* origin; /* of an assignment that says so instead: whether it was taken; NULL: the platform's own */
  sgf_prefix_t prefix;
  const char* suffix;     /* behind the prefix and its dot; "": a NIC's model, or PCIe's shorthand */
  const char* selector;   /* text in the brackets, or NULL */
  opp_pattern_t* pattern; /* of the selector */
  const sgf_attr_t* attr; /* what the suffix means, once a device took it */
  bool taken;
} sgf_property_t;

typedef struct sgf_properties {
  sgf_property_t* items;
  size_t count;
} sgf_properties_t;

typedef enum sgf_policy { SGF_POLICY_SHARED, SGF_POLICY_FATPIPE, SGF_POLICY_SPLITDUPLEX } sgf_policy_t;

/* What a zone that was written as <cluster> remembers until it is known which hosts have a NIC. */
typedef enum sgf_cluster_kind { SGF_CLUSTER_FLAT, SGF_CLUSTER_FAT_TREE } sgf_cluster_kind_t;
typedef struct sgf_cluster {
  sgf_cluster_kind_t kind;
  sgf_policy_t policy; /* of its links */
  bool has_backbone;
  bool ignores_backbone;
  bool full_duplex;        /* its links are cables whatever their policy is */
  bool has_nics;           /* some host of it has one */
  unsigned cables_of_host; /* parallel ones and those to several switches */
} sgf_cluster_t;

/* What SimGrid calls a netpoint: zones, hosts and routers share one space of names. */
typedef enum sgf_node_kind { SGF_NODE_ZONE, SGF_NODE_HOST, SGF_NODE_ROUTER } sgf_node_kind_t;
typedef enum sgf_routing { SGF_ROUTING_GRAPH, SGF_ROUTING_FULL, SGF_ROUTING_NONE } sgf_routing_t;

typedef struct sgf_node {
  sgf_node_kind_t kind;
  const char* id;
  const char* full_path; /* "net.dc.rack0.gpu0" */
  const char* path;      /* without "net." */
  size_t order;          /* in the document */
  int line;
  struct sgf_node* parent; /* NULL: the outermost zone */
  sgf_properties_t properties;
  sgf_routing_t routing;  /* of a zone */
  size_t children;        /* of a zone: zones or devices directly inside */
  sgf_cluster_t* cluster; /* of a zone that is a cluster */
  bool is_ours;           /* a switch of a fat tree: SimGrid does not know it */
  const char* model;      /* of a host: its NIC's; NULL: it has none */
  size_t routes;          /* whose pair it belongs to */
  unsigned cables;        /* plugged in here */
  struct sgf_node* first_child;
  struct sgf_node* set; /* another node of the same connected set, or itself */
  sgf_device_t* device;
} sgf_node_t;

typedef struct sgf_link {
  const char* id;
  sgf_node_t* zone; /* that declares it, or the cluster that it is of */
  int line;
  size_t order; /* of declaration, among links and routes */
  const char* bandwidth;
  const char* latency;
  const sgf_property_t* own_latency; /* that says so instead of the cluster; NULL: none */
  unsigned parallel;                 /* cables that are alike */
  bool is_ours;                      /* of a fat tree: SimGrid calls it otherwise */
  bool to_host;                      /* of a cluster, below its lowest switch */
  bool full_duplex;                  /* a cable whatever its policy is */
  sgf_policy_t policy;
  sgf_properties_t properties;
  const struct sgf_route* cable; /* the route that made it a cable */
} sgf_link_t;

typedef enum sgf_direction { SGF_DIRECTION_NONE, SGF_DIRECTION_UP, SGF_DIRECTION_DOWN } sgf_direction_t;

typedef struct sgf_hop {
  const char* id;
  int line;
  sgf_direction_t direction;
  sgf_link_t* link;
} sgf_hop_t;

/* A <route> between devices or a <zoneRoute> between zones. */
typedef struct sgf_route {
  sgf_node_t* zone; /* that holds it */
  bool between_zones;
  bool symmetrical;
  const char* src_id;
  const char* dst_id;
  const char* gw_src_id; /* NULL unless between zones */
  const char* gw_dst_id;
  int line;
  size_t order;
  sgf_hop_t* hops;
  size_t hop_count;
  sgf_node_t *src, *dst;      /* whose pair it routes */
  sgf_node_t *from, *to;      /* devices it joins: the same, or the gateways */
  bool is_loop;               /* from a host to itself: SimGrid's loopback, no cable */
  struct sgf_route* opposite; /* the route of the way back: itself if it is symmetrical */
} sgf_route_t;

typedef struct sgf_cable {
  sgf_node_t *a, *b;
  sgf_link_t* link;
  int line; /* of its route */
  int64_t bps;
  int64_t delay; /* ps */
  unsigned count;
} sgf_cable_t;

typedef struct sgf_platform {
  const char* file;
  sgf_xml_t* xml;     /* owns ids and values */
  sgf_node_t** nodes; /* in document order */
  size_t node_count;
  sgf_link_t** links;
  size_t link_count;
  sgf_route_t** routes;
  size_t route_count;
  sgf_node_t** nodes_by_id; /* sorted */
  sgf_link_t** links_by_id;
  sgf_cable_t* cables; /* in order of their routes */
  size_t cable_count;
  char** texts; /* paths and pieces of property names */
  size_t text_count;
} sgf_platform_t;

/* platform.c */
void sgf_platform_free(sgf_platform_t* platform);
sgf_status_t sgf_platform_refuse(const sgf_platform_t* platform, int line, sgf_error_t* error, sgf_status_t status,
                                 const char* format, ...) SGF_PRINTF(5, 6);
const char* sgf_platform_text(sgf_platform_t* platform, const char* format, ...) SGF_PRINTF(2, 3); /* kept */
void sgf_platform_index(sgf_platform_t* platform);
sgf_node_t* sgf_platform_node(const sgf_platform_t* platform, const char* id);
sgf_link_t* sgf_platform_link(const sgf_platform_t* platform, const char* id);
bool sgf_node_is_device(const sgf_node_t* node); /* a host with a NIC, or a router */
bool sgf_node_is_below(const sgf_node_t* node, const sgf_node_t* zone);

/* Connected sets by union-find: two nodes are in one set if their representatives are the same. */
sgf_node_t* sgf_node_set(sgf_node_t* node);
void sgf_node_join(sgf_node_t* a, sgf_node_t* b);

/* `items` with room for one more behind `count` of `size` bytes. */
void* sgf_grow(void* items, size_t count, size_t size);

/* "; did you mean tor0?" for a name that is none of the nodes that `eligible` accepts, or "". */
typedef struct sgf_hint {
  char at[160];
} sgf_hint_t;
sgf_hint_t sgf_hint_node(const sgf_platform_t* platform, const char* name,
                         bool (*eligible)(const sgf_node_t*, const void*), const void* context);
sgf_hint_t sgf_hint_of(const char* name, const char* const* names, size_t count);

/* ---- read.c: the first pass -------------------------------------------------------------------------------------- */

/* NULL on an error. */
sgf_platform_t* sgf_platform_read(const char* file, sgf_error_t* error);

typedef struct sgf_reader {
  sgf_platform_t* platform;
  size_t order; /* of the next element */
  sgf_error_t* error;
} sgf_reader_t;

const char* sgf_reader_get(sgf_reader_t* reader, const sgf_xml_element_t* element, const char* attribute,
                           const char* otherwise);

/* The value of `attribute` as its place in `choices`, which ends with NULL; the first is the default. */
sgf_status_t sgf_reader_choice(sgf_reader_t* reader, const sgf_xml_element_t* element, const char* attribute,
                               const char* const* choices, size_t* choice);

sgf_status_t sgf_reader_check_id(const sgf_reader_t* reader, const char* id);
sgf_status_t sgf_reader_check_compute(sgf_reader_t* reader, const sgf_xml_element_t* element); /* speed, core, pstate */
sgf_status_t sgf_reader_cluster_properties(sgf_reader_t* reader, const sgf_xml_element_t* element, bool outermost,
                                           sgf_properties_t* properties);

/* `name` is what the node's path ends in. */
sgf_node_t* sgf_reader_add_node(sgf_reader_t* reader, sgf_node_kind_t kind, const char* id, const char* name, int line,
                                sgf_node_t* parent);
sgf_link_t* sgf_reader_add_link(sgf_reader_t* reader, sgf_node_t* zone, const char* id, const char* bandwidth,
                                const char* latency, int line);
sgf_route_t* sgf_reader_add_route(sgf_reader_t* reader, sgf_node_t* zone, int line);
void sgf_route_add_hop(sgf_route_t* route, const char* id, sgf_direction_t direction, int line);

/* ---- clusters.c, fat_tree.c -------------------------------------------------------------------------------------- */

sgf_status_t sgf_cluster_read(sgf_reader_t* reader, const sgf_xml_element_t* element, sgf_node_t* parent);

/* What a cluster with NICs cannot be. Needs the NIC models. */
sgf_status_t sgf_clusters_check(sgf_platform_t* platform, sgf_error_t* error);

/* The links of a cluster: one of them with its ends makes a cable. */
typedef struct sgf_cabling {
  const char* bandwidth;
  const char* latency;
  sgf_policy_t policy;
} sgf_cabling_t;

/* Add the link `id` and the route over it; without an id the link gets one of ours. */
sgf_link_t* sgf_cluster_connect(sgf_reader_t* reader, sgf_node_t* cluster, sgf_node_t* below, sgf_node_t* above,
                                const char* id, const sgf_cabling_t* cabling);

/* Add switches and cables above `hosts`, as `parameters` (SimGrid's topo_parameters) say. */
sgf_status_t sgf_fat_tree_build(sgf_reader_t* reader, sgf_node_t* cluster, sgf_node_t** hosts, size_t host_count,
                                const char* parameters, const sgf_cabling_t* cabling);

/* property.c: the prefix of ours that a property's name has. */
bool sgf_property_is_ours(const char* name, sgf_prefix_t* prefix);

/* It has an effect. */
void sgf_property_take(sgf_property_t* property);

/* Say where an error about its value is. */
void sgf_property_place(const sgf_platform_t* platform, const sgf_property_t* property, sgf_error_t* error);

/* Split a property's name. `ours` says whether it is under one of our prefixes; a name that is nearly so is refused. */
sgf_status_t sgf_property_parse(sgf_platform_t* platform, sgf_property_t* property, bool* ours, sgf_error_t* error);

/* ---- assign.c: --set --------------------------------------------------------------------------------------------- */

typedef struct sgf_assignments sgf_assignments_t;

sgf_assignments_t* sgf_assignments_new(const sgf_assignment_t* list, size_t count, sgf_error_t* error);
void sgf_assignments_free(sgf_assignments_t* assignments);

/* The next assignment from number `*next` on, which moves behind it, that says `key` of the link or cluster at `path`
 * ("net.dc.c0"): its value, file and line as a property; false: there is none. The last one wins. */
bool sgf_assignments_have_fabric(const sgf_assignments_t* assignments); /* any, about anything */
bool sgf_assignments_fabric(sgf_assignments_t* assignments, size_t* next, const char* path, sgf_fabric_key_t key,
                            sgf_property_t* property);

/* The NIC model that the last assignment for this host names, "none" included; `otherwise` if there is none. */
const char* sgf_assignments_model(sgf_assignments_t* assignments, const sgf_node_t* host, const char* otherwise);

/* Set what they say about a device. */
sgf_status_t sgf_assignments_apply(sgf_assignments_t* assignments, const sgf_node_t* node, sgf_error_t* error);

/* Set what they say about the records. */
sgf_status_t sgf_assignments_record(sgf_assignments_t* assignments, sgf_results_config_t* config, sgf_error_t* error);

/* Refuse an assignment that nothing took; warn of one from a file. Those about links and clusters, or all others. */
sgf_status_t sgf_assignments_check(const sgf_assignments_t* assignments, sgf_platform_t* platform, sgf_fabric_t* fabric,
                                   bool of_links, sgf_error_t* error);

/* ---- links.c: what is said of links and clusters under `fabric` -------------------------------------------------- */

/* What the platform and, over it, assignments say. */
sgf_status_t sgf_links_apply(sgf_platform_t* platform, sgf_assignments_t* assignments, sgf_error_t* error);

/* The last property `key` under `fabric`, or NULL. */
sgf_property_t* sgf_links_property(const sgf_properties_t* properties, sgf_fabric_key_t key);

/* Which attribute a suffix names; false: none. */
bool sgf_links_key(const char* suffix, sgf_fabric_key_t* key);

/* "net.dc.c0": the link's zone and its id. Valid as long as the platform. */
const char* sgf_link_path(sgf_platform_t* platform, const sgf_link_t* link);

/* ---- properties.c ------------------------------------------------------------------------------------------------ */

/* Choose the NIC model of each host. */
sgf_status_t sgf_properties_models(sgf_platform_t* platform, sgf_assignments_t* assignments, sgf_error_t* error);

/* Set the properties that hold for a device, outermost zone first. */
sgf_status_t sgf_properties_apply(sgf_platform_t* platform, sgf_node_t* node, sgf_error_t* error);

/* Set the properties of the outermost zone that are about the records. */
sgf_status_t sgf_properties_record(sgf_platform_t* platform, sgf_results_config_t* config, sgf_error_t* error);

/* Refuse a property that nothing took. */
sgf_status_t sgf_properties_check(const sgf_platform_t* platform, sgf_error_t* error);

/* SGF_UNKNOWN if `model` is neither a NIC model nor "none". */
sgf_status_t sgf_properties_check_model(const char* model, sgf_error_t* error);

/* A propagation delay belongs to the link: SGF_RULE if `suffix` names it. */
sgf_status_t sgf_properties_check_delay(const char* suffix, sgf_error_t* error);

/* ---- kinds.c ----------------------------------------------------------------------------------------------------- */

/* Whether any kind of NIC, or a switch, has an attribute of this name; for `pcie` and `switch` there is one kind. */
bool sgf_kinds_have(sgf_prefix_t prefix, const char* suffix);

/* For an attribute that a device does not have: if its NIC is of a kind without it, and another kind has it, `reason`
 * says so. False: it is not about kinds, and `reason` stays. */
bool sgf_kinds_explain(const sgf_node_t* node, sgf_prefix_t prefix, const char* suffix, sgf_error_t* reason);

/* Warn that what `name` says has no effect on a host, for this reason. */
void sgf_kinds_warn(const sgf_node_t* node, const char* name, const sgf_error_t* reason);

/* ---- topology.c, cables.c ---------------------------------------------------------------------------------------- */

/* Names to nodes and links; what SimGrid cannot take. */
sgf_status_t sgf_topology_resolve(sgf_platform_t* platform, sgf_error_t* error);

/* The cables between devices; what a fabric cannot take. Needs the NIC models. */
sgf_status_t sgf_topology_cables(sgf_platform_t* platform, sgf_error_t* error);

#endif
