/* What the numbers of triggers and connections refer to, and that every connection starts some day: a matrix that
 * could not end is refused before any traffic. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "workload/matrix.h"

sgf_status_t matrix_fail(const sgf_matrix_t* matrix, int line, sgf_error_t* error, sgf_status_t status,
                         const char* format, ...)
{
  char text[sizeof error->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sgf_error_set(error, status, "%s", text);
  sgf_error_place(error, matrix->file, line);
  return status;
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static int compare_triggers(const void* a, const void* b)
{
  const matrix_trigger_t* left  = a;
  const matrix_trigger_t* right = b;
  if (left->id != right->id)
    return left->id < right->id ? -1 : 1;
  return left->line < right->line ? -1 : left->line > right->line;
}

static sgf_status_t sort_triggers(sgf_matrix_t* matrix, sgf_error_t* error)
{
  matrix_trigger_t* triggers = matrix->triggers;
  if (matrix->trigger_count > 1)
    qsort(triggers, matrix->trigger_count, sizeof *triggers, compare_triggers);
  for (size_t i = 1; i < matrix->trigger_count; i++)
    if (triggers[i].id == triggers[i - 1].id)
      return matrix_fail(matrix, triggers[i].line, error, SGF_AMBIGUOUS, "trigger %llu is that of line %d already",
                         (unsigned long long)triggers[i].id, triggers[i - 1].line);
  return SGF_OK;
}

static int compare_connections(const void* a, const void* b)
{
  const sgf_connection_t* left  = *(sgf_connection_t* const*)a;
  const sgf_connection_t* right = *(sgf_connection_t* const*)b;
  if (left->id != right->id)
    return left->id < right->id ? -1 : 1;
  return left->line < right->line ? -1 : left->line > right->line;
}

/* Of several ids that are taken, the error names one; nothing else is made of ids. */
static sgf_status_t check_ids(const sgf_matrix_t* matrix, sgf_error_t* error)
{
  const size_t count        = matrix->connection_count;
  sgf_connection_t** sorted = sgf_calloc(count, sizeof *sorted);
  sgf_status_t status       = SGF_OK;
  for (size_t i = 0; i < count; i++)
    sorted[i] = &matrix->connections[i];
  if (count > 1)
    qsort(sorted, count, sizeof *sorted, compare_connections);
  for (size_t i = 1; i < count && status == SGF_OK; i++)
    if (sorted[i]->id != 0 && sorted[i]->id == sorted[i - 1]->id)
      status = matrix_fail(matrix, sorted[i]->line, error, SGF_AMBIGUOUS, "id %llu is that of line %d already",
                           (unsigned long long)sorted[i]->id, sorted[i - 1]->line);
  free(sorted);
  return status;
}

/* The index of a trigger; MATRIX_NONE: id 0, or there is none. */
static size_t find_trigger(const sgf_matrix_t* matrix, uint64_t id)
{
  size_t first = 0, last = matrix->trigger_count;
  while (first < last) {
    const size_t middle = first + (last - first) / 2;
    if (matrix->triggers[middle].id < id)
      first = middle + 1;
    else
      last = middle;
  }
  return first < matrix->trigger_count && matrix->triggers[first].id == id ? first : MATRIX_NONE;
}

static sgf_status_t link_to(const sgf_matrix_t* matrix, const sgf_connection_t* connection, const char* word,
                            uint64_t id, size_t* trigger, sgf_error_t* error)
{
  *trigger = find_trigger(matrix, id);
  if (id == 0 || *trigger != MATRIX_NONE)
    return SGF_OK;
  return matrix_fail(matrix, connection->line, error, SGF_UNKNOWN, "%s %llu: no line \"trigger id %llu\" describes it",
                     word, (unsigned long long)id, (unsigned long long)id);
}

static sgf_status_t link_connections(sgf_matrix_t* matrix, sgf_error_t* error)
{
  sgf_status_t status = SGF_OK;
  matrix->links       = sgf_calloc(matrix->connection_count, sizeof *matrix->links);
  for (size_t i = 0; i < matrix->connection_count && status == SGF_OK; i++) {
    const sgf_connection_t* connection = &matrix->connections[i];
    matrix_links_t* links              = &matrix->links[i];
    status = link_to(matrix, connection, "trigger", connection->trigger, &links->started_by, error);
    if (status == SGF_OK)
      status =
          link_to(matrix, connection, "send_done_trigger", connection->send_done_trigger, &links->send_done, error);
    if (status == SGF_OK)
      status =
          link_to(matrix, connection, "recv_done_trigger", connection->recv_done_trigger, &links->recv_done, error);
  }
  return status;
}

/* The targets of each trigger, side by side. */
static void list_targets(sgf_matrix_t* matrix)
{
  size_t total = 0;
  for (size_t i = 0; i < matrix->connection_count; i++)
    if (matrix->links[i].started_by != MATRIX_NONE)
      matrix->triggers[matrix->links[i].started_by].target_count++;
  for (size_t i = 0; i < matrix->trigger_count; i++) {
    matrix->triggers[i].first_target = total;
    total += matrix->triggers[i].target_count;
    matrix->triggers[i].target_count = 0; /* counted again below */
  }
  matrix->targets = sgf_calloc(total, sizeof *matrix->targets);
  for (size_t i = 0; i < matrix->connection_count; i++)
    if (matrix->links[i].started_by != MATRIX_NONE) {
      matrix_trigger_t* trigger                                        = &matrix->triggers[matrix->links[i].started_by];
      matrix->targets[trigger->first_target + trigger->target_count++] = i;
    }
}

/* ---- Activations ------------------------------------------------------------------------------------------------- */

matrix_started_t matrix_activate(const sgf_matrix_t* matrix, uint64_t* activations, size_t trigger)
{
  const matrix_trigger_t* fired  = &matrix->triggers[trigger];
  const size_t* targets          = matrix->targets + fired->first_target;
  const uint64_t number          = ++activations[trigger];
  const matrix_started_t all     = {targets, fired->target_count};
  const matrix_started_t nothing = {targets, 0};
  switch (fired->kind) {
    case MATRIX_ONESHOT:
      return number == 1 ? all : nothing;
    case MATRIX_MULTISHOT:
      return number <= fired->target_count ? (matrix_started_t){targets + (number - 1), 1} : nothing;
    default: /* MATRIX_BARRIER */
      return number == fired->count ? all : nothing;
  }
}

static sgf_status_t refuse_waiting(const sgf_matrix_t* matrix, const uint64_t* activations, size_t waiting,
                                   sgf_error_t* error)
{
  const sgf_connection_t* connection = &matrix->connections[waiting];
  const size_t trigger               = matrix->links[waiting].started_by;
  const uint64_t times               = activations[trigger];
  return matrix_fail(matrix, connection->line, error, SGF_RULE,
                     "%zu->%zu never starts: trigger %llu of line %d is activated %llu time%s, which is too few",
                     connection->src, connection->dst, (unsigned long long)connection->trigger,
                     matrix->triggers[trigger].line, (unsigned long long)times, times == 1 ? "" : "s");
}

/* Let everything that can start end. More activations never start less, so that the order does not matter. */
static sgf_status_t check_all_start(const sgf_matrix_t* matrix, sgf_error_t* error)
{
  const size_t count    = matrix->connection_count;
  uint64_t* activations = sgf_calloc(matrix->trigger_count, sizeof *activations);
  size_t* started       = sgf_calloc(count, sizeof *started); /* in any order; those behind `ended` run */
  bool* has_started     = sgf_calloc(count, sizeof *has_started);
  size_t running        = 0;
  for (size_t i = 0; i < count; i++)
    if (matrix->links[i].started_by == MATRIX_NONE)
      started[running++] = i;
  for (size_t ended = 0; ended < running; ended++) {
    const matrix_links_t* links = &matrix->links[started[ended]];
    const size_t fired[]        = {links->send_done, links->recv_done};
    has_started[started[ended]] = true;
    for (size_t i = 0; i < sizeof fired / sizeof *fired; i++) {
      if (fired[i] == MATRIX_NONE)
        continue;
      const matrix_started_t more = matrix_activate(matrix, activations, fired[i]);
      for (size_t j = 0; j < more.count; j++)
        started[running++] = more.first[j];
    }
  }
  sgf_status_t status = SGF_OK;
  for (size_t i = 0; i < count && status == SGF_OK; i++)
    if (!has_started[i])
      status = refuse_waiting(matrix, activations, i, error);
  free(activations);
  free(started);
  free(has_started);
  return status;
}

/* ---- Warnings ---------------------------------------------------------------------------------------------------- */

/* Of several lines with the same effect, namely none, the first one is named. */
static void warn(sgf_matrix_t* matrix, int line, size_t lines, const char* text)
{
  if (lines == 0)
    return;
  char more[48] = "";
  if (lines > 1)
    snprintf(more, sizeof more, " (and in %zu more lines)", lines - 1);
  const size_t size = strlen(matrix->file) + strlen(text) + sizeof more + 16;
  char* warning     = sgf_calloc(size, 1);
  snprintf(warning, size, "%s:%d: %s%s", matrix->file, line, text, more);
  matrix->warnings[matrix->warning_count++] = warning;
}

static void note_warnings(sgf_matrix_t* matrix)
{
  size_t idle    = 0;
  int first_idle = 0;
  for (size_t i = 0; i < matrix->trigger_count; i++)
    if (matrix->triggers[i].target_count == 0 && (idle++ == 0 || matrix->triggers[i].line < first_idle))
      first_idle = matrix->triggers[i].line;
  warn(matrix, matrix->first_priority, matrix->priorities, "prio has no effect: messages have no class of their own");
  warn(matrix, first_idle, idle, "this trigger starts no connection");
}

sgf_status_t matrix_link(sgf_matrix_t* matrix, sgf_error_t* error)
{
  sgf_status_t status = sort_triggers(matrix, error);
  if (status == SGF_OK)
    status = check_ids(matrix, error);
  if (status == SGF_OK)
    status = link_connections(matrix, error);
  if (status != SGF_OK)
    return status;
  list_targets(matrix);
  note_warnings(matrix);
  return check_all_start(matrix, error);
}
