/* Building a fabric: devices, attributes, and the modules that they become. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "attr/hash.h"
#include "fabric/fabric_internal.h"
#include "nic/mrc/mrc.h"
#include "nic/roce/roce.h"
#include "nic/udp/udp.h"
#include "nic/uet/uet.h"

static const nic_transport_t* const transports[] = {&uet_transport, &udp_transport, &roce_transport, &mrc_transport};
static const char* const transport_names[]       = {"uet", "udp", "roce", "mrc"};
enum { TRANSPORTS = sizeof transports / sizeof *transports };

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static void handle_message(opp_module_t* self, opp_msg_t* msg)
{
  sgf_fabric_t* fabric = *(sgf_fabric_t**)opp_module_state(self);
  if (msg->kind == FABRIC_STALL)
    fabric_stall_timer(fabric);
  else if (msg->kind == FABRIC_SCRIPT)
    fabric_script_due(fabric, msg);
  else
    fabric_gauge_due(fabric, msg);
}

static const opp_module_type_t net_module_type = {
    .name = "net", .state_size = sizeof(sgf_fabric_t*), .handle_message = handle_message};

sgf_fabric_t* sgf_fabric_new(uint64_t seed)
{
  sgf_fabric_t* fabric                           = sgf_calloc(1, sizeof *fabric);
  fabric->sim                                    = opp_sim_new(seed);
  fabric->net                                    = opp_module_new(fabric->sim, NULL, "net", -1, &net_module_type);
  fabric->next_tick                              = OPP_TIME_MAX;
  fabric->stall_timer                            = opp_timer_new(fabric->net, FABRIC_STALL, NET_PRIORITY_TIMER);
  fabric->deadlock                               = fabric_deadlock_new();
  *(sgf_fabric_t**)opp_module_state(fabric->net) = fabric;
  return fabric;
}

static void device_free(sgf_device_t* device)
{
  for (unsigned i = 0; i < device->port_count; i++)
    if (device->ports[i].owns_cable)
      free(device->ports[i].cable);
  free(device->ports);
  free(device->block);
  free(device->name);
  free(device->path);
  free(device);
}

void sgf_fabric_free(sgf_fabric_t* fabric)
{
  if (fabric == NULL)
    return;
  fabric_free_ops(fabric);
  fabric_mailboxes_free(&fabric->mailboxes);
  fabric_awaited_free(&fabric->awaited);
  fabric_free_scripts(fabric);
  fabric_deadlock_free(fabric->deadlock);
  fabric_feedback_free(fabric->feedback);
  fabric_victims_free(fabric->victims);
  opp_sim_free(fabric->sim);
  for (size_t i = 0; i < fabric->device_count; i++)
    device_free(fabric->devices[i]);
  fabric_free_warnings(fabric);
  free(fabric->devices);
  free(fabric->hosts);
  free(fabric->by_name);
  free(fabric->posts);
  free(fabric->distances);
  free(fabric->flows);
  free(fabric->clocks);
  free(fabric);
}

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

/* The slot of a name: where the device is, or where it belongs. */
static sgf_device_t** name_slot(sgf_device_t** table, size_t size, const char* name)
{
  size_t slot = sgf_hash_text(name) % size;
  while (table[slot] != NULL && strcmp(table[slot]->name, name) != 0)
    slot = (slot + 1) % size;
  return &table[slot];
}

static void remember_name(sgf_fabric_t* fabric, sgf_device_t* device)
{
  if (2 * (fabric->device_count + 1) > fabric->by_name_size) {
    const size_t size    = fabric->by_name_size == 0 ? 64 : 2 * fabric->by_name_size;
    sgf_device_t** table = sgf_calloc(size, sizeof(sgf_device_t*));
    for (size_t i = 0; i < fabric->device_count; i++)
      *name_slot(table, size, fabric->devices[i]->name) = fabric->devices[i];
    free(fabric->by_name);
    fabric->by_name      = table;
    fabric->by_name_size = size;
  }
  *name_slot(fabric->by_name, fabric->by_name_size, device->name) = device;
}

sgf_device_t* sgf_fabric_find(const sgf_fabric_t* fabric, const char* name)
{
  return fabric->by_name_size == 0 ? NULL : *name_slot(fabric->by_name, fabric->by_name_size, name);
}

static sgf_device_t* add_device(sgf_fabric_t* fabric, const char* name, const char* path,
                                const sgf_attr_set_t* attributes, sgf_error_t* error)
{
  if (fabric->sealed) {
    sgf_error_set(error, SGF_STATE, "device '%s' cannot be added: the fabric is sealed", name);
    return NULL;
  }
  if (sgf_fabric_find(fabric, name) != NULL) {
    sgf_error_set(error, SGF_TOPOLOGY, "there are two devices named '%s'", name);
    return NULL;
  }
  sgf_device_t* device = sgf_calloc(1, sizeof *device);
  device->fabric       = fabric;
  device->name         = sgf_strdup(name);
  device->path         = sgf_strdup(path);
  device->attributes   = attributes;
  device->block        = sgf_calloc(1, attributes->block_size);
  if (sgf_attr_defaults(attributes, device->block, error) != SGF_OK) {
    device_free(device);
    return NULL;
  }
  remember_name(fabric, device);
  fabric->devices = sgf_realloc(fabric->devices, fabric->device_count + 1, sizeof(sgf_device_t*));
  fabric->devices[fabric->device_count++] = device;
  return device;
}

static const nic_transport_t* find_transport(const char* model)
{
  for (size_t i = 0; i < TRANSPORTS; i++)
    if (strcmp(transports[i]->name, model) == 0)
      return transports[i];
  return NULL;
}

sgf_device_t* sgf_fabric_add_nic(sgf_fabric_t* fabric, const char* name, const char* path, const char* model,
                                 sgf_error_t* error)
{
  const nic_transport_t* transport = find_transport(model);
  if (transport == NULL) {
    const char* nearest = sgf_nearest_name(model, transport_names, TRANSPORTS);
    sgf_error_set(error, SGF_UNKNOWN, "host '%s': there is no NIC model '%s'; the nearest is '%s'", name, model,
                  nearest != NULL ? nearest : transport_names[0]);
    return NULL;
  }
  sgf_device_t* device = add_device(fabric, name, path, transport->attributes, error);
  if (device != NULL) {
    device->transport                   = transport;
    device->index                       = fabric->host_count;
    fabric->hosts                       = sgf_realloc(fabric->hosts, fabric->host_count + 1, sizeof(sgf_device_t*));
    fabric->hosts[fabric->host_count++] = device;
  }
  return device;
}

sgf_device_t* sgf_fabric_add_switch(sgf_fabric_t* fabric, const char* name, const char* path, sgf_error_t* error)
{
  sgf_device_t* device = add_device(fabric, name, path, &switch_attributes, error);
  if (device != NULL)
    device->index = fabric->switch_count++;
  return device;
}

const char* const* sgf_nic_model_names(size_t* count)
{
  *count = TRANSPORTS;
  return transport_names;
}

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

/* What the prefix `pcie` answers to: the PCIe part of a NIC's block. */
static const sgf_attr_section_t pcie_section[] = {{&sgf_pcie_attributes, offsetof(nic_block_t, pcie)}};
static const sgf_attr_set_t pcie_attributes    = {"pcie", pcie_section, 1, sizeof(nic_block_t)};

const sgf_attr_set_t* sgf_attributes_of(const char* prefix, const char* model)
{
  if (strcmp(prefix, "switch") == 0)
    return &switch_attributes;
  const nic_transport_t* transport = model == NULL ? NULL : find_transport(model);
  if (transport != NULL && strcmp(prefix, "nic") == 0)
    return transport->attributes;
  if (transport != NULL && strcmp(prefix, "pcie") == 0)
    return &pcie_attributes;
  return NULL;
}

sgf_status_t sgf_device_set(sgf_device_t* device, const char* prefix, const char* suffix, const char* value,
                            sgf_error_t* error)
{
  if (device->fabric->sealed)
    return sgf_error_set(error, SGF_STATE, "'%s' cannot be set: the fabric is sealed", suffix);
  const sgf_attr_set_t* set = sgf_device_is_switch(device) && strcmp(prefix, "switch") != 0
                                  ? NULL
                                  : sgf_attributes_of(prefix, sgf_device_model(device));
  if (set == NULL || (strcmp(prefix, "switch") == 0 && !sgf_device_is_switch(device)))
    return sgf_error_set(error, SGF_UNKNOWN, "'%s' has no attributes with the prefix '%s'", device->name, prefix);
  if (set == &pcie_attributes && suffix[0] == '\0')
    return sgf_pcie_set_shorthand(&((nic_block_t*)device->block)->pcie, value, error);
  return sgf_attr_set_value(set, device->block, suffix, value, error);
}

/* ---- Sealing ----------------------------------------------------------------------------------------------------- */

opp_module_t* fabric_module_for(sgf_fabric_t* fabric, const char* path, const opp_module_type_t* type)
{
  opp_module_t* module = fabric->net;
  char* copy           = sgf_strdup(path);
  char* name           = copy;
  for (char* dot; (dot = strchr(name, '.')) != NULL; name = dot + 1) {
    *dot               = '\0';
    opp_module_t* zone = opp_module_submodule(module, name, -1);
    module             = zone != NULL ? zone : opp_module_new(fabric->sim, module, name, -1, NULL);
  }
  opp_module_t* zone = type == NULL ? opp_module_submodule(module, name, -1) : NULL;
  module             = zone != NULL ? zone : opp_module_new(fabric->sim, module, name, -1, type);
  free(copy);
  return module;
}

static void create_modules(sgf_fabric_t* fabric)
{
  for (size_t d = 0; d < fabric->device_count; d++) {
    sgf_device_t* device = fabric->devices[d];
    if (sgf_device_is_switch(device))
      device->module = fabric_module_for(fabric, device->path, &switch_module_type);
    else
      device->module =
          opp_module_new(fabric->sim, fabric_module_for(fabric, device->path, NULL), "nic", -1, &nic_module_type);
    opp_gate_add(device->module, "port", OPP_GATE_INOUT, true, device->port_count > 0 ? (int)device->port_count : 1);
  }
  fabric_connect_modules(fabric);
}

typedef struct warning_context {
  sgf_fabric_t* fabric;
  const char* device;
} warning_context_t;

static void warn_of_device(void* user, const char* text)
{
  const warning_context_t* context = user;
  fabric_warn(context->fabric, context->device, text);
}

static void watch_cable(void* user, opp_msg_t* frame, opp_simtime_t arrival)
{
  nic_t* nic = user;
  nic->transport->closing(nic, frame, arrival);
}

net_port_t* fabric_port_into(const sgf_device_t* host)
{
  const fabric_port_t* port = &host->ports[0];
  if (sgf_device_is_switch(port->peer))
    return &switch_state(port->peer->module)->ports[port->peer_port].out;
  return &fabric_nic(port->peer)->port;
}

/* The dates at which frames reach the end of a host's cable bound what they complete, unless a module there keeps them.
 */
static void watch_cable_into(const sgf_device_t* host)
{
  net_port_t* port = fabric_port_into(host);
  port->watch      = fabric_host_is_tapped(host) ? NULL : watch_cable;
  port->watch_user = fabric_nic(host);
}

static void tell_of_nics(const sgf_device_t* device)
{
  for (unsigned i = 0; i < device->port_count; i++)
    if (!sgf_device_is_switch(device->ports[i].peer))
      switch_faces_nic(switch_state(device->module), i);
}

static sgf_status_t setup_device(sgf_device_t* device, sgf_error_t* error)
{
  sgf_fabric_t* fabric = device->fabric;
  sgf_error_t reason   = {0};
  if (sgf_device_is_switch(device))
    switch_setup(device->module, device->block, device->index + 1, FABRIC_FIRST_HOST, fabric->host_count, &reason);
  else {
    const nic_owner_t owner   = {fabric, fabric_sent, fabric_acknowledged, fabric_delivered, &fabric->progress};
    warning_context_t context = {fabric, device->name};
    device->largest_frame     = device->transport->largest_frame(device->block);
    if (device->largest_frame > fabric->largest_frame)
      fabric->largest_frame = device->largest_frame;
    nic_setup(device->module, device->transport, device->block, FABRIC_FIRST_HOST + device->index, FABRIC_FIRST_HOST,
              fabric->host_count, owner, warn_of_device, &context, &reason);
  }
  if (reason.status == SGF_OK && sgf_device_is_switch(device))
    tell_of_nics(device);
  if (reason.status != SGF_OK)
    return sgf_error_set(error, reason.status, "%s '%s': %s", sgf_device_is_switch(device) ? "switch" : "host",
                         device->name, reason.text);
  return SGF_OK;
}

/* The longest time that a watchdog takes to find what stands still. */
static opp_simtime_t watchdog_patience(const sgf_fabric_t* fabric)
{
  opp_simtime_t longest = 0;
  for (size_t d = 0; d < fabric->device_count; d++)
    if (sgf_device_is_switch(fabric->devices[d])) {
      const opp_simtime_t patience = switch_watchdog_patience(switch_state(fabric->devices[d]->module));
      if (patience > longest)
        longest = patience;
    }
  return longest;
}

sgf_status_t sgf_fabric_seal(sgf_fabric_t* fabric, sgf_error_t* error)
{
  if (fabric->sealed)
    return sgf_error_set(error, SGF_STATE, "the fabric is sealed already");
  for (size_t d = 0; d < fabric->device_count; d++)
    if (fabric->devices[d]->port_count == 0)
      return sgf_error_set(error, SGF_TOPOLOGY, "%s '%s' has no cable",
                           sgf_device_is_switch(fabric->devices[d]) ? "switch" : "host", fabric->devices[d]->name);
  if (fabric_compute_tiers(fabric, error) != SGF_OK)
    return error->status;
  if (fabric_check_rules(fabric, error) != SGF_OK)
    return error->status;
  fabric->sealed = true;
  fabric_settle_cables(fabric);
  create_modules(fabric);
  for (size_t d = 0; d < fabric->device_count; d++)
    if (setup_device(fabric->devices[d], error) != SGF_OK)
      return error->status;
  for (uint32_t h = 0; h < fabric->host_count; h++) {
    watch_cable_into(fabric->hosts[h]);
    fabric_be_patient(fabric, fabric->hosts[h]);
  }
  fabric->firm              = OPP_TIME_MAX;
  fabric->shortest_crossing = fabric_shortest_crossing(fabric);
  fabric_note_hops(fabric);
  if (fabric->stall_period < 100 * OPP_MS)
    fabric->stall_period = 100 * OPP_MS;
  fabric->stall_period += watchdog_patience(fabric);
  fabric_watch_deadlocks(fabric);
  if (fabric->feedback != NULL)
    fabric_feedback_attach(fabric->feedback);
  if (fabric_compute_routes(fabric, error) != SGF_OK)
    return error->status;
  fabric_advise(fabric);
  fabric_write_warnings(fabric);
  if (opp_sim_initialize(fabric->sim) != SGF_OK)
    return sgf_error_set(error, SGF_MODEL, "%s", opp_sim_error(fabric->sim)->text);
  return SGF_OK;
}
