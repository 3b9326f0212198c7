/* The PFC watchdog on the state machine: spec/feedback-budget.md 9.2, FB-34, FB-37 to FB-40, FB-88 to FB-91, FB-94 and
 * FB-95, with the date of every call stated. */
#include "pfc/watchdog.h"

#include "harness.h"
#include "pfc/pfc.h"

#include <string.h>

#define MS OPP_MS

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

static const sgf_attr_section_t section = {&pfc_watchdog_attributes, 0};
static const sgf_attr_set_t attributes  = {"switch", &section, 1, sizeof(pfc_watchdog_config_t)};

#define SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})

static pfc_watchdog_config_t configure(const char* const* settings)
{
  pfc_watchdog_config_t config;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&attributes, &config, &error), SGF_OK);
  for (; *settings != NULL; settings += 2)
    CU_ASSERT_EQUAL_FATAL(sgf_attr_set_value(&attributes, &config, settings[0], settings[1], &error), SGF_OK);
  return config;
}

static pfc_watchdog_config_t settle(unsigned ports, const char* const* settings)
{
  pfc_watchdog_config_t config = configure(settings);
  sgf_error_t error            = {0};
  CU_ASSERT_EQUAL(pfc_watchdog_settle(&config, ports, &error), SGF_OK);
  return config;
}

static sgf_status_t refusal(const char* const* settings, sgf_error_t* error)
{
  pfc_watchdog_config_t config = configure(settings);
  return pfc_watchdog_settle(&config, 32, error);
}

SGF_TEST(FB_34_off_by_default_with_200_ms_and_drop)
{
  const pfc_watchdog_config_t config = settle(128, SETTINGS(NULL));
  CU_ASSERT(!config.enabled);
  CU_ASSERT_EQUAL(config.detection, 200000 * OPP_US);
  CU_ASSERT_EQUAL(config.detection / (7120 * OPP_NS), 28089); /* about 28,000 times the 7.12 us of FB-07 */
  CU_ASSERT_EQUAL(config.restoration, 200 * MS);
  CU_ASSERT_EQUAL(config.interval, 200 * MS);
  CU_ASSERT_EQUAL(config.action, PFC_WATCHDOG_DROP);
  CU_ASSERT_EQUAL(config.mode, PFC_WATCHDOG_TIMER);
  CU_ASSERT(config.two_samples);
}

/* FB-35: the refresh of the longest pause at 400 Gb/s and 100 ns, and one frame alone. */
SGF_TEST(FB_35_a_pause_of_200_ms_takes_4762_refreshes)
{
  const opp_simtime_t pause = pfc_pause_time(PFC_MAX_QUANTA, INT64_C(400000000000), 100 * OPP_NS);
  CU_ASSERT_EQUAL(200 * MS / (pause / 2), 4762);
  CU_ASSERT(pause < 200 * MS);
}

static void check_scaled(unsigned ports, opp_simtime_t times, opp_simtime_t interval)
{
  const pfc_watchdog_config_t config = settle(ports, SETTINGS("DefaultStart", "true"));
  CU_ASSERT_EQUAL(config.detection, times);
  CU_ASSERT_EQUAL(config.restoration, times);
  CU_ASSERT_EQUAL(config.interval, interval);
}

SGF_TEST(FB_39_the_default_start_scales_with_the_ports)
{
  check_scaled(1, 200 * MS, 200 * MS);
  check_scaled(32, 200 * MS, 200 * MS);
  check_scaled(33, 400 * MS, 400 * MS);
  check_scaled(64, 400 * MS, 400 * MS);
  check_scaled(65, 600 * MS, 600 * MS);
  check_scaled(160, 1000 * MS, 1000 * MS);
  check_scaled(161, 1200 * MS, 1000 * MS);
  check_scaled(256, 1600 * MS, 1000 * MS);
}

SGF_TEST(FB_40_a_poll_interval_above_T0_or_T1_is_refused)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(refusal(SETTINGS("PollInterval", "300ms"), &error), SGF_RULE);
  CU_ASSERT_STRING_EQUAL(error.text, "PfcWatchdog.PollInterval is 300 ms, larger than PfcWatchdog.DetectionTime, which "
                                     "is 200 ms: it may be as large at most");
  error = (sgf_error_t){0};
  CU_ASSERT_EQUAL(refusal(SETTINGS("PollInterval", "300ms", "DetectionTime", "300ms"), &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "RestorationTime, which is 200 ms"));
  error = (sgf_error_t){0};
  CU_ASSERT_EQUAL(
      refusal(SETTINGS("PollInterval", "300ms", "DetectionTime", "300ms", "RestorationTime", "300ms"), &error), SGF_OK);
  CU_ASSERT_EQUAL(refusal(SETTINGS("PollInterval", "300ms", "DetectionTime", "300ms", "RestorationTime", "0s"), &error),
                  SGF_OK);
}

/* The table of 9.2. */
SGF_TEST(ranges_of_the_table)
{
  static const char* const refused[][2] = {{"DetectionTime", "99ms"},  {"DetectionTime", "5001ms"},
                                           {"RestorationTime", "61s"}, {"PollInterval", "99ms"},
                                           {"PollInterval", "1001ms"}, {"Action", "discard"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    pfc_watchdog_config_t config;
    sgf_error_t error = {0};
    sgf_attr_defaults(&attributes, &config, &error);
    CU_ASSERT_EQUAL(sgf_attr_set_value(&attributes, &config, refused[i][0], refused[i][1], &error), SGF_RANGE);
  }
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(refusal(SETTINGS("RestorationTime", "99ms"), &error), SGF_RANGE);
  CU_ASSERT_STRING_EQUAL(error.text, "PfcWatchdog.RestorationTime is neither 0s, for never, nor 100ms to 60s");
}

SGF_TEST(ports_are_a_list)
{
  const pfc_watchdog_config_t config = settle(32, SETTINGS("Ports", "0,4-7,31"));
  unsigned watched                   = 0;
  for (unsigned port = 0; port < 32; port++)
    watched |= (unsigned)pfc_watchdog_has_port(&config, port) << port;
  CU_ASSERT_EQUAL(watched, 0x800000f1);
  CU_ASSERT(pfc_watchdog_has_port(&(pfc_watchdog_config_t){.ports = ""}, 77));
  static const struct {
    const char* list;
    sgf_status_t status;
  } wrong[] = {{"0,", SGF_SYNTAX},  {"a", SGF_SYNTAX}, {"1-", SGF_SYNTAX}, {"-3", SGF_SYNTAX},
               {"1 2", SGF_SYNTAX}, {"32", SGF_RANGE}, {"5-4", SGF_RANGE}, {"0-32", SGF_RANGE}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sgf_error_t error = {0};
    CU_ASSERT_EQUAL(refusal(SETTINGS("Ports", wrong[i].list), &error), wrong[i].status);
  }
}

/* ---- A queue and its peer ---------------------------------------------------------------------------------------- */

/* What a queue goes through. Pauses are refreshed every 42 us, as a peer would; only the first frame of a pause and one
 * in each millisecond are told, which makes no difference to a watchdog. */
typedef struct story {
  pfc_watchdog_config_t config;
  pfc_watchdog_t dog;
  opp_simtime_t now;
  opp_simtime_t refreshed; /* when the peer refreshes next; OPP_TIME_MAX: it does not */
  opp_simtime_t since;     /* begin of the hold that lasts */
  opp_simtime_t paused;    /* earlier ones */
  bool held;
  bool occupied;
  opp_simtime_t last_sent;
  opp_simtime_t stormed; /* dates of the latest storm; -1: none */
  opp_simtime_t restored;
  unsigned storms;
} story_t;

static story_t begin(const char* const* settings)
{
  return (story_t){
      .config = settle(32, settings), .refreshed = OPP_TIME_MAX, .last_sent = -1, .stormed = -1, .restored = -1};
}

static opp_simtime_t paused(const story_t* story)
{
  return story->paused + (story->held ? story->now - story->since : 0);
}

static void set_hold(story_t* story, bool held)
{
  if (story->held)
    story->paused = paused(story);
  story->held  = held;
  story->since = story->now;
}

static void note(story_t* story, pfc_watchdog_verdict_t verdict)
{
  if (verdict == PFC_WATCHDOG_STORM) {
    story->storms++;
    story->stormed = story->now;
    if (story->config.action != PFC_WATCHDOG_ALERT)
      set_hold(story, false);
  }
  if (verdict == PFC_WATCHDOG_RESTORED)
    story->restored = story->now;
}

static bool obeys(const story_t* story)
{
  return !story->dog.stormed || story->config.action == PFC_WATCHDOG_ALERT;
}

/* A PFC frame. */
static void hear(story_t* story, bool pause)
{
  pfc_watchdog_heard(&story->dog, story->now, paused(story));
  if (!obeys(story))
    return;
  if (pause != story->held)
    set_hold(story, pause);
  note(story, pfc_watchdog_hold(&story->dog, story->now, pause));
}

/* Let time pass; timers come before arrivals. */
static void run(story_t* story, opp_simtime_t date)
{
  if (story->dog.config == NULL)
    pfc_watchdog_init(&story->dog, &story->config);
  for (;;) {
    const opp_simtime_t due = story->dog.next;
    if (due <= story->refreshed && due <= date) {
      story->now                         = due;
      const pfc_watchdog_sample_t sample = {story->occupied, story->last_sent, paused(story)};
      note(story, pfc_watchdog_due(&story->dog, story->now, &sample));
      CU_ASSERT_FATAL(story->dog.next > due);
    } else if (story->refreshed <= date) {
      story->now = story->refreshed;
      story->refreshed += MS;
      hear(story, true);
    } else {
      story->now = date;
      return;
    }
  }
}

static void pause_from(story_t* story, opp_simtime_t date)
{
  run(story, date);
  story->refreshed = date + MS;
  hear(story, true);
}

static void resume_at(story_t* story, opp_simtime_t date)
{
  run(story, date);
  story->refreshed = OPP_TIME_MAX;
  hear(story, false);
}

static void send_at(story_t* story, opp_simtime_t date)
{
  run(story, date);
  story->last_sent = date;
}

/* ---- Exact timers ------------------------------------------------------------------------------------------------ */

SGF_TEST(a_storm_comes_exactly_T0_after_the_pause_began)
{
  story_t story = begin(SETTINGS(NULL));
  pause_from(&story, 12345678);
  run(&story, 12345678 + 200 * MS - 1);
  CU_ASSERT_EQUAL(story.storms, 0);
  run(&story, 2000 * MS);
  CU_ASSERT_EQUAL(story.storms, 1);
  CU_ASSERT_EQUAL(story.stormed, 12345678 + 200 * MS);
  CU_ASSERT_EQUAL(story.restored, -1);
}

/* Rule 1: a pause that is resumed ends the count. */
SGF_TEST(FB_88_short_pauses_never_add_up)
{
  story_t story = begin(SETTINGS(NULL));
  for (unsigned i = 0; i < 5000; i++) {
    pause_from(&story, i * 200 * OPP_US);
    resume_at(&story, i * 200 * OPP_US + 100 * OPP_US);
  }
  CU_ASSERT_EQUAL(story.storms, 0);
  CU_ASSERT_EQUAL(story.dog.next, OPP_TIME_MAX);
  pause_from(&story, 1000 * MS);
  resume_at(&story, 1200 * MS - 1);
  pause_from(&story, 1200 * MS);
  run(&story, 1400 * MS - 1);
  CU_ASSERT_EQUAL(story.storms, 0);
}

SGF_TEST(FB_89_an_empty_queue_that_is_paused_for_300_ms_has_a_storm)
{
  story_t story = begin(SETTINGS(NULL));
  pause_from(&story, 5 * MS);
  resume_at(&story, 305 * MS);
  run(&story, 1000 * MS);
  CU_ASSERT_EQUAL(story.storms, 1);
  CU_ASSERT_EQUAL(story.stormed, 205 * MS);
  CU_ASSERT_EQUAL(story.restored, 505 * MS); /* the resume counts too (rule 4) */
}

SGF_TEST(FB_90_a_frame_every_half_of_T1_puts_the_restoration_off_for_ever)
{
  story_t story = begin(SETTINGS("RestorationTime", "400ms"));
  pause_from(&story, 0);
  run(&story, 200 * MS);
  story.refreshed = OPP_TIME_MAX;
  for (unsigned i = 1; i <= 100; i++) {
    run(&story, (200 + 200 * i) * MS);
    hear(&story, i % 2 == 0); /* a resume is as good as a pause */
  }
  CU_ASSERT_EQUAL(story.storms, 1);
  CU_ASSERT_EQUAL(story.restored, -1);
  run(&story, 100000 * MS);
  CU_ASSERT_EQUAL(story.restored, (200 + 200 * 100 + 400) * MS);
}

SGF_TEST(FB_91_restored_T1_after_the_last_frame)
{
  story_t story = begin(SETTINGS(NULL));
  pause_from(&story, 0);
  resume_at(&story, 333 * MS);
  run(&story, 533 * MS - 1);
  CU_ASSERT_EQUAL(story.restored, -1);
  run(&story, 533 * MS);
  CU_ASSERT_EQUAL(story.restored, 533 * MS);
  CU_ASSERT_EQUAL(story.dog.next, OPP_TIME_MAX);
}

SGF_TEST(FB_91_without_a_frame_since_T1_runs_from_the_detection)
{
  story_t story = begin(SETTINGS(NULL));
  pause_from(&story, 0);
  story.refreshed = OPP_TIME_MAX; /* a hold without an end: the state machine does not care why */
  run(&story, 1000 * MS);
  CU_ASSERT_EQUAL(story.stormed, 200 * MS);
  CU_ASSERT_EQUAL(story.restored, 400 * MS);
}

/* Rule 3: after the restoration the next frame pauses again, and its time counts anew. */
SGF_TEST(a_fault_that_lasts_is_reported_again)
{
  story_t story = begin(SETTINGS(NULL));
  pause_from(&story, 0);
  resume_at(&story, 250 * MS);
  pause_from(&story, 600 * MS);
  run(&story, 10000 * MS);
  CU_ASSERT_EQUAL(story.restored, 450 * MS);
  CU_ASSERT_EQUAL(story.storms, 2);
  CU_ASSERT_EQUAL(story.stormed, 800 * MS);
}

SGF_TEST(a_restoration_time_of_0_is_never)
{
  story_t story = begin(SETTINGS("RestorationTime", "0s"));
  pause_from(&story, 0);
  resume_at(&story, 250 * MS);
  CU_ASSERT_EQUAL(story.dog.next, OPP_TIME_MAX);
  run(&story, 100000 * MS);
  CU_ASSERT_EQUAL(story.storms, 1);
  CU_ASSERT_EQUAL(story.restored, -1);
}

SGF_TEST(an_alert_ends_with_the_pause)
{
  story_t story = begin(SETTINGS("Action", "alert"));
  pause_from(&story, 0);
  run(&story, 700 * MS);
  CU_ASSERT_EQUAL(story.storms, 1);
  CU_ASSERT_EQUAL(story.restored, -1);
  CU_ASSERT(story.held);
  resume_at(&story, 777 * MS);
  CU_ASSERT_EQUAL(story.restored, 777 * MS);
}

/* ---- Polling ----------------------------------------------------------------------------------------------------- */

#define POLLING "Mode", "Polling"
#define ONE_SAMPLE "TwoSamples", "false"

typedef enum before { ACTIVE, SILENT, EMPTY } before_t;

/* From the begin of a pause at `s` to its storm. An active queue has sent just before, in the same poll interval. */
static opp_simtime_t delay_of(const char* const* settings, before_t before, opp_simtime_t s)
{
  story_t story  = begin(settings);
  story.occupied = before != EMPTY;
  if (before == ACTIVE)
    send_at(&story, s - 1);
  pause_from(&story, s);
  run(&story, s + 3000 * MS);
  CU_ASSERT_EQUAL(story.storms, 1);
  return story.stormed - s;
}

/* The delays for pauses all over a poll interval lie in (above, at_most], and come within 2 ms of both ends. */
static void check_delays(const char* const* settings, before_t before, opp_simtime_t above, opp_simtime_t at_most)
{
  const opp_simtime_t interval = configure(settings).interval;
  opp_simtime_t least          = OPP_TIME_MAX;
  opp_simtime_t most           = 0;
  for (opp_simtime_t phase = 2; phase < interval; phase += MS) {
    const opp_simtime_t delay = delay_of(settings, before, 7 * interval + phase);
    least                     = delay < least ? delay : least;
    most                      = delay > most ? delay : most;
  }
  const opp_simtime_t late = delay_of(settings, before, 8 * interval - 1); /* just before a poll */
  least                    = late < least ? late : least;
  CU_ASSERT(least > above);
  CU_ASSERT(least <= above + 2 * MS);
  CU_ASSERT(most <= at_most);
  CU_ASSERT(most >= at_most - 2 * MS);
}

SGF_TEST(FB_37_200_and_200_with_one_sample)
{
  check_delays(SETTINGS(POLLING, ONE_SAMPLE), ACTIVE, 200 * MS, 400 * MS);
}

SGF_TEST(FB_38_400_and_100_with_one_sample)
{
  check_delays(SETTINGS(POLLING, ONE_SAMPLE, "DetectionTime", "400ms", "PollInterval", "100ms"), ACTIVE, 400 * MS,
               500 * MS);
}

SGF_TEST(FB_94_two_samples)
{
  check_delays(SETTINGS(POLLING), ACTIVE, 400 * MS, 600 * MS);
  check_delays(SETTINGS(POLLING), SILENT, 200 * MS, 400 * MS);
}

/* The rule changes nothing where T0 takes two polls anyway. */
SGF_TEST(FB_94_two_samples_are_there_when_T0_takes_four)
{
  check_delays(SETTINGS(POLLING, "DetectionTime", "400ms", "PollInterval", "100ms"), ACTIVE, 400 * MS, 500 * MS);
}

SGF_TEST(FB_95_an_empty_queue)
{
  check_delays(SETTINGS(POLLING, ONE_SAMPLE), EMPTY, 160 * MS, 360 * MS);
  check_delays(SETTINGS(POLLING), EMPTY, 360 * MS, 560 * MS);
}

/* "More than 0.8 P". */
SGF_TEST(FB_95_exactly_four_fifths_of_an_interval_are_no_sign)
{
  const char* const* settings = SETTINGS(POLLING, ONE_SAMPLE);
  CU_ASSERT_EQUAL(delay_of(settings, EMPTY, 1440 * MS), 360 * MS);
  CU_ASSERT_EQUAL(delay_of(settings, EMPTY, 1440 * MS - 1), 160 * MS + 1);
}

SGF_TEST(FB_91_polls_restore_between_T1_and_T1_plus_2_P)
{
  for (opp_simtime_t r = 500 * MS; r < 900 * MS; r += 7 * MS) {
    story_t story  = begin(SETTINGS(POLLING, ONE_SAMPLE));
    story.occupied = true;
    pause_from(&story, 1 * MS);
    resume_at(&story, r);
    run(&story, 3000 * MS);
    CU_ASSERT_EQUAL(story.stormed, 200 * MS); /* nothing was sent before: the first poll has a sign */
    CU_ASSERT(story.restored > r + 200 * MS);
    CU_ASSERT(story.restored <= r + 600 * MS);
    CU_ASSERT_EQUAL(story.restored % (200 * MS), 0);
    CU_ASSERT_EQUAL(story.dog.next, OPP_TIME_MAX);
  }
}

SGF_TEST(FB_90_polls_that_hear_a_frame_each_never_restore)
{
  story_t story  = begin(SETTINGS(POLLING, "RestorationTime", "400ms"));
  story.occupied = true;
  pause_from(&story, 1 * MS);
  run(&story, 450 * MS);
  story.refreshed = OPP_TIME_MAX;
  for (unsigned i = 3; i < 100; i++) {
    run(&story, (200 * i + 30) * MS);
    hear(&story, true);
  }
  CU_ASSERT_EQUAL(story.storms, 1);
  CU_ASSERT_EQUAL(story.restored, -1);
}

/* A queue that is served between two polls shows no sign, whatever the number of frames. */
SGF_TEST(FB_88_polls_of_a_queue_that_is_served)
{
  story_t story  = begin(SETTINGS(POLLING, ONE_SAMPLE));
  story.occupied = true;
  for (unsigned i = 0; i < 5000; i++) {
    pause_from(&story, i * 200 * OPP_US);
    resume_at(&story, i * 200 * OPP_US + 100 * OPP_US);
    story.last_sent = story.now + 50 * OPP_US;
  }
  run(&story, 2000 * MS);
  CU_ASSERT_EQUAL(story.storms, 0);
  CU_ASSERT_EQUAL(story.dog.next, OPP_TIME_MAX); /* no poll is left once nothing is paused */
}

/* A sign that is not followed by another one is forgotten. */
SGF_TEST(FB_94_one_sign_is_not_enough_for_two_samples)
{
  story_t story  = begin(SETTINGS(POLLING));
  story.occupied = true;
  pause_from(&story, 190 * MS);
  resume_at(&story, 210 * MS);
  story.last_sent = 211 * MS;
  pause_from(&story, 590 * MS);
  resume_at(&story, 610 * MS);
  story.last_sent = 611 * MS;
  run(&story, 3000 * MS);
  CU_ASSERT_EQUAL(story.storms, 0);
}

SGF_TEST(an_alert_of_polls_is_reported_once)
{
  story_t story  = begin(SETTINGS(POLLING, "Action", "alert"));
  story.occupied = true;
  pause_from(&story, 1 * MS);
  run(&story, 1900 * MS);
  CU_ASSERT_EQUAL(story.storms, 1);
  CU_ASSERT_EQUAL(story.stormed, 400 * MS);
  resume_at(&story, 1950 * MS);
  send_at(&story, 1960 * MS);
  run(&story, 5000 * MS);
  CU_ASSERT_EQUAL(story.restored, 2000 * MS);
  CU_ASSERT_EQUAL(story.dog.next, OPP_TIME_MAX);
}

SGF_TEST(the_longest_detection)
{
  pfc_watchdog_config_t config = settle(32, SETTINGS(NULL));
  CU_ASSERT_EQUAL(pfc_watchdog_longest_detection(&config), 200 * MS);
  config = settle(32, SETTINGS(POLLING));
  CU_ASSERT_EQUAL(pfc_watchdog_longest_detection(&config), 600 * MS);
  config = settle(32, SETTINGS(POLLING, ONE_SAMPLE, "DetectionTime", "450ms", "PollInterval", "100ms"));
  CU_ASSERT_EQUAL(pfc_watchdog_longest_detection(&config), 600 * MS);
}
