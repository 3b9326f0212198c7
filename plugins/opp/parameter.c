/* Parameters: declared beside the module type, kept exactly. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sgfabric/attr.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

static const char* const type_names[] = {
    [OPP_PAR_BOOL] = "bool", [OPP_PAR_INT] = "int",   [OPP_PAR_DOUBLE] = "double", [OPP_PAR_STRING] = "string",
    [OPP_PAR_TIME] = "time", [OPP_PAR_SIZE] = "size", [OPP_PAR_RATE] = "rate",
};

/* ---- Reading values ---------------------------------------------------------------------------------------------- */

static sgf_status_t read_bool(const char* text, const char* what, opp_value_t* value, sgf_error_t* error)
{
  value->integer = strcmp(text, "true") == 0;
  if (value->integer == 0 && strcmp(text, "false") != 0)
    return sgf_error_set(error, SGF_SYNTAX, "%s = %s: is not true or false", what, text);
  return SGF_OK;
}

static sgf_status_t read_int(const char* text, const char* what, opp_value_t* value, sgf_error_t* error)
{
  const size_t sign = text[0] == '-' || text[0] == '+';
  if (text[sign] == '\0' || text[sign + strspn(text + sign, "0123456789")] != '\0')
    return sgf_error_set(error, SGF_SYNTAX, "%s = %s: is not a whole number", what, text);
  errno          = 0;
  value->integer = strtoll(text, NULL, 10);
  if (errno == ERANGE)
    return sgf_error_set(error, SGF_RANGE, "%s = %s: is more than 64 bits hold", what, text);
  value->real = (double)value->integer;
  return SGF_OK;
}

static sgf_status_t read_double(const char* text, const char* what, opp_value_t* value, sgf_error_t* error)
{
  char* end   = NULL;
  value->real = strtod(text, &end);
  if (text[0] == '\0' || strspn(text, "0123456789.+-eE") != strlen(text) || *end != '\0')
    return sgf_error_set(error, SGF_SYNTAX, "%s = %s: is not a number", what, text);
  if (!isfinite(value->real))
    return sgf_error_set(error, SGF_RANGE, "%s = %s: is more than a double holds", what, text);
  return SGF_OK;
}

typedef sgf_status_t quantity_fn(const char* text, const char* what, int64_t* value, sgf_error_t* error);

/* The kind of quantity that `unit` belongs to, and what one of it is in that kind's smallest unit. */
static quantity_fn* quantity_of(const char* unit, int64_t* factor)
{
  static quantity_fn* const kinds[] = {sgf_parse_timeval, sgf_parse_bytes, sgf_parse_datarate};
  char one[32];
  snprintf(one, sizeof one, "1%s", unit);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i](one, "unit", factor, NULL) == SGF_OK)
      return kinds[i];
  return NULL;
}

/* A number with a unit, converted to the one that is declared. */
static sgf_status_t read_with_unit(const opp_parameter_t* parameter, const char* text, const char* what,
                                   opp_value_t* value, sgf_error_t* error)
{
  int64_t factor     = 1;
  int64_t exact      = 0;
  quantity_fn* parse = quantity_of(parameter->unit, &factor);
  if (parse == NULL)
    return sgf_error_set(error, SGF_UNIT, "%s: its declared unit '%s' does not exist", what, parameter->unit);
  const sgf_status_t status = parse(text, what, &exact, error);
  if (status != SGF_OK)
    return status;
  if (parameter->type == OPP_PAR_INT && exact % factor != 0)
    return sgf_error_set(error, SGF_RANGE, "%s = %s: is not a whole number of %s", what, text, parameter->unit);
  value->integer = exact / factor;
  value->real    = (double)exact / (double)factor;
  return SGF_OK;
}

static sgf_status_t read_value(const opp_parameter_t* parameter, const char* text, const char* what, opp_value_t* value,
                               sgf_error_t* error)
{
  switch (parameter->type) {
    case OPP_PAR_BOOL:
      return read_bool(text, what, value, error);
    case OPP_PAR_INT:
    case OPP_PAR_DOUBLE:
      if (parameter->unit != NULL)
        return read_with_unit(parameter, text, what, value, error);
      return parameter->type == OPP_PAR_INT ? read_int(text, what, value, error)
                                            : read_double(text, what, value, error);
    case OPP_PAR_STRING:
      value->text = sgf_strdup(text);
      return SGF_OK;
    case OPP_PAR_TIME:
      return sgf_parse_timeval(text, what, &value->integer, error);
    case OPP_PAR_SIZE:
      return sgf_parse_bytes(text, what, &value->integer, error);
    case OPP_PAR_RATE:
      return sgf_parse_datarate(text, what, &value->integer, error);
  }
  return SGF_SYNTAX;
}

/* ---- Setting ----------------------------------------------------------------------------------------------------- */

static const opp_parameter_t* parameters_of(const opp_module_t* module)
{
  static const opp_parameter_t none[] = {{NULL, OPP_PAR_BOOL, NULL, NULL}};
  return module->type != NULL && module->type->parameters != NULL ? module->type->parameters : none;
}

static size_t parameter_count(const opp_module_t* module)
{
  size_t count = 0;
  while (parameters_of(module)[count].name != NULL)
    count++;
  return count;
}

static sgf_status_t set(opp_module_t* module, size_t i, const char* text, sgf_error_t* error)
{
  const opp_parameter_t* parameter = &parameters_of(module)[i];
  opp_value_t value                = {.is_set = true};
  char what[512];
  snprintf(what, sizeof what, "%s.%s", module->full_path, parameter->name);
  const sgf_status_t status = read_value(parameter, text, what, &value, error);
  if (status != SGF_OK)
    return status;
  free(module->parameters[i].text);
  module->parameters[i] = value;
  return SGF_OK;
}

void opp_parameters_init(opp_module_t* module)
{
  const size_t count = parameter_count(module);
  if (count > 0)
    module->parameters = sgf_calloc(count, sizeof *module->parameters);
  for (size_t i = 0; i < count; i++) {
    sgf_error_t error   = {0};
    const char* initial = parameters_of(module)[i].initial;
    if (initial != NULL && set(module, i, initial, &error) != SGF_OK)
      opp_error(module, "default of a parameter: %s", error.text);
  }
}

void opp_parameters_free(opp_module_t* module)
{
  for (size_t i = 0; i < parameter_count(module); i++)
    free(module->parameters[i].text);
  free(module->parameters);
}

/* The value that a line has for a parameter. */
static sgf_status_t set_from(opp_module_t* module, size_t i, const opp_ini_entry_t* entry, sgf_error_t* error)
{
  const opp_parameter_t* parameter = &parameters_of(module)[i];
  sgf_status_t status;
  if (strcmp(entry->value, "default") == 0) {
    status = SGF_OK;
    if (parameter->initial == NULL)
      status =
          sgf_error_set(error, SGF_RULE, "parameter '%s' of %s has no default", parameter->name, module->full_path);
    else
      set(module, i, parameter->initial, NULL);
  } else if (parameter->type == OPP_PAR_STRING && entry->value[0] != '"')
    status = sgf_error_set(error, SGF_SYNTAX, "%s.%s = %s: is not a string in quotes", module->full_path,
                           parameter->name, entry->value);
  else
    status = set(module, i, parameter->type == OPP_PAR_STRING ? entry->text : entry->value, error);
  sgf_error_place(error, entry->file, entry->line);
  return status;
}

void opp_parameters_configure(opp_module_t* module, opp_ini_run_t* run)
{
  for (size_t i = 0; i < parameter_count(module); i++) {
    const char* name  = parameters_of(module)[i].name;
    const size_t size = strlen(module->full_path) + strlen(name) + 2;
    char* path        = sgf_calloc(size, 1);
    snprintf(path, size, "%s.%s", module->full_path, name);
    sgf_error_t error            = {0};
    const opp_ini_entry_t* entry = opp_ini_run_parameter(run, path);
    if (entry != NULL)
      set_from(module, i, entry, &error);
    else if (!module->parameters[i].is_set)
      sgf_error_set(&error, SGF_RULE, "parameter '%s' has no default, and no line assigns it", path);
    opp_pass_error(module, &error);
    free(path);
  }
}

/* ---- By name ----------------------------------------------------------------------------------------------------- */

/* The place of a parameter; the number of parameters if there is none of that name. */
static size_t find(const opp_module_t* module, const char* name)
{
  size_t i = 0;
  while (parameters_of(module)[i].name != NULL && strcmp(parameters_of(module)[i].name, name) != 0)
    i++;
  return i;
}

bool opp_has_par(const opp_module_t* module, const char* name)
{
  return parameters_of(module)[find(module, name)].name != NULL;
}

static sgf_status_t refuse_name(const opp_module_t* module, const char* name, sgf_error_t* error)
{
  const size_t count = parameter_count(module);
  const char** names = sgf_calloc(count, sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = parameters_of(module)[i].name;
  const char* nearest = sgf_nearest_name(name, names, count);
  if (nearest != NULL)
    sgf_error_set(error, SGF_UNKNOWN, "there is no parameter '%s'; the nearest is '%s'", name, nearest);
  else
    sgf_error_set(error, SGF_UNKNOWN, "there is no parameter '%s'", name);
  free(names);
  return SGF_UNKNOWN;
}

sgf_status_t opp_par_set(opp_module_t* module, const char* name, const char* value, sgf_error_t* error)
{
  if (!opp_has_par(module, name))
    return refuse_name(module, name, error);
  return set(module, find(module, name), value, error);
}

/* The value of a parameter that is read as `type`; one that is empty, and an error, if it cannot be. */
static const opp_value_t* value_of(opp_module_t* module, const char* name, opp_par_type_t type)
{
  static const opp_value_t nothing = {0};
  if (!opp_has_par(module, name)) {
    sgf_error_t error = {0};
    refuse_name(module, name, &error);
    opp_error(module, "%s", error.text);
    return &nothing;
  }
  const size_t i             = find(module, name);
  const opp_par_type_t there = parameters_of(module)[i].type;
  if (there != type && !(there == OPP_PAR_INT && type == OPP_PAR_DOUBLE))
    opp_error(module, "parameter '%s' is of type %s, and read as %s", name, type_names[there], type_names[type]);
  else if (!module->parameters[i].is_set)
    opp_error(module, "parameter '%s' has no value", name);
  else
    return &module->parameters[i];
  return &nothing;
}

int64_t opp_par_int(opp_module_t* module, const char* name)
{
  return value_of(module, name, OPP_PAR_INT)->integer;
}

double opp_par_double(opp_module_t* module, const char* name)
{
  return value_of(module, name, OPP_PAR_DOUBLE)->real;
}

bool opp_par_bool(opp_module_t* module, const char* name)
{
  return value_of(module, name, OPP_PAR_BOOL)->integer != 0;
}

const char* opp_par_string(opp_module_t* module, const char* name)
{
  const char* text = value_of(module, name, OPP_PAR_STRING)->text;
  return text != NULL ? text : "";
}

opp_simtime_t opp_par_time(opp_module_t* module, const char* name)
{
  return value_of(module, name, OPP_PAR_TIME)->integer;
}

int64_t opp_par_size(opp_module_t* module, const char* name)
{
  return value_of(module, name, OPP_PAR_SIZE)->integer;
}

int64_t opp_par_rate(opp_module_t* module, const char* name)
{
  return value_of(module, name, OPP_PAR_RATE)->integer;
}
