/* What the actor functions post, and when; how a run ends. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

enum { HOSTS = 4 };

static json_t* run_actors(const char* actors, const char* option, const char* name, int expected)
{
  return actors_run(HOSTS, actors, ARGS(option), name, expected);
}

static int host_number(const json_t* flow, const char* key)
{
  int number = -1;
  sscanf(json_string_value(json_object_get(flow, key)), "gpu%d", &number);
  CU_ASSERT_FATAL(number >= 0 && number < HOSTS);
  return number;
}

/* How often each host writes to each other one; every flow ends, has the given size and starts at 0. */
static void count_flows(const json_t* root, json_int_t bytes, unsigned pairs[HOSTS][HOSTS])
{
  size_t i;
  json_t* flow;
  json_array_foreach(json_object_get(root, "flows"), i, flow)
  {
    pairs[host_number(flow, "src")][host_number(flow, "dst")]++;
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(flow, "bytes")), bytes);
    CU_ASSERT_EQUAL(member_real(flow, "start_s"), 0);
    CU_ASSERT(member_real(flow, "end_s") > 0);
  }
}

SGF_SCENARIO(an_incast_is_written_by_every_other_host)
{
  unsigned pairs[HOSTS][HOSTS] = {{0}};
  json_t* root                 = run_actors("<actor host=\"gpu2\" function=\"incast\"><argument value=\"gpu1\"/>"
                                                            "<argument value=\"10KB\"/></actor>",
                                            NULL, "incast", 0);
  count_flows(root, 10000, pairs);
  for (int src = 0; src < HOSTS; src++)
    for (int dst = 0; dst < HOSTS; dst++)
      CU_ASSERT_EQUAL(pairs[src][dst], dst == 1 && src != 1);
  json_decref(root);
}

SGF_SCENARIO(all_to_all_is_written_by_every_host_to_every_other)
{
  unsigned pairs[HOSTS][HOSTS] = {{0}};
  json_t* root = run_actors("<actor host=\"gpu0\" function=\"all_to_all\"><argument value=\"10KB\"/></actor>", NULL,
                            "all_to_all", 0);
  count_flows(root, 10000, pairs);
  for (int src = 0; src < HOSTS; src++)
    for (int dst = 0; dst < HOSTS; dst++)
      CU_ASSERT_EQUAL(pairs[src][dst], src != dst);
  json_decref(root);
}

SGF_SCENARIO(a_permutation_is_written_once_by_and_to_every_host)
{
  unsigned pairs[HOSTS][HOSTS] = {{0}};
  json_t* root                 = run_actors("<actor host=\"gpu0\" function=\"permutation\"><argument value=\"10KB\"/>"
                                                            "<argument value=\"7\"/></actor>",
                                            NULL, "permutation", 0);
  count_flows(root, 10000, pairs);
  for (int i = 0; i < HOSTS; i++) {
    unsigned sent = 0, received = 0;
    for (int j = 0; j < HOSTS; j++) {
      sent += pairs[i][j];
      received += pairs[j][i];
    }
    CU_ASSERT_EQUAL(sent, 1);
    CU_ASSERT_EQUAL(received, 1);
    CU_ASSERT_EQUAL(pairs[i][i], 0);
  }
  json_decref(root);
}

SGF_SCENARIO(writes_of_one_actor_follow_each_other_after_the_gap)
{
  json_t* root =
      run_actors("<actor host=\"gpu0\" function=\"rdma_write\"><argument value=\"gpu1\"/><argument value=\"10KB\"/>"
                 "<argument value=\"3\"/><argument value=\"10us\"/></actor>"
                 "<actor host=\"gpu1\" function=\"sink\"/>",
                 NULL, "gap", 0);
  json_t* flows = json_object_get(root, "flows");
  CU_ASSERT_EQUAL_FATAL(json_array_size(flows), 3);
  for (size_t i = 1; i < 3; i++) {
    double gap = member_real(json_array_get(flows, i), "start_s") - member_real(json_array_get(flows, i - 1), "end_s");
    CU_ASSERT_DOUBLE_EQUAL(gap, 10e-6, 1e-12);
  }
  json_decref(root);
}

SGF_SCENARIO(a_run_without_traffic_is_complete)
{
  json_t* root = run_actors("<actor host=\"gpu1\" function=\"sink\"/>", NULL, "sink", 0);
  CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "flows")), 0);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(root, "packet_hops")), 0);
  json_decref(root);
}

/* The writer is killed long before 2 MB can have crossed its link. */
static const char* const killed_writer = "<actor host=\"gpu0\" function=\"rdma_write\" kill_time=\"0.00001\">"
                                         "<argument value=\"gpu1\"/><argument value=\"2MB\"/></actor>";

SGF_SCENARIO(what_is_in_flight_when_the_last_actor_ends_is_drained)
{
  json_t* root = run_actors(killed_writer, NULL, "drain", 0);
  json_t* flow = json_array_get(json_object_get(root, "flows"), 0);
  CU_ASSERT(member_real(flow, "end_s") > 8 * 2e6 / 400e9);
  json_decref(root);
}

SGF_SCENARIO(without_draining_the_run_is_not_complete)
{
  json_t* root = run_actors(killed_writer, "--no-drain", "no_drain", 1);
  json_t* flow = json_array_get(json_object_get(root, "flows"), 0);
  CU_ASSERT(json_is_null(json_object_get(flow, "end_s")));
  json_decref(root);
}

SGF_SCENARIO(the_summary_says_what_is_not_complete)
{
  rack_t rack      = rack_of(HOSTS);
  char* platform   = rack_write(&rack, "verdict.xml");
  char* deployment = deployment_write(killed_writer, "verdict_d.xml");
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", platform, deployment, "--no-drain"), &out), 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nNOT COMPLETE: "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "Flows: 1, 0 complete"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "PFC never fired"));
  free(out);
  free(platform);
  free(deployment);
}
