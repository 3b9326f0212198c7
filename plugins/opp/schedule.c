/* Scheduling to oneself and sending through gates. */
#include "opp/kernel.h"

/* Whether `self` may hand the message to the kernel now. */
static bool may_use(opp_module_t* self, const opp_msg_t* msg)
{
  if (msg->place != OPP_OWNED)
    opp_rule_broken(self, msg, "it is scheduled or under way already");
  else if (msg->module != self)
    opp_rule_broken(self, msg, "it belongs to another module");
  else
    return true;
  return false;
}

static void stamp(opp_module_t* self, opp_msg_t* msg)
{
  msg->order = (msg->order & UINT64_C(0xffff) << 48) | self->sim->next_insertion++;
  if (msg->cold != NULL) {
    msg->cold->sending_time = self->sim->now;
    msg->cold->sender       = self;
  }
}

/* Put a stamped message on a line, as its head or behind it. */
static void line_put(opp_sim_t* sim, opp_line_t* line, opp_msg_t* msg)
{
  if (!line->head_pending) {
    line->head_pending = true;
    line->last_time    = msg->time;
    msg->line          = line->number;
    opp_event_queue_insert(&sim->events, msg);
  } else if (msg->time < line->last_time) {
    /* It would overtake what is on the line, as when a channel's delay was shortened: an event of its own. */
    opp_event_queue_insert(&sim->events, msg);
  } else {
    line->last_time = msg->time;
    msg->line       = line->number;
    msg->place      = OPP_IN_LINE;
    msg->next       = NULL;
    if (line->last != NULL)
      line->last->next = msg;
    else
      line->first = msg;
    line->last = msg;
  }
}

/* ---- Self messages ----------------------------------------------------------------------------------------------- */

static bool prepare_self_message(opp_module_t* self, opp_simtime_t time, opp_msg_t* msg)
{
  if (!may_use(self, msg))
    return false;
  if (time < self->sim->now) {
    opp_rule_broken(self, msg, "scheduled into the past");
    return false;
  }
  stamp(self, msg);
  msg->time = time;
  msg->gate = 0;
  return true;
}

void opp_schedule_at(opp_module_t* self, opp_simtime_t time, opp_msg_t* msg)
{
  if (prepare_self_message(self, time, msg))
    opp_event_queue_insert(&self->sim->events, msg);
}

void opp_schedule_on_line(opp_module_t* self, opp_line_t* line, opp_simtime_t time, opp_msg_t* msg)
{
  if (prepare_self_message(self, time, msg))
    line_put(self->sim, line, msg);
}

void opp_schedule_after(opp_module_t* self, opp_simtime_t delay, opp_msg_t* msg)
{
  opp_schedule_at(self, self->sim->now + delay, msg);
}

opp_msg_t* opp_cancel_event(opp_module_t* self, opp_msg_t* msg)
{
  if (msg->place == OPP_OWNED)
    return msg;
  if (msg->module != self || msg->gate != 0 || msg->line != 0) {
    opp_rule_broken(self, msg, "only a module's own scheduled message can be cancelled");
    return msg;
  }
  opp_event_queue_remove(&self->sim->events, msg);
  msg->place = OPP_OWNED;
  return msg;
}

void opp_cancel_and_delete(opp_module_t* self, opp_msg_t* msg)
{
  if (msg != NULL)
    opp_msg_delete(opp_cancel_event(self, msg));
}

void opp_reschedule_at(opp_module_t* self, opp_simtime_t time, opp_msg_t* msg)
{
  opp_schedule_at(self, time, opp_cancel_event(self, msg));
}

void opp_reschedule_after(opp_module_t* self, opp_simtime_t delay, opp_msg_t* msg)
{
  opp_reschedule_at(self, self->sim->now + delay, msg);
}

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

static void deliver(opp_module_t* self, opp_msg_t* msg, opp_gate_t* end, opp_line_t* line, opp_simtime_t arrival)
{
  stamp(self, msg);
  msg->time   = arrival;
  msg->module = end->module;
  msg->gate   = (uint16_t)(end->number + 1);
  if (line != NULL)
    line_put(self->sim, line, msg);
  else
    opp_event_queue_insert(&self->sim->events, msg);
}

void opp_send_delayed(opp_module_t* self, opp_msg_t* msg, opp_simtime_t delay, opp_gate_t* gate)
{
  if (gate == NULL || !may_use(self, msg))
    return;
  if (gate->module != self || !gate->output) {
    opp_rule_broken(self, msg, "sent through a gate that is not an output gate of this module");
    return;
  }
  if (delay < 0) {
    opp_rule_broken(self, msg, "sent with a negative delay");
    return;
  }
  if (gate->end == NULL && !opp_gate_resolve(gate)) {
    opp_rule_broken(self, msg, "sent through a gate that is not connected to a simple module");
    return;
  }
  if (gate->disabled) {
    opp_msg_delete(msg);
    return;
  }
  const opp_simtime_t start = self->sim->now + delay;
  opp_simtime_t arrival     = start + gate->delay;
  if (gate->transmission != NULL && msg->flags & OPP_IS_PACKET) {
    opp_transmitter_t* transmitter = &gate->transmission->transmitter;
    if (transmitter->free_at > start) {
      opp_rule_broken(self, msg, "sent on a channel that is busy");
      return;
    }
    const opp_simtime_t finish = opp_transmit(transmitter, start, 8 * (int64_t)msg->bytes);
    if (!gate->end->deliver_immediately)
      arrival = finish + gate->delay;
  }
  deliver(self, msg, gate->end, gate->line, arrival);
}

void opp_send(opp_module_t* self, opp_msg_t* msg, opp_gate_t* gate)
{
  opp_send_delayed(self, msg, 0, gate);
}

void opp_send_direct(opp_module_t* self, opp_msg_t* msg, opp_gate_t* input_gate)
{
  if (input_gate == NULL || !may_use(self, msg))
    return;
  if (input_gate->output || input_gate->module->type == NULL)
    opp_rule_broken(self, msg, "sent directly to a gate that is not an input gate of a simple module");
  else
    deliver(self, msg, input_gate, NULL, self->sim->now);
}
