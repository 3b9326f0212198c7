#include "shared_buffer_model_support.h"

#include <assert.h>
#include <string.h>

/* ---- Start-up (3, 9) --------------------------------------------------------------------------------------------- */

/* floor(fraction x bytes); the numbers of the tests are small */
static int64_t part_of(sgf_decimal_t fraction, int64_t bytes)
{
  return fraction.digits * bytes / fraction.scale;
}

static void start_pools(model_t* model)
{
  if (model->config.uet_policy) { /* 9.1, floored */
    model->size[0] = model->sizing_total * 15 / 35;
    model->size[1] = model->sizing_total * 10 / 35;
    model->size[2] = model->sizing_total - model->size[0] - model->size[1];
    return;
  }
  unsigned last = 0;
  int64_t sum   = 0;
  for (unsigned i = 0; i < SGF_SB_POOLS; i++) {
    if (model->config.pool_share[i].digits == 0)
      continue;
    model->raw[i]  = part_of(model->config.pool_share[i], model->sizing_total);
    model->size[i] = model->raw[i];
    sum += model->raw[i];
    last = i;
  }
  model->size[last] = model->raw[last] + (model->sizing_total - sum);
}

static void start_classes(model_t* model)
{
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++) {
    bool exists         = !model->config.uet_policy || tc < 3; /* 9.2 */
    model->pool_of[tc]  = !model->config.uet_policy ? (unsigned)model->config.pool_of_class[tc] : exists ? tc : 0;
    model->lossless[tc] = exists && model->config.enable_pfc[tc] == 1;
  }
}

/* 3.4.3, O-31 */
static int64_t static_limit(const model_t* model, unsigned pool)
{
  const sgf_shared_buffer_config_t* config = &model->config;
  int64_t cap                              = (int64_t)config->queue_drop_threshold * config->plane_bdp;
  if (config->uet_policy)
    return pool > 2 ? 0 : config->trimming ? config->plane_bdp : cap;
  if (config->pool_share[pool].digits == 0)
    return 0;
  if (config->lossy_alpha.digits > 0)
    return model->raw[pool];
  return config->queue_drop_threshold_enable ? cap : model->raw[pool] / model->ports;
}

void model_start(model_t* model, const sgf_shared_buffer_config_t* config, unsigned ports, const bool* uplink)
{
  assert(ports > 0 && ports <= MODEL_PORTS);
  memset(model, 0, sizeof *model);
  model->config       = *config;
  model->ports        = ports;
  model->sizing_total = config->total_bytes - config->headroom_per_port * ports;
  memcpy(model->uplink, uplink, ports * sizeof *uplink);
  start_pools(model);
  start_classes(model);
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    model->static_limit[pool] = static_limit(model, pool);
}

/* ---- Counters ---------------------------------------------------------------------------------------------------- */

enum { ANY = MODEL_PORTS }; /* all ports, or all pools */

/* All that has come in on the port and is in the switch is charged to the pool or to headroom. */
static int64_t occupancy(const model_t* model, unsigned port, unsigned pool)
{
  int64_t bytes = 0;
  for (unsigned i = 0; i < model->count; i++)
    if ((port == ANY || model->packets[i].in == port) && model->pool_of[model->packets[i].in_tc] == pool)
      bytes += model->packets[i].charge;
  for (unsigned in = 0; in < model->ports; in++)
    if (port == ANY || in == port)
      bytes -= model->headroom[in][pool];
  return bytes;
}

static int64_t queued(const model_t* model, unsigned port, unsigned pool)
{
  int64_t bytes = 0;
  for (unsigned i = 0; i < model->count; i++)
    if (model->packets[i].queued && (port == ANY || model->packets[i].out == port) &&
        (pool == ANY || model->pool_of[model->packets[i].tc] == pool))
      bytes += model->packets[i].charge;
  return bytes;
}

int64_t model_occupancy(const model_t* model, unsigned port, unsigned pool)
{
  return occupancy(model, port, pool);
}

int64_t model_pool_total(const model_t* model, unsigned pool)
{
  return occupancy(model, ANY, pool);
}

int64_t model_egress_queue(const model_t* model, unsigned port, unsigned pool)
{
  return queued(model, port, pool);
}

int64_t model_egress_total(const model_t* model, unsigned pool)
{
  return queued(model, ANY, pool);
}

int64_t model_port_queued(const model_t* model, unsigned port)
{
  return queued(model, port, ANY);
}

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

static int64_t counter(const model_t* model, sgf_sb_sampled_t what, unsigned port, unsigned pool)
{
  switch (what) {
    case SGF_SB_EGRESS_QUEUE:
      return queued(model, port, pool);
    case SGF_SB_INGRESS_USAGE:
    case SGF_SB_SHARED_BUFFER:
      return occupancy(model, port, pool);
    case SGF_SB_HEADROOM:
    default:
      return model->headroom[port][pool];
  }
}

/* A counter of (port, pool) has just been charged or released. */
static void note(model_t* model, sgf_sb_sampled_t what, unsigned port, unsigned pool)
{
  if (!model->sampled)
    return;
  assert(model->change_count < MODEL_CHANGES);
  model_change_t* change = &model->changes[model->change_count++];
  *change                = (model_change_t){.what = what, .port = port, .pool = pool};
  for (unsigned other = 0; other < model->ports; other++) {
    int64_t bytes = counter(model, what, other, pool);
    change->of_port += other == port ? bytes : 0;
    change->of_direction += model->uplink[other] == model->uplink[port] ? bytes : 0;
    change->of_all += bytes;
  }
}

static void add(sgf_sb_samples_t* samples, int64_t bytes)
{
  samples->min = samples->count == 0 || bytes < samples->min ? bytes : samples->min;
  samples->max = samples->count == 0 || bytes > samples->max ? bytes : samples->max;
  samples->sum += bytes;
  samples->count++;
}

sgf_sb_samples_t model_samples(const model_t* model, sgf_sb_sampled_t what, bool uplink, unsigned pool)
{
  sgf_sb_samples_t samples = {0};
  bool all                 = what == SGF_SB_SHARED_BUFFER; /* ingress of all ports */
  for (unsigned i = 0; i < model->change_count; i++) {
    const model_change_t* change = &model->changes[i];
    if (change->pool == pool && change->what == (all ? SGF_SB_INGRESS_USAGE : what) &&
        (all || model->uplink[change->port] == uplink))
      add(&samples, all ? change->of_all : change->of_direction);
  }
  return samples;
}

sgf_sb_samples_t model_port_samples(const model_t* model, sgf_sb_sampled_t what, unsigned port, unsigned pool)
{
  sgf_sb_samples_t samples = {0};
  for (unsigned i = 0; i < model->change_count; i++)
    if (model->changes[i].pool == pool && model->changes[i].port == port && model->changes[i].what == what)
      add(&samples, model->changes[i].of_port);
  return samples;
}

void model_sample(model_t* model)
{
  model->sampled      = true;
  model->change_count = 0;
}

/* ---- Packets (5.4, 5.6, 5.10, 9.3) --------------------------------------------------------------------------------
 */

static bool at_or_under_xon(const model_t* model, unsigned port, unsigned pool)
{
  return model->headroom[port][pool] == 0 && model_occupancy(model, port, pool) <= model->config.xon;
}

/* O-11: the pause goes on although a resume test would end it. */
static void leave_paused(model_t* model, unsigned port, unsigned pool)
{
  model->unresumed++;
  model->left_paused[port][pool] = true;
}

/* 5.4, with its numbers. A packet that is in the list is charged; headroom is taken off its port's occupancy. */
sgf_sb_arrival_t model_arrive(model_t* model, unsigned port, unsigned tc, int64_t charge)
{
  unsigned pool = model->pool_of[tc]; /* 2 */
  bool pauses   = false;
  assert(model->count < MODEL_PACKETS);
  model_packet_t* packet = &model->packets[model->count];
  *packet                = (model_packet_t){.in = port, .in_tc = tc, .tc = tc, .charge = charge};
  if (model->lossless[tc] && model->paused[port][pool]) { /* 3 */
    if (model->headroom[port][pool] + charge > model->config.headroom_per_port)
      return SGF_SB_DROP_HEADROOM;
    model->headroom[port][pool] += charge;
    model->count++;
    note(model, SGF_SB_HEADROOM, port, pool);
    return SGF_SB_TO_HEADROOM;
  }
  if (model->lossless[tc] && model_occupancy(model, port, pool) + charge > model->config.xoff) { /* 4 */
    pauses                         = true;
    model->paused[port][pool]      = true;
    model->left_paused[port][pool] = false;
  }
  model->count++;                                          /* 5 */
  if (model_pool_total(model, pool) > model->size[pool]) { /* 6 */
    model->count--;
    if (pauses && at_or_under_xon(model, port, pool))
      leave_paused(model, port, pool);
    return pauses ? SGF_SB_DROP_POOL_PAUSE : SGF_SB_DROP_POOL;
  }
  note(model, SGF_SB_INGRESS_USAGE, port, pool);
  return pauses ? SGF_SB_TO_POOL_PAUSE : SGF_SB_TO_POOL;
}

/* 3.4.1, 9.3: whether a queue of so many bytes is over its limit. */
static bool over_limit(const model_t* model, unsigned pool, int64_t bytes, sgf_sb_limit_t limit)
{
  sgf_decimal_t alpha = model->config.lossy_alpha;
  if (model->config.uet_policy) /* half bytes count */
    return 2 * bytes > (limit == SGF_SB_LIMIT_RETRANSMISSION ? 3 : 2) * model->static_limit[pool];
  if (alpha.digits > 0)
    return bytes * alpha.scale > alpha.digits * (model->size[pool] - model_egress_total(model, pool));
  return bytes > model->static_limit[pool];
}

/* 5.6 */
sgf_sb_queueing_t model_queue(model_t* model, unsigned index, unsigned out, sgf_sb_limit_t limit)
{
  model_packet_t* packet = &model->packets[index];
  unsigned pool          = model->pool_of[packet->tc];
  if (!model->lossless[packet->tc]) { /* 1, 2 */
    if (over_limit(model, pool, model_egress_queue(model, out, pool) + packet->charge, limit))
      return SGF_SB_DROP_QUEUE_LIMIT;
    if (model_egress_total(model, pool) + packet->charge > model->size[pool])
      return SGF_SB_DROP_EGRESS_POOL;
  }
  packet->out    = out; /* 5 */
  packet->queued = true;
  note(model, SGF_SB_EGRESS_QUEUE, out, pool);
  return SGF_SB_QUEUED;
}

/* 9.3, O-22 */
sgf_sb_queueing_t model_trim(model_t* model, unsigned index, unsigned out, unsigned tc, int64_t new_charge)
{
  model_packet_t* packet = &model->packets[index];
  bool shrinks           = new_charge < packet->charge;
  packet->charge         = new_charge;
  packet->tc             = tc;
  if (shrinks)
    note(model, SGF_SB_INGRESS_USAGE, packet->in, model->pool_of[packet->in_tc]);
  sgf_sb_queueing_t verdict = model_queue(model, index, out, SGF_SB_LIMIT_NORMAL);
  if (verdict != SGF_SB_QUEUED)
    model_depart(model, index);
  return verdict;
}

/* 5.10: the end of serialisation, or of a packet that goes no further. */
bool model_depart(model_t* model, unsigned index)
{
  model_packet_t packet = model->packets[index];
  unsigned port         = packet.in;
  unsigned pool         = model->pool_of[packet.in_tc];
  int64_t h             = 0;
  model->packets[index] = model->packets[--model->count];
  if (packet.queued)
    note(model, SGF_SB_EGRESS_QUEUE, packet.out, model->pool_of[packet.tc]);
  if (model->lossless[packet.in_tc]) {
    h = packet.charge < model->headroom[port][pool] ? packet.charge : model->headroom[port][pool];
    model->headroom[port][pool] -= h;
  }
  if (h > 0)
    note(model, SGF_SB_HEADROOM, port, pool);
  if (h < packet.charge)
    note(model, SGF_SB_INGRESS_USAGE, port, pool);
  if (!model->paused[port][pool] || !at_or_under_xon(model, port, pool))
    return false;
  if (model->lossless[packet.in_tc] || model->config.resume_on_lossy_release) {
    model->paused[port][pool] = false;
    return true;
  }
  leave_paused(model, port, pool);
  return false;
}
