/* spec/uet-nic.md 10 and 11.8 in a simulation: source ports on h0's wire, and a path that fails. */
#include "harness.h"
#include "run_taps_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PORT = 256, PORTS = 128, MOST = 8192 };

#define NONE "**.nic.PacketSprayingType=None"
#define REPS "**.nic.PacketSprayingType=Recycled Entropy Packet Spraying"

/* ---- What h0 sends ----------------------------------------------------------------------------------------------- */

static struct {
  uint16_t port;
  uint32_t dst;
  uint64_t message;
  uint32_t psn;
  bool again;
  bool lost;
  opp_simtime_t date;
} sent[MOST];
static size_t sent_count;

static size_t lost_number;                              /* the packet that gets lost, from 1; 0: none */
static bool (*fails)(uint16_t port, opp_simtime_t now); /* whether a port's path is down */

static opp_simtime_t note(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const uet_header_t* header = run_sent_data(msg, to_host);
  if (header == NULL)
    return 0;
  const net_frame_t* frame = net_frame(msg);
  CU_ASSERT_FATAL(sent_count < MOST);
  const bool lost          = sent_count + 1 == lost_number || (fails != NULL && fails(frame->src_port, now));
  sent[sent_count].port    = frame->src_port;
  sent[sent_count].dst     = frame->dst;
  sent[sent_count].message = header->message;
  sent[sent_count].psn     = header->psn;
  sent[sent_count].again   = header->flags & UET_FLAG_RETRANSMIT;
  sent[sent_count].lost    = lost;
  sent[sent_count++].date  = now;
  return lost ? RUN_LOST : 0;
}

static void tapped_cable(const char* const* settings)
{
  run_tap("h0", note);
  run_cable("100ns", settings);
}

static void ports_in_turn(size_t count)
{
  CU_ASSERT_EQUAL_FATAL(sent_count, count);
  for (size_t i = 0; i < count; i++)
    CU_ASSERT_EQUAL(sent[i].port, FIRST_PORT + i % PORTS);
}

/* ---- Default spraying -------------------------------------------------------------------------------------------- */

SGF_SCENARIO(UN_139_a_lone_MiB_uses_each_of_128_ports_twice)
{
  tapped_cable(NULL);
  run_write(0, 1, 1 << 20, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  ports_in_turn(256);
}

static void few_ports(const char* const* settings, unsigned ports, unsigned first)
{
  tapped_cable(settings);
  run_write(0, 1, 600 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sent_count, 600);
  for (size_t i = 0; i < sent_count; i++)
    CU_ASSERT_EQUAL(sent[i].port, (first + i % ports) % 65536);
}

SGF_SCENARIO(UN_140_no_mask_bits_are_one_port)
{
  few_ports(RUN_SETTINGS("**.nic.EntropyMaskBits=0"), 1, FIRST_PORT);
}

SGF_SCENARIO(UN_140_eight_mask_bits_are_256_ports)
{
  few_ports(RUN_SETTINGS("**.nic.EntropyMaskBits=8"), 256, FIRST_PORT);
}

SGF_SCENARIO(UN_141_ports_wrap_past_65535)
{
  few_ports(RUN_SETTINGS("**.nic.EntropyMaskBits=8", "**.nic.StartingPortOffset=65535"), 256, 65535);
}

SGF_SCENARIO(UN_142_two_messages_to_one_destination_share_a_rotation)
{
  enum { PACKETS = 150 };
  tapped_cable(NULL);
  run_write(0, 1, PACKETS * RUN_MSS, 0);
  run_write(0, 1, PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  ports_in_turn(2 * PACKETS);
  CU_ASSERT(sent[0].message != sent[1].message); /* they alternate */
}

SGF_SCENARIO(UN_142_each_destination_has_a_rotation_of_its_own)
{
  enum { PACKETS = 150 };
  run_tap("h0", note);
  run_rack(3, "100ns", NULL);
  run_write(0, 1, PACKETS * RUN_MSS, 0);
  run_write(0, 2, PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sent_count, 2 * PACKETS);
  unsigned steps[2] = {0, 0};
  for (size_t i = 0; i < sent_count; i++) {
    unsigned* step = &steps[sent[i].dst != sent[0].dst];
    CU_ASSERT_EQUAL(sent[i].port, FIRST_PORT + (*step)++ % PORTS);
  }
  CU_ASSERT_EQUAL(steps[0], PACKETS);
}

SGF_SCENARIO(UN_153_a_retransmission_takes_the_next_port)
{
  tapped_cable(NULL);
  lost_number = 5;
  run_write(0, 1, 10 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  ports_in_turn(11);
  CU_ASSERT(sent[10].again);
  CU_ASSERT_EQUAL(sent[10].psn, 4);
}

SGF_SCENARIO(UN_143_without_spraying_a_group_has_one_port)
{
  enum { PACKETS = 10 };
  tapped_cable(RUN_SETTINGS(NONE));
  lost_number = 5;
  run_write(0, 1, PACKETS * RUN_MSS, 0);
  run_write(0, 1, PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sent_count, 2 * PACKETS + 1);
  for (size_t i = 0; i < sent_count; i++)
    CU_ASSERT_EQUAL(sent[i].port, UET_FIRST_LOCAL_PORT);
}

SGF_SCENARIO(UN_143_without_spraying_and_groups_a_PDC_has_one_port)
{
  enum { PACKETS = 10 };
  tapped_cable(RUN_SETTINGS(NONE, "**.nic.PDCGroupsEnabled=false"));
  run_write(0, 1, PACKETS * RUN_MSS, 0);
  run_write(0, 1, PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sent_count, 2 * PACKETS);
  for (size_t i = 0; i < sent_count; i++)
    CU_ASSERT_EQUAL(sent[i].port, UET_FIRST_LOCAL_PORT + (sent[i].message != sent[0].message));
}

/* ---- Recycled entropy values, and a path that fails -------------------------------------------------------------- */

/* From 40 us on one path of four is down: that of a quarter of all ports. */
static const opp_simtime_t failure = 40000000;
static const opp_simtime_t flight  = 2600000;
enum { LONG = 4000 };

static bool quarter_fails(uint16_t port, opp_simtime_t now)
{
  return now >= failure && port % 4 == 1;
}

static opp_simtime_t frozen_at = -1, thawed_at = -1;
static unsigned freezings;

static void watch_freezing(opp_simtime_t now)
{
  static bool frozen;
  const uet_group_t* group = uet_state(run_nic(0))->groups[1];
  if (group == NULL || group->spray.freezing == frozen)
    return;
  frozen = group->spray.freezing;
  freezings += frozen;
  if (frozen && frozen_at < 0)
    frozen_at = now;
  if (!frozen && thawed_at < 0)
    thawed_at = now;
}

static size_t lost_packets(void)
{
  size_t lost = 0;
  for (size_t i = 0; i < sent_count; i++)
    lost += sent[i].lost;
  return lost;
}

static opp_simtime_t first_loss(void)
{
  for (size_t i = 0; i < sent_count; i++)
    if (sent[i].lost)
      return sent[i].date;
  return -1;
}

/* The way there and back is that of the test of congestion: 5.3 us, so that the base RTT stays 6 us. */
static size_t fail_a_path(const char* const* settings)
{
  run_tap("h0", note);
  run_cable("2600ns", settings);
  fails = quarter_fails;
  run_watch(watch_freezing);
  const size_t write = run_write(0, 1, (uint64_t)LONG * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_report()->retransmissions, lost_packets());
  CU_ASSERT_EQUAL(sent_count, LONG + lost_packets());
  return write;
}

/* Whether the port of the i-th packet was used before; one that was not has been drawn. */
static bool is_new(size_t i)
{
  for (size_t j = 0; j < i; j++)
    if (sent[j].port == sent[i].port)
      return false;
  return true;
}

static size_t first_at(opp_simtime_t date)
{
  size_t i = 0;
  while (i < sent_count && sent[i].date < date)
    i++;
  return i;
}

/* Up to the first acknowledgement there is nothing to recycle. A draw may repeat an earlier one; with this seed none of
 * these does. */
SGF_SCENARIO(UN_144_without_feedback_every_packet_explores)
{
  fail_a_path(RUN_SETTINGS(REPS));
  const opp_simtime_t first_back = run_packet_start(2) + flight + run_hold + run_ack + flight;
  unsigned high                  = 0;
  size_t i                       = 0;
  for (; run_packet_start((int64_t)i + 1) < first_back; i++) {
    CU_ASSERT(is_new(i));
    high += sent[i].port >= 32768;
  }
  CU_ASSERT(i > 60);
  CU_ASSERT(high > i / 4 && high < 3 * i / 4); /* four standard deviations */
}

/* A packet that is not acknowledged for three base RTTs freezes the choice, before any timer expires. Until an
 * acknowledgement comes 100 us later or more nothing is drawn. */
SGF_SCENARIO(UN_149_and_UN_150_and_UN_152_a_failed_path_freezes_the_choice)
{
  fail_a_path(RUN_SETTINGS(REPS));
  CU_ASSERT_FATAL(first_loss() >= failure);
  CU_ASSERT_EQUAL(frozen_at, first_loss() - flight + 18 * OPP_US); /* the tap is at the far end of the cable */
  CU_ASSERT(thawed_at >= frozen_at + 100 * OPP_US && thawed_at < frozen_at + 101 * OPP_US);
  /* What was drawn before has passed the transmit pool by then. */
  const size_t from = first_at(frozen_at + 54 * run_wire + flight), to = first_at(thawed_at);
  CU_ASSERT(to > from + 500);
  size_t lost = 0;
  for (size_t i = from; i < to; i++) {
    CU_ASSERT_FALSE(is_new(i));
    lost += sent[i].lost;
  }
  CU_ASSERT_EQUAL(lost, 0); /* what is recycled has come by a way that works */
}

/* Numbers, among the packets sent after freezing, of those whose port is new. */
static size_t explorers(size_t* numbers, size_t most)
{
  const size_t first = first_at(thawed_at);
  size_t count       = 0;
  for (size_t i = first; i < first + 400 && i < sent_count && count < most; i++)
    if (is_new(i))
      numbers[count++] = i;
  return count;
}

/* Packets 7, 15, ..., 71 of the window that follows. */
SGF_SCENARIO(UN_145_each_eighth_packet_after_freezing_explores)
{
  size_t numbers[20];
  fail_a_path(RUN_SETTINGS(REPS));
  CU_ASSERT_EQUAL_FATAL(explorers(numbers, 20), 9);
  for (size_t i = 1; i < 9; i++)
    CU_ASSERT_EQUAL(numbers[i], numbers[0] + 8 * i);
}

SGF_SCENARIO(UN_146_with_128_entries_one_packet_after_freezing_explores)
{
  size_t numbers[20];
  fail_a_path(RUN_SETTINGS(REPS, "**.nic.REPSBufferSizeMaskBits=7"));
  CU_ASSERT_EQUAL(explorers(numbers, 20), 1);
}

SGF_SCENARIO(UN_146_with_one_entry_71_packets_after_freezing_explore)
{
  size_t numbers[200];
  fail_a_path(RUN_SETTINGS(REPS, "**.nic.REPSBufferSizeMaskBits=0"));
  CU_ASSERT_EQUAL_FATAL(explorers(numbers, 200), 71);
  for (size_t i = 1; i < 71; i++)
    CU_ASSERT_EQUAL(numbers[i], numbers[0] + i);
}

/* Without early detection the first timer does it. */
SGF_SCENARIO(UN_152_with_a_multiplier_of_0_a_timeout_freezes_the_choice)
{
  fail_a_path(RUN_SETTINGS(REPS, "**.nic.FailureDetectionRTTMultiplier=0"));
  CU_ASSERT_EQUAL(frozen_at, first_loss() - flight + 150 * OPP_US);
}

/* A later packet of the failed path finds the choice frozen, or exploring: the window has 71 packets. */
SGF_SCENARIO(UN_151_a_failure_while_freezing_does_not_prolong_it)
{
  fail_a_path(RUN_SETTINGS(REPS));
  size_t later = 0;
  for (size_t i = 0; i < sent_count; i++)
    later += sent[i].lost && sent[i].date > first_loss() && sent[i].date < frozen_at;
  CU_ASSERT(later > 10);
  CU_ASSERT(thawed_at < frozen_at + 101 * OPP_US);
}

/* In turn through all ports a quarter is lost, again and again. */
SGF_SCENARIO(the_rotation_goes_on_into_a_failed_path)
{
  fail_a_path(NULL);
  const size_t after = sent_count - first_at(failure);
  CU_ASSERT(frozen_at < 0);
  CU_ASSERT(lost_packets() + 1 >= after / 4);
}

/* Recycled values avoid it: those lost are the ones on their way before it is noticed, and explorers. */
SGF_SCENARIO(recycled_values_avoid_a_failed_path)
{
  fail_a_path(RUN_SETTINGS(REPS));
  const size_t after = sent_count - first_at(failure);
  CU_ASSERT(lost_packets() < after / 100);
}

static opp_simtime_t mark_a_quarter(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  if (run_sent_data(msg, to_host) != NULL && net_frame(msg)->src_port % 4 == 1)
    net_frame(msg)->ecn = NET_ECN_CE;
  return note(msg, now, to_host);
}

/* A quarter of all values comes back marked: they are drawn, and never used again. */
SGF_SCENARIO(UN_148_a_value_that_comes_back_marked_is_not_used_again)
{
  run_tap("h0", mark_a_quarter);
  run_cable("2600ns", RUN_SETTINGS(REPS));
  run_write(0, 1, 1000 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sent_count, 1000);
  size_t marked = 0, reused = 0;
  for (size_t i = 0; i < sent_count; i++) {
    const bool is_drawn = is_new(i);
    marked += sent[i].port % 4 == 1;
    reused += !is_drawn;
    if (!is_drawn)
      CU_ASSERT_NOT_EQUAL(sent[i].port % 4, 1);
  }
  CU_ASSERT(marked > 10);
  CU_ASSERT(reused > 500);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.marked_received, marked);
}

/* ---- Two runs ---------------------------------------------------------------------------------------------------- */

/* Prints what was chosen, for the test below. */
SGF_SCENARIO(the_choices_of_a_run)
{
  fail_a_path(RUN_SETTINGS(REPS));
  uint64_t digest = UINT64_C(14695981039346656037); /* FNV-1a */
  for (size_t i = 0; i < sent_count; i++)
    digest = (digest ^ sent[i].port ^ (uint64_t)sent[i].date << 16) * UINT64_C(1099511628211);
  printf("\nchoices %zu %016llx\n", sent_count, (unsigned long long)digest);
  CU_ASSERT(sent_count > LONG);
}

static void choices(char* line, size_t size)
{
  char output[4096];
  char program[]  = SGF_BINARY_DIR "/validation/nic/run_spraying";
  char scenario[] = "the_choices_of_a_run";
  char* argv[]    = {program, scenario, NULL};
  CU_ASSERT_EQUAL_FATAL(sgf_test_run(argv, output, sizeof output), 0);
  const char* at = strstr(output, "choices ");
  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
}

SGF_TEST(UN_154_two_runs_choose_the_same_values)
{
  char first[64], second[64];
  choices(first, sizeof first);
  choices(second, sizeof second);
  CU_ASSERT(strlen(first) > strlen("choices 4000"));
  CU_ASSERT_STRING_EQUAL(first, second);
}
