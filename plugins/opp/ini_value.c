/* A value as it is written: text, with ${references} and ${iterations} in it, also inside strings. */
#include "ini.h"

#include "attr/alloc.h"

#include <stdlib.h>

/* Where the value of an iteration, or one item of it, ends: strings, backslashes and nested brackets are skipped. */
typedef struct scan {
  const char* at;
  const char* end;
  size_t depth; /* of brackets */
} scan_t;

/* Go on behind one character or one string. `brackets` are those that nest: pairs, each opening one first. */
static void skip(scan_t* scan, const char* brackets)
{
  const char* bracket = strchr(brackets, *scan->at);
  if (*scan->at == '"') {
    const char* behind = opp_ini_string_end(scan->at, scan->end);
    scan->at           = behind != NULL ? behind : scan->end;
    return;
  }
  if (*scan->at == '\\' && scan->at + 1 < scan->end)
    scan->at++;
  else if (bracket != NULL && (bracket - brackets) % 2 == 0)
    scan->depth++;
  else if (bracket != NULL && scan->depth > 0)
    scan->depth--;
  scan->at++;
}

/* The } that closes the ${ whose contents begin at `at`; NULL: there is none. */
static const char* closing_brace(const char* at)
{
  scan_t scan = {at, at + strlen(at), 0};
  while (scan.at < scan.end && (*scan.at != '}' || scan.depth > 0))
    skip(&scan, "{}");
  return scan.at < scan.end ? scan.at : NULL;
}

/* Backslashes outside strings have done their work. */
static char* without_backslashes(opp_ini_span_t span)
{
  char* text      = sgf_calloc(span.length + 1, 1);
  char* out       = text;
  const char* end = span.at + span.length;
  for (const char* at = span.at; at < end;) {
    const char* behind = *at == '"' ? opp_ini_string_end(at, end) : NULL;
    if (behind != NULL) {
      memcpy(out, at, (size_t)(behind - at));
      out += behind - at;
      at = behind;
    } else {
      at += *at == '\\' && at + 1 < end;
      *out++ = *at++;
    }
  }
  return text;
}

/* The ".." of a range, outside strings and brackets; NULL: the item is a text. */
static const char* range_dots(opp_ini_span_t item)
{
  scan_t scan = {item.at, item.at + item.length, 0};
  while (scan.at < scan.end) {
    if (scan.depth == 0 && scan.at + 1 < scan.end && scan.at[0] == '.' && scan.at[1] == '.')
      return scan.at;
    skip(&scan, "()[]{}");
  }
  return NULL;
}

/* The word "step" between `at` and `end`; `end` if there is none. */
static const char* step_word(const char* at, const char* end)
{
  static const char word[] = "step";
  size_t length            = sizeof word - 1;
  for (const char* begin = at; begin + length <= end; begin++) {
    bool starts = begin == at || !opp_ini_is_in_name(begin[-1]);
    bool ends   = begin + length == end || !opp_ini_is_in_name(begin[length]);
    if (starts && ends && memcmp(begin, word, length) == 0)
      return begin;
  }
  return end;
}

/* Whether all ${...} in the text of an item are references. */
static bool has_only_references(const char* text)
{
  opp_ini_span_t name;
  const char* end = NULL;
  for (const char* at = strstr(text, "${"); at != NULL; at = strstr(at + 1, "${"))
    if (opp_ini_reference(at, &name, &end) != at)
      return false;
  return true;
}

/* Returns what is wrong with it, or NULL. */
static const char* parse_item(opp_ini_span_t span, opp_ini_item_t* item)
{
  const char* dots = range_dots(span);
  if (dots == NULL) {
    item->text = without_backslashes(span);
    if (span.length == 0)
      return "an empty value";
    return has_only_references(item->text) ? NULL : "an iteration inside; name it elsewhere, and refer to it";
  }
  const char* end     = span.at + span.length;
  const char* word    = step_word(dots + 2, end);
  opp_ini_span_t from = opp_ini_span_between(span.at, dots);
  opp_ini_span_t to   = opp_ini_span_between(dots + 2, word);
  opp_ini_span_t step = word < end ? opp_ini_span_between(word + 4, end) : opp_ini_span("1");
  item->text          = opp_ini_span_copy(from);
  item->to            = opp_ini_span_copy(to);
  item->step          = opp_ini_span_copy(step);
  if (from.length > 0 && to.length > 0 && step.length > 0)
    return NULL;
  return "a range is \"from..to\" or \"from..to step by\"; other text with .. in it needs quotes";
}

static sgf_status_t parse_items(opp_ini_piece_t* piece, const char* begin, const char* end, opp_ini_span_t whole,
                                sgf_error_t* error)
{
  scan_t scan = {begin, end, 0};
  for (;;) {
    const char* item_begin = scan.at;
    while (scan.at < end && (*scan.at != ',' || scan.depth > 0))
      skip(&scan, "()[]{}");
    piece->items         = opp_ini_grow(piece->items, piece->item_count, sizeof *piece->items);
    opp_ini_item_t* item = &piece->items[piece->item_count++];
    *item                = (opp_ini_item_t){NULL, NULL, NULL};
    const char* fault    = parse_item(opp_ini_span_between(item_begin, scan.at), item);
    if (fault != NULL)
      return sgf_error_set(error, SGF_SYNTAX, "iteration \"%.*s\": %s", (int)whole.length, whole.at, fault);
    if (scan.at >= end)
      return SGF_OK;
    scan.at++;
  }
}

/* "! name" at the end makes an iteration parallel to another. Returns where its values end. */
static const char* take_leader(opp_ini_piece_t* piece, const char* begin, const char* end)
{
  const char* mark = end;
  while (mark > begin && *mark != '!')
    mark--;
  if (*mark != '!')
    return end;
  opp_ini_span_t name = opp_ini_span_between(mark + 1, end);
  if (name.length == 0 || !opp_ini_starts_name(*name.at))
    return end;
  for (size_t i = 1; i < name.length; i++)
    if (!opp_ini_is_in_name(name.at[i]))
      return end;
  piece->leader = opp_ini_span_copy(name);
  return mark;
}

/* What is between ${ at `whole` and its closing brace `end`. */
static sgf_status_t parse_variable(opp_ini_piece_t* piece, opp_ini_span_t whole, const char* end, sgf_error_t* error)
{
  opp_ini_span_t body  = opp_ini_span_between(whole.at + 2, end);
  const char* body_end = body.at + body.length;
  const char* name_end = body.at;
  while (name_end < body_end && opp_ini_is_in_name(*name_end) && opp_ini_starts_name(*body.at))
    name_end++;
  const char* next = name_end;
  while (next < body_end && opp_ini_is_space(*next))
    next++;

  bool has_name     = name_end > body.at;
  bool is_named     = has_name && next < body_end && next[0] == '=' && (next + 1 == body_end || next[1] != '=');
  const char* begin = is_named ? next + 1 : body.at;
  if (body.length == 0)
    return sgf_error_set(error, SGF_SYNTAX, "\"%.*s\": nothing in the braces", (int)whole.length, whole.at);
  if (has_name && !is_named && next < body_end && memchr(body.at, ',', body.length) == NULL)
    return sgf_error_set(error, SGF_SYNTAX, "\"%.*s\": expected = or } behind %.*s", (int)whole.length, whole.at,
                         (int)(name_end - body.at), body.at);

  piece->kind = has_name && next == body_end ? OPP_INI_REFERENCE : OPP_INI_ITERATION;
  piece->text =
      opp_ini_span_copy(is_named || next == body_end ? opp_ini_span_between(body.at, name_end) : opp_ini_span(""));
  if (piece->kind == OPP_INI_REFERENCE)
    return SGF_OK;
  return parse_items(piece, begin, take_leader(piece, begin, body_end), whole, error);
}

static opp_ini_piece_t* add_piece(opp_ini_value_t* value)
{
  value->pieces          = opp_ini_grow(value->pieces, value->count, sizeof *value->pieces);
  opp_ini_piece_t* piece = &value->pieces[value->count++];
  *piece                 = (opp_ini_piece_t){.kind = OPP_INI_TEXT};
  return piece;
}

sgf_status_t opp_ini_value_parse(const char* text, opp_ini_value_t* value, sgf_error_t* error)
{
  while (*text != '\0') {
    const char* dollar = strstr(text, "${");
    if (dollar != text) {
      size_t length          = dollar != NULL ? (size_t)(dollar - text) : strlen(text);
      add_piece(value)->text = opp_ini_span_copy((opp_ini_span_t){text, length});
      text += length;
      continue;
    }
    const char* end = closing_brace(text + 2);
    if (end == NULL)
      return sgf_error_set(error, SGF_SYNTAX, "\"%s\": a ${ without }", text);
    opp_ini_span_t whole = {text, (size_t)(end - text) + 1};
    sgf_status_t status  = parse_variable(add_piece(value), whole, end, error);
    if (status != SGF_OK)
      return status;
    text = end + 1;
  }
  return SGF_OK;
}

void opp_ini_value_free(opp_ini_value_t* value)
{
  for (size_t i = 0; i < value->count; i++) {
    opp_ini_piece_t* piece = &value->pieces[i];
    for (size_t j = 0; j < piece->item_count; j++) {
      free(piece->items[j].text);
      free(piece->items[j].to);
      free(piece->items[j].step);
    }
    free(piece->items);
    free(piece->text);
    free(piece->leader);
  }
  free(value->pieces);
}
