#include "ring_support.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static const unsigned outs[] = {1, 1, 1};
static const unsigned ins[]  = {2, 0, 0};
enum { OUT_TO_X = 2 };

/* ---- Building ---------------------------------------------------------------------------------------------------- */

static void set(sgf_device_t* device, const char* prefix, const char* name, const char* value)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_device_set(device, prefix, name, value, &error), SGF_OK);
}

/* Of frames of the MRC NIC, or of the RoCE NIC. */
static unsigned headers_of(unsigned frame)
{
  return frame == 4174 ? 78 : 58;
}

static sgf_device_t* add_host(ring_t* ring, const char* name, unsigned frame)
{
  sgf_error_t error  = {0};
  sgf_device_t* host = sgf_fabric_add_nic(ring->fabric, name, name, "udp", &error);
  char mss[16], headers[16];
  CU_ASSERT_PTR_NOT_NULL_FATAL(host);
  snprintf(mss, sizeof mss, "%u", ring->mss);
  snprintf(headers, sizeof headers, "%u", headers_of(frame));
  set(host, "nic", "MSS", mss);
  set(host, "nic", "HeaderBytes", headers);
  return host;
}

static sgf_device_t* add_switch(ring_t* ring, const char* name, const char* const* settings)
{
  sgf_error_t error    = {0};
  sgf_device_t* device = sgf_fabric_add_switch(ring->fabric, name, name, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(device);
  set(device, "switch", "EnablePFC", "[1, 0, 0, 0, 0, 0, 0, 0]");
  set(device, "switch", "StaticPoolXoffThreshold", "40KB");
  set(device, "switch", "StaticPoolXonThreshold", "20KB");
  set(device, "switch", "HeadRoomPerPortLimit", "109KB");
  for (; *settings != NULL; settings += 2)
    set(device, "switch", settings[0], settings[1]);
  return device;
}

static void join(ring_t* ring, sgf_device_t* a, sgf_device_t* b, opp_simtime_t delay)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_connect(ring->fabric, a, b, "cable", INT64_C(400000000000), delay, 1, &error),
                        SGF_OK);
}

ring_t ring_new(unsigned frame, const char* const* settings)
{
  ring_t ring       = {.fabric = sgf_fabric_new(1), .mss = frame - headers_of(frame)};
  sgf_error_t error = {0};
  ring.h1           = add_host(&ring, "h1", frame);
  ring.x            = add_host(&ring, "X", frame);
  for (unsigned i = 0; i < RING_SWITCHES; i++)
    ring.switches[i] = add_switch(&ring, (const char* const[]){"S1", "S2", "S3"}[i], settings);
  join(&ring, ring.h1, ring.switches[0], 100 * OPP_NS);
  for (unsigned i = 0; i < RING_SWITCHES; i++)
    join(&ring, ring.switches[i], ring.switches[(i + 1) % RING_SWITCHES], 500 * OPP_NS);
  join(&ring, ring.switches[2], ring.x, 100 * OPP_NS);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(ring.fabric, &error), SGF_OK);
  for (unsigned i = 0; i < RING_SWITCHES; i++) {
    CU_ASSERT_PTR_EQUAL_FATAL(sgf_device_peer(ring.switches[i], outs[i]), ring.switches[(i + 1) % RING_SWITCHES]);
    CU_ASSERT_EQUAL_FATAL(sgf_device_peer_port(ring.switches[i], outs[i]), ins[(i + 1) % RING_SWITCHES]);
    CU_ASSERT_EQUAL_FATAL(sgf_fabric_set_route(ring.switches[i], ring.x, outs[i], &error), SGF_OK);
  }
  sgf_fabric_stop_on_deadlock(ring.fabric, false);
  return ring;
}

void ring_free(ring_t* ring)
{
  sgf_fabric_free(ring->fabric);
}

void ring_repair(const ring_t* ring, bool repaired)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(
      sgf_fabric_set_route(ring->switches[2], ring->x, repaired ? (unsigned)OUT_TO_X : outs[2], &error), SGF_OK);
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

void ring_send_at(const ring_t* ring, uint64_t frames, opp_simtime_t date)
{
  sgf_error_t error = {0};
  sgf_op_t* write   = sgf_op_write(ring->fabric, ring->h1, ring->x, frames * ring->mss, 0, date, 0, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(write);
  sgf_op_unref(write);
}

opp_simtime_t ring_send(const ring_t* ring, uint64_t frames)
{
  ring_send_at(ring, frames, 0);
  ring_run(ring, 1); /* beyond the date of the post */
  while (sgf_fabric_packet_hops(ring->fabric) == 0)
    ring_run(ring, sgf_engine_next_event(ring->fabric));
  return sgf_engine_clock(ring->fabric);
}

void ring_run(const ring_t* ring, opp_simtime_t date)
{
  const sgf_engine_state_t state = sgf_engine_advance(ring->fabric, date);
  CU_ASSERT_FATAL(state == SGF_ENGINE_HORIZON || state == SGF_ENGINE_IDLE);
}

/* ---- Looking ----------------------------------------------------------------------------------------------------- */

uint64_t ring_sent(const ring_t* ring)
{
  return sgf_device_port_stats(ring->h1, 0).tx_packets;
}

switch_state_t* ring_switch(const ring_t* ring, unsigned number)
{
  char path[64];
  snprintf(path, sizeof path, "net.%s", sgf_device_path(ring->switches[number - 1]));
  opp_module_t* module = opp_module_by_path(sgf_fabric_sim(ring->fabric), path);
  CU_ASSERT_PTR_NOT_NULL_FATAL(module);
  return switch_state(module);
}

unsigned ring_out(unsigned number)
{
  return outs[number - 1];
}

unsigned ring_in(unsigned number)
{
  return ins[number - 1];
}

const switch_port_t* ring_egress(const ring_t* ring, unsigned number)
{
  return &ring_switch(ring, number)->ports[ring_out(number)];
}

int64_t ring_ingress_bytes(const ring_t* ring, unsigned number)
{
  const sgf_shared_buffer_t* buffer = ring_switch(ring, number)->buffer;
  return sgf_sb_occupancy(buffer, ring_in(number), 0) + sgf_sb_headroom(buffer, ring_in(number), 0);
}

opp_simtime_t ring_held_since(const ring_t* ring, unsigned number)
{
  return ring_egress(ring, number)->peer.holds[0].since;
}

uint64_t ring_drops(const ring_t* ring, switch_drop_t cause)
{
  uint64_t drops = 0;
  for (unsigned number = 1; number <= RING_SWITCHES; number++)
    drops += ring_switch(ring, number)->drops[cause];
  return drops;
}

uint64_t ring_all_drops(const ring_t* ring)
{
  uint64_t drops = 0;
  for (switch_drop_t cause = 0; cause < SWITCH_DROP_CAUSES; cause++)
    drops += ring_drops(ring, cause);
  return drops;
}

bool ring_is_locked(const ring_t* ring)
{
  for (unsigned number = 1; number <= RING_SWITCHES; number++) {
    const net_port_t* out = &ring_egress(ring, number)->out;
    if (!(out->held & out->backlog & 1))
      return false;
  }
  return true;
}
