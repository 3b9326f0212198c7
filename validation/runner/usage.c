/* Help, version and wrong use. */
#include "harness.h"

#include <sgfabric/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

SGF_TEST(help_and_version_succeed)
{
  command_expect(ARGS("--help"), 0, "Usage: sgfabric COMMAND");
  command_expect(ARGS("--version"), 0, "sgfabric " SGF_VERSION "\n");
  command_expect(ARGS("run", "--help"), 0, "rdma_write <dst> <size> [count] [gap]");
  command_expect(ARGS("run", "--help"), 0, "sgfabric run -f INI");
  command_expect(ARGS("check", "--help"), 0, "Usage: sgfabric check PLATFORM");
  command_expect(ARGS("explain", "--help"), 0, "Usage: sgfabric explain PLATFORM");
  command_expect(ARGS("attributes", "--help"), 0, "Usage: sgfabric attributes [PREFIX]");
}

SGF_TEST(wrong_use_exits_with_2_and_names_the_nearest)
{
  command_expect((const char* const[]){NULL}, 2, "Usage");
  command_expect(ARGS("chek"), 2, "did you mean check?");
  command_expect(ARGS("--versoin"), 2, "did you mean --version?");
  command_expect(ARGS("run", "p.xml", "d.xml", "--jsn"), 2, "did you mean --json?");
  command_expect(ARGS("run", "p.xml", "d.xml", "--pace", "lasy"), 2, "did you mean lazy?");
  command_expect(ARGS("check", "p.xml", "--seed", "1"), 2, "check has no option --seed");
  command_expect(ARGS("run", "p.xml", "d.xml", "-x"), 2, "run has no option -x");
  command_expect(ARGS("check", "p.xml", "-q", "runs"), 2, "check has no option -q");
  command_expect(ARGS("run", "-f", "s.ini", "-q", "run"), 2, "did you mean runs?");
  command_expect(ARGS("explain", "p.xml", "--jsn"), 2, "did you mean --json?");
}

SGF_TEST(missing_and_surplus_arguments_exit_with_2)
{
  command_expect(ARGS("run"), 2, "PLATFORM");
  command_expect(ARGS("run", "p.xml"), 2, "DEPLOYMENT");
  command_expect(ARGS("run", "p.xml", "d.xml", "e.xml"), 2, "e.xml");
  command_expect(ARGS("run", "p.xml", "d.xml", "--set"), 2, "--set needs a value");
  command_expect(ARGS("run", "p.xml", "d.xml", "--json=yes"), 2, "--json takes no value");
  command_expect(ARGS("run", "-f"), 2, "-f needs a value");
  command_expect(ARGS("run", "p.xml", "d.xml", "-c", "A"), 2, "-c needs an ini file");
  command_expect(ARGS("run", "p.xml", "d.xml", "-j", "2"), 2, "-j needs an ini file");
  command_expect(ARGS("run", "-f", "s.ini", "-j", "0"), 2, "-j = \"0\": not within 1..256");
  command_expect(ARGS("run", "-f", "s.ini", "p.xml", "d.xml", "e.xml"), 2, "e.xml");
  command_expect(ARGS("run", "p.xml", "d.xml", "--seed", "-1"), 2, "--seed");
  command_expect(ARGS("run", "p.xml", "d.xml", "--seed", "9223372036854775808"), 2, "--seed");
  command_expect(ARGS("check", "p.xml", "--", "--log=root.thres:error"), 2, "SimGrid");
}

/* As a text on the error output alone, and the status. */
static void expect_full(const char* arguments, const char* word)
{
  char command[512];
  char out[1024];
  snprintf(command, sizeof command, "exec \"$0\" %s >/dev/full", arguments);
  char* const argv[] = {"/bin/sh", "-c", command, SGF_BINARY_DIR "/sgfabric", NULL};
  CU_ASSERT_EQUAL(sgf_test_run(argv, out, sizeof out), 1);
  text_expect(out, word);
}

SGF_SCENARIO(what_cannot_be_printed_is_an_error)
{
  static const char lost[] = "sgfabric: the results could not be written\n";
  expect_full("--version", lost);
  expect_full("--help", lost);
  expect_full("attributes", lost);
  expect_full("check " MAIN_PLATFORM, lost);
  expect_full("explain " MAIN_PLATFORM, lost);
  expect_full("budget rate=400Gbps Tp=2us", lost);
  expect_full("run " MAIN_PLATFORM " " MAIN_DEPLOYMENT, lost);
}

SGF_SCENARIO(options_behind_two_dashes_go_to_simgrid)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--", "--cfg=contexts/stack-size:256"), &out),
                  0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "contexts/stack-size"));
  free(out);
  CU_ASSERT_EQUAL(command_run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--", "--no-such-option"), &out), 2);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "SimGrid has no option --no-such-option"));
  free(out);
}

SGF_SCENARIO(check_prints_the_graph)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("check", MAIN_PLATFORM), &out), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "rack0.gpu8  uet"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "tor0 port 8"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "400 Gb/s"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "valid: 9 hosts with a NIC, 1 switch, 9 cables\n"));
  free(out);
}

SGF_SCENARIO(check_counts_equal_cost_next_hops)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("check", SGF_SOURCE_DIR "/platforms/leaf_spine_32.xml"), &out), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "equal-cost ports"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "valid: 32 hosts with a NIC"));
  free(out);
}
