/* spec/uet-nic.md 10 and 11.8 on frames: the UDP source ports of data packets. */
#include "harness.h"
#include "nic_support.h"

#define REPS "PacketSprayingType", "Recycled Entropy Packet Spraying"

enum { FIRST_PORT = 256, PORTS = 128 };

static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

static unsigned port(const bench_t* bench, size_t n)
{
  return bench->log[n].frame.src_port;
}

static bench_t* answering(const char* const* settings)
{
  bench_t* bench = bench_new(settings);
  bench->answers = true;
  return bench;
}

/* ---- Default packet spraying ------------------------------------------------------------------------------------- */

SGF_TEST(UN_139_a_lone_MiB_uses_each_of_128_ports_twice_and_in_turn)
{
  bench_t* bench = answering(NULL);
  bench_post(bench, 1, 1 << 20);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2 * PORTS);
  unsigned used[PORTS] = {0};
  for (size_t n = 0; n < bench->count; n++) {
    CU_ASSERT_EQUAL(port(bench, n), FIRST_PORT + n % PORTS);
    CU_ASSERT_FATAL(port(bench, n) >= FIRST_PORT && port(bench, n) < FIRST_PORT + PORTS);
    used[port(bench, n) - FIRST_PORT]++;
  }
  for (unsigned p = 0; p < PORTS; p++)
    CU_ASSERT_EQUAL(used[p], 2);
  bench_free(bench);
}

SGF_TEST(UN_140_the_mask_sets_how_many_ports_there_are)
{
  static const struct {
    const char* bits;
    unsigned ports;
  } cases[] = {{"0", 1}, {"1", 2}, {"8", 256}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bench_t* bench = answering(BENCH_SETTINGS("EntropyMaskBits", cases[i].bits));
    bench_post(bench, 1, 600 * BENCH_MSS);
    bench_run(bench, OPP_MS);
    CU_ASSERT_EQUAL_FATAL(bench->count, 600);
    for (size_t n = 0; n < bench->count; n++)
      CU_ASSERT_EQUAL(port(bench, n), FIRST_PORT + n % cases[i].ports);
    bench_free(bench);
  }
}

SGF_TEST(UN_141_ports_wrap_past_65535_to_0)
{
  bench_t* bench = answering(BENCH_SETTINGS("StartingPortOffset", "65535", "EntropyMaskBits", "8"));
  bench_post(bench, 1, 257 * BENCH_MSS);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 257);
  CU_ASSERT_EQUAL(port(bench, 0), 65535);
  for (size_t n = 1; n < 256; n++)
    CU_ASSERT_EQUAL(port(bench, n), n - 1); /* 0 ... 254 */
  CU_ASSERT_EQUAL(port(bench, 256), 65535);
  bench_free(bench);
}

SGF_TEST(UN_142_two_messages_to_one_destination_share_a_rotation)
{
  bench_t* bench = answering(BENCH_SETTINGS(BENCH_UNGATED));
  bench_post(bench, 1, 20 * BENCH_MSS);
  bench_post(bench, 1, 20 * BENCH_MSS);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 40);
  for (size_t n = 0; n < bench->count; n++) {
    CU_ASSERT_EQUAL(bench_header(&bench->log[n])->message, 1 + n % 2);
    CU_ASSERT_EQUAL(port(bench, n), FIRST_PORT + n);
  }
  bench_free(bench);
}

/* Those of two destinations, and without groups those of two PDCs, have each their own. */
static void check_a_rotation_each(const char* groups, unsigned second)
{
  bench_t* bench = answering(BENCH_SETTINGS("PDCGroupsEnabled", groups, BENCH_UNGATED));
  bench_post(bench, 1, 20 * BENCH_MSS);
  bench_post(bench, second, 20 * BENCH_MSS);
  bench_run(bench, OPP_MS);
  CU_ASSERT_EQUAL_FATAL(bench->count, 40);
  for (size_t n = 0; n < bench->count; n++)
    CU_ASSERT_EQUAL(port(bench, n), FIRST_PORT + bench_header(&bench->log[n])->psn);
  bench_free(bench);
}

SGF_TEST(UN_142_each_group_has_a_rotation_of_its_own)
{
  check_a_rotation_each("true", 2);
  check_a_rotation_each("false", 1);
}

/* ---- None -------------------------------------------------------------------------------------------------------- */

/* Two messages to one host, each packet lost once. */
static bench_t* sent_twice(const char* groups)
{
  bench_t* bench = bench_new(BENCH_SETTINGS("PacketSprayingType", "None", "PDCGroupsEnabled", groups));
  bench_post(bench, 1, 3 * BENCH_MSS);
  bench_post(bench, 1, 3 * BENCH_MSS);
  bench_run(bench, 200 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 12);
  return bench;
}

SGF_TEST(UN_143_without_spraying_a_group_has_one_port)
{
  bench_t* bench = sent_twice("true");
  for (size_t n = 0; n < bench->count; n++)
    CU_ASSERT_EQUAL(port(bench, n), UET_FIRST_LOCAL_PORT); /* of the PDC that created the group */
  bench_ack(bench, &bench->log[6], 1, 0);
  bench_run(bench, 210 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_probes(bench)->count, 1);
  /* the path whose round trip it measures */
  CU_ASSERT_EQUAL(bench_probes(bench)->last.frame.src_port, UET_FIRST_LOCAL_PORT);
  bench_free(bench);
}

SGF_TEST(UN_143_without_spraying_and_groups_a_PDC_has_one_port)
{
  bench_t* bench = sent_twice("false");
  for (size_t n = 0; n < bench->count; n++)
    CU_ASSERT_EQUAL(port(bench, n), UET_FIRST_LOCAL_PORT + bench_header(&bench->log[n])->message - 1);
  bench_free(bench);
}

/* ---- Retransmissions --------------------------------------------------------------------------------------------- */

SGF_TEST(UN_153_a_retransmission_takes_the_next_value)
{
  bench_t* bench = bench_new(NULL);
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, 200 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 4);
  for (size_t n = 0; n < 4; n++) {
    CU_ASSERT_EQUAL(bench_header(&bench->log[n])->psn, n % 2);
    CU_ASSERT_EQUAL(port(bench, n), FIRST_PORT + n);
  }
  bench_free(bench);
}

/* The value of the packet that was acknowledged is the one in the cache. */
SGF_TEST(UN_153_with_recycled_entropy_a_retransmission_takes_a_recycled_value)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(REPS));
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 2);
  CU_ASSERT_NOT_EQUAL(port(bench, 0), port(bench, 1));
  bench_ack(bench, &bench->log[1], 0, 2);
  bench_run(bench, 200 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  CU_ASSERT_EQUAL(bench_header(&bench->log[2])->psn, 0);
  CU_ASSERT_EQUAL(port(bench, 2), port(bench, 1));
  bench_free(bench);
}

/* ---- Feedback to recycled entropy -------------------------------------------------------------------------------- */

static const spray_t* spray(const bench_t* bench)
{
  return &bench_group(bench, 1)->spray;
}

SGF_TEST(UN_148_what_is_recycled_and_what_is_not)
{
  static const struct {
    bench_answer_t answer;
    bool is_cached;
  } cases[] = {
      {{.expected = 1}, true},
      {{.expected = 1, .is_marked = true}, false},
      {{.is_nack = true}, false},
      {{.is_nack = true, .is_of_last_hop = true}, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bench_t* bench = bench_new(BENCH_SETTINGS(REPS));
    bench_post(bench, 1, 10 * BENCH_MSS);
    bench_run(bench, 10 * OPP_US);
    bench_pause(bench, 0, 65535);
    bench_answer(bench, &bench->log[0], cases[i].answer);
    CU_ASSERT_EQUAL(spray(bench)->stored, cases[i].is_cached);
    if (cases[i].is_cached)
      CU_ASSERT_EQUAL(spray(bench)->cache[0], port(bench, 0));
    bench_free(bench);
  }
}

SGF_TEST(a_NACK_that_changes_nothing_recycles_nothing)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(REPS));
  bench_post(bench, 1, 10 * BENCH_MSS);
  bench_run(bench, 10 * OPP_US);
  bench_answer(bench, &bench->log[0], (bench_answer_t){.expected = 1, .is_marked = true});
  bench_answer(bench, &bench->log[0], (bench_answer_t){.is_nack = true, .is_of_last_hop = true});
  CU_ASSERT_EQUAL(spray(bench)->stored, 0);
  bench_free(bench);
}

/* The answer to a probe is no data acknowledgement (10.4). */
SGF_TEST(the_answer_to_a_probe_recycles_nothing)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(REPS));
  bench_post(bench, 1, 10 * BENCH_MSS);
  bench_run(bench, 10 * OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  bench_run(bench, 11 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench_probes(bench)->count, 1);
  bench_answer_probe(bench);
  CU_ASSERT_EQUAL(spray(bench)->stored, 1);
  bench_free(bench);
}

/* ---- Early failure detection (10.6) ------------------------------------------------------------------------------ */

static void check_failure_at(bench_t* bench, opp_simtime_t date)
{
  const uint64_t retransmissions = bench_uet(bench)->counters.retransmissions;
  bench_run(bench, date - 1);
  CU_ASSERT_FALSE(spray(bench)->freezing);
  bench_run(bench, date);
  CU_ASSERT(spray(bench)->freezing);
  CU_ASSERT_EQUAL(spray(bench)->frozen_at, date);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, retransmissions);
}

SGF_TEST(UN_152_a_packet_that_is_not_acknowledged_for_18_us_is_a_failed_path)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(REPS));
  bench_post(bench, 1, BENCH_MSS);
  check_failure_at(bench, end_of(1) + 18 * OPP_US);
  const opp_simtime_t expiry = end_of(1) + 150 * OPP_US; /* as ever */
  bench_run(bench, expiry - 1);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 0);
  bench_run(bench, expiry);
  CU_ASSERT_EQUAL(bench_uet(bench)->counters.retransmissions, 1);
  bench_free(bench);
}

/* Host 1's second message keeps the group, whose base RTT is 5.5 us when its third is sent. */
SGF_TEST(UN_152_the_deadline_follows_the_base_RTT)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(REPS));
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, end_of(1) + 4500 * OPP_NS);
  bench_ack(bench, &bench->log[0], 1, 0);
  CU_ASSERT_EQUAL(bench_group(bench, 1)->congestion.base_rtt, 5500 * OPP_NS);
  bench_run(bench, 10 * OPP_US);
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, 11 * OPP_US);
  bench_answer(bench, &bench->log[1], (bench_answer_t){.expected = 2}); /* in time; 2 us above the base RTT */
  CU_ASSERT_EQUAL_FATAL(bench->count, 3);
  check_failure_at(bench, bench->log[2].arrival - bench_delay + 16500 * OPP_NS);
  bench_free(bench);
}

SGF_TEST(UN_152_a_packet_that_is_acknowledged_in_time_is_none)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(REPS));
  bench_post(bench, 1, 2 * BENCH_MSS);
  bench_run(bench, end_of(2) + 17 * OPP_US);
  bench_ack(bench, &bench->log[0], 1, 0);
  check_failure_at(bench, end_of(2) + 18 * OPP_US); /* the other */
  bench_free(bench);
}

SGF_TEST(UN_152_a_multiplier_of_0_turns_it_off)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(REPS, "FailureDetectionRTTMultiplier", "0"));
  bench_post(bench, 1, BENCH_MSS);
  bench_run(bench, end_of(1) + 150 * OPP_US - 1);
  CU_ASSERT_FALSE(spray(bench)->freezing);
  bench_run(bench, end_of(1) + 150 * OPP_US); /* the timer is a failed path too */
  CU_ASSERT(spray(bench)->freezing);
  bench_free(bench);
}

/* A retransmission has a deadline of its own. */
SGF_TEST(a_retransmission_is_watched_anew)
{
  bench_t* bench = bench_new(BENCH_SETTINGS(REPS, "FailureDetectionRTTMultiplier", "10", "FreezingTimeout", "0s"));
  bench_post(bench, 1, 10 * BENCH_MSS);
  const opp_simtime_t date = end_of(10) + 6 * OPP_US;
  bench_run(bench, date);
  for (uint32_t psn = 1; psn < 10; psn++)
    bench_ack(bench, &bench->log[psn], 0, (UINT64_C(1) << (psn + 1)) - 2);
  bench_answer(bench, &bench->log[0], (bench_answer_t){.is_nack = true});
  const opp_simtime_t again = date + bench_probe + bench_wire; /* the probe goes first */
  const opp_simtime_t base  = bench_group(bench, 1)->congestion.base_rtt;
  check_failure_at(bench, again + 10 * base);
  bench_free(bench);
}

/* Other types take no notice of any of this. */
SGF_TEST(early_failure_detection_is_for_recycled_entropy_alone)
{
  bench_t* bench = bench_new(NULL);
  CU_ASSERT_PTR_NULL(bench_uet(bench)->watch);
  bench_free(bench);
}
