/* The receive path of a NIC: charging, drops, pauses, writes to the host (spec/uet-nic.md 5.5, 6.1, 7.5). */
#include "nic/nic.h"

/* ---- Pauses (6.1) ------------------------------------------------------------------------------------------------ */

static void send_pause(nic_t* nic, unsigned tc)
{
  nic_ingress_pool_t* pool = &nic->ingress[tc];
  pool->pause_outstanding  = true;
  pfc_send(&nic->pfc, tc, pool->quanta);
  pfc_refresh_start(&pool->refresh, nic->module);
}

static void send_resume(nic_t* nic, unsigned tc)
{
  nic_ingress_pool_t* pool = &nic->ingress[tc];
  pool->pause_outstanding  = false;
  pfc_refresh_stop(&pool->refresh, nic->module);
  pfc_send(&nic->pfc, tc, 0);
}

void nic_refresh_due(nic_t* nic, unsigned tc)
{
  if (nic->ingress[tc].occupancy >= nic->ingress[tc].xoff)
    send_pause(nic, tc);
  else
    send_resume(nic, tc);
}

/* ---- Charging (5.5) ---------------------------------------------------------------------------------------------- */

void nic_arrive(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame = net_frame(msg);
  if (frame->type == NET_FRAME_PFC) {
    pfc_receive(&nic->peer, msg);
    return;
  }
  const unsigned tc        = nic->transport->receive_class(nic, frame);
  const int64_t bytes      = net_ip_bytes(msg);
  nic_ingress_pool_t* pool = &nic->ingress[tc];
  /* Xoff is looked at before admission: a packet that is then dropped still causes its pause. */
  if (pool->pfc_enabled && !pool->pause_outstanding && pool->occupancy + bytes >= pool->xoff)
    send_pause(nic, tc);
  if (pool->occupancy + bytes > pool->size) {
    nic->rx_drops++;
    nic->class_drops[tc]++;
    opp_msg_delete(msg);
    return;
  }
  pool->occupancy += bytes;
  if (pool->occupancy > pool->peak)
    pool->peak = pool->occupancy;
  if (nic->flows != NULL)
    nic_flow_in(&nic->flows->ingress[tc], bytes, pool->occupancy);
  net_frame_tag(frame, tc, bytes);
  nic->transport->received(nic, msg);
}

void nic_release(nic_t* nic, const net_frame_t* frame)
{
  nic_ingress_pool_t* pool = &nic->ingress[frame->tc];
  pool->occupancy -= frame->charge;
  if (nic->flows != NULL)
    nic_flow_out(&nic->flows->ingress[frame->tc], frame->charge);
  if (pool->pause_outstanding && pool->occupancy <= pool->xon)
    send_resume(nic, frame->tc);
}

/* ---- Writes to the host (7.5) ------------------------------------------------------------------------------------ */

void nic_accept_writes(nic_t* nic)
{
  const opp_simtime_t now = nic_now(nic);
  while (nic->writes.first != NULL) {
    opp_msg_t* msg           = nic->writes.first;
    const int64_t payload    = nic->transport->payload(msg);
    const opp_simtime_t room = sgf_pcie_write_room(nic->pcie, now, payload);
    if (room > now) {
      opp_reschedule_at(nic->module, room, nic->write_room);
      return;
    }
    net_queue_pop(&nic->writes);
    const opp_simtime_t date = sgf_pcie_write(nic->pcie, now, payload);
    nic_release(nic, net_frame(msg));
    nic->transport->written(nic, msg, date);
  }
}

void nic_write(nic_t* nic, opp_msg_t* msg)
{
  const bool first = nic->writes.first == NULL;
  net_queue_push(&nic->writes, msg);
  if (first)
    nic_accept_writes(nic);
}
