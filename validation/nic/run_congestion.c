/* spec/uet-nic.md 9 and 11.7 in a simulation: the congestion window of h0 towards h1, over a cable of 2.6 us whose tap
 * holds up, marks, loses or cuts what h0 sends. */
#include "harness.h"
#include "run_taps_support.h"

#include <math.h>

#define FLIGHT "2600ns"
static const opp_simtime_t flight = 2600000;

enum { WINDOW = 450000 };

/* End of the n-th full packet on h0's wire, n from 1, and when its acknowledgement is back, both without probes. */
static opp_simtime_t end_of(int64_t n)
{
  return run_packet_start(n + 1);
}

static opp_simtime_t unloaded_rtt(void)
{
  return flight + run_hold + run_ack + flight;
}

/* ---- The tap: packet by packet, by its number on the wire -------------------------------------------------------- */

static struct {
  opp_simtime_t queueing; /* delay sample of every packet from `from` to `until`, 0: as it comes */
  int64_t from, until;
  opp_simtime_t gap; /* packets leave this far apart */
  opp_simtime_t next;
  bool (*marks)(int64_t n);
  int64_t lost, cut;  /* this one; 0: none */
  int64_t first_lost; /* so many from the first on */
  int64_t sent;
} plan = {.from = 1, .until = INT64_MAX};

/* What adds up to the delay sample that is wanted above the initial base RTT of 6 us. */
static opp_simtime_t hold_up(opp_simtime_t queueing)
{
  return queueing + 6 * OPP_US - unloaded_rtt();
}

static void cut(opp_msg_t* msg)
{
  net_frame(msg)->dscp = net_role_dscp(NET_ROLE_TRIMMED);
  msg->bytes           = UET_TRIMMED_IP_BYTES + NET_ETHERNET_BYTES;
}

static opp_simtime_t follow_plan(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  if (run_sent_data(msg, to_host) == NULL)
    return 0;
  const int64_t n = ++plan.sent;
  if (n == plan.lost || n <= plan.first_lost)
    return RUN_LOST;
  if (n == plan.cut)
    cut(msg);
  if (plan.marks != NULL && plan.marks(n))
    net_frame(msg)->ecn = NET_ECN_CE;
  if (plan.gap > 0) {
    const opp_simtime_t leaves = plan.next > now ? plan.next : now;
    plan.next                  = leaves + plan.gap;
    return leaves - now;
  }
  return plan.queueing > 0 && n >= plan.from && n <= plan.until ? hold_up(plan.queueing) : 0;
}

/* ---- What the window does ---------------------------------------------------------------------------------------- */

typedef struct step {
  opp_simtime_t date;
  double before, after;
} step_t;

enum { MOST_STEPS = 64 };
static step_t cuts[MOST_STEPS];
static unsigned cut_count;
static double window, highest_delay;
static opp_simtime_t fast_since = -1, fast_until = -1, restored = -1;
static int64_t most_in_flight;
static nscc_t last; /* the window's state, which goes with the message */

static void watch(opp_simtime_t now)
{
  const nscc_t* cc = run_congestion(1);
  if (cc == NULL)
    return;
  if (window > 0 && cc->window < window && cut_count < MOST_STEPS)
    cuts[cut_count++] = (step_t){now, window, cc->window};
  if (cut_count > 0 && restored < 0 && cc->window == WINDOW)
    restored = now;
  if (cc->fast && fast_since < 0)
    fast_since = now;
  if (!cc->fast && fast_since >= 0 && fast_until < 0)
    fast_until = now;
  window        = cc->window;
  last          = *cc;
  highest_delay = fmax(highest_delay, cc->delay);
  if (uet_state(run_nic(0))->groups[1]->in_flight > most_in_flight)
    most_in_flight = uet_state(run_nic(0))->groups[1]->in_flight;
}

static size_t run_plan(int64_t packets, const char* const* settings)
{
  run_tap("h0", follow_plan);
  run_cable(FLIGHT, settings);
  run_watch(watch);
  const size_t write = run_write(0, 1, (uint64_t)packets * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  return write;
}

static bool close_to(double value, double expected)
{
  return fabs(value - expected) <= 1e-9 * expected;
}

/* When the n-th packet of those that the tap holds up for `queueing` is acknowledged. */
static opp_simtime_t answered(int64_t n, opp_simtime_t queueing)
{
  return end_of(n) + 6 * OPP_US + queueing;
}

/* The average after n equal samples, in ps. */
static double average(int64_t n, double sample)
{
  double delay = 0;
  while (n-- > 0)
    delay = 0.25 * sample + 0.75 * delay;
  return delay;
}

/* ---- Marks (9.6) ------------------------------------------------------------------------------------------------- */

static bool marks_all(int64_t n)
{
  return n > 0;
}

static bool marks_60_to_70(int64_t n)
{
  return n >= 60 && n <= 70;
}

/* The deferred update comes with acknowledgements 1, 10, 19, ...: not with the 60th, whose cut shows alone. Ten more
 * marks within a base RTT change nothing, and without marks fair increase brings the window back. */
SGF_SCENARIO(UN_112_and_UN_115_and_UN_117_a_mark_cuts_once_in_a_base_RTT_and_the_window_grows_back)
{
  plan.queueing = 12 * OPP_US;
  plan.marks    = marks_60_to_70;
  run_plan(5000, NULL);
  CU_ASSERT_EQUAL_FATAL(cut_count, 1);
  CU_ASSERT_EQUAL(cuts[0].date, answered(60, plan.queueing));
  CU_ASSERT_EQUAL(cuts[0].before, WINDOW);
  const double delay = average(60, 12e6);
  CU_ASSERT(close_to(cuts[0].after, WINDOW * (1 - 0.8 * (delay - 6e6) / delay)));
  CU_ASSERT(fabs(cuts[0].after - 270000) < 0.01); /* the average is 12 us but for 3 in 10^8 */
  CU_ASSERT(restored > cuts[0].date);
}

SGF_SCENARIO(UN_113_and_UN_106_a_delay_of_24_us_halves_and_does_not_trigger_Quick_Adapt)
{
  plan.queueing = 24 * OPP_US;
  plan.marks    = marks_60_to_70;
  run_plan(2000, NULL);
  CU_ASSERT_EQUAL_FATAL(cut_count, 1);
  CU_ASSERT_EQUAL(cuts[0].date, answered(60, plan.queueing));
  CU_ASSERT_EQUAL(cuts[0].after, WINDOW / 2);
  CU_ASSERT(highest_delay <= 24e6);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.quick_adapts, 0);
}

static bool marks_the_first_3(int64_t n)
{
  return n <= 3;
}

/* The average is 3, 5.25 and 6.9375 us: only the third is above the target. */
SGF_SCENARIO(UN_114_a_mark_cuts_only_while_the_average_is_above_the_target)
{
  plan.queueing = 12 * OPP_US;
  plan.marks    = marks_the_first_3;
  run_plan(200, NULL);
  CU_ASSERT_EQUAL_FATAL(cut_count, 1);
  CU_ASSERT_EQUAL(cuts[0].date, answered(3, plan.queueing));
  CU_ASSERT(close_to(cuts[0].after, WINDOW * (1 - 0.8 * (6.9375 - 6) / 6.9375)));
}

/* The target that is asked for, and that of trimming, 4.5 us: both are below 5.25 us. */
static void cut_by_the_second_mark(double target, const char* const* settings)
{
  plan.queueing = 12 * OPP_US;
  plan.marks    = marks_the_first_3;
  run_plan(200, settings);
  CU_ASSERT_FATAL(cut_count >= 1);
  CU_ASSERT_EQUAL(cuts[0].date, answered(2, plan.queueing));
  CU_ASSERT(close_to(cuts[0].after, WINDOW * (1 - 0.8 * (5.25 - target) / 5.25)));
}

SGF_SCENARIO(UN_103_a_target_of_ones_own)
{
  cut_by_the_second_mark(4, RUN_SETTINGS("**.nic.OverrideSpecTargetQueueDelay=true", "**.nic.TargetQueueDelay=4us"));
}

SGF_SCENARIO(UN_103_the_target_of_trimming)
{
  cut_by_the_second_mark(4.5, RUN_SETTINGS("**.nic.TrimmingEnabled=true"));
}

SGF_SCENARIO(UN_111_the_average_of_five_delays)
{
  plan.queueing = 8 * OPP_US;
  run_plan(6, NULL); /* the group goes with the last acknowledgement */
  CU_ASSERT(close_to(highest_delay, 6.1015625e6));
  CU_ASSERT_EQUAL(average(5, 8e6), 6.1015625e6);
}

SGF_SCENARIO(UN_116_marks_below_the_target_leave_the_window)
{
  plan.queueing = 3 * OPP_US;
  plan.marks    = marks_all;
  run_plan(1000, NULL);
  CU_ASSERT_EQUAL(cut_count, 0);
  CU_ASSERT_EQUAL(window, WINDOW);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.marked_received, 1000);
}

SGF_SCENARIO(UN_134_without_NSCC_marks_and_a_timeout_leave_the_window)
{
  plan.queueing = 12 * OPP_US;
  plan.marks    = marks_60_to_70;
  plan.lost     = 100;
  run_plan(500, RUN_SETTINGS("**.nic.NSCCEnable=false"));
  CU_ASSERT_EQUAL(cut_count, 0);
  CU_ASSERT_EQUAL(window, WINDOW);
  CU_ASSERT_EQUAL(highest_delay, 0);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.timeouts, 1);
  CU_ASSERT_EQUAL(most_in_flight, 107 * RUN_IP); /* and it holds */
}

SGF_SCENARIO(UN_133_disabled_and_passed_through_the_window_stays_and_does_not_hold)
{
  plan.queueing = 12 * OPP_US;
  plan.marks    = marks_60_to_70;
  run_plan(1000, RUN_SETTINGS("**.nic.NSCCEnable=false", "**.nic.PassThrough=true"));
  CU_ASSERT_EQUAL(cut_count, 0);
  CU_ASSERT_EQUAL(window, WINDOW);
  CU_ASSERT_EQUAL(highest_delay, 0);
  CU_ASSERT(most_in_flight > WINDOW);
}

/* ---- Losses (9.8) ------------------------------------------------------------------------------------------------ */

SGF_SCENARIO(UN_126_a_timeout_takes_a_packet_off)
{
  plan.lost = 50;
  run_plan(100, NULL);
  CU_ASSERT_EQUAL_FATAL(cut_count, 1);
  CU_ASSERT_EQUAL(cuts[0].date, end_of(50) + 150 * OPP_US);
  CU_ASSERT_EQUAL(cuts[0].before, WINDOW);
  CU_ASSERT_EQUAL(cuts[0].after, WINDOW - RUN_IP);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.quick_adapts, 0);
}

SGF_SCENARIO(UN_127_a_timeout_leaves_a_packet)
{
  plan.lost = 3;
  run_plan(10, RUN_SETTINGS("**.nic.OverrideUetSpecMaxCWind=true", "**.nic.MaxCongestionWindow=1"));
  CU_ASSERT_EQUAL(cut_count, 0);
  CU_ASSERT_EQUAL(window, RUN_IP);
  CU_ASSERT_EQUAL(most_in_flight, RUN_IP);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.timeouts, 1);
}

/* One packet, marked, which the tap loses first. Marked acknowledgements are counted if they give a sample. */
static void lose_the_first(int64_t times)
{
  plan.marks      = marks_all;
  plan.first_lost = times;
  run_plan(1, NULL);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.timeouts, (uint64_t)times);
}

SGF_SCENARIO(UN_136_a_packet_sent_twice_gives_a_sample)
{
  lose_the_first(1);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.marked_received, 1);
}

SGF_SCENARIO(UN_136_a_packet_sent_three_times_gives_none)
{
  lose_the_first(2);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.marked_received, 0);
}

/* The NACK leaves at once, without the hold of an acknowledgement. */
SGF_SCENARIO(UN_125_a_trim_takes_a_packet_off_and_is_a_sample_of_6_us)
{
  plan.cut = 50;
  run_plan(60, NULL);
  const opp_simtime_t nack = 8 * UET_NACK_BYTES * OPP_US / 400000;
  CU_ASSERT_EQUAL_FATAL(cut_count, 1);
  /* Two acknowledgements may leave before it. */
  CU_ASSERT(cuts[0].date >= end_of(50) + flight + nack + flight);
  CU_ASSERT(cuts[0].date <= end_of(50) + flight + run_ack + nack + flight);
  CU_ASSERT_EQUAL(cuts[0].after, WINDOW - RUN_IP);
  CU_ASSERT_EQUAL(highest_delay, 0.25 * 6e6);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.retransmissions, 1);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.timeouts, 0);
}

/* ---- Increase (9.6) ---------------------------------------------------------------------------------------------- */

/* 107 packets are 447,688 B, 108 more than the window. */
SGF_SCENARIO(UN_120_fast_increase_engages_with_the_108th_acknowledgement)
{
  run_plan(300, NULL);
  CU_ASSERT_EQUAL(fast_since, run_probed_start(109, end_of(1) + unloaded_rtt()) + unloaded_rtt());
  CU_ASSERT(fast_until < 0);
}

SGF_SCENARIO(UN_121_one_delay_above_the_margin_ends_fast_increase)
{
  plan.queueing = 3 * OPP_US;
  plan.from = plan.until = 200;
  run_plan(300, NULL);
  CU_ASSERT(fast_since > 0);
  CU_ASSERT_EQUAL(fast_until, run_probed_start(201, end_of(1) + unloaded_rtt()) + 9 * OPP_US);
}

/* ---- Base RTT (9.3) ---------------------------------------------------------------------------------------------- */

SGF_SCENARIO(UN_122_a_sample_less_than_1_us_lower_leaves_the_base_RTT)
{
  run_plan(200, NULL);
  CU_ASSERT(unloaded_rtt() > 5 * OPP_US && unloaded_rtt() < 6 * OPP_US);
  CU_ASSERT_EQUAL(last.base_rtt, 6 * OPP_US);
  CU_ASSERT_EQUAL(window, WINDOW);
  CU_ASSERT_EQUAL(highest_delay, 0);
}

/* 2 x 2,216.035 ns there and back, and 67.93 ns at h1. The message is over before its probe is back, which h1 does not
 * hold, so that its sample is lower. */
SGF_SCENARIO(UN_123_a_sample_of_4_5_us_is_a_base_RTT_of_5_5_us)
{
  run_tap("h0", follow_plan);
  run_cable("2216.035ns", NULL);
  run_watch(watch);
  run_write(0, 1, 10 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(last.reference, 4500 * OPP_NS);
  CU_ASSERT_EQUAL(last.base_rtt, 5500 * OPP_NS);
  CU_ASSERT_EQUAL(last.max_window, 412500);
  CU_ASSERT_EQUAL(last.params->target, 6 * OPP_US);
  CU_ASSERT_EQUAL_FATAL(cut_count, 1);
  CU_ASSERT_EQUAL(cuts[0].date, end_of(1) + 4500 * OPP_NS);
  CU_ASSERT_EQUAL(cuts[0].after, 412500);
}

SGF_SCENARIO(UN_124_a_base_RTT_that_is_too_low_stays_and_shows_a_delay)
{
  run_plan(500, RUN_SETTINGS("**.nic.InitialBaseRTT=5us"));
  CU_ASSERT_EQUAL(last.base_rtt, 5 * OPP_US);
  CU_ASSERT(close_to(highest_delay, (double)(unloaded_rtt() - 5 * OPP_US)));
}

/* ---- Quick Adapt (9.7) ------------------------------------------------------------------------------------------- */

/* One packet each 1.4 us comes through. The first acknowledgement opens an observation of 12 us; the first after its
 * end closes it and opens the next. What is acknowledged in one is below 56,250 B, so that it fires with the first that
 * finds an average delay above 24 us. */
enum { GAP = 1400000 };

typedef struct firing {
  int64_t ack;
  int64_t observed;
  opp_simtime_t date;
} firing_t;

static firing_t first_firing(opp_simtime_t gap, int64_t nominal, opp_simtime_t first_sent, opp_simtime_t first_back,
                             opp_simtime_t wire)
{
  opp_simtime_t end = first_back + 12 * OPP_US;
  int64_t observed  = 0;
  double delay      = 0;
  for (int64_t n = 1;; n++) {
    const opp_simtime_t back   = first_back + (n - 1) * gap;
    const opp_simtime_t sample = back - (first_sent + (n - 1) * wire) - 6 * OPP_US;
    delay                      = 0.25 * (sample > 0 ? (double)sample : 0) + 0.75 * delay;
    observed += n > 1 ? nominal : 0;
    if (back <= end)
      continue;
    if (delay > 24e6)
      return (firing_t){n, observed, back};
    observed = 0;
    end      = back + 12 * OPP_US;
  }
}

SGF_SCENARIO(UN_107_and_UN_108_Quick_Adapt_leaves_what_was_acknowledged_in_12_us)
{
  plan.gap = GAP;
  run_plan(100, RUN_SETTINGS("**.nic.InitialRetransmitTimeout=10ms"));
  const firing_t firing = first_firing(GAP, RUN_IP, end_of(1), end_of(1) + unloaded_rtt(), run_wire);
  CU_ASSERT_FATAL(cut_count >= 1);
  CU_ASSERT_EQUAL(cuts[0].date, firing.date);
  CU_ASSERT(firing.date > end_of(1) + unloaded_rtt() + 12 * OPP_US); /* UN-107 */
  CU_ASSERT_EQUAL(cuts[0].after, (double)firing.observed);
  CU_ASSERT_EQUAL(firing.observed, 9 * RUN_IP);
  CU_ASSERT(uet_state(run_nic(0))->counters.quick_adapts >= 1);
}

/* 13 packets in an observation are 54,392 B, 14 are 58,576 B. */
SGF_SCENARIO(UN_105_Quick_Adapt_fires_below_56250_bytes)
{
  plan.gap = 930000;
  run_plan(200, RUN_SETTINGS("**.nic.InitialRetransmitTimeout=10ms"));
  const firing_t firing = first_firing(plan.gap, RUN_IP, end_of(1), end_of(1) + unloaded_rtt(), run_wire);
  CU_ASSERT_FATAL(cut_count >= 1);
  CU_ASSERT_EQUAL(cuts[0].date, firing.date);
  CU_ASSERT_EQUAL(cuts[0].after, 13 * RUN_IP);
}

SGF_SCENARIO(UN_105_Quick_Adapt_does_not_fire_above_56250_bytes)
{
  plan.gap = 920000;
  run_plan(200, RUN_SETTINGS("**.nic.InitialRetransmitTimeout=10ms"));
  CU_ASSERT(highest_delay > 24e6);
  CU_ASSERT_EQUAL(cut_count, 0);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.quick_adapts, 0);
}

/* The same with trimming on, where only trims trigger it. */
SGF_SCENARIO(UN_110_with_trimming_a_delay_does_not_trigger_Quick_Adapt)
{
  plan.gap = GAP;
  run_plan(100, RUN_SETTINGS("**.nic.InitialRetransmitTimeout=10ms", "**.nic.TrimmingEnabled=true"));
  CU_ASSERT(highest_delay > 24e6);
  CU_ASSERT_EQUAL(cut_count, 0);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.quick_adapts, 0);
}

SGF_SCENARIO(UN_106_a_higher_threshold_is_not_reached)
{
  plan.gap = GAP;
  run_plan(100, RUN_SETTINGS("**.nic.InitialRetransmitTimeout=10ms", "**.nic.QuickAdaptThreshold=1ms"));
  CU_ASSERT(highest_delay > 24e6);
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.quick_adapts, 0);
}

/* Packets of 2,088 B, one each 13 us: what is acknowledged in an observation is less than a full packet. */
SGF_SCENARIO(UN_109_Quick_Adapt_leaves_a_packet)
{
  plan.gap = 13 * OPP_US;
  run_tap("h0", follow_plan);
  run_cable(FLIGHT, RUN_SETTINGS("**.nic.InitialRetransmitTimeout=10ms"));
  run_watch(watch);
  for (int i = 0; i < 20; i++)
    run_write(0, 1, 2000, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_FATAL(cut_count >= 1);
  CU_ASSERT_EQUAL(cuts[0].before, WINDOW);
  CU_ASSERT_EQUAL(cuts[0].after, RUN_IP);
  CU_ASSERT(uet_state(run_nic(0))->counters.quick_adapts >= 1);
}

/* ---- Windows of other sizes (9.2, 9.10) -------------------------------------------------------------------------- */

SGF_SCENARIO(UN_101_and_UN_102_a_window_of_20_packets)
{
  enum { PACKETS = 60 };
  const size_t write =
      run_plan(PACKETS, RUN_SETTINGS("**.nic.OverrideUetSpecMaxCWind=true", "**.nic.MaxCongestionWindow=20"));
  /* Each window starts with the acknowledgement of the first packet of the one before. The probe delays the second. */
  const opp_simtime_t round = run_wire + unloaded_rtt() + run_fetch;
  CU_ASSERT_EQUAL(most_in_flight, 20 * RUN_IP);
  CU_ASSERT_EQUAL(window, 20 * RUN_IP);
  CU_ASSERT_EQUAL(run_written(write), run_packet_start(1) + 2 * round + 20 * run_wire + unloaded_rtt());
}

SGF_SCENARIO(UN_135_with_PassThrough_more_than_the_window_is_in_flight)
{
  enum { PACKETS = 1000 };
  plan.queueing      = 30 * OPP_US;
  const size_t write = run_plan(PACKETS, RUN_SETTINGS("**.nic.PassThrough=true"));
  CU_ASSERT(most_in_flight > WINDOW);
  /* At full rate, and the probe on its way. */
  CU_ASSERT_EQUAL(run_written(write), answered(PACKETS, plan.queueing) + run_probe);
}
