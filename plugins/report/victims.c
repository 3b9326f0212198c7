/* The victims of a run, and the same run without others (sgfabric/victims.h). */
#include "report.h"

#include <fnmatch.h>
#include <sgfabric/workload.h>
#include <stdlib.h>
#include <string.h>

static const char arrow[] = "->";

bool report_is_pair_of_patterns(const char* text)
{
  const char* at = strstr(text, arrow);
  return at != NULL && at != text && at[strlen(arrow)] != '\0';
}

/* ---- Who is left out --------------------------------------------------------------------------------------------- */

static void leave_out(report_victims_t* victims, size_t flow)
{
  victims->left_out_count += !victims->left_out[flow];
  victims->left_out[flow] = true;
}

static void leave_out_matches(report_victims_t* victims, const sgf_report_t* report, const char* pair)
{
  const char* dst = strstr(pair, arrow) + strlen(arrow);
  char* src       = report_format("%.*s", (int)(dst - pair) - (int)strlen(arrow), pair);
  for (size_t i = 0; i < report->flow_count; i++)
    if (fnmatch(src, report->flows[i].src, 0) == 0 && fnmatch(dst, report->flows[i].dst, 0) == 0)
      leave_out(victims, i);
  free(src);
}

static sgf_status_t check_matches(const report_victims_t* victims, const char* pair, sgf_error_t* error)
{
  return victims->left_out_count > 0
             ? SGF_OK
             : sgf_error_set(error, SGF_UNKNOWN, "--without %s: no flow goes between such hosts", pair);
}

/* ---- The other run ----------------------------------------------------------------------------------------------- */

static sgf_status_t replay(report_victims_t* victims, const sgf_report_t* report, report_again_cb again, void* user,
                           sgf_error_t* error)
{
  sgf_fabric_t* fabric = again(user, error);
  if (fabric == NULL)
    return error->status;
  opp_simtime_t* ends       = report_calloc(report->flow_count, sizeof *ends);
  const sgf_status_t status = sgf_replay_run(report->flows, report->flow_count, victims->left_out, fabric, ends, error);
  if (status == SGF_OK)
    victims->ends = ends;
  else
    free(ends);
  return status;
}

sgf_status_t report_victims_find(report_victims_t* victims, const sgf_fabric_t* fabric, const char* without,
                                 report_again_cb again, void* user, sgf_error_t* error)
{
  sgf_report_t* report = sgf_report_new(fabric);
  sgf_status_t status  = SGF_OK;
  *victims             = (report_victims_t){.list     = sgf_victims_new(fabric),
                                            .left_out = report_calloc(report->flow_count, sizeof *victims->left_out)};
  if (without != NULL) {
    leave_out_matches(victims, report, without);
    status = check_matches(victims, without, error);
  } else
    for (size_t i = 0; i < victims->list->aggressor_count; i++)
      leave_out(victims, victims->list->aggressors[i]);
  if (status == SGF_OK && victims->list->count > 0)
    status = replay(victims, report, again, user, error);
  sgf_report_free(report);
  return status;
}

void report_victims_release(report_victims_t* victims)
{
  sgf_victims_free(victims->list);
  free(victims->left_out);
  free(victims->ends);
}

double report_slow_down(const report_victims_t* victims, const sgf_report_t* report, size_t flow)
{
  const sgf_flow_t* of = &report->flows[flow];
  if (victims->ends == NULL || of->end < 0 || victims->ends[flow] <= of->start)
    return 0;
  return (double)(of->end - of->start) / (double)(victims->ends[flow] - of->start);
}
