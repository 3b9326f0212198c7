/* The watchdog of one queue: see watchdog.h. */
#include "pfc/watchdog.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

/* Bounds of spec/feedback-budget.md 9.2. */
static const opp_simtime_t least_restoration = 100 * OPP_MS;
static const opp_simtime_t largest_interval  = 1000 * OPP_MS;
enum { PORTS_OF_A_STEP = 32 }; /* of the default start */

#define AT(field) offsetof(pfc_watchdog_config_t, field)

static const sgf_attr_t rows[] = {
    {"PfcWatchdog/Enable", SGF_ATTR_BOOL, AT(enabled), "false", "",
     "Watch the lossless queues for a peer that pauses them for ever."},
    {"PfcWatchdog/Ports", SGF_ATTR_TEXT, AT(ports), "", "", "Ports to watch, such as 0,4-7; empty: all."},
    {"PfcWatchdog/DetectionTime", SGF_ATTR_TIMEVAL, AT(detection), "200ms", "100ms..5s",
     "T0: a queue that is paused without a break for longer has a storm, an empty one too."},
    {"PfcWatchdog/RestorationTime", SGF_ATTR_TIMEVAL, AT(restoration), "200ms", "0s..60s",
     "T1: a storm is over when no PFC frame has come for the class for this long, at least 100ms; 0s: never."},
    {"PfcWatchdog/Action", SGF_ATTR_CHOICE, AT(action), "drop", "drop|forward|alert",
     "While a storm is on: drop the queue's packets and what arrives in its class at its port, forward them whatever "
     "the peer asks for, or report it alone."},
    {"PfcWatchdog/Mode", SGF_ATTR_CHOICE, AT(mode), "Timer", "Timer|Polling",
     "Timer: a storm begins exactly when T0 has passed; Polling: counters are read at every PollInterval."},
    {"PfcWatchdog/PollInterval", SGF_ATTR_TIMEVAL, AT(interval), "200ms", "100ms..1s",
     "P: time between two polls; not larger than DetectionTime and RestorationTime."},
    {"PfcWatchdog/TwoSamples", SGF_ATTR_BOOL, AT(two_samples), "true", "",
     "Polling: at least two polls in a row have to agree before a storm begins."},
    {"PfcWatchdog/DefaultStart", SGF_ATTR_BOOL, AT(default_start), "false", "",
     "true: the three times are multiplied by 1 on up to 32 ports, 2 on up to 64, and so on; PollInterval stays at 1s "
     "at most."},
};

const sgf_attr_table_t pfc_watchdog_attributes = {"PFC watchdog of a switch", rows, sizeof rows / sizeof *rows};

static void scale(pfc_watchdog_config_t* config, unsigned ports)
{
  const unsigned multiplier = ports > 0 ? (ports - 1) / PORTS_OF_A_STEP + 1 : 1;
  config->detection *= multiplier;
  config->restoration *= multiplier;
  config->interval *= multiplier;
  if (config->interval > largest_interval)
    config->interval = largest_interval;
}

/* The next range of a list, and what is behind it; false: there is none there. */
static bool read_range(const char** text, unsigned long* first, unsigned long* last)
{
  char* end;
  if (**text < '0' || **text > '9')
    return false;
  *first = *last = strtoul(*text, &end, 10);
  if (*end == '-') {
    *text = end + 1;
    if (**text < '0' || **text > '9')
      return false;
    *last = strtoul(*text, &end, 10);
  }
  *text = end;
  return true;
}

static sgf_status_t check_ports(const pfc_watchdog_config_t* config, unsigned ports, sgf_error_t* error)
{
  const char* text = config->ports;
  unsigned long first, last;
  while (*text != '\0') {
    if (!read_range(&text, &first, &last) || (*text == ',' && text[1] == '\0') || (*text != ',' && *text != '\0'))
      return sgf_error_set(error, SGF_SYNTAX, "PfcWatchdog.Ports: '%s' is no list of ports such as 0,4-7",
                           config->ports);
    if (first > last || last >= ports)
      return sgf_error_set(error, SGF_RANGE, "PfcWatchdog.Ports: '%s' names ports that are not among 0 to %u",
                           config->ports, ports - 1);
    text += *text == ',';
  }
  return SGF_OK;
}

bool pfc_watchdog_has_port(const pfc_watchdog_config_t* config, unsigned port)
{
  const char* text = config->ports;
  unsigned long first, last;
  while (read_range(&text, &first, &last)) {
    if (first <= port && port <= last)
      return true;
    text += *text == ',';
  }
  return config->ports[0] == '\0';
}

static sgf_status_t check_interval(const pfc_watchdog_config_t* config, const char* name, opp_simtime_t time,
                                   sgf_error_t* error)
{
  if (config->interval <= time)
    return SGF_OK;
  return sgf_error_set(error, SGF_RULE,
                       "PfcWatchdog.PollInterval is %" PRId64 " ms, larger than PfcWatchdog.%s, which is %" PRId64
                       " ms: it may be as large at most",
                       config->interval / OPP_MS, name, time / OPP_MS);
}

sgf_status_t pfc_watchdog_settle(pfc_watchdog_config_t* config, unsigned ports, sgf_error_t* error)
{
  if (config->restoration != 0 && config->restoration < least_restoration)
    return sgf_error_set(error, SGF_RANGE, "PfcWatchdog.RestorationTime is neither 0s, for never, nor 100ms to 60s");
  if (config->default_start)
    scale(config, ports);
  if (check_interval(config, "DetectionTime", config->detection, error) != SGF_OK ||
      (config->restoration != 0 && check_interval(config, "RestorationTime", config->restoration, error) != SGF_OK))
    return error->status;
  return check_ports(config, ports, error);
}

opp_simtime_t pfc_watchdog_longest_detection(const pfc_watchdog_config_t* config)
{
  if (config->mode == PFC_WATCHDOG_TIMER)
    return config->detection;
  opp_simtime_t polls = (config->detection + config->interval - 1) / config->interval;
  if (config->two_samples && polls < 2)
    polls = 2;
  return (polls + 1) * config->interval;
}

/* ---- Storms ------------------------------------------------------------------------------------------------------ */

void pfc_watchdog_init(pfc_watchdog_t* dog, const pfc_watchdog_config_t* config)
{
  *dog = (pfc_watchdog_t){.config = config, .next = OPP_TIME_MAX, .last_heard = -1, .left = config->detection};
}

static bool is_polled(const pfc_watchdog_t* dog)
{
  return dog->config->mode == PFC_WATCHDOG_POLLING;
}

/* Whether a storm lasts that the end of the pause does not end. */
static bool waits_for_silence(const pfc_watchdog_t* dog)
{
  return dog->stormed && dog->config->action != PFC_WATCHDOG_ALERT;
}

static pfc_watchdog_verdict_t begin_storm(pfc_watchdog_t* dog)
{
  dog->stormed = true;
  dog->signs   = 0;
  if (!waits_for_silence(dog)) {
    dog->left = dog->config->detection;
    return PFC_WATCHDOG_STORM;
  }
  dog->held = false;
  dog->left = dog->config->restoration;
  return PFC_WATCHDOG_STORM;
}

static pfc_watchdog_verdict_t end_storm(pfc_watchdog_t* dog)
{
  dog->stormed = false;
  dog->left    = dog->config->detection;
  return PFC_WATCHDOG_RESTORED;
}

/* ---- Exact timers ------------------------------------------------------------------------------------------------ */

/* The restoration is put off by later PFC frames when it is due, not with each of them. */
static pfc_watchdog_verdict_t timer_due(pfc_watchdog_t* dog, opp_simtime_t now)
{
  const opp_simtime_t restoration = dog->config->restoration;
  dog->next                       = OPP_TIME_MAX;
  if (!dog->stormed) {
    if (dog->config->action != PFC_WATCHDOG_ALERT && restoration != 0)
      dog->next = now + restoration;
    dog->last_heard = now; /* T1 runs from here on at the earliest (rule 4) */
    return begin_storm(dog);
  }
  if (dog->last_heard + restoration > now) {
    dog->next = dog->last_heard + restoration;
    return PFC_WATCHDOG_NOTHING;
  }
  return end_storm(dog);
}

static pfc_watchdog_verdict_t timer_hold(pfc_watchdog_t* dog, opp_simtime_t now, bool held)
{
  if (held) {
    dog->next = now + dog->config->detection;
    return PFC_WATCHDOG_NOTHING;
  }
  dog->next = OPP_TIME_MAX;
  return dog->stormed ? end_storm(dog) : PFC_WATCHDOG_NOTHING;
}

/* ---- Polls ------------------------------------------------------------------------------------------------------- */

/* What happens at the instant of a poll: a packet that has left then has left before it, a PFC frame that arrives then
 * has arrived after it (spec/switch.md O-35). */
static bool has_sent(const pfc_watchdog_sample_t* sample, opp_simtime_t last_poll)
{
  return sample->last_sent > last_poll;
}

static bool has_heard(const pfc_watchdog_t* dog, opp_simtime_t last_poll)
{
  return dog->last_heard >= last_poll;
}

static bool shows_sign(const pfc_watchdog_t* dog, opp_simtime_t last_poll, const pfc_watchdog_sample_t* sample)
{
  if (has_sent(sample, last_poll))
    return false;
  if (sample->occupied)
    return has_heard(dog, last_poll);
  return 5 * (sample->paused - dog->paused_before) > 4 * dog->config->interval;
}

/* `alert` reports a storm once, until a poll has no sign. */
static pfc_watchdog_verdict_t poll_sign(pfc_watchdog_t* dog)
{
  const opp_simtime_t interval = dog->config->interval;
  const unsigned least         = dog->config->two_samples ? 2 : 1;
  if (dog->stormed)
    return PFC_WATCHDOG_NOTHING;
  if (++dog->signs >= least && dog->left <= interval)
    return begin_storm(dog);
  if (dog->left > interval)
    dog->left -= interval;
  return PFC_WATCHDOG_NOTHING;
}

static pfc_watchdog_verdict_t poll_no_sign(pfc_watchdog_t* dog)
{
  dog->left  = dog->config->detection;
  dog->signs = 0;
  if (!dog->held)
    dog->next = OPP_TIME_MAX; /* until the next PFC frame no poll can have a sign */
  return dog->stormed ? end_storm(dog) : PFC_WATCHDOG_NOTHING;
}

static pfc_watchdog_verdict_t poll_storm(pfc_watchdog_t* dog, opp_simtime_t last_poll)
{
  if (has_heard(dog, last_poll))
    dog->left = dog->config->restoration;
  else if (dog->left > dog->config->interval)
    dog->left -= dog->config->interval;
  else {
    dog->next = OPP_TIME_MAX;
    return end_storm(dog);
  }
  return PFC_WATCHDOG_NOTHING;
}

static pfc_watchdog_verdict_t poll_due(pfc_watchdog_t* dog, opp_simtime_t now, const pfc_watchdog_sample_t* sample)
{
  const opp_simtime_t last_poll  = now - dog->config->interval;
  const bool sign                = shows_sign(dog, last_poll, sample);
  pfc_watchdog_verdict_t verdict = PFC_WATCHDOG_NOTHING;
  dog->next                      = now + dog->config->interval;
  dog->paused_before             = sample->paused;
  if (waits_for_silence(dog))
    return poll_storm(dog, last_poll);
  verdict = sign ? poll_sign(dog) : poll_no_sign(dog);
  if (waits_for_silence(dog) && dog->config->restoration == 0)
    dog->next = OPP_TIME_MAX;
  return verdict;
}

/* ---- One queue --------------------------------------------------------------------------------------------------- */

void pfc_watchdog_heard(pfc_watchdog_t* dog, opp_simtime_t now, opp_simtime_t paused)
{
  dog->last_heard = now;
  if (!is_polled(dog) || dog->next != OPP_TIME_MAX || waits_for_silence(dog))
    return;
  dog->next          = (now / dog->config->interval + 1) * dog->config->interval;
  dog->paused_before = paused;
}

pfc_watchdog_verdict_t pfc_watchdog_hold(pfc_watchdog_t* dog, opp_simtime_t now, bool held)
{
  if (held == dog->held || waits_for_silence(dog))
    return PFC_WATCHDOG_NOTHING;
  dog->held = held;
  return is_polled(dog) ? PFC_WATCHDOG_NOTHING : timer_hold(dog, now, held);
}

pfc_watchdog_verdict_t pfc_watchdog_due(pfc_watchdog_t* dog, opp_simtime_t now, const pfc_watchdog_sample_t* sample)
{
  return is_polled(dog) ? poll_due(dog, now, sample) : timer_due(dog, now);
}
