/* Inside opp: what the files of the .ini grammar share (spec/opp.md section 2).
 *
 *   ini_text        text that grows; names; quotes
 *   ini_read        files and what they include -> sections of lines
 *   ini_options     which key is an option, which is a pattern
 *   ini_sections    `extends` -> the chain of sections that a configuration falls back along
 *   ini_value       a value as it is written -> text, references and iterations
 *   ini_expression  arithmetic, comparisons, functions
 *   ini_iteration   what an iteration is written as -> its values
 *   ini_study       the iteration variables of a configuration; its runs, counted
 *   ini_run         one run: predefined variables, and lines with their variables replaced */
#ifndef SGFABRIC_OPP_INI_INTERNAL_H
#define SGFABRIC_OPP_INI_INTERNAL_H

#include <sgfabric/opp_ini.h>

#include "pattern.h"

#include <sgfabric/attr.h>

#include <string.h>

/* ---- ini_text.c -------------------------------------------------------------------------------------------------- */

/* A piece of a text, not terminated. */
typedef struct opp_ini_span {
  const char* at;
  size_t length;
} opp_ini_span_t;

opp_ini_span_t opp_ini_span(const char* text);
opp_ini_span_t opp_ini_span_between(const char* begin, const char* end); /* without white space at its ends */
bool opp_ini_span_is(opp_ini_span_t span, const char* text);
char* opp_ini_span_copy(opp_ini_span_t span);

/* Split off what is before the first comma; `list->at` is NULL behind the last piece. Each piece is trimmed. */
opp_ini_span_t opp_ini_next(opp_ini_span_t* list);

bool opp_ini_is_space(char c);
bool opp_ini_starts_name(char c); /* a letter or an underscore */
bool opp_ini_is_in_name(char c);  /* also a digit */

/* Behind the string whose opening quote is at `at`, where a backslash takes the meaning of what follows; NULL if it is
 * not closed before `end`. */
const char* opp_ini_string_end(const char* at, const char* end);

/* A copy of a value: without its quotes and backslashes if it is one string, else as it is. */
char* opp_ini_unquoted(const char* value);

/* A terminated text that grows; `at` is NULL until the first addition, and belongs to whoever made it. */
typedef struct opp_ini_text {
  char* at;
  size_t length;
  size_t room;
} opp_ini_text_t;

void opp_ini_text_add(opp_ini_text_t* text, const char* more);
void opp_ini_text_add_span(opp_ini_text_t* text, opp_ini_span_t more);

/* `items` with room for one more behind `count` of `size` bytes. */
void* opp_ini_grow(void* items, size_t count, size_t size);

/* "; did you mean x?" for the nearest of `names`, or "". */
typedef struct opp_ini_hint {
  char at[160];
} opp_ini_hint_t;
opp_ini_hint_t opp_ini_hint(const char* name, const char* const* names, size_t count);

/* ---- ini_value.c ------------------------------------------------------------------------------------------------- */

/* One of the values that an iteration lists: a text, or a range from..to step. */
typedef struct opp_ini_item {
  char* text; /* or "from" */
  char* to;   /* NULL: it is a text */
  char* step;
} opp_ini_item_t;

typedef enum opp_ini_kind {
  OPP_INI_TEXT,
  OPP_INI_REFERENCE, /* ${name} */
  OPP_INI_ITERATION, /* ${name = 1, 2..4 ! leader} */
} opp_ini_kind_t;

typedef struct opp_ini_piece {
  opp_ini_kind_t kind;
  char* text; /* the text, or the name; "": an iteration without one */
  opp_ini_item_t* items;
  size_t item_count;
  char* leader; /* NULL: the iteration is a loop of its own */
} opp_ini_piece_t;

typedef struct opp_ini_value {
  opp_ini_piece_t* pieces;
  size_t count;
} opp_ini_value_t;

/* SGF_SYNTAX for a malformed ${...}. `value` is to be freed in any case. */
sgf_status_t opp_ini_value_parse(const char* text, opp_ini_value_t* value, sgf_error_t* error);
void opp_ini_value_free(opp_ini_value_t* value);

/* ---- The file as it was written ---------------------------------------------------------------------------------- */

typedef struct opp_ini_line {
  char* key;
  char* text; /* of its value */
  opp_ini_value_t value;
  const char* file;
  int line;
  opp_pattern_t* pattern; /* NULL: an option */
  bool per_object;        /* a pattern whose last component is an option of objects */
} opp_ini_line_t;

typedef struct opp_ini_config {
  char* name;
  opp_ini_line_t* lines;
  size_t line_count;
  size_t* chain; /* itself, what it extends, General: indices of configurations */
  size_t chain_length;
  char* description; /* without quotes */
} opp_ini_config_t;

struct opp_ini {
  opp_ini_config_t* configs; /* [0]: General */
  size_t config_count;
  char** files; /* names; [0]: the one that was asked for */
  size_t file_count;
};

enum { OPP_INI_NONE = -1 };

/* ini_sections.c */
ptrdiff_t opp_ini_find(const opp_ini_t* ini, opp_ini_span_t config); /* OPP_INI_NONE: unknown */
sgf_status_t opp_ini_unknown(const opp_ini_t* ini, opp_ini_span_t config, sgf_error_t* error);
sgf_status_t opp_ini_chains(opp_ini_t* ini, sgf_error_t* error);
/* The first line of an option along the chain of a configuration, or NULL. */
const opp_ini_line_t* opp_ini_option_line(const opp_ini_t* ini, const opp_ini_config_t* config, const char* name);

/* ini_options.c: whether a line's key is known. Makes its pattern if it is one. */
sgf_status_t opp_ini_key_check(opp_ini_line_t* line, sgf_error_t* error);
/* Whether the last component of a path or pattern has a hyphen, as options of objects have and parameters have not,
 * but for the names of records: "net.record.nd-stats". */
bool opp_ini_is_per_object(const char* path);

/* ---- ini_expression.c -------------------------------------------------------------------------------------------- */

typedef enum opp_ini_type { OPP_INI_NUMBER, OPP_INI_BOOL, OPP_INI_STRING } opp_ini_type_t;
typedef enum opp_ini_unit { OPP_INI_PLAIN, OPP_INI_TIME, OPP_INI_BYTES, OPP_INI_RATE } opp_ini_unit_t;

typedef struct opp_ini_result {
  opp_ini_type_t type;
  double number; /* ps, bytes and bit/s if it has a unit */
  opp_ini_unit_t unit;
  bool truth;
  opp_ini_span_t string; /* in the expression's text */
} opp_ini_result_t;

sgf_status_t opp_ini_evaluate(const char* text, opp_ini_result_t* result, sgf_error_t* error);
/* A whole number from 0 on without a unit; `what` names it in messages. */
sgf_status_t opp_ini_whole(const char* text, const char* what, uint64_t* value, sgf_error_t* error);

/* ---- ini_iteration.c --------------------------------------------------------------------------------------------- */

/* The value of a variable by name, or NULL and an error. */
typedef const char* opp_ini_lookup_fn(const void* context, opp_ini_span_t name, sgf_error_t* error);

/* Find the first $name or ${name} at or behind `at`: where it begins, with its name and where it ends. NULL: none. */
const char* opp_ini_reference(const char* at, opp_ini_span_t* name, const char** end);

/* `text` with its references replaced; NULL if one cannot be. The caller frees it. */
char* opp_ini_substitute(const char* text, opp_ini_lookup_fn* lookup, const void* context, sgf_error_t* error);

/* The values of an iteration, once the variables that it refers to have theirs. */
typedef struct opp_ini_sequence opp_ini_sequence_t;
opp_ini_sequence_t* opp_ini_sequence_new(const opp_ini_piece_t* iteration, opp_ini_lookup_fn* lookup,
                                         const void* context, sgf_error_t* error);
void opp_ini_sequence_free(opp_ini_sequence_t* sequence);
size_t opp_ini_sequence_length(const opp_ini_sequence_t* sequence);
char* opp_ini_sequence_value(const opp_ini_sequence_t* sequence, size_t position); /* the caller frees it */

/* ---- ini_study.c ------------------------------------------------------------------------------------------------- */

typedef struct opp_ini_variable {
  char* name;
  const opp_ini_piece_t* iteration;
  const opp_ini_line_t* line;      /* that it stands in; NULL: the repetition */
  struct opp_ini_variable* leader; /* of a parallel iteration */
  size_t position;
  char* value; /* in the run that was reached */
} opp_ini_variable_t;

/* The iteration variables of a configuration, outermost loop first, with ${repetition} among them. */
typedef struct opp_ini_study {
  const opp_ini_t* ini;
  const opp_ini_config_t* config;
  opp_ini_variable_t* variables;
  size_t count;
  const opp_ini_line_t* constraint; /* NULL: none */
  opp_ini_value_t repetition;       /* where ${repetition} gets its values */
} opp_ini_study_t;

/* NULL for a configuration that is unknown or whose variables do not fit together. */
opp_ini_study_t* opp_ini_study_new(const opp_ini_t* ini, const char* config, sgf_error_t* error);
void opp_ini_study_free(opp_ini_study_t* study);

/* Go through the runs to the end, or until number `last` is `reached`, whose values the variables keep. `runs` counts
 * those passed. */
sgf_status_t opp_ini_study_walk(opp_ini_study_t* study, size_t last, size_t* runs, bool* reached, sgf_error_t* error);

const opp_ini_variable_t* opp_ini_study_variable(const opp_ini_study_t* study, opp_ini_span_t name);
bool opp_ini_is_repetition(const opp_ini_variable_t* variable);

/* ini_run.c: whether ${name} is there in every run; what to say of a name that is no variable of the study. */
bool opp_ini_is_predefined(opp_ini_span_t name);
sgf_status_t opp_ini_unknown_variable(const opp_ini_study_t* study, opp_ini_span_t name, sgf_error_t* error);

#endif
