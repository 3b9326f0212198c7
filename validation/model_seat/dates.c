/* Unmodified programs in C, C++ and Python see the dates of the engine alone, to the picosecond. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

enum { MEGABYTE = 1000000 };

/* What mail prints, with its sender on gpu0 and its receiver on gpu8. */
static void check_mail(const char* out)
{
  const opp_simtime_t third = model_engine_chain(MODEL_RACK, "gpu0", "gpu8", false, MEGABYTE, 3);
  CU_ASSERT_EQUAL(model_number(out, "put0"), model_engine_chain(MODEL_RACK, "gpu0", "gpu8", false, MEGABYTE, 1));
  CU_ASSERT_EQUAL(model_number(out, "got0"), model_number(out, "put0"));
  CU_ASSERT_EQUAL(model_number(out, "put2"), third);
  CU_ASSERT_EQUAL(model_number(out, "got2"), third);
  model_message_t all[] = {
      {"gpu0", "gpu8", MEGABYTE, 0, 0},
      {"gpu0", "gpu8", MEGABYTE, model_number(out, "put0"), 0},
      {"gpu0", "gpu8", MEGABYTE, model_number(out, "put1"), 0},
      {"gpu0", "gpu8", 400000, third, 0},
      {"gpu0", "gpu8", 300000, third, 0},
      {"gpu0", "gpu8", 200000, third, 0},
      {"gpu0", "gpu8", 100000, third, 0},
  };
  model_engine(MODEL_RACK, all, sizeof all / sizeof *all);
  CU_ASSERT_EQUAL(all[2].delivered, third);
  opp_simtime_t last = 0;
  for (size_t i = 0; i < 4; i++) {
    char word[8];
    snprintf(word, sizeof word, "any%zu", i);
    CU_ASSERT_EQUAL(model_number(out, word), all[3 + i].delivered);
    last = all[3 + i].delivered > last ? all[3 + i].delivered : last;
  }
  CU_ASSERT_EQUAL(model_number(out, "end0"), last);
}

SGF_SCENARIO(mailboxes_in_c_by_preload)
{
  char* out;
  char* program = model_program("mail");
  CU_ASSERT_EQUAL(model_shell(&out, "LD_PRELOAD=%s %s %s gpu0 gpu8", MODEL_LIBRARY, program, MODEL_RACK), 0);
  check_mail(out);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 7 flows, lossless\n"));
  free(out);
  free(program);
}

SGF_SCENARIO(mailboxes_in_c_linked_before_simgrid)
{
  char* out;
  char* program = model_program("mail_linked");
  CU_ASSERT_EQUAL(model_shell(&out, "%s %s gpu0 gpu8", program, MODEL_RACK), 0);
  check_mail(out);
  free(out);
  free(program);
}

/* What the other scenarios see comes from the library, and from nothing else. */
SGF_SCENARIO(without_the_library_the_dates_are_simgrids)
{
  char* out;
  char* program = model_program("mail");
  CU_ASSERT_EQUAL(model_shell(&out, "%s %s gpu0 gpu8", program, MODEL_RACK), 0);
  CU_ASSERT(model_number(out, "put0") > 0);
  CU_ASSERT_NOT_EQUAL(model_number(out, "put0"), model_engine_chain(MODEL_RACK, "gpu0", "gpu8", false, MEGABYTE, 1));
  free(out);
  free(program);
}

SGF_SCENARIO(messages_between_any_hosts_in_cpp)
{
  char* out;
  char* program = model_program("sendto");
  CU_ASSERT_EQUAL(model_shell(&out, "LD_PRELOAD=%s %s %s", MODEL_LIBRARY, program, MODEL_RACK), 0);
  model_message_t both[] = {{"gpu1", "gpu4", MEGABYTE, 0, 0}, {"gpu2", "gpu4", 2 * MEGABYTE, 0, 0}};
  model_engine(MODEL_RACK, both, 2);
  CU_ASSERT(both[0].delivered < both[1].delivered);
  CU_ASSERT_EQUAL(model_number(out, "both"), both[1].delivered);
  model_message_t all[] = {
      both[0],
      both[1],
      {"gpu5", "gpu5", MEGABYTE, both[1].delivered, 0},
      {"gpu5", "gpu6", 0, model_number(out, "loop"), 0},
      {"gpu0", "gpu7", 3 * MEGABYTE, model_number(out, "zero"), 0},
  };
  model_engine(MODEL_RACK, all, sizeof all / sizeof *all);
  CU_ASSERT_EQUAL(model_number(out, "loop"), all[2].delivered);
  CU_ASSERT_EQUAL(model_number(out, "zero"), all[3].delivered);
  CU_ASSERT_EQUAL(model_number(out, "put"), all[4].delivered);
  CU_ASSERT_EQUAL(model_number(out, "got"), all[4].delivered);
  free(out);
  free(program);
}

SGF_SCENARIO(a_python_actor)
{
  char* out;
  if (model_shell(&out, "/usr/bin/python3 -c 'import simgrid'") != 0) {
    CU_PASS("python3-simgrid is not installed");
    free(out);
    return;
  }
  free(out);
  CU_ASSERT_EQUAL(model_shell(&out, "%s exec -- /usr/bin/python3 %s/validation/model_seat/programs/mail.py %s",
                              MODEL_COMMAND, SGF_SOURCE_DIR, MODEL_RACK),
                  0);
  const opp_simtime_t delivered = model_engine_chain(MODEL_RACK, "gpu0", "gpu8", false, MEGABYTE, 1);
  CU_ASSERT_EQUAL(model_number(out, "put"), delivered);
  CU_ASSERT_EQUAL(model_number(out, "got"), delivered);
  free(out);
}

/* A host with a NIC and two without: what the two exchange is SimGrid's business, at the same time. */
static const char mixed[] = "<?xml version=\"1.0\"?>\n"
                            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                            "<platform version=\"4.1\">\n"
                            "<zone id=\"net\" routing=\"Dijkstra\">\n"
                            "<host id=\"h0\" speed=\"1Gf\"><prop id=\"nic\" value=\"uet\"/></host>\n"
                            "<host id=\"h1\" speed=\"1Gf\"><prop id=\"nic\" value=\"uet\"/></host>\n"
                            "<host id=\"bare0\" speed=\"1Gf\"/>\n"
                            "<host id=\"bare1\" speed=\"1Gf\"/>\n"
                            "<router id=\"tor\"/>\n"
                            "<link id=\"c0\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                            "<link id=\"c1\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                            "<link id=\"s0\" bandwidth=\"1Gbps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                            "<link id=\"s1\" bandwidth=\"1Gbps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                            "<route src=\"h0\" dst=\"tor\"><link_ctn id=\"c0\" direction=\"UP\"/></route>\n"
                            "<route src=\"h1\" dst=\"tor\"><link_ctn id=\"c1\" direction=\"UP\"/></route>\n"
                            "<route src=\"bare0\" dst=\"tor\"><link_ctn id=\"s0\" direction=\"UP\"/></route>\n"
                            "<route src=\"bare1\" dst=\"tor\"><link_ctn id=\"s1\" direction=\"UP\"/></route>\n"
                            "</zone>\n"
                            "</platform>\n";

SGF_SCENARIO(hosts_without_a_nic_keep_simgrids_model)
{
  char* out;
  char* over;
  char* program    = model_program("mail");
  char* platform   = model_write(mixed, "mixed.xml");
  const char own[] = "--cfg=surf/precision:1e-15";
  CU_ASSERT_EQUAL(model_shell(&out, "%s %s bare0 bare1 %s", program, platform, own), 0);
  CU_ASSERT_EQUAL(model_shell(&over, "LD_PRELOAD=%s %s %s bare0 bare1 %s", MODEL_LIBRARY, program, platform, own), 0);
  CU_ASSERT(model_number(out, "end0") > 0);
  CU_ASSERT_EQUAL(model_number(out, "got2"), model_number(over, "got2"));
  CU_ASSERT_EQUAL(model_number(out, "any3"), model_number(over, "any3"));
  CU_ASSERT_EQUAL(model_number(out, "end0"), model_number(over, "end0"));
  free(over);
  free(out);
  CU_ASSERT_EQUAL(model_shell(&out, "LD_PRELOAD=%s %s %s h0 h1", MODEL_LIBRARY, program, platform), 0);
  CU_ASSERT_EQUAL(model_number(out, "got2"), model_engine_chain(platform, "h0", "h1", false, MEGABYTE, 3));
  free(out);
  free(platform);
  free(program);
}
