/* Failures reach the program as SimGrid's own, at SimGrid's dates, and leave nothing behind. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

enum { MEGABYTE = 1000000 };
static const opp_simtime_t ms = OPP_MS;

static void check_lives(const char* options)
{
  char* out;
  char* program = model_program("lives");
  CU_ASSERT_EQUAL(model_shell(&out, "LD_PRELOAD=%s %s %s %s", MODEL_LIBRARY, program, MODEL_RACK, options), 0);
  CU_ASSERT_EQUAL(model_number(out, "timeout put"), ms);
  CU_ASSERT_EQUAL(model_number(out, "timeout get"), ms);
  CU_ASSERT_EQUAL(model_number(out, "paused"), 2 * ms);
  CU_ASSERT_EQUAL(model_number(out, "failure put"), 3 * ms);
  CU_ASSERT_EQUAL(model_number(out, "cancelled"), 4 * ms);
  CU_ASSERT_EQUAL(model_number(out, "killed"), 7 * ms);
  /* A suspended actor's message goes on; the actor itself does when it is resumed. */
  CU_ASSERT_EQUAL(model_number(out, "slept"), 8 * ms);
  CU_ASSERT_EQUAL(model_number(out, "joined"), 8 * ms);
  CU_ASSERT_EQUAL(model_number(out, "end"), 8 * ms);
  CU_ASSERT_EQUAL(model_number(out, "never"), -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 5 flows"));
  free(out);
  free(program);
}

#define HOST_ENERGY "--cfg=plugin:host_energy --log=host_energy.thres:error "
#define LINK_ENERGY "--cfg=plugin:link_energy "
#define HOST_LOAD "--cfg=plugin:host_load "
#define LINK_LOAD "--cfg=plugin:link_load "

SGF_SCENARIO(the_plugin_of_host_energy)
{
  check_lives(HOST_ENERGY);
}

SGF_SCENARIO(the_plugin_of_link_energy)
{
  check_lives(LINK_ENERGY);
}

SGF_SCENARIO(the_plugin_of_host_load)
{
  check_lives(HOST_LOAD);
}

SGF_SCENARIO(the_plugin_of_link_load)
{
  check_lives(LINK_LOAD);
}

SGF_SCENARIO(plugins_of_energy_and_load_at_once)
{
  check_lives(HOST_ENERGY LINK_ENERGY HOST_LOAD LINK_LOAD);
}

static const char profiled[] =
    "<?xml version=\"1.0\"?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n"
    "<zone id=\"net\" routing=\"Dijkstra\">\n"
    "<prop id=\"nic\" value=\"uet\"/>\n"
    "<host id=\"h0\" speed=\"1Gf\"/>\n"
    "<host id=\"h1\" speed=\"1Gf\" state_file=\"profile.txt\"/>\n"
    "<router id=\"tor\"/>\n"
    "<link id=\"c0\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<link id=\"c1\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<route src=\"h0\" dst=\"tor\"><link_ctn id=\"c0\" direction=\"UP\"/></route>\n"
    "<route src=\"h1\" dst=\"tor\"><link_ctn id=\"c1\" direction=\"UP\"/></route>\n"
    "</zone>\n"
    "</platform>\n";

/* Nothing but the profile lies ahead of the third message, about which SimGrid tells a network model nothing. */
SGF_SCENARIO(a_profile_turns_the_receivers_host_off)
{
  char* out;
  char* program  = model_program("off");
  char* platform = model_write(profiled, "profile.xml");
  char* profile  = model_write("0.00005 0\n", "profile.txt");
  char* folder   = model_folder();
  CU_ASSERT_EQUAL(model_shell(&out, "cd %s && LD_PRELOAD=%s %s profile.xml", folder, MODEL_LIBRARY, program), 0);
  CU_ASSERT_EQUAL(model_number(out, "second"), model_engine_chain(platform, "h0", "h1", false, MEGABYTE, 2));
  CU_ASSERT(model_engine_chain(platform, "h0", "h1", false, MEGABYTE, 3) > 50 * OPP_US);
  CU_ASSERT_EQUAL(model_number(out, "third"), -1);
  CU_ASSERT_EQUAL(model_number(out, "failure"), 50 * OPP_US);
  free(out);
  free(folder);
  free(profile);
  free(platform);
  free(program);
}

SGF_SCENARIO(time_outs_kills_suspensions_and_failures)
{
  check_lives("");
}
