/* Platforms that are accepted: the devices, cables and attribute values that they give. */
#include "harness.h"
#include "scenario_support.h"

#include <stdio.h>
#include <string.h>

#define LINK(id) "<link id=\"" id "\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
#define ROUTE(src, dst, link)                                                                                          \
  "<route src=\"" src "\" dst=\"" dst "\"><link_ctn id=\"" link "\" direction=\"UP\"/></route>\n"
#define PROP(id, value) "<prop id=\"" id "\" value=\"" value "\"/>\n"
#define HOST(id, props) "<host id=\"" id "\" speed=\"1Tf\">\n" props "</host>\n"
#define RACK(id, props, host, host_props, leaf, link)                                                                  \
  "<zone id=\"" id "\" routing=\"Floyd\">\n" props HOST(host, host_props) "<router id=\"" leaf "\"/>\n" LINK(link)     \
      ROUTE(host, leaf, link) "</zone>\n"
#define ZONE_ROUTE(src, dst, gw_src, gw_dst, link)                                                                     \
  "<zoneRoute src=\"" src "\" dst=\"" dst "\" gw_src=\"" gw_src "\" gw_dst=\"" gw_dst "\"><link_ctn id=\"" link        \
  "\" direction=\"UP\"/></zoneRoute>\n"
#define PLATFORM(content)                                                                                              \
  SCENARIO_HEAD "<platform version=\"4.1\">\n<zone id=\"dc\" routing=\"Dijkstra\">\n" content "</zone>\n</platform>\n"

/* Two racks, of which the second is inside a pod, with properties at each level. */
#define PODS(props, rack0_props, gpu0_props, pod_props, rack1_props, gpu1_props)                                       \
  PLATFORM(                                                                                                            \
      props RACK("rack0", rack0_props, "gpu0", gpu0_props, "tor0",                                                     \
                 "c0") "<zone id=\"pod\" routing=\"Full\">\n" pod_props RACK("rack1", rack1_props, "gpu1", gpu1_props, \
                                                                             "tor1", "c1") "</zone>\n" LINK("k")       \
          ZONE_ROUTE("rack0", "pod", "tor0", "tor1", "k"))

static sgf_scenario_t* load(const char* platform, const char* const* set)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = scenario_load(platform, set, &error);
  CU_ASSERT_PTR_NOT_NULL(scenario);
  if (scenario == NULL)
    printf("\n  %s:%d: %s\n", error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  return scenario;
}

static sgf_device_t* find(const sgf_scenario_t* scenario, const char* name)
{
  sgf_device_t* device = sgf_fabric_find(sgf_scenario_fabric(scenario), name);
  CU_ASSERT_PTR_NOT_NULL_FATAL(device);
  return device;
}

static void check_value(const sgf_scenario_t* scenario, const char* device, const char* suffix, const char* value)
{
  CU_ASSERT_STRING_EQUAL(scenario_value(scenario, device, suffix), value);
}

/* ---- Devices and cables ------------------------------------------------------------------------------------------ */

SGF_TEST(zones_hosts_and_routers_become_devices_with_paths)
{
  static const char* const names[] = {"gpu0", "tor0", "gpu1", "tor1"};
  static const char* const paths[] = {"dc.rack0.gpu0", "dc.rack0.tor0", "dc.pod.rack1.gpu1", "dc.pod.rack1.tor1"};
  sgf_scenario_t* scenario         = load(PODS(PROP("nic", "uet"), "", "", "", "", ""), NULL);
  const sgf_fabric_t* fabric       = sgf_scenario_fabric(scenario);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_device_count(fabric), sizeof names / sizeof *names);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const sgf_device_t* device = sgf_fabric_device(fabric, i);
    CU_ASSERT_STRING_EQUAL(sgf_device_name(device), names[i]);
    CU_ASSERT_STRING_EQUAL(sgf_device_path(device), paths[i]);
    CU_ASSERT_EQUAL(sgf_device_is_switch(device), names[i][0] == 't');
  }
  CU_ASSERT_PTR_EQUAL(sgf_device_peer(find(scenario, "tor0"), 1), find(scenario, "tor1"));
  CU_ASSERT_STRING_EQUAL(sgf_device_port_cable(find(scenario, "tor1"), 1), "k");
  sgf_scenario_free(scenario);
}

SGF_TEST(a_link_gives_its_cable_rate_and_delay)
{
  sgf_scenario_t* scenario =
      load(PLATFORM(PROP("nic", "uet") HOST("a", "") HOST(
               "b", "") "<router id=\"r\"/>\n"
                        "<link id=\"c0\" bandwidth=\"63.04GBps\" latency=\"84.5ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                        "<link id=\"c1\" bandwidth=\"100Gbps\" latency=\"0\" sharing_policy=\"FULLDUPLEX\"/>\n"
                        "<link id=\"unused\" bandwidth=\"1Gbps\" latency=\"1s\"/>\n" ROUTE("a", "r", "c0")
                            ROUTE("r", "b", "c1")),
           NULL);
  const sgf_device_t* r = find(scenario, "r");
  CU_ASSERT_EQUAL_FATAL(sgf_device_port_count(r), 2);
  CU_ASSERT_EQUAL(sgf_device_port_bps(r, 0), INT64_C(504320000000));
  CU_ASSERT_EQUAL(sgf_device_port_delay(r, 0), 84500);
  CU_ASSERT_EQUAL(sgf_device_port_bps(r, 1), INT64_C(100000000000));
  CU_ASSERT_EQUAL(sgf_device_port_delay(r, 1), 0);
  CU_ASSERT_STRING_EQUAL(sgf_device_port_cable(r, 1), "c1");
  sgf_scenario_free(scenario);
}

SGF_TEST(a_data_rate_caps_its_cable)
{
  sgf_scenario_t* scenario = load(PODS(PROP("nic", "uet"), "", PROP("nic.DataRate", "100Gbps"), "", "", ""), NULL);
  CU_ASSERT_EQUAL(sgf_device_port_bps(find(scenario, "gpu0"), 0), INT64_C(100000000000));
  CU_ASSERT_EQUAL(sgf_device_port_bps(find(scenario, "tor0"), 0), INT64_C(100000000000));
  CU_ASSERT_EQUAL(sgf_device_port_bps(find(scenario, "gpu1"), 0), INT64_C(400000000000));
  sgf_scenario_free(scenario);
}

SGF_TEST(parallel_cables_are_kept_distinct)
{
  sgf_scenario_t* scenario = load(
      PLATFORM(
          PROP("nic", "uet") HOST("a", "") HOST("b", "") "<router id=\"r\"/>\n<router id=\"s\"/>\n" LINK("c0")
              LINK("c1") "<link id=\"k\" bandwidth=\"400Gbps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\">" PROP(
                  "fabric.cables", "3") "</link>\n" ROUTE("a", "r", "c0") ROUTE("b", "s", "c1") ROUTE("r", "s", "k")),
      NULL);
  const sgf_device_t* r = find(scenario, "r");
  unsigned ports[4]     = {0};
  CU_ASSERT_EQUAL(sgf_device_port_count(r), 4);
  for (unsigned port = 1; port < 4; port++) {
    CU_ASSERT_PTR_EQUAL(sgf_device_peer(r, port), find(scenario, "s"));
    CU_ASSERT_EQUAL(sgf_device_peer_port(r, port), port);
  }
  CU_ASSERT_EQUAL(sgf_device_next_hops(r, find(scenario, "b"), ports, 4), 3);
  sgf_scenario_free(scenario);
}

SGF_TEST(two_opposite_one_way_routes_are_one_cable)
{
  sgf_scenario_t* scenario =
      load(PLATFORM(PROP("nic", "uet") HOST("a", "") HOST("b", "") "<router id=\"r\"/>\n" LINK("c0") LINK("c1") ROUTE(
               "b", "r",
               "c1") "<route src=\"r\" dst=\"a\" symmetrical=\"NO\"><link_ctn id=\"c0\" direction=\"DOWN\"/></route>\n"
                     "<route src=\"a\" dst=\"r\" symmetrical=\"no\"><link_ctn id=\"c0\" direction=\"UP\"/></route>\n"),
           NULL);
  CU_ASSERT_EQUAL(sgf_device_port_count(find(scenario, "r")), 2);
  CU_ASSERT_EQUAL(sgf_device_port_count(find(scenario, "a")), 1);
  sgf_scenario_free(scenario);
}

SGF_TEST(two_hosts_can_be_back_to_back)
{
  sgf_scenario_t* scenario =
      load(PLATFORM(PROP("nic", "uet") HOST("a", "") HOST("b", "") LINK("c") ROUTE("a", "b", "c")), NULL);
  CU_ASSERT_PTR_EQUAL(sgf_device_peer(find(scenario, "a"), 0), find(scenario, "b"));
  sgf_scenario_free(scenario);
}

SGF_TEST(a_host_without_a_nic_is_simgrids_alone)
{
  sgf_scenario_t* scenario = load(
      PLATFORM(PROP("nic", "uet") HOST("a", "") HOST("b", "")
                   HOST("login", PROP("nic", "none")) "<router id=\"r\"/>\n" LINK("c0")
                       LINK("c1") "<link id=\"slow\" bandwidth=\"1Gbps\" latency=\"1ms\"/>\n"
                                  "<link id=\"slower\" bandwidth=\"1MBps\" latency=\"1ms\"/>\n" ROUTE("a", "r", "c0")
                                      ROUTE("b", "r", "c1") "<route src=\"login\" dst=\"r\"><link_ctn "
                                                            "id=\"slow\"/><link_ctn id=\"slower\"/></route>\n"),
      NULL);
  CU_ASSERT_EQUAL(sgf_scenario_host_count(scenario), 3);
  CU_ASSERT_STRING_EQUAL(sgf_scenario_host_name(scenario, 2), "login");
  CU_ASSERT_PTR_NULL(sgf_scenario_host_name(scenario, 3));
  CU_ASSERT_TRUE(sgf_scenario_has_host(scenario, "login"));
  CU_ASSERT_FALSE(sgf_scenario_has_host(scenario, "r"));
  CU_ASSERT_FALSE(sgf_scenario_has_host(scenario, "nobody"));
  CU_ASSERT_PTR_NULL(sgf_scenario_nic(scenario, "login"));
  CU_ASSERT_PTR_NULL(sgf_scenario_nic(scenario, "r"));
  CU_ASSERT_PTR_NULL(sgf_scenario_nic(scenario, "nobody"));
  CU_ASSERT_PTR_EQUAL(sgf_scenario_nic(scenario, "b"), find(scenario, "b"));
  CU_ASSERT_EQUAL(sgf_fabric_device_count(sgf_scenario_fabric(scenario)), 3);
  CU_ASSERT_EQUAL(sgf_device_port_count(find(scenario, "r")), 2);
  sgf_scenario_free(scenario);
}

SGF_TEST(what_is_simgrids_or_the_users_passes)
{
  static const char platform[] = SCENARIO_HEAD
      "<!-- a comment --><?note?>\n<platform version=\"4\">\n<config id=\"General\"><prop id=\"network/model\" "
      "value=\"CM02\"/></config>\n<AS id=\"z\" routing=\"dijkstracache\">\n" PROP("nic", "uet") PROP("owner", "me")
          PROP("nickname", "rack") PROP("net.mask", "x") PROP("switchboard.x", "y")
              PROP("pic.size",
                   "3") "<host id=\"a\" speed=\"1f, 2Gf,3kiloflops\" core=\"4\" pstate=\"2\">\n<!-- no "
                        "-->\n" PROP("wattage", "3") "<disk id=\"d\" read_bw=\"1GBps\" "
                                                     "write_bw=\"1MBps\">" PROP(
                                                         "mount", "/") "</disk>\n</host>\n"
                                                                       "<link id=\"c\" bandwidth=\"400Gbps\" "
                                                                       "latency=\"0\" "
                                                                       "sharing_policy=\"SPLITDUPLEX\">" PROP(
                                                                           "color", "red") "</link>\n<host id=\"b\" "
                                                                                           "speed=\"1\"/>\n" ROUTE(
                                                                                               "a", "b", "c") "</"
                                                                                                              "AS>\n</"
                                                                                                              "platform"
                                                                                                              ">\n";
  sgf_scenario_t* scenario = load(platform, NULL);
  CU_ASSERT_EQUAL(sgf_fabric_host_count(sgf_scenario_fabric(scenario)), 2);
  sgf_scenario_free(scenario);
}

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

#define RTO "nic.InitialRetransmitTimeout"
#define XOFF "SharedBufferManager.StaticPoolXoffThreshold"

SGF_TEST(inner_properties_override_outer_ones)
{
  sgf_scenario_t* scenario =
      load(PODS(PROP("nic", "uet") PROP(RTO, "1us") PROP("nic.RdmaDataMSS", "1000"), "", PROP(RTO, "2us"),
                PROP(RTO, "3us"), PROP(RTO, "4us"), PROP("nic.RdmaDataMSS", "2000")),
           NULL);
  check_value(scenario, "gpu0", "InitialRetransmitTimeout", "2us");
  check_value(scenario, "gpu0", "RdmaDataMSS", "1000");
  check_value(scenario, "gpu1", "InitialRetransmitTimeout", "4us");
  check_value(scenario, "gpu1", "RdmaDataMSS", "2000");
  sgf_scenario_free(scenario);
}

SGF_TEST(properties_may_stand_where_the_nic_is_not_named)
{
  sgf_scenario_t* scenario =
      load(PODS(PROP(RTO, "1us"), PROP("nic", "uet"), PROP("nic", "uet"), "", "", PROP("nic", "uet")), NULL);
  check_value(scenario, "gpu0", "InitialRetransmitTimeout", "1us");
  check_value(scenario, "gpu1", "InitialRetransmitTimeout", "1us");
  sgf_scenario_free(scenario);
}

SGF_TEST(a_named_switch_overrides_its_zone_and_an_inner_zone_overrides_both)
{
  sgf_scenario_t* scenario =
      load(PODS(PROP("nic", "uet") PROP("switch[tor{0..1}]." XOFF, "500KB") PROP("switch." XOFF, "600KB"), "", "", "",
                PROP("switch." XOFF, "400KB"), ""),
           NULL);
  check_value(scenario, "tor0", XOFF, "500KB");
  check_value(scenario, "tor1", XOFF, "400KB");
  sgf_scenario_free(scenario);
}

SGF_TEST(a_switch_is_named_by_id_or_by_its_path_below_the_zone)
{
  sgf_scenario_t* scenario =
      load(PODS(PROP("nic", "uet") PROP("switch[rack0.*]." XOFF, "500KB"), PROP("switch[t*0].PlaneBDP", "1KB"), "",
                PROP("switch[rack1.tor1]." XOFF, "400KB"), "", ""),
           NULL);
  check_value(scenario, "tor0", XOFF, "500KB");
  check_value(scenario, "tor0", "PlaneBDP", "1KB");
  check_value(scenario, "tor1", XOFF, "400KB");
  sgf_scenario_free(scenario);
}

SGF_TEST(of_two_patterns_in_one_zone_the_later_wins)
{
  sgf_scenario_t* scenario = load(
      PODS(PROP("nic", "uet") PROP("switch[tor1]." XOFF, "500KB") PROP("switch[*]." XOFF, "400KB"), "", "", "", "", ""),
      NULL);
  check_value(scenario, "tor0", XOFF, "400KB");
  check_value(scenario, "tor1", XOFF, "400KB");
  sgf_scenario_free(scenario);
}

#define NIC_LANES "NICSide/PCIeGen3.0/NicDeviceLayer/NicPCIeInterface/PhysicalLayer/LaneCount"
#define NIC_LANE_RATE "NICSide/PCIeGen3.0/NicDeviceLayer/NicPCIeInterface/PhysicalLayer/LaneBps"

SGF_TEST(the_pcie_shorthand_comes_before_single_attributes_of_its_element)
{
  sgf_scenario_t* scenario = load(PODS(PROP("nic", "uet") PROP("pcie." NIC_LANES, "4"), "", "", "",
                                       PROP("pcie." NIC_LANES, "2") PROP("pcie", "gen4 x8"), ""),
                                  NULL);
  check_value(scenario, "gpu0", NIC_LANES, "4");
  check_value(scenario, "gpu1", NIC_LANES, "2");
  check_value(scenario, "gpu1", NIC_LANE_RATE, "15760Mbps");
  sgf_scenario_free(scenario);
  scenario =
      load(PODS(PROP("nic", "uet") PROP("pcie." NIC_LANES, "4"), "", PROP("pcie", "gen5 x13"), "", "", ""), NULL);
  check_value(scenario, "gpu0", NIC_LANES, "13");
  check_value(scenario, "gpu1", NIC_LANES, "4");
  sgf_scenario_free(scenario);
}

/* ---- --set ------------------------------------------------------------------------------------------------------- */

SGF_TEST(assignments_override_the_platform_and_later_ones_override_earlier_ones)
{
  static const char* const set[] = {"**.nic.InitialRetransmitTimeout=7us",
                                    "net.dc.pod.**.nic.InitialRetransmitTimeout=\"8us\"",
                                    " **.tor?.switch." XOFF " = \"300KB\" ", "**.gpu{0..0}.pcie=\"gen5 x8\"", NULL};
  sgf_scenario_t* scenario =
      load(PODS(PROP("nic", "uet"), "", PROP(RTO, "2us"), "", PROP("switch[tor1]." XOFF, "400KB"), ""), set);
  check_value(scenario, "gpu0", "InitialRetransmitTimeout", "7us");
  check_value(scenario, "gpu1", "InitialRetransmitTimeout", "8us");
  check_value(scenario, "tor0", XOFF, "300KB");
  check_value(scenario, "tor1", XOFF, "300KB");
  check_value(scenario, "gpu0", NIC_LANES, "8");
  check_value(scenario, "gpu1", NIC_LANES, "16");
  sgf_scenario_free(scenario);
}

SGF_TEST(an_assignment_may_choose_attributes_by_pattern)
{
  static const char* const set[] = {"**.nic.**.*gressBufferManager.TotalBufferSize=1MB",
                                    "**.gpu1.nic.NetworkInterface.IngressBufferManager.T*Size=2MB", NULL};
  sgf_scenario_t* scenario       = load(PODS(PROP("nic", "uet"), "", "", "", "", ""), set);
  check_value(scenario, "gpu0", "IngressBufferManager.TotalBufferSize", "1MB");
  check_value(scenario, "gpu0", "EgressBufferManager.TotalBufferSize", "1MB");
  check_value(scenario, "gpu1", "IngressBufferManager.TotalBufferSize", "2MB");
  sgf_scenario_free(scenario);
}

SGF_TEST(assignments_give_and_take_nics)
{
  static const char* const all[] = {"**.nic=\"uet\"", "**.nic.InitialRetransmitTimeout=7us", NULL};
  sgf_scenario_t* scenario       = load(PODS("", "", PROP("nic", "none"), "", "", ""), all);
  CU_ASSERT_EQUAL(sgf_fabric_host_count(sgf_scenario_fabric(scenario)), 2);
  check_value(scenario, "gpu0", "InitialRetransmitTimeout", "7us");
  sgf_scenario_free(scenario);

  static const char* const but_one[] = {"**.login.nic=none", NULL};
  scenario =
      load(PLATFORM(PROP("nic", "uet") HOST("a", "") HOST("b", "") HOST("login", "") "<router id=\"r\"/>\n" LINK("c0")
                        LINK("c1") LINK("c2") ROUTE("a", "r", "c0") ROUTE("b", "r", "c1") ROUTE("login", "r", "c2")),
           but_one);
  CU_ASSERT_PTR_NULL(sgf_scenario_nic(scenario, "login"));
  CU_ASSERT_EQUAL(sgf_fabric_host_count(sgf_scenario_fabric(scenario)), 2);
  sgf_scenario_free(scenario);
}
