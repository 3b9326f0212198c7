/* An existing study over the fabric: its platform says nothing, an ini file all. */
#include "harness.h"

#include <sgfabric/explain.h>
#include <sgfabric/simgrid.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simgrid/seat.h"

#define KINDS SGF_SOURCE_DIR "/validation/scenario/kinds/"

static double written_at;

static void writer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  CU_ASSERT_EQUAL(sgf_rdma_write(sg_host_by_name("node-3"), 100000, 0), SGF_OK);
  written_at = simgrid_get_clock();
}

static void begin(void)
{
  static char* argv[] = {"ini", "--log=root.thres:error", NULL};
  int argc            = 2;
  simgrid_init(&argc, argv);
  sg_fabric_plugin_init();
}

SGF_SCENARIO(a_study_takes_attributes_and_seed_from_a_run_of_an_ini_file)
{
  begin();
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sg_fabric_set_ini(KINDS "kinds.ini", "zones", 0, &error), SGF_OK);
  sg_fabric_set("**.spine1.switch.StaticPoolXoffThreshold=300KB"); /* said later, and over it */
  CU_ASSERT_EQUAL_FATAL(sg_fabric_try_load_platform(KINDS "zones.xml", &error), SGF_OK);
  CU_ASSERT_EQUAL(seat.seed, 0); /* seed-set is the number of the run */
  CU_ASSERT_EQUAL(sgf_fabric_host_count(sg_fabric_get()), 4);
  CU_ASSERT_EQUAL(sgf_explain_switch(sgf_fabric_find(sg_fabric_get(), "spine0")).xoff, 200000);
  CU_ASSERT_EQUAL(sgf_explain_switch(sgf_fabric_find(sg_fabric_get(), "spine1")).xoff, 300000);

  char* arguments[] = {"writer"};
  sg_actor_create("writer", sg_host_by_name("node-0"), writer, 1, arguments);
  simgrid_run();
  CU_ASSERT_EQUAL(sg_fabric_finish(), SGF_OK);
  CU_ASSERT(written_at > 100000 * 8 / 10e9); /* the time on a cable of 10 Gb/s */
}

SGF_SCENARIO(what_is_wrong_with_an_ini_file_is_said_with_its_line)
{
  begin();
  sgf_error_t error = {0};
  CU_ASSERT_NOT_EQUAL(sg_fabric_set_ini(KINDS "kinds.ini", "zone", 0, &error), SGF_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "zones"));
  sgf_error_clear(&error);
  CU_ASSERT_NOT_EQUAL(sg_fabric_set_ini(KINDS "kinds.ini", NULL, 1, &error), SGF_OK);
  sgf_error_clear(&error);
  CU_ASSERT_NOT_EQUAL(sg_fabric_set_ini(KINDS "no.ini", NULL, 0, &error), SGF_OK);
  sgf_error_clear(&error);
  CU_ASSERT_NOT_EQUAL(sg_fabric_set_ini(KINDS "no.ini", NULL, 0, NULL), SGF_OK);

  /* Lines of General alone: the links of this one are not cables. */
  CU_ASSERT_EQUAL_FATAL(sg_fabric_set_ini(KINDS "kinds.ini", NULL, 0, &error), SGF_OK);
  CU_ASSERT_NOT_EQUAL(sg_fabric_try_load_platform(KINDS "shared_links.xml", &error), SGF_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "fabric.full_duplex"));
}
