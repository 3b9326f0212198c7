/* What `sgfabric exec` says when its program has ended: whether a simulation took the fabric, or several; and that
 * signals find the program. */
#include "harness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

enum { NOT_ATTACHED = 125, NO_PROGRAM = 127 };

/* Run a line of the shell in the scenario's folder, in which temporary files are those of a folder of their own that
 * must be empty afterwards. What it prints, to be freed; $exec is the command. */
static char* run(const char* line, int status)
{
  char* out;
  char* folder = model_folder();
  CU_ASSERT_EQUAL(
      model_shell(&out,
                  "cd %s && rm -rf temporary && mkdir temporary && export TMPDIR=$PWD/temporary && exec='%s exec'\n"
                  "( %s\n)\nstatus=$?\nrmdir temporary || echo LEFT BEHIND\nexit $status",
                  folder, MODEL_COMMAND, line),
      status);
  CU_ASSERT_PTR_NULL(strstr(out, "LEFT BEHIND"));
  free(folder);
  return out;
}

static void expect(const char* line, int status, const char* text)
{
  char* out        = run(line, status);
  const bool found = strstr(out, text) != NULL;
  CU_ASSERT(found);
  if (!found) {
    fprintf(stderr, "\n%s\nprinted:\n", line);
    fputs(out, stderr);
  }
  free(out);
}

/* How often a text stands in another one. */
static size_t count(const char* text, const char* part)
{
  size_t times = 0;
  for (const char* at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
    times++;
  return times;
}

/* ---- None -------------------------------------------------------------------------------------------------------- */

SGF_SCENARIO(a_program_without_libraries_is_told_of)
{
  free(model_link("alone", "alone"));
  expect("$exec -- ./alone", NOT_ATTACHED,
         "sgfabric: no simulation attached: libsgfabric-model.so was never loaded: ./alone");
  expect("$exec -- ./alone 3", 3, "no simulation attached: libsgfabric-model.so was never loaded");
  expect("$exec -- env -i ./alone", NOT_ATTACHED,
         "no simulation attached: env, and what it started, loaded no platform");
}

SGF_SCENARIO(a_program_without_simgrid_is_told_of)
{
  expect("$exec -- true", NOT_ATTACHED, "no simulation attached: true, and what it started, loaded no platform file");
  expect("$exec -- sh -c 'echo done; exit 7'", 7, "done\nsgfabric: no simulation attached: sh, and");
  expect("$exec -- /usr/bin/python3 -c 'print(1)'", NOT_ATTACHED, "1\nsgfabric: no simulation attached: ");
}

SGF_SCENARIO(a_simulation_that_never_begins_is_told_of)
{
  free(model_link("idle", "idle"));
  expect("$exec -- ./idle " MODEL_RACK, NOT_ATTACHED,
         "no simulation attached: ./idle loaded a platform file and ended before a simulation began\n");
}

/* Who has been refused knows why. */
SGF_SCENARIO(a_refusal_is_reason_enough)
{
  free(model_link("mail", "mail"));
  char* out = run("$exec --set '**.nic.NoSuch=1' -- ./mail " MODEL_RACK " gpu0 gpu8", 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "NoSuch"));
  CU_ASSERT_PTR_NULL(strstr(out, "no simulation attached"));
  free(out);
  out = run("$exec --set '**.nic.NoSuch=1' -- sh -c './mail " MODEL_RACK " gpu0 gpu8; true'", NOT_ATTACHED);
  CU_ASSERT_PTR_NULL(strstr(out, "no simulation attached"));
  free(out);
  out = run("$exec -- ./no-such-program", NO_PROGRAM);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "sgfabric: ./no-such-program: No such file"));
  CU_ASSERT_PTR_NULL(strstr(out, "no simulation attached"));
  free(out);
}

SGF_SCENARIO(notes_need_a_folder_for_temporary_files)
{
  expect("TMPDIR=/nowhere $exec -- true", 1, "sgfabric: /nowhere/");
}

/* ---- One and several --------------------------------------------------------------------------------------------- */

SGF_SCENARIO(a_simulation_is_noticed_wherever_it_is_started)
{
  free(model_link("mail", "mail"));
  static const char* const lines[] = {
      "$exec -- ./mail " MODEL_RACK " gpu0 gpu8",
      "$exec -- sh -c './mail " MODEL_RACK " gpu0 gpu8; true'",
      "$exec -- /usr/bin/python3 -c 'import os; os.execv(\"./mail\", [\"mail\", \"" MODEL_RACK
      "\", \"gpu0\", \"gpu8\"])'",
      "$exec -- /usr/bin/python3 -c 'import subprocess, sys\n"
      "sys.exit(subprocess.call([\"./mail\", \"" MODEL_RACK "\", \"gpu0\", \"gpu8\"]))'",
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char* out = run(lines[i], 0);
    CU_ASSERT_PTR_NULL(strstr(out, "sgfabric: "));
    CU_ASSERT_EQUAL(count(out, "\ncomplete: 7 flows, lossless\n"), 1);
    free(out);
  }
}

/* Each prints its tables; of a file they can only leave the last one's. */
SGF_SCENARIO(several_simulations_one_after_another)
{
  free(model_link("mail", "mail"));
  char* out = run("$exec -- sh -c './mail " MODEL_RACK " gpu0 gpu8; ./mail " MODEL_RACK " gpu1 gpu7'", 0);
  CU_ASSERT_EQUAL(count(out, "\ncomplete: 7 flows, lossless\n"), 2);
  CU_ASSERT_PTR_NULL(strstr(out, "sgfabric: "));
  free(out);
  out = run("$exec --json last.json -- sh -c './mail " MODEL_RACK " gpu0 gpu8; ./mail " MODEL_RACK " gpu1 gpu7'", 0);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(out, "sgfabric: warning: 2 simulations wrote last.json; it holds the last one's results\n"));
  free(out);
  expect("cat last.json", 0, "\"src\": \"gpu1\"");
}

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

SGF_SCENARIO(the_command_dies_as_its_program_does)
{
  expect("$exec -- sh -c 'kill -9 $$'", 128 + SIGKILL, "");
  expect("$exec -- sh -c 'kill -TERM $$'", 128 + SIGTERM, "no simulation attached");
}

/* The program says when it is ready; then the command is told to end. */
SGF_SCENARIO(signals_go_on_to_the_program)
{
  expect("rm -f ready; mkfifo ready\n"
         "$exec -- sh -c 'trap \"echo told; exit 9\" TERM; echo > ready; while :; do sleep 0.01; done' &\n"
         "read line < ready; rm ready; kill -TERM $!; wait $!",
         9, "told\n");
}

/* One that is dead may still have its number: not everywhere does somebody look after orphans. */
SGF_SCENARIO(a_command_that_is_killed_takes_its_program_along)
{
  free(run("rm -f id; mkfifo id\n"
           "$exec -- sh -c 'echo $$ > id; while :; do sleep 0.01; done' &\n"
           "read program < id; rm id; kill -KILL $!; wait $!\n"
           "rm temporary/*\n"
           "for i in 1 2 3 4 5 6 7 8 9 10; do grep -q '^State:.[RSD]' /proc/$program/status || exit 5; sleep 0.1; done",
           5));
}
