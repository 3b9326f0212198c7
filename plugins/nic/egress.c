/* The sending path of a NIC: reservations, fetches, queues (spec/uet-nic.md 5.2, 5.4, 7.3). */
#include "nic/nic.h"

bool nic_reserve(nic_t* nic, unsigned tc, int64_t bytes)
{
  nic_egress_pool_t* pool = &nic->egress[tc];
  if (pool->reserved + bytes > pool->size)
    return false;
  pool->reserved += bytes;
  if (pool->reserved > pool->peak)
    pool->peak = pool->reserved;
  if (nic->flows != NULL)
    nic_flow_in(&nic->flows->egress[tc], bytes, pool->reserved);
  return true;
}

void nic_fetch(nic_t* nic, opp_msg_t* msg, int64_t payload)
{
  if (payload == 0) { /* there is nothing to read (7.2, B15) */
    nic->transport->fetched(nic, msg);
    return;
  }
  msg->kind                = NIC_FETCHED;
  const opp_simtime_t date = sgf_pcie_read(nic->pcie, nic_now(nic), payload);
  opp_schedule_on_line(nic->module, nic->fetches, date, msg);
}

static void turn_round(nic_t* nic, opp_msg_t* msg)
{
  msg->kind = NIC_LOOPED;
  opp_schedule_after(nic->module, 0, msg);
}

void nic_queue(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame = net_frame(msg);
  net_frame_tag(frame, frame->tc, msg->bytes);
  if (frame->dst == nic->address)
    turn_round(nic, msg);
  else
    net_port_queue(&nic->port, msg, frame->tc);
}

void nic_queue_ahead(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame = net_frame(msg);
  net_frame_tag(frame, frame->tc, 0);
  if (frame->dst == nic->address)
    turn_round(nic, msg);
  else
    net_port_queue_pfc(&nic->port, msg);
}

bool nic_try_control(nic_t* nic, opp_msg_t* msg)
{
  const unsigned tc = net_frame(msg)->tc;
  if (nic->waiting_control[tc].first != NULL || !nic_reserve(nic, tc, msg->bytes))
    return false;
  nic_queue(nic, msg);
  return true;
}

void nic_send_control(nic_t* nic, opp_msg_t* msg)
{
  if (!nic_try_control(nic, msg))
    net_queue_push(&nic->waiting_control[net_frame(msg)->tc], msg);
}

/* A frame has left: its reservation ends, and what waited for the room goes on. */
static void release_reservation(nic_t* nic, unsigned tc, int64_t bytes)
{
  nic->egress[tc].reserved -= bytes;
  if (nic->flows != NULL)
    nic_flow_out(&nic->flows->egress[tc], bytes);
  net_queue_t* waiting = &nic->waiting_control[tc];
  while (waiting->first != NULL && nic_reserve(nic, tc, waiting->first->bytes))
    nic_queue(nic, net_queue_pop(waiting));
}

void nic_leave(nic_t* nic, opp_msg_t* msg)
{
  const unsigned tc      = net_frame(msg)->tc;
  const int64_t reserved = net_frame(msg)->charge;
  if (reserved > 0)
    release_reservation(nic, tc, reserved);
  nic->transport->serialised(nic, msg);
  if (reserved > 0)
    nic->transport->room(nic, tc);
}
