#include "model_seat/model_seat_support.h"

#include <math.h>
#include <sgfabric/scenario.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

/* Scenarios run side by side: each has a folder of its own for what it writes. */
#define FOLDERS SGF_BINARY_DIR "/validation/model_seat/files"

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

static char* format_text(const char* format, va_list args)
{
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  char* text       = malloc((size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

static char* text_of(const char* format, ...) __attribute__((format(printf, 1, 2)));

static char* text_of(const char* format, ...)
{
  va_list args;
  va_start(args, format);
  char* text = format_text(format, args);
  va_end(args);
  return text;
}

int model_shell(char** out, const char* format, ...)
{
  enum { MOST = 1 << 20 };
  va_list args;
  va_start(args, format);
  char* line = format_text(format, args);
  va_end(args);
  *out             = calloc(MOST, 1);
  const int status = sgf_test_run((char*[]){"sh", "-c", line, NULL}, *out, MOST);
  if (status != 0 && getenv("SGF_TEST_VERBOSE") != NULL)
    fprintf(stderr, "%s\nexit status %d\n%s\n", line, status, *out);
  free(line);
  return status;
}

char* model_folder(void)
{
  char* folder = text_of(FOLDERS "/%s", CU_get_current_test()->pName);
  char* out;
  CU_ASSERT_EQUAL_FATAL(model_shell(&out, "mkdir -p %s", folder), 0);
  free(out);
  return folder;
}

static char* path_of(const char* name)
{
  char* folder = model_folder();
  char* path   = text_of("%s/%s", folder, name);
  free(folder);
  return path;
}

char* model_program(const char* name)
{
  char* program = text_of(SGF_BINARY_DIR "/validation/model_seat/programs/%s", name);
  CU_ASSERT_EQUAL_FATAL(access(program, X_OK), 0);
  return program;
}

char* model_link(const char* name, const char* as)
{
  char* program = model_program(name);
  char* path    = path_of(as);
  unlink(path);
  CU_ASSERT_EQUAL_FATAL(symlink(program, path), 0);
  free(program);
  return path;
}

/* It is quiet about its options, so that outputs can be compared. */
#define PRECISELY "--log=xbt_cfg.thres:warning --cfg=surf/precision:1e-15"

static char* run_program(const char* library, const char* program, const char* arguments, int status)
{
  char* out;
  CU_ASSERT_EQUAL(model_shell(&out, "LD_PRELOAD=%s %s %s " PRECISELY, library, program, arguments), status);
  return out;
}

char* model_over(const char* program, const char* arguments, int status)
{
  return run_program(MODEL_LIBRARY, program, arguments, status);
}

char* model_alone(const char* program, const char* arguments, int status)
{
  return run_program("", program, arguments, status);
}

long long model_number(const char* out, const char* word)
{
  const size_t length = strlen(word);
  for (const char* line = out; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, word, length) == 0 && line[length] == ' ')
      return atoll(line + length + 1);
  }
  return -1;
}

char* model_write(const char* text, const char* name)
{
  char* path = path_of(name);
  FILE* file = fopen(path, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fputs(text, file);
  fclose(file);
  return path;
}

/* ---- The engine alone -------------------------------------------------------------------------------------------- */

static sgf_scenario_t* load(const char* platform)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = sgf_scenario_load(platform, NULL, 0, 1, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  return scenario;
}

static sgf_op_t* post(const sgf_scenario_t* scenario, const model_message_t* message)
{
  sgf_error_t error = {0};
  sgf_op_t* op      = sgf_op_message(sgf_scenario_fabric(scenario));
  CU_ASSERT_EQUAL(sgf_op_post(op, sgf_scenario_nic(scenario, message->src), sgf_scenario_nic(scenario, message->dst),
                              message->bytes, message->start, 0, &error),
                  SGF_OK);
  sgf_op_set_awaited(op, true);
  return op;
}

static void run_and_take(sgf_fabric_t* fabric, model_message_t* messages, sgf_op_t** ops, size_t count)
{
  while (sgf_engine_advance(fabric, OPP_TIME_MAX) == SGF_ENGINE_COMPLETION)
    while (sgf_engine_completed(fabric) != NULL)
      continue;
  for (size_t i = 0; i < count; i++) {
    CU_ASSERT(sgf_op_done(ops[i]));
    messages[i].delivered = sgf_op_end(ops[i]);
    sgf_op_unref(ops[i]);
  }
}

void model_engine(const char* platform, model_message_t* messages, size_t count)
{
  sgf_scenario_t* scenario = load(platform);
  sgf_op_t** ops           = calloc(count, sizeof(sgf_op_t*));
  for (size_t i = 0; i < count; i++)
    ops[i] = post(scenario, &messages[i]);
  run_and_take(sgf_scenario_fabric(scenario), messages, ops, count);
  free(ops);
  sgf_scenario_free(scenario);
}

opp_simtime_t model_engine_chain(const char* platform, const char* src, const char* dst, bool back, uint64_t bytes,
                                 size_t count)
{
  sgf_scenario_t* scenario = load(platform);
  sgf_fabric_t* fabric     = sgf_scenario_fabric(scenario);
  opp_simtime_t date       = 0;
  for (size_t i = 0; i < count; i++) {
    const bool turned       = back && i % 2 == 1;
    model_message_t message = {turned ? dst : src, turned ? src : dst, bytes, date, 0};
    sgf_op_t* op            = post(scenario, &message);
    CU_ASSERT_EQUAL(sgf_engine_advance(fabric, OPP_TIME_MAX), SGF_ENGINE_COMPLETION);
    CU_ASSERT_PTR_EQUAL(sgf_engine_completed(fabric), op);
    date = sgf_op_end(op);
    CU_ASSERT_EQUAL(sgf_engine_advance(fabric, date), SGF_ENGINE_HORIZON);
    sgf_op_unref(op);
  }
  sgf_scenario_free(scenario);
  return date;
}

/* ---- Flows of a run ---------------------------------------------------------------------------------------------- */

static opp_simtime_t date_of(const json_t* flow, const char* key)
{
  return llround(json_real_value(json_object_get(flow, key)) * 1e12);
}

static int by_date(const void* a, const void* b)
{
  const opp_simtime_t x = *(const opp_simtime_t*)a;
  const opp_simtime_t y = *(const opp_simtime_t*)b;
  return (x > y) - (x < y);
}

/* Nothing but arrivals makes a program without computation go on. */
static void check_starts(const model_message_t* messages, size_t count)
{
  opp_simtime_t* dates = calloc(count + 1, sizeof *dates);
  for (size_t i = 0; i < count; i++)
    dates[i] = messages[i].delivered;
  qsort(dates, count + 1, sizeof *dates, by_date); /* with 0, when the program starts */
  size_t unexplained = 0;
  for (size_t i = 0; i < count; i++)
    if (bsearch(&messages[i].start, dates, count + 1, sizeof *dates, by_date) == NULL)
      unexplained++;
  CU_ASSERT_EQUAL(unexplained, 0);
  free(dates);
}

/* The acknowledgements of the same messages in an engine alone, in order of posting. */
static void check_ends(const char* platform, model_message_t* messages, const json_t* flows, size_t count)
{
  sgf_scenario_t* scenario = load(platform);
  sgf_fabric_t* fabric     = sgf_scenario_fabric(scenario);
  sgf_op_t** ops           = calloc(count, sizeof(sgf_op_t*));
  for (size_t i = 0; i < count; i++)
    ops[i] = post(scenario, &messages[i]);
  run_and_take(fabric, messages, ops, count);
  sgf_engine_drain(fabric);
  sgf_report_t* report = sgf_report_new(fabric);
  CU_ASSERT_EQUAL_FATAL(report->flow_count, count);
  size_t different = 0;
  for (size_t i = 0; i < count; i++)
    if (report->flows[i].end != date_of(json_array_get(flows, i), "end_s"))
      different++;
  CU_ASSERT_EQUAL(different, 0);
  sgf_report_free(report);
  free(ops);
  sgf_scenario_free(scenario);
}

opp_simtime_t model_check_flows(const char* platform, const char* json_file)
{
  json_t* root = json_load_file(json_file, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  CU_ASSERT(json_is_true(json_object_get(root, "complete")));
  const json_t* flows       = json_object_get(root, "flows");
  const size_t count        = json_array_size(flows);
  model_message_t* messages = calloc(count + 1, sizeof *messages);
  CU_ASSERT_FATAL(count > 0);
  for (size_t i = 0; i < count; i++) {
    const json_t* flow = json_array_get(flows, i);
    messages[i]        = (model_message_t){
               json_string_value(json_object_get(flow, "src")), json_string_value(json_object_get(flow, "dst")),
               (uint64_t)json_integer_value(json_object_get(flow, "bytes")), date_of(flow, "start_s"), 0};
  }
  check_ends(platform, messages, flows, count);
  check_starts(messages, count);
  opp_simtime_t last = 0;
  for (size_t i = 0; i < count; i++)
    if (messages[i].delivered > last)
      last = messages[i].delivered;
  free(messages);
  json_decref(root);
  return last;
}
