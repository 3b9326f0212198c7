/* Channels, second part: damage with a stream of their own, how long a packet took, and their signals. */
#include <math.h>
#include <stdio.h>

#include "unit/opp_probe.h"

static const int64_t byte_a_nanosecond = INT64_C(8000000000);
enum { PACKETS = 20000 };

typedef struct pair {
  opp_sim_t* sim;
  opp_module_t* left;
  opp_module_t* right;
  opp_gate_t* out;
  opp_channel_t* channel;
  unsigned damaged;
} pair_t;

static pair_t* current;

static void count_damaged(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  current->damaged += opp_packet_has_bit_error(msg);
  opp_msg_delete(msg);
}

static pair_t pair_named(uint64_t seed, const char* left, const char* right)
{
  pair_t pair = {.sim = opp_sim_new(seed)};
  pair.left   = probe_new(pair.sim, NULL, left);
  pair.right  = probe_new(pair.sim, NULL, right);
  opp_gate_add(pair.left, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(pair.right, "in", OPP_GATE_INPUT, false, 1);
  pair.out     = opp_gate(pair.left, "out", 0);
  pair.channel = opp_channel_datarate(pair.sim, byte_a_nanosecond, 500 * OPP_NS);
  opp_gate_connect(pair.out, opp_gate(pair.right, "in", 0), pair.channel);
  return pair;
}

static void send_bytes(pair_t* pair, int64_t bytes)
{
  opp_send(pair->left, opp_packet_new(pair->left, "packet", 0, bytes), pair->out);
}

/* How many of the packets arrive damaged. */
static unsigned damaged_of(pair_t* pair, int64_t bytes)
{
  current                      = pair;
  probe_of(pair->right)->react = count_damaged;
  for (int i = 0; i < PACKETS; i++) {
    send_bytes(pair, bytes);
    opp_sim_run(pair->sim, opp_channel_finish_time(pair->channel));
  }
  opp_sim_run(pair->sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(probe_of(pair->right)->count, PACKETS);
  CU_ASSERT_STRING_EQUAL(opp_sim_error(pair->sim)->text, "");
  opp_sim_free(pair->sim);
  return pair->damaged;
}

/* Within five standard deviations of a binomial. */
static void check_share(unsigned damaged, double probability)
{
  const double deviation = sqrt(PACKETS * probability * (1 - probability));
  if (fabs(damaged - PACKETS * probability) >= 5 * deviation)
    printf("\n  %u of %d, expected %g\n", damaged, PACKETS, PACKETS * probability);
  CU_ASSERT(fabs(damaged - PACKETS * probability) < 5 * deviation);
}

SGF_TEST(packets_are_damaged_as_often_as_the_rates_say)
{
  pair_t pair = pair_named(1, "a", "b");
  CU_ASSERT_EQUAL(damaged_of(&pair, 100), 0);
  pair = pair_named(1, "a", "b");
  opp_channel_set_per(pair.channel, 0.1);
  check_share(damaged_of(&pair, 100), 0.1);
  pair = pair_named(1, "a", "b");
  opp_channel_set_ber(pair.channel, 1e-4);
  check_share(damaged_of(&pair, 125), 1 - pow(1 - 1e-4, 1000));
  pair = pair_named(1, "a", "b");
  opp_channel_set_ber(pair.channel, 1e-4);
  opp_channel_set_per(pair.channel, 0.1);
  check_share(damaged_of(&pair, 125), 1 - pow(1 - 1e-4, 1000) * 0.9);
  pair = pair_named(1, "a", "b");
  opp_channel_set_ber(pair.channel, 1.0);
  CU_ASSERT_EQUAL(damaged_of(&pair, 1), PACKETS);
  pair = pair_named(1, "a", "b");
  opp_channel_set_per(pair.channel, 0.1);
  opp_channel_set_per(pair.channel, 0.0);
  CU_ASSERT_EQUAL(damaged_of(&pair, 100), 0);
}

static unsigned damaged_with(uint64_t seed, const char* left, bool others)
{
  pair_t pair = pair_named(seed, left, "b");
  opp_channel_set_per(pair.channel, 0.5);
  for (int i = 0; others && i < 100; i++) /* draws of the module's are not the channel's */
    opp_rng_uint64(opp_rng(pair.left, 0));
  return damaged_of(&pair, 100);
}

SGF_TEST(a_channel_draws_from_a_stream_of_its_own)
{
  const unsigned damaged = damaged_with(1, "a", false);
  CU_ASSERT_EQUAL(damaged_with(1, "a", true), damaged);
  CU_ASSERT_NOT_EQUAL(damaged_with(2, "a", false), damaged);
  CU_ASSERT_NOT_EQUAL(damaged_with(1, "c", false), damaged);
}

SGF_TEST(error_rates_are_probabilities)
{
  static const double wrong[] = {-0.1, 1.1, NAN};
  for (size_t i = 0; i < 3; i++) {
    pair_t pair = pair_named(1, "a", "b");
    opp_channel_set_ber(pair.channel, wrong[i]);
    CU_ASSERT(mentions(opp_sim_error(pair.sim)->text, "from 0 to 1"));
    CU_ASSERT_EQUAL(opp_sim_run(pair.sim, 1), OPP_RUN_ERROR);
    opp_sim_free(pair.sim);
  }
}

SGF_TEST(a_bit_error_can_be_set_on_packets)
{
  pair_t pair       = pair_named(1, "a", "b");
  opp_msg_t* packet = opp_packet_new(pair.left, "packet", 0, 10);
  CU_ASSERT(!opp_packet_has_bit_error(packet));
  opp_packet_set_bit_error(packet, true);
  CU_ASSERT(opp_packet_has_bit_error(packet));
  CU_ASSERT(opp_msg_is_packet(packet));
  opp_packet_set_bit_error(packet, false);
  CU_ASSERT(!opp_packet_has_bit_error(packet));
  opp_msg_delete(packet);
  opp_packet_set_bit_error(opp_msg_new(pair.left, "timer", 0), true);
  CU_ASSERT(mentions(opp_sim_error(pair.sim)->text, "only a packet"));
  opp_sim_free(pair.sim);
}

/* ---- Durations --------------------------------------------------------------------------------------------------- */

static opp_simtime_t duration;

static void note_duration(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  duration = opp_packet_duration(msg);
  opp_msg_delete(msg);
}

SGF_TEST(a_packet_knows_how_long_its_transmission_took)
{
  pair_t pair                 = pair_named(1, "a", "b");
  probe_of(pair.right)->react = note_duration;
  probe_of(pair.left)->react  = note_duration;
  opp_msg_t* packet           = opp_packet_new(pair.left, "packet", 0, 70);
  CU_ASSERT_EQUAL(opp_packet_duration(packet), 0);
  opp_send(pair.left, packet, pair.out);
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(duration, 70 * OPP_NS);
  send_bytes(&pair, 80);
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(duration, 80 * OPP_NS);
  opp_send(pair.left, opp_frame_new(pair.left, 0, 90), pair.out); /* the models' frames, too */
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(duration, 90 * OPP_NS);
  opp_schedule_after(pair.left, 1, opp_frame_new(pair.left, 0, 90));
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(duration, 0);
  opp_sim_free(pair.sim);
}

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

static char heard[256];

static void hear(void* name, opp_module_t* source, opp_signal_t signal, double value)
{
  (void)signal;
  const size_t used  = strlen(heard);
  const long long ns = (long long)(opp_signal_time(opp_module_sim(source)) / OPP_NS);
  snprintf(heard + used, sizeof heard - used, "%s@%lld=%g ", (const char*)name, ns, value);
}

static void listen_to(const pair_t* pair, const char* name)
{
  opp_signal_subscribe(pair->left, opp_signal_register(pair->sim, name), hear, (void*)name);
}

SGF_TEST(channels_signal_when_they_are_busy_and_what_is_sent)
{
  pair_t pair = pair_named(1, "a", "b");
  heard[0]    = '\0';
  send_bytes(&pair, 100);
  CU_ASSERT_STRING_EQUAL(heard, ""); /* nobody listens */
  opp_sim_run(pair.sim, OPP_US);
  listen_to(&pair, "channelBusy");
  listen_to(&pair, "messageSent");
  listen_to(&pair, "messageDiscarded");
  send_bytes(&pair, 30);
  CU_ASSERT_STRING_EQUAL(heard, "messageSent@1000=30 channelBusy@1000=1 channelBusy@1030=0 ");
  heard[0] = '\0';
  opp_send(pair.left, opp_msg_new(pair.left, "no packet", 0), pair.out); /* takes the delay only */
  CU_ASSERT_STRING_EQUAL(heard, "messageSent@1000=0 ");
  heard[0] = '\0';
  opp_sim_run(pair.sim, 2 * OPP_US);
  opp_channel_set_disabled(pair.channel, true);
  send_bytes(&pair, 40);
  CU_ASSERT_STRING_EQUAL(heard, "messageDiscarded@2000=40 ");
  CU_ASSERT_STRING_EQUAL(opp_sim_error(pair.sim)->text, "");
  opp_sim_free(pair.sim);
}

SGF_TEST(who_has_unsubscribed_costs_nothing_any_more)
{
  static char name[]        = "channelBusy";
  pair_t pair               = pair_named(1, "a", "b");
  const opp_signal_t signal = opp_signal_register(pair.sim, name);
  heard[0]                  = '\0';
  opp_signal_subscribe(pair.left, signal, hear, name);
  CU_ASSERT_EQUAL(pair.sim->channel_listeners, 1);
  opp_signal_unsubscribe(pair.left, signal, hear, name);
  CU_ASSERT_EQUAL(pair.sim->channel_listeners, 0);
  opp_signal_subscribe(pair.left, opp_signal_register(pair.sim, "drops"), hear, name);
  CU_ASSERT_EQUAL(pair.sim->channel_listeners, 0);
  send_bytes(&pair, 30);
  CU_ASSERT_STRING_EQUAL(heard, "");
  opp_sim_free(pair.sim);
}

static void emit_stamped(void* other, opp_module_t* source, opp_signal_t signal, double value)
{
  (void)signal;
  opp_emit_at(source, *(opp_signal_t*)other, 9 * OPP_NS, value);
}

SGF_TEST(a_value_has_its_own_date_also_after_another_was_emitted_within)
{
  static char name[]  = "outer";
  pair_t pair         = pair_named(1, "a", "b");
  opp_signal_t outer  = opp_signal_register(pair.sim, name);
  opp_signal_t within = opp_signal_register(pair.sim, "within");
  heard[0]            = '\0';
  opp_signal_subscribe(pair.left, outer, emit_stamped, &within);
  opp_signal_subscribe(pair.left, outer, hear, name);
  opp_signal_subscribe(pair.left, within, hear, "within");
  opp_sim_run(pair.sim, 2 * OPP_NS);
  opp_emit_int(pair.left, outer, 5);
  CU_ASSERT_STRING_EQUAL(heard, "within@9=5 outer@2=5 ");
  opp_sim_free(pair.sim);
}
