/* Which pauses hold what, and why (sgfabric/victims.h). Packets are looked at when a pause is sent, for its cause, and
 * when a hold ends, for those who waited in it: while it lasts its queue only grows.
 *
 * A cause belongs to the hold that its pause begins. Pauses of a class keep their order on a cable, so that the n-th
 * that was sent is the n-th that comes; a module on the cable may make this an estimate. Of those that have not come,
 * which a module may have lost, the causes of the latest VICTIMS_MOST_ASKED are kept. */
#include "fabric/victims.h"

#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"

static const switch_state_t* state_of(const sgf_device_t* device)
{
  return switch_state(device->module);
}

static victims_port_t* peer_of(const victims_port_t* at)
{
  const fabric_port_t* port = &at->device->ports[at->port];
  return &at->victims->ports[sgf_device_node_id(port->peer)][port->peer_port];
}

static opp_simtime_t now_of(const fabric_victims_t* victims)
{
  return opp_sim_clock(victims->fabric->sim);
}

/* ---- Flows ------------------------------------------------------------------------------------------------------- */

/* Messages are numbered from 1, in the order in which flows are recorded. */
static size_t flow_of(const sgf_fabric_t* fabric, const net_frame_t* frame)
{
  const uint32_t src = frame->src - FABRIC_FIRST_HOST;
  if (frame->type != NET_FRAME_IP || src >= fabric->host_count)
    return VICTIMS_NONE;
  const uint64_t number = fabric->hosts[src]->transport->message_of(frame);
  return number > 0 && number <= fabric->flow_count ? (size_t)number - 1 : VICTIMS_NONE;
}

/* Where a flow was put last in the list that is being made; what is there may be of an earlier list. */
static size_t* place_of(fabric_victims_t* victims, size_t flow)
{
  if (flow == VICTIMS_NONE)
    return &victims->place_of_none;
  if (flow >= victims->place_count) {
    const size_t count = 2 * flow + 64;
    victims->place     = sgf_realloc(victims->place, count, sizeof *victims->place);
    memset(victims->place + victims->place_count, 0, (count - victims->place_count) * sizeof *victims->place);
    victims->place_count = count;
  }
  return &victims->place[flow];
}

/* ---- Blame ------------------------------------------------------------------------------------------------------- */

static bool is_among(unsigned port, const uint16_t* ways, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (ways[i] == port)
      return true;
  return false;
}

/* As has_part. A hold that was searched is none in whose cause the packet has a part: else the search had ended. */
static bool finds_part(fabric_victims_t* victims, size_t number, const net_frame_t* frame)
{
  victims_hold_t* hold       = &victims->holds[number];
  const sgf_device_t* device = peer_of(hold->at)->device;
  const uint16_t* ways;
  hold->searched = victims->searches;
  if (!sgf_device_is_switch(device))
    return true;
  const uint32_t count = switch_ways(state_of(device), frame, &ways);
  for (size_t s = 0; s < hold->share_count; s++) {
    const victims_share_t* share = &hold->shares[s];
    const bool is_searched = share->hold != VICTIMS_NONE && victims->holds[share->hold].searched == victims->searches;
    if (is_searched || !is_among(share->port, ways, count))
      continue;
    if (share->hold == VICTIMS_NONE || finds_part(victims, share->hold, frame))
      return true;
  }
  return false;
}

/* Whether a packet would go where the cause of a hold is, or where the cause of that is. A queue's hold began before
 * whatever it is the reason for. */
static bool has_part(fabric_victims_t* victims, size_t number, const net_frame_t* frame)
{
  victims->searches++;
  return finds_part(victims, number, frame);
}

/* ---- Causes ------------------------------------------------------------------------------------------------------ */

typedef struct ingress {
  const victims_port_t* at;
  const switch_state_t* state;
  unsigned pool;
} ingress_t;

static bool is_of(const ingress_t* in, unsigned in_port, unsigned in_tc)
{
  return in_port == in->at->port && sgf_sb_pool_of(in->state->buffer, in_tc) == in->pool;
}

static bool is_share(const victims_share_t* share, size_t flow, unsigned port, unsigned tc)
{
  return share->flow == flow && share->port == port && share->tc == tc;
}

static victims_share_t* share_for(fabric_victims_t* victims, victims_cause_t* cause, size_t flow, unsigned port,
                                  unsigned tc, size_t hold)
{
  size_t* place = place_of(victims, flow);
  if (*place < cause->count && is_share(&cause->shares[*place], flow, port, tc))
    return &cause->shares[*place];
  for (*place = 0; *place < cause->count; ++*place)
    if (is_share(&cause->shares[*place], flow, port, tc))
      return &cause->shares[*place];
  cause->shares               = sgf_realloc(cause->shares, cause->count + 1, sizeof *cause->shares);
  cause->shares[cause->count] = (victims_share_t){
      .flow = flow, .hold = hold, .port = (uint16_t)port, .tc = (uint8_t)tc, .is_cause = hold == VICTIMS_NONE};
  return &cause->shares[cause->count++];
}

static void add_frame(const ingress_t* in, victims_cause_t* cause, unsigned port, opp_msg_t* msg)
{
  fabric_victims_t* victims = in->at->victims;
  const net_frame_t* frame  = net_frame(msg);
  const size_t hold         = victims->ports[sgf_device_node_id(in->at->device)][port].holds[frame->tc];
  victims_share_t* share    = share_for(victims, cause, flow_of(victims->fabric, frame), port, frame->tc, hold);
  share->bytes += frame->charge;
  share->is_cause = share->is_cause || has_part(victims, hold, frame);
}

static void add_queues(const ingress_t* in, victims_cause_t* cause)
{
  for (unsigned port = 0; port < in->state->port_count; port++)
    for (unsigned tc = 0; tc < NET_CLASSES; tc++)
      for (opp_msg_t* msg = in->state->ports[port].out.queues[tc].first; msg != NULL; msg = msg->next)
        if (is_of(in, net_frame(msg)->in_port, net_frame(msg)->in_tc))
          add_frame(in, cause, port, msg);
}

/* Frames that are being serialised keep their charge until they have left. */
static void add_wires(const ingress_t* in, victims_cause_t* cause)
{
  for (unsigned port = 0; port < in->state->port_count; port++) {
    const net_port_t* out       = &in->state->ports[port].out;
    const net_departure_t* sent = &out->departure;
    if (out->on_wire != NULL && sent->type != NET_FRAME_PFC && is_of(in, sent->in_port, sent->in_tc))
      share_for(in->at->victims, cause, flow_of(in->at->victims->fabric, net_frame(out->on_wire)), port, sent->tc,
                VICTIMS_NONE)
          ->bytes += sent->charge;
  }
}

static void cause_free(victims_cause_t* cause)
{
  free(cause->shares);
  free(cause);
}

static void forget_first(victims_cause_t** first)
{
  victims_cause_t* next = (*first)->next;
  cause_free(*first);
  *first = next;
}

/* Forget what the peer has heard of; the last of that only if there is a later one. */
static void forget(victims_cause_t** first, uint64_t heard)
{
  while (*first != NULL && (*first)->number < heard && (*first)->next != NULL)
    forget_first(first);
}

static void append(victims_cause_t** first, victims_cause_t* cause)
{
  unsigned count = 1;
  victims_cause_t** after;
  for (after = first; *after != NULL; after = &(*after)->next)
    count++;
  *after = cause;
  if (count > VICTIMS_MOST_ASKED)
    forget_first(first);
}

static const pfc_receiver_t* receiver_of(const victims_port_t* at)
{
  return sgf_device_is_switch(at->device) ? &state_of(at->device)->ports[at->port].peer : &fabric_nic(at->device)->peer;
}

static void asks(void* user, unsigned tc)
{
  victims_port_t* at     = user;
  victims_cause_t* cause = sgf_calloc(1, sizeof *cause);
  cause->number          = fabric_pfc_sender(at->device, at->port)->pauses[tc];
  if (sgf_device_is_switch(at->device)) {
    const switch_state_t* state = state_of(at->device);
    const ingress_t in          = {at, state, sgf_sb_pool_of(state->buffer, tc)};
    add_queues(&in, cause);
    if (cause->count == 0)
      add_wires(&in, cause);
  }
  append(&at->asked[tc], cause);
  forget(&at->asked[tc], receiver_of(peer_of(at))->pauses[tc]);
}

/* ---- Holds ------------------------------------------------------------------------------------------------------- */

static bool is_in_one_queue(const victims_share_t* a, const victims_share_t* b)
{
  return a->port == b->port && a->tc == b->tc;
}

/* The queue that most of a hold's cause was in, or the root of that one's hold. */
static void find_root(const fabric_victims_t* victims, victims_hold_t* hold)
{
  const victims_port_t* peer = peer_of(hold->at);
  int64_t most               = 0;
  hold->root                 = (sgf_queue_place_t){peer->device, peer->port, hold->tc};
  hold->steps                = 1;
  for (size_t s = 0, next; s < hold->share_count; s = next) {
    const victims_share_t* share = &hold->shares[s];
    int64_t bytes                = 0;
    for (next = s; next < hold->share_count && is_in_one_queue(&hold->shares[next], share); next++)
      bytes += hold->shares[next].bytes;
    if (bytes <= most)
      continue;
    most        = bytes;
    hold->root  = (sgf_queue_place_t){peer->device, share->port, share->tc};
    hold->steps = 1;
    if (share->hold != VICTIMS_NONE) {
      hold->root  = victims->holds[share->hold].root;
      hold->steps = victims->holds[share->hold].steps + 1;
    }
  }
}

static void begins(void* user, unsigned tc)
{
  victims_port_t* at        = user;
  fabric_victims_t* victims = at->victims;
  victims_port_t* peer      = peer_of(at);
  forget(&peer->asked[tc], receiver_of(at)->pauses[tc]);
  const victims_cause_t* cause = peer->asked[tc];
  if (victims->hold_count == victims->hold_capacity) {
    victims->hold_capacity = victims->hold_capacity == 0 ? 64 : 2 * victims->hold_capacity;
    victims->holds         = sgf_realloc(victims->holds, victims->hold_capacity, sizeof *victims->holds);
  }
  victims_hold_t* hold = &victims->holds[victims->hold_count];
  *hold                = (victims_hold_t){.at = at, .tc = tc, .begin = now_of(victims), .end = -1};
  if (cause != NULL && cause->count > 0) {
    hold->share_count = cause->count;
    hold->shares      = sgf_calloc(cause->count, sizeof *hold->shares);
    memcpy(hold->shares, cause->shares, cause->count * sizeof *hold->shares);
  }
  find_root(victims, hold);
  at->holds[tc] = victims->hold_count++;
}

static victims_wait_t* wait_for(fabric_victims_t* victims, victims_waits_t* waits, size_t first, size_t flow)
{
  size_t* place = place_of(victims, flow);
  if (*place >= first && *place < waits->count && waits->items[*place].flow == flow)
    return &waits->items[*place];
  if (waits->count == waits->capacity) {
    waits->capacity = waits->capacity == 0 ? 64 : 2 * waits->capacity;
    waits->items    = sgf_realloc(waits->items, waits->capacity, sizeof *waits->items);
  }
  *place               = waits->count;
  waits->items[*place] = (victims_wait_t){.flow = flow, .since = -1, .is_victim = true};
  return &waits->items[waits->count++];
}

size_t fabric_victims_wait(fabric_victims_t* victims, const victims_hold_t* hold, victims_waits_t* waits)
{
  const net_port_t* port = fabric_port_of(hold->at->device, hold->at->port);
  const size_t number    = (size_t)(hold - victims->holds);
  const size_t first     = waits->count;
  bool any               = false;
  for (opp_msg_t* msg = port->queues[hold->tc].first; msg != NULL; msg = msg->next) {
    const size_t flow = flow_of(victims->fabric, net_frame(msg));
    if (flow == VICTIMS_NONE)
      continue;
    victims_wait_t* wait = wait_for(victims, waits, first, flow);
    wait->bytes += msg->bytes;
    if (wait->since < 0)
      wait->since = msg->time > hold->begin ? msg->time : hold->begin;
    wait->is_victim = wait->is_victim && !has_part(victims, number, net_frame(msg));
  }
  for (size_t i = first; i < waits->count; i++)
    any = any || waits->items[i].is_victim;
  if (!any)
    waits->count = first;
  return waits->count - first;
}

static void ends(void* user, unsigned tc)
{
  victims_port_t* at        = user;
  fabric_victims_t* victims = at->victims;
  if (at->holds[tc] == VICTIMS_NONE) /* it had begun before anybody watched */
    return;
  victims_hold_t* hold = &victims->holds[at->holds[tc]];
  hold->end            = now_of(victims);
  hold->first_wait     = victims->waits.count;
  hold->wait_count     = fabric_victims_wait(victims, hold, &victims->waits);
  at->holds[tc]        = VICTIMS_NONE;
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static void watch(fabric_victims_t* victims, const sgf_device_t* device, pfc_observer_t* observers)
{
  victims_port_t* ports                      = sgf_calloc(device->port_count, sizeof *ports);
  victims->ports[sgf_device_node_id(device)] = ports;
  for (unsigned p = 0; p < device->port_count; p++) {
    ports[p] = (victims_port_t){.victims = victims, .device = device, .port = p};
    for (unsigned tc = 0; tc < NET_CLASSES; tc++)
      ports[p].holds[tc] = VICTIMS_NONE;
    observers[p]                           = (pfc_observer_t){asks, begins, ends, &ports[p]};
    fabric_pfc_sender(device, p)->observer = &observers[p];
    if (sgf_device_is_switch(device))
      switch_state(device->module)->ports[p].peer.observer = &observers[p];
    else
      fabric_nic(device)->peer.observer = &observers[p];
  }
}

void sgf_victims_watch(sgf_fabric_t* fabric)
{
  if (fabric->victims != NULL || !fabric->sealed)
    return;
  fabric_victims_t* victims = sgf_calloc(1, sizeof *victims);
  size_t ports              = 0;
  for (size_t d = 0; d < fabric->device_count; d++)
    ports += fabric->devices[d]->port_count;
  fabric->victims    = victims;
  victims->fabric    = fabric;
  victims->ports     = sgf_calloc(fabric->device_count, sizeof(victims_port_t*));
  victims->observers = sgf_calloc(ports, sizeof *victims->observers);
  ports              = 0;
  for (size_t d = 0; d < fabric->device_count; d++) {
    watch(victims, fabric->devices[d], victims->observers + ports);
    ports += fabric->devices[d]->port_count;
  }
}

bool sgf_victims_are_watched(const sgf_fabric_t* fabric)
{
  return fabric->victims != NULL;
}

static void ports_free(victims_port_t* ports, unsigned count)
{
  for (unsigned p = 0; p < count; p++)
    for (unsigned tc = 0; tc < NET_CLASSES; tc++)
      for (victims_cause_t *cause = ports[p].asked[tc], *next; cause != NULL; cause = next) {
        next = cause->next;
        cause_free(cause);
      }
  free(ports);
}

void fabric_victims_free(fabric_victims_t* victims)
{
  if (victims == NULL)
    return;
  for (size_t d = 0; d < victims->fabric->device_count; d++) {
    const sgf_device_t* device = victims->fabric->devices[d];
    ports_free(victims->ports[sgf_device_node_id(device)], device->port_count);
  }
  for (size_t h = 0; h < victims->hold_count; h++)
    free(victims->holds[h].shares);
  free(victims->ports);
  free(victims->observers);
  free(victims->holds);
  free(victims->waits.items);
  free(victims->place);
  free(victims);
}
