/* NICs of any transport in a SimGrid simulation: see nic_run.h. */
#include "support/nic_run.h"

#include "fabric/fabric_internal.h"
#include "harness.h"
#include "simgrid/seat.h"

#include <math.h>
#include <sgfabric/explain.h>
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What one actor does. */
typedef struct task {
  enum { WRITE, RECEIVE, LOOK } kind;
  unsigned host;
  unsigned dst;
  uint64_t bytes;
  uint64_t tag;
  double start_s;
  void (*prepare)(sgf_op_t* write);
  void (*look)(void);
  opp_simtime_t done;
} task_t;

static task_t tasks[RUN_MAX];
static size_t task_count;
static void (*watcher)(opp_simtime_t now);
static sgf_report_t* report;
char run_waits[RUN_STALLED][512];
size_t run_wait_count;

/* ---- Platform ---------------------------------------------------------------------------------------------------- */

static char file[512];

static void remove_file(void)
{
  unlink(file);
}

static FILE* open_platform(const char* model)
{
  snprintf(file, sizeof file, "%s/nic_run_XXXXXX", SGF_BINARY_DIR);
  const int descriptor = mkstemp(file);
  CU_ASSERT_TRUE_FATAL(descriptor >= 0);
  atexit(remove_file);
  FILE* stream = fdopen(descriptor, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
  fprintf(stream,
          "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
          "version=\"4.1\">\n"
          "<zone id=\"z\" routing=\"Dijkstra\">\n<prop id=\"nic\" value=\"%s\"/>\n",
          model);
  return stream;
}

static void print_link(FILE* stream, unsigned number, const char* bandwidth, const char* latency)
{
  fprintf(stream, "<link id=\"c%u\" bandwidth=\"%s\" latency=\"%s\" sharing_policy=\"SPLITDUPLEX\"/>\n", number,
          bandwidth, latency);
}

static void print_route(FILE* stream, const char* src, const char* dst, unsigned link)
{
  fprintf(stream, "<route src=\"%s\" dst=\"%s\"><link_ctn id=\"c%u\" direction=\"UP\"/></route>\n", src, dst, link);
}

static void load(FILE* stream, const char* const* settings)
{
  fputs("</zone>\n</platform>\n", stream);
  CU_ASSERT_EQUAL_FATAL(fclose(stream), 0);
  char name[]  = "scenario";
  char quiet[] = "--log=root.thres:error";
  char* argv[] = {name, quiet, NULL};
  int argc     = 2;
  simgrid_init(&argc, argv);
  sg_fabric_plugin_init();
  for (; settings != NULL && *settings != NULL; settings++)
    sg_fabric_set(*settings);
  sgf_error_t error = {0};
  if (sg_fabric_try_load_platform(file, &error) != SGF_OK)
    printf("\n%s\n", error.text);
  CU_ASSERT_EQUAL_FATAL(error.status, SGF_OK);
}

void run_rack_of(const char* model, unsigned hosts, const char* latency, const char* const* settings)
{
  FILE* stream = open_platform(model);
  for (unsigned i = 0; i < hosts; i++)
    fprintf(stream, "<host id=\"h%u\" speed=\"1Tf\"/>\n", i);
  fputs("<router id=\"tor\"/>\n", stream);
  for (unsigned i = 0; i < hosts; i++)
    print_link(stream, i, "400Gbps", latency);
  for (unsigned i = 0; i < hosts; i++) {
    char host[16];
    snprintf(host, sizeof host, "h%u", i);
    print_route(stream, host, "tor", i);
  }
  load(stream, settings);
}

void run_cable_of(const char* model, const char* latency, const char* const* settings)
{
  run_cable_at(model, "400Gbps", latency, settings);
}

void run_cable_at(const char* model, const char* bandwidth, const char* latency, const char* const* settings)
{
  FILE* stream = open_platform(model);
  fputs("<host id=\"h0\" speed=\"1Tf\"/>\n<host id=\"h1\" speed=\"1Tf\"/>\n", stream);
  print_link(stream, 0, bandwidth, latency);
  print_route(stream, "h0", "h1", 0);
  load(stream, settings);
}

/* ---- Actors ------------------------------------------------------------------------------------------------------ */

static sg_host_t host_of(unsigned number)
{
  char name[16];
  snprintf(name, sizeof name, "h%u", number);
  return sg_host_by_name(name);
}

/* A look may have changed what comes next by hand, of which the seat knows nothing: let it think again, as after a
 * call. */
static void tell_seat(void)
{
  sgf_op_t* op = sgf_recv_async(UINT64_MAX);
  seat_notice(op);
  sgf_op_unref(op);
}

static sgf_status_t write_prepared(const task_t* task)
{
  sgf_op_t* write = sgf_rdma_write_async(host_of(task->dst), task->bytes, task->tag);
  CU_ASSERT_PTR_NOT_NULL_FATAL(write);
  task->prepare(write);
  const sgf_status_t status = sgf_op_wait(write);
  sgf_op_unref(write);
  return status;
}

static sgf_status_t write_message(const task_t* task)
{
  return task->prepare != NULL ? write_prepared(task) : sgf_rdma_write(host_of(task->dst), task->bytes, task->tag);
}

static void act(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  task_t* task = sg_actor_get_data(sg_actor_self());
  if (task->start_s > 0)
    sg_actor_sleep_for(task->start_s - simgrid_get_clock());
  switch (task->kind) {
    case WRITE:
      if (write_message(task) != SGF_OK)
        return;
      break;
    case RECEIVE:
      if (sgf_recv(task->tag, NULL, NULL) != SGF_OK)
        return;
      break;
    case LOOK:
      seat_catch_up();
      task->look();
      tell_seat();
  }
  task->done = llround(simgrid_get_clock() * 1e12);
}

static size_t start(task_t task)
{
  CU_ASSERT_FATAL(task_count < RUN_MAX);
  task.done         = -1;
  tasks[task_count] = task;
  sg_actor_t actor  = sg_actor_init("task", host_of(task.host));
  sg_actor_set_data(actor, &tasks[task_count]);
  sg_actor_start(actor, act, 0, NULL);
  return task_count++;
}

size_t run_write(unsigned src, unsigned dst, uint64_t bytes, double start_s)
{
  return run_write_as(src, dst, bytes, start_s, NULL);
}

size_t run_write_as(unsigned src, unsigned dst, uint64_t bytes, double start_s, void (*prepare)(sgf_op_t* write))
{
  return start((task_t){.kind    = WRITE,
                        .host    = src,
                        .dst     = dst,
                        .bytes   = bytes,
                        .tag     = task_count,
                        .start_s = start_s,
                        .prepare = prepare});
}

size_t run_receive(unsigned host, size_t write)
{
  return start((task_t){.kind = RECEIVE, .host = host, .tag = write});
}

void run_look(opp_simtime_t date, void (*look)(void))
{
  start((task_t){.kind = LOOK, .look = look, .start_s = (double)date * 1e-12});
}

/* The engine calls this with the clock at the event to come, and the state that the one before has left. */
static void between_events(void* unused, opp_simtime_t next, uint64_t packet_hops)
{
  static opp_simtime_t previous;
  (void)unused;
  (void)packet_hops;
  watcher(previous);
  previous = next;
}

void run_watch(void (*watch)(opp_simtime_t now))
{
  watcher = watch;
  sgf_fabric_set_progress(sg_fabric_get(), 1, between_events, NULL);
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static void free_report(void)
{
  sgf_report_free(report);
}

static void note_wait(void* unused, const char* line)
{
  (void)unused;
  CU_ASSERT_FATAL(run_wait_count < RUN_STALLED);
  snprintf(run_waits[run_wait_count++], sizeof *run_waits, "%s", line);
}

static sgf_status_t finish(bool drain)
{
  sgf_error_t error         = {0};
  const sgf_status_t status = sg_fabric_finish_with(drain, note_wait, NULL, &error);
  report                    = sgf_report_new(sg_fabric_get());
  atexit(free_report);
  return status;
}

sgf_status_t run_all(void)
{
  simgrid_run();
  return finish(true);
}

void run_until(opp_simtime_t date)
{
  simgrid_run_until((double)date * 1e-12);
  finish(false);
}

opp_simtime_t run_written(size_t write)
{
  return tasks[write].done;
}

opp_simtime_t run_received(size_t receive)
{
  return tasks[receive].done;
}

nic_t* run_nic(unsigned host)
{
  return fabric_nic(sgf_fabric_host(sg_fabric_get(), host));
}

const sgf_report_t* run_report(void)
{
  return report;
}

typedef struct search {
  const char* name;
  int64_t value;
  bool is_told;
} search_t;

static void look_for(void* user, const char* name, sgf_unit_t unit, int64_t value)
{
  search_t* search = user;
  (void)unit;
  if (strcmp(name, search->name) == 0) {
    search->value   = value;
    search->is_told = true;
  }
}

void run_check_facts(const run_fact_t* facts, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    search_t search = {.name = facts[i].name};
    sgf_explain_transport(sgf_fabric_host(sg_fabric_get(), 0), look_for, &search);
    CU_ASSERT(search.is_told);
    CU_ASSERT_EQUAL(search.value, facts[i].value);
  }
}

uint64_t run_link_bytes(const char* from, const char* to)
{
  for (size_t i = 0; i < report->link_count; i++)
    if (strcmp(report->links[i].from, from) == 0 && strcmp(report->links[i].to, to) == 0)
      return report->links[i].bytes;
  return UINT64_MAX;
}

uint64_t run_drops(const char* cause)
{
  for (size_t i = 0; i < report->drop_count; i++)
    if (strcmp(report->drops[i].cause, cause) == 0)
      return report->drops[i].count;
  return UINT64_MAX;
}

int64_t run_peak(const char* owner, const char* pool)
{
  for (size_t i = 0; i < report->pool_count; i++)
    if (strcmp(report->pools[i].owner, owner) == 0 && strcmp(report->pools[i].pool, pool) == 0)
      return report->pools[i].peak;
  return -1;
}
