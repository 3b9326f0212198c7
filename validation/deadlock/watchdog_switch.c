/* The watchdog in a switch on its own: what a storm does to packets, charges, pauses and counters, to the picosecond
 * (spec/feedback-budget.md 9.2, rules 1 to 5; FB-87 to FB-92, FB-94 to FB-96). D128 and packets of 4,000 B as in
 * spec/switch.md 10; class 0 is lossless and alone in pool 0. */
#include "harness.h"
#include "switch/lab_support.h"

enum { IN, OUT, OTHER, XOFF_PACKETS = 176, TC_LOSSY = 2 };

#define MS OPP_MS
#define WATCHED "PfcWatchdog.Enable", "true"

static const switch_port_t* port_of(const lab_t* lab, unsigned port)
{
  return &lab->state->ports[port];
}

static switch_storm_t storm_at(const lab_t* lab, size_t i)
{
  CU_ASSERT_FATAL(i < switch_storm_count(lab->state));
  return switch_storm(lab->state, i);
}

/* A switch of which OUT is paused from now, 0, on, and which gets `count` packets from IN. */
static lab_t* paused(unsigned count, const char* const* settings)
{
  lab_t* lab = lab_d128(settings);
  lab_hold(lab, OUT, 0);
  lab_packets(lab, IN, OUT, 0, count);
  return lab;
}

static bool is(const switch_storm_traffic_t* traffic, uint64_t sent, uint64_t tx_drops, uint64_t received,
               uint64_t rx_drops)
{
  return traffic->sent == sent && traffic->tx_drops == tx_drops && traffic->received == received &&
         traffic->rx_drops == rx_drops;
}

/* ---- Off --------------------------------------------------------------------------------------------------------- */

SGF_TEST(off_it_does_nothing)
{
  lab_t* lab = paused(10, LAB_DEFAULTS);
  lab_run_held(lab, OUT, 0, 500 * MS);
  CU_ASSERT_EQUAL(switch_storm_count(lab->state), 0);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  CU_ASSERT_EQUAL(net_port_queue_length(&port_of(lab, OUT)->out, 0), 10);
  CU_ASSERT_PTR_NULL(lab->state->watchdog);
  CU_ASSERT_EQUAL(switch_watchdog_patience(lab->state), 0);
  lab_free(lab);
}

/* ---- drop -------------------------------------------------------------------------------------------------------- */

SGF_TEST(FB_96_a_drop_storm_gives_all_charges_back_and_resumes_once)
{
  enum { COUNT = 200 };
  lab_t* lab = paused(COUNT, LAB_SETTINGS(WATCHED));
  lab_run_held(lab, OUT, 0, 200 * MS - 1);
  CU_ASSERT_EQUAL(switch_storm_count(lab->state), 0);
  CU_ASSERT(lab_holds(lab, IN, 0, XOFF_PACKETS * LAB_PACKET, (COUNT - XOFF_PACKETS) * LAB_PACKET));
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 0);
  const unsigned pauses = lab_pauses(lab, IN, 0);
  CU_ASSERT(pauses > 4000); /* the refreshes */

  lab_run(lab, 200 * MS);
  CU_ASSERT_EQUAL(storm_at(lab, 0).detected, 200 * MS);
  CU_ASSERT(lab_holds(lab, IN, 0, 0, 0));
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, 0), 0);
  CU_ASSERT(!sgf_sb_paused(lab->buffer, IN, 0));
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_WATCHDOG], COUNT);
  CU_ASSERT_EQUAL(port_of(lab, OUT)->tx_drops, COUNT);
  CU_ASSERT_EQUAL(switch_tx_drops(port_of(lab, OUT), 0), COUNT);
  CU_ASSERT_EQUAL(lab_drops(lab), COUNT);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pfc_date(lab, IN, 0, 0, 0), 200 * MS + lab_pfc_way(lab)); /* the resume leaves at once */
  lab_run(lab, 900 * MS);
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 1);
  CU_ASSERT(lab_pauses(lab, IN, 0) <= pauses + 1); /* one may have been under way: the refresh has stopped */
  char what[128];
  CU_ASSERT(sgf_sb_empty(lab->buffer, what, sizeof what));
  lab_free(lab);
}

/* What arrives for the queue later is discarded, and what arrives at its port in its class; other classes, ports and
 * directions go on. */
SGF_TEST(a_drop_storm_discards_what_comes_later)
{
  lab_t* lab = paused(3, LAB_SETTINGS(WATCHED));
  lab_run_held(lab, OUT, 0, 200 * MS);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_WATCHDOG], 3);
  lab_packets(lab, IN, OUT, 0, 4);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_WATCHDOG], 7);
  CU_ASSERT_EQUAL(switch_tx_drops(port_of(lab, OUT), 0), 7);
  CU_ASSERT(lab_holds(lab, IN, 0, 0, 0));
  lab_packets(lab, OUT, IN, 0, 5);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_WATCHDOG_ARRIVAL], 5);
  CU_ASSERT_EQUAL(port_of(lab, OUT)->rx_drops, 5);
  CU_ASSERT(lab_holds(lab, OUT, 0, 0, 0));
  lab_packets(lab, IN, OUT, 1, 1);
  lab_packets(lab, OUT, IN, 1, 1);
  lab_packets(lab, IN, OTHER, 0, 1);
  lab_packets(lab, OTHER, IN, 0, 1);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_packet_count(lab, OUT), 1);
  CU_ASSERT_EQUAL(lab_packet_count(lab, IN), 2);
  CU_ASSERT_EQUAL(lab_packet_count(lab, OTHER), 1);
  CU_ASSERT_EQUAL(lab_drops(lab), 12);
  const switch_storm_t storm = storm_at(lab, 0);
  CU_ASSERT(is(&storm.during, 0, 7, 0, 5));
  CU_ASSERT(is(&storm.total, 0, 7, 0, 5));
  CU_ASSERT_EQUAL(storm.restored, -1);
  lab_free(lab);
}

/* Whatever arrives in the class at the port of the storm: it sends no pause on account of that. */
SGF_TEST(a_drop_storm_sends_no_pause_out_of_its_port)
{
  lab_t* lab = paused(1, LAB_SETTINGS(WATCHED));
  lab_run_held(lab, OUT, 0, 200 * MS);
  lab_hold(lab, IN, 0);
  lab_packets(lab, OUT, IN, 0, 2 * XOFF_PACKETS);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pauses(lab, OUT, 0), 0);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_WATCHDOG_ARRIVAL], 2 * XOFF_PACKETS);
  lab_free(lab);
}

/* Rule 3: a frame on the link is completed. */
SGF_TEST(a_frame_that_is_being_sent_is_completed)
{
  lab_t* lab = lab_d128(LAB_SETTINGS(WATCHED));
  lab_packets(lab, IN, OUT, 0, 3);
  lab_hold(lab, OUT, 0);
  lab_run_held(lab, OUT, 0, 200 * MS);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_packet_count(lab, OUT), 1);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_WATCHDOG], 2);
  const switch_storm_t storm = storm_at(lab, 0);
  CU_ASSERT(is(&storm.during, 0, 2, 0, 0)); /* it left long before the storm */
  lab_free(lab);
}

/* While the storm is on PFC frames are counted and pause nothing; after the restoration the next one does. */
SGF_TEST(FB_91_and_rule_3_the_next_pause_after_the_restoration_pauses_again)
{
  lab_t* lab = paused(1, LAB_SETTINGS(WATCHED));
  lab_run_held(lab, OUT, 0, 250 * MS);
  lab_hold(lab, OUT, 0);
  CU_ASSERT_EQUAL(port_of(lab, OUT)->out.held, 0);
  const uint64_t heard = port_of(lab, OUT)->peer.pauses[0];
  CU_ASSERT_EQUAL(heard, 250 * 1000 / 40 + 1); /* all that were sent, those of the storm too */
  CU_ASSERT_EQUAL(pfc_receiver_paused(&port_of(lab, OUT)->peer, 0), 200 * MS);
  lab_run(lab, 450 * MS - 1);
  CU_ASSERT_EQUAL(storm_at(lab, 0).restored, -1);
  lab_run(lab, 450 * MS);
  CU_ASSERT_EQUAL(storm_at(lab, 0).restored, 450 * MS);
  lab_packets(lab, IN, OUT, 0, 1);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_packet_count(lab, OUT), 1);
  lab_hold(lab, OUT, 0);
  CU_ASSERT_EQUAL(port_of(lab, OUT)->out.held, 1);
  const opp_simtime_t again = lab_now(lab);
  lab_packets(lab, IN, OUT, 0, 2);
  lab_run_held(lab, OUT, 0, again + 200 * MS);
  CU_ASSERT_EQUAL(storm_at(lab, 1).detected, again + 200 * MS);
  const switch_storm_t storm = storm_at(lab, 1);
  CU_ASSERT(is(&storm.during, 0, 2, 0, 0));
  CU_ASSERT(is(&storm.total, 0, 3, 0, 0));
  lab_free(lab);
}

SGF_TEST(FB_90_a_frame_every_half_of_T1_and_it_is_never_restored)
{
  lab_t* lab = paused(1, LAB_SETTINGS(WATCHED));
  lab_run_held(lab, OUT, 0, 200 * MS);
  for (unsigned i = 0; i < 100; i++) {
    lab_run(lab, lab_now(lab) + 100 * MS);
    lab_pfc(lab, OUT, 0, i % 2 ? PFC_MAX_QUANTA : 0);
  }
  CU_ASSERT_EQUAL(storm_at(lab, 0).restored, -1);
  CU_ASSERT_EQUAL(switch_storm_count(lab->state), 1);
  lab_free(lab);
}

/* ---- When there is none ------------------------------------------------------------------------------------------ */

/* Rule 1: a pause that runs out ends the count, too. */
SGF_TEST(FB_88_short_pauses_with_service_in_between)
{
  lab_t* lab = lab_d128(LAB_SETTINGS(WATCHED));
  for (unsigned i = 0; i < 5000; i++) { /* 100 us every 200 us, for 1 s */
    lab_run(lab, i * 200 * OPP_US);
    lab_hold(lab, OUT, 0);
    lab_packets(lab, IN, OUT, 0, 2);
    lab_run(lab, i * 200 * OPP_US + 50 * OPP_US);
    lab_hold(lab, OUT, 0);
    lab_run(lab, i * 200 * OPP_US + 100 * OPP_US);
    if (i % 2 == 0) /* every other one is left to run out, 84.3848 us after its last frame */
      lab_release(lab, OUT, 0);
  }
  lab_run(lab, 2000 * MS);
  CU_ASSERT_EQUAL(switch_storm_count(lab->state), 0);
  CU_ASSERT_EQUAL(lab_packet_count(lab, OUT), 10000);
  lab_free(lab);
}

SGF_TEST(FB_89_an_empty_queue_counts)
{
  lab_t* lab = paused(0, LAB_SETTINGS(WATCHED));
  lab_run_held(lab, OUT, 0, 300 * MS);
  CU_ASSERT_EQUAL(storm_at(lab, 0).detected, 200 * MS);
  lab_free(lab);
}

SGF_TEST(FB_92_a_lossy_queue_is_not_watched)
{
  lab_t* lab = lab_d128(LAB_SETTINGS(WATCHED));
  lab_hold(lab, OUT, TC_LOSSY);
  lab_packets(lab, IN, OUT, TC_LOSSY, 3);
  lab_run_held(lab, OUT, TC_LOSSY, 700 * MS);
  CU_ASSERT_EQUAL(switch_storm_count(lab->state), 0);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  CU_ASSERT(!switch_is_watched(lab->state, OUT, TC_LOSSY));
  CU_ASSERT(switch_is_watched(lab->state, OUT, 0));
  CU_ASSERT(switch_is_watched(lab->state, OUT, 1));
  lab_free(lab);
}

SGF_TEST(a_port_that_is_not_in_the_list_is_not_watched)
{
  lab_t* lab = paused(3, LAB_SETTINGS(WATCHED, "PfcWatchdog.Ports", "0,2-127"));
  lab_run_held(lab, OUT, 0, 700 * MS);
  CU_ASSERT_EQUAL(switch_storm_count(lab->state), 0);
  CU_ASSERT(!switch_is_watched(lab->state, OUT, 0));
  CU_ASSERT(switch_is_watched(lab->state, OTHER, 0));
  lab_free(lab);
}

/* ---- forward, alert ---------------------------------------------------------------------------------------------- */

SGF_TEST(a_forward_storm_sends_whatever_the_peer_asks_for)
{
  lab_t* lab = paused(200, LAB_SETTINGS(WATCHED, "PfcWatchdog.Action", "forward"));
  lab_run_held(lab, OUT, 0, 200 * MS);
  lab_hold(lab, OUT, 0);
  lab_packets(lab, IN, OUT, 0, 3);
  lab_packets(lab, OUT, IN, 0, 4);
  lab_run(lab, 300 * MS);
  CU_ASSERT_EQUAL(lab_packet_count(lab, OUT), 203);
  CU_ASSERT_EQUAL(lab_nth_packet(lab, OUT, 0).date, 200 * MS + lab_packet_way(lab));
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 1);
  const switch_storm_t storm = storm_at(lab, 0);
  CU_ASSERT(is(&storm.during, 203, 0, 4, 0));
  lab_run(lab, 1000 * MS);
  CU_ASSERT_EQUAL(storm_at(lab, 0).restored, 400 * MS);
  lab_free(lab);
}

SGF_TEST(an_alert_leaves_the_pause_in_force)
{
  lab_t* lab = paused(5, LAB_SETTINGS(WATCHED, "PfcWatchdog.Action", "alert"));
  lab_run_held(lab, OUT, 0, 350 * MS);
  CU_ASSERT_EQUAL(storm_at(lab, 0).detected, 200 * MS);
  CU_ASSERT_EQUAL(storm_at(lab, 0).restored, -1);
  CU_ASSERT_EQUAL(net_port_queue_length(&port_of(lab, OUT)->out, 0), 5);
  CU_ASSERT_EQUAL(port_of(lab, OUT)->out.held, 1);
  lab_release(lab, OUT, 0);
  CU_ASSERT_EQUAL(storm_at(lab, 0).restored, 350 * MS);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_packet_count(lab, OUT), 5);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  lab_free(lab);
}

/* ---- Polling ----------------------------------------------------------------------------------------------------- */

#define POLLING WATCHED, "PfcWatchdog.Mode", "Polling"

static opp_simtime_t polled_storm(unsigned packets_before, opp_simtime_t from, const char* const* settings)
{
  lab_t* lab = lab_d128(settings);
  lab_run(lab, from - 2 * OPP_US);
  lab_packets(lab, IN, OUT, 0, packets_before);
  lab_run(lab, from);
  lab_hold(lab, OUT, 0);
  lab_packets(lab, IN, OUT, 0, 3);
  lab_run_held(lab, OUT, 0, from + 700 * MS);
  const opp_simtime_t date = storm_at(lab, 0).detected;
  lab_free(lab);
  return date;
}

SGF_TEST(FB_94_polls_of_a_queue_that_was_active_and_of_one_that_was_silent)
{
  CU_ASSERT_EQUAL(polled_storm(3, 210 * MS, LAB_SETTINGS(POLLING)), 800 * MS);
  CU_ASSERT_EQUAL(polled_storm(0, 210 * MS, LAB_SETTINGS(POLLING)), 600 * MS);
  CU_ASSERT_EQUAL(polled_storm(3, 399 * MS, LAB_SETTINGS(POLLING)), 800 * MS);
  CU_ASSERT_EQUAL(polled_storm(0, 399 * MS, LAB_SETTINGS(POLLING)), 600 * MS);
  CU_ASSERT_EQUAL(polled_storm(3, 399 * MS, LAB_SETTINGS(POLLING, "PfcWatchdog.TwoSamples", "false")), 600 * MS);
}

/* Polls happen while they can change something: a run without pauses has none, and ends. */
SGF_TEST(polls_do_not_keep_a_run_from_ending)
{
  lab_t* lab = lab_d128(LAB_SETTINGS(POLLING));
  lab_hold(lab, OUT, 0);
  lab_packets(lab, IN, OUT, 0, 3);
  CU_ASSERT_EQUAL(opp_sim_run_events(lab->sim, OPP_TIME_MAX), OPP_RUN_IDLE);
  CU_ASSERT_EQUAL(lab_now(lab), 200 * MS); /* the poll that found the queue served */
  CU_ASSERT_EQUAL(lab_packet_count(lab, OUT), 3);
  CU_ASSERT_EQUAL(switch_storm_count(lab->state), 0);
  lab_free(lab);
}

/* ---- Set-up ------------------------------------------------------------------------------------------------------ */

SGF_TEST(FB_40_is_refused_at_start)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(lab_refusal(LAB_SETTINGS(WATCHED, "PfcWatchdog.PollInterval", "300ms"), &error), SGF_RULE);
  CU_ASSERT_STRING_EQUAL(error.text, "PfcWatchdog.PollInterval is 300 ms, larger than PfcWatchdog.DetectionTime, which "
                                     "is 200 ms: it may be as large at most");
}

/* FB-39: 128 ports are four steps of 32. */
SGF_TEST(FB_39_the_default_start_on_128_ports)
{
  lab_t* lab = paused(1, LAB_SETTINGS(WATCHED, "PfcWatchdog.DefaultStart", "true"));
  lab_run_held(lab, OUT, 0, 900 * MS);
  CU_ASSERT_EQUAL(storm_at(lab, 0).detected, 800 * MS);
  lab_free(lab);
}
