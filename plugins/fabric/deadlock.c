/* Deadlock: queues of switches that are paused and wait for one another (spec/feedback-budget.md 9.1).
 *
 * A queue of a class at a switch's port is stuck for ever if
 *
 *   - its peer is a switch that has paused the class, no resume is on its way, and no module on the cable could lose or
 *     add one;
 *   - every packet that the peer has received on that cable into the class's pool waits there in queues that are
 *     themselves stuck for ever, but for those that are being sent this moment;
 *   - the bytes of those that wait are above Xon, so that the peer does not resume the class without them.
 *
 * A set of queues of which all of this holds can never move again, whatever arrives or stops: a new packet is charged
 * to headroom and gives back no more than that. Each of them waits for one of them, so that there is a cycle. Nothing
 * else is a deadlock: a queue that waits for a NIC's pause moves when the NIC resumes it, however late.
 *
 * Queues are looked at when a pause for one of them arrives, the first or a refresh. A cycle is found when its last
 * pause arrives, or, where it closes later than that, with the next refresh of one of its pauses. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

typedef struct queue {
  const sgf_device_t* at;
  unsigned port;
  unsigned tc;
  uint32_t node;
  uint32_t waits_for; /* another one of the walk */
} queue_t;

/* Work space of a walk from queue to queue. */
struct fabric_deadlock {
  bool goes_on;         /* the run, when there is one */
  char* found;          /* the first one, in words */
  uint32_t* first_node; /* by switch: the number of its first queue */
  uint32_t* place;      /* by number: where the queue is in `queues`, if it is there */
  queue_t* queues;      /* those that are met, in order */
  uint32_t count;
};

/* What a queue's peer has received on its cable, by pool. */
typedef struct ingress {
  const sgf_device_t* at;
  unsigned port;
  unsigned pool;
} ingress_t;

static switch_state_t* state_of(const sgf_device_t* device)
{
  return switch_state(device->module);
}

/* ---- Queues ------------------------------------------------------------------------------------------------------ */

static ingress_t peer_of(const queue_t* queue)
{
  const fabric_port_t* port = &queue->at->ports[queue->port];
  return (ingress_t){port->peer, port->peer_port, sgf_sb_pool_of(state_of(port->peer)->buffer, queue->tc)};
}

/* Whether nothing but departures at the peer can end the pause of a queue. */
static bool is_held(const queue_t* queue)
{
  const fabric_port_t* cable = &queue->at->ports[queue->port];
  const switch_port_t* port  = &state_of(queue->at)->ports[queue->port];
  const ingress_t in         = peer_of(queue);
  const switch_state_t* peer = state_of(in.at);
  if (cable->inserted != NULL || !(port->out.held >> queue->tc & 1) || !sgf_sb_paused(peer->buffer, in.port, in.pool))
    return false;
  return peer->ports[in.port].pfc.resumes[queue->tc] == port->peer.resumes[queue->tc];
}

static bool is_of(const switch_state_t* state, ingress_t in, unsigned in_port, unsigned in_tc)
{
  return in_port == in.port && sgf_sb_pool_of(state->buffer, in_tc) == in.pool;
}

static bool has_packet_of(const switch_state_t* state, const net_queue_t* queue, ingress_t in)
{
  for (opp_msg_t* msg = queue->first; msg != NULL; msg = msg->next) {
    const net_frame_t* frame = net_frame(msg);
    if (is_of(state, in, frame->in_port, frame->in_tc))
      return true;
  }
  return false;
}

/* Bytes of an ingress that are being sent by a port. */
static int64_t being_sent(const switch_state_t* state, const net_port_t* out, ingress_t in)
{
  const net_departure_t* sent = &out->departure;
  if (out->on_wire == NULL || sent->type == NET_FRAME_PFC || !is_of(state, in, sent->in_port, sent->in_tc))
    return 0;
  return sent->charge;
}

/* Whether a port may send a packet of this ingress that it has queued. */
static bool may_send(const switch_state_t* state, const net_port_t* out, ingress_t in)
{
  const unsigned runs = out->backlog & ~(unsigned)out->held;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (runs >> tc & 1 && has_packet_of(state, &out->queues[tc], in))
      return true;
  return false;
}

/* ---- The walk ---------------------------------------------------------------------------------------------------- */

/* The place of a queue in the walk; it is added if it has none. */
static uint32_t meet(fabric_deadlock_t* walk, const sgf_device_t* at, unsigned port, unsigned tc)
{
  const uint32_t node  = walk->first_node[at->index] + port * NET_CLASSES + tc;
  const uint32_t place = walk->place[node];
  if (place < walk->count && walk->queues[place].node == node)
    return place;
  walk->queues[walk->count] = (queue_t){.at = at, .port = port, .tc = tc, .node = node};
  walk->place[node]         = walk->count;
  return walk->count++;
}

/* Meet the queues in which packets of an ingress wait; all of them are held. False: there are none. */
static bool meet_queues(fabric_deadlock_t* walk, queue_t* queue, ingress_t in)
{
  const switch_state_t* state = state_of(in.at);
  bool any                    = false;
  for (unsigned p = 0; p < state->port_count; p++)
    for (unsigned tc = 0; tc < NET_CLASSES; tc++)
      if (has_packet_of(state, &state->ports[p].out.queues[tc], in)) {
        const uint32_t place = meet(walk, in.at, p, tc);
        if (!any)
          queue->waits_for = place;
        any = true;
      }
  return any;
}

/* Go on from a queue. False: it may move. */
static bool expand(fabric_deadlock_t* walk, uint32_t place)
{
  queue_t* queue = &walk->queues[place];
  if (!sgf_device_is_switch(queue->at->ports[queue->port].peer) || !is_held(queue))
    return false;
  const ingress_t in           = peer_of(queue);
  const switch_state_t* state  = state_of(in.at);
  const switch_block_t* config = in.at->block;
  int64_t waiting =
      sgf_sb_occupancy(state->buffer, in.port, in.pool) + sgf_sb_headroom(state->buffer, in.port, in.pool);
  for (unsigned p = 0; p < state->port_count; p++) {
    waiting -= being_sent(state, &state->ports[p].out, in);
    if (may_send(state, &state->ports[p].out, in))
      return false;
  }
  return waiting > config->buffer.xon && meet_queues(walk, queue, in);
}

static bool is_stuck(fabric_deadlock_t* walk, const sgf_device_t* at, unsigned port, unsigned tc)
{
  walk->count = 0;
  meet(walk, at, port, tc);
  for (uint32_t place = 0; place < walk->count; place++)
    if (!expand(walk, place))
      return false;
  return true;
}

/* ---- What is said of it ------------------------------------------------------------------------------------------ */

/* A queue on the cycle that the walk's first queue leads to: as many steps as there are queues end on it. */
static uint32_t on_cycle(const fabric_deadlock_t* walk)
{
  uint32_t place = 0;
  for (uint32_t step = 0; step < walk->count; step++)
    place = walk->queues[place].waits_for;
  return place;
}

/* A storm in any queue of the set, also beside the cycle, may let the others go on. */
static bool is_watched(const fabric_deadlock_t* walk)
{
  for (uint32_t place = 0; place < walk->count; place++) {
    const queue_t* queue = &walk->queues[place];
    if (switch_is_watched(state_of(queue->at), queue->port, queue->tc))
      return true;
  }
  return false;
}

/* Begins and ends with the same queue. What does not fit is left out. */
static void name_cycle(const fabric_deadlock_t* walk, uint32_t first, char* text, size_t size)
{
  size_t used    = 0;
  uint32_t place = first;
  bool ends      = false;
  for (;;) {
    const queue_t* queue = &walk->queues[place];
    const int length     = snprintf(text + used, size - used, "%s%s port %u class %u", used > 0 ? " -> " : "",
                                    queue->at->name, queue->port, queue->tc);
    if (length < 0 || used + (size_t)length >= size || ends)
      return;
    used += (size_t)length;
    place = queue->waits_for;
    ends  = place == first;
  }
}

static void report(sgf_fabric_t* fabric, uint32_t first)
{
  fabric_deadlock_t* walk = fabric->deadlock;
  const bool is_new       = walk->found == NULL;
  const bool ends         = !walk->goes_on && !is_watched(walk);
  if (!is_new && !ends)
    return;
  char cycle[800];
  sgf_error_t error = {0};
  name_cycle(walk, first, cycle, sizeof cycle);
  sgf_error_set(&error, SGF_DEADLOCK, "deadlock at %.12f s, paused queues wait for one another: %s",
                (double)opp_sim_clock(fabric->sim) * 1e-12, cycle);
  if (is_new)
    walk->found = sgf_strdup(error.text);
  if (ends)
    opp_pass_error(fabric->net, &error);
}

/* ---- When it is looked for --------------------------------------------------------------------------------------- */

/* Whether a switch has paused another one for a pool. */
static bool pauses_a_switch(const sgf_device_t* device, unsigned pool)
{
  for (unsigned p = 0; p < device->port_count; p++)
    if (sgf_device_is_switch(device->ports[p].peer) && sgf_sb_paused(state_of(device)->buffer, p, pool))
      return true;
  return false;
}

static bool has_held_packets(const sgf_device_t* device)
{
  const switch_state_t* state = state_of(device);
  for (unsigned p = 0; p < device->port_count; p++)
    if (state->ports[p].out.held & state->ports[p].out.backlog)
      return true;
  return false;
}

/* A pause has arrived. Only a queue that is on a cycle has to be found, since every one of those is looked at: it has
 * packets, its own switch pauses another one, and its peer has queues that are held. */
static void look(void* user, unsigned port, unsigned tc)
{
  const sgf_device_t* device = user;
  sgf_fabric_t* fabric       = device->fabric;
  const sgf_device_t* peer   = device->ports[port].peer;
  const switch_state_t* at   = state_of(device);
  if (!(at->ports[port].out.backlog >> tc & 1) || !sgf_device_is_switch(peer) ||
      (fabric->deadlock->goes_on && fabric->deadlock->found != NULL))
    return;
  if (pauses_a_switch(device, sgf_sb_pool_of(at->buffer, tc)) && has_held_packets(peer) &&
      is_stuck(fabric->deadlock, device, port, tc))
    report(fabric, on_cycle(fabric->deadlock));
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

void fabric_watch_deadlocks(sgf_fabric_t* fabric)
{
  fabric_deadlock_t* walk = fabric->deadlock;
  uint32_t nodes          = 0;
  walk->first_node        = sgf_calloc(fabric->switch_count, sizeof *walk->first_node);
  for (size_t d = 0; d < fabric->device_count; d++) {
    sgf_device_t* device = fabric->devices[d];
    if (!sgf_device_is_switch(device))
      continue;
    walk->first_node[device->index] = nodes;
    nodes += device->port_count * NET_CLASSES;
    switch_listen(state_of(device), look, device);
  }
  walk->place  = sgf_calloc(nodes, sizeof *walk->place);
  walk->queues = sgf_calloc(nodes, sizeof *walk->queues);
}

fabric_deadlock_t* fabric_deadlock_new(void)
{
  return sgf_calloc(1, sizeof(fabric_deadlock_t));
}

void fabric_deadlock_free(fabric_deadlock_t* deadlock)
{
  free(deadlock->found);
  free(deadlock->first_node);
  free(deadlock->place);
  free(deadlock->queues);
  free(deadlock);
}

void sgf_fabric_stop_on_deadlock(sgf_fabric_t* fabric, bool stops)
{
  fabric->deadlock->goes_on = !stops;
}

const char* sgf_fabric_deadlock(const sgf_fabric_t* fabric)
{
  return fabric->deadlock->found;
}
