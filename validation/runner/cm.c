/* `sgfabric cm`: connection matrices from the command line. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

#define DEPLOYMENTS SGF_SOURCE_DIR "/deployments/"
#define LEAF_SPINE SGF_SOURCE_DIR "/platforms/leaf_spine_32.xml"

/* One line that names the place. */
static void expect_error(const char* const* args, const char* line)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(args, &out), 1);
  CU_ASSERT_STRING_EQUAL(out, line);
  free(out);
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

SGF_SCENARIO(a_matrix_is_simulated_and_its_percentiles_are_shown)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("cm", DEPLOYMENTS "incast8.cm", MAIN_PLATFORM), &out), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "incast8.cm on "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "Flows: 8, 8 complete\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, " p50 "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "  completion time "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "0 kernel rounds"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\ncomplete: 8 flows, lossless\n"));
  free(out);
}

SGF_SCENARIO(all_matrices_that_come_with_the_project_are_complete)
{
  command_expect(ARGS("cm", DEPLOYMENTS "permutation32.cm", LEAF_SPINE), 0, "\ncomplete: 32 flows, lossless\n");
  command_expect(ARGS("cm", DEPLOYMENTS "all_to_all9.cm", MAIN_PLATFORM), 0, "\ncomplete: 72 flows, lossless\n");
}

/* The object of `run`, from the same traffic through the actors of a deployment: only SimGrid's share differs. */
SGF_SCENARIO(a_permutation_ends_as_that_of_a_deployment_does)
{
  char* deployment = deployment_write("<actor host=\"gpu0\" function=\"permutation\"><argument value=\"2MB\"/></actor>",
                                      "cm_permutation_d.xml");
  int cm_status, run_status;
  json_t* by_matrix = command_json(ARGS("cm", DEPLOYMENTS "permutation32.cm", LEAF_SPINE), &cm_status);
  json_t* by_actors = command_json(ARGS("run", LEAF_SPINE, deployment), &run_status);
  CU_ASSERT_EQUAL(cm_status, 0);
  CU_ASSERT_EQUAL(run_status, 0);
  static const char* const keys[] = {
      "simulated_time_s", "flows", "completion_time_s", "drops", "pauses", "pools", "links", "packet_hops", "complete"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    CU_ASSERT_PTR_NOT_NULL(json_object_get(by_matrix, keys[i]));
    CU_ASSERT(json_equal(json_object_get(by_matrix, keys[i]), json_object_get(by_actors, keys[i])));
  }
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(by_matrix, "kernel_rounds")), 0);
  json_decref(by_matrix);
  json_decref(by_actors);
  free(deployment);
}

SGF_SCENARIO(attributes_and_records_are_those_of_run)
{
  const char* const folder = SGF_BINARY_DIR "/validation/runner/cm_results";
  command_expect(ARGS("cm", DEPLOYMENTS "incast8.cm", MAIN_PLATFORM, "--set", "**.pcie=\"gen5 x8\"", "--set",
                      "**.nic.IngressBufferManager.TotalBufferSize=\"400KB\"", "--results", folder),
                 0, "frames dropped and recovered");
  char path[512];
  snprintf(path, sizeof path, "%s/incast8-nd-stats-0.csv", folder);
  FILE* records = fopen(path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(records);
  fclose(records);
  command_expect(ARGS("cm", DEPLOYMENTS "incast8.cm", MAIN_PLATFORM, "--set", "**.nic.NoSuch=\"1\""), 1, "NoSuch");
}

SGF_SCENARIO(an_ini_file_gives_attributes_and_a_seed)
{
  const char* const ini = SGF_SOURCE_DIR "/examples/xoff.ini";
  command_expect(ARGS("cm", DEPLOYMENTS "incast8.cm", MAIN_PLATFORM, "-f", ini, "-c", "Xoff", "-r", "2"), 0,
                 "Run 2 of Xoff: $xoff=400KB, $xon=200KB, $repetition=0\n");
  command_expect(ARGS("cm", DEPLOYMENTS "incast8.cm", MAIN_PLATFORM, "-f", ini, "-c", "Xoff", "-r", "2"), 0,
                 "deployment has no effect: the command line decides\n");
  command_expect(ARGS("cm", DEPLOYMENTS "incast8.cm", MAIN_PLATFORM, "-f", ini, "-c", "Xoff"), 1,
                 "Xoff has 3 runs, numbered from 0; -r names one of them");

  int status;
  json_t* by_ini =
      command_json(ARGS("cm", DEPLOYMENTS "incast8.cm", MAIN_PLATFORM, "-f", ini, "-c", "Xoff", "-r", "2"), &status);
  json_t* by_set = command_json(ARGS("cm", DEPLOYMENTS "incast8.cm", MAIN_PLATFORM, "--seed", "2", "--set",
                                     "**.switch.SharedBufferManager.StaticPoolXoffThreshold=\"400KB\"", "--set",
                                     "**.switch.SharedBufferManager.StaticPoolXonThreshold=\"200KB\""),
                                &status);
  CU_ASSERT(json_equal(json_object_get(by_ini, "flows"), json_object_get(by_set, "flows")));
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(by_ini, "config")), "Xoff");
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(by_ini, "seed")), 2);
  json_decref(by_ini);
  json_decref(by_set);
}

SGF_SCENARIO(a_run_that_is_not_complete_fails_and_says_what_waits)
{
  char* matrix = text_write("Nodes 2\nConnections 2\nTriggers 1\n0->1 size 5000 send_done_trigger 1\n"
                            "1->0 trigger 1 size 1\ntrigger id 1 oneshot\n",
                            "stuck.cm");
  command_expect(ARGS("cm", matrix, MAIN_PLATFORM, "--set", "**.nic.EgressBufferManager.TotalBufferSize=\"4KB\""), 1,
                 "stuck.cm:5: 1->0 waits for trigger 1, activated 0 times\n");
  command_expect(ARGS("cm", matrix, MAIN_PLATFORM, "--set", "**.nic.EgressBufferManager.TotalBufferSize=\"4KB\""), 1,
                 "NOT COMPLETE: 1 write is not complete");
  free(matrix);
}

/* ---- Wrong files and wrong use ----------------------------------------------------------------------------------- */

SGF_SCENARIO(bad_matrices_are_one_line_with_their_place)
{
  char* matrix = text_write("Nodes 2\nConnections 1\n0->1 sise 1\n", "typo.cm");
  char line[512];
  snprintf(line, sizeof line, "sgfabric: %s:3: unknown word \"sise\"; did you mean size?\n", matrix);
  expect_error(ARGS("cm", matrix, MAIN_PLATFORM), line);
  free(matrix);
  expect_error(ARGS("cm", DEPLOYMENTS "permutation32.cm", MAIN_PLATFORM),
               "sgfabric: " DEPLOYMENTS "permutation32.cm:1: Nodes 32, and the platform has 9 hosts with a NIC\n");
  expect_error(ARGS("cm", "no/such.cm", MAIN_PLATFORM), "sgfabric: no/such.cm: No such file or directory\n");
  command_expect(ARGS("cm", DEPLOYMENTS "incast8.cm", "no/such.xml"), 1, "sgfabric: no/such.xml: ");
  command_expect(ARGS("cm", DEPLOYMENTS "incast8.cm", MAIN_PLATFORM, "-f", "no/such.ini"), 1, "no/such.ini");
}

SGF_SCENARIO(wrong_use_exits_with_2)
{
  command_expect(ARGS("cm", "--help"), 0, "Usage: sgfabric cm FILE PLATFORM");
  command_expect(ARGS("cm"), 2, "cm needs a FILE\n'sgfabric cm --help'");
  command_expect(ARGS("cm", "f.cm"), 2, "cm needs a PLATFORM");
  command_expect(ARGS("cm", "f.cm", "p.xml", "more"), 2, "more");
  command_expect(ARGS("cm", "f.cm", "p.xml", "--pace", "lazy"), 2, "cm has no option --pace");
  command_expect(ARGS("cm", "f.cm", "p.xml", "-c", "A"), 2, "-c needs an ini file");
  command_expect(ARGS("cm", "f.cm", "p.xml", "--", "--log=root.thres:error"), 2, "SimGrid");
}

/* ---- Making matrices --------------------------------------------------------------------------------------------- */

static void expect_file(const char* const* args, const char* path)
{
  char* out;
  char* text = text_read(path);
  CU_ASSERT_EQUAL(command_run(args, &out), 0);
  CU_ASSERT_STRING_EQUAL(out, text);
  free(out);
  free(text);
}

SGF_SCENARIO(the_matrices_of_the_project_are_what_make_prints)
{
  expect_file(ARGS("cm", "--make", "incast", "9", "2MB"), DEPLOYMENTS "incast8.cm");
  expect_file(ARGS("cm", "--make", "permutation", "32", "2MB"), DEPLOYMENTS "permutation32.cm");
  expect_file(ARGS("cm", "--make", "all_to_all:1", "9", "256KB"), DEPLOYMENTS "all_to_all9.cm");
}

SGF_SCENARIO(a_seed_names_one_permutation)
{
  char *one, *seven, *again;
  command_run(ARGS("cm", "--make", "permutation", "32", "2MB"), &one);
  command_run(ARGS("cm", "--make", "permutation", "32", "2MB", "--seed", "7"), &seven);
  command_run(ARGS("cm", "--seed", "7", "32", "--make", "permutation", "2MB"), &again);
  CU_ASSERT_STRING_NOT_EQUAL(one, seven);
  CU_ASSERT_STRING_EQUAL(seven, again);
  free(one);
  free(seven);
  free(again);
}

SGF_SCENARIO(wrong_patterns_exit_with_2)
{
  command_expect(ARGS("cm", "--make", "permuation", "9", "2MB"), 2, "did you mean permutation?");
  command_expect(ARGS("cm", "--make", "incast"), 2, "cm --make needs NODES and SIZE");
  command_expect(ARGS("cm", "--make", "incast", "9"), 2, "cm --make needs NODES and SIZE");
  command_expect(ARGS("cm", "--make", "incast", "1", "2MB"), 2, "takes 2..65536 nodes");
  command_expect(ARGS("cm", "--make", "incast", "nine", "2MB"), 2, "NODES");
  command_expect(ARGS("cm", "--make", "incast", "9", "2"), 2, "SIZE");
  command_expect(ARGS("cm", "--make", "incast", "9", "0B"), 2, "a byte at least");
  command_expect(ARGS("cm", "--make", "incast:2", "9", "2MB"), 2, "takes no number");
  command_expect(ARGS("cm", "--make", "all_to_all:0", "9", "2MB"), 2, "at a time?");
  command_expect(ARGS("cm", "--make", "all_to_all:", "9", "2MB"), 2, "at a time?");
  command_expect(ARGS("cm", "--make", "incast", "9", "2MB", "--json"), 2, "--seed alone");
}
