/* spec/uet-nic.md 9 on the state machine of one window: random signals, beside a naive one that is written from the
 * text of the specification, symbol by symbol. */
#include "congestion_support.h"
#include "harness.h"
#include "opp/kernel.h"

#include <math.h>
#include <stdlib.h>

enum { SIGNALS = 10000 };

/* ---- Naive model: the symbols of 9.1, 9.6 and 9.7 ---------------------------------------------------------------- */

/* What the random signals have reached, so that a comparison of nothing is noticed. */
typedef struct seen {
  unsigned fires, ignored, fair, proportional, fast, cuts, spaced_cuts, updates, additions, penalties, restored, drops;
} seen_t;

typedef struct naive {
  bool trimming_enabled, nscc_enable, disable_quick_adapt;
  double M, C, R0; /* bytes, Gbps, picoseconds */
  double T, m, threshold, divisor;
  double alpha, phi, eta, psi, gamma, jump, delay_alpha;

  double W, Wmax, Rb, Rref, D;
  double I, since_update, last_addition;
  double last_decrease;
  bool decreased;
  double G;
  bool engaged;
  double E, A, X, Y;
  bool E_is_set, Q;
  unsigned num_quick_adapt;
  double saved;
  bool is_saved;
  seen_t seen;
} naive_t;

static naive_t naive_new(const nscc_config_t* config, bool trimming)
{
  naive_t n             = {.M = CC_M, .C = 400, .trimming_enabled = trimming, .nscc_enable = config->enable};
  n.R0                  = (double)config->initial_base_rtt;
  const double B        = n.C * n.R0 / 8000;
  const double Bref     = (double)config->reference_bps / 1e9 * (double)config->reference_rtt / 8000;
  const double a        = B / Bref;
  n.T                   = config->override_target ? (double)config->target : trimming ? 0.75 * n.R0 : n.R0;
  const double b        = n.T / (double)config->reference_rtt;
  n.alpha               = sgf_decimal_value(config->alpha_multiplier) * n.M * a * b / n.T;
  n.phi                 = sgf_decimal_value(config->fair_multiplier) * n.M * a;
  n.eta                 = sgf_decimal_value(config->eta_multiplier) * n.M * a;
  n.psi                 = sgf_decimal_value(config->fast_multiplier);
  n.gamma               = sgf_decimal_value(config->gamma);
  n.jump                = sgf_decimal_value(config->max_decrease_jump);
  n.delay_alpha         = sgf_decimal_value(config->delay_alpha);
  n.m                   = (double)config->target_margin;
  n.threshold           = (double)config->quick_adapt_threshold;
  n.divisor             = pow(2, (double)config->quick_adapt_gate);
  n.disable_quick_adapt = config->disable_quick_adapt;
  n.Wmax                = config->override_max_window ? (double)config->max_window * n.M : 1.5 * B;
  n.W                   = n.Wmax;
  n.Rb                  = n.R0;
  n.Rref                = n.R0;
  return n;
}

static void naive_bounds(naive_t* n)
{
  n->W = fmax(n->M, fmin(n->W, n->Wmax));
}

/* 9.3 */
static void naive_base_rtt(naive_t* n, double sample)
{
  const double guard = 1e6;
  if (sample < n->Rb - guard) {
    n->Rb   = sample + guard;
    n->Rref = sample;
    n->Wmax = fmax(n->M, 1.5 * n->C * n->Rb / 8000);
    n->W    = fmin(n->W, n->Wmax);
    n->seen.drops++;
  }
}

/* 9.7; whether the signal ends here */
static bool naive_quick_adapt(naive_t* n, bool marked, bool is_trim_nack, double F, double now)
{
  if (n->disable_quick_adapt)
    return false;
  if (n->Y < n->X && (marked || is_trim_nack)) {
    n->seen.ignored++;
    return true;
  }
  if (!n->E_is_set) {
    n->E_is_set = true;
    n->E        = now + n->Rb + n->T;
    n->A        = 0;
    return false;
  }
  if (now <= n->E)
    return false;
  const bool trigger  = n->Q || is_trim_nack || (!n->trimming_enabled && n->D > n->threshold);
  const bool delivery = n->A < n->Wmax / n->divisor;
  const bool fire     = trigger && delivery;
  if (fire) {
    n->W = fmax(n->A, n->M);
    n->X = F;
    n->Y = 0;
    n->Q = false;
    n->num_quick_adapt++;
    n->I            = 0;
    n->since_update = 0;
    n->seen.fires++;
  }
  n->A = 0;
  n->E = now + n->Rb + n->T;
  return fire;
}

/* 9.6, evaluated inside the row "clear, q < T" */
static void naive_below_target(naive_t* n, double bytes, double q)
{
  if (q < n->m) {
    n->G += bytes;
    if (n->G > n->W || n->engaged) {
      n->engaged = true;
      n->W += n->psi * bytes;
      n->seen.fast++;
      return;
    }
  } else {
    n->G       = 0;
    n->engaged = false;
  }
  n->I += n->alpha * bytes * (n->T - q);
  n->seen.proportional++;
}

static void naive_decrease(naive_t* n, double now)
{
  n->G       = 0;
  n->engaged = false;
  if (!(n->D > n->T))
    return;
  if (n->decreased && !(now - n->last_decrease > n->Rb)) {
    n->seen.spaced_cuts++;
    return;
  }
  n->W             = fmax(n->M, n->W * fmax(1 - n->gamma * (n->D - n->T) / n->D, n->jump));
  n->decreased     = true;
  n->last_decrease = now;
  n->seen.cuts++;
}

static void naive_update(naive_t* n, double now)
{
  if (!(n->since_update > 8 * n->M || now - n->last_addition > n->R0))
    return;
  n->W += n->I / n->W;
  n->I            = 0;
  n->since_update = 0;
  n->seen.updates++;
  if (now - n->last_addition >= n->R0) {
    n->W += n->eta;
    n->last_addition = now;
    n->seen.additions++;
  }
}

/* 9.9 at the sender */
static bool naive_penalty(naive_t* n, const nscc_ack_t* ack)
{
  if (ack->penalty == 0) {
    if (ack->restore && n->is_saved) {
      n->W = fmin(n->saved, n->Wmax);
      n->seen.restored++;
    }
    n->is_saved = false;
    return false;
  }
  if (!n->is_saved) {
    n->is_saved = true;
    n->saved    = n->W;
  }
  n->W = fmin(n->W, (double)ack->in_flight);
  n->W = fmax(n->M, n->W - (double)ack->acknowledged * ack->penalty / 128);
  n->seen.penalties++;
  return true;
}

/* 9.5 */
static void naive_acknowledged(naive_t* n, const nscc_ack_t* ack, opp_simtime_t date)
{
  const double now   = (double)date;
  const double bytes = (double)ack->acknowledged;
  if (ack->rtt >= 0)
    naive_base_rtt(n, (double)ack->rtt);
  if (!n->nscc_enable)
    return;
  n->A += bytes;
  n->Y += bytes;
  n->since_update += bytes;
  const bool limited = naive_penalty(n, ack);
  if (ack->rtt < 0)
    return;
  const double q = fmax(0, (double)ack->rtt - n->Rref);
  n->D           = n->delay_alpha * q + (1 - n->delay_alpha) * n->D;
  if (naive_quick_adapt(n, ack->ecn_echo, false, (double)ack->in_flight, now))
    return;
  if (!ack->ecn_echo && q >= n->T && !limited) {
    n->I += n->phi * bytes;
    n->seen.fair++;
  } else if (!ack->ecn_echo && q < n->T && !limited)
    naive_below_target(n, bytes, q);
  else if (ack->ecn_echo && q >= n->T)
    naive_decrease(n, now);
  naive_bounds(n);
  if (!limited)
    naive_update(n, now);
  naive_bounds(n);
}

/* 9.8 */
static void naive_trimmed(naive_t* n, double size, double F, opp_simtime_t rtt, opp_simtime_t now)
{
  if (rtt >= 0)
    naive_base_rtt(n, (double)rtt);
  if (!n->nscc_enable)
    return;
  n->D = n->delay_alpha * n->R0 + (1 - n->delay_alpha) * n->D;
  n->Y += size;
  n->Q = true;
  if (!naive_quick_adapt(n, false, true, F, (double)now))
    n->W = fmax(n->M, n->W - size);
}

static void naive_timed_out(naive_t* n, double size)
{
  if (n->nscc_enable)
    n->W = fmax(n->M, n->W - size);
}

/* ---- Random signals ---------------------------------------------------------------------------------------------- */

typedef struct signal {
  enum { ACKNOWLEDGED, TRIMMED, TIMED_OUT } kind;
  nscc_ack_t ack;
  int64_t size, in_flight;
  opp_simtime_t now;
} signal_t;

static int64_t draw(opp_rng_t* rng, int64_t low, int64_t high)
{
  return opp_rng_intuniform(rng, low, high);
}

/* Times that alternate, 200 signals each: without the calm ones nothing would ever grow, and only when little arrives
 * can Quick Adapt fire. */
typedef struct mood {
  opp_simtime_t longest_delay, longest_gap;
  int trims, timeouts, marks, penalties; /* of a hundred */
  int packets;                           /* at most, by one acknowledgement */
} mood_t;

static const mood_t moods[] = {
    {CC_US(1) / 2, CC_US(1) / 5, 0, 0, 0, 0, 8}, /* idle */
    {CC_US(8), CC_US(1) / 5, 1, 1, 5, 0, 4},     /* busy */
    {CC_US(20), CC_US(1) / 5, 10, 2, 50, 10, 4}, /* congested */
    {CC_US(2), CC_US(2), 0, 0, 0, 0, 1},         /* sparse */
    {CC_US(60), CC_US(2), 3, 1, 20, 0, 1},       /* starved */
};

enum { MOODS = sizeof moods / sizeof *moods };

static bool happens(opp_rng_t* rng, int percent)
{
  return draw(rng, 0, 99) < percent;
}

/* Now and then there is no sample, or one that is up to 0.2 us shorter than the base RTT accepts. */
static opp_simtime_t draw_rtt(opp_rng_t* rng, const nscc_t* window, const mood_t* mood)
{
  if (happens(rng, 10))
    return -1;
  if (draw(rng, 0, 999) == 0)
    return window->base_rtt - CC_US(1) - draw(rng, 0, CC_US(1) / 5);
  return window->reference + draw(rng, 0, mood->longest_delay);
}

static signal_t draw_signal(opp_rng_t* rng, const nscc_t* window, int i, opp_simtime_t now)
{
  const mood_t* mood = &moods[i / 200 % MOODS];
  signal_t signal    = {.now = now + draw(rng, 0, mood->longest_gap), .in_flight = draw(rng, 0, 450000)};
  signal.kind        = happens(rng, mood->trims) ? TRIMMED : happens(rng, mood->timeouts) ? TIMED_OUT : ACKNOWLEDGED;
  signal.size        = happens(rng, 25) ? draw(rng, 89, CC_M) : CC_M;
  signal.ack         = (nscc_ack_t){
              .acknowledged = signal.size * draw(rng, 0, mood->packets),
              .in_flight    = signal.in_flight,
              .rtt          = draw_rtt(rng, window, mood),
              .ecn_echo     = happens(rng, mood->marks),
              .restore      = happens(rng, 50),
              .penalty      = (uint8_t)(happens(rng, mood->penalties) ? draw(rng, 0, 127) : 0),
  };
  return signal;
}

static void give(nscc_t* window, const signal_t* signal)
{
  if (signal->kind == ACKNOWLEDGED)
    nscc_acknowledged(window, &signal->ack, signal->now);
  else if (signal->kind == TRIMMED)
    nscc_trimmed(window, signal->size, signal->in_flight, signal->ack.rtt, signal->now);
  else
    nscc_timed_out(window, signal->size);
}

static void give_naive(naive_t* naive, const signal_t* signal)
{
  if (signal->kind == ACKNOWLEDGED)
    naive_acknowledged(naive, &signal->ack, signal->now);
  else if (signal->kind == TRIMMED)
    naive_trimmed(naive, (double)signal->size, (double)signal->in_flight, signal->ack.rtt, signal->now);
  else
    naive_timed_out(naive, (double)signal->size);
}

/* ---- Comparison -------------------------------------------------------------------------------------------------- */

static bool is_same(const nscc_t* window, const naive_t* naive)
{
  return cc_is_close(window->window, naive->W) && cc_is_close(window->max_window, naive->Wmax) &&
         (double)window->base_rtt == naive->Rb && (double)window->reference == naive->Rref &&
         cc_is_close(window->delay, naive->D) && window->quick_adapts == naive->num_quick_adapt &&
         window->fast == naive->engaged && (window->saved > 0) == naive->is_saved;
}

static bool is_bounded(const nscc_t* window)
{
  return CC_M <= window->window && window->window <= window->max_window;
}

typedef enum fabric { DROPS, TRIMS } fabric_t; /* what it does with a packet that finds no room */

static seen_t compare(uint64_t seed, fabric_t fabric, bool trimming, const char* const* settings)
{
  static cc_t cc;
  cc_begin(&cc, trimming, settings);
  naive_t naive         = naive_new(&cc.config, trimming);
  opp_rng_t* rng        = opp_rng_new(seed, 0, 0);
  opp_simtime_t now     = 0;
  unsigned differences  = 0;
  unsigned out_of_bound = 0;
  for (int i = 0; i < SIGNALS; i++) {
    signal_t signal = draw_signal(rng, &cc.window, i, now);
    if (signal.kind == TRIMMED && fabric == DROPS)
      signal.kind = TIMED_OUT;
    now = signal.now;
    give(&cc.window, &signal);
    give_naive(&naive, &signal);
    differences += !is_same(&cc.window, &naive);
    out_of_bound += !is_bounded(&cc.window);
  }
  free(rng);
  CU_ASSERT_EQUAL(differences, 0);
  CU_ASSERT_EQUAL(out_of_bound, 0);
  return naive.seen;
}

SGF_TEST(a_window_follows_the_text_through_10000_signals)
{
  const seen_t seen = compare(1, TRIMS, false, NULL);
  CU_ASSERT(seen.fires > 0 && seen.ignored > 0);
  CU_ASSERT(seen.fair > 0 && seen.proportional > 0 && seen.fast > 0);
  CU_ASSERT(seen.cuts > 0 && seen.spaced_cuts > 0);
  CU_ASSERT(seen.updates > 0 && seen.additions > 0);
  CU_ASSERT(seen.penalties > 0 && seen.restored > 0);
  CU_ASSERT(seen.drops > 0);
}

SGF_TEST(a_window_follows_the_text_with_trimming)
{
  const seen_t seen = compare(2, TRIMS, true, NULL);
  CU_ASSERT(seen.fires > 0 && seen.ignored > 0 && seen.cuts > 0 && seen.fast > 0);
}

/* Without trims the delay alone triggers Quick Adapt, at 5 us also where enough is delivered. */
SGF_TEST(a_window_follows_the_text_without_trims)
{
  const seen_t seen = compare(8, DROPS, false, CC_SETTINGS("QuickAdaptThreshold", "5us"));
  CU_ASSERT(seen.fires > 0 && seen.ignored > 0 && seen.cuts > 0 && seen.fast > 0);
}

SGF_TEST(a_window_follows_the_text_with_every_attribute_changed)
{
  const seen_t seen =
      compare(3, TRIMS, false,
              CC_SETTINGS("InitialBaseRTT", "9us", "ReferenceNetworkRTT", "7us", "ReferenceNetworkLinkSpeed", "150Gbps",
                          "OverrideSpecTargetQueueDelay", "true", "TargetQueueDelay", "3us", "TargetQueueDelayMargin",
                          "2us", "QuickAdaptGate", "1", "QuickAdaptThreshold", "5us", "OverrideUetSpecMaxCWind", "true",
                          "MaxCongestionWindow", "70", "MaxMultiplicativeDecreaseJump", "0.3", "AlphaMultiplier", "1.7",
                          "FairIncreaseMultiplier", "2.3", "FastIncreaseMultiplier", "0.37", "EtaMultiplier", "0.9",
                          "Gamma", "0.6", "DelayAlpha", "0.1"));
  CU_ASSERT(seen.fires > 0 && seen.ignored > 0 && seen.cuts > 0 && seen.fast > 0);
}

SGF_TEST(a_window_follows_the_text_without_Quick_Adapt)
{
  const seen_t seen = compare(4, TRIMS, false, CC_SETTINGS("DisableQuickAdapt", "true"));
  CU_ASSERT_EQUAL(seen.fires + seen.ignored, 0);
  CU_ASSERT(seen.cuts > 0 && seen.fast > 0);
}

/* A margin above the target makes all acknowledgements below the target count towards fast increase. */
SGF_TEST(a_window_follows_the_text_with_a_margin_above_the_target)
{
  CU_ASSERT(compare(5, TRIMS, false, CC_SETTINGS("TargetQueueDelayMargin", "20us")).fast > 0);
}

SGF_TEST(UN_134_disabled_a_window_follows_its_base_RTT_alone)
{
  const seen_t seen = compare(6, TRIMS, false, CC_SETTINGS("NSCCEnable", "false"));
  CU_ASSERT(seen.drops > 0);
  CU_ASSERT_EQUAL(seen.fires + seen.cuts + seen.updates + seen.penalties, 0);
}

/* ---- Penalty at the receiver ------------------------------------------------------------------------------------- */

/* 9.9 in percent, with thresholds of which percents of the pool are whole bytes, so that doubles are exact enough. */
static unsigned naive_receiver_penalty(double occupancy, double pool, double low, double high)
{
  const double percent = occupancy / pool * 100;
  if (percent < low)
    return 0;
  if (percent >= high)
    return 127;
  return (unsigned)floor(127 * (percent - low) / (high - low));
}

SGF_TEST(UN_128_a_penalty_is_that_of_the_text)
{
  enum { POOL = 3600000 };
  nscc_config_t config;
  cc_configure(&config, NULL);
  opp_rng_t* rng       = opp_rng_new(7, 0, 0);
  unsigned differences = 0;
  for (int i = 0; i < SIGNALS; i++) {
    const int64_t occupancy = draw(rng, 0, POOL);
    differences += nscc_penalty(&config, occupancy, POOL) != naive_receiver_penalty((double)occupancy, POOL, 25, 75);
  }
  free(rng);
  CU_ASSERT_EQUAL(differences, 0);
}
