/* spec/uet-nic.md 5.4 and 11.3 on the state machine: RoundRobin and WeightedRoundRobin at the port. */
#include "harness.h"
#include "nic_support.h"

#include <stdlib.h>
#include <string.h>

static const opp_simtime_t ack_wire = 1560;
static const opp_simtime_t pfc_wire = 1280;

#define SCHEDULING "EgressBufferManager.QueueSchedulingType"
#define WEIGHTS "EgressBufferManager.WRRQueueWeights"
#define ROUND_ROBIN SCHEDULING, "RoundRobin"
#define WEIGHTED SCHEDULING, "WeightedRoundRobin"
#define THREE_POOLS "EgressBufferManager.PoolAllocationVector", "[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]"

/* Frames of one size for a class queue, put there by hand. */
static void queue_frames(bench_t* bench, unsigned tc, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    opp_msg_t* msg                   = opp_frame_new(bench->nic->module, 0, UET_ACK_BYTES);
    net_frame(msg)->tc               = (uint8_t)tc;
    net_frame(msg)->dst              = bench->nic->address + 1;
    uet_header(net_frame(msg))->type = UET_ACK;
    CU_ASSERT_TRUE(nic_reserve(bench->nic, tc, msg->bytes));
    nic_queue(bench->nic, msg);
  }
}

/* A bench whose port is busy with a pause frame, so that what is queued now is there "from the start". */
static bench_t* busy_bench(const char* const* settings)
{
  bench_t* bench = bench_new(settings);
  pfc_send(&bench->nic->pfc, 7, 1);
  return bench;
}

/* The classes of all frames that have arrived, in order, as digits; a pause frame is 'P'. */
static const char* order(const bench_t* bench)
{
  static char digits[BENCH_MAX_LOG + 1];
  for (size_t i = 0; i < bench->count; i++)
    digits[i] = bench->log[i].frame.type == NET_FRAME_PFC ? 'P' : (char)('0' + bench->log[i].frame.tc);
  digits[bench->count] = '\0';
  return digits;
}

/* Run until all are sent: this is their order. */
static void check_order(bench_t* bench, const char* expected)
{
  bench_run(bench, bench_now(bench) + OPP_US);
  CU_ASSERT_STRING_EQUAL(order(bench), expected);
  bench_free(bench);
}

SGF_TEST(UN_25_five_control_packets_for_each_of_data)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(WEIGHTED));
  queue_frames(bench, 0, 4);
  queue_frames(bench, 1, 12);
  check_order(bench, "P1111101111101100");
}

SGF_TEST(UN_26_three_classes_of_weight_1_begin_with_the_highest)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(WEIGHTED, THREE_POOLS, WEIGHTS, "[1, 1, 1, 0, 0, 0, 0, 0]"));
  for (unsigned tc = 0; tc < 3; tc++)
    queue_frames(bench, tc, 3);
  check_order(bench, "P201201201");
}

SGF_TEST(UN_26_a_turn_is_as_many_packets_as_the_weight)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(WEIGHTED, THREE_POOLS, WEIGHTS, "[2, 1, 3, 0, 0, 0, 0, 0]"));
  for (unsigned tc = 0; tc < 3; tc++)
    queue_frames(bench, tc, 5);
  check_order(bench, "P222001220010111");
}

SGF_TEST(UN_27_a_class_that_is_empty_gives_up_the_rest_of_its_turn)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(WEIGHTED));
  queue_frames(bench, 1, 2);
  queue_frames(bench, 0, 2);
  bench_run(bench, pfc_wire + 3 * ack_wire - 1); /* 1, 1 and 0 have started */
  queue_frames(bench, 1, 6);
  check_order(bench, "P1101111101");
}

SGF_TEST(UN_28_data_goes_continuously_when_no_control_waits)
{
  enum { FRAMES = 20 };
  bench_t* bench = busy_bench(BENCH_SETTINGS(WEIGHTED));
  queue_frames(bench, 0, FRAMES);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1 + FRAMES);
  for (size_t i = 1; i <= FRAMES; i++)
    CU_ASSERT_EQUAL(bench->log[i].arrival, pfc_wire + (opp_simtime_t)i * ack_wire + bench_delay);
  bench_free(bench);
}

SGF_TEST(UN_28_and_B30_a_message_is_as_fast_under_every_discipline)
{
  static const char* const disciplines[] = {"StrictPriority", "RoundRobin", "WeightedRoundRobin"};
  opp_simtime_t done[3];
  for (size_t d = 0; d < 3; d++) {
    bench_t* bench = bench_new(BENCH_SETTINGS(SCHEDULING, disciplines[d]));
    bench->answers = true;
    bench_post(bench, 1, 50 * BENCH_MSS);
    bench_run(bench, OPP_MS);
    CU_ASSERT_EQUAL(bench->count, 50);
    done[d] = bench->acknowledged_at[0];
    bench_free(bench);
  }
  CU_ASSERT(done[0] > 0 && done[1] == done[0] && done[2] == done[0]); /* its probe waits for one packet in each */
}

SGF_TEST(UN_29_both_classes_alternate)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(ROUND_ROBIN));
  queue_frames(bench, 1, 4);
  queue_frames(bench, 0, 5);
  check_order(bench, "P010101010");
}

SGF_TEST(UN_29_and_B13_the_search_begins_behind_the_class_served_last_and_goes_up)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(ROUND_ROBIN, THREE_POOLS));
  queue_frames(bench, 1, 1);
  bench_run(bench, pfc_wire + 1); /* class 1 is on the wire */
  for (unsigned tc = 0; tc < 3; tc++)
    queue_frames(bench, tc, 2);
  check_order(bench, "P1201201");
}

SGF_TEST(UN_29_and_B13_the_first_search_begins_at_class_0)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(ROUND_ROBIN, THREE_POOLS));
  for (unsigned tc = 3; tc-- > 0;)
    queue_frames(bench, tc, 2);
  check_order(bench, "P012012");
}

SGF_TEST(UN_29_a_class_that_is_paused_is_passed_over)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(ROUND_ROBIN, THREE_POOLS));
  bench_pause(bench, 1, 65535);
  for (unsigned tc = 0; tc < 3; tc++)
    queue_frames(bench, tc, 3);
  bench_run(bench, pfc_wire + 4 * ack_wire - 1); /* two turns of both */
  bench_pause(bench, 1, 0);
  check_order(bench, "P020201211"); /* class 0 has its third turn, then class 1 is the next */
}

SGF_TEST(UN_168_a_paused_class_has_a_fresh_turn_after_the_resume)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(WEIGHTED));
  queue_frames(bench, 0, 6);
  queue_frames(bench, 1, 12);
  bench_run(bench, pfc_wire + 2 * ack_wire - 1); /* the second of the turn is on the wire */
  bench_pause(bench, 1, 65535);
  bench_run(bench, pfc_wire + 5 * ack_wire - 1);
  bench_pause(bench, 1, 0);
  check_order(bench, "P110001111101111100");
}

SGF_TEST(UN_170_weights_change_nothing_under_the_other_disciplines)
{
  static const char* const disciplines[] = {"StrictPriority", "RoundRobin"};
  static const char* const expected[]    = {"P1111111000", "P0101011111"};
  static const char* const weights[]     = {"[1, 5, 0, 0, 0, 0, 0, 0]", "[3, 1, 0, 0, 0, 0, 0, 0]",
                                            "[0, 0, 0, 0, 0, 0, 0, 0]"};
  for (size_t d = 0; d < 2; d++)
    for (size_t w = 0; w < 3; w++) {
      bench_t* bench = busy_bench(BENCH_SETTINGS(SCHEDULING, disciplines[d], WEIGHTS, weights[w]));
      CU_ASSERT_EQUAL(bench->warnings, 0);
      queue_frames(bench, 0, 3);
      queue_frames(bench, 1, 7);
      check_order(bench, expected[d]);
    }
}

SGF_TEST(B30_a_turn_stays_while_no_class_may_send)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(WEIGHTED));
  queue_frames(bench, 1, 2); /* three are left of its turn */
  bench_run(bench, OPP_US);
  pfc_send(&bench->nic->pfc, 7, 1);
  queue_frames(bench, 0, 2);
  queue_frames(bench, 1, 5);
  check_order(bench, "P11P1110110");
}

SGF_TEST(B13_a_class_of_weight_0_has_no_turn)
{
  bench_t* bench = busy_bench(BENCH_SETTINGS(WEIGHTED, THREE_POOLS)); /* weights 1, 5, 0 */
  CU_ASSERT_EQUAL(bench->warnings, 1);
  for (unsigned tc = 0; tc < 3; tc++)
    queue_frames(bench, tc, 2);
  bench_run(bench, OPP_US);
  CU_ASSERT_STRING_EQUAL(order(bench), "P0110");
  CU_ASSERT_EQUAL(net_port_queue_length(&bench->nic->port, 2), 2);
  bench_free(bench);
}

/* ---- Against the rule, literally --------------------------------------------------------------------------------- */

typedef struct naive {
  unsigned classes;
  int64_t weight[NET_CLASSES];
  unsigned turn;
  int64_t left;
} naive_t;

/* The current class sends if it may; else the turn moves on. A round in which none may changes nothing. */
static unsigned naive_next(naive_t* naive, unsigned eligible)
{
  naive_t trial = *naive;
  for (unsigned moves = 0; moves <= trial.classes; moves++) {
    if (trial.left > 0 && eligible >> trial.turn & 1) {
      trial.left--;
      *naive = trial;
      return trial.turn;
    }
    trial.turn = (trial.turn + 1) % trial.classes;
    trial.left = trial.weight[trial.turn];
  }
  return NET_CLASSES;
}

SGF_TEST(any_sequence_of_waiting_classes_agrees_with_the_rule_taken_literally)
{
  enum { RUNS = 50, PICKS = 200 };
  srand(1);
  for (int run = 0; run < RUNS; run++) {
    naive_t naive     = {.classes = 2 + (unsigned)rand() % 7};
    const bool rounds = run % 2 == 0;
    for (unsigned tc = 0; tc < naive.classes; tc++)
      naive.weight[tc] = rounds ? 1 : rand() % 5;
    naive.turn = naive.classes - 1;
    naive.left = rounds ? 0 : naive.weight[naive.turn];
    net_turns_t turns;
    if (rounds)
      net_turns_round_robin(&turns, naive.classes);
    else
      net_turns_weighted(&turns, naive.classes, naive.weight);
    for (int pick = 0; pick < PICKS; pick++) {
      const unsigned eligible = (unsigned)rand() % (1U << naive.classes);
      CU_ASSERT_EQUAL(net_turns_next(&turns, eligible), naive_next(&naive, eligible));
    }
  }
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static bool is_refused(const char* const* settings, const char* named, const char* reason)
{
  sgf_error_t error = {0};
  return bench_refusal(400000000000, settings, &error) == SGF_RULE && strstr(error.text, named) != NULL &&
         strstr(error.text, reason) != NULL;
}

SGF_TEST(UN_156_probabilistic_turns_stop_before_start)
{
  static const char* const managers[] = {"IngressBufferManager.QueueSchedulingType",
                                         "EgressBufferManager.QueueSchedulingType"};
  static const char* const others[]   = {"StrictPriority", "RoundRobin", "WeightedRoundRobin"};
  for (size_t m = 0; m < 2; m++) {
    CU_ASSERT_TRUE(is_refused(BENCH_SETTINGS(managers[m], "ProbabilisticWeightedRoundRobin"), managers[m],
                              "ProbabilisticWeightedRoundRobin"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
      sgf_error_t error = {0};
      CU_ASSERT_EQUAL(bench_refusal(400000000000, BENCH_SETTINGS(managers[m], others[i]), &error), SGF_OK);
    }
  }
  uet_block_t block = {0};
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(sgf_attr_set_value(&uet_attributes, &block, SCHEDULING, "Lottery", &error), SGF_RANGE);
  sgf_error_clear(&error);
}

SGF_TEST(weights_of_0_for_data_or_control_are_refused)
{
  CU_ASSERT_TRUE(
      is_refused(BENCH_SETTINGS(WEIGHTED, WEIGHTS, "[0, 5, 0, 0, 0, 0, 0, 0]"), "WRRQueueWeights", "class 0"));
  CU_ASSERT_TRUE(
      is_refused(BENCH_SETTINGS(WEIGHTED, WEIGHTS, "[1, 0, 0, 0, 0, 0, 0, 0]"), "WRRQueueWeights", "class 1"));
  CU_ASSERT_TRUE(is_refused(BENCH_SETTINGS(WEIGHTED, THREE_POOLS, WEIGHTS, "[1, 1, -1, 0, 0, 0, 0, 0]"),
                            "WRRQueueWeights", "class 2"));
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(bench_refusal(400000000000, BENCH_SETTINGS(WEIGHTED, WEIGHTS, "[1, 1, -1, 0, 0, 0, 0, 0]"), &error),
                  SGF_OK); /* class 2 has no pool, and its entry no meaning */
}
