/* spec/uet-nic.md 11.2 on the state machine: the transmit pools, generation stop and restart. */
#include "harness.h"
#include "nic_support.h"

enum { POOL0 = 230400, POOL1 = 25600, MANY = 400 * BENCH_MSS };

/* Two equal transmit pools of `bytes`. */
#define HALVES(bytes)                                                                                                  \
  "EgressBufferManager.PoolAllocationVector", "[0.5, 0.5, 0, 0, 0, 0, 0, 0]", "EgressBufferManager.TotalBufferSize",   \
      bytes

static int64_t reserved(const bench_t* bench)
{
  return bench->nic->egress[0].reserved;
}

/* Segments of the first message that were committed. */
static uint32_t committed(const bench_t* bench)
{
  const uet_pdc_t* pdc = bench->posted[0]->sending;
  return pdc->next_psn;
}

/* The end of the n-th serialisation of full packets that follow one another. */
static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

static bench_t* sending(const char* const* settings)
{
  bench_t* bench = bench_new(settings);
  bench_post(bench, 1, MANY);
  bench_run(bench, bench_doorbell);
  return bench;
}

SGF_TEST(UN_10_transmit_pools_are_230400_and_25600_bytes)
{
  bench_t* bench = bench_new(NULL);
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, POOL0);
  CU_ASSERT_EQUAL(bench->nic->egress[1].size, POOL1);
  for (unsigned tc = 2; tc < NET_CLASSES; tc++)
    CU_ASSERT_EQUAL(bench->nic->egress[tc].size, 0);
  bench_free(bench);
}

SGF_TEST(UN_11_the_data_pool_takes_54_full_packets)
{
  bench_t* bench = sending(NULL);
  CU_ASSERT_EQUAL(committed(bench), 54);
  CU_ASSERT_EQUAL(reserved(bench), 226908);
  CU_ASSERT_EQUAL(POOL0 - reserved(bench), 3492);
  bench_free(bench);
}

SGF_TEST(UN_12_the_control_pool_takes_328_acknowledgements)
{
  bench_t* bench = bench_new(NULL);
  int count      = 0;
  while (nic_reserve(bench->nic, 1, UET_ACK_BYTES))
    count++;
  CU_ASSERT_EQUAL(count, 328);
  bench_free(bench);
}

SGF_TEST(UN_14_generation_restarts_at_the_end_of_the_27th_packet)
{
  bench_t* bench = sending(NULL);
  bench_run(bench, end_of(26));
  CU_ASSERT_EQUAL(reserved(bench), 117656);
  CU_ASSERT_EQUAL(committed(bench), 54);
  bench_run(bench, end_of(27) - 1);
  CU_ASSERT_EQUAL(committed(bench), 54);
  bench_run(bench, end_of(27));
  CU_ASSERT_EQUAL(226908 - 27 * 4202, 113454);
  CU_ASSERT_EQUAL(committed(bench), 54 + 27); /* 27 more fill the pool again */
  CU_ASSERT_EQUAL(reserved(bench), 226908);
  bench_free(bench);
}

/* Packets of 4,201 B and 4,202 B fill the pool; one of 107 B waits. When the first has left, the second is half of a
 * pool of 8,404 B, and more than half of one of 8,403 B. */
static bool restarts_with_4202_bytes_of(const char* both_pools)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(HALVES(both_pools)));
  bench_post(bench, 1, BENCH_MSS - 1);
  bench_post(bench, 2, BENCH_MSS);
  bench_post(bench, 3, 1);
  bench_run(bench, bench_doorbell);
  CU_ASSERT_EQUAL(reserved(bench), 4201 + 4202);
  CU_ASSERT_TRUE(bench_uet(bench)->generation_stopped);
  while (bench->nic->port.frames < 2) /* the second starts when the first has left */
    bench_step(bench);
  const uet_pdc_t* last = bench->posted[2]->sending;
  const bool restarts   = last->next_psn == 1;
  CU_ASSERT_EQUAL(reserved(bench), restarts ? 4202 + 107 : 4202);
  bench_free(bench);
  return restarts;
}

SGF_TEST(UN_13_the_restart_point_is_half_the_pool_to_the_byte)
{
  bench_t* bench = bench_new(NULL);
  CU_ASSERT_EQUAL(bench->nic->egress[0].size / 2, 115200);
  bench_free(bench);
  CU_ASSERT_TRUE(restarts_with_4202_bytes_of("16808B"));
  CU_ASSERT_FALSE(restarts_with_4202_bytes_of("16806B"));
}

SGF_TEST(UN_15_the_transmit_pool_does_not_limit_one_NIC)
{
  CU_ASSERT_EQUAL(54 * bench_wire, 4538160); /* 4.54 us of sending, against */
  CU_ASSERT(bench_fetch < bench_wire);       /* 70.8 ns for a fetch: the wire is the narrower */
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 100 * BENCH_MSS);
  bench_run(bench, end_of(100) + bench_delay);
  CU_ASSERT_EQUAL(bench->count, 100); /* without an acknowledgement, and without a gap */
  bench_free(bench);
}

SGF_TEST(UN_16_a_reservation_lasts_from_the_fetch_to_the_end_of_serialisation)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, bench_doorbell - 1);
  CU_ASSERT_EQUAL(reserved(bench), 0);
  bench_run(bench, bench_doorbell);
  CU_ASSERT_EQUAL(reserved(bench), 4202); /* before the payload arrives */
  CU_ASSERT(net_port_is_empty(&bench->nic->port));
  bench_run(bench, end_of(1) - 1);
  CU_ASSERT_EQUAL(reserved(bench), 4202);
  bench_run(bench, end_of(1));
  CU_ASSERT_EQUAL(reserved(bench), 0);
  bench_free(bench);
}

SGF_TEST(UN_18_a_full_pool_drops_nothing_and_fetches_nothing)
{
  bench_t* bench        = sending(NULL);
  const int64_t fetched = sgf_pcie_bytes_to_nic(bench->nic->pcie);
  CU_ASSERT_EQUAL(fetched, 54 * sgf_pcie_link_bytes(BENCH_MSS));
  bench_post(bench, 2, BENCH_MSS);
  bench_run(bench, end_of(26));
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(bench->nic->pcie), fetched);
  CU_ASSERT_PTR_EQUAL(bench_uet(bench)->ready_first, bench_uet(bench)->groups[1]); /* host 1 keeps the head */
  CU_ASSERT_PTR_EQUAL(bench_uet(bench)->ready_last, bench_uet(bench)->groups[2]);
  bench->answers = true;
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench->nic->egress[0].peak, 226908);
  CU_ASSERT(bench->acknowledged_at[0] > 0 && bench->acknowledged_at[1] > 0);
  CU_ASSERT_EQUAL(bench_count(bench, UET_DATA, 0), 401); /* each packet once */
  bench_free(bench);
}

SGF_TEST(UN_19_an_acknowledgement_retries_the_pass_above_half_the_pool)
{
  bench_t* bench = sending(BENCH_SETTINGS(BENCH_UNGATED));
  bench_run(bench, end_of(3));
  CU_ASSERT_EQUAL(committed(bench), 54);
  CU_ASSERT(2 * reserved(bench) > POOL0);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1); /* the first packet has arrived, at end_of(1) + 100 ns */
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(committed(bench), 57); /* three have left */
  bench_free(bench);
}

SGF_TEST(UN_20_a_data_pool_below_one_full_packet_sends_nothing)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(HALVES("8402B")));
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 4201);
  CU_ASSERT_EQUAL(bench->warnings, 1);
  bench_post(bench, 1, BENCH_MSS);
  bench_post(bench, 2, BENCH_MSS);
  bench_run(bench, OPP_S);
  CU_ASSERT_EQUAL(bench->count, 0);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), 0);
  bench_free(bench);
}

/* B35: shorter packets go until the first that does not fit. */
SGF_TEST(UN_20_short_packets_pass_until_a_full_one_blocks)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(HALVES("8402B")));
  bench_post(bench, 1, BENCH_MSS - 1);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->count, 1);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, 2 * OPP_US);
  bench_post(bench, 2, 1);
  bench_run(bench, 3 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 1);
  bench_free(bench);
}

SGF_TEST(UN_20_a_pool_of_one_full_packet_sends_one_at_a_time)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(HALVES("8404B")));
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 4202);
  CU_ASSERT_EQUAL(bench->warnings, 0);
  bench_post(bench, 1, 10 * BENCH_MSS);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 10);
  for (int i = 0; i < 10; i++)
    CU_ASSERT_EQUAL(bench->log[i].arrival, bench_doorbell + (i + 1) * (bench_fetch + bench_wire) + bench_delay);
  bench_free(bench);
}

SGF_TEST(UN_21_a_retransmission_reserves_and_does_not_fetch)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, BENCH_MSS);
  const opp_simtime_t expiry = end_of(1) + 150 * OPP_US;
  bench_run(bench, expiry - 1);
  const int64_t to_host = sgf_pcie_bytes_to_host(bench->nic->pcie);
  const int64_t to_nic  = sgf_pcie_bytes_to_nic(bench->nic->pcie);
  CU_ASSERT_EQUAL(reserved(bench), 0);
  bench_run(bench, expiry);
  CU_ASSERT_EQUAL(reserved(bench), 4202);
  CU_ASSERT_PTR_NOT_NULL(bench->nic->port.on_wire); /* at once */
  bench_run(bench, expiry + bench_wire);
  CU_ASSERT_EQUAL(reserved(bench), 0);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(bench->nic->pcie), to_host);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(bench->nic->pcie), to_nic);
  bench_free(bench);
}

/* A window of one packet. The first message's packet is lost; when it times out it is the second message's turn. */
SGF_TEST(UN_21_a_retransmission_waits_for_the_window)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("InitialBaseRTT", "56ns"));
  CU_ASSERT_EQUAL((int64_t)bench_uet(bench)->congestion.max_window, 4200);
  bench_post(bench, 1, BENCH_MSS);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, 160 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench_header(&bench->log[1])->message, 2);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), BENCH_IP);
  bench_ack(bench, &bench->log[1], 1, 0);
  bench_run(bench, 161 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  CU_ASSERT_EQUAL(bench_header(&bench->log[2])->message, 1);
  CU_ASSERT(bench_header(&bench->log[2])->flags & UET_FLAG_RETRANSMIT);
  bench_free(bench);
}

static bool pools_are(const char* shares, int64_t pool0, int64_t pool1, int64_t pool2)
{
  bench_t* bench   = bench_new(BENCH_SETTINGS("EgressBufferManager.PoolAllocationVector", shares));
  const nic_t* nic = bench->nic;
  bool right       = nic->egress[0].size == pool0 && nic->egress[1].size == pool1 && nic->egress[2].size == pool2;
  for (unsigned tc = 3; tc < NET_CLASSES; tc++)
    right = right && nic->egress[tc].size == 0;
  bench_free(bench);
  return right;
}

SGF_TEST(UN_163_three_transmit_pools)
{
  CU_ASSERT(pools_are("[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]", 128000, 76800, 51200));
}

SGF_TEST(UN_164_shares_below_and_above_one)
{
  CU_ASSERT(pools_are("[0.5, 0.1, 0, 0, 0, 0, 0, 0]", 128000, 25600, 0));
  CU_ASSERT(pools_are("[0.9, 0.9, 0, 0, 0, 0, 0, 0]", 230400, 230400, 0));
  bench_t* bench =
      bench_new(BENCH_SETTINGS("EgressBufferManager.PoolAllocationVector", "[0.9, 0.9, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT(nic_reserve(bench->nic, 0, 230400) && nic_reserve(bench->nic, 1, 230400)); /* both full at once */
  CU_ASSERT_FALSE(nic_reserve(bench->nic, 0, 1) || nic_reserve(bench->nic, 1, 1));
  bench_free(bench);
}

SGF_TEST(UN_165_an_acknowledgement_holds_78_bytes_until_its_serialisation_ends)
{
  bench_t* bench = bench_new(NULL);
  bench_packet(bench, 0, BENCH_MSS);
  const opp_simtime_t release = 8 * BENCH_IP * OPP_S / 504320000000;
  bench_run(bench, release - 1);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 0);
  bench_run(bench, release);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 78);
  bench_run(bench, release + 1559);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 78);
  bench_run(bench, release + 1560);
  CU_ASSERT_EQUAL(bench->nic->egress[1].reserved, 0);
  bench_free(bench);
}

SGF_TEST(UN_166_one_class_with_two_shares)
{
  bench_t* bench =
      bench_new(BENCH_SETTINGS("IngressBufferManager.PoolAllocationVector", "[0.5, 0.5, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(bench->nic->egress[0].size, 230400);
  CU_ASSERT_EQUAL(bench->nic->egress[1].size, 25600);
  CU_ASSERT_EQUAL(bench->nic->ingress[0].size, 2000000);
  CU_ASSERT_EQUAL(bench->nic->ingress[1].size, 2000000);
  bench_free(bench);
}

static bool pools_are_empty(const nic_t* nic)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (nic->egress[tc].peak != 0 || nic->ingress[tc].peak != 0)
      return false;
  return true;
}

SGF_TEST(UN_167_pause_frames_are_never_charged)
{
  bench_t* bench = bench_new(NULL);
  pfc_send(&bench->nic->pfc, 0, 100); /* one on the wire, one queued */
  pfc_send(&bench->nic->pfc, 1, 100);
  bench_pause(bench, 0, 100);
  CU_ASSERT(pools_are_empty(bench->nic));
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, BENCH_PFC_FRAMES, 0), 2);
  CU_ASSERT_EQUAL(bench->nic->peer.pauses[0], 1);
  CU_ASSERT(pools_are_empty(bench->nic));
  bench_free(bench);
}
