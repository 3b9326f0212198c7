#include "simulation_support.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"
#include "scenario/scenario_support.h"
#include "simgrid/seat.h"
#include "switch/simulation_taps_support.h"

/* ---- The platform ------------------------------------------------------------------------------------------------ */

static void put_link(FILE* out, const char* id, const char* latency)
{
  fprintf(out, "<link id=\"%s\" bandwidth=\"400Gbps\" latency=\"%s\" sharing_policy=\"SPLITDUPLEX\"/>\n", id, latency);
}

static void put_route(FILE* out, const char* src, const char* dst, const char* link)
{
  fprintf(out, "<route src=\"%s\" dst=\"%s\"><link_ctn id=\"%s\" direction=\"UP\"/></route>\n", src, dst, link);
}

/* Cables are plugged in in the order of their routes. */
static void put_cables(FILE* out, const star_t* star)
{
  const char* latency = star->latency != NULL ? star->latency : "500ns";
  char host[16];
  char cable[16];
  if (star->behind > 0)
    put_link(out, "up", latency);
  for (unsigned i = 0; i < star->hosts; i++) {
    snprintf(cable, sizeof cable, "c%u", i);
    put_link(out, cable, i == 0 && star->first_latency != NULL ? star->first_latency : latency);
  }
  if (star->behind > 0)
    put_route(out, "u0", "s0", "up");
  for (unsigned i = 0; i < star->hosts; i++) {
    snprintf(cable, sizeof cable, "c%u", i);
    snprintf(host, sizeof host, "h%u", i);
    put_route(out, host, i < star->behind ? "u0" : "s0", cable);
  }
}

/* A host whose data has this codepoint. Its other codepoints of data are of the same class, and those of other roles
 * have none of them. */
static void put_host_with(FILE* out, unsigned number, unsigned dscp)
{
  enum { CONTROL_CLASS = 1 };
  const bool in_the_way = dscp / 8 == CONTROL_CLASS;
  fprintf(out, "<host id=\"h%u\" speed=\"1Tf\">", number);
  const struct {
    const char* role;
    unsigned dscp;
  } codepoints[] = {{"NoTrim", dscp},
                    {"Trimmable", dscp ^ 1},
                    {"TrimmableRtx", dscp ^ 2},
                    {"Trimmed", in_the_way ? 25 : 9},
                    {"TrimmedLastHop", in_the_way ? 26 : 10},
                    {"Control", in_the_way ? 24 : 8}};
  for (size_t i = 0; i < sizeof codepoints / sizeof *codepoints; i++)
    fprintf(out, "<prop id=\"nic.Codepoints.%s\" value=\"%u\"/>", codepoints[i].role, codepoints[i].dscp);
  fputs("</host>\n", out);
}

static void put_hosts(FILE* out, const star_t* star)
{
  const int* dscp = star->dscp;
  for (unsigned i = 0; i < star->hosts; i++)
    if (dscp != NULL && *dscp >= 0)
      put_host_with(out, i, (unsigned)*dscp++);
    else
      fprintf(out, "<host id=\"h%u\" speed=\"1Tf\"/>\n", i);
}

char* sim_star_text(const star_t* star)
{
  char* text;
  size_t size;
  FILE* out = open_memstream(&text, &size);
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  fputs(SCENARIO_HEAD
        "<platform version=\"4.1\">\n<zone id=\"rack\" routing=\"Dijkstra\">\n<prop id=\"nic\" value=\"uet\"/>\n",
        out);
  for (const char* const* property = star->properties; property[0] != NULL; property += 2)
    fprintf(out, "<prop id=\"%s\" value=\"%s\"/>\n", property[0], property[1]);
  if (star->behind > 0)
    fputs("<prop id=\"switch[u0].EnablePFC\" value=\"[0, 0, 0, 0, 0, 0, 0, 0]\"/>\n", out);
  put_hosts(out, star);
  fputs("<router id=\"s0\"/>\n", out);
  if (star->behind > 0)
    fputs("<router id=\"u0\"/>\n", out);
  put_cables(out, star);
  fputs("</zone>\n</platform>\n", out);
  CU_ASSERT_EQUAL_FATAL(fclose(out), 0);
  return text;
}

static const sgf_device_t* the_switch;

void sim_platform(const char* file, const char* name)
{
  static char program[] = "simulation";
  static char* argv[]   = {program, NULL};
  int argc              = 1;
  simgrid_init(&argc, argv);
  sg_fabric_plugin_init();
  sgf_error_t error = {0};
  if (sg_fabric_try_load_platform(file, &error) != SGF_OK)
    printf("\n  %s:%d: %s\n", error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sg_fabric_get());
  the_switch = sgf_fabric_find(sg_fabric_get(), name);
  CU_ASSERT_PTR_NOT_NULL_FATAL(the_switch);
}

void sim_set(const char* const* assignments)
{
  for (; *assignments != NULL; assignments++)
    sg_fabric_set(*assignments);
}

void sim_star(const star_t* star)
{
  char* text = sim_star_text(star);
  if (star->deaf)
    sim_tap(&(sim_tap_t){.device = "s0", .port = 0, .keep_pauses = true});
  sim_platform(scenario_file(text, strlen(text)), "s0");
  free(text);
}

sgf_fabric_t* sim_fabric(void)
{
  return sg_fabric_get();
}

switch_state_t* sim_switch(void)
{
  return switch_state(the_switch->module);
}

sgf_shared_buffer_t* sim_buffer(void)
{
  return sim_switch()->buffer;
}

/* ---- Actors ------------------------------------------------------------------------------------------------------ */

/* What an actor is to do. */
typedef struct task {
  sg_host_t to;
  int port; /* of the switch, whose neighbour there sends PFC frames; -1: the actor's own host does */
  uint64_t bytes;
  unsigned tc;
  uint16_t quanta;
  double begin;
  double end;
} task_t;

static sg_host_t host_number(unsigned host)
{
  char name[16];
  snprintf(name, sizeof name, "h%u", host);
  return sg_host_by_name(name);
}

static void start_actor(unsigned host, void (*code)(int argc, char** argv), task_t task)
{
  sg_actor_t actor = sg_actor_init("actor", host_number(host));
  task_t* copy     = sgf_calloc(1, sizeof *copy);
  *copy            = task;
  sg_actor_set_data(actor, copy);
  sg_actor_start(actor, code, 0, NULL);
}

static task_t take_task(void)
{
  task_t* data = sg_actor_self_get_data();
  task_t task  = *data;
  free(data);
  return task;
}

static void write_once(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  const task_t task = take_task();
  sg_actor_sleep_until(task.begin);
  sgf_op_t* op = sgf_rdma_write_async(task.to, task.bytes, 0);
  CU_ASSERT_PTR_NOT_NULL(op);
  sgf_op_unref(op); /* nobody waits: that all is written shows at the end */
}

void sim_write(unsigned from, unsigned to, uint64_t bytes, double date)
{
  start_actor(from, write_once, (task_t){.to = host_number(to), .bytes = bytes, .begin = date});
}

void sim_write_packets(unsigned from, unsigned to, unsigned count, double date)
{
  sim_write(from, to, (uint64_t)count * SIM_PAYLOAD, date);
}

/* Who sends the PFC frames of a task. */
static pfc_sender_t* pfc_sender(const task_t* task)
{
  if (task->port < 0)
    return &fabric_nic(sgf_fabric_find(seat.fabric, sg_host_get_name(sg_host_self())))->pfc;
  const fabric_port_t* port = &the_switch->ports[task->port];
  return &switch_state(port->peer->module)->ports[port->peer_port].pfc;
}

/* A PFC frame, now. */
static void send_pfc(const task_t* task, uint16_t quanta)
{
  seat_catch_up();
  pfc_send(pfc_sender(task), task->tc, quanta);
}

static void hold(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  const double refresh = 40e-6;
  const task_t task    = take_task();
  for (double date = task.begin; date < task.end; date += refresh) {
    sg_actor_sleep_until(date);
    send_pfc(&task, PFC_MAX_QUANTA);
  }
  sg_actor_sleep_until(task.end);
  send_pfc(&task, 0);
}

void sim_hold(unsigned host, unsigned tc, double begin, double end)
{
  start_actor(host, hold, (task_t){.port = -1, .tc = tc, .begin = begin, .end = end});
}

void sim_hold_all(unsigned host, double begin, double end)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    sim_hold(host, tc, begin, end);
}

void sim_hold_port(unsigned port, unsigned tc, double begin, double end)
{
  start_actor(0, hold, (task_t){.port = (int)port, .tc = tc, .begin = begin, .end = end});
}

static void send_one(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  const task_t task = take_task();
  sg_actor_sleep_until(task.begin);
  send_pfc(&task, task.quanta);
}

void sim_pfc(unsigned host, unsigned tc, uint16_t quanta, double date)
{
  start_actor(host, send_one, (task_t){.port = -1, .tc = tc, .quanta = quanta, .begin = date});
}

/* ---- Watching ---------------------------------------------------------------------------------------------------- */

static struct {
  unsigned in, out, pool;
  sim_row_t* rows;
  size_t count;
  size_t capacity;
  opp_simtime_t date; /* of the event that runs next */
} watched;

static uint64_t sum_of_classes(const uint64_t* counters)
{
  uint64_t sum = 0;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    sum += counters[tc];
  return sum;
}

static sim_row_t state_now(void)
{
  const sgf_shared_buffer_t* sb = sim_buffer();
  const switch_port_t* in       = &sim_switch()->ports[watched.in];
  return (sim_row_t){
      .date       = watched.date,
      .occupancy  = sgf_sb_occupancy(sb, watched.in, watched.pool),
      .headroom   = sgf_sb_headroom(sb, watched.in, watched.pool),
      .pool_total = sgf_sb_pool_total(sb, watched.pool),
      .egress     = sgf_sb_egress_queue(sb, watched.out, watched.pool),
      .pauses     = sum_of_classes(in->pfc.pauses),
      .resumes    = sum_of_classes(in->pfc.resumes),
      .rx_drops   = in->rx_drops,
      .tx_drops   = sim_switch()->ports[watched.out].tx_drops,
      .trimmed    = sim_switch()->ports[watched.out].trimmed,
      .average    = switch_ecn_average(sim_switch()->ecn, watched.out, watched.pool),
  };
}

static bool is_news(const sim_row_t* row)
{
  if (watched.count == 0)
    return true;
  sim_row_t last = watched.rows[watched.count - 1];
  last.date      = row->date;
  return memcmp(&last, row, sizeof last) != 0;
}

static void add_row(sim_row_t row)
{
  if (watched.count == watched.capacity) {
    watched.capacity = watched.capacity == 0 ? 1024 : 2 * watched.capacity;
    watched.rows     = sgf_realloc(watched.rows, watched.capacity, sizeof *watched.rows);
  }
  watched.rows[watched.count++] = row;
}

/* Called before an event runs: what is seen is what the one before it left. */
static void look(void* unused, opp_simtime_t clock, uint64_t packet_hops)
{
  (void)unused;
  (void)packet_hops;
  const sim_row_t row = state_now();
  if (is_news(&row))
    add_row(row);
  watched.date = clock;
}

void sim_watch(unsigned in, unsigned out, unsigned pool)
{
  watched.in   = in;
  watched.out  = out;
  watched.pool = pool;
  sgf_fabric_set_progress(seat.fabric, 1, look, NULL);
}

size_t sim_row_count(void)
{
  return watched.count;
}

const sim_row_t* sim_rows(void)
{
  return watched.rows;
}

static const sim_row_t* first_row(size_t counter, uint64_t count)
{
  for (size_t i = 0; i < watched.count; i++)
    if (*(const uint64_t*)(const void*)((const char*)&watched.rows[i] + counter) >= count)
      return &watched.rows[i];
  CU_FAIL_FATAL("this never happened");
  return NULL;
}

const sim_row_t* sim_row_of_pause(uint64_t count)
{
  return first_row(offsetof(sim_row_t, pauses), count);
}

const sim_row_t* sim_row_of_resume(uint64_t count)
{
  return first_row(offsetof(sim_row_t, resumes), count);
}

const sim_row_t* sim_row_of_rx_drop(uint64_t count)
{
  return first_row(offsetof(sim_row_t, rx_drops), count);
}

const sim_row_t* sim_row_of_tx_drop(uint64_t count)
{
  return first_row(offsetof(sim_row_t, tx_drops), count);
}

const sim_row_t* sim_row_of_trim(uint64_t count)
{
  return first_row(offsetof(sim_row_t, trimmed), count);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static void release(void)
{
  free(watched.rows);
}

void sim_run(void)
{
  atexit(release);
  simgrid_run();
  CU_ASSERT_EQUAL(sg_fabric_finish(), SGF_OK);
  if (watched.count > 0)
    look(NULL, 0, 0);
  sgf_report_t* report = sgf_report_new(seat.fabric);
  for (size_t i = 0; i < report->flow_count; i++)
    CU_ASSERT(report->flows[i].end >= 0);
  CU_ASSERT(report->flow_count > 0);
  sgf_report_free(report);
}

opp_simtime_t sim_end_of_write(size_t n)
{
  sgf_report_t* report = sgf_report_new(seat.fabric);
  CU_ASSERT_FATAL(n < report->flow_count);
  const opp_simtime_t end = report->flows[n].end;
  sgf_report_free(report);
  return end;
}

uint64_t sim_drops(void)
{
  uint64_t drops = 0;
  for (unsigned cause = 0; cause < SWITCH_DROP_CAUSES; cause++)
    drops += sim_switch()->drops[cause];
  return drops;
}
