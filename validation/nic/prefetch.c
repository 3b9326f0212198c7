/* spec/uet-nic.md 8.12 and 11.6 on the state machine: the prefetch buffer. */
#include "harness.h"
#include "nic_support.h"

#define PREFETCH "PrefetchBufferEnable", "true"

enum { BUFFER = 262144 };

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

static uint32_t fetched(const bench_t* bench, size_t post)
{
  const uet_pdc_t* pdc = bench->posted[post]->sending;
  return pdc->next_psn;
}

SGF_TEST(UN_17_and_UN_95_62_packets_are_fetched_without_room_in_the_transmit_pool)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(PREFETCH));
  CU_ASSERT_EQUAL(BUFFER / BENCH_FULL, 62);
  CU_ASSERT_EQUAL(100 * BUFFER / 450000, 58); /* of a window, in hundredths */
  bench_post(bench, 1, 400 * BENCH_MSS);
  bench_run(bench, bench_doorbell);
  CU_ASSERT_EQUAL(fetched(bench, 0), 62);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, 62 * BENCH_FULL);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 0);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 0);
  CU_ASSERT_EQUAL(bench_group(bench, 1)->fetched, 62 * BENCH_IP);
  bench_run(bench, bench_doorbell + bench_fetch); /* the first payload is here, and committed */
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, BENCH_FULL);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), BENCH_IP);
  CU_ASSERT_EQUAL(fetched(bench, 0), 63); /* in its place */
  bench_free(bench);
}

/* A payload that comes behind another, 4,368 B at 504.32 Gb/s; remainders are carried and make up to 1 ps of each. */
static const opp_simtime_t a_fetch = 69289;

/* What goes to host 1 just fills the buffer when host 2's message comes. Half of it has to go to the transmit pool. */
SGF_TEST(UN_95_who_finds_no_room_fetches_again_at_half_the_buffer)
{
  CU_ASSERT_EQUAL(BUFFER / 2, 131072);
  CU_ASSERT(31 * BENCH_FULL <= BUFFER / 2 && 32 * BENCH_FULL > BUFFER / 2);
  bench_t* bench = bench_new(BENCH_SETTINGS(PREFETCH, BENCH_UNGATED));
  bench->answers = true;
  bench_post(bench, 1, 62 * BENCH_MSS);
  bench_run(bench, bench_doorbell + 1);
  bench_post(bench, 2, BENCH_MSS);
  bench_run(bench, bench_doorbell + bench_fetch + 30 * a_fetch - 1);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, 32 * BENCH_FULL);
  CU_ASSERT_EQUAL(fetched(bench, 1), 0);
  bench_run(bench, bench_doorbell + bench_fetch + 30 * (a_fetch + 1));
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, 31 * BENCH_FULL + BENCH_FULL);
  CU_ASSERT_EQUAL(fetched(bench, 1), 1);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, 0);
  CU_ASSERT(bench->acknowledged_at[1] > 0);
  bench_free(bench);
}

static unsigned host_of(const bench_t* bench, size_t n)
{
  return bench->log[n].frame.dst - bench->nic->address;
}

/* Host 1's long message has filled the buffer and waits. With its first commitment it fetches once more, the 63rd, and
 * then waits behind those who have come in between. At the 32nd, 31 packets are left and all of them are fetched. */
SGF_TEST(nobody_fetches_past_who_waits_for_room)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(PREFETCH, BENCH_UNGATED));
  bench->answers = true;
  bench_post(bench, 1, 400 * BENCH_MSS);
  bench_run(bench, bench_doorbell + 1);
  for (unsigned host = 2; host <= 4; host++)
    bench_post(bench, host, BENCH_MSS);
  bench_run(bench, bench_doorbell + bench_fetch + 31 * a_fetch - 1);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, 32 * BENCH_FULL);
  CU_ASSERT_EQUAL(fetched(bench, 0), 63);
  CU_ASSERT_EQUAL(fetched(bench, 1), 0);
  bench_run(bench, bench_doorbell + bench_fetch + 31 * (a_fetch + 1));
  for (size_t post = 1; post <= 3; post++)
    CU_ASSERT_EQUAL(fetched(bench, post), 1);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, 62 * BENCH_FULL);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 403);
  for (size_t i = 0; i < 63; i++)
    CU_ASSERT_EQUAL(host_of(bench, i), 1);
  for (unsigned host = 2; host <= 4; host++) /* in the order in which they came to wait */
    CU_ASSERT_EQUAL(host_of(bench, 63 + host - 2), host);
  bench_free(bench);
}

/* They alternate, but for the packet that one fetches where the other finds the buffer full. */
SGF_TEST(two_long_messages_share_the_buffer)
{
  enum { ALONE = 63, EACH = 200 };
  bench_t* bench = bench_new(BENCH_SETTINGS(PREFETCH, BENCH_UNGATED));
  bench->answers = true;
  bench_post(bench, 1, 400 * BENCH_MSS);
  bench_run(bench, bench_doorbell + 1);
  bench_post(bench, 2, EACH * BENCH_MSS);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 600);
  int more = 0;
  for (size_t i = ALONE; i < ALONE + 2 * EACH; i++) {
    more += host_of(bench, i) == 1 ? 1 : -1;
    CU_ASSERT(more >= -1 && more <= 1);
  }
  bench_free(bench);
}

/* A buffer of one full packet, less than half of which a short one takes: a full one does not fit beside it. */
SGF_TEST(a_packet_that_does_not_fit_half_of_the_buffer_waits_for_the_other_half)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(PREFETCH, "PrefetchBufferSize", "4202"));
  bench->answers = true;
  bench_post(bench, 1, 1);
  bench_post(bench, 2, 3 * BENCH_MSS);
  bench_run(bench, bench_doorbell);
  CU_ASSERT_EQUAL(fetched(bench, 0), 1);
  CU_ASSERT_EQUAL(fetched(bench, 1), 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->count, 4);
  CU_ASSERT(bench->acknowledged_at[0] > 0 && bench->acknowledged_at[1] > 0);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, 0);
  bench_free(bench);
}

static sgf_status_t with_buffer(const char* mss, const char* enable, const char* size)
{
  sgf_error_t error = {0};
  return bench_refusal(400000000000,
                       BENCH_SETTINGS("RdmaDataMSS", mss, "PrefetchBufferEnable", enable, "PrefetchBufferSize", size),
                       &error);
}

SGF_TEST(UN_96_a_buffer_below_one_full_packet_is_refused)
{
  uet_block_t block = {0};
  CU_ASSERT_EQUAL(sgf_attr_defaults(&uet_attributes, &block, NULL), SGF_OK);
  CU_ASSERT_FALSE(block.own.prefetch);
  CU_ASSERT_NOT_EQUAL(sgf_attr_set_value(&uet_attributes, &block, "PrefetchBufferSize", "4201", NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_attr_set_value(&uet_attributes, &block, "PrefetchBufferSize", "4202", NULL), SGF_OK);
  CU_ASSERT_EQUAL(with_buffer("8192", "true", "8297"), SGF_RULE);
  CU_ASSERT_EQUAL(with_buffer("8192", "true", "8298"), SGF_OK);
  CU_ASSERT_EQUAL(with_buffer("8192", "false", "8297"), SGF_OK);
}

SGF_TEST(UN_97_and_UN_17_the_108th_packet_is_fetched_and_waits_and_the_109th_is_not_fetched)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(PREFETCH));
  bench_post(bench, 1, 400 * BENCH_MSS);
  bench_run(bench, 100 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 107);
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 447688);
  CU_ASSERT_EQUAL(fetched(bench, 0), 108);
  CU_ASSERT_EQUAL(bench_group(bench, 1)->fetched, 451872);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, BENCH_FULL);
  CU_ASSERT_EQUAL(bench->nic->egress[0].reserved, 0); /* it waits, and has no room there */
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(bench->nic->pcie), 108 * sgf_pcie_link_bytes(BENCH_MSS));

  bench_ack(bench, &bench->log[0], 1, 0); /* after 99 us: the window stays, and lets the next one go */
  CU_ASSERT_EQUAL(bench_in_flight(bench, 1), 447688);
  CU_ASSERT_EQUAL(fetched(bench, 0), 109);
  bench_run(bench, 110 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 108);
  CU_ASSERT_EQUAL(bench->log[107].arrival, 100 * OPP_US + bench_probe + bench_wire + bench_delay); /* it was here */
  bench_free(bench);
}

/* A window of one packet: while the first is under way the second has been fetched. The first is lost. */
SGF_TEST(UN_85_a_retransmission_goes_before_what_is_prefetched)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(PREFETCH, "InitialBaseRTT", "56ns"));
  bench_post(bench, 1, 5 * BENCH_MSS);
  bench_run(bench, 149 * OPP_US);
  CU_ASSERT_EQUAL(bench->count, 1);
  CU_ASSERT_EQUAL(fetched(bench, 0), 2);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, BENCH_FULL);
  bench_run(bench, 160 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_EQUAL(bench_header(&bench->log[1])->psn, 0);
  bench_ack(bench, &bench->log[1], 1, 0);
  bench_run(bench, 170 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  CU_ASSERT_EQUAL(bench_header(&bench->log[2])->psn, 1); /* then that, before a new segment */
  CU_ASSERT_EQUAL(fetched(bench, 0), 3);
  bench_free(bench);
}

/* Payloads wait in order, and everything goes out once and in order. */
SGF_TEST(with_the_buffer_a_message_is_as_fast_and_in_order)
{
  enum { PACKETS = 300 };
  bench_t* bench = bench_new(BENCH_SETTINGS(PREFETCH, BENCH_UNGATED));
  bench->answers = true;
  bench_post(bench, 1, PACKETS * BENCH_MSS);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, PACKETS);
  for (uint32_t n = 0; n < PACKETS; n++)
    CU_ASSERT_EQUAL(bench_header(&bench->log[n])->psn, n);
  CU_ASSERT_EQUAL(bench->log[PACKETS - 1].arrival, end_of(PACKETS) + bench_probe + bench_delay);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, 0);
  bench_free(bench);
}

SGF_TEST(a_payload_of_no_bytes_passes_the_buffer)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(PREFETCH));
  bench->answers = true;
  for (int i = 0; i < 3; i++)
    bench_post(bench, 1, 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->count, 3);
  for (int i = 0; i < 3; i++)
    CU_ASSERT(bench->acknowledged_at[i] > 0);
  CU_ASSERT_EQUAL(bench_uet(bench)->prefetched, 0);
  bench_free(bench);
}
