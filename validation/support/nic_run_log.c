/* A log of the frames on a cable: see nic_run_log.h. */
#include "support/nic_run_log.h"

#include <CUnit/CUnit.h>

enum { MOST_FRAMES = 1 << 16 };

static struct {
  uint8_t kind;
  bool to_host;
} frames[MOST_FRAMES];
static size_t frame_count;
static const run_log_t* active;

static opp_simtime_t pass(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  CU_ASSERT_FATAL(frame_count < MOST_FRAMES);
  frames[frame_count].kind      = active->write_down(msg, now, to_host);
  frames[frame_count++].to_host = to_host;
  return *active->fate != NULL ? (*active->fate)(msg, now, to_host) : 0;
}

void run_log_cable(const run_log_t* log, const char* const* settings)
{
  active = log;
  run_tap("h1", pass);
  run_cable_of(log->model, "100ns", settings);
}

void run_log_rack(const run_log_t* log, unsigned hosts, const char* const* settings)
{
  active = log;
  run_tap("h0", pass);
  run_rack_of(log->model, hosts, "100ns", settings);
}

size_t run_log_count(int kind, bool to_host)
{
  size_t count = 0;
  for (size_t i = 0; i < frame_count; i++)
    count += frames[i].kind == kind && frames[i].to_host == to_host;
  return count;
}

size_t run_log_nth(int kind, bool to_host, size_t n)
{
  for (size_t i = 0; i < frame_count; i++)
    if (frames[i].kind == kind && frames[i].to_host == to_host && n-- == 0)
      return i;
  return SIZE_MAX;
}
