/* Platforms that are refused: each with its line and a message that names what is wrong and what was meant. The first
 * half is what SimGrid 3.32 would abort, crash or loop at; none of it may reach SimGrid. */
#include "harness.h"
#include "scenario_support.h"

#include <stdio.h>
#include <string.h>

/* Lines 1 to 4 of every platform; what follows starts in line 5. */
#define BEGIN_WITH(routing) SCENARIO_HEAD "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"" routing "\">\n"
#define BEGIN BEGIN_WITH("Dijkstra")
#define END "</zone>\n</platform>\n"

#define NIC "<prop id=\"nic\" value=\"uet\"/>\n"
#define DEVICES "<host id=\"a\" speed=\"1Tf\"/>\n<host id=\"b\" speed=\"1Tf\"/>\n<router id=\"r\"/>\n"
#define LINK(id) "<link id=\"" id "\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
#define LINKS LINK("c0") LINK("c1")
#define ROUTE(src, dst, link)                                                                                          \
  "<route src=\"" src "\" dst=\"" dst "\"><link_ctn id=\"" link "\" direction=\"UP\"/></route>\n"
#define ROUTES ROUTE("a", "r", "c0") ROUTE("b", "r", "c1")
#define REST DEVICES LINKS ROUTES /* behind the properties */
#define PROP(id, value) "<prop id=\"" id "\" value=\"" value "\"/>\n"

/* Two racks of one host: "ra" in lines 5 to 10, "rb" in 11 to 16. */
#define RACK(id, host, leaf, link)                                                                                     \
  "<zone id=\"" id "\" routing=\"Dijkstra\">\n<host id=\"" host "\" speed=\"1Tf\"/>\n<router id=\"" leaf               \
  "\"/>\n" LINK(link) ROUTE(host, leaf, link) "</zone>\n"
#define RACKS RACK("ra", "a", "la", "c0") RACK("rb", "b", "lb", "c1")
#define ZONE_ROUTE(src, dst, gw_src, gw_dst, link)                                                                     \
  "<zoneRoute src=\"" src "\" dst=\"" dst "\" gw_src=\"" gw_src "\" gw_dst=\"" gw_dst "\"><link_ctn id=\"" link        \
  "\" direction=\"UP\"/></zoneRoute>\n"

typedef struct refusal {
  const char* platform;
  const char* set[3];
  sgf_status_t status;
  int line;
  const char* says[3]; /* pieces of the message */
} refusal_t;

static bool says_all(const refusal_t* refusal, const char* text)
{
  for (size_t i = 0; i < sizeof refusal->says / sizeof *refusal->says && refusal->says[i] != NULL; i++)
    if (strstr(text, refusal->says[i]) == NULL)
      return false;
  return true;
}

static void check(const refusal_t* refusals, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const refusal_t* refusal = &refusals[i];
    sgf_error_t error        = {0};
    sgf_scenario_t* scenario = scenario_load(refusal->platform, refusal->set, &error);
    CU_ASSERT_PTR_NULL(scenario);
    bool is_right = error.status == refusal->status && error.line == refusal->line && says_all(refusal, error.text) &&
                    error.file[0] != '\0';
    CU_ASSERT_TRUE(is_right);
    if (!is_right)
      printf("\n  case %zu, \"%s\": status %d, %s:%d: %s\n", i, refusal->says[0], (int)error.status, error.file,
             error.line, scenario != NULL ? "accepted" : error.text);
    sgf_scenario_free(scenario);
  }
}

#define CHECK(refusals) check(refusals, sizeof(refusals) / sizeof *(refusals))

SGF_TEST(documents_that_are_not_well_formed)
{
  static const refusal_t refusals[] = {
      {"", {NULL}, SGF_SYNTAX, 1, {"empty"}},
      {SCENARIO_HEAD, {NULL}, SGF_SYNTAX, 3, {"XML"}},
      {BEGIN NIC DEVICES, {NULL}, SGF_SYNTAX, 9, {"XML", "zone"}},
      {BEGIN NIC "<host id=\"a\" speed=\"1Tf\">\n" END, {NULL}, SGF_SYNTAX, 7, {"XML", "host"}},
      {BEGIN NIC "<host id=\"a\" id=\"b\" speed=\"1Tf\"/>\n" END, {NULL}, SGF_SYNTAX, 6, {"XML", "id redefined"}},
      {BEGIN NIC "<host id=\"&foo;\" speed=\"1Tf\"/>\n" END, {NULL}, SGF_SYNTAX, 6, {"foo"}},
      {BEGIN NIC REST END "<more/>", {NULL}, SGF_SYNTAX, 15, {"XML"}},
      {"not XML at all", {NULL}, SGF_SYNTAX, 1, {"XML"}},
  };
  CHECK(refusals);
}

SGF_TEST(documents_that_simgrid_cannot_read)
{
  static const refusal_t refusals[] = {
      {"<platform version=\"4.1\"/>",
       {NULL},
       SGF_SYNTAX,
       1,
       {"<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"}},
      {"<!DOCTYPE platform SYSTEM \"simgrid.dtd\"><platform version=\"4.1\"/>",
       {NULL},
       SGF_SYNTAX,
       1,
       {"SimGrid wants"}},
      {"<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\" [ ]><platform version=\"4.1\"/>",
       {NULL},
       SGF_SYNTAX,
       1,
       {"declarations"}},
      {"\xef\xbb\xbf" BEGIN NIC REST END, {NULL}, SGF_SYNTAX, 1, {"byte order mark"}},
      {"<?xml version=\"1.0\" standalone=\"yes\"?>\n<!DOCTYPE platform SYSTEM "
       "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\"/>",
       {NULL},
       SGF_SYNTAX,
       1,
       {"standalone"}},
      {SCENARIO_HEAD "<adag/>", {NULL}, SGF_SYNTAX, 3, {"<adag>", "not <platform>"}},
      {SCENARIO_HEAD "<platform/>", {NULL}, SGF_SYNTAX, 3, {"version"}},
      {SCENARIO_HEAD "<platform version=\"3\"/>", {NULL}, SGF_SYNTAX, 3, {"\"3\"", "4.1"}},
      {SCENARIO_HEAD "<platform version=\"5\"/>", {NULL}, SGF_SYNTAX, 3, {"\"5\"", "4.1"}},
      {SCENARIO_HEAD "<platform version=\"4.1\">\n</platform>", {NULL}, SGF_TOPOLOGY, 3, {"without a zone"}},
      {BEGIN NIC "hello\n" REST END, {NULL}, SGF_SYNTAX, 6, {"text inside <zone>"}},
      {BEGIN NIC "<![CDATA[ ]]>" REST END, {NULL}, SGF_SYNTAX, 4, {"text inside <zone>"}},
      {BEGIN NIC "<x:host xmlns:x=\"u\" id=\"a\" speed=\"1f\"/>\n" END, {NULL}, SGF_SYNTAX, 6, {"namespaces"}},
      {BEGIN NIC DEVICES LINKS ROUTES PROP("nic.x", "1") END, {NULL}, SGF_SYNTAX, 13, {"<prop> comes too late"}},
      {BEGIN NIC DEVICES ROUTES LINKS END, {NULL}, SGF_SYNTAX, 11, {"<link> comes too late"}},
      {BEGIN NIC "<router id=\"r\">\n<prop id=\"x\" value=\"y\"/></router>\n" END,
       {NULL},
       SGF_SYNTAX,
       7,
       {"<prop>", "<router>"}},
      {BEGIN NIC "<hosts id=\"a\"/>\n" END, {NULL}, SGF_UNKNOWN, 6, {"<hosts>", "did you mean host?"}},
      {BEGIN NIC "<host id=\"a\" sped=\"1f\"/>\n" END, {NULL}, SGF_UNKNOWN, 6, {"\"sped\"", "did you mean speed?"}},
      {BEGIN NIC "<host id=\"a\"/>\n" END, {NULL}, SGF_SYNTAX, 6, {"<host> without speed"}},
      {BEGIN NIC "<link id=\"c\" latency=\"1us\"/>\n" END, {NULL}, SGF_SYNTAX, 6, {"<link> without bandwidth"}},
      {BEGIN NIC "<link id=\"c\" bandwidth=\"1Gbps\"/>\n" END, {NULL}, SGF_SYNTAX, 6, {"<link> without latency"}},
  };
  CHECK(refusals);
}

SGF_TEST(values_that_simgrid_cannot_read)
{
#define HOST(attributes) BEGIN NIC "<host id=\"a\" " attributes "/>\n" END
#define WIRE(attributes) BEGIN NIC "<link id=\"c\" " attributes "/>\n" END
  static const refusal_t refusals[] = {
      {HOST("speed=\"1Kf\""), {NULL}, SGF_UNIT, 6, {"Kf"}},
      {HOST("speed=\"fast\""), {NULL}, SGF_SYNTAX, 6, {"fast"}},
      {HOST("speed=\"1f\" core=\"0\""), {NULL}, SGF_RANGE, 6, {"core"}},
      {HOST("speed=\"1f\" core=\"x\""), {NULL}, SGF_SYNTAX, 6, {"core", "x"}},
      {HOST("speed=\"1f,2f\" pstate=\"2\""), {NULL}, SGF_RANGE, 6, {"pstate"}},
      {HOST("speed=\"1f\" coordinates=\"1 2 3\""), {NULL}, SGF_RULE, 6, {"coordinates"}},
      {HOST("speed=\"1f\" speed_file=\"there/is/none\""), {NULL}, SGF_IO, 6, {"speed_file", "there/is/none"}},
      {BEGIN NIC "<host id=\"\" speed=\"1f\"/>\n" END, {NULL}, SGF_SYNTAX, 6, {"empty id"}},
      {BEGIN NIC "<host id=\"h\xc3\xa9\" speed=\"1f\"/>\n" END, {NULL}, SGF_SYNTAX, 6, {"ASCII"}},
      {WIRE("bandwidth=\"400gbps\" latency=\"1us\""), {NULL}, SGF_UNIT, 6, {"gbps"}},
      {WIRE("bandwidth=\"400Gbps\" latency=\"1fs\""), {NULL}, SGF_UNIT, 6, {"fs"}},
      {WIRE("bandwidth=\"1Gbps\" latency=\"1us\" sharing_policy=\"SPLITDUPLX\""),
       {NULL},
       SGF_UNKNOWN,
       6,
       {"SPLITDUPLX", "did you mean SPLITDUPLEX?"}},
      {WIRE("bandwidth=\"1Gbps\" latency=\"1us\" sharing_policy=\"WIFI\""), {NULL}, SGF_RULE, 6, {"WIFI"}},
      {WIRE("bandwidth=\"1Gbps\" latency=\"1us\" state_file=\"x\""), {NULL}, SGF_RULE, 6, {"state_file"}},
      {BEGIN_WITH("Dijkstr") END, {NULL}, SGF_UNKNOWN, 4, {"Dijkstr", "did you mean Dijkstra?"}},
      {BEGIN_WITH("Vivaldi") END, {NULL}, SGF_RULE, 4, {"Vivaldi"}},
      {BEGIN NIC DEVICES LINKS "<route src=\"a\" dst=\"r\" symmetrical=\"Yes\"/>\n" END,
       {NULL},
       SGF_UNKNOWN,
       11,
       {"Yes", "did you mean yes?"}},
      {BEGIN NIC DEVICES LINKS "<route src=\"a\" dst=\"r\">\n<link_ctn id=\"c0\" direction=\"LEFT\"/></route>\n" END,
       {NULL},
       SGF_UNKNOWN,
       12,
       {"LEFT"}},
  };
  CHECK(refusals);
}

SGF_TEST(tags_that_a_fabric_has_no_place_for)
{
#define IN_ZONE(tag) BEGIN NIC tag "\n" END
  static const refusal_t refusals[] = {
      {IN_ZONE("<cabinet id=\"c\"/>"), {NULL}, SGF_RULE, 6, {"<cabinet>"}},
      {IN_ZONE("<peer id=\"c\"/>"), {NULL}, SGF_RULE, 6, {"<peer>"}},
      {IN_ZONE("<backbone id=\"c\"/>"), {NULL}, SGF_RULE, 6, {"<backbone>"}},
      {IN_ZONE("<host_link id=\"c\"/>"), {NULL}, SGF_RULE, 6, {"<host_link>"}},
      {IN_ZONE("<bypassRoute/>"), {NULL}, SGF_RULE, 6, {"<bypassRoute>"}},
      {IN_ZONE("<bypassZoneRoute/>"), {NULL}, SGF_RULE, 6, {"<bypassZoneRoute>"}},
      {IN_ZONE("<trace id=\"t\"/>"), {NULL}, SGF_RULE, 6, {"<trace>"}},
      {IN_ZONE("<trace_connect/>"), {NULL}, SGF_RULE, 6, {"<trace_connect>"}},
      {IN_ZONE("<include file=\"x\"/>"), {NULL}, SGF_RULE, 6, {"<include>"}},
      {IN_ZONE("<storage id=\"s\"/>"), {NULL}, SGF_RULE, 6, {"<storage>"}},
      {BEGIN NIC REST "</zone>\n<actor host=\"a\" function=\"f\"/>\n</platform>",
       {NULL},
       SGF_RULE,
       14,
       {"deployment file"}},
      {BEGIN NIC REST "</zone>\n<zone id=\"y\" routing=\"None\"/>\n</platform>",
       {NULL},
       SGF_TOPOLOGY,
       14,
       {"outermost zone"}},
  };
  CHECK(refusals);
}

SGF_TEST(names_that_are_taken_or_unknown)
{
  static const refusal_t refusals[] = {
      {BEGIN NIC DEVICES "<host id=\"a\" speed=\"1f\"/>\n" LINKS ROUTES END,
       {NULL},
       SGF_TOPOLOGY,
       9,
       {"\"a\"", "line 6"}},
      {BEGIN NIC "<router id=\"z\"/>\n" REST END, {NULL}, SGF_TOPOLOGY, 6, {"\"z\"", "line 4", "share"}},
      {BEGIN NIC DEVICES LINKS LINK("c0") ROUTES END, {NULL}, SGF_TOPOLOGY, 11, {"\"c0\"", "line 9"}},
      {BEGIN NIC DEVICES LINKS LINK("c0_DOWN") ROUTES END, {NULL}, SGF_TOPOLOGY, 11, {"\"c0_DOWN\"", "line 9"}},
      {BEGIN NIC "<host id=\"gpu0\" speed=\"1f\"/>\n<router id=\"tor0\"/>\n" LINK("c0") ROUTE("gpo0", "tor0", "c0") END,
       {NULL},
       SGF_UNKNOWN,
       9,
       {"src = \"gpo0\"", "did you mean gpu0?"}},
      {BEGIN NIC "<host id=\"gpu0\" speed=\"1f\"/>\n<router id=\"tor0\"/>\n" LINK("c0") ROUTE("gpu0", "tro0", "c0") END,
       {NULL},
       SGF_UNKNOWN,
       9,
       {"dst = \"tro0\"", "did you mean tor0?"}},
      {BEGIN NIC DEVICES LINK("cable0") ROUTE("a", "r", "cabel0") END,
       {NULL},
       SGF_UNKNOWN,
       10,
       {"\"cabel0\"", "did you mean cable0?"}},
      {BEGIN RACKS LINK("k") ZONE_ROUTE("ra", "rc", "la", "lb", "k") END,
       {NULL},
       SGF_UNKNOWN,
       18,
       {"dst = \"rc\"", "no such zone"}},
      {BEGIN RACKS LINK("k") ZONE_ROUTE("ra", "lb", "la", "lb", "k") END,
       {NULL},
       SGF_TOPOLOGY,
       18,
       {"dst = \"lb\"", "directly inside"}},
      {BEGIN RACKS LINK("k") ZONE_ROUTE("ra", "rb", "lb", "lb", "k") END,
       {NULL},
       SGF_TOPOLOGY,
       18,
       {"gw_src = \"lb\"", "of zone \"ra\""}},
      {BEGIN RACKS LINK("k") ZONE_ROUTE("ra", "rb", "la", "rb", "k") END,
       {NULL},
       SGF_TOPOLOGY,
       18,
       {"gw_dst = \"rb\"", "of zone \"rb\""}},
      {BEGIN RACKS LINK("k") ZONE_ROUTE("ra", "ra", "la", "la", "k") END, {NULL}, SGF_TOPOLOGY, 18, {"to itself"}},
      {BEGIN RACK("ra", "a", "la", "c1") RACK("rb", "b", "lb", "c2") END,
       {NULL},
       SGF_TOPOLOGY,
       5,
       {"zone \"ra\"", "connected to nothing"}},
      {BEGIN "<zone id=\"ra\" routing=\"Dijkstra\">\n" DEVICES ROUTE("a", "r", "k") "</zone>\n" LINK("k") END,
       {NULL},
       SGF_TOPOLOGY,
       9,
       {"\"k\"", "line 11", "behind its use"}},
  };
  CHECK(refusals);
}

SGF_TEST(routes_that_simgrid_crashes_or_loops_at)
{
#define ONE_WAY(src, dst, link, direction)                                                                             \
  "<route src=\"" src "\" dst=\"" dst "\" symmetrical=\"NO\"><link_ctn id=\"" link "\" direction=\"" direction         \
  "\"/></route>\n"
  static const refusal_t refusals[] = {
      {BEGIN NIC DEVICES LINKS LINK("c2") ROUTES ROUTE("a", "r", "c2") END,
       {NULL},
       SGF_TOPOLOGY,
       14,
       {"second route", "\"a\" to \"r\"", "fabric.cables"}},
      {BEGIN NIC DEVICES LINKS LINK("c2") ROUTES ROUTE("r", "a", "c2") END,
       {NULL},
       SGF_TOPOLOGY,
       14,
       {"second route", "line 12"}},
      {BEGIN NIC DEVICES LINKS ROUTE("b", "r", "c1") ONE_WAY("a", "r", "c0", "UP") END,
       {NULL},
       SGF_TOPOLOGY,
       12,
       {"one-way route from \"a\" to \"r\"", "none back"}},
      {BEGIN NIC DEVICES LINKS ROUTE("b", "r", "c1") "<route src=\"a\" dst=\"r\"><link_ctn id=\"c0\"/></route>\n" END,
       {NULL},
       SGF_TOPOLOGY,
       12,
       {"\"c0\"", "direction=\"UP\""}},
      {BEGIN NIC DEVICES LINKS "<link id=\"s\" bandwidth=\"1Gbps\" latency=\"0\"/>\n" ROUTE("b", "r", "c1")
           ROUTE("a", "r", "s") END,
       {NULL},
       SGF_TOPOLOGY,
       13,
       {"\"s\"", "has no directions"}},
      {BEGIN NIC DEVICES LINKS ROUTES "<route src=\"a\" dst=\"b\"/>\n" END,
       {NULL},
       SGF_TOPOLOGY,
       13,
       {"without a link"}},
      {BEGIN NIC DEVICES LINKS ROUTES ROUTE("a", "a", "c0") END, {NULL}, SGF_TOPOLOGY, 13, {"to itself"}},
      {BEGIN NIC DEVICES LINKS ROUTE("a", "r", "c0") END,
       {NULL},
       SGF_TOPOLOGY,
       7,
       {"host \"b\"", "connected to nothing"}},
      {BEGIN NIC "<router id=\"q\"/>\n" REST END, {NULL}, SGF_TOPOLOGY, 6, {"router \"q\"", "connected to nothing"}},
      {BEGIN NIC DEVICES "<router id=\"q\"/>\n" LINKS ROUTE("a", "r", "c0") ROUTE("b", "q", "c1") END,
       {NULL},
       SGF_TOPOLOGY,
       7,
       {"no way leads from host \"b\" to \"a\""}},
      {BEGIN RACKS END, {NULL}, SGF_TOPOLOGY, 5, {"zone \"ra\"", "zoneRoute"}},
      {BEGIN RACKS LINK("k") LINK("l") ZONE_ROUTE("ra", "rb", "la", "lb", "k") ZONE_ROUTE("ra", "rb", "la", "lb", "l")
           END,
       {NULL},
       SGF_TOPOLOGY,
       20,
       {"second route", "\"ra\" to \"rb\"", "line 19"}},
      {BEGIN RACKS LINK("k") ZONE_ROUTE("ra", "rb", "la", "lb", "k") "<host id=\"x\" speed=\"1f\"/>\n" END,
       {NULL},
       SGF_SYNTAX,
       19,
       {"<host>"}},
      {BEGIN RACKS "<host id=\"x\" speed=\"1f\"/>\n" END, {NULL}, SGF_TOPOLOGY, 17, {"<host>", "never both"}},
      {BEGIN_WITH("None") NIC REST END, {NULL}, SGF_TOPOLOGY, 11, {"None"}},
      {BEGIN_WITH("Full") NIC REST END, {NULL}, SGF_TOPOLOGY, 4, {"Full", "Dijkstra"}},
  };
  CHECK(refusals);
}

SGF_TEST(cables_that_a_fabric_cannot_have)
{
#define SLOW(bandwidth, latency)                                                                                       \
  BEGIN NIC DEVICES "<link id=\"c0\" bandwidth=\"" bandwidth "\" latency=\"" latency                                   \
                    "\" sharing_policy=\"SPLITDUPLEX\"/>\n" LINK("c1") ROUTES END
  static const refusal_t refusals[] = {
      {BEGIN NIC DEVICES LINKS ROUTE("a", "r", "c0") ROUTE("b", "r", "c0") END,
       {NULL},
       SGF_TOPOLOGY,
       12,
       {"\"b\" to \"r\"", "another cable", "\"c0\""}},
      {BEGIN NIC DEVICES LINKS LINK("c2")
           ROUTE("a", "r", "c0") "<route src=\"b\" dst=\"r\"><link_ctn id=\"c1\" direction=\"UP\"/><link_ctn id=\"c2\" "
                                 "direction=\"UP\"/></route>\n" END,
       {NULL},
       SGF_TOPOLOGY,
       13,
       {"second link", "\"c2\""}},
      {BEGIN NIC DEVICES LINK("c0") "<link id=\"c1\" bandwidth=\"1Gbps\" latency=\"0\"/>\n" ROUTE(
           "a", "r", "c0") "<route src=\"b\" dst=\"r\"><link_ctn id=\"c1\"/></route>\n" END,
       {NULL},
       SGF_TOPOLOGY,
       12,
       {"SPLITDUPLEX", "\"c1\""}},
      {BEGIN NIC DEVICES LINKS LINK("c2") ROUTES ROUTE("a", "b", "c2") END,
       {NULL},
       SGF_TOPOLOGY,
       6,
       {"\"a\" has 2 cables", "never forward"}},
      {BEGIN NIC DEVICES
       "<link id=\"c0\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\">\n" PROP(
           "fabric.cables", "2") "</link>\n" LINK("c1") ROUTES END,
       {NULL},
       SGF_TOPOLOGY,
       6,
       {"\"a\" has 2 cables"}},
      {BEGIN NIC DEVICES LINKS ROUTE("b", "r", "c1") ONE_WAY("a", "r", "c0", "UP") ONE_WAY("r", "a", "c0", "UP") END,
       {NULL},
       SGF_TOPOLOGY,
       13,
       {"same direction", "\"c0\""}},
      {BEGIN NIC DEVICES LINKS LINK("c2") ROUTE("b", "r", "c1") ONE_WAY("a", "r", "c0", "UP")
           ONE_WAY("r", "a", "c2", "UP") END,
       {NULL},
       SGF_TOPOLOGY,
       14,
       {"one link", "\"c0\""}},
      {SLOW("0", "0"), {NULL}, SGF_RANGE, 9, {"\"c0\"", "bandwidth \"0\""}},
      {SLOW("-1Gbps", "0"), {NULL}, SGF_RANGE, 9, {"\"c0\"", "-1Gbps"}},
      {SLOW("0.5bps", "0"), {NULL}, SGF_RANGE, 9, {"0.5bps"}},
      {SLOW("1Ybps", "0"), {NULL}, SGF_RANGE, 9, {"1Ybps"}},
      {SLOW("1Gbps", "-1us"), {NULL}, SGF_RANGE, 9, {"\"c0\"", "latency \"-1us\""}},
      {SLOW("1Gbps", "0.1ps"), {NULL}, SGF_RANGE, 9, {"0.1ps"}},
      {SLOW("1Gbps", "1h"), {NULL}, SGF_RANGE, 9, {"1h"}},
      {BEGIN REST END, {NULL}, SGF_NO_NIC, 4, {"no host has a NIC"}},
      {BEGIN
       "<host id=\"a\" speed=\"1Tf\"><prop id=\"nic\" value=\"uet\"/></host>\n<host id=\"b\" speed=\"1Tf\"/>\n" LINK(
           "c0") ROUTE("a", "b", "c0") END,
       {NULL},
       SGF_TOPOLOGY,
       8,
       {"\"a\" has a NIC and would forward for host \"b\""}},
      /* A host without a NIC is no way for packets: a - r - plain - q - b are two islands. */
      {BEGIN NIC DEVICES
       "<router id=\"q\"/>\n<host id=\"plain\" speed=\"1f\"><prop id=\"nic\" value=\"none\"/></host>\n" LINKS LINK("c2")
           LINK("c3") ROUTE("a", "r", "c0") ROUTE("plain", "r", "c1") ROUTE("plain", "q", "c2") ROUTE("b", "q", "c3")
               END,
       {NULL},
       SGF_TOPOLOGY,
       7,
       {"no cables lead from host \"b\" to host \"a\""}},
      {BEGIN NIC DEVICES
       "<router id=\"q\"/>\n<host id=\"plain\" speed=\"1f\"><prop id=\"nic\" value=\"none\"/></host>\n" LINKS LINK("c2")
           LINK("c3") ROUTES ROUTE("plain", "r", "c2") ROUTE("plain", "q", "c3") END,
       {NULL},
       SGF_TOPOLOGY,
       9,
       {"router \"q\" has no cable"}},
  };
  CHECK(refusals);
}
