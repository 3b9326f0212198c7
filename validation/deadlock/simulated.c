/* The ring that locks, and the watchdog, in SimGrid simulations: spec/feedback-budget.md 13.3, FB-80 to FB-87, FB-93,
 * FB-98, FB-99, and the record pfc-watchdog. FB-88 to FB-96 are in watched_queue.c. */
#include "harness.h"
#include "records/csv_support.h"
#include "ring_support.h"
#include "simgrid/seat.h"
#include "switch/simulation_support.h"

#include <sgfabric/script.h>
#include <sgfabric/simgrid.h>
#include <sgfabric/stats.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdlib.h>
#include <string.h>

#define MS OPP_MS
#define D3 SGF_SOURCE_DIR "/validation/deadlock/d3.xml"

enum { FIRST_BIT = 85843, LOCKED_AFTER = 69, MSS = 4096 }; /* as in deadlock.c */

/* When the egresses into the ring are held for good, from h1's first bit on, as in deadlock.c. */
#define S3_HELD INT64_C(8332040)
#define S2_HELD INT64_C(10411840)
#define S1_HELD INT64_C(12491640)

static sgf_device_t* device(const char* name)
{
  return sgf_fabric_find(sg_fabric_get(), name);
}

static sgf_storm_t only_storm(const char* name)
{
  CU_ASSERT_EQUAL_FATAL(sgf_device_storm_count(device(name)), 1);
  return sgf_device_storm(device(name), 0);
}

static uint64_t drops_of(const char* cause)
{
  uint64_t count       = 0;
  sgf_report_t* report = sgf_report_new(sg_fabric_get());
  for (size_t i = 0; i < report->drop_count; i++)
    if (cause == NULL || strcmp(report->drops[i].cause, cause) == 0)
      count += report->drops[i].count;
  sgf_report_free(report);
  return count;
}

/* ---- D3 ---------------------------------------------------------------------------------------------------------- */

static double last_date = -1; /* of the actor that does nothing but wait */

static void write_to_x(int argc, char** argv)
{
  (void)argc;
  sgf_rdma_write(sg_host_by_name("X"), strtoull(argv[1], NULL, 10) * MSS, 0);
}

static void write_later(int argc, char** argv)
{
  sg_actor_sleep_until(0.450);
  write_to_x(argc, argv);
}

static void wait_until(int argc, char** argv)
{
  (void)argc;
  sg_actor_sleep_until(atof(argv[1]));
  seat_catch_up();
  last_date = simgrid_get_clock();
}

/* S3 sends to X by its port 2, and into the ring by port 1. */
static void route_of_s3(unsigned port)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_set_route(device("S3"), device("X"), port, &error), SGF_OK);
}

static void repair(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)user;
  (void)fabric;
  CU_ASSERT_EQUAL(now, 1 * MS);
  route_of_s3(2);
}

static void start(const char* host, xbt_main_func_t code, const char* argument)
{
  const char* arguments[] = {"", argument, NULL};
  sg_actor_create("actor", sg_host_by_name(host), code, 2, (char**)arguments);
}

/* D3 with its loop closed; h1 writes so many frames, and an actor lives until `end`, s. */
static void set_up_d3(const char* frames, const char* end)
{
  sgf_error_t error = {0};
  sim_platform(D3, "S3");
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_set_route(device("S1"), device("X"), 1, &error), SGF_OK);
  route_of_s3(1);
  start("h1", write_to_x, frames);
  start("X", wait_until, end);
}

SGF_SCENARIO(FB_80_and_FB_98_d3_locks_and_ends_the_run)
{
  set_up_d3("100000", "0.010");
  simgrid_run();
  CU_ASSERT(last_date < 0); /* all actors have ended with the run */
  CU_ASSERT_EQUAL(sg_fabric_finish(), SGF_DEADLOCK);
  CU_ASSERT_EQUAL(sgf_engine_clock(sg_fabric_get()), FIRST_BIT + S1_HELD);
  CU_ASSERT_STRING_EQUAL(
      sgf_fabric_error(sg_fabric_get())->text,
      "deadlock at 0.000012577483 s, paused queues wait for one another: S1 port 1 class 0 -> S2 port "
      "1 class 0 -> S3 port 1 class 0 -> S1 port 1 class 0");
}

static void watch(void)
{
  static const char* const assignments[] = {"**.switch.PfcWatchdog.Enable=true", NULL};
  sim_set(assignments);
}

/* The ring of the simulation, for what ring_support.h looks at: d3.xml has the ports that it draws. */
static ring_t ring(void)
{
  return (ring_t){.fabric   = sg_fabric_get(),
                  .h1       = device("h1"),
                  .x        = device("X"),
                  .switches = {device("S1"), device("S2"), device("S3")},
                  .mss      = MSS};
}

static void check_locked(void)
{
  const ring_t at = ring();
  CU_ASSERT(ring_is_locked(&at));
  CU_ASSERT_EQUAL(ring_held_since(&at, 3), FIRST_BIT + S3_HELD);
  CU_ASSERT_EQUAL(ring_held_since(&at, 2), FIRST_BIT + S2_HELD);
  CU_ASSERT_EQUAL(ring_held_since(&at, 1), FIRST_BIT + S1_HELD);
  for (unsigned number = 1; number <= RING_SWITCHES; number++)
    CU_ASSERT(ring_ingress_bytes(&at, number) > RING_XON);
  CU_ASSERT_EQUAL(ring_all_drops(&at), 0);
  CU_ASSERT_EQUAL(ring_sent(&at), LOCKED_AFTER);
}

/* A ring that stands still, or moves for ever, keeps its frames: SGF_CONSERVATION, or SGF_STALLED where h1 is not
 * done. */
static void finish_at(opp_simtime_t date, sgf_status_t status)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sg_fabric_finish_until(date, NULL, NULL, &error), status);
}

/* h1 has nothing left: what it has sent when the ring locks is all. */
SGF_SCENARIO(FB_81_the_lock_remains_when_h1_stops)
{
  set_up_d3("69", "0.1");
  sgf_fabric_stop_on_deadlock(sg_fabric_get(), false);
  simgrid_run();
  CU_ASSERT_EQUAL(last_date, 0.1);
  check_locked();
  finish_at(100 * MS, SGF_CONSERVATION);
}

/* Nor does the repair of the route free it, of what is queued already. */
SGF_SCENARIO(FB_81_the_lock_remains_when_the_route_is_repaired)
{
  set_up_d3("100000", "0.050");
  sgf_fabric_stop_on_deadlock(sg_fabric_get(), false);
  CU_ASSERT_EQUAL_FATAL(sgf_script_at(sg_fabric_get(), 1 * MS, repair, NULL, NULL), SGF_OK);
  simgrid_run();
  CU_ASSERT_EQUAL(last_date, 0.050);
  check_locked();
  finish_at(50 * MS, SGF_STALLED);
}

SGF_SCENARIO(FB_82_and_FB_99_one_storm_frees_the_ring)
{
  watch();
  set_up_d3("69", "1.0");
  simgrid_run();
  CU_ASSERT_EQUAL(last_date, 1.0);
  CU_ASSERT_EQUAL(sg_fabric_finish(), SGF_OK);
  CU_ASSERT_EQUAL(only_storm("S3").detected, FIRST_BIT + S3_HELD + 200 * MS);
  CU_ASSERT(only_storm("S3").restored > only_storm("S3").detected + 200 * MS);
  CU_ASSERT_EQUAL(sgf_device_storm_count(device("S1")) + sgf_device_storm_count(device("S2")), 0);
  CU_ASSERT_EQUAL(drops_of("switch_watchdog"), LOCKED_AFTER);
  CU_ASSERT_EQUAL(drops_of(NULL), LOCKED_AFTER);
  CU_ASSERT_PTR_NOT_NULL(sgf_fabric_deadlock(sg_fabric_get()));
}

SGF_SCENARIO(FB_83_repaired_before_T0_what_is_not_in_S3_arrives)
{
  watch();
  set_up_d3("69", "1.0");
  CU_ASSERT_EQUAL_FATAL(sgf_script_at(sg_fabric_get(), 1 * MS, repair, NULL, NULL), SGF_OK);
  simgrid_run();
  CU_ASSERT_EQUAL(sg_fabric_finish(), SGF_OK);
  CU_ASSERT(only_storm("S3").restored > 0);
  CU_ASSERT_EQUAL(drops_of("switch_watchdog"), 23);
  CU_ASSERT_EQUAL(sgf_device_port_stats(device("X"), 0).rx_packets, LOCKED_AFTER - 23);
}

/* h1 goes on through the storm, and sends more after the restoration: the ring locks anew, as fast as at first. */
SGF_SCENARIO(FB_84_with_the_loop_still_there_it_is_reported_again)
{
  enum { DURING_THE_STORM = 500 };
  const opp_simtime_t again = 450 * MS;
  watch();
  set_up_d3("569", "0.7");
  start("h1", write_later, "5000");
  simgrid_run();
  const ring_t at = ring();
  CU_ASSERT_EQUAL_FATAL(sgf_device_storm_count(device("S3")), 2);
  const sgf_storm_t first  = sgf_device_storm(device("S3"), 0);
  const sgf_storm_t second = sgf_device_storm(device("S3"), 1);
  CU_ASSERT_EQUAL(first.detected, FIRST_BIT + S3_HELD + 200 * MS);
  CU_ASSERT_EQUAL(first.during.tx_drops, LOCKED_AFTER + DURING_THE_STORM);
  CU_ASSERT(first.restored > 0 && first.restored < again);
  CU_ASSERT_EQUAL(second.detected, again + FIRST_BIT + S3_HELD + 200 * MS);
  CU_ASSERT_EQUAL(second.total.tx_drops, ring_drops(&at, SWITCH_DROP_WATCHDOG));
  CU_ASSERT_EQUAL(second.during.tx_drops, 5000);
  CU_ASSERT_EQUAL(sgf_device_storm_count(device("S1")) + sgf_device_storm_count(device("S2")), 0);
  CU_ASSERT_EQUAL(sg_fabric_finish(), SGF_OK);
}

/* What has been seen of S3's egress. */
typedef struct look {
  uint64_t sent;
  uint64_t pauses;
} look_t;

static look_t look_at_s3(void)
{
  return (look_t){sgf_device_port_stats(device("S3"), 1).tx_packets,
                  sgf_device_class_stats(device("S3"), 1, 0).pauses_received};
}

static void take_look(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)fabric;
  (void)now;
  *(look_t*)user = look_at_s3();
}

/* S3 sends what it is asked not to, and so do the others 200 ms after their own pauses; what does not fit is dropped,
 * and what is left goes round for ever. S1's pauses go on, each of which puts off the end of S3's storm. */
SGF_SCENARIO(FB_85_forward_moves_the_ring_and_loses_what_has_no_room)
{
  static look_t before, between;
  static const opp_simtime_t held[]      = {S1_HELD, S2_HELD, S3_HELD};
  static const char* const assignments[] = {"**.switch.PfcWatchdog.Enable=true", "**.switch.PfcWatchdog.Action=forward",
                                            NULL};
  const opp_simtime_t storm              = FIRST_BIT + S3_HELD + 200 * MS;
  sim_set(assignments);
  set_up_d3("69", "0.210");
  CU_ASSERT_EQUAL_FATAL(sgf_script_at(sg_fabric_get(), storm - 1, take_look, &before, NULL), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sgf_script_at(sg_fabric_get(), 205 * MS, take_look, &between, NULL), SGF_OK);
  simgrid_run();
  CU_ASSERT_EQUAL(last_date, 0.210);
  const ring_t at    = ring();
  const look_t after = look_at_s3();
  for (unsigned number = 1; number <= RING_SWITCHES; number++) {
    const sgf_storm_t seen = only_storm(sgf_device_name(at.switches[number - 1]));
    CU_ASSERT_EQUAL(seen.detected, FIRST_BIT + held[number - 1] + 200 * MS);
    CU_ASSERT_EQUAL(seen.restored, -1);
  }
  CU_ASSERT_EQUAL(only_storm("S3").during.sent, after.sent - before.sent);
  CU_ASSERT_EQUAL(ring_drops(&at, SWITCH_DROP_WATCHDOG), 0);
  CU_ASSERT_EQUAL(ring_all_drops(&at), ring_drops(&at, SWITCH_DROP_HEADROOM));
  CU_ASSERT(ring_all_drops(&at) > 0 && ring_all_drops(&at) < LOCKED_AFTER);
  /* A frame takes 83.08 ns, so that a busy link sends 12,036 in 1 ms; a pause is sent again every 42.2 us. */
  CU_ASSERT(between.sent - before.sent > 12000 * 4 && after.sent - between.sent > 12000 * 5);
  CU_ASSERT(between.pauses - before.pauses >= 4 * MS / 42192400 && after.pauses - between.pauses >= 5 * MS / 42192400);
  finish_at(210 * MS, SGF_CONSERVATION);
}

/* The three storms are seen when each of the egresses has been held for 200 ms; nothing moves. */
SGF_SCENARIO(FB_86_an_alert_is_a_report_and_nothing_moves)
{
  static const char* const assignments[] = {"**.switch.PfcWatchdog.Enable=true", "**.switch.PfcWatchdog.Action=alert",
                                            NULL};
  static const opp_simtime_t held[]      = {S1_HELD, S2_HELD, S3_HELD};
  sim_set(assignments);
  set_up_d3("100000", "1.0");
  simgrid_run();
  CU_ASSERT_EQUAL(last_date, 1.0);
  check_locked();
  for (unsigned i = 0; i < RING_SWITCHES; i++) {
    const sgf_storm_t storm = only_storm((const char* const[]){"S1", "S2", "S3"}[i]);
    CU_ASSERT_EQUAL(storm.detected, FIRST_BIT + held[i] + 200 * MS);
    CU_ASSERT_EQUAL(storm.restored, -1);
    CU_ASSERT_EQUAL(storm.during.sent + storm.during.tx_drops + storm.during.rx_drops, 0);
    CU_ASSERT_STRING_EQUAL(storm.action, "alert");
  }
  finish_at(1000 * MS, SGF_STALLED);
}

/* ---- A receiver that pauses for ever, and no loop (FB-87) -------------------------------------------------------- */

#define WATCHED "switch.PfcWatchdog.Enable", "true"
/* Writes that are lost in a storm are sent again until it is over. */
#define PATIENT "nic.InitialRetransmitTimeout", "10ms"

/* h0 writes to h1, whose NIC pauses the switch until 650 ms, and then to h2: its own pause holds both. */
SGF_SCENARIO(FB_87_a_storm_at_the_queue_that_faces_the_receiver)
{
  sim_star(&(star_t){.hosts      = 3,
                     .properties = SIM_PROPERTIES(WATCHED, PATIENT, "nic.RdmaDataMSS", "3912", "nic.PassThrough",
                                                  "true", "nic.InitialBaseRTT", "60us")});
  sim_hold(1, 0, 0, 0.650);
  sim_write_packets(0, 1, 400, 1e-6);
  sim_write_packets(0, 2, 100, 50e-6);
  sim_run();
  const sgf_storm_t storm = only_storm("s0");
  CU_ASSERT_EQUAL(storm.port, 1);
  CU_ASSERT_EQUAL(storm.tc, 0);
  CU_ASSERT(storm.detected > 200 * MS && storm.detected < 200 * MS + 2 * OPP_US); /* the way of the first pause */
  CU_ASSERT(storm.during.tx_drops > 176); /* what had been queued, Xoff and headroom */
  CU_ASSERT_EQUAL(storm.during.rx_drops, 0);
  CU_ASSERT(storm.restored >= 850 * MS && storm.restored < 850 * MS + 2 * OPP_US);
  /* h2's write waits behind the pause of h0 until the storm, and no longer. */
  CU_ASSERT(sim_end_of_write(1) > storm.detected);
  CU_ASSERT(sim_end_of_write(1) < storm.detected + 20 * MS);
  /* That to h1 is complete once the storm is over (FB-93): nothing is acknowledged that was dropped. */
  CU_ASSERT(sim_end_of_write(0) > storm.restored);
  CU_ASSERT_PTR_NULL(sgf_fabric_deadlock(sim_fabric())); /* no loop (FB-80) */
}

/* ---- The record (FB-93) ------------------------------------------------------------------------------------------ */

SGF_SCENARIO(FB_93_the_record_shows_port_priority_and_drops)
{
  sim_star(&(star_t){.hosts      = 2,
                     .properties = SIM_PROPERTIES(WATCHED, PATIENT, "nic.RdmaDataMSS", "3912", "nic.PassThrough",
                                                  "true", "nic.InitialBaseRTT", "60us")});
  sgf_results_t* results = csv_start(sim_fabric(), "FB_93", WHERE(NULL));
  sim_hold(1, 0, 0, 0.250);
  sim_write_packets(0, 1, 20, 1e-6);
  sim_run();
  csv_finish(results, sgf_engine_clock(sim_fabric()));
  const sgf_storm_t storm = only_storm("s0");
  CU_ASSERT(sim_end_of_write(0) > storm.restored);
  CU_ASSERT(storm.during.tx_drops >= 20);

  csv_table_t table = csv_read_table(CSV_FOLDER, "FB_93", CSV_PFC_WATCHDOG);
  CU_ASSERT_EQUAL(table.row_count, 1);
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "component_name"), "s0");
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "ifid"), 1);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "priority"), 0);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "queue"), 0);
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "action"), "drop");
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "detected_ns"), storm.detected / OPP_NS);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "restored_ns"), storm.restored / OPP_NS);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "storm_tx_packets"), 0);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "storm_tx_drops"), (long long)storm.during.tx_drops);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "storm_rx_packets"), 0);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "storm_rx_drops"), 0);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "total_tx_drops"), (long long)storm.during.tx_drops);
  csv_free_table(&table);
}
