/* The functions that stand in the live network model's table, and in that of the actions it makes. */
#include "simgrid/model_seat/model_seat.h"

#include <math.h>
#include <string.h>

static const double picosecond = 1e-12; /* in seconds */

static struct {
  seat_table_t model_table;
  seat_table_t action_table;
  bool has_action_table;
  seat_next_t next;
  seat_update_t update;
  seat_communicate_t communicate;
  void (*destroy)(seat_action_t*);
} own;

/* Dates that the fabric cannot have are not reached. */
static opp_simtime_t picoseconds(double seconds)
{
  const double latest = 9e6;
  return seconds < latest ? llround(seconds / picosecond) : OPP_TIME_MAX;
}

opp_simtime_t seat_clock(void)
{
  return picoseconds(model_seat.simgrid.clock());
}

/* ---- The model: time -----------------------------------------------------------------------------------------------
 */

static double earlier(double a, double b)
{
  if (a < 0.0)
    return b;
  return b < 0.0 || a < b ? a : b;
}

/* How far the engine may run, in seconds from now; negative: as far as it likes. When nothing but profiles lies ahead,
 * SimGrid gives no horizon: the date that it has just asked for is one. */
static double limit_of(double horizon, double now)
{
  if (horizon >= 0.0 || !model_seat.sees_profiles || model_seat.next_profile < 0.0)
    return horizon;
  return model_seat.next_profile > now ? model_seat.next_profile - now : 0.0;
}

/* The next event; posts of this instant are applied when it has passed. */
static opp_simtime_t next_step(void)
{
  const opp_simtime_t event = sgf_engine_next_event(model_seat.fabric);
  return event > seat_clock() ? event : seat_clock() + 1;
}

/* A completion at t beats a time-out at t, of which SimGrid would take the time-out: when the others have an event in
 * the picosecond of the completion, SimGrid's clock comes to it a little before that, and in it. */
static double beats(opp_simtime_t date, double now, double delay, double limit)
{
  const double little = 1e-14; /* more than SimGrid's precision */
  if (limit < 0.0 || picoseconds(now + limit) != date)
    return delay;
  const double before = fmin(now + delay - little, nextafter(now + delay, 0.0));
  return before > now && picoseconds(before) == date ? before - now : delay;
}

/* SimGrid asks, after all other models, when the next thing happens here; `horizon` is the time to the next event of
 * the others, negative if there is none. What SimGrid's own model has under way comes first. */
static double next_occurring_event(seat_model_t* model, double horizon)
{
  const double now      = model_seat.simgrid.clock();
  const double of_model = own.next(model, now);
  model_seat.rounds++;
  if (model_seat.fabric == NULL || seat_message_count() == 0)
    return of_model >= 0.0 && of_model == earlier(of_model, horizon) ? of_model : -1.0;

  const double limit = limit_of(earlier(of_model, horizon), now);
  const bool steps   = limit < 0.0 && !model_seat.sees_profiles;
  opp_simtime_t last = limit < 0.0 ? OPP_TIME_MAX : picoseconds(now + limit);
  if (steps)
    last = next_step();
  opp_simtime_t date = seat_messages_advance(last);
  if (date == OPP_TIME_MAX && steps)
    date = last;
  if (date == OPP_TIME_MAX)
    return limit;
  const double delay = (double)date * picosecond - now;
  return beats(date, now, earlier(delay > 0.0 ? delay : 0.0, limit), limit);
}

static void update_actions_state(seat_model_t* model, double now, double delta)
{
  own.update(model, now, delta);
  if (model_seat.fabric != NULL)
    seat_messages_finish();
}

static bool is_idempotent(seat_model_t* model)
{
  (void)model;
  return false;
}

/* ---- Actions -------------------------------------------------------------------------------------------------------
 */

static void destroy_action(seat_action_t* action)
{
  seat_message_forget(action);
  own.destroy(action);
}

static void set_state(seat_action_t* action, int state)
{
  if (state == SEAT_FAILED)
    seat_message_forget(action);
  model_seat.simgrid.set_state(action, state);
}

/* In place of what would look at the bandwidth that SimGrid's solver gave. */
static void do_nothing(seat_action_t* action)
{
  (void)action;
}

static void update_remains_lazy(seat_action_t* action, double now)
{
  (void)action;
  (void)now;
}

/* An empty std::list. */
typedef struct list {
  struct list* next;
  struct list* previous;
  size_t count;
} list_t;

static list_t* get_links(list_t* links, const seat_action_t* action)
{
  (void)action;
  *links = (list_t){links, links, 0};
  return links;
}

static void make_action_table(const seat_action_t* action)
{
  const seat_slots_t* slots = &model_seat.slots;
  if (model_seat.simgrid.state_of(action) != SEAT_STARTED)
    seat_refuse("SimGrid's first message is over before it has begun: --cfg=network/latency-factor must not be 0");
  seat_table_t* table = &own.action_table;
  seat_copy_table(table, action);
  own.destroy                                   = (void (*)(seat_action_t*)) * seat_slot(table, slots->destroy);
  *seat_slot(table, slots->destroy)             = (seat_word_t)destroy_action;
  *seat_slot(table, slots->set_state)           = (seat_word_t)set_state;
  *seat_slot(table, slots->suspend)             = (seat_word_t)do_nothing;
  *seat_slot(table, slots->resume)              = (seat_word_t)do_nothing;
  *seat_slot(table, slots->update_remains_lazy) = (seat_word_t)update_remains_lazy;
  *seat_slot(table, slots->get_links)           = (seat_word_t)get_links;
  own.has_action_table                          = true;
}

/* ---- The model: messages
 * --------------------------------------------------------------------------------------------- */

/* The NIC of a host; a virtual machine has that of the machine it runs on. NULL: none. */
static sgf_device_t* nic_of(const seat_host_t* host)
{
  while (strcmp(seat_class(host), "N7simgrid3s4u14VirtualMachineE") == 0)
    host = model_seat.simgrid.vm_host(host);
  return sgf_scenario_nic(model_seat.scenario, model_seat.simgrid.host_name(host));
}

/* Bytes that travel: SimGrid's sizes are real numbers, and negative ones are taken for nothing. */
static uint64_t bytes_of(double size, const seat_host_t* src)
{
  if (!(size <= (double)SGF_LARGEST_WRITE))
    seat_refuse("a message of %g B from %s is larger than the fabric can time", size,
                model_seat.simgrid.host_name(src));
  return size > 0.0 ? (uint64_t)ceil(size) : 0;
}

/* A limit of bytes per second in whole bits per second, at least one; 0: there is none, or none that a link reaches. */
static int64_t bps_of(double rate)
{
  const double bps = 8.0 * rate;
  if (!(bps > 0.0) || bps >= (double)INT64_MAX)
    return 0;
  return bps < 1.0 ? 1 : llround(bps);
}

static seat_action_t* communicate(seat_model_t* model, seat_host_t* src, seat_host_t* dst, double size, double rate,
                                  bool streamed)
{
  const int64_t order = seat_order_key();
  sgf_device_t* from  = model_seat.fabric != NULL ? nic_of(src) : NULL;
  sgf_device_t* to    = model_seat.fabric != NULL ? nic_of(dst) : NULL;
  if (from == NULL || to == NULL)
    return own.communicate(model, src, dst, size, rate, streamed);
  const uint64_t bytes  = bytes_of(size, src);
  seat_action_t* action = model_seat.simgrid.bare_communicate(model, src, dst, size, rate, streamed);
  if (!own.has_action_table)
    make_action_table(action);
  seat_use_table(action, &own.action_table);
  seat_message_post(action, from, to, bytes, bps_of(rate), order);
  return action;
}

void seat_replace_model(seat_model_t* model)
{
  const seat_slots_t* slots = &model_seat.slots;
  seat_table_t* table       = &own.model_table;
  seat_copy_table(table, model);
  if (!((bool (*)(seat_model_t*)) * seat_slot(table, slots->idempotent))(model))
    seat_refuse("this SimGrid's network model is not asked as those of the versions that were tested");
  own.next                              = (seat_next_t)*seat_slot(table, slots->next);
  own.update                            = (seat_update_t)*seat_slot(table, slots->update);
  own.communicate                       = (seat_communicate_t)*seat_slot(table, slots->communicate);
  *seat_slot(table, slots->next)        = (seat_word_t)next_occurring_event;
  *seat_slot(table, slots->update)      = (seat_word_t)update_actions_state;
  *seat_slot(table, slots->idempotent)  = (seat_word_t)is_idempotent;
  *seat_slot(table, slots->communicate) = (seat_word_t)communicate;
  seat_use_table(model, table);
}
