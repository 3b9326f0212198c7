/* spec/uet-nic.md 8.11 and 11.6 on the state machine: what PDCs to one destination share, and how long. */
#include "harness.h"
#include "nic_support.h"

static unsigned host_of(const bench_t* bench, size_t n)
{
  return bench->log[n].frame.dst - bench->nic->address;
}

/* Three messages to host 1 and one to host 2, of `packets` each. */
static void post_four(bench_t* bench, uint64_t packets)
{
  for (int i = 0; i < 3; i++)
    bench_post(bench, 1, packets * BENCH_MSS);
  bench_post(bench, 2, packets * BENCH_MSS);
}

SGF_TEST(UN_88_without_groups_each_PDC_has_one_turn_in_four)
{
  enum { EACH = 20 };
  bench_t* bench = bench_new(BENCH_SETTINGS("PDCGroupsEnabled", "false", BENCH_UNGATED));
  bench->answers = true;
  post_four(bench, EACH);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 4 * EACH);
  for (size_t i = 0; i < 4 * EACH; i++) {
    CU_ASSERT_EQUAL(bench_header(&bench->log[i])->message, 1 + i % 4);
    CU_ASSERT_EQUAL(host_of(bench, i), i % 4 < 3 ? 1 : 2);
  }
  bench_free(bench);
}

/* Nothing is acknowledged: each window fills. */
static size_t sent_without_answer(const char* groups)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("PDCGroupsEnabled", groups, "EgressBufferManager.TotalBufferSize", "4MB"));
  post_four(bench, 150);
  bench_run(bench, 100 * OPP_US);
  const size_t sent = bench->count;
  bench_free(bench);
  return sent;
}

SGF_TEST(UN_88_without_groups_each_PDC_has_a_window)
{
  CU_ASSERT_EQUAL(sent_without_answer("true"), 2 * 107);
  CU_ASSERT_EQUAL(sent_without_answer("false"), 4 * 107);
}

SGF_TEST(UN_91_after_the_last_PDC_a_group_begins_anew)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("PacketSprayingType", "Recycled Entropy Packet Spraying"));
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  const uet_group_t* group = bench_group(bench, 1);
  CU_ASSERT_EQUAL(group->spray.stored, 1);
  CU_ASSERT(group->congestion.base_rtt < 6 * OPP_US && group->congestion.window < 450000);
  bench_ack(bench, &bench->log[1], 2, 0);
  CU_ASSERT_PTR_NULL(bench_group(bench, 1));

  bench_post(bench, 1, 2 * BENCH_MSS);
  group = bench_group(bench, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(group);
  CU_ASSERT_EQUAL((int64_t)group->congestion.window, 450000);
  CU_ASSERT_EQUAL((int64_t)group->congestion.max_window, 450000);
  CU_ASSERT_EQUAL(group->congestion.base_rtt, 6 * OPP_US);
  CU_ASSERT(group->spray.stored == 0 && group->spray.valid == 0 && !group->spray.freezing);
  CU_ASSERT(group->in_flight == 0 && group->fetched == 0);
  bench_free(bench);
}

/* A PDC that is still open keeps what the group has learnt, and so does the receiving end of a message from there. */
SGF_TEST(a_group_lives_as_long_as_it_has_a_member)
{
  bench_t* bench = bench_new(NULL);
  bench_data(bench, (bench_data_t){.from = 1, .psn = 0, .payload = BENCH_MSS, .bytes = 2 * BENCH_MSS});
  const uet_group_t* group = bench_group(bench, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(group);
  CU_ASSERT_EQUAL(group->members, 1);
  bench_post(bench, 1, BENCH_MSS);
  CU_ASSERT_PTR_EQUAL(bench_group(bench, 1), group);
  CU_ASSERT_EQUAL(group->members, 2);
  bench_run(bench, OPP_US);
  const bench_frame_t* sent    = bench_nth(bench, UET_DATA, 0);
  const opp_simtime_t base_rtt = OPP_US + bench_now(bench) - (sent->arrival - bench_delay);
  bench_ack(bench, sent, 1, 0);
  CU_ASSERT_EQUAL(group->members, 1);
  CU_ASSERT_PTR_EQUAL(bench_group(bench, 1), group);
  CU_ASSERT_EQUAL(group->congestion.base_rtt, base_rtt);

  bench_data(bench, (bench_data_t){.from = 1, .psn = 1, .payload = BENCH_MSS, .bytes = 2 * BENCH_MSS, .is_last = true});
  CU_ASSERT_PTR_NULL(bench_group(bench, 1)); /* complete: it waits for nothing */
  bench_free(bench);
}

/* A sender that gave its message up and begins another on the same PDC is one member. */
SGF_TEST(a_receiving_end_is_one_member_whatever_message_it_is_at)
{
  bench_t* bench = bench_new(NULL);
  for (uint64_t message = 1; message <= 3; message++) {
    bench_data(bench, (bench_data_t){.from = 1, .message = message, .payload = 1, .bytes = 2 * BENCH_MSS});
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench_group(bench, 1));
    CU_ASSERT_EQUAL(bench_group(bench, 1)->members, 1);
  }
  bench_data(bench, (bench_data_t){.from = 1, .pdc = 2, .message = 4, .payload = 1, .bytes = 2 * BENCH_MSS});
  CU_ASSERT_EQUAL(bench_group(bench, 1)->members, 2);
  bench_free(bench);
}

/* In whatever order groups come and go, each is like a new one. */
SGF_TEST(groups_are_used_again)
{
  enum { ROUNDS = 20 };
  bench_t* bench = bench_new(NULL);
  bench->answers = true;
  for (unsigned round = 0; round < ROUNDS; round++) {
    bench_post(bench, 1 + round % 3, 3 * BENCH_MSS);
    bench_post(bench, 1 + (round + 1) % 3, 3 * BENCH_MSS);
    bench_run(bench, (round + 1) * 10 * OPP_US);
    CU_ASSERT(bench->acknowledged_at[2 * round] > 0 && bench->acknowledged_at[2 * round + 1] > 0);
    for (unsigned host = 0; host < BENCH_HOSTS; host++)
      CU_ASSERT_PTR_NULL(bench_group(bench, host));
  }
  CU_ASSERT_EQUAL(bench_uet(bench)->group_count, 2); /* as many as there were at one time */
  bench_free(bench);
}
