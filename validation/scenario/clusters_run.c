/* The shipped fat trees by the command: what `check` counts, and a permutation that loses nothing. */
#include "harness.h"
#include "runner/command_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fat tree of three levels of switches with 2 x half ports: half^2 x 2 half hosts. */
typedef struct tree {
  const char* platform;
  unsigned half;
} tree_t;

static const tree_t of_128  = {SGF_SOURCE_DIR "/platforms/fat_tree_128.xml", 4};
static const tree_t of_1024 = {SGF_SOURCE_DIR "/platforms/fat_tree_1024.xml", 8};

static unsigned hosts_of(const tree_t* tree)
{
  return 2 * tree->half * tree->half * tree->half;
}

static void check_counts(const tree_t* tree, const char* hosts, const char* cables)
{
  unsigned level    = hosts_of(tree) / tree->half; /* switches of level 1, and as many of level 2; half as many above */
  unsigned switches = 2 * level + level / 2;
  char line[128];
  char* out = NULL;
  snprintf(line, sizeof line, "valid: %s hosts with a NIC, %u switches, %s cables\n", hosts, switches, cables);
  CU_ASSERT_EQUAL(command_run(ARGS("check", tree->platform), &out), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, line));
  free(out);
}

SGF_TEST(check_counts_hosts_switches_and_cables)
{
  CU_ASSERT_EQUAL(hosts_of(&of_128), 128);
  CU_ASSERT_EQUAL(hosts_of(&of_1024), 1024);
  check_counts(&of_128, "128", "384"); /* as many cables between levels as to hosts: full bisection */
  check_counts(&of_1024, "1,024", "3,072");
}

static void check_permutation(const tree_t* tree, const char* deployment, json_int_t bytes)
{
  json_t* root = command_object(ARGS("run", tree->platform, deployment));
  CU_ASSERT(json_is_true(json_object_get(root, "complete")));
  CU_ASSERT_EQUAL(member_integer(json_object_get(root, "drops"), "total"), 0);
  CU_ASSERT_EQUAL(member_integer(root, "retransmissions"), 0);

  unsigned hosts     = hosts_of(tree);
  unsigned* received = calloc(hosts, sizeof *received);
  json_t* flows      = json_object_get(root, "flows");
  size_t i;
  json_t* flow;
  CU_ASSERT_PTR_NOT_NULL_FATAL(received);
  CU_ASSERT_EQUAL(json_array_size(flows), hosts);
  json_array_foreach(flows, i, flow)
  {
    unsigned dst = hosts;
    CU_ASSERT_EQUAL(sscanf(json_string_value(json_object_get(flow, "dst")), "gpu%u", &dst), 1);
    CU_ASSERT_EQUAL(member_integer(flow, "bytes"), bytes);
    CU_ASSERT_FATAL(dst < hosts);
    CU_ASSERT_EQUAL(received[dst]++, 0);
  }
  free(received);
  json_decref(root);
}

SGF_SCENARIO(a_permutation_on_128_hosts_is_lossless)
{
  check_permutation(&of_128, SGF_SOURCE_DIR "/deployments/permutation_fat_tree_128_d.xml", 2000000);
}

/* A twentieth of deployments/permutation_fat_tree_1024_d.xml. */
SGF_SCENARIO(a_permutation_on_1024_hosts_is_lossless)
{
  char* deployment = deployment_write("<actor host=\"gpu0\" function=\"permutation\"><argument value=\"100KB\"/>"
                                      "<argument value=\"7\"/></actor>",
                                      "clusters_run_d.xml");
  check_permutation(&of_1024, deployment, 100000);
  free(deployment);
}
