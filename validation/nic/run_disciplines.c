/* spec/uet-nic.md 5.4 and 11.3 in a simulation: in which order a NIC sends what a pause of both classes has piled up.
 *
 *   h0 <-- 400 Gb/s, 100 ns --> h1
 *
 * Both write to the other. While h1 holds all classes of h0, h0's data waits and so do the acknowledgements of h1's. */
#include "harness.h"
#include "nic_run_support.h"

#include <string.h>

#define NO_WINDOW "**.nic.PassThrough=true"
#define SCHEDULING "**.nic.EgressBufferManager.QueueSchedulingType="
#define WEIGHTS "**.nic.EgressBufferManager.WRRQueueWeights="
/* Data in class 2; class 0 has pools and no traffic. */
#define DATA_IN_CLASS_2                                                                                                \
  "**.nic.EgressBufferManager.PoolAllocationVector=[0.1, 0.1, 0.8, 0, 0, 0, 0, 0]",                                    \
      "**.nic.IngressBufferManager.PoolAllocationVector=[0.1, 0.1, 0.8, 0, 0, 0, 0, 0]",                               \
      "**.nic.TrafficClasses.Data=2"

enum { DATA = 200, ANSWERED = 60, MOST = 1000 };
static const opp_simtime_t held_at     = 5 * OPP_US;
static const opp_simtime_t released_at = 20 * OPP_US; /* h1 has sent all of its data long ago */

static unsigned data_class;
static size_t waiting[2]; /* data and control in h0's queues just before the release */

static void pause_h0(uint16_t quanta)
{
  pfc_send(&run_nic(1)->pfc, data_class, quanta);
  pfc_send(&run_nic(1)->pfc, 1, quanta); /* arrives while the first frame of data is on the wire */
}

static void hold(void)
{
  pause_h0(65535);
}

static void release(void)
{
  waiting[0] = net_port_queue_length(&run_nic(0)->port, data_class);
  waiting[1] = net_port_queue_length(&run_nic(0)->port, 1);
  pause_h0(0);
}

/* Classes of the frames that h0 has started since the release, as digits. */
static char sent[MOST + 1];
static size_t sent_count;
static size_t data_before; /* frames of data until then */

static void watch(opp_simtime_t now)
{
  static uint64_t frames;
  const net_port_t* port = &run_nic(0)->port;
  const bool starts      = port->frames != frames;
  frames                 = port->frames;
  if (starts && now < released_at)
    data_before += port->departure.tc == data_class;
  else if (starts && sent_count < MOST)
    sent[sent_count++] = (char)('0' + port->departure.tc);
}

/* h1 has so many packets for h0. */
static void prepare(unsigned tc, unsigned answered, const char* const* settings)
{
  data_class = tc;
  run_cable("100ns", settings);
  run_write(0, 1, DATA * RUN_MSS, 0);
  run_write(1, 0, answered * RUN_MSS, (double)held_at * 1e-12);
  run_watch(watch);
  run_look(held_at, hold);
  run_look(released_at, release);
}

static void run_pile_up(unsigned tc, const char* const* settings)
{
  prepare(tc, ANSWERED, settings);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT(waiting[0] >= ANSWERED / 2);
  CU_ASSERT(waiting[1] >= ANSWERED);
}

/* So many repetitions of the pattern come first. */
static void check_repetitions(const char* pattern, size_t count)
{
  const size_t length = strlen(pattern);
  CU_ASSERT_FATAL(sent_count >= count * length);
  for (size_t i = 0; i < count * length; i++)
    CU_ASSERT_EQUAL(sent[i], pattern[i % length]);
}

SGF_SCENARIO(UN_25_five_control_packets_for_each_of_data)
{
  run_pile_up(0, RUN_SETTINGS(NO_WINDOW, SCHEDULING "WeightedRoundRobin"));
  check_repetitions("011111", ANSWERED / 5);
}

SGF_SCENARIO(UN_26_data_in_class_2_has_its_weight)
{
  run_pile_up(
      2, RUN_SETTINGS(NO_WINDOW, DATA_IN_CLASS_2, SCHEDULING "WeightedRoundRobin", WEIGHTS "[4, 3, 2, 0, 0, 0, 0, 0]"));
  check_repetitions("22111", ANSWERED / 3);
}

SGF_SCENARIO(UN_27_a_class_that_is_empty_gives_up_the_rest_of_its_turn)
{
  prepare(0, 2, RUN_SETTINGS(NO_WINDOW, SCHEDULING "WeightedRoundRobin"));
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(waiting[1], 2);
  CU_ASSERT_EQUAL(strspn(sent, "0"), 1);
  CU_ASSERT_EQUAL(strspn(sent + 1, "1"), 2);
  CU_ASSERT(strspn(sent + 3, "0") > 1);
}

SGF_SCENARIO(UN_28_data_goes_continuously_when_no_control_waits)
{
  run_cable("100ns", RUN_SETTINGS(NO_WINDOW, SCHEDULING "WeightedRoundRobin"));
  const size_t write = run_write(0, 1, DATA * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(run_probed_start_on_a_cable(DATA) + run_wire));
}

SGF_SCENARIO(UN_29_both_classes_alternate)
{
  run_pile_up(0, RUN_SETTINGS(NO_WINDOW, SCHEDULING "RoundRobin"));
  check_repetitions("01", ANSWERED);
}

/* After the first packet of data and two of control the pause is back, for three packets of data. */
static void pause_control(void)
{
  pfc_send(&run_nic(1)->pfc, 1, 65535);
}

static void resume_control(void)
{
  pfc_send(&run_nic(1)->pfc, 1, 0);
}

SGF_SCENARIO(UN_168_a_paused_class_has_a_fresh_turn_after_the_resume)
{
  /* Since the first packet of data began, which the release has started; a pause frame is as long under way as that. */
  const opp_simtime_t second_of_control = run_wire + run_ack;
  const opp_simtime_t fourth_of_data    = run_wire + 2 * run_ack + 2 * run_wire;
  prepare(0, ANSWERED, RUN_SETTINGS(NO_WINDOW, SCHEDULING "WeightedRoundRobin"));
  run_look(released_at + second_of_control + 100, pause_control);
  run_look(released_at + fourth_of_data + 100, resume_control);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  static const char expected[] = "011"
                                 "000"
                                 "11111"
                                 "0"
                                 "11111"
                                 "0";
  CU_ASSERT_EQUAL(strncmp(sent, expected, sizeof expected - 1), 0);
}

SGF_SCENARIO(UN_170_weights_change_nothing_under_round_robin)
{
  run_pile_up(0, RUN_SETTINGS(NO_WINDOW, SCHEDULING "RoundRobin", WEIGHTS "[3, 2, 0, 0, 0, 0, 0, 0]"));
  check_repetitions("01", ANSWERED);
}

SGF_SCENARIO(UN_170_weights_change_nothing_under_strict_priority)
{
  run_pile_up(0, RUN_SETTINGS(NO_WINDOW, WEIGHTS "[3, 2, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(strspn(sent, "0"), 1); /* on the wire when control is resumed */
  CU_ASSERT_EQUAL(strspn(sent + 1, "1"), waiting[1]);
}

SGF_SCENARIO(UN_169_data_in_class_2_goes_before_all_control)
{
  run_pile_up(2, RUN_SETTINGS(NO_WINDOW, DATA_IN_CLASS_2));
  const size_t data = DATA - data_before;
  CU_ASSERT_EQUAL(strspn(sent, "2"), data);
  CU_ASSERT_EQUAL(strspn(sent + data, "1"), sent_count - data);
  CU_ASSERT_EQUAL(waiting[1], ANSWERED + 1); /* its own probe too */
}
