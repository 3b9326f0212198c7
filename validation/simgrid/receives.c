/* Receiving by tag on the actor seat: who gets which message, and when it is complete in host memory. */
#include "harness.h"

#include "study_support.h"

#include <sgfabric/pcie.h>
#include <stdio.h>
#include <stdlib.h>

static const study_link_t usual;

/* Run a program of this file on a rack and keep its result. */
static study_result_t run(const char* props, study_link_t link, study_program_t program)
{
  char* rack            = study_rack(4, link, props, "");
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, program, &result));
  free(rack);
  return result;
}

/* ---- Actors ------------------------------------------------------------------------------------------------------ */

enum { PACKET = 4096, TAG = 7, OTHER_TAG = 8 };

static void writer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h1", PACKET, TAG);
}

static void late_writer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(50 * OPP_US);
  study_write("h1", 2 * PACKET, TAG);
}

static void receiver(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_recv(TAG);
}

static void late_receiver(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(100 * OPP_US);
  study_recv(TAG);
}

/* ---- Before and after the message -------------------------------------------------------------------------------- */

static void receive_first(void)
{
  study_actor("receiver", "h1", receiver);
  study_actor("writer", "h0", writer);
}

/* Date at which one full packet that is posted at 0 is in the memory of a host behind one switch. */
static opp_simtime_t in_memory(void)
{
  const opp_simtime_t doorbell = 15 * OPP_NS, wire = 84040, delay = 100 * OPP_NS; /* (4,096 + 106) B at 400 Gb/s */
  sgf_pcie_config_t config;
  const sgf_attr_section_t section[] = {{&sgf_pcie_attributes, 0}};
  const sgf_attr_set_t set           = {"pcie", section, 1, sizeof config};
  sgf_error_t error                  = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&set, &config, &error), SGF_OK);
  sgf_pcie_t* pcie            = sgf_pcie_new(&config, PACKET, &error);
  const opp_simtime_t fetched = sgf_pcie_read(pcie, doorbell, PACKET);
  const opp_simtime_t written = sgf_pcie_write(pcie, fetched + 2 * (wire + delay), PACKET);
  sgf_pcie_free(pcie);
  return written;
}

SGF_TEST(a_receive_ends_when_the_last_byte_is_in_host_memory)
{
  study_result_t result = run("", usual, receive_first);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "received 4096 B from h0 with tag 7: success"), in_memory());
  CU_ASSERT(study_date(&result, "writer", "wrote") > in_memory());
  study_free(&result);
}

static void receive_afterwards(void)
{
  study_actor("writer", "h0", writer);
  study_actor("receiver", "h1", late_receiver);
}

SGF_TEST(a_message_that_nobody_waits_for_is_kept)
{
  study_result_t result = run("", usual, receive_afterwards);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "received 4096 B from h0 with tag 7: success"), 100 * OPP_US);
  study_free(&result);
}

/* ---- Several ----------------------------------------------------------------------------------------------------- */

static void many_receivers(void)
{
  study_actor("first", "h1", receiver);
  study_actor("second", "h1", receiver);
  study_actor("late", "h0", late_writer); /* posts last, although it was created before the writer */
  study_actor("writer", "h2", writer);
}

SGF_TEST(messages_go_to_receivers_in_order_of_their_calls)
{
  study_result_t result = run("", usual, many_receivers);
  CU_ASSERT_EQUAL(study_date(&result, "first", "received 4096 B from h2 with tag 7: success"), in_memory());
  CU_ASSERT(study_date(&result, "second", "received 8192 B from h0 with tag 7: success") > 50 * OPP_US);
  study_free(&result);
}

static void receive_both(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_recv(OTHER_TAG);
  study_recv(TAG);
}

static void write_both(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h1", 10, TAG);
  study_write("h1", 20, OTHER_TAG);
}

static void two_tags(void)
{
  study_actor("receiver", "h1", receive_both);
  study_actor("writer", "h0", write_both);
}

SGF_TEST(a_receive_takes_no_message_of_another_tag)
{
  study_result_t result      = run("", usual, two_tags);
  const opp_simtime_t second = study_date(&result, "receiver", "received 20 B from h0 with tag 8: success");
  CU_ASSERT(second > 0);
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "received 10 B from h0 with tag 7: success"), second);
  study_free(&result);
}

static void gives_up(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* receive = sgf_recv_async(TAG);
  study_wait_for(receive, OPP_US / 10);
  sgf_op_unref(receive);
}

static void withdrawn(void)
{
  study_actor("first", "h1", gives_up);
  study_actor("second", "h1", receiver);
  study_actor("writer", "h0", writer);
}

SGF_TEST(a_withdrawn_receive_leaves_its_message_to_the_next)
{
  study_result_t result = run("", usual, withdrawn);
  CU_ASSERT_EQUAL(study_date(&result, "first", sgf_status_text(SGF_TIMEOUT)), -1);
  CU_ASSERT_EQUAL(study_date(&result, "first", "waited: the time-out expired"), OPP_US / 10);
  CU_ASSERT_EQUAL(study_date(&result, "second", "received 4096 B from h0"), in_memory());
  study_free(&result);
}

/* ---- Dates that are hard to bound -------------------------------------------------------------------------------- */

/* No more than the PCIe link takes at once: nothing stays in the receive pool, so that acknowledgements are hardly
 * held. */
static void write_a_lot(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h0", 40 * PACKET, TAG);
}

static void receive_a_lot(void)
{
  study_actor("receiver", "h0", receiver);
  study_actor("writer", "h1", write_a_lot);
}

SGF_TEST(over_a_slow_pcie_link_a_message_arrives_after_its_last_acknowledgement)
{
  char* rack            = study_rack(2, usual, "", P("pcie", "gen3 x1"));
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, receive_a_lot, &result));
  CU_ASSERT(study_date(&result, "writer", "wrote 163840 B") > 0);
  CU_ASSERT(study_date(&result, "receiver", "received 163840 B") > study_date(&result, "writer", "wrote 163840 B"));
  study_free(&result);
  free(rack);
}

static void write_two_packets(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h1", 2 * PACKET, TAG);
}

static void receive_two_packets(void)
{
  study_actor("receiver", "h1", receiver);
  study_actor("writer", "h0", write_two_packets);
}

/* The second packet is on the cable when the first arrives, and the cable is much longer than a packet. */
SGF_TEST(packets_on_a_long_cable_complete_a_message_soon_after_its_first)
{
  study_result_t result = run(P("pcie", "gen7 x16"), (study_link_t){"400Gbps", "5us"}, receive_two_packets);
  CU_ASSERT(study_date(&result, "receiver", "received 8192 B") > 10 * OPP_US);
  study_free(&result);
}

static void write_to_oneself(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h1", 3 * PACKET, TAG);
  study_write("h1", 0, TAG);
}

static void receive_twice(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_recv(TAG);
  study_recv(TAG);
}

static void loopback(void)
{
  study_actor("receiver", "h1", receive_twice);
  study_actor("writer", "h1", write_to_oneself);
}

SGF_TEST(a_host_receives_from_itself)
{
  study_result_t result = run("", usual, loopback);
  CU_ASSERT(study_date(&result, "receiver", "received 12288 B from h1 with tag 7: success") > 0);
  CU_ASSERT(study_date(&result, "receiver", "received 0 B from h1 with tag 7: success") > 0);
  study_free(&result);
}
