/* attr: values, units, ranges, lists, look-up by suffix, suggestions, exact decimals, the error record. */
#include "harness.h"

#include "attr/alloc.h"

#include <sgfabric/attr.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* -------------------- a device to test on */

typedef struct port_config {
  int64_t rate;
  int64_t delay;
  int64_t rx_size;
  int64_t tx_size;
  int scheduling;
  sgf_decimal_t pools[SGF_LIST_ENTRIES];
  sgf_decimal_t xoff[SGF_LIST_ENTRIES];
  int64_t pfc[SGF_LIST_ENTRIES];
  int64_t weights[SGF_LIST_ENTRIES];
} port_config_t;

typedef struct transport_config {
  uint64_t nth;
  uint64_t seed;
  sgf_decimal_t gamma;
  sgf_decimal_t alpha;
  bool trimming;
  int delivery;
  int64_t gap;
  int64_t delay;
  int64_t host_tx, nic_tx;
} transport_config_t;

/* The transport does not lie at the start of the block, so that a section's offset counts. */
typedef struct device_config {
  port_config_t port;
  int64_t untouched;
  transport_config_t transport;
} device_config_t;

#define IBM "NetworkInterface/IngressBufferManager/"
#define EBM "NetworkInterface/EgressBufferManager/"
#define ROW(path, type, config, member, initial, range)                                                                \
  {                                                                                                                    \
    path, SGF_ATTR_##type, offsetof(config, member), initial, range, ""                                                \
  }

static const sgf_attr_t port_rows[] = {
    ROW("NetworkInterface/UplinkNetworkInterface/DataRate", DATARATE, port_config_t, rate, "400Gbps", ""),
    ROW("NetworkInterface/TransmissionMedium/Delay", TIMEVAL, port_config_t, delay, "100ns", ""),
    ROW(IBM "TotalBufferSize", BYTES, port_config_t, rx_size, "4MB", ""),
    ROW(EBM "TotalBufferSize", BYTES, port_config_t, tx_size, "256KB", ""),
    ROW(EBM "QueueSchedulingType", CHOICE, port_config_t, scheduling, "StrictPriority",
        "StrictPriority|RoundRobin|WeightedRoundRobin"),
    ROW(IBM "PoolAllocationVector", DECIMAL_LIST, port_config_t, pools, "[0.9, 0.1, 0.0, 0, 0, 0, 0, 0]", "0.0..1.0"),
    ROW(IBM "PfcStaticXoffThreshold", DECIMAL_LIST, port_config_t, xoff, "[0.8, 0.8, 0, 0, 0, 0, 0, 0]", ""),
    ROW(IBM "PFCEnableVector", INT_LIST, port_config_t, pfc, "[0, 0, 0, 0, 0, 0, 0, 0]", ""),
    ROW(EBM "WRRQueueWeights", INT_LIST, port_config_t, weights, "1, 5, 0, 0, 0, 0, 0, 0", "-3..1024"),
};
static const sgf_attr_t transport_rows[] = {
    ROW("Transport/AckRequestEveryNthPacket", UINT, transport_config_t, nth, "1", "1..1024"),
    ROW("Transport/Seed", UINT, transport_config_t, seed, "0", ""),
    ROW("Transport/Gamma", DECIMAL, transport_config_t, gamma, "0.8", "0.001..1.0"),
    ROW("Transport/Alpha", DECIMAL, transport_config_t, alpha, "1.0", "0.."),
    ROW("Transport/TrimmingEnabled", BOOL, transport_config_t, trimming, "false", ""),
    ROW("Transport/DefaultDeliveryMethod", CHOICE, transport_config_t, delivery, "Reliable Unordered Delivery (RUD)",
        "Reliable Unordered Delivery (RUD)"),
    ROW("Transport/Gap", TIMEVAL, transport_config_t, gap, "100us", "..2s"),
    ROW("Delay", TIMEVAL, transport_config_t, delay, "0ps", ""),
    ROW("HostInterface/HostSide/PCIeGen3.0/TransactionLayer/TXDataBufferSize", BYTES, transport_config_t, host_tx,
        "256KB", ""),
    ROW("HostInterface/NICSide/PCIeGen3.0/TransactionLayer/TXDataBufferSize", BYTES, transport_config_t, nic_tx,
        "256KB", ""),
};
static const sgf_attr_table_t port_table      = {"port", port_rows, COUNT(port_rows)};
static const sgf_attr_table_t transport_table = {"transport", transport_rows, COUNT(transport_rows)};
static const sgf_attr_section_t sections[]    = {{&port_table, offsetof(device_config_t, port)},
                                                 {&transport_table, offsetof(device_config_t, transport)}};
static const sgf_attr_set_t device            = {"nic", sections, COUNT(sections), sizeof(device_config_t)};

static device_config_t defaults(void)
{
  device_config_t config;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_attr_defaults(&device, &config, &error), SGF_OK);
  CU_ASSERT_STRING_EQUAL(error.text, "");
  return config;
}

static sgf_attr_ref_t find(const char* suffix)
{
  sgf_attr_ref_t ref = {NULL, 0};
  sgf_error_t error  = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_find(&device, suffix, &ref, &error), SGF_OK);
  return ref;
}

/* A test that fails says which row of its table did. */
static void check(bool holds, const char* row, const char* detail)
{
  if (!holds)
    printf("    %s: %s\n", row, detail);
  CU_ASSERT(holds);
}

static bool contains(const char* text, const char* part)
{
  return strstr(text, part) != NULL;
}

/* Set one attribute of a fresh device to `text`: the status, and on a refusal everything that holds for all of them. */
static sgf_status_t assign(device_config_t* config, const char* suffix, const char* text, sgf_error_t* error)
{
  *error                 = (sgf_error_t){0};
  *config                = defaults();
  device_config_t before = *config;
  sgf_status_t status    = sgf_attr_set_value(&device, config, suffix, text, error);
  check(status == error->status, text, "the error has the status that was returned");
  if (status != SGF_OK) {
    check(memcmp(config, &before, sizeof before) == 0, text, "the block is unchanged");
    check(contains(error->text, find(suffix).attr->path), text, error->text);
    check(contains(error->text, text), text, error->text);
  }
  return status;
}

typedef struct refusal {
  const char* suffix;
  const char* text;
  sgf_status_t status;
  const char* rule; /* part of the message */
} refusal_t;

static void check_refusals(const refusal_t* refusals, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    device_config_t config;
    sgf_error_t error;
    sgf_status_t status = assign(&config, refusals[i].suffix, refusals[i].text, &error);
    check(status == refusals[i].status, refusals[i].text, sgf_status_text(status));
    check(contains(error.text, refusals[i].rule), refusals[i].text, error.text);
  }
}

/* -------------------- the error record */

SGF_TEST(status_texts_are_those_of_the_map)
{
  CU_ASSERT_STRING_EQUAL(sgf_status_text(SGF_OK), "success");
#define CHECK_TEXT(name, text) CU_ASSERT_STRING_EQUAL(sgf_status_text(SGF_##name), text);
  SGF_STATUS_MAP(CHECK_TEXT)
#undef CHECK_TEXT
  CU_ASSERT_STRING_EQUAL(sgf_status_text((sgf_status_t)1000), "not a status");
}

SGF_TEST(first_error_wins_until_it_is_cleared)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_error_set(&error, SGF_UNIT, "first %d", 1), SGF_UNIT);
  CU_ASSERT_EQUAL(sgf_error_set(&error, SGF_RANGE, "second"), SGF_RANGE);
  CU_ASSERT_EQUAL(error.status, SGF_UNIT);
  CU_ASSERT_STRING_EQUAL(error.text, "first 1");
  sgf_error_clear(&error);
  CU_ASSERT_EQUAL(error.status, SGF_OK);
  CU_ASSERT_STRING_EQUAL(error.text, "");
  CU_ASSERT_EQUAL(sgf_error_set(&error, SGF_RANGE, "second"), SGF_RANGE);
  CU_ASSERT_STRING_EQUAL(error.text, "second");
}

SGF_TEST(first_error_wins_over_a_later_refusal)
{
  device_config_t config = defaults();
  sgf_error_t error      = {0};
  CU_ASSERT_EQUAL(sgf_attr_set_value(&device, &config, "Gamma", "7", &error), SGF_RANGE);
  sgf_error_t first = error;
  CU_ASSERT_EQUAL(sgf_attr_set_value(&device, &config, "Gama", "7", &error), SGF_UNKNOWN);
  CU_ASSERT_EQUAL(sgf_parse_bytes("4Gbps", "x", &(int64_t){0}, &error), SGF_UNIT);
  CU_ASSERT_EQUAL(memcmp(&error, &first, sizeof error), 0);
}

SGF_TEST(place_is_added_once_and_only_to_an_error)
{
  sgf_error_t error = {0};
  sgf_error_place(&error, "early.xml", 1);
  CU_ASSERT_STRING_EQUAL(error.file, "");
  CU_ASSERT_EQUAL(error.line, 0);
  sgf_error_set(&error, SGF_IO, "reason");
  sgf_error_place(&error, "rack.xml", 12);
  sgf_error_place(&error, "outer.xml", 99);
  CU_ASSERT_STRING_EQUAL(error.file, "rack.xml");
  CU_ASSERT_EQUAL(error.line, 12);
  sgf_error_clear(&error);
  CU_ASSERT_STRING_EQUAL(error.file, "");
  CU_ASSERT_EQUAL(error.line, 0);

  sgf_error_set(&error, SGF_IO, "reason");
  sgf_error_place(&error, NULL, 7);
  sgf_error_place(&error, "outer.xml", 99);
  CU_ASSERT_STRING_EQUAL(error.file, "");
  CU_ASSERT_EQUAL(error.line, 7);
}

SGF_TEST(error_functions_take_no_error)
{
  CU_ASSERT_EQUAL(sgf_error_set(NULL, SGF_IO, "reason"), SGF_IO);
  sgf_error_place(NULL, "file", 1);
  sgf_error_clear(NULL);
  device_config_t config = defaults();
  CU_ASSERT_EQUAL(sgf_attr_set_value(&device, &config, "Gamma", "7", NULL), SGF_RANGE);
  CU_ASSERT_EQUAL(sgf_attr_set_value(&device, &config, "Nonsense", "7", NULL), SGF_UNKNOWN);
}

SGF_TEST(error_text_is_one_line_and_says_when_it_was_cut)
{
  sgf_error_t error = {0};
  sgf_error_set(&error, SGF_SYNTAX, "a%sb", "\n\t\x7f");
  CU_ASSERT_STRING_EQUAL(error.text, "a   b");

  char longer[2 * sizeof error.text];
  memset(longer, 'x', sizeof longer);
  longer[sizeof longer - 1] = '\0';
  sgf_error_clear(&error);
  sgf_error_set(&error, SGF_SYNTAX, "%s", longer);
  CU_ASSERT_EQUAL(strlen(error.text), sizeof error.text - 1);
  CU_ASSERT_STRING_EQUAL(error.text + sizeof error.text - 5, "x...");
  sgf_error_place(&error, longer, 1);
  CU_ASSERT_EQUAL(strlen(error.file), sizeof error.file - 1);
}

/* -------------------- quantities */

typedef sgf_status_t parse_fn(const char* text, const char* what, int64_t* value, sgf_error_t* error);

typedef struct quantity_case {
  parse_fn* parse;
  const char* text;
  int64_t value;
} quantity_case_t;

SGF_TEST(quantities_are_read_exactly)
{
  static const quantity_case_t cases[] = {
      {sgf_parse_bytes, "0B", 0},
      {sgf_parse_bytes, "1B", 1},
      {sgf_parse_bytes, "256KB", 256000},
      {sgf_parse_bytes, "256 KB", 256000},
      {sgf_parse_bytes, " \t256  KB\n", 256000},
      {sgf_parse_bytes, "+4MB", 4000000},
      {sgf_parse_bytes, "-0B", 0},
      {sgf_parse_bytes, "0004MB", 4000000},
      {sgf_parse_bytes, "4GB", 4000000000},
      {sgf_parse_bytes, "1KiB", 1024},
      {sgf_parse_bytes, "3MiB", 3 * 1048576},
      {sgf_parse_bytes, "3GiB", INT64_C(3) * 1073741824},
      {sgf_parse_bytes, "1.5KB", 1500},
      {sgf_parse_bytes, "1.5KiB", 1536},
      {sgf_parse_bytes, "0.001KB", 1},
      {sgf_parse_bytes, "5.000000000000000000000000000000B", 5},
      {sgf_parse_bytes, "4.294967295GB", UINT32_MAX},
      {sgf_parse_bytes, "4294967295B", UINT32_MAX},
      {sgf_parse_datarate, "1bps", 1},
      {sgf_parse_datarate, "10Kbps", 10000},
      {sgf_parse_datarate, "10Mbps", 10000000},
      {sgf_parse_datarate, "400Gbps", INT64_C(400000000000)},
      {sgf_parse_datarate, "51.2Tbps", INT64_C(51200000000000)},
      {sgf_parse_datarate, "51200Gbps", INT64_C(51200000000000)},
      {sgf_parse_datarate, "31.52Gbps", INT64_C(31520000000)},
      {sgf_parse_datarate, "7.88Gbps", INT64_C(7880000000)},
      {sgf_parse_datarate, "0.000000000001Tbps", 1},
      {sgf_parse_timeval, "0s", 0},
      {sgf_parse_timeval, "1ps", 1},
      {sgf_parse_timeval, "0.5ns", 500},
      {sgf_parse_timeval, "100ns", 100000},
      {sgf_parse_timeval, "4500 ns", 4500000},
      {sgf_parse_timeval, "6us", 6000000},
      {sgf_parse_timeval, "1ms", 1000000000},
      {sgf_parse_timeval, "2s", INT64_C(2000000000000)},
      {sgf_parse_timeval, "9223372036854775807ps", INT64_MAX},
      {sgf_parse_timeval, "9223372.036854775807s", INT64_MAX},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    int64_t value     = -1;
    sgf_error_t error = {0};
    check(cases[i].parse(cases[i].text, "x", &value, &error) == SGF_OK, cases[i].text, error.text);
    check(value == cases[i].value, cases[i].text, "value");
  }
}

typedef struct quantity_refusal {
  parse_fn* parse;
  const char* text;
  sgf_status_t status;
} quantity_refusal_t;

SGF_TEST(malformed_quantities_are_refused)
{
  static const quantity_refusal_t cases[] = {
      {sgf_parse_bytes, "", SGF_SYNTAX},
      {sgf_parse_bytes, "  ", SGF_SYNTAX},
      {sgf_parse_bytes, "KB", SGF_SYNTAX},
      {sgf_parse_bytes, "many KB", SGF_SYNTAX},
      {sgf_parse_bytes, ".5KB", SGF_SYNTAX},
      {sgf_parse_bytes, "5.KB", SGF_SYNTAX},
      {sgf_parse_bytes, "1.5.2KB", SGF_SYNTAX},
      {sgf_parse_bytes, "1,5KB", SGF_SYNTAX},
      {sgf_parse_bytes, "1e3KB", SGF_SYNTAX},
      {sgf_parse_bytes, "0x10B", SGF_SYNTAX},
      {sgf_parse_bytes, "--1B", SGF_SYNTAX},
      {sgf_parse_bytes, "- 1B", SGF_SYNTAX},
      {sgf_parse_bytes, "4KB 5", SGF_SYNTAX},
      {sgf_parse_bytes, "4 K B", SGF_SYNTAX},
      {sgf_parse_bytes, "nan", SGF_SYNTAX},
      {sgf_parse_bytes, "inf", SGF_SYNTAX},
      {sgf_parse_bytes, "0", SGF_UNIT},
      {sgf_parse_bytes, "4", SGF_UNIT},
      {sgf_parse_bytes, "4kb", SGF_UNIT},
      {sgf_parse_bytes, "4kB", SGF_UNIT},
      {sgf_parse_bytes, "4K", SGF_UNIT},
      {sgf_parse_bytes, "4TB", SGF_UNIT},
      {sgf_parse_bytes, "4KBB", SGF_UNIT},
      {sgf_parse_bytes, "4Gbps", SGF_UNIT},
      {sgf_parse_bytes, "4s", SGF_UNIT},
      {sgf_parse_datarate, "4", SGF_UNIT},
      {sgf_parse_datarate, "4GB", SGF_UNIT},
      {sgf_parse_datarate, "4gbps", SGF_UNIT},
      {sgf_parse_datarate, "4GBps", SGF_UNIT},
      {sgf_parse_timeval, "4", SGF_UNIT},
      {sgf_parse_timeval, "4m", SGF_UNIT},
      {sgf_parse_timeval, "4KB", SGF_UNIT},
      {sgf_parse_bytes, "-1B", SGF_RANGE},
      {sgf_parse_bytes, "0.0001B", SGF_RANGE},
      {sgf_parse_bytes, "1.5B", SGF_RANGE},
      {sgf_parse_bytes, "0.0001KB", SGF_RANGE},
      {sgf_parse_bytes, "4294967296B", SGF_RANGE},
      {sgf_parse_bytes, "4.2949672951GB", SGF_RANGE},
      {sgf_parse_bytes, "4GiB", SGF_RANGE},
      {sgf_parse_bytes, "18446744073709551616B", SGF_RANGE},
      {sgf_parse_bytes, "18446744073709551615GiB", SGF_RANGE},
      {sgf_parse_bytes, "-99999999999999999999999999999999999999999999B", SGF_RANGE},
      {sgf_parse_bytes, "0.00000000000000000000000000000000000001GB", SGF_RANGE},
      {sgf_parse_bytes, "0.0000000000000000000000000000000000000000000000000000000000000000000000001GB", SGF_RANGE},
      {sgf_parse_datarate, "0.5bps", SGF_RANGE},
      {sgf_parse_datarate, "9223373Tbps", SGF_RANGE},
      {sgf_parse_timeval, "0.1ps", SGF_RANGE},
      {sgf_parse_timeval, "9223372036854775808ps", SGF_RANGE},
      {sgf_parse_timeval, "9223373s", SGF_RANGE},
      {sgf_parse_timeval, "-1ns", SGF_RANGE},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    int64_t value       = -7;
    sgf_error_t error   = {0};
    sgf_status_t status = cases[i].parse(cases[i].text, "the value", &value, &error);
    check(status == cases[i].status, cases[i].text, error.text);
    check(value == -7, cases[i].text, "value must be left alone");
    check(contains(error.text, "the value = \""), cases[i].text, error.text);
  }
}

SGF_TEST(a_unit_of_another_kind_is_explained)
{
  sgf_error_t error = {0};
  int64_t bytes;
  sgf_parse_bytes("4Gbps", "TotalBufferSize", &bytes, &error);
  CU_ASSERT_STRING_EQUAL(error.text,
                         "TotalBufferSize = \"4Gbps\": Gbps is a unit of data rate; a size takes B, KB, MB, "
                         "GB, KiB, MiB or GiB");
  sgf_error_clear(&error);
  sgf_parse_timeval("4", "Delay", &bytes, &error);
  CU_ASSERT_STRING_EQUAL(error.text, "Delay = \"4\": the unit is missing; a time takes ps, ns, us, ms or s");
  sgf_error_clear(&error);
  sgf_parse_datarate("4Gb", "DataRate", &bytes, &error);
  CU_ASSERT_STRING_EQUAL(error.text,
                         "DataRate = \"4Gb\": \"Gb\" is not a unit; a data rate takes bps, Kbps, Mbps, Gbps or "
                         "Tbps");
}

SGF_TEST(a_long_value_leaves_room_for_the_rule)
{
  char text[5000];
  memset(text, 'K', sizeof text);
  text[0]               = '1';
  text[sizeof text - 1] = '\0';
  sgf_error_t error     = {0};
  CU_ASSERT_EQUAL(sgf_parse_bytes(text, "TotalBufferSize", &(int64_t){0}, &error), SGF_UNIT);
  CU_ASSERT(contains(error.text, "TotalBufferSize = \"1KKK"));
  CU_ASSERT(contains(error.text, "a size takes B, KB, MB"));
}

SGF_TEST(a_long_value_is_not_cut_inside_a_character)
{
  char text[1000] = "x";
  for (int i = 0; i < 200; i++)
    strcat(text, "\u00e9");
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_parse_bytes(text, "TotalBufferSize", &(int64_t){0}, &error), SGF_SYNTAX);
  CU_ASSERT(contains(error.text, "\u00e9...\": a size is a number"));
}

SGF_TEST(whole_numbers_are_read)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    uint64_t value;
  } cases[] = {
      {"0", SGF_OK, 0},
      {"-0", SGF_OK, 0},
      {" 1024 ", SGF_OK, 1024},
      {"+5", SGF_OK, 5},
      {"18446744073709551615", SGF_OK, UINT64_MAX},
      {"18446744073709551616", SGF_RANGE, 0},
      {"99999999999999999999999999999999999999999", SGF_RANGE, 0},
      {"-1", SGF_RANGE, 0},
      {"1.5", SGF_SYNTAX, 0},
      {"1.0", SGF_SYNTAX, 0},
      {"1e3", SGF_SYNTAX, 0},
      {"0x10", SGF_SYNTAX, 0},
      {"5KB", SGF_SYNTAX, 0},
      {"1 2", SGF_SYNTAX, 0},
      {"five", SGF_SYNTAX, 0},
      {"", SGF_SYNTAX, 0},
      {"-", SGF_SYNTAX, 0},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    uint64_t value    = 77;
    sgf_error_t error = {0};
    check(sgf_parse_uint(cases[i].text, "x", &value, &error) == cases[i].status, cases[i].text, error.text);
    check(value == (cases[i].status == SGF_OK ? cases[i].value : 77), cases[i].text, "value");
  }
}

SGF_TEST(decimals_are_read_as_written)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    sgf_decimal_t value;
  } cases[] = {
      {"0.9", SGF_OK, {9, 10}},
      {"0", SGF_OK, {0, 1}},
      {"-0.0", SGF_OK, {0, 1}},
      {"1.0", SGF_OK, {1, 1}},
      {"0.10", SGF_OK, {1, 10}},
      {"25.0", SGF_OK, {25, 1}},
      {" 0.33333 ", SGF_OK, {33333, 100000}},
      {"-1.25", SGF_OK, {-125, 100}},
      {"+1.25", SGF_OK, {125, 100}},
      {"0.000000001", SGF_OK, {1, 1000000000}},
      {"0.00000000100000000000000000000", SGF_OK, {1, 1000000000}},
      {"1000000000", SGF_OK, {1000000000, 1}},
      {"-1000000000", SGF_OK, {-1000000000, 1}},
      {"0.0000000001", SGF_RANGE, {0, 0}},
      {"1000000000.1", SGF_RANGE, {0, 0}},
      {"-1000000001", SGF_RANGE, {0, 0}},
      {"99999999999999999999999", SGF_RANGE, {0, 0}},
      {".5", SGF_SYNTAX, {0, 0}},
      {"5.", SGF_SYNTAX, {0, 0}},
      {".", SGF_SYNTAX, {0, 0}},
      {"1e-3", SGF_SYNTAX, {0, 0}},
      {"0,5", SGF_SYNTAX, {0, 0}},
      {"50%", SGF_SYNTAX, {0, 0}},
      {"nan", SGF_SYNTAX, {0, 0}},
      {"inf", SGF_SYNTAX, {0, 0}},
      {"", SGF_SYNTAX, {0, 0}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    sgf_decimal_t value = {0, 0};
    sgf_error_t error   = {0};
    check(sgf_parse_decimal(cases[i].text, "x", &value, &error) == cases[i].status, cases[i].text, error.text);
    check(value.digits == cases[i].value.digits && value.scale == cases[i].value.scale, cases[i].text, "value");
  }
}

/* -------------------- decimals */

static sgf_decimal_t decimal(const char* text)
{
  sgf_decimal_t value = {0, 1};
  CU_ASSERT_EQUAL(sgf_parse_decimal(text, "decimal", &value, NULL), SGF_OK);
  return value;
}

SGF_TEST(fractions_of_bytes_are_exact_and_floored)
{
  /* spec/switch.md SW-02, SW-111; a binary 0.9 or 0.1 would be off by one byte here and there */
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("0.9"), 223232000), 200908800);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("0.1"), 223232000), 22323200);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("0.1"), 22323200), 2232320);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("0.33333"), 254208000), 84735152);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("0.33334"), 254208000), 84737694);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("0.999999999"), 1), 0);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("1"), 12345), 12345);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("0"), 12345), 0);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("-0.5"), 3), -2);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("-0.5"), 4), -2);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("0.5"), -3), -2);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("1000000000"), INT64_C(1) << 32), INT64_C(1000000000) << 32);
  CU_ASSERT_EQUAL(sgf_decimal_of(decimal("999999999.999999999"), INT64_C(1) << 32),
                  (INT64_C(1000000000) << 32) - 5); /* 2^32 x 10^-9 = 4.29.. less, floored */
}

SGF_TEST(fractions_leave_no_byte_in_a_whole_buffer)
{
  for (int64_t tenths = 0; tenths <= 10; tenths++)
    for (int64_t whole = 0; whole <= 1000; whole += 10)
      CU_ASSERT_EQUAL(sgf_decimal_of((sgf_decimal_t){tenths, 10}, whole), tenths * (whole / 10));
}

SGF_TEST(decimals_compare_exactly)
{
  CU_ASSERT_EQUAL(sgf_decimal_compare(decimal("0.1"), decimal("0.1")), 0);
  CU_ASSERT_EQUAL(sgf_decimal_compare((sgf_decimal_t){10, 100}, decimal("0.1")), 0);
  CU_ASSERT(sgf_decimal_compare(decimal("0.1"), decimal("0.100000001")) < 0);
  CU_ASSERT(sgf_decimal_compare(decimal("1"), decimal("0.999999999")) > 0);
  CU_ASSERT(sgf_decimal_compare(decimal("-1"), decimal("0.5")) < 0);
  CU_ASSERT(sgf_decimal_compare(decimal("-0.5"), decimal("-0.25")) < 0);
  CU_ASSERT(sgf_decimal_compare(decimal("1000000000"), decimal("0.000000001")) > 0);
}

SGF_TEST(decimals_add_and_subtract_exactly)
{
  sgf_decimal_t sum = {0, 1};
  for (int i = 0; i < 10; i++)
    sum = sgf_decimal_add(sum, decimal("0.1"));
  CU_ASSERT_EQUAL(sgf_decimal_compare(sum, decimal("1")), 0);
  CU_ASSERT_EQUAL(sum.scale, 1);

  /* spec/switch.md 4: in binary 1.0 + 0.1 - 1 > 0.1 */
  sgf_decimal_t excess = sgf_decimal_sub(sgf_decimal_add(decimal("1.0"), decimal("0.1")), decimal("1"));
  CU_ASSERT_EQUAL(sgf_decimal_compare(excess, decimal("0.1")), 0);
  CU_ASSERT_EQUAL(sgf_decimal_compare(sgf_decimal_sub(decimal("0.25"), decimal("1")), decimal("-0.75")), 0);

  sgf_decimal_t largest = {0, 1};
  for (int i = 0; i < SGF_LIST_ENTRIES; i++)
    largest = sgf_decimal_add(largest, decimal("999999999.999999999"));
  CU_ASSERT_EQUAL(largest.digits, INT64_C(7999999999999999992));
  CU_ASSERT_EQUAL(largest.scale, 1000000000);
}

SGF_TEST(decimals_have_a_floating_point_value)
{
  CU_ASSERT_EQUAL(sgf_decimal_value(decimal("0.9")), 0.9);
  CU_ASSERT_EQUAL(sgf_decimal_value(decimal("-12.5")), -12.5);
}

/* -------------------- configurations */

SGF_TEST(defaults_fill_every_section)
{
  device_config_t config = defaults();
  CU_ASSERT_EQUAL(config.port.rate, INT64_C(400000000000));
  CU_ASSERT_EQUAL(config.port.delay, 100000);
  CU_ASSERT_EQUAL(config.port.rx_size, 4000000);
  CU_ASSERT_EQUAL(config.port.tx_size, 256000);
  CU_ASSERT_EQUAL(config.port.scheduling, 0);
  CU_ASSERT_EQUAL(config.port.pools[0].digits, 9);
  CU_ASSERT_EQUAL(config.port.pools[0].scale, 10);
  CU_ASSERT_EQUAL(config.port.pools[7].digits, 0);
  CU_ASSERT_EQUAL(config.port.weights[1], 5);
  CU_ASSERT_EQUAL(config.untouched, 0);
  CU_ASSERT_EQUAL(config.transport.nth, 1);
  CU_ASSERT_FALSE(config.transport.trimming);
  CU_ASSERT_EQUAL(config.transport.gap, 100000000);
  CU_ASSERT_EQUAL(config.transport.nic_tx, 256000);
}

SGF_TEST(defaults_report_a_table_that_is_wrong)
{
  static const struct {
    sgf_attr_t row;
    sgf_status_t status;
  } cases[] = {
      {{"A", SGF_ATTR_BYTES, 0, "4", "", ""}, SGF_UNIT},      {{"A", SGF_ATTR_BYTES, 0, "4KB", "8KB..", ""}, SGF_RANGE},
      {{"A", SGF_ATTR_UINT, 0, "4", "0-8", ""}, SGF_SYNTAX},  {{"A", SGF_ATTR_UINT, 0, "4", "x..8", ""}, SGF_SYNTAX},
      {{"A", SGF_ATTR_UINT, 0, "4", "0..x", ""}, SGF_SYNTAX}, {{"A", SGF_ATTR_CHOICE, 0, "c", "a|b", ""}, SGF_RANGE},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    sgf_attr_table_t table     = {"table", &cases[i].row, 1};
    sgf_attr_section_t section = {&table, 0};
    int64_t block              = 0;
    sgf_attr_set_t set         = {"nic", &section, 1, sizeof block};
    sgf_error_t error          = {0};
    check(sgf_attr_defaults(&set, &block, &error) == cases[i].status, cases[i].row.range, error.text);
    check(contains(error.text, "A = \""), cases[i].row.range, error.text);
  }
}

SGF_TEST(values_of_every_type_are_stored)
{
  device_config_t config;
  sgf_error_t error;
  CU_ASSERT_EQUAL(assign(&config, "Seed", "18446744073709551615", &error), SGF_OK);
  CU_ASSERT_EQUAL(config.transport.seed, UINT64_MAX);
  CU_ASSERT_EQUAL(assign(&config, "DataRate", "31.52Gbps", &error), SGF_OK);
  CU_ASSERT_EQUAL(config.port.rate, INT64_C(31520000000));
  CU_ASSERT_EQUAL(assign(&config, "IngressBufferManager.TotalBufferSize", " 400 KB ", &error), SGF_OK);
  CU_ASSERT_EQUAL(config.port.rx_size, 400000);
  CU_ASSERT_EQUAL(config.port.tx_size, 256000);
  CU_ASSERT_EQUAL(assign(&config, "Gap", "2s", &error), SGF_OK);
  CU_ASSERT_EQUAL(config.transport.gap, INT64_C(2000000000000));
  CU_ASSERT_EQUAL(assign(&config, "Gamma", "0.001", &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_decimal_compare(config.transport.gamma, decimal("0.001")), 0);
  CU_ASSERT_EQUAL(assign(&config, "TrimmingEnabled", " true ", &error), SGF_OK);
  CU_ASSERT_TRUE(config.transport.trimming);
  CU_ASSERT_EQUAL(assign(&config, "QueueSchedulingType", " WeightedRoundRobin\n", &error), SGF_OK);
  CU_ASSERT_EQUAL(config.port.scheduling, 2);
  CU_ASSERT_EQUAL(assign(&config, "DefaultDeliveryMethod", "Reliable Unordered Delivery (RUD)", &error), SGF_OK);
  CU_ASSERT_EQUAL(config.transport.delivery, 0);
  CU_ASSERT_EQUAL(assign(&config, "PFCEnableVector", "[1, 2, 3, 4, 5, 6, 7, -8]", &error), SGF_OK);
  for (int i = 0; i < SGF_LIST_ENTRIES; i++)
    CU_ASSERT_EQUAL(config.port.pfc[i], i < 7 ? i + 1 : -8);
}

SGF_TEST(an_assignment_touches_its_value_alone)
{
  static const char* const changes[][2] = {
      {"Seed", "7"},
      {"DataRate", "1Gbps"},
      {"NetworkInterface/TransmissionMedium/Delay", "1s"},
      {"Gap", "1s"},
      {"Gamma", "0.5"},
      {"TrimmingEnabled", "true"},
      {"PFCEnableVector", "1,1,1,1,1,1,1,1"},
      {"PoolAllocationVector", "1,1,1,1,1,1,1,1"},
      {"QueueSchedulingType", "RoundRobin"},
  };
  for (size_t i = 0; i < COUNT(changes); i++) {
    device_config_t config;
    sgf_error_t error;
    CU_ASSERT_EQUAL(assign(&config, changes[i][0], changes[i][1], &error), SGF_OK);
    device_config_t before = defaults();
    CU_ASSERT_NOT_EQUAL(memcmp(&config, &before, sizeof config), 0);
    sgf_attr_ref_t changed = find(changes[i][0]);
    CU_ASSERT_EQUAL(sgf_attr_assign(changed, &config, changed.attr->initial, NULL), SGF_OK);
    check(memcmp(&config, &before, sizeof config) == 0, changes[i][0], "the rest of the block");
  }
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

typedef struct text_config {
  char date[SGF_TEXT_SIZE];
  char name[SGF_TEXT_SIZE];
} text_config_t;

static const sgf_attr_t text_rows[] = {
    ROW("Date", TEXT, text_config_t, date, "", "9999-99-99T99:99:99Z"),
    ROW("Name", TEXT, text_config_t, name, "a job", ""),
};
static const sgf_attr_table_t text_table     = {"texts", text_rows, COUNT(text_rows)};
static const sgf_attr_section_t text_section = {&text_table, 0};
static const sgf_attr_set_t text_set         = {"record", &text_section, 1, sizeof(text_config_t)};

static void check_text_refused(const char* name, const char* value, sgf_status_t status, const char* reason)
{
  text_config_t config;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_attr_defaults(&text_set, &config, &error), SGF_OK);
  check(sgf_attr_set_value(&text_set, &config, name, value, &error) == status, value, error.text);
  check(contains(error.text, reason), value, error.text);
  CU_ASSERT_STRING_EQUAL(config.date, "");
  CU_ASSERT_STRING_EQUAL(config.name, "a job");
}

SGF_TEST(texts_are_kept_as_written)
{
  text_config_t config;
  sgf_error_t error = {0};
  char buffer[100];
  char longest[SGF_TEXT_SIZE];
  memset(longest, 'x', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  CU_ASSERT_EQUAL(sgf_attr_defaults(&text_set, &config, &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_attr_set_value(&text_set, &config, "Date", " 2026-01-13T19:11:38Z ", &error), SGF_OK);
  CU_ASSERT_STRING_EQUAL(config.date, "2026-01-13T19:11:38Z");
  CU_ASSERT_STRING_EQUAL(sgf_attr_format((sgf_attr_ref_t){&text_rows[0], 0}, &config, buffer, sizeof buffer),
                         "2026-01-13T19:11:38Z");
  CU_ASSERT_EQUAL(sgf_attr_set_value(&text_set, &config, "Name", longest, &error), SGF_OK);
  CU_ASSERT_STRING_EQUAL(config.name, longest);
  CU_ASSERT_EQUAL(sgf_attr_set_value(&text_set, &config, "Date", "", &error), SGF_OK);
  CU_ASSERT_STRING_EQUAL(config.date, "");
}

SGF_TEST(texts_of_another_form_are_refused)
{
  static const char too_long[] = "0123456789012345678901234567890123456789012345678901234567890123";
  CU_ASSERT_EQUAL(strlen(too_long), SGF_TEXT_SIZE);
  check_text_refused("Date", "2026-01-13 19:11:38Z", SGF_SYNTAX, "must have the form 9999-99-99T99:99:99Z");
  check_text_refused("Date", "2026-01-13T19:11:38", SGF_SYNTAX, "must have the form");
  check_text_refused("Date", "2026-01-13T19:11:38ZZ", SGF_SYNTAX, "must have the form");
  check_text_refused("Date", "2026-01-13T19:11:x8Z", SGF_SYNTAX, "must have the form");
  check_text_refused("Date", "2026-01-13T19:11:/8Z", SGF_SYNTAX, "must have the form");
  check_text_refused("Name", too_long, SGF_RANGE, "at most 63 characters");
  check_text_refused("Name", "tab\there", SGF_SYNTAX, "printable ASCII");
  check_text_refused("Name", "caf\xc3\xa9", SGF_SYNTAX, "printable ASCII");
}

SGF_TEST(ranges_are_inclusive_and_may_be_open)
{
  static const struct {
    const char* suffix;
    const char* text;
  } inside[] = {
      {"AckRequestEveryNthPacket", "1"},
      {"AckRequestEveryNthPacket", "1024"},
      {"Gamma", "1"},
      {"Gamma", "1.000000000"},
      {"Alpha", "0"},
      {"Alpha", "1000000"},
      {"Gap", "0s"},
      {"Gap", "2000ms"},
      {"WRRQueueWeights", "-3,1024,0,0,0,0,0,0"},
      {"PoolAllocationVector", "1.0,0.0,0,0,0,0,0,0"},
  };
  for (size_t i = 0; i < COUNT(inside); i++) {
    device_config_t config;
    sgf_error_t error;
    check(assign(&config, inside[i].suffix, inside[i].text, &error) == SGF_OK, inside[i].text, error.text);
  }
  static const refusal_t outside[] = {
      {"AckRequestEveryNthPacket", "0", SGF_RANGE, "must be within 1..1024"},
      {"AckRequestEveryNthPacket", "1025", SGF_RANGE, "must be within 1..1024"},
      {"Gamma", "0.000999999", SGF_RANGE, "must be within 0.001..1.0"},
      {"Gamma", "1.000000001", SGF_RANGE, "must be within 0.001..1.0"},
      {"Alpha", "-0.000000001", SGF_RANGE, "must be at least 0"},
      {"Gap", "2.000000000001s", SGF_RANGE, "must be at most 2s"},
      {"WRRQueueWeights", "0,-4,0,0,0,0,0,0", SGF_RANGE, "entry 1, \"-4\", must be within -3..1024"},
      {"WRRQueueWeights", "0,0,0,0,0,0,0,1025", SGF_RANGE, "entry 7, \"1025\", must be within -3..1024"},
      {"PoolAllocationVector", "[1.1, 0, 0, 0, 0, 0, 0, 0]", SGF_RANGE, "entry 0, \"1.1\", must be within 0.0..1.0"},
      {"PoolAllocationVector", "[0, -0.1, 0, 0, 0, 0, 0, 0]", SGF_RANGE, "entry 1"},
  };
  check_refusals(outside, COUNT(outside));
}

SGF_TEST(values_of_the_wrong_type_are_refused)
{
  static const refusal_t cases[] = {
      {"IngressBufferManager.TotalBufferSize", "4Gbps", SGF_UNIT,
       IBM "TotalBufferSize = \"4Gbps\": Gbps is a unit of data rate; a size takes B, KB, MB, GB, KiB, MiB or GiB"},
      {"IngressBufferManager.TotalBufferSize", "4", SGF_UNIT, "the unit is missing"},
      {"IngressBufferManager.TotalBufferSize", "5GB", SGF_RANGE, "at most 4294967295B"},
      {"IngressBufferManager.TotalBufferSize", "0.0001B", SGF_RANGE, "whole number of B"},
      {"DataRate", "400", SGF_UNIT, "a data rate takes bps"},
      {"DataRate", "fast", SGF_SYNTAX, "such as 400Gbps"},
      {"Gap", "100Gbps", SGF_UNIT, "a time takes ps, ns, us, ms or s"},
      {"Seed", "-1", SGF_RANGE, "at least 0"},
      {"Seed", "1.5", SGF_SYNTAX, "whole number"},
      {"Seed", "1KB", SGF_SYNTAX, "without a unit"},
      {"Gamma", "half", SGF_SYNTAX, "decimal number"},
      {"Gamma", "0.5B", SGF_SYNTAX, "without a unit"},
      {"TrimmingEnabled", "True", SGF_SYNTAX, "true or false"},
      {"TrimmingEnabled", "1", SGF_SYNTAX, "true or false"},
      {"TrimmingEnabled", "", SGF_SYNTAX, "true or false"},
      {"TrimmingEnabled", "true false", SGF_SYNTAX, "true or false"},
  };
  check_refusals(cases, COUNT(cases));
}

SGF_TEST(choices_outside_the_set_are_refused_with_the_nearest)
{
  static const refusal_t cases[] = {
      {"QueueSchedulingType", "strictpriority", SGF_RANGE,
       "must be one of \"StrictPriority\", \"RoundRobin\", \"WeightedRoundRobin\"; did you mean \"StrictPriority\"?"},
      {"QueueSchedulingType", "RoundRobbin", SGF_RANGE, "did you mean \"RoundRobin\"?"},
      {"QueueSchedulingType", "WeightedRoundRobi", SGF_RANGE, "did you mean \"WeightedRoundRobin\"?"},
      {"QueueSchedulingType", "StrictPriority|RoundRobin", SGF_RANGE, "must be one of"},
      {"QueueSchedulingType", "", SGF_RANGE, "must be one of"},
      {"QueueSchedulingType", "0", SGF_RANGE, "must be one of"},
      {"DefaultDeliveryMethod", "RUD", SGF_RANGE, "must be one of \"Reliable Unordered Delivery (RUD)\""},
  };
  check_refusals(cases, COUNT(cases));

  device_config_t config;
  sgf_error_t error;
  assign(&config, "QueueSchedulingType", "xyz", &error);
  CU_ASSERT_FALSE(contains(error.text, "did you mean"));
}

/* -------------------- lists */

SGF_TEST(lists_come_with_and_without_brackets)
{
  static const char* const forms[] = {
      "[1, 1, 0, 0, 0, 0, 0, 0]", "1, 1, 0, 0, 0, 0, 0, 0",        "1,1,0,0,0,0,0,0",      "[1,1,0,0,0,0,0,0]",
      " [ 1 ,1,0 , 0,0,0,0,0 ] ", "\n1\t,\t1 ,0 ,0 ,0 ,0 ,0 ,0\n", "[+1,01,-0,0,0,0,0,0]",
  };
  for (size_t i = 0; i < COUNT(forms); i++) {
    device_config_t config;
    sgf_error_t error;
    check(assign(&config, "PFCEnableVector", forms[i], &error) == SGF_OK, forms[i], error.text);
    for (int k = 0; k < SGF_LIST_ENTRIES; k++)
      check(config.port.pfc[k] == (k < 2 ? 1 : 0), forms[i], "entry");
  }
}

SGF_TEST(malformed_lists_are_refused)
{
  static const refusal_t cases[] = {
      {"PFCEnableVector", "[1, 1]", SGF_SYNTAX, "exactly 8 entries separated by commas, this one has 2"},
      {"PFCEnableVector", "1,1,0,0,0,0,0", SGF_SYNTAX, "this one has 7"},
      {"PFCEnableVector", "1,1,0,0,0,0,0,0,0", SGF_SYNTAX, "this one has 9"},
      {"PFCEnableVector", "1,1,0,0,0,0,0,0,", SGF_SYNTAX, "this one has 9"},
      {"PFCEnableVector", "1 1 0 0 0 0 0 0", SGF_SYNTAX, "this one has 1"},
      {"PFCEnableVector", "1;1;0;0;0;0;0;0", SGF_SYNTAX, "this one has 1"},
      {"PFCEnableVector", "", SGF_SYNTAX, "this one has 0"},
      {"PFCEnableVector", "[]", SGF_SYNTAX, "this one has 0"},
      {"PFCEnableVector", "[", SGF_SYNTAX, "both brackets or none"},
      {"PFCEnableVector", "]", SGF_SYNTAX, "both brackets or none"},
      {"PFCEnableVector", "[1,1,0,0,0,0,0,0", SGF_SYNTAX, "both brackets or none"},
      {"PFCEnableVector", "1,1,0,0,0,0,0,0]", SGF_SYNTAX, "both brackets or none"},
      {"PFCEnableVector", "[[1,1,0,0,0,0,0,0]]", SGF_SYNTAX, "entry 0, \"[1\""},
      {"PFCEnableVector", "{1,1,0,0,0,0,0,0}", SGF_SYNTAX, "entry 0"},
      {"PFCEnableVector", "1,,0,0,0,0,0,0", SGF_SYNTAX, "entry 1, \"\""},
      {"PFCEnableVector", ",,,,,,,", SGF_SYNTAX, "entry 0"},
      {"PFCEnableVector", "1,1.5,0,0,0,0,0,0", SGF_SYNTAX, "entry 1, \"1.5\", must be a whole number"},
      {"PFCEnableVector", "1,yes,0,0,0,0,0,0", SGF_SYNTAX, "entry 1, \"yes\", must be a whole number"},
      {"PFCEnableVector", "1,1 1,0,0,0,0,0,0", SGF_SYNTAX, "entry 1, \"1 1\""},
      {"PFCEnableVector", "1,1KB,0,0,0,0,0,0", SGF_SYNTAX, "entry 1, \"1KB\""},
      {"PFCEnableVector", "1,9223372036854775808,0,0,0,0,0,0", SGF_RANGE, "entry 1"},
      {"PFCEnableVector", "1,1,1,1,1,1,1,-9223372036854775809", SGF_RANGE, "entry 7"},
      {"PoolAllocationVector", "[0.9, 0.1]", SGF_SYNTAX, "this one has 2"},
      {"PoolAllocationVector", "[0.9, most, 0, 0, 0, 0, 0, 0]", SGF_SYNTAX,
       "entry 1, \"most\", must be a decimal number"},
      {"PoolAllocationVector", "[0.9, 1/10, 0, 0, 0, 0, 0, 0]", SGF_SYNTAX, "entry 1"},
      {"PoolAllocationVector", "[0.9, 0.0000000001, 0, 0, 0, 0, 0, 0]", SGF_RANGE, "entry 1"},
  };
  check_refusals(cases, COUNT(cases));
}

SGF_TEST(whole_number_entries_reach_both_ends_of_their_type)
{
  device_config_t config;
  sgf_error_t error;
  CU_ASSERT_EQUAL(assign(&config, "PFCEnableVector", "9223372036854775807,-9223372036854775808,0,0,0,0,0,0", &error),
                  SGF_OK);
  CU_ASSERT_EQUAL(config.port.pfc[0], INT64_MAX);
  CU_ASSERT_EQUAL(config.port.pfc[1], INT64_MIN);
}

/* -------------------- look-up */

SGF_TEST(any_unique_suffix_finds_its_attribute)
{
  static const struct {
    const char* suffix;
    const char* path;
  } cases[] = {
      {"DataRate", "NetworkInterface/UplinkNetworkInterface/DataRate"},
      {"UplinkNetworkInterface.DataRate", "NetworkInterface/UplinkNetworkInterface/DataRate"},
      {"UplinkNetworkInterface/DataRate", "NetworkInterface/UplinkNetworkInterface/DataRate"},
      {"NetworkInterface.UplinkNetworkInterface/DataRate", "NetworkInterface/UplinkNetworkInterface/DataRate"},
      {"IngressBufferManager.TotalBufferSize", IBM "TotalBufferSize"},
      {"EgressBufferManager/TotalBufferSize", EBM "TotalBufferSize"},
      {"TransmissionMedium.Delay", "NetworkInterface/TransmissionMedium/Delay"},
      {"NICSide.PCIeGen3.0.TransactionLayer.TXDataBufferSize",
       "HostInterface/NICSide/PCIeGen3.0/TransactionLayer/TXDataBufferSize"},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    CU_ASSERT_STRING_EQUAL(find(cases[i].suffix).attr->path, cases[i].path);
}

SGF_TEST(every_whole_path_finds_its_own_row_and_place)
{
  for (size_t s = 0; s < COUNT(sections); s++)
    for (size_t i = 0; i < sections[s].table->count; i++) {
      const sgf_attr_t* attr = &sections[s].table->attrs[i];
      sgf_attr_ref_t ref     = find(attr->path);
      CU_ASSERT_PTR_EQUAL(ref.attr, attr);
      CU_ASSERT_EQUAL(ref.offset, sections[s].offset + attr->offset);
    }
}

SGF_TEST(a_whole_path_wins_over_a_suffix_of_another)
{
  CU_ASSERT_STRING_EQUAL(find("Delay").attr->path, "Delay");
  CU_ASSERT_EQUAL(find("Delay").offset, offsetof(device_config_t, transport.delay));

  const sgf_attr_section_t reversed[] = {sections[1], sections[0]};
  const sgf_attr_set_t set            = {"nic", reversed, COUNT(reversed), sizeof(device_config_t)};
  sgf_attr_ref_t ref;
  CU_ASSERT_EQUAL_FATAL(sgf_attr_find(&set, "Delay", &ref, NULL), SGF_OK);
  CU_ASSERT_STRING_EQUAL(ref.attr->path, "Delay");
}

static void check_not_found(const char* suffix, sgf_status_t expected, const char* text)
{
  sgf_attr_ref_t ref  = {NULL, 99};
  sgf_error_t error   = {0};
  sgf_status_t status = sgf_attr_find(&device, suffix, &ref, &error);
  check(status == expected, suffix, sgf_status_text(status));
  check(strcmp(error.text, text) == 0, suffix, error.text);
  check(ref.attr == NULL && ref.offset == 99, suffix, "the reference must be left alone");
}

SGF_TEST(an_ambiguous_suffix_lists_what_tells_the_candidates_apart)
{
  check_not_found("TotalBufferSize", SGF_AMBIGUOUS,
                  "nic has several attributes \"TotalBufferSize\": write IngressBufferManager/TotalBufferSize or "
                  "EgressBufferManager/TotalBufferSize");
  check_not_found("TransactionLayer.TXDataBufferSize", SGF_AMBIGUOUS,
                  "nic has several attributes \"TransactionLayer.TXDataBufferSize\": write "
                  "HostSide/PCIeGen3.0/TransactionLayer/TXDataBufferSize or "
                  "NICSide/PCIeGen3.0/TransactionLayer/TXDataBufferSize");
}

SGF_TEST(what_an_ambiguous_suffix_lists_can_be_written)
{
  CU_ASSERT_STRING_EQUAL(find("IngressBufferManager/TotalBufferSize").attr->path, IBM "TotalBufferSize");
  CU_ASSERT_STRING_EQUAL(find("HostSide/PCIeGen3.0/TransactionLayer/TXDataBufferSize").attr->path,
                         "HostInterface/HostSide/PCIeGen3.0/TransactionLayer/TXDataBufferSize");
}

SGF_TEST(many_candidates_are_counted)
{
  sgf_attr_t rows[20];
  char paths[COUNT(rows)][16];
  for (size_t i = 0; i < COUNT(rows); i++) {
    snprintf(paths[i], sizeof paths[i], "C%zu/Size", i);
    rows[i] = (sgf_attr_t){paths[i], SGF_ATTR_UINT, 0, "0", "", ""};
  }
  sgf_attr_table_t table     = {"table", rows, COUNT(rows)};
  sgf_attr_section_t section = {&table, 0};
  sgf_attr_set_t set         = {"nic", &section, 1, sizeof(uint64_t)};
  sgf_attr_ref_t ref;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_attr_find(&set, "Size", &ref, &error), SGF_AMBIGUOUS);
  CU_ASSERT(contains(error.text, "write C0/Size, C1/Size"));
  CU_ASSERT(contains(error.text, "or 8 more"));
}

SGF_TEST(a_path_taken_twice_is_ambiguous)
{
  static const sgf_attr_t row = {"A/Size", SGF_ATTR_UINT, 0, "0", "", ""};
  sgf_attr_table_t table      = {"table", &row, 1};
  sgf_attr_section_t twice[]  = {{&table, 0}, {&table, sizeof(uint64_t)}};
  sgf_attr_set_t set          = {"nic", twice, COUNT(twice), 2 * sizeof(uint64_t)};
  sgf_attr_ref_t ref;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_attr_find(&set, "A/Size", &ref, &error), SGF_AMBIGUOUS);
  CU_ASSERT_STRING_EQUAL(error.text, "nic has several attributes \"A/Size\": write A/Size or A/Size");
}

SGF_TEST(a_suffix_starts_at_a_component)
{
  check_not_found("Rate", SGF_UNKNOWN,
                  "nic has no attribute \"Rate\"; did you mean NetworkInterface/UplinkNetworkInterface/DataRate?");
  sgf_attr_ref_t ref;
  static const char* const wrong[] = {"",
                                      ".",
                                      "/",
                                      "/Delay",
                                      "Delay/",
                                      ".Gamma",
                                      "BufferManager.TotalBufferSize",
                                      "TransmissionMedium",
                                      "IngressBufferManager..TotalBufferSize",
                                      " Gamma"};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    sgf_error_t error = {0};
    check(sgf_attr_find(&device, wrong[i], &ref, &error) == SGF_UNKNOWN, wrong[i], error.text);
    check(contains(error.text, "nic has no attribute \""), wrong[i], error.text);
  }
}

SGF_TEST(unknown_attributes_name_the_nearest)
{
  static const struct {
    const char* suffix;
    const char* nearest;
  } cases[] = {
      {"TotalBuffersize", IBM "TotalBufferSize or " EBM "TotalBufferSize?"},
      {"totalbuffersize", IBM "TotalBufferSize or " EBM "TotalBufferSize?"},
      {"IngresBufferManager.TotalBufferSize", "did you mean " IBM "TotalBufferSize?"},
      {"EgresBufferManager.TotalBufferSize", "did you mean " EBM "TotalBufferSize?"},
      {"IngressBufferManager/TotalBufSize", "did you mean " IBM "TotalBufferSize?"},
      {"NetworkInterfaces.IngressBufferManager.TotalBufferSize", "did you mean " IBM "TotalBufferSize?"},
      {"BufferManager.PFCEnableVector", "did you mean " IBM "PFCEnableVector?"},
      {"XoffThreshold", "did you mean " IBM "PfcStaticXoffThreshold?"},
      {"PFCEnableVektor", "did you mean " IBM "PFCEnableVector?"},
      {"PfcEnable", "did you mean " IBM "PFCEnableVector?"},
      {"Gama", "did you mean Transport/Gamma?"},
      {"Dealy", "did you mean NetworkInterface/TransmissionMedium/Delay or Delay?"},
      {"Wrong.Component.Gamma", "did you mean Transport/Gamma?"},
      {"PCIeGen3.0.TransactionLayer.TXDataBuffersize",
       "HostInterface/NICSide/PCIeGen3.0/TransactionLayer/TXDataBufferSize"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    sgf_attr_ref_t ref;
    sgf_error_t error = {0};
    check(sgf_attr_find(&device, cases[i].suffix, &ref, &error) == SGF_UNKNOWN, cases[i].suffix, error.text);
    check(contains(error.text, cases[i].nearest), cases[i].suffix, error.text);
    check(contains(error.text, cases[i].suffix), cases[i].suffix, error.text);
  }
  check_not_found("Frobnicate", SGF_UNKNOWN, "nic has no attribute \"Frobnicate\"");
  check_not_found("Xyz.Qqq", SGF_UNKNOWN, "nic has no attribute \"Xyz.Qqq\"");
}

SGF_TEST(nearest_name_is_the_one_that_was_meant)
{
  static const char* const names[] = {"gpu0", "gpu1", "gpu10", "tor0", "StrictPriority", "RoundRobin", "Static Pool"};
  static const struct {
    const char* name;
    const char* nearest;
  } cases[] = {
      {"gpu0", "gpu0"},
      {"GPU0", "gpu0"},
      {"gpu11", "gpu1"},
      {"tor", "tor0"},
      {"tor00", "tor0"},
      {"strictpriority", "StrictPriority"},
      {"Priority", "StrictPriority"},
      {"RundRobin", "RoundRobin"},
      {"spine", NULL},
      {"x", NULL},
      {"", NULL},
      {"static_pool", "Static Pool"},
      {"a completely different and much longer name", NULL},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char* nearest = sgf_nearest_name(cases[i].name, names, COUNT(names));
    const char* shown   = nearest != NULL ? nearest : "none";
    check(strcmp(shown, cases[i].nearest != NULL ? cases[i].nearest : "none") == 0, cases[i].name, shown);
  }
  CU_ASSERT_PTR_NULL(sgf_nearest_name("gpu0", names, 0));
}

SGF_TEST(letter_case_costs_less_than_a_letter)
{
  static const char* const names[] = {"Gamna", "GAMMA"};
  CU_ASSERT_STRING_EQUAL(sgf_nearest_name("GAMMa", names, COUNT(names)), "GAMMA");
  static const char* const cases[] = {"delay1", "DELAY"};
  CU_ASSERT_STRING_EQUAL(sgf_nearest_name("DElay", cases, COUNT(cases)), "DELAY");
}

/* -------------------- formatting */

SGF_TEST(values_are_written_with_the_largest_exact_unit)
{
  static const struct {
    const char* suffix;
    const char* text;
    const char* written;
  } cases[] = {
      {"EgressBufferManager.TotalBufferSize", "0MB", "0B"},
      {"EgressBufferManager.TotalBufferSize", "4000KB", "4MB"},
      {"EgressBufferManager.TotalBufferSize", "256KB", "256KB"},
      {"EgressBufferManager.TotalBufferSize", "512KB", "512KB"},
      {"EgressBufferManager.TotalBufferSize", "256KiB", "256KiB"},
      {"EgressBufferManager.TotalBufferSize", "1048576B", "1MiB"},
      {"EgressBufferManager.TotalBufferSize", "3072MiB", "3GiB"},
      {"EgressBufferManager.TotalBufferSize", "4000MB", "4GB"},
      {"EgressBufferManager.TotalBufferSize", "4202B", "4202B"},
      {"EgressBufferManager.TotalBufferSize", "1.5KB", "1500B"},
      {"EgressBufferManager.TotalBufferSize", "4294967295B", "4294967295B"},
      {"DataRate", "400Gbps", "400Gbps"},
      {"DataRate", "51200Gbps", "51200Gbps"},
      {"DataRate", "31.52Gbps", "31520Mbps"},
      {"DataRate", "1000Gbps", "1Tbps"},
      {"DataRate", "0Gbps", "0bps"},
      {"DataRate", "9223372036854775807bps", "9223372036854775807bps"},
      {"Gap", "100us", "100us"},
      {"Gap", "4500ns", "4500ns"},
      {"Gap", "0.5ns", "500ps"},
      {"Gap", "2000ms", "2s"},
      {"Gap", "0s", "0ps"},
      {"Seed", "18446744073709551615", "18446744073709551615"},
      {"Alpha", "1.0", "1"},
      {"Alpha", "0.10", "0.1"},
      {"Alpha", "12.000000005", "12.000000005"},
      {"TrimmingEnabled", "true", "true"},
      {"TrimmingEnabled", "false", "false"},
      {"QueueSchedulingType", "StrictPriority", "StrictPriority"},
      {"QueueSchedulingType", "RoundRobin", "RoundRobin"},
      {"QueueSchedulingType", "WeightedRoundRobin", "WeightedRoundRobin"},
      {"DefaultDeliveryMethod", "Reliable Unordered Delivery (RUD)", "Reliable Unordered Delivery (RUD)"},
      {"PFCEnableVector", "1,-2,3,0,0,0,0,-9223372036854775808", "[1, -2, 3, 0, 0, 0, 0, -9223372036854775808]"},
      {"PoolAllocationVector", "0.9,0.10,0.0,0,0,0,0,0", "[0.9, 0.1, 0, 0, 0, 0, 0, 0]"},
      {"PfcStaticXoffThreshold", "-0.05,-1.5,1000000000,0,0,0,0,0", "[-0.05, -1.5, 1000000000, 0, 0, 0, 0, 0]"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    device_config_t config;
    sgf_error_t error;
    char written[256];
    check(assign(&config, cases[i].suffix, cases[i].text, &error) == SGF_OK, cases[i].text, error.text);
    sgf_attr_ref_t ref = find(cases[i].suffix);
    CU_ASSERT_PTR_EQUAL(sgf_attr_format(ref, &config, written, sizeof written), written);
    check(strcmp(written, cases[i].written) == 0, cases[i].text, written);

    device_config_t again;
    check(assign(&again, cases[i].suffix, written, &error) == SGF_OK, written, error.text);
    check(memcmp(&again, &config, sizeof config) == 0, written, "round trip");
  }
}

SGF_TEST(every_default_survives_a_round_trip)
{
  device_config_t config = defaults();
  device_config_t copy   = config;
  for (size_t s = 0; s < COUNT(sections); s++)
    for (size_t i = 0; i < sections[s].table->count; i++) {
      char written[256];
      sgf_attr_ref_t ref = find(sections[s].table->attrs[i].path);
      sgf_attr_format(ref, &config, written, sizeof written);
      check(sgf_attr_assign(ref, &copy, written, NULL) == SGF_OK, ref.attr->path, written);
    }
  CU_ASSERT_EQUAL(memcmp(&copy, &config, sizeof config), 0);
}

SGF_TEST(a_small_buffer_is_terminated_and_not_overrun)
{
  device_config_t config = defaults();
  sgf_attr_ref_t ref     = find("PoolAllocationVector");
  const char whole[]     = "[0.9, 0.1, 0, 0, 0, 0, 0, 0]";
  for (size_t size = 1; size <= sizeof whole; size++) {
    char written[sizeof whole + 1];
    memset(written, '#', sizeof written);
    sgf_attr_format(ref, &config, written, size);
    CU_ASSERT_EQUAL(strlen(written), size - 1);
    CU_ASSERT_EQUAL(strncmp(written, whole, size - 1), 0);
    CU_ASSERT_EQUAL(written[size], '#');
  }
  char untouched = '#';
  sgf_attr_format(ref, &config, &untouched, 0);
  CU_ASSERT_EQUAL(untouched, '#');
}

/* -------------------- any input */

/* A small generator, so that a failure repeats. */
static uint32_t next_random(uint32_t* state)
{
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

static void mutate(char* text, size_t size, uint32_t* state)
{
  static const char letters[] = "0123456789.,[]+- \tKMGTBibpsnu|/\"%\n\x7f\xc3\xff";
  size_t changes              = 1 + next_random(state) % 4;
  for (size_t i = 0; i < changes; i++) {
    size_t length = strlen(text);
    size_t at     = next_random(state) % (length + 1);
    char letter   = letters[next_random(state) % (sizeof letters - 1)];
    switch (next_random(state) % 3) {
      case 0:
        if (at < length)
          text[at] = letter;
        break;
      case 1:
        if (length + 1 < size) {
          memmove(text + at + 1, text + at, length - at + 1);
          text[at] = letter;
        }
        break;
      default:
        if (at < length)
          memmove(text + at, text + at + 1, length - at);
    }
  }
}

/* Whatever is written is either stored, and then round-trips, or refused with a reason and nothing changed. */
static void check_any_value(const sgf_attr_ref_t ref, const char* text)
{
  device_config_t config = defaults();
  device_config_t before = config;
  sgf_error_t error      = {0};
  sgf_status_t status    = sgf_attr_assign(ref, &config, text, &error);
  if (status != SGF_OK) {
    check(memcmp(&config, &before, sizeof config) == 0, text, "the block is unchanged");
    check(contains(error.text, ref.attr->path) && strpbrk(error.text, "\n\t\x7f") == NULL, text, error.text);
    check(status == SGF_SYNTAX || status == SGF_UNIT || status == SGF_RANGE, text, sgf_status_text(status));
    return;
  }
  char written[512];
  sgf_attr_format(ref, &config, written, sizeof written);
  device_config_t again = before;
  check(sgf_attr_assign(ref, &again, written, &error) == SGF_OK, text, written);
  check(memcmp(&again, &config, sizeof config) == 0, text, written);
}

SGF_TEST(mutated_values_and_names_never_break_anything)
{
  uint32_t state = 20240601;
  for (size_t s = 0; s < COUNT(sections); s++)
    for (size_t i = 0; i < sections[s].table->count; i++) {
      const sgf_attr_t* attr = &sections[s].table->attrs[i];
      sgf_attr_ref_t ref     = find(attr->path);
      for (int round = 0; round < 300; round++) {
        char text[128];
        snprintf(text, sizeof text, "%s", attr->initial);
        mutate(text, sizeof text, &state);
        check_any_value(ref, text);
      }
      for (int round = 0; round < 20; round++) {
        char name[128];
        snprintf(name, sizeof name, "%s", attr->path);
        mutate(name, sizeof name, &state);
        sgf_attr_ref_t found = {NULL, 0};
        sgf_error_t error    = {0};
        sgf_status_t status  = sgf_attr_find(&device, name, &found, &error);
        check((status == SGF_OK) == (found.attr != NULL), name, sgf_status_text(status));
        check(status == SGF_OK || error.text[0] != '\0', name, "a reason is given");
      }
    }
}

/* -------------------- allocation */

SGF_TEST(allocations_are_zeroed_and_never_null)
{
  int64_t* numbers = sgf_calloc(4, sizeof *numbers);
  for (int i = 0; i < 4; i++)
    CU_ASSERT_EQUAL(numbers[i], 0);
  numbers[3] = 42;
  numbers    = sgf_realloc(numbers, 4000, sizeof *numbers);
  CU_ASSERT_EQUAL(numbers[3], 42);
  numbers = sgf_realloc(numbers, 0, sizeof *numbers);
  CU_ASSERT_PTR_NOT_NULL(numbers);
  free(numbers);

  void* nothing = sgf_calloc(0, 8);
  CU_ASSERT_PTR_NOT_NULL(nothing);
  free(nothing);
  nothing = sgf_realloc(NULL, 0, 8);
  CU_ASSERT_PTR_NOT_NULL(nothing);
  free(nothing);

  const char original[] = "text";
  char* copy            = sgf_strdup(original);
  CU_ASSERT_STRING_EQUAL(copy, original);
  CU_ASSERT_PTR_NOT_EQUAL(copy, original);
  free(copy);
}

SGF_TEST(an_allocation_whose_size_overflows_ends_the_process_with_one_line)
{
  int channel[2];
  CU_ASSERT_EQUAL_FATAL(pipe(channel), 0);
  fflush(NULL);
  pid_t child = fork();
  CU_ASSERT_NOT_EQUAL_FATAL(child, -1);
  if (child == 0) {
    dup2(channel[1], STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    free(sgf_realloc(NULL, SIZE_MAX / 4 + 2, 4));
    _exit(0);
  }
  close(channel[1]);
  char said[256] = "";
  FILE* heard    = fdopen(channel[0], "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(heard);
  CU_ASSERT_PTR_NOT_NULL(fgets(said, sizeof said, heard));
  fclose(heard);
  int status = 0;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  check(contains(said, "out of memory"), "stderr", said);
}
