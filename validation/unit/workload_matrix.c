/* Connection matrices as files: what is read, what is refused with which line and words, damaged files. */
#include "harness.h"

#include <sgfabric/workload.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/matrix.h"

#define FILE_NAME SGF_BINARY_DIR "/validation/unit/workload_matrix.cm"

static sgf_matrix_t* read_bytes(const char* text, size_t length, sgf_error_t* error)
{
  FILE* file = fopen(FILE_NAME, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_EQUAL(fwrite(text, 1, length, file), length);
  CU_ASSERT_EQUAL(fclose(file), 0);
  return sgf_matrix_read(FILE_NAME, error);
}

static sgf_matrix_t* read_text(const char* text)
{
  sgf_error_t error    = {0};
  sgf_matrix_t* matrix = read_bytes(text, strlen(text), &error);
  if (matrix == NULL)
    printf("\n%s:%d: %s", error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(matrix);
  CU_ASSERT_EQUAL(error.status, SGF_OK);
  return matrix;
}

/* Refused, at that line, for a reason that has `word` in it. */
static void refuse(const char* text, sgf_status_t status, int line, const char* word)
{
  sgf_error_t error    = {0};
  sgf_matrix_t* matrix = read_bytes(text, strlen(text), &error);
  CU_ASSERT_PTR_NULL(matrix);
  CU_ASSERT_EQUAL(error.status, status);
  CU_ASSERT_STRING_EQUAL(error.file, FILE_NAME);
  CU_ASSERT_EQUAL(error.line, line);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, word));
  if (error.status != status || error.line != line || strstr(error.text, word) == NULL)
    printf("\n%s:%d: status %d, %s, and not line %d, \"%s\"", error.file, error.line, (int)error.status, error.text,
           line, word);
  sgf_matrix_free(matrix);
}

/* ---- What is read ------------------------------------------------------------------------------------------------ */

/* Everything that the format has. */
static const char sample[] = "# a comment\n"
                             "Nodes 4\n"
                             "Connections 5\n"
                             "\n"
                             "Triggers 3\n"
                             "0->1 id 1 start 1000 size 4096 send_done_trigger 9 prio 3\n"
                             "1->2 id 2 trigger 9 size 1 recv_done_trigger 4 prio 0\n"
                             "  2->3\ttrigger 4 size 2000000 id 77 send_done_trigger 5 \r\n"
                             "# between\n"
                             "3->3 size 6 send_done_trigger 5\n"
                             "0->2 trigger 5 size 7\n"
                             "trigger id 9 oneshot\n"
                             "trigger barrier count 2 id 5\n"
                             "trigger multishot id 4";

SGF_TEST(all_that_a_matrix_says_is_read)
{
  static const sgf_connection_t expected[] = {
      {.src = 0, .dst = 1, .bytes = 4096, .start = 1000, .id = 1, .send_done_trigger = 9, .priority = 3, .line = 6},
      {.src = 1, .dst = 2, .bytes = 1, .start = -1, .id = 2, .trigger = 9, .recv_done_trigger = 4, .line = 7},
      {.src = 2, .dst = 3, .bytes = 2000000, .start = -1, .id = 77, .trigger = 4, .send_done_trigger = 5, .line = 8},
      {.src = 3, .dst = 3, .bytes = 6, .start = 0, .send_done_trigger = 5, .line = 10},
      {.src = 0, .dst = 2, .bytes = 7, .start = -1, .trigger = 5, .line = 11}};
  sgf_matrix_t* matrix = read_text(sample);
  CU_ASSERT_EQUAL(sgf_matrix_node_count(matrix), 4);
  CU_ASSERT_EQUAL_FATAL(sgf_matrix_connection_count(matrix), sizeof expected / sizeof *expected);
  for (size_t i = 0; i < sgf_matrix_connection_count(matrix); i++) {
    const sgf_connection_t* connection = sgf_matrix_connection(matrix, i);
    CU_ASSERT_EQUAL(connection->src, expected[i].src);
    CU_ASSERT_EQUAL(connection->dst, expected[i].dst);
    CU_ASSERT_EQUAL(connection->bytes, expected[i].bytes);
    CU_ASSERT_EQUAL(connection->start, expected[i].start);
    CU_ASSERT_EQUAL(connection->id, expected[i].id);
    CU_ASSERT_EQUAL(connection->trigger, expected[i].trigger);
    CU_ASSERT_EQUAL(connection->send_done_trigger, expected[i].send_done_trigger);
    CU_ASSERT_EQUAL(connection->recv_done_trigger, expected[i].recv_done_trigger);
    CU_ASSERT_EQUAL(connection->priority, expected[i].priority);
    CU_ASSERT_EQUAL(connection->line, expected[i].line);
  }
  sgf_matrix_free(matrix);
}

SGF_TEST(what_has_no_effect_is_warned_of_once)
{
  sgf_matrix_t* matrix = read_text(sample);
  CU_ASSERT_EQUAL_FATAL(sgf_matrix_warning_count(matrix), 1);
  CU_ASSERT_STRING_EQUAL(sgf_matrix_warning(matrix, 0),
                         FILE_NAME ":6: prio has no effect: messages have no class of their own (and in 1 more lines)");
  sgf_matrix_free(matrix);

  matrix = read_text("Nodes 2\nConnections 1\nTriggers 2\n0->1 size 1 send_done_trigger 3\n"
                     "trigger id 8 oneshot\ntrigger id 3 oneshot\n");
  CU_ASSERT_EQUAL_FATAL(sgf_matrix_warning_count(matrix), 1);
  CU_ASSERT_STRING_EQUAL(sgf_matrix_warning(matrix, 0),
                         FILE_NAME ":5: this trigger starts no connection (and in 1 more lines)");
  sgf_matrix_free(matrix);

  matrix = read_text("Nodes 2\nConnections 1\n0->1 size 1\n");
  CU_ASSERT_EQUAL(sgf_matrix_warning_count(matrix), 0);
  sgf_matrix_free(matrix);
}

SGF_TEST(a_matrix_may_be_empty)
{
  sgf_matrix_t* matrix = read_text("Connections 0\nNodes 1\nFailures 0\n");
  CU_ASSERT_EQUAL(sgf_matrix_connection_count(matrix), 0);
  sgf_matrix_free(matrix);
}

SGF_TEST(a_file_that_cannot_be_read_is_refused)
{
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(sgf_matrix_read("no/such/file.cm", &error));
  CU_ASSERT_EQUAL(error.status, SGF_IO);
  CU_ASSERT_STRING_EQUAL(error.file, "no/such/file.cm");
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "No such file"));
  error = (sgf_error_t){0};
  CU_ASSERT_PTR_NULL(sgf_matrix_read(SGF_BINARY_DIR, &error));
  CU_ASSERT_EQUAL(error.status, SGF_IO);
  CU_ASSERT_PTR_NULL(sgf_matrix_read(SGF_BINARY_DIR, NULL));
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

#define HEAD "Nodes 3\nConnections 2\nTriggers 2\n"

SGF_TEST(the_header_comes_first_and_whole)
{
  refuse("", SGF_SYNTAX, 1, "\"Nodes N\"");
  refuse("\n\n", SGF_SYNTAX, 2, "\"Nodes N\"");
  refuse("Connections 1\n0->1 size 1\n", SGF_SYNTAX, 2, "\"Nodes N\"");
  refuse("Nodes 2\n0->1 size 1\n", SGF_SYNTAX, 2, "\"Connections M\"");
  refuse("Nodes 2\nNodes 2\n", SGF_SYNTAX, 2, "first in line 1");
  refuse("Nodes 2\nConnections 1\n0->1 size 1\nTriggers 0\n", SGF_SYNTAX, 4, "before connections");
  refuse("Nodes\n", SGF_SYNTAX, 1, "Nodes needs a number");
  refuse("Nodes 0\n", SGF_RANGE, 1, "Nodes 0");
  refuse("Nodes two\n", SGF_SYNTAX, 1, "two");
  refuse("Nodes -2\n", SGF_RANGE, 1, "-2");
  refuse("Nodes 2 Connections 1\n", SGF_SYNTAX, 1, "Connections");
}

SGF_TEST(unknown_words_are_refused_with_the_nearest)
{
  refuse("nodes 2\n", SGF_UNKNOWN, 1, "\"nodes\"; did you mean Nodes?");
  refuse(HEAD "0->1 sise 1\n", SGF_UNKNOWN, 4, "\"sise\"; did you mean size?");
  refuse(HEAD "0->1 size 1 send_done_triger 1\n", SGF_UNKNOWN, 4, "did you mean send_done_trigger?");
  refuse(HEAD "\ntriger id 1 oneshot\n", SGF_UNKNOWN, 5, "did you mean trigger?");
  refuse(HEAD "trigger id 1 onshot\n", SGF_UNKNOWN, 4, "did you mean oneshot?");
  refuse(HEAD "trigger id 1 start 1\n", SGF_UNKNOWN, 4, "\"start\"");
  refuse(HEAD "0 -> 1 size 1\n", SGF_SYNTAX, 4, "src->dst");
}

SGF_TEST(what_is_not_supported_is_refused)
{
  refuse(HEAD "0->1 size 1 addon\n", SGF_UNKNOWN, 4, "addon is not supported");
  refuse("Nodes 2\nConnections 0\nFailures 1\n", SGF_UNKNOWN, 3, "failures of links are not supported");
  refuse(HEAD "failure switch_type TOR switch_id 0 link_id 1\n", SGF_UNKNOWN, 4, "failures of links are not supported");
  refuse(HEAD "0->1 start 5\n", SGF_SYNTAX, 4, "without end");
  refuse(HEAD "0->1 size 0\n", SGF_RANGE, 4, "without end");
}

SGF_TEST(nodes_and_numbers_are_within_bounds)
{
  refuse(HEAD "0->3 size 1\n", SGF_RANGE, 4, "no node 3");
  refuse(HEAD "3->0 size 1\n", SGF_RANGE, 4, "no node 3");
  refuse(HEAD "->0 size 1\n", SGF_SYNTAX, 4, "node");
  refuse(HEAD "0-> size 1\n", SGF_SYNTAX, 4, "node");
  refuse(HEAD "0->1->2 size 1\n", SGF_SYNTAX, 4, "1->2");
  refuse(HEAD "0->1 size\n", SGF_SYNTAX, 4, "size needs a number");
  refuse(HEAD "0->1 size 1.5\n", SGF_SYNTAX, 4, "1.5");
  refuse(HEAD "0->1 size 144115188075855872\n", SGF_RANGE, 4, "size"); /* SGF_LARGEST_WRITE is one less */
  refuse(HEAD "0->1 size 1 start 4611686018427387904\n", SGF_RANGE, 4, "start");
  refuse(HEAD "0->1 size 1 start 99999999999999999999\n", SGF_RANGE, 4, "start");
  refuse(HEAD "0->1 size 1 id 0\n", SGF_RANGE, 4, "id 0");
  refuse(HEAD "0->1 size 1 trigger 0\n", SGF_RANGE, 4, "trigger 0");
  refuse(HEAD "0->1 size 1 size 2\n", SGF_SYNTAX, 4, "size is said twice");
  refuse(HEAD "0->1 size 1 start 0 trigger 1\n", SGF_SYNTAX, 4, "start and trigger");
}

SGF_TEST(counts_match)
{
  refuse(HEAD "0->1 size 1\n0->1 size 1\n\n0->1 size 1\n", SGF_RANGE, 7, "more than the 2 of line 2");
  refuse(HEAD "0->1 size 1\n", SGF_RANGE, 2, "Connections 2, and there are 1");
  refuse(HEAD "0->1 size 1\n0->1 size 1\ntrigger id 1 oneshot\n", SGF_RANGE, 3, "Triggers 2, and there are 1");
  refuse(HEAD "trigger id 1 oneshot\ntrigger id 2 oneshot\ntrigger id 3 oneshot\n", SGF_RANGE, 6,
         "more than the 2 of line 3");
  refuse("Nodes 2\nConnections 0\ntrigger id 1 oneshot\n", SGF_SYNTAX, 3, "\"Triggers K\"");
  refuse("Nodes 2\nConnections 18446744073709551615\n", SGF_RANGE, 2, "there are 0");
}

SGF_TEST(triggers_are_whole_and_known)
{
#define TWO "0->1 size 1 send_done_trigger 1 id 5\n1->2 size 1 trigger 1\n"
  refuse(HEAD TWO "trigger oneshot\n", SGF_SYNTAX, 6, "needs an id");
  refuse(HEAD TWO "trigger id 1\n", SGF_SYNTAX, 6, "one of oneshot, multishot and barrier");
  refuse(HEAD TWO "trigger id 1 oneshot barrier count 1\n", SGF_SYNTAX, 6, "one of oneshot, multishot and barrier");
  refuse(HEAD TWO "trigger id 1 barrier\n", SGF_SYNTAX, 6, "a barrier needs a count");
  refuse(HEAD TWO "trigger id 1 barrier count 0\n", SGF_RANGE, 6, "count 0");
  refuse(HEAD TWO "trigger id 1 oneshot count 2\n", SGF_SYNTAX, 6, "only a barrier has a count");
  refuse(HEAD TWO "trigger id 1 id 1 oneshot\n", SGF_SYNTAX, 6, "id is said twice");
  refuse(HEAD TWO "trigger id 1 oneshot\ntrigger id 1 multishot\n", SGF_AMBIGUOUS, 7, "that of line 6");
  refuse(HEAD TWO "trigger id 2 oneshot\ntrigger id 3 oneshot\n", SGF_UNKNOWN, 4, "send_done_trigger 1");
  refuse("Nodes 2\nConnections 1\n0->1 size 1 recv_done_trigger 6\n", SGF_UNKNOWN, 3, "recv_done_trigger 6");
  refuse("Nodes 2\nConnections 1\n0->1 size 1 trigger 6\n", SGF_UNKNOWN, 3, "trigger 6");
  refuse("Nodes 2\nConnections 2\n0->1 id 4 size 1\n1->0 size 1 id 4\n", SGF_AMBIGUOUS, 4, "id 4 is that of line 3");
#undef TWO
}

SGF_TEST(a_connection_that_would_never_start_is_refused)
{
  refuse("Nodes 2\nConnections 1\nTriggers 1\n0->1 size 1 trigger 1\ntrigger id 1 oneshot\n", SGF_RULE, 4,
         "0->1 never starts: trigger 1 of line 5 is activated 0 times");
  /* it waits for itself, through another one */
  refuse("Nodes 2\nConnections 2\nTriggers 2\n0->1 size 1 trigger 1 send_done_trigger 2\n"
         "1->0 size 1 trigger 2 recv_done_trigger 1\ntrigger id 1 oneshot\ntrigger id 2 oneshot\n",
         SGF_RULE, 4, "0 times");
  /* one activation, and two are needed */
  refuse("Nodes 2\nConnections 2\nTriggers 1\n0->1 size 1 send_done_trigger 1\n1->0 size 1 trigger 1\n"
         "trigger id 1 barrier count 2\n",
         SGF_RULE, 5, "activated 1 time,");
  refuse("Nodes 2\nConnections 3\nTriggers 1\n0->1 size 1 send_done_trigger 1\n1->0 size 1 trigger 1\n"
         "1->1 size 1 trigger 1\ntrigger id 1 multishot\n",
         SGF_RULE, 6, "1->1 never starts");
}

/* What it starts activates it again. */
SGF_TEST(a_multishot_may_start_what_activates_it)
{
  sgf_matrix_free(read_text("Nodes 2\nConnections 3\nTriggers 1\n0->1 size 1 send_done_trigger 1\n"
                            "0->1 size 1 trigger 1 send_done_trigger 1\n0->1 size 1 trigger 1 send_done_trigger 1\n"
                            "trigger id 1 multishot\n"));
}

/* ---- Damaged files ----------------------------------------------------------------------------------------------- */

/* Whether it can be used; if not, that the error is complete and on one line. */
static bool is_accepted(const char* text, size_t size)
{
  sgf_error_t error = {0};
  char* copy        = malloc(size + 1); /* no byte more, so that the sanitizers see what is read behind it */
  CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
  memcpy(copy, text, size);
  copy[size]             = '\0';
  sgf_matrix_t* matrix   = matrix_parse(FILE_NAME, copy, size, &error);
  const bool is_complete = error.status != SGF_OK && error.text[0] != '\0' && strchr(error.text, '\n') == NULL &&
                           strcmp(error.file, FILE_NAME) == 0 && error.line > 0;
  if ((matrix != NULL) == is_complete || (matrix != NULL && error.status != SGF_OK)) {
    CU_FAIL("an error without place or reason");
    printf("\n  %zu bytes: status %d, %s:%d: %s\n", size, (int)error.status, error.file, error.line, error.text);
  }
  const bool accepted = matrix != NULL;
  for (size_t i = 0; accepted && i < sgf_matrix_connection_count(matrix); i++)
    CU_ASSERT(sgf_matrix_connection(matrix, i)->src < sgf_matrix_node_count(matrix) &&
              sgf_matrix_connection(matrix, i)->dst < sgf_matrix_node_count(matrix));
  sgf_matrix_free(matrix);
  free(copy);
  return accepted;
}

SGF_TEST(a_file_cut_at_any_byte_is_accepted_or_refused)
{
  const size_t size = sizeof sample - 1;
  CU_ASSERT_TRUE(is_accepted(sample, size));
  for (size_t cut = 0; cut < size; cut++)
    CU_ASSERT_FALSE(is_accepted(sample, cut)); /* the last line ends without a newline: each byte counts */
}

SGF_TEST(a_file_with_any_byte_replaced_or_left_out_is_accepted_or_refused)
{
  static const char replacements[] = {'\0', ' ', '-', '>', '\n', '9', '0', '#', 'x', (char)0xff};
  const size_t size                = sizeof sample - 1;
  size_t refused                   = 0;
  char text[sizeof sample];
  for (size_t at = 0; at < size; at++) {
    for (size_t i = 0; i < sizeof replacements; i++) {
      memcpy(text, sample, sizeof text);
      text[at] = replacements[i];
      refused += !is_accepted(text, size);
    }
    memcpy(text, sample, at);
    memcpy(text + at, sample + at + 1, size - at);
    refused += !is_accepted(text, size - 1);
  }
  CU_ASSERT_TRUE(refused > size);
}

/* xorshift64* */
static size_t draw(uint64_t* state, size_t below)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (size_t)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % below;
}

/* Copy a piece of the text over another one, so that words meet where they do not belong. */
static void mutate(char* text, size_t size, uint64_t* state)
{
  const size_t length = 1 + draw(state, 24);
  const size_t from   = draw(state, size - length);
  const size_t to     = draw(state, size - length);
  memmove(text + to, text + from, length);
}

SGF_TEST(a_file_with_pieces_at_random_places_is_accepted_or_refused)
{
  enum { ROUNDS = 20000, LARGEST_CHANGE = 4 };
  uint64_t state  = 20231;
  size_t accepted = 0;
  char text[sizeof sample];
  for (size_t round = 0; round < ROUNDS; round++) {
    memcpy(text, sample, sizeof text);
    for (size_t change = 0; change <= round % LARGEST_CHANGE; change++)
      mutate(text, sizeof sample - 1, &state);
    accepted += is_accepted(text, sizeof sample - 1);
  }
  CU_ASSERT(accepted > 0 && accepted < ROUNDS / 2);
}

/* ---- What is written --------------------------------------------------------------------------------------------- */

static sgf_matrix_t* written(const sgf_messages_t* list, size_t nodes, size_t at_a_time)
{
  FILE* out = fopen(FILE_NAME, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  sgf_matrix_print(list, nodes, at_a_time, out);
  fclose(out);
  sgf_error_t error    = {0};
  sgf_matrix_t* matrix = sgf_matrix_read(FILE_NAME, &error);
  CU_ASSERT_STRING_EQUAL(error.text, "");
  CU_ASSERT_PTR_NOT_NULL_FATAL(matrix);
  CU_ASSERT_EQUAL(sgf_matrix_node_count(matrix), nodes);
  CU_ASSERT_EQUAL_FATAL(sgf_matrix_connection_count(matrix), list->count);
  CU_ASSERT_EQUAL(sgf_matrix_warning_count(matrix), 0);
  for (size_t i = 0; i < list->count; i++) {
    const sgf_connection_t* connection = sgf_matrix_connection(matrix, i);
    CU_ASSERT_EQUAL(connection->src, list->items[i].src);
    CU_ASSERT_EQUAL(connection->dst, list->items[i].dst);
    CU_ASSERT_EQUAL(connection->bytes, list->items[i].bytes);
    CU_ASSERT_EQUAL(connection->id, i + 1);
  }
  return matrix;
}

SGF_TEST(a_list_that_is_written_is_read_as_it_was)
{
  enum { NODES = 7, BYTES = 5000 };
  sgf_messages_t list = {0};
  sgf_workload_incast(&list, NODES, 0, BYTES);
  sgf_matrix_t* matrix = written(&list, NODES + 2, 0);
  for (size_t i = 0; i < list.count; i++)
    CU_ASSERT_EQUAL(sgf_matrix_connection(matrix, i)->start, 0);
  sgf_matrix_free(matrix);
  sgf_messages_free(&list);

  sgf_workload_all_to_all(&list, NODES, BYTES);
  for (size_t at_a_time = 1; at_a_time <= NODES; at_a_time++) {
    matrix = written(&list, NODES, at_a_time);
    for (size_t i = 0; i < list.count; i++) {
      const size_t turn                  = i % (NODES - 1);
      const sgf_connection_t* connection = sgf_matrix_connection(matrix, i);
      CU_ASSERT_EQUAL(connection->start, turn < at_a_time ? 0 : -1);
      CU_ASSERT_EQUAL(connection->trigger, turn < at_a_time ? 0 : connection->src + 1);
      CU_ASSERT_EQUAL(connection->send_done_trigger, turn + at_a_time < NODES - 1 ? connection->src + 1 : 0);
      CU_ASSERT_EQUAL(connection->recv_done_trigger, 0);
    }
    sgf_matrix_free(matrix);
  }
  sgf_messages_free(&list);
}
