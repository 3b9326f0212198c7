/* A connection matrix on the engine alone: starts at their dates, triggers at those of completions. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "workload/matrix.h"

/* A connection that starts at a date of its own. */
typedef struct start {
  opp_simtime_t date;
  size_t src;
  size_t connection;
} start_t;

typedef struct run {
  const sgf_matrix_t* matrix;
  sgf_fabric_t* fabric;
  uint64_t* activations; /* of each trigger */
  bool* has_started;     /* each connection */
  start_t* starts;       /* in the order of the engine's posts: (date, node, file) */
  size_t start_count;
  size_t next_start;
  size_t live; /* operations that have been posted and not taken */
  sgf_error_t* error;
} run_t;

/* ---- Posting ----------------------------------------------------------------------------------------------------- */

static void await(run_t* run, sgf_op_t* op, const size_t* trigger)
{
  sgf_op_set_user(op, (void*)trigger); /* which is activated when it is complete */
  sgf_op_set_awaited(op, true);
  run->live++;
}

/* A tag tells messages that are received apart from those that only the source knows of. */
static sgf_status_t post(run_t* run, size_t i, opp_simtime_t date)
{
  const sgf_connection_t* connection = &run->matrix->connections[i];
  const matrix_links_t* links        = &run->matrix->links[i];
  const bool is_received             = links->recv_done != MATRIX_NONE;
  const uint64_t tag                 = is_received ? i + 1 : 0;
  sgf_device_t* src                  = sgf_fabric_host(run->fabric, connection->src);
  sgf_device_t* dst                  = sgf_fabric_host(run->fabric, connection->dst);
  sgf_error_t reason                 = {0};
  sgf_op_t* write = sgf_op_write(run->fabric, src, dst, connection->bytes, tag, date, (int64_t)i, &reason);
  if (write == NULL)
    return matrix_fail(run->matrix, connection->line, run->error, reason.status, "%s", reason.text);
  run->has_started[i] = true;
  await(run, write, &links->send_done);
  if (is_received)
    await(run, sgf_op_recv(run->fabric, dst, tag, date, (int64_t)i), &links->recv_done);
  return SGF_OK;
}

static sgf_status_t post_due(run_t* run, opp_simtime_t date)
{
  sgf_status_t status = SGF_OK;
  while (status == SGF_OK && run->next_start < run->start_count && run->starts[run->next_start].date == date)
    status = post(run, run->starts[run->next_start++].connection, date);
  return status;
}

/* ---- Triggers ---------------------------------------------------------------------------------------------------- */

static sgf_status_t fire(run_t* run, size_t trigger)
{
  const matrix_started_t started = matrix_activate(run->matrix, run->activations, trigger);
  sgf_status_t status            = SGF_OK;
  for (size_t i = 0; i < started.count && status == SGF_OK; i++)
    status = post(run, started.first[i], sgf_engine_clock(run->fabric));
  return status;
}

/* What was given up is done too, and fires nothing. */
static sgf_status_t take_completions(run_t* run)
{
  sgf_status_t status = SGF_OK;
  for (sgf_op_t* op; status == SGF_OK && (op = sgf_engine_completed(run->fabric)) != NULL;) {
    const size_t trigger = *(const size_t*)sgf_op_user(op);
    if (sgf_op_status(op) == SGF_OK && trigger != MATRIX_NONE)
      status = fire(run, trigger);
    sgf_op_unref(op);
    run->live--;
  }
  return status;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static int compare_starts(const void* a, const void* b)
{
  const start_t* left  = a;
  const start_t* right = b;
  if (left->date != right->date)
    return left->date < right->date ? -1 : 1;
  if (left->src != right->src)
    return left->src < right->src ? -1 : 1;
  return left->connection < right->connection ? -1 : left->connection > right->connection;
}

static void list_starts(run_t* run)
{
  const sgf_matrix_t* matrix = run->matrix;
  run->starts                = sgf_calloc(matrix->connection_count, sizeof *run->starts);
  for (size_t i = 0; i < matrix->connection_count; i++)
    if (matrix->links[i].started_by == MATRIX_NONE)
      run->starts[run->start_count++] = (start_t){matrix->connections[i].start, matrix->connections[i].src, i};
  if (run->start_count > 1)
    qsort(run->starts, run->start_count, sizeof *run->starts, compare_starts);
}

/* Until everything that has started is acknowledged or given up, and received where that fires a trigger. The engine
 * gets what starts at a date when it has come there, so that few posts are held at a time. */
static sgf_status_t run_connections(run_t* run)
{
  sgf_status_t status = SGF_OK;
  while (status == SGF_OK && (run->live > 0 || run->next_start < run->start_count)) {
    const bool is_last          = run->next_start == run->start_count;
    const opp_simtime_t horizon = is_last ? OPP_TIME_MAX : run->starts[run->next_start].date;
    switch (sgf_engine_advance(run->fabric, horizon)) {
      case SGF_ENGINE_COMPLETION:
        status = take_completions(run);
        break;
      case SGF_ENGINE_ERROR:
        return SGF_OK; /* which sgf_fabric_check_end tells */
      default:
        if (is_last)
          return SGF_OK; /* nothing can move */
        status = post_due(run, horizon);
    }
  }
  return status;
}

/* What is left at the date of the last completion, or all that is in flight. */
static void end_traffic(sgf_fabric_t* fabric, bool drain)
{
  while (sgf_engine_advance(fabric, sgf_engine_clock(fabric)) == SGF_ENGINE_COMPLETION)
    sgf_op_unref(sgf_engine_completed(fabric));
  if (drain)
    sgf_engine_drain(fabric);
}

static size_t tell_waiting(const run_t* run, void (*waits)(void* user, const char* line), void* user)
{
  const sgf_matrix_t* matrix = run->matrix;
  size_t waiting             = 0;
  for (size_t i = 0; i < matrix->connection_count; i++) {
    if (run->has_started[i])
      continue;
    char line[512];
    const sgf_connection_t* connection = &matrix->connections[i];
    snprintf(line, sizeof line, "%s:%d: %zu->%zu waits for trigger %llu, activated %llu times", matrix->file,
             connection->line, connection->src, connection->dst, (unsigned long long)connection->trigger,
             (unsigned long long)run->activations[matrix->links[i].started_by]);
    waiting++;
    if (waits != NULL)
      waits(user, line);
  }
  return waiting;
}

static sgf_status_t check_end(const run_t* run, void (*waits)(void* user, const char* line), void* user)
{
  const size_t waiting = tell_waiting(run, waits, user);
  sgf_status_t status  = sgf_fabric_check_end(run->fabric, waits, user, run->error);
  if (status == SGF_OK && waiting > 0)
    status = sgf_error_set(run->error, SGF_STALLED, "%zu connections have not started", waiting);
  return status;
}

sgf_status_t sgf_matrix_check(const sgf_matrix_t* matrix, const sgf_fabric_t* fabric, sgf_error_t* error)
{
  const size_t hosts = sgf_fabric_host_count(fabric);
  if (matrix->nodes > hosts)
    return matrix_fail(matrix, matrix->nodes_line, error, SGF_RANGE,
                       "Nodes %zu, and the platform has %zu host%s with "
                       "a NIC",
                       matrix->nodes, hosts, hosts == 1 ? "" : "s");
  for (size_t i = 0; i < matrix->connection_count; i++) {
    const sgf_connection_t* connection = &matrix->connections[i];
    const sgf_device_t* src            = sgf_fabric_host(fabric, connection->src);
    const sgf_device_t* dst            = sgf_fabric_host(fabric, connection->dst);
    sgf_error_t reason                 = {0};
    if (sgf_device_can_write(src, dst, &reason) != SGF_OK)
      return matrix_fail(matrix, connection->line, error, reason.status, "%s", reason.text);
  }
  return SGF_OK;
}

sgf_status_t sgf_matrix_run(const sgf_matrix_t* matrix, sgf_fabric_t* fabric, bool drain,
                            void (*waits)(void* user, const char* line), void* user, sgf_error_t* error)
{
  sgf_status_t status = sgf_matrix_check(matrix, fabric, error);
  if (status != SGF_OK)
    return status;
  run_t run = {.matrix      = matrix,
               .fabric      = fabric,
               .activations = sgf_calloc(matrix->trigger_count, sizeof *run.activations),
               .has_started = sgf_calloc(matrix->connection_count, sizeof *run.has_started),
               .error       = error};
  list_starts(&run);
  status = run_connections(&run);
  if (status == SGF_OK) {
    end_traffic(fabric, drain);
    status = check_end(&run, waits, user);
  }
  free(run.activations);
  free(run.has_started);
  free(run.starts);
  return status;
}
