/* The three completions of a message as actors see them (spec/uet-nic.md 8.13): SEND_COMPLETE by sgf_op_sent,
 * WQE_COMPLETE by the write, RECV_COMPLETE by the receive; on the actor seat against the reference. */
#include "harness.h"

#include "study_support.h"

#include <stdlib.h>

enum { BYTES = 100 * 4096 };

static void sender(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* write = study_write_async("h1", BYTES, 7);
  sgf_op_t* sent  = sgf_op_sent(write, NULL);
  CU_ASSERT_EQUAL(sgf_op_wait(sent), SGF_OK);
  study_note("sent");
  CU_ASSERT_EQUAL(sgf_op_wait(write), SGF_OK);
  study_note("acknowledged");
  sgf_op_unref(sent);
  sgf_op_unref(write);
}

static void receiver(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  CU_ASSERT_EQUAL(sgf_recv(7, NULL, NULL), SGF_OK);
  study_note("received");
}

static void both(void)
{
  study_actor("sender", "h0", sender);
  study_actor("receiver", "h1", receiver);
  simgrid_run();
}

SGF_TEST(UN_98_the_three_completions_come_in_their_order)
{
  char* rack            = study_rack(2, (study_link_t){NULL, NULL}, "", "");
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, both, &result));
  const opp_simtime_t sent         = study_date(&result, "sender", "sent");
  const opp_simtime_t acknowledged = study_date(&result, "sender", "acknowledged");
  const opp_simtime_t received     = study_date(&result, "receiver", "received");
  CU_ASSERT(sent > 15 * OPP_NS); /* the pool holds 54 packets: the doorbell alone does not do it */
  CU_ASSERT(sent < received);
  CU_ASSERT(received > 0 && acknowledged > sent);
  study_free(&result);
  free(rack);
}
