#include "victims_support.h"

#include "harness.h"

static void set(sgf_device_t* device, const char* prefix, const char* name, const char* value)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_device_set(device, prefix, name, value, &error), SGF_OK);
}

sgf_device_t* victims_host(sgf_fabric_t* fabric, const char* name, const char* model)
{
  sgf_error_t error  = {0};
  sgf_device_t* host = sgf_fabric_add_nic(fabric, name, name, model, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(host);
  if (model[0] == 'u' && model[1] == 'd')
    set(host, "nic", "HeaderBytes", "58"); /* as a RoCE NIC has them */
  return host;
}

sgf_device_t* victims_switch(sgf_fabric_t* fabric, const char* name, const char* const* settings)
{
  sgf_error_t error    = {0};
  sgf_device_t* device = sgf_fabric_add_switch(fabric, name, name, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(device);
  set(device, "switch", "PoolAllocationMap", "[0.5, 0.5, 0, 0, 0, 0, 0, 0]");
  set(device, "switch", "StaticPoolXoffThreshold", "40KB");
  set(device, "switch", "StaticPoolXonThreshold", "20KB");
  for (; settings != NULL && *settings != NULL; settings += 2)
    set(device, "switch", settings[0], settings[1]);
  return device;
}

void victims_cable(sgf_fabric_t* fabric, sgf_device_t* a, sgf_device_t* b, int64_t bps, unsigned count)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_connect(fabric, a, b, "cable", bps, 100 * OPP_NS, count, &error), SGF_OK);
}

void victims_seal(sgf_fabric_t* fabric, bool watched)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, &error), SGF_OK);
  if (watched)
    sgf_victims_watch(fabric);
  CU_ASSERT_EQUAL(sgf_victims_are_watched(fabric), watched);
}

r2_t r2_new(const char* model, int64_t bps_to_d, const char* const* settings)
{
  r2_t r2 = {.fabric = sgf_fabric_new(1)};
  r2.a    = victims_host(r2.fabric, "A", model);
  r2.d    = victims_host(r2.fabric, "D", model);
  r2.e    = victims_host(r2.fabric, "E", model);
  r2.u    = victims_switch(r2.fabric, "U", settings);
  r2.v    = victims_switch(r2.fabric, "V", NULL);
  victims_cable(r2.fabric, r2.u, r2.a, VICTIMS_BPS, 1);
  victims_cable(r2.fabric, r2.v, r2.u, VICTIMS_BPS, 1);
  victims_cable(r2.fabric, r2.v, r2.d, bps_to_d, 1);
  victims_cable(r2.fabric, r2.v, r2.e, VICTIMS_BPS, 1);
  victims_seal(r2.fabric, true);
  return r2;
}

void r2_free(r2_t* r2)
{
  sgf_fabric_free(r2->fabric);
}

void victims_post_in(sgf_fabric_t* fabric, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes, opp_simtime_t date,
                     unsigned tc)
{
  sgf_error_t error = {0};
  sgf_op_t* write   = sgf_op_write(fabric, src, dst, bytes, 0, date, 0, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(write);
  if (tc > 0)
    CU_ASSERT_EQUAL_FATAL(sgf_op_set_classes(write, tc, tc, &error), SGF_OK);
  sgf_op_unref(write);
}

void victims_post(sgf_fabric_t* fabric, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes, opp_simtime_t date)
{
  victims_post_in(fabric, src, dst, bytes, date, 0);
}

void victims_run(sgf_fabric_t* fabric)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_engine_drain(fabric), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(fabric, NULL, NULL, &error), SGF_OK);
}

opp_simtime_t victims_run_to_frame(sgf_fabric_t* fabric, const sgf_device_t* device, unsigned port, uint64_t frames)
{
  while (sgf_device_port_stats(device, port).tx_packets < frames) {
    const opp_simtime_t next = sgf_engine_next_event(fabric);
    const bool is_post       = next == sgf_engine_clock(fabric); /* which has to be passed */
    CU_ASSERT_FATAL(next < OPP_TIME_MAX);
    CU_ASSERT_FATAL(sgf_engine_advance(fabric, is_post ? next + 1 : next) != SGF_ENGINE_ERROR);
  }
  return sgf_engine_clock(fabric);
}

opp_simtime_t victims_paused(const sgf_device_t* device, unsigned port, unsigned tc)
{
  return sgf_device_class_stats(device, port, tc).paused;
}

bool victims_is_at(const sgf_queue_place_t* place, const sgf_device_t* device, unsigned port, unsigned tc)
{
  return place->device == device && place->port == port && place->tc == tc;
}
