/* The results of one run as a row of a table of runs. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

const char* const report_row_titles[] = {
    ">flows",  ">makespan", ">p50",    ">p90",     ">p99",           ">short p99",           ">Jain", ">resent",
    ">marked", ">pauses",   ">paused", ">dropped", ">longest queue", ">fullest switch pool", "<end",  NULL};

/* Frees the times. */
static void print_times(double* times, size_t count, const size_t* percents, size_t percent_count, FILE* out)
{
  for (size_t i = 0; i < percent_count; i++)
    fprintf(out, "\t%s", count > 0 ? report_time(report_percentile(times, count, percents[i])).at : "-");
  free(times);
}

static void print_all_times(const sgf_report_t* report, FILE* out)
{
  static const size_t percents[] = {50, 90, 99};
  size_t count;
  double* times = report_completion_times(report, &count);
  print_times(times, count, percents, sizeof percents / sizeof *percents, out);
  times = report_short_times(report, &count);
  print_times(times, count, (const size_t[]){99}, 1, out);
}

/* A switch's as a whole, and not a port's part of one ("pool0 ingress"). */
static bool is_switch_pool(const sgf_pool_peak_t* pool)
{
  return strncmp(pool->pool, "pool", strlen("pool")) == 0 && strchr(pool->pool, ' ') == NULL;
}

/* The most that was held at once in one pool of one switch. */
static int64_t fullest_pool(const sgf_report_t* report)
{
  int64_t most = 0;
  for (size_t i = 0; i < report->pool_count; i++)
    if (is_switch_pool(&report->pools[i]) && report->pools[i].peak > most)
      most = report->pools[i].peak;
  return most;
}

void report_print_row(const report_result_t* result, FILE* out)
{
  const sgf_report_t* report   = result->report;
  const opp_simtime_t makespan = report_makespan(report);
  fprintf(out, "%s\t%s", report_count(report->flow_count).at, makespan < 0 ? "-" : report_time((double)makespan).at);
  print_all_times(report, out);
  fprintf(out, "\t%.3f\t%s\t%s", report_jain_index(report), report_count(report->retransmissions).at,
          report_count(report->marked).at);
  fprintf(out, "\t%s\t%s\t%s", report_count(report_total_pauses(report)).at,
          report_time((double)report_total_paused(report)).at, report_count(report_total_drops(report)).at);
  fprintf(out, "\t%s\t%s", report_bytes((double)report->longest_queue).at,
          report_bytes((double)fullest_pool(report)).at);
  fprintf(out, "\t%s\n", result->end == SGF_OK ? "complete" : sgf_status_text(result->end));
}
