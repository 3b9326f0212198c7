/* Files of other simulators, read: every error with its line and words, and files that are cut or damaged. What is made
 * of a good file is compared in runner/import.c. */
#include <sgfabric/import.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define TOPOLOGY SGF_BINARY_DIR "/validation/unit/scenario_import.topology"
#define FLOWS SGF_BINARY_DIR "/validation/unit/scenario_import.flows"

static void write_file(const char* file, const char* text, size_t size)
{
  FILE* out = fopen(file, "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  CU_ASSERT_EQUAL_FATAL(fwrite(text, 1, size, out), size);
  CU_ASSERT_EQUAL_FATAL(fclose(out), 0);
}

/* ---- Readers: whether a text is taken ---------------------------------------------------------------------------- */

typedef bool (*reader_t)(const char* text, size_t size, sgf_error_t* error);

static bool hpcc(const char* text, size_t size, sgf_error_t* error)
{
  write_file(TOPOLOGY, text, size);
  sgf_import_t* import = sgf_import_hpcc(TOPOLOGY, error);
  const bool taken     = import != NULL;
  sgf_import_free(import);
  return taken;
}

static bool htsim(const char* text, size_t size, sgf_error_t* error)
{
  write_file(TOPOLOGY, text, size);
  sgf_import_t* import = sgf_import_htsim(TOPOLOGY, error);
  const bool taken     = import != NULL;
  sgf_import_free(import);
  return taken;
}

/* Hosts 0 to 2 around switch 3. */
static const char star[] = "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n";

static bool hpcc_flows(const char* text, size_t size, sgf_error_t* error)
{
  write_file(TOPOLOGY, star, strlen(star));
  write_file(FLOWS, text, size);
  sgf_import_t* import = sgf_import_hpcc(TOPOLOGY, error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(import);
  const bool taken = sgf_import_hpcc_flows(import, FLOWS, error) == SGF_OK;
  sgf_import_free(import);
  return taken;
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

typedef struct refusal {
  const char* text;
  int line;
  sgf_status_t status;
  const char* reason;
} refusal_t;

static void expect_refusals(reader_t reader, const char* file, const refusal_t* refusals, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    sgf_error_t error = {0};
    CU_ASSERT_FALSE(reader(refusals[i].text, strlen(refusals[i].text), &error));
    CU_ASSERT_EQUAL(error.status, refusals[i].status);
    CU_ASSERT_EQUAL(error.line, refusals[i].line);
    CU_ASSERT_STRING_EQUAL(error.file, file);
    CU_ASSERT_STRING_EQUAL(error.text, refusals[i].reason);
    if (strcmp(error.text, refusals[i].reason) != 0 || error.line != refusals[i].line)
      printf("\nof\n%s\nnot %d: %s\nbut %d: %s\n", refusals[i].text, refusals[i].line, refusals[i].reason, error.line,
             error.text);
  }
}

#define EXPECT_REFUSALS(reader, file, refusals)                                                                        \
  expect_refusals((reader), (file), (refusals), sizeof(refusals) / sizeof *(refusals))

#define HEAD "4 1 3\n3\n"
#define LINK_0 "0 3 100Gbps 1us 0\n"
#define LINK_1 "1 3 100Gbps 1us 0\n"
#define LINK_2 "2 3 100Gbps 1us 0\n"

SGF_TEST(errors_in_a_topology_of_hpcc_have_line_and_word)
{
  static const refusal_t refusals[] = {
      {"", 1, SGF_SYNTAX, "the file is empty; its first line is \"nodes switches links\""},
      {"\n \t\n", 1, SGF_SYNTAX, "the file is empty; its first line is \"nodes switches links\""},
      {"4 1\n", 1, SGF_SYNTAX, "links needs a number"},
      {"4 1 3 9\n", 1, SGF_SYNTAX, "\"9\" behind \"nodes switches links\""},
      {"\nnodes 1 3\n", 2, SGF_SYNTAX, "nodes = \"nodes\": must be a whole number >= 0, without a unit"},
      {"0 0 1\n", 1, SGF_RANGE, "nodes 0 is not within 1..1048576"},
      {"4 4 3\n", 1, SGF_RANGE, "switches 4 is not within 0..3"},
      {"4 1 0\n", 1, SGF_RANGE, "links 0 is not within 1..1048576"},
      {"4 1 1048577\n", 1, SGF_RANGE, "links 1048577 is not within 1..1048576"},
      {"4 1 3", 1, SGF_SYNTAX, "switches 1, and no line with their ids follows"},
      {"4 2 3\n3\n", 2, SGF_RANGE, "line 1 says switches 2, and 1 of their ids are here"},
      {"4 1 3\n3 2\n", 2, SGF_RANGE, "line 1 says switches 1, and 2 of their ids are here"},
      {"4 1 3\n4\n", 2, SGF_RANGE, "switch 4 is not within 0..3"},
      {"4 2 3\n3 3\n", 2, SGF_SYNTAX, "switch 3 is said twice"},
      {HEAD, 1, SGF_RANGE, "links 3, and there are 0"},
      {HEAD LINK_0 LINK_1, 1, SGF_RANGE, "links 3, and there are 2"},
      {HEAD LINK_0 LINK_1 LINK_2 "\n0 1 1Gbps 1us 0\n", 7, SGF_RANGE, "one link more than the 3 of line 1"},
      {HEAD LINK_0 LINK_1 LINK_2 "\nFirst line: nodes\n", 7, SGF_SYNTAX, "text behind the last link: \"First\""},
      {HEAD "First line: nodes of it\n", 3, SGF_SYNTAX, "src = \"First\": must be a whole number >= 0, without a unit"},
      {HEAD "0 3 100Gbps 1us\n", 3, SGF_SYNTAX, "a link is \"src dst rate delay error\", and error is missing"},
      {HEAD "0\n", 3, SGF_SYNTAX, "a link is \"src dst rate delay error\", and dst is missing"},
      {HEAD "0 3 100Gbps 1us 0 # tor\n", 3, SGF_SYNTAX, "\"#\" behind the link \"src dst rate delay error\""},
      {HEAD "0 4 100Gbps 1us 0\n", 3, SGF_RANGE, "dst 4 is not within 0..3"},
      {HEAD "0 0 100Gbps 1us 0\n", 3, SGF_TOPOLOGY, "a link from node 0 to itself"},
      {HEAD "0 3 100Gbs 1us 0\n", 3, SGF_UNIT,
       "rate = \"100Gbs\": \"Gbs\" is not a unit; a data rate takes bps, Kbps, Mbps, Gbps or Tbps"},
      {HEAD "0 3 100 1us 0\n", 3, SGF_UNIT,
       "rate = \"100\": the unit is missing; a data rate takes bps, Kbps, Mbps, Gbps or Tbps"},
      {HEAD "0 3 0Gbps 1us 0\n", 3, SGF_RANGE, "rate = \"0Gbps\": a link has a rate above 0"},
      {HEAD "0 3 1Gbps 1u 0\n", 3, SGF_UNIT, "delay = \"1u\": \"u\" is not a unit; a time takes ps, ns, us, ms or s"},
      {HEAD "0 3 1Gbps 1001s 0\n", 3, SGF_RANGE, "delay = \"1001s\": at most 1000s"},
      {HEAD LINK_0 "1 3 1Gbps 1us 0.001\n", 4, SGF_RULE,
       "error = \"0.001\": cables lose nothing here, so that only 0 is possible"},
      {HEAD "0 3 1Gbps 1us none\n", 3, SGF_SYNTAX,
       "error = \"none\": must be a decimal number such as 0.9, without a unit"},
      {HEAD LINK_0 LINK_1 "0 2 1Gbps 1us 0\n", 5, SGF_TOPOLOGY,
       "host 0 has a link in line 3 already, and a host takes one"},
      {"4 2 3\n2 3\n2 3 1Gbps 1us 0\n3 2 1Gbps 1us 0\n0 2 1Gbps 1us 0\n", 4, SGF_TOPOLOGY,
       "nodes 3 and 2 have a link in line 3 already, and HPCC knows one between two nodes"},
      {"4 1 2\n3\n" LINK_0 LINK_1, 1, SGF_TOPOLOGY, "host 2 has no link"},
      {"4 2 2\n2 3\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n", 1, SGF_TOPOLOGY, "switch 3 has no link"},
      {"4 0 2\n0 1 1Gbps 1us 0\n3 2 1Gbps 1us 0\n", 1, SGF_TOPOLOGY, "no way leads from host 0 to host 2"},
  };
  EXPECT_REFUSALS(hpcc, TOPOLOGY, refusals);
}

SGF_TEST(errors_in_flows_of_hpcc_have_line_and_word)
{
  static const refusal_t refusals[] = {
      {"", 1, SGF_SYNTAX, "the file is empty; its first line is the number of flows"},
      {"x\n", 1, SGF_SYNTAX, "flows = \"x\": must be a whole number >= 0, without a unit"},
      {"0\n", 1, SGF_RANGE, "flows 0 is not within 1..16777216"},
      {"2 3\n", 1, SGF_SYNTAX, "\"3\" behind the number of flows"},
      {"2\n0 1 3 100 1000 1\n", 1, SGF_RANGE, "flows 2, and there are 1"},
      {"1\n0 1 3 100 1000 1\n1 0 3 100 1000 1\n", 3, SGF_RANGE, "one flow more than the 1 of line 1"},
      {"1\n0 1 3 100 1000 1\n\nFirst line: # of flows\n", 4, SGF_SYNTAX, "text behind the last flow: \"First\""},
      {"1\n0 1 3 100 1000\n", 2, SGF_SYNTAX, "a flow is \"src dst pg dport bytes start\", and start is missing"},
      {"1\n0 1 3 100 1000 1 2\n", 2, SGF_SYNTAX, "\"2\" behind the flow \"src dst pg dport bytes start\""},
      {"1\nh0 1 3 100 1000 1\n", 2, SGF_SYNTAX, "src = \"h0\": must be a whole number >= 0, without a unit"},
      {"1\n0 4 3 100 1000 1\n", 2, SGF_RANGE, "dst 4 is not within 0..3"},
      {"1\n3 0 3 100 1000 1\n", 2, SGF_RULE, "src 3 is a switch"},
      {"1\n0 3 3 100 1000 1\n", 2, SGF_RULE, "dst 3 is a switch"},
      {"1\n1 1 3 100 1000 1\n", 2, SGF_RULE, "a flow from host 1 to itself"},
      {"1\n0 1 8 100 1000 1\n", 2, SGF_RANGE, "pg 8 is not within 0..7"},
      {"1\n0 1 3 65536 1000 1\n", 2, SGF_RANGE, "dport 65536 is not within 0..65535"},
      {"1\n0 1 3 100 0 1\n", 2, SGF_RANGE, "bytes 0 is not within 1..4294967295"},
      {"1\n0 1 3 100 4294967296 1\n", 2, SGF_RANGE, "bytes 4294967296 is not within 1..4294967295"},
      {"1\n0 1 3 100 1e6 1\n", 2, SGF_SYNTAX, "bytes = \"1e6\": must be a whole number >= 0, without a unit"},
      {"1\n0 1 3 100 1000 1ms\n", 2, SGF_SYNTAX, "start = \"1ms\": seconds, such as 2.000001, and no unit"},
      {"1\n0 1 3 100 1000 1.\n", 2, SGF_SYNTAX, "start = \"1.\": seconds, such as 2.000001, and no unit"},
      {"1\n0 1 3 100 1000 .5\n", 2, SGF_SYNTAX, "start = \".5\": seconds, such as 2.000001, and no unit"},
      {"1\n0 1 3 100 1000 -1\n", 2, SGF_SYNTAX, "start = \"-1\": seconds, such as 2.000001, and no unit"},
      {"1\n0 1 3 100 1000 1.0000000000001\n", 2, SGF_RANGE,
       "start = \"1.0000000000001s\": a time is a whole number of ps"},
      {"1\n0 1 3 100 1000 5000000\n", 2, SGF_RANGE, "start = \"5000000s\": at most 4611686s"},
      {"2\n0 1 3 100 1000 1\n0 1 3 100 1000 0.5\n", 3, SGF_RANGE,
       "start 0.5 is before that of line 2: HPCC takes flows in order of their start"},
  };
  EXPECT_REFUSALS(hpcc_flows, FLOWS, refusals);
}

#define WHOLE "Nodes 32\nTiers 2\nPodsize 32\n"
#define TIER_0 "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 4\nDownlink_Latency_ns 1000\nOversubscribed 2\n"
#define TIER_1 "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 8\nDownlink_Latency_ns 1000\nBundle 2\n"

SGF_TEST(errors_in_a_topology_of_htsim_have_line_and_word)
{
  static const refusal_t refusals[] = {
      {"", 1, SGF_SYNTAX, "there is no line \"Nodes N\" before the first tier"},
      {"# Nodes 32\n\n", 2, SGF_SYNTAX, "there is no line \"Nodes N\" before the first tier"},
      {"Nodes 32\nPodsize 32\nTier 0\n", 3, SGF_SYNTAX, "there is no line \"Tiers N\" before the first tier"},
      {"Nodes 32\nTiers 2\nTier 0\n", 3, SGF_SYNTAX, "there is no line \"Podsize N\" before the first tier"},
      {"Nods 32\n", 1, SGF_UNKNOWN, "unknown word \"Nods\"; did you mean Nodes?"},
      {WHOLE "Tier 0\nRadix_Dwn 8\n", 5, SGF_UNKNOWN, "unknown word \"Radix_Dwn\"; did you mean Radix_Down?"},
      {WHOLE "This is a leaf-spine\n", 4, SGF_UNKNOWN, "unknown word \"This\""},
      {"Nodes\n", 1, SGF_SYNTAX, "Nodes needs a number"},
      {"Nodes x\n", 1, SGF_SYNTAX, "Nodes = \"x\": must be a whole number >= 0, without a unit"},
      {"Nodes 32 hosts\n", 1, SGF_SYNTAX, "Nodes is followed by one number, and not by \"hosts\" too"},
      {"Nodes 0\n", 1, SGF_RANGE, "Nodes 0 is not within 1..65536"},
      {"Nodes 32\nNODES 32\n", 2, SGF_SYNTAX, "Nodes is said twice, first in line 1"},
      {"Tiers 4\n", 1, SGF_RANGE, "Tiers 4 is not within 2..3"},
      {"Bundle 2\n", 1, SGF_SYNTAX, "Bundle, and no line \"Tier N\" before it"},
      {WHOLE "Tier 3\n", 4, SGF_RANGE, "Tier 3 is not within 0..2"},
      {WHOLE "Tier 2\n", 4, SGF_RANGE, "Tier 2, and line 2 says Tiers 2, which count from 0"},
      {WHOLE TIER_0 TIER_0, 10, SGF_SYNTAX, "Tier 0 is said twice, first in line 4"},
      {WHOLE TIER_0 "Podsize 32\n", 10, SGF_SYNTAX, "Podsize comes before the first tier"},
      {WHOLE TIER_0 "Radix_Up 4\n", 10, SGF_SYNTAX, "Radix_Up is said twice, first in line 7"},
      {WHOLE TIER_0, 2, SGF_RANGE, "Tiers 2, and there is no tier 1"},
      {WHOLE TIER_0 "Tier 1\nRadix_Down 8\nDownlink_Latency_ns 1\n", 10, SGF_SYNTAX,
       "tier 1 has no line \"Downlink_speed_Gbps N\""},
      {WHOLE "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nDownlink_Latency_ns 1000\n" TIER_1, 4, SGF_SYNTAX,
       "tier 0 has no line \"Radix_Up N\""},
      {WHOLE "Tier 0\nDownlink_speed_Gbps 100Gbps\n", 5, SGF_SYNTAX,
       "Downlink_speed_Gbps = \"100Gbps\": must be a whole number >= 0, without a unit"},
      {WHOLE "Tier 0\nDownlink_speed_Gbps 0\n", 5, SGF_RANGE, "Downlink_speed_Gbps 0 is not within 1..1000000"},
      {WHOLE "Tier 0\nDownlink_Latency_ns 0\n", 5, SGF_RANGE, "Downlink_Latency_ns 0 is not within 1..500000000000"},
      {WHOLE TIER_0 TIER_1 "Radix_Up 2\n", 15, SGF_RULE, "Radix_Up: tier 1 is the top one and has no links upwards"},
      {WHOLE TIER_0 TIER_1 "Oversubscribed 2\n", 15, SGF_RULE,
       "Oversubscribed: tier 1 is the top one and has no links upwards"},
      {WHOLE TIER_0 TIER_1 "Queue_Up 100\n", 15, SGF_RULE, "Queue_Up: tier 1 is the top one and has no links upwards"},
      {"Nodes 32\nTiers 2\nPodsize 15\n" TIER_0 TIER_1, 1, SGF_TOPOLOGY, "Nodes is 32, and no multiple of Podsize, 15"},
      {"Nodes 32\nTiers 2\nPodsize 16\n" TIER_0 TIER_1, 3, SGF_TOPOLOGY,
       "Podsize 16, and with two tiers there is one pod of all 32 nodes"},
      {"Nodes 12\nTiers 2\nPodsize 12\n" TIER_0 TIER_1, 3, SGF_TOPOLOGY,
       "Podsize is 12, and no multiple of Radix_Down of tier 0, 8"},
      {WHOLE TIER_0 "Bundle 2\n" TIER_1, 10, SGF_TOPOLOGY, "Bundle 2: a host has one NIC with one cable"},
      {WHOLE TIER_0 "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 8\nDownlink_Latency_ns 1000\nBundle 3\n", 7,
       SGF_TOPOLOGY, "Radix_Up of tier 0 is 4, and no multiple of Bundle of tier 1, 3"},
      {WHOLE TIER_0 "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 8\nDownlink_Latency_ns 1000\n", 12, SGF_TOPOLOGY,
       "Radix_Down 8 of tier 1, and its switches have 4 links down: 4 tors, Bundle 1"},
      {WHOLE TIER_0 "Tier 1\nDownlink_speed_Gbps 200\nRadix_Down 8\nDownlink_Latency_ns 1000\nBundle 2\n", 9,
       SGF_TOPOLOGY, "Oversubscribed 2 of tier 0, and a switch has 800 Gb/s down and 800 Gb/s up"},
  };
  EXPECT_REFUSALS(htsim, TOPOLOGY, refusals);
}

SGF_TEST(what_cannot_be_read_is_said_without_a_line)
{
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(sgf_import_hpcc("no/such", &error));
  CU_ASSERT_EQUAL(error.status, SGF_IO);
  CU_ASSERT_STRING_EQUAL(error.file, "no/such");
  CU_ASSERT_EQUAL(error.line, 0);
  CU_ASSERT_STRING_EQUAL(error.text, "No such file or directory");
  sgf_error_clear(&error);
  CU_ASSERT_PTR_NULL(sgf_import_htsim(SGF_BINARY_DIR, &error));
  CU_ASSERT_EQUAL(error.status, SGF_IO);
  CU_ASSERT_STRING_EQUAL(error.text, "Is a directory");
  CU_ASSERT_PTR_NULL(sgf_import_htsim("no/such", NULL));
}

/* ---- Cut and damaged files --------------------------------------------------------------------------------------- */

/* Good files in which nothing can be missing. The cut ones end in a word of one letter. */
static const struct {
  reader_t reader;
  const char* text;
} whole_files[] = {
    {hpcc, "6 2 5\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gb/s 0.001ms 0.000\n2 5 25Gbps 1500ps 0\n3 5 10Mbps 1ns 0\n"
           "4 5 400Gbps 2us 0\n"},
    {hpcc_flows, "3\n0 1 3 4791 200000 1.5\n1 2 3 4791 7 1.500000000001\n0 1 3 4792 1000 2\n"},
    {htsim, WHOLE TIER_0 TIER_1},
};
enum { WHOLE_FILES = sizeof whole_files / sizeof *whole_files, LARGEST = 512 };

/* Refused, with a place and a reason. */
static bool refuses(reader_t reader, const char* text, size_t size)
{
  sgf_error_t error = {0};
  const bool taken  = reader(text, size, &error);
  CU_ASSERT_EQUAL(taken, error.status == SGF_OK);
  if (!taken) {
    CU_ASSERT(error.line > 0);
    CU_ASSERT(error.file[0] != '\0');
    CU_ASSERT(error.text[0] != '\0');
  }
  return !taken;
}

SGF_TEST(a_whole_file_is_taken_and_one_cut_anywhere_is_refused)
{
  for (size_t i = 0; i < WHOLE_FILES; i++) {
    const char* text  = whole_files[i].text;
    const size_t size = strlen(text);
    CU_ASSERT_FALSE(refuses(whole_files[i].reader, text, size));
    CU_ASSERT_FALSE(refuses(whole_files[i].reader, text, size - 1)); /* the last line has no end */
    for (size_t cut = 0; cut < size - 1; cut++)
      CU_ASSERT(refuses(whole_files[i].reader, text, cut));
  }
}

SGF_TEST(a_file_without_one_of_its_lines_or_with_one_twice_is_refused)
{
  for (size_t i = 0; i < WHOLE_FILES; i++)
    for (const char* line = whole_files[i].text; *line != '\0'; line = strchr(line, '\n') + 1) {
      const char* rest = strchr(line, '\n') + 1;
      const int before = (int)(line - whole_files[i].text);
      const int length = (int)(rest - line);
      char text[LARGEST];
      snprintf(text, sizeof text, "%.*s%s", before, whole_files[i].text, rest);
      CU_ASSERT(refuses(whole_files[i].reader, text, strlen(text)));
      snprintf(text, sizeof text, "%.*s%.*s%s", before + length, whole_files[i].text, length, line, rest);
      CU_ASSERT(refuses(whole_files[i].reader, text, strlen(text)));
    }
}

SGF_TEST(a_file_with_a_letter_or_a_zero_in_place_of_any_byte_is_refused)
{
  static const char bytes[] = {'x', '\0', '\xff', '-', '#'};
  for (size_t i = 0; i < WHOLE_FILES; i++) {
    char text[LARGEST];
    const size_t size = strlen(whole_files[i].text);
    for (size_t at = 0; at < size; at++)
      for (size_t b = 0; b < sizeof bytes; b++) {
        memcpy(text, whole_files[i].text, size);
        text[at] = bytes[b];
        const bool begins_comment =
            bytes[b] == '#' && whole_files[i].reader == htsim && (at == 0 || whole_files[i].text[at - 1] == '\n');
        if (begins_comment || bytes[b] == whole_files[i].text[at]) /* no damage, or a line less as above */
          continue;
        const bool refused = refuses(whole_files[i].reader, text, size);
        CU_ASSERT(refused);
        if (!refused)
          printf("\nfile %zu, byte %zu as %d is taken\n", i, at, bytes[b]);
      }
  }
}

/* Bytes of the file itself and blanks, written anywhere: some of these files are good ones. */
SGF_TEST(files_that_are_mixed_up_are_taken_or_refused_with_a_place)
{
  enum { ROUNDS = 3000, MOST_CHANGES = 6 };
  uint64_t state = 1;
  size_t refused = 0;
  for (size_t round = 0; round < ROUNDS; round++) {
    const size_t i    = round % WHOLE_FILES;
    const size_t size = strlen(whole_files[i].text);
    char text[LARGEST];
    memcpy(text, whole_files[i].text, size);
    for (size_t change = 0; change <= round % MOST_CHANGES; change++) {
      state                      = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      text[(state >> 33) % size] = whole_files[i].text[(state >> 48) % size];
    }
    refused += refuses(whole_files[i].reader, text, size);
  }
  CU_ASSERT(refused > ROUNDS / 2);
}
