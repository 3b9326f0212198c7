/* spec/roce-nic.md 4, 10 and 14 in a simulation: packets and their sizes, messages, queue pairs, acknowledgements and
 * their timer (RO-04, RO-05, RO-15, RO-17 to RO-20, RO-49, RO-51 to RO-56, RO-68, RO-74). */
#include "harness.h"

#include "roce_run_support.h"

static const opp_simtime_t timeout = 64 * OPP_MS;

static uint32_t acked(size_t n)
{
  const rrun_frame_t* ack = rrun_nth(ROCE_ACK, false, n);
  CU_ASSERT_PTR_NOT_NULL_FATAL(ack);
  return ack->psn;
}

/* When an ACK or a NAK that a packet draws is back, which has come at `arrival`. */
static opp_simtime_t back(opp_simtime_t arrival)
{
  return arrival + rrun_ack + rrun_cable;
}

static size_t write_packets(unsigned packets)
{
  return run_write(0, 1, packets * (uint64_t)RRUN_MSS, 0);
}

/* ---- Packets (4) ------------------------------------------------------------------------------------------------- */

SGF_SCENARIO(RO_04_and_RO_53_full_packets_are_4154_B_and_the_first_is_reserved_80_ns_after_its_doorbell)
{
  rrun_cable_of(NULL);
  const size_t write = write_packets(2);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  for (size_t n = 0; n < 2; n++) {
    const rrun_frame_t* data = rrun_nth(ROCE_DATA, true, n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    CU_ASSERT_EQUAL(data->bytes, 4154);
    CU_ASSERT_EQUAL(data->ecn, NET_ECN_ECT0);
    CU_ASSERT_EQUAL(data->dscp, 0);
    CU_ASSERT_EQUAL(data->flags, n == 1 ? ROCE_FLAG_LAST : 0);
    CU_ASSERT_EQUAL(data->date, rrun_arrival((int64_t)n + 1));
  }
  CU_ASSERT_EQUAL(rrun_wire, 83080);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), 4136); /* PCIe takes each before the next comes */
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), 2 * 4154);
  CU_ASSERT_EQUAL(run_written(write), back(rrun_arrival(2)));
}

/* The CNP goes first, the ACK behind it. */
SGF_SCENARIO(RO_05_an_ACK_has_126_B_and_a_CNP_122)
{
  rrun_fate = rrun_mark_all;
  rrun_cable_of(NULL);
  write_packets(1);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_CNP, false, 0)->bytes, 122);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_CNP, false, 0)->dscp, 8);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_CNP, false, 0)->ecn, NET_ECN_NOT_ECT);
  CU_ASSERT_EQUAL(rrun_date(ROCE_CNP, false, 0), rrun_arrival(1) + 2440 + rrun_cable);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_ACK, false, 0)->bytes, 126);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_ACK, false, 0)->dscp, 8);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_ACK, false, 0)->ecn, NET_ECN_NOT_ECT);
  CU_ASSERT_EQUAL(rrun_date(ROCE_ACK, false, 0), rrun_arrival(1) + 2440 + 2520 + rrun_cable);
}

static uint32_t lost_psn;
static unsigned losses; /* of it, the first ones */

static opp_simtime_t lose(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  const roce_header_t* data = rrun_data(msg);
  if (!to_host || data == NULL || data->psn != lost_psn || losses == 0)
    return 0;
  losses--;
  return RUN_LOST;
}

static void send_pause(void)
{
  rrun_pause(0, 0, 1);
}

SGF_SCENARIO(RO_05_a_NAK_has_126_B_and_a_pause_frame_84)
{
  lost_psn  = 1;
  losses    = 1;
  rrun_fate = lose;
  rrun_cable_of(NULL);
  write_packets(3);
  run_look(100 * OPP_US, send_pause);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_NAK, false), 1);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_NAK, false, 0)->bytes, 126);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_NAK, false, 0)->psn, 1);
  CU_ASSERT_EQUAL(rrun_date(ROCE_NAK, false, 0), rrun_arrival(3) + 2520 + rrun_cable);
  CU_ASSERT_EQUAL(rrun_nth(RRUN_PFC, true, 0)->bytes, 84);
  CU_ASSERT_EQUAL(rrun_date(RRUN_PFC, true, 0), 100 * OPP_US + 1680 + rrun_cable);
}

SGF_SCENARIO(RO_19_a_message_of_0_B_is_one_packet_of_58_B_and_one_ACK)
{
  rrun_cable_of(NULL);
  const size_t write = run_write(0, 1, 0, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_logged, 2);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_DATA, true, 0)->bytes, 58);
  CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, 0), rrun_start + 1160 + rrun_cable);
  CU_ASSERT_EQUAL(rrun_count(ROCE_ACK, false), 1);
  CU_ASSERT_EQUAL(run_written(write), back(rrun_start + 1160 + rrun_cable));
}

/* ---- Acknowledgements (10.5) ------------------------------------------------------------------------------------- */

SGF_SCENARIO(RO_15_and_RO_20_ACKs_of_a_MiB_are_17_packets_apart)
{
  rrun_cable_of(NULL);
  write_packets(256);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_ACK, false), 16);
  for (uint32_t n = 0; n < 15; n++) {
    CU_ASSERT_EQUAL(acked(n), 17 * (n + 1) - 1);
    CU_ASSERT_EQUAL(rrun_date(ROCE_ACK, false, n), back(rrun_arrival(17 * ((int64_t)n + 1))));
  }
  CU_ASSERT_EQUAL(acked(15), 255);
  CU_ASSERT_EQUAL(rrun_date(ROCE_ACK, false, 1) - rrun_date(ROCE_ACK, false, 0), 1412360);
  CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, 255) - rrun_date(ROCE_DATA, true, 0) + rrun_wire, 21268480);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), 16 * 126);
}

/* One message after the other. */
SGF_SCENARIO(RO_17_a_message_of_1_to_17_packets_draws_one_ACK)
{
  rrun_cable_of(NULL);
  for (unsigned packets = 1; packets <= 17; packets++)
    write_packets(packets);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_ACK, false), 17);
  for (uint32_t n = 0; n < 17; n++)
    CU_ASSERT_EQUAL(acked(n), n);
}

SGF_SCENARIO(RO_17_a_message_of_18_packets_draws_two_ACKs)
{
  rrun_cable_of(NULL);
  write_packets(18);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_ACK, false), 2);
  CU_ASSERT_EQUAL(acked(0), 16);
  CU_ASSERT_EQUAL(acked(1), 17);
}

SGF_SCENARIO(RO_18_with_a_threshold_of_0_every_packet_draws_an_ACK)
{
  rrun_cable_of(RUN_SETTINGS("**.nic.AckThreshold=0"));
  write_packets(40);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_ACK, false), 40);
  for (uint32_t n = 0; n < 40; n++)
    CU_ASSERT_EQUAL(acked(n), n);
}

/* 200 Mb/s of payload are a packet in 163.84 us; the sixth packet is lost, which ends its arrivals. */
static void in_no_hurry(sgf_op_t* write)
{
  CU_ASSERT_EQUAL(sgf_op_set_rate(write, 200 * INT64_C(1000000), NULL), SGF_OK);
}

SGF_SCENARIO(RO_56_five_packets_and_silence_are_acknowledged_1_ms_after_the_first_was_held)
{
  lost_psn  = 5;
  losses    = 1;
  rrun_fate = lose;
  rrun_cable_of(NULL);
  run_write_as(0, 1, 6 * RRUN_MSS, 0, in_no_hurry);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  for (int64_t n = 0; n < 5; n++)
    CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, (size_t)n), rrun_arrival(1) + n * 163840 * OPP_NS);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_ACK, false), 2);
  CU_ASSERT_EQUAL(acked(0), 4);
  CU_ASSERT_EQUAL(rrun_date(ROCE_ACK, false, 0), back(rrun_arrival(1) + OPP_MS));
}

/* The 18th packet comes 0.9 ms after the ACK of the 17th, the 19th is lost. */
static opp_simtime_t delay_the_18th(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const roce_header_t* data = rrun_data(msg);
  if (to_host && data != NULL && data->psn == 17)
    return rrun_arrival(17) + 900 * OPP_US - now;
  return lose(msg, now, to_host);
}

SGF_SCENARIO(RO_68_an_ACK_by_count_restarts_the_timer)
{
  lost_psn  = 18;
  losses    = 1;
  rrun_fate = delay_the_18th;
  rrun_cable_of(NULL);
  write_packets(19);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_ACK, false), 3);
  CU_ASSERT_EQUAL(rrun_date(ROCE_ACK, false, 0), back(rrun_arrival(17)));
  CU_ASSERT_EQUAL(acked(1), 17);
  CU_ASSERT_EQUAL(rrun_date(ROCE_ACK, false, 1), back(rrun_arrival(17) + OPP_MS));
}

/* ---- Queue pairs (10.1) ------------------------------------------------------------------------------------------ */

SGF_SCENARIO(RO_51_a_queue_pair_sends_one_message_at_a_time)
{
  rrun_cable_of(NULL);
  const size_t first  = write_packets(40);
  const size_t second = write_packets(40);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t done = back(rrun_arrival(40));
  CU_ASSERT_EQUAL(run_written(first), done);
  CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, 40), done + rrun_arrival(1));
  CU_ASSERT_EQUAL(rrun_nth(ROCE_DATA, true, 40)->psn, 0);
  CU_ASSERT_EQUAL(run_written(second), 2 * done);
}

static void on_queue_pair_7(sgf_op_t* write)
{
  CU_ASSERT_EQUAL(sgf_op_set_queue_pair(write, 7, NULL), SGF_OK);
}

SGF_SCENARIO(RO_52_two_queue_pairs_alternate_packet_by_packet)
{
  rrun_cable_of(NULL);
  write_packets(100);
  run_write_as(0, 1, 100 * RRUN_MSS, 0, on_queue_pair_7);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_DATA, true), 200);
  for (size_t n = 0; n < 200; n++) {
    CU_ASSERT_EQUAL(rrun_nth(ROCE_DATA, true, n)->queue_pair, n % 2);
    CU_ASSERT_EQUAL(rrun_nth(ROCE_DATA, true, n)->psn, n / 2);
    CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, n), rrun_arrival((int64_t)n + 1));
  }
}

/* ---- A packet that is lost (10.6) -------------------------------------------------------------------------------- */

/* What had its PSN when the NAK came is sent; then everything from the 100th packet on, fetched again. */
SGF_SCENARIO(RO_49_one_NAK_names_the_lost_packet_and_everything_from_it_is_sent_again)
{
  lost_psn  = 99;
  losses    = 1;
  rrun_fate = lose;
  rrun_cable_of(NULL);
  write_packets(256);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_NAK, false), 1);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_NAK, false, 0)->psn, 99);
  CU_ASSERT_EQUAL(rrun_date(ROCE_NAK, false, 0), back(rrun_arrival(101)));
  const size_t sent = rrun_count(ROCE_DATA, true);
  for (size_t n = 0; n < sent; n++)
    CU_ASSERT_EQUAL(rrun_nth(ROCE_DATA, true, n)->psn, n < sent - 157 ? n : n - (sent - 157) + 99);
  const uint64_t fetched = sent + rrun_counters(0)->payload_discards;
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(run_nic(0)->pcie), (int64_t)fetched * 4368);
  CU_ASSERT_EQUAL(rrun_counters(0)->recoveries, 1);
}

/* ---- Answers that are lost, late or wrong ------------------------------------------------------------------------ */

/* What happens to the first ACK. */
static enum { LOSE_IT, CHANGE_IT, DELAY_IT } what;
static bool happened;
static opp_simtime_t comes_at;

static opp_simtime_t touch_first_ack(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  net_frame_t* frame = net_frame(msg);
  if (to_host || happened || frame->type == NET_FRAME_PFC || roce_header(frame)->type != ROCE_ACK)
    return 0;
  happened = true;
  if (what == LOSE_IT)
    return RUN_LOST;
  if (what == DELAY_IT)
    return comes_at - now;
  roce_header(frame)->psn = 9999;
  return 0;
}

/* The timer runs from when the payload is here. The duplicate carries the SE flag: it draws an ACK at once. */
SGF_SCENARIO(RO_54_a_duplicate_is_counted_acknowledged_and_not_written)
{
  what      = LOSE_IT;
  rrun_fate = touch_first_ack;
  rrun_cable_of(NULL);
  const size_t write = write_packets(1);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(rrun_counters(1)->duplicates, 1);
  CU_ASSERT_EQUAL(rrun_counters(1)->data_received, 2);
  CU_ASSERT_EQUAL(rrun_counters(1)->acks_sent, 2);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(run_nic(1)->pcie), sgf_pcie_link_bytes(RRUN_MSS));
  CU_ASSERT_EQUAL(run_written(write), back(rrun_start + rrun_fetch + timeout + rrun_arrival(1)));
}

SGF_SCENARIO(RO_55_an_ACK_for_a_PSN_that_was_never_sent_is_discarded)
{
  what      = CHANGE_IT;
  rrun_fate = touch_first_ack;
  rrun_cable_of(NULL);
  const size_t write = write_packets(34);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(rrun_counters(0)->drops_ghost, 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->acks_received, 2);
  CU_ASSERT_EQUAL(rrun_counters(0)->timeouts, 0);
  CU_ASSERT_EQUAL(run_written(write), back(rrun_arrival(34)));
}

/* It comes when the timer has expired and generation has not begun again. */
SGF_SCENARIO(RO_74_an_ACK_that_comes_right_after_its_timeout_retires_all)
{
  what      = DELAY_IT;
  comes_at  = rrun_start + rrun_fetch + 20 * OPP_US + rrun_start / 2;
  rrun_fate = touch_first_ack;
  rrun_cable_of(RUN_SETTINGS("**.nic.RetransmitTimeout=20us"));
  const size_t write = write_packets(10);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(write), comes_at);
  CU_ASSERT_EQUAL(rrun_counters(0)->timeouts, 1);
  CU_ASSERT_EQUAL(rrun_counters(0)->drops_ghost, 0);
  CU_ASSERT_EQUAL(rrun_counters(0)->data_sent, 10);
}
