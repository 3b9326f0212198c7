/* --victims of the command, on the example: examples/victims.xml, its deployment and the same as a matrix. */
#include "harness.h"
#include "records/csv_support.h"
#include "runner/command_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLATFORM SGF_SOURCE_DIR "/examples/victims.xml"
#define DEPLOYMENT SGF_SOURCE_DIR "/examples/victims_d.xml"
#define MATRIX SGF_SOURCE_DIR "/examples/victims.cm"

/* In order of posting: a0 to a3 to slow, b to idle, a0 to idle. */
enum { AGGRESSORS = 4, OF_B = 4, OF_A0 = 5, FLOWS };

static double number(const json_t* object, const char* key)
{
  const json_t* value = json_object_get(object, key);
  CU_ASSERT_FATAL(json_is_number(value));
  return json_number_value(value);
}

static json_t* victim_of(const json_t* root, size_t flow)
{
  size_t i;
  json_t* victim;
  json_array_foreach(json_object_get(json_object_get(root, "victims"), "flows"), i,
                     victim) if ((size_t)number(victim, "flow") == flow) return victim;
  CU_FAIL_FATAL("it is no victim");
  return NULL;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void check_numbers(const json_t* root, size_t flow)
{
  const json_t* victim = victim_of(root, flow);
  const json_t* of     = json_array_get(json_object_get(root, "flows"), flow);
  CU_ASSERT_STRING_EQUAL(member_text(victim, "src"), member_text(of, "src"));
  CU_ASSERT_STRING_EQUAL(member_text(victim, "dst"), "idle");
  CU_ASSERT_EQUAL(number(victim, "bytes"), 64000);
  CU_ASSERT_EQUAL(number(victim, "start_s"), number(of, "start_s"));
  CU_ASSERT_EQUAL(number(victim, "end_s"), number(of, "end_s"));
  const double time    = number(victim, "end_s") - number(victim, "start_s");
  const double without = number(victim, "end_without_s") - number(victim, "start_s");
  CU_ASSERT(fabs(number(victim, "slow_down") - time / without) < 1e-9); /* of doubles in seconds */
  CU_ASSERT(number(victim, "lost_s") > 0);
  CU_ASSERT(number(victim, "lost_s") <= time - without); /* it waits for other things too, but not less long */
  const json_t* places = json_object_get(victim, "places");
  CU_ASSERT(json_array_size(places) > 0);
  for (size_t i = 0; i < json_array_size(places); i++) {
    const json_t* root_of_it = json_object_get(json_array_get(places, i), "root");
    CU_ASSERT_STRING_EQUAL(member_text(root_of_it, "device"), "far");
    CU_ASSERT_STRING_EQUAL(member_text(root_of_it, "peer"), "slow");
    CU_ASSERT_EQUAL(json_array_size(json_object_get(json_array_get(places, i), "caused_by")), AGGRESSORS);
  }
}

static json_t* victims_in(json_t* root)
{
  json_t* victims = json_object_get(root, "victims");
  CU_ASSERT_PTR_NOT_NULL_FATAL(victims);
  return victims;
}

SGF_TEST(who_the_victims_are_where_they_waited_and_why)
{
  json_t* root = command_object(ARGS("run", PLATFORM, DEPLOYMENT, "--victims"));
  CU_ASSERT_EQUAL_FATAL(json_array_size(json_object_get(root, "flows")), FLOWS);
  CU_ASSERT_EQUAL_FATAL(json_array_size(json_object_get(victims_in(root), "flows")), 2);
  check_numbers(root, OF_B);
  check_numbers(root, OF_A0);
  for (const char* const* list = ARGS("aggressors", "left_out"); *list != NULL; list++) {
    CU_ASSERT_EQUAL_FATAL(json_array_size(json_object_get(victims_in(root), *list)), AGGRESSORS);
    for (size_t i = 0; i < AGGRESSORS; i++)
      CU_ASSERT_EQUAL(json_integer_value(json_array_get(json_object_get(victims_in(root), *list), i)), (json_int_t)i);
  }
  /* b has a port of its own that nobody pauses: it waits at the trunk alone. */
  const json_t* places = json_object_get(victim_of(root, OF_B), "places");
  CU_ASSERT_EQUAL_FATAL(json_array_size(places), 1);
  CU_ASSERT_STRING_EQUAL(member_text(json_object_get(json_array_get(places, 0), "held_at"), "device"), "near");
  CU_ASSERT_STRING_EQUAL(member_text(json_object_get(json_array_get(places, 0), "held_at"), "peer"), "far");
  CU_ASSERT_EQUAL(number(json_array_get(places, 0), "lost_s"), number(victim_of(root, OF_B), "lost_s"));
  json_decref(root);
}

/* The time without the aggressors is that of a run in which nobody has posted them. */
SGF_TEST(the_time_without_is_that_of_a_run_without)
{
  char* matrix  = text_write("Nodes 7\nConnections 2\n"
                              "4->6 start 20000000 size 64000\n0->6 start 40000000 size 64000\n",
                             "victims_without.cm");
  json_t* root  = command_object(ARGS("cm", MATRIX, PLATFORM, "--victims"));
  json_t* alone = command_object(ARGS("cm", matrix, PLATFORM));
  for (size_t i = 0; i < 2; i++)
    CU_ASSERT_EQUAL(number(victim_of(root, OF_B + i), "end_without_s"),
                    number(json_array_get(json_object_get(alone, "flows"), i), "end_s"));
  json_decref(root);
  json_decref(alone);
  free(matrix);
}

SGF_TEST(run_and_cm_say_the_same)
{
  json_t* of_run    = command_object(ARGS("run", PLATFORM, DEPLOYMENT, "--victims"));
  json_t* of_matrix = command_object(ARGS("cm", MATRIX, PLATFORM, "--victims"));
  json_t* slow_seat = command_object(ARGS("run", PLATFORM, DEPLOYMENT, "--victims", "--pace", "reference"));
  CU_ASSERT(json_equal(victims_in(of_run), victims_in(of_matrix)));
  CU_ASSERT(json_equal(victims_in(of_run), victims_in(slow_seat)));
  json_decref(of_run);
  json_decref(of_matrix);
  json_decref(slow_seat);
}

SGF_TEST(who_is_left_out_can_be_said)
{
  json_t* root = command_object(ARGS("cm", MATRIX, PLATFORM, "--victims", "--without", "a[01]->s*"));
  json_t* left = json_object_get(victims_in(root), "left_out");
  CU_ASSERT_EQUAL(json_array_size(json_object_get(victims_in(root), "aggressors")), AGGRESSORS);
  CU_ASSERT_EQUAL_FATAL(json_array_size(left), 2);
  CU_ASSERT_EQUAL(json_integer_value(json_array_get(left, 0)), 0);
  CU_ASSERT_EQUAL(json_integer_value(json_array_get(left, 1)), 1);
  json_t* all = command_object(ARGS("cm", MATRIX, PLATFORM, "--victims"));
  CU_ASSERT(number(victim_of(root, OF_B), "slow_down") > 1);
  CU_ASSERT(number(victim_of(root, OF_B), "slow_down") < number(victim_of(all, OF_B), "slow_down"));
  json_decref(all);
  json_decref(root);
}

/* ---- Nothing to say ---------------------------------------------------------------------------------------------- */

SGF_TEST(nothing_is_said_unless_it_is_asked_for)
{
  json_t* root = command_object(ARGS("cm", MATRIX, PLATFORM));
  CU_ASSERT_PTR_NULL(json_object_get(root, "victims"));
  json_decref(root);
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("cm", MATRIX, PLATFORM), &out), 0);
  CU_ASSERT_PTR_NULL(strstr(out, "Victims"));
  free(out);
}

/* An incast into one host: whatever is paused has caused it. */
SGF_TEST(an_incast_alone_has_no_victims)
{
  char* out;
  CU_ASSERT_EQUAL(
      command_run(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, "--victims", "--set",
                       "**.switch.StaticPoolXoffThreshold=40KB", "--set", "**.switch.StaticPoolXonThreshold=20KB"),
                  &out),
      0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nPauses, longest first\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nVictims: no flow waited for a pause that it did not cause\n"));
  free(out);
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void check_line(const char* out, const char* line)
{
  if (strstr(out, line) == NULL)
    printf("\n  not printed: %s", line);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, line));
}

SGF_TEST(the_tables_say_it_to_people)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("run", PLATFORM, DEPLOYMENT, "--victims"), &out), 0);
  check_line(out, "\nVictims: 2 flows waited for pauses that they did not cause, ");
  check_line(out, "\n  victim       size  start      time      lost  time without  slow-down\n");
  check_line(out, "\n  without: the same posts at the same dates (an open loop), but for 4 flows\n");
  check_line(out, "\n  b -> idle   near port 5 -> far  ");
  check_line(out, "  far port 1 -> slow  ");
  free(out);
}

SGF_TEST(what_cannot_be_left_out_is_an_error)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("cm", MATRIX, PLATFORM, "--without", "a0->slow"), &out), 2);
  check_line(out, "--without says what the victims are compared with: it needs --victims");
  free(out);
  CU_ASSERT_EQUAL(command_run(ARGS("cm", MATRIX, PLATFORM, "--victims", "--without", "a0"), &out), 2);
  check_line(out, "--without takes a pair of hosts, such as 'gpu0->gpu*', not a0");
  free(out);
  CU_ASSERT_EQUAL(command_run(ARGS("cm", MATRIX, PLATFORM, "--victims", "--without", "a9->slow"), &out), 1);
  check_line(out, "sgfabric: --without a9->slow: no flow goes between such hosts");
  free(out);
}

/* ---- The record -------------------------------------------------------------------------------------------------- */

SGF_TEST(the_record_has_a_row_for_each_flow_and_hold)
{
  json_t* root      = command_object(ARGS("cm", MATRIX, PLATFORM, "--victims", "--results", "victims_results", "--set",
                                          "record.EnableVictimStats=true"));
  csv_table_t table = csv_read_table("victims_results", "victims", CSV_VICTIMS);
  long long lost    = 0;
  size_t rows       = 0;
  for (size_t row = 0; row < table.row_count; row++) {
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "root_name"), "far");
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "dst"), "idle");
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "lost_ps"),
                    csv_integer_at(&table, row, "hold_end_ps") - csv_integer_at(&table, row, "wait_begin_ps"));
    if (csv_integer_at(&table, row, "flow") != OF_B)
      continue;
    rows++;
    lost += csv_integer_at(&table, row, "lost_ps");
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "component_name"), "near");
    CU_ASSERT_STRING_EQUAL(csv_at(&table, row, "peer_name"), "far");
    CU_ASSERT_EQUAL(csv_integer_at(&table, row, "root_steps"), 1);
  }
  const json_t* place = json_array_get(json_object_get(victim_of(root, OF_B), "places"), 0);
  CU_ASSERT_EQUAL(rows, (size_t)number(place, "holds"));
  CU_ASSERT_EQUAL(lost, llround(number(place, "lost_s") * 1e12));
  csv_free_table(&table);
  json_decref(root);

  /* Off: there is no file, and not the old one either. */
  json_decref(command_object(ARGS("cm", MATRIX, PLATFORM, "--results", "victims_results")));
  CU_ASSERT_FALSE(csv_exists("victims_results", "victims", CSV_VICTIMS));
}
