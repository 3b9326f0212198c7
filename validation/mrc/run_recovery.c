/* spec/mrc-nic.md 4.1, 10.5 and 10.8 in a simulation: losses, trims, codepoints (MR-52, MR-53, MR-57 to MR-59). */
#include "harness.h"

#include "mrc_run_support.h"

#include <sgfabric/stats.h>

#define TRIMMING "**.nic.TrimmingEnabled=true"

enum { PACKETS = 256 };

/* What the tap does to the first transmission of one packet on its way to h1. */
static uint32_t chosen;
static net_role_t cut_to; /* NET_ROLE_UNRECOGNIZED: it is lost */

static opp_simtime_t hurt_one(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const mrc_header_t* data = to_host ? mrun_data(msg) : NULL;
  (void)now;
  if (data == NULL || data->psn != chosen || data->flags & MRC_FLAG_RETRANSMIT)
    return 0;
  if (cut_to == NET_ROLE_UNRECOGNIZED)
    return RUN_LOST;
  mrun_trim(msg, cut_to);
  return 0;
}

/* A MiB from h0 to h1 of which one packet is lost, or cut. */
static size_t hurt(uint32_t psn, net_role_t role, const char* const* settings)
{
  chosen    = psn;
  cut_to    = role;
  mrun_fate = hurt_one;
  mrun_cable_of(settings);
  const size_t write = run_write(0, 1, MRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_counters(0)->messages_acknowledged, 1);
  CU_ASSERT_EQUAL(mrun_counters(1)->messages_delivered, 1);
  CU_ASSERT_EQUAL(mrun_counters(0)->data_sent, PACKETS + 1);
  CU_ASSERT_EQUAL(mrun_count(MRC_DATA, true), PACKETS + 1);
  CU_ASSERT_EQUAL(mrun_counters(0)->retransmissions, 1);
  CU_ASSERT_EQUAL(mrun_counters(1)->duplicates, 0);
  return write;
}

/* The packet that was sent again, which is the only one with the flag. */
static const mrun_frame_t* sent_again(void)
{
  const mrun_frame_t* found = NULL;
  for (size_t i = 0; i < mrun_logged; i++)
    if (mrun_log[i].to_host && mrun_log[i].kind == MRC_DATA && mrun_log[i].header.flags & MRC_FLAG_RETRANSMIT)
      found = &mrun_log[i];
  CU_ASSERT_PTR_NOT_NULL_FATAL(found);
  CU_ASSERT_EQUAL(found->header.psn, chosen);
  CU_ASSERT_NOT_EQUAL(found->entropy, mrun_nth(MRC_DATA, true, chosen)->entropy); /* another path */
  return found;
}

/* ---- Losses ------------------------------------------------------------------------------------------------------ */

static void not_lost_yet(void)
{
  CU_ASSERT_EQUAL(mrun_counters(0)->gap_losses, 0);
}

static void lost(void)
{
  CU_ASSERT_EQUAL(mrun_counters(0)->gap_losses, 1);
}

/* The SACK of the 64th packet behind it says that PSN 100 is lost. */
SGF_SCENARIO(MR_52_a_packet_is_lost_with_the_64th_that_is_reported_beyond_it)
{
  chosen    = 100;
  cut_to    = NET_ROLE_UNRECOGNIZED;
  mrun_fate = hurt_one;
  mrun_cable_of(NULL);
  run_write(0, 1, MRUN_MIB, 0);
  run_look(mrun_answer(101 + 64) - 1, not_lost_yet);
  run_look(mrun_answer(101 + 64), lost);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

/* It goes behind what waits at the port then, 55 packets at most. */
SGF_SCENARIO(MR_52_one_lost_packet_of_256_is_one_retransmission)
{
  const size_t write = hurt(100, NET_ROLE_UNRECOGNIZED, NULL);
  CU_ASSERT_EQUAL(mrun_counters(0)->gap_losses, 1);
  CU_ASSERT_EQUAL(mrun_counters(0)->timeouts, 0);
  CU_ASSERT_EQUAL(mrun_counters(1)->nacks_sent, 0);
  CU_ASSERT_EQUAL(run_nic(1)->rx_drops, 0);
  CU_ASSERT(sent_again()->date > mrun_answer(165));
  CU_ASSERT(sent_again()->date < mrun_answer(165) + 56 * mrun_wire + mrun_cable);
  CU_ASSERT_EQUAL(run_written(write), mrun_arrival(PACKETS + 1) + mrun_ack + mrun_cable);
}

/* No 64 packets follow it: its timer finds it. */
SGF_SCENARIO(MR_52_the_last_packet_of_256_is_found_by_its_timer)
{
  const size_t write = hurt(255, NET_ROLE_UNRECOGNIZED, NULL);
  CU_ASSERT_EQUAL(mrun_counters(0)->timeouts, 1);
  CU_ASSERT_EQUAL(mrun_counters(0)->gap_losses, 0);
  CU_ASSERT_EQUAL(sent_again()->date, mrun_end(256) + 150 * OPP_US + mrun_wire + mrun_cable);
  CU_ASSERT_EQUAL(run_written(write), sent_again()->date + mrun_ack + mrun_cable);
}

/* ---- Trims ------------------------------------------------------------------------------------------------------- */

SGF_SCENARIO(MR_53_one_trimmed_packet_of_256_is_a_NACK_and_a_retransmission)
{
  hurt(200, NET_ROLE_TRIMMED, RUN_SETTINGS(TRIMMING));
  CU_ASSERT_EQUAL_FATAL(mrun_count(MRC_NACK, false), 1);
  CU_ASSERT_EQUAL(mrun_header(MRC_NACK, false, 0)->psn, 200);
  CU_ASSERT_EQUAL(mrun_header(MRC_NACK, false, 0)->reason, MRC_TRIMMED);
  CU_ASSERT_EQUAL(mrun_date(MRC_NACK, false, 0), mrun_arrival(201) + mrun_nack + mrun_cable);
  CU_ASSERT_EQUAL(mrun_counters(0)->trims, 1);
  CU_ASSERT_EQUAL(mrun_counters(0)->timeouts + mrun_counters(0)->gap_losses, 0);
  CU_ASSERT_EQUAL(mrun_counters(0)->skipped_paths, 1); /* it is blamed on the path */
  CU_ASSERT(sent_again()->date > mrun_date(MRC_NACK, false, 0));
}

static mrc_path_state_t state_after_NACK;

static void look_at_path(void)
{
  state_after_NACK = mrc_paths_state(&mrun_pair(0, 1, 0)->paths, mrun_nth(MRC_DATA, true, 200)->entropy);
}

SGF_SCENARIO(MR_59_a_trim_on_the_last_hop_leaves_the_path_good)
{
  chosen    = 200;
  cut_to    = NET_ROLE_TRIMMED_LAST_HOP;
  mrun_fate = hurt_one;
  mrun_cable_of(RUN_SETTINGS(TRIMMING));
  run_write(0, 1, MRUN_MIB, 0);
  run_look(mrun_arrival(201) + mrun_nack + mrun_cable, look_at_path);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_header(MRC_NACK, false, 0)->reason, MRC_TRIMMED_LAST_HOP);
  CU_ASSERT_EQUAL(mrun_counters(0)->retransmissions, 1);
  CU_ASSERT_EQUAL(mrun_counters(0)->skipped_paths, 0);
  CU_ASSERT_EQUAL(state_after_NACK, MRC_GOOD);
  sent_again();
}

#define TRIMMING_SWITCH                                                                                                \
  TRIMMING, "**.switch.UETPolicyEnabled=true", "**.switch.PacketTrimmer.TrimmingEnabled=true",                         \
      "**.switch.EnablePFC=[0, 0, 0, 0, 0, 0, 0, 0]", "**.switch.PlaneBDP=200KB"

static uint64_t sum_of(uint64_t counter(const sgf_mrc_counters_t* counters), unsigned from, unsigned to)
{
  uint64_t sum = 0;
  for (unsigned host = from; host < to; host++)
    sum += counter(mrun_counters(host));
  return sum;
}

static uint64_t retransmissions(const sgf_mrc_counters_t* counters)
{
  return counters->retransmissions;
}

static uint64_t trims(const sgf_mrc_counters_t* counters)
{
  return counters->trims;
}

static uint64_t others(const sgf_mrc_counters_t* counters)
{
  return counters->timeouts + counters->gap_losses + counters->refusals;
}

static uint64_t skips(const sgf_mrc_counters_t* counters)
{
  return counters->skipped_paths;
}

/* Four hosts write a MiB each to a fifth: what the switch does not queue it trims, on the last hop. */
SGF_SCENARIO(MR_53_and_MR_59_a_switch_trims_an_incast_and_every_trim_is_one_NACK_and_one_retransmission)
{
  enum { SENDERS = 4 };
  mrun_rack_of(SENDERS + 1, RUN_SETTINGS(TRIMMING_SWITCH));
  for (unsigned src = 1; src <= SENDERS; src++)
    run_write(src, 0, MRUN_MIB, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const sgf_mrc_counters_t* receiver = mrun_counters(0);
  CU_ASSERT(receiver->trimmed > 10);
  CU_ASSERT_EQUAL(receiver->nacks_sent, receiver->trimmed);
  CU_ASSERT_EQUAL(receiver->duplicates, 0);
  CU_ASSERT_EQUAL(receiver->data_received, SENDERS * PACKETS + receiver->trimmed);
  CU_ASSERT_EQUAL(receiver->messages_delivered, SENDERS);
  CU_ASSERT_EQUAL(sum_of(retransmissions, 1, SENDERS + 1), receiver->trimmed);
  CU_ASSERT_EQUAL(sum_of(trims, 1, SENDERS + 1), receiver->trimmed);
  CU_ASSERT_EQUAL(sum_of(others, 1, SENDERS + 1), 0);
  CU_ASSERT(sum_of(skips, 1, SENDERS + 1) <= receiver->marked_sent); /* no path is blamed but for a mark */
  for (size_t n = 0; n < receiver->nacks_sent; n++)
    CU_ASSERT_EQUAL(mrun_header(MRC_NACK, false, n)->reason, MRC_TRIMMED_LAST_HOP);
  CU_ASSERT_EQUAL(run_nic(0)->rx_drops, 0);
}

/* ---- A NACK that is late (10.5) ---------------------------------------------------------------------------------- */

/* The only packet is cut, and its NACK comes long after the timer has sent it again. */
static opp_simtime_t hold_the_NACK(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  hurt_one(msg, now, to_host);
  const bool is_NACK = mrun_is_answer(msg) && mrc_header(net_frame(msg))->type == MRC_NACK;
  return is_NACK ? 300 * OPP_US - now : 0;
}

static double window_before;

static void look_before(void)
{
  window_before = mrun_window(0, 1);
  CU_ASSERT_EQUAL(mrun_counters(0)->nacks_received, 0);
  CU_ASSERT_EQUAL(mrun_counters(0)->messages_acknowledged, 1);
}

static void look_after(void)
{
  CU_ASSERT_EQUAL(mrun_window(0, 1), window_before);
  CU_ASSERT_EQUAL(mrun_counters(0)->nacks_received, 1);
  CU_ASSERT_EQUAL(mrun_counters(0)->trims, 0);
  CU_ASSERT_EQUAL(mrun_counters(0)->retransmissions, 1);
  CU_ASSERT_EQUAL(mrun_counters(0)->skipped_paths, 0);
}

SGF_SCENARIO(MR_58_a_NACK_for_what_is_acknowledged_changes_nothing)
{
  cut_to    = NET_ROLE_TRIMMED;
  mrun_fate = hold_the_NACK;
  mrun_cable_of(RUN_SETTINGS(TRIMMING));
  run_write(0, 1, MRUN_MSS, 0);
  run_look(300 * OPP_US - 1, look_before);
  run_look(300 * OPP_US, look_after);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(mrun_count(MRC_DATA, true), 2);
}

/* ---- Codepoints (4.1) -------------------------------------------------------------------------------------------- */

/* What the 11th of 20 packets has as its codepoint, and again when it was lost; and that nothing else changes. */
static void check_codepoints(const char* trimming, const char* distinct, net_role_t first, net_role_t again)
{
  chosen    = 10;
  cut_to    = NET_ROLE_UNRECOGNIZED;
  mrun_fate = hurt_one;
  mrun_cable_of(RUN_SETTINGS(trimming, distinct, "**.nic.LossReorderThreshold=3"));
  run_write(0, 1, 20 * MRUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  for (size_t i = 0; i < mrun_logged; i++) {
    const mrun_frame_t* frame = &mrun_log[i];
    const net_role_t data     = frame->header.flags & MRC_FLAG_RETRANSMIT ? again : first;
    CU_ASSERT_EQUAL(frame->dscp, net_role_dscp(frame->to_host ? data : NET_ROLE_CONTROL));
  }
  CU_ASSERT_EQUAL(sent_again()->bytes, MRUN_FULL);
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), 20 * MRUN_FULL);
  CU_ASSERT_EQUAL(run_peak("h0", "tx1"), 0);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), MRUN_FULL);
  CU_ASSERT_EQUAL(run_peak("h1", "rx1"), 0);
}

#define TRIMS(value) "**.nic.TrimmingEnabled=" value
#define DISTINCT(value) "**.nic.UseDistinctDSCPForRetransmit=" value

SGF_SCENARIO(MR_57_codepoints_by_default)
{
  check_codepoints(TRIMS("false"), DISTINCT("true"), NET_ROLE_NO_TRIM, NET_ROLE_TRIMMABLE_RTX);
}

SGF_SCENARIO(MR_57_codepoints_with_trimming)
{
  check_codepoints(TRIMS("true"), DISTINCT("true"), NET_ROLE_TRIMMABLE, NET_ROLE_TRIMMABLE_RTX);
}

SGF_SCENARIO(MR_57_codepoints_without_either)
{
  check_codepoints(TRIMS("false"), DISTINCT("false"), NET_ROLE_NO_TRIM, NET_ROLE_NO_TRIM);
}

SGF_SCENARIO(MR_57_codepoints_with_trimming_and_no_distinct_one)
{
  check_codepoints(TRIMS("true"), DISTINCT("false"), NET_ROLE_TRIMMABLE, NET_ROLE_TRIMMABLE);
}
