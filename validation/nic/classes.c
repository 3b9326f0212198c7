/* spec/uet-nic.md 11.1 on the state machine: the class of each kind of packet at both ends, and classes chosen. */
#include "harness.h"
#include "nic_support.h"

#include <string.h>

#define THREE_POOLS                                                                                                    \
  "EgressBufferManager.PoolAllocationVector", "[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]",                                        \
      "IngressBufferManager.PoolAllocationVector", "[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]"

static int64_t sent_in(const bench_t* bench, unsigned tc)
{
  return bench->nic->egress[tc].peak;
}

static int64_t received_in(const bench_t* bench, unsigned tc)
{
  return bench->nic->ingress[tc].peak;
}

SGF_TEST(UN_161_control_is_class_1_at_both_ends_and_trimmed_data_at_the_receivers)
{
  bench_t* bench = bench_new(NULL);
  bench_trimmed(bench, (bench_data_t){0}, NET_ROLE_TRIMMED);
  CU_ASSERT(received_in(bench, 0) == 0 && received_in(bench, 1) == 44);
  CU_ASSERT(sent_in(bench, 0) == 0 && sent_in(bench, 1) == 62); /* the NACK */
  bench_trimmed(bench, (bench_data_t){.psn = 1}, NET_ROLE_TRIMMED_LAST_HOP);
  CU_ASSERT_EQUAL(received_in(bench, 0), 0);
  bench_probe_from(bench, 1);
  CU_ASSERT_EQUAL(received_in(bench, 0), 0);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(bench->count, 3);
  CU_ASSERT_EQUAL(sent_in(bench, 0), 0);
  bench_free(bench);

  bench = bench_new(NULL);
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, OPP_US);
  bench_answer(bench, &bench->log[0], (bench_answer_t){.is_nack = true});
  CU_ASSERT(received_in(bench, 0) == 0 && received_in(bench, 1) == 44);
  CU_ASSERT_EQUAL(sent_in(bench, 1), 0);
  bench_ack(bench, &bench->log[1], 0, 2);
  CU_ASSERT(received_in(bench, 0) == 0 && received_in(bench, 1) == 60);
  CU_ASSERT_EQUAL(sent_in(bench, 1), 62); /* the probe */
  bench_run(bench, 2 * OPP_US);
  bench_answer_probe(bench);
  CU_ASSERT_EQUAL(received_in(bench, 0), 0);
  bench_free(bench);
}

SGF_TEST(UN_162_data_in_class_2_has_its_pools_and_queue_and_the_codepoint_of_class_0)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(THREE_POOLS, "TrafficClasses.Data", "2"));
  bench_pause(bench, 2, 1000); /* 1.38 us */
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL(net_port_queue_length(&bench->nic->port, 2), 1);
  CU_ASSERT_EQUAL(bench->nic->egress[2].reserved, BENCH_FULL);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT(sent_in(bench, 0) == 0 && sent_in(bench, 1) == 0);
  CU_ASSERT_EQUAL(bench->log[0].frame.dscp, net_role_dscp(NET_ROLE_NO_TRIM));
  bench_data(bench, (bench_data_t){.payload = BENCH_MSS});
  CU_ASSERT(received_in(bench, 0) == 0 && received_in(bench, 1) == 0 && received_in(bench, 2) == BENCH_IP);
  bench_run(bench, 20 * OPP_US);
  CU_ASSERT_EQUAL(sent_in(bench, 1), 78);
  bench_free(bench);
}

SGF_TEST(control_may_have_a_class_of_its_own_too)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(THREE_POOLS, "TrafficClasses.Control", "2"));
  bench_packet(bench, 0, BENCH_MSS);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1);
  CU_ASSERT(sent_in(bench, 0) == 0 && sent_in(bench, 1) == 0 && sent_in(bench, 2) == 78);
  bench_probe_from(bench, 1);
  CU_ASSERT(received_in(bench, 1) == 0 && received_in(bench, 2) == 44);
  bench_free(bench);
}

/* 5.3 with another class: generation restarts at half of the pool that data is in. */
SGF_TEST(generation_stops_and_restarts_by_the_pool_of_the_data_class)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(THREE_POOLS, "TrafficClasses.Data", "2"));
  enum { POOL = 51200, FIT = POOL / BENCH_FULL, LEAVE = FIT - POOL / 2 / BENCH_FULL };
  bench_post(bench, 1, 30 * BENCH_MSS);
  bench_run(bench, bench_doorbell);
  const uet_pdc_t* pdc = bench->posted[0]->sending;
  CU_ASSERT_EQUAL(pdc->next_psn, FIT);
  bench_run(bench, bench_doorbell + bench_fetch + LEAVE * bench_wire - 1);
  CU_ASSERT_EQUAL(pdc->next_psn, FIT);
  bench_run(bench, bench_doorbell + bench_fetch + LEAVE * bench_wire);
  CU_ASSERT_EQUAL(pdc->next_psn, FIT + LEAVE);
  bench_free(bench);
}

static bool is_refused(const char* name, const char* tc, const char* buffer)
{
  sgf_error_t error = {0};
  return bench_refusal(400000000000, BENCH_SETTINGS(name, tc), &error) == SGF_RULE &&
         strstr(error.text, name) != NULL && strstr(error.text, buffer) != NULL;
}

SGF_TEST(B28_a_class_without_a_pool_stops_before_start)
{
  CU_ASSERT(is_refused("TrafficClasses.Data", "2", "transmit buffer"));
  CU_ASSERT(is_refused("TrafficClasses.Control", "7", "transmit buffer"));
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(bench_refusal(400000000000,
                                BENCH_SETTINGS("TrafficClasses.Data", "2", "EgressBufferManager.PoolAllocationVector",
                                               "[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]"),
                                &error),
                  SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "receive buffer"));
}
