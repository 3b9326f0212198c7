/* Hosts that fail, also the one on which the fabric's own actor lives: the fabric goes on. */
#include "harness.h"

#include "study_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "simgrid/seat.h"

enum { BYTES = 100000, HOSTS = 7 };

static study_result_t run(study_program_t program)
{
  char* rack            = study_rack(HOSTS, (study_link_t){NULL, NULL}, "", "");
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, program, &result));
  free(rack);
  return result;
}

/* The fabric's actor and its guard live on the first hosts by name, the operator on the last; these are in between. */
static sg_host_t writers_host(void)
{
  return sg_host_by_name("h5");
}

static sg_host_t readers_host(void)
{
  return sg_host_by_name("h4");
}

/* ---- Actors ------------------------------------------------------------------------------------------------------ */

static void write_five(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  for (int i = 0; i < 5; i++)
    study_write(argv[0], BYTES, 0);
}

static void start_writer(const char* name, sg_host_t from, sg_host_t to)
{
  const char* dst[] = {sg_host_get_name(to)};
  sg_actor_create_(name, from, write_five, 1, dst);
}

static void turn_off(sg_host_t host)
{
  sg_host_turn_off(host);
  study_note("turned off");
}

/* The seat is there from the first call on; then find out where its two actors are. */
static void settle(void)
{
  sgf_rdma_write(sg_host_self(), 0, 0);
}

static void turn_off_home(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  settle();
  start_writer("writer", writers_host(), readers_host());
  study_sleep(4 * OPP_US);
  turn_off(sg_actor_get_host(seat.actor));
}

static void home_fails(void)
{
  study_actor("operator", "h6", turn_off_home);
}

/* ---- One after the other ----------------------------------------------------------------------------------------- */

static unsigned lines_with(const study_result_t* result, const char* text)
{
  unsigned count = 0;
  for (const char* at = result->record; (at = strstr(at, text)) != NULL; at++)
    count++;
  return count;
}

SGF_TEST(the_fabric_outlives_the_host_of_its_actor)
{
  study_result_t result = run(home_fails);
  CU_ASSERT_EQUAL(lines_with(&result, "writer: "), 5);
  CU_ASSERT(study_has(&result, "end success"));
  study_free(&result);
}

static void turn_off_one_after_the_other(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  settle();
  start_writer("writer", writers_host(), readers_host());
  for (int i = 0; i < 3; i++) {
    study_sleep(3 * OPP_US);
    turn_off(sg_actor_get_host(seat.actor));
  }
  study_sleep(OPP_US);
  study_note("%s", seat.actor != NULL && seat.guard != NULL ? "both run" : "one is missing");
}

static void homes_fail(void)
{
  study_actor("operator", "h6", turn_off_one_after_the_other);
}

SGF_TEST(the_fabrics_actor_moves_from_host_to_host)
{
  study_result_t result = run(homes_fail);
  CU_ASSERT_EQUAL(lines_with(&result, "writer: "), 5);
  CU_ASSERT_EQUAL(lines_with(&result, "turned off"), 3);
  CU_ASSERT(study_has(&result, "both run"));
  CU_ASSERT(study_has(&result, "end success"));
  study_free(&result);
}

/* ---- The guard, and both at once --------------------------------------------------------------------------------- */

static bool home_first;

static void turn_off_both(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  settle();
  const sg_host_t home = sg_actor_get_host(seat.actor), guarded = sg_actor_get_host(seat.guard);
  start_writer("writer", writers_host(), readers_host());
  study_sleep(4 * OPP_US);
  turn_off(home_first ? home : guarded);
  turn_off(home_first ? guarded : home);
  settle(); /* a call finds the fabric's actor missing */
}

static void both_fail(void)
{
  study_actor("operator", "h6", turn_off_both);
}

SGF_TEST(a_call_starts_the_fabrics_actor_when_its_guard_is_lost_too)
{
  for (int i = 0; i < 2; i++) {
    home_first            = i == 0;
    study_result_t result = run(both_fail);
    CU_ASSERT_EQUAL(lines_with(&result, "writer: "), 5);
    CU_ASSERT_EQUAL(lines_with(&result, "turned off"), 2);
    study_free(&result);
  }
}

/* ---- Calls at that instant --------------------------------------------------------------------------------------- */

static void turn_off_in_between(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  settle();
  start_writer("writer0", writers_host(), readers_host());
  study_sleep(4 * OPP_US);
  start_writer("writer1", writers_host(), readers_host()); /* both call while the fabric's actor is away */
  sg_host_turn_off(sg_actor_get_host(seat.actor));
  start_writer("writer2", writers_host(), readers_host());
  study_note("done");
}

static void calls_in_between(void)
{
  study_actor("operator", "h6", turn_off_in_between);
}

SGF_TEST(calls_made_while_the_fabrics_actor_is_replaced_are_kept)
{
  study_result_t result = run(calls_in_between);
  CU_ASSERT_EQUAL(lines_with(&result, "writer0: "), 5);
  CU_ASSERT_EQUAL(lines_with(&result, "writer1: "), 5);
  CU_ASSERT_EQUAL(lines_with(&result, "writer2: "), 5);
  study_free(&result);
}

/* ---- Waiters on a host that fails -------------------------------------------------------------------------------- */

static void turn_off_writer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  settle();
  const sg_host_t host = writers_host();
  start_writer("lost", host, readers_host());
  start_writer("writer", readers_host(), host);
  study_sleep(4 * OPP_US);
  turn_off(host);
}

static void writer_fails(void)
{
  study_actor("operator", "h6", turn_off_writer);
}

SGF_TEST(an_actor_that_dies_with_its_host_leaves_its_write_to_the_nic)
{
  study_result_t result = run(writer_fails);
  CU_ASSERT_EQUAL(lines_with(&result, "writer: "), 5);
  CU_ASSERT_EQUAL(lines_with(&result, "lost: "), 1); /* it was in its second write */
  CU_ASSERT(study_has(&result, "end success"));
  study_free(&result);
}

/* ---- State profiles ---------------------------------------------------------------------------------------------- */

static void writers(void)
{
  static const char* const dst[] = {"h2", "h1"};
  sg_actor_create_("writer1", sg_host_by_name("h1"), write_five, 1, &dst[0]);
  sg_actor_create_("writer2", sg_host_by_name("h2"), write_five, 1, &dst[1]);
  sg_actor_set_auto_restart(sg_actor_create_("again", sg_host_by_name("h0"), write_five, 1, &dst[0]), 1);
}

/* A rack whose host h0 goes off and on again by its profile. */
static char* rack_with_profile(const char* profile)
{
  char* rack        = study_rack(HOSTS, (study_link_t){NULL, NULL}, "", "");
  const char* at    = strstr(rack, "<host id=\"h0\"") + strlen("<host id=\"h0\"");
  const size_t size = strlen(rack) + strlen(profile) + 32;
  char* text        = malloc(size);
  snprintf(text, size, "%.*s state_file=\"%s\"%s", (int)(at - rack), rack, profile, at);
  free(rack);
  return text;
}

SGF_TEST(a_host_that_fails_by_its_profile_restarts_its_actors)
{
  char profile[64], path[512];
  snprintf(profile, sizeof profile, "study-%ld.state", (long)getpid());
  snprintf(path, sizeof path, SGF_BINARY_DIR "/%s", profile);
  FILE* file = fopen(path, "w");
  fputs("8e-6 0\n15e-6 1\n", file);
  fclose(file);
  char* rack            = rack_with_profile(profile); /* SimGrid looks beside the platform file */
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, writers, &result));
  unlink(path);
  CU_ASSERT_EQUAL(lines_with(&result, "writer1: "), 5);
  CU_ASSERT_EQUAL(lines_with(&result, "writer2: "), 5);
  CU_ASSERT(lines_with(&result, "again: ") > 5); /* one write before the failure, and all again after it */
  CU_ASSERT(study_date(&result, "again", "wrote") < 8 * OPP_US);
  CU_ASSERT(study_has(&result, "end success"));
  free(rack);
  study_free(&result);
}
