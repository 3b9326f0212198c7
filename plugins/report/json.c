/* The results as JSON. The keys and their meaning are a contract: README.md. */
#include "report.h"

#include <jansson.h>
#include <stdlib.h>

enum { DIGITS = 17 }; /* enough for every double to be read back as it was */

static double seconds(opp_simtime_t ps)
{
  return (double)ps / (double)OPP_S;
}

static json_int_t integer(uint64_t value)
{
  return (json_int_t)value;
}

static json_t* flows(const sgf_report_t* report)
{
  json_t* array = json_array();
  for (size_t i = 0; i < report->flow_count; i++) {
    const sgf_flow_t* flow = &report->flows[i];
    json_t* end            = flow->end < 0 ? json_null() : json_real(seconds(flow->end));
    json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:f, s:o}", "src", flow->src, "dst", flow->dst, "bytes",
                                           integer(flow->bytes), "start_s", seconds(flow->start), "end_s", end));
  }
  return array;
}

/* "p50" and so on; null if no flow has ended. */
static json_t* completion_time(const sgf_report_t* report)
{
  size_t count   = 0;
  double* times  = report_completion_times(report, &count);
  json_t* object = count > 0 ? json_object() : json_null();
  for (size_t i = 0; i < REPORT_PERCENTS && count > 0; i++) {
    char* name = report_format("p%zu", report_percents[i]);
    json_object_set_new(object, name, json_real(report_percentile(times, count, report_percents[i]) / (double)OPP_S));
    free(name);
  }
  free(times);
  return object;
}

static json_t* drops(const sgf_report_t* report)
{
  json_t* object = json_object();
  for (size_t i = 0; i < report->drop_count; i++)
    json_object_set_new(object, report->drops[i].cause, json_integer(integer(report->drops[i].count)));
  json_object_set_new(object, "total", json_integer(integer(report_total_drops(report))));
  return object;
}

static json_t* pauses(const sgf_report_t* report)
{
  json_t* array = json_array();
  for (size_t i = 0; i < report->pause_count; i++) {
    const sgf_pause_count_t* pause = &report->pauses[i];
    json_array_append_new(array,
                          json_pack("{s:s, s:I, s:s, s:I, s:I, s:I, s:I, s:I, s:f}", "device", pause->device, "port",
                                    integer(pause->port), "peer", pause->peer, "class", integer(pause->tc), "sent",
                                    integer(pause->sent), "resumes_sent", integer(pause->resumes_sent), "received",
                                    integer(pause->received), "resumes_received", integer(pause->resumes_received),
                                    "paused_s", seconds(pause->paused)));
  }
  return array;
}

static json_t* pools(const sgf_report_t* report)
{
  json_t* array = json_array();
  for (size_t i = 0; i < report->pool_count; i++) {
    const sgf_pool_peak_t* pool = &report->pools[i];
    json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:I, s:I}", "owner", pool->owner, "pool", pool->pool,
                                           "size_bytes", (json_int_t)pool->size, "peak_bytes", (json_int_t)pool->peak,
                                           "xoff_bytes", (json_int_t)pool->xoff));
  }
  return array;
}

static json_t* headrooms(const sgf_report_t* report)
{
  json_t* array = json_array();
  for (size_t i = 0; i < report->headroom_count; i++) {
    const sgf_headroom_use_t* use = &report->headrooms[i];
    json_array_append_new(array,
                          json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "device", use->device, "class", integer(use->tc),
                                    "ports", integer(use->ports), "port", integer(use->port), "needed_bytes",
                                    (json_int_t)use->needed, "headroom_bytes", (json_int_t)use->headroom));
  }
  return array;
}

/* Null of a kind without a measurement. */
static json_t* feedback(const sgf_fabric_t* fabric)
{
  static const char* const names[SGF_FEEDBACK_KINDS] = {[SGF_FEEDBACK_TCC] = "tcc", [SGF_FEEDBACK_TP] = "tp"};
  if (!sgf_feedback_is_measured(fabric))
    return json_null();
  json_t* object = json_object();
  for (sgf_feedback_kind_t kind = 0; kind < SGF_FEEDBACK_KINDS; kind++) {
    const sgf_distribution_t times = sgf_feedback_distribution(fabric, kind);
    json_object_set_new(object, names[kind],
                        times.count == 0
                            ? json_null()
                            : json_pack("{s:I, s:f, s:f, s:f, s:f, s:f}", "events", integer(times.count), "min_s",
                                        seconds(times.min), "p50_s", seconds(times.p50), "p90_s", seconds(times.p90),
                                        "p99_s", seconds(times.p99), "max_s", seconds(times.max)));
  }
  return object;
}

static json_t* links(const sgf_report_t* report)
{
  json_t* array = json_array();
  for (size_t i = 0; i < report->link_count; i++) {
    const sgf_link_use_t* link = &report->links[i];
    json_array_append_new(array, json_pack("{s:s, s:I, s:s, s:I, s:I, s:f}", "from", link->from, "port",
                                           integer(link->port), "to", link->to, "frames", integer(link->frames),
                                           "bytes", integer(link->bytes), "busy_s", seconds(link->busy)));
  }
  return array;
}

json_t* report_json_warnings(const sgf_fabric_t* fabric)
{
  json_t* array = json_array();
  for (size_t i = 0; i < sgf_fabric_warning_count(fabric); i++)
    json_array_append_new(array, json_string(sgf_fabric_warning(fabric, i)));
  return array;
}

static json_t* warnings_of_run(const report_result_t* result)
{
  json_t* array = json_array();
  for (size_t i = 0; i < report_warning_count(result); i++)
    json_array_append_new(array, json_string(report_warning(result, i)));
  return array;
}

sgf_status_t report_write_json(json_t* root, FILE* out, sgf_error_t* error)
{
  int failed = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
  json_decref(root);
  putc('\n', out);
  return failed ? sgf_error_set(error, SGF_IO, "the results could not be written as JSON") : SGF_OK;
}

/* ---- Runs of an ini file --------------------------------------------------------------------------------------- */

/* Which run it was; what comes to an object without one stays out of it. */
static void set_run(json_t* object, const opp_ini_run_t* run)
{
  if (run == NULL)
    return;
  json_t* variables = json_object();
  for (size_t i = 0; i < opp_ini_run_variable_count(run); i++)
    json_object_set_new(variables, opp_ini_run_variable_name(run, i), json_string(opp_ini_run_variable_value(run, i)));
  json_object_set_new(object, "config", json_string(opp_ini_run_config(run)));
  json_object_set_new(object, "run", json_integer(integer(opp_ini_run_number(run))));
  json_object_set_new(object, "repetition", json_integer(integer(opp_ini_run_repetition(run))));
  json_object_set_new(object, "itervars", variables);
}

sgf_status_t report_print_json_failure(const opp_ini_run_t* run, const char* reason, FILE* out, sgf_error_t* error)
{
  json_t* root = json_pack("{s:b}", "complete", 0);
  set_run(root, run);
  json_object_set_new(root, "error", json_string(reason));
  return report_write_json(root, out, error);
}

sgf_status_t report_print_json_runs(const opp_ini_run_t* const* runs, size_t count, FILE* out, sgf_error_t* error)
{
  json_t* array = json_array();
  for (size_t i = 0; i < count; i++) {
    json_t* object = json_object();
    set_run(object, runs[i]);
    json_array_append_new(array, object);
  }
  return report_write_json(array, out, error);
}

sgf_status_t report_print_json(const report_result_t* result, FILE* out, sgf_error_t* error)
{
  const sgf_report_t* report = result->report;
  json_t* root               = json_pack("{s:b}", "complete", (int)(result->end == SGF_OK));
  set_run(root, result->run);
  json_t* results =
      json_pack("{s:f, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                "simulated_time_s", seconds(report->clock), "wall_time_s", result->wall_time_s, "seed",
                integer(result->seed), "packet_hops", integer(report->packet_hops), "events", integer(report->events),
                "kernel_rounds", integer(result->kernel_rounds), "retransmissions", integer(report->retransmissions),
                "trimmed", integer(report->trimmed), "marked", integer(report->marked), "lost", integer(report->lost),
                "flows", flows(report), "completion_time_s", completion_time(report), "drops", drops(report), "pauses",
                pauses(report), "pools", pools(report), "headrooms", headrooms(report), "feedback",
                feedback(result->fabric), "links", links(report), "warnings", warnings_of_run(result));
  if (result->victims != NULL)
    json_object_set_new(results, "victims", report_json_victims(result->victims, report));
  json_object_update(root, results);
  json_decref(results);
  return report_write_json(root, out, error);
}
