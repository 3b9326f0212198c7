/* Waiting for any and for all of some operations. */
#include "harness.h"

#include "study_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 5000, MIDDLE = 50000, LARGE = 500000 };

static study_result_t run_on(char* platform, study_program_t program)
{
  study_result_t result = {0};
  CU_ASSERT(study_same(platform, program, &result));
  free(platform);
  return result;
}

static study_result_t run(study_program_t program)
{
  study_result_t result = run_on(study_rack(4, (study_link_t){NULL, NULL}, "", ""), program);
  CU_ASSERT(study_has(&result, "end success"));
  return result;
}

/* ---- Helpers of the actors --------------------------------------------------------------------------------------- */

static void note_any(sgf_op_t* const* ops, size_t count)
{
  const ptrdiff_t index = sgf_op_wait_any(ops, count);
  study_note("any of %zu: %td, ended %lld", count, index, index < 0 ? -1 : (long long)sgf_op_end(ops[index]));
}

static void drop(sgf_op_t* const* ops, size_t count)
{
  for (size_t i = 0; i < count; i++)
    sgf_op_unref(ops[i]);
}

/* Whether a wait for any of a list, "3: 1" for the second of three, returned at the date at which its operation ended.
 */
static bool returned_at_its_end(const study_result_t* result, const char* actor, const char* index)
{
  char text[64];
  snprintf(text, sizeof text, "any of %s, ended ", index);
  const opp_simtime_t date = study_date(result, actor, text);
  snprintf(text, sizeof text, "any of %s, ended %lld\n", index, (long long)date);
  return date > 0 && study_has(result, text);
}

/* ---- Any --------------------------------------------------------------------------------------------------------- */

static void wait_in_turn(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* ops[] = {study_write_async("h1", LARGE, 0), study_write_async("h2", SMALL, 0),
                     study_write_async("h3", MIDDLE, 0)};
  note_any(ops, 3);
  note_any((sgf_op_t*[]){ops[0], ops[2]}, 2);
  note_any(ops, 1);
  drop(ops, 3);
}

static void in_turn(void)
{
  study_actor("waiter", "h0", wait_in_turn);
}

SGF_TEST(any_of_several_is_the_one_that_completes_first)
{
  study_result_t result = run(in_turn);
  CU_ASSERT(returned_at_its_end(&result, "waiter", "3: 1"));
  CU_ASSERT(returned_at_its_end(&result, "waiter", "2: 1"));
  CU_ASSERT(returned_at_its_end(&result, "waiter", "1: 0"));
  CU_ASSERT(study_date(&result, "waiter", "any of 3: 1") < study_date(&result, "waiter", "any of 2: 1"));
  CU_ASSERT(study_date(&result, "waiter", "any of 2: 1") < study_date(&result, "waiter", "any of 1: 0"));
  study_free(&result);
}

static void wait_afterwards(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* ops[] = {study_write_async("h1", LARGE, 0), study_write_async("h2", SMALL, 0),
                     study_write_async("h3", MIDDLE, 0)};
  study_sleep_until(OPP_MS);
  note_any(ops, 3);
  drop(ops, 3);
}

static void afterwards(void)
{
  study_actor("waiter", "h0", wait_afterwards);
}

SGF_TEST(of_several_that_are_complete_any_is_the_one_that_was_first)
{
  study_result_t result = run(afterwards);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "any of 3: 1"), OPP_MS);
  study_free(&result);
}

/* Two writes that have nothing to do with each other, and end at the same picosecond. */
static sgf_op_t* twins[2];

static void first_twin(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  twins[0] = study_write_async("h1", MIDDLE, 0);
}

static void second_twin(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  twins[1] = study_write_async("h3", MIDDLE, 0);
}

static void wait_for_twins(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(1);
  note_any((sgf_op_t*[]){twins[1], twins[0]}, 2);
  study_note("%s", sgf_op_end(twins[0]) == sgf_op_end(twins[1]) ? "at one instant" : "one after the other");
  note_any(twins, 2);
}

static void equals(void)
{
  study_actor("twin0", "h0", first_twin);
  study_actor("twin1", "h2", second_twin);
  study_actor("waiter", "h1", wait_for_twins);
  simgrid_run();
  drop(twins, 2);
}

SGF_TEST(of_equals_any_is_the_first_of_the_list)
{
  study_result_t result = run(equals);
  CU_ASSERT(returned_at_its_end(&result, "waiter", "2: 0"));
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "any of 2: 1"), -1);
  CU_ASSERT(study_date(&result, "waiter", "at one instant") > 0);
  study_free(&result);
}

static void wait_twice_for_one(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* op    = study_write_async("h1", MIDDLE, 0);
  sgf_op_t* other = study_write_async("h2", LARGE, 0);
  note_any((sgf_op_t*[]){other, op, op, other}, 4);
  study_wait(op);
  study_wait(other);
  sgf_op_unref(op);
  sgf_op_unref(other);
}

static void twice(void)
{
  study_actor("waiter", "h0", wait_twice_for_one);
}

SGF_TEST(an_operation_may_stand_in_the_list_twice)
{
  study_result_t result   = run(twice);
  const opp_simtime_t end = study_date(&result, "waiter", "any of 4: 1");
  CU_ASSERT(returned_at_its_end(&result, "waiter", "4: 1"));
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "waited: success, 50000 B"), end);
  CU_ASSERT(study_date(&result, "waiter", "waited: success, 500000 B") > end);
  study_free(&result);
}

static void wait_for_none(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_note("any: %td", sgf_op_wait_any(NULL, 0));
  study_note("any for: %td", sgf_op_wait_any_for(NULL, 0, 1.0));
  study_note("all: %s", sgf_status_text(sgf_op_wait_all(NULL, 0)));
}

static void none(void)
{
  study_actor("waiter", "h0", wait_for_none);
}

SGF_TEST(there_is_nothing_to_wait_for_in_an_empty_list)
{
  study_result_t result = run(none);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "any: -1"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "any for: -1"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "all: success"), 0);
  study_free(&result);
}

static void wait_for_a_mixture(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* ops[] = {study_write_async("h1", LARGE, 0), sgf_recv_async(7), study_get_async("box"),
                     study_put_async("nobody comes", 1, 1)};
  note_any(ops, 4);
  study_note("payload %llu", (unsigned long long)study_payload(ops[2]));
  ops[2] = ops[3]; /* dropped with it */
  note_any(ops, 3);
  study_note("tag from %s", sgf_device_name(sgf_op_src(ops[1])));
  drop(ops, 2);
  sgf_op_unref(ops[3]);
}

static void supply(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(OPP_US);
  study_put("box", 9, SMALL);
  study_write("h0", SMALL, 7);
}

static void mixture(void)
{
  study_actor("waiter", "h0", wait_for_a_mixture);
  study_actor("supplier", "h2", supply);
}

SGF_TEST(writes_receives_puts_and_gets_may_be_waited_for_together)
{
  study_result_t result = run(mixture);
  CU_ASSERT(returned_at_its_end(&result, "waiter", "4: 2"));
  CU_ASSERT(study_date(&result, "waiter", "payload 9") == study_date(&result, "supplier", "put 9"));
  CU_ASSERT(returned_at_its_end(&result, "waiter", "3: 1"));
  CU_ASSERT(study_date(&result, "waiter", "tag from h2") > 0);
  study_free(&result);
}

static void wait_beside_what_never_comes(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* ops[] = {study_get_async("nobody comes"), study_write_async("h1", LARGE, 0)};
  study_sleep(OPP_US); /* the fabric's actor sleeps by then, until somebody waits */
  note_any(ops, 2);
  drop(ops, 2);
}

static void beside(void)
{
  study_actor("waiter", "h0", wait_beside_what_never_comes);
}

SGF_TEST(what_never_comes_does_not_keep_any_from_what_does)
{
  study_result_t result = run(beside);
  CU_ASSERT(returned_at_its_end(&result, "waiter", "2: 1"));
  study_free(&result);
}

/* ---- Time-outs --------------------------------------------------------------------------------------------------- */

static opp_simtime_t completion; /* of the smaller, known from an earlier run */
static opp_simtime_t timeout;

static void wait_a_while(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* ops[] = {study_write_async("h1", LARGE, 0), study_write_async("h2", SMALL, 0)};
  study_note("for: %td", sgf_op_wait_any_for(ops, 2, (double)timeout * 1e-12));
  note_any(ops, 2);
  drop(ops, 2);
}

static void a_while(void)
{
  study_actor("waiter", "h0", wait_a_while);
}

static study_result_t run_with_timeout(opp_simtime_t duration)
{
  timeout = duration;
  return run(a_while);
}

SGF_TEST(any_has_a_time_out_which_a_completion_at_its_instant_beats)
{
  study_result_t result = run_with_timeout(-1);
  completion            = study_date(&result, "waiter", "for: 1");
  CU_ASSERT(completion > 0);
  study_free(&result);
  result = run_with_timeout(completion);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "for: 1"), completion);
  study_free(&result);
  result = run_with_timeout(completion - 1);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "for: -1"), completion - 1);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "any of 2: 1"), completion);
  study_free(&result);
  result = run_with_timeout(0);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "for: -1"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "any of 2: 1"), completion);
  study_free(&result);
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static void wait_for_all(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* ops[] = {study_write_async("h1", SMALL, 0), study_write_async("h2", LARGE, 0),
                     study_write_async("h3", MIDDLE, 0)};
  study_note("all: %s", sgf_status_text(sgf_op_wait_all(ops, 3)));
  study_note("done %d %d %d", sgf_op_done(ops[0]), sgf_op_done(ops[1]), sgf_op_done(ops[2]));
  study_note("the longest ended %lld", (long long)sgf_op_end(ops[1]));
  drop(ops, 3);
}

static void all(void)
{
  study_actor("waiter", "h0", wait_for_all);
}

SGF_TEST(all_are_complete_with_the_last_of_them)
{
  study_result_t result   = run(all);
  const opp_simtime_t end = study_date(&result, "waiter", "all: success");
  char text[64];
  snprintf(text, sizeof text, "the longest ended %lld\n", (long long)end);
  CU_ASSERT(end > 0);
  CU_ASSERT(study_has(&result, text));
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "done 1 1 1"), end);
  study_free(&result);
}

/* ---- Kills ------------------------------------------------------------------------------------------------------- */

static sgf_op_t* owned[2];
static sg_actor_t victim;

static void drop_owned(int failed, void* unused)
{
  (void)failed;
  (void)unused;
  drop(owned, 2);
}

static void own(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_actor_on_exit(drop_owned, NULL);
  owned[0] = study_write_async("h1", MIDDLE, 0);
  owned[1] = study_write_async("h2", LARGE, 0);
  note_any(owned + 1, 1);
}

static void wait_for_any_owned(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(1);
  study_note("any: %td", sgf_op_wait_any(owned, 2));
}

static void wait_for_all_owned(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(1);
  study_note("all: %s", sgf_status_text(sgf_op_wait_all((sgf_op_t*[]){owned[1], owned[0]}, 2)));
}

static void kill_victim(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(OPP_US / 2);
  sg_actor_kill(victim);
}

static void kill_the_owner(void)
{
  victim = study_actor("owner", "h0", own);
  study_actor("any", "h1", wait_for_any_owned);
  study_actor("all", "h2", wait_for_all_owned);
  study_actor("killer", "h3", kill_victim);
}

SGF_TEST(those_who_wait_for_a_list_outlive_the_owner_of_its_operations)
{
  study_result_t result = run(kill_the_owner);
  CU_ASSERT_EQUAL(study_date(&result, "owner", "any of"), -1);
  CU_ASSERT(study_date(&result, "any", "any: 0") > OPP_US / 2);
  CU_ASSERT(study_date(&result, "all", "all: success") > study_date(&result, "any", "any: 0"));
  study_free(&result);
}

static void kill_a_waiter(void)
{
  study_actor("owner", "h0", own);
  victim = study_actor("victim", "h1", wait_for_any_owned);
  study_actor("all", "h2", wait_for_all_owned);
  study_actor("killer", "h3", kill_victim);
}

SGF_TEST(a_killed_waiter_for_any_leaves_the_others_waiting)
{
  study_result_t result = run(kill_a_waiter);
  CU_ASSERT_EQUAL(study_date(&result, "victim", "any"), -1);
  CU_ASSERT(returned_at_its_end(&result, "owner", "1: 0"));
  CU_ASSERT_EQUAL(study_date(&result, "all", "all: success"), study_date(&result, "owner", "any of 1: 0"));
  study_free(&result);
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

/* The data pool of every NIC, 90 % of it, never takes a full frame. */
#define STUCK P("nic.EgressBufferManager.TotalBufferSize", "4KB")

static void wait_for_failures(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* ops[] = {study_get_async("inbox"), study_put_async("box", 3, LARGE), study_write_async("h1", LARGE, 0)};
  note_any((sgf_op_t*[]){ops[1], ops[0]}, 2);
  study_note("all: %s", sgf_status_text(sgf_op_wait_all(ops, 3)));
  note_any(ops + 1, 2);
  study_note("statuses %d %d %d", sgf_op_status(ops[0]) == SGF_OK, sgf_op_status(ops[1]) == SGF_STALLED,
             sgf_op_status(ops[2]) == SGF_STALLED);
  drop(ops, 3);
}

static void get_box(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_get("box");
}

static void put_inbox(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_put("inbox", 8, 100);
}

static void failures(void)
{
  study_actor("waiter", "h0", wait_for_failures);
  study_actor("getter", "h1", get_box);
  study_actor("sender", "h2", put_inbox);
}

SGF_TEST(who_waits_hears_of_operations_that_were_given_up)
{
  study_result_t result = run_on(study_rack(4, (study_link_t){NULL, NULL}, STUCK, ""), failures);
  CU_ASSERT(returned_at_its_end(&result, "waiter", "2: 1"));
  char text[128];
  snprintf(text, sizeof text, "all: %s", sgf_status_text(SGF_STALLED));
  const opp_simtime_t gave_up = study_date(&result, "waiter", text);
  CU_ASSERT(gave_up > study_date(&result, "waiter", "any of 2: 1"));
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "any of 2: 0"), gave_up); /* both at one instant */
  CU_ASSERT_EQUAL(study_date(&result, "waiter", "statuses 1 1 1"), gave_up);
  CU_ASSERT_EQUAL(study_date(&result, "getter", "got 0"), gave_up);
  CU_ASSERT(study_date(&result, "sender", "put 8, 100 B, in inbox since 0: success") > 0);
  study_free(&result);
}
