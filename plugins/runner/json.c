/* The results as JSON. The keys and their meaning are a contract: README.md. */
#include "runner_internal.h"

#include <jansson.h>

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

static json_t* drops(const sgf_report_t* report)
{
  json_t* object = json_object();
  for (size_t i = 0; i < report->drop_count; i++)
    json_object_set_new(object, report->drops[i].cause, json_integer(integer(report->drops[i].count)));
  json_object_set_new(object, "total", json_integer(integer(runner_total_drops(report))));
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

static json_t* warnings(const sgf_fabric_t* fabric)
{
  json_t* array = json_array();
  for (size_t i = 0; i < sgf_fabric_warning_count(fabric); i++)
    json_array_append_new(array, json_string(sgf_fabric_warning(fabric, i)));
  return array;
}

sgf_status_t runner_print_json(const runner_result_t* result, FILE* out, sgf_error_t* error)
{
  const sgf_report_t* report = result->report;
  json_t* root = json_pack("{s:b, s:f, s:f, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "complete",
                           (int)(result->end == SGF_OK), "simulated_time_s", seconds(report->clock), "wall_time_s",
                           result->wall_time_s, "seed", integer(result->options->seed), "packet_hops",
                           integer(report->packet_hops), "events", integer(report->events), "kernel_rounds",
                           integer(result->kernel_rounds), "retransmissions", integer(report->retransmissions), "flows",
                           flows(report), "drops", drops(report), "pauses", pauses(report), "pools", pools(report),
                           "links", links(report), "warnings", warnings(result->fabric));
  int failed   = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
  json_decref(root);
  putc('\n', out);
  return failed ? sgf_error_set(error, SGF_IO, "the results could not be written as JSON") : SGF_OK;
}
