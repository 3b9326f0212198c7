/* What the files of the command share. */
#ifndef SGFABRIC_RUNNER_INTERNAL_H
#define SGFABRIC_RUNNER_INTERNAL_H

#include <sgfabric/opp_ini.h>
#include <sgfabric/scenario.h>
#include <sgfabric/simgrid.h>
#include <sgfabric/workload.h>
#include <stdio.h>

#include "report/report.h"

/* Exit statuses of the command. */
enum {
  RUNNER_COMPLETE     = 0,
  RUNNER_FAILED       = 1,
  RUNNER_USAGE        = 2,
  RUNNER_NOT_ATTACHED = 125, /* of `exec`, as of env and timeout: the command itself has failed, and not the program */
  RUNNER_NO_PROGRAM   = 127
};

/* ---- Options (options.c) --------------------------------------------------------------------------------------- */

enum { RUNNER_MAX_ARGUMENTS = 3 };

typedef struct runner_options {
  const char* arguments[RUNNER_MAX_ARGUMENTS]; /* those that are not options, in order; NULL: not given */
  sgf_assignment_t* assignments;               /* --set */
  size_t assignment_count;
  const char** values; /* of the form NAME=VALUE */
  size_t value_count;
  const char* switch_name; /* NULL: not given */
  int port;                /* -1: not given */
  uint64_t seed;           /* 1 unless it is given */
  bool seed_given;
  bool json;
  const char* json_file; /* NULL: standard output */
  const char* results;   /* folder of CSV records; NULL: not given */
  bool victims;
  const char* without; /* NULL: not given */
  const char* make;    /* pattern of a connection matrix; NULL: not given */
  const char* nic;     /* NIC model; NULL: not given */
  const char* output;  /* -o, NULL: not given */
  bool markdown;
  bool table; /* a row for each run of an ini file */
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
  bool takes_values; /* arguments of the form NAME=VALUE, any number of them */
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

/* ---- A run of an ini file (ini.c) ---------------------------------------------------------------------------------
 */

/* The run that -f, -c and -r name, or that there is. Both are to be freed, after an error too. */
sgf_status_t runner_read_run(const runner_options_t* options, opp_ini_t** ini, opp_ini_run_t** run, sgf_error_t* error);

/* "Run 3 of General: $load=0.5, $repetition=0" and a new line. */
void runner_print_run(const opp_ini_run_t* run, FILE* out);

/* What its records are named after: "General-x=1-#0", as .sca files are; without a run (NULL) after the file of the
 * traffic, "incast8" of "incast8.cm". To be freed. */
char* runner_results_name(opp_ini_run_t* run, const char* file);

/* What a run (NULL: none) and --set over it assign, later ones first in rank. */
typedef struct runner_assignments {
  sgf_assignment_t* all;
  size_t count;
  sgf_assignment_t* lines; /* those of the run, which `all` begins with */
  size_t line_count;
} runner_assignments_t;

void runner_assign(runner_assignments_t* assignments, const opp_ini_run_t* run, const runner_options_t* options);
void runner_assignments_free(runner_assignments_t* assignments);

/* Lines that have no effect, and what else is to be told with the results. */
typedef struct runner_warnings {
  char** texts;
  size_t count;
} runner_warnings_t;

void runner_warn(runner_warnings_t* warnings, char* text); /* takes the text */
void runner_warn_of(runner_warnings_t* warnings, const opp_ini_entry_t* entry, const char* text);
/* Of those of `options` (NULL at the end) that the run sets. */
void runner_warn_of_options(runner_warnings_t* warnings, opp_ini_run_t* run, const char* const* options,
                            const char* text);
void runner_warnings_free(runner_warnings_t* warnings);

/* load.c: build the fabric that a command only looks at, of the platform and with the assignments of its command line,
 * over those of a run of an ini file if one is given. NULL: what is wrong has been printed. */
sgf_scenario_t* runner_load(const runner_options_t* options);

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
int runner_cm(const runner_options_t* options);
void runner_cm_help(void);
int runner_import(const runner_options_t* options);
void runner_import_help(void);
int runner_budget(const runner_options_t* options);
void runner_budget_help(void);

/* watch.c: run a program of somebody else's to its end; say so if no simulation in it has taken the fabric, or if
 * several have written `json_file` (NULL: none). Returns an exit status: the program's, or one of those above. If a
 * signal has ended the program, it ends this process too. */
int runner_watch(char** argv, const char* json_file);

/* explain_json.c: the same facts for programs (README.md). */
sgf_status_t runner_explain_json(const sgf_fabric_t* fabric, FILE* out, sgf_error_t* error);

/* ---- Tables (table.c): a row for each run of a study, its variables first ---------------------------------------- */

typedef struct runner_table {
  char** titles; /* those of the variables, and of the figures */
  size_t columns;
  size_t variables;
  bool repeats; /* runs have a repetition number */
  report_table_t rows;
} runner_table_t;

/* Add a run and what report_print_row has printed of it; without a line, it has come to nothing. All runs have the same
 * variables. */
void runner_table_add(runner_table_t* table, opp_ini_run_t* run, const char* line);
void runner_table_print(runner_table_t* table, FILE* out); /* and empty it */

/* ---- Jobs (job.c): what is simulated in one process ------------------------------------------------------------- */

typedef struct runner_job {
  const runner_options_t* options;
  char* platform;
  char* deployment;
  char* results; /* folder of CSV records; NULL: none are written */
  uint64_t seed;
  opp_simtime_t time_limit; /* -1: none */
  opp_ini_run_t* run;       /* NULL: of no ini file */
  runner_warnings_t warnings;
} runner_job_t;

/* What the command line alone says, and what it says together with run `number` of a configuration. */
void runner_job_of_options(runner_job_t* job, const runner_options_t* options);
sgf_status_t runner_job_of_run(runner_job_t* job, const runner_options_t* options, const opp_ini_t* ini,
                               const char* config, size_t number, sgf_error_t* error);
void runner_job_free(runner_job_t* job);

/* Set the platform that the job's run names, unless the job has one. */
sgf_status_t runner_job_platform(runner_job_t* job, sgf_error_t* error);

/* Load, simulate, print. Once in a process: SimGrid takes one platform. Returns an exit status. */
int runner_job_simulate(const runner_job_t* job);

/* Print what a run has come to, as tables or as JSON. `result` gets its report, and its victims if the options ask for
 * them, for which `again` builds the fabric once more. Returns an exit status. */
int runner_say(const runner_options_t* options, report_result_t* result, report_again_cb again, void* user);

/* ---- Studies (study.c, processes.c): the runs of an ini file ----------------------------------------------------- */

int runner_study(const runner_options_t* options);

/* Which of `count` runs a list such as "0..5,8" names. NULL list: all of them. False: it is no such list. */
bool runner_select_runs(const char* list, size_t count, bool* selected);

/* Simulate runs in a process each, at most `options->jobs` of them at a time; what they print keeps their order. */
int runner_processes(const runner_options_t* options, const opp_ini_t* ini, const char* config, const size_t* numbers,
                     size_t count);

#endif
