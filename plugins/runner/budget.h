/* What the files of `sgfabric budget` share: the values that go in, and the results that come out. */
#ifndef SGFABRIC_RUNNER_BUDGET_H
#define SGFABRIC_RUNNER_BUDGET_H

#include "budget/budget.h"
#include "runner_internal.h"

/* How numbers are kept: counts, bytes, bits per second, picoseconds. The last two are of results alone. */
typedef enum unit { UNIT_COUNT, UNIT_BYTES, UNIT_RATE, UNIT_TIME, UNIT_INDEX, UNIT_TRUTH } unit_t;

/* ---- Values (budget_values.c) ------------------------------------------------------------------------------------ */

/* In the order in which they are told. */
typedef enum value_id {
  V_SOURCES,
  V_RATE,
  V_EGRESS,
  V_K_ECN,
  V_TCC,
  V_Q_G,
  V_XOFF,
  V_TP,
  V_M,
  V_DELAY,
  V_FRAME,
  V_PAUSE_FRAME,
  V_HEADROOM,
  V_DEDICATED,
  V_SHARED,
  V_VOLUME,
  V_PAYLOAD,
  V_HEADER,
  V_WAIT,
  V_SPAN,
  V_SPACING,
  V_QUANTA,
  V_SHARES,
  VALUES
} value_id_t;

/* A set of values. */
#define SET(id) (UINT32_C(1) << (id))

typedef struct value {
  bool given;
  bool used;          /* by a result */
  bool written;       /* on the command line */
  int64_t number;     /* V_SHARES: how many there are */
  report_text_t from; /* "command line", "tor0 port 8", "default" */
} value_t;

/* Ports that have the same numbers and send to one egress. */
typedef struct ingress {
  char* ports; /* "0-7", "" when they are nobody's */
  int64_t count;
  int64_t bps;
  int64_t delay; /* -1: not given */
} ingress_t;

typedef struct result result_t;

typedef struct budget {
  value_t values[VALUES];
  int64_t shares[BUDGET_MAX_SOURCES];
  const char* switch_name; /* NULL: of no platform */
  unsigned port;           /* the egress */
  const char* peer;
  ingress_t* ingresses; /* V_SOURCES, V_RATE and V_DELAY, port by port */
  size_t ingress_count;
  result_t* results;
  size_t result_count;
  size_t result_room;
} budget_t;

const char* budget_value_name(value_id_t id);
unit_t budget_value_unit(value_id_t id);
const char* budget_value_help(value_id_t id);

/* Take the values of the command line; false: one is wrong, which has been said. */
bool budget_read(budget_t* budget, const runner_options_t* options);

/* Of the other values, take those that a switch of the platform has, and defaults. */
sgf_status_t budget_look(budget_t* budget, const sgf_fabric_t* fabric, const runner_options_t* options,
                         sgf_error_t* error);
void budget_complete(budget_t* budget);

/* ---- Results (budget_results.c) ---------------------------------------------------------------------------------- */

typedef struct form {
  const char* symbol;
  const char* name;
  const char* formula;
  unit_t unit;
} form_t;

struct result {
  form_t form;
  const char* ports; /* "": of all */
  char* values;      /* the formula with the values put in */
  int64_t value;     /* BUDGET_NEVER: never, or too large */
  double index;      /* of UNIT_INDEX */
};

/* Every result whose values are given. */
void budget_results(budget_t* budget);

/* "1.2 Tb/s = 150 GB/s", "never", "holds". */
report_text_t budget_text(unit_t unit, int64_t value, double index);

/* budget_json.c */
sgf_status_t budget_json(const budget_t* budget, FILE* out, sgf_error_t* error);

/* A value that was written and comes into no result. */
bool budget_is_idle(const budget_t* budget, value_id_t id);

void budget_free(budget_t* budget);

#endif
