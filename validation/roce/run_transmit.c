/* spec/roce-nic.md 5.2, 6 and 8.3 in a simulation: transmit pools, the order at the port, received pauses (RO-01,
 * RO-02, RO-07, RO-08, RO-26, RO-27, RO-29 to RO-36, RO-65, RO-70 to RO-72).
 *
 * Pauses come from the other host by hand. */
#include "harness.h"

#include "roce_run_support.h"

#include <sgfabric/stats.h>
#include <string.h>

#define EGRESS(shares) "**.nic.EgressBufferManager.PoolAllocationVector=" shares
#define SCHEDULING "**.nic.EgressBufferManager.QueueSchedulingType="
#define EVERY_ACK "**.nic.AckCoalescingEnabled=false"

static int64_t reserved(unsigned host, unsigned tc)
{
  return run_nic(host)->egress[tc].reserved;
}

/* ---- Pools ------------------------------------------------------------------------------------------------------- */

static int64_t size_of(unsigned host, sgf_pool_side_t side, unsigned tc)
{
  return sgf_device_pool_stats(sgf_fabric_host(sg_fabric_get(), host), side, tc).size;
}

static void send_a_MiB(const char* const* settings)
{
  rrun_cable_of(settings);
  run_write(0, 1, RRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

SGF_SCENARIO(RO_01_and_RO_02_pools_of_the_default_NIC)
{
  send_a_MiB(NULL);
  CU_ASSERT_EQUAL(size_of(0, SGF_POOL_TRANSMIT, 0), 230400);
  CU_ASSERT_EQUAL(size_of(0, SGF_POOL_TRANSMIT, 1), 25600);
  CU_ASSERT_EQUAL(size_of(1, SGF_POOL_RECEIVE, 0), 3600000);
  CU_ASSERT_EQUAL(size_of(1, SGF_POOL_RECEIVE, 1), 400000);
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), 228470); /* RO-07 */
}

SGF_SCENARIO(RO_71_pools_may_exceed_their_buffer)
{
  send_a_MiB(RUN_SETTINGS(EGRESS("[0.9, 0.9, 0, 0, 0, 0, 0, 0]")));
  CU_ASSERT_EQUAL(size_of(0, SGF_POOL_TRANSMIT, 0), 230400);
  CU_ASSERT_EQUAL(size_of(0, SGF_POOL_TRANSMIT, 1), 230400);
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), 228470);
}

SGF_SCENARIO(RO_71_pools_may_leave_some_of_their_buffer)
{
  send_a_MiB(RUN_SETTINGS(EGRESS("[0.5, 0.1, 0, 0, 0, 0, 0, 0]")));
  CU_ASSERT_EQUAL(size_of(0, SGF_POOL_TRANSMIT, 0), 128000);
  CU_ASSERT_EQUAL(size_of(0, SGF_POOL_TRANSMIT, 1), 25600);
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), 30 * 4154);
}

static void hold_data(void)
{
  rrun_pause(1, 0, 65535);
}

static void release_data(void)
{
  rrun_pause(1, 0, 0);
}

/* When the n-th PFC frame of h1 has come to h0, n from 0. */
static opp_simtime_t reached(size_t n)
{
  return rrun_date(RRUN_PFC, false, n);
}

static void the_pool_is_full(void)
{
  CU_ASSERT_EQUAL(reserved(0, 0), 55 * 4154);
  CU_ASSERT_EQUAL(reserved(0, 0), 228470);
  CU_ASSERT_EQUAL(rrun_pair(0, 0)->window.fetch, 55);
  CU_ASSERT(roce_state(run_nic(0))->stopped);
}

static opp_simtime_t restarted = -1;
static int64_t reserved_before;

static void watch_restart(opp_simtime_t now)
{
  if (now > 20 * OPP_US && restarted < 0 && reserved(0, 0) > reserved_before)
    restarted = now;
  else if (restarted < 0)
    reserved_before = reserved(0, 0);
}

/* 28 releases leave 27 packets, 112,158 B: half of the pool is 115,200 B. */
SGF_SCENARIO(RO_01_and_RO_07_and_RO_27_generation_stops_with_55_packets_and_restarts_80_ns_after_the_28th_release)
{
  rrun_cable_of(NULL);
  run_write(0, 1, RRUN_MIB, 1e-6);
  run_look(0, hold_data);
  run_look(19 * OPP_US, the_pool_is_full);
  run_look(20 * OPP_US, release_data);
  run_watch(watch_restart);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(restarted, reached(1) + 2406240);
  CU_ASSERT_EQUAL(reserved_before, 27 * 4154);
  CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, 0), reached(1) + rrun_wire + rrun_cable);
}

static void hold_control_of_h1(void)
{
  rrun_pause(0, 1, 65535);
}

static void control_pool_of_h1_is_full(void)
{
  CU_ASSERT_EQUAL(reserved(1, 1), 203 * 126);
  CU_ASSERT_EQUAL(reserved(1, 1), 25578);
  CU_ASSERT_EQUAL(net_port_queue_length(&run_nic(1)->port, 1), 203);
}

/* The others are merged into one, which goes when there is room. */
SGF_SCENARIO(RO_26_the_control_pool_takes_203_ACKs)
{
  rrun_cable_of(RUN_SETTINGS(EVERY_ACK));
  const size_t write = run_write(0, 1, RRUN_MIB, 1e-6);
  run_look(0, hold_control_of_h1);
  run_look(30 * OPP_US, control_pool_of_h1_is_full);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(rrun_count(ROCE_ACK, false), 204);
  for (uint32_t n = 0; n < 203; n++)
    CU_ASSERT_EQUAL(rrun_nth(ROCE_ACK, false, n)->psn, n);
  CU_ASSERT_EQUAL(rrun_nth(ROCE_ACK, false, 203)->psn, 255);
  CU_ASSERT_EQUAL(run_written(write), rrun_date(RRUN_PFC, true, 0) + rrun_hold + 204 * rrun_ack + rrun_cable);
}

/* ---- A class that is full stops the others (8.3) ----------------------------------------------------------------- */

static void in_class_2(sgf_op_t* write)
{
  CU_ASSERT_EQUAL(sgf_op_set_classes(write, 2, 1, NULL), SGF_OK);
}

static size_t count_of_class(unsigned tc)
{
  size_t count = 0;
  for (size_t i = 0; i < rrun_logged; i++)
    count += rrun_log[i].kind == ROCE_DATA && rrun_log[i].to_host && rrun_log[i].dscp == 8 * tc;
  return count;
}

static void class_2_has_stopped(void)
{
  CU_ASSERT_EQUAL(reserved(0, 0), 30 * 4154);
  CU_ASSERT_EQUAL(reserved(0, 2), 0);
  CU_ASSERT_EQUAL(count_of_class(0), 0);
  CU_ASSERT_EQUAL(count_of_class(2), 30);
}

/* 15 packets on the wire leave 62,310 B of 128,000. Generation takes 80 ns, two fetches 140 ns; class 2 then goes
 * before class 0, at the end of the frame on the wire, the 18th. */
SGF_SCENARIO(RO_70_a_class_without_room_stops_another_one)
{
  rrun_cable_of(RUN_SETTINGS(EGRESS("[0.5, 0.1, 0.4, 0, 0, 0, 0, 0]"),
                             "**.nic.IngressBufferManager.PoolAllocationVector=[0.5, 0.1, 0.4, 0, 0, 0, 0, 0]"));
  run_write(0, 1, RRUN_MIB, 1e-6);
  run_write_as(0, 1, RRUN_MIB, 1e-6, in_class_2);
  run_look(0, hold_data);
  run_look(20 * OPP_US, class_2_has_stopped);
  run_look(20 * OPP_US, release_data);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  for (size_t n = 30; n < 48; n++) {
    CU_ASSERT_EQUAL(rrun_nth(ROCE_DATA, true, n)->dscp, 0);
    CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, n), reached(1) + ((int64_t)n - 29) * rrun_wire + rrun_cable);
  }
  CU_ASSERT_EQUAL(rrun_nth(ROCE_DATA, true, 48)->dscp, 16);
}

/* ---- The order at the port (6) ----------------------------------------------------------------------------------- */

/* h1 writes one packet to h0, which is busy sending. */
SGF_SCENARIO(RO_29_an_ACK_is_the_next_frame_after_the_one_in_progress)
{
  rrun_cable_of(NULL);
  run_write(0, 1, RRUN_MIB, 0);
  run_write(1, 0, RRUN_MSS, 10e-6);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t arrived = rrun_date(ROCE_DATA, false, 0);
  const opp_simtime_t leaves  = rrun_date(ROCE_ACK, true, 0) - rrun_cable - rrun_ack;
  CU_ASSERT(arrived >= 10 * OPP_US + rrun_arrival(1)); /* its fetch may wait for a write of h1 */
  CU_ASSERT(leaves >= arrived && leaves < arrived + rrun_wire);
  CU_ASSERT_EQUAL((leaves - rrun_start - rrun_fetch) % rrun_wire, 0); /* the end of a data packet */
  CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, 255), rrun_arrival(256) + rrun_ack);
}

/* The classes of what h0 sends from the release on. */
static void check_repetitions(const char* pattern, size_t count)
{
  const size_t length = strlen(pattern);
  size_t n            = 0;
  for (size_t i = 0; i < rrun_logged && n < count * length; i++) {
    if (!rrun_log[i].to_host || rrun_log[i].kind == RRUN_PFC)
      continue;
    CU_ASSERT_EQUAL(rrun_log[i].dscp, 8 * (pattern[n % length] - '0'));
    n++;
  }
  CU_ASSERT_EQUAL(n, count * length);
}

static void hold_h0(void)
{
  rrun_pause(1, 0, 65535);
  rrun_pause(1, 1, 65535);
}

/* The second frame comes while the first ACK is on the wire. */
static void release_h0(void)
{
  CU_ASSERT_EQUAL(net_port_queue_length(&run_nic(0)->port, 0), 55);
  CU_ASSERT_EQUAL(net_port_queue_length(&run_nic(0)->port, 1), 60);
  rrun_pause(1, 1, 0);
  rrun_pause(1, 0, 0);
}

static void run_pile_up(const char* scheduling)
{
  rrun_cable_of(RUN_SETTINGS(EVERY_ACK, scheduling));
  run_write(0, 1, RRUN_MIB, 1e-6);
  run_write(1, 0, 60 * RRUN_MSS, 1e-6);
  run_look(0, hold_h0);
  run_look(20 * OPP_US, release_h0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

SGF_SCENARIO(RO_30_weighted_turns_are_three_ACKs_and_a_data_packet)
{
  run_pile_up(SCHEDULING "WeightedRoundRobin");
  check_repetitions("1110", 20);
}

SGF_SCENARIO(RO_31_round_robin_alternates)
{
  run_pile_up(SCHEDULING "RoundRobin");
  check_repetitions("10", 55);
}

SGF_SCENARIO(RO_29_with_strict_priority_all_ACKs_go_first)
{
  run_pile_up(SCHEDULING "StrictPriority");
  check_repetitions("1", 60);
}

/* h0 pauses the class of h1's answers. The packet is marked and has the SE flag. */
SGF_SCENARIO(RO_32_a_CNP_and_a_pause_frame_leave_while_the_ACK_is_held)
{
  rrun_fate = rrun_mark_all;
  rrun_cable_of(NULL);
  const size_t write = run_write(0, 1, RRUN_MSS, 1e-6);
  run_look(0, hold_control_of_h1);
  run_look(2 * OPP_US, hold_data);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(rrun_date(ROCE_CNP, false, 0), OPP_US + rrun_arrival(1) + rrun_cnp + rrun_cable);
  CU_ASSERT_EQUAL(reached(0), 2 * OPP_US + rrun_pfc + rrun_cable);
  CU_ASSERT_EQUAL(run_written(write), rrun_pfc + rrun_cable + rrun_hold + rrun_ack + rrun_cable);
}

static opp_simtime_t mark_both_ways(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  (void)to_host;
  rrun_mark(msg);
  return 0;
}

enum { QUEUED = 10 };

static void data_and_CNPs_wait(void)
{
  const net_port_t* port = &run_nic(1)->port;
  CU_ASSERT(net_port_queue_length(port, 0) >= QUEUED);
  CU_ASSERT(net_port_queue_length(port, 1) > 0);
  CU_ASSERT_EQUAL(port->held, 2);
}

static size_t count_before(int kind, bool to_host, opp_simtime_t date)
{
  size_t count = 0;
  for (size_t i = 0; i < rrun_logged; i++)
    count += rrun_log[i].kind == kind && rrun_log[i].to_host == to_host && rrun_log[i].date <= date;
  return count;
}

/* h1 obeys CNPs and is down at 40 Gb/s, h0 does not: of ten packets that come in the time of one of h1's, each leaves
 * its CNP at h1's port, and they go before the next packet of h1's. */
SGF_SCENARIO(RO_65_a_backlog_of_CNPs_leaves_before_data_and_paused_ACKs)
{
  const opp_simtime_t from = 205 * OPP_US, until = 235 * OPP_US;
  rrun_fate = mark_both_ways;
  rrun_cable_of(RUN_SETTINGS("**.h0.nic.EnableECN=false", "**.nic.CongestionEstimate=Dcqcn"));
  run_write(0, 1, 10 * RRUN_MIB, 0);
  run_write(1, 0, 10 * RRUN_MIB, 0);
  run_look(200 * OPP_US, hold_control_of_h1);
  run_look(from, data_and_CNPs_wait);
  run_until(until);
  size_t data = 0;
  for (size_t i = 0; i < rrun_logged; i++) {
    const rrun_frame_t* frame = &rrun_log[i];
    if (frame->date < from || frame->to_host || frame->kind != ROCE_DATA)
      continue;
    CU_ASSERT_EQUAL(count_before(ROCE_CNP, false, frame->date),
                    count_before(ROCE_DATA, true, frame->date - rrun_cable - 830800));
    data++;
  }
  CU_ASSERT(data >= QUEUED);
  CU_ASSERT_EQUAL(count_before(ROCE_ACK, false, until), count_before(ROCE_ACK, false, from));
}

/* ---- Received pauses (8.3) --------------------------------------------------------------------------------------- */

/* The frame on the wire when the first PFC frame came; the next one starts at `resumed`. */
static void check_hold(opp_simtime_t resumed)
{
  size_t n = 0;
  while (rrun_date(ROCE_DATA, true, n) - rrun_cable < reached(0))
    n++;
  CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, n), rrun_arrival((int64_t)n + 1));
  CU_ASSERT(rrun_arrival((int64_t)n + 1) - rrun_cable - rrun_wire < reached(0));
  CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, n + 1), resumed + rrun_wire + rrun_cable);
}

static void run_held(opp_simtime_t second, void (*look)(void), const char* const* settings)
{
  rrun_cable_of(settings);
  run_write(0, 1, RRUN_MIB, 0);
  run_look(5 * OPP_US, hold_data);
  if (look != NULL)
    run_look(second, look);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

SGF_SCENARIO(RO_08_and_RO_33_a_pause_lets_the_frame_on_the_wire_finish_and_holds_for_83_9848_us)
{
  run_held(0, NULL, NULL);
  check_hold(reached(0) + 83984800);
}

SGF_SCENARIO(RO_34_a_second_pause_holds_for_the_whole_time_again)
{
  run_held(15 * OPP_US, hold_data, NULL);
  CU_ASSERT(reached(1) - reached(0) > 9900 * OPP_NS);
  check_hold(reached(1) + 83984800);
}

SGF_SCENARIO(RO_35_a_resume_sends_at_once)
{
  run_held(25 * OPP_US, release_data, NULL);
  check_hold(reached(1));
}

SGF_SCENARIO(RO_36_a_pause_is_honoured_without_PFC_of_ones_own)
{
  run_held(0, NULL, RUN_SETTINGS("**.nic.PFCEnableVector=[0, 0, 0, 0, 0, 0, 0, 0]"));
  check_hold(reached(0) + 83984800);
}

SGF_SCENARIO(RO_72_a_pause_is_honoured_with_an_entry_of_2)
{
  run_held(0, NULL, RUN_SETTINGS("**.nic.PFCEnableVector=[2, 2, 0, 0, 0, 0, 0, 0]"));
  check_hold(reached(0) + 83984800);
}
