#include "opp/result_file_support.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TOKEN = 4096, MOST_VECTORS = 256 };

/* What the next line belongs to. */
typedef enum place {
  AT_VERSION,
  AT_RUN,
  IN_HEAD,
  IN_ITEMS,
  IN_SCALAR,
  IN_FIELDS,
  IN_ATTRS,
  IN_BINS,
  IN_VECTOR
} place_t;

typedef struct reader {
  result_file_t file;
  result_file_kind_t kind;
  place_t place;
  const char* at; /* in the line */
  char token[LONGEST_TOKEN];
  double last_edge;
  size_t bins; /* of the statistic */
  struct {
    bool is_declared;
    bool has_events;
    double last_time;
    unsigned long long last_event;
  } vectors[MOST_VECTORS];
} reader_t;

static bool refuse(reader_t* reader, const char* fault)
{
  if (reader->file.fault == NULL)
    reader->file.fault = fault;
  return false;
}

/* ---- Pieces of a line -------------------------------------------------------------------------------------------- */

static bool take(reader_t* reader, const char* text)
{
  const size_t length = strlen(text);
  if (strncmp(reader->at, text, length) != 0)
    return false;
  reader->at += length;
  return true;
}

static bool take_end(reader_t* reader)
{
  return *reader->at == '\n' || refuse(reader, "something behind the end of a line");
}

static bool needs_quotes(const char* text)
{
  for (const char* c = text; *c != '\0'; c++)
    if (isspace((unsigned char)*c) || iscntrl((unsigned char)*c) || *c == '"' || *c == '\\')
      return true;
  return *text == '\0';
}

/* The character that stands behind a backslash. */
static bool take_escape(reader_t* reader, char* c)
{
  static const char letters[] = "bfnrt\"\\";
  static const char meant[]   = "\b\f\n\r\t\"\\";
  const char* letter          = *reader->at != '\0' ? strchr(letters, *reader->at) : NULL;
  if (letter != NULL) {
    *c = meant[letter - letters];
    reader->at++;
    return true;
  }
  if (reader->at[0] != 'x' || !isxdigit((unsigned char)reader->at[1]) || !isxdigit((unsigned char)reader->at[2]))
    return refuse(reader, "an unknown escape");
  const char digits[] = {reader->at[1], reader->at[2], '\0'};
  *c                  = (char)strtol(digits, NULL, 16);
  reader->at += 3;
  return *c != '\0' || refuse(reader, "a null character");
}

static bool take_quoted(reader_t* reader, size_t* length)
{
  while (*reader->at != '"') {
    char c = *reader->at;
    if (c == '\n' || c == '\0')
      return refuse(reader, "a quote without its end");
    if (iscntrl((unsigned char)c))
      return refuse(reader, "a control character in quotes");
    reader->at++;
    if (c == '\\' && !take_escape(reader, &c))
      return false;
    if (*length + 1 < LONGEST_TOKEN)
      reader->token[(*length)++] = c;
  }
  reader->at++;
  return true;
}

/* A space and a token. */
static bool take_token(reader_t* reader)
{
  size_t length = 0;
  if (!take(reader, " "))
    return refuse(reader, "a space is missing");
  const bool is_quoted = take(reader, "\"");
  if (is_quoted && !take_quoted(reader, &length))
    return false;
  for (; !is_quoted && !isspace((unsigned char)*reader->at) && *reader->at != '\0'; reader->at++)
    if (length + 1 < LONGEST_TOKEN)
      reader->token[length++] = *reader->at;
  reader->token[length] = '\0';
  return needs_quotes(reader->token) == is_quoted ||
         refuse(reader, "quotes where none are needed, or none where some are");
}

/* A number as "%.14g" writes it. */
static bool take_number(reader_t* reader, double* value)
{
  char text[64];
  char again[64];
  const size_t length = strcspn(reader->at, " \t\n");
  if (length == 0 || length >= sizeof text)
    return refuse(reader, "a number is missing");
  memcpy(text, reader->at, length);
  text[length] = '\0';
  reader->at += length;
  *value = strtod(text, NULL);
  snprintf(again, sizeof again, "%.14g", *value);
  if (isnan(*value))
    snprintf(again, sizeof again, "nan");
  return strcmp(text, again) == 0 || refuse(reader, "a number that %.14g does not write");
}

static bool take_whole(reader_t* reader, unsigned long long* value)
{
  if (!isdigit((unsigned char)*reader->at))
    return refuse(reader, "a whole number is missing");
  char* end  = NULL;
  *value     = strtoull(reader->at, &end, 10);
  reader->at = end;
  return true;
}

/* Seconds, fixed point, to the picosecond at most. */
static bool take_time(reader_t* reader, double* seconds)
{
  const char* begin  = reader->at;
  const size_t whole = strspn(begin, "0123456789");
  size_t fraction    = 0;
  if (whole > 0 && begin[whole] == '.')
    fraction = strspn(begin + whole + 1, "0123456789");
  if (whole == 0 || fraction > 12 || (begin[whole] == '.' && fraction == 0))
    return refuse(reader, "a time that is no fixed-point decimal in ps");
  *seconds = strtod(begin, NULL);
  reader->at += whole + (fraction > 0 ? fraction + 1 : 0);
  return *reader->at == '\t' || refuse(reader, "a time that is no fixed-point decimal in ps");
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

static bool is_one_of(const char* text, const char* const* list)
{
  for (; *list != NULL; list++)
    if (strcmp(text, *list) == 0)
      return true;
  return false;
}

/* The bins of a statistic that ends here. */
static bool end_item(reader_t* reader)
{
  if (reader->place == IN_BINS && reader->bins < 3)
    return refuse(reader, "a histogram without a bin between underflow and overflow");
  return true;
}

static bool read_run(reader_t* reader)
{
  if (!end_item(reader))
    return false;
  reader->place = IN_HEAD;
  reader->file.runs++;
  memset(reader->vectors, 0, sizeof reader->vectors);
  if (reader->kind == RESULT_FILE_VEC && reader->file.runs > 1)
    return refuse(reader, "a second run in a file of vectors");
  return take_token(reader) && take_end(reader);
}

static bool read_pair(reader_t* reader, size_t* count)
{
  ++*count;
  return take_token(reader) && take_token(reader) && take_end(reader);
}

static bool read_attr(reader_t* reader)
{
  if (reader->place == IN_FIELDS)
    reader->place = IN_ATTRS;
  if (reader->place != IN_HEAD && reader->place != IN_SCALAR && reader->place != IN_ATTRS && reader->place != IN_VECTOR)
    return refuse(reader, "an attribute of nothing");
  return read_pair(reader, &reader->file.attrs);
}

static bool begin_item(reader_t* reader, place_t place)
{
  if (reader->place < IN_ITEMS)
    return refuse(reader, "an item before the empty line that ends the head of a run");
  if (!end_item(reader))
    return false;
  reader->place = place;
  return take_token(reader) && take_token(reader);
}

static bool read_scalar(reader_t* reader)
{
  double value = 0.0;
  reader->file.scalars++;
  return begin_item(reader, IN_SCALAR) && (take(reader, " ") || refuse(reader, "a space is missing")) &&
         take_number(reader, &value) && take_end(reader);
}

static bool read_statistic(reader_t* reader)
{
  reader->file.statistics++;
  return begin_item(reader, IN_FIELDS) && take_end(reader);
}

static bool read_field(reader_t* reader)
{
  static const char* const names[] = {"count",       "mean",          "stddev",         "min",
                                      "max",         "sum",           "sqrsum",         "weights",
                                      "weightedSum", "sqrSumWeights", "weightedSqrSum", NULL};
  double value                     = 0.0;
  if (reader->place != IN_FIELDS)
    return refuse(reader, "a field of nothing");
  return take_token(reader) && (is_one_of(reader->token, names) || refuse(reader, "an unknown field")) &&
         (take(reader, " ") || refuse(reader, "a space is missing")) && take_number(reader, &value) && take_end(reader);
}

static bool read_bin(reader_t* reader)
{
  double edge  = 0.0;
  double count = 0.0;
  if (reader->place == IN_FIELDS || reader->place == IN_ATTRS) {
    reader->place = IN_BINS;
    reader->bins  = 0;
  } else if (reader->place != IN_BINS)
    return refuse(reader, "a bin of nothing");
  if (!take_number(reader, &edge))
    return false;
  if (reader->bins == 0 ? edge != -INFINITY : edge <= reader->last_edge)
    return refuse(reader, "bins begin at -inf and increase");
  reader->last_edge = edge;
  reader->bins++;
  reader->file.bins++;
  return (take(reader, "\t") || refuse(reader, "a tab is missing")) && take_number(reader, &count) &&
         (count >= 0.0 || refuse(reader, "a negative count")) && take_end(reader);
}

static bool read_vector(reader_t* reader)
{
  unsigned long long number = 0;
  reader->file.vectors++;
  if (reader->kind != RESULT_FILE_VEC)
    return refuse(reader, "a vector in a file of scalars");
  if (!take(reader, " ") || !take_whole(reader, &number))
    return refuse(reader, "a vector without a number");
  if (number >= MOST_VECTORS || reader->vectors[number].is_declared)
    return refuse(reader, "a vector that has been declared");
  if (!begin_item(reader, IN_VECTOR))
    return false;
  reader->vectors[number].is_declared = true;
  reader->vectors[number].has_events  = take(reader, " ETV");
  return (reader->vectors[number].has_events || take(reader, " TV") || refuse(reader, "unknown columns")) &&
         take_end(reader);
}

static bool read_data(reader_t* reader)
{
  unsigned long long number = 0;
  unsigned long long event  = 0;
  double time               = 0.0;
  double value              = 0.0;
  if (!take_whole(reader, &number))
    return false;
  if (number >= MOST_VECTORS || !reader->vectors[number].is_declared)
    return refuse(reader, "data of a vector that is not declared");
  if (!take(reader, "\t") ||
      (reader->vectors[number].has_events && (!take_whole(reader, &event) || !take(reader, "\t"))))
    return refuse(reader, "columns that the declaration does not have");
  if (!take_time(reader, &time) || !take(reader, "\t") || !take_number(reader, &value))
    return false;
  if (time < reader->vectors[number].last_time || event < reader->vectors[number].last_event)
    return refuse(reader, "a vector that goes back");
  reader->vectors[number].last_time  = time;
  reader->vectors[number].last_event = event;
  reader->place                      = IN_ITEMS;
  reader->file.values++;
  return take_end(reader);
}

static bool read_line(reader_t* reader)
{
  if (reader->place == AT_VERSION) {
    reader->place = AT_RUN;
    return (take(reader, "version 3") || refuse(reader, "not version 3")) && take_end(reader);
  }
  if (take(reader, "run"))
    return read_run(reader);
  if (reader->place == AT_RUN)
    return refuse(reader, "something before the first run");
  if (*reader->at == '\n') {
    const bool ends_head = reader->place == IN_HEAD;
    reader->place        = ends_head ? IN_ITEMS : reader->place;
    return ends_head || refuse(reader, "an empty line");
  }
  if (take(reader, "attr"))
    return read_attr(reader);
  if (reader->place == IN_HEAD && take(reader, "itervar"))
    return read_pair(reader, &reader->file.itervars);
  if (reader->place == IN_HEAD && take(reader, "config"))
    return read_pair(reader, &reader->file.configs);
  if (take(reader, "scalar"))
    return read_scalar(reader);
  if (take(reader, "statistic"))
    return read_statistic(reader);
  if (take(reader, "field"))
    return read_field(reader);
  if (take(reader, "bin\t"))
    return read_bin(reader);
  if (take(reader, "vector"))
    return read_vector(reader);
  if (reader->kind == RESULT_FILE_VEC && isdigit((unsigned char)*reader->at))
    return read_data(reader);
  return refuse(reader, "an unknown line, or one in a wrong place");
}

result_file_t result_file_parse(const char* text, result_file_kind_t kind)
{
  reader_t reader = {.kind = kind};
  for (const char* line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
    reader.file.line++;
    reader.at = line;
    if (strchr(line, '\n') == NULL)
      refuse(&reader, "a last line without its end");
    else
      read_line(&reader);
    if (reader.file.fault != NULL)
      return reader.file;
  }
  if (reader.file.runs == 0)
    refuse(&reader, "no run");
  else if (reader.place == IN_HEAD)
    refuse(&reader, "no empty line behind the head of the run");
  else
    end_item(&reader);
  return reader.file;
}

char* result_file_text(const char* path)
{
  FILE* file = fopen(path, "r");
  if (file == NULL)
    return NULL;
  char* text  = NULL;
  size_t size = 0;
  for (size_t got = 1; got > 0; size += got) {
    text = realloc(text, size + 4097);
    if (text == NULL)
      abort();
    got = fread(text + size, 1, 4096, file);
  }
  text[size] = '\0';
  fclose(file);
  return text;
}
