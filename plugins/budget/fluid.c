/* Closed forms: see budget.h. */
#include "budget/budget.h"

__extension__ typedef __int128 wide_t;

static const wide_t bit_ps = (wide_t)8 * 1000000000000; /* bits of a byte times picoseconds of a second */

enum { QUANTUM_BITS = 512 };

static int64_t narrow(wide_t value)
{
  return value < BUDGET_NEVER ? (int64_t)value : BUDGET_NEVER;
}

static int64_t divide_up(wide_t dividend, wide_t divisor)
{
  if (dividend <= 0)
    return 0;
  return divisor > 0 ? narrow((dividend + divisor - 1) / divisor) : BUDGET_NEVER;
}

static int64_t sum(int64_t a, int64_t b)
{
  return narrow((wide_t)a + b);
}

/* ---- Fluid model ------------------------------------------------------------------------------------------------- */

int64_t budget_bytes(int64_t bps, int64_t ps)
{
  return divide_up((wide_t)bps * ps, bit_ps);
}

int64_t budget_time(int64_t bytes, int64_t bps)
{
  return divide_up(bytes * bit_ps, bps);
}

static int64_t net_rate(int64_t input, int64_t egress)
{
  return input > egress ? input - egress : 0;
}

int64_t budget_growth(int64_t input, int64_t egress, int64_t ps)
{
  return budget_bytes(net_rate(input, egress), ps);
}

int64_t budget_crossing(int64_t line, int64_t input, int64_t egress)
{
  return budget_time(line, net_rate(input, egress));
}

int64_t budget_left(int64_t queue, int64_t egress, int64_t ps)
{
  const wide_t served = (wide_t)egress * ps / bit_ps; /* rounded down, so that what is left is rounded up */
  return served < queue ? queue - (int64_t)served : 0;
}

/* ---- ECN feedback ------------------------------------------------------------------------------------------------ */

bool budget_reacts_in_time(int64_t k_ecn, int64_t growth, int64_t line)
{
  return (wide_t)k_ecn + growth < line;
}

int64_t budget_feedback_limit(int64_t k_ecn, int64_t line, int64_t input, int64_t egress)
{
  return k_ecn < line ? budget_time(line - k_ecn, net_rate(input, egress)) : 0;
}

int64_t budget_input_limit(int64_t k_ecn, int64_t line, int64_t feedback, int64_t egress)
{
  return sum(egress, k_ecn < line ? divide_up((line - k_ecn) * bit_ps, feedback) : 0);
}

int64_t budget_notices(int64_t span, int64_t spacing)
{
  return sum(span / spacing, 1);
}

/* ---- Stop time and headroom -------------------------------------------------------------------------------------- */

int64_t budget_stop_time(int64_t bps, int64_t delay, int64_t frame, int64_t pause_frame)
{
  return narrow((wide_t)divide_up(((wide_t)2 * frame + pause_frame) * bit_ps, bps) + (wide_t)2 * delay);
}

int64_t budget_headroom(int64_t bps, int64_t stop_time, int64_t margin)
{
  return sum(budget_bytes(bps, stop_time), margin);
}

int64_t budget_pause_time(int64_t quanta, int64_t bps, int64_t delay)
{
  return narrow((wide_t)quanta * QUANTUM_BITS * (bit_ps / 8) / bps + delay);
}

int64_t budget_refreshes(int64_t span, int64_t pause_time)
{
  return span / (pause_time / 2);
}

int64_t budget_shared_need(int64_t ingresses, int64_t headroom, int64_t dedicated)
{
  return headroom > dedicated ? narrow((wide_t)ingresses * (headroom - dedicated)) : 0;
}

/* ---- Accounting matrix ------------------------------------------------------------------------------------------- */

int64_t budget_ingress_bytes(const int64_t* x, size_t egresses, size_t i)
{
  int64_t bytes = 0;
  for (size_t j = 0; j < egresses; j++)
    bytes = sum(bytes, x[i * egresses + j]);
  return bytes;
}

int64_t budget_egress_bytes(const int64_t* x, size_t ingresses, size_t egresses, size_t j)
{
  int64_t bytes = 0;
  for (size_t i = 0; i < ingresses; i++)
    bytes = sum(bytes, x[i * egresses + j]);
  return bytes;
}

/* ---- Work and shares --------------------------------------------------------------------------------------------- */

int64_t budget_packets(int64_t bytes, int64_t payload)
{
  return divide_up(bytes, payload);
}

int64_t budget_wire_bytes(int64_t bytes, int64_t payload, int64_t header)
{
  return narrow((wide_t)budget_packets(bytes, payload) * header + bytes);
}

double budget_jain(const int64_t* shares, size_t count)
{
  wide_t total   = 0;
  wide_t squares = 0;
  for (size_t i = 0; i < count; i++) {
    total += shares[i];
    squares += (wide_t)shares[i] * shares[i];
  }
  return (double)(total * total) / (double)((wide_t)count * squares);
}

/* Flow i has received r_i t and what the others have freed, which is the same for all that are not done. When the m
 * flows with shares up to that of i are left, the others have V each, and all together have C t:
 *
 *   (n - m) V + R t + m F = C t, where R is the rate of the m flows and F is what each was given on top
 *   flow i is done when r_i t + F = V, hence t = n V / (m r_i + C - R) */
int64_t budget_finish(int64_t bytes, int64_t egress, const int64_t* shares, size_t count, size_t i)
{
  wide_t total    = 0;
  wide_t left     = 0; /* m */
  wide_t of_those = 0; /* R, in shares */
  for (size_t j = 0; j < count; j++) {
    total += shares[j];
    if (shares[j] <= shares[i]) {
      left++;
      of_those += shares[j];
    }
  }
  const wide_t work = (wide_t)count * bytes * total;
  return divide_up(work * bit_ps, egress * (left * shares[i] + total - of_those));
}
