/* The switch module by itself: attributes, classes, equal-cost sets, set-up. What it does with frames is in
 * validation/switch. */
#include "harness.h"

#include <string.h>

#include "switch/switch.h"

enum { PORTS = 4, HOSTS = 8 };
#define FIRST_HOST UINT32_C(0x0a000001)

static switch_block_t defaults(void)
{
  switch_block_t block;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&switch_attributes, &block, &error), SGF_OK);
  return block;
}

/* What the ports of a switch lead to. */
static void swallow(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  opp_msg_delete(msg);
}

static const opp_module_type_t wall = {.name = "wall", .state_size = 1, .handle_message = swallow};

/* A simulation with a switch whose ports are connected; it is not set up. */
static opp_module_t* connected_switch(opp_sim_t* sim)
{
  opp_module_t* module = opp_module_new(sim, NULL, "switch", -1, &switch_module_type);
  opp_module_t* peer   = opp_module_new(sim, NULL, "wall", -1, &wall);
  opp_gate_add(module, "port", OPP_GATE_INOUT, true, PORTS);
  opp_gate_add(peer, "port", OPP_GATE_INOUT, true, PORTS);
  for (int i = 0; i < PORTS; i++)
    opp_gate_connect(opp_gate(module, "port$o", i), opp_gate(peer, "port$i", i),
                     opp_channel_datarate(sim, INT64_C(100000000000) * (i + 1), i * OPP_US));
  return module;
}

static switch_state_t* set_up(opp_sim_t* sim, const switch_block_t* block)
{
  opp_module_t* module = connected_switch(sim);
  sgf_error_t error    = {0};
  CU_ASSERT_EQUAL_FATAL(switch_setup(module, block, 1, FIRST_HOST, HOSTS, &error), SGF_OK);
  return switch_state(module);
}

/* ------------------------------------------------------------------------------------------------------- Attributes */

SGF_TEST(defaults_of_the_attributes)
{
  const switch_block_t block = defaults();
  CU_ASSERT_EQUAL(block.own.uplink_bps, 0); /* the cable's own rate */
  CU_ASSERT_EQUAL(block.own.downlink_bps, 0);
  CU_ASSERT_EQUAL(block.buffer.total_bytes, 256000000);
  CU_ASSERT_EQUAL(block.buffer.headroom_per_port, 256000);
  CU_ASSERT_EQUAL(block.buffer.xoff, 700000);
  CU_ASSERT_EQUAL(block.buffer.xon, 300000);
}

SGF_TEST(attributes_of_the_switch_and_of_its_buffer_share_a_block)
{
  switch_block_t block = defaults();
  sgf_error_t error    = {0};
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "UplinkNetworkInterface.DataRate", "800Gbps", &error),
                  SGF_OK);
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "StaticPoolXoffThreshold", "200KB", &error), SGF_OK);
  CU_ASSERT_EQUAL(block.own.uplink_bps, INT64_C(800000000000));
  CU_ASSERT_EQUAL(block.own.downlink_bps, 0);
  CU_ASSERT_EQUAL(block.buffer.xoff, 200000);
}

SGF_TEST(a_data_rate_alone_is_ambiguous)
{
  switch_block_t block = defaults();
  sgf_error_t error    = {0};
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "DataRate", "800Gbps", &error), SGF_AMBIGUOUS);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "UplinkNetworkInterface"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "DownlinkNetworkInterface"));
}

SGF_TEST(closed_sets_of_values)
{
  switch_block_t block = defaults();
  sgf_error_t error    = {0};
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "EcmpHashMethod", "crc32WithSalt", &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "EcmpHashMethod", "md5", &error), SGF_RANGE);
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "LoadBalancingMethod", "none", &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "LoadBalancingMethod", "random", &error), SGF_RANGE);
}

/* SW-45: the default PlaneBDP is that of 6 us at 400 Gbps. */
SGF_TEST(SW_45_plane_bdp_is_round_trip_time_x_rate)
{
  const switch_block_t block = defaults();
  CU_ASSERT_EQUAL(block.buffer.plane_bdp, 300000);
  CU_ASSERT_EQUAL(opp_rate_duration(opp_rate(INT64_C(400000000000)), 8 * block.buffer.plane_bdp), 6 * OPP_US);
  CU_ASSERT_EQUAL(opp_rate_duration(opp_rate(INT64_C(800000000000)), 8 * INT64_C(600000)), 6 * OPP_US);
}

/* ---------------------------------------------------------------------------------------------------------- Classes */

SGF_TEST(a_class_is_an_eighth_of_the_dscps)
{
  const switch_block_t block = defaults();
  switch_classes_t classes;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(switch_classes_init(&classes, &block.codepoints, false, &error), SGF_OK);
  for (unsigned dscp = 0; dscp < 64; dscp++)
    CU_ASSERT_EQUAL(switch_class(&classes, &(net_frame_t){.dscp = (uint8_t)dscp}), dscp / 8);
}

/* ----------------------------------------------------------------------------------------------------------- Set-up */

SGF_TEST(set_up_makes_a_port_for_each_cable)
{
  opp_sim_t* sim              = opp_sim_new(1);
  const switch_block_t block  = defaults();
  const switch_state_t* state = set_up(sim, &block);
  CU_ASSERT_EQUAL(state->port_count, PORTS);
  CU_ASSERT_EQUAL(sgf_sb_headroom_total(state->buffer), PORTS * block.buffer.headroom_per_port);
  for (unsigned i = 0; i < PORTS; i++) {
    CU_ASSERT_EQUAL(net_port_bps(&state->ports[i].out), INT64_C(100000000000) * (i + 1));
    CU_ASSERT_EQUAL(net_port_delay(&state->ports[i].out), i * OPP_US);
  }
  opp_sim_free(sim);
}

/* Rate and delay of the port itself decide (6.2, O-25); only pools with a lossless class have a refresh. */
SGF_TEST(each_port_refreshes_at_half_its_own_pause_time)
{
  opp_sim_t* sim              = opp_sim_new(1);
  const switch_block_t block  = defaults();
  const switch_state_t* state = set_up(sim, &block);
  for (unsigned i = 0; i < PORTS; i++) {
    const opp_simtime_t pause_time =
        INT64_C(65535) * 512 * 10 / (i + 1) + i * OPP_US; /* a bit takes 10 ps at 100 Gbps */
    for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
      const pfc_refresh_t* refresh = &state->ports[i].refresh[pool];
      CU_ASSERT_EQUAL(refresh->timer != NULL, pool < 2);
      CU_ASSERT_EQUAL(refresh->period, pool < 2 ? pause_time / 2 : 0);
    }
  }
  opp_sim_free(sim);
}

SGF_TEST(set_up_fails_as_the_shared_buffer_does)
{
  opp_sim_t* sim           = opp_sim_new(1);
  switch_block_t block     = defaults();
  block.buffer.total_bytes = PORTS * block.buffer.headroom_per_port - 1;
  sgf_error_t error        = {0};
  CU_ASSERT_EQUAL(switch_setup(connected_switch(sim), &block, 1, FIRST_HOST, HOSTS, &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "HeadRoomPerPortLimit"));
  opp_sim_free(sim); /* a module that is half set up can be freed */
}

/* ------------------------------------------------------------------------------------------------- Equal-cost sets */

SGF_TEST(destinations_with_the_same_ports_share_a_set)
{
  opp_sim_t* sim             = opp_sim_new(1);
  const switch_block_t block = defaults();
  switch_state_t* state      = set_up(sim, &block);
  switch_set_route(state, 0, (const uint16_t[]){1, 2}, 2);
  switch_set_route(state, 1, (const uint16_t[]){1, 2}, 2);
  switch_set_route(state, 2, (const uint16_t[]){1, 2, 3}, 3);
  switch_set_route(state, 3, (const uint16_t[]){1}, 1);
  CU_ASSERT_EQUAL(state->set_of_host[0], state->set_of_host[1]);
  CU_ASSERT_EQUAL(state->set_count, 1 + 3); /* and the empty one, of hosts without a route */
  CU_ASSERT_EQUAL(state->sets[state->set_of_host[4]].count, 0);
  const switch_set_t* set = &state->sets[state->set_of_host[2]];
  CU_ASSERT_EQUAL_FATAL(set->count, 3);
  for (uint16_t m = 0; m < 3; m++)
    CU_ASSERT_EQUAL(state->members[set->first + m], m + 1);
  opp_sim_free(sim);
}

SGF_TEST(a_member_is_the_hash_modulo_the_size_of_the_set)
{
  opp_sim_t* sim             = opp_sim_new(1);
  const switch_block_t block = defaults();
  switch_state_t* state      = set_up(sim, &block);
  switch_set_route(state, 0, (const uint16_t[]){0, 2, 3}, 3);
  switch_set_route(state, 1, (const uint16_t[]){2}, 1);
  static const unsigned members[] = {0, 2, 3};
  for (uint16_t port = 0; port < 100; port++) {
    const net_frame_t flow = {.src = FIRST_HOST + 5, .dst = FIRST_HOST, .src_port = port, .protocol = NET_PROTOCOL_UDP};
    const uint16_t hash    = switch_flow_hash(SWITCH_HASH_CRC32_WITH_SALT, &flow, switch_hash_salt(1), 3);
    CU_ASSERT_EQUAL(switch_choose(state, &state->sets[state->set_of_host[0]], &flow).port, members[hash % 3]);
    CU_ASSERT_EQUAL(switch_choose(state, &state->sets[state->set_of_host[1]], &flow).port, 2);
  }
  opp_sim_free(sim);
}
