/* Virtual machines send and receive through the NIC of the host that they are on. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

enum { MEGABYTE = 1000000, LONG = 100000000 };
static const opp_simtime_t ms = OPP_MS;

static char* build(void)
{
  return model_program("machines");
}

static char* run(const char* program, const char* what)
{
  char arguments[256];
  snprintf(arguments, sizeof arguments, MODEL_RACK " %s", what);
  return model_over(program, arguments, 0);
}

/* Two machines of one host reach each other as the host reaches itself; one that has moved sends from where it is. */
SGF_SCENARIO(a_machine_has_the_nic_of_its_host)
{
  char* program         = build();
  char* out             = run(program, "hosts");
  model_message_t all[] = {
      {"gpu0", "gpu1", MEGABYTE, 0, 0},
      {"gpu0", "gpu0", MEGABYTE, model_number(out, "apart"), 0},
      {"gpu1", "gpu8", MEGABYTE, model_number(out, "together"), 0},
      {"gpu2", "gpu1", MEGABYTE, model_number(out, "to-host"), 0},
  };
  model_engine(MODEL_RACK, all, sizeof all / sizeof *all);
  CU_ASSERT_EQUAL(model_number(out, "apart"), all[0].delivered);
  CU_ASSERT_EQUAL(model_number(out, "together"), all[1].delivered);
  CU_ASSERT_EQUAL(model_number(out, "to-host"), all[2].delivered);
  CU_ASSERT_EQUAL(model_number(out, "moved"), all[3].delivered);
  /* The dates alone do not tell the hosts apart: the rack's cables are alike. */
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n  gpu2  gpu1  1 MB "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n  gpu0  gpu0  1 MB "));
  free(out);
  free(program);
}

SGF_SCENARIO(a_message_does_not_move_with_its_machine)
{
  char* program         = build();
  char* out             = run(program, "moved");
  model_message_t all[] = {{"gpu0", "gpu1", MEGABYTE, 0, 0}, {"gpu2", "gpu3", MEGABYTE, 10 * OPP_US, 0}};
  model_engine(MODEL_RACK, all, 2);
  CU_ASSERT_EQUAL(model_number(out, "put-on-the-way"), all[0].delivered);
  CU_ASSERT_EQUAL(model_number(out, "get-on-the-way"), all[0].delivered);
  CU_ASSERT_EQUAL(model_number(out, "other"), all[1].delivered);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 2 flows, lossless\n"));
  free(out);
  free(program);
}

/* SimGrid's plugin moves the memory by messages, without a limit of their rate here. */
SGF_SCENARIO(the_memory_of_a_machine_that_migrates_takes_the_fabric)
{
  char* out;
  char* program = build();
  char* json    = model_write("", "migrated.json");
  CU_ASSERT_EQUAL(model_shell(&out, "%s exec --json %s -- %s %s migrated", MODEL_COMMAND, json, program, MODEL_RACK),
                  0);
  CU_ASSERT(model_number(out, "gpu3") > model_engine_chain(MODEL_RACK, "gpu0", "gpu3", false, 64 << 20, 1));
  CU_ASSERT_EQUAL(model_number(out, "migrated"), model_check_flows(MODEL_RACK, json));
  free(out);
  free(json);
  free(program);
}

/* Its actors are gone; their partners are told. */
SGF_SCENARIO(machines_that_are_destroyed_or_shut_down_or_lose_their_host)
{
  static const char* const what[] = {"destroy", "shutdown", "off"};
  char* program                   = build();
  for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
    char* out = run(program, what[i]);
    CU_ASSERT_EQUAL(model_number(out, what[i]), ms);
    CU_ASSERT_EQUAL(model_number(out, "failure get-from-vm"), ms);
    CU_ASSERT_EQUAL(model_number(out, "failure put-to-vm"), ms);
    CU_ASSERT_EQUAL(model_number(out, "put-from-vm"), -1);
    CU_ASSERT_EQUAL(model_number(out, "get-to-vm"), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 2 flows, lossless\n"));
    free(out);
  }
  free(program);
}

/* As with any suspended actor: the messages arrive, and it sees that when it is resumed. */
SGF_SCENARIO(a_machine_that_is_suspended)
{
  char* program         = build();
  char* out             = run(program, "suspend");
  model_message_t all[] = {{"gpu0", "gpu1", LONG, 0, 0}, {"gpu2", "gpu0", LONG, 0, 0}};
  model_engine(MODEL_RACK, all, 2);
  CU_ASSERT_EQUAL(model_number(out, "get-from-vm"), all[0].delivered);
  CU_ASSERT_EQUAL(model_number(out, "put-to-vm"), all[1].delivered);
  CU_ASSERT_EQUAL(model_number(out, "suspend"), 5 * ms);
  CU_ASSERT_EQUAL(model_number(out, "put-from-vm"), 5 * ms);
  CU_ASSERT_EQUAL(model_number(out, "get-to-vm"), 5 * ms);
  free(out);
  free(program);
}
