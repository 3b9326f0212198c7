/* Failures at either end are those that the program sees without the fabric: the same errors, at the same dates. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

enum { MEGABYTE = 1000000, LONG = 100000000 };
static const opp_simtime_t when = OPP_MS;

/* The first `length` characters of two outputs are the same. */
static void check_same(const char* out, const char* other, size_t length)
{
  CU_ASSERT(length > 0);
  CU_ASSERT_EQUAL(strncmp(out, other, length), 0);
}

static size_t length_before(const char* out, const char* words)
{
  const char* found = strstr(out, words);
  return found != NULL ? (size_t)(found - out) : 0;
}

static const char* const at_both_ends[] = {
    "failure get-source-off",
    "failure put-target-off",
    "host-failure exec",
    "failure get-sender-killed",
    "sender-failed",
    "failure put-receiver-killed",
    "timeout put-sender-late",
    "timeout get-sender-late",
    "timeout put-receiver-late",
    "timeout get-receiver-late",
    "timeout put-alone",
    "timeout wait_for",
    "cancel put-sender-cancels",
    "failure get-sender-cancels",
    "failure put-receiver-cancels",
    "cancel get-receiver-cancels",
    "not-yet",
};

/* What has failed goes on in the NICs, and takes its share of the links. */
static void check_what_goes_on(const char* out)
{
  model_message_t all[] = {
      {"gpu1", "gpu2", LONG, 0, 0}, {"gpu2", "gpu3", LONG, 0, 0},        {"gpu4", "gpu5", LONG, 0, 0},
      {"gpu4", "gpu5", LONG, 0, 0}, {"gpu4", "gpu5", LONG, 0, 0},        {"gpu5", "gpu6", LONG, 0, 0},
      {"gpu5", "gpu6", LONG, 0, 0}, {"gpu5", "gpu6", LONG, 0, 0},        {"gpu7", "gpu8", LONG, 0, 0},
      {"gpu7", "gpu8", LONG, 0, 0}, {"gpu5", "gpu6", MEGABYTE, when, 0},
  };
  model_engine(MODEL_RACK, all, sizeof all / sizeof *all);
  CU_ASSERT_EQUAL(model_number(out, "chosen"), all[9].delivered);
  CU_ASSERT_EQUAL(model_number(out, "afterwards"), all[10].delivered);
  CU_ASSERT_EQUAL(model_number(out, "end"), all[9].delivered);
}

SGF_SCENARIO(each_end_is_told_what_simgrid_tells)
{
  char* program = model_program("failures");
  char* over    = model_over(program, MODEL_RACK, 0);
  char* alone   = model_alone(program, MODEL_RACK, 0);
  for (size_t i = 0; i < sizeof at_both_ends / sizeof *at_both_ends; i++)
    CU_ASSERT_EQUAL(model_number(over, at_both_ends[i]), when);
  check_same(alone, over, length_before(alone, "afterwards "));
  check_what_goes_on(over);
  CU_ASSERT_PTR_NOT_NULL(strstr(over, "complete: 11 flows, lossless\n"));
  free(alone);
  free(over);
  free(program);
}

/* When a megabyte arrives that is alone on its way. */
static opp_simtime_t arrival(void)
{
  return model_engine_chain(MODEL_RACK, "gpu0", "gpu1", false, MEGABYTE, 1);
}

SGF_SCENARIO(programs_in_c_get_simgrids_error_codes)
{
  char arguments[256];
  const opp_simtime_t date = arrival();
  snprintf(arguments, sizeof arguments, MODEL_RACK " %lld", (long long)date);
  char* program = model_program("errors");
  char* out     = model_over(program, arguments, 0);
  CU_ASSERT_EQUAL(model_number(out, "failure get-source-off"), when);
  CU_ASSERT_EQUAL(model_number(out, "failure put-target-off"), when);
  CU_ASSERT_EQUAL(model_number(out, "timeout put-sender-late"), when);
  CU_ASSERT_EQUAL(model_number(out, "timeout get-sender-late"), when);
  CU_ASSERT_EQUAL(model_number(out, "timeout put-receiver-late"), when);
  CU_ASSERT_EQUAL(model_number(out, "timeout get-receiver-late"), when);
  CU_ASSERT_EQUAL(model_number(out, "ok put-in-time"), date);
  CU_ASSERT_EQUAL(model_number(out, "ok get-in-time"), date);
  CU_ASSERT_EQUAL(model_number(out, "ok put-in-time-too"), date);
  CU_ASSERT_EQUAL(model_number(out, "ok get-in-time-too"), date);
  free(out);
  free(program);
}

/* ---- At the instant of the arrival --------------------------------------------------------------------------------
 */

static char* run_ties(const char* program, opp_simtime_t date, const char* what)
{
  char arguments[256];
  snprintf(arguments, sizeof arguments, MODEL_RACK " %lld %s", (long long)date, what);
  return model_over(program, arguments, 0);
}

/* Each of these waits until `date`: it must say so, then, or else that its time was out. */
static void check_time_outs(const char* program, opp_simtime_t date, bool in_time)
{
  static const char* const who[] = {"put-sender",   "get-sender", "put-receiver",
                                    "get-receiver", "wait_for",   "wait_any_for"};
  char* out                      = run_ties(program, date, "timeouts");
  for (size_t i = 0; i < sizeof who / sizeof *who; i++) {
    char late[64];
    snprintf(late, sizeof late, "timeout %s", who[i]);
    CU_ASSERT_EQUAL(model_number(out, who[i]), in_time ? arrival() : -1);
    CU_ASSERT_EQUAL(model_number(out, late), in_time ? -1 : date);
  }
  free(out);
}

SGF_SCENARIO(a_completion_beats_a_time_out_of_the_same_picosecond)
{
  char* program = model_program("ties");
  check_time_outs(program, arrival() - 1, false);
  check_time_outs(program, arrival(), true);
  check_time_outs(program, arrival() + 1, true);
  free(program);
}

SGF_SCENARIO(what_an_actor_does_at_the_arrival_comes_after_it)
{
  char* program            = model_program("ties");
  const opp_simtime_t date = arrival();
  char* early              = run_ties(program, date - 1, "kills");
  CU_ASSERT_EQUAL(model_number(early, "early test"), date - 1);
  CU_ASSERT_EQUAL(model_number(early, "failure get-cancel"), date - 1);
  CU_ASSERT_EQUAL(model_number(early, "failure get-victim"), date - 1);
  char* now = run_ties(program, date, "kills");
  CU_ASSERT_EQUAL(model_number(now, "test"), date);
  CU_ASSERT_EQUAL(model_number(now, "get-cancel"), date);
  CU_ASSERT_EQUAL(model_number(now, "get-victim"), date);
  CU_ASSERT_EQUAL(model_number(now, "killed"), date);
  free(now);
  free(early);
  free(program);
}

/* ---- The end of the simulation ------------------------------------------------------------------------------------
 */

/* The program as it ends over the fabric, which sends to their ends what nobody waits for: the last line says so. */
static char* run_end(const char* what, int status)
{
  char arguments[256];
  snprintf(arguments, sizeof arguments, MODEL_RACK " %s", what);
  char* program = model_program("ends");
  char* over    = model_over(program, arguments, status);
  char* alone   = model_alone(program, arguments, status);
  CU_ASSERT_EQUAL(strstr(alone, "\nend ") != NULL, strstr(over, "\nend ") != NULL);
  free(alone);
  free(program);
  return over;
}

SGF_SCENARIO(a_detached_message_outlives_its_actors)
{
  char* out = run_end("detached", 0);
  CU_ASSERT_EQUAL(model_number(out, "early test"), OPP_US);
  CU_ASSERT_EQUAL(model_number(out, "end"), OPP_US);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 1 flow, lossless\n"));
  free(out);
}

SGF_SCENARIO(daemons_do_not_keep_the_simulation_going)
{
  char* out = run_end("daemons", 0);
  CU_ASSERT_EQUAL(model_number(out, "slept"), OPP_US);
  CU_ASSERT_EQUAL(model_number(out, "end"), OPP_US);
  CU_ASSERT_EQUAL(model_number(out, "never"), -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 1 flow, lossless\n"));
  free(out);
}

SGF_SCENARIO(a_program_that_leaves_in_an_actor_gets_its_summary)
{
  char* out = run_end("exit", 3);
  CU_ASSERT_EQUAL(model_number(out, "leave"), OPP_US);
  CU_ASSERT_EQUAL(model_number(out, "end"), -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 1 flow, lossless\n"));
  free(out);
}

SGF_SCENARIO(an_exception_of_an_actor_ends_the_program)
{
  enum { ABORTED = 128 + 6 };
  char* out = run_end("exception", ABORTED);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "Uncaught exception std::runtime_error: an actor gives up"));
  CU_ASSERT_EQUAL(model_number(out, "end"), -1);
  free(out);
}

SGF_SCENARIO(a_deadlock_is_simgrids_to_tell)
{
  char* out = run_end("deadlock", 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "Oops! Deadlock detected"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "Actor 2 (actor@gpu2): waiting for communication"));
  CU_ASSERT_EQUAL(model_number(out, "put"), arrival());
  CU_ASSERT_EQUAL(model_number(out, "get"), arrival());
  CU_ASSERT_EQUAL(model_number(out, "end"), arrival());
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 1 flow, lossless\n"));
  free(out);
}
