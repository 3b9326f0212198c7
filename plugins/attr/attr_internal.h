/* What the files of attr share: pieces of text, readers and writers of single values, distances between names. */
#ifndef SGFABRIC_ATTR_INTERNAL_H
#define SGFABRIC_ATTR_INTERNAL_H

#include <sgfabric/attr.h>

__extension__ typedef __int128 sgf_int128_t;

/* A piece of a text, not terminated. */
typedef struct sgf_text {
  const char* at;
  size_t length;
} sgf_text_t;

/* A terminated line under construction in a caller's buffer; what does not fit is cut off. */
typedef struct sgf_line {
  char* at;
  size_t size;
  size_t used;
} sgf_line_t;

/* The value of an attribute, or of one entry of a list. */
typedef union sgf_value {
  uint64_t uint;
  int64_t integer; /* also bytes, bits per second and picoseconds */
  sgf_decimal_t decimal;
  bool truth;
  int choice;
  char text[SGF_TEXT_SIZE];
} sgf_value_t;

/* Read all of `text`, which has no white space around it. The reason of a refusal speaks of the rule alone:
 * sgf_refuse adds what was being read and what was written. */
typedef sgf_status_t sgf_read_fn(sgf_text_t text, sgf_value_t* value, sgf_error_t* reason);
typedef void sgf_write_fn(sgf_line_t* line, const sgf_value_t* value);
typedef int sgf_compare_fn(const sgf_value_t* a, const sgf_value_t* b);

sgf_read_fn sgf_read_uint, sgf_read_integer, sgf_read_bytes, sgf_read_datarate, sgf_read_timeval, sgf_read_decimal;
sgf_write_fn sgf_write_bytes, sgf_write_datarate, sgf_write_timeval;

/* text.c */
sgf_text_t sgf_text_of(const char* text);
sgf_text_t sgf_text_trim(sgf_text_t text);
bool sgf_text_is(sgf_text_t text, const char* other);
/* Split `text` at the first `separator`: the piece before it is returned, `text` becomes what follows, with a NULL `at`
 * when there was no separator left. */
sgf_text_t sgf_text_next(sgf_text_t* text, char separator);

sgf_line_t sgf_line_in(char* buffer, size_t size);
void sgf_line_add(sgf_line_t* line, const char* format, ...) SGF_PRINTF(2, 3);
/* Add `text` in quotes, its end cut off if it is too long for a message. */
void sgf_line_quote(sgf_line_t* line, sgf_text_t text);
/* Add what goes between item `index` and the one before it in "a, b or c". */
void sgf_line_or(sgf_line_t* line, size_t index, size_t count);

enum { SGF_QUOTE_SIZE = 176 }; /* bytes that hold any one quoted text */

/* Record `<what> = "<text>": <reason>`, with the status of the reason, which is returned. */
sgf_status_t sgf_refuse(const char* what, const char* text, const sgf_error_t* reason, sgf_error_t* error);

/* nearest.c: how far `name` is from meaning `candidate`, and the largest distance that still suggests it. */
size_t sgf_name_distance(sgf_text_t name, sgf_text_t candidate);
size_t sgf_name_reach(sgf_text_t name);

#endif
