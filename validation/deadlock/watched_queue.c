/* A watched queue whose peer pauses it for too long, or not long enough, with dates to the picosecond: spec/feedback-
 * budget.md 13.3, FB-87 to FB-96, on the engine alone and through a platform file in a simulation.
 *
 *   h0 h1 h2 h3 h4 == tor        ports 0 to 4; 400 Gb/s, 100 ns; frames of 4,154 B of h0's, class 0 lossless
 *
 * Scripts let a receiver's NIC pause the switch. A pause is at the switch 1.28 ns and 100 ns after it was sent. */
#include "budget/budget_support.h"
#include "budget/roce_support.h"
#include "harness.h"
#include "records/csv_support.h"

#include <string.h>

#define MS OPP_MS

enum { FRAME = 4154, PAYLOAD = 4096, LONGEST = 65535, TC_LOSSY = 1, MOST_HOLDS = 5 };

static const opp_simtime_t way     = 1280 + 100 * OPP_NS;
static const opp_simtime_t refresh = 40 * OPP_US;
static const opp_simtime_t T0      = 200 * MS;
static const opp_simtime_t T1      = 200 * MS;

/* For how long a class is held after the longest pause has come: 65,535 quanta of 1.28 ns, and the cable. */
static const opp_simtime_t longest = INT64_C(65535) * 1280 + 100 * OPP_NS;

static sgf_fabric_t* fabric;
static sgf_device_t* tor;

/* A host whose NIC keeps a class of the switch's port paused. */
typedef struct hold {
  sgf_device_t* host;
  unsigned tc;
  opp_simtime_t end;
} hold_t;

static hold_t holds[MOST_HOLDS];
static unsigned hold_count;

/* Pools as in ring D3; what follows is for the replay. */
#define SETTINGS(...)                                                                                                  \
  ((const budget_setting_t[]){{NULL, "nic", "HeaderBytes", "58"},                                                      \
                              {NULL, "switch", "EnablePFC", "[1, 0, 0, 0, 0, 0, 0, 0]"},                               \
                              {NULL, "switch", "StaticPoolXoffThreshold", "40KB"},                                     \
                              {NULL, "switch", "StaticPoolXonThreshold", "20KB"},                                      \
                              {NULL, "switch", "HeadRoomPerPortLimit", "109KB"},                                       \
                              __VA_ARGS__,                                                                             \
                              {0}})
#define WATCHED                                                                                                        \
  {                                                                                                                    \
    NULL, "switch", "PfcWatchdog.Enable", "true"                                                                       \
  }
#define POLLING                                                                                                        \
  WATCHED,                                                                                                             \
  {                                                                                                                    \
    NULL, "switch", "PfcWatchdog.Mode", "Polling"                                                                      \
  }
#define ONE_SAMPLE                                                                                                     \
  {                                                                                                                    \
    NULL, "switch", "PfcWatchdog.TwoSamples", "false"                                                                  \
  }

static void build(budget_seat_t seat_is, const budget_setting_t* settings)
{
  const budget_topology_t r1 = budget_r1(100 * OPP_NS);
  fabric                     = budget_build(seat_is, &r1, settings);
  tor                        = budget_device("tor");
  hold_count                 = 0;
}

/* All that was sent has arrived or was dropped. */
static void finish(void)
{
  budget_finish();
  budget_free();
}

static void write_frames(const char* dst, unsigned frames, unsigned tc, opp_simtime_t date)
{
  budget_write("h0", dst, (uint64_t)frames * PAYLOAD, tc, date);
}

static uint64_t received(const char* host)
{
  return sgf_device_port_stats(budget_device(host), 0).rx_packets;
}

static sgf_storm_t only_storm(void)
{
  CU_ASSERT_EQUAL_FATAL(sgf_device_storm_count(tor), 1);
  return sgf_device_storm(tor, 0);
}

/* The only storm of a port's queue. */
static sgf_storm_t storm_at(unsigned port)
{
  sgf_storm_t found = {.detected = -1};
  unsigned count    = 0;
  for (size_t i = 0; i < sgf_device_storm_count(tor); i++)
    if (sgf_device_storm(tor, i).port == port) {
      found = sgf_device_storm(tor, i);
      count++;
    }
  CU_ASSERT_EQUAL(count, 1);
  return found;
}

static void at(opp_simtime_t date, sgf_script_cb call, void* user)
{
  CU_ASSERT_EQUAL_FATAL(sgf_script_at(fabric, date, call, user, NULL), SGF_OK);
}

/* ---- Holds ------------------------------------------------------------------------------------------------------- */

static void keep_holding(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  hold_t* hold = user;
  budget_pause(hold->host, 0, hold->tc, now < hold->end ? LONGEST : 0);
  if (now < hold->end)
    at(now + refresh < hold->end ? now + refresh : hold->end, keep_holding, hold);
}

/* The class is held in the switch from exactly `begin` to exactly `end`, where it is resumed. */
static void hold_class(const char* host, unsigned tc, opp_simtime_t begin, opp_simtime_t end)
{
  CU_ASSERT_FATAL(hold_count < MOST_HOLDS);
  hold_t* hold = &holds[hold_count++];
  *hold        = (hold_t){budget_device(host), tc, end - way};
  at(begin - way, keep_holding, hold);
}

/* ---- A receiver that pauses for ever, and no loop (FB-87) -------------------------------------------------------- */

typedef struct arrivals {
  uint64_t of_h1;
  uint64_t of_h2;
} arrivals_t;

static void count_arrivals(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  (void)now;
  *(arrivals_t*)user = (arrivals_t){received("h1"), received("h2")};
}

/* h0's frames for h1 and h2 take turns, and h1's hold all of them back; a storm lets h2's arrive. */
static void receiver_that_pauses(budget_seat_t seat_is)
{
  enum { FOR_H1 = 400, FOR_H2 = 100 };
  static arrivals_t before;
  build(seat_is, SETTINGS(WATCHED));
  write_frames("h1", FOR_H1, 0, 2 * OPP_US);
  write_frames("h2", FOR_H2, 0, 2 * OPP_US);
  hold_class("h1", 0, 1 * OPP_US, 900 * MS);
  at(1 * OPP_US + T0 - 1, count_arrivals, &before);
  budget_run(900 * MS);
  const sgf_storm_t storm = only_storm(); /* other queues have none */
  CU_ASSERT_EQUAL(storm.port, 1);
  CU_ASSERT_EQUAL(storm.tc, 0);
  CU_ASSERT_EQUAL(storm.detected, 1 * OPP_US + T0);
  CU_ASSERT_EQUAL(storm.restored, -1);
  CU_ASSERT_EQUAL(before.of_h1, 0);
  CU_ASSERT(before.of_h2 > 0 && before.of_h2 < FOR_H2);
  CU_ASSERT_EQUAL(received("h1"), 0);
  CU_ASSERT_EQUAL(received("h2"), FOR_H2);
  CU_ASSERT_EQUAL(storm.during.tx_drops, FOR_H1);
  CU_ASSERT_EQUAL(storm.during.sent + storm.during.rx_drops, 0);
  finish();
}

SGF_TEST(FB_87_a_storm_lets_what_goes_to_others_arrive)
{
  receiver_that_pauses(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_87_the_same_in_a_simulation)
{
  receiver_that_pauses(BUDGET_SIMGRID);
}

/* ---- When there is no storm (FB-88, FB-92) ----------------------------------------------------------------------- */

enum { CYCLES = 5000 };
static unsigned phase; /* of three in a cycle: pause, refresh, and a resume in every other one */

static void pause_now_and_then(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  const unsigned cycle       = phase / 3;
  const opp_simtime_t period = 200 * OPP_US;
  if (phase % 3 < 2 || cycle % 2 == 0)
    budget_pause(user, 0, 0, phase % 3 < 2 ? LONGEST : 0);
  if (++phase < 3 * CYCLES)
    at(phase % 3 > 0 ? now + 50 * OPP_US : (cycle + 1) * period, pause_now_and_then, user);
}

/* Pauses of 100 us every 200 us for 1 s, or 134 us where nothing but time ends them (rule 1), while h0 sends a frame
 * every 100 us. */
static void short_pauses(budget_seat_t seat_is)
{
  enum { FRAMES = 10000 };
  build(seat_is, SETTINGS(WATCHED, {"h0", "nic", "SendRate", "332.32Mbps"}));
  write_frames("h1", FRAMES, 0, 0);
  phase = 0;
  at(0, pause_now_and_then, budget_device("h1"));
  budget_run(1100 * MS);
  CU_ASSERT_EQUAL(sgf_device_storm_count(tor), 0);
  CU_ASSERT_EQUAL(received("h1"), FRAMES);
  const sgf_class_stats_t stats = sgf_device_class_stats(tor, 1, 0);
  CU_ASSERT_EQUAL(stats.pauses_received, 2 * CYCLES);
  CU_ASSERT_EQUAL(stats.resumes_received, CYCLES / 2);
  CU_ASSERT_EQUAL(stats.paused, CYCLES / 2 * (100 * OPP_US + 50 * OPP_US + longest));
  CU_ASSERT(stats.paused > 2 * T0);
  finish();
}

SGF_TEST(FB_88_short_pauses_however_many_are_no_storm)
{
  short_pauses(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_88_the_same_in_a_simulation)
{
  short_pauses(BUDGET_SIMGRID);
}

/* Class 1 has no PFC of its own, but obeys that of its peer; class 0 of the same port is watched. */
static void lossy_queue(budget_seat_t seat_is)
{
  enum { FRAMES = 30 };
  static budget_sample_t waiting;
  build(seat_is, SETTINGS(WATCHED));
  write_frames("h1", FRAMES, TC_LOSSY, 1 * MS);
  hold_class("h1", TC_LOSSY, 1 * OPP_US, 700 * MS);
  budget_sample(&waiting, tor, 1, TC_LOSSY, 700 * MS - 1);
  budget_run(800 * MS);
  CU_ASSERT_EQUAL(waiting.bytes, FRAMES * FRAME);
  CU_ASSERT_EQUAL(sgf_device_class_stats(tor, 1, TC_LOSSY).paused, 700 * MS - 1 * OPP_US);
  CU_ASSERT_EQUAL(sgf_device_storm_count(tor), 0);
  CU_ASSERT_EQUAL(received("h1"), FRAMES);
  CU_ASSERT_EQUAL(sgf_device_port_stats(tor, 1).tx_drops, 0);
  finish();
}

SGF_TEST(FB_92_a_lossy_queue_that_is_paused_waits)
{
  lossy_queue(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_92_the_same_in_a_simulation)
{
  lossy_queue(BUDGET_SIMGRID);
}

/* ---- Its begin and its end (FB-89, FB-90, FB-91) ----------------------------------------------------------------- */

/* The resume at 300 ms is the last PFC frame. */
static void empty_queue(budget_seat_t seat_is)
{
  build(seat_is, SETTINGS(WATCHED));
  hold_class("h1", 0, 1 * OPP_US, 300 * MS);
  budget_run(600 * MS);
  CU_ASSERT_EQUAL(only_storm().port, 1);
  CU_ASSERT_EQUAL(only_storm().detected, 1 * OPP_US + T0);
  CU_ASSERT_EQUAL(only_storm().restored, 300 * MS + T1);
  finish();
}

SGF_TEST(FB_89_and_FB_91_an_empty_queue_has_a_storm_that_ends_T1_after_the_last_frame)
{
  empty_queue(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_89_and_FB_91_the_same_in_a_simulation)
{
  empty_queue(BUDGET_SIMGRID);
}

enum { FRAMES_OF_FB_90 = 20 };
static unsigned sent_late;

static void one_frame(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  budget_pause(user, 0, 0, sent_late % 2 ? LONGEST : 0);
  if (++sent_late < FRAMES_OF_FB_90)
    at(now + T1 / 2, one_frame, user);
}

static void see_restored(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  (void)now;
  *(opp_simtime_t*)user = only_storm().restored;
}

/* Pauses and resumes in turn, the first one T1 / 2 after the storm: as long as they come it lasts. */
static void frames_without_end(budget_seat_t seat_is)
{
  static opp_simtime_t restored;
  const opp_simtime_t storm = 1 * OPP_US + T0;
  const opp_simtime_t last  = storm + FRAMES_OF_FB_90 * T1 / 2;
  build(seat_is, SETTINGS(WATCHED));
  sent_late = 0;
  hold_class("h1", 0, 1 * OPP_US, storm + 1);
  at(storm + T1 / 2 - way, one_frame, budget_device("h1"));
  at(last + T1 - 1, see_restored, &restored);
  budget_run(last + T1 + 1);
  CU_ASSERT_EQUAL(sent_late, FRAMES_OF_FB_90);
  CU_ASSERT_EQUAL(restored, -1);
  CU_ASSERT_EQUAL(only_storm().detected, storm);
  CU_ASSERT_EQUAL(only_storm().restored, last + T1);
  finish();
}

SGF_TEST(FB_90_a_frame_every_half_of_T1_and_it_is_not_restored)
{
  frames_without_end(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_90_the_same_in_a_simulation)
{
  frames_without_end(BUDGET_SIMGRID);
}

/* With polls every 100 ms: the first one after the last frame, at r, hears of it, and the second one after that has
 * been without a frame for T1: from T1 after r to T1 + P. */
static void restored_by_polls(budget_seat_t seat_is)
{
  build(seat_is, SETTINGS(POLLING, {NULL, "switch", "PfcWatchdog.PollInterval", "100ms"}));
  hold_class("h1", 0, 1 * OPP_US, 700 * MS + 1);
  hold_class("h2", 0, 1 * OPP_US, 750 * MS);
  hold_class("h3", 0, 1 * OPP_US, 800 * MS - 1);
  budget_run(1200 * MS);
  for (unsigned port = 1; port <= 3; port++) {
    CU_ASSERT_EQUAL(storm_at(port).detected, 200 * MS);
    CU_ASSERT_EQUAL(storm_at(port).restored, 1000 * MS);
  }
  CU_ASSERT_EQUAL(sgf_device_storm_count(tor), 3);
  finish();
}

SGF_TEST(FB_91_polls_restore_between_T1_and_T1_plus_2_P)
{
  restored_by_polls(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_91_by_polls_in_a_simulation)
{
  restored_by_polls(BUDGET_SIMGRID);
}

/* ---- Its begin by polls (FB-94, FB-95) --------------------------------------------------------------------------- */

/* Pauses begin early and late between the polls of 200 and 400 ms. Before, h1 and h2 have got frames in the same time,
 * h3 and h4 have not; after, all have frames that wait. */
static void queues_with_packets(budget_seat_t seat_is)
{
  static const char* const names[] = {"h0", "h1", "h2", "h3", "h4"};
  const opp_simtime_t begins[]     = {0, 210 * MS, 399 * MS, 210 * MS, 399 * MS};
  const opp_simtime_t storms[]     = {0, 800 * MS, 800 * MS, 600 * MS, 600 * MS};
  build(seat_is, SETTINGS(POLLING));
  write_frames("h1", 2, 0, 205 * MS);
  write_frames("h2", 2, 0, 205 * MS);
  for (unsigned h = 1; h <= 4; h++) {
    hold_class(names[h], 0, begins[h], 900 * MS);
    write_frames(names[h], 2, 0, begins[h]);
  }
  budget_run(900 * MS);
  for (unsigned h = 1; h <= 4; h++) {
    CU_ASSERT_EQUAL(storm_at(h).detected, storms[h]);
    CU_ASSERT_EQUAL(storm_at(h).during.tx_drops, 2);
  }
  finish();
}

SGF_TEST(FB_94_two_polls_have_to_agree)
{
  queues_with_packets(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_94_the_same_in_a_simulation)
{
  queues_with_packets(BUDGET_SIMGRID);
}

/* A pause that begins 160 ms before a poll is no sign at that one, and is one if it begins 1 ps earlier. */
static void empty_queues(budget_seat_t seat_is, const budget_setting_t* settings, opp_simtime_t first)
{
  build(seat_is, settings);
  hold_class("h1", 0, 240 * MS - 1, 900 * MS);
  hold_class("h2", 0, 240 * MS, 900 * MS);
  budget_run(900 * MS);
  CU_ASSERT_EQUAL(storm_at(1).detected, first);
  CU_ASSERT_EQUAL(storm_at(2).detected, first + 200 * MS);
  finish();
}

SGF_TEST(FB_95_an_empty_queue_shows_its_sign_after_160_ms)
{
  empty_queues(BUDGET_ENGINE, SETTINGS(POLLING, ONE_SAMPLE), 400 * MS);
  empty_queues(BUDGET_ENGINE, SETTINGS(POLLING), 600 * MS);
}

SGF_SCENARIO(FB_95_one_sample_in_a_simulation)
{
  empty_queues(BUDGET_SIMGRID, SETTINGS(POLLING, ONE_SAMPLE), 400 * MS);
}

SGF_SCENARIO(FB_95_two_samples_in_a_simulation)
{
  empty_queues(BUDGET_SIMGRID, SETTINGS(POLLING), 600 * MS);
}

/* ---- What a storm gives back (FB-96) ----------------------------------------------------------------------------- */

/* Of the ingress that fills the queue. */
typedef struct ingress {
  int64_t occupancy;
  int64_t headroom;
  sgf_class_stats_t stats;
} ingress_t;

static ingress_t ingress_now(void)
{
  const sgf_shared_buffer_t* buffer = sgf_device_buffer(tor);
  return (ingress_t){sgf_sb_occupancy(buffer, 0, 0), sgf_sb_headroom(buffer, 0, 0), sgf_device_class_stats(tor, 0, 0)};
}

static void see_ingress(void* user, sgf_fabric_t* of, opp_simtime_t now)
{
  (void)of;
  (void)now;
  *(ingress_t*)user = ingress_now();
}

/* h0 sends until it is paused; charges are 4,136 B. What it sends after the resume is discarded on arrival. */
static void charges_are_given_back(budget_seat_t seat_is)
{
  enum { FRAMES = 100, CHARGE = 4136 };
  static ingress_t before, during;
  const opp_simtime_t storm = 1 * OPP_US + T0;
  build(seat_is, SETTINGS(WATCHED));
  write_frames("h1", FRAMES, 0, 2 * OPP_US);
  hold_class("h1", 0, 1 * OPP_US, 700 * MS);
  at(storm - 1, see_ingress, &before);
  at(storm, see_ingress, &during);
  budget_run(700 * MS);
  const ingress_t after = ingress_now();
  CU_ASSERT_EQUAL(only_storm().detected, storm);
  CU_ASSERT(before.occupancy + CHARGE > 40000 && before.headroom > 0);
  CU_ASSERT_EQUAL((before.occupancy + before.headroom) % CHARGE, 0);
  CU_ASSERT_EQUAL(before.stats.resumes_sent, 0);
  CU_ASSERT_EQUAL(during.occupancy + during.headroom, 0);
  CU_ASSERT_EQUAL(during.stats.resumes_sent, 1);
  CU_ASSERT_EQUAL(after.stats.resumes_sent, 1);
  CU_ASSERT_EQUAL(after.stats.pauses_sent, before.stats.pauses_sent);
  CU_ASSERT_EQUAL(only_storm().during.tx_drops, FRAMES);
  CU_ASSERT_EQUAL(sgf_device_port_stats(tor, 1).tx_drops, FRAMES);
  finish();
}

SGF_TEST(FB_96_a_storm_empties_the_ingress_and_resumes_it_once)
{
  charges_are_given_back(BUDGET_ENGINE);
}

SGF_SCENARIO(FB_96_the_same_in_a_simulation)
{
  charges_are_given_back(BUDGET_SIMGRID);
}

/* ---- A write that is dropped (FB-93) ----------------------------------------------------------------------------- */

/* A NIC of a transport that sends again: its write is complete when the storm is over, and the record shows why. */
SGF_TEST(FB_93_a_write_is_complete_when_its_data_is_sent_again)
{
  enum { PACKETS = 20 };
  fabric                 = budget_rack(BUDGET_ENGINE, "uet", 2,
                                       BUDGET_SETTINGS("switch.PfcWatchdog.Enable=true", "nic.InitialRetransmitTimeout=10ms"));
  tor                    = sgf_fabric_find(fabric, "tor");
  sgf_results_t* results = csv_start(fabric, "FB_93_engine", WHERE(NULL));
  hold_t hold            = {sgf_fabric_find(fabric, "h1"), 0, 250 * MS - way};
  at(1 * OPP_US - way, keep_holding, &hold);
  budget_rack_write(0, 1, (uint64_t)PACKETS * PAYLOAD);
  const sgf_report_t* report = budget_rack_run();
  csv_finish(results, sgf_engine_clock(fabric));
  const sgf_storm_t storm = only_storm();
  CU_ASSERT_EQUAL(storm.detected, 1 * OPP_US + T0);
  CU_ASSERT_EQUAL(storm.restored, 250 * MS + T1);
  CU_ASSERT(storm.during.tx_drops >= PACKETS);
  CU_ASSERT(report->flows[0].end > storm.restored);
  CU_ASSERT(report->retransmissions >= PACKETS);

  csv_table_t table = csv_read_table(CSV_FOLDER, "FB_93_engine", CSV_PFC_WATCHDOG);
  CU_ASSERT_EQUAL_FATAL(table.row_count, 1);
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "component_name"), "tor");
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "ifid"), 1);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "priority"), 0);
  CU_ASSERT_EQUAL(csv_integer_at(&table, 0, "storm_tx_drops"), (long long)storm.during.tx_drops);
  csv_free_table(&table);
  budget_rack_free();
}
