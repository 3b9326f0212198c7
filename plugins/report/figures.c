/* Figures of a run as a whole: what its flows took, and what became of its frames. */
#include "report.h"

#include <stdlib.h>

#include "budget/budget.h"

/* ---- Flows ----------------------------------------------------------------------------------------------------- */

static int compare_doubles(const void* a, const void* b)
{
  double left = *(const double*)a, right = *(const double*)b;
  return left < right ? -1 : left > right;
}

double report_goodput(const sgf_flow_t* flow)
{
  opp_simtime_t duration = flow->end - flow->start;
  return duration > 0 ? 8.0 * (double)flow->bytes * (double)OPP_S / (double)duration : 0;
}

const size_t report_percents[REPORT_PERCENTS] = {0, 50, 90, 99, 100};

double report_percentile(const double* sorted, size_t count, size_t percent)
{
  size_t rank = (percent * count + 99) / 100;
  return sorted[rank > 0 ? rank - 1 : 0];
}

/* Those of flows of up to `most` bytes. */
static double* times_of(const sgf_report_t* report, uint64_t most, size_t* count)
{
  double* times = report_calloc(report->flow_count, sizeof *times);
  *count        = 0;
  for (size_t i = 0; i < report->flow_count; i++)
    if (report->flows[i].end >= 0 && report->flows[i].bytes <= most)
      times[(*count)++] = (double)(report->flows[i].end - report->flows[i].start);
  qsort(times, *count, sizeof *times, compare_doubles);
  return times;
}

double* report_completion_times(const sgf_report_t* report, size_t* count)
{
  return times_of(report, UINT64_MAX, count);
}

double* report_short_times(const sgf_report_t* report, size_t* count)
{
  uint64_t least = UINT64_MAX;
  uint64_t most  = 0;
  for (size_t i = 0; i < report->flow_count; i++) {
    const uint64_t bytes = report->flows[i].bytes;
    least                = bytes < least ? bytes : least;
    most                 = bytes > most ? bytes : most;
  }
  if (least < most)
    return times_of(report, least, count);
  *count = 0;
  return NULL;
}

double* report_goodputs(const sgf_report_t* report, size_t* count)
{
  double* goodputs = report_calloc(report->flow_count, sizeof *goodputs);
  *count           = 0;
  for (size_t i = 0; i < report->flow_count; i++)
    if (report->flows[i].end >= 0 && report_goodput(&report->flows[i]) > 0)
      goodputs[(*count)++] = report_goodput(&report->flows[i]);
  qsort(goodputs, *count, sizeof *goodputs, compare_doubles);
  return goodputs;
}

double report_jain_index(const sgf_report_t* report)
{
  size_t count;
  double* goodputs = report_goodputs(report, &count);
  int64_t* shares  = report_calloc(count, sizeof *shares);
  for (size_t i = 0; i < count; i++)
    shares[i] = (int64_t)goodputs[i];
  const double jain = count > 0 ? budget_jain(shares, count) : 0;
  free(shares);
  free(goodputs);
  return jain;
}

opp_simtime_t report_makespan(const sgf_report_t* report)
{
  opp_simtime_t first = OPP_TIME_MAX;
  opp_simtime_t last  = -1;
  for (size_t i = 0; i < report->flow_count; i++) {
    if (report->flows[i].start < first)
      first = report->flows[i].start;
    if (report->flows[i].end > last)
      last = report->flows[i].end;
  }
  return last < 0 ? -1 : last - first;
}

/* ---- Frames ---------------------------------------------------------------------------------------------------- */

uint64_t report_total_drops(const sgf_report_t* report)
{
  uint64_t total = 0;
  for (size_t i = 0; i < report->drop_count; i++)
    total += report->drops[i].count;
  return total;
}

uint64_t report_total_pauses(const sgf_report_t* report)
{
  uint64_t total = 0;
  for (size_t i = 0; i < report->pause_count; i++)
    total += report->pauses[i].sent;
  return total;
}

opp_simtime_t report_total_paused(const sgf_report_t* report)
{
  opp_simtime_t total = 0;
  for (size_t i = 0; i < report->pause_count; i++)
    total += report->pauses[i].paused;
  return total;
}
