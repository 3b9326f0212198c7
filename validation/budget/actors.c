/* include/sgfabric/simgrid.h, Interventions: what actors do to a run at their own instant.
 *
 *   h0 h1 h2 h3 == tor == h4 */
#include "budget_support.h"
#include "harness.h"
#include "simgrid/seat.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

enum { EGRESS = 4, FRAME = 4154 };

static const opp_simtime_t first = 15000 + 70843 + 100000; /* the first bit is at the switch (udp/udp_support.h) */

static void build(void)
{
  const budget_topology_t r1        = budget_r1(100 * OPP_NS);
  const budget_setting_t settings[] = {{NULL, "nic", "HeaderBytes", "58"}, {0}};
  budget_build(BUDGET_SIMGRID, &r1, settings);
}

/* Two senders: the queue grows by a frame in the time of one, from two. */
static void two_senders(void)
{
  build();
  budget_write("h0", "h4", 100 * 4096, 0, 0);
  budget_write("h1", "h4", 100 * 4096, 0, 0);
}

static opp_simtime_t date_of(int64_t frames)
{
  return first + (frames - 1) * budget_wire(FRAME);
}

static sg_actor_t start(const char* host, void (*code)(int, char**))
{
  sg_actor_t actor = sg_actor_init("actor", sg_host_by_name(host));
  sg_actor_start(actor, code, 0, NULL);
  return actor;
}

static unsigned done;

/* ---- Waiting ----------------------------------------------------------------------------------------------------- */

static void wait_for_several(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  for (int64_t frames = 2; frames <= 90; frames += 11) {
    CU_ASSERT_EQUAL(sg_fabric_wait_queue("tor", EGRESS, 0, frames * FRAME), SGF_OK);
    CU_ASSERT_EQUAL(seat_now(), date_of(frames));
  }
  CU_ASSERT_EQUAL(sg_fabric_wait_queue("tor", EGRESS, 0, 1), SGF_OK); /* it is as long: at once */
  CU_ASSERT_EQUAL(seat_now(), date_of(90));
  done++;
}

static void wait_with_a_limit(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sgf_op_t* ops[] = {sg_fabric_queue_async("tor", EGRESS, 0, 1000 * FRAME),
                     sg_fabric_queue_async("tor", EGRESS, 0, 30 * FRAME)};
  CU_ASSERT_EQUAL(sgf_op_wait_any(ops, 2), 1);
  CU_ASSERT_EQUAL(seat_now(), date_of(30));
  CU_ASSERT_EQUAL(sgf_op_wait_for(ops[0], 1e-6), SGF_TIMEOUT);
  CU_ASSERT_EQUAL(seat_now(), date_of(30) + OPP_US);
  sgf_op_unref(ops[0]);
  sgf_op_unref(ops[1]);
  done++;
}

static void wait_for_ever(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sg_fabric_wait_queue("tor", EGRESS, 0, 60 * FRAME);
  CU_FAIL("was killed before");
}

static void kill_it(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sg_actor_t victim = start("h2", wait_for_ever);
  sg_actor_sleep_for(1e-6);
  sg_actor_kill(victim);
  done++;
}

SGF_SCENARIO(actors_wait_for_the_length_of_a_queue)
{
  two_senders();
  start("h0", wait_for_several);
  start("h1", wait_with_a_limit);
  start("h3", kill_it);
  budget_run(20 * OPP_US);
  CU_ASSERT_EQUAL(done, 3);
  budget_finish();
}

/* ---- Acting ------------------------------------------------------------------------------------------------------ */

/* Longer than the write would take: the fabric's actor sleeps until the pause runs out. */
static const opp_simtime_t date_of_pause = 2 * OPP_US;
static const opp_simtime_t length        = 20 * OPP_US;

static void pause_and_resume(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sg_actor_sleep_for((double)date_of_pause * 1e-12);
  CU_ASSERT_EQUAL(sg_fabric_pause("tor", 0, 0, 65535), SGF_OK);
  sg_actor_sleep_for((double)length * 1e-12);
  CU_ASSERT_EQUAL(sg_fabric_pause("tor", 0, 0, 0), SGF_OK);
  done++;
}

static void write_meanwhile(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  CU_ASSERT_EQUAL(sgf_rdma_write(sg_host_by_name("h4"), 100 * 4096, 0), SGF_OK);
  /* Pause and resume are there 101.28 ns after their actor's calls; the frame that is being sent is completed first, so
   * that a little less time is lost. */
  const opp_simtime_t wire  = budget_wire(FRAME);
  const opp_simtime_t begun = first - 100000;
  const opp_simtime_t there = date_of_pause + 101280;
  const opp_simtime_t stops = begun + (there - begun + wire - 1) / wire * wire; /* end of the frame under way */
  CU_ASSERT_EQUAL(seat_now(), begun + 100 * wire + there + length - stops);
  done++;
}

SGF_SCENARIO(an_actor_pauses_and_resumes_a_sender)
{
  build();
  start("h3", pause_and_resume);
  start("h0", write_meanwhile);
  budget_run(50 * OPP_US);
  CU_ASSERT_EQUAL(done, 2);
  budget_finish();
}

static void slow_down(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sg_actor_sleep_for(2e-6);
  CU_ASSERT_EQUAL(sg_fabric_set_send_rate("h0", INT64_C(50000000000)), SGF_OK);
  done++;
}

static void write_slower(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  CU_ASSERT_EQUAL(sgf_rdma_write(sg_host_by_name("h4"), 100 * 4096, 0), SGF_OK);
  const opp_simtime_t wire  = budget_wire(FRAME);
  const opp_simtime_t begun = first - 100000;
  const int64_t fast = (2 * OPP_US - begun) / wire + 1; /* those that had begun; the others take eight times as long */
  CU_ASSERT_EQUAL(seat_now(), begun + fast * wire + (100 - fast) * 8 * wire);
  done++;
}

SGF_SCENARIO(an_actor_slows_a_sender)
{
  build();
  start("h3", slow_down);
  start("h0", write_slower);
  budget_run(200 * OPP_US);
  CU_ASSERT_EQUAL(done, 2);
  budget_finish();
}

/* ---- Refused ----------------------------------------------------------------------------------------------------- */

static void ask_for_the_impossible(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  CU_ASSERT_EQUAL(sg_fabric_pause("nobody", 0, 0, 1), SGF_UNKNOWN);
  CU_ASSERT_EQUAL(sg_fabric_pause("tor", 5, 0, 1), SGF_RANGE);
  CU_ASSERT_EQUAL(sg_fabric_set_send_rate("nobody", 1), SGF_UNKNOWN);
  CU_ASSERT_EQUAL(sg_fabric_set_send_rate("tor", 1), SGF_RULE);
  CU_ASSERT_EQUAL(sg_fabric_wait_queue("nobody", 0, 0, 1), SGF_UNKNOWN);
  CU_ASSERT_EQUAL(sg_fabric_wait_queue("tor", 0, 8, 1), SGF_RANGE);
  CU_ASSERT_PTR_NULL(sg_fabric_queue_async("tor", 0, 0, 0));
  done++;
}

SGF_SCENARIO(what_an_actor_cannot_do_is_an_error)
{
  build();
  start("h0", ask_for_the_impossible);
  budget_run(OPP_US);
  CU_ASSERT_EQUAL(done, 1);
}
