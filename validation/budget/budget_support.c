/* Replays of spec/feedback-budget.md: see budget_support.h. */
#include "budget_support.h"

#include "harness.h"
#include "simgrid/seat.h"

#include <inttypes.h>
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static budget_seat_t seat_of_run;
static sgf_fabric_t* fabric;

const budget_frame_t budget_frames[BUDGET_FRAMES] = {
    {1000, "954", "46"}, {4000, "3954", "46"}, {4154, "4096", "58"}, {4174, "4096", "78"}};

/* ---- Topologies -------------------------------------------------------------------------------------------------- */

budget_topology_t budget_r1(opp_simtime_t delay)
{
  return (budget_topology_t){
      .hosts    = {"h0", "h1", "h2", "h3", "h4"},
      .switches = {"tor"},
      .cables   = {{"h0", "tor", delay},
                   {"h1", "tor", delay},
                   {"h2", "tor", delay},
                   {"h3", "tor", delay},
                   {"h4", "tor", delay}},
  };
}

static bool applies(const budget_setting_t* setting, const sgf_device_t* device)
{
  if (sgf_device_is_switch(device) != (strcmp(setting->prefix, "switch") == 0))
    return false;
  return setting->device == NULL || strcmp(setting->device, sgf_device_name(device)) == 0;
}

static void must(sgf_status_t status, const sgf_error_t* error)
{
  if (status != SGF_OK)
    fprintf(stderr, "\n%s\n", error->text);
  CU_ASSERT_EQUAL_FATAL(status, SGF_OK);
}

static void build_engine(const budget_topology_t* topology, const budget_setting_t* settings)
{
  sgf_error_t error = {0};
  fabric            = sgf_fabric_new(1);
  for (const char* const* name = topology->hosts; *name != NULL; name++)
    CU_ASSERT_PTR_NOT_NULL_FATAL(sgf_fabric_add_nic(fabric, *name, *name, "udp", &error));
  for (const char* const* name = topology->switches; *name != NULL; name++)
    CU_ASSERT_PTR_NOT_NULL_FATAL(sgf_fabric_add_switch(fabric, *name, *name, &error));
  for (; settings->name != NULL; settings++)
    for (size_t d = 0; d < sgf_fabric_device_count(fabric); d++)
      if (applies(settings, sgf_fabric_device(fabric, d)))
        must(sgf_device_set(sgf_fabric_device(fabric, d), settings->prefix, settings->name, settings->value, &error),
             &error);
  for (const budget_cable_t* cable = topology->cables; cable->a != NULL; cable++)
    must(sgf_fabric_connect(fabric, budget_device(cable->a), budget_device(cable->b), "cable", INT64_C(400000000000),
                            cable->delay, 1, &error),
         &error);
  must(sgf_fabric_seal(fabric, &error), &error);
}

/* ---- The same as a platform file --------------------------------------------------------------------------------- */

static char file[512];

static void remove_file(void)
{
  unlink(file);
}

static FILE* open_platform(void)
{
  snprintf(file, sizeof file, "%s/budget_XXXXXX", SGF_BINARY_DIR);
  const int descriptor = mkstemp(file);
  CU_ASSERT_TRUE_FATAL(descriptor >= 0);
  atexit(remove_file);
  FILE* stream = fdopen(descriptor, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
  return stream;
}

static void print_platform(FILE* stream, const budget_topology_t* topology)
{
  fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
        "version=\"4.1\">\n<zone id=\"z\" routing=\"Dijkstra\">\n<prop id=\"nic\" value=\"udp\"/>\n",
        stream);
  for (const char* const* name = topology->hosts; *name != NULL; name++)
    fprintf(stream, "<host id=\"%s\" speed=\"1Tf\"/>\n", *name);
  for (const char* const* name = topology->switches; *name != NULL; name++)
    fprintf(stream, "<router id=\"%s\"/>\n", *name);
  for (const budget_cable_t* cable = topology->cables; cable->a != NULL; cable++)
    fprintf(stream,
            "<link id=\"c%td\" bandwidth=\"400Gbps\" latency=\"%" PRId64 "ps\" sharing_policy=\"SPLITDUPLEX\"/>\n",
            cable - topology->cables, cable->delay);
  for (const budget_cable_t* cable = topology->cables; cable->a != NULL; cable++)
    fprintf(stream, "<route src=\"%s\" dst=\"%s\"><link_ctn id=\"c%td\" direction=\"UP\"/></route>\n", cable->a,
            cable->b, cable - topology->cables);
  fputs("</zone>\n</platform>\n", stream);
}

static void set(const budget_setting_t* setting)
{
  char text[256];
  snprintf(text, sizeof text, "%s%s.%s.%s=%s", setting->device != NULL ? "**." : "**",
           setting->device != NULL ? setting->device : "", setting->prefix, setting->name, setting->value);
  sg_fabric_set(text);
}

static void build_simgrid(const budget_topology_t* topology, const budget_setting_t* settings)
{
  FILE* stream = open_platform();
  print_platform(stream, topology);
  CU_ASSERT_EQUAL_FATAL(fclose(stream), 0);
  char name[]  = "budget";
  char quiet[] = "--log=root.thres:error";
  char* argv[] = {name, quiet, NULL};
  int argc     = 2;
  simgrid_init(&argc, argv);
  sg_fabric_plugin_init();
  for (; settings->name != NULL; settings++)
    set(settings);
  sgf_error_t error = {0};
  must(sg_fabric_try_load_platform(file, &error), &error);
  fabric = sg_fabric_get();
}

sgf_fabric_t* budget_build(budget_seat_t seat_is, const budget_topology_t* topology, const budget_setting_t* settings)
{
  seat_of_run = seat_is;
  if (seat_is == BUDGET_ENGINE)
    build_engine(topology, settings);
  else
    build_simgrid(topology, settings);
  return fabric;
}

sgf_device_t* budget_device(const char* name)
{
  sgf_device_t* device = sgf_fabric_find(fabric, name);
  CU_ASSERT_PTR_NOT_NULL_FATAL(device);
  return device;
}

/* ---- Writes ------------------------------------------------------------------------------------------------------ */

typedef struct task {
  const char* dst; /* NULL: sleep, and let the engine catch up */
  uint64_t bytes;
  unsigned tc;
  opp_simtime_t date;
} task_t;

static void act(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  task_t* task = sg_actor_get_data(sg_actor_self());
  if (task->date > 0)
    sg_actor_sleep_for((double)task->date * 1e-12 - simgrid_get_clock());
  if (task->dst == NULL)
    seat_catch_up();
  else {
    sgf_op_t* op = sgf_rdma_write_async(sg_host_by_name(task->dst), task->bytes, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(op);
    CU_ASSERT_EQUAL(sgf_op_set_classes(op, task->tc, task->tc, NULL), SGF_OK);
    sgf_op_unref(op);
  }
  free(task);
}

static void start(const char* host, task_t what)
{
  task_t* task     = calloc(1, sizeof *task);
  *task            = what;
  sg_actor_t actor = sg_actor_init("task", sg_host_by_name(host));
  sg_actor_set_data(actor, task);
  sg_actor_start(actor, act, 0, NULL);
}

void budget_write(const char* src, const char* dst, uint64_t bytes, unsigned tc, opp_simtime_t date)
{
  if (seat_of_run == BUDGET_SIMGRID) {
    start(src, (task_t){dst, bytes, tc, date});
    return;
  }
  sgf_op_t* op = sgf_op_write(fabric, budget_device(src), budget_device(dst), bytes, 0, date, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(op);
  CU_ASSERT_EQUAL(sgf_op_set_classes(op, tc, tc, NULL), SGF_OK);
  sgf_op_unref(op);
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

void budget_run(opp_simtime_t date)
{
  if (seat_of_run == BUDGET_ENGINE) {
    CU_ASSERT_NOT_EQUAL(sgf_engine_advance(fabric, date), SGF_ENGINE_ERROR);
    return;
  }
  start(sgf_device_name(sgf_fabric_host(fabric, 0)), (task_t){.date = date});
  simgrid_run();
}

static void tell(void* user, const char* line)
{
  (void)user;
  fprintf(stderr, "\n  %s", line);
}

void budget_finish(void)
{
  sgf_error_t error = {0};
  if (seat_of_run == BUDGET_SIMGRID) {
    must(sg_fabric_finish_with(true, tell, NULL, &error), &error);
    return;
  }
  CU_ASSERT_EQUAL(sgf_engine_drain(fabric), SGF_ENGINE_IDLE);
  must(sgf_fabric_check_end(fabric, tell, NULL, &error), &error);
}

void budget_free(void)
{
  if (seat_of_run == BUDGET_ENGINE)
    sgf_fabric_free(fabric);
  fabric = NULL;
}

/* ---- Looks ------------------------------------------------------------------------------------------------------- */

static void take(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  budget_sample_t* sample = user;
  CU_ASSERT_EQUAL(now, sample->date);
  sample->bytes = sgf_device_queue_bytes(sample->device, sample->port, sample->tc);
}

void budget_sample(budget_sample_t* sample, sgf_device_t* device, unsigned port, unsigned tc, opp_simtime_t date)
{
  *sample = (budget_sample_t){device, port, tc, date, -1};
  CU_ASSERT_EQUAL(sgf_script_at(fabric, date, take, sample, NULL), SGF_OK);
}

void budget_pause(sgf_device_t* device, unsigned port, unsigned tc, unsigned quanta)
{
  CU_ASSERT_EQUAL(sgf_script_pause(device, port, tc, quanta, NULL), SGF_OK);
}

static void note(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  budget_crossing_t* crossing = user;
  crossing->date              = now;
  crossing->bytes             = sgf_device_queue_bytes(crossing->device, crossing->port, crossing->tc);
}

void budget_cross(budget_crossing_t* crossing, sgf_device_t* device, unsigned port, unsigned tc, int64_t level)
{
  *crossing = (budget_crossing_t){device, port, tc, -1, -1};
  CU_ASSERT_EQUAL(sgf_script_when_queue(device, port, tc, level, note, crossing, NULL), SGF_OK);
}
