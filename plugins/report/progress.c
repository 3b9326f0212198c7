/* The line that shows on a terminal that a run goes on. The engine calls it between events; it reads and changes
 * nothing. */
#include "report.h"

#include <time.h>
#include <unistd.h>

static const double refresh_s = 0.2;

enum { EVENTS_PER_LOOK = 1 << 16 }; /* some 10 ms of wall time */

double report_wall_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void report_progress_start(report_progress_t* progress, sgf_fabric_t* fabric)
{
  *progress = (report_progress_t){.started_s = report_wall_clock()};
  if (isatty(STDERR_FILENO) == 1)
    sgf_fabric_set_progress(fabric, EVENTS_PER_LOOK, report_progress_show, progress);
}

void report_progress_show(void* user, opp_simtime_t clock, uint64_t packet_hops)
{
  report_progress_t* progress = user;
  double elapsed_s            = report_wall_clock() - progress->started_s;
  if (elapsed_s < progress->shown_s + refresh_s)
    return;
  progress->shown_s = elapsed_s;
  fprintf(stderr, "\r%.1f s: %s simulated, %s packet-hops\033[K", elapsed_s, report_time((double)clock).at,
          report_count(packet_hops).at);
}

void report_progress_end(const report_progress_t* progress)
{
  if (progress->shown_s > 0)
    fputs("\r\033[K", stderr);
}
