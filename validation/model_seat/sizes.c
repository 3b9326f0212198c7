/* Messages of any size, to the own host, and between hosts that have a NIC and hosts that have none. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

/* Both ends of message `number` are done at `date`. */
static void check_arrival(const char* out, int number, opp_simtime_t date)
{
  char word[16];
  snprintf(word, sizeof word, "put%d", number);
  CU_ASSERT_EQUAL(model_number(out, word), date);
  snprintf(word, sizeof word, "got%d", number);
  CU_ASSERT_EQUAL(model_number(out, word), date);
}

/* Each message has hosts of its own, but for the last one's. */
SGF_SCENARIO(fractions_are_whole_bytes_and_less_than_nothing_is_nothing)
{
  char* program = model_program("sizes");
  char* out =
      model_over(program, MODEL_RACK " gpu0 gpu1 4096.25 gpu2 gpu3 0.001 gpu4 gpu5 -3 gpu6 gpu6 4095.5 gpu7 gpu8 0", 0);
  model_message_t all[] = {
      {"gpu0", "gpu1", 4097, 0, 0}, {"gpu2", "gpu3", 1, 0, 0}, {"gpu4", "gpu5", 0, 0, 0},
      {"gpu6", "gpu6", 4096, 0, 0}, {"gpu7", "gpu8", 0, 0, 0},
  };
  model_engine(MODEL_RACK, all, sizeof all / sizeof *all);
  for (int i = 0; i < 5; i++)
    check_arrival(out, i, all[i].delivered);
  CU_ASSERT_EQUAL(all[2].delivered, all[4].delivered);
  CU_ASSERT(all[1].delivered > all[2].delivered);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 5 flows, lossless\n"));
  free(out);
  free(program);
}

/* 1,000 bytes more than 32 bits can count; and a size that the fabric cannot have. */
SGF_SCENARIO(sizes_above_four_gigabytes)
{
  char* program         = model_program("sizes");
  char* out             = model_over(program, MODEL_RACK " gpu0 gpu1 4294968296", 0);
  model_message_t large = {"gpu0", "gpu1", (UINT64_C(1) << 32) + 1000, 0, 0};
  model_engine(MODEL_RACK, &large, 1);
  check_arrival(out, 0, large.delivered);
  free(out);
  out = model_over(program, MODEL_RACK " gpu0 gpu1 1e18", 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "sgfabric: a message of 1e+18 B from gpu0 is larger than the fabric can time\n"));
  free(out);
  free(program);
}

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

/* SimGrid's model times the first three with and without the fabric beside it, which times the others; and neither
 * makes a difference to the other. */
SGF_SCENARIO(from_and_to_hosts_without_a_nic)
{
  static const char slow[] = "bare0 h0 100000 h1 bare1 100000 bare1 bare0 100000";
  char arguments[512];
  char* platform = model_write(mixed, "mixed.xml");
  char* program  = model_program("sizes");
  snprintf(arguments, sizeof arguments, "%s %s", platform, slow);
  char* alone = model_alone(program, arguments, 0);
  snprintf(arguments, sizeof arguments, "%s %s h0 h1 10000000 h1 h0 10000", platform, slow);
  char* over = model_over(program, arguments, 0);
  CU_ASSERT(model_number(alone, "got0") > 0);
  for (int i = 0; i < 3; i++) {
    char word[16];
    snprintf(word, sizeof word, "put%d", i);
    check_arrival(over, i, model_number(alone, word));
  }
  model_message_t fast[] = {{"h0", "h1", 10000000, 0, 0}, {"h1", "h0", 10000, 0, 0}};
  model_engine(platform, fast, 2);
  check_arrival(over, 3, fast[0].delivered);
  check_arrival(over, 4, fast[1].delivered);
  CU_ASSERT_PTR_NOT_NULL(strstr(over, "complete: 2 flows, lossless\n"));
  free(over);
  free(alone);
  free(program);
  free(platform);
}
