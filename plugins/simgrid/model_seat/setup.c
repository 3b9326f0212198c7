/* From the program's platform file and the environment to a fabric in the network model's seat. */
#define _GNU_SOURCE
#include "simgrid/model_seat/model_seat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attr/alloc.h"
#include "report/report.h"

model_seat_t model_seat = {.seed = 1, .next_profile = -1.0};

/* ---- The environment -----------------------------------------------------------------------------------------------
 */

/* A line is "PATTERN=VALUE", or one of an ini file: its number, a tab, the file, a tab, "PATTERN=VALUE". */
static sgf_assignment_t read_assignment(char* line)
{
  sgf_assignment_t assignment = {.text = line};
  char* end                   = NULL;
  const long number           = strtol(line, &end, 10);
  char* tab                   = end != line && *end == '\t' ? strchr(end + 1, '\t') : NULL;
  if (tab == NULL)
    return assignment;
  *tab = '\0';
  return (sgf_assignment_t){.text = tab + 1, .file = end + 1, .line = (int)number};
}

typedef struct assignments {
  char* lines; /* what the strings of the items are in */
  sgf_assignment_t* items;
  size_t count;
} assignments_t;

static assignments_t assignments_of_environment(void)
{
  const char* text   = getenv("SGFABRIC_SET");
  assignments_t list = {.lines = sgf_strdup(text != NULL ? text : "")};
  for (char *line = list.lines, *next; line != NULL && *line != '\0'; line = next) {
    next = strchr(line, '\n');
    if (next != NULL)
      *next++ = '\0';
    list.items               = sgf_realloc(list.items, list.count + 1, sizeof *list.items);
    list.items[list.count++] = read_assignment(line);
  }
  return list;
}

static uint64_t seed_of_environment(void)
{
  const char* text  = getenv("SGFABRIC_SEED");
  uint64_t seed     = 1;
  sgf_error_t error = {0};
  if (text != NULL && sgf_parse_uint(text, "SGFABRIC_SEED", &seed, &error) != SGF_OK)
    seat_refuse("%s", error.text);
  return seed;
}

/* ---- The fabric ----------------------------------------------------------------------------------------------------
 */

static void refuse_platform(const char* platform, const sgf_error_t* error)
{
  const char* file = error->file[0] != '\0' ? error->file : platform;
  if (error->line > 0)
    seat_refuse("%s:%d: %s", file, error->line, error->text);
  seat_refuse("%s: %s", file, error->text);
}

/* Records are named after the run of the ini file, or after the program. */
static void open_results(void)
{
  sgf_error_t error  = {0};
  const char* folder = getenv("SGFABRIC_RESULTS");
  const char* name   = getenv("SGFABRIC_RESULTS_NAME");
  if (folder == NULL)
    return;
  model_seat.results = sgf_results_open(model_seat.fabric, sgf_scenario_record_config(model_seat.scenario), folder,
                                        name != NULL ? name : program_invocation_short_name, &error);
  if (model_seat.results == NULL)
    seat_refuse("%s", error.text);
}

/* As the environment says; what is wrong with it is in `error`. */
sgf_scenario_t* seat_scenario(const char* platform, sgf_error_t* error)
{
  assignments_t list       = assignments_of_environment();
  sgf_scenario_t* scenario = sgf_scenario_load(platform, list.items, list.count, model_seat.seed, error);
  free(list.items);
  free(list.lines);
  return scenario;
}

void seat_load(const char* platform)
{
  if (model_seat.scenario != NULL)
    seat_refuse("%s: a second platform; the fabric is that of the first", platform);
  sgf_error_t error   = {0};
  model_seat.seed     = seed_of_environment();
  model_seat.scenario = seat_scenario(platform, &error);
  if (model_seat.scenario == NULL)
    refuse_platform(platform, &error);
  model_seat.fabric   = sgf_scenario_fabric(model_seat.scenario);
  model_seat.platform = sgf_strdup(platform);
  open_results();
  if (getenv("SGFABRIC_VICTIMS") != NULL)
    sgf_victims_watch(model_seat.fabric);
  report_note(REPORT_PLATFORM);
}

/* ---- The seat ------------------------------------------------------------------------------------------------------
 */

static const char* const known_models[] = {
    "N7simgrid6kernel8resource16NetworkCm02ModelE", /* CM02, LV08 */
    "N7simgrid6kernel8resource16NetworkSmpiModelE",
};
enum { KNOWN_MODELS = sizeof known_models / sizeof *known_models };

static void check_model(const seat_model_t* model)
{
  for (size_t i = 0; i < KNOWN_MODELS; i++)
    if (strcmp(seat_class(model), known_models[i]) == 0)
      return;
  seat_refuse("the network model %s cannot be replaced: use --cfg=network/model:LV08, CM02 or SMPI", seat_class(model));
}

/* The other algorithm looks at all actions of a model, also at those that have no share of SimGrid's bandwidth. */
static void check_algorithm(void)
{
  static const char name[]     = "network/optim";
  const seat_string_t* setting = model_seat.simgrid.option(&(seat_string_t){.text = name, .length = sizeof name - 1});
  if (strcmp(setting->text, "Lazy") != 0)
    seat_refuse("--cfg=network/optim:%s cannot be used here: only Lazy can", setting->text);
}

/* The network model of the whole platform. SimGrid may give the address of a base inside of it. */
static seat_model_t* live_model(void)
{
  void* zone = model_seat.simgrid.root_zone();
  void* base = zone != NULL ? model_seat.simgrid.network_model(zone) : NULL;
  if (base == NULL)
    seat_refuse("the platform has no network model");
  const intptr_t offset_to_top = (*(const intptr_t* const*)base)[-2];
  return (seat_model_t*)((char*)base + offset_to_top);
}

/* SimGrid takes dates that are less than this apart as one; picoseconds must not be. */
static void set_precision(void)
{
  int major, minor, patch;
  model_seat.simgrid.version(&major, &minor, &patch);
  model_seat.simgrid.set_option(major < 4 ? "surf/precision" : "precision/timing", 1e-15);
}

void seat_attach(void)
{
  if (model_seat.attached)
    return;
  model_seat.attached  = true;
  const char* platform = getenv("SGFABRIC_PLATFORM");
  if (model_seat.fabric == NULL && platform != NULL)
    seat_load(platform);
  if (model_seat.fabric == NULL)
    seat_refuse("the program has loaded no platform file to build the fabric from; SGFABRIC_PLATFORM may name one");
  seat_learn(&model_seat.simgrid, &model_seat.slots);
  seat_model_t* model = live_model();
  check_model(model);
  check_algorithm();
  set_precision();
  seat_stay();
  seat_replace_model(model);
  model_seat.started_s = report_wall_clock();
  model_seat.process   = getpid();
  atexit(seat_finish);
  report_note(REPORT_ATTACHED);
}
