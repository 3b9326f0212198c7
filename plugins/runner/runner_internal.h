/* What the files of the command share. */
#ifndef SGFABRIC_RUNNER_INTERNAL_H
#define SGFABRIC_RUNNER_INTERNAL_H

#include <sgfabric/scenario.h>
#include <sgfabric/simgrid.h>
#include <sgfabric/workload.h>
#include <stdio.h>

/* Exit statuses of the command. */
enum { RUNNER_COMPLETE = 0, RUNNER_FAILED = 1, RUNNER_USAGE = 2 };

/* ---- Options (options.c) --------------------------------------------------------------------------------------- */

typedef struct runner_options {
  const char* platform;
  const char* deployment; /* NULL: the command takes none */
  const char** assignments;
  size_t assignment_count;
  uint64_t seed;
  bool json;
  bool drain;
  sg_fabric_pace_t pace;
  char** simgrid_argv; /* the command's name and what follows "--", NULL at the end */
  int simgrid_argc;
} runner_options_t;

typedef struct runner_command {
  const char* name;
  const char* summary;        /* one line */
  const char* const* files;   /* names of the arguments that are not options, NULL at the end */
  const char* const* options; /* names of the options it takes, NULL at the end; --help is taken by all */
  bool takes_simgrid_options;
  void (*help)(void);
  int (*run)(const runner_options_t* options);
} runner_command_t;

/* Read the arguments after the command's name, argv[0]. Returns whether to go on; if not, `status` is the command's
 * exit status and help or an error has been printed. Strings are those of argv; free with runner_options_free. */
bool runner_options_read(const runner_command_t* command, int argc, char** argv, runner_options_t* options,
                         int* status);
void runner_options_free(runner_options_t* options);

/* Print "sgfabric: <message>", with the nearest of `names` to `name`, and where to find help. Returns RUNNER_USAGE. */
int runner_misuse(const runner_command_t* command, const char* name, const char* const* names, const char* format, ...)
    SGF_PRINTF(4, 5);

/* Print "sgfabric: <file>:<line>: <reason>". Returns RUNNER_FAILED. */
int runner_fail(const sgf_error_t* error);

/* `count` zeroed items; ends the process when there is no memory. */
void* runner_calloc(size_t count, size_t size);

/* ---- Commands (run.c, check.c) --------------------------------------------------------------------------------- */

int runner_run(const runner_options_t* options);
void runner_run_help(void);
int runner_check(const runner_options_t* options);
void runner_check_help(void);

/* ---- Results (summary.c, json.c) ------------------------------------------------------------------------------- */

enum { RUNNER_MAX_WAITS = 20, RUNNER_WAIT_SIZE = 256 };

/* What a run has come to. */
typedef struct runner_result {
  const runner_options_t* options;
  const sgf_fabric_t* fabric;
  const sgf_report_t* report;
  double wall_time_s;
  uint64_t kernel_rounds;
  sgf_status_t end;                               /* SGF_OK: complete */
  sgf_error_t reason;                             /* why it is not */
  char waits[RUNNER_MAX_WAITS][RUNNER_WAIT_SIZE]; /* the first things that wait, a line each */
  size_t wait_count;                              /* of all of them */
} runner_result_t;

uint64_t runner_total_drops(const sgf_report_t* report);

/* For people: tables and, as its last line, the verdict. */
void runner_print_summary(const runner_result_t* result, FILE* out);

/* "complete: 8 flows, lossless", or what waits for what and "NOT COMPLETE: ...". */
void runner_print_verdict(const runner_result_t* result, FILE* out);

/* For programs: one JSON object (README.md). */
sgf_status_t runner_print_json(const runner_result_t* result, FILE* out, sgf_error_t* error);

/* ---- Progress (progress.c) ------------------------------------------------------------------------------------- */

typedef struct runner_progress {
  double started_s; /* wall clock */
  double shown_s;   /* since then, when the line was last written; 0: never */
  bool on;          /* the error output is a terminal */
} runner_progress_t;

void runner_progress_start(runner_progress_t* progress);
void runner_progress_show(void* user, opp_simtime_t clock, uint64_t packet_hops); /* at most every 0.2 s */
void runner_progress_end(const runner_progress_t* progress);                      /* takes the line away */

double runner_wall_clock(void); /* in seconds, from an arbitrary start */

/* ---- Text (text.c) --------------------------------------------------------------------------------------------- */

/* A short text by value: runner_time(ps).at is a string until the end of the full expression. */
typedef struct runner_text {
  char at[64];
} runner_text_t;

/* Four digits and the unit that fits: "42.94 us", "360.2 Gb/s", "200 KB". */
runner_text_t runner_time(double ps);
runner_text_t runner_rate(double bps);
runner_text_t runner_bytes(double bytes);

runner_text_t runner_exact_time(opp_simtime_t ps); /* "504.32 ns": up to nine digits */
runner_text_t runner_exact_rate(int64_t bps);
runner_text_t runner_count(uint64_t count);                     /* "1,234,567" */
runner_text_t runner_counted(uint64_t count, const char* noun); /* "1 flow", "2 flows" */
runner_text_t runner_percent(double part, double whole);        /* "93.1 %" */

/* A table whose columns are as wide as their widest cell. Titles begin with '<' (left) or '>' (right). */
typedef struct runner_table {
  const char* const* titles;
  size_t columns;
  char** cells; /* in order of rows */
  size_t count;
  size_t room;
} runner_table_t;

void runner_table_cell(runner_table_t* table, const char* format, ...) SGF_PRINTF(2, 3); /* fills rows from the left */
void runner_table_print(runner_table_t* table, FILE* out);                               /* and empties the table */

#endif
