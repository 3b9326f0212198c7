/* What the files of the command share. */
#ifndef SGFABRIC_RUNNER_INTERNAL_H
#define SGFABRIC_RUNNER_INTERNAL_H

#include <sgfabric/opp_ini.h>
#include <sgfabric/scenario.h>
#include <sgfabric/simgrid.h>
#include <sgfabric/workload.h>
#include <stdio.h>

/* Exit statuses of the command. */
enum { RUNNER_COMPLETE = 0, RUNNER_FAILED = 1, RUNNER_USAGE = 2 };

/* ---- Options (options.c) --------------------------------------------------------------------------------------- */

enum { RUNNER_MAX_ARGUMENTS = 2 };

typedef struct runner_options {
  const char* arguments[RUNNER_MAX_ARGUMENTS]; /* those that are not options, in order; NULL: not given */
  sgf_assignment_t* assignments;               /* --set */
  size_t assignment_count;
  uint64_t seed; /* 1 unless it is given */
  bool seed_given;
  bool json;
  const char* json_file; /* NULL: standard output */
  bool markdown;
  bool drain;
  sg_fabric_pace_t pace;
  const char* ini;     /* -f, NULL: none */
  const char* config;  /* -c, NULL: not given; the same for the next two */
  const char* runs;    /* -r */
  const char* query;   /* -q */
  unsigned jobs;       /* -j, 0: not given */
  char** simgrid_argv; /* the command's name and what follows "--", NULL at the end */
  int simgrid_argc;
} runner_options_t;

typedef struct runner_command {
  const char* name;
  const char* summary;          /* one line */
  const char* const* arguments; /* names of those that are not options, NULL at the end */
  bool needs_arguments;         /* all of them, unless an ini file is given */
  const char* const* options;   /* names of the long options it takes, NULL at the end; --help is taken by all */
  const char* letters;          /* short options, as getopt wants them; -h is taken by all */
  bool takes_simgrid_options;
  bool json_to_file; /* --json is followed by a name */
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

/* Print "sgfabric: <file>:<line>: <reason>", and without "sgfabric: ". Returns RUNNER_FAILED. */
int runner_fail(const sgf_error_t* error);
void runner_print_error(const sgf_error_t* error, FILE* out);

/* `count` zeroed items; a text as snprintf writes it. They end the process when there is no memory. */
void* runner_calloc(size_t count, size_t size);
char* runner_format(const char* format, ...) SGF_PRINTF(1, 2);

/* ---- Commands, each in the file of its name ---------------------------------------------------------------------- */

int runner_run(const runner_options_t* options);
void runner_run_help(void);
int runner_check(const runner_options_t* options);
void runner_check_help(void);
int runner_explain(const runner_options_t* options);
void runner_explain_help(void);
int runner_attributes(const runner_options_t* options);
void runner_attributes_help(void);
int runner_exec(const runner_options_t* options);
void runner_exec_help(void);

/* explain_json.c: the same facts for programs (README.md). */
sgf_status_t runner_explain_json(const sgf_fabric_t* fabric, FILE* out, sgf_error_t* error);

struct json_t; /* jansson's */

/* json.c: write a value and release it; the warnings of a fabric as an array. */
sgf_status_t runner_write_json(struct json_t* root, FILE* out, sgf_error_t* error);
struct json_t* runner_json_warnings(const sgf_fabric_t* fabric);

/* ---- Jobs (job.c): what is simulated in one process ------------------------------------------------------------- */

typedef struct runner_job {
  const runner_options_t* options;
  char* platform;
  char* deployment;
  uint64_t seed;
  opp_simtime_t time_limit; /* -1: none */
  opp_ini_run_t* run;       /* NULL: of no ini file */
  char** warnings;          /* lines of the ini file that have no effect */
  size_t warning_count;
} runner_job_t;

/* What the command line alone says, and what it says together with run `number` of a configuration. */
void runner_job_of_options(runner_job_t* job, const runner_options_t* options);
sgf_status_t runner_job_of_run(runner_job_t* job, const runner_options_t* options, const opp_ini_t* ini,
                               const char* config, size_t number, sgf_error_t* error);
void runner_job_free(runner_job_t* job);

/* Load, simulate, print. Once in a process: SimGrid takes one platform. Returns an exit status. */
int runner_job_simulate(const runner_job_t* job);

/* Whether a pattern of an ini file sets an option of objects, such as **.vector-recording. */
bool runner_is_object_option(const char* key);

/* "Run 3 of General: $load=0.5, $repetition=0" and a new line. */
void runner_print_run(const opp_ini_run_t* run, FILE* out);

/* ---- Studies (study.c, processes.c): the runs of an ini file ----------------------------------------------------- */

int runner_study(const runner_options_t* options);

/* Which of `count` runs a list such as "0..5,8" names. NULL list: all of them. False: it is no such list. */
bool runner_select_runs(const char* list, size_t count, bool* selected);

/* Simulate runs in a process each, at most `options->jobs` of them at a time; what they print keeps their order. */
int runner_processes(const runner_options_t* options, const opp_ini_t* ini, const char* config, const size_t* numbers,
                     size_t count);

/* ---- Results (summary.c, json.c) ------------------------------------------------------------------------------- */

enum { RUNNER_MAX_WAITS = 20, RUNNER_WAIT_SIZE = 256 };

/* What a run has come to. */
typedef struct runner_result {
  const runner_job_t* job;
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

size_t runner_warning_count(const runner_result_t* result);
const char* runner_warning(const runner_result_t* result, size_t i); /* the ini file's, then the fabric's */

/* "complete: 8 flows, lossless", or what waits for what and "NOT COMPLETE: ...". */
void runner_print_verdict(const runner_result_t* result, FILE* out);

/* For programs: one JSON object (README.md). */
sgf_status_t runner_print_json(const runner_result_t* result, FILE* out, sgf_error_t* error);

/* The object of a run that came to no result. */
sgf_status_t runner_print_json_failure(const opp_ini_run_t* run, const char* reason, FILE* out, sgf_error_t* error);

/* A list of runs with their variables, for -q. */
sgf_status_t runner_print_json_runs(const opp_ini_run_t* const* runs, size_t count, FILE* out, sgf_error_t* error);

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
