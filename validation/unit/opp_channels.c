/* Channels: when messages and packets arrive, what keeps a channel busy, and paths through compound modules. */
#include "unit/opp_probe.h"

/* left --out-> ... -> right, with 8 Gb/s (a nanosecond a byte) and 500 ns where a datarate channel is asked for. */
typedef struct pair {
  opp_sim_t* sim;
  opp_module_t* left;
  opp_module_t* right;
  opp_gate_t* out;
  opp_gate_t* in;
  opp_channel_t* channel;
} pair_t;

static const int64_t byte_a_nanosecond = INT64_C(8000000000);

static pair_t unconnected(void)
{
  pair_t pair = {.sim = opp_sim_new(1)};
  pair.left   = probe_new(pair.sim, NULL, "left");
  pair.right  = probe_new(pair.sim, NULL, "right");
  opp_gate_add(pair.left, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(pair.right, "in", OPP_GATE_INPUT, false, 1);
  pair.out = opp_gate(pair.left, "out", 0);
  pair.in  = opp_gate(pair.right, "in", 0);
  return pair;
}

static pair_t connected(void)
{
  pair_t pair  = unconnected();
  pair.channel = opp_channel_datarate(pair.sim, byte_a_nanosecond, 500 * OPP_NS);
  opp_gate_connect(pair.out, pair.in, pair.channel);
  return pair;
}

static void send_packet(const pair_t* pair, int kind, int64_t bytes)
{
  opp_send(pair->left, opp_packet_new(pair->left, "packet", kind, bytes), pair->out);
}

static void run_and_free(const pair_t* pair)
{
  CU_ASSERT_STRING_EQUAL(opp_sim_error(pair->sim)->text, "");
  opp_sim_free(pair->sim);
}

/* ---- One channel ------------------------------------------------------------------------------------------------- */

SGF_TEST(a_packet_arrives_at_the_end_of_its_reception)
{
  const pair_t pair = connected();
  send_packet(&pair, 1, 100);
  CU_ASSERT(opp_channel_busy(pair.channel));
  CU_ASSERT_EQUAL(opp_channel_finish_time(pair.channel), 100 * OPP_NS);
  opp_sim_run(pair.sim, 99999);
  CU_ASSERT(opp_channel_busy(pair.channel));
  opp_sim_run(pair.sim, 100000);
  CU_ASSERT(!opp_channel_busy(pair.channel));
  send_packet(&pair, 2, 50); /* at the instant at which it falls free */
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(pair.right, 0, 600 * OPP_NS, 1);
  ASSERT_ARRIVAL(pair.right, 1, 650 * OPP_NS, 2);
  run_and_free(&pair);
}

SGF_TEST(an_input_gate_may_deliver_at_the_start_of_the_reception)
{
  const pair_t pair = connected();
  opp_gate_set_deliver_immediately(pair.in, true);
  send_packet(&pair, 1, 100);
  CU_ASSERT_EQUAL(opp_channel_finish_time(pair.channel), 100 * OPP_NS);
  opp_sim_run(pair.sim, 200 * OPP_NS);
  opp_gate_set_deliver_immediately(pair.in, false); /* also after the path was used */
  send_packet(&pair, 2, 100);
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(pair.right, 0, 500 * OPP_NS, 1);
  ASSERT_ARRIVAL(pair.right, 1, 800 * OPP_NS, 2);
  run_and_free(&pair);
}

SGF_TEST(a_message_that_is_no_packet_takes_the_delay_only)
{
  const pair_t pair = connected();
  send_packet(&pair, 1, 100);
  opp_send(pair.left, opp_msg_new(pair.left, "message", 2), pair.out); /* nor is the channel busy for it */
  CU_ASSERT_EQUAL(opp_channel_finish_time(pair.channel), 100 * OPP_NS);
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(pair.right, 0, 500 * OPP_NS, 2); /* it overtakes the packet */
  ASSERT_ARRIVAL(pair.right, 1, 600 * OPP_NS, 1);
  run_and_free(&pair);
}

SGF_TEST(a_packet_without_length_takes_the_delay_only)
{
  const pair_t pair = connected();
  send_packet(&pair, 1, 0);
  send_packet(&pair, 2, 0);
  CU_ASSERT(!opp_channel_busy(pair.channel));
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(pair.right, 0, 500 * OPP_NS, 1);
  ASSERT_ARRIVAL(pair.right, 1, 500 * OPP_NS, 2);
  run_and_free(&pair);
}

SGF_TEST(a_busy_channel_refuses_a_packet)
{
  const pair_t pair = connected();
  send_packet(&pair, 1, 100);
  opp_sim_run(pair.sim, 99999);
  send_packet(&pair, 2, 100);
  CU_ASSERT_EQUAL(opp_sim_run(pair.sim, OPP_TIME_MAX), OPP_RUN_ERROR);
  CU_ASSERT(mentions(opp_sim_error(pair.sim)->text, "left"));
  CU_ASSERT(mentions(opp_sim_error(pair.sim)->text, "busy"));
  opp_sim_free(pair.sim);
}

SGF_TEST(a_delay_channel_takes_its_delay_and_is_never_busy)
{
  pair_t pair  = unconnected();
  pair.channel = opp_channel_delay(pair.sim, 30 * OPP_NS);
  opp_gate_connect(pair.out, pair.in, pair.channel);
  send_packet(&pair, 1, 100);
  send_packet(&pair, 2, 100);
  CU_ASSERT(!opp_channel_busy(pair.channel));
  CU_ASSERT_EQUAL(opp_channel_get_datarate(pair.channel), 0);
  CU_ASSERT_PTR_NULL(opp_gate_transmission_channel(pair.out));
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(pair.right, 0, 30 * OPP_NS, 1);
  ASSERT_ARRIVAL(pair.right, 1, 30 * OPP_NS, 2);
  run_and_free(&pair);
}

SGF_TEST(a_connection_without_channel_takes_no_time)
{
  pair_t pair = unconnected();
  opp_gate_connect(pair.out, pair.in, NULL);
  opp_sim_run(pair.sim, 7);
  send_packet(&pair, 1, 100);
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(pair.right, 0, 7, 1);
  run_and_free(&pair);
}

SGF_TEST(what_is_sent_on_a_disabled_channel_is_deleted)
{
  const pair_t pair = connected();
  send_packet(&pair, 1, 100); /* under way when the channel is disabled: it arrives */
  opp_sim_run(pair.sim, 200 * OPP_NS);
  opp_channel_set_disabled(pair.channel, true);
  send_packet(&pair, 2, 100);
  CU_ASSERT(!opp_channel_busy(pair.channel));
  CU_ASSERT_EQUAL(pair.sim->packets.in_use, 1);
  opp_sim_run(pair.sim, 700 * OPP_NS);
  opp_channel_set_disabled(pair.channel, false);
  send_packet(&pair, 3, 100);
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(probe_of(pair.right)->count, 2);
  ASSERT_ARRIVAL(pair.right, 0, 600 * OPP_NS, 1);
  ASSERT_ARRIVAL(pair.right, 1, 1300 * OPP_NS, 3);
  run_and_free(&pair);
}

SGF_TEST(a_delayed_packet_takes_the_channel_from_its_start)
{
  const pair_t pair = connected();
  opp_send_delayed(pair.left, opp_packet_new(pair.left, "packet", 1, 100), 40 * OPP_NS, pair.out);
  CU_ASSERT_EQUAL(opp_channel_finish_time(pair.channel), 140 * OPP_NS);
  opp_sim_run(pair.sim, 140 * OPP_NS);
  opp_send_delayed(pair.left, opp_packet_new(pair.left, "packet", 2, 10), 0, pair.out);
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(pair.right, 0, 640 * OPP_NS, 1);
  ASSERT_ARRIVAL(pair.right, 1, 650 * OPP_NS, 2);
  run_and_free(&pair);
}

SGF_TEST(a_channel_tells_its_properties)
{
  const pair_t pair = connected();
  opp_msg_t* packet = opp_packet_new(pair.left, "packet", 0, 100);
  opp_msg_t* other  = opp_msg_new(pair.left, "message", 0);
  CU_ASSERT_EQUAL(opp_channel_get_delay(pair.channel), 500 * OPP_NS);
  CU_ASSERT_EQUAL(opp_channel_get_datarate(pair.channel), byte_a_nanosecond);
  CU_ASSERT_EQUAL(opp_channel_duration(pair.channel, packet), 100 * OPP_NS);
  CU_ASSERT_EQUAL(opp_channel_duration(pair.channel, other), 0);
  CU_ASSERT_EQUAL(opp_channel_duration(opp_channel_delay(pair.sim, 5), packet), 0);
  CU_ASSERT_PTR_EQUAL(opp_gate_channel(pair.out), pair.channel);
  CU_ASSERT_PTR_NULL(opp_gate_channel(pair.in));
  CU_ASSERT_PTR_EQUAL(opp_gate_transmission_channel(pair.out), pair.channel);
  run_and_free(&pair);
}

SGF_TEST(a_message_sent_directly_arrives_at_once)
{
  const pair_t pair = unconnected();
  opp_sim_run(pair.sim, 12);
  opp_send_direct(pair.left, opp_msg_new(pair.left, "message", 1), pair.in);
  opp_sim_run(pair.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(pair.right, 0, 12, 1);
  CU_ASSERT_EQUAL(probe_of(pair.right)->diary[0].gate, 0);
  run_and_free(&pair);
}

/* ---- Paths ------------------------------------------------------------------------------------------------------- */

/* left.out -> outer.in -> outer.inner.in -> outer.inner.right.in: two compound modules, three connections. */
typedef struct path {
  pair_t ends;
  opp_gate_t* outer;
  opp_gate_t* inner;
} path_t;

static path_t nested(opp_simtime_t first, int64_t bps, opp_simtime_t second, opp_simtime_t third)
{
  opp_sim_t* sim      = opp_sim_new(1);
  opp_module_t* outer = opp_module_new(sim, NULL, "outer", -1, NULL);
  opp_module_t* inner = opp_module_new(sim, outer, "inner", -1, NULL);
  path_t path = {.ends = {.sim = sim, .left = probe_new(sim, NULL, "left"), .right = probe_new(sim, inner, "right")}};
  opp_gate_add(path.ends.left, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(outer, "in", OPP_GATE_INPUT, false, 1);
  opp_gate_add(inner, "in", OPP_GATE_INPUT, false, 1);
  opp_gate_add(path.ends.right, "in", OPP_GATE_INPUT, true, 3);
  path.ends.out     = opp_gate(path.ends.left, "out", 0);
  path.ends.in      = opp_gate(path.ends.right, "in", 2);
  path.outer        = opp_gate(outer, "in", 0);
  path.inner        = opp_gate(inner, "in", 0);
  path.ends.channel = opp_channel_datarate(sim, bps, second);
  opp_gate_connect(path.inner, path.ends.in, opp_channel_delay(sim, third)); /* in any order */
  opp_gate_connect(path.ends.out, path.outer, opp_channel_delay(sim, first));
  opp_gate_connect(path.outer, path.inner, path.ends.channel);
  return path;
}

SGF_TEST(a_path_leads_through_the_gates_of_compound_modules)
{
  const path_t path = nested(10 * OPP_NS, byte_a_nanosecond, 200 * OPP_NS, 3 * OPP_NS);
  CU_ASSERT_PTR_EQUAL(opp_gate_next(path.ends.out), path.outer);
  CU_ASSERT_PTR_EQUAL(opp_gate_previous(path.inner), path.outer);
  CU_ASSERT_PTR_EQUAL(opp_gate_path_end(path.ends.out), path.ends.in);
  CU_ASSERT_PTR_EQUAL(opp_gate_transmission_channel(path.ends.out), path.ends.channel);
  send_packet(&path.ends, 1, 100);
  CU_ASSERT_EQUAL(opp_channel_finish_time(path.ends.channel), 110 * OPP_NS); /* it enters this channel after 10 ns */
  opp_sim_run(path.ends.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(path.ends.right, 0, 313 * OPP_NS, 1);
  CU_ASSERT_EQUAL(probe_of(path.ends.right)->diary[0].gate, 2);
  run_and_free(&path.ends);
}

SGF_TEST(an_immediate_delivery_takes_all_delays_of_the_path)
{
  const path_t path = nested(10 * OPP_NS, byte_a_nanosecond, 200 * OPP_NS, 3 * OPP_NS);
  opp_gate_set_deliver_immediately(path.ends.in, true);
  send_packet(&path.ends, 1, 100);
  opp_sim_run(path.ends.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(path.ends.right, 0, 213 * OPP_NS, 1);
  run_and_free(&path.ends);
}

SGF_TEST(any_channel_disabled_disables_the_path)
{
  const path_t path = nested(0, byte_a_nanosecond, 0, 0);
  send_packet(&path.ends, 1, 1);
  opp_sim_run(path.ends.sim, OPP_US);
  opp_channel_set_disabled(path.ends.channel, true); /* the second of three */
  send_packet(&path.ends, 2, 1);
  opp_sim_run(path.ends.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(probe_of(path.ends.right)->count, 1);
  run_and_free(&path.ends);
}

SGF_TEST(a_path_has_one_channel_with_a_data_rate)
{
  const path_t path   = nested(0, byte_a_nanosecond, 0, 0);
  opp_module_t* other = probe_new(path.ends.sim, NULL, "other");
  opp_module_t* shell = opp_module_new(path.ends.sim, NULL, "shell", -1, NULL);
  opp_gate_add(other, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(shell, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(path.ends.right, "more", OPP_GATE_INPUT, false, 1);
  opp_gate_connect(opp_gate(shell, "out", 0), opp_gate(path.ends.right, "more", 0),
                   opp_channel_datarate(path.ends.sim, 1000, 0));
  CU_ASSERT_EQUAL(opp_sim_error(path.ends.sim)->status, SGF_OK);
  opp_gate_connect(opp_gate(other, "out", 0), opp_gate(shell, "out", 0), opp_channel_datarate(path.ends.sim, 1000, 0));
  CU_ASSERT(mentions(opp_sim_error(path.ends.sim)->text, "several channels with a data rate"));
  CU_ASSERT(!opp_gate_connected(opp_gate(other, "out", 0)));
  opp_sim_free(path.ends.sim);
}

/* ---- Gates ------------------------------------------------------------------------------------------------------- */

SGF_TEST(gates_are_found_by_name_and_index)
{
  opp_sim_t* sim       = opp_sim_new(1);
  opp_module_t* module = probe_new(sim, NULL, "module");
  opp_gate_add(module, "port", OPP_GATE_INOUT, true, 4);
  opp_gate_add(module, "control", OPP_GATE_INPUT, false, 1);
  CU_ASSERT(opp_has_gate(module, "port$i"));
  CU_ASSERT(opp_has_gate(module, "port$o"));
  CU_ASSERT(!opp_has_gate(module, "port"));
  CU_ASSERT_EQUAL(opp_gate_size(module, "port$o"), 4);
  CU_ASSERT_EQUAL(opp_gate_size(module, "control"), 1);
  CU_ASSERT_EQUAL(opp_gate_size(module, "none"), 0);
  CU_ASSERT_EQUAL(opp_gate_index(opp_gate(module, "port$o", 3)), 3);
  CU_ASSERT_PTR_EQUAL(opp_gate_owner(opp_gate(module, "control", 0)), module);
  CU_ASSERT_PTR_NOT_EQUAL(opp_gate(module, "port$i", 3), opp_gate(module, "port$o", 3));
  CU_ASSERT_EQUAL(opp_sim_error(sim)->status, SGF_OK);
  opp_sim_free(sim);
}

SGF_TEST(both_directions_of_a_cable_are_channels_of_their_own)
{
  opp_sim_t* sim  = opp_sim_new(1);
  opp_module_t* a = probe_new(sim, NULL, "a");
  opp_module_t* b = probe_new(sim, NULL, "b");
  opp_gate_add(a, "port", OPP_GATE_INOUT, false, 1);
  opp_gate_add(b, "port", OPP_GATE_INOUT, false, 1);
  opp_gate_connect(opp_gate(a, "port$o", 0), opp_gate(b, "port$i", 0), opp_channel_datarate(sim, byte_a_nanosecond, 0));
  opp_gate_connect(opp_gate(b, "port$o", 0), opp_gate(a, "port$i", 0), opp_channel_datarate(sim, byte_a_nanosecond, 0));
  CU_ASSERT(opp_gate_connected(opp_gate(a, "port$i", 0)));
  opp_send(a, opp_packet_new(a, "packet", 1, 10), opp_gate(a, "port$o", 0));
  opp_send(b, opp_packet_new(b, "packet", 2, 20), opp_gate(b, "port$o", 0));
  opp_sim_run(sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(b, 0, 10 * OPP_NS, 1);
  ASSERT_ARRIVAL(a, 0, 20 * OPP_NS, 2);
  opp_sim_free(sim);
}
