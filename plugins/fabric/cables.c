/* Cables: plugged in between two devices, the rate and delay that they really have, modules put on them. */
#include <inttypes.h>
#include <stdio.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

/* Within these a pause of 65535 quanta, and whatever else is added to it, stays far below the end of time. */
enum { SLOWEST_CABLE = 1000000 };
#define LONGEST_CABLE (1000 * OPP_S)

/* Of a cable without a rate whose ends name none either: the documented default of DataRate. */
#define DOCUMENTED_RATE INT64_C(400000000000)

/* ---- Plugging in ------------------------------------------------------------------------------------------------- */

static fabric_port_t* add_port(sgf_device_t* device, sgf_device_t* peer, int64_t bps, opp_simtime_t delay)
{
  device->ports       = sgf_realloc(device->ports, device->port_count + 1, sizeof *device->ports);
  fabric_port_t* port = &device->ports[device->port_count++];
  *port               = (fabric_port_t){.peer = peer, .bps = bps, .delay = delay};
  return port;
}

static sgf_status_t check_cable(const sgf_device_t* a, const sgf_device_t* b, const char* name, int64_t bps,
                                opp_simtime_t delay, unsigned count, sgf_error_t* error)
{
  if (a == b)
    return sgf_error_set(error, SGF_TOPOLOGY, "cable '%s' joins '%s' to itself", name, a->name);
  if (bps != SGF_RATE_OF_DEVICES && bps < SLOWEST_CABLE)
    return sgf_error_set(error, SGF_RANGE,
                         "cable '%s' has a bandwidth of %lld bps; it needs 1 Mbps at least: is a unit missing?", name,
                         (long long)bps);
  if (delay != SGF_DELAY_OF_DEVICE && (delay < 0 || delay > LONGEST_CABLE))
    return sgf_error_set(error, SGF_RANGE, "cable '%s' has a latency of %lld ps; it is from 0 to 1000 s", name,
                         (long long)delay);
  return count > 0 ? SGF_OK : sgf_error_set(error, SGF_RANGE, "cable '%s' has no member", name);
}

static sgf_status_t check_free_port(const sgf_device_t* device, const char* name, sgf_error_t* error)
{
  if (sgf_device_is_switch(device) || device->port_count == 0)
    return SGF_OK;
  return sgf_error_set(error, SGF_TOPOLOGY, "the NIC of host '%s' takes one cable; it has '%s', and '%s' is a second",
                       device->name, device->ports[0].cable, name);
}

sgf_status_t sgf_fabric_connect(sgf_fabric_t* fabric, sgf_device_t* a, sgf_device_t* b, const char* name, int64_t bps,
                                opp_simtime_t delay, unsigned count, sgf_error_t* error)
{
  if (fabric->sealed)
    return sgf_error_set(error, SGF_STATE, "cable '%s' cannot be added: the fabric is sealed", name);
  sgf_status_t status = check_cable(a, b, name, bps, delay, count, error);
  for (unsigned i = 0; i < count && status == SGF_OK; i++) {
    status = check_free_port(a, name, error);
    if (status == SGF_OK)
      status = check_free_port(b, name, error);
    if (status != SGF_OK)
      break;
    fabric_port_t* at_a = add_port(a, b, bps, delay);
    at_a->peer_port     = b->port_count;
    at_a->cable         = sgf_strdup(name);
    at_a->owns_cable    = true;
    fabric_port_t* at_b = add_port(b, a, bps, delay);
    at_b->peer_port     = a->port_count - 1;
    at_b->cable         = at_a->cable;
  }
  return status;
}

/* ---- Rates and delays -------------------------------------------------------------------------------------------- */

bool fabric_is_uplink(const sgf_device_t* device, const fabric_port_t* port)
{
  return !sgf_device_is_switch(device) || (sgf_device_is_switch(port->peer) && port->peer->tier >= device->tier);
}

/* What a device's DataRate attribute says of a port; 0: nothing. */
static int64_t port_rate(const sgf_device_t* device, const fabric_port_t* port)
{
  if (!sgf_device_is_switch(device))
    return ((const nic_block_t*)device->block)->common.uplink_bps;
  const switch_config_t* config = &((const switch_block_t*)device->block)->own;
  return fabric_is_uplink(device, port) ? config->uplink_bps : config->downlink_bps;
}

static opp_simtime_t device_delay(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) ? ((const switch_block_t*)device->block)->own.delay
                                      : ((const nic_block_t*)device->block)->common.delay;
}

static int64_t lesser_rate(int64_t a, int64_t b)
{
  if (a == 0 || b == 0)
    return a + b;
  return a < b ? a : b;
}

/* The link runs at the least of what the cable and its two ends say (spec/switch.md 2.2). */
static int64_t link_rate(const sgf_device_t* device, const fabric_port_t* port)
{
  const fabric_port_t* far = &port->peer->ports[port->peer_port];
  const int64_t rate       = lesser_rate(lesser_rate(port->bps, port_rate(device, port)), port_rate(port->peer, far));
  return rate != 0 ? rate : DOCUMENTED_RATE;
}

/* Every link without a delay of its own has that of the device at its lower end; of two at one height, the first's. */
static opp_simtime_t link_delay(const sgf_device_t* device, const fabric_port_t* port)
{
  if (port->delay != SGF_DELAY_OF_DEVICE)
    return port->delay;
  const bool up   = fabric_is_uplink(device, port);
  const bool down = fabric_is_uplink(port->peer, &port->peer->ports[port->peer_port]);
  if (up && down)
    return device_delay(port->owns_cable ? device : port->peer);
  return device_delay(up ? device : port->peer);
}

void fabric_settle_cables(sgf_fabric_t* fabric)
{
  for (size_t d = 0; d < fabric->device_count; d++) {
    sgf_device_t* device = fabric->devices[d];
    for (unsigned i = 0; i < device->port_count; i++) {
      fabric_port_t* port = &device->ports[i];
      fabric_port_t* far  = &port->peer->ports[port->peer_port];
      if (!port->owns_cable)
        continue;
      port->bps   = link_rate(device, port);
      port->delay = link_delay(device, port);
      far->bps    = port->bps;
      far->delay  = port->delay;
    }
  }
}

/* ---- Modules on cables ------------------------------------------------------------------------------------------- */

opp_module_t* sgf_fabric_insert(sgf_fabric_t* fabric, sgf_device_t* device, unsigned port, const char* path,
                                const opp_module_type_t* type, sgf_error_t* error)
{
  char full_path[512];
  snprintf(full_path, sizeof full_path, "net.%s", path);
  if (fabric->sealed)
    sgf_error_set(error, SGF_STATE, "module '%s' cannot be inserted: the fabric is sealed", path);
  else if (port >= device->port_count)
    sgf_error_set(error, SGF_RANGE, "module '%s' cannot be inserted: '%s' has %u cables so far, and none at port %u",
                  path, device->name, device->port_count, port);
  else if (device->ports[port].inserted != NULL)
    sgf_error_set(error, SGF_TOPOLOGY, "module '%s' cannot be inserted: '%s' is on cable '%s' already", path,
                  opp_module_full_path(device->ports[port].inserted), device->ports[port].cable);
  else if (opp_module_by_path(fabric->sim, full_path) != NULL)
    sgf_error_set(error, SGF_TOPOLOGY, "module '%s' cannot be inserted: there is one of this path", path);
  else {
    fabric_port_t* near  = &device->ports[port];
    fabric_port_t* far   = &near->peer->ports[near->peer_port];
    opp_module_t* module = fabric_module_for(fabric, path, type);
    near->inserted       = module;
    far->inserted        = module;
    near->inserted_side  = 0;
    far->inserted_side   = 1;
    opp_gate_add(module, "port", OPP_GATE_INOUT, true, 2);
    return module;
  }
  return NULL;
}

/* Join a port's output to its peer's input. The cable, with its data rate, is the sender's: a module inserted on it
 * takes each frame at the cable's end, and what that passes on is there at once. */
static void connect_output(sgf_fabric_t* fabric, const sgf_device_t* device, unsigned number)
{
  const fabric_port_t* port = &device->ports[number];
  opp_gate_t* out           = opp_gate(device->module, "port$o", (int)number);
  opp_gate_t* in            = opp_gate(port->peer->module, "port$i", (int)port->peer_port);
  opp_channel_t* cable      = opp_channel_datarate(fabric->sim, port->bps, port->delay);
  if (port->inserted == NULL) {
    opp_gate_connect(out, in, cable);
    return;
  }
  opp_gate_connect(out, opp_gate(port->inserted, "port$i", port->inserted_side), cable);
  opp_gate_connect(opp_gate(port->inserted, "port$o", 1 - port->inserted_side), in, NULL);
}

void fabric_connect_modules(sgf_fabric_t* fabric)
{
  for (size_t d = 0; d < fabric->device_count; d++)
    for (unsigned i = 0; i < fabric->devices[d]->port_count; i++)
      connect_output(fabric, fabric->devices[d], i);
}
