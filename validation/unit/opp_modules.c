/* The tree of modules, and the life of a simulation: stages of initialisation, the end of a run, finish and destroy. */
#include <stdio.h>
#include <stdlib.h>

#include "unit/opp_probe.h"

/* ---- The tree ---------------------------------------------------------------------------------------------------- */

SGF_TEST(names_and_paths)
{
  opp_sim_t* sim      = opp_sim_new(1);
  opp_module_t* net   = opp_module_new(sim, NULL, "net", -1, NULL);
  opp_module_t* rack  = opp_module_new(sim, net, "rack", 0, NULL);
  opp_module_t* tor   = probe_new(sim, rack, "tor0");
  opp_module_t* port3 = opp_module_new(sim, tor, "port", 3, &probe_type);
  CU_ASSERT_STRING_EQUAL(opp_module_name(port3), "port");
  CU_ASSERT_STRING_EQUAL(opp_module_full_name(port3), "port[3]");
  CU_ASSERT_STRING_EQUAL(opp_module_full_path(port3), "net.rack[0].tor0.port[3]");
  CU_ASSERT_EQUAL(opp_module_index(port3), 3);
  CU_ASSERT_EQUAL(opp_module_index(tor), -1);
  CU_ASSERT_STRING_EQUAL(opp_module_full_name(tor), "tor0");
  CU_ASSERT_PTR_EQUAL(opp_module_parent(port3), tor);
  CU_ASSERT_PTR_NULL(opp_module_parent(net));
  CU_ASSERT_PTR_EQUAL(opp_module_sim(port3), sim);
  opp_sim_free(sim);
}

SGF_TEST(submodules_are_found_by_name_and_index)
{
  opp_sim_t* sim    = opp_sim_new(1);
  opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
  opp_module_t* a   = opp_module_new(sim, net, "a", -1, NULL);
  opp_module_t* a0  = opp_module_new(sim, net, "a", 0, NULL);
  opp_module_t* a1  = opp_module_new(sim, net, "a", 1, NULL);
  opp_module_t* aa  = opp_module_new(sim, a, "a", -1, NULL);
  CU_ASSERT_PTR_EQUAL(opp_module_submodule(net, "a", -1), a);
  CU_ASSERT_PTR_EQUAL(opp_module_submodule(net, "a", 0), a0);
  CU_ASSERT_PTR_EQUAL(opp_module_submodule(net, "a", 1), a1);
  CU_ASSERT_PTR_EQUAL(opp_module_submodule(a, "a", -1), aa);
  CU_ASSERT_PTR_NULL(opp_module_submodule(net, "a", 2));
  CU_ASSERT_PTR_NULL(opp_module_submodule(net, "a[1]", -1)); /* the name alone */
  CU_ASSERT_PTR_NULL(opp_module_submodule(aa, "a", -1));
  CU_ASSERT_PTR_EQUAL(opp_module_by_path(sim, "net"), net);
  CU_ASSERT_PTR_EQUAL(opp_module_by_path(sim, "net.a[1]"), a1);
  CU_ASSERT_PTR_EQUAL(opp_module_by_path(sim, "net.a.a"), aa);
  CU_ASSERT_PTR_NULL(opp_module_by_path(sim, "net.b"));
  CU_ASSERT_PTR_NULL(opp_module_by_path(sim, ""));
  opp_sim_free(sim);
}

SGF_TEST(thousands_of_modules_are_found)
{
  enum { MODULES = 20000 };
  opp_sim_t* sim    = opp_sim_new(1);
  opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
  char path[32];
  for (int i = 0; i < MODULES; i++) {
    CU_ASSERT_PTR_NULL_FATAL(opp_module_submodule(net, "host", i));
    opp_module_new(sim, net, "host", i, NULL);
  }
  for (int i = 0; i < MODULES; i++) {
    opp_module_t* module = opp_module_submodule(net, "host", i);
    CU_ASSERT_PTR_NOT_NULL_FATAL(module);
    CU_ASSERT_EQUAL_FATAL(opp_module_index(module), i);
    snprintf(path, sizeof path, "net.host[%d]", i);
    CU_ASSERT_PTR_EQUAL_FATAL(opp_module_by_path(sim, path), module);
  }
  opp_sim_free(sim);
}

SGF_TEST(state_is_zero_and_the_module_s_own)
{
  static const probe_t empty;
  opp_sim_t* sim  = opp_sim_new(1);
  opp_module_t* a = probe_new(sim, NULL, "a");
  opp_module_t* b = probe_new(sim, NULL, "b");
  CU_ASSERT_EQUAL(memcmp(opp_module_state(a), &empty, sizeof empty), 0);
  CU_ASSERT_PTR_NOT_EQUAL(opp_module_state(a), opp_module_state(b));
  opp_sim_free(sim);
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static char story[256]; /* what was called, in order */

static void tell(const opp_module_t* self, const char* what, int stage)
{
  const size_t used = strlen(story);
  if (stage >= 0)
    snprintf(story + used, sizeof story - used, "%s%s%d ", opp_module_name(self), what, stage);
  else
    snprintf(story + used, sizeof story - used, "%s%s ", opp_module_name(self), what);
}

static void initialize(opp_module_t* self, int stage)
{
  tell(self, "", stage);
}

static void handle(opp_module_t* self, opp_msg_t* msg)
{
  tell(self, ":", opp_msg_kind(msg));
  if (opp_msg_kind(msg) == 9)
    opp_end_simulation(self);
  opp_msg_delete(msg);
}

static void finish(opp_module_t* self)
{
  tell(self, ":finish", -1);
}

static void destroy(opp_module_t* self)
{
  tell(self, ":destroy", -1);
}

static const opp_module_type_t with_one_stage = {
    .name = "one", .initialize = initialize, .handle_message = handle, .finish = finish, .destroy = destroy};
static const opp_module_type_t with_three_stages = {
    .name = "three", .num_init_stages = 3, .initialize = initialize, .handle_message = handle, .finish = finish};
static const opp_module_type_t with_two_stages = {
    .name = "two", .num_init_stages = 2, .initialize = initialize, .handle_message = handle};
static const opp_module_type_t with_nothing = {.name = "none", .num_init_stages = 4, .handle_message = handle};

SGF_TEST(stages_go_through_all_modules_in_order_of_creation)
{
  opp_sim_t* sim    = opp_sim_new(1);
  opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
  opp_module_new(sim, net, "c", -1, &with_three_stages);
  opp_module_new(sim, net, "a", -1, &with_one_stage);
  opp_module_new(sim, net, "d", -1, &with_nothing);
  opp_module_new(sim, net, "b", -1, &with_two_stages);
  story[0] = '\0';
  CU_ASSERT_EQUAL(opp_sim_initialize(sim), SGF_OK);
  CU_ASSERT_STRING_EQUAL(story, "c0 a0 b0 c1 b1 c2 ");
  story[0] = '\0';
  opp_sim_finish(sim);
  CU_ASSERT_STRING_EQUAL(story, "c:finish a:finish ");
  story[0] = '\0';
  opp_sim_free(sim);
  CU_ASSERT_STRING_EQUAL(story, "a:destroy ");
}

static void fail_in_stage_1(opp_module_t* self, int stage)
{
  tell(self, "", stage);
  if (stage == 1)
    opp_error(self, "it cannot be");
}

SGF_TEST(an_error_ends_the_initialisation)
{
  static const opp_module_type_t failing = {
      .name = "failing", .num_init_stages = 3, .initialize = fail_in_stage_1, .handle_message = handle};
  opp_sim_t* sim = opp_sim_new(1);
  opp_module_new(sim, NULL, "x", -1, &failing);
  story[0] = '\0';
  CU_ASSERT_EQUAL(opp_sim_initialize(sim), SGF_MODEL);
  CU_ASSERT_STRING_EQUAL(story, "x0 x1 ");
  CU_ASSERT(mentions(opp_sim_error(sim)->text, "x at 0.000000000000 s: it cannot be"));
  CU_ASSERT_EQUAL(opp_sim_run(sim, OPP_TIME_MAX), OPP_RUN_ERROR);
  opp_sim_free(sim);
}

SGF_TEST(a_module_ends_the_run_after_its_event)
{
  opp_sim_t* sim  = opp_sim_new(1);
  opp_module_t* a = opp_module_new(sim, NULL, "a", -1, &with_one_stage);
  opp_schedule_at(a, 10, opp_msg_new(a, "go", 1));
  opp_schedule_at(a, 20, opp_msg_new(a, "end", 9));
  opp_schedule_at(a, 20, opp_msg_new(a, "behind", 2));
  story[0] = '\0';
  CU_ASSERT_EQUAL(opp_sim_run(sim, OPP_TIME_MAX), OPP_RUN_ENDED);
  CU_ASSERT_EQUAL(opp_sim_clock(sim), 20);
  CU_ASSERT_STRING_EQUAL(story, "a:1 a:9 ");
  CU_ASSERT_EQUAL(opp_sim_next_event_time(sim), 20);
  CU_ASSERT_EQUAL(opp_sim_run(sim, OPP_TIME_MAX), OPP_RUN_IDLE); /* another run goes on with what is left */
  CU_ASSERT_STRING_EQUAL(story, "a:1 a:9 a:2 ");
  opp_sim_free(sim);
}

/* Inside the kernel: a caller may look in between events. */
static void count_looks(void* user)
{
  ++*(int*)user;
}

SGF_TEST(a_look_comes_after_every_period_of_events)
{
  opp_sim_t* sim   = opp_sim_new(1);
  opp_module_t* a  = probe_new(sim, NULL, "a");
  int looks        = 0;
  sim->look        = count_looks;
  sim->look_user   = &looks;
  sim->look_period = 10;
  sim->next_look   = 10;
  for (int i = 0; i < 95; i++)
    opp_schedule_at(a, i, opp_msg_new(a, "event", i));
  opp_sim_run(sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(looks, 9);
  opp_sim_free(sim);
}
