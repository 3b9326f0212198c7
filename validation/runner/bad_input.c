/* Bad platforms and deployments: one line with file, line and reason, exit status 1, no traffic. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

static const char* const good_actors = "  <actor host=\"gpu0\" function=\"rdma_write\">\n"
                                       "    <argument value=\"gpu1\"/>\n"
                                       "    <argument value=\"64KB\"/>\n"
                                       "  </actor>";

/* What was printed is "sgfabric: <path>:<line>: <reason>" and no more, and the reason has `word` in it. Line 0: any. */
static void check_refusal(const char* out, const char* path, size_t line, const char* word)
{
  static const char command[] = "sgfabric: ";
  CU_ASSERT_EQUAL_FATAL(strncmp(out, command, strlen(command)), 0);
  const char* at = out + strlen(command);
  CU_ASSERT_EQUAL_FATAL(strncmp(at, path, strlen(path)), 0);
  at += strlen(path);
  CU_ASSERT_EQUAL_FATAL(*at, ':');
  char* rest;
  size_t found = strtoul(at + 1, &rest, 10);
  CU_ASSERT(found > 0);
  CU_ASSERT(line == 0 || found == line);
  CU_ASSERT_EQUAL(strncmp(rest, ": ", 2), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(rest, word));
  const char* end = strchr(out, '\n');
  CU_ASSERT_PTR_NOT_NULL_FATAL(end);
  CU_ASSERT_EQUAL(end[1], '\0');
}

/* Both commands refuse the platform, with the same words. */
static void check_platform(char* platform, size_t line, const char* word, const char* name)
{
  char* deployment = deployment_write(good_actors, name);
  char *from_run, *from_check;
  CU_ASSERT_EQUAL(command_run(ARGS("run", platform, deployment), &from_run), 1);
  CU_ASSERT_EQUAL(command_run(ARGS("check", platform), &from_check), 1);
  check_refusal(from_run, platform, line, word);
  CU_ASSERT_STRING_EQUAL(from_run, from_check);
  free(from_run);
  free(from_check);
  free(deployment);
  free(platform);
}

static void check_property(const char* id, const char* value, const char* word, const char* platform,
                           const char* deployment)
{
  rack_t rack = rack_of(2);
  snprintf(rack.lines[RACK_PROPERTY], RACK_LINE_SIZE, "    <prop id=\"%s\" value=\"%s\"/>", id, value);
  check_platform(rack_write(&rack, platform), RACK_PROPERTY + 1, word, deployment);
}

SGF_SCENARIO(the_files_of_these_tests_are_good_as_they_are)
{
  rack_t rack      = rack_of(2);
  char* platform   = rack_write(&rack, "good.xml");
  char* deployment = deployment_write(good_actors, "good_d.xml");
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", platform, deployment), &out), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 1 flow, lossless"));
  free(out);
  free(platform);
  free(deployment);
}

SGF_SCENARIO(a_typo_in_an_attribute_is_refused_with_the_nearest_name)
{
  check_property("nic.IngressBufferManager.TotalBuferSize", "4MB", "IngressBufferManager/TotalBufferSize", "typo.xml",
                 "typo_d.xml");
}

SGF_SCENARIO(a_list_of_two_entries_is_refused)
{
  check_property("nic.IngressBufferManager.PFCEnableVector", "[1, 0]", "exactly 8 entries", "list.xml", "list_d.xml");
}

SGF_SCENARIO(a_data_rate_for_a_size_is_refused)
{
  check_property("nic.IngressBufferManager.TotalBufferSize", "4Gbps", "Gbps", "unit.xml", "unit_d.xml");
}

SGF_SCENARIO(a_host_without_its_cable_is_refused)
{
  rack_t rack                              = rack_of(2);
  rack.lines[rack_route_line(&rack, 1)][0] = '\0';
  check_platform(rack_write(&rack, "cable.xml"), 0, "gpu1", "cable_d.xml");
}

SGF_SCENARIO(half_a_file_is_refused)
{
  rack_t rack = rack_of(2);
  rack.count /= 2;
  snprintf(rack.lines[rack.count - 1], RACK_LINE_SIZE, "    <host id=");
  check_platform(rack_write(&rack, "half.xml"), 0, "", "half_d.xml");
}

SGF_SCENARIO(a_platform_that_is_not_there_is_refused)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("check", "no/such/platform.xml"), &out), 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "sgfabric: no/such/platform.xml"));
  free(out);
}

SGF_SCENARIO(a_bad_assignment_is_refused)
{
  rack_t rack                     = rack_of(2);
  char* platform                  = rack_write(&rack, "set.xml");
  const char* const assignments[] = {"**.nic.IngressBufferManager.TotalBufferSize=\"4Gbps\"",
                                     "**.nic.IngressBufferManager.TotalBuferSize=\"4MB\"", "nonsense"};
  for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++) {
    char* out;
    CU_ASSERT_EQUAL(command_run(ARGS("check", platform, "--set", assignments[i]), &out), 1);
    CU_ASSERT_EQUAL(strncmp(out, "sgfabric: ", strlen("sgfabric: ")), 0);
    CU_ASSERT_PTR_EQUAL(strchr(out, '\n'), out + strlen(out) - 1);
    free(out);
  }
  free(platform);
}

/* ---- Deployments ----------------------------------------------------------------------------------------------- */

enum { FIRST_ACTOR_LINE = 4 };

static void check_deployment(const char* actors, const char* word, const char* name)
{
  rack_t rack = rack_of(2);
  char platform_name[64];
  snprintf(platform_name, sizeof platform_name, "for_%s", name);
  char* platform   = rack_write(&rack, platform_name);
  char* deployment = deployment_write(actors, name);
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", platform, deployment), &out), 1);
  check_refusal(out, deployment, FIRST_ACTOR_LINE, word);
  free(out);
  free(platform);
  free(deployment);
}

SGF_SCENARIO(an_unknown_function_is_refused_with_the_nearest_name)
{
  check_deployment("<actor host=\"gpu0\" function=\"rdma_wirte\"/>", "rdma_write", "function_d.xml");
}

SGF_SCENARIO(an_unknown_host_is_refused_with_the_nearest_name)
{
  check_deployment(
      "<actor host=\"gpu0\" function=\"incast\"><argument value=\"gp1\"/><argument value=\"1KB\"/></actor>", "gpu1",
      "dst_d.xml");
  check_deployment("<actor host=\"gp0\" function=\"sink\"/>", "gp0", "host_d.xml");
}

SGF_SCENARIO(a_wrong_number_of_arguments_is_refused)
{
  check_deployment("<actor host=\"gpu0\" function=\"rdma_write\"><argument value=\"gpu1\"/></actor>",
                   "rdma_write <dst> <size> [count] [gap]", "few_d.xml");
  check_deployment("<actor host=\"gpu0\" function=\"sink\"><argument value=\"gpu1\"/></actor>", "1 argument",
                   "many_d.xml");
}

SGF_SCENARIO(a_wrong_argument_is_refused)
{
#define WRITE(size, count, gap)                                                                                        \
  "<actor host=\"gpu0\" function=\"rdma_write\"><argument value=\"gpu1\"/><argument value=\"" size                     \
  "\"/><argument value=\"" count "\"/><argument value=\"" gap "\"/></actor>"
  check_deployment(WRITE("4Gbps", "1", "1us"), "size", "size_d.xml");
  check_deployment(WRITE("4", "1", "1us"), "size", "size_d.xml");
  check_deployment(WRITE("4KB", "0", "1us"), "count", "count_d.xml");
  check_deployment(WRITE("4KB", "x", "1us"), "count", "count_d.xml");
  check_deployment(WRITE("4KB", "1", "1KB"), "gap", "gap_d.xml");
#undef WRITE
}
