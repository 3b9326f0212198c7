/* Scheduling to oneself and sending through gates. */
#include "opp/kernel.h"

/* Whether `self` may hand the message to the kernel now. */
static bool may_use(opp_module_t* self, const opp_msg_t* msg)
{
  const char* reason = msg == NULL ? "there is no message" : opp_msg_unusable(msg);
  if (reason == NULL && msg->module != self)
    reason = "it belongs to another module";
  if (reason != NULL)
    opp_rule_broken(self, msg, reason);
  return reason == NULL;
}

/* Times end at OPP_TIME_MAX, where nothing happens. */
static inline opp_simtime_t later(opp_simtime_t time, opp_simtime_t delay)
{
  opp_simtime_t sum;
  return __builtin_add_overflow(time, delay, &sum) ? OPP_TIME_MAX : sum;
}

static void stamp(opp_module_t* self, opp_msg_t* msg)
{
  msg->order = (msg->order & UINT64_C(0xffff) << 48) | self->sim->next_insertion++;
  if (msg->cold != NULL) {
    msg->cold->sending_time = self->sim->now;
    msg->cold->sender       = self;
  }
}

/* Whether the message would run before the last one of the line: its channel's delay was shortened, or it is more
 * urgent. */
static inline bool overtakes(const opp_line_t* line, const opp_msg_t* msg)
{
  return msg->time != line->last_time ? msg->time < line->last_time : msg->order < line->last_order;
}

/* Put a stamped message on a line, as its head or behind it. */
static void line_put(opp_sim_t* sim, opp_line_t* line, opp_msg_t* msg)
{
  if (line->head_pending && overtakes(line, msg)) {
    opp_event_queue_insert(&sim->events, msg);
    return;
  }
  line->last_time  = msg->time;
  line->last_order = msg->order;
  msg->line        = line->number;
  if (!line->head_pending) {
    line->head_pending = true;
    opp_event_queue_insert(&sim->events, msg);
    return;
  }
  msg->place = OPP_IN_LINE;
  msg->next  = NULL;
  if (line->last != NULL)
    line->last->next = msg;
  else
    line->first = msg;
  line->last = msg;
}

/* ---- Self messages ----------------------------------------------------------------------------------------------- */

static bool prepare_self_message(opp_module_t* self, opp_simtime_t time, opp_msg_t* msg)
{
  if (!may_use(self, msg))
    return false;
  if (time < self->sim->now || time == OPP_TIME_MAX) {
    opp_rule_broken(self, msg, time == OPP_TIME_MAX ? "scheduled beyond the end of time" : "scheduled into the past");
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
  opp_schedule_at(self, later(self->sim->now, delay), msg);
}

opp_msg_t* opp_cancel_event(opp_module_t* self, opp_msg_t* msg)
{
  if (msg == NULL)
    opp_rule_broken(self, NULL, "there is no message to cancel");
  else if (!opp_msg_is_scheduled(msg))
    return msg;
  else if (msg->gate != 0)
    opp_rule_broken(self, msg, "cancelled, but it was sent: only a self message can be cancelled");
  else if (msg->module != self)
    opp_rule_broken(self, msg, "cancelled, but another module scheduled it");
  else if (msg->line != 0)
    opp_rule_broken(self, msg, "cancelled, but it is on a line, from which nothing can be taken");
  else {
    opp_event_queue_remove(&self->sim->events, msg);
    msg->place = OPP_OWNED;
  }
  return msg;
}

void opp_cancel_and_delete(opp_module_t* self, opp_msg_t* msg)
{
  if (msg != NULL && may_use(self, opp_cancel_event(self, msg)))
    opp_msg_delete(msg);
}

void opp_reschedule_at(opp_module_t* self, opp_simtime_t time, opp_msg_t* msg)
{
  opp_schedule_at(self, time, opp_cancel_event(self, msg));
}

void opp_reschedule_after(opp_module_t* self, opp_simtime_t delay, opp_msg_t* msg)
{
  opp_reschedule_at(self, later(self->sim->now, delay), msg);
}

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

/* Hand a message to the kernel, to arrive at gate number `gate` of module `to`. */
static void deliver(opp_module_t* self, opp_msg_t* msg, opp_module_t* to, uint16_t gate, opp_line_t* line,
                    opp_simtime_t arrival)
{
  if (arrival == OPP_TIME_MAX) {
    opp_rule_broken(self, msg, "sent beyond the end of time");
    return;
  }
  stamp(self, msg);
  msg->time   = arrival;
  msg->module = to;
  msg->gate   = (uint16_t)(gate + 1);
  if (line != NULL)
    line_put(self->sim, line, msg);
  else
    opp_event_queue_insert(&self->sim->events, msg);
}

/* Whether `self` may send the message through `gate` after `delay`. Resolves the gate's path. */
static bool may_send(opp_module_t* self, const opp_msg_t* msg, opp_simtime_t delay, opp_gate_t* gate)
{
  if (!may_use(self, msg))
    return false;
  const char* reason = NULL;
  if (gate == NULL || gate->module != self || !gate->output)
    reason = "sent through a gate that is not an output gate of this module";
  else if (delay < 0)
    reason = "sent with a negative delay";
  else if (gate->end == NULL && !opp_gate_resolve(gate))
    reason = "sent through a gate that is not connected to a simple module";
  else
    return true;
  opp_rule_broken(self, msg, reason);
  return false;
}

/* Tell those who listen to the signals of channels. `start` of a transmission is negative if there was none. */
static void tell_of_sending(opp_module_t* self, const opp_msg_t* msg, const opp_gate_t* gate, opp_simtime_t start)
{
  const opp_signal_t* signals = self->sim->channel_signals;
  opp_emit_int(self, signals[OPP_MESSAGE_SENT], opp_packet_byte_length(msg));
  if (start < 0)
    return;
  opp_emit_at(self, signals[OPP_CHANNEL_BUSY], start, 1.0);
  opp_emit_at(self, signals[OPP_CHANNEL_BUSY], gate->transmission->transmitter.free_at, 0.0);
}

static void discard(opp_module_t* self, opp_msg_t* msg)
{
  const int64_t bytes = opp_packet_byte_length(msg);
  opp_msg_delete(msg);
  opp_emit_int(self, self->sim->channel_signals[OPP_MESSAGE_DISCARDED], bytes);
}

/* Keep a transmitter busy for a given time from `start` on, at no rate of its own. Returns the end. */
static opp_simtime_t occupy(opp_transmitter_t* transmitter, opp_simtime_t start, opp_simtime_t duration)
{
  transmitter->free_at = later(start, duration);
  transmitter->carry   = 0;
  return transmitter->free_at;
}

/* `duration` of the transmission; 0: as the channel's rate says. */
static inline void send_for(opp_module_t* self, opp_msg_t* msg, opp_simtime_t delay, opp_simtime_t duration,
                            opp_gate_t* gate)
{
  if (!may_send(self, msg, delay, gate))
    return;
  if (gate->disabled) {
    discard(self, msg);
    return;
  }
  opp_simtime_t start   = later(self->sim->now, delay);
  opp_simtime_t arrival = later(start, gate->delay);
  opp_channel_t* rated  = msg->flags & OPP_IS_PACKET ? gate->transmission : NULL;
  if (rated != NULL) {
    start = later(start, gate->delay_before);
    if (rated->transmitter.free_at > start) {
      opp_rule_broken(self, msg, "sent on a channel that is busy");
      return;
    }
    const opp_simtime_t finish = duration > 0 ? occupy(&rated->transmitter, start, duration)
                                              : opp_transmit(&rated->transmitter, start, 8 * (int64_t)msg->bytes);
    if (!gate->end_immediate)
      arrival = later(finish, gate->delay - gate->delay_before);
    if (rated->may_damage && opp_channel_damages(rated, msg))
      msg->flags |= OPP_HAS_BIT_ERROR;
  }
  if (msg->cold != NULL)
    msg->cold->duration = rated != NULL ? rated->transmitter.free_at - start : 0;
  deliver(self, msg, gate->end, gate->end_number, gate->line, arrival);
  if (self->sim->channel_listeners != 0)
    tell_of_sending(self, msg, gate, rated != NULL ? start : -1);
}

void opp_send_delayed(opp_module_t* self, opp_msg_t* msg, opp_simtime_t delay, opp_gate_t* gate)
{
  send_for(self, msg, delay, 0, gate);
}

void opp_send(opp_module_t* self, opp_msg_t* msg, opp_gate_t* gate)
{
  send_for(self, msg, 0, 0, gate);
}

void opp_send_lasting(opp_module_t* self, opp_msg_t* msg, opp_simtime_t duration, opp_gate_t* gate)
{
  if (duration < 0)
    opp_rule_broken(self, msg, "sent for a negative time");
  else
    send_for(self, msg, 0, duration, gate);
}

void opp_send_direct(opp_module_t* self, opp_msg_t* msg, opp_gate_t* input_gate)
{
  if (!may_use(self, msg))
    return;
  if (input_gate == NULL || input_gate->output || input_gate->module->type == NULL)
    opp_rule_broken(self, msg, "sent directly to a gate that is not an input gate of a simple module");
  else
    deliver(self, msg, input_gate->module, input_gate->number, NULL, self->sim->now);
}
