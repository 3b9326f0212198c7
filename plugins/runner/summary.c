/* The results for people. */
#include "runner_internal.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_FLOWS = 10, SHOWN_PAUSES = 16, SHOWN_POOLS = 10, SHOWN_LINKS = 8 };

uint64_t runner_total_drops(const sgf_report_t* report)
{
  uint64_t total = 0;
  for (size_t i = 0; i < report->drop_count; i++)
    total += report->drops[i].count;
  return total;
}

size_t runner_warning_count(const runner_result_t* result)
{
  return result->job->warning_count + sgf_fabric_warning_count(result->fabric);
}

const char* runner_warning(const runner_result_t* result, size_t i)
{
  const runner_job_t* job = result->job;
  return i < job->warning_count ? job->warnings[i] : sgf_fabric_warning(result->fabric, i - job->warning_count);
}

static void print_rest(size_t count, size_t shown, FILE* out)
{
  if (count > shown)
    fprintf(out, "  ... and %s more\n", runner_count(count - shown).at);
}

/* ---- Order ----------------------------------------------------------------------------------------------------- */

/* An item of the report and what it is ranked by: largest first, equal ones in order of the report. */
typedef struct rank {
  double weight;
  size_t index;
} rank_t;

static int compare_ranks(const void* a, const void* b)
{
  const rank_t* left  = a;
  const rank_t* right = b;
  if (left->weight != right->weight)
    return left->weight > right->weight ? -1 : 1;
  return left->index < right->index ? -1 : left->index > right->index;
}

static int compare_doubles(const void* a, const void* b)
{
  double left = *(const double*)a, right = *(const double*)b;
  return left < right ? -1 : left > right;
}

/* ---- Flows ----------------------------------------------------------------------------------------------------- */

/* Bits per second from the post to the acknowledgement of the last byte; 0 for a flow that took no time. */
static double goodput(const sgf_flow_t* flow)
{
  opp_simtime_t duration = flow->end - flow->start;
  return duration > 0 ? 8.0 * (double)flow->bytes * (double)OPP_S / (double)duration : 0;
}

static size_t ended_flows(const sgf_report_t* report)
{
  size_t ended = 0;
  for (size_t i = 0; i < report->flow_count; i++)
    ended += report->flows[i].end >= 0;
  return ended;
}

static void print_first_flows(const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {"<src", "<dst", ">size", ">start", ">end", ">time", ">goodput"};
  runner_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (size_t i = 0; i < report->flow_count && i < SHOWN_FLOWS; i++) {
    const sgf_flow_t* flow = &report->flows[i];
    bool ended             = flow->end >= 0;
    runner_table_cell(&table, "%s", flow->src);
    runner_table_cell(&table, "%s", flow->dst);
    runner_table_cell(&table, "%s", runner_bytes((double)flow->bytes).at);
    runner_table_cell(&table, "%s", runner_time((double)flow->start).at);
    runner_table_cell(&table, "%s", ended ? runner_time((double)flow->end).at : "never");
    runner_table_cell(&table, "%s", ended ? runner_time((double)(flow->end - flow->start)).at : "");
    runner_table_cell(&table, "%s", ended && goodput(flow) > 0 ? runner_rate(goodput(flow)).at : "");
  }
  runner_table_print(&table, out);
  print_rest(report->flow_count, SHOWN_FLOWS, out);
}

/* The smallest value that at least `percent` of all do not exceed. */
static double percentile(const double* sorted, size_t count, size_t percent)
{
  size_t rank = (percent * count + 99) / 100;
  return sorted[rank > 0 ? rank - 1 : 0];
}

static void add_percentiles(runner_table_t* table, const char* name, double* values, size_t count,
                            runner_text_t (*write)(double))
{
  static const size_t percents[] = {0, 50, 90, 99, 100};
  if (count == 0)
    return;
  qsort(values, count, sizeof *values, compare_doubles);
  runner_table_cell(table, "%s", name);
  for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
    runner_table_cell(table, "%s", write(percentile(values, count, percents[i])).at);
}

static void print_percentiles(const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {"<", ">p0", ">p50", ">p90", ">p99", ">p100"};
  runner_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  double* times                     = runner_calloc(report->flow_count, sizeof *times);
  double* goodputs                  = runner_calloc(report->flow_count, sizeof *goodputs);
  size_t ended = 0, moving = 0;
  for (size_t i = 0; i < report->flow_count; i++) {
    const sgf_flow_t* flow = &report->flows[i];
    if (flow->end < 0)
      continue;
    times[ended++] = (double)(flow->end - flow->start);
    if (goodput(flow) > 0)
      goodputs[moving++] = goodput(flow);
  }
  add_percentiles(&table, "completion time", times, ended, runner_time);
  add_percentiles(&table, "goodput", goodputs, moving, runner_rate);
  if (ended > 0)
    runner_table_print(&table, out);
  free(times);
  free(goodputs);
}

static void print_flows(const sgf_report_t* report, FILE* out)
{
  fprintf(out, "\nFlows: %s, %s complete\n", runner_count(report->flow_count).at, runner_count(ended_flows(report)).at);
  if (report->flow_count == 0)
    return;
  print_first_flows(report, out);
  print_percentiles(report, out);
}

/* ---- Frames and drops ------------------------------------------------------------------------------------------ */

static void print_drops(const sgf_report_t* report, FILE* out)
{
  if (runner_total_drops(report) == 0) {
    fputs("\nDrops: nothing was dropped\n", out);
    return;
  }
  fprintf(out, "\nDrops: %s\n", runner_counted(runner_total_drops(report), "frame").at);
  static const char* const titles[] = {"<cause", ">frames"};
  runner_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (size_t i = 0; i < report->drop_count; i++)
    if (report->drops[i].count > 0) {
      runner_table_cell(&table, "%s", report->drops[i].cause);
      runner_table_cell(&table, "%s", runner_count(report->drops[i].count).at);
    }
  runner_table_print(&table, out);
}

/* ---- Pools ----------------------------------------------------------------------------------------------------- */

/* What a pool's peak is held against. */
static double limit_of(const sgf_pool_peak_t* pool)
{
  return (double)(pool->xoff > 0 ? pool->xoff : pool->size);
}

static double fullness(const sgf_pool_peak_t* pool)
{
  return limit_of(pool) > 0 ? (double)pool->peak / limit_of(pool) : 0;
}

static void print_pools(const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {"<owner", "<pool", ">peak", ">Xoff", ">size", ">of Xoff or size"};
  runner_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  rank_t* ranks                     = runner_calloc(report->pool_count, sizeof *ranks);
  size_t used                       = 0;
  for (size_t i = 0; i < report->pool_count; i++)
    if (report->pools[i].peak > 0)
      ranks[used++] = (rank_t){fullness(&report->pools[i]), i};
  qsort(ranks, used, sizeof *ranks, compare_ranks);
  for (size_t i = 0; i < used && i < SHOWN_POOLS; i++) {
    const sgf_pool_peak_t* pool = &report->pools[ranks[i].index];
    runner_table_cell(&table, "%s", pool->owner);
    runner_table_cell(&table, "%s", pool->pool);
    runner_table_cell(&table, "%s", runner_bytes((double)pool->peak).at);
    runner_table_cell(&table, "%s", pool->xoff > 0 ? runner_bytes((double)pool->xoff).at : "-");
    runner_table_cell(&table, "%s", runner_bytes((double)pool->size).at);
    runner_table_cell(&table, "%s", runner_percent((double)pool->peak, limit_of(pool)).at);
  }
  fputs("\nFullest pools\n", out);
  runner_table_print(&table, out);
  print_rest(used, SHOWN_POOLS, out);
  free(ranks);
}

/* ---- Pauses ---------------------------------------------------------------------------------------------------- */

/* How near the fabric came to a pause. */
static void print_no_pause(const sgf_report_t* report, FILE* out)
{
  const sgf_pool_peak_t* nearest = NULL;
  for (size_t i = 0; i < report->pool_count; i++) {
    const sgf_pool_peak_t* pool = &report->pools[i];
    if (pool->xoff > 0 && (!nearest || fullness(pool) > fullness(nearest)))
      nearest = pool;
  }
  if (nearest)
    fprintf(out, "\nPauses: PFC never fired; nearest to it was %s of %s with a peak of %s against Xoff %s (%s)\n",
            nearest->pool, nearest->owner, runner_bytes((double)nearest->peak).at,
            runner_bytes((double)nearest->xoff).at, runner_percent((double)nearest->peak, (double)nearest->xoff).at);
  else
    fputs("\nPauses: PFC never fired; it is on for no class of any port\n", out);
}

static void print_pauses(const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {
      "<device", ">port", "<peer", ">class", ">sent", ">resumes sent", ">received", ">resumes received", ">paused"};
  if (report->pause_count == 0) {
    print_no_pause(report, out);
    return;
  }
  runner_table_t table = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  rank_t* ranks        = runner_calloc(report->pause_count, sizeof *ranks);
  for (size_t i = 0; i < report->pause_count; i++)
    ranks[i] = (rank_t){(double)report->pauses[i].paused, i};
  qsort(ranks, report->pause_count, sizeof *ranks, compare_ranks);
  for (size_t i = 0; i < report->pause_count && i < SHOWN_PAUSES; i++) {
    const sgf_pause_count_t* pause = &report->pauses[ranks[i].index];
    runner_table_cell(&table, "%s", pause->device);
    runner_table_cell(&table, "%u", pause->port);
    runner_table_cell(&table, "%s", pause->peer);
    runner_table_cell(&table, "%u", pause->tc);
    runner_table_cell(&table, "%s", runner_count(pause->sent).at);
    runner_table_cell(&table, "%s", runner_count(pause->resumes_sent).at);
    runner_table_cell(&table, "%s", runner_count(pause->received).at);
    runner_table_cell(&table, "%s", runner_count(pause->resumes_received).at);
    runner_table_cell(&table, "%s", runner_time((double)pause->paused).at);
  }
  fputs("\nPauses, longest first\n", out);
  runner_table_print(&table, out);
  print_rest(report->pause_count, SHOWN_PAUSES, out);
  free(ranks);
}

/* ---- Links ----------------------------------------------------------------------------------------------------- */

static void print_links(const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {"<from", ">port", "<to", ">frames", ">bytes", ">busy"};
  runner_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  rank_t* ranks                     = runner_calloc(report->link_count, sizeof *ranks);
  size_t used                       = 0;
  for (size_t i = 0; i < report->link_count; i++)
    if (report->links[i].frames > 0)
      ranks[used++] = (rank_t){(double)report->links[i].busy, i};
  qsort(ranks, used, sizeof *ranks, compare_ranks);
  for (size_t i = 0; i < used && i < SHOWN_LINKS; i++) {
    const sgf_link_use_t* link = &report->links[ranks[i].index];
    runner_table_cell(&table, "%s", link->from);
    runner_table_cell(&table, "%u", link->port);
    runner_table_cell(&table, "%s", link->to);
    runner_table_cell(&table, "%s", runner_count(link->frames).at);
    runner_table_cell(&table, "%s", runner_bytes((double)link->bytes).at);
    runner_table_cell(&table, "%s", runner_percent((double)link->busy, (double)report->clock).at);
  }
  fputs("\nBusiest links\n", out);
  runner_table_print(&table, out);
  print_rest(used, SHOWN_LINKS, out);
  free(ranks);
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

static void print_run(const runner_result_t* result, FILE* out)
{
  const sgf_report_t* report = result->report;
  fprintf(out, "\nRun: %s simulated in %s of wall time, seed %llu\n", runner_time((double)report->clock).at,
          runner_time(result->wall_time_s * (double)OPP_S).at, (unsigned long long)result->job->seed);
  if (runner_warning_count(result) > 0)
    fprintf(out, "  %s, above\n", runner_counted(runner_warning_count(result), "warning").at);
  fprintf(out, "  %s (%s a second), %s, %s\n", runner_counted(report->packet_hops, "packet-hop").at,
          result->wall_time_s > 0 ? runner_count((uint64_t)((double)report->packet_hops / result->wall_time_s)).at
                                  : "-",
          runner_counted(report->events, "event").at, runner_counted(result->kernel_rounds, "kernel round").at);
}

void runner_print_verdict(const runner_result_t* result, FILE* out)
{
  const sgf_report_t* report = result->report;
  uint64_t drops             = runner_total_drops(report);
  if (result->end != SGF_OK) {
    size_t kept = result->wait_count < RUNNER_MAX_WAITS ? result->wait_count : RUNNER_MAX_WAITS;
    if (kept > 0)
      fputs("Waiting\n", out);
    for (size_t i = 0; i < kept; i++)
      fprintf(out, "  %s\n", result->waits[i]);
    print_rest(result->wait_count, RUNNER_MAX_WAITS, out);
    const char* reason = result->reason.text[0] ? result->reason.text : sgf_status_text(result->end);
    fprintf(out, "NOT COMPLETE: %s\n", reason);
  } else if (drops > 0) {
    fprintf(out, "complete: %s, %s dropped and recovered\n", runner_counted(report->flow_count, "flow").at,
            runner_counted(drops, "frame").at);
  } else {
    fprintf(out, "complete: %s, lossless\n", runner_counted(report->flow_count, "flow").at);
  }
}

void runner_print_summary(const runner_result_t* result, FILE* out)
{
  const sgf_report_t* report = result->report;
  fprintf(out, "%s on %s\n", result->job->deployment, result->job->platform);
  for (size_t i = 0; i < runner_warning_count(result); i++)
    fprintf(out, "warning: %s\n", runner_warning(result, i));
  print_flows(report, out);
  fprintf(out, "\nFrames: %s, %s\n", runner_counted(report->packet_hops, "packet-hop").at,
          runner_counted(report->retransmissions, "retransmission").at);
  print_drops(report, out);
  print_pauses(report, out);
  print_pools(report, out);
  print_links(report, out);
  print_run(result, out);
  fputc('\n', out);
  runner_print_verdict(result, out);
}
