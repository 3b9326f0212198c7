/* The sending side of a port: see port.h. */
#include "net/port.h"

void net_queue_push(net_queue_t* queue, opp_msg_t* frame)
{
  frame->next = NULL;
  if (queue->last != NULL)
    queue->last->next = frame;
  else
    queue->first = frame;
  queue->last = frame;
}

opp_msg_t* net_queue_pop(net_queue_t* queue)
{
  opp_msg_t* frame = queue->first;
  queue->first     = frame->next;
  if (queue->first == NULL)
    queue->last = NULL;
  return frame;
}

void net_port_init(net_port_t* port, opp_module_t* owner, opp_gate_t* gate, int kind, uint32_t number)
{
  *port                   = (net_port_t){.owner = owner, .gate = gate};
  port->cable             = opp_gate_transmission_channel(gate);
  port->serialised        = opp_timer_new(owner, kind, NET_PRIORITY_SERIALISED);
  port->serialised->bytes = number;
}

static void gauge_more(net_gauge_t* gauge, const opp_msg_t* frame, unsigned tc)
{
  gauge->bytes[tc] += frame->bytes;
  if (gauge->bytes[tc] >= gauge->level[tc])
    gauge->reached(gauge->user);
}

/* A frame joins a class that is held. What it says of its arrival is no longer needed; now that is when it began to
 * wait here. */
static void note_wait(net_port_t* port, opp_msg_t* frame, unsigned tc)
{
  frame->time = opp_now(port->owner);
  if (!(port->backlog >> tc & 1))
    port->backlogged_since[tc] = frame->time;
}

void net_port_queue(net_port_t* port, opp_msg_t* frame, unsigned tc)
{
  const unsigned bit = 1U << tc;
  if (port->gauged)
    gauge_more(port->gauge, frame, tc);
  net_queue_push(&port->queues[tc], frame);
  if (port->held & bit)
    note_wait(port, frame, tc);
  port->backlog |= (uint8_t)bit;
  net_port_start(port);
}

void net_port_queue_pfc(net_port_t* port, opp_msg_t* frame)
{
  net_queue_push(&port->pfc_queue, frame);
  port->pfc_waits = true;
  net_port_start(port);
}

/* The class that sends next, of those that have a frame and are not held; NET_CLASSES: none. */
static unsigned next_class(const net_port_t* port)
{
  const unsigned eligible = port->backlog & ~(unsigned)port->held;
  if (eligible == 0)
    return NET_CLASSES;
  if (port->turns != NULL)
    return net_turns_next(port->turns, eligible);
  return 31 - (unsigned)__builtin_clz(eligible);
}

/* The first frame of a class that has one. */
static inline opp_msg_t* take(net_port_t* port, unsigned tc)
{
  opp_msg_t* frame = net_queue_pop(&port->queues[tc]);
  if (port->queues[tc].first == NULL)
    port->backlog &= (uint8_t) ~(1U << tc);
  return frame;
}

opp_msg_t* net_port_take(net_port_t* port, unsigned tc)
{
  if (port->queues[tc].first == NULL)
    return NULL;
  if (port->gauged)
    port->gauge->bytes[tc] -= port->queues[tc].first->bytes;
  return take(port, tc);
}

/* The frame that goes next, and how long it takes; 0: as long as the cable's rate says. */
static opp_msg_t* next_frame(net_port_t* port, opp_simtime_t* duration)
{
  *duration = 0;
  if (port->pfc_waits) {
    opp_msg_t* pause = net_queue_pop(&port->pfc_queue);
    port->pfc_waits  = port->pfc_queue.first != NULL;
    return pause;
  }
  const unsigned tc = next_class(port);
  if (tc == NET_CLASSES)
    return NULL;
  opp_msg_t* frame = take(port, tc);
  if (port->starting != NULL)
    *duration = port->starting(port->owner, port->serialised->bytes, frame);
  return frame;
}

void net_port_start(net_port_t* port)
{
  if (port->on_wire != NULL)
    return;
  const bool ahead = port->pfc_waits;
  opp_simtime_t duration;
  opp_msg_t* frame = next_frame(port, &duration);
  if (frame == NULL)
    return;
  const net_frame_t* fields = net_frame(frame);
  port->departure           = (net_departure_t){.charge  = fields->charge,
                                                .in_port = fields->in_port,
                                                .in_tc   = fields->in_tc,
                                                .tc      = fields->tc,
                                                .type    = ahead ? NET_FRAME_PFC : fields->type};
  port->on_wire             = frame;
  port->frames++;
  port->bytes += frame->bytes;
  opp_send_lasting(port->owner, frame, duration, port->gate);
  const opp_simtime_t end = opp_channel_finish_time(port->cable);
  port->busy += end - opp_now(port->owner);
  opp_schedule_at(port->owner, end, port->serialised);
  if ((port->watch_all || fields->closing) && port->watch != NULL)
    port->watch(port->watch_user, frame, frame->time);
}

opp_msg_t* net_port_end(net_port_t* port)
{
  opp_msg_t* frame = port->on_wire;
  port->on_wire    = NULL;
  if (port->gauged && port->departure.type != NET_FRAME_PFC)
    port->gauge->bytes[port->departure.tc] -= frame->bytes;
  return frame;
}

uint64_t net_port_sent_frames(const net_port_t* port)
{
  return port->frames - (port->on_wire != NULL);
}

uint64_t net_port_sent_bytes(const net_port_t* port)
{
  return port->bytes - (port->on_wire != NULL ? port->on_wire->bytes : 0);
}

int64_t net_port_held_bytes(const net_port_t* port, unsigned tc)
{
  if (port->gauged)
    return port->gauge->bytes[tc];
  const bool is_leaving = port->on_wire != NULL && port->departure.type != NET_FRAME_PFC && port->departure.tc == tc;
  int64_t bytes         = is_leaving ? port->on_wire->bytes : 0;
  for (const opp_msg_t* frame = port->queues[tc].first; frame != NULL; frame = frame->next)
    bytes += frame->bytes;
  return bytes;
}

void net_port_gauge(net_port_t* port, net_gauge_t* gauge)
{
  port->gauged = false;
  port->gauge  = gauge;
  for (unsigned tc = 0; gauge != NULL && tc < NET_CLASSES; tc++)
    gauge->bytes[tc] = net_port_held_bytes(port, tc);
  port->gauged = gauge != NULL;
}

bool net_port_is_empty(const net_port_t* port)
{
  return port->on_wire == NULL && port->backlog == 0 && !port->pfc_waits;
}

size_t net_port_queue_length(const net_port_t* port, unsigned tc)
{
  size_t length = 0;
  for (const opp_msg_t* frame = port->queues[tc].first; frame != NULL; frame = frame->next)
    length++;
  return length;
}

int64_t net_port_bps(const net_port_t* port)
{
  return opp_channel_get_datarate(port->cable);
}

opp_simtime_t net_port_duration(const net_port_t* port, int64_t bytes)
{
  return opp_rate_duration(port->cable->transmitter.rate, 8 * bytes);
}

opp_simtime_t net_port_delay(const net_port_t* port)
{
  return opp_channel_get_delay(port->cable);
}
