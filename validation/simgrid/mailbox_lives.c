/* Puts and gets whose actors are killed, suspended, lose patience or let go, before they have met and after. */
#include "harness.h"

#include "study_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 100000 };

static opp_simtime_t completion; /* of a message of BYTES that begins at 0, known from an earlier run */

static study_result_t run(study_program_t program)
{
  char* rack            = study_rack(4, (study_link_t){NULL, NULL}, "", "");
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, program, &result));
  CU_ASSERT(study_has(&result, "end success"));
  free(rack);
  return result;
}

/* ---- Actors ------------------------------------------------------------------------------------------------------ */

static void put_1(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_put("box", 1, BYTES);
}

static void put_2(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(1 * OPP_US);
  study_put("box", 2, BYTES);
}

static void put_3(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(2 * OPP_US);
  study_put("box", 3, BYTES);
}

static void get_at_once(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_get("box");
}

static void get_at_20(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(20 * OPP_US);
  study_get("box");
}

static void put_at_20(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(20 * OPP_US);
  study_put("box", 20, BYTES);
}

static sg_actor_t victim;
static opp_simtime_t kill_date;

static void killer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(kill_date);
  sg_actor_kill(victim);
  study_note("killed");
}

static void meet_at_0(void)
{
  study_actor("sender", "h0", put_1);
  study_actor("receiver", "h1", get_at_once);
}

static void find_completion(void)
{
  study_result_t result = run(meet_at_0);
  completion            = study_date(&result, "receiver", "got 1 from box");
  CU_ASSERT_FATAL(completion > 0);
  study_free(&result);
}

/* ---- Killed before they have met --------------------------------------------------------------------------------- */

static void kill_a_put(void)
{
  victim = study_actor("victim", "h2", put_1);
  study_actor("sender", "h0", put_2);
  study_actor("receiver", "h1", get_at_20);
  study_actor("killer", "h3", killer);
}

SGF_TEST(a_killed_sender_takes_its_put_back)
{
  find_completion();
  kill_date             = 5 * OPP_US;
  study_result_t result = run(kill_a_put);
  CU_ASSERT_EQUAL(study_date(&result, "victim", "put"), -1);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 2"), 20 * OPP_US + completion);
  CU_ASSERT_FALSE(study_has(&result, "flow h2"));
  study_free(&result);
}

static void get_in_vain(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_get("box");
}

static void get_at_1(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(1 * OPP_US);
  study_get("box");
}

static void kill_a_get(void)
{
  victim = study_actor("victim", "h2", get_in_vain);
  study_actor("receiver", "h1", get_at_1);
  study_actor("sender", "h0", put_at_20);
  study_actor("killer", "h3", killer);
}

SGF_TEST(a_killed_receiver_takes_its_get_back)
{
  find_completion();
  kill_date             = 5 * OPP_US;
  study_result_t result = run(kill_a_get);
  CU_ASSERT_EQUAL(study_date(&result, "victim", "got"), -1);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 20"), 20 * OPP_US + completion);
  study_free(&result);
}

static void get_both(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(20 * OPP_US);
  study_note("first %llu", (unsigned long long)study_get("box"));
  study_note("second %llu", (unsigned long long)study_get("box"));
}

static void put_after_the_kill(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(8 * OPP_US);
  study_put("box", 4, BYTES);
}

static void kill_the_second_of_three(void)
{
  study_actor("sender1", "h0", put_1);
  victim = study_actor("victim", "h2", put_2);
  study_actor("sender3", "h0", put_3);
  study_actor("receiver", "h1", get_both);
  study_actor("killer", "h3", killer);
}

SGF_TEST(a_put_is_taken_back_from_between_two_others)
{
  kill_date             = 5 * OPP_US;
  study_result_t result = run(kill_the_second_of_three);
  CU_ASSERT(study_date(&result, "receiver", "first 1") > 0);
  CU_ASSERT(study_date(&result, "receiver", "second 3") > 0);
  study_free(&result);
}

static void kill_the_last(void)
{
  study_actor("sender1", "h0", put_1);
  victim = study_actor("victim", "h2", put_2);
  study_actor("sender4", "h0", put_after_the_kill);
  study_actor("receiver", "h1", get_both);
  study_actor("killer", "h3", killer);
}

SGF_TEST(after_the_last_put_is_taken_back_others_may_follow)
{
  kill_date             = 5 * OPP_US;
  study_result_t result = run(kill_the_last);
  CU_ASSERT(study_date(&result, "receiver", "first 1") > 0);
  CU_ASSERT(study_date(&result, "receiver", "second 4") > 0);
  study_free(&result);
}

static void kill_the_only_one(void)
{
  victim = study_actor("victim", "h2", put_1);
  study_actor("sender4", "h0", put_after_the_kill);
  study_actor("receiver", "h1", get_at_20);
  study_actor("killer", "h3", killer);
}

SGF_TEST(after_the_only_put_is_taken_back_others_may_follow)
{
  kill_date             = 5 * OPP_US;
  study_result_t result = run(kill_the_only_one);
  CU_ASSERT(study_date(&result, "receiver", "got 4") > 20 * OPP_US);
  study_free(&result);
}

/* SimGrid runs the sender first, until its call lets others run; that was its last step then. What it has begun is
 * whole. */
static void kill_at_the_instant_of_the_put(void)
{
  study_actor("receiver", "h1", get_at_once);
  victim = study_actor("victim", "h0", put_at_20);
  study_actor("killer", "h3", killer);
  study_actor("sender", "h2", put_at_20);
  study_actor("second", "h3", get_at_once);
}

SGF_TEST(an_actor_may_be_killed_at_the_instant_of_its_put)
{
  find_completion();
  kill_date             = 20 * OPP_US;
  study_result_t result = run(kill_at_the_instant_of_the_put);
  CU_ASSERT_EQUAL(study_date(&result, "victim", "put"), -1);
  CU_ASSERT(study_date(&result, "receiver", "got 20") >= 20 * OPP_US + completion);
  study_free(&result);
}

/* ---- Killed after they have met ---------------------------------------------------------------------------------- */

static void kill_a_sender(void)
{
  victim = study_actor("victim", "h0", put_1);
  study_actor("receiver", "h1", get_at_once);
  study_actor("killer", "h3", killer);
}

SGF_TEST(the_message_of_a_killed_sender_goes_on)
{
  find_completion();
  kill_date             = completion / 2;
  study_result_t result = run(kill_a_sender);
  CU_ASSERT_EQUAL(study_date(&result, "victim", "put"), -1);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 1"), completion);
  study_free(&result);
}

static void kill_a_receiver(void)
{
  study_actor("sender", "h0", put_1);
  victim = study_actor("victim", "h1", get_at_once);
  study_actor("killer", "h3", killer);
}

SGF_TEST(the_message_to_a_killed_receiver_goes_on)
{
  find_completion();
  kill_date             = completion / 2;
  study_result_t result = run(kill_a_receiver);
  CU_ASSERT_EQUAL(study_date(&result, "victim", "got"), -1);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "put 1, 100000 B, in box since 0: success"), completion);
  study_free(&result);
}

SGF_TEST(the_other_one_goes_on_when_a_partner_is_killed_at_the_completion)
{
  find_completion();
  kill_date             = completion;
  study_result_t result = run(kill_a_sender);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 1"), completion);
  study_free(&result);
  result = run(kill_a_receiver);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "put 1, 100000 B, in box since 0: success"), completion);
  study_free(&result);
}

/* ---- Suspended --------------------------------------------------------------------------------------------------- */

static void suspender(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(5 * OPP_US);
  sg_actor_suspend(victim);
  study_sleep_until(90 * OPP_US);
  sg_actor_resume(victim);
}

static void suspend_a_sender(void)
{
  victim = study_actor("victim", "h0", put_1);
  study_actor("receiver", "h1", get_at_20);
  study_actor("suspender", "h3", suspender);
}

static void suspend_a_receiver(void)
{
  victim = study_actor("victim", "h1", get_at_once);
  study_actor("sender", "h0", put_at_20);
  study_actor("suspender", "h3", suspender);
}

SGF_TEST(a_suspended_actor_is_met_and_learns_of_it_when_it_is_resumed)
{
  find_completion();
  study_result_t result = run(suspend_a_sender);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 1"), 20 * OPP_US + completion);
  CU_ASSERT_EQUAL(study_date(&result, "victim", "put 1, 100000 B, in box since 0: success"), 90 * OPP_US);
  study_free(&result);
  result = run(suspend_a_receiver);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "put 20"), 20 * OPP_US + completion);
  CU_ASSERT_EQUAL(study_date(&result, "victim", "got 20"), 90 * OPP_US);
  study_free(&result);
}

/* ---- Time-outs and handles that are let go ----------------------------------------------------------------------- */

static void impatient_sender(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* put = study_put_async("box", 1, BYTES);
  study_wait_for(put, OPP_US);
  study_wait_for(put, 20 * OPP_US + completion - 2 * OPP_US);
  study_note("%s", sgf_status_text(sgf_op_wait_for(put, 1e-6)));
  sgf_op_unref(put);
}

static void lose_patience(void)
{
  study_actor("sender", "h0", impatient_sender);
  study_actor("receiver", "h1", get_at_20);
}

SGF_TEST(a_put_may_time_out_before_and_after_it_has_been_met)
{
  find_completion();
  study_result_t result = run(lose_patience);
  char timed_out[64];
  snprintf(timed_out, sizeof timed_out, "sender: %lld ps: waited: %s", (long long)(20 * OPP_US + completion - OPP_US),
           sgf_status_text(SGF_TIMEOUT));
  CU_ASSERT_EQUAL(study_date(&result, "sender", "waited: the time-out expired"), OPP_US);
  CU_ASSERT(study_has(&result, timed_out));
  CU_ASSERT_EQUAL(study_date(&result, "sender", "success"), 20 * OPP_US + completion);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 1"), 20 * OPP_US + completion);
  study_free(&result);
}

static void* dropped_place;

static void let_a_put_go(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_unref(study_put_async("box", 1, BYTES));
  study_note("gone");
}

static void let_a_get_go(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  dropped_place = NULL;
  sgf_op_unref(sgf_mailbox_get_async(sgf_mailbox_by_name("box"), &dropped_place));
  study_sleep_until(20 * OPP_US + completion);
  sgf_op_t* self = study_put_async("other", 1, 0); /* a call, so that the engine catches up */
  study_note("%s", sgf_op_test(self) ? "met" : "alone");
  study_note("in its place: %llu", (unsigned long long)(uintptr_t)dropped_place);
  sgf_op_unref(self);
}

static void put_let_go(void)
{
  study_actor("sender", "h0", let_a_put_go);
  study_actor("receiver", "h1", get_at_20);
}

static void get_let_go(void)
{
  study_actor("receiver", "h1", let_a_get_go);
  study_actor("sender", "h0", put_at_20);
}

SGF_TEST(what_is_let_go_before_it_has_been_met_goes_on)
{
  find_completion();
  study_result_t result = run(put_let_go);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "gone"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 1"), 20 * OPP_US + completion);
  study_free(&result);
  result = run(get_let_go);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "put 20"), 20 * OPP_US + completion);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "in its place: 20"), 20 * OPP_US + completion);
  study_free(&result);
}

static void late_put_let_go(void)
{
  study_actor("receiver", "h1", get_at_once);
  study_actor("sender", "h0", let_a_put_go); /* met at once, let go afterwards */
}

SGF_TEST(what_is_let_go_after_it_has_been_met_goes_on)
{
  find_completion();
  study_result_t result = run(late_put_let_go);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "gone"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 1"), completion);
  study_free(&result);
}

/* ---- Several waiters --------------------------------------------------------------------------------------------- */

static sgf_op_t* shared;

static void put_and_share(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  shared = study_put_async("box", 1, BYTES);
  study_wait(shared);
}

static void wait_for_shared(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(1);
  study_wait(shared);
}

static void wait_for_shared_late(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(20 * OPP_US + completion / 2);
  study_wait(shared);
}

static void many_waiters(void)
{
  study_actor("sender", "h0", put_and_share);
  study_actor("early", "h2", wait_for_shared);
  victim = study_actor("victim", "h2", wait_for_shared);
  study_actor("late", "bare", wait_for_shared_late);
  study_actor("receiver", "h1", get_at_20);
  study_actor("killer", "h3", killer);
  simgrid_run();
  sgf_op_unref(shared);
}

SGF_TEST(several_may_wait_for_a_put)
{
  find_completion();
  kill_date               = 5 * OPP_US;
  study_result_t result   = run(many_waiters);
  const opp_simtime_t end = 20 * OPP_US + completion;
  CU_ASSERT_EQUAL(study_date(&result, "sender", "waited: success, 100000 B 20000000 to "), end);
  CU_ASSERT_EQUAL(study_date(&result, "early", "waited: success"), end);
  CU_ASSERT_EQUAL(study_date(&result, "late", "waited: success"), end);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 1"), end);
  CU_ASSERT_EQUAL(study_date(&result, "victim", "waited"), -1);
  study_free(&result);
}
