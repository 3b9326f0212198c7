/* What a RoCE NIC says of itself: the numbers that its attributes come to, and what an unfinished message waits for. */
#include "harness.h"
#include "roce_support.h"

#include <string.h>

/* ---- Numbers (spec/roce-nic.md 14) ------------------------------------------------------------------------------- */

typedef struct search {
  const char* name;
  nic_unit_t unit;
  int64_t value;
  bool found;
} search_t;

static void look(void* user, const char* name, nic_unit_t unit, int64_t value)
{
  search_t* search = user;
  if (strcmp(name, search->name) != 0)
    return;
  search->found = true;
  search->unit  = unit;
  search->value = value;
}

static bool says(const bench_t* bench, const char* name, nic_unit_t unit, int64_t value)
{
  search_t search = {.name = name};
  roce_transport.facts(bench->nic, look, &search);
  return search.found && search.unit == unit && search.value == value;
}

SGF_TEST(RO_01_07_12_17_21_25_26_are_told_by_explain)
{
  bench_t* bench = roce_bench(NULL);
  CU_ASSERT_TRUE(says(bench, "packets in the transmit pool", NIC_COUNT, 55));
  CU_ASSERT_TRUE(says(bench, "generation restarts at", NIC_BYTES, 115200));
  CU_ASSERT_TRUE(says(bench, "acknowledgements in the transmit pool", NIC_COUNT, 203));
  CU_ASSERT_TRUE(says(bench, "packets in the receive pool", NIC_COUNT, 870));
  CU_ASSERT_TRUE(says(bench, "rate control runs every", NIC_TIME, 22500 * OPP_NS));
  CU_ASSERT_TRUE(says(bench, "a full packet at the lowest rate takes", NIC_TIME, 830800));
  CU_ASSERT_TRUE(says(bench, "packets for one acknowledgement", NIC_COUNT, 17));
  CU_ASSERT_TRUE(says(bench, "timeout", NIC_TIME, 64 * OPP_MS));
  CU_ASSERT_FALSE(says(bench, "packets in flight of a queue pair", NIC_COUNT, 72));
  CU_ASSERT_EQUAL(roce_transport.window(bench->nic), 0);
  bench_free(bench);
}

SGF_TEST(explain_tells_of_what_is_ours_where_it_is_on)
{
  bench_t* bench = roce_bench(BENCH_SETTINGS("LossRecovery", "SelectiveRepeat", "BdpFlowControl", "true", "EnableECN",
                                             "false", "AckCoalescingEnabled", "false"));
  CU_ASSERT_TRUE(says(bench, "packets in flight of a queue pair", NIC_COUNT, 72));
  CU_ASSERT_TRUE(says(bench, "packets for one acknowledgement", NIC_COUNT, 1));
  CU_ASSERT_TRUE(says(bench, "timeout", NIC_TIME, 320 * OPP_US));
  CU_ASSERT_TRUE(says(bench, "timeout of few packets", NIC_TIME, 100 * OPP_US));
  CU_ASSERT_FALSE(says(bench, "rate control runs every", NIC_TIME, 22500 * OPP_NS));
  CU_ASSERT_EQUAL(roce_transport.window(bench->nic), 72 * ROCE_FULL);
  bench_free(bench);
}

/* ---- Waits ------------------------------------------------------------------------------------------------------- */

static void check_waits(const bench_t* bench, size_t post, const char* expected)
{
  char line[256];
  roce_transport.waits(bench->nic, bench->posted[post], line, sizeof line);
  CU_ASSERT_STRING_EQUAL(line, expected);
}

SGF_TEST(a_message_says_what_it_waits_for)
{
  bench_t* bench = roce_bench(NULL);
  bench_post(bench, 1, 2 * ROCE_MSS);
  bench_post(bench, 1, ROCE_MSS);
  check_waits(bench, 0, "0 of 2 packets acknowledged, 0 under way, 0 retransmissions: its turn has not come");
  check_waits(bench, 1, "waits for the message before it on its queue pair");
  bench_run(bench, roce_start);
  check_waits(bench, 0,
              "0 of 2 packets acknowledged, 0 under way, 0 retransmissions: payload is on its way from the host");
  bench_run(bench, 10 * OPP_US);
  roce_ack(bench, 0, 1, 0);
  check_waits(bench, 0, "1 of 2 packets acknowledged, 1 under way, 0 retransmissions: acknowledgements are awaited");
  bench_free(bench);
}

SGF_TEST(a_message_says_that_a_pause_a_pool_or_its_rate_holds_it)
{
  bench_t* bench = roce_bench(NULL);
  bench_pause(bench, 0, PFC_MAX_QUANTA);
  bench_post(bench, 1, 1 << 20);
  bench_run(bench, 10 * OPP_US);
  check_waits(bench, 0,
              "0 of 256 packets acknowledged, 55 under way, 0 retransmissions: its class is paused by the peer");
  bench_post_as(bench, 2, (nic_message_t){.bytes = 1, .has_classes = true, .classes = {1, 1}});
  check_waits(
      bench, 1,
      "0 of 1 packets acknowledged, 0 under way, 0 retransmissions: a packet of another class waits for room in "
      "the transmit pool");
  bench_pause(bench, 0, 0);
  check_waits(bench, 0,
              "0 of 256 packets acknowledged, 55 under way, 0 retransmissions: no room for the next packet in the "
              "transmit pool of its class");
  bench_free(bench);
  bench          = roce_bench(NULL);
  bench->answers = true;
  bench_post_at(bench, 1, 2 * ROCE_MSS, INT64_C(1000000000));
  bench_run(bench, OPP_US);
  check_waits(
      bench, 0,
      "1 of 2 packets acknowledged, 0 under way, 0 retransmissions: its own rate lets the next packet go later");
  bench_free(bench);
}
