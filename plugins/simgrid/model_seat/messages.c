/* Messages under way: which action of SimGrid waits for which operation of the fabric. */
#include "simgrid/model_seat/model_seat.h"

#include <stdlib.h>

#include "attr/alloc.h"

/* Operations by the address of their action: open addressing, at most half full; NULL: free. */
static struct {
  sgf_op_t** ops;
  size_t size; /* a power of two, or 0 */
  size_t count;
} under_way;

/* Delivered, in order of completion, with a reference each; SimGrid's clock is not there yet. The user pointer of one
 * whose action is over is NULL. */
static struct {
  sgf_op_t** ops;
  size_t count;
  size_t capacity;
  opp_simtime_t date; /* of the first */
} delivered;

/* ---- By action --------------------------------------------------------------------------------------------------- */

static size_t home_of(const void* action)
{
  return (size_t)(((uint64_t)(uintptr_t)action >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (under_way.size - 1);
}

/* Where the action's operation is, or would be. */
static size_t place_of(const void* action)
{
  size_t at = home_of(action);
  while (under_way.ops[at] != NULL && sgf_op_user(under_way.ops[at]) != action)
    at = (at + 1) & (under_way.size - 1);
  return at;
}

static void insert(sgf_op_t* op)
{
  under_way.ops[place_of(sgf_op_user(op))] = op;
}

static void make_room(void)
{
  if (2 * (under_way.count + 1) <= under_way.size)
    return;
  sgf_op_t** old   = under_way.ops;
  const size_t end = under_way.size;
  under_way.size   = end == 0 ? 64 : 2 * end;
  under_way.ops    = sgf_calloc(under_way.size, sizeof *under_way.ops);
  for (size_t i = 0; i < end; i++)
    if (old[i] != NULL)
      insert(old[i]);
  free(old);
}

/* The operation of an action, which is under way no longer; NULL: there is none. Those that stand behind it move up. */
static sgf_op_t* take(const seat_action_t* action)
{
  if (under_way.count == 0)
    return NULL;
  size_t at    = place_of(action);
  sgf_op_t* op = under_way.ops[at];
  if (op == NULL)
    return NULL;
  under_way.ops[at] = NULL;
  under_way.count--;
  for (at = (at + 1) & (under_way.size - 1); under_way.ops[at] != NULL; at = (at + 1) & (under_way.size - 1)) {
    sgf_op_t* moved   = under_way.ops[at];
    under_way.ops[at] = NULL;
    insert(moved);
  }
  return op;
}

size_t seat_message_count(void)
{
  return under_way.count;
}

/* ---- Posting -------------------------------------------------------------------------------------------------------
 */

void seat_message_post(seat_action_t* action, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes, int64_t rate_bps,
                       int64_t order)
{
  sgf_error_t error = {0};
  sgf_op_t* op      = sgf_op_message(model_seat.fabric);
  sgf_op_set_user(op, action);
  if (rate_bps > 0)
    sgf_op_set_rate(op, rate_bps, NULL);
  if (sgf_op_post(op, src, dst, bytes, seat_clock(), order, &error) != SGF_OK)
    seat_refuse("a message of %s cannot be sent: %s", sgf_device_name(src), error.text);
  sgf_op_set_awaited(op, true);
  make_room();
  insert(op);
  under_way.count++;
}

void seat_message_forget(seat_action_t* action)
{
  sgf_op_t* op = model_seat.fabric != NULL ? take(action) : NULL;
  if (op == NULL)
    return;
  sgf_op_set_user(op, NULL);
  sgf_op_set_awaited(op, false);
  sgf_op_unref(op);
}

/* ---- Completing ----------------------------------------------------------------------------------------------------
 */

static void keep_delivered(void)
{
  for (sgf_op_t* op; (op = sgf_engine_completed(model_seat.fabric)) != NULL;) {
    if (delivered.count == 0)
      delivered.date = sgf_engine_clock(model_seat.fabric);
    if (delivered.count == delivered.capacity) {
      delivered.capacity = delivered.capacity == 0 ? 64 : 2 * delivered.capacity;
      delivered.ops      = sgf_realloc(delivered.ops, delivered.capacity, sizeof *delivered.ops);
    }
    delivered.ops[delivered.count++] = sgf_op_ref(op);
  }
}

static bool advance(opp_simtime_t limit)
{
  const sgf_engine_state_t state = sgf_engine_advance(model_seat.fabric, limit);
  if (state == SGF_ENGINE_ERROR)
    seat_refuse("%s", sgf_fabric_error(model_seat.fabric)->text);
  keep_delivered();
  return state == SGF_ENGINE_COMPLETION;
}

opp_simtime_t seat_messages_advance(opp_simtime_t limit)
{
  if (delivered.count == 0)
    advance(limit);
  return delivered.count > 0 ? delivered.date : OPP_TIME_MAX;
}

void seat_messages_finish(void)
{
  const opp_simtime_t now = seat_clock();
  while (advance(now))
    continue;
  const size_t count = delivered.count;
  delivered.count    = 0;
  for (size_t i = 0; i < count; i++) {
    sgf_op_t* op          = delivered.ops[i];
    seat_action_t* action = sgf_op_user(op);
    if (action != NULL) {
      sgf_op_unref(take(action));
      model_seat.simgrid.finish(action, sgf_op_status(op) == SGF_OK ? SEAT_FINISHED : SEAT_FAILED);
    }
    sgf_op_unref(op);
  }
}

void seat_messages_end(void)
{
  for (size_t i = 0; i < under_way.size; i++)
    if (under_way.ops[i] != NULL) {
      sgf_op_set_awaited(under_way.ops[i], false);
      sgf_op_unref(under_way.ops[i]);
    }
  for (size_t i = 0; i < delivered.count; i++)
    sgf_op_unref(delivered.ops[i]);
  free(under_way.ops);
  free(delivered.ops);
  under_way.ops   = NULL;
  under_way.count = under_way.size = 0;
  delivered.ops                    = NULL;
  delivered.count = delivered.capacity = 0;
}
