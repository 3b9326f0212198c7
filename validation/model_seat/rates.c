/* Limits of a message's rate reach the NIC: unmodified programs see the dates that the engine alone gives for them. */
#include "harness.h"

#include <math.h>
#include <sgfabric/scenario.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

typedef struct paced {
  const char* word; /* of the program, when it is delivered */
  const char* src;
  const char* dst;
  uint64_t bytes;
  int64_t bps;        /* 0: no limit */
  opp_simtime_t late; /* how long after the one before it begins */
} paced_t;

static sgf_op_t* post(const sgf_scenario_t* scenario, const paced_t* message, opp_simtime_t date)
{
  sgf_op_t* op = sgf_op_message(sgf_scenario_fabric(scenario));
  if (message->bps > 0)
    CU_ASSERT_EQUAL(sgf_op_set_rate(op, message->bps, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_post(op, sgf_scenario_nic(scenario, message->src), sgf_scenario_nic(scenario, message->dst),
                              message->bytes, date, 0, NULL),
                  SGF_OK);
  sgf_op_set_awaited(op, true);
  return op;
}

static opp_simtime_t end_of(sgf_fabric_t* fabric, const sgf_op_t* op)
{
  while (!sgf_op_done(op)) {
    CU_ASSERT_EQUAL_FATAL(sgf_engine_advance(fabric, OPP_TIME_MAX), SGF_ENGINE_COMPLETION);
    while (sgf_engine_completed(fabric) != NULL)
      continue;
  }
  return sgf_op_end(op);
}

/* What a program prints of a date: SimGrid's clock counts seconds in a double, which from 8,192 s on has no room for
 * every picosecond. */
static opp_simtime_t printed(opp_simtime_t date)
{
  return llround((double)date * 1e-12 * 1e12);
}

/* The first two begin together, each of the others when the one before has arrived, or so much later. */
static void check_dates(const char* out, const paced_t* messages, size_t count)
{
  sgf_scenario_t* scenario = sgf_scenario_load(MODEL_RACK, NULL, 0, 1, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  sgf_fabric_t* fabric   = sgf_scenario_fabric(scenario);
  const sgf_op_t* first  = post(scenario, &messages[0], 0);
  const sgf_op_t* second = post(scenario, &messages[1], 0);
  CU_ASSERT_EQUAL(model_number(out, messages[1].word), printed(end_of(fabric, second)));
  opp_simtime_t date = end_of(fabric, first);
  CU_ASSERT_EQUAL(model_number(out, messages[0].word), printed(date));
  for (size_t i = 2; i < count; i++) {
    date = end_of(fabric, post(scenario, &messages[i], date + messages[i].late));
    CU_ASSERT_EQUAL(model_number(out, messages[i].word), printed(date));
  }
  sgf_scenario_free(scenario);
}

SGF_SCENARIO(limits_of_rates_in_cpp)
{
  char* out;
  char* program = model_program("rates");
  CU_ASSERT_EQUAL(model_shell(&out, "LD_PRELOAD=%s %s %s", MODEL_LIBRARY, program, MODEL_RACK), 0);
  CU_ASSERT_PTR_NULL(strstr(out, "warning"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 7 flows, lossless\n"));
  static const paced_t messages[] = {
      {"beside", "gpu0", "gpu8", 1000000, 1000000000, 0},
      {"plain", "gpu0", "gpu8", 2000000, 0, 0},
      {"third", "gpu0", "gpu8", 100000, 2666666667, 0}, /* 1e9 / 3 bytes a second */
      {"receiver", "gpu0", "gpu8", 100000, 1600000000, OPP_US},
      {"fast", "gpu0", "gpu8", 1000000, 0, 0}, /* 1e15 bytes a second */
      {"none", "gpu0", "gpu8", 0, 0, 0},
      {"tiny", "gpu0", "gpu8", 4097, 1, 0}, /* 0.001 bytes a second: at least a bit */
  };
  check_dates(out, messages, sizeof messages / sizeof *messages);
  CU_ASSERT(model_number(out, "plain") < model_number(out, "beside"));
  CU_ASSERT(model_number(out, "tiny") - model_number(out, "none") > 32768 * OPP_S);
  free(out);
  free(program);
}
