/* What a run has come to, said to people and to programs: of reports made by hand. */
#include "report/report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

/* ---- Text -------------------------------------------------------------------------------------------------------- */

SGF_TEST(numbers_have_four_digits_and_the_unit_that_fits)
{
  CU_ASSERT_STRING_EQUAL(report_time(0).at, "0");
  CU_ASSERT_STRING_EQUAL(report_time(999).at, "999 ps");
  CU_ASSERT_STRING_EQUAL(report_time(42940000).at, "42.94 us");
  CU_ASSERT_STRING_EQUAL(report_time(999949).at, "999.9 ns");
  CU_ASSERT_STRING_EQUAL(report_time(999960).at, "1.000 us"); /* not 1000 ns */
  CU_ASSERT_STRING_EQUAL(report_rate(360.2e9).at, "360.2 Gb/s");
  CU_ASSERT_STRING_EQUAL(report_bytes(200000).at, "200 KB");
  CU_ASSERT_STRING_EQUAL(report_bytes(1e16).at, "10000 TB"); /* the last unit has to do */
}

SGF_TEST(exact_numbers_keep_up_to_nine_digits)
{
  CU_ASSERT_STRING_EQUAL(report_exact_time(504320).at, "504.32 ns");
  CU_ASSERT_STRING_EQUAL(report_exact_time(123456789).at, "123.456789 us");
  CU_ASSERT_STRING_EQUAL(report_exact_rate(INT64_C(504320000000)).at, "504.32 Gb/s");
}

SGF_TEST(counts_are_grouped_and_have_a_plural)
{
  CU_ASSERT_STRING_EQUAL(report_count(0).at, "0");
  CU_ASSERT_STRING_EQUAL(report_count(999).at, "999");
  CU_ASSERT_STRING_EQUAL(report_count(1000).at, "1,000");
  CU_ASSERT_STRING_EQUAL(report_count(UINT64_MAX).at, "18,446,744,073,709,551,615");
  CU_ASSERT_STRING_EQUAL(report_counted(1, "flow").at, "1 flow");
  CU_ASSERT_STRING_EQUAL(report_counted(0, "flow").at, "0 flows");
  CU_ASSERT_STRING_EQUAL(report_counted(1728, "frame").at, "1,728 frames");
  CU_ASSERT_STRING_EQUAL(report_percent(1, 3).at, "33.3 %");
  CU_ASSERT_STRING_EQUAL(report_percent(1, 0).at, "0.0 %");
}

SGF_TEST(a_table_is_as_wide_as_its_cells_and_is_empty_afterwards)
{
  static const char* const titles[] = {"<name", ">n", "<last"};
  report_table_t table              = {.titles = titles, .columns = 3};
  char* text                        = NULL;
  size_t size                       = 0;
  FILE* out                         = open_memstream(&text, &size);
  const char* const cells[]         = {"gpu0", "1", "", "a longer one", "1,234", "end"};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
    report_table_cell(&table, "%s", cells[i]);
  report_table_print(&table, out);
  CU_ASSERT_EQUAL(table.count, 0);
  CU_ASSERT_PTR_NULL(table.cells);
  report_table_print(&table, out);
  fclose(out);
  CU_ASSERT_STRING_EQUAL(text, "  name              n  last\n"
                               "  gpu0              1\n"
                               "  a longer one  1,234  end\n"
                               "  name  n  last\n");
  free(text);
}

SGF_TEST(a_table_has_room_for_any_number_of_cells)
{
  static const char* const titles[] = {">n"};
  report_table_t table              = {.titles = titles, .columns = 1};
  char* text                        = NULL;
  size_t size                       = 0;
  FILE* out                         = open_memstream(&text, &size);
  enum { ROWS = 1000, WIDTH = 2 + 3 + 1 };
  for (int i = 0; i < ROWS; i++)
    report_table_cell(&table, "%d", i);
  report_table_print(&table, out);
  fclose(out);
  CU_ASSERT_EQUAL(size, (ROWS + 1) * WIDTH);
  CU_ASSERT_STRING_EQUAL(text + ROWS * WIDTH, "  999\n");
  free(text);
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

/* Two flows of which one has ended, on a fabric of nothing. */
static const sgf_flow_t flows[]          = {{.src = "a", .dst = "b", .bytes = 1000000, .end = 20 * OPP_US},
                                            {.src = "b", .dst = "a", .bytes = 5, .start = OPP_US, .end = -1}};
static const sgf_drop_count_t no_drops[] = {{"nic_ingress_pool", 0}, {"switch_headroom", 0}};
static const sgf_drop_count_t drops[]    = {{"nic_ingress_pool", 3}, {"switch_headroom", 1}};
static const sgf_pool_peak_t pools[] = {{"s", "pool0", 4000000, 1000, 0}, {"s port 0", "pool0 ingress", 200, 100, 200}};
static const sgf_report_t plain_report = {.clock       = 20 * OPP_US,
                                          .packet_hops = 1234,
                                          .events      = 5000,
                                          .flow_count  = 2,
                                          .flows       = flows,
                                          .drop_count  = 2,
                                          .drops       = no_drops,
                                          .pool_count  = 2,
                                          .pools       = pools};

static sgf_fabric_t* empty_fabric(void)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, NULL), SGF_OK);
  return fabric;
}

static report_result_t result_of(const sgf_fabric_t* fabric, const sgf_report_t* report)
{
  return (report_result_t){.traffic       = "program",
                           .platform      = "rack.xml",
                           .seed          = 7,
                           .fabric        = fabric,
                           .report        = report,
                           .wall_time_s   = 0.5,
                           .kernel_rounds = 2};
}

/* To be freed. */
static char* printed(void (*print)(const report_result_t* result, FILE* out), const report_result_t* result)
{
  char* text  = NULL;
  size_t size = 0;
  FILE* out   = open_memstream(&text, &size);
  print(result, out);
  fclose(out);
  return text;
}

static void expect(void (*print)(const report_result_t* result, FILE* out), const report_result_t* result,
                   const char* expected)
{
  char* text = printed(print, result);
  CU_ASSERT_STRING_EQUAL(text, expected);
  if (strcmp(text, expected) != 0)
    printf("\nprinted:\n%s\n", text);
  free(text);
}

SGF_TEST(the_summary_is_for_people)
{
  const char* const warnings[] = {"x.ini:3: result-dir has no effect"};
  sgf_fabric_t* fabric         = empty_fabric();
  report_result_t result       = result_of(fabric, &plain_report);
  result.warnings              = warnings;
  result.warning_count         = 1;
  expect(
      report_print_summary, &result,
      "program on rack.xml\n"
      "warning: x.ini:3: result-dir has no effect\n"
      "\nFlows: 2, 1 complete\n"
      "  src  dst  size  start    end   time   goodput\n"
      "  a    b    1 MB      0  20 us  20 us  400 Gb/s\n"
      "  b    a     5 B   1 us  never       \n"
      "                         p0       p50       p90       p99      p100\n"
      "  completion time     20 us     20 us     20 us     20 us     20 us\n"
      "  goodput          400 Gb/s  400 Gb/s  400 Gb/s  400 Gb/s  400 Gb/s\n"
      "\nFrames: 1,234 packet-hops, 0 retransmissions\n"
      "\nDrops: nothing was dropped\n"
      "\nPauses: PFC never fired; nearest to it was pool0 ingress of s port 0 with a peak of 100 B against Xoff 200 B "
      "(50.0 %)\n"
      "\nFullest pools\n"
      "  owner     pool            peak   Xoff   size  of Xoff or size\n"
      "  s port 0  pool0 ingress  100 B  200 B  200 B           50.0 %\n"
      "  s         pool0           1 KB      -   4 MB            0.0 %\n"
      "\nBusiest links\n"
      "  from  port  to  frames  bytes  busy\n"
      "\nRun: 20 us simulated in 500 ms of wall time, seed 7\n"
      "  1 warning, above\n"
      "  1,234 packet-hops (2,468 a second), 5,000 events, 2 kernel rounds\n"
      "\ncomplete: 2 flows, lossless\n");
  CU_ASSERT_EQUAL(report_warning_count(&result), 1);
  CU_ASSERT_STRING_EQUAL(report_warning(&result, 0), warnings[0]);
  sgf_fabric_free(fabric);
}

SGF_TEST(the_verdict_counts_what_was_dropped)
{
  sgf_report_t report    = plain_report;
  report.drops           = drops;
  report_result_t result = result_of(NULL, &report);
  CU_ASSERT_EQUAL(report_total_drops(&report), 4);
  expect(report_print_verdict, &result, "complete: 2 flows, 4 frames dropped and recovered\n");
}

SGF_TEST(the_verdict_names_what_waits_up_to_a_number)
{
  report_result_t result = result_of(NULL, &plain_report);
  result.end             = SGF_STALLED;
  expect(report_print_verdict, &result, "NOT COMPLETE: work is outstanding and nothing can move\n");
  sgf_error_set(&result.reason, SGF_STALLED, "1 write is not complete");
  report_note_wait(&result, "gpu0 waits for gpu1");
  expect(report_print_verdict, &result, "Waiting\n  gpu0 waits for gpu1\nNOT COMPLETE: 1 write is not complete\n");
  for (int i = 0; i < REPORT_MAX_WAITS + 1; i++)
    report_note_wait(&result, "and so on");
  CU_ASSERT_EQUAL(result.wait_count, REPORT_MAX_WAITS + 2);
  char* text = printed(report_print_verdict, &result);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "  and so on\n  ... and 2 more\nNOT COMPLETE: "));
  free(text);
}

SGF_TEST(a_percentile_is_the_nearest_rank)
{
  enum { FLOWS = 200 };
  sgf_flow_t many[FLOWS];
  for (int i = 0; i < FLOWS; i++) /* times 200 ... 1, in the order of posting */
    many[i] = (sgf_flow_t){.src = "a", .dst = "b", .bytes = 1, .start = 5, .end = 5 + FLOWS - i};
  many[0].end               = -1; /* 199 have ended */
  const sgf_report_t report = {.flow_count = FLOWS, .flows = many};
  size_t count              = 0;
  double* times             = report_completion_times(&report, &count);
  CU_ASSERT_EQUAL_FATAL(count, FLOWS - 1);
  CU_ASSERT_EQUAL(report_percentile(times, count, 0), 1);
  CU_ASSERT_EQUAL(report_percentile(times, count, 50), 100); /* 99.5 flows: 100 */
  CU_ASSERT_EQUAL(report_percentile(times, count, 90), 180); /* 179.1 */
  CU_ASSERT_EQUAL(report_percentile(times, count, 99), 198); /* 197.01 */
  CU_ASSERT_EQUAL(report_percentile(times, count, 100), 199);
  free(times);
}

/* ---- Headroom and feedback --------------------------------------------------------------------------------------- */

static const sgf_headroom_use_t headrooms[] = {
    {"a", 1, 1, 0, 0, 72000}, {"s", 0, 4, 2, 53768, 109000}, {"t", 0, 1, 0, 30, 0}};

static sgf_report_t paused_report(void)
{
  sgf_report_t report   = plain_report;
  report.headroom_count = sizeof headrooms / sizeof *headrooms;
  report.headrooms      = headrooms;
  return report;
}

SGF_TEST(headroom_that_was_needed_stands_against_what_was_given)
{
  sgf_fabric_t* fabric      = empty_fabric();
  const sgf_report_t report = paused_report();
  report_result_t result    = result_of(fabric, &report);
  char* text                = printed(report_print_summary, &result);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nHeadroom of the classes that paused, fullest first\n"
                                      "  device  class  ports that paused    needed      given    used\n"
                                      "  t           0                  1      30 B        0 B       -\n"
                                      "  s           0                  4  53,768 B  109,000 B  49.3 %\n"
                                      "  a           1                  1       0 B   72,000 B   0.0 %\n"
                                      "\nFullest pools\n"));
  CU_ASSERT_PTR_NULL(strstr(text, "Feedback times")); /* nobody measures them */
  free(text);
  sgf_fabric_free(fabric);
}

SGF_TEST(feedback_times_are_shown_when_they_are_measured)
{
  sgf_fabric_t* fabric   = empty_fabric();
  report_result_t result = result_of(fabric, &plain_report);
  sgf_feedback_measure(fabric);
  char* text = printed(report_print_summary, &result);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nFeedback times\n"
                                      "                              events  min  p50  p90  p99  max\n"
                                      "  Tcc, mark to slower packet       0    -    -    -    -    -\n"
                                      "  Tp, pause to last frame          0    -    -    -    -    -\n"));
  free(text);
  sgf_fabric_free(fabric);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void write_json(const report_result_t* result, FILE* out)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(report_print_json(result, out, &error), SGF_OK);
}

SGF_TEST(the_object_holds_what_the_tables_show)
{
  sgf_fabric_t* fabric   = empty_fabric();
  report_result_t result = result_of(fabric, &plain_report);
  char* text             = printed(write_json, &result);
  json_t* root           = json_loads(text, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  CU_ASSERT(json_is_true(json_object_get(root, "complete")));
  CU_ASSERT_PTR_NULL(json_object_get(root, "run")); /* of no ini file */
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(root, "seed")), 7);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(root, "packet_hops")), 1234);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(root, "kernel_rounds")), 2);
  const json_t* array = json_object_get(root, "flows");
  CU_ASSERT_EQUAL(json_array_size(array), 2);
  CU_ASSERT_EQUAL(json_real_value(json_object_get(json_array_get(array, 0), "end_s")), 20e-6);
  CU_ASSERT(json_is_null(json_object_get(json_array_get(array, 1), "end_s")));
  const json_t* times = json_object_get(root, "completion_time_s"); /* of the only flow that has ended */
  CU_ASSERT_EQUAL(json_object_size(times), REPORT_PERCENTS);
  CU_ASSERT_EQUAL(json_real_value(json_object_get(times, "p50")), 20e-6);
  CU_ASSERT_EQUAL(json_real_value(json_object_get(times, "p100")), 20e-6);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(json_object_get(root, "drops"), "total")), 0);
  CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "pools")), 2);
  json_decref(root);
  free(text);
  sgf_fabric_free(fabric);
}

SGF_TEST(headrooms_and_feedback_times_are_in_the_object)
{
  sgf_fabric_t* fabric      = empty_fabric();
  const sgf_report_t report = paused_report();
  report_result_t result    = result_of(fabric, &report);
  char* text                = printed(write_json, &result);
  json_t* root              = json_loads(text, 0, NULL);
  const json_t* array       = json_object_get(root, "headrooms");
  CU_ASSERT_EQUAL(json_array_size(array), 3);
  const json_t* use = json_array_get(array, 1);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(use, "device")), "s");
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(use, "class")), 0);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(use, "ports")), 4);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(use, "port")), 2);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(use, "needed_bytes")), 53768);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(use, "headroom_bytes")), 109000);
  CU_ASSERT(json_is_null(json_object_get(root, "feedback")));
  json_decref(root);
  free(text);
  sgf_feedback_measure(fabric);
  text                   = printed(write_json, &result);
  root                   = json_loads(text, 0, NULL);
  const json_t* feedback = json_object_get(root, "feedback");
  CU_ASSERT(json_is_null(json_object_get(feedback, "tcc")));
  CU_ASSERT(json_is_null(json_object_get(feedback, "tp")));
  json_decref(root);
  free(text);
  sgf_fabric_free(fabric);
}

SGF_TEST(percentiles_of_no_flow_are_null)
{
  sgf_fabric_t* fabric   = empty_fabric();
  sgf_report_t report    = plain_report;
  report.flow_count      = 0;
  report_result_t result = result_of(fabric, &report);
  char* text             = printed(write_json, &result);
  json_t* root           = json_loads(text, 0, NULL);
  CU_ASSERT(json_is_null(json_object_get(root, "completion_time_s")));
  json_decref(root);
  free(text);
  sgf_fabric_free(fabric);
}

SGF_TEST(a_run_without_a_result_has_its_object)
{
  char* text        = NULL;
  size_t size       = 0;
  FILE* out         = open_memstream(&text, &size);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(report_print_json_failure(NULL, "ended by signal 9", out, &error), SGF_OK);
  fclose(out);
  CU_ASSERT_STRING_EQUAL(text, "{\n  \"complete\": false,\n  \"error\": \"ended by signal 9\"\n}\n");
  free(text);
}

/* A full device: the error is told and not swallowed. */
SGF_TEST(json_that_cannot_be_written_is_an_error)
{
  FILE* out = fopen("/dev/full", "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  setvbuf(out, NULL, _IONBF, 0);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(report_print_json_failure(NULL, "any", out, &error), SGF_IO);
  fclose(out);
}

/* ---- Notes ------------------------------------------------------------------------------------------------------- */

SGF_TEST(notes_of_all_processes_are_counted)
{
  sgf_error_t error = {0};
  report_notes_t notes;
  report_note(REPORT_ATTACHED); /* nobody has asked for it */
  CU_ASSERT_EQUAL_FATAL(report_notes_open(&notes, &error), SGF_OK);
  CU_ASSERT_EQUAL(report_notes_count(&notes, REPORT_ATTACHED), 0);
  enum { CHILDREN = 3, NOTES = 200 };
  for (int i = 0; i < CHILDREN; i++)
    if (fork() == 0) {
      for (int n = 0; n < NOTES; n++)
        report_note(REPORT_LOADED);
      _exit(0);
    }
  report_note(REPORT_ATTACHED);
  while (wait(NULL) > 0)
    continue;
  CU_ASSERT_EQUAL(report_notes_count(&notes, REPORT_LOADED), CHILDREN * NOTES);
  CU_ASSERT_EQUAL(report_notes_count(&notes, REPORT_ATTACHED), 1);
  CU_ASSERT_EQUAL(report_notes_count(&notes, REPORT_REFUSED), 0);
  char* path = strdup(notes.path);
  CU_ASSERT_EQUAL(access(path, R_OK), 0);
  report_notes_close(&notes);
  CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
  report_note(REPORT_ATTACHED); /* nobody asks any more: no file is made */
  CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
  free(path);
}

SGF_TEST(notes_need_a_folder)
{
  sgf_error_t error = {0};
  report_notes_t notes;
  setenv("TMPDIR", "/nowhere", 1);
  CU_ASSERT_EQUAL(report_notes_open(&notes, &error), SGF_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "/nowhere/"));
  report_notes_close(&notes);
  unsetenv("TMPDIR");
}
