/* spec/mrc-nic.md 10.1, 10.4, 10.7 and 12 in a simulation: queue pairs and their turns, what draws which answer, the
 * PSN window of senders. */
#include "harness.h"

#include "mrc_run_support.h"

/* ---- Turns (10.1) ------------------------------------------------------------------------------------------------ */

static uint32_t next_pair;

static void on_the_next_pair(sgf_op_t* write)
{
  CU_ASSERT_EQUAL(sgf_op_set_queue_pair(write, next_pair++, NULL), SGF_OK);
}

SGF_SCENARIO(section_10_1_queue_pairs_take_turns_packet_by_packet)
{
  mrun_cable_of(NULL);
  for (unsigned i = 0; i < 3; i++)
    run_write_as(0, 1, 4 * MRUN_MSS, 0, on_the_next_pair);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_DATA, true), 12);
  for (uint32_t n = 0; n < 12; n++) {
    CU_ASSERT_EQUAL(mrun_header(MRC_DATA, true, n)->data.message, 1 + n % 3); /* each on a pair of its own */
    CU_ASSERT_EQUAL(mrun_header(MRC_DATA, true, n)->psn, n / 3);
    CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, n), mrun_arrival(n + 1));
  }
}

/* 15 ns from a doorbell that finds generation idle; another one meanwhile goes with it. */
SGF_SCENARIO(section_10_1_doorbells)
{
  mrun_cable_of(NULL);
  run_write_as(0, 1, 0, 1000e-9, on_the_next_pair);
  run_write_as(0, 1, 0, 1010e-9, on_the_next_pair);
  run_write_as(0, 1, 0, 1020e-9, on_the_next_pair);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t first = OPP_US + mrun_start + mrun_empty + mrun_cable;
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, 0), first);
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, 1), first + mrun_empty);
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, 2), first + 20000);
}

/* A message without payload is not fetched, and does not overtake what is. */
SGF_SCENARIO(section_10_2_a_message_without_payload_keeps_its_place)
{
  mrun_cable_of(NULL);
  const size_t first  = run_write(0, 1, MRUN_MSS, 0);
  const size_t second = run_write(0, 1, 0, 0);
  const size_t firsts = run_receive(1, first);
  const size_t empty  = run_receive(1, second);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, 0), mrun_arrival(1));
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, 1), mrun_arrival(1) + mrun_empty);
  CU_ASSERT_EQUAL(mrun_nth(MRC_DATA, true, 1)->bytes, 78);
  CU_ASSERT_EQUAL(run_received(firsts), mrun_arrival(1) + 69289);
  CU_ASSERT_EQUAL(run_received(empty), mrun_arrival(1) + 69289); /* not before the write that is ahead of it */
}

/* ---- Answers (10.4) ---------------------------------------------------------------------------------------------- */

/* Packets of 10 B count 1,024 B each towards a threshold of 4,096 B; the last of 11 asks, and draws an ACK. */
SGF_SCENARIO(section_10_4_every_fourth_small_packet_draws_a_SACK)
{
  mrun_cable_of(RUN_SETTINGS("**.nic.MSS=10B", "**.nic.SackThreshold=4096B"));
  run_write(0, 1, 110, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_SACK, false), 2);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 0)->psn, 3);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 1)->psn, 7);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_ACK, false), 1);
  CU_ASSERT_EQUAL(mrun_header(MRC_ACK, false, 0)->psn, 10);
  CU_ASSERT_EQUAL(mrun_header(MRC_ACK, false, 0)->ack.expected, 11);
}

static opp_simtime_t hold_5_and_8(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const mrc_header_t* data = to_host ? mrun_data(msg) : NULL;
  (void)now;
  return data != NULL && (data->psn == 5 || data->psn == 8) ? 20 * OPP_US : 0;
}

/* The example of 10.4. The last packet arrives behind gaps: it draws a SACK, and so do those that fill them. */
SGF_SCENARIO(section_10_4_PSNs_0_to_11_without_5_and_8)
{
  mrun_fate = hold_5_and_8;
  mrun_cable_of(NULL);
  run_write(0, 1, 12 * MRUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_count(MRC_ACK, false), 0);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_SACK, false), 12);
  const mrc_header_t* tenth = mrun_header(MRC_SACK, false, 9);
  CU_ASSERT_EQUAL(tenth->psn, 11);
  CU_ASSERT_EQUAL(tenth->ack.expected, 5);
  CU_ASSERT_EQUAL(tenth->ack.base, 5);
  CU_ASSERT_EQUAL(tenth->ack.bitmap, 0x76); /* 0 1 1 0 1 1 1 from PSN 5 upward */
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 10)->ack.expected, 8);
  CU_ASSERT_EQUAL(mrun_header(MRC_SACK, false, 11)->ack.expected, 12);
}

/* ---- The PSN window (10.7) --------------------------------------------------------------------------------------- */

static opp_simtime_t hold_the_first(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const mrc_header_t* data = to_host ? mrun_data(msg) : NULL;
  return data != NULL && data->psn == 0 && now < 140 * OPP_US ? 140 * OPP_US - now : 0;
}

static void all_of_the_window_is_sent(void)
{
  CU_ASSERT_EQUAL(mrun_generated(), 1024);
  CU_ASSERT_EQUAL(mrun_counters(1)->out_of_window, 0);
}

/* The first packet is late, but not lost: 1,023 others go, and no more before it is acknowledged. */
SGF_SCENARIO(section_10_7_no_PSN_goes_beyond_the_receivers_window)
{
  mrun_fate = hold_the_first;
  mrun_cable_of(RUN_SETTINGS(MRUN_STUBBORN, "**.nic.LossReorderThreshold=65535"));
  run_write(0, 1, 1100 * MRUN_MSS, 0);
  run_look(139 * OPP_US, all_of_the_window_is_sent);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_counters(0)->data_sent, 1100);
  CU_ASSERT_EQUAL(mrun_counters(1)->out_of_window, 0);
  CU_ASSERT_EQUAL(mrun_counters(1)->held_out_of_order, 1023);
  CU_ASSERT_EQUAL(mrun_date(MRC_DATA, true, 1024),
                  140 * OPP_US + mrun_sack + mrun_cable + mrun_fetch + mrun_wire + mrun_cable);
}
