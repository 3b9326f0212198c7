/* SimGrid's calls for mailboxes and communications over the fabric: a program that is written with SimGrid's names,
 * which one define maps (sgfabric/comm.h). Who meets whom and what arrives when is mailboxes.c's; here it is what these
 * calls return, and when they give a communication back. */
#define SGF_MAP_SIMGRID
#include <sgfabric/comm.h>

#include "harness.h"

#include "study_support.h"

#include <simgrid/mailbox.h> /* after the define, as in a program that includes it for itself */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 100000, COMMS = 3 };

static const study_link_t usual;

static study_result_t run(study_program_t program)
{
  char* rack            = study_rack(4, usual, "", "");
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, program, &result));
  CU_ASSERT(study_has(&result, "end success"));
  free(rack);
  return result;
}

static sg_mailbox_t box(void)
{
  return sg_mailbox_by_name("box");
}

static int numbers[COMMS] = {10, 11, 12};

/* ---- One communication ------------------------------------------------------------------------------------------- */

static void put_each_way(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_mailbox_put(box(), &numbers[0], BYTES);
  study_note("put");
  study_note("async %d", (int)sg_comm_wait(sg_mailbox_put_async(box(), &numbers[1], BYTES)));
  sg_comm_t later = sg_mailbox_put_init(box(), &numbers[2], BYTES);
  study_sleep(OPP_US); /* it has not begun */
  study_note("listen %d", sg_mailbox_listen("box"));
  study_note("init %d", (int)sg_comm_wait(later));
  sg_comm_detach(sg_mailbox_put_async(box(), &numbers[0], -1), NULL);
  sg_comm_detach(sg_mailbox_put_init(box(), &numbers[1], 0), free);
  study_note("ends");
}

static void get_each_way(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_note("got %d", *(int*)sg_mailbox_get(box()));
  void* payload = NULL;
  study_note("async %d", (int)sg_comm_wait(sg_mailbox_get_async(box(), &payload)));
  study_note("got %d", *(int*)payload);
  study_sleep(100 * OPP_US); /* the third waits for it */
  study_note("listen %d", sg_mailbox_listen("box"));
  study_note("got %d", *(int*)sg_mailbox_get(box()));
  study_note("got detached %d", *(int*)sg_mailbox_get(box()));
  study_note("got detached %d", *(int*)sg_mailbox_get(box()));
}

static void each_way(void)
{
  study_actor("sender", "h0", put_each_way);
  study_actor("receiver", "h1", get_each_way);
}

SGF_SCENARIO(puts_and_gets_of_each_kind_meet)
{
  study_result_t result = run(each_way);
  CU_ASSERT(study_date(&result, "sender", "put") > 0);
  CU_ASSERT(study_date(&result, "sender", "async 0") > study_date(&result, "sender", "put"));
  CU_ASSERT(study_date(&result, "sender", "listen 0") == study_date(&result, "sender", "async 0") + OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "listen 1") == study_date(&result, "receiver", "got 11") + 100 * OPP_US);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 10"), study_date(&result, "sender", "put"));
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 12"), study_date(&result, "sender", "init 0"));
  CU_ASSERT_EQUAL(study_date(&result, "sender", "ends"), study_date(&result, "sender", "init 0"));
  CU_ASSERT(study_date(&result, "receiver", "got detached 10") > 0);
  CU_ASSERT(study_date(&result, "receiver", "got detached 11") > 0);
  study_free(&result);
}

static void polls(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  void* payload  = NULL;
  sg_comm_t comm = sg_mailbox_get_async(box(), &payload);
  int looks      = 0;
  while (!sg_comm_test(comm)) {
    looks++;
    study_sleep(OPP_US);
  }
  study_note("%s after some looks: %d", looks > 1 ? "there" : "too soon", *(int*)payload);
}

static void puts_late(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(5 * OPP_US);
  sg_comm_t comm = sg_mailbox_put_init(box(), &numbers[2], BYTES);
  study_note("tested %d", sg_comm_test(comm)); /* which begins it */
  study_note("waited %d", (int)sg_comm_wait_for(comm, -1));
}

static void polling(void)
{
  study_actor("sender", "h0", puts_late);
  study_actor("receiver", "h1", polls);
}

SGF_SCENARIO(a_test_begins_a_put_and_gives_back_what_is_complete)
{
  study_result_t result = run(polling);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "tested 0"), 5 * OPP_US);
  CU_ASSERT(study_date(&result, "sender", "waited 0") > 5 * OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "there after some looks: 12") > 5 * OPP_US);
  study_free(&result);
}

/* ---- Time-outs --------------------------------------------------------------------------------------------------- */

static void gives_up(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_note("put %d", (int)sg_comm_wait_for(sg_mailbox_put_async(box(), &numbers[0], BYTES), 2e-6)); /* nobody gets */
  study_note("listen %d", sg_mailbox_listen("box"));
  void* payload = NULL;
  study_note("get %d", (int)sg_comm_wait_for(sg_mailbox_get_async(box(), &payload), 2e-6)); /* nobody puts */
  study_note("listen again %d", sg_mailbox_listen("box"));
  study_sleep_until(20 * OPP_US);
  sg_comm_t got = sg_mailbox_get_async(box(), &payload);
  study_note("cut short %d", (int)sg_comm_wait_for(got, 1e-6)); /* it is on its way */
  study_sleep_until(100 * OPP_US);
  study_note("%s", payload == NULL ? "place left alone" : "place written");
}

static void puts_at_20(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(20 * OPP_US);
  study_note("put %d", (int)sg_comm_wait(sg_mailbox_put_async(box(), &numbers[1], BYTES)));
}

static void giving_up(void)
{
  study_actor("hasty", "h1", gives_up);
  study_actor("sender", "h0", puts_at_20);
}

SGF_SCENARIO(who_times_out_takes_back_what_has_met_nobody)
{
  study_result_t result = run(giving_up);
  CU_ASSERT_EQUAL(study_date(&result, "hasty", "put 2"), 2 * OPP_US); /* SG_ERROR_TIMEOUT */
  CU_ASSERT_EQUAL(study_date(&result, "hasty", "listen 0"), 2 * OPP_US);
  CU_ASSERT_EQUAL(study_date(&result, "hasty", "get 2"), 4 * OPP_US);
  CU_ASSERT_EQUAL(study_date(&result, "hasty", "listen again 0"), 4 * OPP_US);
  CU_ASSERT_EQUAL(study_date(&result, "hasty", "cut short 2"), 21 * OPP_US);
  CU_ASSERT(study_date(&result, "sender", "put 0") > 21 * OPP_US); /* the message goes on */
  CU_ASSERT(study_has(&result, "place left alone"));
  study_free(&result);
}

/* ---- Several ----------------------------------------------------------------------------------------------------- */

static void puts_one(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  const char* names[COMMS]          = {"first", "second", "third"};
  static const opp_simtime_t date[] = {30 * OPP_US, 10 * OPP_US, 20 * OPP_US};
  const char* self                  = sg_actor_self_get_name();
  const int number                  = self[strlen(self) - 1] - '0';
  study_sleep_until(date[number]);
  sg_mailbox_put(sg_mailbox_by_name(names[number]), &numbers[number], BYTES);
}

static void get_all(sg_comm_t* comms, void** payloads)
{
  const char* names[COMMS] = {"first", "second", "third"};
  for (int i = 0; i < COMMS; i++)
    comms[i] = sg_mailbox_get_async(sg_mailbox_by_name(names[i]), &payloads[i]);
}

static void takes_as_they_come(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_comm_t comms[COMMS];
  void* payloads[COMMS];
  void** places[COMMS] = {&payloads[0], &payloads[1], &payloads[2]};
  get_all(comms, payloads);
  study_note("none %d", (int)sg_comm_wait_any_for(comms, COMMS, 1e-6));
  for (size_t left = COMMS; left > 0; left--) {
    const ssize_t which = sg_comm_wait_any(comms, left);
    study_note("came %d", *(int*)*places[which]);
    for (size_t i = (size_t)which; i + 1 < left; i++) {
      comms[i]  = comms[i + 1];
      places[i] = places[i + 1];
    }
  }
}

static void senders(void)
{
  study_actor("from0", "h0", puts_one);
  study_actor("from1", "h2", puts_one);
  study_actor("from2", "h3", puts_one);
}

static void as_they_come(void)
{
  senders();
  study_actor("receiver", "h1", takes_as_they_come);
}

SGF_SCENARIO(waiting_for_any_gives_back_the_one_that_came)
{
  study_result_t result    = run(as_they_come);
  const opp_simtime_t came = study_date(&result, "receiver", "came 11");
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "none -1"), OPP_US);
  CU_ASSERT(came > 10 * OPP_US && came < 20 * OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "came 12") > 20 * OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "came 10") > 30 * OPP_US);
  study_free(&result);
}

static void takes_all(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_comm_t comms[COMMS];
  void* payloads[COMMS];
  get_all(comms, payloads);
  study_note("so far %d", (int)sg_comm_wait_all_for(comms, COMMS, 25e-6)); /* the first of them comes last */
  study_note("in a row %d", (int)sg_comm_wait_all_for(comms + 1, COMMS - 1, 0));
  sg_comm_wait_all(comms, 1);
  study_note("all: %d %d %d", *(int*)payloads[0], *(int*)payloads[1], *(int*)payloads[2]);
  study_note("of none %d", (int)sg_comm_wait_all_for(comms, 0, 1e-6));
}

static void all_of_them(void)
{
  senders();
  study_actor("receiver", "h1", takes_all);
}

SGF_SCENARIO(waiting_for_all_gives_back_what_is_complete_in_a_row)
{
  study_result_t result = run(all_of_them);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "so far 0"), 25 * OPP_US);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "in a row 2"), 25 * OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "all: 10 11 12") > 30 * OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "of none 0") > 30 * OPP_US);
  study_free(&result);
}

/* ---- Kills, names, hosts without a NIC --------------------------------------------------------------------------- */

static void waits_for_ever(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  void* payload = NULL;
  sg_comm_wait(sg_mailbox_get_async(sg_mailbox_by_name("silent"), &payload));
}

static sg_actor_t victim;

static void kills(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  const_sg_mailbox_t silent = sg_mailbox_by_name("silent");
  study_sleep(OPP_US);
  sg_actor_kill(victim);
  study_note("%s is waited at: %d", sg_mailbox_get_name(silent), sg_mailbox_listen("silent"));
}

static void killing(void)
{
  victim = study_actor("victim", "h0", waits_for_ever);
  study_actor("killer", "h1", kills);
}

SGF_SCENARIO(a_killed_waiter_leaves_its_get_in_the_mailbox)
{
  study_result_t result = run(killing);
  CU_ASSERT_EQUAL(study_date(&result, "killer", "silent is waited at: 1"), OPP_US);
  study_free(&result);
}

static void puts_without_a_nic(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_mailbox_put_async(box(), &numbers[0], BYTES);
  study_note("went on");
}

static void on_bare(void)
{
  study_actor("sender", "bare", puts_without_a_nic);
}

SGF_SCENARIO(a_host_without_a_nic_ends_the_process)
{
  char* rack            = study_rack(2, usual, "", "");
  study_result_t result = study_run(rack, on_bare, SG_FABRIC_LAZY);
  CU_ASSERT(result.status != 0);
  CU_ASSERT_FALSE(study_has(&result, "went on"));
  study_free(&result);
  free(rack);
}

/* ---- NICs of two kinds ------------------------------------------------------------------------------------------- */

static void puts_and_is_told(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_note("wait %d", (int)sg_comm_wait(sg_mailbox_put_async(box(), &numbers[0], BYTES)));
}

static void puts_and_asks_nobody(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_comm_detach(sg_mailbox_put_async(box(), &numbers[0], BYTES), NULL);
}

static void gets_and_asks_nobody(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  static void* payload;
  sg_comm_t comm = sg_mailbox_get_async(box(), &payload);
  study_sleep(OPP_US);
  sg_comm_unref(comm);
}

static void gets_and_goes_on(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_mailbox_get(box());
  study_note("went on");
}

static void tests_a_get(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  void* payload;
  sg_comm_t comm = sg_mailbox_get_async(box(), &payload);
  study_sleep(OPP_US);
  sg_comm_test(comm);
  study_note("went on");
}

static void waits_for_any_get(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  void* payload;
  sg_comm_t comm = sg_mailbox_get_async(box(), &payload);
  sg_comm_wait_any(&comm, 1);
  study_note("went on");
}

static void waits_for_all_gets(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  void* payload;
  sg_comm_t comm = sg_mailbox_get_async(box(), &payload);
  sg_comm_wait_all(&comm, 1);
  study_note("went on");
}

static void (*puts_to_foreign)(int argc, char** argv);
static void (*gets_from_foreign)(int argc, char** argv);

static void foreigners(void)
{
  study_actor("sender", "h0", puts_to_foreign);
  study_actor("receiver", "h1", gets_from_foreign);
}

static study_result_t run_foreign(void (*puts)(int argc, char** argv), void (*gets)(int argc, char** argv))
{
  char* rack            = study_rack(2, usual, "", P("nic", "roce"));
  puts_to_foreign       = puts;
  gets_from_foreign     = gets;
  study_result_t result = study_run(rack, foreigners, SG_FABRIC_LAZY);
  free(rack);
  return result;
}

/* Who is told goes on; the run is not complete, though nobody may have waited. */
SGF_SCENARIO(a_message_between_two_kinds_fails_and_so_does_the_run)
{
  char said[64];
  char end[256];
  snprintf(said, sizeof said, "wait %d", (int)SG_ERROR_NETWORK);
  snprintf(end, sizeof end,
           "end %s: message of mailbox box: 'h0' has a roce NIC and 'h1' a uet NIC: they do not understand each other",
           sgf_status_text(SGF_FOREIGN_NIC));
  study_result_t told   = run_foreign(puts_and_is_told, gets_and_asks_nobody);
  study_result_t untold = run_foreign(puts_and_asks_nobody, gets_and_asks_nobody);
  CU_ASSERT_EQUAL(told.status, 0);
  CU_ASSERT_EQUAL(study_date(&told, "sender", said), 0);
  CU_ASSERT(study_has(&told, end));
  CU_ASSERT_EQUAL(untold.status, 0);
  CU_ASSERT(study_has(&untold, end));
  study_free(&told);
  study_free(&untold);
}

SGF_SCENARIO(a_call_that_returns_no_error_ends_the_process)
{
  static void (*const gets[])(int argc, char** argv) = {gets_and_goes_on, tests_a_get, waits_for_any_get,
                                                        waits_for_all_gets};
  for (size_t i = 0; i < sizeof gets / sizeof *gets; i++) {
    study_result_t result = run_foreign(puts_and_asks_nobody, gets[i]);
    CU_ASSERT(result.status != 0);
    CU_ASSERT_FALSE(study_has(&result, "went on"));
    study_free(&result);
  }
}
