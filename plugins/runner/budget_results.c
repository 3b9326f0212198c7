/* The results of `sgfabric budget`: each with its formula, in the order of spec/feedback-budget.md 2 to 9. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static report_text_t bytes(int64_t number)
{
  return budget_text(UNIT_BYTES, number, 0);
}

static report_text_t rate(int64_t number)
{
  return report_exact_rate(number);
}

static report_text_t duration(int64_t number)
{
  return budget_text(UNIT_TIME, number, 0);
}

report_text_t budget_text(unit_t unit, int64_t value, double index)
{
  report_text_t text = {"never"};
  if (value == BUDGET_NEVER)
    return text;
  switch (unit) {
    case UNIT_BYTES:
      return report_exact_bytes(value);
    case UNIT_RATE:
      snprintf(text.at, sizeof text.at, "%.28s = %.28s/s", report_exact_rate(value).at,
               report_bytes((double)value / 8).at);
      return text;
    case UNIT_TIME:
      return report_exact_time(value);
    case UNIT_INDEX:
      snprintf(text.at, sizeof text.at, "%.6g", index);
      return text;
    case UNIT_TRUTH:
      return value != 0 ? (report_text_t){"holds"} : (report_text_t){"FAILS"};
    case UNIT_COUNT:
    default:
      return report_count((uint64_t)value);
  }
}

/* ---- Building ---------------------------------------------------------------------------------------------------- */

static result_t* add(budget_t* budget, form_t form, int64_t value, const char* format, ...) SGF_PRINTF(4, 5);

static result_t* add(budget_t* budget, form_t form, int64_t value, const char* format, ...)
{
  if (budget->result_count == budget->result_room) {
    budget->result_room = 2 * budget->result_room + 32;
    result_t* room      = report_calloc(budget->result_room, sizeof *room);
    if (budget->result_count > 0)
      memcpy(room, budget->results, budget->result_count * sizeof *room);
    free(budget->results);
    budget->results = room;
  }
  char values[256];
  va_list args;
  va_start(args, format);
  vsnprintf(values, sizeof values, format, args);
  va_end(args);
  result_t* result = &budget->results[budget->result_count++];
  *result          = (result_t){.form = form, .ports = "", .values = report_format("%s", values), .value = value};
  return result;
}

/* Whether all values of a set are given; if so, they are used. */
static bool has(budget_t* budget, uint32_t set)
{
  for (value_id_t id = 0; id < VALUES; id++)
    if ((set & SET(id)) != 0 && !budget->values[id].given)
      return false;
  for (value_id_t id = 0; id < VALUES; id++)
    if ((set & SET(id)) != 0)
      budget->values[id].used = true;
  return true;
}

static int64_t get(const budget_t* budget, value_id_t id)
{
  return budget->values[id].number;
}

static int64_t sum(int64_t a, int64_t b)
{
  return a < BUDGET_NEVER - b ? a + b : BUDGET_NEVER;
}

static int64_t product(int64_t a, int64_t b)
{
  return a == 0 || b < BUDGET_NEVER / a ? a * b : BUDGET_NEVER;
}

/* One more term of a sum, as long as there is room. */
static void add_term(char* terms, size_t size, int64_t count, const char* term)
{
  const size_t used = strlen(terms);
  if (used + 64 < size)
    snprintf(terms + used, size - used, "%s%" PRId64 " x %s", used > 0 ? " + " : "", count, term);
}

/* ---- Growth of the queue ----------------------------------------------------------------------------------------- */

static int64_t input_of(const budget_t* budget)
{
  int64_t input = 0;
  for (size_t i = 0; i < budget->ingress_count; i++)
    input += budget->ingresses[i].count * budget->ingresses[i].bps;
  return input;
}

static void add_input(budget_t* budget, int64_t input)
{
  char terms[200] = "";
  for (size_t i = 0; i < budget->ingress_count; i++)
    add_term(terms, sizeof terms, budget->ingresses[i].count, rate(budget->ingresses[i].bps).at);
  add(budget, (form_t){"A", "input of all sources", "sources x rate", UNIT_RATE}, input, "%s", terms);
}

/* "(1.6 Tb/s - 400 Gb/s)" */
static report_text_t net_text(int64_t input, int64_t egress)
{
  report_text_t text;
  snprintf(text.at, sizeof text.at, "(%.28s - %.28s)", rate(input).at, rate(egress).at);
  return text;
}

/* What marking does, which is to begin before the pause. */
static void add_feedback(budget_t* budget, int64_t input, int64_t egress)
{
  const int64_t k_ecn    = get(budget, V_K_ECN);
  const int64_t feedback = get(budget, V_TCC);
  const int64_t marked   = budget_crossing(k_ecn, input, egress);
  const int64_t growth   = budget_growth(input, egress, feedback);
  const report_text_t by = net_text(input, egress);
  if (has(budget, SET(V_K_ECN)))
    add(budget, (form_t){"t_mark", "time to mark", "K_ecn / (A - egress)", UNIT_TIME}, marked, "%s / %s",
        bytes(k_ecn).at, by.at);
  if (has(budget, SET(V_TCC)))
    add(budget, (form_t){"dQ_cc", "overshoot of the feedback", "(A - egress) x Tcc", UNIT_BYTES}, growth, "%s x %s",
        by.at, duration(feedback).at);
  if (!has(budget, SET(V_K_ECN) | SET(V_TCC)))
    return;
  add(budget, (form_t){"t_cc", "first lowered traffic", "t_mark + Tcc", UNIT_TIME}, sum(marked, feedback), "%s + %s",
      duration(marked).at, duration(feedback).at);
  add(budget, (form_t){"q_cc", "queue then, without a pause", "K_ecn + dQ_cc", UNIT_BYTES}, sum(k_ecn, growth),
      "%s + %s", bytes(k_ecn).at, bytes(growth).at);
}

/* The line of the queue at which the pause is decided; false: there is none. */
static bool add_line(budget_t* budget, int64_t* line)
{
  *line = get(budget, V_Q_G);
  if (has(budget, SET(V_Q_G)))
    return true;
  const int64_t sources = get(budget, V_SOURCES);
  const int64_t xoff    = get(budget, V_XOFF);
  if (!has(budget, SET(V_XOFF) | SET(V_SOURCES)))
    return false;
  *line = product(sources, xoff);
  add(budget, (form_t){"Q_g", "queue when every ingress pauses", "sources x Xoff", UNIT_BYTES}, *line,
      "%" PRId64 " x %s", sources, bytes(xoff).at);
  return true;
}

/* What would let the first reaction come before the pause. */
static void add_limits(budget_t* budget, int64_t line, int64_t input, int64_t egress)
{
  const int64_t k_ecn    = get(budget, V_K_ECN);
  const int64_t feedback = get(budget, V_TCC);
  const int64_t growth   = budget_growth(input, egress, feedback);
  const int64_t sources  = get(budget, V_SOURCES);
  const int64_t limit    = budget_input_limit(k_ecn, line, feedback, egress);
  const report_text_t by = net_text(input, egress);
  if (has(budget, SET(V_K_ECN) | SET(V_TCC)))
    add(budget, (form_t){"ECN first", "reaction before the pause", "K_ecn + dQ_cc < Q_g", UNIT_TRUTH},
        budget_reacts_in_time(k_ecn, growth, line), "%s + %s < %s", bytes(k_ecn).at, bytes(growth).at, bytes(line).at);
  const bool can_be_first = k_ecn < line; /* else no input and no feedback time is low enough */
  if (can_be_first && limit < BUDGET_NEVER && has(budget, SET(V_K_ECN) | SET(V_TCC))) {
    add(budget, (form_t){"A <", "input that this takes", "egress + (Q_g - K_ecn) / Tcc", UNIT_RATE}, limit,
        "%s + (%s - %s) / %s", rate(egress).at, bytes(line).at, bytes(k_ecn).at, duration(feedback).at);
    add(budget, (form_t){"rate <", "of each source", "(egress + (Q_g - K_ecn) / Tcc) / sources", UNIT_RATE},
        (limit + sources - 1) / sources, "%s / %" PRId64, rate(limit).at, sources);
  }
  if (input <= egress)
    return;
  if (can_be_first && has(budget, SET(V_K_ECN)))
    add(budget, (form_t){"Tcc <", "feedback time that this takes", "(Q_g - K_ecn) / (A - egress)", UNIT_TIME},
        budget_feedback_limit(k_ecn, line, input, egress), "(%s - %s) / %s", bytes(line).at, bytes(k_ecn).at, by.at);
  add(budget, (form_t){"Tcc <", "the same with K_ecn = 0", "Q_g / (A - egress)", UNIT_TIME},
      budget_feedback_limit(0, line, input, egress), "%s / %s", bytes(line).at, by.at);
}

/* From the pause decision to the empty queue. */
static void add_peak(budget_t* budget, int64_t line, int64_t stop, int64_t input, int64_t egress)
{
  const int64_t decided  = budget_crossing(line, input, egress);
  const int64_t growth   = budget_growth(input, egress, stop);
  const int64_t peak     = sum(line, growth);
  const int64_t drain    = budget_time(peak, egress);
  const report_text_t by = net_text(input, egress);
  add(budget, (form_t){"dQ_p", "growth until all have stopped", "(A - egress) x Tp", UNIT_BYTES}, growth, "%s x %s",
      by.at, duration(stop).at);
  add(budget, (form_t){"q_peak", "peak of the queue", "Q_g + dQ_p", UNIT_BYTES}, peak, "%s + %s", bytes(line).at,
      bytes(growth).at);
  add(budget, (form_t){"t_peak", "time of the peak", "t_pause + Tp", UNIT_TIME}, sum(decided, stop), "%s + %s",
      duration(decided).at, duration(stop).at);
  add(budget, (form_t){"t_drain", "time to empty it", "q_peak / egress", UNIT_TIME}, drain, "%s / %s", bytes(peak).at,
      rate(egress).at);
  add(budget, (form_t){"t_empty", "queue empty, sources still held", "t_peak + t_drain", UNIT_TIME},
      sum(sum(decided, stop), drain), "%s + %s", duration(sum(decided, stop)).at, duration(drain).at);
}

/* ---- Stop time and headroom -------------------------------------------------------------------------------------- */

/* Tp of an ingress; -1: not known. */
static int64_t stop_time(const budget_t* budget, const ingress_t* ingress)
{
  if (budget->values[V_TP].given)
    return get(budget, V_TP);
  if (ingress->delay < 0 || !budget->values[V_FRAME].given)
    return -1;
  return budget_stop_time(ingress->bps, ingress->delay, get(budget, V_FRAME), get(budget, V_PAUSE_FRAME));
}

static void add_stop_time(budget_t* budget, const ingress_t* ingress)
{
  const int64_t frame = get(budget, V_FRAME);
  const int64_t pause = get(budget, V_PAUSE_FRAME);
  if (has(budget, SET(V_TP)) || !has(budget, SET(V_RATE) | SET(V_DELAY) | SET(V_FRAME) | SET(V_PAUSE_FRAME)))
    return;
  add(budget, (form_t){"Tp", "PFC stop time", "(2 x frame + pause_frame) / rate + 2 x delay", UNIT_TIME},
      stop_time(budget, ingress), "(2 x %s + %s) / %s + 2 x %s", bytes(frame).at, bytes(pause).at,
      rate(ingress->bps).at, duration(ingress->delay).at)
      ->ports = ingress->ports;
}

/* Headroom of one ingress; -1: not known. */
static int64_t add_headroom(budget_t* budget, const ingress_t* ingress)
{
  const int64_t stop   = stop_time(budget, ingress);
  const int64_t margin = get(budget, V_M);
  const int64_t needed = budget_headroom(ingress->bps, stop, margin);
  add_stop_time(budget, ingress);
  if (stop < 0 || !has(budget, SET(V_RATE) | SET(V_M)))
    return -1;
  add(budget, (form_t){"H", "headroom of an ingress", "rate x Tp + M", UNIT_BYTES}, needed, "%s x %s + %s",
      rate(ingress->bps).at, duration(stop).at, bytes(margin).at)
      ->ports = ingress->ports;
  if (has(budget, SET(V_HEADROOM)))
    add(budget, (form_t){"lossless", "headroom is enough", "headroom >= H", UNIT_TRUTH},
        get(budget, V_HEADROOM) >= needed, "%s >= %s", bytes(get(budget, V_HEADROOM)).at, bytes(needed).at)
        ->ports = ingress->ports;
  return needed;
}

/* What a shared pool has to hold of the headroom. */
static void add_pool(budget_t* budget, int64_t pool, const char* terms)
{
  const int64_t shared = get(budget, V_SHARED);
  if (!has(budget, SET(V_DEDICATED)))
    return;
  add(budget, (form_t){"S", "of it from a shared pool", "sources x max(H - dedicated, 0)", UNIT_BYTES}, pool, "%s",
      terms);
  if (has(budget, SET(V_SHARED)))
    add(budget, (form_t){"short", "what the pool is short of", "max(S - shared, 0)", UNIT_BYTES},
        pool > shared ? pool - shared : 0, "%s - %s", bytes(pool).at, bytes(shared).at);
}

/* Headroom of all that pause at once. Returns the longest stop time; -1: it is not known. */
static int64_t add_headrooms(budget_t* budget)
{
  const int64_t dedicated = get(budget, V_DEDICATED);
  int64_t longest         = -1;
  int64_t all             = 0;
  int64_t pool            = 0;
  char terms[200]         = "";
  char of_pool[200]       = "";
  for (size_t i = 0; i < budget->ingress_count; i++) {
    const ingress_t* ingress = &budget->ingresses[i];
    const int64_t needed     = add_headroom(budget, ingress);
    if (needed < 0)
      return -1;
    const int64_t stop = stop_time(budget, ingress);
    longest            = stop > longest ? stop : longest;
    all                = sum(all, product(ingress->count, needed));
    pool               = sum(pool, budget_shared_need(ingress->count, needed, dedicated));
    report_text_t above;
    snprintf(above.at, sizeof above.at, "(%.28s - %.28s)", bytes(needed).at, bytes(dedicated).at);
    add_term(terms, sizeof terms, ingress->count, bytes(needed).at);
    add_term(of_pool, sizeof of_pool, ingress->count, above.at);
  }
  if (longest < 0)
    return -1;
  has(budget, SET(V_SOURCES));
  add(budget, (form_t){"H_all", "of all ingresses", "sources x H", UNIT_BYTES}, all, "%s", terms);
  add_pool(budget, pool, of_pool);
  return longest;
}

/* How long one pause frame holds, and how often it is repeated. */
static void add_pauses(budget_t* budget)
{
  for (size_t i = 0; i < budget->ingress_count; i++) {
    const ingress_t* ingress = &budget->ingresses[i];
    if (!has(budget, SET(V_SPAN) | SET(V_RATE) | SET(V_DELAY) | SET(V_QUANTA)))
      return;
    const int64_t span  = get(budget, V_SPAN);
    const int64_t pause = budget_pause_time(get(budget, V_QUANTA), ingress->bps, ingress->delay);
    add(budget, (form_t){"t_hold", "hold of one pause frame", "quanta x 512 bit / rate + delay", UNIT_TIME}, pause,
        "%" PRId64 " x 512 / %s + %s", get(budget, V_QUANTA), rate(ingress->bps).at, duration(ingress->delay).at)
        ->ports = ingress->ports;
    if (pause >= 2)
      add(budget, (form_t){"refreshes", "of a pause as long as the span", "span / (t_hold / 2)", UNIT_COUNT},
          budget_refreshes(span, pause), "%s / (%s / 2)", duration(span).at, duration(pause).at)
          ->ports = ingress->ports;
  }
}

static void add_notices(budget_t* budget, int64_t input, int64_t egress)
{
  const int64_t span    = get(budget, V_SPAN);
  const int64_t spacing = get(budget, V_SPACING);
  if (has(budget, SET(V_SPAN) | SET(V_SPACING)))
    add(budget, (form_t){"CNPs", "notices to a flow in the span", "span / spacing + 1", UNIT_COUNT},
        budget_notices(span, spacing), "%s / %s + 1", duration(span).at, duration(spacing).at);
  if (input >= 0 && has(budget, SET(V_SPACING)))
    add(budget, (form_t){"dQ_late", "growth before a late notice", "(A - egress) x spacing", UNIT_BYTES},
        budget_growth(input, egress, spacing), "%s x %s", net_text(input, egress).at, duration(spacing).at);
}

/* ---- Work and shares --------------------------------------------------------------------------------------------- */

/* The least time for all messages, in payload or on the wire, and with a wait. */
static void add_bound(budget_t* budget)
{
  const int64_t sources = get(budget, V_SOURCES);
  const int64_t volume  = get(budget, V_VOLUME);
  const int64_t payload = get(budget, V_PAYLOAD);
  const int64_t header  = get(budget, V_HEADER);
  const int64_t egress  = get(budget, V_EGRESS);
  if (!has(budget, SET(V_SOURCES) | SET(V_VOLUME) | SET(V_EGRESS)))
    return;
  int64_t bound = budget_time(product(sources, volume), egress);
  add(budget, (form_t){"t_min", "capacity bound", "sources x volume / egress", UNIT_TIME}, bound,
      "%" PRId64 " x %s / %s", sources, bytes(volume).at, rate(egress).at);
  if (has(budget, SET(V_PAYLOAD) | SET(V_HEADER))) {
    const int64_t packets = budget_packets(volume, payload);
    const int64_t wire    = budget_wire_bytes(volume, payload, header);
    bound                 = budget_time(product(sources, wire), egress);
    add(budget, (form_t){"packets", "of a message", "volume / payload, rounded up", UNIT_COUNT}, packets, "%s / %s",
        bytes(volume).at, bytes(payload).at);
    add(budget, (form_t){"W", "a message on the wire", "volume + packets x header", UNIT_BYTES}, wire, "%s + %s x %s",
        bytes(volume).at, report_count((uint64_t)packets).at, bytes(header).at);
    add(budget, (form_t){"t_wire", "capacity bound on the wire", "sources x W / egress", UNIT_TIME}, bound,
        "%" PRId64 " x %s / %s", sources, bytes(wire).at, rate(egress).at);
  }
  if (has(budget, SET(V_WAIT)))
    add(budget,
        (form_t){"t_held", "the same behind a wait", budget->values[V_PAYLOAD].used ? "wait + t_wire" : "wait + t_min",
                 UNIT_TIME},
        sum(get(budget, V_WAIT), bound), "%s + %s", duration(get(budget, V_WAIT)).at, duration(bound).at);
}

static void add_index(budget_t* budget, size_t count, int64_t total)
{
  int64_t squares = 0;
  for (size_t i = 0; i < count; i++)
    squares = sum(squares, product(budget->shares[i], budget->shares[i]));
  /* The square of the total may be too large for 64 bits, the sum of squares too. */
  char below[32] = "...";
  if (squares < BUDGET_NEVER)
    snprintf(below, sizeof below, "%" PRId64, squares);
  add(budget, (form_t){"J", "Jain index", "(sum of shares)^2 / (sources x sum of shares^2)", UNIT_INDEX}, 0,
      "%" PRId64 "^2 / (%zu x %s)", total, count, below)
      ->index = budget_jain(budget->shares, count);
}

static void add_fairness(budget_t* budget)
{
  const size_t count   = (size_t)get(budget, V_SHARES);
  const int64_t volume = get(budget, V_VOLUME);
  const int64_t egress = get(budget, V_EGRESS);
  int64_t total        = 0;
  size_t largest       = 0;
  size_t least         = 0;
  if (!has(budget, SET(V_SHARES)))
    return;
  for (size_t i = 0; i < count; i++) {
    total += budget->shares[i];
    largest = budget->shares[i] > budget->shares[largest] ? i : largest;
    least   = budget->shares[i] < budget->shares[least] ? i : least;
  }
  add_index(budget, count, total);
  if (!has(budget, SET(V_VOLUME) | SET(V_EGRESS)))
    return;
  add(budget, (form_t){"t_first", "first message done", "volume x sum of shares / (largest share x egress)", UNIT_TIME},
      budget_finish(volume, egress, budget->shares, count, largest), "%s x %" PRId64 " / (%" PRId64 " x %s)",
      bytes(volume).at, total, budget->shares[largest], rate(egress).at);
  add(budget, (form_t){"t_last", "last one, freed capacity shared", "sources x volume / egress", UNIT_TIME},
      budget_finish(volume, egress, budget->shares, count, least), "%zu x %s / %s", count, bytes(volume).at,
      rate(egress).at);
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

void budget_results(budget_t* budget)
{
  const int64_t egress = get(budget, V_EGRESS);
  const int64_t input  = input_of(budget);
  const bool has_net   = has(budget, SET(V_SOURCES) | SET(V_RATE) | SET(V_EGRESS));
  int64_t line         = -1;
  if (has_net) {
    add_input(budget, input);
    add(budget, (form_t){"net", "growth of the queue", "max(A - egress, 0)", UNIT_RATE},
        input > egress ? input - egress : 0, "%s - %s", rate(input).at, rate(egress).at);
    add_feedback(budget, input, egress);
    if (!add_line(budget, &line))
      line = -1;
  }
  if (line >= 0) {
    add(budget, (form_t){"t_pause", "time to pause", "Q_g / (A - egress)", UNIT_TIME},
        budget_crossing(line, input, egress), "%s / %s", bytes(line).at, net_text(input, egress).at);
    add_limits(budget, line, input, egress);
  }
  const int64_t stop = add_headrooms(budget);
  if (line >= 0 && stop >= 0 && input > egress)
    add_peak(budget, line, stop, input, egress);
  add_pauses(budget);
  add_notices(budget, has_net ? input : -1, egress);
  if (has(budget, SET(V_EGRESS) | SET(V_SOURCES)))
    add(budget, (form_t){"fair", "equal share of the egress", "egress / sources", UNIT_RATE},
        egress / get(budget, V_SOURCES), "%s / %" PRId64, rate(egress).at, get(budget, V_SOURCES));
  add_bound(budget);
  add_fairness(budget);
}
