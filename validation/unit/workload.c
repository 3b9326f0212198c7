/* The patterns: who sends to whom, and how often. */
#include "harness.h"

#include <sgfabric/workload.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 9, MANY = 1000, BYTES = 4096 };

static bool same(const sgf_messages_t* a, const sgf_messages_t* b)
{
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->items[i].src != b->items[i].src || a->items[i].dst != b->items[i].dst ||
        a->items[i].bytes != b->items[i].bytes)
      return false;
  return true;
}

SGF_TEST(in_an_incast_every_other_host_sends_once)
{
  sgf_messages_t list = {0};
  sgf_workload_incast(&list, HOSTS, 3, BYTES);
  CU_ASSERT_EQUAL_FATAL(list.count, HOSTS - 1);
  for (size_t i = 0; i < list.count; i++) {
    CU_ASSERT_EQUAL(list.items[i].src, i < 3 ? i : i + 1);
    CU_ASSERT_EQUAL(list.items[i].dst, 3);
    CU_ASSERT_EQUAL(list.items[i].bytes, BYTES);
  }
  sgf_messages_free(&list);
  CU_ASSERT_EQUAL(list.count, 0);
  CU_ASSERT_PTR_NULL(list.items);
}

SGF_TEST(a_permutation_is_one_cycle_through_all_hosts)
{
  for (size_t hosts = 2; hosts <= MANY; hosts = hosts * 3 / 2 + 1) {
    sgf_messages_t list = {0};
    sgf_workload_permutation(&list, hosts, BYTES, hosts);
    CU_ASSERT_EQUAL_FATAL(list.count, hosts);
    for (size_t i = 0; i < hosts; i++) {
      CU_ASSERT_EQUAL(list.items[i].src, i);
      CU_ASSERT_FATAL(list.items[i].dst < hosts);
      CU_ASSERT_NOT_EQUAL(list.items[i].dst, i);
      CU_ASSERT_EQUAL(list.items[i].bytes, BYTES);
    }
    size_t steps = 1;
    for (size_t at = list.items[0].dst; at != 0 && steps <= hosts; at = list.items[at].dst)
      steps++;
    CU_ASSERT_EQUAL(steps, hosts);
    sgf_messages_free(&list);
  }
}

SGF_TEST(a_seed_names_one_permutation)
{
  sgf_messages_t first = {0}, again = {0}, other = {0};
  sgf_workload_permutation(&first, MANY, BYTES, 7);
  sgf_workload_permutation(&again, MANY, BYTES, 7);
  sgf_workload_permutation(&other, MANY, BYTES, 8);
  CU_ASSERT_TRUE(same(&first, &again));
  CU_ASSERT_FALSE(same(&first, &other));
  sgf_messages_free(&first);
  sgf_messages_free(&again);
  sgf_messages_free(&other);
}

SGF_TEST(both_cycles_of_three_hosts_are_drawn)
{
  size_t drawn[3] = {0};
  for (uint64_t seed = 0; seed < 64; seed++) {
    sgf_messages_t list = {0};
    sgf_workload_permutation(&list, 3, BYTES, seed);
    CU_ASSERT_EQUAL_FATAL(list.count, 3);
    drawn[list.items[0].dst]++;
    sgf_messages_free(&list);
  }
  CU_ASSERT_EQUAL(drawn[0], 0);
  CU_ASSERT(drawn[1] > 0);
  CU_ASSERT(drawn[2] > 0);
}

SGF_TEST(all_to_all_has_every_pair_once_and_begins_with_the_next_host)
{
  sgf_messages_t list         = {0};
  unsigned seen[HOSTS][HOSTS] = {{0}};
  sgf_workload_all_to_all(&list, HOSTS, BYTES);
  CU_ASSERT_EQUAL_FATAL(list.count, HOSTS * (HOSTS - 1));
  for (size_t i = 0; i < list.count; i++) {
    const sgf_message_t* message = &list.items[i];
    CU_ASSERT_EQUAL(message->src, i / (HOSTS - 1));
    CU_ASSERT_EQUAL_FATAL(message->dst, (message->src + 1 + i % (HOSTS - 1)) % HOSTS);
    seen[message->src][message->dst]++;
  }
  for (size_t src = 0; src < HOSTS; src++)
    for (size_t dst = 0; dst < HOSTS; dst++)
      CU_ASSERT_EQUAL(seen[src][dst], src == dst ? 0 : 1);
  sgf_messages_free(&list);
}

SGF_TEST(patterns_are_appended)
{
  sgf_messages_t list = {0};
  sgf_workload_incast(&list, HOSTS, 0, 1);
  sgf_workload_permutation(&list, HOSTS, 2, 1);
  sgf_workload_all_to_all(&list, HOSTS, 3);
  CU_ASSERT_EQUAL_FATAL(list.count, HOSTS - 1 + HOSTS + HOSTS * (HOSTS - 1));
  CU_ASSERT_EQUAL(list.items[HOSTS - 2].bytes, 1);
  CU_ASSERT_EQUAL(list.items[HOSTS - 1].bytes, 2);
  CU_ASSERT_EQUAL(list.items[2 * HOSTS - 1].bytes, 3);
  sgf_messages_free(&list);
}

SGF_TEST(one_host_alone_sends_nothing)
{
  sgf_messages_t list = {0};
  sgf_workload_incast(&list, 1, 0, BYTES);
  sgf_workload_permutation(&list, 1, BYTES, 1);
  sgf_workload_all_to_all(&list, 1, BYTES);
  sgf_workload_all_to_all(&list, 0, BYTES);
  CU_ASSERT_EQUAL(list.count, 0);
  sgf_messages_free(&list);
}

/* Hosts around one switch, sealed. */
static sgf_fabric_t* star(size_t hosts)
{
  sgf_error_t error    = {0};
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* tor    = sgf_fabric_add_switch(fabric, "tor", "tor", &error);
  for (size_t i = 0; i < hosts; i++) {
    char name[32];
    snprintf(name, sizeof name, "h%zu", i);
    sgf_device_t* nic = sgf_fabric_add_nic(fabric, name, name, "uet", &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(nic);
    CU_ASSERT_EQUAL(sgf_fabric_connect(fabric, nic, tor, name, 400000000000, 100 * OPP_NS, 1, &error), SGF_OK);
  }
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, &error), SGF_OK);
  return fabric;
}

SGF_TEST(a_posted_list_becomes_flows_that_end)
{
  sgf_error_t error    = {0};
  sgf_messages_t list  = {0};
  sgf_fabric_t* fabric = star(3);
  sgf_workload_all_to_all(&list, sgf_fabric_host_count(fabric), BYTES);
  CU_ASSERT_EQUAL(sgf_workload_post(&list, fabric, OPP_US, &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_engine_advance(fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(fabric, NULL, NULL, &error), SGF_OK);

  sgf_report_t* report = sgf_report_new(fabric);
  CU_ASSERT_EQUAL_FATAL(report->flow_count, list.count);
  for (size_t i = 0; i < list.count; i++) {
    const sgf_flow_t* flow = &report->flows[i];
    CU_ASSERT_STRING_EQUAL(flow->src, sgf_device_name(sgf_fabric_host(fabric, list.items[i].src)));
    CU_ASSERT_STRING_EQUAL(flow->dst, sgf_device_name(sgf_fabric_host(fabric, list.items[i].dst)));
    CU_ASSERT_EQUAL(flow->bytes, BYTES);
    CU_ASSERT_EQUAL(flow->start, OPP_US);
    CU_ASSERT(flow->end > flow->start);
  }
  sgf_report_free(report);
  sgf_messages_free(&list);
  sgf_fabric_free(fabric);
}

SGF_TEST(a_host_that_is_not_there_is_refused_before_anything_is_posted)
{
  sgf_error_t error    = {0};
  sgf_messages_t list  = {0};
  sgf_fabric_t* fabric = star(2);
  sgf_workload_incast(&list, 3, 1, BYTES);
  CU_ASSERT_EQUAL(sgf_workload_post(&list, fabric, 0, &error), SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "from host 2"));
  sgf_report_t* report = sgf_report_new(fabric);
  CU_ASSERT_EQUAL(report->flow_count, 0);
  sgf_report_free(report);
  sgf_messages_free(&list);
  sgf_fabric_free(fabric);
}
