/* What `sgfabric explain` says, as JSON. The keys and their meaning are a contract: README.md. */
#include "runner_internal.h"

#include <jansson.h>
#include <sgfabric/explain.h>

static double seconds(opp_simtime_t ps)
{
  return (double)ps / (double)OPP_S;
}

static void append_integer(json_t* array, int64_t value)
{
  json_array_append_new(array, json_integer((json_int_t)value));
}

/* ---- Switches -------------------------------------------------------------------------------------------------- */

static json_t* conditions(const sgf_switch_facts_t* facts)
{
  static const char* const names[SGF_EXPLAIN_CONDITIONS] = {"headroom", "pool", "alone"};
  json_t* array                                          = json_array();
  for (unsigned tc = 0; tc < SGF_EXPLAIN_CLASSES; tc++) {
    if (facts->conditions[tc][0].needed == 0)
      continue; /* lossy */
    for (unsigned i = 0; i < SGF_EXPLAIN_CONDITIONS; i++) {
      const sgf_condition_t* condition = &facts->conditions[tc][i];
      json_array_append_new(array, json_pack("{s:i, s:i, s:s, s:b, s:I, s:I}", "class", (int)tc, "condition",
                                             (int)i + 1, "name", names[i], "holds", (int)condition->holds, "given",
                                             (json_int_t)condition->given, "needed", (json_int_t)condition->needed));
    }
  }
  return array;
}

static json_t* switch_object(const sgf_device_t* device)
{
  const sgf_switch_facts_t facts = sgf_explain_switch(device);
  unsigned pools                 = SGF_EXPLAIN_CLASSES;
  while (pools > 0 && facts.pools[pools - 1].size == 0)
    pools--;
  json_t* sizes  = json_array();
  json_t* limits = json_array();
  json_t* lower  = json_array();
  json_t* upper  = json_array();
  json_t* again  = json_array();
  for (unsigned i = 0; i < pools; i++) {
    append_integer(sizes, facts.pools[i].size);
    append_integer(again, facts.pools[i].retransmission_limit);
    append_integer(limits, facts.pools[i].queue_limit);
    json_array_append_new(lower, json_real(facts.pools[i].ecn_lower));
    json_array_append_new(upper, json_real(facts.pools[i].ecn_upper));
  }
  return json_pack("{s:s, s:i, s:I, s:b, s:b, s:o, s:I, s:I, s:o, s:o, s:{s:o, s:o}, s:I, s:I, s:f, s:f, s:o}", "name",
                   sgf_device_name(device), "connected_ports", (int)facts.connected_ports, "ports_bps",
                   (json_int_t)facts.total_bps, "uet_policy", (int)facts.uet_policy, "trimming", (int)facts.trimming,
                   "retransmission_limits", again, "headroom_total", (json_int_t)facts.headroom_total, "sizing_total",
                   (json_int_t)facts.sizing_total, "pools", sizes, "egress_limits", limits, "ecn", "lower", lower,
                   "upper", upper, "xoff", (json_int_t)facts.xoff, "xon", (json_int_t)facts.xon, "pause_time_s",
                   seconds(facts.pause_time), "refresh_s", seconds(facts.refresh), "conditions", conditions(&facts));
}

/* ---- NICs ------------------------------------------------------------------------------------------------------ */

static json_t* pcie(const sgf_nic_facts_t* facts)
{
  return json_pack("{s:I, s:I, s:I, s:b, s:I, s:I}", "to_host_bps", (json_int_t)facts->to_host_bps, "to_nic_bps",
                   (json_int_t)facts->to_nic_bps, "needed_bps", (json_int_t)facts->needed_bps, "keeps_up",
                   (int)facts->keeps_up, "lanes", (json_int_t)facts->lanes, "lanes_needed",
                   (json_int_t)facts->lanes_needed);
}

static void set_fact(void* user, const char* name, sgf_unit_t unit, int64_t value)
{
  json_object_set_new(user, name, unit == SGF_UNIT_TIME ? json_real(seconds(value)) : json_integer((json_int_t)value));
}

static json_t* transport(const sgf_device_t* device)
{
  json_t* object = json_object();
  sgf_explain_transport(device, set_fact, object);
  return object;
}

static json_t* nic_object(const sgf_device_t* device)
{
  const sgf_nic_facts_t facts = sgf_explain_nic(device);
  unsigned classes            = SGF_EXPLAIN_CLASSES;
  while (classes > 0 && facts.classes[classes - 1].egress == 0 && facts.classes[classes - 1].ingress == 0)
    classes--;
  json_t* egress  = json_array();
  json_t* ingress = json_array();
  json_t* xoff    = json_array();
  json_t* xon     = json_array();
  for (unsigned tc = 0; tc < classes; tc++) {
    append_integer(egress, facts.classes[tc].egress);
    append_integer(ingress, facts.classes[tc].ingress);
    append_integer(xoff, facts.classes[tc].xoff);
    append_integer(xon, facts.classes[tc].xon);
  }
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:f, s:f, s:o, s:I, s:o}", "host", sgf_device_name(device), "model",
                   sgf_device_model(device), "egress_pools", egress, "ingress_pools", ingress, "xoff", xoff, "xon", xon,
                   "pause_time_s", seconds(facts.classes[0].pause_time), "refresh_s", seconds(facts.classes[0].refresh),
                   "pcie", pcie(&facts), "window_bytes", (json_int_t)facts.window, "transport", transport(device));
}

sgf_status_t runner_explain_json(const sgf_fabric_t* fabric, FILE* out, sgf_error_t* error)
{
  json_t* switches = json_array();
  json_t* nics     = json_array();
  for (size_t i = 0; i < sgf_fabric_device_count(fabric); i++) {
    const sgf_device_t* device = sgf_fabric_device(fabric, i);
    if (sgf_device_is_switch(device))
      json_array_append_new(switches, switch_object(device));
    else
      json_array_append_new(nics, nic_object(device));
  }
  return report_write_json(
      json_pack("{s:o, s:o, s:o}", "switches", switches, "nics", nics, "warnings", report_json_warnings(fabric)), out,
      error);
}
