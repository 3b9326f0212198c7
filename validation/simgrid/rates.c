/* Operations with a rate of their own on the actor seat: the lazy bound and the reference agree, and few kernel rounds
 * are taken while a packet after another waits for its date. */
#include "harness.h"

#include "study_support.h"

#include <stdlib.h>

enum { PACKET = 4096, PACKETS = 300 };
#define GBPS INT64_C(1000000000)

static opp_simtime_t duration(int64_t packets, int64_t bps)
{
  return opp_rate_duration(opp_rate(bps), packets * 8 * PACKET);
}

static char* rack(void)
{
  return study_rack(4, (study_link_t){0}, "", "");
}

static sgf_op_t* at(sgf_op_t* op, int64_t bps)
{
  CU_ASSERT_EQUAL(sgf_op_set_rate(op, bps, NULL), SGF_OK);
  return op;
}

/* ---- Writes ------------------------------------------------------------------------------------------------------ */

static void one_packet(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h1", PACKET, 1);
}

static void writes_at_a_rate(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* op = at(study_write_async("h1", PACKETS * PACKET, 1), 5 * GBPS);
  study_wait(op);
  study_note("written");
  sgf_op_unref(op);
}

static void receives(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_recv(1);
}

static void program_of_one(void)
{
  study_actor("writer", "h0", one_packet);
}

static void program_at_a_rate(void)
{
  study_actor("writer", "h0", writes_at_a_rate);
  study_actor("receiver", "h1", receives);
}

SGF_TEST(a_write_at_a_rate_ends_at_its_date_with_few_kernel_rounds)
{
  char* platform       = rack();
  study_result_t one   = study_run(platform, program_of_one, SG_FABRIC_LAZY);
  study_result_t paced = {0};
  CU_ASSERT(study_same(platform, program_at_a_rate, &paced));
  CU_ASSERT_EQUAL(study_date(&paced, "writer", "written"),
                  duration(PACKETS - 1, 5 * GBPS) + study_date(&one, "writer", "wrote"));
  CU_ASSERT(paced.rounds < 40);
  study_free(&one);
  study_free(&paced);
  free(platform);
}

/* ---- Two of one host --------------------------------------------------------------------------------------------- */

static void writes_both(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* paced = at(study_write_async("h1", PACKETS * PACKET, 1), 5 * GBPS);
  sgf_op_t* plain = study_write_async("h2", 10 * PACKETS * PACKET, 2);
  study_wait(plain);
  study_note("plain");
  study_wait(paced);
  study_note("paced");
  sgf_op_unref(plain);
  sgf_op_unref(paced);
}

static void program_of_both(void)
{
  study_actor("writer", "h0", writes_both);
}

SGF_TEST(a_write_without_a_rate_goes_on_beside_it)
{
  char* platform      = rack();
  study_result_t both = {0};
  CU_ASSERT(study_same(platform, program_of_both, &both));
  CU_ASSERT(study_date(&both, "writer", "plain") < study_date(&both, "writer", "paced"));
  CU_ASSERT(study_date(&both, "writer", "paced") > duration(PACKETS - 1, 5 * GBPS));
  CU_ASSERT(study_date(&both, "writer", "paced") < duration(PACKETS + 3, 5 * GBPS));
  study_free(&both);
  free(platform);
}

/* ---- Mailboxes --------------------------------------------------------------------------------------------------- */

static void puts_at_a_rate(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* op = at(study_put_async("box", 1, PACKETS * PACKET), 20 * GBPS);
  study_wait(op);
  study_note("put");
  sgf_op_unref(op);
}

/* The lower of both holds, whoever comes first. */
static void gets_at_a_rate(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(OPP_US);
  sgf_op_t* op = at(study_get_async("box"), 10 * GBPS);
  study_wait(op);
  study_note("got");
  sgf_op_unref(op);
}

static void program_of_mailboxes(void)
{
  study_actor("sender", "h0", puts_at_a_rate);
  study_actor("receiver", "h1", gets_at_a_rate);
}

SGF_TEST(a_put_and_a_get_may_both_limit_the_message)
{
  char* platform       = rack();
  study_result_t boxes = {0};
  CU_ASSERT(study_same(platform, program_of_mailboxes, &boxes));
  CU_ASSERT_EQUAL(study_date(&boxes, "sender", "put"), study_date(&boxes, "receiver", "got"));
  CU_ASSERT(study_date(&boxes, "receiver", "got") > OPP_US + duration(PACKETS - 1, 10 * GBPS));
  CU_ASSERT(study_date(&boxes, "receiver", "got") < OPP_US + duration(PACKETS + 3, 10 * GBPS));
  study_free(&boxes);
  free(platform);
}

/* ---- No stall ---------------------------------------------------------------------------------------------------- */

/* Nothing moves for 32.768 s, far longer than patience lasts, and other writes come and go. */
static void writes_slowly(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* op = at(study_write_async("h1", 3 * PACKET, 1), 1000);
  study_wait(op);
  study_note("written %d", sgf_op_status(op));
  sgf_op_unref(op);
}

static void writes_meanwhile(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  for (int i = 0; i < 5; i++) {
    study_sleep(9 * OPP_S);
    study_write("h1", PACKET, 2);
  }
}

static void program_of_slow_writes(void)
{
  study_actor("slow", "h0", writes_slowly);
  study_actor("receiver", "h1", receives);
  study_actor("other", "h2", writes_meanwhile);
}

SGF_TEST(a_long_wait_for_its_rate_is_no_stall)
{
  char* platform      = rack();
  study_result_t slow = {0};
  CU_ASSERT(study_same(platform, program_of_slow_writes, &slow));
  CU_ASSERT(study_date(&slow, "slow", "written 0") > duration(2, 1000));
  CU_ASSERT(study_date(&slow, "receiver", "received") > duration(2, 1000));
  CU_ASSERT(slow.rounds < 100);
  study_free(&slow);
  free(platform);
}
