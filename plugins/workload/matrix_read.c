/* The lines of a connection matrix. A line is a list of words, the first of which says what it is; the counts of the
 * header stand before the first connection or trigger. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "attr/file.h"
#include "workload/matrix.h"

/* ---- Words ------------------------------------------------------------------------------------------------------- */

/* The file that is being read, and the counts of its header. */
typedef struct reader {
  sgf_matrix_t* matrix;
  int line;
  char* rest; /* of the line, behind the words that were taken */
  size_t connection_room;
  size_t trigger_room;
  uint64_t counts[3]; /* by count_names */
  int count_lines[3]; /* 0: not given */
  sgf_error_t* error;
} reader_t;

enum { NODES, CONNECTIONS, TRIGGERS, COUNTS };
static const char* const count_names[] = {"Nodes", "Connections", "Triggers"};

static char* next_word(reader_t* reader)
{
  return sgf_next_word(&reader->rest);
}

/* An error at the line that is being read. */
#define fail(reader, ...) matrix_fail((reader)->matrix, (reader)->line, (reader)->error, __VA_ARGS__)

static sgf_status_t refuse_word(const reader_t* reader, const char* word, const char* const* words, size_t count)
{
  const char* nearest = sgf_nearest_name(word, words, count);
  return fail(reader, SGF_UNKNOWN, "unknown word \"%.64s\"%s%s%s", word, nearest != NULL ? "; did you mean " : "",
              nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
}

/* Which of `names` a word is; `count`: none of them. */
static size_t find(const char* word, const char* const* names, size_t count)
{
  size_t i = 0;
  while (i < count && strcmp(word, names[i]) != 0)
    i++;
  return i;
}

/* A whole number within bounds. */
static sgf_status_t read_number(const reader_t* reader, const char* what, const char* word, uint64_t least,
                                uint64_t most, uint64_t* number)
{
  sgf_error_t reason = {0};
  if (sgf_word_number(word, what, least, most, number, &reason) == SGF_OK)
    return SGF_OK;
  return fail(reader, reason.status, "%s", reason.text);
}

/* ---- Connections ------------------------------------------------------------------------------------------------- */

enum { ID, START, TRIGGER, SIZE, SEND_DONE, RECV_DONE, PRIORITY, ADDON, CONNECTION_WORDS };
static const char* const connection_words[] = {
    "id", "start", "trigger", "size", "send_done_trigger", "recv_done_trigger", "prio", "addon"};

/* Far enough from the end of time for what follows a start. */
static const uint64_t latest_start = INT64_MAX / 2;

static sgf_status_t read_node(const reader_t* reader, const char* word, size_t* node)
{
  uint64_t number    = 0;
  sgf_status_t state = read_number(reader, "node", word, 0, UINT64_MAX, &number);
  if (state == SGF_OK && number >= reader->matrix->nodes)
    return fail(reader, SGF_RANGE, "there is no node %s: Nodes %zu counts from 0", word, reader->matrix->nodes);
  *node = (size_t)number;
  return state;
}

/* "src->dst" */
static sgf_status_t read_nodes(const reader_t* reader, char* word, char* arrow, sgf_connection_t* connection)
{
  *arrow              = '\0';
  sgf_status_t status = read_node(reader, word, &connection->src);
  return status == SGF_OK ? read_node(reader, arrow + strlen("->"), &connection->dst) : status;
}

/* The value of a word of a connection. */
static sgf_status_t read_value(reader_t* reader, size_t word, sgf_connection_t* connection)
{
  const char* name    = connection_words[word];
  const char* value   = next_word(reader);
  uint64_t number     = 0;
  sgf_status_t status = SGF_OK;
  switch (word) {
    case ID:
      return read_number(reader, name, value, 1, UINT64_MAX, &connection->id);
    case START:
      status            = read_number(reader, name, value, 0, latest_start, &number);
      connection->start = (opp_simtime_t)number;
      return status;
    case TRIGGER:
      return read_number(reader, name, value, 1, UINT64_MAX, &connection->trigger);
    case SIZE:
      status = read_number(reader, name, value, 0, SGF_LARGEST_WRITE, &connection->bytes);
      if (status == SGF_OK && connection->bytes == 0)
        return fail(reader, SGF_RANGE, "size 0: connections that send without end are not supported");
      return status;
    case SEND_DONE:
      return read_number(reader, name, value, 1, UINT64_MAX, &connection->send_done_trigger);
    case RECV_DONE:
      return read_number(reader, name, value, 1, UINT64_MAX, &connection->recv_done_trigger);
    default: /* PRIORITY */
      if (reader->matrix->priorities++ == 0)
        reader->matrix->first_priority = reader->line;
      return read_number(reader, name, value, 0, UINT64_MAX, &connection->priority);
  }
}

/* What has to be said, and what cannot be said together. */
static sgf_status_t settle_start(const reader_t* reader, const bool* given, sgf_connection_t* connection)
{
  if (!given[SIZE])
    return fail(reader, SGF_SYNTAX, "a connection needs a size: connections that send without end are not supported");
  if (given[START] && given[TRIGGER])
    return fail(reader, SGF_SYNTAX, "start and trigger: a connection starts at a date or by a trigger, not by both");
  if (given[TRIGGER])
    connection->start = -1;
  return SGF_OK;
}

static void* grown(void* items, size_t count, size_t* room, size_t size)
{
  if (count < *room)
    return items;
  *room = *room == 0 ? 64 : 2 * *room;
  return sgf_realloc(items, *room, size);
}

static sgf_status_t add_connection(reader_t* reader, const sgf_connection_t* connection)
{
  sgf_matrix_t* matrix = reader->matrix;
  if (matrix->connection_count == reader->counts[CONNECTIONS])
    return fail(reader, SGF_RANGE, "one connection more than the %llu of line %d",
                (unsigned long long)reader->counts[CONNECTIONS], reader->count_lines[CONNECTIONS]);
  matrix->connections =
      grown(matrix->connections, matrix->connection_count, &reader->connection_room, sizeof *matrix->connections);
  matrix->connections[matrix->connection_count++] = *connection;
  return SGF_OK;
}

static sgf_status_t read_connection(reader_t* reader, char* nodes, char* arrow)
{
  bool given[CONNECTION_WORDS] = {false};
  sgf_connection_t connection  = {.line = reader->line};
  sgf_status_t status          = read_nodes(reader, nodes, arrow, &connection);
  for (char* word; status == SGF_OK && (word = next_word(reader)) != NULL;) {
    const size_t i = find(word, connection_words, CONNECTION_WORDS);
    if (i == CONNECTION_WORDS)
      return refuse_word(reader, word, connection_words, CONNECTION_WORDS);
    if (i == ADDON)
      return fail(reader, SGF_UNKNOWN, "addon is not supported");
    if (given[i])
      return fail(reader, SGF_SYNTAX, "%s is said twice", word);
    given[i] = true;
    status   = read_value(reader, i, &connection);
  }
  if (status == SGF_OK)
    status = settle_start(reader, given, &connection);
  return status == SGF_OK ? add_connection(reader, &connection) : status;
}

/* ---- Triggers ---------------------------------------------------------------------------------------------------- */

enum { KINDS = 3, TRIGGER_ID = KINDS, COUNT, TRIGGER_WORDS };
static const char* const trigger_words[] = {"oneshot", "multishot", "barrier", "id", "count"}; /* kinds first */

static sgf_status_t settle_kind(const reader_t* reader, const bool* given, const matrix_trigger_t* trigger)
{
  const int kinds = given[MATRIX_ONESHOT] + given[MATRIX_MULTISHOT] + given[MATRIX_BARRIER];
  if (!given[TRIGGER_ID])
    return fail(reader, SGF_SYNTAX, "a trigger needs an id");
  if (kinds != 1)
    return fail(reader, SGF_SYNTAX, "trigger %llu is one of oneshot, multishot and barrier",
                (unsigned long long)trigger->id);
  if (given[COUNT] != given[MATRIX_BARRIER])
    return fail(reader, SGF_SYNTAX, given[COUNT] ? "only a barrier has a count" : "a barrier needs a count");
  return SGF_OK;
}

static sgf_status_t add_trigger(reader_t* reader, const matrix_trigger_t* trigger)
{
  sgf_matrix_t* matrix = reader->matrix;
  if (matrix->trigger_count == reader->counts[TRIGGERS]) {
    if (reader->count_lines[TRIGGERS] == 0)
      return fail(reader, SGF_SYNTAX, "a trigger, and no line \"Triggers K\" before it");
    return fail(reader, SGF_RANGE, "one trigger more than the %llu of line %d",
                (unsigned long long)reader->counts[TRIGGERS], reader->count_lines[TRIGGERS]);
  }
  matrix->triggers = grown(matrix->triggers, matrix->trigger_count, &reader->trigger_room, sizeof *matrix->triggers);
  matrix->triggers[matrix->trigger_count++] = *trigger;
  return SGF_OK;
}

static sgf_status_t read_trigger(reader_t* reader)
{
  bool given[TRIGGER_WORDS] = {false};
  matrix_trigger_t trigger  = {.line = reader->line};
  sgf_status_t status       = SGF_OK;
  for (char* word; status == SGF_OK && (word = next_word(reader)) != NULL;) {
    const size_t i = find(word, trigger_words, TRIGGER_WORDS);
    if (i == TRIGGER_WORDS)
      return refuse_word(reader, word, trigger_words, TRIGGER_WORDS);
    if (given[i])
      return fail(reader, SGF_SYNTAX, "%s is said twice", word);
    given[i] = true;
    if (i < KINDS)
      trigger.kind = (matrix_kind_t)i;
    else
      status =
          read_number(reader, word, next_word(reader), 1, UINT64_MAX, i == TRIGGER_ID ? &trigger.id : &trigger.count);
  }
  if (status == SGF_OK)
    status = settle_kind(reader, given, &trigger);
  return status == SGF_OK ? add_trigger(reader, &trigger) : status;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

static sgf_status_t read_count(reader_t* reader, size_t which)
{
  const char* name = count_names[which];
  if (reader->count_lines[which] != 0)
    return fail(reader, SGF_SYNTAX, "%s is said twice, first in line %d", name, reader->count_lines[which]);
  if (reader->matrix->connection_count + reader->matrix->trigger_count > 0)
    return fail(reader, SGF_SYNTAX, "%s comes before connections and triggers", name);
  const sgf_status_t status =
      read_number(reader, name, next_word(reader), which == NODES ? 1 : 0, SIZE_MAX, &reader->counts[which]);
  const char* more = status == SGF_OK ? next_word(reader) : NULL;
  if (more != NULL)
    return fail(reader, SGF_SYNTAX, "%s is followed by one number, and not by \"%.64s\" too", name, more);
  reader->count_lines[which] = reader->line;
  if (which == NODES) {
    reader->matrix->nodes      = (size_t)reader->counts[NODES];
    reader->matrix->nodes_line = reader->line;
  }
  return status;
}

/* The first line of traffic ends the header. */
static sgf_status_t check_header(const reader_t* reader)
{
  for (size_t i = NODES; i <= CONNECTIONS; i++)
    if (reader->count_lines[i] == 0)
      return fail(reader, SGF_SYNTAX, "the header has no line \"%s %c\"", count_names[i], "NM"[i]);
  return SGF_OK;
}

/* Links of htsim's fabric that are down; here all of them are up. */
static sgf_status_t read_failures(reader_t* reader, const char* word)
{
  const char* count = next_word(reader);
  if (strcmp(word, "Failures") == 0 && count != NULL && strcmp(count, "0") == 0)
    return SGF_OK;
  return fail(reader, SGF_UNKNOWN, "%s: failures of links are not supported", word);
}

static sgf_status_t read_line(reader_t* reader, char* line)
{
  static const char* const words[] = {"Nodes", "Connections", "Triggers", "trigger", "Failures", "failure"};
  enum { TRIGGER_LINE = COUNTS, FAILURES, FAILURE, WORDS };
  reader->rest = line;
  char* word   = next_word(reader);
  if (word == NULL || word[0] == '#')
    return SGF_OK;
  const size_t kind = find(word, words, WORDS);
  if (kind < COUNTS)
    return read_count(reader, kind);
  if (kind == FAILURES || kind == FAILURE)
    return read_failures(reader, word);
  char* arrow = strstr(word, "->");
  if (kind == WORDS && arrow == NULL && word[0] >= '0' && word[0] <= '9')
    return fail(reader, SGF_SYNTAX, "a connection begins with \"src->dst\" and not with \"%.64s\"", word);
  if (kind == WORDS && arrow == NULL)
    return refuse_word(reader, word, words, WORDS);
  const sgf_status_t status = check_header(reader);
  if (status != SGF_OK)
    return status;
  return kind == TRIGGER_LINE ? read_trigger(reader) : read_connection(reader, word, arrow);
}

static sgf_status_t check_count(const reader_t* reader, size_t which, size_t found)
{
  if (found == reader->counts[which])
    return SGF_OK;
  return matrix_fail(reader->matrix, reader->count_lines[which], reader->error, SGF_RANGE, "%s %llu, and there are %zu",
                     count_names[which], (unsigned long long)reader->counts[which], found);
}

static sgf_status_t read_lines(reader_t* reader, char* text, size_t length)
{
  sgf_status_t status = SGF_OK;
  char* end           = text + length;
  for (char* line = text; line < end && status == SGF_OK;) {
    char* line_end = memchr(line, '\n', (size_t)(end - line));
    line_end       = line_end != NULL ? line_end : end;
    *line_end      = '\0';
    reader->line++;
    status = strlen(line) == (size_t)(line_end - line) ? read_line(reader, line)
                                                       : fail(reader, SGF_SYNTAX, "a byte of value 0: this is no text");
    line   = line_end + 1;
  }
  reader->line += reader->line == 0;
  if (status == SGF_OK)
    status = check_header(reader);
  if (status == SGF_OK)
    status = check_count(reader, CONNECTIONS, reader->matrix->connection_count);
  return status == SGF_OK ? check_count(reader, TRIGGERS, reader->matrix->trigger_count) : status;
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

sgf_matrix_t* matrix_parse(const char* file, char* text, size_t length, sgf_error_t* error)
{
  sgf_matrix_t* matrix = sgf_calloc(1, sizeof *matrix);
  matrix->file         = sgf_strdup(file);
  reader_t reader      = {.matrix = matrix, .error = error};
  sgf_status_t status  = read_lines(&reader, text, length);
  if (status == SGF_OK)
    status = matrix_link(matrix, error);
  if (status == SGF_OK)
    return matrix;
  sgf_matrix_free(matrix);
  return NULL;
}

sgf_matrix_t* sgf_matrix_read(const char* file, sgf_error_t* error)
{
  FILE* in      = fopen(file, "r");
  size_t length = 0;
  char* text    = in != NULL ? sgf_read_stream(in, SIZE_MAX, &length) : NULL;
  if (text == NULL) {
    sgf_error_set(error, SGF_IO, "%s", strerror(errno));
    sgf_error_place(error, file, 0);
  }
  if (in != NULL)
    fclose(in);
  sgf_matrix_t* matrix = text != NULL ? matrix_parse(file, text, length, error) : NULL;
  free(text);
  return matrix;
}

void sgf_matrix_free(sgf_matrix_t* matrix)
{
  if (matrix == NULL)
    return;
  for (size_t i = 0; i < matrix->warning_count; i++)
    free(matrix->warnings[i]);
  free(matrix->file);
  free(matrix->connections);
  free(matrix->links);
  free(matrix->triggers);
  free(matrix->targets);
  free(matrix);
}

size_t sgf_matrix_node_count(const sgf_matrix_t* matrix)
{
  return matrix->nodes;
}

size_t sgf_matrix_connection_count(const sgf_matrix_t* matrix)
{
  return matrix->connection_count;
}

const sgf_connection_t* sgf_matrix_connection(const sgf_matrix_t* matrix, size_t i)
{
  return &matrix->connections[i];
}

size_t sgf_matrix_warning_count(const sgf_matrix_t* matrix)
{
  return matrix->warning_count;
}

const char* sgf_matrix_warning(const sgf_matrix_t* matrix, size_t i)
{
  return matrix->warnings[i];
}
