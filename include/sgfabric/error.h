/* sgfabric: status codes and the error record that carries their context.
 *
 * Every function that can fail on user input returns an sgf_status_t and, where it takes one, fills an sgf_error_t with
 * the place and the reason. Nothing in the library exits or aborts on user error: the caller decides. */
#ifndef SGFABRIC_ERROR_H
#define SGFABRIC_ERROR_H

#include <sgfabric/export.h>

SGF_BEGIN_DECL

/* One line per status: the enumerator's suffix and its text. */
#define SGF_STATUS_MAP(X)                                                                                              \
  X(OK, "success")                                                                                                     \
  X(SYNTAX, "malformed input")                                                                                         \
  X(UNKNOWN, "unknown name")                                                                                           \
  X(AMBIGUOUS, "ambiguous name")                                                                                       \
  X(UNIT, "wrong or missing unit")                                                                                     \
  X(RANGE, "value out of range")                                                                                       \
  X(RULE, "a rule of the model forbids this configuration")                                                            \
  X(TOPOLOGY, "the devices and cables do not form a fabric")                                                           \
  X(NO_NIC, "the host has no NIC")                                                                                     \
  X(STATE, "not possible in this state")                                                                               \
  X(STALLED, "work is outstanding and nothing can move")                                                               \
  X(TIMEOUT, "the time-out expired")                                                                                   \
  X(MODEL, "a model broke a rule of the event kernel")                                                                 \
  X(CONSERVATION, "bytes were charged and never released")                                                             \
  X(IO, "input or output failed")                                                                                      \
  X(DEADLOCK, "paused queues wait for one another")                                                                    \
  X(FOREIGN_NIC, "the NICs of the two hosts are of different kinds")

typedef enum sgf_status {
#define SGF_STATUS_ENUM(name, text) SGF_##name,
  SGF_STATUS_MAP(SGF_STATUS_ENUM)
#undef SGF_STATUS_ENUM
} sgf_status_t;

/* An error with its context. Owned by the caller; zero-initialise it. The first error set wins until it is cleared. */
typedef struct sgf_error {
  sgf_status_t status; /* SGF_OK: no error */
  int line;            /* line in `file`, 1-based; 0: none */
  char file[256];      /* input file, "" if the error has none */
  char text[1024];     /* the reason, one line, naming the offender */
} sgf_error_t;

/* The text of a status, static storage. */
SGF_PUBLIC const char* sgf_status_text(sgf_status_t status);

/* Record `status` and a printf-formatted reason in `error` (may be NULL) unless it already holds an error.
 * Returns `status`, so that a caller can `return sgf_error_set(...)`. */
SGF_PUBLIC sgf_status_t sgf_error_set(sgf_error_t* error, sgf_status_t status, const char* format, ...)
    SGF_PRINTF(3, 4);

/* Add the place of an error that has none yet. `error` may be NULL. */
SGF_PUBLIC void sgf_error_place(sgf_error_t* error, const char* file, int line);

/* Forget the error. */
SGF_PUBLIC void sgf_error_clear(sgf_error_t* error);

SGF_END_DECL
#endif
