/* From routes to cables, and what a fabric cannot take. Only routes between two devices of the fabric count: a host
 * without a NIC is SimGrid's alone, with whatever routes it has. */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <string.h>

static const int64_t longest_delay = 1000 * INT64_C(1000000000000); /* ps: sums of times stay far from overflow */
enum {
  MAX_PARALLEL = 1024,
  MAX_PORTS    = 1 << 14, /* of a switch: the gates of a module are numbered in 16 bits, two for each port */
};

static sgf_status_t refuse_cable(const sgf_platform_t* platform, const sgf_route_t* route, sgf_error_t* error,
                                 const char* reason, const char* link)
{
  return sgf_platform_refuse(platform, route->line, error, SGF_TOPOLOGY, "cable from \"%s\" to \"%s\": %s \"%s\"",
                             route->from->id, route->to->id, reason, link);
}

static sgf_status_t refuse_latency(const sgf_platform_t* platform, const sgf_link_t* link, sgf_error_t* error)
{
  sgf_error_set(error, SGF_RANGE, "link \"%s\": latency \"%s\" is not a whole number of picoseconds from 0 to 1000 s",
                link->id, link->latency);
  if (link->own_latency != NULL)
    sgf_property_place(platform, link->own_latency, error);
  sgf_error_place(error, platform->file, link->line);
  return SGF_RANGE;
}

static sgf_status_t read_rate(const sgf_platform_t* platform, sgf_cable_t* cable, sgf_error_t* error)
{
  const sgf_link_t* link = cable->link;
  sgf_quantity_t bps     = {0};
  sgf_quantity_t delay   = {0};
  sgf_status_t status    = sgf_read_bandwidth(link->bandwidth, &bps, error);
  if (status == SGF_OK)
    status = sgf_read_time(link->latency, &delay, error);
  if (status != SGF_OK)
    return status;
  if (!bps.fits || bps.whole == 0)
    return sgf_platform_refuse(
        platform, link->line, error, SGF_RANGE,
        "link \"%s\": bandwidth \"%s\" is not a whole number of bits per second above 0 in 63 bits", link->id,
        link->bandwidth);
  if (!delay.fits || delay.whole > longest_delay)
    return refuse_latency(platform, link, error);
  cable->bps   = bps.whole;
  cable->delay = delay.whole;
  return SGF_OK;
}

static sgf_status_t read_count(const sgf_platform_t* platform, sgf_cable_t* cable, sgf_error_t* error)
{
  sgf_properties_t* properties = &cable->link->properties;
  cable->count                 = cable->link->parallel;
  for (size_t i = 0; i < properties->count; i++) { /* a value is checked though a later one overrides it */
    sgf_property_t* property = &properties->items[i];
    uint64_t count           = 0;
    sgf_property_take(property);
    if (strcmp(property->suffix, sgf_fabric_names[SGF_FABRIC_CABLES]) != 0)
      continue;
    sgf_status_t status = sgf_parse_uint(property->value, property->name, &count, error);
    if (status == SGF_OK && (count == 0 || count > MAX_PARALLEL))
      status = sgf_error_set(error, SGF_RANGE, "%s = \"%s\": must be within 1..%d", property->name, property->value,
                             MAX_PARALLEL);
    sgf_property_place(platform, property, error);
    if (status != SGF_OK)
      return status;
    cable->count = (unsigned)count;
  }
  return SGF_OK;
}

/* The way back of a cable that was written as two one-way routes. */
static sgf_status_t check_way_back(const sgf_platform_t* platform, const sgf_route_t* there, const sgf_route_t* back,
                                   sgf_error_t* error)
{
  if (there->hops[0].link != back->hops[0].link)
    return refuse_cable(platform, back, error,
                        "both ways of a cable take one link (SPLITDUPLEX, direction UP and DOWN), here another than",
                        there->hops[0].link->id);
  if (back->hops[0].link->policy == SGF_POLICY_SPLITDUPLEX && there->hops[0].direction == back->hops[0].direction)
    return refuse_cable(platform, back, error, "both ways take the same direction of link", back->hops[0].link->id);
  if (there->from != back->to || there->to != back->from)
    return refuse_cable(platform, back, error, "the way back has other gateways on link", back->hops[0].link->id);
  return SGF_OK;
}

/* A way of several links says nothing new if each of them is a cable, and they lead from device to device: packets find
 * such ways themselves. Needs all cables. */
static sgf_status_t check_way(const sgf_platform_t* platform, const sgf_route_t* route, sgf_error_t* error)
{
  const sgf_node_t* at = route->from;
  for (size_t i = 0; i < route->hop_count && at != NULL; i++) {
    const sgf_route_t* cable = route->hops[i].link->cable;
    const sgf_node_t* next   = NULL;
    if (cable != NULL && (cable->from == at || cable->to == at))
      next = cable->from == at ? cable->to : cable->from;
    const bool forwards = next != NULL && next->kind == SGF_NODE_ROUTER;
    at                  = i + 1 == route->hop_count || forwards ? next : NULL;
  }
  if (at == route->to)
    return SGF_OK;
  return sgf_platform_refuse(platform, route->line, error, SGF_TOPOLOGY,
                             "cable from \"%s\" to \"%s\": a route between two devices is one cable, this has a second "
                             "link \"%s\", and no router where they meet: write a <router> there, and a <route> to it "
                             "for each link",
                             route->from->id, route->to->id, route->hops[1].id);
}

static sgf_status_t add_cable(sgf_platform_t* platform, const sgf_route_t* route, sgf_error_t* error)
{
  sgf_link_t* link = route->hops[0].link;
  if (link->policy != SGF_POLICY_SPLITDUPLEX && !link->full_duplex)
    return refuse_cable(platform, route, error,
                        "a cable carries both ways at full rate: write sharing_policy=\"SPLITDUPLEX\" into, or set "
                        "fabric.full_duplex of, link",
                        link->id);
  if (route->opposite->order < route->order)
    return check_way_back(platform, route->opposite, route, error);
  if (link->cable != NULL)
    return refuse_cable(platform, route, error,
                        "another cable is made of its link already, each needs a <link> of its own:", link->id);
  link->cable         = route;
  platform->cables    = sgf_grow(platform->cables, platform->cable_count, sizeof *platform->cables);
  sgf_cable_t* cable  = &platform->cables[platform->cable_count++];
  *cable              = (sgf_cable_t){.a = route->from, .b = route->to, .link = link, .line = route->line};
  sgf_status_t status = read_rate(platform, cable, error);
  if (status == SGF_OK)
    status = read_count(platform, cable, error);
  if (status == SGF_OK) {
    cable->a->cables += cable->count;
    cable->b->cables += cable->count;
    sgf_node_join(cable->a, cable->b);
  }
  return status;
}

/* A route that is no cable of the fabric: SimGrid would forward through a host with a NIC, which hosts never do. */
static sgf_status_t check_plain(const sgf_platform_t* platform, const sgf_route_t* route, sgf_error_t* error)
{
  const sgf_node_t* nic   = route->from->model != NULL ? route->from : route->to;
  const sgf_node_t* plain = nic == route->from ? route->to : route->from;
  if (nic->model == NULL)
    return SGF_OK;
  return sgf_platform_refuse(
      platform, route->line, error, SGF_TOPOLOGY,
      "host \"%s\" has a NIC and would forward for host \"%s\", which has none: plug both into a "
      "router",
      nic->id, plain->id);
}

static sgf_status_t check_device(const sgf_platform_t* platform, const sgf_node_t* device, sgf_error_t* error)
{
  bool is_host = device->kind == SGF_NODE_HOST;
  if (device->cables == 0)
    return sgf_platform_refuse(platform, device->line, error, SGF_TOPOLOGY,
                               is_host ? "host \"%s\" has a NIC and no cable"
                                       : "router \"%s\" has no cable: nothing but hosts without a NIC is plugged in",
                               device->id);
  if (device->cables > MAX_PORTS)
    return sgf_platform_refuse(platform, device->line, error, SGF_RANGE,
                               "router \"%s\" has %u cables: a switch takes up to %d", device->id, device->cables,
                               MAX_PORTS);
  if (is_host && device->cables > 1)
    return sgf_platform_refuse(platform, device->line, error, SGF_TOPOLOGY,
                               "host \"%s\" has %u cables: a NIC takes one, and hosts never forward: plug them into a "
                               "router",
                               device->id, device->cables);
  return SGF_OK;
}

/* Every device has its cables, and they lead from each NIC to every other. */
static sgf_status_t check_devices(const sgf_platform_t* platform, sgf_error_t* error)
{
  sgf_node_t* first = NULL;
  for (size_t i = 0; i < platform->node_count; i++) {
    sgf_node_t* device  = platform->nodes[i];
    sgf_status_t status = sgf_node_is_device(device) ? check_device(platform, device, error) : SGF_OK;
    if (status != SGF_OK)
      return status;
    if (device->model == NULL)
      continue;
    if (first == NULL)
      first = device;
    if (sgf_node_set(first) != sgf_node_set(device))
      return sgf_platform_refuse(platform, device->line, error, SGF_TOPOLOGY,
                                 "no cables lead from host \"%s\" to host \"%s\"", device->id, first->id);
  }
  return SGF_OK;
}

static sgf_status_t check_nics(const sgf_platform_t* platform, sgf_error_t* error)
{
  for (size_t i = 0; i < platform->node_count; i++)
    if (platform->nodes[i]->model != NULL)
      return SGF_OK;
  return sgf_platform_refuse(
      platform, platform->nodes[0]->line, error, SGF_NO_NIC,
      "no host has a NIC: write <prop id=\"nic\" value=\"uet\"/> into the zone, or set **.nic, by "
      "--set '**.nic=uet' or in an ini file");
}

static sgf_status_t check_unused(const sgf_platform_t* platform, sgf_error_t* error)
{
  for (size_t i = 0; i < platform->link_count; i++) {
    const sgf_link_t* link = platform->links[i]; /* whose own properties come before those of assignments */
    if (link->properties.count > 0 && link->cable == NULL && link->properties.items[0].origin == NULL)
      return sgf_platform_refuse(platform, link->properties.items[0].line, error, SGF_TOPOLOGY,
                                 "\"%s\" has no effect: link \"%s\" is no cable between two devices",
                                 link->properties.items[0].name, link->id);
  }
  return SGF_OK;
}

static bool is_between_devices(const sgf_route_t* route)
{
  return !route->is_loop && sgf_node_is_device(route->from) && sgf_node_is_device(route->to);
}

sgf_status_t sgf_topology_cables(sgf_platform_t* platform, sgf_error_t* error)
{
  sgf_status_t status = check_nics(platform, error);
  for (size_t i = 0; i < platform->node_count; i++)
    platform->nodes[i]->set = platform->nodes[i];
  for (size_t i = 0; status == SGF_OK && i < platform->route_count; i++) {
    const sgf_route_t* route = platform->routes[i];
    if (is_between_devices(route) && route->hop_count == 1)
      status = add_cable(platform, route, error);
    else if (!is_between_devices(route) && !route->is_loop)
      status = check_plain(platform, route, error);
  }
  for (size_t i = 0; status == SGF_OK && i < platform->route_count; i++)
    if (is_between_devices(platform->routes[i]) && platform->routes[i]->hop_count > 1)
      status = check_way(platform, platform->routes[i], error);
  if (status == SGF_OK)
    status = check_unused(platform, error);
  return status == SGF_OK ? check_devices(platform, error) : status;
}
