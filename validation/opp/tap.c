/* Modules that a user inserts on the cables of a fabric: dates, losses, bounds, refusals. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric_internal.h"
#include "fabric/fabric_support.h"

/* ---- A tap ------------------------------------------------------------------------------------------------------- */

/* Keeps each frame for `delay`, or a random time up to it, and drops every drop-th. */
static const opp_parameter_t parameters[] = {{"delay", OPP_PAR_TIME, NULL, "0ps"},
                                             {"jitter", OPP_PAR_BOOL, NULL, "false"},
                                             {"drop", OPP_PAR_INT, NULL, "0"},
                                             {0}};

typedef struct tap {
  uint64_t frames[2]; /* by gate that they came in at */
  opp_simtime_t free_at[2];
} tap_t;

static void tap_handle_message(opp_module_t* self, opp_msg_t* frame)
{
  tap_t* tap     = opp_module_state(self);
  const int from = opp_gate_index(opp_msg_arrival_gate(frame));
  const int drop = (int)opp_par_int(self, "drop");
  tap->frames[from]++;
  if (drop > 0 && tap->frames[from] % (uint64_t)drop == 0) {
    opp_msg_delete(frame);
    return;
  }
  opp_simtime_t leaves = opp_sim_time(self) + opp_par_time(self, "delay");
  if (opp_par_bool(self, "jitter")) { /* in order: a burst of what was kept may leave at one instant */
    leaves = opp_sim_time(self) + opp_rng_intuniform(opp_rng(self, 0), 0, opp_par_time(self, "delay"));
    if (leaves < tap->free_at[from])
      leaves = tap->free_at[from];
    tap->free_at[from] = leaves;
  }
  opp_send_delayed(self, frame, leaves - opp_sim_time(self), opp_gate(self, "port$o", 1 - from));
}

static const opp_module_type_t tap_type = {
    .name = "tap", .state_size = sizeof(tap_t), .handle_message = tap_handle_message, .parameters = parameters};

/* ---- A fabric ---------------------------------------------------------------------------------------------------- */

typedef struct tapped {
  sgf_fabric_t* fabric;
  sgf_device_t* hosts[4];
  sgf_device_t* tor;
  opp_module_t* tap;
} tapped_t;

static void set(opp_module_t* tap, const char* name, const char* value)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(opp_par_set(tap, name, value, &error), SGF_OK);
}

/* h0 to h3 around a switch, joined by cables of 100 ns; not sealed. */
static tapped_t star_new(uint64_t seed, int64_t bps)
{
  sgf_error_t error = {0};
  tapped_t rig      = {.fabric = sgf_fabric_new(seed)};
  rig.tor           = rig_switch(rig.fabric, "tor");
  for (int h = 0; h < 4; h++) {
    char name[16];
    snprintf(name, sizeof name, "h%d", h);
    rig.hosts[h] = rig_host(rig.fabric, name);
    sgf_device_set(rig.hosts[h], "nic", "InitialBaseRTT", "100us", &error); /* a window for whole messages */
    sgf_fabric_connect(rig.fabric, rig.hosts[h], rig.tor, name, bps, 100 * OPP_NS, 1, &error);
  }
  return rig;
}

static opp_module_t* insert(tapped_t* rig, sgf_device_t* device, unsigned port, const char* path, const char* delay)
{
  sgf_error_t error = {0};
  opp_module_t* tap = sgf_fabric_insert(rig->fabric, device, port, path, &tap_type, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(tap);
  set(tap, "delay", delay);
  return tap;
}

/* That, with 400 Gb/s and a tap at h1 unless `delay` is NULL. */
static tapped_t tapped_new(uint64_t seed, const char* delay)
{
  tapped_t rig = star_new(seed, 400 * GBPS);
  if (delay != NULL)
    rig.tap = insert(&rig, rig.hosts[1], 0, "taps.h1", delay);
  return rig;
}

static void seal(tapped_t* rig)
{
  sgf_error_t error = {0};
  if (sgf_fabric_seal(rig->fabric, &error) != SGF_OK)
    printf("\n  %s\n", error.text);
  CU_ASSERT_EQUAL_FATAL(error.status, SGF_OK);
}

static sgf_op_t* post_write(tapped_t* rig, int src, int dst, uint64_t bytes)
{
  sgf_error_t error = {0};
  sgf_op_t* op      = sgf_op_write(rig->fabric, rig->hosts[src], rig->hosts[dst], bytes, 0, 0, 0, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(op);
  sgf_op_set_awaited(op, true);
  return op;
}

/* When a write between two hosts is complete; everything is checked and freed. */
static opp_simtime_t completion(tapped_t rig, int src, int dst, uint64_t bytes)
{
  sgf_error_t error = {0};
  seal(&rig);
  sgf_op_t* op = post_write(&rig, src, dst, bytes);
  while (!sgf_op_done(op) && sgf_engine_advance(rig.fabric, OPP_TIME_MAX) == SGF_ENGINE_COMPLETION)
    while (sgf_engine_completed(rig.fabric) != NULL)
      continue;
  const opp_simtime_t end = sgf_op_end(op);
  CU_ASSERT_EQUAL(sgf_op_status(op), SGF_OK);
  sgf_engine_drain(rig.fabric);
  if (sgf_fabric_check_end(rig.fabric, NULL, NULL, &error) != SGF_OK)
    printf("\n  %s\n", error.text);
  CU_ASSERT_EQUAL(error.status, SGF_OK);
  sgf_op_unref(op);
  sgf_fabric_free(rig.fabric);
  return end;
}

/* ---- Dates ------------------------------------------------------------------------------------------------------- */

SGF_TEST(a_tap_without_delay_changes_no_date)
{
  const opp_simtime_t without = completion(tapped_new(1, NULL), 0, 1, 300000);
  CU_ASSERT(without > 0);
  CU_ASSERT_EQUAL(completion(tapped_new(1, "0ps"), 0, 1, 300000), without);
  CU_ASSERT_EQUAL(completion(tapped_new(1, "0ps"), 1, 2, 300000), completion(tapped_new(1, NULL), 1, 2, 300000));
}

SGF_TEST(a_delay_is_paid_both_ways)
{
  const opp_simtime_t without = completion(tapped_new(1, NULL), 0, 1, 3000);
  CU_ASSERT_EQUAL(completion(tapped_new(1, "700ns"), 0, 1, 3000), without + 1400 * OPP_NS);
  CU_ASSERT_EQUAL(completion(tapped_new(1, "700ns"), 1, 0, 3000), without + 1400 * OPP_NS);
  CU_ASSERT_EQUAL(completion(tapped_new(1, "700ns"), 0, 2, 3000), completion(tapped_new(1, NULL), 0, 2, 3000));
}

SGF_TEST(a_tap_sees_every_frame_on_its_cable)
{
  tapped_t rig = tapped_new(1, "0ps");
  seal(&rig);
  sgf_op_t* op = post_write(&rig, 0, 1, 300000);
  sgf_engine_drain(rig.fabric);
  const tap_t* tap     = opp_module_state(rig.tap);
  sgf_report_t* report = sgf_report_new(rig.fabric);
  size_t found         = 0;
  for (size_t i = 0; i < report->link_count; i++) {
    const sgf_link_use_t* link = &report->links[i];
    if (strcmp(link->from, "h1") == 0 && ++found)
      CU_ASSERT_EQUAL(tap->frames[0], link->frames);
    if (strcmp(link->to, "h1") == 0 && ++found)
      CU_ASSERT_EQUAL(tap->frames[1], link->frames);
  }
  CU_ASSERT_EQUAL(found, 2);
  CU_ASSERT(tap->frames[0] > 0 && tap->frames[1] > 0);
  sgf_report_free(report);
  sgf_op_unref(op);
  sgf_fabric_free(rig.fabric);
}

SGF_TEST(what_a_tap_drops_is_sent_again)
{
  tapped_t rig = tapped_new(1, "0ps");
  set(rig.tap, "drop", "10");
  CU_ASSERT(completion(rig, 0, 1, 300000) > completion(tapped_new(1, "0ps"), 0, 1, 300000));
}

SGF_TEST(a_tap_between_switches_is_in_the_way_of_both_directions)
{
  opp_simtime_t ends[2];
  for (int with = 0; with < 2; with++) {
    tapped_t rig        = {.fabric = sgf_fabric_new(1)};
    sgf_device_t* left  = rig_switch(rig.fabric, "left");
    sgf_device_t* right = rig_switch(rig.fabric, "right");
    rig.hosts[0]        = rig_host(rig.fabric, "h0");
    rig.hosts[1]        = rig_host(rig.fabric, "h1");
    rig_connect(rig.fabric, rig.hosts[0], left);
    rig_connect(rig.fabric, rig.hosts[1], right);
    rig_connect(rig.fabric, left, right);
    if (with)
      insert(&rig, right, 1, "middle", "1us");
    ends[with] = completion(rig, 0, 1, 3000);
  }
  CU_ASSERT_EQUAL(ends[1], ends[0] + 2 * OPP_US);
}

/* ---- Bounds ------------------------------------------------------------------------------------------------------ */

/* Random traffic through taps at two hosts, the bound read after every event: no completion comes before it. Slow
 * cables are slower than PCIe, so that a burst which leaves a tap at one instant is soon in memory; delays beyond the
 * retransmission timeout make copies, of which the first completes. */
static void check_bounds(uint64_t seed, int64_t bps, const char* delay, const char* second_delay)
{
  sgf_error_t error = {0};
  tapped_t rig      = star_new(seed, bps);
  set(insert(&rig, rig.hosts[1], 0, "taps.h1", delay), "jitter", "true");
  set(insert(&rig, rig.tor, 2, "taps.h2", second_delay), "jitter", "true");
  seal(&rig);
  opp_rng_t* rng      = opp_rng(rig.fabric->net, 3);
  opp_simtime_t bound = OPP_TIME_MAX;
  sgf_op_t* ops[64];
  size_t posted    = 0;
  size_t at_once   = 0;
  size_t completed = 0;
  size_t expected  = 0;
  while (posted < 64 || sgf_engine_next_event(rig.fabric) != OPP_TIME_MAX) {
    const opp_simtime_t now = sgf_engine_clock(rig.fabric);
    if (posted < 64 && (opp_rng_bernoulli(rng, 0.02) || sgf_engine_next_event(rig.fabric) == OPP_TIME_MAX)) {
      sgf_device_t* src    = rig.hosts[opp_rng_intuniform(rng, 0, 3)];
      sgf_device_t* dst    = rig.hosts[opp_rng_intuniform(rng, 0, 3)];
      const uint64_t bytes = (uint64_t)opp_rng_intuniform(rng, 0, 60000);
      sgf_op_t* op         = opp_rng_bernoulli(rng, 0.4) ? sgf_op_recv(rig.fabric, dst, 0, now, 0)
                                                         : sgf_op_write(rig.fabric, src, dst, bytes, 0, now, 0, &error);
      ops[posted++]        = op;
      sgf_op_set_awaited(op, true);
      if (sgf_op_done(op)) /* a receive whose message has been there already */
        at_once++;
      else
        bound = sgf_engine_bound_with(rig.fabric, op, bound);
    }
    opp_simtime_t next = sgf_engine_next_event(rig.fabric);
    if (next == OPP_TIME_MAX)
      continue;
    next = next > now ? next : now + 1;
    while (sgf_engine_advance(rig.fabric, next) == SGF_ENGINE_COMPLETION)
      while (sgf_engine_completed(rig.fabric) != NULL) {
        completed++;
        CU_ASSERT(sgf_engine_clock(rig.fabric) >= bound);
      }
    const opp_simtime_t now_bound = sgf_engine_bound(rig.fabric);
    if (now_bound > bound || bound == OPP_TIME_MAX)
      bound = now_bound;
  }
  for (size_t i = 0; i < posted; i++) {
    expected += sgf_op_done(ops[i]);
    sgf_op_unref(ops[i]);
  }
  CU_ASSERT(completed > 20 && completed + at_once == expected);
  CU_ASSERT_EQUAL(sgf_fabric_error(rig.fabric)->status, SGF_OK);
  sgf_fabric_free(rig.fabric);
}

SGF_TEST(no_completion_comes_before_its_bound)
{
  for (uint64_t seed = 1; seed <= 6; seed++) {
    check_bounds(seed, 400 * GBPS, "5us", "300ns");
    check_bounds(seed, 400 * GBPS, "500ns", "20us");
    check_bounds(seed, 10 * GBPS, "50us", "40us");
    check_bounds(seed, GBPS, "400us", "300us");
  }
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void check_refused(tapped_t* rig, sgf_device_t* device, unsigned port, const char* path, sgf_status_t status,
                          const char* words)
{
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(sgf_fabric_insert(rig->fabric, device, port, path, &tap_type, &error));
  CU_ASSERT_EQUAL(error.status, status);
  if (strstr(error.text, words) == NULL)
    printf("\n  is: %s\n", error.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, words));
}

SGF_TEST(what_cannot_be_inserted_is_refused)
{
  tapped_t rig = tapped_new(1, "0ps");
  check_refused(&rig, rig.hosts[0], 1, "x", SGF_RANGE, "'h0' has 1 cable");
  check_refused(&rig, rig.tor, 1, "x", SGF_TOPOLOGY, "'net.taps.h1' is on cable"); /* the other end of h1's */
  check_refused(&rig, rig.hosts[0], 0, "taps.h1", SGF_TOPOLOGY, "there is one of this path");
  seal(&rig);
  check_refused(&rig, rig.hosts[0], 0, "x", SGF_STATE, "sealed");
  sgf_fabric_free(rig.fabric);
}

SGF_TEST(a_tap_on_a_devices_path_is_an_error_when_sealing)
{
  sgf_error_t error = {0};
  tapped_t rig      = tapped_new(1, NULL);
  CU_ASSERT_PTR_NOT_NULL(sgf_fabric_insert(rig.fabric, rig.hosts[0], 0, sgf_device_path(rig.tor), &tap_type, &error));
  CU_ASSERT_EQUAL(sgf_fabric_seal(rig.fabric, &error), SGF_MODEL);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "of this name already"));
  sgf_fabric_free(rig.fabric);
}
