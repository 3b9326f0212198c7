/* `sgfabric budget`: the closed forms of spec/feedback-budget.md 13.1 from written values, and from the numbers of a
 * platform's switch, as text and as JSON; and what is refused. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

/* The reference case: four sources of 400 Gb/s into one egress of 400 Gb/s. */
#define REFERENCE "budget", "sources=4", "rate=400Gbps", "egress=400Gbps", "K_ecn=256KB", "Q_g=768KB"

/* ---- What is said ------------------------------------------------------------------------------------------------ */

static void check_lines(const char* text, const char* const* lines)
{
  for (; *lines != NULL; lines++)
    CU_ASSERT_PTR_NOT_NULL(text_line(text, *lines));
}

static void check_budget(const char* const* args, const char* const* lines)
{
  char* text = command_words(args);
  check_lines(text, lines);
  free(text);
}

/* The object of an array that has `name` under `key`, the first one. */
static const json_t* find(const json_t* root, const char* array, const char* key, const char* name)
{
  size_t i;
  json_t* object;
  json_array_foreach(json_object_get(root, array), i,
                     object) if (strcmp(json_string_value(json_object_get(object, key)), name) == 0) return object;
  printf("\nno %s among the %s\n", name, array);
  CU_ASSERT_FATAL(false);
  return NULL;
}

static const json_t* result(const json_t* root, const char* symbol)
{
  return json_object_get(find(root, "results", "symbol", symbol), "value");
}

/* ---- Written values ---------------------------------------------------------------------------------------------- */

SGF_TEST(FB_02_to_FB_11_of_the_reference_case)
{
  check_budget(
      ARGS(REFERENCE, "Tcc=8us", "Tp=2us"),
      ARGS("A input of all sources sources x rate 4 x 400 Gb/s 1.6 Tb/s = 200 GB/s",
           "net growth of the queue max(A - egress, 0) 1.6 Tb/s - 400 Gb/s 1.2 Tb/s = 150 GB/s",
           "t_mark time to mark K_ecn / (A - egress) 256,000 B / (1.6 Tb/s - 400 Gb/s) 1.706667 us",
           "dQ_cc overshoot of the feedback (A - egress) x Tcc (1.6 Tb/s - 400 Gb/s) x 8 us 1,200,000 B",
           "t_cc first lowered traffic t_mark + Tcc 1.706667 us + 8 us 9.706667 us",
           "q_cc queue then, without a pause K_ecn + dQ_cc 256,000 B + 1,200,000 B 1,456,000 B",
           "t_pause time to pause Q_g / (A - egress) 768,000 B / (1.6 Tb/s - 400 Gb/s) 5.12 us",
           "ECN first reaction before the pause K_ecn + dQ_cc < Q_g 256,000 B + 1,200,000 B < 768,000 B FAILS",
           "A < input that this takes egress + (Q_g - K_ecn) / Tcc 400 Gb/s + (768,000 B - 256,000 B) / 8 us 912 Gb/s "
           "= 114 GB/s",
           "rate < of each source (egress + (Q_g - K_ecn) / Tcc) / sources 912 Gb/s / 4 228 Gb/s = 28.50 GB/s",
           "Tcc < feedback time that this takes (Q_g - K_ecn) / (A - egress) (768,000 B - 256,000 B) / (1.6 Tb/s - "
           "400 Gb/s) 3.413334 us",
           "Tcc < the same with K_ecn = 0 Q_g / (A - egress) 768,000 B / (1.6 Tb/s - 400 Gb/s) 5.12 us",
           "dQ_p growth until all have stopped (A - egress) x Tp (1.6 Tb/s - 400 Gb/s) x 2 us 300,000 B",
           "q_peak peak of the queue Q_g + dQ_p 768,000 B + 300,000 B 1,068,000 B",
           "t_peak time of the peak t_pause + Tp 5.12 us + 2 us 7.12 us",
           "t_drain time to empty it q_peak / egress 1,068,000 B / 400 Gb/s 21.36 us",
           "t_empty queue empty, sources still held t_peak + t_drain 7.12 us + 21.36 us 28.48 us"));
}

SGF_TEST(a_reaction_that_comes_first_holds)
{
  check_budget(ARGS(REFERENCE, "Tcc=3.41us"),
               ARGS("ECN first reaction before the pause K_ecn + dQ_cc < Q_g 256,000 B + 511,500 B < 768,000 B holds"));
}

SGF_TEST(FB_22_to_FB_26_headroom_and_a_shared_pool)
{
  check_budget(ARGS("budget", "sources=4", "rate=400Gbps", "Tp=2us", "M=9KB", "dedicated=32KB", "shared=200KB"),
               ARGS("H headroom of an ingress rate x Tp + M 400 Gb/s x 2 us + 9,000 B 109,000 B",
                    "H_all of all ingresses sources x H 4 x 109,000 B 436,000 B",
                    "S of it from a shared pool sources x max(H - dedicated, 0) 4 x (109,000 B - 32,000 B) 308,000 B",
                    "short what the pool is short of max(S - shared, 0) 308,000 B - 200,000 B 108,000 B"));
}

SGF_TEST(FB_27_FB_28_of_800_Gbps)
{
  check_budget(ARGS("budget", "rate=800Gbps", "Tp=2us", "M=9KB"),
               ARGS("sources 1 default", "M 9,000 B command line",
                    "H headroom of an ingress rate x Tp + M 800 Gb/s x 2 us + 9,000 B 209,000 B"));
  check_budget(ARGS("budget", "rate=800Gbps", "Tp=1us", "M=9KB"),
               ARGS("H headroom of an ingress rate x Tp + M 800 Gb/s x 1 us + 9,000 B 109,000 B"));
}

SGF_TEST(FB_36_stop_time_from_a_link)
{
  check_budget(ARGS("budget", "rate=400Gbps", "delay=100ns", "frame=4184B", "pause_frame=84B", "headroom=18452B"),
               ARGS("Tp PFC stop time (2 x frame + pause_frame) / rate + 2 x delay (2 x 4,184 B + 84 B) / 400 Gb/s + "
                    "2 x 100 ns 369.04 ns",
                    "H headroom of an ingress rate x Tp + M 400 Gb/s x 369.04 ns + 0 B 18,452 B",
                    "lossless headroom is enough headroom >= H 18,452 B >= 18,452 B holds"));
  check_budget(ARGS("budget", "rate=400Gbps", "delay=100ns", "frame=4184B", "pause_frame=0B", "headroom=18367B"),
               ARGS("H headroom of an ingress rate x Tp + M 400 Gb/s x 367.36 ns + 0 B 18,368 B",
                    "lossless headroom is enough headroom >= H 18,367 B >= 18,368 B FAILS"));
}

SGF_TEST(FB_12_to_FB_17_work_and_shares)
{
  check_budget(
      ARGS("budget", "egress=400Gbps", "shares=35,5,5,5", "volume=16MB", "payload=4096B", "header=58B"),
      ARGS("sources 4 shares", "shares 4 flows command line",
           "fair equal share of the egress egress / sources 400 Gb/s / 4 100 Gb/s = 12.50 GB/s",
           "t_min capacity bound sources x volume / egress 4 x 16,000,000 B / 400 Gb/s 1.28 ms",
           "packets of a message volume / payload, rounded up 16,000,000 B / 4,096 B 3,907",
           "W a message on the wire volume + packets x header 16,000,000 B + 3,907 x 58 B 16,226,606 B",
           "t_wire capacity bound on the wire sources x W / egress 4 x 16,226,606 B / 400 Gb/s 1.29812848 ms",
           "J Jain index (sum of shares)^2 / (sources x sum of shares^2) 50^2 / (4 x 1300) 0.480769",
           "t_first first message done volume x sum of shares / (largest share x egress) 16,000,000 B x 50 / (35 x 400 "
           "Gb/s) 457.142858 us",
           "t_last last one, freed capacity shared sources x volume / egress 4 x 16,000,000 B / 400 Gb/s 1.28 ms"));
}

SGF_TEST(FB_29_to_FB_31_a_short_message_behind_a_wait)
{
  check_budget(ARGS("budget", "egress=400Gbps", "volume=64KB", "wait=20us"),
               ARGS("t_min capacity bound sources x volume / egress 1 x 64,000 B / 400 Gb/s 1.28 us",
                    "t_held the same behind a wait wait + t_min 20 us + 1.28 us 21.28 us"));
  check_budget(ARGS("budget", "egress=400Gbps", "volume=64KB", "wait=20us", "payload=4096B", "header=58B"),
               ARGS("t_held the same behind a wait wait + t_wire 20 us + 1.29856 us 21.29856 us"));
}

SGF_TEST(FB_32_FB_33_FB_35_notices_and_refreshes)
{
  check_budget(ARGS(REFERENCE, "span=200us", "spacing=50us"),
               ARGS("CNPs notices to a flow in the span span / spacing + 1 200 us / 50 us + 1 5",
                    "dQ_late growth before a late notice (A - egress) x spacing (1.6 Tb/s - 400 Gb/s) x 50 us "
                    "7,500,000 B"));
  check_budget(ARGS("budget", "rate=400Gbps", "delay=100ns", "span=200ms"),
               ARGS("quanta 65,535 default",
                    "t_hold hold of one pause frame quanta x 512 bit / rate + delay 65535 x 512 / 400 Gb/s + 100 ns "
                    "83.9848 us",
                    "refreshes of a pause as long as the span span / (t_hold / 2) 200 ms / (83.9848 us / 2) 4,762"));
}

SGF_TEST(a_queue_that_does_not_grow_is_never_marked)
{
  char* text = command_words(ARGS("budget", "rate=400Gbps", "egress=400Gbps", "K_ecn=256KB", "Q_g=768KB", "Tp=2us"));
  check_lines(text, ARGS("t_mark time to mark K_ecn / (A - egress) 256,000 B / (400 Gb/s - 400 Gb/s) never",
                         "t_pause time to pause Q_g / (A - egress) 768,000 B / (400 Gb/s - 400 Gb/s) never"));
  CU_ASSERT_PTR_NULL(strstr(text, "q_peak"));
  CU_ASSERT_PTR_NULL(strstr(text, "Tcc <"));
  free(text);
  json_t* root = command_object(ARGS("budget", "rate=400Gbps", "egress=400Gbps", "K_ecn=256KB"));
  CU_ASSERT(json_is_null(result(root, "t_mark")));
  json_decref(root);
}

/* Above the pause line and at it: no input or feedback time is low enough, and none is named. */
SGF_TEST(marking_that_begins_at_the_pause_is_never_first)
{
  static const char* const lines[] = {"K_ecn=768KB", "K_ecn=900KB"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char* text =
        command_words(ARGS("budget", "sources=4", "rate=400Gbps", "egress=400Gbps", lines[i], "Q_g=768KB", "Tcc=8us"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nECN first reaction before the pause "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " < 768,000 B FAILS"));
    CU_ASSERT_PTR_NULL(strstr(text, "\nA < "));
    CU_ASSERT_PTR_NULL(strstr(text, "\nrate < "));
    CU_ASSERT_PTR_NULL(strstr(text, "\nTcc < feedback time that this takes"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nTcc < the same with K_ecn = 0 Q_g / (A - egress) 768,000 B"));
    free(text);
  }
}

SGF_TEST(only_what_is_given_comes_to_results)
{
  char* text = command_words(ARGS("budget", "rate=400Gbps", "Tp=2us", "wait=1us"));
  check_lines(text, ARGS("rate 400 Gb/s = 50 GB/s command line", "Tp 2 us command line",
                         "H_all of all ingresses sources x H 1 x 100,000 B 100,000 B",
                         "warning: wait comes into no result: other values are missing"));
  CU_ASSERT_PTR_NULL(strstr(text, "egress"));
  CU_ASSERT_PTR_NULL(strstr(text, "quanta"));
  free(text);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

SGF_TEST(the_reference_case_in_json)
{
  json_t* root = command_object(ARGS(REFERENCE, "Tcc=8us", "Tp=2us", "shares=35,5,5,5", "wait=1us"));
  CU_ASSERT_EQUAL(json_integer_value(result(root, "net")), 1200000000000);
  CU_ASSERT_EQUAL(json_real_value(result(root, "t_mark")), 1706667.0 / 1e12);
  CU_ASSERT_EQUAL(json_real_value(result(root, "t_pause")), 5120000.0 / 1e12);
  CU_ASSERT_EQUAL(json_integer_value(result(root, "dQ_cc")), 1200000);
  CU_ASSERT(json_is_false(result(root, "ECN first")));
  CU_ASSERT_EQUAL(json_integer_value(result(root, "q_peak")), 1068000);
  CU_ASSERT_EQUAL(json_real_value(result(root, "J")), 2500.0 / 5200.0);
  const json_t* mark = find(root, "results", "symbol", "t_mark");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(mark, "name")), "time to mark");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(mark, "formula")), "K_ecn / (A - egress)");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(mark, "values")), "256,000 B / (1.6 Tb/s - 400 Gb/s)");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(mark, "unit")), "s");
  CU_ASSERT_PTR_NULL(json_object_get(mark, "ports"));
  const json_t* k_ecn = find(root, "values", "name", "K_ecn");
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(k_ecn, "value")), 256000);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(k_ecn, "unit")), "B");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(k_ecn, "from")), "command line");
  const json_t* shares = json_object_get(find(root, "values", "name", "shares"), "value");
  CU_ASSERT_EQUAL_FATAL(json_array_size(shares), 4);
  CU_ASSERT_EQUAL(json_integer_value(json_array_get(shares, 0)), 35);
  const json_t* warnings = json_object_get(root, "warnings");
  CU_ASSERT_EQUAL_FATAL(json_array_size(warnings), 1);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(warnings, 0)),
                         "wait comes into no result: other values are missing");
  CU_ASSERT_PTR_NULL(json_object_get(root, "switch"));
  json_decref(root);
}

/* ---- A platform's numbers ---------------------------------------------------------------------------------------- */

/* platforms/rack9.xml by hand: nine ports of 400 Gb/s and 100 ns, frames of 4,202 B, Xoff 200 kB, so that eight
 * ingresses pause at 1.6 MB. The queue grows by 2.8 Tb/s = 350 B/ns. ECN: (256,000,000 - 9 x 256,000) x 0.9 x 0.2 =
 * 45,665,280 B. Tp: 8,468 B at 50 B/ns are 169.36 ns, and 200 ns. */
SGF_SCENARIO(the_numbers_of_a_switch_are_taken)
{
  check_budget(
      ARGS("budget", MAIN_PLATFORM, "--port", "8", "Tcc=8us"),
      ARGS("Switch tor0: all other ports send to port 8, gpu8", "sources 8 tor0, all other ports",
           "rate 400 Gb/s = 50 GB/s tor0 port 0-7", "egress 400 Gb/s = 50 GB/s tor0 port 8",
           "K_ecn 45,665,280 B tor0 pool 0, lower ECN", "Tcc 8 us command line", "Xoff 200,000 B tor0", "M 0 B default",
           "delay 100 ns tor0 port 0-7", "frame 4,202 B largest frame of the NICs", "pause_frame 64 B tor0",
           "headroom 256,000 B tor0, each port",
           "A input of all sources sources x rate 8 x 400 Gb/s 3.2 Tb/s = 400 GB/s",
           "t_mark time to mark K_ecn / (A - egress) 45,665,280 B / (3.2 Tb/s - 400 Gb/s) 130.472229 us",
           "dQ_cc overshoot of the feedback (A - egress) x Tcc (3.2 Tb/s - 400 Gb/s) x 8 us 2,800,000 B",
           "Q_g queue when every ingress pauses sources x Xoff 8 x 200,000 B 1,600,000 B",
           "t_pause time to pause Q_g / (A - egress) 1,600,000 B / (3.2 Tb/s - 400 Gb/s) 4.571429 us",
           "Tp PFC stop time port 0-7 (2 x frame + pause_frame) / rate + 2 x delay (2 x 4,202 B + 64 B) / 400 Gb/s + "
           "2 x 100 ns 369.36 ns",
           "H headroom of an ingress port 0-7 rate x Tp + M 400 Gb/s x 369.36 ns + 0 B 18,468 B",
           "lossless headroom is enough port 0-7 headroom >= H 256,000 B >= 18,468 B holds",
           "H_all of all ingresses sources x H 8 x 18,468 B 147,744 B",
           "dQ_p growth until all have stopped (A - egress) x Tp (3.2 Tb/s - 400 Gb/s) x 369.36 ns 129,276 B",
           "q_peak peak of the queue Q_g + dQ_p 1,600,000 B + 129,276 B 1,729,276 B",
           "t_drain time to empty it q_peak / egress 1,729,276 B / 400 Gb/s 34.58552 us"));
}

SGF_SCENARIO(the_numbers_of_a_switch_in_json)
{
  json_t* root = command_object(ARGS("budget", MAIN_PLATFORM, "--switch", "tor0", "--port", "8"));
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(root, "switch")), "tor0");
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(root, "port")), 8);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(root, "peer")), "gpu8");
  CU_ASSERT_EQUAL(json_integer_value(result(root, "H")), 18468);
  CU_ASSERT_EQUAL(json_real_value(result(root, "Tp")), 369360.0 / 1e12);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(find(root, "results", "symbol", "H"), "ports")), "0-7");
  CU_ASSERT(json_is_true(result(root, "lossless")));
  CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "warnings")), 0);
  json_decref(root);
}

SGF_SCENARIO(written_values_come_before_those_of_a_switch)
{
  check_budget(ARGS("budget", MAIN_PLATFORM, "sources=4", "K_ecn=256KB", "Q_g=768KB", "Tp=2us", "M=9KB"),
               ARGS("sources 4 command line", "K_ecn 256,000 B command line",
                    "t_mark time to mark K_ecn / (A - egress) 256,000 B / (1.6 Tb/s - 400 Gb/s) 1.706667 us",
                    "q_peak peak of the queue Q_g + dQ_p 768,000 B + 300,000 B 1,068,000 B",
                    "H headroom of an ingress rate x Tp + M 400 Gb/s x 2 us + 9,000 B 109,000 B"));
  check_budget(ARGS("budget", MAIN_PLATFORM, "delay=500ns"),
               ARGS("delay 500 ns command line",
                    "Tp PFC stop time port 1-8 (2 x frame + pause_frame) / rate + 2 x delay (2 x 4,202 B + 64 B) / 400 "
                    "Gb/s + 2 x 500 ns 1.16936 us"));
  check_budget(ARGS("budget", MAIN_PLATFORM, "--set", "**.switch.StaticPoolXoffThreshold=300KB"),
               ARGS("Q_g queue when every ingress pauses sources x Xoff 8 x 300,000 B 2,400,000 B"));
  check_budget(ARGS("budget", MAIN_PLATFORM, "--set", "**.switch.PfcFrame.Bytes=84B"),
               ARGS("pause_frame 84 B tor0",
                    "Tp PFC stop time port 1-8 (2 x frame + pause_frame) / rate + 2 x delay (2 x 4,202 B + 84 B) / 400 "
                    "Gb/s + 2 x 100 ns 369.76 ns"));
}

/* Each port's stop time is its own: gpu2 has a cable of 500 ns. 8,468 B at 50 B/ns and 1,000 ns: 1,169.36 ns and
 * 58,468 B. */
SGF_SCENARIO(FB_36_ports_have_stop_times_of_their_own)
{
  rack_t rack = rack_of(5);
  snprintf(rack.lines[RACK_FIRST_HOST + rack.hosts + 1 + 2], RACK_LINE_SIZE,
           "<link id=\"c2\" bandwidth=\"400Gbps\" latency=\"500ns\" sharing_policy=\"SPLITDUPLEX\"/>");
  char* platform = rack_write(&rack, "budget_delays.xml");
  check_budget(
      ARGS("budget", platform, "dedicated=8468B"),
      ARGS("rate 400 Gb/s = 50 GB/s tor0 port 2", "delay 500 ns tor0 port 2",
           "A input of all sources sources x rate 3 x 400 Gb/s + 1 x 400 Gb/s 1.6 Tb/s = 200 GB/s",
           "H headroom of an ingress port 1, 3-4 rate x Tp + M 400 Gb/s x 369.36 ns + 0 B 18,468 B",
           "H headroom of an ingress port 2 rate x Tp + M 400 Gb/s x 1.16936 us + 0 B 58,468 B",
           "H_all of all ingresses sources x H 3 x 18,468 B + 1 x 58,468 B 113,872 B",
           "S of it from a shared pool sources x max(H - dedicated, 0) 3 x (18,468 B - 8,468 B) + 1 x (58,468 B - "
           "8,468 B) 80,000 B",
           "dQ_p growth until all have stopped (A - egress) x Tp (1.6 Tb/s - 400 Gb/s) x 1.16936 us 175,404 B"));
  free(platform);
}

SGF_SCENARIO(a_lossy_class_has_no_pause_line)
{
  char* text = command_words(ARGS("budget", MAIN_PLATFORM, "--set", "**.switch.EnablePFC=[0, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_PTR_NULL(strstr(text, "t_pause"));
  CU_ASSERT_PTR_NULL(strstr(text, "lossless"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nt_mark "));
  free(text);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void expect(const char* const* args, int status, const char* word)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(args, &out), status);
  CU_ASSERT_PTR_EQUAL(strstr(out, "sgfabric: "), out);
  text_expect(out, word);
  free(out);
}

SGF_TEST(values_that_are_wrong_are_named)
{
  expect(ARGS("budget", "rates=400Gbps"), 2, "budget has no value rates; did you mean rate?");
  expect(ARGS("budget", "k_ecn=256KB"), 2, "did you mean K_ecn?");
  expect(ARGS("budget", "rate=400"), 2, "rate = \"400\": the unit is missing");
  expect(ARGS("budget", "rate=400ns"), 2, "rate = \"400ns\": ns is a unit of time; a data rate takes bps");
  expect(ARGS("budget", "K_ecn=256kB"), 2, "K_ecn = \"256kB\": \"kB\" is not a unit");
  expect(ARGS("budget", "Tcc=-1us"), 2, "Tcc = \"-1us\": a time is not negative");
  expect(ARGS("budget", "sources=0"), 2, "sources = \"0\": not within 1..1024");
  expect(ARGS("budget", "sources=1025"), 2, "sources = \"1025\": not within 1..1024");
  expect(ARGS("budget", "rate=0bps"), 2, "rate = \"0bps\": not within 1..1000000000000000 bps");
  expect(ARGS("budget", "rate=1001Tbps"), 2, "not within 1..1000000000000000 bps");
  expect(ARGS("budget", "volume=0B"), 2, "volume = \"0B\": not within 1..4294967296 B");
  expect(ARGS("budget", "frame=0B"), 2, "frame = \"0B\": must be at least 1 B");
  expect(ARGS("budget", "spacing=0us"), 2, "spacing = \"0us\": must be at least 1 ps");
  expect(ARGS("budget", "quanta=65536"), 2, "quanta = \"65536\": not within 1..65535");
  expect(ARGS("budget", "rate=1Gbps", "rate=2Gbps"), 2, "rate is given twice");
}

SGF_TEST(shares_that_are_wrong_are_named)
{
  expect(ARGS("budget", "shares=1,,2"), 2, "shares = \"\": must be a whole number");
  expect(ARGS("budget", "shares="), 2, "shares = \"\": must be a whole number");
  expect(ARGS("budget", "shares=1,two"), 2, "shares = \"two\": must be a whole number");
  expect(ARGS("budget", "shares=1000000001"), 2, "shares = \"1000000001\": not within 0..1000000000");
  expect(ARGS("budget", "shares=0,0"), 2, "shares = \"0,0\": all of them are 0");
  expect(ARGS("budget", "shares=1,2", "sources=3"), 2, "sources is 3, and there are 2 shares");
}

SGF_TEST(what_comes_to_nothing_is_refused)
{
  expect(ARGS("budget"), 2, "budget needs a PLATFORM, or values such as rate=400Gbps Tp=2us");
  expect(ARGS("budget", "K_ecn=256KB"), 2, "these values come to no result");
  expect(ARGS("budget", "rate=400Gbps", "--switch", "tor0"), 2, "--switch needs a PLATFORM");
  expect(ARGS("budget", "rate=400Gbps", "--port", "1"), 2, "--port needs a PLATFORM");
  expect(ARGS("budget", "rate=400Gbps", "--set", "**.pcie=\"gen5 x8\""), 2, "--set needs a PLATFORM");
  expect(ARGS("budget", "rate=400Gbps", "--port", "x"), 2, "--port");
  expect(ARGS("budget", "rate=400Gbps", "--jsn"), 2, "did you mean --json?");
  expect(ARGS("budget", "p.xml", "q.xml"), 2, "q.xml");
}

SGF_SCENARIO(a_switch_or_port_that_is_not_there_is_refused)
{
  expect(ARGS("budget", MAIN_PLATFORM, "--switch", "tor1"), 1, "there is no switch tor1; did you mean tor0?");
  expect(ARGS("budget", MAIN_PLATFORM, "--switch", "gpu0"), 1, "there is no switch gpu0");
  expect(ARGS("budget", MAIN_PLATFORM, "--port", "9"), 1, "tor0 has ports 0..8, and no port 9");
  expect(ARGS("budget", "no-such-file.xml"), 1, "no-such-file.xml");
  expect(ARGS("budget", MAIN_PLATFORM, "--set", "**.switch.NoSuch=1"), 1, "NoSuch");
}

SGF_TEST(help_names_every_value)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("budget", "--help"), &out), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "Usage: sgfabric budget NAME=VALUE... [--json]"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n  K_ecn "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n  shares "));
  free(out);
}
