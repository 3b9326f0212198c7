#include "switch/simulation_taps_support.h"

#include <CUnit/CUnit.h>
#include <sgfabric/simgrid.h>
#include <stdio.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/uet/uet.h"
#include "opp/kernel.h"

enum { MOST_TAPS = 16, FROM_DEVICE = 0 };

static struct {
  sim_tap_t asked;
  opp_module_t* module;
  sim_frame_t* frames;
  size_t count;
  size_t capacity;
} taps[MOST_TAPS];
static unsigned tap_count;

static void note(unsigned tap, opp_simtime_t date, opp_msg_t* msg)
{
  if (taps[tap].count == taps[tap].capacity) {
    taps[tap].capacity = taps[tap].capacity == 0 ? 256 : 2 * taps[tap].capacity;
    taps[tap].frames   = sgf_realloc(taps[tap].frames, taps[tap].capacity, sizeof *taps[tap].frames);
  }
  taps[tap].frames[taps[tap].count++] = (sim_frame_t){.date = date, .bytes = msg->bytes, .header = *net_frame(msg)};
}

static unsigned number_of(const opp_module_t* module)
{
  unsigned tap = 0;
  while (taps[tap].module != module)
    tap++;
  return tap;
}

static void handle_message(opp_module_t* self, opp_msg_t* msg)
{
  const unsigned tap = number_of(self);
  const int from     = opp_gate_index(opp_msg_arrival_gate(msg));
  const bool is_pfc  = net_frame(msg)->type == NET_FRAME_PFC;
  if (from == FROM_DEVICE && is_pfc && taps[tap].asked.keep_pauses) {
    opp_msg_delete(msg);
    return;
  }
  if (from == FROM_DEVICE)
    note(tap, opp_sim_time(self), msg);
  opp_send(self, msg, opp_gate(self, "port$o", 1 - from));
}

static const opp_module_type_t tap_type = {.name = "tap", .handle_message = handle_message};

static sgf_status_t insert(void* unused, sgf_fabric_t* fabric, sgf_error_t* error)
{
  (void)unused;
  for (unsigned i = 0; i < tap_count; i++) {
    char path[24];
    snprintf(path, sizeof path, "taps.t%u", i);
    sgf_device_t* device = sgf_fabric_find(fabric, taps[i].asked.device);
    CU_ASSERT_PTR_NOT_NULL_FATAL(device);
    taps[i].module = sgf_fabric_insert(fabric, device, taps[i].asked.port, path, &tap_type, error);
    if (taps[i].module == NULL)
      return error->status;
  }
  return SGF_OK;
}

static void release(void)
{
  for (unsigned i = 0; i < tap_count; i++)
    free(taps[i].frames);
}

unsigned sim_tap(const sim_tap_t* tap)
{
  CU_ASSERT_FATAL(tap_count < MOST_TAPS);
  if (tap_count == 0) {
    sg_fabric_on_build(insert, NULL);
    atexit(release);
  }
  taps[tap_count].asked = *tap;
  return tap_count++;
}

size_t sim_frame_count(unsigned tap)
{
  return taps[tap].count;
}

const sim_frame_t* sim_frame(unsigned tap, size_t n)
{
  CU_ASSERT_FATAL(n < taps[tap].count);
  return &taps[tap].frames[n];
}

static bool is_data(const sim_frame_t* frame)
{
  return frame->header.type == NET_FRAME_IP && uet_header_const(&frame->header)->type == UET_DATA;
}

const sim_frame_t* sim_data_frame(unsigned tap, size_t n)
{
  for (size_t i = 0; i < taps[tap].count; i++)
    if (is_data(&taps[tap].frames[i]) && n-- == 0)
      return &taps[tap].frames[i];
  CU_FAIL_FATAL("this packet never came");
  return NULL;
}

size_t sim_data_frame_count(unsigned tap)
{
  size_t found = 0;
  for (size_t i = 0; i < taps[tap].count; i++)
    found += is_data(&taps[tap].frames[i]);
  return found;
}

size_t sim_frames_with(unsigned tap, unsigned dscp)
{
  size_t found = 0;
  for (size_t n = 0; n < taps[tap].count; n++)
    found += taps[tap].frames[n].header.type == NET_FRAME_IP && taps[tap].frames[n].header.dscp == dscp;
  return found;
}
