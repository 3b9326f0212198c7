/* Text that grows, pieces of text, names and quotes. */
#include "ini.h"

#include "attr/alloc.h"

#include <ctype.h>
#include <stdio.h>

bool opp_ini_is_space(char c)
{
  return isspace((unsigned char)c) != 0;
}

bool opp_ini_starts_name(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool opp_ini_is_in_name(char c)
{
  return opp_ini_starts_name(c) || (c >= '0' && c <= '9');
}

opp_ini_span_t opp_ini_span(const char* text)
{
  return (opp_ini_span_t){text, strlen(text)};
}

opp_ini_span_t opp_ini_span_between(const char* begin, const char* end)
{
  while (begin < end && opp_ini_is_space(*begin))
    begin++;
  while (end > begin && opp_ini_is_space(end[-1]))
    end--;
  return (opp_ini_span_t){begin, (size_t)(end - begin)};
}

bool opp_ini_span_is(opp_ini_span_t span, const char* text)
{
  return strlen(text) == span.length && memcmp(span.at, text, span.length) == 0;
}

char* opp_ini_span_copy(opp_ini_span_t span)
{
  char* copy = sgf_calloc(span.length + 1, 1);
  return memcpy(copy, span.at, span.length);
}

opp_ini_span_t opp_ini_next(opp_ini_span_t* list)
{
  const char* begin = list->at;
  const char* end   = begin + list->length;
  const char* comma = memchr(begin, ',', list->length);
  if (comma == NULL) {
    *list = (opp_ini_span_t){NULL, 0};
    return opp_ini_span_between(begin, end);
  }
  *list = (opp_ini_span_t){comma + 1, (size_t)(end - comma) - 1};
  return opp_ini_span_between(begin, comma);
}

const char* opp_ini_string_end(const char* at, const char* end)
{
  for (at++; at < end && *at != '"'; at++)
    if (*at == '\\' && at + 1 < end)
      at++;
  return at < end ? at + 1 : NULL;
}

/* Whether the value is a string from its first character to its last. */
static bool is_string(const char* value)
{
  const char* end = value + strlen(value);
  return value[0] == '"' && opp_ini_string_end(value, end) == end;
}

char* opp_ini_unquoted(const char* value)
{
  if (!is_string(value))
    return sgf_strdup(value);
  size_t length = strlen(value);
  char* text    = sgf_calloc(length, 1);
  char* out     = text;
  for (const char* at = value + 1; at < value + length - 1; at++) {
    if (*at == '\\') {
      at++;
      *out++ = (char)(*at == 'n' ? '\n' : *at == 't' ? '\t' : *at);
    } else {
      *out++ = *at;
    }
  }
  return text;
}

void opp_ini_text_add_span(opp_ini_text_t* text, opp_ini_span_t more)
{
  size_t size = text->length + more.length + 1;
  if (size > text->room) {
    text->room = 2 * size;
    text->at   = sgf_realloc(text->at, text->room, 1);
  }
  memcpy(text->at + text->length, more.at, more.length);
  text->length += more.length;
  text->at[text->length] = '\0';
}

void opp_ini_text_add(opp_ini_text_t* text, const char* more)
{
  opp_ini_text_add_span(text, opp_ini_span(more));
}

void* opp_ini_grow(void* items, size_t count, size_t size)
{
  bool is_full = (count & (count - 1)) == 0; /* room doubles at powers of two */
  return is_full ? sgf_realloc(items, count == 0 ? 1 : 2 * count, size) : items;
}

opp_ini_hint_t opp_ini_hint(const char* name, const char* const* names, size_t count)
{
  opp_ini_hint_t hint = {""};
  const char* nearest = sgf_nearest_name(name, names, count);
  if (nearest != NULL)
    snprintf(hint.at, sizeof hint.at, "; did you mean %s?", nearest);
  return hint;
}
