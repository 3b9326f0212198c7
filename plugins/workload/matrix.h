/* A connection matrix, inside: what matrix_read.c makes of a file and matrix_run.c runs. */
#ifndef WORKLOAD_MATRIX_H
#define WORKLOAD_MATRIX_H

#include <sgfabric/workload.h>

#define MATRIX_NONE SIZE_MAX /* in place of the index of a trigger */

typedef enum matrix_kind { MATRIX_ONESHOT, MATRIX_MULTISHOT, MATRIX_BARRIER } matrix_kind_t;

typedef struct matrix_trigger {
  uint64_t id;
  matrix_kind_t kind;
  uint64_t count; /* activations that a barrier needs */
  int line;
  size_t first_target; /* in the targets of the matrix, where its own stand in order of the file */
  size_t target_count;
} matrix_trigger_t;

/* The triggers of a connection by their index, or MATRIX_NONE. */
typedef struct matrix_links {
  size_t started_by;
  size_t send_done;
  size_t recv_done;
} matrix_links_t;

enum { MATRIX_MAX_WARNINGS = 2 };

struct sgf_matrix {
  char* file;
  size_t nodes;
  int nodes_line;
  sgf_connection_t* connections;
  matrix_links_t* links; /* of each connection */
  size_t connection_count;
  matrix_trigger_t* triggers; /* by id */
  size_t trigger_count;
  size_t* targets;    /* connections that are started by triggers */
  size_t priorities;  /* connections that have one */
  int first_priority; /* line of the first of them */
  char* warnings[MATRIX_MAX_WARNINGS];
  size_t warning_count;
};

/* The connections, as a range of the targets, that one more activation of a trigger starts. `activations` holds how
 * often each trigger has been activated, and counts this one. */
typedef struct matrix_started {
  const size_t* first;
  size_t count;
} matrix_started_t;

matrix_started_t matrix_activate(const sgf_matrix_t* matrix, uint64_t* activations, size_t trigger);

/* matrix_read.c: make a matrix of the text of `file`, which ends in a zero behind its `length` bytes and is changed. */
sgf_matrix_t* matrix_parse(const char* file, char* text, size_t length, sgf_error_t* error);

/* matrix_link.c: what the numbers of triggers and connections refer to, once all lines have been read. */
sgf_status_t matrix_link(sgf_matrix_t* matrix, sgf_error_t* error);

/* Set an error (may be NULL) with the place of a line of the matrix. Returns `status`. */
sgf_status_t matrix_fail(const sgf_matrix_t* matrix, int line, sgf_error_t* error, sgf_status_t status,
                         const char* format, ...) SGF_PRINTF(5, 6);

#endif
