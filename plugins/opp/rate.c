/* Exact rates and transmitters. */
#include "opp/kernel.h"

__extension__ typedef __int128 wide_t;

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
  while (b != 0) {
    const int64_t rest = a % b;
    a                  = b;
    b                  = rest;
  }
  return a;
}

opp_rate_t opp_rate(int64_t bps)
{
  const int64_t divisor = greatest_common_divisor(OPP_S, bps);
  return (opp_rate_t){.bps = bps, .ps_num = OPP_S / divisor, .ps_den = bps / divisor};
}

/* Durations beyond the end of time last until then. */
static opp_simtime_t narrow(wide_t time)
{
  return time < OPP_TIME_MAX ? (opp_simtime_t)time : OPP_TIME_MAX;
}

opp_simtime_t opp_rate_duration(opp_rate_t rate, int64_t bits)
{
  return narrow((wide_t)bits * rate.ps_num / rate.ps_den);
}

opp_simtime_t opp_transmit(opp_transmitter_t* transmitter, opp_simtime_t now, int64_t bits)
{
  const opp_rate_t rate = transmitter->rate;
  opp_simtime_t start   = transmitter->free_at;
  if (start < now) {
    start              = now;
    transmitter->carry = 0;
  }
  int64_t units; /* duration in units of 1 / ps_den ps */
  if (__builtin_mul_overflow(bits, rate.ps_num, &units) || __builtin_add_overflow(units, transmitter->carry, &units)) {
    const wide_t wide    = (wide_t)bits * rate.ps_num + transmitter->carry;
    transmitter->carry   = (int64_t)(wide % rate.ps_den);
    transmitter->free_at = narrow(start + wide / rate.ps_den);
  } else {
    transmitter->carry   = units % rate.ps_den;
    transmitter->free_at = narrow((wide_t)start + units / rate.ps_den);
  }
  return transmitter->free_at;
}
