/* Records of whole runs of the command: named, complete, and the same to the byte however a run is made. */
#include "csv_support.h"
#include "harness.h"
#include "model_seat/model_seat_support.h"
#include "runner/command_support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows often enough for a run of 170 us, and each of them the same in every run. */
#define OFTEN                                                                                                          \
  "--set", "record.time_utc=\"" NOW_STAMP "\"", "--set", "record.StartTime=0", "--set", "record.ClientStartOffset=0",  \
      "--set", "net.record.NDStatsReportInterval=0.00001", "--set", "**.switch.BufferStatsReportInterval=10us",        \
      "--set", "**.switch.ReportPerPortBufferStats=true", "--set", "record.EnableNetworkBufferStatsReporting=true",    \
      "--set", "record.NetworkBufferStatsReportingInterval=0.00001", "--set", "record.EnablePCIeStatsLogging=true",    \
      "--set", "**.nic.EnableBufferStats=true", "--set", "**.nic.EnableEventLogging=true", "--set",                    \
      "**.nic.EnableUETMonitor=true", "--set", "record.EnableFeedbackStats=true", "--set",                             \
      "record.EnableVictimStats=true", "--set", "**.switch.PfcWatchdog.Enable=true"

enum {
  ALL_BUT_BALANCING =
      ((1 << CSV_KINDS) - 1) & ~(1 << CSV_LOAD_BALANCING_STATS) & ~(1 << CSV_VICTIMS) & ~(1 << CSV_PFC_WATCHDOG)
};

static void run(const char* const* args)
{
  char* out        = NULL;
  const int status = command_run(args, &out);
  if (status != 0)
    printf("\n%s", out);
  CU_ASSERT_EQUAL_FATAL(status, 0);
  free(out);
}

#define FOLDER(name) CSV_FOLDER "/" name

/* ---- The main job ------------------------------------------------------------------------------------------------ */

/* RC-08 and RC-09 from a platform file: what the summary says of pauses and drops is what the last rows say. */
SGF_SCENARIO(RC_08_and_RC_09_pauses_of_a_rack_are_those_of_its_summary)
{
  int status   = -1;
  json_t* json = command_json(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--results", FOLDER("rack"), OFTEN, "--set",
                                   "record.NDStatsReportInterval=0.000001"),
                              &status);
  CU_ASSERT_EQUAL_FATAL(status, 0);
  csv_table_t pfc = csv_read_table(FOLDER("rack"), "incast8_d", CSV_ECN_PFC_STATS);
  csv_table_t nd  = csv_read_table(FOLDER("rack"), "incast8_d", CSV_ND_STATS);
  json_t* pause   = NULL;
  size_t i        = 0;
  long long sent  = 0;
  json_array_foreach(json_object_get(json, "pauses"), i, pause)
  {
    char port[16], tc[16];
    snprintf(port, sizeof port, "%lld", json_integer_value(json_object_get(pause, "port")));
    snprintf(tc, sizeof tc, "%lld", json_integer_value(json_object_get(pause, "class")));
    const char* const* of =
        WHERE("component_name", json_string_value(json_object_get(pause, "device")), "ifid", port, "priority", tc);
    size_t last = pfc.row_count;
    for (size_t row = csv_find(&pfc, 0, of); row < pfc.row_count; row = csv_find(&pfc, row + 1, of)) {
      if (last < pfc.row_count)
        CU_ASSERT(csv_integer_at(&pfc, row, "pfcxoff_tx") >= csv_integer_at(&pfc, last, "pfcxoff_tx"));
      last = row;
    }
    CU_ASSERT_FATAL(last < pfc.row_count);
    CU_ASSERT_EQUAL(csv_integer_at(&pfc, last, "pfcxoff_tx"), json_integer_value(json_object_get(pause, "sent")));
    CU_ASSERT_EQUAL(csv_integer_at(&pfc, last, "pfcxon_tx"),
                    json_integer_value(json_object_get(pause, "resumes_sent")));
    CU_ASSERT_EQUAL(csv_integer_at(&pfc, last, "pfcxoff_rx"), json_integer_value(json_object_get(pause, "received")));
    CU_ASSERT(csv_close_to(csv_real_at(&pfc, last, "pfc_time_paused_usec"),
                           json_number_value(json_object_get(pause, "paused_s")) * 1e6));
    sent += csv_integer_at(&pfc, last, "pfcxoff_tx");
  }
  CU_ASSERT(sent > 0);
  for (size_t row = 0; row < nd.row_count; row++)
    CU_ASSERT(csv_integer_at(&nd, row, "rx_drops") == 0 && csv_integer_at(&nd, row, "tx_drops") == 0);
  csv_free_table(&pfc);
  csv_free_table(&nd);
  json_decref(json);
}

SGF_SCENARIO(two_runs_leave_the_same_records)
{
  run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--results", FOLDER("first"), OFTEN));
  run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--results", FOLDER("second"), OFTEN));
  unsigned there = 0;
  for (csv_kind_t kind = 0; kind < CSV_KINDS; kind++) {
    csv_table_t table = csv_read_table(FOLDER("first"), "incast8_d", kind);
    there |= (unsigned)(table.row_count > 0) << kind;
    csv_free_table(&table);
  }
  CU_ASSERT_EQUAL(there, ALL_BUT_BALANCING); /* one switch has no equal-cost sets; who are paused cause it; no
                                                storm comes so soon */
  CU_ASSERT(csv_same_runs(FOLDER("first"), "incast8_d", FOLDER("second"), "incast8_d"));
}

/* A kernel round for each event or one now and then: the rows are of the engine's dates. */
SGF_SCENARIO(the_pace_of_the_seat_does_not_show)
{
  static const char leaf_spine[] = SGF_SOURCE_DIR "/platforms/leaf_spine_32.xml";
  static const char permuted[]   = SGF_SOURCE_DIR "/deployments/permutation_leaf_spine_d.xml";
  run(ARGS("run", leaf_spine, permuted, "--results", FOLDER("lazy"), OFTEN));
  run(ARGS("run", leaf_spine, permuted, "--results", FOLDER("reference"), "--pace", "reference", OFTEN));
  csv_table_t balance = csv_read_table(FOLDER("lazy"), "permutation_leaf_spine_d", CSV_LOAD_BALANCING_STATS);
  CU_ASSERT(balance.row_count > 0);
  csv_free_table(&balance);
  CU_ASSERT(csv_same_runs(FOLDER("lazy"), "permutation_leaf_spine_d", FOLDER("reference"), "permutation_leaf_spine_d"));
}

SGF_SCENARIO(without_a_folder_nothing_is_written)
{
  char* out = NULL;
  CU_ASSERT_EQUAL(
      model_shell(&out,
                  "rm -rf %s && mkdir -p %s && cd %s && %s run %s %s --set record.nd-stats=true > /dev/null "
                  "&& ls",
                  FOLDER("nothing"), FOLDER("nothing"), FOLDER("nothing"), MODEL_COMMAND, MAIN_PLATFORM,
                  MAIN_DEPLOYMENT),
      0);
  CU_ASSERT_STRING_EQUAL(out, "");
  free(out);
}

SGF_SCENARIO(a_folder_that_cannot_be_made_ends_the_run_before_it_begins)
{
  char* out = NULL;
  CU_ASSERT_EQUAL(command_run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--results", "/proc/no"), &out), 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "sgfabric: folder '/proc/no' cannot be made"));
  free(out);
}

SGF_SCENARIO(a_record_that_cannot_be_written_to_its_end_fails_the_run)
{
  char* out = NULL;
  CU_ASSERT_EQUAL(
      model_shell(&out, "mkdir -p %s && ln -sf /dev/full %s/incast8_d-nd-stats-0.csv", FOLDER("full"), FOLDER("full")),
      0);
  free(out);
  CU_ASSERT_EQUAL(command_run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--results", FOLDER("full"), OFTEN), &out),
                  1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "incast8_d-nd-stats-0.csv' could not be written to its end"));
  free(out);
}

/* ---- Studies ----------------------------------------------------------------------------------------------------- */

static void write_ini(const char* name, const char* results)
{
  FILE* file = fopen(name, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fprintf(file,
          "[General]\nplatform = \"%s\"\ndeployment = \"%s\"\n%s"
          "record.time_utc = \"" NOW_STAMP "\"\nnet.record.StartTime = 0\nrecord.ClientStartOffset = 0\n"
          "record.NDStatsReportInterval = 0.00001\nrecord.topology-report = false\nrecord.ecn-* = false\n"
          "**.switch.StaticPoolXoffThreshold = ${xoff=100,200}KB\nrepeat = 2\n",
          MAIN_PLATFORM, MAIN_DEPLOYMENT, results);
  fclose(file);
}

static void check_study(const char* folder)
{
  static const char* const names[] = {"General-xoff=100-#0", "General-xoff=100-#1", "General-xoff=200-#0",
                                      "General-xoff=200-#1"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    csv_table_t nd = csv_read_table(folder, names[i], CSV_ND_STATS);
    CU_ASSERT(nd.row_count > 0);
    CU_ASSERT_STRING_EQUAL(csv_at(&nd, 0, "sim_time_sec"), "1e-05");
    csv_free_table(&nd);
    CU_ASSERT_FALSE(csv_exists(folder, names[i], CSV_TOPOLOGY_REPORT));
    CU_ASSERT_FALSE(csv_exists(folder, names[i], CSV_ECN_PFC_STATS));
    CU_ASSERT_TRUE(csv_exists(folder, names[i], CSV_AGG_BUFF_STATS));
  }
}

SGF_SCENARIO(each_run_of_a_study_has_records_of_its_own)
{
  static const char option[] = SGF_BINARY_DIR "/records_option.ini";
  static const char own[]    = SGF_BINARY_DIR "/records_own.ini";
  write_ini(option, "");
  run(ARGS("run", "-f", option, "--results", FOLDER("study")));
  check_study(FOLDER("study"));
  write_ini(own, "result-dir = \"" FOLDER("own") "\"\n");
  run(ARGS("run", "-f", own));
  check_study(FOLDER("own"));
}

SGF_SCENARIO(a_limit_ends_the_records)
{
  static const char name[] = SGF_BINARY_DIR "/records_limit.ini";
  char* out                = NULL;
  write_ini(name, "sim-time-limit = 35us\n");
  CU_ASSERT_EQUAL(command_run(ARGS("run", "-f", name, "-r", "0", "--results", FOLDER("limit")), &out), 1);
  csv_table_t nd = csv_read_table(FOLDER("limit"), "General-xoff=100-#0", CSV_ND_STATS);
  CU_ASSERT_STRING_EQUAL(csv_at(&nd, nd.row_count - 1, "sim_time_sec"), "3e-05");
  csv_free_table(&nd);
  free(out);
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void check_refused(const char* set, const char* reason)
{
  char* out = NULL;
  CU_ASSERT_EQUAL(command_run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--set", set), &out), 1);
  if (strstr(out, reason) == NULL)
    printf("\n%s: %s", set, out);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, reason));
  free(out);
}

SGF_SCENARIO(assignments_that_mean_no_record_are_refused)
{
  check_refused("record.nd-stat=false", "record has no attribute \"nd-stat\"; did you mean nd-stats?");
  check_refused("record.NDStatsReportIntervall=1", "did you mean NDStatsReportInterval?");
  check_refused("record.nd-stats=no", "must be true or false");
  check_refused("record.NDStatsReportInterval=0", "must be within");
  check_refused("record.NDStatsReportInterval=1ms", "NDStatsReportInterval");
  check_refused("record.time_utc=today", "must have the form 9999-99-99T99:99:99Z");
  check_refused("record.scala-*x=false", "record has no attribute whose whole path matches");
  check_refused("net.rack0.record.nd-stats=false", "records belong to the whole run: write record.nd-stats");
  check_refused("record=1", "no attribute of a device");
}
