/* The rate of one queue pair: see rate.h. Doubles: halves and steps of whole Gbps stay exact. */
#include "nic/roce/rate.h"

static const double episode_end = 1e8; /* an episode ends within 0.1 Gbps of line rate (11.3) */

enum { HALVES = 2, PS_PER_NS = 1000 };

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

#define ROW(name, type, member, initial, range, help)                                                                  \
  {                                                                                                                    \
    "TransportProcessingLayers/ECNHandler/" name, SGF_ATTR_##type, offsetof(roce_rate_config_t, member), initial,      \
        range, help                                                                                                    \
  }

static const sgf_attr_t rows[] = {
    ROW("EnableECN", BOOL, enable_ecn, "true", "",
        "true: data is sent ECN-capable and CNPs are obeyed; false: data is not, CNPs are ignored, line rate. CNPs are "
        "sent either way."),
    ROW("MinimumRatePercentage", DECIMAL, minimum_rate, "0.10", "0.0..1.0",
        "Floor of a queue pair's rate, as a fraction of line rate."),
    ROW("FastRecoveryAttempt", UINT, fast_recovery_attempts, "3", "0..1000000",
        "Recovery count at which additive increase begins."),
    ROW("InitialTargetRatePercentage", DECIMAL, initial_target_rate, "0.90", "0.0..1.0",
        "Sizes the additive step: what is missing to 1, of the target, over NumberActiveIncreaseSteps."),
    ROW("NumberActiveIncreaseSteps", UINT, increase_steps, "10", "1..1000000", "Divisor of the additive step."),
    ROW("ControlIntervalDurationNs", UINT, control_interval_ns, "45000", "2..1000000000000",
        "Control interval in ns: a reduction half and an increase half."),
    ROW("CongestionProbabilityWeight", DECIMAL, weight, "0.5", "0.0..1.0",
        "Weight of the newest interval in the congestion estimate."),
    ROW("NumOfControlLoopsPerIncrease", UINT, loops_per_increase, "5", "0..1000000",
        "While CNPs keep coming, an increase only in every (this + 1)-th increase half that saw some."),
    ROW("CongestionEstimate", CHOICE, estimate, "PacketShare", "PacketShare|Dcqcn",
        "What the congestion estimate averages: CNPs over packets sent, or whether there was a CNP (an attribute of "
        "sgfabric)."),
    ROW("CnpMinInterval", TIMEVAL, cnp_min_interval, "0s", "0s..1000s",
        "As a receiver: least time between two CNPs of one queue pair; DCQCN has 50us (an attribute of sgfabric)."),
};

const sgf_attr_table_t roce_rate_attributes = {"RoCE congestion control", rows, sizeof rows / sizeof *rows};

/* ---- Derived values ---------------------------------------------------------------------------------------------- */

/* One division at the end: no binary fraction on the way. */
static double fraction_of(sgf_decimal_t fraction, double whole)
{
  return whole * (double)fraction.digits / (double)fraction.scale;
}

void roce_rate_prepare(roce_rate_params_t* params, const roce_rate_config_t* config, int64_t line_bps)
{
  const sgf_decimal_t missing = sgf_decimal_sub((sgf_decimal_t){1, 1}, config->initial_target_rate);
  *params                     = (roce_rate_params_t){
                          .line                   = (double)line_bps,
                          .floor                  = fraction_of(config->minimum_rate, (double)line_bps),
                          .step_numerator         = (double)missing.digits,
                          .step_divisor           = (double)missing.scale * (double)config->increase_steps,
                          .weight                 = sgf_decimal_value(config->weight),
                          .fast_recovery_attempts = (int64_t)config->fast_recovery_attempts,
                          .loops_per_increase     = config->loops_per_increase,
                          .half_interval          = (opp_simtime_t)config->control_interval_ns * PS_PER_NS / HALVES,
                          .counts_packets         = config->estimate == ROCE_PACKET_SHARE,
  };
  if (params->floor < 1) /* a rate that halves without end comes to nothing, and a packet would never leave */
    params->floor = 1;
}

/* ---- One queue pair ---------------------------------------------------------------------------------------------- */

void roce_rate_init(roce_rate_t* rate, const roce_rate_params_t* params)
{
  *rate = (roce_rate_t){.params = params, .current = params->line, .target = params->line, .estimate = 1};
}

static void update_estimate(roce_rate_t* rate)
{
  const double g = rate->params->weight;
  double share   = rate->cnps > 0;
  if (rate->params->counts_packets && rate->cnps < rate->packets)
    share = (double)rate->cnps / (double)rate->packets;
  rate->estimate = (1 - g) * rate->estimate + g * share;
}

/* The floor holds the target, too: else reductions and increases in turn lower it without end. */
static void apply_floor(roce_rate_t* rate)
{
  if (rate->target < rate->params->floor)
    rate->target = rate->params->floor;
  if (rate->current < rate->params->floor)
    rate->current = rate->params->floor;
}

static void cut(roce_rate_t* rate)
{
  rate->current *= 1 - rate->estimate / 2;
  rate->recovery = 0;
}

static void step_back(roce_rate_t* rate)
{
  rate->target -= rate->step;
  rate->current = (rate->current + rate->target) / 2;
  rate->recovery--;
}

static void reduction_half(roce_rate_t* rate, bool starts)
{
  update_estimate(rate);
  if (rate->cnps > 0 && (starts || rate->recovery < rate->params->fast_recovery_attempts))
    cut(rate);
  else if (rate->cnps > 0)
    step_back(rate);
  apply_floor(rate);
  rate->cnps      = 0;
  rate->packets   = 0;
  rate->increases = true;
}

bool roce_rate_notified(roce_rate_t* rate)
{
  rate->cnps++;
  if (rate->congested)
    return false;
  rate->congested     = true;
  rate->target        = rate->current;
  rate->step          = rate->target * rate->params->step_numerator / rate->params->step_divisor;
  rate->cnps          = 1;
  rate->packets       = 0;
  rate->marked_halves = 0;
  reduction_half(rate, true);
  return true;
}

/* Without CNPs always; while they come, once in so many halves that saw some (11.3, 5). */
static bool may_increase(roce_rate_t* rate)
{
  if (rate->cnps == 0)
    return true;
  if (++rate->marked_halves <= rate->params->loops_per_increase)
    return false;
  rate->marked_halves = 0;
  return true;
}

static void increase(roce_rate_t* rate)
{
  const double line = rate->params->line;
  if (rate->recovery >= rate->params->fast_recovery_attempts) {
    rate->target += rate->step;
    if (rate->target > line)
      rate->target = line;
  }
  rate->current = (rate->current + rate->target) / 2;
  rate->recovery++;
  apply_floor(rate);
  if (line - rate->current <= episode_end) {
    rate->current   = line;
    rate->congested = false;
  }
}

static void increase_half(roce_rate_t* rate)
{
  update_estimate(rate);
  rate->increases = false;
  if (may_increase(rate))
    increase(rate);
}

bool roce_rate_run(roce_rate_t* rate)
{
  if (rate->increases)
    increase_half(rate);
  else
    reduction_half(rate, false);
  return rate->congested;
}

int64_t roce_rate_bps(const roce_rate_t* rate)
{
  return (int64_t)rate->current;
}
