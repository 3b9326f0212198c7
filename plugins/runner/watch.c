/* A program of somebody else's, in a process of its own: what comes to the command goes on to it, and when it has ended
 * it is known whether a simulation has taken the fabric. */
#define _GNU_SOURCE
#include "runner_internal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t program_id;

/* What a terminal sends, it sends to the program too. */
static void pass_on(int number, siginfo_t* info, void* context)
{
  (void)context;
  const int kept           = errno;
  const bool of_a_terminal = info->si_code > 0;
  if (!of_a_terminal)
    kill((pid_t)program_id, number);
  errno = kept;
}

static void pass_signals_on(pid_t program)
{
  static const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
  struct sigaction action   = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
  program_id                = program;
  for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
    struct sigaction present;
    sigaction(passed[i], NULL, &present);
    if (present.sa_handler != SIG_IGN) /* as nohup leaves it: the program ignores it too */
      sigaction(passed[i], &action, NULL);
  }
}

/* As the program did, so that who has started the command sees the same; the program has left a core if it was to. */
static int die_of(int number)
{
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  signal(number, SIG_DFL);
  raise(number);
  return 128 + number;
}

/* ---- The program ---------------------------------------------------------------------------------------------------
 */

static void become(char** argv, void (*children)(int))
{
  signal(SIGCHLD, children);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* the program does not outlive the command, however that ends */
  execvp(argv[0], argv);
  fprintf(stderr, "sgfabric: %s: %s\n", argv[0], strerror(errno));
  report_note(REPORT_NO_PROGRAM);
  _exit(RUNNER_NO_PROGRAM);
}

/* The status as waitpid gives it; -1: there is no process. */
static int run(char** argv)
{
  void (*children)(int) = signal(SIGCHLD, SIG_DFL); /* were it ignored, the system would forget how the program ends */
  const pid_t program   = fork();
  if (program == 0)
    become(argv, children);
  if (program < 0) {
    fprintf(stderr, "sgfabric: %s: %s\n", argv[0], strerror(errno));
    return -1;
  }
  pass_signals_on(program);
  int status;
  while (waitpid(program, &status, 0) < 0)
    continue;
  return status;
}

/* ---- What became of it ------------------------------------------------------------------------------------------- */

static void say_that_none_attached(const char* program, const report_notes_t* notes)
{
  fputs("sgfabric: no simulation attached: ", stderr);
  if (report_notes_count(notes, REPORT_LOADED) == 0)
    fprintf(
        stderr,
        "libsgfabric-model.so was never loaded: %s is linked statically, or LD_PRELOAD does not hold for it (another "
        "user's rights, another environment)\n",
        program);
  else if (report_notes_count(notes, REPORT_PLATFORM) == 0)
    fprintf(stderr,
            "%s, and what it started, loaded no platform file into SimGrid: it uses no SimGrid, or one that is linked "
            "statically or started without LD_PRELOAD\n",
            program);
  else
    fprintf(stderr, "%s loaded a platform file and ended before a simulation began\n", program);
}

/* Returns whether a simulation attached. */
static bool say_what_attached(const char* program, const char* json_file, const report_notes_t* notes)
{
  const size_t attached = report_notes_count(notes, REPORT_ATTACHED);
  if (attached > 1 && json_file != NULL)
    fprintf(stderr, "sgfabric: warning: %s wrote %s; it holds the last one's results\n",
            report_counted(attached, "simulation").at, json_file);
  if (attached == 0 && report_notes_count(notes, REPORT_REFUSED) == 0)
    say_that_none_attached(program, notes);
  return attached > 0;
}

int runner_watch(char** argv, const char* json_file)
{
  sgf_error_t error = {0};
  report_notes_t notes;
  if (report_notes_open(&notes, &error) != SGF_OK) {
    report_notes_close(&notes);
    return runner_fail(&error);
  }
  const int status    = run(argv);
  const bool began    = status != -1 && report_notes_count(&notes, REPORT_NO_PROGRAM) == 0;
  const bool attached = began && say_what_attached(argv[0], json_file, &notes);
  report_notes_close(&notes);
  if (status == -1)
    return RUNNER_FAILED;
  if (WIFSIGNALED(status))
    return die_of(WTERMSIG(status));
  if (WEXITSTATUS(status) == 0 && !attached)
    return RUNNER_NOT_ATTACHED;
  return WEXITSTATUS(status);
}
