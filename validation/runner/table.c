/* `sgfabric run -f INI --table`: a row for each run, with the figures that --json has of it. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

/* A rack of nine and an incast of two: at a small Xoff the switch pauses. */
static char* study_write(const char* lines, const char* name)
{
  char text[2048];
  snprintf(text, sizeof text, "[General]\nplatform = \"%s\"\ndeployment = \"%s\"\n%s", MAIN_PLATFORM, MAIN_DEPLOYMENT,
           lines);
  return text_write(text, name);
}

/* The n-th line of a text, from 0, up to its end. */
static const char* line_of(const char* text, size_t n)
{
  for (; n > 0; n--) {
    text = strchr(text, '\n');
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    text++;
  }
  return text;
}

/* Columns are two blanks apart at least; cells hold single ones. Copies the n-th of a line, from 0. */
static void cell_of(const char* line, size_t n, char* cell, size_t size)
{
  for (;; n--) {
    line += strspn(line, " ");
    size_t length = strcspn(line, " \n");
    while (line[length] == ' ' && line[length + 1] != ' ')
      length += 1 + strcspn(line + length + 1, " \n");
    if (n == 0) {
      snprintf(cell, size, "%.*s", (int)length, line);
      return;
    }
    line += length;
  }
}

static bool cell_is(const char* line, size_t n, const char* expected)
{
  char cell[64];
  cell_of(line, n, cell, sizeof cell);
  if (strcmp(cell, expected) != 0)
    printf("\ncell %zu is \"%s\", not \"%s\"", n, cell, expected);
  return strcmp(cell, expected) == 0;
}

/* Column of a title in the first line. */
static size_t column_of(const char* table, const char* title)
{
  char cell[64];
  for (size_t n = 0; n < 20; n++) {
    cell_of(table, n, cell, sizeof cell);
    if (strcmp(cell, title) == 0)
      return n;
  }
  CU_FAIL_FATAL("no such column");
  return 0;
}

static json_int_t total(const json_t* run, const char* list, const char* member)
{
  json_int_t sum = 0;
  size_t i;
  const json_t* item;
  json_array_foreach(json_object_get(run, list), i, item) sum += json_integer_value(json_object_get(item, member));
  return sum;
}

SGF_SCENARIO(a_row_has_the_variables_and_the_figures_of_its_run)
{
  char* ini =
      study_write("**.switch.StaticPoolXoffThreshold = ${xoff = 50, 400}KB\n**.switch.StaticPoolXonThreshold = 40KB\n",
                  "table_rows.ini");
  char* out;
  int status;
  CU_ASSERT_EQUAL(command_run(ARGS("run", "-f", ini, "--table"), &out), 0);
  json_t* runs = command_json(ARGS("run", "-f", ini), &status);
  CU_ASSERT_EQUAL_FATAL(json_array_size(runs), 2);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n2 runs: 2 complete, 0 failed\n"));
  CU_ASSERT(cell_is(out, 0, "xoff") && cell_is(out, 1, "flows"));
  CU_ASSERT(cell_is(line_of(out, 1), 0, "50") && cell_is(line_of(out, 2), 0, "400"));
  for (size_t i = 0; i < 2; i++) {
    const json_t* run = json_array_get(runs, i);
    const char* row   = line_of(out, 1 + i);
    char text[64];
    CU_ASSERT(cell_is(row, column_of(out, "flows"), "8"));
    /* All eight begin at 0: the last completion time is the makespan. */
    const json_t* times = json_object_get(run, "completion_time_s");
    snprintf(text, sizeof text, "%#.4g us", 1e6 * json_real_value(json_object_get(times, "p100")));
    CU_ASSERT(cell_is(row, column_of(out, "makespan"), text));
    snprintf(text, sizeof text, "%#.4g us", 1e6 * json_real_value(json_object_get(times, "p50")));
    CU_ASSERT(cell_is(row, column_of(out, "p50"), text));
    snprintf(text, sizeof text, "%lld", total(run, "pauses", "sent"));
    CU_ASSERT(cell_is(row, column_of(out, "pauses"), text));
    CU_ASSERT(cell_is(row, column_of(out, "dropped"), "0") && cell_is(row, column_of(out, "end"), "complete"));
  }
  CU_ASSERT(total(json_array_get(runs, 0), "pauses", "sent") > 0);
  CU_ASSERT_EQUAL(total(json_array_get(runs, 1), "pauses", "sent"), 0);
  json_decref(runs);
  free(out);
  free(ini);
}

SGF_SCENARIO(parallel_runs_and_repetitions_keep_their_order)
{
  char* ini = study_write("repeat = 2\n**.switch.StaticPoolXoffThreshold = ${xoff = 300, 400}KB\n", "table_order.ini");
  char *one, *four;
  CU_ASSERT_EQUAL(command_run(ARGS("run", "-f", ini, "--table"), &one), 0);
  CU_ASSERT_EQUAL(command_run(ARGS("run", "-f", ini, "--table", "-j", "4"), &four), 0);
  CU_ASSERT_STRING_EQUAL(one, four);
  CU_ASSERT(cell_is(one, 1, "repetition"));
  for (size_t i = 0; i < 4; i++) {
    CU_ASSERT(cell_is(line_of(one, 1 + i), 0, i < 2 ? "300" : "400"));
    CU_ASSERT(cell_is(line_of(one, 1 + i), 1, i % 2 == 0 ? "0" : "1"));
  }
  free(one);
  free(four);
  free(ini);
}

/* Found before any run: there is no table. What a run comes to alone is said of it, and the others have their rows. */
SGF_SCENARIO(a_run_that_fails_has_a_row_that_says_so)
{
  char* ini = study_write("**.switch.TotalSharedBufferSize = ${size = 1KB, 64MB}\n", "table_fails.ini");
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", "-f", ini, "--table"), &out), 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "TotalSharedBufferSize"));
  const char* table = strstr(out, "  size ");
  CU_ASSERT_PTR_NOT_NULL_FATAL(table);
  CU_ASSERT(cell_is(line_of(table, 1), column_of(table, "end"), "failed"));
  CU_ASSERT(cell_is(line_of(table, 1), column_of(table, "makespan"), "-"));
  CU_ASSERT(cell_is(line_of(table, 2), column_of(table, "end"), "complete"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "2 runs: 1 complete, 1 failed"));
  free(out);
  free(ini);
}

/* On the error output, and each once, however many runs it is true of. */
SGF_SCENARIO(warnings_are_said_beside_the_table)
{
  char* ini =
      study_write("repeat = 2\noutput-scalar-file = \"a.sca\"\n**.gpu77.nic.model = \"uet\"\n", "table_warns.ini");
  char out[4096];
  char* const argv[] = {"/bin/sh", "-c", "exec \"$0\" run -f \"$1\" --table >/dev/null", SGF_BINARY_DIR "/sgfabric",
                        ini,       NULL};
  CU_ASSERT_EQUAL(sgf_test_run(argv, out, sizeof out), 0);
  static const char scalars[] = "output-scalar-file has no effect: this command writes no .sca and .vec files\n";
  const char* said            = strstr(out, scalars);
  CU_ASSERT_PTR_NOT_NULL_FATAL(said);
  CU_ASSERT_PTR_NULL(strstr(said + 1, scalars));
  CU_ASSERT_EQUAL(strncmp(out, "sgfabric: warning: ", strlen("sgfabric: warning: ")), 0);
  text_expect(out, "table_warns.ini:6: no device took **.gpu77.nic.model: matches no host; did you mean gpu7?\n");
  free(ini);
}

SGF_SCENARIO(a_table_is_of_an_ini_file)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--table"), &out), 2);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "--table is of the runs of an ini file (-f)"));
  free(out);
  CU_ASSERT_EQUAL(command_run(ARGS("run", "-f", "x.ini", "--table", "--json"), &out), 2);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "without --json"));
  free(out);
}
