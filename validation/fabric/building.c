/* Building a fabric: what is refused, and what the cables of a built one run at. */
#include "harness.h"

#include "fabric_support.h"

#include <stdio.h>
#include <string.h>

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static sgf_status_t refused(const char* said, sgf_status_t status, const sgf_error_t* error)
{
  if (strstr(error->text, said) == NULL)
    fprintf(stderr, "\n  expected \"%s\" in \"%s\"\n", said, error->text);
  CU_ASSERT_PTR_NOT_NULL(strstr(error->text, said));
  CU_ASSERT_EQUAL(status, error->status);
  return status;
}

SGF_TEST(an_unknown_model_is_refused_with_the_nearest)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_error_t error    = {0};
  CU_ASSERT_PTR_NULL(sgf_fabric_add_nic(fabric, "h0", "h0", "uett", &error));
  CU_ASSERT_EQUAL(refused("'uett'", error.status, &error), SGF_UNKNOWN);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "nearest is 'uet'"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'h0'"));
  sgf_fabric_free(fabric);
}

SGF_TEST(a_name_is_given_once)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_error_t error    = {0};
  rig_host(fabric, "twin");
  CU_ASSERT_PTR_NULL(sgf_fabric_add_switch(fabric, "twin", "rack.twin", &error));
  CU_ASSERT_EQUAL(refused("'twin'", error.status, &error), SGF_TOPOLOGY);
  sgf_fabric_free(fabric);
}

SGF_TEST(a_nic_takes_one_cable)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* host   = rig_host(fabric, "h0");
  sgf_device_t* tor    = rig_switch(fabric, "tor");
  sgf_error_t error    = {0};
  CU_ASSERT_EQUAL(sgf_fabric_connect(fabric, host, tor, "left", 400 * GBPS, 0, 1, &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_fabric_connect(fabric, tor, host, "right", 400 * GBPS, 0, 1, &error), SGF_TOPOLOGY);
  refused("'h0'", SGF_TOPOLOGY, &error);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'left'"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'right'"));
  sgf_error_clear(&error);
  sgf_device_t* other = rig_host(fabric, "h1");
  CU_ASSERT_EQUAL(sgf_fabric_connect(fabric, other, tor, "double", 400 * GBPS, 0, 2, &error), SGF_TOPOLOGY);
  sgf_fabric_free(fabric);
}

SGF_TEST(a_cable_needs_two_devices_a_rate_and_a_member)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* a      = rig_switch(fabric, "a");
  sgf_device_t* b      = rig_switch(fabric, "b");
  CU_ASSERT_EQUAL(sgf_fabric_connect(fabric, a, a, "loop", GBPS, 0, 1, NULL), SGF_TOPOLOGY);
  CU_ASSERT_EQUAL(sgf_fabric_connect(fabric, a, b, "dead", 1, 0, 1, NULL), SGF_RANGE);
  CU_ASSERT_EQUAL(sgf_fabric_connect(fabric, a, b, "early", GBPS, -2, 1, NULL), SGF_RANGE);
  CU_ASSERT_EQUAL(sgf_fabric_connect(fabric, a, b, "none", GBPS, 0, 0, NULL), SGF_RANGE);
  CU_ASSERT_EQUAL(sgf_device_port_count(a), 0);
  sgf_fabric_free(fabric);
}

/* Two switches and a host below each; the cable between the switches says nothing of its own. */
static sgf_fabric_t* two_racks(void)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  for (unsigned i = 0; i < 2; i++) {
    sgf_device_t* leaf = rig_switch(fabric, i == 0 ? "leaf0" : "leaf1");
    sgf_device_t* host = rig_host(fabric, i == 0 ? "h0" : "h1");
    sgf_fabric_connect(fabric, host, leaf, "down", SGF_RATE_OF_DEVICES, SGF_DELAY_OF_DEVICE, 1, NULL);
  }
  sgf_device_t* spine = rig_switch(fabric, "spine");
  for (unsigned i = 0; i < 2; i++)
    sgf_fabric_connect(fabric, spine, sgf_fabric_find(fabric, i == 0 ? "leaf0" : "leaf1"), "up", SGF_RATE_OF_DEVICES,
                       SGF_DELAY_OF_DEVICE, 1, NULL);
  return fabric;
}

/* A link runs at the lesser rate of its two ends and has the delay of its lower end; of an uplink that is the
 * switch's own 750 ns, of a downlink the NIC's 100 ns. */
SGF_TEST(SW_11_without_a_cables_own_values_the_devices_say_rate_and_delay)
{
  static const char uplink[]   = "UplinkNetworkInterface.DataRate";
  static const char downlink[] = "DownlinkNetworkInterface.DataRate";
  sgf_fabric_t* fabric         = two_racks();
  sgf_device_t* leaf           = sgf_fabric_find(fabric, "leaf0");
  sgf_device_t* spine          = sgf_fabric_find(fabric, "spine");
  sgf_error_t error            = {0};
  CU_ASSERT_EQUAL(sgf_device_set(leaf, "switch", uplink, "800Gbps", &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_device_set(leaf, "switch", "TransmissionMedium.Delay", "750ns", &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_device_set(spine, "switch", downlink, "600Gbps", &error), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_device_port_bps(leaf, 1), 600 * GBPS);
  CU_ASSERT_EQUAL(sgf_device_port_bps(spine, 0), 600 * GBPS);
  CU_ASSERT_EQUAL(sgf_device_port_delay(leaf, 1), 750 * OPP_NS);
  CU_ASSERT_EQUAL(sgf_device_port_delay(spine, 0), 750 * OPP_NS);
  CU_ASSERT_EQUAL(sgf_device_port_bps(leaf, 0), 400 * GBPS);
  CU_ASSERT_EQUAL(sgf_device_port_delay(leaf, 0), 100 * OPP_NS);
  CU_ASSERT_EQUAL(sgf_device_port_delay(sgf_fabric_find(fabric, "leaf1"), 1), 500 * OPP_NS);
  sgf_fabric_free(fabric);
}

static void add_pair_of_hosts(sgf_fabric_t* fabric, const char* first, const char* second)
{
  sgf_device_t* host = rig_host(fabric, first);
  rig_connect(fabric, host, rig_host(fabric, second));
}

SGF_TEST(a_device_without_cable_is_refused)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  add_pair_of_hosts(fabric, "h0", "h1");
  rig_host(fabric, "lonely");
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(refused("host 'lonely' has no cable", sgf_fabric_seal(fabric, &error), &error), SGF_TOPOLOGY);
  sgf_fabric_free(fabric);
}

SGF_TEST(a_switch_without_hosts_is_refused)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  add_pair_of_hosts(fabric, "h0", "h1");
  sgf_device_t* s0 = rig_switch(fabric, "s0");
  rig_connect(fabric, s0, rig_switch(fabric, "s1"));
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(refused("'s0'", sgf_fabric_seal(fabric, &error), &error), SGF_TOPOLOGY);
  sgf_fabric_free(fabric);
}

SGF_TEST(islands_are_refused)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  for (int island = 0; island < 2; island++) {
    char names[3][8];
    for (int i = 0; i < 3; i++)
      snprintf(names[i], sizeof names[i], "%s%d", i == 2 ? "s" : "h", island * 2 + i % 2);
    sgf_device_t* tor = rig_switch(fabric, names[2]);
    rig_connect(fabric, rig_host(fabric, names[0]), tor);
    rig_connect(fabric, rig_host(fabric, names[1]), tor);
  }
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(refused("'h0' and 'h2' cannot reach each other", sgf_fabric_seal(fabric, &error), &error),
                  SGF_TOPOLOGY);
  sgf_fabric_free(fabric);
}

SGF_TEST(a_pair_of_hosts_beside_a_rack_is_an_island)
{
  for (int pair_first = 0; pair_first < 2; pair_first++) {
    sgf_fabric_t* fabric = sgf_fabric_new(1);
    if (pair_first)
      add_pair_of_hosts(fabric, "a", "b");
    sgf_device_t* tor = rig_switch(fabric, "tor");
    rig_connect(fabric, rig_host(fabric, "h0"), tor);
    rig_connect(fabric, rig_host(fabric, "h1"), tor);
    if (!pair_first)
      add_pair_of_hosts(fabric, "a", "b");
    sgf_error_t error = {0};
    CU_ASSERT_EQUAL(refused("'a'", sgf_fabric_seal(fabric, &error), &error), SGF_TOPOLOGY);
    sgf_fabric_free(fabric);
  }
}

SGF_TEST(a_sealed_fabric_is_not_changed)
{
  fabric_rig_t rig  = rig_star(2, 0, 1, SETTINGS(NULL));
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(refused("sealed already", sgf_fabric_seal(rig.fabric, &error), &error), SGF_STATE);
  CU_ASSERT_PTR_NULL(sgf_fabric_add_nic(rig.fabric, "late", "late", "uet", NULL));
  CU_ASSERT_EQUAL(sgf_device_set(rig.hosts[0], "pcie", "", "gen3 x1", NULL), SGF_STATE);
  CU_ASSERT_EQUAL(sgf_fabric_connect(rig.fabric, rig.hosts[0], rig.hosts[1], "late", GBPS, 0, 1, NULL), SGF_STATE);
  CU_ASSERT_EQUAL(sgf_fabric_device_count(rig.fabric), 3);
  rig_free(&rig);
}

SGF_TEST(a_rule_of_the_models_names_the_device)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* host   = rig_host(fabric, "narrow");
  rig_connect(fabric, host, rig_host(fabric, "other"));
  CU_ASSERT_EQUAL(sgf_device_set(host, "nic", "InitialBaseRTT", "1ns", NULL), SGF_OK);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(refused("host 'narrow': InitialBaseRTT", sgf_fabric_seal(fabric, &error), &error), SGF_RULE);
  sgf_fabric_free(fabric);
}

SGF_TEST(attributes_belong_to_their_kind_of_device)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* host   = rig_host(fabric, "h0");
  sgf_device_t* tor    = rig_switch(fabric, "tor");
  CU_ASSERT_EQUAL(sgf_device_set(host, "switch", "EcmpHashMethod", "crc32WithSalt", NULL), SGF_UNKNOWN);
  CU_ASSERT_EQUAL(sgf_device_set(tor, "nic", "RdmaDataMSS", "1000", NULL), SGF_UNKNOWN);
  CU_ASSERT_EQUAL(sgf_device_set(tor, "pcie", "", "gen5 x8", NULL), SGF_UNKNOWN);
  CU_ASSERT_EQUAL(sgf_device_set(host, "nic", "RdmaDataMSS", "1000", NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_device_set(host, "pcie", "", "gen5 x8", NULL), SGF_OK);
  sgf_fabric_free(fabric);
}

SGF_TEST(writes_go_from_host_to_host_and_not_into_the_past)
{
  fabric_rig_t rig  = rig_star(2, 0, 1, SETTINGS(NULL));
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(sgf_op_write(rig.fabric, rig.hosts[0], rig.switches[0], 1, 0, 0, 0, &error));
  CU_ASSERT_EQUAL(refused("'tor0' is a switch", error.status, &error), SGF_NO_NIC);
  sgf_error_clear(&error);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, 10), SGF_ENGINE_IDLE);
  CU_ASSERT_PTR_NULL(sgf_op_write(rig.fabric, rig.hosts[0], rig.hosts[1], 1, 0, 9, 0, &error));
  CU_ASSERT_EQUAL(error.status, SGF_STATE);
  rig_free(&rig);
}

/* ---- Rates ------------------------------------------------------------------------------------------------------- */

/* h0 == leaf == spine == leaf == h1, cables of 400 Gb/s. */
static fabric_rig_t capped(const char* const* settings)
{
  return rig_leaf_spine(2, 1, 1, 1, 1, settings);
}

SGF_TEST(data_rates_only_cap_the_cables)
{
  fabric_rig_t rig = capped(SETTINGS("nic.DataRate", "800Gbps"));
  CU_ASSERT_EQUAL(sgf_device_port_bps(rig.hosts[0], 0), 400 * GBPS);
  rig_free(&rig);
  rig = capped(SETTINGS("nic.DataRate", "100Gbps"));
  CU_ASSERT_EQUAL(sgf_device_port_bps(rig.hosts[0], 0), 100 * GBPS);
  CU_ASSERT_EQUAL(sgf_device_port_bps(rig.switches[0], 0), 100 * GBPS); /* both ends of a cable run alike */
  CU_ASSERT_EQUAL(sgf_device_port_bps(rig.switches[0], 1), 400 * GBPS);
  rig_free(&rig);
}

SGF_TEST(a_switch_caps_its_uplinks_and_downlinks_apart)
{
  fabric_rig_t rig = capped(SETTINGS("switch.UplinkNetworkInterface.DataRate", "200Gbps",
                                     "switch.DownlinkNetworkInterface.DataRate", "300Gbps"));
  CU_ASSERT_EQUAL(sgf_device_port_bps(rig.hosts[0], 0), 300 * GBPS); /* the leaf's downlink */
  CU_ASSERT_EQUAL(sgf_device_port_bps(rig.switches[0], 0), 300 * GBPS);
  CU_ASSERT_EQUAL(sgf_device_port_bps(rig.switches[0], 1), 200 * GBPS); /* the leaf's uplink, the spine's downlink */
  CU_ASSERT_EQUAL(sgf_device_port_bps(rig.switches[2], 0), 200 * GBPS);
  rig_free(&rig);
}

/* ---- Looking around ---------------------------------------------------------------------------------------------- */

SGF_TEST(devices_are_found_by_name_and_in_order)
{
  fabric_rig_t rig = rig_leaf_spine(3, 4, 2, 2, 1, SETTINGS(NULL));
  CU_ASSERT_EQUAL(sgf_fabric_device_count(rig.fabric), 3 * 4 + 3 + 2);
  CU_ASSERT_EQUAL(sgf_fabric_host_count(rig.fabric), 12);
  for (unsigned h = 0; h < rig.host_count; h++) {
    char name[16];
    snprintf(name, sizeof name, "h%u", h);
    CU_ASSERT_PTR_EQUAL(sgf_fabric_find(rig.fabric, name), rig.hosts[h]);
    CU_ASSERT_PTR_EQUAL(sgf_fabric_host(rig.fabric, h), rig.hosts[h]);
    CU_ASSERT_STRING_EQUAL(sgf_device_model(rig.hosts[h]), "uet");
  }
  CU_ASSERT_PTR_NULL(sgf_fabric_find(rig.fabric, "h12"));
  CU_ASSERT(sgf_device_is_switch(rig.switches[4]));
  CU_ASSERT_EQUAL(sgf_device_port_count(rig.switches[4]), 3 * 2);
  CU_ASSERT_PTR_EQUAL(sgf_device_peer(rig.switches[4], 5), rig.switches[2]);
  CU_ASSERT_EQUAL(sgf_device_peer_port(rig.switches[4], 5), 4 + 3);
  CU_ASSERT_STRING_EQUAL(sgf_device_port_cable(rig.switches[4], 5), "cable");
  CU_ASSERT_EQUAL(sgf_device_port_delay(rig.switches[4], 5), 100 * OPP_NS);
  rig_free(&rig);
}

/* ---- Routes ------------------------------------------------------------------------------------------------------ */

SGF_TEST(equal_cost_next_hops_are_all_shortest_ways_parallel_cables_apart)
{
  enum { LEAVES = 3, HOSTS = 2, SPINES = 2, PARALLEL = 2 };
  fabric_rig_t rig = rig_leaf_spine(LEAVES, HOSTS, SPINES, PARALLEL, 1, SETTINGS(NULL));
  unsigned ports[16];
  for (unsigned h = 0; h < rig.host_count; h++) {
    const unsigned home = h / HOSTS;
    for (unsigned l = 0; l < LEAVES; l++) {
      const size_t count = sgf_device_next_hops(rig.switches[l], rig.hosts[h], ports, 16);
      CU_ASSERT_EQUAL(count, l == home ? 1 : SPINES * PARALLEL);
      for (size_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(ports[i], l == home ? h % HOSTS : HOSTS + i);
    }
    for (unsigned s = 0; s < SPINES; s++) {
      CU_ASSERT_EQUAL(sgf_device_next_hops(rig.switches[LEAVES + s], rig.hosts[h], ports, 16), PARALLEL);
      for (size_t i = 0; i < PARALLEL; i++)
        CU_ASSERT_PTR_EQUAL(sgf_device_peer(rig.switches[LEAVES + s], ports[i]), rig.switches[home]);
    }
  }
  CU_ASSERT_EQUAL(sgf_device_next_hops(rig.switches[0], rig.hosts[5], ports, 1),
                  SPINES * PARALLEL); /* room for one only */
  CU_ASSERT_EQUAL(sgf_device_next_hops(rig.hosts[0], rig.hosts[5], ports, 16), 1);
  CU_ASSERT_EQUAL(sgf_device_next_hops(rig.hosts[0], rig.hosts[0], ports, 16), 0);
  rig_free(&rig);
}

SGF_TEST(hosts_never_forward)
{
  /* A ring of three leaves: the shortest way is the direct one, whatever hosts there are. */
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t *leaf[3], *host[3];
  for (int i = 0; i < 3; i++) {
    char name[16];
    snprintf(name, sizeof name, "h%d", i);
    host[i] = rig_host(fabric, name);
    snprintf(name, sizeof name, "s%d", i);
    leaf[i] = rig_switch(fabric, name);
    rig_connect(fabric, host[i], leaf[i]);
  }
  for (int i = 0; i < 3; i++)
    rig_connect(fabric, leaf[i], leaf[(i + 1) % 3]);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_fabric_seal(fabric, &error), SGF_OK);
  unsigned port;
  for (int i = 0; i < 3; i++)
    for (int h = 0; h < 3; h++) {
      CU_ASSERT_EQUAL(sgf_device_next_hops(leaf[i], host[h], &port, 1), 1);
      CU_ASSERT_PTR_EQUAL(sgf_device_peer(leaf[i], port), i == h ? host[h] : leaf[h]);
    }
  sgf_fabric_free(fabric);
}
