/* `sgfabric explain`: the worked examples of the specifications (spec/switch.md 10.1, 10.6, 10.7 and spec/uet-nic.md
 * 11.2, 11.4, 11.5), as text and as JSON. */
#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

/* ---- Platforms ------------------------------------------------------------------------------------------------- */

enum { STAR_SIZE = 1 << 16 };

__attribute__((format(printf, 2, 3))) static void add(char* text, const char* format, ...)
{
  size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text + used, STAR_SIZE - used, format, args);
  va_end(args);
  CU_ASSERT_FATAL((size_t)length < STAR_SIZE - used);
}

/* h0, h1, ... around the switch s0, with cables of 400 Gb/s, everything else at its default. */
static char* star_write(size_t hosts, const char* latency, const char* name)
{
  static char text[STAR_SIZE];
  text[0] = '\0';
  add(text, "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\">\n<zone id=\"star\" routing=\"Dijkstra\">\n<prop id=\"nic\" value=\"uet\"/>\n");
  for (size_t i = 0; i < hosts; i++)
    add(text, "<host id=\"h%zu\" speed=\"1Tf\"/>\n", i);
  add(text, "<router id=\"s0\"/>\n");
  for (size_t i = 0; i < hosts; i++)
    add(text, "<link id=\"c%zu\" bandwidth=\"400Gbps\" latency=\"%s\" sharing_policy=\"SPLITDUPLEX\"/>\n", i, latency);
  for (size_t i = 0; i < hosts; i++)
    add(text, "<route src=\"h%zu\" dst=\"s0\"><link_ctn id=\"c%zu\" direction=\"UP\"/></route>\n", i, i);
  add(text, "</zone>\n</platform>\n");
  return text_write(text, name);
}

/* The configuration of spec/switch.md 10: 128 ports, and packets of 4,000 B (3,912 + 88). */
static const char* const packets_of_4000 = "**.nic.RdmaDataMSS=3912";

static char* d128(const char* name)
{
  return star_write(128, "500ns", name);
}

/* ---- What is said ---------------------------------------------------------------------------------------------- */

static char* explain(const char* platform, const char* set)
{
  return command_words(ARGS("explain", platform, set ? "--set" : NULL, set));
}

static json_t* explain_json(const char* platform, const char* set)
{
  return command_object(ARGS("explain", platform, set ? "--set" : NULL, set));
}

/* Returns where the line is. */
static const char* check_line(const char* text, const char* line)
{
  const char* at = text_line(text, line);
  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  return at;
}

static void check_integers(const json_t* array, size_t count, const json_int_t* expected)
{
  CU_ASSERT_EQUAL_FATAL(json_array_size(array), count);
  for (size_t i = 0; i < count; i++)
    CU_ASSERT_EQUAL(json_integer_value(json_array_get(array, i)), expected[i]);
}

static void check_numbers(const json_t* array, size_t count, const double* expected)
{
  CU_ASSERT_EQUAL_FATAL(json_array_size(array), count);
  for (size_t i = 0; i < count; i++)
    CU_ASSERT_DOUBLE_EQUAL(json_number_value(json_array_get(array, i)), expected[i], 1e-3);
}

static const json_t* only(const json_t* root, const char* key)
{
  const json_t* array = json_object_get(root, key);
  CU_ASSERT_EQUAL_FATAL(json_array_size(array), 1);
  return json_array_get(array, 0);
}

/* ---- Switch ---------------------------------------------------------------------------------------------------- */

SGF_SCENARIO(the_worked_example_of_a_switch_is_printed)
{
  char* platform = d128("d128.xml");
  char* out      = explain(platform, packets_of_4000);
  check_line(out, "Switch s0");
  check_line(out, "connected ports 128, 51.2 Tb/s together");
  check_line(out, "buffer 256,000,000 B"); /* SW-01 */
  check_line(out, "headroom 32,768,000 B = 256,000 B x 128");
  check_line(out, "sizing total 223,232,000 B");
  check_line(out, "Xoff 700,000 B"); /* SW-06 */
  check_line(out, "Xon 300,000 B");
  check_line(out, "pause time 84.3848 us"); /* SW-46 */
  check_line(out, "refresh 42.1924 us");
  /* SW-02, SW-04, SW-05 */
  check_line(out, "0 0, 2-7 0 200,908,800 B 200,908,800 B 200,908,800 B with the pool empty 200,908,800 B 40,181,760 B "
                  "160,727,040 B");
  check_line(out, "1 1 1 22,323,200 B 22,323,200 B 22,323,200 B with the pool empty 22,323,200 B 4,464,640 B "
                  "17,858,560 B");
  /* SW-40, SW-41, SW-44 */
  check_line(out, "0 1 headroom of a port holds 256,000 B 58,036 B 50,000 B on a cable of 400 Gb/s and 500 ns + "
                  "2 x 4,018 B");
  check_line(out, "2 size of the pool holds 200,908,800 B 90,112,000 B 128 x (700,000 B + 4,000 B)");
  check_line(out, "3 other classes in the pool FAILS 6 0 the class alone");
  const char* of_class_1 =
      check_line(out, "2 size of the pool FAILS 22,323,200 B 90,112,000 B 128 x (700,000 B + 4,000 B)");
  check_line(of_class_1, "3 other classes in the pool holds 0 0 the class alone");
  check_line(out, "NIC uet of h0 ... h127 (128 hosts)");
  free(out);
  free(platform);
}

static void check_conditions(const json_t* conditions)
{
  static const struct {
    json_int_t of_class, condition;
    const char* name;
    bool holds;
    json_int_t given, needed;
  } expected[] = {
      {0, 1, "headroom", true, 256000, 58036}, {0, 2, "pool", true, 200908800, 90112000}, {0, 3, "alone", false, 6, 0},
      {1, 1, "headroom", true, 256000, 58036}, {1, 2, "pool", false, 22323200, 90112000}, {1, 3, "alone", true, 0, 0},
  };
  CU_ASSERT_EQUAL_FATAL(json_array_size(conditions), sizeof expected / sizeof *expected);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const json_t* condition = json_array_get(conditions, i);
    CU_ASSERT_EQUAL(member_integer(condition, "class"), expected[i].of_class);
    CU_ASSERT_EQUAL(member_integer(condition, "condition"), expected[i].condition);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(condition, "name")), expected[i].name);
    CU_ASSERT_EQUAL(json_is_true(json_object_get(condition, "holds")), expected[i].holds);
    CU_ASSERT_EQUAL(member_integer(condition, "given"), expected[i].given);
    CU_ASSERT_EQUAL(member_integer(condition, "needed"), expected[i].needed);
  }
}

SGF_SCENARIO(the_worked_example_of_a_switch_in_json)
{
  char* platform          = d128("d128_json.xml");
  json_t* root            = explain_json(platform, packets_of_4000);
  const json_t* of_switch = only(root, "switches");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(of_switch, "name")), "s0");
  CU_ASSERT_EQUAL(member_integer(of_switch, "connected_ports"), 128);
  CU_ASSERT_EQUAL(member_integer(of_switch, "headroom_total"), 32768000);
  CU_ASSERT_EQUAL(member_integer(of_switch, "sizing_total"), 223232000);
  CU_ASSERT_EQUAL(member_integer(of_switch, "xoff"), 700000);
  CU_ASSERT_EQUAL(member_integer(of_switch, "xon"), 300000);
  CU_ASSERT_DOUBLE_EQUAL(member_real(of_switch, "pause_time_s"), 84.3848e-6, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(member_real(of_switch, "refresh_s"), 42.1924e-6, 1e-15);
  const json_int_t pools[] = {200908800, 22323200};
  check_integers(json_object_get(of_switch, "pools"), 2, pools);
  check_integers(json_object_get(of_switch, "egress_limits"), 2, pools);
  const json_t* ecn = json_object_get(of_switch, "ecn");
  check_numbers(json_object_get(ecn, "lower"), 2, (const double[]){40181760, 4464640});
  check_numbers(json_object_get(ecn, "upper"), 2, (const double[]){160727040, 17858560});
  check_conditions(json_object_get(of_switch, "conditions"));
  CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "nics")), 128); /* every device, though all are equal */
  json_decref(root);
  free(platform);
}

SGF_SCENARIO(a_fixed_egress_limit_is_told_from_one_that_follows_the_free_bytes)
{
  char* platform = star_write(64, "500ns", "fixed.xml");
  char* out      = explain(platform, "**.switch.LossyAlpha=0");
  /* SW-13: 64 ports; 215,654,400 / 64 = 3,369,600 */
  check_line(out, "0 0, 2-7 0 215,654,400 B 215,654,400 B 3,369,600 B fixed 3,369,600 B 673,920 B 2,695,680 B");
  free(out);
  free(platform);
}

/* ---- NIC ------------------------------------------------------------------------------------------------------- */

SGF_SCENARIO(the_numbers_of_a_default_nic_are_printed)
{
  char* platform = star_write(3, "100ns", "nic.xml");
  char* out      = explain(platform, NULL);
  const char* of = check_line(out, "NIC uet of h0 ... h2 (3 hosts)");
  check_line(of, "link 400 Gb/s, 100 ns");
  check_line(of, "full packet 4,184 B, 4,202 B on the wire");   /* UN-32 */
  check_line(of, "PCIe to host 504.32 Gb/s = 16 x 31.52 Gb/s"); /* UN-55 */
  check_line(of, "PCIe to NIC 504.32 Gb/s");
  check_line(of, "PCIe needed 415.801999 Gb/s to receive full packets at the link's rate: keeps up"); /* UN-59 */
  check_line(of, "lanes needed 14, which carry 441.28 Gb/s");                                         /* UN-60 */
  static const char* const of_transport[] = {
      "packets in the transmit pool 54",   /* UN-11 */
      "generation restarts at 115,200 B",  /* UN-13 */
      "packets in the receive pool 860",   /* UN-31 */
      "penalty from 900,000 B",            /* UN-129 */
      "full penalty from 2,700,000 B",     /* UN-129 */
      "bandwidth-delay product 300,000 B", /* UN-100 */
      "largest window 450,000 B",          /* UN-100 */
      "packets in it 107",                 /* UN-102 */
      "target queueing delay 6 us",        /* UN-103 */
      "Quick Adapt observes for 12 us",    /* UN-104 */
      "Quick Adapt fires below 56,250 B",  /* UN-105 */
      "acknowledgement held for 66.37 ns", /* UN-76 */
      "first timeout 150 us",              /* UN-93 */
      "longest timeout 4.8 ms",            /* UN-93 */
  };
  for (size_t i = 0; i < sizeof of_transport / sizeof *of_transport; i++)
    check_line(of, of_transport[i]);
  check_line(of, "0 egress pool 230,400 B 54");     /* UN-10, 11 */
  check_line(of, "0 ingress pool 3,600,000 B 860"); /* UN-31 */
  check_line(of, "0 Xoff 2,880,000 B 688");         /* UN-34 */
  check_line(of, "0 Xon 1,440,000 B 344");
  check_line(of, "0 headroom 720,000 B 172");
  check_line(of, "1 egress pool 25,600 B"); /* UN-10 */
  check_line(of, "1 ingress pool 400,000 B");
  check_line(of, "1 Xoff 320,000 B"); /* UN-35 */
  check_line(of, "1 Xon 160,000 B");
  check_line(of, "1 headroom 80,000 B");
  check_line(of, "0 off 83.9848 us 41.9924 us"); /* UN-37 */
  free(out);
  free(platform);
}

SGF_SCENARIO(the_numbers_of_a_default_nic_in_json)
{
  char* platform    = star_write(2, "100ns", "nic_json.xml");
  json_t* root      = explain_json(platform, NULL);
  const json_t* nic = json_array_get(json_object_get(root, "nics"), 1);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(nic, "host")), "h1");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(nic, "model")), "uet");
  check_integers(json_object_get(nic, "egress_pools"), 2, (const json_int_t[]){230400, 25600});
  check_integers(json_object_get(nic, "ingress_pools"), 2, (const json_int_t[]){3600000, 400000});
  check_integers(json_object_get(nic, "xoff"), 2, (const json_int_t[]){2880000, 320000});
  check_integers(json_object_get(nic, "xon"), 2, (const json_int_t[]){1440000, 160000});
  CU_ASSERT_DOUBLE_EQUAL(member_real(nic, "pause_time_s"), 83.9848e-6, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(member_real(nic, "refresh_s"), 41.9924e-6, 1e-15);
  CU_ASSERT(member_integer(nic, "window_bytes") > 0);
  const json_t* pcie = json_object_get(nic, "pcie");
  CU_ASSERT_EQUAL(member_integer(pcie, "to_host_bps"), 504320000000);
  CU_ASSERT_EQUAL(member_integer(pcie, "to_nic_bps"), 504320000000);
  CU_ASSERT_EQUAL(member_integer(pcie, "needed_bps") / 100000000, 4158);
  CU_ASSERT(json_is_true(json_object_get(pcie, "keeps_up")));
  CU_ASSERT_EQUAL(member_integer(pcie, "lanes"), 16);
  CU_ASSERT_EQUAL(member_integer(pcie, "lanes_needed"), 14);
  json_decref(root);
  free(platform);
}

SGF_SCENARIO(thirteen_lanes_do_not_keep_up) /* UN-60 */
{
  char* platform = star_write(2, "100ns", "lanes.xml");
  char* out      = explain(platform, "**.pcie=\"gen5 x13\"");
  check_line(out, "PCIe to host 409.76 Gb/s = 13 x 31.52 Gb/s");
  CU_ASSERT_PTR_NOT_NULL(strstr(out, ": DOES NOT KEEP UP\n"));
  check_line(out, "lanes needed 14, which carry 441.28 Gb/s");
  free(out);
  json_t* root       = explain_json(platform, "**.pcie=\"gen5 x13\"");
  const json_t* pcie = json_object_get(json_array_get(json_object_get(root, "nics"), 0), "pcie");
  CU_ASSERT(json_is_false(json_object_get(pcie, "keeps_up")));
  CU_ASSERT_EQUAL(member_integer(pcie, "lanes"), 13);
  json_decref(root);
  free(platform);
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

SGF_SCENARIO(devices_with_the_same_numbers_are_printed_once)
{
  char* platform = star_write(4, "100ns", "groups.xml");
  char* out      = explain(platform, "**.h1.nic.IngressBufferManager.TotalBufferSize=2MB");
  check_line(out, "NIC uet of h0 ... h3 (3 hosts)");
  check_line(out, "NIC uet of h1");
  check_line(out, "0 ingress pool 3,600,000 B 860");
  check_line(out, "0 ingress pool 1,800,000 B 430");
  free(out);
  out = explain(platform, "**.h{1..2}.nic.IngressBufferManager.TotalBufferSize=2MB");
  check_line(out, "NIC uet of h0, h3 (2 hosts)");
  check_line(out, "NIC uet of h1, h2 (2 hosts)");
  free(out);
  free(platform);
}

SGF_SCENARIO(what_is_advised_against_is_warned_of)
{
  static const char* const advised_against = "**.switch.StaticPoolXonThreshold=700KB";
  char* platform                           = star_write(2, "100ns", "warned.xml");
  char* out                                = explain(platform, NULL);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n0 warnings\n"));
  free(out);
  out = explain(platform, advised_against);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nwarning: s0: "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n1 warning\n"));
  json_t* root        = explain_json(platform, advised_against);
  const char* warning = json_string_value(json_array_get(json_object_get(root, "warnings"), 0));
  CU_ASSERT_PTR_NOT_NULL_FATAL(warning);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, warning));
  json_decref(root);
  free(out);
  free(platform);
}

SGF_SCENARIO(a_platform_that_is_no_fabric_is_not_explained)
{
  char* platform = star_write(2, "100ns", "refused.xml");
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("explain", platform, "--set", "**.nic.RdmaDataMS=4KB"), &out), 1);
  CU_ASSERT_PTR_EQUAL(strstr(out, "sgfabric: --set: "), out);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "RdmaDataMSS"));
  free(out);
  CU_ASSERT_EQUAL(command_run(ARGS("explain"), &out), 2);
  free(out);
  free(platform);
}
