/* spec/feedback-budget.md 12 and 13.2, FB-50 to FB-53 and FB-97: four synchronised senders and one receiver, a queue
 * that grows by three frames in the time of one, a rate that falls 8 us after the mark, a pause whose last data comes
 * 2 us after the decision. Packet numbers are exact; those of the fluid model have the bands of section 12.
 *
 *   h0 h1 h2 h3 == tor == h4
 *
 * t = 0 of the specification is when the first bits reach the switch. */
#include "budget_support.h"
#include "harness.h"
#include "simgrid/seat.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdlib.h>

enum { SENDERS = 4, EGRESS = 4, K_ECN = 256000, Q_G = 768000, MAX_SAMPLES = 4000 };
static const opp_simtime_t tcc     = 8 * OPP_US;
static const opp_simtime_t tp      = 2 * OPP_US;
static const opp_simtime_t pause   = 1280; /* 64 B */
static const opp_simtime_t horizon = 32 * OPP_US;
#define QUARTER INT64_C(100000000000)

/* ---- The table of section 12, and FB-97 -------------------------------------------------------------------------- */

typedef struct row {
  opp_simtime_t marked, decided, empty;
  int64_t at_mark, at_decision, peak, after_mark, after_mark_paused;
} row_t;

static const row_t rows[BUDGET_FRAMES] = {
    {1700000, 5120000, 28500000, 256000, 769000, 1069000, 1456000, 940000},
    {1680000, 5120000, 28560000, 256000, 772000, 1072000, 1456000, 944000},
    {1744680, 5150960, 28662600, 265856, 776798, 1075886, 1462208, 947112},
    {1753080, 5092280, 28132760, 267136, 768016, 1056022, 1456726, 922454},
};

/* ---- A run ----------------------------------------------------------------------------------------------------------
 */

typedef struct replay {
  int64_t p;          /* bytes of a frame */
  opp_simtime_t wire; /* T */
  opp_simtime_t delay;
  bool slows; /* the ECN reduction, 8 us after K_ECN */
  bool stops; /* the pause, at Q_G */
  sgf_fabric_t* fabric;
  sgf_device_t* tor;
  opp_simtime_t begin;    /* t = 0; -1: not yet */
  budget_crossing_t mark; /* dates after the begin */
  budget_crossing_t decision;
  const budget_sample_t* after_mark; /* 8 us */
  const budget_sample_t* at_end;     /* when the queue should be empty, and just before */
  const budget_sample_t* before_end;
  opp_simtime_t end;
  budget_sample_t* samples;
  size_t sample_count;
} replay_t;

/* At a date after the begin, ps. */
static const budget_sample_t* sample(replay_t* replay, opp_simtime_t date)
{
  CU_ASSERT_FATAL(replay->sample_count < MAX_SAMPLES);
  budget_sample_t* at = &replay->samples[replay->sample_count++];
  budget_sample(at, replay->tor, EGRESS, 0, replay->begin + date);
  return at;
}

/* From the next frame on, of whoever has not begun one that arrives 8 us after the mark. */
static void slow_down(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)user;
  (void)now;
  for (size_t h = 0; h < SENDERS; h++)
    CU_ASSERT_EQUAL(sgf_script_set_rate(sgf_fabric_host(fabric, h), QUARTER, NULL), SGF_OK);
}

static void marked(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  replay_t* replay   = user;
  replay->mark.date  = now - replay->begin;
  replay->mark.bytes = sgf_device_queue_bytes(replay->tor, EGRESS, 0);
  replay->after_mark = sample(replay, replay->mark.date + tcc);
  if (replay->slows)
    CU_ASSERT_EQUAL(sgf_script_at(fabric, now + tcc - replay->wire - replay->delay, slow_down, NULL, NULL), SGF_OK);
}

static void decided(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)fabric;
  replay_t* replay       = user;
  replay->decision.date  = now - replay->begin;
  replay->decision.bytes = sgf_device_queue_bytes(replay->tor, EGRESS, 0);
  for (unsigned port = 0; replay->stops && port < SENDERS; port++)
    budget_pause(replay->tor, port, 0, 65535);
}

/* The first batch of frames is in. */
static void begin(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
{
  (void)fabric;
  replay_t* replay = user;
  replay->begin    = now - replay->wire;
  CU_ASSERT_EQUAL(sgf_device_queue_bytes(replay->tor, EGRESS, 0), SENDERS * replay->p);
  for (opp_simtime_t date = replay->wire; date + replay->wire <= horizon - replay->begin; date += replay->wire) {
    sample(replay, date);
    sample(replay, date + replay->wire - 1); /* just before the next batch */
  }
  replay->before_end = sample(replay, replay->end - 1);
  replay->at_end     = sample(replay, replay->end);
}

/* Pause frame, cable, the frame that is being sent, cable: the last data comes 2 us after the decision. */
static opp_simtime_t delay_for(int64_t p)
{
  return (tp - budget_wire(p) - pause) / 2;
}

#define INFINITE                                                                                                       \
  {NULL, "switch", "StaticPoolXoffThreshold", "100MB"},                                                                \
  {                                                                                                                    \
    NULL, "switch", "StaticPoolXonThreshold", "50MB"                                                                   \
  }

static replay_t replay_new(budget_seat_t seat_is, size_t number, bool slows, bool stops)
{
  const budget_frame_t* frame       = &budget_frames[number];
  replay_t replay                   = {.p     = frame->bytes,
                                       .end   = rows[number].empty,
                                       .wire  = budget_wire(frame->bytes),
                                       .delay = delay_for(frame->bytes),
                                       .slows = slows,
                                       .stops = stops,
                                       .begin = -1};
  const budget_topology_t r1        = budget_r1(replay.delay);
  const budget_setting_t settings[] = {
      INFINITE, {NULL, "nic", "MSS", frame->mss}, {NULL, "nic", "HeaderBytes", frame->headers}, {0}};
  replay.fabric                      = budget_build(seat_is, &r1, settings);
  replay.tor                         = budget_device("tor");
  replay.samples                     = calloc(MAX_SAMPLES, sizeof *replay.samples);
  static const char* const senders[] = {"h0", "h1", "h2", "h3"};
  for (unsigned h = 0; h < SENDERS; h++)
    budget_write(senders[h], "h4", 16000000, 0, 0);
  return replay;
}

static void replay_run(replay_t* replay)
{
  CU_ASSERT_EQUAL(sgf_script_when_queue(replay->tor, EGRESS, 0, 1, begin, replay, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_script_when_queue(replay->tor, EGRESS, 0, K_ECN, marked, replay, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_script_when_queue(replay->tor, EGRESS, 0, Q_G, decided, replay, NULL), SGF_OK);
  budget_run(horizon);
}

static void replay_free(replay_t* replay)
{
  free(replay->samples);
  budget_free();
}

static void close_to(int64_t value, int64_t expected, int64_t band)
{
  CU_ASSERT(value >= expected - band);
  CU_ASSERT(value <= expected + band);
}

/* ---- FB-50 ------------------------------------------------------------------------------------------------------- */

static void no_control(budget_seat_t seat_is, size_t frame)
{
  replay_t replay = replay_new(seat_is, frame, false, false);
  replay_run(&replay);
  CU_ASSERT_FATAL(replay.begin >= 0);
  size_t batches = 0;
  for (size_t i = 0; i < replay.sample_count; i++) {
    const budget_sample_t* at = &replay.samples[i];
    const opp_simtime_t date  = at->date - replay.begin;
    const int64_t k           = date / replay.wire;
    CU_ASSERT_EQUAL(at->bytes, (3 * k + 1) * replay.p);   /* also until the next batch */
    CU_ASSERT(at->bytes >= 3 * date / 20 - 2 * replay.p); /* 150 kB/us, t in ps */
    batches += date % replay.wire == 0;
  }
  CU_ASSERT(batches > 200);
  CU_ASSERT_EQUAL(replay.mark.date, rows[frame].marked);
  CU_ASSERT_EQUAL(replay.mark.bytes, rows[frame].at_mark);
  CU_ASSERT_EQUAL(replay.decision.date, rows[frame].decided);
  CU_ASSERT_EQUAL(replay.decision.bytes, rows[frame].at_decision);
  replay_free(&replay);
}

SGF_TEST(FB_50_the_queue_grows_by_three_frames_in_the_time_of_one)
{
  for (size_t frame = 0; frame < BUDGET_FRAMES; frame++)
    no_control(BUDGET_ENGINE, frame);
}

SGF_SCENARIO(FB_50_the_same_in_a_simulation)
{
  no_control(BUDGET_SIMGRID, 2);
}

/* ---- FB-51 ------------------------------------------------------------------------------------------------------- */

static void reduction(budget_seat_t seat_is, size_t frame)
{
  const int64_t band = SENDERS * budget_frames[frame].bytes;
  replay_t replay    = replay_new(seat_is, frame, true, false);
  replay_run(&replay);
  CU_ASSERT_EQUAL(replay.mark.date, rows[frame].marked);
  CU_ASSERT_EQUAL(replay.after_mark->bytes, rows[frame].after_mark);
  close_to(replay.after_mark->bytes, 1456000, band);
  size_t flat = 0;
  for (size_t i = 0; i < replay.sample_count; i++)
    if (replay.samples[i].date >= replay.after_mark->date) {
      close_to(replay.samples[i].bytes, 1456000, band);
      flat++;
    }
  CU_ASSERT(flat > 100);
  replay_free(&replay);
}

SGF_TEST(FB_51_the_queue_is_flat_once_the_rate_is_a_quarter)
{
  for (size_t frame = 0; frame < BUDGET_FRAMES; frame++)
    reduction(BUDGET_ENGINE, frame);
}

SGF_SCENARIO(FB_51_the_same_in_a_simulation)
{
  reduction(BUDGET_SIMGRID, 2);
}

/* ---- FB-52, FB-97 ------------------------------------------------------------------------------------------------ */

static const budget_sample_t* highest(const replay_t* replay)
{
  const budget_sample_t* most = &replay->samples[0];
  for (size_t i = 1; i < replay->sample_count; i++)
    if (replay->samples[i].bytes > most->bytes)
      most = &replay->samples[i];
  return most;
}

static void stop(budget_seat_t seat_is, size_t frame)
{
  const int64_t p = budget_frames[frame].bytes;
  replay_t replay = replay_new(seat_is, frame, false, true);
  replay_run(&replay);
  CU_ASSERT_EQUAL(replay.decision.date, rows[frame].decided);
  close_to(replay.decision.date, 5120000, 4 * p * 1000000 / 150000);

  const budget_sample_t* peak   = highest(&replay);
  const opp_simtime_t last_data = peak->date - replay.begin;
  CU_ASSERT_EQUAL(peak->bytes, rows[frame].peak);
  close_to(peak->bytes, 1068000, SENDERS * p);
  CU_ASSERT(last_data <= replay.decision.date + tp); /* and not a whole batch earlier */
  CU_ASSERT(last_data > replay.decision.date + tp - replay.wire);
  for (size_t i = 0; i < replay.sample_count; i++) {
    const budget_sample_t* at    = &replay.samples[i];
    const opp_simtime_t falls_to = at->date - peak->date;
    const int64_t gone           = falls_to / replay.wire * p;
    CU_ASSERT(falls_to < 0 || at->bytes == (gone < peak->bytes ? peak->bytes - gone : 0));
  }
  CU_ASSERT_EQUAL(replay.before_end->bytes, p);
  CU_ASSERT_EQUAL(replay.at_end->bytes, 0);
  close_to(replay.end, 28480000, 5 * p * 1000000 / 50000);
  replay_free(&replay);
}

SGF_TEST(FB_52_FB_97_a_pause_stops_the_queue_and_it_drains)
{
  for (size_t frame = 0; frame < BUDGET_FRAMES; frame++)
    stop(BUDGET_ENGINE, frame);
}

SGF_SCENARIO(FB_52_FB_97_the_same_in_a_simulation)
{
  stop(BUDGET_SIMGRID, 2);
}

/* ---- FB-53, FB-97 ------------------------------------------------------------------------------------------------ */

static void both(budget_seat_t seat_is, size_t frame)
{
  replay_t replay = replay_new(seat_is, frame, true, true);
  replay_run(&replay);
  CU_ASSERT(replay.decision.date < replay.mark.date + tcc); /* the pause is first */
  CU_ASSERT_EQUAL(highest(&replay)->bytes, rows[frame].peak);
  CU_ASSERT_EQUAL(replay.after_mark->bytes, rows[frame].after_mark_paused);
  close_to(replay.after_mark->bytes, 938700, SENDERS * budget_frames[frame].bytes);
  CU_ASSERT_EQUAL(replay.at_end->bytes, 0); /* the reduction changes nothing: all are paused */
  replay_free(&replay);
}

SGF_TEST(FB_53_FB_97_the_pause_is_first_and_the_reduction_finds_a_draining_queue)
{
  for (size_t frame = 0; frame < BUDGET_FRAMES; frame++)
    both(BUDGET_ENGINE, frame);
}

SGF_SCENARIO(FB_53_FB_97_the_same_in_a_simulation)
{
  both(BUDGET_SIMGRID, 2);
}

/* ---- The same by actors ------------------------------------------------------------------------------------------ */

/* Two actors in place of the scripts: they wait for the queue, sleep, and act at their own instant. */
static replay_t actors_replay;
static opp_simtime_t woken_at_mark, woken_at_decision;
static int64_t seen_after_mark;

static void slower(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  CU_ASSERT_EQUAL(sg_fabric_wait_queue("tor", EGRESS, 0, K_ECN), SGF_OK);
  woken_at_mark                 = seat_now();
  const opp_simtime_t reduction = woken_at_mark + tcc - actors_replay.wire - actors_replay.delay;
  sg_actor_sleep_for((double)reduction * 1e-12 - simgrid_get_clock());
  for (char host[] = "h0"; host[1] < '4'; host[1]++)
    CU_ASSERT_EQUAL(sg_fabric_set_send_rate(host, QUARTER), SGF_OK);
  sg_actor_sleep_for((double)(woken_at_mark + tcc) * 1e-12 - simgrid_get_clock());
  seat_catch_up();
  seen_after_mark = sgf_device_queue_bytes(actors_replay.tor, EGRESS, 0);
}

static void stopper(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  CU_ASSERT_EQUAL(sg_fabric_wait_queue("tor", EGRESS, 0, Q_G), SGF_OK);
  woken_at_decision = seat_now();
  for (unsigned port = 0; port < SENDERS; port++)
    CU_ASSERT_EQUAL(sg_fabric_pause("tor", port, 0, 65535), SGF_OK);
}

static void by_actors(bool slows, bool stops)
{
  enum { ROCE_SIZE = 2 };
  actors_replay = replay_new(BUDGET_SIMGRID, ROCE_SIZE, false, false);
  if (slows)
    sg_actor_start(sg_actor_init("slower", sg_host_by_name("h0")), slower, 0, NULL);
  if (stops)
    sg_actor_start(sg_actor_init("stopper", sg_host_by_name("h1")), stopper, 0, NULL);
  replay_run(&actors_replay); /* whose scripts look on */
  const row_t* row = &rows[ROCE_SIZE];
  CU_ASSERT(!slows || woken_at_mark == actors_replay.begin + row->marked);
  CU_ASSERT(!stops || woken_at_decision == actors_replay.begin + row->decided);
  CU_ASSERT(!slows || seen_after_mark == (stops ? row->after_mark_paused : row->after_mark));
  CU_ASSERT(!stops || highest(&actors_replay)->bytes == row->peak);
  CU_ASSERT(!stops || (actors_replay.before_end->bytes == actors_replay.p && actors_replay.at_end->bytes == 0));
  replay_free(&actors_replay);
}

SGF_SCENARIO(FB_51_by_actors)
{
  by_actors(true, false);
}

SGF_SCENARIO(FB_52_by_actors)
{
  by_actors(false, true);
}

SGF_SCENARIO(FB_53_by_actors)
{
  by_actors(true, true);
}

SGF_SCENARIO(FB_53_by_actors_at_the_reference_pace)
{
  sg_fabric_set_pace(SG_FABRIC_REFERENCE);
  by_actors(true, true);
}
