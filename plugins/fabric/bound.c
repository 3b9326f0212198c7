/* A bound of the next awaited completion (design.md, the actor seat).
 *
 * Two kinds of reason keep an operation from completing before a date. Firm ones hold whatever is posted meanwhile:
 * bytes that have not been serialised or have not arrived, and the arrival date of a frame that is on the last cable. A
 * soft one holds only until something is posted: before the next event of the engine nothing can put such a frame on
 * that cable.
 *
 * A module that a user has inserted on a host's cable may keep frames and let them go at any event. What comes to that
 * host is then bounded by its sender's cable alone, and by the next event. */
#include "fabric/fabric_internal.h"

typedef struct bound {
  opp_simtime_t firm;
  opp_simtime_t soft;
} bound_t;

static const bound_t never = {OPP_TIME_MAX, OPP_TIME_MAX};

static opp_simtime_t later(opp_simtime_t a, opp_simtime_t b)
{
  return a > b ? a : b;
}

static opp_simtime_t earlier(opp_simtime_t a, opp_simtime_t b)
{
  return a < b ? a : b;
}

/* A date that may be OPP_TIME_MAX, never. */
static opp_simtime_t after(opp_simtime_t date, opp_simtime_t duration)
{
  return date > OPP_TIME_MAX - duration ? OPP_TIME_MAX : date + duration;
}

static bound_t earlier_bound(bound_t a, bound_t b)
{
  return (bound_t){earlier(a.firm, b.firm), earlier(a.soft, b.soft)};
}

/* ---- Shortest times ---------------------------------------------------------------------------------------------- */

static opp_simtime_t line_time(const net_port_t* port, int64_t bytes)
{
  return bytes > 0 ? net_port_duration(port, bytes) : 0;
}

/* Least time in which a frame crosses a cable between two switches. */
static opp_simtime_t hop_time(const sgf_fabric_t* fabric, int64_t bytes)
{
  return fabric->hop_rate.bps > 0 ? opp_rate_duration(fabric->hop_rate, 8 * bytes) + fabric->hop_delay : 0;
}

/* Least time from the end of a frame's serialisation at its sender to its arrival: over the sender's cable, those
 * between switches on the shortest way, and the receiver's. */
static opp_simtime_t shortest_way(const sgf_device_t* from, const sgf_device_t* to, int64_t bytes)
{
  const net_port_t* out = &fabric_nic(from)->port;
  if (from->ports[0].peer == to)
    return net_port_delay(out);
  const net_port_t* in        = fabric_port_into(to);
  const opp_simtime_t between = fabric_distance(from, to) * hop_time(from->fabric, bytes);
  return net_port_delay(out) + between + line_time(in, bytes) + net_port_delay(in);
}

/* Bytes on the wire of the shortest data packet, or acknowledgement, that a host sends. */
static int64_t shortest_data(const sgf_device_t* host)
{
  return host->transport->traits.shortest_data;
}

static int64_t shortest_ack(const sgf_device_t* host)
{
  return host->transport->traits.shortest_ack;
}

/* Bytes of a write that may be on its destination's cable: serialised and not arrived, or begun. */
static int64_t on_cable(const sgf_op_t* write)
{
  const net_port_t* in = fabric_port_into(write->dst);
  const int64_t gbps   = net_port_bps(in) / 1000000000 + 1;
  return (net_port_delay(in) / 1000 + 1) * gbps / 8 + 2 * write->src->largest_frame;
}

/* Nothing can put a completing frame on the host's cable before the next event, and then it has to cross. */
static opp_simtime_t after_event(const sgf_device_t* host, opp_simtime_t next)
{
  if (fabric_host_is_tapped(host))
    return next;
  const net_port_t* in = fabric_port_into(host);
  const int64_t data   = shortest_data(host);
  const int64_t ack    = shortest_ack(host);
  return after(next, line_time(in, data < ack ? data : ack) + net_port_delay(in));
}

/* ---- One operation ----------------------------------------------------------------------------------------------- */

typedef struct state_of_write {
  opp_simtime_t from; /* it cannot have begun before */
  nic_progress_t sent;
  nic_progress_t received;
} state_of_write_t;

/* When the last byte of a write can have arrived at its destination. */
static opp_simtime_t arrival(const sgf_op_t* write, const state_of_write_t* state)
{
  const int64_t shortest   = shortest_data(write->src);
  const opp_simtime_t from = state->from;
  const int64_t unsent     = state->sent.unsent_bytes;
  const int64_t unreceived = state->received.unreceived_bytes;
  opp_simtime_t bound      = from;
  if (unsent > 0) /* the frame on the wire counts as unsent: leave one out */
    bound = later(bound, from + line_time(&fabric_nic(write->src)->port, unsent - write->src->largest_frame) +
                             shortest_way(write->src, write->dst, shortest));
  if (unreceived > 0 && !fabric_host_is_tapped(write->dst))
    bound = later(bound, from + line_time(fabric_port_into(write->dst), unreceived - on_cable(write)));
  if (state->sent.last_generated > from)
    bound = later(bound, after(state->sent.last_generated, line_time(&fabric_nic(write->src)->port, shortest) +
                                                               shortest_way(write->src, write->dst, shortest)));
  return bound;
}

/* When the last packet of a held write can be generated, if its own rate paces it: what comes before is at least this
 * much. */
static opp_simtime_t last_generated(const sgf_op_t* write, opp_simtime_t from)
{
  const int64_t bps   = nic_pacing_bps(fabric_nic(write->src), &write->message);
  const int64_t bytes = (int64_t)write->bytes - write->src->largest_frame;
  return bps > 0 && bytes > 0 ? after(from, opp_rate_duration(opp_rate(bps), 8 * bytes)) : 0;
}

static state_of_write_t look_at(const sgf_op_t* write, opp_simtime_t now)
{
  state_of_write_t state = {.from = now, .received.answered_at = -1};
  if (write->held) {
    state.from                = later(now, write->date) + 1;
    state.sent.unsent_bytes   = (int64_t)write->bytes + shortest_data(write->src); /* headers left out */
    state.sent.last_generated = last_generated(write, state.from);
    return state;
  }
  write->src->transport->progress_sent(fabric_nic(write->src), &write->message, &state.sent);
  write->dst->transport->progress_received(fabric_nic(write->dst), FABRIC_FIRST_HOST + write->src->index,
                                           &write->message, &state.received);
  return state;
}

/* No cable: any event may complete it, once all is generated. */
static bound_t loopback_bound(const state_of_write_t* state, opp_simtime_t next)
{
  const opp_simtime_t firm = later(state->from, state->sent.last_generated);
  return (bound_t){firm, later(firm, next)};
}

static bool is_unacknowledged(const sgf_op_t* write)
{
  return write->src->transport->traits.unacknowledged;
}

/* Complete when its last byte has left: no cable has to be crossed, but the port passes what is unsent. */
static bound_t departure_bound(const sgf_op_t* write, const state_of_write_t* state, opp_simtime_t next)
{
  const int64_t before     = state->sent.unsent_bytes - write->src->largest_frame; /* the frame on the wire, left out */
  const opp_simtime_t left = state->from + line_time(&fabric_nic(write->src)->port, before);
  const opp_simtime_t firm = later(left, state->sent.last_generated);
  return (bound_t){firm, later(firm, next)};
}

static bound_t write_bound(const sgf_op_t* write, opp_simtime_t now, opp_simtime_t next)
{
  const state_of_write_t state = look_at(write, now);
  if (write->src == write->dst)
    return loopback_bound(&state, next);
  if (is_unacknowledged(write))
    return departure_bound(write, &state, next);
  if (state.sent.closing.last > now) {
    const bool is_known = state.sent.closing.first > now;
    return (bound_t){is_known ? state.sent.closing.first : now, is_known ? state.sent.closing.first : next};
  }
  /* Once all has arrived the last acknowledgement has to come back. */
  const opp_simtime_t arrived = state.received.answered_at >= 0 ? state.received.answered_at : arrival(write, &state);
  const int64_t ack           = shortest_ack(write->dst);
  const opp_simtime_t firm =
      after(arrived, line_time(&fabric_nic(write->dst)->port, ack) + shortest_way(write->dst, write->src, ack));
  return (bound_t){firm, later(firm, after_event(write->src, next))};
}

/* The bound of a receive by way of one write to its host. */
static bound_t receive_bound_by(const sgf_op_t* write, opp_simtime_t now, opp_simtime_t next)
{
  if (write->acknowledged && !is_unacknowledged(write)) /* all is there but for PCIe */
    return (bound_t){now, next};
  const state_of_write_t state = look_at(write, now);
  const bool is_there          = state.sent.unsent_bytes == 0 && state.received.unreceived_bytes == 0;
  if (write->src == write->dst || is_there)
    return loopback_bound(&state, next);
  const opp_simtime_t firm = arrival(write, &state);
  if (!write->held && (now < write->dst->closing_known_from || state.received.closing.last > now)) {
    const bool is_known = now >= write->dst->closing_known_from && state.received.closing.first > now;
    return (bound_t){firm, later(firm, is_known ? state.received.closing.first : next)};
  }
  return (bound_t){firm, later(firm, after_event(write->dst, next))};
}

static bound_t receive_bound(const sgf_op_t* receive, opp_simtime_t now, opp_simtime_t next)
{
  const sgf_fabric_t* fabric = receive->fabric;
  bound_t bound              = never;
  for (const sgf_op_t* write = receive->dst->incoming; write != NULL; write = write->next_incoming)
    if (write->kind == FABRIC_WRITE && write->tag == receive->tag && !write->delivered)
      bound = earlier_bound(bound, receive_bound_by(write, now, next));
  for (size_t i = 0; i < fabric->post_count; i++)
    if (fabric->posts[i]->kind == FABRIC_WRITE && fabric->posts[i]->dst == receive->dst &&
        fabric->posts[i]->tag == receive->tag)
      bound = earlier_bound(bound, receive_bound_by(fabric->posts[i], now, next));
  return bound;
}

/* Once there may be enough, any event may bring it. */
static bound_t level_bound(const sgf_op_t* op, opp_simtime_t now, opp_simtime_t next)
{
  const opp_simtime_t firm = fabric_level_bound(op, now);
  return (bound_t){firm, later(firm, next)};
}

static bound_t bound_of(const sgf_op_t* op, opp_simtime_t now, opp_simtime_t next)
{
  if (op->kind == FABRIC_SENT) /* a fetch takes no frame, and may be issued at any event */
    return (bound_t){now, next};
  if (op->kind == FABRIC_LEVEL)
    return level_bound(op, now, next);
  if (op->kind == FABRIC_MESSAGE) /* one without ends begins with a post, which is a reason to look again */
    return op->src == NULL ? never : receive_bound_by(op, now, next);
  return op->kind == FABRIC_WRITE ? write_bound(op, now, next) : receive_bound(op, now, next);
}

/* Writes that are outstanding may be given up when the stall timer fires, or those that are about to be a period from
 * now. */
static bound_t give_up(const sgf_fabric_t* fabric, opp_simtime_t now)
{
  opp_simtime_t date = OPP_TIME_MAX;
  if (opp_msg_is_scheduled(fabric->stall_timer))
    date = opp_msg_arrival_time(fabric->stall_timer);
  if (date == OPP_TIME_MAX || fabric->post_count > 0)
    date = earlier(date, now + fabric->stall_period);
  return (bound_t){date, date};
}

/* ---- The engine -------------------------------------------------------------------------------------------------- */

/* The next event; what is held at the clock's instant is applied as soon as that has passed. */
static opp_simtime_t next_event(sgf_fabric_t* fabric)
{
  return later(sgf_engine_next_event(fabric), opp_sim_clock(fabric->sim) + 1);
}

/* The bound of all that is awaited. What was firm when an operation was looked at last is so still: the others need no
 * look. */
static bound_t least_bound(fabric_awaited_t* awaited, opp_simtime_t now, opp_simtime_t next)
{
  bound_t bound = never;
  size_t taken  = 0;
  while (awaited->count > 0 && awaited->heap[0]->firm < bound.soft) {
    sgf_op_t* op = awaited->heap[0];
    fabric_awaited_remove(awaited, op);
    const bound_t of_op     = bound_of(op, now, next);
    op->firm                = of_op.firm;
    bound.soft              = earlier(bound.soft, of_op.soft);
    awaited->taken[taken++] = op;
  }
  while (taken > 0)
    fabric_awaited_push(awaited, awaited->taken[--taken]);
  if (awaited->count > 0)
    bound.firm = awaited->heap[0]->firm;
  return bound;
}

opp_simtime_t sgf_engine_bound(sgf_fabric_t* fabric)
{
  const opp_simtime_t now  = opp_sim_clock(fabric->sim);
  const opp_simtime_t next = next_event(fabric);
  if (fabric->completed_first != NULL)
    return now;
  bound_t bound = least_bound(&fabric->awaited, now, next);
  if (bound.soft != OPP_TIME_MAX)
    bound = earlier_bound(bound, give_up(fabric, now));
  fabric->firm = bound.firm;
  return bound.soft;
}

/* The fastest and the shortest of the cables between switches. */
void fabric_note_hops(sgf_fabric_t* fabric)
{
  fabric->hop_delay = OPP_TIME_MAX;
  for (size_t d = 0; d < fabric->device_count; d++) {
    const sgf_device_t* device = fabric->devices[d];
    for (unsigned p = 0; p < device->port_count; p++) {
      const fabric_port_t* port = &device->ports[p];
      if (!sgf_device_is_switch(device) || !sgf_device_is_switch(port->peer))
        continue;
      fabric->hop_delay = earlier(fabric->hop_delay, port->delay);
      if (port->bps > fabric->hop_rate.bps)
        fabric->hop_rate = opp_rate(port->bps);
    }
  }
}

/* Least time from an event to the completion that it leads to, over a host's cable; of a write that nobody
 * acknowledges, without it. */
static opp_simtime_t shortest_completion(const sgf_device_t* host)
{
  if (host->transport->traits.unacknowledged)
    return earlier(after_event(host, 0), line_time(&fabric_nic(host)->port, shortest_data(host)));
  return after_event(host, 0);
}

opp_simtime_t fabric_shortest_crossing(const sgf_fabric_t* fabric)
{
  opp_simtime_t shortest = OPP_S;
  for (uint32_t h = 0; h < fabric->host_count; h++)
    shortest = earlier(shortest, shortest_completion(fabric->hosts[h]));
  return shortest;
}

opp_simtime_t sgf_engine_bound_with(sgf_fabric_t* fabric, const sgf_op_t* op, opp_simtime_t bound)
{
  const opp_simtime_t now  = opp_sim_clock(fabric->sim);
  const opp_simtime_t next = next_event(fabric);
  if (fabric->completed_first != NULL)
    return now;
  /* A post brings the next event forward, but not what is firm. Where nothing is firm, some operation may need no
   * crossing: loopback, or the last step over PCIe. */
  const opp_simtime_t crossing = fabric->firm > now ? fabric->shortest_crossing : 0;
  bound_t result               = {fabric->firm, earlier(bound, later(fabric->firm, after(next, crossing)))};
  if (op->awaited)
    result = earlier_bound(result, bound_of(op, now, next));
  if (op->kind == FABRIC_WRITE && op->dst->receives != NULL)
    result = earlier_bound(result, receive_bound_by(op, now, next));
  if (result.soft != OPP_TIME_MAX)
    result = earlier_bound(result, give_up(fabric, now));
  fabric->firm = result.firm;
  return result.soft;
}
