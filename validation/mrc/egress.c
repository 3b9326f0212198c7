/* Generation, reservations and the port on the bench (spec/mrc-nic.md 5.2, 5.3, 6, 10.2; MR-31 to MR-42, MR-48, MR-62,
 * MR-65, MR-67, MR-70). */
#include "harness.h"
#include "mrc_support.h"

/* A message of 400 packets whose first 55 fill the pool, with no answer to any. */
static bench_t* filled(const char* const* settings)
{
  bench_t* bench = mrc_bench(settings);
  bench_post(bench, 1, 400 * MRC_MSS);
  bench_run(bench, mrc_doorbell);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 229570);
  return bench;
}

static uint32_t generated(const bench_t* bench)
{
  return mrc_pair_at(bench, 1, 0)->next_psn;
}

/* ---- Retries (5.3) ----------------------------------------------------------------------------------------------- */

SGF_TEST(MR_32_generation_resumes_15_ns_after_the_28th_release)
{
  bench_t* bench           = filled(NULL);
  const opp_simtime_t then = mrc_end_of(28) + 15000;
  CU_ASSERT_EQUAL(then - mrc_end_of(0), 2352440);
  bench_run(bench, mrc_end_of(28));
  CU_ASSERT_EQUAL(mrc_reserved(bench), 112698);
  bench_run(bench, then - 1);
  CU_ASSERT_EQUAL(generated(bench), 55);
  bench_run(bench, then);
  CU_ASSERT_EQUAL(generated(bench), 55 + 28); /* and fills the pool again */
  CU_ASSERT_EQUAL(mrc_counted(bench)->restarts, 1);
  bench_free(bench);
}

static void check_retry(mrc_answer_t what)
{
  bench_t* bench = filled(BENCH_SETTINGS(MRC_UNGATED));
  bench_run(bench, mrc_end_of(3) + bench_delay);
  CU_ASSERT_EQUAL(generated(bench), 55);
  const int64_t before = mrc_reserved(bench);
  CU_ASSERT(before > 115200);
  mrc_answer(bench, mrc_data_at(bench, 0), what);
  CU_ASSERT(generated(bench) > 55);
  CU_ASSERT(mrc_reserved(bench) > before);
  CU_ASSERT_EQUAL(mrc_counted(bench)->restarts, 0);
  bench_free(bench);
}

SGF_TEST(MR_33_any_answer_retries_at_once)
{
  check_retry((mrc_answer_t){.type = MRC_ACK, .expected = 1});
  check_retry((mrc_answer_t){.type = MRC_SACK, .expected = 1});
  check_retry((mrc_answer_t){.type = MRC_NACK, .reason = MRC_TRIMMED});
}

SGF_TEST(MR_33_a_NACK_that_changes_nothing_retries_too)
{
  bench_t* bench = filled(BENCH_SETTINGS(MRC_UNGATED));
  bench_run(bench, mrc_end_of(3) + bench_delay);
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.type = MRC_ACK, .expected = 1});
  const uint32_t before = generated(bench);
  bench_run(bench, mrc_end_of(6) + bench_delay);
  CU_ASSERT_EQUAL(generated(bench), before);
  mrc_nack(bench, mrc_data_at(bench, 0), MRC_TRIMMED);
  CU_ASSERT(generated(bench) > before);
  CU_ASSERT_EQUAL(mrc_counted(bench)->trims, 0);
  bench_free(bench);
}

/* Of a pool that one packet of 2,078 B holds, a full one is refused. Its release is no crossing: 2,078 B are below half
 * of 5,000 B (MR-65). The timer of that packet is what goes on. */
SGF_TEST(MR_34_and_65_a_timer_retries_at_once)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("EgressBufferManager/TotalBufferSize", "5556B"));
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 5000);
  bench_post(bench, 1, 2000);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(generated(bench), 1);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 0);
  CU_ASSERT_EQUAL(mrc_counted(bench)->restarts, 0);
  const opp_simtime_t left = mrc_data_at(bench, 0)->arrival - bench_delay;
  bench_run(bench, left + 150 * OPP_US - 1);
  CU_ASSERT_EQUAL(generated(bench), 1);
  bench_run(bench, left + 150 * OPP_US);
  CU_ASSERT_EQUAL(mrc_counted(bench)->timeouts, 1);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 2078); /* the retransmission, and again no room for the full one */
  bench_free(bench);
}

SGF_TEST(MR_65_an_acknowledgement_goes_on)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("EgressBufferManager/TotalBufferSize", "5556B"));
  bench_post(bench, 1, 2000);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, OPP_US);
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.type = MRC_ACK, .expected = 1});
  CU_ASSERT_EQUAL(generated(bench), 2);
  CU_ASSERT_EQUAL(mrc_reserved(bench), MRC_FULL);
  bench_free(bench);
}

/* The window lets 60 of 400 packets go: after the crossing it refills less than half. */
SGF_TEST(MR_35_a_pool_that_stays_below_half_does_not_trigger_again)
{
  bench_t* bench = filled(BENCH_SETTINGS("OverrideUetSpecMaxCWind", "true", "MaxCongestionWindow", "60"));
  bench_run(bench, OPP_US * 20);
  CU_ASSERT_EQUAL(generated(bench), 60);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 0);
  CU_ASSERT_EQUAL(mrc_counted(bench)->restarts, 1);
  bench_free(bench);
}

SGF_TEST(MR_36_data_is_never_dropped_in_the_transmit_buffer)
{
  bench_t* bench = filled(BENCH_SETTINGS(MRC_UNGATED));
  bench->answers = true;
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_DATA, 0), 400);
  CU_ASSERT_EQUAL(bench->nic->egress[0].peak, 229570);
  CU_ASSERT(bench->acknowledged_at[0] > 0);
  bench_free(bench);
}

SGF_TEST(MR_67_108_full_packets_fit_the_first_window)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("EgressBufferManager/TotalBufferSize", "4MB"));
  bench_post(bench, 1, 400 * MRC_MSS);
  bench_run(bench, mrc_doorbell);
  CU_ASSERT_EQUAL(generated(bench), 108);
  CU_ASSERT_EQUAL(mrc_in_flight(bench, 1), 448848);
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(generated(bench), 108);
  bench_free(bench);
}

/* ---- Reservations ------------------------------------------------------------------------------------------------ */

SGF_TEST(MR_40_and_42_a_reservation_lasts_from_before_the_fetch_to_the_end_of_serialisation)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, mrc_doorbell - 1);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 0);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 0);
  bench_run(bench, mrc_doorbell);
  CU_ASSERT_EQUAL(mrc_reserved(bench), MRC_FULL);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 98);
  CU_ASSERT_TRUE(net_port_is_empty(&bench->nic->port));
  bench_run(bench, mrc_end_of(1) - 1);
  CU_ASSERT_EQUAL(mrc_reserved(bench), MRC_FULL);
  bench_run(bench, mrc_end_of(1));
  CU_ASSERT_EQUAL(mrc_reserved(bench), 0);
  bench_free(bench);
}

SGF_TEST(MR_40_without_a_reservation_nothing_is_fetched)
{
  bench_t* bench = filled(NULL);
  bench_run(bench, mrc_end_of(27));
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 55 * 98);
  bench_free(bench);
}

SGF_TEST(MR_41_a_retransmission_spends_no_PCIe_byte)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, mrc_end_of(1) + bench_delay);
  const int64_t fetched = sgf_pcie_bytes_to_nic(bench->nic->pcie) + sgf_pcie_bytes_to_host(bench->nic->pcie);
  mrc_nack(bench, mrc_data_at(bench, 0), MRC_TRIMMED);
  CU_ASSERT_EQUAL(mrc_reserved(bench), MRC_FULL); /* at its replay */
  bench_run(bench, bench_now(bench) + mrc_wire + bench_delay);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_DATA, 0), 2);
  CU_ASSERT_TRUE(mrc_header_at(mrc_data_at(bench, 1))->flags & MRC_FLAG_RETRANSMIT);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(bench->nic->pcie) + sgf_pcie_bytes_to_host(bench->nic->pcie), fetched);
  bench_free(bench);
}

SGF_TEST(MR_70_a_retransmission_waits_for_room_and_goes_before_new_data)
{
  bench_t* bench = filled(BENCH_SETTINGS(MRC_UNGATED));
  bench_run(bench, mrc_end_of(2) + bench_delay);
  while (nic_reserve(bench->nic, 0, 1)) /* the test takes what has become free */
    ;
  mrc_nack(bench, mrc_data_at(bench, 1), MRC_TRIMMED);
  CU_ASSERT_PTR_NOT_NULL(mrc_pair_at(bench, 1, 0)->retransmit.first);
  CU_ASSERT_EQUAL(generated(bench), 55);
  const int64_t room = 2 * MRC_FULL;
  bench->nic->egress[0].reserved -= room;
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.expected = 1});
  CU_ASSERT_PTR_NULL(mrc_pair_at(bench, 1, 0)->retransmit.first);
  CU_ASSERT_EQUAL(mrc_counted(bench)->retransmissions, 1);
  CU_ASSERT_EQUAL(generated(bench), 56);
  bench_free(bench);
}

/* 830 B are left beside 55 full packets. */
SGF_TEST(MR_62_eleven_probes_fit_beside_55_full_packets)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("ProbeInterval", "1us"));
  bench_post(bench, 1, 400 * MRC_MSS);
  mrc_paths_t* paths = &mrc_pair_at(bench, 1, 0)->paths;
  for (uint16_t value = 256; value < 256 + 12; value++)
    mrc_paths_judge(paths, value, MRC_PATH_ALWAYS_SKIP);
  mrc_probe_bad_paths(bench->nic, mrc_pair_at(bench, 1, 0));
  bench_run(bench, mrc_doorbell);
  bench_run(bench, OPP_US - 1);
  bench->nic->egress[0].reserved = 229570; /* as if none had left */
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(mrc_counted(bench)->probes_sent, 11);
  CU_ASSERT_EQUAL(mrc_counted(bench)->probes_left_out, 1);
  CU_ASSERT_TRUE(mrc_of(bench)->generation_stopped); /* by the 56th packet, as before */
  CU_ASSERT_EQUAL(generated(bench), 55);
  bench_free(bench);
}

/* ---- The port (6) ------------------------------------------------------------------------------------------------ */

SGF_TEST(MR_31_a_SACK_is_sent_beside_a_full_data_pool)
{
  bench_t* bench = filled(NULL);
  mrc_packets(bench, 0, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 1);
  CU_ASSERT_EQUAL(bench->nic->egress[1].peak, MRC_SACK_BYTES);
  CU_ASSERT_EQUAL(mrc_reserved(bench), 229570);
  bench_free(bench);
}

SGF_TEST(MR_31_data_is_sent_beside_a_full_control_pool)
{
  bench_t* bench = mrc_bench(NULL);
  while (nic_reserve(bench->nic, 1, 1))
    ;
  mrc_packets(bench, 0, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->sacks_sent, 0);
  CU_ASSERT_EQUAL(mrc_counted(bench)->control_left_out, 1);
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_DATA, 0), 1);
  bench_free(bench);
}

/* What a SACK that is left out would have said, the next one says. */
SGF_TEST(a_SACK_that_is_left_out_is_made_up_for)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("SackThreshold", "8192B"));
  mrc_packets(bench, 0, 1);
  while (nic_reserve(bench->nic, 1, 1))
    ;
  mrc_packets(bench, 1, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->control_left_out, 1);
  bench->nic->egress[1].reserved = 0;
  mrc_packets(bench, 2, 1); /* and not only with the fourth */
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_SACK, 0), 1);
  CU_ASSERT_EQUAL(mrc_header_at(bench_nth(bench, MRC_SACK, 0))->ack.expected, 3);
  bench_free(bench);
}

SGF_TEST(MR_37_a_SACK_starts_when_the_frame_on_the_link_ends)
{
  bench_t* bench = filled(NULL);
  bench_run(bench, mrc_end_of(0) + 1000);
  mrc_packets(bench, 0, 1);
  bench_run(bench, mrc_end_of(3));
  const bench_frame_t* sack = bench_nth(bench, MRC_SACK, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sack);
  CU_ASSERT_EQUAL(sack->arrival, mrc_end_of(1) + 1880 + bench_delay);
  CU_ASSERT_EQUAL(mrc_data_at(bench, 0)->arrival, mrc_end_of(1) + bench_delay);
  bench_free(bench);
}

SGF_TEST(MR_38_control_frames_leave_in_the_order_in_which_they_were_built)
{
  bench_t* bench = filled(NULL);
  bench_run(bench, mrc_end_of(0) + 1000);
  mrc_packets(bench, 0, 2);
  mrc_trimmed(bench, (mrc_data_t){.psn = 2}, NET_ROLE_TRIMMED);
  bench_run(bench, mrc_end_of(4));
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_SACK, 0), 2);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_NACK, 0), 1);
  CU_ASSERT_EQUAL(mrc_header_at(bench_nth(bench, MRC_SACK, 0))->psn, 0);
  CU_ASSERT_EQUAL(mrc_header_at(bench_nth(bench, MRC_SACK, 1))->psn, 1);
  CU_ASSERT(bench_nth(bench, MRC_NACK, 0)->arrival > bench_nth(bench, MRC_SACK, 1)->arrival);
  bench_free(bench);
}

SGF_TEST(MR_39_a_probe_waits_behind_data)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("ProbeInterval", "100ns"));
  bench_post(bench, 1, 11 * MRC_MSS);
  mrc_paths_judge(&mrc_pair_at(bench, 1, 0)->paths, 300, MRC_PATH_ALWAYS_SKIP);
  mrc_probe_bad_paths(bench->nic, mrc_pair_at(bench, 1, 0));
  bench_run(bench, 100 * OPP_NS); /* the first packet is on the link; the others are fetched in the next 700 ns */
  CU_ASSERT_EQUAL(mrc_counted(bench)->probes_sent, 1);
  bench_run(bench, 2 * OPP_US);
  const bench_frame_t* probe = bench_nth(bench, MRC_PROBE, 9);
  CU_ASSERT_PTR_NOT_NULL_FATAL(probe);
  /* One probe in each 100 ns; the tenth, at 1 us, finds all data queued and goes last. */
  CU_ASSERT(probe->arrival > mrc_data_at(bench, 10)->arrival);
  CU_ASSERT_EQUAL(probe->frame.src_port, 300);
  CU_ASSERT_EQUAL(probe->bytes, 74);
  bench_free(bench);
}

SGF_TEST(MR_48_a_pause_stops_nothing_and_is_charged_to_no_pool)
{
  bench_t* bench = filled(NULL);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    bench_pause(bench, tc, PFC_MAX_QUANTA);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    CU_ASSERT_EQUAL(bench->nic->ingress[tc].peak, 0);
  mrc_packets(bench, 0, 1);
  bench_run(bench, mrc_end_of(55) + 2000 + bench_delay);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_DATA, 0), 55);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_SACK, 0), 1);
  CU_ASSERT_EQUAL(bench->nic->peer.pauses[0], 1); /* but counted */
  bench_free(bench);
}
