/* Posts on the actor seat: at one instant, many at a time, to oneself, to nobody. */
#include "harness.h"

#include "study_support.h"

#include <sgfabric/workload.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 50000 };

static char* rack_of(unsigned hosts)
{
  return study_rack(hosts, (study_link_t){NULL, NULL}, "", "");
}

static study_result_t run(study_program_t program)
{
  char* rack            = rack_of(5);
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, program, &result));
  free(rack);
  return result;
}

/* ---- At one instant (design.md, Events) -------------------------------------------------------------------------- */

/* How the actors are created: the order in which SimGrid runs them at an instant follows. */
static bool backwards;

static void write_at_once(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(OPP_US);
  study_write("h4", BYTES, 0);
  study_write("h4", BYTES, 0);
}

static void four_hosts(void)
{
  for (int i = 0; i < 4; i++) {
    char name[16], host[16];
    snprintf(name, sizeof name, "writer%d", backwards ? 3 - i : i);
    snprintf(host, sizeof host, "h%d", backwards ? 3 - i : i);
    study_actor(name, host, write_at_once);
  }
}

SGF_TEST(posts_of_one_instant_are_applied_in_order_of_hosts)
{
  backwards            = false;
  study_result_t forth = run(four_hosts);
  backwards            = true;
  study_result_t back  = run(four_hosts);
  CU_ASSERT_STRING_EQUAL(forth.record, back.record);
  CU_ASSERT(study_date(&forth, "writer0", "wrote") !=
            study_date(&forth, "writer3", "wrote")); /* the order does matter */
  study_free(&forth);
  study_free(&back);
}

/* Woken by the completion of a write, an actor wakes another, which posts at that instant too. */
static sg_actor_t sleeping;

static void wakes_another(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h2", BYTES, 0);
  sg_actor_resume(sleeping);
  study_write("h4", BYTES, 0);
}

static void is_woken(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_actor_suspend(sg_actor_self());
  study_write("h4", BYTES, 0);
}

static opp_simtime_t instant; /* of that completion */

static void is_there_in_time(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep_until(instant);
  study_write("h4", BYTES, 0);
}

static void chain(void)
{
  sleeping = study_actor("woken", "h0", is_woken);
  if (!backwards)
    study_actor("timely", "h3", is_there_in_time);
  study_actor("waker", "h1", wakes_another);
  if (backwards)
    study_actor("timely", "h3", is_there_in_time);
}

SGF_TEST(it_does_not_matter_how_an_actor_came_to_run_at_an_instant)
{
  instant              = 0;
  study_result_t probe = run(chain);
  instant              = study_date(&probe, "waker", "wrote");
  backwards            = false;
  study_result_t forth = run(chain);
  backwards            = true;
  study_result_t back  = run(chain);
  char flow[3][64];
  const char* const from[] = {"h0", "h1", "h3"}; /* in order of hosts */
  const char* at           = forth.record;
  for (int i = 0; i < 3; i++) {
    snprintf(flow[i], sizeof flow[i], "flow %s h4 %d %lld ", from[i], BYTES, (long long)instant);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at = strstr(at, flow[i]));
  }
  CU_ASSERT_STRING_EQUAL(forth.record, back.record);
  study_free(&probe);
  study_free(&forth);
  study_free(&back);
}

static void write_with_tag(int argc, char** argv)
{
  (void)argc;
  for (uint64_t i = 0; i < 3; i++)
    sgf_op_unref(study_write_async("h4", 100 * strtoull(argv[0], NULL, 10) + i, 0));
}

static void one_host(void)
{
  static const char* const numbers[] = {"1", "2"};
  sg_actor_create_("first", sg_host_by_name("h0"), write_with_tag, 1, &numbers[0]);
  sg_actor_create_("second", sg_host_by_name("h0"), write_with_tag, 1, &numbers[1]);
}

SGF_TEST(of_one_host_the_actor_created_first_comes_first_and_calls_keep_their_order)
{
  study_result_t result            = run(one_host);
  static const char* const order[] = {"flow h0 h4 100 ", "flow h0 h4 101 ", "flow h0 h4 102 ",
                                      "flow h0 h4 200 ", "flow h0 h4 201 ", "flow h0 h4 202 "};
  const char* at                   = result.record;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    CU_ASSERT_PTR_NOT_NULL_FATAL(at = strstr(at, order[i]));
  study_free(&result);
}

/* ---- Many at a time ---------------------------------------------------------------------------------------------- */

enum { WINDOW = 200 };

static void write_window(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sgf_op_t* ops[WINDOW];
  for (int i = 0; i < WINDOW; i++)
    ops[i] = study_write_async(i % 2 == 0 ? "h3" : "h4", 10 + 97 * (uint64_t)i, 0);
  for (int i = WINDOW; i-- > 0;) {
    study_wait(ops[i]);
    sgf_op_unref(ops[i]);
  }
}

static void windows(void)
{
  study_actor("writer0", "h0", write_window);
  study_actor("writer1", "h1", write_window);
}

SGF_TEST(a_window_of_writes_costs_few_kernel_rounds)
{
  char* rack          = rack_of(5);
  study_result_t lazy = {0};
  CU_ASSERT(study_same(rack, windows, &lazy));
  study_result_t reference = study_run(rack, windows, SG_FABRIC_REFERENCE);
  CU_ASSERT(lazy.rounds > 0);
  CU_ASSERT(10 * lazy.rounds < reference.rounds);
  study_free(&lazy);
  study_free(&reference);
  free(rack);
}

/* ---- To oneself, and to nobody ----------------------------------------------------------------------------------- */

static void write_to_oneself(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h0", 0, 0);
  study_write("h0", BYTES, 0);
  study_write("h1", 0, 0);
}

static void loopback(void)
{
  study_actor("writer", "h0", write_to_oneself);
  study_actor("reader", "h1", write_at_once);
}

SGF_TEST(zero_bytes_and_loopback_take_time_and_complete)
{
  study_result_t result      = run(loopback);
  const opp_simtime_t looped = study_date(&result, "writer", "wrote 0 B to h0 since 0: success");
  CU_ASSERT(looped > 0);
  CU_ASSERT(study_date(&result, "writer", "wrote 50000 B to h0") > looped);
  CU_ASSERT(study_date(&result, "writer", "wrote 0 B to h1") > study_date(&result, "writer", "wrote 50000 B to h0"));
  CU_ASSERT(study_has(&result,
                      "link h0 port 0: 2 168 ")); /* all that was ever on its cable: the last write's packet, probe */
  study_free(&result);
}

static void write_to_bare(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(OPP_US);
  study_write("bare", BYTES, 0);
  study_note("%s", study_write_async("bare", 1, 0) == NULL ? "no operation" : "an operation");
}

static void write_from_bare(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h0", BYTES, 0);
  study_recv(0);
  study_note("%s", sgf_recv_async(0) == NULL ? "no operation" : "an operation");
}

static void without_nic(void)
{
  study_actor("to", "h0", write_to_bare);
  study_actor("from", "bare", write_from_bare);
}

SGF_TEST(a_host_without_a_nic_is_refused_at_once)
{
  study_result_t result = run(without_nic);
  CU_ASSERT_EQUAL(study_date(&result, "to", "wrote 50000 B to bare since 1000000: the host has no NIC"), OPP_US);
  CU_ASSERT_EQUAL(study_date(&result, "to", "no operation"), OPP_US);
  CU_ASSERT_EQUAL(study_date(&result, "from", "wrote 50000 B to h0 since 0: the host has no NIC"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "from", "received 0 B from nobody with tag 0: the host has no NIC"), 0);
  CU_ASSERT_EQUAL(study_date(&result, "from", "no operation"), 0);
  study_free(&result);
}

/* ---- The engine without SimGrid ---------------------------------------------------------------------------------- */

static sgf_messages_t messages;

/* One actor a host, writing what the list says. */
static void write_list(int argc, char** argv)
{
  (void)argc;
  const size_t self = strtoull(argv[0], NULL, 10);
  for (size_t i = 0; i < messages.count; i++)
    if (messages.items[i].src == self)
      sgf_op_unref(sgf_rdma_write_async(
          sg_host_by_name(sgf_device_name(sgf_fabric_host(sg_fabric_get(), messages.items[i].dst))),
          messages.items[i].bytes, 0));
}

static void same_workload(void)
{
  for (size_t h = 0; h < sgf_fabric_host_count(sg_fabric_get()); h++) {
    char number[24];
    snprintf(number, sizeof number, "%zu", h);
    const char* arguments[] = {number};
    sg_actor_create_(number, sg_host_by_name(sgf_device_name(sgf_fabric_host(sg_fabric_get(), h))), write_list, 1,
                     arguments);
  }
}

SGF_TEST(a_workload_gives_the_same_flows_with_and_without_simgrid)
{
  char* rack = rack_of(5);
  sgf_workload_all_to_all(&messages, 5, BYTES);
  study_result_t with = {0};
  CU_ASSERT(study_same(rack, same_workload, &with));

  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_error_t error    = {0};
  sgf_device_t* hosts[5];
  for (int h = 0; h < 5; h++) {
    char name[16];
    snprintf(name, sizeof name, "h%d", h);
    hosts[h] = sgf_fabric_add_nic(fabric, name, name, "uet", &error);
  }
  sgf_device_t* tor = sgf_fabric_add_switch(fabric, "tor", "tor", &error);
  for (int h = 0; h < 5; h++)
    sgf_fabric_connect(fabric, hosts[h], tor, "c", INT64_C(400000000000), 100 * OPP_NS, 1, &error);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_workload_post(&messages, fabric, 0, &error), SGF_OK);
  CU_ASSERT_EQUAL(sgf_engine_advance(fabric, OPP_TIME_MAX), SGF_ENGINE_IDLE);
  sgf_report_t* report = sgf_report_new(fabric);
  CU_ASSERT_EQUAL(report->flow_count, messages.count);
  const char* at = with.record;
  for (size_t i = 0; i < report->flow_count && at != NULL; i++) {
    const sgf_flow_t* flow = &report->flows[i];
    char line[96];
    snprintf(line, sizeof line, "flow %s %s %llu %lld %lld\n", flow->src, flow->dst, (unsigned long long)flow->bytes,
             (long long)flow->start, (long long)flow->end);
    CU_ASSERT_PTR_NOT_NULL(at = strstr(at, line));
  }
  sgf_report_free(report);
  sgf_fabric_free(fabric);
  sgf_messages_free(&messages);
  study_free(&with);
  free(rack);
}
