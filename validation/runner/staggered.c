/* The actor function staggered_flow: random starts out of the run's seed, a rate; and the columns of `--table` that
 * tell what they are good for (spec/feedback-budget.md 11.1). */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

enum { SENDERS = 3, HOSTS = SENDERS + 1 };

static const char* const within_10_us =
    "<actor host=\"gpu0\" function=\"staggered_flow\"><argument value=\"gpu3\"/><argument value=\"64KB\"/>"
    "<argument value=\"10us\"/></actor>"
    "<actor host=\"gpu1\" function=\"staggered_flow\"><argument value=\"gpu3\"/><argument value=\"64KB\"/>"
    "<argument value=\"10us\"/></actor>"
    "<actor host=\"gpu2\" function=\"staggered_flow\"><argument value=\"gpu3\"/><argument value=\"64KB\"/>"
    "<argument value=\"10us\"/></actor>";

static json_t* run_actors(const char* actors, const char* seed, const char* name)
{
  return actors_run(HOSTS, actors, ARGS("--seed", seed), name, 0);
}

static double date(const json_t* root, size_t flow, const char* key)
{
  return json_real_value(json_object_get(json_array_get(json_object_get(root, "flows"), flow), key));
}

static size_t flow_from(const json_t* root, const char* src)
{
  size_t i;
  const json_t* flow;
  json_array_foreach(json_object_get(root, "flows"), i,
                     flow) if (strcmp(json_string_value(json_object_get(flow, "src")), src) == 0) return i;
  CU_FAIL_FATAL("no such flow");
  return 0;
}

static double start_of(const json_t* root, const char* src)
{
  return date(root, flow_from(root, src), "start_s");
}

SGF_SCENARIO(starts_are_drawn_from_the_seed_and_lie_within)
{
  static const char* const sources[SENDERS] = {"gpu0", "gpu1", "gpu2"};
  json_t* first                             = run_actors(within_10_us, "1", "staggered");
  json_t* again                             = run_actors(within_10_us, "1", "staggered");
  json_t* other                             = run_actors(within_10_us, "2", "staggered");
  for (unsigned i = 0; i < SENDERS; i++) {
    const double start = start_of(first, sources[i]);
    CU_ASSERT(start >= 0 && start < 10e-6);
    CU_ASSERT_EQUAL(start, start_of(again, sources[i]));
    CU_ASSERT_NOT_EQUAL(start, start_of(other, sources[i]));
    for (unsigned j = 0; j < i; j++)
      CU_ASSERT_NOT_EQUAL(start, start_of(first, sources[j]));
  }
  json_decref(first);
  json_decref(again);
  json_decref(other);
}

/* A flow more behind the others leaves them where they were. */
SGF_SCENARIO(each_actor_has_a_stream_of_its_own)
{
  char more[2048];
  snprintf(more, sizeof more,
           "%s<actor host=\"gpu0\" function=\"staggered_flow\"><argument value=\"gpu1\"/><argument value=\"1KB\"/>"
           "<argument value=\"10us\"/></actor>",
           within_10_us);
  json_t* three = run_actors(within_10_us, "1", "staggered_three");
  json_t* four  = run_actors(more, "1", "staggered_four");
  CU_ASSERT_EQUAL(start_of(three, "gpu1"), start_of(four, "gpu1"));
  CU_ASSERT_EQUAL(start_of(three, "gpu2"), start_of(four, "gpu2"));
  json_decref(three);
  json_decref(four);
}

/* 4 MB at 100 Gb/s are 320 us of payload; the last packet leaves a packet's time earlier than that. */
SGF_SCENARIO(within_0_s_it_starts_at_once_and_keeps_to_its_rate)
{
  json_t* root = run_actors("<actor host=\"gpu0\" function=\"staggered_flow\"><argument value=\"gpu1\"/>"
                            "<argument value=\"4MB\"/><argument value=\"0s\"/><argument value=\"100Gbps\"/></actor>",
                            "1", "staggered_rate");
  CU_ASSERT_EQUAL(date(root, 0, "start_s"), 0);
  CU_ASSERT(date(root, 0, "end_s") > 319e-6 && date(root, 0, "end_s") < 322e-6);
  json_decref(root);
}

SGF_SCENARIO(arguments_are_checked_before_the_run)
{
  static const struct {
    const char* arguments;
    const char* reason;
  } wrong[] = {
      {"<argument value=\"1KB\"/>", "staggered_flow <dst> <size> <within> [rate] was given 2 arguments\n"},
      {"<argument value=\"1KB\"/><argument value=\"10\"/>", "within of staggered_flow = \"10\": "},
      {"<argument value=\"1KB\"/><argument value=\"1us\"/><argument value=\"fast\"/>",
       "rate of staggered_flow = \"fast\": "},
      {"<argument value=\"1KB\"/><argument value=\"1us\"/><argument value=\"0bps\"/>",
       "rate of staggered_flow = \"0bps\": at least 1bps\n"},
      {"<argument value=\"2MB\"/><argument value=\"1us\"/><argument value=\"1bps\"/>",
       "staggered_wrong_d.xml:4: size and rate of staggered_flow: a write of 2000000 bytes at 1 bps takes longer than "
       "the fabric can time\n"},
      {"<argument value=\"1MB\"/><argument value=\"2000000s\"/><argument value=\"1bps\"/>",
       "staggered_wrong_d.xml:4: size and rate of staggered_flow: a write of 1000000 bytes at 1 bps takes longer than "
       "the fabric can time\n"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char actor[512];
    snprintf(actor, sizeof actor,
             "<actor host=\"gpu0\" function=\"staggered_flow\"><argument value=\"gpu1\"/>%s</actor>",
             wrong[i].arguments);
    char* deployment = deployment_write(actor, "staggered_wrong_d.xml");
    char* out;
    CU_ASSERT_EQUAL(command_run(ARGS("run", MAIN_PLATFORM, deployment), &out), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(out, wrong[i].reason));
    free(out);
    free(deployment);
  }
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

/* Two of 1 MB into one host, and one of 4,096 B to another: that one alone is short. Both send at the rate of the
 * receiver's cable, so that nearly all of one flow waits there. */
SGF_SCENARIO(a_row_has_the_short_flows_alone_and_the_longest_queue)
{
  rack_t rack      = rack_of(HOSTS);
  char* platform   = rack_write(&rack, "staggered_row.xml");
  char* deployment = deployment_write("<actor host=\"gpu0\" function=\"flow\"><argument value=\"gpu3\"/>"
                                      "<argument value=\"1MB\"/></actor>"
                                      "<actor host=\"gpu1\" function=\"flow\"><argument value=\"gpu3\"/>"
                                      "<argument value=\"1MB\"/></actor>"
                                      "<actor host=\"gpu2\" function=\"flow\"><argument value=\"gpu1\"/>"
                                      "<argument value=\"4096B\"/></actor>",
                                      "staggered_row_d.xml");
  char* ini        = text_write("[General]\nplatform = \"staggered_row.xml\"\ndeployment = \"staggered_row_d.xml\"\n"
                                       "**.nic = ${\"udp\"}\n",
                                "staggered_row.ini");
  int status;
  char* out;
  json_t* run = command_json(ARGS("run", "-f", ini), &status);
  CU_ASSERT_EQUAL(command_run(ARGS("run", "-f", ini, "--table"), &out), 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  const size_t small  = flow_from(run, "gpu2");
  const double lasted = date(run, small, "end_s") - date(run, small, "start_s");
  char expected[64];
  snprintf(expected, sizeof expected, "  %.1f ns  ", 1e9 * lasted);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, expected));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "short p99"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "longest queue"));
  /* 244 full packets of each flow are charged 4,124 B, its last one 604 B. One leaves while two come, the first of all
   * meets an empty queue: 245 x 4,124 + 2 x 604 = 1,011,588 B when the last two are in. */
  const char* row = strstr(out, "\n  udp ");
  CU_ASSERT_PTR_NOT_NULL_FATAL(row);
  CU_ASSERT_PTR_NOT_NULL(strstr(row, "  1.012 MB             1.012 MB  complete"));
  json_decref(run);
  free(out);
  free(ini);
  free(platform);
  free(deployment);
}
