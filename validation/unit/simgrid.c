/* The plugin's life, and a first write through it. The actor seat: validation/simgrid. */
#include "harness.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <string.h>

#include "simgrid/seat.h"

#define RACK SGF_SOURCE_DIR "/platforms/rack9.xml"

static void start(void)
{
  char name[]  = "simgrid";
  char* argv[] = {name, NULL};
  int argc     = 1;
  simgrid_init(&argc, argv);
  sg_fabric_plugin_init();
}

SGF_SCENARIO(nothing_works_before_the_platform_is_loaded)
{
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(sg_fabric_get());
  CU_ASSERT_EQUAL(sg_fabric_finish_with(true, NULL, NULL, &error), SGF_STATE);
  sgf_error_clear(&error);
  CU_ASSERT_EQUAL(sg_fabric_try_load_platform(RACK, &error), SGF_STATE); /* not initialised */
  CU_ASSERT_EQUAL(sg_fabric_kernel_rounds(), 0);
}

SGF_SCENARIO(a_bad_platform_is_refused_and_a_good_one_taken_afterwards)
{
  start();
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sg_fabric_try_load_platform(SGF_SOURCE_DIR "/platforms/missing.xml", &error), SGF_IO);
  CU_ASSERT_PTR_NULL(sg_fabric_get());
  sgf_error_clear(&error);
  CU_ASSERT_EQUAL(sg_fabric_try_load_platform(RACK, &error), SGF_OK);
  CU_ASSERT_PTR_NOT_NULL(sg_fabric_get());
  CU_ASSERT_EQUAL(sg_fabric_try_load_platform(RACK, &error), SGF_STATE); /* once */
}

static void write_once(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  CU_ASSERT_EQUAL(sgf_rdma_write(sg_host_by_name("gpu1"), 4096, 0), SGF_OK);
  CU_ASSERT_EQUAL(seat_now(), sgf_engine_clock(seat.fabric));
  CU_ASSERT_PTR_NOT_NULL(seat.actor);
  CU_ASSERT_PTR_NOT_NULL(seat.guard);
  CU_ASSERT(sg_actor_get_host(seat.actor) != sg_actor_get_host(seat.guard));
}

SGF_SCENARIO(a_write_takes_a_few_kernel_rounds)
{
  start();
  sg_fabric_load_platform(RACK);
  CU_ASSERT_EQUAL(sg_actor_count(), 0); /* the seat's actors start with the first call */
  sg_actor_create("writer", sg_host_by_name("gpu0"), write_once, 0, NULL);
  simgrid_run();
  CU_ASSERT(sg_fabric_kernel_rounds() > 0);
  CU_ASSERT(sg_fabric_kernel_rounds() < 20);
  sgf_report_t* report = sgf_report_new(sg_fabric_get());
  CU_ASSERT_EQUAL_FATAL(report->flow_count, 1);
  CU_ASSERT_EQUAL(report->flows[0].end, report->clock);
  sgf_report_free(report);
  CU_ASSERT_EQUAL(sg_fabric_finish(), SGF_OK);
}

SGF_SCENARIO(assignments_reach_the_fabric)
{
  start();
  sg_fabric_set("**.nic.UplinkNetworkInterface.DataRate=100Gbps");
  sg_fabric_load_platform(RACK);
  CU_ASSERT_EQUAL(sgf_device_port_bps(sgf_fabric_find(sg_fabric_get(), "gpu3"), 0), INT64_C(100000000000));
}

SGF_SCENARIO(actor_functions_say_how_they_are_used)
{
  char buffer[96];
  const char* help = NULL;
  size_t count     = 0;
  bool rdma_write  = false;
  for (const char* usage; (usage = sg_fabric_actor_usage(count, buffer, sizeof buffer, &help)) != NULL; count++) {
    rdma_write = rdma_write || strcmp(usage, "rdma_write <dst> <size> [count] [gap]") == 0;
    CU_ASSERT_PTR_NOT_NULL(help);
  }
  CU_ASSERT(rdma_write);
  CU_ASSERT(count >= 5);
}
