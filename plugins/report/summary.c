/* The results for people. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_FLOWS = 10, SHOWN_PAUSES = 16, SHOWN_POOLS = 10, SHOWN_HEADROOMS = 8, SHOWN_LINKS = 8 };

void report_note_wait(void* user, const char* line)
{
  report_result_t* result = user;
  if (result->wait_count < REPORT_MAX_WAITS)
    snprintf(result->waits[result->wait_count], sizeof *result->waits, "%s", line);
  result->wait_count++;
}

size_t report_warning_count(const report_result_t* result)
{
  return result->warning_count + sgf_fabric_warning_count(result->fabric);
}

const char* report_warning(const report_result_t* result, size_t i)
{
  return i < result->warning_count ? result->warnings[i]
                                   : sgf_fabric_warning(result->fabric, i - result->warning_count);
}

void report_print_warnings(const sgf_fabric_t* fabric, FILE* out)
{
  for (size_t i = 0; i < sgf_fabric_warning_count(fabric); i++)
    fprintf(out, "warning: %s\n", sgf_fabric_warning(fabric, i));
}

static void print_rest(size_t count, size_t shown, FILE* out)
{
  if (count > shown)
    fprintf(out, "  ... and %s more\n", report_count(count - shown).at);
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

/* ---- Flows ----------------------------------------------------------------------------------------------------- */

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
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (size_t i = 0; i < report->flow_count && i < SHOWN_FLOWS; i++) {
    const sgf_flow_t* flow = &report->flows[i];
    bool ended             = flow->end >= 0;
    report_table_cell(&table, "%s", flow->src);
    report_table_cell(&table, "%s", flow->dst);
    report_table_cell(&table, "%s", report_bytes((double)flow->bytes).at);
    report_table_cell(&table, "%s", report_time((double)flow->start).at);
    report_table_cell(&table, "%s", ended ? report_time((double)flow->end).at : "never");
    report_table_cell(&table, "%s", ended ? report_time((double)(flow->end - flow->start)).at : "");
    report_table_cell(&table, "%s", ended && report_goodput(flow) > 0 ? report_rate(report_goodput(flow)).at : "");
  }
  report_table_print(&table, out);
  print_rest(report->flow_count, SHOWN_FLOWS, out);
}

static void add_percentiles(report_table_t* table, const char* name, const double* sorted, size_t count,
                            report_text_t (*write)(double))
{
  if (count == 0)
    return;
  report_table_cell(table, "%s", name);
  for (size_t i = 0; i < REPORT_PERCENTS; i++)
    report_table_cell(table, "%s", write(report_percentile(sorted, count, report_percents[i])).at);
}

static void print_percentiles(const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {"<", ">p0", ">p50", ">p90", ">p99", ">p100"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  size_t ended = 0, moving = 0;
  double* times    = report_completion_times(report, &ended);
  double* goodputs = report_goodputs(report, &moving);
  add_percentiles(&table, "completion time", times, ended, report_time);
  add_percentiles(&table, "goodput", goodputs, moving, report_rate);
  if (ended > 0)
    report_table_print(&table, out);
  free(times);
  free(goodputs);
}

static void print_flows(const sgf_report_t* report, FILE* out)
{
  fprintf(out, "\nFlows: %s, %s complete\n", report_count(report->flow_count).at, report_count(ended_flows(report)).at);
  if (report->flow_count == 0)
    return;
  print_first_flows(report, out);
  print_percentiles(report, out);
}

/* ---- Frames and drops ------------------------------------------------------------------------------------------ */

static void print_drops(const sgf_report_t* report, FILE* out)
{
  if (report_total_drops(report) == 0) {
    fputs("\nDrops: nothing was dropped\n", out);
    return;
  }
  fprintf(out, "\nDrops: %s\n", report_counted(report_total_drops(report), "frame").at);
  static const char* const titles[] = {"<cause", ">frames"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (size_t i = 0; i < report->drop_count; i++)
    if (report->drops[i].count > 0) {
      report_table_cell(&table, "%s", report->drops[i].cause);
      report_table_cell(&table, "%s", report_count(report->drops[i].count).at);
    }
  report_table_print(&table, out);
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
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  rank_t* ranks                     = report_calloc(report->pool_count, sizeof *ranks);
  size_t used                       = 0;
  for (size_t i = 0; i < report->pool_count; i++)
    if (report->pools[i].peak > 0)
      ranks[used++] = (rank_t){fullness(&report->pools[i]), i};
  qsort(ranks, used, sizeof *ranks, compare_ranks);
  for (size_t i = 0; i < used && i < SHOWN_POOLS; i++) {
    const sgf_pool_peak_t* pool = &report->pools[ranks[i].index];
    report_table_cell(&table, "%s", pool->owner);
    report_table_cell(&table, "%s", pool->pool);
    report_table_cell(&table, "%s", report_bytes((double)pool->peak).at);
    report_table_cell(&table, "%s", pool->xoff > 0 ? report_bytes((double)pool->xoff).at : "-");
    report_table_cell(&table, "%s", report_bytes((double)pool->size).at);
    report_table_cell(&table, "%s", report_percent((double)pool->peak, limit_of(pool)).at);
  }
  fputs("\nFullest pools\n", out);
  report_table_print(&table, out);
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
            nearest->pool, nearest->owner, report_bytes((double)nearest->peak).at,
            report_bytes((double)nearest->xoff).at, report_percent((double)nearest->peak, (double)nearest->xoff).at);
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
  report_table_t table = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  rank_t* ranks        = report_calloc(report->pause_count, sizeof *ranks);
  for (size_t i = 0; i < report->pause_count; i++)
    ranks[i] = (rank_t){(double)report->pauses[i].paused, i};
  qsort(ranks, report->pause_count, sizeof *ranks, compare_ranks);
  for (size_t i = 0; i < report->pause_count && i < SHOWN_PAUSES; i++) {
    const sgf_pause_count_t* pause = &report->pauses[ranks[i].index];
    report_table_cell(&table, "%s", pause->device);
    report_table_cell(&table, "%u", pause->port);
    report_table_cell(&table, "%s", pause->peer);
    report_table_cell(&table, "%u", pause->tc);
    report_table_cell(&table, "%s", report_count(pause->sent).at);
    report_table_cell(&table, "%s", report_count(pause->resumes_sent).at);
    report_table_cell(&table, "%s", report_count(pause->received).at);
    report_table_cell(&table, "%s", report_count(pause->resumes_received).at);
    report_table_cell(&table, "%s", report_time((double)pause->paused).at);
  }
  fputs("\nPauses, longest first\n", out);
  report_table_print(&table, out);
  print_rest(report->pause_count, SHOWN_PAUSES, out);
  free(ranks);
}

/* ---- Feedback: what it takes ----------------------------------------------------------------------------------- */

static void print_headrooms(const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {"<device", ">class", ">ports that paused", ">needed", ">given", ">used"};
  if (report->headroom_count == 0)
    return;
  report_table_t table = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  rank_t* ranks        = report_calloc(report->headroom_count, sizeof *ranks);
  for (size_t i = 0; i < report->headroom_count; i++) {
    const sgf_headroom_use_t* use = &report->headrooms[i];
    ranks[i] = (rank_t){use->headroom > 0 ? (double)use->needed / (double)use->headroom : (double)use->needed, i};
  }
  qsort(ranks, report->headroom_count, sizeof *ranks, compare_ranks);
  for (size_t i = 0; i < report->headroom_count && i < SHOWN_HEADROOMS; i++) {
    const sgf_headroom_use_t* use = &report->headrooms[ranks[i].index];
    report_table_cell(&table, "%s", use->device);
    report_table_cell(&table, "%u", use->tc);
    report_table_cell(&table, "%u", use->ports);
    report_table_cell(&table, "%s", report_exact_bytes(use->needed).at);
    report_table_cell(&table, "%s", report_exact_bytes(use->headroom).at);
    report_table_cell(&table, "%s",
                      use->headroom > 0 ? report_percent((double)use->needed, (double)use->headroom).at : "-");
  }
  fputs("\nHeadroom of the classes that paused, fullest first\n", out);
  report_table_print(&table, out);
  print_rest(report->headroom_count, SHOWN_HEADROOMS, out);
  free(ranks);
}

static void print_feedback(const sgf_fabric_t* fabric, FILE* out)
{
  static const char* const names[SGF_FEEDBACK_KINDS] = {
      [SGF_FEEDBACK_TCC] = "Tcc, mark to slower packet", [SGF_FEEDBACK_TP] = "Tp, pause to last frame"};
  static const char* const titles[] = {"<", ">events", ">min", ">p50", ">p90", ">p99", ">max"};
  if (!sgf_feedback_is_measured(fabric))
    return;
  report_table_t table = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (sgf_feedback_kind_t kind = 0; kind < SGF_FEEDBACK_KINDS; kind++) {
    const sgf_distribution_t times = sgf_feedback_distribution(fabric, kind);
    const int64_t shown[]          = {times.min, times.p50, times.p90, times.p99, times.max};
    report_table_cell(&table, "%s", names[kind]);
    report_table_cell(&table, "%s", report_count(times.count).at);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
      report_table_cell(&table, "%s", times.count > 0 ? report_time((double)shown[i]).at : "-");
  }
  fputs("\nFeedback times\n", out);
  report_table_print(&table, out);
}

/* ---- Links ----------------------------------------------------------------------------------------------------- */

static void print_links(const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {"<from", ">port", "<to", ">frames", ">bytes", ">busy"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  rank_t* ranks                     = report_calloc(report->link_count, sizeof *ranks);
  size_t used                       = 0;
  for (size_t i = 0; i < report->link_count; i++)
    if (report->links[i].frames > 0)
      ranks[used++] = (rank_t){(double)report->links[i].busy, i};
  qsort(ranks, used, sizeof *ranks, compare_ranks);
  for (size_t i = 0; i < used && i < SHOWN_LINKS; i++) {
    const sgf_link_use_t* link = &report->links[ranks[i].index];
    report_table_cell(&table, "%s", link->from);
    report_table_cell(&table, "%u", link->port);
    report_table_cell(&table, "%s", link->to);
    report_table_cell(&table, "%s", report_count(link->frames).at);
    report_table_cell(&table, "%s", report_bytes((double)link->bytes).at);
    report_table_cell(&table, "%s", report_percent((double)link->busy, (double)report->clock).at);
  }
  fputs("\nBusiest links\n", out);
  report_table_print(&table, out);
  print_rest(used, SHOWN_LINKS, out);
  free(ranks);
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

static void print_run(const report_result_t* result, FILE* out)
{
  const sgf_report_t* report = result->report;
  fprintf(out, "\nRun: %s simulated in %s of wall time, seed %llu\n", report_time((double)report->clock).at,
          report_time(result->wall_time_s * (double)OPP_S).at, (unsigned long long)result->seed);
  if (report_warning_count(result) > 0)
    fprintf(out, "  %s, above\n", report_counted(report_warning_count(result), "warning").at);
  fprintf(out, "  %s (%s a second), %s, %s\n", report_counted(report->packet_hops, "packet-hop").at,
          result->wall_time_s > 0 ? report_count((uint64_t)((double)report->packet_hops / result->wall_time_s)).at
                                  : "-",
          report_counted(report->events, "event").at, report_counted(result->kernel_rounds, "kernel round").at);
}

void report_print_verdict(const report_result_t* result, FILE* out)
{
  const sgf_report_t* report = result->report;
  uint64_t drops             = report_total_drops(report);
  if (result->end != SGF_OK) {
    size_t kept = result->wait_count < REPORT_MAX_WAITS ? result->wait_count : REPORT_MAX_WAITS;
    if (kept > 0)
      fputs("Waiting\n", out);
    for (size_t i = 0; i < kept; i++)
      fprintf(out, "  %s\n", result->waits[i]);
    print_rest(result->wait_count, REPORT_MAX_WAITS, out);
    const char* reason = result->reason.text[0] ? result->reason.text : sgf_status_text(result->end);
    fprintf(out, "NOT COMPLETE: %s\n", reason);
  } else if (report->lost > 0) {
    fprintf(out, "complete: %s, of which %s did not arrive, %s dropped\n",
            report_counted(report->flow_count, "flow").at, report_count(report->lost).at,
            report_counted(drops, "frame").at);
  } else if (drops > 0) {
    fprintf(out, "complete: %s, %s dropped and recovered\n", report_counted(report->flow_count, "flow").at,
            report_counted(drops, "frame").at);
  } else {
    fprintf(out, "complete: %s, lossless\n", report_counted(report->flow_count, "flow").at);
  }
}

void report_print_summary(const report_result_t* result, FILE* out)
{
  const sgf_report_t* report = result->report;
  fprintf(out, "%s on %s\n", result->traffic, result->platform);
  for (size_t i = 0; i < result->warning_count; i++)
    fprintf(out, "warning: %s\n", result->warnings[i]);
  report_print_warnings(result->fabric, out);
  print_flows(report, out);
  fprintf(out, "\nFrames: %s, %s\n", report_counted(report->packet_hops, "packet-hop").at,
          report_counted(report->retransmissions, "retransmission").at);
  if (report->trimmed > 0)
    fprintf(out, "\nTrimmed: %s cut to their headers\n", report_counted(report->trimmed, "frame").at);
  print_drops(report, out);
  print_pauses(report, out);
  if (result->victims != NULL)
    report_print_victims(result->victims, report, out);
  print_headrooms(report, out);
  print_feedback(result->fabric, out);
  print_pools(report, out);
  print_links(report, out);
  print_run(result, out);
  fputc('\n', out);
  report_print_verdict(result, out);
}
