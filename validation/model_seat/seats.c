/* Both seats alike (design.md): the same program, in the actor seat at either pace and over the model seat, and the
 * same messages in the engine alone, in the order of the rule. What they report is compared byte for byte, but for
 * these:
 *
 *   JSON       the values of "wall_time_s" and "kernel_rounds"
 *   summary    the same two, and packet-hops a second
 *   program    the numbers of its actors, since in the actor seat the fabric's own two have some of them; the order of
 * its lines */
#include "harness.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fabric/fabric_support.h"
#include "model_seat/model_seat_support.h"
#include "report/report.h"
#define SEATS_ACTOR
#include "model_seat/programs/seats.c"

/* What a run leaves. */
typedef struct outcome {
  char* log; /* what the program has printed */
  char* json;
  char* summary;
} outcome_t;

static void free_outcome(outcome_t* outcome)
{
  free(outcome->log);
  free(outcome->json);
  free(outcome->summary);
}

static char* path_of_file(const char* name)
{
  char* folder = model_folder();
  char* path   = report_format("%s/%s", folder, name);
  free(folder);
  return path;
}

static char* contents(const char* path)
{
  FILE* file  = fopen(path, "r");
  text_t text = {0};
  char line[1024];
  text_add(&text, "%s", "");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  while (fgets(line, sizeof line, file) != NULL)
    text_add(&text, "%s", line);
  fclose(file);
  return text.chars;
}

/* ---- The model seat -----------------------------------------------------------------------------------------------
 */

/* The summary follows what the program has printed. */
static outcome_t in_model_seat(const char* program, const char* platform, const char* workload)
{
  char* json_file   = path_of_file("model.json");
  outcome_t outcome = {0};
  char* printed;
  CU_ASSERT_EQUAL_FATAL(model_shell(&outcome.log, "LD_PRELOAD=%s SGFABRIC_JSON=%s %s %s %s", MODEL_LIBRARY, json_file,
                                    program, platform, workload),
                        0);
  CU_ASSERT_EQUAL_FATAL(model_shell(&printed, "LD_PRELOAD=%s %s %s %s", MODEL_LIBRARY, program, platform, workload), 0);
  const size_t length = strlen(outcome.log);
  CU_ASSERT_EQUAL_FATAL(strncmp(printed, outcome.log, length), 0);
  outcome.json    = contents(json_file);
  outcome.summary = report_format("%s", printed + length);
  free(printed);
  free(json_file);
  return outcome;
}

/* ---- The actor seat, in a process of its own ----------------------------------------------------------------------
 */

enum { MAX_WORDS = 4 };

static void write_results(const char* platform, const sgf_fabric_t* fabric, uint64_t rounds, sgf_status_t end,
                          FILE* json, FILE* summary)
{
  sgf_error_t error       = {0};
  sgf_report_t* report    = sgf_report_new(fabric);
  report_result_t* result = report_calloc(1, sizeof *result);
  result->traffic         = "seats";
  result->platform        = platform;
  result->seed            = 1;
  result->fabric          = fabric;
  result->report          = report;
  result->kernel_rounds   = rounds;
  result->end             = end;
  report_print_json(result, json, &error);
  report_print_summary(result, summary);
  sgf_report_free(report);
  free(result);
}

static _Noreturn void actor_process(const char* platform, const char* workload, sg_fabric_pace_t pace,
                                    char* const paths[3])
{
  char* words[MAX_WORDS] = {0};
  char* text             = report_format("%s", workload);
  size_t count           = 0;
  for (char* word = strtok(text, " "); word != NULL && count < MAX_WORDS; word = strtok(NULL, " "))
    words[count++] = word;
  char name[]     = "seats";
  char* argv[]    = {name, NULL};
  int argc        = 1;
  FILE* json      = fopen(paths[1], "w");
  FILE* summary   = fopen(paths[2], "w");
  const int print = open(paths[0], O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (json == NULL || summary == NULL || dup2(print, STDOUT_FILENO) < 0)
    abort();
  simgrid_init(&argc, argv);
  sg_fabric_plugin_init();
  sg_fabric_set_pace(pace);
  sg_fabric_load_platform(platform);
  run_workload(words);
  const sgf_status_t end = sg_fabric_finish();
  write_results(platform, sg_fabric_get(), sg_fabric_kernel_rounds(), end, json, summary);
  fclose(json);
  fclose(summary);
  free(text);
  exit(end == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE);
}

static outcome_t in_actor_seat(const char* platform, const char* workload, sg_fabric_pace_t pace)
{
  char* paths[] = {path_of_file("actor.log"), path_of_file("actor.json"), path_of_file("actor.txt")};
  fflush(NULL);
  const pid_t process = fork();
  if (process == 0)
    actor_process(platform, workload, pace, paths);
  int status = -1;
  CU_ASSERT_EQUAL(waitpid(process, &status, 0), process);
  CU_ASSERT_EQUAL_FATAL(status, 0);
  outcome_t outcome = {contents(paths[0]), contents(paths[1]), contents(paths[2])};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    free(paths[i]);
  return outcome;
}

/* ---- The engine alone ---------------------------------------------------------------------------------------------
 */

/* A message, as the program has told of it. */
typedef struct told {
  int number;
  long actor;             /* who sent it */
  size_t call;            /* the line */
  size_t place;           /* of the sender's host among those with a NIC */
  opp_simtime_t put, get; /* -1: not */
  opp_simtime_t sent, got;
  uint64_t bytes;
  sgf_device_t* src;
  sgf_device_t* dst;
  sgf_op_t* op;
} told_t;

typedef struct story {
  told_t messages[MAX_MESSAGES];
  size_t count;
  opp_simtime_t end;
} story_t;

static told_t* message_of(story_t* story, int number)
{
  for (size_t i = 0; i < story->count; i++)
    if (story->messages[i].number == number)
      return &story->messages[i];
  story->messages[story->count] = (told_t){.number = number, .put = -1, .get = -1, .sent = -1, .got = -1};
  return &story->messages[story->count++];
}

static size_t place_among(const sgf_fabric_t* fabric, const sgf_device_t* host)
{
  for (size_t i = 0; i < sgf_fabric_host_count(fabric); i++)
    if (sgf_fabric_host(fabric, i) == host)
      return i;
  return SIZE_MAX;
}

static void read_line(story_t* story, const sgf_scenario_t* scenario, const char* line, size_t number)
{
  char what[8], host[16];
  int message;
  long actor;
  long long date;
  unsigned long long bytes;
  if (sscanf(line, "%7s %d %lld", what, &message, &date) != 3)
    return;
  if (strcmp(what, "end") == 0) {
    story->end = date;
    return;
  }
  told_t* told = message_of(story, message);
  if (strcmp(what, "put") == 0 && sscanf(line, "%*s %*d %*d %ld %15s %llu", &actor, host, &bytes) == 3) {
    told->put   = date;
    told->actor = actor;
    told->call  = number;
    told->bytes = bytes;
    told->src   = sgf_scenario_nic(scenario, host);
    told->place = place_among(sgf_scenario_fabric(scenario), told->src);
  } else if (strcmp(what, "get") == 0 && sscanf(line, "%*s %*d %*d %15s", host) == 1) {
    told->get = date;
    told->dst = sgf_scenario_nic(scenario, host);
  } else if (strcmp(what, "sent") == 0)
    told->sent = date;
  else if (strcmp(what, "got") == 0)
    told->got = date;
}

static opp_simtime_t start_of(const told_t* told)
{
  return told->put > told->get ? told->put : told->get;
}

/* In which order messages of one date are posted. */
typedef int (*order_t)(const void*, const void*);

/* As the program has asked for them, on whichever host: the order in which SimGrid ran its actors. */
static int by_call(const void* a, const void* b)
{
  const told_t* x = a;
  const told_t* y = b;
  if (start_of(x) != start_of(y))
    return start_of(x) < start_of(y) ? -1 : 1;
  return x->call < y->call ? -1 : x->call > y->call;
}

/* The rule: host, creation order of the actor, sequence of its calls. */
static int by_rule(const void* a, const void* b)
{
  const told_t* x = a;
  const told_t* y = b;
  if (start_of(x) == start_of(y) && x->place != y->place)
    return x->place < y->place ? -1 : 1;
  if (start_of(x) == start_of(y) && x->actor != y->actor)
    return x->actor < y->actor ? -1 : 1;
  return by_call(a, b);
}

static void read_story(story_t* story, const sgf_scenario_t* scenario, const char* log, order_t order)
{
  size_t number = 0;
  for (const char* line = log; line != NULL && *line != '\0'; number++) {
    read_line(story, scenario, line, number);
    const char* end = strchr(line, '\n');
    line            = end != NULL ? end + 1 : NULL;
  }
  qsort(story->messages, story->count, sizeof *story->messages, order);
}

/* All at once and by one actor, so that nothing but their order decides. */
static void post_all(story_t* story, sgf_fabric_t* fabric)
{
  sgf_error_t error = {0};
  for (size_t i = 0; i < story->count; i++) {
    told_t* told = &story->messages[i];
    CU_ASSERT_FATAL(told->put >= 0 && told->get >= 0);
    told->op = sgf_op_message(fabric);
    CU_ASSERT_EQUAL_FATAL(sgf_op_post(told->op, told->src, told->dst, told->bytes, start_of(told), 0, &error), SGF_OK);
  }
}

/* Who waited learned of the end of a message at its end; who waited for others first, later. */
static void check_dates(const story_t* story)
{
  size_t early = 0, exact = 0;
  for (size_t i = 0; i < story->count; i++) {
    const told_t* told = &story->messages[i];
    early +=
        (told->sent >= 0 && told->sent < sgf_op_end(told->op)) || (told->got >= 0 && told->got < sgf_op_end(told->op));
    exact += told->sent == sgf_op_end(told->op) || told->got == sgf_op_end(told->op);
  }
  CU_ASSERT_EQUAL(early, 0);
  CU_ASSERT(2 * exact > story->count);
}

static outcome_t in_engine(const char* platform, const char* log, order_t order)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = sgf_scenario_load(platform, NULL, 0, 1, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  story_t* story       = report_calloc(1, sizeof *story);
  read_story(story, scenario, log, order);
  post_all(story, fabric);
  sgf_engine_advance(fabric, story->end);
  sgf_engine_drain(fabric);
  if (order == by_rule)
    check_dates(story);
  char* paths[] = {path_of_file("engine.json"), path_of_file("engine.txt")};
  FILE* json    = fopen(paths[0], "w");
  FILE* summary = fopen(paths[1], "w");
  CU_ASSERT_FATAL(json != NULL && summary != NULL);
  write_results(platform, fabric, 0, sgf_fabric_check_end(fabric, NULL, NULL, &error), json, summary);
  fclose(json);
  fclose(summary);
  for (size_t i = 0; i < story->count; i++)
    sgf_op_unref(story->messages[i].op);
  outcome_t outcome = {report_format("%s", log), contents(paths[0]), contents(paths[1])};
  free(paths[0]);
  free(paths[1]);
  free(story);
  sgf_scenario_free(scenario);
  return outcome;
}

/* ---- Comparing ----------------------------------------------------------------------------------------------------
 */

/* Take out what stands between two words: there is something. */
static void take_out(char* text, const char* after, const char* before)
{
  char* from = strstr(text, after);
  CU_ASSERT_PTR_NOT_NULL_FATAL(from);
  from += strlen(after);
  const char* to = strstr(from, before);
  CU_ASSERT_PTR_NOT_NULL_FATAL(to);
  memmove(from, to, strlen(to) + 1);
}

static int by_text(const void* a, const void* b)
{
  return strcmp(*(char* const*)a, *(char* const*)b);
}

/* The lines of a program, in order of themselves, without the numbers of actors. */
static char* sorted(const char* log)
{
  enum { MOST = 4 * MAX_MESSAGES + 1 };
  char* text   = report_format("%s", log);
  char** lines = report_calloc(MOST, sizeof *lines);
  size_t count = 0;
  for (char* line = strtok(text, "\n"); line != NULL && count < MOST; line = strtok(NULL, "\n")) {
    int before = 0, after = 0;
    if (sscanf(line, "put %*d %*d%n %*d%n", &before, &after) == 0 && after > before)
      memmove(line + before, line + after, strlen(line + after) + 1);
    lines[count++] = line;
  }
  qsort(lines, count, sizeof *lines, by_text);
  text_t all = {0};
  for (size_t i = 0; i < count; i++)
    text_add(&all, "%s\n", lines[i]);
  free(lines);
  free(text);
  return all.chars;
}

/* What may differ, and nothing else. */
static void leave_out(outcome_t* outcome)
{
  take_out(outcome->json, "\"wall_time_s\": ", ",");
  take_out(outcome->json, "\"kernel_rounds\": ", ",");
  take_out(outcome->summary, " simulated in ", " of wall time");
  take_out(outcome->summary, " packet-hops (", ")");
  take_out(outcome->summary, " events, ", "\n");
  char* log = sorted(outcome->log);
  free(outcome->log);
  outcome->log = log;
}

static bool same(const char* what, const char* a, const char* b)
{
  if (strcmp(a, b) == 0)
    return true;
  size_t line = 0;
  for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++)
    if (a[i] == '\n')
      line = i + 1;
  fprintf(stderr, "\n  %s\n    the one:   %.*s\n    the other: %.*s\n", what, (int)strcspn(a + line, "\n"), a + line,
          (int)strcspn(b + line, "\n"), b + line);
  return false;
}

static void compare(const char* what, const outcome_t* a, const outcome_t* b)
{
  CU_ASSERT(same(what, a->log, b->log));
  CU_ASSERT(same(what, a->json, b->json));
  CU_ASSERT(same(what, a->summary, b->summary));
}

/* Run it everywhere and compare. Whether the order in which SimGrid has run the actors would have told. */
static bool check_seats(const char* program, const char* platform, const char* workload, bool with_actor_seat)
{
  outcome_t model = in_model_seat(program, platform, workload);
  outcome_t alone = in_engine(platform, model.log, by_rule);
  outcome_t other = in_engine(platform, model.log, by_call);
  leave_out(&alone);
  leave_out(&other);
  leave_out(&model);
  compare("the model seat and the engine alone", &model, &alone);
  const bool told = strcmp(other.json, alone.json) != 0;
  for (int pace = SG_FABRIC_LAZY; pace <= SG_FABRIC_REFERENCE && with_actor_seat; pace++) {
    outcome_t actor = in_actor_seat(platform, workload, (sg_fabric_pace_t)pace);
    leave_out(&actor);
    compare("the model seat and the actor seat", &model, &actor);
    free_outcome(&actor);
  }
  free_outcome(&model);
  free_outcome(&alone);
  free_outcome(&other);
  return told;
}

static bool check_workload(const char* workload, bool with_actor_seat)
{
  char* program   = model_program("seats");
  const bool told = check_seats(program, MODEL_RACK, workload, with_actor_seat);
  free(program);
  return told;
}

/* ---- Workloads ----------------------------------------------------------------------------------------------------
 */

SGF_SCENARIO(an_incast)
{
  check_workload("incast", true);
}

SGF_SCENARIO(a_permutation)
{
  check_workload("permutation", true);
}

/* Actors of one host that are woken, joined, resumed, created, that have slept, computed or received, or were started
 * late, all at the instant at which a message arrives; one is killed then. */
SGF_SCENARIO(actors_of_one_host_at_one_instant)
{
  static const char format[] = "<?xml version=\"1.0\"?>\n"
                               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                               "<platform version=\"4.1\">\n"
                               "<actor host=\"gpu0\" function=\"late\" start_time=\"%.17g\"/>\n"
                               "</platform>\n";
  const opp_simtime_t date   = model_engine_chain(MODEL_RACK, "gpu1", "gpu0", false, SIZE_TO_GPU0, 1);
  char* text                 = report_format(format, (double)date * 0.5e-12);
  char* deployment           = model_write(text, "late.xml");
  char* workload             = report_format("instant %lld %s", (long long)date, deployment);
  CU_ASSERT(check_workload(workload, true));
  free(workload);
  free(deployment);
  free(text);
}

/* Of no mailbox: whoever asks for it is the actor that orders it. */
SGF_SCENARIO(messages_from_host_to_host)
{
  CU_ASSERT(check_workload("direct", false));
}

/* The one first that was sent first, whoever takes it first. */
SGF_SCENARIO(messages_of_one_actor_that_are_taken_at_one_instant)
{
  check_workload("taken", true);
}

/* The rack, with a core for each actor: actors that share one go on at dates between two picoseconds, and of the two
 * the seats need not take the same. */
static char* rack_of_cores(void)
{
  static const char speed[] = "speed=\"1Tf\"";
  char* rack                = contents(MODEL_RACK);
  text_t text               = {0};
  const char* rest          = rack;
  for (const char* at; (at = strstr(rest, speed)) != NULL; rest = at + strlen(speed))
    text_add(&text, "%.*s%s core=\"16\"", (int)(at - rest), rest, speed);
  text_add(&text, "%s", rest);
  char* path = model_write(text.chars, "rack.xml");
  free(text.chars);
  free(rack);
  return path;
}

static void check_drawn(const char* kind)
{
  enum { PROGRAMS = 8 };
  char* program  = model_program("seats");
  char* platform = rack_of_cores();
  unsigned told  = 0;
  for (int seed = 1; seed <= PROGRAMS; seed++) {
    char* workload = report_format("%s %d", kind, seed);
    told += check_seats(program, platform, workload, true);
    free(workload);
  }
  CU_ASSERT(told > 0);
  free(platform);
  free(program);
}

SGF_SCENARIO(programs_drawn_at_random)
{
  check_drawn("ready");
}

SGF_SCENARIO(programs_drawn_at_random_with_late_receivers)
{
  check_drawn("late");
}
