/* Mailboxes on the actor seat: who meets whom, when a message begins and ends, what arrives. */
#include "harness.h"

#include "study_support.h"

#include <sgfabric/pcie.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKET = 4096, PACKETS = 3, BYTES = PACKETS * PACKET };

static const study_link_t usual;

/* The date at which the later of the two comes. */
static const opp_simtime_t met = 7 * OPP_US + 13;

static study_result_t run(study_program_t program)
{
  char* rack            = study_rack(4, usual, "", "");
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, program, &result));
  CU_ASSERT(study_has(&result, "end success"));
  free(rack);
  return result;
}

/* ---- From first principles: 400 Gb/s and 100 ns, PCIe at 504.32 Gb/s --------------------------------------------- */

static opp_simtime_t wire_time(int64_t payload)
{
  return 8 * (payload + 106) * OPP_S / 400000000000;
}

static opp_simtime_t pcie_time(int64_t bytes)
{
  return 8 * bytes * OPP_US / 504320;
}

static const opp_simtime_t doorbell = 15 * OPP_NS, delay = 100 * OPP_NS;

/* From the NIC's first look at a message until its first packet is there to be sent: a read request and the answer. */
static opp_simtime_t fetch(void)
{
  return pcie_time(98) + pcie_time(sgf_pcie_link_bytes(PACKET));
}

/* Full packets one behind the other; the switch stores and forwards the last one, and then it crosses PCIe. */
static opp_simtime_t way_through_the_switch(void)
{
  const opp_simtime_t sent = doorbell + fetch() + PACKETS * wire_time(PACKET);
  return sent + delay + wire_time(PACKET) + delay + pcie_time(sgf_pcie_link_bytes(PACKET));
}

/* ---- Two that meet ----------------------------------------------------------------------------------------------- */

static void putter(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_put("box", 42, BYTES);
}

static void getter(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_get("box");
}

static void late_putter(int argc, char** argv)
{
  study_sleep_until(met);
  putter(argc, argv);
}

static void late_getter(int argc, char** argv)
{
  study_sleep_until(met);
  getter(argc, argv);
}

static void sender_first(void)
{
  study_actor("sender", "h0", putter);
  study_actor("receiver", "h1", late_getter);
}

static void receiver_first(void)
{
  study_actor("receiver", "h1", getter);
  study_actor("sender", "h0", late_putter);
}

/* The message begins when both are there, goes from the one's host to the other's, and ends at one date for both. */
static void check_meeting(study_program_t program)
{
  study_result_t result     = run(program);
  const opp_simtime_t ended = met + way_through_the_switch();
  CU_ASSERT_EQUAL(study_date(&result, "sender", "put 42, 12288 B, in box since "), ended);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 42 from box since "), ended);
  CU_ASSERT(study_has(&result, ": success"));
  char flow[64];
  snprintf(flow, sizeof flow, "\nflow h0 h1 %d %lld ", BYTES, (long long)met);
  CU_ASSERT(study_has(&result, flow));
  study_free(&result);
}

SGF_TEST(both_complete_when_the_last_byte_is_in_the_receivers_memory_sender_first)
{
  check_meeting(sender_first);
}

SGF_TEST(both_complete_when_the_last_byte_is_in_the_receivers_memory_receiver_first)
{
  check_meeting(receiver_first);
}

static void put_nothing(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_put("box", 42, 0);
}

static void no_bytes(void)
{
  study_actor("receiver", "h1", late_getter);
  study_actor("sender", "h0", put_nothing);
}

SGF_TEST(a_message_of_no_bytes_carries_its_payload)
{
  study_result_t result     = run(no_bytes);
  const opp_simtime_t ended = met + doorbell + 2 * (wire_time(0) + delay);
  CU_ASSERT_EQUAL(study_date(&result, "sender", "put 42, 0 B, in box since 0: success"), ended);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 42"), ended);
  study_free(&result);
}

static void put_a_packet(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_put("box", 42, PACKET);
}

static void one_host(void)
{
  study_actor("sender", "h1", put_a_packet);
  study_actor("receiver", "h1", late_getter);
}

SGF_TEST(two_actors_of_one_host_meet)
{
  study_result_t result     = run(one_host);
  const opp_simtime_t ended = met + doorbell + fetch() + pcie_time(sgf_pcie_link_bytes(PACKET));
  CU_ASSERT_EQUAL(study_date(&result, "sender", "put 42, 4096 B, in box since 0: success"), ended);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 42"), ended);
  CU_ASSERT(study_has(&result, "hops 0 "));
  study_free(&result);
}

static void alone(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* put = study_put_async("box", 5, BYTES);
  sgf_op_t* get = study_get_async("box");
  study_note("%s", sgf_status_text(sgf_op_wait(get)));
  study_note("%s and got %llu", sgf_op_test(put) ? "put" : "not put", (unsigned long long)study_payload(get));
  sgf_op_unref(put);
  sgf_op_unref(get);
}

static void one_actor(void)
{
  study_actor("hermit", "h0", alone);
}

SGF_TEST(an_actor_meets_itself)
{
  study_result_t result = run(one_actor);
  CU_ASSERT(study_date(&result, "hermit", "success") > 0);
  CU_ASSERT_EQUAL(study_date(&result, "hermit", "put and got 5"), study_date(&result, "hermit", "success"));
  study_free(&result);
}

/* ---- First come, first matched ----------------------------------------------------------------------------------- */

static void put_own_number(int argc, char** argv)
{
  (void)argc;
  const uint64_t number = strtoull(argv[0], NULL, 10);
  study_sleep_until((opp_simtime_t)number * OPP_US);
  study_put("box", number, 1000);
}

static void get_after_own_number(int argc, char** argv)
{
  (void)argc;
  study_sleep_until((opp_simtime_t)strtoull(argv[0], NULL, 10) * OPP_US);
  study_get("box");
}

static void numbered(const char* prefix, unsigned number, const char* host, void (*code)(int, char**))
{
  char name[32], argument[16];
  snprintf(name, sizeof name, "%s%u", prefix, number);
  snprintf(argument, sizeof argument, "%u", number);
  const char* arguments[] = {argument};
  sg_actor_create_(name, sg_host_by_name(host), code, 1, arguments);
}

static void get_three(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(10 * OPP_US);
  for (unsigned i = 0; i < 3; i++)
    study_note("number %u is %llu", i, (unsigned long long)study_get("box"));
}

static void puts_wait(void)
{
  numbered("putter", 3, "h0", put_own_number); /* created first, comes last */
  numbered("putter", 1, "h2", put_own_number);
  numbered("putter", 2, "h3", put_own_number);
  study_actor("receiver", "h1", get_three);
}

SGF_TEST(the_put_that_came_first_is_matched_first)
{
  study_result_t result = run(puts_wait);
  CU_ASSERT(study_date(&result, "receiver", "number 0 is 1") > 10 * OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "number 1 is 2") > 10 * OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "number 2 is 3") > 10 * OPP_US);
  CU_ASSERT(study_has(&result, "\nflow h2 h1 1000 10000000 "));
  study_free(&result);
}

static void put_three(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(10 * OPP_US);
  sgf_op_t* puts[3];
  for (unsigned i = 0; i < 3; i++)
    puts[i] = study_put_async("box", 10 * (i + 1), 1000);
  for (unsigned i = 0; i < 3; i++) {
    study_wait(puts[i]);
    sgf_op_unref(puts[i]);
  }
}

static void gets_wait(void)
{
  numbered("getter", 3, "h0", get_after_own_number);
  numbered("getter", 1, "h2", get_after_own_number);
  numbered("getter", 2, "h3", get_after_own_number);
  study_actor("sender", "h1", put_three);
}

SGF_TEST(the_get_that_came_first_is_matched_first)
{
  study_result_t result = run(gets_wait);
  CU_ASSERT(study_date(&result, "getter1", "got 10") > 10 * OPP_US);
  CU_ASSERT(study_date(&result, "getter2", "got 20") > 10 * OPP_US);
  CU_ASSERT(study_date(&result, "getter3", "got 30") > 10 * OPP_US);
  study_free(&result);
}

static void put_in_first(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_put("first", 1, 1000);
}

static void put_in_second(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_put("second", 2, 2000);
}

static void get_second_and_first(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(met);
  sgf_op_unref(study_get_async("second"));
  sgf_op_unref(study_get_async("first"));
}

static void begun_by_the_receiver(void)
{
  study_actor("receiver", "h1", get_second_and_first);
  study_actor("first", "h0", put_in_first);
  study_actor("second", "h0", put_in_second);
}

SGF_TEST(messages_that_begin_at_one_instant_are_posted_in_the_order_of_their_senders)
{
  study_result_t result = run(begun_by_the_receiver);
  const char* flow      = strstr(result.record, "\nflow ");
  CU_ASSERT_PTR_NOT_NULL_FATAL(flow);
  CU_ASSERT_EQUAL(strncmp(flow, "\nflow h0 h1 1000 7000013 ", strlen("\nflow h0 h1 1000 7000013 ")), 0);
  CU_ASSERT(study_has(&result, "\nflow h0 h1 2000 7000013 "));
  study_free(&result);
}

/* ---- Payloads ---------------------------------------------------------------------------------------------------- */

static int thing;

static void put_things(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(met);
  sgf_op_unref(sgf_mailbox_put_async(sgf_mailbox_by_name("things"), &thing, BYTES));
  study_sleep_until(20 * OPP_US);
  sgf_op_unref(sgf_mailbox_put_async(sgf_mailbox_by_name("nothing"), NULL, BYTES));
  sgf_op_unref(sgf_mailbox_put_async(sgf_mailbox_by_name("things"), &thing, BYTES));
}

static void get_things(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  static int untouched;
  void* first         = &untouched;
  void* second        = &untouched;
  sgf_op_t* things    = sgf_mailbox_get_async(sgf_mailbox_by_name("things"), &first);
  sgf_op_t* no_things = sgf_mailbox_get_async(sgf_mailbox_by_name("nothing"), &second);
  sgf_op_t* nowhere   = sgf_mailbox_get_async(sgf_mailbox_by_name("things"), NULL);
  study_sleep_until(met + way_through_the_switch() - 1);
  study_note("%s", !sgf_op_test(things) && first == &untouched ? "not yet" : "too early");
  study_sleep_until(met + way_through_the_switch());
  study_note("%s", sgf_op_test(things) && first == &thing ? "there" : "missing");
  study_note("%s", sgf_op_payload(things) == &thing ? "known" : "unknown");
  sgf_op_wait(no_things);
  study_note("%s", second == NULL ? "nothing" : "untouched");
  sgf_op_wait(nowhere);
  study_note("%s", sgf_op_payload(nowhere) == &thing ? "by the operation" : "not by the operation");
  study_note("from %s", sgf_device_name(sgf_op_src(nowhere)));
  sgf_op_unref(things);
  sgf_op_unref(no_things);
  sgf_op_unref(nowhere);
}

static void payloads(void)
{
  study_actor("sender", "h2", put_things);
  study_actor("receiver", "h1", get_things);
}

SGF_TEST(a_payload_is_stored_when_its_message_is_complete)
{
  study_result_t result = run(payloads);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "not yet"), met + way_through_the_switch() - 1);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "there"), met + way_through_the_switch());
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "known"), met + way_through_the_switch());
  CU_ASSERT(study_date(&result, "receiver", "nothing") > 20 * OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "by the operation") > 20 * OPP_US);
  CU_ASSERT(study_date(&result, "receiver", "from h2") > 20 * OPP_US);
  study_free(&result);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void cannot(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_mailbox_t* box = sgf_mailbox_by_name("box");
  study_note("put: %s", sgf_status_text(sgf_mailbox_put(box, &thing, 1)));
  study_note("get: %s", sgf_mailbox_get(box) == NULL ? "NULL" : "something");
  study_note("async: %s", sgf_mailbox_put_async(box, &thing, 1) == NULL ? "NULL" : "something");
  study_note("async get: %s", sgf_mailbox_get_async(box, NULL) == NULL ? "NULL" : "something");
}

static void too_much(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_mailbox_t* box = sgf_mailbox_by_name("box");
  study_note("put: %s", sgf_status_text(sgf_mailbox_put(box, &thing, SGF_LARGEST_WRITE + 1)));
  study_note("async: %s", sgf_mailbox_put_async(box, &thing, SGF_LARGEST_WRITE + 1) == NULL ? "NULL" : "something");
}

static void refused(void)
{
  study_actor("bare", "bare", cannot);
  study_actor("much", "h2", too_much);
  study_actor("receiver", "h1", late_getter);
  study_actor("sender", "h0", putter);
}

SGF_TEST(what_is_refused_leaves_nothing_in_the_mailbox)
{
  study_result_t result = run(refused);
  char no_nic[128], range[128];
  snprintf(no_nic, sizeof no_nic, "put: %s", sgf_status_text(SGF_NO_NIC));
  snprintf(range, sizeof range, "put: %s", sgf_status_text(SGF_RANGE));
  CU_ASSERT_EQUAL(study_date(&result, "bare", no_nic), 0);
  CU_ASSERT_EQUAL(study_date(&result, "bare", "get: NULL"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "bare", "async: NULL"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "bare", "async get: NULL"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "much", range), 0);
  CU_ASSERT_EQUAL(study_date(&result, "much", "async: NULL"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "got 42"), met + way_through_the_switch());
  study_free(&result);
}
