/* One run: its variables, predefined ones, and the lines of its sections with all of them replaced. */
#include "ini.h"

#include "attr/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* In the order in which they become known: each may refer to those before it. */
enum {
  INIFILE,
  CONFIGNAME,
  RUNNUMBER,
  ITERATIONVARS,
  ITERATIONVARSF,
  ITERATIONVARSD,
  RESULTDIR,
  SEEDSET,
  EXPERIMENT,
  MEASUREMENT,
  REPLICATION,
  PREDEFINED_COUNT
};

static const struct predefined {
  const char* name;
  const char* option; /* that sets it; NULL: none does */
  const char* otherwise;
} predefined[PREDEFINED_COUNT] = {
    {"inifile", NULL, NULL},
    {"configname", NULL, NULL},
    {"runnumber", NULL, NULL},
    {"iterationvars", NULL, NULL},
    {"iterationvarsf", NULL, NULL},
    {"iterationvarsd", NULL, NULL},
    {"resultdir", "result-dir", "results"},
    {"seedset", "seed-set", "${runnumber}"},
    {"experiment", "experiment-label", "${configname}"},
    {"measurement", "measurement-label", "${iterationvars}"},
    {"replication", "replication-label", "#${repetition}"},
};

/* OMNeT++ has these too; two runs of one configuration would differ by them. */
static const char* const foreign[] = {"datetime", "datetimef", "network", "processid", "runid"};
enum { FOREIGN_COUNT = sizeof foreign / sizeof *foreign };

typedef struct entries {
  opp_ini_entry_t* items;
  const opp_ini_line_t** lines; /* that they stand in */
  size_t count;
} entries_t;

struct opp_ini_run {
  opp_ini_study_t* study; /* its variables have the values of the run */
  size_t number;
  uint64_t seed_set;
  const opp_ini_variable_t** variables; /* without the repetition */
  size_t variable_count;
  char* values[PREDEFINED_COUNT];
  entries_t options;
  entries_t patterns;
};

/* ---- Variables --------------------------------------------------------------------------------------------------- */

static ptrdiff_t find_predefined(opp_ini_span_t name)
{
  for (size_t i = 0; i < PREDEFINED_COUNT; i++)
    if (opp_ini_span_is(name, predefined[i].name))
      return (ptrdiff_t)i;
  return OPP_INI_NONE;
}

bool opp_ini_is_predefined(opp_ini_span_t name)
{
  return find_predefined(name) != OPP_INI_NONE;
}

sgf_status_t opp_ini_unknown_variable(const opp_ini_study_t* study, opp_ini_span_t name, sgf_error_t* error)
{
  if (opp_ini_is_predefined(name))
    return sgf_error_set(error, SGF_RULE, "${%.*s} is not known yet where this is evaluated", (int)name.length,
                         name.at);
  for (size_t i = 0; i < FOREIGN_COUNT; i++)
    if (opp_ini_span_is(name, foreign[i]))
      return sgf_error_set(error, SGF_RULE, "OMNeT++'s ${%s} is not there: a run is the same whenever it runs",
                           foreign[i]);
  const char** names = sgf_calloc(study->count + PREDEFINED_COUNT, sizeof *names);
  size_t count       = 0;
  for (size_t i = 0; i < study->count; i++)
    names[count++] = study->variables[i].name;
  for (size_t i = 0; i < PREDEFINED_COUNT; i++)
    names[count++] = predefined[i].name;
  char* copy          = opp_ini_span_copy(name);
  opp_ini_hint_t hint = opp_ini_hint(copy, names, count);
  sgf_error_set(error, SGF_UNKNOWN, "no variable ${%s} in configuration %s%s", copy, study->config->name, hint.at);
  free(copy);
  free(names);
  return SGF_UNKNOWN;
}

static const char* value_of(const opp_ini_run_t* run, opp_ini_span_t name)
{
  ptrdiff_t found                    = find_predefined(name);
  const opp_ini_variable_t* variable = opp_ini_study_variable(run->study, name);
  if (found != OPP_INI_NONE)
    return run->values[found];
  return variable != NULL ? variable->value : NULL;
}

/* An iteration has the value of its variable. */
static const char* iterated(const opp_ini_run_t* run, const opp_ini_piece_t* piece)
{
  for (size_t i = 0; i < run->study->count; i++)
    if (run->study->variables[i].iteration == piece)
      return run->study->variables[i].value;
  return NULL;
}

/* NULL if the value refers to a variable that is not known yet. */
static char* substitute(const opp_ini_run_t* run, const opp_ini_value_t* value, sgf_error_t* error)
{
  opp_ini_text_t text = {NULL, 0, 0};
  opp_ini_text_add(&text, "");
  for (size_t i = 0; i < value->count; i++) {
    const opp_ini_piece_t* piece = &value->pieces[i];
    const char* more             = piece->text;
    if (piece->kind == OPP_INI_REFERENCE)
      more = value_of(run, opp_ini_span(piece->text));
    else if (piece->kind == OPP_INI_ITERATION)
      more = iterated(run, piece);
    if (more == NULL) {
      opp_ini_unknown_variable(run->study, opp_ini_span(piece->text), error);
      free(text.at);
      return NULL;
    }
    opp_ini_text_add(&text, more);
  }
  return text.at;
}

/* ---- Predefined variables ---------------------------------------------------------------------------------------- */

/* As OMNeT++ writes a value into the name of a file. */
static void add_for_file(opp_ini_text_t* text, const char* value)
{
  char* unquoted = opp_ini_unquoted(value);
  for (const char* at = unquoted; *at != '\0'; at++) {
    unsigned char c = (unsigned char)*at;
    char code[8];
    if (c == ' ')
      snprintf(code, sizeof code, "_");
    else if (c == '_' || c == '#')
      snprintf(code, sizeof code, "#%c", c);
    else if (c < ' ' || c >= 127 || strchr("/\\:?*<>|'`\"$%{}^&", c) != NULL)
      snprintf(code, sizeof code, "#%02x", c);
    else
      snprintf(code, sizeof code, "%c", c);
    opp_ini_text_add(text, code);
  }
  free(unquoted);
}

/* "$x=1, $y=2", and for names of files "x=1,y=2-" and "x=1/y=2", where a variable without a name is its value alone. */
static void set_iterationvars(opp_ini_run_t* run)
{
  opp_ini_text_t shown     = {NULL, 0, 0};
  opp_ini_text_t file      = {NULL, 0, 0};
  opp_ini_text_t directory = {NULL, 0, 0};
  opp_ini_text_add(&shown, "");
  opp_ini_text_add(&file, "");
  opp_ini_text_add(&directory, "");
  for (size_t i = 0; i < run->variable_count; i++) {
    const opp_ini_variable_t* variable = run->variables[i];
    opp_ini_text_t name                = {NULL, 0, 0};
    opp_ini_text_add(&name, opp_ini_starts_name(variable->name[0]) ? variable->name : "");
    opp_ini_text_add(&name, name.length > 0 ? "=" : "");
    opp_ini_text_add(&shown, i > 0 ? ", $" : "$");
    opp_ini_text_add(&shown, variable->name);
    opp_ini_text_add(&shown, "=");
    opp_ini_text_add(&shown, variable->value);
    opp_ini_text_add(&file, i > 0 ? "," : "");
    opp_ini_text_add(&file, name.at);
    add_for_file(&file, variable->value);
    opp_ini_text_add(&directory, i > 0 ? "/" : "");
    opp_ini_text_add(&directory, name.at);
    add_for_file(&directory, variable->value);
    free(name.at);
  }
  opp_ini_text_add(&file, run->variable_count > 0 ? "-" : "");
  run->values[ITERATIONVARS]  = shown.at;
  run->values[ITERATIONVARSF] = file.at;
  run->values[ITERATIONVARSD] = directory.at;
}

/* The value of a variable that an option sets, as text without quotes. */
static sgf_status_t set_from_option(opp_ini_run_t* run, size_t which, sgf_error_t* error)
{
  const opp_ini_line_t* line = opp_ini_option_line(run->study->ini, run->study->config, predefined[which].option);
  opp_ini_value_t otherwise  = {NULL, 0};
  sgf_status_t status        = opp_ini_value_parse(predefined[which].otherwise, &otherwise, error);
  char* value                = substitute(run, line != NULL ? &line->value : &otherwise, error);
  opp_ini_value_free(&otherwise);
  if (value == NULL) {
    status = SGF_RULE;
  } else if (which == SEEDSET) {
    char number[24];
    status = opp_ini_whole(value, "seed-set", &run->seed_set, error);
    snprintf(number, sizeof number, "%" PRIu64, run->seed_set);
    run->values[which] = sgf_strdup(number);
  } else {
    run->values[which] = opp_ini_unquoted(value);
  }
  if (line != NULL)
    sgf_error_place(error, line->file, line->line);
  free(value);
  return status;
}

static sgf_status_t set_predefined(opp_ini_run_t* run, sgf_error_t* error)
{
  char number[24];
  snprintf(number, sizeof number, "%zu", run->number);
  run->values[INIFILE]    = sgf_strdup(run->study->ini->files[0]);
  run->values[CONFIGNAME] = sgf_strdup(run->study->config->name);
  run->values[RUNNUMBER]  = sgf_strdup(number);
  set_iterationvars(run);
  sgf_status_t status = SGF_OK;
  for (size_t i = RESULTDIR; i < PREDEFINED_COUNT && status == SGF_OK; i++)
    status = set_from_option(run, i, error);
  return status;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

static sgf_status_t add_entry(const opp_ini_run_t* run, entries_t* entries, const opp_ini_line_t* line,
                              sgf_error_t* error)
{
  bool is_expression = line->pattern == NULL && strcmp(line->key, "constraint") == 0;
  char* value        = is_expression ? sgf_strdup(line->text) : substitute(run, &line->value, error);
  if (value == NULL) {
    sgf_error_place(error, line->file, line->line);
    return SGF_RULE;
  }
  entries->items                   = opp_ini_grow(entries->items, entries->count, sizeof *entries->items);
  entries->lines                   = opp_ini_grow(entries->lines, entries->count, sizeof *entries->lines);
  entries->lines[entries->count]   = line;
  entries->items[entries->count++] = (opp_ini_entry_t){
      .key = line->key, .value = value, .text = opp_ini_unquoted(value), .file = line->file, .line = line->line};
  return SGF_OK;
}

static sgf_status_t add_entries(opp_ini_run_t* run, sgf_error_t* error)
{
  const opp_ini_config_t* config = run->study->config;
  sgf_status_t status            = SGF_OK;
  for (size_t i = 0; i < config->chain_length; i++) {
    const opp_ini_config_t* section = &run->study->ini->configs[config->chain[i]];
    for (size_t j = 0; j < section->line_count && status == SGF_OK; j++) {
      const opp_ini_line_t* line = &section->lines[j];
      status                     = add_entry(run, line->pattern != NULL ? &run->patterns : &run->options, line, error);
    }
  }
  return status;
}

static void free_entries(entries_t* entries)
{
  for (size_t i = 0; i < entries->count; i++) {
    free((char*)entries->items[i].value);
    free((char*)entries->items[i].text);
  }
  free(entries->items);
  free(entries->lines);
}

/* ---- Public calls ------------------------------------------------------------------------------------------------ */

size_t opp_ini_config_count(const opp_ini_t* ini)
{
  return ini->config_count;
}

const char* opp_ini_config_name(const opp_ini_t* ini, size_t i)
{
  return ini->configs[i].name;
}

const char* opp_ini_config_description(const opp_ini_t* ini, size_t i)
{
  return ini->configs[i].description;
}

size_t opp_ini_run_count(const opp_ini_t* ini, const char* config, sgf_error_t* error)
{
  size_t runs            = 0;
  bool is_reached        = false;
  opp_ini_study_t* study = opp_ini_study_new(ini, config, error);
  if (study != NULL)
    opp_ini_study_walk(study, SIZE_MAX, &runs, &is_reached, error);
  opp_ini_study_free(study);
  return runs;
}

static void set_variables(opp_ini_run_t* run)
{
  run->variables = sgf_calloc(run->study->count, sizeof *run->variables);
  for (size_t i = 0; i < run->study->count; i++)
    if (!opp_ini_is_repetition(&run->study->variables[i]))
      run->variables[run->variable_count++] = &run->study->variables[i];
}

opp_ini_run_t* opp_ini_run_new(const opp_ini_t* ini, const char* config, size_t number, sgf_error_t* error)
{
  opp_ini_study_t* study = opp_ini_study_new(ini, config, error);
  if (study == NULL)
    return NULL;
  opp_ini_run_t* run  = sgf_calloc(1, sizeof *run);
  run->study          = study;
  run->number         = number;
  size_t runs         = 0;
  bool is_reached     = false;
  sgf_status_t status = opp_ini_study_walk(study, number, &runs, &is_reached, error);
  if (status == SGF_OK && !is_reached) {
    status = sgf_error_set(error, SGF_RANGE, "configuration %s has %zu runs: none is number %zu", config, runs, number);
    sgf_error_place(error, ini->files[0], 0);
  }
  if (status == SGF_OK) {
    set_variables(run);
    status = set_predefined(run, error);
  }
  if (status == SGF_OK)
    status = add_entries(run, error);
  if (status == SGF_OK)
    return run;
  opp_ini_run_free(run);
  return NULL;
}

void opp_ini_run_free(opp_ini_run_t* run)
{
  if (run == NULL)
    return;
  free_entries(&run->options);
  free_entries(&run->patterns);
  for (size_t i = 0; i < PREDEFINED_COUNT; i++)
    free(run->values[i]);
  free(run->variables);
  opp_ini_study_free(run->study);
  free(run);
}

const char* opp_ini_run_config(const opp_ini_run_t* run)
{
  return run->study->config->name;
}

size_t opp_ini_run_number(const opp_ini_run_t* run)
{
  return run->number;
}

size_t opp_ini_run_repetition(const opp_ini_run_t* run)
{
  return opp_ini_study_variable(run->study, opp_ini_span("repetition"))->position;
}

uint64_t opp_ini_run_seed_set(const opp_ini_run_t* run)
{
  return run->seed_set;
}

size_t opp_ini_run_variable_count(const opp_ini_run_t* run)
{
  return run->variable_count;
}

const char* opp_ini_run_variable_name(const opp_ini_run_t* run, size_t i)
{
  return run->variables[i]->name;
}

const char* opp_ini_run_variable_value(const opp_ini_run_t* run, size_t i)
{
  return run->variables[i]->value;
}

const char* opp_ini_run_variables_text(const opp_ini_run_t* run)
{
  return run->values[ITERATIONVARSF];
}

const char* opp_ini_run_value(const opp_ini_run_t* run, const char* name)
{
  return value_of(run, opp_ini_span(name));
}

const opp_ini_entry_t* opp_ini_run_option(opp_ini_run_t* run, const char* name)
{
  for (size_t i = 0; i < run->options.count; i++)
    if (strcmp(run->options.items[i].key, name) == 0) {
      run->options.items[i].used = true;
      return &run->options.items[i];
    }
  return NULL;
}

size_t opp_ini_run_option_count(const opp_ini_run_t* run)
{
  return run->options.count;
}

const opp_ini_entry_t* opp_ini_run_option_entry(const opp_ini_run_t* run, size_t i)
{
  return &run->options.items[i];
}

const opp_ini_entry_t* opp_ini_run_parameter(opp_ini_run_t* run, const char* full_path)
{
  bool per_object = opp_ini_is_per_object(full_path);
  for (size_t i = 0; i < run->patterns.count; i++) {
    const opp_ini_line_t* line = run->patterns.lines[i];
    if (line->per_object == per_object && opp_pattern_matches(line->pattern, full_path)) {
      run->patterns.items[i].used = true;
      return &run->patterns.items[i];
    }
  }
  return NULL;
}

size_t opp_ini_run_entry_count(const opp_ini_run_t* run)
{
  return run->patterns.count;
}

const opp_ini_entry_t* opp_ini_run_entry(const opp_ini_run_t* run, size_t i)
{
  return &run->patterns.items[i];
}

void opp_ini_run_mark_used(opp_ini_run_t* run, size_t i)
{
  run->patterns.items[i].used = true;
}
