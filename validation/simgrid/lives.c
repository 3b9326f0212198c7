/* Actors that do other things beside waiting for the fabric: they start late, sleep, compute, join, talk through
 * SimGrid's mailboxes, are suspended, end early. */
#include "harness.h"

#include "study_support.h"

#include <simgrid/mailbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BYTES = 100000 };

static char* rack;
static sg_actor_t other; /* the actor that something is done to */

static study_result_t run(study_program_t program)
{
  study_result_t result = {0};
  rack                  = study_rack(4, (study_link_t){NULL, NULL}, "", "");
  CU_ASSERT(study_same(rack, program, &result));
  free(rack);
  return result;
}

static void write_once(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h1", BYTES, 0);
}

static void write_five(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  for (int i = 0; i < 5; i++)
    study_write("h1", BYTES, 0);
}

/* How long `write_once` takes alone. */
static void one_writer(void)
{
  study_actor("writer", "h0", write_once);
}

static opp_simtime_t alone(void)
{
  study_result_t result    = run(one_writer);
  const opp_simtime_t date = study_date(&result, "writer", "wrote");
  study_free(&result);
  return date;
}

/* ---- Sleeping and computing -------------------------------------------------------------------------------------- */

static void sleeper(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  for (int i = 0; i < 300; i++)
    study_sleep(99991); /* shorter than a packet on its way */
  study_note("slept");
}

/* 1 Gf: a flop takes 1 ns. */
static void computer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  for (int i = 0; i < 30; i++) {
    sg_actor_execute(1000.0 / 3);
    study_note("computed %d", i);
  }
  study_write("h0", BYTES, 0);
}

static void busy_hosts(void)
{
  study_actor("writer", "h0", write_five);
  study_actor("sleeper", "h0", sleeper);
  study_actor("computer0", "h0", computer); /* shares its host, and perhaps the fabric's actor's */
  study_actor("computer1", "h1", computer);
  study_actor("computer2", "h1", computer);
}

SGF_TEST(actors_that_sleep_and_compute_share_the_clock)
{
  study_result_t result = run(busy_hosts);
  CU_ASSERT_EQUAL(study_date(&result, "sleeper", "slept"), 300 * 99991);
  CU_ASSERT_EQUAL(study_date(&result, "computer1", "computed 29"), 20 * OPP_US); /* two share the host */
  study_free(&result);
}

/* Computations end between picoseconds, close to the fabric's events: SimGrid must not take two such dates for one. */
static void fine_computer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  for (int i = 1; i <= 400; i++) {
    sg_actor_execute(20.0 + i / 7919.0);
    study_note("at %d", i);
  }
}

static void fine_times(void)
{
  study_actor("writer", "h0", write_once);
  study_actor("computer", "h3", fine_computer);
}

SGF_TEST(dates_between_picoseconds_stay_apart_from_the_events_of_the_fabric)
{
  study_result_t result = run(fine_times);
  CU_ASSERT(study_date(&result, "computer", "at 400") > 8 * OPP_US);
  study_free(&result);
}

enum { DATES = 200 };

/* Wakes at many dates; `other_sleeper` wakes 1 ps after each of them. */
static void wake_often(opp_simtime_t after)
{
  for (int i = 1; i <= DATES; i++) {
    const opp_simtime_t date = i * 10007 * OPP_NS / 7 + after;
    study_sleep_until(date);
    if (study_now() == date)
      study_note("on time %d", i);
  }
}

static void one_sleeper(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  wake_often(0);
}

static void other_sleeper(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  wake_often(1);
}

static void neighbours(void)
{
  study_actor("one", "h1", one_sleeper);
  study_actor("other", "h2", other_sleeper);
  study_actor("writer", "h0", write_once);
}

SGF_TEST(dates_one_picosecond_apart_stay_apart)
{
  study_result_t result = run(neighbours);
  for (int i = 1; i <= DATES; i++) {
    char text[32];
    snprintf(text, sizeof text, "on time %d", i);
    CU_ASSERT(study_date(&result, "one", text) > 0);
    CU_ASSERT_EQUAL(study_date(&result, "other", text), study_date(&result, "one", text) + 1);
  }
  study_free(&result);
}

/* ---- Starting late ----------------------------------------------------------------------------------------------- */

/* Dates from the deployment file: SimGrid's actors-to-be are invisible until then. */
static void deployed(void)
{
  char path[256];
  snprintf(path, sizeof path, SGF_BINARY_DIR "/study-%ld_d.xml", (long)getpid());
  FILE* file = fopen(path, "w");
  fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
        "version=\"4.1\">\n"
        "<actor host=\"h0\" function=\"early\"/>\n"
        "<actor host=\"h2\" function=\"late\" start_time=\"1e-6\"/>\n"
        "<actor host=\"h3\" function=\"later\" start_time=\"1e-3\"/>\n"
        "<actor host=\"h2\" function=\"cut\" start_time=\"2e-3\" kill_time=\"2.001e-3\"/>\n"
        "</platform>\n",
        file);
  fclose(file);
  simgrid_register_function("early", write_once);
  simgrid_register_function("late", write_once);
  simgrid_register_function("later", write_once);
  simgrid_register_function("cut", write_once);
  simgrid_load_deployment(path);
  unlink(path);
}

SGF_TEST(actors_may_start_after_the_first_completions)
{
  const opp_simtime_t time = alone();
  study_result_t result    = run(deployed);
  CU_ASSERT(time > OPP_US);
  CU_ASSERT(study_date(&result, "early", "wrote") > time); /* it shares the receiver's link with `late` */
  CU_ASSERT_EQUAL(study_date(&result, "later", "wrote"), OPP_MS + time);
  CU_ASSERT_EQUAL(study_date(&result, "cut", "wrote"), -1);
  CU_ASSERT(study_has(&result, "flow h2 h1 100000 2000000000 "));
  CU_ASSERT(study_has(&result, "end success"));
  study_free(&result);
}

/* ---- Suspended, joined, restarted -------------------------------------------------------------------------------- */

static void suspender(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(2 * OPP_US);
  sg_actor_suspend(other);
  study_sleep(30 * OPP_US);
  sg_actor_resume(other);
  study_note("resumed");
}

static void suspended(void)
{
  other = study_actor("writer", "h0", write_five);
  study_actor("suspender", "h3", suspender);
}

SGF_TEST(an_actor_that_is_suspended_while_it_waits_goes_on_when_resumed)
{
  const opp_simtime_t time = alone();
  study_result_t result    = run(suspended);
  CU_ASSERT_EQUAL(study_date(&result, "suspender", "resumed"), 32 * OPP_US);
  CU_ASSERT_EQUAL(study_date(&result, "writer", "wrote"), 32 * OPP_US);
  char flow[64];
  snprintf(flow, sizeof flow, "flow h0 h1 %d 0 %lld\n", BYTES, (long long)time);
  CU_ASSERT(study_has(&result, flow)); /* the NIC did not wait */
  study_free(&result);
}

static void joiner(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_actor_join(other, -1.0);
  study_note("joined");
}

static void impatient_joiner(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_actor_join(other, 1e-6);
  study_note("waited for long enough");
}

static void joined(void)
{
  other = study_actor("writer", "h0", write_once);
  study_actor("joiner", "h3", joiner);
  study_actor("impatient", "h3", impatient_joiner);
}

SGF_TEST(an_actor_joins_one_that_waits_for_the_fabric)
{
  const opp_simtime_t time = alone();
  study_result_t result    = run(joined);
  CU_ASSERT_EQUAL(study_date(&result, "joiner", "joined"), time);
  CU_ASSERT_EQUAL(study_date(&result, "impatient", "waited"), OPP_US);
  study_free(&result);
}

/* ---- Daemons and mailboxes --------------------------------------------------------------------------------------- */

static void daemon_writer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_actor_daemonize(sg_actor_self());
  for (;;)
    study_write("h1", BYTES, 0);
}

static void with_daemons(void)
{
  study_actor("daemon", "h2", daemon_writer);
  study_actor("writer", "h0", write_five);
}

SGF_TEST(daemons_end_with_the_last_actor)
{
  study_result_t result = run(with_daemons);
  CU_ASSERT(study_date(&result, "daemon", "wrote") > 0);
  CU_ASSERT(study_has(&result, "end success"));
  study_free(&result);
}

static void teller(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  static int number = 1;
  study_write("h3", BYTES, 5);
  sg_mailbox_put(sg_mailbox_by_name("box"), &number, 3e6);
  study_note("told");
}

static void listener(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  const int* number = sg_mailbox_get(sg_mailbox_by_name("box"));
  study_note("heard %d", *number);
  study_recv(5);
  study_write("h0", BYTES, 0);
}

static void mailboxes(void)
{
  study_actor("teller", "h2", teller);
  study_actor("listener", "h3", listener);
  study_actor("writer", "h0", write_five);
}

SGF_TEST(traffic_of_simgrids_own_runs_beside_the_fabrics)
{
  study_result_t result = run(mailboxes);
  CU_ASSERT(study_date(&result, "listener", "heard 1") > 0);
  CU_ASSERT_EQUAL(study_date(&result, "listener", "received 100000 B from h2"),
                  study_date(&result, "listener", "heard 1"));
  study_free(&result);
}

/* ---- simgrid_run_until ------------------------------------------------------------------------------------------- */

static sgf_op_t* watched;

static void owner(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  watched = study_write_async("h1", BYTES, 0);
  study_wait(watched);
  write_five(argc, argv);
}

static void in_steps(void)
{
  study_actor("writer", "h0", owner);
  for (int step = 1; step <= 40; step++) {
    simgrid_run_until(step * 3.3337e-7);
    if (watched != NULL)
      study_note("step %d: %s", step, sgf_op_test(watched) ? "done" : "not done");
  }
  study_actor("late", "h2", write_once); /* from the main program, in mid-run */
  simgrid_run();
  sgf_op_unref(watched);
}

SGF_TEST(the_simulation_may_be_run_in_steps)
{
  const opp_simtime_t time = alone();
  study_result_t result    = run(in_steps);
  CU_ASSERT_EQUAL(study_date(&result, "writer", "waited: success"), time);
  CU_ASSERT(study_has(&result, "step 1: not done"));
  CU_ASSERT(study_has(&result, "step 40: done"));
  CU_ASSERT(study_date(&result, "late", "wrote") > 0);
  study_free(&result);
}
