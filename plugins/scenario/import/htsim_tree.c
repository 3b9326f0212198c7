/* A fat tree as htsim builds it. Host h hangs from switch h / Radix_Down of tier 0, the tor. Within a pod every tor is
 * joined to every switch of tier 1, the agg; with two tiers there is one pod. The agg at place p of its pod is joined
 * to the cores p, p + aggs, p + 2 aggs, .. where `aggs` is how many a pod has. Two switches are joined by Bundle
 * cables, of the tier above. */
#include "scenario/import/import_internal.h"

typedef struct shape {
  const import_reader_t* reader;
  const htsim_tree_t* tree;
  size_t pods;
  size_t tors; /* of a pod; the same for the next */
  size_t aggs;
  size_t cores; /* of an agg; 0: two tiers */
} shape_t;

/* The number that a tier says, or its default. */
static uint64_t said(const shape_t* shape, size_t tier, htsim_key_t key)
{
  return shape->tree->tiers[tier].values[key].number;
}

/* Its line; that of the tier if it is a default. */
static int line_of(const shape_t* shape, size_t tier, htsim_key_t key)
{
  const int line = shape->tree->tiers[tier].values[key].line;
  return line > 0 ? line : shape->tree->tiers[tier].line;
}

typedef unsigned long long number_t; /* as printf takes it */

/* ---- Whether the numbers fit each other -------------------------------------------------------------------------- */

static sgf_status_t divide(const shape_t* shape, int line, const char* whole, uint64_t number, const char* part,
                           uint64_t by, size_t* result)
{
  *result = (size_t)(number / by);
  if (number % by == 0)
    return SGF_OK;
  return import_fail_at(shape->reader, line, SGF_TOPOLOGY, "%s is %llu, and no multiple of %s, %llu", whole,
                        (number_t)number, part, (number_t)by);
}

/* How many switches, and that each has one cable for each port that it says. */
static sgf_status_t find_pods(shape_t* shape)
{
  const htsim_tree_t* tree = shape->tree;
  const uint64_t pod       = tree->pod_size.number;
  sgf_status_t status      = divide(shape, tree->nodes.line, "Nodes", tree->nodes.number, "Podsize", pod, &shape->pods);
  if (status == SGF_OK && said(shape, 0, HTSIM_BUNDLE) != 1)
    return import_fail_at(shape->reader, line_of(shape, 0, HTSIM_BUNDLE), SGF_TOPOLOGY,
                          "Bundle %llu: a host has one NIC with one cable", (number_t)said(shape, 0, HTSIM_BUNDLE));
  if (status == SGF_OK)
    status = divide(shape, tree->pod_size.line, "Podsize", pod, "Radix_Down of tier 0",
                    said(shape, 0, HTSIM_RADIX_DOWN), &shape->tors);
  if (status == SGF_OK && tree->tier_count.number == 2 && shape->pods != 1)
    return import_fail_at(shape->reader, tree->pod_size.line, SGF_TOPOLOGY,
                          "Podsize %llu, and with two tiers there is one pod of all %llu nodes", (number_t)pod,
                          (number_t)tree->nodes.number);
  return status;
}

/* Switches of `tier` that one below is joined to; those below are `below` to each of them. */
static sgf_status_t find_switches(shape_t* shape, size_t tier, size_t below, const char* of, size_t* count)
{
  const uint64_t bundle = said(shape, tier, HTSIM_BUNDLE);
  char name[32];
  snprintf(name, sizeof name, "Radix_Up of tier %zu", tier - 1);
  const char* part          = tier == 1 ? "Bundle of tier 1" : "Bundle of tier 2";
  const sgf_status_t status = divide(shape, line_of(shape, tier - 1, HTSIM_RADIX_UP), name,
                                     said(shape, tier - 1, HTSIM_RADIX_UP), part, bundle, count);
  const uint64_t down       = said(shape, tier, HTSIM_RADIX_DOWN);
  if (status == SGF_OK && down != below * bundle)
    return import_fail_at(shape->reader, line_of(shape, tier, HTSIM_RADIX_DOWN), SGF_TOPOLOGY,
                          "Radix_Down %llu of tier %zu, and its switches have %llu links down: %zu %s, Bundle %llu",
                          (number_t)down, tier, (number_t)(below * bundle), below, of, (number_t)bundle);
  return status;
}

/* What comes up from below to what goes on upwards, as it says. */
static sgf_status_t check_oversubscription(const shape_t* shape, size_t tier)
{
  const uint64_t down     = said(shape, tier, HTSIM_RADIX_DOWN) * said(shape, tier, HTSIM_SPEED);
  const uint64_t up       = said(shape, tier, HTSIM_RADIX_UP) * said(shape, tier + 1, HTSIM_SPEED);
  const uint64_t expected = said(shape, tier, HTSIM_OVERSUBSCRIBED);
  if (down == up * expected)
    return SGF_OK;
  return import_fail_at(shape->reader, line_of(shape, tier, HTSIM_OVERSUBSCRIBED), SGF_TOPOLOGY,
                        "Oversubscribed %llu of tier %zu, and a switch has %llu Gb/s down and %llu Gb/s up",
                        (number_t)expected, tier, (number_t)down, (number_t)up);
}

static sgf_status_t find_shape(shape_t* shape)
{
  const bool three    = shape->tree->tier_count.number == 3;
  sgf_status_t status = find_pods(shape);
  if (status == SGF_OK)
    status = find_switches(shape, 1, shape->tors, three ? "tors of a pod" : "tors", &shape->aggs);
  if (status == SGF_OK && three)
    status = find_switches(shape, 2, shape->pods, "pods", &shape->cores);
  for (size_t tier = 0; status == SGF_OK && tier + 1 < shape->tree->tier_count.number; tier++)
    status = check_oversubscription(shape, tier);
  if (status != SGF_OK)
    return status;

  const uint64_t cables =
      shape->tree->nodes.number + shape->pods * (shape->tors * said(shape, 0, HTSIM_RADIX_UP) +
                                                 (three ? shape->aggs * said(shape, 1, HTSIM_RADIX_UP) : 0));
  for (size_t tier = 0; tier < shape->tree->tier_count.number; tier++) {
    const uint64_t ports = said(shape, tier, HTSIM_RADIX_DOWN) + said(shape, tier, HTSIM_RADIX_UP);
    if (ports > IMPORT_MAX_PORTS)
      return import_fail_at(shape->reader, line_of(shape, tier, HTSIM_RADIX_DOWN), SGF_RANGE,
                            "a switch of tier %zu has %llu ports, more than %d", tier, (number_t)ports,
                            IMPORT_MAX_PORTS);
  }
  if (cables > IMPORT_MAX_CABLES)
    return import_fail_at(shape->reader, shape->tree->nodes.line, SGF_RANGE, "%llu cables, more than %d",
                          (number_t)cables, IMPORT_MAX_CABLES);
  return SGF_OK;
}

/* ---- Building ---------------------------------------------------------------------------------------------------- */

/* Join two nodes by the links of a tier. A way through a switch takes two of its cables: half of its latency each. */
static void join(const shape_t* shape, sgf_import_t* import, size_t tier, size_t below, size_t above)
{
  const uint64_t half_ps = 500;
  const uint64_t switches =
      (tier > 0 ? said(shape, tier - 1, HTSIM_SWITCH_LATENCY) : 0) + said(shape, tier, HTSIM_SWITCH_LATENCY);
  const import_cable_t cable = {
      .below = below,
      .above = above,
      .bps   = (int64_t)(said(shape, tier, HTSIM_SPEED) * 1000000000),
      .delay = (int64_t)(said(shape, tier, HTSIM_LATENCY) * 1000 + switches * half_ps),
      .count = (unsigned)said(shape, tier, HTSIM_BUNDLE),
      .line  = line_of(shape, tier, HTSIM_SPEED),
  };
  import_add_cable(import, &cable);
}

/* Add `count` devices; returns the first one. */
static size_t add_nodes(sgf_import_t* import, const char* prefix, size_t count, bool are_switches)
{
  const size_t first = import->node_count;
  for (size_t i = 0; i < count; i++)
    import_add_node(import, prefix, i, are_switches);
  return first;
}

sgf_status_t htsim_build(const import_reader_t* reader, const htsim_tree_t* tree, sgf_import_t* import)
{
  shape_t shape             = {.reader = reader, .tree = tree};
  const sgf_status_t status = find_shape(&shape);
  if (status != SGF_OK)
    return status;
  const size_t tors       = shape.pods * shape.tors;
  const size_t aggs       = shape.pods * shape.aggs;
  const size_t first_host = add_nodes(import, "h", (size_t)tree->nodes.number, false);
  const size_t first_tor  = add_nodes(import, "tor", tors, true);
  const size_t first_agg  = add_nodes(import, "agg", aggs, true);
  const size_t first_core = add_nodes(import, "core", shape.aggs * shape.cores, true);
  for (size_t host = 0; host < tree->nodes.number; host++)
    join(&shape, import, 0, first_host + host, first_tor + host / said(&shape, 0, HTSIM_RADIX_DOWN));
  for (size_t tor = 0; tor < tors; tor++)
    for (size_t place = 0; place < shape.aggs; place++)
      join(&shape, import, 1, first_tor + tor, first_agg + tor / shape.tors * shape.aggs + place);
  for (size_t agg = 0; agg < aggs; agg++)
    for (size_t i = 0; i < shape.cores; i++)
      join(&shape, import, 2, first_agg + agg, first_core + agg % shape.aggs + i * shape.aggs);
  return SGF_OK;
}
