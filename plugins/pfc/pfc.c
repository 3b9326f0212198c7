/* Pause frames and their timers: see pfc.h. */
#include "pfc/pfc.h"

#include <stdlib.h>

#include "attr/alloc.h"

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
  receiver->holds        = sgf_calloc(NET_CLASSES, sizeof *receiver->holds);
}

void pfc_receiver_free(pfc_receiver_t* receiver)
{
  free(receiver->holds);
}

static bool is_set(unsigned classes, unsigned tc)
{
  return classes >> tc & 1;
}

/* A stretch that began at `since` and ends now, or is looked at now. */
static void add_stretch(pfc_stretches_t* stretches, opp_simtime_t since, opp_simtime_t interval, opp_simtime_t now)
{
  const opp_simtime_t in_interval = now - (since > interval ? since : interval);
  stretches->total += now - since;
  if (in_interval > stretches->longest)
    stretches->longest = in_interval;
}

static void hold(pfc_receiver_t* receiver, unsigned tc, opp_simtime_t until)
{
  net_port_t* port = receiver->port;
  if (!is_set(port->held, tc)) {
    port->held |= (uint8_t)(1U << tc);
    receiver->holds[tc].since  = opp_now(port->owner);
    port->backlogged_since[tc] = opp_now(port->owner); /* if there is a backlog; or else from the first frame on */
    if (receiver->observer != NULL)
      receiver->observer->begins(receiver->observer->user, tc);
  }
  receiver->holds[tc].until = until;
}

static void release(pfc_receiver_t* receiver, unsigned tc)
{
  net_port_t* port = receiver->port;
  if (is_set(port->held, tc)) {
    if (receiver->observer != NULL)
      receiver->observer->ends(receiver->observer->user, tc);
    receiver->holds[tc].paused     = pfc_receiver_holds(receiver, tc);
    receiver->holds[tc].backlogged = pfc_receiver_backlogged_holds(receiver, tc);
    port->held &= (uint8_t) ~(1U << tc);
  }
}

/* Let the timer wait for the earliest end of a hold. */
static void set_timer(pfc_receiver_t* receiver)
{
  net_port_t* port       = receiver->port;
  opp_simtime_t earliest = OPP_TIME_MAX;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (is_set(port->held, tc) && receiver->holds[tc].until < earliest)
      earliest = receiver->holds[tc].until;
  if (earliest == OPP_TIME_MAX)
    opp_cancel_event(port->owner, receiver->timer);
  else
    opp_reschedule_at(port->owner, earliest, receiver->timer);
}

static void count_received(pfc_receiver_t* receiver, const net_frame_t* frame)
{
  uint64_t* count = frame->pfc.quanta > 0 ? receiver->pauses : receiver->resumes;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    count[tc] += is_set(frame->pfc.classes, tc);
}

void pfc_ignore(pfc_receiver_t* receiver, opp_msg_t* frame)
{
  count_received(receiver, net_frame(frame));
  opp_msg_delete(frame);
}

void pfc_receive(pfc_receiver_t* receiver, opp_msg_t* frame)
{
  net_port_t* port          = receiver->port;
  const unsigned classes    = net_frame(frame)->pfc.classes & ~(unsigned)receiver->ignored;
  const uint32_t quanta     = net_frame(frame)->pfc.quanta;
  const opp_simtime_t until = opp_now(port->owner) + pfc_pause_time(quanta, net_port_bps(port), net_port_delay(port));
  count_received(receiver, net_frame(frame));
  opp_msg_delete(frame);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
    if (!is_set(classes, tc))
      continue;
    if (quanta > 0)
      hold(receiver, tc, until);
    else
      release(receiver, tc);
  }
  set_timer(receiver);
  if (quanta == 0)
    net_port_start(port);
}

void pfc_receiver_ignore(pfc_receiver_t* receiver, unsigned tc, bool ignored)
{
  if (!ignored) {
    receiver->ignored &= (uint8_t) ~(1U << tc);
    return;
  }
  receiver->ignored |= (uint8_t)(1U << tc);
  release(receiver, tc);
  set_timer(receiver);
}

void pfc_receiver_expire(pfc_receiver_t* receiver)
{
  net_port_t* port = receiver->port;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (receiver->holds[tc].until <= opp_now(port->owner))
      release(receiver, tc);
  set_timer(receiver);
  net_port_start(port);
}

opp_simtime_t pfc_receiver_paused(const pfc_receiver_t* receiver, unsigned tc)
{
  return pfc_receiver_holds(receiver, tc).total;
}

pfc_stretches_t pfc_receiver_holds(const pfc_receiver_t* receiver, unsigned tc)
{
  const net_port_t* port = receiver->port;
  pfc_stretches_t holds  = receiver->holds[tc].paused;
  if (is_set(port->held, tc))
    add_stretch(&holds, receiver->holds[tc].since, receiver->holds[tc].interval, opp_now(port->owner));
  return holds;
}

/* While a class is held its queue only grows: a backlog lasts to the end of the hold. */
pfc_stretches_t pfc_receiver_backlogged_holds(const pfc_receiver_t* receiver, unsigned tc)
{
  const net_port_t* port = receiver->port;
  pfc_stretches_t holds  = receiver->holds[tc].backlogged;
  if (is_set(port->held & port->backlog, tc))
    add_stretch(&holds, port->backlogged_since[tc], receiver->holds[tc].interval, opp_now(port->owner));
  return holds;
}

void pfc_receiver_next_interval(pfc_receiver_t* receiver, unsigned tc)
{
  receiver->holds[tc].interval           = opp_now(receiver->port->owner);
  receiver->holds[tc].paused.longest     = 0;
  receiver->holds[tc].backlogged.longest = 0;
}

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

void pfc_sender_init(pfc_sender_t* sender, net_port_t* port, pfc_layout_t layout)
{
  *sender = (pfc_sender_t){.port = port, .layout = layout};
}

static void send_frame(pfc_sender_t* sender, unsigned classes, uint16_t quanta)
{
  opp_msg_t* msg     = opp_frame_new(sender->port->owner, 0, sender->layout.bytes);
  net_frame_t* frame = net_frame(msg);
  frame->type        = NET_FRAME_PFC;
  frame->pfc.quanta  = quanta;
  frame->pfc.classes = (uint8_t)classes;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (is_set(classes, tc))
      ++*(quanta > 0 ? &sender->pauses[tc] : &sender->resumes[tc]);
  for (unsigned tc = 0; quanta > 0 && sender->observer != NULL && tc < NET_CLASSES; tc++)
    if (is_set(classes, tc))
      sender->observer->asks(sender->observer->user, tc);
  net_port_queue_pfc(sender->port, msg);
}

void pfc_send(pfc_sender_t* sender, unsigned tc, uint16_t quanta)
{
  send_frame(sender, 1U << tc, quanta);
}

void pfc_send_group(pfc_sender_t* sender, unsigned group, uint16_t quanta)
{
  if (sender->layout.vector) {
    send_frame(sender, group, quanta);
    return;
  }
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (is_set(group, tc))
      pfc_send(sender, tc, quanta);
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
