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

enum { RUNNER_MAX_ARGUMENTS = 2 };

typedef struct runner_options {
  const char* arguments[RUNNER_MAX_ARGUMENTS]; /* those that are not options, in order; NULL: not given */
  sgf_assignment_t* assignments;               /* --set */
  size_t assignment_count;
  uint64_t seed; /* 1 unless it is given */
  bool seed_given;
  bool json;
  const char* json_file; /* NULL: standard output */
  const char* results;   /* folder of CSV records; NULL: not given */
  const char* make;      /* pattern of a connection matrix; NULL: not given */
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

/* Build the fabric that a command only looks at, of the platform and with the assignments of its command line. NULL:
 * what is wrong has been printed. */
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

/* watch.c: run a program of somebody else's to its end; say so if no simulation in it has taken the fabric, or if
 * several have written `json_file` (NULL: none). Returns an exit status: the program's, or one of those above. If a
 * signal has ended the program, it ends this process too. */
int runner_watch(char** argv, const char* json_file);

/* explain_json.c: the same facts for programs (README.md). */
sgf_status_t runner_explain_json(const sgf_fabric_t* fabric, FILE* out, sgf_error_t* error);

/* ---- Jobs (job.c): what is simulated in one process ------------------------------------------------------------- */

typedef struct runner_job {
  const runner_options_t* options;
  char* platform;
  char* deployment;
  char* results; /* folder of CSV records; NULL: none are written */
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

/* What the records of a run of an ini file are named after: "General-x=1-#0", as .sca files are. To be freed. */
char* runner_results_name(opp_ini_run_t* run);

/* Load, simulate, print. Once in a process: SimGrid takes one platform. Returns an exit status. */
int runner_job_simulate(const runner_job_t* job);

/* Print what a run has come to, as tables or as JSON. `result` gets its report. Returns an exit status. */
int runner_say(const runner_options_t* options, report_result_t* result);

/* Whether a pattern of an ini file sets an option of objects, such as **.vector-recording. */
bool runner_is_object_option(const char* key);

/* "Run 3 of General: $load=0.5, $repetition=0" and a new line. */
void runner_print_run(const opp_ini_run_t* run, FILE* out);

/* ---- Studies (study.c, processes.c): the runs of an ini file ----------------------------------------------------- */

int runner_study(const runner_options_t* options);

/* Which of `count` runs a list such as "0..5,8" names. NULL list: all of them. False: it is no such list. */
bool runner_select_runs(const char* list, size_t count, bool* selected);

/* exec.c: the one of `count` runs that -r names, or that there is; SIZE_MAX: there is none, or one has to be named. */
size_t runner_chosen_run(const runner_options_t* options, size_t count);

/* Simulate runs in a process each, at most `options->jobs` of them at a time; what they print keeps their order. */
int runner_processes(const runner_options_t* options, const opp_ini_t* ini, const char* config, const size_t* numbers,
                     size_t count);

#endif
