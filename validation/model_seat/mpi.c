/* MPI programs under smpirun: ping-pong, all-to-all, broadcast, allreduce, gather. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model_seat/model_seat_support.h"

/* No time passes but in messages. */
#define SMPI_OPTIONS "--cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 --cfg=smpi/host-speed:1Gf"

enum { RANKS = 9, MEGABYTE = 1000000, BALLS = 6, HEADER = 16 /* of SMPI */ };

/* So many ranks on each of the first hosts. */
static char* host_file(int ranks_per_host)
{
  char text[RANKS * 8] = "";
  for (int i = 0; i < RANKS; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "gpu%d\n", i / ranks_per_host);
  return model_write(text, "hosts");
}

static void run(const char* name, int ranks_per_host, char** out, char** json)
{
  char* hosts   = host_file(ranks_per_host);
  char* program = model_program("collectives");
  char file[64];
  snprintf(file, sizeof file, "%s.json", name);
  *json = model_write("", file);
  CU_ASSERT_EQUAL(model_shell(out, "%s exec --json %s -- smpirun -np %d -platform %s -hostfile %s %s %s", MODEL_COMMAND,
                              *json, RANKS, MODEL_RACK, hosts, SMPI_OPTIONS, program),
                  0);
  free(program);
  free(hosts);
}

SGF_SCENARIO(every_message_of_mpi_takes_the_fabric)
{
  char* out;
  char* json;
  run("collectives", 1, &out, &json);
  CU_ASSERT_EQUAL(model_number(out, "sum"), RANKS * (RANKS - 1) / 2);
  CU_ASSERT_EQUAL(model_number(out, "pong"),
                  model_engine_chain(MODEL_RACK, "gpu0", "gpu1", true, MEGABYTE + HEADER, BALLS));
  /* The last thing that happens is the gather's last arrival at rank 0, which sees its date. */
  CU_ASSERT_EQUAL(model_number(out, "end"), model_check_flows(MODEL_RACK, json));
  free(json);
  free(out);
}

/* A JSON object without the one value in which two runs of a program may differ. */
static char* contents(const char* path)
{
  char* text;
  CU_ASSERT_EQUAL(model_shell(&text, "sed 's/\"wall_time_s\": [^,]*//' %s", path), 0);
  return text;
}

/* Two ranks share a NIC: what they say to each other it loops back, and the run is the same each time. */
SGF_SCENARIO(ranks_may_share_a_host)
{
  enum { RANKS_PER_HOST = 2 };
  char *out, *again, *json, *json_again;
  run("shared", RANKS_PER_HOST, &out, &json);
  run("shared_again", RANKS_PER_HOST, &again, &json_again);
  CU_ASSERT_EQUAL(model_number(out, "sum"), RANKS * (RANKS - 1) / 2);
  CU_ASSERT_EQUAL(model_number(out, "pong"),
                  model_engine_chain(MODEL_RACK, "gpu0", "gpu0", true, MEGABYTE + HEADER, BALLS));
  CU_ASSERT_EQUAL(model_number(out, "end"), model_check_flows(MODEL_RACK, json));
  CU_ASSERT_STRING_EQUAL(out, again);
  char* flows       = contents(json);
  char* flows_again = contents(json_again);
  CU_ASSERT_STRING_EQUAL(flows, flows_again);
  free(flows_again);
  free(flows);
  free(json_again);
  free(json);
  free(again);
  free(out);
}

/* All to all and a gather, with a tenth of the threshold: the switch pauses its senders, and the summary says so. */
SGF_SCENARIO(the_summary_shows_the_pauses)
{
  char* out;
  char* hosts   = host_file(1);
  char* program = model_program("collectives");
  CU_ASSERT_EQUAL(
      model_shell(&out,
                  "%s exec --set '**.switch.StaticPoolXoffThreshold=20KB' "
                  "--set '**.switch.StaticPoolXonThreshold=10KB' -- smpirun -np %d -platform %s -hostfile %s %s %s",
                  MODEL_COMMAND, RANKS, MODEL_RACK, hosts, SMPI_OPTIONS, program),
      0);
  const char* pauses = strstr(out, "\nPauses, longest first\n");
  CU_ASSERT_PTR_NOT_NULL_FATAL(pauses);
  CU_ASSERT_PTR_NOT_NULL(strstr(pauses, "\n  tor0       0  gpu0 "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "lossless\n"));
  free(program);
  free(hosts);
  free(out);
}

/* Without preload the program, and with it the library, comes when the simulation has begun: then the engine goes from
 * event to event, to the same dates. */
SGF_SCENARIO(a_program_that_links_the_library_attaches_late)
{
  char* out;
  char* preloaded;
  char* json;
  run("preloaded", 1, &preloaded, &json);
  char* hosts   = host_file(1);
  char* program = model_program("collectives_linked");
  CU_ASSERT_EQUAL(model_shell(&out, "SGFABRIC_PLATFORM=%s smpirun -np %d -platform %s -hostfile %s %s %s", MODEL_RACK,
                              RANKS, MODEL_RACK, hosts, SMPI_OPTIONS, program),
                  0);
  CU_ASSERT(model_number(out, "pong") > 0);
  CU_ASSERT_EQUAL(model_number(out, "pong"), model_number(preloaded, "pong"));
  CU_ASSERT_EQUAL(model_number(out, "end"), model_number(preloaded, "end"));
  free(out);
  CU_ASSERT_NOT_EQUAL(model_shell(&out, "smpirun -np %d -platform %s -hostfile %s %s %s", RANKS, MODEL_RACK, hosts,
                                  SMPI_OPTIONS, program),
                      0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "SGFABRIC_PLATFORM may name one"));
  free(out);
  free(preloaded);
  free(json);
  free(program);
  free(hosts);
}
