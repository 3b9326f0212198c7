/* Equal-cost next hops: the shortest ways in number of cables. Hosts never forward. */
#include <stdlib.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

enum { UNREACHED = -1 };

/* Work space of a breadth-first search over the switches, by their index. */
typedef struct search {
  sgf_device_t** switches;
  int* distance;
  sgf_device_t** queue;
} search_t;

static search_t search_new(const sgf_fabric_t* fabric)
{
  search_t search = {
      .switches = sgf_calloc(fabric->switch_count, sizeof(sgf_device_t*)),
      .distance = sgf_calloc(fabric->switch_count, sizeof(int)),
      .queue    = sgf_calloc(fabric->switch_count, sizeof(sgf_device_t*)),
  };
  for (size_t d = 0; d < fabric->device_count; d++)
    if (sgf_device_is_switch(fabric->devices[d]))
      search.switches[fabric->devices[d]->index] = fabric->devices[d];
  return search;
}

static void search_free(search_t* search)
{
  free(search->switches);
  free(search->distance);
  free(search->queue);
}

/* Distances from the `count` switches at the front of the queue, which have distance 0. */
static void search_run(const sgf_fabric_t* fabric, search_t* search, size_t count)
{
  for (uint32_t s = 0; s < fabric->switch_count; s++)
    search->distance[s] = UNREACHED;
  for (size_t i = 0; i < count; i++)
    search->distance[search->queue[i]->index] = 0;
  for (size_t i = 0; i < count; i++) {
    const sgf_device_t* device = search->queue[i];
    for (unsigned p = 0; p < device->port_count; p++) {
      sgf_device_t* peer = device->ports[p].peer;
      if (sgf_device_is_switch(peer) && search->distance[peer->index] == UNREACHED) {
        search->distance[peer->index] = search->distance[device->index] + 1;
        search->queue[count++]        = peer;
      }
    }
  }
}

static bool has_host(const sgf_device_t* device)
{
  for (unsigned p = 0; p < device->port_count; p++)
    if (!sgf_device_is_switch(device->ports[p].peer))
      return true;
  return false;
}

sgf_status_t fabric_compute_tiers(sgf_fabric_t* fabric, sgf_error_t* error)
{
  search_t search     = search_new(fabric);
  size_t count        = 0;
  sgf_status_t status = SGF_OK;
  for (uint32_t s = 0; s < fabric->switch_count; s++)
    if (has_host(search.switches[s]))
      search.queue[count++] = search.switches[s];
  search_run(fabric, &search, count);
  for (uint32_t s = 0; s < fabric->switch_count && status == SGF_OK; s++)
    if (search.distance[s] == UNREACHED)
      status = sgf_error_set(error, SGF_TOPOLOGY, "switch '%s' is connected to no host with a NIC",
                             search.switches[s]->name);
    else {
      search.switches[s]->tier = (unsigned)search.distance[s];
      if (search.distance[s] == 0)
        search.switches[s]->leaf = fabric->leaf_count++;
    }
  search_free(&search);
  return status;
}

/* Routes of every switch to the hosts on `last`, whose distances are in `search`. */
static void set_routes_to(const sgf_fabric_t* fabric, const search_t* search, const sgf_device_t* last, uint16_t* ports)
{
  for (uint32_t s = 0; s < fabric->switch_count; s++) {
    const sgf_device_t* device = search->switches[s];
    if (device == last || search->distance[s] == UNREACHED)
      continue;
    uint32_t count = 0;
    for (unsigned p = 0; p < device->port_count; p++) {
      const sgf_device_t* peer = device->ports[p].peer;
      if (sgf_device_is_switch(peer) && search->distance[peer->index] == search->distance[s] - 1)
        ports[count++] = (uint16_t)p;
    }
    for (unsigned p = 0; p < last->port_count; p++)
      if (!sgf_device_is_switch(last->ports[p].peer))
        switch_set_route(switch_state(device->module), last->ports[p].peer->index, ports, count);
  }
  for (unsigned p = 0; p < last->port_count; p++)
    if (!sgf_device_is_switch(last->ports[p].peer)) {
      ports[0] = (uint16_t)p;
      switch_set_route(switch_state(last->module), last->ports[p].peer->index, ports, 1);
    }
}

/* Every host reaches the first one, or the fabric is in pieces. */
static sgf_status_t check_reach(const sgf_fabric_t* fabric, const search_t* search, const sgf_device_t* from,
                                sgf_error_t* error)
{
  for (uint32_t h = 0; h < fabric->host_count; h++) {
    const sgf_device_t* at = fabric->hosts[h]->ports[0].peer;
    if (!sgf_device_is_switch(at) || search->distance[at->index] == UNREACHED)
      return sgf_error_set(error, SGF_TOPOLOGY,
                           "hosts '%s' and '%s' cannot reach each other: no cables lead from one to the other",
                           from->name, fabric->hosts[h]->name);
  }
  return SGF_OK;
}

/* Distances from `last` to the other switches that have hosts. */
static void note_distances(sgf_fabric_t* fabric, const search_t* search, const sgf_device_t* last)
{
  for (uint32_t s = 0; s < fabric->switch_count; s++)
    if (search->switches[s]->tier == 0 && search->distance[s] != UNREACHED)
      fabric->distances[last->leaf * fabric->leaf_count + search->switches[s]->leaf] = (uint16_t)search->distance[s];
}

static unsigned most_ports(const sgf_fabric_t* fabric)
{
  unsigned most = 1;
  for (size_t d = 0; d < fabric->device_count; d++)
    if (fabric->devices[d]->port_count > most)
      most = fabric->devices[d]->port_count;
  return most;
}

sgf_status_t fabric_compute_routes(sgf_fabric_t* fabric, sgf_error_t* error)
{
  if (fabric->host_count == 0)
    return SGF_OK;
  const sgf_device_t* first = fabric->hosts[0];
  if (!sgf_device_is_switch(first->ports[0].peer)) { /* two hosts back to back */
    if (fabric->host_count == 2 && fabric->switch_count == 0)
      return SGF_OK;
    return sgf_error_set(error, SGF_TOPOLOGY, "hosts '%s' and '%s' are joined to each other and to nothing else",
                         first->name, first->ports[0].peer->name);
  }
  search_t search     = search_new(fabric);
  uint16_t* ports     = sgf_calloc(most_ports(fabric), sizeof *ports);
  sgf_status_t status = SGF_OK;
  fabric->distances   = sgf_calloc((size_t)fabric->leaf_count * fabric->leaf_count, sizeof *fabric->distances);
  for (uint32_t s = 0; s < fabric->switch_count && status == SGF_OK; s++) {
    sgf_device_t* last = search.switches[s];
    if (!has_host(last))
      continue;
    search.queue[0] = last;
    search_run(fabric, &search, 1);
    if (last == first->ports[0].peer)
      status = check_reach(fabric, &search, first, error);
    set_routes_to(fabric, &search, last, ports);
    note_distances(fabric, &search, last);
  }
  free(ports);
  search_free(&search);
  return status;
}

sgf_status_t sgf_fabric_set_route(sgf_device_t* device, const sgf_device_t* host, unsigned port, sgf_error_t* error)
{
  if (!device->fabric->sealed)
    return sgf_error_set(error, SGF_STATE, "'%s' can be given a route once the fabric is sealed", device->name);
  if (!sgf_device_is_switch(device) || sgf_device_is_switch(host))
    return sgf_error_set(error, SGF_TOPOLOGY, "there is no route at '%s' to '%s': a switch has routes to hosts",
                         device->name, host->name);
  if (port >= device->port_count)
    return sgf_error_set(error, SGF_RANGE, "switch '%s' has no port %u: its ports are 0 to %u", device->name, port,
                         device->port_count - 1);
  const uint16_t ports[] = {(uint16_t)port};
  switch_set_route(switch_state(device->module), host->index, ports, 1);
  return SGF_OK;
}
