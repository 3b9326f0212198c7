/* scenario: SimGrid's quantities, names of properties, --set. Platform files: validation/scenario. */
#include "harness.h"

#include "scenario/scenario_internal.h"

#include <string.h>

/* ---- SimGrid's quantities ---------------------------------------------------------------------------------------- */

static const int64_t unfit = -1; /* stands for a value that is readable and does not fit */

static void check_bandwidth(const char* text, int64_t bps)
{
  sgf_quantity_t value = {0};
  sgf_error_t error    = {0};
  CU_ASSERT_EQUAL(sgf_read_bandwidth(text, &value, &error), SGF_OK);
  CU_ASSERT_EQUAL(value.fits ? value.whole : unfit, bps);
}

SGF_TEST(bandwidths_are_whole_bits_per_second)
{
  check_bandwidth("400Gbps", INT64_C(400000000000));
  check_bandwidth("50GBps", INT64_C(400000000000));
  check_bandwidth("4e11bps", INT64_C(400000000000));
  check_bandwidth("0.4Tbps", INT64_C(400000000000));
  check_bandwidth("504.32Gbps", INT64_C(504320000000));
  check_bandwidth(".5Mbps", 500000);
  check_bandwidth("5.kbps", 5000);
  check_bandwidth("+1kBps", 8000);
  check_bandwidth("1KiBps", 8 * 1024);
  check_bandwidth("1Mibps", 1 << 20);
  check_bandwidth("1Gibps", 1 << 30);
  check_bandwidth("1E3bps", 1000);
  check_bandwidth("1Ebps", INT64_C(1000000000000000000));
  check_bandwidth("100", 800); /* SimGrid: bytes per second */
  check_bandwidth("0", 0);
  check_bandwidth("0.125Bps", 1);
  check_bandwidth("1.10000000000000000000000kbps", 1100);
}

SGF_TEST(bandwidths_that_no_integer_holds_are_known_as_such)
{
  check_bandwidth("-1Gbps", unfit);
  check_bandwidth("0.5bps", unfit);
  check_bandwidth("1e-1bps", unfit);
  check_bandwidth("10Ebps", unfit);
  check_bandwidth("1Zbps", unfit);
  check_bandwidth("1Yibps", unfit);
  check_bandwidth("1e400Gbps", unfit);
  check_bandwidth("1e-400Gbps", unfit);
  check_bandwidth("99999999999999999999999999bps", unfit);
  check_bandwidth("0.33333333333333333333333Gbps", unfit);
}

SGF_TEST(bandwidths_that_simgrid_cannot_read_are_refused)
{
  static const struct {
    const char* text;
    sgf_status_t status;
  } cases[] = {{"", SGF_SYNTAX},          {"Gbps", SGF_SYNTAX},   {".Gbps", SGF_SYNTAX}, {"inf", SGF_SYNTAX},
               {"nanGbps", SGF_SYNTAX},   {"1Kbps", SGF_UNIT},    {"1KBps", SGF_UNIT},   {"1gbps", SGF_UNIT},
               {"1 Gbps", SGF_UNIT},      {"1Gbps ", SGF_UNIT},   {"1Gb", SGF_UNIT},     {"1ns", SGF_UNIT},
               {"1Gbps,2Gbps", SGF_UNIT}, {"0x10Gbps", SGF_UNIT}, {"1ebps", SGF_UNIT},   {"1kibps", SGF_UNIT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_quantity_t value;
    sgf_error_t error = {0};
    CU_ASSERT_EQUAL(sgf_read_bandwidth(cases[i].text, &value, &error), cases[i].status);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, cases[i].text));
  }
}

static void check_time(const char* text, int64_t ps)
{
  sgf_quantity_t value = {0};
  sgf_error_t error    = {0};
  CU_ASSERT_EQUAL(sgf_read_time(text, &value, &error), SGF_OK);
  CU_ASSERT_EQUAL(value.fits ? value.whole : unfit, ps);
}

SGF_TEST(latencies_are_whole_picoseconds)
{
  check_time("100ns", 100000);
  check_time("1us", 1000000);
  check_time("1.5us", 1500000);
  check_time("1e-6", 1000000); /* SimGrid: seconds */
  check_time("0", 0);
  check_time("0s", 0);
  check_time("84.48ns", 84480);
  check_time("1ps", 1);
  check_time("2m", INT64_C(120000000000000));
  check_time("1w", INT64_C(604800000000000000));
  check_time("0.5ps", unfit);
  check_time("-1us", unfit);
  check_time("100w", unfit);
  sgf_quantity_t value;
  CU_ASSERT_EQUAL(sgf_read_time("1fs", &value, NULL), SGF_UNIT);
  CU_ASSERT_EQUAL(sgf_read_time("1S", &value, NULL), SGF_UNIT);
  CU_ASSERT_EQUAL(sgf_read_time("", &value, NULL), SGF_SYNTAX);
}

SGF_TEST(speeds_are_counted)
{
  size_t count = 0;
  CU_ASSERT_EQUAL(sgf_read_speeds("1Tf", &count, NULL), SGF_OK);
  CU_ASSERT_EQUAL(count, 1);
  CU_ASSERT_EQUAL(sgf_read_speeds("1Gf, 2.5megaflops,3", &count, NULL), SGF_OK);
  CU_ASSERT_EQUAL(count, 3);
  CU_ASSERT_EQUAL(sgf_read_speeds("", &count, NULL), SGF_SYNTAX);
  CU_ASSERT_EQUAL(sgf_read_speeds("1Gf,", &count, NULL), SGF_SYNTAX);
  CU_ASSERT_EQUAL(sgf_read_speeds("1Kf", &count, NULL), SGF_UNIT);
  CU_ASSERT_EQUAL(sgf_read_speeds("1Kif", &count, NULL), SGF_UNIT);
  CU_ASSERT_EQUAL(sgf_read_speeds("1Gbps", &count, NULL), SGF_UNIT);
  CU_ASSERT_EQUAL(sgf_read_speeds("1waytoolongaunitforanything", &count, NULL), SGF_UNIT);
}

/* ---- Names of properties ----------------------------------------------------------------------------------------- */

SGF_TEST(a_prefix_is_a_whole_word)
{
  static const struct {
    const char* name;
    bool ours;
    sgf_prefix_t prefix;
  } cases[] = {{"nic", true, SGF_PREFIX_NIC},
               {"nic.IngressBufferManager.TotalBufferSize", true, SGF_PREFIX_NIC},
               {"pcie", true, SGF_PREFIX_PCIE},
               {"switch[tor0].EcnHandler.MinThreshold", true, SGF_PREFIX_SWITCH},
               {"fabric.cables", true, SGF_PREFIX_FABRIC},
               {"nickname", false, SGF_PREFIX_NIC},
               {"watt_per_state", false, SGF_PREFIX_NIC},
               {"my.nic", false, SGF_PREFIX_NIC},
               {"", false, SGF_PREFIX_NIC}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_prefix_t prefix = SGF_PREFIX_NIC;
    CU_ASSERT_EQUAL(sgf_property_is_ours(cases[i].name, &prefix), cases[i].ours);
    CU_ASSERT_EQUAL(prefix, cases[i].prefix);
  }
}

SGF_TEST(a_delay_is_known_by_every_suffix_of_its_path)
{
  static const char* const delays[] = {"Delay", "TransmissionMedium.Delay", "TransmissionMedium/Delay",
                                       "NetworkInterface.TransmissionMedium.Delay"};
  static const char* const others[] = {
      "DataRate", "TargetQueueDelay", "QueueDelay", "Medium.Delay", "X.NetworkInterface.TransmissionMedium.Delay", ""};
  for (size_t i = 0; i < sizeof delays / sizeof *delays; i++)
    CU_ASSERT_EQUAL(sgf_properties_check_delay(delays[i], NULL), SGF_RULE);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    CU_ASSERT_EQUAL(sgf_properties_check_delay(others[i], NULL), SGF_OK);
}

/* ---- --set ------------------------------------------------------------------------------------------------------- */

SGF_TEST(malformed_assignments_are_refused)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    const char* message;
  } cases[] = {{"", SGF_SYNTAX, "<pattern>=<value>"},
               {"**.nic", SGF_SYNTAX, "<pattern>=<value>"},
               {"=", SGF_SYNTAX, "no attribute of a device"},
               {"**.TotalBufferSize=4MB", SGF_SYNTAX, "no attribute of a device"},
               {"nic.TotalBufferSize=4MB", SGF_SYNTAX, "no attribute of a device"},
               {"**.switch=1", SGF_SYNTAX, "names no attribute"},
               {"**.nic.=1", SGF_SYNTAX, "names no attribute"},
               {"**.gpu{0..3.nic.TotalBufferSize=4MB", SGF_SYNTAX, "a { without }"},
               {"**.nic.{TotalBufferSize=4MB", SGF_SYNTAX, "a { without }"},
               {"**.pcie=\"gen5 x8", SGF_SYNTAX, "quote"},
               {"**.pcie=\"", SGF_SYNTAX, "quote"},
               {"**.nic=utt", SGF_UNKNOWN, "did you mean uet?"},
               {"**.nic=", SGF_UNKNOWN, "no such NIC model"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_error_t error                 = {0};
    const sgf_assignment_t assignment = {.text = cases[i].text};
    CU_ASSERT_PTR_NULL(sgf_assignments_new(&assignment, 1, &error));
    CU_ASSERT_EQUAL(error.status, cases[i].status);
    CU_ASSERT_STRING_EQUAL(error.file, "--set");
    CU_ASSERT_EQUAL(error.line, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, cases[i].message));
  }
}

SGF_TEST(the_last_assignment_of_a_model_wins)
{
  static const sgf_assignment_t texts[] = {
      {.text = " **.rack0.*.nic = \"uet\" "}, {.text = "net.rack0.gpu{1..2}.nic=none"}, {.text = "**.gpu2.nic=uet"}};
  static const char* const hosts[] = {"net.rack0.gpu0", "net.rack0.gpu1", "net.rack0.gpu2"};
  static const char* const model[] = {"uet", "none", "uet"};
  sgf_assignments_t* assignments   = sgf_assignments_new(texts, sizeof texts / sizeof *texts, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(assignments);
  for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
    sgf_node_t host = {.kind = SGF_NODE_HOST, .full_path = hosts[i]};
    CU_ASSERT_STRING_EQUAL(sgf_assignments_model(assignments, &host, "none"), model[i]);
  }
  sgf_node_t elsewhere = {.kind = SGF_NODE_HOST, .full_path = "net.rack1.gpu0"};
  CU_ASSERT_STRING_EQUAL(sgf_assignments_model(assignments, &elsewhere, "none"), "none");
  sgf_assignments_free(assignments);
}
