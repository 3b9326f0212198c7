/* Channels: delay, data rate, damage. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "attr/alloc.h"
#include "attr/hash.h"
#include "opp/kernel.h"

opp_channel_t* opp_channel_datarate(opp_sim_t* sim, int64_t bps, opp_simtime_t delay)
{
  opp_channel_t* channel = sgf_calloc(1, sizeof *channel);
  channel->sim           = sim;
  channel->delay         = delay;
  if (delay < 0) {
    sgf_error_set(&sim->error, SGF_MODEL, "the delay of a channel is not negative, %" PRId64 " ps are", delay);
    channel->delay = 0;
  }
  if (bps > 0)
    channel->transmitter.rate = opp_rate(bps);
  sim->channels                       = sgf_realloc(sim->channels, sim->channel_count + 1, sizeof *sim->channels);
  sim->channels[sim->channel_count++] = channel;
  return channel;
}

opp_channel_t* opp_channel_delay(opp_sim_t* sim, opp_simtime_t delay)
{
  return opp_channel_datarate(sim, 0, delay);
}

void opp_channel_set_disabled(opp_channel_t* channel, bool disabled)
{
  channel->disabled = disabled;
  opp_gate_unresolve(channel->from);
}

bool opp_channel_busy(const opp_channel_t* channel)
{
  return channel->transmitter.free_at > channel->sim->now;
}

opp_simtime_t opp_channel_finish_time(const opp_channel_t* channel)
{
  return channel->transmitter.free_at;
}

opp_simtime_t opp_channel_duration(const opp_channel_t* channel, const opp_msg_t* packet)
{
  if (channel->transmitter.rate.bps == 0)
    return 0;
  return opp_rate_duration(channel->transmitter.rate, opp_packet_bit_length(packet));
}

opp_simtime_t opp_channel_get_delay(const opp_channel_t* channel)
{
  return channel->delay;
}

int64_t opp_channel_get_datarate(const opp_channel_t* channel)
{
  return channel->transmitter.rate.bps;
}

/* ---- Damage ------------------------------------------------------------------------------------------------------ */

static void set_probability(opp_channel_t* channel, double* probability, double value)
{
  if (value >= 0.0 && value <= 1.0) {
    *probability        = value;
    channel->may_damage = channel->ber + channel->per > 0.0;
  } else
    sgf_error_set(&channel->sim->error, SGF_MODEL, "the error rate of a channel is from 0 to 1, not %g", value);
}

void opp_channel_set_ber(opp_channel_t* channel, double bit_error_rate)
{
  set_probability(channel, &channel->ber, bit_error_rate);
}

void opp_channel_set_per(opp_channel_t* channel, double packet_error_rate)
{
  set_probability(channel, &channel->per, packet_error_rate);
}

/* The channel's component path, from which its stream is seeded, is that of the gate it begins at, and ".channel". */
static opp_rng_t* stream_of(opp_channel_t* channel)
{
  if (channel->rng == NULL) {
    const opp_gate_t* gate = channel->from;
    char index[16]         = "";
    if (gate->vector_size >= 0)
      snprintf(index, sizeof index, "[%d]", gate->index);
    uint64_t hash = sgf_hash_on(sgf_hash_on(gate->module->path_hash, "."), gate->name);
    hash          = sgf_hash_on(sgf_hash_on(hash, index), ".channel");
    channel->rng  = opp_rng_new(channel->sim->seed, hash, 0);
  }
  return channel->rng;
}

bool opp_channel_damages(opp_channel_t* channel, const opp_msg_t* packet)
{
  opp_rng_t* rng = stream_of(channel);
  bool damaged   = false;
  if (channel->ber > 0.0) /* one minus the probability that every bit is whole */
    damaged = opp_rng_bernoulli(rng, -expm1((double)opp_packet_bit_length(packet) * log1p(-channel->ber)));
  if (channel->per > 0.0 && opp_rng_bernoulli(rng, channel->per))
    damaged = true;
  return damaged;
}
