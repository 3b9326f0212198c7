/* Patterns as in OMNeT++'s ini files. A pattern is a row of pieces; matching keeps the set of places in the name that
 * the pieces so far can have reached, so that no pattern takes long. */
#include "pattern.h"

#include "attr/alloc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum piece_kind {
  PIECE_CHAR,   /* `first` itself */
  PIECE_ANY,    /* ?: one character but '.' */
  PIECE_STAR,   /* *: any but '.' */
  PIECE_STARS,  /* **: any */
  PIECE_SET,    /* {a-f} or {^a-f}: one character */
  PIECE_NUMBER, /* {38..150}: all digits there are */
  PIECE_INDEX,  /* [38..150]: a number in brackets */
} piece_kind_t;

typedef struct piece {
  piece_kind_t kind;
  char first;
  bool negated;
  bool whole;      /* of a number: no digit may stand before it */
  const char* set; /* in the pattern's text */
  size_t length;
  uint64_t low, high;
} piece_t;

struct opp_pattern {
  char* text;
  piece_t* pieces;
  size_t count;
  bool is_name;
};

static bool is_digit(char c)
{
  return isdigit((unsigned char)c) != 0;
}

/* Digits at `*at`, which moves behind them. Numbers too long for 64 bits are all the largest one. */
static uint64_t take_number(const char** at)
{
  uint64_t number = 0;
  for (; is_digit(**at); (*at)++) {
    uint64_t digit = (uint64_t)(**at - '0');
    number         = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
  }
  return number;
}

/* "38..150" between `at` and the closing bracket `end`; either number may be left out. */
static bool take_range(const char* at, const char* end, piece_t* piece)
{
  piece->low = take_number(&at);
  if (at[0] != '.' || at[1] != '.')
    return false;
  at += 2;
  piece->high = is_digit(*at) ? take_number(&at) : UINT64_MAX;
  return at == end;
}

/* A '{', which opens a set or a range, or a '[', which opens a range or stands for itself. */
static sgf_status_t take_bracket(const char* text, const char** at, piece_t* piece, sgf_error_t* error)
{
  bool brace      = **at == '{';
  const char* end = strchr(*at, brace ? '}' : ']');
  if (brace && end == NULL)
    return sgf_error_set(error, SGF_SYNTAX, "pattern \"%s\": a { without }", text);
  if (end != NULL && take_range(*at + 1, end, piece)) {
    if (piece->low > piece->high)
      return sgf_error_set(error, SGF_SYNTAX, "pattern \"%s\": the range runs backwards", text);
    piece->kind = brace ? PIECE_NUMBER : PIECE_INDEX;
    *at         = end + 1;
    return SGF_OK;
  }
  if (!brace) {
    *piece = (piece_t){.kind = PIECE_CHAR, .first = *(*at)++};
    return SGF_OK;
  }
  piece->kind    = PIECE_SET;
  piece->set     = *at + 1;
  piece->negated = *piece->set == '^';
  piece->set += piece->negated;
  if (piece->set == end) /* a } that is the first is in the set */
    end = strchr(end + 1, '}');
  if (end == NULL)
    return sgf_error_set(error, SGF_SYNTAX, "pattern \"%s\": a set without characters", text);
  piece->length = (size_t)(end - piece->set);
  *at           = end + 1;
  return SGF_OK;
}

static sgf_status_t take_piece(const char* text, const char** at, piece_t* piece, sgf_error_t* error)
{
  *piece = (piece_t){.kind = PIECE_CHAR};
  switch (**at) {
    case '?':
      piece->kind = PIECE_ANY;
      break;
    case '*':
      piece->kind = (*at)[1] == '*' ? PIECE_STARS : PIECE_STAR;
      *at += piece->kind == PIECE_STARS;
      break;
    case '{':
    case '[':
      return take_bracket(text, at, piece, error);
    case '\\':
      if ((*at)[1] == '\0')
        return sgf_error_set(error, SGF_SYNTAX, "pattern \"%s\": ends in a backslash", text);
      piece->first = *++*at;
      break;
    default:
      piece->first = **at;
  }
  (*at)++;
  return SGF_OK;
}

opp_pattern_t* opp_pattern_new(const char* text, sgf_error_t* error)
{
  opp_pattern_t* pattern = sgf_calloc(1, sizeof *pattern);
  pattern->text          = sgf_strdup(text);
  pattern->pieces        = sgf_calloc(strlen(text), sizeof *pattern->pieces);
  pattern->is_name       = true;
  for (const char* at = pattern->text; *at != '\0';) {
    piece_t* piece = &pattern->pieces[pattern->count++];
    if (take_piece(pattern->text, &at, piece, error) != SGF_OK) {
      opp_pattern_free(pattern);
      return NULL;
    }
    pattern->is_name = pattern->is_name && piece->kind == PIECE_CHAR;
    /* The digits behind a star are one number: gpu*{0..3} is not gpu13, though gpu1{0..9} is. */
    piece->whole = piece > pattern->pieces && (piece[-1].kind == PIECE_STAR || piece[-1].kind == PIECE_STARS);
  }
  return pattern;
}

void opp_pattern_free(opp_pattern_t* pattern)
{
  if (pattern == NULL)
    return;
  free(pattern->pieces);
  free(pattern->text);
  free(pattern);
}

bool opp_pattern_is_name(const opp_pattern_t* pattern)
{
  return pattern->is_name;
}

static bool set_has(const piece_t* piece, char c)
{
  for (size_t i = 0; i < piece->length; i++) {
    bool range = i + 2 < piece->length && piece->set[i + 1] == '-';
    char last  = range ? piece->set[i + 2] : piece->set[i];
    if ((unsigned char)c >= (unsigned char)piece->set[i] && (unsigned char)c <= (unsigned char)last)
      return true;
    i += range ? 2 : 0;
  }
  return false;
}

/* How many characters of the name at `at` the piece takes; 0: it does not match there. Not for the stars. */
static size_t piece_length(const piece_t* piece, const char* name, size_t at)
{
  const char* end = name + at;
  switch (piece->kind) {
    case PIECE_CHAR:
      return *end == piece->first;
    case PIECE_ANY:
      return *end != '.';
    case PIECE_SET:
      return *end != '.' && set_has(piece, *end) != piece->negated;
    case PIECE_NUMBER: {
      if (!is_digit(*end) || (piece->whole && at > 0 && is_digit(name[at - 1])))
        return 0;
      uint64_t number = take_number(&end);
      return number >= piece->low && number <= piece->high ? (size_t)(end - name) - at : 0;
    }
    case PIECE_INDEX: {
      if (*end++ != '[' || !is_digit(*end))
        return 0;
      uint64_t number = take_number(&end);
      return *end == ']' && number >= piece->low && number <= piece->high ? (size_t)(end - name) + 1 - at : 0;
    }
    default:
      return 0;
  }
}

/* From the places reached before a piece to those reached behind it. */
static void advance(const piece_t* piece, const char* name, size_t length, const bool* before, bool* behind)
{
  memset(behind, 0, length + 1);
  for (size_t at = 0; at <= length; at++) {
    if (piece->kind == PIECE_STAR || piece->kind == PIECE_STARS) {
      bool passed = at > 0 && behind[at - 1] && (piece->kind == PIECE_STARS || name[at - 1] != '.');
      behind[at]  = before[at] || passed;
    } else if (before[at] && at < length) {
      size_t taken = piece_length(piece, name, at);
      if (taken > 0)
        behind[at + taken] = true;
    }
  }
}

bool opp_pattern_matches(const opp_pattern_t* pattern, const char* name)
{
  size_t length = strlen(name);
  bool* places  = sgf_calloc(2 * (length + 1), sizeof *places);
  bool* before  = places;
  bool* behind  = places + length + 1;
  before[0]     = true;
  for (size_t i = 0; i < pattern->count; i++) {
    advance(&pattern->pieces[i], name, length, before, behind);
    bool* swap = before;
    before     = behind;
    behind     = swap;
  }
  bool matches = before[length];
  free(places);
  return matches;
}
