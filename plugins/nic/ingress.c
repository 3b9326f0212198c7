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
  if (nic->episodes != NULL)
    pfc_episode_end(nic->episodes, 0, tc);
}

void nic_refresh_due(nic_t* nic, unsigned tc)
{
  if (nic->ingress[tc].occupancy >= nic->ingress[tc].xoff)
    send_pause(nic, tc);
  else
    send_resume(nic, tc);
}

/* A frame has come from the cable to a pool that is paused, or any frame pauses it: for those who measure pauses. */
__attribute__((cold)) static void note_arrival(const nic_t* nic, unsigned tc, int64_t bytes, bool decides)
{
  const nic_ingress_pool_t* pool = &nic->ingress[tc];
  const bool is_admitted         = pool->occupancy + bytes <= pool->size;
  const int64_t above            = pool->occupancy + (is_admitted ? bytes : 0) - pool->xoff;
  if (decides)
    pfc_episode_begin(nic->episodes, 0, tc, nic_now(nic), above);
  else
    pfc_episode_arrival(nic->episodes, 0, tc, nic_now(nic), bytes, above);
}

/* Xoff is looked at before admission: a packet that is then dropped still causes its pause. */
static void consider_pause(nic_t* nic, unsigned tc, int64_t bytes, const net_frame_t* frame)
{
  const nic_ingress_pool_t* pool = &nic->ingress[tc];
  const bool decides             = !pool->pause_outstanding && pool->occupancy + bytes >= pool->xoff;
  if (decides)
    send_pause(nic, tc);
  if (pool->pause_outstanding && nic->episodes != NULL && (decides || frame->src != nic->address))
    note_arrival(nic, tc, bytes, decides);
}

/* ---- Charging (5.5) ---------------------------------------------------------------------------------------------- */

static void receive_pause(nic_t* nic, opp_msg_t* msg)
{
  if (nic->ignores_pauses)
    pfc_ignore(&nic->peer, msg);
  else
    pfc_receive(&nic->peer, msg);
}

void nic_arrive(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame = net_frame(msg);
  if (frame->type == NET_FRAME_PFC) {
    receive_pause(nic, msg);
    return;
  }
  const unsigned tc        = nic->transport->receive_class(nic, frame);
  const int64_t bytes      = nic_charge(&nic->transport->traits, msg->bytes);
  nic_ingress_pool_t* pool = &nic->ingress[tc];
  if (pool->pfc_enabled)
    consider_pause(nic, tc, bytes, frame);
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

/* PCIe is one FIFO: what has no payload is written when what arrived before it is. */
static void accept_write(nic_t* nic, int64_t payload)
{
  const opp_simtime_t now = nic_now(nic);
  opp_msg_t* msg          = net_queue_pop(&nic->writes);
  if (payload > 0) {
    nic->last_write = sgf_pcie_write(nic->pcie, now, payload);
    nic_release(nic, net_frame(msg));
  }
  nic->transport->written(nic, msg, nic->last_write > now ? nic->last_write : now);
}

void nic_accept_writes(nic_t* nic)
{
  const opp_simtime_t now = nic_now(nic);
  while (nic->writes.first != NULL) {
    const int64_t payload    = nic->transport->payload(nic->writes.first);
    const opp_simtime_t room = payload > 0 ? sgf_pcie_write_room(nic->pcie, now, payload) : now;
    if (room > now) {
      opp_reschedule_at(nic->module, room, nic->write_room);
      return;
    }
    accept_write(nic, payload);
  }
}

void nic_write(nic_t* nic, opp_msg_t* msg)
{
  const bool first         = nic->writes.first == NULL;
  const net_frame_t* frame = net_frame(msg);
  if (nic->transport->payload(msg) == 0)
    nic_release(nic, frame);
  net_queue_push(&nic->writes, msg);
  if (first)
    nic_accept_writes(nic);
}
