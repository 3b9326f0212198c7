/* Waiting for an operation on the actor seat: several waiters, somebody else's operation, time-outs, tests, kills. */
#include "harness.h"

#include "study_support.h"

#include <stdio.h>
#include <stdlib.h>

#define RACK study_rack(4, (study_link_t){NULL, NULL}, "", "")

static char* rack;
static sgf_op_t* op;                 /* the one that everybody waits for */
static opp_simtime_t completion;     /* its date, known from an earlier run */
static opp_simtime_t timeout_before; /* how long before it a time-out expires, ps */

enum { BYTES = 100000 };

/* ---- Actors ------------------------------------------------------------------------------------------------------ */

static void owner(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  op = study_write_async("h1", BYTES, 0);
  study_wait(op);
}

static void waiter(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(1); /* the owner has posted by then */
  sgf_op_ref(op);
  study_wait(op);
  sgf_op_unref(op);
}

static void end_of_op(void)
{
  simgrid_run();
  sgf_op_unref(op);
}

/* When the write of `owner` completes: the tests place other things around that date. */
static opp_simtime_t find_completion(study_program_t program)
{
  study_result_t result    = study_run(rack, program, SG_FABRIC_LAZY);
  const opp_simtime_t date = study_date(&result, "owner", "waited: success");
  study_free(&result);
  return date;
}

static void one_owner(void)
{
  study_actor("owner", "h0", owner);
  end_of_op();
}

/* ---- Several waiters --------------------------------------------------------------------------------------------- */

static void many_waiters(void)
{
  study_actor("owner", "h0", owner);
  study_actor("waiter1", "h1", waiter);
  study_actor("waiter2", "h2", waiter);
  study_actor("waiter3", "bare", waiter);
  end_of_op();
}

SGF_TEST(all_who_wait_for_an_operation_wake_at_its_completion)
{
  rack                  = RACK;
  completion            = find_completion(one_owner);
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, many_waiters, &result));
  CU_ASSERT(completion > 0);
  CU_ASSERT_EQUAL(study_date(&result, "owner", "waited: success"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "waiter1", "waited: success"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "waiter2", "waited: success"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "waiter3", "waited: success"), completion);
  study_free(&result);
  free(rack);
}

/* ---- Time-outs --------------------------------------------------------------------------------------------------- */

static void impatient(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(1);
  study_note("%s", study_wait_for(op, completion - 1 - timeout_before) == SGF_OK ? "complete" : "too early");
  study_note("%s", sgf_op_test(op) ? "done" : "not done");
  study_wait(op);
}

static void timed(void)
{
  study_actor("owner", "h0", owner);
  study_actor("impatient", "h2", impatient);
  end_of_op();
}

static study_result_t run_timed(opp_simtime_t before)
{
  study_result_t result = {0};
  timeout_before        = before;
  CU_ASSERT(study_same(rack, timed, &result));
  return result;
}

SGF_TEST(a_completion_beats_a_time_out_at_the_same_instant)
{
  rack                  = RACK;
  completion            = find_completion(one_owner);
  study_result_t result = run_timed(0);
  CU_ASSERT_EQUAL(study_date(&result, "impatient", "complete"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "impatient", "done"), completion);
  study_free(&result);
  free(rack);
}

SGF_TEST(a_time_out_one_picosecond_before_the_completion_is_one)
{
  rack                  = RACK;
  completion            = find_completion(one_owner);
  study_result_t result = run_timed(1);
  CU_ASSERT_EQUAL(study_date(&result, "impatient", "too early"), completion - 1);
  CU_ASSERT_EQUAL(study_date(&result, "impatient", "not done"), completion - 1);
  CU_ASSERT_EQUAL(study_date(&result, "impatient", "waited: success"), completion);
  study_free(&result);
  free(rack);
}

static void zero_time_out(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  op = study_write_async("h1", 1, 0);
  study_note("%s", sgf_status_text(sgf_op_wait_for(op, 0.0)));
  study_wait(op);
  study_note("again %s", sgf_status_text(sgf_op_wait_for(op, 0.0)));
}

static void no_time(void)
{
  study_actor("hasty", "h0", zero_time_out);
  end_of_op();
}

SGF_TEST(a_time_out_of_zero_lets_no_time_pass)
{
  rack                  = RACK;
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, no_time, &result));
  CU_ASSERT_EQUAL(study_date(&result, "hasty", sgf_status_text(SGF_TIMEOUT)), 0);
  CU_ASSERT_EQUAL(study_date(&result, "hasty", "again success"), study_date(&result, "hasty", "waited: success"));
  study_free(&result);
  free(rack);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static void poller(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  op                       = study_write_async("h1", BYTES, 0);
  const opp_simtime_t date = study_now();
  study_note("%s", sgf_op_test(op) ? "done" : "not done");
  study_note("%s", study_now() == date ? "no time has passed" : "time has passed");
  study_sleep_until(completion - 1);
  study_note("%s", sgf_op_test(op) ? "done" : "1 ps before");
  study_sleep_until(completion);
  study_note("%s", sgf_op_test(op) ? "at the instant" : "not done");
}

static void polling(void)
{
  study_actor("owner", "h0", poller);
  end_of_op();
}

SGF_TEST(a_test_knows_what_is_complete_at_its_instant)
{
  rack                  = RACK;
  completion            = find_completion(one_owner);
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, polling, &result));
  CU_ASSERT_EQUAL(study_date(&result, "owner", "no time has passed"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "owner", "1 ps before"), completion - 1);
  CU_ASSERT_EQUAL(study_date(&result, "owner", "at the instant"), completion);
  study_free(&result);
  free(rack);
}

/* ---- Kills ------------------------------------------------------------------------------------------------------- */

static sg_actor_t victim;

static void forget_op(int failed, void* unused)
{
  (void)failed;
  (void)unused;
  sgf_op_unref(op);
}

/* Owns the operation, and drops it when killed. */
static void dying_owner(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_actor_on_exit(forget_op, NULL);
  op = study_write_async("h1", BYTES, 0);
  study_wait(op);
}

static void killer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(completion / 2);
  sg_actor_kill(victim);
  study_note("killed");
}

static void kill_the_owner(void)
{
  victim = study_actor("dying", "h0", dying_owner);
  study_actor("waiter", "h2", waiter);
  study_actor("killer", "h3", killer);
}

SGF_TEST(those_who_wait_for_an_operation_outlive_its_owner)
{
  rack                  = RACK;
  completion            = find_completion(one_owner);
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, kill_the_owner, &result));
  CU_ASSERT_EQUAL(study_date(&result, "dying", "waited"), -1);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "waited: success"), completion);
  study_free(&result);
  free(rack);
}

static void kill_a_waiter(void)
{
  study_actor("owner", "h0", owner);
  victim = study_actor("victim", "h2", waiter);
  study_actor("waiter", "h2", waiter);
  study_actor("killer", "h3", killer);
  end_of_op();
}

SGF_TEST(a_killed_waiter_leaves_the_others_waiting)
{
  rack                  = RACK;
  completion            = find_completion(one_owner);
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, kill_a_waiter, &result));
  CU_ASSERT_EQUAL(study_date(&result, "victim", "waited"), -1);
  CU_ASSERT_EQUAL(study_date(&result, "owner", "waited: success"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "waited: success"), completion);
  study_free(&result);
  free(rack);
}

static void blocking_writer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h1", BYTES, 0);
}

static void kill_the_only_one(void)
{
  victim = study_actor("victim", "h0", blocking_writer);
  study_actor("killer", "h3", killer);
}

SGF_TEST(the_write_of_a_killed_actor_goes_on_in_the_nic)
{
  rack                  = RACK;
  completion            = find_completion(one_owner);
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, kill_the_only_one, &result));
  char flow[64];
  snprintf(flow, sizeof flow, "flow h0 h1 %d 0 %lld\n", BYTES, (long long)completion);
  CU_ASSERT(study_has(&result, flow));
  CU_ASSERT(study_has(&result, "end success"));
  study_free(&result);
  free(rack);
}

/* At the instant of the completion one waiter times out, one is killed, and an actor that happens to call lets the
 * engine catch up. */
static void time_out_at_completion(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(1);
  study_wait_for(op, completion - 1);
}

static void caller(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(completion);
  study_note("test %d", sgf_op_test(op));
}

static void killer_at_completion(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(completion);
  sg_actor_kill(victim);
}

static void all_at_once(void)
{
  study_actor("caller1", "h3", caller);
  study_actor("killer", "h3", killer_at_completion);
  study_actor("timeout1", "h2", time_out_at_completion);
  study_actor("owner", "h0", owner);
  study_actor("waiter1", "h2", waiter);
  victim = study_actor("waiter2", "h2", waiter);
  study_actor("timeout2", "h2", time_out_at_completion);
  study_actor("waiter3", "h2", waiter);
  study_actor("caller2", "h3", caller);
  end_of_op();
}

SGF_TEST(at_the_instant_of_a_completion_waiters_may_come_and_go)
{
  rack                  = RACK;
  completion            = find_completion(one_owner);
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, all_at_once, &result));
  CU_ASSERT_EQUAL(study_date(&result, "waiter1", "waited: success"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "waiter3", "waited: success"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "timeout1", "waited: success"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "timeout2", "waited: success"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "caller1", "test 1"), completion);
  CU_ASSERT_EQUAL(study_date(&result, "caller2", "test 1"), completion);
  study_free(&result);
  free(rack);
}
