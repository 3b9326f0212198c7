/* The sending end of a queue pair: see window.h. */
#include "nic/roce/window.h"

void roce_window_init(roce_window_t* window, bool selective)
{
  *window = (roce_window_t){.selective = selective};
  nic_arrivals_init(&window->arrived);
}

void roce_window_free(roce_window_t* window)
{
  nic_arrivals_free(&window->arrived);
}

void roce_window_open(roce_window_t* window, uint32_t packets)
{
  const nic_arrivals_t arrived = window->arrived;
  *window = (roce_window_t){.packets = packets, .selective = window->selective, .arrived = arrived};
  nic_arrivals_restart(&window->arrived);
}

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

/* The next packet that is lost and was not sent again in this recovery. */
static bool find_lost(roce_window_t* window)
{
  if (window->again < window->base)
    window->again = window->base;
  while (window->again < window->overtaken && nic_arrivals_has(&window->arrived, window->again))
    window->again++;
  return window->again < window->overtaken;
}

bool roce_window_has_more(roce_window_t* window, uint32_t limit)
{
  if (window->recovers && find_lost(window))
    return true;
  return window->fetch < window->packets && window->fetch < limit;
}

static bool resends(const roce_window_t* window)
{
  return window->recovers && window->again < window->overtaken;
}

uint32_t roce_window_psn(const roce_window_t* window)
{
  return resends(window) ? window->again : window->fetch;
}

void roce_window_take(roce_window_t* window)
{
  if (resends(window))
    window->again++;
  else
    window->fetch++;
}

bool roce_window_give(roce_window_t* window, uint32_t psn, uint32_t epoch)
{
  if (epoch != window->epoch || psn < window->base)
    return false;
  if (psn < window->next) /* sent again by SelectiveRepeat, unless it has arrived meanwhile */
    return !nic_arrivals_has(&window->arrived, psn);
  window->next = psn + 1;
  if (window->used < window->next)
    window->used = window->next;
  return true;
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

static void end_recovery(roce_window_t* window)
{
  if (window->recovers && window->base >= window->recovery)
    window->recovers = false;
}

/* Everything before `psn` has arrived, also what a rewind has taken back: sending goes on behind it. */
static bool retire_before(roce_window_t* window, uint32_t psn)
{
  if (psn <= window->base)
    return false;
  window->base = psn;
  if (window->next < psn)
    window->next = psn;
  if (window->fetch < psn)
    window->fetch = psn;
  if (window->selective)
    for (uint32_t p = window->arrived.expected; p < psn; p = window->arrived.expected)
      nic_arrivals_mark(&window->arrived, p);
  end_recovery(window);
  return true;
}

roce_verdict_t roce_window_acknowledge(roce_window_t* window, uint32_t psn)
{
  if (psn >= window->used)
    return ROCE_GHOST;
  return retire_before(window, psn + 1) ? ROCE_RETIRES : ROCE_OLD;
}

static void rewind_to(roce_window_t* window, uint32_t psn)
{
  window->next  = psn;
  window->fetch = psn;
  window->epoch++;
}

roce_verdict_t roce_window_refuse(roce_window_t* window, uint32_t expected)
{
  if (expected >= window->used)
    return ROCE_GHOST;
  if (expected < window->base)
    return ROCE_OLD;
  retire_before(window, expected);
  rewind_to(window, expected);
  return ROCE_RESTARTS;
}

/* Recovery begins with the oldest packet that is missing. */
static void recover(roce_window_t* window)
{
  window->recovers  = true;
  window->recovery  = window->next;
  window->again     = window->base;
  window->overtaken = window->base + 1;
  if (window->overtaken < window->arrived.highest)
    window->overtaken = window->arrived.highest;
}

roce_verdict_t roce_window_refuse_selectively(roce_window_t* window, uint32_t expected, uint32_t arrived)
{
  if (expected >= window->used || arrived >= window->used)
    return ROCE_GHOST;
  const bool retires = retire_before(window, expected);
  if (arrived < window->base)
    return retires ? ROCE_RETIRES : ROCE_OLD;
  nic_arrivals_mark(&window->arrived, arrived);
  const bool starts = !window->recovers;
  if (starts)
    recover(window);
  if (window->overtaken < arrived)
    window->overtaken = arrived;
  return starts ? ROCE_RESTARTS : retires ? ROCE_RETIRES : ROCE_OLD;
}

void roce_window_expire(roce_window_t* window)
{
  if (window->selective)
    recover(window);
  else
    rewind_to(window, window->base);
}
