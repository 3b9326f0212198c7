/* Profiles of hosts, runs in steps, actors that are suspended: SimGrid's time and the fabric's go together. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

enum { MEGABYTE = 1000000 };
static const opp_simtime_t us = OPP_US;

static opp_simtime_t arrival(size_t count)
{
  return model_engine_chain(MODEL_RACK, "gpu0", "gpu3", false, MEGABYTE, count);
}

/* ---- Profiles ---------------------------------------------------------------------------------------------------- */

static const char profiled[] =
    "<?xml version=\"1.0\"?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n"
    "<zone id=\"net\" routing=\"Dijkstra\">\n"
    "<prop id=\"nic\" value=\"uet\"/>\n"
    "<host id=\"h0\" speed=\"1Gf\" speed_file=\"speed.txt\"/>\n"
    "<host id=\"h1\" speed=\"1Gf\" state_file=\"state.txt\"/>\n"
    "<router id=\"tor\"/>\n"
    "<link id=\"c0\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<link id=\"c1\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<route src=\"h0\" dst=\"tor\"><link_ctn id=\"c0\" direction=\"UP\"/></route>\n"
    "<route src=\"h1\" dst=\"tor\"><link_ctn id=\"c1\" direction=\"UP\"/></route>\n"
    "</zone>\n"
    "</platform>\n";

/* h1 is off from 50 to 100 us, and h0 has half of its speed from 200 us on: of 100,000 flops from 180 us on it does
 * 20,000 until then and the others in 160 us. */
static void check_profiles(const char* what)
{
  char* program  = model_program("profiles");
  char* platform = model_write(profiled, "profiled.xml");
  char* speed    = model_write("0.0002 0.5\n", "speed.txt");
  char* state    = model_write("0.00005 0\n0.0001 1\n", "state.txt");
  char arguments[512];
  snprintf(arguments, sizeof arguments, "%s %s", platform, what);
  char* out             = model_over(program, arguments, 0);
  model_message_t all[] = {
      {"h0", "h1", MEGABYTE, 0, 0},
      {"h0", "h1", MEGABYTE, model_number(out, "first"), 0},
      {"h0", "h1", MEGABYTE, model_number(out, "second"), 0},
      {"h0", "h1", MEGABYTE, 150 * us, 0},
      {"h0", "h1", MEGABYTE, 360 * us, 0},
  };
  model_engine(platform, all, sizeof all / sizeof *all);
  CU_ASSERT(all[2].delivered > 50 * us);
  CU_ASSERT_EQUAL(model_number(out, "first"), all[0].delivered);
  CU_ASSERT_EQUAL(model_number(out, "second"), all[1].delivered);
  CU_ASSERT_EQUAL(model_number(out, "failure third"), 50 * us);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nstarted 100000000\n"));
  CU_ASSERT_EQUAL(model_number(out, "fourth"), all[3].delivered);
  CU_ASSERT_EQUAL(model_number(out, "executed"), 360 * us);
  CU_ASSERT_EQUAL(model_number(out, "fifth"), all[4].delivered);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 5 flows, lossless\n"));
  free(out);
  free(state);
  free(speed);
  free(platform);
  free(program);
}

SGF_SCENARIO(profiles_of_state_and_speed)
{
  check_profiles("");
}

SGF_SCENARIO(links_that_a_program_turns_off_or_slows_down_are_not_the_fabrics)
{
  check_profiles("links");
}

/* The profile turns h1 off in the picosecond in which its first message arrives, or one earlier. */
static char* run_off(const char* program, opp_simtime_t date)
{
  char text[64];
  snprintf(text, sizeof text, "0.%012lld 0\n", (long long)date);
  char* platform = model_write(profiled, "off.xml");
  char* speed    = model_write("1 1\n", "speed.txt");
  char* state    = model_write(text, "state.txt");
  char* out      = model_over(program, platform, 0);
  free(state);
  free(speed);
  free(platform);
  return out;
}

SGF_SCENARIO(a_completion_beats_a_profile_of_the_same_picosecond)
{
  char* program            = model_program("off");
  const opp_simtime_t date = arrival(1);
  char* before             = run_off(program, date - 1);
  CU_ASSERT_EQUAL(model_number(before, "first"), -1);
  CU_ASSERT_EQUAL(model_number(before, "failure"), date - 1);
  char* at = run_off(program, date);
  CU_ASSERT_EQUAL(model_number(at, "first"), date);
  CU_ASSERT_EQUAL(model_number(at, "second"), -1);
  CU_ASSERT_EQUAL(model_number(at, "failure"), date);
  free(at);
  free(before);
  free(program);
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* Three messages; the run stops at every step, exactly there, and in the end at `end`. */
static void check_steps(const char* program, opp_simtime_t step, int count, opp_simtime_t end)
{
  char arguments[256];
  snprintf(arguments, sizeof arguments, MODEL_RACK " %lld %d", (long long)step, count);
  char* out = model_over(program, arguments, 0);
  for (int i = 0; i < 3; i++) {
    char word[16];
    snprintf(word, sizeof word, "put%d", i);
    CU_ASSERT_EQUAL(model_number(out, word), arrival((size_t)i + 1));
    snprintf(word, sizeof word, "got%d", i);
    CU_ASSERT_EQUAL(model_number(out, word), arrival((size_t)i + 1));
  }
  CU_ASSERT_EQUAL(model_number(out, "wrong"), 0);
  CU_ASSERT_EQUAL(model_number(out, "stopped"), step * count);
  CU_ASSERT_EQUAL(model_number(out, "end"), end);
  free(out);
}

SGF_SCENARIO(runs_in_steps_change_no_date)
{
  char* program           = model_program("steps");
  const opp_simtime_t end = arrival(3);
  check_steps(program, us, 50, end);        /* the last step comes before the last arrival */
  check_steps(program, us, 70, 70 * us);    /* and after it */
  check_steps(program, 1, 1000, end);       /* picoseconds */
  check_steps(program, arrival(1), 3, end); /* at each arrival: the steps are equally long */
  check_steps(program, arrival(1) - 1, 2, end);
  CU_ASSERT_EQUAL(3 * arrival(1), end);
  free(program);
}

/* ---- Suspensions ------------------------------------------------------------------------------------------------- */

/* SimGrid's own network would hold the message of an actor that is suspended; a NIC does not know of actors. */
SGF_SCENARIO(senders_and_receivers_that_are_suspended)
{
  char* program            = model_program("suspensions");
  char* out                = model_over(program, MODEL_RACK, 0);
  const opp_simtime_t date = arrival(1);
  CU_ASSERT_EQUAL(model_number(out, "get-sender"), date);
  CU_ASSERT_EQUAL(model_number(out, "put-sender"), 100 * us);
  CU_ASSERT_EQUAL(model_number(out, "put-receiver"), date);
  CU_ASSERT_EQUAL(model_number(out, "get-receiver"), 100 * us);
  CU_ASSERT_EQUAL(model_number(out, "put-both"), date);
  CU_ASSERT_EQUAL(model_number(out, "get-both"), 100 * us);
  model_message_t late = {"gpu7", "gpu8", MEGABYTE, 100 * us, 0};
  model_engine(MODEL_RACK, &late, 1);
  CU_ASSERT_EQUAL(model_number(out, "put-before"), late.delivered);
  CU_ASSERT_EQUAL(model_number(out, "get-before"), late.delivered);
  CU_ASSERT_EQUAL(model_number(out, "end"), late.delivered);
  free(out);
  free(program);
}
