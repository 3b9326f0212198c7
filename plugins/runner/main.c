/* sgfabric: the command. */
#include "runner/runner_internal.h"

#include <sgfabric/version.h>
#include <string.h>

static const char* const run_arguments[] = {"PLATFORM", "DEPLOYMENT", NULL};
static const char* const run_options[]   = {"set",     "seed",    "json",    "no-drain", "pace",
                                            "results", "victims", "without", "table",    NULL};
static const char* const no_arguments[]  = {NULL};
static const char* const exec_options[]  = {"set", "seed", "json", "no-drain", "results", "victims", "without", NULL};
static const char* const platform_arguments[]   = {"PLATFORM", NULL};
static const char* const matrix_arguments[]     = {"FILE", "PLATFORM", NULL};
static const char* const matrix_options[]       = {"set",  "seed",    "json",    "no-drain", "results",
                                                   "make", "victims", "without", NULL};
static const char* const import_arguments[]     = {"FORMAT", "TOPOLOGY", "FLOWS", NULL};
static const char* const import_options[]       = {"nic", NULL};
static const char* const check_options[]        = {"set", NULL};
static const char* const explain_options[]      = {"set", "json", NULL};
static const char* const budget_options[]       = {"set", "switch", "port", "json", NULL};
static const char* const attributes_arguments[] = {"PREFIX", NULL};
static const char* const attributes_options[]   = {"markdown", NULL};

static const runner_command_t commands[] = {
    {"run", "simulate the actors of a deployment on a platform, or the runs of an ini file", run_arguments, true,
     run_options, "f:c:r:j:q:", true, false, false, runner_run_help, runner_run},
    {"exec", "run a SimGrid program, MPI and Python too, whose messages take the fabric", no_arguments, false,
     exec_options, "f:c:r:", true, true, false, runner_exec_help, runner_exec},
    {"cm", "simulate a connection matrix of htsim's on a platform", matrix_arguments, false, matrix_options,
     "f:c:r:", false, false, false, runner_cm_help, runner_cm},
    {"import", "turn a topology of HPCC's or htsim's into a platform", import_arguments, false, import_options,
     "o:", false, false, false, runner_import_help, runner_import},
    {"check", "validate a platform and print its graph", platform_arguments, true, check_options, "f:c:r:", false,
     false, false, runner_check_help, runner_check},
    {"explain", "print every number that a platform's attributes come to", platform_arguments, true, explain_options,
     "f:c:r:", false, false, false, runner_explain_help, runner_explain},
    {"budget", "calculate what a buffer must hold, from given values or a platform's", platform_arguments, false,
     budget_options, "", false, false, true, runner_budget_help, runner_budget},
    {"attributes", "print the attributes there are", attributes_arguments, false, attributes_options, "", false, false,
     false, runner_attributes_help, runner_attributes},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE* out)
{
  fputs("Usage: sgfabric COMMAND [ARGUMENT]...\n"
        "A packet-level data-centre fabric for SimGrid.\n\n",
        out);
  for (size_t i = 0; i < COMMANDS; i++)
    fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fputs("\n  --help     this text; 'sgfabric COMMAND --help' for a command\n"
        "  --version  the version\n",
        out);
}

static int run_command(const runner_command_t* command, int argc, char** argv)
{
  runner_options_t options;
  int status;
  if (runner_options_read(command, argc, argv, &options, &status))
    status = command->run(&options);
  runner_options_free(&options);
  return status;
}

static int run(int argc, char** argv)
{
  if (argc < 2) {
    print_help(stderr);
    return RUNNER_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return RUNNER_COMPLETE;
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("sgfabric " SGF_VERSION);
    return RUNNER_COMPLETE;
  }
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(argv[1], commands[i].name) == 0)
      return run_command(&commands[i], argc - 1, argv + 1);

  const char* words[COMMANDS + 3] = {"--help", "--version"};
  for (size_t i = 0; i < COMMANDS; i++)
    words[2 + i] = commands[i].name;
  return runner_misuse(NULL, argv[1], words, "there is no %s %s", argv[1][0] == '-' ? "option" : "command", argv[1]);
}

/* What has been printed counts only where it has been taken; a command that fails has said why. */
int main(int argc, char** argv)
{
  const int status  = run(argc, argv);
  sgf_error_t error = {0};
  if ((fflush(stdout) == 0 && !ferror(stdout)) || status != RUNNER_COMPLETE)
    return status;
  sgf_error_set(&error, SGF_IO, "the results could not be written");
  return runner_fail(&error);
}
