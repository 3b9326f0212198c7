/* SimGrid's traces do not change a date, and are written.
 *
 * `tracing/platform/topology` is off on the rack: SimGrid 3.32 looks for the links between devices before the trace
 * begins and does not survive a zone with a router ("dynar is not that long"), nor a SPLITDUPLEX link of its own
 * ("container with name c0_DOWN not found"), whatever else of tracing is on, without the fabric as well. A fat tree of
 * <cluster> it survives. `tracing/categorized` has `tracing/uncategorized` beside it: without, 3.32 does not survive a
 * computation ("type with name (speed_used) not found"). */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

enum { MEGABYTE = 1000000 };
static const opp_simtime_t executed = OPP_US; /* 10^6 flops at 1 Tf/s */

/* Lines of a file. */
static int lines_of(const char* path)
{
  FILE* file = fopen(path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  int count = 0;
  for (int c; (c = getc(file)) != EOF;)
    count += c == '\n';
  fclose(file);
  return count;
}

/* Run traced.cpp so, over the fabric and alone: the dates are the engine's, and the trace has as many lines as that of
 * SimGrid alone. */
static void check_trace(const char* program, const char* platform, const char* options)
{
  char arguments[1024];
  char* trace = model_write("", "program.trace");
  snprintf(arguments, sizeof arguments, "%s --cfg=tracing:yes --cfg=tracing/filename:%s %s", platform, trace, options);
  char* alone     = model_alone(program, arguments, 0);
  const int lines = lines_of(trace);
  char* over      = model_over(program, arguments, 0);
  for (int i = 0; i < 3; i++) {
    const opp_simtime_t date = model_engine_chain(platform, "gpu0", "gpu3", false, MEGABYTE, (size_t)i + 1);
    char word[16];
    snprintf(word, sizeof word, "put%d", i);
    CU_ASSERT_EQUAL(model_number(over, word), date);
    snprintf(word, sizeof word, "got%d", i);
    CU_ASSERT_EQUAL(model_number(over, word), date);
    CU_ASSERT(i < 2 || model_number(over, "end") == date + executed);
  }
  CU_ASSERT(lines > 100);
  CU_ASSERT_EQUAL(lines_of(trace), lines);
  free(over);
  free(alone);
  free(trace);
}

static char* build(void)
{
  return model_program("traced");
}

#define NO_TOPOLOGY " --cfg=tracing/platform/topology:no"

SGF_SCENARIO(traces_of_a_rack)
{
  static const char* const options[] = {
      NO_TOPOLOGY,
      "--cfg=tracing/platform:yes" NO_TOPOLOGY,
      "--cfg=tracing/actor:yes" NO_TOPOLOGY,
      "--cfg=tracing/uncategorized:yes" NO_TOPOLOGY,
      "--cfg=tracing/uncategorized:yes --cfg=tracing/categorized:yes" NO_TOPOLOGY,
      "--cfg=tracing/uncategorized:yes --cfg=tracing/categorized:yes --cfg=tracing/platform:yes "
      "--cfg=tracing/actor:yes" NO_TOPOLOGY,
  };
  char* program = build();
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    check_trace(program, MODEL_RACK, options[i]);
  free(program);
}

static const char tree[] =
    "<?xml version=\"1.0\"?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n"
    "<zone id=\"net\" routing=\"Full\">\n"
    "<prop id=\"nic\" value=\"uet\"/>\n"
    "<cluster id=\"ft\" topology=\"FAT_TREE\" prefix=\"gpu\" suffix=\"\" radical=\"0-3\" speed=\"1Tf\" bw=\"400Gbps\" "
    "lat=\"100ns\" sharing_policy=\"SPLITDUPLEX\" topo_parameters=\"2;2,2;1,2;1,1\"/>\n"
    "</zone>\n"
    "</platform>\n";

SGF_SCENARIO(traces_of_a_fat_tree_with_its_links)
{
  char* platform = model_write(tree, "tree.xml");
  char* program  = build();
  check_trace(program, platform, "--cfg=tracing/platform:yes --cfg=tracing/actor:yes");
  free(program);
  free(platform);
}

/* ---- MPI --------------------------------------------------------------------------------------------------------- */

#define SMPI_OPTIONS "--cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 --cfg=smpi/host-speed:1Gf" NO_TOPOLOGY

static char* run_mpi(const char* program, const char* hosts, const char* options)
{
  char* out;
  CU_ASSERT_EQUAL(model_shell(&out, "%s exec -- smpirun -np 4 -platform %s -hostfile %s %s %s %s", MODEL_COMMAND,
                              MODEL_RACK, hosts, options, SMPI_OPTIONS, program),
                  0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: "));
  return out;
}

static void check_mpi(const char* program, const char* hosts, const char* options, const char* untraced)
{
  char with_file[512];
  char* trace = model_write("", "mpi.trace");
  snprintf(with_file, sizeof with_file, "%s -trace-file %s", options, trace);
  char* out = run_mpi(program, hosts, with_file);
  CU_ASSERT(model_number(out, "pong") > 0);
  CU_ASSERT_EQUAL(model_number(out, "pong"), model_number(untraced, "pong"));
  CU_ASSERT_EQUAL(model_number(out, "end"), model_number(untraced, "end"));
  CU_ASSERT(lines_of(trace) >= 4); /* one for each rank, if it has a file of its own */
  free(out);
  free(trace);
}

SGF_SCENARIO(traces_of_an_mpi_program)
{
  char* hosts    = model_write("gpu0\ngpu1\ngpu2\ngpu3\n", "hosts");
  char* program  = model_program("collectives");
  char* untraced = run_mpi(program, hosts, "");
  check_mpi(program, hosts, "-trace", untraced);
  check_mpi(program, hosts,
            "-trace --cfg=tracing/smpi/internals:yes --cfg=tracing/smpi/computing:yes --cfg=tracing/smpi/sleeping:yes "
            "--cfg=tracing/uncategorized:yes",
            untraced);
  check_mpi(program, hosts, "-trace-ti", untraced);
  free(untraced);
  free(program);
  free(hosts);
}
