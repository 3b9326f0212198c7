/* Writes and messages with a rate of their own: dates, what is refused, the bound, and stalls that are none. */
#include "harness.h"

#include "fabric_support.h"

#include <stdlib.h>
#include <string.h>

enum { PACKET = 4096 };

static fabric_rig_t star(unsigned hosts)
{
  return rig_star(hosts, 100 * OPP_NS, 1, SETTINGS(NULL));
}

static sgf_op_t* write_at(const fabric_rig_t* rig, unsigned src, unsigned dst, uint64_t bytes, uint64_t tag,
                          int64_t bps)
{
  sgf_op_t* op = rig_write(rig, src, dst, bytes, tag, sgf_engine_clock(rig->fabric));
  CU_ASSERT_EQUAL(sgf_op_set_rate(op, bps, NULL), SGF_OK);
  return op;
}

static opp_simtime_t duration(int64_t bytes, int64_t bps)
{
  return opp_rate_duration(opp_rate(bps), 8 * bytes);
}

static void finish(fabric_rig_t* rig)
{
  CU_ASSERT_EQUAL(sgf_engine_drain(rig->fabric), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(rig->fabric, NULL, NULL, NULL), SGF_OK);
}

/* How long a write of one packet takes with nothing in its way. */
static opp_simtime_t time_of_one(void)
{
  fabric_rig_t rig = star(2);
  sgf_op_t* op     = rig_write(&rig, 0, 1, PACKET, 0, 0);
  finish(&rig);
  const opp_simtime_t end = sgf_op_end(op);
  rig_free(&rig);
  return end;
}

/* ---- Dates ------------------------------------------------------------------------------------------------------- */

/* The last packet is generated when all others have taken their time, to the picosecond, and then is alone. */
SGF_TEST(the_long_run_rate_is_exact)
{
  static const int64_t rates[] = {1, 3, 1000, 7 * GBPS, 10 * GBPS + 1, 99999999977};
  enum { PACKETS = 500 };
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    fabric_rig_t rig = star(2);
    /* at 1 bps there is time for 273 packets, and to wait for a second is enough */
    const int64_t packets = rates[i] < 10 ? 2 : PACKETS;
    sgf_op_t* op          = write_at(&rig, 0, 1, (uint64_t)packets * PACKET, 0, rates[i]);
    finish(&rig);
    CU_ASSERT_EQUAL(sgf_op_status(op), SGF_OK);
    CU_ASSERT_EQUAL(sgf_op_end(op), duration((packets - 1) * PACKET, rates[i]) + time_of_one());
    rig_free(&rig);
  }
}

SGF_TEST(without_a_byte_there_is_nothing_to_slow)
{
  fabric_rig_t rig = star(4);
  sgf_op_t* plain  = rig_write(&rig, 0, 1, 0, 0, 0);
  sgf_op_t* paced  = write_at(&rig, 2, 3, 0, 0, 1);
  finish(&rig);
  CU_ASSERT_EQUAL(sgf_op_end(paced), sgf_op_end(plain));
  rig_free(&rig);
}

/* What a rate as fast as the link reports is what none does. */
SGF_TEST(a_rate_that_the_link_does_not_exceed_changes_nothing)
{
  char* texts[3];
  static const int64_t rates[] = {INT64_MAX, 400 * GBPS, 400 * GBPS - 1};
  for (size_t i = 0; i < 3; i++) {
    fabric_rig_t rig = star(3);
    write_at(&rig, 0, 1, 300 * PACKET, 0, rates[i]);
    rig_write(&rig, 2, 1, 300 * PACKET, 0, 0);
    finish(&rig);
    texts[i] = report_text(rig.fabric);
    rig_free(&rig);
  }
  fabric_rig_t rig = star(3);
  rig_write(&rig, 0, 1, 300 * PACKET, 0, 0);
  rig_write(&rig, 2, 1, 300 * PACKET, 0, 0);
  finish(&rig);
  char* plain = report_text(rig.fabric);
  CU_ASSERT_STRING_EQUAL(texts[0], plain);
  CU_ASSERT_STRING_EQUAL(texts[1], plain);
  CU_ASSERT_STRING_NOT_EQUAL(texts[2], plain);
  for (size_t i = 0; i < 3; i++)
    free(texts[i]);
  free(plain);
  rig_free(&rig);
}

SGF_TEST(of_several_limits_the_lowest_holds)
{
  const opp_simtime_t expected     = duration(9 * PACKET, GBPS) + time_of_one();
  static const int64_t orders[][3] = {
      {GBPS, 2 * GBPS, 3 * GBPS}, {3 * GBPS, GBPS, 2 * GBPS}, {2 * GBPS, 3 * GBPS, GBPS}};
  for (size_t i = 0; i < 3; i++) {
    fabric_rig_t rig = star(2);
    sgf_op_t* op     = rig_write(&rig, 0, 1, 10 * PACKET, 0, 0);
    for (size_t k = 0; k < 3; k++)
      CU_ASSERT_EQUAL(sgf_op_set_rate(op, orders[i][k], NULL), SGF_OK);
    finish(&rig);
    CU_ASSERT_EQUAL(sgf_op_end(op), expected);
    rig_free(&rig);
  }
}

/* A message has its rate before its ends are named, or until they have begun. */
SGF_TEST(a_message_has_a_rate_before_and_after_it_is_posted)
{
  fabric_rig_t rig = star(4);
  sgf_op_t* early  = sgf_op_message(rig.fabric);
  sgf_op_t* late   = sgf_op_message(rig.fabric);
  CU_ASSERT_EQUAL(sgf_op_set_rate(early, GBPS, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_post(early, rig.hosts[0], rig.hosts[1], 10 * PACKET, 0, 0, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_post(late, rig.hosts[2], rig.hosts[3], 10 * PACKET, 0, 0, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_set_rate(late, GBPS, NULL), SGF_OK);
  finish(&rig);
  CU_ASSERT(sgf_op_end(early) > duration(9 * PACKET, GBPS));
  CU_ASSERT_EQUAL(sgf_op_end(early), sgf_op_end(late));
  rig_free(&rig);
}

/* ---- Refused ----------------------------------------------------------------------------------------------------- */

static void check_refusal(sgf_op_t* op, int64_t bps, sgf_status_t status, const char* word)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_op_set_rate(op, bps, &error), status);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, word));
}

SGF_TEST(what_has_begun_and_what_receives_has_no_rate)
{
  fabric_rig_t rig  = star(2);
  sgf_op_t* write   = rig_write(&rig, 0, 1, 10 * PACKET, 0, 0);
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[1], 0, 0, 0);
  check_refusal(receive, GBPS, SGF_STATE, "until the engine passes");
  sgf_engine_advance(rig.fabric, 0); /* posts of the horizon are held */
  CU_ASSERT_EQUAL(sgf_op_set_rate(write, GBPS, NULL), SGF_OK);
  sgf_engine_advance(rig.fabric, 1);
  check_refusal(write, GBPS / 2, SGF_STATE, "until the engine passes");
  finish(&rig);
  check_refusal(write, GBPS / 2, SGF_STATE, "until the engine passes");
  CU_ASSERT_EQUAL(sgf_op_end(write), duration(9 * PACKET, GBPS) + time_of_one());
  rig_free(&rig);
}

SGF_TEST(rates_that_are_none_or_that_time_does_not_suffice_for_are_refused)
{
  fabric_rig_t rig = star(2);
  sgf_op_t* op     = rig_write(&rig, 0, 1, 2 * PACKET, 0, 0);
  check_refusal(op, 0, SGF_RANGE, "at 0 bps");
  check_refusal(op, -1, SGF_RANGE, "at -1 bps");
  const int64_t seconds = OPP_TIME_MAX / OPP_S;
  sgf_op_t* fits        = rig_write(&rig, 0, 1, (uint64_t)seconds / 8, 0, 0);
  sgf_op_t* exceeds     = rig_write(&rig, 0, 1, (uint64_t)seconds / 8 + 1, 0, 0);
  CU_ASSERT_EQUAL(sgf_op_set_rate(fits, 1, NULL), SGF_OK);
  check_refusal(exceeds, 1, SGF_RANGE, "at 1 bps takes longer");
  CU_ASSERT_EQUAL(sgf_op_set_rate(exceeds, 2, NULL), SGF_OK);

  sgf_error_t error = {0};
  sgf_op_t* message = sgf_op_message(rig.fabric);
  CU_ASSERT_EQUAL(sgf_op_set_rate(message, 1, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_post(message, rig.hosts[0], rig.hosts[1], (uint64_t)seconds, 0, 0, &error), SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "at 1 bps takes longer"));
  CU_ASSERT_EQUAL(sgf_op_status(message), SGF_RANGE);
  CU_ASSERT(sgf_op_done(message));
  rig_free(&rig);
}

/* ---- The bound --------------------------------------------------------------------------------------------------- */

/* Looks until the operation is done, each at a date that the bound gave. */
static unsigned looks_at(fabric_rig_t* rig, sgf_op_t* op)
{
  unsigned looks = 0;
  for (; !sgf_op_done(op); looks++) {
    const opp_simtime_t bound = sgf_engine_bound(rig->fabric);
    CU_ASSERT_FATAL(bound > sgf_engine_clock(rig->fabric));
    sgf_engine_advance(rig->fabric, bound);
    CU_ASSERT_FALSE(sgf_op_done(op) && sgf_op_end(op) != bound);
    while (sgf_engine_completed(rig->fabric) != NULL)
      continue;
  }
  return looks;
}

SGF_TEST(a_write_with_a_rate_needs_few_looks)
{
  static const int64_t rates[] = {GBPS, 30 * GBPS, 100 * GBPS};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    for (unsigned dst = 0; dst < 2; dst++) { /* to oneself, too */
      fabric_rig_t rig = star(2);
      sgf_op_t* op     = write_at(&rig, 0, dst, 1000 * PACKET, 0, rates[i]);
      sgf_op_set_awaited(op, true);
      CU_ASSERT(looks_at(&rig, op) < 20);
      CU_ASSERT(sgf_op_end(op) > duration(999 * PACKET, rates[i]));
      CU_ASSERT(sgf_fabric_event_count(rig.fabric) > 1000);
      rig_free(&rig);
    }
}

SGF_TEST(a_receive_of_a_write_with_a_rate_needs_few_looks)
{
  fabric_rig_t rig = star(2);
  write_at(&rig, 0, 1, 1000 * PACKET, 5, GBPS);
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[1], 5, 0, 0);
  sgf_op_set_awaited(receive, true);
  CU_ASSERT(looks_at(&rig, receive) < 20);
  rig_free(&rig);
}

/* ---- No stall ---------------------------------------------------------------------------------------------------- */

#define STUCK "h2:nic.EgressBufferManager.TotalBufferSize", "4KB" /* h2 cannot send a full frame (ends.c) */
static const opp_simtime_t patience = 32 * (150 << 5) * OPP_US;   /* as in ends.c */

/* 32,768 s between two packets: the NICs have nothing to do in between, and who waits looks at each packet at most
 * three times: when it may go, when it may have been stuck for as long as patience lasts, and when it has not been. */
SGF_TEST(a_long_wait_for_its_rate_is_no_stall)
{
  fabric_rig_t rig  = star(2);
  sgf_op_t* op      = write_at(&rig, 0, 1, 20 * PACKET, 3, 1);
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[1], 3, 0, 0);
  sgf_op_set_awaited(op, true);
  sgf_op_set_awaited(receive, true);
  CU_ASSERT(looks_at(&rig, op) <= 3 * 20);
  CU_ASSERT_EQUAL(sgf_op_status(op), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_status(receive), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_end(op), duration(19 * PACKET, 1) + time_of_one());
  CU_ASSERT(sgf_fabric_event_count(rig.fabric) < 20 * 30);
  finish(&rig);
  rig_free(&rig);
}

/* What cannot move is given up beside it, when its own patience is at an end: also when it is posted in mid-wait. With
 * it goes a receive at its destination that waits for nothing else; nobody awaits the stuck write itself. */
static void check_stuck_beside(opp_simtime_t posted)
{
  fabric_rig_t rig   = rig_star(3, 100 * OPP_NS, 1, SETTINGS(STUCK));
  sgf_op_t* paced    = write_at(&rig, 0, 1, 3 * PACKET, 3, 1000); /* 32.768 s a packet */
  sgf_op_t* received = sgf_op_recv(rig.fabric, rig.hosts[1], 3, 0, 0);
  sgf_op_t* in_vain  = sgf_op_recv(rig.fabric, rig.hosts[1], 9, 0, 0);
  sgf_engine_advance(rig.fabric, posted);
  sgf_op_t* stuck = rig_write(&rig, 2, 1, PACKET, 4, posted);
  sgf_op_set_awaited(paced, true);
  sgf_op_set_awaited(received, true);
  sgf_op_set_awaited(in_vain, true);
  while (!sgf_op_done(in_vain)) {
    const opp_simtime_t bound = sgf_engine_bound(rig.fabric);
    CU_ASSERT_FATAL(bound > sgf_engine_clock(rig.fabric) || sgf_engine_completed(rig.fabric) != NULL);
    sgf_engine_advance(rig.fabric, bound);
    CU_ASSERT_FALSE(sgf_op_done(in_vain) && sgf_op_end(in_vain) < bound);
  }
  CU_ASSERT_EQUAL(sgf_op_status(stuck), SGF_STALLED);
  CU_ASSERT(sgf_op_end(stuck) >= posted + patience);
  CU_ASSERT(sgf_op_end(stuck) <= posted + 2 * patience);
  CU_ASSERT_EQUAL(sgf_op_status(in_vain), SGF_STALLED);
  CU_ASSERT_EQUAL(sgf_op_end(in_vain), sgf_op_end(stuck));
  CU_ASSERT_FALSE(sgf_op_done(paced));
  CU_ASSERT_FALSE(sgf_op_done(received));
  sgf_engine_drain(rig.fabric);
  CU_ASSERT_EQUAL(sgf_op_status(paced), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_status(received), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_end(paced), duration(2 * PACKET, 1000) + time_of_one());
  CU_ASSERT(sgf_op_done(received));
  CU_ASSERT_EQUAL(sgf_fabric_check_end(rig.fabric, NULL, NULL, NULL), SGF_STALLED); /* the stuck one is there still */
  rig_free(&rig);
}

SGF_TEST(what_is_stuck_is_given_up_beside_what_waits_for_its_rate)
{
  check_stuck_beside(0);
  check_stuck_beside(10 * OPP_S);
  check_stuck_beside(40 * OPP_S);
}

/* A paced write whose packets do not arrive is given up like any other: its receiver's pool takes nothing. */
SGF_TEST(a_write_with_a_rate_can_be_stuck)
{
  fabric_rig_t rig = rig_star(3, 100 * OPP_NS, 1, SETTINGS(STUCK));
  sgf_op_t* stuck  = write_at(&rig, 2, 1, 3 * PACKET, 0, GBPS);
  sgf_op_set_awaited(stuck, true);
  sgf_engine_advance(rig.fabric, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(sgf_op_status(stuck), SGF_STALLED);
  CU_ASSERT_EQUAL(sgf_op_end(stuck), patience);
  rig_free(&rig);
}

static void keep_line(void* user, const char* line)
{
  text_add(user, "%s\n", line);
}

SGF_TEST(in_mid_wait_the_check_says_what_is_waited_for)
{
  text_t waits     = {0};
  fabric_rig_t rig = star(2);
  write_at(&rig, 0, 1, 3 * PACKET, 0, 1);
  sgf_engine_advance(rig.fabric, OPP_S);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(rig.fabric, keep_line, &waits, NULL), SGF_STALLED);
  CU_ASSERT_PTR_NOT_NULL_FATAL(waits.chars);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(waits.chars, "1 of 3 packets acknowledged, 0 under way, 0 retransmissions: its own rate"));
  CU_ASSERT_EQUAL(sgf_engine_drain_until(rig.fabric, 10 * OPP_S), SGF_ENGINE_HORIZON);
  free(waits.chars);
  rig_free(&rig);
}
