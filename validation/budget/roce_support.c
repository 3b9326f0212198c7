/* Replays with NICs that listen to their receivers: see roce_support.h. */
#include "roce_support.h"

#include "harness.h"

#include <sgfabric/opp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static budget_seat_t seat_of_rack;
static sgf_fabric_t* fabric;
static sgf_report_t* report;

static void must(sgf_status_t status, const sgf_error_t* error)
{
  if (status != SGF_OK)
    fprintf(stderr, "\n%s\n", error->text);
  CU_ASSERT_EQUAL_FATAL(status, SGF_OK);
}

/* ---- The tap of the engine's own fabric -------------------------------------------------------------------------- */

static const char* tap_host;
static run_tap_t tap_of_host;

void budget_rack_tap(const char* host, run_tap_t tap)
{
  tap_host    = host;
  tap_of_host = tap;
}

static void pass(opp_module_t* self, opp_msg_t* msg)
{
  enum { FROM_HOST };
  const int from            = opp_gate_index(opp_msg_arrival_gate(msg));
  const opp_simtime_t delay = tap_of_host(msg, opp_sim_time(self), from != FROM_HOST);
  if (delay == RUN_LOST)
    opp_msg_delete(msg);
  else
    opp_send_delayed(self, msg, delay, opp_gate(self, "port$o", 1 - from));
}

static const opp_module_type_t tap_type = {.name = "budget_tap", .handle_message = pass};

/* ---- Building ---------------------------------------------------------------------------------------------------- */

/* "h0.nic.Name=value", "nic.Name=value". */
static void apply(const char* setting)
{
  char text[256];
  snprintf(text, sizeof text, "%s", setting);
  char* value = strchr(text, '=');
  CU_ASSERT_PTR_NOT_NULL_FATAL(value);
  *value++           = '\0';
  const bool of_host = text[0] == 'h' && text[1] >= '0' && text[1] <= '9';
  char* prefix       = of_host ? strchr(text, '.') + 1 : text;
  char* name         = strchr(prefix, '.') + 1;
  name[-1]           = '\0';
  if (of_host)
    prefix[-1] = '\0';
  sgf_error_t error = {0};
  for (size_t d = 0; d < sgf_fabric_device_count(fabric); d++) {
    sgf_device_t* device = sgf_fabric_device(fabric, d);
    if (sgf_device_is_switch(device) != (strcmp(prefix, "switch") == 0) ||
        (of_host && strcmp(sgf_device_name(device), text) != 0))
      continue;
    must(sgf_device_set(device, prefix, name, value, &error), &error);
  }
}

static void build_engine(const char* model, unsigned hosts, const char* const* settings)
{
  sgf_error_t error = {0};
  fabric            = sgf_fabric_new(1);
  for (unsigned h = 0; h < hosts; h++) {
    char name[16];
    snprintf(name, sizeof name, "h%u", h);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sgf_fabric_add_nic(fabric, name, name, model, &error));
  }
  sgf_device_t* tor = sgf_fabric_add_switch(fabric, "tor", "tor", &error);
  for (; *settings != NULL; settings++)
    apply(*settings);
  for (unsigned h = 0; h < hosts; h++)
    must(sgf_fabric_connect(fabric, sgf_fabric_host(fabric, h), tor, "cable", INT64_C(400000000000), BUDGET_CABLE, 1,
                            &error),
         &error);
  if (tap_of_host != NULL)
    CU_ASSERT_PTR_NOT_NULL_FATAL(
        sgf_fabric_insert(fabric, sgf_fabric_find(fabric, tap_host), 0, "taps.t0", &tap_type, &error));
  must(sgf_fabric_seal(fabric, &error), &error);
}

static void build_simgrid(const char* model, unsigned hosts, const char* const* settings)
{
  enum { MOST = 32 };
  static char texts[MOST][256];
  const char* list[MOST + 1] = {0};
  for (unsigned i = 0; settings[i] != NULL; i++) {
    CU_ASSERT_FATAL(i < MOST);
    snprintf(texts[i], sizeof texts[i], "**.%s", settings[i]);
    list[i] = texts[i];
  }
  if (tap_of_host != NULL)
    run_tap(tap_host, tap_of_host);
  run_rack_of(model, hosts, "100ns", list);
  fabric = sg_fabric_get();
}

sgf_fabric_t* budget_rack(budget_seat_t seat_is, const char* model, unsigned hosts, const char* const* settings)
{
  seat_of_rack = seat_is;
  if (seat_is == BUDGET_ENGINE)
    build_engine(model, hosts, settings);
  else
    build_simgrid(model, hosts, settings);
  return fabric;
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

void budget_rack_write(unsigned src, unsigned dst, uint64_t bytes)
{
  if (seat_of_rack == BUDGET_SIMGRID) {
    run_write(src, dst, bytes, 0);
    return;
  }
  sgf_op_t* op = sgf_op_write(fabric, sgf_fabric_host(fabric, src), sgf_fabric_host(fabric, dst), bytes, 0, 0, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(op);
  sgf_op_unref(op);
}

const sgf_report_t* budget_rack_run(void)
{
  if (seat_of_rack == BUDGET_SIMGRID) {
    CU_ASSERT_EQUAL(run_all(), SGF_OK);
    return run_report();
  }
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_engine_drain(fabric), SGF_ENGINE_IDLE);
  must(sgf_fabric_check_end(fabric, NULL, NULL, &error), &error);
  report = sgf_report_new(fabric);
  return report;
}

void budget_rack_free(void)
{
  if (seat_of_rack == BUDGET_ENGINE) {
    sgf_report_free(report);
    sgf_fabric_free(fabric);
  }
  report = NULL;
  fabric = NULL;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

opp_simtime_t budget_makespan(const sgf_report_t* of)
{
  opp_simtime_t last = 0;
  for (size_t i = 0; i < of->flow_count; i++) {
    CU_ASSERT(of->flows[i].end > 0);
    if (of->flows[i].end > last)
      last = of->flows[i].end;
  }
  return last;
}
