/* Properties and assignments that are refused: nothing is silently ignored. */
#include "harness.h"
#include "scenario_support.h"

#include <stdio.h>
#include <string.h>

/* "gpu0" in line 8 behind `zone_props` in lines 5 and following; both racks have a switch: "tor0", "tor1". */
#define PLATFORM(zone_props, host_props, link_props)                                                                   \
  SCENARIO_HEAD "<platform version=\"4.1\">\n<zone id=\"dc\" routing=\"Dijkstra\">\n" zone_props                       \
                "<host id=\"gpu0\" speed=\"1Tf\">\n" host_props "</host>\n"                                            \
                "<host id=\"gpu1\" speed=\"1Tf\"/>\n<router id=\"tor0\"/>\n<router id=\"tor1\"/>\n"                    \
                "<link id=\"c0\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\">\n" link_props \
                "</link>\n" LINK("c1") LINK("k") LINK("unused") ROUTE("gpu0", "tor0", "c0")                            \
                    ROUTE("gpu1", "tor1", "c1") ROUTE("tor0", "tor1", "k") "</zone>\n</platform>\n"
#define LINK(id) "<link id=\"" id "\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
#define ROUTE(src, dst, link)                                                                                          \
  "<route src=\"" src "\" dst=\"" dst "\"><link_ctn id=\"" link "\" direction=\"UP\"/></route>\n"
#define PROP(id, value) "<prop id=\"" id "\" value=\"" value "\"/>\n"
#define NIC PROP("nic", "uet")
#define ZONE(id, value) PLATFORM(NIC PROP(id, value), "", "") /* the property in line 6 */
#define HOST(id, value) PLATFORM(NIC, PROP(id, value), "")    /* in line 7 */
#define WIRE(id, value) PLATFORM(NIC, "", PROP(id, value))    /* in line 12 */

typedef struct refusal {
  const char* platform;
  sgf_status_t status;
  int line;
  const char* says[3];
} refusal_t;

static void check(const refusal_t* refusal, const char* const* set, const char* file)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = scenario_load(refusal->platform, set, &error);
  bool is_right            = scenario == NULL && error.status == refusal->status && error.line == refusal->line;
  for (size_t i = 0; i < sizeof refusal->says / sizeof *refusal->says && refusal->says[i] != NULL; i++)
    is_right = is_right && strstr(error.text, refusal->says[i]) != NULL;
  if (file != NULL)
    is_right = is_right && strcmp(error.file, file) == 0;
  CU_ASSERT_TRUE(is_right);
  if (!is_right)
    printf("\n  \"%s\": status %d, %s:%d: %s\n", refusal->says[0], (int)error.status, error.file, error.line,
           scenario != NULL ? "accepted" : error.text);
  sgf_scenario_free(scenario);
}

SGF_TEST(attributes_that_do_not_exist_or_do_not_fit)
{
  static const refusal_t refusals[] = {
      {ZONE("nic.IngressBufferManager.TotlBufferSize", "4MB"),
       SGF_UNKNOWN,
       6,
       {"TotlBufferSize", "did you mean", "TotalBufferSize"}},
      {HOST("nic.IngressBufferManager.TotlBufferSize", "4MB"), SGF_UNKNOWN, 7, {"TotlBufferSize", "did you mean"}},
      {ZONE("nic.TotalBufferSize", "4MB"),
       SGF_AMBIGUOUS,
       6,
       {"TotalBufferSize", "IngressBufferManager", "EgressBufferManager"}},
      {ZONE("nic.IngressBufferManager.TotalBufferSize", "4Gbps"), SGF_UNIT, 6, {"4Gbps", "data rate"}},
      {ZONE("nic.IngressBufferManager.TotalBufferSize", "4"), SGF_UNIT, 6, {"unit is missing"}},
      {ZONE("nic.IngressBufferManager.PFCEnableVector", "[1, 1]"), SGF_SYNTAX, 6, {"PFCEnableVector", "8 entries"}},
      {ZONE("nic.InitialRetransmitTimeout", "1000s"), SGF_RANGE, 6, {"InitialRetransmitTimeout"}},
      {ZONE("switch.StaticPoolXofThreshold", "4MB"),
       SGF_UNKNOWN,
       6,
       {"StaticPoolXofThreshold", "did you mean", "StaticPoolXoffThreshold"}},
      {ZONE("switch[tor0].StaticPoolXoffThreshold", "lots"), SGF_SYNTAX, 6, {"lots"}},
      {ZONE("pcie", "gen9 x8"), SGF_RANGE, 6, {"gen9"}},
      {HOST("pcie", "fast"), SGF_SYNTAX, 7, {"fast"}},
      {ZONE("pcie.LaneCont", "8"), SGF_UNKNOWN, 6, {"LaneCont"}},
      {ZONE("nic", "utt"), SGF_AMBIGUOUS, 6, {"\"nic\"", "line 5"}},
      {HOST("nic", "utt"), SGF_UNKNOWN, 7, {"\"utt\"", "did you mean uet?"}},
      {WIRE("fabric.cable", "2"), SGF_UNKNOWN, 12, {"\"cable\"", "did you mean cables?"}},
      {PLATFORM(NIC, "", "") "", SGF_OK, 0, {NULL}},
  };
  for (size_t i = 0; refusals[i].status != SGF_OK; i++)
    check(&refusals[i], NULL, NULL);
}

SGF_TEST(a_value_is_checked_though_overridden)
{
  static const refusal_t in_zone = {
      PLATFORM(NIC PROP("nic.InitialRetransmitTimeout", "soon"), PROP("nic.InitialRetransmitTimeout", "150us"), ""),
      SGF_SYNTAX,
      6,
      {"soon"}};
  static const char* const set[] = {"**.nic.InitialRetransmitTimeout=150us", NULL};
  check(&in_zone, NULL, NULL);
  check(&in_zone, set, NULL);
  static const refusal_t model      = {PLATFORM(PROP("nic", "utt"), NIC, ""), SGF_UNKNOWN, 5, {"utt"}};
  static const char* const models[] = {"**.nic=uet", NULL};
  check(&model, models, NULL);
}

SGF_TEST(properties_without_effect)
{
  static const refusal_t refusals[] = {
      {PLATFORM(PROP("nic.InitialRetransmitTimeout", "150us"), "", ""),
       SGF_NO_NIC,
       5,
       {"no effect", "zone \"dc\" has a NIC"}},
      {PLATFORM("", PROP("nic.InitialRetransmitTimeout", "150us"), ""),
       SGF_NO_NIC,
       6,
       {"no effect", "\"gpu0\" has no NIC"}},
      {PLATFORM(NIC, PROP("nic", "none") PROP("pcie", "gen5 x8"), ""),
       SGF_NO_NIC,
       8,
       {"\"pcie\"", "\"gpu0\" has no NIC"}},
      {ZONE("switch[tro0].StaticPoolXoffThreshold", "200KB"), SGF_UNKNOWN, 6, {"\"tro0\"", "did you mean tor0?"}},
      {ZONE("switch[gpu*].StaticPoolXoffThreshold", "200KB"), SGF_UNKNOWN, 6, {"no router in zone \"dc\"", "gpu*"}},
      {HOST("switch.StaticPoolXoffThreshold", "200KB"), SGF_RULE, 7, {"no effect in a host", "a zone"}},
      {WIRE("nic.InitialRetransmitTimeout", "150us"), SGF_RULE, 12, {"no effect in a link"}},
      {ZONE("fabric.cables", "2"), SGF_RULE, 6, {"no effect in a zone", "a link"}},
      {SCENARIO_HEAD "<platform version=\"4.1\">\n<config>\n<prop id=\"switch.x\" value=\"1\"/></config>\n</platform>",
       SGF_RULE,
       5,
       {"no effect in a config"}},
      {SCENARIO_HEAD "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"None\">\n" NIC
                     "<router id=\"r\"/>\n</zone>\n</platform>",
       SGF_NO_NIC,
       5,
       {"\"nic\"", "no host in zone \"z\""}},
      {SCENARIO_HEAD "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Dijkstra\">\n" NIC PROP(
           "switch.EcmpHashMethod",
           "crc32WithSalt") "<host id=\"a\" speed=\"1f\"/>\n<host id=\"b\" speed=\"1f\"/>\n" LINK("c")
           ROUTE("a", "b", "c") "</zone>\n</platform>",
       SGF_UNKNOWN,
       6,
       {"no router in zone \"z\""}},
      {PLATFORM(NIC, "", "") "", SGF_OK, 0, {NULL}},
  };
  for (size_t i = 0; refusals[i].status != SGF_OK; i++)
    check(&refusals[i], NULL, NULL);
}

SGF_TEST(properties_that_cannot_be_meant)
{
  static const refusal_t refusals[] = {
      {ZONE("nic.NetworkInterface.TransmissionMedium.Delay", "1us"), SGF_RULE, 6, {"latency of the <link>"}},
      {ZONE("switch[tor?].TransmissionMedium.Delay", "1us"), SGF_RULE, 6, {"latency of the <link>"}},
      {ZONE("switch", "200KB"), SGF_SYNTAX, 6, {"names no attribute"}},
      {ZONE("nic.", "200KB"), SGF_SYNTAX, 6, {"names no attribute"}},
      {ZONE("nic[gpu0].InitialRetransmitTimeout", "1us"), SGF_SYNTAX, 6, {"brackets"}},
      {ZONE("switch[tor0.StaticPoolXoffThreshold", "1us"), SGF_SYNTAX, 6, {"a [ without ]"}},
      {ZONE("switch[tor{0.StaticPoolXoffThreshold]", "1us"), SGF_SYNTAX, 6, {"a { without }"}},
      {ZONE("nics.InitialRetransmitTimeout", "1us"), SGF_UNKNOWN, 6, {"did you mean nic.InitialRetransmitTimeout?"}},
      {ZONE("NIC.InitialRetransmitTimeout", "1us"), SGF_UNKNOWN, 6, {"did you mean nic.InitialRetransmitTimeout?"}},
      {ZONE("swich[tor0].StaticPoolXoffThreshold", "1us"),
       SGF_UNKNOWN,
       6,
       {"did you mean switch.StaticPoolXoffThreshold?"}},
      {WIRE("fabrik.cables", "2"), SGF_UNKNOWN, 12, {"did you mean fabric.cables?"}},
      {WIRE("fabric.cables", "0"), SGF_RANGE, 12, {"1..1024"}},
      {WIRE("fabric.cables", "two"), SGF_SYNTAX, 12, {"fabric.cables", "two"}},
      {PLATFORM(NIC, "", PROP("fabric.cables", "1") PROP("fabric.cables", "1")), SGF_AMBIGUOUS, 13, {"line 12"}},
      {PLATFORM(NIC,
                PROP("nic.InitialRetransmitTimeout", "1us")
                    PROP("nic.ScalaUETPdsManager.InitialRetransmitTimeout", "2us"),
                ""),
       SGF_AMBIGUOUS,
       8,
       {"same attribute", "line 7"}},
      {PLATFORM(NIC, "", "") "", SGF_OK, 0, {NULL}},
  };
  for (size_t i = 0; refusals[i].status != SGF_OK; i++)
    check(&refusals[i], NULL, NULL);
}

SGF_TEST(cables_in_a_link_that_is_no_cable)
{
  static const refusal_t unused = {
      SCENARIO_HEAD
      "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Dijkstra\">\n" NIC
      "<host id=\"a\" speed=\"1f\"/>\n<router id=\"r\"/>\n" LINK(
          "c") "<link id=\"d\" bandwidth=\"1Gbps\" latency=\"0\">\n" PROP("fabric.cables",
                                                                          "2") "</link>\n" ROUTE("a", "r",
                                                                                                 "c") "</zone>\n</"
                                                                                                      "platform>",
      SGF_TOPOLOGY,
      10,
      {"fabric.cables", "link \"d\" is no cable"}};
  check(&unused, NULL, NULL);
}

SGF_TEST(assignments_that_are_refused_name_what_was_meant)
{
  static const struct {
    const char* set[3];
    refusal_t refusal;
  } cases[] = {
      {{"**.gpu9.nic.InitialRetransmitTimeout=1us"}, {NULL, SGF_UNKNOWN, 0, {"matches no host", "did you mean gpu"}}},
      {{"net.rack.gpu0.pcie=gen5 x8"}, {NULL, SGF_UNKNOWN, 0, {"matches no host", "did you mean net.dc.gpu0?"}}},
      {{"dc.gpu0.pcie=gen5 x8"}, {NULL, SGF_UNKNOWN, 0, {"did you mean net.dc.gpu0?"}}},
      {{"*.pcie=gen5 x8"}, {NULL, SGF_UNKNOWN, 0, {"the first is net.dc.gpu0"}}},
      {{"**.tor7.switch.EcmpHashMethod=crc32WithSalt"},
       {NULL, SGF_UNKNOWN, 0, {"matches no router", "did you mean tor"}}},
      {{"**.tor0.pcie=gen5 x8"}, {NULL, SGF_UNKNOWN, 0, {"\"tor0\" is a router"}}},
      {{"**.gpu0.switch.EcmpHashMethod=crc32WithSalt"}, {NULL, SGF_UNKNOWN, 0, {"\"gpu0\" is a host"}}},
      {{"**.gpu1.nic=none", "**.gpu1.pcie=gen5 x8"}, {NULL, SGF_NO_NIC, 0, {"**.gpu1.pcie", "\"gpu1\" has no NIC"}}},
      {{"**.nic.InitialRetransmitTimout=1us"},
       {NULL, SGF_UNKNOWN, 0, {"**.nic.InitialRetransmitTimout", "did you mean"}}},
      {{"**.nic.InitialRetransmitTimeout=4MB"}, {NULL, SGF_UNIT, 0, {"4MB", "time"}}},
      {{"**.nic.TotalBufferSize=4MB"}, {NULL, SGF_AMBIGUOUS, 0, {"TotalBufferSize"}}},
      {{"**.nic.Ingress*.TotalBufferSize=4MB"}, {NULL, SGF_UNKNOWN, 0, {"whole path", "begin with **."}}},
      {{"**.nic.TransmissionMedium.Delay=1us"}, {NULL, SGF_RULE, 0, {"latency of the <link>"}}},
      {{"**.pcie=gen5"}, {NULL, SGF_SYNTAX, 0, {"gen5"}}},
      {{"**.nic=utt"}, {NULL, SGF_UNKNOWN, 0, {"did you mean uet?"}}},
      {{"**.gpu7.nic=uet"}, {NULL, SGF_UNKNOWN, 0, {"matches no host"}}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    refusal_t refusal = cases[i].refusal;
    refusal.platform  = PLATFORM(NIC, "", "");
    check(&refusal, cases[i].set, "--set");
  }
}

SGF_TEST(rules_of_several_attributes_have_the_line_of_their_device)
{
  /* spec/uet-nic.md: a NIC needs two pools. */
  static const refusal_t one_pool = {
      PLATFORM(NIC, PROP("nic.IngressBufferManager.PoolAllocationVector", "[1, 0, 0, 0, 0, 0, 0, 0]"), ""),
      SGF_RULE,
      6,
      {"gpu0", "PoolAllocationVector"}};
  check(&one_pool, NULL, NULL);
}
