/* spec/mrc-nic.md 5.1, 7, 8 and 10.3 in a simulation: receive pools and what arrives there (MR-02, MR-10, MR-11, MR-43
 * to MR-47, MR-49 to MR-51, MR-61, MR-66).
 *
 * Control frames are dealt with as they come: a control pool is filled by hand. */
#include "harness.h"

#include "mrc_run_support.h"

enum { LARGE = 1000 * MRUN_MSS, FITTING = 862 };

static nic_ingress_pool_t* pool(unsigned host, unsigned tc)
{
  return &run_nic(host)->ingress[tc];
}

/* When the n-th packet comes that stays in the pool of a receiver whose PCIe is stuck; n from 1. */
static opp_simtime_t staying(int64_t n)
{
  return mrun_arrival(RUN_STUCK_WRITES + n);
}

/* ---- The data pool ----------------------------------------------------------------------------------------------- */

static void nothing_stays(void)
{
  CU_ASSERT_EQUAL(pool(1, 0)->occupancy, 0);
}

static void one_stays(void)
{
  CU_ASSERT_EQUAL(pool(1, 0)->occupancy, MRUN_FULL);
}

SGF_SCENARIO(MR_66_58_writes_enter_PCIe_and_packet_59_is_the_first_in_the_pool)
{
  mrun_cable_of(RUN_SETTINGS(RUN_STUCK));
  run_write(0, 1, LARGE, 0);
  run_look(mrun_arrival(58), nothing_stays);
  run_look(mrun_arrival(59), one_stays);
  run_until(10 * OPP_US);
}

static void the_pool_is_full(void)
{
  CU_ASSERT_EQUAL(pool(1, 0)->occupancy, FITTING * MRUN_FULL);
  CU_ASSERT_EQUAL(pool(1, 0)->occupancy, 3597988);
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 0);
}

static void one_is_dropped(void)
{
  CU_ASSERT_EQUAL(pool(1, 0)->occupancy, 3597988);
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 1);
}

/* Eight packets more than fit: their timers send them again and again. Without probes, which would fit beside them. */
SGF_SCENARIO(MR_02_and_MR_11_and_MR_49_862_full_packets_fit_and_no_pause_is_sent_in_10_ms)
{
  mrun_cable_of(RUN_SETTINGS(RUN_STUCK, MRUN_STUBBORN, "**.nic.ProbeInterval=0s"));
  run_write(0, 1, (RUN_STUCK_WRITES + FITTING + 8) * MRUN_MSS, 0);
  run_look(staying(FITTING), the_pool_is_full);
  run_look(staying(FITTING + 1) - 1, the_pool_is_full);
  run_look(staying(FITTING + 1), one_is_dropped);
  run_until(10 * OPP_MS + 100 * OPP_US);
  CU_ASSERT_EQUAL(pool(1, 0)->size, 3600000);
  CU_ASSERT_EQUAL(pool(1, 1)->size, 400000);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), 3597988);
  CU_ASSERT(run_nic(1)->rx_drops > 8);
  CU_ASSERT_EQUAL(mrun_count(MRUN_PFC, false), 0);
}

/* What it drops draws no answer and is in no counter of the transport. */
SGF_SCENARIO(MR_45_dropped_data_draws_nothing_and_counts_nothing)
{
  mrun_cable_of(RUN_SETTINGS(RUN_STUCK, MRUN_STUBBORN));
  run_write(0, 1, (RUN_STUCK_WRITES + FITTING + 8) * MRUN_MSS, 0);
  run_until(staying(FITTING + 8) + 10 * OPP_US);
  const sgf_mrc_counters_t* counted = mrun_counters(1);
  CU_ASSERT_EQUAL(mrun_count(MRC_DATA, true), RUN_STUCK_WRITES + FITTING + 8);
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 8);
  CU_ASSERT_EQUAL(counted->data_received, RUN_STUCK_WRITES + FITTING);
  CU_ASSERT_EQUAL(counted->sacks_sent, RUN_STUCK_WRITES + FITTING);
  CU_ASSERT_EQUAL(counted->acks_sent + counted->nacks_sent, 0);
  CU_ASSERT_EQUAL(mrun_counters(0)->timeouts, 0);
  CU_ASSERT_EQUAL(mrun_pair(0, 1, 0)->base, RUN_STUCK_WRITES + FITTING);
}

/* The packet stays in the pool for good; its SACK leaves at once. */
SGF_SCENARIO(MR_43_the_acknowledgement_is_built_on_arrival)
{
  mrun_cable_of(RUN_SETTINGS(RUN_STUCK));
  run_write(0, 1, LARGE, 0);
  run_until(20 * OPP_US);
  for (int n = 1; n <= 200; n++)
    CU_ASSERT_EQUAL(mrun_date(MRC_SACK, false, (size_t)n - 1), mrun_answer(n));
}

/* ---- The control pool -------------------------------------------------------------------------------------------- */

/* From 10 us on h1 answers messages of one packet, 1 us apart; h0's pool is what the looks leave. */
static void run_answers(unsigned count)
{
  mrun_cable_of(NULL);
  for (unsigned i = 0; i < count; i++)
    run_write(0, 1, 0, (10 + i) * 1e-6);
}

static void take_6249_units(void)
{
  pool(0, 1)->occupancy = 6249 * 64;
}

static void take_one_more(void)
{
  CU_ASSERT_EQUAL(pool(0, 1)->peak, 400000);
  CU_ASSERT_EQUAL(run_nic(0)->rx_drops, 0);
  CU_ASSERT_EQUAL(mrun_counters(0)->acks_received, 1);
  pool(0, 1)->occupancy = 6250 * 64;
}

static void give_back(void)
{
  CU_ASSERT_EQUAL(mrun_counters(0)->acks_received, 1);
  CU_ASSERT_EQUAL(run_nic(0)->rx_drops, 1);
  pool(0, 1)->occupancy = 0;
}

SGF_SCENARIO(MR_10_number_6251_of_the_ACKs_is_dropped)
{
  run_answers(2);
  run_look(10 * OPP_US, take_6249_units);
  run_look(10900 * OPP_NS, take_one_more);
  run_look(11900 * OPP_NS, give_back);
  CU_ASSERT_EQUAL(run_all(), SGF_OK); /* a timer brings the other ACK */
  CU_ASSERT_EQUAL(mrun_counters(0)->timeouts, 1);
  CU_ASSERT_EQUAL(run_nic(0)->class_drops[1], 1);
}

static void leave_64(void)
{
  pool(0, 1)->occupancy = 400000 - 64;
}

static void leave_63(void)
{
  CU_ASSERT_EQUAL(mrun_counters(0)->acks_received, 1);
  pool(0, 1)->occupancy = 400000 - 63;
}

SGF_SCENARIO(MR_44_a_frame_of_62_B_does_not_fit_63_B)
{
  run_answers(2);
  run_look(10 * OPP_US, leave_64);
  run_look(10900 * OPP_NS, leave_63);
  run_look(11900 * OPP_NS, give_back);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_nth(MRC_ACK, false, 1)->bytes, 62);
}

/* ---- Trimmed packets --------------------------------------------------------------------------------------------- */

static uint32_t trimmed_psn;

static opp_simtime_t trim_one(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const mrc_header_t* data = to_host ? mrun_data(msg) : NULL;
  (void)now;
  if (data != NULL && data->psn == trimmed_psn && !(data->flags & MRC_FLAG_RETRANSMIT))
    mrun_trim(msg, NET_ROLE_TRIMMED);
  return 0;
}

/* The packet after the one that fills the data pool. */
SGF_SCENARIO(MR_46_a_trimmed_packet_needs_no_room_in_the_data_pool)
{
  trimmed_psn = RUN_STUCK_WRITES + FITTING;
  mrun_fate   = trim_one;
  mrun_cable_of(RUN_SETTINGS(RUN_STUCK, MRUN_STUBBORN));
  run_write(0, 1, (RUN_STUCK_WRITES + FITTING + 1) * MRUN_MSS, 0);
  run_look(staying(FITTING + 1) - 1, the_pool_is_full);
  run_look(staying(FITTING + 1), the_pool_is_full);
  run_until(staying(FITTING + 1) + OPP_US);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_NACK, false), 1);
  CU_ASSERT_EQUAL(mrun_nth(MRC_NACK, false, 0)->bytes, 78);
  CU_ASSERT_EQUAL(mrun_date(MRC_NACK, false, 0), staying(FITTING + 1) + mrun_nack + mrun_cable);
  CU_ASSERT_EQUAL(mrun_header(MRC_NACK, false, 0)->psn, trimmed_psn);
  CU_ASSERT_EQUAL(mrun_header(MRC_NACK, false, 0)->reason, MRC_TRIMMED);
  CU_ASSERT_EQUAL(mrun_counters(1)->trimmed, 1);
  CU_ASSERT_EQUAL(run_peak("h1", "rx1"), 64);
  CU_ASSERT_EQUAL(pool(1, 1)->occupancy, 0);
}

static void fill_control_of_h1(void)
{
  pool(1, 1)->occupancy = 400000;
}

static void empty_control_of_h1(void)
{
  CU_ASSERT_EQUAL(pool(1, 0)->peak, 0);
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 1);
  CU_ASSERT_EQUAL(mrun_counters(1)->trimmed, 0);
  pool(1, 1)->occupancy = 0;
}

SGF_SCENARIO(MR_47_a_trimmed_packet_does_not_go_to_an_empty_data_pool)
{
  mrun_fate = trim_one;
  mrun_cable_of(NULL);
  run_write(0, 1, MRUN_MSS, 1e-6);
  run_look(0, fill_control_of_h1);
  run_look(2 * OPP_US, empty_control_of_h1);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_counters(0)->timeouts, 1);
  CU_ASSERT_EQUAL(mrun_counters(1)->nacks_sent, 0);
}

/* ---- The PSN window and the order of arrivals (10.3) ------------------------------------------------------------- */

static opp_simtime_t hold_the_first(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const mrc_header_t* data = to_host ? mrun_data(msg) : NULL;
  return data != NULL && data->psn == 0 && now < 100 * OPP_US ? 100 * OPP_US - now : 0;
}

/* h0 believes in a window of 2,048 packets, h1 has 1,024 and lacks the first one. */
SGF_SCENARIO(MR_50_a_packet_beyond_the_PSN_window_is_discarded_and_refused)
{
  mrun_fate = hold_the_first;
  mrun_cable_of(RUN_SETTINGS(MRUN_STUBBORN, "**.h0.nic.PsnWindowUnits=16", "**.nic.LossReorderThreshold=65535"));
  run_write(0, 1, 1025 * MRUN_MSS, 0);
  run_until(99 * OPP_US);
  CU_ASSERT(mrun_counters(1)->out_of_window >= 1); /* it is sent again and again */
  CU_ASSERT_EQUAL(mrun_counters(1)->data_received, 1023 + mrun_counters(1)->out_of_window);
  CU_ASSERT_EQUAL(mrun_counters(1)->nacks_sent, mrun_counters(1)->out_of_window);
  CU_ASSERT_EQUAL(mrun_header(MRC_NACK, false, 0)->psn, 1024);
  CU_ASSERT_EQUAL(mrun_header(MRC_NACK, false, 0)->reason, MRC_PSN_OOR_WINDOW);
  CU_ASSERT_EQUAL(mrun_date(MRC_NACK, false, 0), mrun_arrival(1025) + mrun_nack + mrun_cable);
  CU_ASSERT_EQUAL(mrun_to_host_bytes(1), 1023 * 4368); /* 1 to 1023 */
  CU_ASSERT_EQUAL(pool(1, 0)->occupancy, 0);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), MRUN_FULL);
}

static opp_simtime_t hold_every_third(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const mrc_header_t* data = to_host ? mrun_data(msg) : NULL;
  (void)now;
  return data != NULL && data->psn % 3 == 0 ? 5 * OPP_US : 0;
}

static void two_thirds_are_written(void)
{
  CU_ASSERT_EQUAL(mrun_counters(1)->data_received, 20);
  CU_ASSERT_EQUAL(mrun_to_host_bytes(1), 20 * 4368);
  CU_ASSERT_EQUAL(mrun_counters(1)->messages_delivered, 0);
}

/* Of 30 packets, 10 come after the others: those are written as they come, and nothing is sent again. */
SGF_SCENARIO(MR_51_packets_out_of_order_are_written_as_they_arrive)
{
  mrun_fate = hold_every_third;
  mrun_cable_of(NULL);
  const size_t write   = run_write(0, 1, 30 * MRUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  run_look(mrun_arrival(1) + 5 * OPP_US - 1, two_thirds_are_written);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_counters(1)->out_of_order, 20); /* of the late ones each is the next that is missing */
  CU_ASSERT_EQUAL(mrun_counters(1)->duplicates, 0);
  CU_ASSERT_EQUAL(mrun_counters(1)->held_out_of_order, 20);
  CU_ASSERT_EQUAL(mrun_counters(0)->retransmissions, 0);
  CU_ASSERT_EQUAL(mrun_to_host_bytes(1), 30 * 4368);
  CU_ASSERT_EQUAL(run_received(receive), mrun_arrival(28) + 5 * OPP_US + 69289);
}

/* ---- Probes ------------------------------------------------------------------------------------------------------ */

static opp_simtime_t lose_data(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  return to_host && mrun_data(msg) != NULL && now < 305 * OPP_US ? RUN_LOST : 0;
}

static void a_probe_was_there(void)
{
  CU_ASSERT_EQUAL(mrun_counters(1)->probes_received, 1);
  CU_ASSERT_EQUAL(pool(1, 0)->peak, 74);
  CU_ASSERT_EQUAL(pool(1, 0)->occupancy, 0);
  CU_ASSERT_EQUAL(pool(1, 1)->peak, 0);
  CU_ASSERT_EQUAL(mrun_to_host_bytes(1), 0);
}

/* A packet is lost, and again at 150 us; its first path is probed at 300 us. */
SGF_SCENARIO(MR_61_a_probe_is_charged_to_the_data_pool_and_draws_a_SACK)
{
  const opp_simtime_t probed = mrun_start + mrun_empty + 300 * OPP_US;
  mrun_fate                  = lose_data;
  mrun_cable_of(NULL);
  run_write(0, 1, 0, 0);
  run_look(probed + mrun_probe + mrun_cable, a_probe_was_there);
  run_until(304 * OPP_US);
  CU_ASSERT_EQUAL(mrun_date(MRC_PROBE, true, 0), probed + mrun_probe + mrun_cable);
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_SACK, false), 1);
  CU_ASSERT_TRUE(mrun_header(MRC_SACK, false, 0)->flags & MRC_FLAG_PROBE);
  CU_ASSERT_EQUAL(mrun_nth(MRC_SACK, false, 0)->entropy, mrun_nth(MRC_DATA, true, 0)->entropy);
  CU_ASSERT_EQUAL(mrun_counters(0)->probe_answers, 1);
}
