/* spec/uet-nic.md 6.4 and 11.4 on the state machine, third part: the pauses that a NIC receives. */
#include "harness.h"
#include "nic_support.h"

static const opp_simtime_t hold = 83984800; /* 65,535 quanta at 400 Gb/s, and 100 ns */
enum { ALL = 65535 };

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

/* A NIC that is paused on class 0 when it has sent two packets of the 200 it has to send. */
static bench_t* paused_after_two(const char* const* settings)
{
  bench_t* bench = bench_new(settings);
  bench->answers = true;
  bench_post(bench, 1, 200 * BENCH_MSS);
  bench_run(bench, end_of(1) + 1);
  bench_pause(bench, 0, ALL);
  return bench;
}

/* Data packets that have started. A probe goes as soon as it is there: its class is not held. */
static uint64_t started(const bench_t* bench)
{
  return bench->nic->port.frames - bench_uet(bench)->counters.probes_sent;
}

SGF_TEST(UN_46_a_pause_is_honoured_with_PFC_off)
{
  bench_t* bench = paused_after_two(BENCH_SETTINGS("PFCEnableVector", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  bench_run(bench, 80 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 2); /* the second was on the wire: a frame is never interrupted */
  CU_ASSERT_EQUAL(bench->log[1].arrival, end_of(2) + bench_delay);
  bench_free(bench);
}

SGF_TEST(UN_47_a_pause_of_65535_quanta_holds_for_83_985_us)
{
  bench_t* bench           = paused_after_two(NULL);
  const opp_simtime_t from = bench_now(bench);
  bench_run(bench, from + hold - 1);
  CU_ASSERT_EQUAL(started(bench), 2);
  bench_run(bench, from + hold);
  CU_ASSERT_EQUAL(started(bench), 3);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&bench->nic->peer, 0), hold);
  bench_free(bench);
}

SGF_TEST(UN_47_a_second_pause_restarts_the_hold)
{
  bench_t* bench           = paused_after_two(NULL);
  const opp_simtime_t from = bench_now(bench) + 30 * OPP_US;
  bench_run(bench, from);
  bench_pause(bench, 0, ALL);
  bench_run(bench, from + hold - 1);
  CU_ASSERT_EQUAL(started(bench), 2);
  bench_run(bench, from + hold);
  CU_ASSERT_EQUAL(started(bench), 3);
  bench_free(bench);
}

SGF_TEST(UN_47_a_second_and_shorter_pause_shortens_the_hold)
{
  bench_t* bench = paused_after_two(NULL);
  bench_run(bench, 10 * OPP_US);
  bench_pause(bench, 0, 1000);
  bench_run(bench, 10 * OPP_US + 1380000);
  CU_ASSERT_EQUAL(started(bench), 3);
  bench_free(bench);
}

SGF_TEST(UN_48_zero_quanta_resume_at_once)
{
  bench_t* bench = paused_after_two(NULL);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL(started(bench), 2);
  bench_pause(bench, 0, 0);
  CU_ASSERT_EQUAL(started(bench), 3);
  bench_run(bench, 10 * OPP_US + bench_wire + bench_delay);
  CU_ASSERT_EQUAL(bench->log[2].arrival, 10 * OPP_US + bench_wire + bench_delay);
  bench_free(bench);
}

SGF_TEST(UN_49_a_held_class_reserves_until_its_pool_is_full)
{
  bench_t* bench = bench_new(NULL);
  bench_pause(bench, 0, ALL);
  bench_post(bench, 1, 30 * BENCH_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 30 * BENCH_FULL);
  bench_post(bench, 2, 100 * BENCH_MSS); /* the host keeps posting */
  bench_run(bench, 20 * OPP_US);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 54 * BENCH_FULL);
  CU_ASSERT_EQUAL(net_port_queue_length(&bench->nic->port, 0), 54);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(bench->nic->pcie), 54 * sgf_pcie_link_bytes(BENCH_MSS));
  CU_ASSERT_EQUAL(started(bench), 0);

  bench_pause(bench, 0, 0);
  bench_run(bench, 20 * OPP_US + 27 * bench_wire - 1);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(bench->nic->pcie), 54 * sgf_pcie_link_bytes(BENCH_MSS));
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, (54 - 26) * BENCH_FULL);
  bench_run(bench, 20 * OPP_US + 27 * bench_wire); /* 113,454 B: at most half */
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 54 * BENCH_FULL);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(bench->nic->pcie), (54 + 27) * sgf_pcie_link_bytes(BENCH_MSS));
  bench_free(bench);
}

SGF_TEST(UN_49_an_acknowledgement_restarts_earlier)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 100 * BENCH_MSS);
  bench_run(bench, end_of(1) + 1);
  bench_pause(bench, 0, ALL);
  bench_run(bench, 20 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 52 * BENCH_FULL);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 54 * BENCH_FULL);
  bench_free(bench);
}

SGF_TEST(UN_50_acknowledgements_go_while_data_is_held)
{
  bench_t* bench = paused_after_two(NULL);
  bench_packet(bench, 0, BENCH_MSS);
  bench_run(bench, end_of(4));
  CU_ASSERT_EQUAL(bench_count(bench, UET_ACK, 0), 1);
  CU_ASSERT_EQUAL(bench_count(bench, UET_DATA, 0), 2);
  bench_free(bench);
}

SGF_TEST(UN_51_a_hold_at_100_Gbps_is_335_64_us)
{
  bench_t* bench = bench_on(100000000000, bench_delay, NULL);
  bench_pause(bench, 0, ALL);
  bench_post(bench, 1, 0);
  bench_run(bench, 335639200 - 1);
  CU_ASSERT_EQUAL(started(bench), 0);
  bench_run(bench, 335639200);
  CU_ASSERT_EQUAL(started(bench), 1);
  bench_free(bench);
}

SGF_TEST(UN_176_a_class_whose_hold_runs_out_sends_at_once)
{
  bench_t* bench           = paused_after_two(NULL);
  const opp_simtime_t from = bench_now(bench) + hold;
  bench_run(bench, from + 2 * bench_wire + bench_delay);
  CU_ASSERT_EQUAL_FATAL(bench->count, 4);
  CU_ASSERT_EQUAL(bench->log[2].arrival, from + bench_wire + bench_delay);
  CU_ASSERT_EQUAL(bench->log[3].arrival, from + 2 * bench_wire + bench_delay);
  bench_free(bench);
}

/* Each class has a hold of its own. */
SGF_TEST(UN_176_holds_of_two_classes_run_out_one_by_one)
{
  bench_t* bench = bench_new(NULL);
  bench_pause(bench, 0, 1000);
  bench_pause(bench, 1, 2000);
  bench_run(bench, 1380000 - 1);
  CU_ASSERT_EQUAL(bench->nic->port.held, 3);
  bench_run(bench, 1380000);
  CU_ASSERT_EQUAL(bench->nic->port.held, 2);
  bench_run(bench, 2660000);
  CU_ASSERT_EQUAL(bench->nic->port.held, 0);
  bench_free(bench);
}
