/* Pieces of text and lines under construction. */
#include "attr_internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_QUOTE = 160 };

sgf_text_t sgf_text_of(const char* text)
{
  return (sgf_text_t){text, strlen(text)};
}

static bool is_space(char c)
{
  return isspace((unsigned char)c) != 0;
}

sgf_text_t sgf_text_trim(sgf_text_t text)
{
  while (text.length > 0 && is_space(text.at[0])) {
    text.at++;
    text.length--;
  }
  while (text.length > 0 && is_space(text.at[text.length - 1]))
    text.length--;
  return text;
}

bool sgf_text_is(sgf_text_t text, const char* other)
{
  return text.length == strlen(other) && memcmp(text.at, other, text.length) == 0;
}

sgf_text_t sgf_text_next(sgf_text_t* text, char separator)
{
  sgf_text_t piece      = *text;
  const char* separated = memchr(text->at, separator, text->length);
  if (separated == NULL) {
    *text = (sgf_text_t){NULL, 0};
  } else {
    piece.length = (size_t)(separated - text->at);
    *text        = (sgf_text_t){separated + 1, text->length - piece.length - 1};
  }
  return piece;
}

sgf_line_t sgf_line_in(char* buffer, size_t size)
{
  if (size > 0)
    buffer[0] = '\0';
  return (sgf_line_t){buffer, size, 0};
}

void sgf_line_add(sgf_line_t* line, const char* format, ...)
{
  if (line->used + 1 >= line->size)
    return;
  size_t room = line->size - line->used;
  va_list args;
  va_start(args, format);
  int length = vsnprintf(line->at + line->used, room, format, args);
  va_end(args);
  if (length > 0)
    line->used += (size_t)length < room ? (size_t)length : room - 1;
}

void sgf_line_quote(sgf_line_t* line, sgf_text_t text)
{
  size_t length = text.length;
  if (length > LONGEST_QUOTE) {
    length = LONGEST_QUOTE;
    while (length > 0 && ((unsigned char)text.at[length] & 0xc0) == 0x80) /* not inside a UTF-8 character */
      length--;
  }
  sgf_line_add(line, "\"%.*s%s\"", (int)length, text.at, length < text.length ? "..." : "");
}

void sgf_line_or(sgf_line_t* line, size_t index, size_t count)
{
  if (index > 0)
    sgf_line_add(line, "%s", index + 1 < count ? ", " : " or ");
}

sgf_status_t sgf_refuse(const char* what, const char* text, const sgf_error_t* reason, sgf_error_t* error)
{
  char quoted[SGF_QUOTE_SIZE];
  sgf_line_t line = sgf_line_in(quoted, sizeof quoted);
  sgf_line_quote(&line, sgf_text_of(text));
  return sgf_error_set(error, reason->status, "%s = %s: %s", what, quoted, reason->text);
}
