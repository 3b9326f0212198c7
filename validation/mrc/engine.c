/* MRC NICs on the engine alone: the receiver's PCIe against the wire, and what a fabric accepts (spec/mrc-nic.md 14;
 * MR-27, MR-28, MR-30, MR-54, MR-60, MR-68). */
#include "harness.h"

#include <sgfabric/fabric.h>

#include "fabric/fabric_internal.h"
#include "nic/mrc/mrc.h"

#include <stdio.h>
#include <string.h>

#define LINE INT64_C(400000000000)

enum { MSS = 4096, FULL = MSS + 78 };

#define NIC_LANES "NicPCIeInterface/PhysicalLayer/LaneCount"
#define HOST_LANES "HostPCIeInterface/PhysicalLayer/LaneCount"

/* Two hosts and a cable between them. Settings are pairs of attribute and value up to NULL. */
typedef struct couple {
  sgf_fabric_t* fabric;
  sgf_device_t* a;
  sgf_device_t* b;
} couple_t;

static sgf_device_t* add_host(sgf_fabric_t* fabric, const char* name, const char* model, const char* const* settings)
{
  sgf_device_t* host = sgf_fabric_add_nic(fabric, name, name, model, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(host);
  for (; settings != NULL && settings[0] != NULL; settings += 2)
    CU_ASSERT_EQUAL_FATAL(sgf_device_set(host, "nic", settings[0], settings[1], NULL), SGF_OK);
  return host;
}

static void join(sgf_fabric_t* fabric, sgf_device_t* a, sgf_device_t* b)
{
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_connect(fabric, a, b, "cable", LINE, 100 * OPP_NS, 1, NULL), SGF_OK);
}

static couple_t couple_new(const char* const* of_a, const char* const* of_b)
{
  couple_t couple = {.fabric = sgf_fabric_new(1)};
  couple.a        = add_host(couple.fabric, "a", "mrc", of_a);
  couple.b        = add_host(couple.fabric, "b", "mrc", of_b);
  join(couple.fabric, couple.a, couple.b);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(couple.fabric, NULL), SGF_OK);
  return couple;
}

static sgf_op_t* write(sgf_fabric_t* fabric, sgf_device_t* from, sgf_device_t* to, uint64_t bytes)
{
  sgf_op_t* op = sgf_op_write(fabric, from, to, bytes, 0, sgf_engine_clock(fabric), 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(op);
  return op;
}

static void run_until(sgf_fabric_t* fabric, opp_simtime_t date)
{
  CU_ASSERT_NOT_EQUAL_FATAL(sgf_engine_advance(fabric, date), SGF_ENGINE_ERROR);
}

/* Data packets that have arrived at a host, dropped ones too. */
static uint64_t arrivals(const sgf_device_t* host)
{
  return mrc_counters(fabric_nic(host)).data_received + fabric_nic(host)->class_drops[0];
}

/* ---- Thirteen lanes ---------------------------------------------------------------------------------------------- */

/* Senders that no window holds. */
#define STUBBORN "PassThrough", "true"
#define SIXTEEN ((const char* const[]){STUBBORN, NULL})
#define THIRTEEN ((const char* const[]){STUBBORN, NIC_LANES, "13", NULL})
#define GIGABYTES (UINT64_C(4) << 30)

/* To the microsecond in which the receiver drops its first packet. */
static opp_simtime_t first_drop(const couple_t* couple)
{
  opp_simtime_t date = 0;
  while (fabric_nic(couple->b)->rx_drops == 0 && date < 5 * OPP_MS)
    run_until(couple->fabric, date += OPP_US);
  return date;
}

/* Thousandths of a percent of the next `count` arrivals that are dropped. */
static uint64_t dropped_share(const couple_t* couple, uint64_t count)
{
  const uint64_t arrived = arrivals(couple->b);
  const uint64_t dropped = fabric_nic(couple->b)->rx_drops;
  while (arrivals(couple->b) < arrived + count)
    run_until(couple->fabric, sgf_engine_clock(couple->fabric) + 10 * OPP_US);
  return (fabric_nic(couple->b)->rx_drops - dropped) * 100000 / (arrivals(couple->b) - arrived);
}

SGF_TEST(MR_27_and_28_with_13_lanes_the_pool_fills_in_3_64_ms_and_2_11_percent_are_dropped)
{
  const couple_t couple = couple_new(SIXTEEN, THIRTEEN);
  sgf_op_t* op          = write(couple.fabric, couple.a, couple.b, GIGABYTES);
  run_until(couple.fabric, OPP_MS);
  const int64_t before = fabric_nic(couple.b)->ingress[0].occupancy;
  run_until(couple.fabric, 3 * OPP_MS);
  const int64_t grown = fabric_nic(couple.b)->ingress[0].occupancy - before;
  /* 1.0549 B/ns for 2 ms, to a packet at either end. */
  CU_ASSERT(grown > 2109800 - 2 * FULL && grown < 2109800 + 2 * FULL);
  const opp_simtime_t date = first_drop(&couple);
  CU_ASSERT(date > 3630 * OPP_US && date < 3650 * OPP_US);
  const uint64_t share = dropped_share(&couple, 100000);
  CU_ASSERT(share >= 2010 && share <= 2210);
  CU_ASSERT_EQUAL(fabric_nic(couple.b)->class_drops[1], 0);
  sgf_op_unref(op);
  sgf_fabric_free(couple.fabric);
}

/* ---- Sixteen lanes ----------------------------------------------------------------------------------------------- */

SGF_TEST(MR_30_with_16_lanes_the_pool_of_one_receiver_of_many_stays_empty)
{
  enum { SENDERS = 6 };
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* tor    = sgf_fabric_add_switch(fabric, "tor", "tor", NULL);
  sgf_device_t* hosts[SENDERS + 1];
  for (unsigned i = 0; i <= SENDERS; i++) {
    char name[8];
    snprintf(name, sizeof name, "h%u", i);
    hosts[i] = add_host(fabric, name, "mrc", NULL);
    join(fabric, hosts[i], tor);
  }
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, NULL), SGF_OK);
  for (unsigned i = 1; i <= SENDERS; i++)
    sgf_op_unref(write(fabric, hosts[i], hosts[0], GIGABYTES));
  run_until(fabric, OPP_MS);
  const nic_t* nic = fabric_nic(hosts[0]);
  CU_ASSERT_EQUAL(nic->rx_drops, 0);
  CU_ASSERT(nic->ingress[0].peak > 0 && nic->ingress[0].peak <= 2 * FULL);
  CU_ASSERT(arrivals(hosts[0]) > 11900); /* of the 11,978 that fit 1 ms */
  sgf_fabric_free(fabric);
}

/* Gbps of payload that arrive in 200 us, when both ends have begun. */
static double payload_rate(const char* const* settings)
{
  const couple_t couple = couple_new(settings, settings);
  sgf_op_t* op          = write(couple.fabric, couple.a, couple.b, GIGABYTES);
  run_until(couple.fabric, 100 * OPP_US);
  const uint64_t before = arrivals(couple.b);
  run_until(couple.fabric, 300 * OPP_US);
  const double packets = (double)(arrivals(couple.b) - before);
  sgf_op_unref(op);
  sgf_fabric_free(couple.fabric);
  return packets * MSS * 8 / 200000;
}

/* To a packet in 200 us at either end, 0.33 Gbps together. */
SGF_TEST(MR_54_eight_lanes_at_the_host_cap_sending_at_236_46_Gbps)
{
  const double with_8 = payload_rate((const char* const[]){HOST_LANES, "8", NULL});
  CU_ASSERT(with_8 > 236.46 - 0.33 && with_8 < 236.46 + 0.33);
  const double with_16 = payload_rate(NULL);
  CU_ASSERT(with_16 > 392.53 - 0.33 && with_16 < 392.53 + 0.33);
}

/* ---- The same seed ----------------------------------------------------------------------------------------------- */

/* Bytes by uplink of a leaf with four spines, which depend on every entropy value that was drawn. */
static void uplinks(uint64_t seed, uint64_t bytes[4])
{
  sgf_fabric_t* fabric   = sgf_fabric_new(seed);
  sgf_device_t* leaves[] = {sgf_fabric_add_switch(fabric, "l0", "l0", NULL),
                            sgf_fabric_add_switch(fabric, "l1", "l1", NULL)};
  sgf_device_t* a        = add_host(fabric, "a", "mrc", NULL);
  sgf_device_t* b        = add_host(fabric, "b", "mrc", NULL);
  join(fabric, a, leaves[0]);
  join(fabric, b, leaves[1]);
  for (unsigned s = 0; s < 4; s++) {
    char name[8];
    snprintf(name, sizeof name, "s%u", s);
    sgf_device_t* spine = sgf_fabric_add_switch(fabric, name, name, NULL);
    join(fabric, leaves[0], spine);
    join(fabric, leaves[1], spine);
  }
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, NULL), SGF_OK);
  sgf_op_unref(write(fabric, a, b, 1000 * MSS + 77));
  run_until(fabric, 20 * OPP_US); /* under way: where the last packets are depends on the order of the values */
  for (unsigned s = 0; s < 4; s++)
    bytes[s] = switch_state(leaves[0]->module)->ports[1 + s].out.bytes;
  sgf_fabric_free(fabric);
}

SGF_TEST(MR_60_the_same_seed_takes_the_same_paths)
{
  uint64_t first[4], again[4], other[4];
  uplinks(5, first);
  uplinks(5, again);
  uplinks(6, other);
  CU_ASSERT_EQUAL(memcmp(first, again, sizeof first), 0);
  CU_ASSERT_NOT_EQUAL(memcmp(first, other, sizeof first), 0);
  for (unsigned s = 0; s < 4; s++)
    CU_ASSERT(first[s] > 0);
}

/* ---- What a fabric accepts --------------------------------------------------------------------------------------- */

/* The UET policy, perhaps trimming with these classes under PFC, and a second host of this model. */
static sgf_status_t seal(bool trimming, const char* pfc, const char* model, sgf_error_t* error)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* tor    = sgf_fabric_add_switch(fabric, "tor", "tor", NULL);
  *error               = (sgf_error_t){0};
  sgf_device_set(tor, "switch", "UETPolicyEnabled", "true", NULL);
  sgf_device_set(tor, "switch", "EnablePFC", pfc, NULL);
  if (trimming)
    sgf_device_set(tor, "switch", "PacketTrimmer.TrimmingEnabled", "true", NULL);
  join(fabric, add_host(fabric, "a", "mrc", NULL), tor);
  join(fabric, add_host(fabric, "b", model, NULL), tor);
  const sgf_status_t status = sgf_fabric_seal(fabric, error);
  sgf_fabric_free(fabric);
  return status;
}

SGF_TEST(MR_68_the_UET_policy_takes_MRC_NICs_and_trimming_takes_no_PFC)
{
  sgf_error_t error;
  CU_ASSERT_EQUAL(seal(false, "[0, 0, 0, 0, 0, 0, 0, 0]", "mrc", &error), SGF_OK);
  CU_ASSERT_EQUAL(seal(true, "[0, 0, 0, 0, 0, 0, 0, 0]", "mrc", &error), SGF_OK);
  CU_ASSERT_EQUAL(seal(true, "[1, 0, 0, 0, 0, 0, 0, 0]", "mrc", &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "TrimmingEnabled"));
  CU_ASSERT_EQUAL(seal(false, "[0, 0, 0, 0, 0, 0, 0, 0]", "roce", &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'b'"));
}
