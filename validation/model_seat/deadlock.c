/* A deadlock of paused queues ends a program that knows nothing of it (spec/feedback-budget.md 9.1). The platform is
 * the ring of validation/deadlock. */
#include "harness.h"
#include "model_seat_support.h"

#include <stdlib.h>
#include <string.h>

#define RING SGF_SOURCE_DIR "/validation/deadlock/ring5.xml"

SGF_SCENARIO(a_deadlock_of_paused_queues_ends_the_program)
{
  char* program = model_program("ring");
  char* out     = model_over(program, RING, EXIT_FAILURE);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "sgfabric: deadlock at 0.0000"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, " s, paused queues wait for one another: s"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "s0 port 1 class 0 -> s1 port 2 class 0 -> s2 port 2 class 0"));
  CU_ASSERT_PTR_NULL(strstr(out, "\nend\n"));
  free(out);
  free(program);
}

SGF_SCENARIO(a_command_that_runs_such_a_program_says_so_too)
{
  char* program = model_program("ring");
  char* out;
  CU_ASSERT_NOT_EQUAL(model_shell(&out, MODEL_COMMAND " exec -- %s " RING, program), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "deadlock at 0.0000"));
  free(out);
  free(program);
}
