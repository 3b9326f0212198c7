/* What a run has come to, said to people and to programs. The command and the model seat's library say it alike. */
#ifndef SGFABRIC_REPORT_H
#define SGFABRIC_REPORT_H

#include <sgfabric/feedback.h>
#include <sgfabric/opp_ini.h>
#include <sgfabric/victims.h>
#include <stdio.h>

/* ---- Results (summary.c, json.c) ------------------------------------------------------------------------------- */

enum { REPORT_MAX_WAITS = 20, REPORT_WAIT_SIZE = 256 };

/* The victims of a run, and how it would have been for them without some of its flows (victims.c). */
typedef struct report_victims {
  sgf_victims_t* list;
  bool* left_out; /* by flow */
  size_t left_out_count;
  opp_simtime_t* ends; /* by flow, of the run without those; NULL: it was not replayed, for want of victims */
} report_victims_t;

/* What a run has come to. Strings and objects are the caller's. */
typedef struct report_result {
  const char* traffic;  /* what ran: a deployment, a program */
  const char* platform; /* where */
  uint64_t seed;
  const opp_ini_run_t* run;    /* NULL: of no ini file */
  const char* const* warnings; /* of the ini file; those of the fabric come behind them */
  size_t warning_count;
  const sgf_fabric_t* fabric;
  const sgf_report_t* report;
  const report_victims_t* victims; /* NULL: nobody asked for them */
  double wall_time_s;
  uint64_t kernel_rounds;
  sgf_status_t end;                               /* SGF_OK: complete */
  sgf_error_t reason;                             /* why it is not */
  char waits[REPORT_MAX_WAITS][REPORT_WAIT_SIZE]; /* the first things that wait, a line each */
  size_t wait_count;                              /* of all of them */
} report_result_t;

/* For sgf_fabric_check_end and its like: one more thing that waits. `result` is a report_result_t. */
void report_note_wait(void* result, const char* line);

/* Frames dropped, pause frames sent, and the time for which classes of ports were held, ps: of all devices. */
uint64_t report_total_drops(const sgf_report_t* report);
uint64_t report_total_pauses(const sgf_report_t* report);
opp_simtime_t report_total_paused(const sgf_report_t* report);

/* Of the flows that have ended, the times from post to last acknowledgement in ascending order, picoseconds; to be
 * freed. */
double* report_completion_times(const sgf_report_t* report, size_t* count);

/* The same of the flows with the fewest bytes alone; none if all have as many. */
double* report_short_times(const sgf_report_t* report, size_t* count);

/* Bits per second from the post to the acknowledgement of the last byte; 0 for a flow that took no time. Of all that
 * took some, as the times. Jain's index of those (spec/feedback-budget.md 8); 0: there are none. */
double report_goodput(const sgf_flow_t* flow);
double* report_goodputs(const sgf_report_t* report, size_t* count);
double report_jain_index(const sgf_report_t* report);

/* From the first post to the last acknowledgement, ps; -1: no flow has ended. */
opp_simtime_t report_makespan(const sgf_report_t* report);

/* The percentiles that are shown, and one of `count` (not 0) ascending values: the smallest value that at least
 * `percent` of all do not exceed. */
enum { REPORT_PERCENTS = 5 };
extern const size_t report_percents[REPORT_PERCENTS];
double report_percentile(const double* sorted, size_t count, size_t percent);

size_t report_warning_count(const report_result_t* result);
const char* report_warning(const report_result_t* result, size_t i); /* the ini file's, then the fabric's */

/* "warning: ..." for each of a fabric. */
void report_print_warnings(const sgf_fabric_t* fabric, FILE* out);

/* For people: tables and, as its last line, the verdict. */
void report_print_summary(const report_result_t* result, FILE* out);

/* "complete: 8 flows, lossless", or what waits for what and "NOT COMPLETE: ...". */
void report_print_verdict(const report_result_t* result, FILE* out);

/* For a table of runs: its figures in one line, each but the first behind a tab, as many as report_row_titles has
 * (which ends with NULL). */
extern const char* const report_row_titles[];
void report_print_row(const report_result_t* result, FILE* out);

/* For programs: one JSON object (plugins/runner/README.md). */
sgf_status_t report_print_json(const report_result_t* result, FILE* out, sgf_error_t* error);

/* The object of a run that came to no result. */
sgf_status_t report_print_json_failure(const opp_ini_run_t* run, const char* reason, FILE* out, sgf_error_t* error);

/* A list of runs with their variables. */
sgf_status_t report_print_json_runs(const opp_ini_run_t* const* runs, size_t count, FILE* out, sgf_error_t* error);

struct json_t; /* jansson's */

/* Write a value and release it; the warnings of a fabric as an array. */
sgf_status_t report_write_json(struct json_t* root, FILE* out, sgf_error_t* error);
struct json_t* report_json_warnings(const sgf_fabric_t* fabric);

/* ---- Victims (victims.c, victims_text.c, victims_json.c) --------------------------------------------------------- */

/* Build the fabric of the run once more, for one replay; NULL and an error. It stays the caller's. */
typedef sgf_fabric_t* (*report_again_cb)(void* user, sgf_error_t* error);

/* Whether a text is "SRC->DST", two patterns of names in which `*` and `?` stand for anything. */
bool report_is_pair_of_patterns(const char* text);

/* The victims of a fabric that has watched for them (sgf_victims_watch); if there are any, the run's traffic is
 * replayed without the flows that a pair of patterns names, or, if that is NULL, without the aggressors. Release it
 * also after an error. */
sgf_status_t report_victims_find(report_victims_t* victims, const sgf_fabric_t* fabric, const char* without,
                                 report_again_cb again, void* user, sgf_error_t* error);
void report_victims_release(report_victims_t* victims);

void report_print_victims(const report_victims_t* victims, const sgf_report_t* report, FILE* out);
struct json_t* report_json_victims(const report_victims_t* victims, const sgf_report_t* report);

/* How many times as long a flow took as it would have without the others; 0: one of the times is not known. */
double report_slow_down(const report_victims_t* victims, const sgf_report_t* report, size_t flow);

/* ---- Progress (progress.c) ------------------------------------------------------------------------------------- */

typedef struct report_progress {
  double started_s; /* wall clock */
  double shown_s;   /* since then, when the line was last written; 0: never */
} report_progress_t;

/* Shows the line only if the error output is a terminal. `progress` stays where it is until report_progress_end. */
void report_progress_start(report_progress_t* progress, sgf_fabric_t* fabric);
void report_progress_show(void* user, opp_simtime_t clock, uint64_t packet_hops); /* at most every 0.2 s */
void report_progress_end(const report_progress_t* progress);                      /* takes the line away */

double report_wall_clock(void); /* in seconds, from an arbitrary start */

/* ---- Notes (notes.c): from the model seat's library to the command that has started its process ------------------ */

typedef enum report_note {
  REPORT_LOADED     = 'l', /* the library is in a process, of SimGrid or not */
  REPORT_PLATFORM   = 'p', /* SimGrid is about to load a platform file that is a fabric */
  REPORT_ATTACHED   = 'a', /* a simulation has begun, over the fabric */
  REPORT_REFUSED    = 'r', /* the library has said why it does not go on */
  REPORT_NO_PROGRAM = 'n'  /* the command has said that there is no such program */
} report_note_t;

typedef struct report_notes {
  char* path;
  int file;
} report_notes_t;

/* Name a new file in the environment, where processes leave notes. Close it also after an error. */
sgf_status_t report_notes_open(report_notes_t* notes, sgf_error_t* error);
size_t report_notes_count(const report_notes_t* notes, report_note_t note);
void report_notes_close(report_notes_t* notes); /* and remove the file */

/* Leave one; nothing, if nobody has asked for it. */
void report_note(report_note_t note);

/* ---- Text (text.c) --------------------------------------------------------------------------------------------- */

/* A short text by value: report_time(ps).at is a string until the end of the full expression. */
typedef struct report_text {
  char at[64];
} report_text_t;

/* Four digits and the unit that fits: "42.94 us", "360.2 Gb/s", "200 KB". */
report_text_t report_time(double ps);
report_text_t report_rate(double bps);
report_text_t report_bytes(double bytes);

report_text_t report_exact_time(opp_simtime_t ps); /* "504.32 ns": up to nine digits */
report_text_t report_exact_rate(int64_t bps);
report_text_t report_exact_bytes(int64_t bytes);                /* "109,000 B" */
report_text_t report_count(uint64_t count);                     /* "1,234,567" */
report_text_t report_counted(uint64_t count, const char* noun); /* "1 flow", "2 flows" */
report_text_t report_percent(double part, double whole);        /* "93.1 %" */

/* A table whose columns are as wide as their widest cell. Titles begin with '<' (left) or '>' (right). */
typedef struct report_table {
  const char* const* titles;
  size_t columns;
  char** cells; /* in order of rows */
  size_t count;
  size_t room;
} report_table_t;

void report_table_cell(report_table_t* table, const char* format, ...) SGF_PRINTF(2, 3); /* fills rows from the left */
void report_table_print(report_table_t* table, FILE* out);                               /* and empties the table */

/* `count` zeroed items; a text as snprintf writes it. Free them. They end the process when there is no memory. */
void* report_calloc(size_t count, size_t size);
char* report_format(const char* format, ...) SGF_PRINTF(1, 2);

#endif
