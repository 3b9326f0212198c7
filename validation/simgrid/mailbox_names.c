/* What keeps apart: mailboxes of different names, and mailboxes from receives by tag. */
#include "harness.h"

#include "study_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAMES = 10000 };

static study_result_t run(study_program_t program)
{
  char* rack            = study_rack(2, (study_link_t){NULL, NULL}, "", "");
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, program, &result));
  CU_ASSERT(study_has(&result, "end success"));
  free(rack);
  return result;
}

/* ---- Mailboxes and tags ------------------------------------------------------------------------------------------ */

static void get_and_receive(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* receive = sgf_recv_async(0);
  sgf_op_t* get     = study_get_async("box");
  study_wait(get);
  study_note("%s", sgf_op_test(receive) ? "the tag has taken it" : "the tag has not seen it");
  sgf_op_t* second = study_get_async("box");
  study_wait(receive);
  study_note("%s", sgf_op_test(second) ? "the mailbox has taken it" : "the mailbox has not seen it");
  study_wait(second);
  sgf_op_unref(receive);
  sgf_op_unref(get);
  sgf_op_unref(second);
}

static void put_and_write(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_put("box", 1, 100);
  study_write("h1", 200, 0);
  study_put("box", 2, 300);
}

static void both_kinds(void)
{
  study_actor("receiver", "h1", get_and_receive);
  study_actor("sender", "h0", put_and_write);
}

SGF_TEST(receives_and_mailboxes_do_not_see_each_others_messages)
{
  study_result_t result = run(both_kinds);
  CU_ASSERT(study_date(&result, "receiver", "the tag has not seen it") > 0);
  CU_ASSERT(study_date(&result, "receiver", "the mailbox has not seen it") > 0);
  CU_ASSERT(study_date(&result, "receiver", "waited: success, 300 B") > 0);
  study_free(&result);
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static sgf_mailbox_t* numbered_box(unsigned number)
{
  char name[16];
  snprintf(name, sizeof name, "box%u", number);
  return sgf_mailbox_by_name(name);
}

static bool all_listen(bool expected)
{
  for (unsigned i = 0; i < NAMES; i++)
    if (sgf_mailbox_listen(numbered_box(i)) != expected)
      return false;
  return true;
}

static void fill_all(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_note("%s", all_listen(false) ? "all are empty" : "some are not empty");
  for (uintptr_t i = 0; i < NAMES; i++)
    sgf_op_unref(sgf_mailbox_put_async(numbered_box((unsigned)i), (void*)(i + 1), 1));
  study_note("%s", all_listen(true) ? "all are full" : "some are empty");
}

static void empty_some(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(OPP_US);
  bool right = true;
  for (unsigned i = NAMES; i >= 100; i -= 100) {
    right = right && (uintptr_t)sgf_mailbox_get(numbered_box(i - 1)) == i && !sgf_mailbox_listen(numbered_box(i - 1));
    sgf_op_unref(sgf_mailbox_get_async(numbered_box(i - 1), NULL));
    right = right && !sgf_mailbox_listen(numbered_box(i - 1)); /* a receiver waits there, no sender */
  }
  study_note("%s", right ? "all right" : "mixed up");
}

static void many(void)
{
  study_actor("sender", "h0", fill_all);
  study_actor("receiver", "h1", empty_some);
}

SGF_TEST(ten_thousand_mailboxes_keep_apart)
{
  study_result_t result = run(many);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "all are empty"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "all are full"), 0);
  CU_ASSERT(study_date(&result, "receiver", "all right") > OPP_US);
  study_free(&result);
}
