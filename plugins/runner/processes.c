/* A process for each run, because SimGrid takes one platform in a process. A run prints into a file without a name;
 * what it has printed is shown when its turn comes. */
#include "runner_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_KEPT = 64 }; /* runs that have ended and wait for their turn, with a file or two each */

typedef struct process {
  pid_t id; /* 0: not started yet */
  bool ended;
  int status; /* as waitpid gives it */
  FILE* out;  /* what goes to standard output; until it has been shown */
  FILE* err;  /* to the error output; NULL: it goes there at once */
} process_t;

typedef struct study {
  const runner_options_t* options;
  const opp_ini_t* ini;
  const char* config;
  const size_t* numbers;
  process_t* processes;
  size_t count;
  size_t started;
  size_t running;
  size_t shown;
  size_t complete;
  int lacking;            /* errno of what the system had none left of; 0: nothing */
  runner_table_t table;   /* with --table, as the next one */
  runner_warnings_t said; /* lines of the error output */
} study_t;

/* ---- Starting -------------------------------------------------------------------------------------------------- */

/* In the process of the run. */
static int simulate(const study_t* study, const process_t* process, size_t number)
{
  sgf_error_t error = {0};
  runner_job_t job;
  if (dup2(fileno(process->out), STDOUT_FILENO) < 0 ||
      (process->err != NULL && dup2(fileno(process->err), STDERR_FILENO) < 0))
    return RUNNER_FAILED;
  clearerr(stdout); /* what the command could not print is no failure of this run */
  int status = RUNNER_FAILED;
  if (runner_job_of_run(&job, study->options, study->ini, study->config, number, &error) == SGF_OK)
    status = runner_job_simulate(&job);
  else
    runner_fail(&error);
  runner_job_free(&job);
  return status;
}

static void close_files(process_t* process)
{
  if (process->out != NULL)
    fclose(process->out);
  if (process->err != NULL)
    fclose(process->err);
  process->out = process->err = NULL;
}

static bool open_files(process_t* process, bool of_its_own)
{
  process->out = tmpfile();
  if (process->out != NULL && of_its_own)
    process->err = tmpfile();
  return process->out != NULL && (process->err != NULL || !of_its_own);
}

/* Returns false when the system has no process or file left. */
static bool start(study_t* study)
{
  process_t* process = &study->processes[study->started];
  if (open_files(process, study->options->jobs > 1)) {
    fflush(NULL); /* or the child would write what waits in the buffers a second time */
    process->id = fork();
  } else {
    process->id = -1;
  }
  if (process->id < 0) {
    study->lacking = errno;
    close_files(process);
    return false;
  }
  if (process->id == 0)
    exit(simulate(study, process, study->numbers[study->started]));
  study->started++;
  study->running++;
  return true;
}

/* ---- Showing --------------------------------------------------------------------------------------------------- */

static size_t copy(FILE* from, FILE* to)
{
  char block[1 << 14];
  size_t total = 0;
  rewind(from);
  for (size_t got; (got = fread(block, 1, sizeof block, from)) > 0; total += got)
    fwrite(block, 1, got, to);
  fclose(from);
  return total;
}

/* A run that a signal ended, or that printed nothing, was ended by something else than the command. */
static void show_loss(const study_t* study, const process_t* process, bool printed)
{
  size_t number     = study->numbers[study->shown];
  sgf_error_t error = {0};
  char reason[64];
  if (WIFSIGNALED(process->status))
    snprintf(reason, sizeof reason, "ended by signal %d", WTERMSIG(process->status));
  else
    snprintf(reason, sizeof reason, "ended with status %d and no result", WEXITSTATUS(process->status));
  fprintf(stderr, "sgfabric: run %zu %s\n", number, reason);
  if (!study->options->json || printed)
    return;
  opp_ini_run_t* run = opp_ini_run_new(study->ini, study->config, number, &error);
  if (run != NULL)
    report_print_json_failure(run, reason, stdout, &error);
  opp_ini_run_free(run);
}

/* What a run has printed. Returns how much that was. */
static size_t show_output(const study_t* study, FILE* out)
{
  if (study->shown > 0)
    puts(study->options->json ? "," : "");
  const size_t printed = copy(out, stdout);
  fflush(stdout);
  return printed;
}

/* What a run warns of, which it has printed behind its row: once for all runs. */
static void show_warnings(study_t* study, FILE* out)
{
  char* line  = NULL;
  size_t room = 0;
  while (getline(&line, &room, out) > 0) {
    size_t i = 0;
    while (i < study->said.count && strcmp(study->said.texts[i], line) != 0)
      i++;
    if (i < study->said.count)
      continue;
    fprintf(stderr, "sgfabric: %s", line);
    runner_warn(&study->said, report_format("%s", line));
  }
  free(line);
}

/* The row that a run has printed. Returns how much that was. */
static size_t add_row(study_t* study, FILE* out)
{
  sgf_error_t error  = {0};
  char line[1 << 10] = "";
  opp_ini_run_t* run = opp_ini_run_new(study->ini, study->config, study->numbers[study->shown], &error);
  rewind(out);
  const bool printed = fgets(line, sizeof line, out) != NULL;
  show_warnings(study, out);
  fclose(out);
  if (run != NULL)
    runner_table_add(&study->table, run, line);
  opp_ini_run_free(run);
  return printed;
}

/* The next run in order, which has ended. */
static void show(study_t* study)
{
  process_t* process = &study->processes[study->shown];
  size_t printed     = study->options->table ? add_row(study, process->out) : show_output(study, process->out);
  if (process->err != NULL)
    copy(process->err, stderr);
  if (WIFSIGNALED(process->status) || printed == 0)
    show_loss(study, process, printed > 0);
  study->complete += WIFEXITED(process->status) && WEXITSTATUS(process->status) == RUNNER_COMPLETE;
  study->shown++;
}

/* Wait for a run to end, then show those whose turn it is. */
static void await(study_t* study)
{
  int status;
  pid_t ended = waitpid(-1, &status, 0);
  for (size_t i = study->shown; i < study->started; i++)
    if (study->processes[i].id == ended) {
      study->processes[i].ended  = true;
      study->processes[i].status = status;
      study->running--;
    }
  while (study->shown < study->started && study->processes[study->shown].ended)
    show(study);
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

int runner_processes(const runner_options_t* options, const opp_ini_t* ini, const char* config, const size_t* numbers,
                     size_t count)
{
  study_t study    = {.options = options, .ini = ini, .config = config, .numbers = numbers, .count = count};
  study.processes  = report_calloc(count, sizeof *study.processes);
  unsigned at_once = options->jobs > 0 ? options->jobs : 1;
  bool able        = true;
  bool array       = options->json && count != 1;
  if (array)
    puts("[");
  signal(SIGCHLD, SIG_DFL); /* a parent that ignores it would have made the system forget how runs end */
  while (able && study.started < count) {
    able = start(&study);
    while (study.running == at_once || study.started - study.shown == at_once + MOST_KEPT)
      await(&study);
  }
  while (study.running > 0)
    await(&study);
  free(study.processes);
  if (array)
    puts("]");
  if (options->table)
    runner_table_print(&study.table, stdout);
  runner_warnings_free(&study.said);
  if (!able)
    fprintf(stderr, "sgfabric: the system has no process or file left for a run: %s\n", strerror(study.lacking));
  fprintf(options->json ? stderr : stdout, "%s%s: %zu complete, %zu failed\n", options->json ? "" : "\n",
          report_counted(count, "run").at, study.complete, count - study.complete);
  return study.complete == count ? RUNNER_COMPLETE : RUNNER_FAILED;
}
