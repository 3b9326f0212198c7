/* NSCC: see nscc.h. Doubles throughout: the window is a count of bytes that takes fractions (9.2). */
#include "nscc/nscc.h"

#include <inttypes.h>

#define NSCC_GUARD OPP_US /* "about 1 us" between a sample and the base RTT (B3) */

enum {
  NSCC_UPDATE_PACKETS  = 8, /* acknowledged between two deferred updates (9.6) */
  NSCC_FULL_PENALTY    = 127,
  NSCC_PENALTY_DIVISOR = 128, /* (B7) */
  NSCC_GBPS            = 1000000000,
  NSCC_PS_PER_BYTE     = 8000, /* at 1 Gbps */
};

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

#define ROW(name, type, member, initial, range, help)                                                                  \
  {                                                                                                                    \
    "TransportProcessingLayers/ScalaUETCongestionControl/" name, SGF_ATTR_##type, offsetof(nscc_config_t, member),     \
        initial, range, help                                                                                           \
  }

static const sgf_attr_t rows[] = {
    ROW("PassThrough", BOOL, pass_through, "false", "", "true: the window is computed and recorded but holds nothing."),
    ROW("NSCCEnable", BOOL, enable, "true", "",
        "false: no routine of congestion control; the window stays at its maximum and still holds."),
    ROW("InitialBaseRTT", TIMEVAL, initial_base_rtt, "6us", "0s..1000s",
        "Round trip without queues to start from; source of the window's maximum, the target and the gains."),
    ROW("ReferenceNetworkRTT", TIMEVAL, reference_rtt, "6us", "0s..1000s",
        "With ReferenceNetworkLinkSpeed: the bandwidth-delay product that the gains are relative to."),
    ROW("ReferenceNetworkLinkSpeed", DATARATE, reference_bps, "400Gbps", "",
        "Link speed of the reference bandwidth-delay product."),
    ROW("OverrideSpecTargetQueueDelay", BOOL, override_target, "false", "",
        "true: the target queueing delay is TargetQueueDelay."),
    ROW("TargetQueueDelay", TIMEVAL, target, "4500ns", "0s..1000s", "Target queueing delay when it is overridden."),
    ROW("TargetQueueDelayMargin", TIMEVAL, target_margin, "1us", "0s..1000s",
        "Queueing delays below it count towards fast increase."),
    ROW("DisableQuickAdapt", BOOL, disable_quick_adapt, "false", "", "true: Quick Adapt never runs."),
    ROW("QuickAdaptGate", UINT, quick_adapt_gate, "3", "0..31",
        "Quick Adapt needs less than maximum window / 2^gate acknowledged in its observation."),
    ROW("QuickAdaptThreshold", TIMEVAL, quick_adapt_threshold, "24us", "0s..1000s",
        "Average queueing delay above which Quick Adapt is triggered, unless TrimmingEnabled is true."),
    ROW("OverrideUetSpecMaxCWind", BOOL, override_max_window, "false", "",
        "true: the maximum window is MaxCongestionWindow packets until a lower base RTT is found."),
    ROW("MaxCongestionWindow", UINT, max_window, "107", "1..4096", "In full packets."),
    ROW("ReceiverCongestionLowThreshold", DECIMAL, penalty_low, "25.0", "0.0..100.0",
        "Percent of the receive pool of the data class below which this NIC's senders get no penalty."),
    ROW("ReceiverCongestionHighThreshold", DECIMAL, penalty_high, "75.0", "0.0..100.0",
        "Percent of the receive pool of the data class from which they get the full penalty."),
    ROW("RestoreCWindEnable", BOOL, restore_window, "false", "",
        "true: tell senders to restore their window when the penalty is back to 0."),
    ROW("MaxMultiplicativeDecreaseJump", DECIMAL, max_decrease_jump, "0.5", "0.001..1.0",
        "Smallest fraction of the window that one multiplicative decrease keeps."),
    ROW("AlphaMultiplier", DECIMAL, alpha_multiplier, "4.0", "1.0..100.0", "Scales proportional increase."),
    ROW("FairIncreaseMultiplier", DECIMAL, fair_multiplier, "5.0", "1.0..100.0", "Scales fair increase."),
    ROW("FastIncreaseMultiplier", DECIMAL, fast_multiplier, "1.0", "0.01..100.0", "Scales fast increase."),
    ROW("EtaMultiplier", DECIMAL, eta_multiplier, "0.15", "0.0..1.0", "Scales the additive term."),
    ROW("Gamma", DECIMAL, gamma, "0.8", "0.001..1.0", "Depth of multiplicative decrease."),
    ROW("DelayAlpha", DECIMAL, delay_alpha, "0.25", "0.0..1.0",
        "Weight of the newest sample in the average queueing delay."),
};

const sgf_attr_table_t nscc_attributes = {"UET congestion control", rows, sizeof rows / sizeof *rows};

/* ---- Derived values ---------------------------------------------------------------------------------------------- */

double nscc_bandwidth_delay(int64_t gbps, opp_simtime_t rtt)
{
  return (double)gbps * (double)rtt / NSCC_PS_PER_BYTE;
}

static double max_window_of(const nscc_params_t* params, opp_simtime_t base_rtt)
{
  return 1.5 * nscc_bandwidth_delay(params->gbps, base_rtt);
}

/* Bandwidth-delay product of the reference network, in bytes. */
static double reference_of(const nscc_config_t* config)
{
  return (double)config->reference_bps * (double)config->reference_rtt / NSCC_GBPS / NSCC_PS_PER_BYTE;
}

/* Rules C1 to C6 (3.4). */
static sgf_status_t check(const nscc_params_t* params, const nscc_config_t* config, int64_t link_bps,
                          sgf_error_t* error)
{
  const double from_rtt  = max_window_of(params, config->initial_base_rtt);
  const double reference = reference_of(config);
  if (params->gbps < 1)
    return sgf_error_set(error, SGF_RULE,
                         "the link runs at %" PRId64
                         " bps, the lower DataRate of its two ends; a UET NIC needs at least 1 Gbps",
                         link_bps);
  if (params->target == 0)
    return sgf_error_set(error, SGF_RULE, "%s: the target queueing delay is 0",
                         config->override_target ? "TargetQueueDelay" : "InitialBaseRTT");
  if (!config->override_max_window && from_rtt < params->nominal)
    return sgf_error_set(error, SGF_RULE,
                         "InitialBaseRTT: 1.5 x link rate x InitialBaseRTT is %.0f B, less than one packet of %.0f B",
                         from_rtt, params->nominal);
  if (from_rtt > UINT32_MAX)
    return sgf_error_set(error, SGF_RULE,
                         "InitialBaseRTT: 1.5 x link rate x InitialBaseRTT is %.0f B, more than 4,294,967,295 B",
                         from_rtt);
  if (config->reference_rtt == 0)
    return sgf_error_set(error, SGF_RULE, "ReferenceNetworkRTT is 0: the gains have no reference");
  if (config->reference_bps < NSCC_GBPS)
    return sgf_error_set(error, SGF_RULE, "ReferenceNetworkLinkSpeed is %" PRId64 " bps, below 1 Gbps",
                         config->reference_bps);
  if (reference > UINT32_MAX)
    return sgf_error_set(error, SGF_RULE,
                         "ReferenceNetworkLinkSpeed x ReferenceNetworkRTT is %.0f B, more than 4,294,967,295 B",
                         reference);
  return SGF_OK;
}

/* Gains relative to the reference network (9.6). */
static void set_gains(nscc_params_t* params, const nscc_config_t* config)
{
  const double ratio        = nscc_bandwidth_delay(params->gbps, config->initial_base_rtt) / reference_of(config);
  const double scale        = params->nominal * ratio;
  params->proportional_gain = sgf_decimal_value(config->alpha_multiplier) * scale / (double)config->reference_rtt;
  params->fair_gain         = sgf_decimal_value(config->fair_multiplier) * scale;
  params->fast_factor       = sgf_decimal_value(config->fast_multiplier); /* (B4) */
  params->eta               = sgf_decimal_value(config->eta_multiplier) * scale;
}

/* R0, or three quarters of it where switches trim, unless overridden (9.4). */
static opp_simtime_t target_of(const nscc_config_t* config, bool trimming)
{
  if (config->override_target)
    return config->target;
  return trimming ? config->initial_base_rtt * 3 / 4 : config->initial_base_rtt;
}

sgf_status_t nscc_prepare(nscc_params_t* params, const nscc_config_t* config, int64_t link_bps, int64_t nominal,
                          bool trimming, sgf_error_t* error)
{
  *params = (nscc_params_t){
      .enabled               = config->enable,
      .pass_through          = config->pass_through,
      .quick_adapt           = !config->disable_quick_adapt,
      .trimming              = trimming,
      .gbps                  = link_bps / NSCC_GBPS,
      .initial_base_rtt      = config->initial_base_rtt,
      .target                = target_of(config, trimming),
      .target_margin         = config->target_margin,
      .quick_adapt_threshold = config->quick_adapt_threshold,
      .nominal               = (double)nominal,
      .quick_adapt_divisor   = (double)(UINT64_C(1) << config->quick_adapt_gate),
      .gamma                 = sgf_decimal_value(config->gamma),
      .max_decrease_jump     = sgf_decimal_value(config->max_decrease_jump),
      .delay_alpha           = sgf_decimal_value(config->delay_alpha),
  };
  const sgf_status_t status = check(params, config, link_bps, error);
  if (status != SGF_OK)
    return status;
  params->max_window = config->override_max_window ? (double)config->max_window * params->nominal
                                                   : max_window_of(params, config->initial_base_rtt);
  set_gains(params, config);
  return SGF_OK;
}

void nscc_init(nscc_t* cc, const nscc_params_t* params, opp_simtime_t now)
{
  *cc = (nscc_t){
      .params          = params,
      .window          = params->max_window,
      .max_window      = params->max_window,
      .base_rtt        = params->initial_base_rtt,
      .reference       = params->initial_base_rtt,
      .last_addition   = now,
      .last_decrease   = -1,
      .observation_end = -1,
  };
}

/* ---- Bounds (9.2) ------------------------------------------------------------------------------------------------ */

static void bound(nscc_t* cc)
{
  if (cc->window > cc->max_window)
    cc->window = cc->max_window;
  if (cc->window < cc->params->nominal)
    cc->window = cc->params->nominal;
}

/* ---- Samples (9.3) ----------------------------------------------------------------------------------------------- */

void nscc_offer_rtt(nscc_t* cc, opp_simtime_t rtt)
{
  if (rtt >= cc->base_rtt - NSCC_GUARD)
    return;
  cc->base_rtt   = rtt + NSCC_GUARD;
  cc->reference  = rtt;
  cc->max_window = max_window_of(cc->params, cc->base_rtt);
  if (cc->max_window < cc->params->nominal)
    cc->max_window = cc->params->nominal;
  bound(cc);
}

opp_simtime_t nscc_queueing_delay(const nscc_t* cc, opp_simtime_t rtt)
{
  return rtt > cc->reference ? rtt - cc->reference : 0;
}

static void average_delay(nscc_t* cc, opp_simtime_t sample)
{
  const double alpha = cc->params->delay_alpha;
  cc->delay          = alpha * (double)sample + (1 - alpha) * cc->delay;
}

/* ---- Quick Adapt (9.7) ------------------------------------------------------------------------------------------- */

static void observe_anew(nscc_t* cc, opp_simtime_t now)
{
  cc->observed        = 0;
  cc->observation_end = now + cc->base_rtt + cc->params->target;
}

static void fire(nscc_t* cc, int64_t in_flight)
{
  cc->window = (double)cc->observed;
  bound(cc);
  cc->to_ignore                 = in_flight;
  cc->seen_since_firing         = 0;
  cc->trimmed                   = false;
  cc->pending                   = 0;
  cc->acknowledged_since_update = 0;
  cc->quick_adapts++;
}

/* Looks at an acknowledgement with a sample or at a trim NACK. `congested`: a marked one, or a NACK. Whether nothing
 * more comes of the signal: Quick Adapt has fired, or ignores it. */
static bool quick_adapt(nscc_t* cc, bool congested, int64_t in_flight, opp_simtime_t now)
{
  const nscc_params_t* params = cc->params;
  if (!params->quick_adapt)
    return false;
  if (congested && cc->seen_since_firing < cc->to_ignore)
    return true;
  if (cc->observation_end < 0)
    observe_anew(cc, now);
  if (now <= cc->observation_end)
    return false;
  /* A trim is remembered until Quick Adapt fires; the delay counts as it is now. */
  const bool late  = !params->trimming && cc->delay > (double)params->quick_adapt_threshold;
  const bool fires = (cc->trimmed || late) && (double)cc->observed < cc->max_window / params->quick_adapt_divisor;
  if (fires)
    fire(cc, in_flight);
  observe_anew(cc, now);
  return fires;
}

/* ---- Routines (9.6) ---------------------------------------------------------------------------------------------- */

static void end_fast_increase(nscc_t* cc)
{
  cc->fast_bytes = 0;
  cc->fast       = false;
}

/* Whether fast increase takes the place of proportional increase. */
static bool increase_fast(nscc_t* cc, int64_t acknowledged, opp_simtime_t delay)
{
  if (delay >= cc->params->target_margin) {
    end_fast_increase(cc);
    return false;
  }
  cc->fast_bytes += acknowledged;
  if ((double)cc->fast_bytes > cc->window)
    cc->fast = true;
  if (cc->fast)
    cc->window += cc->params->fast_factor * (double)acknowledged;
  return cc->fast;
}

static void increase(nscc_t* cc, int64_t acknowledged, opp_simtime_t delay)
{
  const nscc_params_t* params = cc->params;
  if (delay >= params->target)
    cc->pending += params->fair_gain * (double)acknowledged;
  else if (!increase_fast(cc, acknowledged, delay))
    cc->pending += params->proportional_gain * (double)acknowledged * (double)(params->target - delay);
}

static void decrease(nscc_t* cc, opp_simtime_t now)
{
  const nscc_params_t* params = cc->params;
  const double target         = (double)params->target;
  end_fast_increase(cc);
  if (cc->delay <= target || (cc->last_decrease >= 0 && now - cc->last_decrease <= cc->base_rtt))
    return;
  const double factor = 1 - params->gamma * (cc->delay - target) / cc->delay;
  cc->window *= factor > params->max_decrease_jump ? factor : params->max_decrease_jump;
  cc->last_decrease = now;
}

/* The deferred update and the additive term. */
static void update(nscc_t* cc, opp_simtime_t now)
{
  const nscc_params_t* params       = cc->params;
  const opp_simtime_t since         = now - cc->last_addition;
  const double update_after         = NSCC_UPDATE_PACKETS * params->nominal;
  const bool enough_is_acknowledged = (double)cc->acknowledged_since_update > update_after;
  if (!enough_is_acknowledged && since <= params->initial_base_rtt)
    return;
  cc->window += cc->pending / cc->window;
  cc->pending                   = 0;
  cc->acknowledged_since_update = 0;
  if (since >= params->initial_base_rtt) {
    cc->window += params->eta;
    cc->last_addition = now;
  }
}

/* ---- Receiver penalty, at the sender (9.9) ----------------------------------------------------------------------- */

static void take_penalty(nscc_t* cc, const nscc_ack_t* ack)
{
  if (cc->saved <= 0)
    cc->saved = cc->window;
  if (cc->window > (double)ack->in_flight)
    cc->window = (double)ack->in_flight;
  cc->window -= (double)ack->acknowledged * ack->penalty / NSCC_PENALTY_DIVISOR;
  bound(cc);
}

/* Without the receiver's flag the saved window is forgotten (B8). */
static void end_penalty(nscc_t* cc, bool restore)
{
  if (restore && cc->saved > 0)
    cc->window = cc->saved;
  cc->saved = 0;
  bound(cc);
}

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

/* Steps 2 to 5 of 9.5. Limited by its receiver, an acknowledgement gets neither increase nor addition (B8). */
static void react(nscc_t* cc, const nscc_ack_t* ack, bool limited, opp_simtime_t now)
{
  const opp_simtime_t delay = nscc_queueing_delay(cc, ack->rtt);
  average_delay(cc, delay);
  if (quick_adapt(cc, ack->ecn_echo, ack->in_flight, now))
    return;
  if (!ack->ecn_echo && !limited)
    increase(cc, ack->acknowledged, delay);
  else if (ack->ecn_echo && delay >= cc->params->target)
    decrease(cc, now);
  bound(cc);
  if (!limited)
    update(cc, now);
  bound(cc);
}

void nscc_acknowledged(nscc_t* cc, const nscc_ack_t* ack, opp_simtime_t now)
{
  if (ack->rtt >= 0)
    nscc_offer_rtt(cc, ack->rtt);
  if (!cc->params->enabled)
    return;
  cc->observed += ack->acknowledged;
  cc->seen_since_firing += ack->acknowledged;
  cc->acknowledged_since_update += ack->acknowledged;
  const bool limited = ack->penalty > 0;
  if (limited)
    take_penalty(cc, ack);
  else
    end_penalty(cc, ack->restore);
  if (ack->rtt >= 0)
    react(cc, ack, limited, now);
}

static void shrink(nscc_t* cc, int64_t nominal)
{
  cc->window -= (double)nominal;
  bound(cc);
}

void nscc_trimmed(nscc_t* cc, int64_t nominal, int64_t in_flight, opp_simtime_t rtt, opp_simtime_t now)
{
  if (rtt >= 0)
    nscc_offer_rtt(cc, rtt);
  if (!cc->params->enabled)
    return;
  average_delay(cc, cc->params->initial_base_rtt);
  cc->seen_since_firing += nominal;
  cc->trimmed = true;
  if (!quick_adapt(cc, true, in_flight, now))
    shrink(cc, nominal);
}

void nscc_timed_out(nscc_t* cc, int64_t nominal)
{
  if (cc->params->enabled)
    shrink(cc, nominal);
}

/* ---- Receiver penalty, at the receiver (9.9) --------------------------------------------------------------------- */

uint8_t nscc_penalty(const nscc_config_t* config, int64_t occupancy, int64_t size)
{
  __extension__ typedef __int128 wide_t;
  /* occupancy / size x 100 against low and high, all times size x low.scale x high.scale */
  const wide_t scales = (wide_t)config->penalty_low.scale * config->penalty_high.scale;
  const wide_t at     = (wide_t)occupancy * 100 * scales;
  const wide_t low    = (wide_t)config->penalty_low.digits * config->penalty_high.scale * size;
  const wide_t high   = (wide_t)config->penalty_high.digits * config->penalty_low.scale * size;
  if (at < low)
    return 0;
  if (at >= high)
    return NSCC_FULL_PENALTY;
  return (uint8_t)(NSCC_FULL_PENALTY * (at - low) / (high - low));
}
