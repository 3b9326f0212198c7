/* spec/roce-nic.md 11.1, 11.2 and 11.4 in a simulation: which packets draw CNPs, who obeys them, and which queue pair
 * is slowed (RO-57, RO-59, RO-60, RO-64). */
#include "harness.h"

#include "roce_run_support.h"

enum { LARGE = 2000 * RRUN_MSS };

/* Data packets from this PSN on are marked, of one queue pair or of all. */
static uint32_t marked_from;
static int marked_pair = -1;

static bool is_to_be_marked(const roce_header_t* data)
{
  return data->psn >= marked_from && (marked_pair < 0 || data->queue_pair == (uint32_t)marked_pair);
}

static opp_simtime_t mark(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  if (to_host && rrun_data(msg) != NULL && is_to_be_marked(rrun_data(msg)))
    rrun_mark(msg);
  return 0;
}

static bool lost;

static opp_simtime_t mark_and_lose_the_first_ACK(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  net_frame_t* frame = net_frame(msg);
  if (to_host || lost || frame->type == NET_FRAME_PFC || roce_header(frame)->type != ROCE_ACK)
    return mark(msg, now, to_host);
  lost = true;
  return RUN_LOST;
}

SGF_SCENARIO(RO_57_a_duplicate_draws_a_CNP)
{
  rrun_fate = mark_and_lose_the_first_ACK;
  rrun_cable_of(NULL);
  run_write(0, 1, RRUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(rrun_counters(1)->duplicates, 1);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_CNP, false), 2);
  CU_ASSERT_EQUAL(rrun_date(ROCE_CNP, false, 1), rrun_date(ROCE_DATA, true, 1) + rrun_cnp + rrun_cable);
}

static opp_simtime_t mark_and_keep_pauses(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  return !to_host && net_frame(msg)->type == NET_FRAME_PFC ? RUN_LOST : mark(msg, now, to_host);
}

/* PSNs count from 0: the first that is marked is the last one that finds room. */
SGF_SCENARIO(RO_57_a_packet_that_the_pool_drops_draws_none)
{
  marked_from = RUN_STUCK_WRITES + 869;
  rrun_fate   = mark_and_keep_pauses;
  rrun_cable_of(RUN_SETTINGS(RUN_STUCK));
  run_write(0, 1, LARGE, 0);
  run_until(rrun_arrival(RUN_STUCK_WRITES + 880) + OPP_US);
  CU_ASSERT(run_nic(1)->rx_drops >= 10);
  CU_ASSERT_EQUAL(rrun_count(ROCE_CNP, false), 1);
}

SGF_SCENARIO(RO_59_a_sender_with_ECN_off_stays_at_line_rate_and_sends_Not_ECT)
{
  rrun_fate = mark;
  rrun_cable_of(RUN_SETTINGS("**.h0.nic.EnableECN=false"));
  run_write(0, 1, LARGE, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(rrun_counters(0)->cnps_received, 2000);
  for (size_t i = 0; i < rrun_logged; i++)
    CU_ASSERT_EQUAL(rrun_log[i].ecn, NET_ECN_NOT_ECT);
  CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, 1999), rrun_arrival(2000));
}

SGF_SCENARIO(RO_60_a_receiver_with_ECN_off_still_sends_CNPs)
{
  rrun_mark_at(10 * OPP_US);
  rrun_fate = rrun_mark_some;
  rrun_cable_of(RUN_SETTINGS("**.h1.nic.EnableECN=false"));
  run_write(0, 1, LARGE, 0);
  run_until(20 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_CNP, false), 1);
  rrun_check_rate(rrun_date(ROCE_CNP, false, 0), 20 * OPP_US, 200e9);
}

static void on_queue_pair_7(sgf_op_t* write)
{
  CU_ASSERT_EQUAL(sgf_op_set_queue_pair(write, 7, NULL), SGF_OK);
}

/* Their packets alternate; after the first CNP, with the estimate of Dcqcn, those of queue pair 1 go at 200 Gb/s. */
SGF_SCENARIO(RO_64_marks_slow_their_own_queue_pair_alone)
{
  marked_pair = 1;
  rrun_fate   = mark;
  rrun_cable_of(RUN_SETTINGS("**.nic.CongestionEstimate=Dcqcn"));
  run_write(0, 1, LARGE, 0);
  run_write_as(0, 1, LARGE, 0, on_queue_pair_7);
  run_until(20 * OPP_US);
  const opp_simtime_t first = rrun_date(ROCE_CNP, false, 0);
  opp_simtime_t before      = 0;
  size_t slow = 0, fast = 0;
  for (size_t i = 0; i < rrun_logged; i++) {
    const rrun_frame_t* frame = &rrun_log[i];
    if (!frame->to_host)
      continue;
    if (before - rrun_cable > first) {
      CU_ASSERT_EQUAL(frame->date - before, frame->queue_pair == 1 ? 2 * rrun_wire : rrun_wire);
      slow += frame->queue_pair == 1;
      fast += frame->queue_pair == 0;
    }
    before = frame->date;
  }
  CU_ASSERT(slow >= 50 && fast >= 50);
  CU_ASSERT_FALSE(rrun_pair(0, 0)->rate.congested);
}
