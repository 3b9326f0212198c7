/* The runs of a configuration: nested loops over its iteration variables. The first variable along the chain of
 * sections is the outermost loop and the repetition the innermost, unless `iteration-nesting-order` or references say
 * otherwise.
 */
#include "ini.h"

#include "attr/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Loops are recursive calls; a study of more runs is a mistake (OMNeT++ stops at the same number). */
enum { MOST_VARIABLES = 200, MOST_COMBINATIONS = 1000000 };

bool opp_ini_is_repetition(const opp_ini_variable_t* variable)
{
  return variable->line == NULL;
}

const opp_ini_variable_t* opp_ini_study_variable(const opp_ini_study_t* study, opp_ini_span_t name)
{
  for (size_t i = 0; i < study->count; i++)
    if (opp_ini_span_is(name, study->variables[i].name))
      return &study->variables[i];
  return NULL;
}

static void place(const opp_ini_line_t* line, sgf_error_t* error)
{
  if (line != NULL)
    sgf_error_place(error, line->file, line->line);
}

/* ---- Variables --------------------------------------------------------------------------------------------------- */

static sgf_status_t add_variable(opp_ini_study_t* study, const opp_ini_line_t* line, const opp_ini_piece_t* iteration,
                                 size_t unnamed, sgf_error_t* error)
{
  opp_ini_span_t name = opp_ini_span(iteration->text);
  char number[24];
  snprintf(number, sizeof number, "%zu", unnamed);
  if (study->count >= MOST_VARIABLES)
    return sgf_error_set(error, SGF_RANGE, "more than %d iteration variables", MOST_VARIABLES);
  if (opp_ini_study_variable(study, name) != NULL)
    return sgf_error_set(error, SGF_RULE,
                         "iteration variable ${%s} twice: a section that is fallen back to counts, also where its line "
                         "is overridden",
                         iteration->text);
  if (line != NULL && opp_ini_is_predefined(name))
    return sgf_error_set(error, SGF_RULE, "${%s} is predefined", iteration->text);
  study->variables[study->count++] = (opp_ini_variable_t){
      .name = sgf_strdup(name.length > 0 ? iteration->text : number), .iteration = iteration, .line = line};
  return SGF_OK;
}

/* The repetition is a variable as others are: 0..repeat-1. */
static sgf_status_t add_repetition(opp_ini_study_t* study, sgf_error_t* error)
{
  const opp_ini_line_t* line = opp_ini_option_line(study->ini, study->config, "repeat");
  uint64_t repeat            = 1;
  sgf_status_t status        = line != NULL ? opp_ini_whole(line->text, "repeat", &repeat, error) : SGF_OK;
  if (status == SGF_OK && (repeat < 1 || repeat > MOST_COMBINATIONS))
    status = sgf_error_set(error, SGF_RANGE, "repeat = %s: from 1 to %d", line->text, MOST_COMBINATIONS);
  place(line, error);
  if (status != SGF_OK)
    return status;
  char text[48];
  snprintf(text, sizeof text, "${repetition = 0..%" PRIu64 "}", repeat - 1);
  status = opp_ini_value_parse(text, &study->repetition, error);
  return status == SGF_OK ? add_variable(study, NULL, study->repetition.pieces, 0, error) : status;
}

static sgf_status_t collect(opp_ini_study_t* study, sgf_error_t* error)
{
  size_t unnamed      = 0;
  sgf_status_t status = SGF_OK;
  for (size_t i = 0; i < study->config->chain_length; i++) {
    const opp_ini_config_t* section = &study->ini->configs[study->config->chain[i]];
    for (size_t j = 0; j < section->line_count; j++) {
      const opp_ini_line_t* line = &section->lines[j];
      for (size_t k = 0; k < line->value.count && status == SGF_OK; k++) {
        const opp_ini_piece_t* piece = &line->value.pieces[k];
        if (piece->kind != OPP_INI_ITERATION)
          continue;
        status = add_variable(study, line, piece, unnamed, error);
        unnamed += piece->text[0] == '\0';
      }
      place(line, error);
    }
  }
  return status == SGF_OK ? add_repetition(study, error) : status;
}

/* Whether all ${references} of values can be replaced. */
static sgf_status_t check_references(const opp_ini_study_t* study, sgf_error_t* error)
{
  for (size_t i = 0; i < study->config->chain_length; i++) {
    const opp_ini_config_t* section = &study->ini->configs[study->config->chain[i]];
    for (size_t j = 0; j < section->line_count; j++) {
      const opp_ini_line_t* line = &section->lines[j];
      for (size_t k = 0; k < line->value.count; k++) {
        const opp_ini_piece_t* piece = &line->value.pieces[k];
        opp_ini_span_t name          = opp_ini_span(piece->text);
        if (piece->kind != OPP_INI_REFERENCE || opp_ini_is_predefined(name) || opp_ini_study_variable(study, name))
          continue;
        opp_ini_unknown_variable(study, name, error);
        place(line, error);
        return SGF_UNKNOWN;
      }
    }
  }
  return SGF_OK;
}

/* ---- Order of the loops ------------------------------------------------------------------------------------------ */

static void append(opp_ini_study_t* study, opp_ini_variable_t* ordered, size_t* count, size_t index)
{
  ordered[(*count)++]          = study->variables[index];
  study->variables[index].name = NULL; /* it is taken */
}

static ptrdiff_t find_left(const opp_ini_study_t* study, opp_ini_span_t name)
{
  for (size_t i = 0; i < study->count; i++)
    if (study->variables[i].name != NULL && opp_ini_span_is(name, study->variables[i].name))
      return (ptrdiff_t)i;
  return OPP_INI_NONE;
}

/* Where the others go that `iteration-nesting-order` does not name: at its "*", or behind it. */
static sgf_status_t check_nesting(const opp_ini_study_t* study, const opp_ini_line_t* line, sgf_error_t* error)
{
  size_t stars        = 0;
  opp_ini_span_t list = opp_ini_span(line->text);
  while (list.at != NULL) {
    opp_ini_span_t name = opp_ini_next(&list);
    bool is_star        = opp_ini_span_is(name, "*");
    stars += is_star;
    if (!is_star && opp_ini_study_variable(study, name) == NULL)
      return opp_ini_unknown_variable(study, name, error);
  }
  return stars <= 1 ? SGF_OK : sgf_error_set(error, SGF_SYNTAX, "iteration-nesting-order = %s: two *", line->text);
}

static bool is_listed(const opp_ini_line_t* line, const char* name)
{
  opp_ini_span_t list = opp_ini_span(line->text);
  while (list.at != NULL)
    if (opp_ini_span_is(opp_ini_next(&list), name))
      return true;
  return false;
}

static void append_others(opp_ini_study_t* study, const opp_ini_line_t* line, opp_ini_variable_t* ordered,
                          size_t* count)
{
  for (size_t i = 0; i < study->count; i++)
    if (study->variables[i].name != NULL && !is_listed(line, study->variables[i].name))
      append(study, ordered, count, i);
}

static sgf_status_t nest(opp_ini_study_t* study, sgf_error_t* error)
{
  const opp_ini_line_t* line = opp_ini_option_line(study->ini, study->config, "iteration-nesting-order");
  if (line == NULL)
    return SGF_OK;
  sgf_status_t status = check_nesting(study, line, error);
  place(line, error);
  if (status != SGF_OK)
    return status;
  opp_ini_variable_t* ordered = sgf_calloc(study->count, sizeof *ordered);
  size_t count                = 0;
  opp_ini_span_t list         = opp_ini_span(line->text);
  while (list.at != NULL) {
    opp_ini_span_t name = opp_ini_next(&list);
    ptrdiff_t index     = find_left(study, name);
    if (opp_ini_span_is(name, "*"))
      append_others(study, line, ordered, &count);
    else if (index != OPP_INI_NONE)
      append(study, ordered, &count, (size_t)index);
  }
  append_others(study, line, ordered, &count);
  free(study->variables);
  study->variables = ordered;
  return SGF_OK;
}

/* Whether the loop of the variable must be inside one that has no place yet. */
static bool waits(const opp_ini_study_t* study, const opp_ini_variable_t* variable)
{
  const opp_ini_piece_t* iteration = variable->iteration;
  if (iteration->leader != NULL && find_left(study, opp_ini_span(iteration->leader)) != OPP_INI_NONE)
    return true;
  for (size_t i = 0; i < iteration->item_count; i++) {
    const opp_ini_item_t* item = &iteration->items[i];
    const char* texts[]        = {item->text, item->to, item->step};
    for (size_t j = 0; j < (item->to != NULL ? 3 : 1); j++) {
      opp_ini_span_t name;
      const char* end = texts[j];
      while (opp_ini_reference(end, &name, &end) != NULL)
        if (find_left(study, name) != OPP_INI_NONE)
          return true;
    }
  }
  return false;
}

/* Put loops inside those that they refer to, and change the order in nothing else. */
static sgf_status_t order(opp_ini_study_t* study, sgf_error_t* error)
{
  opp_ini_variable_t* ordered = sgf_calloc(study->count, sizeof *ordered);
  size_t count                = 0;
  while (count < study->count) {
    size_t next = 0;
    while (next < study->count && (study->variables[next].name == NULL || waits(study, &study->variables[next])))
      next++;
    if (next == study->count)
      break;
    append(study, ordered, &count, next);
  }
  bool is_complete = count == study->count;
  if (!is_complete) { /* the names that are left would be lost with the array */
    size_t first = 0;
    while (study->variables[first].name == NULL)
      first++;
    sgf_error_set(error, SGF_RULE, "iteration variable ${%s} refers to itself, directly or through others",
                  study->variables[first].name);
    place(study->variables[first].line, error);
    for (size_t i = 0; i < study->count; i++)
      if (study->variables[i].name != NULL)
        append(study, ordered, &count, i);
  }
  free(study->variables);
  study->variables = ordered;
  return is_complete ? SGF_OK : SGF_RULE;
}

static sgf_status_t find_leaders(opp_ini_study_t* study, sgf_error_t* error)
{
  for (size_t i = 0; i < study->count; i++) {
    opp_ini_variable_t* variable = &study->variables[i];
    const char* leader           = variable->iteration->leader;
    if (leader == NULL)
      continue;
    opp_ini_span_t name = opp_ini_span(leader);
    if (opp_ini_study_variable(study, name) == NULL) {
      opp_ini_unknown_variable(study, name, error);
      place(variable->line, error);
      return SGF_UNKNOWN;
    }
    variable->leader = &study->variables[opp_ini_study_variable(study, name) - study->variables];
  }
  return SGF_OK;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static const char* current_value(const void* study, opp_ini_span_t name, sgf_error_t* error)
{
  const opp_ini_variable_t* variable = opp_ini_study_variable(study, name);
  if (variable == NULL)
    opp_ini_unknown_variable(study, name, error);
  return variable != NULL ? variable->value : NULL;
}

typedef struct walk {
  opp_ini_study_t* study;
  size_t last;
  size_t runs;
  size_t combinations;
  bool reached;
  sgf_error_t* error;
} walk_t;

static sgf_status_t check_constraint(const walk_t* walk, bool* holds)
{
  const opp_ini_line_t* line = walk->study->constraint;
  *holds                     = true;
  if (line == NULL)
    return SGF_OK;
  char* text = opp_ini_substitute(line->text, current_value, walk->study, walk->error);
  if (text == NULL)
    return SGF_UNKNOWN;
  char* unquoted = opp_ini_unquoted(text);
  opp_ini_result_t result;
  sgf_status_t status = opp_ini_evaluate(unquoted, &result, walk->error);
  if (status == SGF_OK && result.type != OPP_INI_BOOL)
    status = sgf_error_set(walk->error, SGF_UNIT, "constraint = %.300s: neither true nor false", line->text);
  *holds = status == SGF_OK && result.truth;
  free(unquoted);
  free(text);
  return status;
}

static sgf_status_t count_combination(walk_t* walk)
{
  if (++walk->combinations > MOST_COMBINATIONS)
    return sgf_error_set(walk->error, SGF_RANGE, "configuration %s: more than %d combinations of iteration variables",
                         walk->study->config->name, MOST_COMBINATIONS);
  return SGF_OK;
}

static sgf_status_t loop(walk_t* walk, size_t depth);

/* All variables have their values. */
static sgf_status_t complete(walk_t* walk)
{
  bool holds          = true;
  sgf_status_t status = count_combination(walk);
  if (status == SGF_OK)
    status = check_constraint(walk, &holds);
  if (status != SGF_OK)
    place(walk->study->constraint, walk->error);
  else if (holds && walk->runs == walk->last)
    walk->reached = true;
  else if (holds)
    walk->runs++;
  return status;
}

static sgf_status_t take_value(walk_t* walk, size_t depth, const opp_ini_sequence_t* sequence, size_t position)
{
  opp_ini_variable_t* variable = &walk->study->variables[depth];
  free(variable->value);
  variable->position = position;
  variable->value    = opp_ini_sequence_value(sequence, position);
  return loop(walk, depth + 1);
}

/* A parallel iteration has the position of its leader. */
static sgf_status_t follow(walk_t* walk, size_t depth, const opp_ini_sequence_t* sequence)
{
  const opp_ini_variable_t* variable = &walk->study->variables[depth];
  size_t position                    = variable->leader->position;
  if (position < opp_ini_sequence_length(sequence))
    return take_value(walk, depth, sequence, position);
  return sgf_error_set(walk->error, SGF_RANGE, "iteration ${%s ! %s}: %s has more values", variable->name,
                       variable->leader->name, variable->leader->name);
}

/* The loops from `depth` on. */
static sgf_status_t loop(walk_t* walk, size_t depth)
{
  if (depth == walk->study->count)
    return complete(walk);
  const opp_ini_variable_t* variable = &walk->study->variables[depth];
  opp_ini_sequence_t* sequence = opp_ini_sequence_new(variable->iteration, current_value, walk->study, walk->error);
  if (sequence == NULL) {
    place(variable->line, walk->error);
    return SGF_SYNTAX;
  }
  size_t length       = opp_ini_sequence_length(sequence);
  sgf_status_t status = SGF_OK;
  if (variable->leader != NULL)
    status = follow(walk, depth, sequence);
  else if (length == 0)
    status = count_combination(walk);
  else
    for (size_t i = 0; i < length && status == SGF_OK && !walk->reached; i++)
      status = take_value(walk, depth, sequence, i);
  if (status != SGF_OK)
    place(variable->line, walk->error);
  opp_ini_sequence_free(sequence);
  return status;
}

sgf_status_t opp_ini_study_walk(opp_ini_study_t* study, size_t last, size_t* runs, bool* reached, sgf_error_t* error)
{
  walk_t walk         = {.study = study, .last = last, .error = error};
  sgf_status_t status = loop(&walk, 0);
  *runs               = status == SGF_OK ? walk.runs : 0;
  *reached            = walk.reached;
  return status;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

opp_ini_study_t* opp_ini_study_new(const opp_ini_t* ini, const char* config, sgf_error_t* error)
{
  ptrdiff_t found = opp_ini_find(ini, opp_ini_span(config));
  if (found == OPP_INI_NONE) {
    opp_ini_unknown(ini, opp_ini_span(config), error);
    sgf_error_place(error, ini->files[0], 0);
    return NULL;
  }
  opp_ini_study_t* study = sgf_calloc(1, sizeof *study);
  study->ini             = ini;
  study->config          = &ini->configs[found];
  study->variables       = sgf_calloc(MOST_VARIABLES, sizeof *study->variables);
  study->constraint      = opp_ini_option_line(ini, study->config, "constraint");
  sgf_status_t status    = collect(study, error);
  if (status == SGF_OK)
    status = check_references(study, error);
  if (status == SGF_OK)
    status = nest(study, error);
  if (status == SGF_OK)
    status = order(study, error);
  if (status == SGF_OK)
    status = find_leaders(study, error);
  if (status == SGF_OK)
    return study;
  opp_ini_study_free(study);
  return NULL;
}

void opp_ini_study_free(opp_ini_study_t* study)
{
  if (study == NULL)
    return;
  for (size_t i = 0; i < study->count; i++) {
    free(study->variables[i].name);
    free(study->variables[i].value);
  }
  free(study->variables);
  opp_ini_value_free(&study->repetition);
  free(study);
}
