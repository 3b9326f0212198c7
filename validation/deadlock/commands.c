/* A deadlock that the shortest ways of an ordinary platform make, from the command line: a ring of five switches, each
 * host writing to the one two switches further (ring5.xml; spec/feedback-budget.md 9.1). */
#include "harness.h"
#include "runner/command_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING SGF_SOURCE_DIR "/validation/deadlock/ring5.xml"
#define RING_WRITES SGF_SOURCE_DIR "/validation/deadlock/ring5_d.xml"
#define RING_RECORDS SGF_BINARY_DIR "/deadlock_records"

static const char cycle[] =
    "s4 port 2 class 0 -> s0 port 1 class 0 -> s1 port 2 class 0 -> s2 port 2 class 0 -> s3 port "
    "2 class 0 -> s4 port 2 class 0";

SGF_SCENARIO(a_deadlock_ends_a_run_of_actors_with_its_name)
{
  char words[400];
  snprintf(words, sizeof words,
           "\nNOT COMPLETE: deadlock at 0.000004086523 s, paused queues wait for one another: %s\n", cycle);
  command_expect(ARGS("run", RING, RING_WRITES), 1, words);
  command_expect(ARGS("run", "--pace", "reference", RING, RING_WRITES), 1, words);
}

SGF_SCENARIO(a_deadlock_ends_a_matrix_with_its_name)
{
  char* matrix = text_write("Nodes 5\nConnections 5\n"
                            "0->2 id 1 start 0 size 4000000\n1->3 id 2 start 0 size 4000000\n"
                            "2->4 id 3 start 0 size 4000000\n3->0 id 4 start 0 size 4000000\n"
                            "4->1 id 5 start 0 size 4000000\n",
                            "ring5.cm");
  command_expect(ARGS("cm", matrix, RING), 1, cycle);
  free(matrix);
}

/* With a watchdog at one of the switches the run goes on to its end. What was dropped is not sent again by these NICs;
 * a write of theirs is complete when it has left. */
SGF_SCENARIO(a_watchdog_at_one_switch_lets_the_run_go_on)
{
  command_expect(ARGS("run", RING, RING_WRITES, "--set", "**.s2.switch.PfcWatchdog.Enable=true"), 0, "switch_watchdog");
}
