/* A NIC as a module: set-up, events, end. */
#include "nic/nic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "attr/alloc.h"

static void handle_message(opp_module_t* self, opp_msg_t* msg)
{
  nic_t* nic = nic_of(self);
  if (msg->gate != 0) {
    nic->rx_frames++;
    nic->rx_bytes += msg->bytes;
    nic_arrive(nic, msg);
    return;
  }
  switch (msg->kind) {
    case NIC_SERIALISED: {
      opp_msg_t* frame = net_port_end(&nic->port);
      if (net_frame(frame)->type != NET_FRAME_PFC)
        nic_leave(nic, frame);
      net_port_start(&nic->port);
      break;
    }
    case NIC_LOOPED:
      nic_leave(nic, msg);
      nic_arrive(nic, msg);
      break;
    case NIC_FETCHED:
      nic->transport->fetched(nic, msg);
      break;
    case NIC_WRITE_ROOM:
      nic_accept_writes(nic);
      break;
    case NIC_HOLD_ENDS:
      pfc_receiver_expire(&nic->peer);
      break;
    case NIC_REFRESH:
      nic_refresh_due(nic, msg->bytes);
      break;
    default:
      nic->transport->timer(nic, msg);
  }
}

static opp_simtime_t starting(opp_module_t* self, uint32_t number, opp_msg_t* frame)
{
  (void)number; /* there is one port */
  nic_t* nic = nic_of(self);
  return nic->transport->starting(nic, frame);
}

static void setup_port(nic_t* nic)
{
  opp_module_t* self = nic->module;
  net_port_init(&nic->port, self, opp_gate(self, "port$o", 0), NIC_SERIALISED, 0);
  if (nic->transport->starting != NULL)
    nic->port.starting = starting;
  if (nic->turns.classes != 0)
    nic->port.turns = &nic->turns;
  pfc_receiver_init(&nic->peer, &nic->port, NIC_HOLD_ENDS, 0);
  pfc_sender_init(&nic->pfc, &nic->port, (pfc_layout_t){.bytes = nic->transport->traits.pause_bytes});
  nic->fetches    = opp_line_new(opp_module_sim(self));
  nic->write_room = opp_timer_new(self, NIC_WRITE_ROOM, NET_PRIORITY_TIMER);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
    nic_ingress_pool_t* pool = &nic->ingress[tc];
    if (pool->pfc_enabled)
      pfc_refresh_init(&pool->refresh, self, NIC_REFRESH, tc,
                       pfc_pause_time(pool->quanta, net_port_bps(&nic->port), net_port_delay(&nic->port)));
  }
}

sgf_status_t nic_setup(opp_module_t* module, const nic_transport_t* transport, const void* block, uint32_t address,
                       uint32_t first_host, uint32_t host_count, nic_owner_t owner, nic_warn_cb warn, void* warn_user,
                       sgf_error_t* error)
{
  const nic_block_t* config = block;
  nic_t* nic                = nic_of(module);
  nic->module               = module;
  nic->transport            = transport;
  nic->owner                = owner;
  nic->address              = address;
  nic->first_host           = first_host;
  nic->host_count           = host_count;
  nic->ignores_pauses       = transport->traits.ignores_pauses;
  nic->state                = sgf_calloc(1, transport->state_size);

  if (nic_pools_setup(nic, &config->common, transport->classes(block), transport->largest_frame(block), warn, warn_user,
                      error) != SGF_OK)
    return error->status;
  nic->pcie = sgf_pcie_new(&config->pcie, transport->largest_payload(block), error);
  if (nic->pcie == NULL)
    return error->status;
  setup_port(nic);
  return transport->setup(nic, block, error);
}

bool nic_is_empty(const nic_t* nic, char* what, size_t size)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
    if (nic->egress[tc].reserved != 0) {
      snprintf(what, size, "transmit pool %u holds %" PRId64 " B", tc, nic->egress[tc].reserved);
      return false;
    }
    if (nic->ingress[tc].occupancy != 0) {
      snprintf(what, size, "receive pool %u holds %" PRId64 " B", tc, nic->ingress[tc].occupancy);
      return false;
    }
    if (nic->waiting_control[tc].first != NULL) {
      snprintf(what, size, "a control frame of class %u waits for room in its transmit pool", tc);
      return false;
    }
  }
  if (nic->writes.first != NULL || !net_port_is_empty(&nic->port)) {
    snprintf(what, size, "%s", nic->writes.first != NULL ? "a write waits for PCIe" : "a frame waits at the port");
    return false;
  }
  const char* held = nic->transport->holds != NULL ? nic->transport->holds(nic) : NULL;
  if (held != NULL)
    snprintf(what, size, "%s", held);
  return held == NULL;
}

static void destroy(opp_module_t* self)
{
  nic_t* nic = nic_of(self);
  if (nic->transport != NULL)
    nic->transport->destroy(nic);
  pfc_receiver_free(&nic->peer);
  sgf_pcie_free(nic->pcie);
  free(nic->flows);
  free(nic->state);
}

const opp_module_type_t nic_module_type = {
    .name           = "nic",
    .state_size     = sizeof(nic_t),
    .handle_message = handle_message,
    .destroy        = destroy,
};
