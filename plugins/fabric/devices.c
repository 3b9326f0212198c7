/* Looking at the devices of a fabric. */
#include "fabric/fabric_internal.h"

size_t sgf_fabric_device_count(const sgf_fabric_t* fabric)
{
  return fabric->device_count;
}

sgf_device_t* sgf_fabric_device(const sgf_fabric_t* fabric, size_t i)
{
  return fabric->devices[i];
}

size_t sgf_fabric_host_count(const sgf_fabric_t* fabric)
{
  return fabric->host_count;
}

sgf_device_t* sgf_fabric_host(const sgf_fabric_t* fabric, size_t i)
{
  return fabric->hosts[i];
}

const char* sgf_device_name(const sgf_device_t* device)
{
  return device->name;
}

const char* sgf_device_path(const sgf_device_t* device)
{
  return device->path;
}

bool sgf_device_is_switch(const sgf_device_t* device)
{
  return device->transport == NULL;
}

const char* sgf_device_model(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) ? "switch" : device->transport->name;
}

unsigned sgf_device_port_count(const sgf_device_t* device)
{
  return device->port_count;
}

sgf_device_t* sgf_device_peer(const sgf_device_t* device, unsigned port)
{
  return device->ports[port].peer;
}

unsigned sgf_device_peer_port(const sgf_device_t* device, unsigned port)
{
  return device->ports[port].peer_port;
}

int64_t sgf_device_port_bps(const sgf_device_t* device, unsigned port)
{
  return device->ports[port].bps;
}

opp_simtime_t sgf_device_port_delay(const sgf_device_t* device, unsigned port)
{
  return device->ports[port].delay;
}

const char* sgf_device_port_cable(const sgf_device_t* device, unsigned port)
{
  return device->ports[port].cable;
}

size_t sgf_device_next_hops(const sgf_device_t* device, const sgf_device_t* host, unsigned* ports, size_t size)
{
  if (!sgf_device_is_switch(device)) {
    if (device == host)
      return 0;
    if (size > 0)
      ports[0] = 0;
    return 1;
  }
  const switch_state_t* state = switch_state(device->module);
  const switch_set_t* set     = &state->sets[state->set_of_host[host->index]];
  for (uint32_t i = 0; i < set->count && i < size; i++)
    ports[i] = state->members[set->first + i];
  return set->count;
}

opp_sim_t* sgf_fabric_sim(const sgf_fabric_t* fabric)
{
  return fabric->sim;
}
