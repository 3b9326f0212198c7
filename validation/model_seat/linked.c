/* Programs that link the library before SimGrid. A library that is preloaded cannot be one with the address sanitizer,
 * whose own library wants to be first; one that is linked can: in a build with the sanitizers these programs are of one
 * piece with it, and leave with another status after any error or leak, be it after failures, kills or an early end. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

#ifdef __SANITIZE_ADDRESS__
/* The sanitizer does not know the stacks that SimGrid makes for its actors otherwise (validation/sanitize.c). */
#define CONTEXTS " --cfg=contexts/factory:thread"
#else
#define CONTEXTS ""
#endif

enum { MEGABYTE = 1000000 };

/* The program must end with this status, and the fabric with so many flows. */
static char* run(const char* program, const char* arguments, int status, const char* flows)
{
  char* out;
  char last[64];
  snprintf(last, sizeof last, "\ncomplete: %s, lossless\n", flows);
  CU_ASSERT_EQUAL(model_shell(&out, "%s " MODEL_RACK " %s" CONTEXTS, program, arguments), status);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, last));
  if (strstr(out, last) == NULL)
    fputs(out, stderr);
  return out;
}

static opp_simtime_t arrival(size_t count)
{
  return model_engine_chain(MODEL_RACK, "gpu0", "gpu8", false, MEGABYTE, count);
}

SGF_SCENARIO(linked_mailboxes_in_c)
{
  char* program = model_program("mail_linked");
  char* out     = run(program, "gpu0 gpu8", 0, "7 flows");
  CU_ASSERT_EQUAL(model_number(out, "put2"), arrival(3));
  CU_ASSERT_EQUAL(model_number(out, "got2"), arrival(3));
  free(out);
  free(program);
}

SGF_SCENARIO(linked_error_codes_in_c)
{
  char arguments[32];
  snprintf(arguments, sizeof arguments, "%lld", (long long)arrival(1));
  char* program = model_program("errors_linked");
  char* out     = run(program, arguments, 0, "6 flows");
  CU_ASSERT_EQUAL(model_number(out, "ok put-in-time"), arrival(1));
  CU_ASSERT_EQUAL(model_number(out, "ok get-in-time-too"), arrival(1));
  CU_ASSERT_EQUAL(model_number(out, "failure put-target-off"), OPP_MS);
  free(out);
  free(program);
}

SGF_SCENARIO(linked_steps_in_c)
{
  char* program = model_program("steps_linked");
  char* out     = run(program, "1000000 50", 0, "3 flows");
  CU_ASSERT_EQUAL(model_number(out, "wrong"), 0);
  CU_ASSERT_EQUAL(model_number(out, "end"), arrival(3));
  free(out);
  free(program);
}

SGF_SCENARIO(linked_failures_in_cpp)
{
  char* program = model_program("failures_linked");
  char* out     = run(program, "", 0, "11 flows");
  CU_ASSERT_EQUAL(model_number(out, "failure get-source-off"), OPP_MS);
  CU_ASSERT_EQUAL(model_number(out, "timeout wait_for"), OPP_MS);
  CU_ASSERT_EQUAL(model_number(out, "cancel put-sender-cancels"), OPP_MS);
  free(out);
  free(program);
}

SGF_SCENARIO(linked_thousand_failures_in_cpp)
{
  char* program = model_program("leaks_linked");
  free(run(program, "1 1000 --log=root.thres:error", 0, "1,125 flows"));
  free(program);
}

/* Not a suspended one: SimGrid 3.32, where actors are threads, does not wake an actor that waited for a semaphore or a
 * message when its machine was suspended, and was served meanwhile; without the fabric as well. */
SGF_SCENARIO(linked_machines_in_cpp)
{
  char* program = model_program("machines_linked");
  char* out     = run(program, "destroy", 0, "2 flows");
  CU_ASSERT_EQUAL(model_number(out, "failure get-from-vm"), OPP_MS);
  free(out);
  out = run(program, "shutdown", 0, "2 flows");
  CU_ASSERT_EQUAL(model_number(out, "failure put-to-vm"), OPP_MS);
  free(out);
  free(program);
}

SGF_SCENARIO(linked_ends_in_cpp)
{
  char* program = model_program("ends_linked");
  char* out     = run(program, "detached", 0, "1 flow");
  CU_ASSERT_EQUAL(model_number(out, "end"), OPP_US);
  free(out);
  out = run(program, "exit", 3, "1 flow");
  CU_ASSERT_EQUAL(model_number(out, "leave"), OPP_US);
  free(out);
  out = run(program, "deadlock", 0, "1 flow");
  CU_ASSERT_EQUAL(model_number(out, "get"), arrival(1));
  free(out);
  free(program);
}
