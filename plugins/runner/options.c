/* Arguments of the commands, and what is said of wrong ones. */
#include "runner_internal.h"

#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPTION_SET = 256, /* above every letter */
  OPTION_SEED,
  OPTION_JSON,
  OPTION_MARKDOWN,
  OPTION_NO_DRAIN,
  OPTION_PACE,
  OPTION_RESULTS,
  OPTION_MAKE,
  OPTION_NIC,
  OPTION_SWITCH,
  OPTION_PORT,
  OPTION_VICTIMS,
  OPTION_WITHOUT,
  OPTION_TABLE,
  OPTION_HELP = 'h',
  MAX_OPTIONS = 12,
  MAX_JOBS    = 256
};

static const struct option all_options[] = {
    {"set", required_argument, NULL, OPTION_SET},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"json", no_argument, NULL, OPTION_JSON},
    {"no-drain", no_argument, NULL, OPTION_NO_DRAIN},
    {"pace", required_argument, NULL, OPTION_PACE},
    {"markdown", no_argument, NULL, OPTION_MARKDOWN},
    {"results", required_argument, NULL, OPTION_RESULTS},
    {"make", required_argument, NULL, OPTION_MAKE},
    {"nic", required_argument, NULL, OPTION_NIC},
    {"switch", required_argument, NULL, OPTION_SWITCH},
    {"port", required_argument, NULL, OPTION_PORT},
    {"victims", no_argument, NULL, OPTION_VICTIMS},
    {"without", required_argument, NULL, OPTION_WITHOUT},
    {"table", no_argument, NULL, OPTION_TABLE},
    {"help", no_argument, NULL, OPTION_HELP},
};
static const size_t all_option_count = sizeof all_options / sizeof *all_options;

static size_t length_of(const char* const* names)
{
  size_t count = 0;
  while (names && names[count])
    count++;
  return count;
}

int runner_misuse(const runner_command_t* command, const char* name, const char* const* names, const char* format, ...)
{
  va_list args;
  va_start(args, format);
  fputs("sgfabric: ", stderr);
  vfprintf(stderr, format, args);
  va_end(args);
  const char* nearest = names ? sgf_nearest_name(name, names, length_of(names)) : NULL;
  if (nearest)
    fprintf(stderr, "; did you mean %s?", nearest);
  fprintf(stderr, "\n'sgfabric %s%s--help' says more.\n", command ? command->name : "", command ? " " : "");
  return RUNNER_USAGE;
}

void runner_print_error(const sgf_error_t* error, FILE* out)
{
  if (error->file[0] && error->line > 0)
    fprintf(out, "%s:%d: ", error->file, error->line);
  else if (error->file[0])
    fprintf(out, "%s: ", error->file);
  fputs(error->text, out);
}

int runner_fail(const sgf_error_t* error)
{
  fputs("sgfabric: ", stderr);
  runner_print_error(error, stderr);
  fputc('\n', stderr);
  return RUNNER_FAILED;
}

static bool takes(const runner_command_t* command, const char* option)
{
  for (const char* const* name = command->options; *name; name++)
    if (strcmp(*name, option) == 0)
      return true;
  return strcmp(option, "help") == 0;
}

/* The command's part of all options, with an end mark as getopt_long wants it. */
static void select_options(const runner_command_t* command, struct option* selected)
{
  size_t count = 0;
  for (size_t i = 0; i < all_option_count; i++)
    if (takes(command, all_options[i].name)) {
      selected[count] = all_options[i];
      if (selected[count].val == OPTION_JSON && command->json_to_file)
        selected[count].has_arg = required_argument;
      count++;
    }
  selected[count] = (struct option){0};
}

/* The option that getopt_long stopped at, as `written`: it is unknown, lacks its value, or has one that it does not
 * take. */
static int refuse_option(const runner_command_t* command, int code, const struct option* selected, const char* written)
{
  if (optopt > 0 && optopt != OPTION_HELP && optopt < OPTION_SET)
    return code == ':' ? runner_misuse(command, NULL, NULL, "-%c needs a value", optopt)
                       : runner_misuse(command, NULL, NULL, "%s has no option -%c", command->name, optopt);
  char dashed[MAX_OPTIONS][16];
  const char* names[MAX_OPTIONS + 1] = {NULL};
  for (size_t i = 0; selected[i].name; i++) {
    snprintf(dashed[i], sizeof dashed[i], "--%s", selected[i].name);
    names[i] = dashed[i];
    if (optopt == selected[i].val)
      return runner_misuse(command, NULL, NULL, code == ':' ? "%s needs a value" : "%s takes no value", names[i]);
  }
  char cut[64];
  snprintf(cut, sizeof cut, "%.*s", (int)strcspn(written, "="), written);
  return runner_misuse(command, cut, names, "%s has no option %s", command->name, cut);
}

/* A whole number within bounds. */
static bool read_number(const runner_command_t* command, const char* option, const char* text, uint64_t least,
                        uint64_t most, uint64_t* number)
{
  sgf_error_t error = {0};
  if (sgf_parse_uint(text, option, number, &error) == SGF_OK && (*number < least || *number > most))
    sgf_error_set(&error, SGF_RANGE, "%s = \"%s\": not within %llu..%llu", option, text, (unsigned long long)least,
                  (unsigned long long)most);
  if (error.status != SGF_OK)
    runner_misuse(command, NULL, NULL, "%s", error.text);
  return error.status == SGF_OK;
}

static bool read_jobs(const runner_command_t* command, const char* text, unsigned* jobs)
{
  uint64_t number = 0;
  bool good       = read_number(command, "-j", text, 1, MAX_JOBS, &number);
  *jobs           = (unsigned)number;
  return good;
}

static bool read_port(const runner_command_t* command, const char* text, int* port)
{
  uint64_t number = 0;
  bool good       = read_number(command, "--port", text, 0, INT_MAX, &number);
  *port           = (int)number;
  return good;
}

static bool read_without(const runner_command_t* command, const char* text, const char** without)
{
  *without = text;
  if (report_is_pair_of_patterns(text))
    return true;
  runner_misuse(command, NULL, NULL, "--without takes a pair of hosts, such as 'gpu0->gpu*', not %s", text);
  return false;
}

static bool read_query(const runner_command_t* command, const char* text, const char** query)
{
  static const char* const queries[] = {"runs", NULL};
  *query                             = text;
  if (strcmp(text, queries[0]) == 0)
    return true;
  runner_misuse(command, text, queries, "-q lists runs, not %s", text);
  return false;
}

static bool read_pace(const runner_command_t* command, const char* text, sg_fabric_pace_t* pace)
{
  static const char* const paces[] = {"lazy", "reference", NULL}; /* in order of sg_fabric_pace_t */
  for (size_t i = 0; paces[i]; i++)
    if (strcmp(text, paces[i]) == 0) {
      *pace = (sg_fabric_pace_t)i;
      return true;
    }
  runner_misuse(command, text, paces, "--pace is lazy or reference, not %s", text);
  return false;
}

/* "rate=400Gbps": what stands before the sign is no path of a file. */
static bool is_value(const char* text)
{
  const size_t length = strcspn(text, "=./");
  return length > 0 && text[length] == '=';
}

/* An argument that is no option: a value, or the next one that the command names. */
static bool read_argument(const runner_command_t* command, const char* text, size_t* count, runner_options_t* options)
{
  if (command->takes_values && is_value(text)) {
    options->values[options->value_count++] = text;
    return true;
  }
  if (*count == length_of(command->arguments)) {
    const bool runs_program = command->takes_simgrid_options && *count == 0;
    runner_misuse(command, NULL, NULL, "%s takes no further argument: %s%s", command->name, text,
                  runs_program ? "; a program and its arguments stand behind --" : "");
    return false;
  }
  options->arguments[(*count)++] = text;
  return true;
}

static bool read_option(const runner_command_t* command, int code, runner_options_t* options)
{
  switch (code) {
    case OPTION_SET:
      options->assignments[options->assignment_count++].text = optarg;
      return true;
    case OPTION_SEED:
      options->seed_given = true;
      return read_number(command, "--seed", optarg, 0, INT64_MAX, &options->seed);
    case OPTION_JSON:
      options->json      = true;
      options->json_file = optarg;
      return true;
    case OPTION_MARKDOWN:
      options->markdown = true;
      return true;
    case OPTION_NO_DRAIN:
      options->drain = false;
      return true;
    case OPTION_RESULTS:
      options->results = optarg;
      return true;
    case OPTION_MAKE:
      options->make = optarg;
      return true;
    case OPTION_NIC:
      options->nic = optarg;
      return true;
    case OPTION_SWITCH:
      options->switch_name = optarg;
      return true;
    case OPTION_PORT:
      return read_port(command, optarg, &options->port);
    case OPTION_TABLE:
      options->table = true;
      return true;
    case OPTION_VICTIMS:
      options->victims = true;
      return true;
    case OPTION_WITHOUT:
      return read_without(command, optarg, &options->without);
    case OPTION_PACE:
      return read_pace(command, optarg, &options->pace);
    case 'f':
      options->ini = optarg;
      return true;
    case 'c':
      options->config = optarg;
      return true;
    case 'r':
      options->runs = optarg;
      return true;
    case 'o':
      options->output = optarg;
      return true;
    case 'q':
      return read_query(command, optarg, &options->query);
    default: /* 'j' */
      return read_jobs(command, optarg, &options->jobs);
  }
}

/* What is missing once all arguments have been read. */
static bool is_whole(const runner_command_t* command, size_t arguments, const runner_options_t* options)
{
  const bool of_ini[] = {options->config != NULL, options->runs != NULL, options->query != NULL, options->jobs > 0};
  for (size_t i = 0; options->ini == NULL && i < sizeof of_ini / sizeof *of_ini; i++)
    if (of_ini[i]) {
      runner_misuse(command, NULL, NULL, "-%c needs an ini file: -f INI", "crqj"[i]);
      return false;
    }
  if (options->without != NULL && !options->victims) {
    runner_misuse(command, NULL, NULL, "--without says what the victims are compared with: it needs --victims");
    return false;
  }
  if (command->needs_arguments && options->ini == NULL && arguments < length_of(command->arguments)) {
    runner_misuse(command, NULL, NULL, "%s needs a %s", command->name, command->arguments[arguments]);
    return false;
  }
  return true;
}

/* Takes what follows "--" out of the arguments; returns how many are left. */
static int split_off_simgrid_options(int argc, char** argv, runner_options_t* options)
{
  int own = 1;
  while (own < argc && strcmp(argv[own], "--") != 0)
    own++;
  options->simgrid_argv                          = report_calloc((size_t)argc + 1, sizeof *options->simgrid_argv);
  options->simgrid_argv[options->simgrid_argc++] = argv[0];
  for (int i = own + 1; i < argc; i++)
    options->simgrid_argv[options->simgrid_argc++] = argv[i];
  return own;
}

/* Goes through the command's own arguments in the order in which they are written. */
static bool read_own(const runner_command_t* command, int argc, char** argv, runner_options_t* options, int* status)
{
  struct option selected[MAX_OPTIONS];
  select_options(command, selected);
  char letters[16];
  snprintf(letters, sizeof letters, "-:h%s", command->letters);
  size_t arguments = 0;
  opterr           = 0;
  optind           = 1;
  for (int code; (code = getopt_long(argc, argv, letters, selected, NULL)) != -1;) {
    if (code == OPTION_HELP) {
      command->help();
      *status = RUNNER_COMPLETE;
      return false;
    }
    if (code == '?' || code == ':') {
      *status = refuse_option(command, code, selected, argv[optind - 1]);
      return false;
    }
    if (!(code == 1 ? read_argument(command, optarg, &arguments, options) : read_option(command, code, options)))
      return false;
  }
  return is_whole(command, arguments, options);
}

bool runner_options_read(const runner_command_t* command, int argc, char** argv, runner_options_t* options, int* status)
{
  *options             = (runner_options_t){.seed = 1, .drain = true, .pace = SG_FABRIC_LAZY, .port = -1};
  options->assignments = report_calloc((size_t)argc, sizeof *options->assignments);
  options->values      = report_calloc((size_t)argc, sizeof *options->values);
  *status              = RUNNER_USAGE;
  int own              = split_off_simgrid_options(argc, argv, options);
  if (own < argc && !command->takes_simgrid_options) {
    runner_misuse(command, NULL, NULL, "%s takes no SimGrid options", command->name);
    return false;
  }
  return read_own(command, own, argv, options, status);
}

void runner_options_free(runner_options_t* options)
{
  free(options->assignments);
  free(options->values);
  free(options->simgrid_argv);
}
