/* SEND_COMPLETE as an operation: sgf_op_sent (spec/uet-nic.md 8.13, UN-98). */
#include "harness.h"

#include "fabric_support.h"

enum { PACKET = 4096 };

/* The doorbell, 15 ns after the post, begins the transmit process; a pass takes no time. */
static const opp_simtime_t doorbell = 15 * OPP_NS;

static void run(fabric_rig_t* rig)
{
  while (sgf_engine_advance(rig->fabric, OPP_TIME_MAX) == SGF_ENGINE_COMPLETION)
    while (sgf_engine_completed(rig->fabric) != NULL)
      continue;
}

SGF_TEST(UN_98_SEND_COMPLETE_is_the_fetch_of_the_last_segment)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* write  = rig_write(&rig, 0, 1, 10 * PACKET, 0, 0);
  sgf_op_t* sent   = sgf_op_sent(write, NULL);
  sgf_op_set_awaited(sent, true);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_COMPLETION);
  CU_ASSERT_PTR_EQUAL(sgf_engine_completed(rig.fabric), sent);
  CU_ASSERT_EQUAL(sgf_op_end(sent), doorbell); /* ten packets fit window and pool: one pass */
  CU_ASSERT_EQUAL(sgf_op_status(sent), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_bytes(sent), 10 * PACKET);
  CU_ASSERT_PTR_EQUAL(sgf_op_src(sent), sgf_op_src(write));
  CU_ASSERT_FALSE(sgf_op_done(write)); /* nothing is on the wire yet */
  CU_ASSERT_EQUAL(sgf_fabric_packet_hops(rig.fabric), 0);
  run(&rig);
  CU_ASSERT(sgf_op_done(write) && sgf_op_end(write) > sgf_op_end(sent));
  sgf_op_unref(sent);
  rig_free(&rig);
}

/* 54 full packets fill the transmit pool (UN-11): the 55th is fetched when there is room. */
SGF_TEST(a_full_pool_delays_it)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* small  = sgf_op_sent(rig_write(&rig, 0, 1, 54 * PACKET, 0, 0), NULL);
  run(&rig);
  CU_ASSERT_EQUAL(sgf_op_end(small), doorbell);
  const opp_simtime_t now = sgf_engine_clock(rig.fabric);
  sgf_op_t* large         = sgf_op_sent(rig_write(&rig, 0, 1, 55 * PACKET, 0, now), NULL);
  run(&rig);
  CU_ASSERT(sgf_op_end(large) > now + doorbell);
  sgf_op_unref(small);
  sgf_op_unref(large);
  rig_free(&rig);
}

SGF_TEST(asked_for_late_it_says_when_it_was)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* write  = rig_write(&rig, 0, 1, PACKET, 0, 0);
  run(&rig);
  sgf_op_t* sent = sgf_op_sent(write, NULL);
  CU_ASSERT(sgf_op_done(sent));
  CU_ASSERT_EQUAL(sgf_op_end(sent), doorbell);
  sgf_op_unref(sent);
  rig_free(&rig);
}

SGF_TEST(several_may_wait_and_one_may_leave)
{
  fabric_rig_t rig = rig_star(2, 100 * OPP_NS, 1, SETTINGS(NULL));
  sgf_op_t* write  = rig_write(&rig, 0, 1, PACKET, 0, 0);
  sgf_op_t* first  = sgf_op_sent(write, NULL);
  sgf_op_t* gone   = sgf_op_sent(write, NULL);
  sgf_op_t* last   = sgf_op_sent(write, NULL);
  sgf_op_unref(gone);
  run(&rig);
  CU_ASSERT(sgf_op_done(first) && sgf_op_done(last));
  sgf_op_unref(first);
  sgf_op_unref(last);
  rig_free(&rig);
}

SGF_TEST(a_receive_is_not_sent)
{
  fabric_rig_t rig  = rig_star(2, 0, 1, SETTINGS(NULL));
  sgf_op_t* receive = sgf_op_recv(rig.fabric, sgf_fabric_host(rig.fabric, 1), 0, 0, 0);
  sgf_op_t* message = sgf_op_message(rig.fabric);
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(sgf_op_sent(receive, &error));
  CU_ASSERT_EQUAL(error.status, SGF_STATE);
  CU_ASSERT_PTR_NULL(sgf_op_sent(message, &error));
  sgf_op_unref(receive);
  sgf_op_unref(message);
  rig_free(&rig);
}
