/* The traffic of a run again, without some of it: an open loop. */
#include <sgfabric/stats.h>
#include <sgfabric/workload.h>

static sgf_status_t post(const sgf_flow_t* flow, sgf_fabric_t* fabric, sgf_error_t* error)
{
  sgf_device_t* src = sgf_fabric_find(fabric, flow->src);
  sgf_device_t* dst = sgf_fabric_find(fabric, flow->dst);
  if (src == NULL || dst == NULL)
    return sgf_error_set(error, SGF_UNKNOWN, "a flow is replayed from '%s' to '%s', and there is no '%s'", flow->src,
                         flow->dst, src == NULL ? flow->src : flow->dst);
  /* One actor posts all: what began at one instant keeps its order. */
  sgf_op_t* write = sgf_op_write(fabric, src, dst, flow->bytes, 0, flow->start, 0, error);
  if (write == NULL)
    return error->status;
  sgf_status_t status = SGF_OK;
  if (flow->rate_bps > 0)
    status = sgf_op_set_rate(write, flow->rate_bps, error);
  if (status == SGF_OK && flow->queue_pair > 0)
    status = sgf_op_set_queue_pair(write, flow->queue_pair, error);
  if (status == SGF_OK && flow->has_classes)
    status = sgf_op_set_classes(write, flow->data_class, flow->control_class, error);
  sgf_op_unref(write);
  return status;
}

static sgf_status_t pass_error(const sgf_fabric_t* fabric, sgf_error_t* error)
{
  const sgf_error_t* reason = sgf_fabric_error(fabric);
  return sgf_error_set(error, reason->status, "%s", reason->text);
}

/* What was posted is in the report in the same order. */
static void note_ends(const sgf_fabric_t* fabric, size_t count, const bool* left_out, opp_simtime_t* ends)
{
  sgf_report_t* report = sgf_report_new(fabric);
  size_t posted        = 0;
  for (size_t i = 0; i < count; i++)
    ends[i] = left_out != NULL && left_out[i] ? -1 : report->flows[posted++].end;
  sgf_report_free(report);
}

/* What is posted is reported by date, and of one date by source, wherever it was in the list. */
static sgf_status_t check_order(const sgf_flow_t* flows, size_t count, const sgf_fabric_t* fabric, sgf_error_t* error)
{
  const sgf_device_t* last = NULL;
  for (size_t i = 0; i < count; i++) {
    const sgf_device_t* src = sgf_fabric_find(fabric, flows[i].src);
    if (src != NULL && last != NULL &&
        (flows[i].start < flows[i - 1].start ||
         (flows[i].start == flows[i - 1].start && sgf_device_node_id(src) < sgf_device_node_id(last))))
      return sgf_error_set(error, SGF_RULE,
                           "flow %zu, from '%s', is not in the order of a report: flow %zu, from '%s', comes after it",
                           i, flows[i].src, i - 1, flows[i - 1].src);
    last = src;
  }
  return SGF_OK;
}

sgf_status_t sgf_replay_run(const sgf_flow_t* flows, size_t count, const bool* left_out, sgf_fabric_t* fabric,
                            opp_simtime_t* ends, sgf_error_t* error)
{
  if (check_order(flows, count, fabric, error) != SGF_OK)
    return error->status;
  for (size_t i = 0; i < count; i++) {
    if (left_out != NULL && left_out[i])
      continue;
    if (flows[i].start > sgf_engine_clock(fabric) &&
        sgf_engine_advance(fabric, flows[i].start) == SGF_ENGINE_ERROR) /* what is posted at a date is held there */
      return pass_error(fabric, error);
    if (post(&flows[i], fabric, error) != SGF_OK)
      return error->status;
  }
  if (sgf_engine_drain(fabric) == SGF_ENGINE_ERROR)
    return pass_error(fabric, error);
  if (ends != NULL)
    note_ends(fabric, count, left_out, ends);
  return SGF_OK;
}
