/* What `sgfabric budget` says, as JSON. The keys and their meaning are a contract: README.md. */
#include <jansson.h>

#include "budget.h"

static const char* const units[] = {
    [UNIT_COUNT] = "", [UNIT_BYTES] = "B", [UNIT_RATE] = "bit/s",
    [UNIT_TIME] = "s", [UNIT_INDEX] = "",  [UNIT_TRUTH] = "",
};

static json_t* number(unit_t unit, int64_t value, double index)
{
  if (unit == UNIT_INDEX)
    return json_real(index);
  if (unit == UNIT_TRUTH)
    return json_boolean(value != 0);
  if (value == BUDGET_NEVER)
    return json_null();
  return unit == UNIT_TIME ? json_real((double)value / (double)OPP_S) : json_integer((json_int_t)value);
}

static json_t* value_of(const budget_t* budget, value_id_t id)
{
  const value_t* value = &budget->values[id];
  if (id != V_SHARES)
    return number(budget_value_unit(id), value->number, 0);
  json_t* shares = json_array();
  for (int64_t i = 0; i < value->number; i++)
    json_array_append_new(shares, json_integer((json_int_t)budget->shares[i]));
  return shares;
}

static json_t* values(const budget_t* budget)
{
  json_t* array = json_array();
  for (value_id_t id = 0; id < VALUES; id++)
    if (budget->values[id].used)
      json_array_append_new(array, json_pack("{s:s, s:o, s:s, s:s}", "name", budget_value_name(id), "value",
                                             value_of(budget, id), "unit", units[budget_value_unit(id)], "from",
                                             budget->values[id].from.at));
  return array;
}

static json_t* results(const budget_t* budget)
{
  json_t* array = json_array();
  for (size_t i = 0; i < budget->result_count; i++) {
    const result_t* result = &budget->results[i];
    json_t* object =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:s}", "symbol", result->form.symbol, "name", result->form.name, "formula",
                  result->form.formula, "values", result->values, "value",
                  number(result->form.unit, result->value, result->index), "unit", units[result->form.unit]);
    if (*result->ports != '\0')
      json_object_set_new(object, "ports", json_string(result->ports));
    json_array_append_new(array, object);
  }
  return array;
}

static json_t* warnings(const budget_t* budget)
{
  json_t* array = json_array();
  for (value_id_t id = 0; id < VALUES; id++)
    if (budget_is_idle(budget, id))
      json_array_append_new(array,
                            json_sprintf("%s comes into no result: other values are missing", budget_value_name(id)));
  return array;
}

sgf_status_t budget_json(const budget_t* budget, FILE* out, sgf_error_t* error)
{
  json_t* root = json_object();
  if (budget->switch_name != NULL) {
    json_object_set_new(root, "switch", json_string(budget->switch_name));
    json_object_set_new(root, "port", json_integer(budget->port));
    json_object_set_new(root, "peer", json_string(budget->peer));
  }
  json_object_set_new(root, "values", values(budget));
  json_object_set_new(root, "results", results(budget));
  json_object_set_new(root, "warnings", warnings(budget));
  return report_write_json(root, out, error);
}
