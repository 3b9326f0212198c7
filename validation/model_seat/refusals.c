/* Where the seat cannot be taken, one line says why, and nothing is simulated otherwise than was asked for. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

/* Run mail, or one linked otherwise, so; it must end with status 1 and this text, and never get to its end. */
static void refuse(const char* name, const char* environment, const char* options, const char* text)
{
  char* out;
  char* program = model_program(name);
  CU_ASSERT_EQUAL(model_shell(&out, "%s %s %s gpu0 gpu8 %s", environment, program, MODEL_RACK, options), 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, text));
  CU_ASSERT_EQUAL(model_number(out, "end0"), -1);
  free(out);
  free(program);
}

#define PRELOAD "LD_PRELOAD=" MODEL_LIBRARY

SGF_SCENARIO(a_library_that_is_linked_last_is_refused)
{
  refuse("mail_linked_last", "", "", "sgfabric: libsgfabric-model.so comes after libsimgrid");
}

SGF_SCENARIO(network_models_that_cannot_be_replaced_are_refused)
{
  refuse("mail", PRELOAD, "--cfg=network/model:IB", "NetworkIBModelE cannot be replaced");
  refuse("mail", PRELOAD, "--cfg=host/model:ptask_L07", "NetworkL07ModelE cannot be replaced");
}

SGF_SCENARIO(settings_that_break_actions_are_refused)
{
  refuse("mail", PRELOAD, "--cfg=network/latency-factor:0", "latency-factor must not be 0");
  refuse("mail", PRELOAD, "--cfg=network/optim:Full", "only Lazy can");
}

SGF_SCENARIO(wrong_assignments_are_refused)
{
  refuse("mail", PRELOAD " SGFABRIC_SET='**.nic.NoSuch=1'", "", "NoSuch");
  refuse("mail", PRELOAD " SGFABRIC_SET=\"$(printf '7\\tstudy.ini\\t**.pcie=\"gen9 x7\"')\"", "", "study.ini:7: ");
  refuse("mail", PRELOAD " SGFABRIC_SEED=one", "", "SGFABRIC_SEED");
}

SGF_SCENARIO(processes_without_simgrid_are_left_alone)
{
  char* out;
  CU_ASSERT_EQUAL(model_shell(&out, PRELOAD " echo hello"), 0);
  CU_ASSERT_STRING_EQUAL(out, "hello\n");
  free(out);
}
