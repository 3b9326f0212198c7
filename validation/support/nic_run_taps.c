/* Taps on the cables of NICs: see nic_run_taps.h. */
#include "support/nic_run_taps.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "opp/kernel.h"

enum { MOST_TAPS = 4, FROM_HOST = 0 };

static struct {
  const char* host;
  run_tap_t tap;
  opp_module_t* module;
} taps[MOST_TAPS];
static unsigned tap_count;

static void handle_message(opp_module_t* self, opp_msg_t* msg)
{
  const int from = opp_gate_index(opp_msg_arrival_gate(msg));
  unsigned i     = 0;
  while (taps[i].module != self)
    i++;
  const opp_simtime_t delay = taps[i].tap(msg, opp_sim_time(self), from != FROM_HOST);
  if (delay == RUN_LOST)
    opp_msg_delete(msg);
  else
    opp_send_delayed(self, msg, delay, opp_gate(self, "port$o", 1 - from));
}

static const opp_module_type_t tap_type = {.name = "nic_tap", .handle_message = handle_message};

static sgf_status_t insert(void* unused, sgf_fabric_t* fabric, sgf_error_t* error)
{
  (void)unused;
  for (unsigned i = 0; i < tap_count; i++) {
    char path[24];
    snprintf(path, sizeof path, "taps.t%u", i);
    sgf_device_t* host = sgf_fabric_find(fabric, taps[i].host);
    CU_ASSERT_PTR_NOT_NULL_FATAL(host);
    taps[i].module = sgf_fabric_insert(fabric, host, 0, path, &tap_type, error);
    if (taps[i].module == NULL)
      return error->status;
  }
  return SGF_OK;
}

void run_tap(const char* host, run_tap_t tap)
{
  CU_ASSERT_FATAL(tap_count < MOST_TAPS);
  if (tap_count == 0)
    sg_fabric_on_build(insert, NULL);
  taps[tap_count].host  = host;
  taps[tap_count++].tap = tap;
}
