/* Losses, samples, paths and probes at a sender on the bench (spec/mrc-nic.md 10.5 to 10.9, 11; MR-52, MR-53, MR-55,
 * MR-57 to MR-59). */
#include "harness.h"
#include "mrc_support.h"

enum { PACKETS = 256 };

/* ---- A receiver that one packet does not reach ------------------------------------------------------------------- */

typedef struct receiver {
  bool seen[PACKETS];
  uint32_t expected;
  size_t answered; /* entries of the log */
} receiver_t;

/* Answer each data packet as it arrives, by a SACK that tells its own PSN and what is cumulative; the first
 * transmission of `lost` draws a NACK with this reason, or nothing (0). */
static void serve(bench_t* bench, uint32_t lost, int reason)
{
  static receiver_t receiver;
  receiver = (receiver_t){0};
  while (bench->acknowledged_at[0] < 0 && bench_now(bench) < 10 * OPP_MS) {
    bench_step(bench);
    for (; receiver.answered < bench->count; receiver.answered++) {
      const bench_frame_t* data  = &bench->log[receiver.answered];
      const mrc_header_t* header = mrc_header_at(data);
      if (header->psn == lost && !(header->flags & MRC_FLAG_RETRANSMIT)) {
        if (reason != 0)
          mrc_nack(bench, data, (mrc_reason_t)reason);
        continue;
      }
      receiver.seen[header->psn] = true;
      while (receiver.expected < PACKETS && receiver.seen[receiver.expected])
        receiver.expected++;
      mrc_answer(bench, data, (mrc_answer_t){.expected = receiver.expected});
    }
  }
}

SGF_TEST(MR_52_one_lost_packet_is_one_retransmission)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, PACKETS * MRC_MSS);
  serve(bench, 100, 0);
  CU_ASSERT(bench->acknowledged_at[0] > 0);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_DATA, 0), 257);
  CU_ASSERT_EQUAL(mrc_counted(bench)->gap_losses, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->timeouts, 0);
  CU_ASSERT_EQUAL(mrc_counted(bench)->retransmissions, 1);
  bench_free(bench);
}

/* Fewer than 64 packets come after it: its timer finds it. */
SGF_TEST(section_10_6_a_loss_near_the_end_is_found_by_its_timer)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, PACKETS * MRC_MSS);
  serve(bench, 193, 0); /* 62 come after it */
  CU_ASSERT_EQUAL(bench_count(bench, MRC_DATA, 0), 257);
  CU_ASSERT_EQUAL(mrc_counted(bench)->gap_losses, 0);
  CU_ASSERT_EQUAL(mrc_counted(bench)->timeouts, 1);
  bench_free(bench);
}

SGF_TEST(MR_53_one_trimmed_packet_is_one_retransmission_without_a_timeout)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("TrimmingEnabled", "true"));
  bench_post(bench, 1, PACKETS * MRC_MSS);
  serve(bench, 200, MRC_TRIMMED);
  CU_ASSERT(bench->acknowledged_at[0] > 0);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_DATA, 0), 257);
  CU_ASSERT_EQUAL(mrc_counted(bench)->trims, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->timeouts + mrc_counted(bench)->gap_losses, 0);
  bench_free(bench);
}

/* ---- NACKs ------------------------------------------------------------------------------------------------------- */

/* A message of 20 packets, all sent, that nobody has answered. */
static bench_t* sent(const char* const* settings)
{
  bench_t* bench = mrc_bench(settings);
  bench_post(bench, 1, 20 * MRC_MSS);
  bench_run(bench, 5 * OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, MRC_DATA, 0), 20);
  CU_ASSERT_EQUAL(mrc_in_flight(bench, 1), 20 * MRC_IP);
  return bench;
}

static double window(const bench_t* bench)
{
  return mrc_of(bench)->destinations[1]->congestion.window;
}

SGF_TEST(MR_58_a_NACK_for_what_is_acknowledged_changes_nothing)
{
  bench_t* bench            = sent(NULL);
  const bench_frame_t fifth = *mrc_data_at(bench, 5);
  mrc_answer(bench, &fifth, (mrc_answer_t){.expected = 0});
  const double before = window(bench);
  mrc_nack(bench, &fifth, MRC_TRIMMED);
  CU_ASSERT_EQUAL(mrc_counted(bench)->nacks_received, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->trims, 0);
  CU_ASSERT_EQUAL(mrc_counted(bench)->retransmissions, 0);
  CU_ASSERT_EQUAL(window(bench), before);
  CU_ASSERT_EQUAL(mrc_paths_state(&mrc_pair_at(bench, 1, 0)->paths, fifth.frame.src_port), MRC_GOOD);
  bench_free(bench);
}

/* The first copy's NACK comes twice, or late: of the second copy nothing is known. */
SGF_TEST(section_10_5_a_NACK_for_an_earlier_transmission_changes_nothing)
{
  bench_t* bench            = sent(NULL);
  const bench_frame_t fifth = *mrc_data_at(bench, 5);
  mrc_nack(bench, &fifth, MRC_TRIMMED);
  bench_run(bench, bench_now(bench) + OPP_US);
  const bench_frame_t again = *mrc_data_at(bench, 20); /* has been sent */
  CU_ASSERT_EQUAL(mrc_header_at(&again)->psn, 5);
  mrc_nack(bench, &fifth, MRC_TRIMMED);
  CU_ASSERT_EQUAL(mrc_counted(bench)->nacks_received, 2);
  CU_ASSERT_EQUAL(mrc_counted(bench)->trims, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->retransmissions, 1);
  mrc_nack(bench, &again, MRC_TRIMMED);
  CU_ASSERT_EQUAL(mrc_counted(bench)->trims, 2);
  CU_ASSERT_EQUAL(mrc_counted(bench)->retransmissions, 2);
  bench_free(bench);
}

/* What a NACK for packet 5 leaves: its path's state and what it takes off the window. */
static mrc_path_state_t after_nack(mrc_reason_t reason, double* taken_off)
{
  bench_t* bench            = sent(NULL);
  const bench_frame_t fifth = *mrc_data_at(bench, 5);
  const double before       = window(bench);
  mrc_nack(bench, &fifth, reason);
  *taken_off = before - window(bench);
  CU_ASSERT_EQUAL(mrc_counted(bench)->retransmissions, 1);
  bench_run(bench, bench_now(bench) + OPP_US);
  const bench_frame_t* again = mrc_data_at(bench, 20);
  CU_ASSERT_EQUAL(mrc_header_at(again)->psn, 5);
  CU_ASSERT_NOT_EQUAL(again->frame.src_port, fifth.frame.src_port); /* another path */
  const mrc_path_state_t state = mrc_paths_state(&mrc_pair_at(bench, 1, 0)->paths, fifth.frame.src_port);
  bench_free(bench);
  return state;
}

/* A sample of that answer lowers the base RTT and with it the window: what is compared is what reasons differ in. */
SGF_TEST(MR_59_a_trim_on_the_last_hop_is_not_blamed_on_the_path)
{
  double of_trim, of_last_hop, of_bitmap;
  CU_ASSERT_EQUAL(after_nack(MRC_TRIMMED, &of_trim), MRC_SKIP);
  CU_ASSERT_EQUAL(after_nack(MRC_TRIMMED_LAST_HOP, &of_last_hop), MRC_GOOD);
  CU_ASSERT_EQUAL(after_nack(MRC_NO_BITMAP, &of_bitmap), MRC_GOOD);
  CU_ASSERT_EQUAL(of_trim, of_last_hop);
  CU_ASSERT_EQUAL(of_bitmap, 0);
}

SGF_TEST(section_11_a_trim_and_a_timeout_take_a_packet_off_the_window)
{
  bench_t* bench = sent(BENCH_SETTINGS("InitialBaseRTT", "2us"));
  CU_ASSERT_EQUAL(window(bench), 150000);
  /* Quick Adapt observes from the first NACK on, for 4 us: it does not interfere. The sample is above the base RTT. */
  mrc_nack(bench, mrc_data_at(bench, 5), MRC_TRIMMED_LAST_HOP);
  CU_ASSERT_EQUAL(window(bench), 150000 - MRC_IP);
  bench_run(bench, mrc_end_of(1) + 150 * OPP_US);
  CU_ASSERT_EQUAL(mrc_counted(bench)->timeouts, 1);
  CU_ASSERT_EQUAL(window(bench), 150000 - 2 * MRC_IP);
  bench_free(bench);
}

/* ---- Order of retransmissions (10.1) ----------------------------------------------------------------------------- */

SGF_TEST(section_10_1_retransmissions_go_in_the_order_in_which_they_were_declared_lost)
{
  bench_t* bench = sent(BENCH_SETTINGS("LossReorderThreshold", "3"));
  while (nic_reserve(bench->nic, 0, 1)) /* the test takes the pool, so that they wait */
    ;
  mrc_nack(bench, mrc_data_at(bench, 7), MRC_NO_RESOURCE);
  const bench_frame_t tenth = *mrc_data_at(bench, 10);
  /* 0 to 2 and 4, 6, 8, 10 are reported: 3 and 5 have three beyond them, 9 has one. */
  mrc_answer(bench, &tenth, (mrc_answer_t){.expected = 3, .bitmap = 0x2a});
  CU_ASSERT_EQUAL(mrc_counted(bench)->gap_losses, 2);
  bench->nic->egress[0].reserved = 0;
  const size_t before            = bench->count;
  mrc_answer(bench, &tenth, (mrc_answer_t){.expected = 3});
  bench_run(bench, bench_now(bench) + OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count - before, 3);
  CU_ASSERT_EQUAL(mrc_header_at(&bench->log[before])->psn, 7);
  CU_ASSERT_EQUAL(mrc_header_at(&bench->log[before + 1])->psn, 3);
  CU_ASSERT_EQUAL(mrc_header_at(&bench->log[before + 2])->psn, 5);
  bench_free(bench);
}

/* ---- Timers (10.6) ----------------------------------------------------------------------------------------------- */

SGF_TEST(section_10_6_the_timeout_doubles_up_to_its_cap)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("MaxExponentialRTOBackoffCount", "2"));
  bench_post(bench, 1, 0);
  opp_simtime_t left = 0;
  for (unsigned n = 0; n < 5; n++) {
    bench_run(bench, left + (n == 0 ? OPP_US : (150 * OPP_US << (n < 3 ? n - 1 : 2)) + OPP_US));
    CU_ASSERT_EQUAL_FATAL(bench_count(bench, MRC_DATA, 0), n + 1);
    const opp_simtime_t next = mrc_data_at(bench, n)->arrival - bench_delay;
    if (n > 0)
      CU_ASSERT_EQUAL(next - left, (150 * OPP_US << (n < 3 ? n - 1 : 2)) + 1560); /* 78 B on the wire */
    left = next;
  }
  CU_ASSERT_EQUAL(mrc_counted(bench)->transmissions_of_a_packet, 5);
  bench_free(bench);
}

SGF_TEST(section_10_8_a_timeout_makes_a_path_bad_and_a_probe_good_again)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, 0);
  bench_run(bench, 200 * OPP_US); /* its timer has run out once */
  const uint16_t value     = mrc_data_at(bench, 0)->frame.src_port;
  const mrc_paths_t* paths = &mrc_pair_at(bench, 1, 0)->paths;
  CU_ASSERT_EQUAL(mrc_paths_state(paths, value), MRC_ASSUMED_BAD);
  CU_ASSERT_EQUAL(mrc_counted(bench)->probes_sent, 0);
  bench_run(bench, 310 * OPP_US);
  const bench_frame_t* probe = bench_nth(bench, MRC_PROBE, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(probe);
  CU_ASSERT_EQUAL(probe->arrival, mrc_doorbell + 1560 + 300 * OPP_US + 1480 + bench_delay); /* 78 B, later 74 B */
  CU_ASSERT_EQUAL(probe->frame.src_port, value);
  CU_ASSERT_EQUAL(mrc_paths_state(paths, value), MRC_ASSUMED_BAD);
  mrc_answer(bench, probe, (mrc_answer_t){.type = MRC_SACK});
  CU_ASSERT_EQUAL(mrc_paths_state(paths, value), MRC_GOOD);
  CU_ASSERT_EQUAL(mrc_counted(bench)->probe_answers, 1);
  CU_ASSERT_EQUAL(bench->acknowledged_at[0], -1);
  bench_free(bench);
}

/* Nothing goes on for ever: when its messages are acknowledged a pair stops probing, until the next. */
SGF_TEST(a_pair_without_messages_sends_no_probes)
{
  bench_t* bench = mrc_bench(NULL);
  bench_post(bench, 1, 0);
  bench_run(bench, 200 * OPP_US);
  mrc_answer(bench, mrc_data_at(bench, 1), (mrc_answer_t){.type = MRC_ACK, .expected = 1});
  CU_ASSERT(bench->acknowledged_at[0] > 0);
  mrc_run_to_the_end(bench);
  CU_ASSERT_EQUAL(mrc_counted(bench)->probes_sent, 0);
  bench_post(bench, 1, 0);
  bench_run(bench, bench_now(bench) + 149 * OPP_US);
  CU_ASSERT_EQUAL(mrc_counted(bench)->probes_sent, 0);
  bench_run(bench, bench_now(bench) + 2 * OPP_US);
  CU_ASSERT_EQUAL(mrc_counted(bench)->probes_sent, 1);
  bench_free(bench);
}

SGF_TEST(section_10_8_verdicts_of_SACKs)
{
  bench_t* bench           = sent(NULL);
  const mrc_paths_t* paths = &mrc_pair_at(bench, 1, 0)->paths;
  const uint16_t first     = mrc_data_at(bench, 0)->frame.src_port;
  const uint16_t second    = mrc_data_at(bench, 1)->frame.src_port;
  const uint16_t third     = mrc_data_at(bench, 2)->frame.src_port;
  mrc_answer(bench, mrc_data_at(bench, 0), (mrc_answer_t){.expected = 1});
  mrc_answer(bench, mrc_data_at(bench, 1), (mrc_answer_t){.expected = 2, .verdict = MRC_PATH_SKIP_ONCE});
  mrc_answer(bench, mrc_data_at(bench, 2), (mrc_answer_t){.expected = 3, .verdict = MRC_PATH_ALWAYS_SKIP});
  CU_ASSERT_EQUAL(mrc_paths_state(paths, first), MRC_GOOD);
  CU_ASSERT_EQUAL(mrc_paths_state(paths, second), MRC_SKIP);
  CU_ASSERT_EQUAL(mrc_paths_state(paths, third), MRC_ASSUMED_BAD);
  CU_ASSERT_EQUAL(mrc_counted(bench)->skipped_paths, 1);
  CU_ASSERT_EQUAL(mrc_counted(bench)->bad_paths, 1);
  bench_free(bench);
}

SGF_TEST(section_10_8_every_packet_has_another_entropy_value)
{
  bench_t* bench = sent(NULL);
  for (size_t a = 0; a < 20; a++) {
    const uint16_t value = mrc_data_at(bench, a)->frame.src_port;
    CU_ASSERT(value >= 256 && value <= 383);
    for (size_t b = 0; b < a; b++)
      CU_ASSERT_NOT_EQUAL(value, mrc_data_at(bench, b)->frame.src_port);
  }
  bench_free(bench);
}

/* ---- Samples (10.9) ---------------------------------------------------------------------------------------------- */

/* The sample of the only packet, answered so long after the end of its serialisation, as the window keeps it. */
static opp_simtime_t sample(const char* const* settings, mrc_answer_t what, opp_simtime_t after)
{
  bench_t* bench           = mrc_bench(settings);
  const opp_simtime_t left = mrc_doorbell + mrc_fetch + mrc_wire;
  bench_post(bench, 1, MRC_MSS - (settings != NULL ? MRC_TIMESTAMP_BYTES : 0));
  bench_run(bench, left + after);
  mrc_answer(bench, mrc_data_at(bench, 0), what);
  const opp_simtime_t kept = mrc_of(bench)->destinations[1]->congestion.reference;
  bench_free(bench);
  return kept;
}

SGF_TEST(MR_55_a_sample_leaves_out_the_service_time)
{
  CU_ASSERT_EQUAL(sample(NULL, (mrc_answer_t){.expected = 1}, 300000), 300000);
  CU_ASSERT_EQUAL(sample(NULL, (mrc_answer_t){.expected = 1, .service_time = 10000}, 300000), 290000);
  CU_ASSERT_EQUAL(sample(NULL, (mrc_answer_t){.type = MRC_ACK, .expected = 1}, 300000), 300000);
}

/* With 4 B less payload the packet is as long as without the time stamp. It leaves at 169.323 ns or somewhat earlier,
 * in the second step of 128 ns; the answer comes at 469.323 ns, in the fourth. */
SGF_TEST(section_10_9_with_WireTimestamp_samples_have_steps_of_128_ns)
{
  CU_ASSERT_EQUAL(sample(BENCH_SETTINGS("RTTTimestampMode", "WireTimestamp"), (mrc_answer_t){.expected = 1}, 300000),
                  256000);
}

/* ---- Roles (4.1) ------------------------------------------------------------------------------------------------- */

/* The roles of a first transmission and of a retransmission; both are of the data class. */
static void check_roles(const char* trimming, const char* distinct, net_role_t first, net_role_t again)
{
  bench_t* bench = mrc_bench(BENCH_SETTINGS("TrimmingEnabled", trimming, "UseDistinctDSCPForRetransmit", distinct));
  bench_post(bench, 1, MRC_MSS);
  bench_run(bench, OPP_US);
  mrc_nack(bench, mrc_data_at(bench, 0), MRC_TRIMMED);
  bench_run(bench, 2 * OPP_US);
  CU_ASSERT_EQUAL(mrc_data_at(bench, 0)->frame.dscp, net_role_dscp(first));
  CU_ASSERT_EQUAL(mrc_data_at(bench, 1)->frame.dscp, net_role_dscp(again));
  CU_ASSERT_EQUAL(mrc_data_at(bench, 0)->frame.header_bytes, 44); /* 62 B with Ethernet */
  CU_ASSERT_EQUAL(bench->nic->egress[0].peak, MRC_FULL);
  CU_ASSERT_EQUAL(bench->nic->egress[1].peak, 0);
  bench_free(bench);
}

SGF_TEST(MR_57_trimming_and_distinct_retransmissions_change_codepoints_alone)
{
  check_roles("false", "true", NET_ROLE_NO_TRIM, NET_ROLE_TRIMMABLE_RTX);
  check_roles("true", "true", NET_ROLE_TRIMMABLE, NET_ROLE_TRIMMABLE_RTX);
  check_roles("false", "false", NET_ROLE_NO_TRIM, NET_ROLE_NO_TRIM);
  check_roles("true", "false", NET_ROLE_TRIMMABLE, NET_ROLE_TRIMMABLE);
}
