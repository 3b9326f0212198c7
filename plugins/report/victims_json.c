/* The victims of a run as JSON. The keys and their meaning are a contract: plugins/runner/README.md. */
#include "report.h"

#include <jansson.h>

static double seconds(opp_simtime_t ps)
{
  return (double)ps / (double)OPP_S;
}

static json_t* seconds_or_null(opp_simtime_t ps)
{
  return ps >= 0 ? json_real(seconds(ps)) : json_null();
}

static json_t* place(const sgf_queue_place_t* of)
{
  return json_pack("{s:s, s:i, s:s, s:i}", "device", sgf_device_name(of->device), "port", (int)of->port, "peer",
                   sgf_device_name(sgf_device_peer(of->device, of->port)), "class", (int)of->tc);
}

static json_t* shares(const sgf_flow_share_t* flows, size_t count)
{
  json_t* array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(
        array, json_pack("{s:I, s:I}", "flow", (json_int_t)flows[i].flow, "bytes", (json_int_t)flows[i].bytes));
  return array;
}

static json_t* places(const sgf_victim_t* victim)
{
  json_t* array = json_array();
  for (size_t i = 0; i < victim->sum_count; i++) {
    const sgf_loss_sum_t* sum = &victim->sums[i];
    json_array_append_new(array, json_pack("{s:o, s:I, s:f, s:o, s:o, s:o}", "held_at", place(&sum->at), "holds",
                                           (json_int_t)sum->holds, "lost_s", seconds(sum->lost), "root",
                                           place(&sum->root), "waiting_with", shares(sum->sharers, sum->sharer_count),
                                           "caused_by", shares(sum->causers, sum->causer_count)));
  }
  return array;
}

static json_t* victim_object(const report_victims_t* victims, const sgf_report_t* report, const sgf_victim_t* victim)
{
  const sgf_flow_t* flow  = &report->flows[victim->flow];
  const double slow_down  = report_slow_down(victims, report, victim->flow);
  const opp_simtime_t end = victims->ends != NULL ? victims->ends[victim->flow] : -1;
  return json_pack("{s:I, s:s, s:s, s:I, s:f, s:o, s:f, s:o, s:o, s:o}", "flow", (json_int_t)victim->flow, "src",
                   flow->src, "dst", flow->dst, "bytes", (json_int_t)flow->bytes, "start_s", seconds(flow->start),
                   "end_s", seconds_or_null(flow->end), "lost_s", seconds(victim->lost), "end_without_s",
                   seconds_or_null(end), "slow_down", slow_down > 0 ? json_real(slow_down) : json_null(), "places",
                   places(victim));
}

json_t* report_json_victims(const report_victims_t* victims, const sgf_report_t* report)
{
  json_t* flows      = json_array();
  json_t* aggressors = json_array();
  json_t* left_out   = json_array();
  for (size_t i = 0; i < victims->list->count; i++)
    json_array_append_new(flows, victim_object(victims, report, &victims->list->items[i]));
  for (size_t i = 0; i < victims->list->aggressor_count; i++)
    json_array_append_new(aggressors, json_integer((json_int_t)victims->list->aggressors[i]));
  for (size_t i = 0; i < report->flow_count; i++)
    if (victims->left_out[i])
      json_array_append_new(left_out, json_integer((json_int_t)i));
  return json_pack("{s:I, s:o, s:o, s:o}", "holds", (json_int_t)victims->list->hold_count, "flows", flows, "aggressors",
                   aggressors, "left_out", left_out);
}
