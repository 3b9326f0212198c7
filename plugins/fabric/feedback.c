/* How fast feedback works, measured in the data plane (spec/feedback-budget.md 3, 4, 11.2; sgfabric/feedback.h).
 *
 * Tcc of a flow, which is a queue pair of a RoCE NIC:
 *
 *   FLOW_IDLE -- mark --> FLOW_MARKED -- CNP --> FLOW_NOTIFIED -- cut --> FLOW_CUT -- start --> FLOW_STARTED -- arrival
 *
 * A CNP or a packet that was under way before must not be taken for the one that is waited for, whatever is lost,
 * overtaken or sent again. Measurements of a flow are numbered, and packets carry two numbers in the byte that their
 * header has for that: the upper half of a marked packet is the measurement that its mark belongs to, which its CNP
 * brings back; the lower half is the latest measurement whose cut had been made when the packet started. */
#include <sgfabric/feedback.h>

#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"
#include "nic/roce/roce.h"

enum { NUMBERS = 15, NUMBER_BITS = 4, NUMBER_MASK = 15 }; /* of measurements: 1 to 15 in turn; 0: none */

typedef enum flow_phase { FLOW_IDLE, FLOW_MARKED, FLOW_NOTIFIED, FLOW_CUT, FLOW_STARTED } flow_phase_t;

typedef struct watched watched_t;

typedef struct flow {
  flow_phase_t phase;
  uint8_t number;  /* of the measurement */
  uint8_t reacted; /* number of the latest one whose cut was made */
  uint8_t tc;      /* of the marked packet */
  uint16_t port;   /* where it was marked */
  const watched_t* at;
  opp_simtime_t marked;
  sgf_feedback_tcc_t so_far;
} flow_t;

/* The flows of a host, by number of their queue pair. */
typedef struct host_flows {
  flow_t* flows;
  uint32_t count;
} host_flows_t;

/* A device that tells of what happens there. */
struct watched {
  fabric_feedback_t* feedback;
  const sgf_device_t* device;
  pfc_episodes_t episodes;
  switch_observer_t at_switch;
  roce_observer_t at_nic;
};

typedef struct durations {
  int64_t* of;
  size_t count;
  size_t capacity;
} durations_t;

struct fabric_feedback {
  const sgf_fabric_t* fabric;
  watched_t* devices; /* NULL: the fabric is not sealed */
  host_flows_t* hosts;
  durations_t durations[SGF_FEEDBACK_KINDS];
  sgf_feedback_cb event;
  void* user;
};

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static void tell(fabric_feedback_t* feedback, const sgf_feedback_event_t* event)
{
  durations_t* durations = &feedback->durations[event->kind];
  if (event->duration >= 0) {
    if (durations->count == durations->capacity) {
      durations->capacity = durations->capacity == 0 ? 64 : 2 * durations->capacity;
      durations->of       = sgf_realloc(durations->of, durations->capacity, sizeof *durations->of);
    }
    durations->of[durations->count++] = event->duration;
  }
  if (feedback->event != NULL)
    feedback->event(feedback->user, event);
}

static int compare(const void* a, const void* b)
{
  const int64_t left  = *(const int64_t*)a;
  const int64_t right = *(const int64_t*)b;
  return (left > right) - (left < right);
}

static int64_t percentile(const int64_t* sorted, size_t count, size_t percent)
{
  return sorted[(percent * count + 99) / 100 - 1];
}

sgf_distribution_t sgf_feedback_distribution(const sgf_fabric_t* fabric, sgf_feedback_kind_t kind)
{
  const durations_t* durations = fabric->feedback != NULL ? &fabric->feedback->durations[kind] : NULL;
  if (durations == NULL || durations->count == 0)
    return (sgf_distribution_t){0};
  const size_t count = durations->count;
  int64_t* sorted    = sgf_calloc(count, sizeof *sorted);
  memcpy(sorted, durations->of, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare);
  const sgf_distribution_t distribution = {.count = count,
                                           .min   = sorted[0],
                                           .p50   = percentile(sorted, count, 50),
                                           .p90   = percentile(sorted, count, 90),
                                           .p99   = percentile(sorted, count, 99),
                                           .max   = sorted[count - 1]};
  free(sorted);
  return distribution;
}

/* ---- Flows ------------------------------------------------------------------------------------------------------- */

static opp_simtime_t now_at(const watched_t* at)
{
  return opp_now(at->device->module);
}

static flow_t* flow_at(host_flows_t* host, uint32_t number)
{
  if (number >= host->count) {
    const uint32_t count = 2 * number + 16;
    host->flows          = sgf_realloc(host->flows, count, sizeof *host->flows);
    memset(host->flows + host->count, 0, (count - host->count) * sizeof *host->flows);
    host->count = count;
  }
  return &host->flows[number];
}

/* The flow of a data packet; NULL: it is of another kind, or of another transport. */
static flow_t* flow_of(const fabric_feedback_t* feedback, const net_frame_t* frame)
{
  const uint32_t host = frame->src - FABRIC_FIRST_HOST;
  if (host >= feedback->fabric->host_count || feedback->fabric->hosts[host]->transport != &roce_transport ||
      roce_header_const(frame)->type != ROCE_DATA)
    return NULL;
  return flow_at(&feedback->hosts[host], roce_header_const(frame)->queue_pair);
}

/* The same of a queue pair's sending end. */
static flow_t* flow_of_pair(const watched_t* at, const roce_pair_t* pair)
{
  return flow_at(&at->feedback->hosts[at->device->index], pair->number);
}

/* ---- What happens to a flow, in order ---------------------------------------------------------------------------- */

static void begin(flow_t* flow, const watched_t* at, unsigned port, const net_frame_t* frame)
{
  flow->phase  = FLOW_MARKED;
  flow->number = (uint8_t)(flow->number % NUMBERS + 1);
  flow->tc     = frame->tc;
  flow->port   = (uint16_t)port;
  flow->at     = at;
  flow->marked = now_at(at);
  flow->so_far = (sgf_feedback_tcc_t){.src        = at->feedback->fabric->hosts[frame->src - FABRIC_FIRST_HOST],
                                      .dst        = at->feedback->fabric->hosts[frame->dst - FABRIC_FIRST_HOST],
                                      .queue_pair = roce_header_const(frame)->queue_pair};
}

static void marked(void* user, unsigned port, net_frame_t* frame)
{
  const watched_t* at = user;
  flow_t* flow        = flow_of(at->feedback, frame);
  if (flow == NULL)
    return;
  if (flow->phase == FLOW_IDLE)
    begin(flow, at, port, frame);
  if (flow->phase == FLOW_MARKED && flow->at == at && flow->port == port)
    roce_header(frame)->feedback |= (uint8_t)(flow->number << NUMBER_BITS);
}

static void notified(void* user, const roce_pair_t* pair, const roce_header_t* cnp)
{
  const watched_t* at = user;
  flow_t* flow        = flow_of_pair(at, pair);
  if (flow->phase != FLOW_MARKED || cnp->feedback >> NUMBER_BITS != flow->number)
    return;
  flow->phase               = pair->message != NULL ? FLOW_NOTIFIED : FLOW_IDLE;
  flow->so_far.cnp_sent     = cnp->made;
  flow->so_far.cnp_received = now_at(at);
}

static void reduced(void* user, const roce_pair_t* pair, int64_t before)
{
  const watched_t* at = user;
  flow_t* flow        = flow_of_pair(at, pair);
  if (flow->phase != FLOW_NOTIFIED)
    return;
  flow->phase              = FLOW_CUT;
  flow->reacted            = flow->number;
  flow->so_far.cut         = now_at(at);
  flow->so_far.rate_before = before;
}

static void starting(void* user, const roce_pair_t* pair, roce_header_t* data)
{
  const watched_t* at = user;
  flow_t* flow        = flow_of_pair(at, pair);
  if (flow->phase == FLOW_CUT) { /* it may be no slower: the rate is at its floor, or has risen again */
    flow->so_far.started    = now_at(at);
    flow->so_far.rate_after = roce_rate_bps(&pair->rate);
    flow->phase             = flow->so_far.rate_after < flow->so_far.rate_before ? FLOW_STARTED : FLOW_IDLE;
  }
  data->feedback = flow->reacted;
}

static void queued(void* user, unsigned port, net_frame_t* frame)
{
  const watched_t* at = user;
  flow_t* flow        = flow_of(at->feedback, frame);
  if (flow == NULL || flow->phase != FLOW_STARTED || flow->at != at || flow->port != port ||
      (roce_header(frame)->feedback & NUMBER_MASK) != flow->number)
    return;
  flow->phase = FLOW_IDLE;
  tell(at->feedback, &(sgf_feedback_event_t){.kind     = SGF_FEEDBACK_TCC,
                                             .device   = at->device,
                                             .port     = port,
                                             .tc       = flow->tc,
                                             .begin    = flow->marked,
                                             .duration = now_at(at) - flow->marked,
                                             .tcc      = flow->so_far});
}

/* Nothing slower will come, or not before another message is posted: that would measure the pause between them. */
static void idle(void* user, const roce_pair_t* pair)
{
  flow_of_pair(user, pair)->phase = FLOW_IDLE;
}

/* ---- Pauses ------------------------------------------------------------------------------------------------------ */

static unsigned lowest(unsigned classes)
{
  return (unsigned)__builtin_ctz(classes);
}

static void tell_pause(const watched_t* at, unsigned port, unsigned pool, const pfc_episode_t* episode,
                       opp_simtime_t resumed)
{
  const sgf_device_t* device = at->device;
  sgf_feedback_event_t event = {
      .kind     = SGF_FEEDBACK_TP,
      .device   = device,
      .port     = port,
      .tc       = pool,
      .begin    = episode->decided,
      .duration = episode->last < 0 ? -1 : episode->last - episode->decided,
      .tp       = {.resumed = resumed, .frames = episode->frames, .bytes = episode->bytes, .above = episode->above}};
  if (sgf_device_is_switch(device)) {
    event.tc          = lowest(sgf_sb_group(switch_state(device->module)->buffer, pool));
    event.tp.headroom = ((const switch_block_t*)device->block)->buffer.headroom_per_port;
  } else {
    const nic_ingress_pool_t* in = &fabric_nic(device)->ingress[pool];
    event.tp.headroom            = in->size - in->xoff;
  }
  tell(at->feedback, &event);
}

static void pause_ended(void* user, unsigned port, unsigned pool, const pfc_episode_t* episode)
{
  tell_pause(user, port, pool, episode, now_at(user));
}

static void pause_lasts(void* user, unsigned port, unsigned pool, const pfc_episode_t* episode)
{
  tell_pause(user, port, pool, episode, -1);
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static void watch(watched_t* at)
{
  const sgf_device_t* device = at->device;
  pfc_episodes_init(&at->episodes, device->port_count, pause_ended, at);
  at->at_switch = (switch_observer_t){queued, marked, at, &at->episodes};
  at->at_nic    = (roce_observer_t){notified, reduced, starting, idle, at};
  if (sgf_device_is_switch(device)) {
    switch_state(device->module)->observer = &at->at_switch;
    return;
  }
  fabric_nic(device)->episodes = &at->episodes;
  if (device->transport == &roce_transport)
    roce_state(fabric_nic(device))->observer = &at->at_nic;
}

void fabric_feedback_attach(fabric_feedback_t* feedback)
{
  const sgf_fabric_t* fabric = feedback->fabric;
  feedback->devices          = sgf_calloc(fabric->device_count, sizeof *feedback->devices);
  feedback->hosts            = sgf_calloc(fabric->host_count, sizeof *feedback->hosts);
  for (size_t d = 0; d < fabric->device_count; d++) {
    feedback->devices[d] = (watched_t){.feedback = feedback, .device = fabric->devices[d]};
    watch(&feedback->devices[d]);
  }
}

void sgf_feedback_measure(sgf_fabric_t* fabric)
{
  if (fabric->feedback != NULL)
    return;
  fabric->feedback         = sgf_calloc(1, sizeof *fabric->feedback);
  fabric->feedback->fabric = fabric;
  if (fabric->sealed)
    fabric_feedback_attach(fabric->feedback);
}

bool sgf_feedback_is_measured(const sgf_fabric_t* fabric)
{
  return fabric->feedback != NULL;
}

void sgf_feedback_observe(sgf_fabric_t* fabric, sgf_feedback_cb event, void* user)
{
  sgf_feedback_measure(fabric);
  fabric->feedback->event = event;
  fabric->feedback->user  = user;
}

void sgf_feedback_end(sgf_fabric_t* fabric)
{
  const fabric_feedback_t* feedback = fabric->feedback;
  if (feedback == NULL || feedback->devices == NULL)
    return;
  for (size_t d = 0; d < fabric->device_count; d++) {
    feedback->devices[d].episodes.ended = pause_lasts;
    pfc_episodes_end(&feedback->devices[d].episodes);
    feedback->devices[d].episodes.ended = pause_ended;
  }
}

void fabric_feedback_free(fabric_feedback_t* feedback)
{
  if (feedback == NULL)
    return;
  for (size_t d = 0; feedback->devices != NULL && d < feedback->fabric->device_count; d++)
    pfc_episodes_free(&feedback->devices[d].episodes);
  for (uint32_t h = 0; feedback->hosts != NULL && h < feedback->fabric->host_count; h++)
    free(feedback->hosts[h].flows);
  for (sgf_feedback_kind_t kind = 0; kind < SGF_FEEDBACK_KINDS; kind++)
    free(feedback->durations[kind].of);
  free(feedback->devices);
  free(feedback->hosts);
  free(feedback);
}
