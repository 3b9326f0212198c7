/* `sgfabric run -f INI`: the runs of a study. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

/* ---- Files ----------------------------------------------------------------------------------------------------- */

static const char* const one_write = "<actor host=\"gpu0\" function=\"rdma_write\"><argument value=\"gpu1\"/>"
                                     "<argument value=\"64KB\"/></actor>";

/* An ini file beside a platform of three hosts and a deployment, which it names as files of its own folder. */
static char* study_write(const char* lines, const char* name)
{
  char file[64];
  char text[4096];
  rack_t rack = rack_of(3);
  snprintf(file, sizeof file, "%s.xml", name);
  free(rack_write(&rack, file));
  snprintf(file, sizeof file, "%s_d.xml", name);
  free(deployment_write(one_write, file));
  snprintf(text, sizeof text, "[General]\nplatform = \"%s.xml\"\ndeployment = \"%s_d.xml\"\n%s", name, name, lines);
  snprintf(file, sizeof file, "%s.ini", name);
  return text_write(text, file);
}

enum { FIRST_LINE = 4 }; /* of those that a test gives to study_write */

static json_t* run_json(const char* const* args, size_t runs)
{
  json_t* root = command_object(args);
  CU_ASSERT_EQUAL_FATAL(json_array_size(root), runs);
  return root;
}

/* Size of a host's receive pool of class 0, nine tenths of its TotalBufferSize: what the runs below change. */
static json_int_t receive_pool(const json_t* run, const char* host)
{
  size_t i;
  const json_t* pool;
  json_array_foreach(json_object_get(run, "pools"), i, pool)
  {
    if (strcmp(member_text(pool, "owner"), host) == 0 && strcmp(member_text(pool, "pool"), "rx0") == 0)
      return member_integer(pool, "size_bytes");
  }
  CU_FAIL("no such pool");
  return 0;
}

#define BUFFER "nic.IngressBufferManager.TotalBufferSize"
static const json_int_t mega_pool = 900000; /* of a buffer of 1 MB */

static void check_output(const char* const* args, int status, const char* const* words)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(args, &out), status);
  for (; *words; words++)
    if (!strstr(out, *words)) {
      printf("\n\"%s\" is not in:\n%s", *words, out);
      CU_FAIL("a word is missing");
    }
  free(out);
}

/* ---- Runs and their variables ---------------------------------------------------------------------------------- */

SGF_SCENARIO(each_combination_of_the_variables_is_a_run)
{
  char* ini    = study_write("repeat = 2\n**." BUFFER " = ${size = 1, 2, 3}MB\n", "study_runs");
  json_t* root = run_json(ARGS("run", "-f", ini), 6);
  for (size_t i = 0; i < 6; i++) {
    const json_t* run      = json_array_get(root, i);
    const char* const size = member_text(json_object_get(run, "itervars"), "size");
    CU_ASSERT(json_is_true(json_object_get(run, "complete")));
    CU_ASSERT_STRING_EQUAL(member_text(run, "config"), "General");
    CU_ASSERT_EQUAL(member_integer(run, "run"), (json_int_t)i);
    CU_ASSERT_EQUAL(member_integer(run, "repetition"), (json_int_t)i % 2);
    CU_ASSERT_EQUAL(member_integer(run, "seed"), (json_int_t)i); /* as in OMNeT++ */
    CU_ASSERT_EQUAL(strtoul(size, NULL, 10), 1 + i / 2);
    CU_ASSERT_EQUAL(receive_pool(run, "gpu2"), (json_int_t)(1 + i / 2) * mega_pool);
  }
  json_decref(root);
  free(ini);
}

SGF_SCENARIO(runs_are_chosen_and_keep_their_order_in_parallel)
{
  static const json_int_t chosen[] = {0, 2, 3, 4, 7};

  char* ini    = study_write("**." BUFFER " = ${1..9}MB\n", "study_chosen");
  json_t* root = run_json(ARGS("run", "-f", ini, "-r", "7,2..4,0,3", "-j", "3"), sizeof chosen / sizeof *chosen);
  for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
    CU_ASSERT_EQUAL(member_integer(json_array_get(root, i), "run"), chosen[i]);
    CU_ASSERT_EQUAL(receive_pool(json_array_get(root, i), "gpu0"), (1 + chosen[i]) * mega_pool);
  }
  json_decref(root);
  free(ini);
}

SGF_SCENARIO(one_run_is_one_object)
{
  int status;
  char* ini    = study_write("**." BUFFER " = ${1, 2}MB\n", "study_one");
  json_t* root = command_json(ARGS("run", "-f", ini, "-r", "1"), &status);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT_EQUAL(member_integer(root, "run"), 1);
  CU_ASSERT_STRING_EQUAL(member_text(json_object_get(root, "itervars"), "0"),
                         "2"); /* an unnamed variable has a number */
  json_decref(root);
  free(ini);
}

SGF_SCENARIO(no_run_at_all_is_an_empty_array)
{
  char* ini = study_write("constraint = $size > 2\n**." BUFFER " = ${size = 1, 2}MB\n", "study_none");
  json_decref(run_json(ARGS("run", "-f", ini), 0));
  check_output(ARGS("run", "-f", ini), 0, ARGS("\n0 runs: 0 complete, 0 failed\n"));
  free(ini);
}

SGF_SCENARIO(runs_are_listed_and_not_simulated)
{
  char* ini = study_write("[Config Sizes]\ndescription = \"receive buffers\"\nrepeat = 2\n"
                          "**." BUFFER " = ${size = 1, 2}MB\n",
                          "study_list");
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", "-f", ini, "-c", "Sizes", "-q", "runs"), &out), 0);
  CU_ASSERT_STRING_EQUAL(out, "Config Sizes: 4 runs, receive buffers\n"
                              "Run 0 of Sizes: $size=1, $repetition=0\nRun 1 of Sizes: $size=1, $repetition=1\n"
                              "Run 2 of Sizes: $size=2, $repetition=0\nRun 3 of Sizes: $size=2, $repetition=1\n");
  free(out);
  json_t* root = run_json(ARGS("run", "-f", ini, "-c", "Sizes", "-r", "3", "-q", "runs"), 1);
  CU_ASSERT_EQUAL(member_integer(json_array_get(root, 0), "run"), 3);
  CU_ASSERT_STRING_EQUAL(member_text(json_object_get(json_array_get(root, 0), "itervars"), "size"), "2");
  CU_ASSERT_PTR_NULL(json_object_get(json_array_get(root, 0), "complete"));
  json_decref(root);
  free(ini);
}

SGF_SCENARIO(the_summaries_say_which_run_they_are_of)
{
  char* ini = study_write("**." BUFFER " = ${size = 1, 2}MB\n", "study_text");
  check_output(ARGS("run", "-f", ini), 0,
               ARGS("Run 0 of General: $size=1, $repetition=0\n", "\n\nRun 1 of General: $size=2, $repetition=0\n",
                    "complete: 1 flow, lossless\n\n2 runs: 2 complete, 0 failed\n"));
  free(ini);
}

/* ---- Options --------------------------------------------------------------------------------------------------- */

static void check_seeds(const char* lines, const char* seed, json_int_t first, json_int_t second, const char* name)
{
  char* ini    = study_write(lines, name);
  json_t* root = run_json(ARGS("run", "-f", ini, seed ? "--seed" : "-j1", seed ? seed : "-j1"), 2);
  CU_ASSERT_EQUAL(member_integer(json_array_get(root, 0), "seed"), first);
  CU_ASSERT_EQUAL(member_integer(json_array_get(root, 1), "seed"), second);
  json_decref(root);
  free(ini);
}

SGF_SCENARIO(seeds_are_those_of_seed_set_unless_one_is_given)
{
  check_seeds("repeat = 2\n", NULL, 0, 1, "study_seed");
  check_seeds("repeat = 2\nseed-set = 5${repetition}\n", NULL, 50, 51, "study_seed_set");
  check_seeds("repeat = 2\nseed-set = ${repetition}\n", "7", 7, 7, "study_seed_given");
}

SGF_SCENARIO(files_of_the_command_line_come_before_those_of_the_ini_file)
{
  int status;
  char* ini        = study_write("", "study_files");
  char* deployment = deployment_write("<actor host=\"gpu0\" function=\"sink\"/>", "study_other_d.xml");
  json_t* root     = command_json(ARGS("run", "-f", ini, SGF_SOURCE_DIR "/platforms/rack9.xml", deployment), &status);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "flows")), 0);
  CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "links")), 18);
  json_decref(root);
  free(deployment);
  free(ini);
}

SGF_SCENARIO(a_time_limit_ends_the_run)
{
  int status;
  char* ini    = study_write("sim-time-limit = ${limit = 1us, 1ms}\n", "study_limit");
  json_t* root = command_json(ARGS("run", "-f", ini), &status);
  CU_ASSERT_EQUAL(status, 1);
  const json_t* cut   = json_array_get(root, 0);
  const json_t* whole = json_array_get(root, 1);
  CU_ASSERT(json_is_false(json_object_get(cut, "complete")));
  CU_ASSERT_DOUBLE_EQUAL(json_real_value(json_object_get(cut, "simulated_time_s")), 1e-6, 1e-18);
  CU_ASSERT(json_is_null(json_object_get(json_array_get(json_object_get(cut, "flows"), 0), "end_s")));
  CU_ASSERT(json_is_true(json_object_get(whole, "complete")));
  CU_ASSERT(json_real_value(json_object_get(whole, "simulated_time_s")) < 1e-3); /* the last event is earlier */
  CU_ASSERT(json_is_real(json_object_get(json_array_get(json_object_get(whole, "flows"), 0), "end_s")));
  json_decref(root);
  check_output(ARGS("run", "-f", ini), 1, ARGS("NOT COMPLETE: ", "\n2 runs: 1 complete, 1 failed\n"));
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", "-f", ini), &out), 1);
  CU_ASSERT_PTR_NULL(strstr(out, "ker_engine")); /* SimGrid does not complain of the actors that were cut off */
  free(out);
  check_output(ARGS("run", "-f", ini, "--no-drain", "-r", "1"), 0,
               ARGS("study_limit.ini:4: sim-time-limit ends the run: --no-drain has no effect\n"));
  free(ini);
}

/* The writer is killed before its bytes have crossed the cable: 64 KB take 1.3 us at 400 Gb/s. */
SGF_SCENARIO(what_is_in_flight_goes_on_until_the_time_limit)
{
  char* ini = study_write("sim-time-limit = ${1us, 1ms}\n", "study_flight");
  char* deployment =
      deployment_write("<actor host=\"gpu0\" function=\"rdma_write\" kill_time=\"0.0000005\"><argument value=\"gpu1\"/>"
                       "<argument value=\"64KB\"/></actor>",
                       "study_killed_d.xml");
  check_output(ARGS("run", "-f", ini, SGF_BINARY_DIR "/validation/runner/study_flight.xml", deployment), 1,
               ARGS("1 us simulated", "NOT COMPLETE: 1 write is not complete at 0.000001000000 s",
                    "complete: 1 flow, lossless"));
  free(deployment);
  free(ini);
}

/* ---- Assignments ----------------------------------------------------------------------------------------------- */

SGF_SCENARIO(the_first_line_that_matches_wins_and_set_comes_before_it)
{
  int status;
  char* ini =
      study_write("**.gpu0." BUFFER " = 1MB\n**.gpu1." BUFFER " = default\n**." BUFFER " = 2MB\n", "study_rank");
  json_t* root = command_json(ARGS("run", "-f", ini), &status);
  CU_ASSERT_EQUAL(receive_pool(root, "gpu0"), mega_pool);
  CU_ASSERT_EQUAL(receive_pool(root, "gpu1"), 4 * mega_pool); /* the declared default, 4 MB */
  CU_ASSERT_EQUAL(receive_pool(root, "gpu2"), 2 * mega_pool);
  json_decref(root);
  root = command_json(ARGS("run", "-f", ini, "--set", "**.gpu{0..1}." BUFFER "=3MB"), &status);
  CU_ASSERT_EQUAL(receive_pool(root, "gpu0"), 3 * mega_pool);
  CU_ASSERT_EQUAL(receive_pool(root, "gpu1"), 3 * mega_pool);
  CU_ASSERT_EQUAL(receive_pool(root, "gpu2"), 2 * mega_pool);
  json_decref(root);
  free(ini);
}

SGF_SCENARIO(a_line_that_nothing_takes_is_a_warning_and_a_set_an_error)
{
  char* ini = study_write("**.gpu7." BUFFER " = 1MB\n**.vector-recording = false\n", "study_untaken");
  check_output(ARGS("run", "-f", ini), 0,
               ARGS("warning: ", "study_untaken.ini:4: no device took **.gpu7." BUFFER,
                    "study_untaken.ini:5: **.vector-recording has no effect", "\n  2 warnings, above\n"));
  int status;
  json_t* root = command_json(ARGS("run", "-f", ini), &status);
  CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "warnings")), 2);
  json_decref(root);
  check_output(ARGS("run", "-f", ini, "--set", "**.gpu7." BUFFER "=1MB"), 1,
               ARGS("sgfabric: --set: **.gpu7." BUFFER, "\n1 run: 0 complete, 1 failed\n"));
  free(ini);
}

/* ---- What is wrong --------------------------------------------------------------------------------------------- */

/* The one message names the ini file, the line and `word`. */
static void check_refused(const char* lines, size_t line, const char* word, const char* name)
{
  char place[64];
  snprintf(place, sizeof place, "%s.ini:%zu: ", name, line);
  char* ini = study_write(lines, name);
  check_output(ARGS("run", "-f", ini), 1, ARGS("sgfabric: ", place, word));
  free(ini);
}

SGF_SCENARIO(bad_lines_are_refused_with_their_place)
{
  check_refused("**.nic.IngressBufferManager.TotalBuferSize = 1MB\n", FIRST_LINE, "TotalBufferSize", "study_typo");
  check_refused("\n**." BUFFER " = 4Gbps\n", FIRST_LINE + 1, "Gbps", "study_unit");
  check_refused("**.TotalBufferSize = 4MB\n", FIRST_LINE, "no attribute of a device", "study_prefix");
  check_refused("seed-set = -1\n", FIRST_LINE, "seed-set", "study_bad_seed");
  check_refused("sim-time-limit = 3\n", FIRST_LINE, "sim-time-limit", "study_bad_limit");
  check_refused("sim-time-limt = 3s\n", FIRST_LINE, "sim-time-limit", "study_bad_option");
  check_refused("[Config A]\nplatform = p.xml\nextends = B\n", FIRST_LINE + 2, "B", "study_bad_extends");
}

SGF_SCENARIO(a_file_that_is_not_named_or_not_there_is_refused)
{
  char* ini = text_write("[General]\nplatform = rack.xml\n", "study_unquoted.ini");
  check_output(ARGS("run", "-f", ini), 1, ARGS("study_unquoted.ini:2: ", "quotes"));
  free(ini);
  ini = text_write("[General]\n", "study_nothing.ini");
  check_output(ARGS("run", "-f", ini), 1, ARGS("study_nothing.ini: no platform"));
  check_output(ARGS("run", "-f", ini, MAIN_PLATFORM), 1, ARGS("study_nothing.ini: no deployment"));
  check_output(ARGS("run", "-f", "no/such.ini"), 1, ARGS("sgfabric: no/such.ini"));
  free(ini);
}

SGF_SCENARIO(configurations_and_runs_that_do_not_exist_are_refused)
{
  char* ini = study_write("[Config Sizes]\n**." BUFFER " = ${1, 2}MB\n", "study_choice");
  check_output(ARGS("run", "-f", ini, "-c", "Size"), 1, ARGS("study_choice.ini", "did you mean Sizes?"));
  static const char* const lists[] = {"2", "0..2", "1..0", "", "0,", "a", "-1", "0.1", "0...1", "0 1"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    check_output(ARGS("run", "-f", ini, "-c", "Sizes", "-r", lists[i]), 2, ARGS("-r ", "Sizes has 2 runs"));
  free(ini);
}

SGF_SCENARIO(a_run_that_cannot_begin_has_its_place_in_the_array)
{
  int status;
  char* ini    = study_write("**." BUFFER " = ${size = 1MB, 1us}\n", "study_broken");
  json_t* root = command_json(ARGS("run", "-f", ini, "-j", "2"), &status);
  CU_ASSERT_EQUAL(status, 1);
  CU_ASSERT_EQUAL_FATAL(json_array_size(root), 2);
  CU_ASSERT(json_is_true(json_object_get(json_array_get(root, 0), "complete")));
  const json_t* broken = json_array_get(root, 1);
  CU_ASSERT(json_is_false(json_object_get(broken, "complete")));
  CU_ASSERT_STRING_EQUAL(member_text(json_object_get(broken, "itervars"), "size"), "1us");
  CU_ASSERT_PTR_NOT_NULL(strstr(member_text(broken, "error"), "study_broken.ini:4: "));
  json_decref(root);
  free(ini);
}

/* Its runs are complete all the same. */
SGF_SCENARIO(a_study_that_cannot_be_printed_fails)
{
  char* ini = study_write("repeat = 3\n", "study_full");
  char out[1024];
  char* const argv[] = {"/bin/sh", "-c", "exec \"$0\" run -f \"$1\" --json >/dev/full", SGF_BINARY_DIR "/sgfabric",
                        ini,       NULL};
  CU_ASSERT_EQUAL(sgf_test_run(argv, out, sizeof out), 1);
  CU_ASSERT_STRING_EQUAL(out, "3 runs: 3 complete, 0 failed\nsgfabric: the results could not be written\n");
  free(ini);
}

/* Each run needs two files of its own. */
SGF_SCENARIO(what_the_system_has_none_left_of_is_said)
{
  char* ini = study_write("repeat = 8\n", "study_lacking");
  char out[8192];
  char* const argv[] = {"/bin/sh", "-c", "ulimit -n 8; exec \"$0\" run -f \"$1\" -j 8", SGF_BINARY_DIR "/sgfabric",
                        ini,       NULL};
  CU_ASSERT_EQUAL(sgf_test_run(argv, out, sizeof out), 1);
  text_expect(out, "sgfabric: the system has no process or file left for a run: Too many open files\n");
  text_expect(out, "\n8 runs: ");
  free(ini);
}

SGF_SCENARIO(a_run_that_simgrid_ends_is_counted_as_failed)
{
  char* ini = study_write("repeat = 2\n", "study_lost");
  check_output(ARGS("run", "-f", ini, "-j", "2", "--json", "--", "--cfg=no/such/key:1"), 1,
               ARGS("\"itervars\": {}", "\"error\": \"ended ", "\n2 runs: 0 complete, 2 failed\n"));
  free(ini);
}
