/* Pause frames and their timers: see pfc.h. */
#include "pfc/pfc.h"

opp_simtime_t pfc_pause_time(uint32_t quanta, int64_t bps, opp_simtime_t delay)
{
  return opp_rate_duration(opp_rate(bps), (int64_t)quanta * PFC_QUANTUM_BITS) + delay;
}

/* ---- Receiving --------------------------------------------------------------------------------------------------- */

void pfc_receiver_init(pfc_receiver_t* receiver, net_port_t* port, int kind, uint32_t number)
{
  *receiver              = (pfc_receiver_t){.port = port};
  receiver->timer        = opp_timer_new(port->owner, kind, NET_PRIORITY_TIMER);
  receiver->timer->bytes = number;
}

static void hold(pfc_receiver_t* receiver, unsigned tc, opp_simtime_t until)
{
  net_port_t* port = receiver->port;
  if (!(port->held >> tc & 1)) {
    port->held |= (uint8_t)(1U << tc);
    receiver->since[tc] = opp_now(port->owner);
  }
  receiver->until[tc] = until;
}

static void release(pfc_receiver_t* receiver, unsigned tc)
{
  net_port_t* port = receiver->port;
  if (port->held >> tc & 1) {
    port->held &= (uint8_t) ~(1U << tc);
    receiver->paused[tc] += opp_now(port->owner) - receiver->since[tc];
  }
}

/* Let the timer wait for the earliest end of a hold. */
static void set_timer(pfc_receiver_t* receiver)
{
  net_port_t* port       = receiver->port;
  opp_simtime_t earliest = OPP_TIME_MAX;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (port->held >> tc & 1 && receiver->until[tc] < earliest)
      earliest = receiver->until[tc];
  if (earliest == OPP_TIME_MAX)
    opp_cancel_event(port->owner, receiver->timer);
  else
    opp_reschedule_at(port->owner, earliest, receiver->timer);
}

void pfc_receive(pfc_receiver_t* receiver, opp_msg_t* frame)
{
  net_port_t* port      = receiver->port;
  const unsigned tc     = net_frame(frame)->pfc.tc;
  const uint32_t quanta = net_frame(frame)->pfc.quanta;
  opp_msg_delete(frame);
  if (quanta > 0) {
    receiver->pauses[tc]++;
    hold(receiver, tc, opp_now(port->owner) + pfc_pause_time(quanta, net_port_bps(port), net_port_delay(port)));
  } else {
    receiver->resumes[tc]++;
    release(receiver, tc);
  }
  set_timer(receiver);
  if (quanta == 0)
    net_port_start(port);
}

void pfc_receiver_expire(pfc_receiver_t* receiver)
{
  net_port_t* port = receiver->port;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (receiver->until[tc] <= opp_now(port->owner))
      release(receiver, tc);
  set_timer(receiver);
  net_port_start(port);
}

opp_simtime_t pfc_receiver_paused(const pfc_receiver_t* receiver, unsigned tc)
{
  const net_port_t* port = receiver->port;
  opp_simtime_t paused   = receiver->paused[tc];
  if (port->held >> tc & 1)
    paused += opp_now(port->owner) - receiver->since[tc];
  return paused;
}

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

void pfc_send(pfc_sender_t* sender, unsigned tc, uint16_t quanta)
{
  opp_msg_t* msg     = opp_frame_new(sender->port->owner, 0, PFC_FRAME_BYTES);
  net_frame_t* frame = net_frame(msg);
  frame->type        = NET_FRAME_PFC;
  frame->pfc.quanta  = quanta;
  frame->pfc.tc      = (uint8_t)tc;
  if (quanta > 0)
    sender->pauses[tc]++;
  else
    sender->resumes[tc]++;
  net_port_queue_pfc(sender->port, msg);
}

void pfc_refresh_init(pfc_refresh_t* refresh, opp_module_t* owner, int kind, uint32_t number, opp_simtime_t pause_time)
{
  refresh->timer        = opp_timer_new(owner, kind, NET_PRIORITY_TIMER);
  refresh->timer->bytes = number;
  refresh->period       = pause_time / 2;
}

void pfc_refresh_start(pfc_refresh_t* refresh, opp_module_t* owner)
{
  opp_reschedule_after(owner, refresh->period, refresh->timer);
}

void pfc_refresh_stop(pfc_refresh_t* refresh, opp_module_t* owner)
{
  opp_cancel_event(owner, refresh->timer);
}
